//! `rop generate`: CRDs from the types, roles and webhook configurations from the markers.
use super::{
    Session, VERSION, compat, crd_files,
    manifests::{self, Made, Wanted},
    place::Place,
    reference,
    stale::Stale,
    verify,
};
use crate::{
    cli::{Generate, What},
    error::{Error, Result},
    generate::{crds::Crd, markers, rbac::DEFAULT_ROLE_NAME},
    plan::{Change, Plan, Planner, Record},
    ui::{Action, ArgumentLine, MarkerLine, Report},
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
        planner.finish_generated().describe(report);
        report.manifests = Some(made.text());
        return Ok(());
    }
    let plan = plan(args, &place, planner, made)?;
    if args.check {
        return check(args, &plan, report);
    }
    session.finish(&plan, report)
}

/// All that is generated.
#[derive(Default)]
struct Generated {
    markers: Made,
    crds: Option<Vec<Crd>>,
    docs: Option<Vec<(String, String)>>,
}

impl Generated {
    /// The text of all files.
    fn text(self) -> String {
        let roles = self.markers.roles.map(|(text, _)| text);
        let markers = roles.into_iter().chain(self.markers.webhooks);
        let crds = self.crds.iter().flatten().map(Crd::text);
        let docs = self.docs.into_iter().flatten().map(|(_, text)| text);
        markers.chain(crds).chain(docs).collect()
    }
}

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
    let mut made = Generated::default();
    // The markers first: their errors need no compiler.
    if wanted.roles || wanted.webhooks {
        let sources = place.root.sources_below(&session.directory, &args.paths)?;
        made.markers = manifests::make(planner, &sources, wanted)?;
    }
    let read = || crd_files::of_program(session, &place.root, args.max_desc_len);
    if args.what == What::Docs {
        made.docs = Some(reference::make(&read()?));
    }
    if !args.what.includes(What::Crds) {
        return Ok(made);
    }
    let crds = read()?;
    crd_files::judge(planner, place, &crds)?;
    if let Some((name, before)) = before {
        compat::check(&before, &crds, name, report)?;
    }
    verify::run(&args.verify, session, &crd_files::paths(place, &crds))?;
    made.crds = Some(crds);
    Ok(made)
}

fn plan(args: &Generate, place: &Place, mut planner: Planner, made: Generated) -> Result<Plan> {
    let stale = match (args.prune, args.check) {
        (true, _) => Stale::Prune,
        (_, true) => Stale::Check,
        _ => Stale::Tell,
    };
    manifests::plan(
        &mut planner,
        place,
        made.markers,
        wanted(args, place),
        stale,
    )?;
    if let Some(crds) = made.crds {
        for (path, crd) in crd_files::paths(place, &crds) {
            crd_files::plan(&mut planner, &path, crd)?;
        }
        crd_files::plan_stale(&mut planner, place, &crds, stale)?;
    }
    if let Some(docs) = made.docs {
        reference::plan(&mut planner, place, docs, stale)?;
    }
    Ok(planner.finish_generated())
}

/// Tells what `rop generate` would change.
fn check(args: &Generate, plan: &Plan, report: &mut Report) -> Result<()> {
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
    let docs = match args.what {
        What::Docs => " docs",
        _ => "",
    };
    let fix = format!("run `rop generate{docs}{prune}`, and commit what it changes");
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
