//! Rust source as nodes of the syntax tree that know where they stand.
use std::borrow::{Borrow, Cow};
use std::ops::Range;

use proc_macro2::{Delimiter, TokenTree};
use syn::buffer::Cursor;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Item};

use crate::edit::CannotEdit;

/// A node with its place in the text.
pub(super) struct Node<T> {
    pub(super) node: T,
    /// Where it stands: attributes and documentation included.
    pub(super) range: Range<usize>,
    tokens: Vec<TokenTree>,
    /// How many of its tokens are attributes.
    attributes: usize,
}

impl<T: Parse> Node<T> {
    /// Takes the next node.
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.cursor();
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        let attributes = between(start, ahead.cursor()).len();
        let node = input.parse()?;
        let tokens = between(start, input.cursor());
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Err(input.error("expected an item"));
        };
        Ok(Self {
            range: first.span().byte_range().start..last.span().byte_range().end,
            node,
            tokens,
            attributes,
        })
    }
}

impl<T> Node<T> {
    /// Its tokens without the attributes.
    pub(super) fn bare(&self) -> &[TokenTree] {
        &self.tokens[self.attributes..]
    }

    /// All of it in one spelling.
    pub(super) fn text(&self) -> String {
        spell(&self.tokens)
    }
}

/// Tokens in one spelling, whatever the white space and comments between them: `pub use a::*;`.
pub(super) fn spell(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    put(&mut text, tokens);
    text
}

fn put<T: Borrow<TokenTree>>(text: &mut String, tokens: impl IntoIterator<Item = T>) {
    for token in tokens {
        match token.borrow() {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                put(text, group.stream());
                text.push_str(close);
            }
            TokenTree::Punct(punct) => text.push(punct.as_char()),
            word => {
                if text.ends_with(|c: char| c.is_alphanumeric() || "_\"'".contains(c)) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
        }
    }
}

fn between(mut start: Cursor<'_>, end: Cursor<'_>) -> Vec<TokenTree> {
    let mut tokens = Vec::new();
    while start != end
        && let Some((token, next)) = start.token_tree()
    {
        tokens.push(token);
        start = next;
    }
    tokens
}

/// The items of a file.
pub(super) fn items(text: &str) -> Result<Vec<Node<Item>>, CannotEdit> {
    let is_script = text.starts_with("#!") && !text.starts_with("#![");
    let shebang = text.lines().next().filter(|_| is_script);
    let text = match shebang.map(str::len) {
        // Blanks, so that every offset stays.
        Some(length) => Cow::from(" ".repeat(length) + &text[length..]),
        None => Cow::from(text),
    };
    items_of.parse_str(&text).map_err(|error| {
        let line = error.span().start().line;
        CannotEdit::new(format!("it is not valid Rust: line {line}: {error}"))
    })
}

fn items_of(input: ParseStream<'_>) -> syn::Result<Vec<Node<Item>>> {
    input.call(Attribute::parse_inner)?;
    let mut items = Vec::new();
    while !input.is_empty() {
        items.push(Node::parse(input)?);
    }
    Ok(items)
}
