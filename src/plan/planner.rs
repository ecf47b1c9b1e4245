//! Turns what a command wants into a plan, by what is on disk.
mod remove;
mod revise;

use super::{
    Change, Edit, Entry, Plan, Policies, Policy, Record, Root, editing::Made, record, record::Text,
};
use crate::{
    error::{Error, Result},
    ui::{Action, Conflict},
};
use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

/// A file of the disk, or the place for one.
struct Found {
    target: PathBuf,
    before: Option<Rc<[u8]>>,
}

/// Collects what a command wants.
pub struct Planner {
    root: Root,
    policies: Policies,
    record: Record,
    changes: Vec<Change>,
    conflicts: Vec<Conflict>,
    warnings: Vec<String>,
}

impl Planner {
    /// A planner for the project in `root`.
    pub fn new(root: Root, policies: impl Into<Policies>, record: Record) -> Self {
        Self {
            root,
            policies: policies.into(),
            record,
            changes: Vec::new(),
            conflicts: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Wants a rendered file.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn create(&mut self, path: &str, text: String) -> Result<()> {
        self.render(path, text, false)
    }

    /// Wants a rendered file in place of the one that rop wrote before.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn rerender(&mut self, path: &str, text: String) -> Result<()> {
        self.render(path, text, true)
    }

    /// Wants a file to which rop adds items later: the record does not know it.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn create_list(&mut self, path: &str, text: String) -> Result<()> {
        self.put(path, &Text::new(text), false)
    }

    /// Puts a rendered file, and notes it.
    fn render(&mut self, path: &str, text: String, replaces: bool) -> Result<()> {
        let text = Text::new(text);
        self.put(path, &text, replaces)?;
        if self.as_rendered(path) {
            self.record.note(path, &text);
        }
        Ok(())
    }

    /// Puts a file where nothing is in the way; `replaces` what rop itself wrote there.
    fn put(&mut self, path: &str, text: &Rc<Text>, replaces: bool) -> Result<()> {
        let Some(found) = self.look(path)? else {
            return Ok(());
        };
        let wrote = || self.record.wrote_text(path, text);
        let own = |bytes: &[u8]| replaces && self.record.wrote(path, bytes);
        let (action, reason) = match (&found.before, self.policies.of(path)) {
            (None, _) => (Action::Create, None),
            (Some(bytes), _) if **bytes == *text.as_str().as_bytes() => (Action::Identical, None),
            (Some(bytes), _) if own(bytes) => (Action::Update, None),
            (_, Policy::Force) => (Action::Overwrite, None),
            (_, Policy::SkipExisting) => (Action::Keep, Some("it exists")),
            _ if wrote() => (Action::Keep, Some("you changed it")),
            _ => (Action::Conflict, Some("differs from what rop would write")),
        };
        if let (Action::Conflict, Some(reason)) = (action, reason) {
            self.conflict(path, reason.into(), None);
        }
        let after = action.writes().then(|| text.clone());
        self.push(path, found, action, reason.map(Into::into), after);
        Ok(())
    }

