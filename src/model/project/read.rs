//! Reads PROJECT, strictly for what rop knows.
use super::LAYOUT;
use crate::{
    error::{Error, Result},
    model::{
        names::{Approval, Domain, Group, Kind, License, Plural, ProjectName},
        resource::Resource,
        settings::Parts,
        yaml::Fault,
    },
};
use serde::Deserialize;
use serde_json::{Map, Value};
use serde_saphyr::Spanned;
use std::{collections::BTreeMap, str::FromStr};

/// What stands in PROJECT.
pub(super) struct Read {
    pub(super) domain: Domain,
    pub(super) name: ProjectName,
    pub(super) license: License,
    pub(super) namespaced: bool,
    pub(super) parts: Parts,
    pub(super) resources: Vec<Resource>,
    /// All of it, with the fields that rop does not know.
    pub(super) value: Map<String, Value>,
}

impl Read {
    pub(super) fn from(text: &str) -> Result<Self> {
        let value: Map<String, Value> = read(text)?;
        // The places of its parts are not worth a second look, unless something is wrong.
        if let Ok(known) = Known::deserialize(&value)
            && let Ok(read) = Self::of(known, value.clone())
        {
            return Ok(read);
        }
        Self::of(read(text)?, value)
    }

    fn of(known: Known, value: Map<String, Value>) -> Result<Self> {
        check_shape(&known)?;
        let plugins = known.plugins.unwrap_or_default();
        let settings = plugins.own.unwrap_or_default();
        let domain: Domain = optional(known.domain.as_ref())?;
        let license = settings.license.as_ref().map(parse_at).transpose()?;
        let own = known.resources.iter().flatten();
        let own = own.filter(|r| r.api.is_some() && !r.core && !r.external);
        let resources = own.map(|resource| read_resource(resource, &domain, &settings));
        let resources: Vec<_> = resources.collect::<Result<_>>()?;
        Ok(Self {
            name: parse_at(&known.project_name)?,
            license: license.unwrap_or_default(),
            namespaced: read_namespaced(known.namespaced.as_ref(), &resources)?,
            parts: settings.parts()?,
            resources,
            domain,
            value,
        })
    }
}

/// The fields that rop knows, where errors can tell the position.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    version: Spanned<Value>,
    domain: Option<Spanned<String>>,
    project_name: Spanned<String>,
    layout: Spanned<Value>,
    multigroup: Option<Spanned<bool>>,
    namespaced: Option<Spanned<bool>>,
    plugins: Option<Plugins>,
    resources: Option<Vec<KnownResource>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KnownResource {
    group: Option<Spanned<String>>,
    domain: Option<Spanned<String>>,
    version: Spanned<String>,
    kind: Spanned<String>,
    plural: Option<Spanned<String>>,
    api: Option<KnownApi>,
    #[serde(default)]
    controller: bool,
    #[serde(default)]
    core: bool,
    #[serde(default)]
    external: bool,
}

#[derive(Deserialize)]
struct KnownApi {
    #[serde(default)]
    namespaced: bool,
}

#[derive(Default, Deserialize)]
struct Plugins {
    /// Those of [`LAYOUT`].
    #[serde(rename = "rust.rop.dev/v1")]
    own: Option<Settings>,
}

/// rop's own settings, under `plugins`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    license: Option<Spanned<String>>,
    /// Approvals of protected groups, by the name of the CRD.
    api_approved: BTreeMap<String, String>,
    metrics: bool,
    network_policy: bool,
    prometheus: bool,
}

impl Settings {
    fn parts(&self) -> Result<Parts> {
        if self.prometheus && !self.metrics {
            let what = "`prometheus` is true, which needs `metrics: true` beside it";
            return Err(Error::failed(format!("PROJECT: plugins.{LAYOUT}: {what}")));
        }
        Ok(Parts {
            metrics: self.metrics,
            network_policy: self.network_policy,
            prometheus: self.prometheus,
        })
    }
}

/// Parses YAML; the error tells line and column.
fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    Error::refuse_merge_marks("PROJECT", text)?;
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let Fault { place, what } = Fault::of(&error);
        let place = place.map(|(line, column)| format!(":{line}:{column}"));
        Error::failed(format!("PROJECT{}: {what}", place.unwrap_or_default()))
            .hint("correct it, or restore PROJECT from version control")
    })
}

fn check_shape(known: &Known) -> Result<()> {
    if known.version.value != "3" {
        let what = format!(
            "is of version {}; this rop knows \"3\"",
            known.version.value
        );
        return Err(at(&known.version, what).hint("a newer rop may know it"));
    }
    let layout = match &known.layout.value {
        Value::Array(layout) => layout.iter().any(|one| one == LAYOUT),
        one => one == LAYOUT,
    };
    if !layout {
        let what = format!("has the layout {}, not {LAYOUT}", known.layout.value);
        return Err(at(&known.layout, what).hint("this may be a project of another tool"));
    }
    if let Some(flag) = &known.multigroup
        && flag.value
    {
        let what = "sets `multigroup`, which this rop does not know";
        return Err(at(flag, what.into()));
    }
    Ok(())
}

fn read_namespaced(known: Option<&Spanned<bool>>, resources: &[Resource]) -> Result<bool> {
    let Some(flag) = known.filter(|flag| flag.value) else {
        return Ok(false);
    };
    match resources.iter().find(|resource| !resource.namespaced) {
        Some(cluster) => Err(at(flag, cluster.refused_in_namespace().message())),
        None => Ok(true),
    }
}

fn read_resource(known: &KnownResource, domain: &Domain, settings: &Settings) -> Result<Resource> {
    let group: Group = optional(known.group.as_ref())?;
    if let Some(own) = &known.domain
        && own.value != domain.as_str()
    {
        return Err(at(own, "is not the domain of the project".into()));
    }
    let plural = known.plural.as_ref().map(parse_at::<Plural>).transpose()?;
    let (version, kind) = (parse_at(&known.version)?, parse_at::<Kind>(&known.kind)?);
    let refused = |error: Error| at(&known.kind, error.message());
    let mut resource =
        Resource::new(group, domain.clone(), version, kind, plural).map_err(refused)?;
    resource.namespaced = known.api.as_ref().is_some_and(|api| api.namespaced);
    resource.controller = known.controller;
    let approved = settings.api_approved.get(&resource.crd_name());
    let approved = approved.map(|text| Approval::from_str(text)).transpose()?;
    resource.with_approval(approved).map_err(refused)
}

/// Parses a name; the error tells where it stands in PROJECT.
fn parse_at<T: FromStr<Err = Error>>(text: &Spanned<String>) -> Result<T> {
    text.value
        .parse()
        .map_err(|error: Error| at(text, error.message()))
}

fn optional<T: FromStr<Err = Error>>(text: Option<&Spanned<String>>) -> Result<T> {
    text.map_or_else(|| "".parse(), parse_at)
}

fn at<T>(place: &Spanned<T>, what: String) -> Error {
    let place = place.referenced;
    Error::failed(format!(
        "PROJECT:{}:{}: {what}",
        place.line(),
        place.column()
    ))
}
