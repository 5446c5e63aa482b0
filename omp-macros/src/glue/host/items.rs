//! Reduction variables in the host's parallel loop.
use crate::glue::{numbered, private};
use crate::lower::{CapturedReduction, Lowered};
use crate::sema::CheckedRegion;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// The items of a loop and the variables that hold a chunk's partial results.
pub(super) struct Items<'a> {
    pub items: &'a [CapturedReduction],
    pub vars: &'a [Ident],
    /// The views of the reduced arrays.
    pub views: &'a [Ident],
    pub lowered: &'a Lowered,
    /// Item types may be parameters of the function.
    pub generic: bool,
}

/// `a ⊕ b` for an item like `like`.
pub(in crate::glue) fn combined(
    r: &CapturedReduction,
    generic: bool,
    like: &TokenStream,
    [a, b]: [TokenStream; 2],
) -> TokenStream {
    let of = of(r, generic, &quote_spanned!(r.span=> &#like));
    quote_spanned!(r.span=> #of.omp_with(#a, #b))
}

/// `a ⊕ b` of two results of a region. The later one of a scan has the earlier one in it.
pub(in crate::glue) fn combined_results(
    region: &CheckedRegion,
    r: &CapturedReduction,
    [a, b]: [TokenStream; 2],
) -> TokenStream {
    if region.scan.is_some() {
        return code!({
            let _ = #a;
            #b
        });
    }
    combined(r, !region.context.generics.is_empty(), &a, [a.clone(), b])
}

/// How many iterations may be combined one after the other.
pub(super) fn block_of(items: &[CapturedReduction], generic: bool) -> TokenStream {
    let each = items.iter().filter(|r| r.array.is_none()).map(|r| {
        let (op, place) = (&r.op, &r.place);
        if generic {
            code!((&&::omp::__private::Item::<#op, _>::of(&#place)).omp_block())
        } else {
            quote_spanned!(r.span=> ::omp::__private::by::<#op, _>(&#place).omp_block())
        }
    });
    each.fold(
        code!(::omp::__private::core::primitive::u64::MAX),
        |least, block| code!(::omp::__private::core::cmp::Ord::min(#least, #block)),
    )
}

/// An expression that says whether the host finds the operators of all items, evaluated where the items' types were caught; `None` if it
/// finds them for sure.
/// (A generic function's type parameter may turn out to be a generic type, whose operators can't be looked up: the
/// loop itself has them.)
pub(in crate::glue) fn known(region: &CheckedRegion, lowered: &Lowered) -> Option<TokenStream> {
    let items = &lowered.captures.reductions;
    if region.context.generics.is_empty() || items.is_empty() {
        return None;
    }
    let each = items.iter().zip(&lowered.typing.operators).map(|(r, (_, caught))| {
        let op = &r.op;
        quote_spanned!(r.span=> (&&::omp::__private::Item::<#op, _>::caught(#caught)).omp_known())
    });
    Some(code!(#(#each)&&*))
}

/// How items like `like` are combined.
pub(in crate::glue) fn of(r: &CapturedReduction, generic: bool, like: &TokenStream) -> TokenStream {
    let op = &r.op;
    if generic {
        quote_spanned!(r.span=> (&&::omp::__private::Item::<#op, _>::of(#like)))
    } else {
        quote_spanned!(r.span=> ::omp::__private::by::<#op, _>(#like))
    }
}

/// The value that an item starts from. If its type is known, rustc reports a wrong operator at the item.
pub(in crate::glue) fn start(r: &CapturedReduction, generic: bool, item: &TokenStream) -> TokenStream {
    let of = of(r, generic, item);
    quote_spanned!(r.span=> #of.omp_start(#item))
}

/// The first element of an array item's section, and the one after its last.
fn section(lowered: &Lowered, array: usize, like: &Ident) -> (TokenStream, TokenStream) {
    if lowered.captures.arrays[array].sections.is_empty() {
        return (code!(0), code!(#like.len()));
    }
    let (lo, hi) = crate::glue::region::section_bounds(array, 0);
    (code!(#lo), code!(#hi))
}

/// How many elements the array items have, and how many bytes.
pub(in crate::glue) fn size_of(lowered: &Lowered, items: &[CapturedReduction]) -> TokenStream {
    let (mut elements, mut bytes) = (code!(0u64), code!(0u64));
    for array in items.iter().filter_map(|r| r.array) {
        let name = numbered("m", array);
        let (lo, hi) = section(lowered, array, &name);
        elements = code!(#elements + (#hi - #lo) as ::omp::__private::core::primitive::u64);
        bytes = code!(#bytes + #name.bytes_of(#hi - #lo));
    }
    code!((#elements, #bytes))
}

impl Items<'_> {
    /// Some item is an array.
    pub fn arrays(&self) -> bool {
        self.items.iter().any(|r| r.array.is_some())
    }

    /// Some item is `reproducible`: its bits are the same on every backend.
    pub fn reproducible(&self) -> bool {
        self.items.iter().any(|r| r.reproducible)
    }

    fn start(&self, r: &CapturedReduction, item: &TokenStream) -> TokenStream {
        start(r, self.generic, item)
    }

    /// The variables at the head of a chunk, or of a run that has elements of its own.
    pub fn starts(&self) -> TokenStream {
        let p = private();
        let each = self.items.iter().zip(self.vars).map(|(r, var)| {
            let place = &r.place;
            let Some(array) = r.array else {
                let first = self.start(r, &code!(&#place));
                return code!(let mut #var = #first;);
            };
            let (view, first) = (&self.views[array], self.start(r, &code!(__e)));
            let ((lo, hi), own) = (self.section(array), self.own_view(r, array, &code!(#var)));
            code! {
                let mut #var = #p::Copied::new(#view, (#lo, #hi), false, |__e| #first);
                #own
            }
        });
        each.collect()
    }

    /// The view of an array that a body has if single elements of the array are in a variable.
    fn own_view(&self, r: &CapturedReduction, array: usize, var: &TokenStream) -> TokenStream {
        let view = &self.views[array];
        let named = match &r.place {
            syn::Expr::Path(path) if !self.lowered.captures.arrays[array].scalar => {
                code!(let #path = #view; let _ = &#path;)
            }
            _ => TokenStream::new(),
        };
        code!(let #view = unsafe { (&mut #var).view() }; #named)
    }

    /// The initial values of a thread that has copies of the arrays: these and the scalars.
    pub fn copies(&self) -> TokenStream {
        let p = private();
        let (arrays, scalars): (Vec<_>, Vec<_>) = self.items.iter().partition(|r| r.array.is_some());
        let arrays = arrays.into_iter().filter_map(|r| {
            let array = r.array?;
            let (view, first, (lo, hi)) =
                (&self.views[array], self.start(r, &code!(__e)), self.section(array));
            Some(code!(#p::Copied::new(#view, (#lo, #hi), __alone, |__e| #first)))
        });
        let scalars = scalars.into_iter().map(|r| {
            let place = &r.place;
            self.start(r, &code!(&#place))
        });
        code!(((#(#arrays,)*), (#(#scalars,)*)))
    }

    /// The variables of the scalars.
    pub fn scalars(&self) -> Vec<&Ident> {
        let all = self.items.iter().zip(self.vars);
        all.filter(|(r, _)| r.array.is_none()).map(|(_, var)| var).collect()
    }

    /// How a body sees these copies.
    pub fn copy_views(&self) -> TokenStream {
        let arrays = self.items.iter().filter_map(|r| Some((r, r.array?))).enumerate();
        arrays
            .map(|(k, (r, array))| {
                let k = syn::Index::from(k);
                self.own_view(r, array, &code!(__copies.#k))
            })
            .collect()
    }

    /// From the copies of all threads, in `__t`, to the items.
    pub fn combine_copies(&self) -> TokenStream {
        let (mut arrays, mut scalars) = (0, 0);
        let each = self.items.iter().map(|r| {
            let counter = if r.array.is_some() { &mut arrays } else { &mut scalars };
            let (index, place) = (syn::Index::from(*counter), &r.place);
            *counter += 1;
            if r.array.is_some() {
                let both = combined(r, self.generic, &code!(__x), [code!(__x), code!(__y)]);
                return code!(__h.combine_copies((__t.as_slice(), |__t| &__t.0.#index), |__x, __y| #both););
            }
            let both = combined(r, self.generic, &code!(#place), [code!(#place), code!(__one.1.#index)]);
            code!(for __one in __t.as_slice() { #place = #both; })
        });
        each.collect()
    }

    /// The first element of an array item's section, and the one after its last.
    fn section(&self, array: usize) -> (TokenStream, TokenStream) {
        section(self.lowered, array, &self.views[array])
    }

    /// How long the runs of so many iterations are that have elements of their own, where all items are reproducible
    /// arrays.
    pub fn runs(&self, count: &TokenStream) -> TokenStream {
        let (p, size) = (private(), size_of(self.lowered, self.items));
        code!({
            let (__elements, __bytes) = #size;
            #p::reproducible_run(#count, __elements, __bytes)
        })
    }

    /// The results of such a run.
    pub fn results(&self) -> TokenStream {
        let vars = self.vars;
        code!((#(#vars,)*))
    }

    /// Combines these, in `__t`, with the items.
    pub fn store_runs(&self) -> TokenStream {
        let each = self.items.iter().enumerate().map(|(k, r)| {
            let index = syn::Index::from(k);
            let both = combined(r, self.generic, &code!(__x), [code!(__x), code!(__y)]);
            code!(__h.combine_copies((__t.as_slice(), |__t| &__t.#index), |__x, __y| #both);)
        });
        each.collect()
    }

    /// The variables at the head of a part of a scan, at the identity.
    pub fn neutral(&self) -> TokenStream {
        let slots = self.lowered.typing.operators.iter().map(|(_, caught)| caught);
        let each = self.items.iter().zip(self.vars).zip(slots).map(|((r, var), caught)| {
            let op = &r.op;
            // A missing operator is reported where items are combined.
            let first =
                quote_spanned!(r.span=> (&&::omp::__private::Item::<#op, _>::caught(#caught)).omp_neutral());
            // At the type, where rustc says that it is another.
            let typed = r.ty.as_ref().map(|ty| {
                let like = Ident::new("__like", Span::mixed_site().located_at(ty.span()));
                quote_spanned!(like.span()=> let #like = &#var; let _: &#ty = #like;)
            });
            code!(let mut #var = #first; #typed)
        });
        each.collect()
    }

    /// The variables of scalars at the head of a block.
    pub fn restarts(&self) -> TokenStream {
        let each = self.items.iter().zip(self.vars).map(|(r, var)| {
            let first = self.start(r, &code!(&#var));
            code!(#var = #first;)
        });
        each.collect()
    }

    /// The function that combines the results of two chunks.
    pub fn combine(&self) -> TokenStream {
        let each = self.items.iter().enumerate().map(|(k, r)| {
            let k = syn::Index::from(k);
            combined(r, self.generic, &code!(__a.#k), [code!(__a.#k), code!(__b.#k)])
        });
        let parts: Vec<_> = each.collect();
        code!(|__a, __b| (#(#parts,)*))
    }

    /// How many iterations may be combined one after the other.
    pub fn block(&self) -> TokenStream {
        block_of(self.items, self.generic)
    }

    /// From the results of all chunks, in `__t`, to the items.
    pub fn store(&self) -> TokenStream {
        let each = self.items.iter().enumerate().map(|(k, r)| {
            let (index, place) = (syn::Index::from(k), &r.place);
            let both = combined(r, self.generic, &code!(#place), [code!(#place), code!(__t.#index)]);
            // (The `*&mut` keeps rustc from suggesting a declaration if the place does not exist.)
            code!(*&mut #place = #both;)
        });
        each.collect()
    }
}
