//! Domains, groups, and the API groups they form together.
use super::{Rules, dns, has_foreign_letters, name};
use crate::error::Result;

name! {
    /// Domain of a project, which ends its API groups: a DNS-1123 subdomain, or empty.
    Domain
}

name! {
    /// Group as on the command line, without the domain: a DNS-1123 subdomain, or empty.
    Group
}

name! {
    /// Group as in `apiVersion`: a DNS-1123 subdomain with a dot, as the API server asks of CRDs.
    ApiGroup
}

impl Domain {
    /// There is no domain: each group has to bring a dot of its own.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Group {
    /// There is no group: the domain is the API group.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ApiGroup {
    /// The API group of a group in a project of this domain.
    ///
    /// # Errors
    /// Together they are empty, have no dot, or are too long.
    pub fn new(group: &Group, domain: &Domain) -> Result<Self> {
        let both = [group.as_str(), domain.as_str()];
        let parts: Vec<_> = both.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(".").parse()
    }

    /// It belongs to the Kubernetes community, so that its CRDs need an
    /// [`Approval`](super::Approval).
    pub fn needs_approval(&self) -> bool {
        let is_below = |domain| {
            let above = self.0.strip_suffix(domain);
            above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        };
        is_below("k8s.io") || is_below("kubernetes.io")
    }
}

impl Rules for Domain {
    const NOUN: &'static str = "domain";
    const EXAMPLE: &'static str = "example.com";

    fn check(value: &str) -> Result<(), String> {
        check_or_empty(value)
    }

    fn guess(value: &str) -> Option<String> {
        guess(value)
    }
}

impl Rules for Group {
    const NOUN: &'static str = "group";
    const EXAMPLE: &'static str = "app";

    fn check(value: &str) -> Result<(), String> {
        check_or_empty(value)
    }

    fn guess(value: &str) -> Option<String> {
        guess(value)
    }
}

impl Rules for ApiGroup {
    const NOUN: &'static str = "API group";
    const EXAMPLE: &'static str = "app.example.com";

    fn check(value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err("a group, a domain or both are needed".to_owned());
        }
        dns::check_subdomain(value)?;
        if !value.contains('.') {
            return Err("it needs a dot, or the API server refuses its CRDs".to_owned());
        }
        Ok(())
    }

    fn guess(value: &str) -> Option<String> {
        let guess = guess(value)?;
        let has_dot = guess.contains('.');
        Some(if has_dot {
            guess
        } else {
            format!("{guess}.example.com")
        })
    }
}

fn check_or_empty(value: &str) -> Result<(), String> {
    if value.is_empty() {
        return Ok(());
    }
    dns::check_subdomain(value)
}

fn guess(value: &str) -> Option<String> {
    let guess = dns::to_subdomain(value);
    (!guess.is_empty() && !has_foreign_letters(value)).then_some(guess)
}
