//! `rop generate`: CRDs from the types, roles and webhook configurations from the markers.
use super::{
    Session, VERSION, compat, existing,
    manifests::{self, Wanted},
    reference,
};
use crate::{
    cli::{Generate, What},
    error::{Error, Result},
    generate::{crdgen, crds, markers},
    plan::{Plan, Planner, Record, Root},
    ui::{ArgumentLine, MarkerLine, Report},
};

pub(super) const CRDS: &str = "config/crd/bases";

pub(super) fn run(args: &Generate, session: &Session, report: &mut Report) -> Result<()> {
    if args.markers {
        report.markers = Some(markers::supported().into_iter().map(line).collect());
        return Ok(());
    }
    let root = Root::find(&session.directory)?;
    if !args.check {
        session.recover(&root, report)?;
    }
    // A broken or foreign PROJECT is told before anything is built.
    let project = existing(&root)?;
    let is = |what: What| args.what == what || args.what == What::Manifests;
    if args.compat.is_some() && !is(What::Crds) {
        return Err(
            Error::usage("--compat compares CRDs, and none are generated")
                .hint("leave `rbac` or `webhooks` out, or say `rop generate crds`"),
        );
    }
    let before = match &args.compat {
        Some(name) => Some((name, compat::before(&root, &session.directory, name)?)),
        None => None,
    };
    let mut planner = Planner::new(root.clone(), session.policy, Record::new(VERSION));
    // The markers first: their errors need no compiler.
    let wanted = Wanted {
        roles: is(What::Rbac),
        webhooks: is(What::Webhooks),
    };
    if wanted.roles || wanted.webhooks {
        manifests::plan(&mut planner, &root, &project, wanted)?;
    }
    if args.what == What::Docs {
        reference::plan(&mut planner, &root, &crd_files(session, &root)?)?;
    }
    if is(What::Crds) {
        let files = crd_files(session, &root)?;
        plan_crds(&root, &mut planner, &files)?;
        if let Some((name, before)) = before {
            compat::check(&before, &files, name, report)?;
        }
    }
    let plan = planner.finish_generated();
    if !args.check {
        return session.finish(&plan, report);
    }
    check(args.what, &plan, report)
}

/// Reports what is not up to date.
fn check(what: What, plan: &Plan, report: &mut Report) -> Result<()> {
    plan.describe(report);
    report.dry_run = true;
    let drifted = plan.changes().iter().filter(|c| c.action.writes()).count();
    if drifted == 0 && plan.conflicts().is_empty() {
        return Ok(());
    }
    report.diff = Some(plan.diff());
    let files = match drifted {
        1 => "1 generated file is".into(),
        count => format!("{count} generated files are"),
    };
    let hint = match what {
        What::Docs => "run `rop generate docs`, and commit what it changes",
        _ => "run `rop generate`, and commit what it changes",
    };
    Err(Error::conflict(format!("{files} not up to date")).hint(hint))
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

/// Names and texts of the files of all CRDs.
fn crd_files(session: &Session, root: &Root) -> Result<Vec<(String, String)>> {
    let interrupt = session.interrupt()?;
    let options = crdgen::Options {
        quiet: session.ui.quiet,
        interrupted: &|| interrupt.signal(),
        ..crdgen::Options::default()
    };
    crds::files(&crdgen::run(root.dir(), &options)?)
}

fn plan_crds(root: &Root, planner: &mut Planner, files: &[(String, String)]) -> Result<()> {
    for (name, text) in files {
        planner.generated(&format!("{CRDS}/{name}"), text.clone())?;
    }
    for path in root.walk(CRDS, "yaml")? {
        let name = path.rsplit('/').next().unwrap_or_default();
        if !files.iter().any(|(file, _)| file == name) {
            planner.warn(format!("{path} has no type any more; delete it, and its line in config/crd/kustomization.yaml"));
        }
    }
    Ok(())
}
