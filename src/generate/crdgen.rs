//! Runs the program `crdgen` of a project, which prints its CRDs.
#![expect(clippy::disallowed_methods, reason = "this file runs cargo")]
use crate::error::{Error, ErrorKind, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long `crdgen` may take, with what has to be built for it.
pub const TIME_LIMIT: Duration = Duration::from_secs(600);

/// The program's name among the binaries of the workspace.
const BIN: &str = "crdgen";
/// How often an interruption is looked for.
const POLL: Duration = Duration::from_millis(50);
/// What cargo exits with when it fails, and Rust programs when they panic.
const CARGO_OR_PANIC: i32 = 101;

/// How to run `crdgen`.
pub struct Options<'a> {
    /// The path of cargo: `$CARGO`, or the one on `PATH`.
    pub cargo: OsString,
    /// Keeps cargo from showing what it builds.
    pub quiet: bool,
    /// The time after which it is ended, [`TIME_LIMIT`] as a rule.
    pub time_limit: Duration,
    /// Asked again and again: the signal that interrupted rop, if one has. Keys such as Ctrl-C do
    /// not reach the program, since it has a process group of its own.
    pub interrupted: &'a dyn Fn() -> Option<i32>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
        Self {
            cargo: cargo.unwrap_or_else(|| "cargo".into()),
            quiet: false,
            time_limit: TIME_LIMIT,
            interrupted: &|| None,
        }
    }
}

/// What `cargo run --bin crdgen` prints in the folder of a project. The talk of cargo and of the
/// program goes to standard error.
///
/// # Errors
/// Cargo is not found; there is no such program or it does not build; it fails, is killed or
/// takes too long. Of interruptions the kind is `Interrupted`, and no process is left.
pub fn run(root: &Path, options: &Options<'_>) -> Result<String> {
    let deadline = Instant::now() + options.time_limit;
    let mut command = cargo(root, options);
    command.args(["run", "--bin", BIN]);
    if options.quiet {
        command.arg("--quiet");
    }
    let (status, output) = finish(command, deadline, options)?;
    if status.success() {
        return Ok(output);
    }
    Err(match (status.signal(), status.code()) {
        (Some(signal), _) => {
            let name = Signal::try_from(signal).map_or("an unknown one", Signal::as_str);
            Error::failed(format!("`{BIN}` was killed by signal {signal} ({name})"))
        }
        (_, Some(CARGO_OR_PANIC)) => diagnose(root, deadline, options)?,
        (_, code) => Error::failed(format!(
            "`{BIN}` failed with exit status {}",
            code.unwrap_or(-1)
        ))
        .hint("what it said is above"),
    })
}

/// Tells apart what all ends with the same exit code.
fn diagnose(root: &Path, deadline: Instant, options: &Options<'_>) -> Result<Error> {
    let mut metadata = cargo(root, options);
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    metadata.stderr(Stdio::null());
    let (status, output) = finish(metadata, deadline, options)?;
    if !status.success() {
        return Ok(Error::failed("cargo cannot read this project").hint("what it said is above"));
    }
    if !has_bin(&output) {
        return Ok(Error::failed(format!("no package of this project has a program `{BIN}`"))
            .hint(format!("add a [[bin]] of the name `{BIN}` whose `main` prints the project's CRDs as a JSON array")));
    }
    let mut build = cargo(root, options);
    build
        .args(["build", "--quiet", "--bin", BIN])
        .stderr(Stdio::null());
    let (status, _) = finish(build, deadline, options)?;
    let what = match status.success() {
        true => format!("`{BIN}` failed with exit status {CARGO_OR_PANIC}, as it does on a panic"),
        false => format!("`{BIN}` does not build"),
    };
    Ok(Error::failed(what).hint("what was said is above"))
}

/// Whether cargo's metadata knows the program.
fn has_bin(metadata: &str) -> bool {
    let metadata: Value = serde_json::from_str(metadata).unwrap_or_default();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut targets =
        packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    targets.any(|target| target["name"] == BIN && target["kind"] == serde_json::json!(["bin"]))
}

fn cargo(root: &Path, options: &Options<'_>) -> Command {
    let mut command = Command::new(&options.cargo);
    command
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0);
    command
}

/// Runs a command to its end, or ends it with all that it started.
fn finish(
    mut command: Command,
    deadline: Instant,
    options: &Options<'_>,
) -> Result<(ExitStatus, String)> {
    let mut child = command.spawn().map_err(|e| not_started(&command, e))?;
    let output = read(&mut child);
    let stop = |child: &mut Child| {
        let group = i32::try_from(child.id()).map(Pid::from_raw);
        // The process may be gone already.
        let _ = group.map(|group| killpg(group, Signal::SIGKILL));
        let _ = child.wait();
    };
    let mut text = None;
    loop {
        match output.recv_timeout(POLL) {
            Ok(output) => text = Some(output),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(POLL / 10),
        }
        if let Some(signal) = (options.interrupted)() {
            stop(&mut child);
            return Err(Error::new(
                ErrorKind::Interrupted(signal),
                format!("interrupted while `{BIN}` ran"),
            ));
        }
        if Instant::now() >= deadline {
            stop(&mut child);
            let limit = options.time_limit.as_secs();
            return Err(Error::failed(format!(
                "`{BIN}` did not end within {limit} s, and was killed"
            )));
        }
        if text.is_some()
            && let Some(status) = child.try_wait().map_err(anyhow::Error::new)?
        {
            return Ok((status, text.unwrap_or_default()));
        }
    }
}

fn not_started(command: &Command, error: io::Error) -> Error {
    let program = command.get_program().to_string_lossy();
    let folder = command.get_current_dir().unwrap_or(Path::new(""));
    if error.kind() == io::ErrorKind::NotFound && folder.is_dir() {
        return Error::failed(format!(
            "`{program}` is not found: it builds and runs `{BIN}`"
        ))
        .hint("install Rust from https://rustup.rs, or set CARGO to the path of cargo");
    }
    let context = format!("cannot start `{program}` in {}", folder.display());
    anyhow::Error::new(error).context(context).into()
}

/// Reads what a process prints, which ends when all that hold its output have ended.
fn read(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is judged by what it is.
            let _ = stdout.read_to_end(&mut bytes);
            // The other end is gone when the process was ended.
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    receiver
}
