//! Items of a `vec![…]` that a function returns.
use std::ops::Range;

use syn::parse::{ParseStream, Parser};
use syn::{Expr, Item, Macro, MacroDelimiter, Stmt, Token, Type};

use super::imports::{Import, imports_of, paths_of};
use super::modules::{Modules, first_segment};
use super::parse::{Node, items, spell};
use super::pasted::is_pasted;
use crate::edit::order::{self, Neighbour, Place};
use crate::edit::{CannotEdit, EditResult, Edited, text, without_bom};

/// Adds an item such as `v1alpha1::MyApp::crd()` to the `vec![…]` that a function ends with.
///
/// It goes on a line of its own, unless the list is written on one line. It is there already if an
/// item has the same tokens: attributes, comments, white space and how its path is written aside.
pub fn add_list_item(text: &str, function: &str, item: &str) -> EditResult {
    without_bom(text, |text| add(text, function, item))
}

fn add(text: &str, function: &str, item: &str) -> EditResult {
    let wanted = Node::<Expr>::parse.parse_str(item);
    let wanted = wanted.map_err(|error| CannotEdit::new(format!("`{item}`: {error}")))?;
    let file = items(text)?;
    let old = match List::find(text, &file, function) {
        Ok(list) => list,
        Err(_) if is_pasted(&file, &name(&wanted)) => return Ok(Edited::AlreadyThere),
        Err(error) => return Err(error),
    };
    let new_name = name(&wanted);
    if old.has(&new_name)? {
        return Ok(Edited::AlreadyThere);
    }
    Modules::of(&file, first_segment(&new_name)).check_ungated()?;
    let orders = [order::by_path, order::by_bytes];
    let place = order::place(&new_name, &old.neighbours(), &orders);
    let new = old.insert(place, item);
    let mut expected = old.spelling();
    expected.insert(place.index(), wanted.text());
    let is_right = |list: &List<'_>| list.spelling() == expected && list.others == old.others;
    let is_right_file =
        |file: Vec<_>| List::find(&new, &file, function).is_ok_and(|l| is_right(&l));
    if items(&new).is_ok_and(is_right_file) {
        Ok(Edited::Changed(new))
    } else {
        Err(CannotEdit::unsafe_place())
    }
}

/// Whether a path leads to an item of the modules of its own file.
fn leads_to(path: &str, item: &str) -> bool {
    let before = path.strip_suffix(item);
    before.is_some_and(|b| b.is_empty() || b.starts_with("crate::") && b.ends_with("::"))
}

/// What tells items apart and sorts them.
fn name(item: &Node<Expr>) -> String {
    let text = method(item).unwrap_or_else(|| spell(item.bare()));
    text.strip_prefix("self::").unwrap_or(&text).to_owned()
}

/// `<v1alpha1::MyApp as CustomResourceExt>::crd()` as one that needs no trait to be named.
fn method(item: &Node<Expr>) -> Option<String> {
    let Expr::Call(call) = &item.node else {
        return None;
    };
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    let own = function.qself.as_ref()?;
    let Type::Path(owner) = &*own.ty else {
        return None;
    };
    let names = function.path.segments.iter().skip(own.position);
    let segments = owner.path.segments.iter().chain(names);
    let segments = segments.map(|s| s.arguments.is_none().then(|| s.ident.to_string()));
    let path = segments.collect::<Option<Vec<_>>>()?.join("::");
    Some(path + &spell(item.bare().last().map(std::slice::from_ref)?))
}

struct Element {
    node: Node<Expr>,
    comma: Option<Range<usize>>,
}

impl Element {
    fn end(&self) -> usize {
        self.comma.as_ref().unwrap_or(&self.node.range).end
    }
}

/// The list, with the rest of its file in one spelling.
struct List<'a> {
    text: &'a str,
    /// After the opening bracket, before the closing one.
    inside: Range<usize>,
    elements: Vec<Element>,
    others: Vec<String>,
    /// What its names may come from.
    imports: Vec<Import>,
}

impl<'a> List<'a> {
    fn find(text: &'a str, file: &[Node<Item>], function: &str) -> Result<Self, CannotEdit> {
        let is_wanted =
            |item: &&Node<Item>| matches!(&item.node, Item::Fn(f) if f.sig.ident == function);
        let (found, others): (Vec<_>, Vec<_>) = file.iter().partition(is_wanted);
        let found = match &found[..] {
            [
                Node {
                    node: Item::Fn(found),
                    ..
                },
            ] => Ok(found),
            [] => Err(format!("it has no function `{function}`")),
            _ => Err(format!("it has more than one function `{function}`")),
        };
        let found = found.map_err(CannotEdit)?;
        let shape = || CannotEdit::new(format!("`{function}` does not end with a list `vec![…]`"));
        let last = found.block.stmts.last();
        let list = last.and_then(vec_macro).ok_or_else(shape)?;
        let span = match &list.delimiter {
            MacroDelimiter::Paren(paren) => paren.span,
            MacroDelimiter::Brace(brace) => brace.span,
            MacroDelimiter::Bracket(bracket) => bracket.span,
        };
        let inner = found
            .block
            .stmts
            .iter()
            .filter_map(|statement| match statement {
                Stmt::Item(item) => Some(item),
                _ => None,
            });
        Ok(Self {
            text,
            inside: span.open().byte_range().end..span.close().byte_range().start,
            elements: elements.parse2(list.tokens.clone()).map_err(|_| shape())?,
            imports: imports_of(others.iter().map(|other| &other.node).chain(inner)),
            others: others.into_iter().map(Node::text).collect(),
        })
    }

