//! What an API adds to the lists of a project.
use super::layout;
use crate::{error::Result, model::resource::Resource, plan::Edit};

/// Precedes the roles in config/rbac/kustomization.yaml that the manager does not need.
const USER_ROLES: &str = "# For the users of the custom resources; the manager does not need them.";

/// Items of the file at a path.
pub(super) type Items = (String, Vec<Edit>);

/// The file with the types of a version.
pub(super) fn version_file(resource: &Resource) -> String {
    format!("api/{}/mod.rs", resource.version())
}

/// What the custom resource adds.
pub(super) fn of_resource(resource: &Resource) -> Vec<Items> {
    let (version, types) = (resource.version(), resource.types_module());
    let root = resource.kind().root();
    let one = |path: &str, item| (path.into(), vec![layout::kustomize_item(item, None)]);
    let role = |role| {
        let item = format!("{}_{role}_role.yaml", resource.kind().stem());
        layout::kustomize_item(item, Some(USER_ROLES))
    };
    vec![
        (
            layout::TYPES.into(),
            vec![
                layout::rust_module(format!("pub mod {version};")),
                layout::rust_item("crds", format!("{version}::{root}::crd()")),
            ],
        ),
        (
            version_file(resource),
            vec![
                layout::rust_module(format!("mod {types};")),
                layout::rust_use(format!("pub use {types}::*;"), root),
            ],
        ),
        one(layout::CRDS, format!("bases/{}", resource.crd_file())),
        one(layout::SAMPLES, resource.sample_file()),
        (
            layout::ROLES.into(),
            ["admin", "editor", "viewer"].map(role).into(),
        ),
    ]
}

/// What its controller adds.
pub(super) fn of_controller(resource: &Resource) -> [Items; 2] {
    let module = resource.controller_module();
    let line = || layout::rust_module(format!("mod {module};"));
    let item = layout::rust_item("all", format!("{module}::runnable()"));
    [
        (layout::CONTROLLERS.into(), vec![line(), item]),
        (layout::TESTS.into(), vec![line()]),
    ]
}

/// The list at a path as it is in a project with these APIs; the text is the one without any.
pub(super) fn filled(path: &str, text: String, apis: &[Resource]) -> Result<String> {
    let items = apis.iter().flat_map(|api| {
        let controller = api.controller.then(|| of_controller(api));
        let controller = controller.into_iter().flatten();
        of_resource(api).into_iter().chain(controller)
    });
    let edits = items.filter(|(list, _)| list == path);
    let mut edits = edits.flat_map(|(_, edits)| edits);
    edits.try_fold(text, |text, edit| {
        let edited = (edit.apply)(&text);
        layout::made(path, text, edited)
    })
}
