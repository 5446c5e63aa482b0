//! Iterators as values: `x.iter().map(|v| v * v).sum::<f64>()` becomes a block with a loop and a variable.
//!
//! The source and the adaptors that keep the number of items stay the head of the loop, which [`crate::iterate::loops::walk`] makes a
//! counted loop. `map`, `filter` and similar adaptors become statements of its body: calls of their closures, which
//! [`super::closure`] inlines. So the kernel is the same as that of a plain loop.
//!
//! A [`Pipeline`] is such a loop while it is built: each adaptor adds a step to it, or is refused (`Walk::adaptor`). The method that ends
//! the chain (`sum`, `fold`, `any`, …) then makes the variable and the statement for each item ([`ends`]).
mod ends;

use super::option::call;
use crate::diag::Code;
use crate::iterate::loops::chain::is_chain;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Walk, known};
use crate::iterate::tokens::{in_head, made, parentheses};
use crate::parse::tokens::leaves::{idents, mentions};
use crate::sema::syntax::forms::is_name;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprForLoop, ExprMethodCall};

/// A loop that goes through the items of an iterator.
pub(super) struct Pipeline {
    /// The loop's pattern and what it goes through.
    pat: TokenStream,
    base: Expr,
    /// Variables that count, and options that are evaluated where the chain is made.
    before: Vec<TokenStream>,
    /// How many of these are options.
    options: usize,
    /// The steps before there is an item, outermost first.
    steps: Vec<Step>,
    /// The item; each mention of it evaluates it.
    item: Expr,
    /// Around several loops: what a `break` leaves.
    label: Option<syn::Lifetime>,
    /// The loops that run before it, whose items have the name that the item has here.
    earlier: Vec<Source>,
    /// Which of the steps are of this loop alone.
    own: usize,
    /// The base is an option.
    option: bool,
}

/// A loop whose items come before those of another one.
struct Source {
    pat: TokenStream,
    base: Expr,
    steps: Vec<Step>,
    /// The base is an option, which has one item at most.
    option: bool,
}

#[derive(Clone)]
enum Step {
    /// Statements.
    Do(TokenStream),
    /// The item is one under this condition.
    If(TokenStream),
    /// It is the first that is none.
    Until(TokenStream),
    /// There is an item for each item of this iterator.
    For(TokenStream, Box<Expr>),
}

impl Pipeline {
    /// Whether each item of the base is one.
    fn is_complete(&self) -> bool {
        self.earlier.is_empty() && self.steps.iter().all(|s| matches!(s, Step::Do(_)))
    }

    /// Over a base as it is.
    fn over(name: Ident, base: Expr) -> Self {
        let item = made(name.to_token_stream());
        let pat = name.into_token_stream();
        Self {
            pat,
            base,
            before: vec![],
            options: 0,
            steps: vec![],
            item,
            label: None,
            earlier: vec![],
            own: 0,
            option: false,
        }
    }

