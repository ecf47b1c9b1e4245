//! Projects inside a cargo workspace, which is the user's: rop says what to change, and cargo
//! builds both sides afterwards.
use crate::support::{self, CREATE, Dir, INIT};
use std::{path::Path, process::Command};

/// A package that has nothing to do with rop.
fn package(dir: &Dir, folder: &str, more: &str) {
    let name = folder.rsplit('/').next().unwrap();
    dir.write(
        &format!("{folder}/Cargo.toml"),
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}"),
    );
    dir.write(&format!("{folder}/src/lib.rs"), "");
}

/// Whether cargo can read the workspace of a folder; nothing is built.
fn cargo_reads(dir: &Path) -> bool {
    let mut cargo = Command::new("cargo");
    cargo.args("metadata --offline --no-deps --format-version 1".split(' '));
    support::run(&mut cargo, dir).code == 0
}

/// A workspace of this manifest, with the members `crates/a` and `b`.
fn workspace(manifest: &str) -> Dir {
    let dir = Dir::new("around");
    dir.write("Cargo.toml", manifest);
    package(&dir, "crates/a", "");
    package(&dir, "b", "");
    if manifest.contains("[package]") {
        dir.write("src/lib.rs", "");
    }
    assert!(cargo_reads(&dir), "a wrong test: {manifest}");
    dir
}

const INIT_OP: &str = "rop init crates/op --domain example.com";

/// `rop init` says how to change this manifest, and cargo reads all workspaces after that.
///
/// `builds` is whether the one around builds without the change, too.
#[track_caller]
fn fixed(manifest: &str, builds: bool, told: &str, change: (&str, &str)) {
    // The project is there only afterwards, so a member of that name is added then.
    let dir = workspace(&manifest.replace(", \"crates/op\"", ""));
    dir.write("Cargo.toml", manifest);
    let ran = support::line(&dir, INIT_OP).ok();
    let told = format!("{told} in the [workspace] of ../../Cargo.toml, which rop left as it is\n");
    assert!(ran.stderr.contains(&told), "{ran:#?}");
    assert_eq!(dir.text("Cargo.toml"), manifest);
    assert_eq!(cargo_reads(&dir), builds, "{manifest}");

    assert!(manifest.contains(change.0), "a wrong test: {manifest}");
    dir.write("Cargo.toml", manifest.replacen(change.0, change.1, 1));
    for folder in [
        "",
        "crates/a",
        "b",
        "crates/op",
        "crates/op/api",
        "crates/op/manager",
    ] {
        assert!(cargo_reads(&dir.join(folder)), "{folder:?} of {manifest}");
    }
    let again = support::line(&dir.join("crates/op"), INIT).ok();
    assert!(!again.stderr.contains("[workspace]"), "{again:#?}");
}

#[test]
fn members_that_match() {
    let exclude = ("members", "exclude = [\"crates/op\"]\nmembers");
    let told = "inside of another: add `exclude = [\"crates/op\"]`";
    for members in ["crates/*\", \"b", "./crates/*/\", \"b", "c*/?*\", \"b"] {
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [\"{members}\"]\n");
        fixed(&manifest, false, told, exclude);
    }
    let members = "[workspace]\nresolver = \"3\"\nmembers = [\"b\", \"crates/*\"]\n";
    let settings = "[workspace.package]\nedition = \"2021\"\n\n[workspace.dependencies]\n\
                    kube = \"0.90\"\n\n[workspace.lints.rust]\nunsafe_code = \"deny\"\n\n\
                    [profile.release]\nlto = true\n";
    fixed(&format!("{members}\n{settings}"), false, told, exclude);
    let root = "[package]\nname = \"root\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    fixed(&format!("{root}{members}"), false, told, exclude);
    fixed(
        "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\", \"b\"]\nexclude = [\"vendor\"]\n",
        false,
        "inside of another: add `\"crates/op\"` to `exclude`",
        ("[\"vendor\"]", "[\"vendor\", \"crates/op\"]"),
    );
}

