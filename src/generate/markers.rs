//! Finds and reads the `+kubebuilder:` markers in Rust sources.
//!
//! A marker is a line comment whose first character after one leader (`//`, `///` or `//!`) is
//! `+`, at any place, but not in what is compiled for tests only. Nothing that looks like one is
//! silently passed over: what rop does not read is a fault, or in documentation, which types that
//! were born in Go may carry, a warning.

mod any;
mod arguments;
mod comments;
mod go;
mod known;
mod scanner;
mod source;

use self::arguments::{Item, Values};
use self::comments::Comment;
pub(super) use self::known::nearest;
use super::Source;
use super::faults::{self, Fault, Position};
use crate::error::Result;

const PREFIX: &str = "+kubebuilder:";

/// A marker that is known, by what follows `+kubebuilder:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supported {
    /// Its name.
    pub name: &'static str,
    /// What it says; of one for Go types, what to write in Rust instead.
    pub about: String,
    /// Its arguments: name, type, and whether it is mandatory. One for Go types has none.
    pub arguments: Vec<(&'static str, &'static str, bool)>,
    /// Whether rop reads it.
    pub read: bool,
}

/// Every marker that is known.
pub fn supported() -> Vec<Supported> {
    let read = known::ALL.iter().map(|known| Supported {
        name: known.name,
        about: known.about.to_owned(),
        arguments: known
            .arguments
            .iter()
            .map(arguments::Argument::shown)
            .collect(),
        read: true,
    });
    let on_go_types = go::answers().map(|(name, about)| Supported {
        name,
        about,
        arguments: Vec::new(),
        read: false,
    });
    read.chain(on_go_types).collect()
}

/// A marker that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    pub(super) path: String,
    pub(super) position: Position,
    /// The line that it stands in.
    pub(super) line: String,
    pub(super) values: Values,
    /// Characters of the line before the arguments.
    before: usize,
    /// The text of the arguments.
    arguments: String,
}

impl Marker {
    /// An argument that has one value; of one that is not given it is nothing.
    pub(super) fn text(&self, argument: &str) -> &str {
        let item = self.items(argument).first();
        item.map_or("", |item| &item.text)
    }

    /// The values of an argument.
    pub(super) fn list(&self, argument: &str) -> impl Iterator<Item = &str> {
        self.items(argument).iter().map(|item| item.text.as_str())
    }

    /// The values of an argument, with their places.
    pub(super) fn items(&self, argument: &str) -> &[Item] {
        self.values.get(argument).map_or(&[], Vec::as_slice)
    }

    /// A fault of the marker as a whole.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            path: self.path.clone(),
            position: self.position,
            message: message.into(),
            line: self.line.clone(),
        }
    }

    /// A fault of one of its values.
    pub(super) fn fault_of(&self, item: &Item, message: impl Into<String>) -> Fault {
        let mut fault = self.fault(message);
        let before = self.arguments.get(..item.at).unwrap_or_default();
        fault.position.column = self.before + before.chars().count() + 1;
        fault
    }
}

/// What was found in some sources.
#[derive(Debug, Default)]
pub struct Found {
    pub(super) rbac: Vec<Marker>,
    pub(super) webhooks: Vec<Marker>,
    /// Those that name a webhook configuration.
    pub(super) configurations: Vec<Marker>,
    pub(super) warnings: Vec<Fault>,
    /// Sources that do not parse and markers that are wrong.
    pub(super) faults: Vec<Fault>,
    /// The paths of the sources.
    order: Vec<String>,
}

