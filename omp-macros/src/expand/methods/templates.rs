//! Device functions that are always inlined: those that take closures (`f: impl Fn(f64) -> f64`, `F: Fn(f64) -> f64`) or
//! ranges, and those that return slices, ranges or iterators. A device has no such values. A call binds the parameter to
//! its closure. So the call has no cost of its own, and the analyses see the closure's subscripts.
use super::{behind_parens, name_of};
use crate::parse::functions::typed_inputs;
use crate::parse::primitives::is_primitive;
use crate::sema::syntax::types::{argument, behind_references};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{
    FnArg, GenericParam, ImplItemFn, Pat, Path, ReturnType, Signature, Type, TypeParamBound, WherePredicate,
};

/// Whether a device function is one.
pub fn is(sig: &Signature) -> bool {
    takes_closures(sig)
        || gives_a_slice(sig)
        || gives_an_iterator(sig)
        || gives_a_range(sig)
        || takes_a_range(sig)
        || takes_an_iterator(sig)
        || super::found::found_by(sig).is_some()
}

/// Whether a function returns a range: `Range<usize>`.
pub fn gives_a_range(sig: &Signature) -> bool {
    matches!(&sig.output, ReturnType::Type(_, ty) if is_range(ty))
}

/// Whether a function has a parameter that is a range, by value.
pub fn takes_a_range(sig: &Signature) -> bool {
    sig.inputs.iter().any(|input| {
        matches!(input, FnArg::Typed(arg)
        if matches!(&*arg.pat, Pat::Ident(p) if p.mutability.is_none()) && is_range(&arg.ty))
    })
}

pub fn is_range(ty: &Type) -> bool {
    matches!(behind_parens(ty), Type::Path(p) if p.path.segments.last().is_some_and(|s| {
        (s.ident == "Range" || s.ident == "RangeInclusive") && !s.arguments.is_none()
    }))
}

/// Whether a function has a parameter that is an iterator, by value: `impl Iterator<Item = T>`, `I: Iterator<Item = T>`.
pub fn takes_an_iterator(sig: &Signature) -> bool {
    let bounds = of_parameters(sig, is_iterator);
    let result = super::words(sig.output.to_token_stream());
    // What the function returns may be of the iterator's type.
    !bounds.iter().any(|(name, _)| result.contains(name))
        && sig.inputs.iter().any(|input| {
            matches!(input, FnArg::Typed(arg) if matches!(&*arg.pat, Pat::Ident(_)) && by_value(&arg.ty, &bounds).is_some())
        })
}

/// The bound of a parameter that is an iterator, by value.
fn by_value(ty: &Type, parameters: &[(String, Path)]) -> Option<TokenStream> {
    let is_reference = matches!(behind_parens(ty), Type::Reference(_));
    bound_of(ty, parameters, is_iterator).filter(|_| !is_reference)
}

/// `impl Iterator<Item = T>`, as [`without_closures`] writes all such parameters.
pub fn is_an_iterator(ty: &Type) -> bool {
    matches!(ty, Type::ImplTrait(_)) && bound_of(ty, &[], is_iterator).is_some()
}

/// `Iterator<Item = T>` of a bound.
fn is_iterator(path: &Path) -> bool {
    let names = ["Iterator", "DoubleEndedIterator", "ExactSizeIterator"];
    path.segments.last().is_some_and(|s| names.iter().any(|name| s.ident == name))
}

/// Whether a function returns an iterator: `impl Iterator<Item = T>`, `slice::Iter<'_, T>`.
pub fn gives_an_iterator(sig: &Signature) -> bool {
    let ReturnType::Type(_, ty) = &sig.output else { return false };
    match behind_parens(ty) {
        Type::ImplTrait(t) => t.bounds.iter().any(|b| match b {
            TypeParamBound::Trait(t) => {
                t.path.segments.last().is_some_and(|s| s.ident.to_string().ends_with("Iterator"))
            }
            _ => false,
        }),
        Type::Path(p) => {
            const OF_SLICES: [&str; 7] =
                ["Iter", "IterMut", "Chunks", "ChunksMut", "ChunksExact", "ChunksExactMut", "Windows"];
            let mut segments = p.path.segments.iter().rev();
            segments.next().is_some_and(|s| {
                // (A device type has no lifetimes.)
                let of_slice = segments.next().map_or_else(|| has_lifetime(s), |of| of.ident == "slice");
                of_slice && OF_SLICES.iter().any(|name| s.ident == name)
            })
        }
        _ => false,
    }
}

