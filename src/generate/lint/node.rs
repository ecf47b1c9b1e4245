//! A schema and where it stands.
use super::{items, says, text};
use serde_json::{Value, json};

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Root,
    Item,
    Field,
}

/// A schema within that of a version.
#[derive(Clone)]
pub(super) struct Node<'a> {
    pub(super) schema: &'a Value,
    pub(super) version: &'a Value,
    pub(super) field: String,
    pub(super) level: Level,
    /// Below `allOf`, `anyOf`, `oneOf` or `not`.
    pub(super) nested: bool,
    /// Below those of the root.
    pub(super) narrows_root: bool,
    /// The schema outside of those that this one narrows; itself where it is not nested.
    pub(super) declared: Option<&'a Value>,
    /// The same of the schema above.
    pub(super) declared_around: Option<&'a Value>,
    /// It is the first that narrows something that is not declared.
    pub(super) undeclared: bool,
    /// It says what an int-or-string may be, the one place that repeats types.
    pub(super) may_type: bool,
    /// Within `metadata`, `kind` or `apiVersion`, of the root or of an embedded resource.
    pub(super) in_meta: bool,
    /// Why it cannot have a default.
    pub(super) no_default: Option<&'static str>,
    /// Below `additionalProperties`: the server does not look at defaults there.
    pub(super) in_map: bool,
    /// Below `items` or `additionalProperties`: the server drops unknown keywords there.
    pub(super) lenient: bool,
}

/// What the root is called in findings.
const ROOT: &str = "the root";
const NOTHING: &Value = &Value::Null;

impl<'a> Node<'a> {
    pub(super) fn root(schema: &'a Value, version: &'a Value) -> Self {
        Self {
            schema,
            version,
            field: ROOT.into(),
            level: Level::Root,
            nested: false,
            narrows_root: false,
            declared: Some(schema),
            declared_around: None,
            undeclared: false,
            may_type: false,
            in_meta: false,
            no_default: None,
            in_map: false,
            lenient: false,
        }
    }

    /// The text of a keyword; none for the empty one.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        text(&self.schema[key])
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.schema[key] == true
    }

    pub(super) fn has(&self, key: &str) -> bool {
        says(&self.schema[key])
    }

    /// Whether a keyword is there at all.
    pub(super) fn is_there(&self, key: &str) -> bool {
        !self.schema[key].is_null()
    }

    /// Whether this is the root itself, not something that narrows it.
    pub(super) fn is_root(&self) -> bool {
        self.level == Level::Root && !self.nested
    }

    /// A schema below this one; `declared` is its counterpart outside of `allOf` and the like.
    fn below(
        &self,
        schema: &'a Value,
        step: &str,
        level: Level,
        declared: Option<&'a Value>,
    ) -> Self {
        let field = match self.field.as_str() {
            ROOT => step.trim_start_matches('.').to_owned(),
            field => format!("{field}{step}"),
        };
        Self {
            schema,
            field,
            level,
            declared: if self.nested { declared } else { Some(schema) },
            declared_around: self.declared,
            undeclared: self.nested && self.declared.is_some() && declared.is_none(),
            may_type: false,
            ..self.clone()
        }
    }

    fn property(&self, name: &str, schema: &'a Value) -> Self {
        let declared = self
            .declared
            .and_then(|outer| outer["properties"].get(name));
        let mut node = self.below(schema, &format!(".{name}"), Level::Field, declared);
        let meta = matches!(name, "metadata" | "kind" | "apiVersion");
        if meta && (self.is_root() || self.is_true("x-kubernetes-embedded-resource")) {
            node.in_meta = true;
            if self.is_root() {
                node.no_default = Some("metadata, kind and apiVersion are Kubernetes' own");
            }
        }
        node
    }

    fn item(&self) -> Self {
        let declared = self.declared.map(|outer| &outer["items"]);
        let declared = declared.filter(|items| items.is_object());
        let mut node = self.below(&self.schema["items"], "[]", Level::Item, declared);
        node.lenient = true;
        node
    }

    fn value(&self) -> Self {
        let declared = self.declared.map(|outer| &outer["additionalProperties"]);
        let declared = declared.filter(|values| values.is_object());
        let values = &self.schema["additionalProperties"];
        let mut node = self.below(values, "{}", Level::Field, declared);
        node.lenient = true;
        node.in_map = true;
        if self.in_meta {
            node.no_default = Some("a map within metadata cannot have one");
        }
        node
    }

    /// A schema that narrows this one.
    fn narrowing(&self, schema: &'a Value, may_type: bool) -> Self {
        Self {
            schema,
            nested: true,
            narrows_root: self.narrows_root || self.is_root(),
            undeclared: false,
            may_type,
            ..self.clone()
        }
    }
}

/// Sees a schema and all below it, each before those.
pub(super) fn walk<'a>(node: &Node<'a>, see: &mut dyn FnMut(&Node<'a>)) {
    walk_first(node, false, see);
}

/// `of_all`: it is the first `allOf` of a field, which may say what an int-or-string is.
fn walk_first<'a>(node: &Node<'a>, of_all: bool, see: &mut dyn FnMut(&Node<'a>)) {
    see(node);
    let schema = node.schema;
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        walk(&node.property(name, below), see);
    }
    if schema["items"].is_object() {
        walk(&node.item(), see);
    }
    if schema["additionalProperties"].is_object() {
        walk(&node.value(), see);
    }
    let both = (!node.nested || of_all) && is_int_or_string(&schema["anyOf"]);
    for below in items(&schema["anyOf"]) {
        walk(&node.narrowing(below, both), see);
    }
    for below in items(&schema["oneOf"]) {
        walk(&node.narrowing(below, false), see);
    }
    for (index, below) in items(&schema["allOf"]).iter().enumerate() {
        walk_first(
            &node.narrowing(below, false),
            !node.nested && index == 0,
            see,
        );
    }
    if schema["not"].is_object() {
        walk(&node.narrowing(&schema["not"], false), see);
    }
}

fn is_int_or_string(any_of: &Value) -> bool {
    *any_of == json!([{ "type": "integer" }, { "type": "string" }])
}

/// What there is of a value; nothing where it is null.
pub(super) fn or_nothing(value: Option<&Value>) -> &Value {
    value.unwrap_or(NOTHING)
}
