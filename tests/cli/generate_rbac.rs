//! role.yaml against controller-gen itself, which `tests/go/controller-gen` runs on random markers.
//! What failed once is kept in [`SEEDS`] or in `rbac.jsonl`, which it makes again when it gets that
//! file: `go run . <rbac.jsonl`.
use crate::support::{self, CREATE, Dir, INIT};
use rop::error::{ErrorKind, Result};
use rop::generate::Source;
use rop::generate::rbac::{DEFAULT_ROLE_NAME, Generated, Scope, role};
use rop::plan::Root;
use serde::Deserialize;
use serde_json::Value;
use std::{path::PathBuf, process::Command, sync::OnceLock};

#[derive(Deserialize)]
struct Set {
    files: Vec<Vec<String>>,
    role: String,
}

fn generate(texts: &[String]) -> Result<Generated> {
    let paths: Vec<_> = (0..texts.len()).map(|i| format!("src/f{i}.rs")).collect();
    let sources: Vec<_> = paths
        .iter()
        .zip(texts)
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    role(&sources, DEFAULT_ROLE_NAME, Scope::Cluster)
}

#[track_caller]
fn same(ours: &str, theirs: &str, of: &str) {
    let diff = similar::TextDiff::from_lines(theirs, ours);
    let diff = diff.unified_diff();
    assert!(ours == theirs, "{diff}of {of}");
}

/// Each set as comments between items, in functions and in documentation, in any order.
fn check_sets(vectors: &str) {
    for line in vectors.lines() {
        let set: Set = serde_json::from_str(line).expect(line);
        let shapes: [fn(&[String]) -> String; 3] = [
            |lines| lines.join("\n"),
            |lines| format!("fn f() {{\r\n    {}\r\n}}\r\n", lines.join("\r\n    ")),
            |lines| {
                lines
                    .iter()
                    .map(|line| format!("/{line}\n"))
                    .collect::<String>()
                    + "struct A;"
            },
        ];
        for shape in shapes {
            let mut texts: Vec<_> = set.files.iter().map(|lines| shape(lines)).collect();
            let ours = generate(&texts).unwrap_or_else(|e| panic!("{e}"));
            same(&ours.text, &set.role, line);
            // No groups and the core group are one to controller-gen, and the first one counts.
            if !ours
                .warnings
                .iter()
                .any(|warning| warning.contains("without `groups`"))
            {
                texts.reverse();
                let reversed = generate(&texts).unwrap_or_else(|e| panic!("{e}"));
                same(&reversed.text, &set.role, line);
            }
        }
    }
}

#[derive(Deserialize)]
struct Marker {
    marker: String,
    rule: Option<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Rule {
    groups: Option<Value>,
    resources: Option<Value>,
    resource_names: Option<Value>,
    verbs: Option<Value>,
    #[serde(rename = "URLs")]
    urls: Option<Value>,
    namespace: Value,
    role_name: Value,
}

impl Rule {
    /// The same rule with every value in quotes.
    fn to_marker(&self) -> String {
        let list = |name: &str, value: &Option<Value>| {
            let items = value
                .iter()
                .flat_map(|value| value.as_array().expect("a list"));
            format!(
                "{name}={{{}}}",
                items.map(Value::to_string).collect::<Vec<_>>().join(",")
            )
        };
        let arguments = [
            list("groups", &self.groups),
            list("resources", &self.resources),
            list("resourceNames", &self.resource_names),
            list("verbs", &self.verbs),
            list("urls", &self.urls),
            format!("namespace={}", self.namespace),
            format!("roleName={}", self.role_name),
        ];
        format!("+kubebuilder:rbac:{}", arguments.join(","))
    }
}

/// We are stricter than controller-gen in these, and in nothing else.
const STRICTER: [&str; 3] = ["is given twice", "expected a value", "`verbs` is empty"];

fn check_markers(vectors: &str) {
    let (mut right, mut wrong, mut stricter) = (0, 0, 0);
    for line in vectors.lines() {
        let Marker { marker, rule } = serde_json::from_str(line).expect(line);
        // There controller-gen loses the last word of a value.
        if [" ", "\t"].iter().any(|blank| {
            [",", ";", "}"]
                .iter()
                .any(|end| marker.contains(&format!("{blank}{end}")))
        }) {
            continue;
        }
        match (generate(&[format!("// {marker}")]), rule) {
            (Ok(ours), Some(rule)) => {
                let theirs = generate(&[format!("// {}", rule.to_marker())])
                    .unwrap_or_else(|e| panic!("{line}: {e}"));
                assert_eq!(ours.text, theirs.text, "of {line}");
                right += 1;
            }
            (Err(error), None) => {
                assert_eq!(error.kind(), ErrorKind::Failed);
                wrong += 1;
            }
            (Err(error), Some(_)) => {
                let message = error.message();
                assert!(
                    STRICTER.iter().any(|part| message.contains(part)),
                    "{line}: {message}"
                );
                stricter += 1;
            }
            (Ok(ours), None) => panic!("controller-gen refuses {line}, we make {}", ours.text),
        }
    }
    assert!(
        right > 50 && wrong > 50,
        "{right} right, {wrong} wrong, {stricter} stricter"
    );
}

#[test]
fn equals_controller_gen() {
    check_sets(include_str!("../data/generate/rbac.jsonl"));
}

#[test]
fn reads_markers_as_controller_gen() {
    check_markers(include_str!("../data/generate/markers.jsonl"));
}

/// Seeds of random sets and markers that are always tried; one that fails is added.
const SEEDS: [u64; 3] = [1, 7, 20_261_207];

/// The program of `tests/go/controller-gen`.
pub fn controller_gen() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| support::go_program("controller-gen"))
}

