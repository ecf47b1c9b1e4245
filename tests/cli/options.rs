//! What can be switched on and off: any way to a set of options gives the same tree, and what
//! users did to theirs stays.
use crate::{
    cluster::{self, find},
    support::{self, CREATE, Dir, INIT},
};
use rop::envtest::{ApplyOptions, ControlPlane};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const FLAGS: [&str; 4] = [
    "--namespaced",
    "--metrics",
    "--prometheus",
    "--network-policy",
];
const DEPLOYED: &str = "config/default/kustomization.yaml";
const ROLE_BINDING: &str = "config/rbac/role_binding.yaml";

/// The flags of what is on.
type Set = BTreeSet<&'static str>;

/// Every set that there can be: no Prometheus without metrics.
fn sets() -> Vec<Set> {
    let sets = (0..1 << FLAGS.len()).map(|bits: u32| {
        let chosen = FLAGS.iter().enumerate();
        let chosen = chosen.filter(|(i, _)| bits & (1 << i) != 0);
        chosen.map(|(_, flag)| *flag).collect()
    });
    sets.filter(|set: &Set| set.contains("--metrics") || !set.contains("--prometheus"))
        .collect()
}

/// What a set becomes when one flag is switched.
fn switched(set: &Set, flag: &'static str, on: bool) -> Set {
    let mut set = set.clone();
    if on {
        set.insert(flag);
    } else {
        set.remove(flag);
    }
    match (flag, on) {
        ("--prometheus", true) => _ = set.insert("--metrics"),
        ("--metrics", false) => _ = set.remove("--prometheus"),
        _ => {}
    }
    set
}

/// A command with flags.
fn with(command: &str, flags: impl IntoIterator<Item = &'static str>) -> String {
    flags
        .into_iter()
        .fold(command.into(), |line, flag| line + " " + flag)
}

/// Every flag, on or off as in this set.
fn all_flags(set: &Set) -> String {
    FLAGS
        .map(|flag| format!("{flag}={}", set.contains(flag)))
        .join(" ")
}

#[track_caller]
fn edit(dir: &Dir, flags: &str) {
    support::line(dir, &format!("rop edit {flags}")).ok();
}

/// The control plane knows what a ServiceMonitor is.
pub fn install_servicemonitors(control_plane: &ControlPlane) {
    let crd: Value = serde_saphyr::from_str(include_str!("../data/servicemonitors.yaml")).unwrap();
    control_plane
        .apply(&[crd], ApplyOptions::default())
        .unwrap();
}

/// From each set one step leads to the tree that `rop init` makes with the new set; so do more.
#[test]
fn any_way_to_a_set_of_options_gives_the_same_tree() {
    let made = |set: Set| {
        let dir = Dir::project(&[&with(INIT, set.clone()), CREATE]);
        (set, support::tree(&dir))
    };
    let trees: BTreeMap<Set, _> = sets().into_iter().map(made).collect();
    let dir = Dir::project(&[INIT, CREATE]);
    for (set, tree) in &trees {
        for (flag, on) in FLAGS
            .into_iter()
            .flat_map(|flag| [(flag, false), (flag, true)])
        {
            edit(&dir, &all_flags(set));
            assert!(support::tree(&dir) == *tree, "{set:?}");
            edit(&dir, &format!("{flag}={on}"));
            let wanted = &trees[&switched(set, flag, on)];
            assert!(support::tree(&dir) == *wanted, "{set:?}, then {flag}={on}");
        }
    }
    // It does not matter when the kind comes.
    for (set, tree) in trees {
        let edit = with("rop edit", set.clone());
        let dir = Dir::project(&[INIT, &edit, CREATE]);
        assert!(support::tree(&dir) == tree, "{set:?}");
    }
}

const LICENSES: [&str; 3] = ["apache-2.0", "mit", "none"];

