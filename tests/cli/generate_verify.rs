//! `rop generate --verify`: what the API server says of CRDs, before they are written.
use crate::{
    control_plane,
    generate_lint_findings::{printing, with_field},
    support::{self, Dir, INIT, Ran},
};
use nix::sys::signal::{Signal, kill};
use rop::envtest::{ApplyOptions, ControlPlane, Options};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader},
    net::TcpListener,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const FILE: &str = "config/crd/bases/app.example.com_myapps.yaml";

fn command(dir: &Dir, crds: &[Value], args: &[&str]) -> Command {
    let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"));
    rop.args(["generate", "crds", "--verify"]).args(args);
    rop.env("PATH", printing(dir, crds)).env_remove("CARGO");
    // Neither a cluster that is implied nor a proxy is used.
    rop.env("KUBECONFIG", "/nowhere/kubeconfig");
    rop
}

fn run(dir: &Dir, crds: &[Value], args: &[&str]) -> Ran {
    support::run(&mut command(dir, crds, args), dir)
}

fn good() -> Value {
    with_field(&json!({ "type": "string", "pattern": "^a+$" }))
}

/// A rule on a field that is not there, and an expression with an open bracket.
fn bad() -> Value {
    let rule = json!([{ "rule": "self.nothing > 1" }]);
    let mut crd = with_field(
        &json!({ "type": "object", "properties": { "a": { "type": "string" } }, "x-kubernetes-validations": rule }),
    );
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"]
        ["size"] = json!({ "type": "array", "items": { "type": "string", "pattern": "a(" } });
    crd
}

/// CEL is looked at when all else is right only.
fn bad_rule() -> Value {
    let mut crd = bad();
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"]
        ["size"] = json!({ "type": "integer" });
    crd
}

#[test]
fn a_control_plane_of_its_own_is_asked() {
    let dir = Dir::project(&[INIT]);
    let assets = ["--assets", control_plane::assets_folder().to_str().unwrap()];
    let before = support::tree(&dir);
    run(&dir, &[bad()], &assets).fails(
        3,
        &[
            "error: nothing was written: the API server refuses CRDs",
            &format!("{FILE}: MyApp v1: status.size[]: pattern: "),
            "must be a valid regular expression",
        ],
    );
    assert!(support::tree(&dir) == before);
    run(&dir, &[good()], &assets).ok();
    assert!(dir.join(FILE).exists());
    assert!(
        run(&dir, &[good()], &["--assets", "/nowhere"])
            .fails(1, &["etcd is not at /nowhere/etcd"])
            .stdout
            .is_empty()
    );
}

#[test]
fn a_given_cluster_is_asked_and_not_changed() {
    let dir = Dir::project(&[INIT]);
    let cluster = ControlPlane::start(&Options::new(control_plane::assets().clone())).unwrap();
    let kubeconfig = cluster.kubeconfig().path.to_str().unwrap().to_owned();
    let there = |crd: &str| {
        let output = control_plane::kubectl(
            &cluster.kubeconfig().path,
            &["get", "crd", crd, "--output", "json"],
        );
        output
            .status
            .success()
            .then(|| serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let by_file = ["--kubeconfig", &kubeconfig];
    let before = support::tree(&dir);
    // All that is wrong with all CRDs, each at its file.
    let mut other = bad_rule();
    other["metadata"]["name"] = "others.app.example.com".into();
    other["spec"]["names"] = json!({ "kind": "Other", "plural": "others" });
    let told = [
        &format!("{FILE}: MyApp v1: status.size[]: pattern: ")[..],
        "config/crd/bases/app.example.com_others.yaml: Other v1: spec.field: x-kubernetes-validations[0].rule: ",
        "undefined field 'nothing'",
    ];
    for more in [
        &[][..],
        &["--check"],
        &["--dry-run"],
        &["--context", "envtest"],
    ] {
        let args = [&by_file[..], more].concat();
        run(&dir, &[bad(), other.clone()], &args).fails(3, &told);
    }
    let ran = run(
        &dir,
        &[bad_rule()],
        &["--kubeconfig", &kubeconfig, "--output", "json"],
    );
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.code, &report["error"]["kind"]),
        (3, &json!("conflict"))
    );
    assert!(support::tree(&dir) == before);
    // What is right is written, or is drift, as without.
    run(&dir, &[good()], &[&by_file[..], &["--check"]].concat())
        .fails(3, &["1 generated file is not up to date"]);
    run(&dir, &[good()], &by_file).ok();
    run(&dir, &[good()], &[&by_file[..], &["--check"]].concat()).ok();
    assert_eq!(there("myapps.app.example.com"), None);
    // A CRD that is there: an update is judged.
    cluster.apply(&[good()], ApplyOptions::default()).unwrap();
    let stored = there("myapps.app.example.com").unwrap();
    run(&dir, &[good()], &by_file).ok();
    run(&dir, &[bad_rule()], &by_file).fails(3, &["undefined field 'nothing'"]);
    let mut renamed = good();
    renamed["spec"]["versions"][0]["name"] = "v2".into();
    run(&dir, &[renamed], &by_file)
        .fails(3, &["status.storedVersions", "missing from spec.versions"]);
    assert_eq!(
        there("myapps.app.example.com").unwrap()["spec"],
        stored["spec"]
    );
}

