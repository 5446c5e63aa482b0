//! Iterators as values: `x.iter().map(|v| v * v).sum::<f64>()` becomes a block with a loop and a variable.
//!
//! The source and the adaptors that keep the number of items stay the head of the loop, which [`crate::iterate::loops::walk`] makes a
//! counted loop. `map`, `filter` and similar adaptors become statements of its body: calls of their closures, which
//! [`super::closure`] inlines. So the kernel is the same as that of a plain loop.
//!
//! A [`Pipeline`] is such a loop while it is built: each adaptor adds a step to it, or is refused (`Walk::adaptor`). The method that ends
//! the chain (`sum`, `fold`, `any`, …) then makes the variable and the statement for each item ([`ends`]).
//!
//! * [`tree`]: a pipeline, and the loops that it becomes.
//! * [`sources`]: `std::iter::once` and its like.
//! * [`slices`]: `split(f)` and `chunk_by(f)` of slices.
//! * [`zip`]: two pipelines at the same time.
//! * [`loops`]: `for` loops over pipelines.
//! * [`found`]: closures that give an option, and those whose bodies become steps.
//! * [`ends`]: the methods that end a chain.
mod ends;
mod found;
mod loops;
mod slices;
mod sources;
mod tree;
mod zip;

use super::option::Shape;
use crate::diag::Code;
use crate::iterate::loops::chain::{is_chain, is_place};
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Walk, known};
use crate::iterate::tokens::{call, made, parentheses};
use crate::sema::syntax::forms::{at_ends, is_name, strip};
use crate::sema::syntax::items::passes_on;
pub(in crate::iterate::values) use ends::Tried;
pub(in crate::iterate) use ends::{typed_fold, typed_sum};
use found::Without;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
pub use sources::{is_generator, of_std};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Lifetime};
use tree::{Pipeline, Source, Step};

