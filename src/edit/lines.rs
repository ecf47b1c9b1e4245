//! Files that are a set of lines, such as `.gitignore`.
use super::{Edited, text};

/// Appends each of these lines that the file does not have yet; white space at their end does not
/// count. What the file takes out with `!`, itself or a part of it, would be in again: it stays out.
pub fn append(text: &str, lines: &[&str]) -> Edited {
    let old = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_there = |line: &str| old.lines().any(|old| old.trim_end() == line.trim_end());
    let mut new = String::from(text);
    for (i, line) in lines.iter().enumerate() {
        if is_there(line) || lines[..i].contains(line) || is_taken_out(old, line) {
            continue;
        }
        let eol = text::line_end_style(text, text.len());
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

/// Whether a pattern such as `!.vscode/settings.json` or `!test.kubeconfig` is about this line.
fn is_taken_out(text: &str, line: &str) -> bool {
    let path = line.trim_matches('/');
    let mut negated = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('!'));
    negated.any(|negated| {
        let negated = negated.trim_matches('/');
        match path.strip_prefix('*') {
            Some(ending) => negated.ends_with(ending),
            None => {
                let rest = negated.strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
        }
    })
}