/// The license, too, is as if the project had been started with it, whatever it was before, whatever
/// else is switched with it, and with a user's own lines in the manifests.
#[test]
fn any_way_to_a_license_gives_the_same_tree() {
    let made = |license| Dir::project(&[&format!("{INIT} --license {license}"), CREATE]);
    let dir = Dir::project(&[INIT, CREATE]);
    let mine = made("none");
    let own = |dir: &Dir| {
        for path in ["Cargo.toml", "api/Cargo.toml"] {
            let text = dir.text(path);
            let text = text.replace(
                "[dependencies]\n",
                "[dependencies]\n# Mine.\nmine = \"1\"\n",
            );
            dir.write(path, text.replace('\n', "\r\n"));
        }
    };
    own(&mine);
    for from in LICENSES {
        for to in LICENSES {
            edit(&dir, &format!("--license {from}"));
            assert!(support::tree(&dir) == support::tree(&made(from)), "{from}");
            edit(&dir, &format!("--license {to}"));
            let wanted = made(to);
            assert!(
                support::tree(&dir) == support::tree(&wanted),
                "{from}, then {to}"
            );

            edit(&mine, &format!("--license {from}"));
            edit(&mine, &format!("--license {to}"));
            own(&wanted);
            assert!(
                support::tree(&mine) == support::tree(&wanted),
                "{from}, then {to}"
            );
        }
    }
    edit(&dir, "--license mit --metrics --namespaced");
    let line = format!("{INIT} --license mit --metrics --namespaced");
    assert!(support::tree(&dir) == support::tree(&Dir::project(&[&line, CREATE])));
    let ran = support::line(&dir, "rop edit --license mit --output json").ok();
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let changes = json["changes"].as_array().unwrap();
    assert!(changes.iter().all(|change| change["action"] == "identical"));
    let ran = support::line(&dir, "rop edit --license none --output json").ok();
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let removed = json!({"path": "LICENSE", "action": "remove"});
    assert!(json["changes"].as_array().unwrap().contains(&removed));
    assert_eq!(json["nextSteps"], json!([]));
    let mut cargo = std::process::Command::new("cargo");
    support::run(cargo.args(["metadata", "--no-deps", "--offline"]), &dir).ok();
}

#[test]
fn a_license_of_the_user_stays() {
    let dir = Dir::project(&[INIT]);
    dir.write("LICENSE", "mine\n");
    let before = support::tree(&dir);
    let told = "LICENSE is yours and stays, but Cargo.toml has `license = \"MIT\"`";
    let ran = support::line(&dir, "rop edit --license mit --force").ok();
    assert!(ran.stderr.contains(told), "{ran:#?}");
    assert!(ran.stderr.contains("keep LICENSE (yours)"), "{ran:#?}");
    assert!(dir.text("Cargo.toml").contains("\nlicense = \"MIT\"\n"));
    let ran = support::line(&dir, "rop edit --license none").ok();
    assert!(ran.stderr.contains("keep LICENSE (yours)"), "{ran:#?}");
    assert!(support::tree(&dir) == before);

    // Rop's own, but changed, is the user's, too.
    let dir = Dir::project(&[&format!("{INIT} --license mit")]);
    dir.write("LICENSE", format!("{}mine\n", dir.text("LICENSE")));
    let ran = support::line(&dir, "rop edit --license none").ok();
    assert!(ran.stderr.contains("keep LICENSE (yours)"), "{ran:#?}");

    // So is one in the manifest: it is not replaced, and not removed.
    let dir = Dir::project(&[INIT]);
    let bsd = "rust-version = \"1.89\"\nlicense = \"BSD-3-Clause\" # Mine.\n";
    let text = dir
        .text("Cargo.toml")
        .replace("rust-version = \"1.89\"\n", bsd);
    dir.write("Cargo.toml", &text);
    let told = [
        "manual Cargo.toml: the license in `[workspace.package]` is not one that rop wrote; put this into `[workspace.package]`",
        "| license = \"MIT\"\n",
    ];
    support::unchanged(&dir, "rop edit --license mit", 3, &told);
    support::line(&dir, "rop edit --license none").ok();
    assert_eq!(dir.text("Cargo.toml"), text);
    // The rest is written without it; what rop did not write is not taken for its own.
    let lock = |dir: &Dir| {
        let lock = dir.text("rop.lock");
        lock.lines()
            .find(|line| line.starts_with("\"Cargo.toml\""))
            .map(str::to_owned)
    };
    let before = lock(&dir);
    assert!(before.is_some());
    support::line(&dir, "rop edit --license mit --skip-existing").ok();
    assert!(
        dir.text("api/Cargo.toml")
            .contains("\nlicense.workspace = true\n")
    );
    assert!(dir.text("Cargo.toml").contains("BSD-3-Clause"));
    assert_eq!(lock(&dir), before);
    support::unchanged(&dir, "rop edit --license gpl", 2, &["apache-2.0"]);
}

