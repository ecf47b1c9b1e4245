//! What `create api` is asked for, and what the project says to that.
use super::{
    names::{Approval, Group, Kind, Plural, Version},
    project::Project,
    resource::Resource,
};
use crate::error::{Error, Result};

/// An API as asked for; what is not given comes from PROJECT or a default.
#[derive(Clone, Debug)]
pub struct ApiRequest {
    /// Group without the domain.
    pub group: Group,
    /// Version.
    pub version: Version,
    /// Kind.
    pub kind: Kind,
    /// Plural, if given.
    pub plural: Option<Plural>,
    /// Scope, if given.
    pub namespaced: Option<bool>,
    /// Approval of a protected group, if given.
    pub approved: Option<Approval>,
    /// Whether to add the resource.
    pub resource: bool,
    /// Whether to add the controller.
    pub controller: bool,
}

impl ApiRequest {
    /// The resource that the project will have.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`](crate::error::ErrorKind::Usage) if the request contradicts itself,
    /// `Failed` if it needs an API that is not there, `Conflict` if it clashes with the project.
    pub fn resolve(&self, project: &Project) -> Result<Resource> {
        if !self.resource && !self.controller {
            return Err(Error::usage(
                "with --resource=false and --controller=false there is nothing to do",
            )
            .hint("leave one of them out"));
        }
        let wanted = Resource::new(
            self.group.clone(),
            project.domain.clone(),
            self.version.clone(),
            self.kind.clone(),
            self.plural.clone(),
        )?;
        match project.resources().iter().find(|known| known.is(&wanted)) {
            Some(known) => self.again(known),
            None => self.first(project, wanted),
        }
    }

    /// The API is there: what is given must be as it is.
    fn again(&self, known: &Resource) -> Result<Resource> {
        let name = known.kind();
        if let Some(plural) = &self.plural
            && plural != known.plural()
        {
            let what = format!("{name} has the plural `{}`, not `{plural}`", known.plural());
            return Err(settled(&what));
        }
        if let Some(namespaced) = self.namespaced
            && namespaced != known.namespaced
        {
            let scope = if known.namespaced {
                "namespaced"
            } else {
                "cluster-scoped"
            };
            return Err(settled(&format!("{name} is {scope}")));
        }
        if self.approved.is_some() && self.approved.as_ref() != known.approved() {
            let approved = known.approved().map(ToString::to_string);
            let approved = approved.unwrap_or_else(|| "none".into());
            return Err(settled(&format!("{name} has the approval `{approved}`")));
        }
        let mut resource = known.clone();
        resource.controller |= self.controller;
        Ok(resource)
    }

    fn first(&self, project: &Project, mut wanted: Resource) -> Result<Resource> {
        let Self {
            group,
            version,
            kind,
            ..
        } = self;
        if !self.resource {
            return Err(
                Error::failed(format!("this project has no {wanted}")).hint(format!(
                    "add it with `rop create api --group {group} --version {version} --kind {kind}`"
                )),
            );
        }
        if self.approved.is_some() && !wanted.api_group().needs_approval() {
            let group = wanted.api_group();
            let what = "--api-approved is for groups of k8s.io and kubernetes.io";
            return Err(Error::usage(format!("{what}, not for `{group}`")).hint("leave it out"));
        }
        self.check_group(project)?;
        wanted.namespaced = self.namespaced.unwrap_or(true);
        if project.namespaced() && !wanted.namespaced {
            let hint = "`rop edit --namespaced=false` gives it those of the whole cluster";
            return Err(wanted.refused_in_namespace().hint(hint));
        }
        wanted.controller = self.controller;
        let wanted = wanted.with_approval(self.approved.clone())?;
        wanted.clash(project.resources())?;
        Ok(wanted)
    }

    fn check_group(&self, project: &Project) -> Result<()> {
        let mut resources = project.resources().iter();
        if let Some(other) = resources.find(|resource| *resource.group() != self.group) {
            return Err(Error::conflict(format!(
                "this project has the group `{}`, and can have one only",
                other.group()
            ))
            .hint(format!("use `--group {}`", other.group())));
        }
        let mut resources = project.resources().iter();
        if let Some(other) = resources.find(|resource| *resource.kind() == self.kind) {
            return Err(Error::conflict(format!(
                "{} has the version {} already; a second version is not supported yet",
                self.kind,
                other.version()
            )));
        }
        Ok(())
    }
}

fn settled(what: &str) -> Error {
    Error::conflict(what).hint("leave the flag out: the API keeps what it has")
}
