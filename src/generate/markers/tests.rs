use super::*;

mod go_types;
mod test_parts;

fn faults(source: &str) -> Vec<String> {
    find(&[("src/a.rs", source)])
        .faults
        .iter()
        .map(Fault::to_string)
        .collect()
}
fn warnings(source: &str) -> Vec<String> {
    find(&[("src/a.rs", source)])
        .warnings
        .iter()
        .map(Fault::to_string)
        .collect()
}
fn count(source: &str) -> usize {
    let found = find(&[("src/a.rs", source)]);
    assert_eq!(found.faults, [], "{source}");
    found.rbac.len()
}

const RBAC: &str = "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get";

#[test]
fn found_at_any_place() {
    let source = format!(
        "{RBAC}\n//{RBAC}x\nmod a {{\n  {RBAC}\n  /// Text.\n  /{RBAC}\n  fn f() {{\n    {RBAC}\n    g(1, {RBAC}\n    2);\n  }}\n}}\n{RBAC}"
    );
    assert_eq!(count(&source), 6);
}

#[test]
fn sources_of_every_shape() {
    for source in [
        "",
        "\u{feff}",
        "#!/usr/bin/é 'x\n#[cfg(test)] mod a {}",
        "#![allow(x)]",
    ] {
        assert_eq!(count(source), 0);
        assert_eq!(count(&format!("{source}\r\n{RBAC}\r\n")), 1, "{source}");
    }
}

#[test]
fn positions_count_characters() {
    assert_eq!(
        faults(
            "\u{feff}// +kubebuilder:rbca:x=1\r\n/* é */ fn f() {} // é +\r\n/* é */ // +kubebuilder:rbac:grups=a,verbs=get\n"
        ),
        [
            "src/a.rs:1:4: unknown marker `+kubebuilder:rbca:x`; did you mean `+kubebuilder:rbac`?",
            "src/a.rs:3:30: unknown argument `grups`; did you mean `groups`?",
        ]
    );
}

#[test]
fn every_fault_is_told() {
    let found = find(&[
        ("b.rs", "fn f( {\n}\n// +kubebuilder:rbac:verbs"),
        (
            "a.rs",
            "fn f() {\n  let x = ;\n}\n// +kubebuilder:rbac:verbs=get,list\n",
        ),
        ("c.rs", "fn f() { // +x"),
        ("d.rs", "// +x\nstruct A\n"),
        ("e.rs", "fn f() { \"abc }\n// +x\n"),
        ("not_parsed.rs", "fn f() {"),
    ]);
    let faults: Vec<_> = found.faults.iter().map(Fault::to_string).collect();
    assert_eq!(
        faults,
        [
            "b.rs:1:5: this is no Rust: a bracket or a literal is not closed",
            "b.rs:3:27: expected `=` after `verbs`",
            "a.rs:2:11: expected an expression",
            "a.rs:4:32: expected an argument, got `list`; the items of a list are separated by `;`",
            "c.rs:1:8: this is no Rust: a bracket or a literal is not closed",
            "d.rs:2:9: unexpected end of input, expected one of: `where`, parentheses, curly braces, `;`",
            "e.rs:1:10: this is no Rust: a bracket or a literal is not closed",
        ]
    );
}

/// Each marker has one fault, this one.
fn check(markers: &[(&str, &str)]) {
    for (marker, message) in markers {
        let faults = faults(&format!("// +kubebuilder:{marker}"));
        assert_eq!(faults.len(), 1, "{marker}: {faults:?}");
        let (_, fault) = faults[0].split_once(": ").expect("a place");
        assert_eq!(fault, *message, "{marker}");
    }
}

#[test]
fn a_colon_makes_no_map() {
    for list in [
        "{system:a,b}",
        "{\"a: b\"}",
        "system:a;b:c",
        "{https://a.io}",
    ] {
        let marker = format!("// +kubebuilder:rbac:verbs=get,resourceNames={list}");
        assert_eq!(count(&marker), 1, "{list}");
    }
}

