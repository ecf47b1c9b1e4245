//! What the user changed stays, and what is in the way is told before anything is written.
use crate::{
    damage,
    support::{self, CREATE, Dir, INIT, unchanged},
};

const OTHER: &str = "rop create api --group app --version v1alpha1 --kind Other";
const TYPES: &str = "api/v1alpha1/myapp_types.rs";
const CONTROLLER: &str = "src/controllers/myapp_controller.rs";

#[test]
fn edited_files_are_kept() {
    let dir = Dir::project(&[INIT, CREATE]);
    let types = dir.text(TYPES).replace("foo", "bar");
    dir.write(TYPES, &types);
    let crd = dir.text("config/crd/bases/app.example.com_myapps.yaml");
    let ran = support::line(&dir, CREATE).ok();
    assert!(
        ran.stderr
            .contains("keep api/v1alpha1/myapp_types.rs (you changed it)")
    );
    assert_eq!(dir.text(TYPES), types);
    assert_eq!(
        dir.text("config/crd/bases/app.example.com_myapps.yaml"),
        crd
    );
    // The other way round: their CRD is of their type, so it is not made anew.
    dir.write(
        "config/crd/bases/app.example.com_myapps.yaml",
        "kind: Mine\n",
    );
    support::line(&dir, CREATE).ok();
    assert_eq!(
        dir.text("config/crd/bases/app.example.com_myapps.yaml"),
        "kind: Mine\n"
    );
}

#[test]
fn force_overwrites_only_the_files_of_the_command() {
    let dir = Dir::project(&[INIT, CREATE, OTHER]);
    let wanted = support::tree(&dir);
    dir.write(TYPES, "// gone\n");
    dir.write(CONTROLLER, "// gone\n");
    let mut mine = dir.text("api/v1alpha1/other_types.rs");
    mine.push_str("// mine\n");
    dir.write("api/v1alpha1/other_types.rs", &mine);
    support::line(&dir, &format!("{CREATE} --force")).ok();
    let mut tree = support::tree(&dir);
    assert_eq!(
        tree.remove("api/v1alpha1/other_types.rs"),
        Some(mine.into_bytes())
    );
    tree.insert(
        "api/v1alpha1/other_types.rs".into(),
        wanted["api/v1alpha1/other_types.rs"].clone(),
    );
    assert!(tree == wanted);
}

#[test]
fn force_of_init_keeps_the_apis() {
    let dir = Dir::project(&[INIT, CREATE]);
    let wanted = support::tree(&dir);
    dir.write("Makefile", "mine:\n");
    support::line(&dir, INIT).ok();
    assert_eq!(dir.text("Makefile"), "mine:\n");
    support::line(&dir, &format!("{INIT} --force")).ok();
    assert!(support::tree(&dir) == wanted);
}

#[test]
fn files_in_the_way() {
    let dir = Dir::project(&[INIT]);
    dir.write(TYPES, "// mine\n");
    dir.write("config/samples/app_v1alpha1_myapp.yaml", "mine: true\n");
    let told = [
        "conflict api/v1alpha1/myapp_types.rs: differs",
        "conflict config/samples/app_v1alpha1_myapp.yaml: differs",
        "nothing was written: 2 conflicts",
        "--force",
        "--skip-existing",
    ];
    unchanged(&dir, CREATE, 3, &told);
    unchanged(&dir, &format!("{CREATE} --dry-run"), 3, &told);
    unchanged(&dir, &format!("{CREATE} --diff"), 3, &told);
    support::line(&dir, &format!("{CREATE} --skip-existing")).ok();
    assert_eq!(dir.text(TYPES), "// mine\n");
    assert!(dir.join(CONTROLLER).exists());
}

#[test]
fn a_folder_in_the_way() {
    let dir = Dir::project(&[INIT]);
    std::fs::create_dir_all(dir.join(TYPES)).unwrap();
    unchanged(
        &dir,
        CREATE,
        3,
        &["conflict api/v1alpha1/myapp_types.rs: is a folder"],
    );
    unchanged(&dir, &format!("{CREATE} --force"), 3, &["is a folder"]);
}

#[test]
fn links_are_followed_inside_and_refused_outside() {
    let dir = Dir::project(&[INIT]);
    std::fs::rename(dir.join("config/crd"), dir.join("crds")).unwrap();
    std::os::unix::fs::symlink("../crds", dir.join("config/crd")).unwrap();
    support::line(&dir, CREATE).ok();
    assert!(dir.join("config/crd").is_symlink());
    assert!(
        dir.text("crds/kustomization.yaml")
            .contains("app.example.com_myapps.yaml")
    );

    let outside = Dir::new("outside");
    let dir = Dir::project(&[INIT]);
    std::fs::remove_dir_all(dir.join("config/samples")).unwrap();
    std::os::unix::fs::symlink(&*outside, dir.join("config/samples")).unwrap();
    unchanged(&dir, CREATE, 3, &["link that leaves the project"]);
    assert_eq!(support::tree(&outside).len(), 0);
}

