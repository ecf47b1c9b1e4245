//! Names derived from a resource, and clashes between two.
use rop::{
    error::Result,
    model::{names::Plural, resource::Resource},
};

fn resource(api: [&str; 4]) -> Result<Resource> {
    let [group, domain, version, kind] = api;
    Resource::new(
        group.parse()?,
        domain.parse()?,
        version.parse()?,
        kind.parse()?,
        None,
    )
}

fn with_plural(api: [&str; 4], plural: &str) -> Resource {
    let plural: Plural = plural.parse().unwrap();
    let [group, domain, version, kind] = api;
    Resource::new(
        group.parse().unwrap(),
        domain.parse().unwrap(),
        version.parse().unwrap(),
        kind.parse().unwrap(),
        Some(plural),
    )
    .unwrap()
}

/// In group `app`.
fn of(version: &str, kind: &str) -> Resource {
    resource(["app", "example.com", version, kind]).unwrap()
}

/// Both ways, since no order of the commands may let a clash through.
fn clash(one: &Resource, other: &Resource) -> String {
    let error = one.clash([other]).expect_err("a clash");
    assert_eq!(error.exit_code(), 3);
    assert_eq!(error.hints().len(), 1);
    let back = other.clash([one]).expect_err("a clash the other way");
    assert_eq!(back.exit_code(), 3);
    error.message()
}

fn no_clash(one: &Resource, other: &Resource) {
    for (one, other) in [(one, other), (other, one)] {
        if let Err(error) = one.clash([other]) {
            panic!("{error}");
        }
    }
}

#[test]
fn derived_names() {
    let my_app = of("v1alpha1", "MyApp");
    assert_eq!(my_app.to_string(), "app.example.com/v1alpha1 MyApp");
    assert_eq!(my_app.plural().as_str(), "myapps");
    assert_eq!(my_app.crd_name(), "myapps.app.example.com");
    assert_eq!(my_app.crd_file(), "app.example.com_myapps.yaml");
    assert_eq!(my_app.sample_file(), "app_v1alpha1_myapp.yaml");
    assert_eq!(my_app.types_module(), "myapp_types");
    assert_eq!(my_app.controller_module(), "myapp_controller");
    assert_eq!(my_app.group_module(), "app");
    assert!(my_app.namespaced && my_app.controller);

    let other = with_plural(["app", "example.com", "v1", "Echo"], "echoes");
    assert_eq!(other.crd_name(), "echoes.app.example.com");
}

#[test]
fn without_a_group() {
    let root = resource(["", "example.com", "v1", "Foo"]).unwrap();
    assert_eq!(root.crd_file(), "example.com_foos.yaml");
    assert_eq!(root.sample_file(), "v1_foo.yaml");
    assert_eq!(root.group_module(), "example_com");
}

#[test]
fn groups_of_kubernetes_need_an_approval() {
    let guarded = resource(["app", "k8s.io", "v1", "Foo"]).unwrap();
    let error = guarded.clone().with_approval(None).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.hints()[0].contains("`--api-approved`"));
    let approval = "unapproved".parse().unwrap();
    let approved = guarded.with_approval(Some(approval)).unwrap();
    assert_eq!(approved.approved().unwrap().as_str(), "unapproved");
    assert!(of("v1", "Foo").with_approval(None).is_ok());
}

#[test]
fn lengths_of_derived_names() {
    let with_group = |length: usize, version: &str| {
        let group = "a".repeat(length - ".example.com".len());
        resource([&group, "example.com", version, "Foo"])
    };
    // `<group>_foos.yaml` ≤ 255 comes before `foos.<group>` ≤ 253.
    assert_eq!(with_group(245, "v1").unwrap().crd_file().len(), 255);
    assert_eq!(with_group(246, "v1").unwrap_err().exit_code(), 2);

    let version = format!("v{}", "1".repeat(62));
    let longest = 255 - format!("_{version}_foo.yaml").len() + ".example.com".len();
    assert_eq!(
        with_group(longest, &version).unwrap().sample_file().len(),
        255
    );
    let error = with_group(longest + 1, &version).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.message().contains("at most 255 fit"), "{error}");

    let group = "a".repeat(250);
    let crd = resource([&group, "b", "v1", "Foo"]).unwrap_err();
    assert!(crd.message().contains("at most 253 fit"), "{crd}");
}

#[test]
fn a_kind_may_have_versions() {
    no_clash(&of("v1", "MyApp"), &of("v1", "MyApp"));
    no_clash(&of("v1", "MyApp"), &of("v1alpha1", "MyApp"));
    no_clash(&of("v1", "MyApp"), &of("v1", "Other"));
    no_clash(&of("v1", "MyApp"), &of("v1", "App"));
}

#[test]
fn versions_of_a_kind_agree() {
    let v1 = of("v1", "MyApp");
    let plural = with_plural(["app", "example.com", "v2", "MyApp"], "apps");
    assert!(clash(&plural, &v1).contains("`myapps`"));

    let mut cluster = of("v2", "MyApp");
    cluster.namespaced = false;
    assert!(clash(&cluster, &v1).contains("is namespaced"));
}

#[test]
fn plurals_and_singulars_are_taken_once() {
    let foo = with_plural(["app", "example.com", "v1", "Foo"], "things");
    let bar = with_plural(["app", "example.com", "v2", "Bar"], "things");
    assert!(clash(&foo, &bar).contains("`things`"));
    // The plural of one is the singular of the other.
    assert!(clash(&of("v1", "Foo"), &of("v2", "Foos")).contains("`foos`"));
    // In other groups they are free.
    let elsewhere = with_plural(["web", "example.com", "v1", "Bar"], "things");
    no_clash(&foo, &elsewhere);
}

#[test]
fn kinds_differ_in_letters() {
    let message = clash(&of("v1", "MyApp"), &of("v2", "Myapp"));
    assert!(message.contains("upper and lower case"), "{message}");
}

#[test]
fn kinds_and_list_kinds_are_taken_once() {
    assert!(clash(&of("v1", "Foo"), &of("v2", "FooList")).contains("`FooList`"));
    let elsewhere = resource(["web", "example.com", "v1", "FooList"]).unwrap();
    no_clash(&of("v1", "Foo"), &elsewhere);
    // List kinds that had to be cut.
    let long = |end: &str| format!("{}{end}", "K".repeat(59));
    let one = with_plural(["app", "example.com", "v1", &long("A")], "ones");
    let two = with_plural(["app", "example.com", "v1", &long("B")], "twos");
    assert!(clash(&one, &two).contains("List"));
}

#[test]
fn types_of_a_version_are_taken_once() {
    for (kind, taken) in [
        ("Foo", "FooSpec"),
        ("Foo", "FooStatus"),
        ("Option", "OptionResource"),
        ("Option", "OptionSpec"),
        ("Self", "SelfResource"),
    ] {
        let message = clash(&of("v1", kind), &of("v1", taken));
        assert!(message.contains(&format!("`{taken}`")), "{message}");
        no_clash(&of("v1", kind), &of("v2", taken));
    }
    no_clash(&of("v1", "Foo"), &of("v1", "FooResource"));
}

#[test]
fn groups_have_modules_of_their_own() {
    let group = |name: &str| resource([name, "example.com", "v1", "Foo"]).unwrap();
    assert!(clash(&group("a-b"), &group("a.b")).contains("`a_b`"));
    no_clash(&group("a-b"), &group("ab"));
    no_clash(&group("foo"), &group("faz"));
}
