//! config/webhook/manifests.yaml of the `+kubebuilder:webhook` markers, byte for byte what
//! controller-gen writes. What the API server would refuse, or call for nothing, is refused here.
mod check;
mod groups;
mod hook;
mod patch;

pub use groups::Groups;

use super::markers::{self, Found, Marker};
use super::{Source, yaml};
use crate::error::Result;
use hook::Hook;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The generated configurations of webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Their text; nothing where no marker asks for a webhook.
    pub text: Option<String>,
    /// What their author should know.
    pub warnings: Vec<String>,
}

/// The webhook configurations that the markers in the sources ask for, one document each.
///
/// `groups` are the API groups of the project, besides those of the types in its sources.
///
/// # Errors
/// Sources that do not parse and markers that are wrong: all of them in one error of kind
/// `Failed`, each in a line `path:line:column: message`.
pub fn manifests<'a, S: Into<Source<'a>> + Copy>(
    sources: &[S],
    groups: &[&str],
) -> Result<Generated> {
    let mut found = markers::find(sources);
    let text = configurations(&mut found, || Groups::of(groups, sources));
    Ok(Generated {
        text,
        warnings: found.finish()?,
    })
}

/// As [`manifests`], of markers that were found already; what is wrong with them, and what their
/// author should know, is added to what was found. The groups are asked for when there are webhooks.
pub fn configurations(found: &mut Found, groups: impl FnOnce() -> Groups) -> Option<String> {
    let names = names(found);
    let groups = match found.webhooks.is_empty() {
        true => Groups::default(),
        false => groups(),
    };
    let mut hooks = Vec::new();
    for marker in &found.webhooks {
        match Hook::of(marker) {
            Ok(hook) => {
                found.faults.extend(check::refused(&hook, &groups));
                found.warnings.extend(hook.without_effect());
                hooks.push(hook);
            }
            Err(faults) => found.faults.extend(faults),
        }
    }
    // controller-gen sorts by the names that patches leave.
    hooks.sort_by(|a, b| (!a.mutating, a.name()).cmp(&(!b.mutating, b.name())));
    for pair in hooks.windows(2) {
        let same = |hook: &Hook<'_>| (hook.mutating, hook.name().to_owned());
        if same(&pair[0]) == same(&pair[1]) {
            found.faults.push(twice(pair[0].marker, &pair[1]));
        }
    }
    let mut text = String::new();
    for mutating in [true, false] {
        let own = hooks.iter().filter(|hook| hook.mutating == mutating);
        let own: Vec<_> = own.map(|hook| hook.value.clone()).collect();
        let marker = names.get(&mutating);
        if !own.is_empty() {
            let name = marker.map_or("", |(name, _)| name);
            let document = document(mutating, name, own);
            text += &format!("---\n{}", yaml::to_string(&document));
        } else if let Some((_, place)) = marker {
            let marker = &found.configurations[*place];
            let kind = kind(mutating);
            found.warnings.push(marker.fault(format!(
                "there is no {kind} webhook, and so no configuration of this name"
            )));
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The names that markers give to the configurations, and which marker does.
fn names(found: &mut Found) -> BTreeMap<bool, (String, usize)> {
    let mut names: BTreeMap<bool, (String, usize)> = BTreeMap::new();
    for (place, marker) in found.configurations.iter().enumerate() {
        let mutating = marker.text("mutating") == "true";
        let name = marker.text("name").to_owned();
        if let Some((_, first)) = names.get(&mutating) {
            let first = &found.configurations[*first];
            let kind = kind(mutating);
            let why = format!("the {kind} configuration is named at {} already", at(first));
            found.faults.push(marker.fault(why));
            continue;
        }
        if !name.is_empty() && !check::is_subdomain(&name) {
            let why = format!("`{name}` is no name of an object: {}", check::SUBDOMAIN);
            let fault = match marker.items("name").first() {
                Some(item) => marker.fault_of(item, why),
                None => marker.fault(why),
            };
            found.faults.push(fault);
        }
        names.insert(mutating, (name, place));
    }
    names
}

fn twice(first: &Marker, second: &Hook<'_>) -> super::faults::Fault {
    let kind = kind(second.mutating);
    let name = second.name();
    let why = format!(
        "the {kind} webhook `{name}` is there twice, first at {}",
        at(first)
    );
    second.fault("name", "name", 0, why)
}

fn at(marker: &Marker) -> String {
    let position = marker.position;
    format!("{}:{}:{}", marker.path, position.line, position.column)
}

fn kind(mutating: bool) -> &'static str {
    match mutating {
        true => "mutating",
        false => "validating",
    }
}

fn document(mutating: bool, name: &str, webhooks: Vec<Value>) -> Value {
    let (kind, default) = match mutating {
        true => (
            "MutatingWebhookConfiguration",
            "mutating-webhook-configuration",
        ),
        false => (
            "ValidatingWebhookConfiguration",
            "validating-webhook-configuration",
        ),
    };
    let name = if name.is_empty() { default } else { name };
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": { "name": name },
        "webhooks": webhooks,
    })
}
