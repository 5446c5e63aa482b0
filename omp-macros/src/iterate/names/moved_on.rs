//! Named iterators that move on: `let mut it = x.iter().filter(f);`, with several uses, each of which goes on behind the items that the
//! uses before it pulled.
//!
//! A variable counts the items that were pulled of the source, and each use becomes the chain from there on, which counts the items that it
//! pulls itself: `x.iter().skip(count).inspect(|_| count += 1).filter(f)`. Adaptors that keep something from item to item have a variable
//! each. A `next` of the elements of an array needs no chain: `x.get(count)`.
use super::iterators::stays;
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, made, parentheses};
use crate::iterate::values::arrays::behind;
use crate::iterate::values::pipeline::{is_adaptor, is_end, of_std};
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::is_named;
use crate::visits;
use proc_macro2::Ident;
use quote::{ToTokens, quote, quote_spanned};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Stmt};

/// `let mut it = …;`
pub(super) struct Moving {
    name: Ident,
    /// What is counted.
    base: Expr,
    /// What comes after it, the last one first.
    adaptors: Vec<ExprMethodCall>,
    peekable: bool,
}

/// What stands in the place of a name's uses.
struct Put<'n> {
    name: &'n Ident,
    /// The items that are left.
    items: Expr,
    next: Expr,
    /// What a `next` whose item is not used does.
    passed: Expr,
    /// The next item, which stays.
    peek: Option<Expr>,
    /// The items that are left, of a clone.
    clone: Option<Expr>,
}

