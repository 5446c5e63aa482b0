//! References that a branch chooses: `let r = if c { &mut a } else { &mut b }; …`.
//!
//! A name refers to one place on a device. So the statements after the `let` are repeated in each branch, where the name
//! has one meaning.
use crate::iterate::loops::chain::{self, IteratedBy};
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Walk, known};
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::{behind_references, strip, strip_mut};
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::search;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprForLoop, Item, Local, Stmt};

/// Beyond this many tokens, what comes after is not repeated.
const LONGEST: usize = 1500;

/// The `if` or `match` that a `let` of a chosen reference becomes with all that comes after it, behind the items of this.
/// `is_slice`: whether a variable is a slice.
pub(in crate::iterate) fn in_branches<'r>(
    s: &Stmt,
    rest: impl Iterator<Item = &'r Stmt>,
    is_slice: &dyn Fn(&Expr) -> bool,
) -> Option<Vec<Stmt>> {
    let Stmt::Local(l) = s else { return None };
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let mut chosen = (*init.expr).clone();
    rests_as_parts(&mut chosen, is_slice);
    if !chooses(&chosen, is_slice) {
        return None;
    }
    let mut parts = HashSet::new();
    find_parts(&chosen, is_slice, &mut parts);
    with_rest(l, &chosen, rest, &parts)
}

/// What patterns of a slice name `rest @ ..` is a part of it, where a branch gives it: `&rest[..]`.
fn rests_as_parts(e: &mut Expr, is_slice: &dyn Fn(&Expr) -> bool) {
    fn in_value(e: &mut Expr, rests: &[String]) {
        match strip_mut(e) {
            Expr::Tuple(t) => t.elems.iter_mut().for_each(|e| in_value(e, rests)),
            Expr::Block(b) => {
                if let [Stmt::Expr(value, None)] = &mut b.block.stmts[..] {
                    in_value(value, rests);
                }
            }
            e => {
                if let Expr::Path(p) = &*e
                    && rests.iter().any(|name| p.path.is_ident(name))
                {
                    *e = syn::parse_quote_spanned!(p.span()=> &#p[..]);
                }
            }
        }
    }
    match strip_mut(e) {
        Expr::Match(m) if is_slice(&m.expr) => {
            m.arms.iter_mut().for_each(|arm| in_value(&mut arm.body, &pattern::rests(&arm.pat)));
        }
        Expr::If(i) => {
            if let Expr::Let(l) = &*i.cond
                && is_slice(&l.expr)
                && let [Stmt::Expr(value, None)] = &mut i.then_branch.stmts[..]
            {
                in_value(value, &pattern::rests(&l.pat));
            }
            if let Some((_, els)) = &mut i.else_branch {
                rests_as_parts(els, is_slice);
            }
        }
        _ => {}
    }
}

/// The same, if each branch gives a reference of this kind.
pub fn of_references<'r>(
    l: &Local,
    rest: impl Iterator<Item = &'r Stmt>,
    is_reference: &dyn Fn(&Expr) -> bool,
) -> Option<Vec<Stmt>> {
    fn all(e: &Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
        let of = |b: &Block| matches!(&b.stmts[..], [Stmt::Expr(value, None)] if all(value, is));
        match strip(e) {
            Expr::If(i) => of(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, e)| all(e, is)),
            Expr::Match(m) => m.arms.iter().all(|arm| all(&arm.body, is)),
            Expr::Block(b) => of(&b.block),
            value => is(value),
        }
    }
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let chooses = matches!(strip(&init.expr), Expr::If(_) | Expr::Match(_));
    if !chooses || !all(&init.expr, is_reference) {
        return None;
    }
    with_rest(l, &init.expr, rest, &HashSet::new())
}

fn with_rest<'r>(
    of: &Local,
    chosen: &Expr,
    rest: impl Iterator<Item = &'r Stmt>,
    parts: &HashSet<Option<usize>>,
) -> Option<Vec<Stmt>> {
    let (mut items, mut text) = (Vec::new(), of.to_token_stream());
    let mut others = TokenStream::new();
    for s in rest {
        match s {
            // It has a meaning only below it.
            Stmt::Item(Item::Macro(m))
                if m.ident.iter().any(|name| mentions(text.clone(), &name.to_string())) =>
            {
                return None;
            }
            // An item is declared in all of its block, also in what comes before it.
            Stmt::Item(_) => items.push(s.clone()),
            s => s.to_tokens(&mut others),
        }
        s.to_tokens(&mut text);
    }
    let rest = others;
    if count(rest.clone()) > LONGEST {
        return None;
    }
    let mut whole = chosen.clone();
    each(&mut whole, &Rest { of, rest: &rest, parts })?;
    items.push(Stmt::Expr(whole, None));
    Some(items)
}

