//! `--compat`: what generated CRDs break of those before.
use crate::{
    error::{Error, Result},
    generate::{
        compat,
        crds::{self, Crd},
        git,
    },
    plan::Root,
    ui::{FindingLine, Report},
};
use serde_json::Value;
use std::path::Path;

use super::{crd_files::FOLDER, place::Place};

/// The CRDs of before: those of a folder, or of a commit.
pub(super) fn before(place: &Place, directory: &Path, name: &str) -> Result<Vec<Value>> {
    let folder = directory.join(name);
    let crds = match place.folder(FOLDER) {
        "" => ".",
        folder => folder,
    };
    let files = match folder.is_dir() {
        true => of_folder(&folder)?,
        false => git::files(place.output.dir(), name, crds)?,
    };
    let mut before = Vec::new();
    for (path, text) in &files {
        before.extend(
            crds::among(text).map_err(|why| Error::failed(format!("{path} of {name}: {why}")))?,
        );
    }
    match before.is_empty() {
        false => Ok(before),
        true if folder.is_dir() => Err(Error::failed(format!("{name} has no CRDs"))
            .hint("name the folder of the files, such as config/crd/bases of an earlier release")),
        true => Err(Error::failed(format!("{name} has no CRDs in {crds}"))
            .hint("name a commit that has them, or a folder")),
    }
}

fn of_folder(folder: &Path) -> Result<Vec<(String, String)>> {
    let root = Root::at(folder)?;
    let mut files = Vec::new();
    for path in root.walk("", "yaml")? {
        let text = root.text(&path)?.unwrap_or_default();
        files.push((path, text));
    }
    Ok(files)
}

/// Reports what the CRDs break of those before.
pub(super) fn check(before: &[Value], crds: &[Crd], name: &str, report: &mut Report) -> Result<()> {
    let after: Vec<_> = crds.iter().map(|crd| crd.value().clone()).collect();
    let findings: Vec<_> = compat::compare(before, &after)
        .into_iter()
        .map(line)
        .collect();
    let breaking = findings.iter().filter(|finding| finding.breaking).count();
    report.findings = Some(findings);
    let changes = match breaking {
        0 => return Ok(()),
        1 => "1 breaking change".into(),
        count => format!("{count} breaking changes"),
    };
    Err(
        Error::conflict(format!("nothing was written: {changes} since {name}"))
            .hint("make a new version of the API for them, or leave --compat out"),
    )
}

fn line(finding: compat::Finding) -> FindingLine {
    let compat::Finding {
        breaking,
        crd,
        version,
        field,
        message,
    } = finding;
    FindingLine {
        breaking,
        crd,
        version,
        field,
        message,
    }
}
