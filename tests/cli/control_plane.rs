//! A real control plane, started, used and ended in every way. The binaries are built when they are not there.
#![allow(clippy::print_stderr, clippy::unwrap_used)]
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::support;
use nix::sys::signal::{Signal, kill, killpg};
use rop::envtest::{ApplyOptions, Assets, ControlPlane, KUBERNETES_VERSION, Options};
use rop::model::names::Plural;
use serde_json::{Value, json};

/// Far more than anything here takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// The binaries of the control plane, built once; a test that needs them fails when they cannot be had.
pub(crate) fn assets() -> &'static Assets {
    static ASSETS: OnceLock<Assets> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/control-plane/build.sh");
        let build = Command::new(script).stderr(Stdio::inherit()).output();
        let build = build.unwrap();
        assert!(build.status.success(), "{script}: {}", build.status);
        let folder = String::from_utf8(build.stdout).unwrap();
        Assets::find(Some(Path::new(folder.trim_end()))).unwrap()
    })
}

/// The folder that they are in.
pub(crate) fn assets_folder() -> &'static Path {
    assets().etcd.parent().unwrap()
}

/// Runs kubectl as the user of the kubeconfig.
pub(crate) fn kubectl(kubeconfig: &Path, arguments: &[&str]) -> Output {
    let program = assets().kubectl.as_ref().unwrap();
    let mut command = Command::new(program);
    command.args(arguments).env("KUBECONFIG", kubeconfig);
    // its discovery cache
    command.env("HOME", kubeconfig.parent().unwrap());
    command.env("NO_PROXY", "127.0.0.1");
    command.output().unwrap()
}

/// What Kubernetes calls its own resources.
fn its_resources_have_our_plurals(control_plane: &ControlPlane) {
    let all = ["api-resources", "--no-headers"];
    let output = kubectl(&control_plane.kubeconfig().path, &all);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut count = 0;
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let plural = Plural::of(&words[words.len() - 1].parse().unwrap()).unwrap();
        assert_eq!(plural.as_str(), words[0]);
        count += 1;
    }
    assert!(count > 50, "{text}");
}

fn widget_crd() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "widgets.example.com" },
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": { "plural": "widgets", "singular": "widget", "kind": "Widget" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "properties": {
                    "spec": { "type": "object", "properties": { "size": { "type": "integer" } } },
                } } },
            }],
        },
    })
}

fn widget(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": { "name": name, "namespace": "shop" },
        "spec": spec,
    })
}

/// A namespace, and in it a service account that may list widgets, as `config/default` would bring it.
fn operator() -> Vec<Value> {
    let rbac = "rbac.authorization.k8s.io";
    let named = json!({ "name": "operator", "namespace": "shop" });
    vec![
        json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop" } }),
        json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": named }),
        json!({
            "apiVersion": format!("{rbac}/v1"), "kind": "Role", "metadata": named,
            "rules": [{ "apiGroups": ["example.com"], "resources": ["widgets"], "verbs": ["list"] }],
        }),
        json!({
            "apiVersion": format!("{rbac}/v1"), "kind": "RoleBinding", "metadata": named,
            "roleRef": { "apiGroup": rbac, "kind": "Role", "name": "operator" },
            "subjects": [{ "kind": "ServiceAccount", "name": "operator", "namespace": "shop" }],
        }),
    ]
}

#[test]
fn a_control_plane_from_start_to_end() {
    let options = Options {
        audit: true,
        ..Options::new(assets().clone())
    };
    let started = Instant::now();
    let mut control_plane = ControlPlane::start(&options).unwrap();
    let ready = started.elapsed();
    assert!(ready < PATIENCE, "{ready:?}");

    kubeconfig_is_private_and_works(&control_plane);
    its_resources_have_our_plurals(&control_plane);
    kinds_are_served_when_applied(&control_plane);
    unknown_fields_are_refused(&control_plane);
    a_dry_run_changes_nothing(&control_plane);
    a_service_account_may_do_what_its_role_says(&control_plane);
    a_restart_keeps_the_data(&mut control_plane);

    let folder = control_plane.folder().to_owned();
    let pids = control_plane.pids();
    assert!(pids.iter().all(|pid| is_alive(*pid)) && folder.exists());
    let ended = Instant::now();
    drop(control_plane);
    assert!(!folder.exists() && !pids.iter().any(|pid| is_alive(*pid)));
    let end = ended.elapsed();
    assert!(end < PATIENCE, "{end:?}");
    eprintln!("ready after {ready:?}, gone after {end:?}");
}