/// `T` of the bound `Iterator<Item = T>`.
pub fn item_of(bound: &TypeParamBound) -> Option<&Type> {
    let TypeParamBound::Trait(t) = bound else { return None };
    let last = t.path.segments.last().filter(|s| s.ident.to_string().ends_with("Iterator"))?;
    let syn::PathArguments::AngleBracketed(of) = &last.arguments else { return None };
    of.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::AssocType(of) if of.ident == "Item" => Some(&of.ty),
        _ => None,
    })
}

/// The type of the items of the iterator that a function returns, if it is of numbers.
pub fn number_of_items(sig: &Signature) -> Option<Type> {
    let ReturnType::Type(_, ty) = &sig.output else { return None };
    let Type::ImplTrait(t) = behind_parens(ty) else { return None };
    number_of(t)
}

/// The same of a parameter's iterator.
pub fn number_of_taken(ty: &Type) -> Option<Type> {
    let Type::ImplTrait(t) = ty else { return None };
    number_of(t)
}

fn number_of(t: &syn::TypeImplTrait) -> Option<Type> {
    t.bounds.iter().find_map(item_of).filter(|item| is_value(item)).cloned()
}

/// Whether a type is of numbers, without references.
pub fn is_value(ty: &Type) -> bool {
    is_of_numbers(ty) && !ty.to_token_stream().to_string().contains('&')
}

/// Whether a closure gives numbers, or an option of them.
pub fn is_of_values(output: &ReturnType) -> bool {
    let ReturnType::Type(_, ty) = output else { return false };
    let of_option = match behind_parens(ty) {
        Type::Path(p) => match p.path.segments.last().map(|s| (&s.ident, &s.arguments)) {
            Some((name, syn::PathArguments::AngleBracketed(of))) if name == "Option" => {
                matches!(of.args.first(), Some(syn::GenericArgument::Type(ty)) if is_value(ty))
            }
            _ => false,
        },
        _ => false,
    };
    is_of_numbers(ty) || of_option
}

/// Whether a closure takes numbers alone.
pub fn takes_values(of: &syn::ParenthesizedGenericArguments) -> bool {
    of.inputs.iter().all(|input| is_value(&input.ty))
}

fn has_lifetime(segment: &syn::PathSegment) -> bool {
    matches!(&segment.arguments, syn::PathArguments::AngleBracketed(a)
        if a.args.iter().any(|arg| matches!(arg, syn::GenericArgument::Lifetime(_))))
}

/// Whether a function takes an array by reference.
pub fn takes_an_array(sig: &Signature) -> bool {
    sig.inputs.iter().any(|input| matches!(input, FnArg::Typed(arg) if reference_to_array(&arg.ty).is_some()))
}

/// `&[T]`, `&mut [T]`, `&Vec<T>`, `&[T; N]`: whether it is a `&mut`.
pub fn reference_to_array(ty: &Type) -> Option<bool> {
    let Type::Reference(r) = behind_parens(ty) else { return None };
    let array = match behind_parens(&r.elem) {
        Type::Slice(_) | Type::Array(_) => true,
        ty => name_of(ty).is_some_and(|name| name == "Vec"),
    };
    array.then_some(r.mutability.is_some())
}

/// Whether a function takes closures.
pub fn takes_closures(sig: &Signature) -> bool {
    let bounds = of_parameters(sig, is_fn);
    typed_inputs(sig).any(|arg| bound_of(&arg.ty, &bounds, is_fn).is_some())
}

/// Whether a function returns a slice, or slices in an option or result.
pub fn gives_a_slice(sig: &Signature) -> bool {
    let ReturnType::Type(_, ty) = &sig.output else { return false };
    is_slice(ty) || may_give_slices(sig)
}

fn is_slice(ty: &Type) -> bool {
    matches!(behind_parens(ty), Type::Reference(r) if matches!(behind_parens(&r.elem), Type::Slice(_)))
}

/// A slice, or a tuple that has one.
pub fn has_slices(ty: &Type) -> bool {
    is_slice(ty) || matches!(behind_parens(ty), Type::Tuple(t) if t.elems.iter().any(is_slice))
}

/// `T` of `Option<T>` and `Result<T, E>`.
fn in_option(ty: &Type) -> Option<&Type> {
    let Type::Path(p) = behind_parens(ty) else { return None };
    let last = p.path.segments.last().filter(|last| last.ident == "Option" || last.ident == "Result")?;
    argument(last)
}

/// Whether a function returns slices in an option or result: `fn field(line: &[u8]) -> Option<&[u8]>`.
pub fn may_give_slices(sig: &Signature) -> bool {
    matches!(&sig.output, ReturnType::Type(_, ty) if in_option(ty).is_some_and(has_slices))
}

