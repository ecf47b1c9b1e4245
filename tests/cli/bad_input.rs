//! Bad input: one clear error, the documented exit code, an untouched tree.
use crate::support::{self, CREATE, Dir, INIT, Ran};

/// Runs a line that must fail and change nothing.
#[track_caller]
fn refused(dir: &Dir, line: &str, code: i32, told: &[&str]) -> Ran {
    let ran = support::unchanged(dir, line, code, told);
    assert!(ran.stderr.contains("error: "), "{ran:#?}");
    ran
}

#[test]
fn outside_of_a_project() {
    let dir = Dir::new("op");
    refused(
        &dir,
        CREATE,
        1,
        &["is not in a project", "rop init --domain"],
    );
    refused(
        &dir,
        "rop generate",
        1,
        &["is in no project of rop or cargo"],
    );
    refused(
        &dir,
        &format!("{CREATE} -C nowhere"),
        1,
        &["cannot open nowhere"],
    );
    support::line(&dir, "rop version").ok();
}

#[test]
fn commands_that_need_no_project_do_not_read_one() {
    let dir = Dir::new("op");
    dir.write("PROJECT", "{{{");
    let version = support::line(&dir, "rop version").ok();
    assert_eq!(
        version.stdout,
        format!("rop {}\n", env!("CARGO_PKG_VERSION"))
    );
    support::line(&dir, "rop --help").ok();
    support::line(&dir, "rop create api --help").ok();
    let dir = Dir::new("op");
    std::fs::create_dir(dir.join("PROJECT")).unwrap();
    support::line(&dir, "rop version").ok();
    refused(&dir, CREATE, 1, &["is not in a project"]);
}

#[test]
fn sub_directories_are_in_the_project() {
    let dir = Dir::project(&[INIT]);
    let ran = support::run(
        std::process::Command::new(env!("CARGO_BIN_EXE_rop")).args(CREATE.split(' ').skip(1)),
        &dir.join("config/rbac"),
    );
    ran.ok();
    let wanted = Dir::project(&[INIT, CREATE]);
    assert!(support::tree(&dir) == support::tree(&wanted));
}

#[test]
fn broken_and_future_projects() {
    for (project, told) in [
        ("{{{", "PROJECT:1:"),
        (
            "version: \"3\"\n---\nprojectName: x\n",
            "PROJECT:3:1: a second YAML document begins\n",
        ),
        (
            "version: \"3\"\r\nprojectName: x\r\nversion: \"3\"\r\n",
            "PROJECT:3:1: `version` is there twice\n",
        ),
        (
            "\u{feff}version: \"3\"\nprojectName: 'x\n",
            "PROJECT:2:14: unclosed quote\n",
        ),
        (
            "version: \"3\"\nprojectName: a: b\n",
            "PROJECT:2:15: there is a `:` where no key can be\n\nhint: correct it, or restore PROJECT from version control\n",
        ),
        (
            "version: \"99\"\nprojectName: x\nlayout: [rust.rop.dev/v1]\n",
            "PROJECT:1:10: is of version \"99\"",
        ),
        (
            "version: \"3\"\nprojectName: x\nlayout: [go.kubebuilder.io/v4]\n",
            "PROJECT:3:9: has the layout",
        ),
        (
            "version: \"3\"\nlayout: [rust.rop.dev/v1]\n",
            ": `projectName` is missing\n",
        ),
        (
            "version: \"3\"\nprojectName: [x]\nlayout: [rust.rop.dev/v1]\n",
            "PROJECT:2:14",
        ),
        (
            "version: \"3\"\nprojectName: x\nlayout: [rust.rop.dev/v1]\ndomain: example.com\nresources:\n- {group: app, version: v1, kind: foo, domain: example.com, api: {crdVersion: v1}}\n",
            "PROJECT:6:35",
        ),
        (
            "version: \"3\"\nprojectName: x\nlayout: [rust.rop.dev/v1]\nmultigroup: true\n",
            "PROJECT:4:13",
        ),
    ] {
        let dir = Dir::new("op");
        dir.write("PROJECT", project);
        refused(&dir, CREATE, 1, &[told]);
        refused(&dir, INIT, 1, &[told]);
        refused(&dir, "rop generate", 1, &[told]);
    }
}

