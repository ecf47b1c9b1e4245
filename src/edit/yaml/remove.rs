//! Takes items away: the way back of an addition, byte for byte.
use super::{List, is_same_file, parse, values};
use crate::edit::{CannotEdit, EditResult, Edited, without_bom};

/// Removes an item from the list under a top-level key; a list without items becomes `[]`.
///
/// An item with a comment on its line stays: the comment is the user's.
pub fn remove_item(text: &str, key: &str, item: &str) -> EditResult {
    without_bom(text, |text| remove(text, key, item))
}

fn remove(text: &str, key: &str, item: &str) -> EditResult {
    let mut expected = parse(text)?;
    let mut values = values(&expected, key)?;
    let Some(index) = values.iter().position(|value| is_same_file(value, item)) else {
        return Ok(Edited::AlreadyThere);
    };
    let reason = || CannotEdit::new(format!("`{key}` is not a list with one `- item` a line"));
    let list = List::find(text, key, &values).ok_or_else(reason)?;
    let new = list.without(index)?;
    values.remove(index);
    expected.insert(key.into(), values.into());
    if parse(&new).is_ok_and(|new| new == expected) {
        Ok(Edited::Changed(new))
    } else {
        Err(CannotEdit::unsafe_place())
    }
}

impl List<'_> {
    fn without(&self, index: usize) -> Result<String, CannotEdit> {
        let element = &self.elements[index];
        let lines = &self.lines[element.first..=element.last];
        if lines.iter().any(|line| line.text.contains('#')) {
            return Err(CannotEdit::new(format!(
                "`{}` has a comment on its line",
                element.name
            )));
        }
        let (start, end) = (lines[0].start, lines[lines.len() - 1].end());
        let mut before = self.text[..start].to_owned();
        if self.elements.len() == 1 {
            let line = self.lines[self.key];
            let colon = line.text.find(':').unwrap_or_default();
            before.insert_str(line.start + colon + 1, " []");
        }
        let after = &self.text[end..];
        if after.is_empty() && !self.text.ends_with('\n') {
            let kept = before.trim_end_matches('\n').trim_end_matches('\r').len();
            before.truncate(kept);
        }
        Ok(before + after)
    }
}
