//! The license of a project: LICENSE, and what the manifests say.
use super::layout;
use crate::{
    edit::{CannotEdit, EditResult, Edited, manifest},
    error::Result,
    model::{names::License, project::Project},
    plan::{Edit, Planner, Root},
    template::{self, Layer},
};

const FILE: &str = "LICENSE";
const ROOT: &str = "Cargo.toml";
const WORKSPACE: &str = "workspace.package";
const PACKAGE: &str = "package";
/// The packages that take their license from the workspace.
const PACKAGES: [&str; 2] = [ROOT, "api/Cargo.toml"];

/// Plans another license.
pub(super) fn plan(
    planner: &mut Planner,
    root: &Root,
    before: License,
    after: &Project,
) -> Result<()> {
    let context = layout::context(after, None)?;
    let manifest = root.text(ROOT)?.unwrap_or_default();
    let named = before.spdx().map(manifest::named);
    let of_rop = |says: &str| manifest::has_license(&manifest, WORKSPACE, says);
    if after.license == License::None && !named.is_some_and(|says| of_rop(&says)) {
        // What somebody else wrote there stays, in all packages.
    } else {
        for file in template::render(Layer::Project, &context)? {
            if PACKAGES.contains(&&*file.path) {
                let edits = edits(&file.path, before, after.license);
                planner.revise(&file.path, file.text, &edits)?;
            }
        }
        if after.license == License::None {
            plan_members(planner, root)?;
        }
    }
    match template::render(Layer::License, &context)?.pop() {
        Some(file) => planner.offer_anew(FILE, file.text)?,
        None => planner.withdraw(FILE)?,
    }
    compare(planner, after.license);
    Ok(())
}

/// Refuses to take from the workspace a license that packages of the user take from there.
fn plan_members(planner: &mut Planner, root: &Root) -> Result<()> {
    for path in root.walk("", "toml")? {
        if path.ends_with("/Cargo.toml") && !PACKAGES.contains(&&*path) {
            planner.edit(&path, None, &[own_license()])?;
        }
    }
    Ok(())
}

fn own_license() -> Edit {
    let apply = |text: &str| -> EditResult {
        match manifest::has_license(text, PACKAGE, manifest::INHERITED) {
            true => Err(CannotEdit("takes its license from the workspace".into())),
            false => Ok(Edited::AlreadyThere),
        }
    };
    Edit {
        advice: "remove this, or name a license".into(),
        snippet: format!("license{}", manifest::INHERITED),
        apply: Box::new(apply),
    }
}

/// Says where LICENSE is not the one that the manifests name.
pub(super) fn compare(planner: &mut Planner, license: License) {
    if let Some(license) = license.spdx()
        && !planner.as_rendered(FILE)
    {
        planner.warn(format!(
            "LICENSE is yours and stays, but Cargo.toml has `license = \"{license}\"`; make one fit the other"
        ));
    }
}

fn edits(path: &str, before: License, after: License) -> Vec<Edit> {
    let inherited = || Some(manifest::INHERITED.to_owned());
    let package = edit(PACKAGE, after.spdx().and(inherited()), inherited());
    let says = |license: License| license.spdx().map(manifest::named);
    match path {
        ROOT => vec![edit(WORKSPACE, says(after), says(before)), package],
        _ => vec![package],
    }
}

fn edit(table: &'static str, wanted: Option<String>, ours: Option<String>) -> Edit {
    let (advice, line) = match &wanted {
        Some(wanted) => ("put this into", Some(wanted)),
        None => ("remove this from", ours.as_ref()),
    };
    Edit {
        advice: format!("{advice} `[{table}]`"),
        snippet: format!("license{}", line.map_or("", String::as_str)),
        apply: Box::new(move |text| {
            manifest::set_license(text, table, wanted.as_deref(), ours.as_deref())
        }),
    }
}
