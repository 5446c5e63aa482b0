//! Named iterators. The iterators of `let it = x.iter().take(n);` and `let c = x.chunks_exact(n);` replace their names.
//! Those with several uses that move on are in [`super::moved_on`].
use crate::iterate::loops::chain::{is_array_value, is_place};
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::iterate::values::arrays::behind;
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{is_named, strip, strip_mut};
use crate::sema::syntax::names::{Names, bound};
use crate::sema::syntax::search;
use crate::visits;
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
            // One that moves on has to be used once, whatever the branches are.
            if moves_on && (uses.most > 1 || uses.next + uses.peek > 0 || repeats(rest, &name)) {
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
            let mut put = PutParts { name: &name, parts: &whole, rest: &whole, put: false };
            b.stmts[at + 1..end].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            next = at + numbers.len();
            b.stmts.splice(at..=at, numbers);
        }
    }

    /// Whether what a name is bound to takes the place of the name: a closure, or an iterator.
    pub(super) fn replaces_its_name(&self, l: &syn::Local) -> bool {
        l.init.as_ref().is_some_and(|init| match behind(&init.expr) {
            Expr::Closure(_) => true,
            e => is_iterator_or(e, &|name| self.names_range(name)) || self.moving_let(l).is_some(),
        })
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
            let mut put = PutParts { name: &name, parts: &parts, rest: &rest, put: false };
            b.stmts[at + 1..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.splice(at..=at, lets);
            at += 2;
        }
    }
}

/// Whether nothing that an iterator is made of changes in what comes after it.
pub(super) fn stays(made_of: &Expr, name: &Ident, rest: &[syn::Stmt]) -> bool {
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
    visits::change_into(&mut block, |e| {
        let is_other = matches!(
            e,
            Expr::Block(_)
                | Expr::Closure(_)
                | Expr::ForLoop(_)
                | Expr::If(_)
                | Expr::Loop(_)
                | Expr::Match(_)
                | Expr::Unsafe(_)
                | Expr::While(_)
        ) && !mentions(e.to_token_stream(), &name.to_string());
        if is_other {
            *e = made(quote::quote!(()));
        }
        !is_other
    });
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

/// How a name is used.
struct NameUses<'n> {
    name: &'n Ident,
    all: usize,
    /// At most: branches of which one alone runs count as one.
    most: usize,
    /// In `it.next()`.
    next: usize,
    /// In `it.peek()`.
    peek: usize,
    binds: bool,
}

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
        Self { name, all: 0, most: 0, next: 0, peek: 0, binds: false }
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
        syn::visit::visit_expr(self, e);
    }
    // Names of methods are no variables.
    fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
        self.visit_expr(&m.receiver);
        m.args.iter().for_each(|arg| self.visit_expr(arg));
    }
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.all += usize::from(i == self.name);
        self.most += usize::from(i == self.name);
    }
    fn visit_expr_if(&mut self, i: &'ast syn::ExprIf) {
        self.visit_expr(&i.cond);
        let before = self.most;
        self.visit_block(&i.then_branch);
        let then = std::mem::replace(&mut self.most, before);
        i.else_branch.iter().for_each(|(_, other)| self.visit_expr(other));
        self.most = self.most.max(then);
    }
    fn visit_expr_match(&mut self, m: &'ast syn::ExprMatch) {
        self.visit_expr(&m.expr);
        m.arms.iter().for_each(|arm| self.visit_pat(&arm.pat));
        let (before, mut most) = (self.most, self.most);
        for arm in &m.arms {
            self.visit_expr(&arm.body);
            most = most.max(std::mem::replace(&mut self.most, before));
        }
        self.most = most;
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.binds |= mentions(m.tokens.clone(), &self.name.to_string());
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.binds |= p.ident == *self.name;
        syn::visit::visit_pat_ident(self, p);
    }
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
        ("split" | "split_inclusive" | "chunk_by", 1) | ("splitn", 2) => {
            is_place(&m.receiver) && matches!(m.args.last(), Some(Expr::Closure(_)))
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

impl Surely<'_> {
    fn of_stmt(name: &Ident, s: &syn::Stmt) -> bool {
        let mut used = Surely(NameUses::of(name));
        used.visit_stmt(s);
        used.0.all > 0
    }

    /// Whether a branch uses the name before it does anything else.
    fn is_in_branch(&self, e: &Expr) -> bool {
        match e {
            Expr::Block(b) => b.block.stmts.first().is_some_and(|s| Self::of_stmt(self.0.name, s)),
            e => {
                let mut used = Surely(NameUses::of(self.0.name));
                used.visit_expr(e);
                used.0.all > 0
            }
        }
    }
}

impl<'ast> Visit<'ast> for Surely<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::If(i) => {
                self.visit_expr(&i.cond);
                if let (Some(then), Some((_, els))) = (i.then_branch.stmts.first(), &i.else_branch) {
                    let each = Self::of_stmt(self.0.name, then) && self.is_in_branch(els);
                    self.0.all += usize::from(each);
                }
            }
            Expr::Match(m) => {
                self.visit_expr(&m.expr);
                let each = !m.arms.is_empty() && m.arms.iter().all(|arm| self.is_in_branch(&arm.body));
                self.0.all += usize::from(each);
            }
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
pub(super) fn may_fail(e: &Expr) -> bool {
    // (A step of zero and parts of no elements are refused where the iterator is made.)
    let safe = |m: &ExprMethodCall| {
        let name = m.method.to_string();
        let sized = ["step_by", "windows", "chunks", "chunks_exact"].contains(&name.as_str());
        if sized {
            return m.args.first().is_some_and(crate::iterate::loops::chain::positive);
        }
        ["cycle", "len", "iter", "iter_mut", "into_iter"].contains(&name.as_str())
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

    // What a closure names it borrows, unless it takes copies.
    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        struct Named<'n>(&'n mut Vec<String>);
        impl<'ast> Visit<'ast> for Named<'_> {
            fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
                self.0.extend(p.path.get_ident().map(ToString::to_string));
            }
        }
        if c.capture.is_none() {
            Named(&mut self.0).visit_expr(&c.body);
        }
    }
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
            Expr::MethodCall(m) if m.args.is_empty() && is_named(&m.receiver, self.name) => {
                self.left += usize::from(m.method == "remainder");
                // What is left over stays the same, however far it goes.
                self.once += usize::from(m.method == "by_ref");
            }
            Expr::ForLoop(f) => {
                self.visit_block(&f.body);
                self.once = once;
                self.once += usize::from(match &*f.expr {
                    Expr::Reference(r) => is_named(&r.expr, self.name),
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
    /// Something was put.
    put: bool,
}

/// Puts parts that are bound before a loop in the place of their name; whether the loop has it.
pub(in crate::iterate) fn put_parts(f: &mut syn::ExprForLoop, name: &Ident, parts: &Expr) -> bool {
    let tokens = f.to_token_stream();
    // (What they leave over has no name here.)
    let (text, within) = (name.to_string(), crate::sema::syntax::names::bound_in(&f.body));
    if !mentions(tokens.clone(), &text) || within.contains(&text) || mentions(tokens, "remainder") {
        return false;
    }
    let mut puts = PutParts { name, parts, rest: parts, put: false };
    puts.visit_expr_for_loop_mut(f);
    puts.put
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
            e if self.is_name(e) => {
                *e = self.parts.clone();
                self.put = true;
            }
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