impl Walk<'_> {
    /// `let part = if c { &x[..n] } else { x };` of one array.
    pub(in crate::iterate) fn chosen_part(&mut self, s: &Stmt) -> Option<[Stmt; 2]> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        if !matches!(&*init.expr, Expr::If(_) | Expr::Match(_)) {
            return None;
        }
        let names = ["first", "end"].map(|what| self.fresh(what, init.expr.span()));
        let (ends, part) = super::chosen_part::of_branches(&init.expr, false, &names)?;
        let pat = &l.pat;
        Some([ends, syn::parse_quote_spanned!(l.let_token.span=> let #pat = #part;)])
    }

    /// `for a in [x, y]` of slices and `for a in [&mut x.n, &mut y[i]]` of places, also with `iter()` and `enumerate()`, as a loop over
    /// their numbers in which a `match` chooses the slice; not yet walked through.
    pub(in crate::iterate) fn over_slices(&mut self, f: &ExprForLoop) -> Option<Expr> {
        let (mut list, mut pat, mut number) = (&*f.expr, &*f.pat, None);
        if let (Expr::MethodCall(m), syn::Pat::Tuple(t)) = (list, pat)
            && m.method == "enumerate"
            && t.elems.len() == 2
        {
            (list, pat, number) = (&m.receiver, &t.elems[1], Some(&t.elems[0]));
        }
        if let Expr::MethodCall(m) = list
            && (m.method == "iter" || m.method == "into_iter")
        {
            list = &m.receiver;
            if let (syn::Pat::Reference(r), true) = (pat, m.method == "iter") {
                pat = &r.pat;
            }
        }
        let Expr::Array(slices) = behind_references(list) else { return None };
        let mut slices = slices.clone();
        let is_place =
            |e: &Expr| matches!(e, Expr::Reference(r) if r.mutability.is_some() && chain::is_place(&r.expr));
        let (mut before, mut values) = (Vec::new(), TokenStream::new());
        let at = self.fresh("slice", f.expr.span());
        if let syn::Pat::Tuple(t) = pat {
            // Of tuples, the values are elements of arrays.
            let parts: Vec<&syn::ExprTuple> = slices
                .elems
                .iter()
                .map(|e| if let Expr::Tuple(t) = e { Some(t) } else { None })
                .collect::<Option<_>>()?;
            if parts.iter().any(|part| part.elems.len() != t.elems.len()) {
                return None;
            }
            let column = |k: usize| parts.iter().map(move |part| &part.elems[k]);
            let mut places = None;
            for (k, of) in t.elems.iter().enumerate() {
                if column(k).all(is_place) && places.is_none() {
                    places = Some((of, column(k).cloned().collect()));
                } else if column(k).any(|e| matches!(e, Expr::Reference(_))) {
                    return None;
                } else {
                    let (column, span) = (column(k), of.span());
                    let name = self.fresh("values", span);
                    before.push(quote_spanned!(span=> let #name = [#(#column),*];));
                    values.extend(quote_spanned!(span=> let #of = #name[#at];));
                }
            }
            (pat, slices.elems) = places?;
        }
        if slices.elems.iter().all(is_place) {
            // The places are those of when the list is made.
            for place in &mut slices.elems {
                let Expr::Reference(r) = place else { continue };
                chain::indices(&mut r.expr, &mut |index| {
                    if !matches!(index, Expr::Lit(_)) {
                        let (name, span) = (self.fresh("index", index.span()), index.span());
                        before.push(quote_spanned!(span=> let #name = #index;));
                        *index = crate::iterate::tokens::made(name.into_token_stream());
                    }
                });
            }
        }
        // If a variable's tokens don't show its kind, its subscripts in the body do.
        let item = pattern::plain_name(pat)?;
        let is_item = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident(item));
        let indexed = search::any(&f.body, |e| matches!(e, Expr::Index(x) if is_item(&x.expr)));
        let mut arms = TokenStream::new();
        let (n, span) = (slices.elems.len(), f.expr.span());
        for (k, slice) in slices.elems.iter().enumerate() {
            let part = match slice {
                Expr::Path(p) => {
                    let name = p.path.get_ident()?;
                    let by_reference = match known(&self.scopes, self.kinds, name) {
                        Some(IteratedBy::Shared) => true,
                        Some(IteratedBy::Behind) => indexed,
                        Some(_) => false,
                        None => indexed && self.meaning(name).is_none(),
                    };
                    by_reference.then(|| quote_spanned!(span=> &#slice[..]))?
                }
                Expr::Reference(r) if r.mutability.is_none() => match &*r.expr {
                    Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => slice.to_token_stream(),
                    of @ Expr::Path(_) if self.is_array(of) => quote_spanned!(span=> &#of[..]),
                    _ => return None,
                },
                place if is_place(place) => place.to_token_stream(),
                _ => return None,
            };
            let number = proc_macro2::Literal::usize_unsuffixed(k);
            let number = if k + 1 == n { quote_spanned!(span=> _) } else { number.into_token_stream() };
            arms.extend(quote_spanned!(span=> #number => #part,));
        }
        if n == 0 {
            return None;
        }
        let (label, body) = (&f.label, &f.body.stmts);
        let number = number.map(|number| quote_spanned!(span=> let #number = #at;));
        let n = proc_macro2::Literal::usize_suffixed(n);
        let whole = quote_spanned!(span=> #label for #at in 0..#n {
            #number
            #values
            let #pat = match #at { #arms };
            #(#body)*
        });
        Some(crate::iterate::tokens::made(match before.is_empty() {
            true => whole,
            false => quote_spanned!(span=> { #(#before)* #whole }),
        }))
    }
}

struct Rest<'r> {
    of: &'r Local,
    rest: &'r TokenStream,
    /// Where the branches give slices: in this element of a tuple, or as the value itself.
    parts: &'r HashSet<Option<usize>>,
}

impl Rest<'_> {
    /// The statements after a branch has given its value.
    fn after(&self, value: &Expr) -> Expr {
        let mut of = self.of.clone();
        let mut value = value.clone();
        // Another slice by its name.
        let by_name = |e: &mut Expr, at| {
            if let (true, Expr::Path(p)) = (self.parts.contains(&at), &*e) {
                *e = syn::parse_quote_spanned!(p.span()=> &#p[..]);
            }
        };
        by_name(&mut value, None);
        if let Expr::Tuple(t) = &mut value {
            t.elems.iter_mut().enumerate().for_each(|(n, e)| by_name(e, Some(n)));
        }
        let span = value.span();
        *of.init.as_mut().expect("it has a value").expr = value;
        let rest = self.rest;
        syn::parse_quote_spanned!(span=> { #of #rest })
    }

    /// Whether a pattern binds what comes after means otherwise.
    fn is_hidden_by(&self, pat: &syn::Pat) -> bool {
        let named = pattern::names(&self.of.pat);
        let mut names = pattern::names(pat).into_iter().filter(|name| !named.contains(name));
        names.any(|name| mentions(self.rest.clone(), &name.to_string()))
    }
}

/// Puts what comes after into each branch.
fn each(e: &mut Expr, rest: &Rest<'_>) -> Option<()> {
    match e {
        Expr::Paren(p) => {
            let mut inner = (*p.expr).clone();
            each(&mut inner, rest)?;
            *e = inner;
        }
        Expr::If(i) => {
            let hides = |e: &Expr| matches!(e, Expr::Let(l) if rest.is_hidden_by(&l.pat));
            if search::any(&*i.cond, hides) {
                return None;
            }
            block(&mut i.then_branch, rest)?;
            each(&mut i.else_branch.as_mut()?.1, rest)?;
        }
        Expr::Match(m) => {
            for arm in &mut m.arms {
                if rest.is_hidden_by(&arm.pat) {
                    return None;
                }
                each(&mut arm.body, rest)?;
            }
        }
        Expr::Block(b) if b.label.is_none() => block(&mut b.block, rest)?,
        Expr::Continue(_) | Expr::Break(_) | Expr::Return(_) => {}
        value => *value = rest.after(value),
    }
    Some(())
}

fn block(b: &mut Block, rest: &Rest<'_>) -> Option<()> {
    let [Stmt::Expr(value, semicolon)] = &mut b.stmts[..] else { return None };
    if semicolon.is_some() && !matches!(value, Expr::Continue(_) | Expr::Break(_) | Expr::Return(_)) {
        return None;
    }
    each(value, rest)?;
    // (rustc would find the braces superfluous.)
    if let Expr::Block(inner) = value
        && inner.label.is_none()
    {
        b.stmts = std::mem::take(&mut inner.block.stmts);
    }
    Some(())
}

/// Where branches give parts of arrays as they are.
fn find_parts(e: &Expr, is_slice: &dyn Fn(&Expr) -> bool, found: &mut HashSet<Option<usize>>) {
    let is_part = |e: &Expr| match strip(e) {
        Expr::Reference(r) => {
            r.mutability.is_none()
                && matches!(&*r.expr, Expr::Index(x) if matches!(&*x.index, Expr::Range(_)))
        }
        _ => false,
    };
    let mut of = |b: &Block| {
        if let [Stmt::Expr(value, None)] = &b.stmts[..] {
            find_parts(value, is_slice, found);
        }
    };
    match strip(e) {
        Expr::Block(b) => of(&b.block),
        Expr::If(i) => {
            of(&i.then_branch);
            i.else_branch.iter().for_each(|(_, e)| find_parts(e, is_slice, found));
        }
        Expr::Match(m) => m.arms.iter().for_each(|arm| find_parts(&arm.body, is_slice, found)),
        Expr::Tuple(t) => {
            let slice = |e: &Expr| is_part(e) || is_path(e) && is_slice(e);
            found.extend(t.elems.iter().enumerate().filter(|(_, e)| slice(e)).map(|(n, _)| Some(n)));
        }
        value => found.extend(is_part(value).then_some(None)),
    }
}

/// Whether branches give a `&mut`, a part of an array, or a tuple with a reference.
fn chooses(e: &Expr, is_slice: &dyn Fn(&Expr) -> bool) -> bool {
    match strip(e) {
        Expr::If(i) => {
            let of = |b: &Block| matches!(&b.stmts[..], [Stmt::Expr(value, None)] if gives(value, is_slice));
            let Some((_, otherwise)) = &i.else_branch else { return false };
            of(&i.then_branch)
                || match &**otherwise {
                    Expr::Block(b) => of(&b.block),
                    other => chooses(other, is_slice),
                }
        }
        Expr::Match(m) => m.arms.iter().any(|arm| gives(&arm.body, is_slice)),
        _ => false,
    }
}

fn gives(value: &Expr, is_slice: &dyn Fn(&Expr) -> bool) -> bool {
    let value = strip(value);
    match value {
        // (A reference alone may be a copy. A tuple holds none.)
        Expr::Tuple(t) => t
            .elems
            .iter()
            .any(|e| matches!(e, Expr::Reference(_)) || gives(e, is_slice) || is_path(e) && is_slice(e)),
        Expr::Block(b) => {
            matches!(&b.block.stmts[..], [Stmt::Expr(value, None)] if gives(value, is_slice))
        }
        Expr::If(_) | Expr::Match(_) => chooses(value, is_slice),
        Expr::Reference(r) => {
            r.mutability.is_some()
                || matches!(&*r.expr, Expr::Index(x) if matches!(&*x.index, Expr::Range(_)))
        }
        _ => false,
    }
}

fn is_path(e: &Expr) -> bool {
    matches!(e, Expr::Path(p) if p.path.get_ident().is_some())
}

fn count(tokens: TokenStream) -> usize {
    let one = |tree| match tree {
        TokenTree::Group(g) => 1 + count(g.stream()),
        _ => 1,
    };
    tokens.into_iter().map(one).sum()
}

/// `let Sip { v0, v1, .. } = self;` and `let Rng(s) = self;` of a device function, where `self` is a `&mut`: each name refers to a field, and each
/// pattern in `let Biquad { z: [z1, z2], .. } = self;` to the parts of one. So do those in `let (Sip { v0, .. }, mut n) = (self, 0);`.
pub(in crate::iterate) fn fields_by_name(sig: &syn::Signature, body: &mut Block) {
    let references = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Receiver(r) if matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))) => {
            Some("self".to_owned())
        }
        syn::FnArg::Typed(arg) => match (&*arg.pat, &*arg.ty) {
            (syn::Pat::Ident(p), syn::Type::Reference(r))
                if r.mutability.is_some()
                    && p.mutability.is_none()
                    && matches!(&*r.elem, syn::Type::Path(_)) =>
            {
                Some(p.ident.to_string())
            }
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    });
    let mut names: Vec<String> = references.collect();
    let bound = bound_in(body);
    names.retain(|name| !bound.contains(name));
    if !names.is_empty() {
        syn::visit_mut::VisitMut::visit_block_mut(&mut Fields(names), body);
    }
}

struct Fields(Vec<String>);

impl Fields {
    fn of(&self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        if let (syn::Pat::Tuple(pats), Expr::Tuple(values)) = (&l.pat, &*init.expr)
            && pats.elems.len() == values.elems.len()
        {
            let pairs: Vec<_> = pats.elems.iter().zip(&values.elems).collect();
            let bound = crate::sema::syntax::names::bound(&l.pat);
            let named = |value: &Expr| bound.iter().any(|name| mentions(value.to_token_stream(), name));
            let some = pairs.iter().any(|(pat, value)| self.parts(pat, value).is_some());
            if !some || values.elems.iter().any(named) {
                return None;
            }
            // The parts of a tuple are evaluated one after the other, too.
            let each = pairs.into_iter().flat_map(|(pat, value)| {
                self.parts(pat, value)
                    .unwrap_or_else(|| vec![syn::parse_quote_spanned!(pat.span()=> let #pat = #value;)])
            });
            return Some(each.collect());
        }
        self.parts(&l.pat, &init.expr)
    }

    fn parts(&self, pat: &syn::Pat, value: &Expr) -> Option<Vec<Stmt>> {
        let Expr::Path(of) = value else { return None };
        let name = of.path.get_ident()?;
        if !self.0.iter().any(|known| name == known) {
            return None;
        }
        let one = |pat: &syn::Pat, member: &syn::Member| {
            let named = pattern::plain_name(pat).is_some() || pattern::takes_parts(pat);
            named.then(|| syn::parse_quote_spanned!(pat.span()=> let #pat = &mut #name.#member;))
        };
        match pat {
            syn::Pat::Struct(p) => {
                let named = p.fields.iter().filter(|f| !matches!(*f.pat, syn::Pat::Wild(_)));
                named.map(|f| one(&f.pat, &f.member)).collect()
            }
            syn::Pat::TupleStruct(p) => {
                let mut elems: Vec<&syn::Pat> = p.elems.iter().collect();
                // (What stands after `..` has numbers that only the type tells.)
                elems.pop_if(|last| matches!(last, syn::Pat::Rest(_)));
                let named = elems.into_iter().enumerate().filter(|(_, p)| !matches!(p, syn::Pat::Wild(_)));
                named.map(|(i, p)| one(p, &syn::Member::Unnamed(i.into()))).collect()
            }
            _ => None,
        }
    }
}

impl syn::visit_mut::VisitMut for Fields {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let stmts = std::mem::take(&mut b.stmts).into_iter();
        b.stmts = stmts.flat_map(|s| self.of(&s).unwrap_or_else(|| vec![s])).collect();
        syn::visit_mut::visit_block_mut(self, b);
    }
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// `*if c { &mut a } else { &mut b } += v;`: each branch assigns its place. The value, which has no effects, is computed first.
pub(in crate::iterate) fn assigned_in_branches(e: &Expr, walk: &mut Walk<'_>) -> Option<Expr> {
    let (left, right, op) = match e {
        Expr::Assign(a) => (&a.left, &a.right, a.eq_token.to_token_stream()),
        Expr::Binary(b) if crate::sema::reduction::updates::is_assignment(&b.op) => {
            (&b.left, &b.right, b.op.to_token_stream())
        }
        _ => return None,
    };
    let Expr::Unary(u) = &**left else { return None };
    let chosen = strip(&u.expr);
    if !matches!(u.op, syn::UnOp::Deref(_)) || !matches!(chosen, Expr::If(_) | Expr::Match(_)) {
        return None;
    }
    if !crate::sema::syntax::effects::is_pure(right, &|_| false) {
        return None;
    }
    let mut whole = chosen.clone();
    let value = &walk.fresh("value", right.span());
    assign(&mut whole, &op, value)?;
    let whole = quote_spanned!(e.span()=> { let #value = #right; #whole });
    Some(crate::iterate::tokens::made(whole))
}

/// Assigns the place that each branch gives a `&mut` to.
fn assign(e: &mut Expr, op: &TokenStream, value: &Ident) -> Option<()> {
    let last = |b: &mut Block| match &mut b.stmts[..] {
        [.., Stmt::Expr(e, None)] => assign(e, op, value),
        _ => None,
    };
    match e {
        Expr::Paren(p) => assign(&mut p.expr, op, value),
        Expr::If(i) => {
            last(&mut i.then_branch)?;
            assign(&mut i.else_branch.as_mut()?.1, op, value)
        }
        Expr::Match(m) => m.arms.iter_mut().try_for_each(|arm| assign(&mut arm.body, op, value)),
        Expr::Block(b) if b.label.is_none() => last(&mut b.block),
        Expr::Continue(_) | Expr::Break(_) | Expr::Return(_) => Some(()),
        Expr::Reference(r) if r.mutability.is_some() => {
            let (place, span) = (&r.expr, r.and_token.span);
            *e = syn::parse_quote_spanned!(span=> { #place #op #value; });
            Some(())
        }
        _ => None,
    }
}
