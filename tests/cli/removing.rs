//! Files that a plan removes: rop's own go, those that somebody changed stay or are asked about.
use crate::support::{self, Dir};
use rop::{
    plan::{Interrupt, Plan, Planner, Policy, Record, Root},
    ui::Action,
};
use std::{fs, os::unix::fs::symlink, process::Command};

fn planner(dir: &Dir, policy: Policy) -> Planner {
    let root = Root::at(dir).unwrap();
    let record = Record::of(&root, "0.0.0").unwrap();
    Planner::new(root, policy, record)
}

fn apply(plan: &Plan) {
    plan.apply(&Interrupt::default(), &mut ()).unwrap();
}

/// A project in which rop wrote `a/b/file`.
fn written() -> Dir {
    let dir = Dir::new("op");
    let mut planner = planner(&dir, Policy::Stop);
    planner.create("a/b/file", "one\ntwo\n".into()).unwrap();
    apply(&planner.finish(None).unwrap());
    assert!(dir.text("rop.lock").contains("a/b/file"));
    dir
}

fn removal(dir: &Dir, policy: Policy) -> Plan {
    let mut planner = planner(dir, policy);
    planner.remove("a/b/file").unwrap();
    planner.finish(None).unwrap()
}

fn actions(plan: &Plan) -> Vec<Action> {
    let changes = plan.changes().iter().filter(|c| c.path == "a/b/file");
    changes.map(|change| change.action).collect()
}

#[test]
fn what_rop_wrote_goes_with_its_folders_and_its_record() {
    for policy in [Policy::Stop, Policy::Force, Policy::SkipExisting] {
        let dir = written();
        dir.write("a/mine", "mine\n");
        let plan = removal(&dir, policy);
        assert_eq!(actions(&plan), [Action::Remove]);
        apply(&plan);
        let left: Vec<_> = support::modes(&dir).into_keys().collect();
        assert_eq!(left, ["", "a", "a/mine", "rop.lock"]);
        assert!(!dir.text("rop.lock").contains("a/b/file"));
        // Once more, there is nothing to do.
        let plan = removal(&dir, policy);
        assert_eq!(actions(&plan), []);
        assert!(plan.changes().iter().all(|c| c.action == Action::Identical));
    }
}

#[test]
fn what_somebody_changed_is_theirs() {
    for (policy, action, stays) in [
        (Policy::Stop, Action::Conflict, true),
        (Policy::SkipExisting, Action::Keep, true),
        (Policy::Force, Action::Remove, false),
    ] {
        let dir = written();
        dir.write("a/b/file", "mine\n");
        let plan = removal(&dir, policy);
        assert_eq!(actions(&plan), [action]);
        assert_eq!(plan.removes("a/b/file"), action == Action::Remove);
        assert_eq!(plan.choices().len(), usize::from(policy == Policy::Stop));
        match policy {
            Policy::Stop => {
                let conflict = &plan.conflicts()[0];
                assert_eq!(conflict.path, "a/b/file");
                assert_eq!(conflict.reason, "is to be removed, but you changed it");
            }
            _ => apply(&plan),
        }
        assert_eq!(dir.join("a/b/file").exists(), stays, "{policy:?}");
        assert_eq!(dir.join("a").exists(), stays, "{policy:?}");
    }
}

#[test]
fn a_link_is_not_followed_to_what_is_removed() {
    let dir = written();
    fs::rename(dir.join("a/b/file"), dir.join("elsewhere")).unwrap();
    symlink("../../elsewhere", dir.join("a/b/file")).unwrap();
    for policy in [Policy::Stop, Policy::Force] {
        let plan = removal(&dir, policy);
        assert_eq!(
            plan.conflicts()[0].reason,
            "is a link, and rop removes only files"
        );
        assert!(plan.choices().is_empty());
    }
    apply(&removal(&dir, Policy::SkipExisting));
    assert_eq!(dir.text("a/b/file"), "one\ntwo\n");

    // A link to a folder is followed, and stays.
    let dir = written();
    fs::rename(dir.join("a"), dir.join("real")).unwrap();
    symlink("real", dir.join("a")).unwrap();
    apply(&removal(&dir, Policy::Stop));
    assert!(dir.join("a").is_symlink());
    assert!(!dir.join("real").exists());
}

#[test]
fn the_diff_is_one_that_git_applies() {
    let dir = written();
    let plan = removal(&dir, Policy::Stop);
    let removed = "--- a/a/b/file\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";
    assert_eq!(plan.diff_of("a/b/file"), removed);
    let wanted = written();
    apply(&removal(&wanted, Policy::Stop));
    dir.write("../patch", plan.diff());
    let mut git = Command::new("git");
    support::run(git.args(["apply", "../patch"]), &dir).ok();
    assert!(support::tree(&dir) == support::tree(&wanted));
    assert!(!dir.join("a").exists());
}

/// What is planned is what counts: a source that goes has no markers any more.
#[test]
fn sources_that_go_are_none() {
    let dir = Dir::new("op");
    for path in ["src/a.rs", "src/b.rs"] {
        dir.write(path, "fn f() {}\n");
    }
    let mut planner = planner(&dir, Policy::Stop);
    planner.remove_generated("src/a.rs", |_| true).unwrap();
    planner.remove_generated("src/b.rs", |_| false).unwrap();
    let sources = planner.sources().unwrap();
    assert_eq!(sources.into_keys().collect::<Vec<_>>(), ["src/b.rs"]);
}
