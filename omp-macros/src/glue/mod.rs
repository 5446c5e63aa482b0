//! The code that directives expand to.
//!
//! * `region`: a target region: slots, data, launch, and the host's loop.
//! * `data`: data directives.
//! * `host`: the host's loops; in its folder, `rewrite` makes the parallel body from the user's, `items` its reduction variables,
//!   `updates` its atomic updates. `serial_reductions` and `elements`: reductions in the serial loop. `claims`: `disjoint` on the host.
//! * `device_fn`: the companion of a device function; `device_impl`, `device_trait`, `markers`: those of methods and operators;
//!   `policy_types`: type parameters that need not be device types; `device_index`: `Index` of structs that own arrays;
//!   `declared`: `#[omp::declare_reduction]`.
//! * `task`: scopes, guards and waits of tasks; `host_task`: a task's loop on the host's threads; `task_data`: data
//!   directives among tasks.
//! * `derive`: `#[derive(omp::Device)]` and `#[derive(omp::Mapper)]`; `derived`: comparisons by other derives.
//!
//! `code!` makes all of it, with `Span::mixed_site()` for names of variables: users can neither see nor shadow them.
//! The user's tokens keep their spans, so that rustc's errors point at them.

/// `quote!` whose names only generated code sees.
macro_rules! code {
    ($($t:tt)*) => { quote::quote_spanned!(proc_macro2::Span::mixed_site()=> $($t)*) };
}

pub mod data;
pub mod derive;
pub mod device_fn;
mod host;
mod overflow;
pub mod region;
pub mod task;

use crate::lower::{CallKind, Function, Typing};
use proc_macro2::{Ident, Span, TokenStream};

/// A name that only generated code sees.
fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// `__x3`
fn numbered(prefix: &str, n: usize) -> Ident {
    hidden(&format!("__{prefix}{n}"))
}

/// The path under which generated code names the runtime.
fn private() -> TokenStream {
    code!(::omp::__private)
}

/// For generated code: what the user wrote is linted once, in the serial copy.
///
/// No lint or group of rustc's is named: under the user's `forbid` of one, `allow` is an error. `warnings` is none, but
/// does not win over `deny`; so generated code is such that no lint finds anything in it. What helps: rustc looks over
/// what spans from a macro of another crate cover, so what is generated has these, at the user's place or not; and
/// variables with the user's spans are used (`let _ = &name;`).
pub fn lints_off() -> TokenStream {
    code! {
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
    }
}

/// The conditions under which an item is there.
pub fn cfgs(attrs: &[syn::Attribute]) -> TokenStream {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).map(quote::ToTokens::to_token_stream).collect()
}

