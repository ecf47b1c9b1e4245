//! More than one controller, and more than one namespace.
use crate::{
    kinds::{Failure, Probe},
    ready, run_succeed,
    support::{Cluster, eventually},
};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    ResourceExt,
    api::{ObjectMeta, PostParams},
    runtime::controller::Action,
};
use rop_manager::{Context, Runnable};
use std::{
    sync::{Arc, Mutex, atomic::AtomicUsize, atomic::Ordering::SeqCst},
    time::Duration,
};
use tokio::time::sleep;

#[tokio::test]
#[ignore = "needs an API server"]
async fn controllers_of_two_kinds_run_side_by_side() {
    let cluster = Cluster::new("kinds").await;
    let names = Arc::new(Mutex::new(Vec::new()));
    let seen = names.clone();
    let note = move |map: Arc<ConfigMap>, _: Arc<Context>| {
        seen.lock().unwrap().push(map.name_any());
        async { Ok::<_, Failure>(Action::await_change()) }
    };
    let run_note = move |ctx: Arc<Context>| {
        let note = note.clone();
        async move { ctx.run(ctx.controller::<ConfigMap>(), note).await }
    };
    let probes = Runnable::namespaced("probe", run_succeed);
    let maps = Runnable::namespaced("configmap", run_note);
    let manager = cluster.start(&[], [probes, maps]);
    manager.until_ready().await;

    cluster.create_probe("a").await;
    let map = ConfigMap {
        metadata: ObjectMeta {
            name: Some("b".into()),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    };
    let created = cluster.api().create(&PostParams::default(), &map).await;
    created.unwrap();
    let is_ready = |p: &Probe| ready(p, 1).is_some();
    cluster.wait(&cluster.api(), "a", is_ready).await;
    eventually(async || names.lock().unwrap().iter().any(|name| name == "b")).await;
    assert!(!names.lock().unwrap().contains(&"a".into()));
    manager.stop().await;
    cluster.delete().await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn namespaces_share_the_permits() {
    let (one, two) = (Cluster::new("one").await, Cluster::new("two").await);
    for i in 0..4 {
        one.create_probe(&format!("p{i}")).await;
        two.create_probe(&format!("p{i}")).await;
    }
    let (now, most, all) = <(Arc<AtomicUsize>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
    let (now_, most_, all_) = (now, most.clone(), all.clone());
    let slow = move |_: Arc<Probe>, _: Arc<Context>| {
        let (now, most, all) = (now_.clone(), most_.clone(), all_.clone());
        async move {
            most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
            sleep(Duration::from_millis(100)).await;
            now.fetch_sub(1, SeqCst);
            all.fetch_add(1, SeqCst);
            Ok::<_, Failure>(Action::await_change())
        }
    };
    let run = move |ctx: Arc<Context>| {
        let slow = slow.clone();
        async move { ctx.run(ctx.controller::<Probe>(), slow).await }
    };
    let both = format!("--watch-namespace={}", two.namespace);
    let max = "--max-concurrent-reconciles=2".to_string();
    let manager = one.start(&[both, max], [Runnable::namespaced("probe", run)]);
    eventually(async || all.load(SeqCst) == 8).await;
    manager.stop().await;
    assert_eq!((all.load(SeqCst), most.load(SeqCst)), (8, 2));
    one.delete().await;
    two.delete().await;
}
