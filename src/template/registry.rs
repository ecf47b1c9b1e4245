use super::{Context, filters};
use crate::error::{Error, Result};
use anyhow::Context as _;
use include_dir::{Dir, include_dir};
use tera::{Delimiters, Kwargs, State, Tera};

pub(super) static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// Ending of the files that are rendered.
const SUFFIX: &str = ".tera";

/// The templates that are rendered together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// All that `rop init` writes, but for PROJECT, rop.lock and LICENSE; lists are empty.
    Project,
    /// The LICENSE; nothing without one.
    License,
    /// The list of the kinds of a version, still empty.
    Version,
    /// Types, sample and user roles of a kind.
    Api,
    /// What `crdgen` prints for the fresh types of a kind, as one JSON object.
    Crd,
    /// A controller and its integration test.
    Controller,
}

impl Layer {
    /// Its folder in `templates/`, if it has one for this context.
    fn folder(self, context: &Context) -> Option<String> {
        let name = match self {
            Self::Project => "project",
            Self::License => return context.license.map(|license| format!("license/{license}")),
            Self::Version => "version",
            Self::Api => "api",
            Self::Crd => "crd",
            Self::Controller => "controller",
        };
        Some(name.into())
    }
}

/// A file as rop writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Path in the project, with forward slashes.
    pub path: String,
    /// The text; ends in a line feed.
    pub text: String,
}

/// Renders a layer; the files come in the order of their paths.
///
/// Fails only if a template is wrong or `context` lacks what the layer needs, with
/// [`ErrorKind::Internal`](crate::error::ErrorKind::Internal).
pub fn render(layer: Layer, context: &Context) -> Result<Vec<Rendered>> {
    let Some(folder) = layer.folder(context) else {
        return Ok(Vec::new());
    };
    let files = files(&folder).map_err(bug)?;
    let tera = parse(&files).map_err(bug)?;
    let variables = tera::Context::from_serialize(context).map_err(bug)?;
    let mut rendered = Vec::new();
    for (path, text) in files {
        let (path, text) = match path.strip_suffix(SUFFIX) {
            Some(bare) => (bare, tera.render(path, &variables).map_err(bug)?),
            None => (path, text.into()),
        };
        let path = path_of(path, context);
        rendered.push(Rendered { path, text });
    }
    rendered.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(rendered)
}

/// Path below `folder`, and text, of all its files.
fn files(folder: &str) -> anyhow::Result<Vec<(&'static str, &'static str)>> {
    let dir = TEMPLATES.get_dir(folder);
    let mut open = vec![dir.with_context(|| format!("no folder {folder}"))?];
    let mut files = Vec::new();
    while let Some(dir) = open.pop() {
        open.extend(dir.dirs());
        for file in dir.files() {
            let path = file.path().strip_prefix(folder)?.to_str();
            let pair = path.zip(file.contents_utf8());
            files.push(pair.with_context(|| format!("{:?} is not UTF-8", file.path()))?);
        }
    }
    Ok(files)
}

/// Parses those files that are templates; they are known by their path.
fn parse(files: &[(&'static str, &'static str)]) -> tera::TeraResult<Tera> {
    let mut tera = Tera::new();
    tera.autoescape_on(Vec::<&str>::new());
    tera.set_delimiters(Delimiters {
        variable_start: "{[".into(),
        variable_end: "]}".into(),
        ..Delimiters::default()
    })?;
    tera.register_filter("json", |text: &str, _: Kwargs, _: &State| {
        filters::json(text)
    });
    tera.register_filter("rust", |text: &str, _: Kwargs, _: &State| {
        filters::rust(text)
    });
    tera.register_filter("yaml", |text: &str, _: Kwargs, _: &State| {
        filters::yaml(text)
    });
    let templates = files.iter().filter(|(path, _)| path.ends_with(SUFFIX));
    tera.add_raw_templates(templates.copied())?;
    Ok(tera)
}

/// Replaces the placeholders of a path.
fn path_of(path: &str, context: &Context) -> String {
    let Some(api) = &context.api else {
        return path.into();
    };
    let placeholders = [
        ("__crd__", &api.crd),
        ("__sample__", &api.sample),
        ("__stem__", &api.stem),
        ("__version__", &api.version),
    ];
    let fill = |path: String, (name, value): (&str, &String)| path.replace(name, value);
    placeholders.into_iter().fold(path.into(), fill)
}

fn bug(error: impl Into<anyhow::Error>) -> Error {
    Error::internal(format!("{:#}", error.into()))
}