#[test]
fn a_cluster_that_cannot_be_asked_is_told() {
    let dir = Dir::project(&[INIT]);
    let before = support::tree(&dir);
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let kubeconfig = |current: &str, server: &str| {
        format!(
            "apiVersion: v1\nkind: Config\n{current}clusters:\n- name: a\n  cluster: {{ server: '{server}' }}\ncontexts:\n- name: one\n  context: {{ cluster: a, user: a }}\nusers:\n- name: a\n  user: {{ token: b }}\n"
        )
    };
    let server = format!("https://{closed}");
    for (name, text) in [
        ("garbage", "{".to_owned()),
        ("empty", String::new()),
        ("no-context", kubeconfig("", &server)),
        ("closed", kubeconfig("current-context: one\n", &server)),
        (
            "no-cluster",
            kubeconfig("current-context: one\n", &server).replace("cluster: a,", "cluster: b,"),
        ),
    ] {
        dir.write(&format!("../{name}"), text);
    }
    for (args, told) in [
        ("--kubeconfig ../missing", &["cannot read ../missing"][..]),
        ("--kubeconfig ../garbage", &["cannot read ../garbage"]),
        (
            "--kubeconfig ../empty",
            &["has no current context", "give --context"],
        ),
        (
            "--kubeconfig ../no-context",
            &["has no current context", "give --context"],
        ),
        (
            "--kubeconfig ../closed --context two",
            &["has no context `two`", "it has one"],
        ),
        (
            "--kubeconfig ../no-cluster",
            &["cannot use the context `one`"],
        ),
        (
            "--kubeconfig ../closed",
            &[
                "the cluster of the context `one` cannot be asked",
                "caused by:",
                "--kubeconfig and --context",
            ],
        ),
        ("--context one", &["cannot read the kubeconfig"]),
    ] {
        let words: Vec<_> = args.split_whitespace().collect();
        run(&dir, &[good()], &words).fails(1, told);
        assert!(support::tree(&dir) == before, "{args}");
    }
    for (args, told) in [
        ("rop generate --kubeconfig ../closed", "--verify"),
        ("rop generate --context one", "--verify"),
        ("rop generate rbac --verify", "none are generated here"),
        (
            "rop generate --verify --kubeconfig ../closed --assets .",
            "--assets",
        ),
        ("rop generate --markers --verify", "--markers"),
    ] {
        support::unchanged(&dir, args, 2, &[told]);
    }
}

/// Somebody listens, and says nothing.
#[test]
fn a_wait_for_a_cluster_can_be_interrupted() {
    let dir = Dir::project(&[INIT]);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = silent.local_addr().unwrap();
    dir.write("../silent", format!("current-context: one\nclusters:\n- name: a\n  cluster: {{ server: 'https://{server}' }}\ncontexts:\n- name: one\n  context: {{ cluster: a, user: a }}\nusers:\n- name: a\n  user: {{ token: b }}\n"));
    let before = support::tree(&dir);
    let mut rop = command(&dir, &[good()], &["--kubeconfig", "../silent"]);
    let mut rop = rop
        .current_dir(&*dir)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut talk = BufReader::new(rop.stderr.take().unwrap()).lines();
    talk.by_ref()
        .map(Result::unwrap)
        .find(|line| line.contains("Asking"))
        .unwrap();
    let start = Instant::now();
    kill(support::pid(&rop), Signal::SIGINT).unwrap();
    assert_eq!(rop.wait().unwrap().code(), Some(130));
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    assert!(support::tree(&dir) == before);
}
