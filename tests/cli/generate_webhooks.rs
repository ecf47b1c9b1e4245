//! Webhook configurations against controller-gen itself, which `tests/go/controller-gen` runs on
//! random markers, and against the API server, which has to take what rop makes of them.
use crate::{
    cluster::{self, Kubectl},
    generate_rbac::{controller_gen, same, vectors},
    support::{self, CREATE, Dir, INIT},
};
use rop::error::Result;
use rop::generate::webhooks::{Generated, manifests};
use serde::Deserialize;
use serde_json::{Value, json};

/// Groups of types that the random markers name.
const GROUPS: [&str; 3] = ["app.example.com", "a.io", "b.io"];
const FILE: &str = "config/webhook/manifests.yaml";
const RIGHT: &str = "path=/a,mutating=true,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,verbs=create,versions=v1,name=a.b.c,admissionReviewVersions=v1";

#[derive(Deserialize)]
struct Set {
    files: Vec<Vec<String>>,
    #[serde(default)]
    manifests: String,
    #[serde(default)]
    refused: String,
}

fn generate(texts: &[String]) -> Result<Generated> {
    let paths: Vec<_> = (0..texts.len()).map(|i| format!("src/f{i}.rs")).collect();
    let sources = paths.iter().zip(texts);
    let sources: Vec<_> = sources
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    manifests(&sources, &GROUPS)
}

fn check_sets(vectors: &str) -> Vec<String> {
    let mut made = Vec::new();
    for line in vectors.lines() {
        let set: Set = serde_json::from_str(line).expect(line);
        let mut texts: Vec<_> = set.files.iter().map(|lines| lines.join("\n")).collect();
        for turned in [false, true] {
            if turned {
                texts.reverse();
            }
            assert_eq!(set.refused, "", "{line}");
            let ours = generate(&texts).unwrap_or_else(|e| panic!("{e}\nof {line}"));
            let text = ours.text.unwrap_or_default();
            same(&text, &set.manifests, line);
            made.push(text);
        }
    }
    made
}

/// The sets, and whether the API server takes them: all at once, each under names of its own.
#[test]
fn equals_controller_gen_and_is_accepted() {
    let mut all = Vec::new();
    for (seed, vectors) in vectors("-webhooks", 30) {
        eprintln!("seed {seed}");
        assert!(vectors.lines().count() > 1, "{vectors}");
        for text in check_sets(&vectors).into_iter().step_by(2) {
            let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
            for mut document in documents {
                let name = document["metadata"]["name"].as_str().unwrap();
                document["metadata"]["name"] = format!("s{}.{name}", all.len()).into();
                all.push(document);
            }
        }
    }
    let count = all.len();
    assert!(count > 20, "{count}");
    let cluster = cluster::audited();
    let kubectl = Kubectl(&cluster);
    let file = cluster.folder().join("webhooks.json");
    let list = json!({"apiVersion": "v1", "kind": "List", "items": all});
    std::fs::write(&file, list.to_string()).unwrap();
    let args = [
        "create",
        "--validate=strict",
        "--dry-run=server",
        "--filename",
        file.to_str().unwrap(),
    ];
    let told = kubectl.ok(&args);
    assert_eq!(told.lines().count(), count, "{told}");
    groups_of_kubernetes_are_known(&kubectl);
    refusals_are_the_servers(&kubectl);
}

fn marker(changed: &[(&str, &str)]) -> String {
    let changed_name = |argument: &str| changed.iter().find(|(name, _)| *name == argument);
    let kept = RIGHT
        .split(',')
        .map(|argument| argument.split_once('=').unwrap());
    let kept: Vec<_> = kept
        .filter(|(name, _)| changed_name(name).is_none())
        .collect();
    let given = kept
        .iter()
        .chain(changed)
        .filter(|(_, value)| *value != "-");
    let arguments: Vec<_> = given
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("// +kubebuilder:webhook:{}", arguments.join(","))
}

