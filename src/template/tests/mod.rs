mod files;
mod rustfmt;
mod sources;

use super::{Api, Context, Layer, Rendered, render};

const LAYERS: [Layer; 6] = [
    Layer::Project,
    Layer::License,
    Layer::Version,
    Layer::Api,
    Layer::Crd,
    Layer::Controller,
];

/// `rop init --domain example.com`.
fn project() -> Context {
    Context {
        rop_version: "0.1.0",
        project: "myapp-operator".into(),
        project_crate: "myapp_operator".into(),
        domain: "example.com".into(),
        lease: "myapp-operator.example.com".into(),
        license: None,
        namespaced: false,
        api: None,
    }
}

/// And `rop create api --group app --version v1alpha1 --kind MyApp`.
fn myapp() -> Context {
    with_api(|_| {})
}

fn with_api(change: impl FnOnce(&mut Api)) -> Context {
    let mut api = Api {
        group: "app".into(),
        api_group: "app.example.com".into(),
        version: "v1alpha1".into(),
        kind: "MyApp".into(),
        root: "MyApp".into(),
        plural: "myapps".into(),
        stem: "myapp".into(),
        namespaced: true,
        approved: None,
        sample: "app_v1alpha1_myapp.yaml".into(),
        crd: "app.example.com_myapps.yaml".into(),
    };
    change(&mut api);
    Context {
        api: Some(api),
        ..project()
    }
}

/// One context for each way through the templates.
fn variants() -> Vec<Context> {
    let approved = "unapproved, \"quoted\" \\ text";
    vec![
        myapp(),
        with_api(|api| api.namespaced = false),
        with_api(|api| api.approved = Some(approved.into())),
        with_api(|api| api.approved = Some(approved.repeat(2))),
        with_api(|api| {
            api.kind = "Option".into();
            api.root = "OptionResource".into();
        }),
        Context {
            namespaced: true,
            ..myapp()
        },
        Context {
            license: Some("Apache-2.0"),
            ..myapp()
        },
        Context {
            license: Some("MIT"),
            domain: String::new(),
            lease: "myapp-operator".into(),
            ..myapp()
        },
    ]
}

fn files(layer: Layer, context: &Context) -> Vec<Rendered> {
    render(layer, context).expect("it renders")
}

fn all_files(context: &Context) -> Vec<Rendered> {
    let layers = LAYERS.into_iter();
    layers.flat_map(|layer| files(layer, context)).collect()
}

fn text(layer: Layer, context: &Context, path: &str) -> String {
    let files = files(layer, context).into_iter();
    let mut found = files.filter(|file| file.path == path);
    found.next().expect("the file is rendered").text
}