/// Reads the markers of the sources, in order.
///
/// Parsing takes far longer than reading, so that only those are parsed that may hold a marker, and
/// those that may say that such a file is for tests only. The compiler tells of the others.
pub fn find<'a>(sources: &[impl Into<Source<'a>> + Copy]) -> Found {
    let sources: Vec<Source<'_>> = sources.iter().map(|source| (*source).into()).collect();
    let mut found = Found {
        order: sources.iter().map(|s| s.path.to_owned()).collect(),
        ..Found::default()
    };
    let mut tests = TestFiles::default();
    let mut files = Vec::new();
    let marked = sources.iter().filter(|s| comments::may_hold_marker(s.text));
    let marked: Vec<_> = marked.map(|s| s.path).collect();
    for Source {
        path,
        text,
        rendered,
    } in &sources
    {
        let modules = modules_of(path);
        if !marked.iter().any(|m| m == path || m.starts_with(&modules)) {
            continue;
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parts = match rendered(path, text) {
            true => Ok(source::TestParts::default()),
            false => source::test_parts(text),
        };
        let parts = parts.unwrap_or_else(|(offset, message)| {
            let fault = Fault::at(path, text, offset, message);
            found.faults.push(fault);
            source::TestParts::default()
        });
        tests.add(&modules, &parts.modules);
        files.push((*path, text, parts.ranges));
    }
    for (path, text, ranges) in files {
        if tests.contain(path) {
            continue;
        }
        for comment in comments::markers(text) {
            if !ranges.iter().any(|range| range.contains(&comment.offset)) {
                read(&mut found, path, text, comment);
            }
        }
    }
    found.sort();
    found
}

fn read(found: &mut Found, path: &str, text: &str, comment: Comment<'_>) {
    let fault =
        |offset: usize, message: String| Fault::at(path, text, comment.offset + offset, message);
    let Some(rest) = comment.text.strip_prefix(PREFIX) else {
        if let Some(message) = misspelt_prefix(comment.text) {
            found.fault(comment.doc, fault(0, message));
        }
        return;
    };
    let end = rest.find([':', '=', ' ', '\t']).unwrap_or(rest.len());
    let Some(known) = known::ALL.iter().find(|known| known.name == &rest[..end]) else {
        found.fault(comment.doc, fault(0, known::refusal(rest)));
        return;
    };
    let (colon, arguments) = match rest[end..].strip_prefix(':') {
        Some(arguments) => (1, arguments),
        None => (0, &rest[end..]),
    };
    let offset = PREFIX.len() + end + colon;
    if colon == 0 && !arguments.is_empty() {
        let message = format!("expected `:` after `+kubebuilder:{}`", known.name);
        return found.faults.push(fault(offset, message));
    }
    let values = match arguments::parse(arguments, known.arguments) {
        Ok(values) => values,
        Err(wrong) => {
            let fault = fault(offset + wrong.offset, wrong.message);
            return found.faults.push(fault);
        }
    };
    let place = |offset: usize| Position::of(text, comment.offset + offset);
    let marker = Marker {
        path: path.to_owned(),
        position: place(0),
        line: faults::line(text, comment.offset).to_owned(),
        values,
        before: place(offset).column - 1,
        arguments: arguments.to_owned(),
    };
    match known.name {
        name if name == known::RBAC.name => found.rbac.push(marker),
        name if name == known::WEBHOOK.name => found.webhooks.push(marker),
        _ => found.configurations.push(marker),
    }
}

/// Something like `+kubebulder:rbac` or `+ kubebuilder:rbac`.
fn misspelt_prefix(text: &str) -> Option<String> {
    let rest = text.strip_prefix('+')?;
    let (name, after) = rest.split_once(':')?;
    let wanted = PREFIX.trim_matches(['+', ':']);
    known::nearest(name.trim(), [wanted])?;
    let marker = after.split([':', '=', ' ']).next().unwrap_or_default();
    Some(format!(
        "unknown marker `+{name}:{marker}`; did you mean `{PREFIX}{marker}`?"
    ))
}

impl Found {
    /// What its author should know, each as `path:line:column: message` with the line below.
    ///
    /// # Errors
    /// Sources that do not parse and markers that are wrong, all of them in one.
    pub fn finish(mut self) -> Result<Vec<String>> {
        if self.faults.is_empty() {
            return Ok(faults::lines(&self.warnings));
        }
        self.sort();
        Err(faults::error(&self.faults))
    }

    /// Sorts the faults by the order of the sources, and by their places.
    fn sort(&mut self) {
        let file = |fault: &Fault| self.order.iter().position(|path| *path == fault.path);
        self.faults
            .sort_by_key(|fault| (file(fault), fault.position));
    }

    fn fault(&mut self, doc: bool, fault: Fault) {
        match doc {
            true => self.warnings.push(fault),
            false => self.faults.push(fault),
        }
    }
}

/// Where the modules of a source are whose bodies are files of their own.
fn modules_of(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    match (folder, stem) {
        ("", "mod" | "lib" | "main") => String::new(),
        (folder, "mod" | "lib" | "main") => format!("{folder}/"),
        ("", stem) => format!("{stem}/"),
        (folder, stem) => format!("{folder}/{stem}/"),
    }
}

/// The files of modules that are declared for tests only.
#[derive(Default)]
struct TestFiles(Vec<String>);

impl TestFiles {
    fn add(&mut self, base: &str, modules: &[Vec<String>]) {
        let roots = modules
            .iter()
            .map(|module| format!("{base}{}", module.join("/")));
        self.0.extend(roots);
    }

    fn contain(&self, path: &str) -> bool {
        self.0.iter().any(|module| {
            let rest = path.strip_prefix(module.as_str());
            rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    }
}

#[cfg(test)]
mod tests;
