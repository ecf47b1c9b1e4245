//! Asks an API server whether it would take objects.
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{Request, Status};
use serde_json::Value;
use tokio::task::JoinSet;

use super::admin::{Admin, block_on};
use crate::error::{Error, Result};

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const FIELD_MANAGER: &str = "rop-verify";
/// For thousands of CRDs, too.
const LIMIT: Duration = Duration::from_secs(300);
/// The server judges a CRD with all its cores, but waits between two.
const AT_ONCE: usize = 8;

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

    /// What the API server says to each of these CRDs; nothing is changed.
    ///
    /// # Errors
    /// The server cannot be reached, or does not answer what it is asked.
    pub fn refusals(&self, crds: &[Value]) -> Result<Vec<Option<Refusal>>> {
        refusals(&self.admin, crds).map_err(|error| {
            Error::from(anyhow::Error::new(error).context(format!("the cluster of the context `{}` cannot be asked", self.name)))
                .hint("see whether `kubectl version` with the same --kubeconfig and --context answers; without both, --verify asks a control plane of its own")
        })
    }
}

/// What the API server says to each of these CRDs.
pub(super) fn refusals(admin: &Admin, crds: &[Value]) -> Result<Vec<Option<Refusal>>> {
    admin.run("judge the CRDs", LIMIT, async |client| {
        let mut workers = JoinSet::new();
        for first in 0..AT_ONCE.min(crds.len()) {
            let own: Vec<_> = crds
                .iter()
                .cloned()
                .enumerate()
                .skip(first)
                .step_by(AT_ONCE)
                .collect();
            let client = client.clone();
            workers.spawn(async move { judge_all(&client, own).await });
        }
        let mut all = vec![None; crds.len()];
        while let Some(done) = workers.join_next().await {
            let judged = done.context("a worker was lost")??;
            for (index, refusal) in judged {
                all[index] = refusal;
            }
        }
        Ok(all)
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
