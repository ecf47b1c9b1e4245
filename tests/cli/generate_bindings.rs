//! Roles of several names and namespaces: what kustomize and the API server make of them.
use crate::{
    cluster::{self, Kubectl, install, render},
    support::{self, CREATE, Dir, INIT},
};
use rop::envtest::ControlPlane;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ACCOUNT: &str =
    "system:serviceaccount:myapp-operator-system:myapp-operator-controller-manager";
const FILE: &str = "src/rights.rs";

fn markers(lines: &[&str]) -> String {
    let line = |line: &&str| format!("// +kubebuilder:rbac:{line}\n");
    lines.iter().map(line).collect()
}

const MARKERS: [&str; 7] = [
    "groups=core,resources=pods,verbs=get",
    "groups=core,resources=nodes,verbs=list,roleName=nodes",
    "groups=core,resources=secrets,verbs=get,namespace=infra",
    "groups=core,resources=secrets,verbs=list,namespace=users",
    "groups=batch,resources=jobs,verbs=create,namespace=users,roleName=jobs.a",
    "groups=core,resources=configmaps,verbs=delete,namespace=system",
    "groups=apps,resources=deployments,verbs=patch,namespace=system,roleName=jobs.a",
];

/// Kind, namespace and name of all roles, and of bindings with what they bind.
fn roles(rendered: &[Value]) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let rbac = rendered.iter().filter(|object| {
        let kind = text(&object["kind"]);
        kind.ends_with("Role") || kind.ends_with("RoleBinding")
    });
    let line = |object: &Value| {
        let (kind, named) = (text(&object["kind"]), &object["metadata"]);
        let (space, name) = (text(&named["namespace"]), text(&named["name"]));
        let subject = &object["subjects"][0];
        match text(&object["roleRef"]["name"]) {
            role if role == "-" => format!("{kind} {space}/{name}"),
            role => format!(
                "{kind} {space}/{name}: {} {role} to {}/{}",
                text(&object["roleRef"]["kind"]),
                text(&subject["namespace"]),
                text(&subject["name"]),
            ),
        }
    };
    rbac.map(line)
        .filter(|line| !line.contains("-myapp-") && !line.contains("leader"))
        .collect()
}

fn wanted(prefix: &str, system: &str) -> BTreeSet<String> {
    let account = format!("to {system}/{prefix}-controller-manager");
    let role = |kind: &str, space: &str, name: &str, binding: &str| {
        [
            format!("{kind} {space}/{prefix}-{name}"),
            format!("{kind}Binding {space}/{prefix}-{binding}: {kind} {prefix}-{name} {account}"),
        ]
    };
    [
        role("ClusterRole", "-", "manager-role", "manager-rolebinding"),
        role("ClusterRole", "-", "nodes", "nodes-binding"),
        role(
            "Role",
            "infra",
            "manager-role.infra",
            "manager-role-binding.infra",
        ),
        role(
            "Role",
            "users",
            "manager-role.users",
            "manager-role-binding.users",
        ),
        role("Role", "users", "jobs.a.users", "jobs.a-binding.users"),
        role("Role", system, "manager-role", "manager-role-binding"),
        role("Role", system, "jobs.a", "jobs.a-binding"),
    ]
    .concat()
    .into_iter()
    .collect()
}

#[test]
fn roles_keep_their_namespaces_and_are_bound() {
    let dir = Dir::project(&[INIT, CREATE]);
    dir.write(FILE, markers(&MARKERS));
    support::line(&dir, "rop generate rbac --check").fails(3, &["not up to date"]);
    support::line(&dir, "rop generate rbac").ok();
    let before = support::tree(&dir);
    support::line(&dir, "rop generate rbac --check").ok();
    support::line(
        &dir,
        "rop create api --group app --version v1alpha1 --kind Other",
    )
    .ok();
    support::line(&dir, "rop generate rbac --check").ok();
    let after = support::tree(&dir);
    for (path, bytes) in before.iter().filter(|(path, _)| path.contains("bindings")) {
        assert!(after[path] == *bytes, "{path}");
    }
    let rendered = render(&dir, "config/default");
    let prefix = "myapp-operator";
    let others = |line: &String| !line.contains("-other-");
    let found: BTreeSet<_> = roles(&rendered).into_iter().filter(others).collect();
    assert_eq!(found, wanted(prefix, "myapp-operator-system"));

    // What is deployed may go by other names.
    let deployed = dir.text("config/default/kustomization.yaml");
    let other = deployed
        .replace("myapp-operator-system", "elsewhere")
        .replace("myapp-operator-", "z-");
    dir.write("config/default/kustomization.yaml", other);
    let rendered = render(&dir, "config/default");
    let found: BTreeSet<_> = roles(&rendered).into_iter().filter(others).collect();
    assert_eq!(found, wanted("z", "elsewhere"));
    dir.write("config/default/kustomization.yaml", deployed);

    // Without them, the files stay in the lists and are of no effect.
    dir.write(FILE, markers(&MARKERS[..1]));
    support::line(&dir, "rop generate rbac").ok();
    let rendered = render(&dir, "config/default");
    let found: BTreeSet<_> = roles(&rendered).into_iter().filter(others).collect();
    let two: BTreeSet<_> = wanted(prefix, "myapp-operator-system")
        .into_iter()
        .filter(|l| l.contains("-/") && !l.contains("nodes"))
        .collect();
    assert_eq!(found, two);
    support::line(&dir, "rop generate rbac --check").ok();
}

