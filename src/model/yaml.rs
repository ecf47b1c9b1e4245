//! What is wrong with a YAML text, in words for people who have never heard of its parser.
use serde_saphyr::Error;

/// A fault of a YAML text.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line and column, from 1 on, where they are known.
    pub place: Option<(u64, u64)>,
    /// What is wrong there.
    pub what: String,
}

impl Fault {
    /// What the parser found.
    pub fn of(error: &Error) -> Self {
        let error = error.without_snippet();
        let place = error.location().map(|at| (at.line(), at.column()));
        let what = words(error);
        Self { place, what }
    }
}

fn words(error: &Error) -> String {
    match error {
        Error::MultipleDocuments { .. } => "a second YAML document begins".into(),
        Error::DuplicateMappingKey { key: Some(key), .. } => format!("`{key}` is there twice"),
        Error::DuplicateMappingKey { .. } => "a key is there twice".into(),
        Error::UnknownAnchor { .. } => "an alias names an anchor that is not there".into(),
        Error::RecursiveReferencesRequireWeakTypes { .. } => "an alias is part of itself".into(),
        Error::SerdeMissingField { field, .. } => format!("`{field}` is missing"),
        Error::NullIntoString { .. } => "there is nothing where a text is needed".into(),
        Error::SerdeInvalidType {
            unexpected,
            expected,
            ..
        } => format!("there is {unexpected} where {expected} is needed"),
        Error::Unexpected { expected, .. } => format!("{} is needed here", shape(expected)),
        Error::InvalidBooleanStrict { .. } | Error::InvalidScalar { ty: "boolean", .. } => {
            "`true` or `false` is needed here".into()
        }
        Error::Eof { .. } => "the text ends too early".into(),
        Error::AliasError { error, .. } => words(error.without_snippet()),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => "its aliases stand for too much".into(),
        Error::ExternalMessage { msg, .. } => syntax(msg),
        other => {
            let text = other.to_string();
            // The place is told apart, and advice to programmers not at all.
            let ends = [" at line ", "; use ", ", set "].into_iter();
            let end = ends.filter_map(|end| text.find(end)).min();
            text[..end.unwrap_or(text.len())].to_owned()
        }
    }
}

/// What an event of the parser is to people.
fn shape(event: &str) -> &str {
    match event {
        "string scalar" | "scalar" => "a text",
        "mapping start" => "a map",
        "sequence start" => "a list",
        other => other,
    }
}

/// What users trip over most is told plainly.
fn syntax(message: &str) -> String {
    match message {
        _ if message.starts_with("mapping values are not allowed") => {
            "there is a `:` where no key can be".into()
        }
        _ if message.starts_with("tabs disallowed") => "a tab indents where only blanks may".into(),
        _ => message.to_owned(),
    }
}
