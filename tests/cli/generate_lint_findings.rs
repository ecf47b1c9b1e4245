//! What the lint says, and of what: the traps of Rust types that the API server does not see.
use crate::support::{self, Dir, INIT};
use rop::generate::lint::{Effect, lint, rules};
use serde_json::{Value, json};
use std::fs;
use walkdir::WalkDir;

fn crd(version: Value) -> Value {
    let mut crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "myapps.app.example.com" },
        "spec": {
            "group": "app.example.com",
            "names": { "kind": "MyApp", "plural": "myapps" },
            "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "subresources": { "status": {} } }],
        },
    });
    let Value::Object(more) = version else {
        panic!("an object")
    };
    crd["spec"]["versions"][0]
        .as_object_mut()
        .unwrap()
        .extend(more);
    crd
}

pub(crate) fn with_field(field: &Value) -> Value {
    let spec = json!({ "type": "object", "properties": { "field": field, "map": { "type": "object", "additionalProperties": { "type": "string" } } } });
    let root = json!({ "type": "object", "properties": { "spec": spec, "status": { "type": "object", "properties": { "size": { "type": "integer" } } } } });
    crd(json!({ "schema": { "openAPIV3Schema": root } }))
}

/// The rules that are broken, and by which field.
fn found(crd: &Value) -> Vec<(&'static str, String)> {
    let found = lint(crd).into_iter();
    found
        .map(|finding| (finding.rule.name, finding.field))
        .collect()
}

#[track_caller]
fn finds(field: Value, rule: &str, at: &str) {
    assert_eq!(
        found(&with_field(&field)),
        [(rule, at.to_owned())],
        "{field}"
    );
}

#[track_caller]
fn is_fine(field: Value) {
    assert_eq!(found(&with_field(&field)), [], "{field}");
}

/// What kube 5 derives for integers, and what it has to say.
#[test]
fn integers_have_the_bounds_of_their_type() {
    let integer = |format: &str| json!({ "type": "integer", "format": format });
    let least = |format: &str| json!({ "type": "integer", "format": format, "minimum": 0.0 });
    let both = |format: &str, least: i64, most: i64| json!({ "type": "integer", "format": format, "minimum": least, "maximum": most });
    for format in ["uint8", "uint16", "uint32", "int8", "int16"] {
        finds(integer(format), "integer-range", "spec.field");
    }
    // The derive's own: a minimum and no maximum.
    for format in ["uint8", "uint16", "uint32"] {
        finds(least(format), "integer-range", "spec.field");
    }
    finds(both("uint16", 0, 65536), "integer-range", "spec.field");
    finds(both("int8", -129, 127), "integer-range", "spec.field");
    finds(both("uint32", -1, 1), "integer-range", "spec.field");
    for format in ["int32", "int64", "int128"] {
        is_fine(integer(format));
    }
    for format in ["uint", "uint64", "uint128"] {
        is_fine(least(format));
        finds(integer(format), "integer-range", "spec.field");
    }
    is_fine(both("uint16", 1, 65535));
    is_fine(both("int8", -128, 127));
    // Where a list, a map or an Option holds them.
    finds(
        json!({ "type": "array", "items": integer("uint8") }),
        "integer-range",
        "spec.field[]",
    );
    finds(
        json!({ "type": "object", "additionalProperties": { "type": "object", "properties": { "a": integer("int16") } } }),
        "integer-range",
        "spec.field{}.a",
    );
}

#[test]
fn nulls_in_defaults_are_told() {
    let optional = json!({ "type": "string", "nullable": true });
    let object = json!({ "type": "object", "properties": { "a": optional } });
    let with = |default: Value| {
        let mut object = object.clone();
        object["default"] = default;
        object
    };
    finds(with(json!({ "a": null })), "null-default", "spec.field");
    is_fine(with(json!({ "a": "b" })));
    is_fine(with(json!({})));
    is_fine(json!({ "type": "string", "nullable": true, "default": null }));
}

#[test]
fn what_the_server_drops_silently_is_told() {
    finds(
        json!({ "type": "array", "items": { "type": "string", "const": "a" } }),
        "dropped-keyword",
        "spec.field[]",
    );
    finds(
        json!({ "type": "object", "oneOf": [{ "properties": { "a": { "minLength": 1 } } }] }),
        "pruned-field",
        "spec.field.a",
    );
    is_fine(
        json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true, "oneOf": [{ "properties": { "a": { "minLength": 1 } } }] }),
    );
    finds(
        json!({ "type": "string", "format": "cron" }),
        "format",
        "spec.field",
    );
    finds(
        json!({ "type": "number", "format": "decimal" }),
        "format",
        "spec.field",
    );
    is_fine(json!({ "type": "string", "format": "date-time" }));
    is_fine(json!({ "type": "number", "format": "double" }));
    finds(
        json!({ "type": "integer", "format": "int32", "maximum": 4_294_967_295_u32 }),
        "bound",
        "spec.field",
    );
    finds(
        json!({ "type": "integer", "minimum": 0.5 }),
        "bound",
        "spec.field",
    );
    finds(
        json!({ "type": "string", "x-kubernetes-int-or-string": true }),
        "int-or-string-type",
        "spec.field",
    );
}

