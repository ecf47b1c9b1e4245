//! Plurals, which name resources in URLs, RBAC and CRDs.
use super::{Kind, Rules, dns, has_foreign_letters, name};
use crate::error::{Error, Result};

name! {
    /// Plural of a kind in lower case, such as `myapps`: a DNS-1035 label.
    ///
    /// It may equal the singular, as that of `Endpoints` does.
    Plural
}

/// Endings of singulars with their plurals; the first one that fits counts, and all other words get
/// an `s`. Crates that know more words compile their regular expressions for each run: that took
/// longer than all else that `rop create api` does.
const ENDINGS: [(&str, &str); 56] = [
    ("child", "children"),
    ("person", "people"),
    ("mouse", "mice"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("goose", "geese"),
    ("woman", "women"),
    // Those that have no other plural, or are one.
    ("data", "data"),
    ("media", "media"),
    ("information", "information"),
    ("equipment", "equipment"),
    ("sheep", "sheep"),
    ("deer", "deer"),
    ("fish", "fish"),
    ("series", "series"),
    ("species", "species"),
    // From Latin and Greek.
    ("matrix", "matrices"),
    ("vertex", "vertices"),
    ("index", "indices"),
    ("appendix", "appendices"),
    ("datum", "data"),
    ("medium", "media"),
    ("stratum", "strata"),
    ("criterion", "criteria"),
    ("phenomenon", "phenomena"),
    ("sis", "ses"),
    ("axis", "axes"),
    // What ends in `s` is a plural, or the name of something, but for these.
    ("ss", "sses"),
    ("us", "uses"),
    ("alias", "aliases"),
    ("bias", "biases"),
    ("canvas", "canvases"),
    ("atlas", "atlases"),
    ("gas", "gases"),
    ("lens", "lenses"),
    ("s", "s"),
    ("x", "xes"),
    ("epoch", "epochs"),
    ("ch", "ches"),
    ("sh", "shes"),
    ("quiz", "quizzes"),
    ("z", "zes"),
    ("hero", "heroes"),
    ("echo", "echoes"),
    ("veto", "vetoes"),
    ("potato", "potatoes"),
    ("tomato", "tomatoes"),
    ("elf", "elves"),
    ("half", "halves"),
    ("leaf", "leaves"),
    ("loaf", "loaves"),
    ("thief", "thieves"),
    ("wolf", "wolves"),
    ("knife", "knives"),
    ("life", "lives"),
    ("wife", "wives"),
];

fn english(singular: &str) -> String {
    let replaced = |(ending, plural): &(&str, &str)| {
        let stem = singular.strip_suffix(ending)?;
        Some(format!("{stem}{plural}"))
    };
    let ending = ENDINGS.iter().find_map(replaced);
    let y = || {
        let stem = singular.strip_suffix('y')?;
        let is_vowel = stem.ends_with(['a', 'e', 'i', 'o', 'u']) && !stem.ends_with("qu");
        (!stem.is_empty() && !is_vowel).then(|| format!("{stem}ies"))
    };
    ending.or_else(y).unwrap_or_else(|| format!("{singular}s"))
}

impl Plural {
    /// The English plural of a kind.
    ///
    /// # Errors
    /// It is longer than 63 characters.
    pub fn of(kind: &Kind) -> Result<Self> {
        let plural = english(&kind.stem());
        plural.parse().map_err(|_| {
            let message = format!(
                "the plural of the kind `{kind}` would be `{plural}`, which is too long: \
                 at most {} characters fit",
                dns::LABEL
            );
            Error::invalid(message).hint("choose a shorter one with `--plural`")
        })
    }
}

impl Rules for Plural {
    const NOUN: &'static str = "plural";
    const EXAMPLE: &'static str = "myapps";

    fn check(value: &str) -> Result<(), String> {
        dns::check_label(value, dns::LABEL)
    }

    fn guess(value: &str) -> Option<String> {
        let guess = dns::to_part(value);
        (!has_foreign_letters(value)).then(|| dns::from_first_letter(&guess).to_owned())
    }
}
