//! The fields of a kind: a section for each object, with a table of what is in it.
use super::markdown::{code, entities, line, table};
use serde_json::Value;
use std::collections::BTreeSet;

/// Writes the sections of a kind.
struct Fields<'a> {
    text: String,
    /// The anchors that are taken in this file.
    anchors: &'a mut BTreeSet<String>,
}

/// The sections of a kind with this schema.
pub(super) fn sections(kind: &str, schema: &Value, anchors: &mut BTreeSet<String>) -> String {
    let mut fields = Fields {
        text: String::new(),
        anchors,
    };
    fields.object(kind, schema, true);
    fields.text
}

impl Fields<'_> {
    /// The fields of an object at a path, and then those of the objects in it.
    fn object(&mut self, path: &str, schema: &Value, root: bool) {
        let required: BTreeSet<&str> = texts(&schema["required"]).collect();
        let mut inside = Vec::new();
        let mut rows = Vec::new();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            // Those are the same for all kinds.
            if root && ["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
                continue;
            }
            let (element, marks) = element(field);
            let mut kind = format!("{marks}{}", kind(element));
            if element["properties"]
                .as_object()
                .is_some_and(|fields| !fields.is_empty())
            {
                let path = format!(
                    "{path}.{name}{}",
                    marks.replace("map of ", ".*").replace("list of ", "[]")
                );
                let anchor = self.anchor(&path);
                kind = format!("{marks}[object](#{anchor})");
                inside.push((path, anchor, element));
            }
            let needed = if required.contains(name.as_str()) {
                "yes"
            } else {
                ""
            };
            rows.push(vec![code(name), kind, needed.to_owned(), about(field)]);
        }
        if !rows.is_empty() {
            let columns = ["Field", "Type", "Required", "Description"];
            self.text.push_str(&table(&columns, rows));
        }
        for (path, anchor, schema) in inside {
            let title = entities(&path);
            self.text
                .push_str(&format!("<a id=\"{anchor}\"></a>\n\n### {title}\n\n"));
            self.object(&path, schema, false);
        }
    }

    fn anchor(&mut self, path: &str) -> String {
        anchor(path, self.anchors)
    }
}

/// A name for a place that no other place of the file has.
pub(super) fn anchor(path: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let base: String = path.chars().map(plain).collect();
    let mut name = base.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{base}-{number}");
    }
    name
}

/// What lists and maps of a schema hold in the end, and those before it.
fn element(schema: &Value) -> (&Value, String) {
    let inner = match (&schema["items"], &schema["additionalProperties"]) {
        (items, _) if items.is_object() => Some(("list of ", items)),
        (_, entries) if entries.is_object() => Some(("map of ", entries)),
        _ => None,
    };
    match inner {
        Some((mark, inner)) => {
            let (element, marks) = element(inner);
            (element, format!("{mark}{marks}"))
        }
        None => (schema, String::new()),
    }
}

fn kind(schema: &Value) -> String {
    let kind = match schema["type"].as_str() {
        _ if schema["x-kubernetes-int-or-string"] == true => "integer or string",
        Some(kind) => kind,
        None => "any",
    };
    match schema["format"].as_str() {
        Some(format) => format!("{} ({})", entities(kind), entities(format)),
        None => entities(kind),
    }
}

/// The description of a field, and what its values have to be.
fn about(schema: &Value) -> String {
    let mut parts = Vec::new();
    let description = schema["description"].as_str().unwrap_or_default();
    if !description.trim().is_empty() {
        parts.push(line(description));
    }
    parts.extend(constraints(schema));
    let (element, marks) = element(schema);
    if !marks.is_empty() {
        let of_items = constraints(element).into_iter();
        parts.extend(of_items.map(|what| format!("Each: {what}")));
    }
    parts.join("<br>")
}

/// What a value has to be, each in words.
pub(super) fn constraints(schema: &Value) -> Vec<String> {
    let mut told = Vec::new();
    let value = |value: &Value| match value {
        Value::String(text) => code(&format!("{text:?}")),
        value => code(&value.to_string()),
    };
    if !schema["default"].is_null() {
        told.push(format!("Default: {}", value(&schema["default"])));
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(value).collect();
        told.push(format!("One of: {}", values.join(", ")));
    }
    let bounds = [
        ("Minimum", "minimum", "exclusiveMinimum"),
        ("Maximum", "maximum", "exclusiveMaximum"),
    ];
    for (name, bound, exclusive) in bounds {
        if !schema[bound].is_null() {
            let beyond = if schema[exclusive] == true {
                ", which is excluded"
            } else {
                ""
            };
            told.push(format!("{name}: {}{beyond}", value(&schema[bound])));
        }
    }
    let rest = [
        ("Multiple of", "multipleOf"),
        ("Shortest", "minLength"),
        ("Longest", "maxLength"),
        ("Fewest items", "minItems"),
        ("Most items", "maxItems"),
        ("Fewest entries", "minProperties"),
        ("Most entries", "maxProperties"),
    ];
    for (name, field) in rest {
        if !schema[field].is_null() {
            told.push(format!("{name}: {}", value(&schema[field])));
        }
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        told.push(format!("Pattern: {}", code(pattern)));
    }
    if schema["nullable"] == true {
        told.push("May be null".into());
    }
    if schema["x-kubernetes-preserve-unknown-fields"] == true {
        told.push("Keeps fields that are not listed".into());
    }
    told.extend(merging(schema));
    told.extend(rules(schema));
    told
}

fn merging(schema: &Value) -> Option<String> {
    match schema["x-kubernetes-list-type"].as_str()? {
        "set" => Some("No item is there twice".into()),
        "map" => {
            let keys = texts(&schema["x-kubernetes-list-map-keys"]).map(code);
            let keys: Vec<_> = keys.collect();
            Some(format!("Items are told apart by {}", keys.join(", ")))
        }
        _ => None,
    }
}

/// The rules in CEL.
pub(super) fn rules(schema: &Value) -> Vec<String> {
    let rules = schema["x-kubernetes-validations"]
        .as_array()
        .into_iter()
        .flatten();
    let told = rules.map(|rule| {
        let expression = code(rule["rule"].as_str().unwrap_or_default());
        match (rule["message"].as_str(), rule["messageExpression"].as_str()) {
            (Some(message), _) => format!("Rule: {expression}: {}", line(message)),
            (None, Some(message)) => format!("Rule: {expression}: {}", code(message)),
            _ => format!("Rule: {expression}"),
        }
    });
    told.collect()
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(Value::as_str)
}
