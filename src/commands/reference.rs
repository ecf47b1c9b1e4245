//! `rop generate docs`: references of the APIs, in Markdown.
use crate::{
    error::{Error, Result},
    generate::{crds, docs},
    plan::{Planner, Root},
};

/// Where the references are.
const DOCS: &str = "docs/api";

/// Plans a reference for each version of each group.
pub(super) fn plan(planner: &mut Planner, root: &Root, files: &[(String, String)]) -> Result<()> {
    let mut all = Vec::new();
    for (_, text) in files {
        all.extend(crds::read(text).map_err(Error::internal)?);
    }
    let wanted = docs::files(&all);
    for (name, text) in &wanted {
        let path = format!("{DOCS}/{name}");
        if !is_own(root, &path)? && root.text(&path)?.is_some() {
            return Err(Error::conflict(format!("{path} is not of rop, and stays"))
                .hint("move it away; `rop generate docs` writes a file of this name"));
        }
        planner.generated(&path, text.clone())?;
    }
    for path in root.walk(DOCS, "md")? {
        let name = path.rsplit('/').next().unwrap_or_default();
        if !wanted.iter().any(|(file, _)| file == name) && is_own(root, &path)? {
            planner.warn(format!("{path} has no type any more; delete it"));
        }
    }
    Ok(())
}

/// Whether rop wrote this file.
fn is_own(root: &Root, path: &str) -> Result<bool> {
    let text = root.text(path)?;
    Ok(text.is_some_and(|text| text.replace("\r\n", "\n").starts_with(docs::HEADER)))
}
