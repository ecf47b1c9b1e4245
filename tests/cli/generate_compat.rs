//! What `rop generate crds --compat` says a change breaks, and whether the API server sees it so.
use crate::{
    cluster::{self, Kubectl},
    support::{self, CREATE, Dir, INIT},
};
use rop::generate::compat::{Finding, compare};
use serde_json::{Value, json};
use std::process::Command;

fn crd(group: &str, kind: &str, schema: &Value) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{group}") },
        "spec": {
            "group": group,
            "scope": "Cluster",
            "names": { "plural": plural, "singular": kind.to_lowercase(), "kind": kind, "shortNames": ["short"] },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "properties": {
                    "spec": { "type": "object", "properties": { "a": schema } },
                } } },
            }],
        },
    })
}

fn found(old: &Value, new: &Value) -> Vec<Finding> {
    compare(&[crd("a.io", "A", old)], &[crd("a.io", "A", new)])
}

/// The schema of a field before and after, a value of it that only the first one takes, and what
/// is said.
#[rustfmt::skip]
fn breaking() -> Vec<(Value, Value, Value, &'static str)> {
    let object = |more: Value| {
        let mut schema = json!({"type": "object"});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        schema
    };
    let text = json!({"type": "string"});
    let number = |more: Value| {
        let mut schema = json!({"type": "integer"});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        schema
    };
    vec![
        (json!({"type": "integer"}), text.clone(), json!(1), ".spec.a: was integer and is string"),
        (json!({"type": "number"}), number(json!({})), json!(1.5), ".spec.a: was number and is integer"),
        (json!({"x-kubernetes-int-or-string": true}), text.clone(), json!(1), ".spec.a: was an integer or a string and is string"),
        (json!({"x-kubernetes-preserve-unknown-fields": true}), text.clone(), json!(1), ".spec.a: was of any type and is string"),
        (json!({"type": "array", "items": {"type": "string", "nullable": true}}), json!({"type": "array", "items": text}), json!([null]), ".spec.a[]: may not be null any more"),
        (object(json!({"properties": {"b": {"type": "string", "nullable": true}}, "required": ["b"]})), object(json!({"properties": {"b": text}, "required": ["b"]})), json!({"b": null}), ".spec.a.b: may not be null any more"),
        (text.clone(), json!({"type": "string", "enum": ["x"]}), json!("y"), ".spec.a: takes a few values only"),
        (json!({"type": "string", "enum": ["x", "y"]}), json!({"type": "string", "enum": ["x", "z"]}), json!("y"), ".spec.a: does not take \"y\" any more"),
        (object(json!({"properties": {"b": text}})), object(json!({"properties": {"c": text}})), json!({"b": "x"}), ".spec.a.b: is gone: objects lose it"),
        (object(json!({"properties": {"b": text}})), object(json!({"properties": {"b": text}, "required": ["b"]})), json!({}), ".spec.a.b: is required, and has no default"),
        (object(json!({})), object(json!({"properties": {"b": text}, "required": ["b"]})), json!({}), ".spec.a.b: is required, and has no default"),
        (object(json!({"additionalProperties": text})), object(json!({"properties": {"b": text}})), json!({"c": "x"}), ".spec.a: fields that are not named are dropped"),
        (object(json!({"x-kubernetes-preserve-unknown-fields": true})), object(json!({})), json!({"c": "x"}), ".spec.a: fields that are not named are dropped"),
        (object(json!({"additionalProperties": text})), object(json!({"additionalProperties": {"type": "integer"}})), json!({"c": "x"}), ".spec.a.*: was string and is integer"),
        (json!({"type": "array", "items": text}), json!({"type": "array", "items": {"type": "integer"}}), json!(["x"]), ".spec.a[]: was string and is integer"),
        (number(json!({"minimum": 1})), number(json!({"minimum": 2})), json!(1), ".spec.a: has a narrower `minimum`: 2; it was 1"),
        (number(json!({})), number(json!({"minimum": 2})), json!(1), ".spec.a: has a new `minimum`: 2"),
        (number(json!({"minimum": 1})), number(json!({"minimum": 1, "exclusiveMinimum": true})), json!(1), ".spec.a: has a narrower `minimum`: 1; it was 1"),
        (number(json!({"maximum": 3})), number(json!({"maximum": 2})), json!(3), ".spec.a: has a narrower `maximum`: 2; it was 3"),
        (number(json!({"format": "int64"})), number(json!({"format": "int32"})), json!(4_294_967_296_u64), ".spec.a: takes integers of 32 bits only"),
        (text.clone(), json!({"type": "string", "minLength": 2}), json!("x"), ".spec.a: has a new `minLength`: 2"),
        (json!({"type": "string", "maxLength": 5}), json!({"type": "string", "maxLength": 4}), json!("12345"), ".spec.a: has a narrower `maxLength`: 4; it was 5"),
        (json!({"type": "array", "items": text}), json!({"type": "array", "items": text, "maxItems": 1}), json!(["a", "b"]), ".spec.a: has a new `maxItems`: 1"),
        (object(json!({"additionalProperties": text})), object(json!({"additionalProperties": text, "minProperties": 1})), json!({}), ".spec.a: has a new `minProperties`: 1"),
        (json!({"type": "array", "items": text}), json!({"type": "array", "items": text, "x-kubernetes-list-type": "set"}), json!(["x", "x"]), ".spec.a: was a list of the type `atomic` and is `set`"),
    ]
}

