//! PROJECT: what a project is and which APIs it has, in the shape of kubebuilder's version 3.
mod read;

use super::{
    names::{Domain, License, ProjectName},
    resource::Resource,
    settings::Parts,
};
use crate::error::Result;
use read::Read;
use serde_json::{Map, Value, json};

/// Layout of the projects of this version of rop.
pub const LAYOUT: &str = "rust.rop.dev/v1";

/// First line of the file.
pub const HEADER: &str = "# Written by rop. Change it with the commands of rop.\n";

/// A project and its APIs. Fields of PROJECT that rop does not know survive.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// Domain of the API groups.
    pub domain: Domain,
    /// Name of the project.
    pub name: ProjectName,
    /// License of the project.
    pub license: License,
    namespaced: bool,
    parts: Parts,
    resources: Vec<Resource>,
    value: Map<String, Value>,
    style: Style,
}

/// How its text was written, as far as a reader of YAML does not mind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Style {
    bom: bool,
    crlf: bool,
    open_end: bool,
}

impl Style {
    fn of(text: &str) -> Self {
        Self {
            bom: text.starts_with(BOM),
            crlf: text.contains("\r\n"),
            open_end: !text.ends_with('\n'),
        }
    }
}

const BOM: char = '\u{feff}';

impl Project {
    /// A project without APIs.
    pub fn new(domain: Domain, name: ProjectName, license: License) -> Self {
        let mut value = Map::new();
        if !domain.is_empty() {
            value.insert("domain".into(), json!(domain.as_str()));
        }
        value.insert("layout".into(), json!([LAYOUT]));
        value.insert("projectName".into(), json!(name.as_str()));
        value.insert("version".into(), json!("3"));
        let mut project = Self {
            domain,
            name,
            license,
            namespaced: false,
            parts: Parts::default(),
            resources: Vec::new(),
            value,
            style: Style::default(),
        };
        project.set_license(license);
        project
    }

    /// Gives the project another license.
    pub fn set_license(&mut self, license: License) {
        match license {
            License::None => self.unset("license"),
            _ => self.set("license", json!(license.as_str())),
        }
        self.license = license;
    }

    /// Reads PROJECT.
    ///
    /// # Errors
    /// If it is not YAML, lacks a field, is of another version or layout, or holds a name that
    /// the commands of rop would refuse; the message tells line and column.
    pub fn parse(text: &str) -> Result<Self> {
        let read = Read::from(text)?;
        Ok(Self {
            domain: read.domain,
            name: read.name,
            license: read.license,
            namespaced: read.namespaced,
            parts: read.parts,
            resources: read.resources,
            value: read.value,
            style: Style::of(text),
        })
    }

    /// Whether the operator has rights in its own namespace only.
    pub fn namespaced(&self) -> bool {
        self.namespaced
    }

    /// Switches between an operator of its own namespace and one of the cluster.
    ///
    /// # Errors
    /// [`ErrorKind::Conflict`](crate::error::ErrorKind::Conflict) if an API is cluster-scoped: no
    /// right in a namespace is enough for it.
    pub fn set_namespaced(&mut self, namespaced: bool) -> Result<()> {
        if let Some(cluster) = self.resources.iter().find(|r| namespaced && !r.namespaced) {
            let hint = "leave --namespaced out: it takes the rights of the whole cluster";
            return Err(cluster.refused_in_namespace().hint(hint));
        }
        if namespaced {
            self.value.insert("namespaced".into(), json!(true));
        } else {
            self.value.remove("namespaced");
        }
        self.namespaced = namespaced;
        Ok(())
    }

    /// The optional parts that are switched on.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    /// Switches optional parts on and off.
    pub fn set_parts(&mut self, parts: Parts) {
        for (name, on) in parts.named() {
            if on {
                self.set(name, json!(true));
            } else {
                self.unset(name);
            }
        }
        self.parts = parts;
    }

