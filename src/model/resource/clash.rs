//! Clashes between two resources of one project.
//!
//! Beside Rust's rules, the naming controller of the API server speaks here: within a group, plurals
//! and singulars of all CRDs share one set of names, kinds and list kinds another. A CRD that asks
//! for a name in use is stored, but never served.
use super::Resource;
use crate::error::{Error, Result};

impl Resource {
    /// Looks for names that this resource cannot have beside others of the project.
    ///
    /// The resource itself, and other versions of its kind, may be among the others.
    ///
    /// # Errors
    /// The first clash found.
    pub fn clash<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Result<()> {
        others.into_iter().try_for_each(|other| {
            if self.api_group != other.api_group {
                self.check_modules(other)
            } else if self.kind == other.kind {
                self.check_same_crd(other)
            } else {
                self.check_stems(other)?;
                self.check_api_names(other)?;
                self.check_types(other)
            }
        })
    }

    /// Groups have a module each. It also keeps the paths of webhooks apart, where `a.b` and `a-b`
    /// look alike.
    fn check_modules(&self, other: &Self) -> Result<()> {
        let module = self.group_module();
        if module != other.group_module() {
            return Ok(());
        }
        let message = format!(
            "the groups `{}` and `{}` would share the Rust module `{module}`",
            self.api_group, other.api_group
        );
        Err(Error::conflict(message).hint("choose a group that differs in letters or digits"))
    }

    /// The versions of a kind share one CRD.
    fn check_same_crd(&self, other: &Self) -> Result<()> {
        if self.plural != other.plural {
            let message = format!(
                "`{other}` has the plural `{}`, and all versions of a kind have the same, \
                 not `{}`",
                other.plural, self.plural
            );
            return Err(Error::conflict(message).hint("leave out `--plural`"));
        }
        if self.namespaced != other.namespaced {
            let scope = if other.namespaced {
                "namespaced"
            } else {
                "cluster-scoped"
            };
            let message =
                format!("`{other}` is {scope}, and all versions of a kind have the same scope");
            return Err(Error::conflict(message).hint("leave out `--namespaced`"));
        }
        Ok(())
    }

    /// Kinds in lower case are singulars, and name files and modules.
    fn check_stems(&self, other: &Self) -> Result<()> {
        if self.kind.stem() != other.kind.stem() {
            return Ok(());
        }
        let message = format!(
            "the kind `{}` differs from that of `{other}` in upper and lower case only",
            self.kind
        );
        let hint = format!("use `{}`, or choose another kind", other.kind);
        Err(Error::conflict(message).hint(hint))
    }

    fn check_api_names(&self, other: &Self) -> Result<()> {
        if let Some(name) = shared(&self.resource_names(), &other.resource_names()) {
            let message = format!(
                "`{name}` would be the plural or singular of both `{self}` and `{other}`, \
                 and the API server takes it once in a group"
            );
            return Err(Error::conflict(message).hint("choose another kind or `--plural`"));
        }
        if let Some(name) = shared(&self.kind_names(), &other.kind_names()) {
            let message = format!(
                "`{name}` would be the kind or list kind of both `{self}` and `{other}`, \
                 and the API server takes it once in a group"
            );
            return Err(Error::conflict(message).hint("choose another kind"));
        }
        Ok(())
    }

    /// The kinds of a version share one Rust module.
    fn check_types(&self, other: &Self) -> Result<()> {
        if self.version != other.version {
            return Ok(());
        }
        if let Some(name) = shared(&self.kind.types(), &other.kind.types()) {
            let message = format!("`{self}` and `{other}` would both have a Rust type `{name}`");
            return Err(Error::conflict(message).hint("choose another kind"));
        }
        Ok(())
    }

    fn resource_names(&self) -> [String; 2] {
        [self.plural.to_string(), self.kind.stem()]
    }

    fn kind_names(&self) -> [String; 2] {
        [self.kind.to_string(), self.kind.list()]
    }
}

fn shared<'a>(ours: &'a [String], theirs: &[String]) -> Option<&'a String> {
    ours.iter().find(|name| theirs.contains(name))
}
