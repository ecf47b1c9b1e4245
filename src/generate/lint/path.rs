//! Paths to fields, as CEL rules and selectable fields write them, and as columns do.
use serde_json::Value;

/// The schema at a path of `.field` and, where that is allowed, `['field']`.
pub(super) fn find<'a>(
    root: &'a Value,
    path: &str,
    brackets: bool,
) -> Result<&'a Value, &'static str> {
    let mut schema = root;
    let mut rest = path;
    while !rest.is_empty() {
        let name;
        (name, rest) = step(rest, brackets)?;
        let values = &schema["additionalProperties"];
        let is_object = super::says(&schema["properties"]);
        schema = match schema["properties"].get(&name) {
            Some(field) => field,
            None if !is_object && !values.is_null() => values,
            None => return Err("is no field of the schema"),
        };
    }
    Ok(schema)
}

/// The first name of a path, and what follows.
fn step(path: &str, brackets: bool) -> Result<(String, &str), &'static str> {
    if let Some(rest) = path.strip_prefix('.') {
        let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
        return match end {
            0 => Err("has no name after a dot"),
            end => Ok((rest[..end].to_owned(), &rest[end..])),
        };
    }
    let Some(rest) = path.strip_prefix("['") else {
        return Err("must start with a dot");
    };
    if !brackets {
        return Err("must be without brackets");
    }
    let mut end = None;
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        if c == '\'' && before != '\\' {
            end = Some(at);
            break;
        }
        before = c;
    }
    let end = end.ok_or("has a bracket that is not closed")?;
    let after = rest[end + 1..]
        .strip_prefix(']')
        .ok_or("has a bracket that is not closed")?;
    Ok((rest[..end].replace("\\'", "'").replace("\\\\", "\\"), after))
}

/// Whether the schema surely has no field of this path; brackets, filters and what is not declared
/// are not judged.
pub(super) fn leads_nowhere(root: &Value, path: &str) -> bool {
    let is_plain = !path.contains(['[', '\\', '*', '?', '@']) && !path.contains("..");
    let own = path == ".metadata" || path.starts_with(".metadata.");
    if !is_plain || own || matches!(path, "." | ".kind" | ".apiVersion") {
        return false;
    }
    let mut schema = root;
    for name in path.trim_start_matches('.').split('.') {
        let values = &schema["additionalProperties"];
        let open = schema["x-kubernetes-preserve-unknown-fields"] == true
            || schema["x-kubernetes-embedded-resource"] == true;
        schema = match schema["properties"].get(name) {
            Some(field) => field,
            None if values.is_object() => values,
            None => return !open && (values.is_null() || *values == false),
        };
    }
    false
}
