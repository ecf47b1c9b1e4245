//! Versions of APIs.
use super::{Rules, check_length, dns, name};

name! {
    /// Version of an API, such as `v1`, `v1beta1` or `v2alpha3`.
    ///
    /// Kubernetes orders versions of this shape; of others it knows neither order nor maturity.
    Version
}

impl Rules for Version {
    const NOUN: &'static str = "version";
    const EXAMPLE: &'static str = "v1alpha1";

    fn check(value: &str) -> Result<(), String> {
        if !is_version(value) {
            return Err("it must be `v` and a number, \
                 with `alpha` or `beta` and another number behind if it is not stable"
                .to_owned());
        }
        check_length(value, dns::LABEL)
    }

    /// Reads number, stage and number, whatever stands between and behind them.
    fn guess(value: &str) -> Option<String> {
        let lower = value.trim().to_ascii_lowercase();
        let rest = lower.strip_prefix('v').unwrap_or(&lower);
        let (major, rest) = number(rest);
        let rest = rest.trim_start_matches(['-', '_', '.']);
        let mut stages = ["alpha", "beta"].into_iter();
        match stages.find_map(|stage| Some((stage, rest.strip_prefix(stage)?))) {
            Some((stage, rest)) => {
                let (minor, _) = number(rest.trim_start_matches(['-', '_', '.']));
                let minor = minor.unwrap_or("1");
                Some(format!("v{}{stage}{minor}", major.unwrap_or("1")))
            }
            None => Some(format!("v{}", major?)),
        }
    }
}

/// `v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?`
fn is_version(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('v') else {
        return false;
    };
    let stage = rest.split_once("alpha").or_else(|| rest.split_once("beta"));
    match stage {
        Some((major, minor)) => is_number(major) && is_number(minor),
        None => is_number(rest),
    }
}

/// A positive number without leading zeros.
fn is_number(value: &str) -> bool {
    !value.is_empty() && !value.starts_with('0') && value.chars().all(|c| c.is_ascii_digit())
}

/// The number that `text` starts with, made positive and without leading zeros, and the rest.
fn number(text: &str) -> (Option<&str>, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    let number = match digits.trim_start_matches('0') {
        "" if digits.is_empty() => None,
        "" => Some("1"),
        number => Some(number),
    };
    (number, rest)
}
