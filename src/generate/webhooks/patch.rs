//! The patch of a webhook: a strategic merge patch, which for webhooks means that maps are merged,
//! lists are replaced, and null removes. Directives (`$patch` and such) are not read.
use crate::generate::markers::nearest;
use serde_json::Value;

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Text,
    Integer,
    /// Bytes, in base64.
    Bytes,
    List(&'static Shape),
    /// Texts by keys of any name.
    Labels,
    Fields(&'static [(&'static str, Shape)]),
}

const TEXTS: Shape = Shape::List(&Shape::Text);
const SELECTOR: Shape = Shape::Fields(&[
    ("matchLabels", Shape::Labels),
    ("matchExpressions", Shape::List(&EXPRESSION)),
]);
const EXPRESSION: Shape = Shape::Fields(&[
    ("key", Shape::Text),
    ("operator", Shape::Text),
    ("values", TEXTS),
]);
const RULE: Shape = Shape::Fields(&[
    ("operations", TEXTS),
    ("apiGroups", TEXTS),
    ("apiVersions", TEXTS),
    ("resources", TEXTS),
    ("scope", Shape::Text),
]);
const CONDITION: Shape = Shape::Fields(&[("name", Shape::Text), ("expression", Shape::Text)]);
const CLIENT: Shape = Shape::Fields(&[
    ("url", Shape::Text),
    ("service", SERVICE),
    ("caBundle", Shape::Bytes),
]);
const SERVICE: Shape = Shape::Fields(&[
    ("namespace", Shape::Text),
    ("name", Shape::Text),
    ("path", Shape::Text),
    ("port", Shape::Integer),
]);

/// A mutating webhook.
pub(super) const MUTATING: Shape = Shape::Fields(&FIELDS);
/// A validating webhook, which lacks the last field.
pub(super) const VALIDATING: Shape = Shape::Fields(FIELDS.split_at(FIELDS.len() - 1).0);

const FIELDS: [(&str, Shape); 12] = [
    ("name", Shape::Text),
    ("clientConfig", CLIENT),
    ("rules", Shape::List(&RULE)),
    ("failurePolicy", Shape::Text),
    ("matchPolicy", Shape::Text),
    ("namespaceSelector", SELECTOR),
    ("objectSelector", SELECTOR),
    ("sideEffects", Shape::Text),
    ("timeoutSeconds", Shape::Integer),
    ("admissionReviewVersions", TEXTS),
    ("matchConditions", Shape::List(&CONDITION)),
    ("reinvocationPolicy", Shape::Text),
];

/// Reads a patch of something of this shape.
pub(super) fn read(text: &str, shape: &Shape) -> Result<Value, String> {
    let patch: Value =
        serde_json::from_str(text).map_err(|e| format!("`patch` is no JSON: {e}"))?;
    // JSON is YAML, whose reader minds keys that are there twice.
    serde_saphyr::from_str::<Value>(text)
        .map_err(|error| crate::model::yaml::Fault::of(&error).what)
        .map_err(|what| format!("`patch`: {what}"))?;
    if !patch.is_object() {
        return Err("`patch` wants a JSON object of fields".into());
    }
    fits(&patch, shape, "")?;
    Ok(patch)
}

/// Whether a value is of this shape; null, which removes, is of each, but not in a list.
fn fits(value: &Value, shape: &Shape, at: &str) -> Result<(), String> {
    let wants = |what: &str| Err(format!("`patch`: `{at}` wants {what}"));
    match (shape, value) {
        (_, Value::Null) => Ok(()),
        (Shape::Text, Value::String(_)) => Ok(()),
        (Shape::Text, _) => wants("a text"),
        (Shape::Integer, value) if value.as_i64().is_some_and(|n| i32::try_from(n).is_ok()) => {
            Ok(())
        }
        (Shape::Integer, _) => wants("an integer"),
        (Shape::Bytes, Value::String(text)) if is_base64(text) => Ok(()),
        (Shape::Bytes, _) => wants("base64"),
        (Shape::List(item), Value::Array(items)) => {
            let mut items = items.iter().enumerate();
            items.try_for_each(|(n, value)| {
                let at = format!("{at}[{n}]");
                match value {
                    Value::Null => Err(format!("`patch`: `{at}` is null")),
                    value => fits(value, item, &at),
                }
            })
        }
        (Shape::List(_), _) => wants("a list"),
        (Shape::Labels, Value::Object(labels)) => {
            let mut labels = labels.iter();
            labels.try_for_each(|(key, value)| fits(value, &Shape::Text, &inside(at, key)))
        }
        (Shape::Fields(fields), Value::Object(map)) => map.iter().try_for_each(|(key, value)| {
            let at = inside(at, key);
            match fields.iter().find(|(name, _)| name == key) {
                Some((_, shape)) => fits(value, shape, &at),
                None => Err(unknown(key, &at, fields)),
            }
        }),
        (Shape::Labels | Shape::Fields(_), _) => wants("an object"),
    }
}

fn inside(at: &str, key: &str) -> String {
    match at {
        "" => key.to_owned(),
        at => format!("{at}.{key}"),
    }
}

fn unknown(key: &str, at: &str, fields: &[(&str, Shape)]) -> String {
    if key.starts_with('$') {
        return format!("`patch`: rop reads no directives such as `{at}`; null removes a field");
    }
    let names = fields.iter().map(|(name, _)| *name);
    match nearest(key, names.clone()) {
        Some(near) => format!("`patch`: a webhook has no `{at}`; did you mean `{near}`?"),
        None => format!(
            "`patch`: a webhook has no `{at}`; known are {}",
            names.collect::<Vec<_>>().join(", ")
        ),
    }
}

fn is_base64(text: &str) -> bool {
    let data = text.trim_end_matches('=');
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    text.len().is_multiple_of(4) && text.len() - data.len() <= 2 && data.bytes().all(allowed)
}

/// Puts a patch over a value.
pub(super) fn merge(to: &mut Value, patch: Value) {
    match (to, patch) {
        (Value::Object(to), Value::Object(patch)) => {
            for (key, value) in patch {
                match value {
                    Value::Null => drop(to.remove(&key)),
                    value => merge(to.entry(key).or_insert(Value::Null), value),
                }
            }
        }
        (to, patch) => *to = patch,
    }
}

/// Leaves out what says nothing: nulls, and lists and labels that are empty.
pub(super) fn settle(value: &mut Value, shape: &Shape) {
    match (shape, value) {
        (Shape::List(item), Value::Array(items)) => {
            items.iter_mut().for_each(|value| settle(value, item));
        }
        (Shape::Labels, Value::Object(labels)) => labels.retain(|_, value| !value.is_null()),
        (Shape::Fields(fields), Value::Object(map)) => {
            for (name, shape) in *fields {
                let Some(value) = map.get_mut(*name) else {
                    continue;
                };
                settle(value, shape);
                let empty = match (shape, &*value) {
                    (Shape::List(_), Value::Array(items)) => items.is_empty(),
                    (Shape::Labels, Value::Object(labels)) => labels.is_empty(),
                    (_, value) => value.is_null(),
                };
                if empty {
                    map.remove(*name);
                }
            }
        }
        _ => {}
    }
}
