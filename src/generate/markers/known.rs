//! The names of markers: which rop reads, and what does in Rust what the others do in Go.
use super::arguments::{Argument, Kind};

/// A marker that rop reads, or will read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) arguments: &'static [Argument],
}

/// An RBAC rule.
pub(super) const RBAC: Known = Known {
    name: "rbac",
    arguments: &[
        optional("groups", Kind::List),
        optional("resources", Kind::List),
        optional("resourceNames", Kind::List),
        mandatory("verbs", Kind::List),
        optional("urls", Kind::List),
        optional("namespace", Kind::Text),
        optional("roleName", Kind::Text),
    ],
};

/// A webhook.
pub(super) const WEBHOOK: Known = Known {
    name: "webhook",
    arguments: &[
        mandatory("mutating", Kind::Bool),
        mandatory("failurePolicy", Kind::Text),
        mandatory("groups", Kind::List),
        mandatory("resources", Kind::List),
        mandatory("verbs", Kind::List),
        mandatory("versions", Kind::List),
        mandatory("name", Kind::Text),
        mandatory("admissionReviewVersions", Kind::List),
        optional("matchPolicy", Kind::Text),
        optional("sideEffects", Kind::Text),
        optional("timeoutSeconds", Kind::Integer),
        optional("serviceName", Kind::Text),
        optional("serviceNamespace", Kind::Text),
        optional("servicePort", Kind::Integer),
        optional("path", Kind::Text),
        optional("url", Kind::Text),
        optional("webhookVersions", Kind::List),
        optional("reinvocationPolicy", Kind::Text),
        optional("patch", Kind::Text),
    ],
};

/// The name of a webhook configuration.
pub(super) const WEBHOOK_CONFIGURATION: Known = Known {
    name: "webhookconfiguration",
    arguments: &[
        mandatory("mutating", Kind::Bool),
        optional("name", Kind::Text),
    ],
};

/// Every marker that rop reads, or will read.
pub(super) const ALL: [Known; 3] = [RBAC, WEBHOOK, WEBHOOK_CONFIGURATION];

const fn optional(name: &'static str, kind: Kind) -> Argument {
    Argument {
        name,
        kind,
        mandatory: false,
    }
}

const fn mandatory(name: &'static str, kind: Kind) -> Argument {
    Argument {
        name,
        kind,
        mandatory: true,
    }
}

