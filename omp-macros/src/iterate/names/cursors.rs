//! `let mut rest = &x[..]; … rest = &rest[n..];`: a slice variable that is assigned parts of itself, as parsers have.
//!
//! Devices have no slice variable that is assigned. All slices that such a variable is assigned are parts of one slice,
//! which gets a name of its own. Each variable becomes two numbers, its first element and its end, and an access by its
//! name becomes an access to that part, with the part's bounds. Any other assignment to such a variable is left
//! unchanged, and lowering reports it.
use super::halves::Put;
use super::split_off;
use crate::iterate::loops::chain::IteratedBy;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::made;
use crate::parse::arguments;
use crate::parse::tokens::leaves::mentions;
use crate::parse::tokens::source::CURSOR;
use crate::sema::reduction::updates::assigned;
use crate::sema::syntax::effects::{is_of_numbers, is_pure};
use crate::sema::syntax::forms::is_named;
use crate::sema::syntax::forms::{behind_references, is_part};
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use crate::visits::{self, Node};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprRange, Local, Pat, Stmt, Token};

/// The numbers that a variable becomes.
struct Ends {
    at: Ident,
    end: Ident,
}

impl Walk<'_> {
    /// Replaces the cursors of a block that is not yet walked through.
    pub(in crate::iterate) fn slice_cursors(&mut self, b: &mut Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let alone = self.cursors_of_tuple(b, at);
            b.stmts.splice(at + 1..at + 1, alone);
            let first = match &b.stmts[at] {
                Stmt::Local(l) => cursor(l),
                _ => None,
            };
            at += 1;
            let Some((name, init)) = first else { continue };
            if self.is_slice_for_sure(&b.stmts[at - 1], &init) {
                let rest = b.stmts.split_off(at);
                b.stmts.extend(split_off::in_statements(rest, &name));
            }
            if !is_assigned_parts(&name, &b.stmts[at..]) {
                continue;
            }
            // (The halves of other variables are taken apart later.)
            let mut rest = b.stmts[at..].to_vec();
            let mut split = Split { next: 0, cursor: &name };
            rest.iter_mut().for_each(|s| split.visit_stmt_mut(s));
            let mut whole: Block = syn::parse_quote!({ #(#rest)* });
            split.statements(&mut whole);
            let is_changed = is_changed(&name, &whole);
            let mutable = is_changed.then(|| quote_spanned!(name.span()=> mut));
            let Some(names) = members(&name, &whole) else { continue };
            // (Without a part, each is the same as the first: then they are values, `p = trial`, not slices.)
            if matches!(self.kind_of(&init), Some(IteratedBy::Owned)) || !has_part(&whole, &names) {
                continue;
            }
            let span = init.span();
            let base = self.cursor_name(&name.to_string(), span);
            let mut names: Vec<String> = names.into_iter().collect();
            names.sort_unstable();
            let mut ends = HashMap::new();
            for n in names {
                let [at, end] = [(); 2].map(|()| self.cursor_name(&n, span));
                ends.insert(n, Ends { at, end });
            }
            let mut put = Replace { walk: self, base: &base, ends: &ends, mutable: is_changed };
            put.visit_block_mut(&mut whole);
            let Ends { at: from, end } = &ends[&name.to_string()];
            let of = behind_references(&init);
            let part = if is_part(of) { of.to_token_stream() } else { quote_spanned!(span=> #of[..]) };
            let stmts: Block = syn::parse_quote_spanned!(span=> {
                let #base = &#mutable #part;
                let mut #from: ::omp::__private::core::primitive::usize = 0;
                let mut #end: ::omp::__private::core::primitive::usize = #base.len();
            });
            b.stmts.truncate(at - 1);
            b.stmts.extend(stmts.stmts);
            b.stmts.extend(whole.stmts);
            // The rest is searched once more, for cursors over other slices.
        }
    }
}

impl Walk<'_> {
    /// `let (words, mut rest) = x.split_at(n);`: the cursors among the names, each with a `let` of its own.
    fn cursors_of_tuple(&mut self, b: &mut Block, at: usize) -> Vec<Stmt> {
        let (before, after) = b.stmts.split_at_mut(at + 1);
        let Some(Stmt::Local(Local { pat: Pat::Tuple(names), init: Some(init), .. })) = before.last_mut()
        else {
            return Vec::new();
        };
        let mut alone = Vec::new();
        for pat in names.elems.iter_mut().filter(|_| init.diverge.is_none()) {
            let Pat::Ident(p) = pat else { continue };
            if p.mutability.is_some() && is_assigned_parts(&p.ident, after) {
                let (name, span) = (p.ident.clone(), p.ident.span());
                p.ident = self.fresh("slice", span);
                p.mutability = None;
                let slice = &p.ident;
                alone.push(syn::parse_quote_spanned!(span=> let mut #name = #slice;));
            }
        }
        alone
    }

    fn cursor_name(&mut self, of: &str, span: proc_macro2::Span) -> Ident {
        let number = self.fresh("", span).to_string();
        let digits = number.trim_start_matches(|c: char| !c.is_ascii_digit());
        crate::iterate::tokens::hidden(&format!("{CURSOR}{digits}_{of}"), span)
    }
}

impl Walk<'_> {
    /// Whether a variable is a slice, and neither another value nor a reference to one.
    fn is_slice_for_sure(&self, declared: &Stmt, init: &Expr) -> bool {
        let typed = matches!(declared, Stmt::Local(Local { pat: Pat::Type(t), .. })
            if matches!(&*t.ty, syn::Type::Reference(r) if matches!(&*r.elem, syn::Type::Slice(_))));
        typed || matches!(init, Expr::Reference(r) if is_part(&r.expr)) || self.is_slice(init)
    }
}

/// A parameter `mut data: &[T]` that is assigned, as a variable of the body. Gives the names of these.
pub fn parameters(sig: &syn::Signature, body: &mut Block) -> HashSet<String> {
    let (mut lets, mut names) = (Vec::new(), HashSet::new());
    for input in &sig.inputs {
        let syn::FnArg::Typed(arg) = input else { continue };
        let (Pat::Ident(p), syn::Type::Reference(r)) = (&*arg.pat, &*arg.ty) else { continue };
        if p.mutability.is_none() || r.mutability.is_some() || !matches!(&*r.elem, syn::Type::Slice(_)) {
            continue;
        }
        body.stmts = split_off::in_statements(std::mem::take(&mut body.stmts), &p.ident);
        if is_assigned_parts(&p.ident, &body.stmts) {
            let name = &p.ident;
            lets.push(syn::parse_quote_spanned!(name.span()=> let mut #name = #name;));
            names.insert(name.to_string());
        }
    }
    body.stmts.splice(0..0, lets);
    names
}

/// `let mut name = slice;`
fn cursor(l: &Local) -> Option<(Ident, Expr)> {
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let pat = if let Pat::Type(t) = &l.pat { &*t.pat } else { &l.pat };
    let Pat::Ident(p) = pat else { return None };
    let mut of = &*init.expr;
    while let Expr::Paren(p) = of {
        of = &p.expr;
    }
    let slice = match of {
        Expr::Path(p) => p.path.get_ident().is_some(),
        Expr::Reference(r) => crate::iterate::loops::chain::is_place(&r.expr),
        _ => false,
    };
    (slice && p.mutability.is_some() && p.by_ref.is_none() && p.subpat.is_none())
        .then(|| (p.ident.clone(), of.clone()))
}

/// The name in `name` and in `name[..]`.
fn slice_name(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Path(_) => Some(e),
        Expr::Index(x) => match &*x.index {
            Expr::Range(r) if r.start.is_none() && r.end.is_none() => slice_name(&x.expr),
            _ => None,
        },
        _ => None,
    }
}

/// `&name[a..b]`, `&mut name[a..b]`
fn part(e: &Expr) -> Option<(&Ident, &ExprRange)> {
    let Expr::Reference(r) = e else { return None };
    let Expr::Index(x) = &*r.expr else { return None };
    let (Expr::Path(p), Expr::Range(range)) = (&*x.expr, &*x.index) else { return None };
    Some((p.path.get_ident()?, range))
}

/// Whether a part of some of these is taken.
fn has_part(b: &Block, names: &HashSet<String>) -> bool {
    search::any(b, |e| match e {
        Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
            matches!(&*x.expr, Expr::Path(p) if p.path.get_ident().is_some_and(|name| names.contains(&name.to_string())))
        }
        _ => false,
    })
}

/// `name`, or `&name[a..b]`.
fn source(e: &Expr) -> Option<(&Ident, Option<&ExprRange>)> {
    match e {
        Expr::Path(p) => Some((p.path.get_ident()?, None)),
        e => part(e).map(|(name, range)| (name, Some(range))),
    }
}

/// The variable of `rest` and of `std::mem::take(&mut rest)`, of which a part is taken.
fn taken(e: &Expr) -> Option<&Expr> {
    let Expr::Call(c) = e else { return slice_name(e) };
    let Expr::Path(p) = &*c.func else { return None };
    let names: Vec<_> = p.path.segments.iter().rev().map(|s| &s.ident).collect();
    let takes = matches!(names[..], [take, mem, ..] if take == "take" && mem == "mem");
    match c.args.first() {
        Some(Expr::Reference(r)) if takes && c.args.len() == 1 && r.mutability.is_some() => {
            slice_name(&r.expr)
        }
        _ => None,
    }
}

/// Whether parts of a variable are borrowed by `&mut`.
fn is_changed(name: &Ident, code: &Block) -> bool {
    visits::any(code, |node| {
        let Node::Expr(Expr::Reference(r)) = node else { return false };
        let of = match &*r.expr {
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => &*x.expr,
            _ => &*r.expr,
        };
        r.mutability.is_some() && is_named(of, name)
    })
}

/// Whether a variable is assigned something that may be a part of a slice.
fn is_assigned_parts(name: &Ident, code: &[Stmt]) -> bool {
    visits::any(code, |node| {
        let Node::Expr(Expr::Assign(a)) = node else { return false };
        match &*a.left {
            Expr::Path(p) if p.path.is_ident(name) => {
                let right = behind_references(&a.right);
                matches!(right, Expr::If(_) | Expr::Match(_))
                    && assigned_in_branches(&p.path, right).is_some()
                    || source(&a.right).is_some()
            }
            Expr::Tuple(t) => t.elems.iter().any(|e| is_named(e, name)) && assigned_in_turn(a).is_some(),
            _ => false,
        }
    })
}

/// Writes `split_first` and its like as subscripts: `let (a, b) = x.split_at(n);` is `let a = &x[..n]; let b = &x[n..];`.
struct Split<'n> {
    next: usize,
    /// The variable.
    cursor: &'n Ident,
}

impl Split<'_> {
    /// `x.split_first()`: `x.first()`, and the part that is left.
    fn end_and_rest(e: &Expr) -> Option<(Expr, TokenStream)> {
        let Expr::MethodCall(m) = e else { return None };
        let (of, span) = (slice_name(&m.receiver)?, m.method.span());
        if !m.args.is_empty() {
            return None;
        }
        Some(match m.method.to_string().as_str() {
            "split_first" => (made(quote_spanned!(span=> #of.first())), quote_spanned!(span=> &#of[1..])),
            "split_last" => {
                (made(quote_spanned!(span=> #of.last())), quote_spanned!(span=> &#of[..#of.len() - 1]))
            }
            _ => return None,
        })
    }

    /// `x.split_first()?`, `x.split_first().ok_or(e)?`, `x.split_first().unwrap()`: the same of `x.first()`, and the part that is left.
    fn tried_end(e: &Expr) -> Option<(Expr, TokenStream)> {
        match e {
            Expr::Try(t) => {
                let (of, part) = Self::end_or(&t.expr)?;
                Some((made(quote_spanned!(t.question_token.span=> #of?)), part))
            }
            Expr::MethodCall(m)
                if m.method == "unwrap" && m.args.is_empty()
                    || m.method == "expect" && matches!(m.args.first(), Some(Expr::Lit(_))) =>
            {
                let (of, part) = Self::end_and_rest(&m.receiver)?;
                Some((Expr::MethodCall(syn::ExprMethodCall { receiver: Box::new(of), ..m.clone() }), part))
            }
            _ => None,
        }
    }

    /// `x.split_first()` with `.ok_or(e)` after it or not.
    fn end_or(e: &Expr) -> Option<(Expr, TokenStream)> {
        match e {
            Expr::MethodCall(m) if m.args.len() == 1 && (m.method == "ok_or" || m.method == "ok_or_else") => {
                let (of, part) = Self::end_or(&m.receiver)?;
                // (The part is taken after the error was made.)
                let same = m.args.iter().all(|arg| {
                    matches!(arg, Expr::Closure(_))
                        || is_pure(arg, &|call| is_of_numbers(call) || is_built(call))
                });
                same.then(|| {
                    (Expr::MethodCall(syn::ExprMethodCall { receiver: Box::new(of), ..m.clone() }), part)
                })
            }
            e => Self::end_and_rest(e),
        }
    }

    /// `Some((one, rest))`: `Some(one)`, and the name of the rest, if it has one.
    fn patterns(pat: &Pat) -> Option<(Pat, Option<Ident>)> {
        let Pat::TupleStruct(some) = pat else { return None };
        let (true, [Pat::Tuple(t)]) = (some.path.is_ident("Some"), &*some.elems.iter().collect::<Vec<_>>())
        else {
            return None;
        };
        let [one, rest] = &*t.elems.iter().collect::<Vec<_>>() else { return None };
        let rest = match rest {
            Pat::Wild(_) => None,
            rest => Some(pattern::plain_name(rest)?.clone()),
        };
        let mut some = some.clone();
        some.elems = [(*one).clone()].into_iter().collect();
        Some((Pat::TupleStruct(some), rest))
    }

    /// The declarations of the names of a condition `let Some((one, rest)) = x.split_first()`, at the head of the block, and of those
    /// of `let [one, rest @ ..] = x`.
    fn condition(&self, cond: &mut Expr) -> Vec<Stmt> {
        if let Expr::Binary(b) = cond
            && matches!(b.op, syn::BinOp::And(_))
        {
            let mut left = (*b.left).clone();
            let mut taken = self.condition(&mut left);
            let right = &*b.right;
            // What is left is declared behind the whole condition, so the slice has to be the same there.
            let changes =
                |e: &Expr| assigned(e).is_some() || matches!(e, Expr::Reference(r) if r.mutability.is_some());
            let names = Names::of_expr(right);
            let hidden = names
                .bound
                .iter()
                .any(|p| taken.iter().any(|s| mentions(s.to_token_stream(), &p.ident.to_string())));
            // (Names of what is left are declared there, too.)
            let used = |s: &Stmt| matches!(s, Stmt::Local(l) if pattern::names(&l.pat).iter().any(|name| mentions(right.to_token_stream(), &name.to_string())));
            if !taken.is_empty() && (hidden || taken.iter().any(used) || search::any(right, changes)) {
                return Vec::new();
            }
            *b.left = left;
            taken.extend(self.condition(&mut b.right));
            return taken;
        }
        let Expr::Let(l) = cond else { return Vec::new() };
        let ends = Self::ends(&mut l.pat, &mut l.expr);
        if ends.is_empty() { self.rests(&mut l.pat, &l.expr) } else { ends }
    }

    /// Writes `Some((one, rest)) = x.split_first()` as `Some(one) = x.first()`, also where it is part of a tuple, and gives the
    /// declaration of what is left.
    fn ends(pat: &mut Pat, of: &mut Expr) -> Vec<Stmt> {
        let (mut parts, bound) = (Vec::new(), pattern::names(pat));
        Self::parts(pat, of, &mut parts);
        // What is left is written with the name of the slice, which the pattern may give to nothing else.
        let hides = |(rest, slice): &(Ident, String)| {
            bound.iter().filter(|name| *name == slice).count() > usize::from(rest == slice)
        };
        if parts.iter().any(hides) { Vec::new() } else { Self::written(pat, of) }
    }

    /// The names of what is left, with the slices.
    fn parts(pat: &Pat, of: &Expr, out: &mut Vec<(Ident, String)>) {
        if let (Some((_, Some(name))), Expr::MethodCall(m)) = (Self::patterns(pat), of) {
            out.extend(slice_name(&m.receiver).map(|slice| (name, slice.to_token_stream().to_string())));
        }
        if let (Pat::Tuple(pats), Expr::Tuple(of)) = (pat, of) {
            pats.elems.iter().zip(&of.elems).for_each(|(pat, of)| Self::parts(pat, of, out));
        }
    }

    fn written(pat: &mut Pat, of: &mut Expr) -> Vec<Stmt> {
        if let (Some((one, name)), Some((value, rest))) = (Self::patterns(pat), Self::end_and_rest(of)) {
            (*pat, *of) = (one, value);
            let named = |name: Ident| syn::parse_quote_spanned!(name.span()=> let #name = #rest;);
            return name.map(named).into_iter().collect();
        }
        match (pat, of) {
            (Pat::Tuple(pats), Expr::Tuple(of)) if pats.elems.len() == of.elems.len() => pats
                .elems
                .iter_mut()
                .zip(&mut of.elems)
                .flat_map(|(pat, of)| Self::written(pat, of))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The parts of the cursor that a pattern names, unless the pattern gives its name to something else.
    fn rests(&self, pat: &mut Pat, of: &Expr) -> Vec<Stmt> {
        let hidden = pattern::names(pat).iter().any(|name| name == self.cursor);
        if hidden { Vec::new() } else { rests(pat, of, self.cursor) }
    }

    fn statements(&mut self, b: &mut Block) {
        let stmts = std::mem::take(&mut b.stmts);
        for mut s in stmts {
            let Stmt::Local(l) = &mut s else {
                b.stmts.push(s);
                continue;
            };
            let Some(init) = &mut l.init else {
                b.stmts.push(s);
                continue;
            };
            if init.diverge.is_some() {
                let rests = self.rests(&mut l.pat, &init.expr);
                if !rests.is_empty() {
                    b.stmts.push(s);
                    b.stmts.extend(rests);
                    continue;
                }
            }
            if init.diverge.is_some() {
                let ends = Self::ends(&mut l.pat, &mut init.expr);
                if !ends.is_empty() {
                    b.stmts.push(s);
                    b.stmts.extend(ends);
                    continue;
                }
            }
            if let Pat::Tuple(t) = &l.pat
                && let ([one, rest], Some((value, part))) =
                    (&*t.elems.iter().collect::<Vec<_>>(), Self::tried_end(&init.expr))
                && let Some(name) = pattern::plain_name(rest)
                && !pattern::names(one).iter().any(|one| mentions(part.clone(), &one.to_string()))
            {
                let span = name.span();
                b.stmts.push(syn::parse_quote_spanned!(span=> let #one = #value;));
                b.stmts.push(syn::parse_quote_spanned!(span=> let #name = #part;));
                continue;
            }
            if let (Pat::Tuple(t), Expr::MethodCall(m)) = (&l.pat, &*init.expr)
                && let ([a, z], Some(of)) = (&*t.elems.iter().collect::<Vec<_>>(), taken(&m.receiver))
                && (m.method == "split_at"
                    || m.method == "split_at_mut"
                        && matches!(of, Expr::Path(p) if p.path.is_ident(self.cursor)))
                && m.args.len() == 1
            {
                let mutable = (m.method == "split_at_mut").then(|| quote!(mut));

                let (n, span) = (&m.args[0], m.method.span());
                let mid =
                    crate::iterate::tokens::hidden(&format!("__omp_mid_of{}", self.next), self.cursor.span());
                self.next += 1;
                b.stmts.push(
                    syn::parse_quote_spanned!(span=> let #mid: ::omp::__private::core::primitive::usize = #n;),
                );
                // What is left becomes numbers, before the other part is borrowed.
                for (pat, range) in [(z, quote!(#mid..)), (a, quote!(..#mid))] {
                    if !matches!(pat, Pat::Wild(_)) {
                        b.stmts.push(syn::parse_quote_spanned!(span=> let #pat = &#mutable #of[#range];));
                    }
                }
                continue;
            }
            b.stmts.push(s);
        }
    }
}

/// `Fault::Short(n)`
fn is_built(e: &Expr) -> bool {
    let name = |e: &Expr| matches!(e, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase)));
    matches!(e, Expr::Call(c) if name(&c.func))
}

impl VisitMut for Split<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        self.statements(b);
        visit_mut::visit_block_mut(self, b);
    }
    fn visit_expr_while_mut(&mut self, l: &mut syn::ExprWhile) {
        l.body.stmts.splice(0..0, self.condition(&mut l.cond));
        visit_mut::visit_expr_while_mut(self, l);
    }
    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        i.then_branch.stmts.splice(0..0, self.condition(&mut i.cond));
        visit_mut::visit_expr_if_mut(self, i);
    }
    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        for arm in &mut m.arms {
            let rests = match &mut arm.pat {
                // The guard is evaluated before the declarations.
                Pat::Guard(g) => {
                    let guard = g.guard.to_token_stream();
                    let named = pattern::names(&g.pat);
                    let is_of_rest = |name: &Ident| mentions(guard.clone(), &name.to_string());
                    let mut pat = (*g.pat).clone();
                    let rests = self.rests(&mut pat, &m.expr);
                    let left = pattern::names(&pat);
                    if named.iter().any(|name| !left.contains(name) && is_of_rest(name)) {
                        continue;
                    }
                    *g.pat = pat;
                    rests
                }
                pat => self.rests(pat, &m.expr),
            };
            if !rests.is_empty() {
                let body = &arm.body;
                *arm.body = made(quote!({ #(#rests)* #body }));
            }
        }
        visit_mut::visit_expr_match_mut(self, m);
    }
    /// `x = if c { a } else { b };` and `(x, y) = (a, b);` as two assignments.
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Assign(a) = &*e
            && let Some(each) = assigned_in_turn(a)
        {
            *e = each;
        }
        if let Expr::Assign(a) = &*e
            && let (Expr::Path(to), Expr::If(_) | Expr::Match(_)) = (&*a.left, behind_references(&a.right))
            && let Some(branches) = assigned_in_branches(&to.path, behind_references(&a.right))
        {
            *e = branches;
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Takes the names of `[one, rest @ ..]` out of a pattern of the cursor, and gives their declarations: `let rest = &x[1..];`.
fn rests(pat: &mut Pat, of: &Expr, cursor: &Ident) -> Vec<Stmt> {
    match (pat, of) {
        (Pat::Paren(p), _) => rests(&mut p.pat, of, cursor),
        (pat, Expr::Paren(p)) => rests(pat, &p.expr, cursor),
        (Pat::Tuple(t), Expr::Tuple(values)) if t.elems.len() == values.elems.len() => {
            t.elems.iter_mut().zip(&values.elems).flat_map(|(pat, of)| rests(pat, of, cursor)).collect()
        }
        (Pat::Slice(s), of)
            if let Some(Expr::Path(x)) = slice_name(of)
                && x.path.is_ident(cursor) =>
        {
            let is_rest = |pat: &Pat| matches!(pat, Pat::Ident(p) if matches!(&p.subpat, Some((_, pat)) if matches!(**pat, Pat::Rest(_))));
            let Some(before) = s.elems.iter().position(is_rest) else { return Vec::new() };
            let Pat::Ident(p) = &s.elems[before] else { return Vec::new() };
            if p.mutability.is_some() || p.by_ref.is_some() {
                return Vec::new();
            }
            let (name, behind, span) = (p.ident.clone(), s.elems.len() - before - 1, p.ident.span());
            let [before_, behind_] = [before, behind].map(proc_macro2::Literal::usize_unsuffixed);
            let until = (behind > 0).then(|| quote_spanned!(span=> #x.len() - #behind_));
            s.elems[before] = Pat::Rest(syn::PatRest { attrs: Vec::new(), dot2_token: Token![..](span) });
            vec![syn::parse_quote_spanned!(span=> let #name = &#x[#before_..#until];)]
        }
        _ => Vec::new(),
    }
}

/// `(x, y) = (a, b);` one after the other, where no value names a variable that is assigned before it.
fn assigned_in_turn(a: &syn::ExprAssign) -> Option<Expr> {
    let (Expr::Tuple(left), Expr::Tuple(right)) = (&*a.left, &*a.right) else { return None };
    if left.elems.len() != right.elems.len() || !right.elems.iter().all(|e| source(e).is_some()) {
        return None;
    }
    let names: Option<Vec<&Ident>> = left
        .elems
        .iter()
        .map(|e| match e {
            Expr::Path(p) => p.path.get_ident(),
            _ => None,
        })
        .collect();
    let names = names?;
    let apart = right.elems.iter().enumerate().all(|(n, value)| {
        !names[..n].iter().any(|name| mentions(value.to_token_stream(), &name.to_string()))
    });
    let values = right.elems.iter();
    apart.then(|| made(quote!({ #(#names = #values;)* })))
}

/// The branches of a value that is a slice in each of them, each of which assigns it.
fn assigned_in_branches(to: &syn::Path, e: &Expr) -> Option<Expr> {
    let block = |b: &Block| -> Option<Block> {
        let (Stmt::Expr(value, None), before) = b.stmts.split_last()? else { return None };
        let value = assigned_in_branches(to, value)?;
        Some(syn::parse_quote!({ #(#before)* #value; }))
    };
    match e {
        Expr::Paren(p) => assigned_in_branches(to, &p.expr),
        Expr::If(i) => {
            let (cond, then) = (&i.cond, block(&i.then_branch)?);
            let els = match &i.else_branch.as_ref()?.1 {
                b if matches!(&**b, Expr::Block(_)) => {
                    let Expr::Block(b) = &**b else { return None };
                    block(&b.block)?.into_token_stream()
                }
                other => assigned_in_branches(to, other)?.into_token_stream(),
            };
            Some(made(quote!(if #cond #then else #els)))
        }
        Expr::Match(m) => {
            let mut m = m.clone();
            for arm in &mut m.arms {
                let value = match &*arm.body {
                    Expr::Block(b) if b.label.is_none() => {
                        let b = block(&b.block)?;
                        made(quote!(#b))
                    }
                    value => {
                        let value = assigned_in_branches(to, value)?;
                        made(quote!({ #value; }))
                    }
                };
                *arm.body = value;
            }
            Some(Expr::Match(m))
        }
        other => {
            source(other)?;
            Some(made(quote!(#to = #other)))
        }
    }
}

/// The variables that parts go through on their way to the cursor; `None` if one of them is something else, too.
fn members(name: &Ident, b: &Block) -> Option<HashSet<String>> {
    let mut names = HashSet::from([name.to_string()]);
    loop {
        let mut flow = Flow {
            names: &names,
            from: HashSet::new(),
            lets: HashSet::new(),
            bound: 0,
            known: 0,
            other: false,
        };
        flow.visit_block(b);
        if flow.from.iter().all(|n| names.contains(n)) {
            let declared = names.iter().all(|n| name == n || flow.lets.contains(n));
            return (!flow.other && declared && flow.bound == flow.known).then_some(names);
        }
        let from = flow.from;
        names.extend(from);
    }
}

struct Flow<'n> {
    names: &'n HashSet<String>,
    /// The variables that parts come from, and those that they are assigned to.
    from: HashSet<String>,
    /// The variables that are bound to parts.
    lets: HashSet<String>,
    /// How often they are bound, and how often to parts.
    bound: usize,
    known: usize,
    /// They are assigned or bound to other things.
    other: bool,
}

impl Flow<'_> {
    fn is_member(&self, name: &Ident) -> bool {
        self.names.contains(&name.to_string())
    }
}

impl<'ast> Visit<'ast> for Flow<'_> {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound += usize::from(self.is_member(&p.ident));
        visit::visit_pat_ident(self, p);
    }
    fn visit_local(&mut self, l: &'ast Local) {
        let pat = if let Pat::Type(t) = &l.pat { &*t.pat } else { &l.pat };
        if let (Pat::Ident(p), Some(init)) = (pat, &l.init)
            && init.diverge.is_none()
            && let Some((of, _)) = source(&init.expr)
        {
            if self.is_member(&p.ident) {
                self.known += 1;
                self.lets.insert(p.ident.to_string());
                self.from.insert(of.to_string());
            } else if p.mutability.is_some() && self.is_member(of) {
                self.from.insert(p.ident.to_string());
            }
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_assign(&mut self, a: &'ast syn::ExprAssign) {
        if let Expr::Path(p) = &*a.left
            && let Some(name) = p.path.get_ident()
        {
            match source(&a.right) {
                Some((of, _)) if self.is_member(name) => drop(self.from.insert(of.to_string())),
                Some((of, _)) if self.is_member(of) => drop(self.from.insert(name.to_string())),
                _ => self.other |= self.is_member(name),
            }
        }
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_reference(&mut self, r: &'ast syn::ExprReference) {
        self.other |= r.mutability.is_some()
            && matches!(&*r.expr, Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.is_member(name)));
        visit::visit_expr_reference(self, r);
    }
    // It would have a copy of the variable's ends.
    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        let is = |name: &String| mentions(c.to_token_stream(), name);
        self.other |= c.capture.is_some() && self.names.iter().any(is);
        visit::visit_expr_closure(self, c);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        if arguments(m).is_none() {
            let is = |name: &String| mentions(m.tokens.clone(), name);
            self.other |= self.names.iter().any(is);
        }
    }
}

struct Replace<'r, 'w, 's> {
    walk: &'r mut Walk<'w>,
    base: &'s Ident,
    ends: &'s HashMap<String, Ends>,
    /// Elements change through the variables.
    mutable: bool,
}

impl Replace<'_, '_, '_> {
    /// Statements that give a variable its ends: `set` makes one of its name and value.
    fn set(&mut self, to: &Ident, value: &Expr, new: bool) -> Option<Vec<Stmt>> {
        let (of, range) = source(value)?;
        let (base, Ends { at, end }, of) =
            (self.base, self.ends.get(&to.to_string())?, self.ends.get(&of.to_string())?);
        let (from, until, span) = (&of.at, &of.end, value.span());
        let usize = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let (lo, first) = (self.walk.fresh("low", span), self.walk.fresh("first", span));
        let mut stmts: Vec<Stmt> = Vec::new();
        let (start, len) = match range {
            Some(range) => {
                let (start, limits, mut last) = (range.start.clone(), &range.limits, range.end.clone());
                let part = self.walk.fresh("part", span);
                let zero = quote_spanned!(span=> 0);
                let mut start = start.map_or(zero, |e| e.to_token_stream());
                let mut first = made(start);
                self.visit_expr_mut(&mut first);
                start = first.to_token_stream();
                if let Some(last) = &mut last {
                    self.visit_expr_mut(last);
                }
                let block: Block = syn::parse_quote_spanned!(span=> {
                    let #lo: #usize = #start;
                    let #part = &#base[#from..#until][#lo #limits #last];
                });
                stmts.extend(block.stmts);
                (quote_spanned!(span=> #from + #lo), quote_spanned!(span=> #part.len()))
            }
            None => (from.to_token_stream(), quote_spanned!(span=> #until - #from)),
        };
        let kept: Block = syn::parse_quote_spanned!(span=> {
            let #first: #usize = #start;
            let #lo: #usize = #first + #len;
        });
        stmts.extend(kept.stmts);
        let block: Block = if new {
            syn::parse_quote_spanned!(span=> { let mut #at: #usize = #first; let mut #end: #usize = #lo; })
        } else {
            syn::parse_quote_spanned!(span=> { #at = #first; #end = #lo; })
        };
        stmts.extend(block.stmts);
        Some(stmts)
    }
}

impl Replace<'_, '_, '_> {
    /// `let head = &mut rest[..n];`: what the variable is has a name of its own, of which that is a part.
    fn part_of_part(&mut self, s: &mut Stmt) -> Option<Stmt> {
        let Stmt::Local(l) = s else { return None };
        let Expr::Reference(r) = &mut *l.init.as_mut()?.expr else { return None };
        let Expr::Index(x) = &mut *r.expr else { return None };
        let Expr::Path(p) = &*x.expr else { return None };
        let Ends { at, end } = self.ends.get(&p.path.get_ident()?.to_string())?;
        if r.mutability.is_none() || !matches!(&*x.index, Expr::Range(_)) {
            return None;
        }
        let (base, span) = (self.base, p.span());
        let whole = self.walk.fresh("whole", span);
        *x.expr = made(whole.to_token_stream());
        Some(syn::parse_quote_spanned!(span=> let #whole = &mut #base[#at..#end];))
    }
}

impl VisitMut for Replace<'_, '_, '_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let stmts = std::mem::take(&mut b.stmts);
        for mut s in stmts {
            if let Stmt::Local(l) = &s
                && let Some(init) = &l.init
                && let Pat::Ident(p) = (if let Pat::Type(t) = &l.pat { &*t.pat } else { &l.pat })
                && self.ends.contains_key(&p.ident.to_string())
                && let Some(set) = self.set(&p.ident.clone(), &init.expr.clone(), true)
            {
                b.stmts.extend(set);
                continue;
            }
            b.stmts.extend(self.part_of_part(&mut s));
            self.visit_stmt_mut(&mut s);
            b.stmts.push(s);
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        if let Some(mut args) = arguments(m) {
            args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            m.tokens = args.into_token_stream();
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Assign(a) = e
            && let Expr::Path(p) = &*a.left
            && let Some(name) = p.path.get_ident().cloned()
            && self.ends.contains_key(&name.to_string())
            && let Some(set) = self.set(&name, &a.right.clone(), false)
        {
            *e = made(quote!({ #(#set)* }));
            return;
        }
        let name = match &*e {
            Expr::Index(x) => &*x.expr,
            Expr::MethodCall(m) => &*m.receiver,
            other => other,
        };
        if let Expr::Path(p) = Put::named(name)
            && let Some(name) = p.path.get_ident().cloned()
            && let Some(Ends { at, end }) = self.ends.get(&name.to_string())
        {
            // Its subscripts and arguments may name others.
            match e {
                Expr::Index(x) => self.visit_expr_mut(&mut x.index),
                Expr::MethodCall(m) => m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg)),
                _ => {}
            }
            let (base, span) = (self.base, name.span());
            let mut put = Put {
                name: &name,
                all: base,
                part: made(quote_spanned!(span=> #base[#at..#end])),
                len: quote_spanned!(span=> (#end - #at)),
                first: Some(at.clone()),
                at: self.walk.fresh("at", span),
                mutable: self.mutable,
            };
            put.visit_expr_mut(e);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
