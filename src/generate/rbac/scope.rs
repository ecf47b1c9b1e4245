//! Where an operator has its rights.

/// Namespace of the operator as its files have it; kustomize puts the real one in its place.
pub(super) const SYSTEM: &str = "system";

/// Where an operator has its rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// In the cluster, unless a marker names a namespace.
    Cluster,
    /// In its own namespace and nowhere else; markers may name it, as those of kubebuilder have
    /// to.
    Namespace {
        /// Name of the namespace, such as `myapp-operator-system`.
        own: &'a str,
    },
}

impl<'a> Scope<'a> {
    /// The namespace of the role for a marker that names this one; that of a ClusterRole is
    /// nothing.
    pub(super) fn place(self, named: &'a str, urls: bool) -> Result<&'a str, &'static str> {
        let Self::Namespace { own } = self else {
            return Ok(named);
        };
        if urls {
            Err("a namespaced operator has no ClusterRole, and no Role can grant `urls`")
        } else if ["", SYSTEM, own].contains(&named) {
            Ok(SYSTEM)
        } else {
            Err("a namespaced operator has rights in its own namespace only: leave `namespace` out")
        }
    }
}
