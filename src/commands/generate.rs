//! `rop generate`: CRDs from the types, roles and webhook configurations from the markers.
use super::{
    Session, VERSION, compat, crd_files, existing,
    manifests::{self, Wanted},
    stale::Stale,
    verify,
};
use crate::{
    cli::{Generate, What},
    error::{Error, Result},
    generate::{
        crdgen::{self, Program, Terminal},
        markers, shapes,
    },
    plan::{Change, Plan, Planner, Record, Root},
    ui::{self, Action, ArgumentLine, MarkerLine, Report},
};

pub(super) fn run(args: &Generate, session: &Session, report: &mut Report) -> Result<()> {
    if args.markers {
        report.markers = Some(markers::supported().into_iter().map(line).collect());
        return Ok(());
    }
    let asks = [
        ("--verify", args.verify.verify),
        ("--compat", args.compat.is_some()),
    ];
    if let Some((flag, _)) = asks.iter().find(|(_, asked)| *asked)
        && !args.what.includes(What::Crds)
    {
        let what = format!("{flag} is about CRDs, and none are generated here");
        return Err(Error::usage(what).hint("leave it out, or say `rop generate crds`"));
    }
    let root = Root::find(&session.directory)?;
    if !args.check {
        session.recover(&root, report)?;
    }
    let plan = plan(args, session, &root, report)?;
    if args.check {
        return check(&plan, report);
    }
    session.finish(&plan, report)
}

fn plan(args: &Generate, session: &Session, root: &Root, report: &mut Report) -> Result<Plan> {
    // A broken or foreign PROJECT is told before anything is built.
    let project = existing(root)?;
    let before = match &args.compat {
        Some(name) => Some((name, compat::before(root, &session.directory, name)?)),
        None => None,
    };
    let mut planner = Planner::new(root.clone(), session.policy, Record::new(VERSION));
    let stale = match (args.prune, args.check) {
        (true, _) => Stale::Prune,
        (_, true) => Stale::Check,
        _ => Stale::Tell,
    };
    let wanted = Wanted {
        roles: args.what.includes(What::Rbac),
        webhooks: args.what.includes(What::Webhooks),
    };
    // The markers first: their errors need no compiler.
    if wanted.roles || wanted.webhooks {
        manifests::plan(&mut planner, root, &project, wanted, stale)?;
    }
    if args.what.includes(What::Crds) {
        let crds = crd_files::read(root, &printed(session, root)?, args.max_desc_len)?;
        crd_files::judge(&mut planner, &crds)?;
        if let Some((name, before)) = before {
            compat::check(&before, &crds, name, report)?;
        }
        verify::run(&args.verify, session, &crd_files::paths(&crds))?;
        for crd in &crds {
            crd_files::plan(&mut planner, crd)?;
        }
        crd_files::plan_stale(&mut planner, root, &project, &crds, stale)?;
    }
    Ok(planner.finish_generated())
}

/// Tells what `rop generate` would change.
fn check(plan: &Plan, report: &mut Report) -> Result<()> {
    plan.describe(report);
    report.dry_run = true;
    let drifted = |change: &&Change| change.action.writes() || change.action == Action::Conflict;
    let drifted: Vec<_> = plan.changes().iter().filter(drifted).collect();
    if drifted.is_empty() && plan.conflicts().is_empty() {
        return Ok(());
    }
    report.diff = Some(plan.diff());
    let files = match drifted.len() {
        1 => "1 generated file is".into(),
        count => format!("{count} generated files are"),
    };
    let prune = match drifted.iter().any(|change| change.action == Action::Remove) {
        true => " --prune",
        false => "",
    };
    let fix = format!("run `rop generate{prune}`, and commit what it changes");
    Err(Error::conflict(format!("{files} not up to date")).hint(fix))
}

fn line(marker: markers::Supported) -> MarkerLine {
    let argument = |(name, kind, required)| ArgumentLine {
        name,
        kind,
        required,
    };
    MarkerLine {
        name: format!("+kubebuilder:{}", marker.name),
        supported: marker.read,
        about: marker.about,
        arguments: marker.arguments.into_iter().map(argument).collect(),
    }
}

/// What the project's `crdgen` prints.
fn printed(session: &Session, root: &Root) -> Result<String> {
    let interrupt = session.interrupt()?;
    let explain = |panic: &str| {
        let sources = root.sources().ok()?;
        shapes::explain(panic, sources.iter().map(|(path, text)| (&**path, &**text)))
    };
    let options = crdgen::Options {
        program: Program::named_in(&root.text("Cargo.toml")?.unwrap_or_default())?,
        quiet: session.ui.quiet,
        hear: ui::pass_on,
        terminal: ui::terminal().map(|(width, color)| Terminal { width, color }),
        interrupted: &|| interrupt.signal(),
        explain: &explain,
        ..crdgen::Options::default()
    };
    crdgen::run(root.dir(), &options)
}
