//! Kubeconfigs of the control plane's users.
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use k8s_openapi::ByteString;

use super::certificates::Pair;
use crate::error::Result;

/// A kubeconfig file in the control plane's folder, readable by its owner only. It goes with the control plane.
#[derive(Clone, Debug)]
pub struct Kubeconfig {
    /// Where the file is.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

/// Who a kubeconfig is for.
pub(super) enum User<'a> {
    Certificate(&'a Pair),
    Token(&'a str),
}

impl Kubeconfig {
    /// Writes the file `name` into the folder.
    pub(super) fn write(folder: &Path, name: &str, text: String) -> Result<Self> {
        let path = folder.join(name);
        write_private(&path, &text)?;
        Ok(Self { path, text })
    }
}

/// Writes a file that only its owner may read.
pub(super) fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(0o600);
    let file = options.open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
}

/// The text of a kubeconfig. All values are URLs, base64, tokens or names: YAML reads them as strings unquoted.
pub(super) fn render(url: &str, authority: &str, namespace: &str, user: &User<'_>) -> String {
    let user = match user {
        User::Certificate(pair) => format!(
            "client-certificate-data: {}\n    client-key-data: {}",
            base64(&pair.public),
            base64(&pair.private)
        ),
        User::Token(token) => format!("token: {token}"),
    };
    let authority = base64(authority);
    format!(
        "\
apiVersion: v1
kind: Config
clusters:
- name: envtest
  cluster:
    server: {url}
    certificate-authority-data: {authority}
users:
- name: envtest
  user:
    {user}
contexts:
- name: envtest
  context:
    cluster: envtest
    user: envtest
    namespace: {namespace:?}
current-context: envtest
"
    )
}

/// As Kubernetes writes bytes in JSON.
fn base64(text: &str) -> String {
    let value = serde_json::to_value(ByteString(text.into()));
    match value.expect("bytes are JSON") {
        serde_json::Value::String(base64) => base64,
        other => unreachable!("bytes are a JSON string, not {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubeconfigs_are_read_by_kube() {
        let pair = Pair {
            public: "certificate".to_owned(),
            private: "key".to_owned(),
        };
        // base64 by coreutils
        let text = render(
            "https://127.0.0.1:1",
            "authority",
            "default",
            &User::Certificate(&pair),
        );
        let config = kube::config::Kubeconfig::from_yaml(&text).unwrap();
        let user = config.auth_infos[0].auth_info.clone().unwrap();
        assert_eq!(user.client_certificate_data.unwrap(), "Y2VydGlmaWNhdGU=");
        let cluster = config.clusters[0].cluster.clone().unwrap();
        assert_eq!(cluster.certificate_authority_data.unwrap(), "YXV0aG9yaXR5");
        assert_eq!(cluster.server.unwrap(), "https://127.0.0.1:1");

        // a namespace that YAML would take for a number
        let text = render(
            "https://127.0.0.1:1",
            "authority",
            "1e3",
            &User::Token("a.b.c"),
        );
        let config = kube::config::Kubeconfig::from_yaml(&text).unwrap();
        let context = config.contexts[0].context.clone().unwrap();
        assert_eq!(context.namespace.unwrap(), "1e3");
        assert!(
            config.auth_infos[0]
                .auth_info
                .clone()
                .unwrap()
                .token
                .is_some()
        );
    }
}
