//! `rop edit`: switches parts of a project on and off.
use super::{Session, changed, existing, layout, parts};
use crate::{
    cli::Edit,
    error::Result,
    model::project::Project,
    plan::{Planner, Root},
    template::{self, Layer, Rendered},
    ui::Report,
};

pub(super) fn run(args: &Edit, session: &Session, report: &mut Report) -> Result<()> {
    let root = Root::find(&session.directory)?;
    session.recover(&root, report)?;
    let before = existing(&root)?;
    let (request, told) = args.switches.parts().complete(before.parts())?;
    let mut after = before.clone();
    after.set_parts(request.apply(before.parts()));
    if let Some(namespaced) = args.switches.namespaced {
        after.set_namespaced(namespaced)?;
    }
    report.warnings.extend(told.map(Into::into));
    let plan = session.plan(&root, |mut planner| {
        planner.edit(layout::DEPLOYED, None, &parts::edits(request))?;
        if args.switches.namespaced.is_some() {
            plan_scope(&mut planner, &after)?;
        }
        planner.finish(changed(&before, &after))
    })?;
    next_steps(&before, &after, report);
    session.finish(&plan, report)
}

/// Plans all that depends on whether the operator is namespaced.
fn plan_scope(planner: &mut Planner, project: &Project) -> Result<()> {
    let mut files = scoped(project, Layer::Project)?;
    files.extend(scoped(project, Layer::Api)?);
    for Rendered { path, text } in files {
        planner.rerender(&path, text)?;
    }
    if planner.is_blocked() {
        return Ok(());
    }
    layout::plan_role(planner, project, true)
}

/// The files of a layer that are others in a project of the other scope.
fn scoped(project: &Project, layer: Layer) -> Result<Vec<Rendered>> {
    let contexts = match layer {
        Layer::Api => {
            let apis = project.resources().iter();
            apis.map(|api| layout::context(project, Some(api)))
                .collect::<Result<_>>()?
        }
        _ => vec![layout::context(project, None)?],
    };
    let mut scoped = Vec::new();
    for mut context in contexts {
        let files = template::render(layer, &context)?;
        context.namespaced = !context.namespaced;
        let others = template::render(layer, &context)?;
        let pairs = files.into_iter().zip(others);
        scoped.extend(pairs.filter(|(file, other)| file != other).map(|(f, _)| f));
    }
    Ok(scoped)
}

fn next_steps(before: &Project, after: &Project, report: &mut Report) {
    if before == after {
        return;
    }
    let name = after.name.as_str();
    report.next_steps.push("make deploy".into());
    let gone = parts::leftovers(name, before.parts(), after.parts());
    report.next_steps.extend(gone);
    if after.namespaced() && !before.namespaced() {
        // What was deployed before would keep the rights in the cluster.
        report.next_steps.push(format!(
            "kubectl delete clusterrolebinding,clusterrole --selector app.kubernetes.io/name={name}"
        ));
    }
}
