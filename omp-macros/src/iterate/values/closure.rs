//! Inlines calls of closures.
//!
//! `f(a, b)` of `let f = |x, y| x + y;` becomes `{ let (x, y) = (a, b); x + y }`. Names in the body keep the meaning that
//! they have where the closure is defined: the walk over the body ignores the scopes that were opened after the closure,
//! and [`Walk::declare`](crate::iterate::loops::walk::Walk) has renamed variables that would shadow a name of the closure
//! at a call. A parameter that receives a reference means the place that it refers to, like the names of a loop's items.
use super::pipeline::Tried;
use crate::ast::{Lost, Outer};
use crate::diag::Code;
use crate::iterate::loops::chain::{Item, IteratedBy};
use crate::iterate::loops::items::statement;
use crate::iterate::loops::pattern;
use crate::iterate::loops::pattern::Bound;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{hidden, in_head, made, parentheses};
use crate::iterate::values::option::Shape;
use crate::parse::tokens::leaves::{idents, mentions, regrouped};
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::{behind_references, strip};
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote_spanned};
use std::collections::HashMap;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprClosure, Ident, Local, Pat, Stmt, Token};

/// A closure that has a name.
pub(in crate::iterate) struct Closure {
    expr: ExprClosure,
    /// The variables of the places around it that it names.
    captures: Vec<String>,
    /// How many scopes were open where it stands.
    depth: usize,
    /// The variable that unifies the types of its calls, if it is called more than once.
    types: Option<Ident>,
    /// A captured variable that is not visible at a call.
    lost: Option<Lost>,
    /// It has copies of what it captures, and changes them.
    has_state: bool,
}

impl Closure {
    /// Whether its body may mean a variable by this name.
    pub fn names(&self, name: &str) -> bool {
        self.captures.iter().any(|captured| captured == name)
    }

    /// As it is written.
    pub fn expr(&self) -> &ExprClosure {
        &self.expr
    }

    /// The value of a call.
    pub fn body(&self) -> &Expr {
        &self.expr.body
    }

    fn of(expr: ExprClosure, depth: usize) -> Self {
        let captures = captures(&expr);
        Self { expr, captures, depth, types: None, lost: None, has_state: false }
    }
}

