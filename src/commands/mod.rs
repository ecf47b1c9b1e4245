//! One file a verb: from request to plan to next steps.

mod ask;
mod compat;
mod crd_files;
mod create_api;
mod edit;
mod envtest;
mod generate;
mod init;
mod items;
mod layout;
mod license;
mod manifests;
mod parts;
mod place;
mod reference;
mod stale;
mod verify;

use crate::{
    cli::{Cli, Command, Create, Envtest, Global},
    error::{Error, Result},
    generate::yaml,
    model::project::{HEADER, Project},
    plan::{self, Interrupt, Plan, Planner, Policies, Policy, Record, Root},
    ui::{Action, Questions, Report, Ui},
};
use std::{cell::OnceCell, path::PathBuf};

/// Version of rop.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is done with the plan of a command; [`Plan::apply`], but for tests of faults.
pub type Apply<'a> = &'a dyn Fn(&Plan, &Interrupt) -> Result<()>;

/// Runs a command and gives the exit code; what it did is in the report, also when it failed.
///
/// # Errors
/// Whatever keeps the command from being done.
pub fn run(cli: &Cli, ui: Ui, report: &mut Report) -> Result<u8> {
    run_with(cli, ui, report, &|plan, interrupt| {
        plan.apply(interrupt, &mut ())
    })
}

/// Runs a command as [`run`] does, with something else done with its plan.
///
/// # Errors
/// Whatever keeps the command from being done.
pub fn run_with(cli: &Cli, ui: Ui, report: &mut Report, apply: Apply<'_>) -> Result<u8> {
    let session = Session::new(&cli.global, ui, apply);
    report.command = name(&cli.command).into();
    match &cli.command {
        Command::Init(args) => init::run(args, &session, report),
        Command::Create(Create::Api(args)) => create_api::run(args, &session, report),
        Command::Edit(args) => edit::run(args, &session, report),
        Command::Generate(args) => generate::run(args, &session, report),
        Command::Envtest(Envtest::Run(args)) => return envtest::run(args, &session, ui),
        Command::Version => {
            report.version = Some(VERSION);
            Ok(())
        }
    }?;
    Ok(0)
}

fn name(command: &Command) -> &'static str {
    match command {
        Command::Init(_) => "init",
        Command::Create(Create::Api(_)) => "create api",
        Command::Edit(_) => "edit",
        Command::Generate(_) => "generate",
        Command::Envtest(Envtest::Run(_)) => "envtest run",
        Command::Version => "version",
    }
}

/// What all commands of one run have in common.
struct Session<'a> {
    directory: PathBuf,
    policy: Policy,
    dry_run: bool,
    diff: bool,
    yes: bool,
    ui: Ui,
    interrupt: OnceCell<Interrupt>,
    apply: Apply<'a>,
}

impl<'a> Session<'a> {
    fn new(global: &Global, ui: Ui, apply: Apply<'a>) -> Self {
        let policy = match (global.force, global.skip_existing) {
            (true, _) => Policy::Force,
            (_, true) => Policy::SkipExisting,
            _ => Policy::Stop,
        };
        Self {
            directory: global.directory.clone().unwrap_or_else(|| ".".into()),
            policy,
            dry_run: global.dry_run || global.diff,
            diff: global.diff,
            yes: global.yes,
            ui,
            interrupt: OnceCell::new(),
            apply,
        }
    }

    /// Claims the project and undoes what a killed command left; a command that writes nothing only says so.
    fn recover(&self, root: &Root, report: &mut Report) -> Result<()> {
        if self.dry_run {
            if plan::is_unfinished(root) {
                let told = "an earlier rop command was killed; the next one undoes what it began";
                report.warnings.push(told.into());
            }
            return Ok(());
        }
        report.warnings.extend(plan::recover(root)?);
        Ok(())
    }

    /// From the first call on, signals no longer end the process by themselves.
    fn interrupt(&self) -> Result<&Interrupt> {
        if self.interrupt.get().is_none() {
            let _ = self.interrupt.set(Interrupt::catch()?);
        }
        self.interrupt
            .get()
            .ok_or_else(|| Error::internal("no signal is caught"))
    }

    /// Questions, if somebody can answer them.
    fn questions(&self) -> Result<Option<Questions>> {
        if !self.ui.can_ask() {
            return Ok(None);
        }
        let interrupt = self.interrupt()?.clone();
        Ok(Some(Questions::new(move || interrupt.signal())))
    }

    /// Plans; where files are in the way, asks what to do with them, and plans again.
    fn plan(&self, root: &Root, wanted: impl Fn(Planner) -> Result<Plan>) -> Result<Plan> {
        let make = |policies: &Policies| {
            let record = Record::of(root, VERSION)?;
            wanted(Planner::new(root.clone(), policies.clone(), record))
        };
        let mut policies = Policies::from(self.policy);
        let mut plan = make(&policies)?;
        // --yes never overwrites, and a dry run has nothing to overwrite.
        if self.yes || self.dry_run {
            return Ok(plan);
        }
        let overwriting = || make(&Policy::Force.into());
        while !plan.choices().is_empty()
            && let Some(questions) = self.questions()?
            && ask::about_files(&questions, &plan, &mut policies, overwriting)?
        {
            // What was read may have been changed while somebody thought.
            root.forget();
            plan = make(&policies)?;
        }
        Ok(plan)
    }

    /// Shows the plan or applies it.
    fn finish(&self, plan: &Plan, report: &mut Report) -> Result<()> {
        plan.describe(report);
        report.dry_run = self.dry_run;
        if self.diff {
            report.diff = Some(plan.diff());
        }
        if !plan.conflicts().is_empty() {
            return Err(in_the_way(plan));
        }
        if self.dry_run {
            return Ok(());
        }
        (self.apply)(plan, self.interrupt()?).inspect_err(|_| report.changes.clear())
    }
}

/// The project in this root, if there is one.
fn project(root: &Root) -> Result<Option<Project>> {
    let text = root.text("PROJECT")?;
    text.map(|text| Project::parse(&text)).transpose()
}

/// The project in the root that was found by its PROJECT.
fn existing(root: &Root) -> Result<Project> {
    // What a killed `rop init` had begun is undone by now.
    project(root)?.ok_or_else(|| Root::not_in_a_project(root.dir()))
}

/// The text of PROJECT, if it says something else than before.
fn changed(before: &Project, after: &Project) -> Option<String> {
    (!after.says_the_same(before)).then(|| text(after))
}

/// The text of PROJECT.
fn text(project: &Project) -> String {
    project.in_its_style(format!("{HEADER}{}", yaml::to_string(&project.to_value())))
}

fn in_the_way(plan: &Plan) -> Error {
    let conflicts = plan.conflicts();
    let count = match conflicts.len() {
        1 => "1 conflict".into(),
        count => format!("{count} conflicts"),
    };
    let mut error = Error::conflict(format!("nothing was written: {count}"));
    if conflicts.iter().any(|conflict| conflict.snippet.is_some()) {
        error = error.hint(
            "paste the lines, then run the command again; --skip-existing writes the rest without",
        );
    }
    // No flag makes room where a folder or a link is in the way.
    let differing = plan
        .changes()
        .iter()
        .filter(|c| c.action == Action::Conflict)
        .count();
    if differing > 0 {
        error = error.hint(
            "move the files away, or give --force or --skip-existing; --diff shows what differs",
        );
    }
    if conflicts.iter().filter(|c| c.snippet.is_none()).count() > differing {
        error = error.hint("make room for the files, then run the command again");
    }
    error
}
