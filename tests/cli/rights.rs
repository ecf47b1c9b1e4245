//! Least privilege, from both sides: nothing is refused with the generated roles, and without any
//! verb of any of their rules the operator fails.
use crate::{
    cluster::{Kubectl, Operator, eventually, refused, requests},
    trial::{self, SYSTEM, Trial},
};
use nix::sys::signal::Signal;
use rop::envtest::{ApplyOptions, ControlPlane};
use serde_json::{Value, json};
use std::{thread, time::Duration};

/// One verb of one rule of a role.
struct Right<'a> {
    role: &'a Value,
    rule: usize,
    verb: &'a str,
}

impl Right<'_> {
    /// The role without it.
    fn left_out(&self) -> Value {
        let mut role = self.role.clone();
        let verbs = role["rules"][self.rule]["verbs"].as_array_mut().unwrap();
        verbs.retain(|verb| verb != self.verb);
        if verbs.is_empty() {
            role["rules"].as_array_mut().unwrap().remove(self.rule);
        }
        role
    }

    /// What the API server says of a request that needs it, in part.
    fn refusal(&self) -> String {
        let resource = &self.role["rules"][self.rule]["resources"][0];
        format!("cannot {} resource {resource}", self.verb)
    }
}

/// Every right of the operator: the roles that its service account is bound to.
fn rights(rendered: &[Value]) -> Vec<Right<'_>> {
    let bindings = rendered.iter().filter(|object| {
        let kind = object["kind"].as_str().unwrap_or_default();
        kind.ends_with("RoleBinding")
    });
    let bound: Vec<_> = bindings
        .map(|binding| &binding["roleRef"]["name"])
        .collect();
    let roles = rendered.iter().filter(|object| {
        let kind = object["kind"].as_str().unwrap_or_default();
        kind.ends_with("Role") && bound.contains(&&object["metadata"]["name"])
    });
    let mut rights = Vec::new();
    for role in roles {
        for (index, rule) in role["rules"].as_array().unwrap().iter().enumerate() {
            assert_eq!(rule["resources"].as_array().unwrap().len(), 1, "{rule}");
            for verb in rule["verbs"].as_array().unwrap() {
                let (rule, verb) = (index, verb.as_str().unwrap());
                rights.push(Right { role, rule, verb });
            }
        }
    }
    rights
}

/// Lets an operator do all that it does in its life; says what it could not.
fn live(control_plane: &ControlPlane) -> (Result<(), &'static str>, Vec<Value>) {
    clean(control_plane);
    let mut operator = Trial::built().start(control_plane);
    let lived = work(control_plane, &mut operator);
    if lived.is_err() {
        operator.signal(Signal::SIGKILL);
        operator.end();
    }
    let requests = requests(control_plane, &operator);
    assert!(!requests.is_empty(), "{}", operator.log());
    (lived, refused(&requests).into_iter().cloned().collect())
}

fn work(control_plane: &ControlPlane, operator: &mut Operator) -> Result<(), &'static str> {
    let kubectl = Kubectl(control_plane);
    let reach = |what, met: &dyn Fn() -> bool| reach(control_plane, operator, what, met);
    reach("readiness", &|| operator.is_ready())?;
    trial::create(control_plane, "parent", "child");
    reach("a status", &|| {
        trial::ready(&trial::get(control_plane, "parent")) == Some("True")
    })?;
    let child = || kubectl.ok(&["get", "configmap", "--output", "name"]);
    let is_there = || child().contains("configmap/parent");
    reach("a child", &is_there)?;
    kubectl.ok(&["delete", "configmap", "parent"]);
    reach("the child again", &is_there)?;
    trial::create(control_plane, "failing", "fail");
    reach("an event", &|| {
        !trial::events(control_plane, "failing").is_empty()
    })?;
    reach("a renewal of the lease", &|| {
        let requests = requests(control_plane, operator);
        let renews = |event: &&Value| {
            event["verb"] == "update" && event["objectRef"]["resource"] == "leases"
        };
        requests
            .iter()
            .filter(renews)
            .any(|event| event["responseStatus"]["code"] == 200)
    })?;
    operator.signal(Signal::SIGTERM);
    match (operator.end(), trial::holder(control_plane).as_str()) {
        (Some(0), "") => Ok(()),
        _ => Err("an end in order"),
    }
}

