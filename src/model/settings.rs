//! What a project can be switched to after its start, and what the flags make of it.
use crate::error::{Error, Result};

/// The optional parts of what is deployed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Metrics, and a service for them.
    pub metrics: bool,
    /// Who may connect to the pods.
    pub network_policy: bool,
    /// A ServiceMonitor for the Prometheus Operator; needs the metrics.
    pub prometheus: bool,
}

impl Parts {
    /// Name in PROJECT and state of each part.
    pub fn named(self) -> [(&'static str, bool); 3] {
        [
            ("metrics", self.metrics),
            ("networkPolicy", self.network_policy),
            ("prometheus", self.prometheus),
        ]
    }
}

/// The parts that flags name, and what they are switched to; the others stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartsRequest {
    /// Of `--metrics`.
    pub metrics: Option<bool>,
    /// Of `--network-policy`.
    pub network_policy: Option<bool>,
    /// Of `--prometheus`.
    pub prometheus: Option<bool>,
}

impl PartsRequest {
    /// The request with what follows from it for a project with these parts, and a word about
    /// what follows.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`](crate::error::ErrorKind::Usage) if it contradicts itself.
    pub fn complete(mut self, parts: Parts) -> Result<(Self, Option<&'static str>)> {
        match (self.metrics, self.prometheus) {
            (Some(false), Some(true)) => Err(Error::usage(
                "with --metrics=false there is nothing for --prometheus to scrape",
            )
            .hint("leave one of them out")),
            (None, Some(true)) => {
                self.metrics = Some(true);
                let told = "--prometheus needs the metrics: they are switched on, too";
                Ok((self, (!parts.metrics).then_some(told)))
            }
            (Some(false), None) => {
                self.prometheus = Some(false);
                let told = "the ServiceMonitor needs the metrics: it is switched off, too";
                Ok((self, parts.prometheus.then_some(told)))
            }
            _ => Ok((self, None)),
        }
    }

    /// The parts that a project will have.
    pub fn apply(self, parts: Parts) -> Parts {
        Parts {
            metrics: self.metrics.unwrap_or(parts.metrics),
            network_policy: self.network_policy.unwrap_or(parts.network_policy),
            prometheus: self.prometheus.unwrap_or(parts.prometheus),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const ALL: Parts = Parts {
        metrics: true,
        network_policy: true,
        prometheus: true,
    };

    fn request(metrics: Option<bool>, prometheus: Option<bool>) -> PartsRequest {
        PartsRequest {
            metrics,
            prometheus,
            network_policy: None,
        }
    }

    #[test]
    fn prometheus_never_is_without_metrics() {
        let given = [None, Some(false), Some(true)];
        for (metrics, prometheus) in given.into_iter().flat_map(|m| given.map(|p| (m, p))) {
            for before in [Parts::default(), ALL] {
                let request = request(metrics, prometheus);
                let Ok((completed, told)) = request.complete(before) else {
                    assert_eq!((metrics, prometheus), (Some(false), Some(true)));
                    continue;
                };
                let after = completed.apply(before);
                assert!(after.metrics || !after.prometheus, "{request:?}");
                assert_eq!(after.network_policy, before.network_policy);
                let silent = request.apply(before);
                assert_eq!(told.is_some(), silent != after, "{request:?} {before:?}");
                for (given, is) in [(metrics, after.metrics), (prometheus, after.prometheus)] {
                    assert!(given.is_none_or(|given| given == is), "{request:?}");
                }
            }
        }
    }

    #[test]
    fn a_contradiction_is_a_wrong_usage() {
        let refused = request(Some(false), Some(true)).complete(ALL).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage);
    }
}
