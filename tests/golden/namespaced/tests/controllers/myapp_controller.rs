use crate::support::TestEnv;
use k8s_openapi::api::events::v1::Event;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use serde_json::json;
use std::time::Duration;

use myapp_operator::api::v1alpha1;

type Object = v1alpha1::MyApp;

/// `Ready` is true, of the latest generation.
fn is_ready(object: &Object) -> bool {
    object.status.iter().any(|status| {
        let ready = status.conditions.iter().find(|c| c.type_ == "Ready");
        status.observed_generation == object.metadata.generation
            && ready.is_some_and(|c| c.status == "True")
    })
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn becomes_ready() {
    let env = TestEnv::start().await;
    let api = env.api();
    let name = "sample";

    // With the fields that your type asks for.
    let sample = Object::new(name, Default::default());
    api.create(&PostParams::default(), &sample).await.unwrap();
    env.wait(&api, name, is_ready).await;

    // A change of the spec is seen, too: of a field that your type and config/samples have.
    let patch = Patch::Merge(json!({"spec": {"foo": "changed"}}));
    api.patch(name, &PatchParams::default(), &patch)
        .await
        .unwrap();
    let seen = env.wait(&api, name, is_ready).await;
    assert_eq!(seen.metadata.generation, Some(2));

    // A first success is no event, and a controller at rest writes nothing.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let events = env.api::<Event>().list(&ListParams::default()).await;
    assert_eq!(events.unwrap().items.len(), 0);
    let now = api.get(name).await.unwrap();
    assert_eq!(
        now.metadata.resource_version,
        seen.metadata.resource_version
    );

    env.stop().await;
}
