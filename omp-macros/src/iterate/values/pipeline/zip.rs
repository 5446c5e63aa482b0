//! Two pipelines at the same time: `zip`, and comparisons of all items.
//!
//! One of the two gives its items one after the other. The other one is counted, and gives an item by its number.
use super::tree::{Pipeline, Step};
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::sema::syntax::forms::strip;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprMethodCall};

/// The items of a counted base, by number.
struct Numbered {
    base: Expr,
    /// The number of the next item.
    count: Ident,
}

impl Numbered {
    /// An iterator over the item of this number alone, if there is one.
    fn item(&self, number: &Ident, span: Span) -> Expr {
        let base = &self.base;
        made(quote_spanned!(span=> #base.skip(#number).take(1)))
    }
}

impl Walk<'_> {
    /// `first.zip(other)`
    pub(super) fn zipped(
        &mut self,
        mut first: Pipeline,
        mut other: Pipeline,
        m: &ExprMethodCall,
    ) -> Option<Pipeline> {
        let span = m.method.span();
        // What the first does, it does once more than the other has items, if that one ends first: but for the consumers that know the
        // number of items.
        let known = first.is_every() && other.is_every() && !self.pulls;
        let effects = !known && self.evaluates_with_effects(&m.receiver);
        if let (Some((pat, base)), Some((other_pat, other_base)), false) =
            (first.complete(), other.complete(), effects)
        {
            *pat = quote_spanned!(span=> (#pat, #other_pat));
            *base = made(quote_spanned!(span=> #base.zip(#other_base)));
            let (item, other_item) = (&first.item, &other.item);
            first.item = made(quote_spanned!(span=> (#item, #other_item)));
            first.before.append(&mut other.before);
            first.steps.append(&mut other.steps);
            return Some(first);
        }
        if other.gives_one_by_one() {
            // Its next item is taken after each item of the first.
            if self.evaluates_with_effects(&m.receiver) {
                self.named(&mut first, span);
            }
            first.before.append(&mut other.before);
            first.append(other.steps, &other.label);
            let (item, other_item) = (&first.item, &other.item);
            first.item = made(quote_spanned!(span=> (#item, #other_item)));
            return Some(first);
        }
        let mut before = std::mem::take(&mut first.before);
        before.append(&mut other.before);
        let value = self.fresh("value", span);
        let pair = |first: &dyn ToTokens, other: &dyn ToTokens| {
            let (first, other) = (first.to_token_stream(), other.to_token_stream());
            made(quote_spanned!(span=> (#first, #other)))
        };
        let mut whole = if other.is_every() || effects {
            let numbered = self.numbered(&mut other, &mut before, m)?;
            let item = pair(&value, &other.item);
            self.with_number(first, other, (&numbered, &value), span).with_item(item)
        } else {
            let numbered = self.numbered(&mut first, &mut before, m)?;
            // The end of the first is found before an item of the other one is taken.
            let (stmts, none) = self.is_over(&numbered, span);
            other.until(&stmts, &none);
            let item = pair(&first.item, &value);
            self.with_number(other, first, (&numbered, &value), span).with_item(item)
        };
        whole.before = before;
        Some(whole)
    }

    /// Whether what a chain is given, such as its closures, may change something.
    fn evaluates_with_effects(&self, chain: &Expr) -> bool {
        match strip(chain) {
            Expr::MethodCall(m) => {
                m.args.iter().any(|arg| self.has_effects(arg)) || self.evaluates_with_effects(&m.receiver)
            }
            Expr::Call(c) => c.args.iter().any(|arg| self.has_effects(arg)),
            _ => false,
        }
    }

    /// The base of a pipeline, whose items are taken by number. What it is made of is evaluated where the iterator is made.
    fn numbered(
        &mut self,
        of: &mut Pipeline,
        before: &mut Vec<TokenStream>,
        m: &ExprMethodCall,
    ) -> Option<Numbered> {
        let span = m.method.span();
        let every = of.is_every();
        let base = of.complete().map(|(_, base)| base.clone()).filter(|_| every);
        let mut kept = Vec::new();
        let base = base
            .filter(super::loops::gives_a_value)
            .and_then(|mut base| self.keep_base(&mut base, &mut kept).then_some(base));
        let Some(base) = base else { return self.refused(m) };
        let count = self.fresh("count", span);
        before.extend(kept.into_iter().map(ToTokens::into_token_stream));
        before.push(quote_spanned!(span=> let mut #count = 0usize;));
        Some(Numbered { base, count })
    }

    /// Each item of a pipeline, which gets this name, with the item of the same number of the other one.
    fn with_number(
        &mut self,
        mut driving: Pipeline,
        mut other: Pipeline,
        (numbered, value): (&Numbered, &Ident),
        span: Span,
    ) -> Pipeline {
        let [at, none] = ["at", "none"].map(|name| self.fresh(name, span));
        let (item, count) = (&driving.item, &numbered.count);
        let named = quote_spanned!(span=> let #value = #item; let #at = #count; #count += 1;);
        driving.steps.push(Step::Do(named));
        let pat = other.complete().map_or_else(|| quote!(_), |(pat, _)| pat.clone());
        driving.steps.push(Step::Only { pat, base: numbered.item(&at, span), none });
        driving.steps.append(&mut other.steps);
        driving
    }

    /// Whether there is no further item: statements, and the condition after them.
    fn is_over(&mut self, numbered: &Numbered, span: Span) -> (TokenStream, TokenStream) {
        let count = &numbered.count;
        if let Expr::MethodCall(m) = &numbered.base
            && (m.method == "iter" || m.method == "iter_mut")
            && matches!(&*m.receiver, Expr::Path(_) | Expr::Field(_))
        {
            let array = &m.receiver;
            return (quote!(), quote_spanned!(span=> #count == #array.len()));
        }
        let [over, item] = ["over", "item"].map(|name| self.fresh(name, span));
        let next = numbered.item(count, span);
        (
            quote_spanned!(span=> let mut #over = true; for #item in #next { #over = false; }),
            over.into_token_stream(),
        )
    }

    /// `items.eq(other)`, `ne` and `cmp`: a comparison item by item.
    pub(super) fn compared_items(&mut self, mut pipeline: Pipeline, m: &ExprMethodCall) -> Option<Expr> {
        let (span, name) = (m.method.span(), m.method.to_string());
        // (Whether they are evaluated where the lengths differ is not determined.)
        if self.evaluates_with_effects(&m.receiver) || self.evaluates_with_effects(&m.args[0]) {
            return self.refused(m);
        }
        let mut other = self.other(&m.args[0])?;
        let swapped = !other.is_every();
        if swapped {
            if name == "cmp" {
                return self.refused(m);
            }
            std::mem::swap(&mut pipeline, &mut other);
        }
        let mut before = std::mem::take(&mut pipeline.before);
        before.append(&mut other.before);
        let [value, order, pairs] = ["value", "order", "pairs"].map(|name| self.fresh(name, span));
        let numbered = self.numbered(&mut other, &mut before, m)?;
        let (value_item, other_item) = (made(value.to_token_stream()), other.item.clone());
        let (a, b) = if swapped { (&other_item, &value_item) } else { (&value_item, &other_item) };
        let whole = self.with_number(pipeline, other, (&numbered, &value), span);
        let leave = whole.leave(span);
        let (stmts, over) = self.is_over(&numbered, span);
        let count = &numbered.count;
        let ordering = quote_spanned!(span=> ::omp::__private::core::cmp::Ordering);
        let (start, update, result) = if name == "cmp" {
            (
                quote_spanned!(span=> #ordering::Equal),
                quote_spanned!(span=> #order = #a.cmp(&#b); if #order.is_ne() { #leave }),
                quote_spanned!(span=>
                    if #order.is_ne() { #order }
                    else if #count != #pairs { #ordering::Greater }
                    else if #over { #ordering::Equal }
                    else { #ordering::Less }
                ),
            )
        } else {
            let not = (name == "ne").then(|| quote_spanned!(span=> !));
            (
                quote_spanned!(span=> true),
                quote_spanned!(span=> if !(#a == #b) { #order = false; #leave }),
                quote_spanned!(span=> #not(#order && #count == #pairs && #over)),
            )
        };
        let whole = whole.around(&quote_spanned!(span=> #pairs += 1; #update), None, span);
        Some(made(parentheses(quote_spanned!(span=> {
            #(#before)*
            let mut #pairs = 0usize;
            let mut #order = #start;
            #whole
            #stmts
            #result
        }))))
    }
}
