//! role.yaml of the `+kubebuilder:rbac` markers, byte for byte what controller-gen writes.
mod scope;

pub use scope::Scope;

use super::faults::{self, Fault};
use super::markers::{self, Marker};
use super::{Source, yaml};
use crate::error::Result;
use scope::SYSTEM;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the role, unless the caller or a marker gives another one.
pub const DEFAULT_ROLE_NAME: &str = "manager-role";

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its text.
    pub text: String,
    /// What its author should know, each as `path:line:column: message`.
    pub warnings: Vec<String>,
}

/// The roles that the markers in the sources ask for, one document each: a ClusterRole, and a
/// Role for each namespace that markers name. Without any marker it is a ClusterRole without
/// rules. In [`Scope::Namespace`] there are Roles only, all in the namespace of the operator.
///
/// # Errors
/// Sources that do not parse and markers that are wrong: all of them in one error of kind
/// `Failed`, each in a line `path:line:column: message`.
pub fn role<'a, S: Into<Source<'a>> + Copy>(
    sources: &[S],
    role_name: &str,
    scope: Scope<'_>,
) -> Result<Generated> {
    let mut found = markers::find(sources);
    let mut buckets: BTreeMap<(String, String), Vec<Rule>> = BTreeMap::new();
    for marker in &found.rbac {
        let rule = Rule::new(marker);
        let namespace = scope.place(text(marker, "namespace"), !rule.urls.is_empty());
        let namespace = namespace.unwrap_or_else(|why| {
            found.faults.push(fault(marker, why));
            SYSTEM
        });
        if rule.verbs.is_empty() {
            found.faults.push(fault(
                marker,
                "`verbs` is empty: a rule without verbs allows nothing",
            ));
        }
        if let Some(odd) = rule.odd() {
            found.warnings.push(fault(marker, &odd));
        }
        let bound = scope != Scope::Cluster || namespace.is_empty();
        let complaints = rule.complaints(!bound);
        found
            .warnings
            .extend(complaints.map(|complaint| fault(marker, complaint)));
        let name = match text(marker, "roleName") {
            "" => role_name,
            name => name,
        };
        let bucket = buckets.entry((namespace.to_owned(), name.to_owned()));
        bucket.or_default().extend(rule.split());
    }
    if !found.faults.is_empty() {
        return Err(faults::error(&found.faults));
    }
    if buckets.is_empty() {
        let namespace = scope.place("", false).unwrap_or_default();
        buckets.insert((namespace.to_owned(), role_name.to_owned()), Vec::new());
    }
    let documents = buckets.into_iter().map(|((namespace, name), rules)| {
        format!(
            "---\n{}",
            yaml::to_string(&document(&namespace, &name, rules))
        )
    });
    Ok(Generated {
        text: documents.collect(),
        warnings: faults::lines(&found.warnings),
    })
}

type Names = BTreeSet<String>;

#[derive(Clone, Debug, Default)]
struct Rule {
    groups: Names,
    resources: Names,
    names: Names,
    urls: Names,
    verbs: Names,
}

impl Rule {
    fn new(marker: &Marker) -> Self {
        let list = |name| marker.values.get(name).into_iter().flatten().cloned();
        let groups = list("groups").map(|group| match group.as_str() {
            "core" => String::new(),
            _ => group,
        });
        Self {
            groups: groups.collect(),
            resources: list("resources").collect(),
            names: list("resourceNames").collect(),
            urls: list("urls").collect(),
            verbs: list("verbs").collect(),
        }
    }

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
    fn complaints(&self, unbound: bool) -> impl Iterator<Item = &'static str> {
        let regular = !self.groups.is_empty() || !self.resources.is_empty();
        let urls = !self.urls.is_empty();
        let create = self.verbs.contains("create") && !self.names.is_empty();
        [
            (
                regular && urls,
                "the API server refuses a rule with `urls` and `groups` or `resources`",
            ),
            (
                unbound && urls,
                "the API server refuses `urls` in a Role: leave `namespace` out",
            ),
            (
                unbound,
                "nothing binds the Role of `namespace`, and config/default moves it to the \
                 namespace of the operator",
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

    /// One rule for each resource.
    fn split(self) -> Vec<Self> {
        if self.resources.is_empty() {
            return vec![self];
        }
        let resources = self.resources.iter().cloned();
        let rule = |resource| Self {
            resources: [resource].into(),
            ..self.clone()
        };
        resources.map(rule).collect()
    }

    /// The texts by which controller-gen tells rules apart.
    fn key(&self) -> [String; 5] {
        let lists = [
            &self.groups,
            &self.resources,
            &self.names,
            &self.urls,
            &self.verbs,
        ];
        lists.map(|list| {
            list.iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join("&")
        })
    }

    fn order(&self) -> String {
        self.key()[..4].join(" + ")
    }

    fn field(&mut self, field: usize) -> &mut Names {
        match field {
            GROUPS => &mut self.groups,
            RESOURCES => &mut self.resources,
            URLS => &mut self.urls,
            _ => &mut self.verbs,
        }
    }

    fn to_json(&self) -> Value {
        let mut rule = json!({ "verbs": self.verbs });
        if self.verbs.contains("*") {
            rule["verbs"] = json!(["*"]);
        }
        let lists = [
            ("apiGroups", &self.groups),
            ("resources", &self.resources),
            ("resourceNames", &self.names),
            ("nonResourceURLs", &self.urls),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            rule[name] = json!(list);
        }
        rule
    }
}

/// Places in [`Rule::key`].
const GROUPS: usize = 0;
const RESOURCES: usize = 1;
const URLS: usize = 3;
const VERBS: usize = 4;

/// Merges rules that differ in nothing but one list, for one list after the other.
///
/// Merging may make rules equal but for their verbs; of those controller-gen keeps any one, and
/// so loses rights. Merging verbs once more at the end is our own.
fn normalize(mut rules: Vec<Rule>) -> Vec<Rule> {
    for field in [VERBS, RESOURCES, GROUPS, URLS, VERBS] {
        let mut merged: BTreeMap<[String; 5], Rule> = BTreeMap::new();
        for mut rule in rules {
            let mut key = rule.key();
            key[field].clear();
            let values = std::mem::take(rule.field(field));
            merged
                .entry(key)
                .or_insert(rule)
                .field(field)
                .extend(values);
        }
        rules = merged.into_values().collect();
    }
    rules.sort_by_key(Rule::order);
    rules
}

fn document(namespace: &str, name: &str, rules: Vec<Rule>) -> Value {
    let rules: Vec<_> = normalize(rules).iter().map(Rule::to_json).collect();
    let kind = if namespace.is_empty() {
        "ClusterRole"
    } else {
        "Role"
    };
    let mut document = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": kind,
        "metadata": { "name": name },
        "rules": rules,
    });
    if !namespace.is_empty() {
        document["metadata"]["namespace"] = namespace.into();
    }
    document
}

fn text<'a>(marker: &'a Marker, argument: &str) -> &'a str {
    let value = marker.values.get(argument).and_then(|value| value.first());
    value.map_or("", String::as_str)
}

fn fault(marker: &Marker, message: &str) -> Fault {
    Fault {
        path: marker.path.clone(),
        position: marker.position,
        message: message.to_owned(),
    }
}
