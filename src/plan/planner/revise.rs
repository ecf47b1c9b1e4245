//! Rendered files in place of what rop rendered before.
use super::{Edit, Entry, Found, Planner, Text};
use crate::{error::Result, ui::Action};
use std::path::PathBuf;

impl Planner {
    /// Wants a rendered file in place of the one that rop wrote before; in one that its user
    /// changed, the edits come to the same.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn revise(&mut self, path: &str, text: String, edits: &[Edit]) -> Result<()> {
        let own = match self.root.read(path)? {
            Entry::File { bytes, .. } => {
                bytes == text.as_bytes() || self.record.wrote(path, &bytes)
            }
            _ => false,
        };
        if own {
            return self.rerender(path, text);
        }
        let failed = self.conflicts.len();
        self.edit(path, None, edits)?;
        if self.conflicts.len() == failed {
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

    /// Keeps a file of the user.
    pub(super) fn keep(&mut self, path: &str, target: PathBuf, bytes: Vec<u8>) {
        let before = Some(bytes);
        let found = Found { target, before };
        self.push(path, found, Action::Keep, Some("yours".into()), None);
    }
}