/// Random vectors, fresh from controller-gen, for each seed; `ROP_SETS` tells how many times
/// as many, and `ROP_SEED` one seed more.
fn vectors(flag: &str, many: usize) -> Vec<(u64, String)> {
    let program = controller_gen();
    let given = |name| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse().expect(name))
    };
    let seeds: Vec<u64> = SEEDS.into_iter().chain(given("ROP_SEED")).collect();
    let sets = given("ROP_SETS").map_or(1, |sets| sets as usize);
    let each = (many * sets).div_ceil(seeds.len()).to_string();
    // In its module, which names the version of controller-gen.
    let module = support::repository().join("tests/go/controller-gen");
    let run = |seed: u64| {
        let mut program = Command::new(program);
        program.args([flag, &each, "-seed", &seed.to_string()]);
        (seed, support::run(&mut program, &module).ok().stdout)
    };
    seeds.into_iter().map(run).collect()
}

#[test]
fn equals_controller_gen_on_random_sets() {
    for (seed, vectors) in vectors("-sets", 30) {
        eprintln!("seed {seed}");
        assert!(vectors.lines().count() > 1, "{vectors}");
        check_sets(&vectors);
    }
}

#[test]
fn reads_random_markers_as_controller_gen() {
    for (seed, vectors) in vectors("-markers", 3000) {
        eprintln!("seed {seed}");
        check_markers(&vectors);
    }
}

/// controller-gen keeps one of the two rules that its merging makes here, any one.
#[test]
fn no_right_is_lost() {
    let marker = |arguments| format!("// +kubebuilder:rbac:resources=x,{arguments}\n");
    let markers = [
        "groups=a;b,verbs=get",
        "groups=a,verbs=list",
        "groups=b,verbs=list",
    ]
    .map(marker);
    let generated = generate(&[markers.concat()]).expect("parses");
    let rules =
        "rules:\n- apiGroups:\n  - a\n  - b\n  resources:\n  - x\n  verbs:\n  - get\n  - list\n";
    assert!(generated.text.ends_with(rules), "{}", generated.text);
}

#[test]
fn no_markers_no_rules() {
    let generated = generate(&["fn main() {}".into()]).expect("parses");
    assert_eq!(
        generated.text,
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: manager-role\nrules: []\n"
    );
    assert!(generated.warnings.is_empty());
}

#[test]
fn says_what_the_api_server_would_refuse() {
    let warnings = |arguments: &str| {
        let generated = generate(&[format!("// +kubebuilder:rbac:{arguments}")]).expect("parses");
        generated.warnings.join("\n")
    };
    for (arguments, part) in [
        ("resources=pods,verbs=get", "without `groups`"),
        ("groups=core,verbs=get", "without `resources`"),
        (
            "groups=core,resources=pods,urls=/a,verbs=get",
            "with `urls` and `groups`",
        ),
        ("urls=/a,verbs=get,namespace=a", "`urls` in a Role"),
        (
            "groups=core,resources=pods,resourceNames=a,verbs=create",
            "never allowed by `resourceNames`",
        ),
        (
            "groups=core,resources=pods,verbs=get,namespace=A",
            "`A` in `namespace`",
        ),
        (
            "groups=core,resources=pods,verbs=get,roleName=a/b",
            "`a/b` in `roleName`",
        ),
    ] {
        let warnings = warnings(arguments);
        assert!(
            warnings.starts_with("src/f0.rs:1:4: ") && warnings.contains(part),
            "{warnings}"
        );
    }
    assert_eq!(warnings("groups=core,resources=pods,verbs=get"), "");
    assert_eq!(warnings("urls=/a,verbs=get"), "");
}