#[test]
fn a_namespaced_operator_has_roles_of_several_names() {
    let dir = Dir::project(&[&format!("{INIT} --namespaced"), CREATE]);
    dir.write(
        FILE,
        markers(&["groups=core,resources=pods,verbs=get,roleName=pods"]),
    );
    support::line(&dir, "rop generate rbac").ok();
    let found = roles(&render(&dir, "config/default"));
    let space = "myapp-operator-system";
    let account = format!("to {space}/myapp-operator-controller-manager");
    assert!(
        found.contains(&format!("Role {space}/myapp-operator-pods")),
        "{found:?}"
    );
    let binding = format!(
        "RoleBinding {space}/myapp-operator-pods-binding: Role myapp-operator-pods {account}"
    );
    assert!(found.contains(&binding), "{found:?}");
    assert!(
        found.iter().all(|line| !line.starts_with("Cluster")),
        "{found:?}"
    );
}

#[test]
fn without_a_kustomization_nothing_is_in_the_way() {
    let dir = Dir::project(&[INIT]);
    for folder in ["rbac", "default"] {
        std::fs::remove_file(dir.join(format!("config/{folder}/kustomization.yaml"))).unwrap();
    }
    dir.write(FILE, markers(&MARKERS));
    support::line(&dir, "rop generate rbac").ok();
    assert!(
        dir.text("config/rbac/bindings/bindings.yaml")
            .contains("jobs.a")
    );
}

/// Groups, resources, verbs and namespaces of the markers and their neighbours.
const ASKED: [(&str, &str); 10] = [
    ("", "pods"),
    ("", "pods/log"),
    ("", "nodes"),
    ("", "secrets"),
    ("", "configmaps"),
    ("batch", "jobs"),
    ("batch", "jobs/status"),
    ("", "jobs"),
    ("apps", "deployments"),
    ("extensions", "deployments"),
];
const VERBS: [&str; 7] = [
    "get", "list", "watch", "create", "update", "patch", "delete",
];
const SPACES: [&str; 4] = ["infra", "users", "myapp-operator-system", "default"];

/// The full product, asked of the API server in one request.
fn allowed(control_plane: &ControlPlane) -> BTreeSet<String> {
    let mut reviews = Vec::new();
    for (group, resource) in ASKED {
        for verb in VERBS {
            for space in SPACES {
                let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
                reviews.push(json!({
                    "group": group, "resource": resource, "subresource": subresource,
                    "verb": verb, "namespace": space,
                }));
            }
        }
    }
    let answers = Kubectl(control_plane).review(ACCOUNT, &reviews);
    assert_eq!(answers.len(), reviews.len());
    let yes = answers
        .iter()
        .filter(|answer| answer["status"]["allowed"] == true);
    yes.map(|answer| {
        let of = &answer["spec"]["resourceAttributes"];
        let text = |field: &str| of[field].as_str().unwrap_or_default().to_owned();
        assert_eq!(text("subresource"), "", "{answer}");
        format!(
            "{} {}/{} in {}",
            text("verb"),
            text("group"),
            text("resource"),
            text("namespace")
        )
    })
    .collect()
}

#[test]
fn the_api_server_allows_what_the_markers_say_and_nothing_else() {
    let dir = Dir::project(&[INIT]);
    dir.write(FILE, markers(&MARKERS));
    support::line(&dir, "rop generate rbac").ok();
    let control_plane = cluster::audited();
    for space in ["infra", "users"] {
        Kubectl(&control_plane).ok(&["create", "namespace", space]);
    }
    install(&control_plane, &render(&dir, "config/default"));
    let mut wanted: BTreeSet<String> = [
        "get /secrets in infra",
        "list /secrets in users",
        "create batch/jobs in users",
        "delete /configmaps in myapp-operator-system",
        "patch apps/deployments in myapp-operator-system",
    ]
    .map(Into::into)
    .into();
    for space in SPACES {
        wanted.insert(format!("get /pods in {space}"));
        wanted.insert(format!("list /nodes in {space}"));
    }
    assert_eq!(allowed(&control_plane), wanted);
}

/// A role of one marker, as its author means it: what the API server shall allow is told by these
/// lists, not by what rop makes of them.
struct Meant {
    groups: &'static [&'static str],
    resources: &'static [&'static str],
    names: &'static [&'static str],
    verbs: &'static [&'static str],
    namespace: &'static str,
}

