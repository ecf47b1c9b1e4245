//! The manifests of the markers: the manager's roles, and the configurations of its webhooks.
use super::{
    layout,
    place::Place,
    stale::{self, Stale},
};
use crate::{
    error::Result,
    generate::{
        Source, markers,
        owned::Generated,
        rbac::{self, Bindings},
        webhooks::{self, Groups},
    },
    model::project::Project,
    plan::Planner,
};
use std::collections::BTreeMap;

/// The configurations of webhooks.
const WEBHOOKS: &str = "config/webhook/manifests.yaml";
const LISTED: &str = "config/webhook/kustomization.yaml";

/// What to make of the markers.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) roles: bool,
    pub(super) webhooks: bool,
    /// The name of the role, unless a marker gives another one.
    pub(super) role_name: &'a str,
    /// The project, if rop started it.
    pub(super) project: Option<&'a Project>,
}

/// What was made of the markers.
#[derive(Default)]
pub(super) struct Made {
    /// The text of the roles, and what binds them.
    pub(super) roles: Option<(String, Bindings)>,
    pub(super) webhooks: Option<String>,
}

/// Makes what is wanted of these sources; all that is wrong with their markers is told at once.
pub(super) fn make(
    planner: &mut Planner,
    sources: &BTreeMap<String, String>,
    wanted: Wanted<'_>,
) -> Result<Made> {
    let rendered = |path: &str, text: &str| planner.wrote(path, text);
    let sources = sources.iter().map(|(path, text)| Source {
        path,
        text,
        rendered: &rendered,
    });
    let sources: Vec<_> = sources.collect();
    let mut found = markers::find(&sources);
    let project = wanted.project;
    let own = project.map(|project| format!("{}-system", project.name));
    let scope = match &own {
        Some(own) if project.is_some_and(Project::namespaced) => rbac::Scope::Namespace { own },
        _ => rbac::Scope::Cluster,
    };
    let mut made = Made::default();
    if wanted.roles {
        let roles = rbac::roles(&mut found, wanted.role_name, scope);
        made.roles = Some(roles);
    }
    if wanted.webhooks {
        let groups = project.map(Project::api_groups).unwrap_or_default();
        let groups = || Groups::of(&groups, &sources);
        made.webhooks = webhooks::configurations(&mut found, groups);
    }
    for warning in found.finish()? {
        planner.warn(warning);
    }
    Ok(made)
}

/// Plans the files of what was made, and what lists them.
pub(super) fn plan(
    planner: &mut Planner,
    place: &Place,
    made: Made,
    wanted: Wanted<'_>,
    stale: Stale,
) -> Result<()> {
    match made.roles {
        Some((text, bindings)) if place.has_lists() => {
            layout::plan_roles(planner, text, &bindings, true)?;
        }
        Some((text, _)) => {
            let refuse = |text: &str| Generated::Roles.refuse(text);
            planner.regenerate(&place.path(layout::ROLE), text, refuse)?;
        }
        None => {}
    }
    let path = place.path(WEBHOOKS);
    let refuse = |text: &str| Generated::Webhooks.refuse(text);
    match made.webhooks {
        Some(text) => planner.regenerate(&path, text, refuse),
        None if wanted.webhooks => match place.output.text(&path)? {
            Some(text) if refuse(&text).is_none() => {
                let gone = stale.plan(planner, &path, true, "has no marker any more", "")?;
                if gone && place.has_lists() {
                    let item = stale::unlisted("manifests.yaml".into());
                    layout::plan_list(planner, LISTED, None, &[item])?;
                }
                Ok(())
            }
            _ => Ok(()),
        },
        None => Ok(()),
    }
}
