//! The number of items of a chain, and the item of each number.
use super::{Chain, Item, Keep, Parts, bare, either, operand};
use crate::iterate::tokens::{element, made, parentheses};
use crate::sema::syntax::forms::literal;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

/// A section that Rust checks: `place[from..to]`, or `place[from..=last]`.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    pub place: &'a Expr,
    pub from: Option<&'a Expr>,
    pub to: Option<&'a Expr>,
    pub last: Option<&'a Expr>,
}

/// A value of a range without an end.
pub struct Open {
    /// The range's first value.
    pub lo: Expr,
    /// Which value it is.
    pub number: Expr,
    /// The number of the value that is taken from the range after the last item.
    pub next: Option<Expr>,
    /// The values between are left out.
    pub steps: bool,
}

impl Open {
    /// Statements that give it the name `name`, and fail where Rust's range does in a debug build: it has its next value before
    /// the loop has this one.
    pub fn named(&self, name: &Ident, then: &Ident) -> Vec<TokenStream> {
        let (lo, span) = (&self.lo, self.lo.span());
        let reach = |name: &Ident, like: &dyn ToTokens, number: &Expr| {
            let number = bare(number.clone());
            let value = quote_spanned!(span=> let #name = ::omp::__private::nth(#lo, #like, #number););
            // A value after the type's last would wrap to the first.
            let reached = self.steps.then(|| {
                quote_spanned!(span=> ::omp::__private::core::debug_assert!(
                    ::omp::__private::trips(#lo, #name, false) == #number,
                    "attempt to add with overflow"
                );)
            });
            let over = quote_spanned!(span=> let _ = #name + 1;);
            std::iter::once(value).chain(reached).chain([over])
        };
        // The first may be a literal, whose type the body decides: both have one type.
        let more = self.next.iter().flat_map(|number| reach(then, name, number));
        reach(name, lo, &self.number).chain(more).collect()
    }
}

/// As many items as a `usize` counts.
pub fn all(span: Span) -> Expr {
    made(quote_spanned!(span=> ::omp::__private::core::primitive::usize::MAX))
}

impl Chain {
    /// Evaluates the numbers of items once that the items' numbers depend on.
    pub fn measure(&mut self, keep: Keep<'_>, span: Span) {
        match self {
            Self::Array { .. }
            | Self::Range { .. }
            | Self::Measured(..)
            | Self::Value(_)
            | Self::Flatten { .. } => {}
            Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::Cloned(inner)
            | Self::Skip(inner, _)
            | Self::Take(inner, _) => inner.measure(keep, span),
            Self::Parts { of, kind, total, .. } => {
                if *kind == Parts::Chunks
                    && let Some(n) = of.len(span)
                {
                    let mut n = bare(n);
                    keep(&mut n);
                    *total = Some(n);
                }
            }
            Self::Cycle(inner, total) => {
                inner.measure(keep, span);
                if let Some(n) = inner.len(span) {
                    let mut n = bare(n);
                    keep(&mut n);
                    *total = Some(n);
                }
            }
            Self::Zip(a, b) => {
                a.measure(keep, span);
                b.measure(keep, span);
            }
            Self::After(a, b, first) => {
                a.measure(keep, span);
                b.measure(keep, span);
                if let Some(n) = a.len(span) {
                    let mut n = bare(n);
                    keep(&mut n);
                    *first = Some(n);
                }
            }
            // Counted from its last value.
            Self::Rev(inner) if matches!(**inner, Self::Range { hi: Some(_), inclusive: true, .. }) => {}
            Self::Rev(inner) | Self::StepBy(inner, _) => {
                inner.measure(keep, span);
                // Not even `y.len()` stays: it can't be evaluated in a subscript of an assigned place.
                if let Some(mut n) = inner.len(span) {
                    n = bare(n);
                    keep(&mut n);
                    let whole = std::mem::replace(
                        &mut **inner,
                        Self::Range { lo: n.clone(), hi: None, inclusive: false },
                    );
                    **inner = Self::Measured(Box::new(whole), n);
                }
            }
        }
    }

    /// For a loop that is collapsed into one around it: the elements of nested arrays have one length, which is read
    /// without naming an element.
    pub fn measure_nested(&mut self, span: Span) {
        match self {
            Self::Array { place, from: None, to: None, last: _, mutable: _ } => {
                let (mut root, mut depth) = (&*place, 0);
                while let Expr::Index(x) = root {
                    (root, depth) = (&x.expr, depth + 1);
                }
                let n = match depth {
                    1 => made(quote_spanned!(span=> ::omp::__private::inner_len(&#root[..]))),
                    2 => made(quote_spanned!(span=> ::omp::__private::innermost_len(&#root[..]))),
                    _ => return,
                };
                let whole =
                    std::mem::replace(self, Self::Range { lo: n.clone(), hi: None, inclusive: false });
                *self = Self::Measured(Box::new(whole), n);
            }
            Self::Array { .. }
            | Self::Range { .. }
            | Self::Measured(..)
            | Self::Value(_)
            | Self::Cycle(..)
            | Self::Flatten { .. }
            | Self::Parts { .. } => {}
            Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::Cloned(inner)
            | Self::Skip(inner, _)
            | Self::Take(inner, _)
            | Self::Rev(inner)
            | Self::StepBy(inner, _) => inner.measure_nested(span),
            Self::Zip(a, b) | Self::After(a, b, _) => {
                a.measure_nested(span);
                b.measure_nested(span);
            }
        }
    }

    /// The number of items, a `usize`; `None` if there is no end.
    pub fn len(&self, span: Span) -> Option<Expr> {
        Some(match self {
            Self::Array { place, from, to, last: _, mutable: _ } => {
                let end = to.clone().unwrap_or_else(|| made(quote_spanned!(span=> #place.len())));
                match from {
                    Some(from) => {
                        let (end, from) = (operand(&end), operand(from));
                        made(parentheses(quote_spanned!(span=> #end - #from)))
                    }
                    None => end,
                }
            }
            Self::Range { lo, hi, inclusive } => {
                let hi = hi.as_ref()?;
                match (literal(lo), literal(hi)) {
                    (Some(lo), Some(hi)) => {
                        let n = hi.saturating_add(usize::from(*inclusive)).saturating_sub(lo);
                        made(quote_spanned!(span=> #n))
                    }
                    _ => made(quote_spanned!(span=> ::omp::__private::trips(#lo, #hi, #inclusive))),
                }
            }
            Self::Enumerate(inner) | Self::Rev(inner) | Self::Copied(inner) | Self::Cloned(inner) => {
                inner.len(span)?
            }
            Self::StepBy(inner, step) => {
                let n = inner.len(span)?;
                let n = bare(n);
                made(quote_spanned!(span=> ::omp::__private::steps(#n, #step)))
            }
            Self::Skip(inner, n) => {
                let all = bare(inner.len(span)?);
                made(quote_spanned!(span=> ::omp::__private::trips(#n, #all, false)))
            }
            Self::Take(inner, n) => match inner.len(span) {
                Some(all) => fewer(&all, n, span),
                None => n.clone(),
            },
            Self::Parts { of, size, kind, total } => {
                let all = bare(total.clone().map_or_else(|| of.len(span), Some)?);
                match kind {
                    Parts::Chunks => made(quote_spanned!(span=> ::omp::__private::steps(#all, #size))),
                    Parts::Exact => {
                        let (all, size) = (operand(&all), operand(size));
                        made(parentheses(quote_spanned!(span=> #all / #size)))
                    }
                    Parts::Windows if positive(size) => {
                        made(quote_spanned!(span=> ::omp::__private::trips(#size, #all, true)))
                    }
                    Parts::Windows => made(quote_spanned!(span=> ::omp::__private::windows(#size, #all))),
                }
            }
            Self::Zip(a, b) => match (a.len(span), b.len(span)) {
                (Some(a), Some(b)) if a == b => a,
                (Some(a), Some(b)) => fewer(&a, &b, span),
                (Some(n), None) => b.steps(span).map_or(n.clone(), |steps| fewer(&n, &steps, span)),
                (None, Some(n)) => a.steps(span).map_or(n.clone(), |steps| fewer(&n, &steps, span)),
                (None, None) => return None,
            },
            Self::After(a, b, first) => {
                let first = first.clone().map_or_else(|| a.len(span), Some)?;
                let (first, then) = (operand(&first), operand(&b.len(span)?));
                made(parentheses(quote_spanned!(span=> #first + #then)))
            }
            Self::Measured(_, n) => n.clone(),
            Self::Flatten { place, depth, .. } => {
                // Of no file: clippy would have a user write `is_empty`.
                let nothing = syn::LitInt::new("0", span.resolved_at(Span::mixed_site()));
                let mut lens = lens_of_rows(place, *depth, span);
                let last = lens.pop();
                let all = lens.iter().rev().fold(
                    quote!(#last),
                    |inner, n| quote_spanned!(span=> #n * if #n == #nothing { 0 } else { #inner }),
                );
                made(parentheses(
                    quote_spanned!(span=> if #place.len() == #nothing { 0 } else { #place.len() * #all }),
                ))
            }
            // Without an end, but for that of no items.
            Self::Cycle(inner, total) => {
                let all = bare(total.clone().map_or_else(|| inner.len(span), Some)?);
                // (A number alone has no type yet.)
                let all = literal(&all)
                    .map_or_else(|| operand(&all).into_token_stream(), ToTokens::into_token_stream);
                made(quote_spanned!(span=> #all.saturating_mul(usize::MAX)))
            }
            Self::Value(_) => return None,
        })
    }

    /// The number of items of a chain without an end, [`all`] of them, with a check that no step is zero. `None` without steps.
    pub fn steps(&self, span: Span) -> Option<Expr> {
        Some(match self {
            Self::StepBy(inner, step) => {
                let n = inner.steps(span).unwrap_or_else(|| all(span));
                // (One item has one step, if there are steps: `1..=n` are `n`.)
                made(
                    quote_spanned!(span=> ::omp::__private::trips(::omp::__private::steps(1, #step), #n, true)),
                )
            }
            Self::Enumerate(inner) | Self::Copied(inner) | Self::Cloned(inner) | Self::Skip(inner, _) => {
                inner.steps(span)?
            }
            Self::Zip(a, b) => match (a.steps(span), b.steps(span)) {
                (Some(a), Some(b)) => fewer(&a, &b, span),
                (one, other) => one.or(other)?,
            },
            _ => return None,
        })
    }

    /// Takes the values of ranges without an end out of item number `k`: `take` gives each a name. If one value more
    /// than there are items is taken from the range, `next` is the number of that one.
    pub fn take_open(&mut self, k: &Expr, next: Option<&Expr>, take: &mut dyn FnMut(Open) -> Expr) {
        self.open_values(k, next, false, take);
    }

    fn open_values(
        &mut self,
        k: &Expr,
        next: Option<&Expr>,
        steps: bool,
        take: &mut dyn FnMut(Open) -> Expr,
    ) {
        match self {
            Self::Range { lo, hi: None, inclusive: _ } => {
                let value = take(Open { lo: lo.clone(), number: k.clone(), next: next.cloned(), steps });
                *self = Self::Value(value);
            }
            Self::Array { .. }
            | Self::Range { .. }
            | Self::Measured(..)
            | Self::Value(_)
            | Self::Rev(_)
            | Self::Cycle(..)
            | Self::After(..)
            | Self::Flatten { .. }
            | Self::Parts { .. } => {}
            Self::Enumerate(inner) | Self::Copied(inner) | Self::Cloned(inner) | Self::Take(inner, _) => {
                inner.open_values(k, next, steps, take);
            }
            Self::Skip(inner, n) => {
                let (span, n) = (n.span(), operand(n));
                let after = |k: &Expr| made(parentheses(quote_spanned!(span=> #k + #n)));
                inner.open_values(&after(k), next.map(after).as_ref(), true, take);
            }
            Self::StepBy(inner, step) => {
                let (span, step) = (step.span(), operand(step));
                let times = |k: &Expr| made(parentheses(quote_spanned!(span=> #k * #step)));
                inner.open_values(&times(k), next.map(times).as_ref(), true, take);
            }
            Self::Zip(a, b) => {
                // `zip` takes an item of the first before it finds the end of the second.
                let span = k.span();
                let more = made(parentheses(quote_spanned!(span=> #k + 1)));
                a.open_values(k, Some(next.unwrap_or(&more)), steps, take);
                b.open_values(k, next, steps, take);
            }
        }
    }

    /// Item number `k`; `None` if it is counted from an end that is not there.
    pub fn item(&self, k: &Expr, span: Span) -> Option<Item> {
        Some(match self {
            Self::Array { place, from, to: _, last: _, mutable } => {
                let index = match from {
                    Some(from) => {
                        let from = operand(from);
                        made(quote_spanned!(span=> #from + #k))
                    }
                    None => k.clone(),
                };
                Item::Element { place: element(place, &index, span), mutable: *mutable }
            }
            Self::Range { lo, hi, inclusive: _ } => {
                let hi = hi.as_ref().unwrap_or(lo);
                Item::Value(made(quote_spanned!(span=> ::omp::__private::nth(#lo, #hi, #k))))
            }
            Self::Measured(inner, _) => inner.item(k, span)?,
            Self::Value(v) => Item::Value(v.clone()),
            Self::Enumerate(inner) => Item::Tuple(vec![Item::Value(k.clone()), inner.item(k, span)?]),
            Self::Rev(inner) => {
                // There may be more values than a `usize` can count.
                if let Self::Range { lo, hi: Some(hi), inclusive: true } = &**inner {
                    return Some(Item::Value(made(
                        quote_spanned!(span=> ::omp::__private::nth_back(#lo, #hi, #k)),
                    )));
                }
                let n = operand(&inner.len(span)?);
                inner.item(&made(parentheses(quote_spanned!(span=> #n - 1 - #k))), span)?
            }
            Self::StepBy(inner, step) => {
                let step = operand(step);
                inner.item(&made(parentheses(quote_spanned!(span=> #k * #step))), span)?
            }
            Self::Skip(inner, n) => {
                let n = operand(n);
                inner.item(&made(parentheses(quote_spanned!(span=> #k + #n))), span)?
            }
            Self::Take(inner, _) => inner.item(k, span)?,
            Self::Parts { of, size, kind, total } => {
                let Self::Array { place, from, to: _, last: _, mutable } = &**of else { return None };
                let (from, size) = (from.as_ref().map(operand), operand(size));
                let first = match kind {
                    Parts::Windows => k.clone(),
                    Parts::Chunks | Parts::Exact => made(quote_spanned!(span=> #k * #size)),
                };
                let end = made(quote_spanned!(span=> #first + #size));
                let end = match (kind, total) {
                    (Parts::Chunks, Some(total)) => fewer(&end, total, span),
                    _ => end,
                };
                let part = match from {
                    Some(from) => quote_spanned!(span=> #place[#from + #first..#from + #end]),
                    None => quote_spanned!(span=> #place[#first..#end]),
                };
                let borrow = if *mutable { quote_spanned!(span=> &mut) } else { quote_spanned!(span=> &) };
                Item::Value(made(quote_spanned!(span=> #borrow #part)))
            }
            Self::Zip(a, b) => Item::Tuple(vec![a.item(k, span)?, b.item(k, span)?]),
            Self::After(a, b, first) => {
                let first = operand(&first.clone().map_or_else(|| a.len(span), Some)?);
                let k = operand(k);
                let then = made(parentheses(quote_spanned!(span=> #k - #first)));
                let is_first = made(quote_spanned!(span=> #k < #first));
                either(&is_first, a.item(&k, span)?, b.item(&then, span)?, span)?
            }
            Self::Flatten { place, mutable, depth } => {
                let k = parentheses(bare(k.clone()).into_token_stream());
                let lens = lens_of_rows(place, *depth, span);
                let mut at = element(place, &made(quote_spanned!(span=> #k #(/ #lens)*)), span);
                for (level, n) in lens.iter().enumerate() {
                    let inner = &lens[level + 1..];
                    at = element(&at, &made(quote_spanned!(span=> #k #(/ #inner)* % #n)), span);
                }
                Item::Element { place: at, mutable: *mutable }
            }
            Self::Cycle(inner, total) => {
                let all = bare(total.clone().map_or_else(|| inner.len(span), Some)?);
                let (k, all) = (bare(k.clone()), operand(&all));
                inner.item(&made(parentheses(quote_spanned!(span=> (#k) % #all))), span)?
            }
            Self::Copied(inner) => match inner.item(k, span)? {
                Item::Element { place, mutable: false } => Item::Value(place),
                Item::Ref(inner) if matches!(*inner, Item::Value(_)) => *inner,
                _ => return None,
            },
            // The type decides whose `Clone` it is.
            Self::Cloned(inner) => match inner.item(k, span)? {
                Item::Element { place, mutable: false } => {
                    Item::Value(made(quote_spanned!(span=> ::omp::__private::clone_of(#place))))
                }
                Item::Ref(inner) => match *inner {
                    Item::Value(v) => {
                        Item::Value(made(quote_spanned!(span=> ::omp::__private::clone_of(#v))))
                    }
                    _ => return None,
                },
                _ => return None,
            },
        })
    }

    /// The sections of arrays, which have to lie in them: place, start, end.
    pub fn sections(&self) -> Vec<Section<'_>> {
        match self {
            Self::Array { from: None, to: None, .. }
            | Self::Range { .. }
            | Self::Value(_)
            | Self::Flatten { .. } => {
                vec![]
            }
            Self::Array { place, from, to, last, mutable: _ } => {
                vec![Section { place, from: from.as_ref(), to: to.as_ref(), last: last.as_ref() }]
            }
            Self::Enumerate(inner)
            | Self::Rev(inner)
            | Self::StepBy(inner, _)
            | Self::Skip(inner, _)
            | Self::Take(inner, _)
            | Self::Copied(inner)
            | Self::Cloned(inner)
            | Self::Parts { of: inner, .. }
            | Self::Cycle(inner, _)
            | Self::Measured(inner, _) => inner.sections(),
            Self::Zip(a, b) | Self::After(a, b, _) => [a.sections(), b.sections()].concat(),
        }
    }
}

/// Whether it is a literal above zero.
pub fn positive(e: &Expr) -> bool {
    matches!(e, Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) if n.base10_parse::<u64>().is_ok_and(|n| n > 0))
}

/// The smaller of two numbers of items.
fn fewer(a: &Expr, b: &Expr, span: Span) -> Expr {
    let (a, b) = (bare(a.clone()), bare(b.clone()));
    made(quote_spanned!(span=> ::omp::__private::fewer(#a, #b)))
}

/// The lengths of an array's elements, of the elements of these, and so on.
fn lens_of_rows(place: &Expr, depth: usize, span: Span) -> Vec<TokenStream> {
    let mut first = place.to_token_stream();
    let next = |_| {
        first = quote_spanned!(span=> #first[0]);
        quote_spanned!(span=> #first.len())
    };
    (0..depth).map(next).collect()
}
