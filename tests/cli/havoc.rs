//! Signals at random moments, for the rop that users run.
use crate::{
    damage::{self, State},
    support::{self, CREATE, Dir},
};
use nix::sys::signal::{Signal, kill};
use std::{
    os::unix::process::ExitStatusExt as _,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

/// How often the tests that try their luck do so: `tests/havoc.sh` asks for more.
pub fn rounds() -> usize {
    let rounds = std::env::var("ROP_HAVOC_ROUNDS");
    rounds.map_or(1, |rounds| {
        rounds.parse().expect("ROP_HAVOC_ROUNDS is a number")
    })
}

/// A moment of the few ms that a debug build writes for.
fn random_moment() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Duration::from_micros(u64::from(now.unwrap().subsec_nanos()) / 10 % 5_000)
}

/// A project and a rop that writes to it, with what was there before; one that is done before
/// anybody sees it write is of no use here.
fn at_work() -> (Dir, State, Child) {
    loop {
        let dir = damage::project();
        let before = State::of(&dir);
        let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"))
            .args(CREATE.split(' ').skip(1))
            .current_dir(&*dir)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while rop.try_wait().unwrap().is_none() {
            if dir.join(".rop-stage").exists() {
                return (dir, before, rop);
            }
        }
    }
}

/// rop is stopped while it writes, and gets the signal when it goes on.
#[test]
fn signals_at_random_moments() {
    let finished = damage::project();
    support::line(&finished, CREATE).ok();
    let wanted = State::of(&finished);
    let rounds = rounds().max(6);
    let (mut undone, mut killed) = (0, 0);
    for round in 0..rounds {
        let (dir, before, mut rop) = at_work();
        thread::sleep(random_moment());
        let signal = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL][round % 3];
        let when = format!("round {round}, {signal}");
        // The process is not waited for yet, so its id is still its own.
        kill(support::pid(&rop), Signal::SIGSTOP).unwrap();
        kill(support::pid(&rop), signal).unwrap();
        kill(support::pid(&rop), Signal::SIGCONT).unwrap();
        let status = rop.wait().unwrap();
        State::assert_whole(&dir, &before, &wanted, &when);
        match (status.code(), status.signal()) {
            (Some(0), _) => {}
            (Some(code), _) => {
                assert_eq!(code, 128 + signal as i32, "{when}");
                before.assert_untouched(&dir, &when);
                undone += 1;
            }
            (None, number) => {
                assert_eq!(number, Some(Signal::SIGKILL as i32), "{when}");
                killed += 1;
            }
        }
        support::line(&dir, CREATE).ok();
        wanted.assert_reached(&dir, &when);
    }
    eprintln!("{rounds} signals, {undone} undone, {killed} killed and healed: 0 damaged trees");
}
