//! The accepted and refused values of DNS names and approvals are those of the tests of
//! `k8s.io/apimachinery` and `k8s.io/apiextensions-apiserver`; the rest are reports of users.
use super::{accepts, refusal, refuses, refuses_all};
use rop::model::names::{
    ApiGroup, Approval, Domain, Group, Kind, License, Plural, Version, module_name,
};

const SUBDOMAINS: [&str; 38] = [
    "a",
    "ab",
    "abc",
    "a1",
    "a-1",
    "a--1--2--b",
    "0",
    "01",
    "012",
    "1a",
    "1-a",
    "1--a--b--2",
    "a.a",
    "ab.a",
    "abc.a",
    "a1.a",
    "a-1.a",
    "a--1--2--b.a",
    "a.1",
    "ab.1",
    "abc.1",
    "a1.1",
    "a-1.1",
    "a--1--2--b.1",
    "0.a",
    "01.a",
    "012.a",
    "1a.a",
    "1-a.a",
    "1--a--b--2",
    "0.1",
    "01.1",
    "1--a--b--2.1",
    "a.b.c.d.e",
    "aa.bb.cc.dd.ee",
    "1.2.3.4.5",
    "11.22.33.44.55",
    "example.com",
];

const NO_SUBDOMAINS: [&str; 59] = [
    "A",
    "ABC",
    "aBc",
    "A1",
    "A-1",
    "1-A",
    "-",
    "a-",
    "-a",
    "1-",
    "-1",
    "_",
    "a_",
    "_a",
    "a_b",
    "1_",
    "_1",
    "1_2",
    ".",
    "a.",
    ".a",
    "a..b",
    "1.",
    ".1",
    "1..2",
    " ",
    "a ",
    " a",
    "a b",
    "1 ",
    " 1",
    "1 2",
    "A.a",
    "aB.a",
    "ab.A",
    "A1.a",
    "a1.A",
    "A.1",
    "aB.1",
    "A1.1",
    "1A.1",
    "0.A",
    "01.A",
    "012.A",
    "1A.a",
    "1a.A",
    "a.B.c.d.e",
    "aa.bB.cc.dd.ee",
    "a@b",
    "a,b",
    "a;b",
    "a:b",
    "a%b",
    "a?b",
    "a$b",
    "a/b",
    "a\n",
    "ä.b",
    "{{a}}",
];

const LABELS: [&str; 6] = ["a", "ab", "abc", "a1", "a-1", "a--1--2--b"];

const NO_LABELS: [&str; 36] = [
    "0",
    "01",
    "012",
    "1a",
    "1-a",
    "1--a--b--2",
    "",
    "A",
    "ABC",
    "aBc",
    "A1",
    "A-1",
    "1-A",
    "-",
    "a-",
    "-a",
    "1-",
    "-1",
    "_",
    "a_",
    "_a",
    "a_b",
    "1_",
    "_1",
    "1_2",
    ".",
    "a.",
    ".a",
    "a.b",
    "1.",
    ".1",
    " ",
    "a ",
    " a",
    "a b",
    "a/b",
];

#[test]
fn groups_and_domains_are_subdomains_or_empty() {
    accepts::<Group>(&SUBDOMAINS);
    accepts::<Domain>(&SUBDOMAINS);
    refuses_all::<Group>(&NO_SUBDOMAINS);
    refuses_all::<Domain>(&NO_SUBDOMAINS);
    refuses_all::<ApiGroup>(&NO_SUBDOMAINS);

    let longest = "a".repeat(253);
    accepts::<Group>(&["", &longest]);
    accepts::<Domain>(&["", &longest]);
    accepts::<ApiGroup>(&[&format!("a.{}", "a".repeat(251))]);
    refuses_all::<Group>(&[&"a".repeat(254)]);
    refuses_all::<Domain>(&[&"a".repeat(254)]);
    refuses_all::<ApiGroup>(&[&format!("a.{}", "a".repeat(252))]);
}

