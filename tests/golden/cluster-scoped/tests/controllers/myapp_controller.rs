use crate::support::TestEnv;
use k8s_openapi::api::events::v1::Event;
use kube::{
    Api,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
};
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
    let api = Api::all(env.client.clone());
    // All tests see the objects of a cluster-scoped kind: this name is of this run alone.
    let name = env.namespace.as_str();

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
    let about = ListParams::default().fields(&format!("regarding.name={name}"));
    let events = Api::<Event>::namespaced(env.client.clone(), "default");
    let events = events.list(&about).await;
    assert_eq!(events.unwrap().items.len(), 0);
    let now = api.get(name).await.unwrap();
    assert_eq!(
        now.metadata.resource_version,
        seen.metadata.resource_version
    );

    api.delete(name, &DeleteParams::default()).await.unwrap();

    env.stop().await;
}