fn groups_of_kubernetes_are_known(kubectl: &Kubectl<'_>) {
    let groups = kubectl.ok(&["api-versions"]);
    let mut count = 0;
    for group in groups
        .lines()
        .filter_map(|line| Some(line.split_once('/')?.0))
    {
        generate(&[marker(&[("groups", group)])]).unwrap_or_else(|e| panic!("{e}"));
        count += 1;
    }
    assert!(count > 15, "{groups}");
}

/// What is refused here and by the API server alike, as arguments other than those of [`RIGHT`].
const REFUSED: [&[(&str, &str)]; 47] = [
    &[("name", "a")],
    &[("name", "a.b")],
    &[("name", "A.b.c")],
    &[("name", "a_b.c.d")],
    &[("name", "-a.b.c")],
    &[("name", "a..c.d")],
    &[("name", "\"\"")],
    &[("failurePolicy", "fial")],
    &[("patch", "`{\"failurePolicy\":\"fail\"}`")],
    &[("patch", "`{\"sideEffects\":\"Some\"}`")],
    &[("patch", "`{\"sideEffects\":\"Unknown\"}`")],
    &[("patch", "`{\"sideEffects\":null}`")],
    &[("patch", "`{\"matchPolicy\":\"Same\"}`")],
    &[("patch", "`{\"reinvocationPolicy\":\"Always\"}`")],
    &[("patch", "`{\"timeoutSeconds\":31}`")],
    &[("patch", "`{\"timeoutSeconds\":0}`")],
    &[("admissionReviewVersions", "v2")],
    &[("admissionReviewVersions", "v1;v1")],
    &[("admissionReviewVersions", "v1;V2")],
    &[("admissionReviewVersions", "v1;1v")],
    &[("groups", "*;apps")],
    &[("versions", "*;v1")],
    &[("versions", "\"\"")],
    &[("versions", "{}")],
    &[("groups", "{}")],
    &[("verbs", "{}")],
    &[("verbs", "get")],
    &[("verbs", "*;create")],
    &[("resources", "{}")],
    &[("resources", "\"\"")],
    &[("resources", "*/*;pods")],
    &[("resources", "*;pods")],
    &[("resources", "pods/*;pods/status")],
    &[("resources", "*/status;pods/status")],
    &[("path", "a")],
    &[("path", "//")],
    &[("path", "/a//b")],
    &[("path", "/A")],
    &[("servicePort", "65536")],
    &[("path", "-"), ("url", "http://a.io")],
    &[("path", "-"), ("url", "https://")],
    &[("path", "-"), ("url", "https://a@b.io")],
    &[("path", "-"), ("url", "https://b.io/?a")],
    &[("path", "-"), ("url", "https://b.io/#a")],
    &[(
        "patch",
        "`{\"namespaceSelector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\"}]}}`",
    )],
    &[(
        "patch",
        "`{\"objectSelector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"in\",\"values\":[\"b\"]}]}}`",
    )],
    &[("patch", "`{\"matchConditions\":[{\"name\":\"a\"}]}`")],
];