#[test]
fn paths_that_lead_nowhere_are_told() {
    let schema = with_field(&json!({ "type": "string" }))["spec"]["versions"][0]["schema"].clone();
    let column = |path: &str| {
        let columns = json!([{ "name": "A", "type": "string", "jsonPath": path }]);
        found(&crd(
            json!({ "schema": schema, "additionalPrinterColumns": columns }),
        ))
    };
    for path in [".spec.nothing", ".spec.field.more", ".status.Size", ".Spec"] {
        assert_eq!(
            column(path),
            [("print-column-path", "printcolumn `A`".to_owned())],
            "{path}"
        );
    }
    for path in [
        ".spec.field",
        ".spec.map.any",
        ".metadata.creationTimestamp",
        ".metadata.labels.a",
        ".status.conditions[?(@.type==\"Ready\")].status",
        ".kind",
    ] {
        assert_eq!(column(path), [], "{path}");
    }
    let scale =
        json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.size" });
    let scaled = crd(json!({ "schema": schema, "subresources": { "status": {}, "scale": scale } }));
    assert_eq!(
        found(&scaled),
        [("scale-path", "scale specReplicasPath".to_owned())]
    );
    let twice = json!([{ "name": "A", "type": "string", "jsonPath": ".spec" }, { "name": "A", "type": "string", "jsonPath": ".status" }]);
    let twice = crd(json!({ "schema": schema, "additionalPrinterColumns": twice }));
    assert_eq!(
        found(&twice),
        [("print-column-twice", "printcolumn `A`".to_owned())]
    );
    let plain = crd(json!({ "schema": schema, "subresources": {} }));
    assert_eq!(found(&plain), [("status", "status".to_owned())]);
}

/// What rop generates and what its examples have is free of findings.
#[test]
fn golden_crds_have_no_findings() {
    let mut count = 0;
    for folder in ["tests/golden", "examples"] {
        for entry in WalkDir::new(support::repository().join(folder)) {
            let path = entry.unwrap().into_path();
            if !path.to_str().unwrap().contains("config/crd/bases/") || path.extension().is_none() {
                continue;
            }
            let crd: Value = serde_saphyr::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!(found(&crd), [], "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 6, "{count}");
}

/// The page has each rule as it is in the code; `BLESS=1` writes it.
#[test]
fn the_rules_are_documented() {
    let mut names: Vec<_> = rules().iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rules().len(), "a name is there twice");
    let table = |effect: Effect| {
        let of = rules()
            .into_iter()
            .filter(move |rule| rule.effect == effect);
        let cell = |text: &str| text.replace('|', "\\|");
        let rows = of.map(|rule| {
            format!(
                "| `{}` | {} | {} |\n",
                rule.name,
                cell(rule.about),
                cell(rule.remedy)
            )
        });
        format!(
            "| rule | finds | what to write instead |\n|---|---|---|\n{}",
            rows.collect::<String>()
        )
    };
    let path = support::repository().join("docs/lint.md");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let expected = format!(
        include_str!("../data/generate/lint.md"),
        refused = table(Effect::Refused),
        unreadable = table(Effect::Unreadable),
        regretted = table(Effect::Regretted),
    );
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
        return;
    }
    assert!(
        text == expected,
        "docs/lint.md is not up to date: run this test with BLESS=1"
    );
}

/// A cargo whose `crdgen` prints these CRDs.
pub(crate) fn printing(dir: &Dir, crds: &[Value]) -> std::ffi::OsString {
    dir.write("../crds.json", json!(crds).to_string());
    let json = dir.join("../crds.json");
    dir.program(
        "../bin/cargo",
        format!("#!/bin/sh\ncat '{}'\n", json.display()),
    );
    support::first_in_path(&dir.join("../bin"))
}

#[test]
fn errors_stop_and_warnings_do_not() {
    let dir = Dir::project(&[INIT]);
    let run = |crds: &[Value], args: &[&str]| {
        let mut rop = std::process::Command::new(env!("CARGO_BIN_EXE_rop"));
        rop.args(args)
            .env("PATH", printing(&dir, crds))
            .env_remove("CARGO");
        support::run(&mut rop, &dir)
    };
    let before = support::tree(&dir);
    let mut wrong = with_field(&json!({ "type": "integer", "format": "uint16", "minimum": 0 }));
    wrong["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        ["any"] = json!({});
    wrong["spec"]["versions"][0]["additionalPrinterColumns"] =
        json!([{ "name": "A", "type": "string", "jsonPath": ".spec.no" }]);
    let told = [
        "error: nothing was written: 2 errors in the CRDs of the types",
        "config/crd/bases/app.example.com_myapps.yaml: MyApp v1: spec.any has no type",
        "[missing-type: the API server refuses it]",
        "config/crd/bases/app.example.com_myapps.yaml: MyApp v1: spec.field is of format uint16",
        "[integer-range: objects could not be read]",
        "#[schemars(range(",
        "printcolumn `A` shows `.spec.no`",
    ];
    for args in [
        &["generate"][..],
        &["generate", "crds"],
        &["generate", "crds", "--check"],
    ] {
        run(&[wrong.clone()], args).fails(1, &told);
        assert!(support::tree(&dir) == before, "{args:?}");
    }
    let mut doubtful = with_field(&json!({ "type": "string", "format": "cron" }));
    let ran = run(&[doubtful.clone()], &["generate", "crds"]).ok();
    assert!(ran.stderr.contains("warning: config/crd/bases/app.example.com_myapps.yaml: MyApp v1: spec.field has the format cron"), "{ran:#?}");
    assert!(
        dir.join("config/crd/bases/app.example.com_myapps.yaml")
            .exists()
    );
    // A second version; each is told by its name.
    doubtful["spec"]["versions"][0]["name"] = "v2".into();
    doubtful["spec"]["versions"][0]["storage"] = false.into();
    let ran = run(
        &[with_field(&json!({ "type": "string" })), doubtful],
        &["generate", "crds", "--output", "json"],
    )
    .ok();
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let warnings = report["warnings"].as_array().unwrap();
    assert!(
        warnings[0]
            .as_str()
            .unwrap()
            .contains("MyApp v2: spec.field has the format cron"),
        "{warnings:?}"
    );
}