/// The variables from outside that a closure names.
pub fn captures(c: &ExprClosure) -> Vec<String> {
    let names = idents(c.to_token_stream()).map(|name| name.to_string()).collect();
    let block: Block = syn::parse_quote!({ #c });
    let found = crate::sema::syntax::uses::of_block(&block, names);
    found.into_iter().filter_map(|u| u.key.split('.').next().map(str::to_owned)).collect()
}

/// The name and the value of a `let` that binds a closure: `|x| …`, or another name for one.
fn bound_name(l: &Local) -> Option<(&Ident, &Expr)> {
    let Pat::Ident(name) = &l.pat else { return None };
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    (name.by_ref.is_none() && name.subpat.is_none()).then_some((&name.ident, &*init.expr))
}

impl Walk<'_> {
    /// `let f = |x| …;`: the name stands for the closure, and no statement is left but the copies of a `move` closure.
    pub(in crate::iterate) fn closure_let(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let (name, init) = bound_name(l)?;
        let (closure, copies) = match behind_references(init) {
            Expr::Closure(c) => {
                let (mut c, mut copies, mut has_state) = (c.clone(), Vec::new(), false);
                if c.capture.is_some() {
                    (copies, has_state) = self.moved_in(&mut c);
                }
                (self.closure(c, name.span(), has_state), copies)
            }
            other => match self.named_closure(other) {
                Some(_) if !matches!(init, Expr::Reference(_)) && self.copies_state(other) => {
                    return Some(vec![]);
                }
                Some(closure) => (closure, vec![]),
                None if is_closure_argument(name) => return Some(self.unseen(other)),
                None => return None,
            },
        };
        self.scopes.push(HashMap::from([(name.to_string(), Meaning::Closure(closure))]));
        Some(copies)
    }

    /// The variables that change, or (`renamed`) may do, and that a closure names.
    fn changing_in(&self, c: &ExprClosure, renamed: bool) -> std::collections::BTreeSet<String> {
        let all = self.scopes.iter().flat_map(|scope| scope.iter());
        let changing = all.filter(|(_, meaning)| match meaning {
            Meaning::Itself(false, _) => true,
            Meaning::Renamed(_) => renamed,
            // (Of a range that changes, the ends are variables that do.)
            Meaning::Range { lo, .. } => matches!(self.meaning(lo), Some(Meaning::Itself(false, _))),
            _ => false,
        });
        let outside =
            self.changing.iter().filter(|name| !self.scopes.iter().any(|scope| scope.contains_key(*name)));
        let names = changing.map(|(name, _)| name).chain(outside).cloned();
        names.filter(|name| mentions(c.to_token_stream(), name)).collect()
    }

    /// Whether the closures in a chain have copies of variables that change: it is reported, because what they do stands in the loop.
    pub(in crate::iterate) fn copies_what_changes<'e>(
        &mut self,
        args: impl IntoIterator<Item = &'e Expr>,
    ) -> bool {
        let args: Vec<&Expr> = args.into_iter().collect();
        if args.iter().any(|arg| matches!(arg, Expr::Path(_)) && self.copies_state(arg)) {
            return true;
        }
        let moved = args.into_iter().find_map(|arg| match arg {
            Expr::Closure(c) if c.capture.is_some() => {
                Some((c.span(), self.changing_in(c, false).pop_first()?))
            }
            _ => None,
        });
        let Some((span, name)) = moved else { return false };
        self.sink()
            .error(
                Code::Closure,
                span,
                format!("a `move` closure of an iterator has a copy of `{name}`, which changes"),
            )
            .help(format!("leave `move` out, or copy before: `let {name}_now = {name};`"));
        true
    }

    /// Whether a name is of a closure that changes copies of its own: a copy of that would have copies of these. It is reported.
    fn copies_state(&mut self, name: &Expr) -> bool {
        let found = self.named_closure(name).is_some_and(|closure| closure.has_state);
        if found {
            let message = format!(
                "this copies `{}`, a `move` closure that changes copies of its own",
                name.to_token_stream()
            );
            self.sink()
                .error_at(Code::Closure, name, message)
                .help("call the closure by its name, or pass `&mut` of it; or write a loop with a variable");
        }
        found
    }

    fn unseen(&mut self, arg: &Expr) -> Vec<Stmt> {
        let name = as_written(arg);
        self.sink()
            .error_at(Code::Closure, arg, format!("what `{name}` does can't be seen here"))
            .help("pass a closure, `|x| …`, the name of one that is bound by `let` in this function, or the name of a `#[omp::declare_target]` function");
        vec![]
    }

    /// A closure of the function around the loop.
    pub(in crate::iterate) fn outer_closure(&mut self, outer: &Outer) {
        let types = Some(self.fresh("types", outer.name.span()));
        let (mut expr, lost) = (outer.closure.clone(), outer.lost.clone());
        self.keep_outer_numbers(&mut expr);
        let closure = Rc::new(Closure { types, lost, ..Closure::of(expr, self.scopes.len()) });
        let scope = self.scopes.first_mut().expect("never empty");
        scope.insert(outer.name.to_string(), Meaning::Closure(closure));
    }

    fn closure(&mut self, expr: ExprClosure, span: Span, has_state: bool) -> Rc<Closure> {
        let types = Some(self.fresh("types", span));
        Rc::new(Closure { types, has_state, ..Closure::of(expr, self.scopes.len()) })
    }

    /// The closure that an expression names.
    pub(in crate::iterate::values) fn named_closure(&self, e: &Expr) -> Option<Rc<Closure>> {
        match behind_references(e) {
            Expr::Path(p) if p.qself.is_none() => match self.meaning(p.path.get_ident()?)? {
                Meaning::Closure(closure) => Some(closure.clone()),
                Meaning::Itself(..) | Meaning::Renamed(_) | Meaning::Item(_) | Meaning::Range { .. } => None,
            },
            _ => None,
        }
    }

    /// Whether an expression is the name of a closure.
    pub(in crate::iterate) fn names_closure(&self, e: &Expr) -> bool {
        self.named_closure(e).is_some()
    }

    /// A `move` closure has copies of what it captures: variables that change get a copy each. Whether it changes these.
    fn moved_in(&mut self, c: &mut ExprClosure) -> (Vec<Stmt>, bool) {
        let names = self.changing_in(c, true);
        let mut copies = Vec::new();
        let mut captured: Vec<Expr> = Vec::new();
        search::each(&*c.body, |e| captured.extend(matches!(e, Expr::Path(_)).then(|| e.clone())));
        if captured.iter().any(|name| self.copies_state(name)) {
            return (vec![], false);
        }
        let changed = crate::iterate::changed(&c.body);
        let has_state = names.iter().any(|name| changed.contains(name));
        for name in names {
            let mut now = made(Ident::new(&name, c.span()).into_token_stream());
            self.visit_expr_mut(&mut now);
            let copy = self.fresh("moved", c.span());
            copies.push(statement(quote_spanned!(c.span()=> let mut #copy = #now;)));
            self.scopes
                .last_mut()
                .expect("never empty")
                .insert(copy.to_string(), Meaning::Itself(false, None));
            if binds(c, &name) {
                self.sink()
                    .error_at(
                        Code::Closure,
                        &*c,
                        format!("this closure has a copy of `{name}` and a variable of that name"),
                    )
                    .help(format!("give the variable in the closure another name: `{name}_inner`"));
                return (vec![], false);
            }
            *c = renamed(c, &name, &copy);
        }
        (copies, has_state)
    }

    /// The closure that a call calls.
    pub(in crate::iterate) fn closure_of(&self, c: &syn::ExprCall) -> Option<Rc<Closure>> {
        match behind_references(&c.func) {
            Expr::Closure(c) => Some(Rc::new(Closure::of(c.clone(), self.scopes.len()))),
            func => self.named_closure(func),
        }
    }

    /// A call of a closure whose body gives another value, of another type; `change` says which.
    pub(in crate::iterate) fn call_of<T>(
        &mut self,
        c: &syn::ExprCall,
        change: &dyn Fn(&mut Expr) -> Option<T>,
        ty: &dyn Fn(&syn::Type) -> Option<TokenStream>,
    ) -> Option<(Expr, T)> {
        let closure = self.closure_of(c)?;
        if closure.lost.is_some() || c.args.len() != closure.expr.inputs.len() {
            return None;
        }
        let mut expr = closure.expr.clone();
        let leaves = search::leaves(&*expr.body);
        let found = change(&mut expr.body).filter(|_| !leaves)?;
        expr.output = match &expr.output {
            syn::ReturnType::Type(arrow, of) => match ty(of) {
                Some(ty) => syn::ReturnType::Type(*arrow, Box::new(syn::parse2(ty).ok()?)),
                None => syn::ReturnType::Default,
            },
            syn::ReturnType::Default => syn::ReturnType::Default,
        };
        let (captures, depth, types) = (closure.captures.clone(), closure.depth, closure.types.clone());
        let other = Closure { expr, captures, depth, types, lost: None, has_state: closure.has_state };
        Some((self.written_out(&other, c.args.clone(), c.span()), found))
    }

    /// A call of a closure, written out.
    pub(in crate::iterate) fn closure_call(&mut self, e: &mut Expr) -> bool {
        let Expr::Call(c) = e else { return false };
        let Some(closure) = self.closure_of(c) else { return false };
        let (args, span) = (std::mem::take(&mut c.args), c.span());
        if let Some(lost) = &closure.lost {
            let (message, help) = match lost {
                Lost::Hidden(name) => (
                    format!("this closure captures a `{name}` that another `{name}` hides here"),
                    format!("give the later `{name}` another name"),
                ),
                Lost::Copied(name) => (
                    format!("this `move` closure has a copy of `{name}`, which may change before the loop"),
                    format!("let it capture a variable that is not `mut`: `let {name}_now = {name};`"),
                ),
            };
            self.sink().error(Code::Closure, span, message).help(help);
            *e = made(quote_spanned!(span=> ::omp::__private::core::unreachable!()));
            return true;
        }
        if args.len() != closure.expr.inputs.len() {
            // rustc reports the same mistake in the serial copy.
            *e = made(quote_spanned!(span=> ::omp::__private::core::unreachable!()));
            return true;
        }
        *e = match self.with_functions(&closure, &args) {
            Some((closure, args)) => self.written_out(&closure, args, span),
            None => self.written_out(&closure, args, span),
        };
        true
    }

    /// A closure that is called with functions, without the parameters for these: their names in its body are the functions. Nothing, if there
    /// are none, or if they name what means another thing in the body.
    fn with_functions(
        &self,
        closure: &Closure,
        args: &Punctuated<Expr, Token![,]>,
    ) -> Option<(Closure, Punctuated<Expr, Token![,]>)> {
        let (mut expr, mut others) = (closure.expr.clone(), Punctuated::new());
        let mut functions = HashMap::new();
        let mut inputs = Punctuated::new();
        for (pat, arg) in closure.expr.inputs.iter().zip(args) {
            let (name, ty) = match pat {
                Pat::Type(t) => (pattern::plain_name(&t.pat), Some(&*t.ty)),
                pat => (pattern::plain_name(pat), None),
            };
            let mut ty = ty;
            while let Some(syn::Type::Reference(r)) = ty {
                ty = Some(&*r.elem);
            }
            let typed = matches!(ty, Some(syn::Type::FnPtr(_) | syn::Type::TraitObject(_)));
            let function = match behind_references(arg) {
                Expr::Closure(c) => {
                    let mut c = c.clone();
                    if let Some((inputs, output)) = ty.and_then(signature) {
                        let refers = |ty: &dyn ToTokens| ty.to_token_stream().to_string().contains('&');
                        let object = matches!(ty, Some(syn::Type::TraitObject(_)));
                        for (pat, ty) in c.inputs.iter_mut().zip(inputs) {
                            if !(matches!(pat, Pat::Type(_)) || object && refers(&ty)) {
                                *pat = Pat::Type(syn::PatType {
                                    attrs: vec![],
                                    pat: Box::new(pat.clone()),
                                    colon_token: Default::default(),
                                    ty: Box::new(ty),
                                });
                            }
                        }
                        if matches!(c.output, syn::ReturnType::Default) && !refers(&output) {
                            let body = &c.body;
                            c.body = syn::parse_quote_spanned!(body.span()=> { #body });
                            c.output = output;
                        }
                    }
                    Some((parentheses(c.to_token_stream()), captures(&c)))
                }
                e @ Expr::Path(p) if typed || self.names_closure(e) => Some((
                    p.to_token_stream(),
                    p.path.get_ident().map(ToString::to_string).into_iter().collect(),
                )),
                _ => None,
            };
            match (name, function) {
                (Some(name), Some((function, names))) => {
                    let hidden = |text: &String| {
                        binds(&closure.expr, text)
                            || self.scopes[closure.depth..].iter().any(|scope| scope.contains_key(text))
                    };
                    if names.iter().any(hidden) {
                        return None;
                    }
                    functions.insert(name.to_string(), function);
                }
                _ => {
                    inputs.push(pat.clone());
                    others.push(arg.clone());
                }
            }
        }
        if functions.is_empty() {
            return None;
        }
        expr.inputs = inputs;
        expr.body = syn::parse2(substituted(expr.body.to_token_stream(), &functions)).ok()?;
        Some((Closure { types: closure.types.clone(), ..Closure::of(expr, closure.depth) }, others))
    }

    fn written_out(&mut self, closure: &Closure, args: Punctuated<Expr, Token![,]>, span: Span) -> Expr {
        let nothing = || made(quote_spanned!(span=> ()));
        let is_statement = std::mem::take(&mut self.calls_statement);
        let (mut before, mut bound) = (Vec::new(), Bound::default());
        // Slices of arrays that are written out, whose lengths differ from call to call.
        let mut of_lengths = Vec::new();
        let mut ranges = HashMap::new();
        for (pat, arg) in closure.expr.inputs.iter().zip(args) {
            if let Some((name, range)) = self.range_argument(pat, &arg, &mut before) {
                ranges.insert(name, range);
                continue;
            }
            let pat = &of_length(pat, &arg)
                .inspect(|pat| of_lengths.extend(pattern::names(pat)))
                .unwrap_or_else(|| pat.clone());
            // A slice under a name is one under another.
            let slice = matches!(pat, Pat::Type(t) if matches!(crate::iterate::of_type(&t.ty), Some(IteratedBy::Shared)));
            let item = match self.argument(arg, &mut before) {
                Item::Value(place @ Expr::Path(_)) if slice => Item::Element { place, mutable: false },
                item => item,
            };
            if pattern::bind(pat, item, &mut bound, self.sink()).is_none() {
                return nothing();
            }
        }
        let mut body = (*closure.expr.body).clone();
        let label = self.fresh("return", span);
        let label = syn::Lifetime { apostrophe: label.span(), ident: label };
        let result = self.gives_tried(&closure.expr) == Some(Tried::Result);
        let mut returns = Returns { label: &label, result, found: false };
        returns.visit_expr_mut(&mut body);
        let returns = returns.found;
        // The arguments are the caller's.
        let mut kinds: Vec<_> = bound.lets.iter().map(|(_, value)| self.kind_of(value)).collect();
        let above = self.scopes.split_off(closure.depth);
        let (here, mut same) = (above.is_empty(), Vec::new());
        let mut scope = ranges;
        for (name, item) in bound.items {
            scope.insert(name.to_string(), Meaning::Item(item));
        }
        let lets = std::mem::take(&mut bound.lets).into_iter().zip(std::mem::take(&mut kinds));
        for ((pat, value), kind) in lets {
            match (pattern::plain_name(&pat), &value) {
                (Some(name), Expr::Path(p)) if p.path.get_ident().is_some_and(is_own) => {
                    let of = p.path.get_ident().expect("just seen").clone();
                    scope.insert(name.to_string(), Meaning::Renamed(of));
                }
                // `let i: usize = i;` of a method's parameter would hide the loop's variable: its type alone is of interest.
                _ if here && closure.types.is_none() && self.is_same_name(&pat, &value) => {
                    let ty = if let Pat::Type(t) = &pat {
                        t.ty.to_token_stream()
                    } else {
                        quote_spanned!(span=> _)
                    };
                    same.push(statement(quote_spanned!(span=> let _: #ty = #value;)));
                }
                _ => {
                    bound.lets.push((pat, value));
                    kinds.push(kind);
                }
            }
        }
        self.scopes.push(scope);
        for ((pat, value), kind) in bound.lets.iter_mut().zip(kinds) {
            self.declare(pat);
            match kind {
                Some(kind) => self.is_kind(pat, kind),
                None => self.has_kind(pat, value),
            }
        }
        let mut names: Vec<Ident> = bound.lets.iter().flat_map(|(p, _)| pattern::names(p)).collect();
        names.retain(|name| !of_lengths.contains(name));
        // One parameter may be a name for an array in one call, and a variable in another.
        let unify: Vec<Stmt> = closure.types.as_ref().map_or_else(Vec::new, |types| {
            let each = names.iter().map(|name| {
                let types = format_ident!("{types}_{name}", span = types.span());
                *self.called.entry(types.to_string()).or_default() += 1;
                statement(quote_spanned!(span=> ::omp::__private::one_type(&#types, (&#name,));))
            });
            each.collect()
        });
        self.is_statement = is_statement;
        self.visit_expr_mut(&mut body);
        self.is_statement = false;
        self.scopes.truncate(closure.depth);
        self.scopes.extend(above);
        let declared = pattern::declared(bound.lets);
        let mut stmts: Vec<Stmt> = before.into_iter().chain(same).chain(declared).chain(unify).collect();
        if returns {
            body = made(quote_spanned!(span=> #label: { #body }));
        }
        if let syn::ReturnType::Type(_, ty) = &closure.expr.output {
            let result = self.fresh("result", span);
            stmts.push(statement(quote_spanned!(span=> let #result: #ty = #body;)));
            body = made(result.into_token_stream());
        }
        if stmts.is_empty() {
            return match body {
                Expr::Path(_) | Expr::Lit(_) | Expr::Paren(_) => body,
                body => made(parentheses(body.into_token_stream())),
            };
        }
        // In parentheses, as a block that begins a statement would be one.
        made(parentheses(match body {
            Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => {
                let inner = b.block.stmts;
                quote_spanned!(span=> { #(#stmts)* #(#inner)* })
            }
            body => quote_spanned!(span=> { #(#stmts)* #body }),
        }))
    }

    /// An argument that is a range, or the name of one: its ends get names before the call, and the parameter stands for the range of these.
    fn range_argument(&mut self, pat: &Pat, arg: &Expr, before: &mut Vec<Stmt>) -> Option<(String, Meaning)> {
        let name = match pat {
            Pat::Type(t) => pattern::plain_name(&t.pat)?,
            pat => pattern::plain_name(pat)?,
        };
        let named = match strip(arg) {
            Expr::Range(_) => false,
            Expr::Path(p) => self.names_range(p.path.get_ident()?),
            Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() => {
                matches!(&*m.receiver, Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.names_range(name)))
            }
            _ => return None,
        };
        let mut arg = arg.clone();
        if named {
            self.visit_expr_mut(&mut arg);
        }
        let mut range: Stmt = statement(quote_spanned!(name.span()=> let #pat = #arg;));
        self.scopes.push(HashMap::new());
        let ends = self.range_let(&mut range);
        let meaning = self.scopes.pop().and_then(|mut scope| scope.remove(&name.to_string()));
        before.extend(ends?);
        Some((name.to_string(), meaning?))
    }

    /// Whether a value is the variable that has the pattern's name, which keeps its value.
    fn is_same_name(&self, pat: &Pat, value: &Expr) -> bool {
        let pat = if let Pat::Type(t) = pat { &*t.pat } else { pat };
        let Expr::Path(p) = value else { return false };
        let is = |name: &Ident| {
            p.path.is_ident(name) && matches!(self.meaning(name), Some(Meaning::Itself(true, _)))
        };
        pattern::plain_name(pat).is_some_and(is)
    }

    /// An argument: what a reference refers to is known by its place.
    fn argument(&mut self, arg: Expr, before: &mut Vec<Stmt>) -> Item {
        match arg {
            Expr::Paren(p) => self.argument(*p.expr, before),
            Expr::Group(g) => self.argument(*g.expr, before),
            Expr::Tuple(t) if !t.elems.is_empty() => {
                let parts = t.elems.into_iter().map(|e| match self.argument(e, before) {
                    Item::Value(e) => Item::Value(self.kept(e, before)),
                    item => item,
                });
                Item::Tuple(parts.collect())
            }
            Expr::Reference(mut r) => {
                if let Some(item) = self.item(&r.expr) {
                    return Item::Ref(Box::new(item));
                }
                let place = crate::iterate::loops::chain::is_place(&r.expr)
                    && !matches!(&*r.expr, Expr::Index(x) if matches!(&*x.index, Expr::Range(_)));
                self.visit_expr_mut(&mut r.expr);
                if !place {
                    return Item::Value(Expr::Reference(r));
                }
                let mutable = r.mutability.is_some();
                crate::iterate::loops::chain::indices(&mut r.expr, &mut |index| {
                    *index = self.kept(index.clone(), before);
                });
                Item::Element { place: *r.expr, mutable }
            }
            mut arg => {
                if let Expr::Call(c) = &arg
                    && let Some(item) = self.tuple_of_references(c, before)
                {
                    return item;
                }
                if let Some(item) = self.item(&arg) {
                    return item;
                }
                self.visit_expr_mut(&mut arg);
                Item::Value(arg)
            }
        }
    }

    /// `(|q| (q, f(q)))(item)`: a tuple in which names stand for what the closure's parameter refers to. The other parts get names, in
    /// statements before.
    pub(in crate::iterate) fn tuple_of_references(
        &mut self,
        c: &syn::ExprCall,
        before: &mut Vec<Stmt>,
    ) -> Option<Item> {
        let Expr::Closure(f) = behind_references(&c.func) else { return None };
        let (Some(pat), 1, 1) = (f.inputs.first(), f.inputs.len(), c.args.len()) else { return None };
        let Expr::Tuple(t) = behind_references(&f.body) else { return None };
        let mut bound = Bound::default();
        let mut quiet = crate::diag::Sink::new();
        let fits = pattern::bind(pat, self.seen(&c.args[0])?, &mut bound, &mut quiet);
        if quiet.forget() || fits.is_none() || !matches!(f.output, syn::ReturnType::Default) {
            return None;
        }
        let part = |e: &Expr| {
            let Expr::Path(p) = behind_references(e) else { return None };
            let (_, item) = bound.items.iter().find(|(name, _)| p.path.is_ident(name))?;
            (matches!(e, Expr::Path(_)) && Shape::of(item).refers()).then(|| item.clone())
        };
        let parts: Vec<Option<Item>> = t.elems.iter().map(part).collect();
        parts.iter().any(Option::is_some).then_some(())?;
        let mut items = Vec::new();
        for (e, part) in t.elems.iter().zip(parts) {
            items.push(match part {
                Some(item) => item,
                None => {
                    let (name, arg, span) = (self.fresh("part", e.span()), &c.args[0], e.span());
                    let mut value = statement(quote_spanned!(span=> let #name = (|#pat| #e)(#arg);));
                    self.visit_stmt_mut(&mut value);
                    before.push(value);
                    Item::Value(made(name.into_token_stream()))
                }
            });
        }
        Some(Item::Tuple(items))
    }

    /// The item that an argument stands for, if one of its parts is the name of an item.
    pub(in crate::iterate) fn seen(&self, arg: &Expr) -> Option<Item> {
        let arg = strip(arg);
        match arg {
            Expr::Tuple(t) => {
                let parts: Vec<_> = t.elems.iter().map(|e| self.seen(e)).collect();
                parts.iter().any(Option::is_some).then_some(())?;
                let value = |(e, part): (&Expr, Option<Item>)| part.unwrap_or_else(|| Item::Value(e.clone()));
                Some(Item::Tuple(t.elems.iter().zip(parts).map(value).collect()))
            }
            arg => self.item(arg),
        }
    }

    /// A variable for a value that is used more than once.
    fn kept(&mut self, e: Expr, before: &mut Vec<Stmt>) -> Expr {
        match &e {
            Expr::Lit(_) => e,
            Expr::Path(p) if p.path.get_ident().is_some_and(is_own) => e,
            _ => {
                let name = self.fresh("arg", e.span());
                before.push(statement(quote_spanned!(e.span()=> let #name = #e;)));
                made(name.into_token_stream())
            }
        }
    }
}

/// What a closure takes and gives that has the type `fn(A) -> B`, or `dyn Fn(A) -> B`.
fn signature(ty: &syn::Type) -> Option<(Vec<syn::Type>, syn::ReturnType)> {
    let of_bound = |b: &syn::TypeParamBound| match b {
        syn::TypeParamBound::Trait(t) => match &t.path.segments.last()?.arguments {
            syn::PathArguments::Parenthesized(of) => {
                Some((of.inputs.iter().map(|input| input.ty.clone()).collect(), of.output.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    match ty {
        syn::Type::FnPtr(f) => {
            Some((f.inputs.iter().map(|input| input.ty.clone()).collect(), f.output.clone()))
        }
        syn::Type::TraitObject(t) => t.bounds.iter().find_map(of_bound),
        _ => None,
    }
}

/// The parameter `x: &[T]` of a call with `&[a, b]`, as one of an array of this length: a device has no slice of what has no place.
fn of_length(pat: &Pat, arg: &Expr) -> Option<Pat> {
    let (Pat::Type(t), Expr::Reference(r)) = (pat, arg) else { return None };
    let syn::Type::Reference(ty) = &*t.ty else { return None };
    let (syn::Type::Slice(slice), None) = (&*ty.elem, r.mutability) else { return None };
    let len = match &*r.expr {
        Expr::Array(a) => a.elems.len().to_token_stream(),
        Expr::Repeat(a) => a.len.to_token_stream(),
        _ => return None,
    };
    let (name, elem) = (&t.pat, &slice.elem);
    Some(Pat::Type(syn::parse_quote_spanned!(t.ty.span()=> #name: &[#elem; #len])))
}

/// Tokens in which names have others in their places, but for the names of fields and methods.
pub fn substituted(tokens: TokenStream, names: &HashMap<String, TokenStream>) -> TokenStream {
    let mut dots = 0;
    let tree = |tree: TokenTree| {
        let before = dots;
        dots = if matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') { dots + 1 } else { 0 };
        match tree {
            TokenTree::Ident(i) if before != 1 => match names.get(&i.to_string()) {
                Some(other) => other.clone(),
                None => i.to_token_stream(),
            },
            TokenTree::Group(g) => regrouped(&g, substituted(g.stream(), names)).into(),
            other => other.to_token_stream(),
        }
    };
    tokens.into_iter().flat_map(tree).collect()
}

/// `return v` of a closure as `break 'label v`, and `e?` as the `match` that it is.
struct Returns<'l> {
    label: &'l syn::Lifetime,
    /// The closure gives a `Result`.
    result: bool,
    found: bool,
}

impl VisitMut for Returns<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::Closure(_) | Expr::Async(_)) {
            return;
        }
        if let Expr::Try(t) = e {
            *e = if self.result { tried_result(t) } else { tried(t) };
        }
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Return(r) = e {
            let (label, span) = (self.label, r.return_token.span());
            // What is called may be written out as a block, and rustc warns of one after a label.
            let value = r.expr.as_ref().map(|value| match &**value {
                Expr::MethodCall(_) => parentheses(value.to_token_stream()),
                value => value.to_token_stream(),
            });
            *e = made(quote_spanned!(span=> break #label #value));
            self.found = true;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `let (f, g) = (|x| …, |x| …);` and `let (a, b) = (x.get(i)?, x.get(j)?);` as two statements: no tuple holds closures,
/// iterators or references.
pub(in crate::iterate) fn one_by_one(b: &mut Block) {
    let parts = |s: &Stmt| -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (Pat::Tuple(pats), Expr::Tuple(values)) = (&l.pat, &*init.expr) else { return None };
        if pats.elems.len() != values.elems.len() || pats.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)))
        {
            return None;
        }
        let names: Vec<Vec<String>> = pats.elems.iter().map(pattern::names).map(texts).collect();
        let closures = values.elems.iter().all(|e| matches!(e, Expr::Closure(_)));
        // What these give may be references to elements, which no tuple on a device holds.
        let unwrapped = |e: &Expr| match e {
            Expr::Try(_) => true,
            Expr::MethodCall(m) => m.method == "unwrap" || m.method == "expect",
            _ => false,
        };
        let tried = values.elems.iter().any(unwrapped);
        let iterators = values.elems.iter().all(crate::iterate::names::iterators::is_iterator);
        // A name means something else behind its `let`.
        let hides = |(k, e): (usize, &Expr)| {
            names[..k].iter().flatten().any(|name| mentions(e.to_token_stream(), name))
        };
        if !(closures || tried || iterators) || values.elems.iter().enumerate().any(hides) {
            return None;
        }
        let one = |(pat, value): (&Pat, &Expr)| statement(quote_spanned!(pat.span()=> let #pat = #value;));
        Some(pats.elems.iter().zip(&values.elems).map(one).collect())
    };
    if b.stmts.iter().any(|s| parts(s).is_some()) {
        b.stmts = std::mem::take(&mut b.stmts)
            .into_iter()
            .flat_map(|s| parts(&s).unwrap_or_else(|| vec![s]))
            .collect();
    }
}

fn texts(names: Vec<Ident>) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// `e?` of a `Result`, in a function that returns one: the error is converted as `?` does.
pub(in crate::iterate) fn tried_result(t: &syn::ExprTry) -> Expr {
    let (e, span) = (in_head(&t.expr), t.question_token.span());
    let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
    let (value, error) = (hidden("__omp_ok", span), hidden("__omp_err", span));
    made(
        quote_spanned!(span=> match #e { #result::Ok(#value) => #value, #result::Err(#error) => return #result::Err(::omp::__private::core::convert::From::from(#error)) }),
    )
}

/// `e?` of an `Option`.
pub(in crate::iterate) fn tried(t: &syn::ExprTry) -> Expr {
    let (e, span) = (in_head(&t.expr), t.question_token.span());
    let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
    let value = hidden("__omp_some", span);
    made(
        quote_spanned!(span=> match #e { #option::Some(#value) => #value, #option::None => return #option::None }),
    )
}

/// Whether a `match` is an `e?` that [`tried`] or [`tried_result`] wrote.
pub(in crate::iterate) fn is_tried(m: &syn::ExprMatch) -> bool {
    let Some(arm) = m.arms.first() else { return false };
    let (Pat::TupleStruct(some), Expr::Path(value)) = (&arm.pat, &*arm.body) else { return false };
    let name = some.elems.first().and_then(pattern::plain_name);
    name.is_some_and(|name| (name == "__omp_some" || name == "__omp_ok") && value.path.is_ident(name))
}

/// Whether a pattern in a closure binds a name.
fn binds(c: &ExprClosure, name: &str) -> bool {
    let mut names = Names::default();
    names.visit_expr_closure(c);
    names.bound.iter().any(|p| p.ident == name)
}

/// A closure in which a variable has another name.
fn renamed(c: &ExprClosure, name: &str, other: &Ident) -> ExprClosure {
    let mut c = c.clone();
    pattern::Renamed([(name.to_owned(), other.clone())].into()).visit_expr_closure_mut(&mut c);
    c
}

/// Whether a name is one of ours.
fn is_own(name: &Ident) -> bool {
    name.to_string().starts_with("__omp_")
}

/// Whether a name is that of a closure parameter.
fn is_closure_argument(name: &Ident) -> bool {
    name.to_string().starts_with(crate::parse::tokens::source::CLOSURE_ARGUMENT)
}

/// Declares what unifies the calls of closures at the head of a block that is around all of them, for those that are called more
/// than once; of the others nothing stays.
pub(in crate::iterate) fn unify(b: &mut Block, called: &HashMap<String, usize>) {
    struct Once<'c>(&'c HashMap<String, usize>, std::collections::BTreeMap<String, Ident>);
    impl VisitMut for Once<'_> {
        fn visit_block_mut(&mut self, b: &mut Block) {
            b.stmts.retain(|s| {
                let Some(types) = unified(s) else { return true };
                let stays = self.0.get(&types.to_string()).is_some_and(|n| *n > 1);
                if stays {
                    self.1.insert(types.to_string(), types.clone());
                }
                stays
            });
            visit_mut::visit_block_mut(self, b);
        }
    }
    if called.is_empty() {
        return;
    }
    let mut once = Once(called, std::collections::BTreeMap::new());
    once.visit_block_mut(b);
    let declared = once.1.into_values().map(|types| {
        statement(quote_spanned!(types.span()=> let #types = ::omp::__private::closure_types();))
    });
    b.stmts.splice(0..0, declared);
}

/// `types` of `one_type(&types, …);`
fn unified(s: &Stmt) -> Option<&Ident> {
    let Stmt::Expr(Expr::Call(c), Some(_)) = s else { return None };
    let Expr::Path(p) = &*c.func else { return None };
    if p.path.leading_colon.is_none() || p.path.segments.last()?.ident != "one_type" {
        return None;
    }
    match c.args.first()? {
        Expr::Reference(r) => match &*r.expr {
            Expr::Path(p) => p.path.get_ident(),
            _ => None,
        },
        _ => None,
    }
}
