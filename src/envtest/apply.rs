//! Manifests into the API server.
use std::time::Duration;

use anyhow::Context;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use kube::discovery::{Scope, pinned_kind};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::error::{Error, Result};

const FIELD_MANAGER: &str = "rop-envtest";
const POLL: Duration = Duration::from_millis(25);
const SERVED_LIMIT: Duration = Duration::from_secs(30);

/// How manifests are applied.
#[derive(Clone, Copy, Debug, Default)]
pub struct ApplyOptions {
    /// Only ask whether the API server would take them. Objects of a kind or in a namespace that is itself only in
    /// the list are then refused, since it is not there.
    pub dry_run: bool,
}

/// Applies the manifests in their order; one that is refused does not keep the others out.
pub(super) async fn apply(
    client: &Client,
    manifests: &[Value],
    options: ApplyOptions,
) -> Result<()> {
    let manifests = manifests.iter().enumerate().map(Manifest::read);
    let manifests = manifests.collect::<Result<Vec<_>>>()?;
    let mut refused = Vec::new();
    let mut new_kinds = Vec::new();
    for manifest in &manifests {
        if !manifest.is_crd() {
            wait_until_served(client, &mut new_kinds).await?;
        }
        match manifest.apply(client, options).await {
            Ok(()) if manifest.is_crd() && !options.dry_run => new_kinds.push(manifest.name),
            Ok(()) => {}
            Err(error) => refused.push(format!("{}: {}", manifest.title(), reason(&error))),
        }
    }
    wait_until_served(client, &mut new_kinds).await?;
    if refused.is_empty() {
        return Ok(());
    }
    let (count, list) = (refused.len(), refused.join("\n  "));
    Err(Error::failed(format!(
        "the API server refused {count} of {} objects:\n  {list}",
        manifests.len()
    )))
}

/// What an apply needs to know of an object.
struct Manifest<'a> {
    kind: GroupVersionKind,
    name: &'a str,
    namespace: Option<&'a str>,
    object: &'a Value,
}

impl<'a> Manifest<'a> {
    fn read((index, object): (usize, &'a Value)) -> Result<Self> {
        let text = |path: &str| {
            object.pointer(path).and_then(Value::as_str).ok_or_else(|| {
                let field = path.trim_start_matches('/').replace('/', ".");
                Error::invalid(format!("manifest {} has no {field}", index + 1))
            })
        };
        let api_version = text("/apiVersion")?;
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Ok(Self {
            kind: GroupVersionKind::gvk(group, version, text("/kind")?),
            name: text("/metadata/name")?,
            namespace: text("/metadata/namespace").ok(),
            object,
        })
    }

    fn is_crd(&self) -> bool {
        self.kind.group == "apiextensions.k8s.io" && self.kind.kind == "CustomResourceDefinition"
    }

    fn title(&self) -> String {
        let namespace = self.namespace.map(|namespace| format!("{namespace}/"));
        format!(
            "{} {}{}",
            self.kind.kind,
            namespace.unwrap_or_default(),
            self.name
        )
    }

    async fn apply(&self, client: &Client, options: ApplyOptions) -> kube::Result<()> {
        let (resource, capabilities) = pinned_kind(client, &self.kind).await?;
        let client = client.clone();
        let api: Api<DynamicObject> = match capabilities.scope {
            Scope::Cluster => Api::all_with(client, &resource),
            Scope::Namespaced => {
                Api::namespaced_with(client, self.namespace.unwrap_or("default"), &resource)
            }
        };
        let mut params = PatchParams::apply(FIELD_MANAGER)
            .force()
            .validation_strict();
        params.dry_run = options.dry_run;
        api.patch(self.name, &params, &Patch::Apply(self.object))
            .await?;
        Ok(())
    }
}

/// Waits until the API server serves the kinds of these CRDs, and empties the list.
async fn wait_until_served(client: &Client, crds: &mut Vec<&str>) -> Result<()> {
    for name in crds.drain(..) {
        let served = timeout(SERVED_LIMIT, wait_for_kind(client, name)).await;
        served.unwrap_or_else(|_| {
            let seconds = SERVED_LIMIT.as_secs();
            let late = format!("the kind of the CRD {name} is not served after {seconds} s");
            Err(Error::failed(late))
        })?;
    }
    Ok(())
}

/// It is served a moment after the CRD was taken: `Established` comes first, then discovery, which clients go by.
async fn wait_for_kind(client: &Client, name: &str) -> Result<()> {
    let api: Api<CustomResourceDefinition> = Api::all(client.clone());
    loop {
        let crd = api.get(name).await;
        let crd = crd.with_context(|| format!("cannot read the CRD {name}"))?;
        if let Some(problem) = name_conflict(&crd) {
            let message = format!("the CRD {name} cannot be served: {problem}");
            return Err(Error::failed(message));
        }
        if is_established(&crd) && is_discovered(client, &crd).await {
            return Ok(());
        }
        sleep(POLL).await;
    }
}

fn is_established(crd: &CustomResourceDefinition) -> bool {
    condition(crd, "Established", "True").is_some()
}

/// Another CRD has its plural or kind already.
fn name_conflict(crd: &CustomResourceDefinition) -> Option<String> {
    condition(crd, "NamesAccepted", "False")
}

/// The message of the condition, if it has this status.
fn condition(crd: &CustomResourceDefinition, kind: &str, status: &str) -> Option<String> {
    let conditions = crd.status.as_ref()?.conditions.as_ref()?;
    let found = conditions
        .iter()
        .find(|it| it.type_ == kind && it.status == status)?;
    Some(found.message.clone().unwrap_or_default())
}

async fn is_discovered(client: &Client, crd: &CustomResourceDefinition) -> bool {
    for version in crd.spec.versions.iter().filter(|version| version.served) {
        let api_version = format!("{}/{}", crd.spec.group, version.name);
        let Ok(listed) = client.list_api_group_resources(&api_version).await else {
            return false;
        };
        if !listed
            .resources
            .iter()
            .any(|it| it.name == crd.spec.names.plural)
        {
            return false;
        }
    }
    true
}

/// The API server's own words, without the client's.
fn reason(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) => status.message.clone(),
        other => other.to_string(),
    }
}
