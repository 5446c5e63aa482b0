//! The other side of a rule: its tokens, with what the pattern has bound in the place of `$name`.
use super::hygiene::tagged;
use super::matcher::{Bindings, Bound, is_punct, opened, repetition};
use crate::parse::tokens::leaves::group;
use crate::parse::tokens::leaves::regrouped;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use syn::Expr;

/// The tokens of one expansion.
pub struct Transcriber {
    /// The number of the expansion.
    pub number: usize,
    /// Where the macro is called.
    pub span: Span,
}

/// What the names mean inside of repetitions.
type Names<'b> = HashMap<&'b str, &'b Bound>;

impl Transcriber {
    /// `None` if the rule is wrong, or has something that is not supported.
    pub fn tokens(&self, body: TokenStream, bindings: &Bindings) -> Option<TokenStream> {
        let names = bindings.iter().map(|(name, bound)| (&**name, bound)).collect();
        self.transcribe(body, &names)
    }

    fn transcribe(&self, body: TokenStream, names: &Names) -> Option<TokenStream> {
        let trees: Vec<TokenTree> = body.into_iter().collect();
        let (mut out, mut at) = (TokenStream::new(), 0);
        while at < trees.len() {
            match &trees[at..] {
                [TokenTree::Punct(p), TokenTree::Group(g), rest @ ..]
                    if p.as_char() == '$' && g.delimiter() == Delimiter::Parenthesis =>
                {
                    let (separator, _, length) = repetition(rest)?;
                    out.extend(self.repeated(g, separator, names)?);
                    at += 2 + length;
                }
                [TokenTree::Punct(p), TokenTree::Ident(name), ..] if p.as_char() == '$' => {
                    match names.get(&*name.to_string()) {
                        Some(Bound::One(tokens)) => out.extend(tokens.clone()),
                        // In a repetition that is missing.
                        Some(Bound::Many(_)) => return None,
                        None if name == "crate" => {
                            out.extend([TokenTree::from(Ident::new("crate", self.span))]);
                        }
                        None => return None,
                    }
                    at += 2;
                }
                [TokenTree::Punct(p), ..] if p.as_char() == '$' => return None,
                [TokenTree::Group(g), ..] => {
                    let tokens = self.transcribe(g.stream(), names)?;
                    out.extend([group(g.delimiter(), tokens, Span::mixed_site().located_at(self.span))]);
                    at += 1;
                }
                [tree, rest @ ..] => {
                    let path = is_punct(rest.first(), ':') && is_punct(rest.get(1), ':');
                    out.extend([tagged(tree, path, self.number, self.span)]);
                    at += 1;
                }
                [] => unreachable!("the position is before the end"),
            }
        }
        Some(out)
    }

    fn repeated(&self, group: &Group, separator: Vec<TokenTree>, names: &Names) -> Option<TokenStream> {
        let used = used(group.stream());
        let many = names.iter().filter_map(|(name, bound)| match bound {
            Bound::Many(all) if used.iter().any(|used| used == name) => Some((*name, all)),
            _ => None,
        });
        let many: Vec<(&str, &Vec<Bound>)> = many.collect();
        let count = many.first()?.1.len();
        if many.iter().any(|(_, all)| all.len() != count) {
            return None;
        }
        let separator: TokenStream =
            separator.iter().map(|tree| tagged(tree, false, self.number, self.span)).collect();
        let mut out = TokenStream::new();
        for i in 0..count {
            let mut inner = names.clone();
            inner.extend(many.iter().map(|(name, all)| (*name, &all[i])));
            if i > 0 {
                out.extend(separator.clone());
            }
            out.extend(self.transcribe(group.stream(), &inner)?);
        }
        Some(out)
    }
}

/// The names after `$`.
fn used(tokens: TokenStream) -> Vec<String> {
    let (mut names, mut dollar) = (Vec::new(), false);
    for tree in tokens {
        match &tree {
            TokenTree::Ident(name) if dollar => names.push(name.to_string()),
            TokenTree::Group(g) => names.extend(used(g.stream())),
            _ => {}
        }
        dollar = is_punct(Some(&tree), '$');
    }
    names
}