#[test]
fn wrong_arguments() {
    check(&[
        ("rbac", "the argument `verbs` is missing"),
        ("rbac:", "the argument `verbs` is missing"),
        ("rbac=x", "expected `:` after `+kubebuilder:rbac`"),
        ("rbac groups=x", "expected `:` after `+kubebuilder:rbac`"),
        ("rbac:groups=x", "the argument `verbs` is missing"),
        ("rbac:groups:verbs=x", "expected `=` after `groups`"),
        (
            "rbac:verbs=get,",
            "expected an argument such as `verbs=get;list`",
        ),
        (
            "rbac:verbs=get,verbs=list",
            "`verbs` is given twice; the items of a list are separated by `;`",
        ),
        ("rbac:verbs=get;;list", "expected a value"),
        ("rbac:verbs={get", "the list is not closed by `}`"),
        (
            "rbac:verbs={get;list}",
            "expected `,` between the items of a list",
        ),
        (
            "rbac:verbs={get: list}",
            "a list is wanted, such as `a;b` or `{a,b}`, not a map",
        ),
        (
            "rbac:verbs={\"get\":list}",
            "a list is wanted, such as `a;b` or `{a,b}`, not a map",
        ),
        (
            "rbac:verbs=get,namespace={a: b, c: d}",
            "`namespace` wants one value, not a list or a map",
        ),
        (
            "webhook:mutating={a: b}",
            "`mutating` wants `true` or `false`",
        ),
        ("rbac:verbs=\"get", "the quote is not closed"),
        ("rbac:verbs=\"\\q\"", "this is no escape sequence of Go"),
        (
            "rbac:verbs=\"get\"list",
            "expected `;` between the items of a list",
        ),
        (
            "rbac:colour=red,verbs=get",
            "unknown argument `colour`; known are groups, resources, resourceNames, verbs, urls, namespace, roleName",
        ),
        ("webhook:mutating=yes", "`mutating` wants `true` or `false`"),
        (
            "webhook:mutating=true,timeoutSeconds=x",
            "`timeoutSeconds` wants an integer",
        ),
        (
            "webhook:mutating=true",
            "the argument `failurePolicy` is missing",
        ),
    ]);
}

#[test]
fn unknown_markers() {
    check(&[
        (
            "Rbac:verbs=get",
            "unknown marker `+kubebuilder:Rbac:verbs`; did you mean `+kubebuilder:rbac`?",
        ),
        (
            "foobarbaz",
            "unknown marker `+kubebuilder:foobarbaz`; `rop generate --markers` lists those that are known",
        ),
        (
            "",
            "unknown marker `+kubebuilder:`; `rop generate --markers` lists those that are known",
        ),
        (
            "scaffold:imports",
            "`+kubebuilder:scaffold:imports`: rop needs no scaffold markers, it finds its places by itself; remove the line",
        ),
        (
            "validation:Minmum=1",
            "unknown marker `+kubebuilder:validation:Minmum`; did you mean `+kubebuilder:validation:Minimum`?",
        ),
    ]);
}

#[test]
fn misspelt_prefixes() {
    let prefix = |text: &str| faults(&format!("// {text}"));
    assert_eq!(
        prefix("+kubebulder:rbac:verbs=get"),
        ["src/a.rs:1:4: unknown marker `+kubebulder:rbac`; did you mean `+kubebuilder:rbac`?"]
    );
    assert_eq!(prefix("+ kubebuilder:rbac:verbs=get").len(), 1);
    for other in [
        "+k8s:required",
        "+optional",
        "+listType=map",
        "+ a: b",
        "+1",
        "+",
    ] {
        assert!(prefix(other).is_empty(), "{other}");
    }
}

#[test]
fn documentation_is_strict_for_what_rop_reads_only() {
    let doc = "/// +kubebuilder:validation:Minimum=1\n/// +kubebuilder:unheard\n//! +kubebulder:x";
    assert_eq!(
        (
            faults(&format!("{doc}\nstruct A;")).len(),
            warnings(doc).len()
        ),
        (1, 3)
    );
    assert_eq!(faults("/// +kubebuilder:rbac:verb=get\nstruct A;").len(), 1);
    assert_eq!(faults("//! +kubebuilder:webhook:x=1\nstruct A;").len(), 1);
}

#[test]
fn each_kind_of_marker_has_its_list() {
    let found = find(&[(
        "src/a.rs",
        "// +kubebuilder:webhookconfiguration:mutating=true,name=a\n// +kubebuilder:rbac:verbs=get\n",
    )]);
    let counts = [&found.configurations, &found.rbac, &found.webhooks].map(Vec::len);
    assert_eq!((counts, found.faults.len()), ([1, 1, 0], 0));
}
