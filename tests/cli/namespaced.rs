//! The proof for `--namespaced`: the operator works under exactly the RBAC of its configuration,
//! and leaves everything outside of its namespace alone.
use crate::{
    cluster::{self, Kubectl, Operator, eventually, install, refused, render, requests},
    control_plane, operator,
    support::{self, CREATE, Dir},
    trial::{self, SYSTEM, Trial},
};
use nix::sys::signal::Signal;
use rop::envtest::ControlPlane;
use serde_json::{Value, json};
use std::process::Command;

const OTHER: &str = "other";
const ACCOUNT: &str = "trial-operator-controller-manager";

/// A project that was switched, and what it deploys.
fn switched() -> (Dir, Vec<Value>) {
    let dir = Trial::scaffold();
    support::line(&dir, "rop edit --namespaced").ok();
    let rendered = render(&dir, "config/default");
    (dir, rendered)
}

/// A control plane with what is deployed, and a namespace beside that of the operator.
fn with_two_namespaces(rendered: &[Value]) -> ControlPlane {
    let control_plane = cluster::audited();
    install(&control_plane, rendered);
    Kubectl(&control_plane).ok(&["create", "namespace", OTHER]);
    control_plane
}

fn create(control_plane: &ControlPlane, namespace: &str, name: &str, asks: &str) {
    let manifest = json!({
        "apiVersion": "app.example.com/v1alpha1",
        "kind": "MyApp",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"foo": asks},
    });
    let file = control_plane.folder().join("object.json");
    std::fs::write(&file, manifest.to_string()).unwrap();
    Kubectl(control_plane).ok(&["create", "--filename", file.to_str().unwrap()]);
}

fn get(control_plane: &ControlPlane, namespace: &str, name: &str) -> Value {
    Kubectl(control_plane).json(&["get", "myapp", name, "--namespace", namespace])
}

#[track_caller]
fn becomes(control_plane: &ControlPlane, namespace: &str, name: &str, status: &str) {
    eventually(&format!("{namespace}/{name} Ready={status}"), || {
        let object = get(control_plane, namespace, name);
        (trial::ready(&object) == Some(status)).then_some(())
    });
}

/// All of a kind in a namespace, by name.
fn names(control_plane: &ControlPlane, kind: &str, namespace: &str) -> String {
    let args = ["get", kind, "--namespace", namespace, "--output", "name"];
    Kubectl(control_plane).ok(&args)
}

#[track_caller]
fn ends_well(control_plane: &ControlPlane, mut operator: Operator) -> Vec<Value> {
    operator.signal(Signal::SIGTERM);
    assert_eq!(operator.end(), Some(0), "{}", operator.log());
    let requests = requests(control_plane, &operator);
    let refused = refused(&requests);
    assert!(refused.is_empty(), "{refused:#?}\n{}", operator.log());
    assert!(requests.len() > 10, "the audit log has its requests");
    requests
}

#[test]
fn it_works_in_its_namespace_and_touches_no_other() {
    let (_dir, rendered) = switched();
    let control_plane = with_two_namespaces(&rendered);
    for namespace in [SYSTEM, OTHER] {
        create(&control_plane, namespace, "parent", "child");
        create(&control_plane, namespace, "failing", "fail");
    }
    let before = ["parent", "failing"].map(|name| get(&control_plane, OTHER, name));
    let mut operator = Trial::built().start_as(&control_plane, &rendered);
    operator.wait_ready();
    becomes(&control_plane, SYSTEM, "parent", "True");
    becomes(&control_plane, SYSTEM, "failing", "False");
    let child = || names(&control_plane, "configmaps", SYSTEM).contains("configmap/parent\n");
    eventually("a child", || child().then_some(()));
    let own = ["delete", "configmap", "parent", "--namespace", SYSTEM];
    Kubectl(&control_plane).ok(&own);
    eventually("the child again", || child().then_some(()));
    eventually("an event", || {
        let events = names(&control_plane, "events.events.k8s.io", SYSTEM);
        (!events.is_empty()).then_some(())
    });

    let requests = ends_well(&control_plane, operator);
    for request in requests {
        let of = &request["objectRef"]["namespace"];
        assert_eq!(*of, SYSTEM, "{request:#}");
    }
    let after = ["parent", "failing"].map(|name| get(&control_plane, OTHER, name));
    assert_eq!(after, before);
    assert!(before.iter().all(|object| object["status"].is_null()));
    assert!(!names(&control_plane, "configmaps", OTHER).contains("parent"));
    assert_eq!(names(&control_plane, "events.events.k8s.io", OTHER), "");
}

