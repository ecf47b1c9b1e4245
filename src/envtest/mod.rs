//! A throw-away control plane: real etcd and kube-apiserver on loopback.
//!
//! [`Assets::find`] → [`ControlPlane::start`] → [`ControlPlane::apply`] → a [`Kubeconfig`] for whoever needs one.
//! Nothing survives it: when the owner is dropped, or its process ends in any way, a watchdog kills the servers
//! and removes their folder. The user's own cluster is never touched: no kubeconfig and no variable of the
//! environment that names one is read.
//!
//! All calls block, and none may be made from inside an async runtime.
#![expect(
    clippy::disallowed_methods,
    reason = "this room runs servers in a folder of its own"
)]

mod admin;
mod apply;
mod assets;
mod certificates;
mod command;
mod control_plane;
mod flags;
mod kubeconfig;
mod ports;
mod readiness;
mod server;
mod verify;
mod watchdog;

pub use apply::ApplyOptions;
pub use assets::{Assets, KUBERNETES_VERSION, cache_folder};
pub use command::{install, run};
pub use control_plane::{ControlPlane, Options};
pub use kubeconfig::Kubeconfig;
pub use verify::{Cluster, Interrupted, Refusal};