    /// Offers a file that users often have already; theirs is kept.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn offer(&mut self, path: &str, text: String) -> Result<()> {
        match self.root.read(path)? {
            Entry::File { target, bytes } if *bytes != *text.as_bytes() => {
                self.keep(path, target, bytes);
                Ok(())
            }
            _ => self.create(path, text),
        }
    }

    /// Wants items in a file; without a file they go to `base`, if there is one.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn edit(&mut self, path: &str, base: Option<String>, edits: &[Edit]) -> Result<()> {
        if let Some(index) = self.changes.iter().position(|change| change.path == path) {
            self.edit_again(index, edits);
            return Ok(());
        }
        let Some(found) = self.look(path)? else {
            return Ok(());
        };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let read = |near: &str| self.root.text(&format!("{folder}/{near}")).ok()?;
        let made = Made::of(found.before.as_deref(), base, edits, read);
        if found.before.is_none() && made.is_nothing() {
            return Ok(());
        }
        for (edit, why) in &made.failed {
            self.by_hand(path, edit, why);
        }
        let reason = made.failed.into_iter().next().map(|(_, why)| why);
        let settled = made.text.as_ref().map(|text| settle(&found, text));
        let action = match settled.unwrap_or(Action::Identical) {
            Action::Identical if reason.is_some() => Action::Manual,
            action => action,
        };
        let after = made.text.filter(|_| action.writes()).map(Text::new);
        self.push(path, found, action, reason, after);
        Ok(())
    }

    /// The first of these paths that has a file, or the first of all: names that a file may go by.
    ///
    /// # Errors
    /// If a path cannot be read.
    pub fn existing<'a>(&self, paths: &'a [String]) -> Result<&'a str> {
        for path in paths {
            if !matches!(self.root.read(path)?, Entry::Absent { .. }) {
                return Ok(path);
            }
        }
        Ok(paths.first().map_or("", String::as_str))
    }

    /// Wants a generated file, whatever stands there.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn generated(&mut self, path: &str, text: String) -> Result<()> {
        let Some(found) = self.look(path)? else {
            return Ok(());
        };
        let action = settle(&found, &text);
        let after = action.writes().then(|| Text::new(text));
        self.push(path, found, action, None, after);
        Ok(())
    }

    /// Tells the user something that stops nothing.
    pub fn warn(&mut self, warning: impl Into<String>) {
        self.warnings.push(warning.into());
    }

    /// Whether the file at this path will be as rop renders it.
    pub fn as_rendered(&self, path: &str) -> bool {
        let change = self.changes.iter().find(|change| change.path == path);
        change.is_some_and(|c| c.after.is_some() || c.action == Action::Identical)
    }

    /// Whether rop last wrote exactly this text to this path.
    pub fn wrote(&self, path: &str, text: &str) -> bool {
        self.record.wrote(path, text.as_bytes())
    }

    /// Whether anything is in the way so far.
    pub fn is_blocked(&self) -> bool {
        !self.conflicts.is_empty()
    }

    /// The Rust sources as they will be.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn sources(&self) -> Result<BTreeMap<String, String>> {
        let mut sources = self.root.sources()?;
        for change in &self.changes {
            match &change.after {
                Some(text) if self.root.is_source(&change.path) => {
                    sources.insert(change.path.clone(), text.as_str().into());
                }
                None if change.action == Action::Remove => drop(sources.remove(&change.path)),
                _ => {}
            }
        }
        Ok(sources)
    }

    /// The plan, and at its end the record and PROJECT, if that has another text.
    ///
    /// # Errors
    /// If those cannot be read.
    pub fn finish(mut self, project: Option<String>) -> Result<Plan> {
        if self.conflicts.is_empty() {
            self.generated(record::PATH, self.record.to_text())?;
            if let Some(text) = project {
                self.generated("PROJECT", text)?;
            }
        }
        Ok(self.finish_generated())
    }

    /// The plan of generated files alone, which the record does not know.
    pub fn finish_generated(self) -> Plan {
        Plan {
            root: self.root,
            changes: self.changes,
            conflicts: self.conflicts,
            warnings: self.warnings,
        }
    }

    /// What stands at a path, unless it is a conflict, which is noted.
    fn look(&mut self, path: &str) -> Result<Option<Found>> {
        if self.changes.iter().any(|change| change.path == path) {
            Err(Error::internal(format!("{path} is planned twice")))?;
        }
        let (target, before) = match self.root.read(path)? {
            Entry::Absent { target } => (target, None),
            Entry::File { target, bytes } => (target, Some(bytes)),
            Entry::Blocked(reason) => {
                self.conflict(path, reason, None);
                return Ok(None);
            }
        };
        Ok(Some(Found { target, before }))
    }

    fn push(
        &mut self,
        path: &str,
        found: Found,
        action: Action,
        reason: Option<String>,
        after: Option<Rc<Text>>,
    ) {
        self.changes.push(Change {
            path: path.into(),
            action,
            reason,
            target: found.target,
            before: found.before,
            after,
        });
    }

    fn conflict(&mut self, path: &str, reason: String, snippet: Option<String>) {
        self.conflicts.push(Conflict {
            path: path.into(),
            reason,
            snippet,
        });
    }

    /// An edit that the user has to make: a conflict, unless asked to write the rest.
    fn by_hand(&mut self, path: &str, edit: &Edit, why: &str) {
        let reason = format!("{why}; {}", edit.advice);
        if self.policies.rest == Policy::SkipExisting {
            self.warn(format!("{path} {reason}:\n{}", edit.snippet));
        } else {
            self.conflict(path, reason, Some(edit.snippet.clone()));
        }
    }
}

/// What it takes to make a file have this text.
fn settle(found: &Found, text: &str) -> Action {
    match &found.before {
        None => Action::Create,
        Some(bytes) if **bytes == *text.as_bytes() => Action::Identical,
        Some(_) => Action::Update,
    }
}