#[rustfmt::skip]
const MEANT: [Meant; 7] = [
    Meant { groups: &["apps"], resources: &["foos"], names: &[], verbs: &["get", "list"], namespace: "" },
    Meant { groups: &["core", "apps"], resources: &["foos", "bars/scale"], names: &[], verbs: &["patch"], namespace: "infra" },
    Meant { groups: &["apps"], resources: &["*/scale"], names: &[], verbs: &["get"], namespace: "" },
    Meant { groups: &["*"], resources: &["bars"], names: &[], verbs: &["*"], namespace: "" },
    Meant { groups: &["core"], resources: &["*"], names: &[], verbs: &["list"], namespace: "infra" },
    Meant { groups: &["apps"], resources: &["foos"], names: &["one"], verbs: &["create", "get", "patch"], namespace: "" },
    Meant { groups: &["core"], resources: &["foos/scale"], names: &["two", "one"], verbs: &["*"], namespace: "infra" },
];

impl Meant {
    fn marker(&self, number: usize) -> String {
        let mut marker = format!(
            "groups={},resources={},verbs={},roleName=role{number}",
            self.groups.join(";"),
            self.resources.join(";"),
            self.verbs.join(";"),
        );
        if !self.names.is_empty() {
            marker += &format!(",resourceNames={}", self.names.join(";"));
        }
        if !self.namespace.is_empty() {
            marker += &format!(",namespace={}", self.namespace);
        }
        marker
    }

    /// By the words of the documentation of Kubernetes.
    fn allows(&self, asked: &Asked) -> bool {
        let group = if asked.group.is_empty() {
            "core"
        } else {
            asked.group
        };
        let has = |list: &[&str], one: &str| list.contains(&one) || list.contains(&"*");
        let sub = asked
            .resource
            .split_once('/')
            .map(|(_, sub)| format!("*/{sub}"));
        has(self.groups, group)
            && (has(self.resources, asked.resource)
                || sub.is_some_and(|sub| self.resources.contains(&&*sub)))
            && has(self.verbs, asked.verb)
            && (self.names.is_empty() || self.names.contains(&asked.name))
            && (self.namespace.is_empty() || self.namespace == asked.space)
    }
}

struct Asked {
    role: usize,
    group: &'static str,
    resource: &'static str,
    verb: &'static str,
    name: &'static str,
    space: &'static str,
}

/// The product of all that roles name, and of what stands beside it.
fn product() -> Vec<Asked> {
    let mut asked = Vec::new();
    for role in 0..MEANT.len() {
        for group in ["", "apps", "batch"] {
            for resource in ["foos", "foos/scale", "foos/status", "bars", "bars/scale"] {
                for verb in ["get", "list", "create", "patch", "delete"] {
                    for (name, space) in [
                        ("", "infra"),
                        ("one", "infra"),
                        ("three", "infra"),
                        ("one", "users"),
                    ] {
                        asked.push(Asked {
                            role,
                            group,
                            resource,
                            verb,
                            name,
                            space,
                        });
                    }
                }
            }
        }
    }
    asked
}

#[test]
fn each_role_allows_the_product_of_its_lists() {
    let dir = Dir::project(&[INIT]);
    let lines: Vec<_> = MEANT
        .iter()
        .enumerate()
        .map(|(n, meant)| meant.marker(n))
        .collect();
    dir.write(
        FILE,
        markers(&lines.iter().map(String::as_str).collect::<Vec<_>>()),
    );
    support::line(&dir, "rop generate rbac").ok();
    let control_plane = cluster::audited();
    for space in ["infra", "users"] {
        Kubectl(&control_plane).ok(&["create", "namespace", space]);
    }
    // Each role is bound as rop binds it, but to a user of its own.
    let mut rendered = render(&dir, "config/default");
    for object in &mut rendered {
        let name = object["roleRef"]["name"].as_str().unwrap_or_default();
        if let Some((_, number)) = name
            .split_once("-role")
            .filter(|(_, n)| n.starts_with(|c: char| c.is_ascii_digit()))
        {
            let user = format!("user{}", &number[..1]);
            object["subjects"] =
                json!([{"kind": "User", "name": user, "apiGroup": "rbac.authorization.k8s.io"}]);
        }
    }
    install(&control_plane, &rendered);
    let asked = product();
    let attributes = |asked: &Asked| {
        let (resource, subresource) = asked
            .resource
            .split_once('/')
            .unwrap_or((asked.resource, ""));
        json!({
            "group": asked.group, "resource": resource, "subresource": subresource,
            "verb": asked.verb, "name": asked.name, "namespace": asked.space,
        })
    };
    let mut answers = Vec::new();
    for of_role in asked.chunk_by(|a, b| a.role == b.role) {
        let user = format!("user{}", of_role[0].role);
        let reviews: Vec<_> = of_role.iter().map(attributes).collect();
        answers.extend(Kubectl(&control_plane).review(&user, &reviews));
    }
    assert_eq!(answers.len(), asked.len());
    let mut yes = [0; MEANT.len()];
    for (asked, answer) in asked.iter().zip(&answers) {
        let allowed = answer["status"]["allowed"] == true;
        yes[asked.role] += usize::from(allowed);
        assert_eq!(
            allowed,
            MEANT[asked.role].allows(asked),
            "{}: {answer}",
            lines[asked.role]
        );
    }
    assert!(yes.iter().all(|count| *count > 0), "{yes:?}");
}
