//! `let (lo, hi) = x.split_at_mut(n);`: the parts `x[..n]` and `x[n..]` replace the names. The element `x[0]` and the
//! part `x[1..]` replace those of `let (first, rest) = x.split_first_mut().unwrap();`.
//!
//! Devices have no two `&mut` of one array. In the serial copy, rustc checks that nothing else uses `x` while the names are
//! used. So an access by a name is an access to the part, with the part's bounds.
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::{behind_references, dereferenced, is_named};
use crate::visits::{self, Node};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, Ident, Local, Pat, Stmt};

impl Walk<'_> {
    /// Replaces the names of halves in a block that is not yet walked through.
    pub(in crate::iterate) fn mutable_halves(&mut self, b: &mut Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                Stmt::Local(l) => halves(l),
                _ => None,
            };
            let Some(Halves { names, call: m, by, of_none }) = found else {
                at += 1;
                continue;
            };
            if are_bound(&names, &b.stmts[at + 1..]) {
                at += 1;
                continue;
            }
            let (span, array) = (m.method.span(), behind_references(&m.receiver));
            let [all, mid] = ["all", "mid"].map(|name| self.fresh(name, span));
            let mut whole = made(quote_spanned!(span=> #array[..]));
            if let Expr::Index(x) = array
                && matches!(&*x.index, Expr::Range(_))
            {
                whole = array.clone();
            }
            let panics = quote_spanned!(span=> ::omp::__private::core::panic!);
            let n = match by {
                By::Number => m.args[0].to_token_stream(),
                By::First => quote_spanned!(span=> 1),
                By::Last => quote_spanned!(span=> #all.len() - 1),
            };
            let all_of: Stmt = syn::parse_quote_spanned!(span=> let #all = &mut #whole;);
            let mid_is: Stmt =
                syn::parse_quote_spanned!(span=> let #mid: ::omp::__private::core::primitive::usize = #n;);
            let lets: [Stmt; 3] = match by {
                By::Number => [
                    all_of,
                    mid_is,
                    syn::parse_quote_spanned!(span=> if #mid > #all.len() { #panics("mid > len"); }),
                ],
                By::First | By::Last => [
                    all_of,
                    syn::parse_quote_spanned!(span=> if #all.len() == 0 { #panics(#of_none); }),
                    mid_is,
                ],
            };
            let low = (quote_spanned!(span=> #all[..#mid]), quote_spanned!(span=> #mid), None);
            let high = (
                quote_spanned!(span=> #all[#mid..]),
                quote_spanned!(span=> #all.len() - #mid),
                Some(mid.clone()),
            );
            let parts = match by {
                By::Number => [Some(low), Some(high)],
                By::First => [None, Some(high)],
                By::Last => [None, Some(low)],
            };
            let end = match by {
                By::Number | By::First => quote_spanned!(span=> #all[0]),
                By::Last => quote_spanned!(span=> #all[#mid]),
            };
            for (name, part) in names.iter().zip(parts) {
                let Some(name) = name else { continue };
                let Some((part, len, first)) = part else {
                    let mut put = PutElement { name, place: made(end.clone()) };
                    b.stmts[at + 1..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
                    continue;
                };
                let mut put = Put {
                    name,
                    all: &all,
                    part: made(part),
                    len,
                    first,
                    at: self.fresh("at", span),
                    mutable: true,
                };
                b.stmts[at + 1..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            }
            b.stmts.splice(at..=at, lets);
            at += 3;
        }
    }
}

/// The place where a slice is split.
#[derive(Clone, Copy)]
enum By {
    /// At the number that is the call's argument.
    Number,
    /// After its first element.
    First,
    /// Before its last element.
    Last,
}

/// A statement that parts a slice.
struct Halves {
    names: [Option<Ident>; 2],
    call: ExprMethodCall,
    by: By,
    /// The message if the slice is empty and has no such element.
    of_none: String,
}

/// The names and the call.
fn halves(l: &Local) -> Option<Halves> {
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let (Pat::Tuple(t), Expr::MethodCall(m)) = (&l.pat, &*init.expr) else { return None };
    let of = |name: &str, args: usize| m.method == name && m.args.len() == args;
    let (m, by, of_none) = if of("split_at_mut", 1) {
        (m, By::Number, String::new())
    } else {
        let message = match m.args.first() {
            None if of("unwrap", 0) => "called `Option::unwrap()` on a `None` value".to_owned(),
            Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) if of("expect", 1) => {
                text.value().replace('{', "{{").replace('}', "}}")
            }
            _ => return None,
        };
        let Expr::MethodCall(m) = &*m.receiver else { return None };
        match m.method.to_string().as_str() {
            "split_first_mut" if m.args.is_empty() => (m, By::First, message),
            "split_last_mut" if m.args.is_empty() => (m, By::Last, message),
            _ => return None,
        }
    };
    if t.elems.len() != 2 || !is_place(behind_references(&m.receiver)) {
        return None;
    }
    let name = |pat: &Pat| match pat {
        Pat::Wild(_) => Some(None),
        pat => pattern::plain_name(pat).map(|name| Some(name.clone())),
    };
    Some(Halves { names: [name(&t.elems[0])?, name(&t.elems[1])?], call: m.clone(), by, of_none })
}

/// Puts an element in the place of the name of a reference to it.
struct PutElement<'n> {
    name: &'n Ident,
    place: Expr,
}

impl VisitMut for PutElement<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) && is_named(&u.expr, self.name) => {
                *e = self.place.clone();
            }
            Expr::Field(f) if is_named(&f.base, self.name) => *f.base = self.place.clone(),
            Expr::MethodCall(m) if is_named(&m.receiver, self.name) => {
                *m.receiver = self.place.clone();
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Index(x) if is_named(&x.expr, self.name) => {
                *x.expr = self.place.clone();
                self.visit_expr_mut(&mut x.index);
            }
            e if is_named(e, self.name) => {
                let place = &self.place;
                *e = made(quote_spanned!(self.name.span()=> &mut #place));
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether something else gets one of the names, or they are assigned.
fn are_bound(names: &[Option<Ident>; 2], code: &[Stmt]) -> bool {
    names.iter().flatten().any(|name| {
        visits::any(code, |node| match node {
            Node::Pat(Pat::Ident(p)) => p.ident == *name,
            Node::Expr(Expr::Assign(a)) => is_named(&a.left, name),
            Node::Macro(m) => mentions(m.tokens.clone(), &name.to_string()),
            _ => false,
        })
    })
}

/// Puts a part of a slice in the place of its name.
pub(super) struct Put<'n> {
    pub name: &'n Ident,
    pub all: &'n Ident,
    pub part: Expr,
    pub len: TokenStream,
    /// The number of its first element.
    pub first: Option<Ident>,
    pub at: Ident,
    pub mutable: bool,
}

impl Put<'_> {
    /// What may be the name.
    pub fn named(e: &Expr) -> &Expr {
        dereferenced(e)
    }

    fn is_name(&self, e: &Expr) -> bool {
        matches!(dereferenced(e), Expr::Path(p) if p.path.is_ident(self.name))
    }
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Index(x) if self.is_name(&x.expr) => {
                self.visit_expr_mut(&mut x.index);
                if matches!(&*x.index, Expr::Range(_)) {
                    *x.expr = self.part.clone();
                    return;
                }
                let (all, len, at, index, span) =
                    (self.all, &self.len, &self.at, &x.index, x.bracket_token.span.join());
                let first = self.first.as_ref().map(|first| quote_spanned!(span=> #first +));
                *e = made(quote_spanned!(span=> #all[{
                    let #at: ::omp::__private::core::primitive::usize = #index;
                    if #at >= #len {
                        ::omp::__private::core::panic!("index out of bounds: the len is {} but the index is {}", #len, #at);
                    }
                    #first #at
                }]));
            }
            Expr::MethodCall(m) if self.is_name(&m.receiver) && m.method == "len" && m.args.is_empty() => {
                let (len, span) = (&self.len, m.method.span());
                *e = made(parentheses(quote_spanned!(span=> #len)));
            }
            Expr::MethodCall(m) if self.is_name(&m.receiver) => {
                *m.receiver = self.part.clone();
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            e if matches!(e, Expr::Path(_)) && self.is_name(e) => {
                let part = &self.part;
                let span = part
                    .to_token_stream()
                    .into_iter()
                    .next()
                    .map_or_else(proc_macro2::Span::call_site, |t| t.span());
                *e = made(if self.mutable {
                    quote_spanned!(span=> &mut #part)
                } else {
                    quote_spanned!(span=> &#part)
                });
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
