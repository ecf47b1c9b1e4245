//! What the API server refuses of the requests that a webhook asks for.
use super::{Refusal, one_of, texts};
use crate::generate::webhooks::{groups::Groups, hook::OPERATIONS};
use serde_json::Value;

const SCOPES: &[&str] = &["Cluster", "Namespaced", "*"];

pub(super) fn refused(rule: &Value, groups: &Groups) -> Vec<Refusal> {
    let mut told = Vec::new();
    let lists = [
        ("apiGroups", "groups"),
        ("apiVersions", "versions"),
        ("operations", "verbs"),
        ("resources", "resources"),
    ];
    for (field, argument) in lists {
        let values = texts(&rule[field]);
        let mut tell = |index: usize, why: String| told.push(("rules", argument, index, why));
        if values.is_empty() {
            tell(
                0,
                format!("`{argument}` is empty: nothing would be asked of the webhook"),
            );
        }
        let all = values.iter().position(|value| *value == "*");
        if let Some(all) = all.filter(|_| values.len() > 1 && argument != "resources") {
            tell(
                all,
                format!("the API server refuses a `*` in `{argument}` beside other values"),
            );
        }
        for (index, value) in values.iter().enumerate() {
            let why = match argument {
                "groups" => groups.refuse(value),
                "verbs" => one_of(argument, value, OPERATIONS),
                _ if value.is_empty() => Some(format!("a value of `{argument}` is empty")),
                "resources" => resource(value),
                _ => None,
            };
            why.into_iter().for_each(|why| tell(index, why));
        }
        if argument == "resources" {
            beside_all(&values)
                .into_iter()
                .for_each(|(index, why)| tell(index, why));
        }
    }
    let scope = rule["scope"].as_str();
    let scope = scope.and_then(|scope| one_of("scope", scope, SCOPES));
    told.extend(scope.map(|why| ("rules", "patch", 0, why)));
    told
}

/// What is no resource, and most likely a slip: the API server takes it, and calls for nothing.
fn resource(value: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-./*".contains(c);
    let odd = !value.chars().all(allowed);
    odd.then(|| format!("`{value}` is no resource: those are plurals in lower case, such as `pods` or `pods/status`"))
}

/// Resources that the API server refuses beside others, which say the same.
fn beside_all(resources: &[&str]) -> Option<(usize, String)> {
    let two = |index: usize, wide: &str, what: &str| {
        Some((
            index,
            format!("the API server refuses `{wide}` beside {what}"),
        ))
    };
    if let Some(all) = resources.iter().position(|one| *one == "*/*")
        && resources.len() > 1
    {
        return two(all, "*/*", "other resources");
    }
    let plain = |one: &str| !one.contains('/') && one != "*";
    if let Some(all) = resources.iter().position(|one| *one == "*")
        && resources.iter().any(|one| plain(one))
    {
        return two(all, "*", "other resources");
    }
    for (index, one) in resources.iter().enumerate() {
        let Some((name, sub)) = one.split_once('/') else {
            continue;
        };
        let wide = [format!("{name}/*"), format!("*/{sub}")];
        let wide = wide
            .iter()
            .find(|wide| wide != one && resources.contains(&wide.as_str()));
        if let Some(wide) = wide {
            return two(index, wide, &format!("`{one}`"));
        }
    }
    None
}
