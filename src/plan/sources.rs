//! The Rust sources of a project, and other files below a folder of it.
use super::{Root, folder::canonical, root::utf8};
use crate::error::{Error, Result};
use anyhow::Context as _;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use walkdir::{DirEntry, WalkDir};

/// Folders beside a Cargo.toml that hold no source of the operator.
const NO_SOURCES: [&str; 4] = ["target", "tests", "benches", "examples"];

impl Root {
    /// The Rust sources of the project, those of its tests left out.
    ///
    /// # Errors
    /// If one cannot be read or is not UTF-8.
    pub fn sources(&self) -> Result<BTreeMap<String, String>> {
        let mut sources = BTreeMap::new();
        for entry in self.entries("", "rs")? {
            let path = self.relative(entry.path())?;
            // Only a link can lead elsewhere: to ask of each file takes longer than to read it.
            let is_read = self.is_read(&path);
            let text = match entry.file_type().is_file() && !is_read {
                true => Some(read_text(entry.path(), &path)?),
                false => self.text(&path)?,
            };
            sources.extend(text.map(|text| (path, text)));
        }
        Ok(sources)
    }

    /// Those of the sources that are below one of these folders or files, which are as seen from
    /// `start`; all of them where none is named.
    ///
    /// # Errors
    /// If one cannot be read, is not below the root or has no source.
    pub fn sources_below(
        &self,
        start: &Path,
        paths: &[PathBuf],
    ) -> Result<BTreeMap<String, String>> {
        let mut sources = self.sources()?;
        if paths.is_empty() {
            return Ok(sources);
        }
        let mut below = Vec::new();
        for path in paths {
            // Go's way to say "and all below it".
            let named = match path.file_name() {
                Some(name) if name == "..." => path.parent().unwrap_or(path),
                _ => path,
            };
            let full = canonical(&start.join(named))?;
            let inside = full.strip_prefix(self.dir()).map_err(|_| {
                let (path, root) = (path.display(), self.dir().display());
                Error::failed(format!("{path} is not below {root}"))
                    .hint("name that folder with -C")
            })?;
            if !sources
                .keys()
                .any(|source| Path::new(source).starts_with(inside))
            {
                let what = format!("no source of the operator is below {}", path.display());
                Err(Error::failed(what).hint("tests, benches, examples and target are none"))?;
            }
            below.push(inside.to_path_buf());
        }
        sources.retain(|source, _| below.iter().any(|path| Path::new(source).starts_with(path)));
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
        let top = self.dir().join(folder);
        if !top.is_dir() {
            return Ok(Vec::new());
        }
        let walk = WalkDir::new(top).sort_by_file_name().into_iter();
        let mut entries = Vec::new();
        for entry in walk.filter_entry(|e| e.depth() == 0 || !is_apart(e.path())) {
            let entry = entry.map_err(anyhow::Error::new)?;
            let path = entry.path();
            if path.extension().is_some_and(|e| e == extension)
                && (entry.file_type().is_file() || path.is_file())
            {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// Whether a path is one of [`Self::sources`].
    pub(super) fn is_source(&self, path: &str) -> bool {
        let path = self.dir().join(path);
        let mut folders = path.ancestors().skip(1);
        let inside = |folder: &&Path| folder.starts_with(self.dir()) && **folder != *self.dir();
        path.extension().is_some_and(|e| e == "rs")
            && !folders.by_ref().take_while(inside).any(is_apart)
    }

    fn relative(&self, path: &Path) -> Result<String> {
        let relative = path.strip_prefix(self.dir()).unwrap_or(path);
        let text = relative.to_str().ok_or_else(|| {
            Error::failed(format!("the path {} is not UTF-8", relative.display()))
        })?;
        Ok(text.into())
    }
}

fn read_text(full: &Path, path: &str) -> Result<String> {
    let bytes = fs::read(full).with_context(|| format!("cannot read {}", full.display()))?;
    utf8(bytes, path)
}

/// Whether a folder, or a file, has nothing to do with the operator.
fn is_apart(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let of_package = || path.with_file_name("Cargo.toml").is_file();
    name.starts_with('.') || (NO_SOURCES.contains(&&*name) && of_package())
}
