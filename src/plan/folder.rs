//! Folders, with their links followed.
use crate::error::{Error, Result};
use std::{
    cell::RefCell,
    collections::HashMap,
    io,
    path::{Path, PathBuf},
};

/// The folder at a path, without links.
///
/// # Errors
/// If it is not there, or the way to it is closed.
pub(super) fn canonical(path: &Path) -> Result<PathBuf> {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    path.canonicalize().map_err(|error| {
        let gone = error.kind() == io::ErrorKind::NotFound;
        let what = format!("cannot open {}", path.display());
        let failed = Error::from(anyhow::Error::new(error).context(what));
        match gone {
            true if std::env::current_dir().is_err() => {
                failed.hint("the working directory was removed: `cd` to a folder that is there")
            }
            true => failed.hint("name a folder that is there"),
            false => failed,
        }
    })
}

/// Where the path of a folder in a project leads.
#[derive(Clone, Debug)]
pub(super) enum Folder {
    /// To a folder.
    Real(PathBuf),
    /// To where one could be made.
    Absent(PathBuf),
    /// To something that rop must not touch; the text completes "PATH …".
    Blocked(&'static str),
}

/// The folders of a project that were followed so far. A command asks for files of few folders, and
/// to follow each folder once halves its system calls.
#[derive(Debug, Default)]
pub(super) struct Folders(RefCell<HashMap<PathBuf, Folder>>);

impl Folders {
    /// Where a path leads that starts at `root`, which has no links.
    ///
    /// # Errors
    /// If the way to it cannot be read.
    pub(super) fn follow(&self, root: &Path, path: &Path) -> io::Result<Folder> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(Folder::Real(path.into()));
        };
        if path == root {
            return Ok(Folder::Real(path.into()));
        }
        if let Some(known) = self.0.borrow().get(path) {
            return Ok(known.clone());
        }
        let folder = match self.follow(root, above)? {
            Folder::Real(above) => step(root, above.join(name))?,
            Folder::Absent(above) => Folder::Absent(above.join(name)),
            blocked @ Folder::Blocked(_) => blocked,
        };
        self.0.borrow_mut().insert(path.into(), folder.clone());
        Ok(folder)
    }

    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }
}

/// Where a path leads whose parent is a folder without links.
fn step(root: &Path, path: PathBuf) -> io::Result<Folder> {
    const NO_FOLDER: Folder = Folder::Blocked("needs a folder where there is a file");
    let found = match path.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Folder::Absent(path)),
        Err(error) => return Err(error),
    };
    if !found.is_symlink() {
        return Ok(match found.is_dir() {
            true => Folder::Real(path),
            false => NO_FOLDER,
        });
    }
    Ok(match path.canonicalize() {
        Ok(real) if !real.starts_with(root) => {
            Folder::Blocked("is below a link that leaves the project")
        }
        Ok(real) if real.is_dir() => Folder::Real(real),
        Ok(_) => NO_FOLDER,
        // Also in a loop: ELOOP has no stable kind of its own.
        Err(_) => Folder::Blocked("is below a link that leads nowhere"),
    })
}
