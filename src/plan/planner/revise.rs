//! Rendered files in place of what rop rendered before.
use super::{Edit, Entry, Found, Made, Planner, Policy, Text, settle};
use crate::{error::Result, ui::Action};
use std::{path::PathBuf, rc::Rc};

impl Planner {
    /// Wants a rendered file in place of the one that rop wrote before; in one that its user
    /// changed, the edits come to the same.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn revise(&mut self, path: &str, text: String, edits: &[Edit]) -> Result<()> {
        let own = match self.root.read(path)? {
            Entry::File { bytes, .. } => {
                *bytes == *text.as_bytes() || self.record.wrote(path, &bytes)
            }
            _ => false,
        };
        if own {
            return self.rerender(path, text);
        }
        self.edit(path, None, edits)?;
        let last = self.changes.last();
        if last.is_some_and(|change| change.path == path && change.reason.is_none()) {
            self.record.note(path, &Text::new(text));
        }
        Ok(())
    }

    /// Offers a file in place of the one that rop wrote before; that of a user is kept.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn offer_anew(&mut self, path: &str, text: String) -> Result<()> {
        match self.root.read(path)? {
            Entry::File { bytes, .. } if self.record.wrote(path, &bytes) => {
                self.rerender(path, text)
            }
            _ => self.offer(path, text),
        }
    }

    /// Wants a generated file. One that was not generated is in the way: `refuse` tells of its text
    /// why, which completes "PATH …".
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn regenerate(
        &mut self,
        path: &str,
        text: String,
        refuse: impl Fn(&str) -> Option<String>,
    ) -> Result<()> {
        let Some(found) = self.look(path)? else {
            return Ok(());
        };
        let action = settle(&found, &text);
        let foreign = match (action, found.before.as_deref()) {
            (Action::Update, Some(bytes)) => match std::str::from_utf8(bytes) {
                Ok(before) => refuse(before),
                Err(_) => Some("is not UTF-8".into()),
            },
            _ => None,
        };
        let action = match (&foreign, self.policies.of(path)) {
            (None, _) => action,
            (_, Policy::Force) => Action::Overwrite,
            (_, Policy::SkipExisting) => Action::Keep,
            (Some(reason), Policy::Stop) => {
                self.conflict(path, reason.clone(), None);
                Action::Conflict
            }
        };
        let after = action.writes().then(|| Text::new(text));
        self.push(path, found, action, foreign, after);
        Ok(())
    }

    /// Wants a generated file anew where there is one.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn regenerate_existing(
        &mut self,
        path: &str,
        text: String,
        refuse: impl Fn(&str) -> Option<String>,
    ) -> Result<()> {
        let is_own = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|t| refuse(t).is_none());
        match self.root.read(path)? {
            Entry::File { bytes, .. } if is_own(&bytes) => self.regenerate(path, text, refuse),
            _ => Ok(()),
        }
    }

    /// Wants items in a file that is planned already.
    pub(super) fn edit_again(&mut self, index: usize, edits: &[Edit]) {
        let change = &self.changes[index];
        let text = change.after.as_ref().map(|text| text.as_str().as_bytes());
        let text = text.or(change.before.as_deref());
        let made = Made::of(text, None, edits, |_| None);
        let path = change.path.clone();
        for (edit, why) in &made.failed {
            self.by_hand(&path, edit, why);
        }
        let change = &mut self.changes[index];
        let Some(text) = made.text else { return };
        if change.before.as_deref() != Some(text.as_bytes()) {
            change.action = match change.action {
                action if action.writes() => action,
                _ => Action::Update,
            };
            change.after = Some(Text::new(text));
        }
    }

    /// Keeps a file of the user.
    pub(super) fn keep(&mut self, path: &str, target: PathBuf, bytes: Rc<[u8]>) {
        let before = Some(bytes);
        let found = Found { target, before };
        self.push(path, found, Action::Keep, Some("yours".into()), None);
    }
}
