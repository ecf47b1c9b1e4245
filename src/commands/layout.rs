//! Where things are in a project: the files that are not just rendered, and the edits of an API.
use crate::{
    edit::{self, cargo_lock},
    error::{Error, Result},
    generate::{owned::Generated, rbac},
    model::{project::Project, resource::Resource},
    plan::{Edit, Planner},
    template::{Api, Context, Rendered},
};

use super::{
    VERSION,
    manifests::{self, Wanted},
    parts,
};

pub(super) const ROLE: &str = "config/rbac/role.yaml";
const BINDINGS: &str = "config/rbac/bindings";

/// Files that users often have before they start.
const OFFERED: [&str; 4] = [".gitattributes", "AGENTS.md", "LICENSE", "README.md"];

/// Lists to which rop adds items: judged by content, never by their hash.
pub(super) const TYPES: &str = "api/lib.rs";
pub(super) const CONTROLLERS: &str = "src/controllers/mod.rs";
pub(super) const TESTS: &str = "tests/controllers/main.rs";
pub(super) const CRDS: &str = "config/crd/kustomization.yaml";
pub(super) const SAMPLES: &str = "config/samples/kustomization.yaml";
pub(super) const ROLES: &str = "config/rbac/kustomization.yaml";
pub(super) const DEPLOYED: &str = "config/default/kustomization.yaml";
const LISTS: [&str; 7] = [TYPES, CONTROLLERS, TESTS, CRDS, SAMPLES, ROLES, DEPLOYED];

/// What templates may see of a project and an API.
pub(super) fn context(project: &Project, resource: Option<&Resource>) -> Result<Context> {
    Ok(Context {
        rop_version: VERSION,
        project: project.name.to_string(),
        project_crate: project.name.crate_name(),
        domain: project.domain.to_string(),
        lease: project.name.lease(&project.domain)?,
        license: project.license.spdx(),
        namespaced: project.namespaced(),
        api: resource.map(api),
    })
}

fn api(resource: &Resource) -> Api {
    Api {
        group: resource.group().to_string(),
        api_group: resource.api_group().to_string(),
        version: resource.version().to_string(),
        kind: resource.kind().to_string(),
        root: resource.kind().root(),
        plural: resource.plural().to_string(),
        stem: resource.kind().stem(),
        namespaced: resource.namespaced,
        approved: resource.approved().map(ToString::to_string),
        sample: resource.sample_file(),
        crd: resource.crd_file(),
    }
}

/// Plans a file of `rop init`, in a project that is there already or not.
pub(super) fn plan_project_file(
    planner: &mut Planner,
    file: Rendered,
    project: &Project,
    exists: bool,
) -> Result<()> {
    let Rendered { path, text } = file;
    let text = match &*path {
        DEPLOYED => parts::switched_on(text, project.parts())?,
        _ => text,
    };
    match &*path {
        path if OFFERED.contains(&path) => planner.offer(path, text),
        path if LISTS.contains(&path) && exists => plan_list(planner, path, Some(text), &[]),
        path if LISTS.contains(&path) => planner.create_list(path, text),
        ".gitignore" => planner.edit(&path, Some(String::new()), &[ignore(text)]),
        "Cargo.lock" => planner.create(&path, lock(&text, project)?),
        path => planner.create(path, text),
    }
}

/// Plans items of a list, by whichever name its file goes.
pub(super) fn plan_list(
    planner: &mut Planner,
    path: &str,
    base: Option<String>,
    edits: &[Edit],
) -> Result<()> {
    let mut names = vec![path.to_owned()];
    match path.rsplit_once('/') {
        Some((folder, "mod.rs")) => names.push(format!("{folder}.rs")),
        Some((folder, "kustomization.yaml")) => {
            names.extend(["kustomization.yml", "Kustomization"].map(|n| format!("{folder}/{n}")));
        }
        _ => {}
    }
    let path = planner.existing(&names)?.to_owned();
    planner.edit(&path, base, edits)
}

/// Plans the manager's roles and their bindings, from the sources as they will be.
pub(super) fn plan_role(planner: &mut Planner, project: &Project, owned: bool) -> Result<()> {
    let wanted = Wanted {
        roles: true,
        webhooks: false,
        role_name: rbac::DEFAULT_ROLE_NAME,
        project: Some(project),
    };
    let sources = planner.sources()?;
    let made = manifests::make(planner, &sources, wanted)?;
    made.roles.map_or(Ok(()), |(text, bindings)| {
        plan_roles(planner, text, &bindings, owned)
    })
}

