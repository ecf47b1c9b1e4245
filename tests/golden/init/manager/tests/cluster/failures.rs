//! Reconciles that go wrong.
use crate::{
    kinds::{Failure, Probe, condition},
    ready, show, succeed,
    support::Cluster,
};
use k8s_openapi::api::events::v1::Event;
use kube::api::ListParams;
use rop_manager::{Context, Runnable};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

#[tokio::test]
#[ignore = "needs an API server"]
async fn failures_are_tried_again_and_told_once() {
    let cluster = Cluster::new("failures").await;
    let probes = cluster.api::<Probe>();
    let tries = Arc::new(AtomicUsize::new(0));
    let counter = tries.clone();
    // Each try fails with another text, and so changes the status.
    let fail = move |probe: Arc<Probe>, ctx: Arc<Context>| {
        let n = counter.fetch_add(1, SeqCst);
        async move { show(&probe, &ctx, Err(Failure::Try(n))).await }
    };
    let run = move |ctx: Arc<Context>| {
        let fail = fail.clone();
        async move { ctx.run(ctx.controller::<Probe>(), fail).await }
    };
    let manager = cluster.start(&[], [Runnable::namespaced("probe", run)]);
    cluster.create_probe("a").await;
    let third = |p: &Probe| condition(p, "Ready").is_some_and(|c| c.message == "try 3");
    cluster.wait(&probes, "a", third).await;
    cluster.set_text("a", "changed").await;
    cluster
        .wait(&probes, "a", |p: &Probe| ready(p, 2).is_some())
        .await;
    manager.stop().await;

    let probe = probes.get("a").await.unwrap();
    let shown = condition(&probe, "Ready").unwrap();
    let last = tries.load(SeqCst) - 1;
    assert_eq!(shown.message, format!("try {last}"));
    // One transition is one event, however many tries.
    let events = cluster.api::<Event>().list(&ListParams::default()).await;
    let events = events.unwrap().items;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].type_.as_deref(), Some("Warning"));
    let reporter = Some("rop.dev/failures");
    assert_eq!(events[0].reporting_controller.as_deref(), reporter);
    assert_eq!(cluster.managers(&events[0]), ["failures"]);
    cluster.delete().await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn a_panic_is_a_failure_and_not_the_end() {
    let cluster = Cluster::new("panics").await;
    let probes = cluster.api::<Probe>();
    let tries = Arc::new(AtomicUsize::new(0));
    let counter = tries.clone();
    // The first time before there is a future, the second time in it.
    let panic_twice = move |probe: Arc<Probe>, ctx: Arc<Context>| {
        let n = counter.fetch_add(1, SeqCst);
        assert!(n != 0, "on purpose");
        async move {
            assert!(n != 1, "on purpose");
            succeed(probe, ctx).await
        }
    };
    let run = move |ctx: Arc<Context>| {
        let panic_twice = panic_twice.clone();
        async move { ctx.run(ctx.controller::<Probe>(), panic_twice).await }
    };
    let manager = cluster.start(&[], [Runnable::namespaced("probe", run)]);
    cluster.create_probe("a").await;
    cluster
        .wait(&probes, "a", |p: &Probe| ready(p, 1).is_some())
        .await;
    assert!(tries.load(SeqCst) > 2);
    manager.stop().await;
    cluster.delete().await;
}
