//! A control plane as the tests use it: kubectl, the audit log, operators that run as themselves.
use crate::{
    control_plane,
    support::{self, Ran},
};
use k8s_openapi::jiff::Timestamp;
use nix::sys::signal::{Signal, kill};
use rop::envtest::{ApplyOptions, ControlPlane, Kubeconfig, Options};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// A control plane that keeps an audit log.
pub fn audited() -> ControlPlane {
    let mut options = Options::new(control_plane::assets().clone());
    options.audit = true;
    ControlPlane::start(&options).unwrap()
}

pub fn kubectl() -> Command {
    Command::new(control_plane::assets().kubectl.as_ref().unwrap())
}

/// kubectl of the control plane, as its administrator.
pub struct Kubectl<'a>(pub &'a ControlPlane);

impl Kubectl<'_> {
    pub fn run(&self, dir: &Path, args: &[&str]) -> Ran {
        self.run_as(&self.0.kubeconfig().path, dir, args)
    }

    fn run_as(&self, kubeconfig: &Path, dir: &Path, args: &[&str]) -> Ran {
        let mut kubectl = kubectl();
        let home = self.0.folder();
        kubectl
            .args(args)
            .env("KUBECONFIG", kubeconfig)
            .env("HOME", home);
        support::run(&mut kubectl, dir)
    }

    /// As the administrator, in any folder.
    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> String {
        self.run(self.0.folder(), args).ok().stdout
    }

    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let text = self.ok(&[args, &["--output", "json"]].concat());
        serde_json::from_str(&text).unwrap()
    }

    /// Changes fields of an object, which is named by kind, name and what else kubectl wants.
    #[track_caller]
    pub fn patch(&self, object: &[&str], patch: &str) {
        let args = [&["patch", "--type=merge", "--patch", patch], object].concat();
        self.ok(&args);
    }

    /// Whether the API server would allow what the spec of a SubjectAccessReview asks.
    #[track_caller]
    pub fn allows(&self, spec: Value) -> bool {
        let review = json!({
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "spec": spec,
        });
        let file = self.0.folder().join("review.json");
        fs::write(&file, review.to_string()).unwrap();
        let answer = self.json(&["create", "--filename", file.to_str().unwrap()]);
        answer["status"]["allowed"].as_bool().unwrap()
    }

    /// What the API server answers a user who asks what it may do.
    #[track_caller]
    pub fn review(&self, user: &str, asked: &[Value]) -> Vec<Value> {
        let review = |attributes: &Value| {
            json!({
                "apiVersion": "authorization.k8s.io/v1",
                "kind": "SelfSubjectAccessReview",
                "spec": {"resourceAttributes": attributes},
            })
        };
        let reviews: Vec<_> = asked.iter().map(review).collect();
        let list = json!({"apiVersion": "v1", "kind": "List", "items": reviews});
        let file = self.0.folder().join("reviews.json");
        fs::write(&file, list.to_string()).unwrap();
        let file = file.to_str().unwrap();
        let who = ["--as", user, "--as-group", "system:authenticated"];
        let create = ["create", "--output", "json", "--filename", file];
        let answers = self.ok(&[&create[..], &who].concat());
        let answers = serde_json::Deserializer::from_str(&answers).into_iter();
        answers.map(Result::unwrap).collect()
    }

    /// The id of the token in a kubeconfig, as the audit log has it.
    pub fn credential(&self, kubeconfig: &Path) -> Value {
        let args = ["auth", "whoami", "--output", "json"];
        let ran = self.run_as(kubeconfig, self.0.folder(), &args).ok();
        let who: Value = serde_json::from_str(&ran.stdout).unwrap();
        who["status"]["userInfo"]["extra"][CREDENTIAL][0].clone()
    }
}

/// Where the API server tells one token of a service account from another.
const CREDENTIAL: &str = "authentication.kubernetes.io/credential-id";

/// The documents of `kubectl kustomize`.
pub fn render(dir: &Path, folder: &str) -> Vec<Value> {
    let mut kubectl = kubectl();
    let ran = support::run(kubectl.args(["kustomize", folder]), dir).ok();
    serde_saphyr::from_multiple(&ran.stdout).unwrap()
}

/// The first object of this kind.
pub fn find<'a>(rendered: &'a [Value], kind: &str) -> &'a Value {
    rendered
        .iter()
        .find(|object| object["kind"] == kind)
        .unwrap()
}

