//! Turns what clap says into rop's own errors, so that all look alike, in JSON too.
use super::Cli;
use crate::{
    error::Error,
    ui::{Format, Ui},
};
use clap::{
    CommandFactory as _,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::ffi::OsString;

/// Flags of the Go tools that fingers and scripts still give, and what to do instead.
const GO_FLAGS: [(&str, &str); 17] = [
    ("--repo", "a Cargo package has no module path: leave it out"),
    (
        "--plugins",
        "rop has one layout and no plugins: leave it out",
    ),
    ("--project-version", "PROJECT has one version: leave it out"),
    (
        "--owner",
        "licenses name the authors of the project: leave it out",
    ),
    (
        "--license-file",
        "give --license, or write your own LICENSE file",
    ),
    (
        "--fetch-deps",
        "cargo fetches what it needs when it builds: leave it out",
    ),
    (
        "--skip-go-version-check",
        "there is no Go to check: leave it out",
    ),
    ("--make", "rop writes the manifests itself: leave it out"),
    (
        "--manifests",
        "rop writes the manifests itself: leave it out",
    ),
    (
        "--ssa",
        "kube needs no generated types for server-side apply: leave it out",
    ),
    (
        "--external-api-path",
        "this version of rop has no controllers for foreign types",
    ),
    (
        "--external-api-domain",
        "this version of rop has no controllers for foreign types",
    ),
    (
        "--external-api-module",
        "this version of rop has no controllers for foreign types",
    ),
    (
        "--controller-name",
        "this version of rop has one controller for each kind",
    ),
    (
        "--multigroup",
        "this version of rop has one group for each project",
    ),
    ("--image", "this version of rop scaffolds no child objects"),
    (
        "--paths",
        "rop reads all sources of the project: leave it out",
    ),
];

/// How to print, as far as the arguments can be understood.
pub fn ui_of(args: &[OsString]) -> Ui {
    let json = args.iter().any(|arg| arg == "--output=json")
        || args
            .windows(2)
            .any(|w| w[0] == "--output" && w[1] == "json");
    Ui {
        format: if json { Format::Json } else { Format::Text },
        ..Ui::default()
    }
}

/// The usage error that clap found.
pub fn usage(error: &clap::Error, args: &[OsString]) -> Error {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Error::usage("a command is missing").hint(see_help(args));
    }
    let text = error.render().to_string();
    let mut lines = text.lines();
    let message: Vec<_> = lines
        .by_ref()
        .map(|line| line.trim_start_matches("error: ").trim())
        .take_while(|line| !line.is_empty())
        .collect();
    let mut usage = Error::usage(message.join(" "));
    for tip in lines.filter_map(|line| line.trim().strip_prefix("tip: ")) {
        usage = usage.hint(tip);
    }
    if let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && let Some((_, hint)) = GO_FLAGS.iter().find(|(name, _)| name == flag)
        && error.kind() == ErrorKind::UnknownArgument
    {
        return usage.hint(hint);
    }
    usage.hint(see_help(args))
}

fn see_help(args: &[OsString]) -> String {
    format!("see `{} --help`", format!("rop {}", typed(args)).trim_end())
}

/// The command that was typed, such as `create api`, as far as it is one.
pub fn typed(args: &[OsString]) -> String {
    let mut command = &Cli::command();
    let mut typed = Vec::new();
    for word in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        if let Some(next) = command.find_subcommand(word) {
            command = next;
            typed.push(word);
        }
    }
    typed.join(" ")
}
