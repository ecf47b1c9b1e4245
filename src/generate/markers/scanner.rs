//! The words of marker arguments, as Go's scanner tells them apart.
use super::arguments::Wrong;

/// A text, and how far it is read.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong {
            offset: self.at,
            message: message.into(),
        })
    }

    /// The items of `{a,b}` or `a;b`, as `read` reads each, which is told whether there are braces; the
    /// last separator may be followed by nothing.
    pub(super) fn items<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, bool) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let braces = self.peek() == Some('{');
        let separator = if braces { ',' } else { ';' };
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
                _ => items.push(read(self, braces)?),
            }
            match self.peek() {
                Some(c) if c == separator => self.next(),
                None | Some('}') => {}
                Some(',') if !braces => {}
                Some(_) => {
                    let what = format!("expected `{separator}` between the items of a list");
                    return self.wrong(what);
                }
            }
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character but blanks.
    pub(super) fn peek(&mut self) -> Option<char> {
        let rest = self.rest().trim_start_matches([' ', '\t', '\r', '\n']);
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    pub(super) fn next(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    /// An identifier, or nothing.
    pub(super) fn name(&mut self) -> &'a str {
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

    /// A value in quotes, or a bare one.
    pub(super) fn item(&mut self) -> Result<String, Wrong> {
        match self.peek() {
            Some('"' | '`') => self.quoted(),
            Some(',' | ';' | '}') | None => self.wrong("expected a value"),
            Some(_) => self.bare().map(str::to_owned),
        }
    }

    /// A key of a map, in quotes or up to the next `:`.
    pub(super) fn key(&mut self) -> Result<String, Wrong> {
        match self.peek() {
            Some('"' | '`') => self.quoted(),
            Some(',' | ';' | '}' | ':') | None => self.wrong("expected a key"),
            Some(_) => self.until(&[',', ';', '}', ':']).map(str::to_owned),
        }
    }

    /// Everything up to the next `,`, `;` or `}` that is not in quotes, without blanks behind it.
    pub(super) fn bare(&mut self) -> Result<&'a str, Wrong> {
        self.until(&[',', ';', '}'])
    }

    fn until(&mut self, ends: &[char]) -> Result<&'a str, Wrong> {
        let start = self.at;
        let mut end = start;
        loop {
            match self.peek() {
                None => break,
                Some(c) if ends.contains(&c) => break,
                Some('"' | '`') => drop(self.quoted()?),
                Some(_) => self.next(),
            }
            end = self.at;
        }
        Ok(&self.text[start..end])
    }

    pub(super) fn quoted(&mut self) -> Result<String, Wrong> {
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
