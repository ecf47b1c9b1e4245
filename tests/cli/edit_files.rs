//! `.gitignore` and Cargo.lock.
use rop::edit::cargo_lock::add_packages;
use rop::edit::lines::append;
use rop::edit::manifest::set_license;
use rop::edit::{EditResult, Edited};

fn changed(text: &str) -> Edited {
    Edited::Changed(text.to_owned())
}

#[test]
fn lines_are_appended_once() {
    let lines = ["/target/", "*.kubeconfig"];
    assert_eq!(append("", &lines), changed("/target/\n*.kubeconfig\n"));
    assert_eq!(append("a", &lines), changed("a\n/target/\n*.kubeconfig\n"));
    assert_eq!(
        append("a\r\n/target/  \r\n", &lines),
        changed("a\r\n/target/  \r\n*.kubeconfig\r\n")
    );
    assert_eq!(
        append("/target/\n#*.kubeconfig\n", &lines),
        changed("/target/\n#*.kubeconfig\n*.kubeconfig\n")
    );
    assert_eq!(
        append("/target\n", &["/target/", "/target/"]),
        changed("/target\n/target/\n")
    );
    assert_eq!(
        append("*.kubeconfig\r\n/target/ ", &lines),
        Edited::AlreadyThere
    );
    assert_eq!(
        append("\u{feff}/target/\n", &["/target/"]),
        Edited::AlreadyThere
    );
    assert_eq!(append("a", &[]), Edited::AlreadyThere);
}

#[test]
fn what_is_taken_out_stays_out() {
    let lines = ["/target/", "*.kubeconfig", ".vscode/"];
    for (text, new) in [
        ("!.vscode/\n", "/target/\n*.kubeconfig\n"),
        (
            ".vscode/*\n!.vscode/settings.json\n",
            "/target/\n*.kubeconfig\n",
        ),
        ("!target\n!/.vscode\n", "*.kubeconfig\n"),
        ("!test.kubeconfig\n", "/target/\n.vscode/\n"),
        (
            "!.vscodes\n!x.vscode\n#!/target/\n",
            "/target/\n*.kubeconfig\n.vscode/\n",
        ),
    ] {
        assert_eq!(
            append(text, &lines),
            changed(&format!("{text}{new}")),
            "{text}"
        );
    }
}

/// This repository's own lock file, as cargo wrote it.
const LOCK: &str = include_str!("../../Cargo.lock");

/// The package of this repository: its block, its version and its dependencies, the other way round.
fn own() -> (String, String, Vec<String>) {
    let start = LOCK
        .find("[[package]]\nname = \"rop\"\n")
        .expect("rop is locked");
    let length = LOCK[start..].find("\n\n").expect("more blocks follow");
    let block = &LOCK[start..start + length + 2];
    let value = |line: &str| line.split('"').nth(1).expect("quoted").to_owned();
    let lines: Vec<_> = block.lines().collect();
    let dependencies = lines.iter().filter(|line| line.starts_with(' '));
    let dependencies = dependencies.map(|line| value(line)).rev().collect();
    (block.to_owned(), value(lines[2]), dependencies)
}

fn add(text: &str, name: &str) -> EditResult {
    add_packages(text, &[(name, "0.1.0", &["b", "a"])])
}

#[test]
fn packages_are_written_as_cargo_does() {
    let (block, version, dependencies) = own();
    let dependencies: Vec<_> = dependencies.iter().map(String::as_str).collect();
    let add = |text: &str| add_packages(text, &[("rop", &version, &dependencies)]);
    assert!(dependencies.len() > 3, "{dependencies:?}");
    assert_eq!(add(LOCK), Ok(Edited::AlreadyThere));
    assert_eq!(add(&LOCK.replace(&block, "")), Ok(changed(LOCK)));
    let dos = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(
        add(&dos(&LOCK.replace(&block, ""))),
        Ok(changed(&dos(LOCK)))
    );
}

#[test]
fn packages_go_to_their_sorted_place() {
    let head = "# By cargo.\nversion = 4\n";
    let block = |name: &str| {
        format!(
            "\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\ndependencies = [\n \"a\",\n \"b\",\n]\n"
        )
    };
    let lock = |names: &[&str]| {
        names
            .iter()
            .fold(String::from(head), |text, name| text + &block(name))
    };
    assert_eq!(add(head, "m"), Ok(changed(&lock(&["m"]))));
    assert_eq!(add(&lock(&["m"]), "a"), Ok(changed(&lock(&["a", "m"]))));
    assert_eq!(
        add(&lock(&["a", "m"]), "z"),
        Ok(changed(&lock(&["a", "m", "z"])))
    );
    assert_eq!(
        add(&lock(&["a", "m_a"]), "m-a"),
        Ok(changed(&lock(&["a", "m-a", "m_a"])))
    );
    let unused = "\n[[patch.unused]]\nname = \"x\"\nversion = \"1.0.0\"\n";
    let (old, new) = (lock(&["m"]) + unused, lock(&["m", "z"]) + unused);
    assert_eq!(add(&old, "z"), Ok(changed(&new)));
    let old = format!("{head}{unused}");
    assert_eq!(add(&old, "z"), Ok(changed(&(lock(&["z"]) + unused))));
    // No dependencies, and no final line end.
    let old = lock(&["m"]);
    let new = format!("{old}\n[[package]]\nname = \"z\"\nversion = \"1.0.0\"");
    assert_eq!(
        add_packages(old.trim_end(), &[("z", "1.0.0", &[])]),
        Ok(changed(&new))
    );
}