    /// The project's own APIs, by group, version and kind.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The API groups of all its entries, also of those whose types are of others.
    pub fn api_groups(&self) -> Vec<String> {
        let entries = self.value.get("resources").and_then(Value::as_array);
        let name = |entry: &Value| {
            let parts = ["group", "domain"].map(|part| entry[part].as_str().unwrap_or_default());
            let given = parts.into_iter().filter(|part| !part.is_empty());
            given.collect::<Vec<_>>().join(".")
        };
        entries.into_iter().flatten().map(name).collect()
    }

    /// Adds an API, or replaces the one of the same group, version and kind.
    pub fn put(&mut self, resource: Resource) {
        let entry = entry(&resource);
        if let Some(approved) = resource.approved() {
            let mut all = self.setting("apiApproved").cloned().unwrap_or(json!({}));
            all[resource.crd_name()] = json!(approved.as_str());
            self.set("apiApproved", all);
        }
        let list = self.value.remove("resources");
        // An empty list may be written as null.
        let mut list = list
            .as_ref()
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        match list.iter_mut().find(|old| same(old, &entry)) {
            Some(old) => merge(old, entry),
            None => list.push(entry),
        }
        list.sort_by_key(key);
        self.value.insert("resources".into(), list.into());
        self.resources.retain(|other| !other.is(&resource));
        self.resources.push(resource);
    }

    /// Whether PROJECT says the same of another project.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.value == other.value
    }

    /// The content of PROJECT, for the serializer of YAML.
    pub fn to_value(&self) -> Value {
        Value::Object(self.value.clone())
    }

    /// A text of PROJECT, with line ends, byte order mark and end of the one that was read.
    pub fn in_its_style(&self, mut text: String) -> String {
        if self.style.crlf {
            text = text.replace('\n', "\r\n");
        }
        if self.style.open_end {
            text.truncate(text.trim_end().len());
        }
        if self.style.bom {
            text.insert(0, BOM);
        }
        text
    }

    fn setting(&self, name: &str) -> Option<&Value> {
        self.value.get("plugins")?.get(LAYOUT)?.get(name)
    }

    fn set(&mut self, name: &str, setting: Value) {
        let plugins = self.value.entry("plugins").or_insert(json!({}));
        plugins[LAYOUT][name] = setting;
    }

    /// Takes a setting away, and what is empty without it.
    fn unset(&mut self, name: &str) {
        let plugins = self.value.get_mut("plugins");
        let Some(plugins) = plugins.and_then(Value::as_object_mut) else {
            return;
        };
        let Some(settings) = plugins.get_mut(LAYOUT).and_then(Value::as_object_mut) else {
            return;
        };
        if settings.remove(name).is_none() {
            return;
        }
        if settings.is_empty() {
            plugins.remove(LAYOUT);
        }
        if plugins.is_empty() {
            self.value.remove("plugins");
        }
    }
}

/// What PROJECT says of an API.
fn entry(resource: &Resource) -> Value {
    let mut entry = json!({
        "api": {"crdVersion": "v1"},
        "kind": resource.kind().as_str(),
        "plural": resource.plural().as_str(),
        "version": resource.version().as_str(),
    });
    let names = [
        ("group", resource.group().as_str()),
        ("domain", resource.domain().as_str()),
    ];
    for (key, name) in names.into_iter().filter(|(_, name)| !name.is_empty()) {
        entry[key] = json!(name);
    }
    if resource.namespaced {
        entry["api"]["namespaced"] = json!(true);
    }
    if resource.controller {
        entry["controller"] = json!(true);
    }
    entry
}

/// Group, version and kind of an entry; also the order of the entries.
fn key(entry: &Value) -> [String; 3] {
    ["group", "version", "kind"].map(|field| entry[field].as_str().unwrap_or_default().into())
}

fn same(one: &Value, other: &Value) -> bool {
    key(one) == key(other) && one["domain"] == other["domain"]
}

/// Puts the fields of `new` over those of `old`; others stay.
fn merge(old: &mut Value, new: Value) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in new {
                merge(old.entry(key).or_insert(Value::Null), value);
            }
        }
        (old, new) => *old = new,
    }
}
