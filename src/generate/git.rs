//! Reads files of an earlier commit.
#![expect(clippy::disallowed_methods, reason = "this file runs git")]
use crate::error::{Error, Result};
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// The YAML files below a folder, as a commit has them: pairs of path and text. Paths are relative
/// to `root`, which is in the repository.
///
/// # Errors
/// There is no git, `root` is in no repository, or there is no such commit.
pub fn files(root: &Path, commit: &str, folder: &str) -> Result<Vec<(String, String)>> {
    let name = format!("{commit}^{{tree}}");
    let found = git(
        root,
        &[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &name,
        ],
    )?;
    if !found.status.success() {
        return Err(unknown(root, commit)?);
    }
    let tree = text(&found.stdout);
    let tree = tree.trim();
    let listed = git(
        root,
        &["ls-tree", "-r", "-z", "--name-only", tree, "--", folder],
    )?;
    let mut files = Vec::new();
    for path in text(&listed.stdout).split_terminator('\0') {
        if !path.ends_with(".yaml") {
            continue;
        }
        let shown = git(root, &["cat-file", "blob", &format!("{commit}:./{path}")])?;
        if !shown.status.success() {
            let why = text(&shown.stderr);
            Err(Error::failed(format!(
                "cannot read {path} of {commit}: {}",
                why.trim()
            )))?;
        }
        files.push((path.to_owned(), text(&shown.stdout)));
    }
    Ok(files)
}

/// Tells apart what git says with one exit code.
fn unknown(root: &Path, commit: &str) -> Result<Error> {
    let inside = git(root, &["rev-parse", "--git-dir"])?;
    if inside.status.success() {
        let what = format!("`{commit}` is neither a folder nor a commit of this repository");
        return Ok(Error::failed(what)
            .hint("name a branch, a tag or a commit; CI may have to fetch it first"));
    }
    let why = text(&inside.stderr);
    let why = why.trim().trim_start_matches("fatal: ");
    let what = format!("`{commit}` is no folder, and git has no commit of that name here: {why}");
    Ok(Error::failed(what)
        .hint("name a folder with the CRD files of before, or run rop in a repository of git"))
}

fn git(root: &Path, args: &[&str]) -> Result<Output> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output();
    output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::failed("`git` is not found: it has the CRD files of before")
                .hint("install git, or name a folder with those files")
        }
        _ => anyhow::Error::new(error).context("cannot start git").into(),
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
