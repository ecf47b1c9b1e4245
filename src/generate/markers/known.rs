//! The names of markers: which rop reads, and what does in Rust what the others do in Go.
use super::arguments::{Argument, Kind};
use super::go;

/// A marker that rop reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    /// What it says.
    pub(super) about: &'static str,
    pub(super) arguments: &'static [Argument],
}

/// An RBAC rule.
pub(super) const RBAC: Known = Known {
    name: "rbac",
    about: "a rule of the manager's roles",
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
    about: "a webhook of the operator",
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
    about: "the name of the webhook configuration",
    arguments: &[
        mandatory("mutating", Kind::Bool),
        optional("name", Kind::Text),
    ],
};

/// Every marker that rop reads.
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

/// Says what is wrong with a marker that rop does not read, of which this follows `+kubebuilder:`.
pub(super) fn refusal(text: &str) -> String {
    let name = text.split(['=', ' ', '\t']).next().unwrap_or(text);
    if name == "scaffold" || name.starts_with("scaffold:") {
        return format!(
            "`+kubebuilder:{name}`: rop needs no scaffold markers, it finds its places by itself; \
             remove the line"
        );
    }
    if let Some((marker, answer)) = go::answer(text) {
        // Its arguments may have colons of their own.
        let shown = match marker {
            "validation:items" => name,
            marker => marker,
        };
        return format!("`+kubebuilder:{shown}` is a marker for Go types; in Rust, {answer}");
    }
    let first = name.split(':').next().unwrap_or(name);
    let names = ALL.iter().map(|known| known.name).chain(["scaffold"]);
    match nearest(first, names.clone()).or_else(|| nearest(name, go::names())) {
        Some(near) => {
            format!("unknown marker `+kubebuilder:{name}`; did you mean `+kubebuilder:{near}`?")
        }
        None => format!(
            "unknown marker `+kubebuilder:{name}`; `rop generate --markers` lists those that are \
             known"
        ),
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
