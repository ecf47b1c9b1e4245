//! What the quickstart says when something is in its way. Its success is a step of CI.
use crate::{
    cluster::eventually,
    control_plane,
    support::{self, CREATE, Dir, INIT, Ran},
};
use nix::sys::signal::{Signal, kill};
use std::{
    env,
    ffi::OsStr,
    fs,
    os::unix::{fs::symlink, process::ExitStatusExt as _},
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The example as cargo has it now.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "--example", "quickstart"]);
        support::run(&mut cargo, &support::repository()).ok();
        let folder = Path::new(env!("CARGO_BIN_EXE_rop")).parent().unwrap();
        folder.join("examples/quickstart")
    })
}

/// A machine that has these programs and what every system has; it keeps its own cache.
struct Machine(Dir);

impl Machine {
    fn with(programs: &[(&str, &str)]) -> Self {
        let dir = Dir::new("machine");
        fs::create_dir(dir.join("work")).unwrap();
        for program in [
            "bash", "awk", "sort", "head", "sed", "dirname", "uname", "tr", "dd", "sleep",
        ] {
            let path = env::var_os("PATH").unwrap();
            let found = env::split_paths(&path).map(|folder| folder.join(program));
            let found = found.into_iter().find(|file| file.is_file()).unwrap();
            fs::create_dir_all(dir.join("bin")).unwrap();
            symlink(found, dir.join("bin").join(program)).unwrap();
        }
        for (program, script) in programs {
            dir.program(&format!("bin/{program}"), format!("#!/bin/sh\n{script}\n"));
        }
        Self(dir)
    }

    fn project(&self) -> PathBuf {
        self.0.join("work/myapp-operator")
    }

    /// The quickstart, after what a shell does before.
    fn quickstart(&self, before: &str) -> Command {
        self.quickstart_in(self.project().as_os_str(), before)
    }

    fn quickstart_in(&self, folder: &OsStr, before: &str) -> Command {
        let mut bash = Command::new(self.0.join("bin/bash"));
        bash.args(["-c", &format!("{before}\nexec \"$@\""), "bash"])
            .arg(program())
            .arg("--")
            .arg(folder)
            .env("PATH", self.0.join("bin"))
            .env("HOME", &*self.0)
            .env("XDG_CACHE_HOME", self.0.join("cache"));
        bash.env("KUBEBUILDER_ASSETS", control_plane::assets_folder());
        bash
    }

    /// With a control plane that is there already.
    fn with_assets(&self, before: &str) -> Ran {
        support::run(&mut self.quickstart(before), &self.0)
    }

    fn bare(&self) -> Ran {
        let mut quickstart = self.quickstart("");
        support::run(quickstart.env_remove("KUBEBUILDER_ASSETS"), &self.0)
    }

    #[track_caller]
    fn is_untouched(&self) {
        assert!(!self.project().exists() && !self.0.join("cache").exists());
    }
}

const CARGO: (&str, &str) = ("cargo", "exit 7");
const MAKE: (&str, &str) = ("make", "");

#[test]
fn all_that_is_missing_is_named_first() {
    let old = ("go", "echo go1.20.1");
    let [cargo, make, go] = [
        "cargo is not in PATH",
        "make is not in PATH",
        "go is not in PATH: the control plane",
    ];
    let old_go = "or newer; this is Go 1.20.1";
    for (programs, missing) in [
        (&[][..], &[cargo, make, go][..]),
        (&[CARGO], &[make, go]),
        (&[CARGO, MAKE], &[go]),
        (&[MAKE, ("go", "echo go1.99")], &[cargo]),
        (&[CARGO, MAKE, old], &[old_go]),
        (&[CARGO, old], &[make, old_go]),
    ] {
        let machine = Machine::with(programs);
        let told = machine.bare().fails(1, missing).stderr;
        for tool in [cargo, make, go] {
            assert_eq!(told.contains(tool), missing.contains(&tool), "{told}");
        }
        machine.is_untouched();
    }
    // Go only builds the control plane; a file that cannot be run is no program.
    let machine = Machine::with(&[MAKE]);
    machine.0.write("bin/cargo", "");
    let told = machine.with_assets("").fails(1, &[cargo]).stderr;
    assert!(!told.contains(go), "{told}");
    machine.is_untouched();
}

