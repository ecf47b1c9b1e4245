//! CRD files of what `crdgen` prints.
use rop::error::Error;
use rop::generate::crds::files;
use serde_json::{Value, json};

fn crd(version: &str, storage: bool) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "myapps.app.example.com" },
        "spec": {
            "group": "app.example.com",
            "names": { "kind": "MyApp", "plural": "myapps", "singular": "myapp", "shortNames": ["ma"], "categories": [] },
            "scope": "Namespaced",
            "versions": [{
                "name": version,
                "served": true,
                "storage": storage,
                "schema": { "openAPIV3Schema": { "type": "object" } },
            }],
        },
    })
}

fn with(mut crd: Value, at: &str, value: Value) -> Value {
    *crd.pointer_mut(at).unwrap_or_else(|| panic!("{at}")) = value;
    crd
}

fn generate(crds: &[Value]) -> Vec<(String, String)> {
    files(&json!(crds).to_string()).unwrap_or_else(|e| panic!("{e}"))
}

fn error(crds: &[Value]) -> Error {
    files(&json!(crds).to_string()).expect_err("refused")
}

#[test]
fn one_file_a_kind() {
    let other = with(
        with(crd("v1", true), "/metadata/name", json!("apps.a.io")),
        "/spec/group",
        json!("a.io"),
    );
    let other = with(other, "/spec/names/plural", json!("apps"));
    let files = generate(&[crd("v1", true), other]);
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.io_apps.yaml", "app.example.com_myapps.yaml"]);
    let expected = "\
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: myapps.app.example.com
spec:
  group: app.example.com
  names:
    categories: []
    kind: MyApp
    plural: myapps
    shortNames:
    - ma
    singular: myapp
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
    served: true
    storage: true
";
    assert_eq!(files[1].1, expected);
    assert_eq!(generate(&[]), []);
}

#[test]
fn what_controller_gen_leaves_out() {
    let mut crd = crd("v1", true);
    crd["status"] = json!({ "conditions": [], "storedVersions": [], "acceptedNames": { "kind": "", "plural": "" } });
    crd["metadata"]["creationTimestamp"] = Value::Null;
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = json!({
        "type": "object",
        "description": null,
        "properties": {
            "default": { "type": "integer", "minimum": 1.0, "maximum": 2.5, "format": null },
            "level": { "enum": ["low", null], "default": { "x": null }, "example": null },
        },
    });
    let text = &generate(&[crd])[0].1;
    let schema = text.split("openAPIV3Schema:\n").nth(1).expect("a schema");
    let expected = "
        properties:
          default:
            maximum: 2.5
            minimum: 1
            type: integer
          level:
            default:
              x: null
            enum:
            - low
            - null
            example: null
        type: object
    served: true
    storage: true
";
    assert_eq!(schema, expected.trim_start_matches('\n'));
    assert!(!text.contains("status") && !text.contains("creationTimestamp"));
}

#[test]
fn versions_are_merged() {
    let mut old = crd("v1alpha1", false);
    old["metadata"]["annotations"] = json!({ "a": "b" });
    let texts =
        [[crd("v1", true), old.clone()], [old, crd("v1", true)]].map(|crds| generate(&crds));
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0].len(), 1);
    let text = &texts[0][0].1;
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  - name: "))
        .collect();
    assert_eq!(names, ["v1", "v1alpha1"]);
    assert!(text.contains("  annotations:\n    a: b\n"));
}

#[test]
fn versions_that_do_not_fit() {
    let v1 = || crd("v1", true);
    let v2 = || crd("v2", false);
    let annotated = |crd: Value, value: &str| {
        with(
            crd,
            "/metadata",
            json!({ "name": "myapps.app.example.com", "annotations": { "a": value } }),
        )
    };
    for (crds, message) in [
        (
            [v1(), crd("v2", true)],
            "of its versions, v1, v2 are stored, but only one can be",
        ),
        (
            [crd("v1", false), v2()],
            "none of its versions (v1, v2) is stored",
        ),
        (
            [v1(), crd("v1", false)],
            "version v1 is there twice: two types make it",
        ),
        (
            [
                v1(),
                with(crd("v1", false), "/spec/scope", json!("Cluster")),
            ],
            "version v1 is there twice: two types make it",
        ),
        (
            [v1(), with(v2(), "/spec/scope", json!("Cluster"))],
            "versions v1 and v2 differ in `scope`, which all versions share",
        ),
        (
            [v1(), with(v2(), "/spec/names/kind", json!("Myapp"))],
            "versions v1 and v2 differ in `names.kind`, which all versions share",
        ),
        (
            [v1(), with(v2(), "/spec/names/shortNames", json!([]))],
            "versions v1 and v2 differ in `names.shortNames`, which all versions share",
        ),
        (
            [annotated(v1(), "b"), annotated(v2(), "c")],
            "versions v1 and v2 differ in `metadata.annotations.a`, which all versions share",
        ),
        (
            [
                with(v1(), "/spec/versions/0/served", json!(false)),
                with(v2(), "/spec/versions/0/served", json!(false)),
            ],
            "none of its versions (v1, v2) is served",
        ),
    ] {
        assert_eq!(
            error(&crds).message(),
            format!("CRD `myapps.app.example.com`: {message}")
        );
    }
}

