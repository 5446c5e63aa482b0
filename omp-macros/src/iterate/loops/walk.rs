//! The body of a loop over iterators: replaces the names of items.
//!
//! Names are resolved as in Rust, by lexical scope. `*v`, `v.x`, `v[j]` and the receiver in `v.f()` become the
//! element's place; `v` alone becomes a reference to it. If a variable of the body would shadow an array whose elements
//! are still named, it is renamed.
mod scopes;
mod visit;

use super::chain::{self, Chain, Item, IteratedBy, Kinds, Section};
use super::code_sinking;
use super::items::{names_array, section_checks, statement, value};
use super::loop_invariant::LoopInvariant;
use super::numbered::Numbered;
use super::pattern::{self, Bound};
use crate::diag::Sink;
use crate::iterate::tokens::{changed, hidden, made, moved_expr, parentheses};
use crate::iterate::values::closure::Closure;
use crate::iterate::values::option::Shape;
use crate::parse::tokens::format_text;
use crate::parse::tokens::leaves::{idents, mentions};
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::Names;
use proc_macro2::Span;
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprForLoop, Ident, Pat, Stmt, Token};

/// The meaning of a name.
#[allow(clippy::large_enum_variant)] // there is one for each name in scope
pub(in crate::iterate) enum Meaning {
    /// A variable: whether it keeps its value, and how it is iterated by its name alone.
    Itself(bool, Option<IteratedBy>),
    /// A range, of whose ends these are the variables.
    Range { lo: Ident, hi: Ident, inclusive: bool },
    /// A variable under another name.
    Renamed(Ident),
    /// An item of a loop.
    Item(Item),
    /// A closure.
    Closure(Rc<Closure>),
}

/// The walk over a body.
pub struct Walk<'s> {
    sink: &'s mut Sink,
    /// The meanings of names, innermost last.
    pub(in crate::iterate) scopes: Vec<HashMap<String, Meaning>>,
    /// Which variables from outside keep their value.
    pub(in crate::iterate) fixed: &'s dyn Fn(&str) -> bool,
    /// Those that change: `mut` parameters, private variables, reduction items.
    pub(in crate::iterate) changing: Vec<String>,
    /// How variables from outside are iterated.
    pub(in crate::iterate) kinds: Kinds<'s>,
    /// Ranges from outside that the body names.
    pub(in crate::iterate) ranges: Vec<Ident>,
    /// Type checks of ranges, before the statement that uses them.
    pub(in crate::iterate) asked: Vec<Stmt>,
    /// Expressions that are evaluated before the nest.
    pub(in crate::iterate) invariant: LoopInvariant,
    /// How often closures are called, by the names of what unifies the calls' types.
    pub(in crate::iterate) called: HashMap<String, usize>,
    /// The variables for numbers of closures before the region.
    pub(in crate::iterate) outer_numbers: Vec<Stmt>,
    /// In a device function: `?` leaves it.
    pub(in crate::iterate) device_fn: bool,
    /// The function returns a `Result`.
    pub(in crate::iterate) gives_result: bool,
    /// The loop is one of the parallel ones.
    outermost: bool,
    /// The expression that comes next is a statement.
    pub(in crate::iterate) is_statement: bool,
    /// The closure that is called next gives nothing that is used.
    pub(in crate::iterate) calls_statement: bool,
    /// The contents of the options of references that are being taken apart.
    pub(in crate::iterate) found_items: Vec<Option<Shape>>,
    /// The contents of the variables that stand for options of references.
    pub(in crate::iterate) option_shapes: HashMap<String, Shape>,
    /// Whether what ends the chain that is read takes one item after the other.
    pub(in crate::iterate) pulls: bool,
    /// The names that may be a `&mut` of a value.
    pub(in crate::iterate) mutable_references: HashSet<String>,
    /// The slices that names of the macro's own stand for.
    pub(in crate::iterate) slices: HashMap<String, Expr>,
    /// Which variables from outside are arrays.
    pub(in crate::iterate) arrays: &'s dyn Fn(&str) -> bool,
    /// Which arrays have elements of a type with a name, whose methods are its own.
    pub(in crate::iterate) named: &'s dyn Fn(&str) -> bool,
    /// Which variables from outside are of a type with a name.
    pub(in crate::iterate) structs: &'s dyn Fn(&str) -> bool,
    /// The types of the elements of a device function's parameters.
    pub(in crate::iterate) elements: HashMap<String, syn::Type>,
    /// Names made so far.
    made: usize,
}

