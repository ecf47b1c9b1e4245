//! One version of one kind, and the names that come from it.
mod clash;

use crate::{
    error::{Error, Result},
    model::names::{ApiGroup, Approval, Domain, Group, Kind, Plural, Version, module_name},
};
use std::fmt;

/// One version of one kind of the project's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    group: Group,
    domain: Domain,
    api_group: ApiGroup,
    version: Version,
    kind: Kind,
    plural: Plural,
    approved: Option<Approval>,
    /// Its objects live in namespaces.
    pub namespaced: bool,
    /// It has a controller.
    pub controller: bool,
}

/// Most bytes of a file name on common file systems.
const FILE_NAME: usize = 255;
/// Most characters of the name of an object, a DNS-1123 subdomain.
const OBJECT_NAME: usize = 253;

impl Resource {
    /// A namespaced resource with a controller, and with the English plural if none is given.
    ///
    /// # Errors
    /// Group and domain together are no API group, there is no plural that fits, or the name of
    /// the CRD or of a file would be too long.
    pub fn new(
        group: Group,
        domain: Domain,
        version: Version,
        kind: Kind,
        plural: Option<Plural>,
    ) -> Result<Self> {
        let api_group = ApiGroup::new(&group, &domain)?;
        let plural = plural.map_or_else(|| Plural::of(&kind), Ok)?;
        let resource = Self {
            group,
            domain,
            api_group,
            version,
            kind,
            plural,
            approved: None,
            namespaced: true,
            controller: true,
        };
        resource.check_lengths()?;
        Ok(resource)
    }

    /// Takes the approval that the API server asks for in groups of the Kubernetes community.
    ///
    /// # Errors
    /// The group needs an approval, and there is none.
    pub fn with_approval(mut self, approved: Option<Approval>) -> Result<Self> {
        if self.api_group.needs_approval() && approved.is_none() {
            let message = format!(
                "the group `{}` belongs to the Kubernetes community: \
                 the API server refuses its CRDs unless they say who approved them",
                self.api_group
            );
            let hint = "pass `--api-approved` with the URL of the approval, or `unapproved`";
            return Err(Error::invalid(message).hint(hint));
        }
        self.approved = approved;
        Ok(self)
    }

    /// Group without the domain, such as `app`; may be empty.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// Domain, such as `example.com`; may be empty.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Group with the domain, such as `app.example.com`.
    pub fn api_group(&self) -> &ApiGroup {
        &self.api_group
    }

    /// Version, such as `v1alpha1`.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Kind, such as `MyApp`.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Plural, such as `myapps`.
    pub fn plural(&self) -> &Plural {
        &self.plural
    }

    /// Value of the annotation `api-approved.kubernetes.io`, if any.
    pub fn approved(&self) -> Option<&Approval> {
        self.approved.as_ref()
    }

    /// Whether `other` is the same version of the same kind.
    pub fn is(&self, other: &Self) -> bool {
        let id = |it: &Self| (it.api_group.clone(), it.version.clone(), it.kind.clone());
        id(self) == id(other)
    }

    /// Name of the CRD, such as `myapps.app.example.com`.
    pub fn crd_name(&self) -> String {
        format!("{}.{}", self.plural, self.api_group)
    }

    /// File name of the CRD, such as `app.example.com_myapps.yaml`, as controller-gen calls it.
    pub fn crd_file(&self) -> String {
        format!("{}_{}.yaml", self.api_group, self.plural)
    }

    /// File name of the sample, such as `app_v1alpha1_myapp.yaml`.
    pub fn sample_file(&self) -> String {
        let (group, version, stem) = (&self.group, &self.version, self.kind.stem());
        if group.is_empty() {
            return format!("{version}_{stem}.yaml");
        }
        format!("{group}_{version}_{stem}.yaml")
    }

    /// Module, and folder, of the group where there are several; that of the domain if the group
    /// is empty.
    pub fn group_module(&self) -> String {
        module_name(if self.group.is_empty() {
            self.domain.as_str()
        } else {
            self.group.as_str()
        })
    }

    /// Module of the Rust types, such as `myapp_types`.
    pub fn types_module(&self) -> String {
        self.kind.stem() + "_types"
    }

    /// Module of the controller, such as `myapp_controller`.
    pub fn controller_module(&self) -> String {
        self.kind.stem() + "_controller"
    }

    /// Why a cluster-scoped resource cannot be in a project that is namespaced.
    pub fn refused_in_namespace(&self) -> Error {
        let message = format!(
            "`{self}` is cluster-scoped, and the operator has no rights beyond its namespace"
        );
        Error::conflict(message)
    }

    fn check_lengths(&self) -> Result<()> {
        let names = [
            ("name of its CRD", self.crd_name(), OBJECT_NAME),
            ("file name of its CRD", self.crd_file(), FILE_NAME),
            ("file name of its sample", self.sample_file(), FILE_NAME),
        ];
        let too_long = names.into_iter().find(|(_, name, most)| name.len() > *most);
        let Some((what, name, most)) = too_long else {
            return Ok(());
        };
        let message = format!(
            "group and domain are too long for the kind `{}`: the {what} would have {} \
             characters, at most {most} fit",
            self.kind,
            name.len()
        );
        Err(Error::invalid(message).hint("choose a shorter group or domain"))
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} {}", self.api_group, self.version, self.kind)
    }
}
