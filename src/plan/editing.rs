//! Items that are added to a file or taken away, or for which that has to be done by hand.
use crate::edit::{CannotEdit, EditResult, Edited};

/// One item to add to a file, or to take away.
pub struct Edit {
    /// What to do with the lines by hand, such as "add this to the list in `crds()`".
    pub advice: String,
    /// The lines, for users who have to do it by hand.
    pub snippet: String,
    /// The pure function that does it.
    pub apply: Box<dyn Fn(&str) -> EditResult>,
}

/// What edits make of a file.
pub(super) struct Made<'a> {
    /// The text with all edits that could be made; nothing where the file has to stay as it is.
    pub(super) text: Option<String>,
    /// The edits that could not be made, and why.
    pub(super) failed: Vec<(&'a Edit, String)>,
}

impl<'a> Made<'a> {
    /// Makes edits in the content of a file, or in `base` where there is no file.
    pub(super) fn of(before: Option<&[u8]>, base: Option<String>, edits: &'a [Edit]) -> Self {
        match (before, base) {
            (Some(bytes), _) => match std::str::from_utf8(bytes) {
                Ok(text) => Self::fold(text.into(), edits),
                Err(_) => Self::left(&String::from_utf8_lossy(bytes), "is not UTF-8", edits),
            },
            (None, Some(base)) => Self::fold(base, edits),
            (None, None) => Self::left("", "is missing", edits),
        }
    }

    /// Whether there is nothing to write and nothing to tell.
    pub(super) fn is_nothing(&self) -> bool {
        self.text.is_none() && self.failed.is_empty()
    }

    fn fold(mut text: String, edits: &'a [Edit]) -> Self {
        let mut failed = Vec::new();
        for edit in edits {
            match (edit.apply)(&text) {
                Ok(Edited::Changed(new)) => text = new,
                Ok(Edited::AlreadyThere) => {}
                Err(CannotEdit(why)) => failed.push((edit, why)),
            }
        }
        let text = Some(text);
        Self { text, failed }
    }

    /// Leaves a file as it is; some edits may have nothing to do there.
    fn left(text: &str, why: &str, edits: &'a [Edit]) -> Self {
        let open = |edit: &&Edit| (edit.apply)(text) != Ok(Edited::AlreadyThere);
        let open = edits.iter().filter(open);
        Self {
            text: None,
            failed: open.map(|edit| (edit, why.into())).collect(),
        }
    }
}
