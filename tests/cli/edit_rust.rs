//! Shapes of Rust files; what a second kind and a first one look like is the reference's.
use rop::edit::rust::{add_list_item, add_module, add_use};
use rop::edit::{EditResult, Edited};

fn changed(result: EditResult) -> String {
    match result {
        Ok(Edited::Changed(text)) => text,
        other => panic!("not changed: {other:?}"),
    }
}

fn reason(result: EditResult) -> String {
    match result {
        Err(reason) => reason.to_string(),
        other => panic!("edited: {other:?}"),
    }
}

fn module(text: &str, line: &str) -> String {
    let new = changed(add_module(text, line, &["support"]));
    assert_eq!(
        add_module(&new, line, &["support"]),
        Ok(Edited::AlreadyThere)
    );
    new
}

fn import(text: &str, line: &str) -> String {
    let new = changed(add_use(text, line, &[]));
    assert_eq!(add_use(&new, line, &[]), Ok(Edited::AlreadyThere));
    new
}

/// Adds to the list that `crds` ends with.
fn item(text: &str, item: &str) -> String {
    let new = changed(add_list_item(text, "crds", item));
    assert_eq!(add_list_item(&new, "crds", item), Ok(Edited::AlreadyThere));
    new
}

/// Adds to such a list, written with everything from `vec` on.
fn list(list: &str, new: &str) -> String {
    let (before, after) = ("fn crds() -> V {\n    ", "\n}\n");
    let new = item(&format!("{before}{list}{after}"), new);
    let new = new
        .strip_prefix(before)
        .and_then(|new| new.strip_suffix(after));
    new.expect("the function stays as it is").to_owned()
}

const API: &str = "\
//! The custom resources of myapp-operator.
//!
//! There is no client in this crate: other programs can depend on the types alone.
pub use kube::CustomResourceExt;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// One CRD for each version of each kind; those of one kind still have to be merged.
#[rustfmt::skip]
pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![
    ]
}
";

const API_WITH_KIND: &str = "\
//! The custom resources of myapp-operator.
//!
//! There is no client in this crate: other programs can depend on the types alone.
pub mod v1alpha1;

pub use kube::CustomResourceExt;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// One CRD for each version of each kind; those of one kind still have to be merged.
#[rustfmt::skip]
pub fn crds() -> Vec<CustomResourceDefinition> {
    vec![
        v1alpha1::MyApp::crd(),
    ]
}
";

#[test]
fn the_first_kind() {
    let text = module(API, "pub mod v1alpha1;");
    assert_eq!(item(&text, "v1alpha1::MyApp::crd()"), API_WITH_KIND);

    let tests = "//! The controllers.\nmod support;\n";
    let new = module(tests, "mod myapp_controller;");
    assert_eq!(
        new,
        "//! The controllers.\nmod support;\n\nmod myapp_controller;\n"
    );

    let controllers = "//! One module for each controller.\nuse rop_manager::Runnable;\n";
    assert_eq!(
        module(controllers, "mod myapp_controller;"),
        "//! One module for each controller.\nmod myapp_controller;\n\nuse rop_manager::Runnable;\n"
    );
}

#[test]
fn the_second_kind() {
    let new = item(API_WITH_KIND, "v1alpha1::Other::crd()");
    let line = "        v1alpha1::MyApp::crd(),\n";
    let lines = format!("{line}        v1alpha1::Other::crd(),\n");
    assert_eq!(new, API_WITH_KIND.replace(line, &lines));

    let version = "//! Docs.\nmod myapp_types;\n\npub use myapp_types::*;\n";
    let new = import(
        &module(version, "mod other_types;"),
        "pub use other_types::*;",
    );
    assert_eq!(
        new,
        "//! Docs.\nmod myapp_types;\nmod other_types;\n\npub use myapp_types::*;\npub use other_types::*;\n"
    );

    let tests = "//! Docs.\nmod support;\n\nmod myapp_controller;\n";
    let new = module(tests, "mod app;");
    assert_eq!(
        new,
        "//! Docs.\nmod support;\n\nmod app;\nmod myapp_controller;\n"
    );
}

