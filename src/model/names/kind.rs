//! Kinds, and the names that come from a kind alone.
use super::{Rules, dns, has_foreign_letters, name};
use heck::ToUpperCamelCase;

name! {
    /// Kind of an object, such as `MyApp`: an ASCII letter in upper case, then letters and digits,
    /// at most 63.
    ///
    /// In lower case it has to be a DNS-1035 label for the API server; that it has no hyphen and
    /// starts in upper case is for Rust, where it names a type.
    Kind
}

/// Kinds that cannot be the name of the Rust type: they would shadow what the types file or the
/// code derived from it uses, and `Self` is a keyword. Measured with kube 5.0.
const SHADOWING: [&str; 7] = [
    "Default",
    "Deserialize",
    "Option",
    "Self",
    "Serialize",
    "String",
    "Vec",
];

impl Kind {
    /// Lower case kind: the singular, and the stem of files, modules and object names.
    pub fn stem(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Name of the Rust type: the kind, or `<Kind>Resource` where that would break the derive.
    ///
    /// It has no limit: types are not names of Kubernetes, and the longest to get the suffix is
    /// `Deserialize`.
    pub fn root(&self) -> String {
        let suffix = if self.is_renamed() { "Resource" } else { "" };
        format!("{self}{suffix}")
    }

    /// The Rust type is not called like the kind, so that `#[kube(root = …)]` is needed.
    pub fn is_renamed(&self) -> bool {
        SHADOWING.contains(&self.as_str())
    }

    /// Name of the Rust type of the spec.
    pub fn spec(&self) -> String {
        format!("{self}Spec")
    }

    /// Name of the Rust type of the status.
    pub fn status(&self) -> String {
        format!("{self}Status")
    }

    /// Kind of a list of objects.
    ///
    /// The API server derives `<Kind>List` itself, but refuses it over 63 characters: for kinds of
    /// 60 and more the kind is cut, and [`Kind::has_long_list`] says that the CRD has to name it.
    pub fn list(&self) -> String {
        let end = self.0.len().min(dns::LABEL - LIST.len());
        format!("{}{LIST}", &self.0[..end])
    }

    /// The list kind that the API server would derive is too long, so that the CRD needs
    /// [`Kind::list`] as its `listKind`.
    pub fn has_long_list(&self) -> bool {
        self.0.len() + LIST.len() > dns::LABEL
    }

    /// The Rust types that a version module gets, or may get, from this kind.
    pub(in crate::model) fn types(&self) -> [String; 4] {
        [self.root(), self.spec(), self.status(), self.list()]
    }
}

const LIST: &str = "List";

impl Rules for Kind {
    const NOUN: &'static str = "kind";
    const EXAMPLE: &'static str = "MyApp";

    fn check(value: &str) -> Result<(), String> {
        let starts_right = value.starts_with(|c: char| c.is_ascii_uppercase());
        if !starts_right || !value.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err("it must be PascalCase, \
                 that is an ASCII letter in upper case and then letters and digits only"
                .to_owned());
        }
        dns::check_label(&value.to_ascii_lowercase(), dns::LABEL)
    }

    /// Keeps acronyms, unless all of it is in upper case.
    fn guess(value: &str) -> Option<String> {
        if has_foreign_letters(value) {
            return None;
        }
        let value = value.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let words: Vec<_> = value.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let is_screaming = words.len() > 1 && !value.contains(|c: char| c.is_ascii_lowercase());
        if is_screaming {
            return Some(value.to_upper_camel_case());
        }
        Some(words.into_iter().map(capitalized).collect())
    }
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_ascii_uppercase() + rest
}
