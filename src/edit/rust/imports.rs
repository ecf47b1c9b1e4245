//! What `use` lines bring in.
use syn::{Item, ItemUse, UseTree};

use super::parse::Node;

/// One of the names that a `use` brings in.
#[derive(PartialEq, Eq)]
pub(super) struct Import {
    /// Where it comes from, as seen from the file: `v1alpha1::MyApp`, or `v1alpha1::*` for all.
    pub(super) path: String,
    /// What it is called here, or `*`.
    pub(super) name: String,
}

impl Import {
    /// The module that it comes from.
    pub(super) fn parent(&self) -> &str {
        let parent = self.path.rsplit_once("::");
        parent.map_or("", |(parent, _)| parent)
    }

    /// What an item such as `v1alpha1::MyApp::crd()` may be called, if this import leads to it.
    pub(super) fn shorten(&self, item: &str) -> Option<String> {
        let rest = item.strip_prefix(&self.path)?;
        let is_whole = rest.starts_with("::") || rest.starts_with('(');
        is_whole.then(|| format!("{}{rest}", self.name))
    }

    /// The whole path of a name such as `MyApp::crd()`, if it is this one's.
    fn expand(&self, name: &str) -> Option<String> {
        let rest = name.strip_prefix(&self.name)?;
        let is_whole = rest.starts_with("::") || rest.starts_with('(');
        is_whole.then(|| format!("{}{rest}", self.path))
    }
}

/// What a name such as `MyApp::crd()` may stand for: one path, or one for each glob.
pub(super) fn paths_of(name: &str, imports: &[Import]) -> Vec<String> {
    let mut named = imports.iter().filter_map(|import| import.expand(name));
    if let Some(path) = named.next() {
        return vec![path];
    }
    let globs = imports.iter().filter(|import| import.name == "*");
    globs
        .map(|glob| format!("{}::{name}", glob.parent()))
        .collect()
}

/// What these items bring in.
pub(super) fn imports_of<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<Import> {
    let import = |item: &'a Item| match item {
        Item::Use(import) => imports(import),
        _ => Vec::new(),
    };
    items.flat_map(import).collect()
}

/// What an item brings in.
pub(super) fn imports_in(item: &Node<Item>) -> Vec<Import> {
    imports_of(std::iter::once(&item.node))
}

fn imports(import: &ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    let root = import.leading_colon.map_or("", |_| "::");
    collect(&import.tree, root, &mut found);
    for import in &mut found {
        // `a::{self}` is `a`.
        if let Some(path) = import.path.strip_suffix("::self") {
            if import.name == "self" {
                import.name = path.rsplit("::").next().unwrap_or_default().to_owned();
            }
            import.path = path.to_owned();
        }
        if let Some(path) = import.path.strip_prefix("self::") {
            import.path = path.to_owned();
        }
    }
    found
}

fn collect(tree: &UseTree, prefix: &str, found: &mut Vec<Import>) {
    let mut import = |path: &dyn ToString, name: &dyn ToString| {
        let (path, name) = (format!("{prefix}{}", path.to_string()), name.to_string());
        found.push(Import { path, name });
    };
    match tree {
        UseTree::Path(path) => collect(&path.tree, &format!("{prefix}{}::", path.ident), found),
        UseTree::Name(name) => import(&name.ident, &name.ident),
        UseTree::Rename(name) => import(&name.ident, &name.rename),
        UseTree::Glob(_) => import(&'*', &'*'),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, prefix, found);
            }
        }
    }
}
