//! The command lines of the servers.
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The flags of etcd. Nothing is flushed to the disk: the data need not survive the machine.
pub(super) fn etcd(folder: &Path, client_port: u16, peer_port: u16) -> Vec<OsString> {
    let client = etcd_url(client_port);
    let peer = etcd_url(peer_port);
    vec![
        flag("data-dir", folder.join("etcd")),
        flag("listen-client-urls", &client),
        flag("advertise-client-urls", &client),
        flag("listen-peer-urls", &peer),
        flag("socket-reuse-port", "true"),
        flag("unsafe-no-fsync", "true"),
    ]
}

/// The flags of kube-apiserver, for the files that are in the folder.
pub(super) fn api_server(folder: &Path, etcd_port: u16, port: u16) -> Vec<OsString> {
    let file = |name: &str| folder.join(name);
    vec![
        flag("etcd-servers", etcd_url(etcd_port)),
        flag("bind-address", "127.0.0.1"),
        flag("secure-port", port.to_string()),
        flag("permit-port-sharing", "true"),
        // Else it needs a default route, and 1.37 refuses a loopback address with any other reconciler.
        flag("advertise-address", "127.0.0.1"),
        flag("endpoint-reconciler-type", "none"),
        flag("cert-dir", folder),
        flag("tls-cert-file", file("apiserver.crt")),
        flag("tls-private-key-file", file("apiserver.key")),
        flag("client-ca-file", file("ca.crt")),
        flag("service-account-issuer", api_server_url(port)),
        flag("service-account-key-file", file("sa.pub")),
        flag("service-account-signing-key-file", file("sa.key")),
        flag("service-cluster-ip-range", "10.0.0.0/24"),
        flag("authorization-mode", "RBAC"),
        // Without a controller manager no namespace gets its `default` service account, which this plugin demands.
        flag("disable-admission-plugins", "ServiceAccount"),
        flag("allow-privileged", "true"),
    ]
}

/// The flags that make kube-apiserver keep an audit log.
pub(super) fn audit(policy: &Path, log: &Path) -> Vec<OsString> {
    vec![
        flag("audit-policy-file", policy),
        flag("audit-log-path", log),
    ]
}

/// One line for each answered request: who asked for what, and the verdict.
pub(super) const AUDIT_POLICY: &str = "\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
";

/// The address of the API server on this port.
pub(super) fn api_server_url(port: u16) -> String {
    format!("https://127.0.0.1:{port}")
}

fn etcd_url(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

fn flag(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut flag = OsString::from(format!("--{name}="));
    flag.push(value);
    flag
}
