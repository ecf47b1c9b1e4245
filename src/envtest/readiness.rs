//! When a control plane may be used.
use std::time::{Duration, Instant};

use anyhow::anyhow;
use k8s_openapi::api::core::v1::Namespace;
use kube::Client;
use kube::api::Api;
use tokio::time::{sleep, timeout};

use super::admin::get_text;
use super::server::Server;
use crate::error::Result;

/// Ready takes 3–6 s on an idle machine; this is for one that is busy compiling.
pub(super) const START_LIMIT: Duration = Duration::from_secs(120);
const ANSWER_LIMIT: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(50);

/// Ready means `/readyz` says so and the namespace that every test needs is there.
pub(super) async fn wait_ready(
    client: &Client,
    api_server: &mut Server,
    etcd: &mut Server,
) -> Result<()> {
    let until = Instant::now() + START_LIMIT;
    loop {
        etcd.check()?;
        api_server.check()?;
        let last = timeout(ANSWER_LIMIT, is_ready(client)).await;
        if matches!(last, Ok(Ok(()))) {
            return Ok(());
        }
        if Instant::now() > until {
            let log = anyhow!("{}", api_server.log_tail());
            let seconds = START_LIMIT.as_secs();
            let error = log.context(match last {
                Ok(Err(error)) => format!("its last answer: {error:#}"),
                _ => "it does not answer".to_owned(),
            });
            return Err(error
                .context(format!("kube-apiserver is not ready after {seconds} s"))
                .into());
        }
        sleep(POLL).await;
    }
}

async fn is_ready(client: &Client) -> anyhow::Result<()> {
    get_text(client, "readyz").await?;
    let namespaces: Api<Namespace> = Api::all(client.clone());
    namespaces.get("default").await?;
    Ok(())
}
