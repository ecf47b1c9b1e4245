//! Objects, maps and what stands for any value.
use super::{Node, OfSchema, Rule, says};
use serde_json::Value;

pub(super) static RULES: [OfSchema; 7] = [
    (
        Rule::refused(
            "metadata",
            "`metadata` with more than `name` and `generateName`, or with `kind` or `apiVersion` of another type",
            "leave `metadata`, `kind` and `apiVersion` to Kubernetes",
        ),
        metadata,
    ),
    (
        Rule::refused(
            "map-and-fields",
            "a schema that is both a map and an object with fields",
            "give a map that is flattened with `#[serde(flatten)]` a field of its own",
        ),
        map_and_fields,
    ),
    (
        Rule::refused(
            "preserve-unknown-fields",
            "`x-kubernetes-preserve-unknown-fields: false`",
            "set `x-kubernetes-preserve-unknown-fields` to true, or leave it out",
        ),
        |node| {
            let no = node.schema["x-kubernetes-preserve-unknown-fields"] == false;
            no.then(|| {
                "has `x-kubernetes-preserve-unknown-fields: false`: it must be true or absent"
                    .into()
            })
        },
    ),
    (
        Rule::refused(
            "embedded-resource",
            "`x-kubernetes-embedded-resource` on what is no object, is a map, has no fields, or is within metadata",
            "make it an object with fields or with `x-kubernetes-preserve-unknown-fields: true`",
        ),
        embedded,
    ),
    (
        Rule::refused(
            "int-or-string",
            "`x-kubernetes-int-or-string` with what makes it something else",
            "use `IntOrString` of k8s-openapi as it is",
        ),
        int_or_string,
    ),
    (
        Rule::refused(
            "map-type",
            "`x-kubernetes-map-type` that is neither granular nor atomic, or not of an object",
            "use `#[x_kube(merge_strategy = …)]` with `MapMerge` or `StructMerge`, on a map or struct",
        ),
        map_type,
    ),
    (
        Rule::regretted(
            "int-or-string-type",
            "`x-kubernetes-int-or-string` with one type, which refuses the other",
            "leave `type` out: use `IntOrString` or `Quantity` of k8s-openapi as they are",
        ),
        |node| {
            let kind = node
                .text("type")
                .filter(|_| node.is_true("x-kubernetes-int-or-string"))?;
            Some(format!(
                "is an int-or-string, and of type {kind}: only the latter is taken"
            ))
        },
    ),
];

fn metadata(node: &Node<'_>) -> Option<String> {
    let properties = &node.schema["properties"];
    if node.nested {
        let narrows = properties.get("metadata").is_some();
        return narrows.then(|| "narrows `metadata`, which is Kubernetes' own".into());
    }
    if !node.is_root() && !node.is_true("x-kubernetes-embedded-resource") {
        return None;
    }
    for (name, kind) in [
        ("kind", "string"),
        ("apiVersion", "string"),
        ("metadata", "object"),
    ] {
        let field = properties.get(name);
        if field.is_some_and(|field| field["type"] != kind) {
            return Some(format!("has a `{name}` that is not of type {kind}"));
        }
    }
    let metadata = properties["metadata"]
        .as_object()
        .filter(|_| node.is_root())?;
    let (key, _) = metadata
        .iter()
        .find(|(key, value)| !may_be_in_metadata(key, value))?;
    Some(format!("has `metadata.{key}`, which is Kubernetes' own"))
}

/// What the schema of an object's metadata may say: the type, and what names are like.
fn may_be_in_metadata(key: &str, value: &Value) -> bool {
    let name = |key: &String| key == "name" || key == "generateName";
    match key {
        "type" | "default" => true,
        "properties" => value.as_object().is_none_or(|map| map.keys().all(name)),
        // Behind a pointer, or a list that is there.
        "additionalProperties" | "required" | "x-kubernetes-list-map-keys" => value.is_null(),
        "items" | "not" | "externalDocs" | "x-kubernetes-list-type" | "x-kubernetes-map-type" => {
            value.is_null()
        }
        _ => !says(value),
    }
}

fn map_and_fields(node: &Node<'_>) -> Option<String> {
    let map = &node.schema["additionalProperties"];
    let both = node.has("properties") && !map.is_null() && *map != true;
    both.then(|| "is a map and has fields of its own: the two exclude each other".into())
}

fn embedded(node: &Node<'_>) -> Option<String> {
    if !node.is_true("x-kubernetes-embedded-resource") {
        return None;
    }
    let empty = !node.has("properties") && !node.is_true("x-kubernetes-preserve-unknown-fields");
    let what = match node.text("type") {
        _ if node.in_meta => "is an embedded resource, which cannot be within metadata",
        _ if node.nested => return None,
        Some("object") if node.is_there("additionalProperties") => {
            "is an embedded resource, which cannot be a map"
        }
        Some("object") if empty => {
            "is an embedded resource without fields, which would lose all it is given"
        }
        Some("object") => return None,
        _ => "is an embedded resource, which must be an object",
    };
    Some(what.into())
}

fn int_or_string(node: &Node<'_>) -> Option<String> {
    let others = [
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-embedded-resource",
    ];
    let is = !node.nested && node.is_true("x-kubernetes-int-or-string");
    let other = others.iter().find(|key| is && node.is_true(key))?;
    Some(format!("is an int-or-string, which cannot have `{other}`"))
}

fn map_type(node: &Node<'_>) -> Option<String> {
    let kind = &node.schema["x-kubernetes-map-type"];
    let right = node.text("type") == Some("object") && (*kind == "atomic" || *kind == "granular");
    (!kind.is_null() && !right).then(|| {
        format!("has `x-kubernetes-map-type: {kind}`: it must be granular or atomic, on an object")
    })
}