/// The functions of a file that may be some, as its text shows them: if there are none, it is not parsed.
pub fn named_in(text: &str) -> HashSet<String> {
    let heads = text.split("fn ").skip(1).filter_map(|rest| {
        let head = rest.split_once('{')?.0;
        let slice = head.rsplit_once("->").is_some_and(|(_, result)| {
            let result = result.trim_start();
            let part = result.starts_with('&') && result.contains('[') && !result.contains(';');
            let parts = ["Option<", "Result<"].iter().any(|of| result.starts_with(of))
                && result.contains('&')
                && result.contains('[');
            part || parts
                || ["Iter", "slice::", "Chunks", "Windows", "Range", "Option<&"]
                    .iter()
                    .any(|word| result.contains(word))
        });
        let bound = ["Fn(", "FnMut(", "FnOnce(", "fn(", "Range<", "RangeInclusive<", "Iterator<"]
            .iter()
            .any(|word| head.contains(word));
        let name = |c: &char| c.is_alphanumeric() || *c == '_';
        let takes = ["&[", "&mut [", "&Vec<", "&mut Vec<"].iter().any(|array| head.contains(array));
        (slice || bound || takes).then(|| head.chars().take_while(name).collect::<String>())
    });
    heads.filter(|name| !name.is_empty()).collect()
}

/// Whether some of them may be called by paths.
pub fn are_named_by_paths(text: &str) -> bool {
    named_in(text).iter().any(|name| text.contains(&format!("::{name}(")))
}

/// Whether std has methods of this name that take closures: tokens don't show which of them a call means.
pub fn is_std(name: &str) -> bool {
    const NAMES: [&str; 38] = [
        "all",
        "and_then",
        "any",
        "binary_search_by",
        "binary_search_by_key",
        "cmp_by",
        "filter",
        "filter_map",
        "find",
        "find_map",
        "flat_map",
        "fold",
        "for_each",
        "inspect",
        "is_none_or",
        "is_some_and",
        "map",
        "map_err",
        "map_or",
        "map_or_else",
        "map_while",
        "max_by",
        "max_by_key",
        "min_by",
        "min_by_key",
        "ok_or_else",
        "or_else",
        "partition_point",
        "position",
        "reduce",
        "rposition",
        "scan",
        "skip_while",
        "sort_by",
        "sort_by_key",
        "take_while",
        "then",
        "unwrap_or_else",
    ];
    NAMES.contains(&name)
}

/// `Fn(A) -> B` of a bound.
fn is_fn(path: &Path) -> bool {
    path.segments.last().is_some_and(|s| ["Fn", "FnMut", "FnOnce"].iter().any(|name| s.ident == name))
}

/// Type parameters that stand for closures, or for iterators, with their bounds.
fn of_parameters(sig: &Signature, is_one: fn(&Path) -> bool) -> Vec<(String, Path)> {
    let of = |bounds: &syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>| {
        bounds.iter().find_map(|b| match b {
            TypeParamBound::Trait(t) if is_one(&t.path) => Some(t.path.clone()),
            _ => None,
        })
    };
    let own = sig.generics.type_params().filter_map(|t| Some((t.ident.to_string(), of(&t.bounds)?)));
    let clause = sig.generics.where_clause.iter().flat_map(|w| &w.predicates).filter_map(|p| match p {
        WherePredicate::Type(t) => Some((name_of(&t.bounded_ty)?, of(&t.bounds)?)),
        _ => None,
    });
    own.chain(clause).collect()
}

