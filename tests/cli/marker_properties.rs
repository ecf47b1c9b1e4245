//! What holds for all markers and sources; `PROPTEST_CASES` sets how many are tried.
use crate::generate_answers::read;
use proptest::{
    collection::{btree_map, btree_set, vec},
    prelude::*,
    sample::select,
};
use rop::generate::rbac::{DEFAULT_ROLE_NAME, Generated, Scope, role};
use serde_json::Value;
use std::collections::BTreeSet;

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn generate(source: &str) -> rop::error::Result<Generated> {
    role(&[("src/a.rs", source)], DEFAULT_ROLE_NAME, Scope::Cluster)
}

/// One thing that may be done: verb, group, resource, and the name of an object if it is one.
type Right = [String; 4];

/// The lists of a marker.
#[derive(Clone, Debug)]
struct Rule {
    groups: BTreeSet<String>,
    resources: BTreeSet<String>,
    names: BTreeSet<String>,
    verbs: BTreeSet<String>,
}

fn rule() -> impl Strategy<Value = Rule> {
    let groups = btree_set(select(&["core", "apps", "a.b", "x.y.z"][..]), 1..3);
    let resources = btree_set(select(&["pods", "pods/status", "nodes", "as"][..]), 1..4);
    let names = btree_set(select(&["one", "two"][..]), 0..2);
    let verbs = btree_set(select(&["get", "list", "watch", "patch"][..]), 1..4);
    let owned = |set: BTreeSet<&str>| set.into_iter().map(str::to_owned).collect();
    (groups, resources, names, verbs).prop_map(move |(groups, resources, names, verbs)| Rule {
        groups: owned(groups),
        resources: owned(resources),
        names: owned(names),
        verbs: owned(verbs),
    })
}

impl Rule {
    fn rights(&self) -> Vec<Right> {
        let names = match self.names.is_empty() {
            true => BTreeSet::from([String::new()]),
            false => self.names.clone(),
        };
        let mut rights = Vec::new();
        for verb in &self.verbs {
            for group in &self.groups {
                for resource in &self.resources {
                    let right = |name: &String| [verb, group, resource, name].map(String::clone);
                    rights.extend(names.iter().map(right));
                }
            }
        }
        rights
    }

    /// The marker; `order` turns lists and arguments around, `quotes` puts them in quotes.
    fn marker(&self, order: bool, quotes: bool) -> String {
        let list = |values: &BTreeSet<String>| {
            let mut values: Vec<_> = values.iter().map(String::as_str).collect();
            if order {
                values.reverse();
            }
            let separator = if quotes { "," } else { ";" };
            let text = values.join(separator);
            match quotes {
                true => format!("{{\"{}\"}}", values.join("\",\"")),
                false => text,
            }
        };
        let lists = [
            ("groups", &self.groups),
            ("resources", &self.resources),
            ("resourceNames", &self.names),
            ("verbs", &self.verbs),
        ];
        let given = lists.into_iter().filter(|(_, values)| !values.is_empty());
        let mut arguments: Vec<_> = given.map(|(n, v)| format!("{n}={}", list(v))).collect();
        if order {
            arguments.reverse();
        }
        format!("+kubebuilder:rbac:{}", arguments.join(","))
    }
}

/// What a role allows, as its text says.
fn allowed(role: &str) -> BTreeSet<Right> {
    let role: Value = serde_saphyr::from_str(role.trim_start_matches("---\n")).expect("YAML");
    let texts = |rule: &Value, list: &str| -> BTreeSet<String> {
        let values = rule[list].as_array().into_iter().flatten();
        values.map(|v| v.as_str().expect("a text").into()).collect()
    };
    let rules = role["rules"].as_array().into_iter().flatten();
    let rules = rules.map(|rule| Rule {
        groups: texts(rule, "apiGroups"),
        resources: texts(rule, "resources"),
        names: texts(rule, "resourceNames"),
        verbs: texts(rule, "verbs"),
    });
    rules.flat_map(|rule| rule.rights()).collect()
}

/// Values of any type; the items of a list are of one.
fn value() -> impl Strategy<Value = Value> {
    let text = "[a-z ,;:{}`\"/]{0,6}".prop_map(Value::from);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<u32>().prop_map(Value::from),
        text.clone()
    ];
    leaf.prop_recursive(4, 20, 4, move |inside| {
        let texts = vec(text.clone(), 1..4).prop_map(Value::from);
        let map = btree_map("[a-z :,]{1,4}", inside, 0..4);
        let map = map.prop_map(|map| Value::Object(map.into_iter().collect()));
        let maps = vec(map.clone(), 1..3).prop_map(Value::from);
        prop_oneof![texts, map, maps]
    })
}

