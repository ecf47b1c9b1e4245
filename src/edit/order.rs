//! Where a new item goes among those that are there.
use std::cmp::{Ordering, Reverse};

/// An order that a list may be sorted by.
pub(super) type Order = fn(&str, &str) -> Ordering;

/// An item that is there: its name, and whether a comment or an empty line sets it off.
pub(super) struct Neighbour {
    pub(super) name: String,
    pub(super) starts_section: bool,
}

/// The place of a new item; indices are those of the items that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the first item and the comments above it.
    Top,
    /// Directly before this item, under the comments above it.
    Before(usize),
    /// Directly after this item.
    After(usize),
}

impl Place {
    /// The index that the new item will have.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Top => 0,
            Self::Before(next) => next,
            Self::After(previous) => previous + 1,
        }
    }
}

/// The sorted place if the list, or its last section, is sorted by one of these orders, else the end.
pub(super) fn place(new: &str, items: &[Neighbour], orders: &[Order]) -> Place {
    let last_section = items.iter().rposition(|item| item.starts_section);
    for start in [0, last_section.unwrap_or(0)] {
        let items = &items[start..];
        let sorted = |order: &&Order| items.is_sorted_by(|a, b| order(&a.name, &b.name).is_le());
        if let Some(order) = orders.iter().find(sorted) {
            let before = items.partition_point(|item| order(&item.name, new).is_le());
            return match (start, before) {
                (0, 0) => Place::Top,
                (_, 0) => Place::Before(start),
                _ => Place::After(start + before - 1),
            };
        }
    }
    Place::After(items.len() - 1)
}

/// Byte for byte.
pub(super) fn by_bytes(a: &str, b: &str) -> Ordering {
    a.cmp(b)
}

/// Segment by segment of a path, in rustfmt's version sort: `v1`, `v1alpha1`, `v2`, `v10`.
pub(super) fn by_path(a: &str, b: &str) -> Ordering {
    a.split("::").map(segment).cmp(b.split("::").map(segment))
}

/// Segments of a path in the order of rustfmt's imports.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Segment<'a> {
    SelfModule,
    Super,
    Crate,
    Name(Version<'a>),
    Glob,
    List(&'a str),
}

fn segment(text: &str) -> Segment<'_> {
    match text {
        "self" => Segment::SelfModule,
        "super" => Segment::Super,
        "crate" => Segment::Crate,
        "*" => Segment::Glob,
        _ if text.starts_with('{') => Segment::List(text),
        _ => Segment::Name(version(text.trim_start_matches("r#"))),
    }
}

/// Key of the version sort of Rust's style guide; of equal numbers the one with more zeros is first.
type Version<'a> = (Vec<Chunk<'a>>, Vec<Reverse<usize>>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Chunk<'a> {
    Underscore,
    /// Digits without leading zeros, after their number.
    Number(usize, &'a str),
    Text(&'a str),
}

fn version(mut text: &str) -> Version<'_> {
    let (mut chunks, mut zeros) = (Vec::new(), Vec::new());
    while let Some(first) = text.chars().next() {
        let is_digit = |c: char| c.is_ascii_digit();
        let end = match first {
            '_' => Some(1),
            _ if is_digit(first) => text.find(|c| !is_digit(c)),
            _ => text.find(|c| c == '_' || is_digit(c)),
        };
        let (chunk, rest) = text.split_at(end.unwrap_or(text.len()));
        chunks.push(match first {
            '_' => Chunk::Underscore,
            _ if is_digit(first) => {
                let digits = chunk.trim_start_matches('0');
                zeros.push(Reverse(chunk.len() - digits.len()));
                Chunk::Number(digits.len(), digits)
            }
            _ => Chunk::Text(chunk),
        });
        text = rest;
    }
    (chunks, zeros)
}
