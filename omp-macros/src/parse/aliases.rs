//! Names of the types of arrays, slices and `Vec`s: `type Vec3 = [f64; 3];`. What an array is, later phases see by its type, so a name gives way to the type that it
//! stands for. The source file shows the type, if it declares the name once, and as nothing else.
use super::parameters;
use super::primitives::PRIMITIVES;
use super::tokens::file::SourceFile;
use super::tokens::source::words;
use super::tokens::source::{first_word, is_word, words_of_text};
use crate::parse::tokens::leaves::group;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Item, ItemType, PathArguments, Type};

/// The types in the place of their names. In host code, variables that are fixed arrays by value keep the name: a loop captures them as
/// values, not as mapped arrays. (Aliases are kept as text: tokens live only as long as one expansion.)
///
/// Gives the names that gave way: what stands next to the item uses them, or rustc would see no use.
pub fn resolve(item: &mut Item, host: bool) -> Vec<Ident> {
    let at = match &*item {
        Item::Fn(f) => Some(f.sig.ident.span()),
        Item::Impl(i) => Some(i.impl_token.span),
        Item::Mod(m) => Some(m.ident.span()),
        other => other.to_token_stream().into_iter().next().map(|t| t.span()),
    };
    at.map_or_else(Vec::new, |at| resolve_in(item, at, host))
}

/// The same by the file that has a token at this place.
pub fn resolve_in(item: &mut Item, at: Span, host: bool) -> Vec<Ident> {
    let aliases = SourceFile::of(at).map(|file| file.shows(aliases)).filter(|all| !all.is_empty());
    let Some(aliases) = aliases else { return Vec::new() };
    let mut resolve = Resolve { host, ..Resolve::of(&aliases) };
    resolve.visit_item_mut(item);
    resolve.resolved
}

/// Whether all functions and methods of this name in its file return an array. std's types have no such method.
pub fn gives_array(function: &Ident) -> bool {
    const OF_STD: [&str; 24] = [
        "get",
        "first",
        "last",
        "next",
        "peek",
        "nth",
        "min",
        "max",
        "pop",
        "take",
        "replace",
        "find",
        "position",
        "reduce",
        "then",
        "then_some",
        "ok",
        "err",
        "map",
        "filter",
        "zip",
        "or",
        "xor",
        "copied",
    ];
    let name = function.to_string();
    !OF_STD.contains(&&*name)
        && SourceFile::of(function.span()).is_some_and(|file| file.shows(functions_of_arrays).contains(&name))
}

fn functions_of_arrays(text: &str) -> HashSet<String> {
    let text = &without_comments(text);
    let named = aliases(text);
    let named: Vec<String> = named
        .iter()
        .filter_map(|alias| syn::parse_str::<ItemType>(alias).ok())
        .filter(|alias| matches!(*alias.ty, Type::Array(_)))
        .map(|alias| alias.ident.to_string())
        .collect();
    let (mut found, mut others) = (HashSet::new(), HashSet::new());
    for rest in text.split("fn ").skip(1) {
        let name = first_word(rest);
        let is_array = result(rest).is_some_and(|ty| ty.starts_with('[') || named.contains(&first_word(ty)));
        if is_array {
            found.insert(name);
        } else {
            others.insert(name);
        }
    }
    found.retain(|name| !others.contains(name));
    found
}

/// The result's type of a function whose head a text begins with: what stands after the `->` that is in no brackets.
fn result(head: &str) -> Option<&str> {
    let (mut depth, mut after) = (0i32, None);
    for (at, c) in head.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' | ';' if depth == 0 => break,
            '>' if depth == 0 && head[..at].ends_with('-') => after = Some(head[at + 1..].trim_start()),
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    after
}

/// A text without what stands after `//` in a line.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

struct Resolve {
    aliases: HashMap<String, ItemType>,
    depth: usize,
    /// Outside of loops of host code.
    host: bool,
    /// The names without parameters that gave way.
    resolved: Vec<Ident>,
}

/// Aliases of aliases, at most.
const DEPTH: usize = 8;

impl Resolve {
    fn of(aliases: &[String]) -> Self {
        let read = aliases.iter().filter_map(|text| syn::parse_str::<ItemType>(text).ok());
        Self {
            aliases: read.map(|alias| (alias.ident.to_string(), alias)).collect(),
            depth: 0,
            host: false,
            resolved: Vec::new(),
        }
    }

    /// The type that a name stands for.
    fn type_of(&self, ty: &Type) -> Option<Type> {
        let Type::Path(p) = ty else { return None };
        let [segment] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let alias = self.aliases.get(&segment.ident.to_string()).filter(|_| p.qself.is_none())?;
        let given: Vec<TokenStream> = match &segment.arguments {
            PathArguments::None => Vec::new(),
            PathArguments::AngleBracketed(a) => {
                let is_lifetime = |arg: &&GenericArgument| matches!(arg, GenericArgument::Lifetime(_));
                a.args.iter().filter(|arg| !is_lifetime(arg)).map(ToTokens::to_token_stream).collect()
            }
            PathArguments::Parenthesized(_) => return None,
        };
        let names: Vec<String> = parameters(&alias.generics).map(ToString::to_string).collect();
        if names.len() != given.len() {
            return None;
        }
        let given: HashMap<String, TokenStream> = names.into_iter().zip(given).collect();
        syn::parse2(placed(alias.ty.to_token_stream(), &given, segment.ident.span())).ok()
    }
}

