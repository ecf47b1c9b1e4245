//! Checks that a source parses, and finds its parts that are compiled for tests only.
use super::comments;
use proc_macro2::{Delimiter, LexError, Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::parse::{ParseStream, Parser};

/// What a source file has that is for tests only.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TestParts {
    /// Byte ranges of the source.
    pub(super) ranges: Vec<Range<usize>>,
    /// Modules in files of their own: their path from this one, such as `["a", "tests"]`.
    pub(super) modules: Vec<Vec<String>>,
}

/// The parts that are for tests only, or where and why the source does not parse.
pub(super) fn test_parts(source: &str) -> Result<TestParts, (usize, String)> {
    let shebang = comments::shebang(source);
    let code = " ".repeat(shebang) + &source[shebang..];
    let tokens: TokenStream = code.parse().map_err(|e: LexError| {
        let message = "this is no Rust: a bracket or a literal is not closed".to_owned();
        (e.span().byte_range().start, message)
    })?;
    let mut parts = TestParts::default();
    if source.contains("cfg") && source.contains("test") {
        Finder {
            parts: &mut parts,
            module: Vec::new(),
        }
        .level(tokens.clone(), 0..source.len());
    }
    match syn::parse2::<syn::File>(tokens) {
        Ok(_) => Ok(parts),
        Err(e) => Err((start(source, e.span()), e.to_string())),
    }
}

/// The byte of a fault; one without a span is at the end of the file.
fn start(source: &str, span: Span) -> usize {
    match span.byte_range() {
        range if range.is_empty() => source.trim_end().len(),
        range => range.start,
    }
}

struct Finder<'a> {
    parts: &'a mut TestParts,
    /// The inline modules around this level.
    module: Vec<String>,
}

impl Finder<'_> {
    /// Looks through the tokens of one pair of brackets.
    fn level(&mut self, tokens: TokenStream, whole: Range<usize>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let attributes = attributes(&tokens[at..]);
            if attributes.inner_test {
                self.parts.ranges.push(whole);
                return;
            }
            if attributes.test {
                at = self.item(&tokens, at, attributes.length);
            } else if attributes.length > 0 {
                at += attributes.length;
            } else {
                if let TokenTree::Group(group) = &tokens[at] {
                    let name = module_name(&tokens[..at]);
                    let named = name.is_some();
                    self.module.extend(name);
                    self.level(group.stream(), group.span().byte_range());
                    if named {
                        self.module.pop();
                    }
                }
                at += 1;
            }
        }
    }

    /// Takes the item at these attributes, and returns the index behind it.
    fn item(&mut self, tokens: &[TokenTree], at: usize, attributes: usize) -> usize {
        let rest: TokenStream = tokens[at..].iter().cloned().collect();
        let end = |parse: fn(ParseStream) -> syn::Result<Option<String>>| {
            let parser = |input: ParseStream| {
                let module = parse(input)?;
                let left = input.parse::<TokenStream>()?.into_iter().count();
                Ok((tokens.len() - left, module))
            };
            parser.parse2(rest.clone()).ok()
        };
        let item = end(|input| Ok(file_module(&input.parse()?)));
        let found = item.or_else(|| end(|input| input.parse::<syn::Stmt>().map(|_| None)));
        let (end, module) = found.unwrap_or_else(|| {
            let rest = &tokens[at + attributes..];
            let length = rest
                .iter()
                .position(|token| is_punct(token, ',') || is_punct(token, ';'));
            (
                at + attributes + length.map_or(rest.len(), |length| length + 1),
                None,
            )
        });
        let last = tokens[end - 1].span().byte_range();
        self.parts
            .ranges
            .push(tokens[at].span().byte_range().start..last.end);
        if let Some(name) = module {
            let path = self.module.iter().cloned().chain([name]);
            self.parts.modules.push(path.collect());
        }
        end
    }
}

/// The attributes at the start of some tokens.
struct Attributes {
    /// Tokens they take.
    length: usize,
    test: bool,
    inner_test: bool,
}

fn attributes(tokens: &[TokenTree]) -> Attributes {
    let mut found = Attributes {
        length: 0,
        test: false,
        inner_test: false,
    };
    loop {
        let rest = &tokens[found.length..];
        let (inner, group) = match rest {
            [hash, TokenTree::Group(group), ..] if is_punct(hash, '#') => (false, group),
            [hash, bang, TokenTree::Group(group), ..]
                if is_punct(hash, '#') && is_punct(bang, '!') =>
            {
                (true, group)
            }
            _ => return found,
        };
        if group.delimiter() != Delimiter::Bracket {
            return found;
        }
        let test = is_cfg_test(group.stream());
        found.test |= test && !inner;
        found.inner_test |= test && inner;
        found.length += if inner { 3 } else { 2 };
    }
}

/// Whether these tokens are `cfg(…)` with a condition that only tests meet.
fn is_cfg_test(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(cfg), TokenTree::Group(group)] if cfg == "cfg" => {
            needs_test(group.stream())
        }
        _ => false,
    }
}

fn needs_test(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(group)] => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut parts = inside
                .split(|token| is_punct(token, ','))
                .filter(|part| !part.is_empty());
            let part = |part: &[TokenTree]| needs_test(part.iter().cloned().collect());
            match name.to_string().as_str() {
                "all" => parts.any(part),
                "any" => !inside.is_empty() && parts.all(part),
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// The name of the module whose body follows these tokens.
fn module_name(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., TokenTree::Ident(keyword), TokenTree::Ident(name)] if keyword == "mod" => {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// The name of a module in a file of its own.
fn file_module(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
        _ => None,
    }
}
