//! Attribute macros below a directive's: they run first, or are refused.
//!
//! Attribute macros run from the top. A macro below `offload` would receive the expanded function and could change it: make a host
//! loop that differs from the kernel, make the function `async`, so that a caller forgets the future with the guards of its
//! tasks, or use the guards by their names. So our attribute moves below all attributes of its item that may be macros, and sees
//! the item as they leave it. An item with such attributes inside an offloaded `impl` or `mod` gets an `offload` of its own, below
//! them. Methods for devices may have only rustc's own attributes. A user's macro can't have the name of one of these: rustc
//! reports that the name is ambiguous.
//!
//! Bodies of other functions are read from the source (inlined bodies, and bodies for the race analysis) only if no such macro
//! changes the function.
use crate::diag::{Code, Sink};
use crate::expand::returns_result;
use crate::parse::attributes::is_builtin;
use crate::parse::directive;
use crate::parse::tokens::source::as_written;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, Item, Meta, Signature, Token, TraitItem};

/// Names in front of attributes that tools read: rustc looks for a module of the name first.
const TOOLS: &[&str] = &["clippy", "diagnostic", "rustfmt"];

/// An attribute that may be another crate's macro.
struct Foreign {
    name: String,
    span: Span,
}

/// How often ours moves below other attributes. All that are macros have run by then. rustc leaves what it can't find where it is,
/// and reports it after all other macros.
const MOVES: usize = 8;

/// The first argument of ours that has moved: how often.
const MOVED: &str = "__moved_below";

