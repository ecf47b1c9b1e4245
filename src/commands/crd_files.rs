//! The files of CRDs: written anew, and taken away when their type is gone.
use super::{
    Session, layout,
    place::Place,
    stale::{self, Stale},
};
use crate::{
    error::Result,
    generate::{
        crdgen::{self, Program, Terminal},
        crds::{self, Crd},
        lint,
        owned::Generated,
        shapes,
    },
    model::project::Project,
    plan::{Entry, Planner, Root},
    ui,
};

pub(super) const FOLDER: &str = "config/crd/bases";

/// The CRDs that the project's `crdgen` prints, as [`read`] reads them.
pub(super) fn of_program(session: &Session, root: &Root, limit: Option<usize>) -> Result<Vec<Crd>> {
    read(root, &printed(session, root)?, limit)
}

/// The CRDs in what `crdgen` prints, with descriptions as long as asked for, or else as the manifest
/// has it.
pub(super) fn read(root: &Root, printed: &str, limit: Option<usize>) -> Result<Vec<Crd>> {
    let manifest = || root.text("Cargo.toml").map(Option::unwrap_or_default);
    let limit = match limit {
        None => crdgen::description_limit(&manifest()?)?,
        limit => limit,
    };
    let crds = crds::read(printed)?.into_iter();
    Ok(crds
        .map(|crd| match limit {
            Some(limit) => crd.with_descriptions(limit),
            None => crd,
        })
        .collect())
}

/// Judges CRDs before an API server does.
pub(super) fn judge(planner: &mut Planner, place: &Place, crds: &[Crd]) -> Result<()> {
    let judged = crds.iter().map(|crd| (path(place, crd), crd.value()));
    for warning in lint::judge(judged)? {
        planner.warn(warning);
    }
    Ok(())
}

/// The CRDs with where they are written.
pub(super) fn paths<'a>(place: &Place, crds: &'a [Crd]) -> Vec<(String, &'a Crd)> {
    crds.iter().map(|crd| (path(place, crd), crd)).collect()
}

fn path(place: &Place, crd: &Crd) -> String {
    place.path(&home(crd))
}

/// Where a CRD is in a project of rop.
pub(super) fn home(crd: &Crd) -> String {
    format!("{FOLDER}/{}", crd.file_name())
}

/// Plans the file of a CRD.
pub(super) fn plan(planner: &mut Planner, path: &str, crd: &Crd) -> Result<()> {
    // Only a large file can be too large.
    let size = match crd.text().len() > crds::ANNOTATIONS / 2 {
        true => crd.applied_size(),
        false => 0,
    };
    if size > crds::ANNOTATIONS {
        planner.warn(format!(
            "{path} is too large for `kubectl apply`, whose copy of it takes {size} bytes of annotations, of {} at most: use `kubectl apply --server-side`, or cut its descriptions with --max-desc-len",
            crds::ANNOTATIONS
        ));
    }
    let generated = Generated::Crd(crd.name());
    planner.regenerate(path, crd.text(), |text| generated.refuse(text))
}

/// Plans what becomes of the files whose type is gone: CRDs of the project's groups that no type
/// makes. What else is in their folder may be there for any reason.
pub(super) fn plan_stale(
    planner: &mut Planner,
    place: &Place,
    crds: &[Crd],
    stale: Stale,
) -> Result<()> {
    let is_known = |group: &str| {
        let apis = place.project.iter().flat_map(Project::resources);
        let mut apis = apis.map(|api| api.api_group().to_string());
        crds.iter().any(|crd| crd.group() == group) || apis.any(|api| api == group)
    };
    let folder = place.folder(FOLDER);
    let mut gone = Vec::new();
    for path in place.output.walk(folder, "yaml")? {
        let name = path.strip_prefix(folder);
        let name = name.map(|name| name.trim_start_matches('/'));
        let Some(name) = name.filter(|name| crds.iter().all(|crd| crd.file_name() != *name)) else {
            continue;
        };
        let Some((crd, text)) =
            found(&place.output, &path, name)?.filter(|(crd, _)| is_known(crd.group()))
        else {
            continue;
        };
        // As it was generated: nobody has put anything into it.
        let own = crd.text() == text;
        if stale.plan(planner, &path, own, "has no type any more", "")? {
            gone.push(stale::unlisted(format!("bases/{name}")));
        }
    }
    match gone[..] {
        [..] if !place.has_lists() => Ok(()),
        [] => Ok(()),
        _ => layout::plan_list(planner, layout::CRDS, None, &gone),
    }
}

/// The CRD that a file holds, if it was generated, and the text of the file.
fn found(root: &Root, path: &str, name: &str) -> Result<Option<(Crd, String)>> {
    let Entry::File { bytes, .. } = root.read(path)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes.to_vec()).ok();
    Ok(text.and_then(|text| Some((crds::generated(name, &text)?, text))))
}

/// What the project's `crdgen` prints.
fn printed(session: &Session, root: &Root) -> Result<String> {
    let interrupt = session.interrupt()?;
    let explain = |panic: &str| {
        let sources = root.sources().ok()?;
        shapes::explain(panic, sources.iter().map(|(path, text)| (&**path, &**text)))
    };
    let options = crdgen::Options {
        program: Program::named_in(&root.text("Cargo.toml")?.unwrap_or_default())?,
        quiet: session.ui.quiet,
        hear: ui::pass_on,
        terminal: ui::terminal().map(|(width, color)| Terminal { width, color }),
        interrupted: &|| interrupt.signal(),
        explain: &explain,
        ..crdgen::Options::default()
    };
    crdgen::run(root.dir(), &options)
}
