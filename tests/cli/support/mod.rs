//! What the tests have in common.
use nix::unistd::Pid;
use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command},
    time::SystemTime,
};
use walkdir::WalkDir;

/// The start of most projects.
pub const INIT: &str = "rop init --domain example.com";
/// And the kind that they have.
pub const CREATE: &str = "rop create api --group app --version v1alpha1 --kind MyApp";

/// The root of this repository.
pub fn repository() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// All files below a folder, with their bytes; what a build leaves is left out.
pub fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let walk = WalkDir::new(dir).into_iter();
    let walk = walk.filter_entry(|entry| entry.depth() != 1 || entry.file_name() != "target");
    walk.map(Result::unwrap)
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let path = entry.path().strip_prefix(dir).unwrap();
            let bytes = match entry.path_is_symlink() {
                true => format!("-> {}", fs::read_link(entry.path()).unwrap().display()).into(),
                false => fs::read(entry.path()).unwrap(),
            };
            (path.to_str().unwrap().to_owned(), bytes)
        })
        .collect()
}

/// The permission bits of all files and folders below a folder.
pub fn modes(dir: &Path) -> BTreeMap<String, u32> {
    let walk = WalkDir::new(dir).into_iter().map(Result::unwrap);
    walk.filter(|entry| !entry.path_is_symlink())
        .map(|entry| {
            let path = entry.path().strip_prefix(dir).unwrap();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o7777;
            (path.to_str().unwrap().to_owned(), mode)
        })
        .collect()
}

/// Sets the time of change of all files below a folder.
pub fn set_times(dir: &Path, time: SystemTime) {
    for path in tree(dir).into_keys() {
        let file = fs::File::options()
            .append(true)
            .open(dir.join(path))
            .unwrap();
        file.set_modified(time).unwrap();
    }
}

/// What a run of rop came to.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// It went well.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }

    /// It failed with this code, and told this on stderr, without a panic.
    #[track_caller]
    pub fn fails(self, code: i32, told: &[&str]) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        for text in told {
            assert!(self.stderr.contains(text), "no `{text}` in {self:#?}");
        }
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }
}

/// Runs the built `rop` in a folder.
pub fn rop(dir: &Path, args: &[&str]) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_rop")).args(args), dir)
}

/// A line fails with this code and tells this; nothing is written.
#[track_caller]
pub fn unchanged(dir: &Path, args: &str, code: i32, told: &[&str]) -> Ran {
    let before = (tree(dir), modes(dir));
    let ran = line(dir, args).fails(code, told);
    assert!((tree(dir), modes(dir)) == before, "the tree changed");
    ran
}

/// Runs a line of words, the first of which is `rop`.
pub fn line(dir: &Path, line: &str) -> Ran {
    let words: Vec<_> = line.split_whitespace().collect();
    assert_eq!(words[0], "rop");
    rop(dir, &words[1..])
}

/// Runs a command in a folder, away from settings of whoever runs the tests.
pub fn run(command: &mut Command, dir: &Path) -> Ran {
    let output = command
        .current_dir(dir)
        .env_remove("RUST_BACKTRACE")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into(),
        stderr: String::from_utf8_lossy(&output.stderr).into(),
    }
}

/// A command that builds in one folder for all generated projects, so that dependencies are
/// built once; binaries go to the project's own `target`.
pub fn builder(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .env(
            "CARGO_BUILD_BUILD_DIR",
            repository().join("target/projects"),
        )
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS");
    command
}

/// `make` with the rop of this build.
pub fn make() -> Command {
    let mut make = builder("make");
    make.env("ROP", env!("CARGO_BIN_EXE_rop"));
    make
}

/// Builds the program of `tests/go/NAME`.
pub fn go_program(name: &str) -> PathBuf {
    let program = repository().join("target/go").join(name);
    let mut go = Command::new("go");
    go.args(["build", "-mod=readonly", "-o"])
        .arg(&program)
        .arg(".");
    run(&mut go, &repository().join("tests/go").join(name)).ok();
    program
}

/// PATH with one more folder, before all others.
pub fn first_in_path(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap();
    let folders = [folder.to_owned()];
    env::join_paths(folders.into_iter().chain(env::split_paths(&path))).unwrap()
}

/// The id of a process that was started.
pub fn pid(process: &Child) -> Pid {
    Pid::from_raw(process.id().try_into().unwrap())
}

/// A folder of this name in a temporary one, which lives as long as the value.
pub struct Dir {
    _temporary: tempfile::TempDir,
    path: PathBuf,
}

impl Dir {
    /// An empty folder of this name.
    pub fn new(name: &str) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join(name);
        fs::create_dir(&path).unwrap();
        Self {
            path,
            _temporary: temporary,
        }
    }

    /// A project made by these lines.
    pub fn project(lines: &[&str]) -> Self {
        let dir = Self::new("myapp-operator");
        for text in lines {
            line(&dir, text).ok();
        }
        dir
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a program.
    pub fn program(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write(path, text);
        fs::set_permissions(self.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path.join(path)).unwrap()
    }
}

impl std::ops::Deref for Dir {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}
