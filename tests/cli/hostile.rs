//! File systems that refuse, are full, or hold what nobody expects.
//!
//! Root may do everything, so the tests that are refused run rop as somebody else.
use crate::{
    damage::{self, State},
    support::{self, CREATE, Dir, INIT, Ran},
};
use std::{
    ffi::OsStr,
    fs,
    io::Write as _,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt as _, PermissionsExt as _, lchown, symlink},
        process::CommandExt as _,
    },
    path::Path,
    process::Command,
};

/// The user that has no rights.
const NOBODY: u32 = 65534;

fn is_root() -> bool {
    tempfile::tempdir()
        .unwrap()
        .path()
        .metadata()
        .unwrap()
        .uid()
        == 0
}

/// A program, run without the rights of root.
fn humble(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Gives a tree, and the way to it, to the user that has no rights.
fn give(dir: &Dir) {
    if !is_root() {
        return;
    }
    let top = dir.parent().unwrap();
    for path in [top.to_owned()].into_iter().chain(paths(dir)) {
        lchown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
}

fn paths(dir: &Path) -> Vec<std::path::PathBuf> {
    let walk = walkdir::WalkDir::new(dir).into_iter();
    walk.map(|entry| entry.unwrap().into_path()).collect()
}

/// rop, where everybody can run it.
fn program() -> &'static Path {
    static PROGRAM: std::sync::LazyLock<Dir> = std::sync::LazyLock::new(|| {
        let dir = Dir::new("bin");
        for folder in [dir.parent().unwrap(), &dir] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::copy(env!("CARGO_BIN_EXE_rop"), dir.join("rop")).unwrap();
        dir
    });
    static PATH: std::sync::LazyLock<std::path::PathBuf> =
        std::sync::LazyLock::new(|| PROGRAM.join("rop"));
    &PATH
}

fn line(dir: &Path, line: &str) -> Ran {
    support::run(humble(program()).args(line.split(' ').skip(1)), dir)
}

#[track_caller]
fn refused(dir: &Dir, text: &str, code: i32, told: &[&str]) {
    let before = State::of(dir);
    line(dir, text).fails(code, told);
    before.assert_untouched(dir, text);
}

const RIGHTS: &str = "\n\nhint: give the user that runs rop the right to it, with chmod or chown, then run the command again\n";

#[test]
fn folders_that_are_read_only() {
    for folder in ["", "api", "config/crd", "config/samples", "src/controllers"] {
        let dir = damage::project();
        give(&dir);
        let mode = |mode| {
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(dir.join(folder), mode).unwrap();
        };
        mode(0o555);
        let control = support::run(humble("touch").arg(dir.join(folder).join("x")), &dir);
        assert_ne!(control.code, 0, "whoever runs this may write everywhere");
        refused(
            &dir,
            CREATE,
            1,
            &["error: cannot", "Permission denied", RIGHTS],
        );
        mode(0o755);
        line(&dir, CREATE).ok();
    }
}

/// What is generated cannot be written, and what is gone cannot be removed, nor its folder.
#[test]
fn output_that_is_read_only() {
    for (folder, crds) in [
        ("config/crd/bases", "[]"),
        ("config/crd", "[]"),
        ("config/crd/bases", "[CRD]"),
    ] {
        let dir = damage::project_with_kind();
        let path = "config/crd/bases/app.example.com_myapps.yaml";
        let crd: serde_json::Value = serde_saphyr::from_str(&dir.text(path)).unwrap();
        dir.write("crds.json", crds.replace("CRD", &crd.to_string()));
        dir.program("cargo", "#!/bin/sh\ncat crds.json\n");
        if crds != "[]" {
            dir.write(path, dir.text(path) + "# Older.\n");
        }
        give(&dir);
        let mode = |mode| {
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(dir.join(folder), mode).unwrap();
        };
        let generate = || {
            let mut rop = humble(program());
            rop.args(["generate", "--prune"])
                .env("CARGO", dir.join("cargo"));
            support::run(&mut rop, &dir)
        };
        mode(0o555);
        let before = State::of(&dir);
        generate().fails(1, &["error: cannot", "Permission denied", RIGHTS]);
        before.assert_untouched(&dir, folder);
        mode(0o755);
        generate().ok();
    }
}

#[test]
fn files_and_folders_that_cannot_be_read() {
    for path in ["PROJECT", "rop.lock", "api/lib.rs", "src/controllers"] {
        let dir = damage::project();
        give(&dir);
        let before = State::of(&dir);
        let mode = |mode| {
            fs::set_permissions(dir.join(path), fs::Permissions::from_mode(mode)).unwrap();
        };
        let old = fs::metadata(dir.join(path)).unwrap().permissions().mode();
        mode(0o000);
        let control = support::run(humble("ls").arg(dir.join(path).join(".")), &dir);
        assert_ne!(control.code, 0, "whoever runs this may read everything");
        line(&dir, CREATE).fails(1, &["cannot read", path, "Permission denied", RIGHTS]);
        mode(old);
        before.assert_untouched(&dir, path);
    }
}

/// A disk that is full for real takes a mount, which root may make; on Linux everybody is root in a
/// name space of their own, as far as the system lets them.
#[test]
fn a_disk_that_is_full() {
    let name_spaces = [&["--mount"][..], &["--mount", "--user", "--map-root-user"]];
    let unshare = |flags: &[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args(flags);
        unshare
    };
    let works = |flags: &&[&str]| {
        unshare(flags)
            .arg("true")
            .status()
            .is_ok_and(|s| s.success())
    };
    let Some(flags) = name_spaces.into_iter().find(works) else {
        // Past the capture of test output: who runs all tests has to see it.
        let told = "\nSKIPPED, 1 test: hostile::a_disk_that_is_full may mount nothing here\n";
        std::io::stderr().write_all(told.as_bytes()).unwrap();
        return;
    };
    let rop = env!("CARGO_BIN_EXE_rop");
    // Room for less and less: the disk is full at another step each time.
    let script = format!(
        "set -eu\n\
         mkdir disk\n\
         mount -t tmpfs -o size=4m none disk\n\
         mkdir disk/p\n\
         cd disk/p\n\
         {rop} {} -q --project-name op\n\
         # Fill nothing but this small disk.\n\
         [ \"$(df --output=size -k . | tail -1)\" -le 4096 ]\n\
         find . -type f -exec sha256sum {{}} + | sort >../../before\n\
         failed=0\n\
         for left in 0 4 8 12 16 24 32 48; do\n\
           room=$(df --output=avail -k . | tail -1)\n\
           head -c $(((room - left) * 1024)) /dev/zero >../filler\n\
           code=0; {rop} {} 2>../../told || code=$?\n\
           rm ../filler\n\
           if [ $code = 0 ]; then break; fi\n\
           failed=$((failed + 1))\n\
           [ $code = 1 ] && grep -q 'No space left on device' ../../told || {{ cat ../../told; exit 1; }}\n\
           grep -q 'hint: free space on that disk' ../../told || {{ cat ../../told; exit 1; }}\n\
           find . -type f -exec sha256sum {{}} + | sort >../../after\n\
           cmp ../../before ../../after\n\
           [ ! -e .rop-stage ]\n\
         done\n\
         echo failed $failed\n\
         {rop} {} -q\n",
        INIT.trim_start_matches("rop "),
        CREATE.trim_start_matches("rop "),
        CREATE.trim_start_matches("rop "),
    );
    let dir = Dir::new("disk");
    let mut unshare = unshare(flags);
    let ran = support::run(unshare.args(["sh", "-c", &script]), &dir).ok();
    let failed = ran.stdout.trim().trim_start_matches("failed ");
    assert!(failed.parse::<usize>().unwrap() > 1, "{ran:#?}");
}

#[test]
fn links_that_lead_nowhere_or_in_circles() {
    for (target, told) in [
        ("nowhere", "is a link that leads nowhere"),
        ("kustomization.yaml", "is a link that leads nowhere"),
        ("/etc/passwd", "is a link that leaves the project"),
        ("../../..", "is a link that leaves the project"),
    ] {
        let dir = damage::project();
        give(&dir);
        let path = dir.join("config/crd/kustomization.yaml");
        fs::remove_file(&path).unwrap();
        symlink(target, &path).unwrap();
        refused(&dir, CREATE, 3, &["config/crd/kustomization.yaml", told]);
    }
}

/// Something else where rop keeps what it is about to write.
#[test]
fn the_stage_is_in_the_way() {
    let dir = damage::project();
    give(&dir);
    dir.write(".rop-stage", "mine\n");
    refused(&dir, CREATE, 3, &[".rop-stage is in the way", "remove it"]);
    fs::remove_file(dir.join(".rop-stage")).unwrap();
    let outside = Dir::new("outside");
    outside.write("journal", "{}");
    symlink(&*outside, dir.join(".rop-stage")).unwrap();
    refused(&dir, CREATE, 3, &[".rop-stage is in the way"]);
    assert_eq!(outside.text("journal"), "{}");
}

#[test]
fn paths_that_are_too_long() {
    let dir = Dir::new("op");
    give(&dir);
    let name = "n".repeat(256);
    let deep = "folder/".repeat(600);
    for path in [name, deep] {
        let init = format!("{INIT} --project-name op {path}");
        refused(
            &dir,
            &init,
            1,
            &[
                "error: cannot",
                "File name too long",
                "hint: use a shorter path",
            ],
        );
    }
}

/// Adds a kind to the project in a folder of this name.
#[track_caller]
fn creates_in(dir: &Dir, name: &OsStr) {
    let mut rop = humble(program());
    rop.args(CREATE.split(' ').skip(1));
    let folder = Path::new(".").join(name);
    support::run(rop.arg("-C").arg(&folder), dir).ok();
    let types = folder.join("api/v1alpha1/myapp_types.rs");
    assert!(dir.join(types).exists());
}

#[test]
fn folders_with_odd_names() {
    for name in ["with space", "two\nlines", "it's \"quoted\"", "$HOME", "-C"] {
        let dir = Dir::new("op");
        give(&dir);
        let init = "init --domain example.com --project-name op --".split(' ');
        support::run(humble(program()).args(init).arg(name), &dir).ok();
        creates_in(&dir, name.as_ref());
    }
    let dir = Dir::new("op");
    give(&dir);
    let name = OsStr::from_bytes(b"caf\xe9");
    let init = |more: &[&str]| {
        let mut rop = humble(program());
        support::run(
            rop.args(["init", "--domain", "example.com"])
                .args(more)
                .arg(name),
            &dir,
        )
    };
    init(&[]).fails(2, &["--project-name"]);
    init(&["--project-name", "op"]).ok();
    creates_in(&dir, name);
}

#[test]
fn modes_do_not_depend_on_the_umask() {
    let tree = |umask: &str| {
        let dir = Dir::new("myapp-operator");
        for text in [INIT, CREATE] {
            let script = format!(
                "umask {umask}; exec \"$0\" {}",
                text.trim_start_matches("rop ")
            );
            support::run(
                Command::new("sh").args(["-c", &script]).arg(program()),
                &dir,
            )
            .ok();
        }
        let mut modes = support::modes(&dir);
        modes.remove("");
        modes
    };
    let modes = tree("077");
    assert_eq!(modes, tree("000"));
    assert!(modes.values().all(|mode| [0o644, 0o755].contains(mode)));
}

#[test]
fn a_working_folder_that_is_gone() {
    for text in [INIT, CREATE, "rop generate rbac"] {
        let dir = Dir::new("op");
        let words = text.trim_start_matches("rop ");
        let script = format!("rmdir ../op; exec \"$0\" {words}");
        let mut sh = Command::new("sh");
        let ran = support::run(sh.args(["-c", &script]).arg(program()), &dir);
        let hint = "hint: the working directory was removed: `cd` to a folder that is there\n";
        ran.fails(1, &["cannot open .", "No such file or directory", hint]);
    }
    let dir = Dir::new("op");
    let nowhere = [
        "cannot open nowhere",
        "No such file or directory",
        "hint: name a folder that is there\n",
    ];
    refused(&dir, &format!("{CREATE} -C nowhere"), 1, &nowhere);
}