/// Makes each type parameter a device type.
fn bound_by_device(generics: &mut syn::Generics) {
    let p = private();
    for t in generics.type_params_mut() {
        t.bounds.push(syn::parse_quote!(#p::Device));
    }
}

/// Bytes as a literal of type `&'static [u8; N]`.
fn bytes(bytes: &[u8]) -> proc_macro2::Literal {
    proc_macro2::Literal::byte_string(bytes)
}

/// The traits that slots and the typing copy call methods of.
fn method_imports() -> TokenStream {
    code!(
        use ::omp::__private::traits::*;
    )
}

/// Statements that give the answers to `__cx`, in the order of the template's ids.
fn answers(typing: &Typing, cx: &Ident) -> TokenStream {
    let p = private();
    let Typing { slots, arrays, consts, calls, operators, .. } = typing;
    let operators = operators
        .iter()
        .map(|(op, caught)| code!((&&&#p::OperatorOf::<#op, _>::new(#caught)).omp_tell(#cx);));
    let calls = calls.iter().map(|c| {
        let (caught, span) = (&c.caught, c.caught.name().span());
        match c.kind {
            CallKind::Function => match &c.result {
                Some(result) => {
                    quote::quote_spanned!(span=> (&&&&&&#p::MethodW(#caught, #result)).omp_method(#cx);)
                }
                None => quote::quote_spanned!(span=> #cx.call(#caught);),
            },
            // With the operator's place: where it is no device function, rustc points there.
            CallKind::Named => code!((&&#p::NamedW(#caught)).omp_told(#cx);),
            CallKind::Operator => {
                quote::quote_spanned!(span=> (&&&#p::OpW(#caught)).omp_operator(#cx);)
            }
            CallKind::Unary => quote::quote_spanned!(span=> (&&&#p::OpW(#caught)).omp_unary(#cx);),
            CallKind::OperatorBehind => code! {
                let __callee = (&&&&#p::OpW(#caught)).omp_callee(#cx);
                #cx.operator_behind(__callee);
            },
        }
    });
    code! {
        #(#cx.array((&&&#p::W(#arrays)).omp_desc());)*
        #(#cx.slot((&&&#p::W(#slots)).omp_desc());)*
        #((&&#p::KonstW(&#consts)).omp_konst(#cx);)*
        #(#calls)*
        #(#operators)*
    }
}

/// Wraps the checks by rustc's type inference, so that hidden methods and declared reductions are found: fallbacks outside, `use`s inside.
fn with_companions(typing: &Typing, inner: TokenStream) -> TokenStream {
    let Typing { uses, items, .. } = typing;
    let fallbacks = typing.fallbacks.values();
    let imports = method_imports();
    code! {
        {
            #(#fallbacks)*
            // (Out of sight of the imports: methods of these are not `const`.)
            #items
            {
                #(#uses)*
                #imports
                #inner
            }
        }
    }
}

/// The typing copy, which is never run.
fn typing_copy(typing: &Typing, inner: TokenStream) -> TokenStream {
    let (decls, allow, probes, late) = (&typing.decls, lints_off(), probes(typing), &typing.late);
    let (around, imports) = functions(typing);
    let shared = typing.operators.iter().map(|(_, caught)| caught.shared());
    code! {
        #decls
        #allow
        {
            #(#around)*
            {
                #(#imports)*
                if false {
                    #inner
                    #late
                    #probes
                }
            }
        }
        #(#shared)*
    }
}

/// How the functions that the copy calls are found: `use helper as DeviceFunction0` finds function and companion. What
/// stands around it stands for what is not there: for the companion, so that the error says what the function lacks; and for
/// the function itself, a macro of its name, so that the import finds something and the one error is the host's.
fn functions(typing: &Typing) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let p = private();
    let around = typing.functions.iter().map(|Function { path, companion, args, .. }| {
        let types: Vec<_> = (0..*args).map(|k| quote::format_ident!("A{k}")).collect();
        let stub = path.get_ident().map(|name| {
            // The name has the macros' span, so that no lint finds it, and the user's spelling, so that it is found.
            let mut name = name.clone();
            name.set_span(Span::call_site().located_at(name.span()));
            code!(macro_rules! #name { () => {} })
        });
        let of_mem = path.get_ident().is_some_and(|name| crate::lower::in_mem(&name.to_string(), *args));
        let declared = if of_mem { code!(#p::DeclaredTargetOrOfMem) } else { code!(#p::DeclaredTarget) };
        code! {
            #stub
            struct #companion {}
            impl #companion {
                fn bind<F: #declared<R> + ::omp::__private::core::ops::Fn(#(#types),*) -> R, #(#types,)* R>(
                    _: &#p::Call<#p::NotDeclared, F>,
                    _: F,
                ) {
                }
            }
            fn #companion<#(#types,)*>(#(_: #types),*) -> ! {
                #p::never()
            }
        }
    });
    let imported = typing.functions.iter().filter(|function| !function.at_calls);
    let imports = imported.map(|Function { path, companion, .. }| {
        let span = path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
        // An import takes all that has the name, and attributes of the language are in sight everywhere.
        let here = path.get_ident().filter(|i| crate::parse::attributes::is_builtin(&i.to_string()));
        let here = here.map(|_| quote::quote_spanned!(span=> self::));
        // rustc reports a private function once for each span. The path gets the span of the call, so both errors are one.
        let mut at_path = companion.clone();
        at_path.set_span(span);
        quote::quote_spanned!(span=> use #here #path as #at_path;)
    });
    (around.collect(), imports.collect())
}

/// For each call of a method, a check that the host finds the declared one: see `typing/call/probe.rs` of the runtime. The checks come
/// after everything else, where all types are inferred.
fn probes(typing: &Typing) -> TokenStream {
    let p = private();
    let mut names: Vec<(String, usize)> = Vec::new();
    for probe in &typing.probes {
        let name = (probe.method.to_string(), probe.args);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let of = |(name, args): &(String, usize)| {
        let by_name = crate::lower::operator_by_name(name, *args).map(|of| {
            let (of, method) = (Ident::new(of, Span::mixed_site()), name);
            let called = typing.probes.iter().filter(|probe| probe.method == method && probe.args == *args);
            let called = called.map(|probe| {
                let (call, method) = (&probe.call, &probe.method);
                let right = (*args == 1).then(|| code!(#p::right(#call)));
                quote::quote_spanned!(method.span()=> let _ = #p::left(#call).#method(#right);)
            });
            code!({ use ::omp::__private::core::ops::#of as _; #(#called)* })
        });
        let calls: TokenStream = typing
            .probes
            .iter()
            .filter(|probe| probe.method == name && probe.args == *args)
            .map(|probe| {
                let (call, method) = (&probe.call, &probe.method);
                // Errors about the receiver are reported at the call.
                let receiver = probe.receiver.at(method.span());
                let values = std::iter::repeat_n(code!(#p::never()), *args);
                let values = code!(#(#values),*);
                let at = ["a", "b", "c", "d", "e"].map(|at| Ident::new(at, method.span()));
                quote::quote_spanned!(method.span()=> #((&&#p::Gives(#receiver.#at(#call).#method(#values))).omp_found();)*)
            })
            .collect();
        let method = match name.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(raw, Span::mixed_site()),
            None => Ident::new(name, Span::mixed_site()),
        };
        let units: Vec<_> = std::iter::repeat_n(code!(_: ()), *args).collect();
        code! {
            {
                trait NothingToImport_SeeOmpE0801: ::omp::__private::core::marker::Sized {
                    // (It returns whatever type is expected: so rustc has one text for a method that is not there.)
                    fn #method<R>(self, #(#units),*) -> R {
                        #p::never()
                    }
                }
                impl<T> NothingToImport_SeeOmpE0801 for T {}
                use #p::{Found0 as _, Found1 as _};
                #calls
            }
            #by_name
        }
    };
    names.iter().map(of).collect()
}