/// Each line of the source, and what is said of it.
#[track_caller]
fn says(markers: &[(&str, &[&str])]) {
    let line = |(arguments, _): &(&str, _)| format!("// +kubebuilder:rbac:{arguments}\n");
    let text: String = markers.iter().map(line).collect();
    let warnings = generate(&[text]).expect("parses").warnings;
    for (number, (marker, told)) in markers.iter().enumerate() {
        let place = format!("src/f0.rs:{}:4: ", number + 1);
        let mine: Vec<_> = warnings
            .iter()
            .filter_map(|w| w.strip_prefix(&place))
            .collect();
        assert_eq!(mine.len(), told.len(), "{marker}: {mine:#?}");
        for (mine, told) in mine.iter().zip(*told) {
            assert!(mine.contains(told), "{marker}: {mine}");
        }
    }
}

#[test]
fn says_that_a_verb_is_unknown() {
    says(&[
        ("groups=a,resources=b,verbs=gte", &["did you mean `get`"]),
        ("groups=a,resources=b,verbs=Get", &["did you mean `get`"]),
        (
            "groups=a,resources=b,verbs=read",
            &["no verb of Kubernetes"],
        ),
        (
            "groups=a,resources=c,verbs=post",
            &["no verb of Kubernetes"],
        ),
        ("urls=/a,verbs=list", &["no verb of Kubernetes"]),
        ("urls=/b,verbs=get;head;post;put;patch;delete;options", &[]),
        ("urls=/c,verbs=*", &[]),
        (
            "groups=a,resources=d,verbs=get;list;watch;create;update;patch;delete;deletecollection",
            &[],
        ),
        (
            "groups=a,resources=e,verbs=use;bind;escalate;impersonate;approve;sign;attest",
            &[],
        ),
        (
            "groups=a,resources=f,verbs=impersonate-on:serviceaccount:get",
            &[],
        ),
    ]);
}

#[test]
fn says_that_a_rule_is_swallowed() {
    let swallowed = &["the marker at src/f0.rs:"][..];
    for (wide, narrow) in [
        (
            "groups=a,resources=b,verbs=*",
            "groups=a,resources=b,verbs=get",
        ),
        (
            "groups=*,resources=b,verbs=get",
            "groups=a,resources=b,verbs=get",
        ),
        (
            "groups=a,resources=*,verbs=get",
            "groups=a,resources=b/status,verbs=get",
        ),
        (
            "groups=a,resources=*/scale,verbs=get",
            "groups=a,resources=b/scale,verbs=get",
        ),
        (
            "groups=a,resources=b,verbs=*",
            "groups=a,resources=b,verbs=get,namespace=c",
        ),
        (
            "groups=a,resources=b,verbs=*",
            "groups=a,resources=b,verbs=get,roleName=c",
        ),
        (
            "groups=a,resources=b,verbs=*",
            "groups=a,resources=b,resourceNames=c,verbs=*",
        ),
        ("urls=/a/*,verbs=get", "urls=/a/b,verbs=get"),
    ] {
        says(&[(wide, &[]), (narrow, swallowed)]);
        says(&[(narrow, swallowed), (wide, &[])]);
    }
    for (wide, narrow) in [
        (
            "groups=a,resources=b,verbs=*",
            "groups=a,resources=b,verbs=*",
        ),
        (
            "groups=a,resources=b,verbs=*",
            "groups=a,resources=c,verbs=get",
        ),
        (
            "groups=a,resources=b,verbs=*",
            "groups=a;d,resources=b,verbs=get",
        ),
        (
            "groups=a,resources=b,verbs=get;list",
            "groups=a,resources=b,verbs=get",
        ),
        (
            "groups=a,resources=b,verbs=*,namespace=c",
            "groups=a,resources=b,verbs=get",
        ),
        (
            "groups=a,resources=b,resourceNames=c,verbs=*",
            "groups=a,resources=b,verbs=get",
        ),
        (
            "groups=a,resources=*/scale,verbs=get",
            "groups=a,resources=b,verbs=get",
        ),
        (
            "groups=*,resources=*,verbs=*,namespace=x",
            "urls=/a/b,verbs=get",
        ),
        ("urls=/a/*,verbs=get", "urls=/b,verbs=get"),
    ] {
        says(&[(wide, &[]), (narrow, &[])]);
    }
    for list in [
        "groups=*;a,resources=b,verbs=get",
        "groups=a,resources=*;b,verbs=get",
        "groups=a,resources=b,verbs=get;*",
    ] {
        says(&[(list, &["allows all that stands beside it"])]);
    }
}