#[test]
fn nearest_groups_and_domains() {
    refuses::<Group>(&[
        ("App", Some("app")),
        ("my_app", Some("my-app")),
        ("-x", Some("x")),
        ("x-", Some("x")),
        ("a..b", Some("a.b")),
        ("Ünit", None),
        ("_", None),
    ]);
    refuses::<Domain>(&[
        ("Exa mple_.com/", Some("exa-mple.com")),
        ("https://example.com/", Some("example.com")),
        (".example.com.", Some("example.com")),
    ]);
}

#[test]
fn api_groups_have_a_dot() {
    let join = |group: &str, domain: &str| {
        let (group, domain) = (group.parse().unwrap(), domain.parse().unwrap());
        ApiGroup::new(&group, &domain)
    };
    let joined = |group, domain| join(group, domain).unwrap().to_string();
    assert_eq!(joined("app", "example.com"), "app.example.com");
    assert_eq!(joined("core", "example.com"), "core.example.com");
    assert_eq!(joined("app.example.com", ""), "app.example.com");
    assert_eq!(joined("", "example.com"), "example.com");
    assert_eq!(joined("app", "local"), "app.local");

    let error = join("app", "").unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.message().contains("needs a dot"), "{error}");
    assert_eq!(error.hints(), ["try `app.example.com`"]);
    assert!(join("", "local").is_err());
    assert!(join("", "").unwrap_err().message().contains("empty"));

    let half = "a".repeat(126);
    assert!(join(&half, &half).is_ok());
    assert!(join(&half, &format!("a{half}")).is_err());
}

#[test]
fn groups_of_the_kubernetes_community() {
    let needs = |group: &str| group.parse::<ApiGroup>().unwrap().needs_approval();
    for group in [
        "k8s.io",
        "app.k8s.io",
        "a.b.k8s.io",
        "kubernetes.io",
        "x.kubernetes.io",
    ] {
        assert!(needs(group), "{group}");
    }
    for group in [
        "notk8s.io",
        "k8s.io.example.com",
        "app.mykubernetes.io",
        "x-k8s.io",
        "a.io",
    ] {
        assert!(!needs(group), "{group}");
    }
}

#[test]
fn approvals() {
    accepts::<Approval>(&[
        "unapproved",
        "unapproved, experimental-only",
        "https://github.com/kubernetes/kubernetes/pull/78458",
        "http://localhost:8080/a%20b?c=d",
        "https://example.com",
    ]);
    refuses::<Approval>(&[
        ("", None),
        ("Unapproved", Some("unapproved")),
        (
            "github.com/kubernetes/kubernetes/pull/78458",
            Some("https://github.com/kubernetes/kubernetes/pull/78458"),
        ),
        ("http:///kubernetes/kubernetes/pull/78458", None),
        ("/", None),
        ("https://", None),
        ("https://a.b:x/", None),
        ("https://a.b/%zz", None),
        ("https://a.b/c d", None),
        ("ftp://a.b/c", None),
        ("unapproved\nkind: Secret", None),
        ("unapproved \"yet\"", None),
    ]);
}

#[test]
fn versions() {
    accepts::<Version>(&[
        "v1",
        "v2",
        "v10",
        "v1alpha1",
        "v1beta1",
        "v2beta12",
        "v100alpha100",
    ]);
    refuses::<Version>(&[
        ("V1", Some("v1")),
        ("1", Some("v1")),
        ("v1beta", Some("v1beta1")),
        ("v1-alpha1", Some("v1alpha1")),
        ("v1alpha1.2", Some("v1alpha1")),
        ("v1alpha1-x", Some("v1alpha1")),
        ("v01", Some("v1")),
        ("v0", Some("v1")),
        ("v1alpha0", Some("v1alpha1")),
        ("v1alpha01", Some("v1alpha1")),
        ("v1Beta2", Some("v1beta2")),
        ("alpha", Some("v1alpha1")),
        ("v1.2", Some("v1")),
        ("v1gamma1", Some("v1")),
        ("v1alphabeta1", Some("v1alpha1")),
        ("v1alpha1beta1", Some("v1alpha1")),
        ("v1 ", Some("v1")),
        ("v१", None),
        ("latest", None),
        ("v", None),
        ("", None),
    ]);
    accepts::<Version>(&[&format!("v{}", "1".repeat(62))]);
    refuses::<Version>(&[(&format!("v{}", "1".repeat(63)), None)]);
}

