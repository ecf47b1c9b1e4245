//! What is wrong with a CRD, before an API server says so.
//!
//! An error is what the API server refuses, or what loses data of objects or makes them unreadable
//! to the operator; a warning is what it takes and users regret. The rules that refuse are those of
//! kube-apiserver's own validation; CEL rules and regular expressions are left to it.
//!
//! A rule is its description and a function that finds it: in a schema, in a version, or
//! in the whole CRD.
mod beside;
mod crd;
mod defaults;
mod fit;
mod keywords;
mod lists;
mod names;
mod nested;
mod node;
mod objects;
mod path;
mod report;
mod rules;
mod rust;
mod schema;
mod server;

pub use report::judge;
pub use server::told;

use self::node::{Node, walk};
use serde_json::Value;
use std::fmt;

/// What comes of what a rule finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The API server refuses the CRD.
    Refused,
    /// The API server takes it, and then objects that the operator cannot read.
    Unreadable,
    /// The API server takes it, and it does not do what was meant.
    Regretted,
}

impl Effect {
    /// Whether the CRD must not be written.
    pub fn is_error(self) -> bool {
        self != Self::Regretted
    }
}

/// A rule, as the documentation shows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// What comes of it.
    pub effect: Effect,
    /// What it finds.
    pub about: &'static str,
    /// What to write in Rust instead.
    pub remedy: &'static str,
}

impl Rule {
    const fn refused(name: &'static str, about: &'static str, remedy: &'static str) -> Self {
        Self::new(name, Effect::Refused, about, remedy)
    }

    const fn regretted(name: &'static str, about: &'static str, remedy: &'static str) -> Self {
        Self::new(name, Effect::Regretted, about, remedy)
    }

    const fn new(
        name: &'static str,
        effect: Effect,
        about: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self {
            name,
            effect,
            about,
            remedy,
        }
    }
}

/// A rule about one schema: says what is wrong with it, if anything.
type OfSchema = (Rule, fn(&Node<'_>) -> Option<String>);
/// A rule about a version or a CRD: says where and what.
type OfObject = (Rule, fn(&Value) -> Vec<Hit>);
/// The field, or what else it is, and what is wrong with it.
type Hit = (String, String);

fn of_schemas() -> impl Iterator<Item = &'static OfSchema> {
    let rules: [&[OfSchema]; 7] = [
        &schema::RULES,
        &objects::RULES,
        &nested::RULES,
        &lists::RULES,
        &defaults::RULES,
        &rules::RULES,
        &rust::RULES,
    ];
    rules.into_iter().flatten()
}

/// All rules, as they are documented.
pub fn rules() -> Vec<&'static Rule> {
    let objects = names::RULES.iter().chain(&crd::RULES).chain(&beside::RULES);
    let objects = objects.map(|(rule, _)| rule);
    of_schemas().map(|(rule, _)| rule).chain(objects).collect()
}

/// One thing that is wrong with a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// Kind and version, as `MyApp v1`; the kind alone for what is of all versions.
    pub of: String,
    /// The field, as objects write it: `spec.size`, with `[]` for items and `{}` for values of maps.
    pub field: String,
    /// What is wrong, and why that is.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rule,
            of,
            field,
            what,
        } = self;
        write!(f, "{of}: {field} {what} [{}]; {}", rule.name, rule.remedy)
    }
}

/// All findings of a CRD, in the order of its versions and fields.
pub fn lint(crd: &Value) -> Vec<Finding> {
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap_or_default();
    let mut found = Vec::new();
    let whole = names::RULES.iter().chain(&crd::RULES);
    for (rule, find) in whole {
        found.extend(hits(rule, kind, find(crd)));
    }
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    for version in versions {
        let name = version["name"].as_str().unwrap_or_default();
        let of = format!("{kind} {name}");
        let root = &version["schema"]["openAPIV3Schema"];
        walk(&Node::root(root, version), &mut |node| {
            for (rule, find) in of_schemas() {
                let hit = find(node).map(|what| (node.field.clone(), what));
                found.extend(hits(rule, &of, hit));
            }
        });
        for (rule, find) in &beside::RULES {
            found.extend(hits(rule, &of, find(version)));
        }
    }
    found
}

fn hits(
    rule: &'static Rule,
    of: &str,
    hits: impl IntoIterator<Item = Hit>,
) -> impl Iterator<Item = Finding> {
    hits.into_iter().map(move |(field, what)| Finding {
        rule,
        of: of.to_owned(),
        field,
        what,
    })
}

/// Whether a value says anything: Go leaves its zero values out, but for those behind a pointer.
fn says(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// The text of a value; none for the empty one, as in Go.
fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

/// The items of a list; none of anything else.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
