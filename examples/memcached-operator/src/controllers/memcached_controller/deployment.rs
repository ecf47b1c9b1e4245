//! The Deployment of a Memcached.
use super::Object;
use k8s_openapi::{
    api::{
        apps::v1::{Deployment, DeploymentSpec},
        core::v1::{
            Capabilities, Container, ContainerPort, PodSecurityContext, PodSpec, PodTemplateSpec,
            Probe, SeccompProfile, SecurityContext, TCPSocketAction,
        },
    },
    apimachinery::pkg::{
        apis::meta::v1::{LabelSelector, ObjectMeta},
        util::intstr::IntOrString,
    },
};
use kube::ResourceExt;
use std::{collections::BTreeMap, num::NonZeroU32};

/// Where memcached listens.
const PORT: i32 = 11211;
/// The user `memcache` of the official images.
const USER: i64 = 11211;

/// The Deployment of an object: all that the operator decides on, and nothing else.
pub(super) fn new(object: &Object, memory_limit: Option<NonZeroU32>) -> Deployment {
    let labels = BTreeMap::from([
        ("app.kubernetes.io/name".into(), "memcached".into()),
        ("app.kubernetes.io/instance".into(), object.name_any()),
    ]);
    Deployment {
        metadata: ObjectMeta {
            name: Some(object.name_any()),
            labels: Some(labels.clone()),
            ..ObjectMeta::default()
        },
        spec: DeploymentSpec {
            replicas: Some(object.spec.size),
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..LabelSelector::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels),
                    ..ObjectMeta::default()
                }),
                spec: Some(pod(&object.spec.image, memory_limit)),
            },
            ..DeploymentSpec::default()
        },
        ..Deployment::default()
    }
}

/// A pod that the pod security standard `restricted` admits.
fn pod(image: &str, memory_limit: Option<NonZeroU32>) -> PodSpec {
    PodSpec {
        automount_service_account_token: Some(false),
        containers: vec![Container {
            name: "memcached".into(),
            image: Some(image.into()),
            args: memory_limit.map(|megabytes| vec![format!("--memory-limit={megabytes}")]),
            ports: Some(vec![ContainerPort {
                name: Some("memcached".into()),
                container_port: PORT,
                ..ContainerPort::default()
            }]),
            readiness_probe: Some(Probe {
                tcp_socket: Some(TCPSocketAction {
                    port: IntOrString::String("memcached".into()),
                    ..TCPSocketAction::default()
                }),
                ..Probe::default()
            }),
            security_context: Some(SecurityContext {
                allow_privilege_escalation: Some(false),
                capabilities: Some(Capabilities {
                    drop: Some(vec!["ALL".into()]),
                    ..Capabilities::default()
                }),
                read_only_root_filesystem: Some(true),
                ..SecurityContext::default()
            }),
            ..Container::default()
        }],
        security_context: Some(PodSecurityContext {
            run_as_non_root: Some(true),
            run_as_user: Some(USER),
            seccomp_profile: Some(SeccompProfile {
                type_: "RuntimeDefault".into(),
                ..SeccompProfile::default()
            }),
            ..PodSecurityContext::default()
        }),
        ..PodSpec::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object() -> Object {
        let spec = json!({"size": 3, "image": "cache:1"});
        Object::new("sample", serde_json::from_value(spec).unwrap())
    }

    #[test]
    fn it_follows_the_spec() {
        let spec = new(&object(), NonZeroU32::new(64)).spec;
        assert_eq!(spec.replicas, Some(3));
        let template = spec.template;
        let labels = template.metadata.unwrap().labels;
        assert_eq!(spec.selector.match_labels, labels);
        let container = &template.spec.unwrap().containers[0];
        assert_eq!(container.image.as_deref(), Some("cache:1"));
        assert_eq!(container.args, Some(vec!["--memory-limit=64".into()]));
    }

    #[test]
    fn without_settings_the_image_decides() {
        let pod = new(&object(), None).spec.template.spec.unwrap();
        assert_eq!(pod.containers[0].args, None);
    }
}
