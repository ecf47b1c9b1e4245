//! Faults at every step of every command that writes, with the plans that users get.
use crate::{
    damage::{self, State},
    havoc,
    support::{self, CREATE, Dir, INIT, repository},
};
use clap::Parser as _;
use nix::sys::signal::{Signal, raise};
use rop::{
    cli::Cli,
    commands,
    error::{ErrorKind, Result},
    plan::{self, Interrupt, Observer, Plan, Root, Step},
    ui::{Report, Ui},
};
use std::{
    cell::Cell, fs, io, os::unix::process::ExitStatusExt as _, path::Path, process::Command,
};

/// A command, and the folder in which it is run.
struct Case {
    line: &'static str,
    prepare: fn() -> Dir,
    /// Where the project is, in that folder.
    root: &'static str,
    writes: bool,
}

const OTHER: &str = "rop create api --group app --version v1alpha1 --kind Other";
const TYPES: &str = "api/v1alpha1/myapp_types.rs";
const CONTROLLER: &str = "src/controllers/myapp_controller.rs";
const CRD: &str = "config/crd/bases/app.example.com_myapps.yaml";

impl Case {
    /// `rop init` has hundreds of steps that are alike; with more rounds, all of them are taken.
    fn stride(&self) -> usize {
        match self.line.starts_with("rop init") {
            true => 7 / havoc::rounds().min(7),
            false => 1,
        }
    }
}

const fn writes(line: &'static str, prepare: fn() -> Dir) -> Case {
    Case {
        line,
        prepare,
        root: "",
        writes: true,
    }
}

const fn idle(line: &'static str, prepare: fn() -> Dir) -> Case {
    Case {
        writes: false,
        ..writes(line, prepare)
    }
}

const CASES: [Case; 24] = [
    Case {
        root: "deep/new-operator",
        ..writes("rop init --domain example.com deep/new-operator", || {
            Dir::new("op")
        })
    },
    writes(INIT, users_folder),
    writes(INIT, || Dir::new("op")),
    writes("rop init --domain example.com --force", package_of_users),
    idle(INIT, damage::project_with_kind),
    writes("rop init --domain example.com --skip-existing", edited),
    writes(CREATE, damage::project),
    writes(OTHER, linked),
    idle(CREATE, damage::project_with_kind),
    writes(
        "rop create api --group app --version v1alpha1 --kind MyApp --controller=false",
        damage::project,
    ),
    writes(
        "rop create api --group app --version v1alpha1 --kind MyApp --resource=false",
        with_resource_only,
    ),
    writes(
        "rop create api --group app --version v1alpha1 --kind MyApp --force",
        edited,
    ),
    writes(
        "rop create api --group app --version v1alpha1 --kind MyApp --skip-existing",
        || {
            let dir = damage::project();
            dir.write(TYPES, "// mine\n");
            dir
        },
    ),
    writes("rop edit --prometheus --network-policy", edited),
    writes("rop edit --namespaced", damage::project_with_kind),
    writes("rop edit --license mit", damage::project_with_kind),
    writes("rop edit --license none", licensed),
    idle("rop edit --metrics=false", damage::project_with_kind),
    writes("rop generate rbac", edited),
    idle("rop generate rbac", damage::project_with_kind),
    writes("rop generate crds", with_crdgen),
    writes("rop generate crds --prune", without_types),
    writes("rop generate manifests", || {
        let dir = with_crdgen();
        dir.write("src/more.rs", MARKER);
        dir
    }),
    idle("rop generate manifests", || {
        let dir = with_crdgen();
        commands(&dir, "rop generate manifests", &|plan, interrupt| {
            plan.apply(interrupt, &mut ())
        })
        .unwrap();
        dir
    }),
];

const MARKER: &str =
    "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\nfn f() {}\n";

/// What users have before they start.
fn users_folder() -> Dir {
    let dir = Dir::new("op");
    for (path, text) in [
        ("README.md", "mine\n"),
        ("LICENSE", "mine\n"),
        (".gitignore", "/x"),
        ("config/mine.yaml", "mine: true\n"),
        ("src/mine.rs", "// mine\n"),
    ] {
        dir.write(path, text);
    }
    dir.program("hack/mine.sh", "#!/bin/sh\n");
    dir
}

