//! rop scaffolds, generates, tests and packages Kubernetes operators written with kube-rs.
//!
//! Data flows one way: **args → model → plan → apply → report**.
//!
//! - [`error`]: what went wrong, its exit code and the way out
//! - [`model`]: names, resources and the PROJECT file; constructors are the validation
//! - [`ui`]: the one place that prints
//! - [`template`]: the embedded templates and what they may see
//! - [`edit`]: pure functions from text to text: an item more or less in a file of the user
//! - [`generate`]: RBAC, CRDs and YAML; what controller-gen is to Go
//! - [`envtest`]: a throw-away control plane of real etcd and kube-apiserver
//! - [`plan`]: what a command will change, and the one way to change it
//! - [`commands`]: one file a verb, from request to plan
//! - [`cli`]: the command line
//!
//! The library exists for rop's own binary, tests and examples: it promises no stability.

pub mod cli;
pub mod commands;
pub mod edit;
pub mod envtest;
pub mod error;
pub mod generate;
pub mod model;
pub mod plan;
pub mod template;
pub mod ui;
