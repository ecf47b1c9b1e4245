//! The webhook that a marker asks for.
use super::patch::{self, Shape};
use crate::generate::{faults::Fault, markers::Marker};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const SERVICE: &str = "webhook-service";
/// Namespace of the service as the files have it; kustomize puts the real one in its place.
const NAMESPACE: &str = "system";

/// Values that are read without regard to case, as the API server spells them.
pub(super) const FAILURE: &[&str] = &["Fail", "Ignore"];
pub(super) const MATCH: &[&str] = &["Exact", "Equivalent"];
pub(super) const SIDE_EFFECTS: &[&str] = &["None", "NoneOnDryRun"];
pub(super) const REINVOCATION: &[&str] = &["Never", "IfNeeded"];
pub(super) const OPERATIONS: &[&str] = &["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];

/// A webhook, and where it comes from.
pub(super) struct Hook<'a> {
    pub(super) marker: &'a Marker,
    pub(super) mutating: bool,
    /// As the API server takes it.
    pub(super) value: Value,
    /// The fields that its patch names.
    patched: BTreeSet<String>,
}

impl<'a> Hook<'a> {
    /// The webhook, with its patch applied.
    pub(super) fn of(marker: &'a Marker) -> Result<Self, Vec<Fault>> {
        let mutating = marker.text("mutating") == "true";
        let mut hook = Self {
            marker,
            mutating,
            value: Value::Object(fields(marker, mutating)),
            patched: BTreeSet::new(),
        };
        let mut faults: Vec<_> = wrong_versions(marker).collect();
        match (given(marker, "path"), given(marker, "url")) {
            (None, None) => faults.push(marker.fault("`path` or `url` is missing")),
            (Some(_), Some(_)) => {
                let why = "`path` is of a service in the cluster, `url` of a server outside: give one of them";
                faults.push(hook.fault("", "url", 0, why));
            }
            _ => {}
        }
        let shape = match mutating {
            true => patch::MUTATING,
            false => patch::VALIDATING,
        };
        if let Some(text) = given(marker, "patch") {
            match hook.apply(text, &shape) {
                Ok(()) => {}
                Err(why) => faults.push(hook.fault("", "patch", 0, why)),
            }
        }
        patch::settle(&mut hook.value, &shape);
        match faults.is_empty() {
            true => Ok(hook),
            false => Err(faults),
        }
    }

    fn apply(&mut self, text: &str, shape: &Shape) -> Result<(), String> {
        let patch = patch::read(text, shape)?;
        self.patched = patch
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect();
        patch::merge(&mut self.value, patch);
        Ok(())
    }

    pub(super) fn name(&self) -> &str {
        self.value["name"].as_str().unwrap_or_default()
    }

    /// A fault of a field, at the value of the argument that made it.
    pub(super) fn fault(
        &self,
        field: &str,
        argument: &str,
        index: usize,
        why: impl Into<String>,
    ) -> Fault {
        let argument = match self.patched.contains(field) {
            true => "patch",
            false => argument,
        };
        let items = self.marker.items(argument);
        match items.get(index).or(items.first()) {
            Some(item) => self.marker.fault_of(item, why),
            None => self.marker.fault(why),
        }
    }

    /// Arguments that say nothing beside the others.
    pub(super) fn without_effect(&self) -> Vec<Fault> {
        let mut idle = Vec::new();
        if !self.mutating {
            idle.push(("reinvocationPolicy", "it is for mutating webhooks"));
        }
        if given(self.marker, "url").is_some() {
            let why = "`url` leads out of the cluster";
            idle.extend(["serviceName", "serviceNamespace", "servicePort"].map(|name| (name, why)));
        }
        let idle = idle
            .into_iter()
            .filter(|(argument, _)| !self.marker.items(argument).is_empty());
        let told = idle.map(|(argument, why)| {
            self.fault(
                "",
                argument,
                0,
                format!("`{argument}` has no effect: {why}"),
            )
        });
        told.collect()
    }
}

/// An argument that is not empty.
fn given<'a>(marker: &'a Marker, argument: &str) -> Option<&'a str> {
    Some(marker.text(argument)).filter(|text| !text.is_empty())
}

/// Versions of the configuration itself; there is one.
fn wrong_versions(marker: &Marker) -> impl Iterator<Item = Fault> {
    let items = marker.items("webhookVersions").iter();
    let other = items.filter(|item| item.text != "v1");
    other.map(|item| marker.fault_of(item, "the only version of webhook configurations is `v1`"))
}

fn fields(marker: &Marker, mutating: bool) -> Map<String, Value> {
    let mut fields = Map::new();
    let spelt = |argument: &str, known: &[&str]| {
        given(marker, argument).map(|text| json!(spelling(text, known)))
    };
    let optional = [
        ("failurePolicy", spelt("failurePolicy", FAILURE)),
        ("matchPolicy", spelt("matchPolicy", MATCH)),
        ("sideEffects", spelt("sideEffects", SIDE_EFFECTS)),
        (
            "reinvocationPolicy",
            spelt("reinvocationPolicy", REINVOCATION).filter(|_| mutating),
        ),
        ("timeoutSeconds", number(marker, "timeoutSeconds")),
    ];
    let given = optional.into_iter();
    fields.extend(given.filter_map(|(name, value)| Some((name.to_owned(), value?))));
    let reviews: Vec<_> = marker.list("admissionReviewVersions").collect();
    fields.insert("name".into(), json!(marker.text("name")));
    fields.insert("admissionReviewVersions".into(), json!(reviews));
    fields.insert("rules".into(), json!([rule(marker)]));
    fields.insert("clientConfig".into(), client(marker));
    fields
}

fn rule(marker: &Marker) -> Value {
    let groups = marker.list("groups").map(|group| match group {
        "core" => "",
        group => group,
    });
    let verbs = marker.list("verbs").map(|verb| spelling(verb, OPERATIONS));
    json!({
        "apiGroups": groups.collect::<Vec<_>>(),
        "apiVersions": marker.list("versions").collect::<Vec<_>>(),
        "operations": verbs.collect::<Vec<_>>(),
        "resources": marker.list("resources").collect::<Vec<_>>(),
    })
}

fn client(marker: &Marker) -> Value {
    let Some(path) = given(marker, "path") else {
        return json!({ "url": marker.text("url") });
    };
    let mut service = json!({
        "name": given(marker, "serviceName").unwrap_or(SERVICE),
        "namespace": given(marker, "serviceNamespace").unwrap_or(NAMESPACE),
        "path": path,
    });
    if let Some(port) = number(marker, "servicePort") {
        service["port"] = port;
    }
    json!({ "service": service })
}

fn number(marker: &Marker, argument: &str) -> Option<Value> {
    let number = given(marker, argument)?.parse::<i64>().ok()?;
    Some(json!(number))
}

/// A value as the API server spells it; an unknown one stays.
fn spelling<'a>(text: &'a str, known: &[&'a str]) -> &'a str {
    let same = |known: &&&str| known.eq_ignore_ascii_case(text);
    known.iter().find(same).copied().unwrap_or(text)
}
