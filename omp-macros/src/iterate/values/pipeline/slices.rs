//! Iterators over parts of a slice whose lengths the elements decide, `split(f)`, `split_inclusive(f)`, `splitn(n, f)` and
//! `chunk_by(f)`, and those that are counted from the end of a slice, `rchunks(n)` and `rchunks_exact(n)`.
//!
//! A loop searches the end of each part when the part is taken, so the closure sees the elements in std's order, and none after the
//! last part that is taken.
use super::super::array_chunks;
use super::tree::{Pipeline, Source, Step};
use crate::iterate::loops::chain::{IteratedBy, is_place};
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{call, made, parentheses};
use crate::iterate::values::arrays::behind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprMethodCall};

/// The methods, with their numbers of arguments.
const METHODS: [(&str, usize); 6] = [
    ("split", 1),
    ("split_inclusive", 1),
    ("splitn", 2),
    ("chunk_by", 1),
    ("rchunks", 1),
    ("rchunks_exact", 1),
];

/// What such a method is called with.
struct Cut<'m> {
    args: Vec<&'m Expr>,
    /// The variables of an iterator that moves on (`names/moved_on.rs`).
    kept: Option<[Ident; 2]>,
}

impl<'m> Cut<'m> {
    fn of(m: &'m ExprMethodCall) -> Self {
        let is_state = |e: &&Expr| matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|name| name.to_string().starts_with(STATE)));
        let (kept, args): (Vec<&Expr>, _) = m.args.iter().partition(is_state);
        let names = kept
            .into_iter()
            .filter_map(|e| if let Expr::Path(p) = e { p.path.get_ident().cloned() } else { None });
        Self { args, kept: names.collect::<Vec<_>>().try_into().ok() }
    }
}

/// How the variables begin that such an iterator keeps from part to part.
const STATE: &str = "__omp_cuts_";

