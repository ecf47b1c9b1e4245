//! The command line: types for clap, without rules; those are in [`crate::model`].
mod switches;
mod usage;

pub use switches::Switches;
pub use usage::{typed, ui_of, usage};

use crate::ui::{Color, Format, Ui};
use clap::{ArgAction, Args, Parser, Subcommand};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes: 0 done or nothing to do, 1 failed, 2 wrong usage or invalid name, \
3 conflicts, drift or findings, 130/143 interrupted.";

/// Scaffolds Kubernetes operators written with kube-rs, and generates their manifests
#[derive(Debug, Parser)]
#[command(name = "rop", version, after_help = EXIT_CODES)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Show what would be done, and write nothing
    #[arg(long, global = true)]
    pub dry_run: bool,

    /// Print what would change as a unified diff, and write nothing
    #[arg(long, global = true)]
    pub diff: bool,

    /// For whom to print: one JSON object on stdout is for programs
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text")]
    pub output: Format,

    /// Overwrite the files of this command that are in the way
    #[arg(long, global = true)]
    pub force: bool,

    /// Keep the files that are in the way, and write the others
    #[arg(long, global = true, conflicts_with = "force")]
    pub skip_existing: bool,

    /// Answer yes to all questions of yes or no; never overwrites
    #[arg(short, long, global = true)]
    pub yes: bool,

    /// Ask nothing, as if there were no terminal
    #[arg(long, global = true)]
    pub no_input: bool,

    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print more
    #[arg(short, long, global = true)]
    pub verbose: bool,

    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Run as if started in this folder
    #[arg(short = 'C', global = true, value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

impl Global {
    /// How to print.
    pub fn ui(&self) -> Ui {
        Ui::set_color(self.color);
        Ui {
            format: self.output,
            quiet: self.quiet,
            verbose: self.verbose,
            no_input: self.no_input,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start a project
    Init(Init),
    /// Add to a project
    #[command(subcommand)]
    Create(Create),
    /// Switch parts of a project on and off
    Edit(Edit),
    /// Generate CRDs from the types, roles and webhook configurations from the markers
    Generate(Generate),
    /// Use a throw-away control plane: real etcd and kube-apiserver on this machine
    #[command(subcommand)]
    Envtest(Envtest),
    /// Print the version of rop
    Version,
}

/// Starts a project.
#[derive(Args, Debug)]
#[command(
    override_usage = "rop init [OPTIONS] --domain <DOMAIN> [DIR]",
    after_help = "\
At a terminal, rop asks for a domain that is not given.

Example:
  rop init --domain example.com"
)]
pub struct Init {
    /// The project's folder [default: the current one]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// Domain of the API groups; when empty, each group needs a dot
    #[arg(long)]
    pub domain: Option<String>,

    /// Name of the project [default: that of its folder]
    #[arg(long, value_name = "NAME")]
    pub project_name: Option<String>,

    /// License of the project: apache-2.0, mit or none [default: none]
    #[arg(long)]
    pub license: Option<String>,

    /// What can be switched later, too.
    #[command(flatten)]
    pub switches: Switches,
}

/// Switches parts of a project on and off.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  rop edit --metrics --network-policy
  rop edit --metrics=false")]
pub struct Edit {
    /// What to switch; the others stay as they are.
    #[command(flatten)]
    pub switches: Switches,
}

/// Adds to a project.
#[derive(Debug, Subcommand)]
pub enum Create {
    /// Add a custom resource and its controller
    Api(CreateApi),
}

/// Adds a custom resource, its controller, or both.
#[derive(Args, Debug)]
#[command(
    override_usage = "rop create api [OPTIONS] --group <GROUP> --version <VERSION> --kind <KIND>",
    after_help = "\
At a terminal, rop asks for what is not given of --group, --version, --kind, --resource and \
--controller.

Example:
  rop create api --group app --version v1alpha1 --kind MyApp"
)]
pub struct CreateApi {
    /// Group, without the project's domain; may be empty if the domain is not
    #[arg(long)]
    pub group: Option<String>,

    /// Version, such as v1alpha1
    #[arg(long)]
    pub version: Option<String>,

    /// Kind, such as MyApp
    #[arg(long)]
    pub kind: Option<String>,

    /// Plural of the kind, in lower case [default: made by the rules of English]
    #[arg(long)]
    pub plural: Option<String>,

    /// Whether objects live in namespaces [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub namespaced: Option<bool>,

    /// Whether to add the resource [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub resource: Option<bool>,

    /// Whether to add the controller [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    pub controller: Option<bool>,

    /// For groups of k8s.io and kubernetes.io: URL of the approval, or "unapproved"
    #[arg(long, value_name = "URL")]
    pub api_approved: Option<String>,
}

/// Generates manifests.
#[derive(Args, Debug)]
pub struct Generate {
    /// What to generate
    #[arg(value_enum, default_value = "manifests")]
    pub what: What,

    /// Write nothing; exit with 3 if a file differs from what the sources give
    #[arg(long)]
    pub check: bool,

    /// Exit with 3, and write nothing, if the CRDs break those of a git commit or a folder
    #[arg(long, value_name = "REF")]
    pub compat: Option<String>,

    /// List the markers that rop reads, and what replaces those on Go types
    #[arg(long, conflicts_with_all = ["check", "compat", "what"])]
    pub markers: bool,
}

/// Uses a throw-away control plane.
#[derive(Debug, Subcommand)]
pub enum Envtest {
    /// Run a command beside a control plane that lives as long as the command does
    Run(EnvtestRun),
}

/// Runs a command beside a throw-away control plane.
///
/// In a project, its CRDs and rights are installed first.
#[derive(Args, Debug)]
#[command(after_help = "\
The command sees KUBECONFIG (an administrator), ROP_OPERATOR_KUBECONFIG (the operator, with the \
rights of config/default), ROP_ENVTEST=1, and kubectl in PATH. The exit code is its own.

Examples:
  rop envtest run -- cargo test -- --include-ignored
  rop envtest run -- bash")]
pub struct EnvtestRun {
    /// Folder of etcd, kube-apiserver and kubectl [default: KUBEBUILDER_ASSETS or rop's cache]
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,

    /// The command
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "CMD"
    )]
    pub command: Vec<std::ffi::OsString>,
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