#[test]
fn a_second_version() {
    let new = item(&module(API_WITH_KIND, "pub mod v1;"), "v1::MyApp::crd()");
    assert!(
        new.contains("alone.\npub mod v1;\npub mod v1alpha1;\n\npub use"),
        "{new}"
    );
    assert!(
        new.contains("        v1::MyApp::crd(),\n        v1alpha1::MyApp::crd(),\n    ]"),
        "{new}"
    );
}

#[test]
fn names_are_compared_whole() {
    assert_eq!(
        list("vec![\n        MyApp::crd(),\n    ]", "App::crd()"),
        "vec![\n        App::crd(),\n        MyApp::crd(),\n    ]"
    );
    assert_eq!(
        module("mod webapp;\n", "mod app;"),
        "mod app;\nmod webapp;\n"
    );
    assert_eq!(
        import("pub use my_types::*;\n", "pub use y_types::*;"),
        "pub use my_types::*;\npub use y_types::*;\n"
    );
    // Neither comments nor strings nor other functions count.
    let text = "// pub mod v1;\nconst A: &str = \"\nmod v1;\n\";\n";
    assert_eq!(
        module(text, "mod v1;"),
        "// pub mod v1;\nmod v1;\n\nconst A: &str = \"\nmod v1;\n\";\n"
    );
    let text = "fn other() -> V {\n    vec![\n        a(),\n    ]\n}\nfn crds() -> V {\n    vec![\n        // a(),\n    ]\n}\n";
    assert_eq!(
        item(text, "a()"),
        text.replace("// a(),\n", "a(),\n        // a(),\n")
    );
}

#[test]
fn there_already_however_it_is_written() {
    for text in [
        "pub mod v1;",
        "#[cfg(x)]\npub mod v1;",
        "#[cfg(x)]\npub mod v1;\n#[cfg(not(x))]\n#[path = \"v2.rs\"]\npub mod v1;",
        "pub mod r#v1;",
        "pub mod v2; pub mod v1;",
        "cfg_if! { if #[x] { pub mod v1; } }",
    ] {
        let there = add_module(text, "pub mod v1;", &[]);
        assert_eq!(there, Ok(Edited::AlreadyThere), "{text}");
    }
    for text in ["mod v1;", "pub mod v1;", "pub(crate) mod v1;"] {
        let there = add_module(text, "mod v1;", &[]);
        assert_eq!(there, Ok(Edited::AlreadyThere), "{text}");
    }
    for text in [
        "macro_rules! m { () => { pub mod v1; } }\n",
        "cfg_if! { mod v2; v1 }\n",
        "include!(\"v1.rs\");\n",
        "mod m { pub mod v1; }\n",
    ] {
        module(text, "pub mod v1;");
    }
    for text in [
        "pub use a::*;",
        "pub use self::a::*;",
        "pub use {a::*, b::C};",
        "pub use a::{*};",
        "pub use self::{a::*};",
        "pub use b::C;\n#[cfg(x)]\npub use a :: * ;",
    ] {
        let there = add_use(text, "pub use a::*;", &[]);
        assert_eq!(there, Ok(Edited::AlreadyThere), "{text}");
    }
    for text in [
        "use a::*;",
        "pub use a::B;",
        "pub use a::b::*;",
        "pub use b::a::*;",
        "pub(crate) use a::*;",
    ] {
        import(text, "pub use a::*;");
    }
    for list in [
        "vec![a::b()]",
        "vec![\n  x(), a :: b(),]",
        "vec![#[cfg(x)] a::b()]",
        "vec![a /* c */ ::b()]",
        "vec![self::a::b()]",
        "vec![crate::m::a::b()]",
        "std::vec![a::b()]",
        "vec!(a::b())",
        "vec![<a>::b()]",
        "vec![<self::a as x::Y>::b()]",
        "vec![<crate::m::a as Y>::b()]",
    ] {
        let text = format!("fn crds() -> V {{ {list} }}");
        assert_eq!(
            add_list_item(&text, "crds", "a::b()"),
            Ok(Edited::AlreadyThere),
            "{list}"
        );
    }
    for list in [
        "vec![aa::b()]",
        "vec![z::a::b()]",
        "vec![crate_a::b()]",
        "vec![a::b(1)]",
        "vec![a::b]",
        "vec![\"a::b()\"]",
        "vec![<a<x> as Y>::b()]",
        "vec![<z::a as Y>::b()]",
        "vec![<a as Y>::b(1)]",
        "vec![c(a::b())]",
    ] {
        let text = format!("fn crds() -> V {{ {list} }}");
        item(&text, "a::b()");
    }
}

