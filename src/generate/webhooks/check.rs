//! What the API server refuses of webhooks, told where it stands.
mod client;
mod rule;

use super::groups::Groups;
use super::hook::{FAILURE, Hook, MATCH, REINVOCATION, SIDE_EFFECTS};
use crate::generate::{faults::Fault, markers::nearest};
use serde_json::Value;
use std::collections::BTreeSet;

/// Versions of the requests that API servers send.
const REVIEWS: &[&str] = &["v1", "v1beta1"];
const OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist"];
/// The most characters of the name of an object.
const LONGEST: usize = 253;

/// What names of objects are made of.
pub(super) const SUBDOMAIN: &str = "lower-case letters, digits, `-` and `.`, beginning and ending \
                                    with a letter or a digit, at most 253";

/// A fault by its field, the argument that makes it, and which of its values.
type Refusal = (&'static str, &'static str, usize, String);

/// What the API server would refuse, and groups that are not there.
pub(super) fn refused(hook: &Hook<'_>, groups: &Groups) -> Vec<Fault> {
    let value = &hook.value;
    let mut told = Vec::new();
    told.extend(name(hook.name()).map(|why| ("name", "name", 0, why)));
    told.extend(choices(value));
    let seconds = value["timeoutSeconds"].as_i64();
    if seconds.is_some_and(|seconds| !(1..=30).contains(&seconds)) {
        let why = "`timeoutSeconds` is 1 to 30".into();
        told.push(("timeoutSeconds", "timeoutSeconds", 0, why));
    }
    told.extend(reviews(&texts(&value["admissionReviewVersions"])));
    for rule in value["rules"].as_array().into_iter().flatten() {
        told.extend(rule::refused(rule, groups));
    }
    told.extend(client::refused(&value["clientConfig"]));
    for selector in ["namespaceSelector", "objectSelector"] {
        let why = selects(&value[selector]).map(|why| format!("`{selector}`: {why}"));
        told.extend(why.map(|why| (selector, "patch", 0, why)));
    }
    let conditions = value["matchConditions"].as_array().into_iter().flatten();
    let full = |condition: &Value| {
        let mut parts = ["name", "expression"].into_iter();
        parts.all(|part| {
            condition[part]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        })
    };
    if !conditions.clone().all(full) {
        let why = "`matchConditions` want `name` and `expression`".into();
        told.push(("matchConditions", "patch", 0, why));
    }
    let fault = |(field, argument, index, why): Refusal| hook.fault(field, argument, index, why);
    told.into_iter().map(fault).collect()
}

fn name(name: &str) -> Option<String> {
    if !is_subdomain(name) {
        return Some(format!("`{name}` is no name of a webhook: {SUBDOMAIN}"));
    }
    let short = name.split('.').count() < 3;
    short.then(|| {
        format!("`{name}` has too few parts: a webhook's name is a domain of three or more, such as `{name}.kb.io`")
    })
}

/// Whether the text is a DNS-1123 subdomain.
pub(super) fn is_subdomain(text: &str) -> bool {
    let label = |label: &str| {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let inside = |byte: u8| allowed(byte) || byte == b'-';
        let ends = [label.bytes().next(), label.bytes().last()];
        ends.into_iter().all(|end| end.is_some_and(allowed)) && label.bytes().all(inside)
    };
    text.len() <= LONGEST && text.split('.').all(label)
}

/// Fields with a few values.
fn choices(value: &Value) -> Vec<Refusal> {
    let fields = [
        ("failurePolicy", FAILURE),
        ("matchPolicy", MATCH),
        ("sideEffects", SIDE_EFFECTS),
        ("reinvocationPolicy", REINVOCATION),
    ];
    let mut told = Vec::new();
    for (field, known) in fields {
        let given = value[field].as_str();
        let why = match given {
            None if field == "sideEffects" => {
                Some("the argument `sideEffects` is missing; most webhooks have `None`".into())
            }
            Some(text)
                if field == "sideEffects"
                    && ["Some", "Unknown"]
                        .iter()
                        .any(|known| known.eq_ignore_ascii_case(text)) =>
            {
                Some(format!(
                    "the API server refuses `{text}` in `sideEffects`: a webhook has `None`, or leaves them out of dry runs, `NoneOnDryRun`"
                ))
            }
            None => None,
            Some(text) => one_of(field, text, known),
        };
        told.extend(why.map(|why| (field, field, 0, why)));
    }
    if value["failurePolicy"].is_null() {
        let why = "`failurePolicy` is empty; it is `Fail` or `Ignore`".into();
        told.push(("failurePolicy", "failurePolicy", 0, why));
    }
    told
}

fn one_of(argument: &str, text: &str, known: &[&str]) -> Option<String> {
    if known.contains(&text) {
        return None;
    }
    let all = known.join("`, `");
    let near = nearest(text, known.iter().copied());
    let near = near.map(|near| format!("; did you mean `{near}`?"));
    let near = near.unwrap_or(format!("; it knows `{all}`"));
    Some(format!("`{argument}` has no `{text}`{near}"))
}

fn texts(list: &Value) -> Vec<&str> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

fn reviews(versions: &[&str]) -> Vec<Refusal> {
    const NAME: &str = "admissionReviewVersions";
    let mut told = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, version) in versions.iter().enumerate() {
        let why = match is_label(version) {
            false => format!("`{version}` is no name of a version"),
            true if !seen.insert(version) => format!("`{version}` is there twice"),
            true => continue,
        };
        told.push((NAME, NAME, index, why));
    }
    if !versions.iter().any(|version| REVIEWS.contains(version)) {
        let why =
            "the API server sends reviews of `v1` and `v1beta1`: one of them is needed".into();
        told.push((NAME, NAME, 0, why));
    }
    told
}

/// Whether the text is a DNS-1035 label.
fn is_label(text: &str) -> bool {
    let letter = text.starts_with(|c: char| c.is_ascii_lowercase());
    letter && text.len() <= 63 && !text.contains('.') && is_subdomain(text)
}

/// What is wrong with a selector of labels.
fn selects(selector: &Value) -> Option<String> {
    let expressions = selector["matchExpressions"].as_array()?;
    expressions.iter().find_map(|expression| {
        let operator = expression["operator"].as_str().unwrap_or_default();
        let values = !texts(&expression["values"]).is_empty();
        if expression["key"].as_str().is_none_or(str::is_empty) {
            return Some("an expression has no `key`".into());
        }
        match (operator, values) {
            ("In" | "NotIn", false) => Some(format!("`{operator}` wants `values`")),
            ("Exists" | "DoesNotExist", true) => Some(format!("`{operator}` takes no `values`")),
            _ => one_of("operator", operator, OPERATORS),
        }
    })
}
