//! The CRD files of what the project's `crdgen` printed.
//!
//! Everything is as kube derives it, but for what controller-gen leaves out, too: nulls, the
//! status, and the fraction of whole numbers (`minimum: 1.0`). Kinds too long for `<Kind>List` get
//! a shorter `listKind`.
mod limits;
mod merge;

pub use self::limits::ANNOTATIONS;
pub use self::merge::merge;

use super::{owned, yaml};
use crate::{
    error::{Error, Result},
    model::{names::Kind, yaml::Fault},
};
use serde_json::{Map, Value};

/// File systems take no longer names, in bytes.
const LONGEST_FILE_NAME: usize = 255;

/// A CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd {
    name: String,
    group: String,
    plural: String,
    value: Value,
}

impl Crd {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The group of its kind.
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("{}_{}.yaml", self.group, self.plural)
    }

    /// The object.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        format!("---\n{}", yaml::to_string(&self.value))
    }

    fn new(mut value: Value) -> Result<Self, String> {
        let kind = value["kind"].as_str().unwrap_or("nothing");
        if kind != "CustomResourceDefinition" {
            return Err(format!("expected a CustomResourceDefinition, got {kind}"));
        }
        if let Some(object) = value.as_object_mut() {
            object.remove("status");
        }
        drop_nulls(&mut value, false);
        if let Some(names) = value.pointer_mut("/spec/names") {
            name_list(names);
        }
        let text = |at: &str| value.pointer(at).and_then(Value::as_str).map(str::to_owned);
        let part = |at: &str| {
            text(at)
                .filter(|text| is_name(text))
                .ok_or(format!("`{at}` is no name"))
        };
        let crd = Self {
            name: part("/metadata/name")?,
            group: part("/spec/group")?,
            plural: part("/spec/names/plural")?,
            value: value.clone(),
        };
        if crd.name != format!("{}.{}", crd.plural, crd.group) {
            return Err(format!(
                "`{}` is not named `{}.{}`",
                crd.name, crd.plural, crd.group
            ));
        }
        if crd.file_name().len() > LONGEST_FILE_NAME {
            return Err(format!(
                "the file name `{}` has more than {LONGEST_FILE_NAME} bytes",
                crd.file_name()
            ));
        }
        match crd.versions().first() {
            Some(_) => Ok(crd),
            None => Err(format!("`{}` has no versions", crd.name)),
        }
    }

    fn versions(&self) -> &[Value] {
        self.value["spec"]["versions"]
            .as_array()
            .map_or(&[], Vec::as_slice)
    }
}

/// The files of the CRDs in a JSON array, sorted by name: pairs of file name and text.
///
/// # Errors
/// See [`parse`] and [`merge()`].
pub fn files(json: &str) -> Result<Vec<(String, String)>> {
    let crds = read(json)?;
    let files = crds.iter().map(|crd| (crd.file_name(), crd.text()));
    Ok(files.collect())
}

/// The CRDs in a JSON array, their versions merged, sorted by the names of their files.
///
/// # Errors
/// See [`parse`] and [`merge()`].
pub fn read(json: &str) -> Result<Vec<Crd>> {
    let mut crds = merge(parse(json)?)?;
    crds.sort_by_key(Crd::file_name);
    Ok(crds)
}

/// The CRD that a file of this name holds, if it is one that was generated.
pub fn generated(file_name: &str, text: &str) -> Option<Crd> {
    let documents = owned::documents(text)?;
    owned::crd_name(&documents)?;
    let crd = Crd::new(documents.into_iter().next()?).ok()?;
    (crd.file_name() == file_name).then_some(crd)
}

/// Reads the CustomResourceDefinitions that `crdgen` printed: a JSON array of them, or YAML documents,
/// as operators print them that know nothing of rop.
///
/// # Errors
/// It is something else: the message says what, and quotes its first line.
pub fn parse(json: &str) -> Result<Vec<Crd>> {
    let wrong = |what: String| {
        Error::failed(format!(
            "`crdgen` did not print a JSON array of CustomResourceDefinitions: {what}"
        ))
        .hint(
            "its `main` must print the list `crds()` as JSON, and nothing else, to standard output",
        )
    };
    let start = first_line(json);
    let value: Value = match serde_json::from_str(json) {
        Ok(value) => value,
        Err(_) if json.trim().is_empty() => return Err(wrong("it printed nothing".into())),
        Err(_) if json.contains("\nkind: CustomResourceDefinition") => {
            among(json).map_err(wrong)?.into()
        }
        Err(e) => return Err(wrong(format!("{e}; it starts with `{start}`"))),
    };
    let items = match value {
        Value::Array(items) => items,
        crd if crd["kind"] == "CustomResourceDefinition" => vec![crd],
        other => {
            let kind = kind_of(&other);
            return Err(wrong(format!("it is {kind}, which starts with `{start}`")));
        }
    };
    let crds = items.into_iter().enumerate();
    crds.map(|(i, item)| Crd::new(item).map_err(|what| wrong(format!("item {}: {what}", i + 1))))
        .collect()
}

/// The CRDs among the documents of a YAML file.
///
/// # Errors
/// It is no YAML: what is wrong with it.
pub fn among(text: &str) -> Result<Vec<Value>, String> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(text).map_err(|error| {
        let Fault { place, what } = Fault::of(&error);
        let place = place.map(|(line, column)| format!("{line}:{column}: "));
        format!("{}{what}", place.unwrap_or_default())
    })?;
    let is_crd = |document: &Value| document["kind"] == "CustomResourceDefinition";
    Ok(documents.into_iter().filter(is_crd).collect())
}

/// Names the list of a kind whose `<Kind>List`, which the API server would make, it would refuse.
fn name_list(names: &mut Value) {
    let kind = names["kind"].as_str().map(str::parse::<Kind>);
    if let Some(Ok(kind)) = kind
        && kind.has_long_list()
        && names["listKind"].is_null()
    {
        names["listKind"] = kind.list().into();
    }
}

/// Removes nulls, but not from values of the user: those in defaults, examples and enums.
fn drop_nulls(value: &mut Value, names: bool) {
    match value {
        Value::Object(map) => drop_nulls_of(map, names),
        Value::Array(items) => items.iter_mut().for_each(|item| drop_nulls(item, false)),
        _ => {}
    }
}

/// `names`: whether the keys are names that users gave to properties.
fn drop_nulls_of(map: &mut Map<String, Value>, names: bool) {
    let users = |key: &str| !names && matches!(key, "default" | "example" | "enum");
    map.retain(|key, value| !value.is_null() || users(key));
    for (key, value) in map.iter_mut().filter(|(key, _)| !users(key)) {
        let properties = matches!(
            key.as_str(),
            "properties" | "patternProperties" | "definitions"
        );
        drop_nulls(value, properties && !names);
    }
}

/// Whether the text may be part of a file name: lower-case letters, digits, `-` and `.`.
fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
    };
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.bytes().all(allowed)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The first line that is not blank, at most 80 characters of it.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or_default();
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
