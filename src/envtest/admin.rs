//! The administrator's connection to the API server.
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow};
use kube::api::GetParams;
use kube::core::Request;
use kube::{Client, Config};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::flags::api_server_url;
use crate::error::Result;

const REQUEST_LIMIT: Duration = Duration::from_secs(30);
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Connects with the administrator's certificate. Nothing of the environment is asked, no proxy either.
pub(super) struct Admin {
    config: Config,
}

impl Admin {
    /// A connection to the port with the certificate and key in the folder.
    pub(super) fn new(port: u16, authority_der: Vec<u8>, folder: &Path) -> Self {
        let url = api_server_url(port);
        let mut config = Config::new(url.parse().expect("it is a URL"));
        config.root_cert = Some(vec![authority_der]);
        config.connect_timeout = Some(REQUEST_LIMIT);
        config.read_timeout = Some(REQUEST_LIMIT);
        config.write_timeout = Some(REQUEST_LIMIT);
        let file = |name: &str| folder.join(name).to_str().map(ToOwned::to_owned);
        config.auth_info.client_certificate = file("admin.crt");
        config.auth_info.client_key = file("admin.key");
        Self { config }
    }

    /// A connection to a cluster of the user's.
    pub(super) fn of(mut config: Config) -> Self {
        config.connect_timeout = Some(CONNECT_LIMIT);
        config.read_timeout = Some(REQUEST_LIMIT);
        config.write_timeout = Some(REQUEST_LIMIT);
        Self { config }
    }

    /// Does what needs the API server and waits for it, at most for `limit`.
    ///
    /// # Errors
    /// What the work says, or `cannot WHAT` when the time is over.
    pub(super) fn run<T>(
        &self,
        what: &str,
        limit: Duration,
        work: impl AsyncFnOnce(Client) -> Result<T>,
    ) -> Result<T> {
        let runtime = runtime()?;
        runtime.block_on(async {
            let client = Client::try_from(self.config.clone());
            let client = client.context("cannot connect to the API server")?;
            let seconds = limit.as_secs();
            timeout(limit, work(client)).await.unwrap_or_else(|_| {
                let late = anyhow!("the API server did not do it within {seconds} s");
                Err(late.context(format!("cannot {what}")).into())
            })
        })
    }
}

/// Reads a path of the API server that belongs to no resource.
pub(super) async fn get_text(client: &Client, path: &str) -> anyhow::Result<String> {
    let request = Request::new("").get(path, &GetParams::default())?;
    Ok(client.request_text(request).await?)
}

/// Waits for something that asks no server.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T> {
    Ok(runtime()?.block_on(work))
}

/// A runtime of one call: the owner holds none, so it may be dropped anywhere.
fn runtime() -> Result<Runtime> {
    let runtime = Builder::new_current_thread().enable_all().build();
    Ok(runtime.context("cannot start an async runtime")?)
}
