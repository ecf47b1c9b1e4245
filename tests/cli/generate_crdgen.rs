//! The runner of `crdgen`, with a cargo that is a script.
use rop::error::{Error, ErrorKind, Result};
use rop::generate::crdgen::{Options, Program, run};
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const CARGO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/generate/cargo");

fn project(script: &str) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::write(root.path().join("cargo.sh"), script).expect("writable");
    root
}

fn options() -> Options<'static> {
    Options {
        cargo: CARGO.into(),
        ..Options::default()
    }
}

fn output(script: &str) -> Result<String> {
    run(project(script).path(), &options())
}

fn error(script: &str) -> Error {
    output(script).expect_err("the script fails")
}

/// Whether processes with that argument run, and go on to; the killed ones need a moment to end.
fn stay(argument: &str) -> bool {
    let runs = || {
        let processes = fs::read_dir("/proc").expect("Linux").flatten();
        let mut lines =
            processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        lines.any(|line| {
            line.split(|byte| *byte == 0)
                .any(|word| word == argument.as_bytes())
        })
    };
    (0..100).all(|_| {
        thread::sleep(Duration::from_millis(20));
        runs()
    })
}

#[test]
fn gives_what_is_printed() {
    assert_eq!(
        output("echo \"[$*]\"; echo talk >&2").expect("runs"),
        "[run --bin crdgen]\n"
    );
    let quiet = Options {
        quiet: true,
        ..options()
    };
    let root = project("echo \"$*\"");
    assert_eq!(
        run(root.path(), &quiet).expect("runs"),
        "run --bin crdgen --quiet\n"
    );
    let much =
        output("i=0; while [ $i -lt 3000 ]; do printf %0100d 0; i=$((i+1)); done").expect("runs");
    assert_eq!(much.len(), 300_000);
}

#[test]
fn cargo_is_not_found() {
    let root = project("");
    let options = Options {
        cargo: "/nowhere/cargo".into(),
        ..options()
    };
    let error = run(root.path(), &options).expect_err("no cargo");
    assert_eq!(
        error.message(),
        "`/nowhere/cargo` is not found: it builds and runs `crdgen`"
    );
    let gone = run(Path::new("/nowhere"), &self::options()).expect_err("no project");
    assert!(gone.message().contains("/nowhere"), "{gone}");
}

