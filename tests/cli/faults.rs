//! Faults at every step of writing: all or nothing.
use crate::support::{self, Dir};
use rop::{
    edit::{EditResult, Edited},
    plan::{self, Edit, Interrupt, Observer, Plan, Planner, Policy, Record, Root, Step},
};
use std::{fs, io, path::PathBuf, process::Command};

/// A file that is removed, and the folders that it leaves empty; one has a mode of its own.
fn to_remove(dir: &Dir) {
    use std::os::unix::fs::PermissionsExt as _;
    dir.write("gone/er/old", "old\n");
    fs::set_permissions(dir.join("gone"), fs::Permissions::from_mode(0o2700)).unwrap();
}

/// A small project, and a plan that creates, updates, edits, removes, makes folders and removes some.
fn planned(dir: &Dir) -> Plan {
    to_remove(dir);
    dir.write("gone/er/too", "old\n");
    dir.write("deep/er/old", "old\n");
    dir.write("PROJECT", "old\n");
    dir.write("list", "one\n");
    dir.write("generated", "old\n");
    dir.write("same", "same\n");
    let root = Root::at(dir).unwrap();
    let mut planner = Planner::new(root, Policy::Stop, Record::new("0.0.0"));
    planner.create("deep/er/new", "new\n".into()).unwrap();
    planner.create("deep/tool", "new\n".into()).unwrap();
    planner.create("same", "same\n".into()).unwrap();
    planner.generated("generated", "new\n".into()).unwrap();
    let append = |text: &str| -> EditResult { Ok(Edited::Changed(format!("{text}two\n"))) };
    let edit = Edit {
        advice: "add this at its end".into(),
        snippet: "two".into(),
        apply: Box::new(append),
    };
    planner.edit("list", None, &[edit]).unwrap();
    for path in ["gone/er/old", "gone/er/too", "deep/er/old"] {
        planner.remove_generated(path, |_| true).unwrap();
    }
    planner.finish(Some("new\n".into())).unwrap()
}

/// What the plan must come to: everything that differs from what was there.
fn done(dir: &Dir) -> bool {
    ["deep/er/new", "deep/tool", "generated", "PROJECT"]
        .iter()
        .all(|path| fs::read_to_string(dir.join(path)).is_ok_and(|text| text == "new\n"))
        && dir.text("list") == "one\ntwo\n"
        && dir.join("rop.lock").exists()
        && !dir.join("gone").exists()
        && !dir.join("deep/er/old").exists()
}

type State = (
    std::collections::BTreeMap<String, Vec<u8>>,
    std::collections::BTreeMap<String, u32>,
    Vec<std::time::SystemTime>,
);

fn state(dir: &Dir) -> State {
    let tree = support::tree(dir);
    let times = tree
        .keys()
        .map(|path| fs::metadata(dir.join(path)).unwrap().modified().unwrap());
    let times = times.collect();
    (tree, support::modes(dir), times)
}

/// Counts steps and does something at one of them.
struct At<F> {
    step: usize,
    seen: Vec<Step>,
    act: F,
}

impl<F: FnMut() -> io::Result<()>> Observer for At<F> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        self.seen.push(step.clone());
        match self.seen.len() - 1 == self.step {
            true => (self.act)(),
            false => Ok(()),
        }
    }
}

/// The steps of the plan when nothing goes wrong.
fn steps() -> Vec<Step> {
    let dir = Dir::new("steps");
    let mut observer = At {
        step: usize::MAX,
        seen: Vec::new(),
        act: || Ok(()),
    };
    planned(&dir)
        .apply(&Interrupt::default(), &mut observer)
        .unwrap();
    assert!(done(&dir));
    assert!(!dir.join(".rop-stage").exists());
    let modes = support::modes(&dir);
    assert_eq!((modes["deep/er/new"], modes["deep/er"]), (0o644, 0o755));
    observer.seen
}

