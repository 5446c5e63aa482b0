//! Slice methods that host code calls on data of tasks: they are called on the guard, which has the methods of slices.
//!
//! A user's trait may have methods of the same names for the container (`fill` of a `Vec`), and rustc would have found
//! these first. So generated code lets rustc check that before the guard is made, as in `typing/call/probe.rs` of the runtime.
use crate::expand::tasks::{Does, does};
use crate::glue::private;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;

/// Checks that these methods of a place are the slice's.
pub(super) fn of_slices(place: &Expr, called: &[Ident]) -> TokenStream {
    let p = private();
    let mut seen: Vec<String> = Vec::new();
    let mut out = TokenStream::new();
    for method in called {
        let name = method.to_string();
        let Some(does) = does(method).filter(|_| !seen.contains(&name)) else { continue };
        seen.push(name.clone());
        let kind = match does {
            Does::Measures => code!(#p::OfSlices),
            Does::Looks => code!(#p::LookingAtSlices),
            Does::Changes => code!(#p::ChangingSlices),
        };
        let (own, span) = (Ident::new(&name, Span::mixed_site()), method.span());
        let found = ["a_of", "b_of", "c_of", "d_of", "e_of"].map(|of| {
            let (of, value) = (Ident::new(of, Span::mixed_site()), Ident::new("__value", Span::mixed_site()));
            let check = quote_spanned!(span=> (&&::omp::__private::Gives(#value.#method())).omp_found(););
            code!({ let #value = #p::#of::<#kind, _>(&__at); #check })
        });
        out.extend(code! {{
            trait NothingToImport_SeeOmpE0801: ::omp::__private::core::marker::Sized {
                fn #own<R>(self) -> R {
                    #p::never()
                }
            }
            impl<T> NothingToImport_SeeOmpE0801 for T {}
            use #p::{Found0 as _, Found1 as _};
            let __at = #p::Receiver::new();
            __at.see(&#place);
            #(#found)*
        }});
    }
    out
}
