//! What `rop generate` may write over and remove: only what was generated, and what `--check` says.
use crate::{
    damage,
    support::{self, CREATE, Dir, INIT, Ran, repository, tree},
};
use serde_json::{Value, json};
use std::{fs, process::Command};

const ROLE: &str = "config/rbac/role.yaml";
const BASES: &str = "config/crd/bases";
const MYAPPS: &str = "config/crd/bases/app.example.com_myapps.yaml";
const OTHERS: &str = "config/crd/bases/app.example.com_others.yaml";
const LIST: &str = "config/crd/kustomization.yaml";
const OTHER: &str = "rop create api --group app --version v1alpha1 --kind Other";
const RIGHTS: &str = "src/rights.rs";

/// Runs rop with a cargo that does what `cargo.sh` says.
fn rop(dir: &Dir, line: &str) -> Ran {
    let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"));
    rop.args(line.split_whitespace().skip(1))
        .env("CARGO", repository().join("tests/data/generate/cargo"));
    support::run(&mut rop, dir)
}

/// It fails with exit code 3, tells this, and leaves the tree as it is.
#[track_caller]
fn refused(dir: &Dir, line: &str, told: &[&str]) -> Ran {
    let before = damage::State::of(dir);
    let ran = rop(dir, line).fails(3, told);
    before.assert_untouched(dir, line);
    ran
}

/// The `crdgen` of a project prints the CRDs of these files.
fn prints(dir: &Dir, files: &[&str]) {
    let crd = |path: &&str| serde_saphyr::from_str::<Value>(&dir.text(path)).unwrap();
    let crds: Vec<_> = files.iter().map(crd).collect();
    dir.write("crds.json", json!(crds).to_string());
    dir.write("cargo.sh", "cat crds.json\n");
}

fn project() -> Dir {
    let dir = damage::project_with_kind();
    support::line(&dir, OTHER).ok();
    prints(&dir, &[MYAPPS, OTHERS]);
    dir
}

const PLAIN: &str = "apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager-role
rules: []
";

/// What stands where something is generated, but was not: it stays, whatever else is to be written.
#[test]
fn files_that_were_not_generated_stay() {
    let named = |name: &str| PLAIN.replace("manager-role", name);
    let crd = project().text(MYAPPS);
    let foreign = [
        (ROLE, "# My notes.\n".to_owned()),
        (ROLE, format!("# Mine.\n{}", named("mine"))),
        (ROLE, PLAIN.replace("rules:", "  labels:\n    a: b\nrules:")),
        (ROLE, PLAIN.replace("rules:", "aggregationRule: {}\nrules:")),
        (ROLE, PLAIN.replace("ClusterRole", "RoleBinding")),
        (ROLE, format!("{PLAIN}---\nkind: ConfigMap\n")),
        (ROLE, "a: [\n".to_owned()),
        (ROLE, "- a\n".to_owned()),
        (MYAPPS, "kind: Kustomization\n".to_owned()),
        (MYAPPS, crd.replace("name: myapps.app", "name: apps.app")),
        (MYAPPS, format!("{crd}---\nkind: ConfigMap\n")),
        (MYAPPS, format!("{crd}{crd}")),
        (MYAPPS, "# None yet.\n".to_owned()),
        (MYAPPS, "\t\n{".to_owned()),
    ];
    let dir = project();
    let wanted = tree(&dir);
    for (path, text) in foreign {
        dir.write(path, &text);
        fs::write(dir.join(OTHERS), "").unwrap();
        let told = [
            &*format!("conflict {path}: was not generated"),
            "--force",
            "--skip-existing",
        ];
        refused(&dir, "rop generate", &told);
        let ran = refused(
            &dir,
            "rop generate --check",
            &[
                &format!("conflict {path}"),
                "2 generated files are not up to date",
            ],
        );
        assert!(!ran.stdout.contains(path), "{ran:#?}");
        rop(&dir, "rop generate --skip-existing").ok();
        assert_eq!(dir.text(path), text);
        assert_eq!(dir.text(OTHERS).as_bytes(), wanted[OTHERS]);
        rop(&dir, "rop generate --force").ok();
        assert!(tree(&dir) == wanted, "{text}");
    }
    dir.write(ROLE, b"\xff");
    refused(&dir, "rop generate", &["role.yaml: is not UTF-8"]);
    // No other command writes over it.
    let dir = damage::project();
    dir.write(ROLE, "# My notes.\n");
    support::unchanged(
        &dir,
        CREATE,
        3,
        &["conflict config/rbac/role.yaml: was not generated"],
    );
    let dir = damage::project();
    dir.write(MYAPPS, "# My notes.\n");
    support::unchanged(
        &dir,
        CREATE,
        3,
        &[&format!("conflict {MYAPPS}: was not generated")],
    );
}

