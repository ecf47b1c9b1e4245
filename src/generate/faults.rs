//! Faults in sources: all of a run are collected and reported together.
use crate::error::Error;
use std::fmt;

/// Something at a place in a source file; shown as `path:line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) path: String,
    pub(crate) position: Position,
    pub(crate) message: String,
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

/// One error of them all, one a line.
pub(crate) fn error(faults: &[Fault]) -> Error {
    Error::failed(lines(faults).join("\n"))
}

pub(crate) fn lines(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::to_string).collect()
}
