//! References of APIs, as a parser of Markdown reads them.
use crate::support::{self, CREATE, Dir, INIT};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use rop::generate::docs::files;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What a parser finds in a reference.
#[derive(Debug, Default)]
struct Read {
    /// Texts of the cells, by table and row; a line break is a blank.
    tables: Vec<Vec<Vec<String>>>,
    headings: Vec<String>,
    links: Vec<String>,
    anchors: BTreeSet<String>,
    /// Any other HTML.
    html: Vec<String>,
}

fn read(text: &str) -> Read {
    let mut read = Read::default();
    let (mut cell, mut heading) = (None::<String>, None::<String>);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        let words = match &event {
            Event::Text(text) | Event::Code(text) => text.to_string(),
            _ => String::new(),
        };
        [&mut cell, &mut heading]
            .into_iter()
            .flatten()
            .for_each(|text| text.push_str(&words));
        match event {
            Event::Start(Tag::Table(_)) => read.tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                read.tables.last_mut().unwrap().push(Vec::new())
            }
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => read
                .tables
                .last_mut()
                .unwrap()
                .last_mut()
                .unwrap()
                .push(cell.take().unwrap()),
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => read.headings.push(heading.take().unwrap()),
            Event::Start(Tag::Link { dest_url, .. }) => read.links.push(dest_url.to_string()),
            Event::Html(html) | Event::InlineHtml(html) => {
                let html = html.trim();
                if html == "<br>" {
                    cell.iter_mut().for_each(|text| text.push(' '));
                } else if let Some(name) = html.strip_prefix("<a id=\"") {
                    let anchor = name.trim_end_matches("</a>").trim_end_matches("\">");
                    assert!(
                        read.anchors.insert(anchor.to_owned()),
                        "{anchor} is there twice"
                    );
                } else if ![
                    "<code>",
                    "</code>",
                    "</a>",
                    rop::generate::docs::HEADER.trim(),
                ]
                .contains(&html)
                {
                    read.html.push(html.to_owned());
                }
            }
            _ => {}
        }
    }
    read
}

fn crd(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "apps.a.io" },
        "spec": {
            "group": "a.io",
            "scope": "Namespaced",
            "names": { "plural": "apps", "singular": "app", "kind": "App", "shortNames": ["ap"], "categories": ["all"] },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "deprecated": true, "deprecationWarning": "use v2 | or not",
                "subresources": { "status": {}, "scale": { "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" } },
                "additionalPrinterColumns": [
                    { "name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status" },
                    { "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 1, "description": "Its *age*" },
                ],
                "schema": { "openAPIV3Schema": schema },
            }],
        },
    })
}

/// One with all that is told.
fn rich() -> Value {
    let key = json!({"type": "string", "description": "Name of the port\nin lower case.\n\n- one\n- two | three <b>", "pattern": "^[a-z|]+$", "maxLength": 15});
    let deep = json!({"type": "object", "description": "`Vec<String>`, or `a|b`", "properties": {
        "deeper": {"type": "object", "properties": {"deepest": {"type": "string", "enum": ["x|y", "`", null], "nullable": true}}},
    }});
    crd(&json!({
        "type": "object",
        "description": "# An app\nthat <i>runs</i>.\n\nMore of it.",
        "x-kubernetes-validations": [{"rule": "self.metadata.name != 'x' || true", "message": "no x"}],
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": {"type": "object", "description": "What is wanted.", "required": ["replicas"], "properties": {
                "replicas": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 9, "exclusiveMaximum": true, "multipleOf": 3, "default": 3},
                "ports": {"type": "array", "minItems": 1, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {"type": "object", "required": ["name"], "properties": {"name": key}}},
                "labels": {"type": "object", "maxProperties": 4, "additionalProperties": {"type": "string", "minLength": 1}},
                "byName": {"type": "object", "additionalProperties": {"type": "array", "items": deep}},
                "port": {"x-kubernetes-int-or-string": true, "default": "http"},
                "any": {"x-kubernetes-preserve-unknown-fields": true},
                "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            }},
            "status": {"type": "object", "properties": {"a.b": {"type": "object", "properties": {"c": {"type": "string"}}}, "a-b": {"type": "object", "properties": {"c": {"type": "boolean"}}}}},
        },
    }))
}

const GOLDEN: &str = "tests/data/generate/reference.md";

