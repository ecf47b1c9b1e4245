//! What a CRD calls itself: group, kind and other names.
use super::{Hit, OfObject, Rule, items, text};
use crate::model::names::{is_label, is_subdomain};
use serde_json::Value;

pub(super) static RULES: [OfObject; 5] = [
    (
        Rule::refused(
            "group",
            "a group that is no DNS-1123 subdomain with a dot",
            "correct `group` in `#[kube(…)]`",
        ),
        |crd| {
            let group = crd["spec"]["group"].as_str().unwrap_or_default();
            let right = is_subdomain(group) && group.contains('.');
            one(
                !right,
                "group",
                format!("`{group}` is no DNS-1123 subdomain with a dot"),
            )
        },
    ),
    (
        Rule::refused(
            "name",
            "a CRD that is not called `<plural>.<group>`",
            "leave the name to `#[derive(CustomResource)]`",
        ),
        |crd| {
            let get = |at: &str| crd.pointer(at).and_then(Value::as_str).unwrap_or_default();
            let name = get("/metadata/name");
            let wanted = format!("{}.{}", get("/spec/names/plural"), get("/spec/group"));
            let right = name == wanted && is_subdomain(name);
            one(
                !right,
                "name",
                format!("`{name}` must be `{wanted}`, of 253 characters at most"),
            )
        },
    ),
    (
        Rule::refused(
            "names",
            "a plural, singular, kind, list kind, short name or category that is no DNS-1035 label",
            "correct it in `#[kube(…)]`; a kind of more than 59 letters needs a `listKind` of its own",
        ),
        |crd| names(&crd["spec"]["names"]),
    ),
    (
        Rule::refused(
            "scope",
            "a scope that is neither Namespaced nor Cluster",
            "say or leave out `namespaced` in `#[kube(…)]`",
        ),
        |crd| {
            let scope = &crd["spec"]["scope"];
            let right = *scope == "Namespaced" || *scope == "Cluster";
            one(
                !right,
                "scope",
                format!("{scope} is neither Namespaced nor Cluster"),
            )
        },
    ),
    (
        Rule::refused(
            "api-approved",
            "a group of k8s.io or kubernetes.io without the annotation `api-approved.kubernetes.io`",
            "add `annotation(\"api-approved.kubernetes.io\", \"unapproved, …\")` to `#[kube(…)]`, or use a group of your own",
        ),
        approval,
    ),
];

pub(super) fn one(wrong: bool, field: &str, what: String) -> Vec<Hit> {
    wrong
        .then(|| (field.to_owned(), what))
        .into_iter()
        .collect()
}

fn names(names: &Value) -> Vec<Hit> {
    let get = |key: &str| text(&names[key]);
    let kind = get("kind").unwrap_or_default();
    let (singular, list) = (kind.to_lowercase(), format!("{kind}List"));
    let single = [
        ("plural", get("plural").unwrap_or_default().to_owned()),
        ("singular", get("singular").map_or(singular, str::to_owned)),
        ("kind", kind.to_lowercase()),
        ("listKind", get("listKind").unwrap_or(&list).to_lowercase()),
    ];
    let of = |key: &'static str| {
        let each = items(&names[key]).iter();
        each.map(move |name| (key, name.as_str().unwrap_or_default().to_owned()))
    };
    let all = single
        .into_iter()
        .chain(of("shortNames"))
        .chain(of("categories"));
    let mut hits: Vec<Hit> = all
        .filter(|(_, name)| !is_label(name))
        .map(|(key, name)| {
            let what =
                format!("`{name}` is no DNS-1035 label of 63 characters at most, in lower case");
            (format!("names.{key}"), what)
        })
        .collect();
    if get("listKind") == Some(kind) {
        hits.push((
            "names.listKind".into(),
            "is the kind, too: nothing could tell them apart".into(),
        ));
    }
    hits
}

fn approval(crd: &Value) -> Vec<Hit> {
    let group = crd["spec"]["group"].as_str().unwrap_or_default();
    let community = ["k8s.io", "kubernetes.io"];
    let is_protected = community.iter().any(|own| {
        group
            .strip_suffix(own)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    let approval = &crd["metadata"]["annotations"]["api-approved.kubernetes.io"];
    let approval = approval.as_str().unwrap_or_default();
    let right = approval.starts_with("unapproved") || is_url(approval);
    let what = match approval {
        "" => format!(
            "`{group}` is of the Kubernetes community, and no annotation says who approved the API"
        ),
        other => format!(
            "`{group}` is of the Kubernetes community, and `{other}` is neither a URL nor starts with `unapproved`"
        ),
    };
    one(is_protected && !right, "group", what)
}

/// Whether Go reads it as a URL with scheme and host.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let in_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(in_scheme)
        && !host.is_empty()
        && !host.contains([' ', '<', '>', '"', '%', '^', '\\', '{', '}', '|', '`'])
        && !text.contains(char::is_control)
}
