//! Bounds that became narrower.
use super::Told;
use serde_json::Value;

/// Bounds of sizes: the least, and the most.
const SIZES: [(&str, &str); 3] = [
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// Whether the first bound is beyond the second.
type Beyond = fn(f64, f64) -> bool;

/// A bound of numbers, and whether it is itself beyond.
#[derive(Clone, Copy)]
struct Bound(f64, bool);

/// Tells of each bound of a field that is narrower than before.
pub(super) fn compare(old: &Value, new: &Value, field: &str, told: &mut Told) {
    for (least, most) in SIZES {
        if let Some(after) = new[least].as_u64()
            && after > old[least].as_u64().unwrap_or(0)
        {
            told.tell(true, Some(field), narrower(least, &old[least], &new[least]));
        }
        if let Some(after) = new[most].as_u64()
            && old[most].as_u64().is_none_or(|before| after < before)
        {
            told.tell(true, Some(field), narrower(most, &old[most], &new[most]));
        }
    }
    let ends = |schema: &Value, end: &str, beyond: &str| {
        let bound = schema[end].as_f64()?;
        Some(Bound(bound, schema[beyond] == true))
    };
    let numbers: [(_, _, Beyond); 2] = [
        ("minimum", "exclusiveMinimum", |new, old| new > old),
        ("maximum", "exclusiveMaximum", |new, old| new < old),
    ];
    for (end, beyond, narrows) in numbers {
        if is_narrower(ends(old, end, beyond), ends(new, end, beyond), narrows) {
            told.tell(true, Some(field), narrower(end, &old[end], &new[end]));
        }
    }
    let fits = |bound: &Value| {
        bound
            .as_f64()
            .is_some_and(|bound| bound.abs() <= f64::from(i32::MAX))
    };
    if is_small(new) && !is_small(old) && !(fits(&old["minimum"]) && fits(&old["maximum"])) {
        told.tell(true, Some(field), "takes integers of 32 bits only".into());
    }
}

fn is_narrower(old: Option<Bound>, new: Option<Bound>, beyond: Beyond) -> bool {
    match (old, new) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(old), Some(new)) => beyond(new.0, old.0) || (new.0 == old.0 && new.1 && !old.1),
    }
}

/// Whether the API server knows from the format that an integer has 32 bits.
fn is_small(schema: &Value) -> bool {
    schema["format"] == "int32" && schema["type"] == "integer"
}

fn narrower(bound: &str, old: &Value, new: &Value) -> String {
    match old {
        Value::Null => format!("has a new `{bound}`: {new}"),
        old => format!("has a narrower `{bound}`: {new}; it was {old}"),
    }
}
