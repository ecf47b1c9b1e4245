//! `rop envtest run`: a command beside a throw-away control plane.
use crate::{
    cluster::eventually,
    control_plane,
    support::{self, CREATE, Dir, INIT, Ran},
};
use nix::sys::signal::{Signal, kill};
use std::{
    io::{BufRead as _, BufReader},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// rop with the binaries of the tests, and an environment that would mislead clients.
fn envtest(command: &[&str]) -> Command {
    let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"));
    rop.args(["envtest", "run", "--"])
        .args(command)
        .env("KUBEBUILDER_ASSETS", control_plane::assets_folder())
        .env("KUBECONFIG", "/nowhere/poisoned")
        .env("KUBERNETES_SERVICE_HOST", "192.0.2.1")
        .env("KUBERNETES_SERVICE_PORT", "443")
        .env("HTTPS_PROXY", "http://192.0.2.1:1")
        .env("ROP_OPERATOR_KUBECONFIG", "/nowhere/poisoned");
    rop
}

fn sh(dir: &Path, script: &str) -> Ran {
    support::run(&mut envtest(&["sh", "-c", script]), dir)
}

/// The namespaces of others do not exist on a control plane that was just started.
#[test]
fn roles_in_namespaces_of_others() {
    let dir = Dir::project(&[INIT]);
    let marker = "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get,namespace=";
    dir.write(
        "src/rights.rs",
        format!("{marker}infra\n{marker}kube-system\n"),
    );
    support::line(&dir, "rop generate rbac").ok();
    let ran = sh(
        &dir,
        "export KUBECONFIG=\"$ROP_OPERATOR_KUBECONFIG\"
         for namespace in infra kube-system default; do
             kubectl auth can-i get pods --namespace $namespace
         done",
    );
    assert_eq!(ran.stdout, "yes\nyes\nno\n", "{ran:#?}");
}

#[test]
fn a_command_in_a_project() {
    let dir = Dir::project(&[INIT, CREATE]);
    let ran = sh(
        &dir,
        "set -e
         test \"$ROP_ENVTEST\" = 1
         kubectl version | grep -q 'Server Version: v1.37'
         kubectl apply -f config/samples/app_v1alpha1_myapp.yaml
         kubectl get myapp
         dirname \"$KUBECONFIG\"
         export KUBECONFIG=\"$ROP_OPERATOR_KUBECONFIG\"
         kubectl auth whoami
         kubectl get myapp >/dev/null
         kubectl delete myapp myapp-sample || echo refused
         exit 7",
    );
    assert_eq!(ran.code, 7, "{ran:#?}");
    for text in [
        "myapp-sample",
        "system:serviceaccount:myapp-operator-system:myapp-operator-controller-manager",
        "refused",
    ] {
        assert!(ran.stdout.contains(text), "no {text} in {ran:#?}");
    }
    let folder = ran
        .stdout
        .lines()
        .find(|line| line.starts_with('/'))
        .unwrap();
    assert!(!Path::new(folder).exists(), "{folder} is gone");
}

#[test]
fn outside_of_a_project() {
    let dir = Dir::new("empty");
    let ran = sh(
        &dir,
        "kubectl get namespaces; echo \"own: $ROP_OPERATOR_KUBECONFIG\"; kill -9 $$",
    );
    assert_eq!(ran.code, 128 + 9, "{ran:#?}");
    assert!(ran.stdout.contains("default"), "{ran:#?}");
    assert!(ran.stdout.contains("own: \n"), "{ran:#?}");
}

#[test]
fn a_command_that_is_not_there() {
    let dir = Dir::new("empty");
    let ran = support::run(&mut envtest(&["no-such-command"]), &dir);
    ran.fails(127, &["there is no command `no-such-command`"]);
    support::line(&dir, "rop envtest run").fails(2, &["<CMD>"]);
    dir.write("no-program", "");
    for path in ["./no-program", "/"] {
        support::run(&mut envtest(&[path]), &dir).fails(126, &["cannot run", path]);
    }
}

/// As started there; and a folder that is not there is not one without a project.
#[test]
fn in_another_folder() {
    let dir = Dir::new("empty");
    let project = Dir::project(&[INIT, CREATE]);
    for (folder, code) in [(&*project, 0), (&dir.join("nowhere"), 1)] {
        let mut rop = Command::new(env!("CARGO_BIN_EXE_rop"));
        rop.arg("-C")
            .arg(folder)
            .args(["envtest", "run", "--", "sh", "-c"]);
        rop.arg("pwd -P; kubectl get crd --output name");
        rop.env("KUBEBUILDER_ASSETS", control_plane::assets_folder());
        let ran = support::run(&mut rop, &dir);
        assert_eq!(ran.code, code, "{ran:#?}");
        if code == 0 {
            let pwd = folder.canonicalize().unwrap();
            assert_eq!(ran.stdout.lines().next(), pwd.to_str());
            assert!(ran.stdout.contains("/myapps.app.example.com"), "{ran:#?}");
        }
    }
}

#[test]
fn a_dry_run_runs_nothing() {
    let dir = Dir::new("empty");
    for flag in ["--dry-run", "--diff"] {
        let line = format!("rop envtest run {flag} -- touch ran");
        support::line(&dir, &line).fails(2, &["leave --dry-run and --diff out"]);
    }
    assert!(!dir.join("ran").exists());
}

#[test]
fn without_assets() {
    let dir = Dir::new("empty");
    let mut rop = envtest(&["true"]);
    rop.env("KUBEBUILDER_ASSETS", &*dir);
    support::run(&mut rop, &dir).fails(1, &["etcd is not at", "KUBEBUILDER_ASSETS"]);
    dir.program("etcd", [0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0]);
    dir.program("kube-apiserver", "");
    let mut rop = envtest(&["true"]);
    rop.env("KUBEBUILDER_ASSETS", &*dir);
    support::run(&mut rop, &dir).fails(1, &["is not a program for"]);
}

/// SIGTERM and SIGINT to rop reach the command, whose exit code is passed on; SIGKILL leaves
/// nothing behind.
#[test]
fn signals() {
    for (signal, code) in [
        (Signal::SIGTERM, Some(42)),
        (Signal::SIGINT, Some(43)),
        (Signal::SIGKILL, None),
    ] {
        let dir = Dir::new("empty");
        let script = "trap 'exit 42' TERM; trap 'exit 43' INT; dirname $KUBECONFIG; echo $$; while :; do sleep 0.05; done";
        let mut rop = envtest(&["sh", "-c", script]);
        // In the foreground of a terminal, SIGINT would look like Ctrl-C.
        rop.current_dir(&*dir)
            .process_group(0)
            .stdout(Stdio::piped())
            .stdin(Stdio::null());
        let mut rop = rop.spawn().unwrap();
        let mut stdout = BufReader::new(rop.stdout.take().unwrap()).lines();
        let folder = PathBuf::from(stdout.next().unwrap().unwrap());
        let process = PathBuf::from(format!("/proc/{}", stdout.next().unwrap().unwrap()));
        assert!(folder.exists());
        kill(support::pid(&rop), signal).unwrap();
        assert_eq!(rop.wait().unwrap().code(), code, "{signal}");
        let until = Instant::now() + Duration::from_secs(20);
        while folder.exists() || (cfg!(target_os = "linux") && process.exists()) {
            assert!(
                Instant::now() < until,
                "{signal} leaves {folder:?} or {process:?}"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Neither a server that the command left behind, nor one that minds no signal and has no parent any
/// more, nor one in a session of its own.
#[test]
fn nothing_that_the_command_started_is_left() {
    for end in ["exit 3", "kill -9 $PPID; sleep 100", "kill -9 $PPID"] {
        let dir = Dir::new("empty");
        let script = format!(
            "start() {{ setsid -f sh -c 'trap \"\" HUP TERM; echo $$ >>started; while :; do sleep 0.1; done'; }}
             start; (start &); sh -c 'echo $$ >>started; exec sleep 1000' >/dev/null 2>&1 &
             while [ \"$(wc -l <started)\" != 3 ]; do sleep 0.05; done; {end}"
        );
        let mut rop = envtest(&["sh", "-c", &script]);
        rop.current_dir(&*dir).stdin(Stdio::null());
        rop.stdout(Stdio::null()).stderr(Stdio::null());
        rop.status().unwrap();
        let started = dir.text("started");
        assert_eq!(started.lines().count(), 3);
        for process in started.lines().map(|id| Path::new("/proc").join(id)) {
            eventually(end, || (!process.exists()).then_some(()));
        }
    }
}

/// Each is passed on, the second as the first.
#[test]
fn interrupted_twice() {
    let dir = Dir::new("empty");
    let script = "trap 'n=$((n + 1)); echo \"interrupt $n\"; [ $n -lt 2 ] || exit 9' INT
        echo ready; while :; do sleep 0.05; done";
    let mut rop = envtest(&["sh", "-c", script]);
    rop.current_dir(&*dir)
        .process_group(0)
        .stdout(Stdio::piped())
        .stdin(Stdio::null());
    let mut rop = rop.spawn().unwrap();
    let stdout = BufReader::new(rop.stdout.take().unwrap()).lines();
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        stdout
            .map_while(Result::ok)
            .try_for_each(|l| sender.send(l))
    });
    let pid = support::pid(&rop);
    let mut said = Vec::new();
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(60)) {
        said.push(line);
        let _ = kill(pid, Signal::SIGINT);
    }
    let _ = kill(pid, Signal::SIGTERM);
    assert_eq!(rop.wait().unwrap().code(), Some(9), "{said:?}");
    assert_eq!(said, ["ready", "interrupt 1", "interrupt 2"]);
}

#[test]
fn two_at_once() {
    let run = || {
        thread::spawn(|| {
            let dir = Dir::project(&[INIT, CREATE]);
            let script = "kubectl apply -f config/samples/app_v1alpha1_myapp.yaml && \
                          kubectl get myapp --output name && echo $KUBECONFIG";
            sh(&dir, script).ok().stdout
        })
    };
    let (one, other) = (run(), run());
    assert_ne!(one.join().unwrap(), other.join().unwrap());
}
