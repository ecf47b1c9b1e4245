//! How values become safe where they stand.
/// What YAML 1.1 readers, such as kubectl, take for a boolean or nothing, in lower case.
///
/// Sources: the types `bool` and `null` of <https://yaml.org/type/>.
const WORDS: [&str; 9] = ["false", "n", "no", "null", "off", "on", "true", "y", "yes"];

/// A name as a YAML scalar; quoted only where it would not be read as a string.
///
/// Names consist of ASCII letters, digits, `-` and `.`: nothing is there to be escaped, and all that
/// YAML takes for a number or a date starts with a digit.
pub(super) fn yaml(name: &str) -> String {
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(name));
    if is_word || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        format!("\"{name}\"")
    } else {
        name.into()
    }
}

/// Any text as a Rust string literal.
pub(super) fn rust(text: &str) -> String {
    format!("{text:?}")
}

/// Any text as a JSON string.
pub(super) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_yaml_misreads_them() {
        // Examples of https://yaml.org/type/ that are valid names.
        for name in [
            "null",
            "Null",
            "y",
            "N",
            "yes",
            "Off",
            "on",
            "true",
            "1.5",
            "12e03",
            "0x2a",
            "0b1010",
            "685.230",
            "2001-12-14",
        ] {
            assert_eq!(yaml(name), format!("\"{name}\""));
        }
        for name in ["myapp", "nulls", "yes.example.com", "e3", "nan", "MyApp"] {
            assert_eq!(yaml(name), name);
        }
    }
}
