//! What is rendered.
use super::*;
use crate::error::ErrorKind;
use serde_json::{Value, json};

#[test]
fn paths_mirror_the_project() {
    let paths = |layer| -> Vec<_> {
        let files = files(layer, &myapp()).into_iter();
        files.map(|file| file.path).collect()
    };
    assert!(paths(Layer::License).is_empty());
    assert_eq!(paths(Layer::Version), ["api/v1alpha1/mod.rs"]);
    assert_eq!(
        paths(Layer::Api),
        [
            "api/v1alpha1/myapp_types.rs",
            "config/rbac/myapp_admin_role.yaml",
            "config/rbac/myapp_editor_role.yaml",
            "config/rbac/myapp_viewer_role.yaml",
            "config/samples/app_v1alpha1_myapp.yaml",
        ]
    );
    assert_eq!(
        paths(Layer::Crd),
        ["config/crd/bases/app.example.com_myapps.yaml"]
    );
    assert_eq!(
        paths(Layer::Controller),
        [
            "src/controllers/myapp_controller.rs",
            "tests/controllers/myapp_controller.rs",
        ]
    );
    let project = paths(Layer::Project);
    assert!(project.is_sorted());
    for path in [
        ".github/workflows/test.yml",
        ".gitignore",
        "Cargo.lock",
        "Cargo.toml",
        "api/Cargo.toml",
        "manager/Cargo.toml",
        "manager/src/lib.rs",
    ] {
        assert!(project.iter().any(|p| p == path), "{path}");
    }
}

#[test]
fn a_missing_api_is_a_bug() {
    for layer in [Layer::Version, Layer::Api, Layer::Crd, Layer::Controller] {
        let error = render(layer, &project()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(error.message().contains("api"), "{error}");
    }
}

#[test]
fn an_unknown_license_is_a_bug() {
    let context = Context {
        license: Some("GPL-3.0"),
        ..project()
    };
    let error = render(Layer::License, &context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
}

#[test]
fn the_license_is_named_in_the_packages_of_the_project() {
    for license in ["Apache-2.0", "MIT"] {
        let context = Context {
            license: Some(license),
            ..project()
        };
        let [file] = files(Layer::License, &context).try_into().unwrap();
        assert_eq!(file.path, "LICENSE");
        assert!(file.text.contains("The myapp-operator authors\n"));

        let root = text(Layer::Project, &context, "Cargo.toml");
        assert!(root.contains(&format!("\nlicense = \"{license}\"\n")));
        for path in ["Cargo.toml", "api/Cargo.toml"] {
            let manifest = text(Layer::Project, &context, path);
            assert!(manifest.contains("\nlicense.workspace = true\n"), "{path}");
        }
    }
    for path in ["Cargo.toml", "api/Cargo.toml"] {
        assert!(!text(Layer::Project, &project(), path).contains("license"));
    }
}

#[test]
fn the_manager_is_the_same_in_every_project() {
    let manager = |context: &Context| {
        let mut files = files(Layer::Project, context);
        files.retain(|file| file.path.starts_with("manager/"));
        files
    };
    let other = Context {
        rop_version: "9.9.9",
        project: "other".into(),
        project_crate: "other".into(),
        domain: String::new(),
        lease: "other".into(),
        license: Some("MIT"),
        namespaced: true,
        api: None,
    };
    // Not `assert_eq!`, which would print all of it.
    assert!(manager(&project()) == manager(&other));
}

#[test]
fn lists_are_empty_before_the_first_api() {
    let text = |path| text(Layer::Project, &project(), path);
    for path in ["api/lib.rs", "src/controllers/mod.rs"] {
        assert!(text(path).ends_with("{\n    vec![\n    ]\n}\n"), "{path}");
    }
    assert!(text("tests/controllers/main.rs").ends_with("\nmod support;\n"));
    for path in [
        "config/crd/kustomization.yaml",
        "config/samples/kustomization.yaml",
    ] {
        assert_eq!(text(path), "resources: []\n");
    }
    assert!(text("config/rbac/kustomization.yaml").ends_with("- service_account.yaml\n"));
}

/// Exactly what the API server gets of a kind.
#[test]
fn a_crd_follows_its_api() {
    let crd = |context: &Context| -> Value {
        let [file] = files(Layer::Crd, context).try_into().unwrap();
        serde_json::from_str(&file.text).unwrap()
    };
    let myapp = crd(&myapp());
    assert_eq!(myapp["metadata"], json!({"name": "myapps.app.example.com"}));
    assert_eq!(myapp["spec"]["group"], "app.example.com");
    assert_eq!(myapp["spec"]["names"]["kind"], "MyApp");
    assert_eq!(myapp["spec"]["scope"], "Namespaced");
    assert_eq!(myapp["spec"]["versions"][0]["name"], "v1alpha1");
    assert_eq!(myapp["spec"]["versions"][0]["storage"], true);

    let cluster = crd(&with_api(|api| api.namespaced = false));
    assert_eq!(cluster["spec"]["scope"], "Cluster");
    let approved = crd(&with_api(|api| api.approved = Some("un\"approved".into())));
    let annotations = json!({"api-approved.kubernetes.io": "un\"approved"});
    assert_eq!(approved["metadata"]["annotations"], annotations);

    // The one place that tells the Rust type.
    let root = crd(&with_api(|api| api.root = "MyAppResource".into()));
    let schema = |crd: &Value| crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
    assert_eq!(schema(&myapp)["title"], "MyApp");
    assert_eq!(schema(&root)["title"], "MyAppResource");
    assert_eq!(root["spec"]["names"], myapp["spec"]["names"]);
}

#[test]
fn names_that_yaml_misreads_are_quoted() {
    let mut context = with_api(|api| {
        api.api_group = "1.5".into();
        api.kind = "On".into();
        api.plural = "yes".into();
    });
    context.project = "null".into();
    context.lease = "null".into();
    let lease = text(
        Layer::Project,
        &context,
        "config/rbac/leader_election_role.yaml",
    );
    assert!(lease.contains("\n  - \"null\"\n"));
    let kustomization = text(
        Layer::Project,
        &context,
        "config/default/kustomization.yaml",
    );
    assert!(kustomization.contains("app.kubernetes.io/name: \"null\"\n"));
    let sample = text(
        Layer::Api,
        &context,
        "config/samples/app_v1alpha1_myapp.yaml",
    );
    assert!(sample.starts_with("apiVersion: 1.5/v1alpha1\nkind: \"On\"\n"));
    let role = text(Layer::Api, &context, "config/rbac/myapp_viewer_role.yaml");
    assert!(role.contains("\n  - \"1.5\"\n"));
    assert!(role.contains("\n  - \"yes\"\n"));
}