#[test]
fn failures_are_told_apart() {
    let metadata = |kind: &str| {
        format!(r#"{{"packages":[{{"targets":[{{"name":"crdgen","kind":["{kind}"]}}]}}]}}"#)
    };
    let script = |metadata: &str, build: u8| {
        format!(
            "case $1 in run) exit 101;; metadata) echo '{metadata}';; build) exit {build};; esac"
        )
    };
    for (script, message) in [
        ("exit 3".to_owned(), "`crdgen` failed with exit status 3"),
        (
            "kill -SEGV $$".to_owned(),
            "`crdgen` was killed by signal 11 (SIGSEGV)",
        ),
        ("exit 101".to_owned(), "cargo cannot read this project"),
        (
            script("{}", 0),
            "no package of this project has a program `crdgen`",
        ),
        (
            script(&metadata("lib"), 0),
            "no package of this project has a program `crdgen`",
        ),
        (
            script(&metadata("bin"), 0),
            "`crdgen` failed with exit status 101",
        ),
        (
            "echo \"thread 'main' panicked at a.rs:1:1:\" >&2; echo why >&2; exit 101".to_owned(),
            "`crdgen` panicked at a.rs:1:1: why",
        ),
        (script(&metadata("bin"), 101), "`crdgen` does not build"),
    ] {
        let error = error(&script);
        assert_eq!(
            (error.message().as_str(), error.exit_code()),
            (message, 1),
            "{script}"
        );
        assert!(error.hints().len() == 1 || error.message().contains("signal"));
    }
}

#[test]
fn ends_all_that_hangs() {
    let root = project("sleep 4711.25 & sleep 4711.25");
    let options = Options {
        time_limit: Duration::from_millis(300),
        ..options()
    };
    let start = Instant::now();
    let error = run(root.path(), &options).expect_err("hangs");
    assert_eq!(
        error.message(),
        "`crdgen` did not end within 0 s, and was killed"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(!stay("4711.25"));
}

#[test]
fn ends_all_when_interrupted() {
    let root = project("sleep 4712.25 & exec >&-; sleep 4712.25");
    let asked = Cell::new(0);
    let interrupted = || {
        asked.set(asked.get() + 1);
        (asked.get() > 3).then_some(15)
    };
    let options = Options {
        interrupted: &interrupted,
        ..options()
    };
    let error = run(root.path(), &options).expect_err("interrupted");
    assert_eq!(
        (error.kind(), error.exit_code()),
        (ErrorKind::Interrupted(15), 143)
    );
    assert!(!stay("4712.25"));
}

/// Another program, by the manifest at the root.
#[test]
fn the_manifest_names_the_program() {
    let named = |value: &str| {
        ["package", "workspace"].map(|table| {
            let manifest = format!("[{table}.metadata.rop]\ncrdgen = {value}\n");
            Program::named_in(&manifest)
        })
    };
    for (value, arguments) in [
        ("\"crds\"", "run --bin crds\n"),
        ("\"api/crd-gen\"", "run --package api --bin crd-gen\n"),
    ] {
        for program in named(value) {
            let options = Options {
                program: program.expect("a name"),
                ..options()
            };
            let root = project("echo \"$*\"");
            assert_eq!(run(root.path(), &options).expect("runs"), arguments);
        }
    }
    for wrong in ["1", "\"\"", "\"-x\"", "\"a/\"", "\"a/b/c\"", "[\"a\"]"] {
        for program in named(wrong) {
            let error = program.expect_err(wrong);
            assert!(error.message().contains("is no name"), "{error}");
            assert_eq!(error.exit_code(), 1);
        }
    }
    for other in [
        "",
        "[package.metadata.other]\nrop = 1\n",
        "[package",
        "# metadata.rop\n",
    ] {
        assert_eq!(Program::named_in(other).expect(other), Program::default());
    }
}

#[test]
fn two_packages_with_such_a_program() {
    let package = |name: &str| {
        format!(r#"{{"name":"{name}","targets":[{{"name":"crdgen","kind":["bin"]}}]}}"#)
    };
    let script = format!(
        "case $1 in run) exit 101;; metadata) echo '{{\"packages\":[{},{}]}}';; esac",
        package("one"),
        package("two")
    );
    let told = error(&script);
    assert_eq!(
        told.message(),
        "the packages `one` and `two` both have a program `crdgen`"
    );
    assert!(told.hints()[0].contains("`crdgen = \"one/crdgen\"`"));
    let of = |package: &str| Options {
        program: Program {
            package: Some(package.into()),
            ..Program::default()
        },
        ..options()
    };
    let root = project(&script);
    let told = run(root.path(), &of("two"))
        .expect_err("it fails")
        .message();
    assert_eq!(told, "`crdgen` failed with exit status 101");
    let told = run(root.path(), &of("three"))
        .expect_err("it fails")
        .message();
    assert_eq!(
        told,
        "the package `three` of this project has no program `crdgen`"
    );
}

/// With real cargo, which looks for programs in the default members only.
#[test]
fn a_package_that_is_no_default_member() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path();
    let write = |path: &str, text: &str| {
        fs::create_dir_all(root.join(path).parent().expect("a folder")).expect("writable");
        fs::write(root.join(path), text).expect("writable");
    };
    let workspace =
        "[workspace]\nresolver = \"3\"\nmembers = [\"a\", \"b\"]\ndefault-members = [\"a\"]\n";
    write("Cargo.toml", workspace);
    for (name, bin) in [("a", "other"), ("b", "crdgen")] {
        let bin = format!("[[bin]]\nname = \"{bin}\"\npath = \"main.rs\"\n");
        write(
            &format!("{name}/Cargo.toml"),
            &format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{bin}"),
        );
        write(
            &format!("{name}/main.rs"),
            "fn main() { print!(\"{}\", \"[]\"); }\n",
        );
    }
    let told = run(root, &Options::default()).expect_err("it fails");
    assert_eq!(
        told.message(),
        "the package `b` has the program `crdgen`, but is no default member of the workspace"
    );
    assert!(told.hints()[0].contains("`crdgen = \"b/crdgen\"`"));
    let manifest = format!("{workspace}[workspace.metadata.rop]\ncrdgen = \"b/crdgen\"\n");
    let options = Options {
        program: Program::named_in(&manifest).expect("a name"),
        ..Options::default()
    };
    assert_eq!(run(root, &options).expect("it runs"), "[]");
}

/// What cargo says comes through at once and as it is; a panic goes to whoever can explain it.
#[test]
fn a_panic_is_explained() {
    static HEARD: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    let script = "echo '   Compiling a' >&2; echo \"thread 'main' (7) panicked at a.rs:1:1:\" >&2; echo why >&2; exit 101";
    let explain = |panic: &str| {
        assert_eq!(panic, "thread 'main' (7) panicked at a.rs:1:1:\nwhy\n");
        Some(Error::failed("explained"))
    };
    let options = Options {
        hear: |bytes| HEARD.lock().unwrap().extend(bytes),
        explain: &explain,
        ..options()
    };
    let told = run(project(script).path(), &options).expect_err("it fails");
    assert_eq!(told.message(), "explained");
    let heard = || String::from_utf8(HEARD.lock().unwrap().clone()).unwrap();
    assert_eq!(heard(), "   Compiling a\n");
    let options = Options {
        explain: &|_| None,
        ..options
    };
    run(project(script).path(), &options).expect_err("it fails");
    assert!(
        heard().ends_with("panicked at a.rs:1:1:\nwhy\n"),
        "{}",
        heard()
    );
}
