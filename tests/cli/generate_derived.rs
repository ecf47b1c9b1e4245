//! The lint on what kube itself derives: only what is wrong is found in it, and the API server takes
//! what is left.
use crate::{
    control_plane,
    support::{self, CREATE, Dir, INIT, Ran},
};

const TYPES: &str = "api/v1alpha1/myapp_types.rs";
const WITH: &str = include_str!("../data/generate/derived.rs");

fn generate(dir: &Dir) -> Ran {
    let mut rop = support::builder(env!("CARGO_BIN_EXE_rop"));
    rop.args(["generate", "crds", "--verify", "--assets"])
        .arg(control_plane::assets_folder());
    support::run(&mut rop, dir)
}

/// The fields of which something is said, and the rules that say it.
fn found(ran: &Ran) -> Vec<(String, String)> {
    let lines = ran
        .stderr
        .lines()
        .filter_map(|line| line.split_once("MyApp v1alpha1: "));
    let found = lines.filter_map(|(_, told)| {
        let field = told.split(' ').next()?;
        let rule = told.rsplit_once(" [")?.1.split([':', ']']).next()?;
        Some((field.to_owned(), rule.to_owned()))
    });
    found.collect()
}

#[test]
fn of_what_kube_derives_only_traps_are_found() {
    let dir = Dir::project(&[INIT, CREATE]);
    let types = dir.text(TYPES);
    let (before, after) = types.split_once("pub foo: Option<String>,\n}\n").unwrap();
    dir.write(
        TYPES,
        format!("{before}pub foo: Option<String>,\n{WITH}{after}"),
    );
    let pair = |field: &str, rule: &str| (field.to_owned(), rule.to_owned());
    let ran = generate(&dir).fails(1, &["2 errors in the CRDs of the types"]);
    assert_eq!(
        found(&ran),
        [
            pair("spec.duration.nanos", "integer-range"),
            pair("spec.u32s", "integer-range"),
            pair("spec.inner", "null-default"),
        ],
        "{}",
        ran.stderr
    );
    // With what is told for each, nothing is left, and the API server takes it.
    let types = dir.text(TYPES);
    let types = types
        .replace(
            "    pub u32s:",
            "    #[schemars(range(max = 4_294_967_295_u32))]\n    pub u32s:",
        )
        .replace(
            "    pub duration: std::time::Duration,\n",
            "    pub duration: String,\n",
        )
        .replace(
            "    pub a: Option<String>,",
            "    #[serde(skip_serializing_if = \"Option::is_none\")]\n    pub a: Option<String>,",
        );
    dir.write(TYPES, types);
    let ran = generate(&dir).ok();
    assert_eq!(found(&ran), [], "{}", ran.stderr);
}
