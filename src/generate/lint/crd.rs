//! What is of all versions of a CRD, but its names.
use super::{Hit, OfObject, Rule, items, names::one, says, text};
use crate::model::names::{is_label, is_subdomain};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::Value;

pub(super) static RULES: [OfObject; 6] = [
    (
        Rule::refused(
            "malformed-field",
            "a field, outside of schemas, with a value of the wrong type",
            "leave the CRD to `#[derive(CustomResource)]`",
        ),
        |crd| match read(crd) {
            Err(error) => vec![("the CRD".into(), format!("cannot be read: {error}"))],
            Ok(_) => Vec::new(),
        },
    ),
    (
        Rule::refused(
            "unknown-field",
            "a field, outside of schemas, that CRDs do not have",
            "leave the CRD to `#[derive(CustomResource)]`",
        ),
        |crd| {
            let known = read(crd)
                .ok()
                .and_then(|known| serde_json::to_value(known).ok());
            let field = known.and_then(|known| lost(&without_schemas(crd), &known));
            let what = "is no field of a CRD: strict validation, as of `kubectl apply`, refuses it";
            field
                .map(|field| (field, what.into()))
                .into_iter()
                .collect()
        },
    ),
    (
        Rule::refused(
            "versions",
            "two versions of one name, or not exactly one that is stored",
            "add `storage = false` to `#[kube(…)]` of all versions but one",
        ),
        versions,
    ),
    (
        Rule::refused(
            "spec-preserve-unknown-fields",
            "`preserveUnknownFields: true` of the CRD, which was for the first of their versions",
            "set `x-kubernetes-preserve-unknown-fields` in the schema instead",
        ),
        |crd| {
            let there = crd["spec"]["preserveUnknownFields"] == true;
            one(
                there,
                "preserveUnknownFields",
                "is true, which is no longer possible".into(),
            )
        },
    ),
    (
        Rule::refused(
            "conversion",
            "a conversion that is neither None nor a webhook with a review version and either a service or an https URL",
            "make `crds()` set `spec.conversion` as Kubernetes documents it",
        ),
        |crd| {
            let conversion = &crd["spec"]["conversion"];
            let what = (!conversion.is_null())
                .then(|| wrong_conversion(conversion))
                .flatten();
            what.map(|what| ("conversion".into(), what))
                .into_iter()
                .collect()
        },
    ),
    (
        Rule::refused(
            "selectable-versions",
            "selectable fields that are the same in versions of different schemas, or differ in versions of the same schema: the API server mistakes the former for versions without a schema",
            "select another list of fields in each version whose schema differs, and the same where it does not",
        ),
        selectable_versions,
    ),
];

fn read(crd: &Value) -> serde_json::Result<CustomResourceDefinition> {
    serde_json::from_value(without_schemas(crd))
}

/// Schemas have rules of their own.
fn without_schemas(crd: &Value) -> Value {
    let mut crd = crd.clone();
    let versions = crd
        .pointer_mut("/spec/versions")
        .and_then(Value::as_array_mut);
    for version in versions.into_iter().flatten() {
        if let Some(schema) = version.get_mut("schema").and_then(Value::as_object_mut) {
            schema.remove("openAPIV3Schema");
        }
    }
    crd
}

/// The first field that is not among those that are known; texts and numbers are not compared.
fn lost(all: &Value, known: &Value) -> Option<String> {
    match all {
        Value::Object(map) => {
            map.iter()
                .filter(|(_, value)| !value.is_null())
                .find_map(|(key, value)| match known.get(key) {
                    None => Some(key.clone()),
                    Some(known) => lost(value, known).map(|below| format!("{key}.{below}")),
                })
        }
        Value::Array(list) => {
            let mut pairs = list.iter().zip(items(known));
            pairs.find_map(|(value, known)| lost(value, known))
        }
        _ => None,
    }
}

fn versions(crd: &Value) -> Vec<Hit> {
    let versions = items(&crd["spec"]["versions"]);
    let stored = versions
        .iter()
        .filter(|version| version["storage"] == true)
        .count();
    let twice = versions.iter().enumerate().find(|(index, version)| {
        let name = version["name"].as_str().unwrap_or_default();
        versions[..*index]
            .iter()
            .any(|other| other["name"].as_str().unwrap_or_default() == name)
    });
    let twice = twice.map(|(_, version)| {
        (
            "versions".to_owned(),
            format!("hold {} twice", version["name"]),
        )
    });
    let storage = one(
        stored != 1,
        "versions",
        format!("{stored} are stored, and exactly one must be"),
    );
    twice.into_iter().chain(storage).collect()
}

