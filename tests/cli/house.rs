//! The rules of the house: rooms, directions, sizes, and who may touch files.
use crate::support;
use std::{collections::BTreeMap, fs, path::Path, process::Command};
use syn::{Block, ImplItem, Item, TraitItem};

/// What each room may import; `main` and `lib` may import everything.
const IMPORTS: [(&str, &[&str]); 10] = [
    ("error", &[]),
    ("model", &["error"]),
    ("ui", &["error", "model"]),
    ("template", &["error", "model"]),
    ("edit", &["error", "model"]),
    ("generate", &["error", "model"]),
    ("envtest", &["error", "model"]),
    (
        "plan",
        &[
            "edit", "envtest", "error", "generate", "model", "template", "ui",
        ],
    ),
    ("cli", &["error", "model", "ui"]),
    (
        "commands",
        &[
            "cli", "edit", "envtest", "error", "generate", "model", "plan", "template", "ui",
        ],
    ),
];

const MAX_FILE: usize = 300;
const MAX_FUNCTION: usize = 60;

/// Every breach of the rules in a `src` folder, as `path:line: what`.
fn breaches(src: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in support::tree(src) {
        if path.ends_with(".rs") {
            let text = String::from_utf8(text).unwrap();
            found.extend(imports(&path, &text));
            found.extend(sizes(&path, &text));
        }
    }
    found
}

fn room(path: &str) -> &str {
    path.split('/').next().unwrap().trim_end_matches(".rs")
}

fn imports(path: &str, text: &str) -> Vec<String> {
    let room = room(path);
    let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == room) else {
        return match room {
            "main" | "lib" => Vec::new(),
            _ => vec![format!("{path}:1: is in no room of the house")],
        };
    };
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let paths = line.split("crate::").skip(1);
        let names = paths.flat_map(|rest| {
            let group = rest.strip_prefix('{').unwrap_or(rest);
            group
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .take(1)
        });
        for name in names.filter(|name| IMPORTS.iter().any(|(room, _)| room == name)) {
            if name != room && !allowed.contains(&name) {
                found.push(format!("{path}:{}: {room} imports {name}", number + 1));
            }
        }
    }
    // `use crate::{…}` over several lines.
    let groups = text.split("use crate::{").skip(1);
    for group in groups.map(|rest| rest.split("};").next().unwrap()) {
        for line in group.lines().map(str::trim) {
            let name = line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap();
            let known = IMPORTS.iter().any(|(room, _)| *room == name);
            if known && name != room && !allowed.contains(&name) {
                found.push(format!("{path}: {room} imports {name}"));
            }
        }
    }
    found
}

fn sizes(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_FILE {
        found.push(format!("{path}:1: has {lines} lines"));
    }
    functions(
        &syn::parse_file(text).unwrap().items,
        &mut |name, first, last| {
            let lines = last - first + 1;
            if lines > MAX_FUNCTION {
                found.push(format!("{path}:{first}: {name} has {lines} lines"));
            }
        },
    );
    found
}

fn functions(items: &[Item], see: &mut dyn FnMut(String, usize, usize)) {
    let mut one = |name: &syn::Ident, block: &Block| {
        let braces = block.brace_token.span;
        see(
            name.to_string(),
            braces.open().start().line,
            braces.close().end().line,
        );
    };
    for item in items {
        match item {
            Item::Fn(function) => one(&function.sig.ident, &function.block),
            Item::Impl(block) => {
                for item in &block.items {
                    if let ImplItem::Fn(function) = item {
                        one(&function.sig.ident, &function.block);
                    }
                }
            }
            Item::Trait(block) => {
                for item in &block.items {
                    if let TraitItem::Fn(function) = item
                        && let Some(block) = &function.default
                    {
                        one(&function.sig.ident, block);
                    }
                }
            }
            _ => {}
        }
    }
    for item in items {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            functions(items, see);
        }
    }
}

