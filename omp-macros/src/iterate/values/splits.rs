//! Slices that are taken apart by patterns: `let (a, b) = x.split_at(n);`, `if let Some((first, rest)) = x.split_first()`,
//! `match x.split_first() { … }`, `match *x { [a, ..] => … }`.
use super::arrays::behind;
use super::arrays::is_number;
use crate::iterate::loops::chain::IteratedBy;
use crate::iterate::loops::walk::{Walk, known};
use crate::iterate::tokens::{hidden, made};
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::Names;
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

impl Walk<'_> {
    /// `let (a, b) = x.split_at(n);`: two slices.
    pub(in crate::iterate) fn halves(&mut self, pat: &syn::Pat, e: &Expr) -> Option<Expr> {
        let (syn::Pat::Tuple(_), Expr::MethodCall(m)) = (pat, e) else { return None };
        if (m.method == "unwrap" && m.args.is_empty()) || m.method == "expect" {
            return self.end_and_rest(&m.receiver).map(|(_, parts)| parts);
        }
        if m.method != "split_at" || m.args.len() != 1 {
            return None;
        }
        let array = self.split_array(m)?;
        let (at, span) = (&m.args[0], m.method.span());
        is_number(at).then(|| made(quote_spanned!(span=> (&#array[..#at], &#array[#at..]))))
    }

    /// The array whose `split_at` it is.
    fn split_array<'m>(&self, m: &'m syn::ExprMethodCall) -> Option<&'m Expr> {
        match behind(&m.receiver) {
            // The whole of a field that is known to be an array.
            Expr::Index(x) if matches!(&*x.index, Expr::Range(r) if r.start.is_none() && r.end.is_none()) => {
                Some(&x.expr)
            }
            array @ Expr::Path(p) => {
                // For a variable of the body, the bound value decides.
                let known = p.path.get_ident().is_some_and(|name| self.meaning(name).is_some());
                let given = matches!(self.kind_of(array), Some(IteratedBy::Given | IteratedBy::Shared));
                if known && !given && !self.is_array_here(array) {
                    return None;
                }
                Some(array)
            }
            _ => None,
        }
    }

    /// `let (a, b) = x[i..j].split_at(n);`: the part and the number get names, or the number alone. Not yet walked through.
    pub(in crate::iterate) fn halves_of_part(&mut self, s: &syn::Stmt) -> Option<[syn::Stmt; 3]> {
        let syn::Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (pat @ syn::Pat::Tuple(_), Expr::MethodCall(m)) = (&l.pat, &*init.expr) else { return None };
        let part = behind(&m.receiver);
        let is_part = matches!(part, Expr::Index(x) if matches!(&*x.index, Expr::Range(r) if r.start.is_some() || r.end.is_some()));
        if m.method != "split_at" || m.args.len() != 1 {
            return None;
        }
        let (n, span) = (&m.args[0], m.method.span());
        let part = match self.split_array(m) {
            _ if is_part => part,
            Some(array) if !is_number(n) => array,
            _ => return None,
        };
        let part = if is_part { quote_spanned!(span=> #part) } else { quote_spanned!(span=> #part[..]) };
        let [all, at] = ["all", "mid"].map(|name| self.fresh(name, span));
        Some([
            syn::parse_quote_spanned!(span=> let #all = &#part;),
            syn::parse_quote_spanned!(span=> let #at: ::omp::__private::core::primitive::usize = #n;),
            syn::parse_quote_spanned!(span=> let #pat = (&#all[..#at], &#all[#at..]);),
        ])
    }

    /// `(FIRST..LAST).contains(&x)` of consts, which may be of a type of the user's: two comparisons. Not yet walked through.
    pub(in crate::iterate) fn in_range(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let Expr::Paren(p) = &*m.receiver else { return None };
        let (Expr::Range(r), "contains", 1) = (&*p.expr, m.method.to_string().as_str(), m.args.len()) else {
            return None;
        };
        let is_const = |e: &Option<Box<Expr>>| matches!(e.as_deref(), Some(Expr::Path(p)) if crate::iterate::loops::chain::is_table(p));
        if !is_const(&r.start) || !is_const(&r.end) {
            return None;
        }
        let (start, end, span) = (&r.start, &r.end, m.method.span());
        let x = self.fresh("asked", span);
        let value = match &m.args[0] {
            Expr::Reference(r) => r.expr.to_token_stream(),
            other => quote_spanned!(span=> *#other),
        };
        let within = if matches!(r.limits, syn::RangeLimits::Closed(_)) {
            quote_spanned!(span=> <=)
        } else {
            quote_spanned!(span=> <)
        };
        Some(made(quote_spanned!(span=> ({ let #x = #value; #start <= #x && #x #within #end }))))
    }

    /// `x.split_first()` of an array: the array, and its first element with the others. If there is none, that fails.
    fn end_and_rest(&self, e: &Expr) -> Option<(Expr, Expr)> {
        let Expr::MethodCall(m) = e else { return None };
        // (The whole of a field that is known to be an array.)
        let of_field =
            matches!((behind(&m.receiver), whole(behind(&m.receiver))), (Expr::Index(_), Expr::Field(_)));
        if !m.args.is_empty() || !(of_field || self.is_array_here(&m.receiver)) {
            return None;
        }
        let (array, span) = (whole(behind(&m.receiver)), m.method.span());
        if !is_variable(array) {
            return None;
        }
        let parts = match m.method.to_string().as_str() {
            "split_first" => quote_spanned!(span=> (&#array[0], &#array[1..])),
            "split_last" => quote_spanned!(span=> (&#array[#array.len() - 1], &#array[..#array.len() - 1])),
            _ => return None,
        };
        Some((array.clone(), made(parts)))
    }

    /// `match x.split_first() { Some((b'-', rest)) => …, Some((a, _)) => …, None => … }` as a match of the slice: `[b'-', rest @ ..]`. Not yet
    /// walked through.
    pub(in crate::iterate) fn match_split(&self, e: &mut Expr) {
        let Expr::Match(m) = e else { return };
        let Expr::MethodCall(split) = strip(&m.expr) else { return };
        let Some((array, _)) = self.end_and_rest(&m.expr) else { return };
        let first = split.method == "split_first";
        let Some(pats) = m.arms.iter().map(|arm| of_slice(&arm.pat, first)).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        *m.expr = made(quote_spanned!(split.method.span()=> &#array[..]));
        m.arms.iter_mut().zip(pats).for_each(|(arm, pat)| arm.pat = pat);
    }

    /// `if let Some((first, rest)) = x.split_first()`; not yet walked through.
    pub(in crate::iterate) fn if_split(&mut self, i: &syn::ExprIf) -> Option<Expr> {
        let Expr::Let(l) = &*i.cond else { return None };
        let syn::Pat::TupleStruct(some) = &*l.pat else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let (pat @ syn::Pat::Tuple(_), (array, parts)) = (&some.elems[0], self.end_and_rest(&l.expr)?) else {
            return None;
        };
        let (then, span) = (&i.then_branch, l.expr.span());
        let els = i.else_branch.as_ref().map(|(_, e)| quote_spanned!(span=> else #e));
        if compares(pat) {
            let pat = of_slice(&l.pat, is_split_first(&l.expr))?;
            return Some(made(quote_spanned!(span=> if let #pat = &#array[..] #then #els)));
        }
        let stmts = &then.stmts;
        Some(made(quote_spanned!(span=> if #array.len() != 0 { let #pat = #parts; #(#stmts)* } #els)))
    }

    /// `let Some((first, rest)) = x.split_first() else { … };`: a statement, and one before it unless `first` is compared, too.
    pub(in crate::iterate) fn let_split(&mut self, s: &syn::Stmt) -> Option<(Option<syn::Stmt>, syn::Stmt)> {
        let syn::Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref()?;
        let (_, diverge) = init.diverge.as_ref()?;
        let syn::Pat::TupleStruct(some) = &l.pat else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let (pat @ syn::Pat::Tuple(_), (array, parts)) = (&some.elems[0], self.end_and_rest(&init.expr)?)
        else {
            return None;
        };
        let span = init.expr.span();
        if compares(pat) {
            let pat = of_slice(&l.pat, is_split_first(&init.expr))?;
            return Some((None, syn::parse_quote_spanned!(span=> let #pat = &#array[..] else #diverge;)));
        }
        Some((
            Some(syn::parse_quote_spanned!(span=> if #array.len() == 0 #diverge)),
            syn::parse_quote_spanned!(span=> let #pat = #parts;),
        ))
    }
}

impl Walk<'_> {
    /// `match *x { [a, ..] => … }` of a slice, as `match x { &[a, ..] => … }`: it is looked at behind its reference.
    pub(in crate::iterate) fn slice_by_reference(&self, e: &mut Expr, pats: &mut [&mut syn::Pat]) {
        let span = e.span();
        let reference = match &*e {
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => match behind(&u.expr) {
                // (A fixed array is a value behind `*`.)
                of @ Expr::Path(p) if self.item(of).is_none() => {
                    let kind = p.path.get_ident().and_then(|name| known(&self.scopes, self.kinds, name));
                    if kind != Some(IteratedBy::Shared) {
                        return;
                    }
                    of.clone()
                }
                _ => return,
            },
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => made(quote_spanned!(span=> &#x)),
            _ => return,
        };
        if pats.iter().any(|pat| has_slice(pat)) {
            pats.iter_mut().for_each(|pat| refer(pat));
            *e = reference;
        }
    }
}

/// A variable, or a field of one.
pub(super) fn is_variable(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Field(f) => is_variable(&f.base),
        _ => false,
    }
}

/// `x` of `x[..]`.
pub(super) fn whole(e: &Expr) -> &Expr {
    match e {
        Expr::Index(x) if matches!(&*x.index, Expr::Range(r) if r.start.is_none() && r.end.is_none()) => {
            &x.expr
        }
        e => e,
    }
}

/// Whether a pattern is one of a slice.
fn has_slice(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Slice(_) => true,
        syn::Pat::Paren(p) => has_slice(&p.pat),
        syn::Pat::Guard(g) => has_slice(&g.pat),
        syn::Pat::Or(o) => o.cases.iter().any(has_slice),
        _ => false,
    }
}

/// Patterns of a slice as those of a reference to it.
fn refer(pat: &mut syn::Pat) {
    match pat {
        syn::Pat::Slice(s) => *pat = syn::parse_quote_spanned!(s.bracket_token.span.join()=> &#s),
        syn::Pat::Paren(p) => refer(&mut p.pat),
        syn::Pat::Guard(g) => refer(&mut g.pat),
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(refer),
        _ => {}
    }
}

fn is_split_first(e: &Expr) -> bool {
    matches!(e, Expr::MethodCall(m) if m.method == "split_first")
}

/// A name in a pattern that is a const or a variant.
fn is_const(p: &syn::PatIdent) -> bool {
    p.subpat.is_none() && p.ident.to_string().starts_with(char::is_uppercase)
}

/// Whether the pattern of an element and the rest may not match.
fn compares(pat: &syn::Pat) -> bool {
    use syn::Pat;
    match pat {
        Pat::Tuple(t) => t.elems.iter().any(compares),
        Pat::Reference(r) => compares(&r.pat),
        Pat::Paren(p) => compares(&p.pat),
        Pat::Ident(p) => p.subpat.is_some() || p.ident.to_string().starts_with(char::is_uppercase),
        Pat::Wild(_) | Pat::Rest(_) => false,
        _ => true,
    }
}

/// The pattern of a slice that means what this one of its `split_first()` does, or of its `split_last()`.
fn of_slice(pat: &syn::Pat, first: bool) -> Option<syn::Pat> {
    use syn::Pat;
    let span = pat.span();
    match pat {
        Pat::Guard(g) => {
            let mut g = g.clone();
            *g.pat = of_slice(&g.pat, first)?;
            Some(Pat::Guard(g))
        }
        Pat::Or(or) => {
            let mut or = or.clone();
            or.cases.iter_mut().try_for_each(|case| {
                *case = of_slice(case, first)?;
                Some(())
            })?;
            Some(Pat::Or(or))
        }
        Pat::Wild(_) => Some(pat.clone()),
        Pat::Ident(p) if p.ident == "None" => Some(syn::parse_quote_spanned!(span=> [])),
        Pat::Path(p) if p.path.segments.last()?.ident == "None" => Some(syn::parse_quote_spanned!(span=> [])),
        Pat::TupleStruct(some) if some.path.segments.last()?.ident == "Some" => {
            let [Pat::Tuple(t)] = &some.elems.iter().collect::<Vec<_>>()[..] else {
                return matches!(some.elems.first()?, Pat::Wild(_))
                    .then(|| syn::parse_quote_spanned!(span=> [_, ..]));
            };
            let [end, rest] = &t.elems.iter().collect::<Vec<_>>()[..] else { return None };
            // `&b` would be a copy of the element, for which slices have no pattern.
            let end = match end {
                Pat::Reference(r) if Names::of_pattern(&r.pat).bound.iter().all(|p| is_const(p)) => &*r.pat,
                Pat::Reference(_) => return None,
                end => *end,
            };
            // With `mut` or `ref`, a name has another type in a slice.
            let bound = Names::of_pattern(pat).bound;
            if bound.iter().any(|p| p.mutability.is_some() || p.by_ref.is_some()) {
                return None;
            }
            let rest = match rest {
                Pat::Wild(_) => quote_spanned!(span=> ..),
                Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
                    quote_spanned!(span=> #p @ ..)
                }
                Pat::Slice(s) => s.elems.to_token_stream(),
                _ => return None,
            };
            let end = if is_open(end) { quote_spanned!(span=> (#end)) } else { end.to_token_stream() };
            Some(match (first, rest.is_empty()) {
                (_, true) => syn::parse_quote_spanned!(span=> [#end]),
                (true, _) => syn::parse_quote_spanned!(span=> [#end, #rest]),
                (false, _) => syn::parse_quote_spanned!(span=> [#rest, #end]),
            })
        }
        _ => None,
    }
}

/// `let (first, rest) = x.split_first()?;` of a function that gives an `Option`, as `let … else { return None };`.
pub struct TriedEnds(pub usize);

impl VisitMut for TriedEnds {
    fn visit_block_mut(&mut self, b: &mut syn::Block) {
        visit_mut::visit_block_mut(self, b);
        let mut at = 0;
        while at < b.stmts.len() {
            if let Some(stmts) = self.tried(&b.stmts[at]) {
                b.stmts.splice(at..=at, stmts);
            }
            at += 1;
        }
    }
    // Its `?` leaves the closure.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl TriedEnds {
    fn tried(&mut self, s: &syn::Stmt) -> Option<Vec<syn::Stmt>> {
        let syn::Stmt::Local(l) = s else { return None };
        let (syn::Pat::Tuple(pat), Some(init)) = (&l.pat, &l.init) else { return None };
        let Expr::Try(t) = strip(&init.expr) else { return None };
        let Expr::MethodCall(m) = strip(&t.expr) else { return None };
        if init.diverge.is_some()
            || !m.args.is_empty()
            || (m.method != "split_first" && m.method != "split_last")
        {
            return None;
        }
        let (array, method, span) = (&m.receiver, &m.method, m.method.span());
        let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
        let named = matches!(&**array, Expr::Path(_));
        self.0 += 1;
        let name = hidden(&format!("__omp_tried{}", self.0), span);
        // (The body of a method that stands in the place of its call is the part.)
        let part = matches!(strip(array), Expr::Index(_)).then(|| quote_spanned!(span=> &));
        let whole =
            (!named).then(|| -> syn::Stmt { syn::parse_quote_spanned!(span=> let #name = #part #array;) });
        let of = if named { array.to_token_stream() } else { name.to_token_stream() };
        let parts =
            syn::parse_quote_spanned!(span=> let Some(#pat) = #of.#method() else { return #option::None };);
        Some(whole.into_iter().chain([parts]).collect())
    }
}

/// Whether a pattern ends with a range without an end, as `b @ b'a'..` does.
fn is_open(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Range(range) => range.end.is_none(),
        syn::Pat::Ident(p) => p.subpat.as_ref().is_some_and(|(_, pat)| is_open(pat)),
        _ => false,
    }
}
