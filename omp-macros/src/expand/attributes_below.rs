//! Attribute macros below ours: they come first, or are refused.
//!
//! Attribute macros run from the top. A macro below `offload` would receive the expanded function and could change it: make a host
//! loop that differs from the kernel, make the function `async`, so that a caller forgets the future with the guards of its
//! tasks, or use the guards by their names. So our attribute moves below all attributes of its item that may be macros, and sees
//! the item as they leave it. In an `impl` or `mod` that isn't possible: there, only rustc's own attributes are allowed on a
//! function with tasks, and on methods for devices. A user's macro can't have the name of one of these: rustc reports that the name
//! is ambiguous.
use crate::diag::{Code, Sink};
use crate::parse::attributes::{is_builtin, take_from};
use crate::parse::source::as_written;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, Item, Meta, Token};

/// Names in front of attributes that tools read: rustc looks for a module of the name first.
const TOOLS: &[&str] = &["clippy", "diagnostic", "rustfmt"];

/// An attribute that may be a macro of anybody's.
#[derive(Clone)]
pub struct Below {
    name: String,
    span: Span,
    /// It stands on the function itself.
    own: bool,
}

impl Below {
    /// For what is inside of the item.
    pub fn outside(&self) -> Self {
        Self { own: false, ..self.clone() }
    }
}

/// Those of an item; what only tools read is none.
pub fn of(attrs: &[Attribute], own: bool) -> impl Iterator<Item = Below> {
    let unknown = attrs.iter().filter(|a| !is_of_tool(a) && !is_own(&a.meta));
    unknown.map(move |a| Below { name: as_written(&a.path().to_token_stream()), span: a.span(), own })
}

