//! `rop generate` in crates that rop did not start.
use crate::support::{self, Dir, repository};
use std::fs;

const MARKER: &str = "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list\n";
const ROLE: &str = "config/rbac/role.yaml";
const CRD: &str = "app.example.com_myapps.yaml";

fn crd() -> String {
    let path = format!("tests/golden/myapp/config/crd/bases/{CRD}");
    fs::read_to_string(repository().join(path)).unwrap()
}

/// A package with an operator, and a program that prints its CRD as YAML.
fn package(dir: &Dir, folder: &str, marker: &str) {
    let name = folder.replace('.', "op");
    dir.write(
        &format!("{folder}/Cargo.toml"),
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    );
    dir.write(
        &format!("{folder}/src/lib.rs"),
        format!("{marker}mod more;\n"),
    );
    dir.write(
        &format!("{folder}/src/more.rs"),
        "// +kubebuilder:rbac:groups=\"\",resources=pods,verbs=watch\n",
    );
    dir.write(
        &format!("{folder}/src/bin/crdgen.rs"),
        "fn main() {\n    print!(\"{}\", include_str!(\"crd.yaml\"));\n}\n",
    );
    dir.write(&format!("{folder}/src/bin/crd.yaml"), crd());
}

fn alone() -> Dir {
    let dir = Dir::new("op");
    package(&dir, ".", MARKER);
    // What cargo writes is none of rop's business.
    support::run(support::builder("cargo").args(["generate-lockfile"]), &dir).ok();
    dir
}

/// The files that a line added.
fn added(dir: &Dir, line: &str) -> Vec<String> {
    let before = support::tree(dir);
    support::line(dir, line).ok();
    let after = support::tree(dir).into_keys();
    let is_new = |path: &String| !before.contains_key(path) && !path.starts_with("target/");
    after.filter(is_new).collect()
}

#[test]
fn a_package() {
    let dir = alone();
    let crd_file = format!("config/crd/bases/{CRD}");
    assert_eq!(added(&dir, "rop generate"), [&*crd_file, ROLE]);
    assert_eq!(dir.text(&crd_file), crd());
    let role = dir.text(ROLE);
    assert!(
        role.contains("name: manager-role") && role.contains("- pods"),
        "{role}"
    );
    support::line(&dir, "rop generate --check").ok();
    dir.write("src/more.rs", "");
    let drift = support::line(&dir, "rop generate --check -C src").fails(3, &["1 generated file"]);
    assert!(drift.stdout.contains("-  - pods"), "{}", drift.stdout);
    // Kustomizations of the user are none that rop has to know.
    dir.write(
        "config/crd/kustomization.yaml",
        "resources:\n- bases/a.yaml\n",
    );
    assert_eq!(added(&dir, "rop generate"), [""; 0]);
    assert!(!dir.text(ROLE).contains("- pods"));
}

#[test]
fn names_and_folders_of_the_users_choice() {
    let dir = alone();
    let line = "rop generate --role-name reader --output-dir deploy/all";
    let files = [format!("deploy/all/{CRD}"), "deploy/all/role.yaml".into()];
    assert_eq!(added(&dir, line), files);
    assert_eq!(dir.text(&files[0]), crd());
    assert!(dir.text(&files[1]).contains("name: reader"));
    support::line(&dir, &format!("{line} --check")).ok();
    support::line(&dir, "rop generate rbac --output-dir deploy/all --check").fails(3, &[]);
    // Beside the package.
    support::line(&dir, "rop generate rbac --output-dir ../beside").ok();
    assert!(dir.join("../beside/role.yaml").exists());
    // A type that is gone.
    let old = crd().replace("myapps", "oldapps");
    dir.write("deploy/all/app.example.com_oldapps.yaml", old);
    dir.write("deploy/all/mine.yaml", "kind: ConfigMap\n");
    support::line(&dir, &format!("{line} --check")).fails(3, &["--prune"]);
    support::line(&dir, &format!("{line} --prune")).ok();
    assert!(!dir.join("deploy/all/app.example.com_oldapps.yaml").exists());
    assert!(dir.join("deploy/all/mine.yaml").exists());
    // What stands there and was not generated.
    dir.write("deploy/all/role.yaml", "kind: ConfigMap\n");
    support::line(&dir, line).fails(3, &["role.yaml", "was not generated"]);
}

#[test]
fn printed_and_not_written() {
    let dir = alone();
    // What cargo builds is there afterwards, and nothing else.
    let printed = |line: &str| {
        let before = support::tree(&dir);
        let ran = support::line(&dir, line).ok();
        assert!(support::tree(&dir) == before, "the tree changed");
        ran.stdout
    };
    let role = printed("rop generate rbac --stdout");
    assert!(
        role.starts_with("---\napiVersion: rbac.authorization.k8s.io/v1\n"),
        "{role}"
    );
    let all = printed("rop generate --stdout");
    assert_eq!(all, role.clone() + &crd());
    let json: serde_json::Value =
        serde_json::from_str(&printed("rop generate rbac --stdout --output json")).unwrap();
    assert_eq!(json["manifests"], role);
    for more in ["--check", "--prune", "--output-dir x"] {
        let line = format!("rop generate --stdout {more}");
        support::unchanged(&dir, &line, 2, &["cannot be used with"]);
    }
}

#[test]
fn some_of_the_sources() {
    let dir = alone();
    let printed = |paths: &str| {
        let line = format!("rop generate rbac --stdout --paths {paths}");
        support::unchanged(&dir, &line, 0, &[]).stdout
    };
    let has = |role: &str| (role.contains("deployments"), role.contains("pods"));
    assert_eq!(has(&printed("src/more.rs")), (false, true));
    assert_eq!(has(&printed("src/lib.rs,./src/bin")), (true, false));
    for all in ["src", ".", "./...", "src/lib.rs --paths src/more.rs"] {
        assert_eq!(has(&printed(all)), (true, true), "{all}");
    }
    dir.write("tests/a.rs", MARKER);
    fs::create_dir(dir.join("../other")).unwrap();
    for (path, told) in [
        ("src/none.rs", "cannot open"),
        ("../other", "is not below"),
        ("tests", "no source of the operator is below tests"),
    ] {
        let line = format!("rop generate rbac --paths {path}");
        support::unchanged(&dir, &line, 1, &[told]);
    }
}

#[test]
fn a_workspace() {
    let dir = Dir::new("all");
    dir.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n",
    );
    package(&dir, "a", MARKER);
    package(
        &dir,
        "b",
        "// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get\n",
    );
    fs::remove_dir_all(dir.join("a/src/bin")).unwrap();
    support::line(&dir, "rop generate rbac -C b").ok();
    let role = dir.text(&format!("b/{ROLE}"));
    assert!(
        role.contains("jobs") && !role.contains("deployments"),
        "{role}"
    );
    let crds = support::line(&dir, "rop generate crds --stdout -C b/src").ok();
    assert_eq!(crds.stdout, crd());
    support::line(&dir, "rop generate").ok();
    let role = dir.text(ROLE);
    assert!(
        role.contains("jobs") && role.contains("deployments"),
        "{role}"
    );
    assert_eq!(dir.text(&format!("config/crd/bases/{CRD}")), crd());
}
