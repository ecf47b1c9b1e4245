//! Defaults: they must be values of their own schema, which keeps all of them.
use super::{Node, OfSchema, Rule, fit, node::or_nothing};
use serde_json::Value;
use std::borrow::Cow;

pub(super) static RULES: [OfSchema; 4] = [
    (
        Rule::refused(
            "default",
            "a default that its own schema refuses; patterns, formats and CEL rules are the server's",
            "make `Default`, or the function of `#[serde(default = …)]`, give a value of the schema",
        ),
        |node| {
            judged(node)
                .and_then(|default| fit::mismatch(default, &as_resource(node), ""))
                .map(|what| format!("has a default that {what}"))
        },
    ),
    (
        Rule::refused(
            "default-field",
            "a default with a field that the schema does not have",
            "make the schema of a hand-written `JsonSchema` match what is serialized, or let it preserve unknown fields",
        ),
        |node| {
            let default = judged(node).filter(|_| !node.in_meta)?;
            let field = lost(default, Some(&as_resource(node)), "")?;
            Some(format!(
                "has a default with `{field}`, which its schema does not have and the API server would lose"
            ))
        },
    ),
    (
        Rule::refused(
            "metadata-default",
            "a default within `metadata`, `kind` or `apiVersion`",
            "leave `metadata`, `kind` and `apiVersion` to Kubernetes",
        ),
        |node| {
            let why = node.no_default.filter(|_| node.is_there("default"))?;
            Some(format!("has a default: {why}"))
        },
    ),
    (
        Rule::regretted(
            "null-default",
            "a default that holds null, which is stored in every object",
            "add `#[serde(skip_serializing_if = \"Option::is_none\")]` to the optional fields of the default's type",
        ),
        |node| {
            let default = judged(node)?;
            has_null(default).then(|| format!("has the default `{default}`: its nulls are stored in every object, and server-side apply treats them as values"))
        },
    ),
];

/// The default that the server looks at.
fn judged<'a>(node: &Node<'a>) -> Option<&'a Value> {
    let skipped = node.nested || node.in_map || node.no_default.is_some();
    let default = &node.schema["default"];
    (!skipped && !default.is_null()).then_some(default)
}

/// The schema of a node; the root is a resource, whether it says so or not.
fn as_resource<'a>(node: &Node<'a>) -> Cow<'a, Value> {
    let mut schema = Cow::Borrowed(node.schema);
    if node.is_root() && node.schema.is_object() {
        schema.to_mut()["x-kubernetes-embedded-resource"] = true.into();
    }
    schema
}

/// The first field that pruning would take away, as the API server prunes objects.
fn lost(value: &Value, schema: Option<&Value>, at: &str) -> Option<String> {
    let of = or_nothing(schema);
    let keeps = of["x-kubernetes-preserve-unknown-fields"] == true;
    let embedded = of["x-kubernetes-embedded-resource"] == true;
    match value {
        Value::Object(map) => map.iter().find_map(|(name, value)| {
            let at = match at {
                "" => name.clone(),
                at => format!("{at}.{name}"),
            };
            let values = &of["additionalProperties"];
            match of["properties"].get(name) {
                _ if embedded && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") => {
                    None
                }
                Some(field) => lost(value, Some(field), &at),
                None if !values.is_null() => {
                    lost(value, Some(values).filter(|v| v.is_object()), &at)
                }
                None => (!keeps).then_some(at),
            }
        }),
        Value::Array(items) => items.iter().find_map(|item| {
            let below = Some(&of["items"]).filter(|items| items.is_object());
            match keeps {
                true => kept(item, below, at),
                false => lost(item, below, at),
            }
        }),
        _ => None,
    }
}

/// As [`lost`], for an item of a list that preserves what is unknown.
fn kept(value: &Value, schema: Option<&Value>, at: &str) -> Option<String> {
    let mut schema = schema?.clone();
    schema["x-kubernetes-preserve-unknown-fields"] = true.into();
    lost(value, Some(&schema), at)
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(map) => map.values().any(has_null),
        _ => false,
    }
}
