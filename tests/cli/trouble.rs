//! An operator in trouble, on a real API server.
use crate::{
    cluster::{Kubectl, Operator, eventually, requests, time},
    control_plane,
    trial::{self, SYSTEM, Trial},
};
use k8s_openapi::jiff::Timestamp;
use rop::envtest::{ApplyOptions, ControlPlane, Options};
use serde_json::Value;
use std::{thread, time::Duration};

fn start(control_plane: &ControlPlane) -> Operator {
    Trial::built().start(control_plane)
}

/// The writes of the operator to the status of an object, answered well or not.
fn status_writes(control_plane: &ControlPlane, operator: &Operator, name: &str) -> Vec<Value> {
    let mut requests = requests(control_plane, operator);
    requests.retain(|event| {
        let object = &event["objectRef"];
        object["subresource"] == "status" && object["name"] == name
    });
    requests
}

#[test]
fn an_object_that_always_fails() {
    let control_plane = Trial::built().control_plane();
    let mut operator = start(&control_plane);
    operator.wait_ready();
    trial::create(&control_plane, "failing", "fail");
    let first = eventually("a try", || {
        let tries = status_writes(&control_plane, &operator, "failing");
        tries.first().map(time)
    });
    for number in 0..10 {
        let name = format!("well-{number}");
        trial::create(&control_plane, &name, "well");
        trial::becomes(&control_plane, &name, "True");
    }
    let since = Timestamp::now().duration_since(first);
    thread::sleep(Duration::from_secs(20).saturating_sub(since.unsigned_abs()));

    // After 0.1 s, 0.3, 0.7, 1.5, 3.1, 6.3 and 12.7, each a quarter more or less.
    let tries = status_writes(&control_plane, &operator, "failing");
    let mut tries: Vec<_> = tries.iter().map(time).collect();
    tries.retain(|time| time.duration_since(first).unsigned_abs() <= Duration::from_secs(20));
    assert!((4..=9).contains(&tries.len()), "{tries:?}");
    let delays: Vec<_> = tries
        .windows(2)
        .map(|pair| pair[1].duration_since(pair[0]).unsigned_abs())
        .collect();
    // The first ones drown in the time of a request.
    let long = delays.iter().filter(|delay| delay.as_secs_f64() > 0.5);
    assert!(long.clone().is_sorted() && long.count() >= 3, "{delays:?}");
    assert!(trial::events(&control_plane, "well-0").is_empty());
    let failed = [("Warning".to_owned(), "ReconcileFailed".to_owned())];
    assert_eq!(trial::events(&control_plane, "failing"), failed);

    trial::change(&control_plane, "failing", "well");
    trial::becomes(&control_plane, "failing", "True");
    let recovered = [("Normal".to_owned(), "Reconciled".to_owned())];
    eventually("the event of the recovery", || {
        let events = trial::events(&control_plane, "failing");
        (events == [&failed[..], &recovered].concat()).then_some(())
    });
    for number in 0..10 {
        let writes = status_writes(&control_plane, &operator, &format!("well-{number}"));
        assert_eq!(
            writes.len(),
            1,
            "a status that does not change is not written"
        );
    }
}

