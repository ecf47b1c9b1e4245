//! `rop generate`: CRDs from the types, the role from the markers.
use super::{Session, VERSION, existing, layout, verify};
use crate::{
    cli::{Generate, What},
    error::{Error, Result},
    generate::{
        crdgen,
        crds::{self, Crd},
        lint, markers,
    },
    plan::{Planner, Record, Root},
    ui::{ArgumentLine, MarkerLine, Report},
};

const CRDS: &str = "config/crd/bases";

pub(super) fn run(args: &Generate, session: &Session, report: &mut Report) -> Result<()> {
    if args.markers {
        report.markers = Some(markers::supported().into_iter().map(line).collect());
        return Ok(());
    }
    if args.verify.verify && args.what == What::Rbac {
        return Err(
            Error::usage("`rop generate rbac` makes no CRDs, of which --verify asks")
                .hint("leave out `rbac`, or --verify"),
        );
    }
    let root = Root::find(&session.directory)?;
    if !args.check {
        session.recover(&root, report)?;
    }
    // A broken or foreign PROJECT is told before anything is built.
    let project = existing(&root)?;
    let mut planner = Planner::new(root.clone(), session.policy, Record::new(VERSION));
    // The markers first: their errors need no compiler.
    if args.what != What::Crds {
        let bindings = layout::plan_role(&mut planner, &project, true)?;
        layout::list_bindings(&mut planner, &bindings)?;
    }
    if args.what != What::Rbac {
        plan_crds(args, session, &root, &mut planner)?;
    }
    let plan = planner.finish_generated();
    if !args.check {
        return session.finish(&plan, report);
    }
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
    Err(Error::conflict(format!("{files} not up to date"))
        .hint("run `rop generate`, and commit what it changes"))
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

fn plan_crds(args: &Generate, session: &Session, root: &Root, planner: &mut Planner) -> Result<()> {
    let interrupt = session.interrupt()?;
    let options = crdgen::Options {
        quiet: session.ui.quiet,
        interrupted: &|| interrupt.signal(),
        ..crdgen::Options::default()
    };
    let crds = crds::read(&crdgen::run(root.dir(), &options)?)?;
    let judged = crds.iter().map(|crd| (file(crd), crd.value()));
    for warning in lint::judge(judged)? {
        planner.warn(warning);
    }
    let planned: Vec<_> = crds.iter().map(|crd| (file(crd), crd)).collect();
    verify::run(&args.verify, session, &planned)?;
    for crd in &crds {
        planner.generated(&file(crd), crd.text())?;
    }
    for path in root.walk(CRDS, "yaml")? {
        let name = path.rsplit('/').next().unwrap_or_default();
        if !crds.iter().any(|crd| crd.file_name() == name) {
            planner.warn(format!("{path} has no type any more; delete it, and its line in config/crd/kustomization.yaml"));
        }
    }
    Ok(())
}

/// Where the CRD is written.
fn file(crd: &Crd) -> String {
    format!("{CRDS}/{}", crd.file_name())
}
