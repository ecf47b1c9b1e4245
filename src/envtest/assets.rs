//! Where the binaries of the control plane are.
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

#[cfg(test)]
mod tests;

/// The Kubernetes version of the control plane.
pub const KUBERNETES_VERSION: &str = "1.37.2";

/// The binaries of a control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assets {
    /// etcd, 3.5 or newer.
    pub etcd: PathBuf,
    /// kube-apiserver.
    pub kube_apiserver: PathBuf,
    /// kubectl, where there is one beside the others.
    pub kubectl: Option<PathBuf>,
}

impl Assets {
    /// Finds the binaries. For each of them the first of these that is set decides, and none is skipped silently:
    /// `folder`, `TEST_ASSET_ETCD` and `TEST_ASSET_KUBE_APISERVER`, `KUBEBUILDER_ASSETS`, rop's cache.
    /// The variables are those of controller-runtime's envtest.
    ///
    /// # Errors
    /// A binary is not there or is not executable.
    pub fn find(folder: Option<&Path>) -> Result<Self> {
        Search {
            folder: folder.map(Path::to_owned),
            variable: |name: &str| std::env::var_os(name),
        }
        .run()
    }
}

/// The folder in which rop keeps what it can make again: `rop` in the platform's cache folder.
///
/// # Errors
/// The environment does not tell: `HOME` is not set.
pub fn cache_folder() -> Result<PathBuf> {
    cache_folder_by(|name| std::env::var_os(name))
}

/// This machine in Go's words, as in the folder names of setup-envtest: `linux-amd64`.
pub(super) fn platform() -> String {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        os => os,
    };
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        architecture => architecture,
    };
    format!("{os}-{architecture}")
}

fn cache_folder_by(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from);
    // A relative path is to be ignored, says the XDG Base Directory Specification.
    let absolute = |name: &str| folder(name).filter(|path| path.is_absolute());
    let caches = if cfg!(target_os = "macos") {
        absolute("HOME").map(|home| home.join("Library/Caches"))
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))
    };
    caches.map(|caches| caches.join("rop")).ok_or_else(|| {
        Error::failed("there is no cache folder: HOME is not set")
            .hint("set HOME, or name the folder of the binaries with KUBEBUILDER_ASSETS")
    })
}

struct Search<V> {
    folder: Option<PathBuf>,
    variable: V,
}

impl<V: Fn(&str) -> Option<OsString>> Search<V> {
    fn run(&self) -> Result<Assets> {
        Ok(Assets {
            etcd: self.executable("etcd")?,
            kube_apiserver: self.executable("kube-apiserver")?,
            kubectl: self.executable("kubectl").ok(),
        })
    }

    fn executable(&self, program: &str) -> Result<PathBuf> {
        let (path, origin) = self.locate(program)?;
        let path = std::path::absolute(&path).unwrap_or(path);
        let place = format!("{} ({origin})", path.display());
        match path.metadata() {
            Ok(file) if !file.is_file() => Err(Error::failed(format!("{place} is not a file"))),
            Ok(file) if file.permissions().mode() & 0o111 == 0 => {
                Err(Error::failed(format!("{place} is not executable"))
                    .hint(format!("chmod +x {}", path.display())))
            }
            Ok(_) => Ok(path),
            Err(_) => Err(
                Error::failed(format!("{program} is not at {place}")).hint(format!(
                    "give --assets, or set KUBEBUILDER_ASSETS to, a folder with etcd, \
                     kube-apiserver and kubectl for {}: `setup-envtest use -p path` prints one; \
                     tests/control-plane/build.sh of rop's repository fills rop's cache",
                    platform()
                )),
            ),
        }
    }

    /// The one path at which the program has to be, and who says so.
    fn locate(&self, program: &str) -> Result<(PathBuf, String)> {
        if let Some(folder) = &self.folder {
            return Ok((folder.join(program), "the given folder".to_owned()));
        }
        let set = |name: &str| (self.variable)(name).filter(|value| !value.is_empty());
        let own = format!("TEST_ASSET_{}", program.to_uppercase().replace('-', "_"));
        if let Some(path) = set(&own) {
            return Ok((path.into(), own));
        }
        if let Some(folder) = set("KUBEBUILDER_ASSETS") {
            let path = Path::new(&folder).join(program);
            return Ok((path, "KUBEBUILDER_ASSETS".to_owned()));
        }
        let release = format!("k8s/{KUBERNETES_VERSION}-{}", platform());
        let folder = cache_folder_by(&self.variable)?.join(release);
        Ok((folder.join(program), "rop's cache".to_owned()))
    }
}
