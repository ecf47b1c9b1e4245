//! What holds for every string. `PROPTEST_CASES` sets how many are tried.
use proptest::prelude::*;
use rop::{
    error::Error,
    model::{
        names::{
            ApiGroup, Approval, Domain, Group, Kind, License, Plural, ProjectName, Version,
            module_name,
        },
        resource::Resource,
    },
};
use std::str::FromStr;

/// Anything, and what is nearly a name.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -~]{0,70}",
        "[A-Za-z0-9._ -]{0,70}",
        "[a-z0-9.-]{0,260}",
        "[vV]?[0-9]{0,2}[-.]?(alpha|beta|Alpha)?[0-9]{0,2}",
        "https?://[ -~]{0,20}",
    ]
}

fn is_identifier(name: &str) -> bool {
    // `gen` is a keyword since edition 2024, which syn accepts for the sake of older ones.
    name != "gen" && syn::parse_str::<syn::Ident>(name).is_ok()
}

/// It is kept as it is, or refused; then what the hint offers is another, valid name.
fn check<T>(value: &str) -> Result<(), TestCaseError>
where
    T: FromStr<Err = Error> + ToString,
{
    match value.parse::<T>() {
        Ok(name) => prop_assert_eq!(name.to_string(), value),
        Err(error) => {
            prop_assert_eq!(error.exit_code(), 2);
            prop_assert!(!error.message().contains('\n'));
            for hint in error.hints() {
                let nearest = hint.split('`').nth(1).expect("a name in the hint");
                prop_assert_ne!(nearest, value);
                prop_assert!(nearest.parse::<T>().is_ok(), "{}: {}", value, hint);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_are_kept_or_refused(value in text()) {
        check::<ApiGroup>(&value)?;
        check::<Approval>(&value)?;
        check::<Domain>(&value)?;
        check::<Group>(&value)?;
        check::<Kind>(&value)?;
        check::<License>(&value)?;
        check::<Plural>(&value)?;
        check::<ProjectName>(&value)?;
        check::<Version>(&value)?;
    }

    #[test]
    fn directories_are_taken_or_refused(value in text()) {
        match ProjectName::from_dir_name(&value) {
            Ok(name) => prop_assert_eq!(name.as_str(), value),
            Err(error) => {
                let hint = &error.hints()[0];
                let flag = hint.split('`').nth(1).expect("a flag in the hint");
                let name = flag.strip_prefix("--project-name ").expect("the flag");
                prop_assert!(name.parse::<ProjectName>().is_ok(), "{}", hint);
            }
        }
    }

    #[test]
    fn modules_are_identifiers(group in "[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?") {
        prop_assert!(is_identifier(&module_name(&group)), "{}", group);
    }

    #[test]
    fn crates_are_identifiers(name in "gen|type|crate|[a-z][a-z0-9-]{0,28}") {
        if let Ok(name) = name.parse::<ProjectName>() {
            prop_assert!(is_identifier(&name.crate_name()));
        }
    }

    #[test]
    fn kinds_give_names(kind in "[A-Z][A-Za-z0-9]{0,62}") {
        let kind: Kind = kind.parse().expect("a kind");
        let names = [kind.root(), kind.spec(), kind.status(), kind.list()];
        prop_assert!(names.iter().all(|name| is_identifier(name)));
        match Plural::of(&kind) {
            Ok(plural) => check::<Plural>(plural.as_str())?,
            Err(error) => prop_assert!(error.message().contains("too long")),
        }
    }

    #[test]
    fn resources_give_names(
        group in "[a-z0-9]{1,3}([.-][a-z0-9]{1,9}){0,3}|[a-z0-9]{150,250}",
        domain in "([a-z0-9]{1,9}[.])?[a-z]{1,9}",
        version in "v[1-9]((alpha|beta)[1-9]{1,55})?",
        kind in "[A-Z][A-Za-z0-9]{0,58}",
    ) {
        let (group, domain) = (group.parse().expect("a group"), domain.parse().expect("a domain"));
        let version = version.parse().expect("a version");
        let kind = kind.parse().expect("a kind");
        if let Ok(api) = Resource::new(group, domain, version, kind, None) {
            prop_assert!(api.crd_name().len() <= 253);
            prop_assert!(api.crd_file().len() <= 255 && api.sample_file().len() <= 255);
            prop_assert!(is_identifier(&api.group_module()));
            prop_assert!(is_identifier(&api.types_module()));
            prop_assert!(is_identifier(&api.controller_module()));
            prop_assert!(api.clash([&api]).is_ok());
        }
    }
}