/// Waits until there is something.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + Duration::from_secs(120);
    loop {
        match look() {
            Some(found) => return found,
            None if Instant::now() > until => panic!("{what} did not come true in time"),
            None => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// A process that runs as the service account of its Deployment, with a token of its own. It ends
/// with the value.
pub struct Operator {
    pub child: Child,
    /// What the audit log calls its token.
    pub credential: Value,
    log: PathBuf,
}

impl Operator {
    /// Starts the program with the arguments of the Deployment, but the ports are any that are
    /// free.
    pub fn start(control_plane: &ControlPlane, program: &Path, rendered: &[Value]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let kubeconfig = own_kubeconfig(control_plane, rendered);
        // The next one of this service account would be written over it.
        let own = control_plane.folder().join(format!("{number}.kubeconfig"));
        fs::rename(&kubeconfig.path, &own).unwrap();
        let log = control_plane
            .folder()
            .join(format!("operator-{number}.log"));
        let file = fs::File::create(&log).unwrap();
        let child = Command::new(program)
            .args(args(rendered))
            .envs(environment(rendered, &format!("manager-{number}")))
            .env("KUBECONFIG", &own)
            .stderr(file.try_clone().unwrap())
            .stdout(file)
            .spawn();
        Self {
            child: child.unwrap(),
            credential: Kubectl(control_plane).credential(&own),
            log,
        }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Waits for a line of its log that holds this.
    #[track_caller]
    pub fn says(&self, text: &str) {
        eventually(text, || self.log().contains(text).then_some(()));
    }

    /// What /readyz answers: the code and the text.
    pub fn readiness(&self) -> Option<(u16, String)> {
        let log = self.log();
        let line = log.lines().find(|line| line.contains("\"serving\""))?;
        let line: Value = serde_json::from_str(line).unwrap();
        let mut stream = TcpStream::connect(line["address"].as_str().unwrap()).ok()?;
        let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some((head.split(' ').nth(1)?.parse().unwrap(), body.to_owned()))
    }

    pub fn is_ready(&self) -> bool {
        self.readiness().is_some_and(|(code, _)| code == 200)
    }

    #[track_caller]
    pub fn wait_ready(&mut self) {
        eventually("readiness", || {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "{ended:?}: {}", self.log());
            self.is_ready().then_some(())
        });
    }

    pub fn signal(&self, signal: Signal) {
        kill(support::pid(&self.child), signal).unwrap();
    }

    /// The exit code, `None` for a signal.
    #[track_caller]
    pub fn end(&mut self) -> Option<i32> {
        eventually("the end of the operator", || self.child.try_wait().unwrap()).code()
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // Both fail only when it has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn own_kubeconfig(control_plane: &ControlPlane, rendered: &[Value]) -> Kubeconfig {
    let deployment = find(rendered, "Deployment");
    let account = &deployment["spec"]["template"]["spec"]["serviceAccountName"];
    let namespace = &deployment["metadata"]["namespace"];
    control_plane
        .service_account_kubeconfig(namespace.as_str().unwrap(), account.as_str().unwrap())
        .unwrap()
}

fn args(rendered: &[Value]) -> Vec<String> {
    let deployment = find(rendered, "Deployment");
    let args = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
        .as_array()
        .unwrap();
    let args = args.iter().map(|arg| arg.as_str().unwrap());
    let kept = args.filter(|arg| !arg.starts_with("--health-probe-bind-address"));
    kept.map(Into::into)
        .chain(["--health-probe-bind-address=127.0.0.1:0".into()])
        .collect()
}

/// The variables of the Deployment, in a pod of this name.
fn environment(rendered: &[Value], pod: &str) -> Vec<(String, String)> {
    let deployment = find(rendered, "Deployment");
    let variables = &deployment["spec"]["template"]["spec"]["containers"][0]["env"];
    let variables = variables.as_array().unwrap().iter().map(|variable| {
        let field = &variable["valueFrom"]["fieldRef"]["fieldPath"];
        let value = match field.as_str() {
            None => variable["value"].as_str().unwrap(),
            Some("metadata.name") => pod,
            Some("metadata.namespace") => deployment["metadata"]["namespace"].as_str().unwrap(),
            Some(other) => panic!("no {other} is known"),
        };
        (variable["name"].as_str().unwrap().into(), value.into())
    });
    variables.collect()
}

/// Applies all but the workloads, which nothing runs here.
pub fn install(control_plane: &ControlPlane, rendered: &[Value]) {
    let rendered: Vec<_> = rendered
        .iter()
        .filter(|object| object["kind"] != "Deployment")
        .cloned()
        .collect();
    control_plane
        .apply(&rendered, ApplyOptions::default())
        .unwrap();
}

/// The requests of an operator that the API server has answered, in the order of the audit log.
pub fn requests(control_plane: &ControlPlane, operator: &Operator) -> Vec<Value> {
    let log = fs::read_to_string(control_plane.audit_log().unwrap()).unwrap();
    // The last line may be half written.
    let whole = log.rfind('\n').map_or("", |end| &log[..end]);
    let events = whole
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events
        .filter(|event| {
            event["user"]["extra"][CREDENTIAL][0] == operator.credential
                && event["stage"] == "ResponseComplete"
                && !is_kubectl(event)
        })
        .collect()
}

/// When the API server got a request.
pub fn time(event: &Value) -> Timestamp {
    let time = event["requestReceivedTimestamp"].as_str().unwrap();
    time.parse().unwrap()
}

/// kubectl asks who the token of an operator is.
fn is_kubectl(event: &Value) -> bool {
    let agent = event["userAgent"].as_str();
    agent.is_some_and(|agent| agent.starts_with("kubectl"))
}

/// Those of them that were refused.
pub fn refused(requests: &[Value]) -> Vec<&Value> {
    requests
        .iter()
        .filter(|event| event["responseStatus"]["code"] == 403)
        .collect()
}
