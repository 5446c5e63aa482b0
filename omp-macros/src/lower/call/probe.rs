//! Receivers of method calls in the typing copy: rustc shows their types, and by these the runtime knows whether the
//! host calls another method than the copy (`typing/call/probe.rs` of the runtime).
use crate::lower::Probe;
use crate::lower::cx::{Lower, hidden};
use crate::lower::expr::literal::is_untyped;
use crate::lower::expr::place::strip_parens;
use crate::lower::expr::wrapped;
use crate::lower::generated_names::Made;
use omp_ir::method::Method;
use proc_macro2::Ident;
use quote::{quote, quote_spanned};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

/// The host's own call of a method, in the copy.
pub(super) struct Hosts {
    call: syn::ExprMethodCall,
    /// What catches the type of its result.
    pub result: Ident,
    /// Nothing is done with its result.
    statement: bool,
    /// The type of the result does not depend on what is done with it.
    sure: bool,
    /// The receiver is captured, and its type may be one of the host's.
    captured: bool,
}

/// An argument as the user has written it.
pub(super) enum Written {
    /// A number, whose type is the parameter's.
    Literal(Box<syn::Expr>),
    /// What may stand in the copy twice.
    Twice,
    /// What calls something could do so at each depth, which would make a program of exponential size.
    Calls,
}

impl Written {
    pub(super) fn of(e: &syn::Expr) -> Self {
        if is_untyped(e) {
            Self::Literal(Box::new(e.clone()))
        } else if calls_nothing(e) {
            Self::Twice
        } else {
            Self::Calls
        }
    }
}

fn calls_nothing(e: &syn::Expr) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr(&mut self, e: &'ast syn::Expr) {
            self.0 |= !matches!(
                e,
                syn::Expr::Path(_)
                    | syn::Expr::Lit(_)
                    | syn::Expr::Field(_)
                    | syn::Expr::Index(_)
                    | syn::Expr::Paren(_)
                    | syn::Expr::Group(_)
                    | syn::Expr::Reference(_)
                    | syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. })
                    | syn::Expr::Range(_)
            );
            syn::visit::visit_expr(self, e);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(e);
    !calls.0
}

impl Lower {
    /// The call of the user's own method, whose errors are rustc's: the hidden method is looked for only if the host finds its
    /// method. `written`: its arguments. Not where a part of the call may stand in the copy only once, and not for the names of
    /// operators, whose results depend on what the arguments become.
    pub(super) fn hosts_method(
        &mut self,
        m: &syn::ExprMethodCall,
        method: &Ident,
        written: &[Written],
        statement: bool,
        sure: bool,
        captured: bool,
    ) -> Option<Hosts> {
        let operator = super::operator_by_name(&method.to_string(), written.len()).is_some();
        if method == "into" || operator || written.iter().any(|w| matches!(w, Written::Calls)) {
            return None;
        }
        let mut call = m.clone();
        call.method = method.clone();
        call.args.pop();
        for (own, written) in call.args.iter_mut().zip(written) {
            if let Written::Literal(literal) = written {
                *own = (**literal).clone();
            }
        }
        let span = hidden(method.span());
        let result = self.fresh(Made::Caught, span);
        self.typing.decls.extend(quote_spanned!(span=> let #result = &::omp::__private::Receiver::new();));
        let sure = statement || sure || Method::is_name(&method.to_string(), call.args.len() + 1);
        Some(Hosts { call, result, statement, sure, captured })
    }

    /// Has the receiver of a call seen: the host may find another method than the copy (`typing/call/probe.rs` of the runtime).
    pub(in crate::lower) fn probe(
        &mut self,
        e: &mut syn::Expr,
        place: bool,
        method: &Ident,
        args: usize,
        call: &Ident,
    ) {
        self.probe_found(e, place, method, args, call, None);
    }

    /// The same, where the host's own call stands before the hidden one.
    pub(super) fn probe_found(
        &mut self,
        e: &mut syn::Expr,
        place: bool,
        method: &Ident,
        args: usize,
        call: &Ident,
        hosts: Option<Hosts>,
    ) {
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        // Of conversions references have as many as values: where there is one more, the host can't tell either.
        if method == "into" {
            return;
        }
        let n = self.typing.probes.len();
        let span = hidden(method.span());
        let receiver = Made::Receiver.name(n, span);
        self.typing.decls.extend(quote_spanned!(span=> let #receiver = &::omp::__private::Receiver::new();));
        let made = if place {
            let mut place = (*m.receiver).clone();
            AnyElement(&receiver).visit_expr_mut(&mut place);
            quote_spanned!(span=> #receiver.see(&#place);)
        } else {
            quote!()
        };
        let seen = match hosts {
            None if place => wrapped(quote_spanned!(span=> #made #m), span),
            None => {
                // A value, which is made once. (Not in a block: what the call borrows lives as long as in the user's own.)
                let value = std::mem::replace(&mut *m.receiver, syn::parse_quote!(_));
                let value = strip_parens(&value);
                *m.receiver = syn::Expr::Verbatim(quote_spanned!(span=> #receiver.pass(#value)));
                syn::Expr::MethodCall(m.clone())
            }
            Some(Hosts { call: mut own, result, statement, sure, captured }) => {
                let any = syn::Expr::Verbatim(quote_spanned!(span=> (*#receiver.place())));
                let value = std::mem::replace(&mut *m.receiver, any.clone());
                *own.receiver = any;
                let made = if sure || captured {
                    quote_spanned!(span=> #receiver.see(&#value);)
                } else {
                    *m.receiver = value;
                    made
                };
                if captured {
                    *m.receiver = syn::Expr::Verbatim(quote_spanned!(span=> (*(&&&#receiver).omp_place())));
                } else if sure {
                    *m.receiver = syn::Expr::Verbatim(quote_spanned!(span=> (*#receiver.place_if(#result))));
                }
                let value = Ident::new("__value", span);
                let m = if statement {
                    quote!(#m)
                } else {
                    quote_spanned!(span=> if false { #value } else { #m })
                };
                wrapped(quote_spanned!(span=> #made let #value = #own; #result.see(&#value); #m), span)
            }
        };
        *e = seen;
        let call = call.clone();
        self.typing.probes.push(Probe { receiver, call, method: method.clone(), args });
    }
}

/// Puts an index without a value for each that is more than a name or a number: which element it is is nothing to the
/// type, and an index that stands there twice at each depth makes a program of exponential size.
struct AnyElement<'a>(&'a Ident);

impl VisitMut for AnyElement<'_> {
    fn visit_expr_index_mut(&mut self, x: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut x.expr);
        let receiver = self.0;
        match strip_parens(&x.index) {
            syn::Expr::Path(_) | syn::Expr::Lit(_) => {}
            // Parts are of one type, whatever their bounds.
            syn::Expr::Range(_) => *x.index = syn::parse_quote_spanned!(receiver.span()=> ..),
            _ => *x.index = syn::Expr::Verbatim(quote_spanned!(receiver.span()=> #receiver.index())),
        }
    }
}
