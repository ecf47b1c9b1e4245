//! Folders on the way to a file: made before it, removed after it.
use super::{Step, Steps};
use crate::error::Result;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Makes the folders that are missing on the way to `folder`, and tells which.
pub(super) fn make_folders(folder: &Path, steps: &mut Steps<'_>) -> Result<Vec<PathBuf>> {
    let missing = folder.ancestors().take_while(|dir| !dir.exists());
    let missing: Vec<_> = missing.map(Path::to_path_buf).collect();
    let mut made = Vec::new();
    for dir in missing.into_iter().rev() {
        let make = steps
            .step(&Step::Folder(dir.clone()))
            .and_then(|()| make_folder(&dir));
        match make {
            Ok(true) => made.push(dir),
            Ok(false) => {}
            Err(error) => {
                for dir in made.iter().rev() {
                    let _ = fs::remove_dir(dir);
                }
                return Err(error);
            }
        }
    }
    Ok(made)
}

/// Makes a folder with the mode 0755 whatever the umask, and tells whether nobody else did.
fn make_folder(dir: &Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let made = fs::create_dir(dir)
        .and_then(|()| fs::set_permissions(dir, fs::Permissions::from_mode(0o755)));
    match made {
        Ok(()) => Ok(true),
        // By another rop that starts a project there: the lock will tell.
        Err(_) if dir.is_dir() => Ok(false),
        Err(error) => {
            let what = format!("cannot make the folder {}", dir.display());
            Err(anyhow::Error::new(error).context(what))?
        }
    }
}

/// Removes the folders that a removed file left empty, up to the root.
pub(super) fn remove_empty(target: &Path, root: &Path, steps: &mut Steps<'_>) -> Result<()> {
    let above = target.ancestors().skip(1);
    for dir in above.take_while(|dir| *dir != root && dir.starts_with(root)) {
        let is_empty = fs::read_dir(dir).map(|mut entries| entries.next().is_none());
        match is_empty {
            Ok(true) => {}
            // Removed already, with another file in it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            _ => return Ok(()),
        }
        steps.step(&Step::RemoveFolder(dir.into()))?;
        match fs::remove_dir(dir) {
            Ok(()) => {}
            // Somebody else uses it by now.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => return Ok(()),
            Err(error) => {
                let what = format!("cannot remove the folder {}", dir.display());
                Err(anyhow::Error::new(error).context(what))?;
            }
        }
    }
    Ok(())
}