#[test]
fn project_is_last() {
    let steps = steps();
    let renames = steps.iter().filter_map(|step| match step {
        Step::Rename(path) => path.file_name().and_then(|name| name.to_str()),
        _ => None,
    });
    let renames: Vec<_> = renames.collect();
    assert_eq!(renames[renames.len() - 2..], ["rop.lock", "PROJECT"]);
}

#[test]
fn an_error_at_any_step_changes_nothing() {
    let all = steps();
    let (clear, all) = all.split_last().unwrap();
    assert_eq!(*clear, Step::Clear);
    for (step, name) in all.iter().enumerate() {
        let dir = Dir::new("op");
        let plan = planned(&dir);
        let before = state(&dir);
        let act = || Err(io::Error::other("injected"));
        let mut observer = At {
            step,
            seen: Vec::new(),
            act,
        };
        let error = plan
            .apply(&Interrupt::default(), &mut observer)
            .unwrap_err();
        assert_eq!(observer.seen.len(), step + 1, "step {step} was hit");
        assert_eq!(error.exit_code(), 1);
        assert!(
            error
                .causes()
                .iter()
                .any(|cause| cause.contains("injected"))
        );
        assert!(state(&dir) == before, "{name:?}");
    }
}

/// A process of its own is killed at a step: `cargo test` runs this test again as that process.
const KILLED_IN: &str = "ROP_TEST_KILLED_IN";

fn child(signal: i32, step: usize, dir: &Dir) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "faults::the_process_that_gets_a_signal",
            "--nocapture",
        ])
        .env(KILLED_IN, &**dir)
        .env("ROP_TEST_SIGNAL", signal.to_string())
        .env("ROP_TEST_STEP", step.to_string());
    command
}

#[test]
fn the_process_that_gets_a_signal() {
    let Some(path) = std::env::var_os(KILLED_IN).map(PathBuf::from) else {
        return; // Only a helper of the tests below.
    };
    let number = |name| std::env::var(name).unwrap().parse::<i32>().unwrap();
    let signal = nix::sys::signal::Signal::try_from(number("ROP_TEST_SIGNAL")).unwrap();
    let root = Root::at(&path).unwrap();
    let mut planner = Planner::new(root, Policy::Stop, Record::new("0.0.0"));
    planner.create("deep/er/new", "new\n".into()).unwrap();
    planner.generated("generated", "new\n".into()).unwrap();
    planner.remove_generated("gone/er/old", |_| true).unwrap();
    let plan = planner.finish(Some("new\n".into())).unwrap();
    let act = || nix::sys::signal::raise(signal).map_err(io::Error::from);
    let step = number("ROP_TEST_STEP").try_into().unwrap();
    let mut observer = At {
        step,
        seen: Vec::new(),
        act,
    };
    let interrupt = Interrupt::catch().unwrap();
    let code = match plan.apply(&interrupt, &mut observer) {
        Ok(()) => 0,
        Err(error) => error.exit_code().into(),
    };
    std::process::exit(code);
}

/// Steps of the small plan that can be undone.
const SMALL_STEPS: usize = 23;
/// The step that writes the journal, after five files are verified, a stage made and four written.
const JOURNAL_STEP: usize = 10;

#[test]
fn a_signal_at_any_step_changes_nothing() {
    for (signal, code) in [(2, 130), (15, 143)] {
        let mut step = 0;
        loop {
            let dir = Dir::new("op");
            to_remove(&dir);
            dir.write("PROJECT", "old\n");
            dir.write("generated", "old\n");
            let before = state(&dir);
            let ended = child(signal, step, &dir).output().unwrap().status.code();
            if ended == Some(0) {
                break;
            }
            assert_eq!(ended, Some(code), "step {step}");
            assert!(state(&dir) == before, "step {step}");
            step += 1;
        }
        assert_eq!(step, SMALL_STEPS, "each step was hit");
    }
}

