//! The optional parts of what is deployed: components of config/default.
use super::layout;
use crate::{
    edit::{EditResult, yaml},
    error::Result,
    model::settings::{Parts, PartsRequest},
    plan::Edit,
};

const KEY: &str = "components";

/// An optional part: its folder in config, and what it deploys.
struct Part {
    folder: &'static str,
    /// Kind and name, without the prefix of the project.
    object: &'static str,
    /// The part that patches what this one deploys, so that kustomize takes it only afterwards.
    before: Option<&'static str>,
}

/// In an order that kustomize takes.
static PARTS: [Part; 3] = [
    Part {
        folder: "../metrics",
        object: "service controller-manager-metrics",
        before: Some("../prometheus"),
    },
    Part {
        folder: "../network-policy",
        object: "networkpolicy allow-metrics",
        before: None,
    },
    Part {
        folder: "../prometheus",
        object: "servicemonitor controller-manager",
        before: None,
    },
];

/// config/default with these parts.
pub(super) fn switched_on(text: String, parts: Parts) -> Result<String> {
    let mut on = PARTS.iter().zip(states(parts)).filter(|(_, on)| *on);
    on.try_fold(text, |text, (part, _)| {
        let edited = add(&text, part);
        layout::made("config/default", text, edited)
    })
}

/// The edits of config/default for the parts that are named.
pub(super) fn edits(request: PartsRequest) -> Vec<Edit> {
    let edit = |(part, on): (&'static Part, Option<bool>)| Some(switch(part, on?));
    let named = [request.metrics, request.network_policy, request.prometheus];
    PARTS.iter().zip(named).filter_map(edit).collect()
}

/// The commands that delete from the cluster what is no longer deployed.
pub(super) fn leftovers(project: &str, before: Parts, after: Parts) -> Vec<String> {
    let states = states(before).into_iter().zip(states(after));
    let gone = PARTS.iter().zip(states).filter(|(_, (b, a))| *b && !a);
    let delete = |(part, _): (&Part, _)| {
        let (kind, name) = part.object.split_once(' ').unwrap_or_default();
        format!(
            "kubectl delete --ignore-not-found --namespace {project}-system {kind} {project}-{name}"
        )
    };
    gone.map(delete).collect()
}

fn states(parts: Parts) -> [bool; 3] {
    parts.named().map(|(_, on)| on)
}

fn add(text: &str, part: &Part) -> EditResult {
    match part.before {
        Some(next) => yaml::add_item_before(text, KEY, part.folder, next),
        None => yaml::add_item(text, KEY, part.folder, None),
    }
}

fn switch(part: &'static Part, on: bool) -> Edit {
    let (verb, apply): (_, fn(&str, &Part) -> EditResult) = match on {
        true => ("add", add),
        false => ("remove", |text, part| {
            yaml::remove_item(text, KEY, part.folder)
        }),
    };
    let place = part.before.filter(|_| on);
    let place = place.map_or_else(String::new, |next| format!(", before `{next}`"));
    Edit {
        advice: format!("{verb} this under `{KEY}:`{place}"),
        snippet: format!("- {}", part.folder),
        apply: Box::new(move |text| apply(text, part)),
    }
}
