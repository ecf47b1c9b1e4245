//! Markers on Go types: what does in Rust what they do in Go.
use super::any;
use serde_json::Value;

/// What to write in Rust for a marker on a Go type; `@argument@` is the value that it has there, and
/// `@value@` that of a marker without named arguments, `@literal@` the same as Rust writes it.
#[rustfmt::skip]
const IN_RUST: &[(&str, &str)] = &[
    ("default", "use `#[serde(default = \"…\")]` on the field, with a function that returns `@value@`"),
    ("deprecatedversion", "use `#[kube(deprecated = \"@warning@\")]`"),
    ("example", "use `#[schemars(extend(\"example\" = @literal@))]`"),
    ("externalDocs", "use `#[schemars(extend(\"externalDocs\" = {\"url\": \"@url@\", \"description\": \"@description@\"}))]`"),
    ("metadata", "use `#[kube(annotation(\"key\", \"value\"), label(\"key\", \"value\"))]`"),
    ("nullable", "make the field an `Option`"),
    ("object", "nothing is needed: `#[derive(Clone, CustomResource)]` does it"),
    ("ac", "nothing is needed: serialize a type of the fields that you apply"),
    ("printcolumn", "use `#[kube(printcolumn(name = \"@name@\", type_ = \"@type@\", json_path = \"@JSONPath@\"))]`"),
    ("pruning:PreserveUnknownFields", "use `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("resource", "use `#[kube(plural = \"@path@\", singular = \"@singular@\", shortname = \"@shortName@\", category = \"@categories@\", namespaced)]`"),
    ("selectablefield", "use `#[kube(selectable = \"@JSONPath@\")]`"),
    ("skip", "nothing is needed: only the types in `crds()` become CRDs"),
    ("skipversion", "nothing is needed: only the types in `crds()` become CRDs"),
    ("storageversion", "use `#[kube(storage = true)]`, and `storage = false` on the other versions"),
    ("subresource:scale", "use `#[kube(scale(spec_replicas_path = \"@specpath@\", status_replicas_path = \"@statuspath@\"))]`"),
    ("subresource:status", "use `#[kube(status = \"…\")]`"),
    ("title", "use `#[schemars(title = \"@value@\")]`"),
    ("unservedversion", "use `#[kube(served = false)]`"),
    ("validation:AtLeastOneOf", "use `#[x_kube(validation = \"has(self.a) || has(self.b)\")]` with `KubeSchema`"),
    ("validation:AtMostOneOf", "use `#[x_kube(validation = \"!(has(self.a) && has(self.b))\")]` with `KubeSchema`"),
    ("validation:EmbeddedResource", "use `#[schemars(extend(\"x-kubernetes-embedded-resource\" = true))]`"),
    ("validation:Enum", "make the type a Rust `enum` of @value@"),
    ("validation:ExactlyOneOf", "make the type a Rust `enum`"),
    ("validation:ExclusiveMaximum", "use `#[schemars(extend(\"exclusiveMaximum\" = true))]`"),
    ("validation:ExclusiveMinimum", "use `#[schemars(extend(\"exclusiveMinimum\" = true))]`"),
    ("validation:Format", "use `#[schemars(extend(\"format\" = \"@value@\"))]`"),
    ("validation:MaxItems", "use `#[schemars(length(max = @value@))]` on the `Vec`"),
    ("validation:MaxLength", "use `#[schemars(length(max = @value@))]`"),
    ("validation:MaxProperties", "use `#[schemars(extend(\"maxProperties\" = @value@))]`"),
    ("validation:Maximum", "use `#[schemars(range(max = @value@))]`"),
    ("validation:MinItems", "use `#[schemars(length(min = @value@))]` on the `Vec`"),
    ("validation:MinLength", "use `#[schemars(length(min = @value@))]`"),
    ("validation:MinProperties", "use `#[schemars(extend(\"minProperties\" = @value@))]`"),
    ("validation:Minimum", "use `#[schemars(range(min = @value@))]`"),
    ("validation:MultipleOf", "use `#[schemars(extend(\"multipleOf\" = @value@))]`"),
    ("validation:Optional", "make the field an `Option`, or give it `#[serde(default)]`"),
    ("validation:Pattern", "use `#[schemars(regex(pattern = \"@value@\"))]`"),
    ("validation:Required", "nothing is needed: a field is required unless it is an `Option` or has a default"),
    ("validation:Schemaless", "use `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("validation:Type", "use `#[schemars(extend(\"type\" = \"@value@\"))]`"),
    ("validation:UniqueItems", "use `#[x_kube(merge_strategy = ListMerge::Set)]` with `KubeSchema`"),
    ("validation:XEmbeddedResource", "use `#[schemars(extend(\"x-kubernetes-embedded-resource\" = true))]`"),
    ("validation:XIntOrString", "give the field the type `IntOrString` of k8s-openapi"),
    ("validation:XPreserveUnknownFields", "use `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("validation:XValidation", "use `#[x_kube(validation = Rule::new(\"@rule@\").message(\"@message@\"))]` with `KubeSchema`, or `#[kube(validation = \"@rule@\")]` at the root"),
    ("validation:items", "use `#[schemars(inner(…))]`"),
];

/// The names of the markers on Go types.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    IN_RUST.iter().map(|(name, _)| *name)
}

/// What to write in Rust for each, without the values.
pub(super) fn answers() -> impl Iterator<Item = (&'static str, String)> {
    let blank = |(name, answer): &(&'static str, &str)| (*name, filled(answer, &[]));
    IN_RUST.iter().map(blank)
}

/// The name of this marker, and what to write in Rust instead.
pub(super) fn answer(text: &str) -> Option<(&'static str, String)> {
    let fits = |(marker, _): &&(&str, &str)| {
        let rest = text.strip_prefix(marker);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '=', ' ', '\t']))
    };
    let longest = IN_RUST
        .iter()
        .filter(fits)
        .max_by_key(|(marker, _)| marker.len());
    let (marker, template) = longest?;
    let rest = &text[marker.len()..];
    if *marker == "validation:items" {
        return Some((
            marker,
            inner(rest).unwrap_or_else(|| (*template).to_owned()),
        ));
    }
    Some((marker, filled(template, &values(rest))))
}

