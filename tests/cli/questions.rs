//! What rop asks at a terminal, and that it asks nowhere else.
use crate::{
    pty::{CTRL_C, CTRL_D, Terminal},
    support::{self, CREATE, Dir, INIT},
};
use nix::sys::signal::Signal;
use std::collections::BTreeMap;

const DOMAIN: &str = "Domain of the API groups, such as example.com: ";
const GROUP: &str = "Group, such as app: ";
const VERSION: &str = "Version [v1alpha1]: ";
const KIND: &str = "Kind, such as MyApp: ";
const RESOURCE: &str = "Create the resource? [Y/n] ";
const CONTROLLER: &str = "Create the controller? [Y/n] ";
const TYPES: &str = "api/v1alpha1/myapp_types.rs";
const SAMPLE: &str = "config/samples/app_v1alpha1_myapp.yaml";
const CODE: &str = "src/controllers/myapp_controller.rs";

/// Files of `create api` that were there before, in the order in which rop asks for them.
const MINE: [&str; 3] = [TYPES, SAMPLE, CODE];

/// Runs a line of a shell, the first word of which is `rop`.
fn at_terminal(dir: &Dir, line: &str) -> Terminal {
    with(dir, "", line)
}

/// With settings of the environment.
fn with(dir: &Dir, settings: &str, line: &str) -> Terminal {
    let words = line.strip_prefix("rop ").unwrap();
    Terminal::new(&format!("exec env {settings} \"$0\" {words}"), |command| {
        command
            .current_dir(&**dir)
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env_remove("CI")
    })
}

fn overwrite(path: &str) -> String {
    format!("Overwrite {path}? [yes/no/diff/all/quit] ")
}

/// A project in which files of the next API are there already.
fn in_the_way() -> Dir {
    let dir = Dir::project(&[INIT]);
    for path in MINE {
        dir.write(path, "// mine\n");
    }
    dir
}

/// The project that these lines make, without a terminal, of the same start.
fn made_of(dir: Dir, line: &str) -> BTreeMap<String, Vec<u8>> {
    support::line(&dir, line).ok();
    support::tree(&dir)
}

#[test]
fn a_domain() {
    let dir = Dir::new("myapp-operator");
    let mut terminal = at_terminal(&dir, "rop init");
    terminal.shows(DOMAIN);
    terminal.types("exa_mple.com");
    // While it is typed.
    terminal.shows("exa_mple.com  try `exa-mple.com`");
    terminal.types("\r");
    terminal.shows("error: invalid domain `exa_mple.com`: it must be a DNS-1123 subdomain");
    terminal.shows("hint: try `exa-mple.com`");
    terminal.shows(DOMAIN);
    terminal.types("\r");
    terminal.shows("error: a domain is needed");
    terminal.shows(DOMAIN);
    terminal.types("wrong\x15example.coma\x7f\r");
    terminal.ends(0);
    assert!(support::tree(&dir) == support::tree(&Dir::project(&[INIT])));
    // That of the project, where there is one.
    let mut terminal = at_terminal(&dir, "rop init");
    terminal.shows("Domain of the API groups [example.com]: ");
    terminal.types("\r");
    terminal.shows("initialised already");
    terminal.ends(0);
}

#[test]
fn an_api() {
    let dir = Dir::project(&[INIT]);
    let mut terminal = at_terminal(&dir, "rop create api");
    terminal.shows(GROUP);
    terminal.types("my_app\r");
    terminal.shows("hint: try `my-app`");
    terminal.shows(GROUP);
    terminal.types(" app \r");
    terminal.shows(VERSION);
    terminal.types("v1beta\r");
    terminal.shows("hint: try `v1beta1`");
    terminal.shows(VERSION);
    terminal.types("\r");
    terminal.shows(KIND);
    terminal.types("Ünit\r");
    terminal.shows("error: invalid kind `Ünit`");
    terminal.shows(KIND);
    terminal.types("My\x1b[DApp\r");
    terminal.shows(RESOURCE);
    terminal.types("perhaps\r");
    terminal.shows("error: answer yes or no");
    terminal.shows(RESOURCE);
    terminal.types("Y\r");
    terminal.shows(CONTROLLER);
    terminal.types("\r");
    terminal.ends(0);
    assert!(support::tree(&dir) == support::tree(&Dir::project(&[INIT, CREATE])));
    // The group is settled by then.
    let mut terminal = at_terminal(&dir, "rop create api --version v1 --kind Other");
    terminal.shows("Group [app]: ");
    terminal.types("\r");
    terminal.shows(RESOURCE);
    terminal.types(CTRL_C);
    terminal.ends(130);
}

