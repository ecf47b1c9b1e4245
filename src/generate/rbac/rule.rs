//! The rules of markers, merged as controller-gen does.
use crate::generate::markers::Marker;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) type Names = BTreeSet<String>;

/// A rule of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    pub(super) groups: Names,
    pub(super) resources: Names,
    pub(super) names: Names,
    pub(super) urls: Names,
    pub(super) verbs: Names,
}

impl Rule {
    pub(super) fn new(marker: &Marker) -> Self {
        let list = |name| marker.list(name).map(str::to_owned);
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

    /// One rule for each resource.
    pub(super) fn split(self) -> Vec<Self> {
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

    pub(super) fn to_json(&self) -> Value {
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
pub(super) fn normalize(mut rules: Vec<Rule>) -> Vec<Rule> {
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
