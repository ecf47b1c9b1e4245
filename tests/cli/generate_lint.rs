//! The lint of CRDs against the API server itself, which judges each of many CRDs drawn from
//! `tests/data/generate/lint.yaml`: what it refuses must be an error of the lint, and nothing else.
use crate::{control_plane, support};
use rop::{
    envtest::{ApplyOptions, ControlPlane, Options, Refusal},
    generate::lint::{Effect, Finding, lint, rules},
};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
};

/// Seeds that are always tried; one that fails is added, and its case to the file.
const SEEDS: [u64; 2] = [1, 77];
/// CRDs of each rule and seed.
const CRDS: usize = 60;
/// So many of each rule must be refused because of it, and so many accepted.
const LEAST: usize = 10;

/// Steele, Lea and Flood's SplitMix64: the same numbers for the same seed, everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    fn often(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// Where a schema can stand within another.
fn wrapped(schema: Value, random: &mut Random) -> Value {
    let object = |extra: Value, name: &str| {
        let mut object =
            json!({ "type": "object", "properties": { "other": { "type": "string" } } });
        object["properties"][name] = schema.clone();
        merge(&mut object, &extra);
        object
    };
    match random.below(9) {
        0 => json!({ "type": "array", "items": schema }),
        1 => json!({ "type": "object", "additionalProperties": schema }),
        2 => object(json!({}), "inner"),
        3 => object(
            json!({ "required": ["inner"], "description": "A struct." }),
            "inner",
        ),
        4 => object(json!({ "nullable": true }), "x-field"),
        5 => object(
            json!({ "x-kubernetes-preserve-unknown-fields": true }),
            "inner",
        ),
        6 => object(
            json!({ "x-kubernetes-embedded-resource": true, "properties": { "kind": { "type": "string" } } }),
            "spec",
        ),
        7 => json!({
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["other"],
            "items": object(json!({ "required": ["other"] }), "inner"),
        }),
        _ => object(json!({ "x-kubernetes-map-type": "granular" }), "metadata"),
    }
}

/// A JSON merge patch.
fn merge(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return;
    };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let map = value.as_object_mut().unwrap();
    for (key, patch) in patch {
        match patch {
            Value::Null => drop(map.remove(key)),
            patch => merge(map.entry(key).or_insert(Value::Null), patch),
        }
    }
}

/// A CRD without a fault.
fn base(random: &mut Random) -> Value {
    let spec = json!({ "type": "object", "properties": {
        "text": { "type": "string" }, "size": { "type": "integer", "format": "int32" },
        "yes": { "type": "boolean" }, "number": { "type": "number" },
        "list": { "type": "array", "items": { "type": "string" } },
        "map": { "type": "object", "additionalProperties": { "type": "string" } },
    } });
    let status = json!({ "type": "object", "properties": { "size": { "type": "integer" } } });
    let mut root = json!({ "type": "object", "properties": { "spec": spec, "status": status } });
    if random.often() {
        root["properties"]["more"] = json!({ "type": "integer" });
    }
    if random.often() {
        root["description"] = "A kind.".into();
    }
    let mut version = json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": root } });
    if random.below(3) > 0 {
        version["subresources"] = json!({ "status": {} });
    }
    let mut versions = vec![version.clone()];
    if random.below(3) == 0 {
        version["name"] = "v2".into();
        version["storage"] = false.into();
        version["served"] = random.often().into();
        // Versions that are the same are one to the server, which then looks at the first only.
        version["schema"]["openAPIV3Schema"]["properties"]["newer"] = json!({ "type": "string" });
        versions.push(version);
    }
    let name = ["myapp", "thing", "x", "web-site"][random.below(4)];
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "" },
        "spec": {
            "group": (["app.example.com", "example.org"][random.below(2)]),
            "names": { "kind": "MyApp", "listKind": "MyAppList", "plural": format!("{name}s"), "singular": name },
            "scope": (["Namespaced", "Cluster"][random.below(2)]),
            "versions": versions,
        },
    })
}

