//! Edits that rop cannot make: what it prints is pasted where it says, and the rerun does the rest.
use crate::support::{self, CREATE, Dir, INIT};
use serde_json::Value;

const OTHER: &str = "rop create api --group app --version v1alpha1 --kind Other";

const TYPES: &str = "api/lib.rs";
const VERSION: &str = "api/v1alpha1/mod.rs";
const CONTROLLERS: &str = "src/controllers/mod.rs";
const TESTS: &str = "tests/controllers/main.rs";

/// A file that a user has changed so that rop cannot edit it, and where its author pastes.
struct Case {
    file: &'static str,
    /// What the user put in place of what.
    change: (&'static str, &'static str),
    /// Why rop cannot edit it, and where it says that the lines belong.
    told: &'static str,
    /// What is replaced by what; the lines stand for `{}`.
    paste: (&'static str, &'static str),
}

const CASES: &[Case] = &[
    Case {
        file: TYPES,
        change: ("pub mod v1alpha1;", "mod v1alpha1;"),
        told: "`mod v1alpha1` has to be `pub`: take away the one that is there; add this to its modules",
        paste: ("mod v1alpha1;", "{}"),
    },
    Case {
        file: TYPES,
        change: (
            "pub mod v1alpha1;",
            "pub mod v1alpha1 {\n    mod myapp_types;\n    pub use myapp_types::*;\n}",
        ),
        told: "`mod v1alpha1` has to be a file of its own: take away the one that is there; add this to its modules",
        paste: (
            "pub mod v1alpha1 {\n    mod myapp_types;\n    pub use myapp_types::*;\n}",
            "{}",
        ),
    },
    Case {
        file: TYPES,
        change: (
            "pub mod v1alpha1;",
            "#[cfg(feature = \"alpha\")]\npub mod v1alpha1;",
        ),
        told: "its `mod v1alpha1` is not in every build; add this to the list in `crds()`",
        paste: ("vec![\n", "vec![\n{}\n"),
    },
    Case {
        file: TYPES,
        change: (
            "    vec![\n        v1alpha1::MyApp::crd(),\n    ]\n",
            "    if cfg!(test) { vec![] } else { all() }\n}\n\nfn all() -> Vec<CustomResourceDefinition> {\n    vec![\n        v1alpha1::MyApp::crd(),\n    ]\n",
        ),
        told: "`crds` does not end with a list `vec![…]`; add this to the list in `crds()`",
        paste: ("    vec![\n", "    vec![\n{}\n"),
    },
    Case {
        file: TYPES,
        change: (
            "pub fn crds()",
            "#[cfg(test)]\npub fn crds() -> Vec<CustomResourceDefinition> {\n    vec![]\n}\n\n#[cfg(not(test))]\npub fn crds()",
        ),
        told: "it has more than one function `crds`; add this to the list in `crds()`",
        paste: ("vec![\n", "vec![\n{}\n"),
    },
    Case {
        file: VERSION,
        change: ("mod myapp_types;", "mod myapp_types; mod zzz {}"),
        told: "there is no place for it that leaves everything else as it is; add this to its modules",
        paste: ("mod myapp_types;", "{}\nmod myapp_types;"),
    },
    Case {
        file: VERSION,
        change: (
            "mod myapp_types;",
            "mod myapp_types;\n#[cfg(test)]\nmod other_types;",
        ),
        told: "its `mod other_types` is not in every build; add this to its uses",
        paste: ("pub use", "{}\npub use"),
    },
    Case {
        file: CONTROLLERS,
        change: (
            "    vec![\n        myapp_controller::runnable(),\n    ]\n",
            "    let mut all = Vec::new();\n    all.extend([\n        myapp_controller::runnable(),\n    ]);\n    all\n",
        ),
        told: "`all` does not end with a list `vec![…]`; add this to the list in `all()`",
        paste: ("extend([\n", "extend([\n{}\n"),
    },
    Case {
        file: TESTS,
        change: ("mod support;", "mod support; mod support {"),
        told: "it is not valid Rust: line 2: cannot parse string into token stream; add this to its modules",
        paste: ("mod support; mod support {", "mod support;\n\n{}"),
    },
    Case {
        file: "config/crd/kustomization.yaml",
        change: ("resources:", "resources: !!seq"),
        told: "`resources` is not a list with one `- item` a line; add this under `resources:`",
        paste: ("!!seq\n", "!!seq\n{}\n"),
    },
    Case {
        file: "config/samples/kustomization.yaml",
        change: ("resources:\n", "resources: &all\n"),
        told: "`resources` is not a list with one `- item` a line; add this under `resources:`",
        paste: ("&all\n", "&all\n{}\n"),
    },
    Case {
        file: "config/rbac/kustomization.yaml",
        change: ("resources:", "'resources':"),
        told: "`resources` is not a list with one `- item` a line; add this under `resources:`",
        paste: ("'resources':\n", "'resources':\n{}\n"),
    },
];

