//! What changes, as a unified diff.
use super::Change;
use similar::TextDiff;

/// The unified diff of all changes that write, in their order.
pub(super) fn unified<'a>(changes: impl Iterator<Item = &'a Change>) -> String {
    changes.map(one).collect()
}

fn one(change: &Change) -> String {
    let path = &change.path;
    let side = |side, is_there| match is_there {
        true => format!("{side}/{path}"),
        false => "/dev/null".into(),
    };
    let before = change.before.as_deref().map(String::from_utf8_lossy);
    let old = side("a", before.is_some());
    let new = side("b", change.after.is_some());
    let before = before.unwrap_or_default();
    let after = change.after.as_ref().map_or("", |text| text.as_str());
    let diff = TextDiff::from_lines(&*before, after);
    diff.unified_diff().header(&old, &new).to_string()
}
