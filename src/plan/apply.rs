//! Verify, stage, commit; on an error or a signal, roll back.
mod folders;

use super::{
    Change, Entry, Interrupt, Plan, Root,
    journal::{self, Journal, Stage},
};
use crate::error::{Error, Result};
use anyhow::Context as _;
use folders::{make_folders, remove_empty};
use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// One step of writing; an observer sees each before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Compares a file with what was planned on.
    Verify(PathBuf),
    /// Makes the folder for new contents.
    Stage,
    /// Writes a new content to the stage.
    Write(PathBuf),
    /// Writes down what is about to happen.
    Journal,
    /// Makes a folder.
    Folder(PathBuf),
    /// Keeps the old content.
    Backup(PathBuf),
    /// Moves a new content to its place.
    Rename(PathBuf),
    /// Moves an old content to the stage.
    Remove(PathBuf),
    /// Removes a folder that became empty.
    RemoveFolder(PathBuf),
    /// Removes the journal: from here on all is done.
    Commit,
    /// Removes the stage, which is rubbish by now: nothing that goes wrong here matters.
    Clear,
}

/// Sees each step before it is made; its error is like one of the disk. For tests of faults.
pub trait Observer {
    /// A step is about to be made.
    ///
    /// # Errors
    /// Whatever the observer wants to go wrong.
    fn step(&mut self, step: &Step) -> io::Result<()>;
}

/// Lets everything pass.
impl Observer for () {
    fn step(&mut self, _: &Step) -> io::Result<()> {
        Ok(())
    }
}

/// Steps, as they are seen by the observer and stopped by signals.
struct Steps<'a> {
    observer: &'a mut dyn Observer,
    interrupt: &'a Interrupt,
}

impl Steps<'_> {
    fn step(&mut self, step: &Step) -> Result<()> {
        self.observer
            .step(step)
            .with_context(|| format!("cannot go on with {step:?}"))?;
        self.interrupt.check()
    }
}

pub(super) fn apply(plan: &Plan, interrupt: &Interrupt, observer: &mut dyn Observer) -> Result<()> {
    if !plan.conflicts().is_empty() {
        Err(Error::internal("a plan with conflicts cannot be applied"))?;
    }
    let changes: Vec<_> = plan.writes().collect();
    if changes.is_empty() {
        return Ok(());
    }
    let mut steps = Steps {
        observer,
        interrupt,
    };
    let made = make_folders(plan.root.dir(), &mut steps)?;
    let claimed = plan.root.claim();
    let written = claimed.and_then(|()| write(plan, &changes, &mut steps));
    // Unclaimed, the folder is another command's by now.
    if written.is_err() && plan.root.is_claimed() {
        for folder in made.iter().rev() {
            // Not empty: then somebody else uses it by now.
            let _ = fs::remove_dir(folder);
        }
    }
    written
}

fn write(plan: &Plan, changes: &[&Change], steps: &mut Steps<'_>) -> Result<()> {
    verify(plan, steps)?;
    steps.step(&Step::Stage)?;
    let stage = Stage::make(plan.root.dir())?;
    let mut journal = Journal::default();
    let done = stage_and_commit(changes, &stage, &mut journal, steps);
    let Err(error) = done else {
        // All is written: a signal comes too late, and what is left of the stage, the next command
        // removes.
        if steps.observer.step(&Step::Clear).is_ok() {
            let _ = stage.remove();
        }
        return Ok(());
    };
    match journal::roll_back(&stage, &journal) {
        Ok(_) => Err(error),
        Err(undo) => Err(error.hint(format!(
            "not all of it could be undone ({undo:#}); the next command of rop tries again"
        ))),
    }
}

/// Every file must still be as it was planned on.
fn verify(plan: &Plan, steps: &mut Steps<'_>) -> Result<()> {
    plan.root.forget();
    for change in plan.changes() {
        steps.step(&Step::Verify(change.target.clone()))?;
        let same = match plan.root.read(&change.path)? {
            Entry::Absent { target } => change.before.is_none() && target == change.target,
            Entry::File { target, bytes } => {
                change.before.as_ref() == Some(&bytes) && target == change.target
            }
            Entry::Blocked(_) => false,
        };
        if !same {
            let what = format!("{} was changed while rop worked", change.path);
            Err(Error::conflict(what).hint("run the command again"))?;
        }
    }
    Ok(())
}

fn stage_and_commit(
    changes: &[&Change],
    stage: &Stage,
    journal: &mut Journal,
    steps: &mut Steps<'_>,
) -> Result<()> {
    for (number, change) in changes.iter().enumerate() {
        if let Some(text) = &change.after {
            steps.step(&Step::Write(change.target.clone()))?;
            let staged = stage.new_file(number);
            write_file(&staged, text.as_str(), change)
                .with_context(|| format!("cannot write {}", staged.display()))?;
        }
        journal.add(stage, change)?;
    }
    steps.step(&Step::Journal)?;
    stage.write_journal(journal)?;
    let mut ready = HashSet::new();
    for (number, change) in changes.iter().enumerate() {
        match change.after {
            Some(_) => {
                if let Some(folder) = change.target.parent()
                    && ready.insert(folder)
                {
                    make_folders(folder, steps)?;
                }
                put(number, change, stage, steps)?;
            }
            None => {
                steps.step(&Step::Remove(change.target.clone()))?;
                stage.take(number, &change.target)?;
            }
        }
    }
    // Only now: what is written may be in the folder of what is removed.
    for change in changes.iter().filter(|change| change.after.is_none()) {
        remove_empty(&change.target, stage.root(), steps)?;
    }
    steps.step(&Step::Commit)?;
    stage.commit()
}

/// Moves a new content from the stage to its place.
fn put(number: usize, change: &Change, stage: &Stage, steps: &mut Steps<'_>) -> Result<()> {
    if change.before.is_some() {
        steps.step(&Step::Backup(change.target.clone()))?;
        stage.back_up(number, &change.target)?;
    }
    steps.step(&Step::Rename(change.target.clone()))?;
    fs::rename(stage.new_file(number), &change.target)
        .with_context(|| format!("cannot write {}", change.target.display()))?;
    Ok(())
}

/// Writes a file with the mode of the one it replaces, else 0644 whatever the umask.
fn write_file(path: &Path, text: &str, change: &Change) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    let mode = match change.before {
        Some(_) => fs::metadata(&change.target)?.permissions().mode(),
        None => 0o644,
    };
    let is = file.metadata()?.permissions().mode();
    // Most umasks leave nothing to do.
    if (is ^ mode) & 0o7777 == 0 {
        return Ok(());
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Undoes what a command left that was killed, if there is any, and tells what was done.
///
/// # Errors
/// If another rop is at work here, or something cannot be undone.
pub(super) fn recover(root: &Root) -> Result<Option<String>> {
    if !root.dir().exists() {
        return Ok(None);
    }
    root.claim()?;
    let Some(stage) = Stage::left_in(root.dir()) else {
        return Ok(None);
    };
    let journal = stage.read_journal()?;
    let kept = journal::roll_back(&stage, &journal)?;
    root.forget();
    if journal.is_empty() {
        return Ok(None);
    }
    let mut told = "undid what an earlier rop command had begun when it was killed".to_owned();
    for path in kept {
        told.push_str(&format!("; kept {}, changed since", path.display()));
    }
    Ok(Some(told))
}

/// Whether a command was killed here and nothing undid it yet.
pub(super) fn is_unfinished(root: &Root) -> bool {
    // Locked, the stage is that of a command at work.
    Stage::left_in(root.dir()).is_some() && (root.is_claimed() || journal::lock(root.dir()).is_ok())
}
