//! Items whose place matters.
use super::{List, add_item, is_same_file, parse, values};
use crate::edit::{CannotEdit, EditResult, Edited, without_bom};

/// Adds an item as [`add_item`] does, but before another one, if that is there.
pub fn add_item_before(text: &str, key: &str, item: &str, next: &str) -> EditResult {
    without_bom(text, |text| {
        let edited = add_item(text, key, item, None)?;
        let new = match &edited {
            Edited::Changed(new) => new,
            Edited::AlreadyThere => text,
        };
        if precedes(new, key, item, next)? {
            return Ok(edited);
        }
        let reason = || CannotEdit(format!("`{item}` has to come before `{next}`"));
        match edited {
            Edited::Changed(_) => insert(text, key, item, next)?.ok_or_else(reason),
            Edited::AlreadyThere => Err(reason()),
        }
    })
}

fn position(text: &str, key: &str, item: &str) -> Result<Option<usize>, CannotEdit> {
    let values = values(&parse(text)?, key)?;
    Ok(values.iter().position(|value| is_same_file(value, item)))
}

fn precedes(text: &str, key: &str, item: &str, next: &str) -> Result<bool, CannotEdit> {
    let next = position(text, key, next)?;
    Ok(next.is_none_or(|next| position(text, key, item).is_ok_and(|item| item < Some(next))))
}

/// Puts an item above another one and its comment.
fn insert(text: &str, key: &str, item: &str, next: &str) -> Result<Option<Edited>, CannotEdit> {
    let mut expected = parse(text)?;
    let mut values = values(&expected, key)?;
    let Some(list) = List::find(text, key, &values) else {
        return Ok(None);
    };
    let Some(index) = position(text, key, next)? else {
        return Ok(None);
    };
    let is_comment = |line: &usize| list.lines[*line].text.trim().starts_with('#');
    let above = (list.key + 1..list.elements[index].first).rev();
    let comments = above.take_while(is_comment).count();
    let new = list.insert_after(
        list.elements[index].first - comments - 1,
        &[&format!("- {item}")],
    );
    values.insert(index, item.into());
    expected.insert(key.into(), values.into());
    Ok((parse(&new)? == expected).then_some(Edited::Changed(new)))
}
