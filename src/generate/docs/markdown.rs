//! Texts of CRDs as Markdown. Their Markdown stays what it is; HTML becomes text, and nothing breaks
//! out of the cell of a table.

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "));
    numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

/// A description in one line: paragraphs and items of lists begin in new lines of their cell.
pub(super) fn line(text: &str) -> String {
    let mut joined = String::new();
    let mut blank = false;
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            blank = !joined.is_empty();
            continue;
        }
        if blank {
            joined.push_str("\n\n");
        } else if is_item(line) && !joined.is_empty() {
            joined.push('\n');
        } else if !joined.is_empty() {
            joined.push(' ');
        }
        blank = false;
        joined.push_str(line);
    }
    inline(&joined)
}

/// Text with spans of code, which are kept.
fn inline(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let (before, ticks) = rest.split_at(at);
        shown.push_str(&escaped(before));
        let length = ticks.len() - ticks.trim_start_matches('`').len();
        let (fence, inside) = ticks.split_at(length);
        match closing(inside, length) {
            Some(end) => {
                shown.push_str(&code(inside[..end].trim_matches(' ')));
                rest = &inside[end + length..];
            }
            None => {
                shown.push_str(&entities(fence));
                rest = inside;
            }
        }
    }
    shown + &escaped(rest)
}

/// Where a run of exactly so many backticks is.
fn closing(text: &str, length: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == length {
            return Some(start);
        }
        at = start + run;
    }
    None
}

/// Text without HTML and without ends of cells.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek();
        // Before these a backslash would make text of what stands for them.
        let loose = next.is_none_or(|next| "<>&|\n".contains(*next));
        match c {
            '\n' => shown.push_str("<br>"),
            '\\' if loose => shown.push_str(&entity(c)),
            '<' | '>' | '&' | '|' => shown.push_str(&entity(c)),
            c if c.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            c => shown.push(c),
        }
    }
    shown
}

/// A value as code.
pub(super) fn code(text: &str) -> String {
    let plain = |c: char| !c.is_control() && c != '`' && c != '|';
    match text.trim_matches(' ') {
        inside if inside.len() == text.len() && !text.is_empty() && text.chars().all(plain) => {
            format!("`{text}`")
        }
        _ => format!("<code>{}</code>", entities(text)),
    }
}

/// Text in which no character means anything to Markdown, within a line.
pub(super) fn entities(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            c if "\\`*_[]<>&|~#$".contains(c) => shown.push_str(&entity(c)),
            '\n' => shown.push_str("<br>"),
            '\t' => shown.push(' '),
            c if c.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            c => shown.push(c),
        }
    }
    shown
}

fn entity(c: char) -> String {
    format!("&#{};", u32::from(c))
}

/// A table of these columns.
pub(super) fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells = cells.iter().map(|cell| match cell.as_str() {
            "" => " |".to_owned(),
            cell => format!(" {cell} |"),
        });
        format!("|{}\n", cells.collect::<String>())
    };
    let head: Vec<_> = columns.iter().map(|name| (*name).to_owned()).collect();
    let mut text = line(&head);
    text.push_str(&format!("|{}\n", "---|".repeat(columns.len())));
    for row in rows {
        text.push_str(&line(&row));
    }
    text.push('\n');
    text
}