#[test]
fn kinds() {
    accepts::<Kind>(&[
        "HTTPProxy",
        "IPPool",
        "DNSRecord",
        "DNS",
        "EC2Instance",
        "K8sThing",
        "X509",
        "A",
        "Cat",
        "MyApp",
        "Type",
        "Self",
        "Status",
        "Option",
    ]);
    accepts::<Kind>(&[&"K".repeat(63)]);
    refuses::<Kind>(&[
        ("testKind", Some("TestKind")),
        ("memcached", Some("Memcached")),
        ("myapp", Some("Myapp")),
        ("httpProxy", Some("HttpProxy")),
        ("Foo_Bar", Some("FooBar")),
        ("Foo-Bar", Some("FooBar")),
        ("foo_bar", Some("FooBar")),
        ("HTTP_Proxy", Some("HTTPProxy")),
        ("FOO_BAR", Some("FooBar")),
        ("My App", Some("MyApp")),
        ("MyApp_", Some("MyApp")),
        ("9Lives", Some("Lives")),
        ("Ünit", None),
        ("K\u{fc}che", None),
        ("a/b", Some("AB")),
        ("99", None),
        ("", None),
    ]);
    refuses::<Kind>(&[(&"K".repeat(64), None)]);
}

#[test]
fn names_made_from_kinds() {
    let kind = |name: &str| name.parse::<Kind>().unwrap();
    assert_eq!(kind("HTTPProxy").stem(), "httpproxy");
    assert_eq!(kind("MyApp").root(), "MyApp");
    assert_eq!(kind("MyApp").spec(), "MyAppSpec");
    assert_eq!(kind("MyApp").status(), "MyAppStatus");
    assert_eq!(kind("MyApp").list(), "MyAppList");

    // The list of `reference/README.md`, built with kube 5.0.
    for name in [
        "Option",
        "Vec",
        "String",
        "Default",
        "Self",
        "Serialize",
        "Deserialize",
    ] {
        assert_eq!(kind(name).root(), format!("{name}Resource"));
        assert!(kind(name).is_renamed());
        assert_eq!(kind(name).spec(), format!("{name}Spec"));
    }
    for name in [
        "JsonSchema",
        "Clone",
        "Result",
        "Box",
        "Status",
        "Options",
        "Object",
        "Error",
    ] {
        assert_eq!(kind(name).root(), name);
        assert!(!kind(name).is_renamed());
    }
}

/// The API server wants list kinds to be labels, too, also those that it derives.
#[test]
fn list_kinds_fit() {
    for length in 1..=63 {
        let kind: Kind = "K".repeat(length).parse().unwrap();
        assert!(kind.list().len() <= 63);
        assert_eq!(kind.list() != format!("{kind}List"), length > 59);
        assert_eq!(kind.has_long_list(), length > 59);
        assert_ne!(kind.list(), kind.to_string());
    }
}

#[test]
fn plurals() {
    accepts::<Plural>(&LABELS);
    accepts::<Plural>(&["echoes", &"a".repeat(63)]);
    refuses_all::<Plural>(&NO_LABELS);
    refuses_all::<Plural>(&[&"a".repeat(64)]);
    refuses::<Plural>(&[
        ("Fernandezes", Some("fernandezes")),
        ("", None),
        ("a/b", Some("a-b")),
        ("9lives", Some("lives")),
    ]);
}

