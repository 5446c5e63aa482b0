//! Errors of methods that devices don't have.
use super::{MOST_OF_BUILT_IN, PREFIX, hidden_name};
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Flow, Lower, Name, hidden};
use crate::marks::unmarked;
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::items::GIVE_ITERATORS;
use omp_ir::desc::Prim;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// Methods that change what allocates, unless a type of the user's has one of this name.
const GROWING: &[&str] = &["push", "push_str", "insert", "extend", "reserve"];

/// Methods that allocate, with the same exception.
const ALLOCATING: &[&str] = &["collect", "to_vec", "to_string", "to_owned", "into_boxed_slice"];

/// Methods of slices that devices don't have, or have in some forms alone.
const OF_SLICES: &[&str] = &[
    "get",
    "get_mut",
    "first",
    "first_mut",
    "last",
    "last_mut",
    "split_at",
    "split_at_mut",
    "split_first",
    "split_first_mut",
    "split_last",
    "split_last_mut",
    "contains",
    "fill",
    "fill_with",
    "copy_from_slice",
    "clone_from_slice",
    "copy_within",
    "reverse",
    "rotate_left",
    "rotate_right",
    "sort",
    "sort_unstable",
    "binary_search",
    "starts_with",
    "ends_with",
    "concat",
    "as_slice",
    "as_mut_slice",
    "as_ref",
    "as_ptr",
];