/// A package of users, where rop would put its own files; with modes that are not rop's.
fn package_of_users() -> Dir {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = users_folder();
    for (path, mode) in [
        ("Cargo.toml", 0o600),
        ("src/main.rs", 0o644),
        ("Makefile", 0o444),
        ("api/lib.rs", 0o755),
        ("config/rbac/role.yaml", 0o640),
    ] {
        dir.write(path, format!("# mine: {path}\n"));
        fs::set_permissions(dir.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    std::os::unix::fs::symlink("hack", dir.join("scripts")).unwrap();
    dir
}

/// A project that its user changed: other texts and modes, more rights, files that are gone.
fn edited() -> Dir {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = damage::project_with_kind();
    for path in [TYPES, CONTROLLER, "Makefile"] {
        dir.write(path, "// mine\n");
    }
    dir.write("src/more.rs", MARKER);
    fs::remove_dir_all(dir.join("manager")).unwrap();
    for (path, mode) in [(TYPES, 0o600), ("Makefile", 0o755), ("rop.lock", 0o444)] {
        fs::set_permissions(dir.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    dir
}

/// A project in which a folder is a link.
fn linked() -> Dir {
    let dir = damage::project_with_kind();
    fs::rename(dir.join("config/crd"), dir.join("crds")).unwrap();
    std::os::unix::fs::symlink("../crds", dir.join("config/crd")).unwrap();
    dir
}

fn licensed() -> Dir {
    let dir = damage::project();
    support::line(&dir, "rop edit --license mit").ok();
    dir
}

fn with_resource_only() -> Dir {
    let dir = damage::project();
    support::line(&dir, &format!("{CREATE} --controller=false")).ok();
    dir
}

/// A project whose crdgen prints other CRDs than there are.
fn with_crdgen() -> Dir {
    let dir = damage::project_with_kind();
    let mut crd: serde_json::Value = serde_saphyr::from_str(&dir.text(CRD)).unwrap();
    crd["spec"]["names"]["shortNames"] = serde_json::json!(["ma"]);
    dir.write("crds.json", serde_json::json!([crd]).to_string());
    dir.write("cargo.sh", "cat crds.json\n");
    dir
}

/// A project whose last type is gone; the folder of its CRD has a mode of its own.
fn without_types() -> Dir {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = with_crdgen();
    dir.write("crds.json", "[]");
    let bases = dir.join("config/crd/bases");
    fs::set_permissions(bases, fs::Permissions::from_mode(0o711)).unwrap();
    dir
}

/// Runs a line as `rop` does, with something done with its plan.
fn commands(dir: &Path, line: &str, apply: commands::Apply<'_>) -> Result<u8> {
    let words = line.split_whitespace().map(Into::into);
    let words = words.chain(["-C".into(), dir.as_os_str().to_owned()]);
    let cli = Cli::try_parse_from(words).unwrap();
    let mut report = Report::new("");
    commands::run_with(&cli, Ui::default(), &mut report, apply)
}

/// The tree when nothing goes wrong.
fn wanted(case: &Case) -> State {
    let dir = (case.prepare)();
    commands(&dir, case.line, &|plan, interrupt| {
        plan.apply(interrupt, &mut ())
    })
    .unwrap();
    State::of(&dir)
}

/// Counts steps and does something at one of them.
struct At<'a> {
    step: usize,
    seen: Vec<Step>,
    act: &'a dyn Fn() -> io::Result<()>,
}

impl Observer for At<'_> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        self.seen.push(step.clone());
        match self.seen.len() - 1 == self.step {
            true => (self.act)(),
            false => Ok(()),
        }
    }
}

/// Applies a plan again and again, with a fault at the first step, the second, … until it comes
/// too late. In between the tree must be just as it was, so the plan still holds.
fn at_each_step(
    plan: &Plan,
    interrupt: &Interrupt,
    fault: &dyn Fn(usize) -> (io::Result<()>, ErrorKind),
    stride: usize,
    untouched: &dyn Fn(&str),
) -> Result<usize> {
    for step in (0..).step_by(stride) {
        let kind = Cell::new(ErrorKind::Internal);
        let fault = || {
            let (done, expected) = fault(step);
            kind.set(expected);
            done
        };
        let mut observer = At {
            step,
            seen: Vec::new(),
            act: &fault,
        };
        let done = plan.apply(interrupt, &mut observer);
        let when = format!("{step}: {:?}", observer.seen.last());
        let Err(error) = done else {
            let last = observer.seen.last();
            assert!(matches!(last, None | Some(Step::Clear)), "{when}");
            assert!(observer.seen.len() <= step + 1, "{when}");
            interrupt.take();
            return Ok(step);
        };
        assert_eq!(observer.seen.len(), step + 1, "{when} was hit");
        assert_eq!(error.kind(), kind.get(), "{when}");
        untouched(&when);
        interrupt.take();
    }
    unreachable!()
}

/// An error of the disk, Ctrl-C and a termination in turn; the first step gets that of `first`.
fn all_or_nothing(first: usize) {
    let signal = |signal: Signal| {
        let raised = raise(signal).map_err(io::Error::from);
        (raised, ErrorKind::Interrupted(signal as i32))
    };
    let fault = |step: usize| match (first + step) % 3 {
        0 => (Err(io::Error::other("injected")), ErrorKind::Failed),
        1 => signal(Signal::SIGINT),
        _ => signal(Signal::SIGTERM),
    };
    for case in &CASES {
        let wanted = wanted(case);
        let dir = (case.prepare)();
        let before = State::of(&dir);
        let faults = Cell::new(0);
        commands(&dir, case.line, &|plan, interrupt| {
            let untouched =
                |when: &str| before.assert_untouched(&dir, &format!("{} {when}", case.line));
            faults.set(at_each_step(
                plan,
                interrupt,
                &fault,
                case.stride(),
                &untouched,
            )?);
            Ok(())
        })
        .unwrap();
        // An error in the last step leaves rubbish, which the next command removes.
        let told = plan::recover(&Root::at(&dir.join(case.root)).unwrap()).unwrap();
        assert_eq!(told, None);
        wanted.assert_reached(&dir, case.line);
        assert_eq!(faults.get() > 0, case.writes, "{}", case.line);
    }
}

/// As a step begins, the tree is copied: what a SIGKILL at that moment leaves.
fn killed_at_each_step() {
    for case in &CASES {
        let wanted = wanted(case);
        let dir = (case.prepare)();
        let before = State::of(&dir);
        let number = Cell::new(0_usize);
        let check = |step: &Step| {
            number.set(number.get() + 1);
            if *step != Step::Clear && !number.get().is_multiple_of(case.stride()) {
                return;
            }
            let when = format!("{} {step:?}", case.line);
            let image = damage::copy(&dir, "myapp-operator");
            State::assert_whole(&image, &before, &wanted, &when);
            let root = image.join(case.root);
            if root.exists() {
                let root = Root::at(&root).unwrap();
                plan::recover(&root).unwrap();
                assert!(!plan::is_unfinished(&root));
            }
            if *step == Step::Clear {
                wanted.assert_reached(&image, &when);
                return;
            }
            // The folder that `rop init DIR` makes first may stay; it is empty.
            for folder in Path::new(case.root).ancestors() {
                let _ = fs::remove_dir(image.join(folder));
            }
            fs::create_dir_all(&*image).unwrap();
            before.assert_untouched(&image, &when);
        };
        commands(&dir, case.line, &|plan, interrupt| {
            plan.apply(interrupt, &mut Each(&check))
        })
        .unwrap();
    }
}

/// Sees every step.
struct Each<'a>(&'a dyn Fn(&Step));

