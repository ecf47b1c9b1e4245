//! `rop create api`: a custom resource, its controller, or both.
use super::{Session, ask::Given, changed, crd_files, existing, items, layout};
use crate::{
    cli::CreateApi,
    error::Result,
    model::{project::Project, request::ApiRequest, resource::Resource},
    plan::{Plan, Planner, Root},
    template::{self, Context, Layer},
    ui::Report,
};

pub(super) fn run(args: &CreateApi, session: &Session, report: &mut Report) -> Result<()> {
    let mut given = Given::parse(args)?;
    if !session.ui.can_ask() {
        given.check()?;
    }
    let root = Root::find(&session.directory)?;
    // Nobody is kept out while somebody thinks: what is true then is read below.
    if session.ui.can_ask() {
        given.ask(session, &existing(&root)?)?;
    }
    session.recover(&root, report)?;
    let before = existing(&root)?;
    let request = given.request()?;
    let wanted = Wanted::of(&request, before)?;
    let plan = session.plan(&root, |planner| plan(planner, &root, &request, &wanted))?;
    next_steps(&wanted, &request, report);
    session.finish(&plan, report)
}

/// An API on its way into the project.
struct Wanted {
    resource: Resource,
    context: Context,
    is_first_of_version: bool,
    /// The project without it.
    before: Project,
    /// The project with it.
    after: Project,
}

impl Wanted {
    fn of(request: &ApiRequest, before: Project) -> Result<Self> {
        let resource = request.resolve(&before)?;
        let mut after = before.clone();
        after.put(resource.clone());
        Ok(Self {
            context: layout::context(&after, Some(&resource))?,
            is_first_of_version: before
                .resources()
                .iter()
                .all(|r| r.version() != resource.version()),
            resource,
            before,
            after,
        })
    }
}

fn plan(mut planner: Planner, root: &Root, request: &ApiRequest, wanted: &Wanted) -> Result<Plan> {
    if request.resource {
        plan_resource(&mut planner, wanted)?;
    }
    if request.controller {
        plan_controller(&mut planner, wanted)?;
    }
    plan_generated(planner, root, wanted)
}

fn plan_resource(planner: &mut Planner, wanted: &Wanted) -> Result<()> {
    for file in template::render(Layer::Api, &wanted.context)? {
        planner.create(&file.path, file.text)?;
    }
    for (path, edits) in items::of_resource(&wanted.resource) {
        let base = base(&path, wanted)?;
        layout::plan_list(planner, &path, base, &edits)?;
    }
    Ok(())
}

/// What a list starts with, if this is the API that starts it.
fn base(path: &str, wanted: &Wanted) -> Result<Option<String>> {
    if !wanted.is_first_of_version || path != items::version_file(&wanted.resource) {
        return Ok(None);
    }
    let files = template::render(Layer::Version, &wanted.context)?;
    Ok(files.into_iter().next().map(|file| file.text))
}

fn plan_controller(planner: &mut Planner, wanted: &Wanted) -> Result<()> {
    for file in template::render(Layer::Controller, &wanted.context)? {
        planner.create(&file.path, file.text)?;
    }
    for (path, edits) in items::of_controller(&wanted.resource) {
        layout::plan_list(planner, &path, None, &edits)?;
    }
    Ok(())
}

/// What is generated from sources: as `rop generate` would make it of the planned ones.
fn plan_generated(mut planner: Planner, root: &Root, wanted: &Wanted) -> Result<Plan> {
    if planner.is_blocked() {
        return planner.finish(None);
    }
    // The CRD of a type that the user changed takes a compiler: `make manifests`.
    if planner.as_rendered(&types_file(&wanted.resource)) {
        for file in template::render(Layer::Crd, &wanted.context)? {
            for crd in crd_files::read(root, &format!("[{}]", file.text), None)? {
                crd_files::plan(&mut planner, &crd_files::home(&crd), &crd)?;
            }
        }
    }
    layout::plan_role(&mut planner, &wanted.after, true)?;
    planner.finish(changed(&wanted.before, &wanted.after))
}

fn types_file(resource: &Resource) -> String {
    format!("api/{}/{}.rs", resource.version(), resource.types_module())
}

fn next_steps(wanted: &Wanted, request: &ApiRequest, report: &mut Report) {
    let mut files = Vec::new();
    if request.resource {
        files.push(types_file(&wanted.resource));
    }
    if request.controller {
        files.push(format!(
            "src/controllers/{}.rs",
            wanted.resource.controller_module()
        ));
    }
    let steps = [
        format!("$EDITOR {}", files.join(" ")),
        "make manifests build".into(),
        "make install run".into(),
    ];
    report.next_steps.extend(steps);
}
