//! Status, events and children of the objects.
use crate::{
    kinds::{Failure, Probe, condition},
    ready, run_succeed, show,
    support::{Cluster, eventually},
};
use k8s_openapi::api::{core::v1::ConfigMap, events::v1::Event};
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams},
    runtime::{controller::Action, watcher},
};
use rop_manager::{Context, Runnable, conditions};
use serde_json::json;
use std::sync::{Arc, Mutex};

#[tokio::test]
#[ignore = "needs an API server"]
async fn conditions_of_others_survive() {
    let cluster = Cluster::new("others").await;
    let probes = cluster.api::<Probe>();
    let manager = cluster.start(&[], [Runnable::namespaced("probe", run_succeed)]);
    cluster.create_probe("a").await;
    let first = cluster
        .wait(&probes, "a", |p: &Probe| ready(p, 1).is_some())
        .await;

    let backup = conditions::new("Backup", true, Some(1), "Saved", "all of it");
    let patch = Patch::Apply(json!({
        "apiVersion": "manager.rop.dev/v1",
        "kind": "Probe",
        "status": {"conditions": [backup]},
    }));
    let params = PatchParams::apply("backup");
    let patched = probes.patch_status("a", &params, &patch).await.unwrap();
    cluster.set_text("a", "changed").await;
    let second = cluster
        .wait(&probes, "a", |p: &Probe| ready(p, 2).is_some())
        .await;
    let backup = condition(&patched, "Backup");
    assert!(backup.is_some() && condition(&second, "Backup") == backup);
    let time = |p, generation| ready(p, generation).map(|c| c.last_transition_time);
    assert_eq!(time(&first, 1), time(&second, 2));

    // At rest nothing is written: what comes later is done, and all that was under way.
    cluster.create_probe("later").await;
    cluster
        .wait(&probes, "later", |p: &Probe| ready(p, 1).is_some())
        .await;
    manager.stop().await;
    let third = probes.get("a").await.unwrap();
    assert_eq!(second.resource_version(), third.resource_version());

    // A first success is no event; all writes are those of the operator.
    let events = cluster.api::<Event>().list(&ListParams::default()).await;
    assert_eq!(events.unwrap().items.len(), 0);
    assert_eq!(cluster.managers(&second), ["backup", "others", "test"]);
    cluster.delete().await;
}

async fn own(probe: Arc<Probe>, ctx: Arc<Context>) -> Result<Action, Failure> {
    let mut child = ConfigMap::default();
    child.metadata.name = Some(probe.name_any());
    child.data = Some([("text".into(), probe.spec.text.clone())].into());
    ctx.apply(&*probe, &child).await?;
    let beside: Api<ConfigMap> = ctx.api_beside(&*probe);
    beside.get(&probe.name_any()).await?;

    let mut foreign = child;
    foreign.metadata.namespace = Some("default".into());
    let refused = ctx.apply(&*probe, &foreign).await.unwrap_err();
    assert!(refused.to_string().contains("namespace of the child"));
    show(&probe, &ctx, Ok(Action::await_change())).await
}

async fn run_own(ctx: Arc<Context>) {
    let maps = ctx.watch(ctx.api::<ConfigMap>(), watcher::Config::default());
    ctx.run(ctx.controller::<Probe>().owns_stream(maps), own)
        .await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn children_are_owned() {
    let cluster = Cluster::new("children").await;
    let maps = cluster.api::<ConfigMap>();
    let manager = cluster.start(&[], [Runnable::namespaced("probe", run_own)]);
    let probe = cluster.create_probe("a").await;
    let text = |map: &ConfigMap| map.data.as_ref().and_then(|data| data.get("text").cloned());
    let map = cluster.wait(&maps, "a", |map| text(map).is_some()).await;
    assert_eq!(cluster.managers(&map), ["children"]);
    let owner = &map.owner_references()[0];
    assert_eq!(owner.controller, Some(true));
    assert_eq!(Some(&owner.uid), probe.metadata.uid.as_ref());

    cluster.set_text("a", "changed").await;
    let changed = |map: &ConfigMap| text(map).as_deref() == Some("changed");
    let before = cluster.wait(&maps, "a", changed).await;
    maps.delete("a", &DeleteParams::default()).await.unwrap();
    let back = |map: &ConfigMap| map.uid() != before.uid();
    cluster.wait(&maps, "a", back).await;
    manager.stop().await;
    cluster.delete().await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn an_object_that_is_gone_is_no_error() {
    let cluster = Cluster::new("gone").await;
    let outcomes = Arc::new(Mutex::new(Vec::new()));
    let seen = outcomes.clone();
    let delete = move |probe: Arc<Probe>, ctx: Arc<Context>| {
        let seen = seen.clone();
        async move {
            let probes = ctx.api::<Probe>();
            let params = DeleteParams::default();
            probes.delete(&probe.name_any(), &params).await?;
            let outcome = show(&probe, &ctx, Ok(Action::await_change())).await;
            seen.lock().unwrap().push(outcome.is_ok());
            outcome
        }
    };
    let run = move |ctx: Arc<Context>| {
        let delete = delete.clone();
        async move { ctx.run(ctx.controller::<Probe>(), delete).await }
    };
    let manager = cluster.start(&[], [Runnable::namespaced("probe", run)]);
    let count = || outcomes.lock().unwrap().len();
    cluster.create_probe("a").await;
    eventually(async || count() == 1).await;
    // Nothing comes after it but the next object.
    cluster.create_probe("b").await;
    eventually(async || count() == 2).await;
    manager.stop().await;
    assert_eq!(*outcomes.lock().unwrap(), [true, true]);
    cluster.delete().await;
}