#[test]
fn says_that_all_secrets_are_reached() {
    let all = &["the secrets of all namespaces"][..];
    says(&[("groups=core,resources=secrets,verbs=get", all)]);
    says(&[("groups=\"\",resources=secrets;pods,verbs=create", all)]);
    says(&[("groups=*,resources=*,verbs=*", all)]);
    for other in [
        "groups=core,resources=secrets,verbs=get,namespace=a",
        "groups=core,resources=secrets,resourceNames=a,verbs=get",
        "groups=apps,resources=secrets,verbs=get",
        "groups=core,resources=secrets/status,verbs=get",
        "groups=core,resources=pods,verbs=*",
    ] {
        says(&[(other, &[])]);
    }
}

/// What rop wrote is not parsed again: it must make no difference.
#[test]
fn rendered_sources_need_no_look() {
    let dir = Dir::project(&[INIT, CREATE]);
    let sources = Root::at(&dir).unwrap().sources().unwrap();
    let role = |is: bool| {
        let rendered = |_: &str, _: &str| is;
        let sources = sources.iter().map(|(path, text)| Source {
            path,
            text,
            rendered: &rendered,
        });
        let sources: Vec<_> = sources.collect();
        role(&sources, DEFAULT_ROLE_NAME, Scope::Cluster).unwrap()
    };
    assert!(role(true).text.contains("myapps"));
    assert_eq!(role(true), role(false));
}

#[test]
fn all_faults_are_one_error() {
    let error = generate(&[
        "\t// +kubebuilder:rbac:verbs=\r\nfn é() {} // é +kubebuilder:x\r\n/* é */ // +kubebuilder:rbac:groups=a;b,vebs=get\r\n"
            .into(),
        "fn f() { // +".into(),
        "// +kubebulder:rbac:verbs=get\n//+kubebuilder:rbac:groups=a,verbs={get\n// +kubebuilder:validation:Minimum=1"
            .into(),
    ])
    .expect_err("six faults");
    assert_eq!(error.exit_code(), 1);
    let told = "\
src/f0.rs:1:5: `verbs` is empty: a rule without verbs allows nothing
    |  // +kubebuilder:rbac:verbs=
    |     ^^^^^^^^^^^^^^^^^^^^^^^
src/f0.rs:3:41: unknown argument `vebs`; did you mean `verbs`?
    | /* é */ // +kubebuilder:rbac:groups=a;b,vebs=get
    |                                         ^^^^
src/f1.rs:1:8: this is no Rust: a bracket or a literal is not closed
    | fn f() { // +
    |        ^
src/f2.rs:1:4: unknown marker `+kubebulder:rbac`; did you mean `+kubebuilder:rbac`?
    | // +kubebulder:rbac:verbs=get
    |    ^^^^^^^^^^^^^^^^^^^^^^
src/f2.rs:2:40: the list is not closed by `}`
    | //+kubebuilder:rbac:groups=a,verbs={get
    |                                        ^
src/f2.rs:3:4: `+kubebuilder:validation:Minimum` is a marker for Go types; in Rust, use `#[schemars(range(min = 1))]`
    | // +kubebuilder:validation:Minimum=1
    |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^";
    assert_eq!(error.message(), told);
}

#[test]
fn markers_are_listed() {
    let dir = Dir::new("anywhere");
    let text = support::line(&dir, "rop generate --markers").ok().stdout;
    for line in [
        "+kubebuilder:rbac\n",
        "    verbs=<list>\n",
        "    [namespace=<string>]\n",
        "+kubebuilder:validation:Minimum\n    use `#[schemars(range(min = …))]`\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let json = support::line(&dir, "rop generate --markers --output json").ok();
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let markers = report["markers"].as_array().unwrap();
    let supported = markers.iter().filter(|marker| marker["supported"] == true);
    let names: Vec<_> = supported
        .map(|marker| marker["name"].as_str().unwrap())
        .collect();
    let kubebuilder = |name: &str| format!("+kubebuilder:{name}");
    assert_eq!(
        names,
        ["rbac", "webhook", "webhookconfiguration"]
            .map(kubebuilder)
            .each_ref()
            .map(String::as_str)
    );
    let verbs = serde_json::json!({"name": "verbs", "type": "list", "required": true});
    assert!(markers[0]["arguments"].as_array().unwrap().contains(&verbs));
    support::line(&dir, "rop generate --markers --check").fails(2, &["--check"]);
    support::line(&dir, "rop generate rbac --markers").fails(2, &["--markers"]);
}
