//! Folders that a command is told to work in.
use crate::error::{Error, Result};
use std::{
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
