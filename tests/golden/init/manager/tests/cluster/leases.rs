//! Leader election.
use crate::{
    kinds::Probe,
    run_succeed,
    support::{Cluster, LEASE},
};
use k8s_openapi::api::coordination::v1::Lease;
use kube::{
    Api,
    api::{Patch, PatchParams},
};
use rop_manager::Runnable;
use serde_json::json;

fn holder(lease: &Lease) -> Option<String> {
    lease.spec.as_ref()?.holder_identity.clone()
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn the_lease_is_taken_and_released() {
    let cluster = Cluster::new("lease").await;
    let leases: Api<Lease> = cluster.api();
    let args = [
        "--leader-elect".to_string(),
        format!("--leader-election-namespace={}", cluster.namespace),
    ];
    let manager = cluster.start(&args, [Runnable::namespaced("probe", run_succeed)]);
    let held = |lease: &Lease| holder(lease).is_some_and(|holder| holder.starts_with("lease_"));
    let lease = cluster.wait(&leases, LEASE, held).await;
    assert_eq!(cluster.managers(&lease), ["lease"]);
    manager.stop().await;
    let lease = leases.get(LEASE).await.unwrap();
    assert_eq!(holder(&lease).as_deref(), Some(""));

    // One that is held for an hour is waited for, though the renewals have stopped.
    let spec = json!({"spec": {"holderIdentity": "other", "leaseDurationSeconds": 3600}});
    let params = PatchParams::default();
    let patch = Patch::Merge(&spec);
    leases.patch(LEASE, &params, &patch).await.unwrap();
    let manager = cluster.start(&args, [Runnable::namespaced("probe", run_succeed)]);
    // A replica is ready when it stands by.
    manager.until_ready().await;
    manager.stop().await;
    let lease = leases.get(LEASE).await.unwrap();
    assert_eq!(holder(&lease).as_deref(), Some("other"));
    cluster.delete().await;
}

#[tokio::test]
#[ignore = "needs an API server"]
async fn a_lease_that_cannot_be_had_is_named_and_does_not_hold_up_the_end() {
    let cluster = Cluster::new("nolease").await;
    let args = [
        "--leader-elect".to_string(),
        "--leader-election-namespace=does-not-exist".to_string(),
    ];
    let manager = cluster.start(&args, [Runnable::namespaced("probe", run_succeed)]);
    cluster.create_probe("a").await;
    let why = format!("could not get the lease {LEASE}: namespaces \"does-not-exist\" not found");
    manager.until_missing(&why).await;
    manager.stop().await;
    let probe = cluster.api::<Probe>().get("a").await.unwrap();
    assert_eq!(probe.status, None);
    cluster.delete().await;
}
