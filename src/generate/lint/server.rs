//! The API server's own words about a CRD, at the fields as users write them.
use super::items;
use serde_json::Value;

/// What the server says of a field of a CRD, such as
/// `spec.versions[0].schema.openAPIV3Schema.properties[spec].pattern`, as `MyApp v1: spec: pattern: …`.
pub fn told(crd: &Value, field: &str, message: &str) -> String {
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap_or_default();
    let message = message.trim().replace('\n', "\n      ");
    let (version, place) = of_version(crd, field);
    let version = version.map(|version| format!(" {version}"));
    let version = version.unwrap_or_default();
    match shown(place) {
        place if place.is_empty() => format!("{kind}{version}: {message}"),
        place => format!("{kind}{version}: {place}: {message}"),
    }
}

/// The name of the version that a field is of, if it is of one, and the rest of the field.
fn of_version<'a>(crd: &'a Value, field: &'a str) -> (Option<&'a str>, &'a str) {
    let versions = items(&crd["spec"]["versions"]);
    let name = |version: &'a Value| version["name"].as_str();
    if let Some((index, rest)) = field
        .strip_prefix("spec.versions[")
        .and_then(|rest| rest.split_once(']'))
    {
        let version = index
            .parse::<usize>()
            .ok()
            .and_then(|index| versions.get(index));
        return (version.and_then(name), rest.trim_start_matches('.'));
    }
    // The server moves what all versions share, and so that of a single one, to the CRD.
    match (field.strip_prefix("spec."), versions) {
        (Some(rest), [version]) => (name(version), rest),
        (Some(rest), _) => (None, rest),
        (None, _) => (None, field),
    }
}

fn shown(place: &str) -> String {
    let schema = ["schema.openAPIV3Schema", "validation.openAPIV3Schema"];
    let Some(mut rest) = schema
        .into_iter()
        .find_map(|schema| place.strip_prefix(schema))
    else {
        return place.to_owned();
    };
    let mut field = String::new();
    loop {
        if let Some((name, after)) = rest
            .strip_prefix(".properties[")
            .and_then(|rest| rest.split_once(']'))
        {
            let dot = if field.is_empty() { "" } else { "." };
            field.push_str(dot);
            field.push_str(name);
            rest = after;
        } else if let Some(after) = step(rest, ".items") {
            field.push_str("[]");
            rest = after;
        } else if let Some(after) = step(rest, ".additionalProperties") {
            field.push_str("{}");
            rest = after;
        } else {
            break;
        }
    }
    match (field.as_str(), rest.trim_start_matches('.')) {
        ("", keyword) => keyword.to_owned(),
        (_, "") => field,
        (_, keyword) => format!("{field}: {keyword}"),
    }
}

/// What follows a keyword that leads to another schema.
fn step<'a>(rest: &'a str, keyword: &str) -> Option<&'a str> {
    rest.strip_prefix(keyword)
        .filter(|after| after.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_shown_as_users_write_them() {
        let crd = |names: &[&str]| {
            let versions: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
            json!({ "spec": { "names": { "kind": "MyApp" }, "versions": versions } })
        };
        let schema = "schema.openAPIV3Schema.properties[spec].properties[ports].items.properties[name].pattern";
        for (names, field, expected) in [
            (
                &["v1", "v2"][..],
                format!("spec.versions[1].{schema}"),
                "MyApp v2: spec.ports[].name: pattern: no",
            ),
            (
                &["v1"],
                "spec.validation.openAPIV3Schema.properties[spec].additionalProperties.default"
                    .to_owned(),
                "MyApp v1: spec{}: default: no",
            ),
            (
                &["v1", "v2"],
                "spec.validation.openAPIV3Schema".to_owned(),
                "MyApp: no",
            ),
            (
                &["v1"],
                "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule".to_owned(),
                "MyApp v1: x-kubernetes-validations[0].rule: no",
            ),
            (
                &["v1"],
                "spec.validation.openAPIV3Schema.properties[a].items".to_owned(),
                "MyApp v1: a: items: no",
            ),
            (
                &["v1"],
                "spec.versions[7].name".to_owned(),
                "MyApp: name: no",
            ),
            (
                &["v1"],
                "metadata.name".to_owned(),
                "MyApp: metadata.name: no",
            ),
            (&["v1"], String::new(), "MyApp: no"),
        ] {
            assert_eq!(told(&crd(names), &field, "no"), expected, "{field}");
        }
    }
}
