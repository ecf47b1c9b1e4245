//! Names of projects: Kubernetes, Cargo and what the generated code calls its own.
use super::{accepts, refuses, refuses_all};
use rop::model::names::{Domain, ProjectName};

#[test]
fn good_names() {
    accepts::<ProjectName>(&[
        "myapp-operator",
        "my-operator",
        "a",
        "op2",
        "manager",
        "error",
        "support",
        "tutorial",
        "default",
        // Weak keywords are identifiers.
        "union",
        "auto",
        "raw",
        "safe",
        &"a".repeat(28),
    ]);
}

/// <https://github.com/rust-lang/cargo/blob/master/src/cargo/util/restricted_names.rs>
#[test]
fn names_of_cargo_and_rustc() {
    let keywords = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
        "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
        "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    let crates = ["alloc", "core", "proc-macro", "std", "test"];
    let dirs = ["build", "deps", "examples", "incremental"];
    let devices = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
        "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ];
    let all = keywords.iter().chain(&crates).chain(&dirs).chain(&devices);
    for name in all {
        let nearest = format!("{name}-operator");
        refuses::<ProjectName>(&[(name, Some(&nearest))]);
    }
    accepts::<ProjectName>(&["com", "com0", "com10", "lpt", "console", "testing"]);
}

#[test]
fn names_of_dependencies() {
    for name in [
        "kube",
        "serde",
        "tokio",
        "clap",
        "rop-manager",
        "serde-json",
        "k8s-openapi",
    ] {
        let nearest = format!("{name}-operator");
        refuses::<ProjectName>(&[(name, Some(&nearest))]);
    }
    accepts::<ProjectName>(&["kube-operator", "serde-operator"]);
}

/// Compiled with rustc: an import of these from the project's crate is ambiguous.
#[test]
fn names_of_the_generated_code() {
    for name in [
        "api",
        "controllers",
        "crdgen",
        "env",
        "shutdown",
        "telemetry",
        "webhooks",
    ] {
        let nearest = format!("{name}-operator");
        refuses::<ProjectName>(&[(name, Some(&nearest))]);
    }
}

#[test]
fn names_of_kubernetes() {
    refuses::<ProjectName>(&[
        ("My_Operator", Some("my-operator")),
        ("my_op", Some("my-op")),
        ("MyOp", Some("my-op")),
        ("op-", Some("op")),
        ("_op", Some("op")),
        // `a__b` is no snake case.
        ("a--b", Some("a-b")),
        ("a---b--c", Some("a-b-c")),
        ("mit leer", Some("mit-leer")),
        ("tutorial.example.io", Some("tutorial-example-io")),
        ("2048-op", Some("op")),
        ("TYPE", Some("type-operator")),
        ("123", None),
        ("Büro", None),
        ("", None),
        (
            "a-very-long-operator-project-name-for-a-bank",
            Some("a-very-long-operator-project"),
        ),
        (
            "a-very-long-operator-projects-name",
            Some("a-very-long-operator"),
        ),
        (&"a".repeat(29), Some(&"a".repeat(28))),
    ]);
    refuses_all::<ProjectName>(&["a.b", "a/b", "a b", "a\n", "-a", "a-", "{{a}}", "a_b"]);
}

#[test]
fn every_name_made_from_a_project_fits() {
    let name: ProjectName = "a".repeat(28).parse().unwrap();
    let service = format!("{name}-controller-manager-metrics-service");
    assert_eq!(service.len(), 63);
}

#[test]
fn directories_name_projects() {
    let name = ProjectName::from_dir_name("myapp-operator").unwrap();
    assert_eq!(name.as_str(), "myapp-operator");
    assert_eq!(name.crate_name(), "myapp_operator");

    for (dir, nearest) in [
        ("My_Operator", "my-operator"),
        ("mit leer", "mit-leer"),
        ("tutorial.example.io", "tutorial-example-io"),
        ("type", "type-operator"),
        ("2048", "myapp-operator"),
        ("", "myapp-operator"),
    ] {
        let error = ProjectName::from_dir_name(dir).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.message().contains(&format!("`{dir}`")), "{error}");
        let hint = format!("name the project yourself with `--project-name {nearest}`");
        assert_eq!(error.hints(), [hint]);
    }
}

#[cfg(unix)]
#[test]
fn directories_without_unicode() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let error = ProjectName::from_dir_name(OsStr::from_bytes(b"a\xff")).unwrap_err();
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn leases() {
    let project: ProjectName = "myapp-operator".parse().unwrap();
    let lease = |domain: &str| project.lease(&domain.parse::<Domain>().unwrap());
    assert_eq!(lease("example.com").unwrap(), "myapp-operator.example.com");
    // Nothing ends in a dot.
    assert_eq!(lease("").unwrap(), "myapp-operator");
    assert_eq!(lease(&"a".repeat(238)).unwrap().len(), 253);
    let error = lease(&"a".repeat(239)).unwrap_err();
    assert_eq!(error.exit_code(), 2);
}