/// The server takes what all versions share out of them, the schema and the list each by itself.
fn selectable_versions(crd: &Value) -> Vec<Hit> {
    let versions = items(&crd["spec"]["versions"]);
    let selects = |version: &Value| says(&version["selectableFields"]);
    let same = |key: &str| {
        let mut all = versions.iter().map(|version| &version[key]);
        let first = all.next().map(said);
        all.all(|other| Some(said(other)) == first)
    };
    let (fields, schemas) = (same("selectableFields"), same("schema"));
    let what = match fields {
        true => {
            "are the same in all versions, whose schemas differ: the API server finds no schema for them"
        }
        false => {
            "differ between versions of the same schema: the API server finds no schema for them"
        }
    };
    one(
        versions.iter().any(selects) && fields != schemas,
        "selectable fields",
        what.into(),
    )
}

/// A value without what says nothing.
fn said(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let said = map.iter().filter(|(_, value)| says(value));
            said.map(|(key, value)| (key.clone(), self::said(value)))
                .collect()
        }
        Value::Array(list) => list.iter().map(said).collect(),
        value if says(value) => value.clone(),
        _ => Value::Null,
    }
}

fn wrong_conversion(conversion: &Value) -> Option<String> {
    let webhook = &conversion["webhook"];
    let config = &webhook["clientConfig"];
    let reviews = items(&webhook["conversionReviewVersions"]);
    match conversion["strategy"].as_str() {
        Some("None") => {
            let more = !config.is_null() || !reviews.is_empty();
            return more.then(|| "is None, and has a webhook".into());
        }
        Some("Webhook") => {}
        other => {
            return Some(format!(
                "has the strategy {}, which is neither None nor Webhook",
                other.unwrap_or_default()
            ));
        }
    }
    let mut names: Vec<_> = reviews
        .iter()
        .map(|name| name.as_str().unwrap_or_default())
        .collect();
    if !names.contains(&"v1") && !names.contains(&"v1beta1") {
        return Some("must name v1 among its conversionReviewVersions".into());
    }
    if let Some(name) = names.iter().find(|name| !is_label(name)) {
        return Some(format!(
            "has the review version `{name}`, which is no DNS-1035 label"
        ));
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    if names.len() < count {
        return Some("has a review version twice".into());
    }
    match (&config["url"], &config["service"]) {
        (Value::String(url), Value::Null) => wrong_url(url).map(str::to_owned),
        (Value::Null, service @ Value::Object(_)) => wrong_service(service),
        _ => Some("needs either a url or a service".into()),
    }
}

fn wrong_url(url: &str) -> Option<&'static str> {
    let Some(rest) = url.strip_prefix("https://") else {
        return Some("has a url that does not start with https://");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match () {
        () if authority.is_empty() => Some("has a url without host"),
        () if authority.contains('@') => Some("has a url with a user"),
        () if rest
            .split_once('#')
            .is_some_and(|(_, rest)| !rest.is_empty()) =>
        {
            Some("has a url with a fragment")
        }
        () if rest
            .split_once('?')
            .is_some_and(|(_, rest)| !rest.is_empty()) =>
        {
            Some("has a url with a query")
        }
        () => None,
    }
}

fn wrong_service(service: &Value) -> Option<String> {
    for key in ["name", "namespace"] {
        if text(&service[key]).is_none() {
            return Some(format!("has a service without {key}"));
        }
    }
    let port = &service["port"];
    if !port.is_null()
        && !port
            .as_i64()
            .is_some_and(|port| (1..=65535).contains(&port))
    {
        return Some(format!("has a service with the port {port}"));
    }
    let path = text(&service["path"]).filter(|path| *path != "/")?;
    let inner = path
        .strip_prefix('/')
        .map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    let right = inner.is_some_and(|inner| inner.split('/').all(is_subdomain));
    (!right).then(|| format!("has a service with the path `{path}`"))
}
