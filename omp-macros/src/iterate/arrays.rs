//! What arrays and slices do as a whole, written out: `fill`, `copy_from_slice`, `contains`, `reverse`, sorting, and the `map` of a
//! fixed array. Also conversions that may fail, `u8::try_from(x)`, as options, and `u32::from_le_bytes(part.try_into().unwrap())`.
use super::chain::{Whole, is_place, is_table};
use super::option::call;
use super::tokens::{made, parentheses};
use super::walk::{Walk, known};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprCall, ExprMethodCall};

impl Walk<'_> {
    /// A method of an array or slice, written out; not yet walked through.
    pub(super) fn whole_array(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let span = m.method.span();
        let name = m.method.to_string();
        if m.turbofish.is_some() || !WHOLE.contains(&(name.as_str(), m.args.len())) {
            return None;
        }
        if name == "map" {
            return self.is_fixed(&m.receiver).then(|| self.mapped(m, span));
        }
        if !self.is_array_here(&m.receiver) {
            return None;
        }
        let all = self.fresh("all", span);
        let part = |e: &Expr, mutable: bool| {
            let borrow = if mutable { quote_spanned!(span=> &mut) } else { quote_spanned!(span=> &) };
            match behind(e) {
                e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
                    quote_spanned!(span=> #borrow #e)
                }
                e => quote_spanned!(span=> #borrow #e[..]),
            }
        };
        let receiver = part(&m.receiver, name != "contains");
        let bind = quote_spanned!(span=> let #all = #receiver;);
        Some(made(match name.as_str() {
            "fill" => {
                let (value, each, new) = (&m.args[0], self.fresh("each", span), self.fresh("value", span));
                quote_spanned!(span=> { let #new = #value; #bind for #each in 0..#all.len() { #all[#each] = #new; } })
            }
            "copy_from_slice" | "clone_from_slice" => {
                let (from, k) = (self.fresh("from", span), self.fresh("at", span));
                let source = match behind(&m.args[0]) {
                    // An array that is written out has no name yet.
                    e @ (Expr::Array(_) | Expr::Repeat(_)) => e.to_token_stream(),
                    e => part(e, false),
                };
                quote_spanned!(span=> {
                    let #from = #source;
                    #bind
                    if #all.len() != #from.len() {
                        ::omp::__private::core::panic!("copy_from_slice: source slice length ({}) does not match destination slice length ({})", #from.len(), #all.len());
                    }
                    for #k in 0..#all.len() { #all[#k] = #from[#k]; }
                })
            }
            "contains" => {
                let (value, each, wanted) =
                    (behind(&m.args[0]), self.fresh("each", span), self.fresh("wanted", span));
                let one = match &m.args[0] {
                    Expr::Reference(_) => quote_spanned!(span=> #value),
                    other => quote_spanned!(span=> *#other),
                };
                parentheses(quote_spanned!(span=> {
                    let #wanted = #one;
                    #bind
                    #all.iter().any(|#each| *#each == #wanted)
                }))
            }
            "reverse" => {
                let k = self.fresh("at", span);
                quote_spanned!(span=> { #bind for #k in 0..#all.len() / 2 { #all.swap(#k, #all.len() - 1 - #k); } })
            }
            _ => {
                let (k, j) = (self.fresh("at", span), self.fresh("down", span));
                let before = self.before(m, (&all, &j), span);
                quote_spanned!(span=> {
                    #bind
                    for #k in 1..#all.len() {
                        let mut #j = #k;
                        while #j > 0 && #before {
                            #all.swap(#j, #j - 1);
                            #j -= 1;
                        }
                    }
                })
            }
        }))
    }

    /// Whether element `j` of what is sorted goes before the one that it stands behind.
    fn before(&mut self, m: &ExprMethodCall, (all, j): (&Ident, &Ident), span: Span) -> TokenStream {
        let (a, b) = (quote_spanned!(span=> #all[#j]), quote_spanned!(span=> #all[#j - 1]));
        match m.args.first() {
            None => quote_spanned!(span=> #a < #b),
            Some(f) if m.method.to_string().ends_with("_key") => {
                let key = |of: &TokenStream| {
                    let key = call(f, &[quote_spanned!(span=> &#of)], span);
                    parentheses(key.into_token_stream())
                };
                let (a, b) = (key(&a), key(&b));
                quote_spanned!(span=> #a < #b)
            }
            Some(f) => {
                let order = call(f, &[quote_spanned!(span=> &#a), quote_spanned!(span=> &#b)], span);
                let order = parentheses(order.into_token_stream());
                quote_spanned!(span=> #order.is_lt())
            }
        }
    }

    /// `a.map(f)` of a fixed array: the first element makes an array of as many, the others follow.
    fn mapped(&mut self, m: &ExprMethodCall, span: Span) -> Expr {
        let (receiver, f) = (&m.receiver, &m.args[0]);
        let (of, out, k) = (self.fresh("of", span), self.fresh("mapped", span), self.fresh("at", span));
        let first = call(f, &[quote_spanned!(span=> #of[0])], span);
        let each = call(f, &[quote_spanned!(span=> #of[#k])], span);
        made(parentheses(quote_spanned!(span=> {
            let #of = #receiver;
            let mut #out = ::omp::__private::assigned(&#of, #first);
            for #k in 1..#of.len() { #out[#k] = #each; }
            #out
        })))
    }

    /// Whether an expression is the `map` of a fixed array.
    pub(super) fn maps_array(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.maps_array(&p.expr),
            Expr::Group(g) => self.maps_array(&g.expr),
            Expr::MethodCall(m) => m.method == "map" && m.args.len() == 1 && self.is_fixed(&m.receiver),
            _ => false,
        }
    }

    /// Whether an expression is a fixed array by value, as far as its tokens tell: no element and no field of a device's type is an
    /// `Option`, so what has a `map` there is an array.
    fn is_fixed(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) if !matches!(&*p.expr, Expr::Range(_)) => self.is_fixed(&p.expr),
            Expr::Group(g) => self.is_fixed(&g.expr),
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Path(p) => {
                is_table(p)
                    || p.path.get_ident().is_some_and(|name| {
                        let element = matches!(self.item(e), Some(super::chain::Item::Element { .. }));
                        let kind = known(&self.scopes, self.kinds, name);
                        element || kind.is_some_and(|kind| kind.is_array() || kind == Whole::Stored)
                    })
            }
            Expr::Index(x) => !matches!(&*x.index, Expr::Range(_)) && is_place(e),
            Expr::Field(f) => matches!(f.member, syn::Member::Named(_)) && is_place(e),
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_fixed(&u.expr),
            e => self.maps_array(e),
        }
    }

    /// Whether an expression is an array or a slice that has a place.
    fn is_array_here(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_array_here(&p.expr),
            Expr::Group(g) => self.is_array_here(&g.expr),
            Expr::Path(p) if is_table(p) => true,
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_array_here(&u.expr),
            e => self.is_array(e),
        }
    }

    /// `let (a, b) = x.split_at(n);`: two slices.
    pub(super) fn halves(&mut self, pat: &syn::Pat, e: &Expr) -> Option<Expr> {
        let (syn::Pat::Tuple(_), Expr::MethodCall(m)) = (pat, e) else { return None };
        if m.method != "split_at" || m.args.len() != 1 {
            return None;
        }
        let Expr::Path(array) = behind(&m.receiver) else { return None };
        let (at, span) = (&m.args[0], m.method.span());
        matches!(at, Expr::Path(_) | Expr::Lit(_))
            .then(|| made(quote_spanned!(span=> (&#array[..#at], &#array[#at..]))))
    }

    /// A conversion that may fail, as an option; not yet walked through.
    pub(super) fn converted(&mut self, e: &Expr) -> Option<Expr> {
        if let Expr::Call(c) = e {
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

/// Without references around.
fn behind(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => behind(&p.expr),
        Expr::Group(g) => behind(&g.expr),
        Expr::Reference(r) => behind(&r.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => behind(&u.expr),
        other => other,
    }
}

/// Methods of arrays and slices, with their numbers of arguments.
const WHOLE: [(&str, usize); 12] = [
    ("map", 1),
    ("fill", 1),
    ("copy_from_slice", 1),
    ("clone_from_slice", 1),
    ("contains", 1),
    ("reverse", 0),
    ("sort", 0),
    ("sort_unstable", 0),
    ("sort_by", 1),
    ("sort_unstable_by", 1),
    ("sort_by_key", 1),
    ("sort_unstable_by_key", 1),
];
