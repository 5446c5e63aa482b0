//! Rewrites loops over iterators to counted loops.
//!
//! `for (a, b) in y.iter_mut().zip(x.iter())` becomes `for k in 0..::omp::__private::fewer(y.len(), x.len())`, in whose body `y[k]` replaces
//! `*a` and `x[k]` replaces `*b`. So all later phases (rules, races, bounds, schedules, the host's parallel loop) see
//! only subscripts. The serial copy keeps the loop as the user wrote it, and rustc checks that copy.
//!
//! * [`loops`]: `for` loops over iterators.
//! * [`values`]: iterators, options, closures and whole arrays in expressions.
//! * [`names`]: names of values that devices don't have, such as ranges and slices.
mod loops;
mod names;
mod tokens;
mod values;

use crate::ast::{Context, Directive};
use crate::diag::Sink;
use crate::sema::syntax::forms::strip;
pub use loops::chain::is_table;
pub use loops::chain::{IteratedBy, Kinds};
pub use loops::code_sinking::innermost;
pub use loops::pattern::{Renamed, is_variant, names as pattern_names, plain_name};
pub use names::chosen::of_references;
pub use names::chosen_part;
pub use names::cursors::parameters as slice_parameters;
pub use names::slice_patterns::assigned_through;
pub use names::subscripts::take as subscripts;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprForLoop, Ident, Stmt, Type};
pub use tokens::{changed, generated, hidden, in_head, made, moved, parentheses};
pub use values::arrays::{FIXED, WHOLE, join};
pub use values::closure::{captures, substituted};
pub use values::declared::returns_range;
use values::declared::{Returned, is_returned};
pub use values::pipeline::{is_adaptor, is_end, is_generator};
pub use values::zips::zips_in_head;

/// A nest whose loops are counted.
pub struct Nest {
    /// The nest.
    pub counted: ExprForLoop,
    /// Statements that run once, before the nest: parts of the outermost loop's iterator.
    pub prelude: Vec<Stmt>,
    /// The iterator of the outermost loop, with the names of [`Self::prelude`], if it is no range.
    pub iterated: Option<Expr>,
    /// References whose values the prelude copies.
    pub copied: Vec<Ident>,
}

