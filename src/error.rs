//! What went wrong, its exit code and the way out.
use std::{fmt, io};

/// Result of everything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What sort of failure it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line is wrong: exit code 2.
    Usage,
    /// A name or value is invalid by itself: exit code 2.
    Invalid,
    /// Something failed: exit code 1.
    Failed,
    /// Conflicts, drift or findings; nothing was written: exit code 3.
    Conflict,
    /// Ended by this signal, nothing left behind: exit code 128 + its number.
    Interrupted(i32),
    /// The command that rop was asked to run is not there: exit code 127, as in a shell.
    NoCommand,
    /// The command that rop was asked to run cannot be run: exit code 126, as in a shell.
    NotExecutable,
    /// A bug in rop: exit code 1.
    Internal,
}

/// A failure: what, why (the causes) and the exact fix (the hints).
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    error: anyhow::Error,
    hints: Vec<String>,
}

impl Error {
    /// A failure of this kind.
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let error = anyhow::anyhow!("{message}");
        Self::from(error).with_kind(kind)
    }

    /// A wrong command line.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A name or value that is invalid by itself.
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    /// Something that failed.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    /// A conflict with what is there; nothing was written.
    pub fn conflict(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Conflict, message)
    }

    /// A signal of this number came; nothing is left behind.
    pub fn interrupted(signal: i32) -> Self {
        let kind = ErrorKind::Interrupted(signal);
        Self::new(kind, "interrupted; nothing was changed")
    }

    /// A bug in rop.
    pub fn internal(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// Refuses a text in which version control left a merge for the user to decide.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`], with the line of the first mark.
    pub fn refuse_merge_marks(path: &str, text: &str) -> Result<()> {
        let mark = text.lines().position(|line| line.starts_with("<<<<<<< "));
        match mark {
            None => Ok(()),
            Some(line) => Err(Self::failed(format!(
                "{path}:{}: a merge is not resolved",
                line + 1
            ))
            .hint("keep the entries of both sides, remove the marks, and run the command again")),
        }
    }

    fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Adds a way out, shown after `hint:`.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hints.push(hint.to_string());
        self
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What failed, in one sentence.
    pub fn message(&self) -> String {
        self.error.to_string()
    }

    /// Why, from near to far.
    pub fn causes(&self) -> Vec<String> {
        let causes = self.error.chain().skip(1);
        causes.map(ToString::to_string).collect()
    }

    /// The ways out.
    pub fn hints(&self) -> &[String] {
        &self.hints
    }

    /// The exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            ErrorKind::Usage | ErrorKind::Invalid => 2,
            ErrorKind::Failed | ErrorKind::Internal => 1,
            ErrorKind::Conflict => 3,
            ErrorKind::NoCommand => 127,
            ErrorKind::NotExecutable => 126,
            ErrorKind::Interrupted(signal) => 128 + u8::try_from(signal).unwrap_or(0),
        }
    }
}

/// Failures of the outside world, with their context, are [`ErrorKind::Failed`].
impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        let causes = error.chain().filter_map(|cause| cause.downcast_ref());
        let hints = causes.filter_map(way_out).map(Into::into).collect();
        Self {
            kind: ErrorKind::Failed,
            error,
            hints,
        }
    }
}

/// What helps against an error of the system, where that is always the same.
fn way_out(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::PermissionDenied => Some(
            "give the user that runs rop the right to it, with chmod or chown, then run the command again",
        ),
        io::ErrorKind::ReadOnlyFilesystem => {
            Some("mount the file system for writing, then run the command again")
        }
        io::ErrorKind::StorageFull => {
            Some("free space on that disk (see `df -h`), then run the command again")
        }
        io::ErrorKind::QuotaExceeded => {
            Some("free space within your quota (see `quota`), then run the command again")
        }
        io::ErrorKind::InvalidFilename => {
            Some("use a shorter path: a name has 255 bytes at most, on most systems")
        }
        _ => None,
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}