/// Plans the file of the manager's roles, their bindings, and what lists those.
pub(super) fn plan_roles(
    planner: &mut Planner,
    text: String,
    bindings: &rbac::Bindings,
    owned: bool,
) -> Result<()> {
    plan_bindings(planner, bindings)?;
    if owned {
        planner.regenerate(ROLE, text, |text| Generated::Roles.refuse(text))?;
    } else {
        planner.create_list(ROLE, text)?;
    }
    list_bindings(planner, bindings)
}

/// Plans the bindings of roles that have other names or namespaces than the manager's.
fn plan_bindings(planner: &mut Planner, bindings: &rbac::Bindings) -> Result<()> {
    for (name, text) in bindings.files() {
        let path = format!("{BINDINGS}/{name}");
        let refuse = |before: &str| Generated::Bindings(name).refuse(before);
        match bindings.is_empty() {
            false => planner.regenerate(&path, text, refuse)?,
            // They stay in the lists of kustomizations, and bind nothing.
            true => planner.regenerate_existing(&path, text, refuse)?,
        }
    }
    Ok(())
}

/// Plans that what config/ deploys has the bindings.
fn list_bindings(planner: &mut Planner, bindings: &rbac::Bindings) -> Result<()> {
    if !bindings.is_empty() {
        plan_list(planner, ROLES, None, &[listed("components", "bindings")])?;
    }
    if bindings.reach_out() {
        let item = listed("transformers", "../rbac/bindings/namespaces");
        plan_list(planner, DEPLOYED, None, &[item])?;
    }
    Ok(())
}

/// An item of a kustomization, where there is one.
fn listed(key: &'static str, item: &'static str) -> Edit {
    Edit {
        advice: format!("add this under `{key}:`"),
        snippet: format!("- {item}"),
        apply: Box::new(move |text| match text {
            "" => Ok(edit::Edited::AlreadyThere),
            text => edit::yaml::add_item(text, key, item, None),
        }),
    }
}

fn ignore(lines: String) -> Edit {
    Edit {
        advice: "add this at its end".into(),
        snippet: lines.clone(),
        apply: Box::new(move |text| {
            let lines: Vec<_> = lines.lines().collect();
            Ok(edit::lines::append(text, &lines))
        }),
    }
}

/// Cargo.lock with the packages of the project.
fn lock(text: &str, project: &Project) -> Result<String> {
    let name = project.name.as_str();
    let api = format!("{name}-api");
    let mut own = vec![
        "clap",
        "k8s-openapi",
        "kube",
        &api,
        "rop-manager",
        "serde",
        "serde_json",
        "thiserror",
        "tokio",
        "tracing",
    ];
    own.sort_unstable();
    let types = ["k8s-openapi", "kube", "schemars", "serde", "serde_json"];
    let members: [cargo_lock::Member<'_>; 2] = [(name, "0.1.0", &own), (&api, "0.1.0", &types)];
    let edited = cargo_lock::add_packages(text, &members);
    made("Cargo.lock", text.to_owned(), edited)
}

/// A text of rop's own after an edit, which finds its place there.
pub(super) fn made(path: &str, text: String, edited: edit::EditResult) -> Result<String> {
    match edited {
        Ok(edit::Edited::Changed(new)) => Ok(new),
        Ok(edit::Edited::AlreadyThere) => Ok(text),
        Err(why) => Err(Error::internal(format!("{path} {why}"))),
    }
}

/// An item of a list in a Rust file.
pub(super) fn rust_item(function: &'static str, item: String) -> Edit {
    Edit {
        advice: format!("add this to the list in `{function}()`"),
        snippet: format!("        {item},"),
        apply: Box::new(move |text| edit::rust::add_list_item(text, function, &item)),
    }
}

/// A `mod` line of a Rust file.
pub(super) fn rust_module(item: String) -> Edit {
    Edit {
        advice: "add this to its modules".into(),
        snippet: item.clone(),
        apply: Box::new(move |text| edit::rust::add_module(text, &item, &["support"])),
    }
}

/// A `use` line of a Rust file; its author may have narrowed it to names, if this is among them.
pub(super) fn rust_use(item: String, needed: String) -> Edit {
    Edit {
        advice: "add this to its uses".into(),
        snippet: item.clone(),
        apply: Box::new(move |text| edit::rust::add_use(text, &item, &[&needed])),
    }
}

/// An item under `resources:` of a kustomization.
pub(super) fn kustomize_item(item: String, comment: Option<&'static str>) -> Edit {
    Edit {
        advice: "add this under `resources:`".into(),
        snippet: format!("- {item}"),
        apply: Box::new(move |text| edit::yaml::add_item(text, "resources", &item, comment)),
    }
}
