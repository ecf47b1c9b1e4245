//! Enums of every shape at every place: kube derives a CRD that the API server takes, or rop says
//! which enum and field it is, and what helps.
use crate::{
    cluster,
    damage::State,
    support::{self, CREATE, Dir, INIT},
};
use rop::{envtest::ApplyOptions, generate::shapes::explain};
use serde_json::Value;
use std::fmt::Write as _;

/// A shape: name, attribute, variants, and what helps where kube panics.
type Shape = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
);

#[rustfmt::skip]
const SHAPES: [Shape; 18] = [
    ("Unit", "", "One, Two", None),
    ("Documented", "", "/// First.\nOne,\n/// Second.\nTwo", None),
    ("Data", "", "One(String), Two { a: i32 }", None),
    ("Mixed", "", "One, Two(String)", Some("give each variant without data braces, `One {}`")),
    ("Last", "", "Two { a: i32 }, One", Some("give each variant without data braces, `One {}`")),
    ("Tagged", "#[serde(tag = \"type\")]", "One { a: String }, Two { b: i32 }", Some("leave `tag = \"type\"` out of `#[serde(…)]`")),
    ("Beside", "#[serde(tag = \"kind\")]", "One, Two { b: i32 }", Some("and give `One` braces: `One {}`")),
    ("Alone", "#[serde(tag = \"type\")]", "One { a: String }", None),
    ("Adjacent", "#[serde(tag = \"t\", content = \"c\")]", "One(String), Two(bool)", Some("leave `tag = \"t\"` and `content = \"c\"` out")),
    ("Similar", "#[serde(tag = \"t\", content = \"v\")]", "One(String), Two(String)", Some("leave `tag = \"t\"` and `content = \"v\"` out")),
    ("Untagged", "#[serde(untagged)]", "One { a: String }, Two { b: i32 }", None),
    ("Same", "#[serde(untagged)]", "One { a: String, b: i32 }, Two { a: String }", None),
    ("Differing", "#[serde(untagged)]", "One { x: String }, Two { x: i32 }", Some("give `x` the same type and documentation in all variants")),
    ("Wrapping", "#[serde(untagged)]", "One(Wrapped), Two { y: i32 }", Some("give `y` the same type and documentation in all variants")),
    ("Docs", "#[serde(untagged)]", "One {\n/// First.\nz: i32 }, Two {\n/// Second.\nz: i32 }", Some("give `z` the same type and documentation in all variants")),
    // What helps, does.
    ("Braces", "", "One {}, Two(String)", None),
    ("External", "", "One { a: String }, Two { b: i32 }, Three {}", None),
    ("Alike", "#[serde(untagged)]", "One { x: String }, Two { x: String, y: bool }", None),
];

/// A place: its name, the type of the field, and where that is.
const PLACES: [(&str, &str, &str); 6] = [
    ("Field", "{}", "spec.aField"),
    ("Option", "Option<{}>", "spec.aField"),
    ("Vec", "Vec<{}>", "spec.aField"),
    (
        "Map",
        "std::collections::BTreeMap<String, {}>",
        "spec.aField",
    ),
    ("Nested", "Vec<Around{}>", "spec.aField.inner"),
    ("Status", "", "status.aField"),
];

const DERIVE: &str = "#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]\n";

/// The source with all shapes at all places, and the kinds in it.
fn source() -> (String, Vec<(String, String)>) {
    let mut kinds = Vec::new();
    let mut text = "//! Shapes.\n#![allow(missing_docs)]\nuse kube::{CustomResource, CustomResourceExt};\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n".to_owned();
    let structure = |name: &str, field: &str| {
        format!("#[serde(rename_all = \"camelCase\")]\npub struct {name} {{ {field} }}\n")
    };
    write!(text, "{DERIVE}{}", structure("Wrapped", "pub y: String")).unwrap();
    for (shape, attribute, variants, _) in SHAPES {
        writeln!(
            text,
            "{DERIVE}{attribute}\npub enum {shape} {{ {variants} }}"
        )
        .unwrap();
        let around = structure(&format!("Around{shape}"), &format!("pub inner: {shape}"));
        write!(text, "{DERIVE}{around}").unwrap();
        for (place, of, _) in PLACES {
            let kind = format!("{shape}{place}");
            let field = format!("pub a_field: {}", of.replace("{}", shape));
            let (spec, status) = match place {
                "Status" => ("", format!(", status = \"{kind}Status\"")),
                _ => (&*field, String::new()),
            };
            if !status.is_empty() {
                let field = format!("pub a_field: {shape}");
                write!(
                    text,
                    "{DERIVE}{}",
                    structure(&format!("{kind}Status"), &field)
                )
                .unwrap();
            }
            let kube = format!(
                "#[kube(group = \"app.example.com\", version = \"v1\", kind = \"{kind}\", namespaced{status})]\n"
            );
            let spec = structure(&format!("{kind}Spec"), spec);
            write!(text, "#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]\n{kube}{spec}").unwrap();
            kinds.push((shape.to_owned(), kind));
        }
    }
    (text, kinds)
}