fn kubeconfig_is_private_and_works(control_plane: &ControlPlane) {
    let kubeconfig = control_plane.kubeconfig();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&kubeconfig.path), 0o600);
    assert_eq!(mode(control_plane.folder()), 0o700);
    assert_eq!(
        fs::read_to_string(&kubeconfig.path).unwrap(),
        kubeconfig.text
    );
    let version = succeed(kubectl(&kubeconfig.path, &["version"]));
    let server = format!("Server Version: v{KUBERNETES_VERSION}");
    assert!(version.contains(&server), "{version}");
}

fn kinds_are_served_when_applied(control_plane: &ControlPlane) {
    let mut manifests = operator();
    // an object right behind its kind
    manifests.extend([widget_crd(), widget("one", &json!({ "size": 1 }))]);
    control_plane
        .apply(&manifests, ApplyOptions::default())
        .unwrap();
    control_plane
        .apply(&manifests, ApplyOptions::default())
        .unwrap();
    let widgets = ["get", "widgets", "-n", "shop", "-o", "name"];
    let widgets = succeed(kubectl(&control_plane.kubeconfig().path, &widgets));
    assert_eq!(widgets, "widget.example.com/one\n");
}

fn unknown_fields_are_refused(control_plane: &ControlPlane) {
    let manifests = [
        widget("wrong", &json!({ "size": 1, "sizes": 2 })),
        json!({
            "apiVersion": "v1", "kind": "Service", "metadata": { "name": "wrong" },
            "spec": { "ports": [{ "port": 80 }], "prots": [] },
        }),
        json!({ "apiVersion": "example.com/v1", "kind": "Gadget", "metadata": { "name": "wrong" } }),
        widget("right", &json!({ "size": 2 })),
    ];
    let error = control_plane
        .apply(&manifests, ApplyOptions::default())
        .unwrap_err();
    let message = error.message();
    assert!(
        message.starts_with("the API server refused 3 of 4 objects:\n"),
        "{message}"
    );
    for part in [
        "Widget shop/wrong: ",
        ".spec.sizes",
        "Service wrong: ",
        ".spec.prots",
        "Gadget wrong: ",
    ] {
        assert!(message.contains(part), "{message}");
    }

    let nameless = [json!({ "apiVersion": "v1", "kind": "Pod" })];
    let error = control_plane
        .apply(&nameless, ApplyOptions::default())
        .unwrap_err();
    assert_eq!(error.message(), "manifest 1 has no metadata.name");
}

fn a_dry_run_changes_nothing(control_plane: &ControlPlane) {
    let dry_run = ApplyOptions { dry_run: true };
    let right = [widget("dry", &json!({ "size": 3 }))];
    control_plane.apply(&right, dry_run).unwrap();
    let wrong = [widget("dry", &json!({ "size": "large" }))];
    let error = control_plane.apply(&wrong, dry_run).unwrap_err();
    assert!(error.message().contains("spec.size"), "{error}");
    let get = ["get", "widget", "dry", "-n", "shop"];
    let get = kubectl(&control_plane.kubeconfig().path, &get);
    assert!(
        String::from_utf8_lossy(&get.stderr).contains("NotFound"),
        "{get:?}"
    );
}

fn a_service_account_may_do_what_its_role_says(control_plane: &ControlPlane) {
    let user = control_plane
        .service_account_kubeconfig("shop", "operator")
        .unwrap();
    assert_eq!(
        user.path.metadata().unwrap().permissions().mode() & 0o777,
        0o600
    );
    // its namespace is the service account's, as in a cluster
    let widgets = succeed(kubectl(&user.path, &["get", "widgets", "-o", "name"]));
    assert!(widgets.contains("widget.example.com/one"), "{widgets}");
    let pods = kubectl(&user.path, &["get", "pods"]);
    let refusal = String::from_utf8_lossy(&pods.stderr).into_owned();
    let name = "User \"system:serviceaccount:shop:operator\" cannot list resource \"pods\"";
    assert!(
        refusal.contains("(Forbidden)") && refusal.contains(name),
        "{refusal}"
    );

    let error = control_plane
        .service_account_kubeconfig("shop", "nobody")
        .unwrap_err();
    assert_eq!(
        error.message(),
        "cannot get a token of the service account shop/nobody"
    );
    assert!(error.causes()[0].contains("not found"), "{error:?}");

    let log = fs::read_to_string(control_plane.audit_log().unwrap()).unwrap();
    let events = log.lines().map(|line| serde_json::from_str(line).unwrap());
    let events: Vec<Value> = events.collect();
    let refused = events.iter().find(|event| {
        event["user"]["username"] == "system:serviceaccount:shop:operator"
            && event["objectRef"]["resource"] == "pods"
    });
    let refused = refused.unwrap();
    assert_eq!(refused["responseStatus"]["code"], 403, "{refused}");
    assert_eq!(refused["level"], "Metadata");

    // SSA refuses undeclared fields by itself; that the rest is strict too is seen here only
    let ours = |event: &&Value| event["verb"] == "patch" && event["user"]["username"] == "admin";
    let mut applied = events
        .iter()
        .filter(ours)
        .map(|event| event["requestURI"].to_string());
    assert!(applied.all(|uri| uri.contains("fieldValidation=Strict")));
}

