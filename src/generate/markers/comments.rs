//! Finds line comments in Rust source text.

/// A line comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comment<'a> {
    /// Offset of the text in the source.
    pub(super) offset: usize,
    /// What follows the leader (`//`, `///` or `//!`), without blanks around it.
    pub(super) text: &'a str,
    /// Whether it is documentation.
    pub(super) doc: bool,
}

/// Whether [`markers`] might find something, told without looking where literals end: one that is
/// not closed must not hide a marker.
pub(super) fn may_hold_marker(source: &str) -> bool {
    source.match_indices('+').any(|(at, _)| {
        let before = source[..at].trim_end();
        before.ends_with("//") || before.ends_with("//!")
    })
}

/// The line comments whose text starts with `+`, in one pass over the bytes. Block comments and
/// literals are skipped; what does not lex gives the comments that can be told.
pub(super) fn markers(source: &str) -> Vec<Comment<'_>> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = shebang(source);
    while at < bytes.len() {
        at = match &bytes[at..] {
            [b'/', b'/', ..] => {
                let end = find(bytes, at, b'\n');
                found.extend(marker(source, at, end));
                end
            }
            [b'/', b'*', ..] => after_block(bytes, at),
            [b'"', ..] => after_quoted(bytes, at + 1, b'"'),
            [b'\'', ..] => after_quote(source, at),
            [byte, ..] if is_name(*byte) => after_name(bytes, at),
            _ => at + 1,
        };
    }
    found
}

fn marker(source: &str, start: usize, end: usize) -> Option<Comment<'_>> {
    let comment = &source[start..end];
    let inner = comment.starts_with("//!");
    let doc = inner || comment.starts_with("///") && !comment.starts_with("////");
    let text = comment[if doc { 3 } else { 2 }..].trim();
    let offset = end - comment.len() + comment.find(text)?;
    text.starts_with('+')
        .then_some(Comment { offset, text, doc })
}

/// The length of a first line such as `#!/usr/bin/env …`; `#![…]` is an attribute.
pub(super) fn shebang(source: &str) -> usize {
    match source.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => find(source.as_bytes(), 0, b'\n'),
        _ => 0,
    }
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let distance = rest.iter().position(|byte| *byte == wanted);
    from + distance.unwrap_or(rest.len())
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Block comments nest.
fn after_block(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

/// The end of a literal with escapes, from behind its opening quote.
fn after_quoted(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A quote begins a character or a lifetime.
fn after_quote(source: &str, at: usize) -> usize {
    let rest = &source[at + 1..];
    let Some(c) = rest.chars().next() else {
        return source.len();
    };
    match rest[c.len_utf8()..].starts_with('\'') {
        _ if c == '\\' => after_quoted(source.as_bytes(), at + 1, b'\''),
        true => at + 1 + c.len_utf8() + 1,
        false => at + 1,
    }
}

/// A name or a number, and the raw string that `r`, `br` or `cr` may begin.
fn after_name(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let length = rest.iter().position(|byte| !is_name(*byte));
    let end = start + length.unwrap_or(rest.len());
    if !matches!(&bytes[start..end], b"r" | b"br" | b"cr") {
        return end;
    }
    let hashes = bytes[end..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    let mut at = end + hashes;
    if bytes.get(at) != Some(&b'"') {
        return end;
    }
    loop {
        at = find(bytes, at + 1, b'"');
        let closing = bytes.get(at + 1..at + 1 + hashes);
        match closing {
            Some(closing) if closing.iter().all(|byte| *byte == b'#') => return at + 1 + hashes,
            Some(_) => {}
            None => return bytes.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        let found = markers(source);
        assert!(found.is_empty() || may_hold_marker(source));
        for comment in &found {
            assert!(source[comment.offset..].starts_with(comment.text));
        }
        found.into_iter().map(|comment| comment.text).collect()
    }

    #[test]
    fn leaders() {
        let source =
            "//+a\n//  +b \r\n/// +c\n//! +d\n//// +e\n/// // +f\n// x +g\nfn f() {} // +h";
        assert_eq!(texts(source), ["+a", "+b", "+c", "+d", "+h"]);
        let docs: Vec<_> = markers(source).iter().map(|comment| comment.doc).collect();
        assert_eq!(docs, [false, false, true, true, false]);
    }

    #[test]
    fn not_in_block_comments() {
        assert_eq!(
            texts("/* // +a\n /* */ // +b\n */ // +c\n/** // +d */\n/*"),
            ["+c"]
        );
        assert_eq!(texts("/*/ // +a\n*/ // +b"), ["+b"]);
    }

    #[test]
    fn not_in_literals() {
        for literal in [
            r#""// +a""#,
            r#""\"// +a""#,
            r#""\\""#,
            "\"\n// +a\n\"",
            r##"r#"" // +a"#"##,
            r###"r##"// +a"# // +a"##"###,
            "r\"// +a\\\"",
            "b\"// +a\"",
            "br#\"\"// +a\"#",
            "c\"// +a\"",
            "cr#\"\"// +a\"#",
            "'\"'",
            "b'\"'",
            r"'\''",
            r"b'\\'",
            r"'\u{22}'",
            "'é'",
            "r#type",
            "for<'a> &'a str",
            "'r#a",
            "1u8",
            "x_r\"// +a\"",
        ] {
            let source = format!("f({literal}); // +b\nx('a', '\"'); // +c");
            assert_eq!(texts(&source), ["+b", "+c"], "{literal}");
        }
    }

    #[test]
    fn a_literal_that_is_not_closed_hides_nothing() {
        for source in ["f(\" // +a", "/* //! \t+a", "'\\ ///\u{a0}+a"] {
            assert!(may_hold_marker(source) && texts(source).is_empty());
        }
        for source in ["a + b", "// a + b", "/ / + b", "//", "+", "/*+a"] {
            assert!(!may_hold_marker(source), "{source}");
        }
    }

    #[test]
    fn shebang_is_skipped() {
        assert_eq!(texts("#!/bin/x 'it's \"\n// +a"), ["+a"]);
        assert_eq!(texts("#![allow(x)] // +a"), ["+a"]);
    }

    #[test]
    fn text_that_ends_early() {
        for source in [
            "\"", "'", "'\\", "r#\"", "r#", "\"\\", "/*", "//", "b'", "r##\"\"#",
        ] {
            assert!(texts(source).is_empty());
        }
    }
}
