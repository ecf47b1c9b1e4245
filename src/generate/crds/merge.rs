//! Makes one CRD of its versions.
use super::Crd;
use crate::error::{Error, Result};
use serde_json::Value;
use std::collections::BTreeMap;

/// Makes one CRD of those of one name, which are its versions.
///
/// # Errors
/// They differ in what all versions share, name a version twice, or do not have exactly one that
/// is stored and at least one that is served.
pub fn merge(crds: Vec<Crd>) -> Result<Vec<Crd>> {
    let mut kinds: BTreeMap<String, Vec<Crd>> = BTreeMap::new();
    for crd in crds {
        kinds.entry(crd.name.clone()).or_default().push(crd);
    }
    let merged: Result<Vec<_>> = kinds.into_values().map(merge_versions).collect();
    let merged = merged?;
    check_kinds(&merged)?;
    Ok(merged)
}

/// A kind has one CRD: the API server takes no second one.
fn check_kinds(crds: &[Crd]) -> Result<()> {
    let mut names = BTreeMap::new();
    for crd in crds {
        let kind = crd.value["spec"]["names"]["kind"].as_str();
        let kind = kind.unwrap_or_default();
        if let Some(other) = names.insert((&crd.group, kind), crd) {
            let what = format!(
                "the kind {kind} of the group {} has two CRDs: `{}` ({}) and `{}` ({})",
                crd.group,
                other.name,
                version_names(other),
                crd.name,
                version_names(crd),
            );
            return Err(Error::failed(what).hint(
                "give all its versions the same `plural` in `#[kube(…)]`, or one of the two another kind",
            ));
        }
    }
    Ok(())
}

fn merge_versions(mut crds: Vec<Crd>) -> Result<Crd> {
    crds.sort_by_key(version_names);
    let mut versions: Vec<Value> = crds.iter().flat_map(Crd::versions).cloned().collect();
    versions.sort_by_key(|version| name(version).to_owned());
    let mut crds = crds.into_iter();
    let mut merged = crds
        .next()
        .ok_or_else(|| Error::internal("a CRD without versions"))?;
    check_twice(&merged, &versions)?;
    for crd in crds {
        if let Some(at) = add(&mut merged, &crd) {
            let (ours, theirs) = (version_names(&merged), version_names(&crd));
            let what =
                format!("versions {ours} and {theirs} differ in `{at}`, which all versions share");
            return Err(refusal(&merged, &what));
        }
    }
    check(&merged, &versions)?;
    merged.value["spec"]["versions"] = versions.into();
    Ok(merged)
}

/// Adds what is not of a version, or says where the two contradict each other.
fn add(merged: &mut Crd, crd: &Crd) -> Option<String> {
    for shared in ["scope", "names"] {
        let [ours, theirs] = [&*merged, crd].map(|crd| &crd.value["spec"][shared]);
        if let Some(at) = difference(shared, ours, theirs) {
            return Some(at);
        }
    }
    join(
        "metadata",
        &mut merged.value["metadata"],
        &crd.value["metadata"],
    )
}

/// A version that two types make: whatever they differ in, only one of them can be it.
fn check_twice(crd: &Crd, versions: &[Value]) -> Result<()> {
    let mut pairs = versions
        .windows(2)
        .map(|pair| [name(&pair[0]), name(&pair[1])]);
    let Some([twice, _]) = pairs.find(|[one, other]| one == other) else {
        return Ok(());
    };
    let what = format!("version {twice} is there twice: two types make it");
    Err(refusal(crd, &what).hint(
        "list each type once in `crds()`, and give each its own `kind` and `version` in `#[kube(…)]`",
    ))
}

fn check(crd: &Crd, versions: &[Value]) -> Result<()> {
    let all: Vec<_> = versions.iter().map(name).collect();
    let with = |flag: &str| -> Vec<_> {
        let with = versions.iter().filter(|version| version[flag] == true);
        with.map(name).collect()
    };
    let list = all.join(", ");
    match &with("storage")[..] {
        [_] if !with("served").is_empty() => Ok(()),
        [_] => Err(refusal(
            crd,
            &format!("none of its versions ({list}) is served"),
        )),
        [] => Err(
            refusal(crd, &format!("none of its versions ({list}) is stored")).hint(
                "leave `storage = false` out of `#[kube(…)]` of the version that shall be stored",
            ),
        ),
        stored => {
            let what = format!(
                "of its versions, {} are stored, but only one can be",
                stored.join(", ")
            );
            Err(refusal(crd, &what).hint("add `storage = false` to `#[kube(…)]` of the others"))
        }
    }
}

fn refusal(crd: &Crd, what: &str) -> Error {
    Error::failed(format!("CRD `{}`: {what}", crd.name))
}

fn name(version: &Value) -> &str {
    version["name"].as_str().unwrap_or_default()
}

fn version_names(crd: &Crd) -> String {
    let names: Vec<_> = crd.versions().iter().map(name).collect();
    names.join(", ")
}

/// Where two values differ first.
fn difference(at: &str, a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let keys = x.keys().chain(y.keys());
            let mut found =
                keys.filter_map(|key| difference(&format!("{at}.{key}"), &a[key], &b[key]));
            found.next()
        }
        _ => (a != b).then(|| at.to_owned()),
    }
}

/// Adds what is missing, or says where the two contradict each other.
fn join(at: &str, to: &mut Value, from: &Value) -> Option<String> {
    match (to, from) {
        (Value::Object(to), Value::Object(from)) => {
            from.iter().find_map(|(key, value)| match to.get_mut(key) {
                Some(to) => join(&format!("{at}.{key}"), to, value),
                None => {
                    to.insert(key.clone(), value.clone());
                    None
                }
            })
        }
        (to, from) => (to != from).then(|| at.to_owned()),
    }
}
