//! etcd and kube-apiserver, from start to end.
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Client;
use kube::api::{Api, PostParams};
use serde_json::Value;

use super::admin::Admin;
use super::apply::{ApplyOptions, apply};
use super::assets::Assets;
use super::certificates::{Certificates, VALIDITY};
use super::flags::{self, api_server_url};
use super::kubeconfig::{Kubeconfig, User, render, write_private};
use super::ports::Port;
use super::readiness::{START_LIMIT, wait_ready};
use super::server::Server;
use super::verify::{Interrupted, Refusal, refusals};
use super::watchdog::Watchdog;
use crate::error::{Error, Result};

/// For hundreds of manifests, too.
const CALL_LIMIT: Duration = Duration::from_secs(120);
const START_TRIES: u32 = 3;

/// What to start.
#[derive(Clone, Debug)]
pub struct Options {
    /// The binaries.
    pub assets: Assets,
    /// Keep an audit log: one JSON line for each request, at level Metadata.
    pub audit: bool,
    /// More flags for kube-apiserver, after ours.
    pub api_server_flags: Vec<String>,
}

impl Options {
    /// These binaries and nothing special.
    pub fn new(assets: Assets) -> Self {
        Self {
            assets,
            audit: false,
            api_server_flags: Vec::new(),
        }
    }
}

/// A running control plane. It ends when it is dropped, or when this process ends.
pub struct ControlPlane {
    // Dropped in this order: the servers, then the watchdog with their folder.
    api_server: Option<Server>,
    etcd: Server,
    api_server_program: PathBuf,
    api_server_flags: Vec<OsString>,
    ports: Ports,
    certificates: Certificates,
    admin: Admin,
    kubeconfig: Kubeconfig,
    audit_log: Option<PathBuf>,
    watchdog: Watchdog,
}

struct Ports {
    api_server: Port,
    etcd: Port,
    etcd_peer: Port,
}

impl Ports {
    fn free() -> Result<Self> {
        Ok(Self {
            api_server: Port::free()?,
            etcd: Port::free()?,
            etcd_peer: Port::free()?,
        })
    }
}

impl ControlPlane {
    /// Starts etcd and kube-apiserver and waits until they are ready.
    ///
    /// # Errors
    /// A binary cannot run here, a server ends early (the end of its log is a cause), or two minutes are over.
    pub fn start(options: &Options) -> Result<Self> {
        let mut tries = 1;
        loop {
            match Self::try_start(options) {
                Err(error) if tries < START_TRIES && is_port_taken(&error) => tries += 1,
                done => return done,
            }
        }
    }

    fn try_start(options: &Options) -> Result<Self> {
        let watchdog = Watchdog::start()?;
        let folder = watchdog.folder();
        let ports = Ports::free()?;
        let (port, etcd_port) = (ports.api_server.number(), ports.etcd.number());
        let etcd_flags = flags::etcd(folder, etcd_port, ports.etcd_peer.number());
        let etcd = Server::spawn("etcd", &options.assets.etcd, &etcd_flags, &watchdog)?;

        let certificates = Certificates::generate()?;
        certificates.write(folder)?;
        let mut api_server_flags = flags::api_server(folder, etcd_port, port);
        let audit_log = options.audit.then(|| folder.join("audit.log"));
        if let Some(log) = &audit_log {
            let policy = folder.join("audit-policy.yaml");
            write_private(&policy, flags::AUDIT_POLICY)?;
            api_server_flags.extend(flags::audit(&policy, log));
        }
        api_server_flags.extend(options.api_server_flags.iter().map(OsString::from));

        let (url, authority) = (api_server_url(port), &certificates.authority);
        let user = User::Certificate(&certificates.admin);
        let text = render(&url, authority, "default", &user);
        let kubeconfig = Kubeconfig::write(folder, "admin.kubeconfig", text)?;
        let admin = Admin::new(port, certificates.authority_der.clone(), folder);
        let mut control_plane = Self {
            api_server: None,
            etcd,
            api_server_program: options.assets.kube_apiserver.clone(),
            api_server_flags,
            ports,
            certificates,
            admin,
            kubeconfig,
            audit_log,
            watchdog,
        };
        control_plane.start_api_server()?;
        Ok(control_plane)
    }

    /// The administrator's kubeconfig (group `system:masters`).
    pub fn kubeconfig(&self) -> &Kubeconfig {
        &self.kubeconfig
    }