/// A CRD with one of the cases in it, somewhere.
fn drawn(at: &str, case: &Value, random: &mut Random) -> Value {
    let mut crd = base(random);
    let count = crd["spec"]["versions"].as_array().unwrap().len();
    let version = &mut crd["spec"]["versions"][random.below(count)];
    match at {
        "version" => merge(version, case),
        "root" => merge(&mut version["schema"]["openAPIV3Schema"], case),
        "schema" => {
            let mut schema = case.clone();
            for _ in 0..random.below(3) {
                schema = wrapped(schema, random);
            }
            let root = &mut version["schema"]["openAPIV3Schema"]["properties"];
            match random.below(5) {
                0 => root["status"]["properties"]["field"] = schema,
                1 => root["field"] = schema,
                2 => root["spec"] = schema,
                _ => root["spec"]["properties"]["field"] = schema,
            }
        }
        _ => {}
    }
    let own = crd["metadata"].clone();
    if at == "crd" {
        merge(&mut crd, case);
    }
    if crd["metadata"]["name"] == own["name"] && case.pointer("/metadata/name").is_none() {
        let part = |at: &str| crd.pointer(at).and_then(Value::as_str).unwrap_or_default();
        crd["metadata"]["name"] =
            format!("{}.{}", part("/spec/names/plural"), part("/spec/group")).into();
    }
    crd
}

/// The cases of each rule, with what they are merged into.
fn cases() -> BTreeMap<String, Vec<(String, Value)>> {
    let path = support::repository().join("tests/data/generate/lint.yaml");
    let text = fs::read_to_string(path).unwrap();
    let all: BTreeMap<String, BTreeMap<String, Vec<Value>>> =
        serde_saphyr::from_str(&text).unwrap();
    let mut cases: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (at, rules) in all {
        for (rule, of_rule) in rules {
            let of_rule = of_rule.into_iter().map(|case| (at.clone(), case));
            cases.entry(rule).or_default().extend(of_rule);
        }
    }
    cases
}

fn given(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {value}")),
    )
}

fn refusing(findings: &[Finding]) -> Vec<&Finding> {
    findings
        .iter()
        .filter(|finding| finding.rule.effect == Effect::Refused)
        .collect()
}

fn judged(control_plane: &ControlPlane, crds: &[Value]) -> Vec<Option<Refusal>> {
    control_plane.refusals(crds, &|| None).unwrap()
}

/// How many CRDs of a rule the API server took, and refused with the lint naming the rule.
type Counts = BTreeMap<String, (usize, usize)>;

/// Draws CRDs of each rule; gives each on which the two differ.
fn differences(
    control_plane: &ControlPlane,
    seed: u64,
    crds: usize,
    counts: &mut Counts,
) -> Vec<String> {
    let mut random = Random(seed);
    let mut drawn_crds = Vec::new();
    let mut seen = BTreeSet::new();
    for (rule, cases) in cases() {
        for index in 0..crds.max(cases.len()) {
            let (at, case) = &cases[index % cases.len()];
            let crd = drawn(at, case, &mut random);
            if seen.insert((rule.clone(), crd.to_string())) {
                drawn_crds.push((rule.clone(), crd));
            }
        }
    }
    // Any two at once, but for what is left to the server.
    let left = |case: &Value| {
        let text = case.to_string();
        text.contains("\"pattern\"") || text.contains("x-kubernetes-validations")
    };
    let schemas: Vec<_> = cases()
        .into_values()
        .flatten()
        .filter(|(at, case)| at == "schema" && !left(case))
        .collect();
    for _ in 0..crds * 4 {
        let mut schema = schemas[random.below(schemas.len())].1.clone();
        merge(&mut schema, &schemas[random.below(schemas.len())].1);
        drawn_crds.push(("two".into(), drawn("schema", &schema, &mut random)));
    }
    let crds: Vec<_> = drawn_crds.iter().map(|(_, crd)| crd.clone()).collect();
    let answers = judged(control_plane, &crds);
    let mut differ = Vec::new();
    for ((rule, crd), answer) in drawn_crds.iter().zip(answers) {
        let findings = lint(crd);
        let errors = refusing(&findings);
        let (taken, refused) = counts.entry(rule.clone()).or_default();
        match answer {
            None if errors.is_empty() => *taken += 1,
            Some(_) if errors.iter().any(|finding| finding.rule.name == rule) => *refused += 1,
            Some(_) if !errors.is_empty() => {}
            answer => differ.push(format!(
                "ROP_SEED={seed} {rule}\n{crd}\nserver: {answer:?}\nlint: {errors:#?}"
            )),
        }
    }
    differ
}