impl Observer for Each<'_> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        (self.0)(step);
        Ok(())
    }
}

/// Signals and a cargo of its own take a process of their own: this program, run for this test.
const FAULT: &str = "ROP_TEST_FAULT";

fn child(fault: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = "every_step::the_process_with_faults";
    command
        .args(["--exact", test, "--nocapture"])
        .env(FAULT, fault)
        .env("CARGO", repository().join("tests/data/generate/cargo"));
    command
}

#[test]
fn the_process_with_faults() {
    let Ok(fault) = std::env::var(FAULT) else {
        return; // Only a helper of the tests below.
    };
    let words: Vec<_> = fault.split(' ').collect();
    match words[..] {
        ["undone", first] => all_or_nothing(first.parse().unwrap()),
        ["images"] => killed_at_each_step(),
        ["SIGKILL", case, step, dir] => {
            let case = &CASES[case.parse::<usize>().unwrap()];
            let act = || raise(Signal::SIGKILL).map_err(io::Error::from);
            let step = step.parse().unwrap();
            commands(Path::new(dir), case.line, &|plan, interrupt| {
                let mut observer = At {
                    step,
                    seen: Vec::new(),
                    act: &act,
                };
                plan.apply(interrupt, &mut observer)
            })
            .unwrap();
        }
        _ => panic!("{fault}"),
    }
}

#[track_caller]
fn passes(fault: &str) {
    support::run(&mut child(fault), &repository()).ok();
}

/// Each step gets one of three faults; with more rounds, all of them.
#[test]
fn a_fault_at_any_step_changes_nothing() {
    for first in 0..havoc::rounds().min(3) {
        passes(&format!("undone {first}"));
    }
}

#[test]
fn each_step_leaves_what_can_be_healed() {
    passes("images");
}

/// Real kills, and the real rop after them.
#[test]
fn the_same_command_heals_a_kill_and_finishes() {
    let stride = 97 / havoc::rounds().min(10);
    let mut kills = 0;
    for (number, case) in CASES.iter().enumerate().filter(|(_, case)| case.writes) {
        let mut wanted = None;
        for step in (number..).step_by(stride) {
            let dir = (case.prepare)();
            let before = State::of(&dir);
            let fault = format!("SIGKILL {number} {step} {}", dir.display());
            let status = child(&fault).output().unwrap().status;
            if status.success() {
                break;
            }
            let when = format!("{} killed at {step}", case.line);
            assert_eq!(status.signal(), Some(9), "{when}");
            let crash = damage::copy(&dir, "myapp-operator");
            let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"));
            rop.args(case.line.split(' ').skip(1))
                .env("CARGO", repository().join("tests/data/generate/cargo"));
            support::run(&mut rop, &dir).ok();
            let wanted = wanted.get_or_insert_with(|| State::of(&dir));
            wanted.assert_reached(&dir, &when);
            State::assert_whole(&crash, &before, wanted, &when);
            kills += 1;
        }
    }
    assert!(kills > 0);
    eprintln!("{kills} commands killed at a step: 0 damaged trees");
}