impl Case {
    fn make(&self, dir: &Dir) {
        let text = dir.text(self.file);
        assert!(text.contains(self.change.0), "a wrong test: {text}");
        dir.write(self.file, text.replacen(self.change.0, self.change.1, 1));
    }

    /// Pastes what was printed for this file.
    fn paste(&self, dir: &Dir, conflicts: &[Value]) {
        let of_file = conflicts.iter().filter(|c| c["path"] == self.file);
        let lines: Vec<_> = of_file
            .map(|conflict| {
                assert_eq!(conflict["reason"], self.told);
                conflict["snippet"].as_str().unwrap()
            })
            .collect();
        assert!(
            !lines.is_empty(),
            "nothing of {}: {conflicts:#?}",
            self.file
        );
        let text = dir.text(self.file);
        let new = self.paste.1.replace("{}", &lines.join("\n"));
        assert!(text.contains(self.paste.0), "a wrong test: {text}");
        dir.write(self.file, text.replacen(self.paste.0, &new, 1));
    }
}

/// What stands in the way of the second kind; nothing is written.
fn conflicts(dir: &Dir) -> Vec<Value> {
    let before = support::tree(dir);
    let ran = support::line(dir, &format!("{OTHER} --output json"));
    assert_eq!(ran.code, 3, "{ran:#?}");
    assert!(support::tree(dir) == before);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    json["conflicts"].as_array().unwrap().clone()
}

#[test]
fn what_is_printed_works() {
    let project = Dir::project(&[INIT, CREATE]);
    let start = support::tree(&project);
    support::line(&project, OTHER).ok();
    let mut wanted = support::tree(&project);
    for case in CASES {
        let dir = Dir::new("myapp-operator");
        for (path, bytes) in &start {
            dir.write(path, bytes);
        }
        case.make(&dir);
        case.paste(&dir, &conflicts(&dir));
        let pasted = dir.text(case.file);
        support::line(&dir, OTHER).ok();
        let mut tree = support::tree(&dir);
        // Where one of two lines was missing, the other was rop's to add.
        let kept = |line: &str| dir.text(case.file).lines().any(|new| new == line);
        assert!(pasted.lines().all(kept), "{}", dir.text(case.file));
        let again = support::line(&dir, OTHER).ok();
        assert!(!again.stderr.contains("update"), "{again:#?}");
        // Everything else is as in a project that nobody touched.
        let ours = wanted.remove(case.file).unwrap();
        tree.remove(case.file);
        assert!(tree == wanted, "{}", case.file);
        wanted.insert(case.file.into(), ours);
    }
}

/// Lists, and their modules, in files that the known one includes.
#[test]
fn what_is_included_is_there() {
    let list = "{\n    vec![\n        v1alpha1::MyApp::crd(),\n    ]\n}\n";
    let include = "{\n    include!(\"parts/list.in\")\n}\n";
    let function = "/// One CRD for each";
    let advice = "; add this to the list in `crds()`";
    for (is_code, told) in [
        (
            true,
            "`crds` does not end with a list `vec![…]` (it includes parts/list.in)",
        ),
        (
            false,
            "it has no function `crds` (it includes parts/list.in)",
        ),
    ] {
        let dir = Dir::project(&[INIT, CREATE]);
        let text = dir.text(TYPES);
        let at = text.find(function).unwrap();
        let part = match is_code {
            true => {
                dir.write(TYPES, text.replace(list, include));
                "vec![\n    v1alpha1::MyApp::crd(),\n]\n"
            }
            false => {
                dir.write(
                    TYPES,
                    format!("{}include!(\"parts/list.in\");\n", &text[..at]),
                );
                &text[at..]
            }
        };
        dir.write("api/parts/list.in", part);
        let before = support::tree(&dir);
        support::line(&dir, CREATE).ok();
        assert!(support::tree(&dir) == before);
        let conflicts = conflicts(&dir);
        assert_eq!(conflicts.len(), 1, "{conflicts:#?}");
        assert_eq!(conflicts[0]["reason"], format!("{told}{advice}"));
        let snippet = conflicts[0]["snippet"].as_str().unwrap();
        let pasted = part.replacen("vec![\n", &format!("vec![\n{snippet}\n"), 1);
        dir.write("api/parts/list.in", pasted);
        let types = dir.text(TYPES);
        support::line(&dir, OTHER).ok();
        assert_eq!(dir.text(TYPES), types);
        let after = support::tree(&dir);
        support::line(&dir, OTHER).ok();
        assert!(support::tree(&dir) == after);
    }
    // Modules and imports; those of a module of the file are other ones.
    let dir = Dir::project(&[INIT, CREATE]);
    let text = dir.text(VERSION);
    let at = text.find("mod myapp_types;").unwrap();
    let included = |module: bool| match module {
        true => "mod inner {\n    include!(\"../list.rs\");\n}\n",
        false => "include!(\"../list.rs\");\n",
    };
    dir.write("api/list.rs", &text[at..]);
    dir.write(VERSION, included(false));
    let before = support::tree(&dir);
    support::line(&dir, CREATE).ok();
    assert!(support::tree(&dir) == before);
    dir.write(VERSION, included(true));
    support::line(&dir, CREATE).ok();
    assert!(dir.text(VERSION).contains("mod myapp_types;"));
    dir.write(VERSION, included(false));
    support::line(&dir, OTHER).ok();
    let new = "mod other_types;\n\npub use other_types::*;\n\n";
    assert_eq!(dir.text(VERSION), format!("{new}{}", included(false)));
}

