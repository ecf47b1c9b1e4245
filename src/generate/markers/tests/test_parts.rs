//! Markers in what is compiled for tests only do not count.
use super::{RBAC, count, find};

#[test]
fn not_in_what_is_for_tests_only() {
    for test in [
        "#[cfg(test)]",
        "#[cfg(all(unix, test))]",
        "#[cfg(any(test, all(test, a)))]",
        "#[allow(x)] #[cfg(test)] #[b]",
    ] {
        for item in [
            "mod tests { N }",
            "fn f<A, B>(a: A) -> B { if a { N } else { N } }",
            "struct S { a: u8, N\n b: u8 }",
            "struct S(u8, N\n u8);",
            "const A: [u8; 1] = [ N\n 1];",
            "use a::{ N\n b, c};",
            "impl A for B { N }",
            "mod a { mod b { fn f() { N } } }",
        ] {
            let item = item.replace('N', &format!("\n{RBAC}\n"));
            let source = format!("{RBAC}\n{test}\n{item}\n{RBAC}\nfn g() {{\n{RBAC}\n}}");
            assert_eq!(count(&source), 3, "{source}");
        }
    }
}

#[test]
fn not_in_parts_of_items_for_tests_only() {
    for (source, outside) in [
        ("impl A { #[cfg(test)] fn f(&self) { N } N }", 1),
        ("trait A { #[cfg(test)] fn f(&self) -> u8 { N 1 } N }", 1),
        ("struct A { #[cfg(test)] a: Vec<( N u8, u8)>, N b: u8 }", 1),
        ("enum A { #[cfg(test)] B { N a: u8 }, N C }", 1),
        (
            "fn f() { match a { #[cfg(test)] 1 => { N } , N _ => {} } }",
            1,
        ),
        (
            "fn f() { #[cfg(test)] let a = if b { N } else { N }; N }",
            1,
        ),
        ("fn f() { #[cfg(test)] { N } N }", 1),
        ("fn f() { g(A { #[cfg(test)] a: { N }, N b: 1 }); N }", 2),
        ("m! { #[cfg(test)] mod a { N } N }", 1),
        ("mod a { #![cfg(test)] N }\n N", 1),
        ("#![cfg(test)]\n N", 0),
        ("#![cfg(not(test))]\n N", 1),
        ("#[cfg(not(test))] mod a { N }", 1),
        ("#[cfg(any(test, unix))] mod a { N }", 1),
        ("#[cfg(feature = \"test\")] mod a { N }", 1),
        ("#[cfg_attr(test, a)] mod a { N }", 1),
    ] {
        let source = source.replace('N', &format!("\n{RBAC}\n"));
        assert_eq!(count(&source), outside, "{source}");
    }
}

#[test]
fn not_in_files_for_tests_only() {
    let declares =
        "#[cfg(test)]\nmod tests;\n#[cfg(test)] mod b { mod c; }\nmod a { #[cfg(test)] mod d; }";
    let names = |first: &'static str, others: &[&'static str]| {
        let mut sources = vec![(first, declares)];
        sources.extend(others.iter().map(|path| (*path, RBAC)));
        let found = find(&sources);
        found
            .rbac
            .into_iter()
            .map(|marker| marker.path)
            .collect::<Vec<_>>()
    };
    let others = [
        "src/tests.rs",
        "src/x/tests.rs",
        "src/x/tests/mod.rs",
        "src/x/tests/y.rs",
        "src/x/tests_y.rs",
        "src/x/a/d.rs",
    ];
    assert_eq!(
        names("src/x.rs", &others),
        ["src/tests.rs", "src/x/tests_y.rs"]
    );
    assert_eq!(
        names("src/x/mod.rs", &others),
        ["src/tests.rs", "src/x/tests_y.rs"]
    );
    assert_eq!(names("src/lib.rs", &others[..2]), ["src/x/tests.rs"]);
    assert_eq!(
        names("lib.rs", &["tests.rs", "src/tests.rs"]),
        ["src/tests.rs"]
    );
}
