//! Conversions that may fail: `u8::try_from(x)` becomes an option, and `u32::from_le_bytes(part.try_into().unwrap())`
//! the bytes.
use super::arrays::behind;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

impl Walk<'_> {
    /// A conversion that may fail, as an option; not yet walked through.
    pub(in crate::iterate) fn converted(&mut self, e: &Expr) -> Option<Expr> {
        if let Expr::Call(c) = e {
            if let Some((ty, value)) = tried(e) {
                let span = c.func.span();
                let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
                // (The error tells nothing.)
                let (ok, err) =
                    (quote_spanned!(span=> #result::Ok), quote_spanned!(span=> #result::Err(0u8)));
                return Some(self.fits_in(&ty, value, span, (ok, err)));
            }
            return self.of_bytes(c);
        }
        let Expr::MethodCall(m) = e else { return None };
        let method = match m.method.to_string().as_str() {
            "unwrap" | "expect" | "unwrap_or" => m.method.clone(),
            "is_ok" => Ident::new("is_some", m.method.span()),
            "is_err" => Ident::new("is_none", m.method.span()),
            "ok" => {
                return tried(&m.receiver).map(|(ty, value)| self.fits(&ty, value, m.method.span()));
            }
            _ => return None,
        };
        let (ty, value) = tried(&m.receiver)?;
        let fits = self.fits(&ty, value, m.method.span());
        let args = &m.args;
        Some(made(quote_spanned!(m.method.span()=> #fits.#method(#args))))
    }

    /// `Some(value as ty)` if that is the value.
    fn fits(&mut self, ty: &Ident, value: &Expr, span: Span) -> Expr {
        let own = Span::mixed_site().located_at(span);
        let option = quote_spanned!(own=> ::omp::__private::core::option::Option);
        let ends = (quote_spanned!(own=> #option::Some), quote_spanned!(own=> #option::None));
        self.fits_in(ty, value, span, ends)
    }

    fn fits_in(
        &mut self,
        ty: &Ident,
        value: &Expr,
        span: Span,
        (some, none): (TokenStream, TokenStream),
    ) -> Expr {
        let own = Span::mixed_site().located_at(span);
        let [from, to, back] = ["from", "to", "back"].map(|name| self.fresh(name, span));
        made(parentheses(quote_spanned!(own=> {
            let #from = #value;
            let #to = #from as #ty;
            let mut #back = #from;
            #back = #to as _;
            if #back == #from && (#to < 0) == (#from < 0) { #some(#to) } else { #none }
        })))
    }

    /// `u32::from_le_bytes(part.try_into().unwrap())`
    fn of_bytes(&mut self, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        let [ty, method] = &*p.path.segments.iter().collect::<Vec<_>>() else { return None };
        let bytes = match ty.ident.to_string().as_str() {
            "u16" | "i16" => 2usize,
            "u32" | "i32" | "f32" => 4,
            "u64" | "i64" | "f64" | "usize" | "isize" => 8,
            _ => return None,
        };
        if !["from_le_bytes", "from_be_bytes", "from_ne_bytes"].iter().any(|name| method.ident == name) {
            return None;
        }
        let Expr::MethodCall(unwrap) = c.args.first()? else { return None };
        let Expr::MethodCall(into) = &*unwrap.receiver else { return None };
        if !(unwrap.method == "unwrap" || unwrap.method == "expect") || into.method != "try_into" {
            return None;
        }
        let (span, part, f) = (into.method.span(), self.fresh("part", into.method.span()), &c.func);
        let receiver = match behind(&into.receiver) {
            e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
            e => quote_spanned!(span=> &#e[..]),
        };
        let all = (0..bytes).map(|k| quote_spanned!(span=> #part[#k]));
        Some(made(parentheses(quote_spanned!(span=> {
            let #part = #receiver;
            if #part.len() != #bytes {
                ::omp::__private::core::panic!("a slice of {} bytes is no array of {}", #part.len(), #bytes);
            }
            #f([#(#all),*])
        }))))
    }
}

/// The type and the value of `T::try_from(value)` of a primitive type.
fn tried(e: &Expr) -> Option<(Ident, &Expr)> {
    let Expr::Call(c) = e else { return None };
    let Expr::Path(p) = &*c.func else { return None };
    let [ty, method] = &*p.path.segments.iter().collect::<Vec<_>>() else { return None };
    let of_numbers = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    (method.ident == "try_from" && c.args.len() == 1 && of_numbers.iter().any(|name| ty.ident == name))
        .then(|| (ty.ident.clone(), &c.args[0]))
}
