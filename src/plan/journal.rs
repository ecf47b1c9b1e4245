//! The stage: new contents, old contents, and a journal by which all can be undone.
//!
//! A stage with a journal is a command half done, one without a journal is rubbish: the journal
//! is written before the first file is touched and removed after the last.
mod undo;

pub(super) use undo::roll_back;

use super::Change;
use crate::error::{Error, Result};
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    ffi::OsString,
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

const STAGE: &str = ".rop-stage";

/// What is about to happen to one file.
#[derive(Debug, Serialize, Deserialize)]
struct Operation {
    /// The path below the root, without links. Whoever heals may see the project elsewhere: in a
    /// container, or after a move. Not a `PathBuf`: links lead to names that are not UTF-8, too.
    target: OsString,
    /// Whether there is a file before.
    replaces: bool,
    /// The sha256 of the new content; nothing of a file that is removed.
    new: Option<String>,
    /// How many of the folders above it are not there before.
    missing: usize,
    /// The modes of the folders above a file that is removed, from near to far: those that it
    /// leaves empty are removed, too.
    #[serde(default)]
    folders: Vec<u32>,
}

/// All that is about to happen, in order.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    operations: Vec<Operation>,
    /// How many folders are missing on the way to each folder, as far as that was asked.
    #[serde(skip)]
    missing: HashMap<PathBuf, usize>,
}

impl Journal {
    /// Whether nothing was about to happen.
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Notes what will happen to a file, below the folder of the stage.
    pub(super) fn add(&mut self, stage: &Stage, change: &Change) -> Result<()> {
        let target = change.target.strip_prefix(&stage.root);
        let target = target.unwrap_or(&change.target);
        let above = || change.target.ancestors().skip(1);
        let inside = target.components().count().saturating_sub(1);
        let folders = match change.after {
            Some(_) => Vec::new(),
            None => above().take(inside).map(mode).collect::<Result<_>>()?,
        };
        let missing = change.target.parent().map_or(0, |dir| self.missing(dir));
        self.operations.push(Operation {
            target: target.into(),
            replaces: change.before.is_some(),
            new: change.after.as_ref().map(|text| text.sum().into()),
            missing,
            folders,
        });
        Ok(())
    }

    /// How many folders are missing on the way to this one, itself included.
    fn missing(&mut self, folder: &Path) -> usize {
        if let Some(missing) = self.missing.get(folder) {
            return *missing;
        }
        let missing = match folder.parent() {
            Some(above) if !folder.exists() => 1 + self.missing(above),
            _ => 0,
        };
        self.missing.insert(folder.into(), missing);
        missing
    }
}

/// The permission bits of a folder.
fn mode(folder: &Path) -> Result<u32> {
    let found = fs::metadata(folder);
    let found = found.with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(found.permissions().mode() & 0o7777)
}

/// The folder inside the root where contents wait; on its file system, so that they can be moved.
pub(super) struct Stage {
    root: PathBuf,
    dir: PathBuf,
}

impl Stage {
    fn of(root: &Path) -> Self {
        Self {
            root: root.into(),
            dir: root.join(STAGE),
        }
    }

    /// The folder of the project.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Makes an empty stage.
    pub(super) fn make(root: &Path) -> Result<Self> {
        let stage = Self::of(root);
        match fs::create_dir(&stage.dir) {
            Ok(()) => Ok(stage),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let what = format!("{} is in the way: it is no folder", stage.dir.display());
                Err(Error::conflict(what).hint("remove it, then run the command again"))
            }
            Err(error) => {
                let what = format!("cannot write to {}", root.display());
                Err(anyhow::Error::new(error).context(what))?
            }
        }
    }

    /// The stage that a killed command left.
    pub(super) fn left_in(root: &Path) -> Option<Self> {
        let stage = Self::of(root);
        // A link is not ours.
        let found = fs::symlink_metadata(&stage.dir).ok()?;
        found.is_dir().then_some(stage)
    }

    /// Where a new content waits.
    pub(super) fn new_file(&self, number: usize) -> PathBuf {
        self.dir.join(format!("new-{number}"))
    }

    fn old_file(&self, number: usize) -> PathBuf {
        self.dir.join(format!("old-{number}"))
    }

    fn journal(&self) -> PathBuf {
        self.dir.join("journal")
    }

    /// Writes the journal, whole or not at all.
    pub(super) fn write_journal(&self, journal: &Journal) -> Result<()> {
        let text = serde_json::to_string(journal).map_err(Error::internal)?;
        let part = self.dir.join("journal.part");
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, self.journal()))
            .with_context(|| format!("cannot write {}", part.display()))?;
        Ok(())
    }

    /// The journal; an empty one where the command did not come so far.
    pub(super) fn read_journal(&self) -> Result<Journal> {
        let path = self.journal();
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Journal::default()),
            text => {
                let read = text.map_err(anyhow::Error::new);
                let read = read.and_then(|text| Ok(serde_json::from_str(&text)?));
                let journal = read.with_context(|| format!("cannot read {}", path.display()))?;
                Ok(journal)
            }
        }
    }

    /// Keeps the old file: the same inode, so that undoing brings back its time, too.
    pub(super) fn back_up(&self, number: usize, target: &Path) -> Result<()> {
        let old = self.old_file(number);
        // Not every file system has hard links.
        fs::hard_link(target, &old)
            .or_else(|_| copy(target, &old))
            .with_context(|| format!("cannot keep {}", target.display()))?;
        Ok(())
    }

    /// Moves an old file here.
    pub(super) fn take(&self, number: usize, target: &Path) -> Result<()> {
        fs::rename(target, self.old_file(number))
            .with_context(|| format!("cannot remove {}", target.display()))?;
        Ok(())
    }

    /// From here on all is done.
    pub(super) fn commit(&self) -> Result<()> {
        fs::remove_file(self.journal())
            .with_context(|| format!("cannot remove {}", self.journal().display()))?;
        Ok(())
    }

    /// Removes the stage.
    pub(super) fn remove(&self) -> Result<()> {
        fs::remove_dir_all(&self.dir)
            .with_context(|| format!("cannot remove {}", self.dir.display()))?;
        Ok(())
    }
}

/// Copies with mode and time.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    File::options().write(true).open(to)?.set_modified(modified)
}

/// Locks the root against other commands of rop, until the file is dropped or the process ends.
pub(super) fn lock(root: &Path) -> Result<File> {
    let file = File::open(root).with_context(|| format!("cannot open {}", root.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::failed(
            "another rop command is at work in this project",
        )
        .hint("run this one again when that has ended")),
        Err(TryLockError::Error(error)) => {
            Err(anyhow::Error::new(error).context(format!("cannot lock {}", root.display())))?
        }
    }
}
