//! The embedded templates and what they may see.
//!
//! `templates/` has a folder for each [`Layer`] that mirrors the generated tree. A file that ends in
//! `.tera` is rendered and loses this ending, anything else is copied. A path may hold
//! `__version__`, `__stem__`, `__sample__` and `__crd__`, the variables `api.version` and so on.
//!
//! Variables are written `{[ project ]}`, since the files are full of `{{`; blocks stand on lines of
//! their own, as `{%- if license %}`: the left dash takes the line away. Values go through
//! `| yaml` where YAML may take them for something else than a string, and through `| rust` to
//! become a string literal.

mod context;
mod filters;
mod registry;

#[cfg(test)]
mod tests;

pub use context::{Api, Context};
pub use registry::{Layer, Rendered, render};