impl Walk<'_> {
    /// Puts chains in the place of the names of iterators that move on.
    pub(in crate::iterate) fn moved_on(&mut self, b: &mut syn::Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                Stmt::Local(l) => self.moving_let(l),
                _ => None,
            };
            at += 1;
            let Some(moving) = found else { continue };
            let mut rest = b.stmts[at..].to_vec();
            if moving.peekable {
                visits::change(&mut rest[..], |e| next_if(e, &moving.name, self));
            }
            let mut uses = Uses::of(&moving.name);
            rest.iter().for_each(|s| uses.visit_stmt(s));
            if uses.binds || uses.all == 0 || uses.known != uses.all {
                continue;
            }
            // What is kept from item to item is right forwards alone.
            if uses.backwards && moving.adaptors.iter().any(keeps_state) {
                continue;
            }
            let (peeks, clones) = (uses.peek > 0, uses.clone > 0);
            let Some((mut lets, mut put)) = self.chain_from_here(&moving, &rest, peeks, clones) else {
                continue;
            };
            rest.iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.truncate(at - 1);
            at = b.stmts.len() + lets.len();
            b.stmts.append(&mut lets);
            b.stmts.append(&mut rest);
        }
    }

    /// The variables of an iterator, and what its uses become.
    fn chain_from_here<'n>(
        &mut self,
        moving: &'n Moving,
        rest: &[Stmt],
        peeks: bool,
        clones: bool,
    ) -> Option<(Vec<Stmt>, Put<'n>)> {
        let (name, span) = (&moving.name, moving.name.span());
        let mut base = moving.base.clone();
        let whole = moving.adaptors.iter().fold(quote!(#base), |all, m| quote!(#all, #m));
        if !stays(&made(quote!([#whole])), name, rest) {
            return None;
        }
        if matches!(base, Expr::Call(_)) {
            return Some(self.generator_from_here(moving, base, Vec::new(), peeks)).filter(|_| !clones);
        }
        if let Some((lets, cut)) = self.cut_from_here(&base) {
            return Some(self.generator_from_here(moving, cut, lets, false)).filter(|_| !clones && !peeks);
        }
        let count = self.fresh("count", span);
        let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let mut lets: Vec<Stmt> = Vec::new();
        if !self.keep_base(&mut base, &mut lets) || super::iterators::may_fail(&base) {
            return None;
        }
        if lets.is_empty()
            && let Some(array) = elements(&base)
        {
            let (all, array) = (self.fresh("all", span), behind(array));
            lets.push(syn::parse_quote_spanned!(span=> let #all = &#array[..];));
            base = made(quote_spanned!(span=> #all.iter()));
        }
        lets.push(syn::parse_quote_spanned!(span=> let mut #count: #usize_ = 0;));
        let left = made(quote_spanned!(span=> #base.skip(#count)));
        let mut items = made(quote_spanned!(span=> #left.inspect(|_| #count += 1)));
        // Without state and effects, the items can be looked at without pulling them.
        let mut shown = Some(left);
        for m in moving.adaptors.iter().rev() {
            shown = shown.filter(|_| !m.args.iter().any(|arg| self.has_effects(arg)));
            if let Some((with_state, looked_at)) = self.with_state(m, (&items, shown.as_ref()), &mut lets) {
                (items, shown) = (with_state, looked_at);
            } else {
                let after = |receiver: Expr| {
                    Expr::MethodCall(ExprMethodCall { receiver: Box::new(receiver), ..m.clone() })
                };
                (items, shown) = (after(items), shown.map(after));
            }
        }
        let mut put = Put {
            name,
            next: made(quote_spanned!(span=> #items.next())),
            passed: made(quote_spanned!(span=> #items.next().is_some())),
            peek: shown.as_ref().map(|shown| made(quote_spanned!(span=> #shown.next().as_ref()))),
            items,
            clone: shown,
        };
        if let Some(all) = elements(&base)
            && moving.adaptors.iter().all(copies)
        {
            let copied = moving.adaptors.first().map(|m| {
                let method = &m.method;
                quote_spanned!(span=> .#method())
            });
            put.next = made(quote_spanned!(span=> #all.get({ #count += 1; #count - 1 })#copied));
            put.passed = made(quote_spanned!(span=> #count += 1));
            // What `peek` gives of references is a reference to one.
            let outer = copied.is_none().then(|| quote_spanned!(span=> .as_ref()));
            put.peek = Some(made(quote_spanned!(span=> #all.get(#count)#outer)));
        }
        (!(peeks && put.peek.is_none() || clones && put.clone.is_none())).then_some((lets, put))
    }

    /// The same of `std::iter::from_fn(f)`, which moves on by itself, and of `x.split(f)`. What `peek` shows is kept.
    fn generator_from_here<'n>(
        &mut self,
        moving: &'n Moving,
        mut items: Expr,
        mut lets: Vec<Stmt>,
        peeks: bool,
    ) -> (Vec<Stmt>, Put<'n>) {
        let (name, span) = (&moving.name, moving.name.span());
        for m in moving.adaptors.iter().rev() {
            let with_state = self.with_state(m, (&items, None), &mut lets).map(|(items, _)| items);
            items = with_state.unwrap_or_else(|| {
                Expr::MethodCall(ExprMethodCall { receiver: Box::new(items.clone()), ..m.clone() })
            });
        }
        let mut peek = None;
        if peeks {
            let [kept, shown] = ["kept", "shown"].map(|name| self.fresh(name, span));
            let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
            lets.push(syn::parse_quote_spanned!(span=> let mut #kept = false;));
            lets.push(syn::parse_quote_spanned!(span=> let mut #shown: #option<_> = #option::None;));
            peek = Some(made(quote_spanned!(span=> ::omp::__private::core::iter::from_fn(|| {
                if !#kept { #shown = #items.next(); #kept = true; }
                #shown
            }).next().as_ref())));
            items = made(quote_spanned!(span=> ::omp::__private::core::iter::from_fn(
                || if #kept { #kept = false; #shown.take() } else { #items.next() }
            )));
        }
        let put = Put {
            name,
            next: made(quote_spanned!(span=> #items.next())),
            passed: made(quote_spanned!(span=> #items.next().is_some())),
            peek,
            items,
            clone: None,
        };
        (lets, put)
    }

    /// `let mut it = …;`: a chain that is counted, and the adaptors after it.
    pub(super) fn moving_let(&self, l: &syn::Local) -> Option<Moving> {
        let syn::Pat::Ident(p) = &l.pat else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        if p.mutability.is_none() || p.by_ref.is_some() || p.subpat.is_some() {
            return None;
        }
        let (mut e, mut adaptors) = (&*init.expr, Vec::new());
        let peekable = match e {
            Expr::MethodCall(m) if m.method == "peekable" && m.args.is_empty() => {
                e = &m.receiver;
                true
            }
            _ => false,
        };
        while !self.is_native(e) {
            let m = match e {
                Expr::MethodCall(m) if self.cuts_slice(m) => break,
                Expr::MethodCall(m) => m,
                Expr::Call(c) if moves_by_itself(c) => break,
                _ => return None,
            };
            match (m.method.to_string().as_str(), m.args.len()) {
                (
                    "map" | "filter" | "filter_map" | "inspect" | "map_while" | "take_while" | "skip_while"
                    | "skip" | "take" | "step_by",
                    1,
                )
                | ("copied" | "cloned" | "enumerate", 0)
                | ("scan", 2) => {}
                _ => return None,
            }
            adaptors.push(m.clone());
            e = &m.receiver;
        }
        // (`x.iter().copied()` is native, too; apart, its `next` is an element.)
        while let Expr::MethodCall(m) = e
            && copies(m)
            && self.is_native(&m.receiver)
        {
            adaptors.push(m.clone());
            e = &m.receiver;
        }
        matches!(e, Expr::MethodCall(_) | Expr::Paren(_) | Expr::Call(_)).then(|| Moving {
            name: p.ident.clone(),
            base: e.clone(),
            adaptors,
            peekable,
        })
    }

    /// An adaptor that keeps something from item to item, with a variable for it; and what shows the items without pulling them, for those
    /// adaptors that can be looked through.
    fn with_state(
        &mut self,
        m: &ExprMethodCall,
        (items, shown): (&Expr, Option<&Expr>),
        lets: &mut Vec<Stmt>,
    ) -> Option<(Expr, Option<Expr>)> {
        let (span, name) = (m.method.span(), m.method.to_string());
        let [state, item] = ["state", "item"].map(|name| self.fresh(name, span));
        let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let mut begins = |init: proc_macro2::TokenStream| {
            lets.push(syn::parse_quote_spanned!(span=> #init));
        };
        let mut looked_at = None;
        let with_state = match (name.as_str(), m.args.first()) {
            ("scan", Some(init)) => {
                begins(quote_spanned!(span=> let mut #state = #init;));
                let next = call(
                    &m.args[1],
                    &[quote_spanned!(span=> &mut #state), quote_spanned!(span=> #item)],
                    span,
                );
                quote_spanned!(span=> #items.map_while(|#item| #next))
            }
            ("enumerate", None) => {
                begins(quote_spanned!(span=> let mut #state = 0usize;));
                quote_spanned!(span=> #items.enumerate(#state))
            }
            ("skip", Some(n)) => {
                begins(quote_spanned!(span=> let mut #state: #usize_ = #n;));
                looked_at = shown.map(|shown| quote_spanned!(span=> #shown.skip(#state)));
                quote_spanned!(span=> #items.filter(|_| #state == 0 || { #state -= 1; false }))
            }
            // What ends the items must not pull further ones.
            ("take", Some(n)) => {
                begins(quote_spanned!(span=> let mut #state: #usize_ = #n;));
                looked_at = shown.map(|shown| quote_spanned!(span=> #shown.take(#state)));
                quote_spanned!(span=> #items.take(#state).inspect(|_| #state -= 1))
            }
            ("take_while", Some(f)) => {
                begins(quote_spanned!(span=> let mut #state = #usize_::MAX;));
                let cond = parentheses(call(f, &[item.to_token_stream()], span).into_token_stream());
                looked_at = shown.map(|shown| quote_spanned!(span=> #shown.take(#state).take_while(#f)));
                quote_spanned!(span=> #items.take(#state).take_while(|#item| #cond || { #state = 0; false }))
            }
            ("step_by", Some(n)) => {
                let step = self.fresh("step", span);
                begins(quote_spanned!(span=> let #step: #usize_ = #n;));
                begins(quote_spanned!(span=> ::omp::__private::core::assert!(#step != 0);));
                begins(quote_spanned!(span=> let mut #state: #usize_ = 0;));
                looked_at = shown.map(|shown| quote_spanned!(span=> #shown.skip(#state).step_by(#step)));
                quote_spanned!(span=> #items.filter(|_| if #state == 0 { #state = #step - 1; true } else { #state -= 1; false }))
            }
            ("skip_while", Some(f)) => {
                begins(quote_spanned!(span=> let mut #state = false;));
                let cond = call(f, &[item.to_token_stream()], span);
                quote_spanned!(span=> #items.filter(|#item| { if !#state { #state = !#cond; } #state }))
            }
            _ => return None,
        };
        Some((made(with_state), looked_at.map(made)))
    }
}

/// `std::iter::from_fn(|| …)`, which captures by reference.
fn moves_by_itself(c: &syn::ExprCall) -> bool {
    of_std(c) == Some("from_fn") && matches!(c.args.first(), Some(Expr::Closure(f)) if f.capture.is_none())
}

/// `copied`, `cloned`
fn copies(m: &ExprMethodCall) -> bool {
    m.args.is_empty() && (m.method == "copied" || m.method == "cloned")
}

/// The array whose elements are counted: `x.iter()`.
fn elements(base: &Expr) -> Option<&Expr> {
    match base {
        Expr::MethodCall(m) if m.method == "iter" && m.args.is_empty() && is_place(&m.receiver) => {
            Some(&m.receiver)
        }
        _ => None,
    }
}

/// How the name of an iterator is used.
struct Uses<'n> {
    name: &'n Ident,
    all: usize,
    /// Uses for which there is a rule.
    known: usize,
    peek: usize,
    clone: usize,
    /// Items are taken from the end.
    backwards: bool,
    binds: bool,
}

impl<'n> Uses<'n> {
    fn of(name: &'n Ident) -> Self {
        Self { name, all: 0, known: 0, peek: 0, clone: 0, backwards: false, binds: false }
    }
}

/// Whether an expression is the name, or `it.by_ref()` and `&mut it`.
fn is_rest(e: &Expr, name: &Ident) -> bool {
    match e {
        Expr::Reference(r) => r.mutability.is_some() && is_named(&r.expr, name),
        e => is_named(e, name) || method_of(e, name).is_some_and(|m| m == "by_ref"),
    }
}

/// The method without arguments that is called of the name.
fn method_of<'e>(e: &'e Expr, name: &Ident) -> Option<&'e Ident> {
    match e {
        Expr::MethodCall(m) if m.args.is_empty() && is_named(&m.receiver, name) => Some(&m.method),
        _ => None,
    }
}

/// Whether a chain pulls items of `it.by_ref()` as std's does: others may pull one more, or begin at the end.
fn pulls_as_std(m: &ExprMethodCall, name: &Ident) -> bool {
    const OTHERS: [&str; 8] = ["zip", "chain", "rev", "flat_map", "flatten", "cycle", "rposition", "rfold"];
    let method = m.method.to_string();
    let known = is_adaptor(&method, m.args.len()) || is_end(m);
    known
        && match &*m.receiver {
            e if is_named(e, name) => true,
            e if is_rest(e, name) => !OTHERS.contains(&&*method),
            Expr::MethodCall(of) => !OTHERS.contains(&&*method) && pulls_as_std(of, name),
            _ => false,
        }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some(method) = method_of(e, self.name) {
            let (peek, clone) = (usize::from(method == "peek"), usize::from(method == "clone"));
            self.peek += peek;
            self.clone += clone;
            self.known += peek + clone;
        }
        if let Expr::MethodCall(m) = e
            && ["rev", "rfold", "rposition"].iter().any(|name| m.method == name)
        {
            self.backwards |= begins_with(&m.receiver, self.name);
        }
        match e {
            Expr::MethodCall(m) if is_named(&m.receiver, self.name) => {
                self.known += usize::from(is_adaptor(&m.method.to_string(), m.args.len()) || is_end(m));
            }
            Expr::MethodCall(m) => {
                // `it.by_ref().take(n).…`
                self.known += usize::from(is_rest(&m.receiver, self.name) && pulls_as_std(m, self.name));
                if !is_rest(&m.receiver, self.name)
                    && !pulls_as_std(m, self.name)
                    && from_rest(&m.receiver, self.name)
                {
                    self.binds = true;
                }
                if m.method == "zip" || m.method == "chain" {
                    self.known += m.args.iter().filter(|arg| is_named(arg, self.name)).count();
                }
            }
            Expr::ForLoop(f) => self.known += usize::from(is_rest(&f.expr, self.name)),
            _ => {}
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

/// Whether a chain of methods begins with the name.
fn begins_with(e: &Expr, name: &Ident) -> bool {
    match e {
        Expr::MethodCall(m) => begins_with(&m.receiver, name),
        Expr::Reference(r) => begins_with(&r.expr, name),
        Expr::Paren(p) => begins_with(&p.expr, name),
        e => is_named(e, name),
    }
}

/// Whether an adaptor has a variable of its own (`Walk::with_state`).
fn keeps_state(m: &ExprMethodCall) -> bool {
    const KEEP: [&str; 7] = ["scan", "enumerate", "skip", "take", "take_while", "step_by", "skip_while"];
    KEEP.iter().any(|name| m.method == name)
}

/// Whether a chain goes on from `it.by_ref()` by adaptors.
fn from_rest(e: &Expr, name: &Ident) -> bool {
    match e {
        e if is_rest(e, name) => !is_named(e, name),
        Expr::MethodCall(m) => {
            is_adaptor(&m.method.to_string(), m.args.len()) && from_rest(&m.receiver, name)
        }
        _ => false,
    }
}

impl VisitMut for Put<'_> {
    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        match s {
            Stmt::Expr(e, Some(_)) if method_of(e, self.name).is_some_and(|m| m == "next") => {
                *e = self.passed.clone();
                return;
            }
            // An item that is not used.
            Stmt::Expr(e @ Expr::MethodCall(_), Some(_)) if matches!(&*e, Expr::MethodCall(m) if m.method == "nth" && is_rest(&m.receiver, self.name)) =>
            {
                *e = made(quote_spanned!(self.name.span()=> #e.is_some()));
            }
            _ => {}
        }
        syn::visit_mut::visit_stmt_mut(self, s);
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let method = method_of(e, self.name).map(ToString::to_string);
        match (method.as_deref(), &self.peek, &self.clone) {
            (Some("next"), ..) => *e = self.next.clone(),
            (Some("peek"), Some(peek), _) => *e = peek.clone(),
            (Some("clone"), _, Some(clone)) => *e = clone.clone(),
            _ if is_rest(e, self.name) => *e = self.items.clone(),
            _ => syn::visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `it.next_if(f)` and `it.next_if_eq(&v)`: the next item, if what `peek` shows is one of these.
fn next_if(e: &mut Expr, name: &Ident, walk: &mut Walk<'_>) {
    let Expr::MethodCall(m) = e else { return };
    let (true, Some(arg)) = (is_named(&m.receiver, name) && m.args.len() == 1, m.args.first()) else {
        return;
    };
    let (it, span) = (&m.receiver, m.method.span());
    let condition = if m.method == "next_if" {
        arg.to_token_stream()
    } else if m.method == "next_if_eq" {
        let shown = walk.fresh("shown", span);
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