/// The bound of a parameter that is a closure, or an iterator.
fn bound_of(ty: &Type, parameters: &[(String, Path)], is_one: fn(&Path) -> bool) -> Option<TokenStream> {
    let trait_of = |b: &TypeParamBound| match b {
        TypeParamBound::Trait(t) if is_one(&t.path) => Some(t.path.to_token_stream()),
        _ => None,
    };
    match behind_references(ty) {
        Type::ImplTrait(t) => t.bounds.iter().find_map(trait_of),
        Type::TraitObject(t) => t.bounds.iter().find_map(trait_of),
        Type::FnPtr(f) => {
            let (inputs, output) = (f.inputs.iter().map(|a| &a.ty), &f.output);
            let name = proc_macro2::Ident::new("Fn", f.fn_token.span);
            is_one(&name.clone().into()).then(|| quote::quote!(#name(#(#inputs),*) #output))
        }
        ty => {
            let name = name_of(ty)?;
            parameters.iter().find(|(of, _)| *of == name).map(|(_, path)| path.to_token_stream())
        }
    }
}

/// The function, with each parameter that is a closure written `f: impl Fn(A) -> B`, iterators likewise, and without the parameters of
/// types that were for those alone.
pub fn without_closures(mut f: ImplItemFn) -> ImplItemFn {
    let (closures, iterators) = (of_parameters(&f.sig, is_fn), of_parameters(&f.sig, is_iterator));
    let of_arg = |ty: &Type| bound_of(ty, &closures, is_fn).or_else(|| by_value(ty, &iterators));
    for input in &mut f.sig.inputs {
        if let FnArg::Typed(arg) = input
            && let Some(bound) = of_arg(&arg.ty)
        {
            *arg.ty = syn::parse_quote!(impl #bound);
        }
    }
    let is_one = |ty: &str| closures.iter().chain(&iterators).any(|(name, _)| ty == name);
    let others = std::mem::take(&mut f.sig.generics.params)
        .into_iter()
        .filter(|p| !matches!(p, GenericParam::Type(t) if is_one(&t.ident.to_string())));
    f.sig.generics.params = others.collect();
    if let Some(clause) = &mut f.sig.generics.where_clause {
        let others = std::mem::take(&mut clause.predicates).into_iter().filter(
            |p| !matches!(p, WherePredicate::Type(t) if name_of(&t.bounded_ty).is_some_and(|name| is_one(&name))),
        );
        clause.predicates = others.collect();
    }
    let changed = crate::iterate::slice_parameters(&f.sig, &mut f.block);
    for input in &mut f.sig.inputs {
        if let FnArg::Typed(arg) = input
            && let Pat::Ident(p) = &mut *arg.pat
            && changed.contains(&p.ident.to_string())
        {
            // The body's variable is what changes.
            p.mutability = None;
        }
    }
    f
}

/// The parameters that a call gives with `::<…>`, by their names; `_` gives none.
pub fn given(
    sig: &Signature,
    given: Option<&syn::AngleBracketedGenericArguments>,
) -> HashMap<String, TokenStream> {
    let Some(given) = given else { return HashMap::new() };
    let params = sig.generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(t) => Some((&t.ident, None)),
        GenericParam::Const(c) => Some((&c.ident, Some(&c.ty))),
        GenericParam::Lifetime(_) => None,
    });
    let args = given.args.iter().filter(|arg| !matches!(arg, syn::GenericArgument::Lifetime(_)));
    params
        .zip(args)
        .filter(|(_, arg)| !matches!(arg, syn::GenericArgument::Type(Type::Infer(_))))
        .map(|((name, ty), arg)| {
            let value = match (arg, ty) {
                (syn::GenericArgument::Const(value), Some(ty)) => typed(value, ty),
                _ => arg.to_token_stream(),
            };
            (name.to_string(), value)
        })
        .collect()
}

/// A number in the place of a const parameter, whose type it has: `3u8`, `(-3i32)`.
fn typed(value: &syn::Expr, ty: &Type) -> TokenStream {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) if n.suffix().is_empty() => {
            let ty = ty.to_token_stream();
            let number = syn::LitInt::new(&format!("{}{ty}", n.base10_digits()), n.span());
            // (A negative one is a literal here.)
            if n.base10_digits().starts_with('-') { quote::quote!((#number)) } else { quote::quote!(#number) }
        }
        syn::Expr::Unary(u) => {
            let (op, of) = (&u.op, typed(&u.expr, ty));
            quote::quote!((#op #of))
        }
        value => value.to_token_stream(),
    }
}

/// `Fn(A) -> B` of a type that [`without_closures`] wrote.
pub fn of_closure(ty: &Type) -> Option<&syn::ParenthesizedGenericArguments> {
    let Type::ImplTrait(t) = ty else { return None };
    t.bounds.iter().find_map(|b| match b {
        TypeParamBound::Trait(t) if is_fn(&t.path) => match &t.path.segments.last()?.arguments {
            syn::PathArguments::Parenthesized(of) => Some(of),
            _ => None,
        },
        _ => None,
    })
}

/// Primitive types, tuples and arrays of them, and references to them, mean the same everywhere.
pub fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Path(p) => p.path.get_ident().is_some_and(|name| is_primitive(&name.to_string())),
        Type::Tuple(t) => t.elems.iter().all(is_of_numbers),
        Type::Array(a) => is_of_numbers(&a.elem) && matches!(a.len, syn::Expr::Lit(_) | syn::Expr::Infer(_)),
        Type::Reference(r) => r.lifetime.is_none() && is_of_numbers(&r.elem),
        Type::Slice(s) => is_of_numbers(&s.elem),
        Type::Paren(p) => is_of_numbers(&p.elem),
        _ => false,
    }
}
