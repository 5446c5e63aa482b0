//! Interchanged loops of scans: the bounds of the user's inner loop are evaluated only if the outer loop has
//! iterations.
use crate::sema::CheckedRegion;
use crate::sema::loops::bounds;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;

/// The region, under the condition that it is reached.
pub(in crate::glue) fn guarded(region: &CheckedRegion, inner: TokenStream) -> TokenStream {
    let Some(head) = &region.reached else { return inner };
    // Parts of bounds that may be evaluated twice must have no effects: rustc checks their types.
    let check = |e: &syn::Expr| quote_spanned!(e.span()=> ::omp::__private::pure(&#e););
    let checks = std::iter::once(head).chain(&region.loops).flat_map(bounds::parts).map(check);
    let checks: TokenStream = checks.collect();
    let (first, last, inclusive) = (&head.lo, &head.hi, head.inclusive);
    let range = quote_spanned!(head.whole.span()=> ::omp::__private::range(#first, #last, #inclusive));
    code! {
        if false { #checks }
        if #range.count() != 0 { #inner }
    }
}
