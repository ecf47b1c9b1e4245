//! The tutorial of README.md, typed as it is printed there, and the targets of the Makefile that
//! need a cluster.
use crate::{
    control_plane,
    support::{self, Dir, Ran},
};
use std::{
    fs::{self, File},
    path::Path,
};

const SAMPLE: &str = "config/samples/app_v1alpha1_myapp.yaml";

/// What a user might do first: a field of the type, a child that shows it as the comment above
/// `ensure` has it, the right to write it.
const CHANGE: &str = r#"--- a/api/v1alpha1/myapp_types.rs
+++ b/api/v1alpha1/myapp_types.rs
@@ -29,2 +29,10 @@
     pub foo: Option<String>,
+
+    /// What the ConfigMap says.
+    #[serde(default = "hello")]
+    pub greeting: String,
 }
+
+fn hello() -> String {
+    "hello".into()
+}
 
--- a/src/controllers/myapp_controller.rs
+++ b/src/controllers/myapp_controller.rs
@@ -23,3 +23,4 @@
 // +kubebuilder:rbac:groups=app.example.com,resources=myapps,verbs=list;watch
 // +kubebuilder:rbac:groups=app.example.com,resources=myapps/status,verbs=patch
+// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=create;patch
 // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create
@@ -50,4 +51,9 @@
 /// ```
-async fn ensure(_object: &Object, _ctx: &Context) -> Result<()> {
+async fn ensure(object: &Object, ctx: &Context) -> Result<()> {
+    let greeting = object.spec.greeting.clone();
+    let mut child = k8s_openapi::api::core::v1::ConfigMap::default();
+    child.metadata.name = object.metadata.name.clone();
+    child.data = Some([("greeting".into(), greeting)].into());
+    ctx.apply(object, &child).await?;
     Ok(())
 }
"#;

/// It opens both files, makes the change and ends.
const EDITOR: &str = r#"#!/bin/sh
test -f "$1" && test -f "$2" && exec git apply --unidiff-zero "$0.patch"
"#;

/// Whatever happens, no operator stays.
const BEFORE: &str = r#"
set -e
set -m
# A target that hangs is a failure.
(sleep 1200; kill -KILL $$) >/dev/null 2>&1 &
watchdog=$!
trap 'for group in $watchdog $operator; do kill -KILL -- "-$group" 2>/dev/null || true; done' EXIT
section() { echo "<$1>"; "${@:2}"; echo "</$1>"; }
"#;

/// A namespace and a CRD cannot be seen to be the operator's but by their names.
const AFTER: &str = r#"
section greeting kubectl get configmap myapp-sample --output 'jsonpath={.data.greeting}{"\n"}'
section rights grep configmaps config/rbac/role.yaml

# Ctrl-C. A shell gives it to make as well, which then ends by it, whatever the operator says.
pkill -INT -P "$operator"
wait "$operator"
operator=

make deploy IMG=localhost:5000/operator:v1
make deploy IMG=localhost:5000/operator:v1
section deployed kubectl get --filename target/deploy.yaml --output name
section image kubectl get deployments --all-namespaces \
  --output 'jsonpath={..containers[0].image}{"\n"}'
make undeploy
make undeploy
section left kubectl get --ignore-not-found --filename target/deploy.yaml --output name
section objects kubectl get myapp --output name

section refused eval '! make uninstall 2>&1'
kubectl delete --kustomize config/samples
make uninstall
make uninstall
section uninstalled kubectl get crds --output name

make install
make install
kubectl apply --kustomize config/samples
make uninstall FORCE=1
make uninstall FORCE=1
section forced kubectl get crds --output name
echo the end
"#;

const DEPLOYED: [&str; 11] = [
    "namespace/tutorial-operator-system",
    "customresourcedefinition.apiextensions.k8s.io/myapps.app.example.com",
    "serviceaccount/tutorial-operator-controller-manager",
    "role.rbac.authorization.k8s.io/tutorial-operator-leader-election-role",
    "clusterrole.rbac.authorization.k8s.io/tutorial-operator-manager-role",
    "clusterrole.rbac.authorization.k8s.io/tutorial-operator-myapp-admin-role",
    "clusterrole.rbac.authorization.k8s.io/tutorial-operator-myapp-editor-role",
    "clusterrole.rbac.authorization.k8s.io/tutorial-operator-myapp-viewer-role",
    "rolebinding.rbac.authorization.k8s.io/tutorial-operator-leader-election-rolebinding",
    "clusterrolebinding.rbac.authorization.k8s.io/tutorial-operator-manager-rolebinding",
    "deployment.apps/tutorial-operator-controller-manager",
];

/// The code block of README.md that has all of the tutorial.
fn tutorial() -> String {
    let readme = fs::read_to_string(support::repository().join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    let all = |block: &&str| {
        ["rop init", "$EDITOR", "make run", "kubectl get"]
            .iter()
            .all(|part| block.contains(part))
    };
    let found: Vec<_> = blocks.filter(all).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].into()
}

/// The lines as one person at two terminals types them, who looks when there is something to see.
fn typed(tutorial: &str) -> String {
    let typed = tutorial.lines().map(|line| {
        let command = line.split(" #").next().unwrap().trim_end();
        if command.starts_with("make run") {
            // With job control, it has a process group of its own and can be interrupted.
            format!("set -m\n{command} >run.log 2>&1 </dev/null &\noperator=$!\nset +m\n")
        } else if command.starts_with("kubectl get") {
            let wait =
                format!("kubectl wait --for condition=Ready --timeout 5m --filename {SAMPLE}");
            format!("{wait} || {{ cat run.log; exit 1; }}\nsection get {command}\n")
        } else {
            format!("{command}\n")
        }
    });
    typed.collect()
}

/// Types a script into `rop envtest run -- bash`, in a folder.
fn session(dir: &Path, script: &str) -> Ran {
    let tools = Dir::new("tools");
    tools.write("session", script);
    tools.write("editor.patch", CHANGE);
    tools.program("editor", EDITOR);
    let rop = Path::new(env!("CARGO_BIN_EXE_rop"));
    let assets = control_plane::assets_folder();
    let mut bash = support::builder(rop);
    bash.args(["envtest", "run", "--", "bash"])
        .env("KUBEBUILDER_ASSETS", assets)
        .env("KUBECACHEDIR", tools.join("cache"))
        .env("PATH", support::first_in_path(rop.parent().unwrap()))
        .env("EDITOR", tools.join("editor"))
        // The default port may be taken.
        .env("ARGS", "--health-probe-bind-address=0")
        .stdin(File::open(tools.join("session")).unwrap());
    support::run(&mut bash, dir)
}

/// The lines that a section of the session has printed.
#[track_caller]
fn section<'a>(ran: &'a Ran, name: &str) -> Vec<&'a str> {
    let (start, end) = (format!("<{name}>\n"), format!("</{name}>\n"));
    let text = ran.stdout.split(&*start).nth(1);
    let text = text.and_then(|text| text.split(&*end).next());
    text.unwrap_or_else(|| panic!("no {name} in {ran:#?}"))
        .lines()
        .collect()
}