/// Rewrites a parallel nest: the first `collapse` loops, and everything inside. `fixed` decides which variables keep
/// their value in the body, `kinds` how those are iterated that stand in a loop alone.
fn nest(
    f: &ExprForLoop,
    collapse: u32,
    fixed: &dyn Fn(&str) -> bool,
    changing: Vec<String>,
    (kinds, context): (Kinds<'_>, &Context),
    sink: &mut Sink,
) -> Nest {
    let mut counted = f.clone();
    // What the loop iterates is an array.
    let mut iterated_arrays = Vec::new();
    arrays_of(&f.expr, &mut iterated_arrays);
    let arrays = |name: &str| {
        context.array_names.iter().any(|array| array == name) || iterated_arrays.iter().any(|n| *n == name)
    };
    let mut walk = loops::walk::Walk::new(fixed, kinds, sink);
    walk.changing = changing;
    walk.invariant = loops::loop_invariant::LoopInvariant::of(f);
    walk.arrays = &arrays;
    let named = |name: &str| context.named.iter().any(|array| array == name);
    walk.named = &named;
    context.closures.iter().for_each(|outer| walk.outer_closure(outer));
    let (mut prelude, iterated) = walk.parallel(&mut counted, collapse);
    let body = innermost(&mut counted, collapse);
    values::closure::unify(body, &walk.called);
    names::free_numbers::declare(body, std::mem::take(&mut walk.outer_numbers));
    prelude.append(&mut walk.invariant.before);
    let copied = std::mem::take(&mut walk.invariant.copied);
    prelude.splice(0..0, walk.judged_ranges());
    Nest { counted, prelude, iterated, copied }
}

/// Rewrites the nest of a directive.
pub fn under(f: &ExprForLoop, directive: &Directive, context: &Context, sink: &mut Sink) -> Nest {
    let mut f = f.clone();
    let parts = context.parts.iter();
    let put: Vec<_> = parts.filter(|(name, of)| names::iterators::put_parts(&mut f, name, of)).collect();
    values::zips::Zips.visit_expr_for_loop_mut(&mut f);
    let f = &f;
    let clauses = &directive.clauses;
    let collapse = clauses.collapse.as_ref().map_or(1, |c| c.value);
    let own = [&clauses.private, &clauses.firstprivate, &clauses.lastprivate];
    let fixed = |name: &str| !own.iter().any(|items| items.iter().any(|i| i.key == name));
    let whole = &context.whole;
    let is_among = |names: &[String], name: &Ident| names.iter().any(|n| *name == n);
    let known = |name: &Ident| {
        let shared = is_among(&context.references, name) && !is_among(&context.exclusive, name);
        let known = whole.iter().find(|(n, _)| name == n).map(|(_, kind)| *kind);
        known.or_else(|| shared.then_some(IteratedBy::Behind))
    };
    let mut names = Vec::new();
    let mut head = f;
    alone(&head.expr, &mut names);
    for _ in 1..clauses.collapse.as_ref().map_or(1, |c| c.value) {
        let [Stmt::Expr(Expr::ForLoop(inner), _)] = &head.body.stmts[..] else { break };
        head = inner;
        alone(&head.expr, &mut names);
    }
    let is_unknown = |name: &Ident| {
        known(name).is_none() && is_among(&context.names, name) && !is_among(&context.typed, name)
    };
    names.retain(|name| is_unknown(name));
    let kinds = |name: &Ident| {
        let exclusive = || is_among(&context.exclusive, name);
        let unknown = || if exclusive() { IteratedBy::Exclusive } else { IteratedBy::Behind };
        known(name).or_else(|| names.contains(&name).then(unknown))
    };
    let reduced = clauses.reductions.iter().chain(&clauses.scans).flat_map(|r| &r.items);
    let changing = own.into_iter().flatten().chain(reduced).map(|item| item.key.clone()).collect();
    let mut nest = nest(f, collapse, &fixed, changing, (&kinds, context), sink);
    // The tokens don't show that these are references: rustc checks it.
    let are = names.iter().map(|name| -> Stmt {
        let method = if is_among(&context.exclusive, name) { "changed_by_name" } else { "iterated_by_name" };
        let method = Ident::new(method, name.span());
        syn::parse_quote_spanned!(name.span()=> ::omp::__private::#method(&#name);)
    });
    // (What stands for their names leaves them without a use.)
    let used =
        put.iter().map(|(name, _)| -> Stmt { syn::parse_quote_spanned!(name.span()=> let _ = &#name;) });
    nest.prelude.splice(0..0, are.chain(used));
    nest
}

/// The variables whose elements or parts a loop iterates: `x.iter()`, `x.chunks(n)`.
fn arrays_of<'e>(e: &'e Expr, names: &mut Vec<&'e Ident>) {
    let Expr::MethodCall(m) = strip(e) else { return };
    match &*m.receiver {
        Expr::Path(p) if m.method == "iter" || m.method == "iter_mut" || loops::chain::cuts(&m.method) => {
            names.extend(p.path.get_ident());
        }
        receiver => arrays_of(receiver, names),
    }
    if m.method == "zip" || m.method == "chain" {
        m.args.iter().for_each(|arg| arrays_of(arg, names));
    }
}

/// The variables that a parallel loop iterates by their names alone: `for v in x`, `.zip(x)`.
fn alone<'e>(e: &'e Expr, names: &mut Vec<&'e Ident>) {
    match strip(e) {
        Expr::Path(p) if p.qself.is_none() => names.extend(p.path.get_ident()),
        Expr::MethodCall(m) => {
            if !matches!(&*m.receiver, Expr::Path(_)) {
                alone(&m.receiver, names);
            }
            if m.method == "zip" || m.method == "chain" {
                m.args.iter().for_each(|arg| alone(arg, names));
            }
        }
        _ => {}
    }
}

/// Rewrites the loops of a device function.
pub fn block(sig: &syn::Signature, body: &mut Block, kinds: Kinds<'_>, sink: &mut Sink) {
    let params = || {
        sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(arg) => Some(arg),
            syn::FnArg::Receiver(_) => None,
        })
    };
    let named = |name: &str| {
        params().any(|arg| has_named_elements(&arg.ty) && plain_name(&arg.pat).is_some_and(|n| n == name))
    };
    values::zips::Zips.visit_block_mut(body);
    if is_returned(sig, Returned::Option) {
        values::splits::TriedEnds(0).visit_block_mut(body);
    }
    let mut walk = loops::walk::Walk::new(&|_| false, kinds, sink);
    walk.named = &named;
    walk.changing = names_that_change(sig);
    walk.mutable_references = params()
        .filter(|arg| {
            let array = |ty: &Type| matches!(ty, Type::Slice(_) | Type::Array(_));
            matches!(&*arg.ty, Type::Reference(r) if r.mutability.is_some() && !array(&r.elem))
        })
        .filter_map(|arg| plain_name(&arg.pat).map(ToString::to_string))
        .collect();
    let structs = |name: &str| {
        params().any(|arg| {
            let ty = if let Type::Reference(r) = &*arg.ty { &*r.elem } else { &*arg.ty };
            matches!(ty, Type::Path(_)) && plain_name(&arg.pat).is_some_and(|n| n == name)
        })
    };
    walk.structs = &structs;
    let element = |ty: &Type| match if let Type::Reference(r) = ty { &*r.elem } else { ty } {
        Type::Array(a) => Some((*a.elem).clone()),
        Type::Slice(s) => Some((*s.elem).clone()),
        _ => None,
    };
    let elements = params().filter_map(|arg| Some((plain_name(&arg.pat)?.to_string(), element(&arg.ty)?)));
    walk.elements = elements.collect();
    walk.gives_result = is_returned(sig, Returned::Result);
    names::chosen::fields_by_name(sig, body);
    names::cursors::parameters(sig, body);
    walk.function(body);
}

/// The `mut` parameters of a function.
fn names_that_change(sig: &syn::Signature) -> Vec<String> {
    let params = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(arg) => Some(&*arg.pat),
        syn::FnArg::Receiver(_) => None,
    });
    let bound = params.flat_map(|pat| crate::sema::syntax::names::Names::of_pattern(pat).bound);
    let changing = bound.into_iter().filter(|p| p.mutability.is_some()).map(|p| p.ident.to_string());
    let own = sig.receiver().filter(|r| r.mutability.is_some()).map(|_| "self".to_owned());
    changing.chain(own).collect()
}