#[test]
fn the_house_is_in_order() {
    let found = breaches(&support::repository().join("src"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn templates_are_short() {
    let templates = support::tree(&support::repository().join("templates"));
    let long = templates.iter().filter(|(path, text)| {
        let generated = path.ends_with("Cargo.lock") || path.ends_with("LICENSE.tera");
        !generated && text.split(|byte| *byte == b'\n').count() > MAX_FILE + 1
    });
    let long: Vec<_> = long.map(|(path, _)| path).collect();
    assert!(long.is_empty(), "{long:?}");
}

/// The rules find what they are for.
#[test]
fn breaches_are_found() {
    let long_file = "// one line\n".repeat(MAX_FILE + 1);
    let body = "    let _ = 1;\n".repeat(MAX_FUNCTION);
    let files = BTreeMap::from([
        ("model/up.rs", "use crate::plan::Plan;\n".to_owned()),
        (
            "edit/group.rs",
            "use crate::{\n    error::Result,\n    ui::Ui,\n};\n".to_owned(),
        ),
        (
            "generate/inline.rs",
            "fn f() { crate::commands::run() }\n".to_owned(),
        ),
        ("attic/mod.rs", String::new()),
        ("ui/file.rs", long_file),
        ("ui/function.rs", format!("fn long() {{\n{body}}}\n")),
        (
            "plan/fine.rs",
            "use crate::{edit::Edited, ui::Report};\n".to_owned(),
        ),
    ]);
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    assert_eq!(
        breaches(dir.path()),
        [
            "attic/mod.rs:1: is in no room of the house",
            "edit/group.rs: edit imports ui",
            "generate/inline.rs:1: generate imports commands",
            "model/up.rs:1: model imports plan",
            "ui/file.rs:1: has 301 lines",
            "ui/function.rs:1: long has 62 lines",
        ]
    );
}

/// Our clippy rules refuse files, processes and printing outside their rooms.
#[test]
fn clippy_keeps_side_effects_in_their_rooms() {
    let manifest = fs::read_to_string(support::repository().join("Cargo.toml")).unwrap();
    let manifest: toml_edit::DocumentMut = manifest.parse().unwrap();
    let mut fixture: toml_edit::DocumentMut =
        "[package]\nname = \"fixture\"\nversion = \"0.0.0\"\nedition = \"2024\"\n"
            .parse()
            .unwrap();
    fixture["lints"] = manifest["lints"].clone();
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("Cargo.toml"), fixture.to_string()).unwrap();
    let calls = [
        ("std::fs::write(\"x\", \"y\").ok();", "disallowed_methods"),
        ("std::fs::File::open(\"x\").ok();", "disallowed_methods"),
        ("std::fs::read_to_string(\"x\").ok();", "disallowed_methods"),
        (
            "std::process::Command::new(\"x\").spawn().ok();",
            "disallowed_methods",
        ),
        ("drop(std::io::stdout());", "disallowed_methods"),
        ("println!();", "print_stdout"),
        ("eprintln!();", "print_stderr"),
        ("std::process::exit(1);", "exit"),
        ("Some(1).unwrap();", "unwrap_used"),
    ];
    let functions = calls.iter().enumerate();
    let functions =
        functions.map(|(n, (call, _))| format!("/// Doc.\npub fn f{n}() {{ {call} }}\n"));
    let text = format!("//! Doc.\n{}", functions.collect::<String>());
    fs::write(dir.path().join("src/lib.rs"), text).unwrap();
    let output = Command::new("cargo")
        .args(["clippy", "--offline", "--message-format=json"])
        .current_dir(dir.path())
        .env("CLIPPY_CONF_DIR", support::repository())
        .env_remove("CARGO_BUILD_BUILD_DIR")
        .env("CARGO_TARGET_DIR", dir.path().join("target"))
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    for (number, (call, lint)) in calls.iter().enumerate() {
        let line = format!("\"line_start\":{}", 3 + number * 2);
        let lint = format!("clippy::{lint}");
        let told = stdout
            .lines()
            .any(|l| l.contains(&line) && l.contains(&lint));
        assert!(told, "{lint} does not refuse `{call}`\n{stdout}");
    }
}
