//! The custom resources of myapp-operator.
//!
//! There is no client in this crate: other programs can depend on the types alone.
pub mod v1alpha1;

pub use kube::CustomResourceExt;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// One CRD for each version of each kind; those of one kind still have to be merged.
#[rustfmt::skip]
pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![
        v1alpha1::MyApp::crd(),
        v1alpha1::Other::crd(),
    ]
}