/// The item with our attribute, `#[::omp::path(args)]`, below all of its attributes that may be macros, if there are such.
pub fn in_turn(path: &[&str], args: &TokenStream, item: &TokenStream) -> Option<TokenStream> {
    syn::parse2::<Item>(item.clone()).ok()?;
    let parts = |input: syn::parse::ParseStream| {
        Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
    };
    let (attrs, rest) = parts.parse2(item.clone()).ok()?;
    macros(&attrs).next()?;
    let path = path.iter().map(|name| proc_macro2::Ident::new(name, Span::call_site()));
    let args = (!args.is_empty()).then(|| quote!((#args)));
    Some(quote!(#(#attrs)* #[::omp #(::#path)* #args] #rest))
}

/// Those that may be macros of somebody else's.
fn macros(attrs: &[Attribute]) -> impl Iterator<Item = Below> {
    let ours = |a: &Attribute| {
        let first = a.path().segments.first();
        first.is_some_and(|s| s.ident == "omp" || s.ident == "acc")
            || !take_from(&mut vec![a.clone()]).is_empty()
    };
    let others: Vec<Attribute> = attrs.iter().filter(|a| !ours(a)).cloned().collect();
    of(&others, true).collect::<Vec<_>>().into_iter()
}

/// Reports what may change a method that a device has after its kernel's text was taken.
pub fn check_declared(item: &TokenStream, sink: &mut Sink) {
    let attrs: Vec<Vec<Attribute>> = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Impl(i)) => i
            .items
            .into_iter()
            .filter_map(|i| match i {
                syn::ImplItem::Fn(f) => Some(f.attrs),
                _ => None,
            })
            .collect(),
        Ok(Item::Trait(t)) => t
            .items
            .into_iter()
            .filter_map(|i| match i {
                syn::TraitItem::Fn(f) => Some(f.attrs),
                _ => None,
            })
            .collect(),
        _ => return,
    };
    for Below { name, span, .. } in attrs.iter().flat_map(|attrs| macros(attrs)) {
        sink.error(Code::DeviceSignature, span, format!("`#[{name}]` on a device method"))
            .note(
                None,
                "an attribute macro may make another method of it, and the device would have this one",
            )
            .help("put what is for the device into a method without it");
    }
}

fn is_own(meta: &Meta) -> bool {
    let path = meta.path();
    // `#[unsafe(no_mangle)]`, `#[cfg_attr(windows, inline)]`
    let inside = |skip: usize| {
        let Meta::List(list) = meta else { return false };
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        list.parse_args_with(parser).is_ok_and(|all| all.iter().skip(skip).all(is_own))
    };
    match path.get_ident() {
        Some(name) if name == "unsafe" => inside(0),
        Some(name) if name == "cfg_attr" => inside(1),
        Some(name) => is_builtin(&name.to_string()),
        None => false,
    }
}

fn is_of_tool(attr: &Attribute) -> bool {
    let path = attr.path();
    path.leading_colon.is_none()
        && path.segments.len() > 1
        && TOOLS.iter().any(|tool| path.segments[0].ident == tool)
}

/// Takes off what only tools read: they read the source.
pub fn without_tools(attrs: &mut Vec<Attribute>) {
    attrs.retain(|a| !is_of_tool(a));
}

/// Reports what may not be around tasks: these attributes, and those in the body.
pub fn check(below: &[Below], body: &mut Block, sink: &mut Sink) {
    Tools.visit_block_mut(body);
    let mut find = Find { sink };
    find.visit_block(body);
    for attr in below {
        report(attr, sink);
    }
}

fn report(attr: &Below, sink: &mut Sink) {
    let Below { name, span, own } = attr;
    let help = if *own {
        format!("put `#[{name}]` above `#[omp::offload]`: then it gets the function as it is written")
    } else {
        format!("put `#[omp::offload]` on the function alone, below `#[{name}]`")
    };
    sink.error(
        Code::OffloadItem,
        *span,
        format!(
            "`#[{name}]` below `offload` would receive the code that `offload` makes of a function with tasks"
        ),
    )
    .note(
        None,
        "an attribute macro may do anything with it, and tasks have to be waited for where the function ends",
    )
    .help(help);
}

/// Takes them off statements and expressions.
struct Tools;

impl VisitMut for Tools {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        without_tools(attrs);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Finds attributes in a body, and what suspends it.
struct Find<'s> {
    sink: &'s mut Sink,
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_attribute(&mut self, a: &'ast Attribute) {
        let ours = !take_from(&mut vec![a.clone()]).is_empty();
        if !ours && !is_own(&a.meta) {
            let name = as_written(&a.path().to_token_stream());
            self.sink
                .error(Code::OffloadItem, a.span(), format!("`#[{name}]` in a function with tasks"))
                .note(
                    None,
                    "an attribute macro may do anything with the code, also with the guards of the tasks",
                )
                .help("put what it is for into a function of its own and call that");
        }
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        let what = match e {
            // What is suspended there is not this function.
            Expr::Async(_) => return,
            Expr::Closure(c) if c.asyncness.is_some() => return,
            Expr::Await(a) => Some((a.await_token.span, ".await")),
            Expr::Yield(y) => Some((y.yield_token.span, "yield")),
            _ => None,
        };
        if let Some((span, what)) = what {
            self.sink
                .error(Code::OffloadItem, span, format!("`{what}` in a function with tasks"))
                .note(None, "a suspended function may be forgotten, and then nobody waits for its tasks")
                .help("put the tasks into a function of their own, which is not `async`, and call that");
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_come_first() {
        let turned = |path: &[&str], args: TokenStream, item: TokenStream| {
            in_turn(path, &args, &item).map(|tokens| tokens.to_string())
        };
        let f = quote!(
            fn f() {}
        );
        let below = turned(&["offload"], quote!(try), quote!(#[inline] #[changes::all] #f));
        let then = quote!(#[inline] #[changes::all] #[::omp::offload(try)] #f);
        assert_eq!(below, Some(then.to_string()));
        let below = turned(&["acc", "routine"], quote!(), quote!(#[cfg_attr(all(), changes)] #f));
        assert_eq!(below, Some(quote!(#[cfg_attr(all(), changes)] #[::omp::acc::routine] #f).to_string()));
        // rustc's, ours, and what tools read.
        for attr in [
            quote!(#[inline]),
            quote!(#[doc = "text"]),
            quote!(#[rustfmt::skip]),
            quote!(#[cfg_attr(all(), must_use)]),
            quote!(#[omp::declare_target]),
            quote!(#[acc::routine(seq)]),
        ] {
            assert_eq!(turned(&["offload"], quote!(), quote!(#attr #f)), None, "{attr}");
        }
    }

    #[test]
    fn nothing_changes_a_device_method() {
        let errors = |item: TokenStream| {
            let mut sink = Sink::new();
            check_declared(&item, &mut sink);
            sink.into_tokens().to_string().matches("on a device method").count()
        };
        assert_eq!(errors(quote!(impl S { #[changes] fn f(self) {} #[inline] fn g(self) {} })), 1);
        assert_eq!(
            errors(quote!(
                trait T {
                    #[changes::all]
                    fn f(self) {}
                    #[doc(hidden)]
                    fn g(self);
                }
            )),
            1
        );
        assert_eq!(
            errors(quote!(impl S { #[rustfmt::skip] fn f(self) {} #[omp::declare_target] fn g(self) {} })),
            0
        );
    }
}
