//! `c.then_some(v)` and `c.then(|| v)` of `bool` become an `if`. If a receiver of another type has methods of these
//! names, rustc reports that it is no `bool`.
use crate::lower::cx::hidden;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::jumps::Open;
use crate::visits;
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::visit::{self, Visit};

/// Rewrites them in a block.
pub(in crate::lower) fn whens(b: &mut syn::Block) {
    visits::change_into(b, |e| {
        if let Some(new) = meaning(e) {
            *e = new;
        }
        true
    });
}

fn meaning(e: &Expr) -> Option<Expr> {
    let (condition, method, arg) = match e {
        Expr::MethodCall(m) if m.turbofish.is_none() && m.args.len() == 1 => {
            (&*m.receiver, &m.method, &m.args[0])
        }
        // `bool::then_some(c, v)`
        Expr::Call(c) if c.args.len() == 2 => {
            let Expr::Path(p) = strip(&c.func) else { return None };
            let mut names = p.path.segments.iter().map(|s| &s.ident);
            let (Some(of), Some(name), None) = (names.next(), names.next(), names.next()) else {
                return None;
            };
            if of != "bool" || p.qself.is_some() {
                return None;
            }
            (&c.args[0], name, &c.args[1])
        }
        _ => return None,
    };
    if method != "then_some" && method != "then" {
        return None;
    }
    let arg = strip(arg);
    // The user's span: errors of a part are reported there, once.
    let (span, hygienic) = (method.span(), hidden(method.span()));
    let [when, value] = ["__when", "__value"].map(|name| Ident::new(name, hygienic));
    let some = quote_spanned!(hygienic=> ::omp::__private::core::option::Option::Some);
    let none = quote_spanned!(hygienic=> ::omp::__private::core::option::Option::None);
    let whole = match (arg, method == "then") {
        (Expr::Closure(c), true) => {
            if !c.inputs.is_empty() || c.asyncness.is_some() || leaves(&c.body) {
                return None;
            }
            let body = match &c.output {
                syn::ReturnType::Default => c.body.to_token_stream(),
                syn::ReturnType::Type(..) => return None,
            };
            quote_spanned!(span=> { let #when = #condition; if #when { #some(#body) } else { #none } })
        }
        (v, false) => quote_spanned!(span=> {
            let #when = #condition;
            let #value = #v;
            if #when { #some(#value) } else { #none }
        }),
        (_, true) => return None,
    };
    syn::parse2(whole).ok()
}

/// Whether a closure's body has `return`, `?` or another jump: inlined, it would leave the loop.
fn leaves(body: &Expr) -> bool {
    #[derive(Default)]
    struct Find {
        inside: Open,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.found |=
                matches!(e, Expr::Return(_) | Expr::Try(_) | Expr::Await(_)) || self.inside.is_left_by(e);
            let entered = self.inside.enter(e);
            visit::visit_expr(self, e);
            self.inside.leave(entered);
        }
    }
    let mut find = Find::default();
    find.visit_expr(body);
    find.found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_closure_may_do_is_no_condition() {
        let is_condition = |e: Expr| meaning(&e).is_some();
        assert!(is_condition(syn::parse_quote!(c.then(|| for k in 0..3 {
            if k == 1 {
                break;
            }
        }))));
        assert!(is_condition(syn::parse_quote!(c.then_some(x[i]))));
        assert!(!is_condition(syn::parse_quote!(c.then(|| continue))));
        assert!(!is_condition(syn::parse_quote!(c.then(|| loop {
            break 'a;
        }))));
        assert!(!is_condition(syn::parse_quote!(c.then(|| return))));
    }
}