#[test]
fn members_that_are_named() {
    let head = "[workspace]\nresolver = \"3\"\n";
    let told = "inside of another: take `\"crates/op\"` out of `members`";
    // `exclude` does not help against them.
    fixed(
        &format!(
            "{head}exclude = [\"crates/op\"]\nmembers = [\"b\", \"crates/a\", \"crates/op\"]\n"
        ),
        false,
        told,
        (", \"crates/op\"]\n", "]\n"),
    );
    fixed(
        &format!("{head}members = [\"b\", \"crates/a\", \"crates/op\"]\n"),
        false,
        &format!("{told} and add `exclude = [\"crates/op\"]`"),
        (", \"crates/op\"]", "]\nexclude = [\"crates/op\"]"),
    );
    let package = "[package]\nname = \"root\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    fixed(
        &format!(
            "{package}{head}exclude = [\"crates/op\"]\nmembers = [\".\", \"crates/*\", \"b\"]\n"
        ),
        false,
        "inside of another: take `\".\"` out of `members`",
        ("\".\", ", ""),
    );
    // Others are no trouble yet.
    fixed(
        &format!("{head}members = [\"b\", \"crates/a\"]\n"),
        true,
        "inside of another: add `exclude = [\"crates/op\"]`",
        ("members", "exclude = [\"crates/op\"]\nmembers"),
    );
}

#[test]
fn both_sides_compile() {
    let dir = workspace("[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\", \"b\"]\n");
    support::line(&dir, INIT_OP).ok();
    support::line(&dir, &format!("{CREATE} -C crates/op")).ok();
    let manifest = dir.text("Cargo.toml");
    dir.write("Cargo.toml", manifest + "exclude = [\"crates/op\"]\n");
    for folder in ["", "crates/a", "crates/op"] {
        let mut cargo = support::builder("cargo");
        cargo.args(["check", "--offline"]);
        support::run(&mut cargo, &dir.join(folder)).ok();
    }
}

/// Why `exclude` is needed where no member matches: the types are there for others to use.
#[test]
fn a_member_that_depends_on_the_types() {
    let manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"b\"]\n";
    let dir = workspace(manifest);
    support::line(&dir, INIT_OP).ok();
    package(
        &dir,
        "b",
        "\n[dependencies]\nop-api.path = \"../crates/op/api\"\n",
    );
    assert!(!cargo_reads(&dir));
    dir.write(
        "Cargo.toml",
        format!("{manifest}exclude = [\"crates/op\"]\n"),
    );
    assert!(cargo_reads(&dir) && cargo_reads(&dir.join("b")));
}

#[test]
fn manifests_that_are_no_trouble() {
    let package = "[package]\nname = \"root\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let members = "[workspace]\nmembers = [\"crates/*\"]\n";
    for manifest in [
        package,
        &format!("{members}exclude = [\"crates/op\"]\n"),
        &format!("{members}exclude = [\"./crates/op/\"]\n"),
        &format!("{members}exclude = [\"crates\"]\n"),
        // What cargo tells when it runs there.
        "[profile.dev]\ndebug = 1\n",
        "[workspace\n",
        "workspace = 1\n",
        "\u{0}",
    ] {
        let dir = Dir::new("around");
        dir.write("Cargo.toml", manifest);
        dir.write("src/lib.rs", "");
        dir.write(".cargo/config.toml", "[build]\njobs = 1\n");
        dir.write("rust-toolchain", "stable\n");
        let ran = support::line(&dir, INIT_OP).ok();
        assert!(!ran.stderr.contains("warning"), "{ran:#?}");
        assert!(cargo_reads(&dir.join("crates/op")), "{manifest}");
        assert_eq!(dir.text("Cargo.toml"), manifest);
    }
    let dir = Dir::new("around");
    std::fs::create_dir(dir.join("Cargo.toml")).unwrap();
    let ran = support::line(&dir, INIT_OP).ok();
    assert!(!ran.stderr.contains("warning"), "{ran:#?}");
}

#[test]
fn every_workspace_around_is_told() {
    let dir = Dir::new("around");
    dir.write("Cargo.toml", "[workspace]\nmembers = [\"*/*\"]\n");
    dir.write("it's/Cargo.toml", "workspace = { members = [] }\n");
    let ran = support::line(&dir, "rop init it's/op --domain example.com --output json").ok();
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let warnings = json["warnings"].as_array().unwrap();
    let ends = [
        "add `exclude = [\"op\"]` in the [workspace] of ../Cargo.toml, which rop left as it is",
        "add `exclude = [\"it's/op\"]` in the [workspace] of ../../Cargo.toml, which rop left as it is",
    ];
    assert_eq!(warnings.len(), ends.len(), "{warnings:#?}");
    for (warning, end) in warnings.iter().zip(ends) {
        assert!(warning.as_str().unwrap().ends_with(end), "{warning}");
    }
    // A dry run tells it, too, as does a second one.
    for line in [&format!("{INIT} --dry-run"), INIT] {
        let ran = support::line(&dir.join("it's/op"), line).ok();
        assert_eq!(ran.stderr.matches("[workspace]").count(), 2, "{ran:#?}");
    }
}
