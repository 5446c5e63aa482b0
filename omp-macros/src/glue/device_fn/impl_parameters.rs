//! `rng: &mut impl Rng`: the parameter's type gets a name, so that the function has one instance for each type.
//! Parameters that are closures or iterators are left unchanged, because they have no type on a device.
use proc_macro2::Ident;
use syn::{FnArg, GenericParam, Signature, Type, TypeParamBound};

/// Names the types of all parameters that are `impl Trait`.
pub(super) fn name(sig: &mut Signature) {
    let mut named = Vec::new();
    let generics = &sig.generics;
    let taken = |name: &String, named: &[GenericParam]| {
        let is = |p: &GenericParam| matches!(p, GenericParam::Type(t) if t.ident == name.as_str());
        generics.params.iter().any(is) || named.iter().any(is)
    };
    for input in &mut sig.inputs {
        let FnArg::Typed(arg) = input else { continue };
        let mut ty = &mut *arg.ty;
        while let Type::Reference(r) = ty {
            ty = &mut r.elem;
        }
        let Type::ImplTrait(t) = ty else { continue };
        let Some(of) = user_trait(t) else { continue };
        let name = (0..).map(|n| if n == 0 { format!("Impl{of}") } else { format!("Impl{of}{n}") });
        let Some(name) = { name }.find(|name| !taken(name, &named)) else { continue };
        let (name, bounds) = (Ident::new(&name, t.impl_token.span), &t.bounds);
        named.push(syn::parse_quote!(#name: #bounds));
        *ty = syn::parse_quote!(#name);
    }
    sig.generics.params.extend(named);
}

/// The first trait, if none of them is a closure's or an iterator's.
fn user_trait(t: &syn::TypeImplTrait) -> Option<String> {
    let traits = t.bounds.iter().filter_map(|b| match b {
        TypeParamBound::Trait(t) => t.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    });
    let traits: Vec<String> = traits.collect();
    let of_std =
        |name: &String| ["Fn", "FnMut", "FnOnce"].iter().any(|of| name == of) || name.ends_with("Iterator");
    (!traits.iter().any(of_std)).then(|| traits.first().cloned())?
}
