//! Version `v1alpha1` of the group `app.example.com`.
mod myapp_types;
mod other_types;

pub use myapp_types::*;
pub use other_types::*;
