//! Taking an item away is the way back of adding it.
use proptest::prelude::*;
use rop::edit::{
    EditResult, Edited,
    yaml::{add_item, remove_item},
};

fn changed(result: EditResult) -> String {
    match result {
        Ok(Edited::Changed(text)) => text,
        other => panic!("not changed: {other:?}"),
    }
}

fn reason(text: &str) -> String {
    match remove_item(text, "x", "a") {
        Err(reason) => reason.to_string(),
        other => panic!("edited: {other:?}"),
    }
}

#[test]
fn the_last_item_leaves_an_empty_list() {
    for (text, new) in [
        ("x:\n- a\n", "x: []\n"),
        ("x:\n- a", "x: []"),
        ("x:\r\n- a", "x: []"),
        (
            "x: # mine\n# Above.\n  - ./a\n\ny: b\n",
            "x: [] # mine\n# Above.\n\ny: b\n",
        ),
        (
            "\u{feff}x:\r\n- \"a\"\r\ny: b\r\n",
            "\u{feff}x: []\r\ny: b\r\n",
        ),
        ("x:\n- >-\n  a\ny: b\n", "x: []\ny: b\n"),
    ] {
        assert_eq!(changed(remove_item(text, "x", "a")), new, "{text:?}");
    }
}

#[test]
fn what_is_not_there_is_no_change() {
    for text in [
        "",
        "# x\n",
        "x: []\n",
        "x:\n",
        "x: [b]\n",
        "x:\n- b\n",
        "y:\n- a\n",
    ] {
        assert_eq!(
            remove_item(text, "x", "a"),
            Ok(Edited::AlreadyThere),
            "{text:?}"
        );
    }
}

#[test]
fn what_cannot_be_placed_is_told() {
    for (text, told) in [
        ("x: [a]\n", "is not a list with one"),
        ("x: a\n", "is not a list"),
        ("x:\n- a # mine\n", "has a comment on its line"),
        ("x:\n- a\nx:\n- a\n", "is not one YAML document"),
        ("x: &l\n- a\ny: *l\n", "is not a list with one"),
    ] {
        assert!(reason(text).contains(told), "{text:?}: {}", reason(text));
    }
}

/// Lines of a list, with comments and gaps in between.
fn items() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        4 => "- [b-z]{1,3}\\.yaml",
        1 => Just("# mine".to_owned()),
        1 => Just(String::new()),
    ];
    prop::collection::vec(line, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_and_removing_brings_back_each_byte(
        items in items(),
        indent in 0..3_usize,
        above in prop_oneof![Just(""), Just("# Above.\n"), Just("y: z\n\n")],
        below in prop_oneof![Just(""), Just("z: []\n"), Just("\n# Below.\nz:\n- a\n")],
        crlf: bool,
        last_line_ends: bool,
        item in "\\.\\./[a-z]{1,3}",
    ) {
        let is_empty = !items.iter().any(|line| line.starts_with('-'));
        let lines: String = items.iter().map(|line| match line.is_empty() {
            true => "\n".into(),
            false => format!("{:indent$}{line}\n", ""),
        }).collect();
        let key = if is_empty { "x: []" } else { "x:" };
        let mut text = format!("{above}{key}\n{lines}{below}");
        if !last_line_ends {
            text.truncate(text.trim_end().len());
        }
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let more = changed(add_item(&text, "x", &item, None));
        prop_assert_eq!(changed(remove_item(&more, "x", &item)), text.clone());
        prop_assert_eq!(remove_item(&text, "x", &item), Ok(Edited::AlreadyThere));
    }
}
