//! Lists that are merged by their items.
use super::{Node, OfSchema, Rule, items};
use serde_json::Value;

pub(super) static RULES: [OfSchema; 4] = [
    (
        Rule::refused(
            "list-type",
            "`x-kubernetes-list-type` that is none of atomic, set and map, or not of a list",
            "use `#[x_kube(merge_strategy = ListMerge::…)]` on a `Vec`",
        ),
        list_type,
    ),
    (
        Rule::refused(
            "list-map-keys",
            "`x-kubernetes-list-map-keys` that are no scalar fields of the items, or of a list of another type",
            "name fields of the items in `ListMerge::Map(vec![…])`, as they are serialized",
        ),
        list_map_keys,
    ),
    (
        Rule::refused(
            "list-map-key-required",
            "a key of a list of type map that items may leave out",
            "make the key neither an `Option` nor without a default that the schema shows",
        ),
        key_required,
    ),
    (
        Rule::refused(
            "set-items",
            "a set of items that can be null, or can be merged themselves",
            "a set holds scalars, or structs with `StructMerge::Atomic`: use `ListMerge::Map` or `Atomic`",
        ),
        set_items,
    ),
];

fn list_type(node: &Node<'_>) -> Option<String> {
    let kind = &node.schema["x-kubernetes-list-type"];
    let known = ["atomic", "set", "map"].iter().any(|known| kind == known);
    let right = known && node.text("type") == Some("array");
    (!kind.is_null() && !right).then(|| {
        format!("has `x-kubernetes-list-type: {kind}`: it must be atomic, set or map, on a list")
    })
}

fn list_map_keys(node: &Node<'_>) -> Option<String> {
    let keys = items(&node.schema["x-kubernetes-list-map-keys"]);
    if node.schema["x-kubernetes-list-type"] != "map" {
        return (!keys.is_empty())
            .then(|| "has `x-kubernetes-list-map-keys`, but is no list of type map".into());
    }
    let of = &node.schema["items"];
    if keys.is_empty() {
        return Some("is a list of type map without keys".into());
    }
    if of["type"] != "object" {
        return Some("is a list of type map, but its items are no objects".into());
    }
    let mut seen = Vec::new();
    for key in keys {
        let name = key.as_str().unwrap_or_default();
        let field = of["properties"].get(name);
        let what = match field.map(|field| field["type"].as_str().unwrap_or_default()) {
            None => "is no field of its items",
            Some("array" | "object") => "is no scalar",
            _ if seen.contains(&key) => "is there twice",
            _ => {
                seen.push(key);
                continue;
            }
        };
        return Some(format!("has the key `{name}`, which {what}"));
    }
    None
}

fn key_required(node: &Node<'_>) -> Option<String> {
    if node.schema["x-kubernetes-list-type"] != "map" || !node.schema["items"].is_object() {
        return None;
    }
    let of = &node.schema["items"];
    if of["nullable"] == true {
        return Some("is a list of type map, whose items cannot be null".into());
    }
    let required = |name: &str| items(&of["required"]).iter().any(|other| other == name);
    let keys = items(&node.schema["x-kubernetes-list-map-keys"]).iter();
    keys.filter_map(Value::as_str).find_map(|name| {
        let field = of["properties"].get(name)?;
        let there = required(name) || !field["default"].is_null();
        let what = match field["nullable"] == true {
            true => "can be null",
            false if !there => "is neither required nor has a default",
            false => return None,
        };
        Some(format!("has the key `{name}`, which {what}"))
    })
}

fn set_items(node: &Node<'_>) -> Option<String> {
    let of = &node.schema["items"];
    if node.schema["x-kubernetes-list-type"] != "set" || !of.is_object() {
        return None;
    }
    let is_list = node.text("type") == Some("array");
    let what = match of["type"].as_str() {
        _ if of["nullable"] == true => "null",
        Some("array") if is_list => match of["x-kubernetes-list-type"].as_str() {
            Some("atomic") | None => return None,
            Some(_) => "lists that are not atomic",
        },
        Some("object") if is_list && of["x-kubernetes-map-type"] != "atomic" => {
            "objects that are not atomic"
        }
        _ => return None,
    };
    Some(format!("is a set that can hold {what}"))
}