    /// The statement that ends all loops.
    fn leave(&self, span: Span) -> TokenStream {
        let label = &self.label;
        quote_spanned!(span=> break #label;)
    }

    /// A variable in a range or an argument of a part that is evaluated after the first one's items, if the loop's body changes it.
    fn read_late(&self, body: &syn::Block) -> Option<String> {
        let [_, later @ ..] = &self.earlier[..] else { return None };
        // (A variable of the body's own may have the name, too. The outer one may change as well.)
        let changed = crate::iterate::changed(&syn::parse_quote!(#body));
        let mut found = None;
        for base in later.iter().map(|s| &s.base).chain([&self.base]) {
            search::walk(base, |e| {
                let parts: Vec<&Expr> = match e {
                    Expr::Range(r) => r.start.iter().chain(&r.end).map(|e| &**e).collect(),
                    Expr::MethodCall(m) => m.args.iter().collect(),
                    _ => Vec::new(),
                };
                let names = parts.into_iter().flat_map(|e| idents(e.to_token_stream()));
                found = found
                    .take()
                    .or_else(|| names.map(|name| name.to_string()).find(|name| changed.contains(name)));
                true
            });
        }
        found
    }

    /// The loop around what is done with each item.
    fn around(&self, body: &TokenStream, label: Option<&syn::Label>, span: Span) -> TokenStream {
        let leave = self.leave(span);
        let under = |steps: &[Step], body: TokenStream| {
            steps.iter().rev().fold(body, |body, step| match step {
                Step::Do(stmts) => quote!(#stmts #body),
                Step::If(cond) => quote_spanned!(span=> if #cond { #body }),
                Step::Until(cond) => quote_spanned!(span=> if #cond { #leave } #body),
                Step::For(pat, base) => quote_spanned!(span=> for #pat in #base { #body }),
            })
        };
        let (own, common) = self.steps.split_at(self.own);
        let body = under(common, body.clone());
        let all = self.earlier.iter().map(|s| {
            let (pat, base, body) = (&s.pat, in_head(&s.base), under(&s.steps, body.clone()));
            if s.option {
                let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
                quote_spanned!(span=> if let #option::Some(#pat) = #base { #body })
            } else {
                quote_spanned!(span=> for #pat in #base { #body })
            }
        });
        let all: Vec<TokenStream> = all.collect();
        let (pat, base, body) = (&self.pat, in_head(&self.base), under(own, body));
        if !all.is_empty() {
            let label = &self.label;
            let last = if self.option {
                let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
                quote_spanned!(span=> if let #option::Some(#pat) = #base { #body })
            } else {
                quote_spanned!(span=> for #pat in #base { #body })
            };
            return quote_spanned!(span=> #label: { #(#all)* #last });
        }
        match &self.label {
            Some(own) => quote_spanned!(span=> #own: for #pat in #base { #body }),
            None => quote_spanned!(span=> #label for #pat in #base { #body }),
        }
    }
}

/// Whether an expression of adaptors, names and numbers has no call that could do anything else.
fn gives_a_value(e: &Expr) -> bool {
    !search::any(e, |e| match e {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::Group(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Range(_)
        | Expr::Reference(_)
        | Expr::Unary(_)
        | Expr::Cast(_) => false,
        Expr::Binary(b) => crate::sema::reduction::updates::is_assignment(&b.op),
        Expr::MethodCall(m) => !is_chain(e, &|_| None) && m.method != "len" && m.method != "min",
        _ => true,
    })
}

/// Whether a body leaves a loop early, or names one.
struct Leaves {
    /// For an option the body stands in no loop.
    option: bool,
    found: bool,
}

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expr_break(&mut self, _: &'ast syn::ExprBreak) {
        self.found = true;
    }
    fn visit_expr_continue(&mut self, c: &'ast syn::ExprContinue) {
        self.found |= self.option || c.label.is_some();
    }
}

/// `x.iter_mut().chain(y.iter_mut())`: no expression is the place of either element.
fn chains_exclusive(e: &Expr) -> bool {
    fn is_exclusive(e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => is_exclusive(&p.expr),
            Expr::Group(g) => is_exclusive(&g.expr),
            Expr::Reference(r) => r.mutability.is_some(),
            Expr::MethodCall(m) => m.method == "iter_mut" || is_exclusive(&m.receiver),
            _ => false,
        }
    }
    matches!(e, Expr::MethodCall(m) if m.method == "chain" && m.args.len() == 1
        && (is_exclusive(&m.receiver) || is_exclusive(&m.args[0])))
}

/// Whether the items of a chain are the `&mut` of `x.iter_mut()` themselves.
fn gives_exclusive(e: &Expr) -> bool {
    const KEEP: [&str; 8] =
        ["rev", "skip", "take", "step_by", "filter", "take_while", "skip_while", "inspect"];
    match strip(e) {
        Expr::MethodCall(m) => {
            m.method == "iter_mut" || KEEP.iter().any(|name| m.method == name) && gives_exclusive(&m.receiver)
        }
        _ => false,
    }
}

/// Whether the argument of `chain` is an option: the call of a function, `Some(v)`, `once(v)`.
fn is_option(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(_) => true,
        Expr::Call(c) => matches!(&*c.func, Expr::Path(_)),
        _ => false,
    }
}

/// Whether an expression is a function of std, by the end of its path.
fn names(e: &Expr, of_std: [&str; 2]) -> bool {
    matches!(e, Expr::Path(p) if p.path.segments.len() >= 2
        && p.path.segments.iter().rev().zip(of_std.iter().rev()).all(|(s, name)| s.ident == name))
}

/// `u32::to_le_bytes`, of which an array comes.
fn is_of_bytes(p: &syn::ExprPath) -> bool {
    p.path.segments.len() == 2
        && ["to_le_bytes", "to_be_bytes", "to_ne_bytes"].iter().any(|name| p.path.segments[1].ident == name)
}

/// An array that is written out, or what a function gives, if its tokens don't show an option.
fn gives_an_array(e: &Expr) -> bool {
    match strip(e) {
        Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Call(_) | Expr::MethodCall(_) => !super::declared::gives_option(e),
        _ => false,
    }
}

/// `.into_iter()`, `.fuse()`, `.clone()`: of an iterator, the iterator itself.
fn is_itself(m: &ExprMethodCall) -> bool {
    m.args.is_empty() && (m.method == "into_iter" || m.method == "fuse" || m.method == "clone")
}

impl Walk<'_> {
    /// The method call that ends a chain of iterators, as a block.
    pub(in crate::iterate) fn adapted(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let name = m.method.to_string();
        // A field is no iterator: a method of that name is its type's own.
        if !ENDS.contains(&(name.as_str(), m.args.len()))
            || matches!(strip(&m.receiver), Expr::Field(_))
            || !self.is_pipeline(&m.receiver)
        {
            return None;
        }
        if (name == "max" || name == "min") && gives_exclusive(&m.receiver) {
            // References to elements are compared by these.
            let (items, span) = (&m.receiver, m.method.span());
            let by = Ident::new(&format!("{name}_by_key"), span);
            let item = self.fresh("item", span);
            return self.adapted(&made(quote_spanned!(span=> #items.#by(|#item| **#item))));
        }
        if let Some(first) = self.receiver_first(m, m.args.first().filter(|_| name.ends_with("fold"))) {
            return Some(first);
        }
        if name == "rfold" {
            let (items, args, span) = (&m.receiver, &m.args, m.method.span());
            return self.adapted(&made(quote_spanned!(span=> #items.rev().fold(#args))));
        }
        if self.copies_what_changes(m.args.iter().filter(|arg| matches!(arg, Expr::Path(_)))) {
            return None;
        }
        let pipeline = self.pipeline(&m.receiver)?;
        if self.leaks(&pipeline, e, None) {
            return None;
        }
        self.end(pipeline, m)
    }

    /// `x.iter().enumerate().max_by(f).unwrap().0`: of the item that is found, the part is kept, as the whole holds references.
    pub(in crate::iterate) fn part_of_found(&self, e: &mut Expr) {
        let Expr::Field(f) = e else { return };
        let (syn::Member::Unnamed(n), Expr::MethodCall(m)) = (&f.member, &*f.base) else { return };
        let Expr::MethodCall(found) = &*m.receiver else { return };
        let unwraps = m.method == "unwrap" && m.args.is_empty() || m.method == "expect" && m.args.len() == 1;
        if !unwraps || !may_find(found) || !self.is_pipeline(&found.receiver) {
            return;
        }
        let (span, method, args) = (f.span(), &m.method, &m.args);
        *e = made(quote_spanned!(span=> #found.map(|__omp_found| __omp_found.#n).#method(#args)));
    }

    /// Refuses a chain where a name that a closure of `flat_map` binds means something else around it, as what the chain does with
    /// its items stands in the scope of that name.
    fn leaks(&mut self, pipeline: &Pipeline, chain: &Expr, body: Option<(&syn::Pat, &syn::Block)>) -> bool {
        /// Uses of a name outside of the closure, and of others that bind it.
        struct Free<'n>(&'n Ident, &'n syn::ExprClosure, bool);
        impl<'e> Visit<'e> for Free<'_> {
            fn visit_expr_closure(&mut self, c: &'e syn::ExprClosure) {
                let binds = || c.inputs.iter().flat_map(pattern::names).any(|name| name == *self.0);
                if !std::ptr::eq(c, self.1) && !binds() {
                    visit::visit_expr_closure(self, c);
                }
            }
            fn visit_expr_path(&mut self, p: &'e syn::ExprPath) {
                self.2 |= p.path.is_ident(self.0);
            }
            fn visit_macro(&mut self, m: &'e syn::Macro) {
                self.2 |= mentions(m.tokens.clone(), &self.0.to_string());
            }
        }
        if !pipeline.steps.iter().any(|s| matches!(s, Step::For(..))) {
            return false;
        }
        let mut closures: Vec<&syn::ExprClosure> = Vec::new();
        search::each(chain, |e| {
            if let Expr::MethodCall(m) = e
                && let (true, Some(Expr::Closure(f))) = (m.method == "flat_map", m.args.first())
            {
                closures.push(f);
            }
        });
        for f in closures {
            let mut names = Names::default();
            names.visit_expr_closure(f);
            let names: Vec<Ident> = names.bound.iter().map(|p| p.ident.clone()).collect();
            let leaks = |name: &&Ident| {
                let mut free = Free(name, f, false);
                free.visit_expr(chain);
                if let Some((pat, body)) = body
                    && !pattern::names(pat).contains(name)
                {
                    free.visit_block(body);
                }
                free.2
            };
            if let Some(name) = names.iter().find(leaks) {
                let message = format!(
                    "`{name}` of a closure of `flat_map` has the name of something else in the chain"
                );
                self.sink().error_at(Code::NotCanonical, name, message).help("give it another name");
                return true;
            }
        }
        false
    }

    /// A `for` over a chain with adaptors that have closures.
    pub(in crate::iterate) fn adapted_loop(&mut self, f: &ExprForLoop) -> Option<Expr> {
        if self.is_native(&f.expr) || !self.is_pipeline(&f.expr) {
            return None;
        }
        // `r.clone()` is a range as it stands.
        if matches!(strip(&f.expr), Expr::MethodCall(m) if m.method == "clone" && matches!(&*m.receiver, Expr::Path(_)))
        {
            return None;
        }
        let pipeline = self.pipeline(&f.expr)?;
        // A range under a name, say: nothing is written out.
        let text = |e: &Expr| e.to_token_stream().to_string();
        if pipeline.steps.is_empty() && text(&pipeline.base) == text(&f.expr) {
            return None;
        }
        if !pipeline.earlier.is_empty() || pipeline.steps.iter().any(|s| matches!(s, Step::For(..))) {
            let option = pipeline.option || pipeline.earlier.iter().any(|s| s.option);
            let mut leaves = Leaves { option, found: false };
            leaves.visit_block(&f.body);
            if leaves.found {
                let message = if option {
                    "`break`, `continue` or a label in a `for` over `chain` with an option"
                } else {
                    "`break` or a label in a `for` over `flat_map`, `flatten` or `chain`"
                };
                self.sink().error_at(Code::NotCanonical, &f.expr, message).help("write two loops");
                return None;
            }
            if self.leaks(&pipeline, &f.expr, Some((&f.pat, &f.body))) {
                return None;
            }
            if let Some(name) = pipeline.read_late(&f.body) {
                let message =
                    format!("`{name}` is used by a later part of the chain, and changes in the loop");
                self.sink()
                    .error_at(Code::NotCanonical, &f.expr, message)
                    .help(format!("copy it before the loop: `let {name}_now = {name};`"));
                return None;
            }
        }
        let (pat, item, body, span) = (&f.pat, &pipeline.item, &f.body, f.expr.span());
        let inner = &body.stmts;
        let body = quote_spanned!(span=> let #pat = #item; #(#inner)*);
        let (before, whole) = (&pipeline.before, pipeline.around(&body, f.label.as_ref(), span));
        Some(made(if before.is_empty() { whole } else { quote_spanned!(span=> { #(#before)* #whole }) }))
    }

    /// The head of a parallel loop with adaptors that have closures: what they do stands in its body. Whether it was one. What it
    /// goes through is evaluated twice, by the serial copy too, so nothing in it may do more than give a value.
    pub(in crate::iterate) fn adapted_head(&mut self, f: &mut ExprForLoop) -> bool {
        if self.is_native(&f.expr) || !self.is_pipeline(&f.expr) || matches!(&*f.expr, Expr::Path(_)) {
            return false;
        }
        let closures_alone = |e: &Expr| match e {
            Expr::MethodCall(m) => matches!(m.method.to_string().as_str(), "map" | "filter" | "enumerate"),
            _ => true,
        };
        let mut head = &*f.expr;
        while let Expr::MethodCall(m) = head
            && !self.is_native(head)
        {
            if !closures_alone(head) {
                return false;
            }
            head = &m.receiver;
        }
        if !gives_a_value(head) {
            return false;
        }
        let Some(pipeline) = self.pipeline(&f.expr) else { return false };
        let each = |s: &Step| matches!(s, Step::Do(_) | Step::If(_));
        if !pipeline.earlier.is_empty() || !pipeline.before.is_empty() || !pipeline.steps.iter().all(each) {
            return false;
        }
        let (pat, item, inner, span) = (&f.pat, &pipeline.item, &f.body.stmts, f.expr.span());
        let body = quote_spanned!(span=> let #pat = #item; #(#inner)*);
        let whole = pipeline.around(&body, f.label.as_ref(), span);
        let Ok(Expr::ForLoop(whole)) = syn::parse2(whole) else { return false };
        (f.pat, f.expr) = (whole.pat, whole.expr);
        f.body.stmts = whole.body.stmts;
        true
    }

    /// The head of a loop as it is counted.
    pub(in crate::iterate) fn is_native(&self, e: &Expr) -> bool {
        crate::iterate::loops::chain::is_plain(e)
            || is_chain(e, &|name| known(&self.scopes, self.kinds, name))
                && !self.zips_pipeline(e)
                && !chains_exclusive(e)
                && !self.flattens_options(e)
    }

    /// Whether an adaptor of an iterator takes the values out of options.
    fn flattens_options(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.flattens_options(&p.expr),
            Expr::Group(g) => self.flattens_options(&g.expr),
            Expr::MethodCall(m) => {
                m.method == "flatten" && self.gives_options(&m.receiver) || self.flattens_options(&m.receiver)
            }
            _ => false,
        }
    }

    /// Whether what is zipped with one has closures.
    fn zips_pipeline(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::MethodCall(m) => {
                let zipped = m.method == "zip"
                    && m.args.first().is_some_and(|other| self.is_pipeline(other) && !self.is_native(other));
                zipped || self.zips_pipeline(&m.receiver)
            }
            _ => false,
        }
    }

    /// Whether an expression is an iterator.
    pub(in crate::iterate) fn is_pipeline(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| self.names_range(name)),
            e if self.is_native(e) => !matches!(e, Expr::Reference(_)),
            Expr::MethodCall(m) => {
                (is_itself(m) || ADAPTORS.contains(&(m.method.to_string().as_str(), m.args.len())))
                    && self.is_pipeline(&m.receiver)
            }
            _ => false,
        }
    }

    fn pipeline(&mut self, e: &Expr) -> Option<Pipeline> {
        match e {
            Expr::Paren(p) if !matches!(&*p.expr, Expr::Range(_)) => return self.pipeline(&p.expr),
            Expr::Group(g) => return self.pipeline(&g.expr),
            _ => {}
        }
        if self.is_native(e) || matches!(e, Expr::Path(_)) {
            let name = self.fresh("item", e.span());
            return Some(Pipeline::over(name, e.clone()));
        }
        let Expr::MethodCall(m) = e else { return None };
        if self.copies_what_changes(&m.args) {
            return None;
        }
        let pipeline = self.pipeline(&m.receiver)?;
        if is_itself(m) {
            return Some(pipeline);
        }
        self.adaptor(pipeline, m)
    }

    /// Adds the step of one more adaptor.
    fn adaptor(&mut self, mut pipeline: Pipeline, m: &ExprMethodCall) -> Option<Pipeline> {
        let span = m.method.span();
        match m.method.to_string().as_str() {
            "map" => {
                let item = &pipeline.item;
                pipeline.item = call(&m.args[0], &[quote!(#item)], span);
            }
            "filter" => {
                let item = self.named(&mut pipeline, span);
                let cond = call(&m.args[0], &[quote_spanned!(span=> &#item)], span);
                pipeline.steps.push(Step::If(cond.into_token_stream()));
            }
            "take_while" => {
                let item = self.named(&mut pipeline, span);
                let cond = call(&m.args[0], &[quote_spanned!(span=> &#item)], span);
                let cond = parentheses(cond.into_token_stream());
                pipeline.steps.push(Step::Until(quote_spanned!(span=> !#cond)));
            }
            "skip_while" => {
                let (item, over) = (self.named(&mut pipeline, span), self.fresh("over", span));
                let cond = call(&m.args[0], &[quote_spanned!(span=> &#item)], span);
                pipeline.before.push(quote_spanned!(span=> let mut #over = false;));
                pipeline.steps.push(Step::Do(quote_spanned!(span=> if !#over { #over = !#cond; })));
                pipeline.steps.push(Step::If(over.into_token_stream()));
            }
            "inspect" => {
                let item = self.named(&mut pipeline, span);
                let done = call(&m.args[0], &[quote_spanned!(span=> &#item)], span);
                pipeline.steps.push(Step::Do(quote_spanned!(span=> #done;)));
            }
            "filter_map" | "map_while" => {
                let item = &pipeline.item;
                let same = names(&m.args[0], ["convert", "identity"]);
                let as_ref = names(&m.args[0], ["Option", "as_ref"]);
                let found = match () {
                    () if same => item.clone(),
                    () if as_ref => made(quote_spanned!(span=> *#item)),
                    () => call(&m.args[0], &[quote!(#item)], span),
                };
                let value = self.fresh("value", span);
                let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                pipeline.steps.push(if m.method == "filter_map" {
                    Step::If(quote_spanned!(span=> let #some = #found))
                } else {
                    let leave = pipeline.leave(span);
                    Step::Do(quote_spanned!(span=> let #some = #found else { #leave };))
                });
                pipeline.item = made(if as_ref { quote_spanned!(span=> &#value) } else { quote!(#value) });
            }
            "scan" => {
                let (state, value) = (self.fresh("state", span), self.fresh("value", span));
                let (init, item) = (&m.args[0], &pipeline.item);
                let next = call(&m.args[1], &[quote_spanned!(span=> &mut #state), quote!(#item)], span);
                let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                let leave = pipeline.leave(span);
                pipeline.before.push(quote_spanned!(span=> let mut #state = #init;));
                pipeline.steps.push(Step::Do(quote_spanned!(span=> let #some = #next else { #leave };)));
                pipeline.item = made(value.into_token_stream());
            }
            "copied" | "cloned" => {
                // Of a reference that a closure gives.
                let item = &pipeline.item;
                pipeline.item = made(quote_spanned!(span=> *#item));
            }
            "enumerate" if pipeline.is_complete() => {
                let number = self.fresh("number", span);
                let (pat, base, item) = (&pipeline.pat, &pipeline.base, &pipeline.item);
                let item = made(quote_spanned!(span=> (#number, #item)));
                let pat = quote_spanned!(span=> (#number, #pat));
                let base = made(quote_spanned!(span=> #base.enumerate()));
                pipeline = Pipeline { pat, base, item, ..pipeline };
            }
            "enumerate" => {
                let (next, number) = (self.fresh("next", span), self.fresh("number", span));
                pipeline.before.push(quote_spanned!(span=> let mut #next = 0usize;));
                pipeline.steps.push(Step::Do(quote_spanned!(span=> let #number = #next; #next += 1;)));
                let item = &pipeline.item;
                pipeline.item = made(quote_spanned!(span=> (#number, #item)));
            }
            // It would end the inner loop alone.
            "take"
                if !pipeline.earlier.is_empty()
                    || pipeline.steps.iter().any(|s| matches!(s, Step::For(..))) =>
            {
                return self.refused(m);
            }
            "take" => {
                let left = self.fresh("left", span);
                let n = &m.args[0];
                pipeline.before.push(quote_spanned!(span=> let mut #left: usize = #n;));
                pipeline.steps.insert(0, Step::Until(quote_spanned!(span=> #left == 0)));
                pipeline.steps.push(Step::Do(quote_spanned!(span=> #left -= 1;)));
            }
            "skip" => {
                let left = self.fresh("left", span);
                let n = &m.args[0];
                let item = self.named(&mut pipeline, span);
                pipeline.item = item;
                pipeline.before.push(quote_spanned!(span=> let mut #left: usize = #n;));
                let skips = self.fresh("skips", span);
                pipeline.steps.push(Step::Do(quote_spanned!(span=>
                    let #skips = #left > 0;
                    if #skips { #left -= 1; }
                )));
                pipeline.steps.push(Step::If(quote_spanned!(span=> !#skips)));
            }
            "flat_map" | "flatten" if !pipeline.earlier.is_empty() => return self.refused(m),
            "flat_map" | "flatten" => {
                let label = self.fresh("items", span);
                pipeline.label.get_or_insert(syn::Lifetime { apostrophe: label.span(), ident: label });
                let inner = match m.args.first() {
                    None if self.gives_options(&m.receiver) => {
                        let (value, span) = (self.fresh("value", span), span);
                        let some =
                            quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                        let shared = matches!(&*m.receiver, Expr::MethodCall(of) if of.method == "iter");
                        let item = &pipeline.item;
                        let item = if shared { quote_spanned!(span=> *#item) } else { quote!(#item) };
                        pipeline.steps.push(Step::If(quote_spanned!(span=> let #some = #item)));
                        pipeline.label = None;
                        pipeline.item =
                            made(if shared { quote_spanned!(span=> &#value) } else { quote!(#value) });
                        return Some(pipeline);
                    }
                    Some(Expr::Path(p)) if is_of_bytes(p) => {
                        let (f, item, bytes) = (&m.args[0], &pipeline.item, self.fresh("bytes", span));
                        pipeline.steps.push(Step::Do(quote_spanned!(span=> let #bytes = #f(#item);)));
                        Some(made(quote_spanned!(span=> #bytes.iter().copied())))
                    }
                    Some(f) => match self.opened(&mut pipeline, f, span) {
                        // `|i| [i - 1, i + 1]`, `|i| neighbours(i)`: an array, of which rustc knows that it is one.
                        Some(array) if !self.is_pipeline(&array) && gives_an_array(&array) => {
                            let items = self.fresh("array", span);
                            pipeline.steps.push(Step::Do(quote_spanned!(span=> let #items = #array;)));
                            Some(made(quote_spanned!(span=> #items.iter().copied())))
                        }
                        inner => inner,
                    },
                    None => {
                        let item = self.named(&mut pipeline, span);
                        Some(made(quote_spanned!(span=> #item.iter())))
                    }
                };
                let Some(inner) = inner.filter(|inner| self.is_pipeline(inner)) else {
                    return self.refused(m);
                };
                let inner = self.pipeline(&inner)?;
                if !(inner.before.is_empty() && inner.earlier.is_empty())
                    || inner.steps.iter().any(|s| matches!(s, Step::Until(_)))
                {
                    return self.refused(m);
                }
                pipeline.steps.push(Step::For(inner.pat, Box::new(inner.base)));
                pipeline.steps.extend(inner.steps);
                pipeline.item = inner.item;
            }
            "chain" if pipeline.before.len() == pipeline.options => {
                let mut options = std::mem::take(&mut pipeline.before);
                // (Such a part is read with its item.)
                if super::zips::reads_option(&m.receiver) || super::zips::reads_option(&m.args[0]) {
                    return self.refused(m);
                }
                let of_field =
                    super::option::changes_field(&m.args[0]) || super::declared::is_option_alone(&m.args[0]);
                let last = if self.is_pipeline(&m.args[0]) && !of_field {
                    self.pipeline(&m.args[0])?
                } else if of_field || is_option(&m.args[0]) {
                    let (name, mut option) = (self.fresh("item", span), m.args[0].clone());
                    if let Expr::Call(c) = &mut option
                        && c.args.len() == 1
                        && names(&c.func, ["iter", "once"])
                    {
                        *c.func = made(quote_spanned!(span=> ::omp::__private::core::option::Option::Some));
                    }
                    // A value is taken where the chain is made, before the items that come first.
                    let by_value = of_field || !self.is_optional(&option);
                    if by_value {
                        let value = self.fresh("option", span);
                        options.push(quote_spanned!(span=> let #value = #option;));
                        option = made(value.into_token_stream());
                    }
                    Pipeline { option: true, ..Pipeline::over(name, option) }
                } else {
                    return self.refused(m);
                };
                if !(last.before.is_empty() && last.earlier.is_empty()) {
                    return self.refused(m);
                }
                // One name for the items of all.
                let name = match &pipeline.item {
                    Expr::Path(p) if !pipeline.earlier.is_empty() => p.to_token_stream(),
                    _ => self.fresh("value", span).into_token_stream(),
                };
                let named = |item: &Expr| Step::Do(quote_spanned!(span=> let #name = #item;));
                let label = self.fresh("items", span);
                let (own, common) = pipeline.steps.split_at(pipeline.own);
                // What ends the first would end the second.
                if pipeline.steps.iter().any(|s| matches!(s, Step::Until(_)))
                    || !pipeline.earlier.is_empty() && !common.is_empty()
                {
                    return self.refused(m);
                }
                let steps = own.iter().chain(common).cloned();
                let steps = match pipeline.earlier.is_empty() {
                    true => steps.chain([named(&pipeline.item)]).collect(),
                    false => steps.collect(),
                };
                let Pipeline { pat, base, option, label: around, mut earlier, .. } = pipeline;
                if around.is_some() && earlier.is_empty() || last.label.is_some() {
                    return self.refused(m);
                }
                earlier.push(Source { pat, base, steps, option });
                let mut steps = last.steps;
                steps.push(named(&last.item));
                let label = around.or(Some(syn::Lifetime { apostrophe: label.span(), ident: label }));
                let (item, own) = (made(name), steps.len());
                pipeline = Pipeline {
                    options: options.len(),
                    before: options,
                    earlier,
                    own,
                    steps,
                    item,
                    label,
                    ..Pipeline::over(Ident::new("__omp_none", span), last.base.clone())
                };
                (pipeline.pat, pipeline.option) = (last.pat, last.option);
            }
            "rev" if pipeline.is_complete() && pipeline.before.is_empty() => {
                let base = &pipeline.base;
                pipeline.base = made(quote_spanned!(span=> #base.rev()));
            }
            "zip" if pipeline.is_complete() && pipeline.before.is_empty() => {
                let other = self.other(&m.args[0], span)?;
                if !(other.is_complete() && other.before.is_empty()) {
                    let Some(zipped) = self.zipped(&pipeline, other, &m.receiver, span) else {
                        return self.refused(m);
                    };
                    return Some(zipped);
                }
                let (pat, base, item) = (&pipeline.pat, &pipeline.base, &pipeline.item);
                let (other_pat, other_base, other_item) = (&other.pat, &other.base, &other.item);
                let pat = quote_spanned!(span=> (#pat, #other_pat));
                let base = made(quote_spanned!(span=> #base.zip(#other_base)));
                let item = made(quote_spanned!(span=> (#item, #other_item)));
                let steps = pipeline.steps.iter().cloned().chain(other.steps).collect();
                pipeline = Pipeline { pat, base, item, steps, ..pipeline };
            }
            _ => return self.refused(m),
        }
        Some(pipeline)
    }

    /// `x.iter_mut().zip(other)`, where `other` leaves out items or has several for each of its base: it is what is gone through, and a
    /// number counts the elements of `x`. The end of `x` is found before an item of `other` is taken, as in `zip`.
    fn zipped(&mut self, first: &Pipeline, other: Pipeline, receiver: &Expr, span: Span) -> Option<Pipeline> {
        let Expr::MethodCall(m) = receiver else { return None };
        let elements = (m.method == "iter" || m.method == "iter_mut")
            && m.args.is_empty()
            && crate::iterate::loops::chain::is_place(&m.receiver)
            && matches!(&*m.receiver, Expr::Path(_) | Expr::Field(_));
        if !(elements && first.steps.is_empty() && other.earlier.is_empty() && !other.option) {
            return None;
        }
        let count = self.fresh("count", span);
        let array = &m.receiver;
        let ends = Step::Until(quote_spanned!(span=> #count == #array.len()));
        let mut steps = vec![ends.clone()];
        for step in other.steps {
            let several = matches!(step, Step::For(..));
            steps.push(step);
            if several {
                steps.push(ends.clone());
            }
        }
        let value = self.fresh("value", span);
        let (item, pat, base) = (&other.item, &first.pat, &first.base);
        steps.push(Step::Do(quote_spanned!(span=> let #value = #item; #count += 1;)));
        steps.push(Step::For(
            pat.clone(),
            Box::new(made(quote_spanned!(span=> #base.skip(#count - 1).take(1)))),
        ));
        let mut before = other.before;
        before.push(quote_spanned!(span=> let mut #count = 0usize;));
        let item = &first.item;
        let item = made(quote_spanned!(span=> (#item, #value)));
        let label = self.fresh("items", span);
        let label = other.label.or(Some(syn::Lifetime { apostrophe: label.span(), ident: label }));
        Some(Pipeline {
            steps,
            before,
            item,
            label,
            pat: other.pat,
            base: other.base,
            ..Pipeline::over(value, (**array).clone())
        })
    }

    /// The argument of `zip`: an iterator, or what becomes one.
    fn other(&mut self, e: &Expr, span: Span) -> Option<Pipeline> {
        if self.is_pipeline(e) {
            return self.pipeline(e);
        }
        let name = self.fresh("item", span);
        Some(Pipeline::over(name, e.clone()))
    }

    /// The result of a closure for an item, which the closure's parameter names.
    fn opened(&mut self, pipeline: &mut Pipeline, f: &Expr, span: Span) -> Option<Expr> {
        let Expr::Closure(f) = f else { return None };
        let (pat, item) = (f.inputs.first()?, &pipeline.item);
        let mut body = &*f.body;
        pipeline.steps.push(Step::Do(quote_spanned!(span=> let #pat = #item;)));
        while let Expr::Block(b) = body {
            let [lets @ .., syn::Stmt::Expr(tail, None)] = &b.block.stmts[..] else { return None };
            pipeline.steps.push(Step::Do(quote!(#(#lets)*)));
            body = tail;
        }
        Some(body.clone())
    }

    /// Whether the items of an iterator are options, judged by its tokens and declarations.
    pub(in crate::iterate) fn gives_options(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.gives_options(&p.expr),
            Expr::Group(g) => self.gives_options(&g.expr),
            Expr::MethodCall(m)
                if m.args.is_empty()
                    && ["iter", "into_iter", "copied", "cloned", "rev"]
                        .iter()
                        .any(|name| m.method == name) =>
            {
                self.gives_options(&m.receiver)
            }
            Expr::MethodCall(m) if m.method == "map" && m.args.len() == 1 => match &m.args[0] {
                Expr::Closure(f) => super::declared::gives_option(&f.body),
                _ => false,
            },
            Expr::MethodCall(m) => super::declared::returns_options(&m.method),
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => {
                    p.path.segments.last().is_some_and(|s| super::declared::returns_options(&s.ident))
                }
                _ => false,
            },
            Expr::Array(a) => a.elems.iter().any(super::declared::gives_option),
            Expr::Repeat(a) => super::declared::gives_option(&a.expr),
            Expr::Path(p) if self.keeps_options(p) => true,
            e => super::declared::is_option(e),
        }
    }

    fn keeps_options(&self, p: &syn::ExprPath) -> bool {
        let kind = p.path.get_ident().and_then(|name| known(&self.scopes, self.kinds, name));
        kind == Some(crate::iterate::loops::chain::IteratedBy::Options)
    }

    fn refused<T>(&mut self, m: &ExprMethodCall) -> Option<T> {
        let name = m.method.to_string();
        self.sink()
            .error_at(
                Code::NotCanonical,
                &m.method,
                format!("`.{name}(…)` after an adaptor that leaves out items"),
            )
            .help(format!("put `.{name}(…)` before it, or write a loop"));
        None
    }

    /// Gives the item a name, if it has none: then it is evaluated once.
    fn named(&mut self, pipeline: &mut Pipeline, span: Span) -> Expr {
        if !is_name(&pipeline.item) {
            let (name, item) = (self.fresh("value", span), &pipeline.item);
            pipeline.steps.push(Step::Do(quote_spanned!(span=> let #name = #item;)));
            pipeline.item = made(name.into_token_stream());
        }
        pipeline.item.clone()
    }
}

/// The type in `sum::<T>()`.
fn of_turbofish(m: &ExprMethodCall) -> Option<&syn::GenericArgument> {
    let only = m.turbofish.as_ref()?.args.first()?;
    (!matches!(only, syn::GenericArgument::Type(syn::Type::Infer(_)))).then_some(only)
}

/// The methods that end a chain, with their numbers of arguments.
const ENDS: [(&str, usize); 21] = [
    ("rfold", 2),
    ("sum", 0),
    ("product", 0),
    ("min", 0),
    ("max", 0),
    ("min_by", 1),
    ("max_by", 1),
    ("min_by_key", 1),
    ("max_by_key", 1),
    ("reduce", 1),
    ("fold", 2),
    ("try_fold", 2),
    ("all", 1),
    ("any", 1),
    ("count", 0),
    ("position", 1),
    ("rposition", 1),
    ("find", 1),
    ("find_map", 1),
    ("for_each", 1),
    ("last", 0),
];

/// Whether a method ends a chain of iterators.
pub(super) fn ends(m: &ExprMethodCall) -> bool {
    ENDS.contains(&(m.method.to_string().as_str(), m.args.len()))
}

/// Whether a method may give an option of one of the items.
pub(super) fn may_find(m: &ExprMethodCall) -> bool {
    const FINDS: [&str; 9] =
        ["find", "last", "reduce", "min", "max", "min_by", "max_by", "min_by_key", "max_by_key"];
    ends(m) && FINDS.contains(&m.method.to_string().as_str())
}

/// Whether a method of this name gives another iterator.
pub fn is_adaptor(name: &str, args: usize) -> bool {
    ADAPTORS.contains(&(name, args))
}

/// The methods that give another iterator.
const ADAPTORS: [(&str, usize); 19] = [
    ("scan", 2),
    ("map", 1),
    ("flat_map", 1),
    ("flatten", 0),
    ("filter", 1),
    ("filter_map", 1),
    ("map_while", 1),
    ("take_while", 1),
    ("skip_while", 1),
    ("inspect", 1),
    ("enumerate", 0),
    ("zip", 1),
    ("rev", 0),
    ("skip", 1),
    ("take", 1),
    ("step_by", 1),
    ("copied", 0),
    ("cloned", 0),
    ("chain", 1),
];
