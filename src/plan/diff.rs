//! What changes, as a unified diff.
use super::Change;
use similar::TextDiff;

/// The unified diff of all changes that write, in their order.
pub(super) fn unified<'a>(changes: impl Iterator<Item = &'a Change>) -> String {
    changes.map(one).collect()
}

fn one(change: &Change) -> String {
    let (Some(after), path) = (&change.after, &change.path) else {
        return String::new();
    };
    let before = change.before.as_deref().map(String::from_utf8_lossy);
    let old = match before {
        Some(_) => format!("a/{path}"),
        None => "/dev/null".into(),
    };
    let before = before.unwrap_or_default();
    let diff = TextDiff::from_lines(&*before, after.as_str());
    diff.unified_diff()
        .header(&old, &format!("b/{path}"))
        .to_string()
}
