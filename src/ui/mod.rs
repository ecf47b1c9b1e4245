//! The one place that prints: talk to stderr, data to stdout.
#![expect(clippy::disallowed_methods, reason = "this room prints")]

mod ask;
mod keyboard;
mod report;

pub use ask::Questions;
pub use report::{
    Action, ArgumentLine, ChangeLine, Conflict, Failure, FindingLine, MarkerLine, Report,
};

use crate::error::{Error, Result};
use console::Style;
use std::{
    io::{self, Write},
    path::Path,
};

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set; or where `CLICOLOR_FORCE` is.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// For whom to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON object on stdout.
    Json,
}

/// How much to print, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ui {
    /// For whom.
    pub format: Format,
    /// Nothing but errors and what was asked for.
    pub quiet: bool,
    /// Files that do not change, too.
    pub verbose: bool,
    /// No questions, whoever is there to answer.
    pub no_input: bool,
}

impl Ui {
    /// Sets the use of colors for the whole process.
    pub fn set_color(color: Color) {
        match color {
            Color::Auto => {}
            Color::Always => console::set_colors_enabled_stderr(true),
            Color::Never => console::set_colors_enabled_stderr(false),
        }
    }

    /// Prints what a command did.
    ///
    /// # Errors
    /// If stdout cannot be written to; a reader that has gone away is none.
    pub fn report(self, report: &Report) -> Result<()> {
        match self.format {
            Format::Json => print_json(report),
            Format::Text => {
                self.talk(report);
                if let Some(version) = report.version {
                    print(&format!("rop {version}\n"))?;
                }
                for marker in report.markers.iter().flatten() {
                    print(&listed(marker))?;
                }
                print(report.manifests.as_deref().unwrap_or_default())?;
                print(report.diff.as_deref().unwrap_or_default())
            }
        }
    }

    /// Says what is going on, for work that takes longer than a second.
    pub fn progress(self, verb: &str, what: &str) {
        if !self.quiet && self.format == Format::Text {
            let verb = Style::new()
                .cyan()
                .bold()
                .for_stderr()
                .apply_to(format!("{verb:>12}"));
            print_talk(&format!("{verb} {what}\n"));
        }
    }

    /// Prints why a command failed, and what it would have done.
    pub fn failure(self, error: &Error, mut report: Report) {
        report.next_steps.clear();
        if self.format == Format::Json {
            report.error = Some(error.into());
            // Nobody is left to tell that telling failed.
            let _ = print_json(&report);
            return;
        }
        let mut text = String::new();
        conflicts(&report, &mut text);
        warnings(&report, &mut text);
        text.push_str(&told(error));
        print_talk(&text);
        let _ = print(report.diff.as_deref().unwrap_or_default());
    }

    fn talk(self, report: &Report) {
        let mut text = String::new();
        if !self.quiet {
            self.lines(report, &mut text);
        }
        conflicts(report, &mut text);
        warnings(report, &mut text);
        if !self.quiet {
            if report.dry_run {
                text.push_str(&labelled("note", &cyan(), "nothing was written"));
            }
            if !report.next_steps.is_empty() {
                text.push_str("\nNext:\n");
            }
            for step in &report.next_steps {
                text.push_str(&format!("  {step}\n"));
            }
        }
        print_talk(&text);
    }

    fn lines(self, report: &Report, text: &mut String) {
        let quiet = |action| action == Action::Identical && !self.verbose;
        let identical = report.changes.iter().filter(|c| quiet(c.action)).count();
        for change in &report.changes {
            // A conflict is told with its reason below.
            if change.action == Action::Conflict || (quiet(change.action) && identical > 12) {
                continue;
            }
            let verb = verb(change.action);
            let reason = change.reason.as_ref().map(|r| format!(" ({r})"));
            text.push_str(&format!("{verb} {}", change.path));
            text.push_str(reason.as_deref().unwrap_or_default());
            text.push('\n');
        }
        if identical > 12 {
            let verb = verb(Action::Identical);
            text.push_str(&format!("{verb} {identical} files\n"));
        }
    }
}

/// Prints data to stdout; a reader that has gone away is no error.
///
/// # Errors
/// If stdout cannot be written to.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to stdout"))?
        }
        _ => Ok(()),
    }
}

/// Passes on to stderr what another program says there.
pub fn pass_on(bytes: &[u8]) {
    // Nobody is left to tell that telling failed.
    let _ = io::stderr().lock().write_all(bytes);
}

/// The columns of the terminal that stderr is, if it is one, and whether it shows colors.
pub fn terminal() -> Option<(u16, bool)> {
    let terminal = console::Term::stderr();
    let shown = || (terminal.size().1, console::colors_enabled_stderr());
    terminal.is_term().then(shown)
}

fn print_json(report: &Report) -> Result<()> {
    let text = serde_json::to_string_pretty(report).map_err(Error::internal)?;
    print(&format!("{text}\n"))
}

fn print_talk(text: &str) {
    pass_on(text.as_bytes());
}

/// A path as a shell reads it.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    match path.chars().all(is_plain) {
        true if path.starts_with('-') => format!("./{path}"),
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// A marker with its arguments, those that may be left out in brackets.
fn listed(marker: &MarkerLine) -> String {
    let mut text = format!("{}\n    {}\n", marker.name, marker.about);
    for argument in &marker.arguments {
        let ArgumentLine { name, kind, .. } = argument;
        text.push_str(&match argument.required {
            true => format!("    {name}=<{kind}>\n"),
            false => format!("    [{name}=<{kind}>]\n"),
        });
    }
    text
}

fn told(error: &Error) -> String {
    let mut text = labelled("error", &red(), &error.message());
    for cause in error.causes() {
        text.push_str(&format!("  caused by: {cause}\n"));
    }
    if !error.hints().is_empty() {
        text.push('\n');
    }
    for hint in error.hints() {
        text.push_str(&labelled("hint", &cyan(), hint));
    }
    text
}

fn conflicts(report: &Report, text: &mut String) {
    for conflict in &report.conflicts {
        let action = match conflict.snippet {
            Some(_) => Action::Manual,
            None => Action::Conflict,
        };
        let verb = verb(action);
        text.push_str(&format!("{verb} {}: {}\n", conflict.path, conflict.reason));
        for line in conflict.snippet.iter().flat_map(|s| s.lines()) {
            text.push_str(&format!("             | {line}\n"));
        }
    }
}

fn warnings(report: &Report, text: &mut String) {
    for finding in report.findings.iter().flatten() {
        let (label, style) = match finding.breaking {
            true => ("breaking", red()),
            false => ("warning", yellow()),
        };
        text.push_str(&labelled(label, &style, &finding.told()));
    }
    for warning in &report.warnings {
        text.push_str(&labelled("warning", &yellow(), warning));
    }
}

/// The verb of an action, right-aligned in 12 columns as cargo does it.
fn verb(action: Action) -> String {
    let style = match action {
        Action::Create | Action::Update => Style::new().green().bold(),
        Action::Overwrite | Action::Remove | Action::Conflict | Action::Manual => red(),
        Action::Identical | Action::Keep => Style::new().dim(),
    };
    let verb = format!("{:>12}", action.verb());
    style.for_stderr().apply_to(verb).to_string()
}

fn labelled(label: &str, style: &Style, text: &str) -> String {
    let label = style.apply_to(format!("{label}:"));
    format!("{label} {text}\n")
}

fn red() -> Style {
    Style::new().red().bold().for_stderr()
}

fn yellow() -> Style {
    Style::new().yellow().bold().for_stderr()
}

fn cyan() -> Style {
    Style::new().cyan().bold().for_stderr()
}