/// Nothing that comes early is lost, nor shown twice.
#[test]
fn answers_in_one_go() {
    let dir = Dir::project(&[INIT]);
    let mut terminal = at_terminal(&dir, "rop create api");
    terminal.shows(GROUP);
    terminal.types("app\rv1alpha1\rMyApp\ry\rno\r");
    terminal.ends(0);
    let wanted = Dir::project(&[INIT, &format!("{CREATE} --controller=false")]);
    assert!(support::tree(&dir) == support::tree(&wanted));
    assert!(
        !terminal.shown.contains("v1alpha1\r\nMyApp"),
        "{}",
        terminal.shown
    );
}

#[test]
fn halves_of_an_api() {
    let half = format!("{CREATE} --controller=false");
    let dir = Dir::project(&[INIT]);
    let mut terminal = at_terminal(&dir, CREATE);
    terminal.shows(RESOURCE);
    terminal.types("yes\r");
    terminal.shows(CONTROLLER);
    terminal.types("N\r");
    terminal.ends(0);
    assert!(support::tree(&dir) == support::tree(&Dir::project(&[INIT, &half])));
    // A question with one answer is none.
    let mut terminal = at_terminal(&dir, CREATE);
    terminal.shows(RESOURCE);
    terminal.types("n\r");
    terminal.ends(0);
    assert!(!terminal.shown.contains(CONTROLLER));
    let wanted = Dir::project(&[INIT, &half, &format!("{CREATE} --resource=false")]);
    assert!(support::tree(&dir) == support::tree(&wanted));
    for line in [half, format!("{CREATE} --yes"), format!("{CREATE} -y")] {
        let mut terminal = at_terminal(&dir, &line);
        terminal.ends(0);
        assert!(!terminal.shown.contains("[Y/n]"), "{}", terminal.shown);
    }
}

/// A group has to suit the domain, which here is none.
#[test]
fn a_group_that_needs_a_dot() {
    let dir = Dir::new("myapp-operator");
    support::rop(&dir, &["init", "--domain", ""]).ok();
    let mut terminal = at_terminal(&dir, "rop create api --version v1 --kind A --yes");
    terminal.shows(GROUP);
    terminal.types("app\r");
    terminal.shows("it needs a dot");
    terminal.shows("try `app.example.com`");
    terminal.shows(GROUP);
    terminal.types("\r");
    terminal.shows("a group is needed");
    terminal.types("app.example.com\r");
    terminal.ends(0);
}

#[test]
fn files_in_the_way() {
    let create = format!("{CREATE} --yes");
    let asked = format!("{CREATE} --resource --controller");
    let dir = in_the_way();
    let mut terminal = at_terminal(&dir, &asked);
    terminal.shows(&overwrite(TYPES));
    terminal.types("\r");
    terminal.shows("error: answer yes, no, diff, all or quit");
    terminal.shows(&overwrite(TYPES));
    terminal.types("diff\r");
    terminal.shows("--- a/api/v1alpha1/myapp_types.rs");
    terminal.shows("-// mine");
    terminal.shows("+pub struct MyAppSpec");
    terminal.shows(&overwrite(TYPES));
    terminal.types("yes\r");
    terminal.shows(&overwrite(SAMPLE));
    terminal.types("no\r");
    terminal.shows(&overwrite(CODE));
    terminal.types("y\r");
    terminal.shows("overwrite api/v1alpha1/myapp_types.rs");
    terminal.ends(0);
    let mut wanted = made_of(Dir::project(&[INIT]), &create);
    wanted.insert(SAMPLE.into(), b"// mine\n".to_vec());
    let mut made = support::tree(&dir);
    // The record has no file that is not rop's.
    for tree in [&mut made, &mut wanted] {
        let record = String::from_utf8(tree.remove("rop.lock").unwrap()).unwrap();
        let lines = record.lines().filter(|line| !line.contains(SAMPLE));
        let lines: Vec<_> = lines.map(str::to_owned).collect();
        tree.insert("rop.lock".into(), lines.join("\n").into());
    }
    assert!(made == wanted);

    for (answers, flag) in [("a\r", "--force"), ("n\rn\rn\r", "--skip-existing")] {
        let dir = in_the_way();
        let mut terminal = at_terminal(&dir, &asked);
        terminal.shows(&overwrite(TYPES));
        terminal.types(answers);
        terminal.ends(0);
        let wanted = made_of(in_the_way(), &format!("{create} {flag}"));
        assert!(support::tree(&dir) == wanted, "{flag}");
    }
}

