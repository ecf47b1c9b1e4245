//! `rop generate`.
use super::Verify;
use clap::Args;
use std::path::PathBuf;

/// Generates manifests.
#[derive(Args, Debug)]
pub struct Generate {
    /// What to generate
    #[arg(value_enum, default_value = "manifests")]
    pub what: What,

    /// Write nothing; exit with 3 if a file differs from what the sources give
    #[arg(long)]
    pub check: bool,

    /// Remove the CRDs of this project whose type is gone, and their lines in kustomizations
    #[arg(long)]
    pub prune: bool,

    /// Cut descriptions in CRDs that have more bytes, at a sentence or a word; with 0 there are none
    /// [default: max-desc-len under package.metadata.rop or workspace.metadata.rop in Cargo.toml]
    #[arg(long, value_name = "BYTES")]
    pub max_desc_len: Option<usize>,

    /// Exit with 3, and write nothing, if the CRDs break those of a git commit or a folder
    #[arg(long, value_name = "REF")]
    pub compat: Option<String>,

    /// Read markers only in these folders and files [default: all of the project or package]
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub paths: Vec<PathBuf>,

    /// Name of the role, unless a marker gives another one [default: manager-role]
    #[arg(long, value_name = "NAME")]
    pub role_name: Option<String>,

    /// Write all files side by side into this folder [default: where rop has them, in config]
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,

    /// Print what is generated, and write nothing
    #[arg(long, conflicts_with_all = ["check", "prune", "output_dir"])]
    pub stdout: bool,

    /// List the markers that rop reads, and what replaces those on Go types
    #[arg(long, conflicts_with_all = [
        "check", "prune", "compat", "verify", "paths", "role_name", "output_dir", "stdout", "what",
    ])]
    pub markers: bool,

    /// Whether an API server is asked, and which.
    #[command(flatten)]
    pub verify: Verify,
}

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum What {
    /// CRDs, RBAC and webhooks
    Manifests,
    /// The custom resource definitions, from the types
    Crds,
    /// The manager's role, from the `+kubebuilder:rbac` markers
    Rbac,
    /// The webhook configurations, from the `+kubebuilder:webhook` markers
    Webhooks,
    /// References of the APIs in docs/api, from the types
    Docs,
}

impl What {
    /// Whether this is made, too, where `self` is asked for.
    pub fn includes(self, one: Self) -> bool {
        self == one || (self == Self::Manifests && one != Self::Docs)
    }
}
