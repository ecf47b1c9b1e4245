//! The example operator: made by its script, it is right without a touch to what rop wrote for it.
use crate::{
    control_plane, operator,
    support::{self, Dir, Ran},
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const LINES: [&str; 2] = [
    "rop init --domain example.com --project-name memcached-operator",
    "rop create api --group cache --version v1alpha1 --kind Memcached --yes",
];
/// What a user writes: no other file of a scaffold is meant to be changed.
const BY_HAND: [&str; 6] = [
    "api/v1alpha1/memcached_types.rs",
    "config/samples/cache_v1alpha1_memcached.yaml",
    "src/controllers/memcached_controller.rs",
    "src/controllers/memcached_controller/deployment.rs",
    "src/error.rs",
    "tests/controllers/memcached_controller.rs",
];
/// What `rop generate` makes of the types and the markers.
const GENERATED: [&str; 2] = [
    "config/crd/bases/cache.example.com_memcacheds.yaml",
    "config/rbac/role.yaml",
];
/// What the README promises; the last one is the template's, and never left out.
const TESTS: [&str; 8] = [
    "memcached_controller::becomes_ready",
    "memcached_controller::follows_a_change_of_the_size",
    "memcached_controller::its_pods_are_restricted",
    "memcached_controller::keeps_its_deployment_as_it_should_be",
    "memcached_controller::objects_of_the_first_type_still_work",
    "memcached_controller::the_api_server_refuses_what_makes_no_sense",
    "memcached_controller::waits_for_its_settings",
    "objects::children_are_owned",
];

fn example() -> PathBuf {
    support::repository().join("examples/memcached-operator")
}

/// Runs a command with the rop of this build in PATH.
fn with_rop(mut command: Command, dir: &Path) -> Ran {
    let rop = Path::new(env!("CARGO_BIN_EXE_rop")).parent().unwrap();
    command
        .env("PATH", support::first_in_path(rop))
        .env("KUBEBUILDER_ASSETS", control_plane::assets_folder());
    support::run(&mut command, dir)
}

fn bash(dir: &Path, script: &str) -> Ran {
    let mut bash = support::builder("bash");
    bash.args(["-ec", script]);
    with_rop(bash, dir)
}

fn create(project: &Path) -> Ran {
    let mut script = support::builder(example().join("create.sh"));
    script.arg(project);
    with_rop(script, &support::repository())
}

#[test]
fn the_example_is_a_whole_operator() {
    let script = fs::read_to_string(example().join("create.sh")).unwrap();
    for line in LINES {
        assert!(script.contains(&format!("\n{line}\n")), "{line}");
    }
    let parent = Dir::new("parent");
    let project = parent.join("memcached-operator");
    create(&project).ok();
    // A project that is there, maybe with changes, is left alone.
    create(&project).fails(1, &["File exists"]);
    let made = support::tree(&project);

    only_files_of_the_user_differ(&project);
    a_rerun_keeps_them(&project);
    bash(&project, "make lint && rop generate --check").ok();
    operator::its_own_tests_pass(&project, &TESTS);
    it_works_in_all_namespaces(&project);
    assert!(
        support::tree(&project) == made,
        "a check changed the project"
    );
}

fn only_files_of_the_user_differ(project: &Path) {
    let bare = support::tree(&Dir::project(&LINES));
    let made = support::tree(project);
    assert!(bare.keys().all(|path| made.contains_key(path)));
    let changed = made
        .iter()
        .filter(|(path, text)| bare.get(*path) != Some(text));
    let changed: BTreeSet<_> = changed.map(|(path, _)| path.clone()).collect();
    let wanted = BY_HAND.iter().chain(&GENERATED);
    let wanted = wanted.map(ToString::to_string).collect();
    assert_eq!(changed, wanted);
}

fn a_rerun_keeps_them(project: &Path) {
    let before = support::tree(project);
    let init = support::line(project, LINES[0]).ok().stderr;
    assert!(init.contains("already"), "{init}");
    let create = support::line(project, LINES[1]).ok().stderr;
    for path in [BY_HAND[0], BY_HAND[1], BY_HAND[2], BY_HAND[5]] {
        let kept = format!("keep {path} (you changed it)");
        assert!(create.contains(&kept), "{kept}\n{create}");
    }
    assert!(support::tree(project) == before);
}

/// Its own tests watch one namespace each. The operator is deployed without such a limit, and
/// with the sample as its first object.
fn it_works_in_all_namespaces(project: &Path) {
    let script = r#"
        KUBECONFIG=$ROP_OPERATOR_KUBECONFIG target/debug/manager --health-probe-bind-address=0 \
          >target/operator.log 2>&1 &
        trap 'kill $!' EXIT
        kubectl apply -f config/samples/cache_v1alpha1_memcached.yaml
        kubectl wait --for=create --timeout=120s deployment/memcached-sample
        kubectl create configmap settings --from-literal=memoryLimit=64
        kubectl patch memcached/memcached-sample --type=merge \
          -p '{"spec":{"settings":{"configMap":"settings"}}}'
        kubectl wait --for=jsonpath='{.status.observedGeneration}'=2 --timeout=120s \
          memcached/memcached-sample
        kubectl get deployment memcached-sample \
          --output jsonpath='{.spec.template.spec.containers[0].args}{"\n"}'
        kubectl get memcached"#;
    let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
    rop.args(["envtest", "run", "--", "bash", "-ec", script]);
    let shown = with_rop(rop, project).ok().stdout;
    let lines: Vec<Vec<_>> = shown
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let [.., args, head, sample] = &lines[..] else {
        panic!("{shown}");
    };
    assert_eq!(*args, [r#"["--memory-limit=64"]"#]);
    assert_eq!(
        *head,
        ["NAME", "SIZE", "AVAILABLE", "READY", "REASON", "AGE"]
    );
    let wanted = ["memcached-sample", "2", "0", "False", "Progressing"];
    assert_eq!(sample[..5], wanted);
}
