//! What to do with files that are in the way.
use std::collections::BTreeMap;

/// What to do with files that are in the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Stop.
    #[default]
    Stop,
    /// Overwrite them.
    Force,
    /// Keep them.
    SkipExisting,
}

/// The policy for each file.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// The policy for files without one of their own.
    pub rest: Policy,
    files: BTreeMap<String, Policy>,
}

impl Policies {
    /// Sets the policy for one file.
    pub fn set(&mut self, path: &str, policy: Policy) {
        self.files.insert(path.into(), policy);
    }

    /// The policy for a file.
    pub fn of(&self, path: &str) -> Policy {
        self.files.get(path).copied().unwrap_or(self.rest)
    }
}

impl From<Policy> for Policies {
    fn from(rest: Policy) -> Self {
        let files = BTreeMap::new();
        Self { rest, files }
    }
}
