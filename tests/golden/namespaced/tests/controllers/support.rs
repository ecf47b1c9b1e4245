//! The manager against a real API server, in a namespace of its own.
#![allow(dead_code, reason = "not every operator needs all of it")]
use clap::Parser;
use k8s_openapi::{
    NamespaceResourceScope,
    api::{
        core::v1::Namespace,
        rbac::v1::{Role, RoleBinding},
    },
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, Config, Resource, ResourceExt,
    api::{DeleteParams, ObjectMeta, PostParams},
    config::Kubeconfig,
    runtime::{conditions::is_crd_established, wait::await_condition},
};
use rop_manager::{CancellationToken, Manager, ManagerError, Options};
use serde::{Serialize, de::DeserializeOwned};
use std::{env, fmt::Debug, time::Duration};
use tokio::{task::JoinHandle, time::timeout};

use myapp_operator::{OPERATOR, api, controllers};

const PATIENCE: Duration = Duration::from_secs(20);

pub struct TestEnv {
    pub client: Client,
    pub namespace: String,
    shutdown: CancellationToken,
    manager: JoinHandle<Result<(), ManagerError>>,
}

impl TestEnv {
    /// Starts the manager, once the CRDs are there; stops where this may do harm.
    pub async fn start() -> Self {
        let is = |name, value| env::var(name).is_ok_and(|v| v == value);
        assert!(
            is("ROP_ENVTEST", "1") || is("USE_EXISTING_CLUSTER", "true"),
            "run `make test`, or set USE_EXISTING_CLUSTER=true to use the cluster of KUBECONFIG"
        );
        let client = Client::try_default().await.unwrap();
        wait_for_crds(&client).await;
        let namespace = create_namespace(&client).await;

        let options = Options::parse_from([
            "manager",
            "--health-probe-bind-address=0",
            "--watch-namespace",
            &namespace,
        ]);
        let own = operator_client(&client, &namespace).await;
        let manager = Manager::new(OPERATOR, own, options, controllers::all());
        let shutdown = CancellationToken::new();
        Self {
            manager: tokio::spawn(manager.run(shutdown.clone())),
            client,
            namespace,
            shutdown,
        }
    }

    pub fn api<K>(&self) -> Api<K>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    /// Waits until `condition` is true of an object, and returns the object.
    pub async fn wait<K>(&self, api: &Api<K>, name: &str, condition: impl Fn(&K) -> bool) -> K
    where
        K: Clone + Debug + DeserializeOwned + Resource + Send + 'static,
    {
        let found = await_condition(api.clone(), name, |object: Option<&K>| {
            object.is_some_and(&condition)
        });
        let found = timeout(PATIENCE, found).await;
        found
            .expect("the condition came true in time")
            .unwrap()
            .unwrap()
    }

    /// Stops the manager, which must end well.
    pub async fn stop(self) {
        self.shutdown.cancel();
        let ended = timeout(PATIENCE, self.manager).await;
        ended.expect("the manager ended in time").unwrap().unwrap();
        let namespaces = Api::<Namespace>::all(self.client);
        namespaces
            .delete(&self.namespace, &DeleteParams::default())
            .await
            .unwrap();
    }
}

/// The operator's own client, which should have the rights of `config/rbac` and no others, where
/// `ROP_OPERATOR_KUBECONFIG` names a file for one; otherwise that of the tests.
async fn operator_client(client: &Client, namespace: &str) -> Client {
    let Some(path) = env::var_os("ROP_OPERATOR_KUBECONFIG") else {
        return client.clone();
    };
    copy::<Role>(client, "manager-role", namespace).await;
    copy::<RoleBinding>(client, "manager-rolebinding", namespace).await;
    let kubeconfig = Kubeconfig::read_from(path).unwrap();
    let config = Config::from_custom_kubeconfig(kubeconfig, &Default::default()).await;
    Client::try_from(config.unwrap()).unwrap()
}

/// Gives the operator in the namespace of a test what it has in its own.
async fn copy<K>(client: &Client, name: &str, namespace: &str)
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    K: Clone + Debug + DeserializeOwned + Serialize,
{
    let own = |what: &str| format!("{}-{what}", OPERATOR.name);
    let api = Api::<K>::namespaced(client.clone(), &own("system"));
    let mut object = api.get(&own(name)).await.unwrap();
    *object.meta_mut() = ObjectMeta {
        name: Some(own(name)),
        ..Default::default()
    };
    let api = Api::<K>::namespaced(client.clone(), namespace);
    api.create(&PostParams::default(), &object).await.unwrap();
}

async fn wait_for_crds(client: &Client) {
    let crds = Api::<CustomResourceDefinition>::all(client.clone());
    for crd in api::crds() {
        let name = crd.name_any();
        let established = await_condition(crds.clone(), &name, is_crd_established());
        match timeout(PATIENCE, established).await {
            Ok(seen) => _ = seen.unwrap(),
            Err(_) => panic!("the CRD {name} is not established: run `make install`"),
        }
    }
}

async fn create_namespace(client: &Client) -> String {
    let namespace = Namespace {
        metadata: ObjectMeta {
            generate_name: Some("test-".into()),
            ..Default::default()
        },
        ..Default::default()
    };
    let namespaces = Api::all(client.clone());
    let created = namespaces
        .create(&PostParams::default(), &namespace)
        .await
        .unwrap();
    created.name_any()
}
