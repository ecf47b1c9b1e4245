//! One server process and its log.
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, anyhow};
use nix::errno::Errno;

use super::assets::platform;
use super::watchdog::Watchdog;
use crate::error::{Error, Result};

const TAIL_LINES: usize = 25;

/// A running server. Dropping it kills it at once: there is nothing to save.
pub(super) struct Server {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Server {
    /// Starts the program in the watchdog's process group. Its output goes to `NAME.log` in the watchdog's folder,
    /// or to our stderr when `KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT` is `true`.
    ///
    /// It gets an empty environment: etcd takes settings from `ETCD_*`, and nothing here may use a proxy.
    ///
    /// # Errors
    /// The program cannot run on this machine.
    pub(super) fn spawn(
        name: &'static str,
        program: &Path,
        flags: &[OsString],
        watchdog: &Watchdog,
    ) -> Result<Self> {
        let log = watchdog.folder().join(format!("{name}.log"));
        let (stdout, stderr) = output(&log).context("cannot write a log")?;
        let child = Command::new(program)
            .args(flags)
            .env_clear()
            .process_group(watchdog.process_group())
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .spawn();
        let child = child.map_err(|error| cannot_run(program, error))?;
        Ok(Self { name, child, log })
    }

    /// Fails, with the end of the log, when the server is not running any more.
    ///
    /// # Errors
    /// See above.
    pub(super) fn check(&mut self) -> Result<()> {
        let name = self.name;
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => {
                let log = anyhow!("{}", self.log_tail());
                Err(log.context(format!("{name} ended ({status})")).into())
            }
            Err(error) => Err(anyhow!(error)
                .context(format!("cannot wait for {name}"))
                .into()),
        }
    }

    /// The last lines of the log.
    pub(super) fn log_tail(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        let tail = &lines[lines.len().saturating_sub(TAIL_LINES)..];
        format!("the end of its log:\n{}", tail.join("\n"))
    }

    /// Its process id.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only when it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where stdout and stderr of a server go. Never a pipe: one that nobody reads would block the server.
fn output(log: &Path) -> io::Result<(Stdio, Stdio)> {
    let attach = std::env::var_os("KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT");
    if attach.is_some_and(|value| value == "true") {
        // Our stdout is for data.
        let stderr = io::stderr().as_fd().try_clone_to_owned()?;
        return Ok((stderr.into(), Stdio::inherit()));
    }
    let file = File::options().create(true).append(true).open(log)?;
    Ok((file.try_clone()?.into(), file.into()))
}

fn cannot_run(program: &Path, error: io::Error) -> Error {
    const OTHER_ARCHITECTURE_ON_MACOS: i32 = 86; // EBADARCH of <sys/errno.h>
    let place = program.display();
    let foreign = error.raw_os_error().is_some_and(|code| {
        code == Errno::ENOEXEC as i32
            || cfg!(target_os = "macos") && code == OTHER_ARCHITECTURE_ON_MACOS
    });
    if foreign {
        let here = platform();
        return Error::failed(format!("{place} is not a program for {here}"))
            .hint(format!("use binaries that are built for {here}"));
    }
    anyhow!(error).context(format!("cannot run {place}")).into()
}
