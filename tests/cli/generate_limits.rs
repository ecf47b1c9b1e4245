//! CRDs that are too large for `kubectl apply`, and their descriptions.
use crate::{
    cluster::{self, Kubectl},
    generate_rbac::controller_gen,
    support::{self, CREATE, Dir, INIT, Ran, repository},
};
use rop::generate::crds::{ANNOTATIONS, Crd, read};
use serde_json::{Value, json};
use std::{fs, process::Command};

const CRD: &str = "config/crd/bases/app.example.com_myapps.yaml";
const MANIFEST: &str = "Cargo.toml";

fn value(schema: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "myapps.app.example.com", "annotations": { "some": "annotation" } },
        "spec": {
            "group": "app.example.com",
            "names": { "kind": "MyApp", "plural": "myapps" },
            "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    })
}

fn crd(schema: Value) -> Crd {
    let text = json!([value(schema)]).to_string();
    read(&text).unwrap().into_iter().next().unwrap()
}

/// The schema in the text of a CRD.
fn schema(crd: &Crd) -> Value {
    let crd: Value = serde_saphyr::from_str(crd.text().trim_start_matches("---\n")).unwrap();
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

/// Descriptions of words and sentences, at all places of a schema; `turn` makes them different.
fn described(turn: usize) -> Value {
    const WORDS: [&str; 9] = [
        "One",
        "two, ",
        "thr ee. ",
        "four! ",
        ".",
        " ",
        "five? Six",
        "\tseven",
        "e.g. ",
    ];
    let text = |at: usize| -> String {
        let words =
            (0..(turn * at) % 17 + 1).map(|n| WORDS[(turn * n + at * at + n * n) % WORDS.len()]);
        words.collect()
    };
    let one = |at| json!({ "type": "string", "description": text(at) });
    json!({
        "type": "object",
        "description": text(1),
        "properties": {
            "description": { "type": "object", "description": text(2), "properties": { "description": one(3) } },
            "list": { "type": "array", "description": text(4), "items": one(5) },
            "map": { "type": "object", "additionalProperties": one(6) },
            "default": { "type": "object", "default": { "description": text(16) }, "description": text(7) },
            "any": { "anyOf": [one(8)], "allOf": [one(9)], "oneOf": [one(10)], "not": one(11) },
        },
    })
}

#[test]
fn descriptions_are_cut_as_controller_gen_does() {
    let limits = [0, 1, 2, 5, 9, 10, 20, 50, 1000];
    let cases: Vec<_> = (1..40)
        .flat_map(|turn| limits.map(|max| (max, described(turn))))
        .collect();
    let lines = cases
        .iter()
        .map(|(max, schema)| json!({ "max": max, "schema": schema }).to_string() + "\n");
    let dir = Dir::new("schemas");
    dir.write("lines", lines.collect::<String>());
    let lines = fs::File::open(dir.join("lines")).unwrap();
    let wanted = controller_gen(&["-descriptions"], lines.into());
    let mut cut = 0;
    assert_eq!(wanted.lines().count(), cases.len());
    for ((max, before), wanted) in cases.into_iter().zip(wanted.lines()) {
        let wanted: Value = serde_json::from_str(wanted).unwrap();
        let ours = schema(&crd(before.clone()).with_descriptions(max));
        assert_eq!(ours, wanted["schema"], "{max}: {before:#}");
        cut += usize::from(ours != before);
    }
    assert!(cut > 200, "{cut}");
}

/// controller-gen cuts characters in two.
#[test]
fn characters_stay_whole() {
    for (max, text, wanted) in [
        (5, "a。b。c", "a。"),
        (4, "äöü", "äö..."),
        (3, "äöü", "ä..."),
        (1, "ä", "..."),
        (6, "äöü", "äöü"),
    ] {
        let cut = crd(json!({ "type": "object", "description": text })).with_descriptions(max);
        assert_eq!(schema(&cut)["description"], wanted, "{max}: {text}");
    }
}

/// A CRD whose annotations have exactly so many bytes when it is applied.
fn of_size(size: usize) -> Crd {
    // What Go writes longer than others.
    let hard = "<a> & b\u{2028}";
    let with = |fill: usize| {
        let fill = "x".repeat(fill);
        crd(json!({ "type": "object", "description": format!("{hard}{fill}") }))
    };
    let crd = with(size - with(0).applied_size());
    assert_eq!(crd.applied_size(), size);
    crd
}

#[test]
fn the_limit_is_that_of_kubectl_apply() {
    let control_plane = cluster::audited();
    let dir = Dir::new("crds");
    let apply = |size, flags: &[&str]| {
        dir.write("crd.yaml", of_size(size).text());
        let flags = [&["apply", "-f", "crd.yaml"], flags].concat();
        Kubectl(&control_plane).run(&dir, &flags)
    };
    apply(ANNOTATIONS, &[]).ok();
    let told = ["Too long: may not be more than 262144 bytes"];
    apply(ANNOTATIONS + 1, &[]).fails(1, &told);
    apply(ANNOTATIONS + 1, &["--server-side", "--force-conflicts"]).ok();
}

/// A project whose `crdgen` prints a CRD.
fn prints(crd: &Crd) -> Dir {
    let dir = Dir::project(&[INIT, CREATE]);
    let crd: Value = serde_saphyr::from_str(crd.text().trim_start_matches("---\n")).unwrap();
    dir.write("crds.json", json!([crd]).to_string());
    dir.write("cargo.sh", "cat crds.json\n");
    dir
}

fn rop(dir: &Dir, line: &str) -> Ran {
    let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"));
    rop.args(line.split_whitespace().skip(1))
        .env("CARGO", repository().join("tests/data/generate/cargo"));
    support::run(&mut rop, dir)
}

#[test]
fn too_large_crds_are_told_and_cut() {
    let told = "is too large for `kubectl apply`, whose copy of it takes 262145 bytes";
    let dir = prints(&of_size(ANNOTATIONS + 1));
    let ran = rop(&dir, "rop generate crds").ok();
    assert!(ran.stderr.contains(told), "{ran:#?}");
    assert!(
        ran.stderr.contains("use `kubectl apply --server-side`"),
        "{ran:#?}"
    );
    let ran = rop(&dir, "rop generate crds --max-desc-len 200").ok();
    assert!(!ran.stderr.contains("warning"), "{ran:#?}");
    assert!(dir.text(CRD).len() < 2000);
    rop(&dir, "rop generate crds --max-desc-len 200 --check").ok();
    rop(&dir, "rop generate crds --check").fails(3, &["1 generated file is not up to date"]);
    let dir = prints(&of_size(ANNOTATIONS));
    let ran = rop(&dir, "rop generate crds").ok();
    assert!(!ran.stderr.contains("warning"), "{ran:#?}");
}

/// What the manifest says holds for all commands; a flag comes first.
#[test]
fn the_manifest_limits_descriptions() {
    let dir = prints(&crd(json!({ "type": "object", "description": "One. Two" })));
    let manifest = dir.text(MANIFEST);
    let limited = |table: &str, limit: &str| {
        dir.write(
            MANIFEST,
            format!("{manifest}\n[{table}.metadata.rop]\nmax-desc-len = {limit}\n"),
        );
    };
    for table in ["package", "workspace"] {
        limited(table, "4");
        rop(&dir, "rop generate crds").ok();
        assert!(dir.text(CRD).contains("description: One.\n"));
        rop(&dir, "rop generate crds --max-desc-len 100").ok();
        assert!(dir.text(CRD).contains("description: One. Two\n"));
    }
    for wrong in ["-1", "\"4\"", "1.5"] {
        limited("package", wrong);
        let told = [
            "Cargo.toml: `max-desc-len` of `metadata.rop` is no number of bytes",
            "max-desc-len = 0",
        ];
        rop(&dir, "rop generate crds").fails(1, &told);
    }
    let dir = Dir::project(&[INIT]);
    let manifest = dir.text(MANIFEST);
    dir.write(
        MANIFEST,
        format!("{manifest}\n[package.metadata.rop]\nmax-desc-len = 0\n"),
    );
    support::line(&dir, CREATE).ok();
    assert!(!dir.text(CRD).contains("description: Auto-generated"));
    rop(&dir, "rop generate crds --max-desc-len x").fails(2, &["--max-desc-len"]);
}
