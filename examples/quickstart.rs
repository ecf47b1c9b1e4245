//! A new operator: scaffolded, built, run on a throw-away control plane, its sample reconciled.
//!
//! `cargo run --example quickstart` leaves the project in `target/quickstart/myapp-operator`, or in
//! the folder that it is given.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "this is a program of its own"
)]
use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;
use rop::{
    cli::Cli,
    commands,
    envtest::{self, Assets, ControlPlane, Kubeconfig, Options},
    model::{project::Project, resource::Resource},
    ui::{Report, Ui, quoted},
};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag::register_conditional_default,
};
use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    sync::{Arc, atomic::AtomicBool},
};

const KIND: [&str; 6] = ["--group", "app", "--version", "v1alpha1", "--kind", "MyApp"];
const CRD: &str = "myapps.app.example.com";
const SAMPLE: &str = "config/samples/app_v1alpha1_myapp.yaml";
/// Builds the control plane.
const BUILD: &str = "tests/control-plane/build.sh";
/// Where rop keeps what it is about to write.
const STAGE: &str = ".rop-stage";
/// For what takes seconds on an idle machine.
const PATIENCE: &str = "--timeout=120s";

/// See a new operator work: scaffolded, built, run on a throw-away control plane
#[derive(Parser)]
#[command(name = "quickstart")]
struct Args {
    /// Folder of the project [default: target/quickstart/myapp-operator of this repository]
    #[arg(value_name = "DIR")]
    project: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = args
        .project
        .unwrap_or_else(|| repository.join("target/quickstart/myapp-operator"));
    match quickstart(repository, &project) {
        Ok(()) => {
            println!("\nThe project is yours. Next:");
            println!("  cargo install --locked --path {}", quoted(repository));
            println!("  cd {}", quoted(&project));
            println!("  make test");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn quickstart(repository: &Path, project: &Path) -> Result<()> {
    let assets = Assets::find(None).ok();
    check_machine(repository, assets.is_some())?;
    check_place(project)?;
    let assets = match assets {
        Some(assets) => assets,
        None => build_assets(repository)?,
    };
    scaffold(project)?;
    step("building the operator: the first time, this takes some minutes");
    let mut cargo = Command::new("cargo");
    // Wherever the user has cargo put what it builds.
    cargo.args(["build", "--locked", "--target-dir", "target"]);
    run(cargo.current_dir(project))?;
    run_on_control_plane(&assets, project)
}

/// All that is missing, told before anything is written.
fn check_machine(repository: &Path, has_assets: bool) -> Result<()> {
    let mut missing: Vec<String> = ["cargo", "make"]
        .into_iter()
        .filter(|tool| !is_in_path(tool))
        .map(|tool| format!("{tool} is not in PATH: install it"))
        .collect();
    if !has_assets {
        // It knows which Go it takes.
        let script = repository.join(BUILD);
        let check = Command::new(&script).arg("--check").output();
        let check = check.with_context(|| format!("cannot run {}", script.display()))?;
        if !check.status.success() {
            missing.push(String::from_utf8_lossy(&check.stderr).trim().into());
        }
    }
    ensure!(missing.is_empty(), "{}", missing.join("\n"));
    Ok(())
}

fn is_in_path(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| {
        let file = fs::metadata(folder.join(tool));
        file.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}

/// A project of another's, or no project at all, is not to be filled with this one.
fn check_place(project: &Path) -> Result<()> {
    let other = || {
        let folder = project.display();
        format!("{folder} is in use: move it away, or name another folder")
    };
    let Ok(mut entries) = fs::read_dir(project) else {
        // Not there; what else there may be is told by the first command.
        return Ok(());
    };
    let Ok(text) = fs::read_to_string(project.join("PROJECT")) else {
        // An earlier attempt that was killed leaves its journal.
        let is_free = entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == STAGE));
        ensure!(is_free, other());
        return Ok(());
    };
    let found = Project::parse(&text).with_context(other)?;
    let kinds: Vec<_> = found.resources().iter().map(Resource::crd_name).collect();
    ensure!(kinds.is_empty() || kinds == [CRD], other());
    Ok(())
}

fn build_assets(repository: &Path) -> Result<Assets> {
    step("building etcd, kube-apiserver and kubectl, once: this takes about 5 minutes");
    let script = repository.join(BUILD);
    let output = Command::new(&script).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {}", script.display()))?;
    ensure!(output.status.success(), "{} failed", script.display());
    let folder = String::from_utf8(output.stdout)?;
    Ok(Assets::find(Some(Path::new(folder.trim())))?)
}

fn scaffold(project: &Path) -> Result<()> {
    step("scaffolding a project");
    let start = || {
        let folder = project.display();
        format!("cannot make a project: move {folder} away, or name another folder")
    };
    rop(project, &["init", "--domain", "example.com"]).with_context(start)?;
    rop(project, &[&["create", "api"], &KIND[..]].concat()).with_context(start)?;
    // rop undoes what an interrupted command wrote; from here on, a signal just ends all.
    for signal in [SIGINT, SIGTERM] {
        register_conditional_default(signal, Arc::new(AtomicBool::new(true)))?;
    }
    Ok(())
}

/// Runs rop in a folder, as the command line does.
fn rop(dir: &Path, words: &[&str]) -> Result<()> {
    eprintln!("    $ rop {}", words.join(" "));
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    // An absolute path cannot be taken for a flag.
    let dir = std::path::absolute(dir)?;
    let before = [OsStr::new("rop"), OsStr::new("-C"), dir.as_os_str()];
    let cli = Cli::try_parse_from(before.into_iter().chain(words.iter().map(OsStr::new)))?;
    let mut report = Report::new("");
    // There is nothing to ask, wherever this runs.
    let ui = Ui {
        no_input: true,
        ..Ui::default()
    };
    let ran = commands::run(&cli, ui, &mut report);
    for conflict in &report.conflicts {
        eprintln!("    conflict {}: {}", conflict.path, conflict.reason);
    }
    ran?;
    Ok(())
}

fn run_on_control_plane(assets: &Assets, project: &Path) -> Result<()> {
    step("starting etcd and kube-apiserver");
    let control_plane = ControlPlane::start(&Options::new(assets.clone()))?;
    step("installing the CRD and the operator's rights");
    let own = envtest::install(&control_plane, assets, &project.join("config/default"))?
        .context("config/default has no Deployment with a service account")?;

    step("running the operator, with these rights only");
    let operator = Operator::start(project, &own)?;
    control_plane.take_along(Some(operator.0.id()));
    let kubectl = |args: &[&str]| {
        let program = assets.kubectl.as_ref().context("there is no kubectl")?;
        let mut kubectl = Command::new(program);
        kubectl.env("KUBECONFIG", &control_plane.kubeconfig().path);
        kubectl.env("HOME", control_plane.folder());
        run(kubectl.args(args).current_dir(project))
    };
    step("applying the sample");
    kubectl(&["apply", "--filename", SAMPLE])?;
    kubectl(&[
        "wait",
        "--for=condition=Ready",
        PATIENCE,
        "--filename",
        SAMPLE,
    ])?;
    println!("\n$ kubectl get myapp");
    kubectl(&["get", "myapp"])
}

/// The operator; it ends with the value.
struct Operator(Child);

impl Operator {
    fn start(project: &Path, kubeconfig: &Kubeconfig) -> Result<Self> {
        let program = project.join("target/debug/manager");
        let log = fs::File::create(project.join("target/operator.log"))?;
        let child = Command::new(&program)
            .arg("--health-probe-bind-address=0")
            .env("KUBECONFIG", &kubeconfig.path)
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn();
        Ok(Self(child.with_context(|| {
            format!("cannot run {}", program.display())
        })?))
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // Both fail only when it has ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn step(what: &str) {
    eprintln!("==> {what}");
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_owned();
    let status = command.status();
    let status = status.with_context(|| format!("cannot run {}", program.display()))?;
    if !status.success() {
        bail!("{} failed ({status})", program.display());
    }
    Ok(())
}
