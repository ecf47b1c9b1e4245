use super::to_string;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

#[test]
fn keys_whose_order_has_cycles_do_no_harm() {
    let map: Map<_, _> = (0..60)
        .flat_map(|i| [format!("{i}"), format!("{i}a"), format!("{i}0")])
        .map(|key| (key, Value::Null))
        .collect();
    let text = to_string(&Value::Object(map.clone()));
    assert_eq!(text.lines().count(), map.len());
}

#[test]
fn line_separators_are_escaped() {
    assert_eq!(to_string(&json!("a\u{2028}b\u{2029}")), "\"a\\Lb\\P\"\n");
    assert_eq!(to_string(&json!("a\u{85}\u{7f}\n")), "\"a\\N\\x7F\\n\"\n");
}

#[test]
fn merge_keys_are_quoted() {
    assert_eq!(to_string(&json!({ "<<": "<<" })), "\"<<\": \"<<\"\n");
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        "[-+0-9a-fxob._:eTZ ~]{0,9}".prop_map(Value::from),
        "([a-z ]{1,8}[ \n#:'\"-]{1,2}){0,30}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z0-9./ \n]{0,9}|\\PC{0,5}", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn another_parser_reads_the_same(value in document()) {
        let text = to_string(&value);
        let read: Value = serde_saphyr::from_str(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(read, value, "{}", text);
    }
}
