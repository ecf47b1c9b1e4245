//! What a project is made of; constructors are the validation.
//!
//! - [`names`]: every name a user can choose, and the rules of Kubernetes and Cargo for it
//! - [`resource`]: one version of one kind, the names derived from it, and clashes between two
//! - [`project`]: the PROJECT file
//! - [`request`]: what `create api` is asked for, and what the project says to that
//! - [`settings`]: what a project can be switched to after its start
//! - [`yaml`]: what is wrong with a file that users changed

pub mod names;
pub mod project;
pub mod request;
pub mod resource;
pub mod settings;
pub mod yaml;
