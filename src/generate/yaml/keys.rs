//! The order of keys: by words and numbers, so that `v2` comes before `v10`.
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// The entries of a mapping in the order in which Go's YAML library prints them.
pub(super) fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    if entries.iter().all(|(key, _)| is_simple(key)) {
        return entries;
    }
    // That order has cycles (15a < 16 < 150 < 15a), for which the standard library's sort may panic.
    let mut sorted: Vec<(&String, &Value)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let at = sorted.partition_point(|(key, _)| compare(key, entry.0).is_le());
        sorted.insert(at, entry);
    }
    sorted
}

/// Whether the key has its place by bytes: nearly all of Kubernetes' keys have.
fn is_simple(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn compare(a: &str, b: &str) -> Ordering {
    let same: usize = a
        .chars()
        .zip(b.chars())
        .take_while(|(a, b)| a == b)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let (head, a, b) = (&a[..same], &a[same..], &b[same..]);
    let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) else {
        return a.len().cmp(&b.len());
    };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => x.cmp(&y),
        (x, y) if x != y => x.cmp(&y),
        _ => compare_numbers(head, a, b).then(x.cmp(&y)),
    }
}

/// Compares the numbers that begin or, with digits at the end of the common head, go on here:
/// by value, then by length.
fn compare_numbers(head: &str, a: &str, b: &str) -> Ordering {
    let (a, b) = (digits(a), digits(b));
    let mut before = head.chars().rev().take_while(char::is_ascii_digit);
    let goes_on = (a.starts_with('0') || b.starts_with('0')) && before.any(|c| c != '0');
    let value = |digits: &str| {
        let digits = match goes_on {
            true => digits,
            false => digits.trim_start_matches('0'),
        };
        (digits.len(), digits.to_owned())
    };
    value(a).cmp(&value(b)).then(a.len().cmp(&b.len()))
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}
