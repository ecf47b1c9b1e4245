//! `rop generate`: CRDs from the types, roles and webhook configurations from the markers.
use super::{
    Session, VERSION, compat, crd_files,
    manifests::{self, Made, Wanted},
    place::Place,
    stale::Stale,
    verify,
};
use crate::{
    cli::{Generate, What},
    error::{Error, Result},
    generate::{
        crdgen::{self, Program, Terminal},
        crds::Crd,
        markers,
        rbac::DEFAULT_ROLE_NAME,
        shapes,
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
    let place = Place::find(args, session, report)?;
    let mut planner = Planner::new(place.output.clone(), session.policy, Record::new(VERSION));
    let made = make(args, session, &place, &mut planner, report)?;
    if args.stdout {
        let (made, crds) = made;
        let roles = made.roles.map(|(text, _)| text);
        let crds = crds.iter().flatten().map(Crd::text);
        let texts = roles.into_iter().chain(made.webhooks).chain(crds);
        report.manifests = Some(texts.collect());
        planner.finish_generated().describe(report);
        return Ok(());
    }
    let plan = plan(args, &place, planner, made)?;
    if args.check {
        return check(&plan, report);
    }
    session.finish(&plan, report)
}

/// What is generated: of the markers, and the CRDs.
type Generated = (Made, Option<Vec<Crd>>);

fn wanted<'a>(args: &'a Generate, place: &'a Place) -> Wanted<'a> {
    Wanted {
        roles: args.what.includes(What::Rbac),
        webhooks: args.what.includes(What::Webhooks),
        role_name: args.role_name.as_deref().unwrap_or(DEFAULT_ROLE_NAME),
        project: place.project.as_ref(),
    }
}

fn make(
    args: &Generate,
    session: &Session,
    place: &Place,
    planner: &mut Planner,
    report: &mut Report,
) -> Result<Generated> {
    let before = match &args.compat {
        Some(name) => Some((name, compat::before(place, &session.directory, name)?)),
        None => None,
    };
    let wanted = wanted(args, place);
    let mut made = Made::default();
    // The markers first: their errors need no compiler.
    if wanted.roles || wanted.webhooks {
        let sources = place.root.sources_below(&session.directory, &args.paths)?;
        made = manifests::make(planner, &sources, wanted)?;
    }
    if !args.what.includes(What::Crds) {
        return Ok((made, None));
    }
    let printed = printed(session, &place.root)?;
    let crds = crd_files::read(&place.root, &printed, args.max_desc_len)?;
    crd_files::judge(planner, place, &crds)?;
    if let Some((name, before)) = before {
        compat::check(&before, &crds, name, report)?;
    }
    verify::run(&args.verify, session, &crd_files::paths(place, &crds))?;
    Ok((made, Some(crds)))
}

fn plan(args: &Generate, place: &Place, mut planner: Planner, made: Generated) -> Result<Plan> {
    let (made, crds) = made;
    let stale = match (args.prune, args.check) {
        (true, _) => Stale::Prune,
        (_, true) => Stale::Check,
        _ => Stale::Tell,
    };
    manifests::plan(&mut planner, place, made, wanted(args, place), stale)?;
    if let Some(crds) = crds {
        for (path, crd) in crd_files::paths(place, &crds) {
            crd_files::plan(&mut planner, &path, crd)?;
        }
        crd_files::plan_stale(&mut planner, place, &crds, stale)?;
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
