//! What controller-gen takes without a word: rules that mean less, or more, than their author may
//! think.
use super::rule::{Names, Rule};
use crate::generate::markers::{Marker, nearest};

/// Verbs of requests for resources; the latter seven are rights that the API server asks for itself.
const VERBS: [&str; 15] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
    "use",
    "bind",
    "escalate",
    "impersonate",
    "approve",
    "sign",
    "attest",
];
/// Verbs of requests for paths.
const METHODS: [&str; 7] = ["get", "head", "post", "put", "patch", "delete", "options"];

/// A rule, and the namespace of its role; a ClusterRole has none.
pub(super) struct Placed<'a> {
    pub(super) rule: Rule,
    pub(super) namespace: &'a str,
    pub(super) marker: &'a Marker,
}

/// The rules with a `*`: the few that may allow what another one says.
pub(super) fn wide<'a, 'b>(all: &'a [Placed<'b>]) -> Vec<&'a Placed<'b>> {
    all.iter().filter(|one| one.rule.has_all()).collect()
}

/// What the author of a rule should know; `wide` are those with a `*` of the whole run.
pub(super) fn about(one: &Placed<'_>, wide: &[&Placed<'_>]) -> Vec<String> {
    let rule = &one.rule;
    let mut told: Vec<_> = rule
        .odd()
        .or_else(|| odd_name(one.marker))
        .into_iter()
        .collect();
    let complaints = rule.complaints(!one.namespace.is_empty());
    told.extend(complaints.map(str::to_owned));
    told.extend(unknown_verbs(rule));
    told.extend(beside_all(rule));
    let wider = |other: &&&Placed<'_>| {
        let reaches = other.namespace.is_empty() || other.namespace == one.namespace;
        reaches && covers(&other.rule, rule)
            // Of two that say the same, none is too much.
            && !(other.namespace == one.namespace && covers(rule, &other.rule))
    };
    if let Some(other) = wide.iter().find(wider) {
        let Marker { path, position, .. } = other.marker;
        told.push(format!(
            "this adds nothing: the `*` of the marker at {path}:{}:{} allows it already",
            position.line, position.column
        ));
    }
    if one.namespace.is_empty() && rule.reaches_secrets() {
        told.push(
            "this reaches the secrets of all namespaces; `namespace=` or `resourceNames=` keep it \
             to those that are needed"
                .into(),
        );
    }
    told
}

/// A namespace or a role that no API server would have.
fn odd_name(marker: &Marker) -> Option<String> {
    let namespace = |name: &str| {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !name.chars().all(allowed)
            || name.starts_with('-')
            || name.ends_with('-')
            || name.len() > 63
    };
    let role = |name: &str| matches!(name, "." | "..") || name.contains(['/', '%']);
    let odd = |argument, odd: &dyn Fn(&str) -> bool| {
        let value = marker.text(argument);
        odd(value).then(|| format!("`{value}` in `{argument}` is no name that Kubernetes takes"))
    };
    odd("namespace", &namespace).or_else(|| odd("roleName", &role))
}

fn unknown_verbs(rule: &Rule) -> Vec<String> {
    let known: &[&str] = match rule.urls.is_empty() {
        true => &VERBS,
        false => &METHODS,
    };
    // What is no name at all is told elsewhere.
    let is_name = |verb: &str| verb.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_known =
        |verb: &str| verb == "*" || known.contains(&verb) || verb.starts_with("impersonate-on:");
    let unknown = rule
        .verbs
        .iter()
        .filter(|verb| is_name(verb) && !is_known(verb));
    let told = unknown.map(|verb| match nearest(verb, known.iter().copied()) {
        Some(near) => format!("`{verb}` is no verb of Kubernetes; did you mean `{near}`?"),
        None => format!(
            "`{verb}` is no verb of Kubernetes; known are {}",
            known.join(", ")
        ),
    });
    told.collect()
}

/// Items of a list beside a `*`.
fn beside_all(rule: &Rule) -> Option<String> {
    let lists = [
        ("groups", &rule.groups),
        ("resources", &rule.resources),
        ("verbs", &rule.verbs),
    ];
    let full = |list: &Names| list.contains("*") && list.len() > 1;
    let (argument, _) = lists.into_iter().find(|(_, list)| full(list))?;
    Some(format!(
        "the `*` in `{argument}` allows all that stands beside it"
    ))
}

impl Rule {
    /// What is no name of a group, a resource or a verb, and most likely a slip in the marker.
    fn odd(&self) -> Option<String> {
        let named = [
            ("groups", &self.groups),
            ("resources", &self.resources),
            ("verbs", &self.verbs),
        ];
        let values = named
            .into_iter()
            .flat_map(|(argument, values)| values.iter().map(move |value| (argument, value)));
        let is_odd = |argument: &str, value: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || "-._/*:".contains(c);
            let upper = argument != "verbs" && value.contains(|c: char| c.is_ascii_uppercase());
            upper || !value.chars().all(allowed)
        };
        let mut odd = values.filter(|(argument, value)| is_odd(argument, value));
        let (argument, value) = odd.next()?;
        Some(format!(
            "`{value}` in `{argument}` is no name; several are separated by `;`"
        ))
    }

    /// What the API server would refuse, or never let take effect.
    fn complaints(&self, in_role: bool) -> impl Iterator<Item = &'static str> {
        let regular = !self.groups.is_empty() || !self.resources.is_empty();
        let urls = !self.urls.is_empty();
        let create = self.verbs.contains("create") && !self.names.is_empty();
        [
            (
                regular && urls,
                "the API server refuses a rule with `urls` and `groups` or `resources`",
            ),
            (
                in_role && urls,
                "the API server refuses `urls` in a Role: leave `namespace` out",
            ),
            (
                !urls && self.groups.is_empty(),
                "the API server refuses a rule without `groups`; the core group is `core`",
            ),
            (
                !urls && self.resources.is_empty(),
                "the API server refuses a rule without `resources`",
            ),
            (
                create,
                "`create` is never allowed by `resourceNames`: the name is not known yet",
            ),
        ]
        .into_iter()
        .filter_map(|(applies, complaint)| applies.then_some(complaint))
    }

    fn has_all(&self) -> bool {
        let mut values = self.groups.iter().chain(&self.resources).chain(&self.verbs);
        values.any(|value| value.contains('*')) || self.urls.iter().any(|url| url.ends_with('*'))
    }

    fn reaches_secrets(&self) -> bool {
        let has = |list: &Names, name: &str| list.contains(name) || list.contains("*");
        has(&self.groups, "") && has(&self.resources, "secrets") && self.names.is_empty()
    }
}

/// Whether whatever the second rule allows is allowed by the first one alone.
fn covers(wide: &Rule, narrow: &Rule) -> bool {
    let names =
        wide.names.is_empty() || (!narrow.names.is_empty() && narrow.names.is_subset(&wide.names));
    within(&narrow.verbs, &wide.verbs, |_, _| false)
        && within(&narrow.groups, &wide.groups, |_, _| false)
        && within(&narrow.resources, &wide.resources, |one, all| {
            let sub = one.split_once('/').map(|(_, sub)| sub);
            sub.is_some() && sub == all.strip_prefix("*/")
        })
        && within(&narrow.urls, &wide.urls, |one, all| {
            all.strip_suffix('*')
                .is_some_and(|start| one.starts_with(start))
        })
        && names
}

fn within(narrow: &Names, wide: &Names, matches: fn(&str, &str) -> bool) -> bool {
    let has = |one: &String| {
        wide.contains("*") || wide.contains(one) || wide.iter().any(|all| matches(one, all))
    };
    narrow.iter().all(has)
}
