//! Closures whose option decides whether there is an item, `filter_map(|(k, q)| Some((k, q.as_ref()?)))`: what takes the option apart
//! becomes steps, so that the item itself may have references.
use super::tree::{Pipeline, Step};
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::pattern::{self, Renamed};
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, made, parentheses};
use crate::parse::tokens::file::SourceFile;
use crate::sema::syntax::forms::{is_name, is_variant, strip};
use crate::sema::syntax::search::{self, leaves};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprClosure, ExprMethodCall, Stmt};

/// What happens where there is no item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Without {
    /// The next one is taken.
    Next,
    /// The pipeline ends.
    End,
}

/// The methods of options that are taken apart, with their numbers of arguments.
const METHODS: [(&str, usize); 6] =
    [("as_ref", 0), ("copied", 0), ("cloned", 0), ("map", 1), ("and_then", 1), ("filter", 1)];

/// Those of them that the file has a method of its own of.
fn own_methods(text: &str) -> Vec<&'static str> {
    let names = METHODS.iter().map(|(name, _)| *name);
    let is_own = |name: &&str| {
        text.match_indices(&format!("fn {name}"))
            .any(|(at, whole)| text[at + whole.len()..].starts_with(['(', '<']))
    };
    names.filter(is_own).collect()
}

/// `cond.then_some(v)`, if nothing happens where `v` is evaluated, and `cond.then(|| v)`: the condition and the value.
fn under_condition(e: &Expr) -> Option<(&Expr, &Expr)> {
    /// A name, a number, what a name refers to, and tuples of these.
    fn is_still(e: &Expr) -> bool {
        match strip(e) {
            Expr::Tuple(t) => t.elems.iter().all(is_still),
            Expr::Reference(r) => r.mutability.is_none() && is_still(&r.expr),
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_still(&u.expr),
            Expr::Field(f) => is_still(&f.base),
            Expr::Lit(_) => true,
            e => is_name(e),
        }
    }
    let Expr::MethodCall(m) = strip(e) else { return None };
    match (m.method.to_string().as_str(), m.args.first()) {
        ("then_some", Some(value)) => (m.args.len() == 1 && is_still(value)).then_some((&*m.receiver, value)),
        ("then", Some(Expr::Closure(c))) => {
            (c.inputs.is_empty() && c.capture.is_none()).then_some((&*m.receiver, &*c.body))
        }
        _ => None,
    }
}

/// The value in `Some(v)`.
fn in_some(e: &Expr) -> Option<&Expr> {
    match strip(e) {
        Expr::Call(c) if c.args.len() == 1 => {
            matches!(&*c.func, Expr::Path(p) if is_variant(&p.path, "Some")).then(|| &c.args[0])
        }
        _ => None,
    }
}

/// Whether a block is `{ None }`.
fn is_none(e: &Expr) -> bool {
    match strip(e) {
        Expr::Block(b) if b.label.is_none() => {
            matches!(&b.block.stmts[..], [Stmt::Expr(e, None)] if is_none(e))
        }
        Expr::Path(p) => p.path.is_ident("None"),
        _ => false,
    }
}

/// Whether a block is `{ return None; }`.
fn returns_none(b: &Block) -> bool {
    matches!(&b.stmts[..], [Stmt::Expr(Expr::Return(r), _)] if r.expr.as_deref().is_some_and(is_none))
}

/// The value at the end of blocks.
fn last(e: &Expr) -> &Expr {
    match e {
        Expr::Block(b) => match b.block.stmts.last() {
            Some(Stmt::Expr(value, None)) => last(value),
            _ => e,
        },
        e => e,
    }
}

