//! kubebuilder's own loader reads PROJECT, field by field.
use crate::{
    golden,
    support::{self, Dir},
};
use serde_json::{Value, json};
use std::{path::PathBuf, process::Command, sync::OnceLock};

/// The program of `tests/go/project`, built once.
fn loader() -> &'static PathBuf {
    static LOADER: OnceLock<PathBuf> = OnceLock::new();
    LOADER.get_or_init(|| support::go_program("project"))
}

fn load(dir: &Dir) -> Value {
    let ran = support::run(Command::new(loader()).arg("PROJECT"), dir).ok();
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn kubebuilder_reads_the_golden_trees() {
    for (case, lines) in golden::CASES {
        let dir = Dir::project(lines);
        let loaded = load(&dir);
        let kinds: Vec<_> = loaded["resources"].as_array().unwrap().iter().collect();
        let wanted: Vec<_> = lines[1..]
            .iter()
            .map(|line| line.split(' ').collect())
            .collect();
        assert_eq!(kinds.len(), wanted.len(), "{case}");
        for (kind, words) in kinds.into_iter().zip::<Vec<Vec<&str>>>(wanted) {
            let given = |flag: &str| {
                let place = words.iter().position(|word| *word == flag).unwrap();
                words[place + 1]
            };
            for field in ["group", "version", "kind"] {
                assert_eq!(kind[field], given(&format!("--{field}")), "{case}");
            }
            assert_eq!(
                kind["namespaced"],
                !words.contains(&"--namespaced=false"),
                "{case}"
            );
            assert_eq!(
                kind["controller"],
                !words.contains(&"--controller=false"),
                "{case}"
            );
        }
    }
}

#[test]
fn kubebuilder_reads_it() {
    let dir = Dir::project(&["rop init --domain example.com --license mit --network-policy"]);
    let mut wanted = json!({
        "domain": "example.com",
        "layout": ["rust.rop.dev/v1"],
        "multigroup": false,
        "namespaced": false,
        "projectName": "myapp-operator",
        "repository": "",
        "resources": [],
        "settings": {"license": "mit", "networkPolicy": true},
        "version": "3",
    });
    assert_eq!(load(&dir), wanted);

    for line in [
        "rop create api --group app --version v1alpha1 --kind Proxy --namespaced=false",
        "rop create api --group app --version v1alpha1 --kind Cache --controller=false",
    ] {
        support::line(&dir, line).ok();
    }
    let mut cache = json!({
        "controller": false,
        "core": false,
        "crdVersion": "v1",
        "domain": "example.com",
        "external": false,
        "group": "app",
        "hasAPI": true,
        "kind": "Cache",
        "namespaced": true,
        "plural": "caches",
        "qualifiedGroup": "app.example.com",
        "version": "v1alpha1",
    });
    let mut proxy = cache.clone();
    proxy["kind"] = json!("Proxy");
    proxy["plural"] = json!("proxies");
    proxy["namespaced"] = json!(false);
    proxy["controller"] = json!(true);
    wanted["resources"] = json!([cache, proxy]);
    assert_eq!(load(&dir), wanted);

    support::line(
        &dir,
        "rop create api --group app --version v1alpha1 --kind Cache --resource=false",
    )
    .ok();
    cache["controller"] = json!(true);
    wanted["resources"] = json!([cache, proxy]);
    assert_eq!(load(&dir), wanted);

    let dir = Dir::project(&["rop init --domain example.com --namespaced"]);
    assert_eq!(load(&dir)["namespaced"], true);

    let dir = Dir::new("op");
    support::rop(&dir, &["init", "--domain", ""]).ok();
    support::line(
        &dir,
        "rop create api --group app.k8s.io --version v1 --kind A --api-approved=unapproved",
    )
    .ok();
    let loaded = load(&dir);
    assert_eq!(loaded["domain"], "");
    assert_eq!(loaded["resources"][0]["qualifiedGroup"], "app.k8s.io");
    assert_eq!(
        loaded["settings"],
        json!({"apiApproved": {"as.app.k8s.io": "unapproved"}})
    );
}
