//! Names that users choose: newtypes whose constructors are the validation.
//!
//! Two rule sets meet here, and a name has to satisfy both.
//!
//! - Kubernetes: `IsDNS1123Subdomain` and `IsDNS1035Label` of `k8s.io/apimachinery`
//!   (`pkg/util/validation`), and of `k8s.io/apiextensions-apiserver` the validation of a CRD's group
//!   and names, its naming controller, and `IsProtectedCommunityGroup`.
//! - Cargo and rustc: `restricted_names` and `cargo new` of Cargo, and the keywords of edition 2024.
//!
//! Each refusal names the rule, shows an example, and hints at the nearest valid name if there is
//! one. All of them are [`ErrorKind::Invalid`](crate::error::ErrorKind::Invalid).

mod approval;
mod dns;
mod group;
mod kind;
mod license;
mod plural;
mod project;
mod rust;
mod version;

pub use approval::Approval;
pub use group::{ApiGroup, Domain, Group};
pub use kind::Kind;
pub use license::License;
pub use plural::Plural;
pub use project::ProjectName;
pub use rust::module_name;
pub use version::Version;

use crate::error::Error;

/// Whether Kubernetes takes a text for a DNS-1035 label.
pub fn is_label(text: &str) -> bool {
    dns::check_label(text, dns::LABEL).is_ok()
}

/// Whether Kubernetes takes a text for a DNS-1123 subdomain.
pub fn is_subdomain(text: &str) -> bool {
    dns::check_subdomain(text).is_ok()
}

/// The rules of one sort of name.
trait Rules {
    /// What messages call it.
    const NOUN: &'static str;
    /// A valid name.
    const EXAMPLE: &'static str;

    /// The rule that `value` breaks, as a clause about "it".
    fn check(value: &str) -> Result<(), String>;

    /// What may have been meant; it need not be valid.
    fn guess(value: &str) -> Option<String>;

    /// The nearest valid name, if one can be made.
    fn nearest(value: &str) -> Option<String> {
        Self::guess(value).filter(|guess| Self::check(guess).is_ok())
    }

    /// Takes a valid name, and explains what is wrong with any other.
    fn parse(value: &str) -> Result<String, Error> {
        match Self::check(value) {
            Ok(()) => Ok(value.to_owned()),
            Err(rule) => {
                let error = refusal(Self::NOUN, value, &rule, Self::EXAMPLE);
                Err(with_nearest(error, Self::nearest(value)))
            }
        }
    }
}

/// What is wrong, which rule says so, and an example.
fn refusal(noun: &str, value: &str, rule: &str, example: &str) -> Error {
    let subject = if value.is_empty() {
        format!("the {noun} is empty")
    } else {
        format!("invalid {noun} `{}`", shown(value))
    };
    Error::invalid(format!("{subject}: {rule} (example: `{example}`)"))
}

fn with_nearest(error: Error, nearest: Option<String>) -> Error {
    match nearest {
        Some(name) => error.hint(format!("try `{name}`")),
        None => error,
    }
}

/// A value that may hold anything, fit for one line of a message.
fn shown(value: &str) -> String {
    const LONGEST: usize = 80;
    let mut chars = value.chars();
    let mut text: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text.replace(|c: char| c.is_control(), "\u{fffd}")
}

/// At most `limit` bytes; only for text that is ASCII or refused for that.
fn check_length(value: &str, limit: usize) -> Result<(), String> {
    if value.len() > limit {
        let length = value.len();
        return Err(format!("at most {limit} characters fit, it has {length}"));
    }
    Ok(())
}

/// Guesses keep the letters of a name, which only works where these are ASCII.
fn has_foreign_letters(value: &str) -> bool {
    value.chars().any(|c| !c.is_ascii() && c.is_alphanumeric())
}

/// Declares a name: a string that satisfies its [`Rules`].
macro_rules! name {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::error::Error;

            fn from_str(value: &str) -> Result<Self, Self::Err> {
                <Self as super::Rules>::parse(value).map(Self)
            }
        }

        impl TryFrom<&str> for $name {
            type Error = crate::error::Error;

            fn try_from(value: &str) -> Result<Self, Self::Error> {
                value.parse()
            }
        }

        impl TryFrom<String> for $name {
            type Error = crate::error::Error;

            fn try_from(value: String) -> Result<Self, Self::Error> {
                value.parse()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
use name;
