//! `Cargo.lock`: one block a package, sorted by name.
use super::text::{self, quoted};
use super::{CannotEdit, EditResult, Edited, without_bom};

/// A package of the workspace: its name, its version, and what it depends on, as names, or
/// `name version` where several versions of it are locked.
pub type Member<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Adds packages without a source, which are those of the workspace, as cargo would write them.
///
/// Other packages of their names cannot stay: dependencies on them would have to be rewritten.
pub fn add_packages(text: &str, members: &[Member<'_>]) -> EditResult {
    let new: Vec<_> = members.iter().map(Package::of).collect();
    without_bom(text, |text| add(text, &new))
}

fn add(text: &str, new: &[Package<'_>]) -> EditResult {
    let Lock {
        starts,
        packages: old,
    } = Lock::read(text)?;
    let mut missing: Vec<_> = new.iter().filter(|new| !old.contains(new)).collect();
    missing.sort_by_key(|new| new.name);
    let mut changed = text.to_owned();
    let mut expected: Vec<_> = old.iter().collect();
    // From the end, so that the offsets of what comes before still hold.
    for new in missing.iter().rev() {
        if let Some(Package { name, version, .. }) = old.iter().find(|old| old.name == new.name) {
            let reason = format!("it has another package `{name}` (version {version})");
            return Err(CannotEdit::new(reason));
        }
        let index = old.partition_point(|old| old.name < new.name);
        let block = new.block();
        changed = match starts.get(index) {
            Some(&start) => text::insert_lines(&changed, start, &format!("{block}\n")),
            None => append(&changed, starts.last().copied(), &block),
        };
        expected.insert(index, new);
    }
    if missing.is_empty() {
        Ok(Edited::AlreadyThere)
    } else if Lock::read(&changed)?.packages.iter().eq(expected) {
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

const HEADER: &str = "[[package]]";

#[derive(Default, PartialEq, Eq)]
struct Package<'a> {
    name: &'a str,
    version: &'a str,
    source: Option<&'a str>,
    dependencies: Vec<&'a str>,
}

impl<'a> Package<'a> {
    fn of(&(name, version, dependencies): &Member<'a>) -> Self {
        let mut dependencies = dependencies.to_vec();
        // Cargo compares names first: `a 2` comes before `a-b`.
        dependencies.sort_by(|a, b| a.split(' ').cmp(b.split(' ')));
        Self {
            name,
            version,
            source: None,
            dependencies,
        }
    }

    /// Takes a line of the block, and those of a list that it begins.
    fn read(&mut self, line: &'a str, rest: &mut impl Iterator<Item = &'a str>) -> Option<()> {
        let (key, value) = line.split_once('=')?;
        match (key.strip_suffix(' ')?, value.strip_prefix(' ')?) {
            ("name", value) => self.name = quoted(value)?,
            ("version", value) => self.version = quoted(value)?,
            ("source", value) => self.source = Some(quoted(value)?),
            ("checksum" | "replace", value) => drop(quoted(value)?),
            ("dependencies", "[") => loop {
                match rest.next()? {
                    "]" => break,
                    item => self
                        .dependencies
                        .push(quoted(item.trim_start().strip_suffix(',')?)?),
                }
            },
            _ => return None,
        }
        Some(())
    }

    /// Without the last line end.
    fn block(&self) -> String {
        let Self { name, version, .. } = self;
        let mut block = format!("{HEADER}\nname = \"{name}\"\nversion = \"{version}\"");
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

/// A lock file as cargo writes it, and as it writes nothing else: that is read line by line, far
/// faster than all that TOML can be.
struct Lock<'a> {
    /// Offsets of the lines that begin a package.
    starts: Vec<usize>,
    packages: Vec<Package<'a>>,
}

impl<'a> Lock<'a> {
    fn read(text: &'a str) -> Result<Self, CannotEdit> {
        let lines = text.lines().map(str::trim_end);
        let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        if !matches!(lines.next(), Some("version = 3" | "version = 4")) {
            return Err(CannotEdit::new("it is no Cargo.lock of version 3 or 4"));
        }
        let (mut starts, mut packages) = (Vec::new(), Vec::<Package<'_>>::new());
        let mut table = "";
        while let Some(line) = lines.next() {
            if line.starts_with('[') {
                table = line;
                if table == HEADER {
                    starts.push(line.as_ptr().addr() - text.as_ptr().addr());
                    packages.push(Package::default());
                }
            } else if let Some(package) = packages.last_mut().filter(|_| table == HEADER) {
                package.read(line, &mut lines).ok_or_else(odd_line)?;
            } else if table.is_empty() {
                return Err(odd_line());
            }
        }
        match packages.iter().all(|package| !package.name.is_empty()) {
            true => Ok(Self { starts, packages }),
            false => Err(odd_line()),
        }
    }
}

fn odd_line() -> CannotEdit {
    CannotEdit::new("a `[[package]]` is not as cargo writes it")
}