#[test]
fn packages_that_take_the_license_of_the_workspace_are_not_left_without() {
    let dir = Dir::project(&[&format!("{INIT} --license mit")]);
    let package = "[package]\nname = \"more\"\nlicense.workspace = true\n";
    dir.write("more/Cargo.toml", package);
    let told = [
        "manual more/Cargo.toml: takes its license from the workspace; remove this, or name a license",
        "| license.workspace = true\n",
    ];
    support::unchanged(&dir, "rop edit --license none", 3, &told);
    edit(&dir, "--license apache-2.0");
    dir.write(
        "more/Cargo.toml",
        package.replace(".workspace = true", " = \"MIT\""),
    );
    edit(&dir, "--license none");
    assert!(!dir.join("LICENSE").exists());
}

#[test]
fn the_api_server_accepts_every_set_of_options() {
    let control_plane = cluster::audited();
    install_servicemonitors(&control_plane);
    let dir = Dir::project(&[INIT, CREATE]);
    for set in sets() {
        edit(&dir, &all_flags(&set));
        let deployed = cluster::render(&dir, "config/default");
        let applied = control_plane.apply(&deployed, ApplyOptions::default());
        applied.unwrap_or_else(|error| panic!("{set:?}: {error}"));

        let count = |kind: &str| deployed.iter().filter(|o| o["kind"] == kind).count();
        let is_on = |flag: &str| usize::from(set.contains(flag));
        assert_eq!(count("Service"), is_on("--metrics"), "{set:?}");
        assert_eq!(count("ServiceMonitor"), is_on("--prometheus"), "{set:?}");
        assert_eq!(count("NetworkPolicy"), is_on("--network-policy"), "{set:?}");
        let container = &find(&deployed, "Deployment")["spec"]["template"]["spec"]["containers"][0];
        let args = container["args"].as_array().unwrap();
        let metrics = args
            .iter()
            .filter(|arg| **arg == "--metrics-bind-address=:8080");
        assert_eq!(metrics.count(), is_on("--metrics"), "{set:?}");

        let namespaced = is_on("--namespaced");
        let cluster = [count("ClusterRole"), count("ClusterRoleBinding")];
        assert_eq!(cluster, [[4, 1], [0, 0]][namespaced], "{set:?}");
        let own = [count("Role"), count("RoleBinding")];
        assert_eq!(own, [[1, 1], [5, 2]][namespaced], "{set:?}");
        let env = container["env"].as_array().unwrap().iter();
        let watched = env.filter(|variable| variable["name"] == "WATCH_NAMESPACE");
        assert_eq!(watched.count(), namespaced, "{set:?}");
    }
}

#[test]
fn prometheus_and_metrics_go_together() {
    let dir = Dir::project(&[INIT]);
    let bare = support::tree(&dir);
    let ran = support::line(&dir, "rop edit --prometheus").ok();
    assert!(ran.stderr.contains("metrics: they are switched on, too"));
    assert!(
        dir.text("PROJECT")
            .contains("    metrics: true\n    prometheus: true\n")
    );
    let ran = support::line(&dir, "rop edit --prometheus").ok();
    assert!(!ran.stderr.contains("warning"), "{ran:#?}");
    let ran = support::line(&dir, "rop edit --metrics=false").ok();
    assert!(
        ran.stderr.contains("metrics: it is switched off, too"),
        "{ran:#?}"
    );
    assert!(
        ran.stderr
            .contains("servicemonitor myapp-operator-controller-manager\n")
    );
    assert!(support::tree(&dir) == bare);

    let told = ["--metrics=false", "leave one of them out"];
    for command in ["rop edit", INIT] {
        let line = format!("{command} --metrics=false --prometheus");
        support::line(&dir, &line).fails(2, &told);
    }
    let ran = support::line(&Dir::new("op"), &format!("{INIT} --prometheus")).ok();
    assert!(ran.stderr.contains("metrics: they are switched on, too"));
}

