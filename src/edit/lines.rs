//! Files that are a set of lines, such as `.gitignore`.
use super::{Edited, text};

/// Appends each of these lines that the file does not have yet; white space at their end does not count.
pub fn append(text: &str, lines: &[&str]) -> Edited {
    let old = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_there = |line: &str| old.lines().any(|old| old.trim_end() == line.trim_end());
    let mut new = String::from(text);
    for (i, line) in lines.iter().enumerate() {
        if is_there(line) || lines[..i].contains(line) {
            continue;
        }
        let eol = text::line_end_style(text);
        if !new.is_empty() && !new.ends_with('\n') {
            new += eol;
        }
        new = new + line + eol;
    }
    if new == text {
        Edited::AlreadyThere
    } else {
        Edited::Changed(new)
    }
}