/// A project whose `crdgen` prints the kinds that an environment variable names.
fn project() -> Dir {
    let dir = Dir::project(&[INIT, CREATE]);
    let (text, kinds) = source();
    let arms = kinds
        .iter()
        .map(|(_, kind)| format!("\"{kind}\" => Some({kind}::crd()),\n"));
    let one = format!(
        "/// One.\npub fn one(kind: &str) -> Option<k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition> {{ match kind {{ {}_ => None }} }}\n",
        arms.collect::<String>()
    );
    dir.write("api/shapes.rs", text + &one);
    let lib = dir.text("api/lib.rs");
    dir.write(
        "api/lib.rs",
        lib.replacen("\npub use", "\npub mod shapes;\npub use", 1),
    );
    let main = "fn main() -> serde_json::Result<()> {
    let kinds = std::env::var(\"KINDS\").unwrap_or_default();
    let mut crds = myapp_operator_api::crds();
    crds.extend(kinds.split(',').filter_map(myapp_operator_api::shapes::one));
    serde_json::to_writer(std::io::stdout().lock(), &crds)
}\n";
    dir.write("api/crdgen.rs", main);
    dir
}

#[test]
fn every_shape_at_every_place() {
    let dir = project();
    let generate = |kinds: &str| {
        let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
        support::run(rop.args(["generate", "crds"]).env("KINDS", kinds), &dir)
    };
    let remedy = |shape: &str| SHAPES.iter().find(|(name, ..)| *name == shape).unwrap().3;
    let (_, kinds) = source();
    let fine = kinds.iter().filter(|(shape, _)| remedy(shape).is_none());
    let fine: Vec<_> = fine.map(|(_, kind)| &**kind).collect();
    generate(&fine.join(",")).ok();
    let files = support::tree(&dir.join("config/crd/bases"));
    assert_eq!(files.len(), fine.len() + 1);
    let crds = files.into_values().map(|text| {
        let text = String::from_utf8(text).unwrap();
        serde_saphyr::from_str::<Value>(text.trim_start_matches("---\n")).unwrap()
    });
    let crds: Vec<_> = crds.collect();
    let control_plane = cluster::audited();
    control_plane.apply(&crds, ApplyOptions::default()).unwrap();

    let before = State::of(&dir.join("config"));
    let mut panics = 0;
    for (shape, kind) in &kinds {
        let Some(remedy) = remedy(shape) else {
            continue;
        };
        let place = PLACES
            .iter()
            .find(|(place, ..)| *kind == format!("{shape}{place}"));
        let at = format!("in `{}` of {kind},", place.unwrap().2);
        let told = [
            "error: api/shapes.rs:",
            &format!("the enum `{shape}`, "),
            &at,
            remedy,
        ];
        let ran = generate(kind).fails(1, &told);
        assert!(!ran.stderr.contains("SchemaObject"), "{ran:#?}");
        before.assert_untouched(&dir.join("config"), kind);
        panics += 1;
    }
    assert_eq!(panics, 9 * PLACES.len());
}

const MIXED: &str = "thread 'main' panicked at x.rs:1:1:\nEnum variant set [String(\"one\")] has type Single(String) but was already defined as Some(Single(Object)). The instance type must be equal for all subschema variants.\n";

fn property(name: &str) -> String {
    format!(
        "Property \"{name}\" has the schema Object(…) but was already defined as Object(…) in another subschema. The schemas for a property used in multiple subschemas must be identical"
    )
}

fn told(panic: &str, source: &str) -> Vec<String> {
    let error = explain(panic, [("a.rs", source)]).unwrap();
    let mut told = vec![error.message()];
    told.extend(error.hints().to_vec());
    told
}

/// The enum of which the panic shows a variant, and no other.
#[test]
fn the_enum_is_found_by_what_the_panic_shows() {
    let source = "
#[derive(CustomResource)]
#[kube(group = \"a\", version = \"v1\", kind = \"MyApp\", printcolumn(name = \"A\", type_ = \"string\", json_path = \".a\"), status = \"Status\")]
struct Spec { r#type: Other, #[serde(rename = \"level\")] a: Option<Box<inner::Mode>> }
struct Status { again: Again }
struct Again { again: Vec<Again>, #[serde(flatten)] flat: Flat }
struct Flat { pairs: [(String, Mode); 2] }
mod inner {
    // äöü
    #[serde(rename_all = \"camelCase\")]
    /* ü */ pub enum Mode { One, Two(String) }
}
enum Other { Three, Four(String) }
enum Unused { One, Two(String) }
";
    let told = told(MIXED, source);
    let message = "a.rs:11:22: the enum `Mode`, in `spec.level` of MyApp, in `status.again.pairs` of MyApp, has no structural schema, as CRDs need it: `One` without data stands beside variants with data\n    |     /* ü */ pub enum Mode { One, Two(String) }\n    |                      ^^^^";
    assert_eq!(told[0], message);
    assert_eq!(told.len(), 2);
}

#[test]
fn flattened_enums() {
    let source = "
#[kube(kind = \"MyApp\")]
struct Spec { a: bool, #[serde(flatten)] mode: Mode }
#[serde(untagged)]
enum Mode { One { a: String }, Two { b: i32 } }
";
    let told = told(&property("a"), source);
    assert!(
        told[0].contains("the enum `Mode`, in `spec` of MyApp, has"),
        "{told:?}"
    );
    assert!(told[0].contains("it is flattened into `Spec`, which has another `a`"));
    assert!(told[1].contains("give `a` another name in one of the two"));
}

#[test]
fn what_is_not_in_the_sources() {
    for source in ["", "fn f( {", "enum Mode { One, Two(String) }"] {
        let told = told(MIXED, source);
        assert!(told[0].starts_with("an enum in the custom resources has no structural schema"));
        assert!(told[1].contains("schema_with"));
    }
    let told = told(&property("a"), "");
    assert!(told[0].contains("its variants have a property `a` of different schemas"));
    for other in [
        "",
        "thread 'main' panicked at a.rs:1:1:\nProperty \"x",
        "Enum variant set",
    ] {
        assert!(explain(other, [("a.rs", "")]).is_none(), "{other}");
    }
}
