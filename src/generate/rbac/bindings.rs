//! What binds roles to the service account of the operator.
use super::scope::SYSTEM;
use crate::generate::yaml;
use serde_json::{Value, json};

const GROUP: &str = "rbac.authorization.k8s.io";
/// What a file of bindings is when there are none.
pub(in crate::generate) const NOTHING: &str = "# Nothing: no marker asks for it.\n";

/// Bindings for the roles of other names and other namespaces, as files of a folder.
///
/// `namespace:` in config/default puts everything into one namespace, and fails where two get one
/// name. So the folder is a kustomize component that gives those in namespaces of others names of
/// their own; `namespaces` in it has the transformers that bring them back when all is moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    bound: Vec<Bound>,
    /// The role that config/rbac/role_binding.yaml binds, if no marker asks for it: without its
    /// name, kustomize would leave the binding to whatever role of that name the cluster has.
    unasked: Option<Bound>,
}

/// A role that needs a binding; without a namespace it is a ClusterRole.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    namespace: String,
    name: String,
}

impl Bindings {
    /// For the roles of these namespaces and names, but the one that config/rbac/role_binding.yaml
    /// binds.
    pub(super) fn of<'a>(
        roles: impl Iterator<Item = (&'a str, &'a str)>,
        bound: (&str, &str),
    ) -> Self {
        let role = |(namespace, name): (&str, &str)| Bound {
            namespace: namespace.into(),
            name: name.into(),
        };
        let roles: Vec<_> = roles.collect();
        Self {
            unasked: (!roles.contains(&bound)).then(|| role(bound)),
            bound: roles
                .into_iter()
                .filter(|role| *role != bound)
                .map(role)
                .collect(),
        }
    }

    /// Whether there is nothing to bind.
    pub fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    /// Whether there are roles in namespaces that are not the operator's.
    pub fn reach_out(&self) -> bool {
        self.foreign().next().is_some()
    }

    /// The files, by their path in the folder.
    pub fn files(&self) -> [(&'static str, String); 4] {
        let unasked = self.unasked.iter().map(Bound::role);
        let bindings = self.bound.iter().map(Bound::binding);
        let bindings: String = unasked.chain(bindings).map(document).collect();
        let patches: Vec<_> = self.foreign().flat_map(Bound::renamed).collect();
        let mut component = json!({
            "apiVersion": "kustomize.config.k8s.io/v1alpha1",
            "kind": "Component",
            "resources": ["bindings.yaml"],
        });
        if !patches.is_empty() {
            component["patches"] = patches.into();
        }
        let mut namespaces: Vec<_> = self.foreign().map(|role| &*role.namespace).collect();
        namespaces.dedup();
        let mut transformers: String = namespaces.iter().map(|n| document(back(n))).collect();
        if !namespaces.is_empty() {
            transformers += &document(accounts(&namespaces));
        }
        let list = json!({ "resources": ["transformers.yaml"] });
        [
            ("bindings.yaml", or_nothing(bindings)),
            ("kustomization.yaml", yaml::to_string(&component)),
            ("namespaces/kustomization.yaml", yaml::to_string(&list)),
            ("namespaces/transformers.yaml", or_nothing(transformers)),
        ]
    }

    fn foreign(&self) -> impl Iterator<Item = &Bound> {
        let foreign = |role: &&Bound| !role.namespace.is_empty() && role.namespace != SYSTEM;
        self.bound.iter().filter(foreign)
    }
}

impl Bound {
    fn binding_name(&self) -> String {
        format!("{}-binding", self.name)
    }

    fn kind(&self) -> &'static str {
        match &*self.namespace {
            "" => "ClusterRole",
            _ => "Role",
        }
    }

    fn object(&self, kind: &str, name: &str) -> Value {
        let mut object = json!({
            "apiVersion": format!("{GROUP}/v1"),
            "kind": kind,
            "metadata": { "name": name },
        });
        if !self.namespace.is_empty() {
            object["metadata"]["namespace"] = self.namespace.as_str().into();
        }
        object
    }

    /// The role, without a rule.
    fn role(&self) -> Value {
        let mut role = self.object(self.kind(), &self.name);
        role["rules"] = json!([]);
        role
    }

    fn binding(&self) -> Value {
        let kind = self.kind();
        let mut binding = self.object(&format!("{kind}Binding"), &self.binding_name());
        binding["roleRef"] = json!({ "apiGroup": GROUP, "kind": kind, "name": self.name });
        binding["subjects"] = json!([
            { "kind": "ServiceAccount", "name": "controller-manager", "namespace": SYSTEM },
        ]);
        binding
    }

    /// The patches that give role and binding names that no other namespace has: none has a dot.
    fn renamed(&self) -> [Value; 2] {
        let named = |kind: &str, name: &str| {
            json!({
                "options": { "allowNameChange": true },
                "patch": replace("name", &format!("{name}.{}", self.namespace)),
                "target": {
                    "kind": kind,
                    "name": pattern(name),
                    "namespace": pattern(&self.namespace),
                },
            })
        };
        [
            named("Role", &self.name),
            named("RoleBinding", &self.binding_name()),
        ]
    }
}

/// Brings back to its namespace what came from there: kustomize knows where things were.
fn back(namespace: &str) -> Value {
    json!({
        "apiVersion": "builtin",
        "kind": "PatchTransformer",
        "metadata": { "name": namespace },
        "patch": replace("namespace", namespace),
        "target": { "group": GROUP, "namespace": pattern(namespace) },
    })
}

/// Tells the bindings in these namespaces what the service account is called by now.
fn accounts(namespaces: &[&str]) -> Value {
    let replacement = |field: &str| {
        let target = |namespace: &&str| {
            json!({
                "select": { "kind": "RoleBinding", "namespace": namespace },
                "fieldPaths": [format!("subjects.0.{field}")],
            })
        };
        json!({
            "source": {
                "kind": "ServiceAccount",
                "name": "controller-manager",
                "fieldPath": format!("metadata.{field}"),
            },
            "targets": namespaces.iter().map(target).collect::<Vec<_>>(),
        })
    };
    json!({
        "apiVersion": "builtin",
        "kind": "ReplacementTransformer",
        "metadata": { "name": "service-account" },
        "replacements": [replacement("name"), replacement("namespace")],
    })
}

fn replace(field: &str, value: &str) -> String {
    let path = format!("/metadata/{field}");
    yaml::to_string(&json!([{ "op": "replace", "path": path, "value": value }]))
}

/// The regular expression that a name and no other meets.
fn pattern(name: &str) -> String {
    let escaped = name.chars().map(|c| match c {
        c if c.is_alphanumeric() || "-:_ ".contains(c) => c.to_string(),
        c => format!("\\{c}"),
    });
    escaped.collect()
}

fn document(value: Value) -> String {
    format!("---\n{}", yaml::to_string(&value))
}

fn or_nothing(text: String) -> String {
    if text.is_empty() {
        NOTHING.into()
    } else {
        text
    }
}
