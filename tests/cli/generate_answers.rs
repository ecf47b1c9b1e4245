//! What a marker on a Go type is answered with compiles, and does in the CRD what the marker does.
use crate::{
    generate_rbac::vectors,
    support::{self, CREATE, Dir, INIT},
};
use rop::generate::rbac::{DEFAULT_ROLE_NAME, Scope, role};
use serde_json::{Value, json};

const TYPES: &str = "api/v1alpha1/myapp_types.rs";
const CRD: &str = "config/crd/bases/app.example.com_myapps.yaml";

/// Markers of a field, its type in Rust, and what controller-gen puts into its schema.
#[rustfmt::skip]
fn of_fields() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    vec![
        ("validation:Minimum=1", "i32", "/minimum", json!(1)),
        ("validation:Maximum=9", "i32", "/maximum", json!(9)),
        ("validation:ExclusiveMinimum=true", "i32", "/exclusiveMinimum", json!(true)),
        ("validation:ExclusiveMaximum=true", "i32", "/exclusiveMaximum", json!(true)),
        ("validation:MultipleOf=2", "i32", "/multipleOf", json!(2)),
        ("validation:MinLength=2", "String", "/minLength", json!(2)),
        ("validation:MaxLength=5", "String", "/maxLength", json!(5)),
        ("validation:Pattern=`^\\d\"$`", "String", "/pattern", json!("^\\d\"$")),
        ("validation:Format=date", "String", "/format", json!("date")),
        ("validation:MinItems=1", "Vec<String>", "/minItems", json!(1)),
        ("validation:MaxItems=4", "Vec<String>", "/maxItems", json!(4)),
        ("validation:UniqueItems=true", "Vec<String>", "/x-kubernetes-list-type", json!("set")),
        ("validation:items:MaxLength=3", "Vec<String>", "/items/maxLength", json!(3)),
        ("validation:items:Minimum=3", "Vec<i32>", "/items/minimum", json!(3)),
        ("validation:items:Pattern=a", "Vec<String>", "/items/pattern", json!("a")),
        ("validation:MinProperties=1", "std::collections::BTreeMap<String, String>", "/minProperties", json!(1)),
        ("validation:MaxProperties=2", "std::collections::BTreeMap<String, String>", "/maxProperties", json!(2)),
        ("validation:XPreserveUnknownFields", "std::collections::BTreeMap<String, String>", "/x-kubernetes-preserve-unknown-fields", json!(true)),
        ("pruning:PreserveUnknownFields", "std::collections::BTreeMap<String, String>", "/x-kubernetes-preserve-unknown-fields", json!(true)),
        ("validation:EmbeddedResource", "Anything", "/x-kubernetes-embedded-resource", json!(true)),
        ("validation:XValidation:rule=\"self != 'a,b'\",message=no", "String", "/x-kubernetes-validations/0", json!({"rule": "self != 'a,b'", "message": "no"})),
        ("example=\"x\"", "String", "/example", json!("x")),
        ("example=3", "i32", "/example", json!(3)),
        ("example={a,b}", "Vec<String>", "/example", json!(["a", "b"])),
        ("example={a: 1, \"b c\": {x: true, y: {1.5, 2.5}}, d: \"é\\t\"}", "std::collections::BTreeMap<String, String>", "/example", json!({"a": 1, "b c": {"x": true, "y": [1.5, 2.5]}, "d": "é\t"})),
        ("title=\"A title\"", "String", "/title", json!("A title")),
        ("externalDocs:url=\"https://a.io\",description=b", "String", "/externalDocs", json!({"url": "https://a.io", "description": "b"})),
    ]
}

/// Markers of a kind, and what controller-gen puts into its CRD.
#[rustfmt::skip]
fn of_kinds() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("printcolumn:name=Foo,type=string,JSONPath=`.spec.foo`", "/additionalPrinterColumns/0", json!({"name": "Foo", "type": "string", "jsonPath": ".spec.foo"})),
        ("selectablefield:JSONPath=.spec.foo", "/selectableFields/0/jsonPath", json!(".spec.foo")),
        ("subresource:scale:specpath=.spec.f0,statuspath=.status.observedGeneration", "/subresources/scale", json!({"specReplicasPath": ".spec.f0", "statusReplicasPath": ".status.observedGeneration"})),
        ("storageversion", "/storage", json!(true)),
        ("deprecatedversion:warning=\"is old\"", "/deprecationWarning", json!("is old")),
    ]
}

/// The API server takes no other type for a whole object.
const ANYTHING: &str = r#"
/// Any object.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, schemars::JsonSchema)]
#[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
pub struct Anything {}
"#;

