//! The types of a project, as far as serde and kube look at them.
use crate::generate::faults::{Fault, line};
use proc_macro2::Span;
use syn::{
    Attribute, Expr, ExprLit, Fields, GenericArgument, Ident, Item, ItemEnum, ItemStruct, Lit,
    PathArguments, Type, meta::ParseNestedMeta, punctuated::Punctuated,
};

/// A struct.
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    /// The kind whose spec it is, and the type of that kind's status.
    pub(super) kind: Option<(String, Option<String>)>,
}

/// An enum.
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) place: Fault,
    pub(super) tagging: Tagging,
    pub(super) variants: Vec<Variant>,
}

/// What tells the variants of an enum apart.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Tagging {
    External,
    Internal(String),
    Adjacent(String, String),
    Untagged,
}

pub(super) struct Variant {
    pub(super) name: String,
    /// Its name in JSON, where it is given.
    pub(super) rename: Option<String>,
    pub(super) is_unit: bool,
    /// Those of tuples have no name.
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    /// Its name in JSON.
    pub(super) name: String,
    /// The names of all types in its type.
    pub(super) types: Vec<String>,
    /// Its documentation, which is part of its schema.
    pub(super) docs: String,
    pub(super) is_flat: bool,
}

/// All types of a project.
#[derive(Default)]
pub(super) struct Types {
    pub(super) structs: Vec<Struct>,
    pub(super) enums: Vec<Enum>,
}

impl Types {
    /// Adds those of a source; one that does not parse has none.
    pub(super) fn read(&mut self, path: &str, text: &str) {
        if let Ok(file) = syn::parse_file(text) {
            self.items(&file.items, path, text);
        }
    }

    fn items(&mut self, items: &[Item], path: &str, text: &str) {
        for item in items {
            match item {
                Item::Struct(item) => self.structs.push(structure(item)),
                Item::Enum(item) => self.enums.push(enumeration(item, path, text)),
                Item::Mod(module) => {
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.items(items, path, text);
                }
                _ => {}
            }
        }
    }
}

fn structure(item: &ItemStruct) -> Struct {
    let said = Said::of(&item.attrs);
    Struct {
        name: item.ident.to_string(),
        fields: fields(&item.fields, &said.rename_all),
        kind: said.kind.map(|kind| (kind, said.status)),
    }
}

fn enumeration(item: &ItemEnum, path: &str, text: &str) -> Enum {
    let said = Said::of(&item.attrs);
    let variant = |variant: &syn::Variant| {
        let own = Said::of(&variant.attrs);
        let style = [own.rename_all, said.rename_all_fields.clone()];
        Variant {
            name: variant.ident.to_string(),
            rename: own.rename,
            is_unit: matches!(variant.fields, Fields::Unit),
            fields: fields(&variant.fields, &style.concat()),
        }
    };
    let variants = item.variants.iter().map(variant).collect();
    Enum {
        name: item.ident.to_string(),
        place: place(path, text, item.ident.span()),
        tagging: match (said.tag, said.content) {
            _ if said.untagged => Tagging::Untagged,
            (Some(tag), Some(content)) => Tagging::Adjacent(tag, content),
            (Some(tag), None) => Tagging::Internal(tag),
            _ => Tagging::External,
        },
        variants,
    }
}

fn place(path: &str, text: &str, span: Span) -> Fault {
    let start = span.start();
    let lines = text.split_inclusive('\n').take(start.line - 1);
    let offset: usize = lines.map(str::len).sum();
    let before = line(text, offset).chars().take(start.column);
    let column: usize = before.map(char::len_utf8).sum();
    Fault::at(path, text, offset + column, String::new())
}

fn fields(fields: &Fields, style: &str) -> Vec<Field> {
    let field = |field: &syn::Field| {
        let said = Said::of(&field.attrs);
        let name = field.ident.as_ref().map(|name| renamed(name, style));
        let mut types = Vec::new();
        names(&field.ty, &mut types);
        Field {
            name: said.rename.or(name).unwrap_or_default(),
            types,
            docs: docs(&field.attrs),
            is_flat: said.flatten,
        }
    };
    fields.iter().map(field).collect()
}

fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let doc = attribute.meta.require_name_value().ok()?;
        match &doc.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) if doc.path.is_ident("doc") => Some(text.value()),
            _ => None,
        }
    });
    lines.collect()
}

/// A field's name after `rename_all`; styles that hardly anybody uses for fields are left out.
fn renamed(name: &Ident, style: &str) -> String {
    use heck::{ToKebabCase as _, ToLowerCamelCase as _, ToPascalCase as _};
    let name = name.to_string();
    let name = name.trim_start_matches("r#");
    match style {
        "camelCase" => name.to_lower_camel_case(),
        "PascalCase" => name.to_pascal_case(),
        "kebab-case" => name.to_kebab_case(),
        _ => name.to_owned(),
    }
}

/// The names of all types in a type, without their modules.
fn names(of: &Type, found: &mut Vec<String>) {
    match of {
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return;
            };
            found.push(last.ident.to_string());
            if let PathArguments::AngleBracketed(arguments) = &last.arguments {
                for argument in &arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        names(inner, found);
                    }
                }
            }
        }
        Type::Array(array) => names(&array.elem, found),
        Type::Slice(slice) => names(&slice.elem, found),
        Type::Reference(reference) => names(&reference.elem, found),
        Type::Paren(inner) => names(&inner.elem, found),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|one| names(one, found)),
        _ => {}
    }
}

/// What attributes of serde, schemars and kube say.
#[derive(Default)]
struct Said {
    tag: Option<String>,
    content: Option<String>,
    untagged: bool,
    flatten: bool,
    rename: Option<String>,
    rename_all: String,
    rename_all_fields: String,
    kind: Option<String>,
    status: Option<String>,
}

impl Said {
    fn of(attributes: &[Attribute]) -> Self {
        let mut said = Self::default();
        for attribute in attributes {
            let is_kube = attribute.path().is_ident("kube");
            let is_serde = ["serde", "schemars"].map(|name| attribute.path().is_ident(name));
            if is_kube || is_serde.contains(&true) {
                // What was read before an error counts.
                let _ = attribute.parse_nested_meta(|meta| said.take(&meta, is_kube));
            }
        }
        said
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>, is_kube: bool) -> syn::Result<()> {
        let name = meta.path.get_ident().map(Ident::to_string);
        if meta.input.peek(syn::token::Paren) {
            let inner;
            syn::parenthesized!(inner in meta.input);
            Punctuated::<Expr, syn::Token![,]>::parse_terminated(&inner).map(drop)?;
            return Ok(());
        }
        let value = match meta.input.peek(syn::Token![=]) {
            true => match meta.value()?.parse::<Expr>()? {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => text.value(),
                _ => String::new(),
            },
            false => String::new(),
        };
        match (name.as_deref().unwrap_or_default(), is_kube) {
            ("kind", true) => self.kind = Some(value),
            ("status", true) => self.status = Some(value),
            (_, true) => {}
            ("tag", _) => self.tag = Some(value),
            ("content", _) => self.content = Some(value),
            ("untagged", _) => self.untagged = true,
            ("flatten", _) => self.flatten = true,
            ("rename", _) => self.rename = Some(value),
            ("rename_all", _) => self.rename_all = value,
            ("rename_all_fields", _) => self.rename_all_fields = value,
            _ => {}
        }
        Ok(())
    }
}
