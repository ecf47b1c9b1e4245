//! Items that are added to a file, or have to be added by hand.
use crate::edit::{CannotEdit, EditResult, Edited};

/// One item to add to a file.
pub struct Edit {
    /// Where the lines belong, such as "in `crds()`".
    pub place: String,
    /// The lines, for users who have to add them by hand.
    pub snippet: String,
    /// The pure function that adds them.
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
                Err(_) => Self::unreadable(&String::from_utf8_lossy(bytes), edits),
            },
            (None, Some(base)) => Self::fold(base, edits),
            (None, None) => Self {
                text: None,
                failed: edits
                    .iter()
                    .map(|edit| (edit, "is missing".into()))
                    .collect(),
            },
        }
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

    /// What is there already can be told of a text that is not UTF-8, too.
    fn unreadable(text: &str, edits: &'a [Edit]) -> Self {
        let missing = |edit: &&Edit| (edit.apply)(text) != Ok(Edited::AlreadyThere);
        let missing = edits.iter().filter(missing);
        Self {
            text: None,
            failed: missing.map(|edit| (edit, "is not UTF-8".into())).collect(),
        }
    }
}