/// controller-gen writes most of them all the same.
fn refusals_are_the_servers(kubectl: &Kubectl<'_>) {
    let sets = REFUSED.map(|changed| json!({"files": [[marker(changed)]]}).to_string());
    let dir = Dir::new("sets");
    dir.write("sets.jsonl", sets.join("\n"));
    let file = std::fs::File::open(dir.join("sets.jsonl")).unwrap();
    let made = controller_gen(&["-given"], file.into());
    let mut asked = 0;
    for (changed, line) in REFUSED.iter().zip(made.lines()) {
        let set: Set = serde_json::from_str(line).expect(line);
        let told = generate(&set.files.concat()).map(|made| made.text);
        let told = told.expect_err(&format!("{changed:?}"));
        assert_eq!(
            (
                told.exit_code(),
                told.message().matches("src/f0.rs:1:").count()
            ),
            (1, 1),
            "{changed:?}: {told}"
        );
        if set.refused.is_empty() {
            dir.write("hook.yaml", set.manifests);
            let ran = kubectl.run(
                &dir,
                &[
                    "create",
                    "--validate=strict",
                    "--dry-run=server",
                    "--filename=hook.yaml",
                ],
            );
            assert!(
                ran.code == 1 && ran.stderr.contains("is invalid"),
                "{changed:?}: {ran:#?}"
            );
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked}");
}

#[derive(Deserialize)]
struct One {
    marker: String,
    webhook: Value,
}

/// We are stricter than controller-gen in these, most of which the API server would refuse.
const STRICTER: [&str; 31] = [
    "is given twice",
    "expected a value",
    "is no name of a webhook",
    "has too few parts",
    "did you mean",
    "it knows `",
    "`sideEffects` is missing",
    "the API server refuses `",
    "`timeoutSeconds` is 1 to 30",
    "is no name of a version",
    "is there twice",
    "the API server sends reviews",
    "is empty",
    "is no resource",
    "is no path",
    "is no address",
    "is no port",
    "no type of this project",
    "in `groups` has a version",
    "the only version of webhook",
    "the API server refuses a `*`",
    "`timeoutSeconds` wants an integer",
    "`servicePort` wants an integer",
    "a webhook has one of",
    "has no name or no namespace",
    "wants a text",
    "wants base64",
    "wants a JSON object",
    "`path` or `url` is missing",
    "`path` is of a service",
    "a map",
];

#[test]
fn reads_random_markers_as_controller_gen() {
    let (mut right, mut wrong, mut stricter) = (0, 0, 0);
    for (seed, vectors) in vectors("-hooks", 3000) {
        eprintln!("seed {seed}");
        for line in vectors.lines() {
            let One { marker, webhook } = serde_json::from_str(line).expect(line);
            // There controller-gen loses the last word of a value.
            let blanks = [" ,", " ;", " }", "\t,", "\t;", "\t}"];
            if blanks.iter().any(|blank| marker.contains(blank)) {
                continue;
            }
            match (generate(&[format!("// {marker}")]), webhook) {
                (Ok(ours), Value::Null) => {
                    panic!("controller-gen refuses {line}, we make {ours:?}")
                }
                (Ok(ours), theirs) => {
                    let text = ours.text.unwrap_or_default();
                    let ours: Value =
                        serde_saphyr::from_str(text.trim_start_matches("---\n")).unwrap();
                    assert_eq!(ours["webhooks"][0], theirs, "of {line}");
                    right += 1;
                }
                (Err(_), Value::Null) => wrong += 1,
                (Err(error), _) => {
                    let message = error.message();
                    let known = STRICTER.iter().any(|part| message.contains(part));
                    assert!(known, "{line}: {message}");
                    stricter += 1;
                }
            }
        }
    }
    eprintln!("{right} right, {wrong} wrong, {stricter} stricter");
    assert!(right > 300 && wrong > 300 && stricter > 100);
}

/// The markers of a file, and where in which line each fault is, and what is said of it.
#[test]
fn every_fault_is_told_at_its_place() {
    let selector = "`{\"objectSelector\":{\"matchLabel\":{}}}`";
    let lines = [
        marker(&[("name", "a.b")]),
        marker(&[
            ("name", "x.y.z"),
            ("groups", "apps;app.exmaple.com;a.io/v1;app;other.io"),
        ]),
        marker(&[
            ("name", "x.y.z"),
            ("verbs", "create;udpate"),
            ("timeoutSeconds", "31"),
        ]),
        marker(&[
            ("path", "é"),
            ("failurePolicy", "retry"),
            ("sideEffects", "Some"),
        ]),
        marker(&[("path", "-")]),
        marker(&[
            ("mutating", "false"),
            ("url", "https://a.io"),
            ("name", "q.b.c"),
        ]),
        marker(&[("admissionReviewVersions", "-"), ("name", "r.b.c")]),
        marker(&[("name", "s.b.c"), ("patch", "`{\"timeoutSecs\":3}`")]),
        "// +kubebuilder:webhookconfiguration:mutating=true,name=a_b".into(),
        "// +kubebuilder:webhookconfiguration:mutating=true".into(),
        marker(&[
            ("sideEffects", "-"),
            ("name", "t.b.c"),
            ("webhookVersions", "v1;v2"),
        ]),
        marker(&[("resources", "Pods;pods/status;pods/*"), ("name", "u.b.c")]),
        marker(&[
            ("patch", "`{\"failurePolicy\":\"fail\"}`"),
            ("name", "v.b.c"),
        ]),
        marker(&[("patch", selector), ("name", "w.b.c"), ("colour", "red")]),
        marker(&[("patch", selector), ("name", "y.b.c")]),
    ];
    let mark = "+kubebuilder";
    let wanted = [
        (
            1,
            "a.b",
            "`a.b` has too few parts: a webhook's name is a domain of three or more, such as `a.b.kb.io`",
        ),
        (
            2,
            "app.ex",
            "no type of this project, nor of Kubernetes, is of the group `app.exmaple.com`; did you mean `app.example.com`?",
        ),
        (
            2,
            "a.io/",
            "`a.io/v1` in `groups` has a version: write `groups=a.io` and `versions=v1`",
        ),
        (
            2,
            "app;other",
            "no type of this project, nor of Kubernetes, is of the group `app`; did you mean `app.example.com`?",
        ),
        (
            2,
            "other.io",
            "no type of this project, nor of Kubernetes, is of the group `other.io`; the project has `a.io`, `app.example.com`, `b.io`",
        ),
        (
            3,
            "x.y.z",
            "the mutating webhook `x.y.z` is there twice, first at src/f0.rs:2:4",
        ),
        (
            3,
            "udpate",
            "`verbs` has no `udpate`; did you mean `UPDATE`?",
        ),
        (3, "31", "`timeoutSeconds` is 1 to 30"),
        (4, "é", "`é` is no path: it begins with `/`"),
        (
            4,
            "retry",
            "`failurePolicy` has no `retry`; it knows `Fail`, `Ignore`",
        ),
        (
            4,
            "Some",
            "the API server refuses `Some` in `sideEffects`: a webhook has `None`, or leaves them out of dry runs, `NoneOnDryRun`",
        ),
        (5, mark, "`path` or `url` is missing"),
        (
            6,
            "https",
            "`path` is of a service in the cluster, `url` of a server outside: give one of them",
        ),
        (7, "", "the argument `admissionReviewVersions` is missing"),
        (
            8,
            "`{",
            "`patch`: a webhook has no `timeoutSecs`; did you mean `timeoutSeconds`?",
        ),
        (
            9,
            "a_b",
            "`a_b` is no name of an object: lower-case letters, digits, `-` and `.`, beginning and ending with a letter or a digit, at most 253",
        ),
        (
            10,
            mark,
            "the mutating configuration is named at src/f0.rs:9:4 already",
        ),
        (
            11,
            "v2",
            "the only version of webhook configurations is `v1`",
        ),
        (
            12,
            "Pods",
            "`Pods` is no resource: those are plurals in lower case, such as `pods` or `pods/status`",
        ),
        (
            12,
            "pods/st",
            "the API server refuses `pods/*` beside `pods/status`",
        ),
        (
            13,
            "`{",
            "`failurePolicy` has no `fail`; did you mean `Fail`?",
        ),
        (
            14,
            "colour",
            "unknown argument `colour`; known are mutating, failurePolicy, groups, resources, verbs, versions, name, admissionReviewVersions, matchPolicy, sideEffects, timeoutSeconds, serviceName, serviceNamespace, servicePort, path, url, webhookVersions, reinvocationPolicy, patch",
        ),
        (
            15,
            "`{",
            "`patch`: a webhook has no `objectSelector.matchLabel`; did you mean `matchLabels`?",
        ),
    ];
    let wanted = wanted.map(|(number, part, message)| {
        let line = &lines[number - 1];
        let at = match part {
            "" => line.len(),
            part => line.find(part).unwrap(),
        };
        let column = line[..at].chars().count() + 1;
        format!("{number}:{column}: {message}")
    });
    let error = generate(&[lines.join("\n")]).expect_err("refused");
    let message = error.message();
    let told = message.lines();
    let told: Vec<_> = told
        .filter_map(|line| line.strip_prefix("src/f0.rs:"))
        .collect();
    assert_eq!(told, wanted);
    let shown = "6:167: `path` is of a service in the cluster, `url` of a server outside: give one of them\n    | ";
    let (_, shown) = message.split_once(shown).expect(&message);
    let mut shown = shown.lines();
    assert_eq!(shown.next(), Some(lines[5].as_str()));
    assert_eq!(
        shown.next(),
        Some(format!("    | {}{}", " ".repeat(166), "^".repeat(12)).as_str())
    );
}

#[test]
fn says_what_has_no_effect() {
    let lines = [
        marker(&[("mutating", "false"), ("reinvocationPolicy", "Never")]),
        marker(&[
            ("path", "-"),
            ("url", "https://a.io"),
            ("servicePort", "443"),
        ]),
        "// +kubebuilder:webhookconfiguration:mutating=false,name=a".into(),
        "// +kubebuilder:webhookconfiguration:mutating=true,name=b".into(),
    ];
    let warnings = |from: usize| {
        let made = generate(&[lines[from..].join("\n")]).unwrap();
        let first = |warning: &String| warning.lines().next().unwrap().to_owned();
        made.warnings.iter().map(first).collect::<Vec<_>>()
    };
    let told = warnings(0);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].ends_with("`reinvocationPolicy` has no effect: it is for mutating webhooks"),
        "{told:?}"
    );
    assert!(
        told[1].ends_with("`servicePort` has no effect: `url` leads out of the cluster"),
        "{told:?}"
    );
    assert_eq!(warnings(2).len(), 2);
    assert!(
        warnings(3)[0]
            .ends_with("there is no mutating webhook, and so no configuration of this name")
    );
}

