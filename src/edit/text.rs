//! Lines of a text, by byte offset.

/// How lines end around this offset: as the one before it does, or else the next one.
pub(super) fn line_end_style(text: &str, offset: usize) -> &'static str {
    let (before, after) = text.split_at(offset);
    let newline = before
        .rfind('\n')
        .or_else(|| Some(offset + after.find('\n')?));
    match newline {
        Some(newline) if text[..newline].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Start of the line that holds this offset.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Start of the line after the one that holds this offset, or the end of the text.
pub(super) fn next_line(text: &str, offset: usize) -> usize {
    let newline = text[offset..].find('\n');
    newline.map_or(text.len(), |newline| offset + newline + 1)
}

/// The white space that the line of this offset begins with.
pub(super) fn indent(text: &str, offset: usize) -> &str {
    let line = &text[line_start(text, offset)..];
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    &line[..end]
}

/// Whether nothing but white space stands before this offset on its line.
pub(super) fn is_first_on_line(text: &str, offset: usize) -> bool {
    text[line_start(text, offset)..offset].trim().is_empty()
}

/// Whether an empty line begins at this offset.
pub(super) fn is_blank_line(text: &str, offset: usize) -> bool {
    text[offset..next_line(text, offset)].trim().is_empty()
}

/// Puts lines (written with `\n`, without the last one) where a line starts, or at the end of the text.
pub(super) fn insert_lines(text: &str, offset: usize, lines: &str) -> String {
    let eol = line_end_style(text, offset);
    let (before, after) = text.split_at(offset);
    let lines = lines.replace('\n', eol);
    if before.is_empty() || before.ends_with('\n') {
        format!("{before}{lines}{eol}{after}")
    } else {
        format!("{before}{eol}{lines}{after}")
    }
}

/// Start of the block of `//` lines above the line of this offset, or of that line: a comment that
/// the file begins with belongs to the file.
pub(super) fn above_comments(text: &str, offset: usize) -> usize {
    let line = line_start(text, offset);
    let mut start = line;
    while start > 0 {
        let above = line_start(text, start - 1);
        if !is_comment(&text[above..start]) {
            return start;
        }
        start = above;
    }
    line
}

/// Whether the last line is a `//` comment.
pub(super) fn ends_with_comment(text: &str) -> bool {
    text.lines().next_back().is_some_and(is_comment)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("//") && !line.starts_with("//!")
}

/// What stands between quotes, in TOML as programs write it: without escapes.
pub(crate) fn quoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = inner.bytes().all(|byte| !matches!(byte, b'"' | b'\\'));
    is_plain.then_some(inner)
}
