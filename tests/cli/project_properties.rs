//! What holds for every PROJECT; `PROPTEST_CASES` sets how many are tried.
use proptest::{
    collection::{btree_map, vec},
    prelude::*,
    sample::select,
};
use rop::{
    generate::yaml,
    model::{
        names::{Domain, License},
        project::{HEADER, Project},
        resource::Resource,
    },
    plan::Record,
};
use serde_json::{Value, json};
use toml_edit::{DocumentMut, table, value};

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn text(project: &Project) -> String {
    format!("{HEADER}{}", yaml::to_string(&project.to_value()))
}

fn license() -> impl Strategy<Value = License> {
    select(&License::ALL[..])
}

/// A project without APIs.
fn project() -> impl Strategy<Value = Project> {
    let domain = "([a-z0-9]{1,5}[.]){0,2}(k8s[.])?[a-z]{1,3}|no|1e3|0x1|null";
    (
        domain,
        "[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,2}x",
        license(),
    )
        .prop_map(|(domain, name, license)| {
            Project::new(domain.parse().unwrap(), name.parse().unwrap(), license)
        })
}

/// What makes an API: group, version, kind, plural; scope and controller.
type Api = ([String; 4], [bool; 2]);

fn api() -> impl Strategy<Value = Api> {
    let words = [
        "[a-z]{0,2}|1e3|no|null|[0-9]{1,3}",
        "v[1-3]((alpha|beta)[1-2])?",
        "[A-C][a-c0-9]{0,2}|Null|No|Yes",
        "[a-c][a-c0-9-]{0,2}[a-c0-9]|no|null|yes",
    ];
    (words, any::<[bool; 2]>())
}

/// The API in a project of this domain, if there can be one.
fn resource(domain: &Domain, ([group, version, kind, plural], flags): &Api) -> Option<Resource> {
    let names = (group.parse().ok()?, version.parse().ok()?);
    let (kind, plural) = (kind.parse().ok()?, plural.parse().ok()?);
    let resource = Resource::new(names.0, domain.clone(), names.1, kind, Some(plural)).ok()?;
    let needed = resource.api_group().needs_approval();
    let approval = needed.then(|| "unapproved, no: 'why'".parse().unwrap());
    let mut resource = resource.with_approval(approval).ok()?;
    [resource.namespaced, resource.controller] = *flags;
    Some(resource)
}

/// Those of APIs that do not clash with one before.
fn resources(domain: &Domain, apis: &[Api]) -> Vec<Resource> {
    let mut resources: Vec<Resource> = Vec::new();
    for resource in apis.iter().filter_map(|api| resource(domain, api)) {
        let known = resources.iter().any(|known| known.is(&resource));
        if !known && resource.clash(&resources).is_ok() {
            resources.push(resource);
        }
    }
    resources
}

fn sorted(resources: &[Resource]) -> Vec<String> {
    let mut texts: Vec<_> = resources.iter().map(|r| format!("{r:?}")).collect();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(config())]

    /// What is written is read again, in any order of APIs, and once more changes nothing.
    #[test]
    fn apis_are_kept(project in project(), apis in vec(api(), 0..6)) {
        let resources = resources(&project.domain, &apis);
        let put = |resources: &[Resource]| {
            let mut project = project.clone();
            resources.iter().for_each(|resource| project.put(resource.clone()));
            project
        };
        let made = put(&resources);
        let read = Project::parse(&text(&made)).map_err(|error| {
            TestCaseError::fail(format!("{error}\n{}", text(&made)))
        })?;
        prop_assert_eq!(sorted(read.resources()), sorted(&resources), "{}", text(&made));
        prop_assert_eq!(&read.domain, &project.domain);
        prop_assert_eq!(&read.name, &project.name);
        prop_assert_eq!(read.license, project.license);
        let mut backwards = resources.clone();
        backwards.reverse();
        prop_assert_eq!(text(&put(&backwards)), text(&made));
        let mut again = read;
        resources.iter().for_each(|resource| again.put(resource.clone()));
        prop_assert_eq!(text(&again), text(&made));
    }

    /// What others wrote, anywhere, survives the next API.
    #[test]
    fn unknown_fields_are_kept(
        project in project(),
        apis in vec(api(), 1..5),
        (field, unknown) in ("x[a-z ]{0,5}", select(vec![json!(null), json!({"a": [1, "no"]}), json!("1e3")])),
    ) {
        let resources = resources(&project.domain, &apis);
        let Some((last, rest)) = resources.split_last() else {
            return Ok(());
        };
        let mut project = project;
        rest.iter().for_each(|resource| project.put(resource.clone()));
        let mut value = project.to_value();
        value[&field] = unknown.clone();
        value["plugins"][&field] = unknown.clone();
        for entry in value["resources"].as_array_mut().into_iter().flatten() {
            entry[&field] = unknown.clone();
            entry["api"][&field] = unknown.clone();
        }
        let mut read = Project::parse(&yaml::to_string(&value)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        read.put(last.clone());
        let mut written = read.to_value();
        let known = |entry: &Value| entry.get(&field) == Some(&unknown) && entry["api"].get(&field) == Some(&unknown);
        let entries = written["resources"].as_array().expect("one at least");
        prop_assert_eq!(entries.iter().filter(|entry| known(entry)).count(), rest.len());
        prop_assert_eq!(written["plugins"].get(&field), Some(&unknown));
        prop_assert_eq!(written.as_object_mut().expect("a map").remove(&field), Some(unknown));
    }

    /// Whatever the text is, it is read or refused, and what is read can be written and read again.
    #[test]
    fn any_text(lines in vec(line(), 0..12), start in select(&["", GOOD][..])) {
        let yaml = format!("{start}{}", lines.concat());
        match Project::parse(&yaml) {
            Ok(project) => {
                let again = Project::parse(&text(&project)).map_err(|e| TestCaseError::fail(format!("{e}\n{yaml}")))?;
                prop_assert_eq!(again, project, "{}", yaml);
            }
            Err(error) => prop_assert_eq!(error.exit_code(), 1, "{}", yaml),
        }
    }
}

