//! The serializer against `sigs.k8s.io/yaml` itself; `tests/go/yaml` makes the vectors, and those of
//! `yaml.jsonl` again with `jq -c .json yaml.jsonl | go run .`.
use rop::generate::yaml;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Vector {
    json: Value,
    yaml: String,
}

fn check(vectors: &str) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in vectors.lines() {
        let Vector { json, yaml } = serde_json::from_str(line).expect(line);
        let ours = yaml::to_string(&json);
        if ours != yaml {
            wrong.push(format!("of {json}\nours: {ours:?}\nGo's: {yaml:?}"));
        }
        count += 1;
    }
    assert!(count > 100, "only {count} vectors");
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ, such as\n{shown}",
        wrong.len()
    );
}

#[test]
fn equals_go() {
    check(include_str!("../data/generate/yaml.jsonl"));
}

/// `(cd tests/go/yaml && go run . -random 20000) >FILE`, then this with `ROP_VECTORS=FILE`.
#[test]
#[ignore = "needs a file made by tests/go/yaml"]
fn equals_go_on_random_documents() {
    let path = std::env::var("ROP_VECTORS").expect("ROP_VECTORS is set");
    check(&std::fs::read_to_string(path).expect("readable"));
}
