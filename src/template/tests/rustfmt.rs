//! The code is formatted, however long the names are.
#![expect(clippy::disallowed_methods, reason = "rustfmt reads files")]
use super::*;
use std::{fs, path::Path, path::PathBuf, process::Command};

/// Long enough for each line that holds it to be too long.
fn longest_group() -> String {
    let label = "g".repeat(60);
    format!("{label}.{label}.{label}.{label}.examp.com")
}

/// Contexts with kinds of 1 to 63 letters, once as usual and once with all that is rare.
fn kinds() -> Vec<Context> {
    let lengths = (1..=63).flat_map(|n| ["v1", "v1alpha1", "v100alpha100"].map(|v| (n, v)));
    lengths
        .flat_map(|(length, version)| {
            let kind = format!("K{}", "k".repeat(length - 1));
            let usual = with_api(|api| {
                api.version = version.into();
                api.root = kind.clone();
                api.stem = kind.to_lowercase();
                api.plural = kind.to_lowercase();
                api.kind = kind;
            });
            let mut rare = usual.clone();
            rare.project_crate = "p".repeat(length.min(28));
            if let Some(api) = &mut rare.api {
                api.root += "Resource";
                api.api_group = longest_group();
                api.namespaced = false;
                api.approved = Some("a".repeat(length));
            }
            [usual, rare]
        })
        .collect()
}

/// Contexts with projects of 1 to 28 letters.
fn projects() -> Vec<Context> {
    let domains = [String::new(), "example.com".into(), longest_group()];
    let lengths = (1..=28).map(|length| "p".repeat(length));
    lengths
        .flat_map(|name| {
            domains.clone().map(|domain| Context {
                lease: format!("{name}.{domain}"),
                domain,
                project: name.clone(),
                project_crate: name.clone(),
                ..project()
            })
        })
        .collect()
}

fn write(root: &Path, layer: Layer, context: &Context) -> Vec<PathBuf> {
    let mut files = files(layer, context);
    // Those of manager/ are always the same: one project is enough.
    let is_first = context.project.len() == 1;
    files.retain(|file| file.path.ends_with(".rs"));
    files.retain(|file| is_first || !file.path.starts_with("manager/"));
    let write = |file: Rendered| {
        let path = root.join(file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, file.text).unwrap();
        path
    };
    files.into_iter().map(write).collect()
}

#[test]
fn code_is_formatted() {
    let dir = tempfile::tempdir().unwrap();
    let kinds = kinds().into_iter().flat_map(|context| {
        let layers = [Layer::Version, Layer::Api, Layer::Controller];
        layers.map(|layer| (layer, context.clone()))
    });
    let projects = projects().into_iter();
    let cases = kinds.chain(projects.map(|context| (Layer::Project, context)));
    let files = cases.enumerate().flat_map(|(number, (layer, context))| {
        write(&dir.path().join(number.to_string()), layer, &context)
    });
    let output = Command::new("rustfmt")
        .args(["--check", "--edition=2024", "--config=style_edition=2024"])
        .args(files)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(4000).collect();
    let (stdout, stderr): (String, String) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
}
