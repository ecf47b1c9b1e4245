//! References of APIs in Markdown: a file for each version of a group, of what its CRDs say.
mod fields;
mod markdown;

use markdown::{code, entities, line, table};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The first line of each file, by which rop knows its own.
pub const HEADER: &str = "<!-- Written by `rop generate docs`. -->\n";

/// The CRDs of kinds, and the version of each that is told of.
type Kinds<'a> = BTreeMap<&'a str, (&'a Value, &'a Value)>;

/// The references of these CRDs: pairs of file name and text, sorted by name.
pub fn files(crds: &[Value]) -> Vec<(String, String)> {
    let mut apis: BTreeMap<(&str, &str), Kinds<'_>> = BTreeMap::new();
    for crd in crds {
        let text = |at: &str| crd.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
        for version in versions {
            let name = version["name"].as_str().unwrap_or_default();
            let kinds = apis.entry((text("/spec/group"), name)).or_default();
            kinds.insert(text("/spec/names/kind"), (crd, version));
        }
    }
    let file = |((group, version), kinds): ((&str, &str), Kinds<'_>)| {
        let name = format!("{group}_{version}.md");
        (name, reference(&format!("{group}/{version}"), kinds))
    };
    apis.into_iter().map(file).collect()
}

fn reference(api: &str, kinds: Kinds<'_>) -> String {
    let mut anchors = BTreeSet::new();
    let named = kinds.into_iter();
    let named = named.map(|(kind, of)| (kind, fields::anchor(kind, &mut anchors), of));
    let named: Vec<_> = named.collect();
    let mut text = format!("{HEADER}\n# {}\n\n", entities(api));
    for (kind, anchor, _) in &named {
        text.push_str(&format!("- [{}](#{anchor})\n", entities(kind)));
    }
    for (kind, anchor, (crd, version)) in named {
        text.push_str(&format!(
            "\n<a id=\"{anchor}\"></a>\n\n## {}\n\n",
            entities(kind)
        ));
        let schema = &version["schema"]["openAPIV3Schema"];
        if let Some(description) = schema["description"].as_str() {
            text.push_str(&format!("{}\n\n", paragraph(description)));
        }
        text.push_str(&summary(api, kind, crd, version));
        text.push_str(&columns(version));
        text.push_str(&fields::sections(kind, schema, &mut anchors));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// A description outside of a table, where its first character could begin something else.
fn paragraph(text: &str) -> String {
    let text = line(text);
    let begins = text.starts_with(|c: char| "#>-+*=|~:".contains(c) || c.is_ascii_digit());
    let defines = text.starts_with('[') && text.contains("]:");
    match text.chars().next() {
        Some(first) if (begins && !text.starts_with("**")) || defines => {
            format!("&#{};{}", u32::from(first), &text[1..])
        }
        _ => text,
    }
}

/// What is to be known of a kind besides its fields.
fn summary(api: &str, kind: &str, crd: &Value, version: &Value) -> String {
    let names = &crd["spec"]["names"];
    let text = |value: &Value| value.as_str().map(code);
    let list = |value: &Value| {
        let items = value.as_array().into_iter().flatten();
        let items: Vec<_> = items.filter_map(text).collect();
        (!items.is_empty()).then(|| items.join(", "))
    };
    let deprecated = (version["deprecated"] == true).then(|| {
        let warning = version["deprecationWarning"].as_str();
        warning.map_or("yes".into(), line)
    });
    let served = (version["served"] != true).then(|| "no".to_owned());
    let rules = fields::rules(&version["schema"]["openAPIV3Schema"]);
    let rows = [
        ("`apiVersion`", Some(code(api))),
        ("`kind`", Some(code(kind))),
        ("Scope", text(&crd["spec"]["scope"])),
        ("Plural", text(&names["plural"])),
        ("Short names", list(&names["shortNames"])),
        ("Categories", list(&names["categories"])),
        ("Subresources", subresources(version)),
        ("Served", served),
        ("Deprecated", deprecated),
        ("Rules", (!rules.is_empty()).then(|| rules.join("<br>"))),
    ];
    let rows = rows.into_iter();
    let rows = rows.filter_map(|(name, value)| Some(vec![name.to_owned(), value?]));
    table(&["", ""], rows)
}

fn subresources(version: &Value) -> Option<String> {
    let subresources = version["subresources"].as_object()?;
    let told = subresources.iter().map(|(name, what)| {
        let paths = [
            "specReplicasPath",
            "statusReplicasPath",
            "labelSelectorPath",
        ];
        let paths = paths
            .iter()
            .filter_map(|path| what[*path].as_str().map(code));
        let paths: Vec<_> = paths.collect();
        match paths.is_empty() {
            true => code(name),
            false => format!("{} ({})", code(name), paths.join(", ")),
        }
    });
    let told: Vec<_> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The columns that `kubectl get` prints.
fn columns(version: &Value) -> String {
    let columns = version["additionalPrinterColumns"].as_array();
    let rows = columns.into_iter().flatten().map(|column| {
        let text = |field: &str| column[field].as_str().unwrap_or_default();
        let wide = column["priority"]
            .as_i64()
            .is_some_and(|priority| priority > 0);
        let about = line(text("description"));
        let with = if wide { "with `-o wide`" } else { "" };
        let about = [about.as_str(), with]
            .into_iter()
            .filter(|part| !part.is_empty());
        vec![
            entities(text("name")),
            entities(text("type")),
            code(text("jsonPath")),
            about.collect::<Vec<_>>().join("<br>"),
        ]
    });
    let rows: Vec<_> = rows.collect();
    match rows.is_empty() {
        true => String::new(),
        false => table(
            &["Column of `kubectl get`", "Type", "From", "Description"],
            rows,
        ),
    }
}
