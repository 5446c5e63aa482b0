//! Reduction variables in the host's serial loop.
//!
//! Under `reproducible`, iterations are combined as on devices and in the parallel loop: scalars by a tree over the
//! iterations, and arrays by blocks of iterations, in private memory until the loop ends (`host::SerialReductions`). The rest of
//! the loop is unchanged.
use super::elements::Elements;
use super::items::combined;
use crate::diag::Sink;
use crate::glue::{numbered, private};
use crate::iterate;
use crate::lower::{CapturedReduction, Lowered};
use crate::sema::CheckedRegion;
use crate::sema::syntax::place;
use crate::sema::syntax::search;
use proc_macro2::{Ident, TokenStream};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprForLoop};

/// The generated code, by its position in such a loop.
pub(in crate::glue) struct SerialReductions {
    /// Before the loop.
    pub before: TokenStream,
    /// At the head of a body.
    pub each: TokenStream,
    /// How many loops stand around that.
    pub depth: usize,
    /// After the loop.
    pub after: TokenStream,
    /// The views that replace arrays, by the arrays' keys.
    views: Vec<(String, Ident)>,
}

/// The code for a region; `None` if its loop needs none.
pub(in crate::glue) fn of(region: &CheckedRegion, lowered: &Lowered) -> Option<SerialReductions> {
    if region.scan.is_some() || !region.has_fixed_order() {
        return None;
    }
    let generic = !region.context.generics.is_empty();
    let items = &lowered.captures.reductions;
    let arrays: Vec<_> = items.iter().enumerate().filter_map(|(k, r)| Some((k, r.array?))).collect();
    let mut views = Vec::new();
    let (mut before, mut each, mut after) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let scalars: Vec<_> = items.iter().filter(|r| r.array.is_none()).collect();
    if !scalars.is_empty() {
        let tree = tree(&scalars, generic);
        before.extend(tree[0].clone());
        each.extend(tree[1].clone());
        after.extend(tree[2].clone());
    }
    if !arrays.is_empty() {
        let (start, count) = runs(lowered, &arrays);
        before.extend(start);
        let flush = arrays.iter().map(|(k, _)| {
            let (own, combine) = (numbered("own", *k), join(&items[*k], generic));
            code!((&mut #own).next_run(#combine);)
        });
        each.extend(code!(if __m == #count { #(#flush)* __m = 0; } __m += 1;));
    }
    for (k, array) in &arrays {
        let (view, parts) = array_item(lowered, (*k, *array), generic);
        views.push((lowered.captures.arrays[*array].key.clone(), view));
        before.extend(parts[0].clone());
        after.extend(parts[1].clone());
    }
    Some(SerialReductions { before, each, depth: counted(lowered), after, views })
}

/// How many of the loops, from the outermost, have bounds of their own: the iterations of these are counted.
pub(in crate::glue) fn counted(lowered: &Lowered) -> usize {
    lowered.template.dims.iter().take_while(|dim| dim.host).count().max(1)
}

/// The first element of an array item's section, and the one after its last.
fn section(lowered: &Lowered, array: usize) -> (TokenStream, TokenStream) {
    let captured = &lowered.captures.arrays[array];
    if captured.sections.is_empty() {
        let place = &captured.place;
        return (code!(0usize), code!(#place.len()));
    }
    let (lo, hi) = crate::glue::region::section_bounds(array, 0);
    (code!(#lo), code!(#hi))
}

/// How two values of an item are combined.
fn join(r: &CapturedReduction, generic: bool) -> TokenStream {
    let both = combined(r, generic, &code!(__x), [code!(__x), code!(__y)]);
    code!(|__x, __y| #both)
}

/// An array item: what stands for the array in the loop, and what comes before and after it.
fn array_item(lowered: &Lowered, (k, array): (usize, usize), generic: bool) -> (Ident, [TokenStream; 2]) {
    let p = private();
    let r = &lowered.captures.reductions[k];
    let (own, view, place) =
        (numbered("own", k), numbered("owned", k), &lowered.captures.arrays[array].place);
    let (lo, hi) = section(lowered, array);
    let start = super::items::start(r, generic, &code!(__e));
    let like = super::items::of(r, generic, &code!(__e));
    let combine = join(r, generic);
    let before = code! {
        let mut #own = #p::SerialReductions::new(
            &#place[..], (#lo, #hi), |__e| #like.omp_known(), |__e| #start,
        );
        let #view = unsafe { (&mut #own).view() };
        let _ = &#view;
    };
    (view, [before, code!(#own.store(&mut #place[..], #combine);)])
}

/// How long the runs are whose arrays are combined one after the other.
fn runs(lowered: &Lowered, arrays: &[(usize, usize)]) -> (TokenStream, TokenStream) {
    let p = private();
    let dims = (0..counted(lowered)).map(|d| numbered("d", d));
    let total = dims.fold(code!(1u64), |total, dim| code!(#p::product(#total, #dim.count())));
    let (mut elements, mut bytes) = (code!(0u64), code!(0u64));
    for (_, array) in arrays {
        let (lo, hi) = section(lowered, *array);
        let place = &lowered.captures.arrays[*array].place;
        elements = code!(#elements + (#hi - #lo) as ::omp::__private::core::primitive::u64);
        bytes = code!(#bytes + #p::bytes_of(&#place[#lo..#hi]));
    }
    (
        code!(let __run = #p::reproducible_run(#total, #elements, #bytes); let mut __m = 0u64; let _ = &mut __m;),
        code!(__run),
    )
}

/// The tree of scalars: before the loop, in each iteration, after the loop.
fn tree(scalars: &[&CapturedReduction], generic: bool) -> [TokenStream; 3] {
    let p = private();
    let places = scalars.iter().map(|r| &r.place);
    let values = code!((#(#places,)*));
    let restarts: TokenStream = scalars
        .iter()
        .map(|r| {
            let place = &r.place;
            let start = super::items::start(r, generic, &code!(&#place));
            code!(#place = #start;)
        })
        .collect();
    let both = scalars.iter().enumerate().map(|(k, r)| {
        let k = syn::Index::from(k);
        combined(r, generic, &code!(__a.#k), [code!(__a.#k), code!(__b.#k)])
    });
    let combine = code!(|__a, __b| (#(#both,)*));
    let stores: TokenStream = scalars
        .iter()
        .enumerate()
        .map(|(k, r)| {
            let (k, place) = (syn::Index::from(k), &r.place);
            let both = combined(r, generic, &code!(#place), [code!(__first.#k), code!(__t.#k)]);
            code!(#place = #both;)
        })
        .collect();
    // In a generic function the operator may be one that only devices look for: the loop runs as it stands.
    let known = scalars.iter().map(|r| {
        let place = &r.place;
        super::items::of(r, generic, &code!(&#place))
    });
    let known = code!(#(#known.omp_known())&&*);
    [
        code! {
            let __known = #known;
            let __first = #values;
            let mut __fold = #p::Fold::new();
            let mut __n = 0u64;
            let _ = &mut __n;
            if __known {
                #restarts
            }
        },
        code! {
            if __known && __n == #p::LEAF {
                (&mut __fold).push(#values, &#combine);
                #restarts
                __n = 0;
            }
            __n += 1;
        },
        code! {
            if __known {
                let __t = __fold.last(#values, &#combine);
                #stores
            }
        },
    ]
}

impl SerialReductions {
    /// The nest with counted loops, where a loop in it goes through an item: what stands for the item has subscripts alone.
    pub fn counted_nest(&self, region: &CheckedRegion) -> Option<ExprForLoop> {
        let through = |e: &Expr| matches!(e, Expr::ForLoop(f) if names_any(&f.expr, &self.views));
        if !names_any(&region.serial.expr, &self.views) && !search::any(&region.serial.body, through) {
            return None;
        }
        // Errors of its loops were reported when the region was parsed.
        let mut ignored = Sink::new();
        let nest = iterate::under(&region.serial, &region.directive, &region.context, &mut ignored);
        drop(ignored.into_tokens());
        Some(nest.counted)
    }

    /// Lets the body update what stands for the items.
    pub fn rewrite(&self, body: &mut impl Visited) {
        body.visit(&mut Elements::new(&self.views));
    }
}

/// Whether an expression uses an array for which something else stands for more than its length.
fn names_any(e: &Expr, views: &[(String, Ident)]) -> bool {
    let mut found = false;
    search::walk(e, |e| {
        if matches!(e, Expr::MethodCall(m) if m.method == "len" && place::scalar_key(&m.receiver).is_some()) {
            return false;
        }
        found |= place::scalar_key(e).is_some_and(|key| views.iter().any(|(of, _)| *of == key));
        true
    });
    found
}

/// A loop or a body.
pub(in crate::glue) trait Visited {
    fn visit(&mut self, visitor: &mut impl VisitMut);
}

impl Visited for syn::Block {
    fn visit(&mut self, visitor: &mut impl VisitMut) {
        visitor.visit_block_mut(self);
    }
}

impl Visited for ExprForLoop {
    fn visit(&mut self, visitor: &mut impl VisitMut) {
        visitor.visit_expr_for_loop_mut(self);
    }
}
