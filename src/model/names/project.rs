//! Names of projects.
use super::{Domain, Rules, dns, has_foreign_letters, name, rust, shown};
use crate::error::{Error, Result};
use heck::ToKebabCase;
use std::ffi::OsStr;

name! {
    /// Name of a project, such as `myapp-operator`: package, namespace, name prefix and image.
    ///
    /// It is a DNS-1035 label of at most 28 characters, so that the longest name made from it,
    /// `<project>-controller-manager-metrics-service`, fits the 63 of a Service; and it is the
    /// name of a Cargo package that clashes with no other and with nothing the project uses, and
    /// that rustc does not warn of.
    ProjectName
}

/// Longest name in a project: 63 − `-controller-manager-metrics-service`.
const LONGEST: usize = 28;

/// The dependencies of every generated project.
const LOCK: &str = include_str!("../../../templates/project/Cargo.lock");

/// `cargo new` refuses them or warns of them.
const BUILD_DIRS: [&str; 4] = ["build", "deps", "examples", "incremental"];
const STANDARD_CRATES: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];
const WINDOWS_DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

/// What the generated code calls something else in a file with `use <project>::…`, and `crdgen`,
/// whose documentation would land in the same folder.
const TAKEN: [&str; 7] = [
    "api",
    "controllers",
    "crdgen",
    "env",
    "shutdown",
    "telemetry",
    "webhooks",
];

impl ProjectName {
    /// The name of a project in a directory of this name.
    ///
    /// # Errors
    /// The directory's name is no project name; the hint tells of `--project-name`.
    pub fn from_dir_name(name: impl AsRef<OsStr>) -> Result<Self> {
        let name = name.as_ref().to_string_lossy();
        let Err(rule) = Self::check(&name) else {
            return Ok(Self(name.into_owned()));
        };
        let message = format!(
            "the directory `{}` cannot give the project its name: {rule}",
            shown(&name)
        );
        let nearest = Self::nearest(&name);
        let nearest = nearest.as_deref().unwrap_or(Self::EXAMPLE);
        let hint = format!("name the project yourself with `--project-name {nearest}`");
        Err(Error::invalid(message).hint(hint))
    }

    /// The project as a Rust crate, such as `myapp_operator`.
    pub fn crate_name(&self) -> String {
        crate_name(self.as_str())
    }

    /// Name of the lease: `<project>.<domain>`, or the project alone if there is no domain.
    ///
    /// # Errors
    /// It is longer than a DNS-1123 subdomain may be, 253.
    pub fn lease(&self, domain: &Domain) -> Result<String> {
        if domain.is_empty() {
            return Ok(self.to_string());
        }
        let lease = format!("{self}.{domain}");
        let checked = dns::check_subdomain(&lease).map(|()| lease);
        checked.map_err(|rule| {
            let domain = shown(domain.as_str());
            Error::invalid(format!(
                "the domain `{domain}` is too long: the lease of the operator is called \
                 `<project>.<domain>`, and {rule}"
            ))
        })
    }
}

impl Rules for ProjectName {
    const NOUN: &'static str = "project name";
    const EXAMPLE: &'static str = "myapp-operator";

    fn check(value: &str) -> Result<(), String> {
        dns::check_label(value, LONGEST)?;
        if value.contains("--") {
            return Err("with two `-` in a row, rustc warns of the crate's name".to_owned());
        }
        check_package(value)
    }

    fn guess(value: &str) -> Option<String> {
        if has_foreign_letters(value) {
            return None;
        }
        let kebab = value.to_kebab_case();
        let name = cut(dns::from_first_letter(&kebab));
        let is_free = check_package(name).is_ok();
        Some(if is_free {
            name.to_owned()
        } else {
            format!("{name}-operator")
        })
    }
}

/// The rules of Cargo and rustc, for what is a DNS label already.
fn check_package(name: &str) -> Result<(), String> {
    let name = crate_name(name);
    let name = name.as_str();
    let refused = |why: &str| Err(why.to_owned());
    if rust::is_keyword(name) {
        return refused("it is a Rust keyword");
    }
    if STANDARD_CRATES.contains(&name) {
        return refused("it is a crate of Rust's standard library");
    }
    if BUILD_DIRS.contains(&name) {
        return refused("Cargo uses it for a folder of its own");
    }
    if is_windows_device(name) {
        return refused("it is a reserved file name on Windows");
    }
    if TAKEN.contains(&name) {
        return refused("the generated code uses it for something else");
    }
    let mut locked = locked_packages().map(crate_name);
    let own = [name.to_owned(), format!("{name}_api")];
    if locked.any(|package| own.contains(&package)) {
        return refused("a dependency of the generated project is called so");
    }
    Ok(())
}

/// `is_windows_reserved` of Cargo.
fn is_windows_device(name: &str) -> bool {
    let port = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    let is_port = port.is_some_and(|digit| matches!(digit.as_bytes(), [b'1'..=b'9']));
    is_port || WINDOWS_DEVICES.contains(&name)
}

fn locked_packages() -> impl Iterator<Item = &'static str> {
    let names = LOCK
        .lines()
        .filter_map(|line| line.strip_prefix("name = \""));
    names.filter_map(|name| name.strip_suffix('"'))
}

fn crate_name(package: &str) -> String {
    package.replace('-', "_")
}

/// The first words that fit, or of a single long word its start.
fn cut(name: &str) -> &str {
    let Some((start, rest)) = name.split_at_checked(LONGEST) else {
        return name;
    };
    let ends_word = rest.is_empty() || rest.starts_with('-');
    let words = if ends_word {
        None
    } else {
        start.rsplit_once('-')
    };
    words
        .map_or(start, |(words, _)| words)
        .trim_end_matches('-')
}
