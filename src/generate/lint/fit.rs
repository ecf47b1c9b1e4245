//! Whether a value fits a schema, as far as that can be told without regular expressions, formats of
//! strings and CEL: those are taken to fit.
use super::{items, node::or_nothing, text};
use serde_json::{Number, Value};

/// Why the API server refuses a value, if it does.
pub(super) fn mismatch(value: &Value, schema: &Value, at: &str) -> Option<String> {
    let told = |what: String| match at {
        "" => Some(what),
        at => Some(format!("{what}, at `{at}`")),
    };
    let kind = text(&schema["type"]);
    let values = items(&schema["enum"]);
    if value.is_null() {
        return match kind {
            Some(_) if schema["nullable"] != true => told("is null, but not nullable".into()),
            // Null is never found in an enum, even if that has it.
            _ if !values.is_empty() => {
                told("is null, which the API server finds in no enum".into())
            }
            _ => None,
        };
    }
    if let Some(kind) = kind.filter(|kind| !is_of(value, kind) && !escapes(value, kind, schema)) {
        return told(format!("is {value}, which is not of type {kind}"));
    }
    if !values.is_empty() && !values.iter().any(|other| equal(other, value)) {
        return told(format!("is {value}, which is not in its enum"));
    }
    let own = match value {
        Value::Number(number) => number_mismatch(number, schema),
        Value::String(text) => size(text.chars().count(), schema, ["minLength", "maxLength"]),
        Value::Array(list) => size(list.len(), schema, ["minItems", "maxItems"]),
        Value::Object(map) => size(map.len(), schema, ["minProperties", "maxProperties"]),
        _ => None,
    };
    own.and_then(told)
        .or_else(|| below(value, schema, at))
        .or_else(|| combined(value, schema, at))
}

fn below(value: &Value, schema: &Value, at: &str) -> Option<String> {
    match value {
        Value::Object(map) => {
            let mut names = items(&schema["required"]).iter().filter_map(Value::as_str);
            if let Some(name) = names.find(|name| !map.contains_key(*name)) {
                return Some(format!("lacks the required `{}`", join(at, name)));
            }
            let embedded = schema["x-kubernetes-embedded-resource"] == true;
            let nameless = ["apiVersion", "kind"]
                .into_iter()
                .find(|name| embedded && text(or_nothing(map.get(*name))).is_none());
            if let Some(name) = nameless {
                return Some(format!(
                    "is an embedded resource without `{}`",
                    join(at, name)
                ));
            }
            let mut fields = map.iter();
            fields.find_map(|(name, value)| field(name, value, schema, &join(at, name)))
        }
        Value::Array(list) => {
            let of = &schema["items"];
            let mut list = list.iter();
            list.find_map(|item| mismatch(item, of, &format!("{at}[]")))
        }
        _ => None,
    }
}

fn field(name: &str, value: &Value, schema: &Value, at: &str) -> Option<String> {
    let values = &schema["additionalProperties"];
    match schema["properties"].get(name) {
        Some(field) => mismatch(value, field, at),
        None if values.is_object() => mismatch(value, values, at),
        None => {
            (*values == false).then(|| format!("has `{at}`, and its schema allows no such field"))
        }
    }
}

fn join(at: &str, name: &str) -> String {
    match at {
        "" => name.to_owned(),
        at => format!("{at}.{name}"),
    }
}

/// `allOf`, `anyOf`, `oneOf` and `not`.
fn combined(value: &Value, schema: &Value, at: &str) -> Option<String> {
    let mismatch = |value, schema: &Value, at| match schema["additionalProperties"] == false {
        // The server does not look at that here.
        true => mismatch(value, &without(schema, "additionalProperties"), at),
        false => mismatch(value, schema, at),
    };
    let fits = |schema: &&Value| mismatch(value, schema, at).is_none();
    let all = items(&schema["allOf"]).iter();
    if let Some(what) = all.clone().find_map(|schema| mismatch(value, schema, at)) {
        return Some(what);
    }
    let any = items(&schema["anyOf"]);
    if !any.is_empty() && !any.iter().any(|schema| fits(&schema)) {
        return Some(format!("is {value}, which fits none of its `anyOf`"));
    }
    let one = items(&schema["oneOf"]);
    let decided = one.iter().all(is_decided);
    let count = one.iter().filter(fits).count();
    if !one.is_empty() && (count == 0 || (decided && count > 1)) {
        return Some(format!("is {value}, which fits {count} of its `oneOf`"));
    }
    let not = &schema["not"];
    let refused = not.is_object() && is_decided(not) && fits(&not);
    refused.then(|| format!("is {value}, which fits its `not`"))
}

