//! Watches that begin again after a failure, and say why they see nothing.
use crate::{Context, backoff, error_text, readiness::Wait};
use futures::{Stream, StreamExt, future};
use k8s_openapi::NamespaceResourceScope;
use kube::{
    Api, Resource,
    core::{PartialObjectMeta, Status},
    runtime::{
        Controller, WatchStreamExt, reflector,
        utils::Backoff,
        watcher::{self, Event, watcher},
    },
};
use serde::de::DeserializeOwned;
use std::{fmt::Debug, sync::atomic::Ordering, time::Duration};
use tokio::{task::JoinSet, time::sleep};

const FIRST: Duration = Duration::from_secs(1);
/// With the part that chance adds it is less than half a minute: nobody should have to wait long,
/// or restart the operator, after a CRD was installed or a right was granted.
const MAX: Duration = Duration::from_secs(20);
/// A watch that begins says nothing, one that is refused does: without a word for so long, it is on.
const SILENCE: Duration = Duration::from_secs(1);
/// The same after a refusal, since the next attempt may be this late.
const LONG_SILENCE: Duration = Duration::from_secs(31);

impl Context {
    /// A controller of the objects of [`Context::api`]; what it owns is added with
    /// [`Context::watch`].
    pub fn controller<K>(&self) -> Controller<K>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
        K: Clone + Debug + DeserializeOwned + Send + Sync + 'static,
    {
        self.controller_of(self.api(), watcher::Config::default())
    }

    /// The same for cluster-scoped kinds, and for some of the objects only.
    ///
    /// The cache leaves out `managedFields`, which would take most of the memory.
    pub fn controller_of<K>(&self, api: Api<K>, config: watcher::Config) -> Controller<K>
    where
        K: Resource<DynamicType = ()>,
        K: Clone + Debug + DeserializeOwned + Send + Sync + 'static,
    {
        let (reader, writer) = reflector::store();
        let backoff = self.backoff.clone();
        self.watch_tended.store(true, Ordering::Relaxed);
        let events = watcher(api, config)
            .modify(|object| object.meta_mut().managed_fields = None)
            .reflect(writer);
        let objects = self
            .tended(events, self.watching.clone())
            .applied_objects()
            .filter(move |event| {
                future::ready(event.as_ref().map_or(true, |object| backoff.admits(object)))
            });
        Controller::for_stream(objects, reader)
    }

    /// Watches objects of another kind, deletions included, for
    /// [`owns_stream`](Controller::owns_stream) and
    /// [`watches_stream`](Controller::watches_stream).
    ///
    /// The manager is not ready before it has listed them, and `/readyz` says what it lacks for
    /// that. Only metadata is asked for, which needs the verbs `list` and `watch`.
    ///
    /// [`Controller::owns`] does neither, and a failure of its watch would hold up the events of
    /// the whole controller.
    pub fn watch<K>(
        &self,
        api: Api<K>,
        config: watcher::Config,
    ) -> impl Stream<Item = watcher::Result<PartialObjectMeta<K>>> + Send + use<K>
    where
        K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + 'static,
    {
        let wait = format!("{} of {}", K::plural(&()), self.name);
        let wait = self.readiness.wait_for(&wait);
        #[expect(
            deprecated,
            reason = "what replaces it wants an `Api` that cannot be made of this one"
        )]
        let events = kube::runtime::metadata_watcher(api, config);
        self.tended(events, wait).touched_objects()
    }

    /// The events of a watch without its failures, which are logged, explained to those who
    /// wait for the first list, and followed by a pause.
    ///
    /// They must not reach the controller: it merges all watches, and would pause them all.
    fn tended<K, S>(
        &self,
        events: S,
        wait: Wait,
    ) -> impl Stream<Item = watcher::Result<Event<K>>> + Send + use<K, S>
    where
        K: Resource<DynamicType = ()> + Send,
        S: Stream<Item = watcher::Result<Event<K>>> + Send,
    {
        let controller = self.name.clone();
        let mut wait = Settling::new(wait);
        events
            // It comes before each attempt to list, and would end the back-off.
            .filter(|event| future::ready(!matches!(event, Ok(Event::Init))))
            .backoff(Delays::default())
            .filter(move |event| {
                match event {
                    Ok(Event::InitDone) => wait.listed(),
                    Ok(_) => {}
                    Err(error) => {
                        let error = explain::<K>(error);
                        tracing::warn!(controller, kind = %K::kind(&()), error, "watch failed");
                        wait.failed(&error);
                    }
                }
                future::ready(event.is_ok())
            })
    }
}

/// The wait for a list, and for the watch that follows it.
struct Settling {
    wait: Wait,
    listed: bool,
    /// Ends the wait, unless it is dropped before.
    silence: JoinSet<()>,
}

impl Settling {
    fn new(wait: Wait) -> Self {
        Self {
            wait,
            listed: false,
            silence: JoinSet::new(),
        }
    }

