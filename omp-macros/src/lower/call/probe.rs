//! Receivers of method calls in the typing copy: rustc shows their types, and by these the runtime knows whether the
//! host calls another method than the copy (`typing/call/probe.rs` of the runtime).
use crate::lower::Probe;
use crate::lower::cx::{Lower, hidden};
use crate::lower::expr::place::strip_parens;
use crate::lower::expr::wrapped;
use crate::lower::generated_names::Made;
use proc_macro2::Ident;
use quote::quote_spanned;
use syn::visit_mut::VisitMut;

impl Lower {
    /// Has the receiver of a call seen: the host may find another method than the copy (`typing/call/probe.rs` of the runtime).
    pub(in crate::lower) fn probe(
        &mut self,
        e: &mut syn::Expr,
        place: bool,
        method: &Ident,
        args: usize,
        call: &Ident,
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
        let seen = if place {
            let mut place = (*m.receiver).clone();
            AnyElement(&receiver).visit_expr_mut(&mut place);
            wrapped(quote_spanned!(span=> #receiver.see(&#place); #m), span)
        } else {
            // A value, which is made once. (Not in a block: what the call borrows lives as long as in the user's own.)
            let made = std::mem::replace(&mut *m.receiver, syn::parse_quote!(_));
            let made = strip_parens(&made);
            *m.receiver = syn::Expr::Verbatim(quote_spanned!(span=> #receiver.pass(#made)));
            syn::Expr::MethodCall(m.clone())
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
