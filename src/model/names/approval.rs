//! Approval of APIs in the groups of the Kubernetes community.
use super::{Rules, name};

name! {
    /// Value of the annotation `api-approved.kubernetes.io`: the URL of the pull request that
    /// approved the API, or a text that starts with `unapproved`.
    ///
    /// What is valid here is for `GetAPIApprovalState` of `k8s.io/apiextensions-apiserver`, too,
    /// and stands between double quotes in Rust and YAML as it is.
    Approval
}

impl Rules for Approval {
    const NOUN: &'static str = "approval";
    const EXAMPLE: &'static str = "https://github.com/kubernetes/enhancements/pull/1111";

    fn check(value: &str) -> Result<(), String> {
        if value.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
            return Err("control characters, `\"` and `\\` are not allowed".to_owned());
        }
        if value.starts_with("unapproved") || is_url(value) {
            return Ok(());
        }
        Err("it must be an http(s) URL, or start with `unapproved`".to_owned())
    }

    fn guess(value: &str) -> Option<String> {
        let value = value.trim();
        let lower = value.to_ascii_lowercase();
        if lower.starts_with("unapproved") {
            return Some(lower);
        }
        let is_bare = value.contains('.') && !value.contains("://");
        is_bare.then(|| format!("https://{value}"))
    }
}

/// A subset of what Go's `url.ParseRequestURI` takes as a URL with scheme and host.
fn is_url(value: &str) -> bool {
    let rest = value.strip_prefix("https://");
    let Some(rest) = rest.or_else(|| value.strip_prefix("http://")) else {
        return false;
    };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let path = &rest[authority.len()..];
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let in_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    !host.is_empty()
        && host.chars().all(in_host)
        && port.chars().all(|c| c.is_ascii_digit())
        && !path.contains(char::is_whitespace)
        && has_valid_escapes(path)
}

/// Each `%` is followed by two hexadecimal digits.
fn has_valid_escapes(path: &str) -> bool {
    let mut escapes = path.split('%').skip(1).map(str::as_bytes);
    escapes.all(|text| text.len() > 1 && text[..2].iter().all(u8::is_ascii_hexdigit))
}
