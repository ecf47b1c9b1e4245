//! Enums that have no structural schema: kube panics when it derives a CRD with one, and shows what
//! it worked on, but neither the type nor the field. Those are found in the sources.
mod types;

use super::faults::{self, Fault};
use crate::error::Error;
use types::{Enum, Field, Struct, Tagging, Types, Variant};

/// What kube's panic is about.
#[derive(Debug, PartialEq, Eq)]
enum Trouble<'a> {
    /// Variants without data beside others.
    Mixed,
    /// A property that two variants have, with different schemas.
    Property(&'a str),
}

impl<'a> Trouble<'a> {
    fn of(panic: &'a str) -> Option<Self> {
        if panic.contains("Enum variant set ") && panic.contains("must be equal for all subschema")
        {
            return Some(Self::Mixed);
        }
        let (_, rest) = panic.split_once("Property \"")?;
        let (name, rest) = rest.split_once('"')?;
        let is_it = rest.contains("used in multiple subschemas must be identical");
        is_it.then_some(Self::Property(name))
    }
}

/// The error that a panic of `crdgen` means, if it is about the shape of an enum: it names the enum,
/// the fields that hold it, and what helps.
pub fn explain<'a>(
    panic: &str,
    sources: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Option<Error> {
    let trouble = Trouble::of(panic)?;
    let mut types = Types::default();
    for (path, text) in sources {
        types.read(path, text);
    }
    let (mut faults, mut hints) = (Vec::new(), Vec::new());
    let is_shown = |one: &&Enum| is_shown(one, panic);
    let shown = types
        .enums
        .iter()
        .any(|one| is_shown(&one) && trouble.found_in(one, &types).is_some());
    for one in types.enums.iter().filter(|one| !shown || is_shown(one)) {
        let places = types.places(&one.name);
        if let Some((why, remedy)) = trouble.found_in(one, &types)
            && !places.is_empty()
        {
            let (name, places) = (&one.name, places.join(", "));
            let message = format!(
                "the enum `{name}`, {places}, has no structural schema, as CRDs need it: {why}"
            );
            let place = one.place.clone();
            faults.push(Fault { message, ..place });
            if !hints.contains(&remedy) {
                hints.push(remedy);
            }
        }
    }
    let error = match faults[..] {
        [] => trouble.of_elsewhere(),
        _ => faults::error(&faults),
    };
    Some(hints.into_iter().fold(error, Error::hint))
}

/// Whether the panic shows a variant of this enum; how it is spelt in JSON does not matter.
fn is_shown(one: &Enum, panic: &str) -> bool {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let values = panic.split("String(\"").skip(1);
    let values = values.filter_map(|rest| rest.split_once('"'));
    let values: Vec<_> = values.map(|(value, _)| plain(value)).collect();
    one.variants.iter().any(|variant| {
        let name = variant.rename.as_ref().unwrap_or(&variant.name);
        values.contains(&plain(name))
    })
}

impl Trouble<'_> {
    /// Why it is about this enum, if it is, and what helps.
    fn found_in(&self, one: &Enum, types: &Types) -> Option<(String, String)> {
        match self {
            Self::Mixed => mixed(one),
            Self::Property(name) => tagged(one, name)
                .or_else(|| shared(one, name, types))
                .or_else(|| flattened(one, name, types)),
        }
    }

    /// The error for a type that is not in the sources.
    fn of_elsewhere(&self) -> Error {
        let why = match self {
            Self::Mixed => "it has variants with data and others without".into(),
            Self::Property(name) => {
                format!("its variants have a property `{name}` of different schemas")
            }
        };
        Error::failed(format!("an enum in the custom resources has no structural schema, as CRDs need it: {why}"))
            .hint("it was not found in the sources: it may be in a dependency, made by a macro, or flattened beside another. Write its schema with `#[schemars(schema_with = \"…\")]` above the field that holds it")
    }
}

fn mixed(one: &Enum) -> Option<(String, String)> {
    let units = one.variants.iter().filter(|variant| variant.is_unit);
    let units: Vec<_> = units.map(|variant| &*variant.name).collect();
    let first = units.first()?;
    let is_mixed = one.tagging == Tagging::External && units.len() < one.variants.len();
    is_mixed.then(|| {
        let list = quoted(&units);
        (
            format!("{list} without data stands beside variants with data"),
            format!("give each variant without data braces, `{first} {{}}`: in YAML, it is `{first}: {{}}`"),
        )
    })
}