#[test]
fn fields_that_rop_does_not_know_survive() {
    let dir = Dir::project(&[INIT]);
    let project = dir
        .text("PROJECT")
        .replace("projectName:", "mine: {a: 1}\nprojectName:");
    dir.write("PROJECT", project);
    support::line(&dir, CREATE).ok();
    assert!(
        dir.text("PROJECT").contains("mine:\n  a: 1\n"),
        "{}",
        dir.text("PROJECT")
    );
    let project = dir
        .text("PROJECT")
        .replace("  kind: MyApp", "  kind: MyApp\n  mine: true");
    dir.write("PROJECT", project);
    support::line(&dir, &CREATE.replace("MyApp", "Other")).ok();
    assert!(dir.text("PROJECT").contains("  mine: true\n"));
}

/// As editors of other systems write it: read as any, and written in its own style.
#[test]
fn line_ends_and_byte_order_marks_of_a_project_file() {
    let plain = Dir::project(&[INIT]);
    let before = plain.text("PROJECT");
    let edit = "rop edit --metrics";
    for line in [CREATE, edit, "rop generate rbac"] {
        support::line(&plain, line).ok();
    }
    let after = plain.text("PROJECT");
    for (bom, end, last) in [
        ("", "\r\n", "\r\n"),
        ("\u{feff}", "\n", "\n"),
        ("\u{feff}", "\r\n", ""),
        ("", "\n", ""),
    ] {
        let styled = |text: &str| format!("{bom}{}{last}", text.trim_end().replace('\n', end));
        let dir = Dir::project(&[INIT]);
        dir.write("PROJECT", styled(&before));
        support::line(&dir, INIT).ok();
        assert_eq!(dir.text("PROJECT"), styled(&before));
        for line in [CREATE, edit, "rop generate rbac"] {
            support::line(&dir, line).ok();
        }
        assert_eq!(dir.text("PROJECT"), styled(&after));
        let told = support::line(&dir, CREATE).ok().stderr;
        assert!(!told.contains("update"), "{told}");
        assert_eq!(dir.text("PROJECT"), styled(&after));
    }
}

/// What somebody wrote by hand stays until there is something to write.
#[test]
fn a_project_file_written_by_hand() {
    let dir = Dir::project(&[INIT, CREATE, &CREATE.replace("MyApp", "Other")]);
    let commented = format!("# mine\n{}", dir.text("PROJECT"));
    dir.write("PROJECT", &commented);
    support::line(&dir, CREATE).ok();
    assert_eq!(dir.text("PROJECT"), commented);
    let dir = Dir::project(&[INIT]);
    dir.write("PROJECT", dir.text("PROJECT") + "resources:\nplugins:\n");
    support::line(&dir, CREATE).ok();
    assert!(dir.text("PROJECT").contains("  kind: MyApp\n"));
}

#[test]
fn the_same_api_with_other_settings() {
    let dir = Dir::project(&[INIT, CREATE]);
    refused(
        &dir,
        &format!("{CREATE} --plural myappz"),
        3,
        &["has the plural `myapps`"],
    );
    refused(
        &dir,
        &format!("{CREATE} --namespaced=false"),
        3,
        &["MyApp is namespaced"],
    );
    support::line(&dir, &format!("{CREATE} --namespaced=true --plural myapps")).ok();
    let dir = Dir::project(&[INIT, &format!("{CREATE} --plural apps --namespaced=false")]);
    let before = support::tree(&dir);
    support::line(&dir, CREATE).ok();
    assert!(support::tree(&dir) == before, "settings come from PROJECT");
}

#[test]
fn apis_that_clash() {
    let dir = Dir::project(&[INIT, CREATE]);
    for kind in ["MyAppSpec", "MyAppStatus", "MyAppList", "MYAPP", "Myapp"] {
        refused(&dir, &CREATE.replace("MyApp", kind), 3, &["MyApp"]);
    }
    let other = CREATE.replace("MyApp", "Other");
    refused(
        &dir,
        &format!("{other} --plural myapps"),
        3,
        &["myapps", "MyApp"],
    );
    refused(
        &dir,
        &CREATE.replace("--group app", "--group web"),
        3,
        &["one only", "--group app"],
    );
    refused(
        &dir,
        &CREATE.replace("v1alpha1", "v1"),
        3,
        &["has the version v1alpha1 already"],
    );
}

