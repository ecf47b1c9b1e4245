//! `rop envtest run`: a command beside a throw-away control plane.
use super::Session;
use crate::{
    cli::EnvtestRun,
    envtest::{self, Assets, ControlPlane, Kubeconfig, Options},
    error::{Error, Result},
    plan::Root,
    ui::Ui,
};
use std::path::Path;

/// Where a project keeps what is deployed, and its CRDs alone.
const DEPLOYED: [&str; 2] = ["config/default", "config/crd"];

pub(super) fn run(args: &EnvtestRun, session: &Session, ui: Ui) -> Result<u8> {
    if session.dry_run {
        let what = "`rop envtest run` changes no project: there is nothing to show";
        return Err(Error::usage(what).hint("leave --dry-run and --diff out"));
    }
    // It works outside of a project, too.
    let root = Root::around(&session.directory)?;
    let assets = Assets::find(args.assets.as_deref())?;
    ui.progress("Starting", "etcd and kube-apiserver");
    // Until here and a signal ends rop as any program; the watchdog sees to the servers.
    let control_plane = ControlPlane::start(&Options::new(assets.clone()))?;
    let operator = match root {
        Some(root) => install(&control_plane, &assets, root.dir(), ui)?,
        None => None,
    };
    let shown: Vec<_> = args
        .command
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    ui.progress("Running", &shown.join(" "));
    let interrupt = session.interrupt()?;
    let signal = || interrupt.take();
    envtest::run(
        &args.command,
        &session.directory,
        &control_plane,
        &assets,
        operator.as_ref(),
        &signal,
    )
}

/// Installs the CRDs and rights of a project; gives the kubeconfig of its operator, if that is
/// deployed.
fn install(
    control_plane: &ControlPlane,
    assets: &Assets,
    root: &Path,
    ui: Ui,
) -> Result<Option<Kubeconfig>> {
    let Some(folder) = DEPLOYED
        .iter()
        .find(|f| root.join(f).join("kustomization.yaml").is_file())
    else {
        return Ok(None);
    };
    ui.progress("Installing", &format!("CRDs and rights of {folder}"));
    envtest::install(control_plane, assets, &root.join(folder))
}
