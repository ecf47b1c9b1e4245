//! The folder of a project: the one place that reads project files.
use super::{folder::canonical, journal};
use crate::error::{Error, Result};
use anyhow::Context as _;
use std::{
    cell::OnceCell,
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    rc::Rc,
};
use walkdir::{DirEntry, WalkDir};

/// Folders beside a Cargo.toml that hold no source of the operator.
const NO_SOURCES: [&str; 4] = ["target", "tests", "benches", "examples"];

/// The root of a project; all paths are relative to it and use `/`.
#[derive(Clone, Debug)]
pub struct Root {
    /// Without links, so that a path that leaves the root can be told.
    dir: PathBuf,
    /// Held from [`Self::claim`] on.
    lock: Rc<OnceCell<File>>,
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
        bytes: Vec<u8>,
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
        Self::upwards(&start).ok_or_else(|| Self::not_in_a_project(&start))
    }

    /// The project that `start` is in, if it is in one.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn around(start: &Path) -> Result<Option<Self>> {
        Ok(Self::upwards(&canonical(start)?))
    }

    fn upwards(start: &Path) -> Option<Self> {
        let root = start
            .ancestors()
            .find(|dir| dir.join("PROJECT").is_file())?;
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
        let lock = Rc::default();
        Self { dir, lock }
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
        }
        Ok(())
    }

    /// Whether other commands of rop are kept out.
    pub(super) fn is_claimed(&self) -> bool {
        self.lock.get().is_some()
    }

    /// What stands at a path.
    ///
    /// # Errors
    /// If it cannot be read, for want of rights for example.
    pub fn read(&self, path: &str) -> Result<Entry> {
        let full = self.dir.join(path);
        let entry = match full.canonicalize() {
            Ok(target) => self.read_target(target),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.absent(&full),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Entry::Blocked(
                "needs a folder where there is a file".into(),
            )),
            // ELOOP has no stable kind of its own.
            Err(_) if full.is_symlink() => {
                Ok(Entry::Blocked("is a link that leads nowhere".into()))
            }
            Err(error) => Err(error),
        };
        let entry = entry.with_context(|| format!("cannot read {}", full.display()))?;
        Ok(entry)
    }

    /// The text at a path, or nothing where there is no file.
    ///
    /// # Errors
    /// If it cannot be read or is not UTF-8.
    pub fn text(&self, path: &str) -> Result<Option<String>> {
        match self.read(path)? {
            Entry::File { bytes, .. } => Ok(Some(utf8(bytes, path)?)),
            Entry::Absent { .. } => Ok(None),
            Entry::Blocked(reason) => Err(Error::conflict(format!("{path} {reason}"))),
        }
    }

    /// The Rust sources of the project, those of its tests left out.
    ///
    /// # Errors
    /// If one cannot be read or is not UTF-8.
    pub fn sources(&self) -> Result<BTreeMap<String, String>> {
        let mut sources = BTreeMap::new();
        for entry in self.entries("", "rs")? {
            let path = self.relative(entry.path())?;
            // Only a link can lead elsewhere: to ask of each file takes longer than to read it.
            let text = match entry.file_type().is_file() {
                true => Some(read_text(entry.path(), &path)?),
                false => self.text(&path)?,
            };
            sources.extend(text.map(|text| (path, text)));
        }
        Ok(sources)
    }

    /// The files with this extension below a folder, sorted.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn walk(&self, folder: &str, extension: &str) -> Result<Vec<String>> {
        let entries = self.entries(folder, extension)?;
        entries.iter().map(|e| self.relative(e.path())).collect()
    }

    fn entries(&self, folder: &str, extension: &str) -> Result<Vec<DirEntry>> {
        let top = self.dir.join(folder);
        if !top.is_dir() {
            return Ok(Vec::new());
        }
        let walk = WalkDir::new(top).sort_by_file_name().into_iter();
        let mut entries = Vec::new();
        for entry in walk.filter_entry(|e| e.depth() == 0 || !is_apart(e.path())) {
            let entry = entry.map_err(anyhow::Error::new)?;
            let path = entry.path();
            if path.extension().is_some_and(|e| e == extension) && path.is_file() {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// Whether a path is one of [`Self::sources`].
    pub(super) fn is_source(&self, path: &str) -> bool {
        let path = self.dir.join(path);
        let mut folders = path.ancestors().skip(1);
        let inside = |folder: &&Path| folder.starts_with(&self.dir) && **folder != *self.dir;
        path.extension().is_some_and(|e| e == "rs")
            && !folders.by_ref().take_while(inside).any(is_apart)
    }

    fn relative(&self, path: &Path) -> Result<String> {
        let relative = path.strip_prefix(&self.dir).unwrap_or(path);
        let text = relative.to_str().ok_or_else(|| {
            Error::failed(format!("the path {} is not UTF-8", relative.display()))
        })?;
        Ok(text.into())
    }

    fn read_target(&self, target: PathBuf) -> io::Result<Entry> {
        if !target.starts_with(&self.dir) {
            return Ok(Entry::Blocked("is a link that leaves the project".into()));
        }
        let metadata = target.metadata()?;
        if metadata.is_dir() {
            return Ok(Entry::Blocked("is a folder".into()));
        }
        if !metadata.is_file() {
            return Ok(Entry::Blocked("is not a regular file".into()));
        }
        let bytes = fs::read(&target)?;
        Ok(Entry::File { target, bytes })
    }

    fn absent(&self, full: &Path) -> io::Result<Entry> {
        if full.is_symlink() {
            return Ok(Entry::Blocked("is a link that leads nowhere".into()));
        }
        let ancestors = full.ancestors().skip(1);
        let existing = ancestors.take_while(|dir| dir.starts_with(&self.dir));
        for dir in existing {
            match dir.canonicalize() {
                Ok(real) if !real.starts_with(&self.dir) => {
                    return Ok(Entry::Blocked(
                        "is below a link that leaves the project".into(),
                    ));
                }
                Ok(real) => {
                    let rest = full.strip_prefix(dir).unwrap_or(full);
                    return Ok(Entry::Absent {
                        target: real.join(rest),
                    });
                }
                Err(_) if dir.is_symlink() => {
                    return Ok(Entry::Blocked("is below a link that leads nowhere".into()));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Entry::Absent {
            target: full.to_path_buf(),
        })
    }
}

fn read_text(full: &Path, path: &str) -> Result<String> {
    let bytes = fs::read(full).with_context(|| format!("cannot read {}", full.display()))?;
    utf8(bytes, path)
}

fn utf8(bytes: Vec<u8>, path: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::failed(format!("{path} is not UTF-8")))
}

/// Whether a folder, or a file, has nothing to do with the operator.
fn is_apart(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let of_package = || path.with_file_name("Cargo.toml").is_file();
    name.starts_with('.') || (NO_SOURCES.contains(&&*name) && of_package())
}