/// What to write in Rust for a marker on a Go type.
#[rustfmt::skip]
const IN_RUST: &[(&str, &str)] = &[
    ("default", "use `#[serde(default = \"…\")]` on the field"),
    ("deprecatedversion", "use `#[kube(deprecated = \"…\")]`"),
    ("example", "use `#[schemars(extend(\"example\" = …))]`"),
    ("externalDocs", "use `#[schemars(extend(\"externalDocs\" = {…}))]`"),
    ("metadata", "use `#[kube(annotation(\"key\", \"value\"), label(\"key\", \"value\"))]`"),
    ("object", "nothing is needed: `#[derive(Clone, CustomResource)]` does it"),
    ("ac", "nothing is needed: serialize a type of the fields that you apply"),
    ("printcolumn", "use `#[kube(printcolumn(name = \"…\", type_ = \"…\", json_path = \"…\"))]`"),
    ("pruning:PreserveUnknownFields", "use `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("resource", "use `#[kube(plural = \"…\", singular = \"…\", shortname = \"…\", category = \"…\", namespaced)]`"),
    ("selectablefield", "use `#[kube(selectable = \".spec.…\")]`"),
    ("skip", "nothing is needed: only the types in `crds()` become CRDs"),
    ("skipversion", "nothing is needed: only the types in `crds()` become CRDs"),
    ("storageversion", "use `#[kube(storage = true)]`, and `storage = false` on the other versions"),
    ("subresource:scale", "use `#[kube(scale(spec_replicas_path = \"…\", status_replicas_path = \"…\"))]`"),
    ("subresource:status", "use `#[kube(status = \"…\")]`"),
    ("title", "use `#[schemars(title = \"…\")]`"),
    ("unservedversion", "use `#[kube(served = false)]`"),
    ("validation:AtLeastOneOf", "use `#[x_kube(validation = \"has(self.a) || has(self.b)\")]` with `KubeSchema`"),
    ("validation:AtMostOneOf", "use `#[x_kube(validation = \"!(has(self.a) && has(self.b))\")]` with `KubeSchema`"),
    ("validation:EmbeddedResource", "use `#[schemars(extend(\"x-kubernetes-embedded-resource\" = true))]`"),
    ("validation:Enum", "make the type a Rust `enum`"),
    ("validation:ExactlyOneOf", "make the type a Rust `enum`"),
    ("validation:ExclusiveMaximum", "use `#[schemars(extend(\"exclusiveMaximum\" = true))]`"),
    ("validation:ExclusiveMinimum", "use `#[schemars(extend(\"exclusiveMinimum\" = true))]`"),
    ("validation:Format", "use `#[schemars(extend(\"format\" = \"…\"))]`"),
    ("validation:MaxItems", "use `#[schemars(length(max = …))]` on the `Vec`"),
    ("validation:MaxLength", "use `#[schemars(length(max = …))]`"),
    ("validation:MaxProperties", "use `#[schemars(extend(\"maxProperties\" = …))]`"),
    ("validation:Maximum", "use `#[schemars(range(max = …))]`"),
    ("validation:MinItems", "use `#[schemars(length(min = …))]` on the `Vec`"),
    ("validation:MinLength", "use `#[schemars(length(min = …))]`"),
    ("validation:MinProperties", "use `#[schemars(extend(\"minProperties\" = …))]`"),
    ("validation:Minimum", "use `#[schemars(range(min = …))]`"),
    ("validation:MultipleOf", "use `#[schemars(extend(\"multipleOf\" = …))]`"),
    ("validation:Optional", "make the field an `Option`, or give it `#[serde(default)]`"),
    ("validation:Pattern", "use `#[schemars(regex(pattern = \"…\"))]`"),
    ("validation:Required", "nothing is needed: a field is required unless it is an `Option` or has a default"),
    ("validation:Schemaless", "use `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("validation:Type", "use `#[schemars(extend(\"type\" = \"…\"))]`"),
    ("validation:UniqueItems", "use `#[x_kube(merge_strategy = ListMerge::Set)]` with `KubeSchema`"),
    ("validation:XEmbeddedResource", "use `#[schemars(extend(\"x-kubernetes-embedded-resource\" = true))]`"),
    ("validation:XIntOrString", "give the field the type `IntOrString` of k8s-openapi"),
    ("validation:XPreserveUnknownFields", "use `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("validation:XValidation", "use `#[x_kube(validation = Rule::new(\"…\").message(\"…\"))]` with `KubeSchema`, or `#[kube(validation = \"…\")]` at the root"),
    ("validation:items", "use `#[schemars(inner(…))]`"),
];

/// Says what is wrong with a marker that rop does not read; the name is what follows
/// `+kubebuilder:`, up to the `=`, arguments included.
pub(super) fn refusal(name: &str) -> String {
    if name == "scaffold" || name.starts_with("scaffold:") {
        return format!(
            "`+kubebuilder:{name}`: rop needs no scaffold markers, it finds its places by itself; \
             remove the line"
        );
    }
    let in_rust = IN_RUST.iter().filter(|(marker, _)| {
        let rest = name.strip_prefix(marker);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    });
    if let Some((_, answer)) = in_rust.max_by_key(|(marker, _)| marker.len()) {
        return format!("`+kubebuilder:{name}` is a marker for Go types; in Rust, {answer}");
    }
    let first = name.split(':').next().unwrap_or(name);
    let names = ALL.iter().map(|known| known.name).chain(["scaffold"]);
    let go = IN_RUST.iter().map(|(name, _)| *name);
    match nearest(first, names.clone()).or_else(|| nearest(name, go)) {
        Some(near) => {
            format!("unknown marker `+kubebuilder:{name}`; did you mean `+kubebuilder:{near}`?")
        }
        None => format!("unknown marker `+kubebuilder:{name}`; known is `+kubebuilder:rbac`"),
    }
}

/// The known name that a misspelt one is most like, if there is one.
pub(in crate::generate) fn nearest<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = (name.chars().count() / 3).clamp(1, 3);
    let distances = known
        .into_iter()
        .map(|known| (distance(name, known), known));
    let near = distances.filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Edits between two names, without regard to case: characters added, removed, replaced, or
/// swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|name| name.to_lowercase().chars().collect::<Vec<_>>());
    let mut rows: [Vec<usize>; 3] = [vec![], vec![], (0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = rows[1][j] + usize::from(x != y);
            let mut least = replaced.min(rows[1][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(rows[0][j - 1] + 1);
            }
            row.push(least);
        }
        rows[2] = row;
    }
    rows[2][b.len()]
}
