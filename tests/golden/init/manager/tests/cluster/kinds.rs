//! The kinds that the managers of these tests work on.
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "manager.rop.dev",
    version = "v1",
    kind = "Probe",
    namespaced,
    status = "ProbeStatus"
)]
pub struct ProbeSpec {
    pub text: String,
}

/// A kind that the API server does not know at first.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "manager.rop.dev", version = "v1", kind = "Late", namespaced)]
pub struct LateSpec {}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ProbeStatus {
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
}

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("try {0}")]
    Try(usize),
    #[error("a request to the API server failed")]
    Kube(#[from] kube::Error),
}

pub fn condition(probe: &Probe, type_: &str) -> Option<Condition> {
    let conditions = &probe.status.as_ref()?.conditions;
    conditions.iter().find(|c| c.type_ == type_).cloned()
}
