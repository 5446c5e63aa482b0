//! Making expressions out of tokens with places.
use crate::sema::updates::is_assignment;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::Expr;
use syn::visit::{self, Visit};

/// The same tokens (of the same macros) at another place.
pub fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), moved(g.stream(), span));
            group.set_span(g.span().located_at(span));
            TokenTree::Group(group)
        }
        mut other => {
            other.set_span(other.span().located_at(span));
            other
        }
    };
    tokens.into_iter().map(tree).collect()
}

/// The same tokens as the macros' own, at their places: for paths to items, of which no lint is to speak.
pub fn generated(tokens: TokenStream) -> TokenStream {
    let own = |span: Span| Span::mixed_site().located_at(span);
    let tree = |tree: TokenTree| match tree {
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), generated(g.stream()));
            group.set_span(own(g.span()));
            TokenTree::Group(group)
        }
        mut other => {
            other.set_span(own(other.span()));
            other
        }
    };
    tokens.into_iter().map(tree).collect()
}

/// [`moved`], of an expression.
pub fn moved_expr(e: &Expr, span: Span) -> Expr {
    made(moved(e.to_token_stream(), span))
}

/// An expression of tokens that are one.
pub fn made(tokens: TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are an expression")
}

/// `(inner)`. No lint finds these parentheses unnecessary, as they are nowhere in the user's file.
pub fn parentheses(inner: TokenStream) -> TokenStream {
    let mut group = Group::new(proc_macro2::Delimiter::Parenthesis, inner);
    group.set_span(Span::mixed_site());
    TokenTree::Group(group).into()
}

/// A name that users can't write.
pub fn hidden(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// `place[index]`
pub fn element(place: &Expr, index: &Expr, span: Span) -> Expr {
    made(quote_spanned!(span=> #place[#index]))
}

/// The names that the evaluation of an expression may give other values: `lo` in `x[lo..{ lo += 2; 9 }].iter()`.
pub(super) fn changed(e: &Expr) -> HashSet<String> {
    let mut found = Changed(HashSet::new());
    found.visit_expr(e);
    found.0
}

struct Changed(HashSet<String>);

impl Changed {
    fn all(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => {
                    self.0.insert(name.to_string());
                }
                TokenTree::Group(g) => self.all(g.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Changed {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) => self.all(a.left.to_token_stream()),
            Expr::Binary(b) if is_assignment(&b.op) => self.all(b.left.to_token_stream()),
            Expr::Reference(r) if r.mutability.is_some() => self.all(r.expr.to_token_stream()),
            // A method of the user's may take `&mut self`.
            Expr::MethodCall(m) if !PURE.iter().any(|name| m.method == name) => {
                if let Expr::Path(p) = &*m.receiver {
                    self.all(p.to_token_stream());
                }
            }
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.all(m.tokens.clone());
    }
}

/// Methods that numbers in the heads of loops are often asked.
const PURE: [&str; 12] = [
    "len",
    "min",
    "max",
    "clamp",
    "pow",
    "div_ceil",
    "isqrt",
    "abs_diff",
    "next_multiple_of",
    "saturating_sub",
    "wrapping_sub",
    "unsigned_abs",
];
