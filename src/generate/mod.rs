//! Everything that is generated: what controller-gen is to Go.
//!
//! Pure functions from pairs of path and text to text, but for [`crdgen`], which runs the
//! project's own program. Output is deterministic: the same input gives the same bytes.
//!
//! - [`markers`]: finds and reads `+kubebuilder:` markers in Rust sources
//! - [`rbac`]: role.yaml of the RBAC markers
//! - [`crdgen`]: runs the program that prints the project's CRDs
//! - [`crds`]: the CRD files of what it printed
//! - [`yaml`]: the one serializer of everything generated

pub mod crdgen;
pub mod crds;
mod faults;
pub mod markers;
pub mod rbac;
pub mod yaml;

/// A source file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its path, as it shall show in messages.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Whether it is as rop wrote it: then it parses, and has no marker in what is for tests only.
    /// To see that takes longer than all else.
    pub rendered: bool,
}

impl<'a> From<(&'a str, &'a str)> for Source<'a> {
    /// A source that somebody may have changed.
    fn from((path, text): (&'a str, &'a str)) -> Self {
        Self {
            path,
            text,
            rendered: false,
        }
    }
}