/// `x.iter_mut().chain(y.iter_mut())`: no expression is the place of either element.
fn chains_exclusive(e: &Expr) -> bool {
    fn is_exclusive(e: &Expr) -> bool {
        match strip(e) {
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
    match strip(e) {
        Expr::MethodCall(m) => m.method == "iter_mut" || passes_on(m) && gives_exclusive(&m.receiver),
        _ => false,
    }
}

/// `x.map(f).flatten()` as `x.flat_map(f)`.
fn mapped_flat(m: &ExprMethodCall) -> Option<Expr> {
    let Expr::MethodCall(of) = &*m.receiver else { return None };
    let maps = of.method == "map" && matches!(of.args.first(), Some(Expr::Closure(_)));
    // (What `flatten` is of options: `expand/methods/inline`.)
    let flat = match m.args.first() {
        None => m.method == "flatten",
        Some(f) => m.method == "filter_map" && names(f, ["convert", "identity"]),
    };
    if !flat || !maps || of.args.len() != 1 {
        return None;
    }
    let (items, f, span) = (&of.receiver, &of.args[0], m.method.span());
    let method =
        if m.args.is_empty() { quote_spanned!(span=> flat_map) } else { quote_spanned!(span=> filter_map) };
    Some(made(quote_spanned!(span=> #items.#method(#f))))
}

/// Whether the items of a chain are references to elements: of `x.iter()`, without what takes their values.
fn gives_references(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => {
            m.method == "iter" || (passes_on(m) || m.method == "flatten") && gives_references(&m.receiver)
        }
        _ => false,
    }
}

/// Whether a method gives a reference to one of the elements of a chain: `x.iter().max()`.
pub(in crate::iterate::values) fn finds_a_reference(m: &ExprMethodCall) -> bool {
    may_find(m) && gives_references(&m.receiver)
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

/// Whether the last method of an expression gives an iterator by its name: other values are compared, too.
fn is_iterator(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            ["iter", "into_iter", "windows", "chunks", "chunks_exact"].contains(&name.as_str())
                || is_adaptor(&name, m.args.len())
        }
        Expr::Call(c) => of_std(c).is_some(),
        _ => false,
    }
}

/// `u32::to_le_bytes`, of which an array comes.
fn is_of_bytes(p: &syn::ExprPath) -> bool {
    p.path.segments.len() == 2 && super::arrays::BYTES.iter().any(|name| p.path.segments[1].ident == name)
}

/// An array that is written out, or what a function gives, if its tokens don't show an option.
fn gives_an_array(e: &Expr) -> bool {
    match strip(e) {
        Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Call(_) | Expr::MethodCall(_) => !super::declared::gives_option(e),
        Expr::Index(x) => !matches!(&*x.index, Expr::Range(_)) && is_place(&x.expr),
        _ => false,
    }
}

/// Whether each branch of an expression gives a part of an array, or an array behind a reference.
fn gives_slices(e: &Expr) -> bool {
    let (mut all, mut branches) = (true, 0);
    at_ends(&mut e.clone(), &mut |e| {
        branches += 1;
        all &= matches!(strip(e), Expr::Reference(r) if r.mutability.is_none()
            && matches!(strip(&r.expr), Expr::Index(x) if matches!(&*x.index, Expr::Range(_))));
    });
    all && branches > 1
}

/// `|v| v`, `std::convert::identity`
fn is_identity(f: &Expr) -> bool {
    match f {
        Expr::Closure(c) => match (c.inputs.first(), &*c.body) {
            (Some(pat), Expr::Path(p)) => {
                p.path.get_ident().is_some() && p.path.get_ident() == pattern::plain_name(pat)
            }
            _ => false,
        },
        f => names(f, ["convert", "identity"]),
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
        if ENDS.contains(&(name.as_str(), m.args.len()))
            && !self.is_pipeline(&m.receiver)
            && let Some(named) = self.byte_string_first(m)
        {
            return Some(named);
        }
        // A field is no iterator: a method of that name is its type's own.
        if !ENDS.contains(&(name.as_str(), m.args.len()))
            || matches!(strip(&m.receiver), Expr::Field(_))
            || !self.is_pipeline(&m.receiver)
            // (What a name gives next is another rule's, `names/iterators.rs`.)
            || (name == "next" || name == "nth") && matches!(strip(&m.receiver), Expr::Path(_))
            || ["eq", "ne", "cmp"].contains(&name.as_str()) && !is_iterator(&m.receiver)
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
        if name == "is_sorted_by_key" {
            let (items, args, span) = (&m.receiver, &m.args, m.method.span());
            return self.adapted(&made(quote_spanned!(span=> #items.map(#args).is_sorted())));
        }
        if name == "rfold" {
            let (items, args, span) = (&m.receiver, &m.args, m.method.span());
            return self.adapted(&made(quote_spanned!(span=> #items.rev().fold(#args))));
        }
        if self.copies_what_changes(m.args.iter().filter(|arg| matches!(arg, Expr::Path(_)))) {
            return None;
        }
        self.pulls = PULL.contains(&name.as_str());
        let mut pipeline = self.pipeline(&m.receiver)?;
        let changed = self.changed(e);
        self.keep_late(&mut pipeline, &changed);
        self.end(pipeline, m)
    }

    /// `b"1,2".split(f).…`: the byte string has a name before the chain.
    fn byte_string_first(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        fn first(m: &mut ExprMethodCall) -> &mut Expr {
            if matches!(&*m.receiver, Expr::MethodCall(_)) {
                let Expr::MethodCall(inner) = &mut *m.receiver else { unreachable!("matched above") };
                return first(inner);
            }
            &mut m.receiver
        }
        let mut named = m.clone();
        let of = first(&mut named);
        let Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(bytes), .. }) = &*of else { return None };
        let (span, name) = (bytes.span(), self.fresh("bytes", bytes.span()));
        let array = quote_spanned!(span=> let #name = *#bytes;);
        *of = made(name.into_token_stream());
        Some(made(parentheses(quote_spanned!(span=> { #array #named }))))
    }

    /// Whether the items of a chain are in order, which compares each with the one before; walked through.
    pub(in crate::iterate) fn in_order(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        m.method.to_string().starts_with("is_sorted").then_some(())?;
        // (References to items are kept by value meanwhile.)
        self.found_items.push(None);
        let found = self.adapted(e).map(|mut whole| {
            self.visit_expr_mut(&mut whole);
            whole
        });
        self.found_items.pop();
        found
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

    /// The head of a loop as it is counted.
    pub(in crate::iterate) fn is_native(&self, e: &Expr) -> bool {
        crate::iterate::loops::chain::is_plain(e)
            || is_chain(e, &|name| known(&self.scopes, self.kinds, name))
                && !self.zips_pipeline(e)
                && !chains_exclusive(e)
                && !super::array_chunks::iterates(e)
                && !self.flattens_options(e)
                && !self.iterates_option(e)
    }

    /// Whether an iterator begins with the `iter()` of an option.
    fn iterates_option(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::MethodCall(m) => self.option_iterated(m).is_some() || self.iterates_option(&m.receiver),
            _ => false,
        }
    }

    /// `o.iter()`, `o.into_iter()`: the option. (What the file declares with the name may be an array of options.)
    fn option_iterated<'m>(&self, m: &'m ExprMethodCall) -> Option<&'m Expr> {
        let iterates = m.args.is_empty() && (m.method == "iter" || m.method == "into_iter");
        let is = iterates
            && match strip(&m.receiver) {
                e @ Expr::Path(_) => self.holds_option(e),
                e @ Expr::Field(_) => super::declared::is_option_alone(e),
                e @ (Expr::MethodCall(_) | Expr::Call(_)) => self.is_an_option(e),
                _ => false,
            };
        is.then_some(&*m.receiver)
    }

    /// Whether an adaptor of an iterator takes the values out of options.
    fn flattens_options(&self, e: &Expr) -> bool {
        match strip(e) {
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
                let counted = |e: &Expr| {
                    self.is_native(e)
                        || crate::iterate::loops::chain::is_flattened(e) && !self.flattens_options(e)
                };
                let zipped = m.method == "zip"
                    && m.args.first().is_some_and(|other| self.is_pipeline(other) && !counted(other));
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
            Expr::Call(c) => of_std(c).is_some(),
            Expr::MethodCall(m) => {
                self.cuts_slice(m)
                    || self.option_iterated(m).is_some()
                    || (is_itself(m) || ADAPTORS.contains(&(m.method.to_string().as_str(), m.args.len())))
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
            return Some(self.over(e.clone()));
        }
        if let Expr::Call(c) = e {
            return self.generated(c);
        }
        let Expr::MethodCall(m) = e else { return None };
        if self.cuts_slice(m) {
            return self.cut(m);
        }
        if let Some(option) = self.option_iterated(m) {
            let (name, option) = (self.fresh("item", m.method.span()), option.clone());
            let source = Source::Option { pat: name.to_token_stream(), base: option.clone() };
            let item = if m.method == "iter" { quote!(&#name) } else { quote!(#name) };
            return Some(Pipeline { source, ..self.over(option).with_item(made(item)) });
        }
        if let Some(mapped) = mapped_flat(m) {
            return self.pipeline(&mapped);
        }
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
                pipeline.steps.push(Step::Until(quote_spanned!(span=> !#cond), pipeline.label.clone()));
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
                if let Some((value, shape)) = self.found_reference(&mut pipeline, &m.args[0], span) {
                    let name = self.fresh("value", span);
                    let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#name));
                    pipeline.steps.push(if m.method == "filter_map" {
                        Step::If(quote_spanned!(span=> let #some = #value))
                    } else {
                        Step::Let(some, value.into_token_stream())
                    });
                    pipeline.item = made(shape.of_name(&name.into_token_stream()));
                    return Some(pipeline);
                }
                let without = if m.method == "filter_map" { Without::Next } else { Without::End };
                if let Some(found) = self.found_item(&mut pipeline, &m.args[0], without, span) {
                    return Some(pipeline.with_item(found));
                }
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
                    Step::Let(some, found.into_token_stream())
                });
                pipeline.item = made(if as_ref { quote_spanned!(span=> &#value) } else { quote!(#value) });
            }
            "scan" => {
                let (state, value) = (self.fresh("state", span), self.fresh("value", span));
                let init = &m.args[0];
                pipeline.before.push(quote_spanned!(span=> let mut #state = #init;));
                if let Some(next) = found::after_state(&m.args[1], &state)
                    && let Some(found) = self.found_item(&mut pipeline, &next, Without::End, span)
                {
                    return Some(pipeline.with_item(found));
                }
                let item = &pipeline.item;
                let next = call(&m.args[1], &[quote_spanned!(span=> &mut #state), quote!(#item)], span);
                let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                pipeline.steps.push(Step::Let(some, next.into_token_stream()));
                pipeline.item = made(value.into_token_stream());
            }
            "copied" | "cloned" => {
                // Of a reference that a closure gives.
                let item = &pipeline.item;
                pipeline.item = made(quote_spanned!(span=> *#item));
            }
            "enumerate" => {
                let number = match m.args.first() {
                    // The variable that numbers the items of an iterator that moves on: see `names/moved_on.rs`.
                    Some(next) => {
                        let number = self.fresh("number", span);
                        pipeline
                            .steps
                            .push(Step::Do(quote_spanned!(span=> let #number = #next; #next += 1;)));
                        number
                    }
                    None => self.number(&mut pipeline, span),
                };
                let item = &pipeline.item;
                pipeline.item = made(quote_spanned!(span=> (#number, #item)));
            }
            "take" => {
                let n = &m.args[0];
                if let Some((_, base)) = pipeline.complete() {
                    *base = made(quote_spanned!(span=> #base.take(#n)));
                } else {
                    let left = self.fresh("left", span);
                    pipeline.before.push(quote_spanned!(span=> let mut #left: usize = #n;));
                    pipeline.until(&quote!(), &quote_spanned!(span=> #left == 0));
                    pipeline.steps.push(Step::Do(quote_spanned!(span=> #left -= 1;)));
                }
            }
            "step_by" => {
                let [step, left, skips] = ["step", "left", "skips"].map(|name| self.fresh(name, span));
                let n = &m.args[0];
                self.named(&mut pipeline, span);
                pipeline.before.push(quote_spanned!(span=>
                    let #step: usize = #n;
                    ::omp::__private::core::assert!(#step != 0);
                    let mut #left = 0usize;
                ));
                pipeline.steps.push(Step::Do(quote_spanned!(span=>
                    let #skips = #left > 0;
                    #left = if #skips { #left - 1 } else { #step - 1 };
                )));
                pipeline.steps.push(Step::If(quote_spanned!(span=> !#skips)));
            }
            "cycle" => {
                // Until there is no item at all. Its source is evaluated once.
                let Source::Counted { base, .. } = &mut pipeline.source else { return self.refused(m) };
                let mut kept = Vec::new();
                let stays = loops::gives_a_value(base) && self.keep_base(base, &mut kept);
                if !stays || !pipeline.before.is_empty() {
                    return self.refused(m);
                }
                let (any, label) = (self.fresh("any", span), self.label(span));
                pipeline.steps.push(Step::Do(quote_spanned!(span=> #any = true;)));
                return Some(Pipeline {
                    before: kept
                        .into_iter()
                        .map(ToTokens::into_token_stream)
                        .chain([quote_spanned!(span=> let mut #any = true;)])
                        .collect(),
                    source: Source::Endless,
                    item: pipeline.item.clone(),
                    steps: vec![
                        Step::Until(quote_spanned!(span=> !#any), label.clone()),
                        Step::Do(quote_spanned!(span=> #any = false;)),
                        Step::Each(Box::new(pipeline)),
                    ],
                    label,
                });
            }
            "skip" => return Some(self.skipped(pipeline, &m.args[0], span)),
            "flat_map" | "flatten" => {
                let inner = match m.args.first().filter(|f| !is_identity(f)) {
                    None if self.gives_options(&m.receiver) => {
                        let (value, span) = (self.fresh("value", span), span);
                        let some =
                            quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                        let shared = gives_references(&m.receiver);
                        let item = &pipeline.item;
                        let item = if shared { quote_spanned!(span=> *#item) } else { quote!(#item) };
                        pipeline.steps.push(Step::If(quote_spanned!(span=> let #some = #item)));
                        pipeline.item =
                            made(if shared { quote_spanned!(span=> &#value) } else { quote!(#value) });
                        return Some(pipeline);
                    }
                    Some(Expr::Path(p)) if is_of_bytes(p) => {
                        let (f, item, bytes) = (&m.args[0], &pipeline.item, self.fresh("bytes", span));
                        pipeline.steps.push(Step::Do(quote_spanned!(span=> let #bytes = #f(#item);)));
                        Some(made(quote_spanned!(span=> #bytes.iter().copied())))
                    }
                    Some(f) => {
                        if let Some(found) = self.option_found(&mut pipeline, f, span) {
                            return Some(pipeline.with_item(found));
                        }
                        match self.opened(&mut pipeline, f, span) {
                            // `|k| &x[k..n]`
                            Some(Expr::Reference(r)) if r.mutability.is_none() && is_place(&r.expr) => {
                                let of = &r.expr;
                                if self.is_an_option(of) {
                                    let value = self.fresh("value", span);
                                    let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                                    pipeline.steps.push(Step::If(quote_spanned!(span=> let #some = #of)));
                                    pipeline.item = made(quote_spanned!(span=> &#value));
                                    return Some(pipeline);
                                }
                                Some(made(quote_spanned!(r.span()=> #of.iter())))
                            }
                            Some(part) if gives_slices(&part) => {
                                let slice = self.fresh("slice", span);
                                pipeline.steps.push(Step::Do(quote_spanned!(span=> let #slice = #part;)));
                                Some(made(quote_spanned!(span=> #slice.iter())))
                            }
                            // `|i| [i - 1, i + 1]`, `|i| neighbours(i)`: an array, of which rustc knows that it is one.
                            Some(array)
                                if !self.is_pipeline(&array)
                                    && gives_an_array(&array)
                                    && !self.is_range(&array)
                                    && !self.is_an_option(&array) =>
                            {
                                let items = self.fresh("array", span);
                                pipeline.steps.push(Step::Do(quote_spanned!(span=> let #items = #array;)));
                                Some(made(quote_spanned!(span=> #items.iter().copied())))
                            }
                            Some(option) if self.of_reference(&option).is_some() => {
                                let (option, shape) = self.of_reference(&option)?;
                                let name = self.fresh("value", span);
                                let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#name));
                                pipeline.steps.push(Step::If(quote_spanned!(span=> let #some = #option)));
                                pipeline.item = made(shape.of_name(&name.into_token_stream()));
                                return Some(pipeline);
                            }
                            // An option has an item or none.
                            Some(option) if !self.is_pipeline(&option) && self.is_an_option(&option) => {
                                let value = self.fresh("value", span);
                                let some = quote_spanned!(span=> ::omp::__private::core::option::Option::Some(#value));
                                pipeline.steps.push(Step::If(quote_spanned!(span=> let #some = #option)));
                                pipeline.item = made(quote!(#value));
                                return Some(pipeline);
                            }
                            // `|x| self.range(x, y)`
                            Some(inner) => match self.ends_of_call(&inner) {
                                Some((lets, range)) => {
                                    pipeline.steps.extend(lets.map(Step::Do));
                                    Some(range)
                                }
                                None => Some(inner),
                            },
                            None => None,
                        }
                    }
                    None => {
                        let item = self.named(&mut pipeline, span);
                        Some(made(quote_spanned!(span=> #item.iter())))
                    }
                };
                let Some(inner) = inner.filter(|inner| self.is_pipeline(inner)) else {
                    return self.refused(m);
                };
                let mut inner = self.pipeline(&inner)?;
                pipeline.item = std::mem::replace(&mut inner.item, made(quote!(())));
                pipeline.steps.push(Step::Each(Box::new(inner)));
            }
            "chain" => return self.chained(pipeline, m),
            "rev" => {
                if !pipeline.reverse(span) {
                    return self.refused(m);
                }
            }
            "zip" => {
                let other = self.other(&m.args[0])?;
                return self.zipped(pipeline, other, m);
            }
            _ => return self.refused(m),
        }
        Some(pipeline)
    }

    /// The option of a reference that a closure gives for each item, as one of the value.
    fn found_reference(&mut self, pipeline: &mut Pipeline, f: &Expr, span: Span) -> Option<(Expr, Shape)> {
        let Expr::Closure(c) = f else { return None };
        self.of_reference(&c.body)?;
        self.or_undone(pipeline, |walk, pipeline| {
            let option = walk.opened(pipeline, f, span)?;
            walk.of_reference(&option)
        })
    }

    /// Without the first `n` items.
    fn skipped(&mut self, mut pipeline: Pipeline, n: &Expr, span: Span) -> Pipeline {
        let [left, skips] = ["left", "skips"].map(|name| self.fresh(name, span));
        self.named(&mut pipeline, span);
        pipeline.before.push(quote_spanned!(span=> let mut #left: usize = #n;));
        pipeline.steps.push(Step::Do(quote_spanned!(span=>
            let #skips = #left > 0;
            if #skips { #left -= 1; }
        )));
        pipeline.steps.push(Step::If(quote_spanned!(span=> !#skips)));
        pipeline
    }

    /// Pipelines one after the other.
    fn chained(&mut self, first: Pipeline, m: &ExprMethodCall) -> Option<Pipeline> {
        let (span, arg) = (m.method.span(), &m.args[0]);
        // (Such a part is read with its item.)
        if super::zips::reads_option(&m.receiver) || super::zips::reads_option(arg) {
            return self.refused(m);
        }
        let of_field =
            super::option::combinators::changes_field(arg) || super::declared::is_option_alone(arg);
        let last = if self.is_pipeline(arg) && !of_field {
            self.pipeline(arg)?
        } else if of_field || is_option(arg) {
            let (name, mut option) = (self.fresh("item", span), arg.clone());
            let mut before = Vec::new();
            // A value is taken where the chain is made, before the items that come first.
            if of_field || !self.is_optional(&option) {
                let value = self.fresh("option", span);
                before.push(quote_spanned!(span=> let #value = #option;));
                option = made(value.into_token_stream());
            }
            let source = Source::Option { pat: name.to_token_stream(), base: option.clone() };
            Pipeline { before, source, ..self.over(option).with_item(made(quote!(#name))) }
        } else if let Expr::Array(_) | Expr::Repeat(_) = strip(arg) {
            let items = self.fresh("array", span);
            let over = self.over(made(quote_spanned!(span=> #items.iter().copied())));
            Pipeline { before: vec![quote_spanned!(span=> let #items = #arg;)], ..over }
        } else if self.is_native(arg) {
            self.other(arg)?
        } else {
            return self.refused(m);
        };
        // One name for the items of all.
        let name = self.fresh("value", span);
        let mut before = Vec::new();
        let parts = [first, last].map(|mut part| {
            before.append(&mut part.before);
            let item = &part.item;
            part.steps.push(Step::Do(quote_spanned!(span=> let #name = #item;)));
            part
        });
        let item = made(name.into_token_stream());
        Some(Pipeline {
            before,
            source: Source::Chain(parts.into()),
            steps: vec![],
            item,
            label: self.label(span),
        })
    }

    /// A pipeline over an iterator as it is.
    fn over(&mut self, base: Expr) -> Pipeline {
        let base = match base {
            Expr::Range(_) => made(parentheses(base.into_token_stream())),
            base => base,
        };
        let (name, label) = (self.fresh("item", base.span()), self.label(base.span()));
        Pipeline::over(name, base, label)
    }

    pub(super) fn label(&mut self, span: Span) -> Lifetime {
        let label = self.fresh("items", span);
        Lifetime { apostrophe: label.span(), ident: label }
    }

    /// The number of the item.
    fn number(&mut self, pipeline: &mut Pipeline, span: Span) -> Ident {
        let number = self.fresh("number", span);
        if let Some((pat, base)) = pipeline.complete() {
            *pat = quote_spanned!(span=> (#number, #pat));
            *base = made(quote_spanned!(span=> #base.enumerate()));
        } else {
            let next = self.fresh("next", span);
            pipeline.before.push(quote_spanned!(span=> let mut #next = 0usize;));
            pipeline.steps.push(Step::Do(quote_spanned!(span=> let #number = #next; #next += 1;)));
        }
        number
    }

    /// The argument of `zip` and its like: an iterator, or what becomes one.
    fn other(&mut self, e: &Expr) -> Option<Pipeline> {
        let over = match e {
            e if self.is_pipeline(e) => return self.pipeline(e),
            Expr::Reference(r) => {
                let method = Ident::new(if r.mutability.is_some() { "iter_mut" } else { "iter" }, e.span());
                let of = if is_place(&r.expr) {
                    r.expr.to_token_stream()
                } else {
                    parentheses(r.expr.to_token_stream())
                };
                made(quote_spanned!(e.span()=> #of.#method()))
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) if self.is_native(e) => {
                made(quote_spanned!(e.span()=> #e.into_iter()))
            }
            e => e.clone(),
        };
        Some(self.over(over))
    }

    /// The result of a closure for an item, which the closure's parameter names.
    fn opened(&mut self, pipeline: &mut Pipeline, f: &Expr, span: Span) -> Option<Expr> {
        let Expr::Closure(f) = f else { return None };
        self.or_undone(pipeline, |walk, pipeline| {
            let item = pipeline.item.clone();
            let value = walk.opened_with(pipeline, f, &item, Some(Without::Next), span)?;
            (!crate::sema::syntax::search::leaves(&value)).then_some(value)
        })
    }

    /// Whether the items of an iterator are options, judged by its tokens and declarations.
    pub(in crate::iterate) fn gives_options(&self, e: &Expr) -> bool {
        if let Some(depth) = self.arrays_of_options(e) {
            return depth == 1;
        }
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
        let (message, help) = match name.as_str() {
            "flat_map" | "flatten" => (
                format!("`.{name}(…)` of what may be anything"),
                "write `.flat_map(|v| v.iter())`, or a loop in a loop".to_owned(),
            ),
            "try_fold" | "try_for_each" => (
                format!("`.{name}(…)` of what may be anything"),
                "write what the closure gives as `Some(v)` or `None`, `Ok(v)` or `Err(e)`, or write a loop"
                    .to_owned(),
            ),
            _ => (
                format!("`.{name}(…)` after an adaptor that leaves out items"),
                format!("put `.{name}(…)` before it, or write a loop"),
            ),
        };
        self.sink().error_at(Code::NotCanonical, &m.method, message).help(help);
        None
    }

    /// Gives the item a name, if it has none: then it is evaluated once.
    pub(super) fn named(&mut self, pipeline: &mut Pipeline, span: Span) -> Expr {
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
const ENDS: [(&str, usize); 30] = [
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
    ("try_for_each", 1),
    ("is_sorted", 0),
    ("is_sorted_by", 1),
    ("is_sorted_by_key", 1),
    ("all", 1),
    ("any", 1),
    ("count", 0),
    ("position", 1),
    ("rposition", 1),
    ("find", 1),
    ("find_map", 1),
    ("for_each", 1),
    ("last", 0),
    ("next", 0),
    ("nth", 1),
    ("eq", 1),
    ("ne", 1),
    ("cmp", 1),
];

/// Those of them that take one item after the other, until one decides.
const PULL: [&str; 16] = [
    "any",
    "all",
    "find",
    "find_map",
    "position",
    "rposition",
    "try_fold",
    "try_for_each",
    "is_sorted",
    "is_sorted_by",
    "is_sorted_by_key",
    "next",
    "nth",
    "eq",
    "ne",
    "cmp",
];

/// Whether a method ends a chain of iterators.
pub fn is_end(m: &ExprMethodCall) -> bool {
    ENDS.contains(&(m.method.to_string().as_str(), m.args.len()))
}

/// Whether a method may give an option of one of the items.
pub(super) fn may_find(m: &ExprMethodCall) -> bool {
    const FINDS: [&str; 11] = [
        "find",
        "last",
        "next",
        "nth",
        "reduce",
        "min",
        "max",
        "min_by",
        "max_by",
        "min_by_key",
        "max_by_key",
    ];
    is_end(m) && FINDS.contains(&m.method.to_string().as_str())
}

/// Whether a method of this name gives another iterator.
pub fn is_adaptor(name: &str, args: usize) -> bool {
    ADAPTORS.contains(&(name, args))
}

/// The methods that give another iterator.
const ADAPTORS: [(&str, usize); 21] = [
    ("enumerate", 1),
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
    ("cycle", 0),
];