/// A value as a marker has it.
fn written(value: &Value, blank: &str) -> String {
    let list = |items: Vec<String>| format!("{{{}}}", items.join(&format!(",{blank}")));
    match value {
        Value::Array(items) => list(items.iter().map(|item| written(item, blank)).collect()),
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| {
                format!(
                    "{}:{blank}{}",
                    Value::from(key.as_str()),
                    written(value, blank)
                )
            };
            list(map.iter().map(entry).collect())
        }
        value => value.to_string(),
    }
}

/// Where a marker may stand: `@` is its comment.
const PLACES: [&str; 9] = [
    "@\n",
    "@\nfn f() {}\n",
    "fn f() {\n    @\n    g(1, @\n    2);\n}\n",
    "/// Docs.\n/@\nstruct A;\n",
    "use a::b; // text +kubebuilder:rbac:x\n",
    "mod a {\r\n    @\r\n    impl A { fn f() { @\r\n } }\r\n}\r\n",
    "const A: &str = \"// +kubebuilder:rbac:x\"; @\n",
    "/* +kubebuilder:rbac:x */ @\n",
    "fn f() { let _ = ('\"', r#\"// \"#, b'\\'', 'a: loop { break 'a; }); } @\n",
];

proptest! {
    #![proptest_config(config())]

    /// Wherever markers stand and however they are written, the role allows what they say and
    /// nothing else, and its text is the same.
    #[test]
    fn roles_allow_what_markers_say(
        rules in vec((rule(), any::<(bool, bool)>(), select(&PLACES[..])), 0..7),
        (turned, slashes) in any::<(bool, bool)>(),
    ) {
        let source = |rules: &[(Rule, (bool, bool), &str)]| -> String {
            let one = |(rule, (order, quotes), place): &(Rule, (bool, bool), &str)| {
                let blank = if slashes { "" } else { " " };
                place.replace('@', &format!("//{blank}{}", rule.marker(*order, *quotes)))
            };
            rules.iter().map(one).collect()
        };
        let stands = |place: &str| place.contains('@');
        let wanted = rules.iter().filter(|(_, _, place)| stands(place));
        let named = |mut right: Right| {
            if right[1] == "core" {
                right[1].clear();
            }
            right
        };
        let wanted = wanted.flat_map(|(rule, _, _)| rule.rights()).map(named);
        let wanted: BTreeSet<_> = wanted.collect();
        let text = source(&rules);
        let made = generate(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(allowed(&made.text), wanted, "{}\n{}", text, made.text);
        let mut other = rules;
        other.reverse();
        if turned {
            other.iter_mut().for_each(|(_, (order, quotes), place)| {
                (*order, *quotes) = (!*order, !*quotes);
                *place = if stands(place) { PLACES[0] } else { place };
            });
        }
        let other = generate(&source(&other)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(other.text, made.text, "of {}", text);
    }

    /// Lists and maps of any depth are read as they were written.
    #[test]
    fn values_are_read_as_written(value in value(), blanks in any::<bool>()) {
        let text = written(&value, if blanks { " " } else { "" });
        prop_assert_eq!(read(&format!("+kubebuilder:example={text}")), Some(value), "{}", text);
    }

    /// Whatever the source is, it is read or refused, at a place that it has.
    #[test]
    fn any_text(text in "(// ?|/// |//! ?|/\\*|\\*/|[+]kubebuilder:|rbac:|verbs=|groups=|resources=|namespace=|webhook:|get|pods|;|,|#\\[cfg\\(test\\)\\]|mod a|fn f\\(\\)|\\PC|[{}()\\[\\]\"'`;,=\\\\\n\r#r!*/\u{feff} ]){0,40}") {
        let told = match generate(&text) {
            Ok(made) => made.warnings,
            Err(error) => {
                prop_assert_eq!(error.exit_code(), 1);
                error.message().lines().map(str::to_owned).collect()
            }
        };
        for line in told.iter().filter(|line| line.starts_with("src/a.rs:")) {
            let places: Vec<_> = line.splitn(4, ':').skip(1).map(str::parse::<usize>).collect();
            let (Ok(row), Ok(column)) = (places[0].clone(), places[1].clone()) else {
                return Err(TestCaseError::fail(format!("no place in {line}")));
            };
            let lines = text.split('\n').count();
            prop_assert!((1..=lines).contains(&row), "{} in {:?}", line, text);
            let length = text.split('\n').nth(row - 1).expect("it has it").chars().count();
            prop_assert!((1..=length + 1).contains(&column), "{} in {:?}", line, text);
        }
    }
}
