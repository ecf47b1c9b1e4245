//! Rules that hold for all templates.
use super::*;
use crate::template::registry::TEMPLATES;
use include_dir::Dir;
use serde_json::Value;

/// Path and text of the templates themselves.
fn templates(dir: &Dir<'static>) -> Vec<(&'static str, &'static str)> {
    let mut all: Vec<_> = dir.dirs().flat_map(templates).collect();
    let path = |file: &include_dir::File<'static>| file.path().to_str().unwrap();
    all.extend(dir.files().map(|f| (path(f), f.contents_utf8().unwrap())));
    all
}

#[test]
fn files_are_tidy() {
    for file in variants().iter().flat_map(all_files) {
        let Rendered { path, text } = file;
        assert!(!path.contains("__"), "{path}");
        assert!(!path.ends_with(".tera"), "{path}");
        assert!(text.ends_with('\n'), "{path} has no last line feed");
        assert!(!text.ends_with("\n\n"), "{path} ends in an empty line");
        assert!(!text.contains("\n\n\n"), "{path} has two empty lines");
        assert!(!text.contains('\r'), "{path} has a carriage return");
        let trailing = text.lines().find(|line| line.ends_with([' ', '\t']));
        assert_eq!(trailing, None, "{path} has blanks at the end of a line");
        for delimiter in ["{[", "{%", "{#"] {
            assert!(!text.contains(delimiter), "{path} has {delimiter}");
        }
    }
}

#[test]
fn files_parse() {
    for file in variants().iter().flat_map(all_files) {
        let Rendered { path, text } = &file;
        let problem = match path.rsplit('.').next().unwrap() {
            "rs" => syn::parse_file(text).err().map(|e| e.to_string()),
            "toml" | "lock" => text
                .parse::<toml_edit::DocumentMut>()
                .err()
                .map(|e| e.to_string()),
            "yaml" | "yml" => {
                assert!(!text.contains('\t'), "{path} has a tab");
                serde_saphyr::from_multiple::<Value>(text)
                    .err()
                    .map(|e| e.to_string())
            }
            _ => None,
        };
        assert_eq!(problem, None, "{path}");
    }
}

/// What stands in `{[ … ]}` and `{%- … %}`, without filters.
fn expressions(text: &str) -> Vec<&str> {
    let starts = text.match_indices("{[").chain(text.match_indices("{%"));
    let inside = |(at, _): (usize, &str)| {
        let rest = &text[at + 2..];
        let end = rest.find("]}").into_iter().chain(rest.find("%}")).min();
        rest[..end.expect("it is closed")].trim_matches(['-', ' '])
    };
    starts.map(inside).collect()
}

/// Words of Tera, and filters.
const KNOWN: [&str; 10] = [
    "and", "elif", "else", "endif", "if", "json", "length", "not", "rust", "yaml",
];

#[test]
fn variables_are_known() {
    let context = serde_json::to_value(myapp()).unwrap();
    for (path, text) in templates(&TEMPLATES) {
        if !path.ends_with(".tera") {
            continue;
        }
        for expression in expressions(text) {
            let is_name = |word: &&str| word.starts_with(char::is_alphabetic);
            let words = expression.split_whitespace().filter(is_name);
            for name in words.filter(|word| !KNOWN.contains(word)) {
                let pointer = format!("/{}", name.replace('.', "/"));
                assert!(context.pointer(&pointer).is_some(), "{path} has {name}");
            }
        }
    }
}

/// No layer and no case of an `if` is left to luck.
#[test]
fn templates_hold_variables_and_all_are_rendered() {
    let rendered: usize = LAYERS.iter().map(|l| files(*l, &myapp()).len()).sum();
    let licenses = templates(TEMPLATES.get_dir("license").unwrap()).len();
    assert_eq!(rendered + licenses, templates(&TEMPLATES).len());
    for (path, text) in templates(&TEMPLATES) {
        // cargo takes a folder with a Cargo.toml for another package, and leaves it out of ours.
        let is_manifest = path.ends_with("Cargo.toml.tera");
        let is_template = path.ends_with(".tera");
        let has_variables = !expressions(text).is_empty();
        assert!(is_template == has_variables || is_manifest, "{path}");
        assert!(!path.ends_with("Cargo.toml"), "{path}");
    }
}

#[test]
fn yaml_values_are_filtered() {
    for (path, text) in templates(&TEMPLATES) {
        if !path.ends_with(".yaml.tera") && !path.ends_with("__sample__.tera") {
            continue;
        }
        for line in text.lines() {
            let value = line.trim_start_matches([' ', '-']);
            let value = value.split_once(": ").map_or(value, |(_, value)| value);
            let alone = value.starts_with("{[") && value.ends_with("]}");
            let one = value.matches("{[").count() == 1;
            let filtered = value.ends_with("| yaml ]}");
            assert!(!(alone && one) || filtered, "{path}: {line}");
        }
    }
}
