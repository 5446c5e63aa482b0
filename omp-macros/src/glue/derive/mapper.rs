//! `#[derive(omp::Mapper)]`: the arrays of a struct, field by field. rustc decides by the types which fields are
//! arrays.
use crate::diag::{Code, Sink};
use crate::glue::{bound_by_device, private};
use crate::sema::syntax::std_names;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Index, Member};

/// Expands the derive.
pub fn expand(item: TokenStream, sink: &mut Sink) -> TokenStream {
    let Some(input) = super::input(item, sink) else { return TokenStream::new() };
    let (span, what) = match &input.data {
        Data::Struct(s) => {
            s.fields.iter().for_each(|f| of_the_host(f, sink));
            return if sink.is_empty() { structure(&input, &s.fields) } else { TokenStream::new() };
        }
        Data::Enum(e) => (e.enum_token.span, "an enum"),
        Data::Union(u) => (u.union_token.span, "a union"),
    };
    sink.error(Code::DeriveDevice, span, format!("`derive(omp::Mapper)` on {what}"))
        .help("it is for structs that own arrays: keep the arrays in a struct");
    TokenStream::new()
}

/// Types of std that can't be mapped.
const OF_THE_HOST: &[&str] = &[
    "String", "PathBuf", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "Cell", "RefCell",
    "Mutex", "RwLock", "File", "Option",
];

/// Reports a field whose type's name is one of the host's. Other types are checked by rustc.
fn of_the_host(field: &syn::Field, sink: &mut Sink) {
    let syn::Type::Path(p) = &field.ty else { return };
    let Some(last) = p.path.segments.last() else { return };
    if OF_THE_HOST.iter().any(|name| last.ident == name) && std_names::is_std(&p.path) {
        let name = &last.ident;
        sink.error_at(
            Code::DeriveDevice,
            &field.ty,
            format!("a field of type `{name}`, which is neither a device type nor a mapped container"),
        )
        .help("fields are device types, `Vec<T>`, `Box<[T]>`, `&[T]`, `&mut [T]` of them, and structs that derive `omp::Mapper`: keep what is the host's in a struct around this one");
    }
}

fn structure(input: &DeriveInput, fields: &Fields) -> TokenStream {
    let p = private();
    let name = &input.ident;
    let mut generics = input.generics.clone();
    bound_by_device(&mut generics);
    let (ig, tg, wh) = generics.split_for_impl();
    let each = |method: &str, borrow: TokenStream| -> TokenStream {
        let fields = fields.iter().enumerate().map(|(i, f)| {
            let member = f.ident.clone().map_or_else(|| Member::Unnamed(Index::from(i)), Member::Named);
            let text = member.to_token_stream().to_string().replace("r#", "");
            let (ty, at) = (&f.ty, Span::mixed_site().located_at(f.ty.span()));
            let method = Ident::new(method, at);
            quote_spanned!(at=> <#ty as ::omp::__private::MapField>::#method(#borrow self.#member, &__name.field(#text), __to);)
        });
        fields.collect()
    };
    // `self` of these functions.
    let (read, write) = (each("arrays", code!(&)), each("arrays_mut", code!(&mut)));
    let allow = crate::glue::lints_off();
    let own = code!(<'__omp, __A: #p::Arrays<'__omp>>);
    let values = values(input, fields);
    // Those of a struct behind a lifetime have no type of their own.
    let value = match &values {
        Some(_) => code!(<Self as #p::Owner>::Values),
        None => code!(::omp::__private::core::primitive::usize),
    };
    let its_value = values.as_ref().map_or_else(|| code!(0), |_| code!(#p::Owner::values(self)));
    code! {
        #values
        const _: () = {
            #[automatically_derived]
            #allow
            impl #ig #p::MapItem for #name #tg #wh {
                fn __omp_arrays #own (&'__omp self, __name: &#p::Name<'_>, __to: &mut __A) { #read }
                fn __omp_arrays_mut #own (&'__omp mut self, __name: &#p::Name<'_>, __to: &mut __A) { #write }
            }
            #[automatically_derived]
            #allow
            impl #ig #p::MapField for #name #tg #wh {
                type Value = #value;
                fn value(&self) -> Self::Value { #its_value }
                fn arrays #own (&'__omp self, __name: &#p::Name<'_>, __to: &mut __A) {
                    #p::MapItem::__omp_arrays(self, __name, __to);
                }
                fn arrays_mut #own (&'__omp mut self, __name: &#p::Name<'_>, __to: &mut __A) {
                    #p::MapItem::__omp_arrays_mut(self, __name, __to);
                }
            }
            #[automatically_derived]
            unsafe impl #ig #p::Mapper for #name #tg #wh {}
            #[automatically_derived]
            unsafe impl #ig #p::Mappable for #name #tg #wh {}
        };
    }
}

/// It shows where an `Index` is declared and its type has no derive: rustc says that there is no such type.
fn numbers_name(of: &Ident, span: Span) -> Ident {
    format_ident!("__{}_needs_derive_omp_Mapper", of, span = span)
}

/// The struct of a struct's numbers, wherever its own name is found.
pub(in crate::glue) fn values_path(ty: &syn::Type) -> syn::Type {
    let mut ty = ty.clone();
    if let syn::Type::Path(p) = &mut ty
        && let Some(last) = p.path.segments.last_mut()
    {
        last.ident = numbers_name(&last.ident, last.ident.span());
    }
    ty
}

/// The struct of the numbers: each field that is a device value, and the lengths of arrays.
fn values(input: &DeriveInput, fields: &Fields) -> Option<TokenStream> {
    if input.generics.lifetimes().next().is_some() {
        return None;
    }
    let (vis, name, allow) = (&input.vis, &input.ident, crate::glue::lints_off());
    let numbers = numbers_name(name, Span::mixed_site().located_at(name.span()));
    let mut generics = input.generics.clone();
    bound_by_device(&mut generics);
    let (ig, tg, wh) = generics.split_for_impl();
    let members = fields.iter().enumerate().map(|(i, f)| {
        let member = f.ident.clone().map_or_else(|| Member::Unnamed(Index::from(i)), Member::Named);
        let ty = &f.ty;
        (member, code!(<#ty as ::omp::__private::MapField>::Value))
    });
    let members: Vec<_> = members.collect();
    let (names, types): (Vec<_>, Vec<_>) = members.iter().map(|(m, t)| (m, t)).unzip();
    let vises: Vec<_> = fields.iter().map(|f| &f.vis).collect();
    let body = match fields {
        Fields::Named(_) => code!(#wh { #(#vises #names: #types),* }),
        Fields::Unnamed(_) | Fields::Unit => code!((#(#vises #types),*) #wh;),
    };
    let params = &generics.params;
    let of_values = names.iter().zip(fields.iter()).map(|(member, f)| {
        let ty = &f.ty;
        code!(#member: <#ty as ::omp::__private::MapField>::value(&self.#member))
    });
    Some(code! {
        #[doc(hidden)]
        #allow
        #[derive(Clone, Copy, ::omp::Device)]
        #vis struct #numbers <#params> #body
        #[automatically_derived]
        #allow
        impl #ig ::omp::__private::Owner for #name #tg #wh {
            type Values = #numbers #tg;
            fn values(&self) -> #numbers #tg {
                #numbers { #(#of_values),* }
            }
        }
    })
}