#[test]
fn controllers_need_a_resource() {
    let dir = Dir::project(&[INIT]);
    refused(
        &dir,
        &format!("{CREATE} --resource=false"),
        1,
        &[
            "this project has no app.example.com/v1alpha1 MyApp",
            "rop create api --group app --version v1alpha1 --kind MyApp",
        ],
    );
    refused(
        &dir,
        &format!("{CREATE} --resource=false --controller=false"),
        2,
        &["nothing to do"],
    );
}

#[test]
fn groups_of_kubernetes_need_an_approval() {
    let dir = Dir::project(&["rop init --domain k8s.io"]);
    refused(
        &dir,
        CREATE,
        2,
        &["needs an approval", "--api-approved"].map(|t| t.trim_start_matches("needs an ")),
    );
    support::line(&dir, &format!("{CREATE} --api-approved=unapproved")).ok();
    let crd = dir.text("config/crd/bases/app.k8s.io_myapps.yaml");
    assert!(
        crd.contains("api-approved.kubernetes.io: unapproved"),
        "{crd}"
    );
    support::line(&dir, CREATE).ok();
    let dir = Dir::project(&[INIT]);
    refused(
        &dir,
        &format!("{CREATE} --api-approved=unapproved"),
        2,
        &["leave it out"],
    );
}

#[test]
fn wrong_usage() {
    let dir = Dir::project(&[INIT]);
    refused(
        &dir,
        "rop create api --group app --version v1alpha1",
        2,
        &["--kind <KIND>", "rop create api --help"],
    );
    refused(&Dir::new("op"), "rop init", 2, &["--domain <DOMAIN>"]);
    // A project knows its own.
    let ran = support::unchanged(&dir, "rop init", 0, &["initialised already"]);
    assert!(!ran.stderr.contains("domain"), "{ran:#?}");
    refused(
        &dir,
        "rop create",
        2,
        &["a command is missing", "rop create --help"],
    );
    refused(&dir, "rop crate api", 2, &["create"]);
    refused(&dir, &format!("{CREATE} --froce"), 2, &["--force"]);
    refused(
        &dir,
        &format!("{CREATE} --force --skip-existing"),
        2,
        &["cannot be used with"],
    );
    refused(
        &dir,
        &format!("{CREATE} --resource=perhaps"),
        2,
        &["perhaps"],
    );
}

#[test]
fn flags_of_the_go_tools_get_a_hint() {
    let dir = Dir::new("op");
    for flag in [
        "--repo=example.com/x",
        "--plugins=go/v4",
        "--fetch-deps",
        "--owner=me",
        "--project-version=3",
    ] {
        refused(&dir, &format!("{INIT} {flag}"), 2, &["leave it out"]);
    }
    let dir = Dir::project(&[INIT]);
    for flag in ["--make", "--make=false", "--ssa", "--external-api-path=x"] {
        refused(&dir, &format!("{CREATE} {flag}"), 2, &["hint: "]);
    }
}

#[test]
fn names() {
    let dir = Dir::project(&[INIT]);
    for (from, to, told) in [
        ("--kind MyApp", "--kind myApp", "MyApp"),
        ("--kind MyApp", "--kind My-App", "MyApp"),
        ("--kind MyApp", "--kind 9Lives", "kind"),
        ("--kind MyApp", "--kind Ünit", "kind"),
        ("--version v1alpha1", "--version 1", "v1"),
        ("--version v1alpha1", "--version v1beta", "v1beta1"),
        ("--version v1alpha1", "--version latest", "version"),
        ("--group app", "--group App", "app"),
        ("--group app", "--group my_app", "my-app"),
        ("--group app", "--group a..b", "group"),
    ] {
        refused(&dir, &CREATE.replace(from, to), 2, &[told]);
    }
    let long = "K".repeat(64);
    refused(&dir, &CREATE.replace("MyApp", &long), 2, &["63"]);
    let dir = Dir::new("op");
    refused(&dir, "rop init --domain Example.com", 2, &["example.com"]);
    refused(&dir, "rop init --domain exa_mple.com/", 2, &["domain"]);
    refused(&dir, &format!("{INIT} --license gpl"), 2, &["apache-2.0"]);
    for (folder, told) in [
        ("My_Operator", "my-operator"),
        ("serde", "serde"),
        ("type", "type"),
    ] {
        let dir = Dir::new(folder);
        refused(&dir, INIT, 2, &[told, "--project-name"]);
        support::line(&dir, &format!("{INIT} --project-name good")).ok();
    }
}

