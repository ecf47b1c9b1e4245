//! What the edits sort, rustfmt leaves as it is.
use std::io::Write;
use std::process::{Command, Stdio};

use rop::edit::rust::{add_module, add_use};
use rop::edit::{EditResult, Edited};

const NAMES: &[&str] = &[
    "v2",
    "v10",
    "v1",
    "v1beta1",
    "v1alpha1",
    "v1alpha10",
    "v1alpha2",
    "a10b",
    "_1x",
    "a1b",
    "ab",
    "a_b",
    "a__b",
    "a1",
    "a01",
    "a001",
    "app_1",
    "app10",
    "app1",
    "apps",
    "app",
    "webapp",
    "web_app",
    "r#type",
    "type_",
    "x86_64",
    "x86_128",
    "myapp10_types",
    "myapp_types",
    "myapp2_types",
    "myappset_types",
    "zoo1_types",
    "zoo1types",
    "zoo_types",
    "Zed",
    "ZED",
    "zed",
];

fn rustfmt(text: &str) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt runs");
    let mut input = rustfmt.stdin.take().expect("it is piped");
    input.write_all(text.as_bytes()).expect("rustfmt reads");
    drop(input);
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "{text}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// Adds a line for each name in several orders; rustfmt must not change the text at any size.
fn check(text: &str, line: impl Fn(&str) -> String, add: impl Fn(&str, &str) -> EditResult) {
    let mut last = None;
    for step in [1, 2, 5, 14, 36] {
        let mut new = text.to_owned();
        for i in 0..NAMES.len() {
            let name = NAMES[i * step % NAMES.len()];
            if let Edited::Changed(changed) = add(&new, &line(name)).expect("it can be edited") {
                new = changed;
            }
            if i % 12 == 3 {
                assert_eq!(rustfmt(&new), new);
            }
        }
        assert_eq!(rustfmt(&new), new);
        assert_eq!(*last.get_or_insert_with(|| new.clone()), new);
    }
}

#[test]
fn modules_stay_sorted() {
    let module = |name: &str| format!("pub mod {name};");
    let add = |text: &str, line: &str| add_module(text, line, &[]);
    check("", module, add);
    check("//! Docs.\nuse a::B;\n", module, add);
    check(
        "mod m;\n\n// About n.\npub mod n;\n/// About p.\n#[cfg(x)]\npub mod p;\n\nuse a::B;\n",
        module,
        add,
    );
}

#[test]
fn imports_stay_sorted() {
    let import = |name: &str| format!("pub use {name}::*;");
    check("", import, |text, line| add_use(text, line, &[]));
    let text = "mod a;\n\npub use self::z::Y;\npub use super::z::Y;\npub use crate::b::C;\npub use m::{A, B};\npub use n::B;\npub use n::*;\npub use n::{A, B};\n";
    check(text, import, |text, line| add_use(text, line, &[]));
}