/// What its author exports by name is the author's choice, as long as it is enough.
#[test]
fn globs_that_were_narrowed() {
    let (line, needed) = ("pub use a::*;", &["B", "C"][..]);
    for text in [
        "pub use a::{B, C};",
        "pub use self::a::{C, D, B};",
        "pub use a::B;\npub use a::C;",
        "pub use a::{x::B as B2, B, y::C as C2, C};",
        "pub use a::{B, *};",
    ] {
        let there = add_use(text, line, needed);
        assert_eq!(there, Ok(Edited::AlreadyThere), "{text}");
    }
    // A glob beside names is legal: with it, what needs the others builds.
    for text in [
        "pub use a::B;\n",
        "pub use a::{B, C as D};\n",
        "pub use a::{B, z::C};\n",
        "pub use b::{B, C};\n",
        "use a::{B, C};\n",
        "pub(crate) use a::{B, C};\n",
    ] {
        let new = changed(add_use(text, line, needed));
        assert_eq!(add_use(&new, line, needed), Ok(Edited::AlreadyThere));
        assert!(
            new.contains(text) && new.contains("pub use a::*;\n"),
            "{new}"
        );
    }
}

/// Items that take their path from a `use`.
#[test]
fn items_that_were_imported() {
    let add = |text: &str| add_list_item(text, "crds", "v1::B::crd()");
    for text in [
        "use v1::B; fn crds() -> V { vec![B::crd()] }",
        "pub use self::v1::{A, B}; fn crds() -> V { vec![A::crd(), B::crd()] }",
        "use crate::v1::B as C; fn crds() -> V { vec![C::crd()] }",
        "use crate::{v1::{self as one}}; fn crds() -> V { vec![one::B::crd()] }",
        "use crate::api::v1::{self}; fn crds() -> V { vec![v1::B::crd()] }",
        "use v1::*; fn crds() -> V { vec![B::crd()] }",
        "use v1::B; fn crds() -> V { vec![<B as CustomResourceExt>::crd()] }",
        "fn crds() -> V { use v1::B; vec![B::crd()] }",
        "use v1::B; use v2::*; fn crds() -> V { vec![B::crd()] }",
    ] {
        assert_eq!(add(text), Ok(Edited::AlreadyThere), "{text}");
    }
    for text in [
        "use v2::B; fn crds() -> V { vec![B::crd()] }",
        "use v1::Bx; fn crds() -> V { vec![Bx::crd()] }",
        "use x::v1::B; fn crds() -> V { vec![B::crd()] }",
        "use v2::*; fn crds() -> V { vec![B::crd()] }",
        "use v1::B; fn crds() -> V { vec![A::crd()] }",
        "fn other() { use v1::B; } fn crds() -> V { vec![B::crd()] }",
    ] {
        item(text, "v1::B::crd()");
    }
    let two = "use v1::*; use v2::*; fn crds() -> V { vec![B::crd()] }";
    assert_eq!(
        reason(add(two)),
        "`B::crd()` may be `v1::B::crd()`: write its path in full"
    );
    let whole = two.replace("[B", "[v2::B, v1::B");
    assert_eq!(add(&whole), Ok(Edited::AlreadyThere));
}

