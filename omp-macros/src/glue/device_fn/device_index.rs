//! `#[omp::declare_target]` on an `impl` of `Index` or `IndexMut` for a struct with `#[derive(omp::Mapper)]`.
//!
//! The body ends in `&self.array[subscript]`. It becomes a device function that computes the subscript from the
//! struct's numbers, and a host function that returns the array. `iterate/names/subscripts.rs` rewrites `m[(i, j)]` to their
//! composition.
use super::markers::without_self;
use crate::diag::{Code, Sink};
use crate::glue::derive::mapper::values_path;
use crate::glue::{bound_by_device, lints_off};
use crate::parse::functions::functions;
use crate::parse::tokens::leaves::put;
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::search;
use crate::sema::syntax::types;
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, FnArg, ImplItemFn, ItemImpl, Path, Stmt, Type};

/// Whether a path names `Index` (`false`) or `IndexMut` (`true`) by a tuple or a fixed array.
pub(super) fn of_path(path: &Path) -> Option<bool> {
    let last = path.segments.last()?;
    if !matches!(subscript_type(path)?, Type::Tuple(_) | Type::Array(_)) {
        return None;
    }
    match last.ident.to_string().as_str() {
        "Index" => Some(false),
        "IndexMut" => Some(true),
        _ => None,
    }
}

/// Expands such an `impl`.
pub(in crate::glue) fn expand(item: &ItemImpl, path: &Path, mutable: bool, sink: &mut Sink) -> TokenStream {
    match parts(item, path, sink) {
        Some(parts) => {
            let made = parts.expand(item, mutable);
            code!(#item #made)
        }
        None => item.to_token_stream(),
    }
}

/// The parts of the method's body.
struct Parts {
    /// The type of the subscript.
    index: Type,
    /// The parameter's pattern.
    pat: TokenStream,
    /// The statements before the result.
    before: Vec<Stmt>,
    /// `self.data`
    array: Expr,
    /// The expression in the brackets.
    subscript: Expr,
}

/// `I` of `Index<I>`.
fn subscript_type(path: &Path) -> Option<&Type> {
    types::argument(path.segments.last()?)
}

fn parts(item: &ItemImpl, path: &Path, sink: &mut Sink) -> Option<Parts> {
    let method = functions(item).next()?;
    let index = subscript_type(path)?.clone();
    let FnArg::Typed(arg) = method.sig.inputs.get(1)? else { return None };
    let mut before = method.block.stmts.clone();
    let result = before.pop();
    let element = match &result {
        Some(Stmt::Expr(e, None)) => element(e),
        _ => None,
    };
    let Some((array, subscript)) = element else {
        refuse(method, result.as_ref(), sink);
        return None;
    };
    if let Some(call) = use_of_self(&before[..]).or_else(|| use_of_self(&subscript)) {
        let text = as_written(call);
        sink.error_at(Code::DeclareTargetItem, call, format!("`{text}` in a declared `Index`: a device has the numbers of `self`, and no methods of the whole"))
            .help("write the formula in its place, or call a `#[omp::declare_target] fn` of the numbers: `idx(i, j, self.cols)`");
        return None;
    }
    Some(Parts { index, pat: arg.pat.to_token_stream(), before, array, subscript })
}

fn refuse(method: &ImplItemFn, result: Option<&Stmt>, sink: &mut Sink) {
    let span = result.map_or(method.sig.ident.span(), Spanned::span);
    sink.error(
        Code::DeclareTargetItem,
        span,
        "the result of a declared `Index` is an element of one of the struct's arrays",
    )
    .help("end the method with `&self.data[i * self.cols + j]`, for whatever array and subscript: other statements stand before it");
}

/// `&self.data[i]`, `&mut self.data[i]`: the array and the subscript.
fn element(e: &Expr) -> Option<(Expr, Expr)> {
    match strip(e) {
        Expr::Reference(r) => match &*r.expr {
            Expr::Index(x) if is_field(&x.expr) && !matches!(&*x.index, Expr::Range(_)) => {
                Some(((*x.expr).clone(), (*x.index).clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `self.a.b`
fn is_field(e: &Expr) -> bool {
    match e {
        Expr::Field(f) => is_field(&f.base) || is_self(&f.base),
        _ => false,
    }
}

/// The first use of `self` that is no field of it.
fn use_of_self(code: &(impl search::Code + ?Sized)) -> Option<&Expr> {
    let mut found = None;
    visits::walk(code, |node| {
        let Node::Expr(e) = node else { return true };
        match e {
            Expr::Field(f) if is_self(&f.base) => return false,
            Expr::MethodCall(m) if is_self(&m.receiver) => {}
            e if is_self(e) => {}
            _ => return true,
        }
        found.get_or_insert(e);
        false
    });
    found
}

fn is_self(e: &Expr) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident("self"))
}

impl Parts {
    fn expand(&self, item: &ItemImpl, mutable: bool) -> TokenStream {
        let Self { index, pat, before, array, subscript } = self;
        let (self_ty, allow) = (&item.self_ty, lints_off());
        let values = values_path(self_ty);
        let mut generics = item.generics.clone();
        bound_by_device(&mut generics);
        let (ig, _, wh) = generics.split_for_impl();
        let at = Span::mixed_site().located_at(subscript.span());
        let of_values = |tokens: TokenStream| without_self(tokens, self_ty);
        let before: TokenStream = before.iter().map(|s| of_values(s.to_token_stream())).collect();
        let subscript = of_values(subscript.to_token_stream());
        let (trait_, position) = if mutable {
            (code!(SubscriptMut), Ident::new("__omp_position_mut", at))
        } else {
            (code!(Subscript), Ident::new("__omp_position", at))
        };
        let named = as_written(array);
        let elements = if mutable {
            code! {
                unsafe impl #ig ::omp::__private::ElementsMut<#index> for #self_ty #wh {
                    const ARRAY_MUT: &'static ::omp::__private::core::primitive::str = #named;
                    fn elements_mut(&mut self) -> &mut [Self::Elem] {
                        if false { ::omp::__private::pin(&#array); }
                        &mut #array[..]
                    }
                }
            }
        } else {
            code! {
                unsafe impl #ig ::omp::__private::Elements<#index> for #self_ty #wh {
                    const ARRAY: &'static ::omp::__private::core::primitive::str = #named;
                    type Elem = <Self as ::omp::__private::core::ops::Index<#index>>::Output;
                    fn elements(&self) -> &[Self::Elem] {
                        if false { ::omp::__private::pin(&#array); }
                        &#array[..]
                    }
                }
            }
        };
        // `self` is the user's token, in the method's head as in its body.
        let this = quote_spanned!(self.this()=> self);
        let elements = put(elements, &|name| (name == "self").then(|| this.clone()));
        let head = quote_spanned!(at=> fn #position(#this, #pat: #index) -> ::omp::__private::core::primitive::usize);
        code! {
            #allow
            const _: () = {
                #elements
                #[::omp::declare_target]
                impl #ig ::omp::__subscripts::#trait_<#index> for #values #wh {
                    #head { #before #subscript }
                }
            };
        }
    }

    /// The span of the user's `self`.
    fn this(&self) -> Span {
        fn root(e: &Expr) -> Span {
            match e {
                Expr::Field(f) => root(&f.base),
                e => e.span(),
            }
        }
        root(&self.array)
    }
}