#[test]
fn lists_that_cannot_be_edited_are_pasted() {
    let dir = Dir::project(&[INIT]);
    let moved = dir
        .text("src/controllers/mod.rs")
        .replace("vec![\n    ]", "Vec::from([])");
    dir.write("src/controllers/mod.rs", &moved);
    let told = [
        "manual src/controllers/mod.rs:",
        "myapp_controller::runnable(),",
        "paste the lines",
    ];
    unchanged(&dir, CREATE, 3, &told);
    unchanged(&dir, &format!("{CREATE} --force"), 3, &told);
    // The user pastes what was printed, into a list of another shape or of ours; then the rest is
    // written.
    for list in ["Vec::from([", "vec!["] {
        let dir = Dir::project(&[INIT]);
        let pasted = moved.replace(
            "Vec::from([])",
            &format!("{list}\n        myapp_controller::runnable(),\n    ])"),
        );
        let pasted = match list {
            "vec![" => pasted.replace("    ])\n", "    ]\n"),
            _ => pasted,
        };
        dir.write("src/controllers/mod.rs", pasted);
        support::line(&dir, CREATE).ok();
        let again = support::line(&dir, CREATE).ok();
        assert!(!again.stderr.contains("update"), "{again:#?}");
    }
}

/// Rust and kustomize find these by more than one name.
#[test]
fn lists_by_another_name() {
    const NAMES: [(&str, &str); 4] = [
        ("api/v1alpha1/mod.rs", "api/v1alpha1.rs"),
        ("src/controllers/mod.rs", "src/controllers.rs"),
        (
            "config/crd/kustomization.yaml",
            "config/crd/kustomization.yml",
        ),
        (
            "config/samples/kustomization.yaml",
            "config/samples/Kustomization",
        ),
    ];
    let dir = Dir::project(&[INIT, CREATE]);
    for (from, to) in NAMES {
        std::fs::rename(dir.join(from), dir.join(to)).unwrap();
    }
    support::line(&dir, OTHER).ok();
    support::line(&dir, &format!("{INIT} --skip-existing")).ok();
    let mut wanted = support::tree(&Dir::project(&[INIT, CREATE, OTHER]));
    for (from, to) in NAMES {
        let bytes = wanted.remove(from).unwrap();
        wanted.insert(to.into(), bytes);
    }
    assert!(support::tree(&dir) == wanted);
}

#[test]
fn an_item_of_a_like_name_is_not_it() {
    let dir = Dir::project(&[INIT]);
    let moved = dir.text("src/controllers/mod.rs");
    let moved = moved.replace(
        "vec![\n    ]",
        "Vec::from([other_myapp_controller::runnable()])",
    );
    dir.write("src/controllers/mod.rs", moved);
    unchanged(&dir, CREATE, 3, &["manual src/controllers/mod.rs:"]);
}

#[test]
fn files_that_are_not_utf8() {
    let dir = Dir::new("op");
    let ours = Dir::project(&[INIT]).text(".gitignore");
    dir.write(".gitignore", [b"caf\xe9/\n", ours.as_bytes()].concat());
    support::line(&dir, INIT).ok();
    let dir = Dir::new("op");
    dir.write(".gitignore", b"caf\xe9/\n");
    unchanged(&dir, INIT, 3, &["manual .gitignore: is not UTF-8"]);
}

#[test]
fn missing_files_come_back() {
    let dir = Dir::project(&[
        "rop init --domain example.com --project-name named --license mit",
        CREATE,
    ]);
    let wanted = support::tree(&dir);
    std::fs::remove_dir_all(dir.join("manager")).unwrap();
    std::fs::remove_file(dir.join("src/main.rs")).unwrap();
    support::line(&dir, &format!("{INIT} --skip-existing")).ok();
    assert!(
        support::tree(&dir) == wanted,
        "name and license are those of PROJECT"
    );
}

#[test]
fn merges_that_are_not_resolved() {
    for file in ["PROJECT", "rop.lock"] {
        let dir = Dir::project(&[INIT]);
        dir.write(
            file,
            format!("{}<<<<<<< HEAD\n=======\n>>>>>>> b\n", dir.text(file)),
        );
        let line = dir.text(file).lines().count() - 2;
        let told = format!("{file}:{line}: a merge is not resolved");
        unchanged(&dir, CREATE, 1, &[&told, "both sides"]);
    }
}

