use std::num::ParseIntError;

/// What a reconcile returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a reconcile failed; add a variant for each kind of failure of your own.
///
/// `error_text` puts the texts of an error and of its sources in one line: do not repeat a source
/// in the text of a variant.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("a request to the API server failed")]
    Kube(#[from] kube::Error),
    #[error("the ConfigMap {0} does not exist")]
    SettingsNotFound(String),
    #[error("the ConfigMap {0} has no key memoryLimit")]
    NoMemoryLimit(String),
    #[error("memoryLimit in the ConfigMap {0} is not a number of megabytes")]
    BadMemoryLimit(String, #[source] ParseIntError),
}

impl Error {
    /// One CamelCase word that conditions and events give as their reason.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Kube(_) => "ReconcileFailed",
            Self::SettingsNotFound(_) => "SettingsNotFound",
            Self::NoMemoryLimit(_) | Self::BadMemoryLimit(..) => "SettingsInvalid",
        }
    }
}
