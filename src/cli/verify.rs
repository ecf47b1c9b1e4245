//! Options of `rop generate` about the API server that is asked.
use clap::Args;
use std::path::PathBuf;

/// Whether an API server is asked, and which.
#[derive(Args, Debug, Default)]
pub struct Verify {
    /// Ask an API server about each CRD before any is written: a control plane of rop's own, unless
    /// one is named; exit with 3 if it refuses any
    #[arg(long)]
    pub verify: bool,

    /// Ask the cluster of this kubeconfig; nothing is changed in it
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub kubeconfig: Option<PathBuf>,

    /// Ask the cluster of this context; nothing is changed in it
    #[arg(long, value_name = "NAME", requires = "verify")]
    pub context: Option<String>,

    /// Folder of etcd and kube-apiserver [default: KUBEBUILDER_ASSETS or rop's cache]
    #[arg(long, value_name = "DIR", requires = "verify", conflicts_with_all = ["kubeconfig", "context"])]
    pub assets: Option<PathBuf>,
}