#[test]
fn a_domain_may_be_empty() {
    let dir = Dir::new("op");
    support::rop(&dir, &["init", "--domain", ""]).ok();
    refused(&dir, CREATE, 2, &["dot"]);
    support::line(
        &dir,
        &CREATE.replace("--group app", "--group app.example.com"),
    )
    .ok();
    let crd = dir.text("config/crd/bases/app.example.com_myapps.yaml");
    assert!(crd.contains("name: myapps.app.example.com\n"));
    let lease = dir.text("config/rbac/leader_election_role.yaml");
    assert!(lease.contains("  - op\n"), "{lease}");
}

#[test]
fn projects_that_are_there() {
    let dir = Dir::project(&[INIT]);
    let ran = support::line(&dir, INIT).ok();
    assert!(ran.stderr.contains("initialised already"), "{ran:#?}");
    refused(
        &dir,
        "rop init --domain other.com",
        3,
        &["`example.com`, not `other.com`"],
    );
    refused(
        &dir,
        &format!("{INIT} --license mit"),
        3,
        &["it has --license=none", "rop edit --license=mit"],
    );
}

#[test]
fn sources_that_do_not_parse() {
    let dir = Dir::project(&[INIT]);
    // One without markers is the compiler's to tell.
    dir.write("src/other.rs", "fn broken( {\n");
    support::line(&dir, "rop generate rbac").ok();
    dir.write(
        "src/broken.rs",
        "// +kubebuilder:rbac:urls=/a,verbs=get\nfn broken( {\n",
    );
    refused(&dir, CREATE, 1, &["src/broken.rs:2:"]);
    refused(&dir, "rop generate rbac", 1, &["src/broken.rs:2:"]);
    std::fs::remove_file(dir.join("src/broken.rs")).unwrap();
    // It may say that its modules are for tests only.
    let main = dir.text("src/main.rs");
    dir.write("src/main.rs", main + "fn broken( {\n");
    support::line(&dir, "rop generate rbac").ok();
    refused(&dir, CREATE, 1, &["src/main.rs:"]);
}

#[test]
fn wrong_markers() {
    let dir = Dir::project(&[INIT]);
    dir.write(
        "src/wrong.rs",
        "// +kubebuilder:rbca:groups=a,verbs=get\n\n// +kubebuilder:rbac:groups=a,verb=get\nfn f() {}\n",
    );
    let told = ["src/wrong.rs:1:", "rbac", "src/wrong.rs:3:", "verbs"];
    refused(&dir, CREATE, 1, &told);
    refused(&dir, "rop generate rbac", 1, &told);
}

/// Tests have no rights to ask for; a module may be called as it likes.
#[test]
fn markers_count_in_sources_only() {
    let dir = Dir::project(&[INIT]);
    let marker = |resource: &str| {
        format!("// +kubebuilder:rbac:groups=apps,resources={resource},verbs=get\nfn f() {{}}\n")
    };
    dir.write("src/tests/examples.rs", marker("deployments"));
    dir.write("tests/controllers/helper.rs", marker("secrets"));
    dir.write("target/debug/build/out.rs", marker("secrets"));
    dir.write(".hidden/x.rs", "fn broken( {");
    support::line(&dir, "rop generate rbac").ok();
    let role = dir.text("config/rbac/role.yaml");
    assert!(
        role.contains("- deployments\n") && !role.contains("secrets"),
        "{role}"
    );
}

