//! Patterns that bind parts of a value by reference and change them: `match &mut state { State::Busy { left } => *left -= 1, … }`.
//!
//! A pattern binds copies on a device. So an arm that changes a binding assigns the whole value at its end:
//! `match state { State::Busy { mut left } => { left -= 1; state = State::Busy { left } }, … }`. The result is the same, because rustc
//! allows no other use of the value while the bindings live. An arm that assigns the whole value itself keeps what it assigns.
//!
//! (A slice has no value as a whole: see `iterate/names/slice_patterns.rs`.)
use super::Methods;
use super::mem_calls;
use crate::iterate::Renamed;
use crate::iterate::assigned_through;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::jumps::{Open, visit_inside};
use crate::sema::syntax::names::{self, Names};
use crate::sema::syntax::place::{self, Step};
use crate::sema::syntax::search;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, FnArg, Item, Member, Pat, ReturnType, Signature, Stmt, Type, UnOp};

/// Rewrites such matches of a body. `self` may be one of its `&mut` references.
pub(super) fn take(block: &mut Block, sig: Option<&Signature>, methods: &Methods) {
    mem_calls::assigned(block);
    let exclusive = sig
        .and_then(Signature::receiver)
        .is_some_and(|r| matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))));
    let by_mut = |input: &FnArg| match input {
        FnArg::Typed(syn::PatType { pat, ty, .. }) => match (&**pat, &**ty) {
            (Pat::Ident(p), Type::Reference(r)) if r.mutability.is_some() => Some(p.ident.to_string()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    let mut lent: HashSet<String> = sig.iter().flat_map(|sig| &sig.inputs).filter_map(by_mut).collect();
    if !lent.is_empty() {
        // (What hides a parameter may be a value.)
        let hidden = names::bound_in(block);
        lent.retain(|name| !hidden.contains(name));
    }
    Matches { methods, exclusive, lent, numbers: 0 }.visit_block_mut(block);
}

struct Matches<'a> {
    methods: &'a Methods,
    /// `self` is a `&mut`.
    exclusive: bool,
    /// The parameters that are `&mut`.
    lent: HashSet<String>,
    /// Names of indices so far.
    numbers: usize,
}

/// The place that a pattern is matched against.
struct Looked {
    /// The place, as it is written.
    written: Expr,
    /// The same with names for its indices.
    place: Expr,
    /// The declarations of these names.
    indices: Vec<Stmt>,
    /// It is borrowed to be changed, for sure.
    sure: bool,
}

impl Looked {
    fn at(place: Expr, sure: bool, numbers: &mut usize) -> Self {
        let (written, mut place, mut indices) = (place.clone(), place, Vec::new());
        name_indices(&mut place, numbers, &mut indices);
        Self { written, place, indices, sure }
    }

    /// Gives a binding another name that hides the place: `match &mut f { Some(f) => … }`.
    fn unhide(&self, pat: &mut Pat, body: &mut Expr) {
        let hides = |root: &&Ident| {
            let name = root.to_string();
            bound(pat).contains(&name) && (self.sure || assigned_through(body).contains(&name))
        };
        let Some(root) = place::root(&self.place).filter(hides) else { return };
        let other = Ident::new(&format!("__{root}_inside"), Span::mixed_site().located_at(root.span()));
        let mut renamed = Renamed(HashMap::from([(root.to_string(), other)]));
        renamed.visit_expr_mut(body);
        renamed.visit_pat_mut(pat);
    }
}

/// `f.as_mut().map_or(0, |f| f.next())` as a `match` of the option.
fn combined(m: &ExprMethodCall) -> Option<Expr> {
    let Expr::MethodCall(of) = strip(&m.receiver) else { return None };
    if of.method != "as_mut" || !of.args.is_empty() {
        return None;
    }
    let args: Vec<&Expr> = m.args.iter().collect();
    let (span, option) = (m.method.span(), quote!(::omp::__private::core::option::Option));
    // (These leave the closure alone.)
    let leaves = |arg: &&Expr| search::any(*arg, |e| matches!(e, Expr::Return(_) | Expr::Try(_)));
    if args.iter().any(leaves) {
        return None;
    }
    let name = m.method.to_string();
    let (closure, some, none) = match (name.as_str(), &args[..]) {
        ("map", [Expr::Closure(c)]) => (c, Some(quote!(#option::Some)), quote!(#option::None)),
        ("and_then", [Expr::Closure(c)]) => (c, None, quote!(#option::None)),
        ("is_some_and", [Expr::Closure(c)]) => (c, None, quote!(false)),
        ("map_or", [other, Expr::Closure(c)]) => (c, None, other.to_token_stream()),
        ("map_or_else", [Expr::Closure(other), Expr::Closure(c)]) if other.inputs.is_empty() => {
            (c, None, other.body.to_token_stream())
        }
        _ => return None,
    };
    // (What is evaluated in either case stands before, unless it is a value.)
    let other = (name == "map_or" && !matches!(args[0], Expr::Path(_) | Expr::Lit(_))).then(|| {
        let other = Ident::new("__other_of_option", Span::mixed_site().located_at(span));
        (quote_spanned!(span=> let #other = #none;), other.to_token_stream())
    });
    // (The receiver is evaluated before it.)
    let calls = |e: &Expr| matches!(e, Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_));
    if other.is_some() && search::any(&*of.receiver, calls) {
        return None;
    }
    let (before, none) = other.map_or_else(|| (None, none), |(before, name)| (Some(before), name));
    let (1, ReturnType::Default, None, pat) =
        (closure.inputs.len(), &closure.output, &closure.capture, &closure.inputs[0])
    else {
        return None;
    };
    let (value, looked) = (&closure.body, &of.receiver);
    let value = some.map_or_else(|| value.to_token_stream(), |some| quote_spanned!(span=> #some(#value)));
    let whole =
        quote_spanned!(span=> match &mut #looked { #option::Some(#pat) => #value, #option::None => #none });
    Some(if before.is_some() { syn::parse_quote!({ #before #whole }) } else { syn::parse_quote!(#whole) })
}

/// Gives names to the indices of a place, which is assigned after they may have changed.
fn name_indices(place: &mut Expr, numbers: &mut usize, lets: &mut Vec<Stmt>) {
    match place {
        Expr::Paren(p) => name_indices(&mut p.expr, numbers, lets),
        Expr::Unary(u) => name_indices(&mut u.expr, numbers, lets),
        Expr::Field(f) => name_indices(&mut f.base, numbers, lets),
        Expr::Index(x) => {
            name_indices(&mut x.expr, numbers, lets);
            let all = match &mut *x.index {
                Expr::Tuple(t) => t.elems.iter_mut().collect(),
                index => vec![index],
            };
            for index in all.into_iter().filter(|index| !matches!(index, Expr::Lit(_))) {
                *numbers += 1;
                let span = index.span();
                let name =
                    Ident::new(&format!("__index_of_place{numbers}"), Span::mixed_site().located_at(span));
                lets.push(syn::parse_quote_spanned!(span=> let #name = #index;));
                *index = syn::parse_quote!(#name);
            }
        }
        _ => {}
    }
}

impl Matches<'_> {
    /// The place that a `match` or `if let` looks at. `explicit`: its patterns borrow with `ref mut`.
    fn looked_at(&mut self, e: &Expr, explicit: bool) -> Option<Looked> {
        if explicit {
            return Some(Looked::at(e.clone(), true, &mut self.numbers));
        }
        let e = strip(e);
        let (place, sure) = match e {
            Expr::Reference(r) if r.mutability.is_some() => ((*r.expr).clone(), true),
            Expr::MethodCall(m) if m.method == "as_mut" && m.args.is_empty() => match &*m.receiver {
                e @ Expr::Path(p)
                    if p.path.get_ident().is_some_and(|name| self.lent.contains(&name.to_string())) =>
                {
                    (syn::parse_quote!(*#e), true)
                }
                place => (place.clone(), true),
            },
            Expr::Path(p) if p.path.is_ident("self") => {
                self.exclusive.then_some(())?;
                (syn::parse_quote!(*#e), true)
            }
            Expr::Path(p) if p.path.get_ident().is_some() => (syn::parse_quote!(*#e), false),
            _ => return None,
        };
        Some(Looked::at(place, sure, &mut self.numbers))
    }

    /// The arms with copies, if all of them can have some.
    ///
    /// The second says whether one of them assigns the place.
    fn arms<'p>(
        &self,
        looked: &Looked,
        arms: impl Iterator<Item = (&'p Pat, Option<&'p Expr>, &'p Expr)> + Clone,
    ) -> Option<(Vec<Arm>, bool)> {
        let by_name = |(pat, _, body): (&Pat, Option<&Expr>, &Expr)| {
            let names = bound(pat);
            assigned_through(body).iter().any(|name| names.contains(name))
        };
        if !looked.sure && !arms.clone().any(by_name) {
            return None;
        }
        let mut assigns = false;
        let all = arms
            .map(|(pat, guard, body)| self.arm(looked, pat, guard, body, &mut assigns))
            .collect::<Option<_>>();
        Some((all?, assigns))
    }

    fn arm(
        &self,
        looked: &Looked,
        pat: &Pat,
        guard: Option<&Expr>,
        body: &Expr,
        assigns: &mut bool,
    ) -> Option<Arm> {
        let names = bound(pat);
        let place = &looked.place;
        // Where the indices have other values, its text is of another place.
        let moved = crate::iterate::changed(body);
        let lets = &looked.indices;
        let indices: Expr = syn::parse_quote!({ #(#lets)* });
        let is_pure = |s: &Stmt| matches!(s, Stmt::Local(l) if l.init.as_ref().is_some_and(|init| effects::is_pure(&init.expr, &|_| false)));
        let moves = Names::of_expr(&indices).mentioned.iter().any(|name| moved.contains(&name.to_string()));
        let stays = !moves && lets.iter().all(is_pure);
        let mut change = Change {
            names: &names,
            place: &looked.written,
            stays,
            changed: HashSet::new(),
            assigned: false,
            refused: false,
            kept: Some(kept(body)),
        };
        let (mut guard, mut new) = (guard.cloned(), body.clone());
        if let Some(guard) = &mut guard {
            change.visit_expr_mut(guard);
            change.changed.clear();
        }
        change.visit_expr_mut(&mut new);
        let Change { changed, assigned, refused, kept, .. } = change;
        if refused || rebinds(body, &names) {
            return None;
        }
        if changed.is_empty() {
            let mut pat = pat.clone();
            Values(&changed).visit_pat_mut(&mut pat);
            if assigned {
                // Nothing is written back, so no flag for it is needed.
                new = body.clone();
                let changed = HashSet::new();
                let place = &looked.written;
                Change { names: &names, place, stays, changed, assigned: false, refused: false, kept: None }
                    .visit_expr_mut(&mut new);
            }
            return Some((pat, guard, new));
        }
        *assigns = true;
        let mut whole = pat.clone();
        let mut n = 0;
        if may_be_of_slice(pat) {
            return None;
        }
        let again = self.again(&mut whole, &mut n)?;
        Values(&changed).visit_pat_mut(&mut whole);
        let span = body.span();
        let back: Block = if assigned {
            syn::parse_quote_spanned!(span=> { if #kept { #place = #again; } })
        } else {
            syn::parse_quote_spanned!(span=> { #place = #again; })
        };
        Leaves { back: &back, inside: Open::default() }.visit_expr_mut(&mut new);
        let flag = assigned.then(|| quote_spanned!(span=> let mut #kept = true;));
        let stmts = &back.stmts;
        let result = Ident::new("__value_of_arm", Span::mixed_site().located_at(span));
        let new: Expr = if gives_nothing(&new) {
            syn::parse_quote_spanned!(span=> { #flag #new; #(#stmts)* })
        } else {
            syn::parse_quote_spanned!(span=> { #flag let #result = #new; #(#stmts)* #result })
        };
        Some((whole, guard, new))
    }

    /// The value that a pattern has taken apart. What it leaves out gets names.
    fn again(&self, pat: &mut Pat, n: &mut usize) -> Option<TokenStream> {
        let mut name = |span: Span| {
            *n += 1;
            Ident::new(&format!("__rest_of_pattern{n}"), Span::mixed_site().located_at(span))
        };
        match pat {
            Pat::Ident(p) => {
                let name = &p.ident;
                if let Some((_, inner)) = &p.subpat
                    && !bound(inner).is_empty()
                {
                    return None;
                }
                Some(name.to_token_stream())
            }
            Pat::Wild(w) => {
                let name = name(w.underscore_token.span);
                *pat = syn::parse_quote!(#name);
                Some(name.to_token_stream())
            }
            Pat::Paren(p) => self.again(&mut p.pat, n),
            Pat::Path(p) => Some(p.to_token_stream()),
            Pat::Lit(l) => Some(l.to_token_stream()),
            Pat::Tuple(t) => {
                let parts: Vec<_> = t.elems.iter_mut().map(|p| self.again(p, n)).collect::<Option<_>>()?;
                Some(quote!((#(#parts,)*)))
            }
            // (Only rustc knows how many elements `..` leaves out.)
            Pat::Slice(s) if !s.elems.iter().any(|p| matches!(p, Pat::Rest(_))) => {
                let parts: Vec<_> = s.elems.iter_mut().map(|p| self.again(p, n)).collect::<Option<_>>()?;
                Some(quote!([#(#parts),*]))
            }
            Pat::TupleStruct(t) => {
                let path = t.path.clone();
                if let Some(at) = t.elems.iter().position(|p| matches!(p, Pat::Rest(_))) {
                    let all = self.methods.values.fields_of(&path, self.methods.self_name.as_deref())?;
                    let left_out = (all.len() + 1).checked_sub(t.elems.len())?;
                    let elems: Vec<Pat> = std::mem::take(&mut t.elems).into_iter().collect();
                    let any = || -> Pat { syn::parse_quote!(_) };
                    let (before, after) = (&elems[..at], &elems[at + 1..]);
                    t.elems = before
                        .iter()
                        .cloned()
                        .chain((0..left_out).map(|_| any()))
                        .chain(after.iter().cloned())
                        .collect();
                }
                let parts: Vec<_> = t.elems.iter_mut().map(|p| self.again(p, n)).collect::<Option<_>>()?;
                Some(quote!(#path(#(#parts),*)))
            }
            Pat::Struct(s) => {
                let path = s.path.clone();
                let borrows = || {
                    path.segments.last().is_some_and(|s| self.methods.find(&s.ident.to_string()).is_some())
                };
                if s.fields.iter().any(|f| may_be_of_slice(&f.pat)) && borrows() {
                    return None;
                }
                if s.rest.take().is_some() {
                    let all = self.methods.values.fields_of(&path, self.methods.self_name.as_deref())?;
                    for member in all {
                        let named = |f: &syn::FieldPat| f.member.to_token_stream().to_string() == member;
                        if !s.fields.iter().any(named) {
                            let (name, member) = (name(path.span()), Ident::new(&member, path.span()));
                            s.fields.push(syn::FieldPat {
                                attrs: vec![],
                                member: Member::Named(member),
                                colon_token: Some(<syn::Token![:]>::default()),
                                pat: Box::new(syn::parse_quote!(#name)),
                            });
                        }
                    }
                }
                let mut parts = Vec::new();
                for f in &mut s.fields {
                    let value = self.again(&mut f.pat, n)?;
                    let member = &f.member;
                    if f.colon_token.is_none() {
                        // `mut left` has no short form with a colon.
                        f.colon_token = Some(<syn::Token![:]>::default());
                    }
                    parts.push(quote!(#member: #value));
                }
                Some(quote!(#path { #(#parts),* }))
            }
            _ => None,
        }
    }
}

impl VisitMut for Matches<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::MethodCall(m) = e
            && let Some(written) = combined(m)
        {
            *e = written;
        }
        match e {
            Expr::Match(m) => {
                let explicit = m.arms.iter().any(|arm| has_ref_mut(&arm.pat));
                let Some(looked) = self.looked_at(&m.expr, explicit) else { return };
                for arm in &mut m.arms {
                    looked.unhide(&mut arm.pat, &mut arm.body);
                }
                let arms = m.arms.iter().map(|arm| match &arm.pat {
                    Pat::Guard(g) => (&*g.pat, Some(&*g.guard), &*arm.body),
                    pat => (pat, None, &*arm.body),
                });
                let Some((arms, assigns)) = self.arms(&looked, arms) else { return };
                let Looked { written, place, indices, sure: _ } = looked;
                *m.expr = if assigns { place } else { written };
                for (arm, (pat, guard, body)) in m.arms.iter_mut().zip(arms) {
                    *arm.body = body;
                    match (&mut arm.pat, guard) {
                        (Pat::Guard(old), Some(guard)) => (*old.pat, *old.guard) = (pat, guard),
                        (old, _) => *old = pat,
                    }
                    arm.comma = Some(<syn::Token![,]>::default());
                }
                if assigns && !indices.is_empty() {
                    *e = syn::parse_quote!({ #(#indices)* #e });
                }
            }
            Expr::If(i) => {
                let Expr::Let(l) = &mut *i.cond else { return };
                let Some(looked) = self.looked_at(&l.expr, has_ref_mut(&l.pat)) else { return };
                let block = &i.then_branch;
                let mut body: Expr = syn::parse_quote!(#block);
                looked.unhide(&mut l.pat, &mut body);
                if let Expr::Block(b) = &body {
                    i.then_branch = b.block.clone();
                }
                let arms = [(&*l.pat, None, &body)];
                let Some((arms, assigns)) = self.arms(&looked, arms.into_iter()) else { return };
                let Some((pat, _, body)) = arms.into_iter().next() else { return };
                let Looked { written, place, indices, sure: _ } = looked;
                (*l.pat, *l.expr) = (pat, if assigns { place } else { written });
                i.then_branch = match body {
                    Expr::Block(b) if b.label.is_none() => b.block,
                    body => syn::parse_quote!({ #body }),
                };
                if assigns && !indices.is_empty() {
                    *e = syn::parse_quote!({ #(#indices)* #e });
                }
            }
            _ => {}
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The body of an arm, with values in the place of references to them.
struct Change<'a> {
    names: &'a HashSet<String>,
    place: &'a Expr,
    /// The text of the place is of the same place in all of the body.
    stays: bool,
    changed: HashSet<String>,
    /// The whole is assigned.
    assigned: bool,
    refused: bool,
    /// The flag that an assignment of the whole resets.
    kept: Option<Ident>,
}

impl Change<'_> {
    fn is_root(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if place::root(self.place).is_some_and(|root| p.path.is_ident(root)))
    }

    fn name(&self, e: &Expr) -> Option<String> {
        match strip(e) {
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                self.names.contains(&name).then_some(name)
            }
            _ => None,
        }
    }

    /// A binding that a place is a part of, which is changed.
    fn changes(&mut self, e: &Expr) {
        let e = strip(e);
        match e {
            Expr::Unary(u) => self.changes(&u.expr),
            Expr::Field(f) => self.changes(&f.base),
            Expr::Index(x) => self.changes(&x.expr),
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.changes(e)),
            Expr::Array(a) => a.elems.iter().for_each(|e| self.changes(e)),
            e => self.changed.extend(self.name(e)),
        }
    }
}

impl VisitMut for Change<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) && self.name(&u.expr).is_some() => {
                *e = (*u.expr).clone();
                return;
            }
            Expr::Assign(a) => {
                if self.stays && text(&a.left) == text(self.place) {
                    self.assigned = true;
                    self.visit_expr_mut(&mut a.right);
                    if let Some(kept) = &self.kept {
                        *e = syn::parse_quote_spanned!(kept.span()=> { #kept = false; #e });
                    }
                    return;
                }
                self.changes(&a.left);
            }
            Expr::Binary(b) if crate::sema::reduction::updates::is_assignment(&b.op) => self.changes(&b.left),
            Expr::Reference(r) if r.mutability.is_some() => self.changes(&r.expr),
            Expr::MethodCall(m) => {
                self.changes(&m.receiver);
                for arg in &mut m.args {
                    self.reborrow(arg);
                }
            }
            Expr::Call(c) => {
                for arg in &mut c.args {
                    self.reborrow(arg);
                }
            }
            // `for x in all` gives references to the elements.
            Expr::ForLoop(f) => self.reborrow(&mut f.expr),
            Expr::Macro(m) => self.looks_into(m.mac.tokens.clone()),
            // Another part of what has the place, or one that has to do with it.
            Expr::Field(_) | Expr::Index(_) if !is_whole(self.place) && self.is_of_root(e) => {
                self.refused |= self.overlaps(e);
                indices_mut(e, &mut |index| self.visit_expr_mut(index));
                return;
            }
            // The whole is looked at in another way than by its parts.
            Expr::Path(_) => self.refused |= self.is_root(e),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        self.looks_into(m.tokens.clone());
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Change<'_> {
    /// A macro that names a binding, or what the place is of.
    fn looks_into(&mut self, tokens: TokenStream) {
        let root = place::root(self.place).map(ToString::to_string);
        self.refused |=
            super::names_any(tokens, &|word| self.names.contains(word) || root.as_deref() == Some(word));
    }

    fn is_of_root(&self, e: &Expr) -> bool {
        place::root(e).is_some_and(|root| place::root(self.place).is_some_and(|of| of == root))
    }

    /// Whether a place may be part of the other one.
    fn overlaps(&self, e: &Expr) -> bool {
        let (Some(a), Some(b)) = (place::path(e), place::path(self.place)) else { return true };
        a.iter().zip(&b).all(|(a, b)| match (a, b) {
            (Step::Name(a), Step::Name(b)) => a == b,
            (Step::At(a), Step::At(b)) => a == b,
            _ => true,
        })
    }

    /// A mutable reference as an argument: a reborrow takes its place.
    fn reborrow(&mut self, arg: &mut Expr) {
        if let Some(name) = self.name(arg) {
            self.changed.insert(name);
            let inner = arg.clone();
            *arg = syn::parse_quote_spanned!(arg.span()=> &mut #inner);
        }
    }
}

/// The indices of a place.
fn indices_mut(e: &mut Expr, f: &mut impl FnMut(&mut Expr)) {
    match e {
        Expr::Paren(p) => indices_mut(&mut p.expr, f),
        Expr::Unary(u) => indices_mut(&mut u.expr, f),
        Expr::Field(field) => indices_mut(&mut field.base, f),
        Expr::Index(x) => {
            indices_mut(&mut x.expr, f);
            f(&mut x.index);
        }
        _ => {}
    }
}

/// An arm: its pattern, its guard and its body.
type Arm = (Pat, Option<Expr>, Expr);

/// `*self`, `*s`, `s`
fn is_whole(place: &Expr) -> bool {
    matches!(place, Expr::Path(_)) || matches!(place, Expr::Unary(u) if matches!(&*u.expr, Expr::Path(_)))
}

fn text(e: &Expr) -> String {
    strip(e).to_token_stream().to_string()
}

fn kept(body: &Expr) -> Ident {
    Ident::new("__whole_is_kept", Span::mixed_site().located_at(body.span()))
}

/// Puts the whole together wherever an arm may be left: by `return`, `?`, and `break` and `continue` of loops and blocks around it.
struct Leaves<'a> {
    back: &'a Block,
    /// Loops and blocks of the arm.
    inside: Open,
}

impl VisitMut for Leaves<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_inside(self, |leaves| &mut leaves.inside, e);
        let stmts = &self.back.stmts;
        let value = Ident::new("__value_left_with", Span::mixed_site());
        let left_with = match e {
            Expr::Return(r) => &mut r.expr,
            Expr::Break(b) if !self.inside.stays(b.label.as_ref()) => &mut b.expr,
            Expr::Continue(c) if !self.inside.stays(c.label.as_ref()) => &mut None,
            // Whether it leaves or not: what is put together twice is the same.
            Expr::Try(t) => {
                let tried = &t.expr;
                let (question, span) = (t.question_token, tried.span());
                *e = syn::parse_quote_spanned!(span=> { let #value = #tried; #(#stmts)* #value #question });
                return;
            }
            _ => return,
        };
        *e = match left_with.take() {
            Some(v) => {
                *left_with = Some(syn::parse_quote!(#value));
                syn::parse_quote!({ let #value = #v; #(#stmts)* #e })
            }
            None => syn::parse_quote!({ #(#stmts)* #e }),
        };
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// A pattern that binds values: those that are changed are `mut`.
struct Values<'a>(&'a HashSet<String>);

impl VisitMut for Values<'_> {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        p.by_ref = None;
        p.mutability = self.0.contains(&p.ident.to_string()).then(<syn::Token![mut]>::default);
        visit_mut::visit_pat_ident_mut(self, p);
    }

    fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
        if let (Member::Named(_), Pat::Ident(_)) = (&f.member, &*f.pat) {
            f.colon_token.get_or_insert_with(Default::default);
        }
        visit_mut::visit_field_pat_mut(self, f);
    }
}

/// The names that a pattern binds. (A capital may be a const.)
fn bound(pat: &Pat) -> HashSet<String> {
    names::bound(pat).into_iter().filter(|name| !name.starts_with(char::is_uppercase)).collect()
}

/// Whether a pattern may take a slice apart, and not an array in a device type.
fn may_be_of_slice(pat: &Pat) -> bool {
    match pat {
        Pat::Slice(_) => true,
        Pat::Paren(p) => may_be_of_slice(&p.pat),
        Pat::Tuple(t) => t.elems.iter().any(may_be_of_slice),
        _ => false,
    }
}

fn has_ref_mut(pat: &Pat) -> bool {
    Names::of_pattern(pat).bound.iter().any(|p| p.by_ref.is_some() && p.mutability.is_some())
}

/// Whether a body binds one of the names again.
fn rebinds(body: &Expr, names: &HashSet<String>) -> bool {
    Names::of_expr(body).bound.iter().any(|p| names.contains(&p.ident.to_string()))
}

/// Whether a body is a statement: its value is `()`.
fn gives_nothing(body: &Expr) -> bool {
    match body {
        Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) => true,
        Expr::Binary(b) => crate::sema::reduction::updates::is_assignment(&b.op),
        Expr::Block(b) => match b.block.stmts.last() {
            None | Some(Stmt::Expr(_, Some(_)) | Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_)) => true,
            Some(Stmt::Expr(e, None)) => gives_nothing(e),
        },
        Expr::If(i) => {
            i.else_branch.is_none()
                || i.then_branch.stmts.last().is_none_or(|s| match s {
                    Stmt::Expr(e, None) => gives_nothing(e),
                    _ => true,
                })
        }
        Expr::Match(m) => m.arms.iter().all(|arm| gives_nothing(&arm.body)),
        _ => false,
    }
}
