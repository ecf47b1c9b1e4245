//! The API groups that a webhook can be for.
use crate::generate::{Source, markers::nearest};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The groups of Kubernetes itself but the core group, whose name is empty.
const BUILT_IN: [&str; 25] = [
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "lifecycle.k8s.io",
    "metrics.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// The API groups of the types that a project has.
#[derive(Clone, Debug, Default)]
pub struct Groups(BTreeSet<String>);

impl Groups {
    /// The groups that are given, and those of the types in the sources.
    pub fn of<'a, S: Into<Source<'a>> + Copy>(given: &[impl AsRef<str>], sources: &[S]) -> Self {
        let given = given.iter().map(|group| group.as_ref().to_owned());
        let mut groups: BTreeSet<String> = given.collect();
        for source in sources {
            let text = (*source).into().text;
            if text.contains("kube(")
                && let Ok(tokens) = text.parse()
            {
                of_types(tokens, &mut groups);
            }
        }
        Self(groups)
    }

    /// Why a webhook for this group would never be called. Where no type is known, it may be one.
    pub(super) fn refuse(&self, group: &str) -> Option<String> {
        if let Some((name, version)) = group.split_once('/') {
            let name = if name.is_empty() { "core" } else { name };
            return Some(format!(
                "`{group}` in `groups` has a version: write `groups={name}` and `versions={version}`"
            ));
        }
        let known = ["", "*"].contains(&group) || BUILT_IN.contains(&group);
        if known || self.0.is_empty() || self.0.contains(group) {
            return None;
        }
        let all = || self.0.iter().map(String::as_str).chain(BUILT_IN);
        let longer = || all().find(|known| known.starts_with(&format!("{group}.")));
        let near = longer().or_else(|| nearest(group, all().chain(["core"])));
        let what = format!("no type of this project, nor of Kubernetes, is of the group `{group}`");
        Some(match near {
            Some(near) => format!("{what}; did you mean `{near}`?"),
            None => {
                let own: Vec<_> = self.0.iter().map(|own| format!("`{own}`")).collect();
                format!("{what}; the project has {}", own.join(", "))
            }
        })
    }
}

/// The groups in attributes such as `#[kube(group = "app.example.com", …)]`.
fn of_types(tokens: TokenStream, groups: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let name = at.checked_sub(1).map(|before| &tokens[before]);
        let of_kube = matches!(name, Some(TokenTree::Ident(name)) if name == "kube");
        if of_kube && group.delimiter() == Delimiter::Parenthesis {
            groups.extend(group_of(group.stream()));
        } else {
            of_types(group.stream(), groups);
        }
    }
}

fn group_of(arguments: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    tokens.windows(3).find_map(|three| match three {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(equals),
            TokenTree::Literal(value),
        ] if name == "group" && equals.as_char() == '=' => {
            let text: syn::LitStr = syn::parse2(TokenTree::from(value.clone()).into()).ok()?;
            Some(text.value())
        }
        _ => None,
    })
}
