//! Named iterators. The iterators of `let it = x.iter().take(n);` and `let c = x.chunks_exact(n);` replace their names.
//! `let mut it = x.iter();`, of which only `next` is called, becomes a counter.
use crate::iterate::loops::chain::{is_array_value, is_place};
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::iterate::values::arrays::behind;
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{strip, strip_mut};
use crate::sema::syntax::names::{Names, bound};
use crate::sema::syntax::search;
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall};

impl Walk<'_> {
    /// `let it = x.iter().take(n);`: what it stands for takes the place of its name. Nothing in what comes after changes what it was made
    /// of. (Each use but those of clones moves it, so one alone comes to pass.)
    pub(in crate::iterate) fn chain_by_name(&mut self, b: &mut syn::Block) {
        let mut next = 0;
        let mut ranges = Vec::new();
        while next < b.stmts.len() {
            let at = next;
            next += 1;
            let syn::Stmt::Local(l) = &b.stmts[at] else { continue };
            let Some(init) = l.init.as_ref().filter(|init| init.diverge.is_none()) else { continue };
            let syn::Pat::Ident(p) = &l.pat else { continue };
            if p.by_ref.is_some() || p.subpat.is_some() {
                continue;
            }
            let (name, moves_on) = (p.ident.clone(), p.mutability.is_some());
            if matches!(strip(&init.expr), Expr::Range(_)) {
                ranges.push(name);
                continue;
            }
            let is_iterator =
                |e: &Expr| is_iterator_or(e, &|name| ranges.contains(name) || self.names_range(name));
            if let Expr::Closure(c) = &*init.expr
                && let Some(params) = plain_params(c)
                && is_iterator(&c.body)
            {
                let mut uses = NameUses::of(&name);
                b.stmts[at + 1..].iter().for_each(|s| uses.visit_stmt(s));
                let bound = Names::of_expr(&c.body).bound.iter().map(|p| p.ident.clone()).collect();
                let mut called = PutCalled { name: &name, params: &params, of: &c.body, bound, found: 0 };
                let mut rest = b.stmts[at + 1..].to_vec();
                rest.iter_mut().for_each(|s| called.visit_stmt_mut(s));
                if !uses.binds
                    && uses.all > 0
                    && uses.all == called.found
                    && stays_but(&c.body, &name, &b.stmts[at + 1..], &params)
                {
                    b.stmts.splice(at.., rest);
                    next = at;
                }
                continue;
            }
            if !matches!(&*init.expr, Expr::MethodCall(_) | Expr::Call(_)) || !is_iterator(&init.expr) {
                continue;
            }
            // `let it = it.skip(1);` is the last statement with the name.
            let end =
                b.stmts[at + 1..].iter().position(|s| lets(s, &name)).map_or(b.stmts.len(), |n| at + 2 + n);
            let mut uses = NameUses::of(&name);
            b.stmts[at + 1..end].iter().for_each(|s| uses.in_scope(s));
            // What parts leave over has a rule of its own.
            if uses.binds || uses.all == 0 || uses.all > 1 && parts_let(l).is_some() {
                continue;
            }
            let rest = &b.stmts[at + 1..end];
            // One that moves on has to be used once.
            if moves_on && (uses.all > 1 || uses.next + uses.peek > 0 || repeats(rest, &name)) {
                continue;
            }
            // A check that fails does so where the name is bound, whether the iterator is used or not.
            let mut used = Surely(NameUses::of(&name));
            rest.iter().find(|s| !is_number_let(s)).into_iter().for_each(|s| used.visit_stmt(s));
            let replaces = |e: &Expr| stays(e, &name, rest) && (used.0.all > 0 || !may_fail(e));
            let mut whole = (*init.expr).clone();
            let mut numbers = Vec::new();
            if !replaces(&whole) {
                // Parts, and what the adaptors were given, stay under names of their own.
                self.keep_parts(&mut whole, name.span(), &mut numbers);
                self.keep_numbers(&mut whole, &mut numbers);
                if !replaces(&whole) {
                    continue;
                }
            }
            let mut put = PutParts { name: &name, parts: &whole, rest: &whole };
            b.stmts[at + 1..end].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            next = at + numbers.len();
            b.stmts.splice(at..=at, numbers);
        }
    }

    /// What a chain is made of gets names before it: parts, the ends of ranges and what adaptors are given. Whether all of it could.
    pub(in crate::iterate) fn keep_base(&mut self, base: &mut Expr, lets: &mut Vec<syn::Stmt>) -> bool {
        let is_mutable = |e: &Expr| match e {
            Expr::Reference(r) => r.mutability.is_some(),
            Expr::MethodCall(m) => {
                ["iter_mut", "chunks_mut", "chunks_exact_mut"].iter().any(|name| m.method == name)
            }
            _ => false,
        };
        if search::any(base, is_mutable) {
            let is_part = |e: &Expr| matches!(e, Expr::Index(x) if matches!(&*x.index, Expr::Range(_)));
            if search::any(base, is_part) {
                return false;
            }
        } else {
            self.keep_parts(base, base.span(), lets);
        }
        self.keep_numbers(base, lets);
        true
    }

    /// `skip(a.len())` becomes `skip(n)`, after `let n = a.len();`, and the ends of a range get names, too.
    fn keep_numbers(&mut self, chain: &mut Expr, lets: &mut Vec<syn::Stmt>) {
        if let Expr::Range(range) = strip_mut(chain) {
            let ends = [&mut range.start, &mut range.end].map(|end| {
                let end = end.as_deref_mut()?;
                let name = self.fresh("end", end.span());
                lets.push(syn::parse_quote_spanned!(end.span()=> let #name = #end;));
                *end = syn::parse_quote!(#name);
                Some(name)
            });
            if let [Some(first), Some(end)] = ends {
                // Both are of one type.
                lets.push(syn::parse_quote_spanned!(end.span()=> let _ = [#first, #end];));
            }
            return;
        }
        let Expr::MethodCall(m) = chain else { return };
        self.keep_numbers(&mut m.receiver, lets);
        if m.method == "zip" || m.method == "chain" {
            m.args.iter_mut().for_each(|arg| self.keep_numbers(arg, lets));
        }
        const OF_NUMBERS: [&str; 7] = ["skip", "take", "step_by", "windows", "chunks", "chunks_exact", "get"];
        if let (true, Some(number)) = (OF_NUMBERS.iter().any(|name| m.method == name), m.args.first_mut())
            && !matches!(number, Expr::Lit(_))
        {
            let name = self.fresh("number", m.method.span());
            lets.push(syn::parse_quote_spanned!(m.method.span()=> let #name = #number;));
            *number = syn::parse_quote!(#name);
        }
    }

    /// `let mut it = x.iter();`, of which the block uses only `it.next()`: it becomes a counter.
    pub(in crate::iterate) fn counted_by_next(&mut self, b: &mut syn::Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                syn::Stmt::Local(l) => iterator_let(l),
                _ => None,
            };
            at += 1;
            let Some((name, elements)) = found else { continue };
            let (name, peekable) = (name, elements.peekable);
            let mut conditional = NextIf { name: &name, walk: self };
            if peekable {
                let mut rest = b.stmts[at..].to_vec();
                rest.iter_mut().for_each(|s| conditional.visit_stmt_mut(s));
                b.stmts.splice(at.., rest);
            }
            let syn::Stmt::Local(l) = &b.stmts[at - 1] else { continue };
            let Some((_, elements)) = iterator_let(l) else { continue };
            let mut asked = NameUses::of(&name);
            b.stmts[at..].iter().for_each(|s| asked.visit_stmt(s));
            // What `peek` gives of references is a reference to one.
            let refused = asked.peek > 0 && !(elements.peekable && elements.adaptor.is_some());
            if asked.binds || refused || asked.next == 0 || asked.next + asked.peek != asked.all {
                continue;
            }
            let span = name.span();
            let [all, count] = ["all", "count"].map(|name| self.fresh(name, span));
            let array = match behind(elements.array) {
                e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
                e => quote_spanned!(span=> &#e[..]),
            };
            let first = elements.first.map_or_else(|| quote_spanned!(span=> 0), ToTokens::to_token_stream);
            let adaptor = elements.adaptor.map(|name| quote_spanned!(span=> .#name()));
            let next = made(quote_spanned!(span=> #all.get({ #count += 1; #count - 1 })#adaptor));
            let lets: [syn::Stmt; 2] = [
                syn::parse_quote_spanned!(span=> let #all = #array;),
                syn::parse_quote_spanned!(span=> let mut #count: ::omp::__private::core::primitive::usize = #first;),
            ];
            let peek = made(quote_spanned!(span=> #all.get(#count)));
            let mut put = PutNext { name: &name, next: &next, peek: Some(&peek) };
            b.stmts[at..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.splice(at - 1..at, lets);
            at += 1;
        }
    }

    /// `let mut it = x.iter().filter(f);`, of which the block uses `it.next()`, searches such as `it.any(f)`, and the remaining items in a
    /// `for`: a counter holds the position, and each use goes on from there.
    pub(in crate::iterate) fn pulled_by_next(&mut self, b: &mut syn::Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                syn::Stmt::Local(l) => self.pulled_let(l),
                _ => None,
            };
            at += 1;
            let Some((name, mut base, adaptors)) = found else { continue };
            let rest = &b.stmts[at..];
            let mut asked = NameUses::of(&name);
            rest.iter().for_each(|s| asked.visit_stmt(s));
            let whole = adaptors.iter().fold(quote::quote!(#base), |all, m| quote::quote!(#all, #m));
            let whole = made(quote::quote!([#whole]));
            let advanced = asked.next + asked.searched;
            if asked.binds
                || advanced == 0
                || advanced + loops_over(rest, &name) != asked.all
                || !stays(&whole, &name, rest)
            {
                continue;
            }
            let span = name.span();
            let count = self.fresh("count", span);
            let mut lets: Vec<syn::Stmt> = vec![
                syn::parse_quote_spanned!(span=> let mut #count: ::omp::__private::core::primitive::usize = 0;),
            ];
            self.keep_parts(&mut base, span, &mut lets);
            if may_fail(&base) {
                continue;
            }
            let mut items = made(quote_spanned!(span=> #base.skip(#count).inspect(|_| #count += 1)));
            for mut m in adaptors.into_iter().rev() {
                if let Some(with_state) = self.with_state(&m, &items, &mut lets) {
                    items = with_state;
                } else {
                    *m.receiver = items;
                    items = Expr::MethodCall(m);
                }
            }
            let next = made(quote_spanned!(span=> #items.find(|_| true)));
            let mut put = PutNext { name: &name, next: &next, peek: None };
            b.stmts[at..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            let mut put = PutParts { name: &name, parts: &items, rest: &items };
            b.stmts[at..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            let n = lets.len();
            b.stmts.splice(at - 1..at, lets);
            at += n - 1;
        }
    }

    /// An adaptor that keeps something from item to item, with a variable for it. (What ends the items, `take`, must not take further ones.)
    fn with_state(&mut self, m: &ExprMethodCall, items: &Expr, lets: &mut Vec<syn::Stmt>) -> Option<Expr> {
        let (span, name) = (m.method.span(), m.method.to_string());
        let [state, item] = ["state", "item"].map(|name| self.fresh(name, span));
        let (init, passes) = match (name.as_str(), m.args.first()) {
            ("scan", Some(init)) => {
                lets.push(syn::parse_quote_spanned!(span=> let mut #state = #init;));
                let next = crate::iterate::values::option::call(
                    &m.args[1],
                    &[quote_spanned!(span=> &mut #state), quote_spanned!(span=> #item)],
                    span,
                );
                return Some(made(quote_spanned!(span=> #items.map_while(|#item| #next))));
            }
            ("enumerate", None) => {
                lets.push(syn::parse_quote_spanned!(span=> let mut #state = 0usize;));
                return Some(made(
                    quote_spanned!(span=> #items.map(|#item| ({ #state += 1; #state - 1 }, #item))),
                ));
            }
            ("skip", Some(n)) => (
                quote_spanned!(span=> let mut #state: ::omp::__private::core::primitive::usize = #n;),
                quote_spanned!(span=> #state == 0 || { #state -= 1; false }),
            ),
            ("step_by", Some(n)) => {
                let step = self.fresh("step", span);
                lets.push(syn::parse_quote_spanned!(span=> let #step: ::omp::__private::core::primitive::usize = #n;));
                lets.push(syn::parse_quote_spanned!(span=> assert!(#step != 0);));
                (
                    quote_spanned!(span=> let mut #state = 0usize;),
                    quote_spanned!(span=> if #state == 0 { #state = #step - 1; true } else { #state -= 1; false }),
                )
            }
            ("skip_while", Some(f)) => {
                let cond = crate::iterate::values::option::call(f, &[item.to_token_stream()], span);
                (
                    quote_spanned!(span=> let mut #state = false;),
                    quote_spanned!(span=> { if !#state { #state = !#cond; } #state }),
                )
            }
            _ => return None,
        };
        lets.push(syn::parse_quote_spanned!(span=> #init));
        Some(made(quote_spanned!(span=> #items.filter(|#item| #passes))))
    }

    /// Parts are taken where the iterator's name is bound: `let all = &x[a..b];`.
    fn keep_parts(&mut self, e: &mut Expr, span: proc_macro2::Span, lets: &mut Vec<syn::Stmt>) {
        match e {
            Expr::MethodCall(m) => {
                self.keep_parts(&mut m.receiver, span, lets);
                if m.method == "zip" || m.method == "chain" {
                    m.args.iter_mut().for_each(|arg| self.keep_parts(arg, span, lets));
                }
            }
            Expr::Reference(r) if r.mutability.is_none() => {
                let mut part = (*r.expr).clone();
                self.keep_parts(&mut part, span, lets);
                // (The name is that of a slice.)
                match part {
                    Expr::Path(_) if part != *r.expr => *e = part,
                    part => *r.expr = part,
                }
            }
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
                let all = self.fresh("all", span);
                lets.push(syn::parse_quote_spanned!(span=> let #all = &#x;));
                *e = made(all.into_token_stream());
            }
            _ => {}
        }
    }

    /// `let mut it = …;`: a chain that is counted, and the adaptors after it, the last one first.
    fn pulled_let(&self, l: &syn::Local) -> Option<(Ident, Expr, Vec<ExprMethodCall>)> {
        let syn::Pat::Ident(p) = &l.pat else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        if p.mutability.is_none() || p.by_ref.is_some() || p.subpat.is_some() {
            return None;
        }
        let (mut e, mut adaptors) = (&*init.expr, Vec::new());
        while !self.is_native(e) {
            let Expr::MethodCall(m) = e else { return None };
            match (m.method.to_string().as_str(), m.args.len()) {
                (
                    "map" | "filter" | "filter_map" | "inspect" | "map_while" | "skip" | "step_by"
                    | "skip_while",
                    1,
                )
                | ("copied" | "cloned" | "enumerate", 0)
                | ("scan", 2) => {}
                _ => return None,
            }
            adaptors.push(m.clone());
            e = &m.receiver;
        }
        matches!(e, Expr::MethodCall(_) | Expr::Paren(_)).then(|| (p.ident.clone(), e.clone(), adaptors))
    }

    /// `let c = x.chunks_exact(n);`: what it stands for takes the place of its name, and what is left over that of `c.remainder()`.
    pub(in crate::iterate) fn parts_by_name(&mut self, b: &mut syn::Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                syn::Stmt::Local(l) => parts_let(l),
                _ => None,
            };
            let Some((name, m, mutable)) = found else {
                at += 1;
                continue;
            };
            let mut uses = PartsUses { name: &name, binds: false, once: 0, left: 0, all: 0 };
            b.stmts[at + 1..].iter().for_each(|s| uses.visit_stmt(s));
            // An iterator over `&mut` may have one `for`, and uses of its remainder.
            if uses.binds || mutable && (uses.once != 1 || uses.once + uses.left != uses.all) {
                at += 1;
                continue;
            }
            let (span, receiver, size) = (m.method.span(), &m.receiver, &m.args[0]);
            let [all, each] = ["all", "size"].map(|name| self.fresh(name, span));
            let array = match behind(receiver) {
                e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
                e => quote_spanned!(span=> &#e[..]),
            };
            let method = &m.method;
            let parts = made(quote_spanned!(span=> #all.#method(#each)));
            let rest = made(parentheses(quote_spanned!(span=> &#all[#all.len() / #each * #each..])));
            let lets: [syn::Stmt; 2] = [
                syn::parse_quote_spanned!(span=> let #all = #array;),
                syn::parse_quote_spanned!(span=> let #each: ::omp::__private::core::primitive::usize = #size;),
            ];
            let mut put = PutParts { name: &name, parts: &parts, rest: &rest };
            b.stmts[at + 1..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.splice(at..=at, lets);
            at += 2;
        }
    }
}

/// Whether nothing that an iterator is made of changes in what comes after it.
fn stays(made_of: &Expr, name: &Ident, rest: &[syn::Stmt]) -> bool {
    stays_but(made_of, name, rest, &[])
}

/// The same, whatever the names of a closure's parameters mean in what comes after.
fn stays_but(
    made_of: &Expr,
    name: &Ident,
    rest: &[syn::Stmt],
    params: &[(Ident, Option<syn::Type>)],
) -> bool {
    let mut block: Expr = syn::parse_quote!({ #(#rest)* });
    let mut changed = crate::iterate::changed(&block);
    // Names that are bound again, in a scope that uses the iterator, mean something else there.
    ScopesOf { name: &name.to_string() }.visit_expr_mut(&mut block);
    let names: Vec<String> = Names::of_expr(&block).bound.iter().map(|p| p.ident.to_string()).collect();
    changed.extend(names.iter().cloned());
    // While it is there, what it borrows stays.
    let mut borrowed = Borrowed(Vec::new());
    borrowed.visit_expr(made_of);
    changed.retain(|name| names.contains(name) || !borrowed.0.contains(name));
    changed.retain(|name| !params.iter().any(|(param, _)| param == name));
    !changed.iter().any(|name| {
        let mut free = Free { name, found: false };
        free.visit_expr(made_of);
        free.found
    })
}

/// Leaves out the scopes that use no such name.
struct ScopesOf<'n> {
    name: &'n str,
}

impl VisitMut for ScopesOf<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let scope = matches!(
            e,
            Expr::Block(_)
                | Expr::Closure(_)
                | Expr::ForLoop(_)
                | Expr::If(_)
                | Expr::Loop(_)
                | Expr::Match(_)
                | Expr::Unsafe(_)
                | Expr::While(_)
        );
        if scope && !mentions(e.to_token_stream(), self.name) {
            *e = made(quote::quote!(()));
        } else {
            syn::visit_mut::visit_expr_mut(self, e);
        }
    }
}

/// Whether a name stands outside of the closures that bind it.
struct Free<'n> {
    name: &'n str,
    found: bool,
}

impl<'ast> Visit<'ast> for Free<'_> {
    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        if !c.inputs.iter().flat_map(bound).any(|name| name == self.name) {
            syn::visit::visit_expr_closure(self, c);
        }
    }
    // Names of fields and methods are no variables.
    fn visit_expr_field(&mut self, f: &'ast syn::ExprField) {
        self.visit_expr(&f.base);
    }
    fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
        self.visit_expr(&m.receiver);
        m.args.iter().for_each(|arg| self.visit_expr(arg));
    }
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.found |= i == self.name;
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.found |= mentions(m.tokens.clone(), self.name);
    }
}

/// `let c = x.chunks_exact(n);`, with a place `x`, and whether it is `mut`.
fn parts_let(l: &syn::Local) -> Option<(Ident, ExprMethodCall, bool)> {
    let syn::Pat::Ident(p) = &l.pat else { return None };
    if p.by_ref.is_some() || p.subpat.is_some() {
        return None;
    }
    let name = &p.ident;
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let Expr::MethodCall(m) = &*init.expr else { return None };
    let parts = ["chunks_exact", "chunks", "windows"].iter().any(|name| m.method == name);
    (parts && m.args.len() == 1 && m.turbofish.is_none() && is_place(behind(&m.receiver)))
        .then(|| (name.clone(), m.clone(), p.mutability.is_some()))
}

/// The elements that an iterator goes through.
struct ElementsOf<'e> {
    array: &'e Expr,
    first: Option<&'e Expr>,
    /// `copied`, `cloned`
    adaptor: Option<&'e Ident>,
    peekable: bool,
}

impl<'e> ElementsOf<'e> {
    fn of(e: &'e Expr) -> Option<Self> {
        let Expr::MethodCall(m) = e else { return None };
        if m.turbofish.is_some() {
            return None;
        }
        match (m.method.to_string().as_str(), m.args.first()) {
            ("iter", None) => {
                let array = behind(&m.receiver);
                is_place(array).then_some(Self { array, first: None, adaptor: None, peekable: false })
            }
            ("skip", Some(n)) => {
                let of = Self::of(&m.receiver)?;
                (of.first.is_none() && of.adaptor.is_none() && !of.peekable)
                    .then_some(Self { first: Some(n), ..of })
            }
            ("copied" | "cloned", None) => {
                let of = Self::of(&m.receiver)?;
                (of.adaptor.is_none() && !of.peekable).then_some(Self { adaptor: Some(&m.method), ..of })
            }
            ("peekable", None) => Some(Self { peekable: true, ..Self::of(&m.receiver)? }),
            _ => None,
        }
    }
}

/// `let mut it = x.iter();`
fn iterator_let(l: &syn::Local) -> Option<(Ident, ElementsOf<'_>)> {
    let syn::Pat::Ident(p) = &l.pat else { return None };
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let plain = p.mutability.is_some() && p.by_ref.is_none() && p.subpat.is_none();
    plain.then(|| Some((p.ident.clone(), ElementsOf::of(&init.expr)?))).flatten()
}

/// How a name is used.
struct NameUses<'n> {
    name: &'n Ident,
    all: usize,
    /// In `it.next()`.
    next: usize,
    /// In `it.peek()`.
    peek: usize,
    /// In a search, which pulls no item after the one that decides it.
    searched: usize,
    binds: bool,
}

/// Methods of iterators that search: they take `&mut self`.
const SEARCHES: [&str; 5] = ["all", "any", "find", "find_map", "position"];

fn asks(e: &Expr, what: &str, name: &Ident) -> bool {
    matches!(e, Expr::MethodCall(m) if m.method == what && m.args.is_empty()
        && matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(name)))
}

/// Whether a statement is a `let` of this name.
fn lets(s: &syn::Stmt, name: &Ident) -> bool {
    matches!(s, syn::Stmt::Local(l) if matches!(&l.pat, syn::Pat::Ident(p) if p.ident == *name))
}

impl<'n> NameUses<'n> {
    fn of(name: &'n Ident) -> Self {
        Self { name, all: 0, next: 0, peek: 0, searched: 0, binds: false }
    }

    /// The uses in a statement, which may bind the name anew for the statements after it.
    fn in_scope(&mut self, s: &syn::Stmt) {
        match s {
            syn::Stmt::Local(l) if lets(s, self.name) => {
                l.init.iter().for_each(|init| self.visit_local_init(init));
            }
            s => self.visit_stmt(s),
        }
    }
}

impl<'ast> Visit<'ast> for NameUses<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        self.next += usize::from(asks(e, "next", self.name));
        self.peek += usize::from(asks(e, "peek", self.name));
        if let Expr::MethodCall(m) = e
            && matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(self.name))
        {
            self.searched += usize::from(SEARCHES.iter().any(|name| m.method == name));
        }
        syn::visit::visit_expr(self, e);
    }
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.all += usize::from(i == self.name);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.binds |= mentions(m.tokens.clone(), &self.name.to_string());
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.binds |= p.ident == *self.name;
        syn::visit::visit_pat_ident(self, p);
    }
}

struct PutNext<'n> {
    name: &'n Ident,
    next: &'n Expr,
    peek: Option<&'n Expr>,
}

impl VisitMut for PutNext<'_> {
    fn visit_stmt_mut(&mut self, s: &mut syn::Stmt) {
        if let syn::Stmt::Expr(e, Some(_)) = s
            && self.peek.is_none()
            && asks(e, "next", self.name)
        {
            // An item that is not used.
            let next = self.next;
            *e = made(quote_spanned!(self.name.span()=> #next.is_some()));
            return;
        }
        syn::visit_mut::visit_stmt_mut(self, s);
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if asks(e, "next", self.name) {
            *e = self.next.clone();
        } else if let Some(peek) = self.peek.filter(|_| asks(e, "peek", self.name)) {
            *e = peek.clone();
        } else {
            syn::visit_mut::visit_expr_mut(self, e);
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `it.next_if(f)` and `it.next_if_eq(&v)`: the next item, if what `peek` shows is one of these.
struct NextIf<'n, 'w, 's> {
    name: &'n Ident,
    walk: &'w mut Walk<'s>,
}

impl VisitMut for NextIf<'_, '_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, e);
        let Expr::MethodCall(m) = e else { return };
        let is_name = matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(self.name));
        let (true, Some(arg)) = (is_name && m.args.len() == 1, m.args.first()) else { return };
        let (it, span) = (&m.receiver, m.method.span());
        let condition = if m.method == "next_if" {
            arg.to_token_stream()
        } else if m.method == "next_if_eq" {
            let shown = self.walk.fresh("shown", span);
            let value = match arg {
                Expr::Reference(r) => r.expr.to_token_stream(),
                other => quote_spanned!(span=> *#other),
            };
            quote_spanned!(span=> |#shown| *#shown == #value)
        } else {
            return;
        };
        let none = quote_spanned!(span=> ::omp::__private::core::option::Option::None);
        *e = made(parentheses(
            quote_spanned!(span=> if #it.peek().is_some_and(#condition) { #it.next() } else { #none }),
        ));
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether an expression is an iterator of an array: its adaptors end in `x.iter()`, `x[a..].windows(n)`.
pub(in crate::iterate) fn is_iterator(e: &Expr) -> bool {
    is_iterator_or(e, &|_| false)
}

/// The same, or one of a range that is named so.
fn is_iterator_or(e: &Expr, named: &dyn Fn(&Ident) -> bool) -> bool {
    if let Expr::Call(c) = e {
        return crate::iterate::values::pipeline::of_std(c).is_some();
    }
    let Expr::MethodCall(m) = e else { return false };
    match (m.method.to_string().as_str(), m.args.len()) {
        // `[a, b].into_iter()`, evaluated where the items are.
        ("iter" | "into_iter", 0) if matches!(&*m.receiver, Expr::Array(a) if a.elems.iter().all(|e| effects::is_pure(e, &|_| false))) => {
            true
        }
        ("iter" | "into_iter", 0) | ("windows" | "chunks" | "chunks_exact", 1) if is_place(&m.receiver) => {
            true
        }
        // `x.to_le_bytes().into_iter()`
        ("into_iter", 0) => matches!(&*m.receiver, Expr::MethodCall(_)) && is_array_value(&m.receiver),
        (
            "map" | "filter" | "filter_map" | "flat_map" | "take_while" | "skip_while" | "map_while"
            | "inspect" | "zip" | "chain" | "skip" | "take",
            1,
        )
        | ("scan", 2)
        | ("enumerate", 0)
            if is_range(&m.receiver, named) =>
        {
            true
        }
        ("enumerate" | "rev" | "copied" | "cloned" | "cycle" | "flatten" | "fuse", 0)
        | (
            "skip" | "take" | "step_by" | "zip" | "chain" | "map" | "filter" | "filter_map" | "flat_map"
            | "take_while" | "skip_while" | "map_while" | "inspect",
            1,
        )
        | ("scan", 2) => is_iterator_or(&m.receiver, named),
        _ => false,
    }
}

/// `(a..b)`, `(a..b).rev()`, or a range's name.
fn is_range(e: &Expr, named: &dyn Fn(&Ident) -> bool) -> bool {
    match e {
        Expr::Paren(p) => matches!(&*p.expr, Expr::Range(_)),
        Expr::MethodCall(m) => m.method == "rev" && m.args.is_empty() && is_range(&m.receiver, named),
        Expr::Path(p) => p.path.get_ident().is_some_and(named),
        _ => false,
    }
}

/// The uses of a name where control surely comes.
struct Surely<'n>(NameUses<'n>);

impl<'ast> Visit<'ast> for Surely<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::If(i) => self.visit_expr(&i.cond),
            Expr::Match(m) => self.visit_expr(&m.expr),
            Expr::ForLoop(f) => self.visit_expr(&f.expr),
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) => {
                self.visit_expr(&b.left);
            }
            Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) | Expr::Block(_) => {}
            _ => syn::visit::visit_expr(self, e),
        }
    }
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.0.visit_ident(i);
    }
}

/// `let mut n = 0;`
fn is_number_let(s: &syn::Stmt) -> bool {
    fn is_number(e: &Expr) -> bool {
        match e {
            Expr::Lit(_) => true,
            Expr::Tuple(t) => t.elems.iter().all(is_number),
            _ => false,
        }
    }
    matches!(s, syn::Stmt::Local(l) if l.init.as_ref().is_some_and(|init| init.diverge.is_none() && is_number(&init.expr)))
}

/// Whether the making of an iterator may fail: it has checks of ranges, sizes or arithmetic.
fn may_fail(e: &Expr) -> bool {
    // (A step of zero and parts of no elements are refused where the iterator is made.)
    let safe = |m: &ExprMethodCall| {
        let name = m.method.to_string();
        let sized = ["step_by", "windows", "chunks", "chunks_exact"].contains(&name.as_str());
        if sized {
            return m.args.first().is_some_and(crate::iterate::loops::chain::positive);
        }
        ["cycle", "len", "iter", "into_iter"].contains(&name.as_str())
            || crate::iterate::is_adaptor(&name, m.args.len())
    };
    let mut found = false;
    search::walk(e, |e| {
        found |= match e {
            Expr::Index(_) | Expr::Binary(_) | Expr::Unary(_) | Expr::Macro(_) => true,
            Expr::Call(c) => crate::iterate::values::pipeline::of_std(c).is_none(),
            Expr::MethodCall(m) => !safe(m),
            _ => false,
        };
        // What closures do happens where the items are.
        !matches!(e, Expr::Closure(_))
    });
    found
}

/// Arrays of which an iterator has elements.
struct Borrowed(Vec<String>);

impl Borrowed {
    fn place(&mut self, e: &Expr) {
        match strip(e) {
            Expr::Path(p) => self.0.extend(p.path.get_ident().map(ToString::to_string)),
            Expr::Field(f) => self.place(&f.base),
            Expr::Index(x) => self.place(&x.expr),
            Expr::Unary(u) => self.place(&u.expr),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Borrowed {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::MethodCall(m) if is_iterator(e) && is_place(&m.receiver) => self.place(&m.receiver),
            Expr::Reference(r) if r.mutability.is_none() => self.place(&r.expr),
            _ => {}
        }
        syn::visit::visit_expr(self, e);
    }

    // What closures name is theirs to borrow or to copy.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

/// How the name of parts is used, and whether it is bound again.
struct PartsUses<'n> {
    name: &'n Ident,
    binds: bool,
    /// Uses by reference that stand in no loop: what goes through it.
    once: usize,
    /// `c.remainder()`
    left: usize,
    all: usize,
}

impl PartsUses<'_> {
    fn is_name(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if p.path.is_ident(self.name))
    }
}

impl<'ast> Visit<'ast> for PartsUses<'_> {
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.all += usize::from(i == self.name);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.all += usize::from(mentions(m.tokens.clone(), &self.name.to_string()));
    }
    fn visit_expr(&mut self, e: &'ast Expr) {
        let once = self.once;
        match e {
            Expr::MethodCall(m) if m.args.is_empty() && self.is_name(&m.receiver) => {
                self.left += usize::from(m.method == "remainder");
                // What is left over stays the same, however far it goes.
                self.once += usize::from(m.method == "by_ref");
            }
            Expr::ForLoop(f) => {
                self.visit_block(&f.body);
                self.once = once;
                self.once += usize::from(match &*f.expr {
                    Expr::Reference(r) => self.is_name(&r.expr),
                    _ => false,
                });
                self.visit_pat(&f.pat);
                self.visit_expr(&f.expr);
                return;
            }
            Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                syn::visit::visit_expr(self, e);
                self.once = once;
                return;
            }
            _ => {}
        }
        syn::visit::visit_expr(self, e);
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.binds |= p.ident == *self.name;
        syn::visit::visit_pat_ident(self, p);
    }
}

struct PutParts<'n> {
    name: &'n Ident,
    parts: &'n Expr,
    rest: &'n Expr,
}

impl PutParts<'_> {
    fn is_name(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Reference(r) => self.is_name(&r.expr),
            Expr::MethodCall(m) => {
                (m.method == "by_ref" || m.method == "clone")
                    && m.args.is_empty()
                    && matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(self.name))
            }
            Expr::Path(p) => p.path.is_ident(self.name),
            _ => false,
        }
    }
}

impl VisitMut for PutParts<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            // A method finds its receiver's reference by itself.
            Expr::MethodCall(m) if matches!(&*m.receiver, Expr::MethodCall(of) if of.method == "remainder" && of.args.is_empty() && self.is_name(&of.receiver)) =>
            {
                *m.receiver = behind(self.rest).clone();
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::MethodCall(m)
                if m.method == "remainder" && m.args.is_empty() && self.is_name(&m.receiver) =>
            {
                *e = self.rest.clone();
            }
            e if self.is_name(e) => *e = self.parts.clone(),
            e => syn::visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The names of a closure's parameters and their types, if these are names alone that the body gives to nothing else.
fn plain_params(c: &syn::ExprClosure) -> Option<Vec<(Ident, Option<syn::Type>)>> {
    let bound = Names::of_expr(&c.body).bound.iter().map(|p| p.ident.clone()).collect::<Vec<_>>();
    // (A field's short form is its name, too.)
    if !c.inputs.is_empty() && search::any(&*c.body, |e| matches!(e, Expr::Struct(_) | Expr::Macro(_))) {
        return None;
    }
    let name = |pat: &syn::Pat| {
        let (pat, ty) = match pat {
            syn::Pat::Type(t) => (&*t.pat, Some((*t.ty).clone())),
            pat => (pat, None),
        };
        let name = crate::iterate::loops::pattern::plain_name(pat)?;
        (!bound.contains(name)).then(|| (name.clone(), ty))
    };
    c.inputs.iter().map(name).collect()
}

/// `it(k)` of a closure that gives an iterator, with a number or a variable for each parameter.
struct PutCalled<'n> {
    name: &'n Ident,
    params: &'n [(Ident, Option<syn::Type>)],
    of: &'n Expr,
    /// What the iterator's closures bind.
    bound: Vec<Ident>,
    found: usize,
}

impl PutCalled<'_> {
    /// What stands for a parameter: a variable, or a number of its type.
    fn given(&self, arg: &Expr, ty: Option<&syn::Type>) -> Option<proc_macro2::TokenStream> {
        match (arg, ty) {
            (Expr::Lit(_), Some(ty)) => Some(quote_spanned!(arg.span()=> (#arg as #ty))),
            (Expr::Lit(l), None) => match &l.lit {
                syn::Lit::Int(n) if n.suffix().is_empty() => None,
                syn::Lit::Float(n) if n.suffix().is_empty() => None,
                lit => Some(lit.to_token_stream()),
            },
            (Expr::Path(p), _) => {
                let name = p.path.get_ident().filter(|name| !self.bound.contains(name))?;
                Some(name.to_token_stream())
            }
            _ => None,
        }
    }
}

impl VisitMut for PutCalled<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Call(c)
                if c.args.len() == self.params.len()
                    && matches!(&*c.func, Expr::Path(p) if p.path.is_ident(self.name)) =>
            {
                let args = self.params.iter().zip(&c.args);
                let args =
                    args.map(|((name, ty), arg)| Some((name.to_string(), self.given(arg, ty.as_ref())?)));
                // (Where one has no such form, the call stays, and the closure is no iterator's.)
                if let Some(args) = args.collect::<Option<_>>()
                    && let Ok(iterator) =
                        syn::parse2(crate::iterate::substituted(self.of.to_token_stream(), &args))
                {
                    *e = iterator;
                    self.found += 1;
                }
            }
            e => syn::visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a loop or a closure uses the name, but for what a `for` iterates.
fn repeats(code: &[syn::Stmt], name: &Ident) -> bool {
    let mut found = false;
    search::each(code, |e| {
        let mut inside = NameUses::of(name);
        match e {
            Expr::ForLoop(f) => inside.visit_block(&f.body),
            Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => inside.visit_expr(e),
            _ => {}
        }
        found |= inside.all > 0;
    });
    found
}

/// The number of loops over what is left of an iterator: `for v in it`, `for v in &mut it`.
fn loops_over(code: &[syn::Stmt], name: &Ident) -> usize {
    let mut found = 0;
    search::each(code, |e| {
        if let Expr::ForLoop(f) = e {
            let of = if let Expr::Reference(r) = &*f.expr { &*r.expr } else { &*f.expr };
            found += usize::from(matches!(of, Expr::Path(p) if p.path.is_ident(name)));
        }
    });
    found
}
