//! The consumers of pipelines: sums, searches, collections of flags.
use super::super::declared::{self, Returned};
use super::of_turbofish;
use super::tree::Pipeline;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, made, parentheses};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::is_word;
use crate::sema::syntax::forms::{at_ends, is_name, is_variant, strip};
use crate::sema::syntax::search;
use proc_macro2::Ident;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, GenericArgument, Pat, PathArguments, Type};

/// The functions that start a sum or a product and that add an item to it.
fn accumulators(method: &Ident) -> [Ident; 2] {
    let (bound, names) = if method == "sum" {
        ("Sum", ["sum_start", "added"])
    } else {
        ("Product", ["product_start", "multiplied"])
    };
    // (Of a type parameter, nothing is known but its bounds.)
    let of_any = SourceFile::of(method.span()).is_some_and(|file| file.shows(bounds).contains(&bound));
    let of_any = if of_any { "_of_any" } else { "" };
    names.map(|name| Ident::new(&format!("{name}{of_any}"), method.span()))
}

/// Which of std's traits for sums stand in bounds of a text.
fn bounds(text: &str) -> Vec<&'static str> {
    let is_bound = |of: &&&'static str| {
        text.match_indices(**of).any(|(at, _)| {
            let mut before = &text[..at];
            while let Some(path) = before.strip_suffix("::") {
                before = path.trim_end_matches(is_word);
            }
            before.trim_end().ends_with([':', '+']) && !text[at + of.len()..].starts_with(is_word)
        })
    };
    ["Sum", "Product"].iter().filter(is_bound).copied().collect()
}

