//! What `allOf`, `anyOf`, `oneOf` and `not` may say: they narrow, and declare nothing.
use super::{Node, OfSchema, Rule, says};

/// What only the schema itself may say. Of the last four, no and the empty text, too, are said.
const DECLARES: [&str; 13] = [
    "type",
    "title",
    "description",
    "nullable",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-validations",
    "additionalProperties",
    "default",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];
const ALWAYS: [&str; 3] = ["default", "x-kubernetes-list-type", "x-kubernetes-map-type"];

pub(super) static RULES: [OfSchema; 3] = [
    (
        Rule::refused(
            "nested-keyword",
            "a type, description, default or other declaration within `allOf`, `anyOf`, `oneOf` or `not`",
            "use a struct with an `Option` a variant, and a CEL rule, in place of an enum whose variants hold data",
        ),
        keyword,
    ),
    (
        Rule::refused(
            "nested-field",
            "a field or item that `allOf`, `anyOf`, `oneOf` or `not` of the root narrows, and nothing declares",
            "declare the field outside of `allOf`, `anyOf`, `oneOf` and `not`, too",
        ),
        |node| {
            (node.undeclared && node.narrows_root)
                .then(|| "is narrowed by the root, but not declared".into())
        },
    ),
    (
        Rule::regretted(
            "pruned-field",
            "a field or item that `allOf`, `anyOf`, `oneOf` or `not` narrows, and nothing declares: the API server drops it before it looks",
            "declare the field outside of `allOf`, `anyOf`, `oneOf` and `not`, too",
        ),
        |node| {
            let open = node.declared_around.is_some_and(|outer| {
                outer["x-kubernetes-preserve-unknown-fields"] == true
                    || says(&outer["additionalProperties"])
            });
            let dropped = node.undeclared && !node.narrows_root && !open;
            dropped.then(|| {
                "is narrowed, but not declared: the API server drops it before it looks".into()
            })
        },
    ),
];

fn keyword(node: &Node<'_>) -> Option<String> {
    if !node.nested {
        return None;
    }
    let said = |key: &&&str| match **key {
        "type" if node.may_type => false,
        "additionalProperties" => {
            node.is_there("additionalProperties") && node.schema["additionalProperties"] != false
        }
        key if ALWAYS.contains(&key) => node.is_there(key),
        key => node.has(key),
    };
    let key = DECLARES.iter().find(said)?;
    Some(format!(
        "has `{key}` within `allOf`, `anyOf`, `oneOf` or `not`, which may narrow, but declare nothing"
    ))
}
