//! Asks an API server whether it would take objects.
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{Request, Status};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::admin::{Admin, block_on};
use super::{ControlPlane, Options};
use crate::error::{Error, ErrorKind, Result};

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const FIELD_MANAGER: &str = "rop-verify";
/// For thousands of CRDs, too.
const LIMIT: Duration = Duration::from_secs(300);
/// The server judges a CRD with all its cores, but waits between two.
const AT_ONCE: usize = 8;
const POLL: Duration = Duration::from_millis(50);

/// The signal that came, if one did.
pub type Interrupted<'a> = &'a dyn Fn() -> Option<i32>;

/// Why the API server would not take an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The fields, as the server names them, each with what is wrong; the field is empty where it names none.
    pub causes: Vec<(String, String)>,
}

/// A cluster of the user's, to ask and not to change.
pub struct Cluster {
    admin: Admin,
    name: String,
}

impl Cluster {
    /// The cluster of a context. `kubeconfig` is the file, if not the usual one; `context` is that in it, if not its
    /// current one. One of them has to be given: a cluster is named, never implied.
    ///
    /// # Errors
    /// Neither is given, the file cannot be read, or has no such context.
    pub fn named(kubeconfig: Option<&Path>, context: Option<&str>) -> Result<Self> {
        let (file, shown) = match (kubeconfig, context) {
            (Some(path), _) => (Kubeconfig::read_from(path), path.display().to_string()),
            (None, Some(_)) => (Kubeconfig::read(), "the kubeconfig".to_owned()),
            (None, None) => return Err(Error::internal("no cluster is named")),
        };
        let file = file.with_context(|| format!("cannot read {shown}"))?;
        let context = context
            .map(str::to_owned)
            .or_else(|| file.current_context.clone());
        let name = context.filter(|name| !name.is_empty()).ok_or_else(|| {
            Error::failed(format!("{shown} has no current context")).hint("give --context")
        })?;
        if !file.contexts.iter().any(|other| other.name == name) {
            let all: Vec<_> = file
                .contexts
                .iter()
                .map(|context| context.name.as_str())
                .collect();
            let has = format!("it has {}", all.join(", "));
            return Err(Error::failed(format!("{shown} has no context `{name}`")).hint(has));
        }
        let options = KubeConfigOptions {
            context: Some(name.clone()),
            ..KubeConfigOptions::default()
        };
        let config = block_on(kube::Config::from_custom_kubeconfig(file, &options))?;
        let config =
            config.with_context(|| format!("cannot use the context `{name}` of {shown}"))?;
        let admin = Admin::of(config);
        Ok(Self { admin, name })
    }

    /// What messages call it.
    pub fn title(&self) -> String {
        format!("the cluster of the context `{}`", self.name)
    }

    /// What the API server says to each of these CRDs; nothing is changed.
    ///
    /// # Errors
    /// The server cannot be reached, or does not answer what it is asked.
    pub fn refusals(
        &self,
        crds: &[Value],
        interrupted: Interrupted<'_>,
    ) -> Result<Vec<Option<Refusal>>> {
        refusals(&self.admin, crds, interrupted).map_err(|error| match error.kind() {
            ErrorKind::Interrupted(_) => error,
            _ => {
                let what = format!("{} cannot be asked", self.title());
                Error::from(anyhow::Error::new(error).context(what)).hint(
                    "see whether `kubectl version` answers with the same --kubeconfig and \
                     --context; without both, --verify asks a control plane of its own",
                )
            }
        })
    }
}

impl ControlPlane {
    /// Starts as [`ControlPlane::start`] does, unless a signal comes: the servers end with this process.
    ///
    /// # Errors
    /// As [`ControlPlane::start`], and [`ErrorKind::Interrupted`].
    pub fn start_unless(options: Options, interrupted: Interrupted<'_>) -> Result<Self> {
        let (sender, started) = mpsc::channel();
        thread::spawn(move || drop(sender.send(Self::start(&options))));
        loop {
            match started.recv_timeout(POLL) {
                Ok(started) => return started,
                Err(RecvTimeoutError::Timeout) => unless(interrupted)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::internal("the control plane was not started"));
                }
            }
        }
    }
}

