//! Conversions that may fail: `u8::try_from(x)`, `x.try_into()` and `<[u8; 4]>::try_from(part)` become options, and
//! `u32::from_le_bytes(part.try_into().unwrap())` the bytes.
use super::arrays::behind;
use crate::expand::context::is_number;
use crate::iterate::loops::chain::{Item, IteratedBy};
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{in_head, made, parentheses};
use crate::parse::primitives::{INTEGERS, is_primitive};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::first_word;
use crate::sema::syntax::forms::strip;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprMethodCall, Pat, Type};

impl Walk<'_> {
    /// A conversion that may fail, as an option; not yet walked through.
    pub(in crate::iterate) fn converted(&mut self, e: &Expr) -> Option<Expr> {
        if let Expr::Call(c) = e
            && let Some(of_bytes) = self.of_bytes(c)
        {
            return Some(of_bytes);
        }
        if let Expr::Call(c) = e
            && let Some(either) = of_either(c)
        {
            return Some(either);
        }
        if let Some(option) = self.tried(e, e.span()) {
            let (option, value) = (in_head(&option), self.fresh("value", e.span()));
            let core = quote_spanned!(e.span()=> ::omp::__private::core);
            return Some(made(quote_spanned!(e.span()=> match #option {
                #core::option::Option::Some(#value) => #core::result::Result::Ok(#value),
                #core::option::Option::None => #core::result::Result::Err(()),
            })));
        }
        let Expr::MethodCall(m) = e else { return None };
        let method = match m.method.to_string().as_str() {
            "unwrap" | "expect" | "unwrap_or" => m.method.clone(),
            "is_ok" => Ident::new("is_some", m.method.span()),
            "is_err" => Ident::new("is_none", m.method.span()),
            "ok" => return self.tried(&m.receiver, m.method.span()),
            _ => return None,
        };
        let fits = self.tried(&m.receiver, m.method.span())?;
        let args = &m.args;
        Some(made(quote_spanned!(m.method.span()=> #fits.#method(#args))))
    }

    /// `let quad: &[u8; 4] = part.try_into().unwrap();`: a reference to the array's value. (What the slice refers to does not change while it is used.)
    pub(in crate::iterate) fn array_by_reference(&self, l: &mut syn::Local) {
        let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init) else { return };
        let of_array = |r: &syn::TypeReference| r.mutability.is_none() && matches!(&*r.elem, Type::Array(_));
        if matches!(&*t.ty, Type::Reference(r) if of_array(r)) && self.is_of_part(&init.expr) {
            let (value, span) = (&init.expr, init.expr.span());
            *init.expr = made(quote_spanned!(span=> &#value));
        }
    }

    /// Whether a value is what `try_into` makes of a slice.
    fn is_of_part(&self, e: &Expr) -> bool {
        const GIVE: [&str; 5] = ["unwrap", "expect", "ok", "ok_or", "map_err"];
        match strip(e) {
            Expr::Try(t) => self.is_of_part(&t.expr),
            Expr::MethodCall(m) if m.method == "try_into" => m.args.is_empty() && self.is_part(&m.receiver),
            Expr::MethodCall(m) if GIVE.iter().any(|name| m.method == name) => self.is_of_part(&m.receiver),
            _ => false,
        }
    }

    /// `T::try_from(value)` of a primitive type or an array, and `value.try_into()`, as options.
    fn tried(&mut self, e: &Expr, span: Span) -> Option<Expr> {
        match e {
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return None };
                if c.args.len() != 1 || p.path.segments.last()?.ident != "try_from" {
                    return None;
                }
                match &p.qself {
                    Some(of) => {
                        let Type::Array(of) = &*of.ty else { return None };
                        Some(self.of_slice(&c.args[0], &of.len, span))
                    }
                    None => {
                        let [ty, _] = &*p.path.segments.iter().collect::<Vec<_>>() else { return None };
                        let is_primitive = INTEGERS.iter().any(|name| ty.ident == name);
                        (is_primitive && !is_own(&ty.ident, &c.args[0]))
                            .then(|| self.fits(&ty.ident.to_token_stream(), &c.args[0], span))
                    }
                }
            }
            Expr::MethodCall(m) if m.method == "try_into" && m.args.is_empty() => {
                // Its type is what is made of it.
                let unknown = quote_spanned!(span=> _);
                if self.is_part(&m.receiver) {
                    return Some(self.of_slice(&m.receiver, &Expr::Verbatim(unknown), span));
                }
                // (Where the file has some, it may be a type of the user's.)
                let of_user =
                    SourceFile::of(span).is_some_and(|file| *file.shows(|text| text.contains(" TryFrom<")));
                if of_user {
                    return None;
                }
                Some(self.fits(&unknown, &m.receiver, span))
            }
            _ => None,
        }
    }

    /// Whether an expression is a slice.
    fn is_part(&self, e: &Expr) -> bool {
        match behind(e) {
            Expr::Index(x) => matches!(&*x.index, Expr::Range(_)),
            Expr::Path(p) => match p.path.get_ident().and_then(|name| self.meaning(name)) {
                Some(Meaning::Item(Item::Value(value))) => self.is_part(value),
                Some(Meaning::Item(_)) => false,
                _ => matches!(self.kind_of(behind(e)), Some(IteratedBy::Shared | IteratedBy::Exclusive)),
            },
            _ => false,
        }
    }

    /// `Some(value as ty)` if that is the value.
    fn fits(&mut self, ty: &TokenStream, value: &Expr, span: Span) -> Expr {
        let own = Span::mixed_site().located_at(span);
        let [from, to, back] = ["from", "to", "back"].map(|name| self.fresh(name, span));
        let option = quote_spanned!(own=> ::omp::__private::core::option::Option);
        made(parentheses(quote_spanned!(own=> {
            let #from = #value;
            let #to = #from as #ty;
            let mut #back = #from;
            #back = #to as _;
            if #back == #from && (#to < 0) == (#from < 0) { #option::Some(#to) } else { #option::None }
        })))
    }

    /// `Some` array of so many elements, if the slice has as many.
    fn of_slice(&mut self, slice: &Expr, len: &Expr, span: Span) -> Expr {
        self.array_of(slice, len, Chunk::All, span)
    }

    /// `x.first_chunk::<N>()` and `x.last_chunk::<N>()` of a slice: an option of the array's value, not yet walked through.
    pub(super) fn chunk_of(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let which = match m.method.to_string().as_str() {
            "first_chunk" => Chunk::First,
            "last_chunk" => Chunk::Last,
            _ => return None,
        };
        let place = behind(&m.receiver);
        if !m.args.is_empty() || !(self.is_part(place) || self.is_array_here(place)) {
            return None;
        }
        let span = m.method.span();
        let len = match &m.turbofish {
            Some(of) if of.args.to_token_stream().to_string() == "0" => return None,
            Some(of) => made(of.args.first()?.to_token_stream()),
            None => Expr::Verbatim(quote_spanned!(span=> _)),
        };
        Some(self.array_of(place, &len, which, span))
    }

    fn array_of(&mut self, slice: &Expr, len: &Expr, which: Chunk, span: Span) -> Expr {
        let own = Span::mixed_site().located_at(span);
        let [part, all, k] = ["part", "all", "k"].map(|name| self.fresh(name, span));
        let option = quote_spanned!(own=> ::omp::__private::core::option::Option);
        let slice = part_of(slice, own);
        // (An array of no elements can't be made of one of them.)
        let some_elements = matches!(len, Expr::Path(_)).then(
            || quote_spanned!(own=> ::omp::__private::core::assert!(#len != 0, "an array of no elements");),
        );
        let fits = match which {
            Chunk::All => quote_spanned!(own=> #part.len() == #all.len()),
            Chunk::First | Chunk::Last => quote_spanned!(own=> #part.len() >= #all.len()),
        };
        let at = match which {
            Chunk::All | Chunk::First => quote_spanned!(own=> #k),
            Chunk::Last => quote_spanned!(own=> #part.len() - #all.len() + #k),
        };
        made(parentheses(quote_spanned!(own=> {
            let #part = #slice;
            if #part.is_empty() {
                #some_elements
                #option::None
            } else {
                let mut #all = [#part[0]; #len];
                if #fits {
                    for #k in 0..#all.len() { #all[#k] = #part[#at]; }
                    #option::Some(#all)
                } else {
                    #option::None
                }
            }
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
        let receiver = part_of(&into.receiver, span);
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

/// Whether a conversion to a number may be one that the file declares, from a type of its own.
fn is_own(to: &Ident, value: &Expr) -> bool {
    let declared = |file: &SourceFile| file.shows(converted_to).contains(&to.to_string());
    !is_number(value) && SourceFile::of(to.span()).is_some_and(|file| declared(&file))
}

/// `u8::try_from(x)` of such a type or a number: the type of `x` decides.
fn of_either(c: &ExprCall) -> Option<Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let (None, [ty, method]) = (&p.qself, &*p.path.segments.iter().collect::<Vec<_>>()) else { return None };
    let (1, value) = (c.args.len(), c.args.first()?) else { return None };
    if method.ident != "try_from" || !is_own(&ty.ident, value) {
        return None;
    }
    let span = method.ident.span();
    Some(made(quote_spanned!(span=> <#ty as ::omp::__private::TriedFrom<_>>::try_from(#value))))
}

/// The types that a text declares `impl TryFrom<Own> for` of types that are no primitives, for devices.
fn converted_to(text: &str) -> HashSet<String> {
    let to = |(at, trait_): (usize, &str)| {
        // (Its attributes stand behind the item before.)
        let before = text[..at].rsplit(['}', ';']).next()?;
        let (of, to) = text[at + trait_.len()..].split_once(" for ")?;
        let of = of.strip_suffix('>')?;
        let declared = before.contains("declare_target") && before.contains("impl");
        (declared && !is_primitive(of) && !of.contains(['{', ';'])).then(|| first_word(to))
    };
    text.match_indices("TryFrom<").filter_map(to).collect()
}

/// Which elements of a slice an array is made of.
#[derive(Clone, Copy)]
enum Chunk {
    /// All of them: there have to be as many as the array has.
    All,
    First,
    Last,
}

/// A slice as a value.
fn part_of(e: &Expr, span: Span) -> TokenStream {
    match behind(e) {
        e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
        e => quote_spanned!(span=> &#e[..]),
    }
}
