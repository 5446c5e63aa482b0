//! The host's loops of a region: the serial copy, and the parallel loop.
//!
//! The serial copy is the user's loop. It runs if the launch could not prove every index that the parallel loop leaves
//! unchecked, and it panics where Rust does.
//!
//! The parallel loop cuts the outermost loop, or the two outermost loops made one, into chunks; inner loops stay
//! ordinary loops. In each chunk, captured values are copied to locals (so that the optimiser knows that no store
//! changes them), and reduction variables start at their identity (a chunk has its own elements of reduced arrays). In
//! each iteration, private variables start at the captured value.
pub(super) mod claims;
pub(super) mod cost;
pub(super) mod elements;
pub(super) mod failure_record;
pub(super) mod interchanged;
pub(super) mod items;
pub(super) mod rewrite;
pub(super) mod serial_reductions;
pub(super) mod subscripts;
pub(super) mod updates;

use crate::marks::Unmark;
use crate::parse::loop_nest::innermost;
use crate::sema::CheckedRegion;
use crate::sema::syntax::forms::{as_name, strip_mut};
use failure_record::{FailureRecord, record_iterations};
use items::Items;
use rewrite::{Rewrite, base_of};

use super::{hidden, numbered, private};
use crate::ast::{LoopHead, RangeAdaptor};
use crate::lower::{CapturedReduction, Lowered};
use crate::sema::scan::Scan;
use omp_ir::analysis::bounds;
use omp_ir::template::Stmt;
use omp_ir::visit;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use std::collections::HashMap;
use syn::Expr;
use syn::visit_mut::VisitMut;

/// The name of a captured value that is behind fields or a `*`, taken once before the launch.
pub(super) fn taken(i: usize) -> Ident {
    numbered("taken", i)
}

