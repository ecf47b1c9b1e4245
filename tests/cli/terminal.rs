//! `rop envtest run` at a terminal: keys, a hang-up, and a shell with job control.
use crate::{
    control_plane,
    pty::{CTRL_C, PATIENCE, Terminal},
    support::Dir,
};
use nix::sys::signal::Signal;
use std::{
    fs,
    ops::{Deref, DerefMut},
    os::unix::process::ExitStatusExt as _,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// A line of its own: the command line is shown, too.
const READY: &str = "\nready";
const PROMPT: &str = "prompt> ";

/// Counts the SIGINTs that reach it, and ends by the second.
const STUBBORN: &str = r#"
trap 'n=$((n + 1)); echo "interrupt $n"; [ $n -lt 2 ] || exit 9' INT
echo ready
while :; do sleep 0.05; done
"#;

/// A terminal with `rop envtest run`. Whatever this leaves behind can be told by the folder of the
/// test: each process has it on its command line, and it is the temporary one.
struct Envtest {
    terminal: Terminal,
    dir: Dir,
}

impl Envtest {
    /// Runs words of a shell.
    fn new(words: &str) -> Self {
        let dir = Dir::new("terminal");
        let script = format!("exec \"$0\" envtest run -- {words}");
        let terminal = Terminal::new(&script, |command| {
            command
                .arg(&*dir)
                .current_dir(&*dir)
                .env("KUBEBUILDER_ASSETS", control_plane::assets_folder())
                .env("STUBBORN", STUBBORN)
                .env("TMPDIR", &*dir)
                .env("HOME", &*dir)
                .env("HISTFILE", "")
                .env("PS1", PROMPT)
        });
        Self { terminal, dir }
    }

    /// Waits for rop to end with this code, as a shell tells it, and for all to be gone.
    #[track_caller]
    fn ends(&mut self, code: i32) {
        self.terminal.ends(code);
        self.is_all_gone();
    }

    #[track_caller]
    fn is_all_gone(&self) {
        let until = Instant::now() + PATIENCE;
        loop {
            let (processes, folders) = (processes(&self.dir), folders(&self.dir));
            if processes.is_empty() && folders.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{processes:#?} {folders:?} stay");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a server of this name runs.
    #[track_caller]
    fn has(&self, server: &str) {
        let until = Instant::now() + PATIENCE;
        while !processes(&self.dir).iter().any(|p| p.contains(server)) {
            assert!(Instant::now() < until, "no {server} runs");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Deref for Envtest {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
    }
}

impl DerefMut for Envtest {
    fn deref_mut(&mut self) -> &mut Terminal {
        &mut self.terminal
    }
}

/// The folders of control planes.
fn folders(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("rop-")).collect()
}

/// The command lines of all processes that name a folder.
fn processes(dir: &Path) -> Vec<String> {
    let dir = dir.to_str().unwrap();
    let all = fs::read_dir("/proc").unwrap().flatten();
    // One that has just ended cannot be read.
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(dir)).collect()
}

/// The command hears each Ctrl-C once, from the terminal, and rop waits for it; also where the
/// terminal is not its stdin.
#[test]
fn ctrl_c_twice() {
    for stdin in ["", "</dev/null"] {
        let words = format!(r#"sh -c "$STUBBORN" "$1" {stdin}"#);
        let mut terminal = Envtest::new(&words);
        terminal.shows(READY);
        terminal.types(CTRL_C);
        terminal.shows("interrupt 1");
        // Time enough for rop to pass it on, which it must not do.
        thread::sleep(Duration::from_secs(1));
        terminal.look();
        assert!(!terminal.shown.contains("interrupt 2"), "{stdin}");
        terminal.has("etcd");
        terminal.types(CTRL_C);
        terminal.shows("interrupt 2");
        terminal.ends(9);
    }
}

/// As in a shell, also where the key comes before the command.
#[test]
fn ctrl_c_ends_a_command() {
    for moment in ["Running", READY] {
        let words = r#"sh -c 'echo ready; exec tail -f /dev/null' "$1""#;
        let mut terminal = Envtest::new(words);
        terminal.shows(moment);
        terminal.types(CTRL_C);
        terminal.ends(130);
    }
}

/// At any moment of it.
#[test]
fn ctrl_c_while_the_control_plane_starts() {
    for server in [None, Some("etcd"), Some("kube-apiserver")] {
        let mut terminal = Envtest::new(r#"sh -c 'echo ready' "$1""#);
        terminal.shows("Starting");
        if let Some(server) = server {
            terminal.has(server);
        }
        terminal.types(CTRL_C);
        terminal.ends(130);
        assert!(!terminal.shown.contains(READY), "{}", terminal.shown);
    }
}

/// The window is closed, while a command runs that would not mind.
#[test]
fn hang_up() {
    let words = r#"sh -c 'trap "" HUP; echo ready; while :; do sleep 0.05; done' "$1""#;
    let mut terminal = Envtest::new(words);
    terminal.shows(READY);
    terminal.has("etcd");
    // The watchdog learns of the command only after its start: one that has just begun would stay.
    thread::sleep(Duration::from_secs(1));
    let status = terminal.close();
    assert_eq!(status.signal(), Some(Signal::SIGHUP as i32));
    terminal.is_all_gone();
}

/// A shell takes the terminal for itself and gives it to each of its commands in turn: the keys
/// are theirs alone.
#[test]
fn a_shell_with_job_control() {
    let mut terminal = Envtest::new("bash --norc -i");
    // What is typed before a prompt is lost with the line that Ctrl-C ends.
    terminal.shows(PROMPT);
    terminal.types("kubectl get namespaces --output name\n");
    terminal.shows("namespace/default");
    terminal.shows(PROMPT);
    terminal.types("sh -c 'echo slee\"\"ping; exec tail -f /dev/null'\n");
    terminal.shows("sleeping");
    terminal.types(CTRL_C);
    terminal.shows(PROMPT);
    terminal.types("echo code:$?:\n");
    terminal.shows("code:130:");
    terminal.shows(PROMPT);

    // At the prompt, it is the shell's.
    terminal.types(CTRL_C);
    terminal.shows(PROMPT);
    terminal.types("tail -f /dev/null & jobs -r; kill %1; wait %1; echo code:$?:\n");
    terminal.shows("Running");
    terminal.shows("code:143:");
    terminal.has("etcd");
    terminal.shows(PROMPT);
    terminal.types("exit 7\n");
    terminal.ends(7);
}