/// Modules in an included file that are not as what rop adds needs them.
#[test]
fn what_is_included_may_be_in_the_way() {
    let told = [
        (
            "pub mod v1alpha1 {}\n",
            "`mod v1alpha1` has to be a file of its own: take away the one that is there",
        ),
        (
            "mod v1alpha1;\n",
            "`mod v1alpha1` has to be `pub`: take away the one that is there",
        ),
        (
            "#[cfg(feature = \"x\")]\npub mod v1alpha1;\n",
            "its `mod v1alpha1` is not in every build",
        ),
    ];
    for (included, told) in told {
        let dir = Dir::project(&[INIT, CREATE]);
        let include = "include!(\"list.rs\");";
        let types = dir.text(TYPES).replace("pub mod v1alpha1;", include);
        dir.write(TYPES, types);
        dir.write("api/list.rs", included);
        let conflicts = conflicts(&dir);
        let reason = conflicts[0]["reason"].as_str().unwrap();
        let told = format!("{told} (it includes list.rs); add this to ");
        assert!(reason.starts_with(&told), "{reason}");
        // What is no Rust tells nothing.
        dir.write("api/list.rs", "}");
        support::line(&dir, OTHER).ok();
        assert!(dir.text(TYPES).contains("\npub mod v1alpha1;\n"));
    }
}

/// All that have no conditions of their own, in one project.
#[test]
fn what_was_pasted_compiles() {
    let dir = Dir::project(&[&format!("{INIT} --project-name pasted"), CREATE]);
    let cases = [&CASES[0], &CASES[3], &CASES[5], &CASES[7]];
    for case in cases {
        case.make(&dir);
    }
    let conflicts = conflicts(&dir);
    let modules = conflicts[..1].to_vec();
    assert!(modules[0]["snippet"] == "pub mod v1alpha1;", "{modules:#?}");
    cases[0].paste(&dir, &modules);
    for case in &cases[1..] {
        case.paste(&dir, &conflicts[1..]);
    }
    support::line(&dir, OTHER).ok();
    let mut cargo = support::builder("cargo");
    support::run(cargo.args(["check", "--offline"]), &dir).ok();
}

/// Lists in included files, a narrowed import and an item by its trait: what rop adds builds.
#[test]
fn what_is_added_beside_an_include_compiles() {
    let dir = Dir::project(&[&format!("{INIT} --project-name included"), CREATE]);
    let types = dir.text(TYPES);
    let (start, end) = (types.find("vec![").unwrap(), types.rfind('}').unwrap());
    let item = "<v1alpha1::MyApp as CustomResourceExt>::crd()";
    let list = types[start..end].replace("v1alpha1::MyApp::crd()", item);
    let include = "include!(\"list.in\")\n";
    dir.write("api/list.in", &list);
    dir.write(TYPES, [&types[..start], include, &types[end..]].concat());
    let names = "pub use self::myapp_types::{MyApp, MyAppSpec, MyAppStatus};";
    let version = dir.text(VERSION).replace("pub use myapp_types::*;", names);
    dir.write(VERSION, version);
    let controllers = dir.text(CONTROLLERS);
    let at = controllers.find("mod myapp_controller;").unwrap();
    dir.write("src/controllers/list.rs", &controllers[at..]);
    let include = format!("{}include!(\"list.rs\");\n", &controllers[..at]);
    dir.write(CONTROLLERS, include);
    let before = support::tree(&dir);
    support::line(&dir, CREATE).ok();
    assert!(support::tree(&dir) == before);

    for (conflict, file) in conflicts(&dir)
        .iter()
        .zip(["api/list.in", "src/controllers/list.rs"])
    {
        let snippet = conflict["snippet"].as_str().unwrap();
        let text = dir.text(file);
        let pasted = text.replacen("vec![\n", &format!("vec![\n{snippet}\n"), 1);
        assert!(text != pasted, "{text}");
        dir.write(file, pasted);
    }
    support::line(&dir, OTHER).ok();
    assert!(dir.text(CONTROLLERS).contains("mod other_controller;\n"));
    let mut cargo = support::builder("cargo");
    support::run(cargo.args(["check", "--offline"]), &dir).ok();
}
