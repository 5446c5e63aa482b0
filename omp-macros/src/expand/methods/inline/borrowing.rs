//! Structs that borrow, `struct Cursor<'a> { bytes: &'a [u8], pos: usize }`, as values of a body: brings what is done with such a value as
//! a whole into the forms that [`parts`](super::parts) takes, which are literals and places.
//!
//! A copy `let mut look = *c;` becomes a literal of its fields, and an assignment `*c = look;` one of each field. A value that has no name,
//! as in `Cursor::new(x).sum()`, gets one, and one whose type has a declared `impl Iterator` becomes `std::iter::from_fn`, where items are taken from it.
use super::expressions::{is_place, is_pure, made};
use super::{Inline, Method};
use crate::expand::methods::variables::Search;
use crate::expand::methods::{Struct, behind_parens, name_of, words};
use crate::iterate::{is_adaptor, is_end, parentheses, substituted};
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::shadowing;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Block, Expr, ExprMethodCall, Member, Pat, ReceiverKind, ReturnType, Stmt, Type, UnOp};

impl Inline<'_> {
    /// The struct that borrows of a value, as far as tokens show it.
    pub(super) fn borrowing(&self, e: &Expr) -> Option<&Struct> {
        if !self.methods.structs.iter().any(|s| s.borrows) {
            return None;
        }
        let e = match strip(e) {
            Expr::MethodCall(m) if m.method == "by_ref" && m.args.is_empty() => &m.receiver,
            e => e,
        };
        let name = Search::of_value(self.methods, &self.known, e)?;
        self.methods.find(&name).filter(|s| s.borrows && s.fields.is_some())
    }

    /// A `let` of such a value, as one of a literal of its fields. Variables after it that hide its name get another one.
    pub(super) fn by_fields(&mut self, s: &Stmt, rest: &mut [Stmt]) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let mut pat = &l.pat;
        while let Pat::Type(t) = pat {
            pat = &t.pat;
        }
        let Pat::Ident(name) = pat else { return None };
        let value = strip(&init.expr);
        let of = self.borrowing(value)?;
        let mut again = Names::default();
        rest.iter().for_each(|s| again.visit_stmt(s));
        if again.bound.iter().any(|p| p.ident == name.ident) {
            let mut after: Block = syn::parse_quote!({ #(#rest)* });
            let taken = words(after.to_token_stream());
            shadowing::renamed(&mut after, &HashSet::from([name.ident.to_string()]), &taken);
            rest.clone_from_slice(&after.stmts);
        }
        let span = l.let_token.span;
        if let Some(place) = copied(value, of) {
            let literal = literal(of, place, init.expr.span());
            return Some(vec![syn::parse_quote_spanned!(span=> let #name = #literal;)]);
        }
        match value {
            Expr::Struct(s) => {
                let rest = s.rest.as_deref().filter(|rest| !is_place(rest))?;
                s.fields.iter().all(|f| is_pure(&f.expr, &self.changing)).then_some(())?;
                let mut s = s.clone();
                let own = self.own_name("rest", rest.span());
                s.rest = Some(Box::new(made(own.to_token_stream())));
                Some(vec![
                    syn::parse_quote_spanned!(span=> let #own = #rest;),
                    syn::parse_quote_spanned!(span=> let #name = #s;),
                ])
            }
            Expr::MethodCall(m) if !is_plain(&m.receiver) => {
                let (receiver, mut m) = (m.receiver.clone(), m.clone());
                self.borrowing(&receiver)?;
                let own = self.own_name("made", receiver.span());
                *m.receiver = made(own.to_token_stream());
                Some(vec![
                    syn::parse_quote_spanned!(span=> let mut #own = #receiver;),
                    syn::parse_quote_spanned!(span=> let #name = #m;),
                ])
            }
            _ => None,
        }
    }

    /// The value of a struct in another one: a copy of a place.
    pub(super) fn own_struct(&self, value: Expr) -> Expr {
        let Some(of) = self.borrowing(&value) else { return value };
        match copied(strip(&value), of) {
            Some(place) => literal(of, place, value.span()),
            None => value,
        }
    }

    /// `*c = look;`, as an assignment of each field.
    pub(super) fn assigned_by_fields(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Assign(a) = e else { return None };
        if !is_plain(&a.left) {
            return None;
        }
        let of = self.borrowing(&a.left)?;
        let fields: Vec<Member> = of.fields.as_ref()?.members().collect();
        let (place, value, span) = (plain(&a.left), &a.right, a.eq_token.span);
        let own = self.own_name("assigned", span);
        Some(made(quote_spanned!(span=> { let #own = #value; #(#place.#fields = #own.#fields;)* })))
    }

    /// `Cursor::new(x).sum()`, with a name for the receiver.
    pub(super) fn named_receiver(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        if is_plain(&m.receiver) || m.method == "clone" {
            return None;
        }
        let of = self.borrowing(&m.receiver)?;
        let method = of.methods.iter().find(|own| own.function.sig.ident == m.method)?;
        let value = match &method.function.sig.output {
            ReturnType::Type(_, ty) => !matches!(behind_parens(ty), Type::Reference(_) | Type::ImplTrait(_)),
            ReturnType::Default => true,
        };
        if !value || self.borrowing(e).is_some() {
            return None;
        }
        let (own, receiver, mut m) =
            (self.own_name("made", m.receiver.span()), m.receiver.clone(), m.clone());
        *m.receiver = made(own.to_token_stream());
        let span = m.method.span();
        Some(made(parentheses(quote_spanned!(span=> { let mut #own = #receiver; #m }))))
    }

    /// The value of such a struct in a call's argument or a method's receiver that has no name, if its evaluation has no effects.
    pub(super) fn has_no_name(&self, e: &Expr) -> bool {
        let pure = |args: &syn::punctuated::Punctuated<Expr, syn::Token![,]>| {
            args.iter().all(|arg| is_pure(arg, &self.changing))
        };
        let pure = match strip(e) {
            Expr::Call(c) => pure(&c.args),
            Expr::Struct(s) => s.rest.is_none() && s.fields.iter().all(|f| is_pure(&f.expr, &self.changing)),
            _ => false,
        };
        pure && self.borrowing(e).is_some()
    }

    /// Whether items are taken from such a value.
    pub(super) fn iterates_borrowing(&self, e: &Expr) -> bool {
        let e = match strip(e) {
            Expr::Reference(r) if r.mutability.is_some() => &r.expr,
            e => e,
        };
        self.borrowing(e).is_some_and(|of| of.iterates)
    }

    /// Whether a method is one of iterators, of such a value.
    pub(super) fn takes_items(&self, m: &ExprMethodCall) -> bool {
        let of_iterators = is_adaptor(&m.method.to_string(), m.args.len())
            || is_end(m)
            || m.args.is_empty() && (m.method == "peekable" || m.method == "fuse");
        let own = |of: &Struct| of.methods.iter().any(|own| own.function.sig.ident == m.method);
        of_iterators && self.iterates_borrowing(&m.receiver) && !self.borrowing(&m.receiver).is_some_and(own)
    }

    pub(super) fn own_name(&mut self, of: &str, span: Span) -> Ident {
        self.chains += 1;
        Ident::new(&format!("{OF_CHAIN}{}_{of}", self.chains), span)
    }
}

/// The place that a value is a copy of.
fn copied<'e>(e: &'e Expr, of: &Struct) -> Option<&'e Expr> {
    match e {
        Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() && of.clones => {
            is_plain(&m.receiver).then_some(&*m.receiver)
        }
        e => is_plain(e).then_some(e),
    }
}

/// `c`, `*c`, `self.cur`
fn is_plain(e: &Expr) -> bool {
    match strip(e) {
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => is_place(&u.expr),
        e => is_place(e),
    }
}

/// The place as the base of a field.
fn plain(e: &Expr) -> &Expr {
    match strip(e) {
        Expr::Unary(u) => plain(&u.expr),
        e => e,
    }
}

fn literal(of: &Struct, place: &Expr, span: Span) -> Expr {
    let (name, place) = (Ident::new(&of.name, span), plain(place));
    let fields = of.fields.iter().flat_map(syn::Fields::members);
    let fields = fields.map(|member| quote_spanned!(span=> #member: #place.#member));
    made(quote_spanned!(span=> #name { #(#fields),* }))
}

/// The body of a function that returns such a struct, with a literal at its end.
pub(super) fn with_literal(block: &mut Block, of: &Struct) {
    let Some(Stmt::Expr(last, None)) = block.stmts.last() else { return };
    let written = match strip(last) {
        Expr::Struct(s) => s.rest.is_none(),
        Expr::Call(c) => {
            matches!(&*c.func, Expr::Path(p) if p.path.is_ident(&of.name) || p.path.is_ident("Self"))
        }
        _ => false,
    };
    if written {
        return;
    }
    let own = Ident::new("__omp_returned", last.span());
    let value = literal(of, &made(own.to_token_stream()), last.span());
    let before: Stmt = syn::parse_quote_spanned!(last.span()=> let #own = #last;);
    block.stmts.pop();
    block.stmts.extend([before, Stmt::Expr(value, None)]);
}

/// A method that takes `mut self`, with a variable for it.
pub(super) fn with_own_self(method: &Method) -> Option<Method> {
    let mut function = method.function.clone();
    let receiver = function.sig.receiver().filter(|r| matches!(r.kind, ReceiverKind::Value))?;
    receiver.mutability?;
    let own = Ident::new("__omp_of_self", receiver.self_token.span);
    let names = HashMap::from([("self".to_owned(), own.to_token_stream())]);
    let block: TokenStream = substituted(function.block.to_token_stream(), &names);
    let mut block: Block = syn::parse2(block).ok()?;
    let this = Ident::new("self", receiver.self_token.span);
    block.stmts.insert(0, syn::parse_quote!(let mut #own = #this;));
    function.block = block;
    if let Some(syn::FnArg::Receiver(r)) = function.sig.inputs.first_mut() {
        r.mutability = None;
    }
    Some(method.with(function))
}

/// A function that takes `mut reader: Reader`, with a variable for it.
pub(super) fn with_own_parameters(method: &Method, structs: &[Struct]) -> Option<Method> {
    let mut function = method.function.clone();
    let mut own: Vec<Stmt> = Vec::new();
    for input in &mut function.sig.inputs {
        let syn::FnArg::Typed(param) = input else { continue };
        let of = name_of(behind_parens(&param.ty)).and_then(|name| structs.iter().find(|s| s.name == name));
        let Pat::Ident(p) = &mut *param.pat else { continue };
        if p.mutability.is_none() || of.is_none() {
            continue;
        }
        let given = Ident::new(&format!("__omp_of_{}", p.ident), p.ident.span());
        own.push(syn::parse_quote!(let #p = #given;));
        (p.mutability, p.ident) = (None, given);
    }
    if own.is_empty() {
        return None;
    }
    function.block.stmts.splice(0..0, own);
    Some(method.with(function))
}