/// Types in the sources make their groups known; where no type is known, no group is refused.
#[test]
fn groups_are_those_of_the_types() {
    let hook = marker(&[("groups", "my.io")]);
    let made = |types: &str| {
        let source = format!("{hook}\n{types}");
        manifests(&[("src/a.rs", source.as_str())], &[])
    };
    let kube = |group: &str| {
        format!("#[kube(kind = \"A\", group = {group:?}, version = \"v1\")]\nstruct A;")
    };
    made("").unwrap();
    made(&kube("my.io")).unwrap();
    made(&format!("mod a {{ {} }}", kube("my.io"))).unwrap();
    made(&format!(
        "#[cfg_attr(a, kube(group = \"my.io\"))] struct A; {}",
        kube("b.io")
    ))
    .unwrap();
    let error = made(&kube("mi.io")).unwrap_err();
    assert!(error.message().contains("did you mean `mi.io`?"), "{error}");
    let with_version = marker(&[("groups", "/v1")]);
    let error = manifests(&[("src/a.rs", with_version.as_str())], &[]).unwrap_err();
    assert!(
        error
            .message()
            .contains("write `groups=core` and `versions=v1`"),
        "{error}"
    );
}

/// Through the command: in a project, beside its roles, and when the last marker is gone.
#[test]
fn manifests_of_a_project() {
    let dir = Dir::project(&[INIT, CREATE]);
    let before = support::tree(&dir);
    support::line(&dir, "rop generate webhooks").ok();
    assert_eq!(support::tree(&dir), before);
    let hook = marker(&[
        ("groups", "app.example.com"),
        ("resources", "myapps"),
        ("versions", "v1alpha1"),
    ]);
    dir.write("src/webhooks.rs", format!("{hook}\n"));
    let told = support::line(&dir, "rop generate webhooks --check").fails(3, &["not up to date"]);
    assert!(
        told.stdout.contains("+kind: MutatingWebhookConfiguration"),
        "{}",
        told.stdout
    );
    support::line(&dir, "rop generate webhooks").ok();
    let made = dir.text(FILE);
    let theirs = controller_gen_of(&dir, &hook);
    same(&made, &theirs, &hook);
    support::line(&dir, "rop generate webhooks --check").ok();
    // The roles have nothing to do with it, and creating an API neither.
    let other = hook.replace("app.example.com", "web.example.com");
    dir.write(
        "src/webhooks.rs",
        format!("{other}\n// +kubebuilder:rbac:verbs="),
    );
    support::line(&dir, "rop generate rbac").fails(1, &["`verbs` is empty"]);
    let both = [
        "`verbs` is empty",
        "`web.example.com`; did you mean `app.example.com`?",
    ];
    support::line(&dir, "rop generate").fails(1, &both);
    support::line(&dir, "rop generate webhooks").fails(1, &both[1..]);
    assert_eq!(dir.text(FILE), made);
    dir.write("src/webhooks.rs", "");
    let told = support::line(&dir, "rop generate webhooks").ok().stderr;
    assert!(
        told.contains("config/webhook/manifests.yaml has no marker any more"),
        "{told}"
    );
    assert_eq!(dir.text(FILE), made);
}

