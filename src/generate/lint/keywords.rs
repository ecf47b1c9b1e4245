//! The keywords that schemas of CRDs know, and what they hold.
use serde_json::Value;

/// What a keyword holds.
#[derive(Clone, Copy)]
enum Holds {
    Anything,
    Text,
    Yes,
    Whole,
    Number,
    Texts,
    Things,
    Schema,
    Schemas,
    NamedSchemas,
    SchemaOrYes,
    Rules,
    Docs,
}

use Holds::{
    Anything, Docs, NamedSchemas, Number, Rules, Schema, SchemaOrYes, Schemas, Text, Texts, Things,
    Whole, Yes,
};

const KEYWORDS: [(&str, Holds); 44] = [
    ("id", Text),
    ("$schema", Text),
    ("$ref", Text),
    ("description", Text),
    ("type", Text),
    ("format", Text),
    ("title", Text),
    ("default", Anything),
    ("maximum", Number),
    ("exclusiveMaximum", Yes),
    ("minimum", Number),
    ("exclusiveMinimum", Yes),
    ("maxLength", Whole),
    ("minLength", Whole),
    ("pattern", Text),
    ("maxItems", Whole),
    ("minItems", Whole),
    ("uniqueItems", Yes),
    ("multipleOf", Number),
    ("enum", Things),
    ("maxProperties", Whole),
    ("minProperties", Whole),
    ("required", Texts),
    // A value that is neither schema nor list counts as none.
    ("items", Anything),
    ("allOf", Schemas),
    ("oneOf", Schemas),
    ("anyOf", Schemas),
    ("not", Schema),
    ("properties", NamedSchemas),
    ("additionalProperties", SchemaOrYes),
    ("patternProperties", NamedSchemas),
    ("dependencies", Schema),
    ("additionalItems", SchemaOrYes),
    ("definitions", NamedSchemas),
    ("externalDocs", Docs),
    ("example", Anything),
    ("nullable", Yes),
    ("x-kubernetes-preserve-unknown-fields", Yes),
    ("x-kubernetes-embedded-resource", Yes),
    ("x-kubernetes-int-or-string", Yes),
    ("x-kubernetes-list-map-keys", Texts),
    ("x-kubernetes-list-type", Text),
    ("x-kubernetes-map-type", Text),
    ("x-kubernetes-validations", Rules),
];

const RULE: [&str; 6] = [
    "rule",
    "message",
    "messageExpression",
    "reason",
    "fieldPath",
    "optionalOldSelf",
];
const DOCS: [&str; 2] = ["description", "url"];

/// The first keyword that is not known, also one within a rule or a reference to documentation.
pub(super) fn unknown(schema: &Value) -> Option<String> {
    let known = |key: &str| KEYWORDS.iter().any(|(known, _)| *known == key);
    let mut keys = schema.as_object().into_iter().flatten();
    keys.find_map(|(key, value)| {
        let inner = |known: &[&str], value: &Value| {
            let mut keys = value.as_object().into_iter().flat_map(|map| map.keys());
            let unknown = keys.find(|name| !known.contains(&name.as_str()))?;
            Some(format!("{key}.{unknown}"))
        };
        match key.as_str() {
            "x-kubernetes-validations" => {
                let mut rules = value.as_array().into_iter().flatten();
                rules.find_map(|rule| inner(&RULE, rule))
            }
            "externalDocs" => inner(&DOCS, value),
            key => (!known(key)).then(|| key.to_owned()),
        }
    })
}

/// The first keyword whose value cannot be read, and what it has to be.
pub(super) fn malformed(schema: &Value) -> Option<String> {
    KEYWORDS.iter().find_map(|(key, holds)| {
        let value = &schema[*key];
        (!value.is_null() && !fits(value, *holds)).then(|| {
            let wanted = wanted(*holds);
            format!("has `{key}: {value}`, which must be {wanted}")
        })
    })
}

fn fits(value: &Value, holds: Holds) -> bool {
    let each =
        |fits: fn(&Value) -> bool| value.as_array().is_some_and(|items| items.iter().all(fits));
    let object = |value: &Value| value.is_object() || value.is_null();
    match holds {
        Anything => true,
        Text => value.is_string(),
        Yes => value.is_boolean(),
        // rop writes 1.0 as 1.
        Whole => {
            value.is_i64()
                || value
                    .as_f64()
                    .is_some_and(|f| f.fract() == 0.0 && f.abs() < 9e15)
        }
        Number => value.is_number(),
        Things => value.is_array(),
        Texts => each(|item| item.is_string() || item.is_null()),
        Schemas => each(object),
        Schema => value.is_object(),
        NamedSchemas => value
            .as_object()
            .is_some_and(|map| map.values().all(object)),
        SchemaOrYes => value.is_object() || value.is_boolean(),
        Rules => value
            .as_array()
            .is_some_and(|rules| rules.iter().all(is_rule)),
        Docs => value
            .as_object()
            .is_some_and(|map| map.values().all(is_text)),
    }
}

fn is_rule(rule: &Value) -> bool {
    let Some(map) = rule.as_object() else {
        return rule.is_null();
    };
    map.iter().all(|(key, value)| match key.as_str() {
        "optionalOldSelf" => value.is_boolean() || value.is_null(),
        key => is_text(value) || !RULE.contains(&key),
    })
}

fn is_text(value: &Value) -> bool {
    value.is_string() || value.is_null()
}

fn wanted(holds: Holds) -> &'static str {
    match holds {
        Anything => "anything",
        Text => "a string",
        Yes => "true or false",
        Whole => "a whole number",
        Number => "a number",
        Texts => "a list of strings",
        Things => "a list",
        Schema => "a schema",
        Schemas => "a list of schemas",
        NamedSchemas => "a map of schemas",
        SchemaOrYes => "a schema, true or false",
        Rules => "a list of rules, of strings",
        Docs => "a map of strings",
    }
}
