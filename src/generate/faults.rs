//! Faults in sources: all of a run are collected and reported together.
use crate::error::Error;
use std::fmt;

/// Something at a place in a source file; shown as `path:line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) path: String,
    pub(crate) position: Position,
    pub(crate) message: String,
    /// The line of the source.
    pub(crate) line: String,
}

impl Fault {
    /// A fault at this byte of a text.
    pub(crate) fn at(path: &str, text: &str, offset: usize, message: String) -> Self {
        Self {
            path: path.to_owned(),
            position: Position::of(text, offset),
            message,
            line: line(text, offset).to_owned(),
        }
    }

    /// The line with what is wrong underlined, below the message.
    fn shown(&self) -> String {
        let clean = |c: char| match c {
            '\t' => ' ',
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        };
        let line: String = self.line.trim_end().chars().map(clean).collect();
        let before = self.position.column - 1;
        let rest: Vec<char> = line.chars().skip(before).collect();
        let ends: &[char] = match rest.first() {
            Some('+') => &[' ', '='],
            _ => &[' ', ',', ';', '=', '{', '}', '(', ')'],
        };
        let width = rest.iter().position(|c| ends.contains(c));
        let marks = "^".repeat(width.unwrap_or(rest.len()).max(1));
        format!("{self}\n    | {line}\n    | {}{marks}", " ".repeat(before))
    }
}

/// The line around a byte.
pub(crate) fn line(text: &str, offset: usize) -> &str {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let (before, after) = text.split_at(offset.unwrap_or_default());
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |at| before.len() + at);
    &text[start..end]
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "{}:{line}:{column}: {}", self.path, self.message)
    }
}

/// A place in a text: both count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Position {
    /// The place of a byte.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// One error of them all, each with its line.
pub(crate) fn error(faults: &[Fault]) -> Error {
    let shown: Vec<_> = faults.iter().map(Fault::shown).collect();
    Error::failed(shown.join("\n"))
}

/// A text of each, with its line.
pub(crate) fn lines(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::shown).collect()
}