/// The replacement for a method of an atomic type; these methods take an `Ordering`.
fn of_atomics(m: &syn::ExprMethodCall) -> Option<String> {
    const ORDERINGS: &[&str] = &["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];
    let ordering = |e: &syn::Expr| match e {
        syn::Expr::Path(p) => p.path.segments.last().is_some_and(|s| ORDERINGS.iter().any(|o| s.ident == o)),
        _ => false,
    };
    if !m.args.iter().any(ordering) {
        return None;
    }
    let place = as_written(&unmarked(&m.receiver));
    let value =
        m.args.first().filter(|e| !ordering(e)).map_or_else(String::new, |e| as_written(&unmarked(e)));
    let update = |op: &str| format!("`#[omp::atomic] {place} {op}= {value};`");
    let method = |name: &str| format!("`#[omp::atomic] {place} = {place}.{name}({value});`");
    Some(match m.method.to_string().as_str() {
        "fetch_add" => update("+"),
        "fetch_sub" => update("-"),
        "fetch_and" => update("&"),
        "fetch_or" => update("|"),
        "fetch_xor" => update("^"),
        "fetch_max" => method("max"),
        "fetch_min" => method("min"),
        "load" => format!("`#[omp::atomic(read)] let v = {place};`"),
        "store" => format!("`#[omp::atomic(write)] {place} = {value};`"),
        "swap" => format!("`#[omp::atomic(capture)] {{ old = {place}; {place} = {value}; }}`"),
        "fetch_nand" | "fetch_update" | "compare_exchange" | "compare_exchange_weak" => {
            format!(
                "`#[omp::atomic]` on an update of `{place}` by an operator, `min` or `max`, or `#[omp::atomic(compare)]` on a comparison and its store"
            )
        }
        _ => return None,
    })
}

impl Lower {
    /// Reports what std has and no device can do.
    pub(super) fn refuse_method(&mut self, m: &syn::ExprMethodCall) -> Flow {
        let (name, span) = (m.method.to_string(), m.method.span());
        let allocates = GROWING.contains(&name.as_str()) || ALLOCATING.contains(&name.as_str());
        if allocates && (!self.is_of_body(&m.receiver) || self.is_surely_array(&m.receiver)) {
            let help = if matches!(name.as_str(), "push" | "extend") {
                "use a fixed array `[T; N]`, or an array that is made before the loop: each iteration stores to its own element; what passes a test is kept in order by a counter: `if c { kept[n] = v; n += 1; }`"
            } else {
                "use a fixed array `[T; N]`, or an array that is made before the loop"
            };
            self.error(
                DiagCode::HeapAllocation,
                span,
                format!("`.{name}()` works on heap memory, as of a `Vec` or `String`: a device has none"),
                help,
            );
            return None;
        }
        if GIVE_ITERATORS.contains(&name.as_str()) {
            let message = format!("`.{name}()` is no value on a device");
            let help =
                "iterators are used in a `for`: `for v in x.iter()`, `for (i, v) in x.iter().enumerate()`";
            self.error(DiagCode::UnsupportedExpr, span, message, help);
            return None;
        }
        if let Some(instead) = of_atomics(m) {
            self.error(
                DiagCode::HostCall,
                span,
                format!("`.{name}()` of an atomic type can't be called on a device"),
                format!("keep plain numbers, as in a `&mut [u32]`, and write {instead}"),
            );
            return None;
        }
        if OF_SLICES.contains(&name.as_str()) && self.is_surely_array(&m.receiver) {
            let help = match name.as_str() {
                "concat" | "as_slice" | "as_mut_slice" | "as_ref" | "as_ptr" => None,
                _ if name.starts_with("split") => Some(
                    "bind its parts in a `let` of their own, or write them: `&x[..n]`, `&x[n..]`".to_owned(),
                ),
                "get" | "get_mut" | "first" | "first_mut" | "last" | "last_mut" => Some(format!(
                    "take the element by a pattern, `if let Some(v) = x.{name}(…)` or `let Some(v) = x.{name}(…) else {{ … }};`, or write its subscript"
                )),
                _ => Some(format!("call it on a part of an array under a name: `x[..].{name}(…)`")),
            };
            let form = if help.is_some() { " in this form" } else { "" };
            let message = format!("`.{name}()` of an array is not on devices{form}");
            let help = help.unwrap_or_else(|| {
                "arrays have subscripts, parts `&x[a..b]`, `len`, `is_empty`, `swap`, and can be used in a `for`: write it with those".to_owned()
            });
            self.error(DiagCode::HostCall, span, message, help);
            return None;
        }
        Some(())
    }

    /// `T::try_from(x)` of a number, where no earlier phase has written it out: by a path in a body of a macro, say.
    pub(super) fn fallible(&mut self, name: &Ident) -> Flow {
        if name != "try_from" && name != "try_into" {
            return Some(());
        }
        self.error(
            DiagCode::HostCall,
            name.span(),
            format!("`{name}` is taken for std's, which gives a `Result`: a device does not have it"),
            "cast with `as`, and `assert!` that the value fits if it may not; give a device function of yours another name",
        );
        None
    }

    /// An array or slice, by its declaration or by what else the body does with it.
    pub(super) fn is_surely_array(&self, e: &syn::Expr) -> bool {
        let e = strip(e);
        match e {
            syn::Expr::Reference(r) => return self.is_surely_array(&r.expr),
            syn::Expr::Index(x) if matches!(strip(&x.index), syn::Expr::Range(_)) => return true,
            _ => {}
        }
        let local = match e {
            syn::Expr::Path(p) => p.path.get_ident().and_then(|i| self.lookup(&i.to_string())),
            _ => None,
        };
        match local {
            Some(Name::Local(l)) => self.is_array_local(*l),
            Some(Name::Alias(_) | Name::Const(_)) => false,
            None => self.is_outside(e) && self.is_captured_array(e),
        }
    }

    /// A variable of the body, a part of one, or an element: none of them owns heap memory.
    fn is_of_body(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Path(p) => p.path.get_ident().is_some_and(|i| self.lookup(&i.to_string()).is_some()),
            syn::Expr::Field(f) => self.is_of_body(&f.base),
            syn::Expr::Reference(r) => self.is_of_body(&r.expr),
            syn::Expr::Unary(u) => self.is_of_body(&u.expr),
            // A device function returns no value that owns memory.
            syn::Expr::Index(_) | syn::Expr::Call(_) | syn::Expr::Struct(_) => true,
            _ => false,
        }
    }

    /// The text of an expression whose type is the same wherever it stands and whatever its subscripts: a variable, its fields and elements.
    pub(super) fn called_on(&self, receiver: &syn::Expr) -> Option<String> {
        Some(match strip(receiver) {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                match self.lookup(&name) {
                    // Another variable may have its name.
                    Some(Name::Local(local)) => format!("{}", local.index()),
                    Some(Name::Const(_) | Name::Alias(_)) => return None,
                    None => name,
                }
            }
            syn::Expr::Field(f) => format!("{}.{}", self.called_on(&f.base)?, f.member.to_token_stream()),
            syn::Expr::Index(x) if !matches!(strip(&x.index), syn::Expr::Range(_)) => {
                format!("{}[]", self.called_on(&x.expr)?)
            }
            _ => return None,
        })
    }

    /// The stand-in for the hidden method of this name if no method is declared: one error, at its name. Method lookup finds it last, as
    /// it alone takes `&mut self`. `imported`: it is in scope at these calls only, as by a path it would rank as a trait's declared one.
    pub(in crate::lower) fn undeclared(&mut self, name: &str, args: usize, imported: bool) {
        if !self.fallback_methods.insert((name.to_owned(), args)) {
            return;
        }
        let plain = name.trim_start_matches("r#");
        let method = hidden_name(&Ident::new(plain, proc_macro2::Span::call_site()), args + 1);
        let [of, named] = ["Method", "NameOfMethod"].map(|n| {
            quote::format_ident!("{n}_{plain}_{args}", span = hidden(proc_macro2::Span::call_site()))
        });
        // Numbers whose own method it is with more or fewer arguments: these are wrong, as rustc says.
        let others: Vec<usize> = (1..=MOST_OF_BUILT_IN).filter(|n| *n != args + 1).collect();
        let [float, signed, unsigned] = [Prim::F32, Prim::I32, Prim::U32]
            .map(|prim| others.iter().any(|n| super::number_trait(prim, plain, *n).is_some()));
        let of_numbers = |name: TokenStream| match float || signed || unsigned {
            true => quote!(::omp::__private::AlsoOfNumbers<#name, #float, #signed, #unsigned>),
            false => name,
        };
        let types: Vec<_> = if super::probe::takes_each(name, args + 1) {
            (0..args).map(|k| quote::format_ident!("A{k}")).collect()
        } else {
            Vec::new()
        };
        let tuple = (!super::probe::takes_each(name, args + 1)).then(|| quote!(_: (),));
        let named_so = name_of(&named, name);
        let head = |method_name: &TokenStream| {
            quote! {
                fn #method<#(#types,)* R>(
                    &mut self,
                    #(_: #types,)*
                    #tuple
                    _: &::omp::__private::Call<::omp::__private::Undeclared<#method_name, Self>>,
                ) -> R {
                    ::omp::__private::core::unreachable!()
                }
            }
        };
        let fallback = if imported {
            let module = undeclared_module(name, args);
            let method = head(&of_numbers(quote!(<N as ::omp::__private::MethodName>::Name)));
            quote! {
                #named_so
                mod #module {
                    pub trait Undeclared<N: ::omp::__private::MethodName> {
                        #method
                    }
                }
                impl<T: ::omp::__private::MayHaveMethods + ?::omp::__private::core::marker::Sized> #module::Undeclared<#named> for T {}
            }
        } else {
            let method = head(&of_numbers(quote!(<#named as ::omp::__private::MethodName>::Name)));
            quote! {
                #named_so
                trait #of {
                    #method
                }
                impl<T: ::omp::__private::MayHaveMethods + ?::omp::__private::core::marker::Sized> #of for T {}
            }
        };
        self.typing.fallbacks.insert((name.to_owned(), args), fallback);
    }

    /// A call on what may be a `&mut`, without the host's own before it: of it the hidden method would be found first, before one that
    /// takes `&self`.
    pub(in crate::lower) fn called_exclusively(&mut self, name: &str, args: usize) {
        let method = (name.to_owned(), args);
        self.typing.fallbacks.remove(&method);
        self.fallback_methods.insert(method);
    }

    /// The meaning of an undeclared `Type::name`: a function that no type has, so that rustc says why not
    /// instead of telling hidden names.
    pub(super) fn undeclared_by_path(&mut self, name: &str) {
        // No method has so many arguments.
        if !self.fallback_methods.insert((name.to_owned(), usize::MAX)) {
            return;
        }
        let plain = name.trim_start_matches("r#");
        let function = Ident::new(&format!("{PREFIX}{plain}"), proc_macro2::Span::call_site());
        let [of, named] = ["Function", "NameOfFunction"]
            .map(|n| quote::format_ident!("{n}_{plain}", span = hidden(proc_macro2::Span::call_site())));
        let named_so = name_of(&named, name);
        let fallback = quote! {
            #named_so
            trait #of {
                fn #function() {}
            }
            impl<T: ::omp::__private::DeclaredMethod<<#named as ::omp::__private::MethodName>::Name>> #of for T {}
        };
        self.typing.fallbacks.insert((name.to_owned(), usize::MAX), fallback);
    }
}

/// The module of the stand-in for an undeclared method.
pub(super) fn undeclared_module(name: &str, args: usize) -> Ident {
    let plain = name.trim_start_matches("r#");
    quote::format_ident!("__omp_undeclared_{plain}_{args}", span = hidden(proc_macro2::Span::call_site()))
}

/// The type that stands for the name of a method: the message has the name of a type, as attributes of tools are not in sight
/// under `no_implicit_prelude`.
fn name_of(named: &Ident, name: &str) -> TokenStream {
    let shown = match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, proc_macro2::Span::call_site()),
        None => Ident::new(name, proc_macro2::Span::call_site()),
    };
    quote! {
        enum #named {}
        const _: () = {
            enum #shown {}
            impl ::omp::__private::MethodName for #named {
                type Name = #shown;
            }
        };
    }
}
