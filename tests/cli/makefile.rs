//! The Makefile of a project, where no cluster is needed; `tutorial.rs` has the rest.
use crate::{
    control_plane,
    support::{self, Dir, INIT, Ran},
};
use std::path::Path;

const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// `make` with the rop of this build and a real kubectl.
fn make(dir: &Path, args: &[&str]) -> Ran {
    let kubectl = control_plane::assets().kubectl.as_ref().unwrap();
    let mut make = support::make();
    support::run(make.args(args).env("KUBECTL", kubectl), dir)
}

/// What `rop init` alone makes; each has a name of its own, as all are built in one folder.
fn project(name: &str) -> Dir {
    let dir = Dir::new(name);
    support::line(&dir, INIT).ok();
    dir
}

fn names(folder: &Path) -> Vec<String> {
    support::tree(folder).into_keys().collect()
}

#[test]
fn images_of_every_name() {
    let dir = project("images-operator");
    for image in [
        "myapp-operator",
        "registry.example.com:5000/team/my_app/operator:v1.2.3-rc.1",
        "localhost:5000/operator",
        &format!("ghcr.io/Team.example/operator@{DIGEST}").to_lowercase(),
        &format!("docker.io/team/operator:V1@{DIGEST}"),
        "registry--1.example.com/my__app/opera--tor.v1:_",
    ] {
        make(&dir, &["build-installer", &format!("IMG={image}")]).ok();
        let installer = dir.text("dist/install.yaml");
        let line = format!(" image: {image}\n");
        assert_eq!(installer.matches(&line).count(), 1, "{image}");
    }
    assert_eq!(names(&dir.join("dist")), ["install.yaml"]);
}

#[test]
fn what_is_no_image() {
    let dir = project("refused-operator");
    for image in [
        "",
        "operator:dev|team",
        "operator&team",
        "operator dev",
        "operator:dev\nother",
        "team//operator",
        "https://example.com/operator",
        "operator:",
        "operator@sha256",
        "operator@sha256:0123",
        "-registry/operator",
        "registry-/operator",
        "registry..example.com/operator",
        "my._app",
        "my___app",
        "my..app",
        "app-",
        "\"; touch \"pwned",
        "`touch pwned`",
        "Operator",
    ] {
        let args = ["docker-build", "CONTAINER_TOOL=false", "IMG=", image];
        let image = [args[2], args[3]].concat();
        let told = format!("{image} is no name of an image");
        make(&dir, &[args[0], args[1], &image]).fails(2, &[&told]);
        make(&dir, &["build-installer", &image]).fails(2, &[&told]);
    }
    assert!(!dir.join("dist").exists());
    assert!(!dir.join("pwned").exists());
}

/// A full disk, or what else may end `sed` half way.
#[test]
fn an_installer_is_whole_or_as_before() {
    let dir = project("installer-operator");
    make(&dir, &["build-installer"]).ok();
    let before = dir.text("dist/install.yaml");

    let broken = Dir::new("bin");
    broken.program("sed", "#!/bin/sh\nhead -c 99 target/default.yaml\nexit 4\n");
    let path = support::first_in_path(&broken);
    let path = format!("PATH={}", path.to_str().unwrap());
    make(&dir, &["build-installer", "IMG=operator:new", &path]).fails(2, &[]);
    assert_eq!(dir.text("dist/install.yaml"), before);
    assert_eq!(names(&dir.join("dist")), ["install.yaml"]);

    let manager = dir.text("config/manager/manager.yaml");
    let other = manager.replace("image: installer-operator:dev", "image: other");
    dir.write("config/manager/manager.yaml", other);
    let told = ["config/manager/manager.yaml has no 'image: installer-operator:dev'"];
    make(&dir, &["build-installer"]).fails(2, &told);
    assert_eq!(dir.text("dist/install.yaml"), before);
}

#[test]
fn missing_programs() {
    let dir = project("missing-operator");
    let kubectl = ["KUBECTL=no-such-kubectl is not there: install kubectl"];
    for target in [
        "install",
        "uninstall",
        "deploy",
        "undeploy",
        "build-installer",
    ] {
        make(&dir, &[target, "KUBECTL=no-such-kubectl"]).fails(2, &kubectl);
    }
    let version = env!("CARGO_PKG_VERSION");
    let rop = format!("ROP=no-such-rop is not there: install rop {version}");
    for target in ["generate", "manifests", "test", "install", "deploy"] {
        make(&dir, &[target, "ROP=no-such-rop"]).fails(2, &[&rop]);
    }
    make(&dir, &["manifests", "ROP=true"]).fails(2, &["ROP=true is not rop: install rop"]);
    // It may have arguments, and need not be in PATH.
    let words = format!("ROP={} --quiet", env!("CARGO_BIN_EXE_rop"));
    make(&dir, &["manifests", &words]).ok();
}

#[test]
fn without_a_crd() {
    let dir = project("bare-operator");
    for target in ["install", "uninstall", "install", "uninstall"] {
        let ran = make(&dir, &[target, "KUBECONFIG=/nowhere"]).ok();
        assert!(ran.stdout.contains("There is no CRD."), "{ran:#?}");
    }
}
