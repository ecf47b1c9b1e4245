//! Everything that is generated: what controller-gen is to Go.
//!
//! Pure functions from pairs of path and text to text, but for [`crdgen`], which runs the
//! project's own program. Output is deterministic: the same input gives the same bytes.
//!
//! - `markers`: finds and reads `+kubebuilder:` markers in Rust sources
//! - [`rbac`]: role.yaml of the RBAC markers
//! - [`crdgen`]: runs the program that prints the project's CRDs
//! - [`crds`]: the CRD files of what it printed
//! - [`yaml`]: the one serializer of everything generated

pub mod crdgen;
pub mod crds;
mod faults;
mod markers;
pub mod rbac;
pub mod yaml;

/// A source file: its path, as it shall show in messages, and its text.
pub type Source<'a> = (&'a str, &'a str);