impl VisitMut for Resolve {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if self.depth < DEPTH
            && let Some(of) = self.type_of(ty)
        {
            if let Type::Path(p) = &*ty
                && let Some(name) = p.path.get_ident()
                && !self.resolved.contains(name)
            {
                self.resolved.push(name.clone());
            }
            *ty = of;
            self.depth += 1;
            self.visit_type_mut(ty);
            self.depth -= 1;
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    /// A type parameter may have the name of an alias.
    fn visit_generics_mut(&mut self, g: &mut syn::Generics) {
        for param in g.type_params() {
            self.aliases.remove(&param.ident.to_string());
        }
        visit_mut::visit_generics_mut(self, g);
    }

    fn visit_pat_type_mut(&mut self, p: &mut syn::PatType) {
        let is_value = self.host && matches!(self.type_of(&p.ty), Some(Type::Array(_)));
        if !is_value {
            visit_mut::visit_pat_type_mut(self, p);
        }
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        let host = std::mem::replace(&mut self.host, false);
        visit_mut::visit_expr_for_loop_mut(self, f);
        self.host = host;
    }
}

/// Tokens with the span of the name, in which arguments replace the names of parameters.
fn placed(tokens: TokenStream, given: &HashMap<String, TokenStream>, span: Span) -> TokenStream {
    let place = |tree: TokenTree| -> TokenStream {
        match tree {
            TokenTree::Ident(name) if given.contains_key(&name.to_string()) => {
                given[&name.to_string()].clone()
            }
            TokenTree::Group(g) => group(g.delimiter(), placed(g.stream(), given, span), span).into(),
            mut other => {
                other.set_span(span);
                other.into()
            }
        }
    };
    tokens.into_iter().flat_map(place).collect()
}

/// The aliases of a file whose types are arrays, slices or `Vec`s of numbers, of other such arrays, or of types of the file.
fn aliases(text: &str) -> Vec<String> {
    // The types of traits and their `impl`s have such names.
    const ASSOCIATED: [&str; 4] = ["Output", "Item", "Target", "Error"];
    let text = &without_comments(text);
    let declared = declared(text);
    let once = |name: &str| declared.get(name) == Some(&1);
    let found = text.match_indices("type ").filter_map(|(at, _)| {
        let starts = text[..at].chars().next_back().is_none_or(|c| !is_word(c));
        let mut depth = 0i32;
        let end = text[at..].find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            c == ';' && depth == 0
        })?;
        // Only such text is read as tokens: rustc reports what is wrong with others, such as a comment.
        let whole = &text[at..=at + end];
        let before = text[..at].trim_end().trim_end_matches("pub").trim_end();
        let attribute = before.ends_with(']').then(|| before.rsplit_once("#[")).flatten();
        if attribute.is_some_and(|(_, attribute)| attribute.starts_with("cfg")) {
            return None;
        }
        if !whole.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || "_[]<>=;:,+*-()".contains(c)) {
            return None;
        }
        let alias = syn::parse_str::<ItemType>(whole).ok().filter(|_| starts)?;
        let params: HashSet<String> = parameters(&alias.generics).map(ToString::to_string).collect();
        let of_std = |name: &str| ["Option", "Vec"].contains(&name) && !declared.contains_key(name);
        let is_known =
            |name: &str| params.contains(name) || once(name) || PRIMITIVES.contains(&name) || of_std(name);
        let name = alias.ident.to_string();
        let associated = ASSOCIATED.contains(&&*name) || text.contains(&format!("::{name}"));
        let known = !associated && words(alias.ty.to_token_stream()).iter().all(|name| is_known(name));
        let is_array = match &*alias.ty {
            Type::Array(_) | Type::Slice(_) => true,
            Type::Path(p) => p.path.segments.len() == 1 && p.path.segments[0].ident == "Vec",
            _ => false,
        };
        (is_array && known && once(&name)).then(|| whole.to_owned())
    });
    found.collect()
}

/// How often a file declares or imports each name.
fn declared(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    let mut words = words_of_text(text).peekable();
    while let Some(word) = words.next() {
        const KINDS: [&str; 7] = ["type", "struct", "enum", "union", "trait", "const", "static"];
        if KINDS.contains(&word)
            && let Some(name) = words.peek()
        {
            *found.entry((*name).to_owned()).or_default() += 1;
        }
    }
    for import in text.split("use ").skip(1).filter_map(|rest| rest.split_once(';')) {
        for name in words_of_text(import.0) {
            *found.entry(name.to_owned()).or_default() += 1;
        }
    }
    found
}
