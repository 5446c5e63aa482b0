//! Methods of numbers and characters that are written out with others that devices have: `a.carrying_add(b, c)`, `a.borrowing_sub(b, c)`,
//! `c.is_control()` and `c.len_utf8()`. In the serial copy, rustc checks that std has them for the type.
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::parse::tokens::file::SourceFile;
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use syn::Expr;

impl Walk<'_> {
    /// Such a method, written out; not yet walked through.
    pub(in crate::iterate) fn written_number(&mut self, e: &Expr) -> Option<Expr> {
        const METHODS: [(&str, usize); 4] =
            [("carrying_add", 2), ("borrowing_sub", 2), ("is_control", 0), ("len_utf8", 0)];
        let Expr::MethodCall(m) = e else { return None };
        let span = m.method.span();
        let at = METHODS.iter().position(|(name, args)| m.method == name && m.args.len() == *args)?;
        // A method of the program's has one of these names.
        let own = SourceFile::of(span).is_some_and(|file| {
            file.shows(|text| METHODS.map(|(name, _)| text.contains(&format!("fn {name}("))))[at]
        });
        if own || m.turbofish.is_some() {
            return None;
        }
        let of = &m.receiver;
        let value = match self.element(of) {
            Some(_) => quote_spanned!(span=> *#of),
            None => of.to_token_stream(),
        };
        let value = if matches!(**of, Expr::Path(_) | Expr::MethodCall(_) | Expr::Index(_) | Expr::Field(_)) {
            value
        } else {
            parentheses(value)
        };
        Some(made(parentheses(match METHODS[at].0 {
            "is_control" => {
                let c = self.fresh("c", span);
                quote_spanned!(span=> {
                    let #c: ::omp::__private::core::primitive::u32 = #value as u32;
                    #c < 0x20 || (0x7f <= #c && #c < 0xa0)
                })
            }
            "len_utf8" => {
                let c = self.fresh("c", span);
                quote_spanned!(span=> {
                    let #c: ::omp::__private::core::primitive::u32 = #value as u32;
                    if #c < 0x80 { 1usize } else if #c < 0x800 { 2 } else if #c < 0x10000 { 3 } else { 4 }
                })
            }
            name => {
                let method = if name == "carrying_add" { "overflowing_add" } else { "overflowing_sub" };
                let method = Ident::new(method, span);
                let [first, over, carry, second, more] =
                    ["first", "over", "carry", "second", "more"].map(|name| self.fresh(name, span));
                let (other, given) = (&m.args[0], &m.args[1]);
                quote_spanned!(span=> {
                    let (#first, #over) = #of.#method(#other);
                    let #carry = #given;
                    let (#second, #more) = if #carry { #first.#method(1) } else { (#first, false) };
                    (#second, #over | #more)
                })
            }
        })))
    }
}
