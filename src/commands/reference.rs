//! `rop generate docs`: references of the APIs, in Markdown.
use super::{place::Place, stale::Stale};
use crate::{
    error::Result,
    generate::{crds::Crd, docs},
    plan::Planner,
};

/// Where the references are.
const FOLDER: &str = "docs/api";

/// A reference for each version of each group: pairs of file name and text.
pub(super) fn make(crds: &[Crd]) -> Vec<(String, String)> {
    let crds: Vec<_> = crds.iter().map(|crd| crd.value().clone()).collect();
    docs::files(&crds)
}

/// Plans the files, and what becomes of those whose types are gone.
pub(super) fn plan(
    planner: &mut Planner,
    place: &Place,
    files: Vec<(String, String)>,
    stale: Stale,
) -> Result<()> {
    let wanted: Vec<_> = files
        .into_iter()
        .map(|(name, text)| (place.path(&format!("{FOLDER}/{name}")), text))
        .collect();
    let refuse =
        |text: &str| (!is_own(text)).then(|| "is not written by `rop generate docs`".into());
    for path in place.output.walk(place.folder(FOLDER), "md")? {
        let is_gone = wanted.iter().all(|(wanted, _)| *wanted != path);
        if is_gone && place.output.text(&path)?.is_some_and(|text| is_own(&text)) {
            stale.plan(planner, &path, true, "has no type any more", " docs")?;
        }
    }
    for (path, text) in wanted {
        planner.regenerate(&path, text, refuse)?;
    }
    Ok(())
}

/// Whether rop wrote such a text.
fn is_own(text: &str) -> bool {
    text.replace("\r\n", "\n").starts_with(docs::HEADER)
}
