//! Everything that is generated: what controller-gen is to Go.
//!
//! Pure functions from pairs of path and text to text, but for [`crdgen`], which runs the
//! project's own program, and [`git`]. Output is deterministic: the same input gives the same bytes.
//!
//! - [`markers`]: finds and reads `+kubebuilder:` markers in Rust sources
//! - [`rbac`]: role.yaml of the RBAC markers
//! - [`webhooks`]: the webhook configurations of the markers
//! - [`crdgen`]: runs the program that prints the project's CRDs
//! - [`compat`]: what a change of CRDs breaks; [`git`] has those of before
//! - [`crds`]: the CRD files of what it printed
//! - [`owned`]: which files were generated, and may be written anew
//! - [`shapes`]: explains why kube cannot derive a CRD
//! - [`lint`]: what is wrong with a CRD, before an API server says so
//! - [`docs`]: references of the APIs in Markdown
//! - [`yaml`]: the one serializer of everything generated

pub mod compat;
pub mod crdgen;
pub mod crds;
pub mod docs;
mod faults;
pub mod git;
pub mod lint;
pub mod markers;
pub mod owned;
pub mod rbac;
pub mod shapes;
pub mod webhooks;
pub mod yaml;

/// A source file.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Its path, as it shall show in messages.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Tells of a path and its text whether they are as rop wrote them: then it parses, and has no
    /// marker in what is for tests only. To see that takes longer than all else, and to tell takes
    /// longer than to look for a marker: only files near one are asked for.
    pub rendered: &'a dyn Fn(&str, &str) -> bool,
}

impl<'a> From<(&'a str, &'a str)> for Source<'a> {
    /// A source that somebody may have changed.
    fn from((path, text): (&'a str, &'a str)) -> Self {
        Self {
            path,
            text,
            rendered: &|_, _| false,
        }
    }
}