impl Walk<'_> {
    /// The value that a method computes from the items.
    pub(super) fn end(&mut self, mut pipeline: Pipeline, m: &ExprMethodCall) -> Option<Expr> {
        let m = &sum_of_tried(m);
        let (span, name) = (m.method.span(), m.method.to_string());
        let arg = |n: usize| &m.args[n];
        let (acc, leave) = (self.fresh("acc", span), pipeline.leave(span));
        let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let mut typed = false;
        let (start, update) = match name.as_str() {
            "sum" | "product" if tried_sum(m).is_some() => {
                // The items are options or results, the first failure of which is the result.
                let (of, ty, value_ty) = tried_sum(m)?;
                let ([first, step], item) = (accumulators(&m.method), &pipeline.item);
                let [total, value] = ["total", "value"].map(|name| self.fresh(name, span));
                let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
                let (fits, fails, failed) = match of {
                    Tried::Option => (some, none.clone(), none),
                    Tried::Result => {
                        let (ok, error) = (quote_spanned!(span=> #result::Ok), self.fresh("error", span));
                        let fails = quote_spanned!(span=> #result::Err(#error));
                        (ok, fails.clone(), fails)
                    }
                };
                let (before, around) = (
                    &pipeline.before,
                    pipeline.around(
                        &quote_spanned!(span=> match #item {
                            #fits(#value) => { #total = ::omp::__private::#step(#total, #value); }
                            #fails => { #acc = #failed; #leave }
                        }),
                        None,
                        span,
                    ),
                );
                return Some(made(parentheses(quote_spanned!(span=> {
                    #(#before)*
                    let mut #total: #value_ty = ::omp::__private::#first();
                    let mut #acc: #ty = #fits(#total);
                    #around
                    if let #fits(_) = #acc { #acc = #fits(#total); }
                    #acc
                }))));
            }
            "sum" | "product" => {
                let ty = of_turbofish(m).map(|ty| quote_spanned!(ty.span()=> : #ty));
                let ([first, step], item) = (accumulators(&m.method), &pipeline.item);
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
                typed = lacks_type(init) && !self.has_effects(arg(1));
                (quote_spanned!(span=> let mut #acc = #init;), quote_spanned!(span=> #acc = #next;))
            }
            "try_fold" => {
                let (init, item, value) = (arg(0), &pipeline.item, self.fresh("value", span));
                let next = call(arg(1), &[quote!(#value), quote!(#item)], span);
                let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
                let (goes_on, failed) = match self.kind_of_tried(arg(1)) {
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
            "try_for_each" => {
                let done = call(arg(0), &[pipeline.item.to_token_stream()], span);
                let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
                let (goes_on, failed) = match self.kind_of_tried(arg(0)) {
                    Some(Tried::Option) => (some, Ident::new("is_none", span)),
                    Some(Tried::Result) => (quote_spanned!(span=> #result::Ok), Ident::new("is_err", span)),
                    None => return self.refused(m),
                };
                (
                    quote_spanned!(span=> let mut #acc = #goes_on(());),
                    quote_spanned!(span=> #acc = #done; if #acc.#failed() { #leave }),
                )
            }
            "is_sorted" | "is_sorted_by" => {
                pipeline.item = by_value(&pipeline.item).clone();
                let item = self.named(&mut pipeline, span);
                let [last, best, value] = ["last", "best", "value"].map(|name| self.fresh(name, span));
                let fits = match m.args.first() {
                    Some(f) => call(f, &[quote!(&#best), quote!(&#item)], span).into_token_stream(),
                    None => quote_spanned!(span=> ::omp::__private::held(#best) <= #value),
                };
                (
                    quote_spanned!(span=> let mut #acc = true; let mut #last = #none;),
                    quote_spanned!(span=>
                        let #value = ::omp::__private::held(#item);
                        #acc = match #last { #none => true, #some(#best) => #fits };
                        if !#acc { #leave }
                        #last = #some(#value);
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
                let key_of = name.ends_with("_by_key").then(|| by_values(arg(0)));
                let key = |of: &dyn ToTokens| {
                    let key = call(key_of.as_ref().unwrap_or(arg(0)), &[quote!(&#of)], span);
                    parentheses(key.into_token_stream())
                };
                // Std evaluates the key of a single item, too, which may panic.
                let first = name.ends_with("_by_key").then(|| {
                    let key = key(&item);
                    quote_spanned!(span=> let _ = #key.cmp(&#key);)
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
        let result = match typed {
            // The first branch gives `acc` the type that the whole is expected to have, before rustc types the closure's body.
            true => quote_spanned!(span=> if false { #acc } else { #whole #acc }),
            false => quote_spanned!(span=> #whole #acc),
        };
        Some(made(parentheses(quote_spanned!(span=> { #(#before)* #start #result }))))
    }
}

/// Whether a number says no type of its own: `0`, `-1.0`, `(0, 0.0)`.
fn lacks_type(e: &Expr) -> bool {
    match strip(e) {
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => n.suffix().is_empty(),
            syn::Lit::Float(n) => n.suffix().is_empty(),
            _ => false,
        },
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)) && lacks_type(&u.expr),
        Expr::Tuple(t) => t.elems.iter().any(lacks_type),
        _ => false,
    }
}

/// A function that gives a key, with the values of references in the place of these: `|&(i, v)| (v, Reverse(i))`. They compare alike.
fn by_values(f: &Expr) -> Expr {
    fn by_value(e: &mut Expr) {
        match e {
            Expr::Path(p) if p.path.get_ident().is_some() => {
                *e = made(quote_spanned!(e.span()=> ::omp::__private::value_of(#e)));
            }
            Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Reverse")) =>
            {
                c.args.iter_mut().for_each(by_value);
            }
            Expr::Tuple(t) => t.elems.iter_mut().for_each(by_value),
            _ => {}
        }
    }
    let mut f = f.clone();
    if let Expr::Closure(c) = &mut f
        && let Expr::Tuple(_) | Expr::Call(_) = &*c.body
    {
        by_value(&mut c.body);
    }
    f
}

/// The place that a reference refers to: a result holds the value of an item.
fn by_value(item: &Expr) -> &Expr {
    match item {
        Expr::Reference(r) => &r.expr,
        item => item,
    }
}

/// What may fail: the result of the closure of `try_fold`, the items of a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::iterate::values) enum Tried {
    Option,
    Result,
}

/// The type of `sum::<Option<T>>()`: which of the two, the whole and `T`.
fn tried_sum(m: &ExprMethodCall) -> Option<(Tried, &Type, &GenericArgument)> {
    let GenericArgument::Type(ty @ Type::Path(p)) = of_turbofish(m)? else { return None };
    let last = p.path.segments.last()?;
    let of = match last.ident.to_string().as_str() {
        "Option" => Tried::Option,
        "Result" => Tried::Result,
        _ => return None,
    };
    let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    Some((of, ty, args.args.first()?))
}

/// `let s: Option<u32> = ….sum();`: the type of the sum is that of the variable.
pub(in crate::iterate) fn typed_sum(l: &mut syn::Local) {
    let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init) else { return };
    let Expr::MethodCall(m) = &mut *init.expr else { return };
    if (m.method == "sum" || m.method == "product") && m.args.is_empty() && m.turbofish.is_none() {
        let ty = &t.ty;
        m.turbofish = Some(syn::parse_quote!(::<#ty>));
        if tried_sum(m).is_none() {
            m.turbofish = None;
        }
    }
}

/// `let r: Option<u32> = ….try_fold(…);`: what the closure gives is of the type of the variable.
pub(in crate::iterate) fn typed_fold(l: &mut syn::Local) {
    let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init) else { return };
    let (Expr::MethodCall(m), Type::Path(_)) = (&mut *init.expr, &*t.ty) else { return };
    if !matches!((m.method.to_string().as_str(), m.args.len()), ("try_fold", 2) | ("try_for_each", 1)) {
        return;
    }
    if let Some(Expr::Closure(c)) = m.args.last_mut()
        && matches!(c.output, syn::ReturnType::Default)
    {
        let (ty, body) = (&t.ty, &c.body);
        c.output = syn::parse_quote!(-> #ty);
        if !matches!(**body, Expr::Block(_)) {
            *c.body = made(quote!({ #body }));
        }
    }
}

impl Walk<'_> {
    /// What the function of `try_fold` or `try_for_each` gives, judged by the tokens of the closure, or by what a function is called.
    pub(in crate::iterate::values) fn kind_of_tried(&self, f: &Expr) -> Option<Tried> {
        match strip(f) {
            Expr::Closure(c) => self.gives_tried(c).or_else(|| by_words(c)),
            f @ Expr::Path(p) => {
                if let Some(c) = self.named_closure(f) {
                    return self.gives_tried(c.expr()).or_else(|| by_words(c.expr()));
                }
                let name = &p.path.segments.last()?.ident;
                match () {
                    () if declared::returns_result(name) => Some(Tried::Result),
                    () if declared::returns_option(name) || name.to_string().starts_with("checked_") => {
                        Some(Tried::Option)
                    }
                    () => None,
                }
            }
            _ => None,
        }
    }

    /// What a closure gives, by its type or by the values at its ends.
    pub(in crate::iterate::values) fn gives_tried(&self, c: &syn::ExprClosure) -> Option<Tried> {
        if let syn::ReturnType::Type(_, ty) = &c.output {
            return match () {
                () if declared::is_type(ty, Returned::Option) => Some(Tried::Option),
                () if declared::is_type(ty, Returned::Result) => Some(Tried::Result),
                () => None,
            };
        }
        let mut ends = returned(&c.body);
        at_ends(&mut c.body.clone(), &mut |e| ends.push(e.clone()));
        let of_end = |e: &Expr| match strip(e) {
            Expr::Call(call) if self.named_closure(&call.func).is_some() => self.kind_of_tried(&call.func),
            // (Variables of the closure are no others of the name.)
            Expr::Path(p) if !is_variant(&p.path, "None") => None,
            e if self.is_an_option(e) => Some(Tried::Option),
            e if self.is_a_result(e) => Some(Tried::Result),
            _ => None,
        };
        ends.iter().find_map(of_end)
    }
}

/// A sum of what a closure gives is an option if that is one: `….map(|k| Some(x.get(k)? + 1)).sum()`.
fn sum_of_tried(m: &ExprMethodCall) -> ExprMethodCall {
    let mut m = m.clone();
    let is_sum = (m.method == "sum" || m.method == "product") && m.turbofish.is_none();
    if let Expr::MethodCall(of) = strip(&m.receiver)
        && let (true, "map", Some(Expr::Closure(c))) = (is_sum, &*of.method.to_string(), of.args.first())
    {
        m.turbofish = match built(c) {
            Some(Tried::Option) => Some(syn::parse_quote!(::<::omp::__private::core::option::Option<_>>)),
            Some(Tried::Result) => Some(syn::parse_quote!(::<::omp::__private::core::result::Result<_, _>>)),
            None => None,
        };
    }
    m
}

/// What a closure gives, where one of its values is built: `Some(v)`, `Err(e)`.
fn built(c: &syn::ExprClosure) -> Option<Tried> {
    let mut found = None;
    at_ends(&mut c.body.clone(), &mut |e| {
        let path = match e {
            Expr::Path(p) if is_variant(&p.path, "None") => &p.path,
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => &p.path,
                _ => return,
            },
            _ => return,
        };
        if is_variant(path, "Some") || is_variant(path, "None") {
            found = Some(Tried::Option);
        } else if is_variant(path, "Ok") || is_variant(path, "Err") {
            found = Some(Tried::Result);
        }
    });
    found
}

/// The values of a closure's `return`s.
fn returned(body: &Expr) -> Vec<Expr> {
    let mut values = Vec::new();
    search::walk(body, |e| {
        if let Expr::Return(r) = e {
            values.extend(r.expr.as_deref().cloned());
        }
        !matches!(e, Expr::Closure(_))
    });
    values
}

/// What a closure gives, by the words in it.
fn by_words(c: &syn::ExprClosure) -> Option<Tried> {
    let words: Vec<String> =
        crate::parse::tokens::leaves::idents(c.to_token_stream()).map(|name| name.to_string()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    // (Of another kind of result, tokens show it by its name.)
    if has(&["ControlFlow"]) {
        return None;
    }
    if has(&["Ok", "Err", "ok_or", "ok_or_else"]) {
        Some(Tried::Result)
    } else if has(&["Some", "None", "then", "then_some", "first", "last", "get", "find", "position"])
        || words.iter().any(|word| word.starts_with("checked_"))
    {
        Some(Tried::Option)
    } else {
        None
    }
}