/// What the API server says of each of its rights, in its namespace and elsewhere.
#[test]
fn it_has_no_right_elsewhere() {
    let (_dir, rendered) = switched();
    let control_plane = with_two_namespaces(&rendered);
    let kubectl = Kubectl(&control_plane);
    let operator = format!("system:serviceaccount:{SYSTEM}:{ACCOUNT}");
    let groups = [
        "system:authenticated".into(),
        "system:serviceaccounts".into(),
        format!("system:serviceaccounts:{SYSTEM}"),
    ];
    let mut asked = 0;
    let mut judge = |user: &str, groups: &[String], role: &Value| {
        for rule in role["rules"].as_array().unwrap() {
            let resource = rule["resources"][0].as_str().unwrap();
            let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
            for verb in rule["verbs"].as_array().unwrap() {
                // Nothing is all namespaces.
                for namespace in [SYSTEM, OTHER, "default", "kube-system", ""] {
                    let allowed = kubectl.allows(json!({
                        "user": user,
                        "groups": groups,
                        "resourceAttributes": {
                            "group": rule["apiGroups"][0],
                            "name": rule["resourceNames"][0],
                            "namespace": namespace,
                            "resource": resource,
                            "subresource": subresource,
                            "verb": verb,
                        },
                    }));
                    assert_eq!(
                        allowed,
                        namespace == SYSTEM,
                        "{user}: {rule} in {namespace}"
                    );
                    asked += 1;
                }
            }
        }
    };
    let role = |name: &str| {
        let mut roles = rendered.iter().filter(|object| object["kind"] == "Role");
        roles.find(|role| role["metadata"]["name"] == name).unwrap()
    };
    for name in [
        "trial-operator-manager-role",
        "trial-operator-leader-election-role",
    ] {
        judge(&operator, &groups, role(name));
    }
    for user in ["viewer", "editor", "admin"] {
        let name = format!("trial-operator-myapp-{user}-role");
        let binding = [
            "create",
            "rolebinding",
            user,
            "--namespace",
            SYSTEM,
            "--user",
            user,
        ];
        kubectl.ok(&[&binding[..], &["--role", &name]].concat());
        judge(user, &[], role(&name));
    }
    // Eleven rights of the operator, and four, eight and two of its users.
    assert_eq!(asked, (11 + 4 + 8 + 2) * 5);
}

/// As the README of the project says it.
#[test]
fn it_can_be_given_more_namespaces() {
    let (dir, mut rendered) = switched();
    let control_plane = with_two_namespaces(&rendered);
    let readme = dir.text("README.md");
    let recipe = readme
        .split("```sh\n")
        .find(|block| block.starts_with("sed "));
    let recipe = recipe.unwrap().split("```").next().unwrap();
    let kubectl = control_plane::assets().kubectl.as_ref().unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-ec", recipe])
        .env("PATH", support::first_in_path(kubectl.parent().unwrap()))
        .env("KUBECONFIG", &control_plane.kubeconfig().path)
        .env("NAMESPACE", OTHER);
    support::run(&mut bash, &dir).ok();

    let number = rendered
        .iter()
        .position(|object| object["kind"] == "Deployment");
    let deployment = &mut rendered[number.unwrap()];
    let env = &mut deployment["spec"]["template"]["spec"]["containers"][0]["env"];
    let watched = env.as_array_mut().unwrap().iter_mut();
    let watched = watched.filter(|variable| variable["name"] == "WATCH_NAMESPACE");
    for variable in watched {
        *variable = json!({"name": "WATCH_NAMESPACE", "value": format!("{SYSTEM},{OTHER}")});
    }
    for namespace in [SYSTEM, OTHER, "default"] {
        create(&control_plane, namespace, "parent", "child");
    }
    let mut operator = Trial::built().start_as(&control_plane, &rendered);
    operator.wait_ready();
    for namespace in [SYSTEM, OTHER] {
        becomes(&control_plane, namespace, "parent", "True");
        let children = names(&control_plane, "configmaps", namespace);
        assert!(children.contains("configmap/parent\n"), "{children}");
    }
    ends_well(&control_plane, operator);
    let left = get(&control_plane, "default", "parent");
    assert!(left["status"].is_null(), "{left:#}");
}

/// `make test` of a project that was namespaced from the start, as its own service account.
#[test]
fn its_own_tests_pass() {
    let dir = Dir::new("namespaced-operator");
    for line in ["rop init --domain example.com --namespaced", CREATE] {
        support::line(&dir, line).ok();
    }
    operator::its_own_tests_pass(&dir, &["myapp_controller::becomes_ready"]);
}