#[test]
fn something_in_the_place_of_its_folder() {
    let machine = Machine::with(&[CARGO, MAKE]);
    machine.0.write("work/myapp-operator", "mine");
    let fix = format!("move {} away", machine.project().display());
    machine.with_assets("").fails(1, &[&fix, "File exists"]);
    assert_eq!(machine.0.text("work/myapp-operator"), "mine");
    fs::remove_file(machine.project()).unwrap();

    let in_use = format!("{} is in use: move it away", machine.project().display());
    let other = CREATE.replace("MyApp", "Other");
    let project = Dir::project(&[INIT, &other]).text("PROJECT");
    for (path, text) in [
        ("Cargo.toml", "[half"),
        ("notes", ""),
        ("PROJECT", "version: 4"),
        ("PROJECT", &project),
    ] {
        machine
            .0
            .write(&format!("work/myapp-operator/{path}"), text);
        let before = support::tree(&machine.project());
        machine.with_assets("").fails(1, &[&in_use]);
        assert!(support::tree(&machine.project()) == before);
        fs::remove_dir_all(machine.project()).unwrap();
    }
}

#[test]
fn folders_of_every_name() {
    let machine = Machine::with(&[CARGO, MAKE]);
    for folder in ["--help", "-x", ""] {
        let (code, told) = match folder {
            "--help" => (0, "Usage: quickstart [DIR]"),
            "-x" => (2, "unexpected argument '-x'"),
            _ => (2, "a value is required"),
        };
        let mut quickstart = Command::new(program());
        let ran = support::run(quickstart.arg(folder), &machine.0.join("work"));
        assert_eq!(ran.code, code, "{ran:#?}");
        let all = ran.stdout + &ran.stderr;
        assert!(all.contains(told), "{all}");
    }
    assert!(support::tree(&machine.0.join("work")).is_empty());

    for odd in ["-C/myapp-operator", "café '\n\"/myapp-operator"] {
        let mut quickstart = machine.quickstart_in(odd.as_ref(), "");
        support::run(&mut quickstart, &machine.0).fails(1, &["cargo failed (exit status: 7)"]);
        assert!(machine.0.join(odd).join("PROJECT").is_file());
    }
}

#[test]
fn an_earlier_attempt_is_used_again() {
    let machine = Machine::with(&[CARGO, MAKE]);
    let built = ["building the operator", "cargo failed (exit status: 7)"];
    machine.with_assets("").fails(1, &built);
    machine
        .0
        .write("work/myapp-operator/src/error.rs", "// mine\n");
    let before = support::tree(&machine.project());
    machine.with_assets("").fails(1, &built);
    assert!(support::tree(&machine.project()) == before);
}

/// rop's own catching of signals does not outlive the scaffolding.
#[test]
fn a_signal_ends_it() {
    let machine = Machine::with(&[("cargo", ": >building; exec sleep 100"), MAKE]);
    let mut quickstart = machine.quickstart("").spawn().unwrap();
    let building = machine.project().join("building");
    eventually("the build", || building.exists().then_some(()));
    kill(support::pid(&quickstart), Signal::SIGTERM).unwrap();
    let status = eventually("the end", || quickstart.try_wait().unwrap());
    assert_eq!(status.signal(), Some(Signal::SIGTERM as i32));
}

/// As on a full disk, a write fails half way.
#[test]
fn a_full_disk() {
    let machine = Machine::with(&[CARGO, MAKE]);
    let full = "trap '' XFSZ; ulimit -f 8; \
        if dd if=/dev/zero of=control bs=1024 count=64 2>/dev/null; then exit 99; fi";
    let ran = machine.with_assets(full);
    let fix = format!("move {} away", machine.project().display());
    ran.fails(1, &["cannot", "File too large", &fix]);
    assert!(support::tree(&machine.project()).is_empty());
    machine
        .with_assets("")
        .fails(1, &["cargo failed (exit status: 7)"]);
}
