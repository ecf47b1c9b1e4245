//! All tests that run rop or use its library, in one binary.
#![allow(
    unreachable_pub,
    clippy::disallowed_methods,
    clippy::exit,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests are no library"
)]
mod support;

mod accepted_names;
mod bad_input;
mod cluster;
mod control_plane;
mod damage;
mod edit_files;
mod edit_properties;
mod edit_remove;
mod edit_rust;
mod edit_rustfmt;
mod edit_yaml;
mod enum_shapes;
mod envtest_run;
mod every_step;
mod example;
mod faults;
mod generate_alone;
mod generate_answers;
mod generate_bindings;
mod generate_compat;
mod generate_crdgen;
mod generate_crds;
mod generate_derived;
mod generate_docs;
mod generate_drift;
mod generate_limits;
mod generate_lint;
mod generate_lint_findings;
mod generate_rbac;
mod generate_verify;
mod generate_webhooks;
mod generate_yaml;
mod golden;
mod havoc;
mod hostile;
mod house;
mod makefile;
mod marker_properties;
mod matrix;
mod names;
mod namespaced;
mod operator;
mod options;
mod pasting;
mod project;
mod project_properties;
mod pty;
mod questions;
mod quickstart;
mod races;
mod removing;
mod replicas;
mod repositories;
mod reruns;
mod rights;
mod terminal;
mod texts;
mod trial;
mod trouble;
mod tutorial;
mod workspaces;