/// The loop as it stands, its outermost bounds taken from `__lo0`, `__hi0` and the steps.
pub(super) fn serial(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    // The loop as the user wrote it leaves what was assigned last.
    if lowered.checked {
        let (nest, kept) = (claims::serial_loop(region, lowered, &[]), kept(region));
        return code!({ #nest #kept });
    }
    let serial = serial_reductions::of(region, lowered);
    let counted = serial.as_ref().and_then(|items| items.counted_nest(region));
    let is_counted = counted.is_some();
    let mut nest = counted.unwrap_or_else(|| region.serial.clone());
    if let Some(items) = &serial {
        if let Some(body) = innermost(&mut nest, region.loops.len()) {
            crate::sema::loops::nesting::mark(&region.body, body);
        }
        items.rewrite(&mut nest);
    }
    Unmark.visit_expr_for_loop_mut(&mut nest);
    *nest.expr = match &region.iterated {
        Some(iterated) if !is_counted => iterated.clone(),
        _ => Expr::Verbatim(outer_range(&region.loops[0])),
    };
    Slices(lowered).visit_expr_for_loop_mut(&mut nest);
    let last = |key: &str| region.directive.clauses.lastprivate.iter().any(|i| i.key == key);
    let private = lowered.captures.scalars.iter().filter(|s| s.private && !last(&s.key));
    let private = private.filter_map(|s| as_name(&s.place));
    let record = if is_counted { FailureRecord::counted(region) } else { FailureRecord::written(region) };
    let mut insert = |loops: usize, tokens: TokenStream| {
        if let Some(body) = innermost(&mut nest, loops) {
            body.stmts.insert(0, syn::Stmt::Expr(Expr::Verbatim(tokens), Some(Default::default())));
        }
    };
    insert(region.loops.len(), record.each);
    let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
    if let Some(items) = serial {
        insert(items.depth, items.each);
        (before, after) = (items.before, items.after);
    }
    let (first, last) = (record.first, record.last);
    if let Some(body) = innermost(&mut nest, region.loops.len()) {
        record_iterations(body);
    }
    code! {
        {
            #(let mut #private = #private; let _ = &mut #private;)*
            #before
            #first
            #nest
            #last
            #after
        }
    }
}

/// Takes what the last iteration has left.
pub(super) fn kept(region: &CheckedRegion) -> TokenStream {
    let kept = region.lasts.iter().map(|last| {
        let (place, array) = (&last.place, &last.array);
        code!(#place = #array[0];)
    });
    kept.collect()
}

/// The arrays of the loop are slices here: `for v in &mut y` is `for v in &mut y[..]`, and in `.zip(&mut y)` too.
struct Slices<'a>(&'a Lowered);

impl VisitMut for Slices<'_> {
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        Walked(self.0).visit_expr_mut(&mut l.expr);
        self.visit_block_mut(&mut l.body);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Rewrites the expressions that `for` loops iterate.
struct Walked<'a>(&'a Lowered);

impl VisitMut for Walked<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match strip_mut(e) {
            Expr::Reference(r) => {
                if let Some(key) = crate::sema::syntax::place::scalar_key(&r.expr)
                    && self.0.captures.arrays.iter().any(|a| a.key == key)
                {
                    let place = &r.expr;
                    *r.expr = match **place {
                        Expr::Unary(_) => syn::parse_quote!((#place)[..]),
                        _ => syn::parse_quote!(#place[..]),
                    };
                }
            }
            Expr::MethodCall(m) => {
                self.visit_expr_mut(&mut m.receiver);
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            _ => {}
        }
    }
}

/// The outermost range over the bounds that were evaluated before.
pub(super) fn outer_range(head: &LoopHead) -> TokenStream {
    let (lo, hi) = (numbered("lo", 0), numbered("hi", 0));
    let mut range = if head.inclusive { code!((#lo..=#hi)) } else { code!((#lo..#hi)) };
    for (k, a) in head.adaptors.iter().enumerate() {
        range = match a {
            RangeAdaptor::Rev => code!(#range.rev()),
            RangeAdaptor::StepBy(_) => {
                let step = hidden(&format!("__st0_{k}"));
                code!(#range.step_by(#step))
            }
        };
    }
    range
}

/// Gives the written variables' names to what was borrowed for the launch: so that a borrow is one, and an error about it, too.
pub(super) fn shadows(lowered: &Lowered) -> TokenStream {
    let arrays = lowered.captures.arrays.iter().enumerate();
    let shadows = arrays.filter_map(|(i, a)| {
        let (name, array) = (a.shadowed()?, numbered("m", i));
        Some(code!(#[allow(clippy::shadow_reuse, clippy::shadow_same, clippy::shadow_unrelated)]
            let #name = unsafe { (&mut #array).all() };
            let _ = &#name;))
    });
    code!(#(#shadows)*)
}

/// The parallel loop; `None` where it could not be made safe, and the host runs serially.
pub(super) fn parallel(region: &CheckedRegion, lowered: &Lowered) -> Option<TokenStream> {
    loops(region, lowered, &[])
}

/// The same loop, with iterations that claim elements of these arrays.
pub(super) fn claiming(region: &CheckedRegion, lowered: &Lowered, arrays: &[usize]) -> Option<TokenStream> {
    // In order, an iteration of a scan starts from the element before.
    if region.scan.is_some() { None } else { loops(region, lowered, arrays) }
}

fn loops(region: &CheckedRegion, lowered: &Lowered, claimed: &[usize]) -> Option<TokenStream> {
    let captures = &lowered.captures;
    // Chunks are runs of the tree of such items, which counts the iterations of the nest; arrays' runs are others.
    let arrays = captures.reductions.iter().filter(|r| r.array.is_some()).count();
    let both = arrays > 0 && arrays < captures.reductions.len();
    if region.has_fixed_order() && (both || serial_reductions::counted(lowered) > 2) {
        return None;
    }
    let bound = crate::sema::syntax::names::bound_in(&region.body);
    let shadowed = |place: &Expr| {
        as_name(place).is_none() && base_of(place).is_none_or(|b| bound.contains(&b.to_string()))
    };
    // An array whose name another variable of the body has can't be distinguished from it, and is read under its own name.
    if captures.arrays.iter().any(|a| a.written && (a.passed || shadowed(&a.place)))
        || captures.scalars.iter().any(|s| shadowed(&s.place))
    {
        return None;
    }
    let updates = if claimed.is_empty() { updates::of(region, lowered) } else { Vec::new() };
    let items = if updates.is_empty() { &captures.reductions } else { &updates };
    let mut names = Names::new(lowered, items);
    // A closure that names a field behind `&self` captures all of `self`, which has to be `Sync` then.
    let fields = captures.arrays.iter().enumerate().filter(|(_, a)| {
        let is_array = !a.scalar && a.or_scalar.is_none();
        is_array && !a.written && !matches!(a.place, Expr::Path(_)) && !shadowed(&a.place)
    });
    names.referred = fields.map(|(i, _)| (i, numbered("r", i))).collect();
    let tables = claimed.iter().map(|i| numbered("c", *i));
    names.chunk.extend(code!(#(let #tables = (&#tables).at_hand();)*));
    let loops = Loops::new(region, lowered, &names, (claimed, &updates))?;
    let p = private();
    let views = captures.arrays.iter().enumerate().map(|(i, a)| {
        let (view, array) = (&names.views[i], numbered("m", i));
        let make = if a.written { code!(view) } else { code!(read_view) };
        // The launch has checked the requirements of `view` and `read_view`: no conflicts, and `serial()` is false.
        code!(let #view = unsafe { #p::#make(&#array) };)
    });
    let referred = names.referred.iter().map(|(i, name)| {
        let place = &captures.arrays[*i].place;
        code!(let #name = &#place;)
    });
    let run = match region.scan {
        Some(_) => loops.scan(&captures.reductions, lowered),
        None if !updates.is_empty() => loops.update(&updates, lowered),
        None if captures.reductions.is_empty() => loops.for_each(),
        None => loops.reduce(&captures.reductions, lowered),
    };
    // A subscript of an element, by an `IndexMut` of its type, is reached by a pointer.
    Some(code! {
        {
            #(#views)*
            #(#referred)*
            #[allow(dangerous_implicit_autorefs)]
            let __ran = { #run };
            __ran
        }
    })
}

/// The names that replace captured places in the parallel loop.
struct Names {
    views: Vec<Ident>,
    /// At the head of a chunk.
    chunk: TokenStream,
    /// At the head of an iteration.
    iteration: TokenStream,
    /// Variables of the reduction items.
    reductions: Vec<Ident>,
    fields: HashMap<String, Ident>,
    /// By array that is only read and a field, the reference that stands for it.
    referred: Vec<(usize, Ident)>,
}

impl Names {
    fn new(lowered: &Lowered, items: &[CapturedReduction]) -> Self {
        let captures = &lowered.captures;
        let view =
            |(i, a): (usize, &crate::lower::CapturedArray)| numbered(if a.written { "v" } else { "x" }, i);
        let views: Vec<Ident> = captures.arrays.iter().enumerate().map(view).collect();
        let (mut chunk, mut iteration) = (TokenStream::new(), TokenStream::new());
        let mut fields = HashMap::new();
        for (i, (a, view)) in captures.arrays.iter().zip(&views).enumerate() {
            if items.iter().any(|r| r.array == Some(i)) {
                continue;
            }
            chunk.extend(code!(let #view = #view;));
            if let (true, false, Some(name)) = (a.written, a.scalar, as_name(&a.place)) {
                chunk.extend(code!(let #name = #view; let _ = &#name;));
            }
        }
        for (i, s) in captures.scalars.iter().enumerate() {
            let (local, value) = match as_name(&s.place) {
                Some(name) if s.either => (name.clone(), taken(i)),
                Some(name) => (name.clone(), name.clone()),
                None => {
                    let local = numbered("k", i);
                    fields.insert(s.key.clone(), local.clone());
                    (local, taken(i))
                }
            };
            chunk.extend(code!(let #local = #value; let _ = &#local;));
            if s.private {
                iteration.extend(code!(let mut #local = #local; let _ = &mut #local;));
            }
        }
        let reductions = items.iter().enumerate().map(|(i, r)| match as_name(&r.place) {
            _ if r.array.is_some() => numbered("own", i),
            _ if r.carried => Ident::new(&r.key, proc_macro2::Span::mixed_site()),
            Some(name) => name.clone(),
            None => {
                let local = numbered("q", i);
                fields.insert(r.key.clone(), local.clone());
                local
            }
        });
        let reductions = reductions.collect();
        Self { views, chunk, iteration, reductions, fields, referred: Vec::new() }
    }
}

/// The statements before those of a scan's iteration.
struct ScanParts {
    /// The statements that the carried values depend on.
    fold: TokenStream,
    /// The initial values of carried elements, for the first iteration.
    seed: TokenStream,
}

/// The loops of a nest, rewritten.
struct Loops<'a> {
    names: &'a Names,
    /// How many iterations are cut into chunks.
    count: TokenStream,
    /// The heads of the loops that run the iterations `__lo..__hi`.
    chunk: Vec<TokenStream>,
    /// The heads of the loops inside.
    inner: Vec<TokenStream>,
    body: TokenStream,
    scan: Option<ScanParts>,
    /// An iteration, or of a scan the statements that the carried values depend on, costs little.
    light: bool,
    /// The limit of the number of threads that have copies of reduced arrays.
    copies: TokenStream,
    record: FailureRecord,
    /// Item types may be parameters of the function.
    generic: bool,
}

impl<'a> Loops<'a> {
    /// Iterations claim elements of the arrays `claimed`; atomic updates of `updates` may go to copies.
    fn new(
        region: &CheckedRegion,
        lowered: &Lowered,
        names: &'a Names,
        (claimed, updates): (&[usize], &[CapturedReduction]),
    ) -> Option<Self> {
        let classes = bounds::at_compile_time(&lowered.template);
        let mut rewrite =
            Rewrite::new(lowered, &classes, &names.views, names.fields.clone()).updating(updates);
        rewrite = rewrite.referring(lowered, &names.referred);
        let mut heads = region.loops.clone();
        let mut record = FailureRecord::counted(region);
        let mut number = TokenStream::new();
        let is_counted = serial_reductions::counted(lowered).min(2) == heads.len();
        if !claimed.is_empty() {
            rewrite = rewrite.claiming(lowered, claimed);
        }
        if !claimed.is_empty() && is_counted {
            // The iterations of a chunk are numbered one after the other.
            record.first.extend(code!(let mut __next = __lo;));
            number = code!(let __me = __next; __next += 1;);
        } else if !claimed.is_empty() {
            // The iteration's number is that of its variables' values.
            for (k, head) in heads.iter_mut().enumerate() {
                head.var.get_or_insert_with(|| numbered("i", k));
            }
            let (p, values) = (private(), heads.iter().filter_map(|head| head.var.as_ref()));
            let loops = proc_macro2::Literal::usize_unsuffixed(heads.len());
            record.first.extend(code!(let __digits = (&__numbers).digits::<#loops>();));
            number = code!(let __me = __digits.of([#(#p::ClauseInt::wide(#values)),*]););
        }
        let first = heads.first()?;
        let both = heads.get(1).filter(|_| lowered.template.dims[1].host);
        let (count, chunk) = match both {
            Some(second) => two(first, second),
            None => {
                let (d0, part) = (numbered("d", 0), part(first));
                let (label, var) = (&first.label, variable(first));
                (code!(#d0.count()), vec![code!(#label for #var in #d0.#part(__lo, __hi))])
            }
        };
        let rest = heads.iter().enumerate().skip(if both.is_some() { 2 } else { 1 });
        let inner = rest.map(|(k, head)| {
            let (label, var) = (&head.label, variable(head));
            if lowered.template.dims[k].host {
                // The bounds that the launch knows: others need not be the same when they are evaluated again.
                let (dim, part) = (numbered("d", k), part(head));
                return code!(#label for #var in #dim.#part(0, #dim.count()));
            }
            let mut whole = head.whole.clone();
            rewrite.expr(&mut whole);
            code!(#label for #var in #whole)
        });
        let inner: Vec<_> = inner.collect();
        let mut block = region.body.clone();
        let folded = if region.scan.is_some() { block.stmts.len().min(1) } else { block.stmts.len() };
        let light = inner.is_empty() && cost::is_cheap(&block.stmts[..folded]);
        let generic = !region.context.generics.is_empty();
        record_iterations(&mut block);
        rewrite.block(&mut block);
        let stmts = &block.stmts[if region.scan.is_some() { Scan::PREFIX } else { 0 }..];
        let body = code!(#number #(#stmts)*);
        let scan = region.scan.as_ref().map(|scan| {
            let inside = |k: usize| match &block.stmts[k] {
                syn::Stmt::Expr(Expr::Block(b), _) => b.block.stmts.as_slice(),
                _ => &[],
            };
            let (fold, seed) = (inside(0), inside(1));
            let fold = &fold[scan.items..fold.len() - scan.items];
            ScanParts { fold: code!(#(#fold)*), seed: code!(#(#seed)*) }
        });
        let copies = with_copies(region, lowered, updates);
        Some(Self { names, count, chunk, inner, body, scan, light, copies, record, generic })
    }

    /// The nest, with statements at the head of each iteration.
    fn nest(&self, head: &TokenStream) -> TokenStream {
        self.nest_of(head, &self.body)
    }

    fn nest_of(&self, head: &TokenStream, body: &TokenStream) -> TokenStream {
        let (iteration, record) = (&self.names.iteration, &self.record.each);
        let innermost = code!({ #record; #head #iteration #body });
        self.chunk.iter().chain(&self.inner).rev().fold(innermost, |inside, head| code!({ #head #inside }))
    }

    /// Says that iterations cost little, where they do.
    fn light(&self) -> Option<TokenStream> {
        self.light.then(|| code!(.light()))
    }

    fn for_each(&self) -> TokenStream {
        let (count, names, nest) = (&self.count, &self.names.chunk, self.nest(&TokenStream::new()));
        let light = self.light();
        let FailureRecord { first, last, .. } = &self.record;
        code! {
            __h #light.for_each(#count, |__lo, __hi| {
                #names
                #first
                #nest
                #last
            });
        }
    }

    /// Parts are added up, then run from what those before them add up to.
    fn scan(&self, items: &[CapturedReduction], lowered: &Lowered) -> TokenStream {
        let (count, Names { chunk, reductions: vars, .. }) = (&self.count, self.names);
        let (light, Some(ScanParts { fold, seed })) = (self.light, &self.scan) else {
            return TokenStream::new();
        };
        let all = Items { items, vars, views: &self.names.views, lowered, generic: self.generic };
        let (combine, values) = (all.combine(), code!((#(#vars,)*)));
        let (FailureRecord { first, last, .. }, nothing) = (&self.record, TokenStream::new());
        let (neutral, folds, runs) = (all.neutral(), self.nest_of(&nothing, fold), self.nest(&nothing));
        // A least or greatest value is begun with the first one: where that is no number, only numbers take its place.
        let restarts = all.restarts();
        // The first iteration alone, for what it starts from.
        let seeds = self.nest_of(&nothing, seed);
        // The variables of the loop may have the names of the places, so these are read before.
        let (mut places, mut scalars) = (TokenStream::new(), TokenStream::new());
        for (k, (r, var)) in items.iter().zip(vars).enumerate().filter(|(_, (r, _))| !r.carried) {
            let (start, place) = (numbered("start", k), &r.place);
            places.extend(code!(let #start = #place;));
            scalars.extend(code!(let mut #var = #start;));
        }
        let store = items.iter().enumerate().filter(|(_, r)| !r.carried).map(|(k, r)| {
            let (index, place) = (syn::Index::from(k), &r.place);
            code!(#place = __t.#index;)
        });
        let store: TokenStream = store.collect();
        code! {
            let __t = __h.scan(
                (#count, #light),
                |__lo, __hi, __from| {
                    #chunk
                    #neutral
                    // The initial value only fixes the type.
                    let _ = (#(&#vars,)*);
                    (#(#vars,)*) = __from;
                    #restarts
                    #first
                    #folds
                    #last
                    #values
                },
                #combine,
                || {
                    let (__lo, __hi) = (0u64, 1u64);
                    #places
                    #neutral
                    #scalars
                    #chunk
                    #first
                    #seeds
                    #last
                    #values
                },
                |__lo, __hi, __from| {
                    #chunk
                    let (#(mut #vars,)*) = __from;
                    #first
                    #runs
                    #last
                    #values
                },
            );
            if let ::omp::__private::core::option::Option::Some(__t) = __t {
                #store
            }
        }
    }

    fn reduce(&self, items: &[CapturedReduction], lowered: &Lowered) -> TokenStream {
        let (count, Names { chunk, reductions: vars, .. }) = (&self.count, self.names);
        let items = Items { items, vars, views: &self.names.views, lowered, generic: self.generic };
        if items.arrays() {
            return self.reduce_arrays(&items);
        }
        let (starts, partial, combine) = (items.starts(), code!((#(#vars,)*)), items.combine());
        let block = items.block();
        let FailureRecord { first, last, .. } = &self.record;
        let inside = if self.inner.is_empty() || items.reproducible() {
            let nest = self.nest(&TokenStream::new());
            code!(#starts #first #nest #last #partial)
        } else {
            // A block is a number of iterations of the nest, not of its outermost loops.
            let restarts = items.restarts();
            let flush = code! {
                if __block != u64::MAX {
                    if __n == __block {
                        (&mut __fold).push(#partial, &#combine);
                        #restarts
                        __n = 0;
                    }
                    __n += 1;
                }
            };
            let nest = self.nest(&flush);
            code! {
                let __block = #block;
                #starts
                let mut __fold = ::omp::__private::Fold::new();
                let mut __n = 0u64;
                #first
                #nest
                #last
                __fold.last(#partial, &#combine)
            }
        };
        let body = code! {
            |__lo, __hi| {
                #chunk
                #inside
            }
        };
        let run = if items.reproducible() {
            code!(__h.reduce_fixed(#count, #body, #combine))
        } else if self.inner.is_empty() {
            let light = self.light();
            code!(__h #light.reduce(#count, #block, #body, #combine))
        } else {
            code!(__h.reduce(#count, u64::MAX, #body, #combine))
        };
        let store = items.store();
        // (After the empty block rustc has no block in mind with a variable of an item's name, if there is no such item.)
        code! {
            let __t = #run;
            {}
            #store
        }
    }

    /// Atomic updates, of copies if they pay.
    fn update(&self, items: &[CapturedReduction], lowered: &Lowered) -> TokenStream {
        let (count, Names { chunk, reductions: vars, .. }) = (&self.count, self.names);
        let (FailureRecord { first, last, .. }, nest) = (&self.record, self.nest(&TokenStream::new()));
        let items = Items { items, vars, views: &self.names.views, lowered, generic: self.generic };
        let (threads, copies, views, combine) =
            (&self.copies, items.copies(), items.copy_views(), items.combine_copies());
        let light = self.light();
        code! {
            let __h = __h #threads;
            let __t = __h #light.in_updates(
                #count,
                |__alone| #copies,
                |__copies, __lo, __hi| {
                    let (__copies, ()) = __copies;
                    let __shared = __h.shares();
                    #chunk
                    #views
                    #first
                    #nest
                    #last
                },
            );
            #combine
        }
    }

    /// Elements of arrays, alone or with scalars.
    fn reduce_arrays(&self, items: &Items<'_>) -> TokenStream {
        let (count, chunk, scalars) = (&self.count, &self.names.chunk, items.scalars());
        let (FailureRecord { first, last, .. }, nest) = (&self.record, self.nest(&TokenStream::new()));
        if items.reproducible() {
            let (starts, results, store) = (items.starts(), items.results(), items.store_runs());
            let runs = items.runs(count);
            return code! {
                let __run = #runs;
                let __t = __h.runs(#count, __run, |__lo, __hi| {
                    #chunk
                    #starts
                    #first
                    #nest
                    #last
                    #results
                });
                #store
            };
        }
        let (threads, copies, views, combine) =
            (&self.copies, items.copies(), items.copy_views(), items.combine_copies());
        code! {
            let __h = __h #threads;
            let __t = __h.in_copies(
                #count,
                |__alone| #copies,
                |__copies, __scalars, __lo, __hi| {
                    #chunk
                    let (#(mut #scalars,)*) = __scalars;
                    #views
                    #first
                    #nest
                    #last
                    (#(#scalars,)*)
                },
            );
            #combine
        }
    }
}

/// Limits the host's threads to as many as copies of the reduced arrays pay for.
fn with_copies(region: &CheckedRegion, lowered: &Lowered, updates: &[CapturedReduction]) -> TokenStream {
    let items = if updates.is_empty() { &lowered.captures.reductions } else { updates };
    let arrays = items.iter().any(|r| r.array.is_some());
    if !arrays || region.has_fixed_order() || region.scan.is_some() {
        return TokenStream::new();
    }
    let dims = (0..serial_reductions::counted(lowered)).map(|d| numbered("d", d));
    let p = private();
    let count = dims.fold(code!(1u64), |count, dim| code!(#p::product(#count, #dim.count())));
    let size = items::size_of(lowered, items);
    let weight = weight(region, lowered);
    if updates.is_empty() {
        return code!(.with_copies(#count, #size, #weight));
    }
    let exact = updates::exact(updates);
    code!(.with_updates(#count, #size, #weight, #exact))
}

/// How many simple updates an iteration takes the time of.
fn weight(region: &CheckedRegion, lowered: &Lowered) -> u64 {
    cost::weight(&region.body, region.loops.len() - serial_reductions::counted(lowered))
}

/// Whether the loop runs as it stands where one thread runs it: then nothing has to be atomic, and no copy is made.
pub(super) fn alone(region: &CheckedRegion, lowered: &Lowered) -> Option<TokenStream> {
    let whole = !lowered.template.arrays.iter().any(|a| a.section);
    let items = &lowered.captures.reductions;
    // A scalar would be loaded and stored in each iteration, between updates of an array that may be anywhere.
    let mut plain = whole && !items.is_empty() && items.iter().all(|r| r.array.is_some());
    visit::each_stmt(&lowered.template.code.block, &mut |stmt| plain |= matches!(stmt, Stmt::Atomic { .. }));
    let copies = with_copies(region, lowered, &updates::of(region, lowered));
    (plain && !region.has_fixed_order() && region.scan.is_none()).then(|| code!(|| __h #copies.alone()))
}

/// Two loops made one: the number of iterations, and the heads that run some of them.
fn two(first: &LoopHead, second: &LoopHead) -> (TokenStream, Vec<TokenStream>) {
    let p = private();
    let (d0, d1, part) = (numbered("d", 0), numbered("d", 1), part(second));
    let (outer, inner) = (variable(first), variable(second));
    let (label, inner_label) = (&first.label, &second.label);
    let rows = code! {
        #label for (#outer, __from, __to) in
            #p::rows(#d0, __lo, __hi, #d1.count())
    };
    let part = code!(#inner_label for #inner in #d1.#part(__from, __to));
    (code!(#p::product(#d0.count(), #d1.count())), vec![rows, part])
}

/// The method that gives a part of a loop's values.
fn part(head: &LoopHead) -> TokenStream {
    if head.inclusive || !head.adaptors.is_empty() { code!(steps) } else { code!(plain) }
}

/// The pattern of a loop.
fn variable(head: &LoopHead) -> TokenStream {
    match &head.var {
        Some(var) => code!(#var),
        None => quote_spanned!(head.var_span=> _),
    }
}