#[test]
fn nothing_to_change_is_identical() {
    let dir = Dir::project(&[&with(INIT, FLAGS), CREATE]);
    let before = support::tree(&dir);
    let all = with("rop edit", FLAGS);
    for line in ["rop edit", &all] {
        let ran = support::line(&dir, &format!("{line} --output json")).ok();
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        let changes = json["changes"].as_array().unwrap();
        assert!(changes.iter().all(|change| change["action"] == "identical"));
        assert_eq!(json["command"], "edit");
        assert_eq!(json["nextSteps"].as_array().unwrap().len(), 0);
        assert_eq!(json["warnings"].as_array().unwrap().len(), 0);
        let count = if line == "rop edit" { 2 } else { 9 };
        assert_eq!(changes.len(), count, "{json:#}");
    }
    assert!(support::tree(&dir) == before);
}

#[test]
fn dry_runs_show_what_would_change() {
    let dir = Dir::project(&[INIT, CREATE]);
    let before = support::tree(&dir);
    let ran = support::line(&dir, "rop edit --namespaced --metrics --diff").ok();
    for line in [
        "+namespaced: true",
        "+- ../metrics",
        "-kind: ClusterRoleBinding",
        "+kind: Role",
    ] {
        assert!(
            ran.stdout.contains(&format!("\n{line}\n")),
            "{line}: {ran:#?}"
        );
    }
    let ran = support::line(&dir, "rop edit --namespaced --dry-run").ok();
    assert!(ran.stderr.contains("update PROJECT\n"), "{ran:#?}");
    assert!(ran.stderr.contains("nothing was written"), "{ran:#?}");
    assert!(support::tree(&dir) == before);
}

#[test]
fn outside_a_project_there_is_nothing_to_edit() {
    support::line(&Dir::new("op"), "rop edit --metrics").fails(1, &["is not in a project of rop"]);
}

#[test]
fn init_again_with_other_options() {
    let dir = Dir::project(&[&with(INIT, ["--metrics"])]);
    let before = support::tree(&dir);
    for line in [
        INIT,
        "rop init --domain example.com --metrics --namespaced=false",
    ] {
        support::line(&dir, line).ok();
    }
    support::line(&dir, &with(INIT, ["--prometheus", "--namespaced"])).fails(
        3,
        &[
            "it has --namespaced=false, it has --prometheus=false",
            "rop edit --namespaced=true --prometheus=true",
        ],
    );
    std::fs::remove_file(dir.join(DEPLOYED)).unwrap();
    support::line(&dir, &format!("{INIT} --skip-existing")).ok();
    assert!(
        support::tree(&dir) == before,
        "what is missing comes back as it was"
    );
}

#[test]
fn cluster_scoped_kinds_are_none_of_a_namespaced_operator() {
    let cluster = &format!("{CREATE} --namespaced=false");
    let dir = Dir::project(&[&with(INIT, ["--namespaced"])]);
    let before = support::tree(&dir);
    let told = [
        "app.example.com/v1alpha1 MyApp` is cluster-scoped",
        "rop edit --namespaced=false",
    ];
    support::line(&dir, cluster).fails(3, &told);
    assert!(support::tree(&dir) == before);
    edit(&dir, "--namespaced=false");
    support::line(&dir, cluster).ok();

    let before = support::tree(&dir);
    let told = [
        "app.example.com/v1alpha1 MyApp` is cluster-scoped",
        "leave --namespaced out",
    ];
    support::line(&dir, "rop edit --namespaced").fails(3, &told);
    support::line(&dir, "rop edit --namespaced --force").fails(3, &told);
    assert!(support::tree(&dir) == before);
    let project = dir
        .text("PROJECT")
        .replace("projectName", "namespaced: true\nprojectName");
    dir.write("PROJECT", project);
    support::line(&dir, "rop edit").fails(1, &["PROJECT:5:13: `app.example.com", "cluster-scoped"]);
}

