//! The runner of `crdgen`, with a cargo that is a script.
use rop::error::{Error, ErrorKind, Result};
use rop::generate::crdgen::{Options, run};
use std::cell::Cell;
use std::fs;
use std::path::Path;
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
            "`crdgen` failed with exit status 101, as it does on a panic",
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
