//! Block YAML as Go's `sigs.k8s.io/yaml` prints it, so that generated files are byte for byte
//! what Kubernetes' own tools write.
//!
//! Three rules are our own, where the Go library damages its input: U+2028 and U+2029 are escaped,
//! so is every other control character (Go refuses some and loses others), and `<<` is quoted,
//! which as a key would merge mappings.

mod keys;
mod number;
mod resolve;

use serde_json::{Map, Value};

/// Lines longer than this many characters break at the next space, where there is one.
const WIDTH: usize = 80;
/// Keys with more bytes than this are written in the long form, `? key`.
const LONGEST_KEY: usize = 128;

/// The value as one YAML document, without `---`, ending in a line break.
pub fn to_string(value: &Value) -> String {
    let mut emitter = Emitter::default();
    emitter.node(value, None, false);
    emitter.line(0);
    emitter.text
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

#[derive(Default)]
struct Emitter {
    text: String,
    /// Characters in the current line.
    column: usize,
}

impl Emitter {
    /// Writes a node that belongs to a parent at that indentation, `after_key` or after one of the
    /// indicators `-`, `?` and `:`, in whose line it may begin.
    fn node(&mut self, value: &Value, parent: Option<usize>, after_key: bool) {
        let child = parent.map_or(0, |indent| indent + 2);
        match value {
            Value::Array(items) if !items.is_empty() => {
                // A list stands below its key, not right of it.
                let indent = if after_key { child - 2 } else { child };
                for (i, item) in items.iter().enumerate() {
                    self.start(indent, after_key || i > 0);
                    self.put('-');
                    self.node(item, Some(indent), false);
                }
            }
            Value::Object(map) if !map.is_empty() => self.mapping(map, child, after_key),
            _ => {
                if parent.is_some() {
                    self.put(' ');
                }
                self.leaf(value, parent.unwrap_or(0) + 2);
            }
        }
    }

    fn mapping(&mut self, map: &Map<String, Value>, indent: usize, after_key: bool) {
        for (i, (key, value)) in keys::sorted(map).into_iter().enumerate() {
            self.start(indent, after_key || i > 0);
            if key.len() > LONGEST_KEY || key.contains(is_break) {
                self.put_all("? ");
                self.scalar(key, Some(indent + 2));
                self.line(indent);
                self.put(':');
                self.node(value, Some(indent), false);
            } else {
                self.scalar(key, None);
                self.put(':');
                self.node(value, Some(indent), true);
            }
        }
    }

    fn leaf(&mut self, value: &Value, indent: usize) {
        match value {
            Value::String(text) => self.scalar(text, Some(indent)),
            Value::Number(n) => self.put_all(&number::to_string(n)),
            Value::Array(_) => self.put_all("[]"),
            Value::Object(_) => self.put_all("{}"),
            Value::Null | Value::Bool(_) => self.put_all(&value.to_string()),
        }
    }

    /// Writes a string; `indent` is that of further lines, none if it must stay in one.
    fn scalar(&mut self, text: &str, indent: Option<usize>) {
        match style(text) {
            Style::Plain => self.flow(text, None, indent),
            Style::Single => self.flow(text, Some('\''), indent),
            Style::Double => self.flow(text, Some('"'), indent),
            Style::Literal => self.literal(text, indent.unwrap_or(0)),
        }
    }

    fn flow(&mut self, text: &str, quote: Option<char>, indent: Option<usize>) {
        quote.inspect(|quote| self.put(*quote));
        // Nearly all texts are short and as they are.
        if quote != Some('"')
            && !(quote == Some('\'') && text.contains('\''))
            && self.column + text.len() <= WIDTH
        {
            self.put_all(text);
            quote.inspect(|quote| self.put(*quote));
            return;
        }
        let inside = 1..text.len().saturating_sub(1);
        let escape_all = text.starts_with('\u{feff}');
        let mut after_space = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let before_space = chars.peek().is_some_and(|(_, next)| *next == ' ');
            let breakable =
                c == ' ' && !after_space && !escape_all && (quote == Some('"') || !before_space);
            match indent {
                Some(indent) if breakable && self.column > WIDTH && inside.contains(&at) => {
                    self.line(indent);
                    if before_space {
                        self.put('\\');
                    }
                }
                _ if quote == Some('"') => self.put_all(&escaped(c, escape_all)),
                _ if quote == Some(c) => self.put_all("''"),
                _ => self.put(c),
            }
            after_space = c == ' ';
        }
        quote.inspect(|quote| self.put(*quote));
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.put('|');
        if text.starts_with([' ', '\n']) {
            self.put('2');
        }
        if !text.ends_with('\n') {
            self.put('-');
        } else if text == "\n" || text.ends_with("\n\n") {
            self.put('+');
        }
        self.put('\n');
        for line in text.split_inclusive('\n') {
            if line != "\n" {
                self.line(indent);
            }
            self.put_all(line);
        }
    }

    /// Goes to the place of a node: in a line of its own, or further right in this one.
    fn start(&mut self, indent: usize, own_line: bool) {
        if own_line && self.column > 0 {
            self.put('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
    }

    fn line(&mut self, indent: usize) {
        self.start(indent, true);
    }

    fn put_all(&mut self, text: &str) {
        self.text.push_str(text);
        let (before, last) = match text.rsplit_once('\n') {
            Some((_, last)) => (0, last),
            None => (self.column, text),
        };
        self.column = before + last.chars().count();
    }

    fn put(&mut self, c: char) {
        self.text.push(c);
        self.column = if c == '\n' { 0 } else { self.column + 1 };
    }
}

fn style(text: &str) -> Style {
    let escapes = !text.chars().all(is_printable);
    if text.contains('\n') {
        match escapes || text.contains(" \n") || text.ends_with(' ') {
            true => Style::Double,
            false => Style::Literal,
        }
    } else if escapes || !resolve::is_string(text) {
        Style::Double
    } else if text.starts_with(' ') || text.ends_with(' ') || has_indicator(text) {
        Style::Single
    } else {
        Style::Plain
    }
}

/// Whether a parser would take some of the text for punctuation.
fn has_indicator(text: &str) -> bool {
    const FIRST: &[char] = &[
        '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`',
    ];
    let rest = text.strip_prefix(['?', ':', '-']);
    text.starts_with(FIRST)
        || text.starts_with("---")
        || text.starts_with("...")
        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        || (text.contains(':') && text.contains(": "))
        || text.ends_with(':')
        || (text.contains('#') && text.contains(" #"))
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether the character may stand in a scalar as it is; those beyond U+FFFF may not.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}')
        && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn escaped(c: char, always: bool) -> String {
    let code = u32::from(c);
    match c {
        '\0' => r"\0".into(),
        '\x07' => r"\a".into(),
        '\x08' => r"\b".into(),
        '\t' => r"\t".into(),
        '\n' => r"\n".into(),
        '\x0b' => r"\v".into(),
        '\x0c' => r"\f".into(),
        '\r' => r"\r".into(),
        '\x1b' => r"\e".into(),
        '"' => "\\\"".into(),
        '\\' => r"\\".into(),
        '\u{85}' => r"\N".into(),
        '\u{a0}' if always => r"\_".into(),
        '\u{2028}' => r"\L".into(),
        '\u{2029}' => r"\P".into(),
        _ if is_printable(c) && !always => c.into(),
        _ if code <= 0xff => format!("\\x{code:02X}"),
        _ if code <= 0xffff => format!("\\u{code:04X}"),
        _ => format!("\\U{code:08X}"),
    }
}

#[cfg(test)]
mod tests;