/// What takes all that was taken before.
#[rustfmt::skip]
fn harmless() -> Vec<(Value, Value, Value)> {
    let text = json!({"type": "string"});
    vec![
        (json!({"type": "integer"}), json!({"type": "number"}), json!(1)),
        (text.clone(), json!({"x-kubernetes-int-or-string": true}), json!("x")),
        (text.clone(), json!({"type": "string", "nullable": true}), json!("x")),
        (text.clone(), json!({"x-kubernetes-preserve-unknown-fields": true}), json!("x")),
        (json!({"type": "string", "enum": ["x"]}), json!({"type": "string", "enum": ["y", "x"]}), json!("x")),
        (json!({"type": "string", "enum": ["x"]}), text.clone(), json!("x")),
        (json!({"type": "object", "properties": {"b": text}, "required": ["b"]}), json!({"type": "object", "properties": {"b": text, "c": text}}), json!({"b": "x"})),
        (json!({"type": "object"}), json!({"type": "object", "properties": {"b": {"type": "string", "default": "x"}}, "required": ["b"]}), json!({})),
        (json!({"type": "object", "properties": {"b": text}}), json!({"type": "object", "additionalProperties": text}), json!({"b": "x"})),
        (json!({"type": "object", "properties": {"b": text}}), json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}), json!({"b": "x"})),
        (json!({"type": "integer", "minimum": 2}), json!({"type": "integer", "minimum": 1}), json!(2)),
        (json!({"type": "integer", "minimum": 2}), json!({"type": "integer"}), json!(2)),
        (json!({"type": "integer", "minimum": 0, "maximum": 9}), json!({"type": "integer", "minimum": 0, "maximum": 9, "format": "int32"}), json!(9)),
        (json!({"type": "string", "maxLength": 2}), json!({"type": "string", "maxLength": 3}), json!("xx")),
        (json!({"type": "string", "pattern": "a"}), text.clone(), json!("a")),
        (json!({"type": "string", "description": "a"}), json!({"type": "string", "description": "b"}), json!("a")),
    ]
}

#[test]
fn breaks_what_the_api_server_refuses() {
    let breaking: Vec<_> = breaking()
        .into_iter()
        .map(|(old, new, value, told)| (old, new, value, Some(told)))
        .collect();
    let harmless = harmless()
        .into_iter()
        .map(|(old, new, value)| (old, new, value, None));
    let cases: Vec<_> = breaking.into_iter().chain(harmless).collect();
    let (mut crds, mut objects) = (Vec::new(), Vec::new());
    for (number, (old, new, value, told)) in cases.iter().enumerate() {
        let found = found(old, new);
        let lines: Vec<_> = found
            .iter()
            .map(|one| format!("{}: {}", one.field.as_deref().unwrap(), one.message))
            .collect();
        assert_eq!(
            lines,
            told.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "{old} {new}"
        );
        assert!(
            found
                .iter()
                .all(|one| one.breaking && one.version.as_deref() == Some("v1")),
            "{found:?}"
        );
        for (group, schema) in [("old.io", old), ("new.io", new)] {
            let mut crd = crd(group, &format!("C{number}"), schema);
            crd["spec"]["names"]["shortNames"] = json!([]);
            crds.push(crd);
            objects.push((
                group,
                number,
                told.is_some(),
                json!({
                    "apiVersion": format!("{group}/v1"), "kind": format!("C{number}"),
                    "metadata": {"name": "x"}, "spec": {"a": value},
                }),
            ));
        }
    }
    let cluster = cluster::audited();
    let kubectl = Kubectl(&cluster);
    let file = cluster.folder().join("objects.json");
    let file = file.to_str().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": crds});
    std::fs::write(file, list.to_string()).unwrap();
    kubectl.ok(&["create", "--filename", file]);
    kubectl.ok(&[
        "wait",
        "--for=condition=Established",
        "crd",
        "--all",
        "--timeout=60s",
    ]);
    // Not by way of kubectl's own validation, which knows no nulls.
    let code = |group: &str, number: usize, object: &Value| {
        std::fs::write(file, object.to_string()).unwrap();
        let path = format!("/apis/{group}/v1/c{number}s?dryRun=All&fieldValidation=Strict");
        let args = ["create", "--raw", &path, "--filename", file];
        kubectl.run(cluster.folder(), &args).code
    };
    for (group, number, breaks, object) in objects {
        let refused = breaks && group == "new.io";
        let code = code(group, number, &object);
        assert_eq!(code, i32::from(refused), "{number}: {object}");
    }
    // A null that a property may not have is dropped.
    let null = json!({
        "apiVersion": "new.io/v1", "kind": "C0", "metadata": {"name": "x"}, "spec": {"a": null},
    });
    assert_eq!(code("new.io", 0, &null), 0);
}