/// A module that is there, but not as the rest of what rop writes needs it.
#[test]
fn modules_in_the_way() {
    let add = |text: &str| reason(add_module(text, "pub mod v1;", &[]));
    let way_out = "take away the one that is there";
    for text in [
        "mod v1;",
        "pub(crate) mod v1;",
        "#[cfg(x)]\nmod v1;\npub mod v1;",
    ] {
        let told = format!("`mod v1` has to be `pub`: {way_out}");
        assert_eq!(add(text), told, "{text}");
    }
    for text in ["mod v1 {}", "pub mod v1 {}", "#[cfg(x)]\npub mod v1 {\n}"] {
        let told = format!("`mod v1` has to be a file of its own: {way_out}");
        assert_eq!(add(text), told, "{text}");
    }
}

/// What needs a module must not be in builds without it.
#[test]
fn modules_that_are_not_in_every_build() {
    let told = "its `mod v1` is not in every build";
    let list = "fn crds() -> V {\n    vec![\n    ]\n}\n";
    for gated in [
        "#[cfg(test)]\nmod v1;\n",
        "#[cfg(feature = \"x\")]\npub mod v1;\n",
        "cfg_if! { mod v1; }\n",
    ] {
        let text = format!("{gated}{list}");
        assert_eq!(reason(add_list_item(&text, "crds", "v1::B::crd()")), told);
        assert_eq!(reason(add_use(&text, "pub use v1::*;", &[])), told);
        assert_eq!(reason(add_use(&text, "pub use self::v1::*;", &[])), told);
        item(&text, "v2::B::crd()");
        import(&text, "pub use v2::*;");
        // Who put it there knows.
        let text = text.replace("vec![", "vec![\n        v1::B::crd(),");
        let there = add_list_item(&text, "crds", "v1::B::crd()");
        assert_eq!(there, Ok(Edited::AlreadyThere));
        let text = format!("{gated}#[cfg(test)]\npub use v1::*;\n");
        assert_eq!(
            add_use(&text, "pub use v1::*;", &[]),
            Ok(Edited::AlreadyThere)
        );
    }
    for text in [
        "#[cfg(x)]\nmod v1;\n#[cfg(not(x))]\n#[path = \"v2.rs\"]\nmod v1;\n",
        "#[cfg_attr(x, path = \"v2.rs\")]\nmod v1;\n",
        "#[allow(x)]\nmod v1;\n",
        "",
    ] {
        item(&format!("{text}{list}"), "v1::B::crd()");
    }
}

/// Of a list in another shape, or in a function that the known one calls, rop sees what is there.
#[test]
fn items_that_were_pasted_elsewhere() {
    for text in [
        "fn crds() -> V { all() }\nfn all() -> V { vec![a(), v1::B::crd()] }",
        "fn crds() -> V { ALL.to_vec() }\nstatic ALL: [B; 1] = [v1::B::crd()];",
        "impl X { fn crds() -> V { vec![self::v1::B::crd(),] } }",
        "fn crds() -> V { [<v1::B as X>::crd(), <v1::A>::crd()].to_vec() }",
        "fn crds() -> V { [<A<x> as Y>::crd(), <self::v1::B as x::Y>::crd()].to_vec() }",
        "use v1::B; fn crds() -> V { [B::crd()].to_vec() }",
        "use v1::B as C; fn crds() -> V { [<C as X>::crd()].to_vec() }",
        "#[cfg(a)] fn crds() -> V { vec![] } #[cfg(b)] fn crds() -> V { vec![v1::B::crd()] }",
    ] {
        let there = add_list_item(text, "crds", "v1::B::crd()");
        assert_eq!(there, Ok(Edited::AlreadyThere), "{text}");
    }
    for text in [
        "fn crds() -> V { all() }\n#[cfg(test)] mod tests { fn all() -> V { vec![v1::B::crd()] } }",
        "fn crds() -> V { all() }\nmacro_rules! all { () => { [v1::B::crd()] } }",
        "fn crds() -> V { all() }\nfn all() -> V { vec![x::v1::B::crd()] }",
        "fn crds() -> V { [<v2::B as X>::crd(), <v1::A as X>::crd()].to_vec() }",
        "use v2::B; fn crds() -> V { [B::crd()].to_vec() }",
        "use v1::Bx; fn crds() -> V { [B::crd()].to_vec() }",
    ] {
        reason(add_list_item(text, "crds", "v1::B::crd()"));
    }
}

