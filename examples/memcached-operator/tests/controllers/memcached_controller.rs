use crate::support::TestEnv;
use k8s_openapi::api::{
    apps::v1::Deployment,
    core::v1::{ConfigMap, Namespace, Pod, ServiceAccount},
    events::v1::Event,
};
use kube::{
    Api, Resource, ResourceExt,
    api::{
        ApiResource, DeleteParams, DynamicObject, ListParams, ObjectMeta, Patch, PatchParams,
        PostParams,
    },
};
use serde_json::{Value, json};
use std::time::Duration;

use memcached_operator::api::v1alpha1;

type Object = v1alpha1::Memcached;

const NAME: &str = "sample";

fn memcached(spec: Value) -> Object {
    Object::new(NAME, serde_json::from_value(spec).unwrap())
}

async fn create(env: &TestEnv, spec: Value) -> Object {
    let objects = env.api();
    objects
        .create(&PostParams::default(), &memcached(spec))
        .await
        .unwrap()
}

/// The status, reason and message of `Ready`, of the latest generation.
fn ready(object: &Object) -> Option<(&str, &str, &str)> {
    let status = object.status.as_ref()?;
    let ready = status.conditions.iter().find(|c| c.type_ == "Ready")?;
    let current = status.observed_generation == object.metadata.generation;
    current.then_some((&ready.status, &ready.reason, &ready.message))
}

fn is_available(object: &Object) -> bool {
    ready(object) == Some(("True", "Available", "All servers are available"))
}

/// Plays Kubernetes' own controllers and the kubelet, which are not there: the servers run.
async fn run_servers(env: &TestEnv) {
    let deployments = env.api::<Deployment>();
    let deployment = deployments.get(NAME).await.unwrap();
    let size = deployment.spec.replicas;
    let status = json!({"status": {
        "observedGeneration": deployment.metadata.generation,
        "replicas": size,
        "updatedReplicas": size,
        "readyReplicas": size,
        "availableReplicas": size,
    }});
    let patch = Patch::Merge(status);
    deployments
        .patch_status(NAME, &PatchParams::default(), &patch)
        .await
        .unwrap();
}