/// controller-gen takes these silently; they are written as it does, with a warning.
#[test]
fn markers_that_grant_nothing() {
    for (arguments, told) in [
        (
            "groups=apps,resources=deployments,verbs=get // why",
            "`get // why` in `verbs`",
        ),
        (
            "groups=apps;resources=pods,verbs=get",
            "`resources=pods` in `groups`",
        ),
        (
            "groups=apps,resources=Deployment,verbs=get",
            "`Deployment` in `resources`",
        ),
        (
            "groups=apps,resources=pods,verbs=\"get;list\"",
            "`get;list` in `verbs`",
        ),
    ] {
        let dir = Dir::project(&[INIT]);
        dir.write(
            "src/odd.rs",
            format!("// +kubebuilder:rbac:{arguments}\nfn f() {{}}\n"),
        );
        let ran = support::line(&dir, "rop generate rbac").ok();
        assert!(ran.stderr.contains("warning: src/odd.rs:1:4: "), "{ran:#?}");
        assert!(ran.stderr.contains(told), "{ran:#?}");
    }
}

/// A source that is no text stops all that reads sources, and nothing is written.
#[test]
fn sources_that_are_not_utf8() {
    let dir = Dir::project(&[INIT, CREATE]);
    dir.write("src/odd.rs", b"// \xff\n");
    for line in ["rop generate", "rop generate rbac --check"] {
        refused(&dir, line, 1, &["src/odd.rs is not UTF-8"]);
    }
    std::fs::remove_file(dir.join("src/odd.rs")).unwrap();
    dir.write("Cargo.toml", b"\xff");
    refused(&dir, "rop generate crds", 1, &["Cargo.toml is not UTF-8"]);
}

/// Runs `rop generate crds` with a stand-in for cargo: what crdgen may do wrong.
#[track_caller]
fn with_cargo(script: &str, told: &[&str]) {
    let dir = Dir::project(&[INIT, CREATE]);
    let bin = Dir::new("bin");
    bin.write("cargo", format!("#!/bin/sh\n{script}\n"));
    let mut chmod = std::process::Command::new("chmod");
    support::run(chmod.arg("755").arg(bin.join("cargo")), &bin).ok();
    let before = support::tree(&dir);
    let mut rop = std::process::Command::new(env!("CARGO_BIN_EXE_rop"));
    rop.args(["generate", "crds"])
        .env("CARGO", bin.join("cargo"));
    support::run(&mut rop, &dir).fails(1, told);
    assert!(support::tree(&dir) == before);
}

#[test]
fn a_crdgen_that_fails() {
    with_cargo(
        "echo 'error: it does not compile' >&2; exit 101",
        &["it does not compile", "error: "],
    );
    with_cargo("echo '[]'; exit 3", &["crdgen"]);
    with_cargo("kill -9 $$", &["crdgen"]);
    with_cargo("echo hello", &["crdgen", "hello"]);
    with_cargo("true", &["crdgen"]);
    with_cargo("echo '{}'", &["crdgen"]);
    with_cargo("echo '[{\"kind\": \"Pod\"}]'", &["crdgen"]);
    with_cargo(
        "printf '[\"a\\377\"]'",
        &["what `crdgen` printed is not UTF-8, from byte 3 on"],
    );
    let crd = r#"{"kind": "CustomResourceDefinition", "metadata": {"name": "as.b.io"}, "spec": {"group": "b.io", "names": {"kind": "A", "plural": "as"}, "scope": "Namespaced", "versions": [{"name": "v1", "served": true, "storage": true}]}}"#;
    let claimed = [
        "CRD `as.b.io`: version v1 is there twice: two types make it",
        "list each type once",
    ];
    with_cargo(&format!("echo '[{crd}, {crd}]'"), &claimed);
    let cluster = crd.replace("Namespaced", "Cluster");
    with_cargo(&format!("echo '[{crd}, {cluster}]'"), &claimed);
    let other = crd.replace("\"as", "\"others");
    with_cargo(
        &format!("echo '[{crd}, {other}]'"),
        &[
            "the kind A of the group b.io has two CRDs: `as.b.io` (v1) and `others.b.io` (v1)",
            "the same `plural`",
        ],
    );
}
