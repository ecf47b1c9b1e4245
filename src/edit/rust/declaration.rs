//! `mod` and `use` lines.
use std::ops::Range;

use proc_macro2::TokenTree;
use syn::{Attribute, Item};

use super::imports::{Import, imports_in};
use super::modules::{Modules, first_segment};
use super::parse::{Node, items, spell};
use crate::edit::order::{self, Neighbour, Order, Place};
use crate::edit::{CannotEdit, EditResult, Edited, text, without_bom};

/// Adds a line such as `pub mod v1alpha1;` to the first group of modules of its visibility.
///
/// Groups with one of the modules `apart_from` stay as they are; a new group follows them. A module
/// of that name is there already whatever its attributes, or if a macro has it; one that is inline,
/// or private where it must not be, is in the way.
pub fn add_module(text: &str, line: &str, apart_from: &[&str]) -> EditResult {
    // rustfmt up to style 2024 sorts modules by bytes, from 2027 by version (rust-lang/rustfmt#6820).
    let orders: &[Order] = &[order::by_bytes, order::by_path];
    without_bom(text, |text| add(text, line, (apart_from, &[]), orders))
}

/// Adds a line such as `pub use myapp_types::*;` to the first group of imports of its visibility.
///
/// A glob is there already, too, where others of its module are imported by name, and all of
/// `needed` are among them.
pub fn add_use(text: &str, line: &str, needed: &[&str]) -> EditResult {
    without_bom(text, |text| {
        add(text, line, (&[], needed), &[order::by_path])
    })
}

fn add(
    text: &str,
    line: &str,
    (apart_from, needed): (&[&str], &[&str]),
    orders: &[Order],
) -> EditResult {
    let new = items(line)?;
    let ([item], Some(wanted)) = (&new[..], new.first().and_then(declaration)) else {
        return Err(CannotEdit::new(format!("`{line}` is no `mod` or `use`")));
    };
    let old = items(text)?;
    let file = File {
        text,
        items: &old,
        declarations: old.iter().map(declaration).collect(),
    };
    if wanted.keyword == "mod" {
        let modules = Modules::of(&old, &wanted.name);
        if modules.is_there(!wanted.visibility.is_empty())? {
            return Ok(Edited::AlreadyThere);
        }
    } else {
        if file.imports(item, &wanted.visibility, needed) {
            return Ok(Edited::AlreadyThere);
        }
        Modules::of(&old, first_segment(&wanted.name)).check_ungated()?;
    }
    let groups = file.groups(wanted.keyword);
    let is_apart = |group: &&Range<usize>| file.any(group, |d| apart_from.contains(&&*d.name));
    let is_home = |d: &Declaration| d.is_plain && d.visibility == wanted.visibility;
    let home = |group: &&Range<usize>| file.any(group, is_home) && !is_apart(group);
    let (index, new) = if let Some(group) = groups.iter().find(home) {
        file.insert_into(group, &wanted, line, orders)
    } else if wanted.keyword == "use" {
        file.insert_group(file.groups("mod").first(), line)
    } else {
        file.insert_group(groups.iter().rfind(is_apart), line)
    };
    let mut expected: Vec<_> = old.iter().map(Node::text).collect();
    expected.insert(index, item.text());
    if items(&new).is_ok_and(|items| items.iter().map(Node::text).eq(expected)) {
        Ok(Edited::Changed(new))
    } else {
        Err(CannotEdit::unsafe_place())
    }
}

struct Declaration {
    keyword: &'static str,
    visibility: String,
    /// Name of the module or path of the import.
    name: String,
    /// Whether it is for every build: it has no attributes but documentation.
    is_plain: bool,
}

/// What rustfmt would sort: `mod name;` and `use`, unless the order matters to macros.
fn declaration(item: &Node<Item>) -> Option<Declaration> {
    let (keyword, attributes) = match &item.node {
        Item::Mod(module) if module.content.is_none() => ("mod", &module.attrs),
        Item::Use(import) => ("use", &import.attrs),
        _ => return None,
    };
    let is = |name| move |attribute: &Attribute| attribute.path().is_ident(name);
    if attributes.iter().any(is("macro_use")) {
        return None;
    }
    let tokens = item.bare();
    let is_keyword = |token: &TokenTree| matches!(token, TokenTree::Ident(i) if i == keyword);
    let at = tokens.iter().position(is_keyword)?;
    let name = spell(&tokens[at + 1..tokens.len() - 1]);
    Some(Declaration {
        keyword,
        visibility: spell(&tokens[..at]),
        name: name.trim_start_matches("r#").to_owned(),
        is_plain: attributes.iter().all(is("doc")),
    })
}