async fn merge<K>(env: &TestEnv, patch: Value)
where
    K: Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>,
    K: Clone + std::fmt::Debug + serde::de::DeserializeOwned,
{
    let objects = env.api::<K>();
    objects
        .patch(NAME, &PatchParams::default(), &Patch::Merge(patch))
        .await
        .unwrap();
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn becomes_ready() {
    let env = TestEnv::start().await;
    let created = create(&env, json!({"size": 2})).await;
    let objects = env.api::<Object>();
    let deployments = env.api::<Deployment>();

    let waiting = ("False", "Progressing", "0 of 2 servers are available");
    env.wait(&objects, NAME, |o| ready(o) == Some(waiting))
        .await;
    let deployment = deployments.get(NAME).await.unwrap();
    assert_eq!(deployment.spec.replicas, Some(2));
    let owners = deployment.owner_references();
    assert_eq!(owners.len(), 1);
    assert_eq!(Some(&owners[0].uid), created.uid().as_ref());

    run_servers(&env).await;
    let seen = env.wait(&objects, NAME, is_available).await;
    assert_eq!(seen.status.as_ref().unwrap().available_replicas, Some(2));

    // A controller at rest writes nothing.
    let deployment = deployments.get(NAME).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let now = objects.get(NAME).await.unwrap();
    assert_eq!(now.resource_version(), seen.resource_version());
    let now = deployments.get(NAME).await.unwrap();
    assert_eq!(now.resource_version(), deployment.resource_version());

    env.stop().await;
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn follows_a_change_of_the_size() {
    let env = TestEnv::start().await;
    create(&env, json!({"size": 1})).await;
    let objects = env.api::<Object>();
    let deployments = env.api::<Deployment>();
    env.wait(&deployments, NAME, |_| true).await;
    run_servers(&env).await;
    env.wait(&objects, NAME, is_available).await;

    merge::<Object>(&env, json!({"spec": {"size": 3}})).await;
    let waiting = ("False", "Progressing", "1 of 3 servers are available");
    env.wait(&objects, NAME, |o| ready(o) == Some(waiting))
        .await;
    let deployment = deployments.get(NAME).await.unwrap();
    assert_eq!(deployment.spec.replicas, Some(3));
    run_servers(&env).await;
    let seen = env.wait(&objects, NAME, is_available).await;
    assert_eq!(seen.status.unwrap().available_replicas, Some(3));

    env.stop().await;
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn keeps_its_deployment_as_it_should_be() {
    let env = TestEnv::start().await;
    create(&env, json!({"size": 2})).await;
    let deployments = env.api::<Deployment>();
    let first = env.wait(&deployments, NAME, |_| true).await;

    deployments
        .delete(NAME, &DeleteParams::default())
        .await
        .unwrap();
    let again = |d: &Deployment| d.uid() != first.uid();
    env.wait(&deployments, NAME, again).await;

    // What others say of it stays; what the operator says, it says again.
    let theirs = json!({"metadata": {"annotations": {"team": "a"}}, "spec": {"replicas": 5}});
    merge::<Deployment>(&env, theirs).await;
    let put_back = |d: &Deployment| d.spec.replicas == Some(2);
    let seen = env.wait(&deployments, NAME, put_back).await;
    assert_eq!(seen.annotations()["team"], "a");

    env.stop().await;
}

/// Writes the ConfigMap of settings.
async fn set(env: &TestEnv, data: Value) {
    let config_map = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings"},
        "data": data,
    });
    let config_maps = env.api::<ConfigMap>();
    let params = PatchParams::apply("test");
    config_maps
        .patch("settings", &params, &Patch::Apply(config_map))
        .await
        .unwrap();
}

/// Waits for the first event of this reason.
async fn event(env: &TestEnv, reason: &str) -> Event {
    let events = env.api::<Event>();
    let find = async {
        loop {
            let all = events.list(&ListParams::default()).await.unwrap();
            let found = all
                .into_iter()
                .find(|e| e.reason.as_deref() == Some(reason));
            match found {
                Some(event) => return event,
                None => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    };
    let found = tokio::time::timeout(Duration::from_secs(20), find).await;
    found.expect("there was an event in time")
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn waits_for_its_settings() {
    let env = TestEnv::start().await;
    create(&env, json!({"settings": {"configMap": "settings"}})).await;
    let objects = env.api::<Object>();
    let deployments = env.api::<Deployment>();

    let missing = "the ConfigMap settings does not exist";
    let failed = ("False", "SettingsNotFound", missing);
    env.wait(&objects, NAME, |o| ready(o) == Some(failed)).await;
    let event = event(&env, "SettingsNotFound").await;
    assert_eq!(event.type_.as_deref(), Some("Warning"));
    assert_eq!(event.note.as_deref(), Some(missing));
    assert!(deployments.get_opt(NAME).await.unwrap().is_none());

    // Each failure doubles the back-off: after ten, it lasts longer than `wait` waits. That each
    // change is seen, and then that all is well, is due to the watch.
    let invalid = |object: &Object, text: &str| {
        let is = ready(object);
        is.is_some_and(|(_, reason, message)| reason == "SettingsInvalid" && message.contains(text))
    };
    for _ in 0..5 {
        set(&env, json!({"memoryLimit": "much"})).await;
        let told = |o: &Object| invalid(o, "is not a number");
        env.wait(&objects, NAME, told).await;
        set(&env, json!({})).await;
        let told = |o: &Object| invalid(o, "has no key memoryLimit");
        env.wait(&objects, NAME, told).await;
    }
    let args = |limit: &str| {
        let args = Some(vec![format!("--memory-limit={limit}")]);
        move |deployment: &Deployment| {
            let pod = deployment.spec.template.spec.as_ref();
            pod.is_some_and(|pod| pod.containers[0].args == args)
        }
    };
    set(&env, json!({"memoryLimit": "64"})).await;
    env.wait(&deployments, NAME, args("64")).await;
    run_servers(&env).await;
    env.wait(&objects, NAME, is_available).await;
    set(&env, json!({"memoryLimit": "128"})).await;
    env.wait(&deployments, NAME, args("128")).await;

    env.stop().await;
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn the_api_server_refuses_what_makes_no_sense() {
    let env = TestEnv::start().await;
    let objects = env.api::<Object>();
    let long = "n".repeat(64);
    let refused = [
        (NAME, json!({"size": 0}), "spec.size"),
        (NAME, json!({"size": 6}), "spec.size"),
        (
            NAME,
            json!({"image": "memcached"}),
            "neither tag nor digest",
        ),
        (
            NAME,
            json!({"image": "host:5000/memcached"}),
            "neither tag nor digest",
        ),
        (
            NAME,
            json!({"settings": {"configMap": ""}}),
            "spec.settings.configMap",
        ),
        (
            NAME,
            json!({"settings": {"configMap": "../secrets/other"}}),
            "spec.settings.configMap",
        ),
        (&long, json!({}), "more than 63 characters"),
    ];
    for (name, spec, why) in refused {
        let object = Object::new(name, serde_json::from_value(spec).unwrap());
        let created = objects.create(&PostParams::default(), &object).await;
        let Err(kube::Error::Api(answer)) = created else {
            panic!("{why}: {created:?}");
        };
        assert_eq!(answer.code, 422);
        assert!(answer.message.contains(why), "{}", answer.message);
    }
    let image = "host:5000/memcached@sha256:0000";
    create(&env, json!({"size": 5, "image": image})).await;

    env.stop().await;
}

/// Those of the type as `rop create api` made it: `foo` was its only field.
#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn objects_of_the_first_type_still_work() {
    let env = TestEnv::start().await;
    let kind = ApiResource::erase::<Object>(&());
    let old = DynamicObject::new(NAME, &kind).data(json!({"spec": {"foo": "bar"}}));
    let objects: Api<DynamicObject> =
        Api::namespaced_with(env.client.clone(), &env.namespace, &kind);
    objects.create(&PostParams::default(), &old).await.unwrap();

    let deployment = env.wait(&env.api::<Deployment>(), NAME, |_| true).await;
    assert_eq!(deployment.spec.replicas, Some(1));
    run_servers(&env).await;
    env.wait(&env.api(), NAME, is_available).await;

    env.stop().await;
}

#[tokio::test]
#[ignore = "needs an API server: run `make test`"]
async fn its_pods_are_restricted() {
    let env = TestEnv::start().await;
    create(&env, json!({"size": 1})).await;
    let deployment = env.wait(&env.api::<Deployment>(), NAME, |_| true).await;

    let enforce = json!({"metadata": {"labels": {
        "pod-security.kubernetes.io/enforce": "restricted",
    }}});
    let namespaces = Api::<Namespace>::all(env.client.clone());
    let params = PatchParams::default();
    namespaces
        .patch(&env.namespace, &params, &Patch::Merge(enforce))
        .await
        .unwrap();
    // Every namespace has it, once Kubernetes' own controllers run.
    let mut account = ServiceAccount::default();
    account.metadata.name = Some("default".into());
    let accounts = env.api::<ServiceAccount>();
    accounts
        .create(&PostParams::default(), &account)
        .await
        .unwrap();

    let pod = Pod {
        metadata: ObjectMeta {
            name: Some(NAME.into()),
            ..ObjectMeta::default()
        },
        spec: deployment.spec.template.spec,
        ..Pod::default()
    };
    let dry_run = PostParams {
        dry_run: true,
        ..PostParams::default()
    };
    let pods = env.api::<Pod>();
    pods.create(&dry_run, &pod).await.unwrap();
    let mut other = pod;
    other.spec.as_mut().unwrap().security_context = None;
    let refused = pods.create(&dry_run, &other).await.unwrap_err();
    assert!(refused.to_string().contains("restricted"), "{refused}");

    env.stop().await;
}