#[test]
fn may_break_what_nobody_can_tell() {
    let text = |more: Value| {
        let mut schema = json!({"type": "string"});
        schema
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        schema
    };
    for (old, new, told) in [
        (
            text(json!({})),
            text(json!({"pattern": "a"})),
            "has a new `pattern`: \"a\"",
        ),
        (
            text(json!({"pattern": "b"})),
            text(json!({"pattern": "a"})),
            "has another `pattern`: \"a\"; it was \"b\"",
        ),
        (
            text(json!({})),
            text(json!({"format": "date"})),
            "has a new `format`: \"date\"",
        ),
        (
            text(json!({"default": "a"})),
            text(json!({"default": "b"})),
            "has another default: \"b\"; it was \"a\"",
        ),
        (
            text(json!({"nullable": true})),
            text(json!({})),
            "may not be null any more",
        ),
        (
            text(json!({"default": "a"})),
            text(json!({})),
            "has no default any more; it was \"a\"",
        ),
        (
            text(json!({})),
            text(json!({"x-kubernetes-validations": [{"rule": "self != ''"}]})),
            "has a new rule: `self != ''`",
        ),
    ] {
        let found = found(&old, &new);
        let told = (false, Some(".spec.a"), told);
        let ours: Vec<_> = found
            .iter()
            .map(|one| (one.breaking, one.field.as_deref(), one.message.as_str()))
            .collect();
        assert_eq!(ours, [told]);
    }
}

/// Changes of a CRD with the versions v1, which is stored, v2, and v3, which is not served.
#[test]
fn breaks_what_is_not_of_a_schema() {
    let mut old = crd("a.io", "A", &json!({"type": "string"}));
    let mut version = old["spec"]["versions"][0].clone();
    version["subresources"] = json!({"status": {}, "scale": {}});
    version["selectableFields"] = json!([{"jsonPath": ".spec.a"}]);
    for (name, served) in [("v2", true), ("v3", false)] {
        version["name"] = json!(name);
        version["served"] = json!(served);
        version["storage"] = json!(false);
        old["spec"]["versions"]
            .as_array_mut()
            .unwrap()
            .push(version.clone());
    }
    let check = |change: &dyn Fn(&mut Value), wanted: &[(bool, &str)]| {
        let mut new = old.clone();
        change(&mut new);
        let found = compare(&[old.clone()], &[new]);
        let ours: Vec<_> = found
            .iter()
            .map(|one| {
                let version = one.version.as_ref().map(|version| format!("{version}: "));
                (
                    one.breaking,
                    format!("{}{}", version.unwrap_or_default(), one.message),
                )
            })
            .collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(breaking, told)| (*breaking, told.to_string()))
            .collect();
        assert_eq!(ours, wanted);
    };
    let remove = |new: &mut Value, at: usize| {
        drop(new["spec"]["versions"].as_array_mut().unwrap().remove(at))
    };
    check(&|_| {}, &[]);
    check(
        &|new| new["spec"]["scope"] = json!("Namespaced"),
        &[(true, "its scope was `Cluster` and is `Namespaced`")],
    );
    check(
        &|new| new["spec"]["names"]["kind"] = json!("B"),
        &[(true, "its kind was `A` and is `B`")],
    );
    check(
        &|new| new["spec"]["names"]["shortNames"] = json!([]),
        &[(false, "kubectl does not know it as `short` any more")],
    );
    check(
        &|new| remove(new, 0),
        &[(
            true,
            "v1: the version is gone, in which objects are stored: the API server refuses that while v1 is in the CRD's status.storedVersions",
        )],
    );
    check(
        &|new| remove(new, 1),
        &[(true, "v2: the version is gone, and was served")],
    );
    check(
        &|new| remove(new, 2),
        &[(
            false,
            "v3: the version is gone: the API server refuses that while v3 is in the CRD's status.storedVersions",
        )],
    );
    check(
        &|new| new["spec"]["versions"][1]["served"] = json!(false),
        &[(true, "v2: the version is not served any more")],
    );
    check(
        &|new| new["spec"]["versions"][1]["subresources"] = json!({}),
        &[
            (true, "v2: the subresource `status` is gone"),
            (true, "v2: the subresource `scale` is gone"),
        ],
    );
    check(
        &|new| new["spec"]["versions"][0]["subresources"] = json!({"status": {}}),
        &[(
            false,
            "v1: the subresource `status` is new: what writes `.status` with the object is ignored",
        )],
    );
    check(
        &|new| new["spec"]["versions"][1]["selectableFields"] = json!([]),
        &[(true, "v2: objects cannot be selected by `.spec.a` any more")],
    );
    let gone = compare(&[old.clone()], &[]);
    assert!(
        gone.len() == 1 && gone[0].breaking && gone[0].crd == "as.a.io",
        "{gone:?}"
    );
    assert_eq!(compare(&[], &[old.clone()]), []);
}