/// Who comes from another generator, or from a merge, only has to generate anew.
#[test]
fn files_of_other_generators_are_replaced() {
    let dir = project();
    let wanted = tree(&dir);
    let crd = dir.text(MYAPPS);
    let controller_gen = crd.replace(
        "metadata:\n",
        "metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.22.0\n",
    );
    assert_ne!(crd, controller_gen);
    let json: Value = serde_saphyr::from_str(&crd).unwrap();
    let merge = format!(
        "<<<<<<< HEAD\n{crd}||||||| base\n=======\n{}>>>>>>> theirs\n",
        crd.replace("MyApp", "Mine")
    );
    let role = dir.text(ROLE);
    for (path, text) in [
        (MYAPPS, controller_gen),
        (MYAPPS, format!("# crdgen > file\n{json:#}\n")),
        (MYAPPS, merge),
        (MYAPPS, String::new()),
        (
            ROLE,
            role.replace("metadata:\n", "metadata:\n  creationTimestamp: null\n"),
        ),
        (ROLE, format!("# mine\n{PLAIN}")),
        (ROLE, PLAIN.replace("manager-role", "another")),
        (ROLE, format!("<<<<<<< a\n{role}=======\n>>>>>>> b\n")),
        (ROLE, String::new()),
    ] {
        dir.write(path, &text);
        let ran = refused(
            &dir,
            "rop generate --check",
            &["1 generated file is not up to date"],
        );
        assert!(
            ran.stdout
                .contains(&format!("--- a/{path}\n+++ b/{path}\n")),
            "{ran:#?}"
        );
        rop(&dir, "rop generate").ok();
        assert!(tree(&dir) == wanted, "{text}");
    }
}

#[test]
fn bindings_that_were_not_generated_stay() {
    let dir = damage::project_with_kind();
    let more = "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get,namespace=infra\n";
    dir.write(RIGHTS, more);
    support::line(&dir, "rop generate rbac").ok();
    let wanted = tree(&dir);
    let files = [
        "bindings.yaml",
        "kustomization.yaml",
        "namespaces/kustomization.yaml",
        "namespaces/transformers.yaml",
    ];
    for path in files.map(|name| format!("config/rbac/bindings/{name}")) {
        let generated = dir.text(&path);
        for mine in [
            "resources:\n- mine.yaml\n".to_owned(),
            format!("{generated}---\nkind: ConfigMap\n"),
        ] {
            dir.write(&path, &mine);
            support::unchanged(
                &dir,
                "rop generate rbac",
                3,
                &[&format!("conflict {path}: was not generated")],
            );
            support::line(&dir, "rop generate rbac --force").ok();
            assert!(tree(&dir) == wanted);
        }
        // Where nothing is to be bound, it is of no use to anybody but its author.
        dir.write(RIGHTS, "");
        dir.write(&path, "- mine.yaml\n");
        support::line(&dir, "rop generate rbac").ok();
        assert_eq!(dir.text(&path), "- mine.yaml\n");
        dir.write(&path, generated);
        dir.write(RIGHTS, more);
        support::line(&dir, "rop generate rbac").ok();
        assert!(tree(&dir) == wanted);
    }
}

#[test]
fn crds_whose_type_is_gone_are_pruned_when_asked() {
    let dir = project();
    let with_both = tree(&dir);
    prints(&dir, &[MYAPPS]);
    let stale = format!("{OTHERS} has no type any more: `rop generate --prune` removes it");
    let ran = rop(&dir, "rop generate").ok();
    assert!(ran.stderr.contains(&stale), "{ran:#?}");
    assert!(dir.join(OTHERS).exists());

    let told = [
        "2 generated files are not up to date",
        "run `rop generate --prune`",
    ];
    for line in ["rop generate --check", "rop generate crds --check --prune"] {
        let ran = refused(&dir, line, &told);
        for part in [
            format!("--- a/{OTHERS}\n+++ /dev/null\n"),
            "-- bases/app.example.com_others.yaml\n".into(),
        ] {
            assert!(ran.stdout.contains(&part), "{ran:#?}");
        }
    }
    rop(&dir, "rop generate rbac --check --prune").ok();

    let ran = rop(&dir, "rop generate --prune --output json").ok();
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let removed = json!({"path": OTHERS, "action": "remove"});
    assert!(
        json["changes"].as_array().unwrap().contains(&removed),
        "{json:#}"
    );
    rop(&dir, "rop generate --check").ok();
    let one = damage::project_with_kind();
    assert_eq!(dir.text(LIST), one.text(LIST));
    let gone: Vec<_> = with_both
        .keys()
        .filter(|path| !dir.join(path).exists())
        .collect();
    assert_eq!(gone, [OTHERS]);

    // The last one takes its folder along, and leaves an empty list.
    prints(&dir, &[]);
    rop(&dir, "rop generate --prune").ok();
    assert!(!dir.join(BASES).exists());
    assert_eq!(dir.text(LIST), "resources: []\n");
}