#[test]
fn dependencies_sort_by_name_first() {
    let new = add_packages(
        "version = 4\n",
        &[("m", "0.1.0", &["a-b", "a 2.0.0", "a 1.0.0"])],
    );
    let Ok(Edited::Changed(new)) = new else {
        panic!("{new:?}");
    };
    assert!(
        new.ends_with(" \"a 1.0.0\",\n \"a 2.0.0\",\n \"a-b\",\n]\n"),
        "{new}"
    );
}

#[test]
fn other_lock_files_are_left_alone() {
    let reason = |text: &str| add(text, "m").expect_err("refused").to_string();
    let version = "it is no Cargo.lock of version 3 or 4";
    assert_eq!(reason(""), version);
    assert_eq!(reason("version = 5\n"), version);
    assert_eq!(reason("version = \n"), version);
    for odd in [
        "package = 3\n",
        "[[package]]\nversion = \"1.0.0\"\n",
        "[[package]]\nname = 'a'\n",
        "[[package]]\nname = \"a\\\"b\"\n",
        "[[package]]\nname = \"a\" # mine\n",
        "[[package]]\nname = \"a\"\ndependencies = [\"b\"]\n",
        "[[package]]\nname = \"a\"\ndependencies = [\n \"b\",\n",
        "<<<<<<< ours\n",
    ] {
        let told = "a `[[package]]` is not as cargo writes it";
        assert_eq!(reason(&format!("version = 4\n{odd}")), told, "{odd}");
    }
    let text = "version = 4\n\n[[package]]\nname = \"m\"\nversion = \"2.0.0\"\n";
    assert_eq!(reason(text), "it has another package `m` (version 2.0.0)");
    assert_eq!(
        reason("version = 4\n\n[[package]]\nname = \"m\"\nversion = \"0.1.0\"\n"),
        "it has another package `m` (version 0.1.0)"
    );
}

/// A license comes and goes, and all else stays as it is.
#[test]
fn licenses_of_a_manifest() {
    let mit = " = \"MIT\"";
    let set = |text: &str, wanted| set_license(text, "package", wanted, Some(mit));
    for (without, with) in [
        (
            "[package]\nname = \"a\"\n",
            "[package]\nname = \"a\"\nlicense = \"MIT\"\n",
        ),
        (
            "[package]\nname = \"a\"",
            "[package]\nname = \"a\"\nlicense = \"MIT\"",
        ),
        (
            "\u{feff}# a\r\n[package] # b\r\nrust-version = \"1\"\r\nname = \"a\"\r\n\r\n# c\r\n[lib]\r\nlicense = 1\r\n",
            "\u{feff}# a\r\n[package] # b\r\nrust-version = \"1\"\r\nlicense = \"MIT\"\r\nname = \"a\"\r\n\r\n# c\r\n[lib]\r\nlicense = 1\r\n",
        ),
        (
            "[package]\nname = \"a\" # d\n\n# e\n\n[[bin]]\nname = \"b\"\n",
            "[package]\nname = \"a\" # d\nlicense = \"MIT\"\n\n# e\n\n[[bin]]\nname = \"b\"\n",
        ),
    ] {
        assert_eq!(set(without, Some(mit)), Ok(changed(with)), "{without}");
        assert_eq!(set(with, None), Ok(changed(without)), "{with}");
        assert_eq!(set(with, Some(mit)), Ok(Edited::AlreadyThere));
        assert_eq!(set(without, None), Ok(Edited::AlreadyThere));
    }
    let inherited = "[package]\nlicense = { workspace = true } # f\n";
    let replaced = set_license(inherited, "package", Some(mit), Some(".workspace = true"));
    assert_eq!(replaced, Ok(changed("[package]\nlicense = \"MIT\" # f\n")));
    for theirs in [
        "[package]\nlicense = \"BSD-3-Clause\"\n",
        "[package]\nlicense-file = \"COPYING\"\n",
        "package.license = \"BSD-3-Clause\"\n",
    ] {
        assert!(set(theirs, Some(mit)).is_err(), "{theirs}");
        assert_eq!(set(theirs, None), Ok(Edited::AlreadyThere), "{theirs}");
    }
    for odd in [
        "",
        "[package",
        "package = { name = \"a\" }\n",
        "[package]\nname = \"\"\"\n[package]\n\"\"\"\n[x]\n\"\"\"",
    ] {
        assert!(set(odd, Some(mit)).is_err(), "{odd}");
    }
    assert!(set("package.license = \"MIT\"\n", None).is_err());
}
