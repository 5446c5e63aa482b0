//! Type parameters that only select behaviour: `fn apply<A: Activation>(x: f32) -> f32 { A::f(x) }`. No value of such a
//! type goes to the device, so the type need not be a device type: a `struct Relu;` is allowed.
//!
//! The bounds of the generated code are written before rustc knows any type, so tokens decide which parameters these are.
//! Such a parameter has bounds, but no bound by a trait that is only useful for values. It occurs only before `::` and as
//! a type argument of a call. The results of its functions are used only as numbers can be used
//! ([`super::policy_values`]). A wrong decision is harmless: a value of a type without `Device` is refused where it is
//! made.
//!
//! The parameters of a trait's methods are always device types: each `impl` may make values, and the trait can't have a
//! bound that only some `impl`s need.
use super::markers::joined;
use super::{operators, policy_values};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{Block, Generics, ImplItem, ItemImpl, ItemTrait, Signature, TraitItem, TypeParamBound};

/// The bound that a function of a trait puts on `Self`.
#[derive(Debug, Clone, Copy)]
pub(super) enum SelfIs {
    /// It only names behaviour.
    Sized,
    /// Values of the type may exist.
    Device,
}

impl SelfIs {
    /// Adds it to the head of a function of a trait. If the bound does not hold, the error is at `span`.
    pub(in crate::glue) fn of(self, head: TokenStream, has_where: bool, span: Span) -> TokenStream {
        let bound = match self {
            Self::Sized => quote_spanned!(span=> Self: ::omp::__private::core::marker::Sized),
            Self::Device => {
                quote_spanned!(span=> Self: ::omp::__private::core::marker::Sized + ::omp::__private::Device)
            }
        };
        if has_where {
            let mut head: Vec<TokenTree> = head.into_iter().collect();
            head.pop_if(|last| matches!(last, TokenTree::Punct(p) if p.as_char() == ','));
            let head = TokenStream::from_iter(head);
            code!(#head, #bound)
        } else {
            code!(#head where #bound)
        }
    }
}

/// Traits other than operators whose methods take or make values.
const OF_VALUES: &[&str] = &[
    "Device",
    "Copy",
    "Clone",
    "Default",
    "From",
    "Into",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Sum",
    "Product",
];

/// The parameters of a function or of an inherent method that are no device types, among `generics`; `scope` are all
/// that it has. `methods`: the other methods of its `impl`.
pub(super) fn of_function(
    generics: &Generics,
    scope: &Generics,
    (sig, block): (&Signature, &Block),
    methods: &HashSet<String>,
) -> HashSet<String> {
    let used = |name: &Ident| {
        signature_uses(sig, name) || body_uses(block, name, scope, methods, &of_other_types(generics, name))
    };
    generics
        .type_params()
        .map(|t| &t.ident)
        .filter(|t| bounded(generics, t) && !used(t))
        .map(Ident::to_string)
        .collect()
}

/// The names of an inherent `impl`'s methods; of a trait's, none: their parameters are device types.
pub(super) fn methods(item: &ItemImpl) -> HashSet<String> {
    let names = item.items.iter().filter_map(|i| match i {
        ImplItem::Fn(f) if item.trait_.is_none() => Some(f.sig.ident.to_string()),
        _ => None,
    });
    names.collect()
}

/// The parameters of an `impl`: no method may have a value of `Self`, which would contain values of them.
pub(super) fn of_impl(item: &ItemImpl) -> HashSet<String> {
    let this = Ident::new("Self", Span::call_site());
    let mut names: Option<HashSet<String>> = None;
    for i in &item.items {
        match i {
            ImplItem::Fn(f) => {
                let scope = joined(&item.generics, &f.sig.generics);
                if f.sig.receiver().is_some()
                    || signature_uses(&f.sig, &this)
                    || body_uses(&f.block, &this, &scope, &HashSet::new(), &HashSet::new())
                {
                    return HashSet::new();
                }
                let here = of_function(&item.generics, &scope, (&f.sig, &f.block), &methods(item));
                names =
                    Some(names.map_or(here.clone(), |names| names.intersection(&here).cloned().collect()));
            }
            ImplItem::Const(c) if stands_alone(&c.ty, &this) => return HashSet::new(),
            _ => {}
        }
    }
    names.unwrap_or_default()
}

/// The methods of a trait that need no value of `Self`: no receiver, no `Self` in the signature, and a default body, if
/// there is one, that uses nothing of `Self` but other such methods and consts of this trait.
pub fn of_trait(item: &ItemTrait) -> HashSet<String> {
    let this = Ident::new("Self", Span::call_site());
    let mut free: HashMap<String, Vec<String>> = HashMap::new();
    for i in &item.items {
        match i {
            TraitItem::Fn(f) if f.sig.receiver().is_none() && !signature_uses(&f.sig, &this) => {
                let body = f.default.as_ref();
                let scope = joined(&item.generics, &f.sig.generics);
                if body.is_none_or(|b| !body_uses(b, &this, &scope, &HashSet::new(), &HashSet::new())) {
                    let used = body.map(|b| members(b.to_token_stream(), &this)).unwrap_or_default();
                    free.insert(f.sig.ident.to_string(), used);
                }
            }
            TraitItem::Const(c) if !stands_alone(&c.ty, &this) => {
                free.insert(c.ident.to_string(), Vec::new());
            }
            _ => {}
        }
    }
    // A method that uses another member of `Self` needs a value, too.
    loop {
        let known: HashSet<String> = free.keys().cloned().collect();
        free.retain(|_, used| used.iter().all(|name| known.contains(name)));
        if free.len() == known.len() {
            return known;
        }
    }
}

/// The functions and consts of a parameter that give no values of its type, as the traits show that stand in the same file.
fn of_other_types(generics: &Generics, name: &Ident) -> HashSet<String> {
    let this = Ident::new("Self", Span::call_site());
    let (mut gives, mut others) = (HashSet::new(), HashSet::new());
    let bounds = bounds(generics, name).filter_map(|of| Some(&of.path.segments.last()?.ident));
    for of in bounds {
        let Some(file) = SourceFile::of(of.span()) else { continue };
        let (traits, _) = file.shows(Outline::of).traits(&file.text, &of.to_string());
        for item in traits.iter().flat_map(|t| &t.items) {
            let (member, alone) = match item {
                TraitItem::Fn(f) => (&f.sig.ident, stands_alone(&f.sig.output, &this)),
                TraitItem::Const(c) => (&c.ident, stands_alone(&c.ty, &this)),
                _ => continue,
            };
            let to = if alone { &mut gives } else { &mut others };
            to.insert(member.to_string());
        }
    }
    others.retain(|member| !gives.contains(member));
    others
}

/// The traits that bound a parameter.
fn bounds<'g>(generics: &'g Generics, name: &'g Ident) -> impl Iterator<Item = &'g syn::TraitBound> {
    let own = generics.type_params().filter(move |t| t.ident == *name).flat_map(|t| &t.bounds);
    let wheres = generics.where_clause.iter().flat_map(|w| &w.predicates).filter_map(move |p| match p {
        syn::WherePredicate::Type(t) if is_just(&t.bounded_ty, name) => Some(&t.bounds),
        _ => None,
    });
    own.chain(wheres.flatten()).filter_map(|bound| match bound {
        TypeParamBound::Trait(t) => Some(t),
        _ => None,
    })
}

/// Has bounds, and of no trait of values.
fn bounded(generics: &Generics, name: &Ident) -> bool {
    let mut names = bounds(generics, name)
        .map(|t| t.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default())
        .peekable();
    names.peek().is_some()
        && names.all(|name| !OF_VALUES.contains(&name.as_str()) && !operators::is_trait(&name))
}

fn is_just(ty: &syn::Type, name: &Ident) -> bool {
    matches!(ty, syn::Type::Path(p) if p.qself.is_none() && p.path.is_ident(name))
}

fn signature_uses(sig: &Signature, name: &Ident) -> bool {
    stands_alone(&sig.inputs, name) || stands_alone(&sig.output, name)
}

/// The name stands where no `::` follows.
fn stands_alone(tokens: &impl ToTokens, name: &Ident) -> bool {
    each(tokens.to_token_stream(), name, &mut |_, rest| !before_path(rest))
}

/// Calls `found` with what stands before and after each occurrence; whether one of the answers is yes.
fn each(
    tokens: TokenStream,
    name: &Ident,
    found: &mut impl FnMut(&[TokenTree], &[TokenTree]) -> bool,
) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut any = false;
    for (i, tree) in trees.iter().enumerate() {
        any |= match tree {
            TokenTree::Ident(ident) if ident == name => found(&trees[..i], &trees[i + 1..]),
            TokenTree::Group(g) => each(g.stream(), name, found),
            _ => false,
        };
    }
    any
}

fn before_path(rest: &[TokenTree]) -> bool {
    matches!(rest, [TokenTree::Punct(a), TokenTree::Punct(b), ..] if a.as_char() == ':' && b.as_char() == ':')
}

/// A value of the type may be in the body: its name stands otherwise than before `::`, as `<T as Trait>`, or as a type
/// argument of a call; or what its functions give is one.
fn body_uses(
    block: &Block,
    name: &Ident,
    scope: &Generics,
    methods: &HashSet<String>,
    others: &HashSet<String>,
) -> bool {
    struct Arguments<'a>(&'a Ident, &'a Generics, usize, &'a HashSet<String>);
    impl<'ast> Visit<'ast> for Arguments<'_> {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            if let syn::Expr::Path(p) = &*call.func
                && let Some(last) = p.path.segments.last()
                && let syn::PathArguments::AngleBracketed(a) = &last.arguments
                && !matches!(last.ident.to_string().as_str(), "size_of" | "align_of")
                && !self.of_a_trait(p)
            {
                self.add(a);
            }
            syn::visit::visit_expr_call(self, call);
        }

        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            if let Some(a) = call.turbofish.as_ref().filter(|_| self.3.contains(&call.method.to_string())) {
                self.add(a);
            }
            syn::visit::visit_expr_method_call(self, call);
        }

        fn visit_qself(&mut self, qself: &'ast syn::QSelf) {
            self.2 += usize::from(qself.as_token.is_some() && is_just(&qself.ty, self.0));
            syn::visit::visit_qself(self, qself);
        }
    }
    impl Arguments<'_> {
        fn add(&mut self, given: &syn::AngleBracketedGenericArguments) {
            let is = |a: &&syn::GenericArgument| matches!(a, syn::GenericArgument::Type(ty) if is_just(ty, self.0));
            self.2 += given.args.iter().filter(is).count();
        }

        /// `T::f::<A>`: the parameters of a trait's methods are device types.
        fn of_a_trait(&self, p: &syn::ExprPath) -> bool {
            p.qself.as_ref().is_some_and(|q| q.as_token.is_some())
                || p.path.segments.len() > 1
                    && self.1.type_params().any(|t| t.ident == p.path.segments[0].ident)
        }
    }
    let mut alone = 0;
    each(block.to_token_stream(), name, &mut |_, rest| {
        alone += usize::from(!before_path(rest));
        false
    });
    let mut arguments = Arguments(name, scope, 0, methods);
    arguments.visit_block(block);
    alone > arguments.2 || policy_values::may_be_made(block, name, others)
}

/// The `name`s in `Self::name`.
fn members(tokens: TokenStream, this: &Ident) -> Vec<String> {
    let mut names = Vec::new();
    each(tokens, this, &mut |_, rest| {
        names.extend(rest.get(2).map(ToString::to_string));
        false
    });
    names
}
