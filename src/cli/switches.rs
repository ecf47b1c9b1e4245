//! Flags of what can be switched on and off in a project.
use crate::model::settings::PartsRequest;
use clap::{ArgAction, Args};

/// What can be switched on and off, each with `=false`.
#[derive(Args, Clone, Debug, Default)]
pub struct Switches {
    /// Give the operator rights in its own namespace only, and let it watch no other
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub namespaced: Option<bool>,

    /// Serve metrics on port 8080, over plain HTTP and without authentication
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub metrics: Option<bool>,

    /// Let nobody connect but scrapers in namespaces labelled `metrics: enabled`
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub network_policy: Option<bool>,

    /// Add a ServiceMonitor for the Prometheus Operator; switches the metrics on, too
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub prometheus: Option<bool>,
}

impl Switches {
    /// The optional parts that are named.
    pub fn parts(&self) -> PartsRequest {
        PartsRequest {
            metrics: self.metrics,
            network_policy: self.network_policy,
            prometheus: self.prometheus,
        }
    }
}
