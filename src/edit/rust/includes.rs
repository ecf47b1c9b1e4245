//! Files whose text is put in place of an `include!("…")`.
use proc_macro2::TokenTree;
use syn::{Item, LitStr};

use super::parse::{Node, items};

/// A file that another one includes.
#[derive(Debug, PartialEq, Eq)]
pub struct Include {
    /// The path as it is written: from the folder of the file that includes it.
    pub path: String,
    /// Whether it is code in a function, or a value; else it is items.
    is_code: bool,
}

impl Include {
    /// The included text as items, so that they can be edited beside those that include it; nothing
    /// if it does not parse.
    pub fn as_items(&self, text: &str) -> Option<String> {
        let text = text.trim_start_matches('\u{feff}');
        let text = match self.is_code {
            true => format!("fn included() {{\n{text}\n}}\n"),
            false => text.to_owned(),
        };
        items(&text).is_ok().then_some(text)
    }
}

/// The files that this one includes by a plain path; those inside of its modules are theirs.
pub fn includes(text: &str) -> Vec<Include> {
    let mut found = Vec::new();
    for item in items(text.trim_start_matches('\u{feff}'))
        .into_iter()
        .flatten()
    {
        let is_code = match &item.node {
            Item::Macro(_) => false,
            Item::Fn(_) | Item::Static(_) | Item::Const(_) => true,
            _ => continue,
        };
        let mut paths = Vec::new();
        search(tokens(&item, is_code), &mut paths);
        found.extend(paths.into_iter().map(|path| Include { path, is_code }));
    }
    found
}

/// Where to look: of a macro only at its own name, as its input may become anything.
fn tokens(item: &Node<Item>, is_code: bool) -> Vec<TokenTree> {
    let tokens = item.bare().to_vec();
    let is_include = tokens.first().is_some_and(is_include);
    if is_code || is_include {
        tokens
    } else {
        Vec::new()
    }
}

fn is_include(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(name) if name == "include")
}

fn search(tokens: Vec<TokenTree>, found: &mut Vec<String>) {
    for three in tokens.windows(3) {
        if let [name, TokenTree::Punct(bang), TokenTree::Group(input)] = three
            && is_include(name)
            && bang.as_char() == '!'
            && let Ok(path) = syn::parse2::<LitStr>(input.stream())
        {
            found.push(path.value());
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            search(group.stream().into_iter().collect(), found);
        }
    }
}
