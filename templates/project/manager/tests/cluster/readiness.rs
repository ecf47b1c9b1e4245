//! What `/readyz` says while something is missing.
use crate::{
    kinds::{Failure, Late, Probe},
    ready, succeed,
    support::Cluster,
};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::runtime::{controller::Action, watcher};
use rop_manager::{Context, Runnable};
use std::sync::Arc;

async fn run_late(ctx: Arc<Context>) {
    let idle = async |_, _| Ok::<_, Failure>(Action::await_change());
    ctx.run(ctx.controller::<Late>(), idle).await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn a_missing_crd_is_named_until_it_is_there() {
    let cluster = Cluster::new("late").await;
    cluster.uninstall::<Late>().await;
    let manager = cluster.start(&[], [Runnable::namespaced("late", run_late)]);
    let why = "the API server has no lates.manager.rop.dev/v1: is its CRD installed?";
    manager.until_missing(why).await;
    cluster.install::<Late>().await;
    manager.until_ready().await;
    manager.stop().await;
    cluster.uninstall::<Late>().await;
    cluster.delete().await;
}

async fn run_parent(ctx: Arc<Context>) {
    let maps = ctx.watch(ctx.api::<ConfigMap>(), watcher::Config::default());
    ctx.run(ctx.controller::<Probe>().owns_stream(maps), succeed)
        .await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn a_missing_right_on_a_child_kind_is_named_until_it_is_given() {
    let cluster = Cluster::new("rights").await;
    let user = format!("{}-user", cluster.namespace);
    let restricted = cluster.impersonate(&user).await;
    let rights = cluster.allow(&user, "manager.rop.dev", "probes", &["list", "watch"]);
    rights.await;
    let status = cluster.allow(&user, "manager.rop.dev", "probes/status", &["patch"]);
    status.await;
    let runnable = Runnable::namespaced("parent", run_parent);
    let manager = cluster.start_with(restricted, &[], [runnable]);
    let why = format!(
        "configmaps of parent in {}: configmaps is forbidden: User \"{user}\" cannot list resource",
        cluster.namespace
    );
    manager.until_missing(&why).await;

    // The controller works meanwhile.
    cluster.create_probe("a").await;
    let is_ready = |p: &Probe| ready(p, 1).is_some();
    cluster.wait(&cluster.api(), "a", is_ready).await;
    let rights = cluster.allow(&user, "", "configmaps", &["list", "watch"]);
    rights.await;
    manager.until_ready().await;
    manager.stop().await;
    cluster.delete().await;
}
