//! What every schema must be: of known keywords, with a type, without references.
use super::{Node, OfSchema, Rule, keywords};
use serde_json::Value;

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
/// Keywords that JSON Schema has and CRDs do not: those that must say nothing, and those that must
/// not be there.
const UNSUPPORTED: [&str; 3] = ["id", "$schema", "definitions"];
const ABSENT: [&str; 2] = ["dependencies", "additionalItems"];
/// What the root may say where the status is a subresource, whose schema is taken out of it.
const OF_ROOT: [&str; 22] = [
    "description",
    "type",
    "format",
    "title",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "required",
    "items",
    "properties",
    "externalDocs",
    "example",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];
/// Those of which no, too, is something that is said: pointers in Go.
const POINTERS: [&str; 5] = [
    "additionalProperties",
    "additionalItems",
    "maxProperties",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

pub(super) static RULES: [OfSchema; 13] = [
    (
        Rule::refused(
            "unknown-keyword",
            "a keyword that schemas of CRDs do not know",
            "leave it out of `#[schemars(extend(…))]` or the hand-written schema",
        ),
        |node| {
            keywords::unknown(node.schema).filter(|_| !node.lenient).map(|key| {
            format!("has `{key}`, which is no keyword of CRDs: strict validation, as of `kubectl apply`, refuses it")
        })
        },
    ),
    (
        Rule::regretted(
            "dropped-keyword",
            "an unknown keyword within items or values of a map, where the API server drops it silently",
            "leave it out of `#[schemars(extend(…))]` or the hand-written schema",
        ),
        |node| {
            keywords::unknown(node.schema)
                .filter(|_| node.lenient)
                .map(|key| {
                    format!("has `{key}`, which is no keyword of CRDs: the API server drops it")
                })
        },
    ),
    (
        Rule::refused(
            "malformed-keyword",
            "a keyword with a value of the wrong type",
            "correct it in `#[schemars(extend(…))]` or the hand-written schema",
        ),
        |node| keywords::malformed(node.schema),
    ),
    (
        Rule::refused(
            "ref",
            "`$ref`: the API server follows no references",
            "a type that holds itself has no schema: use `serde_json::Value` with `#[schemars(schema_with = …)]` there",
        ),
        |node| {
            node.schema["$ref"]
                .as_str()
                .map(|to| format!("refers to `{to}`, and the API server follows no references"))
        },
    ),
    (
        Rule::refused(
            "pattern-properties",
            "`patternProperties`: keys of maps cannot be told apart",
            "use a `BTreeMap<String, V>`, and a CEL rule for its keys",
        ),
        |node| {
            node.has("patternProperties")
                .then(|| "has `patternProperties`, which CRDs cannot have".into())
        },
    ),
    (
        Rule::refused(
            "unsupported-keyword",
            "`id`, `$schema`, `definitions`, `dependencies` or `additionalItems`",
            "leave it out of `#[schemars(extend(…))]` or the hand-written schema",
        ),
        unsupported,
    ),
    (
        Rule::refused(
            "unique-items",
            "`uniqueItems`: the time to check it would grow with the square of the size",
            "use a `Vec` with `#[x_kube(merge_strategy = ListMerge::Set)]` in place of a set",
        ),
        |node| {
            node.is_true("uniqueItems")
                .then(|| "has `uniqueItems`, which CRDs cannot have".into())
        },
    ),
    (
        Rule::refused(
            "list-items",
            "`items` with a schema for each item, as tuples have",
            "use a `Vec`, or a struct with named fields, in place of a tuple",
        ),
        |node| {
            node.schema["items"]
                .as_array()
                .filter(|items| !items.is_empty())
                .map(|_| {
                    "has a schema for each item, and all items of a list must have the same".into()
                })
        },
    ),
    (
        Rule::refused(
            "missing-items",
            "a list that does not say what it holds",
            "say what the items are: `Vec<T>`, or `items` in the hand-written schema",
        ),
        missing_items,
    ),
    (
        Rule::refused(
            "missing-type",
            "a schema without `type`, `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`",
            "give `serde_json::Value` and enums that hold data `#[schemars(schema_with = …)]` with a type, or with `x-kubernetes-preserve-unknown-fields: true`",
        ),
        missing_type,
    ),
    (
        Rule::refused(
            "unknown-type",
            "a type that is none of array, boolean, integer, number, object and string",
            "use one type; an `Option` has `nullable: true`, not the type null",
        ),
        unknown_type,
    ),
    (
        Rule::refused(
            "root",
            "a root that is no object, or a map, or nullable, or missing",
            "derive it with `#[derive(CustomResource)]` on a struct with named fields",
        ),
        root,
    ),
    (
        Rule::refused(
            "root-keyword",
            "a keyword at the root that the schema of the status, taken out of it, would lose",
            "say it of the spec: the root of a kind with a status has fields and CEL rules only",
        ),
        root_keyword,
    ),
];

fn unsupported(node: &Node<'_>) -> Option<String> {
    let said = UNSUPPORTED.iter().find(|key| node.has(key));
    let key = said.or_else(|| ABSENT.iter().find(|key| node.is_there(key)))?;
    Some(format!("has `{key}`, which CRDs cannot have"))
}

fn missing_items(node: &Node<'_>) -> Option<String> {
    let is_list = !node.nested && node.text("type") == Some("array");
    let missing = is_list && !node.schema["items"].is_object();
    missing.then(|| "is a list that does not say of what".into())
}

fn missing_type(node: &Node<'_>) -> Option<String> {
    let free = [
        "x-kubernetes-int-or-string",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let absent = !node.is_there("type") || node.schema["type"] == "";
    // That the whole schema is missing is told by another rule.
    let is_declared = !node.nested && (!node.is_root() || node.schema.is_object());
    let missing = is_declared && absent && !free.iter().any(|key| node.is_true(key));
    missing.then(|| "has no type, without which the API server does not know what to keep".into())
}

fn unknown_type(node: &Node<'_>) -> Option<String> {
    let kind = node.text("type").filter(|kind| !TYPES.contains(kind))?;
    Some(format!(
        "is of type {kind}, which is none of {}",
        TYPES.join(", ")
    ))
}

fn root(node: &Node<'_>) -> Option<String> {
    if !node.is_root() {
        return None;
    }
    let what = match node.schema {
        schema if !schema.is_object() => "is missing: each version needs a schema",
        _ if node.text("type").is_some_and(|kind| kind != "object") => "must be an object",
        _ if node.is_true("nullable") => "must not be nullable",
        _ if node.is_there("additionalProperties") => "must not be a map",
        _ => return None,
    };
    Some(what.into())
}

fn root_keyword(node: &Node<'_>) -> Option<String> {
    let has_status = node.version["subresources"]["status"].is_object();
    if !has_status || !node.is_root() {
        return None;
    }
    let lost = |(key, value): &(&String, &Value)| {
        let pointer = POINTERS.contains(&key.as_str()) || key.as_str() == "minProperties";
        let said = match value {
            Value::Null => false,
            Value::Array(_) | Value::Object(_) | Value::Number(_) => true,
            value => super::says(value) || pointer,
        };
        said && !OF_ROOT.contains(&key.as_str())
    };
    let (key, _) = node.schema.as_object()?.iter().find(lost)?;
    Some(format!(
        "has `{key}`, which would be lost for the status: it is a subresource"
    ))
}