#[test]
fn modules_go_to_the_group_of_their_visibility() {
    let text = "mod util;\n\npub mod b;\npub mod d;\n\n#[cfg(test)]\nmod tests;\n";
    assert_eq!(
        module(text, "pub mod c;"),
        text.replace("b;\n", "b;\npub mod c;\n")
    );
    assert_eq!(
        module(text, "mod a;"),
        text.replace("mod util", "mod a;\nmod util")
    );
    // No group but that of the tests: a new one at the top.
    let text = "//! Docs.\n\nuse a::B;\n\n#[cfg(test)]\nmod tests;\n";
    assert_eq!(module(text, "mod a;"), text.replace("use", "mod a;\n\nuse"));
    // The order of `macro_use` matters.
    let text = "#[macro_use]\nmod macros;\nmod b;\n";
    assert_eq!(
        module(text, "mod a;"),
        text.replace("mod b", "mod a;\nmod b")
    );
    // What is set apart stays so, whatever is near.
    let text = "mod fixtures;\nmod support;\nuse a::B;\n";
    assert_eq!(
        module(text, "mod c;"),
        text.replace("use", "\nmod c;\n\nuse")
    );
}

#[test]
fn a_new_group_of_imports_follows_the_modules() {
    assert_eq!(
        import("//! Docs.\nmod a;\n", "pub use a::*;"),
        "//! Docs.\nmod a;\n\npub use a::*;\n"
    );
    assert_eq!(
        import("mod a;\nfn b() {}\n", "pub use a::*;"),
        "mod a;\n\npub use a::*;\n\nfn b() {}\n"
    );
    assert_eq!(
        import("use b::C;\n", "pub use a::*;"),
        "pub use a::*;\n\nuse b::C;\n"
    );
}

#[test]
fn files_without_items() {
    assert_eq!(module("", "mod a;"), "mod a;\n");
    assert_eq!(module("//! Docs.\n", "mod a;"), "//! Docs.\nmod a;\n");
    assert_eq!(module("//! Docs.", "mod a;"), "//! Docs.\nmod a;");
    assert_eq!(
        module("#!/usr/bin/env x\n#![allow(y)]\n", "mod a;"),
        "#!/usr/bin/env x\n#![allow(y)]\nmod a;\n"
    );
    assert_eq!(
        module("#!/usr/bin/env x\nmod b;\n", "mod a;"),
        "#!/usr/bin/env x\nmod a;\nmod b;\n"
    );
}

#[test]
fn sorted_or_at_the_end() {
    // rustfmt sorts modules by bytes, imports by version.
    assert_eq!(
        module("mod v10;\nmod v2;\n", "mod v1alpha1;"),
        "mod v10;\nmod v1alpha1;\nmod v2;\n"
    );
    // As it will in style 2027.
    assert_eq!(
        module("mod v2;\nmod v10;\n", "mod v1;"),
        "mod v1;\nmod v2;\nmod v10;\n"
    );
    assert_eq!(
        import("pub use a2::*;\npub use a10::*;\n", "pub use a3::*;"),
        "pub use a2::*;\npub use a3::*;\npub use a10::*;\n"
    );
    assert_eq!(
        module("mod c;\nmod b;\n", "mod a;"),
        "mod c;\nmod b;\nmod a;\n"
    );
    assert_eq!(
        list("vec![\n        b(),\n        a(),\n    ]", "a0()"),
        "vec![\n        b(),\n        a(),\n        a0(),\n    ]"
    );
    // Sections are sorted for themselves; an item goes to the last one.
    let text = "mod m;\nmod z;\n// Others.\nmod b;\nmod d;\n";
    assert_eq!(
        module(text, "mod c;"),
        text.replace("mod d", "mod c;\nmod d")
    );
    assert_eq!(
        module(text, "mod a;"),
        text.replace("mod b", "mod a;\nmod b")
    );
}

