//! Generated files that nothing asks for any more.
use crate::{
    edit::{Edited, yaml},
    error::Result,
    plan::{Edit, Planner},
};

/// What is done with them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stale {
    /// They are named.
    Tell,
    /// Those that were not changed since they were generated are drift.
    Check,
    /// They are removed.
    Prune,
}

impl Stale {
    /// Plans what becomes of a file, and tells whether it goes; `own` if nobody has put anything into
    /// it since it was generated. `why` completes "PATH …"; `what` is asked of `rop generate`.
    pub(super) fn plan(
        self,
        planner: &mut Planner,
        path: &str,
        own: bool,
        why: &str,
        what: &str,
    ) -> Result<bool> {
        if self == Self::Prune || (self == Self::Check && own) {
            return planner.remove_generated(path, |_| own);
        }
        let flag = if own { "" } else { " --force" };
        planner.warn(format!(
            "{path} {why}: `rop generate{what} --prune{flag}` removes it"
        ));
        Ok(false)
    }
}

/// An item that a kustomization has no longer.
pub(super) fn unlisted(item: String) -> Edit {
    Edit {
        advice: "remove this under `resources:`".into(),
        snippet: format!("- {item}"),
        apply: Box::new(move |text| match text {
            "" => Ok(Edited::AlreadyThere),
            text => yaml::remove_item(text, "resources", &item),
        }),
    }
}
