//! The grammar of marker arguments: controller-gen's, which reads them with Go's scanner.
//!
//! It is stricter in what controller-gen takes without a word and hardly as meant: an argument
//! given twice, and an empty item in a list.
use std::collections::BTreeMap;

/// An argument that a marker knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) mandatory: bool,
}

/// What values an argument takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Integer,
    Text,
    List,
}

impl Argument {
    /// Its name, what values it takes, and whether it is mandatory.
    pub(super) fn shown(&self) -> (&'static str, &'static str, bool) {
        let kind = match self.kind {
            Kind::Bool => "bool",
            Kind::Integer => "integer",
            Kind::Text => "string",
            Kind::List => "list",
        };
        (self.name, kind, self.mandatory)
    }
}

/// The values by argument; those that are not a list have one item.
pub(super) type Values = BTreeMap<&'static str, Vec<String>>;

/// What is wrong, and how many bytes into the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) offset: usize,
    pub(super) message: String,
}

/// Reads `name=value,…`.
pub(super) fn parse(text: &str, known: &[Argument]) -> Result<Values, Wrong> {
    let mut scanner = Scanner { text, at: 0 };
    let mut values = Values::new();
    while !text.is_empty() {
        scanner.argument(known, &mut values)?;
        match scanner.peek() {
            None => break,
            Some(',') => scanner.next(),
            Some(_) => return scanner.wrong("expected `,` before the next argument"),
        }
    }
    let missing = known
        .iter()
        .find(|argument| argument.mandatory && !values.contains_key(argument.name));
    match missing {
        Some(argument) => scanner.wrong(format!("the argument `{}` is missing", argument.name)),
        None => Ok(values),
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong {
            offset: self.at,
            message: message.into(),
        })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character but blanks.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest().trim_start_matches([' ', '\t', '\r', '\n']);
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn next(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    fn argument(&mut self, known: &[Argument], values: &mut Values) -> Result<(), Wrong> {
        let (start, name) = (self.peek().map(|_| self.at), self.name());
        let start = start.unwrap_or(self.at);
        if name.is_empty() {
            return self.wrong("expected an argument such as `verbs=get;list`");
        }
        let argument = known.iter().find(|argument| argument.name == name);
        match (self.peek(), argument) {
            (Some('='), Some(_)) => self.next(),
            (Some('='), None) => {
                self.at = start;
                return self.wrong(unknown(name, known));
            }
            _ if start > 0 && argument.is_none() => {
                self.at = start;
                return self.wrong(format!(
                    "expected an argument, got `{name}`; the items of a list are separated by `;`"
                ));
            }
            _ => return self.wrong(format!("expected `=` after `{name}`")),
        }
        let Some(argument) = argument else {
            return Ok(());
        };
        let value = self.value(argument)?;
        if values.insert(argument.name, value).is_some() {
            self.at = start;
            return self.wrong(format!(
                "`{name}` is given twice; the items of a list are separated by `;`"
            ));
        }
        Ok(())
    }

    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let name = &rest[..end];
        if name.starts_with(|c: char| c.is_numeric()) {
            return "";
        }
        self.at += end;
        name
    }

    fn value(&mut self, argument: &Argument) -> Result<Vec<String>, Wrong> {
        self.peek();
        let start = self.at;
        let (wanted, right): (_, fn(&str) -> bool) = match argument.kind {
            Kind::List => return self.list(),
            // An empty value at the very end is no value.
            Kind::Text if self.rest().is_empty() => return Ok(vec![String::new()]),
            Kind::Text => return Ok(vec![self.item()?]),
            Kind::Bool => ("`true` or `false`", |text| matches!(text, "true" | "false")),
            Kind::Integer => ("an integer", |text| text.parse::<i32>().is_ok()),
        };
        let value = self.bare()?;
        if right(value) {
            return Ok(vec![value.to_owned()]);
        }
        self.at = start;
        self.wrong(format!("`{}` wants {wanted}", argument.name))
    }

    /// `{a,b}` or `a;b`; the last separator may be followed by nothing.
    fn list(&mut self) -> Result<Vec<String>, Wrong> {
        let (separator, braces) = match self.peek() {
            Some('{') => (',', true),
            _ => (';', false),
        };
        if braces {
            self.next();
        }
        let mut items = Vec::new();
        loop {
            match self.peek() {
                Some('}') if braces => {
                    self.next();
                    return Ok(items);
                }
                None if braces => return self.wrong("the list is not closed by `}`"),
                None | Some(',' | '}') if !braces => return Ok(items),
                _ => items.push(self.item()?),
            }
            match self.peek() {
                Some(c) if c == separator => self.next(),
                None | Some('}') => {}
                Some(',') if !braces => {}
                Some(_) => {
                    return self.wrong(format!(
                        "expected `{separator}` between the items of a list"
                    ));
                }
            }
        }
    }

    fn item(&mut self) -> Result<String, Wrong> {
        match self.peek() {
            Some('"' | '`') => self.quoted(),
            Some(',' | ';' | '}') | None => self.wrong("expected a value"),
            Some(_) => self.bare().map(str::to_owned),
        }
    }

    /// Everything up to the next `,`, `;` or `}` that is not in quotes, without blanks behind it.
    fn bare(&mut self) -> Result<&'a str, Wrong> {
        let start = self.at;
        let mut end = start;
        loop {
            match self.peek() {
                None | Some(',' | ';' | '}') => break,
                Some('"' | '`') => drop(self.quoted()?),
                Some(_) => self.next(),
            }
            end = self.at;
        }
        Ok(&self.text[start..end])
    }

    fn quoted(&mut self) -> Result<String, Wrong> {
        let rest = self.rest();
        if let Some(raw) = rest.strip_prefix('`') {
            let Some(end) = raw.find('`') else {
                return self.wrong("the quote is not closed");
            };
            self.at += end + 2;
            return Ok(raw[..end].to_owned());
        }
        let mut bytes = Vec::new();
        let start = self.at;
        self.at += 1;
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                None => {
                    self.at = start;
                    return self.wrong("the quote is not closed");
                }
                Some('"') => break self.at += 1,
                Some('\\') => {
                    let Some((value, length)) = escape(&rest[1..]) else {
                        return self.wrong("this is no escape sequence of Go");
                    };
                    bytes.extend(value);
                    self.at += 1 + length;
                }
                Some(c) => {
                    bytes.extend(c.to_string().bytes());
                    self.at += c.len_utf8();
                }
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What Go's escape sequence at the start of a text, behind its backslash, means; and its length.
fn escape(text: &str) -> Option<(Vec<u8>, usize)> {
    let number = |from: usize, length: usize, radix: u32| {
        let digits = text.get(from..from + length)?;
        let only_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        only_digits.then(|| u32::from_str_radix(digits, radix).ok())?
    };
    let byte = |value: u32| u8::try_from(value).ok().map(|byte| vec![byte]);
    let c = |value: u32| char::from_u32(value).map(|c| c.to_string().into_bytes());
    Some(match text.bytes().next()? {
        b'a' => (vec![0x07], 1),
        b'b' => (vec![0x08], 1),
        b'f' => (vec![0x0c], 1),
        b'n' => (vec![b'\n'], 1),
        b'r' => (vec![b'\r'], 1),
        b't' => (vec![b'\t'], 1),
        b'v' => (vec![0x0b], 1),
        quote @ (b'\\' | b'"') => (vec![quote], 1),
        b'0'..=b'7' => (byte(number(0, 3, 8)?)?, 3),
        b'x' => (byte(number(1, 2, 16)?)?, 3),
        b'u' => (c(number(1, 4, 16)?)?, 5),
        b'U' => (c(number(1, 8, 16)?)?, 9),
        _ => return None,
    })
}

fn unknown(name: &str, known: &[Argument]) -> String {
    let names = known.iter().map(|argument| argument.name);
    match super::known::nearest(name, names.clone()) {
        Some(near) => format!("unknown argument `{name}`; did you mean `{near}`?"),
        None => format!(
            "unknown argument `{name}`; known are {}",
            names.collect::<Vec<_>>().join(", ")
        ),
    }
}
