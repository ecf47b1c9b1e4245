//! What rop accepts as a name, Cargo, rustc, rustfmt, clippy and the API server accept, too: a
//! sample of nasty ones. `ROP_SEED` makes another sample.
use crate::{
    control_plane, matrix,
    support::{self, Dir, Ran},
};
use proptest::{
    prelude::*,
    sample::select,
    strategy::ValueTree as _,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use rop::{
    envtest::{ApplyOptions, ControlPlane, Options},
    model::names::ProjectName,
};
use serde_json::json;
use std::{env, fs, process::Command};

/// Names of Rust's prelude, of derives, of what generated code imports, and of Kubernetes.
const KINDS: &str = "\
    Action Api Arc AsRef Async Bool Box Char Clone Cluster ClusterRole Condition ConfigMap \
    Context Controller Copy Core Crate Crd Crds CustomResource CustomResourceDefinition \
    CustomResourceExt Debug Default Deserialize Drop Duration Dyn Enum Eq Err Error Event Fn \
    From Gen Hash I32 Impl Iterator JsonSchema K8sOpenapi Kube KubeSchema Lease List Main \
    Manager Metrics Mod Namespace None Object ObjectMeta Ok Option Pod Resource Result \
    Schemars Self Serde Serialize Some Spec Status String Type Vec";

/// Names of crates, folders and modules, of generated code among them, and words of YAML.
const PROJECTS: &str = "\
    a api-api auto bin controller crds default doc error generate kube-operator lib \
    macro-rules main manager metrics no null op-api operator prelude raw src support target \
    tests true union";

fn one_of(words: &str) -> impl Strategy<Value = String> {
    let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
    select(words)
}

fn kind() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => one_of(KINDS),
        2 => "[A-Z][a-zA-Z0-9]{0,62}",
        1 => "[A-Z][a-z0-9]{61,62}",
        1 => "[A-Z]",
        1 => "[A-Z]{2,9}[0-9]{0,3}",
        1 => "[A-Z][a-z]{1,8}(Spec|Status|List|Resource|Types|Controller)",
    ]
}

fn project() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => one_of(PROJECTS),
        1 => "[a-z][a-z0-9-]{0,26}[a-z0-9]",
        1 => "[a-z]",
        1 => "[a-z]{28}",
    ]
}

/// A sample of names, the same for the same seed.
struct Sample(TestRunner);

impl Sample {
    fn new() -> Self {
        let seed = env::var("ROP_SEED").map_or(1, |seed| seed.parse().expect("a number"));
        eprintln!("ROP_SEED={seed}");
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&u64::to_le_bytes(seed));
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Self(TestRunner::new_with_rng(ProptestConfig::default(), rng))
    }

    fn draw<T>(&mut self, of: impl Strategy<Value = T>) -> T {
        of.new_tree(&mut self.0).unwrap().current()
    }

    fn project(&mut self) -> ProjectName {
        loop {
            if let Ok(name) = self.draw(project()).parse() {
                return name;
            }
        }
    }
}

/// Runs a line: what rop does not take, it refuses as a name or a clash.
fn try_line(dir: &Dir, line: &str) {
    let Ran { code, stderr, .. } = support::line(dir, line);
    assert!(matches!(code, 0 | 2 | 3), "{code}: {line}\n{stderr}");
    if code == 0 {
        eprintln!("{line}");
    }
}

/// How often a text is in PROJECT.
fn count(dir: &Dir, text: &str) -> usize {
    let project = fs::read_to_string(dir.join("PROJECT")).unwrap_or_default();
    project.matches(text).count()
}

/// A project with this many kinds.
fn scaffold(sample: &mut Sample, kinds: usize) -> Dir {
    let dir = Dir::new(sample.project().as_str());
    while count(&dir, "projectName: ") == 0 {
        let domain = "example.com|[a-z0-9]{1,3}|([a-z0-9]{1,3}[.]){1,2}[a-z0-9-]{1,3}";
        try_line(&dir, &format!("rop init --domain {}", sample.draw(domain)));
    }
    let group = sample.draw("[a-z0-9]{1,3}([.-][a-z0-9]{1,4}){0,2}|core|type|1");
    let version = sample.draw("v[1-9][0-9]{0,3}((alpha|beta)[1-9][0-9]{0,3})?");
    while count(&dir, "  kind: ") < kinds {
        let kind = sample.draw(kind());
        let [namespaced, controller, named] = sample.draw(any::<[bool; 3]>());
        let plural = sample.draw("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");
        let plural = match named {
            true => format!(" --plural {plural}"),
            false => String::new(),
        };
        let line = format!(
            "rop create api --group {group} --version {version} --kind {kind} \
             --namespaced={namespaced} --controller={controller}{plural}"
        );
        try_line(&dir, &line);
    }
    dir
}

/// As `cargo new` does, which looks at more than a build needs.
fn cargo_takes(name: &ProjectName, dir: &Dir) {
    let mut cargo = Command::new("cargo");
    cargo.args(["new", "--quiet", "--vcs", "none", name.as_str()]);
    let Ran { code, stderr, .. } = support::run(&mut cargo, dir);
    assert!(code == 0 && !stderr.contains("warning"), "{name}: {stderr}");
}

/// The longest names made from that of a project.
fn kubernetes_takes(name: &ProjectName, control_plane: &ControlPlane) {
    let namespace = format!("{name}-system");
    let service = format!("{name}-controller-manager-metrics-service");
    let objects = [
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}),
        json!({
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": service, "namespace": "default"},
            "spec": {"ports": [{"port": 1}]},
        }),
    ];
    let dry_run = ApplyOptions { dry_run: true };
    control_plane.apply(&objects, dry_run).unwrap();
}

/// In a project of some kinds, and in those of other names.
#[test]
fn are_accepted_by_all() {
    let mut sample = Sample::new();
    let kinds = if env::var_os("ROP_SEED").is_some() {
        24
    } else {
        8
    };
    let dir = scaffold(&mut sample, kinds);
    matrix::is_clean(&dir);
    let control_plane =
        ControlPlane::start(&Options::new(control_plane::assets().clone())).unwrap();
    matrix::is_applied(&dir, &control_plane, kinds);
    let packages = Dir::new("packages");
    let mut names: Vec<_> = (0..20).map(|_| sample.project()).collect();
    names.sort();
    names.dedup();
    for name in names {
        cargo_takes(&name, &packages);
        kubernetes_takes(&name, &control_plane);
    }
}