const GOOD: &str = "version: \"3\"\nprojectName: x\nlayout: [rust.rop.dev/v1]\n";

/// A line of YAML, more often than not of PROJECT.
fn line() -> impl Strategy<Value = String> {
    let known = [
        "domain: example.com\n",
        "domain: [a]\n",
        "resources:\n",
        "resources: []\n",
        "resources: null\n",
        "- api:\n    crdVersion: v1\n    namespaced: true\n",
        "  controller: true\n",
        "  group: app\n",
        "  kind: MyApp\n",
        "  plural: myapps\n",
        "  version: v1alpha1\n",
        "  version: 1\n",
        "  core: true\n",
        "  external: true\n",
        "- {group: app, version: v1, kind: A, plural: as, api: {crdVersion: v1}}\n",
        "- &a {group: app, version: v1, kind: B, plural: bs, api: {}}\n",
        "- *a\n",
        "- <<: *a\n  kind: C\n",
        "plugins:\n  rust.rop.dev/v1:\n",
        "    license: mit\n",
        "    license: 1\n",
        "    apiApproved: {as.app.example.com: unapproved}\n",
        "plugins: {rust.rop.dev/v1: {license: none}}\n",
        "plugins: null\n",
        "multigroup: false\n",
        "namespaced: \"no\"\n",
        "version: \"3\"\n",
        "projectName: op\n",
        "layout:\n- rust.rop.dev/v1\n",
        "---\n",
        "...\n",
        "# note\n",
        "x: |\n  text\n",
        "<<<<<<< ours\n",
    ];
    prop_oneof![
        4 => select(known.to_vec()).prop_map(str::to_owned),
        1 => "[a-z \\[\\]{}:,&*!|>'\"%@`#?\n-]{0,20}\n",
        1 => "\\PC{0,20}[\r\n]?",
    ]
}

proptest! {
    #![proptest_config(config())]

    /// rop.lock is read line by line where rop wrote it, as TOML where somebody else did: both say
    /// the same, and rop writes what a TOML library writes.
    #[test]
    fn records(files in btree_map("[a-zA-Z0-9./_ é\"'\\\\#=-]{0,8}", "[0-9a-f]{0,4}|[\"\\\\é]", 0..6)) {
        let mut document = DocumentMut::new();
        document["version"] = value("0.1.0");
        document["files"] = table();
        for (path, sum) in &files {
            document["files"][path] = value(sum);
        }
        let empty = Record::new("0.1.0").to_text();
        let header = empty.lines().next().unwrap();
        let text = format!("{header}\n{document}");
        let record = Record::parse(&text).unwrap();
        prop_assert_eq!(record.to_text(), &*text);
        prop_assert_eq!(&record, &Record::parse(&format!("# Theirs.\n{text}")).unwrap());
        // Nothing, a key twice, no key, a dotted key.
        for odd in ["[files]", "[files]\na = \"1\"\na = \"2\"", "[files]\n = \"1\"", "[files]\na.b = \"1\""] {
            let text = format!("{header}\nversion = \"1\"\n\n{odd}\n");
            prop_assert_eq!(Record::parse(&text).is_ok(), text.parse::<DocumentMut>().is_ok() && !text.contains("a.b"));
        }
    }
}