#[test]
fn settings_are_read_strictly_and_others_survive() {
    let dir = Dir::project(&[INIT]);
    let bare = dir.text("PROJECT");
    let settings =
        |text: &str| format!("{bare}plugins:\n  other: {{}}\n  rust.rop.dev/v1:\n    {text}\n");
    for (text, told) in [
        ("metrics: 1", ":14: `true` or `false` is needed here\n"),
        ("metrics: [x]", ":14: a text is needed here\n"),
        ("metrics: yes", ":14: `true` or `false` is needed here\n"),
        ("license: gpl", ":14: invalid license `gpl`: it must be"),
        ("apiApproved: x", ":18: a map is needed here\n"),
        (
            "prometheus: true",
            ": plugins.rust.rop.dev/v1: `prometheus` is true, which needs `metrics: true`",
        ),
    ] {
        dir.write("PROJECT", settings(text));
        support::line(&dir, "rop edit").fails(1, &["error: PROJECT:", told]);
    }
    dir.write("PROJECT", settings("later: 1"));
    edit(&dir, "--metrics");
    edit(&dir, "--metrics=false");
    let text = dir.text("PROJECT");
    assert!(
        text.contains("plugins:\n  other: {}\n  rust.rop.dev/v1:\n    later: 1\n"),
        "{text}"
    );
}

#[test]
fn files_of_the_user_stay() {
    let dir = Dir::project(&[INIT, CREATE]);
    let mine = format!("{}# mine\n", dir.text(ROLE_BINDING));
    dir.write(ROLE_BINDING, &mine);
    let before = support::tree(&dir);
    let told = [
        "conflict config/rbac/role_binding.yaml: differs",
        "--force",
        "--skip-existing",
    ];
    support::line(&dir, "rop edit --namespaced").fails(3, &told);
    assert!(support::tree(&dir) == before);
    // It has nothing to do with the parts.
    edit(&dir, "--metrics");

    edit(&dir, "--namespaced --skip-existing");
    assert_eq!(dir.text(ROLE_BINDING), mine);
    assert!(dir.text("config/rbac/role.yaml").contains("kind: Role\n"));
    // What rop would write is what it wrote: the change is known to be the user's.
    let ran = support::line(&dir, "rop edit --namespaced=false").ok();
    assert!(
        ran.stderr
            .contains("keep config/rbac/role_binding.yaml (you changed it)")
    );
    assert_eq!(dir.text(ROLE_BINDING), mine);
    edit(&dir, "--metrics=false");
    assert!(support::tree(&dir) == before);

    edit(&dir, "--namespaced --force");
    let wanted = Dir::project(&[&with(INIT, ["--namespaced"]), CREATE]);
    assert!(support::tree(&dir) == support::tree(&wanted));
}

#[test]
fn a_list_of_the_user_is_edited_in_its_style() {
    let dir = Dir::project(&[INIT]);
    let ours = dir.text(DEPLOYED);
    let own = "components:\r\n  # Ours.\r\n  - ../own\r\n\r\nimages: [] # none yet";
    let mine = ours
        .replace('\n', "\r\n")
        .replace("components: []\r\n", own);
    dir.write(DEPLOYED, &mine);
    edit(&dir, "--prometheus");
    let on = mine.replace("- ../own\r\n", "- ../own\r\n  - ../prometheus\r\n");
    let on = on.replace("  # Ours.\r\n", "  # Ours.\r\n  - ../metrics\r\n");
    assert_eq!(dir.text(DEPLOYED), on);
    edit(&dir, "--metrics=false");
    assert_eq!(dir.text(DEPLOYED), mine);
}

#[test]
fn a_list_that_cannot_be_edited_is_left_to_the_user() {
    let dir = Dir::project(&[INIT]);
    let ours = dir.text(DEPLOYED);
    let with =
        |components: &str| ours.replace("components: []", &format!("components: {components}"));
    dir.write(DEPLOYED, with("../own"));
    let told = [
        "manual config/default/kustomization.yaml:",
        "; add this under `components:`",
        "| - ../metrics\n",
    ];
    support::line(&dir, "rop edit --metrics").fails(3, &told);
    dir.write(DEPLOYED, with("[../own]"));
    edit(&dir, "--metrics");
    assert_eq!(dir.text(DEPLOYED), with("[../own, ../metrics]"));
    let told = [
        "manual config/default/kustomization.yaml:",
        "; remove this under `components:`",
        "| - ../metrics\n",
    ];
    support::line(&dir, "rop edit --metrics=false").fails(3, &told);
    dir.write(DEPLOYED, with("[../own]"));
    edit(&dir, "--metrics=false");
    // A part that is off is off without the file, too.
    std::fs::remove_file(dir.join(DEPLOYED)).unwrap();
    edit(&dir, "--metrics=false");
    support::line(&dir, "rop edit --metrics").fails(3, &["`; add this under `components:`"]);
}

