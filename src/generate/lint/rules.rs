//! CEL rules, as far as they are not CEL.
use super::{OfSchema, Rule, items, path, text};
use serde_json::Value;

const REASONS: [&str; 4] = [
    "FieldValueRequired",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueDuplicate",
];

pub(super) static RULES: [OfSchema; 1] = [(
    Rule::refused(
        "validation-rule",
        "a CEL rule that is blank, whose message is blank or has line breaks, or with an unknown reason or a path to no field",
        "correct it in `#[x_kube(validation = …)]`",
    ),
    |node| {
        let rules = items(&node.schema["x-kubernetes-validations"]);
        rules.iter().find_map(|rule| wrong(rule, node.schema))
    },
)];

fn wrong(rule: &Value, schema: &Value) -> Option<String> {
    let get = |key: &str| rule[key].as_str().unwrap_or_default();
    let is_blank = |key: &str| text(&rule[key]).is_some_and(|text| text.trim().is_empty());
    let breaks = |text: &str| text.contains(['\n', '\r']);
    let body = get("rule").trim();
    let message = get("message").trim();
    let field = get("fieldPath");
    let what = match rule["reason"].as_str() {
        _ if body.is_empty() => "is blank".into(),
        _ if is_blank("message") => "has a blank message".into(),
        _ if breaks(message) => "has a message with line breaks".into(),
        _ if breaks(body) && message.is_empty() => "has line breaks, and so needs a message".into(),
        _ if is_blank("messageExpression") => "has a blank messageExpression".into(),
        _ if is_blank("fieldPath") => "has a blank fieldPath".into(),
        _ if breaks(field) => "has a fieldPath with line breaks".into(),
        Some(reason) if !REASONS.contains(&reason) => {
            format!(
                "has the reason `{reason}`, which is none of {}",
                REASONS.join(", ")
            )
        }
        _ => {
            let found = path::find(schema, field, true).err()?;
            format!("has the fieldPath `{field}`, which {found}")
        }
    };
    let shown = body.lines().next().unwrap_or_default();
    Some(format!("has the CEL rule `{shown}`, which {what}"))
}
