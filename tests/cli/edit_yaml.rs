//! Shapes of kustomizations; sections and lines are the reference's.
use rop::edit::yaml::add_item;
use rop::edit::{EditResult, Edited};

const USERS: &str = "# For the users of the custom resources; the manager does not need them.";

fn changed(result: EditResult) -> String {
    match result {
        Ok(Edited::Changed(text)) => text,
        other => panic!("not changed: {other:?}"),
    }
}

fn reason(text: &str) -> String {
    match add_item(text, "resources", "new.yaml", None) {
        Err(reason) => reason.to_string(),
        other => panic!("edited: {other:?}"),
    }
}

fn add(text: &str, item: &str, comment: Option<&str>) -> String {
    let new = changed(add_item(text, "resources", item, comment));
    let again = add_item(&new, "resources", item, comment);
    assert_eq!(again, Ok(Edited::AlreadyThere), "{new}");
    new
}

fn plain(text: &str, item: &str) -> String {
    add(text, item, None)
}

#[test]
fn nothing_yet() {
    for (text, new) in [
        ("resources: []\n", "resources:\n- a\n"),
        ("resources: []", "resources:\n- a"),
        ("resources:\n", "resources:\n- a\n"),
        ("resources:", "resources:\n- a"),
        ("resources: null\n", "resources:\n- a\n"),
        (
            "resources: ~ # none\nx: y\n",
            "resources: # none\n- a\nx: y\n",
        ),
        ("resources: [] # none\n", "resources: # none\n- a\n"),
        (
            "resources: # none\n\nx: y\n",
            "resources: # none\n- a\n\nx: y\n",
        ),
        ("x: y\n", "x: y\nresources:\n- a\n"),
        ("x: y", "x: y\nresources:\n- a"),
        ("", "resources:\n- a\n"),
        ("# Mine.\n", "# Mine.\nresources:\n- a\n"),
        ("---\n", "---\nresources:\n- a\n"),
        (
            "x:\n- y\nresources: []\nz: []\n",
            "x:\n- y\nresources:\n- a\nz: []\n",
        ),
    ] {
        assert_eq!(plain(text, "a"), new, "{text}");
    }
    let new = add("resources: []\n", "a", Some(USERS));
    assert_eq!(new, format!("resources:\n{USERS}\n- a\n"));
    let new = add("x: y\n", "a", Some(USERS));
    assert_eq!(new, format!("x: y\nresources:\n{USERS}\n- a\n"));
}

#[test]
fn sorted_by_bytes_or_at_the_end() {
    let text = "resources:\n- a_b.yaml\n- c.yaml\n";
    assert_eq!(
        plain(text, "a.yaml"),
        text.replace("- a_b", "- a.yaml\n- a_b")
    );
    assert_eq!(plain(text, "b.yaml"), text.replace("- c", "- b.yaml\n- c"));
    assert_eq!(plain(text, "d.yaml"), format!("{text}- d.yaml\n"));
    assert_eq!(
        plain("resources:\n- c\n- b\n", "a"),
        "resources:\n- c\n- b\n- a\n"
    );
}

#[test]
fn the_role_files_have_a_section_of_their_own() {
    let manager =
        "resources:\n# The manager.\n- leader_election_role.yaml\n- service_account.yaml\n";
    let mut text = String::from(manager);
    for item in [
        "other_viewer_role.yaml",
        "myapp_admin_role.yaml",
        "other_admin_role.yaml",
        "a.yaml",
    ] {
        text = add(&text, item, Some(USERS));
    }
    let roles =
        "- a.yaml\n- myapp_admin_role.yaml\n- other_admin_role.yaml\n- other_viewer_role.yaml\n";
    assert_eq!(text, format!("{manager}{USERS}\n{roles}"));

    // The comment has lost its items, or others follow.
    let text = format!("{manager}{USERS}\nx: y\n");
    assert_eq!(
        add(&text, "b.yaml", Some(USERS)),
        text.replace("x:", "- b.yaml\nx:")
    );
    let text = format!("resources:\n{USERS}\n\n# Mine.\n- a.yaml\n");
    assert_eq!(
        add(&text, "b.yaml", Some(USERS)),
        format!("resources:\n{USERS}\n- b.yaml\n\n# Mine.\n- a.yaml\n")
    );
    let text = format!("resources:\n{USERS}\n- c.yaml\n# Mine.\n- a.yaml\n");
    assert_eq!(
        add(&text, "d.yaml", Some(USERS)),
        text.replace("# Mine", "- d.yaml\n# Mine")
    );
    // The same words elsewhere are no section.
    let text = format!("{USERS}\nresources:\n- a.yaml\nx:\n{USERS}\n- y\n");
    assert_eq!(
        add(&text, "b.yaml", Some(USERS)),
        text.replace("x:", &format!("{USERS}\n- b.yaml\nx:"))
    );
}

#[test]
fn comments_indentation_and_line_ends_survive() {
    let text = "# top\nresources: # list\n  # first\n  - b # b\n\n  # second\n  - d\n  # end\n\n# x\nx:\n  - a\n";
    assert_eq!(plain(text, "c"), text.replace("# b\n", "# b\n  - c\n"));
    assert_eq!(plain(text, "e"), text.replace("- d\n", "- d\n  - e\n"));
    assert_eq!(plain(text, "a"), text.replace("- b", "- a\n  - b"));
    let dos = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(plain(&dos(text), "c"), dos(&plain(text, "c")));
    assert_eq!(
        plain(&dos("resources: []\n"), "c"),
        dos("resources:\n- c\n")
    );
    assert_eq!(
        add(&dos("resources: []\n"), "c", Some(USERS)),
        dos(&format!("resources:\n{USERS}\n- c\n"))
    );
    assert_eq!(plain("resources:\n- a", "b"), "resources:\n- a\n- b");
    assert_eq!(plain("resources:\n- b", "a"), "resources:\n- a\n- b");
}

