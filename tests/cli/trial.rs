//! An operator for trials: scaffolded, with a body of `ensure` that can be told to fail.
use crate::{
    cluster::{self, Kubectl, Operator, eventually, install, render},
    support::{self, CREATE, Dir, INIT},
};
use rop::envtest::ControlPlane;
use serde_json::Value;
use std::{path::Path, sync::OnceLock};

pub const SYSTEM: &str = "trial-operator-system";
pub const LEASE: &str = "trial-operator.example.com";

const CONTROLLER: &str = "src/controllers/myapp_controller.rs";

/// The operator, and what is deployed with it.
pub struct Trial {
    dir: Dir,
    pub rendered: Vec<Value>,
}

impl Trial {
    /// Built once for all tests.
    pub fn built() -> &'static Self {
        static TRIAL: OnceLock<Trial> = OnceLock::new();
        TRIAL.get_or_init(|| {
            let dir = Self::scaffold();
            let mut cargo = support::builder("cargo");
            support::run(cargo.args(["build", "--locked"]), &dir).ok();
            let rendered = render(&dir, "config/default");
            Self { dir, rendered }
        })
    }

    /// Its project.
    pub fn scaffold() -> Dir {
        let dir = Dir::new("trial-operator");
        for line in [INIT, CREATE] {
            support::line(&dir, line).ok();
        }
        write_logic(&dir);
        support::line(&dir, "rop generate rbac").ok();
        dir
    }

    /// Starts the operator.
    pub fn start(&self, control_plane: &ControlPlane) -> Operator {
        self.start_as(control_plane, &self.rendered)
    }

    /// Starts the operator as another configuration has it.
    pub fn start_as(&self, control_plane: &ControlPlane, rendered: &[Value]) -> Operator {
        let program = self.dir.join("target/debug/manager");
        Operator::start(control_plane, &program, rendered)
    }

    /// A control plane with the CRDs and the rights of the operator.
    pub fn control_plane(&self) -> ControlPlane {
        let control_plane = cluster::audited();
        install(&control_plane, &self.rendered);
        control_plane
    }
}

/// What its user would write.
fn write_logic(dir: &Dir) {
    let text = dir.text(CONTROLLER);
    let begin = text.find("/// TODO: your logic").unwrap();
    let length = text[begin..].find("\n}\n").unwrap() + 3;
    let logic = include_str!("../data/trial/ensure.rs");
    let text = format!("{}{logic}{}", &text[..begin], &text[begin + length..]);
    let text = replace(
        &text,
        "    let controller = ctx.controller::<Object>();\n",
        "    let maps = ctx.watch(ctx.api::<ConfigMap>(), watcher::Config::default());\n    \
         let controller = ctx.controller::<Object>().owns_stream(maps);\n",
    );
    let text = replace(
        &text,
        "use kube::runtime::controller::Action;\n",
        "use k8s_openapi::api::core::v1::ConfigMap;\n\
         use kube::{ResourceExt, runtime::{controller::Action, watcher}};\n",
    );
    let marker =
        "// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=create;list;patch;watch\n";
    dir.write(CONTROLLER, format!("{text}\n{marker}"));
    let errors = dir.text("src/error.rs");
    let kube = "    #[error(\"a request to the API server failed\")]\n";
    let own = format!("    #[error(\"try {{0}}\")]\n    Trial(usize),\n{kube}");
    let errors = replace(&errors, kube, &own);
    let reason = "Self::Kube(_) =>";
    let both = "Self::Kube(_) | Self::Trial(_) =>";
    dir.write("src/error.rs", replace(&errors, reason, both));
}

fn replace(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old}");
    text.replace(old, new)
}

/// Creates an object of the trial's kind.
#[track_caller]
pub fn create(control_plane: &ControlPlane, name: &str, asks: &str) {
    let manifest = format!(
        "apiVersion: app.example.com/v1alpha1\nkind: MyApp\n\
         metadata: {{name: {name}, namespace: default}}\nspec: {{foo: {asks}}}\n"
    );
    let file = control_plane.folder().join(format!("{name}.yaml"));
    std::fs::write(&file, manifest).unwrap();
    Kubectl(control_plane).ok(&["apply", "--filename", path(&file)]);
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

/// Changes what an object asks for.
#[track_caller]
pub fn change(control_plane: &ControlPlane, name: &str, asks: &str) {
    let patch = format!(r#"{{"spec":{{"foo":"{asks}"}}}}"#);
    Kubectl(control_plane).patch(&["myapp", name], &patch);
}

/// Who has the lease; nobody once it was released.
pub fn holder(control_plane: &ControlPlane) -> String {
    let lease = Kubectl(control_plane).json(&["get", "lease", LEASE, "--namespace", SYSTEM]);
    let holder = lease["spec"]["holderIdentity"].as_str();
    holder.unwrap().to_owned()
}

pub fn get(control_plane: &ControlPlane, name: &str) -> Value {
    Kubectl(control_plane).json(&["get", "myapp", name])
}

/// The status of the condition Ready, if it is that of the latest generation.
pub fn ready(object: &Value) -> Option<&str> {
    let generation = &object["metadata"]["generation"];
    let conditions = object["status"]["conditions"].as_array()?;
    let ready = conditions.iter().find(|c| c["type"] == "Ready")?;
    let latest = &ready["observedGeneration"] == generation
        && &object["status"]["observedGeneration"] == generation;
    ready["status"].as_str().filter(|_| latest)
}

/// Waits until an object shows this status of Ready.
#[track_caller]
pub fn becomes(control_plane: &ControlPlane, name: &str, status: &str) -> Value {
    eventually(&format!("{name} Ready={status}"), || {
        let object = get(control_plane, name);
        (ready(&object) == Some(status)).then_some(object)
    })
}

/// Types and reasons of the events about an object, the oldest first.
pub fn events(control_plane: &ControlPlane, name: &str) -> Vec<(String, String)> {
    let events = Kubectl(control_plane).json(&[
        "get",
        "events.events.k8s.io",
        "--sort-by=.eventTime",
        &format!("--field-selector=regarding.name={name}"),
    ]);
    let events = events["items"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    events
        .iter()
        .map(|event| (text(&event["type"]), text(&event["reason"])))
        .collect()
}
