//! What a command will change, and the one way to change it.
//!
//! A [`Planner`] reads the disk and turns what a command wants into a [`Plan`]; nothing is
//! written before the plan is whole and without conflict. [`Plan::apply`] writes all of it or
//! nothing.
#![expect(
    clippy::disallowed_methods,
    reason = "this room reads and writes the project"
)]

mod apply;
mod diff;
mod editing;
mod folder;
mod interrupt;
mod journal;
mod planner;
mod policy;
mod record;
mod root;
mod sources;
mod workspace;

pub use apply::{Observer, Step};
pub use editing::Edit;
pub use interrupt::Interrupt;
pub use planner::Planner;
pub use policy::{Policies, Policy};
pub use record::{PATH as RECORD, Record};
pub use root::{Entry, Root};
pub use workspace::fixes_around;

use crate::{
    error::Result,
    ui::{Action, ChangeLine, Conflict, Report},
};
use record::Text;
use std::{path::PathBuf, rc::Rc};

/// What happens to one file.
#[derive(Clone, Debug)]
pub struct Change {
    /// Path below the root, with `/`.
    pub path: String,
    /// What happens.
    pub action: Action,
    /// Why, where that is not plain.
    pub reason: Option<String>,
    /// The path with links resolved, where the bytes go.
    target: PathBuf,
    /// The content that was planned on; nothing where there is no file.
    before: Option<Rc<[u8]>>,
    /// The new content; nothing where the file stays.
    after: Option<Rc<Text>>,
}

/// All that a command will do to a project.
#[derive(Debug)]
pub struct Plan {
    root: Root,
    changes: Vec<Change>,
    conflicts: Vec<Conflict>,
    warnings: Vec<String>,
}

impl Plan {
    /// What is in the way; with any, the plan cannot be applied.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// What happens to each file.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The unified diff of all that changes.
    pub fn diff(&self) -> String {
        diff::unified(self.writes())
    }

    /// The unified diff of one file, if it changes.
    pub fn diff_of(&self, path: &str) -> String {
        diff::unified(self.writes().filter(|change| change.path == path))
    }

    /// Whether a file goes.
    pub fn removes(&self, path: &str) -> bool {
        let mut gone = self.changes.iter().filter(|c| c.action == Action::Remove);
        gone.any(|change| change.path == path)
    }

    /// The files in the way that rop could overwrite or keep, if nothing else is in the way.
    pub fn choices(&self) -> Vec<&str> {
        let differing = self.changes.iter().filter(|c| c.action == Action::Conflict);
        let paths: Vec<_> = differing.map(|change| &*change.path).collect();
        let only = self.conflicts.iter().all(|c| paths.contains(&&*c.path));
        if only { paths } else { Vec::new() }
    }

    /// The changes that write.
    fn writes(&self) -> impl Iterator<Item = &Change> {
        let mut changes = self.changes.iter();
        std::iter::from_fn(move || changes.find(|change| change.action.writes()))
    }

    /// Writes all changes or, on an error or a signal, none.
    ///
    /// # Errors
    /// If a file is no longer as it was planned on, another rop works here, a write fails, or
    /// SIGINT or SIGTERM comes.
    pub fn apply(&self, interrupt: &Interrupt, observer: &mut dyn Observer) -> Result<()> {
        apply::apply(self, interrupt, observer)
    }

    /// Tells the plan to a report.
    pub fn describe(&self, report: &mut Report) {
        let line = |change: &Change| ChangeLine {
            path: change.path.clone(),
            action: change.action,
            reason: change.reason.clone(),
        };
        report.changes.extend(self.changes.iter().map(line));
        report.conflicts.extend_from_slice(&self.conflicts);
        report.warnings.extend_from_slice(&self.warnings);
    }
}

/// Claims a project for this command ([`Root::claim`]), undoes what a killed one left there, if
/// there is any, and tells what was done.
///
/// # Errors
/// If another rop is at work there, or something cannot be undone.
pub fn recover(root: &Root) -> Result<Option<String>> {
    apply::recover(root)
}

/// Whether a command was killed in this project and nothing undid it yet.
pub fn is_unfinished(root: &Root) -> bool {
    apply::is_unfinished(root)
}
