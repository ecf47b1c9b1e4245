//! Golden trees, compared exactly: paths, modes, bytes. `BLESS=1 cargo test golden` writes them.
//!
//! `tests/golden/init` is the whole tree of `rop init`; the other folders hold what their
//! commands add to it or change in it.
use crate::support::{self, Dir, INIT};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Each case: its folder, and the lines that make it.
pub const CASES: [(&str, &[&str]); 7] = [
    ("init", &[INIT]),
    (
        "myapp",
        &[
            INIT,
            "rop create api --group app --version v1alpha1 --kind MyApp",
        ],
    ),
    (
        "cluster-scoped",
        &[
            INIT,
            "rop create api --group app --version v1alpha1 --kind MyApp --namespaced=false",
        ],
    ),
    (
        "namespaced",
        &[
            "rop init --domain example.com --namespaced",
            "rop create api --group app --version v1alpha1 --kind MyApp",
        ],
    ),
    (
        "all-parts",
        &["rop init --domain example.com --metrics --network-policy --prometheus"],
    ),
    (
        "resource-only",
        &[
            INIT,
            "rop create api --group app --version v1alpha1 --kind MyApp --controller=false",
        ],
    ),
    (
        "two-kinds",
        &[
            INIT,
            "rop create api --group app --version v1alpha1 --kind MyApp",
            "rop create api --group app --version v1alpha1 --kind Other",
        ],
    ),
];

fn folder(case: &str) -> PathBuf {
    support::repository().join("tests/golden").join(case)
}

/// The whole tree that a case expects.
fn expected(case: &str) -> BTreeMap<String, Vec<u8>> {
    let mut tree = support::tree(&folder("init"));
    tree.extend(support::tree(&folder(case)));
    tree
}

fn bless(case: &str, tree: &BTreeMap<String, Vec<u8>>) {
    let _ = fs::remove_dir_all(folder(case));
    fs::create_dir_all(folder(case)).unwrap();
    let init = support::tree(&folder("init"));
    for (path, bytes) in tree {
        if case == "init" || init.get(path) != Some(bytes) {
            let path = folder(case).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

#[test]
fn trees_are_golden() {
    for (case, lines) in CASES {
        let dir = Dir::project(lines);
        let tree = support::tree(&dir);
        if std::env::var_os("BLESS").is_some() {
            bless(case, &tree);
        }
        let expected = expected(case);
        let paths: Vec<_> = tree.keys().collect();
        assert_eq!(
            paths,
            expected.keys().collect::<Vec<_>>(),
            "paths of {case}"
        );
        for (path, bytes) in &tree {
            let text = String::from_utf8_lossy(bytes);
            let wanted = String::from_utf8_lossy(&expected[path]);
            assert_eq!(text, wanted, "{path} of {case}");
        }
        for (path, mode) in support::modes(&dir) {
            // The test makes the top folder itself.
            let wanted = if dir.join(&path).is_dir() {
                0o755
            } else {
                0o644
            };
            assert!(
                mode == wanted || path.is_empty(),
                "{path} of {case} has mode {mode:o}"
            );
        }
    }
}

/// Any order of the same commands gives the same tree.
#[test]
fn order_does_not_matter() {
    let one = "rop create api --group app --version v1alpha1 --kind MyApp";
    let other = "rop create api --group app --version v1alpha1 --kind Other";
    let resource = "rop create api --group app --version v1alpha1 --kind Other --controller=false";
    let controller = "rop create api --group app --version v1alpha1 --kind Other --resource=false";
    let wanted = expected("two-kinds");
    for lines in [
        vec![INIT, other, one],
        vec![INIT, resource, one, controller],
        vec![INIT, one, resource, controller],
        vec![INIT, one, other, one, other],
    ] {
        let tree = support::tree(&Dir::project(&lines));
        assert!(tree == wanted, "{lines:?}");
    }
}

/// A command that was run before changes nothing, not even times.
#[test]
fn reruns_are_identical() {
    for (case, lines) in CASES {
        let dir = Dir::project(lines);
        let before = times(&dir);
        for text in lines {
            let ran = support::line(&dir, text).ok();
            assert!(!ran.stderr.contains("create"), "{case}: {ran:#?}");
        }
        assert_eq!(times(&dir), before, "{case}");
    }
}

fn times(dir: &Dir) -> BTreeMap<String, std::time::SystemTime> {
    let paths = support::tree(dir).into_keys();
    let time = |path: String| {
        let modified = fs::metadata(dir.join(&path)).unwrap().modified().unwrap();
        (path, modified)
    };
    paths.map(time).collect()
}
