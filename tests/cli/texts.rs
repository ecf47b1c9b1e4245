//! What rop ships and says is true: every template is in the package, every command that a text
//! names exists.
use crate::support;
use clap::{CommandFactory as _, Parser as _};
use rop::cli::Cli;
use std::{collections::BTreeSet, process::Command};

fn lines(command: &mut Command) -> BTreeSet<String> {
    let ran = support::run(command, &support::repository()).ok();
    ran.stdout.lines().map(Into::into).collect()
}

/// cargo silently drops folders with a `Cargo.toml` of their own, and ignored files.
#[test]
fn the_package_has_every_template() {
    let mut list = Command::new("cargo");
    let package = lines(list.args(["package", "--list", "--allow-dirty", "--offline"]));
    let mut list = Command::new("git");
    let mut templates = lines(list.args(["ls-files", "--cached", "--others", "templates"]));
    templates.retain(|path| support::repository().join(path).exists());
    assert!(templates.len() > 60);
    let missing: Vec<_> = templates.difference(&package).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!package.iter().any(|path| path.starts_with("tests/")));
}

/// The command lines that start with `rop` in a text: in backticks, after a `$(ROP)`, or as
/// lines of a code block.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("$(ROP) ", "rop ");
    let starts = text.match_indices("rop ").filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        // Prose has a word before it.
        matches!(before, None | Some('`' | '\n' | '\t' | '('))
            || text[..*at].ends_with("run: ")
            || text[..*at].ends_with("  ")
    });
    let ends = ['`', '\n', '#', '|', '"', ';', '&', ')'];
    starts
        .map(|(at, _)| text[at..].split(ends).next().unwrap().trim().to_owned())
        .filter(|command| !command.is_empty())
        .collect()
}

/// Whether clap knows the words of a command line; placeholders stand for values.
fn exists(command: &str) -> Result<(), String> {
    let words: Vec<_> = command.split_whitespace().collect();
    let mut known = Cli::command();
    known.build();
    let mut command = &known;
    for word in &words[1..] {
        match command.find_subcommand(word) {
            Some(next) => command = next,
            None => break,
        }
    }
    // `rop create api` alone names a command; a line with flags must parse as a whole.
    if words.iter().any(|word| word.starts_with('-')) {
        let words = words.iter().map(|word| match *word {
            "<group>" => "app",
            "<version>" => "v1",
            "<Kind>" => "Kind",
            word => word,
        });
        return match Cli::try_parse_from(words) {
            Err(error) if error.use_stderr() => Err(error.to_string()),
            _ => Ok(()),
        };
    }
    let depth = words[1..]
        .iter()
        .take_while(|word| known.find_subcommand(word).is_some())
        .count();
    match depth {
        0 => Err("no such command".into()),
        _ => Ok(()),
    }
}

#[test]
fn texts_name_commands_that_exist() {
    let repository = support::repository();
    let mut texts = Vec::new();
    for folder in ["templates", "src", "examples"] {
        for (path, bytes) in support::tree(&repository.join(folder)) {
            texts.push((
                format!("{folder}/{path}"),
                String::from_utf8_lossy(&bytes).into_owned(),
            ));
        }
    }
    for path in [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/json.md",
    ] {
        texts.push((
            path.into(),
            std::fs::read_to_string(repository.join(path)).unwrap(),
        ));
    }
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (path, text) in texts {
        for command in commands(&text) {
            // `{…}` is filled in when it is printed; a test of bad input sees the result.
            if command.contains('{') || command.contains('…') {
                continue;
            }
            seen += 1;
            if let Err(why) = exists(&command) {
                wrong.push(format!("{path}: `{command}`: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 20, "{seen} commands were found");
}

#[test]
fn unknown_commands_are_found() {
    assert_eq!(
        commands("run `rop fly --high` or\n\trop init --domain x # y"),
        ["rop fly --high", "rop init --domain x"]
    );
    assert!(exists("rop fly").is_err());
    assert!(exists("rop init --domian x").is_err());
    assert!(exists("rop create api").is_ok());
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}