struct File<'a> {
    text: &'a str,
    items: &'a [Node<Item>],
    /// One for each item, if it is one.
    declarations: Vec<Option<Declaration>>,
}

impl File<'_> {
    /// Whether what a `use` brings in is there already, for whom it has to be.
    ///
    /// Its author may have named what is to be seen of a module in place of a glob: that is enough
    /// where all of `needed` is among it.
    fn imports(&self, item: &Node<Item>, visibility: &str, needed: &[&str]) -> bool {
        let alike = self.items.iter().zip(&self.declarations);
        let alike = alike.filter(|(_, found)| {
            let found = found.as_ref();
            found.is_some_and(|found| found.keyword == "use" && found.visibility == visibility)
        });
        let there: Vec<_> = alike.flat_map(|(item, _)| imports_in(item)).collect();
        let is_chosen = |wanted: &Import| {
            let names = |need: &&str| {
                let mut there = there.iter().filter(|i| i.parent() == wanted.parent());
                there.any(|there| there.name == *need)
            };
            wanted.name == "*" && !needed.is_empty() && needed.iter().all(names)
        };
        let mut wanted = imports_in(item).into_iter();
        wanted.all(|wanted| there.contains(&wanted) || is_chosen(&wanted))
    }

    /// Runs of such declarations without an empty line between them.
    fn groups(&self, keyword: &str) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (i, declaration) in self.declarations.iter().enumerate() {
            if declaration.as_ref().is_none_or(|d| d.keyword != keyword) {
                continue;
            }
            let is_blank = |line: &str| line.trim().is_empty();
            match groups.last_mut() {
                Some(group) if group.end == i && !self.lines_above(i).lines().any(is_blank) => {
                    group.end += 1;
                }
                _ => groups.push(i..i + 1),
            }
        }
        groups
    }

    fn any(&self, group: &Range<usize>, test: impl Fn(&Declaration) -> bool) -> bool {
        self.declarations[group.clone()].iter().flatten().any(test)
    }

    /// The whole lines between this item and the one before.
    fn lines_above(&self, i: usize) -> &str {
        let start = text::next_line(self.text, self.items[i - 1].range.end);
        let end = text::line_start(self.text, self.items[i].range.start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The new text, and the index of the new item.
    fn insert_into(
        &self,
        group: &Range<usize>,
        wanted: &Declaration,
        line: &str,
        orders: &[Order],
    ) -> (usize, String) {
        let neighbour = |i: usize| Neighbour {
            name: self.declarations[i]
                .as_ref()
                .map_or_else(String::new, |d| d.name.clone()),
            starts_section: i > group.start && !self.lines_above(i).is_empty(),
        };
        let neighbours: Vec<_> = group.clone().map(neighbour).collect();
        let place = order::place(&wanted.name, &neighbours, orders);
        let range = |i: usize| &self.items[group.start + i].range;
        let at = match place {
            Place::Top => text::above_comments(self.text, range(0).start),
            Place::Before(next) => text::line_start(self.text, range(next).start),
            Place::After(previous) => text::next_line(self.text, range(previous).end),
        };
        let new = text::insert_lines(self.text, at, line);
        (group.start + place.index(), new)
    }

    /// A group of its own after this one, or before the first item.
    fn insert_group(&self, after: Option<&Range<usize>>, line: &str) -> (usize, String) {
        let (index, at) = match (after, self.items.first()) {
            (Some(group), _) => {
                let end = self.items[group.end - 1].range.end;
                (group.end, text::next_line(self.text, end))
            }
            (None, Some(first)) => (0, text::above_comments(self.text, first.range.start)),
            (None, None) => (0, self.text.len()),
        };
        // A comment that nothing follows stays apart from what comes now.
        let above = match self.items.first() {
            Some(_) => after.is_some(),
            None => text::ends_with_comment(self.text),
        };
        let above = if above { "\n" } else { "" };
        let is_last = text::is_blank_line(self.text, at);
        let below = if is_last { "" } else { "\n" };
        let lines = format!("{above}{line}{below}");
        (index, text::insert_lines(self.text, at, &lines))
    }
}