/// kustomize takes the patch of Prometheus only after the service that it is about.
#[test]
fn metrics_precede_prometheus_in_any_list() {
    let start = Dir::project(&[INIT]);
    let ours = start.text(DEPLOYED);
    let with = |components: &str| ours.replace("components: []", components);
    let renders = |dir: &Dir| {
        let mut kubectl = cluster::kubectl();
        support::run(kubectl.args(["kustomize", "config/default"]), dir).code == 0
    };
    let wrong = "components:\n- ../prometheus\n- ../network-policy\n- ../metrics";
    start.write(DEPLOYED, with(wrong));
    assert!(!renders(&start), "the order does not matter: a wrong test");
    for line in ["rop edit --metrics", "rop edit --prometheus"] {
        let told = [
            "`../metrics` has to come before `../prometheus`; add this under `components:`, before `../prometheus`",
            "| - ../metrics\n",
        ];
        support::unchanged(&start, line, 3, &told);
    }
    let note = "# The operator of theirs.\n- ../prometheus";
    for (before, after) in [
        (
            "components:\n- ../prometheus\n- ../network-policy",
            "components:\n- ../metrics\n- ../prometheus\n- ../network-policy",
        ),
        (
            &*format!("components:\n- ../network-policy\n{note}\n\n- ../network-policy"),
            &*format!(
                "components:\n- ../network-policy\n- ../metrics\n{note}\n\n- ../network-policy"
            ),
        ),
    ] {
        let dir = Dir::project(&[INIT]);
        dir.write(DEPLOYED, with(before));
        edit(&dir, "--prometheus");
        assert_eq!(dir.text(DEPLOYED), with(after));
        let twice = after.matches("network-policy").count() > 1;
        assert!(twice || renders(&dir), "{after}");
    }
    let dir = Dir::project(&[INIT]);
    dir.write(DEPLOYED, with("components: [../prometheus]"));
    support::unchanged(&dir, "rop edit --metrics", 3, &["before `../prometheus`"]);
    // Pasted where it was said.
    dir.write(DEPLOYED, with("components: [../metrics, ../prometheus]"));
    edit(&dir, "--prometheus");
    assert!(renders(&dir));
}

/// Parts that were switched on by hand, as the README of older projects says it.
#[test]
fn parts_that_are_on_already() {
    let dir = Dir::project(&[INIT]);
    let bare = support::tree(&dir);
    let on = dir
        .text(DEPLOYED)
        .replace("components: []", "components:\n- ../metrics");
    dir.write(DEPLOYED, &on);
    edit(&dir, "--metrics");
    assert_eq!(dir.text(DEPLOYED), on);
    assert!(dir.text("PROJECT").contains("metrics: true"));
    edit(&dir, "--metrics=false");
    dir.write(DEPLOYED, &on);
    edit(&dir, "--metrics=false");
    assert!(support::tree(&dir) == bare);
}

/// A namespaced operator is given no right elsewhere, whatever its markers say.
#[test]
fn markers_of_a_namespaced_operator() {
    let dir = Dir::project(&[&with(INIT, ["--namespaced"]), CREATE]);
    let role = dir.text("config/rbac/role.yaml");
    assert!(role.starts_with("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n"));
    assert!(role.contains("  name: manager-role\n  namespace: system\nrules:\n"));
    let controller = "src/controllers/myapp_controller.rs";
    let text = dir.text(controller);
    for own in ["system", "myapp-operator-system"] {
        dir.write(
            controller,
            text.replace(",verbs=", &format!(",namespace={own},verbs=")),
        );
        let ran = support::line(&dir, "rop generate rbac --check").ok();
        assert!(!ran.stderr.contains("warning"), "{ran:#?}");
    }
    for (marker, told) in [
        (
            "groups=core,resources=pods,verbs=get,namespace=other",
            "own namespace only: leave `namespace` out",
        ),
        ("urls=/metrics,verbs=get", "no Role can grant `urls`"),
    ] {
        dir.write(
            controller,
            format!("{text}\n// +kubebuilder:rbac:{marker}\n"),
        );
        let line = text.lines().count() + 2;
        let place = format!("{controller}:{line}:");
        support::line(&dir, "rop generate rbac").fails(1, &[&place, told]);
    }
    dir.write(controller, text);
    support::line(&dir, "rop generate rbac --check").ok();
}
