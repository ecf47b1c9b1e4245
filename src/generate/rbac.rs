//! role.yaml of the `+kubebuilder:rbac` markers, byte for byte what controller-gen writes.
mod advice;
mod bindings;
mod rule;
mod scope;

pub use bindings::Bindings;
pub(super) use bindings::NOTHING;
pub use scope::Scope;

use super::markers::{self, Found};
use super::{Source, yaml};
use crate::error::Result;
use advice::Placed;
use rule::{Rule, normalize};
use scope::SYSTEM;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name of the role, unless the caller or a marker gives another one.
pub const DEFAULT_ROLE_NAME: &str = "manager-role";

/// The generated role, and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its text.
    pub text: String,
    /// What binds those of its roles that config/rbac/role_binding.yaml does not.
    pub bindings: Bindings,
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
    let (text, bindings) = roles(&mut found, role_name, scope);
    Ok(Generated {
        text,
        bindings,
        warnings: found.finish()?,
    })
}

/// As [`role`], of markers that were found already; what is wrong with them, and what their author
/// should know, is added to what was found.
pub fn roles(found: &mut Found, role_name: &str, scope: Scope<'_>) -> (String, Bindings) {
    let mut placed = Vec::new();
    for marker in &found.rbac {
        let rule = Rule::new(marker);
        let namespace = scope.place(marker.text("namespace"), !rule.urls.is_empty());
        let namespace = namespace.unwrap_or_else(|why| {
            found.faults.push(marker.fault(why));
            SYSTEM
        });
        if rule.verbs.is_empty() {
            let why = "`verbs` is empty: a rule without verbs allows nothing";
            found.faults.push(marker.fault(why));
        }
        placed.push(Placed {
            marker,
            rule,
            namespace,
        });
    }
    let mut buckets: BTreeMap<(String, String), Vec<Rule>> = BTreeMap::new();
    let wide = advice::wide(&placed);
    for one in &placed {
        let told = advice::about(one, &wide);
        let told = told.into_iter().map(|why| one.marker.fault(why));
        found.warnings.extend(told);
        let name = match one.marker.text("roleName") {
            "" => role_name,
            name => name,
        };
        let bucket = buckets.entry((one.namespace.to_owned(), name.to_owned()));
        bucket.or_default().extend(one.rule.clone().split());
    }
    let own = scope.place("", false).unwrap_or_default();
    if buckets.is_empty() {
        buckets.insert((own.to_owned(), role_name.to_owned()), Vec::new());
    }
    let places = buckets
        .keys()
        .map(|(namespace, name)| (&**namespace, &**name));
    let bindings = Bindings::of(places, (own, role_name));
    let documents = buckets.into_iter().map(|((namespace, name), rules)| {
        format!(
            "---\n{}",
            yaml::to_string(&document(&namespace, &name, rules))
        )
    });
    (documents.collect(), bindings)
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
