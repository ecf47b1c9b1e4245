//! Two commands in one project at once: one wins, or both, one after the other.
use crate::{
    damage::{self, State},
    havoc,
    support::{CREATE, Dir},
};
use std::process::{Child, Command, Output, Stdio};

const OTHER: &str = "rop create api --group app --version v1alpha1 --kind Other";
const MARKER: &str =
    "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\nfn f() {}\n";

fn start(dir: &Dir, line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rop"))
        .args(line.split(' ').skip(1))
        .current_dir(&**dir)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// One after the other.
fn both(prepare: fn() -> Dir, first: &str, second: &str) -> State {
    let dir = prepare();
    for line in [first, second] {
        crate::support::line(&dir, line).ok();
    }
    State::of(&dir)
}

/// The loser says why, and has changed nothing.
#[track_caller]
fn lost(output: &Output) -> bool {
    let told = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => false,
        Some(1) => {
            assert!(told.contains("another rop command is at work"), "{told}");
            true
        }
        Some(3) => {
            assert!(told.contains("was changed while rop worked"), "{told}");
            true
        }
        _ => panic!("{told}"),
    }
}

/// Two lines at once, again and again; whoever loses is run once more.
fn race(prepare: fn() -> Dir, lines: [&str; 2]) {
    let alone = lines.map(|line| {
        let dir = prepare();
        crate::support::line(&dir, line).ok();
        State::of(&dir)
    });
    let wanted = both(prepare, lines[0], lines[1]);
    let reversed = both(prepare, lines[1], lines[0]);
    assert!(
        wanted.is_like(&reversed),
        "{}",
        wanted.differences(&reversed)
    );
    let rounds = (havoc::rounds() / 4).max(3);
    let mut losers = 0;
    for round in 0..rounds {
        let dir = prepare();
        let when = format!("{lines:?}, round {round}");
        let started = lines.map(|line| start(&dir, line));
        let ended = started.map(|child| lost(&child.wait_with_output().unwrap()));
        match ended {
            [false, false] => wanted.assert_reached(&dir, &when),
            [false, true] => alone[0].assert_reached(&dir, &when),
            [true, false] => alone[1].assert_reached(&dir, &when),
            [true, true] => panic!("{when}: nobody won"),
        }
        for (line, _) in lines.iter().zip(ended).filter(|(_, lost)| *lost) {
            crate::support::line(&dir, line).ok();
            losers += 1;
        }
        wanted.assert_reached(&dir, &when);
    }
    eprintln!("{rounds} races of {lines:?}, {losers} lost: 0 damaged trees");
}

#[test]
fn two_kinds_at_once() {
    race(damage::project, [CREATE, OTHER]);
}

#[test]
fn the_same_kind_at_once() {
    race(damage::project, [CREATE, CREATE]);
}

#[test]
fn a_kind_and_the_rights_at_once() {
    let prepare = || {
        let dir = damage::project();
        dir.write("src/more.rs", MARKER);
        dir
    };
    race(prepare, [CREATE, "rop generate rbac"]);
}

/// Also where the folder is not there yet.
#[test]
fn two_starts_at_once() {
    for line in [
        "rop init --domain example.com",
        "rop init --domain example.com deep/new-operator",
    ] {
        race(|| Dir::new("op"), [line, line]);
    }
}