impl<'s> Walk<'s> {
    /// `fixed`: which variables from outside keep their value.
    pub fn new(fixed: &'s dyn Fn(&str) -> bool, kinds: Kinds<'s>, sink: &'s mut Sink) -> Self {
        Self {
            sink,
            scopes: vec![HashMap::new()],
            fixed,
            changing: Vec::new(),
            kinds,
            ranges: Vec::new(),
            asked: Vec::new(),
            invariant: LoopInvariant::default(),
            called: HashMap::new(),
            outer_numbers: Vec::new(),
            device_fn: false,
            gives_result: false,
            outermost: false,
            is_statement: false,
            calls_statement: false,
            found_items: Vec::new(),
            option_shapes: HashMap::new(),
            slices: HashMap::new(),
            pulls: false,
            mutable_references: HashSet::new(),
            arrays: &|_| false,
            named: &|_| false,
            structs: &|_| false,
            elements: HashMap::new(),
            made: 0,
        }
    }

    /// The body of a function.
    pub fn function(&mut self, body: &mut Block) {
        self.device_fn = true;
        self.visit_block_mut(body);
        crate::iterate::values::closure::unify(body, &self.called);
    }

    pub(in crate::iterate) fn sink(&mut self) -> &mut Sink {
        self.sink
    }

    /// A parallel nest; what the outermost loop evaluates once, and what it iterates then.
    pub fn parallel(&mut self, f: &mut ExprForLoop, collapse: u32) -> (Vec<Stmt>, Option<Expr>) {
        self.outermost = true;
        let mut before = self.copied_ranges(&mut f.expr);
        let mut around = pattern::names(&f.pat);
        let mut body = &mut f.body;
        for _ in 1..collapse {
            let [Stmt::Expr(Expr::ForLoop(inner), _)] = &mut body.stmts[..] else { break };
            // What the outer loops don't bind is the same in all of their iterations.
            let text = inner.expr.to_token_stream();
            if !around.iter().any(|name| mentions(text.clone(), &name.to_string())) {
                before.extend(self.collapsed_range(inner));
            }
            around.extend(pattern::names(&inner.pat));
            body = &mut inner.body;
        }
        let (stmts, iterated) = self.parallel_nest(f, collapse);
        before.extend(stmts);
        (before, iterated)
    }

