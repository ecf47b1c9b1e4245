//! What stands beside the schema of a version: columns, subresources, selectable fields.
use super::{Hit, OfObject, Rule, items, path, text};
use crate::model::names::is_label;
use serde_json::Value;

const COLUMN_TYPES: [&str; 5] = ["integer", "number", "string", "boolean", "date"];
const COLUMN_FORMATS: [&str; 8] = [
    "int32",
    "int64",
    "float",
    "double",
    "byte",
    "date",
    "date-time",
    "password",
];
/// Where the paths of `scale` must lead to; the last may be left out.
const SCALE: [(&str, &[&str]); 3] = [
    ("specReplicasPath", &[".spec."]),
    ("statusReplicasPath", &[".status."]),
    ("labelSelectorPath", &[".spec.", ".status."]),
];
const MOST_SELECTABLE: usize = 8;
const LONGEST_WARNING: usize = 256;

pub(super) static RULES: [OfObject; 9] = [
    (
        Rule::refused(
            "version-name",
            "a version whose name is no DNS-1035 label",
            "correct `version` in `#[kube(…)]`, such as `v1alpha1`",
        ),
        |version| {
            let name = version["name"].as_str().unwrap_or_default();
            let wrong = !is_label(name);
            wrong
                .then(|| ("name".into(), format!("`{name}` is no DNS-1035 label")))
                .into_iter()
                .collect()
        },
    ),
    (
        Rule::refused(
            "deprecation-warning",
            "a warning for a version that is not deprecated, or one that is empty, longer than 256 bytes or not printable",
            "correct `deprecated = \"…\"` in `#[kube(…)]`",
        ),
        deprecation,
    ),
    (
        Rule::refused(
            "print-column",
            "a column without name, of an unknown type or format, or with a path that does not start with a dot",
            "correct it in `#[kube(printcolumn(…))]`",
        ),
        |version| columns(version, column),
    ),
    (
        Rule::regretted(
            "print-column-path",
            "a column whose path leads to no field",
            "write the path as the field is serialized, in camelCase",
        ),
        |version| {
            columns(version, |column, _, root| {
                let path = text(&column["jsonPath"])?;
                path::leads_nowhere(root, path).then(|| {
                    format!("shows `{path}`, a field that the schema does not have: it stays empty")
                })
            })
        },
    ),
    (
        Rule::regretted(
            "print-column-twice",
            "two columns of one name",
            "give each printcolumn a name of its own",
        ),
        |version| {
            columns(version, |column, before, _| {
                let twice = before.iter().any(|other| other["name"] == column["name"]);
                twice.then(|| "is there twice".into())
            })
        },
    ),
    (
        Rule::refused(
            "scale",
            "paths of `scale` that are missing or lead out of spec or status",
            "correct it in `#[kube(scale(…))]`",
        ),
        scale,
    ),
    (
        Rule::regretted(
            "scale-path",
            "a path of `scale` that leads to no field: `kubectl scale` fails",
            "add the field, or write the path as it is serialized, in camelCase",
        ),
        |version| {
            let root = &version["schema"]["openAPIV3Schema"];
            let scale = &version["subresources"]["scale"];
            let paths = SCALE
                .into_iter()
                .filter_map(|(key, _)| Some((key, text(&scale[key])?)));
            let nowhere = paths.filter(|(_, path)| path::leads_nowhere(root, path));
            nowhere
                .map(|(key, path)| {
                    (
                        format!("scale {key}"),
                        format!("is `{path}`, a field that the schema does not have"),
                    )
                })
                .collect()
        },
    ),
    (
        Rule::refused(
            "selectable-field",
            "a selectable field that is no string, integer or boolean of the schema, is there twice, or is one too many",
            "name a string, integer or boolean field in `#[kube(selectable = …)]`, at most 8",
        ),
        selectable,
    ),
    (
        Rule::regretted(
            "status",
            "a status that is no subresource: each change of it is a new generation of the object",
            "add `status = \"…Status\"` to `#[kube(…)]`",
        ),
        |version| {
            let has_status =
                version["schema"]["openAPIV3Schema"]["properties"]["status"].is_object();
            let alone = has_status && version["subresources"]["status"].is_null();
            alone.then(|| ("status".into(), "is no subresource: whoever writes the spec can write it, and each change of it is a new generation".into())).into_iter().collect()
        },
    ),
];

