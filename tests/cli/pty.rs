//! A terminal: what is typed there, and what it shows.
use crate::support;
use nix::{
    fcntl::OFlag,
    pty::{PtyMaster, grantpt, posix_openpt, ptsname_r, unlockpt},
    sys::{
        signal::{Signal, kill},
        termios::{Termios, tcgetattr},
    },
};
use std::{
    fs::File,
    io::{ErrorKind, Read as _, Write as _},
    os::unix::{fs::OpenOptionsExt as _, process::ExitStatusExt as _},
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";

/// Far more than anything here takes, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal with one command as all that runs there.
pub struct Terminal {
    keyboard: Option<PtyMaster>,
    screen: File,
    child: Child,
    pub shown: String,
    /// How much of what was shown has been waited for.
    seen: usize,
}

impl Terminal {
    /// Runs a script, in which `$0` is rop.
    pub fn new(script: &str, set_up: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let keyboard = posix_openpt(flags).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let screen = File::options()
            .read(true)
            .write(true)
            .custom_flags(OFlag::O_NOCTTY.bits())
            .open(ptsname_r(&keyboard).unwrap())
            .unwrap();
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", "sh", "-c", script])
            .arg(env!("CARGO_BIN_EXE_rop"))
            .stdin(screen.try_clone().unwrap())
            .stdout(screen.try_clone().unwrap())
            .stderr(screen.try_clone().unwrap());
        Self {
            keyboard: Some(keyboard),
            screen,
            child: set_up(&mut command).spawn().unwrap(),
            shown: String::new(),
            seen: 0,
        }
    }

    pub fn types(&mut self, keys: &str) {
        let keyboard = self.keyboard.as_mut().unwrap();
        keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Takes what is on the screen by now.
    pub fn look(&mut self) {
        let keyboard = self.keyboard.as_mut().unwrap();
        let mut bytes = [0; 4096];
        loop {
            match keyboard.read(&mut bytes) {
                Ok(count) if count > 0 => {
                    self.shown += &String::from_utf8_lossy(&bytes[..count]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Nothing now.
                _ => return,
            }
        }
    }

    /// Waits for a text that has not been waited for yet.
    #[track_caller]
    pub fn shows(&mut self, text: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            self.look();
            if let Some(at) = self.shown[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            assert!(Instant::now() < until, "no {text} in {}", self.shown);
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// How the terminal treats what is typed and shown.
    pub fn modes(&self) -> Termios {
        tcgetattr(&self.screen).unwrap()
    }

    /// Sends a signal to the command alone.
    pub fn signal(&self, signal: Signal) {
        kill(support::pid(&self.child), signal).unwrap();
    }

    /// Closes the window, which hangs up on the command.
    pub fn close(&mut self) -> ExitStatus {
        self.keyboard = None;
        self.child.wait().unwrap()
    }

    /// Waits for the command to end with this code, as a shell tells it.
    #[track_caller]
    pub fn ends(&mut self, code: i32) {
        let until = Instant::now() + PATIENCE;
        let status = loop {
            self.look();
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < until, "it runs on: {}", self.shown);
            thread::sleep(Duration::from_millis(10));
        };
        self.look();
        let ended = status.code().or(status.signal().map(|number| 128 + number));
        assert_eq!(ended, Some(code), "{}", self.shown);
    }
}

/// A test that fails leaves no process either.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
