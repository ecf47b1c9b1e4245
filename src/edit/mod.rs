//! Pure functions that add an item to a file that users own, too, or take it away.
//!
//! They splice bytes, so comments, line ends, byte order mark and order survive, and check their
//! work by parsing it again: the old list and the item, or [`CannotEdit`].

pub mod cargo_lock;
pub mod lines;
pub mod manifest;
mod order;
pub mod rust;
mod text;
pub mod yaml;

pub(crate) use text::quoted;

use std::fmt;

/// What an edit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edited {
    /// The new text of the file.
    Changed(String),
    /// The item is there already.
    AlreadyThere,
}

/// Why an item could not be placed; the user has to do it by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotEdit(pub String);

impl CannotEdit {
    fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }

    /// The new text does not read as it should.
    fn unsafe_place() -> Self {
        Self::new("there is no place for it that leaves everything else as it is")
    }
}

impl fmt::Display for CannotEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Result of an edit.
pub type EditResult = Result<Edited, CannotEdit>;

/// Hides a leading byte order mark from an edit.
fn without_bom(text: &str, edit: impl FnOnce(&str) -> EditResult) -> EditResult {
    const BOM: char = '\u{feff}';
    let Some(rest) = text.strip_prefix(BOM) else {
        return edit(text);
    };
    Ok(match edit(rest)? {
        Edited::Changed(new) => Edited::Changed(format!("{BOM}{new}")),
        Edited::AlreadyThere => Edited::AlreadyThere,
    })
}
