//! What cargo and the program say: it is passed on as it comes, but for a panic.
use std::{
    env,
    io::Read as _,
    process::{Child, Command},
    sync::mpsc::{self, Receiver},
    thread,
};

/// How a panic begins, at the start of a line.
const THREAD: &[u8] = b"thread '";

/// The terminal on which is shown what cargo says.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Its columns.
    pub width: u16,
    /// Whether colors are wanted.
    pub color: bool,
}

/// Makes cargo show on a terminal what it would show there if it knew it.
pub(super) fn as_on_a_terminal(command: &mut Command, terminal: Option<Terminal>) {
    let Some(Terminal { width, color }) = terminal else {
        return;
    };
    let color = if color { "always" } else { "never" };
    for (name, value) in [
        ("CARGO_TERM_COLOR", color),
        ("CARGO_TERM_PROGRESS_WHEN", "always"),
        ("CARGO_TERM_PROGRESS_WIDTH", &width.to_string()),
    ] {
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
}

/// Passes on what a process says. What comes at its end is the text of its panic, if there is one.
pub(super) fn listen(child: &mut Child, hear: fn(&[u8])) -> Receiver<Option<String>> {
    let (sender, receiver) = mpsc::channel();
    let Some(mut stderr) = child.stderr.take() else {
        let _ = sender.send(None);
        return receiver;
    };
    thread::spawn(move || {
        let mut talk = Talk::new(hear);
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = stderr.read(&mut bytes) {
            talk.take(&bytes[..count]);
        }
        // The other end is gone when the process was ended.
        let _ = sender.send(talk.end());
    });
    receiver
}

struct Talk<F> {
    hear: F,
    /// The line so far, while it may be the first of a panic.
    line: Vec<u8>,
    /// Whether the rest of the line is passed on.
    passes: bool,
    panic: Option<Vec<u8>>,
}

impl<F: Fn(&[u8])> Talk<F> {
    fn new(hear: F) -> Self {
        Self {
            hear,
            line: Vec::new(),
            passes: false,
            panic: None,
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| b"\n\r".contains(byte)) {
            if let Some(panic) = &mut self.panic {
                panic.extend(part);
                continue;
            }
            self.line.extend(part);
            let ends = part.ends_with(b"\n") || part.ends_with(b"\r");
            let may_panic =
                !self.passes && (self.line.starts_with(THREAD) || THREAD.starts_with(&self.line));
            if ends && may_panic && is_panic(&self.line) {
                self.panic = Some(std::mem::take(&mut self.line));
            } else if ends || !may_panic {
                (self.hear)(&self.line);
                self.line.clear();
            }
            self.passes = !ends && !may_panic;
        }
    }

    fn end(self) -> Option<String> {
        (self.hear)(&self.line);
        let panic = self.panic?;
        Some(String::from_utf8_lossy(&panic).into_owned())
    }
}

fn is_panic(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).contains(" panicked at ")
}

/// Where a program panicked, and the first line of why.
pub(super) fn panicked(text: &str) -> String {
    let (_, rest) = text.split_once(" panicked at ").unwrap_or_default();
    let mut lines = rest.lines().map(str::trim);
    let place = lines.next().unwrap_or_default();
    let why: String = lines.next().unwrap_or_default().chars().take(200).collect();
    format!("panicked at {place} {why}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// However the bytes come, what is passed on and what is kept is the same.
    #[test]
    fn a_panic_is_kept_and_all_else_passed_on() {
        let said = "   Compiling a\rthread safety\nthe thread 'x' panicked at y\nthread 'é\nend\n";
        let panic = "thread 'main' (12) panicked at src/a.rs:1:2:\nwhy\nnote: more";
        for text in [
            said.to_owned(),
            format!("{said}\n{panic}"),
            format!("{said}thread 'a"),
        ] {
            for size in [1, 2, 7, 1000] {
                let heard = RefCell::new(Vec::new());
                let mut talk = Talk::new(|bytes: &[u8]| heard.borrow_mut().extend(bytes));
                text.as_bytes()
                    .chunks(size)
                    .for_each(|part| talk.take(part));
                let kept = talk.end().unwrap_or_default();
                let heard = String::from_utf8(heard.into_inner()).expect("UTF-8");
                assert_eq!(heard + &kept, text);
                assert_eq!(kept, if text.ends_with("more") { panic } else { "" });
            }
        }
    }
}