fn deprecation(version: &Value) -> Vec<Hit> {
    let printable = |c: char| {
        c == ' '
            || !(c.is_control()
                || c.is_whitespace()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}'))
    };
    let what = match version["deprecationWarning"].as_str() {
        None => return Vec::new(),
        Some(_) if version["deprecated"] != true => "is there, but the version is not deprecated",
        Some("") => "is empty",
        Some(text) if text.len() > LONGEST_WARNING => "is longer than 256 bytes",
        Some(text) if !text.chars().all(printable) => "holds characters that cannot be printed",
        Some(_) => return Vec::new(),
    };
    vec![("deprecationWarning".into(), what.into())]
}

/// Judges each column, with those before it and the schema.
fn columns(
    version: &Value,
    judge: impl Fn(&Value, &[Value], &Value) -> Option<String>,
) -> Vec<Hit> {
    let root = &version["schema"]["openAPIV3Schema"];
    let columns = items(&version["additionalPrinterColumns"]);
    let judged = columns.iter().enumerate().filter_map(|(index, column)| {
        let name = column["name"].as_str().unwrap_or_default();
        let what = judge(column, &columns[..index], root)?;
        Some((format!("printcolumn `{name}`"), what))
    });
    judged.collect()
}

fn column(column: &Value, _: &[Value], _: &Value) -> Option<String> {
    let get = |key: &str| column[key].as_str().unwrap_or_default();
    let (kind, format, path) = (get("type"), get("format"), get("jsonPath"));
    if get("name").is_empty() {
        return Some("has no name".into());
    }
    if !COLUMN_TYPES.contains(&kind) {
        return Some(format!(
            "is of type `{kind}`, which is none of {}",
            COLUMN_TYPES.join(", ")
        ));
    }
    if !format.is_empty() && !COLUMN_FORMATS.contains(&format) {
        return Some(format!(
            "has the format `{format}`, which is none of {}",
            COLUMN_FORMATS.join(", ")
        ));
    }
    (!path.starts_with('.')).then(|| format!("has the path `{path}`, which must start with a dot"))
}

fn scale(version: &Value) -> Vec<Hit> {
    let scale = &version["subresources"]["scale"];
    if scale.is_null() {
        return Vec::new();
    }
    let wrong = SCALE.into_iter().filter_map(|(key, places)| {
        let path = scale[key].as_str().unwrap_or_default();
        let optional = key == "labelSelectorPath" && path.is_empty();
        let right = optional || places.iter().any(|place| path.starts_with(place));
        let what = format!("is `{path}`: it must start with {}", places.join(" or "));
        (!right).then(|| (format!("scale {key}"), what))
    });
    wrong.collect()
}

fn selectable(version: &Value) -> Vec<Hit> {
    let root = &version["schema"]["openAPIV3Schema"];
    let fields = items(&version["selectableFields"]);
    let paths: Vec<_> = fields
        .iter()
        .map(|field| field["jsonPath"].as_str().unwrap_or_default())
        .collect();
    let judge = |(index, path): (usize, &&str)| {
        let found = path::find(root, path, false);
        let what = match found.map(|found| found["type"].as_str().unwrap_or_default()) {
            _ if path.is_empty() => "is empty",
            Err(what) => what,
            Ok(_) if path.starts_with(".metadata") && !path.starts_with(".metadata_") => {
                "is Kubernetes' own"
            }
            Ok("string" | "integer" | "boolean") if paths[..index].contains(path) => {
                "is there twice"
            }
            Ok("string" | "integer" | "boolean") => return None,
            Ok(_) => "is no string, integer or boolean",
        };
        Some((format!("selectable `{path}`"), what.into()))
    };
    let mut hits: Vec<Hit> = paths.iter().enumerate().filter_map(judge).collect();
    if hits.is_empty() && fields.len() > MOST_SELECTABLE {
        hits.push((
            "selectable".into(),
            format!("there are {} fields, and 8 are allowed", fields.len()),
        ));
    }
    hits
}
