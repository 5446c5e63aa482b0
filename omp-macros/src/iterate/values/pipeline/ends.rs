//! The consumers of pipelines: sums, searches, collections of flags.
use super::super::option::call;
use super::of_turbofish;
use super::tree::Pipeline;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::sema::syntax::forms::is_name;
use proc_macro2::Ident;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

impl Walk<'_> {
    /// The value that a method computes from the items.
    pub(super) fn end(&mut self, mut pipeline: Pipeline, m: &ExprMethodCall) -> Option<Expr> {
        let (span, name) = (m.method.span(), m.method.to_string());
        let arg = |n: usize| &m.args[n];
        let (acc, leave) = (self.fresh("acc", span), pipeline.leave(span));
        let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let (start, update) = match name.as_str() {
            "sum" | "product" => {
                let ty = of_turbofish(m).map(|ty| quote_spanned!(ty.span()=> : #ty));
                let (first, step) =
                    if name == "sum" { ("sum_start", "added") } else { ("product_start", "multiplied") };
                let (first, step, item) = (Ident::new(first, span), Ident::new(step, span), &pipeline.item);
                (
                    quote_spanned!(span=> let mut #acc #ty = ::omp::__private::#first();),
                    quote_spanned!(span=> #acc = ::omp::__private::#step(#acc, #item);),
                )
            }
            "eq" | "ne" | "cmp" => return self.compared_items(pipeline, m),
            "next" | "nth" => {
                if name == "nth" {
                    pipeline = self.skipped(pipeline, arg(0), span);
                }
                let item = by_value(&pipeline.item);
                let leave = pipeline.leave(span);
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> #acc = #some(::omp::__private::held(#item)); #leave),
                )
            }
            "count" => {
                let evaluated = (!is_name(&pipeline.item)).then(|| {
                    let item = &pipeline.item;
                    quote_spanned!(span=> let _ = #item;)
                });
                (quote_spanned!(span=> let mut #acc = 0usize;), quote_spanned!(span=> #evaluated #acc += 1;))
            }
            "fold" => {
                let (init, item) = (arg(0), &pipeline.item);
                let next = call(arg(1), &[quote!(#acc), quote!(#item)], span);
                (quote_spanned!(span=> let mut #acc = #init;), quote_spanned!(span=> #acc = #next;))
            }
            "try_fold" => {
                let (init, item, value) = (arg(0), &pipeline.item, self.fresh("value", span));
                let next = call(arg(1), &[quote!(#value), quote!(#item)], span);
                let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
                let (goes_on, failed) = match tried(arg(1)) {
                    Some(Tried::Option) => (some, Ident::new("is_none", span)),
                    Some(Tried::Result) => (quote_spanned!(span=> #result::Ok), Ident::new("is_err", span)),
                    None => return self.refused(m),
                };
                (
                    quote_spanned!(span=> let mut #acc = #goes_on(#init);),
                    quote_spanned!(span=>
                        let #goes_on(#value) = #acc else { #leave };
                        #acc = #next;
                        if #acc.#failed() { #leave }
                    ),
                )
            }
            "for_each" => {
                let item = &pipeline.item;
                let done = call(arg(0), &[quote!(#item)], span);
                let (before, whole) = (&pipeline.before, pipeline.around(&quote!(#done;), None, span));
                return Some(made(quote_spanned!(span=> { #(#before)* #whole })));
            }
            "any" | "all" => {
                let item = &pipeline.item;
                let holds = call(arg(0), &[quote!(#item)], span);
                let (start, cond) = if name == "any" {
                    (quote!(false), holds.into_token_stream())
                } else {
                    let holds = parentheses(holds.into_token_stream());
                    (quote!(true), quote_spanned!(span=> !#holds))
                };
                (
                    quote_spanned!(span=> let mut #acc = #start;),
                    quote_spanned!(span=> if #cond { #acc = !#acc; #leave }),
                )
            }
            "rposition" => {
                let number = self.fresh("number", span);
                let holds = call(arg(0), &[pipeline.item.to_token_stream()], span);
                let Some((pat, base)) = pipeline.complete() else { return self.refused(m) };
                *pat = quote_spanned!(span=> (#number, #pat));
                *base = made(quote_spanned!(span=> #base.enumerate().rev()));
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> if #holds { #acc = #some(#number); #leave }),
                )
            }
            "position" => {
                let number = self.number(&mut pipeline, span);
                let holds = call(arg(0), &[pipeline.item.to_token_stream()], span);
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> if #holds { #acc = #some(#number); #leave }),
                )
            }
            "find" => {
                let item = match &pipeline.item {
                    item @ Expr::Reference(_) => item.clone(),
                    _ => self.named(&mut pipeline, span),
                };
                let holds = call(arg(0), &[quote_spanned!(span=> &#item)], span);
                let found = by_value(&item);
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> if #holds { #acc = #some(::omp::__private::held(#found)); #leave }),
                )
            }
            "find_map" => {
                let (item, value) = (&pipeline.item, self.fresh("value", span));
                let found = call(arg(0), &[quote!(#item)], span);
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> if let #some(#value) = #found { #acc = #some(#value); #leave }),
                )
            }
            "last" => {
                let item = by_value(&pipeline.item);
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> #acc = #some(::omp::__private::held(#item));),
                )
            }
            "min_by_key" | "max_by_key" if self.has_effects(arg(0)) => {
                // It has effects once for each item, so that the best key is kept.
                pipeline.item = by_value(&pipeline.item).clone();
                let item = self.named(&mut pipeline, span);
                let [kept, key, other, better] =
                    ["kept", "key", "other", "better"].map(|name| self.fresh(name, span));
                let of_item = call(arg(0), &[quote!(&#item)], span);
                let not = (name == "max_by_key").then(|| quote_spanned!(span=> !));
                (
                    quote_spanned!(span=> let mut #acc = #none; let mut #kept = #none;),
                    quote_spanned!(span=>
                        let #key = #of_item;
                        let #better = match #kept { #none => true, #some(#other) => #not #key.cmp(&#other).is_lt() };
                        if #better { #kept = #some(#key); #acc = #some(::omp::__private::held(#item)); }
                    ),
                )
            }
            _ => {
                // Of two equals, `max` takes the later one and `min` the earlier one.
                pipeline.item = by_value(&pipeline.item).clone();
                let item = self.named(&mut pipeline, span);
                let best = self.fresh("best", span);
                let held = |e: &dyn ToTokens| quote_spanned!(span=> ::omp::__private::held(#e));
                let (best_value, value) = (held(&best), held(&item));
                let key = |of: &dyn ToTokens| {
                    let key = call(arg(0), &[quote!(&#of)], span);
                    parentheses(key.into_token_stream())
                };
                // Std evaluates the key of a single item, too, which may panic.
                let first = name.ends_with("_by_key").then(|| {
                    let key = key(&item);
                    quote_spanned!(span=> let _ = #key;)
                });
                let next = match name.as_str() {
                    "reduce" => call(arg(0), &[quote!(#best), quote!(#item)], span).into_token_stream(),
                    "max" | "min" => {
                        let name = Ident::new(&name, span);
                        quote_spanned!(span=> ::omp::__private::core::cmp::#name(#best_value, #value))
                    }
                    of => {
                        let order = if of.ends_with("_by") {
                            call(arg(0), &[quote!(&#best), quote!(&#item)], span)
                        } else {
                            let (a, b) = (key(&best), key(&item));
                            made(quote_spanned!(span=> #a.cmp(&#b)))
                        };
                        let (greater, other) = if of.starts_with("max") {
                            (best_value, value.clone())
                        } else {
                            (value.clone(), best_value)
                        };
                        let order = parentheses(order.into_token_stream());
                        quote_spanned!(span=> if #order.is_gt() { #greater } else { #other })
                    }
                };
                (
                    quote_spanned!(span=> let mut #acc = #none;),
                    quote_spanned!(span=> #acc = match #acc { #none => { #first #some(#value) } #some(#best) => #some(#next) };),
                )
            }
        };
        let (before, whole) = (&pipeline.before, pipeline.around(&update, None, span));
        Some(made(parentheses(quote_spanned!(span=> { #(#before)* #start #whole #acc }))))
    }
}

/// The place that a reference refers to: a result holds the value of an item.
fn by_value(item: &Expr) -> &Expr {
    match item {
        Expr::Reference(r) => &r.expr,
        item => item,
    }
}

/// The result type of the closure of `try_fold`.
enum Tried {
    Option,
    Result,
}

/// Judged by the tokens of the closure.
fn tried(f: &Expr) -> Option<Tried> {
    let Expr::Closure(c) = f else { return None };
    let words: Vec<String> =
        crate::parse::tokens::leaves::idents(c.to_token_stream()).map(|name| name.to_string()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if has(&["Ok", "Err", "ok_or", "ok_or_else"]) {
        Some(Tried::Result)
    } else if has(&["Some", "None", "then", "then_some"])
        || words.iter().any(|word| word.starts_with("checked_"))
    {
        Some(Tried::Option)
    } else {
        None
    }
}
