//! What a change of a schema breaks.
use super::{Told, bounds};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Compares two schemas of the field at a path. The API server drops nulls that may not be there;
/// `kept` is where it cannot.
pub(super) fn compare(old: &Value, new: &Value, at: &str, kept: bool, told: &mut Told) {
    let field = if at.is_empty() { "." } else { at };
    if let Some((old, new)) = narrowed(old, new) {
        return told.tell(true, Some(field), format!("was {old} and is {new}"));
    }
    if old["nullable"] == true && new["nullable"] != true {
        told.tell(kept, Some(field), "may not be null any more".into());
    }
    values(old, new, field, told);
    bounds::compare(old, new, field, told);
    rules(old, new, field, told);
    merging(old, new, field, told);
    if old["default"] != new["default"] && !old["default"].is_null() {
        let what = match &new["default"] {
            Value::Null => format!("has no default any more; it was {}", old["default"]),
            new => format!("has another default: {new}; it was {}", old["default"]),
        };
        told.tell(false, Some(field), what);
    }
    properties(old, new, at, told);
    let item = |schema: &Value| schema["items"].is_object();
    if item(old) && item(new) {
        compare(&old["items"], &new["items"], &format!("{at}[]"), true, told);
    }
    let entries = |schema: &Value| schema["additionalProperties"].is_object();
    if entries(old) && entries(new) {
        let [old, new] = [old, new].map(|schema| &schema["additionalProperties"]);
        compare(old, new, &format!("{at}.*"), false, told);
    }
}

/// What values a schema takes, in words; nothing if any.
fn kind(schema: &Value) -> Option<&str> {
    match schema["x-kubernetes-int-or-string"] == true {
        true => Some("an integer or a string"),
        false => schema["type"].as_str(),
    }
}

/// The types of both, where the new one takes less or others.
fn narrowed<'a>(old: &'a Value, new: &'a Value) -> Option<(&'a str, &'a str)> {
    let (before, after) = (kind(old), kind(new)?);
    let wider = match (before, after) {
        (Some(before), after) if before == after => true,
        (Some("integer"), "number") => true,
        (Some("integer" | "string"), "an integer or a string") => true,
        _ => false,
    };
    (!wider).then(|| (before.unwrap_or("of any type"), after))
}

fn values(old: &Value, new: &Value, field: &str, told: &mut Told) {
    let Some(left) = new["enum"].as_array() else {
        return;
    };
    match old["enum"].as_array() {
        None => told.tell(true, Some(field), "takes a few values only".into()),
        Some(before) => {
            let gone = before.iter().filter(|value| !left.contains(value));
            for value in gone {
                told.tell(true, Some(field), format!("does not take {value} any more"));
            }
        }
    }
}

/// What only a look at the values can tell.
fn rules(old: &Value, new: &Value, field: &str, told: &mut Told) {
    let list = |schema: &Value| -> Vec<String> {
        let rules = schema["x-kubernetes-validations"]
            .as_array()
            .into_iter()
            .flatten();
        rules
            .filter_map(|rule| rule["rule"].as_str())
            .map(str::to_owned)
            .collect()
    };
    let before = list(old);
    for rule in list(new).iter().filter(|rule| !before.contains(rule)) {
        told.tell(false, Some(field), format!("has a new rule: `{rule}`"));
    }
    for name in [
        "pattern",
        "format",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "multipleOf",
    ] {
        let (before, after) = (&old[name], &new[name]);
        // Bounds are told of these.
        let integer = name == "format" && kind(new) == Some("integer");
        if before == after || after.is_null() || integer {
            continue;
        }
        let what = match before {
            Value::Null => format!("has a new `{name}`: {after}"),
            before => format!("has another `{name}`: {after}; it was {before}"),
        };
        told.tell(false, Some(field), what);
    }
}

/// How lists and maps are merged, and what may be there twice.
fn merging(old: &Value, new: &Value, field: &str, told: &mut Told) {
    let how = |schema: &Value, name: &str| schema[name].as_str().map(str::to_owned);
    let list = |schema| how(schema, "x-kubernetes-list-type").unwrap_or("atomic".into());
    let (before, after) = (list(old), list(new));
    let keys = "x-kubernetes-list-map-keys";
    if before != after {
        let what = format!("was a list of the type `{before}` and is `{after}`");
        told.tell(after != "atomic", Some(field), what);
    } else if old[keys] != new[keys] {
        let what = format!(
            "its entries have other keys: {}; they were {}",
            new[keys], old[keys]
        );
        told.tell(true, Some(field), what);
    }
    let map = |schema| how(schema, "x-kubernetes-map-type").unwrap_or("granular".into());
    let (before, after) = (map(old), map(new));
    if before != after {
        let what = format!("was a map of the type `{before}` and is `{after}`");
        told.tell(false, Some(field), what);
    }
}

fn properties(old: &Value, new: &Value, at: &str, told: &mut Told) {
    let keeps = |schema: &Value| schema["x-kubernetes-preserve-unknown-fields"] == true;
    let open = |schema: &Value| {
        let entries = &schema["additionalProperties"];
        keeps(schema) || entries.is_object() || *entries == true
    };
    let none = Map::new();
    let [before, after] =
        [old, new].map(|schema| schema["properties"].as_object().unwrap_or(&none));
    let here = if at.is_empty() { "." } else { at };
    if open(old) && !open(new) {
        let what = "fields that are not named are dropped";
        told.tell(true, Some(here), what.into());
    }
    let required = |schema: &Value| -> BTreeSet<String> {
        let names = schema["required"].as_array().into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (was_required, is_required) = (required(old), required(new));
    for name in is_required.difference(&was_required) {
        let default = after
            .get(name)
            .is_some_and(|schema| !schema["default"].is_null());
        if !default {
            let field = format!("{at}.{name}");
            told.tell(true, Some(&field), "is required, and has no default".into());
        }
    }
    for (name, old) in before {
        let field = format!("{at}.{name}");
        match after.get(name) {
            Some(new) => compare(old, new, &field, is_required.contains(name), told),
            None if open(new) => {}
            None => told.tell(true, Some(&field), "is gone: objects lose it".into()),
        }
    }
}