    /// The kubeconfig of a service account that exists, with a token good for a year: RBAC decides what it may do.
    ///
    /// # Errors
    /// There is no such service account.
    pub fn service_account_kubeconfig(&self, namespace: &str, name: &str) -> Result<Kubeconfig> {
        let what = format!("get a token of the service account {namespace}/{name}");
        let token = self.admin.run(&what, CALL_LIMIT, async |client| {
            let token = request_token(client, namespace, name).await;
            Ok(token.with_context(|| format!("cannot {what}"))?)
        })?;
        let (url, authority) = (self.url(), &self.certificates.authority);
        let text = render(&url, authority, namespace, &User::Token(&token));
        let file = format!("{namespace}.{name}.kubeconfig");
        Kubeconfig::write(self.folder(), &file, text)
    }

    /// Applies manifests server-side with strict field validation, in their order, as the API server is asked to
    /// (`default` where a namespace is missing). CRDs are served when it returns.
    ///
    /// # Errors
    /// A manifest has no apiVersion, kind or name (nothing is applied then), or the API server refused objects: all
    /// of them are named with its reason.
    pub fn apply(&self, manifests: &[Value], options: ApplyOptions) -> Result<()> {
        self.admin
            .run("apply manifests", CALL_LIMIT, async |client| {
                apply(&client, manifests, options).await
            })
    }

    /// What the API server says to each of these CRDs; nothing is changed.
    ///
    /// # Errors
    /// The server cannot be reached, or does not answer what it is asked.
    pub fn refusals(
        &self,
        crds: &[Value],
        interrupted: Interrupted<'_>,
    ) -> Result<Vec<Option<Refusal>>> {
        refusals(&self.admin, crds, interrupted)
    }

    /// Kills the API server. etcd keeps the data, the port stays reserved.
    pub fn stop_api_server(&mut self) {
        self.api_server = None;
    }

    /// Starts the API server, unless it runs, and waits until it is ready; same port, same certificates, same data.
    ///
    /// # Errors
    /// As [`ControlPlane::start`].
    pub fn start_api_server(&mut self) -> Result<()> {
        if self.api_server.is_some() {
            return Ok(());
        }
        let (program, flags) = (&self.api_server_program, &self.api_server_flags);
        let mut server = Server::spawn("kube-apiserver", program, flags, &self.watchdog)?;
        let etcd = &mut self.etcd;
        self.admin
            .run("start the control plane", 2 * START_LIMIT, async |client| {
                wait_ready(&client, &mut server, etcd).await
            })?;
        self.api_server = Some(server);
        Ok(())
    }

    /// Kills the API server and starts it again.
    ///
    /// # Errors
    /// As [`ControlPlane::start`].
    pub fn restart_api_server(&mut self) -> Result<()> {
        self.stop_api_server();
        self.start_api_server()
    }

    /// The address of the API server.
    pub fn url(&self) -> String {
        api_server_url(self.ports.api_server.number())
    }

    /// The temporary folder with its data, logs, certificates and kubeconfigs (mode 0700). It goes with the control
    /// plane; whatever shall go too may be put there.
    pub fn folder(&self) -> &Path {
        self.watchdog.folder()
    }

    /// The audit log, when there is one: a JSON object of `audit.k8s.io/v1` a line.
    pub fn audit_log(&self) -> Option<&Path> {
        self.audit_log.as_deref()
    }

    /// One process to kill with the control plane, should this process be killed; `None` for none.
    pub fn take_along(&self, process: Option<u32>) {
        self.watchdog.take_along(process);
    }

    /// The ids of all its processes, the watchdog's included.
    pub fn pids(&self) -> Vec<u32> {
        let servers = [Some(&self.etcd), self.api_server.as_ref()];
        let servers = servers.into_iter().flatten().map(Server::pid);
        servers.chain(self.watchdog.pids()).collect()
    }
}

async fn request_token(client: Client, namespace: &str, name: &str) -> anyhow::Result<String> {
    let accounts: Api<ServiceAccount> = Api::namespaced(client, namespace);
    let request = TokenRequest {
        spec: Some(TokenRequestSpec {
            expiration_seconds: Some(i64::try_from(VALIDITY.as_secs())?),
            ..TokenRequestSpec::default()
        }),
        ..TokenRequest::default()
    };
    let params = PostParams::default();
    let answer = accounts
        .create_token_request(name, &params, &request)
        .await?;
    let token = answer.status.and_then(|status| status.token);
    token.context("the answer holds no token")
}

/// Go's words for EADDRINUSE, at the end of the server's log.
fn is_port_taken(error: &Error) -> bool {
    let causes = error.causes();
    causes
        .iter()
        .any(|cause| cause.contains("address already in use"))
}