    fn listed(&mut self) {
        self.listed = true;
        self.done_after(SILENCE);
    }

    fn failed(&mut self, why: &str) {
        self.wait.explain(why);
        self.silence = JoinSet::new();
        if self.listed {
            self.done_after(LONG_SILENCE);
        }
    }

    fn done_after(&mut self, silence: Duration) {
        let wait = self.wait.clone();
        self.silence.spawn(async move {
            sleep(silence).await;
            wait.done();
        });
    }
}

/// Why a watch of `K` failed.
fn explain<K: Resource<DynamicType = ()>>(error: &watcher::Error) -> String {
    match answer(error) {
        // A list is never "not found" for want of objects, or of their namespace.
        Some(status) if status.code == 404 => {
            let (kind, version) = (K::plural(&()), K::version(&()));
            let kind = match &*K::group(&()) {
                "" => kind.into(),
                group => format!("{kind}.{group}"),
            };
            format!("the API server has no {kind}/{version}: is its CRD installed?")
        }
        Some(status) if !status.message.is_empty() => status.message.clone(),
        _ => error_text(error),
    }
}

/// What the API server said, if it was that.
fn answer(error: &watcher::Error) -> Option<&Status> {
    match error {
        watcher::Error::WatchError(status)
        | watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status))
        | watcher::Error::WatchFailed(kube::Error::Api(status)) => Some(status),
        _ => None,
    }
}

/// The pauses after failures in a row.
#[derive(Default)]
struct Delays {
    failures: u32,
}

impl Iterator for Delays {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let delay = backoff::delay(FIRST, MAX, self.failures);
        self.failures = self.failures.saturating_add(1);
        Some(delay)
    }
}

impl Backoff for Delays {
    fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CancellationToken, Runnable, fake::Server};
    use axum::http::Method;
    use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
    use kube::runtime::controller::Action;
    use std::{convert::Infallible, sync::Arc};

    fn failure(code: u16, message: &str) -> watcher::Error {
        let status = Status::failure(message, "").with_code(code);
        watcher::Error::InitialListFailed(kube::Error::Api(status.boxed()))
    }

    #[test]
    fn failures_are_explained() {
        let missing = failure(404, "404 page not found");
        assert_eq!(
            explain::<Deployment>(&missing),
            "the API server has no deployments.apps/v1: is its CRD installed?"
        );
        assert!(explain::<ConfigMap>(&missing).contains(" no configmaps/v1:"));
        let forbidden = failure(403, "configmaps is forbidden");
        assert_eq!(explain::<ConfigMap>(&forbidden), "configmaps is forbidden");
        let other = watcher::Error::InitialListFailed(kube::Error::TlsRequired);
        assert!(explain::<ConfigMap>(&other).contains("TLS required"));
    }

    #[test]
    fn pauses_grow_to_less_than_half_a_minute() {
        let mut delays = Delays::default();
        assert!(delays.next() < Some(FIRST * 2));
        let longest = delays.by_ref().take(100).max();
        assert!(Some(MAX) <= longest && longest < Some(Duration::from_secs(30)));
        delays.reset();
        assert!(delays.next() < Some(FIRST * 2));
    }

    async fn run(ctx: Arc<Context>) {
        let idle = async |_, _| Ok::<_, Infallible>(Action::await_change());
        ctx.run(ctx.controller::<Deployment>(), idle).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_that_fails_begins_again_by_itself() {
        let server = Server::new();
        server.refuse(true);
        let manager = server.manager(vec![Runnable::namespaced("idle", run)]);
        let readiness = manager.readiness.clone();
        tokio::spawn(manager.run(CancellationToken::new()));
        sleep(Duration::from_secs(120)).await;
        let why = "waiting for: idle: refused";
        assert_eq!(readiness.check(), Err(why.into()));
        // Ever later: the first five pauses make half a minute.
        let lists = server.requests(&Method::GET);
        assert!(lists.len() < 14, "{} lists", lists.len());

        server.refuse(false);
        sleep(Duration::from_secs(30)).await;
        assert_eq!(readiness.check(), Ok(()));
        server.refuse(true);
        sleep(Duration::from_secs(600)).await;
        assert_eq!(readiness.check(), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_list_without_a_watch_is_not_enough() {
        let server = Server::new();
        server.refuse_watches(true);
        let manager = server.manager(vec![Runnable::namespaced("idle", run)]);
        let readiness = manager.readiness.clone();
        tokio::spawn(manager.run(CancellationToken::new()));
        for _ in 0..120 {
            sleep(Duration::from_secs(1)).await;
            let waits = readiness.check().unwrap_err();
            assert_eq!(waits, "waiting for: idle: refused");
        }

        server.refuse_watches(false);
        sleep(Duration::from_secs(62)).await;
        assert_eq!(readiness.check(), Ok(()));
    }
}
