//! Plurals, which name resources in URLs, RBAC and CRDs.
use super::{Kind, Rules, dns, has_foreign_letters, name};
use crate::error::{Error, Result};

name! {
    /// Plural of a kind in lower case, such as `myapps`: a DNS-1035 label.
    ///
    /// It may equal the singular, as that of `Endpoints` does.
    Plural
}

impl Plural {
    /// The English plural of a kind.
    ///
    /// # Errors
    /// It is longer than 63 characters.
    pub fn of(kind: &Kind) -> Result<Self> {
        let plural = cruet::to_plural(&kind.stem());
        plural.parse().map_err(|_| {
            let message = format!(
                "the plural of the kind `{kind}` would be `{plural}`, which is too long: \
                 at most {} characters fit",
                dns::LABEL
            );
            Error::invalid(message).hint("choose a shorter one with `--plural`")
        })
    }
}

impl Rules for Plural {
    const NOUN: &'static str = "plural";
    const EXAMPLE: &'static str = "myapps";

    fn check(value: &str) -> Result<(), String> {
        dns::check_label(value, dns::LABEL)
    }

    fn guess(value: &str) -> Option<String> {
        let guess = dns::to_part(value);
        (!has_foreign_letters(value)).then(|| dns::from_first_letter(&guess).to_owned())
    }
}