#[test]
fn the_rest_is_written_without_a_list() {
    let dir = Dir::project(&[INIT]);
    std::fs::remove_file(dir.join("tests/controllers/main.rs")).unwrap();
    unchanged(
        &dir,
        CREATE,
        3,
        &[
            "manual tests/controllers/main.rs: is missing",
            "mod myapp_controller;",
        ],
    );
    let ran = support::line(&dir, &format!("{CREATE} --skip-existing")).ok();
    assert!(ran.stderr.contains("mod myapp_controller;"), "{ran:#?}");
    assert!(dir.join(CONTROLLER).exists());
    assert!(!dir.join("tests/controllers/main.rs").exists());
}

#[test]
fn dry_runs_write_nothing() {
    let dir = Dir::project(&[INIT]);
    let before = support::tree(&dir);
    let ran = support::line(&dir, &format!("{CREATE} --dry-run")).ok();
    assert!(ran.stderr.contains("create api/v1alpha1/myapp_types.rs"));
    assert!(ran.stderr.contains("nothing was written"));
    assert_eq!(ran.stdout, "");
    let ran = support::line(&dir, &format!("{CREATE} --diff")).ok();
    assert!(ran.stdout.contains("+++ b/api/v1alpha1/myapp_types.rs"));
    assert!(ran.stdout.contains("+pub mod v1alpha1;"));
    assert!(support::tree(&dir) == before);
    let empty = Dir::new("op");
    support::line(&empty, &format!("{INIT} --dry-run")).ok();
    assert_eq!(support::tree(&empty).len(), 0);
}

/// The diff of a dry run is what `patch` needs to make the same tree.
#[test]
fn diffs_apply() {
    let dir = Dir::project(&[INIT]);
    let wanted = Dir::project(&[INIT, CREATE]);
    let diff = support::line(&dir, &format!("{CREATE} --diff")).ok().stdout;
    dir.write("the.diff", diff);
    let mut git = std::process::Command::new("git");
    support::run(git.args(["apply", "the.diff"]), &dir).ok();
    std::fs::remove_file(dir.join("the.diff")).unwrap();
    assert!(support::tree(&dir) == support::tree(&wanted));
}

#[test]
fn json_is_one_object() {
    let dir = Dir::project(&[INIT]);
    let ran = support::line(&dir, &format!("{CREATE} --output json")).ok();
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ran.stderr, "");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["command"], "create api");
    assert_eq!(json["dryRun"], false);
    let changes = json["changes"].as_array().unwrap();
    let types = changes.iter().find(|c| c["path"] == TYPES).unwrap();
    assert_eq!(types["action"], "create");
    for list in ["conflicts", "warnings"] {
        assert_eq!(json[list], serde_json::json!([]));
    }
    assert!(!json["nextSteps"].as_array().unwrap().is_empty());

    let ran = support::line(
        &dir,
        "rop create api --group app --version V1 --kind MyApp --output json",
    );
    assert_eq!(ran.code, 2);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["error"]["kind"], "invalid");
    assert!(json["error"]["message"].as_str().unwrap().contains("V1"));
    let ran = support::line(&dir, "rop create api --output json");
    assert_eq!(ran.code, 2);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["error"]["kind"], "usage");
    assert_eq!(ran.stderr, "");
}

/// Lists that are gone come back with the items of all APIs.
#[test]
fn lists_that_are_missing() {
    let lines = [
        INIT,
        CREATE,
        "rop create api --group app --version v1 --kind Stable",
        "rop create api --group app --version v1alpha1 --kind Other --controller=false",
        "rop edit --prometheus",
    ];
    let third = "rop create api --group app --version v1alpha1 --kind Third";
    let project = Dir::project(&lines);
    let wanted = support::tree(&project);
    for path in [
        "api/lib.rs",
        "api/v1alpha1/mod.rs",
        "src/controllers/mod.rs",
        "tests/controllers/main.rs",
        "config/crd/kustomization.yaml",
        "config/samples/kustomization.yaml",
        "config/rbac/kustomization.yaml",
        "config/default/kustomization.yaml",
    ] {
        let dir = damage::copy(&project, "myapp-operator");
        std::fs::remove_file(dir.join(path)).unwrap();
        let line = match path.contains("default") {
            true => "rop edit --network-policy",
            false => third,
        };
        let told =
            "is missing: bring it back from version control or with `rop init --skip-existing`";
        support::unchanged(&dir, line, 3, &[path, told]);
        support::line(&dir, "rop init --skip-existing").ok();
        assert!(support::tree(&dir) == wanted, "{path}: {}", dir.text(path));
        support::line(&dir, line).ok();
    }
}