/// What no marker asks for goes when it is told to, with its line, and nothing else does.
#[test]
fn configurations_without_a_marker() {
    const LISTED: &str = "config/webhook/kustomization.yaml";
    let dir = Dir::project(&[INIT, CREATE]);
    dir.write("src/webhooks.rs", format!("{}\n", marker(&[])));
    support::line(&dir, "rop generate webhooks").ok();
    let list = "# Theirs.\nresources:\n- manifests.yaml\n- service.yaml\n";
    dir.write(LISTED, list);
    dir.write("src/webhooks.rs", "");
    let drift = support::line(&dir, "rop generate webhooks --check");
    let drift = drift.fails(3, &["2 generated files", "rop generate --prune"]);
    assert!(drift.stdout.contains("+++ /dev/null"), "{}", drift.stdout);
    support::line(&dir, "rop generate rbac --prune").ok();
    assert!(dir.join(FILE).exists());
    support::line(&dir, "rop generate webhooks --prune").ok();
    assert!(!dir.join(FILE).exists());
    assert_eq!(dir.text(LISTED), list.replace("- manifests.yaml\n", ""));
    support::line(&dir, "rop generate webhooks --check").ok();
    // Somebody else's.
    dir.write(FILE, "kind: ConfigMap\n");
    support::line(&dir, "rop generate webhooks --prune").ok();
    assert_eq!(dir.text(FILE), "kind: ConfigMap\n");
    dir.write("src/webhooks.rs", format!("{}\n", marker(&[])));
    support::line(&dir, "rop generate webhooks").fails(3, &["was not generated"]);
    assert_eq!(dir.text(FILE), "kind: ConfigMap\n");
    support::line(&dir, "rop generate webhooks --force").ok();
    assert!(dir.text(FILE).contains("WebhookConfiguration"));
}

fn controller_gen_of(dir: &Dir, marker: &str) -> String {
    dir.write(
        "target/sets.jsonl",
        json!({"files": [[marker]]}).to_string(),
    );
    let file = std::fs::File::open(dir.join("target/sets.jsonl")).unwrap();
    let line = controller_gen(&["-given"], file.into());
    let set: Set = serde_json::from_str(&line).expect(&line);
    set.manifests
}