/// Tokens whose fragments have parentheses where operators could take them apart, and no invisible delimiters. The arguments of macros keep
/// theirs, if `keeps` says so of the macro's name.
pub fn settled(tokens: TokenStream, keeps: &dyn Fn(&str) -> bool) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(g) = tree else {
            out.extend([tree.clone()]);
            continue;
        };
        if g.delimiter() != Delimiter::None {
            let of_macro = match trees[..at] {
                [.., TokenTree::Ident(ref name), ref mark] => {
                    is_punct(Some(mark), '!') && keeps(&name.to_string())
                }
                _ => false,
            };
            if of_macro {
                out.extend([tree.clone()]);
            } else {
                out.extend([regrouped(g, settled(g.stream(), keeps))]);
            }
            continue;
        }
        let (inner, sort) = opened(g);
        out.extend(placed(settled(inner, keeps), sort, &trees[..at], &trees[at + 1..]));
    }
    out
}

/// A fragment between other tokens.
fn placed(inner: TokenStream, sort: usize, before: &[TokenTree], after: &[TokenTree]) -> TokenStream {
    match sort {
        1 if !stays_whole(&inner, before, after) => parentheses(inner),
        // `$t::MAX`
        2 if is_punct(after.first(), ':')
            && is_punct(after.get(1), ':')
            && inner.clone().into_iter().count() > 1 =>
        {
            quote!(<#inner>)
        }
        _ => inner,
    }
}

/// Whether an expression is one operand where it stands.
fn stays_whole(inner: &TokenStream, before: &[TokenTree], after: &[TokenTree]) -> bool {
    let Ok(e) = syn::parse2::<Expr>(inner.clone()) else { return true };
    if is_atom(&e) {
        return true;
    }
    let ends = match after.first() {
        None => true,
        Some(TokenTree::Punct(p)) => matches!(p.as_char(), ',' | ';') || is_arrow(after),
        // The head of a loop or a condition.
        Some(TokenTree::Group(g)) => {
            g.delimiter() == Delimiter::Brace && syn::parse2::<Expr>(quote!(if #inner {})).is_ok()
        }
        _ => false,
    };
    let starts = match before.last() {
        None => true,
        Some(TokenTree::Ident(word)) => {
            matches!(&*word.to_string(), "if" | "while" | "match" | "in" | "return" | "break" | "else")
        }
        Some(TokenTree::Punct(p)) => match p.as_char() {
            ',' | ';' => true,
            '=' => !is_comparison(before),
            '>' => before.len() > 1 && is_punct(before.get(before.len() - 2), '='),
            _ => false,
        },
        Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::Brace,
        Some(TokenTree::Literal(_)) => false,
    };
    starts && ends
}

/// Whether tokens begin with `=>`.
fn is_arrow(after: &[TokenTree]) -> bool {
    is_punct(after.first(), '=') && is_punct(after.get(1), '>')
}

/// Whether tokens end with `==`, `!=`, `<=` or `>=`, or with `..=`.
fn is_comparison(before: &[TokenTree]) -> bool {
    let (first, second) = (before.len().checked_sub(2), before.len().checked_sub(3));
    let is = |at: Option<usize>, c| at.is_some_and(|at| is_punct(before.get(at), c));
    let shift = (is(first, '<') && is(second, '<')) || (is(first, '>') && is(second, '>'));
    !shift && ['=', '!', '<', '>', '.'].iter().any(|c| is(first, *c))
}

/// Whether no operator can take an expression apart.
pub fn is_atom(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Path(_)
            | Expr::Lit(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Paren(_)
            | Expr::Array(_)
            | Expr::Repeat(_)
            | Expr::Tuple(_)
            | Expr::Try(_)
            | Expr::Macro(_)
    )
}

/// In parentheses that no lint finds.
pub fn parentheses(tokens: TokenStream) -> TokenStream {
    let at = tokens.clone().into_iter().next().map_or_else(Span::call_site, |tree| tree.span());
    group(Delimiter::Parenthesis, tokens, Span::mixed_site().located_at(at)).into()
}
