//! Names in Rust: keywords and modules.

/// Keywords of edition 2024, reserved ones included; the weak ones are identifiers.
/// <https://doc.rust-lang.org/reference/keywords.html>
const KEYWORDS: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// What a module of a group may not be called, since the files that declare it use these names
/// for something else: crates that they import from, the tool attribute `rustfmt::skip`, and the
/// module `support` of the tests.
const TAKEN: [&str; 5] = ["k8s_openapi", "kube", "rop_manager", "rustfmt", "support"];

pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Name of the module, and of the folder, of a group.
///
/// What is not alphanumeric becomes `_`; a keyword, or a name that the generated code uses
/// otherwise, gets `_` behind it, and a digit `_` before it. The group without a name is `core`.
pub fn module_name(group: &str) -> String {
    let name = group.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if name.is_empty() {
        "core".to_owned()
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{name}")
    } else if is_keyword(&name) || TAKEN.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}