#[test]
fn what_others_write_stays() {
    let control_plane = Trial::built().control_plane();
    let kubectl = Kubectl(&control_plane);
    let mut operator = start(&control_plane);
    operator.wait_ready();
    trial::create(&control_plane, "shared", "child");
    trial::becomes(&control_plane, "shared", "True");
    let backup = r#"{"apiVersion":"app.example.com/v1alpha1","kind":"MyApp",
        "metadata":{"name":"shared","namespace":"default"},
        "status":{"conditions":[{"type":"Backup","status":"True","reason":"Saved","message":"",
        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}"#;
    let file = control_plane.folder().join("backup.json");
    std::fs::write(&file, backup).unwrap();
    kubectl.ok(&[
        "apply",
        "--server-side",
        "--field-manager=backup",
        "--subresource=status",
        "--filename",
        file.to_str().unwrap(),
    ]);
    let patch = r#"{"data":{"other":"stays","foo":"wrong"}}"#;
    kubectl.patch(&["configmap", "shared"], patch);
    let patch = r#"{"metadata":{"labels":{"team":"blue"}},"spec":{"foo":"fail"}}"#;
    kubectl.patch(&["myapp", "shared"], patch);
    trial::becomes(&control_plane, "shared", "False");
    trial::change(&control_plane, "shared", "child");
    let object = trial::becomes(&control_plane, "shared", "True");
    let conditions = object["status"]["conditions"].as_array().unwrap();
    let backup = conditions.iter().find(|c| c["type"] == "Backup").unwrap();
    assert_eq!(backup["lastTransitionTime"], "2026-01-01T00:00:00Z");
    assert_eq!(object["metadata"]["labels"]["team"], "blue");
    eventually("the operator's own field", || {
        let map = kubectl.json(&["get", "configmap", "shared"]);
        assert_eq!(map["data"]["other"], "stays");
        (map["data"]["foo"] == "child").then_some(())
    });
}

#[test]
fn panics_and_objects_that_go() {
    let control_plane = Trial::built().control_plane();
    let mut operator = start(&control_plane);
    operator.wait_ready();
    trial::create(&control_plane, "panics", "panic");
    operator.says("the reconcile function panicked");
    trial::create(&control_plane, "gone", "slow");
    operator.says("the slow reconcile begins");
    Kubectl(&control_plane).ok(&["delete", "myapp", "gone"]);
    // Its status is written in vain.
    let in_vain = || {
        let writes = status_writes(&control_plane, &operator, "gone");
        let mut codes = writes.iter().map(|event| &event["responseStatus"]["code"]);
        codes.any(|code| code == 404)
    };
    eventually("the answer", || in_vain().then_some(()));
    trial::change(&control_plane, "panics", "well");
    trial::becomes(&control_plane, "panics", "True");
    let log = operator.log();
    let failures = log.lines().filter(|line| line.contains("reconcile failed"));
    assert!(failures.clone().count() > 0);
    for line in failures {
        assert!(line.contains("panics") && !line.contains("gone"), "{line}");
    }
}

#[test]
fn an_api_server_that_comes_back() {
    let mut control_plane = Trial::built().control_plane();
    let mut operator = start(&control_plane);
    operator.wait_ready();
    trial::create(&control_plane, "before", "child");
    trial::becomes(&control_plane, "before", "True");
    control_plane.restart_api_server().unwrap();
    trial::change(&control_plane, "before", "new");
    trial::create(&control_plane, "after", "child");
    let right = |control_plane: &ControlPlane| {
        let right = |name| trial::ready(&trial::get(control_plane, name)) == Some("True");
        right("before") && right("after")
    };
    eventually("all is right", || {
        if let Some(ended) = operator.child.try_wait().unwrap() {
            // Kubernetes would start it again.
            assert_eq!(ended.code(), Some(1), "{}", operator.log());
            assert!(
                operator.log().contains("lost the lease"),
                "{}",
                operator.log()
            );
            operator = start(&control_plane);
        }
        right(&control_plane).then_some(())
    });
}

#[test]
fn what_is_missing_is_named() {
    let trial = Trial::built();
    let control_plane =
        ControlPlane::start(&Options::new(control_plane::assets().clone())).unwrap();
    let binding = "trial-operator-manager-rolebinding";
    let lease = "trial-operator-leader-election-rolebinding";
    let is = |object: &Value, what: &[&str]| {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        object["kind"] == "Deployment" || what.contains(&name)
    };
    let mut rendered = trial.rendered.clone();
    rendered.retain(|object| !is(object, &["myapps.app.example.com", binding, lease]));
    let role = "trial-operator-manager-role";
    for object in rendered
        .iter_mut()
        .filter(|o| o["metadata"]["name"] == role)
    {
        for rule in object["rules"].as_array_mut().unwrap() {
            rule["verbs"]
                .as_array_mut()
                .unwrap()
                .retain(|verb| verb != "watch");
        }
    }
    control_plane
        .apply(&rendered, ApplyOptions::default())
        .unwrap();

    let mut operator = start(&control_plane);
    let tells = |texts: &[&str]| {
        eventually(texts[0], || {
            let (code, answer) = operator.readiness()?;
            let all = texts.iter().all(|text| answer.contains(text));
            (code == 503 && all).then_some(())
        });
    };
    let bring = |name: &str| {
        let objects = trial.rendered.iter();
        let objects: Vec<_> = objects
            .filter(|o| o["metadata"]["name"] == name)
            .cloned()
            .collect();
        assert_eq!(objects.len(), 1, "{name}");
        control_plane
            .apply(&objects, ApplyOptions::default())
            .unwrap();
    };
    tells(&["leases.coordination.k8s.io", "cannot get resource", SYSTEM]);
    bring(lease);
    tells(&[
        "myapps.app.example.com is forbidden",
        "configmaps is forbidden",
        "cannot list resource",
    ]);
    bring(binding);
    tells(&["no myapps.app.example.com/v1alpha1"]);
    bring("myapps.app.example.com");
    // What was listed is not enough.
    tells(&["cannot watch resource", "myapps", "configmaps"]);
    bring(role);
    operator.wait_ready();
    trial::create(&control_plane, "one", "child");
    trial::becomes(&control_plane, "one", "True");
}
