//! Values of any type: what they are is guessed from their text, as controller-gen does.
use super::arguments::Wrong;
use super::scanner::Scanner;
use serde_json::{Map, Value, json};

/// What a value is.
#[derive(Clone)]
enum Guess {
    Text,
    Bool,
    Integer,
    Number,
    List(Box<Guess>),
    Map,
}

/// Reads a value that is all of the text: a text, a number, a boolean, `{a,b}`, `a;b` or
/// `{key: value, …}`.
pub(super) fn parse(text: &str) -> Result<Value, Wrong> {
    let mut scanner = Scanner { text, at: 0 };
    if scanner.peek().is_none() {
        return scanner.wrong("expected a value");
    }
    let value = scanner.any(true)?;
    match scanner.peek() {
        None => Ok(value),
        Some(_) => scanner.wrong("expected nothing behind the value"),
    }
}

impl Scanner<'_> {
    /// A value of any type; `bare` is whether it may be a list without braces.
    pub(super) fn any(&mut self, bare: bool) -> Result<Value, Wrong> {
        let mut guess = self.guess();
        if bare && self.clone().separator() == Some(';') {
            guess = Guess::List(Box::new(guess));
        }
        self.value_of(&guess)
    }

    /// Guesses what follows, and stays where it is.
    fn guess(&self) -> Guess {
        let mut ahead = self.clone();
        match ahead.peek() {
            Some('"' | '`' | '\'') => Guess::Text,
            Some('{') => {
                ahead.next();
                ahead.guess_inside()
            }
            Some('t' | 'f') => match ahead.name() {
                "true" | "false" => Guess::Bool,
                _ => Guess::Text,
            },
            _ => {
                if ahead.peek() == Some('-') {
                    ahead.next();
                    ahead.peek();
                }
                let number = ahead.number();
                let end = matches!(ahead.peek(), None | Some(',' | ';' | '}'));
                number.filter(|_| end).unwrap_or(Guess::Text)
            }
        }
    }

    /// Guesses whether braces hold a list or a map, from behind the first one.
    fn guess_inside(&mut self) -> Guess {
        if self.peek() == Some('}') {
            return Guess::Map;
        }
        let first = self.guess();
        if matches!(first, Guess::Text) && self.key().is_ok() && self.peek() == Some(':') {
            return Guess::Map;
        }
        Guess::List(Box::new(first))
    }

    fn value_of(&mut self, guess: &Guess) -> Result<Value, Wrong> {
        self.peek();
        let start = self.at;
        match guess {
            Guess::Text => match self.rest().is_empty() {
                true => Ok(json!("")),
                false => self.item().map(Value::from),
            },
            Guess::Bool => Ok(json!(self.name() == "true")),
            Guess::Integer | Guess::Number => {
                let text = self.bare()?;
                let digits: String = text.split_whitespace().collect();
                let number = match guess {
                    Guess::Integer => digits.parse::<i64>().ok().map(Value::from),
                    _ => digits.parse::<f64>().ok().map(Value::from),
                };
                self.at = start;
                let Some(number) = number else {
                    return self.wrong(format!("`{text}` is no number here"));
                };
                self.bare()?;
                Ok(number)
            }
            Guess::List(item) => self.list_of(item),
            Guess::Map => self.map(),
        }
    }

    fn list_of(&mut self, item: &Guess) -> Result<Value, Wrong> {
        let items = self.items(|scanner, _| scanner.typed(item))?;
        Ok(items.into())
    }

    /// An item of a list, all of which are what the first one is.
    fn typed(&mut self, item: &Guess) -> Result<Value, Wrong> {
        let fits = match (item, self.guess()) {
            (Guess::Text, Guess::List(_) | Guess::Map) => false,
            (Guess::Text, _) => true,
            (Guess::Number, Guess::Integer) => true,
            (Guess::List(_), Guess::List(_) | Guess::Map) => true,
            (item, found) => std::mem::discriminant(item) == std::mem::discriminant(&found),
        };
        match fits {
            true => self.value_of(item),
            false => self.wrong("the items of a list are of one type"),
        }
    }

    fn map(&mut self) -> Result<Value, Wrong> {
        self.next();
        let mut map = Map::new();
        loop {
            match self.peek() {
                Some('}') => break self.next(),
                None => return self.wrong("the map is not closed by `}`"),
                Some(_) => {}
            }
            let key = self.key()?;
            if self.peek() != Some(':') {
                return self.wrong(format!("expected `:` after `{key}`"));
            }
            self.next();
            let value = self.any(true)?;
            map.insert(key, value);
            match self.peek() {
                Some(',') => self.next(),
                Some('}') => {}
                _ => return self.wrong("expected `,` between the entries of a map"),
            }
        }
        Ok(map.into())
    }

    /// The first `,` or `;` that is not in quotes.
    fn separator(&mut self) -> Option<char> {
        loop {
            match self.peek()? {
                c @ (',' | ';') => return Some(c),
                '"' | '`' => drop(self.quoted().ok()?),
                _ => self.next(),
            }
        }
    }

    /// A number as Go's scanner sees one.
    fn number(&mut self) -> Option<Guess> {
        let rest = self.rest();
        let more = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
        let mut end = rest.find(|c| !more(c)).unwrap_or(rest.len());
        // The sign of an exponent.
        let radix = rest.starts_with("0x") || rest.starts_with("0X");
        if !radix && rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['+', '-']) {
            let after = &rest[end + 1..];
            end += 1 + after.find(|c| !more(c)).unwrap_or(after.len());
        }
        let text = &rest[..end];
        self.at += end;
        if is_integer(text) {
            return Some(Guess::Integer);
        }
        let digits = text.replace('_', "");
        let float = text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && digits.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b))
            && digits.parse::<f64>().is_ok_and(f64::is_finite)
            // What looks octal and is not is a text.
            && digits.contains(['.', 'e', 'E']);
        float.then_some(Guess::Number)
    }
}

/// Whether the text is an integer of Go, of which controller-gen takes the decimal ones without `_`.
fn is_integer(text: &str) -> bool {
    let prefixes = [
        ("0x", 16),
        ("0X", 16),
        ("0o", 8),
        ("0O", 8),
        ("0b", 2),
        ("0B", 2),
    ];
    let prefixed = prefixes.into_iter().find_map(|(prefix, radix)| {
        let rest = text.strip_prefix(prefix)?;
        Some((rest.strip_prefix('_').unwrap_or(rest), radix))
    });
    let octal = text.len() > 1 && text.starts_with('0');
    let (digits, radix) = prefixed.unwrap_or((text, if octal { 8 } else { 10 }));
    let mut groups = digits.split('_');
    groups.all(|group| !group.is_empty() && group.chars().all(|c| c.is_digit(radix)))
}