/// Whether an array has elements of a type with a name: `&[Cell]`, `Vec<f32>`.
pub fn has_named_elements(ty: &Type) -> bool {
    use syn::Type;
    let named = |ty: &Type| matches!(ty, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident != "Vec" && s.ident != "Box"));
    match ty {
        Type::Reference(r) => has_named_elements(&r.elem),
        Type::Paren(p) => has_named_elements(&p.elem),
        Type::Slice(s) => named(&s.elem),
        Type::Array(a) => named(&a.elem),
        Type::Path(p) => p.path.segments.last().is_some_and(|s| match &s.arguments {
            syn::PathArguments::AngleBracketed(a) if s.ident == "Vec" || s.ident == "Box" => {
                a.args.iter().any(|a| match a {
                    syn::GenericArgument::Type(ty) if s.ident == "Vec" => named(ty),
                    syn::GenericArgument::Type(ty) => has_named_elements(ty),
                    _ => false,
                })
            }
            _ => false,
        }),
        _ => false,
    }
}

/// How a variable of this type is iterated.
pub fn of_type(ty: &Type) -> Option<IteratedBy> {
    use syn::Type;
    let last = |ty: &Type, name: &str| match ty {
        Type::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == name && !s.arguments.is_empty()),
        _ => false,
    };
    let array = |ty: &Type| matches!(ty, Type::Slice(_) | Type::Array(_)) || last(ty, "Vec");
    match ty {
        Type::Paren(p) => of_type(&p.elem),
        Type::Group(g) => of_type(&g.elem),
        Type::Array(_) => Some(IteratedBy::Owned),
        Type::Reference(r) if array(&r.elem) => {
            Some(if r.mutability.is_some() { IteratedBy::Exclusive } else { IteratedBy::Shared })
        }
        Type::Reference(r) if r.mutability.is_none() && last(&r.elem, "Range") => Some(IteratedBy::Range),
        // An alias of an array's type; nothing else behind a reference is iterated.
        Type::Reference(r)
            if r.mutability.is_none()
                && matches!(&*r.elem, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.arguments.is_empty() || !is_stds(&s.ident))) =>
        {
            Some(IteratedBy::Behind)
        }
        ty if last(ty, "Range") => Some(IteratedBy::Range),
        // An alias, or a type that no loop iterates.
        Type::Path(p) if p.qself.is_none() => {
            let of_type = p
                .path
                .get_ident()
                .is_some_and(|name| *name != "Self" && name.to_string().starts_with(char::is_uppercase));
            of_type.then_some(IteratedBy::Given)
        }
        _ => None,
    }
}

/// How a name of a parameter's pattern is iterated.
pub fn of_parameter(pat: &syn::Pat, ty: &Type, name: &Ident) -> Option<IteratedBy> {
    use syn::{Pat, Type};
    match (pat, ty) {
        (Pat::Ident(p), _) if p.ident == *name => of_type(ty).and_then(|kind| of_binding(p, kind)),
        (Pat::Tuple(pats), Type::Tuple(types)) if pats.elems.len() == types.elems.len() => {
            let mut parts = pats.elems.iter().zip(&types.elems);
            parts.find_map(|(pat, ty)| of_parameter(pat, ty, name))
        }
        (Pat::Slice(pats), Type::Array(of)) => {
            loops::pattern::elements(pats).find_map(|pat| of_parameter(pat, &of.elem, name))
        }
        (Pat::TupleStruct(_) | Pat::Struct(_), _) => of_part(pat, matches!(ty, Type::Path(_)), name),
        _ => None,
    }
}

