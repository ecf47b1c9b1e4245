//! CRDs that are too large: how large they are to `kubectl apply`, and shorter descriptions.
use super::Crd;
use serde_json::Value;

/// What all annotations of an object may have, in bytes.
pub const ANNOTATIONS: usize = 256 * 1024;

/// The annotation in which `kubectl apply` keeps a copy of the object.
const COPY: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What ends a sentence, of all that does in Unicode.
const ENDS: [char; 9] = ['.', '!', '?', '։', '؟', '۔', '।', '。', '！'];

impl Crd {
    /// The bytes of all its annotations when it is applied with `kubectl apply`.
    pub fn applied_size(&self) -> usize {
        let annotations = self.value["metadata"]["annotations"].as_object();
        let own = annotations.into_iter().flatten();
        let own: usize = own
            .map(|(key, value)| key.len() + value.as_str().map_or(0, str::len))
            .sum();
        let mut copied = self.value.clone();
        if annotations.is_none() {
            copied["metadata"]["annotations"] = serde_json::json!({});
        }
        let copy = copied.to_string();
        // Go writes these as \u and four digits.
        let longer: usize = copy
            .chars()
            .map(|c| match c {
                '<' | '>' | '&' => 5,
                '\u{2028}' | '\u{2029}' => 3,
                _ => 0,
            })
            .sum();
        // It ends with a line feed.
        own + COPY.len() + copy.len() + longer + 1
    }

    /// Cuts descriptions that have more bytes than this, as controller-gen does with `maxDescLen`:
    /// at the end of a sentence, or else of a word. With 0 there are none.
    #[must_use]
    pub fn with_descriptions(mut self, max: usize) -> Self {
        let versions = self.value["spec"]["versions"].as_array_mut();
        for version in versions.into_iter().flatten() {
            cut_all(&mut version["schema"]["openAPIV3Schema"], max);
        }
        self
    }
}

fn cut_all(schema: &mut Value, max: usize) {
    let Value::Object(keywords) = schema else {
        return;
    };
    if max == 0 {
        keywords.remove("description");
    }
    for (keyword, value) in keywords {
        match (&**keyword, value) {
            ("description", Value::String(text)) => *text = cut(text, max),
            (
                "properties" | "patternProperties" | "definitions" | "dependencies",
                Value::Object(named),
            ) => {
                named.values_mut().for_each(|schema| cut_all(schema, max));
            }
            ("items" | "additionalItems" | "additionalProperties" | "not", schema) => {
                cut_all(schema, max)
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => {
                all.iter_mut().for_each(|schema| cut_all(schema, max));
            }
            _ => {}
        }
    }
}

fn cut(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.into();
    }
    let boundary = (0..=max).rev().find(|at| text.is_char_boundary(*at));
    let short = &text[..boundary.unwrap_or_default()];
    let last = |is: fn(char) -> bool| short.char_indices().rfind(|(at, c)| *at > 0 && is(*c));
    if let Some((at, end)) = last(|c| ENDS.contains(&c)) {
        return short[..at + end.len_utf8()].into();
    }
    let word = last(char::is_whitespace).map_or(short, |(at, _)| &short[..at]);
    format!("{word}...")
}
