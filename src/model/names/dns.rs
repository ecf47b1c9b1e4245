//! Labels and subdomains as `k8s.io/apimachinery` (`pkg/util/validation`) checks them.
use super::check_length;

/// Most characters of a label.
pub(super) const LABEL: usize = 63;
/// Most characters of a subdomain. Its parts have no limit of their own in Kubernetes.
pub(super) const SUBDOMAIN: usize = 253;

/// `IsDNS1035Label` with another limit, and the clause that messages want.
pub(super) fn check_label(value: &str, longest: usize) -> Result<(), String> {
    let starts_right = value.starts_with(|c: char| c.is_ascii_lowercase());
    if !starts_right || !is_part(value) {
        return Err(
            "it must be a DNS-1035 label, that is lower-case letters, digits and `-`, \
             with a letter first and no `-` last"
                .to_owned(),
        );
    }
    check_length(value, longest)
}

/// `IsDNS1123Subdomain`, with the clause that messages want.
pub(super) fn check_subdomain(value: &str) -> Result<(), String> {
    if !value.split('.').all(is_part) {
        return Err(
            "it must be a DNS-1123 subdomain, that is lower-case letters, digits, `-` and `.`, \
             where each part starts and ends with a letter or digit"
                .to_owned(),
        );
    }
    check_length(value, SUBDOMAIN)
}

/// A DNS-1123 label of any length.
fn is_part(value: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !value.is_empty()
        && value.chars().all(allowed)
        && !value.starts_with('-')
        && !value.ends_with('-')
}

/// Lower case, with one `-` for whatever is not allowed; may still start with a digit.
pub(super) fn to_part(value: &str) -> String {
    let lower = value.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// The parts of a domain, or of a URL's, each put right.
pub(super) fn to_subdomain(value: &str) -> String {
    let domain = value.split_once("://").map_or(value, |(_, rest)| rest);
    let parts = domain.split('.').map(to_part);
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(".")
}

/// Without what may not come before the first letter of a label.
pub(super) fn from_first_letter(value: &str) -> &str {
    value.trim_start_matches(|c: char| !c.is_ascii_lowercase())
}
