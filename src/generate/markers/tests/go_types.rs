//! Markers on Go types are answered with what does the same in Rust.
use super::faults;

/// Name, arguments, answer.
#[rustfmt::skip]
const ANSWERED: [(&str, &str, &str); 18] = [
    ("validation:Minimum", "=1", "use `#[schemars(range(min = 1))]`"),
    ("validation:Minimum", ":=1", "use `#[schemars(range(min = 1))]`"),
    ("validation:Minimum", "", "use `#[schemars(range(min = …))]`"),
    ("validation:Maximum", "=1.5", "use `#[schemars(range(max = 1.5))]`"),
    ("validation:Pattern", r#"=`^\d+"$`"#, r#"use `#[schemars(regex(pattern = "^\\d+\"$"))]`"#),
    ("validation:Enum", "=A;B", "make the type a Rust `enum` of A;B"),
    ("validation:items:MaxLength", "=3", "use `#[schemars(inner(length(max = 3)))]`"),
    ("validation:items:Type", "=string", "use `#[schemars(inner(…))]`"),
    ("nullable", "", "make the field an `Option`"),
    (
        "validation:XValidation",
        r#":rule="self.a == 'x,y'",message="no""#,
        r#"use `#[x_kube(validation = Rule::new("self.a == 'x,y'").message("no"))]` with `KubeSchema`, or `#[kube(validation = "self.a == 'x,y'")]` at the root"#,
    ),
    (
        "printcolumn",
        ":name=Age,type=date,JSONPath=`.metadata.creationTimestamp`",
        r#"use `#[kube(printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"))]`"#,
    ),
    (
        "subresource:scale",
        ":specpath=.spec.a,statuspath=.status.b",
        r#"use `#[kube(scale(spec_replicas_path = ".spec.a", status_replicas_path = ".status.b"))]`"#,
    ),
    ("example", "=1.5", "use `#[schemars(extend(\"example\" = 1.5))]`"),
    ("example", "=100Mi", "use `#[schemars(extend(\"example\" = \"100Mi\"))]`"),
    ("example", "=a;b", "use `#[schemars(extend(\"example\" = [\"a\", \"b\"]))]`"),
    ("example", "={b: {1, 2}, a: {c: true}}", "use `#[schemars(extend(\"example\" = {\"a\": {\"c\": true}, \"b\": [1, 2]}))]`"),
    ("example", "={b: ", "use `#[schemars(extend(\"example\" = …))]`"),
    (
        "default",
        r#"="x""#,
        r#"use `#[serde(default = "…")]` on the field, with a function that returns `x`"#,
    ),
];

#[test]
fn markers_on_go_types_are_answered() {
    for (name, arguments, answer) in ANSWERED {
        let told = format!(
            "src/a.rs:1:4: `+kubebuilder:{name}` is a marker for Go types; in Rust, {answer}"
        );
        assert_eq!(
            faults(&format!("// +kubebuilder:{name}{arguments}")),
            [told]
        );
    }
}