#[test]
fn a_kill_at_any_step_is_healed_by_the_next_command() {
    for step in 0..SMALL_STEPS {
        let dir = Dir::new("op");
        to_remove(&dir);
        dir.write("PROJECT", "old\n");
        dir.write("generated", "old\n");
        let before = state(&dir);
        let status = child(9, step, &dir).output().unwrap().status;
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(9),
            "step {step}"
        );
        for path in ["PROJECT", "generated"] {
            assert!(
                ["old\n", "new\n"].contains(&&*dir.text(path)),
                "{path} is whole"
            );
        }
        let root = Root::at(&dir).unwrap();
        let told = plan::recover(&root).unwrap();
        // Until the journal is written there is nothing to undo, and to tell of.
        assert_eq!(told.is_some(), step > JOURNAL_STEP, "step {step}");
        assert!(state(&dir) == before, "step {step}");
        assert!(!plan::is_unfinished(&root));
    }
}

/// The last step: all is done, only the stage is still there.
#[test]
fn a_kill_after_the_commit_loses_nothing() {
    let dir = Dir::new("op");
    to_remove(&dir);
    dir.write("PROJECT", "old\n");
    dir.write("generated", "old\n");
    child(9, SMALL_STEPS, &dir).output().unwrap();
    let root = Root::at(&dir).unwrap();
    assert!(plan::is_unfinished(&root));
    assert_eq!(plan::recover(&root).unwrap(), None);
    assert!(!plan::is_unfinished(&root));
    for path in ["PROJECT", "generated", "deep/er/new"] {
        assert_eq!(dir.text(path), "new\n");
    }
    assert!(!dir.join("gone").exists());
}

#[test]
fn what_the_user_changed_after_a_kill_is_kept() {
    let dir = Dir::new("op");
    to_remove(&dir);
    dir.write("PROJECT", "old\n");
    dir.write("generated", "old\n");
    // The last step: everything is in place, the journal still there.
    child(9, SMALL_STEPS - 1, &dir).output().unwrap();
    dir.write("generated", "mine\n");
    let told = plan::recover(&Root::at(&dir).unwrap()).unwrap().unwrap();
    assert!(told.contains("generated"), "{told}");
    assert_eq!(dir.text("generated"), "mine\n");
    assert_eq!(dir.text("PROJECT"), "old\n");
    assert!(!dir.join("deep").exists());
    assert_eq!(dir.text("gone/er/old"), "old\n");
}

/// Where a file was removed, somebody wrote another before the kill was healed.
#[test]
fn what_the_user_wrote_in_place_of_a_removed_file_is_kept() {
    let dir = Dir::new("op");
    to_remove(&dir);
    dir.write("PROJECT", "old\n");
    dir.write("generated", "old\n");
    child(9, SMALL_STEPS - 1, &dir).output().unwrap();
    dir.write("gone/er/old", "mine\n");
    let told = plan::recover(&Root::at(&dir).unwrap()).unwrap().unwrap();
    assert!(told.contains("gone/er/old"), "{told}");
    assert_eq!(dir.text("gone/er/old"), "mine\n");
    assert_eq!(dir.text("PROJECT"), "old\n");
}

#[test]
fn a_journal_that_cannot_be_read_is_kept() {
    for (path, text) in [("journal", "{"), ("journal/folder", "")] {
        let dir = Dir::new("op");
        dir.write(&format!(".rop-stage/{path}"), text);
        let before = state(&dir);
        let error = plan::recover(&Root::at(&dir).unwrap()).unwrap_err();
        assert_eq!(error.exit_code(), 1);
        assert!(error.message().contains("journal"), "{error}");
        assert!(state(&dir) == before);
    }
}

#[test]
fn a_change_between_plan_and_apply_stops_it() {
    let dir = Dir::new("op");
    let plan = planned(&dir);
    dir.write("list", "another\n");
    let before = state(&dir);
    let error = plan.apply(&Interrupt::default(), &mut ()).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.message().contains("list was changed"));
    assert!(state(&dir) == before);
}

