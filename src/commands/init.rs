//! `rop init`: a project without APIs.
use super::{Session, ask, items, layout, license, project, text};
use crate::{
    cli::Init,
    error::{Error, Result},
    model::{
        names::{Domain, License, ProjectName},
        project::Project,
    },
    plan::{self, Plan, Planner, Policy, Root},
    template::{self, Layer},
    ui::{Report, quoted},
};

pub(super) fn run(args: &Init, session: &Session, report: &mut Report) -> Result<()> {
    let dir = args.dir.as_deref().unwrap_or(".".as_ref());
    let root = Root::at(&session.directory.join(dir))?;
    let domain = answered(args, session, &root)?;
    session.recover(&root, report)?;
    let existing = project(&root)?;
    let (wanted, told) = request(args, &root, existing.as_ref(), || domain.parse())?;
    report.warnings.extend(told.map(Into::into));
    report.warnings.extend(plan::fixes_around(&root));
    if let Some(existing) = &existing {
        check_same(existing, &wanted)?;
        // The others bring back what is missing.
        if session.policy == Policy::Stop {
            report
                .warnings
                .push("the project is initialised already".into());
            return Ok(());
        }
    }
    let plan = session.plan(&root, |planner| plan(planner, &wanted, existing.as_ref()))?;
    if let Some(dir) = &args.dir {
        report.next_steps.push(format!("cd {}", quoted(dir)));
    }
    let next = "rop create api --group app --version v1alpha1 --kind MyApp";
    report.next_steps.push(next.into());
    session.finish(&plan, report)
}

/// The domain, given or asked for: last, so that what is given has passed by then. Nobody is kept
/// out of the project while somebody thinks.
fn answered(args: &Init, session: &Session, root: &Root) -> Result<String> {
    if let Some(domain) = &args.domain {
        return Ok(domain.clone());
    }
    let existing = project(root)?;
    if existing.is_none() && !session.ui.can_ask() {
        return Err(ask::missing_domain());
    }
    let ask = || ask::domain(session, existing.as_ref());
    let (wanted, _) = request(args, root, existing.as_ref(), ask)?;
    Ok(wanted.domain.to_string())
}

/// What is asked for; what is not, is as it is in a project that is there already.
fn request(
    args: &Init,
    root: &Root,
    existing: Option<&Project>,
    domain: impl FnOnce() -> Result<Domain>,
) -> Result<(Project, Option<&'static str>)> {
    let name = match (&args.project_name, existing) {
        (Some(name), _) => name.parse()?,
        (None, Some(existing)) => existing.name.clone(),
        (None, None) => ProjectName::from_dir_name(root.dir().file_name().unwrap_or_default())?,
    };
    let license = match (&args.license, existing) {
        (Some(license), _) => license.parse()?,
        (None, Some(existing)) => existing.license,
        (None, None) => License::None,
    };
    let parts = existing.map(Project::parts).unwrap_or_default();
    let (request, told) = args.switches.parts().complete(parts)?;
    let namespaced = existing.is_some_and(Project::namespaced);
    let domain = domain()?;
    let mut project = Project::new(domain, name, license);
    project.set_parts(request.apply(parts));
    project.set_namespaced(args.switches.namespaced.unwrap_or(namespaced))?;
    Ok((project, told))
}

/// A project can be initialised again only with the settings that it has.
fn check_same(existing: &Project, wanted: &Project) -> Result<()> {
    let fixed = [
        (
            "domain",
            existing.domain.to_string(),
            wanted.domain.to_string(),
        ),
        ("name", existing.name.to_string(), wanted.name.to_string()),
    ];
    let fixed = fixed.into_iter().filter(|(_, is, wanted)| is != wanted);
    let mut differing: Vec<_> = fixed
        .map(|(what, is, wanted)| format!("its {what} is `{is}`, not `{wanted}`"))
        .collect();
    let switches = switches(existing).into_iter().zip(switches(wanted));
    let switches: Vec<_> = switches.filter(|(is, wanted)| is != wanted).collect();
    let hint = if differing.is_empty() {
        let flags = switches
            .iter()
            .map(|(_, (flag, on))| format!(" {flag}={on}"));
        format!("change it with `rop edit{}`", flags.collect::<String>())
    } else {
        "use another folder, or edit PROJECT and the files by hand".into()
    };
    let switches = switches.iter();
    differing.extend(switches.map(|((flag, is), _)| format!("it has {flag}={is}")));
    if differing.is_empty() {
        return Ok(());
    }
    let differing = differing.join(", ");
    Err(Error::conflict(format!("there is a project already: {differing}")).hint(hint))
}

/// The flag and the state of all that `rop edit` can switch.
fn switches(project: &Project) -> [(&'static str, String); 5] {
    let parts = project.parts();
    [
        ("--license", project.license.to_string()),
        ("--namespaced", project.namespaced().to_string()),
        ("--metrics", parts.metrics.to_string()),
        ("--network-policy", parts.network_policy.to_string()),
        ("--prometheus", parts.prometheus.to_string()),
    ]
}

fn plan(mut planner: Planner, wanted: &Project, existing: Option<&Project>) -> Result<Plan> {
    let exists = existing.is_some();
    let apis = existing.map_or(&[][..], Project::resources);
    let context = layout::context(wanted, None)?;
    let mut files = template::render(Layer::Project, &context)?;
    files.extend(template::render(Layer::License, &context)?);
    for mut file in files {
        file.text = items::filled(&file.path, file.text, apis)?;
        layout::plan_project_file(&mut planner, file, wanted, exists)?;
    }
    if let Some(existing) = existing {
        plan_versions(&mut planner, existing)?;
    }
    if planner.is_blocked() {
        return planner.finish(None);
    }
    if !exists && !planner.as_rendered("Cargo.toml") {
        return Err(foreign_package());
    }
    license::compare(&mut planner, wanted.license);
    layout::plan_role(&mut planner, wanted, exists)?;
    planner.finish((!exists).then(|| text(wanted)))
}

/// Brings back the files that name the types of each version.
fn plan_versions(planner: &mut Planner, project: &Project) -> Result<()> {
    let apis = project.resources();
    for (i, api) in apis.iter().enumerate() {
        if apis[..i]
            .iter()
            .any(|other| other.version() == api.version())
        {
            continue;
        }
        let context = layout::context(project, Some(api))?;
        for file in template::render(Layer::Version, &context)? {
            let text = items::filled(&file.path, file.text, apis)?;
            layout::plan_list(planner, &file.path, Some(text), &[])?;
        }
    }
    Ok(())
}

/// Every other file can be the user's; without its own Cargo.toml nothing of a project is built.
fn foreign_package() -> Error {
    Error::conflict("Cargo.toml is of another package, and a project cannot be made around it")
        .hint("give the operator a folder of its own, as in `rop init DIR`; --force overwrites Cargo.toml")
}
