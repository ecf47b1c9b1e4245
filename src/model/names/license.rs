//! Licenses that `rop init` can write.
use super::{refusal, with_nearest};
use crate::error::Error;
use std::{fmt, str::FromStr};

/// License of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum License {
    /// Apache License 2.0.
    Apache2,
    /// MIT License.
    Mit,
    /// No LICENSE file and no `license` in Cargo.toml.
    #[default]
    None,
}

impl License {
    /// Every license, as the command line lists them.
    pub const ALL: [Self; 3] = [Self::Apache2, Self::Mit, Self::None];

    /// As on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Apache2 => "apache-2.0",
            Self::Mit => "mit",
            Self::None => "none",
        }
    }

    /// Identifier in the list of SPDX, as in Cargo.toml.
    pub fn spdx(self) -> Option<&'static str> {
        match self {
            Self::Apache2 => Some("Apache-2.0"),
            Self::Mit => Some("MIT"),
            Self::None => None,
        }
    }
}

impl FromStr for License {
    type Err = Error;

    fn from_str(value: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|l| l.as_str() == value);
        found.ok_or_else(|| {
            let rule = "it must be `apache-2.0`, `mit` or `none`";
            let error = refusal("license", value, rule, "apache-2.0");
            with_nearest(error, nearest(value).map(|l| l.as_str().to_owned()))
        })
    }
}

fn nearest(value: &str) -> Option<License> {
    let lower = value.trim().to_ascii_lowercase();
    let starts = |license: &License| lower.starts_with(&license.as_str()[..3]);
    License::ALL.into_iter().find(starts)
}

impl fmt::Display for License {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl AsRef<str> for License {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}
