//! Makes expressions from tokens, with spans.
use crate::parse::tokens::leaves::{group, idents, respanned};
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::effects::is_of_numbers;
use crate::sema::syntax::forms::strip;
use crate::visits::{self, Node};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::{Block, Expr, ExprBlock, Pat, PatIdent, Stmt};

/// The same tokens (of the same macros) at another place.
pub fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    respanned(tokens, &|own| own.located_at(span))
}

/// The same tokens as the macros' own, at their places: for paths to items, of which no lint is to speak.
pub fn generated(tokens: TokenStream) -> TokenStream {
    respanned(tokens, &|own| Span::mixed_site().located_at(own))
}

/// [`moved`], of an expression.
pub fn moved_expr(e: &Expr, span: Span) -> Expr {
    made(moved(e.to_token_stream(), span))
}

/// An expression of tokens that are one.
pub fn made(tokens: TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are an expression")
}

/// `{ … }`, of what is parsed already.
pub fn block(stmts: Vec<Stmt>) -> Expr {
    let block = Block { brace_token: Default::default(), stmts };
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block })
}

/// `(inner)`. No lint finds these parentheses unnecessary, as they are nowhere in the user's file.
pub fn parentheses(inner: TokenStream) -> TokenStream {
    group(Delimiter::Parenthesis, inner, Span::mixed_site()).into()
}

/// An expression for the head of a `match`, `if let` or `for`. One with braces, such as `S { x }.f()`, gets parentheses: its brace would
/// begin the body.
pub fn in_head(e: &impl ToTokens) -> TokenStream {
    fn has_braces(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|t| match t {
            TokenTree::Group(g) => match g.delimiter() {
                Delimiter::Brace => true,
                Delimiter::None => has_braces(g.stream()),
                _ => false,
            },
            _ => false,
        })
    }
    let tokens = e.to_token_stream();
    if has_braces(tokens.clone()) { parentheses(tokens) } else { tokens }
}

/// A name that users can't write.
pub fn hidden(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// `place[index]`
pub fn element(place: &Expr, index: &Expr, span: Span) -> Expr {
    made(quote_spanned!(span=> #place[#index]))
}

/// `f(args)`
pub fn call(f: &Expr, args: &[TokenStream], span: Span) -> Expr {
    match f {
        Expr::Closure(_) => made(quote_spanned!(span=> (#f)(#(#args),*))),
        // A closure that is used again: `.for_each(&mut visit)`.
        Expr::Reference(r) if matches!(&*r.expr, Expr::Path(_)) => call(&r.expr, args, span),
        f => made(quote_spanned!(span=> #f(#(#args),*))),
    }
}

/// The names that the evaluation of an expression may give other values: `lo` in `x[lo..{ lo += 2; 9 }].iter()`.
pub fn changed(e: &Expr) -> HashSet<String> {
    let mut found = Changed { names: HashSet::new() };
    visits::each(e, |node| match node {
        Node::Expr(Expr::Assign(a)) => found.place(&a.left),
        Node::Expr(Expr::Binary(b)) if is_assignment(&b.op) => found.place(&b.left),
        Node::Expr(Expr::Reference(r)) if r.mutability.is_some() => found.place(&r.expr),
        // A method of the user's may take `&mut self`.
        // (What a call gives is a value of its own, or a place that is `&mut` in its arguments.)
        Node::Expr(e @ Expr::MethodCall(m))
            if !is_of_numbers(e)
                && !["iter", "windows", "chunks", "chunks_exact"].iter().any(|name| m.method == name)
                && !matches!(strip(&m.receiver), Expr::Call(_)) =>
        {
            found.place(&m.receiver);
        }
        // `ref mut` may stand in a pattern.
        Node::Expr(Expr::Match(m)) => found.place(&m.expr),
        Node::Expr(Expr::Let(l)) => found.place(&l.expr),
        Node::Local(syn::Local { pat, init: Some(init), .. })
            if !matches!(pat, Pat::Ident(PatIdent { by_ref: None, .. }) | Pat::Type(_)) =>
        {
            found.place(&init.expr);
        }
        Node::Macro(m) => found.all(m.tokens.clone()),
        _ => {}
    });
    found.names
}

struct Changed {
    names: HashSet<String>,
}

impl Changed {
    fn all(&mut self, tokens: TokenStream) {
        self.names.extend(idents(tokens).map(|name| name.to_string()));
    }

    /// The variable that a place is, or is part of.
    fn place(&mut self, e: &Expr) {
        let e = strip(e);
        match e {
            Expr::Field(f) => self.place(&f.base),
            Expr::Index(x) => self.place(&x.expr),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.place(&u.expr),
            Expr::Path(p) => self.all(p.to_token_stream()),
            // What is taken apart.
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.place(e)),
            Expr::Array(a) => a.elems.iter().for_each(|e| self.place(e)),
            Expr::Call(_) | Expr::Struct(_) => self.all(e.to_token_stream()),
            _ => {}
        }
    }
}