#[test]
fn english_plurals() {
    for (kind, plural) in [
        ("MyApp", "myapps"),
        ("Policy", "policies"),
        ("NetworkPolicy", "networkpolicies"),
        ("Status", "statuses"),
        ("Redis", "redis"),
        ("Kafka", "kafkas"),
        ("Ingress", "ingresses"),
        ("Gateway", "gateways"),
        ("HTTPProxy", "httpproxies"),
        ("Mesh", "meshes"),
        ("Data", "data"),
        ("Sheep", "sheep"),
        ("Quiz", "quizzes"),
        ("HelloWorld", "helloworlds"),
        ("FunctionBuild", "functionbuilds"),
        ("Endpoints", "endpoints"),
        ("Child", "children"),
        ("DNS", "dns"),
        ("A", "as"),
        ("Y", "ys"),
        ("Soliloquy", "soliloquies"),
        ("Key", "keys"),
        ("Database", "databases"),
        ("Analysis", "analyses"),
        ("Index", "indices"),
        ("Box", "boxes"),
        ("Prometheus", "prometheuses"),
        ("StorageClass", "storageclasses"),
        ("Alias", "aliases"),
        ("Kubernetes", "kubernetes"),
        ("Cache", "caches"),
        ("Batch", "batches"),
        ("Echo", "echoes"),
        ("Video", "videos"),
        ("Shelf", "shelves"),
        ("Proof", "proofs"),
        ("Metadata", "metadata"),
        ("Human", "humans"),
    ] {
        let kind = kind.parse().unwrap();
        assert_eq!(Plural::of(&kind).unwrap().as_str(), plural);
    }
}

#[test]
fn a_plural_that_is_too_long_is_asked_for() {
    let kind = "K".repeat(62).parse().unwrap();
    assert_eq!(Plural::of(&kind).unwrap().as_str().len(), 63);
    let kind = "K".repeat(63).parse().unwrap();
    let error = Plural::of(&kind).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.hints()[0].contains("`--plural`"));
}

#[test]
fn licenses() {
    accepts::<License>(&["apache-2.0", "mit", "none"]);
    refuses::<License>(&[
        ("Apache-2.0", Some("apache-2.0")),
        ("apache2", Some("apache-2.0")),
        ("MIT", Some("mit")),
        ("None", Some("none")),
        ("gpl-3.0", None),
        ("", None),
    ]);
    // https://spdx.org/licenses/
    let spdx = License::ALL.map(License::spdx);
    assert_eq!(spdx, [Some("Apache-2.0"), Some("MIT"), None]);
    assert_eq!(License::default(), License::None);
}

#[test]
fn modules_of_groups() {
    for (group, module) in [
        ("app", "app"),
        ("", "core"),
        ("webapp-2", "webapp_2"),
        ("a.b", "a_b"),
        ("foo.policy", "foo_policy"),
        ("2048", "_2048"),
        ("type", "type_"),
        ("self", "self_"),
        ("crate", "crate_"),
        ("gen", "gen_"),
        ("union", "union"),
        ("core", "core"),
        ("kube", "kube_"),
        ("k8s-openapi", "k8s_openapi_"),
        ("rop-manager", "rop_manager_"),
        ("rustfmt", "rustfmt_"),
        ("support", "support_"),
    ] {
        assert_eq!(module_name(group), module);
    }
}

#[test]
fn messages_say_what_rule_and_example() {
    let error = refusal::<Kind>("testKind");
    assert_eq!(
        error.message(),
        "invalid kind `testKind`: it must be PascalCase, that is an ASCII letter in upper case \
         and then letters and digits only (example: `MyApp`)"
    );
    let error = refusal::<Group>(&"a".repeat(254));
    let message = error.message();
    assert!(
        message.contains("at most 253 characters fit, it has 254"),
        "{message}"
    );
    assert!(message.contains("a…`"), "{message}");
    assert!(
        refusal::<Plural>("")
            .message()
            .starts_with("the plural is empty: ")
    );
}
