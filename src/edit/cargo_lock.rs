//! `Cargo.lock`: one block a package, sorted by name.
use toml_edit::{DocumentMut, Item, Table};

use super::{CannotEdit, EditResult, Edited, text, without_bom};

/// Adds a package without a source, which is one of the workspace, as cargo would write it.
///
/// Dependencies are names, or `name version` where several versions of it are locked. Another package
/// of that name cannot stay: dependencies on it would have to be rewritten.
pub fn add_package(text: &str, name: &str, version: &str, dependencies: &[&str]) -> EditResult {
    let mut dependencies: Vec<_> = dependencies.iter().map(|d| (*d).to_owned()).collect();
    // Cargo compares names first: `a 2` comes before `a-b`.
    dependencies.sort_by(|a, b| a.split(' ').cmp(b.split(' ')));
    let new = Package {
        name: name.to_owned(),
        version: version.to_owned(),
        source: None,
        dependencies,
    };
    without_bom(text, |text| add(text, new))
}

fn add(text: &str, new: Package) -> EditResult {
    let old = packages(text)?;
    if old.contains(&new) {
        return Ok(Edited::AlreadyThere);
    }
    if let Some(Package { name, version, .. }) = old.iter().find(|old| old.name == new.name) {
        let reason = format!("it has another package `{name}` (version {version})");
        return Err(CannotEdit::new(reason));
    }
    let starts = block_starts(text);
    let index = old.partition_point(|old| old.name < new.name);
    let block = new.block();
    let changed = match starts.get(index) {
        Some(&start) => text::insert_lines(text, start, &format!("{block}\n")),
        None => append(text, starts.last().copied(), &block),
    };
    let mut expected = old;
    expected.insert(index, new);
    if packages(&changed)? == expected {
        Ok(Edited::Changed(changed))
    } else {
        Err(CannotEdit::unsafe_place())
    }
}

/// Puts a block after the last one: at the end, or before what is no package.
fn append(text: &str, last: Option<usize>, block: &str) -> String {
    let after = last.map_or(0, |last| text::next_line(text, last));
    match text[after..].find("\n[") {
        Some(next) => text::insert_lines(text, after + next + 1, &format!("{block}\n")),
        None => text::insert_lines(text, text.len(), &format!("\n{block}")),
    }
}

#[derive(PartialEq, Eq)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    dependencies: Vec<String>,
}

impl Package {
    /// Without the last line end.
    fn block(&self) -> String {
        let Self { name, version, .. } = self;
        let mut block = format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"");
        if !self.dependencies.is_empty() {
            block += "\ndependencies = [\n";
            for dependency in &self.dependencies {
                block = block + " \"" + dependency + "\",\n";
            }
            block.push(']');
        }
        block
    }
}

fn packages(text: &str) -> Result<Vec<Package>, CannotEdit> {
    let lock: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        CannotEdit::new(format!("it is not valid TOML: {}", error.message()))
    })?;
    if !matches!(lock.get("version").and_then(Item::as_integer), Some(3 | 4)) {
        return Err(CannotEdit::new("it is no Cargo.lock of version 3 or 4"));
    }
    match lock.get("package") {
        None => Ok(Vec::new()),
        Some(packages) => {
            let packages = packages.as_array_of_tables();
            let packages = packages.and_then(|packages| packages.iter().map(package).collect());
            packages.ok_or_else(|| CannotEdit::new("a `[[package]]` is not as cargo writes it"))
        }
    }
}

fn package(table: &Table) -> Option<Package> {
    let text = |key: &str| Some(table.get(key)?.as_str()?.to_owned());
    let dependencies = match table.get("dependencies") {
        None => Vec::new(),
        Some(dependencies) => {
            let dependencies = dependencies.as_array()?.iter();
            let names = dependencies.map(|name| Some(name.as_str()?.to_owned()));
            names.collect::<Option<_>>()?
        }
    };
    Some(Package {
        name: text("name")?,
        version: text("version")?,
        source: text("source"),
        dependencies,
    })
}

/// Offsets of the lines that begin a package.
fn block_starts(text: &str) -> Vec<usize> {
    let mut end = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        end += line.len();
        (end - line.len(), line)
    });
    let blocks = lines.filter(|(_, line)| line.trim_end() == "[[package]]");
    blocks.map(|(start, _)| start).collect()
}
