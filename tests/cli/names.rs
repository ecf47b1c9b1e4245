//! Names and resources against the rules of Kubernetes, Cargo and rustc.
#![allow(clippy::unwrap_used, reason = "a test panics where it fails")]

mod kubernetes;
mod project;
mod properties;
mod resource;

use rop::error::{Error, ErrorKind};
use std::{fmt::Debug, str::FromStr};

/// Each is accepted and prints as it was.
fn accepts<T>(values: &[&str])
where
    T: FromStr<Err = Error> + ToString,
{
    for value in values {
        match value.parse::<T>() {
            Ok(name) => assert_eq!(name.to_string(), *value),
            Err(error) => panic!("`{value}` is refused: {error}"),
        }
    }
}

/// Each is refused as invalid, with the hint that is expected of it.
fn refuses<T>(cases: &[(&str, Option<&str>)])
where
    T: FromStr<Err = Error> + Debug,
{
    for (value, nearest) in cases {
        let error = refusal::<T>(value);
        let hints: Vec<_> = nearest.iter().map(|name| format!("try `{name}`")).collect();
        assert_eq!(error.hints(), hints, "hints for `{value}`: {error}");
    }
}

/// Each is refused as invalid.
fn refuses_all<T>(values: &[&str])
where
    T: FromStr<Err = Error> + Debug,
{
    for value in values {
        refusal::<T>(value);
    }
}

fn refusal<T>(value: &str) -> Error
where
    T: FromStr<Err = Error> + Debug,
{
    let error = value.parse::<T>().expect_err(value);
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    let message = error.message();
    assert!(message.contains("example: `"), "{message}");
    assert!(!message.contains('\n'), "{message}");
    error
}
