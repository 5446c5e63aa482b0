//! List items of clauses: places with optional sections.
use super::split_commas;
use super::tokens::source::as_written;
use crate::ast::{Item, Section};
use crate::diag::{Code, Sink};
use crate::sema::syntax::forms::strip;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, Ident, Member, RangeLimits, Token};

/// Parses a comma-separated list; what cannot be read is reported and left out.
pub fn list(clause: &str, span: Span, tokens: TokenStream, sink: &mut Sink) -> Vec<Item> {
    let parts = split_commas(tokens);
    if parts.is_empty() {
        sink.error(Code::MalformedClause, span, format!("`{clause}` names nothing"))
            .help(format!("give it one or more variables: `{clause}(x, y)`"));
    }
    parts.into_iter().filter_map(|part| item(clause, span, part, sink)).collect()
}

/// Parses one item.
fn item(clause: &str, span: Span, tokens: TokenStream, sink: &mut Sink) -> Option<Item> {
    let at = tokens.clone().into_iter().next().map_or(span, |t| t.span());
    let names: Vec<String> = tokens
        .clone()
        .into_iter()
        .filter_map(|t| match t {
            TokenTree::Ident(i) if i != "mut" && i != "ref" => Some(i.to_string()),
            _ => None,
        })
        .collect();
    let (place, rest) = match place_and_rest.parse2(tokens) {
        Ok(parts) => parts,
        Err(e) => {
            let error = sink.error(Code::MalformedClause, e.span(), format!("no item of `{clause}`: {e}"));
            if let Some(name) = names.first() {
                error.help(format!("write `{name}`: a clause names the variable, however it is borrowed"));
            }
            error.help("items are variables and fields: `x`, `self.x`, `g.cells`, with sections `x[lo..hi]`");
            return None;
        }
    };
    let mut sections = Vec::new();
    for group in rest {
        match section(&group) {
            Ok(s) if is_backwards(&s) => {
                sink.error(Code::MalformedSection, group.span(), "malformed section: its end is before its start")
                    .help("the first bound is no greater than the second; OpenMP's `x[lo:len]` has a length after the `:`");
                return None;
            }
            Ok(s) => sections.push(s),
            Err((at, what)) => {
                sink.error_at(Code::MalformedSection, at, format!("malformed section: {what}"))
                    .help("sections are `x[lo..hi]`, `x[..n]`, `x[lo..]`, or OpenMP's `x[lo:len]`, `x[:n]`");
                return None;
            }
        }
    }
    Some(Item { key: place_key(&place), place, sections, span: at })
}

/// `x.y.z` and the bracketed groups after it.
fn place_and_rest(input: ParseStream) -> syn::Result<(Expr, Vec<Group>)> {
    if input.is_empty() {
        return Err(input.error("nothing between two commas"));
    }
    // `*total` and `total` are one place.
    while input.peek(Token![*]) {
        input.parse::<Token![*]>()?;
    }
    let base: Ident =
        if input.peek(Token![self]) { input.call(syn::ext::IdentExt::parse_any)? } else { input.parse()? };
    let mut place: Expr = syn::parse_quote!(#base);
    while input.peek(Token![.]) {
        let dot: Token![.] = input.parse()?;
        for member in members(input)? {
            place = syn::parse2(quote::quote!(#place #dot #member))?;
        }
    }
    let mut groups = Vec::new();
    while !input.is_empty() {
        match input.parse::<TokenTree>()? {
            TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket => groups.push(g),
            other => return Err(syn::Error::new(other.span(), format!("unexpected `{other}`"))),
        }
    }
    Ok((place, groups))
}

/// A field after a dot: the two of `t.2.0` are one token, a number with a point.
fn members(input: ParseStream) -> syn::Result<Vec<Member>> {
    if !input.peek(syn::LitFloat) {
        return Ok(vec![input.parse()?]);
    }
    let number: syn::LitFloat = input.parse()?;
    let member = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let index = text.parse().ok().filter(|_| digits);
        let index = index.ok_or_else(|| syn::Error::new(number.span(), format!("unexpected `{number}`")))?;
        Ok(Member::Unnamed(syn::Index { index, span: number.span() }))
    };
    number.to_string().split('.').map(member).collect()
}

/// The tokens of a malformed section, and the message.
type Malformed = (TokenStream, String);

/// The contents of `[…]`.
fn section(group: &Group) -> Result<Section, Malformed> {
    let tokens = group.stream();
    if tokens.is_empty() {
        return Err((group.to_token_stream(), "there is no range in the brackets".to_owned()));
    }
    if let Some((lo, len)) = super::split_colon(&tokens) {
        if super::split_colon(&len).is_some() {
            let text = as_written(&tokens);
            return Err((tokens, format!("`{text}` has a stride")));
        }
        let (lo, len) = (bound(lo)?, bound(len)?);
        return Ok(Section { counted: lo.is_some() && len.is_some(), lo, hi: len, inclusive: false });
    }
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(Expr::Range(r)) => {
            for bound in [&r.start, &r.end].into_iter().flatten() {
                is_bound(bound)?;
            }
            Ok(Section {
                lo: r.start.map(|e| *e),
                inclusive: matches!(r.limits, RangeLimits::Closed(_)),
                hi: r.end.map(|e| *e),
                counted: false,
            })
        }
        Ok(other) => {
            is_bound(&other)?;
            let text = as_written(&other);
            let named = matches!(other, Expr::Path(_) | Expr::Field(_));
            let ends = if named {
                format!(
                    ", of a range by its name `{text}.start..{text}.end`, of a `RangeInclusive` `*{text}.start()..=*{text}.end()`"
                )
            } else {
                String::new()
            };
            Err((tokens, format!("a section is a range, of one element `{text}..={text}`{ends}")))
        }
        Err(_) => Err(no_number(tokens, "no range of numbers")),
    }
}

/// The expression on one side of the colon.
fn bound(tokens: TokenStream) -> Result<Option<Expr>, Malformed> {
    if tokens.is_empty() {
        return Ok(None);
    }
    let e = syn::parse2::<Expr>(tokens.clone()).map_err(|_| no_number(tokens, "no number"))?;
    is_bound(&e)?;
    Ok(Some(e))
}

/// Refuses what is no number by its tokens alone: rustc would speak of types that the user did not write.
fn is_bound(e: &Expr) -> Result<(), Malformed> {
    let e = strip(e);
    match e {
        Expr::Lit(l) if matches!(l.lit, syn::Lit::Int(_)) => Ok(()),
        Expr::Lit(_) | Expr::Range(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(_) => {
            Err(no_number(e.to_token_stream(), "no number"))
        }
        _ => Ok(()),
    }
}

fn no_number(tokens: TokenStream, what: &str) -> Malformed {
    let text = as_written(&tokens);
    (tokens, format!("`{text}` is {what}"))
}

/// Whether a section whose bounds are literals can't be.
fn is_backwards(section: &Section) -> bool {
    let number = |e: &Option<Expr>| match e {
        Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. })) => n.base10_parse::<u128>().ok(),
        _ => None,
    };
    match (number(&section.lo), number(&section.hi)) {
        (Some(lo), Some(hi)) => !section.counted && lo > hi.saturating_add(section.inclusive.into()),
        _ => false,
    }
}

/// The key by which clauses and body agree on a place: its tokens without spaces.
fn place_key(place: &Expr) -> String {
    place.to_token_stream().to_string().replace(' ', "")
}

/// A string literal, for `name("…")`.
pub struct Text(pub String);

impl Parse for Text {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        Ok(Self(input.parse::<syn::LitStr>()?.value()))
    }
}