fn tagged(one: &Enum, property: &str) -> Option<(String, String)> {
    let (attributes, owned) = match &one.tagging {
        Tagging::Internal(tag) => (format!("`tag = \"{tag}\"`"), tag == property),
        Tagging::Adjacent(tag, content) => (
            format!("`tag = \"{tag}\"` and `content = \"{content}\"`"),
            tag == property || content == property,
        ),
        _ => return None,
    };
    let is_it = owned || has_twice(one, property, &Types::default());
    (is_it && one.variants.len() > 1).then(|| {
        let mut units = one.variants.iter().filter(|variant| variant.is_unit);
        let braces = match units.next() {
            Some(Variant { name, .. }) => format!(", and give `{name}` braces: `{name} {{}}`"),
            None => String::new(),
        };
        (
            format!("the schema of `{property}` differs from variant to variant"),
            format!("leave {attributes} out of `#[serde(…)]`, so that each variant is a property of its own{braces}; or make it a struct with an enum without data, and optional fields"),
        )
    })
}

fn shared(one: &Enum, property: &str, types: &Types) -> Option<(String, String)> {
    let is_it = one.tagging == Tagging::Untagged && has_twice(one, property, types);
    is_it.then(|| {
        (
            format!("the schema of `{property}` differs from variant to variant"),
            format!("give `{property}` the same type and documentation in all variants, or another name in each"),
        )
    })
}

fn flattened(one: &Enum, property: &str, types: &Types) -> Option<(String, String)> {
    let holds = |field: &Field| field.is_flat && field.types.contains(&one.name);
    let mut around = types.structs.iter().filter(|around| {
        around.fields.iter().any(holds) && around.fields.iter().any(|f| f.name == property)
    });
    let has = |variant: &Variant| match one.tagging {
        Tagging::External => variant.name == property,
        _ => types.fields_of(variant).any(|field| field.name == property),
    };
    let around = around.next().filter(|_| one.variants.iter().any(has))?;
    let name = &around.name;
    Some((
        format!("it is flattened into `{name}`, which has another `{property}`"),
        format!("give `{property}` another name in one of the two, or leave `flatten` out"),
    ))
}

/// Whether variants have a field of this name, but not the same one.
fn has_twice(one: &Enum, property: &str, types: &Types) -> bool {
    let fields = one
        .variants
        .iter()
        .flat_map(|variant| types.fields_of(variant));
    let fields = fields.filter(|field| field.name == property);
    let mut fields = fields.map(|field| (&field.types, &field.docs));
    let first = fields.next();
    fields.any(|field| Some(field) != first)
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl Types {
    /// The fields of a variant, those of a struct that it wraps included.
    fn fields_of<'a>(&'a self, variant: &'a Variant) -> impl Iterator<Item = &'a Field> {
        let wrapped = variant.fields.iter().filter(|field| field.name.is_empty());
        let wrapped = wrapped.flat_map(|field| &field.types);
        let structs = wrapped.flat_map(|name| self.structs.iter().filter(move |s| s.name == *name));
        variant
            .fields
            .iter()
            .chain(structs.flat_map(|wrapped| &wrapped.fields))
    }

    /// Where the kinds have a type, as in "in `spec.mode` of MyApp".
    fn places(&self, name: &str) -> Vec<String> {
        let mut places = Vec::new();
        for one in &self.structs {
            let Some((kind, status)) = &one.kind else {
                continue;
            };
            let status = status.as_ref();
            let status = status.and_then(|name| self.structs.iter().find(|s| s.name == *name));
            for (root, part) in [(Some(one), "spec"), (status, "status")] {
                let mut path = vec![part.to_owned()];
                if root
                    .is_some_and(|root| self.leads(&root.fields, name, &mut path, &mut Vec::new()))
                {
                    places.push(format!("in `{}` of {kind}", path.join(".")));
                }
            }
        }
        places
    }

    /// Whether one of the fields leads to a type; the path then ends there.
    fn leads<'a>(
        &'a self,
        fields: &'a [Field],
        name: &str,
        path: &mut Vec<String>,
        seen: &mut Vec<&'a str>,
    ) -> bool {
        for field in fields {
            let shows = !field.is_flat && !field.name.is_empty();
            path.extend(shows.then(|| field.name.clone()));
            let inner = field.types.iter().filter(|inner| *inner != name);
            if inner.clone().count() < field.types.len()
                || inner
                    .clone()
                    .any(|inner| self.leads_from(inner, name, path, seen))
            {
                return true;
            }
            path.truncate(path.len() - usize::from(shows));
        }
        false
    }

    fn leads_from<'a>(
        &'a self,
        from: &'a str,
        name: &str,
        path: &mut Vec<String>,
        seen: &mut Vec<&'a str>,
    ) -> bool {
        if seen.contains(&from) {
            return false;
        }
        seen.push(from);
        let of = |one: &&Struct| one.name == from;
        if let Some(inner) = self.structs.iter().find(of) {
            return self.leads(&inner.fields, name, path, seen);
        }
        let variants = self.enums.iter().filter(|one| one.name == from);
        let mut variants = variants.flat_map(|one| &one.variants);
        variants.any(|variant| self.leads(&variant.fields, name, path, seen))
    }
}
