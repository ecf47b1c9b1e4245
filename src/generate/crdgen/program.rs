//! Which program prints the CRDs.
use crate::error::{Error, Result};
use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item};

/// The program that prints the CRDs of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name among the binaries of the workspace.
    pub bin: String,
    /// Its package, where others have a program of that name, too.
    pub package: Option<String>,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            bin: "crdgen".into(),
            package: None,
        }
    }
}

impl Program {
    /// The program that Cargo.toml names, as `crdgen = "name"` or `"package/name"`.
    ///
    /// # Errors
    /// The name is none.
    pub fn named_in(manifest: &str) -> Result<Self> {
        let Some(named) = setting(manifest, "crdgen") else {
            return Ok(Self::default());
        };
        let text = named.as_str().unwrap_or_default();
        let (package, bin) = match text.split_once('/') {
            Some((package, bin)) => (Some(package), bin),
            None => (None, text),
        };
        let is_name = |name: &str| {
            let allowed = |c: char| c.is_alphanumeric() || "-_".contains(c);
            name.starts_with(|c: char| c.is_alphanumeric()) && name.chars().all(allowed)
        };
        if !is_name(bin) || !package.is_none_or(is_name) {
            let named = named.to_string();
            let what = format!(
                "Cargo.toml: `crdgen` of `metadata.rop` is no name: {}",
                named.trim()
            );
            return Err(
                Error::failed(what).hint("write `crdgen = \"name\"`, or `\"package/name\"`")
            );
        }
        Ok(Self {
            bin: bin.into(),
            package: package.map(Into::into),
        })
    }

    /// What tells cargo of it.
    pub(super) fn arguments(&self) -> Vec<&str> {
        let package = self.package.iter().flat_map(|name| ["--package", name]);
        package.chain(["--bin", &self.bin]).collect()
    }

    pub(super) fn missing(&self) -> Error {
        let bin = &self.bin;
        let of = match &self.package {
            Some(package) => format!("the package `{package}` of this project has no"),
            None => "no package of this project has a".into(),
        };
        Error::failed(format!("{of} program `{bin}`"))
            .hint(format!("add a [[bin]] of the name `{bin}` whose `main` prints the project's CRDs as a JSON array, or name another program: `crdgen = \"name\"` under `[package.metadata.rop]` in Cargo.toml"))
    }
}

/// How many bytes descriptions in CRDs may have, if Cargo.toml says so: `max-desc-len = 0`.
///
/// # Errors
/// It is no number.
pub fn description_limit(manifest: &str) -> Result<Option<usize>> {
    let Some(limit) = setting(manifest, "max-desc-len") else {
        return Ok(None);
    };
    let number = limit.as_integer().and_then(|n| usize::try_from(n).ok());
    match number {
        Some(number) => Ok(Some(number)),
        None => {
            let limit = limit.to_string();
            let what = format!(
                "Cargo.toml: `max-desc-len` of `metadata.rop` is no number of bytes: {}",
                limit.trim()
            );
            Err(Error::failed(what).hint("write `max-desc-len = 0` to leave descriptions out"))
        }
    }
}

/// What a manifest sets for rop: under `[package.metadata.rop]`, or for all of a workspace.
fn setting(manifest: &str, name: &str) -> Option<Item> {
    // Most have none, and need not be parsed.
    if !manifest.contains("rop") || !manifest.contains("metadata") {
        return None;
    }
    // What cannot be parsed is cargo's to tell.
    let document: DocumentMut = manifest.parse().ok()?;
    let tables = ["package", "workspace"].into_iter();
    let mut found =
        tables.filter_map(|table| document.get(table)?.get("metadata")?.get("rop")?.get(name));
    found.next().cloned()
}

/// A package with such a program.
pub(super) struct Owner {
    pub(super) name: String,
    /// Whether cargo looks for programs there, if no package is named.
    pub(super) is_default: bool,
}

/// The packages with such a program, by cargo's metadata.
pub(super) fn packages_with(bin: &str, metadata: &[u8]) -> Vec<Owner> {
    let metadata: Value = serde_json::from_slice(metadata).unwrap_or_default();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let has = |package: &Value| {
        let mut targets = list(&package["targets"]).into_iter();
        targets.any(|target| target["name"] == bin && target["kind"] == json!(["bin"]))
    };
    let default = metadata["workspace_default_members"].as_array();
    let packages = list(&metadata["packages"]).into_iter().filter(has);
    let owners = packages.map(|package| Owner {
        name: package["name"].as_str().unwrap_or_default().into(),
        is_default: default.is_none_or(|all| all.contains(&package["id"])),
    });
    owners.collect()
}

/// Only where its package is named, cargo finds the program.
pub(super) fn elsewhere(bin: &str, package: &str) -> Error {
    Error::failed(format!("the package `{package}` has the program `{bin}`, but is no default member of the workspace"))
        .hint(format!("name it: `crdgen = \"{package}/{bin}\"` under `[package.metadata.rop]` in Cargo.toml, or `[workspace.metadata.rop]`"))
}

pub(super) fn ambiguous(bin: &str, first: &str, second: &str) -> Error {
    Error::failed(format!("the packages `{first}` and `{second}` both have a program `{bin}`"))
        .hint(format!("name the one that prints the CRDs: `crdgen = \"{first}/{bin}\"` under `[package.metadata.rop]` in Cargo.toml, or `[workspace.metadata.rop]`"))
}
