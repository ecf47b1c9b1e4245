//! Whether a file was generated, by rop or by another generator of the same: no other is ever
//! written over. It is told by what it holds, since such files are written by many tools.
use super::rbac::{self, DEFAULT_ROLE_NAME};
use serde_json::{Value, json};

const RBAC: &str = "rbac.authorization.k8s.io/v1";

/// What a generated file is about.
#[derive(Clone, Copy, Debug)]
pub enum Generated<'a> {
    /// The CRD of this name.
    Crd(&'a str),
    /// The roles of the manager.
    Roles,
    /// A file of this name with what binds them.
    Bindings(&'a str),
    /// The configurations of webhooks.
    Webhooks,
}

impl Generated<'_> {
    /// Why a text that stands in the place of such a file was not generated, as in "PATH …".
    pub fn refuse(self, text: &str) -> Option<String> {
        let documents = documents(text);
        let is_plain = documents.is_some_and(|documents| match documents[..] {
            [] => !has_comments(text) || text == rbac::NOTHING,
            _ => self.has(&documents, text),
        });
        (!is_plain).then(|| format!("was not generated: it holds something else than {self}"))
    }

    fn has(self, documents: &[Value], text: &str) -> bool {
        let mut all = documents.iter();
        match self {
            Self::Crd(name) => crd_name(documents) == Some(name),
            Self::Roles => {
                let named = |role: &Value| role["metadata"]["name"] == DEFAULT_ROLE_NAME;
                // A hand-written one has a name or a word of its own.
                let ours = documents.iter().any(named) || !has_comments(text);
                ours && all.all(|role| is_kind(role, &["Role", "ClusterRole"]))
            }
            Self::Bindings("bindings.yaml") => all.all(|object| {
                let kinds = ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];
                is_kind(object, &kinds)
            }),
            Self::Bindings("kustomization.yaml") => all.all(|list| {
                list["resources"] == json!(["bindings.yaml"])
                    && list["kind"] == "Component"
                    && has_only(list, &["apiVersion", "kind", "resources", "patches"])
            }),
            Self::Bindings("namespaces/kustomization.yaml") => {
                all.all(|list| *list == json!({ "resources": ["transformers.yaml"] }))
            }
            Self::Bindings(_) => all.all(|object| object["apiVersion"] == "builtin"),
            Self::Webhooks => all.all(|object| {
                let kinds = [
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration",
                ];
                kinds.iter().any(|kind| object["kind"] == *kind)
            }),
        }
    }
}

impl std::fmt::Display for Generated<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crd(name) => write!(f, "the CRD `{name}`"),
            Self::Roles => f.write_str("roles as markers make them"),
            Self::Bindings(_) => f.write_str("what binds such roles"),
            Self::Webhooks => f.write_str("configurations of webhooks"),
        }
    }
}

/// The name of the one CRD that these documents are.
pub(super) fn crd_name(documents: &[Value]) -> Option<&str> {
    match documents {
        [crd] if crd["kind"] == "CustomResourceDefinition" => crd["metadata"]["name"].as_str(),
        _ => None,
    }
}

/// The documents of a text, if it is YAML. Where a merge was not resolved, our side counts: to
/// generate anew resolves it.
pub(super) fn documents(text: &str) -> Option<Vec<Value>> {
    let mut theirs = false;
    let ours = text.split_inclusive('\n').filter(|line| {
        let is_mark = |mark: &str| line.starts_with(mark);
        match () {
            () if is_mark("<<<<<<< ") => return false,
            () if is_mark("||||||| ") || line.trim_end() == "=======" => theirs = true,
            () if is_mark(">>>>>>> ") => {
                theirs = false;
                return false;
            }
            () => {}
        }
        !theirs
    });
    let budget = serde_saphyr::budget! { max_depth: 1_000 };
    let options = serde_saphyr::options! { budget: budget, with_snippet: false };
    let read = serde_saphyr::from_multiple_with_options(&ours.collect::<String>(), options);
    let mut documents: Vec<Value> = read.ok()?;
    documents.retain(|document| !document.is_null());
    Some(documents)
}

fn has_comments(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('#'))
}

/// Whether an object of RBAC has nothing but what generators write.
fn is_kind(object: &Value, kinds: &[&str]) -> bool {
    let fields = [
        "apiVersion",
        "kind",
        "metadata",
        "rules",
        "roleRef",
        "subjects",
    ];
    object["apiVersion"] == RBAC
        && kinds.iter().any(|kind| object["kind"] == *kind)
        && has_only(object, &fields)
        // Others write null for the time.
        && has_only(&object["metadata"], &["name", "namespace", "creationTimestamp"])
}

fn has_only(object: &Value, keys: &[&str]) -> bool {
    let mut all = object.as_object().into_iter().flat_map(|map| map.keys());
    all.all(|key| keys.contains(&&**key))
}
