//! Lists under a top-level key of a kustomization.
mod before;
mod flow;
mod remove;

pub use before::add_item_before;
pub use remove::remove_item;

use std::ops::Range;

use serde_json::{Map, Value};

use super::order::{self, Neighbour, Place};
use super::{CannotEdit, EditResult, Edited, text, without_bom};
use crate::model::yaml::Fault;

/// Adds an item such as `bases/app.example.com_myapps.yaml` to the list under a top-level key.
///
/// With a `comment` such as `# For users.` the item goes to the section below that line; the line is
/// added at the end of the list if it is not there. A key that is not there is added at the end.
pub fn add_item(text: &str, key: &str, item: &str, comment: Option<&str>) -> EditResult {
    without_bom(text, |text| add(text, key, item, comment))
}

fn add(text: &str, key: &str, item: &str, comment: Option<&str>) -> EditResult {
    let mut expected = parse(text)?;
    let values = values(&expected, key)?;
    if values.iter().any(|value| is_same_file(value, item)) {
        return Ok(Edited::AlreadyThere);
    }
    let (index, new) = if expected.contains_key(key) {
        match List::find(text, key, &values) {
            Some(list) => list.insert(item, comment),
            None => return flow::append(text, key, item),
        }
    } else {
        let lines = [
            &format!("{key}:"),
            comment.unwrap_or_default(),
            &format!("- {item}"),
        ];
        let lines: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        (0, text::insert_lines(text, text.len(), &lines.join("\n")))
    };
    let mut values = values;
    values.insert(index, item.into());
    expected.insert(key.into(), values.into());
    if parse(&new).is_ok_and(|new| new == expected) {
        Ok(Edited::Changed(new))
    } else {
        Err(CannotEdit::unsafe_place())
    }
}

/// The one document of a file, as a map; nothing but comments is an empty one.
fn parse(text: &str) -> Result<Map<String, Value>, CannotEdit> {
    match serde_saphyr::from_str(text) {
        Ok(Value::Null) => Ok(Map::new()),
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(CannotEdit::new("it is not a YAML map")),
        Err(error) => {
            let Fault { place, what } = Fault::of(&error);
            let place = place.map(|(line, column)| format!("line {line}, column {column}: "));
            let place = place.unwrap_or_default();
            Err(CannotEdit(format!(
                "it is not one YAML document: {place}{what}"
            )))
        }
    }
}

/// The items of the list under a key.
fn values(map: &Map<String, Value>, key: &str) -> Result<Vec<Value>, CannotEdit> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(values)) => Ok(values.clone()),
        Some(_) => Err(CannotEdit::new(format!("`{key}` is not a list"))),
    }
}

/// kustomize takes `a.yaml` and `./a.yaml` for the same.
fn is_same_file(value: &Value, item: &str) -> bool {
    let plain = |path: &str| path.trim_start_matches("./").to_owned();
    value
        .as_str()
        .is_some_and(|value| plain(value) == plain(item))
}

/// A line with the offset of its start.
#[derive(Clone, Copy)]
struct Line<'a> {
    start: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn all(text: &'a str) -> Vec<Self> {
        let mut end = 0;
        let line = |text: &'a str| {
            end += text.len();
            Line {
                start: end - text.len(),
                text,
            }
        };
        text.split_inclusive('\n').map(line).collect()
    }

    fn end(self) -> usize {
        self.start + self.text.len()
    }

    fn indent(self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    fn is_item(self) -> bool {
        let rest = self.text.trim_start_matches(' ').strip_prefix('-');
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    }

    fn is_gap(self) -> bool {
        let text = self.text.trim();
        text.is_empty() || text.starts_with('#')
    }
}

/// An item of the list: its value, and its lines as indices.
struct Element {
    name: String,
    first: usize,
    last: usize,
}

struct List<'a> {
    text: &'a str,
    lines: Vec<Line<'a>>,
    /// Index of the line of the key.
    key: usize,
    elements: Vec<Element>,
    /// Index of the first line after the list and the comments below it.
    end: usize,
    /// Where `[]` or `null` stands.
    nothing: Option<Range<usize>>,
}