/// The closure of a `scan` as one of the item alone, whose first statement names the state.
pub(super) fn after_state(f: &Expr, state: &Ident) -> Option<Expr> {
    let Expr::Closure(c) = strip(f) else { return None };
    let [name, item] = &c.inputs.iter().collect::<Vec<_>>()[..] else { return None };
    let (name, span, body) = (pattern::plain_name(name)?, c.body.span(), &c.body);
    let stmts = match &**body {
        Expr::Block(b) if b.label.is_none() => b.block.stmts.iter().map(ToTokens::to_token_stream).collect(),
        value => value.to_token_stream(),
    };
    Some(made(quote_spanned!(span=> |#item| { let #name = &mut #state; #stmts })))
}

impl Walk<'_> {
    /// A method of an option that is taken apart. (One of the file's own may be called the same.)
    fn method_of_option<'e>(&self, e: &'e Expr) -> Option<&'e ExprMethodCall> {
        let Expr::MethodCall(m) = strip(e) else { return None };
        let name = m.method.to_string();
        let takes = |f: &Expr| matches!(f, Expr::Closure(c) if c.inputs.len() == 1 && c.capture.is_none());
        let fits = METHODS.contains(&(name.as_str(), m.args.len())) && m.args.iter().all(takes);
        let is_own = || {
            let own = |file: &SourceFile| file.shows(own_methods).contains(&name.as_str());
            SourceFile::of(m.method.span()).is_some_and(|file| own(&file))
        };
        let is_std =
            || !is_own() || self.method_of_option(&m.receiver).is_some() || self.is_an_option(&m.receiver);
        (fits && m.turbofish.is_none() && is_std()).then_some(m)
    }

    /// The item that a closure finds for each of a pipeline, after the steps that find it; if the closure shows its option.
    pub(super) fn found_item(
        &mut self,
        pipeline: &mut Pipeline,
        f: &Expr,
        without: Without,
        span: Span,
    ) -> Option<Expr> {
        let Expr::Closure(c) = f else { return None };
        let end = last(&c.body);
        let shows = matches!(self.method_of_option(end), Some(m) if m.method == "map")
            || in_some(end).is_some()
            || matches!(end, Expr::If(_))
            || under_condition(end).is_some()
            || search::any(&*c.body, |e| matches!(self.method_of_option(e), Some(m) if m.method == "as_ref"));
        if !shows || c.inputs.len() != 1 {
            return None;
        }
        self.or_undone(pipeline, |walk, pipeline| {
            let item = pipeline.item.clone();
            let body = walk.opened_with(pipeline, c, &item, Some(without), span)?;
            walk.in_option(pipeline, &body, without)
        })
    }

    /// The same of `flat_map`, where the closure gives an option for sure.
    pub(super) fn option_found(&mut self, pipeline: &mut Pipeline, f: &Expr, span: Span) -> Option<Expr> {
        let Expr::Closure(c) = f else { return None };
        let end = last(&c.body);
        let is_option = in_some(end).is_some()
            || matches!(self.method_of_option(end), Some(m) if m.method == "as_ref")
            || leaves(&*c.body);
        is_option.then(|| self.found_item(pipeline, f, Without::Next, span))?
    }

    /// What is tried adds steps only if it is possible.
    pub(super) fn or_undone<T>(
        &mut self,
        pipeline: &mut Pipeline,
        f: impl FnOnce(&mut Self, &mut Pipeline) -> Option<T>,
    ) -> Option<T> {
        let steps = pipeline.steps.len();
        let found = f(self, pipeline);
        if found.is_none() {
            pipeline.steps.truncate(steps);
        }
        found
    }

    /// The result of a closure for an item, which the closure's parameter names. `tries`: what `?` does in its statements.
    pub(super) fn opened_with(
        &mut self,
        pipeline: &mut Pipeline,
        f: &ExprClosure,
        item: &Expr,
        tries: Option<Without>,
        span: Span,
    ) -> Option<Expr> {
        let mut pat = f.inputs.first()?.clone();
        // What stands in the scope of its names from here on does not see them.
        let mut names = Renamed::default();
        self.rename(&mut pat, &mut names, span);
        pipeline.steps.push(Step::Do(quote_spanned!(span=> let #pat = #item;)));
        self.opened_body(pipeline, &f.body, names, tries, span)
    }

    /// The value at the end of a body, after its statements.
    fn opened_body(
        &mut self,
        pipeline: &mut Pipeline,
        mut body: &Expr,
        mut names: Renamed,
        tries: Option<Without>,
        span: Span,
    ) -> Option<Expr> {
        while let Expr::Block(b) = body {
            let [lets @ .., Stmt::Expr(tail, None)] = &b.block.stmts[..] else { return None };
            if b.label.is_some() {
                return None;
            }
            for s in lets {
                let mut s = s.clone();
                if let Stmt::Local(l) = &mut s {
                    if let Some(init) = &mut l.init {
                        names.visit_local_init_mut(init);
                    }
                    self.rename(&mut l.pat, &mut names, span);
                    self.tried_in(pipeline, l, tries)?;
                } else {
                    names.visit_stmt_mut(&mut s);
                }
                if self.returned_if(pipeline, &s, tries) {
                    continue;
                }
                if leaves(std::slice::from_ref(&s)) {
                    return None;
                }
                pipeline.steps.push(Step::Do(s.into_token_stream()));
            }
            body = tail;
        }
        let mut body = body.clone();
        names.visit_expr_mut(&mut body);
        Some(body)
    }

    /// `if cond { return None; }`, `let Some(v) = o else { return None };`: the step that goes on otherwise.
    fn returned_if(&mut self, pipeline: &mut Pipeline, s: &Stmt, tries: Option<Without>) -> bool {
        if let (Stmt::Local(syn::Local { pat, init: Some(init), .. }), Some(without)) = (s, tries)
            && let Some((_, diverge)) = &init.diverge
            && matches!(&**diverge, Expr::Block(b) if returns_none(&b.block))
            && !leaves(&*init.expr)
        {
            let (pat, value, span) = (pat.to_token_stream(), &init.expr, init.expr.span());
            pipeline.steps.push(match without {
                Without::Next => Step::If(quote_spanned!(span=> let #pat = #value)),
                Without::End => Step::Let(pat, value.to_token_stream()),
            });
            return true;
        }
        let (Stmt::Expr(Expr::If(i), _), Some(without)) = (s, tries) else { return false };
        let has_names = search::any(&*i.cond, |e| matches!(e, Expr::Let(_)));
        if i.else_branch.is_some() || !returns_none(&i.then_branch) || has_names || leaves(&*i.cond) {
            return false;
        }
        let cond = parentheses(i.cond.to_token_stream());
        self.passes_if(pipeline, quote_spanned!(i.if_token.span=> !#cond), without);
        true
    }

    /// `let v = o?;` as a `let` of the value in the option, after the steps that find it.
    fn tried_in(
        &mut self,
        pipeline: &mut Pipeline,
        l: &mut syn::Local,
        tries: Option<Without>,
    ) -> Option<()> {
        if let (Some(init), Some(without)) = (&mut l.init, tries)
            && init.diverge.is_none()
            && let Expr::Try(t) = strip(&init.expr)
        {
            let option = t.expr.clone();
            *init.expr = self.value_in(pipeline, &option, without)?;
        }
        Some(())
    }

    /// What is in an option, if its form shows that.
    fn in_option(&mut self, pipeline: &mut Pipeline, e: &Expr, without: Without) -> Option<Expr> {
        if let Some(value) = in_some(e) {
            return self.tried_parts(pipeline, value, without);
        }
        let span = e.span();
        if let Some((cond, value)) = under_condition(e) {
            let still = matches!(strip(e), Expr::MethodCall(m) if m.method == "then_some");
            if leaves(cond) || leaves(value) {
                return None;
            }
            self.passes_if(pipeline, cond.to_token_stream(), without);
            return match still {
                true => Some(value.clone()),
                false => self.opened_body(pipeline, value, Renamed::default(), None, span),
            };
        }
        match strip(e) {
            Expr::If(i) => {
                let (_, other) = i.else_branch.as_ref()?;
                let then = made(
                    Expr::Block(syn::ExprBlock {
                        attrs: vec![],
                        label: None,
                        block: Block::clone(&i.then_branch),
                    })
                    .into_token_stream(),
                );
                let (cond, value) = match (is_none(&then), is_none(other)) {
                    (false, true) => (i.cond.to_token_stream(), then),
                    (true, false) => {
                        let cond = parentheses(i.cond.to_token_stream());
                        (quote_spanned!(span=> !#cond), (**other).clone())
                    }
                    _ => return None,
                };
                if leaves(&*i.cond) || search::any(&*i.cond, |e| matches!(e, Expr::Let(_))) {
                    return None;
                }
                self.passes_if(pipeline, cond, without);
                let value = self.opened_body(pipeline, &value, Renamed::default(), Some(without), span)?;
                self.in_option(pipeline, &value, without)
            }
            e => {
                let m = self.method_of_option(e)?;
                let closure = match m.args.first() {
                    Some(Expr::Closure(c)) => Some(c),
                    _ => None,
                };
                match (m.method.to_string().as_str(), closure) {
                    ("as_ref", _) => {
                        let of = strip(&m.receiver);
                        is_place(of).then_some(())?;
                        let name = self.binds(pipeline, of, without);
                        Some(made(quote_spanned!(span=> &#name)))
                    }
                    ("map", Some(f)) => {
                        let item = self.value_in(pipeline, &m.receiver, without)?;
                        let value = self.opened_with(pipeline, f, &item, None, span)?;
                        (!leaves(&value)).then_some(value)
                    }
                    ("and_then", Some(f)) => {
                        let item = self.value_in(pipeline, &m.receiver, without)?;
                        let option = self.opened_with(pipeline, f, &item, Some(without), span)?;
                        self.value_in(pipeline, &option, without)
                    }
                    ("filter", Some(_)) => {
                        let mut item = self.value_in(pipeline, &m.receiver, without)?;
                        if !is_name(&item) && !matches!(item, Expr::Reference(_)) {
                            let name = self.fresh("value", span);
                            pipeline.steps.push(Step::Do(quote_spanned!(span=> let #name = #item;)));
                            item = made(name.into_token_stream());
                        }
                        let cond = call(&m.args[0], &[quote_spanned!(span=> &#item)], span);
                        self.passes_if(pipeline, cond.into_token_stream(), without);
                        Some(item)
                    }
                    // Of a reference that is known.
                    ("copied" | "cloned", _) => match self.in_option(pipeline, &m.receiver, without)? {
                        Expr::Reference(r) => Some(*r.expr),
                        _ => None,
                    },
                    _ => None,
                }
            }
        }
    }

    /// What is in an option.
    fn value_in(&mut self, pipeline: &mut Pipeline, e: &Expr, without: Without) -> Option<Expr> {
        if let Some(item) = self.or_undone(pipeline, |walk, pipeline| walk.in_option(pipeline, e, without)) {
            return Some(item);
        }
        if let Some((option, shape)) = self.of_reference(e) {
            let name = self.binds(pipeline, &option, without);
            return Some(made(shape.of_name(&name)));
        }
        (!leaves(e)).then(|| made(self.binds(pipeline, e, without)))
    }

    /// The step that binds a name to what is in an option.
    fn binds(&mut self, pipeline: &mut Pipeline, option: &Expr, without: Without) -> TokenStream {
        let (span, name) = (option.span(), self.fresh("value", option.span()));
        // (It may be a reference to one, whose methods take the value.)
        let option = match option {
            Expr::Path(_) => quote_spanned!(span=> ::omp::__private::value_of(#option)),
            option => option.to_token_stream(),
        };
        let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#name));
        pipeline.steps.push(match without {
            Without::Next => Step::If(quote_spanned!(span=> let #some = #option)),
            Without::End => Step::Let(some, option),
        });
        name.into_token_stream()
    }

    /// The step of a condition for an item.
    fn passes_if(&mut self, pipeline: &mut Pipeline, cond: TokenStream, without: Without) {
        pipeline.steps.push(match without {
            Without::Next => Step::If(cond),
            Without::End => {
                let cond = parentheses(cond);
                Step::Until(quote!(!#cond), pipeline.label.clone())
            }
        });
    }

    /// The value in `Some(v)`, in whose parts `?` may stand: the other parts before it are evaluated before.
    fn tried_parts(&mut self, pipeline: &mut Pipeline, e: &Expr, without: Without) -> Option<Expr> {
        match strip(e) {
            Expr::Try(t) => self.value_in(pipeline, &t.expr, without),
            Expr::Tuple(t) if leaves(e) => {
                let mut parts = Vec::new();
                for (k, part) in t.elems.iter().enumerate() {
                    let later = t.elems.iter().skip(k + 1).any(leaves);
                    parts.push(match self.tried_parts(pipeline, part, without)? {
                        // (A reference gets a name, too, which stands for it.)
                        value if is_name(&value) || !later && !matches!(value, Expr::Reference(_)) => value,
                        value => {
                            let (name, span) = (self.fresh("part", value.span()), value.span());
                            pipeline.steps.push(Step::Do(quote_spanned!(span=> let #name = #value;)));
                            made(name.into_token_stream())
                        }
                    });
                }
                let span = e.span();
                Some(made(quote_spanned!(span=> (#(#parts,)*))))
            }
            _ => (!leaves(e)).then(|| e.clone()),
        }
    }

    /// Other names for the variables of a pattern.
    fn rename(&mut self, pat: &mut syn::Pat, names: &mut Renamed, span: Span) {
        for name in pattern::names(pat) {
            names.0.insert(name.to_string(), self.fresh(&name.to_string(), span.located_at(name.span())));
        }
        names.visit_pat_mut(pat);
    }
}
