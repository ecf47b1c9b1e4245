//! What holds for every file, however it looks; `PROPTEST_CASES` sets how many are tried.
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rop::edit::rust::{add_list_item, add_module, add_use};
use rop::edit::{EditResult, Edited, cargo_lock, lines, yaml};
use serde_json::{Map, Value};
use syn::parse::Parser;

/// Adds one item to a text.
type Edit<'a> = &'a dyn Fn(&str, &str) -> EditResult;

/// The text afterwards, and whether it is another one.
fn apply(edit: Edit<'_>, text: &str, item: &str) -> Result<(String, bool), TestCaseError> {
    match edit(text, item) {
        Ok(Edited::Changed(new)) => Ok((new, true)),
        Ok(Edited::AlreadyThere) => Ok((text.to_owned(), false)),
        Err(reason) => Err(TestCaseError::fail(format!("{item}: {reason}\n{text}"))),
    }
}

/// Adds items one after another, and checks what holds for each step.
///
/// `read` gives the list and the rest of a file, as an outside parser sees them.
fn check<R: PartialEq + std::fmt::Debug>(
    edit: Edit<'_>,
    read: impl Fn(&str) -> (Vec<String>, R),
    text: &str,
    items: &[String],
) -> Result<String, TestCaseError> {
    let mut text = text.to_owned();
    for item in items {
        let (new, is_new) = apply(edit, &text, item)?;
        prop_assert_eq!(edit(&new, item), Ok(Edited::AlreadyThere), "{}", new);
        let ((old_list, old_rest), (mut list, rest)) = (read(&text), read(&new));
        prop_assert_eq!(is_new, !old_list.contains(item), "{} in {}", item, text);
        if is_new {
            let position = list.iter().position(|found| found == item);
            prop_assert!(position.is_some(), "no {} in {}", item, new);
            list.remove(position.expect("just seen"));
            check_lines(&text, &new)?;
        }
        prop_assert_eq!(list, old_list, "{}", new);
        prop_assert_eq!(rest, old_rest, "{}", new);
        text = new;
    }
    Ok(text)
}

/// All lines are kept in their order, with their ends and the byte order mark; a new line ends as
/// the one above it, or as the one below.
fn check_lines(old: &str, new: &str) -> Result<(), TestCaseError> {
    const BOM: char = '\u{feff}';
    prop_assert_eq!(old.starts_with(BOM), new.starts_with(BOM));
    let (old, new) = (old.trim_start_matches(BOM), new.trim_start_matches(BOM));
    let lines: Vec<_> = new.split_inclusive('\n').collect();
    let mut kept = vec![false; lines.len()];
    let mut at = 0;
    for line in old.split_inclusive('\n') {
        let found = (at..lines.len()).find(|&i| is_kept(line, lines[i]));
        prop_assert!(found.is_some(), "lost {:?} in {:?}", line, new);
        at = found.expect("just seen") + 1;
        kept[at - 1] = true;
    }
    let end = |i: usize| lines[i].ends_with('\n').then(|| lines[i].ends_with("\r\n"));
    let ends = |i: &usize| end(*i).is_some();
    for i in (0..lines.len()).filter(|&i| !kept[i] && end(i).is_some()) {
        let above = (0..i).rfind(ends).map(end);
        let below = (i + 1..lines.len()).find(ends).map(end);
        let alone = [above, below] == [None, None];
        prop_assert!(alone || [above, below].contains(&Some(end(i))), "{:?}", new);
    }
    let ends = old.ends_with('\n') || old.is_empty();
    prop_assert_eq!(ends, new.ends_with('\n'), "{:?}", new);
    Ok(())
}

