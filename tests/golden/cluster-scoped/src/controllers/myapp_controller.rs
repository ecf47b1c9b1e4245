//! Makes the cluster match each MyApp.
use crate::{Result, api::v1alpha1};
use kube::{
    Api,
    runtime::{controller::Action, watcher},
};
use rop_manager::{Context, Runnable, conditions, error_text};
use std::sync::Arc;

const NAME: &str = "myapp";

type Object = v1alpha1::MyApp;
type Status = v1alpha1::MyAppStatus;

pub(crate) fn runnable() -> Runnable {
    Runnable::cluster(NAME, run)
}

async fn run(ctx: Arc<Context>) {
    // What you own is watched with `.owns_stream(ctx.watch(configmaps, Default::default()))`, where
    // `let configmaps = ctx.api::<k8s_openapi::api::core::v1::ConfigMap>();`.
    let objects = Api::<Object>::all(ctx.client.clone());
    let controller = ctx.controller_of(objects, watcher::Config::default());
    ctx.run(controller, reconcile).await;
}

// +kubebuilder:rbac:groups=app.example.com,resources=myapps,verbs=list;watch
// +kubebuilder:rbac:groups=app.example.com,resources=myapps/status,verbs=patch
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

/// TODO: your logic. Bring the cluster to what `object.spec` asks for; it may run at any time.
///
/// Apply what it needs, and ask for the rights above `reconcile`; for this child it would be
/// `groups=core,resources=configmaps,verbs=create;list;patch;watch`:
///
/// ```text
/// let mut child = k8s_openapi::api::core::v1::ConfigMap::default();
/// child.metadata.name = object.metadata.name.clone();
/// child.metadata.namespace = Some("default".into());
/// child.data = Some([("foo".into(), "bar".into())].into());
/// ctx.apply(object, &child).await?;
/// ```
async fn ensure(_object: &Object, _ctx: &Context) -> Result<()> {
    Ok(())
}

/// The outcome as users see it. For a status that says more, return more from `ensure`.
fn status_of(object: &Object, outcome: &Result<()>) -> Status {
    let generation = object.metadata.generation;
    let (ready, reason, message) = match outcome {
        Ok(()) => (true, "Reconciled", "The cluster matches the spec".into()),
        Err(error) => (false, error.reason(), error_text(error)),
    };
    Status {
        observed_generation: generation,
        conditions: vec![conditions::new(
            "Ready", ready, generation, reason, &message,
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn object() -> Object {
        let mut object = Object::new("sample", Default::default());
        object.metadata.generation = Some(2);
        object
    }

    #[test]
    fn failures_are_shown() {
        let error = Error::from(kube::Error::TlsRequired);
        let status = status_of(&object(), &Err(error));
        assert_eq!(status.observed_generation, Some(2));
        let condition = &status.conditions[0];
        assert_eq!(condition.status, "False");
        assert_eq!(condition.reason, "ReconcileFailed");
        assert!(condition.message.contains("TLS required"));
        assert_eq!(condition.observed_generation, Some(2));
    }

    #[test]
    fn success_is_shown() {
        let condition = &status_of(&object(), &Ok(())).conditions[0];
        assert_eq!(condition.status, "True");
        assert_eq!(condition.reason, "Reconciled");
    }
}
