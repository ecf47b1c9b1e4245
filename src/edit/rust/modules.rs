//! What a file says about one of its modules.
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Attribute, Item, ItemMod, Visibility};

use super::parse::Node;
use crate::edit::CannotEdit;

/// The modules of one name: more than one where conditions tell them apart.
pub(super) struct Modules<'a> {
    name: &'a str,
    items: Vec<&'a ItemMod>,
    /// Whether the input of a macro has one, too.
    in_macro: bool,
}

impl<'a> Modules<'a> {
    pub(super) fn of(items: &'a [Node<Item>], name: &'a str) -> Self {
        let named = |item: &'a Node<Item>| match &item.node {
            Item::Mod(module) if module.ident.unraw() == name => Some(module),
            _ => None,
        };
        let has_it = |item: &Node<Item>| match &item.node {
            // The macros that it defines are no modules yet.
            Item::Macro(item) if item.ident.is_none() => declares(item.mac.tokens.clone(), name),
            _ => false,
        };
        Self {
            name,
            items: items.iter().filter_map(named).collect(),
            in_macro: items.iter().any(has_it),
        }
    }

    /// Whether the module is there, as a file of its own.
    pub(super) fn is_there(&self, is_public: bool) -> Result<bool, CannotEdit> {
        let name = self.name;
        let in_the_way = |what: &str| {
            Err(CannotEdit::new(format!(
                "`mod {name}` has to be {what}: take away the one that is there"
            )))
        };
        if self.items.iter().any(|module| module.content.is_some()) {
            return in_the_way("a file of its own");
        }
        let is_private = |module: &&ItemMod| !matches!(module.vis, Visibility::Public(_));
        if is_public && self.items.iter().any(is_private) {
            return in_the_way("`pub`");
        }
        Ok(self.in_macro || !self.items.is_empty())
    }

    /// Refuses to write what needs the module in every build, if it is not.
    pub(super) fn check_ungated(&self) -> Result<(), CannotEdit> {
        let is_gate = |attribute: &Attribute| attribute.path().is_ident("cfg");
        let is_gated = match self.items[..] {
            [] => self.in_macro,
            [module] => module.attrs.iter().any(is_gate),
            // Two of a name: one for each case.
            _ => false,
        };
        match is_gated {
            true => Err(CannotEdit::new(format!(
                "its `mod {}` is not in every build",
                self.name
            ))),
            false => Ok(()),
        }
    }
}

/// The module that a path such as `self::v1alpha1::MyApp` starts at.
pub(super) fn first_segment(path: &str) -> &str {
    let path = path.strip_prefix("self::").unwrap_or(path);
    path.split("::").next().unwrap_or_default()
}

/// Whether these tokens have a module of that name, at any depth.
fn declares(tokens: TokenStream, name: &str) -> bool {
    let mut after_mod = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => declares(group.stream(), name),
        TokenTree::Ident(word) => {
            let found = after_mod && word.unraw() == name;
            after_mod = word == "mod";
            found
        }
        _ => false,
    })
}
