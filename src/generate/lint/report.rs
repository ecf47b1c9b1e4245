//! Findings as people read them.
use super::{Effect, Finding, lint};
use crate::error::{Error, Result};
use serde_json::Value;

/// Judges CRDs, each with the path of its file: gives the warnings.
///
/// # Errors
/// There are errors among the findings: all of all files are told together.
pub fn judge<'a>(crds: impl IntoIterator<Item = (String, &'a Value)>) -> Result<Vec<String>> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for (path, crd) in crds {
        for finding in lint(crd) {
            match finding.rule.effect.is_error() {
                true => errors.push((path.clone(), finding)),
                false => warnings.push(format!("{path}: {finding}")),
            }
        }
    }
    if errors.is_empty() {
        return Ok(warnings);
    }
    let count = match errors.len() {
        1 => "1 error".to_owned(),
        count => format!("{count} errors"),
    };
    let told: String = errors
        .iter()
        .map(|(path, finding)| told(path, finding))
        .collect();
    let also: String = warnings
        .iter()
        .map(|warning| format!("\n  {warning}"))
        .collect();
    let also = match also.as_str() {
        "" => also,
        _ => format!("\nwarnings:{also}"),
    };
    let what = format!("nothing was written: {count} in the CRDs of the types{told}{also}");
    Err(Error::failed(what).hint("correct the types, and run the command again"))
}

fn told(path: &str, finding: &Finding) -> String {
    let Finding {
        rule,
        of,
        field,
        what,
    } = finding;
    let effect = match rule.effect {
        Effect::Refused => "the API server refuses it",
        Effect::Unreadable => "objects could not be read",
        Effect::Regretted => "it does not do what was meant",
    };
    format!(
        "\n  {path}: {of}: {field} {what} [{}: {effect}]\n      {}",
        rule.name, rule.remedy
    )
}
