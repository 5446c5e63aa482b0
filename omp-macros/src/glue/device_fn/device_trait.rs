//! `#[omp::declare_target]` on a trait: adds the hidden methods, so that `t.f()` and `T::f` of a type parameter are
//! found like the user's own. The `impl`s describe them; an `impl` without the attribute is an error at launch. A
//! default method is described here, for `impl`s without their own.
use super::markers::{
    Body, arguments, declaration, describing, describing_member, describing_signature, device_generics,
    implement, joined, mangled_signature, marker_name, member_without_macro, turbofish, writes_self,
};
use super::policy_types::{self, SelfIs};
use super::{check_signature, without_question_marks};
use crate::diag::{Code, Sink};
use crate::expand::derives;
use crate::glue::{cfgs, hidden, lints_off, private};
use crate::lower::{self, Around, number_trait};
use crate::parse::parameters;
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use omp_ir::desc::Prim;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use syn::{Generics, ItemTrait, TraitItem, TraitItemFn, Type, parse_quote};

/// Expands `#[omp::declare_target]` on a trait.
pub(in crate::glue) fn expand(item: &ItemTrait, sink: &mut Sink) -> TokenStream {
    if let Some(token) = &item.unsafety {
        sink.error(Code::DeclareTargetItem, token.span, "`declare_target` on an `unsafe trait`")
            .help("device functions are plain safe Rust functions");
        return item.to_token_stream();
    }
    let allow = lints_off();
    let mut item = item.clone();
    for i in &mut item.items {
        if let TraitItem::Fn(TraitItemFn { sig, default: Some(block), .. }) = i {
            without_question_marks(sig, block, sink);
        }
    }
    let item = &item;
    let of_prelude = OF_PRELUDE.iter().any(|of| item.ident == of);
    let own = own_name(item);
    let member = if of_prelude { member_without_macro(Span::mixed_site()) } else { member_name(&own) };
    let mut out = item.clone();
    if is_of_devices(item) {
        let bound: syn::TypeParamBound =
            syn::parse2(quote_spanned!(Span::mixed_site()=> ::omp::__private::Device)).expect("a path");
        out.colon_token.get_or_insert_default();
        out.supertraits.push(bound);
    }
    let mut markers = TokenStream::new();
    let free = policy_types::of_trait(item);
    for i in &item.items {
        let TraitItem::Fn(f) = i else { continue };
        let cfgs = cfgs(&f.attrs);
        let this_bound = if free.contains(&f.sig.ident.to_string()) { SelfIs::Sized } else { SelfIs::Device };
        let marker = qualified(&item.ident, &f.sig.ident);
        let g = marker_generics(item, f, this_bound);
        let this = this(&g);
        let all = joined(&item.generics, &f.sig.generics);
        let args = parameters(&all).collect::<Vec<_>>();
        let mangled = mangled_signature(&f.sig, &quote!(#marker <Self, #(#args),*>), &HashSet::new());
        let mangled = this_bound.of(
            mangled.to_token_stream(),
            mangled.generics.where_clause.is_some(),
            Span::mixed_site(),
        );
        let head = describing_signature(&f.sig, &HashSet::new());
        let head = this_bound.of(head, f.sig.generics.where_clause.is_some(), Span::mixed_site());
        let body = describe(item, &member, f, sink);
        out.items.push(TraitItem::Verbatim(code! {
            #cfgs
            #[doc(hidden)]
            #allow
            #mangled { ::omp::__private::core::unreachable!() }
            #cfgs
            #[doc(hidden)]
            #allow
            #head { #body }
        }));
        let declaration = declaration(&parse_quote!(pub), &marker, &g);
        let (name, own, trait_path) = (describing(&f.sig.ident), turbofish(&f.sig.generics), path(item));
        let call = code!(<#this as #trait_path>::#name #own(__cx););
        let item = &f.sig.ident;
        let item = code!(<#this as #trait_path>::#item #own);
        let implement = implement(&marker, &g, &call, Some(&item), writes_self(&f.sig));
        markers.extend(code! { #cfgs #declaration #cfgs const _: () = { #implement }; });
    }
    let (cx, method) = (hidden("__cx").into_token_stream(), hidden("__method").into_token_stream());
    let head = describing_member(&member, &cx, &method);
    out.items.push(TraitItem::Verbatim(code! {
        /// Describes a method of the `impl`; whether it has that, and nothing where it does not bear the attribute.
        #[doc(hidden)]
        #allow
        #head { ::omp::__private::core::option::Option::None }
    }));
    let default = item.items.iter().find_map(|i| match i {
        TraitItem::Fn(f) if f.default.is_some() => Some(&f.sig.ident),
        _ => None,
    });
    if let Some(name) = default.filter(|_| of_prelude) {
        let message = format!(
            "`declare_target` on a trait with the name of the derive macro `{}`, which has a default method",
            item.ident
        );
        sink.error(Code::DeclareTargetItem, name.span(), message)
            .note(None, "a macro of the trait's name shows that no type's own method hides a default one")
            .help("give the trait another name, or write the method in each `impl`");
    }
    let of_its_name = (!of_prelude).then(|| of_its_name(item, &own));
    code! { #out #markers #of_its_name }
}

/// Whether each type with the trait is a device type, so that functions that are generic over the trait need no other bound: the file shows
/// `impl`s, all with the attribute and without other type parameters, and each has a method on values of its type. The types are `Copy` by a
/// supertrait, or the file shows that they are device types, and is all that knows the trait.
fn is_of_devices(item: &ItemTrait) -> bool {
    let named = |bound: &syn::TypeParamBound, name: &str| matches!(bound, syn::TypeParamBound::Trait(t) if t.path.segments.last().is_some_and(|s| s.ident == name));
    let required = item.items.iter().any(|i| match i {
        TraitItem::Fn(f) => f.sig.receiver().is_some() && f.default.is_none(),
        _ => false,
    });
    if !required || item.supertraits.iter().any(|b| named(b, "Device")) {
        return false;
    }
    let Some(file) = SourceFile::of(item.ident.span()) else { return false };
    let (traits, impls) = file.shows(Outline::of).traits(&file.text, &item.ident.to_string());
    let declared = |i: &syn::ItemImpl| {
        // (Parameters with the trait are device types, too.)
        let has = |t: &syn::TypeParam| t.bounds.iter().any(|b| named(b, &item.ident.to_string()));
        i.attrs.iter().any(crate::expand::is_declare_target) && i.generics.type_params().all(has)
    };
    let copies = || item.supertraits.iter().any(|b| named(b, "Copy"));
    traits.len() == 1
        && !impls.is_empty()
        && impls.iter().all(declared)
        && (copies() || is_own(item, &file.text) && impls.iter().all(|i| is_device_type(&i.self_ty, &file)))
}

/// Whether no other crate knows a trait, and nothing is a trait object of it.
fn is_own(item: &ItemTrait, text: &str) -> bool {
    let private = !matches!(item.vis, syn::Visibility::Public(_)) || text.contains("fn main()");
    private && !text.contains(&format!("dyn {}", item.ident))
}

/// Whether a type is a number or derives `omp::Device`, as the file shows.
fn is_device_type(ty: &Type, file: &SourceFile) -> bool {
    let Type::Path(p) = ty else { return false };
    let Some(name) = p.path.segments.last().map(|s| &s.ident) else { return false };
    let types = file.shows(Outline::of).types(&file.text, &name.to_string());
    let of_name = types.iter().filter_map(|item| match item {
        syn::Item::Struct(s) if s.ident == *name => Some(&s.attrs),
        syn::Item::Enum(e) if e.ident == *name => Some(&e.attrs),
        _ => None,
    });
    let attrs: Vec<_> = of_name.collect();
    match attrs[..] {
        [] => p.path.get_ident().is_some_and(|name| is_primitive(&name.to_string())),
        [attrs] => derives(attrs, "Device"),
        _ => false,
    }
}

/// The name of the trait's hidden function that describes what an `impl` has. Only the trait's macro gives it to an `impl`.
fn member_name(own: &str) -> Ident {
    format_ident!("__omp_describes_{own}", span = Span::mixed_site())
}

/// A part for the generated names that no other trait of the crate has: all exported macros of a crate are in one namespace, and a
/// `macro_rules!` may make several traits of the same tokens.
fn own_name(item: &ItemTrait) -> String {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let name = item.ident.to_string().trim_start_matches("r#").to_lowercase();
    format!("{name}_{}", MADE.fetch_add(1, Ordering::Relaxed))
}

/// A macro of the trait's name. An `impl` with the attribute finds it wherever it finds the trait, as macros and traits have namespaces of
/// their own. The hidden members of the `impl` are made by it, together with the comparison that no method of the type's own hides a default
/// one of the trait, which the `impl` does not write down. An `impl` that does not find it is an error: its trait lacks the attribute, or
/// there is a derive or attribute macro of the trait's name. (A method that has parameters or conditions can't be named in the comparison;
/// what stands under a `cfg` means another thing in another crate.)
fn of_its_name(item: &ItemTrait, own: &str) -> TokenStream {
    let public = matches!(item.vis, syn::Visibility::Public(_));
    let named = |f: &&TraitItemFn| {
        f.default.is_some()
            && f.sig.generics.params.is_empty()
            && f.sig.generics.where_clause.is_none()
            && (!public || cfgs(&f.attrs).is_empty())
    };
    let methods = item.items.iter().filter_map(|i| match i {
        TraitItem::Fn(f) => Some(f),
        _ => None,
    });
    let (p, allow) = (private(), lints_off());
    // It is next to the `impl`, where the trait is in scope.
    let checks = format_ident!("__omp_checks_{own}", span = Span::mixed_site());
    let named: Vec<&TraitItemFn> = methods.filter(named).collect();
    let alone: Vec<TokenStream> = named
        .iter()
        .map(|f| {
            let (cfgs, alone) =
                (cfgs(&f.attrs), super::device_impl::no_own_method(&code!($ty), &f.sig.ident));
            code!(#cfgs #alone)
        })
        .collect();
    // Of a number, a call by name finds the number's own method, on devices, too.
    let of_numbers: Vec<TokenStream> = NUMBERS
        .iter()
        .map(|(kind, prim)| {
            let kind = Ident::new(kind, Span::mixed_site());
            let hides =
                |f: &TraitItemFn| number_trait(*prim, &f.sig.ident.to_string(), f.sig.inputs.len()).is_some();
            let rest = named.iter().zip(&alone).filter(|(f, _)| !hides(f)).map(|(_, alone)| alone);
            code! {
                (beside #kind [$ty:ty] $($stubs:tt)*) => {
                    #allow
                    fn #checks() {}
                    #(#rest)*
                };
            }
        })
        .collect();
    let compared: Vec<TokenStream> = named
        .iter()
        .map(|f| {
            let (cfgs, name) = (cfgs(&f.attrs), &f.sig.ident);
            let span = Span::mixed_site().located_at(name.span());
            let compare = quote_spanned!(span=> #p::Methods::of_trait(<$ty as $of>::#name).by_name(<$any>::#name).same(););
            code!(#cfgs { #compare })
        })
        .collect();
    let (name, vis) = (&item.ident, &item.vis);
    let hidden = format_ident!("__omp_trait_{own}", span = Span::mixed_site());
    let head = describing_member(&member_name(own), &code!($cx), &code!($method));
    let (export, inside) =
        if public { (Some(code!(#[macro_export])), code!(pub)) } else { (None, code!(pub(crate))) };
    code! {
        #[doc(hidden)]
        #export
        #allow
        macro_rules! #hidden {
            (beside [$ty:ty] $($stubs:tt)*) => {
                #allow
                fn #checks() {}
                #(#alone)*
            };
            #(#of_numbers)*
            (beside $($stubs:tt)*) => {};
            ([$cx:ident $method:ident [$ty:ty]] [$($undeclared:tt)*] $body:block $($generic:item)*) => {
                #[doc(hidden)]
                #allow
                #head {
                    #checks();
                    $body
                }
                $($generic)*
            };
            ([$cx:ident $method:ident [$ty:ty] [$any:ty] [$of:path]] [$($undeclared:tt)*] $body:block $($generic:item)*) => {
                #[doc(hidden)]
                #allow
                #head {
                    #(#compared)*
                    $body
                }
                $($generic)*
            };
        }
        #[doc(hidden)]
        #allow
        mod #hidden {
            #inside use #hidden as #name;
        }
        #[doc(hidden)]
        #allow
        #vis use #hidden::*;
    }
}

/// Kinds of numbers with the same methods, and a primitive of each.
const NUMBERS: [(&str, Prim); 4] =
    [("float", Prim::F64), ("signed", Prim::I32), ("unsigned", Prim::U32), ("large", Prim::U128)];

/// The kind of a number, as the macro of a trait's name takes it.
pub(super) fn kind_of_number(prim: Prim) -> Option<Ident> {
    let kind = match prim {
        Prim::Bool | Prim::Char => return None,
        Prim::U128 => "large",
        _ if prim.is_float() => "float",
        _ if prim.is_signed() => "signed",
        _ => "unsigned",
    };
    Some(Ident::new(kind, Span::mixed_site()))
}

/// The derive macros of the prelude: a macro with one of these names can't be found.
pub(super) const OF_PRELUDE: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// The marker's name, one for each method of each trait of a module.
fn qualified(of: &Ident, method: &Ident) -> Ident {
    format_ident!("{}_of_{}", marker_name(method), of, span = Span::call_site())
}

/// The type that stands for `Self` in the marker.
fn this(g: &Generics) -> Ident {
    g.type_params().next().expect("the first parameter").ident.clone()
}

/// `__Self: Trait<A>, A, S`
fn marker_generics(item: &ItemTrait, f: &TraitItemFn, this_bound: SelfIs) -> Generics {
    let this = Ident::new("__Self", Span::call_site());
    let ty: Type = parse_quote!(#this);
    let mut g = joined(&item.generics, &f.sig.generics);
    let wh = g.where_clause.take().map(|w| super::markers::without_self(w.to_token_stream(), &ty));
    let params = super::markers::without_self(g.params.to_token_stream(), &ty);
    let mut g: Generics = parse_quote!(<#params>);
    g.where_clause = wh.map(|w| parse_quote!(#w));
    let trait_path = path(item);
    let mut g = device_generics(&g, &HashSet::new());
    let p = private();
    let device = matches!(this_bound, SelfIs::Device).then(|| code!(#p::Device +));
    g.params.insert(0, parse_quote!(#this: #device #trait_path));
    g
}

/// `Trait<A>`
fn path(item: &ItemTrait) -> TokenStream {
    let (name, args) = (&item.ident, arguments(&item.generics));
    quote!(#name #args)
}

/// The trait's hidden function, which an `impl` overrides.
fn describe(item: &ItemTrait, member: &Ident, f: &TraitItemFn, sink: &mut Sink) -> TokenStream {
    let p = private();
    let (of, name) = (item.ident.to_string(), f.sig.ident.to_string());
    // By its path: a supertrait that bears the attribute has a function of this name, too.
    let path = path(item);
    let cx = hidden("__cx");
    let of_impl = code! {
        match <Self as #path>::#member(#cx, #name) {
            ::omp::__private::core::option::Option::Some(false) => {}
            ::omp::__private::core::option::Option::Some(true) => return,
            ::omp::__private::core::option::Option::None => {
                #p::undeclared_impl::<Self>(#cx, #of, #name);
                return;
            }
        }
    };
    let before = sink.len();
    check_signature(&f.sig, sink);
    let Some(block) = &f.default else { return of_impl };
    let around = Around { generic: true, ..Around::default() };
    match lower::lower_fn(&f.sig, block, &around, sink) {
        Ok(lowered) if sink.len() == before => {
            let body = Body { sig: &f.sig, lowered: &lowered }.describe();
            code!(#of_impl #body)
        }
        _ => {
            let refused = super::refused();
            code!(#of_impl #refused)
        }
    }
}
