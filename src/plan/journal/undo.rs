//! The way back.
use super::{Journal, Operation, Stage};
use crate::{
    error::{Error, Result},
    plan::record,
};
use anyhow::Context as _;
use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Component, Path, PathBuf},
};

/// Undoes all operations that were made, in reverse, and removes the stage. Which ones were made
/// is read from the disk, so it can be done again. Gives the files that somebody changed
/// afterwards, which are kept.
pub(in crate::plan) fn roll_back(stage: &Stage, journal: &Journal) -> Result<Vec<PathBuf>> {
    let mut kept = Vec::new();
    for (number, operation) in journal.operations.iter().enumerate().rev() {
        let target = inside(stage, operation)?;
        let undone = undo(stage, number, operation, &target)
            .with_context(|| format!("cannot bring back {}", target.display()))?;
        for folder in target.ancestors().skip(1).take(operation.missing) {
            // Not empty, or never made.
            let _ = fs::remove_dir(folder);
        }
        if !undone {
            kept.push(target);
        }
    }
    // The journal first: a stage without one needs no undoing.
    let _ = fs::remove_file(stage.journal());
    stage.remove()?;
    Ok(kept)
}

/// The path that an operation is about. A journal may come from anywhere, a foreign repository
/// for one: it must not lead out of the project.
fn inside(stage: &Stage, operation: &Operation) -> Result<PathBuf> {
    let relative = Path::new(&operation.target);
    let is_name = |part| matches!(part, Component::Normal(_));
    let depth = relative.components().count();
    let target = stage.root.join(relative);
    let mut folders = target.ancestors().skip(1).take(depth.saturating_sub(1));
    let by_link = folders.any(Path::is_symlink);
    if !relative.components().all(is_name)
        || operation.missing.max(operation.folders.len()) >= depth
        || by_link
    {
        let what = format!("{} names {}", stage.journal().display(), target.display());
        Err(
            Error::conflict(format!("{what}, which leads out of the project"))
                .hint(format!("remove {}", stage.dir.display())),
        )?;
    }
    Ok(target)
}

fn undo(stage: &Stage, number: usize, operation: &Operation, target: &Path) -> io::Result<bool> {
    if stage.new_file(number).exists() {
        // It was never moved to its place.
        return Ok(true);
    }
    if operation.replaces && !stage.old_file(number).exists() {
        // It was brought back already.
        return Ok(true);
    }
    let Some(new) = &operation.new else {
        if target.exists() {
            return Ok(false);
        }
        make_again(stage, target, &operation.folders)?;
        fs::rename(stage.old_file(number), target)?;
        return Ok(true);
    };
    let ours = match fs::read(target) {
        Ok(bytes) => record::sum(&bytes) == *new,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => return Ok(true),
            io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => false,
            _ => return Err(error),
        },
    };
    match (ours, operation.replaces) {
        (false, _) => return Ok(false),
        (true, true) => fs::rename(stage.old_file(number), target)?,
        (true, false) => fs::remove_file(target)?,
    }
    Ok(true)
}

/// Makes the folders that a removed file left empty, from far to near: `modes` are theirs, from
/// near to far. Each comes to its place with its mode.
fn make_again(stage: &Stage, target: &Path, modes: &[u32]) -> io::Result<()> {
    let folders: Vec<_> = target.ancestors().skip(1).zip(modes).collect();
    let part = stage.dir.join("folder");
    for (folder, mode) in folders.into_iter().rev() {
        if folder.exists() {
            continue;
        }
        if !part.exists() {
            fs::create_dir(&part)?;
        }
        fs::set_permissions(&part, Permissions::from_mode(*mode))?;
        fs::rename(&part, folder)?;
    }
    Ok(())
}
