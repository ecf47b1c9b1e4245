//! What the API server refuses of a webhook's address.
use super::{Refusal, SUBDOMAIN, is_subdomain};
use serde_json::Value;

/// What is wrong with the address of the webhook.
pub(super) fn refused(client: &Value) -> Option<Refusal> {
    let (url, service) = (&client["url"], &client["service"]);
    let at = |argument, why| Some(("clientConfig", argument, 0, why));
    match (url.as_str(), service.as_object()) {
        (Some(url), None) => at("url", of_url(url)?),
        (None, Some(_)) => {
            let port = &service["port"];
            if port
                .as_i64()
                .is_some_and(|port| !(1..=65535).contains(&port))
            {
                return at(
                    "servicePort",
                    format!("`{port}` is no port: those are 1 to 65535"),
                );
            }
            if ["name", "namespace"]
                .iter()
                .any(|part| service[*part].as_str().is_none_or(str::is_empty))
            {
                return at("path", "the service has no name or no namespace".into());
            }
            at("path", path(service["path"].as_str().unwrap_or_default())?)
        }
        _ => at("patch", "a webhook has one of `url` and `service`".into()),
    }
}

fn path(path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix('/') else {
        return (!path.is_empty()).then(|| format!("`{path}` is no path: it begins with `/`"));
    };
    let rest = rest
        .strip_suffix('/')
        .filter(|rest| !rest.is_empty())
        .unwrap_or(rest);
    let wrong = rest.split('/').find(|part| !is_subdomain(part));
    wrong
        .filter(|_| path != "/")
        .map(|part| format!("the API server refuses `{part}` as a part of a path: {SUBDOMAIN}"))
}

fn of_url(url: &str) -> Option<String> {
    let wrong = |why: &str| Some(format!("`{url}` is no address of a webhook: {why}"));
    let Some((scheme, rest)) = url.split_once("://") else {
        return wrong("it is `https://host[:port][/path]`");
    };
    let host = rest.split('/').next().unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("https") {
        wrong("the API server calls `https` only")
    } else if host.is_empty() || host.starts_with(':') {
        wrong("it has no host")
    } else if url.contains(['@', '?', '#']) {
        wrong("it takes no user, no query and no fragment")
    } else if url.contains(|c: char| c.is_whitespace() || c.is_control()) {
        wrong("there is a blank in it")
    } else {
        None
    }
}