/// Whether a line is as it was. The last item of a list may get a comma, and a list on one line
/// more items; what was the last line gets an end.
fn is_kept(old: &str, new: &str) -> bool {
    let bare = |line: &str| line.replace(',', "");
    let (old, new) = (bare(old), bare(new));
    let new = match old.ends_with('\n') {
        true => &*new,
        false => new.trim_end_matches(['\r', '\n']),
    };
    let is_list = |line: &str| line.contains("vec![");
    let end = |line: &str| line.ends_with("\r\n");
    old == new || is_list(&old) && is_list(new) && end(&old) == end(new)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Names with digits and underscores at every place.
fn name() -> impl Strategy<Value = String> {
    "[a-c]{1,2}[0-9]{0,2}(_[a-c0-9]{1,2})?|_[0-9]a"
}

/// Names that are there, and names to add, in two orders.
fn names() -> impl Strategy<Value = (Vec<String>, Vec<String>, Vec<String>)> {
    let there = btree_set(name(), 0..6).prop_map(Vec::from_iter);
    let new = btree_set(name(), 1..5).prop_map(Vec::from_iter);
    (there, new).prop_flat_map(|(there, new)| {
        let new = (Just(new.clone()).prop_shuffle(), Just(new).prop_shuffle());
        (Just(there), new).prop_map(|(there, (new, again))| (there, new, again))
    })
}

/// Text in front of each item, or behind it.
fn decorations(texts: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(texts), 6)
}

/// Byte order mark, line ends and the last one: all of one kind, or as the bits of a number.
fn encoding() -> impl Strategy<Value = (bool, u32, bool)> {
    let ends = prop_oneof![Just(0), Just(u32::MAX), any::<u32>()];
    (any::<bool>(), ends, any::<bool>())
}

fn encode(text: &str, (bom, crlf, last): (bool, u32, bool)) -> String {
    let text = if last {
        text
    } else {
        text.trim_end_matches('\n')
    };
    let mut encoded = String::from(if bom { "\u{feff}" } else { "" });
    for (i, line) in text.split_inclusive('\n').enumerate() {
        match line.strip_suffix('\n') {
            Some(line) if crlf >> (i % 32) & 1 == 1 => encoded = encoded + line + "\r\n",
            _ => encoded += line,
        }
    }
    encoded
}

fn reorder(names: &mut [String], swap: Option<(Index, Index)>) {
    if let Some((a, b)) = swap
        && !names.is_empty()
    {
        names.swap(a.index(names.len()), b.index(names.len()));
    }
}

fn items(text: &str) -> Vec<syn::Item> {
    syn::parse_file(text).expect("it is Rust").items
}

/// The plain modules, and how many other items there are.
fn read_modules(text: &str) -> (Vec<String>, usize) {
    let items = items(text);
    let module = |item: &syn::Item| match item {
        syn::Item::Mod(module) => Some(format!("mod {};", module.ident)),
        _ => None,
    };
    let modules: Vec<_> = items.iter().filter_map(module).collect();
    let others = items.len() - modules.len();
    (modules, others)
}

/// The globs, and how many other items there are.
fn read_imports(text: &str) -> (Vec<String>, usize) {
    let items = items(text);
    let glob = |item: &syn::Item| match item {
        syn::Item::Use(syn::ItemUse {
            tree: syn::UseTree::Path(path),
            ..
        }) => {
            matches!(*path.tree, syn::UseTree::Glob(_)).then(|| format!("use {}::*;", path.ident))
        }
        _ => None,
    };
    let globs: Vec<_> = items.iter().filter_map(glob).collect();
    let others = items.len() - globs.len();
    (globs, others)
}

