//! Lists in brackets: `resources: [a.yaml, b.yaml]`.
use serde_json::Value;

use super::parse;
use crate::edit::{CannotEdit, EditResult, Edited, text};

/// Adds an item at the end of such a list, on a line of its own if the bracket that closes it is.
pub(super) fn append(text: &str, key: &str, item: &str) -> EditResult {
    let mut expected = parse(text)?;
    if let Some(Value::Array(values)) = expected.get_mut(key) {
        values.push(item.into());
    }
    // Whether a bracket is the list's, and no part of a text or comment, is seen by the outcome.
    let brackets = text.match_indices(']').map(|(bracket, _)| bracket);
    let mut texts = brackets.map(|bracket| insert(text, bracket, item));
    let new = texts.find(|new| parse(new).is_ok_and(|new| new == expected));
    let reason = || CannotEdit::new(format!("`{key}` is not a list with one `- item` a line"));
    new.map(Edited::Changed).ok_or_else(reason)
}

/// The text with an item before this bracket.
fn insert(text: &str, bracket: usize, item: &str) -> String {
    let before = text[..bracket].trim_end();
    let (blank, after) = (&text[before.len()..bracket], &text[bracket..]);
    let last = before.trim_end_matches(',');
    let quote = last.chars().next_back().filter(|c| "'\"".contains(*c));
    let quote = quote.map(String::from).unwrap_or_default();
    let item = format!("{quote}{item}{quote}");
    let ends_with_comma = last.len() < before.len();
    let is_first = before.ends_with('[');
    let comma = if is_first || ends_with_comma { "" } else { "," };
    if !blank.contains('\n') {
        let space = if is_first { "" } else { " " };
        return format!("{before}{comma}{space}{item}{blank}{after}");
    }
    let eol = text::line_end_style(text, bracket);
    let indent = text::indent(text, before.len());
    let level = if is_first { "  " } else { "" };
    let last = if ends_with_comma { "," } else { "" };
    format!("{before}{comma}{eol}{indent}{level}{item}{last}{blank}{after}")
}
