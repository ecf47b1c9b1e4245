//! What a change of CRDs breaks: objects that were accepted before and are not, or lose fields, and
//! clients that find no longer what they asked for.
mod bounds;
mod schema;

use serde_json::Value;
use std::collections::BTreeMap;

/// Something that a change breaks, or may break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// It breaks something for certain; otherwise it may.
    pub breaking: bool,
    /// The name of the CRD.
    pub crd: String,
    /// The version, where it is of one.
    pub version: Option<String>,
    /// The field, such as `.spec.size`, where it is of one.
    pub field: Option<String>,
    /// What is different.
    pub message: String,
}

/// What breaks where the first CRDs are replaced by the second, in the order of the first.
pub fn compare(before: &[Value], after: &[Value]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for old in before {
        let name = &old["metadata"]["name"];
        let mut told = Told::default();
        match after.iter().find(|new| new["metadata"]["name"] == *name) {
            Some(new) => crd(old, new, &mut told),
            None => told.breaks("it is gone, and its objects with it".into()),
        }
        let crd = name.as_str().unwrap_or_default();
        findings.extend(told.0.into_iter().map(|finding| Finding {
            crd: crd.to_owned(),
            ..finding
        }));
    }
    findings
}

/// What was found, and nobody has said of which CRD yet.
#[derive(Default)]
struct Told(Vec<Finding>);

impl Told {
    fn breaks(&mut self, message: String) {
        self.tell(true, None, message);
    }

    fn may_break(&mut self, message: String) {
        self.tell(false, None, message);
    }

    fn tell(&mut self, breaking: bool, field: Option<&str>, message: String) {
        self.0.push(Finding {
            breaking,
            crd: String::new(),
            version: None,
            field: field.map(str::to_owned),
            message,
        });
    }
}

fn crd(old: &Value, new: &Value, told: &mut Told) {
    let text = |crd: &Value, at: &str| crd.pointer(at).and_then(Value::as_str).map(str::to_owned);
    for (what, at) in [("scope", "/spec/scope"), ("kind", "/spec/names/kind")] {
        if let (Some(old), Some(new)) = (text(old, at), text(new, at))
            && old != new
        {
            told.breaks(format!("its {what} was `{old}` and is `{new}`"));
        }
    }
    let aliases = |crd: &Value| -> Vec<String> {
        let names = &crd["spec"]["names"];
        let short = names["shortNames"].as_array().into_iter().flatten();
        let all = short.chain([&names["singular"]]);
        all.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let left = aliases(new);
    for name in aliases(old).iter().filter(|name| !left.contains(name)) {
        told.may_break(format!("kubectl does not know it as `{name}` any more"));
    }
    let (before, after) = (versions(old), versions(new));
    for (name, old) in before {
        let mut of_version = Told::default();
        version(name, old, after.get(name).copied(), &mut of_version);
        told.0
            .extend(of_version.0.into_iter().map(|finding| Finding {
                version: Some(name.to_owned()),
                ..finding
            }));
    }
}

fn versions(crd: &Value) -> BTreeMap<&str, &Value> {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    let named = versions.map(|version| (version["name"].as_str().unwrap_or_default(), version));
    named.collect()
}

fn version(name: &str, old: &Value, new: Option<&Value>, told: &mut Told) {
    let served = old["served"] == true;
    let Some(new) = new else {
        let stored = format!(
            "the API server refuses that while {name} is in the CRD's status.storedVersions"
        );
        return match (served, old["storage"] == true) {
            (_, true) => told.breaks(format!(
                "the version is gone, in which objects are stored: {stored}"
            )),
            (true, _) => told.breaks("the version is gone, and was served".into()),
            _ => told.may_break(format!("the version is gone: {stored}")),
        };
    };
    if served && new["served"] != true {
        told.breaks("the version is not served any more".into());
    }
    let has = |version: &Value, part: &str| !version["subresources"][part].is_null();
    for part in ["status", "scale"] {
        match (has(old, part), has(new, part)) {
            (true, false) => told.breaks(format!("the subresource `{part}` is gone")),
            (false, true) if part == "status" => told.may_break(
                "the subresource `status` is new: what writes `.status` with the object is ignored"
                    .into(),
            ),
            _ => {}
        }
    }
    let paths = |version: &Value| -> Vec<String> {
        let fields = version["selectableFields"].as_array().into_iter().flatten();
        let paths = fields.filter_map(|field| field["jsonPath"].as_str());
        paths.map(str::to_owned).collect()
    };
    let left = paths(new);
    for path in paths(old).iter().filter(|path| !left.contains(path)) {
        told.breaks(format!("objects cannot be selected by `{path}` any more"));
    }
    let [old, new] = [old, new].map(|version| &version["schema"]["openAPIV3Schema"]);
    schema::compare(old, new, "", true, told);
}
