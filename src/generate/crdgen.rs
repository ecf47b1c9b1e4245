//! Runs the program `crdgen` of a project, which prints its CRDs.
#![expect(clippy::disallowed_methods, reason = "this file runs cargo")]
mod program;
mod talk;

pub use program::{Program, description_limit};
pub use talk::Terminal;

use crate::error::{Error, ErrorKind, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
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

/// How often an interruption is looked for.
const POLL: Duration = Duration::from_millis(50);
/// What cargo exits with when it fails, and Rust programs when they panic.
const CARGO_OR_PANIC: i32 = 101;

/// How to run `crdgen`.
pub struct Options<'a> {
    /// The program.
    pub program: Program,
    /// The path of cargo: `$CARGO`, or the one on `PATH`.
    pub cargo: OsString,
    /// Keeps cargo from showing what it builds.
    pub quiet: bool,
    /// The time after which it is ended, [`TIME_LIMIT`] as a rule.
    pub time_limit: Duration,
    /// Asked again and again: the signal that interrupted rop, if one has. Keys such as Ctrl-C do
    /// not reach the program, since it has a process group of its own.
    pub interrupted: &'a dyn Fn() -> Option<i32>,
    /// Takes what cargo and the program say, as it comes.
    pub hear: fn(&[u8]),
    /// Where that is shown, if it is a terminal.
    pub terminal: Option<Terminal>,
    /// Asked for the error that a panic of the program means; without one, it is shown as it is.
    pub explain: &'a dyn Fn(&str) -> Option<Error>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
        Self {
            program: Program::default(),
            cargo: cargo.unwrap_or_else(|| "cargo".into()),
            quiet: false,
            time_limit: TIME_LIMIT,
            interrupted: &|| None,
            hear: |_| (),
            terminal: None,
            explain: &|_| None,
        }
    }
}

/// What `cargo run --bin crdgen` prints in the folder of a project.
///
/// # Errors
/// Cargo is not found; there is no such program or it does not build; it fails, is killed or
/// takes too long. Of interruptions the kind is `Interrupted`, and no process is left.
pub fn run(root: &Path, options: &Options<'_>) -> Result<String> {
    let deadline = Instant::now() + options.time_limit;
    let bin = &options.program.bin;
    let mut command = cargo(root, options);
    command.arg("run").args(options.program.arguments());
    if options.quiet {
        command.arg("--quiet");
    }
    command.stderr(Stdio::piped());
    talk::as_on_a_terminal(&mut command, options.terminal);
    let Ended {
        status,
        output,
        panic,
    } = finish(command, deadline, options)?;
    if status.success() {
        return String::from_utf8(output).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let what = format!("what `{bin}` printed is not UTF-8, from byte {at} on");
            Error::failed(what).hint("JSON is UTF-8: serde_json prints nothing else")
        });
    }
    if let Some(error) = panic.as_deref().and_then(options.explain) {
        return Err(error);
    }
    let panicked = panic.as_deref().map(talk::panicked);
    (options.hear)(panic.unwrap_or_default().as_bytes());
    Err(match (status.signal(), status.code()) {
        (Some(signal), _) => {
            let name = Signal::try_from(signal).map_or("an unknown one", Signal::as_str);
            Error::failed(format!("`{bin}` was killed by signal {signal} ({name})"))
        }
        (_, Some(CARGO_OR_PANIC)) => match panicked {
            Some(panicked) => {
                Error::failed(format!("`{bin}` {panicked}")).hint("what it said is above")
            }
            None => diagnose(root, deadline, options)?,
        },
        (_, code) => {
            let code = code.unwrap_or(-1);
            Error::failed(format!("`{bin}` failed with exit status {code}"))
                .hint("what it said is above")
        }
    })
}

/// Tells apart what all ends with the same exit code.
fn diagnose(root: &Path, deadline: Instant, options: &Options<'_>) -> Result<Error> {
    let Program { bin, package } = &options.program;
    let mut metadata = cargo(root, options);
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    metadata.stderr(Stdio::null());
    let ended = finish(metadata, deadline, options)?;
    if !ended.status.success() {
        return Ok(Error::failed("cargo cannot read this project").hint("what it said is above"));
    }
    let with = program::packages_with(bin, &ended.output);
    let found = match package {
        Some(package) => with.iter().any(|owner| owner.name == *package),
        None => !with.is_empty(),
    };
    Ok(match &with[..] {
        _ if !found => options.program.missing(),
        [first, second, ..] if package.is_none() => {
            program::ambiguous(bin, &first.name, &second.name)
        }
        [owner] if package.is_none() && !owner.is_default => program::elsewhere(bin, &owner.name),
        _ => {
            let mut build = cargo(root, options);
            build
                .args(["build", "--quiet"])
                .args(options.program.arguments());
            build.stderr(Stdio::null());
            let ended = finish(build, deadline, options)?;
            let what = match ended.status.success() {
                true => format!("`{bin}` failed with exit status {CARGO_OR_PANIC}"),
                false => format!("`{bin}` does not build"),
            };
            Error::failed(what).hint("what was said is above")
        }
    })
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

/// What a command came to.
struct Ended {
    status: ExitStatus,
    output: Vec<u8>,
    panic: Option<String>,
}

/// Runs a command to its end, or ends it with all that it started.
fn finish(mut command: Command, deadline: Instant, options: &Options<'_>) -> Result<Ended> {
    let bin = &options.program.bin;
    let mut child = command.spawn().map_err(|e| not_started(&command, bin, e))?;
    let output = read(&mut child);
    let said = talk::listen(&mut child, options.hear);
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
                format!("interrupted while `{bin}` ran"),
            ));
        }
        if Instant::now() >= deadline {
            stop(&mut child);
            let limit = options.time_limit.as_secs();
            return Err(Error::failed(format!(
                "`{bin}` did not end within {limit} s, and was killed"
            )));
        }
        if text.is_some()
            && let Some(status) = child.try_wait().map_err(anyhow::Error::new)?
        {
            return Ok(Ended {
                status,
                output: text.unwrap_or_default(),
                // Somebody else may hold it open: what has not come by now is of no use.
                panic: said.recv_timeout(4 * POLL).ok().flatten(),
            });
        }
    }
}

fn not_started(command: &Command, bin: &str, error: io::Error) -> Error {
    let program = command.get_program().to_string_lossy();
    let folder = command.get_current_dir().unwrap_or(Path::new(""));
    if error.kind() == io::ErrorKind::NotFound && folder.is_dir() {
        return Error::failed(format!(
            "`{program}` is not found: it builds and runs `{bin}`"
        ))
        .hint("install Rust from https://rustup.rs, or set CARGO to the path of cargo");
    }
    let context = format!("cannot start `{program}` in {}", folder.display());
    anyhow::Error::new(error).context(context).into()
}

/// Reads what a process prints, which ends when all that hold its output have ended.
fn read(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is judged by what it is.
            let _ = stdout.read_to_end(&mut bytes);
            // The other end is gone when the process was ended.
            let _ = sender.send(bytes);
        });
    }
    receiver
}