/// Why integers need bounds: of which numbers the API server keeps objects away.
#[test]
fn the_api_server_holds_numbers_to_int32_and_int64_only() {
    let fields = [
        ("int32", json!({}), json!(2_147_483_648_i64), false),
        ("int64", json!({}), json!(1e19), false),
        ("uint64", json!({ "minimum": 0 }), json!(u64::MAX), false),
        ("int8", json!({}), json!(128), true),
        ("uint16", json!({ "minimum": 0 }), json!(65536), true),
        (
            "uint32",
            json!({ "minimum": 0 }),
            json!(4_294_967_296_i64),
            true,
        ),
        (
            "uint16",
            json!({ "minimum": 0, "maximum": 65535 }),
            json!(65536),
            false,
        ),
        ("uint16", json!({}), json!(-1), true),
        // A bound that is not of the type.
        (
            "int32",
            json!({ "maximum": 4_294_967_295_i64 }),
            json!(1),
            false,
        ),
        ("int64", json!({ "minimum": 0.5 }), json!(1), false),
    ];
    let control_plane =
        ControlPlane::start(&Options::new(control_plane::assets().clone())).unwrap();
    let mut crd = base(&mut Random(1));
    crd["metadata"]["name"] = "myapps.example.org".into();
    crd["spec"]["group"] = "example.org".into();
    crd["spec"]["names"] = json!({ "kind": "MyApp", "plural": "myapps" });
    crd["spec"]["scope"] = "Cluster".into();
    let mut properties = Map::new();
    for (index, (format, bounds, _, _)) in fields.iter().enumerate() {
        let mut field = json!({ "type": "integer", "format": format });
        merge(&mut field, bounds);
        properties.insert(format!("f{index}"), field);
    }
    let version = &mut crd["spec"]["versions"][0];
    version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] = properties.into();
    crd["spec"]["versions"] = json!([version]);
    let findings = lint(&crd);
    control_plane
        .apply(&[crd], ApplyOptions::default())
        .unwrap();
    for (index, (format, bounds, value, taken)) in fields.iter().enumerate() {
        let spec = Map::from_iter([(format!("f{index}"), value.clone())]);
        let object = json!({ "apiVersion": "example.org/v1", "kind": "MyApp", "metadata": { "name": format!("a{index}") }, "spec": spec });
        let applied = control_plane.apply(&[object], ApplyOptions::default());
        assert_eq!(
            applied.is_ok(),
            *taken,
            "{format} {bounds} {value}: {applied:?}"
        );
        let field = format!("spec.f{index}");
        let told = findings
            .iter()
            .any(|finding| finding.field == field && finding.rule.name == "integer-range");
        assert_eq!(told, *taken, "{format} {bounds}");
    }
}

#[test]
fn refuses_what_the_api_server_refuses() {
    let control_plane =
        ControlPlane::start(&Options::new(control_plane::assets().clone())).unwrap();
    let crds = given("ROP_CRDS").map_or(CRDS, |crds| usize::try_from(crds).unwrap());
    let mut counts = Counts::new();
    let mut differ = Vec::new();
    for seed in SEEDS.into_iter().chain(given("ROP_SEED")) {
        differ.extend(differences(&control_plane, seed, crds, &mut counts));
    }
    let count = differ.len();
    differ.truncate(20);
    assert!(count == 0, "{count} differ:\n{}", differ.join("\n\n"));
    let all = rules()
        .into_iter()
        .filter(|rule| rule.effect == Effect::Refused);
    for rule in all {
        let (taken, refused) = counts.get(rule.name).copied().unwrap_or_default();
        eprintln!("{}: {taken} accepted, {refused} refused", rule.name);
        assert!(
            taken >= LEAST && refused >= LEAST,
            "{}: {taken} {refused}",
            rule.name
        );
    }
}
