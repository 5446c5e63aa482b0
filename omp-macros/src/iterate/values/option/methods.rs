//! Methods of options that take options and values apart or put values in places: `xor`, `zip`, `flatten`, `take_if` and their like become
//! a `match` or an assignment.
//!
//! Types of the user's may have methods of these names, and devices have no `Option` with methods of these names: so what is rewritten has to
//! be an option for sure ([`Walk::is_an_option`]).
use super::super::declared;
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, in_head, made, parentheses};
use crate::sema::syntax::forms::strip;
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprMethodCall, Ident};

impl Walk<'_> {
    /// A method of an option, or `err` of a result, written out; not yet walked through.
    pub(super) fn of_option(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let (name, span) = (m.method.to_string(), m.method.span());
        let core = quote_spanned!(span=> ::omp::__private::core);
        let option = quote_spanned!(span=> #core::option::Option);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let result = quote_spanned!(span=> #core::result::Result);
        let args: Vec<&Expr> = m.args.iter().collect();
        if m.turbofish.is_some() || !METHODS.contains(&(name.as_str(), args.len())) {
            return None;
        }
        if name == "err" {
            let (receiver, v) =
                (self.is_a_result(&m.receiver).then(|| in_head(&m.receiver))?, self.fresh("err", span));
            return Some(made(parentheses(
                quote_spanned!(span=> match #receiver { #result::Ok(_) => #none, #result::Err(#v) => #some(#v) }),
            )));
        }
        if name == "transpose" && self.is_a_result(&m.receiver) {
            let (receiver, v, e) = (in_head(&m.receiver), self.fresh("some", span), self.fresh("err", span));
            return Some(made(parentheses(quote_spanned!(span=> match #receiver {
                #result::Ok(#some(#v)) => #some(#result::Ok(#v)),
                #result::Ok(#none) => #none,
                #result::Err(#e) => #some(#result::Err(#e)),
            }))));
        }
        // (A place may be iterated by its name.)
        let iterates = !is_place(strip(&m.receiver)) && self.is_pipeline(&m.receiver);
        let moves = name == "take" || name == "replace";
        let declared = || declared::is_option(&m.receiver) || declared::is_option_field(&m.receiver);
        if iterates || !(self.is_an_option(&m.receiver) || moves && declared()) {
            return None;
        }
        if let Some(written) = self.put_in(m) {
            return Some(written);
        }
        // What holds references is another rule's.
        if self.is_optional(&m.receiver) || args.iter().any(|arg| self.is_optional(arg)) {
            return None;
        }
        let receiver = match self.element(&m.receiver) {
            // These methods take the option by value, also behind a reference.
            Some(_) => {
                let of = &m.receiver;
                made(quote_spanned!(span=> *#of))
            }
            None => (*m.receiver).clone(),
        };
        let (of, v, w) = (in_head(&receiver), self.fresh("some", span), self.fresh("other", span));
        Some(made(parentheses(match (name.as_str(), &args[..]) {
            ("xor", [other]) => quote_spanned!(span=> match (#receiver, #other) {
                (#some(#v), #none) => #some(#v),
                (#none, #some(#w)) => #some(#w),
                _ => #none,
            }),
            ("zip", [other]) => quote_spanned!(span=> match (#receiver, #other) {
                (#some(#v), #some(#w)) => #some((#v, #w)),
                _ => #none,
            }),
            ("and", [other]) => quote_spanned!(span=> match (#receiver, #other) {
                (#some(_), #some(#w)) => #some(#w),
                _ => #none,
            }),
            ("inspect", [f]) if self.is_function(f) => {
                let done = call(f, &[quote_spanned!(span=> &#v)], span);
                quote_spanned!(span=> match #of { #some(#v) => { #done; #some(#v) } #none => #none })
            }
            ("flatten", []) => {
                quote_spanned!(span=> match #of { #some(#some(#v)) => #some(#v), _ => #none })
            }
            ("transpose", []) => quote_spanned!(span=> match #of {
                #some(#result::Ok(#v)) => #result::Ok(#some(#v)),
                #some(#result::Err(#w)) => #result::Err(#w),
                #none => #result::Ok(#none),
            }),
            ("unzip", []) => quote_spanned!(span=> match #of {
                #some((#v, #w)) => (#some(#v), #some(#w)),
                #none => (#none, #none),
            }),
            _ => return None,
        })))
    }

    /// `b.take()`, `b.replace(v)` and `b.take_if(f)`: what is put in a place.
    fn put_in(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (m.method.to_string(), m.method.span());
        let place = &self.option_at(&m.receiver);
        if !is_place(place) {
            return None;
        }
        let once = self.has_effects(place);
        let core = quote_spanned!(span=> ::omp::__private::core);
        let option = quote_spanned!(span=> #core::option::Option);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let args: Vec<&Expr> = m.args.iter().collect();
        Some(made(match (name.as_str(), &args[..]) {
            ("take", []) => quote_spanned!(span=> #core::mem::replace(&mut #place, #none)),
            ("replace", [value]) if once => {
                quote_spanned!(span=> #core::mem::replace(&mut #place, #some(#value)))
            }
            ("replace", [value]) => {
                let new = self.fresh("new", span);
                parentheses(quote_spanned!(span=> {
                    let #new = #some(#value);
                    #core::mem::replace(&mut #place, #new)
                }))
            }
            ("take_if", [f]) if self.is_function(f) && !once => {
                let (v, kept) = (self.fresh("some", span), self.fresh("kept", span));
                let holds =
                    parentheses(call(f, &[quote_spanned!(span=> &mut #kept)], span).into_token_stream());
                let of = in_head(place);
                parentheses(quote_spanned!(span=> match #of {
                    #some(#v) => {
                        let mut #kept = #v;
                        if #holds { #place = #none; #some(#kept) } else { #place = #some(#kept); #none }
                    }
                    #none => #none,
                }))
            }
            _ => return None,
        }))
    }

    /// The place of an option, which a name may be a `&mut` of.
    pub(super) fn option_at(&self, e: &Expr) -> Expr {
        let is_parameter = |name: &Ident| self.mutable_references.contains(&name.to_string());
        let refers = match e {
            Expr::Path(p) => p.path.get_ident().is_some_and(is_parameter) || self.element(e).is_some(),
            _ => false,
        };
        if refers { made(quote::quote!(*#e)) } else { e.clone() }
    }

    /// `b.as_ref()` of an option of values: the option.
    pub(super) fn looked_into<'m>(&mut self, m: &'m ExprMethodCall) -> Option<&'m Expr> {
        let is = m.method == "as_ref"
            && m.args.is_empty()
            && self.is_an_option(&m.receiver)
            && !self.is_optional(&m.receiver);
        is.then_some(&*m.receiver)
    }

    pub(super) fn is_function(&self, f: &Expr) -> bool {
        matches!(f, Expr::Closure(_) | Expr::Path(_))
    }
}

/// The methods, with their numbers of arguments.
const METHODS: [(&str, usize); 15] = [
    ("transpose", 0),
    ("xor", 1),
    ("zip", 1),
    ("and", 1),
    ("inspect", 1),
    ("flatten", 0),
    ("unzip", 0),
    ("take", 0),
    ("replace", 1),
    ("take_if", 1),
    ("insert", 1),
    ("get_or_insert", 1),
    ("get_or_insert_with", 1),
    ("get_or_insert_default", 0),
    ("err", 0),
];