fn a_restart_keeps_the_data(control_plane: &mut ControlPlane) {
    let (url, before) = (control_plane.url(), control_plane.pids());
    let admin = control_plane.kubeconfig().path.clone();
    control_plane.stop_api_server();
    assert!(!kubectl(&admin, &["get", "namespaces"]).status.success());
    control_plane.restart_api_server().unwrap();
    assert_eq!(control_plane.url(), url);
    let new = control_plane
        .pids()
        .iter()
        .filter(|pid| !before.contains(pid))
        .count();
    assert_eq!(new, 1, "the API server is a new process, etcd is not");
    let get = [
        "get",
        "widget",
        "one",
        "-n",
        "shop",
        "-o",
        "jsonpath={.spec.size}",
    ];
    assert_eq!(succeed(kubectl(&admin, &get)), "1");
}

fn succeed(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether the process runs; one that nobody has waited for yet (Z) does not.
fn is_alive(pid: u32) -> bool {
    let ps = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8(ps.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// A process of its own that has a control plane, and what belongs to that.
struct Owner {
    process: Child,
    folder: PathBuf,
    pids: Vec<u32>,
}

impl Owner {
    /// This test binary again, to run [`owner_of_a_control_plane`] in an environment full of traps.
    fn command(how_it_ends: &str) -> Command {
        let traps = [
            ("KUBECONFIG", "/nonexistent"),
            ("KUBERNETES_SERVICE_HOST", "192.0.2.1"),
            ("KUBERNETES_SERVICE_PORT", "443"),
            ("HTTP_PROXY", "http://127.0.0.1:9"),
            ("HTTPS_PROXY", "http://127.0.0.1:9"),
            ("ALL_PROXY", "http://127.0.0.1:9"),
            ("ETCD_INITIAL_CLUSTER", "trap"),
            ("ETCD_DISCOVERY", "http://127.0.0.1:9"),
        ];
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "control_plane::owner_of_a_control_plane",
                "--ignored",
                "--nocapture",
            ])
            .envs(traps)
            .env("ROP_TEST_OWNER", how_it_ends)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    fn wait_until_ready(mut process: Child) -> Self {
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        let line =
            lines.find_map(|line| line.split_once("READY ").map(|(_, rest)| rest.to_owned()));
        let (folder, pids) = serde_json::from_str(&line.unwrap()).unwrap();
        Self {
            process,
            folder,
            pids,
        }
    }

    fn assert_running(&self) {
        assert!(self.pids.iter().all(|pid| is_alive(*pid)) && self.folder.exists());
    }

    fn assert_gone_soon(mut self, how: &str) {
        self.process.wait().unwrap();
        let ended = Instant::now();
        let is_left = || self.folder.exists() || self.pids.iter().any(|pid| is_alive(*pid));
        while is_left() {
            assert!(ended.elapsed() < PATIENCE, "something survives {how}");
            thread::sleep(Duration::from_millis(20));
        }
        eprintln!("gone {:?} after {how}", ended.elapsed());
    }
}

/// A failed test leaves none behind.
impl Drop for Owner {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn nothing_survives_the_owner_however_it_ends() {
    assets();
    // three at once: they must not get into each other's way either
    let owners = ["sleep", "sleep", "panic"].map(|end| Owner::command(end).spawn().unwrap());
    let [killed, interrupted, mut panicking] = owners.map(Owner::wait_until_ready);

    kill(support::pid(&killed.process), Signal::SIGKILL).unwrap();
    killed.assert_gone_soon("SIGKILL");
    interrupted.assert_running();
    panicking.assert_running();

    // to the whole group, as Ctrl-C on a terminal
    killpg(support::pid(&interrupted.process), Signal::SIGINT).unwrap();
    interrupted.assert_gone_soon("SIGINT");
    panicking.assert_running();

    drop(panicking.process.stdin.take());
    panicking.assert_gone_soon("a panic");
}

#[test]
fn nothing_survives_an_owner_that_ends_while_starting() {
    assets();
    let temporary = tempfile::tempdir().unwrap();
    let mut owner = Owner::command("sleep");
    let mut owner = owner.env("TMPDIR", temporary.path()).spawn().unwrap();
    let is_empty = || fs::read_dir(&temporary).unwrap().next().is_none();
    let started = Instant::now();
    while is_empty() {
        assert!(started.elapsed() < PATIENCE, "it does not start");
        thread::sleep(Duration::from_millis(1));
    }
    kill(support::pid(&owner), Signal::SIGTERM).unwrap();
    owner.wait().unwrap();
    let ended = Instant::now();
    // the servers and the watchdog have the path in their arguments
    let path = temporary.path().to_str().unwrap();
    let is_named = || {
        let ps = Command::new("ps")
            .args(["-axww", "-o", "stat=,args="])
            .output()
            .unwrap();
        String::from_utf8_lossy(&ps.stdout).contains(path)
    };
    while !is_empty() || is_named() {
        assert!(ended.elapsed() < PATIENCE, "something survives SIGTERM");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[allow(clippy::print_stdout, clippy::zombie_processes)]
#[ignore = "the owner that another test starts and ends"]
fn owner_of_a_control_plane() {
    let Ok(how_it_ends) = std::env::var("ROP_TEST_OWNER") else {
        return;
    };
    let control_plane = ControlPlane::start(&Options::new(assets().clone())).unwrap();
    // a child that outlives its parent must not keep the control plane alive
    let _bystander = Command::new("sleep")
        .arg("20")
        .process_group(0)
        .spawn()
        .unwrap();
    let ready = json!([control_plane.folder(), control_plane.pids()]);
    println!("READY {ready}");
    // until the test kills this process or closes its input
    std::io::stdin().read_line(&mut String::new()).unwrap();
    assert_ne!(how_it_ends, "panic", "as asked");
}

/// Executable stand-ins for the servers: shell scripts, or whatever the bytes are.
fn stand_ins(etcd: &[u8], kube_apiserver: &[u8]) -> (tempfile::TempDir, Options) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("etcd", etcd), ("kube-apiserver", kube_apiserver)] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let options = Options::new(Assets::find(Some(folder.path())).unwrap());
    (folder, options)
}

fn start_error(options: &Options) -> rop::error::Error {
    ControlPlane::start(options).err().expect("it cannot start")
}

#[test]
fn binaries_of_another_architecture_are_named() {
    // an ELF header, 64 bit, little endian; e_machine 183 is AArch64, 62 is x86-64
    let foreign: u8 = if cfg!(target_arch = "x86_64") {
        183
    } else {
        62
    };
    let mut program = b"\x7fELF\x02\x01\x01".to_vec();
    program.resize(64, 0);
    (program[16], program[18], program[20]) = (2, foreign, 1);
    let (folder, options) = stand_ins(&program, &program);
    let error = start_error(&options);
    let etcd = folder.path().join("etcd").display().to_string();
    assert!(
        error
            .message()
            .starts_with(&format!("{etcd} is not a program for ")),
        "{error}"
    );
    assert_eq!(error.hints().len(), 1);
}

#[test]
fn a_server_that_ends_early_is_reported_with_its_log() {
    let options = Options {
        api_server_flags: vec!["--no-such-flag".to_owned()],
        ..Options::new(assets().clone())
    };
    let started = Instant::now();
    let error = start_error(&options);
    assert_eq!(error.message(), "kube-apiserver ended (exit status: 1)");
    assert!(
        error.causes()[0].contains("unknown flag: --no-such-flag"),
        "{error:?}"
    );
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn a_port_that_was_taken_meanwhile_is_no_failure_yet() {
    let script = "#!/bin/sh\necho try >> ${0}.tries\necho 'listen tcp: bind: address already in use'\nexit 1\n";
    let (folder, options) = stand_ins(script.as_bytes(), b"#!/bin/sh\nexec sleep 10\n");
    let error = start_error(&options);
    assert_eq!(error.message(), "etcd ended (exit status: 1)");
    let tries = fs::read_to_string(folder.path().join("etcd.tries")).unwrap();
    assert_eq!(tries.lines().count(), 3);
}
