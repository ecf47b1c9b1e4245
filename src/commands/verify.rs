//! `rop generate --verify`: an API server is asked about the CRDs, before they are written.
use super::Session;
use crate::{
    cli::Verify,
    envtest::{Assets, Cluster, ControlPlane, Options},
    error::{Error, Result},
    generate::{crds::Crd, lint},
};
use serde_json::Value;

/// Asks about each CRD, which comes with the path of its file.
///
/// # Errors
/// [`ErrorKind::Conflict`](crate::error::ErrorKind::Conflict) if the server refuses any; or there is no server to ask.
pub(super) fn run(args: &Verify, session: &Session, crds: &[(String, &Crd)]) -> Result<()> {
    if !args.verify || crds.is_empty() {
        return Ok(());
    }
    let objects: Vec<Value> = crds.iter().map(|(_, crd)| crd.value().clone()).collect();
    let interrupt = session.interrupt()?;
    let interrupted = || interrupt.signal();
    let refusals = if args.kubeconfig.is_some() || args.context.is_some() {
        let cluster = Cluster::named(args.kubeconfig.as_deref(), args.context.as_deref())?;
        session.ui.progress("Asking", &cluster.title());
        cluster.refusals(&objects, &interrupted)?
    } else {
        let assets = Assets::find(args.assets.as_deref())?;
        session.ui.progress("Starting", "etcd and kube-apiserver");
        let control_plane = ControlPlane::start_unless(Options::new(assets), &interrupted)?;
        control_plane.refusals(&objects, &interrupted)?
    };
    let mut told = Vec::new();
    for ((path, crd), refusal) in crds.iter().zip(refusals) {
        for (field, message) in refusal.into_iter().flat_map(|refusal| refusal.causes) {
            let what = lint::told(crd.value(), &field, &message);
            told.push(format!("\n  {path}: {what}"));
        }
    }
    if told.is_empty() {
        return Ok(());
    }
    let what = format!(
        "nothing was written: the API server refuses CRDs{}",
        told.concat()
    );
    Err(Error::conflict(what).hint("correct the types, and run the command again"))
}
