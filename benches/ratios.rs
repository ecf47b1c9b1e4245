//! rop beside the least that its work takes, and beside kubebuilder: `cargo bench`.
//!
//! Machines differ, and each from hour to hour. So nothing here is a time: two programs run in
//! turn, many times, and what counts is the ratio of their medians. kubebuilder is that of
//! `KUBEBUILDER`, or it is built with Go, once; it is given a `go` and a `make` that know nothing,
//! since rop waits for no network and no compiler either.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "this is a program of its own"
)]
use std::{
    env, fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const ROP: &str = env!("CARGO_BIN_EXE_rop");
const KUBEBUILDER: &str = "sigs.k8s.io/kubebuilder/v4@v4.16.0";
const RUNS: usize = 31;
/// Kinds of the project that one more is added to.
const MANY: usize = 200;

fn main() {
    let temporary = tempfile::tempdir().unwrap();
    let bench = Bench(temporary.path().into());
    println!("medians of {RUNS} runs in turn; \"at most\" is what rop promises\n");
    bench.scaffold_and_copy();
    bench.scaffold_and_kubebuilder();
    bench.many_kinds();
    bench.start();
    let size = fs::metadata(ROP).unwrap().len();
    println!("size of rop: {:.1} MB, at most 15", size as f64 / 1e6);
}

/// The folder that all happens in.
struct Bench(PathBuf);

impl Bench {
    fn scaffold_and_copy(&self) {
        let tree = self.fresh("tree");
        scaffold(&tree);
        let [rop, cp] = in_turn(
            || {
                let dir = self.fresh("myapp-operator");
                timed(|| scaffold(&dir))
            },
            || {
                let copy = self.0.join("copy");
                let _ = fs::remove_dir_all(&copy);
                timed(|| run(Command::new("cp").arg("-r").args([&tree, &copy])))
            },
        );
        tell("init + create api : cp -r of the tree", rop, cp, 3.0);
    }

    fn scaffold_and_kubebuilder(&self) {
        let Some(kubebuilder) = kubebuilder() else {
            println!(
                "init + create api : kubebuilder: SKIPPED, it is not there and Go cannot build it"
            );
            return;
        };
        let idle = self.0.join("bin");
        fs::create_dir_all(&idle).unwrap();
        for program in ["go", "make"] {
            let path = idle.join(program);
            fs::write(&path, "#!/bin/sh\necho {}\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = format!(
            "{}:{}",
            idle.display(),
            env::var("PATH").unwrap_or_default()
        );
        let kubebuilder = |dir: &Path, words: &str| {
            let mut command = Command::new(&kubebuilder);
            command.args(words.split(' ')).env("PATH", &path);
            run(command.current_dir(dir));
        };
        let [rop, go] = in_turn(
            || {
                let dir = self.fresh("myapp-operator");
                timed(|| scaffold(&dir))
            },
            || {
                let dir = self.fresh("go");
                timed(|| {
                    kubebuilder(
                        &dir,
                        "init --domain example.com --repo example.com/myapp --fetch-deps=false --skip-go-version-check",
                    );
                    kubebuilder(
                        &dir,
                        "create api --group app --version v1alpha1 --kind MyApp --resource --controller --make=false",
                    );
                })
            },
        );
        tell("init + create api : kubebuilder's", rop, go, 0.1);
    }

    /// One more kind, in a project of many and in one of none.
    fn many_kinds(&self) {
        let (few, many) = (self.fresh("few"), self.fresh("many"));
        for dir in [&few, &many] {
            rop(
                dir,
                "init --domain example.com --project-name myapp-operator",
            );
        }
        for number in 1..MANY {
            create(&many, &format!("Kind{number}"));
        }
        let one_more = |tree: &Path| {
            let dir = self.0.join("grown");
            let _ = fs::remove_dir_all(&dir);
            run(Command::new("cp").arg("-a").args([tree, &dir]));
            timed(|| create(&dir, "Another"))
        };
        let [last, first] = in_turn(|| one_more(&many), || one_more(&few));
        let what = format!("create api of kind {MANY} : of the first");
        tell(&what, last, first, 2.0);
    }

    fn start(&self) {
        let [rop, nothing] = in_turn(
            || timed(|| run(Command::new(ROP).arg("version"))),
            || timed(|| run(&mut Command::new("true"))),
        );
        let more = rop.saturating_sub(nothing).as_secs_f64() * 1e3;
        println!("rop version - true: {more:.1} ms, at most 3");
    }

    /// An empty folder of this name.
    fn fresh(&self, name: &str) -> PathBuf {
        let dir = self.0.join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir(&dir).unwrap();
        dir
    }
}

fn scaffold(dir: &Path) {
    rop(
        dir,
        "init --domain example.com --project-name myapp-operator",
    );
    create(dir, "MyApp");
}

fn create(dir: &Path, kind: &str) {
    rop(
        dir,
        &format!("create api --group app --version v1alpha1 --kind {kind}"),
    );
}

fn rop(dir: &Path, words: &str) {
    run(Command::new(ROP).args(words.split(' ')).current_dir(dir));
}

/// The program, built into the folder of the benches if nobody names one.
fn kubebuilder() -> Option<PathBuf> {
    if let Some(program) = env::var_os("KUBEBUILDER") {
        return Some(program.into());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go");
    let program = folder.join("kubebuilder");
    if !program.is_file() {
        let mut go = Command::new("go");
        go.args(["install", KUBEBUILDER]).env("GOBIN", &folder);
        let built = go.status().is_ok_and(|status| status.success());
        built.then_some(())?;
        // It is named after the last part of its module's path, a version.
        let _ = fs::rename(folder.join("v4"), &program);
    }
    program.is_file().then_some(program)
}

#[track_caller]
fn run(command: &mut Command) {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {told}");
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The medians of two programs that run in turn, after one run of each that does not count.
fn in_turn(one: impl Fn() -> Duration, other: impl Fn() -> Duration) -> [Duration; 2] {
    let _ = (one(), other());
    let pairs: Vec<_> = (0..RUNS).map(|_| (one(), other())).collect();
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[RUNS / 2]
    };
    [
        median(pairs.iter().map(|pair| pair.0).collect()),
        median(pairs.iter().map(|pair| pair.1).collect()),
    ]
}

fn tell(what: &str, one: Duration, other: Duration, most: f64) {
    let ratio = one.as_secs_f64() / other.as_secs_f64();
    println!("{what}: {ratio:.2} ({one:.1?} : {other:.1?}), at most {most}");
}
