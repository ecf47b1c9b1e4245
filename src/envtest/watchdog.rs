//! Ends what a control plane started, however its owner ends.
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::error::Result;

/// Makes the folder, then blocks until its input ends, which is when the last holder of the pipe is gone. A line of
/// it is the id of one more process to kill, or empty for none.
///
/// On Linux it also kills all that have the folder in their environment: whatever a command started has, since its
/// kubeconfig is there, and however it left its session and its parents. It looks again after each find, for a
/// process may just have started another.
///
/// `rm` is repeated because a server that is just being killed may still add a file.
const SCRIPT: &str = r#"
trap '' HUP INT PIPE TERM
folder=$(mktemp -d "$1/rop-envtest-XXXXXXXX") || exit 1
printf '%s\n' "$folder"
process=
while read -r line; do process=$line; done
kill -s KILL -- "-$2" 2>/dev/null
[ -z "$process" ] || kill -s KILL "$process" 2>/dev/null
sweep() {
    found=$(grep -lsF -- "$folder/" /proc/[0-9]*/environ)
    for file in $found; do
        file=${file#/proc/}
        kill -s KILL "${file%/environ}" 2>/dev/null
    done
    [ -n "$found" ]
}
for _ in 1 2 3 4 5; do
    sweep && sweep && sweep
    rm -rf "$folder" && exit 0
    sleep 1
done
"#;

const END_LIMIT: Duration = Duration::from_secs(10);

/// A shell that reads a pipe whose only writer is this process (std opens it close-on-exec). When the pipe closes,
/// by [`Drop`] or because the process ended, SIGKILL included, it kills a process group and whatever uses a folder, and
/// removes the folder.
///
/// The group exists before the watchdog and the watchdog before the folder and any server, so there is no moment
/// at which something could be left behind. Its leader does nothing but wait for the same end.
pub(super) struct Watchdog {
    folder: PathBuf,
    group_leader: Child,
    shell: Child,
}

impl Watchdog {
    /// Starts the watchdog over a new empty folder (mode 0700) in the system's temporary folder.
    ///
    /// # Errors
    /// There is no `/bin/sh`, or the folder cannot be made.
    pub(super) fn start() -> Result<Self> {
        let group_leader = shell("read -r _").spawn();
        let group_leader = group_leader.context("cannot run /bin/sh")?;
        let temporary = std::path::absolute(std::env::temp_dir());
        let temporary = temporary.context("there is no temporary folder")?;
        let shell = shell(SCRIPT)
            .arg("rop-envtest-watchdog")
            .arg(&temporary)
            .arg(group_leader.id().to_string())
            .stdout(Stdio::piped())
            .spawn();
        let mut watchdog = Self {
            folder: PathBuf::new(),
            group_leader,
            shell: shell.context("cannot run /bin/sh")?,
        };
        let folder = watchdog.read_folder();
        watchdog.folder =
            folder.with_context(|| format!("cannot make a folder in {}", temporary.display()))?;
        Ok(watchdog)
    }

    fn read_folder(&mut self) -> anyhow::Result<PathBuf> {
        let stdout = self.shell.stdout.take().expect("stdout is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        match line.strip_suffix('\n') {
            Some(folder) => Ok(PathBuf::from(folder)),
            None => Err(anyhow!("mktemp failed")),
        }
    }

    /// The folder that goes with the control plane.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The process group that goes with the control plane. Not the terminal's: Ctrl-C does not reach it.
    pub(super) fn process_group(&self) -> i32 {
        raw_pid(&self.group_leader)
    }

    /// One more process to kill, outside of the group: a command that needs the terminal.
    pub(super) fn take_along(&self, process: Option<u32>) {
        let line = process.map_or_else(String::new, |id| id.to_string());
        if let Some(mut input) = self.shell.stdin.as_ref() {
            // It fails only when someone killed the watchdog.
            let _ = writeln!(input, "{line}");
        }
    }

    /// The process ids of the watchdog's own two shells.
    pub(super) fn pids(&self) -> [u32; 2] {
        [self.group_leader.id(), self.shell.id()]
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let until = Instant::now() + END_LIMIT;
        while matches!(self.shell.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        // No-ops, unless someone killed the watchdog. Nobody could be told of a failure here.
        let _ = killpg(Pid::from_raw(self.process_group()), Signal::SIGKILL);
        let _ = self.shell.kill();
        let _ = self.shell.wait();
        let _ = self.group_leader.wait();
        if !self.folder.as_os_str().is_empty() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// A shell in a process group of its own that reads a pipe of ours and keeps no folder of the user busy.
fn shell(script: &str) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", script])
        .env_clear()
        .env("PATH", format!("/usr/bin:/bin:{path}"))
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn raw_pid(child: &Child) -> i32 {
    i32::try_from(child.id()).expect("process ids are positive i32")
}