/// The variables that an iterator keeps from part to part, of a slice of this name: where the next part begins or ends, and whether there
/// is none, how many are left, or their size.
fn begins(m: &ExprMethodCall, all: &Ident, [next, over]: &[Ident; 2]) -> Vec<TokenStream> {
    let (span, n) = (m.method.span(), m.args.first());
    let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
    let first = quote_spanned!(span=> let mut #next: #usize_ = 0;);
    match m.method.to_string().as_str() {
        "split" => vec![first, quote_spanned!(span=> let mut #over = false;)],
        "splitn" => vec![quote_spanned!(span=> let mut #over: #usize_ = #n;), first],
        "rchunks" | "rchunks_exact" => vec![
            quote_spanned!(span=> let #over: #usize_ = #n;),
            quote_spanned!(span=> ::omp::__private::core::assert!(#over != 0, "chunk size must be non-zero");),
            quote_spanned!(span=> let mut #next: #usize_ = #all.len();),
        ],
        _ => vec![first],
    }
}

impl Walk<'_> {
    /// `x.split(f)` as an iterator that keeps its state in variables, and their declarations.
    pub(in crate::iterate) fn cut_from_here(&mut self, base: &Expr) -> Option<(Vec<syn::Stmt>, Expr)> {
        let Expr::MethodCall(m) = base else { return None };
        if !self.cuts_slice(m) || array_chunks::iterated(m).is_some() {
            return None;
        }
        let span = m.method.span();
        let [all, next, over] = ["slice", "cuts_next", "cuts_over"].map(|name| self.fresh(name, span));
        let slice = match behind(&m.receiver) {
            Expr::Index(x) => quote_spanned!(span=> &#x),
            array => quote_spanned!(span=> &#array[..]),
        };
        let states = begins(m, &all, &[next.clone(), over.clone()]);
        let lets = std::iter::once(quote_spanned!(span=> let #all = #slice;)).chain(states);
        let mut m = m.clone();
        *m.receiver = made(all.into_token_stream());
        m.args.extend([next, over].map(|name| made(name.into_token_stream())));
        Some((lets.map(|s| syn::parse_quote!(#s)).collect(), Expr::MethodCall(m)))
    }

    /// Whether a method gives parts of a slice.
    pub(in crate::iterate) fn cuts_slice(&self, m: &ExprMethodCall) -> bool {
        if array_chunks::iterated(m).is_some() {
            return true;
        }
        let (name, Cut { args, kept }) = (m.method.to_string(), Cut::of(m));
        if m.turbofish.is_some() || !METHODS.contains(&(name.as_str(), args.len())) {
            return false;
        }
        if kept.is_some() {
            return true;
        }
        let takes_function =
            name.starts_with("rchunks") || matches!(args.last(), Some(Expr::Closure(_) | Expr::Path(_)));
        let of_slices =
            ["chunk_by", "split_inclusive"].contains(&name.as_str()) || name.starts_with("rchunks");
        let place = behind(&m.receiver);
        // A type of the user's may have a `split` that takes a function, too.
        let is_array = self.is_array_here(&m.receiver)
            || self.is_slice(&m.receiver)
            || is_place(place)
                && (of_slices
                    || matches!(
                        self.kind_of(place),
                        Some(IteratedBy::Given | IteratedBy::Behind | IteratedBy::Stored)
                    ));
        takes_function && is_array
    }

    /// The parts that such a method gives.
    pub(super) fn cut(&mut self, m: &ExprMethodCall) -> Option<Pipeline> {
        if self.copies_what_changes(&m.args) {
            return None;
        }
        if let Some((slice, n)) = array_chunks::iterated(m) {
            return Some(self.arrays(slice, n, m.method.span()));
        }
        let (span, name) = (m.method.span(), m.method.to_string());
        let [all, lo, hi, part] = ["cut", "lo", "hi", "part"].map(|name| self.fresh(name, span));
        let (mut before, array, offset) = self.slice_of_parts(&m.receiver, &all, span);
        let Cut { args, kept } = Cut::of(m);
        let [next, over] = kept.unwrap_or_else(|| {
            let states = ["next", "over"].map(|name| self.fresh(name, span));
            before.extend(begins(m, &all, &states));
            states
        });
        let holds =
            |of: &[TokenStream]| args.last().map(|f| parentheses(call(f, of, span).into_token_stream()));
        // From the end of the last part to an element that separates.
        let begin = quote_spanned!(span=> let #lo = #next; let mut #hi = #lo;);
        let search = || {
            let separates = holds(&[quote_spanned!(span=> &#all[#hi])]);
            quote_spanned!(span=> while #hi < #all.len() && !#separates { #hi += 1; })
        };
        let (ends, step) = match name.as_str() {
            "chunk_by" => {
                let together =
                    holds(&[quote_spanned!(span=> &#all[#hi - 1]), quote_spanned!(span=> &#all[#hi])]);
                (
                    quote_spanned!(span=> #next == #all.len()),
                    quote_spanned!(span=>
                        let #lo = #next;
                        let mut #hi = #lo + 1;
                        while #hi < #all.len() && #together { #hi += 1; }
                        #next = #hi;
                    ),
                )
            }
            "split_inclusive" => {
                let search = search();
                (
                    quote_spanned!(span=> #next == #all.len()),
                    quote_spanned!(span=> #begin #search if #hi < #all.len() { #hi += 1; } #next = #hi;),
                )
            }
            "split" => {
                let search = search();
                (
                    over.to_token_stream(),
                    quote_spanned!(span=> #begin #search if #hi < #all.len() { #next = #hi + 1; } else { #over = true; }),
                )
            }
            "splitn" => {
                let search = search();
                (
                    quote_spanned!(span=> #over == 0),
                    quote_spanned!(span=>
                        #begin
                        #over -= 1;
                        if #over > 0 {
                            #search
                            if #hi < #all.len() { #next = #hi + 1; } else { #over = 0; }
                        } else {
                            #hi = #all.len();
                        }
                    ),
                )
            }
            _ => {
                let is_over = if name == "rchunks" {
                    quote_spanned!(span=> #next == 0)
                } else {
                    quote_spanned!(span=> #next < #over)
                };
                (
                    is_over,
                    quote_spanned!(span=>
                        let #hi = #next;
                        let #lo = #hi.saturating_sub(#over);
                        #next = #lo;
                    ),
                )
            }
        };
        let label = self.label(span);
        Some(Pipeline {
            before,
            source: Source::Endless,
            steps: vec![
                Step::Until(ends, label.clone()),
                Step::Do(quote_spanned!(span=> #step let #part = &#array[#offset #lo..#offset #hi];)),
            ],
            item: made(part.into_token_stream()),
            label,
        })
    }

    /// The arrays of so many elements that a slice is cut into.
    fn arrays(&mut self, slice: &Expr, n: &syn::GenericArgument, span: Span) -> Pipeline {
        let [all, next, k, chunk] = ["cut", "next", "at", "chunk"].map(|name| self.fresh(name, span));
        let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let (mut before, array, offset) = self.slice_of_parts(slice, &all, span);
        before.push(quote_spanned!(span=> let mut #next: #usize_ = 0;));
        let label = self.label(span);
        Pipeline {
            before,
            source: Source::Endless,
            steps: vec![
                Step::Until(quote_spanned!(span=> #all.len() - #next < #n), label.clone()),
                Step::Do(quote_spanned!(span=>
                    let mut #chunk = [#array[#offset #next]; #n];
                    for #k in 1..#chunk.len() { #chunk[#k] = #array[#offset #next + #k]; }
                    #next += #n;
                )),
            ],
            item: made(quote_spanned!(span=> &#chunk)),
            label,
        }
    }

    /// The statements that bind the slice that is cut; the array that its parts are parts of, and what their numbers there begin with. That
    /// is the array which the user names, as an option of a part may be used where the slice has no name any more.
    fn slice_of_parts(
        &mut self,
        e: &Expr,
        all: &Ident,
        span: Span,
    ) -> (Vec<TokenStream>, TokenStream, Option<TokenStream>) {
        let is_itself = |walk: &Self, e: &Expr| match e {
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|name| matches!(walk.meaning(name), None | Some(Meaning::Itself(..)))),
            _ => false,
        };
        match behind(e) {
            array if is_itself(self, array) => {
                (vec![quote_spanned!(span=> let #all = &#array[..];)], array.to_token_stream(), None)
            }
            Expr::Index(x) if is_itself(self, &x.expr) && matches!(&*x.index, Expr::Range(_)) => {
                let (array, Expr::Range(range)) = (&x.expr, &*x.index) else { unreachable!("it is a range") };
                let mut range = range.clone();
                let mut before = Vec::new();
                let offset = range.start.as_mut().map(|start| {
                    let from = self.fresh("from", span);
                    before.push(
                        quote_spanned!(span=> let #from: ::omp::__private::core::primitive::usize = #start;),
                    );
                    **start = made(from.to_token_stream());
                    quote_spanned!(span=> #from +)
                });
                before.push(quote_spanned!(span=> let #all = &#array[#range];));
                (before, array.to_token_stream(), offset)
            }
            _ => {
                let slice = self.part(e, false, span);
                (vec![quote_spanned!(span=> let #all = #slice;)], all.to_token_stream(), None)
            }
        }
    }
}