#[test]
fn items_of_several_lines() {
    let text = "resources:\n- path: b\n  target:\n    - x\n\n    # deep\n    - y\n- |\n  # text\n\n  more\nx: y\n";
    assert_eq!(plain(text, "zz"), text.replace("more\n", "more\n- zz\n"));
}

#[test]
fn there_already_however_it_is_written() {
    for item in [
        "a.yaml",
        "\"a.yaml\"",
        "'a.yaml'",
        "./a.yaml",
        "a.yaml # a",
        "&x a.yaml",
        "!!str a.yaml",
    ] {
        let there = add_item(
            &format!("resources:\n- {item}\n"),
            "resources",
            "a.yaml",
            None,
        );
        assert_eq!(there, Ok(Edited::AlreadyThere), "{item}");
    }
    let there = add_item("resources: [b, a.yaml]", "resources", "a.yaml", None);
    assert_eq!(there, Ok(Edited::AlreadyThere));
    for text in [
        "resources:\n- aa.yaml\n",
        "resources:\n- x/a.yaml\n",
        "resources:\n# - a.yaml\n",
        "x:\n- a.yaml\n",
        "resources: []\nx: |\n  resources:\n  - a.yaml\n",
    ] {
        plain(text, "a.yaml");
    }
}

/// A `- item` pasted under one of these would be no YAML.
#[test]
fn lists_in_brackets() {
    for (text, new) in [
        ("resources: [a, b]\n", "resources: [a, b, c]\n"),
        (
            "resources: [b,] # d ]\nx: []\n",
            "resources: [b, c] # d ]\nx: []\n",
        ),
        ("x: []\nresources: [ a ]", "x: []\nresources: [ a, c ]"),
        (
            "resources: ['a]', \"]\"]\n",
            "resources: ['a]', \"]\", \"c\"]\n",
        ),
        ("resources: [\n]\n", "resources: [\n  c\n]\n"),
        ("resources:\n\n  [a]\n", "resources:\n\n  [a, c]\n"),
        (
            "resources: [\n  a,\n  b,\n]\n",
            "resources: [\n  a,\n  b,\n  c,\n]\n",
        ),
        (
            "resources: [\r\n  a\r\n]\r\n",
            "resources: [\r\n  a,\r\n  c\r\n]\r\n",
        ),
        (
            "resources: [a, # ]\n  b]\n",
            "resources: [a, # ]\n  b, c]\n",
        ),
        ("{resources: []}\n", "{resources: [c]}\n"),
        (
            "{\n  \"resources\": [\n    \"a\"\n  ],\n  \"x\": []\n}\n",
            "{\n  \"resources\": [\n    \"a\",\n    \"c\"\n  ],\n  \"x\": []\n}\n",
        ),
    ] {
        assert_eq!(plain(text, "c"), new, "{text}");
        assert_eq!(add(text, "c", Some(USERS)), new, "{text}");
    }
}

#[test]
fn what_cannot_be_edited() {
    let shape = "`resources` is not a list with one `- item` a line";
    for text in [
        "resources: &x\n- a\n",
        "x: &x\n- a\nresources: *x\n",
        "\"resources\":\n- a\n",
        "x: &x [a]\nresources: *x\n",
        "x: &x\n  resources: []\n<<: *x\n",
        "resources: !!seq\n- a\n",
        "resources: [a # b]\n  ]\n",
    ] {
        assert_eq!(reason(text), shape, "{text}");
    }
    for text in [
        "resources: a\n",
        "resources: {}\n",
        "resources:\n  a: b\n",
        "resources: |\n  - a\n",
        "resources: ''\n",
    ] {
        assert_eq!(reason(text), "`resources` is not a list", "{text}");
    }
    for text in ["- a\n", "a\n", "3\n"] {
        assert_eq!(reason(text), "it is not a YAML map", "{text}");
    }
    for (text, told) in [
        (
            "a: b\n---\nresources: []\n",
            "line 3, column 1: a second YAML document begins",
        ),
        (
            "resources: []\nresources: []\n",
            "line 2, column 1: `resources` is there twice",
        ),
        ("resources: [\n", "line 1, column 12: unclosed bracket '['"),
        (
            "resources:\n- a\n - b\n- \"c\n",
            "line 4, column 3: unclosed quote",
        ),
        (
            "a: *b\n",
            "line 1, column 4: an alias names an anchor that is not there",
        ),
        (
            "a: &b [*b]\n",
            "line 1, column 8: an alias is part of itself",
        ),
        (
            "a: b: c\n",
            "line 1, column 5: there is a `:` where no key can be",
        ),
        (
            "resources:\n\t- a\n",
            "line 2, column 2: a tab indents where only blanks may",
        ),
        ("x: 'a\n", "line 1, column 4: unclosed quote"),
        (
            "? a\n: b\n: c",
            "line 3, column 1: there is nothing where a text is needed",
        ),
    ] {
        let told = format!("it is not one YAML document: {told}");
        assert_eq!(reason(text), told, "{text}");
    }
    let place = "there is no place for it that leaves everything else as it is";
    for text in ["{}\n", "x: y\n...\n"] {
        assert_eq!(reason(text), place, "{text}");
    }
    // What does not read as the same text.
    for item in [
        "a: b", "true", "- a", "a #b", "", " a", "\"", "*a", "[]", "a\nb: c",
    ] {
        let result = add_item("resources: []\n", "resources", item, None);
        assert!(result.is_err(), "{item}: {result:?}");
    }
}