#[test]
fn comments_and_attributes_stay_with_their_items() {
    let text = "// Copyright.\n\n// About b.\n#[cfg(x)]\nmod b;\n/// About d.\nmod d; // d\n";
    assert_eq!(
        module(text, "mod a;"),
        text.replace("// About b", "mod a;\n// About b")
    );
    assert_eq!(
        module(text, "mod c;"),
        text.replace("/// About d", "mod c;\n/// About d")
    );
    assert_eq!(module(text, "mod e;"), format!("{text}mod e;\n"));
    // A comment that the file begins with is the file's.
    assert_eq!(
        module("// Copyright.\nmod b;\n", "mod a;"),
        "// Copyright.\nmod a;\nmod b;\n"
    );

    let text = "vec![\n        // about b\n        #[cfg(x)]\n        b(), // b\n        // about d\n        d() // d\n        // end\n    ]";
    assert_eq!(
        list(text, "a()"),
        text.replace("// about b", "a(),\n        // about b")
    );
    assert_eq!(
        list(text, "c()"),
        text.replace("// b\n", "// b\n        c(),\n")
    );
    assert_eq!(
        list(text, "e()"),
        text.replace("d() // d\n", "d(), // d\n        e(),\n")
    );
}

#[test]
fn lists_of_every_shape() {
    assert_eq!(list("vec![]", "b()"), "vec![\n        b(),\n    ]");
    assert_eq!(list("vec![\n    ]", "b()"), "vec![\n        b(),\n    ]");
    assert_eq!(list("vec![ /* none */ ]", "b()"), "vec![ /* none */ b()]");
    assert_eq!(
        list("vec![ // none\n    ]", "b()"),
        "vec![ // none\n        b(),\n    ]"
    );
    assert_eq!(list("vec![a(), c()]", "b()"), "vec![a(), b(), c()]");
    assert_eq!(list("vec![a()]", "b()"), "vec![a(), b()]");
    assert_eq!(list("vec![a(),]", "b()"), "vec![a(), b(),]");
    assert_eq!(list("vec![c()]", "b()"), "vec![b(), c()]");
    assert_eq!(
        list("vec![\n        a()\n    ]", "b()"),
        "vec![\n        a(),\n        b(),\n    ]"
    );
    assert_eq!(
        list("vec![a(),\n         c()]", "b()"),
        "vec![a(),\n        b(),\n         c()]"
    );
    assert_eq!(
        list("vec![\n\t\ta(),\n\t]", "b()"),
        "vec![\n\t\ta(),\n\t\tb(),\n\t]"
    );
    assert_eq!(
        list("vec![\n  a()\n  , c()\n]", "b()"),
        "vec![\n  a(), b()\n  , c()\n]"
    );
    assert_eq!(
        list("return vec![\n        a(),\n    ];", "b()"),
        "return vec![\n        a(),\n        b(),\n    ];"
    );
    assert_eq!(
        list("let x = 1;\n    vec![\n        a(x, [1, 2]),\n    ]", "b()"),
        "let x = 1;\n    vec![\n        a(x, [1, 2]),\n        b(),\n    ]"
    );
    // Commas, brackets and macros inside items.
    let text = "vec![\n        a::<B, C>(vec![1, 2], \"],\", ']'),\n        m!{ x, y },\n    ]";
    assert_eq!(
        list(text, "z()"),
        text.replace("},\n", "},\n        z(),\n")
    );
}