/// The crdgen of a project is replaced by one that prints what a file holds.
fn printing(crd: &Value) -> Dir {
    let dir = Dir::project(&[INIT, CREATE]);
    dir.write(
        "api/crdgen.rs",
        "fn main() { print!(\"{}\", include_str!(\"crds.json\")) }\n",
    );
    dir.write("api/crds.json", json!([crd]).to_string());
    std::fs::remove_dir_all(dir.join("config/crd/bases")).unwrap();
    dir
}

fn git(dir: &Dir, args: &[&str]) {
    let mut git = Command::new("git");
    git.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@a.io",
        "-c",
        "init.defaultBranch=trunk",
    ]);
    support::run(git.args(args), dir).ok();
}

#[test]
fn compares_with_a_commit_and_a_folder() {
    let old = crd("a.io", "A", &json!({"type": "string"}));
    let dir = printing(&old);
    let rop = |args: &[&str]| {
        let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
        support::run(rop.args(["generate", "crds", "-q"]).args(args), &dir)
    };
    rop(&["--compat", "HEAD"]).fails(
        1,
        &["`HEAD` is no folder, and git has no commit of that name here: not a git repository"],
    );
    rop(&[]).ok();
    git(&dir, &["init", "--quiet"]);
    git(&dir, &["add", "--all"]);
    rop(&["--compat", "HEAD"]).fails(1, &["`HEAD` is neither a folder nor a commit"]);
    git(&dir, &["commit", "--quiet", "--message", "one"]);
    rop(&["--compat", "HEAD"]).ok();
    rop(&["--compat", "v0"]).fails(
        1,
        &["`v0` is neither a folder nor a commit", "fetch it first"],
    );
    rop(&["--compat", "-x"]).fails(2, &[]);
    rop(&["--compat=-x"]).fails(1, &["`-x` is neither a folder nor a commit"]);
    rop(&["--compat", "src"]).fails(1, &["src has no CRDs"]);
    let file = "config/crd/bases/a.io_as.yaml";
    let before = dir.text(file);
    dir.write("old/a.yaml", &before);
    dir.write(
        "api/crds.json",
        json!([crd("a.io", "A", &json!({"type": "integer"}))]).to_string(),
    );
    for from in ["HEAD", "trunk", "old"] {
        let told = rop(&["--compat", from]).fails(
            3,
            &[&format!(
                "nothing was written: 1 breaking change since {from}"
            )],
        );
        assert!(
            told.stderr
                .contains("breaking: as.a.io v1 .spec.a: was string and is integer\n"),
            "{told:?}"
        );
    }
    assert_eq!(dir.text(file), before);
    let json = rop(&["--compat", "HEAD", "--output", "json"]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let finding = json!({"breaking": true, "crd": "as.a.io", "version": "v1", "field": ".spec.a", "message": "was string and is integer"});
    assert_eq!((json.code, &report["findings"]), (3, &json!([finding])));
    assert_eq!(
        (&report["changes"], &report["error"]["kind"]),
        (&json!([]), &json!("conflict"))
    );
    dir.write(
        "api/crds.json",
        json!([crd("a.io", "A", &json!({"type": "string", "pattern": "a"}))]).to_string(),
    );
    let told = rop(&["--compat", "HEAD"]).ok();
    assert!(
        told.stderr
            .contains("warning: as.a.io v1 .spec.a: has a new `pattern`: \"a\"\n"),
        "{told:?}"
    );
    assert_ne!(dir.text(file), before);
    dir.write("old/a.yaml", "a: [");
    rop(&["--compat", "old"]).fails(1, &["a.yaml of old: "]);
    support::line(&dir, "rop generate rbac --compat HEAD").fails(2, &["--compat is about CRDs"]);
    support::line(&dir, "rop generate --markers --compat HEAD").fails(2, &["--compat"]);
}
