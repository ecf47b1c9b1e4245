//! The grammar of marker arguments: controller-gen's, which reads them with Go's scanner.
//!
//! It is stricter in what controller-gen takes without a word and hardly as meant: an argument
//! given twice, and an empty item in a list.
use super::scanner::Scanner;
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

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generate) struct Item {
    pub(in crate::generate) text: String,
    /// How many bytes into the text of the arguments it begins.
    pub(super) at: usize,
}

/// The values by argument; those that are not a list have one item.
pub(in crate::generate) type Values = BTreeMap<&'static str, Vec<Item>>;

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

impl Scanner<'_> {
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

    fn value(&mut self, argument: &Argument) -> Result<Vec<Item>, Wrong> {
        self.peek();
        let start = self.at;
        let one = |text: String| vec![Item { text, at: start }];
        let (wanted, right): (_, fn(&str) -> bool) = match argument.kind {
            Kind::List => return self.list(),
            // An empty value at the very end is no value.
            Kind::Text if self.rest().is_empty() => return Ok(one(String::new())),
            Kind::Text => return self.text(argument),
            Kind::Bool => ("`true` or `false`", |text| matches!(text, "true" | "false")),
            Kind::Integer => ("an integer", |text| text.parse::<i32>().is_ok()),
        };
        let value = self.bare()?;
        if right(value) {
            return Ok(one(value.to_owned()));
        }
        self.at = start;
        self.wrong(format!("`{}` wants {wanted}", argument.name))
    }

    /// Whether a key of a map follows: a colon and a blank are of no name that a list may hold.
    fn is_entry(&self) -> bool {
        let mut ahead = self.clone();
        let quoted = self.rest().starts_with(['"', '`']);
        let colon = ahead.key().is_ok() && ahead.peek() == Some(':');
        colon && (quoted || ahead.rest()[1..].starts_with([' ', '\t']))
    }

    /// One value; braces are of lists and maps.
    fn text(&mut self, argument: &Argument) -> Result<Vec<Item>, Wrong> {
        let at = self.at;
        if self.rest().starts_with('{') && self.clone().any(false).is_ok() {
            let name = argument.name;
            return self.wrong(format!("`{name}` wants one value, not a list or a map"));
        }
        let text = self.item()?;
        Ok(vec![Item { text, at }])
    }

    /// A list of texts.
    fn list(&mut self) -> Result<Vec<Item>, Wrong> {
        self.items(|scanner, braces| {
            let at = scanner.at;
            if braces && scanner.is_entry() {
                return scanner.wrong("a list is wanted, such as `a;b` or `{a,b}`, not a map");
            }
            let text = scanner.item()?;
            Ok(Item { text, at })
        })
    }
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
