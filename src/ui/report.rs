//! What a command did or would do: one value for people and for programs.
use crate::error::{Error, ErrorKind};
use serde::Serialize;

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Written where nothing was.
    Create,
    /// Changed: an item added or taken away, or generated or rendered anew.
    Update,
    /// Replaced, as `--force` asks for.
    Overwrite,
    /// Removed.
    Remove,
    /// As it should be already.
    Identical,
    /// Left as the user has it.
    Keep,
    /// In the way; nothing is written.
    Conflict,
    /// Cannot be edited: the user has to paste the lines.
    Manual,
}

impl Action {
    /// The word that people and programs read.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Overwrite => "overwrite",
            Self::Remove => "remove",
            Self::Identical => "identical",
            Self::Keep => "keep",
            Self::Conflict => "conflict",
            Self::Manual => "manual",
        }
    }

    /// Whether the file gets another content, or goes.
    pub fn writes(self) -> bool {
        matches!(
            self,
            Self::Create | Self::Update | Self::Overwrite | Self::Remove
        )
    }
}

/// One file of a report.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeLine {
    /// Path below the project's root, with `/`.
    pub path: String,
    /// What happens to it.
    pub action: Action,
    /// Why, where that is not plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What stands in the way of a command.
#[derive(Clone, Debug, Serialize)]
pub struct Conflict {
    /// Path below the project's root, with `/`.
    pub path: String,
    /// What is in the way.
    pub reason: String,
    /// The lines to paste, where an edit has to be made by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

/// A marker that is known.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MarkerLine {
    /// Its name, such as `+kubebuilder:rbac`.
    pub name: String,
    /// Whether rop reads it; others are for Go types.
    pub supported: bool,
    /// What it says, or what does the same in Rust.
    pub about: String,
    /// Its arguments, as `name`, `type` and whether it is `required`.
    pub arguments: Vec<ArgumentLine>,
}

/// An argument of a marker.
#[derive(Clone, Debug, Serialize)]
pub struct ArgumentLine {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether it has to be given.
    pub required: bool,
}

/// What a change of CRDs breaks, or may break.
#[derive(Clone, Debug, Serialize)]
pub struct FindingLine {
    /// It breaks something for certain.
    pub breaking: bool,
    /// The name of the CRD.
    pub crd: String,
    /// The version, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The field, such as `.spec.size`, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is different.
    pub message: String,
}

impl FindingLine {
    /// Where and what it is, for people.
    pub(super) fn told(&self) -> String {
        let parts = [self.version.as_deref(), self.field.as_deref()];
        let place = parts.into_iter().flatten().map(|part| format!(" {part}"));
        format!(
            "{}{}: {}",
            self.crd,
            place.collect::<String>(),
            self.message
        )
    }
}

/// A failure as programs read it.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    kind: &'static str,
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Usage => "usage",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Failed => "failed",
            ErrorKind::Conflict => "conflict",
            ErrorKind::NoCommand => "noCommand",
            ErrorKind::NotExecutable => "notExecutable",
            ErrorKind::Interrupted(_) => "interrupted",
            ErrorKind::Internal => "internal",
        };
        Self {
            kind,
            message: error.message(),
            causes: error.causes(),
            hints: error.hints().to_vec(),
        }
    }
}

/// What a command did or would do. The fields are documented in `docs/json.md`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    schema: u8,
    /// The command, such as `create api`.
    pub command: String,
    /// Nothing was written because that was asked for.
    pub dry_run: bool,
    /// What happens to each file.
    pub changes: Vec<ChangeLine>,
    /// What is in the way; if there is any, nothing was written.
    pub conflicts: Vec<Conflict>,
    /// What the user should know, though it stops nothing.
    pub warnings: Vec<String>,
    /// What to type next.
    pub next_steps: Vec<String>,
    /// Version of rop; of `rop version` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'static str>,
    /// The markers that are known, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markers: Option<Vec<MarkerLine>>,
    /// What generated CRDs break, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<FindingLine>>,
    /// The text of what was generated, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifests: Option<String>,
    /// Unified diff of all that changes, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Why the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

impl Report {
    /// A report without content.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            schema: 1,
            command: command.into(),
            dry_run: false,
            changes: Vec::new(),
            conflicts: Vec::new(),
            warnings: Vec::new(),
            next_steps: Vec::new(),
            version: None,
            markers: None,
            findings: None,
            manifests: None,
            diff: None,
            error: None,
        }
    }
}
