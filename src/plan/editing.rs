//! Items that are added to a file or taken away, or for which that has to be done by hand.
use crate::edit::{CannotEdit, EditResult, Edited, rust};

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
    /// Makes edits in the content of a file, or in `base` where there is no file; `read` gives the
    /// text of another file, by its path from the folder of this one.
    pub(super) fn of(
        before: Option<&[u8]>,
        base: Option<String>,
        edits: &'a [Edit],
        read: impl Fn(&str) -> Option<String>,
    ) -> Self {
        match (before, base) {
            (Some(bytes), _) => match std::str::from_utf8(bytes) {
                Ok(text) => Self::fold(text.into(), edits, &Included::by(text, read)),
                Err(_) => Self::left(&String::from_utf8_lossy(bytes), "is not UTF-8", edits),
            },
            (None, Some(base)) => Self::fold(base, edits, &[]),
            (None, None) => Self::left("", MISSING, edits),
        }
    }

    /// Whether there is nothing to write and nothing to tell.
    pub(super) fn is_nothing(&self) -> bool {
        self.text.is_none() && self.failed.is_empty()
    }

    fn fold(mut text: String, edits: &'a [Edit], included: &[Included]) -> Self {
        let mut failed = Vec::new();
        let hints: String = included.iter().map(Included::hint).collect();
        let mut fail = |edit, why: String| failed.push((edit, why + &hints));
        for edit in edits {
            match ((edit.apply)(&text), together(edit, &text, included)) {
                (Ok(Edited::AlreadyThere), _) | (_, Some(Ok(Edited::AlreadyThere))) => {}
                // What is included is in the way.
                (Ok(_), Some(Err(CannotEdit(why)))) => fail(edit, why),
                (Ok(Edited::Changed(new)), _) => text = new,
                (Err(CannotEdit(why)), _) => fail(edit, why),
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

const MISSING: &str =
    "is missing: bring it back from version control or with `rop init --skip-existing`";

/// What an edit makes of a file and all that it includes.
fn together(edit: &Edit, text: &str, included: &[Included]) -> Option<EditResult> {
    let more = included.iter().map(|file| &*file.text);
    let all = || [text, "\n"].into_iter().chain(more).collect::<String>();
    (!included.is_empty()).then(|| (edit.apply)(&all()))
}

/// A file that is put in place of an `include!`: what is there is there, and what is not is for its
/// author to add.
struct Included {
    path: String,
    text: String,
}

impl Included {
    fn by(text: &str, read: impl Fn(&str) -> Option<String>) -> Vec<Self> {
        // Not worth to parse most files for.
        if !text.contains("include!") {
            return Vec::new();
        }
        let included = rust::includes(text).into_iter().filter_map(|include| {
            let text = include.as_items(&read(&include.path)?)?;
            let path = include.path;
            Some(Self { path, text })
        });
        included.collect()
    }

    fn hint(&self) -> String {
        format!(" (it includes {})", self.path)
    }
}
