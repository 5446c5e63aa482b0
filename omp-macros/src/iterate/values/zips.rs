//! `std::iter::zip(a, b)` as `a.iter().zip(b)`, and `b"on"` in patterns as a slice, so that all other code handles one
//! spelling.
use crate::iterate::loops::chain::{cuts, is_place};
use crate::iterate::tokens::{made, parentheses};
use crate::parse::tokens::file::SourceFile;
use crate::sema::syntax::std_names;
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, Pat, Path};

/// Writes the calls of `zip` out, in all of what is visited.
pub struct Zips;

impl VisitMut for Zips {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Call(c) = &*e
            && let Some(zip) = written_out(c)
        {
            *e = zip;
        }
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        visit_mut::visit_pat_mut(self, pat);
        bytes(pat);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The pattern `b"on"` as `[b'o', b'n']`: the bytes are compared one by one.
pub fn bytes(pat: &mut Pat) {
    let Pat::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(text), .. }) = &*pat else { return };
    let span = text.span();
    let bytes = text.value().into_iter().map(|byte| syn::LitByte::new(byte, span));
    let bytes = quote_spanned!(span=> [#(#bytes),*]);
    if let Ok(slice) = Pat::parse_single.parse2(bytes) {
        *pat = slice;
    }
}

fn written_out(c: &ExprCall) -> Option<Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let (2, None, true) = (c.args.len(), &p.qself, is_zip(&p.path)) else { return None };
    let (first, other, span) =
        (without_parentheses(&c.args[0]), &c.args[1], p.path.segments.last()?.ident.span());
    let items = match first {
        Expr::Reference(r) => {
            let method = if r.mutability.is_some() { "iter_mut" } else { "iter" };
            let (method, of) = (proc_macro2::Ident::new(method, span), &r.expr);
            let of = if is_place(of) { of.to_token_stream() } else { parentheses(of.to_token_stream()) };
            quote_spanned!(span=> #of.#method())
        }
        Expr::Range(_) => parentheses(first.to_token_stream()),
        Expr::MethodCall(m) if gives_items(m) => first.to_token_stream(),
        _ => quote_spanned!(span=> #first.into_iter()),
    };
    Some(made(quote_spanned!(span=> #items.zip(#other))))
}

fn without_parentheses(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => without_parentheses(&p.expr),
        Expr::Group(g) => without_parentheses(&g.expr),
        other => other,
    }
}

/// Whether a method gives an iterator by its name.
fn gives_items(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    matches!(name.as_str(), "iter" | "iter_mut" | "into_iter" | "cycle" | "fuse")
        || cuts(&m.method)
        || crate::iterate::is_adaptor(&name, m.args.len())
}

/// Whether a path is std's `zip`. A name alone is, if the file imports it from std and has no other.
fn is_zip(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std" | "core", "iter", "zip"] | ["iter", "zip"] => true,
        ["zip"] => SourceFile::of(path.segments[0].ident.span())
            .is_some_and(|file| *file.shows(|text| std_names::imports_function(text, "iter", "zip"))),
        _ => false,
    }
}