/// Waits for something, but not much longer after a refusal.
fn reach(
    control_plane: &ControlPlane,
    operator: &Operator,
    what: &'static str,
    met: &dyn Fn() -> bool,
) -> Result<(), &'static str> {
    eventually(what, || {
        if met() {
            return Some(Ok(()));
        }
        if refused(&requests(control_plane, operator)).is_empty() {
            return None;
        }
        thread::sleep(Duration::from_secs(1));
        Some(if met() { Ok(()) } else { Err(what) })
    })
}

fn clean(control_plane: &ControlPlane) {
    let kubectl = Kubectl(control_plane);
    for kind in ["myapps", "configmaps", "events"] {
        kubectl.ok(&["delete", kind, "--all", "--namespace", "default"]);
    }
    kubectl.ok(&["delete", "lease", "--all", "--namespace", SYSTEM]);
}

/// Why a request was refused. A create by apply is a patch, of which the message tells more; there
/// is none where only metadata was asked for.
fn why(event: &Value) -> String {
    match event["responseStatus"]["message"].as_str() {
        Some(message) => message.to_owned(),
        None => format!(
            "cannot {} resource {}",
            event["verb"].as_str().unwrap(),
            event["objectRef"]["resource"]
        ),
    }
}

#[test]
fn the_operator_has_the_rights_that_it_needs_and_no_others() {
    let trial = Trial::built();
    let control_plane = trial.control_plane();
    let (lived, refused) = live(&control_plane);
    assert_eq!((lived, refused), (Ok(()), Vec::new()));

    let rights = rights(&trial.rendered);
    // Three of the lease, four of the child, one of events, two of the kind and one of its status.
    assert_eq!(rights.len(), 11);
    for right in &rights {
        let apply = |role: &Value| {
            let role = std::slice::from_ref(role);
            control_plane.apply(role, ApplyOptions::default()).unwrap();
        };
        apply(&right.left_out());
        let (lived, refused) = live(&control_plane);
        let refusal = right.refusal();
        eprintln!("{refusal}: {lived:?}");
        assert!(lived.is_err(), "it lives though it {refusal}");
        for event in &refused {
            let message = why(event);
            assert!(message.contains(&refusal), "{message}");
        }
        assert!(!refused.is_empty());
        apply(right.role);
    }
}

/// Who may do what with the kind, by the roles for its users.
#[test]
fn users_have_the_rights_of_their_roles() {
    const VERBS: [&str; 9] = [
        "get",
        "list",
        "watch",
        "create",
        "update",
        "patch",
        "delete",
        "deletecollection",
        "bind",
    ];
    let trial = Trial::built();
    let control_plane = trial.control_plane();
    let kubectl = Kubectl(&control_plane);
    for (role, own, status) in [
        ("viewer", &VERBS[..3], &["get"][..]),
        ("editor", &VERBS[..7], &["get"]),
        ("admin", &VERBS, &["get"]),
    ] {
        let name = format!("trial-operator-myapp-{role}-role");
        kubectl.ok(&[
            "create",
            "clusterrolebinding",
            role,
            "--clusterrole",
            &name,
            "--user",
            role,
        ]);
        for verb in VERBS {
            for (resource, allowed) in
                [("myapps", own), ("myapps/status", status), ("secrets", &[])]
            {
                let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
                let group = if resource == "myapps" {
                    "app.example.com"
                } else {
                    ""
                };
                let is = kubectl.allows(json!({
                    "user": role,
                    "resourceAttributes": {
                        "group": group, "resource": resource, "subresource": subresource,
                        "verb": verb, "namespace": "default",
                    },
                }));
                assert_eq!(
                    is,
                    allowed.contains(&verb),
                    "{role}: {verb} {resource}/{subresource}"
                );
            }
        }
    }
}
