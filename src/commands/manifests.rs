//! The manifests of the markers: the manager's roles, and the configurations of its webhooks.
use super::{
    layout,
    stale::{self, Stale},
};
use crate::{
    error::Result,
    generate::{
        Source, markers,
        owned::Generated,
        rbac::{self, Bindings},
        webhooks::{self, Groups},
    },
    model::project::Project,
    plan::{Planner, Root},
};

/// The configurations of webhooks.
const WEBHOOKS: &str = "config/webhook/manifests.yaml";
const LISTED: &str = "config/webhook/kustomization.yaml";

/// What to make of the markers.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) roles: bool,
    pub(super) webhooks: bool,
}

/// What was made of the markers.
#[derive(Default)]
pub(super) struct Made {
    /// The text of the roles, and what binds them.
    pub(super) roles: Option<(String, Bindings)>,
    pub(super) webhooks: Option<String>,
}

/// Makes what is wanted, of the sources as they will be; all that is wrong with their markers is
/// told at once.
pub(super) fn make(planner: &mut Planner, project: &Project, wanted: Wanted) -> Result<Made> {
    let sources = planner.sources()?;
    let rendered = |path: &str, text: &str| planner.wrote(path, text);
    let sources = sources.iter().map(|(path, text)| Source {
        path,
        text,
        rendered: &rendered,
    });
    let sources: Vec<_> = sources.collect();
    let mut found = markers::find(&sources);
    let own = format!("{}-system", project.name);
    let scope = match project.namespaced() {
        true => rbac::Scope::Namespace { own: &own },
        false => rbac::Scope::Cluster,
    };
    let mut made = Made::default();
    if wanted.roles {
        let roles = rbac::roles(&mut found, rbac::DEFAULT_ROLE_NAME, scope);
        made.roles = Some(roles);
    }
    if wanted.webhooks {
        let groups = project.api_groups();
        let groups = || Groups::of(&groups, &sources);
        made.webhooks = webhooks::configurations(&mut found, groups);
    }
    for warning in found.finish()? {
        planner.warn(warning);
    }
    Ok(made)
}

/// Plans the files of what is wanted, and what lists them.
pub(super) fn plan(
    planner: &mut Planner,
    root: &Root,
    project: &Project,
    wanted: Wanted,
    stale: Stale,
) -> Result<()> {
    let made = make(planner, project, wanted)?;
    if let Some((text, bindings)) = made.roles {
        layout::plan_roles(planner, text, &bindings, true)?;
    }
    let refuse = |text: &str| Generated::Webhooks.refuse(text);
    match made.webhooks {
        Some(text) => planner.regenerate(WEBHOOKS, text, refuse),
        None if wanted.webhooks => match root.text(WEBHOOKS)? {
            Some(text) if refuse(&text).is_none() => {
                if stale.plan(planner, WEBHOOKS, true, "has no marker any more")? {
                    let item = stale::unlisted("manifests.yaml".into());
                    layout::plan_list(planner, LISTED, None, &[item])?;
                }
                Ok(())
            }
            _ => Ok(()),
        },
        None => Ok(()),
    }
}