/// The first attribute of what each of these markers is answered with.
fn answers(dir: &Dir, markers: &[&str]) -> Vec<String> {
    let lines = markers
        .iter()
        .map(|marker| format!("// +kubebuilder:{marker}\n"));
    dir.write("src/go.rs", lines.collect::<String>());
    let told = support::line(dir, "rop generate rbac").fails(1, &[]).stderr;
    std::fs::remove_file(dir.join("src/go.rs")).unwrap();
    let answers = told.lines().filter_map(|line| line.split_once("in Rust, "));
    let attribute = |(_, answer): (&str, &str)| {
        let begin = answer.find("`#[").unwrap_or_else(|| panic!("{answer}")) + 1;
        let length = answer[begin..].find("]`").unwrap() + 1;
        answer[begin..begin + length].to_owned()
    };
    let answers: Vec<_> = answers.map(attribute).collect();
    assert_eq!(answers.len(), markers.len(), "{told}");
    answers
}

#[test]
fn answers_do_what_the_markers_do() {
    let dir = Dir::project(&[INIT, CREATE]);
    let (fields, kinds) = (of_fields(), of_kinds());
    let markers: Vec<_> = fields.iter().map(|(marker, ..)| *marker).collect();
    let attributes = answers(&dir, &markers).into_iter().zip(&fields).enumerate();
    let lines: String = attributes
        .map(|(n, (attribute, (_, kind, ..)))| {
            format!("    /// A field.\n    {attribute}\n    pub f{n}: {kind},\n")
        })
        .collect();
    let markers: Vec<_> = kinds.iter().map(|(marker, ..)| *marker).collect();
    let above = answers(&dir, &markers).join("\n");
    let types = dir.text(TYPES);
    let types = types.replacen("#[kube(\n", &format!("{above}\n#[kube(\n"), 1);
    let types = types.replacen(
        "    /// An example field",
        &format!("{lines}    /// An example field"),
        1,
    );
    dir.write(TYPES, types + ANYTHING);

    let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
    support::run(rop.args(["generate", "crds"]), &dir).ok();
    let crd: Value = serde_saphyr::from_str(dir.text(CRD).trim_start_matches("---\n")).unwrap();
    let version = &crd["spec"]["versions"][0];
    let spec = &version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"];
    for (n, (marker, _, at, wanted)) in fields.iter().enumerate() {
        let field = &spec[&format!("f{n}")];
        assert_eq!(field.pointer(at), Some(wanted), "{marker}: {field:#}");
    }
    for (marker, at, wanted) in &kinds {
        let found = version.pointer(at);
        assert_eq!(found, Some(wanted), "{marker}: {version:#}");
    }
}

/// What a value is read as; nothing if it is none.
pub fn read(marker: &str) -> Option<Value> {
    let source = format!("// {marker}");
    let error = role(
        &[("src/a.rs", source.as_str())],
        DEFAULT_ROLE_NAME,
        Scope::Cluster,
    );
    let message = error.expect_err(marker).message().to_owned();
    let line = message.lines().next().unwrap();
    let (_, literal) = line.split_once("extend(\"example\" = ").expect(&message);
    let literal = literal.strip_suffix("))]`").expect(&message);
    // Rust writes texts as JSON does, but for characters that these values do not have.
    (literal != "…").then(|| serde_json::from_str(literal).expect(&message))
}

#[test]
fn reads_values_of_any_type_as_controller_gen() {
    let (mut right, mut wrong, mut stricter) = (0, 0, 0);
    let mut differing = Vec::new();
    for (seed, vectors) in vectors("-any", 6000) {
        eprintln!("seed {seed}");
        for line in vectors.lines() {
            let one: Value = serde_json::from_str(line).expect(line);
            let marker = one["marker"].as_str().unwrap();
            // There controller-gen loses the last word of a value, or does not see a sign.
            let quirks = [" ,", " ;", " }", " :", "\t", " -2"];
            if quirks.iter().any(|quirk| marker.contains(quirk)) {
                continue;
            }
            match (read(marker), one["right"] == true) {
                (Some(ours), true) if alike(&ours) == alike(&one["value"]) => right += 1,
                (Some(ours), _) => differing.push(format!("{line}: {ours}")),
                (None, false) => wrong += 1,
                (None, true) => stricter += 1,
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    eprintln!("{right} right, {wrong} wrong, {stricter} stricter");
    assert!(right > 1500 && wrong > 500 && stricter * 20 < right);
}

/// 1.0 and 1 are one number to Go, and null is an empty list.
fn alike(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Null => json!([]),
        Value::Array(items) => items.iter().map(alike).collect(),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| (key.clone(), alike(value)));
            Value::Object(entries.collect())
        }
        value => value.clone(),
    }
}