#[test]
fn versions_sort_as_numbers() {
    let mut text = String::from(API);
    for version in ["v10", "v2", "v1beta1", "v1alpha2", "v1", "v1alpha1"] {
        text = item(&text, &format!("{version}::MyApp::crd()"));
    }
    let versions: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim().strip_suffix("::MyApp::crd(),"))
        .collect();
    assert_eq!(
        versions,
        ["v1", "v1alpha1", "v1alpha2", "v1beta1", "v2", "v10"]
    );
}

#[test]
fn line_ends_and_byte_order_mark_survive() {
    let dos = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let text = module(&dos(API), "pub mod v1alpha1;");
    assert_eq!(item(&text, "v1alpha1::MyApp::crd()"), dos(API_WITH_KIND));
    assert_eq!(module("mod b;", "mod c;"), "mod b;\nmod c;");
    assert_eq!(module("mod b;", "mod a;"), "mod a;\nmod b;");
    assert_eq!(module("mod support;", "mod a;"), "mod support;\n\nmod a;");
    assert_eq!(import("mod a;", "use a::*;"), "mod a;\n\nuse a::*;");
}

#[test]
fn what_cannot_be_edited() {
    let add = |text: &str| reason(add_list_item(text, "crds", "new()"));
    assert_eq!(add("fn all() -> V { vec![] }"), "it has no function `crds`");
    assert_eq!(
        add("mod m { fn crds() -> V { vec![] } }"),
        "it has no function `crds`"
    );
    assert_eq!(
        add("#[cfg(a)] fn crds() {} #[cfg(b)] fn crds() {}"),
        "it has more than one function `crds`"
    );
    for body in [
        "",
        "Vec::new()",
        "[a()]",
        "vec![a(); 3]",
        "vec![a()];",
        "vec![a() b()]",
        "let v = vec![]; v",
        "vec![].into_iter().collect()",
        "return",
        "all(vec![])",
        "smallvec![]",
        "if x { vec![] } else { vec![] }",
    ] {
        let text = format!("fn crds() {{ {body} }}");
        assert_eq!(
            add(&text),
            "`crds` does not end with a list `vec![…]`",
            "{body}"
        );
    }
    let text = "mod a;\n\nfn crds( {\n";
    assert!(
        add(text).starts_with("it is not valid Rust: line 3: "),
        "{}",
        add(text)
    );
    assert!(
        add("mod a;\n\"").starts_with("it is not valid Rust: line "),
        "{}",
        add("mod a;\n\"")
    );
    reason(add_module("mod a; mod c;", "mod b;", &[]));
    reason(add_module("mod a; /* a\n */ mod c;\n", "mod b;", &[]));
    reason(add_module("mod a; /* a\n*/\n", "mod b;", &[]));
    reason(add_module("", "fn f() {}", &[]));
    reason(add_module("", "mod a; mod b;", &[]));
    reason(add_module("", "mod", &[]));
    reason(add_list_item(
        "fn crds() -> V { vec![] }",
        "crds",
        "a(), b()",
    ));
}

/// Git and editors leave files whose lines end in two ways: each stays as it is.
#[test]
fn line_ends_of_two_kinds() {
    assert_eq!(
        module("mod a;\r\nmod c;\nmod e;\n", "mod b;"),
        "mod a;\r\nmod b;\r\nmod c;\nmod e;\n"
    );
    assert_eq!(
        module("mod a;\r\nmod c;\nmod e;\n", "mod d;"),
        "mod a;\r\nmod c;\nmod d;\nmod e;\n"
    );
    assert_eq!(
        list("vec![\n        b(),\r\n        d(),\n    ]", "c()"),
        "vec![\n        b(),\r\n        c(),\r\n        d(),\n    ]"
    );
    assert_eq!(
        item("// x\r\nfn crds() -> V {\n    vec![]\n}\n", "b()"),
        "// x\r\nfn crds() -> V {\n    vec![\n        b(),\n    ]\n}\n"
    );
}