#[test]
fn the_tutorial_as_printed() {
    let dir = Dir::new("tutorial-operator");
    let script = [BEFORE, &typed(&tutorial()), AFTER].concat();
    let ran = session(&dir, &script).ok();
    assert!(ran.stdout.ends_with("the end\n"), "{ran:#?}");

    let shown = section(&ran, "get");
    let words: Vec<Vec<_>> = shown
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(words[0], ["NAME", "READY", "AGE"]);
    assert_eq!(words[1][..2], ["myapp-sample", "True"]);
    assert_eq!(section(&ran, "greeting"), ["hello"]);
    assert_eq!(section(&ran, "rights").len(), 1);

    let mut deployed = section(&ran, "deployed");
    let mut wanted = DEPLOYED;
    deployed.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(deployed, wanted);
    assert_eq!(section(&ran, "image"), ["localhost:5000/operator:v1"]);
    assert_eq!(section(&ran, "left"), DEPLOYED[..2]);
    let object = ["myapp.app.example.com/myapp-sample"];
    assert_eq!(section(&ran, "objects"), object);

    let refused = section(&ran, "refused").join("\n");
    assert!(
        refused.contains("There are objects of myapps.app.example.com"),
        "{refused}"
    );
    assert!(section(&ran, "uninstalled").is_empty());
    assert!(section(&ran, "forced").is_empty());
}

/// What `rop init` alone makes has no CRD, but everything else.
#[test]
fn targets_without_a_crd() {
    let dir = Dir::new("empty-operator");
    let script = "rop init --domain example.com
        for target in install deploy undeploy uninstall; do make $target; make $target; done
        section left kubectl get --ignore-not-found --filename target/deploy.yaml --output name";
    let ran = session(&dir, &[BEFORE, script].concat()).ok();
    assert_eq!(
        ran.stdout.matches("There is no CRD.").count(),
        4,
        "{ran:#?}"
    );
    assert_eq!(section(&ran, "left"), ["namespace/empty-operator-system"]);
}
