//! Generated projects compile, are formatted and free of warnings, pass their tests, render, and
//! are accepted by the API server. `tests/matrix.sh` runs every combination, `cargo test` a
//! sample that has each pair of options.
use crate::{
    cluster, golden, options,
    support::{self, Dir, INIT, Ran},
};
use rop::envtest::{ApplyOptions, ControlPlane};
use serde_json::Value;
use std::{
    path::Path,
    process::Command,
    time::{Duration, UNIX_EPOCH},
};

fn kinds() -> [String; 5] {
    let long = format!("K{}", "k".repeat(61));
    [
        "MyApp".into(),
        "A".into(),
        long,
        "Option".into(),
        "HTTPProxy".into(),
    ]
}

/// The lines that add a kind: resource alone or with its controller, in namespaces or not.
fn create(kind: &str, controller: bool, namespaced: bool) -> String {
    format!(
        "rop create api --group app --version v1alpha1 --kind {kind} \
         --controller={controller} --namespaced={namespaced}"
    )
}

/// All combinations, the ones of the sample first.
fn cases() -> (Vec<Vec<String>>, usize) {
    let mut sample = vec![vec![INIT.into()]];
    let mut rest = Vec::new();
    for (number, kind) in kinds().iter().enumerate() {
        for (controller, namespaced) in [(true, true), (true, false), (false, true), (false, false)]
        {
            let lines = vec![INIT.into(), create(kind, controller, namespaced)];
            // Each kind with and without a controller, each time in the other scope.
            match (controller == namespaced) == (number % 2 == 0) {
                true => sample.push(lines),
                false => rest.push(lines),
            }
        }
    }
    let size = sample.len();
    sample.extend(rest);
    (sample, size)
}

/// Thirty kinds in one project.
fn thirty() -> Vec<String> {
    let kind = |n: u8| format!("Kind{}{}", char::from(b'A' + n % 26), n / 26);
    let lines = (0..30).map(|n| create(&kind(n), n % 3 != 0, n % 2 == 0));
    [INIT.into()].into_iter().chain(lines).collect()
}

/// Judges a project by everything but an API server.
///
/// The name is one of its own: cargo keeps what it built by the name of a package, and would take
/// what it made of another project for up to date.
fn judge(name: &str, lines: &[String]) {
    let dir = Dir::new(name);
    for line in lines {
        support::line(&dir, line).ok();
    }
    is_clean(&dir);
    // The tests of the library run once, those of the project in each.
    let tests = match lines.len() {
        1 => "test --locked --quiet".into(),
        _ => format!("test --locked --quiet --package {name} --lib"),
    };
    succeeds(support::builder("cargo").args(tests.split(' ')), &dir);
    for folder in kustomizations(&dir) {
        cluster::render(&dir, &folder);
    }
}

/// The sources are formatted and compile without a warning; what is generated is up to date.
#[track_caller]
pub fn is_clean(dir: &Dir) {
    // The library is the same in all projects: what was built of it is not older than this.
    support::set_times(
        &dir.join("manager"),
        UNIX_EPOCH + Duration::from_secs(1_000_000_000),
    );
    for args in [
        "fmt --all --check",
        "clippy --locked --all-targets -- --deny warnings",
    ] {
        succeeds(support::builder("cargo").args(args.split(' ')), dir);
    }
    let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
    succeeds(rop.args(["generate", "--check"]), dir);
}

#[track_caller]
fn succeeds(command: &mut Command, dir: &Dir) {
    let Ran {
        code,
        stdout,
        stderr,
    } = support::run(command, dir);
    let project = dir.text("PROJECT");
    assert_eq!(code, 0, "{command:?} in\n{project}\n{stdout}{stderr}");
}

/// The folders that render by themselves.
fn kustomizations(dir: &Path) -> Vec<String> {
    let tree = support::tree(dir);
    let files = tree.iter().filter_map(|(path, text)| {
        let folder = path.strip_suffix("/kustomization.yaml")?;
        let component = String::from_utf8_lossy(text).contains("kind: Component");
        (!component).then(|| folder.to_owned())
    });
    files.collect()
}

#[test]
fn a_sample_of_all_options_is_clean() {
    let (cases, sample) = cases();
    let all = std::env::var_os("ROP_FULL_MATRIX").is_some();
    let count = if all { cases.len() } else { sample };
    for (number, lines) in cases[..count].iter().enumerate() {
        judge(&format!("case-{number}"), lines);
    }
}

#[test]
fn golden_trees_are_clean() {
    for (case, lines) in golden::CASES {
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        judge(&format!("golden-{case}"), &lines);
    }
}

#[test]
fn thirty_kinds_are_clean() {
    judge("thirty", &thirty());
}

#[test]
fn the_sample_has_each_pair() {
    let (cases, sample) = cases();
    let text: Vec<_> = cases[..sample]
        .iter()
        .map(|lines| lines.join(" ") + " ")
        .collect();
    let has = |one: &str, other: &str| text.iter().any(|t| t.contains(one) && t.contains(other));
    let options = [
        kinds().map(|kind| format!("--kind {kind} ")).to_vec(),
        vec!["--controller=true".into(), "--controller=false".into()],
        vec!["--namespaced=true".into(), "--namespaced=false".into()],
    ];
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        for a in &options[one] {
            for b in &options[other] {
                assert!(has(a, b), "{a} with {b}");
            }
        }
    }
}

/// The API server takes all of a project, with a sample for each of its kinds. Gives the CRDs.
#[track_caller]
pub fn is_applied(dir: &Dir, control_plane: &ControlPlane, kinds: usize) -> Vec<Value> {
    let crds = cluster::render(dir, "config/crd");
    control_plane.apply(&crds, ApplyOptions::default()).unwrap();
    let deployed = cluster::render(dir, "config/default");
    // The namespace has to be there for a dry run of what is in it.
    let namespaces = deployed
        .iter()
        .filter(|object| object["kind"] == "Namespace");
    let namespaces: Vec<_> = namespaces.cloned().collect();
    control_plane
        .apply(&namespaces, ApplyOptions::default())
        .unwrap();
    let dry_run = ApplyOptions { dry_run: true };
    control_plane.apply(&deployed, dry_run).unwrap();
    let samples = cluster::render(dir, "config/samples");
    control_plane.apply(&samples, dry_run).unwrap();
    assert_eq!(samples.len(), kinds, "a sample for each kind");
    crds
}

#[test]
fn the_api_server_accepts_the_golden_trees() {
    let control_plane = cluster::audited();
    options::install_servicemonitors(&control_plane);
    let longest = format!(
        "{} --plural longests",
        create(&format!("K{}", "k".repeat(62)), true, true)
    );
    let longest: &[&str] = &[INIT, &longest];
    for (case, lines) in golden::CASES.into_iter().chain([("longest kind", longest)]) {
        let dir = Dir::project(lines);
        println!("{case}");
        let crds = is_applied(&dir, &control_plane, lines.len() - 1);
        // The scope of a kind cannot change: make room for the next case.
        let kubectl = cluster::Kubectl(&control_plane);
        for crd in &crds {
            let name = crd["metadata"]["name"].as_str().unwrap();
            kubectl.run(&dir, &["delete", "crd", name]).ok();
        }
    }
}
