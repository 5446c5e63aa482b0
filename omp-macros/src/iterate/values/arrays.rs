//! Methods of whole arrays and slices, rewritten to loops: `fill`, `copy_from_slice`, `contains`, `reverse`, sorting,
//! and the `map` of a fixed array. Also conversions that may fail: `u8::try_from(x)` becomes an option, and
//! `u32::from_le_bytes(part.try_into().unwrap())` the bytes.
use super::option::call;
use crate::iterate::loops::chain::{IteratedBy, is_place, is_table};
use crate::iterate::loops::walk::{Walk, known};
use crate::iterate::tokens::{made, parentheses};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprCall, ExprMethodCall};

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
            let (Expr::Repeat(r), Some(f @ Expr::Closure(c))) = (&*m.receiver, m.args.first()) else {
                return None;
            };
            if !c.inputs.iter().all(|pat| matches!(pat, syn::Pat::Wild(_))) {
                return None;
            }
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
        let of_slices =
            of_slices_alone(&name) && matches!(behind(&m.receiver), Expr::Field(_) | Expr::Index(_));
        if !(self.is_array_here(&m.receiver) || of_slices && is_place(behind(&m.receiver))) {
            return None;
        }
        // A constant can't be changed: integers have methods of these names, too.
        let constant = |p: &syn::ExprPath| {
            p.path.segments.len() > 1
                || p.path.get_ident().is_some_and(|name| !name.to_string().contains(char::is_lowercase))
        };
        if name.starts_with("rotate_") && matches!(behind(&m.receiver), Expr::Path(p) if constant(p)) {
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
        let reads = matches!(name.as_str(), "contains" | "partition_point" | "is_sorted")
            || name.starts_with("binary_search");
        let receiver = part(&m.receiver, !reads);
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
                let one = match (&m.args[0], self.item(value)) {
                    (Expr::Reference(_), _) => value.to_token_stream(),
                    (_, Some(item)) => super::option::by_value(&item, span).into_token_stream(),
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
            (_, Some(item)) => super::option::by_value(&item, span).into_token_stream(),
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

    /// `std::array::from_fn(f)`, written out like the `map` of an array.
    pub(in crate::iterate) fn array_from_fn(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Call(c) = e else { return None };
        let (Expr::Path(p), Some(f @ (Expr::Closure(_) | Expr::Path(_)))) = (&*c.func, c.args.first()) else {
            return None;
        };
        let [root, module, name] = &*p.path.segments.iter().collect::<Vec<_>>() else { return None };
        let is_std = (root.ident == "std" || root.ident == "core") && module.ident == "array";
        if !is_std || name.ident != "from_fn" || !name.arguments.is_none() || c.args.len() != 1 {
            return None;
        }
        let span = name.ident.span();
        let (out, k) = (self.fresh("made", span), self.fresh("at", span));
        let first = call(f, &[quote_spanned!(span=> 0usize)], span);
        let each = call(f, &[quote_spanned!(span=> #k)], span);
        Some(made(parentheses(quote_spanned!(span=> {
            let mut #out = ::omp::__private::repeated(#first);
            for #k in 1..#out.len() { #out[#k] = #each; }
            #out
        }))))
    }

    /// Whether an expression is the `map` of a fixed array.
    pub(in crate::iterate) fn maps_array(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.maps_array(&p.expr),
            Expr::Group(g) => self.maps_array(&g.expr),
            Expr::MethodCall(m) => {
                let function = matches!(m.args.first(), Some(Expr::Closure(_) | Expr::Path(_)));
                m.method == "map" && m.args.len() == 1 && function && self.is_fixed(&m.receiver)
            }
            _ => false,
        }
    }

    /// Whether an expression is a fixed array by value, as far as its tokens tell: an element or a field with a `map` is an array,
    /// unless its name is declared to hold `Option`s.
    fn is_fixed(&self, e: &Expr) -> bool {
        let place = self.element(e);
        if super::declared::is_option(place.as_ref().unwrap_or(e)) {
            return false;
        }
        match e {
            Expr::Paren(p) if !matches!(&*p.expr, Expr::Range(_)) => self.is_fixed(&p.expr),
            Expr::Group(g) => self.is_fixed(&g.expr),
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Path(p) => {
                is_table(p)
                    || p.path.get_ident().is_some_and(|name| {
                        let element =
                            matches!(self.item(e), Some(crate::iterate::loops::chain::Item::Element { .. }));
                        let kind = known(&self.scopes, self.kinds, name);
                        element || kind.is_some_and(|kind| kind.is_array() || kind == IteratedBy::Stored)
                    })
            }
            Expr::Index(x) => !matches!(&*x.index, Expr::Range(_)) && is_place(e),
            // (Of a tuple it may be an `Option`; of a struct only if that is declared.)
            Expr::Field(f) => {
                let named = matches!(f.member, syn::Member::Named(_));
                (named || self.is_struct(&f.base)) && is_place(e)
            }
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_fixed(&u.expr),
            e => self.maps_array(e),
        }
    }

    /// Whether a value is of a type with a name: `self`, or a variable whose type is written.
    fn is_struct(&self, e: &Expr) -> bool {
        let Expr::Path(p) = e else { return false };
        p.path.is_ident("self") || p.path.get_ident().is_some_and(|name| (self.structs)(&name.to_string()))
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
    pub(in crate::iterate) fn halves(&mut self, pat: &syn::Pat, e: &Expr) -> Option<Expr> {
        let (syn::Pat::Tuple(_), Expr::MethodCall(m)) = (pat, e) else { return None };
        if (m.method == "unwrap" && m.args.is_empty()) || m.method == "expect" {
            return self.end_and_rest(&m.receiver).map(|(_, parts)| parts);
        }
        if m.method != "split_at" || m.args.len() != 1 {
            return None;
        }
        let Expr::Path(array) = behind(&m.receiver) else { return None };
        // Of what the body itself binds, its value tells.
        let known = array.path.get_ident().is_some_and(|name| self.meaning(name).is_some());
        let given = self.kind_of(behind(&m.receiver)) == Some(IteratedBy::Given);
        if known && !given && !self.is_array_here(behind(&m.receiver)) {
            return None;
        }
        let (at, span) = (&m.args[0], m.method.span());
        matches!(at, Expr::Path(_) | Expr::Lit(_))
            .then(|| made(quote_spanned!(span=> (&#array[..#at], &#array[#at..]))))
    }

    /// `x.split_first()` of an array: the array, and its first element with the others. If there is none, that fails.
    fn end_and_rest(&self, e: &Expr) -> Option<(Expr, Expr)> {
        let Expr::MethodCall(m) = e else { return None };
        if !m.args.is_empty() || !self.is_array_here(&m.receiver) {
            return None;
        }
        let (array, span) = (behind(&m.receiver), m.method.span());
        if !matches!(array, Expr::Path(_)) {
            return None;
        }
        let parts = match m.method.to_string().as_str() {
            "split_first" => quote_spanned!(span=> (&#array[0], &#array[1..])),
            "split_last" => quote_spanned!(span=> (&#array[#array.len() - 1], &#array[..#array.len() - 1])),
            _ => return None,
        };
        Some((array.clone(), made(parts)))
    }

    /// `if let Some((first, rest)) = x.split_first()`; not yet walked through.
    pub(in crate::iterate) fn if_split(&mut self, i: &syn::ExprIf) -> Option<Expr> {
        let Expr::Let(l) = &*i.cond else { return None };
        let syn::Pat::TupleStruct(some) = &*l.pat else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let (pat @ syn::Pat::Tuple(_), (array, parts)) = (&some.elems[0], self.end_and_rest(&l.expr)?) else {
            return None;
        };
        let (then, span) = (&i.then_branch, l.expr.span());
        let els = i.else_branch.as_ref().map(|(_, e)| quote_spanned!(span=> else #e));
        let stmts = &then.stmts;
        Some(made(quote_spanned!(span=> if #array.len() != 0 { let #pat = #parts; #(#stmts)* } #els)))
    }

    /// `let Some((first, rest)) = x.split_first() else { … };`: two statements.
    pub(in crate::iterate) fn let_split(&mut self, s: &syn::Stmt) -> Option<[syn::Stmt; 2]> {
        let syn::Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref()?;
        let (_, diverge) = init.diverge.as_ref()?;
        let syn::Pat::TupleStruct(some) = &l.pat else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let (pat @ syn::Pat::Tuple(_), (array, parts)) = (&some.elems[0], self.end_and_rest(&init.expr)?)
        else {
            return None;
        };
        let span = init.expr.span();
        Some([
            syn::parse_quote_spanned!(span=> if #array.len() == 0 #diverge),
            syn::parse_quote_spanned!(span=> let #pat = #parts;),
        ])
    }

    /// `let it = x.iter().take(n);`, which one later statement goes through: what it stands for takes the place of its name. Nothing
    /// between changes what it was made of.
    pub(in crate::iterate) fn chain_by_name(&mut self, b: &mut syn::Block) {
        let mut next = 0;
        while next < b.stmts.len() {
            let at = next;
            next += 1;
            let syn::Stmt::Local(l) = &b.stmts[at] else { continue };
            let Some(init) = l.init.as_ref().filter(|init| init.diverge.is_none()) else { continue };
            let Some(name) = crate::iterate::loops::pattern::plain_name(&l.pat).cloned() else { continue };
            if !matches!(&*init.expr, Expr::MethodCall(_)) || !is_iterator(&init.expr) {
                continue;
            }
            let mut uses = Uses { name: &name, of: 0, binds: false };
            b.stmts[at + 1..].iter().for_each(|s| uses.visit_stmt(s));
            if uses.binds || uses.of != 1 {
                continue;
            }
            let rest = &b.stmts[at + 1..];
            // A check that fails does so where the name is bound, whether the iterator is used or not.
            let mut used = Surely(Uses { name: &name, of: 0, binds: false });
            rest.iter().take(1).for_each(|s| used.visit_stmt(s));
            if used.0.of == 0 && may_fail(&init.expr) {
                continue;
            }
            let block: Expr = syn::parse_quote!({ #(#rest)* });
            let mut changed = crate::iterate::changed(&block);
            // Names that are bound again mean something else there.
            let mut names = Bound::default();
            names.visit_expr(&block);
            changed.extend(names.0.iter().cloned());
            // While it is there, what it borrows stays.
            let mut borrowed = Borrowed(Vec::new());
            borrowed.visit_expr(&init.expr);
            changed.retain(|name| names.0.contains(name) || !borrowed.0.contains(name));
            let words = init.expr.to_token_stream();
            if changed.iter().any(|name| crate::iterate::loops::code_sinking::mentions(words.clone(), name)) {
                continue;
            }
            let whole = (*init.expr).clone();
            let mut put = PutParts { name: &name, parts: &whole, rest: &whole };
            b.stmts[at + 1..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.remove(at);
            next = at;
        }
    }

    /// `let mut it = x.iter();`, of which the block asks nothing but `it.next()`: a number that counts.
    pub(in crate::iterate) fn counted_by_next(&mut self, b: &mut syn::Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                syn::Stmt::Local(l) => iterator_let(l),
                _ => None,
            };
            at += 1;
            let Some((name, elements)) = found else { continue };
            let mut asked = NameUses { name: &name, all: 0, next: 0, binds: false };
            b.stmts[at..].iter().for_each(|s| asked.visit_stmt(s));
            if asked.binds || asked.next == 0 || asked.next != asked.all {
                continue;
            }
            let span = name.span();
            let [all, count] = ["all", "count"].map(|name| self.fresh(name, span));
            let array = match behind(elements.array) {
                e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
                e => quote_spanned!(span=> &#e[..]),
            };
            let first = elements.first.map_or_else(|| quote_spanned!(span=> 0), ToTokens::to_token_stream);
            let adaptor = elements.adaptor.map(|name| quote_spanned!(span=> .#name()));
            let next = made(quote_spanned!(span=> #all.get({ #count += 1; #count - 1 })#adaptor));
            let lets: [syn::Stmt; 2] = [
                syn::parse_quote_spanned!(span=> let #all = #array;),
                syn::parse_quote_spanned!(span=> let mut #count: ::omp::__private::core::primitive::usize = #first;),
            ];
            let mut put = PutNext { name: &name, next: &next };
            b.stmts[at..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.splice(at - 1..at, lets);
            at += 1;
        }
    }

    /// `a[i..j] == *b`: the elements of both; not yet walked through.
    pub(in crate::iterate) fn same_slices(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Binary(b) = e else { return None };
        let not = match b.op {
            syn::BinOp::Eq(_) => false,
            syn::BinOp::Ne(_) => true,
            _ => return None,
        };
        if !(self.is_slice(&b.left) || self.is_slice(&b.right)) {
            return None;
        }
        let span = b.op.span();
        let [x, y, k] = ["left", "right", "at"].map(|name| self.fresh(name, span));
        let whole = |e: &Expr| match behind(e) {
            e @ Expr::Index(i) if matches!(&*i.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
            Expr::Lit(text) => quote_spanned!(span=> *#text),
            e if is_place(e) => quote_spanned!(span=> &#e[..]),
            e => e.to_token_stream(),
        };
        let (left, right) = (whole(&b.left), whole(&b.right));
        let not = not.then(|| quote_spanned!(span=> !));
        Some(made(parentheses(quote_spanned!(span=> {
            let #x = #left;
            let #y = #right;
            #not(#x.len() == #y.len() && (0..#x.len()).all(|#k| #x[#k] == #y[#k]))
        }))))
    }

    /// Whether an expression is a slice for sure, or an array that a region has no value of as a whole.
    fn is_slice(&self, e: &Expr) -> bool {
        match behind(e) {
            Expr::Index(x) => matches!(&*x.index, Expr::Range(_)) && is_place(&x.expr),
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let kind = known(&self.scopes, self.kinds, name);
                let outside = self.meaning(name).is_none() && (self.arrays)(&name.to_string());
                matches!(kind, Some(IteratedBy::Shared | IteratedBy::Exclusive)) || outside
            }),
            _ => false,
        }
    }

    /// `let c = x.chunks_exact(n);`: what it stands for takes the place of its name, and what is left over that of `c.remainder()`.
    pub(in crate::iterate) fn parts_by_name(&mut self, b: &mut syn::Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let found = match &b.stmts[at] {
                syn::Stmt::Local(l) => parts_let(l),
                _ => None,
            };
            let Some((name, m)) = found else {
                at += 1;
                continue;
            };
            let mut uses = PartsUses { name: &name, binds: false };
            b.stmts[at + 1..].iter().for_each(|s| uses.visit_stmt(s));
            if uses.binds {
                at += 1;
                continue;
            }
            let (span, receiver, size) = (m.method.span(), &m.receiver, &m.args[0]);
            let [all, each] = ["all", "size"].map(|name| self.fresh(name, span));
            let array = match behind(receiver) {
                e @ Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => quote_spanned!(span=> &#e),
                e => quote_spanned!(span=> &#e[..]),
            };
            let method = &m.method;
            let parts = made(quote_spanned!(span=> #all.#method(#each)));
            let rest = made(parentheses(quote_spanned!(span=> &#all[#all.len() / #each * #each..])));
            let lets: [syn::Stmt; 2] = [
                syn::parse_quote_spanned!(span=> let #all = #array;),
                syn::parse_quote_spanned!(span=> let #each: ::omp::__private::core::primitive::usize = #size;),
            ];
            let mut put = PutParts { name: &name, parts: &parts, rest: &rest };
            b.stmts[at + 1..].iter_mut().for_each(|s| put.visit_stmt_mut(s));
            b.stmts.splice(at..=at, lets);
            at += 2;
        }
    }

    /// A conversion that may fail, as an option; not yet walked through.
    pub(in crate::iterate) fn converted(&mut self, e: &Expr) -> Option<Expr> {
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

/// `let c = x.chunks_exact(n);`, with a place `x`.
fn parts_let(l: &syn::Local) -> Option<(Ident, ExprMethodCall)> {
    let name = crate::iterate::loops::pattern::plain_name(&l.pat)?;
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let Expr::MethodCall(m) = &*init.expr else { return None };
    let parts = ["chunks_exact", "chunks", "windows"].iter().any(|name| m.method == name);
    (parts && m.args.len() == 1 && m.turbofish.is_none() && is_place(behind(&m.receiver)))
        .then(|| (name.clone(), m.clone()))
}

fn is_unit(e: &Expr) -> bool {
    matches!(e, Expr::Tuple(t) if t.elems.is_empty())
}

/// The elements that an iterator goes through.
struct ElementsOf<'e> {
    array: &'e Expr,
    first: Option<&'e Expr>,
    /// `copied`, `cloned`
    adaptor: Option<&'e Ident>,
}

impl<'e> ElementsOf<'e> {
    fn of(e: &'e Expr) -> Option<Self> {
        let Expr::MethodCall(m) = e else { return None };
        if m.turbofish.is_some() {
            return None;
        }
        match (m.method.to_string().as_str(), m.args.first()) {
            ("iter", None) => {
                let array = behind(&m.receiver);
                is_place(array).then_some(Self { array, first: None, adaptor: None })
            }
            ("skip", Some(n)) => {
                let of = Self::of(&m.receiver)?;
                (of.first.is_none() && of.adaptor.is_none()).then_some(Self { first: Some(n), ..of })
            }
            ("copied" | "cloned", None) => {
                let of = Self::of(&m.receiver)?;
                of.adaptor.is_none().then_some(Self { adaptor: Some(&m.method), ..of })
            }
            _ => None,
        }
    }
}

/// `let mut it = x.iter();`
fn iterator_let(l: &syn::Local) -> Option<(Ident, ElementsOf<'_>)> {
    let syn::Pat::Ident(p) = &l.pat else { return None };
    let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
    let plain = p.mutability.is_some() && p.by_ref.is_none() && p.subpat.is_none();
    plain.then(|| Some((p.ident.clone(), ElementsOf::of(&init.expr)?))).flatten()
}

/// How a name is used.
struct NameUses<'n> {
    name: &'n Ident,
    all: usize,
    /// In `it.next()`.
    next: usize,
    binds: bool,
}

fn is_next(e: &Expr, name: &Ident) -> bool {
    matches!(e, Expr::MethodCall(m) if m.method == "next" && m.args.is_empty()
        && matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(name)))
}

impl<'ast> Visit<'ast> for NameUses<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        self.next += usize::from(is_next(e, self.name));
        syn::visit::visit_expr(self, e);
    }
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.all += usize::from(i == self.name);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.binds |= crate::iterate::loops::code_sinking::mentions(m.tokens.clone(), &self.name.to_string());
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.binds |= p.ident == *self.name;
        syn::visit::visit_pat_ident(self, p);
    }
}

struct PutNext<'n> {
    name: &'n Ident,
    next: &'n Expr,
}

impl VisitMut for PutNext<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if is_next(e, self.name) {
            *e = self.next.clone();
        } else {
            syn::visit_mut::visit_expr_mut(self, e);
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether an expression is an iterator of an array: its adaptors end in `x.iter()`, `x[a..].windows(n)`.
fn is_iterator(e: &Expr) -> bool {
    let Expr::MethodCall(m) = e else { return false };
    match (m.method.to_string().as_str(), m.args.len()) {
        ("iter", 0) | ("windows" | "chunks" | "chunks_exact", 1) => is_place(&m.receiver),
        ("enumerate" | "rev" | "copied" | "cloned", 0)
        | ("skip" | "take" | "step_by" | "zip" | "chain" | "map" | "filter", 1) => is_iterator(&m.receiver),
        _ => false,
    }
}

/// The uses of a name, and whether it is bound again.
struct Uses<'n> {
    name: &'n Ident,
    of: usize,
    binds: bool,
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.of += usize::from(i == self.name);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        // What a macro does with it, nobody knows.
        self.binds |= crate::iterate::loops::code_sinking::mentions(m.tokens.clone(), &self.name.to_string());
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.binds |= p.ident == *self.name;
        syn::visit::visit_pat_ident(self, p);
    }
}

/// The same where control surely comes.
struct Surely<'n>(Uses<'n>);

impl<'ast> Visit<'ast> for Surely<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::If(i) => self.visit_expr(&i.cond),
            Expr::Match(m) => self.visit_expr(&m.expr),
            Expr::ForLoop(f) => self.visit_expr(&f.expr),
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) => {
                self.visit_expr(&b.left);
            }
            Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) | Expr::Block(_) => {}
            _ => syn::visit::visit_expr(self, e),
        }
    }
    fn visit_ident(&mut self, i: &'ast Ident) {
        self.0.visit_ident(i);
    }
}

/// Whether the making of an iterator may fail: it has checks of ranges, sizes or arithmetic.
fn may_fail(e: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.0 |= match e {
                Expr::Index(_) | Expr::Binary(_) | Expr::Unary(_) | Expr::Call(_) | Expr::Macro(_) => true,
                Expr::MethodCall(m) => {
                    let safe = [
                        "len",
                        "iter",
                        "rev",
                        "enumerate",
                        "zip",
                        "take",
                        "skip",
                        "map",
                        "filter",
                        "copied",
                        "cloned",
                        "chain",
                    ];
                    !safe.iter().any(|name| m.method == name)
                }
                _ => false,
            };
            // What closures do happens where the items are.
            if !matches!(e, Expr::Closure(_)) {
                syn::visit::visit_expr(self, e);
            }
        }
    }
    let mut find = Find(false);
    find.visit_expr(e);
    find.0
}

/// Arrays of which an iterator has elements.
struct Borrowed(Vec<String>);

impl Borrowed {
    fn place(&mut self, e: &Expr) {
        match e {
            Expr::Path(p) => self.0.extend(p.path.get_ident().map(ToString::to_string)),
            Expr::Paren(p) => self.place(&p.expr),
            Expr::Field(f) => self.place(&f.base),
            Expr::Index(x) => self.place(&x.expr),
            Expr::Unary(u) => self.place(&u.expr),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Borrowed {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::MethodCall(m) if is_iterator(e) && is_place(&m.receiver) => self.place(&m.receiver),
            Expr::Reference(r) if r.mutability.is_none() => self.place(&r.expr),
            _ => {}
        }
        syn::visit::visit_expr(self, e);
    }

    // What closures name is theirs to borrow or to copy.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

/// All names that are bound.
#[derive(Default)]
struct Bound(Vec<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.0.push(p.ident.to_string());
        syn::visit::visit_pat_ident(self, p);
    }
}

/// Whether the name is bound again.
struct PartsUses<'n> {
    name: &'n Ident,
    binds: bool,
}

impl<'ast> Visit<'ast> for PartsUses<'_> {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.binds |= p.ident == *self.name;
        syn::visit::visit_pat_ident(self, p);
    }
}

struct PutParts<'n> {
    name: &'n Ident,
    parts: &'n Expr,
    rest: &'n Expr,
}

impl PutParts<'_> {
    fn is_name(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_name(&p.expr),
            Expr::Reference(r) => self.is_name(&r.expr),
            Expr::Path(p) => p.path.is_ident(self.name),
            _ => false,
        }
    }
}

impl VisitMut for PutParts<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::MethodCall(m)
                if m.method == "remainder" && m.args.is_empty() && self.is_name(&m.receiver) =>
            {
                *e = self.rest.clone();
            }
            e if self.is_name(e) => *e = self.parts.clone(),
            e => syn::visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `x[a..][..n]` as `x[a..a + n]`: if `a + n` has no value, both panic. `a` is evaluated twice, so it is a number that nothing changes.
pub fn join(e: &mut Expr) {
    let Expr::Index(outer) = e else { return };
    join(&mut outer.expr);
    let Expr::Range(r) = &*outer.index else { return };
    let (None, Some(n)) = (&r.start, &r.end) else { return };
    let Expr::Index(inner) = inside(&outer.expr) else { return };
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

fn inside(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => inside(&p.expr),
        Expr::Group(g) => inside(&g.expr),
        other => other,
    }
}

/// Names, fields and numbers, and what operators make of them.
pub(in crate::iterate) fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(p) => is_number(&p.expr),
        Expr::Group(g) => is_number(&g.expr),
        Expr::Field(f) => is_number(&f.base),
        Expr::Cast(c) => is_number(&c.expr),
        Expr::Unary(u) => is_number(&u.expr),
        Expr::Index(x) => is_number(&x.expr) && is_number(&x.index),
        Expr::Binary(b) => {
            !crate::sema::reduction::updates::is_assignment(&b.op)
                && is_number(&b.left)
                && is_number(&b.right)
        }
        Expr::MethodCall(m) => m.method == "len" && m.args.is_empty() && is_place(&m.receiver),
        _ => false,
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

/// Whether only slices have a method of this name.
fn of_slices_alone(name: &str) -> bool {
    matches!(name, "partition_point" | "copy_from_slice" | "clone_from_slice" | "is_sorted")
        || name.starts_with("binary_search")
        || name.starts_with("sort_")
}

/// Methods of arrays and slices, with their numbers of arguments.
pub const WHOLE: [(&str, usize); 19] = [
    ("is_sorted", 0),
    ("rotate_left", 1),
    ("rotate_right", 1),
    ("binary_search", 1),
    ("binary_search_by", 1),
    ("binary_search_by_key", 2),
    ("partition_point", 1),
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