/// How a name is iterated that stands for a part of a struct or a variant, which the pattern takes apart by value or in an unknown way.
pub fn of_part(pat: &syn::Pat, by_value: bool, name: &Ident) -> Option<IteratedBy> {
    use syn::Pat;
    match pat {
        Pat::Ident(p) => {
            let is_it = by_value && p.ident == *name && p.by_ref.is_none();
            is_it.then_some(IteratedBy::Given)
        }
        Pat::Tuple(t) => t.elems.iter().find_map(|pat| of_part(pat, by_value, name)),
        Pat::Struct(s) => s.fields.iter().find_map(|field| {
            let part = of_part(&field.pat, by_value, name);
            let is_it = matches!(&*field.pat, Pat::Ident(p) if p.ident == *name);
            let is_array = is_it && values::declared::is_array_field(&s.path, &field.member);
            part.map(|kind| if is_array { IteratedBy::Owned } else { kind })
        }),
        Pat::TupleStruct(t) => {
            let is_it = |pat: &Pat| matches!(pat, Pat::Ident(p) if p.ident == *name);
            let of_array = t.path.segments.last().is_some_and(|s| values::declared::holds_array(&s.ident));
            match t.elems.first().filter(|pat| is_it(pat)) {
                Some(pat) if of_array => {
                    let by_value = of_part(pat, by_value, name).is_some();
                    Some(if by_value { IteratedBy::Owned } else { IteratedBy::Held })
                }
                _ => t.elems.iter().find_map(|pat| of_part(pat, by_value, name)),
            }
        }
        _ => None,
    }
}

/// Types of std with parameters that are no arrays, and are iterated otherwise or not at all.
fn is_stds(name: &Ident) -> bool {
    ["Option", "Result", "Box", "Range", "RangeInclusive", "RangeFrom"].iter().any(|std| name == std)
}

/// The kind for a variable that is bound so: a range that may change is not iterated by its name alone; of an array that may change, a copy is.
pub fn of_binding(p: &syn::PatIdent, kind: IteratedBy) -> Option<IteratedBy> {
    let changes = p.mutability.is_some() && kind == IteratedBy::Range;
    (!changes && p.by_ref.is_none()).then_some(kind)
}

/// How the items of a method's iterator are iterated: parts of an array.
pub fn of_items(m: &syn::ExprMethodCall) -> Option<IteratedBy> {
    match m.method.to_string().as_str() {
        "chunks" | "chunks_exact" | "rchunks" | "rchunks_exact" | "windows" | "chunk_by" => {
            Some(IteratedBy::Shared)
        }
        "chunks_mut" | "chunks_exact_mut" | "rchunks_mut" | "rchunks_exact_mut" | "chunk_by_mut" => {
            Some(IteratedBy::Exclusive)
        }
        _ => None,
    }
}

/// How a variable of this value is iterated: a part of an array, an array that is written out.
pub fn of_value(e: &Expr) -> Option<IteratedBy> {
    let gives_array = |name: Option<&Ident>| name.is_some_and(crate::parse::aliases::gives_array);
    match strip(e) {
        Expr::Array(_) | Expr::Repeat(_) => Some(IteratedBy::Owned),
        Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if gives_array(p.path.segments.last().map(|s| &s.ident))) => {
            Some(IteratedBy::Owned)
        }
        Expr::MethodCall(m) if gives_array(Some(&m.method)) => Some(IteratedBy::Owned),
        Expr::Reference(r) => match &*r.expr {
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
                Some(if r.mutability.is_some() { IteratedBy::Exclusive } else { IteratedBy::Shared })
            }
            Expr::Array(_) | Expr::Repeat(_) => Some(IteratedBy::Shared),
            Expr::Index(_) | Expr::Field(_) if r.mutability.is_none() => Some(IteratedBy::Behind),
            _ => None,
        },
        Expr::MethodCall(m) if m.method == "as_slice" && m.args.is_empty() => Some(IteratedBy::Shared),
        Expr::MethodCall(m) if m.method == "as_mut_slice" && m.args.is_empty() => Some(IteratedBy::Exclusive),
        // The value is of the type of what takes its place.
        Expr::MethodCall(m) if m.method == "unwrap_or" && m.args.len() == 1 => {
            of_value(&m.args[0]).filter(|kind| matches!(kind, IteratedBy::Shared))
        }
        Expr::Block(b) if b.label.is_none() => match b.block.stmts.last()? {
            Stmt::Expr(value, None) => of_value(value),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