/// `rop init` finds one of them only when the others are settled.
#[test]
fn files_in_the_way_of_a_project() {
    let dir = Dir::new("myapp-operator");
    dir.write("Makefile", "# mine\n");
    dir.write("config/rbac/role.yaml", "# mine\n");
    let mut terminal = at_terminal(&dir, INIT);
    terminal.shows(&overwrite("Makefile"));
    terminal.types("n\r");
    terminal.shows(&overwrite("config/rbac/role.yaml"));
    terminal.types("y\r");
    terminal.ends(0);
    let wanted = Dir::project(&[INIT]);
    assert_eq!(dir.text("Makefile"), "# mine\n");
    for path in ["config/rbac/role.yaml", "PROJECT"] {
        assert_eq!(dir.text(path), wanted.text(path));
    }
}

#[test]
fn files_that_stay_in_the_way() {
    let asked = format!("{CREATE} --resource --controller");
    let dir = in_the_way();
    let before = support::tree(&dir);
    for keys in ["q\r", "y\rquit\r", CTRL_D] {
        let mut terminal = at_terminal(&dir, &asked);
        terminal.shows(&overwrite(TYPES));
        terminal.types(keys);
        terminal.shows("nothing was written: 3 conflicts");
        terminal.ends(3);
        assert!(support::tree(&dir) == before);
    }
    // Nothing that --yes answers, and nothing to write.
    let lines = ["--yes", "--dry-run", "--diff"].map(|flag| format!("{asked} {flag}"));
    for line in lines {
        let mut terminal = at_terminal(&dir, &line);
        terminal.ends(3);
        assert!(!terminal.shown.contains("Overwrite"), "{}", terminal.shown);
        assert!(support::tree(&dir) == before);
    }
    // Where a folder is in the way or lines have to be pasted, no answer helps.
    for (path, text) in [
        (format!("{SAMPLE}/x"), ""),
        ("api/lib.rs".into(), "pub fn mine() {}\n"),
    ] {
        let dir = Dir::project(&[INIT]);
        dir.write(TYPES, "// mine\n");
        dir.write(&path, text);
        let mut terminal = at_terminal(&dir, &asked);
        terminal.ends(3);
        assert!(!terminal.shown.contains("Overwrite"), "{}", terminal.shown);
    }
}