fn without(schema: &Value, key: &str) -> Value {
    let mut schema = schema.clone();
    schema.as_object_mut().map(|map| map.remove(key));
    schema
}

/// Whether a schema says nothing that only the server can judge.
fn is_decided(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map
            .iter()
            .all(|(key, value)| !matches!(key.as_str(), "pattern" | "format") && is_decided(value)),
        Value::Array(items) => items.iter().all(is_decided),
        _ => true,
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64() || value.as_f64().is_some_and(|f| f.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// The server takes any text or list where there is a format, but for numbers.
fn escapes(value: &Value, kind: &str, schema: &Value) -> bool {
    let has_format = text(&schema["format"]).is_some();
    let is_number = matches!(kind, "integer" | "number");
    has_format && !is_number && (value.is_string() || value.is_array())
}

/// 1 and 1.0 are one number.
fn equal(a: &Value, b: &Value) -> bool {
    a == b || matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a == b)
}

/// Go compares whole numbers with the whole part of bounds, and refuses all where a bound of an
/// integer is none itself.
fn number_mismatch(number: &Number, schema: &Value) -> Option<String> {
    let value = number.as_f64()?;
    let whole = |bound: f64| {
        if value.fract() == 0.0 {
            bound.trunc()
        } else {
            bound
        }
    };
    let bound = |key: &str| schema[key].as_f64().map(whole);
    let excludes = |key: &str| schema[key] == true;
    if let Some(key) = wrong_bound(schema) {
        return Some(format!(
            "is {number}, which cannot be compared with its {key}"
        ));
    }
    if range(schema).is_some_and(|(least, most)| value < least || value > most) {
        return Some(format!("is {number}, which is not of its format"));
    }
    if bound("minimum")
        .is_some_and(|least| value < least || (value == least && excludes("exclusiveMinimum")))
    {
        return Some(format!("is {number}, below its minimum"));
    }
    if bound("maximum")
        .is_some_and(|most| value > most || (value == most && excludes("exclusiveMaximum")))
    {
        return Some(format!("is {number}, beyond its maximum"));
    }
    let multiple = |of: f64| of > 0.0 && (value / of).fract() == 0.0;
    let misses = bound("multipleOf").is_some_and(|of| !multiple(of));
    misses.then(|| format!("is {number}, no multiple of the whole part of its `multipleOf`"))
}

/// The bound of an integer that is no integer, or none of its format: the server refuses any value.
pub(super) fn wrong_bound(schema: &Value) -> Option<&'static str> {
    let (least, most) = range(schema)?;
    let is_integer = schema["type"] == "integer";
    ["minimum", "maximum", "multipleOf"]
        .into_iter()
        .find(|key| {
            let outside =
                |bound: f64| bound < least || bound > most || (is_integer && bound.fract() != 0.0);
            schema[*key].as_f64().is_some_and(outside)
        })
}

/// What the server takes for numbers of the type and format; no range where it takes all.
fn range(schema: &Value) -> Option<(f64, f64)> {
    match (schema["type"].as_str()?, text(&schema["format"])) {
        ("integer", Some("int32")) => Some((i32::MIN.into(), i32::MAX.into())),
        ("integer", _) => Some((-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_807.0)),
        ("number", Some("float")) => Some((f64::from(f32::MIN), f64::from(f32::MAX))),
        _ => None,
    }
}

fn size(size: usize, schema: &Value, [least, most]: [&str; 2]) -> Option<String> {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    if schema[least].as_i64().is_some_and(|least| size < least) {
        return Some(format!("has a size of {size}, below its {least}"));
    }
    let beyond = schema[most].as_i64().is_some_and(|most| size > most);
    beyond.then(|| format!("has a size of {size}, beyond its {most}"))
}
