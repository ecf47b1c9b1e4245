//! Everything that a template may see.
use serde::Serialize;

/// The variables of the templates; those of an API are only seen by the layers of an API.
#[derive(Clone, Debug, Serialize)]
pub struct Context {
    /// Version of rop, such as `0.1.0`.
    pub rop_version: &'static str,
    /// Name of the project, such as `myapp-operator`: package, namespace, name prefix, image.
    pub project: String,
    /// The project as a Rust path, such as `myapp_operator`.
    pub project_crate: String,
    /// Domain of the API groups, or nothing.
    pub domain: String,
    /// Name of the lease, such as `myapp-operator.example.com`.
    pub lease: String,
    /// SPDX name of the license, if any.
    pub license: Option<&'static str>,
    /// Whether the operator has rights in its own namespace only.
    pub namespaced: bool,
    /// The API at hand; its fields are seen as `api.kind` and so on.
    pub api: Option<Api>,
}

/// What templates may see of an API.
#[derive(Clone, Debug, Serialize)]
pub struct Api {
    /// Group as on the command line, such as `app`; may be empty.
    pub group: String,
    /// Group with the domain, such as `app.example.com`.
    pub api_group: String,
    /// Version, such as `v1alpha1`.
    pub version: String,
    /// Kind, such as `MyApp`.
    pub kind: String,
    /// Name of the Rust type: the kind, or `<Kind>Resource` where that would break the derive.
    pub root: String,
    /// Plural, such as `myapps`.
    pub plural: String,
    /// Lower case kind, such as `myapp`: stem of files, modules and names.
    pub stem: String,
    /// Whether objects live in namespaces.
    pub namespaced: bool,
    /// Value of the annotation `api-approved.kubernetes.io`, where Kubernetes asks for it.
    pub approved: Option<String>,
    /// File name of the sample, such as `app_v1alpha1_myapp.yaml`.
    pub sample: String,
    /// File name of the CRD, such as `app.example.com_myapps.yaml`.
    pub crd: String,
}