/// The calls in the list that the last function ends with, and how many items there are.
fn read_list(text: &str) -> (Vec<String>, usize) {
    type Calls = syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>;
    let items = items(text);
    let Some(syn::Item::Fn(function)) = items.last() else {
        panic!("no function in {text}");
    };
    let tail = match function.block.stmts.last() {
        Some(syn::Stmt::Expr(syn::Expr::Macro(tail), None)) => &tail.mac,
        Some(syn::Stmt::Macro(tail)) => &tail.mac,
        other => panic!("{:?} in {text}", other.is_some()),
    };
    let calls = Calls::parse_terminated
        .parse2(tail.tokens.clone())
        .expect("they are calls");
    let name = |call: syn::Expr| {
        let syn::Expr::Call(call) = call else {
            panic!("no call in {text}");
        };
        let syn::Expr::Path(path) = *call.func else {
            panic!("no path in {text}");
        };
        let segments = path.path.segments.iter();
        let segments: Vec<_> = segments.map(|segment| segment.ident.to_string()).collect();
        format!("{}()", segments.join("::"))
    };
    (calls.into_iter().map(name).collect(), items.len())
}

/// The resources, and the other keys.
fn read_kustomization(text: &str) -> (Vec<String>, Map<String, Value>) {
    let value: Value =
        serde_saphyr::from_str(text.trim_start_matches('\u{feff}')).expect("it is YAML");
    let mut map = value.as_object().cloned().unwrap_or_default();
    let list = map.remove("resources").unwrap_or_default();
    let list = list.as_array().cloned().unwrap_or_default();
    let texts = list
        .iter()
        .map(|item| item.as_str().expect("a text").to_owned());
    (texts.collect(), map)
}