fn unless(interrupted: Interrupted<'_>) -> Result<()> {
    interrupted().map_or(Ok(()), |signal| Err(Error::interrupted(signal)))
}

/// What the API server says to each of these CRDs.
pub(super) fn refusals(
    admin: &Admin,
    crds: &[Value],
    interrupted: Interrupted<'_>,
) -> Result<Vec<Option<Refusal>>> {
    admin.run("judge the CRDs", LIMIT, async |client| {
        let mut workers = JoinSet::new();
        for first in 0..AT_ONCE.min(crds.len()) {
            let crds = crds.iter().cloned().enumerate();
            let own: Vec<_> = crds.skip(first).step_by(AT_ONCE).collect();
            let client = client.clone();
            workers.spawn(async move { judge_all(&client, own).await });
        }
        let mut all = vec![None; crds.len()];
        loop {
            match timeout(POLL, workers.join_next()).await {
                Err(_) => unless(interrupted)?,
                Ok(None) => return Ok(all),
                Ok(Some(done)) => {
                    for (index, refusal) in done.context("a worker was lost")?? {
                        all[index] = refusal;
                    }
                }
            }
        }
    })
}

async fn judge_all(
    client: &Client,
    crds: Vec<(usize, Value)>,
) -> anyhow::Result<Vec<(usize, Option<Refusal>)>> {
    let mut judged = Vec::new();
    for (index, crd) in crds {
        judged.push((index, judge(client, &crd).await?));
    }
    Ok(judged)
}

async fn judge(client: &Client, crd: &Value) -> anyhow::Result<Option<Refusal>> {
    match create(client, crd).await {
        Err(kube::Error::Api(status)) if status.is_already_exists() => {}
        answer => return refusal(answer),
    }
    let name = crd["metadata"]["name"].as_str().unwrap_or_default();
    let api: Api<CustomResourceDefinition> = Api::all(client.clone());
    let mut params = PatchParams::apply(FIELD_MANAGER)
        .force()
        .validation_strict();
    params.dry_run = true;
    refusal(api.patch(name, &params, &Patch::Apply(crd)).await.map(drop))
}

async fn create(client: &Client, crd: &Value) -> kube::Result<()> {
    let body = serde_json::to_vec(crd).map_err(kube::Error::SerdeError)?;
    let request = Request::new(CRDS).create(&PostParams::default(), body);
    let mut request = request.map_err(kube::Error::BuildRequest)?;
    let uri = format!("{CRDS}?dryRun=All&fieldValidation=Strict&fieldManager={FIELD_MANAGER}");
    if let Ok(uri) = uri.parse() {
        *request.uri_mut() = uri;
    }
    client.request_text(request).await.map(drop)
}

/// Tells a refusal from a failure to ask.
fn refusal(answer: kube::Result<()>) -> anyhow::Result<Option<Refusal>> {
    match answer {
        Ok(()) => Ok(None),
        Err(kube::Error::Api(status)) if matches!(status.code, 400 | 409 | 413 | 422) => {
            Ok(Some(Refusal::of(&status)))
        }
        Err(kube::Error::Api(status)) => Err(anyhow!("{}", status.message)),
        Err(error) => Err(error.into()),
    }
}

impl Refusal {
    fn of(status: &Status) -> Self {
        let details = status.details.as_ref();
        let causes = details.map_or(&[][..], |details| &details.causes);
        let mut causes: Vec<_> = causes
            .iter()
            .map(|cause| (cause.field.clone(), cause.message.clone()))
            .collect();
        if causes.is_empty() {
            causes.push((String::new(), status.message.clone()));
        }
        causes.sort();
        causes.dedup();
        Self { causes }
    }
}