    fn parallel_nest(&mut self, f: &mut ExprForLoop, collapse: u32) -> (Vec<Stmt>, Option<Expr>) {
        if let Some(ends) = self.called_range(f) {
            self.counted(f, collapse);
            return (ends, None);
        }
        through_references(f);
        // The serial copy keeps the adaptors.
        let whole = (*f.expr).clone();
        let whole = self.adapted_head(f).then_some(whole);
        self.visit_expr_mut(&mut f.expr);
        if !self.is_chain(&f.expr) {
            self.counted(f, collapse);
            return (vec![], whole);
        }
        let mut iterated = (*f.expr).clone();
        let (read, mut kept) = self.read(&mut iterated, false);
        let Some(chain) = read else { return (vec![], None) };
        for Section { place, from, to, last } in chain.sections() {
            let span = place.span();
            let end = last.map_or_else(|| quote!(..#to), |last| quote!(..=#last));
            kept.push(statement(quote_spanned!(span=> let _ = &#place[#from #end];)));
        }
        if self.replace(f, &chain, (collapse, false)).is_none() {
            return (vec![], None);
        }
        (kept, Some(whole.unwrap_or(iterated)))
    }

    /// A loop inside of which `collapse - 1` more are parallel.
    fn inner(&mut self, f: &mut ExprForLoop, collapse: u32) {
        crate::iterate::names::ranges::reduce(&mut f.expr);
        through_references(f);
        self.visit_expr_mut(&mut f.expr);
        if !self.is_chain(&f.expr) {
            return self.counted(f, collapse);
        }
        // Between collapsed loops nothing can stand: what is iterated is evaluated where it is needed.
        let span = f.expr.span();
        let read = {
            let (scopes, outside) = (&self.scopes, self.kinds);
            let kinds = |name: &Ident| known(scopes, outside, name);
            chain::read(&mut f.expr, &kinds, &mut |_| {}, self.sink)
        };
        if let Some(mut chain) = read {
            chain.measure_nested(span);
            self.replace(f, &chain, (collapse, true));
            self.ask_before(f, &mut Vec::new());
        }
    }

    /// The loops inside of a counted one, and its body.
    fn counted(&mut self, f: &mut ExprForLoop, collapse: u32) {
        if self.outermost {
            self.hides_captured(&f.pat);
        }
        self.scopes.push(HashMap::new());
        self.declare(&mut f.pat);
        self.body(f, collapse);
        self.scopes.pop();
    }

    fn body(&mut self, f: &mut ExprForLoop, collapse: u32) {
        match f.body.stmts.as_mut_slice() {
            [Stmt::Expr(Expr::ForLoop(inner), _)] if collapse > 1 => self.inner(inner, collapse - 1),
            _ => {
                self.outermost = false;
                self.visit_block_mut(&mut f.body);
            }
        }
    }

    /// A parallel loop's variable has its own name, also where a closure names another of it.
    fn hides_captured(&mut self, pat: &Pat) {
        for name in pattern::names(pat) {
            let text = name.to_string();
            let captured = self.scopes.iter().flat_map(HashMap::values);
            let captured = captured.filter(|m| matches!(m, Meaning::Closure(c) if c.names(&text)));
            if captured.count() > 0 {
                self.sink
                    .error(
                        crate::diag::Code::Closure,
                        name.span(),
                        format!("the loop variable `{name}` hides the `{name}` that a closure captures"),
                    )
                    .help("give one of them another name");
            }
        }
    }

    /// Records the slice of an array that a name of the macro's own is bound to.
    pub(in crate::iterate) fn names_slice(&mut self, pat: &Pat, value: &Expr) {
        let Some(name) = pattern::plain_name(pat).filter(|name| name.to_string().starts_with("__omp_"))
        else {
            return;
        };
        let slice = match value {
            Expr::Path(p) => p.path.get_ident().and_then(|of| self.slices.get(&of.to_string())).cloned(),
            value => crate::iterate::values::option::part(value).map(|_| value.clone()),
        };
        if let Some(slice) = slice {
            self.slices.insert(name.to_string(), slice);
        }
    }

    /// Makes a loop over a chain a counted one; `inside`: of one that is not the outermost.
    fn replace(&mut self, f: &mut ExprForLoop, chain: &Chain, (collapse, inside): (u32, bool)) -> Option<()> {
        let span = f.expr.span();
        // Backwards from the outside: the loop itself goes backwards.
        let (chain, back) = match chain {
            Chain::Rev(inner) => (&**inner, true),
            other => (other, false),
        };
        let mut var = self.fresh("at", f.pat.span());
        let (len, steps, mut chain, mut open) =
            (chain.len(span), chain.steps(span), chain.clone(), Vec::new());
        chain.take_open(&made(var.to_token_stream()), None, &mut |value| {
            let (name, then) = (self.fresh("open", value.lo.span()), self.fresh("then", value.lo.span()));
            open.extend(value.named(&name, &then).into_iter().map(statement));
            made(name.into_token_stream())
        });
        // A loop of a body ends by `break`, or where the next value of the range would overflow.
        let endless = || (inside && !open.is_empty()).then(|| steps.unwrap_or_else(|| chain::all(span)));
        let Some(len) = len.or_else(endless) else {
            self.sink
                .error_at(crate::diag::Code::NotCanonical, &f.expr, "a loop without a last iteration")
                .help("give the range an end, or `.zip(…)` it with something that ends");
            return None;
        };
        let chain = &chain;
        let numbered = Numbered::of(chain).filter(|_| inside);
        let item = |var: &Ident| match &numbered {
            Some(own) => Some(own.item(var, span)),
            None => chain.item(&made(var.to_token_stream()), span),
        };
        let mut bound = self.bound(&f.pat, item(&var))?;
        let own = bound.lets.iter().position(|(pat, value)| {
            matches!(value, Expr::Path(p) if p.path.is_ident(&var)) && pattern::plain_name(pat).is_some()
        });
        if let Some(name) = own.and_then(|n| pattern::plain_name(&bound.lets[n].0)).cloned() {
            // `enumerate` gives the variable its name.
            let text = name.to_string();
            let taken = !open.is_empty()
                || self.hides(&text)
                || bound.items.iter().any(|(_, item)| names_array(item, &text))
                || bound.lets.iter().any(|(_, value)| mentions(value.to_token_stream(), &text));
            if !taken {
                (var, bound) = (name.clone(), self.bound(&f.pat, item(&name))?);
                // Another name for the same number, of a second `enumerate`, stays.
                bound.lets.retain(|(pat, _)| pattern::plain_name(pat) != Some(&var));
            }
        }
        *f.expr = if let Some(own) = &numbered {
            own.head(back, span)
        } else if back {
            let len = chain::bare(len);
            let all = parentheses(quote_spanned!(span=> 0..#len));
            made(quote_spanned!(span=> #all.rev()))
        } else {
            let len = chain::bare(len);
            made(quote_spanned!(span=> 0..#len))
        };
        *f.pat = Pat::Ident(syn::PatIdent {
            attrs: vec![],
            by_ref: None,
            mutability: None,
            ident: var.clone(),
            subpat: None,
        });
        let mut scope: HashMap<_, _> = HashMap::from([(var.to_string(), Meaning::Itself(true, None))]);
        for (name, item) in bound.items {
            scope.insert(name.to_string(), Meaning::Item(item));
        }
        self.scopes.push(scope);
        let mut lets = bound.lets;
        for (pat, value) in &mut lets {
            self.names_slice(pat, value);
            self.declare(pat);
            self.has_kind(pat, value);
        }
        self.body(f, collapse);
        self.scopes.pop();
        if let Some((name, element, depth)) = code_sinking::read_in_head(f, collapse, &lets) {
            if element {
                crate::sema::loops::bounds::element(name, depth, self.sink);
            } else {
                self.sink
                    .error_at(crate::diag::Code::BoundNotAffine, &name, format!("under `collapse`, a bound may depend on the number of an item, but `{name}` is the value of a range that is zipped with the items"))
                    .help(format!("number the items, `for (i, v) in x.iter().enumerate()`, or leave the inner loop out: write `collapse({depth})`"));
            }
            return None;
        }
        let block = if open.is_empty() { code_sinking::block_of(f, collapse, &lets) } else { &mut f.body };
        for (name, _) in consts(block) {
            let text = name.to_string();
            if lets.iter().any(|(_, value)| mentions(value.to_token_stream(), &text)) {
                self.hides_array(name);
            }
        }
        let head = pattern::declared(lets);
        block.stmts.splice(0..0, open.into_iter().chain(head));
        Some(())
    }

    /// A loop's pattern against its item.
    fn bound(&mut self, pat: &Pat, item: Option<Item>) -> Option<Bound> {
        let Some(item) = item else {
            self.sink
                .error_at(crate::diag::Code::NotCanonical, pat, "the items of this loop can't be counted")
                .help("`.copied()` stands on `.iter()`, `.rev()` on what has an end");
            return None;
        };
        let mut bound = Bound::default();
        pattern::bind(pat, item, &mut bound, self.sink)?;
        Some(bound)
    }

    /// `for c in 1.. { … }`, as a `loop` with a variable; not yet walked through. As in `RangeFrom`, the next value is made before the body runs.
    fn without_end(&mut self, f: &ExprForLoop) -> Option<Expr> {
        let head = if let Expr::Paren(p) = &*f.expr { &*p.expr } else { &*f.expr };
        let Expr::Range(syn::ExprRange {
            start: Some(start),
            end: None,
            limits: syn::RangeLimits::HalfOpen(_),
            ..
        }) = head
        else {
            return None;
        };
        let (span, label, pat, stmts) = (f.expr.span(), &f.label, &f.pat, &f.body.stmts);
        let next = self.fresh("next", span);
        Some(made(quote_spanned!(span=> {
            let mut #next = #start;
            #label loop {
                let #pat = #next;
                #next += 1;
                #(#stmts)*
            }
        })))
    }

    /// Functions that are declared in the body are its closures that capture nothing; not yet walked through. One that is generic, or
    /// calls itself,
    /// stays an item, and so does one of which a name means a variable here.
    fn functions_inside(&mut self, b: &mut Block) {
        let is_closure = |f: &syn::ItemFn| {
            let sig = &f.sig;
            let plain = sig.generics.params.is_empty()
                && sig.generics.where_clause.is_none()
                && sig.asyncness.is_none()
                && matches!(sig.safety, syn::Safety::Default)
                && sig.abi.is_none()
                && f.attrs.iter().all(|a| {
                    ["inline", "allow", "expect", "doc", "must_use"].iter().any(|n| a.path().is_ident(n))
                });
            let params: Vec<&Pat> = sig
                .inputs
                .iter()
                .filter_map(|input| match input {
                    syn::FnArg::Typed(arg) => Some(&*arg.pat),
                    syn::FnArg::Receiver(_) => None,
                })
                .collect();
            let mut bound = Names::default();
            params.iter().for_each(|pat| bound.visit_pat(pat));
            bound.visit_block(&f.block);
            let own = |name: &Ident| bound.bound.iter().any(|p| p.ident == *name);
            plain
                && !mentions(f.block.to_token_stream(), &sig.ident.to_string())
                && idents(f.block.to_token_stream()).all(|name| own(&name) || self.meaning(&name).is_none())
        };
        let stmts = std::mem::take(&mut b.stmts);
        let (mut functions, mut others) = (Vec::new(), Vec::new());
        for s in stmts {
            let function = match &s {
                Stmt::Item(syn::Item::Fn(f)) => Some(f.clone()),
                Stmt::Item(item) => syn::parse2(item.to_token_stream()).ok(),
                _ => None,
            };
            let Some(f) = function.filter(&is_closure) else {
                others.push(s);
                continue;
            };
            let (name, inputs, block) = (&f.sig.ident, &f.sig.inputs, &f.block);
            let output = match &f.sig.output {
                syn::ReturnType::Default => quote!(-> ()),
                output @ syn::ReturnType::Type(..) => output.to_token_stream(),
            };
            functions.push(syn::parse_quote_spanned!(name.span()=> let #name = |#inputs| #output #block;));
        }
        b.stmts = functions.into_iter().chain(others).collect();
    }

    /// A sequential loop in a body: the statements that stand before it.
    fn sequential(&mut self, f: &mut ExprForLoop) -> Option<Vec<Stmt>> {
        through_references(f);
        let (chain, mut kept) = self.read(&mut f.expr, true);
        let chain = chain?;
        for section in chain.sections() {
            kept.extend(section_checks(section));
        }
        self.replace(f, &chain, (1, true))?;
        self.ask_before(f, &mut kept);
        Some(kept)
    }

    /// Reads a chain; the statements that evaluate its parts once.
    fn read(&mut self, e: &mut Expr, inside: bool) -> (Option<Chain>, Vec<Stmt>) {
        let (mut kept, mut made_) = (Vec::new(), self.made);
        let (scopes, outside) = (&self.scopes, self.fixed);
        // What a later part changes is read before, as Rust does.
        let changed = changed(e);
        let fixed = |name: &Ident| {
            let name = name.to_string();
            if changed.contains(&name) {
                return false;
            }
            match scopes.iter().rev().find_map(|s| s.get(&name)) {
                Some(Meaning::Itself(fixed, _)) => *fixed,
                Some(
                    Meaning::Renamed(_) | Meaning::Item(_) | Meaning::Range { .. } | Meaning::Closure(_),
                ) => false,
                None => name.starts_with("__omp_") || outside(&name),
            }
        };
        let mut copies: Vec<(String, Expr)> = Vec::new();
        let mut keep = |e: &mut Expr| match e {
            Expr::Lit(l) if !matches!(l.lit, syn::Lit::ByteStr(_)) => {}
            Expr::Path(p) if p.path.get_ident().is_some_and(&fixed) => {}
            _ => {
                made_ += 1;
                let name = hidden(&format!("__omp_bound{made_}"), e.span());
                kept.push(statement(quote_spanned!(e.span()=> let #name = #e;)));
                copies.push((name.to_string(), e.clone()));
                *e = made(name.into_token_stream());
            }
        };
        let span = e.span();
        let kinds = |name: &Ident| known(scopes, self.kinds, name);
        let mut chain = chain::read(e, &kinds, &mut keep, self.sink);
        // From the outside, the loop itself goes backwards.
        match &mut chain {
            Some(Chain::Rev(inner)) if inside && Numbered::of(inner).is_some() => {}
            Some(chain) if inside && Numbered::of(chain).is_some() => {}
            Some(Chain::Rev(inner)) => inner.measure(&mut keep, span),
            Some(other) => other.measure(&mut keep, span),
            None => {}
        }
        self.made = made_;
        for (name, of) in copies {
            if let Some(ty) = self.type_of_elements(&of).cloned() {
                self.elements.insert(name, ty);
            }
        }
        (chain, kept)
    }

    fn is_chain(&self, e: &Expr) -> bool {
        chain::is_chain(e, &|name| known(&self.scopes, self.kinds, name))
    }

    // ------------------------------------------------------------------------------------------ names

    pub(in crate::iterate) fn fresh(&mut self, what: &str, span: Span) -> Ident {
        self.made += 1;
        hidden(&format!("__omp_{what}{}", self.made), span)
    }

    pub(in crate::iterate) fn meaning(&self, name: &Ident) -> Option<&Meaning> {
        let name = name.to_string();
        self.scopes.iter().rev().find_map(|s| s.get(&name))
    }

    /// The item that an expression names.
    pub(in crate::iterate) fn item(&self, e: &Expr) -> Option<Item> {
        match strip(e) {
            Expr::Path(p) if p.qself.is_none() => match self.meaning(p.path.get_ident()?)? {
                Meaning::Item(item) => Some(item.clone()),
                Meaning::Itself(..) | Meaning::Renamed(_) | Meaning::Range { .. } | Meaning::Closure(_) => {
                    None
                }
            },
            Expr::Field(f) => match (self.item(&f.base)?.stripped(), &f.member) {
                (Item::Tuple(items), syn::Member::Unnamed(i)) => items.get(i.index as usize).cloned(),
                _ => None,
            },
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => match self.item(&u.expr)? {
                Item::Ref(inner) => Some(*inner),
                Item::Value(_) | Item::Element { .. } | Item::Tuple(_) => None,
            },
            _ => None,
        }
    }

    /// The place of the element that an expression refers to.
    pub(in crate::iterate) fn element(&self, e: &Expr) -> Option<Expr> {
        match self.item(e)? {
            Item::Element { place, mutable: _ } => Some(moved_expr(&place, e.span())),
            Item::Value(_) | Item::Tuple(_) | Item::Ref(_) => None,
        }
    }

    /// An element that a `&mut` item stands for, as a shared reference, where patterns bind nothing of it that `arms` change.
    fn looked_at<'e>(&self, e: &Expr, arms: impl Iterator<Item = (&'e Pat, &'e Expr)>) -> Option<Expr> {
        let Item::Element { place, mutable: true } = self.item(e)? else { return None };
        let changes = |(pat, body): (&Pat, &Expr)| {
            let changed = changed(body);
            pattern::names(pat).iter().any(|name| changed.contains(&name.to_string()))
        };
        let place = moved_expr(&place, e.span());
        (!arms.into_iter().any(changes)).then(|| made(parentheses(quote_spanned!(e.span()=> &#place))))
    }

    /// The place that fields and elements are taken of: rustc goes through all references.
    fn base(&self, e: &Expr) -> Option<Expr> {
        match self.item(e)?.stripped() {
            Item::Element { place, mutable: _ } => Some(moved_expr(&place, e.span())),
            Item::Value(_) | Item::Tuple(_) | Item::Ref(_) => None,
        }
    }

    /// `b.v += dt * b.a` of an element: the right side first, by a name. Where the operator is a user's, rustc takes the place first, and
    /// what stood in two fields of one reference would borrow the array twice.
    fn updated(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Binary(b) = e else { return None };
        let mut root = &*b.left;
        let Expr::Field(_) = root else { return None };
        while let Expr::Field(f) = root {
            root = &f.base;
        }
        let Expr::Path(p) = root else { return None };
        let name = p.path.get_ident()?;
        let stands_for_element = matches!(self.item(root), Some(Item::Element { .. }));
        if !b.attrs.is_empty()
            || !is_assignment(&b.op)
            || !stands_for_element
            || !mentions(b.right.to_token_stream(), &name.to_string())
        {
            return None;
        }
        let (left, op, right) = (&b.left, &b.op, &b.right);
        let value = self.fresh("value", name.span());
        Some(made(quote!({ let #value = #right; #left #op #value; })))
    }

    /// An item of `iter()` that is written through, which rustc refuses: the array is not what is written.
    fn written_item(&mut self, e: &Expr) {
        let mut root = match e {
            Expr::Assign(a) => &*a.left,
            Expr::Binary(b) if is_assignment(&b.op) => &*b.left,
            _ => return,
        };
        let mut through = false;
        loop {
            root = match root {
                Expr::Paren(p) => &p.expr,
                Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => &u.expr,
                Expr::Field(f) => &f.base,
                Expr::Index(x) => &x.expr,
                _ => break,
            };
            through |= !matches!(root, Expr::Paren(_));
        }
        if through && matches!(self.item(root), Some(Item::Element { mutable: false, .. })) {
            let message = "an item of `iter()` can't be written";
            self.sink.of_rustc(crate::diag::Code::UnsupportedStmt, root.span(), message);
        }
    }

    /// Puts an item in the place of its name.
    fn put(&mut self, e: &mut Expr) -> bool {
        if let Some(item) = self.item(e) {
            *e = value(&item, e.span());
            return true;
        }
        if self.names_closure(e) && !matches!(e, Expr::Reference(_)) {
            self.sink
                .error_at(
                    crate::diag::Code::Closure,
                    &*e,
                    "a closure is used as a value: in a body, a closure may be called, or passed to an adaptor or a function",
                )
                .help("call it here and use its result, or write a `#[omp::declare_target]` function");
            *e = made(quote_spanned!(e.span()=> ()));
            return true;
        }
        if let Expr::Path(p) = e
            && p.qself.is_none()
            && let Some(Meaning::Renamed(other)) = p.path.get_ident().and_then(|i| self.meaning(i))
        {
            let other = Ident::new(&other.to_string(), other.span().located_at(p.span()));
            *e = made(other.into_token_stream());
            return true;
        }
        false
    }

    fn macro_(&mut self, mac: &mut syn::Macro) -> Vec<Stmt> {
        if mac.path.segments.last().is_some_and(|s| s.ident == "matches") {
            if let Some(mut m) = crate::parse::Matches::of(mac) {
                crate::iterate::values::zips::Zips.visit_pat_mut(&mut m.pat);
                match self.looked_at(&m.value, std::iter::empty()) {
                    Some(element) => m.value = element,
                    None => self.visit_expr_mut(&mut m.value),
                }
                if let Some(guard) = &mut m.guard {
                    self.scoped(|w| {
                        w.declare(&mut m.pat);
                        w.visit_expr_mut(guard);
                    });
                }
                mac.tokens = m.tokens();
            }
            return vec![];
        }
        let Ok(mut args) = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()) else {
            return vec![];
        };
        // What a text names: `{v}`.
        let mut named = Vec::new();
        for arg in &args {
            if let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = arg {
                let names = format_text::names(&text.value());
                for mut name in names.iter().filter_map(|name| format_text::variable(name)) {
                    name.set_span(text.span());
                    let path = made(name.into_token_stream());
                    let mut value = path.clone();
                    let place = self.element(&path);
                    if self.put(&mut value) {
                        let value = place.unwrap_or(value);
                        named.push(statement(quote_spanned!(text.span()=> let #path = #value;)));
                    }
                }
            }
        }
        for arg in &mut args {
            match arg {
                // `name = value`
                Expr::Assign(a) => self.visit_expr_mut(&mut a.right),
                arg => self.visit_expr_mut(arg),
            }
        }
        mac.tokens = args.into_token_stream();
        named
    }
}

/// The consts and statics that stand in a block.
fn consts(b: &Block) -> impl Iterator<Item = (&Ident, &syn::Type)> {
    b.stmts.iter().filter_map(|s| match s {
        Stmt::Item(syn::Item::Const(c)) => Some((&c.ident, &*c.ty)),
        Stmt::Item(syn::Item::Static(s)) => Some((&s.ident, &*s.ty)),
        _ => None,
    })
}

/// How a variable is iterated.
pub(in crate::iterate) fn known(
    scopes: &[HashMap<String, Meaning>],
    outside: Kinds<'_>,
    name: &Ident,
) -> Option<IteratedBy> {
    let text = name.to_string();
    match scopes.iter().rev().find_map(|s| s.get(&text)) {
        Some(Meaning::Itself(_, kind)) => *kind,
        Some(Meaning::Renamed(other)) if other != name => known(scopes, outside, other),
        Some(Meaning::Item(Item::Element { mutable: false, .. })) => Some(IteratedBy::Element),
        Some(Meaning::Renamed(_) | Meaning::Item(_) | Meaning::Range { .. } | Meaning::Closure(_)) => None,
        None => outside(name),
    }
}

/// `for &x in TABLE`: the pattern shows that the table is behind a reference.
fn through_references(f: &mut ExprForLoop) {
    if let (Pat::Reference(_), Expr::Path(p)) = (&*f.pat, &*f.expr)
        && chain::is_table(p)
    {
        *f.expr = made(quote_spanned!(p.span()=> #p.iter()));
    }
}