/// A CRD that somebody changed is theirs to give up.
#[test]
fn changed_crds_are_not_pruned() {
    let dir = project();
    prints(&dir, &[MYAPPS]);
    dir.write(OTHERS, format!("{}# mine\n", dir.text(OTHERS)));
    let ran = rop(&dir, "rop generate --check").ok();
    assert!(
        ran.stderr
            .contains("`rop generate --prune --force` removes it"),
        "{ran:#?}"
    );
    let told = [
        &*format!("conflict {OTHERS}: is to be removed, but you changed it"),
        "--force",
    ];
    refused(&dir, "rop generate --prune", &told);
    let before = tree(&dir);
    rop(&dir, "rop generate --prune --skip-existing").ok();
    assert!(tree(&dir) == before);
    rop(&dir, "rop generate --prune --force").ok();
    assert!(!dir.join(OTHERS).exists());
    assert!(!dir.text(LIST).contains("others"));
}

/// The folder may hold CRDs of others, and anything else: rop has nothing to say about that.
#[test]
fn what_is_not_of_the_project_is_neither_named_nor_pruned() {
    let dir = project();
    let crd = dir.text(OTHERS);
    for (name, text) in [
        (
            "cert-manager.io_others.yaml",
            crd.replace("app.example.com", "cert-manager.io"),
        ),
        ("mine.yaml", crd.clone()),
        ("app.example.com_mine.yaml", "mine: true\n".to_owned()),
        ("app.example.com_two.yaml", format!("{crd}{crd}")),
        ("app.example.com_x.yaml", "[".to_owned()),
        ("more/app.example.com_others.yaml", crd.clone()),
        ("app.example.com_others.yml", crd.clone()),
    ] {
        dir.write(&format!("{BASES}/{name}"), text);
    }
    dir.write(&format!("{BASES}/app.example.com_y.yaml"), b"\xff");
    std::os::unix::fs::symlink("nowhere", dir.join(BASES).join("app.example.com_z.yaml")).unwrap();
    let before = tree(&dir);
    for line in [
        "rop generate",
        "rop generate --prune --force",
        "rop generate --check",
    ] {
        let ran = rop(&dir, line).ok();
        assert!(!ran.stderr.contains("no type"), "{ran:#?}");
        assert!(tree(&dir) == before);
    }
}

/// A line that cannot be taken away by rop is named, and nothing is removed.
#[test]
fn a_line_with_a_comment_is_left_to_the_user() {
    let dir = project();
    prints(&dir, &[MYAPPS]);
    let list = dir.text(LIST);
    dir.write(LIST, list.replace("others.yaml", "others.yaml # mine"));
    let told = [
        "remove this under `resources:`",
        "| - bases/app.example.com_others.yaml",
    ];
    refused(&dir, "rop generate --prune", &told);
    dir.write(
        LIST,
        list.replace("- bases/app.example.com_others.yaml\n", ""),
    );
    rop(&dir, "rop generate --prune").ok();
    assert!(!dir.join(OTHERS).exists());
}

/// Whatever command comes, there is nothing left to generate after it.
#[test]
fn no_command_leaves_bindings_unlisted() {
    let marker = "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get,namespace=infra\n";
    let own = marker.replace(",namespace=infra", ",roleName=pods");
    let is_clean = |dir: &Dir| {
        support::line(dir, "rop generate rbac --check").ok();
        let list = dir.text("config/rbac/kustomization.yaml");
        assert_eq!(
            list.matches("\ncomponents:\n- bindings\n").count(),
            1,
            "{list}"
        );
    };
    let dir = Dir::new("myapp-operator");
    dir.write(RIGHTS, marker);
    support::line(&dir, INIT).ok();
    is_clean(&dir);
    support::line(&dir, CREATE).ok();
    is_clean(&dir);
    let at_once = tree(&dir);

    let dir = Dir::project(&[INIT]);
    dir.write(RIGHTS, marker);
    support::line(&dir, CREATE).ok();
    is_clean(&dir);
    assert!(tree(&dir) == at_once);
    support::line(&dir, &format!("{INIT} --skip-existing")).ok();
    is_clean(&dir);

    let dir = Dir::project(&[INIT, CREATE]);
    dir.write(RIGHTS, own);
    support::line(&dir, "rop edit --namespaced --metrics").ok();
    is_clean(&dir);
    let dir = damage::project();
    dir.write(RIGHTS, marker);
    support::line(&dir, &format!("{INIT} --skip-existing")).ok();
    is_clean(&dir);
}