const HEADS: &[&str] = &[
    "",
    "//! Docs.\n",
    "//! Docs.\n\n",
    "// Copyright.\n\n",
    "// Copyright.\n",
    "#!/usr/bin/env x\n",
    "#![allow(x)]\n\n",
    "/* one\n two */\n",
];
const ABOVE: &[&str] = &[
    "",
    "",
    "",
    "// note\n",
    "/// Docs.\n",
    "\n",
    "// a\n// b\n",
    "\n// note\n",
];
const ATTRIBUTES: &[&str] = &["", "", "#[cfg(x)]\n", "#[rustfmt::skip]\n", "pub "];
const BEHIND: &[&str] = &["", "", " // note", " /* note */"];
const TAILS: &[&str] = &[
    "",
    "\nuse x::Y;\n",
    "fn f() {}\n",
    "\n#[cfg(test)]\nmod tests;\n",
    "\n// end\n",
];
const LIST_ABOVE: &[&str] = &[
    "",
    "",
    "",
    "    // note\n",
    "\n",
    "    #[cfg(x)]\n",
    "\n    // note\n",
];
const YAML_ABOVE: &[&str] = &["", "", "", "# note\n", "\n", "# Users.\n", "\n# note\n"];
const YAML_TAILS: &[&str] = &[
    "",
    "x: y\n",
    "\n# x\nx:\n- a\n- b\n",
    "# end\n",
    "x: |\n  resources:\n  - a\n",
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn modules(
        (mut there, new, again) in names(),
        swap in any::<Option<(Index, Index)>>(),
        (head, tail) in (select(HEADS), select(TAILS)),
        (above, attributes, behind) in (decorations(ABOVE), decorations(ATTRIBUTES), decorations(BEHIND)),
        encoding in encoding(),
        imports in any::<bool>(),
    ) {
        reorder(&mut there, swap);
        let line = |name: &String| if imports { format!("use {name}::*;") } else { format!("mod {name};") };
        let mut text = head.to_owned();
        for (i, name) in there.iter().enumerate() {
            // Imports of another visibility are other imports.
            let attributes = if imports { attributes[i].trim_start_matches("pub ") } else { attributes[i] };
            text = text + above[i] + attributes + &line(name) + behind[i] + "\n";
        }
        let text = encode(&(text + tail), encoding);
        let new: Vec<_> = new.iter().map(line).collect();
        let again: Vec<_> = again.iter().map(line).collect();
        let add = |text: &str, item: &str| match imports {
            true => add_use(text, item, &[]),
            false => add_module(text, item, &[]),
        };
        let read = if imports { read_imports } else { read_modules };
        let result = check(&add, read, &text, &new)?;
        if there.is_empty() || there.is_sorted() && !imports {
            prop_assert_eq!(check(&add, read, &text, &again)?, result, "from {}", text);
        }
    }

    #[test]
    fn lists(
        (mut there, new, again) in names(),
        swap in any::<Option<(Index, Index)>>(),
        (head, above, behind) in (select(HEADS), decorations(LIST_ABOVE), decorations(BEHIND)),
        last_comma in any::<bool>(),
        shape in 0..3,
        encoding in encoding(),
    ) {
        let item = |name: &String| format!("{name}::B::crd()");
        there.sort_by_key(item);
        reorder(&mut there, swap);
        let mut list = String::from(if shape == 0 { "" } else { "\n" });
        for (i, name) in there.iter().enumerate() {
            let comma = if last_comma || i + 1 < there.len() { "," } else { "" };
            list += &match shape {
                0 => format!("{}{comma} ", item(name)),
                _ => format!("{}    {}{comma}{}\n", above[i], item(name), behind[i]),
            };
        }
        let end = if shape == 2 { "// end\n" } else { "" };
        let text = encode(&format!("{head}fn crds() -> Vec<X> {{\n  vec![{list}{end}]\n}}\n"), encoding);
        let new: Vec<_> = new.iter().map(item).collect();
        let again: Vec<_> = again.iter().map(item).collect();
        let add = |text: &str, item: &str| add_list_item(text, "crds", item);
        let result = check(&add, read_list, &text, &new)?;
        if there.is_sorted_by_key(item) {
            prop_assert_eq!(check(&add, read_list, &text, &again)?, result, "from {}", text);
        }
    }

    #[test]
    fn kustomizations(
        (mut there, new, again) in names(),
        swap in any::<Option<(Index, Index)>>(),
        (above, quotes) in (decorations(YAML_ABOVE), decorations(&["", "", "'", "\""])),
        (indent, tail) in (select(&["", "  "]), select(YAML_TAILS)),
        empty in select(&["resources: []\n", "resources:\n", "resources: null # x\n", ""]),
        comment in select(&[None, Some("# Users.")]),
        encoding in encoding(),
    ) {
        reorder(&mut there, swap);
        let item = |name: &String| format!("{name}.yaml");
        let mut text = String::from(if there.is_empty() { empty } else { "resources:\n" });
        for (i, name) in there.iter().enumerate() {
            text += &format!("{}{indent}- {}{}{}\n", above[i], quotes[i], item(name), quotes[i]);
        }
        let text = encode(&(text + tail), encoding);
        let new: Vec<_> = new.iter().map(item).collect();
        let again: Vec<_> = again.iter().map(item).collect();
        let add = |text: &str, item: &str| yaml::add_item(text, "resources", item, comment);
        // Lines of an empty list are rewritten.
        let seed = if there.is_empty() { apply(&add, &text, "0.yaml")?.0 } else { text };
        let result = check(&add, read_kustomization, &seed, &new)?;
        if there.is_sorted() {
            let again = check(&add, read_kustomization, &seed, &again)?;
            prop_assert_eq!(again, result, "from {}", seed);
        }
    }

    #[test]
    fn lists_in_brackets(
        (there, new, _) in names(),
        quotes in decorations(&["", "", "'", "\""]),
        (open, between, close) in select(&[("[", ", ", "]"), ("[ ", " , ", " ]"), ("[\n  ", ",\n  ", ",\n]"), ("\n  [ # ]\n  ", ",\n\n  ", "\n  ]")]),
        tail in select(YAML_TAILS),
        encoding in encoding(),
    ) {
        // What is empty becomes a list of lines.
        let there = [vec![String::from("0")], there].concat();
        let item = |name: &String| format!("{name}.yaml");
        let quoted = there.iter().enumerate().map(|(i, name)| format!("{}{}{}", quotes[i % 6], item(name), quotes[i % 6]));
        let items = quoted.collect::<Vec<_>>().join(between);
        let text = encode(&format!("a: []\nresources: {open}{items}{close}\n{tail}"), encoding);
        let mut after = text.clone();
        for name in &new {
            let (old, was) = (after.clone(), read_kustomization(&after));
            let add = |text: &str, item: &str| yaml::add_item(text, "resources", item, None);
            let (edited, is_new) = apply(&add, &after, &item(name))?;
            let mut wanted = was.0.clone();
            wanted.extend(is_new.then(|| item(name)));
            prop_assert_eq!(read_kustomization(&edited), (wanted, was.1), "{}", edited);
            prop_assert_eq!(add(&edited, &item(name)), Ok(Edited::AlreadyThere));
            // Nothing but the item and commas is put in; line ends are the file's.
            let mut rest = edited.chars();
            prop_assert!(old.chars().filter(|c| *c != ',').all(|old| rest.any(|new| new == old)), "{}", edited);
            prop_assert!(encoding.1 != u32::MAX || !edited.replace("\r\n", "").contains('\n'), "{:?}", edited);
            after = edited;
        }
    }

    #[test]
    fn lock_files((there, new, again) in names(), (_, crlf, last) in encoding()) {
        let mut text = String::from("# Cargo.\nversion = 4\n");
        for name in &there {
            text += &format!("\n[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\nsource = \"x\"\n");
        }
        let text = encode(&text, (false, crlf, last));
        let read = |text: &str| {
            let lines = text.lines().filter_map(|line| line.strip_prefix("name = "));
            (lines.map(|name| name.trim_matches('"').to_owned()).collect(), ())
        };
        let add = |text: &str, item: &str| cargo_lock::add_packages(text, &[(item, "0.1.0", &["a"])]);
        let is_new = |name: &String| !there.contains(name);
        let new: Vec<_> = new.into_iter().filter(is_new).collect();
        let again: Vec<_> = again.into_iter().filter(is_new).collect();
        let result = check(&add, read, &text, &new)?;
        prop_assert!(read(&result).0.is_sorted());
        prop_assert_eq!(check(&add, read, &text, &again)?, &*result);
        let members: Vec<cargo_lock::Member<'_>> = new.iter().map(|name| (&**name, "0.1.0", &["a"][..])).collect();
        let at_once = match cargo_lock::add_packages(&text, &members) {
            Ok(Edited::Changed(after)) => after,
            _ => text.clone(),
        };
        prop_assert_eq!(at_once, result);
    }

    #[test]
    fn ignored_files(text in "([a-c]{0,2}\r?\n){0,5}[a-c]{0,2}", new in vec("[a-c]{1,2}", 1..4)) {
        let new: Vec<_> = new.iter().map(String::as_str).collect();
        let after = match lines::append(&text, &new) {
            Edited::Changed(after) => after,
            Edited::AlreadyThere => text.clone(),
        };
        prop_assert!(after.starts_with(&text));
        prop_assert!(new.iter().all(|new| after.lines().filter(|line| line == new).count() >= 1));
        prop_assert_eq!(lines::append(&after, &new), Edited::AlreadyThere);
    }

    /// Whatever the text is, no edit panics.
    #[test]
    fn any_text(text in "([a{}\\[\\]:#'\"&*|,;!/\\- \r\n\t\u{feff}é]|mod |use |fn f|vec!|x:|- |---|//|/\\*|\\*/|r#|\\[\\[package\\]\\]\n|version = 4\n){0,12}") {
        let _ = add_module(&text, "mod m;", &["x"]);
        let _ = add_use(&text, "use m::*;", &["M"]);
        let _ = add_list_item(&text, "f", "m()");
        let _ = yaml::add_item(&text, "x", "m", Some("# c"));
        let _ = yaml::remove_item(&text, "x", "m");
        let _ = cargo_lock::add_packages(&text, &[("m", "1.0.0", &[])]);
        let _ = lines::append(&text, &["m"]);
    }
}