#[test]
fn a_rich_crd() {
    let made = files(&[rich()]);
    assert_eq!(made.len(), 1);
    let (name, text) = &made[0];
    assert_eq!(name, "a.io_v1.md");
    let golden = support::repository().join(GOLDEN);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, text).unwrap();
    }
    let wanted = std::fs::read_to_string(golden).unwrap();
    assert_eq!(*text, wanted, "BLESS=1 writes it anew");
    let read = read(text);
    assert_eq!(read.html, [""; 0]);
    assert_eq!(
        read.headings,
        [
            "a.io/v1",
            "App",
            "App.spec",
            "App.spec.byName.*[]",
            "App.spec.byName.*[].deeper",
            "App.spec.ports[]",
            "App.status",
            "App.status.a-b",
            "App.status.a.b"
        ]
    );
    let targets: BTreeSet<_> = read
        .links
        .iter()
        .map(|link| link.strip_prefix('#').unwrap().to_owned())
        .collect();
    assert_eq!(targets, read.anchors);
    for table in &read.tables {
        assert!(
            table.iter().all(|row| row.len() == table[0].len()),
            "{table:?}"
        );
    }
    let cells: Vec<_> = read.tables.concat().concat();
    for cell in [
        "Name of the port in lower case.  - one - two | three <b> Longest: 15 Pattern: ^[a-z|]+$",
        "Rule: self.metadata.name != 'x' || true: no x",
        "Default: 3 Minimum: 0 Maximum: 9, which is excluded Multiple of: 3",
        "One of: \"x|y\", \"`\", null May be null",
        "Most entries: 4 Each: Shortest: 1",
        "Fewest items: 1 Items are told apart by name",
        "map of list of object",
        "list of string",
        "integer (int32)",
        "integer or string",
        "scale (.spec.replicas, .status.replicas), status",
        ".status.conditions[?(@.type==\"Ready\")].status",
    ] {
        let found = cells.iter().any(|have| have == cell);
        assert!(found, "{cell} in {cells:#?}");
    }
}

fn field(description: &str, pattern: &str) -> Read {
    let field = json!({"type": "string", "description": description, "pattern": pattern, "default": pattern});
    let schema = json!({"type": "object", "description": description, "properties": {"f": field, pattern: {"type": "object"}}});
    let made = files(&[crd(&schema)]);
    read(&made[0].1)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever descriptions and values hold, the file keeps its shape, and values read as they are.
    #[test]
    fn nothing_breaks_out(
        description in "([a-z ]|[-|<>&`*_#\\\\\\[\\](){}!~=+.:\"'0-9]|\n|\n\n|<b>|<!--|&lt;|\\| |http://|\\PC){0,30}",
        pattern in "([a-z]|[-|<>&`*_#\\\\\\[\\](){}!~=+.:\"'0-9]|<b>|&lt;|é){1,12}",
    ) {
        let read = field(&description, &pattern);
        prop_assert_eq!(&read.headings, &["a.io/v1", "App"]);
        prop_assert_eq!(&read.html, &[""; 0]);
        prop_assert_eq!(read.tables.len(), 3);
        let rows = &read.tables[2];
        let wanted = if pattern == "f" { 2 } else { 3 };
        prop_assert!(rows.len() == wanted && rows.iter().all(|row| row.len() == 4), "{:?}", rows);
        let told = format!("Pattern: {pattern}");
        prop_assert!(pattern == "f" || rows.iter().any(|row| row[3].ends_with(&told)), "{} in {:?}", told, rows);
        prop_assert!(rows.iter().any(|row| row[0] == pattern), "{} in {:?}", pattern, rows);
    }
}

#[test]
fn a_file_for_each_version() {
    let mut two = crd(&json!({"type": "object"}));
    let mut version = two["spec"]["versions"][0].clone();
    version["name"] = json!("v2");
    version["served"] = json!(false);
    two["spec"]["versions"]
        .as_array_mut()
        .unwrap()
        .push(version);
    let mut other = crd(&json!({"type": "object"}));
    other["spec"]["names"]["kind"] = json!("Aaa");
    let made = files(&[two, other]);
    let names: Vec<_> = made.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.io_v1.md", "a.io_v2.md"]);
    assert_eq!(read(&made[0].1).headings, ["a.io/v1", "Aaa", "App"]);
    assert_eq!(read(&made[1].1).headings, ["a.io/v2", "App"]);
}

#[test]
fn references_of_a_project() {
    let dir = Dir::project(&[INIT, CREATE]);
    let rop = |args: &[&str]| {
        let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
        support::run(rop.args(["generate", "docs", "-q"]).args(args), &dir)
    };
    let file = "docs/api/app.example.com_v1alpha1.md";
    rop(&["--check"]).fails(
        3,
        &["1 generated file is not up to date", "rop generate docs"],
    );
    rop(&[]).ok();
    let text = dir.text(file);
    let read = read(&text);
    assert_eq!(
        read.headings[..3],
        ["app.example.com/v1alpha1", "MyApp", "MyApp.spec"]
    );
    assert_eq!(read.html, [""; 0]);
    rop(&["--check"]).ok();
    dir.write("docs/api/mine.md", "Mine.\n");
    dir.write("docs/api/old_v1.md", &text);
    let told = rop(&[]).ok().stderr;
    assert!(
        told.contains("docs/api/old_v1.md has no type any more: `rop generate docs --prune`"),
        "{told}"
    );
    assert!(!told.contains("mine.md"), "{told}");
    rop(&["--check"]).fails(3, &["rop generate docs --prune"]);
    rop(&["--prune"]).ok();
    assert!(!dir.join("docs/api/old_v1.md").exists());
    assert_eq!(dir.text("docs/api/mine.md"), "Mine.\n");
    dir.write(file, "Mine.\n");
    rop(&[]).fails(3, &["is not written by `rop generate docs`"]);
    assert_eq!(dir.text(file), "Mine.\n");
}
