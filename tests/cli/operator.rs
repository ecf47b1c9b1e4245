//! The proof: a scaffolded operator reconciles its sample on a real API server, with nothing but
//! the rights that were generated.
use crate::{
    cluster::{self, Kubectl, Operator, eventually, find, render},
    control_plane,
    support::{self, CREATE, Dir, INIT, Ran},
};
use rop::envtest::{ApplyOptions, ControlPlane};
use serde_json::{Value, json};
use std::path::Path;

const SYSTEM: &str = "myapp-operator-system";
const ACCOUNT: &str = "myapp-operator-controller-manager";

/// Kind, namespace and name of all that `config/default` renders to, kept by hand.
const DEPLOYED: [(&str, &str, &str); 11] = [
    ("Namespace", "", SYSTEM),
    ("CustomResourceDefinition", "", "myapps.app.example.com"),
    ("ServiceAccount", SYSTEM, ACCOUNT),
    ("Role", SYSTEM, "myapp-operator-leader-election-role"),
    ("ClusterRole", "", "myapp-operator-manager-role"),
    ("ClusterRole", "", "myapp-operator-myapp-admin-role"),
    ("ClusterRole", "", "myapp-operator-myapp-editor-role"),
    ("ClusterRole", "", "myapp-operator-myapp-viewer-role"),
    (
        "RoleBinding",
        SYSTEM,
        "myapp-operator-leader-election-rolebinding",
    ),
    (
        "ClusterRoleBinding",
        "",
        "myapp-operator-manager-rolebinding",
    ),
    ("Deployment", SYSTEM, "myapp-operator-controller-manager"),
];

/// `make` as a user types it, with the rop of this build.
fn make(dir: &Path, targets: &[&str]) -> Ran {
    support::run(support::make().args(targets), dir).ok()
}

#[test]
fn a_scaffolded_operator_reconciles_its_sample() {
    let dir = Dir::project(&[INIT, CREATE]);
    let before = support::tree(&dir);
    make(&dir, &["generate", "manifests", "build"]);
    let mut after = support::tree(&dir);
    after.retain(|path, _| before.contains_key(path));
    assert!(after == before, "what was scaffolded is what is generated");

    let control_plane = cluster::audited();
    let kubectl = Kubectl(&control_plane);
    let rendered = render(&dir, "config/default");
    let mut deployed: Vec<_> = rendered.iter().map(identity).collect();
    let mut wanted = DEPLOYED;
    deployed.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(deployed, wanted);
    control_plane
        .apply(&rendered, ApplyOptions::default())
        .unwrap();
    accepts_its_pod(&control_plane, &rendered);

    let program = dir.join("target/release/manager");
    let operator = Operator::start(&control_plane, &program, &rendered);

    let sample = [
        "apply",
        "--filename",
        "config/samples/app_v1alpha1_myapp.yaml",
    ];
    kubectl.run(&dir, &sample).ok();
    let get = ["get", "myapp", "myapp-sample"];
    let ready = |generation: u64| {
        let object = kubectl.json(&get);
        let condition = &object["status"]["conditions"][0];
        let is = condition["type"] == "Ready"
            && condition["status"] == "True"
            && object["metadata"]["generation"] == generation
            && object["status"]["observedGeneration"] == generation
            && condition["observedGeneration"] == generation;
        is.then_some(object)
    };
    eventually("Ready", || ready(1));
    kubectl.patch(&["myapp", "myapp-sample"], r#"{"spec":{"foo":"new"}}"#);
    eventually("Ready of the new spec", || ready(2));

    let shown = kubectl.run(&dir, &["get", "myapp"]).ok().stdout;
    let lines: Vec<Vec<_>> = shown
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines[0], ["NAME", "READY", "AGE"]);
    assert_eq!(lines[1][..2], ["myapp-sample", "True"]);
    kubectl.run(&dir, &["delete", "myapp", "myapp-sample"]).ok();

    let requests = cluster::requests(&control_plane, &operator);
    assert!(requests.len() > 5, "the audit log has its requests");
    let refused = cluster::refused(&requests);
    assert!(refused.is_empty(), "{refused:#?}\n{}", operator.log());
    drop(operator);
    drop(control_plane);
    its_own_tests_pass(&dir, &["myapp_controller::becomes_ready"]);
    its_own_tests_are_not_skipped(&dir);
    its_own_tests_refuse_a_cluster(&dir);
}

