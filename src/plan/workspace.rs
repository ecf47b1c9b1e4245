//! Cargo workspaces around a project, which is one itself: cargo takes none inside of another.
use super::Root;
use std::{fs, path::Path};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// What users have to change in the workspaces around a project, so that both sides build; nothing
/// where they exclude it. They are outside of the root, so rop leaves them as they are.
pub fn fixes_around(root: &Root) -> Vec<String> {
    let around = root.dir().ancestors().skip(1).zip(1..);
    let fixes = around.filter_map(|(dir, depth)| {
        // What cannot be read or parsed is cargo's to tell.
        let manifest = fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        let fix = fix(&manifest, dir, root.dir())?;
        let up = "../".repeat(depth);
        Some(format!(
            "this project is a cargo workspace, and cargo takes none inside of another: {fix} in the \
             [workspace] of {up}Cargo.toml, which rop left as it is"
        ))
    });
    fixes.collect()
}

/// The change to a manifest in `dir`, if it is one of a workspace and does not exclude `project`.
fn fix(manifest: &str, dir: &Path, project: &Path) -> Option<String> {
    let manifest: DocumentMut = manifest.parse().ok()?;
    let workspace = manifest.get("workspace")?.as_table_like()?;
    let mut steps = Vec::new();
    for key in ["members", "default-members"] {
        // As cargo has it, `exclude` does not count for what such an entry names or holds.
        let named = |entry: &&str| [dir, project].contains(&&*dir.join(entry));
        for entry in entries(workspace, key).filter(named) {
            steps.push(format!("take `{}` out of `{key}`", quoted(entry)));
        }
    }
    let mut excluded = entries(workspace, "exclude").map(|entry| dir.join(entry));
    if !excluded.any(|excluded| project.starts_with(excluded)) {
        let path = project.strip_prefix(dir).ok()?;
        let path = quoted(&path.to_string_lossy());
        steps.push(match workspace.get("exclude") {
            None => format!("add `exclude = [{path}]`"),
            Some(_) => format!("add `{path}` to `exclude`"),
        });
    }
    (!steps.is_empty()).then(|| steps.join(" and "))
}

/// The strings of a list.
fn entries<'a>(table: &'a dyn TableLike, key: &str) -> impl Iterator<Item = &'a str> {
    let list = table.get(key).and_then(Item::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// As TOML has it.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
