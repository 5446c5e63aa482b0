//! Functions of `std::mem` that move values between places: loads and stores.
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Lower, Value};
use crate::lower::expr::place::UPDATE;
use crate::lower::expr::wrapped;
use crate::lower::generated_names::Made;
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::ids::ExprId;
use omp_ir::template::{Base, Expr, Place, Stmt};
use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;

/// Whether `std::mem` has a function of this name that bodies may call.
pub fn in_mem(name: &str, args: usize) -> bool {
    matches!((name, args), ("swap" | "replace", 2) | ("take", 1))
}

impl Lower {
    /// `mem::swap(&mut a, &mut b)`, `mem::replace(&mut a, v)`, `mem::take(&mut a)`.
    pub(super) fn of_mem(&mut self, name: &str, e: &mut syn::Expr) -> Option<Value> {
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let places = match (name, c.args.len()) {
            (name, args) if !in_mem(name, args) => return None,
            ("swap", _) => 2,
            _ => 1,
        };
        for arg in c.args.iter_mut().take(places) {
            // A name of a reference stands for what it refers to.
            if let syn::Expr::Path(p) = strip(arg)
                && p.path
                    .get_ident()
                    .and_then(|i| self.lookup(&i.to_string()))
                    .is_some_and(|n| self.refers(n))
            {
                *arg = syn::parse_quote_spanned!(arg.span()=> &mut *#arg);
            }
        }
        let changed = |a: &syn::Expr| matches!(strip(a), syn::Expr::Reference(r) if r.mutability.is_some());
        if !c.args.iter().take(places).all(changed) {
            return None;
        }
        Some(match name {
            "swap" => self.swap_places(e),
            "replace" => self.replace_place(e),
            _ => self.take_place(e),
        })
    }

    /// Two loads and two stores.
    fn swap_places(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let mut places = Vec::new();
        for arg in &mut c.args {
            places.push(self.changed_place(arg)?);
        }
        if places.iter().any(|p| self.is_fixed(p)) {
            let help = "assign them one after the other: `let t = a; a = b; b = t;`";
            self.error(DiagCode::WholeArray, span, "these can't be swapped on a device", help);
            return None;
        }
        let mut values = Vec::new();
        for place in &places {
            let from = self.copy_place(place);
            let value = self.expr(Expr::Load(from), src);
            values.push(self.temp("swapped", value));
        }
        for (place, value) in places.into_iter().zip(values.into_iter().rev()) {
            self.push(Stmt::Assign { place, value, src });
        }
        let syn::Expr::Call(c) = &mut *e else { unreachable!("still a call") };
        let (func, args) = (&c.func, &c.args);
        // If `mem` is a module of the user's, the two functions differ and this does not compile.
        let g = self.fresh(Made::Callee, span);
        *e = wrapped(
            quote_spanned!(span=> let mut #g = ::omp::__private::core::mem::swap; if false { #g = #func; } #g(#args)),
            span,
        );
        Some(self.expr(Expr::Unit, src))
    }

    /// A load and a store, of what is evaluated between them.
    fn replace_place(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let place = self.changed_place(&mut c.args[0])?;
        let value = self.element(&mut c.args[1])?;
        let old = self.replaced(place, value, span)?;
        let syn::Expr::Call(c) = &mut *e else { unreachable!("still a call") };
        let (func, args) = (&c.func, &c.args);
        let g = self.fresh(Made::Callee, span);
        *e = wrapped(
            quote_spanned!(span=> let mut #g = ::omp::__private::core::mem::replace; if false { #g = #func; } #g(#args)),
            span,
        );
        Some(old)
    }

    /// The same with the type's default.
    fn take_place(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let place = self.changed_place(&mut c.args[0])?;
        let mut default: syn::Expr =
            syn::parse_quote_spanned!(span=> <_ as ::omp::__private::core::default::Default>::default());
        let value = self.value(&mut default)?;
        let old = self.replaced(place, value, span)?;
        let syn::Expr::Call(c) = &mut *e else { unreachable!("still a call") };
        let (func, arg) = (&c.func, &c.args[0]);
        let g = self.fresh(Made::Callee, span);
        let tokens = quote_spanned! {span=>
            let mut #g = ::omp::__private::core::mem::take;
            if false { #g = #func; }
            if false { #g(#arg) } else { ::omp::__private::core::mem::replace(#arg, #default) }
        };
        *e = wrapped(tokens, span);
        Some(old)
    }

    /// Stores to a place; what stood there.
    fn replaced(&mut self, place: Place, value: ExprId, span: Span) -> Value {
        if self.is_fixed(&place) {
            let help = "assign it: `let old = a; a = b;`";
            self.error(DiagCode::WholeArray, span, "this can't be replaced on a device", help);
            return None;
        }
        let src = self.src(span);
        // Made before the store, which may change what it reads.
        let value = self.temp("new", value);
        let from = self.copy_place(&place);
        let old = self.expr(Expr::Load(from), src);
        let old = self.temp("replaced", old);
        self.push(Stmt::Assign { place, value, src });
        Some(old)
    }

    /// The place behind a `&mut`, whatever is evaluated after it.
    fn changed_place(&mut self, arg: &mut syn::Expr) -> Option<Place> {
        let syn::Expr::Reference(r) = strip_mut(arg) else { unreachable!("seen before") };
        let place = self.place(&mut r.expr, UPDATE)?;
        let mut at = self.mark();
        Some(self.keep_indices(place, &mut at))
    }

    /// It has no value of its own that could be another.
    fn is_fixed(&self, place: &Place) -> bool {
        matches!(place.base, Base::Scalar(_) | Base::Const(_)) || self.is_whole_array(place)
    }
}
