//! What Rust types turn into that the API server takes, and that is not what was meant.
use super::{Effect, Node, OfSchema, Rule, fit};

/// What the API server knows; `-` in them does not count.
const FORMATS: [&str; 26] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "k8sshortname",
    "k8slongname",
];

pub(super) static RULES: [OfSchema; 3] = [
    (
        Rule::new(
            "integer-range",
            Effect::Unreadable,
            "an integer of 8, 16 or 32 bits, or an unsigned one, without the bounds of its type",
            "add `#[schemars(range(min = …, max = …))]` with what the Rust type holds, or use `i32` or `i64`; a type that is not yours, such as `std::time::Duration`, needs `#[schemars(schema_with = …)]` or a text in its place",
        ),
        range,
    ),
    (
        Rule::regretted(
            "format",
            "a format that the API server does not know, or not for that type, and so does not check",
            "use `#[schemars(regex(pattern = …))]` or a CEL rule, or leave the format out",
        ),
        format,
    ),
    (
        Rule::regretted(
            "bound",
            "an integer with a minimum, maximum or multipleOf that is no integer of its format: the API server refuses every value",
            "use a bound that the Rust type holds in `#[schemars(range(…))]`",
        ),
        |node| {
            let key = fit::wrong_bound(node.schema)?;
            let bound = &node.schema[key];
            Some(format!(
                "has the {key} {bound}, which is not of its own type and format: the API server refuses every value"
            ))
        },
    ),
];

/// The API server holds numbers to int32 and int64 only; of other formats it checks the bounds.
fn range(node: &Node<'_>) -> Option<String> {
    let format = node.text("format")?;
    let (least, most): (f64, Option<f64>) = match format {
        "uint8" => (0.0, Some(u8::MAX.into())),
        "int8" => (i8::MIN.into(), Some(i8::MAX.into())),
        "uint16" => (0.0, Some(u16::MAX.into())),
        "int16" => (i16::MIN.into(), Some(i16::MAX.into())),
        "uint32" => (0.0, Some(u32::MAX.into())),
        // It takes no number beyond int64.
        "uint" | "uint64" | "uint128" => (0.0, None),
        _ => return None,
    };
    let bound = |key: &str| node.schema[key].as_f64();
    let below = bound("minimum").is_none_or(|bound| bound < least);
    let beyond = most.is_some_and(|most| bound("maximum").is_none_or(|bound| bound > most));
    let what = match (below, beyond) {
        (true, true) => "minimum and maximum",
        (true, false) => "minimum",
        (false, true) => "maximum",
        (false, false) => return None,
    };
    Some(format!(
        "is of format {format}, which the API server does not know, without its {what}: a number beyond that would be stored, and the operator could not read any object of the kind"
    ))
}

fn format(node: &Node<'_>) -> Option<String> {
    let format = node.text("format")?;
    let kind = node
        .text("type")
        .or_else(|| node.declared?["type"].as_str());
    let known = match kind {
        None | Some("" | "string") => FORMATS.contains(&format.replace('-', "").as_str()),
        // Those of Rust's integers, which schemars writes, are a matter of their range.
        Some("integer") => format.trim_start_matches('u').starts_with("int"),
        Some("number") => matches!(format, "float" | "double"),
        Some(_) => false,
    };
    let of = kind.unwrap_or("any type");
    (!known).then(|| format!("has the format {format}, which the API server does not know for {of}, and does not check"))
}