/// `make test` runs all of the project's tests against a control plane, as the operator's own
/// service account, and says that it left none out; these are among them.
pub fn its_own_tests_pass(dir: &Path, some: &[&str]) {
    let ran = make_test(dir).ok();
    for one in some {
        let passed = format!("test {one} ... ok\n");
        assert!(ran.stdout.contains(&passed), "{one}: {ran:#?}");
    }
    let passed = ran.stdout.matches(" ... ok\n").count();
    assert!(passed > 20, "{ran:#?}");
    let sum = format!("\n{passed} tests passed, 0 skipped\n");
    assert!(ran.stdout.ends_with(&sum), "{ran:#?}");
}

/// It fails when it left one out, and with the code of cargo when that failed.
fn its_own_tests_are_not_skipped(dir: &Dir) {
    let makefile = dir.text("Makefile");
    let with = |args: &str| {
        let changed = makefile.replace("cargo test -- --include-ignored;", args);
        assert_ne!(changed, makefile);
        dir.write("Makefile", changed);
        make_test(dir)
    };
    let ran = with("cargo test;");
    let skipped = ran.stdout.matches(" ... ignored").count();
    let sum = format!(" tests passed, {skipped} skipped\n");
    assert!(skipped > 5 && ran.stdout.ends_with(&sum), "{ran:#?}");
    ran.fails(2, &["Error 1"]);
    let ran = with("cargo test becomes_ready -- --include-ignored;");
    let sum = ran.stdout.lines().last().unwrap_or_default();
    assert!(
        sum.starts_with("1 tests passed, ") && !sum.ends_with(" 0 skipped"),
        "{ran:#?}"
    );
    ran.fails(2, &["Error 1"]);
    let ran = with("cargo test -- --no-such-flag;");
    assert!(!ran.stdout.contains("skipped"), "{ran:#?}");
    ran.fails(2, &["Error 101"]);
    dir.write("Makefile", makefile);
}

fn make_test(dir: &Path) -> Ran {
    let mut make = support::make();
    make.arg("test")
        .env("KUBEBUILDER_ASSETS", control_plane::assets_folder());
    support::run(&mut make, dir)
}

/// Without a word that the cluster is there to be played with, they do not even read where it is.
fn its_own_tests_refuse_a_cluster(dir: &Path) {
    let mut cargo = support::builder("cargo");
    cargo
        .args([
            "test",
            "--no-fail-fast",
            "--test",
            "controllers",
            "--test",
            "cluster",
        ])
        .args(["--", "--include-ignored"])
        .env("KUBECONFIG", "/nowhere")
        .env_remove("ROP_ENVTEST")
        .env_remove("USE_EXISTING_CLUSTER");
    let ran = support::run(&mut cargo, dir);
    assert_eq!(ran.code, 101, "{ran:#?}");
    let results = ran
        .stdout
        .matches("\ntest result: FAILED. 0 passed; ")
        .count();
    assert_eq!(results, 2, "{ran:#?}");
    let told = "to use the cluster of KUBECONFIG\n";
    let failed = ran.stdout.matches(" ... FAILED\n").count();
    assert_eq!(ran.stdout.matches(told).count(), failed, "{ran:#?}");
}

fn identity(object: &Value) -> (&str, &str, &str) {
    let metadata = &object["metadata"];
    (
        object["kind"].as_str().unwrap_or_default(),
        metadata["namespace"].as_str().unwrap_or_default(),
        metadata["name"].as_str().unwrap_or_default(),
    )
}

/// The namespace enforces pod security `restricted`: the API server judges the pod itself.
fn accepts_its_pod(control_plane: &ControlPlane, rendered: &[Value]) {
    let template = &find(rendered, "Deployment")["spec"]["template"];
    let mut pod = json!({"apiVersion": "v1", "kind": "Pod", "spec": template["spec"]});
    pod["metadata"] = template["metadata"].clone();
    pod["metadata"]["name"] = json!("manager-0");
    pod["metadata"]["namespace"] = json!(SYSTEM);
    let dry_run = ApplyOptions { dry_run: true };
    control_plane.apply(&[pod.clone()], dry_run).unwrap();
    pod["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = json!(true);
    let refused = control_plane.apply(&[pod], dry_run).unwrap_err();
    assert!(format!("{refused} {:?}", refused.causes()).contains("restricted"));
}
