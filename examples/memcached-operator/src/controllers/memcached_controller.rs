//! Makes the cluster match each Memcached.
use crate::{Error, Result, api::v1alpha1};
use k8s_openapi::api::{
    apps::v1::{Deployment, DeploymentStatus},
    core::v1::ConfigMap,
};
use kube::{
    Api, ResourceExt,
    runtime::{
        controller::Action,
        reflector::{ObjectRef, Store},
        watcher,
    },
};
use rop_manager::{Context, Runnable, conditions, error_text};
use std::{num::NonZeroU32, sync::Arc};

mod deployment;

const NAME: &str = "memcached";

type Object = v1alpha1::Memcached;
type Status = v1alpha1::MemcachedStatus;

pub(crate) fn runnable() -> Runnable {
    Runnable::namespaced(NAME, run)
}

async fn run(ctx: Arc<Context>) {
    let controller = ctx.controller::<Object>();
    let objects = controller.store();
    let deployments = ctx.watch(ctx.api::<Deployment>(), watcher::Config::default());
    let config_maps = ctx.watch(ctx.api::<ConfigMap>(), watcher::Config::default());
    let controller = controller
        .owns_stream(deployments)
        .watches_stream(config_maps, move |config_map| users(&objects, &config_map));
    ctx.run(controller, reconcile).await;
}

/// The objects that get their settings from a ConfigMap.
fn users(objects: &Store<Object>, config_map: &impl ResourceExt) -> Vec<ObjectRef<Object>> {
    let uses = |object: &Object| {
        let settings = object.spec.settings.as_ref();
        object.namespace() == config_map.namespace()
            && settings.is_some_and(|settings| settings.config_map == config_map.name_any())
    };
    let all = objects.state();
    let users = all.iter().filter(|object| uses(object));
    users.map(|object| ObjectRef::from_obj(&**object)).collect()
}

// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=list;watch
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create

/// Runs after each change of an object, each start of the manager and each failure.
async fn reconcile(object: Arc<Object>, ctx: Arc<Context>) -> Result<Action> {
    if object.metadata.deletion_timestamp.is_some() {
        // What it owns is being deleted, too.
        return Ok(Action::await_change());
    }
    let outcome = ensure(&object, &ctx).await;
    let status = status_of(&object, &outcome);
    // What is watched starts it again; `Action::requeue` does so after a time, too.
    let outcome = outcome.map(|_| Action::await_change());
    ctx.report(&*object, &status, outcome).await
}

/// Brings the cluster to what `object.spec` asks for, and returns the Deployment as it is now.
async fn ensure(object: &Object, ctx: &Context) -> Result<Deployment> {
    let memory_limit = match &object.spec.settings {
        Some(settings) => {
            let config_maps: Api<ConfigMap> = ctx.api_beside(object);
            let config_map = config_maps.get_opt(&settings.config_map).await?;
            Some(memory_limit(&settings.config_map, config_map)?)
        }
        None => None,
    };
    let deployment = deployment::new(object, memory_limit);
    Ok(ctx.apply(object, &deployment).await?)
}

/// The megabytes that a ConfigMap of settings says.
fn memory_limit(name: &str, config_map: Option<ConfigMap>) -> Result<NonZeroU32> {
    let config_map = config_map.ok_or_else(|| Error::SettingsNotFound(name.into()))?;
    let data = config_map.data.unwrap_or_default();
    let text = data.get("memoryLimit");
    let text = text.ok_or_else(|| Error::NoMemoryLimit(name.into()))?;
    let number = text.trim().parse();
    number.map_err(|source| Error::BadMemoryLimit(name.into(), source))
}

/// The outcome as users see it.
fn status_of(object: &Object, outcome: &Result<Deployment>) -> Status {
    let generation = object.metadata.generation;
    let shown = object.status.as_ref();
    let (available, (ready, reason, message)) = match outcome {
        Ok(deployment) => {
            let status = deployment.status.as_ref();
            (
                Some(status.and_then(|s| s.available_replicas).unwrap_or(0)),
                progress(deployment, object.spec.size),
            )
        }
        // The servers of before go on.
        Err(error) => (
            shown.and_then(|status| status.available_replicas),
            (false, error.reason(), error_text(error)),
        ),
    };
    Status {
        observed_generation: generation,
        available_replicas: available,
        conditions: vec![conditions::new(
            "Ready", ready, generation, reason, &message,
        )],
    }
}