    /// Whether an item is there, however its path is written.
    fn has(&self, item: &str) -> Result<bool, CannotEdit> {
        let names: Vec<_> = self.elements.iter().map(|e| name(&e.node)).collect();
        if names.iter().any(|name| leads_to(name, item)) {
            return Ok(true);
        }
        for name in &names {
            let paths = paths_of(name, &self.imports);
            if !paths.iter().any(|path| leads_to(path, item)) {
                continue;
            }
            if paths.len() > 1 {
                let reason = format!("`{name}` may be `{item}`: write its path in full");
                return Err(CannotEdit(reason));
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn spelling(&self) -> Vec<String> {
        let elements = self.elements.iter();
        elements.map(|element| element.node.text()).collect()
    }

    fn neighbours(&self) -> Vec<Neighbour> {
        let mut end = self.inside.start;
        let neighbour = |element: &Element| {
            let start = text::line_start(self.text, element.node.range.start);
            let starts_section = text::next_line(self.text, end) < start;
            end = element.end();
            Neighbour {
                name: name(&element.node),
                starts_section,
            }
        };
        self.elements.iter().map(neighbour).collect()
    }

    /// Whether nothing of the list follows this offset on its line.
    fn ends_line(&self, offset: usize) -> bool {
        let next_line = text::next_line(self.text, offset);
        let starts = self.elements.iter().map(|element| element.node.range.start);
        !starts
            .chain([self.inside.end])
            .any(|start| (offset..next_line).contains(&start))
    }

    fn insert(&self, place: Place, item: &str) -> String {
        let text = self.text;
        match place {
            Place::Top if self.elements.is_empty() => self.insert_first(item),
            Place::After(previous) => {
                let previous = &self.elements[previous];
                let (start, end) = (previous.node.range.start, previous.node.range.end);
                if !self.ends_line(previous.end()) {
                    return splice(text, end, &format!(", {item}"));
                }
                let line = format!("{}{item},", self.indent(start));
                let at = text::next_line(text, previous.end());
                let new = text::insert_lines(text, at, &line);
                // In front of what was just put in, so that its offset still holds.
                match previous.comma {
                    Some(_) => new,
                    None => splice(&new, end, ","),
                }
            }
            Place::Top | Place::Before(_) => {
                let start = self.elements[place.index()].node.range.start;
                if !text::is_first_on_line(text, start) {
                    return splice(text, start, &format!("{item}, "));
                }
                let at = match place {
                    Place::Top => text::above_comments(text, start),
                    _ => text::line_start(text, start),
                };
                let line = format!("{}{item},", self.indent(start));
                text::insert_lines(text, at, &line)
            }
        }
    }

    fn insert_first(&self, item: &str) -> String {
        let (text, Range { start, end }) = (self.text, self.inside.clone());
        let is_open = text[start..end].contains('\n');
        let line = format!("{}{item},", self.indent(start));
        if is_open && text::is_first_on_line(text, end) {
            return text::insert_lines(text, text::next_line(text, start), &line);
        }
        if !text[start..end].trim().is_empty() {
            return splice(text, end, item);
        }
        let eol = text::line_end_style(text, text::next_line(text, start));
        let close = text::indent(text, start);
        format!("{}{eol}{line}{eol}{close}{}", &text[..start], &text[end..])
    }

    /// Indentation of items: that of the one at this offset, else one level below the list.
    fn indent(&self, offset: usize) -> String {
        let indent = text::indent(self.text, offset);
        let is_item = offset > self.inside.start;
        if is_item && text::is_first_on_line(self.text, offset) {
            return indent.to_owned();
        }
        let list = text::indent(self.text, self.inside.start);
        let level = if list.contains('\t') { "\t" } else { "    " };
        format!("{list}{level}")
    }
}

fn splice(text: &str, offset: usize, new: &str) -> String {
    let (before, after) = text.split_at(offset);
    format!("{before}{new}{after}")
}

fn vec_macro(last: &Stmt) -> Option<&Macro> {
    let list = match last {
        Stmt::Macro(statement) if statement.semi_token.is_none() => &statement.mac,
        Stmt::Expr(Expr::Macro(expression), None) => &expression.mac,
        Stmt::Expr(Expr::Return(expression), _) => match expression.expr.as_deref()? {
            Expr::Macro(expression) => &expression.mac,
            _ => return None,
        },
        _ => return None,
    };
    let name = list.path.segments.last()?;
    (name.ident == "vec").then_some(list)
}

fn elements(input: ParseStream<'_>) -> syn::Result<Vec<Element>> {
    let mut elements = Vec::new();
    while !input.is_empty() {
        let node = Node::parse(input)?;
        let mut comma = None;
        if !input.is_empty() {
            comma = Some(input.parse::<Token![,]>()?.spans[0].byte_range());
        }
        elements.push(Element { node, comma });
    }
    Ok(elements)
}
