//! A command of the user's, in the environment of a control plane.
use super::{ApplyOptions, Assets, ControlPlane, Kubeconfig};
use crate::error::{Error, ErrorKind, Result};
use anyhow::Context as _;
use nix::{
    sys::signal::{Signal, kill},
    unistd::{Pid, getpgid, getpgrp, tcgetpgrp},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::unix::process::ExitStatusExt as _,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

const POLL: Duration = Duration::from_millis(20);

/// Variables that could lead a client to another cluster, or away from loopback.
const POISON: [&str; 4] = [
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
    "KUBERNETES_MASTER",
    "KUBECONFIG",
];

/// The kinds that make an operator's rights and APIs; workloads would not run here.
const FOUNDATION: [&str; 7] = [
    "Namespace",
    "CustomResourceDefinition",
    "ServiceAccount",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
];

/// Installs the CRDs and rights of a kustomization; gives the kubeconfig of its operator, if it has
/// a Deployment.
///
/// # Errors
/// If kubectl does not render the folder, or the API server refuses an object.
pub fn install(
    control_plane: &ControlPlane,
    assets: &Assets,
    folder: &Path,
) -> Result<Option<Kubeconfig>> {
    let rendered = render(assets, folder)?;
    let account = service_account(&rendered);
    control_plane.apply(&foundation(rendered), ApplyOptions::default())?;
    account
        .map(|(namespace, name)| control_plane.service_account_kubeconfig(&namespace, &name))
        .transpose()
}

/// The objects that a kustomization renders to.
///
/// # Errors
/// If there is no kubectl among the assets, or it refuses the folder.
fn render(assets: &Assets, folder: &Path) -> Result<Vec<Value>> {
    let kubectl = assets.kubectl.as_ref().ok_or_else(|| {
        Error::failed("there is no kubectl beside kube-apiserver")
            .hint("put kubectl into the folder of the other binaries")
    })?;
    let output = Command::new(kubectl)
        .arg("kustomize")
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", kubectl.display()))?;
    if !output.status.success() {
        let why = anyhow::anyhow!("{}", String::from_utf8_lossy(&output.stderr).trim());
        Err(why.context(format!("cannot render {}", folder.display())))?;
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let objects = serde_saphyr::from_multiple(&text)
        .with_context(|| format!("cannot read what {} renders to", folder.display()))?;
    Ok(objects)
}

/// The objects that give an operator its rights and its APIs, with the namespaces of others: a
/// throw-away control plane has none of those yet.
fn foundation(rendered: Vec<Value>) -> Vec<Value> {
    let of = |object: &Value| FOUNDATION.iter().any(|kind| object["kind"] == *kind);
    let mut objects: Vec<_> = rendered.into_iter().filter(of).collect();
    let named = |object: &Value| object["metadata"]["namespace"].as_str().map(str::to_owned);
    let mut missing: BTreeSet<_> = objects.iter().filter_map(named).collect();
    for object in objects.iter().filter(|o| o["kind"] == "Namespace") {
        missing.remove(object["metadata"]["name"].as_str().unwrap_or_default());
    }
    let namespaces = missing.into_iter().map(
        |name| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }),
    );
    objects.splice(0..0, namespaces);
    objects
}

/// Namespace and name of the service account that the Deployment of an operator runs as.
fn service_account(rendered: &[Value]) -> Option<(String, String)> {
    let deployment = rendered
        .iter()
        .find(|object| object["kind"] == "Deployment")?;
    let account = &deployment["spec"]["template"]["spec"]["serviceAccountName"];
    let namespace = &deployment["metadata"]["namespace"];
    Some((namespace.as_str()?.into(), account.as_str()?.into()))
}

/// Runs a command in a folder, with the terminal attached, and gives its exit code: 128 + N after signal N.
///
/// It sees `KUBECONFIG`, `ROP_ENVTEST=1`, the kubectl of this version first in `PATH` and, if the
/// operator has a kubeconfig of its own, `ROP_OPERATOR_KUBECONFIG`. `signal` is asked again and
/// again for the signal that reached this process since it was asked, which is passed on; a key on
/// the terminal reaches the command by itself.
///
/// # Errors
/// If it cannot be run: [`ErrorKind::NoCommand`] where there is no such program, and
/// [`ErrorKind::NotExecutable`] where it is none.
pub fn run(
    command: &[OsString],
    folder: &Path,
    control_plane: &ControlPlane,
    assets: &Assets,
    operator: Option<&Kubeconfig>,
    signal: &dyn Fn() -> Option<i32>,
) -> Result<u8> {
    let Some((program, args)) = command.split_first() else {
        return Err(Error::new(ErrorKind::Usage, "there is no command to run"));
    };
    let mut child = Command::new(program);
    child.args(args);
    for variable in POISON {
        child.env_remove(variable);
    }
    child
        .current_dir(folder)
        .env("KUBECONFIG", &control_plane.kubeconfig().path)
        .env("ROP_ENVTEST", "1")
        .env("NO_PROXY", with("NO_PROXY", "127.0.0.1"))
        .env("no_proxy", with("no_proxy", "127.0.0.1"))
        .env_remove("ROP_OPERATOR_KUBECONFIG");
    if let Some(kubeconfig) = operator {
        child.env("ROP_OPERATOR_KUBECONFIG", &kubeconfig.path);
    }
    if let Some(folder) = assets.kubectl.as_deref().and_then(Path::parent) {
        child.env("PATH", first_in_path(folder));
    }
    match child.spawn() {
        Ok(child) => {
            control_plane.take_along(Some(child.id()));
            // It came before the command was there to hear it, whoever sent it.
            if let Some(number) = signal() {
                pass_on(&child, number);
            }
            let code = wait(child, signal);
            control_plane.take_along(None);
            code
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let what = format!("there is no command `{}`", program.display());
            Err(Error::new(ErrorKind::NoCommand, what))
        }
        Err(error) => {
            let what = format!("cannot run {}: {error}", program.display());
            Err(Error::new(ErrorKind::NotExecutable, what))
        }
    }
}

fn wait(mut child: Child, signal: &dyn Fn() -> Option<i32>) -> Result<u8> {
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for the command")? {
            return Ok(code(status));
        }
        if let Some(number) = signal() {
            let is_key = number == Signal::SIGINT as i32;
            if !is_key || !shares_keys(pid(&child)) {
                pass_on(&child, number);
            }
        }
        thread::sleep(POLL);
    }
}

fn pass_on(child: &Child, number: i32) {
    if let Ok(signal) = Signal::try_from(number) {
        // It fails only when the command has ended.
        let _ = kill(pid(child), signal);
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("process ids are positive i32"))
}

/// Whether Ctrl-C on the terminal reaches the process by itself, as it reaches this one: the
/// group of both is in the foreground, wherever their stdin comes from.
fn shares_keys(process: Pid) -> bool {
    let group = getpgrp();
    let foreground = File::open("/dev/tty").is_ok_and(|tty| tcgetpgrp(tty) == Ok(group));
    foreground && getpgid(Some(process)) == Ok(group)
}

fn code(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// A list in a variable and one more item.
fn with(variable: &str, item: &str) -> OsString {
    let mut list = env::var_os(variable).unwrap_or_default();
    if !list.is_empty() {
        list.push(",");
    }
    list.push(item);
    list
}

fn first_in_path(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_path_buf()]
        .into_iter()
        .chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or_else(|_| OsStr::new(&path).into())
}
