//! An API server in memory, for tests whose clock is paused: it needs no sockets, on which such a
//! clock does not wait.
use crate::{Manager, Operator, Options, Runnable};
use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use clap::Parser;
use futures::{StreamExt, stream};
use kube::{Client, ResourceExt};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard},
};
use tokio::{sync::broadcast, time::Instant};

#[derive(Clone)]
pub(crate) struct Server(Arc<Mutex<State>>);

struct State {
    /// By path.
    objects: BTreeMap<String, Value>,
    version: u64,
    requests: Vec<(Method, Instant)>,
    refuses: bool,
    refuses_watches: bool,
    changes: broadcast::Sender<Value>,
}

impl Server {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            objects: BTreeMap::new(),
            version: 0,
            requests: Vec::new(),
            refuses: false,
            refuses_watches: false,
            changes: broadcast::Sender::new(16),
        })))
    }

    /// A manager of this server that serves nothing over HTTP.
    pub(crate) fn manager(&self, runnables: Vec<Runnable>) -> Manager {
        let server = self.clone();
        let answer = move |request| server.clone().answer(request);
        let client = Client::new(Router::new().fallback(answer), "default");
        let operator = Operator {
            name: "fake",
            domain: "rop.dev",
            lease: "lease",
        };
        let options = Options::parse_from(["fake", "--health-probe-bind-address=0"]);
        Manager::new(operator, client, options, runnables)
    }

    /// Creates or changes an object of the collection at a path.
    pub(crate) fn set(&self, collection: &str, object: &(impl ResourceExt + Serialize)) {
        let path = format!("{collection}/{}", object.name_any());
        self.state().store(path, json!(object));
    }

    /// The object at a path.
    pub(crate) fn get(&self, path: &str) -> Value {
        self.state().objects[path].clone()
    }

    /// When there was a request, refused ones included.
    pub(crate) fn requests(&self, method: &Method) -> Vec<Instant> {
        let state = self.state();
        let requests = state.requests.iter().filter(|(m, _)| m == method);
        requests.map(|(_, time)| *time).collect()
    }

    /// Whether it refuses all requests from now on.
    pub(crate) fn refuse(&self, all: bool) {
        self.state().refuses = all;
    }

    /// Whether it refuses all watches from now on.
    pub(crate) fn refuse_watches(&self, all: bool) {
        self.state().refuses_watches = all;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    async fn answer(self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let query = parts.uri.query().unwrap_or_default();
        let path = parts.uri.path();
        let mut state = self.state();
        state.requests.push((parts.method.clone(), Instant::now()));
        let watches = parts.method == Method::GET && query.contains("watch=true");
        if state.refuses || state.refuses_watches && watches {
            return (StatusCode::INTERNAL_SERVER_ERROR, "refused").into_response();
        }
        match parts.method {
            Method::GET if watches => state.watch(),
            Method::GET => state.read(path),
            _ => state.write(path, &body),
        }
    }
}

impl State {
    fn store(&mut self, path: String, mut object: Value) -> Value {
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.objects.insert(path, object.clone());
        // There need not be a watch.
        let _ = self.changes.send(object.clone());
        object
    }

    /// An object, or a list where there is none.
    fn read(&self, path: &str) -> Response {
        if let Some(object) = self.objects.get(path) {
            return object.to_string().into_response();
        }
        let of = format!("{path}/");
        let items = self
            .objects
            .iter()
            .filter(|(path, _)| path.starts_with(&of));
        let items: Vec<_> = items.map(|(_, object)| object).collect();
        let version = self.version.to_string();
        json!({"metadata": {"resourceVersion": version}, "items": items})
            .to_string()
            .into_response()
    }

    /// All changes from now on.
    fn watch(&self) -> Response {
        let changes = stream::unfold(self.changes.subscribe(), async |mut changes| {
            let object = changes.recv().await.ok()?;
            let event = json!({"type": "MODIFIED", "object": object});
            Some((Ok::<_, Infallible>(format!("{event}\n")), changes))
        });
        Body::from_stream(changes.boxed()).into_response()
    }

    fn write(&mut self, path: &str, body: &Bytes) -> Response {
        let object = serde_json::from_slice(body).unwrap();
        self.store(path.into(), object).to_string().into_response()
    }
}
