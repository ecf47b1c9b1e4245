//! Files that shall be gone.
use super::{Entry, Found, Planner, Policy};
use crate::{error::Result, ui::Action};

impl Planner {
    /// Wants a rendered file to be gone; the record forgets it.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn remove(&mut self, path: &str) -> Result<()> {
        if let Some(found) = self.look(path)? {
            let own = found.before.as_deref();
            let own = own.is_some_and(|bytes| self.record.wrote(path, bytes));
            self.take_away(path, found, own);
            self.record.forget(path);
        }
        Ok(())
    }

    /// Wants an offered file to be gone; that of a user is kept.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn withdraw(&mut self, path: &str) -> Result<()> {
        match self.root.read(path)? {
            Entry::File { target, bytes } if !self.record.wrote(path, &bytes) => {
                self.keep(path, target, bytes);
                Ok(())
            }
            // A folder of that name is none that rop offers.
            Entry::Blocked(_) => Ok(()),
            _ => self.remove(path),
        }
    }

    /// Wants a generated file to be gone, and tells whether it will be; `own` tells of its content
    /// whether it is as it was generated.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn remove_generated(&mut self, path: &str, own: impl Fn(&[u8]) -> bool) -> Result<bool> {
        if let Some(found) = self.look(path)? {
            let own = found.before.as_deref().is_some_and(own);
            self.take_away(path, found, own);
        }
        let last = self.changes.last();
        Ok(last.is_some_and(|change| change.path == path && change.action == Action::Remove))
    }

    fn take_away(&mut self, path: &str, found: Found, own: bool) {
        if found.before.is_none() {
            return;
        }
        // To remove what it leads to would leave it to lead nowhere.
        if self.root.is_link(path) {
            if self.policies.of(path) != Policy::SkipExisting {
                self.conflict(path, "is a link, and rop removes only files".into(), None);
            }
            return;
        }
        let (action, reason) = match self.policies.of(path) {
            _ if own => (Action::Remove, None),
            Policy::Force => (Action::Remove, Some("you changed it")),
            Policy::SkipExisting => (Action::Keep, Some("you changed it")),
            Policy::Stop => (
                Action::Conflict,
                Some("is to be removed, but you changed it"),
            ),
        };
        if let (Action::Conflict, Some(reason)) = (action, reason) {
            self.conflict(path, reason.into(), None);
        }
        self.push(path, found, action, reason.map(Into::into), None);
    }
}
