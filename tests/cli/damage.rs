//! What a tree is, to tell whether it was damaged.
use crate::support::{self, CREATE, Dir, INIT};
use std::{
    collections::BTreeMap, fs, path::Path, process::Command, sync::LazyLock, time::SystemTime,
};

/// All there is to a tree: bytes, modes, and when each file was changed.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub files: BTreeMap<String, Vec<u8>>,
    pub modes: BTreeMap<String, u32>,
    times: BTreeMap<String, SystemTime>,
}

impl State {
    pub fn of(dir: &Path) -> Self {
        let files = support::tree(dir);
        let time = |path: &String| {
            let metadata = fs::symlink_metadata(dir.join(path)).unwrap();
            (path.clone(), metadata.modified().unwrap())
        };
        let times = files.keys().map(time).collect();
        let modes = support::modes(dir);
        Self {
            files,
            modes,
            times,
        }
    }

    /// Whether bytes and modes are the same; what is written anew has another time.
    pub fn is_like(&self, other: &Self) -> bool {
        self.files == other.files && self.modes == other.modes
    }

    /// Where two trees differ, for people.
    pub fn differences(&self, other: &Self) -> String {
        let mut told = String::new();
        let paths = self.modes.keys().chain(other.modes.keys());
        for path in paths.collect::<std::collections::BTreeSet<_>>() {
            let one = |state: &Self| {
                let bytes = state.files.get(path).cloned();
                let mode = state.modes.get(path).copied();
                (bytes, mode, state.times.get(path).copied())
            };
            let (a, b) = (one(self), one(other));
            if a != b {
                let what = [a.0 != b.0, a.1 != b.1, a.2 != b.2];
                told.push_str(&format!("{path}: bytes, mode, time differ: {what:?}\n"));
            }
        }
        told
    }

    /// The tree is exactly as it was.
    #[track_caller]
    pub fn assert_untouched(&self, dir: &Path, when: &str) {
        let now = Self::of(dir);
        assert!(now == *self, "{when}:\n{}", self.differences(&now));
    }

    /// The tree has these bytes and modes.
    #[track_caller]
    pub fn assert_reached(&self, dir: &Path, when: &str) {
        let now = Self::of(dir);
        assert!(now.is_like(self), "{when}:\n{}", self.differences(&now));
    }

    /// Each file is as in one of the trees; nothing else but rop's stage is there.
    #[track_caller]
    pub fn assert_whole(dir: &Path, old: &Self, new: &Self, when: &str) {
        for (path, bytes) in support::tree(dir) {
            let staged = path.split('/').any(|name| name == ".rop-stage");
            let known = [old, new]
                .iter()
                .any(|s| s.files.get(&path) == Some(&bytes));
            assert!(staged || known, "{when}: {path} is neither old nor new");
        }
        for path in old
            .files
            .keys()
            .filter(|path| new.files.contains_key(*path))
        {
            assert!(dir.join(path).exists(), "{when}: {path} is gone");
        }
    }
}

/// A copy of a tree, with its times.
pub fn copy(from: &Path, name: &str) -> Dir {
    let dir = Dir::new(name);
    let mut cp = Command::new("cp");
    support::run(cp.arg("-a").arg(from.join(".")).arg(&*dir), &dir).ok();
    dir
}

/// A project without APIs.
pub fn project() -> Dir {
    static PROJECT: LazyLock<Dir> = LazyLock::new(|| Dir::project(&[INIT]));
    copy(&PROJECT, "myapp-operator")
}

/// A project with a kind.
pub fn project_with_kind() -> Dir {
    static PROJECT: LazyLock<Dir> = LazyLock::new(|| Dir::project(&[INIT, CREATE]));
    copy(&PROJECT, "myapp-operator")
}