#[test]
fn one_rop_at_a_time() {
    let dir = Dir::new("op");
    let plan = planned(&dir);
    let before = state(&dir);
    let lock = fs::File::open(&*dir).unwrap();
    lock.lock().unwrap();
    let error = plan.apply(&Interrupt::default(), &mut ()).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert!(error.message().contains("another rop command"));
    assert!(state(&dir) == before);
    drop(lock);
    plan.apply(&Interrupt::default(), &mut ()).unwrap();
    assert!(done(&dir));
}

/// Whoever heals may see the project at another path.
#[test]
fn a_project_that_moved_after_a_kill_is_healed() {
    let dir = Dir::new("op");
    to_remove(&dir);
    dir.write("PROJECT", "old\n");
    dir.write("generated", "old\n");
    let before = state(&dir);
    child(9, SMALL_STEPS - 1, &dir).output().unwrap();
    let moved = Dir::new("moved");
    fs::rename(&*dir, &*moved).unwrap();
    let told = plan::recover(&Root::at(&moved).unwrap()).unwrap();
    assert!(told.is_some());
    assert!(state(&moved) == before);
}

/// A repository of somebody else may hold a journal: it leads nowhere else.
#[test]
fn a_journal_does_not_lead_out_of_the_project() {
    let dir = Dir::new("op");
    let outside = Dir::new("outside");
    outside.write("victim", "text\n");
    std::os::unix::fs::symlink(&*outside, dir.join("link")).unwrap();
    let sum = "b9e68e1bea3e5b19ca6b2f98b73a54b73daafaa250484902e09982e07a12e733";
    let victim = outside.join("victim").display().to_string();
    let ways = [
        victim.clone(),
        "link/victim".into(),
        format!("x/../../{victim}"),
    ];
    for way in ways {
        let operation = serde_json::json!({
            "target": {"Unix": way.as_bytes()},
            "replaces": false,
            "new": sum,
            "missing": 0,
        });
        let journal = serde_json::json!({"operations": [operation]});
        dir.write(".rop-stage/journal", journal.to_string());
        let before = state(&dir);
        let error = plan::recover(&Root::at(&dir).unwrap()).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert!(error.message().contains("leads out"), "{error}");
        assert!(state(&dir) == before);
        assert_eq!(outside.text("victim"), "text\n", "{way}");
    }
    // Nor do the folders of a file that was removed.
    let operation = serde_json::json!({
        "target": {"Unix": b"link/new"}, "replaces": true, "new": null, "missing": 0, "folders": [0o755],
    });
    let text = dir.text(".rop-stage/journal");
    let journal = serde_json::json!({"operations": [operation]});
    dir.write(".rop-stage/journal", journal.to_string());
    dir.write(".rop-stage/old-0", "text\n");
    let error = plan::recover(&Root::at(&dir).unwrap()).unwrap_err();
    assert!(error.message().contains("leads out"), "{error}");
    assert!(!outside.join("new").exists());
    dir.write(".rop-stage/journal", text);
    // In the project, the same file would be taken away.
    dir.write("victim", "text\n");
    let text = dir.text(".rop-stage/journal");
    let mut journal: serde_json::Value = serde_json::from_str(&text).unwrap();
    journal["operations"][0]["target"] = serde_json::json!({"Unix": b"victim"});
    dir.write(".rop-stage/journal", journal.to_string());
    plan::recover(&Root::at(&dir).unwrap()).unwrap();
    assert!(!dir.join("victim").exists());
}

/// From the first read to the last write a command has the project for itself.
#[test]
fn a_plan_is_made_under_the_lock() {
    let dir = Dir::new("op");
    let root = Root::at(&dir).unwrap();
    plan::recover(&root).unwrap();
    let planner = Planner::new(root, Policy::Stop, Record::new("0.0.0"));
    let error = plan::recover(&Root::at(&dir).unwrap()).unwrap_err();
    assert!(error.message().contains("another rop command"), "{error}");
    drop(planner);
    plan::recover(&Root::at(&dir).unwrap()).unwrap();
}
