use std::collections::BTreeMap;
use std::fs;

use super::*;

/// A folder with executable files of these names.
fn folder(programs: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for program in programs {
        executable(&folder.path().join(program));
    }
    folder
}

fn executable(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn find(given: Option<&Path>, variables: &[(&str, &Path)]) -> Result<Assets> {
    let variables: BTreeMap<&str, &Path> = variables.iter().copied().collect();
    Search {
        folder: given.map(Path::to_owned),
        variable: |name: &str| variables.get(name).map(|path| path.as_os_str().to_owned()),
    }
    .run()
}

const BOTH: [&str; 2] = ["etcd", "kube-apiserver"];

#[test]
fn the_given_folder_wins_over_every_variable() {
    let (given, other) = (folder(&BOTH), folder(&BOTH));
    let etcd = other.path().join("etcd");
    let variables = [
        ("TEST_ASSET_ETCD", etcd.as_path()),
        ("KUBEBUILDER_ASSETS", other.path()),
    ];
    let found = find(Some(given.path()), &variables).unwrap();
    assert_eq!(found.etcd, given.path().join("etcd"));
    assert_eq!(found.kube_apiserver, given.path().join("kube-apiserver"));
    assert_eq!(found.kubectl, None);
}

#[test]
fn the_variable_of_one_program_wins_over_the_folder_of_all() {
    let (all, one) = (folder(&["etcd", "kube-apiserver", "kubectl"]), folder(&[]));
    let etcd = one.path().join("my-etcd");
    executable(&etcd);
    let variables = [
        ("TEST_ASSET_ETCD", etcd.as_path()),
        ("KUBEBUILDER_ASSETS", all.path()),
    ];
    let found = find(None, &variables).unwrap();
    assert_eq!(found.etcd, etcd);
    assert_eq!(found.kube_apiserver, all.path().join("kube-apiserver"));
    assert_eq!(found.kubectl, Some(all.path().join("kubectl")));
}

#[test]
fn the_cache_comes_last() {
    let home = folder(&[]);
    let caches = if cfg!(target_os = "macos") {
        "Library/Caches"
    } else {
        ".cache"
    };
    let release = format!("{caches}/rop/k8s/{KUBERNETES_VERSION}-{}", platform());
    let release = home.path().join(release);
    BOTH.iter()
        .for_each(|program| executable(&release.join(program)));
    let empty = Path::new("");
    let variables = [("HOME", home.path()), ("KUBEBUILDER_ASSETS", empty)];
    assert_eq!(find(None, &variables).unwrap().etcd, release.join("etcd"));
}

#[test]
fn a_missing_binary_is_said_with_its_place_and_the_way_out() {
    let assets = folder(&["etcd"]);
    let error = find(None, &[("KUBEBUILDER_ASSETS", assets.path())]).unwrap_err();
    let place = assets.path().join("kube-apiserver");
    assert_eq!(
        error.message(),
        format!(
            "kube-apiserver is not at {} (KUBEBUILDER_ASSETS)",
            place.display()
        )
    );
    assert!(error.hints()[0].contains("KUBEBUILDER_ASSETS"), "{error:?}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn no_other_place_is_tried_when_a_variable_is_set() {
    let (empty, home) = (folder(&[]), folder(&[]));
    let release = format!(".cache/rop/k8s/{KUBERNETES_VERSION}-{}", platform());
    let release = home.path().join(release);
    BOTH.iter()
        .for_each(|program| executable(&release.join(program)));
    let variables = [("KUBEBUILDER_ASSETS", empty.path()), ("HOME", home.path())];
    assert!(find(None, &variables).is_err());
}

#[test]
fn what_cannot_run_is_refused() {
    let assets = folder(&BOTH);
    let etcd = assets.path().join("etcd");
    fs::set_permissions(&etcd, fs::Permissions::from_mode(0o644)).unwrap();
    let error = find(Some(assets.path()), &[]).unwrap_err();
    assert!(error.message().ends_with("is not executable"), "{error}");
    fs::remove_file(&etcd).unwrap();
    fs::create_dir(&etcd).unwrap();
    let error = find(Some(assets.path()), &[]).unwrap_err();
    assert!(error.message().ends_with("is not a file"), "{error}");
}

#[test]
fn without_a_home_there_is_no_cache() {
    let error = find(None, &[("XDG_CACHE_HOME", Path::new("relative"))]).unwrap_err();
    assert!(error.message().contains("HOME is not set"), "{error}");
}

#[cfg(not(target_os = "macos"))]
#[test]
fn xdg_cache_home_counts_when_absolute() {
    let variable = |name: &str| (name == "XDG_CACHE_HOME").then(|| OsString::from("/x"));
    assert_eq!(cache_folder_by(variable).unwrap(), Path::new("/x/rop"));
}
