use k8s_openapi::apimachinery::pkg::apis::meta::v1 as metav1;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user wants.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "cache.example.com",
    version = "v1alpha1",
    kind = "Memcached",
    plural = "memcacheds",
    doc = "Memcached is the schema of the memcacheds API.",
    namespaced,
    status = "MemcachedStatus",
    // The name becomes the value of a label.
    validation = ("self.metadata.name.size() <= 63", "the name has more than 63 characters"),
    printcolumn(
        name = "Size",
        type_ = "integer",
        json_path = ".spec.size"
    ),
    printcolumn(
        name = "Available",
        type_ = "integer",
        json_path = ".status.availableReplicas"
    ),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(
        name = "Reason",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].reason"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedSpec {
    /// How many servers run.
    #[serde(default = "default_size")]
    #[schemars(range(min = 1, max = 5))]
    pub size: i32,

    /// The image of the servers.
    #[serde(default = "default_image")]
    #[schemars(length(max = 255))]
    #[x_kube(validation = (
        "self.substring(self.lastIndexOf('/') + 1).contains(':')",
        "the image has neither tag nor digest"
    ))]
    pub image: String,

    /// Where the servers get their settings from; without it they run with those of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Settings>,
}

/// Where the servers get their settings from.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Name of a ConfigMap in the same namespace. Its key `memoryLimit` says how many megabytes
    /// each server may fill with items.
    // What is no name of a ConfigMap would be another path of the API server.
    #[schemars(
        length(max = 253),
        regex(pattern = r"^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$")
    )]
    pub config_map: String,
}

/// What the operator has seen.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedStatus {
    /// The `metadata.generation` that this status describes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// How many servers answered when the operator last looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i32>,

    /// The state of this object; `Ready` sums it up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<metav1::Condition>,
}

fn default_size() -> i32 {
    1
}

fn default_image() -> String {
    "docker.io/library/memcached:1.6-alpine".into()
}