impl<'a> List<'a> {
    /// The list, if it is written as one `- item` a line or as nothing at all.
    fn find(text: &'a str, key: &str, values: &[Value]) -> Option<Self> {
        let lines = Line::all(text);
        let rest = |line: &Line<'a>| {
            let rest = line.text.strip_prefix(key)?.strip_prefix(':')?;
            let is_key = rest.is_empty() || rest.starts_with(char::is_whitespace);
            is_key.then_some(rest)
        };
        let mut keys = (0..lines.len()).filter(|&i| rest(&lines[i]).is_some());
        let (Some(key), None) = (keys.next(), keys.next()) else {
            return None;
        };
        let rest = rest(&lines[key])?;
        let value = rest.split(" #").next().unwrap_or_default().trim();
        let nothing = match value {
            "[]" | "null" | "~" if values.is_empty() => {
                let end = lines[key].end() - rest.len() + rest.find(value)? + value.len();
                Some(end - value.len()..end)
            }
            _ if value.is_empty() || value.starts_with('#') => None,
            _ => return None,
        };
        let (elements, end) = elements(&lines, key, values);
        // A value of another shape may stand below its key.
        let is_other = lines.get(end).is_some_and(|line| line.indent() > 0);
        (elements.len() == values.len() && !is_other).then_some(Self {
            text,
            lines,
            key,
            elements,
            end,
            nothing,
        })
    }

    /// The index of the new item, and the new text.
    fn insert(&self, item: &str, comment: Option<&str>) -> (usize, String) {
        let heading = comment.map(|comment| {
            let mut lines = self.key + 1..self.end;
            lines.find(|&line| self.lines[line].text.trim() == comment)
        });
        let (index, after) = match heading {
            None => self.place(item, 0..self.elements.len(), self.key),
            Some(Some(heading)) => self.place(item, self.section(heading), heading),
            Some(None) => {
                let last = self.elements.last().map_or(self.key, |last| last.last);
                (self.elements.len(), last)
            }
        };
        let line = format!("- {item}");
        let new = match (heading, comment) {
            (Some(None), Some(comment)) => self.insert_after(after, &[comment, &line]),
            _ => self.insert_after(after, &[&line]),
        };
        (index, new)
    }

    /// The items directly below a line.
    fn section(&self, heading: usize) -> Range<usize> {
        let start = self
            .elements
            .partition_point(|element| element.first < heading);
        let (mut end, mut line) = (start, heading);
        while let Some(element) = self.elements.get(end)
            && element.first == line + 1
        {
            (end, line) = (end + 1, element.last);
        }
        start..end
    }

    /// The index of the new item among these, and the line that it follows.
    fn place(&self, item: &str, section: Range<usize>, heading: usize) -> (usize, usize) {
        let start = section.start;
        let elements = &self.elements[section];
        let neighbour = |i: usize| Neighbour {
            name: elements[i].name.clone(),
            starts_section: i > 0 && elements[i].first > elements[i - 1].last + 1,
        };
        let neighbours: Vec<_> = (0..elements.len()).map(neighbour).collect();
        let place = order::place(item, &neighbours, &[order::by_bytes]);
        let after = match place {
            Place::After(previous) => elements[previous].last,
            _ => elements
                .get(place.index())
                .map_or(heading, |next| next.first - 1),
        };
        (start + place.index(), after)
    }

    fn insert_after(&self, line: usize, new: &[&str]) -> String {
        let indent = match self.elements.first() {
            Some(element) => text::indent(self.text, self.lines[element.first].start),
            None => "",
        };
        let new: Vec<_> = new.iter().map(|line| format!("{indent}{line}")).collect();
        let new = text::insert_lines(self.text, self.lines[line].end(), &new.join("\n"));
        match &self.nothing {
            None => new,
            Some(nothing) => {
                let key = new[..nothing.start].trim_end();
                format!("{key}{}", &new[nothing.end..])
            }
        }
    }
}

/// The items below a key, and the index of the first line that is no longer the list's.
fn elements(lines: &[Line<'_>], key: usize, values: &[Value]) -> (Vec<Element>, usize) {
    let mut elements: Vec<Element> = Vec::new();
    let mut indent = None;
    for (i, line) in lines.iter().enumerate().skip(key + 1) {
        if line.is_gap() {
            continue;
        }
        if line.is_item() && indent.is_none_or(|indent| indent == line.indent()) {
            indent = Some(line.indent());
            let value = values.get(elements.len());
            let name = value.map(|value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            });
            elements.push(Element {
                name: name.unwrap_or_default(),
                first: i,
                last: i,
            });
        } else if let Some(last) = elements.last_mut()
            && indent.is_some_and(|indent| line.indent() > indent)
        {
            last.last = i;
        } else {
            return (elements, i);
        }
    }
    (elements, lines.len())
}
