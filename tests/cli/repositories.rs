//! `rop init` where there is something already: what is the user's stays, and is told.
use crate::support::{self, CREATE, Dir, INIT, unchanged};
use std::process::Command;

#[test]
fn repositories_that_exist() {
    let dir = Dir::new("op");
    dir.write("AGENTS.md", "mine\n");
    dir.write("README.md", "mine\n");
    dir.write("LICENSE", "mine\n");
    dir.write(".gitignore", "/x");
    dir.write(".envrc", "");
    dir.write("rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n");
    let ran = support::line(&dir, &format!("{INIT} --license mit")).ok();
    assert!(ran.stderr.contains("keep README.md (yours)"), "{ran:#?}");
    assert_eq!(dir.text("README.md"), "mine\n");
    assert_eq!(dir.text("LICENSE"), "mine\n");
    assert!(dir.text(".gitignore").starts_with("/x\n/target/\n"));

    let dir = Dir::new("op");
    dir.write("src/main.rs", "fn main() {}\n");
    dir.write("Cargo.toml", "[package]\nname = \"mine\"\n");
    unchanged(
        &dir,
        INIT,
        3,
        &["conflict Cargo.toml", "conflict src/main.rs", "--force"],
    );
}

/// Cargo.toml names the license that was asked for, LICENSE may be another.
#[test]
fn licenses_that_are_there() {
    let told = "LICENSE is yours and stays, but Cargo.toml has `license = \"MIT\"`";
    let dir = Dir::new("op");
    dir.write("LICENSE", "mine\n");
    let ran = support::line(&dir, &format!("{INIT} --license mit")).ok();
    assert!(ran.stderr.contains(told), "{ran:#?}");
    assert_eq!(dir.text("LICENSE"), "mine\n");

    // The same text, or none asked for.
    let ours = Dir::new("op");
    support::line(&ours, &format!("{INIT} --license mit")).ok();
    let dir = Dir::new("op");
    dir.write("LICENSE", ours.text("LICENSE"));
    let ran = support::line(&dir, &format!("{INIT} --license mit")).ok();
    assert!(!ran.stderr.contains("warning"), "{ran:#?}");
    let dir = Dir::new("op");
    dir.write("LICENSE", "mine\n");
    let ran = support::line(&dir, INIT).ok();
    assert!(!ran.stderr.contains("warning"), "{ran:#?}");
}

#[test]
fn a_package_of_another_program() {
    let dir = Dir::new("op");
    dir.write("Cargo.toml", "[package]\nname = \"mine\"\n");
    let told = [
        "Cargo.toml is of another package",
        "`rop init DIR`",
        "--force",
    ];
    unchanged(&dir, &format!("{INIT} --skip-existing"), 3, &told);
    unchanged(&dir, &format!("{INIT} --skip-existing --dry-run"), 3, &told);
    support::line(&dir, &format!("{INIT} --force")).ok();
    assert!(
        support::tree(&dir)
            == support::tree(&{
                let fresh = Dir::new("op");
                support::line(&fresh, INIT).ok();
                fresh
            })
    );
    // In a project it is the user's to change.
    dir.write("Cargo.toml", dir.text("Cargo.toml") + "# mine\n");
    support::line(&dir, &format!("{INIT} --skip-existing")).ok();
    assert!(dir.text("Cargo.toml").ends_with("# mine\n"));
}

/// Files of editors and tools, line by line of `.gitignore`, and git itself: rop never runs it.
#[test]
fn tools_that_are_there() {
    const THEIRS: [&str; 7] = [
        "rust-toolchain",
        "rustfmt.toml",
        "clippy.toml",
        ".editorconfig",
        ".vscode/settings.json",
        ".idea/workspace.xml",
        ".cargo/config.toml",
    ];
    for commits in [false, true] {
        let dir = Dir::new("op");
        for path in THEIRS {
            dir.write(path, "# theirs\n");
        }
        let ignored = "# theirs\r\n/out\r\n.vscode/*\r\n!.vscode/settings.json\r\n";
        dir.write(".gitignore", ignored);
        let git = |args: &str| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=x", "-c", "user.email=x@example.com"]);
            support::run(git.args(args.split(' ')), &dir).ok().stdout
        };
        git("init --quiet");
        if commits {
            git("add --all");
            git("commit --quiet --message theirs");
        }
        let before = support::tree(&dir.join(".git"));
        support::line(&dir, INIT).ok();
        support::line(&dir, CREATE).ok();
        assert!(support::tree(&dir.join(".git")) == before);
        for path in THEIRS {
            assert_eq!(dir.text(path), "# theirs\n", "{path}");
        }
        let new = dir.text(".gitignore");
        assert!(new.starts_with(ignored), "{new}");
        assert!(!new.replace("\r\n", "").contains('\n'), "{new:?}");
        // What they took out of an ignored folder is still theirs to commit.
        let status = git("status --porcelain --untracked-files=all --ignored");
        assert!(!status.contains("!! .vscode"), "{status}");
        // What is committed is not ignored.
        assert_eq!(status.contains("!! .idea/"), !commits, "{status}");
    }
}
