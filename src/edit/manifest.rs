//! `license` in the tables of Cargo.toml.
use super::{CannotEdit, EditResult, Edited, text, without_bom};
use toml_edit::{DocumentMut, Item, Value};

/// What `license` is in a table: the text after the key, as in `license.workspace = true`.
pub const INHERITED: &str = ".workspace = true";

/// The text after the key for a license of this name.
pub fn named(spdx: &str) -> String {
    format!(" = \"{spdx}\"")
}

/// Makes `license` of a table say something else, or takes it away.
///
/// `ours` is what it says if nobody but rop wrote it; anything else is its author's.
pub fn set_license(
    text: &str,
    table: &str,
    wanted: Option<&str>,
    ours: Option<&str>,
) -> EditResult {
    without_bom(text, |text| set(text, table, wanted, ours))
}

/// Whether `license` of a table says this.
pub fn has_license(text: &str, table: &str, says: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let said = leaves(text).map(|leaves| split(leaves, table).0);
    said.is_ok_and(|said| leaves_of(table, Some(says)) == Ok(said))
}

fn set(text: &str, table: &str, wanted: Option<&str>, ours: Option<&str>) -> EditResult {
    let (old, others) = split(leaves(text)?, table);
    let (new, ours) = (leaves_of(table, wanted)?, leaves_of(table, ours)?);
    if old == new || (wanted.is_none() && old != ours) {
        return Ok(Edited::AlreadyThere);
    }
    if !old.is_empty() && old != ours {
        let why = format!("the license in `[{table}]` is not one that rop wrote");
        return Err(CannotEdit::new(why));
    }
    let line = wanted.map(|wanted| format!("license{wanted}"));
    let changed = splice(text, table, line.as_deref());
    let changed = changed.ok_or_else(|| {
        CannotEdit::new(format!(
            "it has no `[{table}]` with one `key = value` a line"
        ))
    })?;
    match split(leaves(&changed)?, table) == (new, others) {
        true => Ok(Edited::Changed(changed)),
        false => Err(CannotEdit::unsafe_place()),
    }
}

/// The text with another line for the license, or without one.
fn splice(text: &str, table: &str, line: Option<&str>) -> Option<String> {
    let header = format!("[{table}]");
    let mut offset = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        offset += line.len();
        (offset - line.len(), line)
    });
    let mut section = lines.skip_while(|(_, line)| bare(line) != header);
    let (start, first) = section.next()?;
    // A new line comes behind the last one that has something.
    let mut end = start + first.len();
    let mut after = None;
    for (start, old) in section.take_while(|(_, line)| !line.trim_start().starts_with('[')) {
        let key = old.split(['=', '.']).next().unwrap_or_default().trim();
        let next = start + old.len();
        match (key, line) {
            ("license", None) if next == text.len() && !old.ends_with('\n') => {
                return Some(text[..start].trim_end_matches(['\r', '\n']).into());
            }
            ("license", None) => return Some(format!("{}{}", &text[..start], &text[next..])),
            ("license", Some(line)) => {
                let rest = &old[bare(old).len()..];
                return Some(format!("{}{line}{rest}{}", &text[..start], &text[next..]));
            }
            ("rust-version", _) => after = Some(next),
            _ if !bare(old).is_empty() => end = next,
            _ => {}
        }
    }
    Some(text::insert_lines(text, after.unwrap_or(end), line?))
}

/// A line without what follows its content.
fn bare(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim_end()
}

/// The path and the value of everything in a manifest.
type Leaves = Vec<(String, String)>;

fn leaves(text: &str) -> Result<Leaves, CannotEdit> {
    let document = text.parse::<DocumentMut>();
    let document = document.map_err(|_| CannotEdit::new("it is no TOML"))?;
    let mut found = Vec::new();
    collect(document.as_item(), "", &mut found);
    Ok(found)
}

fn collect(item: &Item, path: &str, found: &mut Leaves) {
    if let Some(table) = item.as_table_like() {
        for (key, item) in table.iter() {
            collect(item, &format!("{path}.{key}"), found);
        }
    } else if let Some(tables) = item.as_array_of_tables() {
        for (index, table) in tables.iter().enumerate() {
            let item = Item::Table(table.clone());
            collect(&item, &format!("{path}.{index}"), found);
        }
    } else if let Some(value) = item.as_value() {
        found.push((path.into(), plain(value)));
    }
}

fn plain(value: &Value) -> String {
    match value.as_str() {
        Some(text) => format!("{text:?}"),
        None => value.clone().decorated("", "").to_string(),
    }
}

/// What is about the license of a table, and all else. A license in a file counts as one.
fn split(leaves: Leaves, table: &str) -> (Leaves, Leaves) {
    let license = format!(".{table}.license");
    let is = |(path, _): &(String, String)| {
        let rest = path.strip_prefix(&license);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || rest == "-file")
    };
    leaves.into_iter().partition(is)
}

fn leaves_of(table: &str, says: Option<&str>) -> Result<Leaves, CannotEdit> {
    let leaves = says.map(|says| leaves(&format!("[{table}]\nlicense{says}\n")));
    leaves.unwrap_or_else(|| Ok(Vec::new()))
}