/// Whether all servers of a Deployment, and no older ones, are available; why, and in words.
fn progress(deployment: &Deployment, size: i32) -> (bool, &'static str, String) {
    let default = DeploymentStatus::default();
    let status = deployment.status.as_ref().unwrap_or(&default);
    let counts = [
        status.replicas,
        status.updated_replicas,
        status.available_replicas,
    ];
    let current = status.observed_generation == deployment.metadata.generation;
    match current && counts.iter().all(|count| *count == Some(size)) {
        true => (true, "Available", "All servers are available".into()),
        false => {
            let available = status.available_replicas.unwrap_or(0);
            let message = format!("{available} of {size} servers are available");
            (false, "Progressing", message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::runtime::{reflector, watcher::Event};
    use serde_json::json;

    fn object(name: &str, spec: serde_json::Value) -> Object {
        let mut object = Object::new(name, serde_json::from_value(spec).unwrap());
        object.metadata.namespace = Some("default".into());
        object.metadata.generation = Some(2);
        object
    }

    fn config_map(name: &str, key: &str, text: &str) -> ConfigMap {
        let mut config_map = ConfigMap {
            data: Some([(key.into(), text.into())].into()),
            ..ConfigMap::default()
        };
        config_map.metadata.name = Some(name.into());
        config_map.metadata.namespace = Some("default".into());
        config_map
    }

    /// A Deployment as the API server gives it back.
    fn applied(generation: i64, status: serde_json::Value) -> Deployment {
        let mut deployment = deployment::new(&object("sample", json!({})), None);
        deployment.metadata.generation = Some(generation);
        deployment.status = Some(serde_json::from_value(status).unwrap());
        deployment
    }

    #[test]
    fn the_memory_limit_is_a_number_in_the_config_map() {
        let read = |key, text| memory_limit("settings", Some(config_map("settings", key, text)));
        assert_eq!(read("memoryLimit", "64\n").unwrap().get(), 64);
        let refused = [
            (
                memory_limit("settings", None),
                "SettingsNotFound",
                "the ConfigMap settings does not exist",
            ),
            (
                read("memory", "64"),
                "SettingsInvalid",
                "the ConfigMap settings has no key memoryLimit",
            ),
            (
                read("memoryLimit", "0"),
                "SettingsInvalid",
                "memoryLimit in the ConfigMap settings is not a number of megabytes: \
                 number would be zero for non-zero type",
            ),
        ];
        for (outcome, reason, message) in refused {
            let error = outcome.unwrap_err();
            assert_eq!(error.reason(), reason);
            assert_eq!(error_text(&error), message);
        }
    }

    #[test]
    fn ready_when_all_servers_are_available_and_no_old_ones_left() {
        let counts = |replicas, updated, available| {
            json!({"observedGeneration": 2, "replicas": replicas, "updatedReplicas": updated,
                   "availableReplicas": available})
        };
        let ready = |status| progress(&applied(2, status), 2);
        assert!(ready(counts(2, 2, 2)).0);
        assert!(!ready(counts(3, 2, 2)).0);
        assert!(!ready(counts(2, 1, 2)).0);
        let (is_ready, reason, message) = ready(counts(2, 2, 1));
        assert!(!is_ready);
        assert_eq!(reason, "Progressing");
        assert_eq!(message, "1 of 2 servers are available");
        // The status is that of an older Deployment.
        assert!(!progress(&applied(3, counts(2, 2, 2)), 2).0);
    }

    #[test]
    fn a_failure_keeps_the_number_of_servers() {
        let mut object = object("sample", json!({}));
        object.status = Some(Status {
            available_replicas: Some(1),
            ..Status::default()
        });
        let error = Error::SettingsNotFound("settings".into());
        let status = status_of(&object, &Err(error));
        assert_eq!(status.observed_generation, Some(2));
        assert_eq!(status.available_replicas, Some(1));
        let condition = &status.conditions[0];
        assert_eq!(condition.status, "False");
        assert_eq!(condition.reason, "SettingsNotFound");
    }

    #[test]
    fn a_config_map_concerns_those_that_name_it() {
        let (objects, mut writer) = reflector::store();
        let settings = |name: &str| json!({"settings": {"configMap": name}});
        for object in [
            object("one", settings("mine")),
            object("other", settings("theirs")),
            object("none", json!({})),
        ] {
            writer.apply_watcher_event(&Event::Apply(object));
        }
        let names = |config_map: &ConfigMap| -> Vec<_> {
            let users = users(&objects, config_map).into_iter();
            users.map(|object| object.name).collect()
        };
        let mut mine = config_map("mine", "memoryLimit", "64");
        assert_eq!(names(&mine), ["one"]);
        mine.metadata.namespace = Some("elsewhere".into());
        assert!(names(&mine).is_empty());
    }
}
