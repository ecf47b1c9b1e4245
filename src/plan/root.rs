//! The folder of a project: the one place that reads project files.
use super::{
    folder::{Folder, Folders, canonical},
    journal,
};
use crate::error::{Error, Result};
use anyhow::Context as _;
use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    rc::Rc,
};

const PROJECT: &str = "PROJECT";

/// The root of a project; all paths are relative to it and use `/`.
#[derive(Clone, Debug)]
pub struct Root {
    /// Without links, so that a path that leaves the root can be told.
    dir: PathBuf,
    /// Held from [`Self::claim`] on.
    lock: Rc<OnceCell<File>>,
    folders: Rc<Folders>,
    /// What was read so far, until it is forgotten.
    read: Rc<RefCell<HashMap<String, Entry>>>,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing; a new file would be written to `target`.
    Absent {
        /// The path with the links of its folders resolved.
        target: PathBuf,
    },
    /// A file.
    File {
        /// The path with all links resolved.
        target: PathBuf,
        /// Its content.
        bytes: Rc<[u8]>,
    },
    /// Something that rop must not touch; the text completes "PATH …".
    Blocked(String),
}

impl Root {
    /// The project that `start` is in: the next folder upwards that holds PROJECT.
    ///
    /// # Errors
    /// If there is none, or the folder cannot be read.
    pub fn find(start: &Path) -> Result<Self> {
        let start = canonical(start)?;
        Self::upwards(&start, PROJECT).ok_or_else(|| Self::not_in_a_project(&start))
    }

    /// The project that `start` is in, or else the package or workspace of cargo: the next folder
    /// upwards that holds Cargo.toml.
    ///
    /// # Errors
    /// If there is neither, or the folder cannot be read.
    pub fn of_sources(start: &Path) -> Result<Self> {
        let start = canonical(start)?;
        let root = Self::upwards(&start, PROJECT).or_else(|| Self::upwards(&start, "Cargo.toml"));
        root.ok_or_else(|| {
            let what = format!("{} is in no project of rop or cargo", start.display());
            Error::failed(what).hint("go to the folder of a Cargo.toml, or name it with -C")
        })
    }

    /// The project that `start` is in, if it is in one.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn around(start: &Path) -> Result<Option<Self>> {
        Ok(Self::upwards(&canonical(start)?, PROJECT))
    }

    fn upwards(start: &Path, file: &str) -> Option<Self> {
        let root = start.ancestors().find(|dir| dir.join(file).is_file())?;
        Some(Self::new(root.to_path_buf()))
    }

    /// The failure of a command that needs a project.
    pub fn not_in_a_project(dir: &Path) -> Error {
        Error::failed(format!("{} is not in a project of rop", dir.display()))
            .hint("start one with `rop init --domain example.com`")
    }

    /// The folder `dir` as a root, there already or not.
    ///
    /// # Errors
    /// If the path cannot be followed.
    pub fn at(dir: &Path) -> Result<Self> {
        let mut missing = Vec::new();
        let mut existing = dir;
        while existing.symlink_metadata().is_err() {
            let Some(name) = existing.file_name() else {
                break;
            };
            missing.push(name);
            existing = existing.parent().unwrap_or(Path::new(""));
        }
        let mut root = canonical(existing)?;
        if !root.is_dir() {
            Err(Error::conflict(format!(
                "{} is not a folder",
                root.display()
            )))?;
        }
        root.extend(missing.iter().rev());
        Ok(Self::new(root))
    }

    fn new(dir: PathBuf) -> Self {
        Self {
            dir,
            lock: Rc::default(),
            folders: Rc::default(),
            read: Rc::default(),
        }
    }

    /// The folder itself, without links.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Keeps other commands of rop out, until this root and its clones are gone: what is read from
    /// here on is still so when it is written.
    ///
    /// # Errors
    /// If the folder cannot be opened, or another command is at work there.
    pub fn claim(&self) -> Result<()> {
        if !self.is_claimed() {
            let _ = self.lock.set(journal::lock(&self.dir)?);
            self.forget();
        }
        Ok(())
    }

    /// Whether other commands of rop are kept out.
    pub(super) fn is_claimed(&self) -> bool {
        self.lock.get().is_some()
    }

    /// What stands at a path, or stood there when it was first asked for.
    ///
    /// # Errors
    /// If it cannot be read, for want of rights for example.
    pub fn read(&self, path: &str) -> Result<Entry> {
        if let Some(known) = self.read.borrow().get(path) {
            return Ok(known.clone());
        }
        let entry = self.look(path)?;
        let mut read = self.read.borrow_mut();
        read.insert(path.into(), entry.clone());
        Ok(entry)
    }

    /// Whether a path was read already, since all was forgotten.
    pub(super) fn is_read(&self, path: &str) -> bool {
        self.read.borrow().contains_key(path)
    }

    fn look(&self, path: &str) -> Result<Entry> {
        let full = self.dir.join(path);
        let folder = full.parent().unwrap_or(&self.dir);
        let name = full.file_name().unwrap_or_default();
        let folder = self.folders.follow(&self.dir, folder);
        let entry = folder.and_then(|folder| match folder {
            Folder::Blocked(reason) => Ok(Entry::Blocked(reason.into())),
            Folder::Absent(folder) => Ok(Entry::Absent {
                target: folder.join(name),
            }),
            Folder::Real(folder) => self.read_in(folder.join(name)),
        });
        let entry = entry.with_context(|| format!("cannot read {}", full.display()))?;
        Ok(entry)
    }

    /// What stands at a path whose folder has no links.
    fn read_in(&self, target: PathBuf) -> io::Result<Entry> {
        match target.symlink_metadata() {
            Ok(found) if !found.is_symlink() => read_found(target, &found),
            Ok(_) => match target.canonicalize() {
                Ok(real) if !real.starts_with(&self.dir) => {
                    Ok(Entry::Blocked("is a link that leaves the project".into()))
                }
                Ok(real) => real.metadata().and_then(|found| read_found(real, &found)),
                // ELOOP has no stable kind of its own.
                Err(_) => Ok(Entry::Blocked("is a link that leads nowhere".into())),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Entry::Absent { target }),
            Err(error) => Err(error),
        }
    }

    /// Whether a link stands at a path.
    pub(super) fn is_link(&self, path: &str) -> bool {
        self.dir.join(path).is_symlink()
    }

    /// Looks anew from here on: anything may have changed.
    pub fn forget(&self) {
        self.folders.forget();
        self.read.borrow_mut().clear();
    }

    /// The text at a path, or nothing where there is no file.
    ///
    /// # Errors
    /// If it cannot be read or is not UTF-8.
    pub fn text(&self, path: &str) -> Result<Option<String>> {
        match self.read(path)? {
            Entry::File { bytes, .. } => Ok(Some(utf8(bytes.to_vec(), path)?)),
            Entry::Absent { .. } => Ok(None),
            Entry::Blocked(reason) => Err(Error::conflict(format!("{path} {reason}"))),
        }
    }
}

fn read_found(target: PathBuf, found: &Metadata) -> io::Result<Entry> {
    if found.is_dir() {
        return Ok(Entry::Blocked("is a folder".into()));
    }
    if !found.is_file() {
        return Ok(Entry::Blocked("is not a regular file".into()));
    }
    let bytes = fs::read(&target)?.into();
    Ok(Entry::File { target, bytes })
}

pub(super) fn utf8(bytes: Vec<u8>, path: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::failed(format!("{path} is not UTF-8")))
}
