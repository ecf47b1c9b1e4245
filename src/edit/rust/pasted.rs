//! Items in code of a shape that rop does not know.
use syn::Item;

use super::imports::imports_of;
use super::parse::Node;

/// Whether the item as a whole is somewhere in the code of a file whose list has another shape: its
/// author was told to put it there. That may be a function which the one that is known calls.
pub(super) fn is_pasted(items: &[Node<Item>], item: &str) -> bool {
    let imports = imports_of(items.iter().map(|item| &item.node));
    let short = imports.iter().filter_map(|import| import.shorten(item));
    let names: Vec<_> = short.chain([item.to_owned()]).collect();
    let is_code = |node: &&Node<Item>| !matches!(&node.node, Item::Mod(_) | Item::Macro(_));
    let mut code = items.iter().filter(is_code);
    code.any(|node| {
        let spelled = without_traits(&node.text());
        names.iter().any(|name| is_in(&spelled, name))
    })
}

/// Whether an item of a list or a call is this one.
fn is_in(spelled: &str, item: &str) -> bool {
    let mut places = spelled.match_indices(item);
    places.any(|(at, _)| {
        let before = spelled[..at].trim_end_matches("self::");
        before.ends_with(['[', '(', '{', ',', ';', '='])
            && spelled[at + item.len()..].starts_with([']', ')', '}', ',', ';'])
    })
}

/// `<A as B>::c()` as `A::c()`.
fn without_traits(spelled: &str) -> String {
    let mut plain = String::new();
    let mut rest = spelled;
    while let Some((before, after)) = rest.split_once('<') {
        plain += before;
        let owner = after
            .split_once('>')
            .filter(|(_, next)| next.starts_with("::"));
        let owner = owner.and_then(|(inside, next)| Some((inside.split_once(" as ")?.0, next)));
        match owner.filter(|(owner, _)| !owner.contains(['<', '('])) {
            Some((owner, next)) => {
                plain += owner;
                rest = next;
            }
            None => {
                plain.push('<');
                rest = after;
            }
        }
    }
    plain + rest
}