/// Ends it at each sort of question: nothing is written, and the terminal is as before.
#[test]
fn ends_at_a_question() {
    type End<'a> = &'a dyn Fn(&mut Terminal);
    let ends: [(End<'_>, i32); 3] = [
        (&|terminal| terminal.types(CTRL_C), 130),
        (&|terminal| terminal.signal(Signal::SIGINT), 130),
        (&|terminal| terminal.signal(Signal::SIGTERM), 143),
    ];
    let dir = in_the_way();
    let before = (support::tree(&dir), support::modes(&dir));
    for (line, question) in [
        ("rop create api", GROUP.to_owned()),
        (CREATE, RESOURCE.to_owned()),
        (
            &format!("{CREATE} --resource --controller"),
            overwrite(TYPES),
        ),
    ] {
        for (end, code) in ends {
            let mut terminal = at_terminal(&dir, line);
            let modes = terminal.modes();
            terminal.shows(&question);
            terminal.types("abc");
            terminal.shows("abc");
            assert!(terminal.modes() != modes, "it does not read single keys");
            end(&mut terminal);
            terminal.shows("\r\nerror: interrupted; nothing was changed");
            terminal.ends(code);
            assert!(terminal.modes() == modes, "{line}: {code}");
            assert_cursor(&terminal);
            assert!((support::tree(&dir), support::modes(&dir)) == before);
        }
    }
}

/// If it was ever hidden, the cursor is shown in the end.
#[track_caller]
fn assert_cursor(terminal: &Terminal) {
    let hidden = terminal.shown.rfind("\x1b[?25l");
    assert!(
        hidden <= terminal.shown.rfind("\x1b[?25h"),
        "{}",
        terminal.shown
    );
}

/// Ctrl-D is the end of the input: as if there were no terminal.
#[test]
fn no_answer() {
    let dir = Dir::project(&[INIT]);
    let before = support::tree(&dir);
    for (line, question, flag) in [
        ("rop init x", DOMAIN, "--domain"),
        ("rop create api", GROUP, "--group"),
        (CREATE, RESOURCE, "--resource"),
    ] {
        let mut terminal = at_terminal(&dir, line);
        let modes = terminal.modes();
        terminal.shows(question);
        terminal.types("a");
        terminal.shows("a");
        // In a line that has begun, it is not.
        terminal.types(CTRL_D);
        terminal.types("\x7f");
        terminal.types(CTRL_D);
        terminal.shows("error: the input ended before all questions were answered");
        terminal.shows(flag);
        terminal.ends(2);
        assert!(terminal.modes() == modes);
        assert!(support::tree(&dir) == before);
    }
}

/// What is not given is named, all of it, where nobody can be asked.
#[test]
fn nobody_to_ask() {
    let dir = Dir::project(&[INIT]);
    let told = "error: the following required arguments were not provided: --group <GROUP> \
                --version <VERSION> --kind <KIND>";
    for line in [
        "rop create api --no-input",
        "rop create api --quiet",
        "rop create api --output json",
        "rop create api </dev/null",
        "rop create api 2>stderr",
    ] {
        let mut terminal = at_terminal(&dir, line);
        terminal.ends(2);
        assert!(
            !terminal.shown.contains(GROUP),
            "{line}: {}",
            terminal.shown
        );
        if line.ends_with("stderr") {
            assert!(dir.text("stderr").contains(told), "{}", dir.text("stderr"));
        } else if !line.contains("json") {
            assert!(terminal.shown.contains(told), "{line}: {}", terminal.shown);
        }
    }
    for settings in ["CI=true", "CI=1", "TERM=dumb"] {
        let mut terminal = with(&dir, settings, "rop create api");
        terminal.ends(2);
        assert!(
            terminal.shown.contains(told),
            "{settings}: {}",
            terminal.shown
        );
    }
    let mut terminal = with(&dir, "CI=", "rop create api");
    terminal.shows(GROUP);
    terminal.types(CTRL_C);
    terminal.ends(130);
}

#[test]
fn what_is_missing() {
    let dir = Dir::new("empty");
    let missing = "the following required arguments were not provided: ";
    let told = format!(
        "error: {missing}--group <GROUP> --kind <KIND>\n\nhint: see `rop create api --help`\n"
    );
    let ran = support::line(&dir, "rop create api --version v1").fails(2, &[]);
    assert_eq!(ran.stderr, told);
    let ran = support::line(&dir, "rop init --output json").fails(2, &[]);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(told["command"], "init");
    assert_eq!(told["error"]["kind"], "usage");
    assert_eq!(
        told["error"]["message"],
        format!("{missing}--domain <DOMAIN>")
    );
    assert_eq!(told["error"]["hints"][0], "see `rop init --help`");
}

/// Whoever is asked may take long: others go on, and what they did is kept.
#[test]
fn nobody_waits_for_an_answer() {
    let dir = Dir::new("myapp-operator");
    let mut terminal = at_terminal(&dir, "rop init");
    terminal.shows(DOMAIN);
    support::line(&dir, INIT).ok();
    terminal.types("example.com\r");
    terminal.shows("initialised already");
    terminal.ends(0);
    assert!(support::tree(&dir) == support::tree(&Dir::project(&[INIT])));

    let mut terminal = at_terminal(&dir, "rop create api --version v1alpha1 --kind MyApp");
    terminal.shows(GROUP);
    let other = CREATE.replace("MyApp", "Other");
    support::line(&dir, &other).ok();
    terminal.types("app\r");
    terminal.shows(RESOURCE);
    support::line(&dir, "rop edit --metrics").ok();
    terminal.types("\r");
    terminal.shows(CONTROLLER);
    terminal.types("\r");
    terminal.ends(0);
    let wanted = Dir::project(&[INIT, &other, "rop edit --metrics", CREATE]);
    assert!(support::tree(&dir) == support::tree(&wanted));

    // What is no longer possible is told then.
    let mut terminal = at_terminal(&dir, "rop create api --group app --version v1alpha1");
    terminal.shows(KIND);
    std::fs::remove_file(dir.join("PROJECT")).unwrap();
    terminal.types("Third\r");
    terminal.shows(RESOURCE);
    terminal.types("\r");
    terminal.shows(CONTROLLER);
    terminal.types("\r");
    terminal.shows("is not in a project of rop");
    terminal.ends(1);
}
