//! `reproducible` items where the host runs the loop as it stands, on one thread: they are combined in the order of the
//! parallel loop and of the devices, leaf by leaf.
use super::items::combined;
use super::private;
use crate::ast::Region;
use crate::lower::{CapturedReduction, Lowered};
use proc_macro2::TokenStream;
use quote::quote_spanned;

/// What stands where in such a loop.
pub(super) struct Fixed {
    /// Before the loop.
    pub before: TokenStream,
    /// The number of the loop, from outside, whose iterations are cut into leaves.
    pub counted: usize,
    /// At the head of its body.
    pub leaf: TokenStream,
    /// At the head of the innermost body.
    pub each: TokenStream,
    /// After the loop.
    pub after: TokenStream,
}

/// Of a region whose items are scalars with an order; `None` for others.
pub(super) fn of(region: &Region, lowered: &Lowered) -> Option<Fixed> {
    let items = &lowered.captures.reductions;
    if !items.iter().any(|r| r.reproducible) || items.iter().any(|r| r.array.is_some() || r.carried) {
        return None;
    }
    let p = private();
    let generic = !region.context.generics.is_empty();
    let places = items.iter().map(|r| &r.place);
    let values = code!((#(#places,)*));
    let restarts: TokenStream = items.iter().map(|r| restart(r, generic)).collect();
    let both = items.iter().enumerate().map(|(k, r)| {
        let k = syn::Index::from(k);
        combined(r, generic, &code!(__a.#k), [code!(__a.#k), code!(__b.#k)])
    });
    let combine = code!(|__a, __b| (#(#both,)*));
    let stores: TokenStream = items
        .iter()
        .enumerate()
        .map(|(k, r)| {
            let (k, place) = (syn::Index::from(k), &r.place);
            let both = combined(r, generic, &code!(#place), [code!(__first.#k), code!(__t.#k)]);
            code!(#place = #both;)
        })
        .collect();
    let counted = usize::from(region.loops.len() > 1 && lowered.template.dims[1].host);
    let block = if region.loops.len() == counted + 1 {
        code!(u64::MAX)
    } else {
        super::items::block_of(items, generic)
    };
    Some(Fixed {
        counted,
        before: code! {
            let __block = #block;
            let __first = #values;
            let (mut __fold, mut __inner) = (#p::Fold::new(), #p::Fold::new());
            let (mut __leaf, mut __n) = (0u64, 0u64);
            #restarts
        },
        leaf: code! {
            if __leaf == #p::LEAF {
                (&mut __fold).push(::core::mem::replace(&mut __inner, #p::Fold::new()).last(#values, &#combine), &#combine);
                #restarts
                (__leaf, __n) = (0, 0);
            }
            __leaf += 1
        },
        each: code! {
            if __block != u64::MAX {
                if __n == __block {
                    (&mut __inner).push(#values, &#combine);
                    #restarts
                    __n = 0;
                }
                __n += 1;
            }
        },
        after: code! {
            let __t = __fold.last(__inner.last(#values, &#combine), &#combine);
            #stores
        },
    })
}

/// An item at its operator's identity.
fn restart(r: &CapturedReduction, generic: bool) -> TokenStream {
    let (op, place) = (&r.op, &r.place);
    let first = if generic {
        quote_spanned!(r.span=> (&&::omp::__private::Item::<#op, _>::of(&#place)).omp_start(&#place))
    } else {
        quote_spanned!(r.span=> ::omp::__private::by::<#op, _>(&#place).omp_start(&#place))
    };
    code!(#place = #first;)
}
