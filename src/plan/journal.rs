//! The stage: new contents, old contents, and a journal by which all can be undone.
//!
//! A stage with a journal is a command half done, one without a journal is rubbish: the journal
//! is written before the first file is touched and removed after the last.
use super::record;
use crate::error::{Error, Result};
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

const STAGE: &str = ".rop-stage";

/// What is about to happen to one file.
#[derive(Debug, Serialize, Deserialize)]
struct Operation {
    target: PathBuf,
    /// Whether there is a file before.
    replaces: bool,
    /// The sha256 of the new content.
    new: String,
    /// The folders above it that are not there before, from the outermost.
    folders: Vec<PathBuf>,
}

/// All that is about to happen, in order.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    operations: Vec<Operation>,
}

impl Journal {
    /// Whether nothing was about to happen.
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Notes that `text` will be written to `target`.
    pub(super) fn add(&mut self, target: &Path, replaces: bool, text: &str) {
        let missing = target.ancestors().skip(1).take_while(|dir| !dir.exists());
        let mut folders: Vec<_> = missing.map(Path::to_path_buf).collect();
        folders.reverse();
        self.operations.push(Operation {
            target: target.into(),
            replaces,
            new: record::sum(text.as_bytes()),
            folders,
        });
    }
}

/// The folder inside the root where contents wait; on its file system, so that they can be moved.
pub(super) struct Stage(PathBuf);

impl Stage {
    /// Makes an empty stage.
    pub(super) fn make(root: &Path) -> Result<Self> {
        let dir = root.join(STAGE);
        fs::create_dir(&dir).with_context(|| format!("cannot write to {}", root.display()))?;
        Ok(Self(dir))
    }

    /// The stage that a killed command left.
    pub(super) fn left_in(root: &Path) -> Option<Self> {
        let dir = root.join(STAGE);
        dir.is_dir().then_some(Self(dir))
    }

    /// Where a new content waits.
    pub(super) fn new_file(&self, number: usize) -> PathBuf {
        self.0.join(format!("new-{number}"))
    }

    fn old_file(&self, number: usize) -> PathBuf {
        self.0.join(format!("old-{number}"))
    }

    fn journal(&self) -> PathBuf {
        self.0.join("journal")
    }

    /// Writes the journal, whole or not at all.
    pub(super) fn write_journal(&self, journal: &Journal) -> Result<()> {
        let text = serde_json::to_string(journal).map_err(Error::internal)?;
        let part = self.0.join("journal.part");
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

    /// From here on all is done.
    pub(super) fn commit(&self) -> Result<()> {
        fs::remove_file(self.journal())
            .with_context(|| format!("cannot remove {}", self.journal().display()))?;
        Ok(())
    }

    /// Removes the stage.
    pub(super) fn remove(&self) -> Result<()> {
        fs::remove_dir_all(&self.0)
            .with_context(|| format!("cannot remove {}", self.0.display()))?;
        Ok(())
    }
}

/// Copies with mode and time.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    File::options().write(true).open(to)?.set_modified(modified)
}

/// Locks the root against other commands of rop, until the lock is dropped or the process ends.
pub(super) fn lock(root: &Path) -> Result<File> {
    let file = File::open(root).with_context(|| format!("cannot open {}", root.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::failed(
            "another rop command is writing to this project",
        )
        .hint("run this one again when that has ended")),
        Err(TryLockError::Error(error)) => {
            Err(anyhow::Error::new(error).context(format!("cannot lock {}", root.display())))?
        }
    }
}

/// Undoes all operations that were made, in reverse, and removes the stage. Which ones were made
/// is read from the disk, so it can be done again. Gives the files that somebody changed
/// afterwards, which are kept.
pub(super) fn roll_back(stage: &Stage, journal: &Journal) -> Result<Vec<PathBuf>> {
    let mut kept = Vec::new();
    for (number, operation) in journal.operations.iter().enumerate().rev() {
        let undone = undo(stage, number, operation)
            .with_context(|| format!("cannot bring back {}", operation.target.display()))?;
        if !undone {
            kept.push(operation.target.clone());
        }
        for folder in operation.folders.iter().rev() {
            // Not empty, or never made.
            let _ = fs::remove_dir(folder);
        }
    }
    // The journal first: a stage without one needs no undoing.
    let _ = fs::remove_file(stage.journal());
    stage.remove()?;
    Ok(kept)
}

fn undo(stage: &Stage, number: usize, operation: &Operation) -> io::Result<bool> {
    if stage.new_file(number).exists() {
        // It was never moved to its place.
        return Ok(true);
    }
    if operation.replaces && !stage.old_file(number).exists() {
        // It was brought back already.
        return Ok(true);
    }
    let ours = match fs::read(&operation.target) {
        Ok(bytes) => record::sum(&bytes) == operation.new,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    match (ours, operation.replaces) {
        (false, _) => return Ok(false),
        (true, true) => fs::rename(stage.old_file(number), &operation.target)?,
        (true, false) => fs::remove_file(&operation.target)?,
    }
    Ok(true)
}