/// What is said of items is said of the same for a value, in `inner(…)`.
fn inner(rest: &str) -> Option<String> {
    let of_value = format!("validation:{}", rest.strip_prefix(':')?);
    let (_, answer) = answer(&of_value)?;
    let (attribute, _) = answer.strip_prefix("use `#[schemars(")?.split_once(")]`")?;
    let validates = ["range(", "length(", "regex("]
        .iter()
        .any(|v| attribute.starts_with(v));
    validates.then(|| format!("use `#[schemars(inner({attribute}))]`"))
}

/// The arguments behind the name of a marker, as far as they can be told; one without a name is
/// called `value`.
fn values(rest: &str) -> Vec<(&str, String)> {
    let rest = rest.trim_start_matches(':');
    if let Some(value) = rest.strip_prefix('=') {
        return vec![("value", unquoted(value)), ("literal", literal(value))];
    }
    let mut quote = None;
    let outside = |c: char| {
        match quote {
            Some(open) if c == open => quote = None,
            None if "\"`'".contains(c) => quote = Some(c),
            _ => {}
        }
        c == ',' && quote.is_none()
    };
    let arguments = rest.split(outside).filter_map(|part| part.split_once('='));
    arguments
        .map(|(name, value)| (name.trim(), unquoted(value)))
        .collect()
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    let quoted = ['"', '`', '\''].into_iter().find_map(inside);
    quoted.unwrap_or(value).to_owned()
}

/// A value as Rust, and the macros of serde_json, write it; nothing if it is none.
fn literal(text: &str) -> String {
    any::parse(text).map_or_else(|_| String::new(), |value| rust(&value))
}

fn rust(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => format!("[{}]", list(items.iter().map(rust).collect())),
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| format!("{key:?}: {}", rust(value));
            format!("{{{}}}", list(map.iter().map(entry).collect()))
        }
        value => value.to_string(),
    }
}

fn filled(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (index, part) in template.split('@').enumerate() {
        if index % 2 == 0 {
            text.push_str(part);
            continue;
        }
        let value = values
            .iter()
            .find(|(name, value)| *name == part && !value.is_empty());
        match value {
            None => text.push('…'),
            Some((_, value)) if text.ends_with('"') => {
                text.push_str(&value.replace('\\', "\\\\").replace('"', "\\\""));
            }
            Some((_, value)) => text.push_str(value),
        }
    }
    text
}
