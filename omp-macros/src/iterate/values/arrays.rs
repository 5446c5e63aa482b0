//! Methods of whole arrays and slices, rewritten to loops: `fill`, `copy_from_slice`, `contains`, `reverse`, sorting,
//! comparisons, and the `map` of a fixed array.
use crate::iterate::loops::chain::{IteratedBy, is_place, is_table};
use crate::iterate::loops::walk::{Walk, known};
use crate::iterate::tokens::{call, made, parentheses};
use crate::parse::aliases;
use crate::parse::tokens::file::SourceFile;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{self, as_name, strip};
use crate::sema::syntax::std_names;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

/// The name of a fixed array whose `map` is called, where an earlier phase knows its type.
pub const FIXED: &str = "__fixed_array_mapped";

/// Up to this length, fixed arrays are sorted without exits from the loops: devices then keep the elements in registers.
const FEW: usize = 32;

/// The methods that give a number's bytes.
pub(super) const BYTES: [&str; 3] = ["to_le_bytes", "to_be_bytes", "to_ne_bytes"];

impl Walk<'_> {
    /// A method of an array or slice, written out; not yet walked through.
    pub(in crate::iterate) fn whole_array(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let span = m.method.span();
        let name = m.method.to_string();
        if m.turbofish.is_some() || !WHOLE.contains(&(name.as_str(), m.args.len())) {
            return None;
        }
        if name == "map" && matches!(&*m.receiver, Expr::Repeat(r) if is_unit(&r.expr)) {
            // `[(); N].map(f)` makes an array.
            let (Expr::Repeat(r), Some(Expr::Closure(c))) = (&*m.receiver, m.args.first()) else {
                return None;
            };
            // (No device has a `()`.)
            let mut f = c.clone();
            for pat in &mut f.inputs {
                match pat {
                    syn::Pat::Wild(_) => {}
                    syn::Pat::Tuple(t) if t.elems.is_empty() => *pat = syn::parse_quote!(_),
                    _ => return None,
                }
            }
            let f = &Expr::Closure(f);
            let (n, out, k) = (&r.len, self.fresh("made", span), self.fresh("at", span));
            let (first, each) =
                (call(f, &[quote_spanned!(span=> 0)], span), call(f, &[quote_spanned!(span=> #k)], span));
            return Some(made(parentheses(quote_spanned!(span=> {
                let mut #out = [#first; #n];
                for #k in 1..#out.len() { #out[#k] = #each; }
                #out
            }))));
        }
        if name == "map" {
            // Another argument is that of a method of the user's.
            let function = matches!(m.args.first(), Some(Expr::Closure(_) | Expr::Path(_)));
            return (function && self.is_fixed(&m.receiver)).then(|| self.mapped(m, span));
        }
        if matches!(&*m.receiver, Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.names_range(name)))
        {
            return None;
        }
        // A method of the program's that takes a value, `b.contains(p)`; that of slices takes a reference.
        if let ("contains", Some(value)) = (name.as_str(), m.args.first())
            && !matches!(value, Expr::Reference(_))
            && !matches!(behind(&m.receiver), Expr::Array(_) | Expr::Repeat(_) | Expr::Lit(_))
            && self.item(behind(value)).is_none()
            && !self.is_slice(&m.receiver)
            && !as_name(&m.receiver)
                .is_some_and(|name| known(&self.scopes, self.kinds, name) == Some(IteratedBy::Owned))
            && SourceFile::of(span).is_some_and(|file| *file.shows(|text| text.contains("fn contains(")))
        {
            return None;
        }
        if of_slices_alone(&name) && matches!(strip(&m.receiver), Expr::Call(_)) {
            // What a function gives is an array; it needs a name.
            let (given, method, args) = (self.fresh("given", span), &m.method, &m.args);
            let receiver = &m.receiver;
            return Some(made(parentheses(
                quote_spanned!(span=> { let #given = #receiver; #given.#method(#args) }),
            )));
        }
        if let (
            "contains",
            Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(_), .. }) | Expr::Array(_) | Expr::Repeat(_),
        ) = (name.as_str(), behind(&m.receiver))
        {
            // Of an array that is written out, which needs a name.
            let (array, method, args) = (behind(&m.receiver), &m.method, &m.args);
            let given = self.fresh("given", span);
            let bytes = matches!(array, Expr::Lit(_)).then(|| quote_spanned!(span=> *));
            return Some(made(parentheses(
                quote_spanned!(span=> { let #given = #bytes #array; #given.#method(#args) }),
            )));
        }
        let of_slices = of_slices_alone(&name)
            && match behind(&m.receiver) {
                Expr::Field(_) | Expr::Index(_) => true,
                e @ Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                    let kind = known(&self.scopes, self.kinds, name);
                    let of_any = [IteratedBy::Given, IteratedBy::Stored, IteratedBy::Behind];
                    kind.is_some_and(|kind| of_any.contains(&kind)) && !self.is_struct(e)
                }),
                _ => false,
            };
        if !(self.is_array_here(&m.receiver) || of_slices && is_place(behind(&m.receiver))) {
            return None;
        }
        // A constant can't be changed: integers have methods of these names, too.
        let constant = |p: &syn::ExprPath| {
            p.path.segments.len() > 1
                || p.path.get_ident().is_some_and(|name| !name.to_string().contains(char::is_lowercase))
        };
        if name.starts_with("rotate_") {
            // What is rotated gives nothing, and a rotated number is a value.
            let unknown = !self.is_statement && self.item(behind(&m.receiver)).is_some();
            if unknown || matches!(behind(&m.receiver), Expr::Path(p) if constant(p)) {
                return None;
            }
        }
        if let "fill" | "contains" | "copy_from_slice" | "clone_from_slice" | "swap_with_slice"
        | "copy_within" | "rotate_left" | "rotate_right" = name.as_str()
            && let Some(first) = self.receiver_first(m, m.args.last())
        {
            return Some(first);
        }
        let all = self.fresh("all", span);
        let reads = matches!(name.as_str(), "contains" | "partition_point")
            || name.starts_with("is_sorted")
            || name.starts_with("binary_search");
        let receiver = self.part(&m.receiver, !reads, span);
        let bind = match behind(&m.receiver) {
            // A part of a part: each has a name.
            Expr::Index(x)
                if matches!(&*x.index, Expr::Range(_))
                    && matches!(strip(&x.expr), Expr::Index(of) if matches!(&*of.index, Expr::Range(_))) =>
            {
                let (outer, whole, range) =
                    (self.fresh("outer", span), self.part(&x.expr, !reads, span), &x.index);
                let borrow = if reads { quote_spanned!(span=> &) } else { quote_spanned!(span=> &mut) };
                quote_spanned!(span=> let #outer = #whole; let #all = #borrow #outer[#range];)
            }
            _ => quote_spanned!(span=> let #all = #receiver;),
        };
        Some(made(match name.as_str() {
            "fill" => {
                let (value, each, new) = (&m.args[0], self.fresh("each", span), self.fresh("value", span));
                quote_spanned!(span=> { let #new = #value; #bind for #each in 0..#all.len() { #all[#each] = #new; } })
            }
            "fill_with" => {
                let (value, each) = (call(&m.args[0], &[], span), self.fresh("each", span));
                quote_spanned!(span=> { #bind for #each in 0..#all.len() { #all[#each] = #value; } })
            }
            "copy_from_slice" | "clone_from_slice" => {
                let (from, k) = (self.fresh("from", span), self.fresh("at", span));
                let source = match behind(&m.args[0]) {
                    // An array that is written out has no name yet.
                    e @ (Expr::Array(_) | Expr::Repeat(_)) => e.to_token_stream(),
                    e => self.part(e, false, span),
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
            "swap_with_slice" => {
                let [other, k, kept] = ["other", "at", "kept"].map(|name| self.fresh(name, span));
                let others = self.part(behind(&m.args[0]), true, span);
                quote_spanned!(span=> {
                    let #other = #others;
                    #bind
                    if #all.len() != #other.len() {
                        ::omp::__private::core::panic!("destination and source slices have different lengths");
                    }
                    for #k in 0..#all.len() { let #kept = #all[#k]; #all[#k] = #other[#k]; #other[#k] = #kept; }
                })
            }
            "copy_within" => {
                let Expr::Range(range) = strip(&m.args[0]) else { return None };
                let [from, to, end, k] = ["from", "to", "end", "at"].map(|name| self.fresh(name, span));
                let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
                let (first, dest) = (
                    range.start.as_ref().map_or_else(|| quote_spanned!(span=> 0), ToTokens::to_token_stream),
                    &m.args[1],
                );
                let given = range.end.as_ref().map(|last| match range.limits {
                    syn::RangeLimits::Closed(_) => {
                        quote_spanned!(span=> let #end: #usize_ = #last; let #end: #usize_ = #end + 1;)
                    }
                    syn::RangeLimits::HalfOpen(_) => quote_spanned!(span=> let #end: #usize_ = #last;),
                });
                let whole = given.is_none().then(|| quote_spanned!(span=> let #end: #usize_ = #all.len();));
                quote_spanned!(span=> {
                    let #from: #usize_ = #first;
                    #given
                    let #to: #usize_ = #dest;
                    #bind
                    #whole
                    if #from > #end || #end > #all.len() || #to > #all.len() - (#end - #from) {
                        ::omp::__private::core::panic!("copy_within: range {}..{} of {} elements to {}", #from, #end, #all.len(), #to);
                    }
                    // An element is read before another one takes its place.
                    if #to < #from {
                        for #k in 0..#end - #from { #all[#to + #k] = #all[#from + #k]; }
                    } else {
                        for #k in (0..#end - #from).rev() { #all[#to + #k] = #all[#from + #k]; }
                    }
                })
            }
            "contains" => {
                let (value, each, wanted) =
                    (behind(&m.args[0]), self.fresh("each", span), self.fresh("wanted", span));
                let one = match (&m.args[0], self.item(value)) {
                    (Expr::Reference(_), _) => value.to_token_stream(),
                    (_, Some(_)) => super::option::value_of(value, span).into_token_stream(),
                    (other, None) => quote_spanned!(span=> *#other),
                };
                parentheses(quote_spanned!(span=> {
                    let #wanted = #one;
                    #bind
                    #all.iter().any(|#each| *#each == #wanted)
                }))
            }
            "partition_point" => {
                let [first, size, half] = ["first", "size", "half"].map(|name| self.fresh(name, span));
                let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
                let holds = call(&m.args[0], &[quote_spanned!(span=> &#all[#first + #half])], span);
                let holds = parentheses(holds.into_token_stream());
                parentheses(quote_spanned!(span=> {
                    #bind
                    let mut #first: #usize_ = 0;
                    let mut #size: #usize_ = #all.len();
                    while #size > 0 {
                        let #half: #usize_ = #size / 2;
                        if #holds { #first += #half + 1; #size -= #half + 1; } else { #size = #half; }
                    }
                    #first
                }))
            }
            "is_sorted" => {
                let k = self.fresh("at", span);
                parentheses(
                    quote_spanned!(span=> { #bind (1..#all.len()).all(|#k| #all[#k - 1] <= #all[#k]) }),
                )
            }
            "is_sorted_by" => {
                let k = self.fresh("at", span);
                let (a, b) = (quote_spanned!(span=> &#all[#k - 1]), quote_spanned!(span=> &#all[#k]));
                let fits = parentheses(call(&m.args[0], &[a, b], span).into_token_stream());
                parentheses(quote_spanned!(span=> { #bind (1..#all.len()).all(|#k| #fits) }))
            }
            "is_sorted_by_key" => {
                // Each key is computed once.
                let key = &m.args[0];
                parentheses(quote_spanned!(span=> { #bind #all.iter().is_sorted_by_key(#key) }))
            }
            "rotate_left" | "rotate_right" => {
                // Both parts are reversed, then the whole.
                let [by, len, mid, k, back] =
                    ["by", "len", "mid", "at", "back"].map(|name| self.fresh(name, span));
                let (given, usize_) =
                    (&m.args[0], quote_spanned!(span=> ::omp::__private::core::primitive::usize));
                let at = if name == "rotate_left" {
                    quote_spanned!(span=> #by)
                } else {
                    quote_spanned!(span=> #len - #by)
                };
                let reversed = |from: TokenStream, to: TokenStream| {
                    quote_spanned!(span=>
                        for #k in 0..(#to - #from) / 2 {
                            let #back: #usize_ = #to - 1 - #k;
                            #all.swap(#from + #k, #back);
                        }
                    )
                };
                let (start, mid_, end) =
                    (quote_spanned!(span=> 0), mid.to_token_stream(), len.to_token_stream());
                let turns = [
                    reversed(start.clone(), mid_.clone()),
                    reversed(mid_, end.clone()),
                    reversed(start, end),
                ];
                quote_spanned!(span=> {
                    let #by: #usize_ = #given;
                    #bind
                    let #len: #usize_ = #all.len();
                    if #by > #len {
                        ::omp::__private::core::panic!("a slice of {} elements is rotated by {}", #len, #by);
                    }
                    let #mid: #usize_ = #at;
                    #(#turns)*
                })
            }
            name if name.starts_with("binary_search") => {
                let compared = self.compared(m, &all, span);
                parentheses(quote_spanned!(span=> { #bind #compared }))
            }
            "reverse" => {
                let (k, back) = (self.fresh("at", span), self.fresh("back", span));
                quote_spanned!(span=> { #bind for #k in 0..#all.len() / 2 {
                    let #back = #all.len() - 1 - #k;
                    #all.swap(#k, #back);
                } })
            }
            _ => {
                let [k, down, j] = ["at", "down", "later"].map(|name| self.fresh(name, span));
                let before = self.before(m, (&all, &j), span);
                let or_end = if self.is_fixed(&m.receiver) && !self.is_slice(&m.receiver) {
                    quote_spanned!(span=> else if #all.len() > #FEW { break; })
                } else {
                    quote_spanned!(span=> else { break; })
                };
                let nth = name.starts_with("select_nth").then(|| {
                    let (at, n) = (self.fresh("nth", span), &m.args[0]);
                    let number = quote_spanned!(span=> let #at: ::omp::__private::core::primitive::usize = #n;);
                    let check = quote_spanned!(span=> if #at >= #all.len() {
                        ::omp::__private::core::panic!("partition_at_index index {} greater than length of slice {}", #at, #all.len());
                    });
                    (number, check)
                });
                let (number, check) = nth.unzip();
                quote_spanned!(span=> {
                    #number
                    #bind
                    #check
                    for #k in 1..#all.len() {
                        for #down in 0..#k {
                            let #j = #k - #down;
                            if #before {
                                #all.swap(#j, #j - 1);
                            } #or_end
                        }
                    }
                })
            }
        }))
    }

    /// A reference to all of an array, or to the part that is named.
    pub(in crate::iterate) fn part(&self, e: &Expr, mutable: bool, span: Span) -> TokenStream {
        let borrow = if mutable { quote_spanned!(span=> &mut) } else { quote_spanned!(span=> &) };
        match behind(e) {
            e @ Expr::Index(x) if self.is_range(&x.index) => quote_spanned!(span=> #borrow #e),
            e => quote_spanned!(span=> #borrow #e[..]),
        }
    }

    /// `a.binary_search(&x)` and its kin, where several elements are equal with the choice of today's std.
    fn compared(&mut self, m: &ExprMethodCall, all: &Ident, span: Span) -> TokenStream {
        let [first, size, half, wanted, order] =
            ["first", "size", "half", "wanted", "order"].map(|name| self.fresh(name, span));
        let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
        let by = m.method == "binary_search_by";
        let value = match (&m.args[0], self.item(&m.args[0])) {
            (Expr::Reference(r), _) => r.expr.to_token_stream(),
            // `x` may be a reference to one: std takes either.
            (item, Some(_)) => super::option::value_of(item, span).into_token_stream(),
            (other, None) => quote_spanned!(span=> *#other),
        };
        let bind = (!by).then(|| quote_spanned!(span=> let #wanted = #value;));
        // Greater, less, at a subscript.
        let at = |k: TokenStream| {
            let element = quote_spanned!(span=> #all[#k]);
            if by {
                let order_of = call(&m.args[0], &[quote_spanned!(span=> &#element)], span);
                let order_of = parentheses(order_of.into_token_stream());
                let bind = quote_spanned!(span=> let #order = #order_of;);
                return (bind, quote_spanned!(span=> #order.is_gt()), quote_spanned!(span=> #order.is_lt()));
            }
            let key = match m.args.iter().nth(1) {
                Some(f) => {
                    parentheses(call(f, &[quote_spanned!(span=> &#element)], span).into_token_stream())
                }
                None => element,
            };
            let bind = quote_spanned!(span=> let #order = #key;);
            (bind, quote_spanned!(span=> #order > #wanted), quote_spanned!(span=> #order < #wanted))
        };
        let (in_loop, greater, _) = at(quote_spanned!(span=> #first + #half));
        let (behind, less_or, less) = at(quote_spanned!(span=> #first));
        quote_spanned! {span=>
            #bind
            let mut #first: #usize_ = 0;
            let mut #size: #usize_ = #all.len();
            while #size > 1 {
                let #half: #usize_ = #size / 2;
                #in_loop
                if !(#greater) { #first += #half; }
                #size -= #half;
            }
            if #size == 0 {
                #result::Err(0)
            } else {
                #behind
                if #less { #result::Err(#first + 1) } else if #less_or { #result::Err(#first) } else { #result::Ok(#first) }
            }
        }
    }

    /// Whether element `j` of what is sorted goes before its predecessor.
    fn before(&mut self, m: &ExprMethodCall, (all, j): (&Ident, &Ident), span: Span) -> TokenStream {
        let (a, b) = (quote_spanned!(span=> #all[#j]), quote_spanned!(span=> #all[#j - 1]));
        let nth = m.method.to_string().starts_with("select_nth");
        match m.args.iter().nth(usize::from(nth)) {
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
        let (receiver, f) = (named_fixed(&m.receiver).unwrap_or(&m.receiver), &m.args[0]);
        // A `&mut` array is copied by its value.
        let of_item = matches!(
            self.item(receiver),
            Some(crate::iterate::loops::chain::Item::Element { mutable: true, .. })
        );
        let exclusive = of_item || self.kind_of(receiver) == Some(IteratedBy::Exclusive);
        let value = exclusive.then(|| quote_spanned!(span=> *));
        let (of, out, k) = (self.fresh("of", span), self.fresh("mapped", span), self.fresh("at", span));
        // One from outside has a name, and no value as a whole.
        let outside = matches!(receiver, Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.is_outside_array(name)));
        let (named, of) = if outside {
            (None, receiver.to_token_stream())
        } else {
            (Some(quote_spanned!(span=> let #of = #value #receiver;)), of.into_token_stream())
        };
        let first = call(f, &[quote_spanned!(span=> #of[0])], span);
        let each = call(f, &[quote_spanned!(span=> #of[#k])], span);
        made(parentheses(quote_spanned!(span=> {
            #named
            let mut #out = ::omp::__private::assigned(&#of, #first);
            for #k in 1..#of.len() { #out[#k] = #each; }
            #out
        })))
    }

    /// `std::array::from_fn(f)`, written out like the `map` of an array.
    pub(in crate::iterate) fn array_from_fn(&mut self, e: &Expr) -> Option<Expr> {
        let (name, f) = from_fn(e)?;
        let written = |arg: &syn::GenericArgument| {
            let inferred = matches!(arg, syn::GenericArgument::Type(syn::Type::Infer(_)));
            (!inferred).then(|| arg.to_token_stream())
        };
        // `from_fn::<T, N, _>(f)`
        let [of, n] = match &name.arguments {
            syn::PathArguments::None => [None, None],
            syn::PathArguments::AngleBracketed(a) => {
                let args: Vec<_> = a.args.iter().map(written).collect();
                <[_; 3]>::try_from(args).ok().map(|[of, n, _]| [of, n])?
            }
            syn::PathArguments::Parenthesized(_) => return None,
        };
        let span = name.ident.span();
        let (out, k) = (self.fresh("made", span), self.fresh("at", span));
        let mut first = call(f, &[quote_spanned!(span=> 0usize)], span).into_token_stream();
        if let Some(of) = of {
            let value = self.fresh("first", span);
            first = quote_spanned!(span=> { let #value: #of = #first; #value });
        }
        let each = call(f, &[quote_spanned!(span=> #k)], span);
        let whole = match n {
            Some(n) => quote_spanned!(span=> [#first; #n]),
            None => quote_spanned!(span=> ::omp::__private::repeated(#first)),
        };
        Some(made(parentheses(quote_spanned!(span=> {
            let mut #out = #whole;
            for #k in 1..#out.len() { #out[#k] = #each; }
            #out
        }))))
    }

    /// Whether an expression is the `map` of a fixed array, the bytes of a number, or an array made by a function.
    pub(in crate::iterate) fn maps_array(&self, e: &Expr) -> bool {
        match strip(e) {
            e @ Expr::Call(_) => from_fn(e).is_some(),
            Expr::MethodCall(m) => {
                let function = matches!(m.args.first(), Some(Expr::Closure(_) | Expr::Path(_)));
                (m.method == "map" && m.args.len() == 1 && function && self.is_fixed(&m.receiver))
                    || (m.args.is_empty() && BYTES.iter().any(|name| m.method == name))
            }
            _ => false,
        }
    }

    /// Whether an expression is a fixed array by value, judged by its tokens: an element or a field with a `map` is an array,
    /// unless its name is declared to hold `Option`s.
    fn is_fixed(&self, e: &Expr) -> bool {
        let place = self.element(e);
        let of = place.as_ref().unwrap_or(e);
        if super::declared::is_option(of) || super::declared::is_result(of) || self.holds_option(e) {
            return false;
        }
        match e {
            Expr::Paren(p) if !matches!(&*p.expr, Expr::Range(_)) => self.is_fixed(&p.expr),
            Expr::Group(g) => self.is_fixed(&g.expr),
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Block(_) => named_fixed(e).is_some(),
            Expr::Path(p) => {
                is_table(p)
                    || p.path.get_ident().is_some_and(|name| {
                        let element =
                            matches!(self.item(e), Some(crate::iterate::loops::chain::Item::Element { .. }));
                        let kind = known(&self.scopes, self.kinds, name);
                        element
                            || kind.is_some_and(|kind| kind.is_array() || kind == IteratedBy::Stored)
                            || self.is_outside_array(name)
                    })
            }
            Expr::Index(x) => !matches!(&*x.index, Expr::Range(_)) && is_place(e),
            // (Of a tuple it may be an `Option`; of a struct only if that is declared.)
            Expr::Field(f) => {
                let named = matches!(f.member, syn::Member::Named(_));
                (named || self.is_struct(&f.base)) && is_place(e)
            }
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_fixed(&u.expr),
            Expr::Call(c) => {
                matches!(&*c.func, Expr::Path(p) if p.path.segments.last().is_some_and(|s| aliases::gives_array(&s.ident)))
            }
            Expr::MethodCall(m) if aliases::gives_array(&m.method) => true,
            e => self.maps_array(e),
        }
    }

    /// Whether a value is of a type with a name: `self`, or a variable whose type is written.
    fn is_struct(&self, e: &Expr) -> bool {
        let Expr::Path(p) = e else { return false };
        p.path.is_ident("self") || p.path.get_ident().is_some_and(|name| (self.structs)(&name.to_string()))
    }

    /// Whether an expression is an array or a slice that has a place.
    pub(super) fn is_array_here(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Path(p) if is_table(p) => true,
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_array_here(&u.expr),
            e => self.is_array(e) || super::array_depths::is_array(e),
        }
    }

    /// `a[i..j] == *b`, `a.starts_with(b)` and `a.ends_with(b)`: the elements of both; not yet walked through.
    pub(in crate::iterate) fn same_slices(&mut self, e: &Expr) -> Option<Expr> {
        let is_text = |e: &Expr| matches!(behind(e), Expr::Lit(_) | Expr::Array(_));
        let (left, right, how, span) = match e {
            Expr::Binary(b) => {
                let how = match b.op {
                    syn::BinOp::Eq(_) => Same::All,
                    syn::BinOp::Ne(_) => Same::NotAll,
                    _ => return self.ordered_slices(e),
                };
                (&*b.left, &*b.right, how, b.op.span())
            }
            Expr::MethodCall(m) if m.args.len() == 1 => {
                let how = match m.method.to_string().as_str() {
                    "starts_with" => Same::First,
                    "ends_with" => Same::Last,
                    _ => return self.ordered_slices(e),
                };
                // A type of the user's may have such a method.
                let declared =
                    |text: &str| text.contains("fn starts_with(") || text.contains("fn ends_with(");
                let of_users = || SourceFile::of(m.method.span()).is_some_and(|file| *file.shows(declared));
                let reference = matches!(&m.args[0], Expr::Reference(r) if is_place(&r.expr));
                let of_arrays = is_text(&m.args[0]) || self.is_slice(&m.args[0]);
                let of_slices = self.is_slice(&m.receiver)
                    || !self.is_struct(behind(&m.receiver))
                        && (of_arrays || reference && is_place(behind(&m.receiver)))
                        && (self.is_array_here(&m.receiver) || !of_users());
                if !of_slices {
                    return None;
                }
                (&*m.receiver, &m.args[0], how, m.method.span())
            }
            _ => return None,
        };
        if matches!(how, Same::All | Same::NotAll) && !(self.is_slice(left) || self.is_slice(right)) {
            return None;
        }
        let [x, y, k] = ["left", "right", "at"].map(|name| self.fresh(name, span));
        let (left, right) = (self.as_slice(left, span), self.as_slice(right, span));
        let same = |at: TokenStream| quote_spanned!(span=> (0..#y.len()).all(|#k| #x[#at] == #y[#k]));
        let value = match how {
            Same::All | Same::NotAll => {
                let (all, not) = (
                    same(quote_spanned!(span=> #k)),
                    (how == Same::NotAll).then(|| quote_spanned!(span=> !)),
                );
                quote_spanned!(span=> #not(#x.len() == #y.len() && #all))
            }
            Same::First => {
                let all = same(quote_spanned!(span=> #k));
                quote_spanned!(span=> #x.len() >= #y.len() && #all)
            }
            Same::Last => {
                let all = same(quote_spanned!(span=> #x.len() - #y.len() + #k));
                quote_spanned!(span=> #x.len() >= #y.len() && #all)
            }
        };
        Some(made(parentheses(quote_spanned!(span=> {
            let #x = #left;
            let #y = #right;
            #value
        }))))
    }

    /// A side of a comparison, which gets a name.
    fn as_slice(&self, e: &Expr, span: Span) -> TokenStream {
        match behind(e) {
            e @ Expr::Index(i) if self.is_range(&i.index) => quote_spanned!(span=> &#e),
            Expr::Lit(text) => quote_spanned!(span=> *#text),
            e if is_place(e) => quote_spanned!(span=> &#e[..]),
            e => e.to_token_stream(),
        }
    }

    /// `a[i..] < b[j..]`, `a.cmp(b)` and their like of slices: the first elements that differ decide, then the lengths.
    fn ordered_slices(&mut self, e: &Expr) -> Option<Expr> {
        let (left, right, method, span) = match e {
            Expr::Binary(b) if forms::is_comparison(&b.op) => {
                (&*b.left, &*b.right, "partial_cmp".to_owned(), b.op.span())
            }
            Expr::MethodCall(m)
                if (m.method == "cmp" || m.method == "partial_cmp")
                    && m.args.len() == 1
                    && m.turbofish.is_none() =>
            {
                (&*m.receiver, &m.args[0], m.method.to_string(), m.method.span())
            }
            _ => return None,
        };
        // (Where one side is an array, so is the other.)
        if !(self.is_slice(left) || self.is_slice(right)) {
            return None;
        }
        let [x, y, k, order, of] = ["left", "right", "at", "order", "of"].map(|name| self.fresh(name, span));
        let (left, right) = (self.as_slice(left, span), self.as_slice(right, span));
        let core = quote_spanned!(span=> ::omp::__private::core);
        let ordering = quote_spanned!(span=> #core::cmp::Ordering);
        let total = method == "cmp";
        let method = Ident::new(&method, span);
        let an_order = |order: TokenStream| {
            if total { order } else { quote_spanned!(span=> #core::option::Option::Some(#order)) }
        };
        let (lengths, equal) = (
            an_order(quote_spanned!(span=> #x.len().cmp(&#y.len()))),
            an_order(quote_spanned!(span=> #ordering::Equal)),
        );
        let is = |wanted: TokenStream| {
            let wanted = an_order(quote_spanned!(span=> #ordering::#wanted));
            quote_spanned!(span=> #order == #wanted)
        };
        let result = match e {
            Expr::Binary(b) => {
                let side = |name: &str| is(Ident::new(name, span).into_token_stream());
                match b.op {
                    syn::BinOp::Lt(_) => side("Less"),
                    syn::BinOp::Gt(_) => side("Greater"),
                    syn::BinOp::Le(_) => [side("Less"), side("Equal")]
                        .into_iter()
                        .reduce(|a, b| quote_spanned!(span=> #a || #b))?,
                    _ => [side("Greater"), side("Equal")]
                        .into_iter()
                        .reduce(|a, b| quote_spanned!(span=> #a || #b))?,
                }
            }
            _ => order.to_token_stream(),
        };
        Some(made(parentheses(quote_spanned!(span=> {
            let #x = #left;
            let #y = #right;
            let mut #order = #lengths;
            for #k in 0..#x.len().min(#y.len()) {
                let #of = #x[#k].#method(&#y[#k]);
                if #of != #equal { #order = #of; break; }
            }
            #result
        }))))
    }

    /// Whether an expression is a slice for sure, or an array that a region has no value of as a whole.
    pub(in crate::iterate) fn is_slice(&self, e: &Expr) -> bool {
        match behind(e) {
            Expr::Index(x) => self.is_range(&x.index) && is_place(&x.expr),
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let kind = known(&self.scopes, self.kinds, name);
                let outside = self.meaning(name).is_none() && (self.arrays)(&name.to_string());
                matches!(kind, Some(IteratedBy::Shared | IteratedBy::Exclusive)) || outside
            }),
            _ => false,
        }
    }
}

/// Which elements of two slices are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Same {
    All,
    NotAll,
    /// Those at the start.
    First,
    /// Those at the end.
    Last,
}

/// `x[a..][..n]` as `x[a..a + n]`: if `a + n` has no value, both panic. `a` is evaluated twice, so it is a number that nothing changes.
pub fn join(e: &mut Expr) {
    let Expr::Index(outer) = e else { return };
    join(&mut outer.expr);
    let Expr::Range(r) = &*outer.index else { return };
    let (None, Some(n)) = (&r.start, &r.end) else { return };
    let Expr::Index(inner) = strip(&outer.expr) else { return };
    let Expr::Range(first) = &*inner.index else { return };
    let (Some(a), None) = (&first.start, &first.end) else { return };
    if !is_number(a) {
        return;
    }
    let (place, limits, span) = (&inner.expr, &r.limits, outer.bracket_token.span.join());
    let one = |e: &Expr| match e {
        Expr::Path(_) | Expr::Lit(_) | Expr::Paren(_) | Expr::Field(_) | Expr::Call(_) | Expr::Index(_) => {
            e.to_token_stream()
        }
        e => parentheses(e.to_token_stream()),
    };
    let (a, n) = (one(a), one(n));
    let range: Expr = match limits {
        syn::RangeLimits::HalfOpen(_) => syn::parse_quote_spanned!(span=> #a..#a + #n),
        syn::RangeLimits::Closed(_) => syn::parse_quote_spanned!(span=> #a..=#a + #n),
    };
    *e = made(quote_spanned!(span=> #place[#range]));
}

/// Names, fields and numbers, and what operators make of them.
pub(in crate::iterate) fn is_number(e: &Expr) -> bool {
    let is_length = |m: &ExprMethodCall| m.method == "len" && m.args.is_empty() && is_place(&m.receiver);
    effects::is_pure(e, &|call| matches!(call, Expr::MethodCall(m) if is_length(m)))
}

/// The array to which an earlier phase gave the name of a fixed one: `{ let FIXED = &array; FIXED }`.
fn named_fixed(e: &Expr) -> Option<&Expr> {
    let Expr::Block(b) = strip(e) else { return None };
    let [syn::Stmt::Local(l), syn::Stmt::Expr(Expr::Path(p), None)] = &b.block.stmts[..] else { return None };
    let array = match &*l.init.as_ref()?.expr {
        Expr::Reference(r) => &*r.expr,
        array => array,
    };
    p.path.is_ident(FIXED).then_some(array)
}

/// The name and the function of `std::array::from_fn(f)`.
fn from_fn(e: &Expr) -> Option<(&syn::PathSegment, &Expr)> {
    let Expr::Call(c) = e else { return None };
    let (Expr::Path(p), Some(f @ (Expr::Closure(_) | Expr::Path(_))), 1) =
        (&*c.func, c.args.first(), c.args.len())
    else {
        return None;
    };
    let segments: Vec<_> = p.path.segments.iter().collect();
    let (module, name) = match &segments[..] {
        [root, module, name] if root.ident == "std" || root.ident == "core" => (module, name),
        // `use std::array;`
        [module, name] if std_names::imports_module(&module.ident) => (module, name),
        // `use std::array::from_fn;`
        [name] if name.ident == "from_fn" => {
            let imported = |text: &str| std_names::imports_function(text, "array", "from_fn");
            let file = SourceFile::of(name.ident.span())?;
            return file.shows(imported).then_some((*name, f));
        }
        _ => return None,
    };
    (module.ident == "array" && name.ident == "from_fn").then_some((name, f))
}

fn is_unit(e: &Expr) -> bool {
    matches!(e, Expr::Tuple(t) if t.elems.is_empty())
}

/// Without references around.
pub(in crate::iterate) fn behind(e: &Expr) -> &Expr {
    match strip(e) {
        Expr::Reference(r) => behind(&r.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => behind(&u.expr),
        other => other,
    }
}

/// Whether only slices have a method of this name.
fn of_slices_alone(name: &str) -> bool {
    matches!(name, "partition_point" | "copy_from_slice" | "clone_from_slice" | "swap_with_slice")
        || name.starts_with("is_sorted")
        || name.starts_with("binary_search")
        || name.starts_with("sort_")
        || name.starts_with("select_nth_")
}

/// Methods of arrays and slices, with their numbers of arguments.
pub const WHOLE: [(&str, usize); 27] = [
    ("select_nth_unstable", 1),
    ("select_nth_unstable_by", 2),
    ("select_nth_unstable_by_key", 2),
    ("is_sorted", 0),
    ("is_sorted_by", 1),
    ("is_sorted_by_key", 1),
    ("rotate_left", 1),
    ("rotate_right", 1),
    ("binary_search", 1),
    ("binary_search_by", 1),
    ("binary_search_by_key", 2),
    ("partition_point", 1),
    ("map", 1),
    ("fill", 1),
    ("fill_with", 1),
    ("copy_from_slice", 1),
    ("swap_with_slice", 1),
    ("copy_within", 2),
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