/// What the API server refuses as a conflict of names.
#[test]
fn a_kind_has_one_crd() {
    let other = |version, group: &str, plural: &str| {
        let name = format!("{plural}.{group}");
        let crd = with(crd(version, true), "/metadata/name", json!(name));
        let crd = with(crd, "/spec/names/plural", json!(plural));
        with(crd, "/spec/group", json!(group))
    };
    let message = error(&[crd("v1", true), other("v2", "app.example.com", "apps")]).message();
    assert_eq!(
        message,
        "the kind MyApp of the group app.example.com has two CRDs: `apps.app.example.com` (v2) and `myapps.app.example.com` (v1)"
    );
    assert_eq!(
        generate(&[crd("v1", true), other("v1", "example.com", "apps")]).len(),
        2
    );
}

#[test]
fn says_what_came_instead() {
    let long = "x".repeat(300);
    let garbage = format!("\n  Compiling é {long}\n[]");
    for (text, what) in [
        ("", "it printed nothing"),
        (" \n", "it printed nothing"),
        (
            "hello [1]",
            "expected value at line 1 column 1; it starts with `hello [1]`",
        ),
        (
            "[{\"a\":",
            "EOF while parsing a value at line 1 column 6; it starts with `[{\"a\":`",
        ),
        (
            "[] []",
            "trailing characters at line 1 column 4; it starts with `[] []`",
        ),
        (
            "{\"kind\": 1}",
            "it is an object, which starts with `{\"kind\": 1}`",
        ),
        ("null", "it is null, which starts with `null`"),
        (
            "[1]",
            "item 1: expected a CustomResourceDefinition, got nothing",
        ),
        (
            "[{\"kind\": \"Pod\"}]",
            "item 1: expected a CustomResourceDefinition, got Pod",
        ),
        (
            "[{\"kind\": \"CustomResourceDefinition\"}]",
            "item 1: `/metadata/name` is no name",
        ),
        (
            &garbage,
            &format!(
                "expected value at line 2 column 3; it starts with `Compiling é {}…`",
                "x".repeat(68)
            ),
        ),
    ] {
        let error = files(text).expect_err(text);
        let prefix = "`crdgen` did not print a JSON array of CustomResourceDefinitions: ";
        assert_eq!(error.message().strip_prefix(prefix), Some(what));
        assert_eq!((error.exit_code(), error.hints().len()), (1, 1));
    }
}

#[test]
fn names_are_file_names() {
    for (at, value, what) in [
        (
            "/spec/group",
            json!("../../etc"),
            "`/spec/group` is no name",
        ),
        (
            "/spec/names/plural",
            json!("A/b"),
            "`/spec/names/plural` is no name",
        ),
        (
            "/spec/names/plural",
            json!(1),
            "`/spec/names/plural` is no name",
        ),
        (
            "/metadata/name",
            json!("others.app.example.com"),
            "`others.app.example.com` is not named `myapps.app.example.com`",
        ),
        (
            "/spec/versions",
            json!([]),
            "`myapps.app.example.com` has no versions",
        ),
    ] {
        let error = error(&[with(crd("v1", true), at, value)]);
        assert!(error.message().ends_with(what), "{error}");
    }
    let group = "a.".repeat(121) + "io";
    let at_most = |plural: &str| {
        let crd = with(
            crd("v1", true),
            "/metadata/name",
            json!(format!("{plural}.{group}")),
        );
        let crd = with(
            with(crd, "/spec/group", json!(group)),
            "/spec/names/plural",
            json!(plural),
        );
        files(&json!([crd]).to_string())
    };
    assert_eq!(at_most("bbbbb").expect("255 bytes")[0].0.len(), 255);
    assert!(
        at_most("bbbbbb")
            .expect_err("256 bytes")
            .message()
            .contains("more than 255 bytes")
    );
}