/// The item with our attribute, `#[::omp::path(args)]`, below all of its attributes that may be macros, if there are such. If it
/// has moved there before, that is taken off `args`.
pub fn in_turn(path: &[&str], args: &mut TokenStream, item: &TokenStream) -> Option<TokenStream> {
    let moves = moves(args);
    let parts = |input: syn::parse::ParseStream| {
        Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
    };
    let (attrs, rest) = parts.parse2(item.clone()).ok()?;
    if !may_change(&attrs) || syn::parse2::<Item>(item.clone()).is_err() {
        return None;
    }
    if moves == MOVES {
        return Some(left_alone(&attrs, item));
    }
    let path = path.iter().map(|name| Ident::new(name, Span::call_site()));
    let moved = Ident::new(MOVED, Span::call_site());
    let moves = Literal::usize_unsuffixed(moves + 1);
    Some(quote!(#(#attrs)* #[::omp #(::#path)* (#moved #moves #args)] #rest))
}

/// Takes off how often ours has moved.
fn moves(args: &mut TokenStream) -> usize {
    let read = |input: syn::parse::ParseStream| {
        let moved: Ident = input.parse()?;
        let moves = input.parse::<syn::LitInt>()?.base10_parse::<usize>()?;
        Ok((moved, moves, input.parse::<TokenStream>()?))
    };
    match read.parse2(args.clone()) {
        Ok((moved, moves, rest)) if moved == MOVED => {
            *args = rest;
            moves
        }
        _ => 0,
    }
}

/// The serial form of an item with an attribute that nothing expands. rustc reports an attribute that it doesn't find. For others,
/// which it knows, a const in the functions fails, so that nothing runs on the host silently: rustc evaluates it only if it has
/// found nothing wrong, as it is that of a generic function.
fn left_alone(attrs: &[Attribute], item: &TokenStream) -> TokenStream {
    let names: Vec<String> = foreign(attrs).map(|Foreign { name, .. }| format!("`#[{name}]`")).collect();
    let text = format!(
        "{} stays on the item and may change it: put it on another function [omp::E{:04}]",
        names.join(", "),
        Code::OffloadItem.number()
    );
    let item = crate::expand::without_directives(item.clone());
    let Ok(mut item) = syn::parse2::<Item>(item.clone()) else { return item };
    let fails = syn::parse_quote!({
        const fn stays<T>() {
            const { ::omp::__private::core::panic!(#text) }
        }
        stays::<()>();
    });
    Failing(fails).visit_item_mut(&mut item);
    item.into_token_stream()
}

/// Puts a statement at the start of functions.
struct Failing(syn::Stmt);

impl VisitMut for Failing {
    fn visit_item_fn_mut(&mut self, f: &mut syn::ItemFn) {
        f.block.stmts.insert(0, self.0.clone());
    }

    fn visit_impl_item_fn_mut(&mut self, f: &mut syn::ImplItemFn) {
        f.block.stmts.insert(0, self.0.clone());
    }

    fn visit_trait_item_fn_mut(&mut self, f: &mut syn::TraitItemFn) {
        if let Some(block) = &mut f.default {
            block.stmts.insert(0, self.0.clone());
        }
    }
}

/// Whether some attributes of a function may be other crates' macros, which may change its tokens.
pub fn may_change(attrs: &[Attribute]) -> bool {
    foreign(attrs).next().is_some()
}

fn foreign(attrs: &[Attribute]) -> impl Iterator<Item = Foreign> {
    attrs
        .iter()
        .filter(|a| is_foreign(a))
        .map(|a| Foreign { name: as_written(&a.path().to_token_stream()), span: a.span() })
}

fn is_foreign(attr: &Attribute) -> bool {
    !is_of_tool(attr) && !is_own(&attr.meta) && !is_ours(attr)
}

fn is_ours(attr: &Attribute) -> bool {
    let first = attr.path().segments.first();
    first.is_some_and(|s| s.ident == "omp" || s.ident == "acc") || directive::family(attr.path()).is_some()
}

/// Gives an item inside an offloaded one an `offload` of its own, below the attributes that may be macros. Whether there are
/// such: then nothing else is to be done with the item. The functions of a trait get one each, as a trait can't have it.
pub fn by_itself(item: &mut Item, try_: bool) -> bool {
    match item {
        Item::Fn(f) => of_function(&mut f.attrs, &f.sig, try_),
        Item::Impl(i) => add(&mut i.attrs, try_),
        Item::Mod(m) => add(&mut m.attrs, try_),
        Item::Trait(t) if may_change(&t.attrs) => {
            for item in &mut t.items {
                if let TraitItem::Fn(f) = item
                    && f.default.is_some()
                {
                    put(&mut f.attrs, try_ && returns_result(&f.sig));
                }
            }
            true
        }
        _ => false,
    }
}

/// The same for a function or method. Declared ones are expanded by their own attribute.
pub fn of_function(attrs: &mut Vec<Attribute>, sig: &Signature, try_: bool) -> bool {
    if may_change(attrs) && attrs.iter().any(crate::expand::is_declare_target) {
        return true;
    }
    add(attrs, try_ && returns_result(sig))
}

fn add(attrs: &mut Vec<Attribute>, try_: bool) -> bool {
    let changed = may_change(attrs);
    if changed {
        put(attrs, try_);
    }
    changed
}

/// Ours follow it: they are its own to read.
fn put(attrs: &mut Vec<Attribute>, try_: bool) {
    let (ours, others): (Vec<_>, Vec<_>) = std::mem::take(attrs).into_iter().partition(is_ours);
    attrs.extend(others);
    let try_ = try_.then(|| quote!((try)));
    attrs.push(syn::parse_quote!(#[::omp::offload #try_]));
    attrs.extend(ours);
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
                TraitItem::Fn(f) => Some(f.attrs),
                _ => None,
            })
            .collect(),
        _ => return,
    };
    for Foreign { name, span } in attrs.iter().flat_map(|attrs| foreign(attrs)) {
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

/// Reports what may not be in a body with tasks.
pub fn check(body: &mut Block, sink: &mut Sink) {
    Tools.visit_block_mut(body);
    Find { sink }.visit_block(body);
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
        if !directive::is_ours(a) && !is_own(&a.meta) {
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
            // An `await` in these suspends another function.
            Expr::Async(_) => return,
            Expr::Closure(c) if c.asyncness.is_some() => return,
            Expr::Await(a) => Some((a.await_token.span, ".await")),
            Expr::Yield(y) => Some((y.yield_token.span, "yield")),
            _ => None,
        };
        if let Some((span, what)) = what {
            self.sink
                .error(Code::OffloadItem, span, format!("`{what}` in a function with tasks"))
                .note(None, "a suspended function may be dropped, and then its tasks would outlive the data that they use")
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
        let moved_below = |path: &[&str], mut args: TokenStream, item: TokenStream| {
            in_turn(path, &mut args, &item).map(|tokens| tokens.to_string())
        };
        let f = quote!(
            fn f() {}
        );
        let below = moved_below(&["offload"], quote!(try), quote!(#[inline] #[changes::all] #f));
        let then = quote!(#[inline] #[changes::all] #[::omp::offload(__moved_below 1 try)] #f);
        assert_eq!(below, Some(then.to_string()));
        let below = moved_below(&["acc", "routine"], quote!(), quote!(#[cfg_attr(all(), changes)] #f));
        assert_eq!(
            below,
            Some(quote!(#[cfg_attr(all(), changes)] #[::omp::acc::routine(__moved_below 1)] #f).to_string())
        );
        // rustc's, ours, and what tools read.
        for attr in [
            quote!(#[inline]),
            quote!(#[doc = "text"]),
            quote!(#[rustfmt::skip]),
            quote!(#[cfg_attr(all(), must_use)]),
            quote!(#[omp::declare_target]),
            quote!(#[acc::routine(seq)]),
        ] {
            assert_eq!(moved_below(&["offload"], quote!(), quote!(#attr #f)), None, "{attr}");
        }
    }

    /// Items inside an offloaded one are left to an `offload` of their own, below attributes that may be macros.
    #[test]
    fn others_come_first_inside() {
        let region = quote!({
            #[omp::target]
            for i in 0..y.len() {
                y[i] = 1;
            }
        });
        let expanded = |item: TokenStream| crate::expand::offload(TokenStream::new(), item).to_string();
        let holds = |item: TokenStream, part: TokenStream| {
            let expanded = expanded(item);
            assert!(expanded.contains(&part.to_string()), "{expanded}");
        };
        let f = quote!(fn f(y: &mut [u8]) #region);
        holds(quote!(mod m { #[changes] #[inline] #f }), quote!(#[changes] #[inline] #[::omp::offload] #f));
        holds(
            quote!(impl S { #[inline] #[a::changes(3)] #f }),
            quote!(#[inline] #[a::changes(3)] #[::omp::offload] #f),
        );
        holds(quote!(mod m { #[changes] impl S { #f } }), quote!(#[changes] #[::omp::offload] impl S { #f }));
        holds(quote!(mod m { #[changes] mod n { #f } }), quote!(#[changes] #[::omp::offload] mod n { #f }));
        holds(
            quote!(mod m { #[changes] trait T { #f } }),
            quote!(#[changes] trait T { #[::omp::offload] #f }),
        );
        holds(quote!(mod m { trait T { #[changes] #f } }), quote!(#[changes] #[::omp::offload] #f));
        holds(quote!(fn g() { #[changes] #f }), quote!(#[changes] #[::omp::offload] #f));
        let short = quote!(
            fn f(y: &mut [u8]) {
                for i in 0..4 {
                    y[i] = 1;
                }
            }
        );
        holds(
            quote!(mod m { #[omp::target] #[changes] #short }),
            quote!(#[changes] #[::omp::offload] #[omp::target] #short),
        );
        let helper = quote!(
            fn f(i: usize) -> usize {
                i
            }
        );
        holds(
            quote!(mod m { #[omp::declare_target] #[changes] #helper }),
            quote!(#[omp::declare_target] #[changes] #helper),
        );
        // rustc's, and what tools read.
        for attr in [quote!(#[inline]), quote!(#[rustfmt::skip])] {
            assert!(!expanded(quote!(mod m { #attr #f })).contains(":: omp :: offload"));
        }
    }

    /// `offload(try)` goes to functions that return a `Result`.
    #[test]
    fn failures_leave_through_results() {
        let expanded = |result: TokenStream| {
            crate::expand::offload(quote!(try), quote!(mod m { #[changes] fn f() #result {} })).to_string()
        };
        let with = quote!(#[::omp::offload(try)]).to_string();
        assert!(expanded(quote!(-> std::io::Result<()>)).contains(&with));
        assert!(!expanded(quote!(-> Vec<u8>)).contains(&with));
        assert!(!expanded(quote!()).contains(&with));
    }

    /// Other items read nothing of a function that a macro may change.
    #[test]
    fn nobody_reads_what_may_change() {
        let calls = |attr: TokenStream| {
            let module = quote!(
                mod m {
                    #attr
                    #[omp::declare_target]
                    fn at(i: usize) -> usize { i / 2 }
                    fn f(y: &mut [u8]) {
                        #[omp::target]
                        for i in 0..8 {
                            y[at(i)] = 1;
                        }
                    }
                }
            );
            crate::expand::offload(TokenStream::new(), module).to_string()
        };
        assert!(calls(quote!(#[inline])).contains("race: different iterations"));
        assert!(!calls(quote!(#[changes])).contains("compile_error"));
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
