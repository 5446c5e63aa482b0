//! Options of an array's elements: `x.get(i)`, `x.first()` and `x.last()` become options of the value, and `x.get_mut(i)` and its like
//! options of the element's number, or conditions on it.
use super::super::arrays::behind;
use super::super::parts::Found;
use super::super::{array_depths, closure, pipeline, splits};
use super::option;
use crate::expand::found::in_found;
use crate::iterate::loops::chain::Item;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{made, parentheses};
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::place;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Pat};

impl Walk<'_> {
    /// `x.get(i)`, `x.first()`, `x.last()` of an array, as an option of the element.
    pub(super) fn element_of(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let span = m.method.span();
        let array = &m.receiver;
        let index = match (m.method.to_string().as_str(), m.args.len()) {
            ("get", 1) => m.args[0].to_token_stream(),
            ("first" | "last", 0) => quote_spanned!(span=> 0usize),
            _ => return None,
        };
        let is_array = self.is_array(array) || self.is_row(array);
        if !is_array || matches!(m.args.first(), Some(Expr::Range(_))) {
            return None;
        }
        let mut m = m.clone();
        // (`x[..].get(i)` uses an element alone.)
        *m.receiver = splits::whole(&m.receiver).clone();
        let before = self.subscripts_first(&mut m.receiver, m.args.first());
        let array = &m.receiver;
        let index =
            if m.method == "last" { quote_spanned!(span=> #array.len().wrapping_sub(1)) } else { index };
        let (option, at) = (option(span), self.fresh("index", span));
        Some(made(quote_spanned!(span=> {
            #before
            let #at = #index;
            if #at < #array.len() { #option::Some(#array[#at]) } else { #option::None }
        })))
    }

    /// Whether an element, or a reference to one, is an array, by the declaration of the array that it is in.
    fn is_row(&self, e: &Expr) -> bool {
        fn in_place(e: &mut Expr, walk: &Walk<'_>) {
            match e {
                Expr::Index(x) => in_place(&mut x.expr, walk),
                name => {
                    if let Some(Item::Element { place, .. }) = walk.item(name) {
                        *name = place;
                    }
                }
            }
        }
        let mut place = strip(e).clone();
        if place::root(&place).is_none_or(array_depths::has_own_get) {
            return false;
        }
        if !matches!(place, Expr::Index(_)) {
            return self.is_bound_in_body(&place) && array_depths::is_row(&place);
        }
        in_place(&mut place, self);
        array_depths::is_array(&place) || array_depths::is_subscripted(e)
    }

    /// `o.and_then(|k| x.get(k))`, as an option of the element; not yet walked through.
    pub(super) fn element_found(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (true, Some(Expr::Closure(c))) = (m.method == "and_then" && m.args.len() == 1, m.args.first())
        else {
            return None;
        };
        let Expr::MethodCall(found) = strip(&c.body) else { return None };
        if let Some(element) = self.element_of_row(m, c, found).or_else(|| self.element_of_part(m, c, found))
        {
            return Some(element);
        }
        self.element_of(found)?;
        let (mut m, mut c, span) = (m.clone(), c.clone(), found.method.span());
        *c.body = made(quote_spanned!(span=> #found.copied()));
        m.args[0] = Expr::Closure(c);
        self.combined(&Expr::MethodCall(m))
    }

    /// `x.get(j).and_then(|row| row.get(i))` of an array of arrays, as an option of the element; not yet walked through.
    fn element_of_row(
        &mut self,
        m: &ExprMethodCall,
        c: &syn::ExprClosure,
        found: &ExprMethodCall,
    ) -> Option<Expr> {
        let (Expr::MethodCall(of), Expr::Path(row)) = (strip(&m.receiver), strip(&found.receiver)) else {
            return None;
        };
        let name = pattern::plain_name(c.inputs.first().filter(|_| c.inputs.len() == 1)?)?;
        let alone = row.path.is_ident(name)
            && !found.args.iter().any(|e| mentions(e.to_token_stream(), &name.to_string()));
        let Expr::Block(outer) = self.element_of(of).filter(|_| alone)? else { return None };
        // The element under its condition is the row.
        let Some(syn::Stmt::Expr(Expr::If(mut i), None)) = outer.block.stmts.last().cloned() else {
            return None;
        };
        let Some(syn::Stmt::Expr(Expr::Call(some), None)) = i.then_branch.stmts.last() else { return None };
        let place = some.args.first().filter(|place| self.is_row(place))?;
        let (mut found, span) = (found.clone(), found.method.span());
        *found.receiver = place.clone();
        i.then_branch.stmts = vec![syn::Stmt::Expr(made(quote_spanned!(span=> #found.copied())), None)];
        let mut outer = outer;
        *outer.block.stmts.last_mut()? = syn::Stmt::Expr(Expr::If(i), None);
        Some(Expr::Block(outer))
    }

    /// `x.get(i)?`, `x.get(i).ok_or(e)?` and `x.iter().max()?`, references that `?` leaves of a device function or a closure: the value, not yet walked through.
    pub(in crate::iterate) fn tried_reference(&mut self, e: &Expr) -> Option<Expr> {
        match strip(e) {
            Expr::Try(t) if self.device_fn => {
                let mut value = t.clone();
                *value.expr = self.copied_element(&t.expr)?;
                Some(Expr::Try(value))
            }
            // As a closure has it.
            Expr::Match(m) if closure::is_tried(m) => {
                let mut value = m.clone();
                *value.expr = self.copied_element(&m.expr)?;
                Some(made(parentheses(value.into_token_stream())))
            }
            _ => None,
        }
    }

    /// `x.get(i)` or `x.iter().max()`, with `.ok_or(e)` after it or not, of the value.
    fn copied_element(&mut self, e: &Expr) -> Option<Expr> {
        if let Expr::Call(c) = e {
            return in_found(c).cloned();
        }
        let Expr::MethodCall(m) = e else { return None };
        match (m.method.to_string().as_str(), m.args.len()) {
            ("ok_or" | "ok_or_else", 1) => {
                let mut m = m.clone();
                *m.receiver = self.copied_element(&m.receiver)?;
                Some(Expr::MethodCall(m))
            }
            _ if self.referenced(m).is_some()
                || pipeline::finds_a_reference(m) && self.is_pipeline(&m.receiver) =>
            {
                Some(made(quote_spanned!(m.method.span()=> #m.copied())))
            }
            _ => None,
        }
    }

    /// `x.get(a..b).and_then(|part| part.first())` and `x.get(a..b).and_then(|part| part.first_chunk::<4>())`, as an option of the value;
    /// not yet walked through.
    fn element_of_part(
        &mut self,
        m: &ExprMethodCall,
        c: &syn::ExprClosure,
        found: &ExprMethodCall,
    ) -> Option<Expr> {
        let (Expr::MethodCall(of), Expr::Path(part)) = (strip(&m.receiver), strip(&found.receiver)) else {
            return None;
        };
        let name = pattern::plain_name(c.inputs.first().filter(|_| c.inputs.len() == 1)?)?;
        let (mut found, span) = (found.clone(), found.method.span());
        *found.receiver = made(quote_spanned!(span=> ()));
        if !part.path.is_ident(name) || mentions(found.to_token_stream(), &name.to_string()) {
            return None;
        }
        let Found { names, is_there, place } = self.found(of)?;
        *found.receiver = behind(&place).clone();
        let (value, option) = (self.element_of(&found).or_else(|| self.chunk_of(&found))?, option(span));
        Some(made(quote_spanned!(span=> {
            #(#names)*
            if #is_there { #value } else { #option::None }
        })))
    }

    /// The number of the element that `x.get_mut(i)` of an array is.
    pub(super) fn mutable_index<'m>(&mut self, m: &'m ExprMethodCall) -> Option<(&'m Expr, TokenStream)> {
        let (span, receiver) = (m.method.span(), &*m.receiver);
        let (array, range) = match receiver {
            Expr::Index(x) => match &*x.index {
                Expr::Range(r) => (&*x.expr, Some(r)),
                _ => return None,
            },
            array => (array, None),
        };
        let is_array = match array {
            Expr::Path(_) => self.is_array(array),
            // (What has a part is known to be an array.)
            Expr::Field(_) => range.is_some() && splits::is_variable(array),
            _ => false,
        };
        let is_part = matches!(m.args.first(), Some(Expr::Range(_)));
        if !is_array || is_part {
            return None;
        }
        let index = |of: TokenStream| {
            Some(match (m.method.to_string().as_str(), m.args.len()) {
                ("get_mut", 1) => m.args[0].to_token_stream(),
                ("first_mut", 0) => quote_spanned!(span=> 0usize),
                ("last_mut", 0) => quote_spanned!(span=> #of.len().wrapping_sub(1)),
                _ => return None,
            })
        };
        let Some(range) = range.filter(|r| r.start.is_some() || r.end.is_some()) else {
            return Some((array, index(receiver.to_token_stream())?));
        };
        // The number in the whole array.
        let [from, part, at] = ["from", "part", "at"].map(|name| self.fresh(name, span));
        let index = index(part.to_token_stream())?;
        let usize = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let (limits, end) = (&range.limits, &range.end);
        let start = range.start.as_ref().map_or_else(|| quote_spanned!(span=> 0), ToTokens::to_token_stream);
        Some((
            array,
            quote_spanned!(span=> {
                let #from: #usize = #start;
                let #part = &#array[#from #limits #end];
                let #at: #usize = #index;
                if #at < #part.len() { #from + #at } else { #usize::MAX }
            }),
        ))
    }

    /// `x.get_mut(i)` of an array, as an option of the number of the element; and the array.
    pub(super) fn mutable_element_of(&mut self, m: &ExprMethodCall) -> Option<(Expr, Expr)> {
        let ((array, index), span) = (self.mutable_index(m)?, m.method.span());
        let (option, at) = (option(span), self.fresh("index", span));
        let option = made(quote_spanned!(span=> {
            let #at: ::omp::__private::core::primitive::usize = #index;
            if #at < #array.len() { #option::Some(#at) } else { #option::None }
        }));
        Some((option, self.place_of(array)))
    }

    /// The place of an array: the name of a row stands for one.
    fn place_of(&mut self, array: &Expr) -> Expr {
        self.element(array).unwrap_or_else(|| {
            let mut place = array.clone();
            self.visit_expr_mut(&mut place);
            place
        })
    }

    /// `Some(v) = x.get_mut(i)`: the number of the element under a name, whether there is one, and what `v` is.
    fn mutable_binding(&mut self, pat: &Pat, value: &Expr) -> Option<(syn::Stmt, Expr, syn::Stmt)> {
        let (Pat::TupleStruct(some), Expr::MethodCall(m)) = (pat, strip(value)) else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let name = pattern::plain_name(&some.elems[0])?;
        let ((array, index), span) = (self.mutable_index(m)?, m.method.span());
        let (at, element) = (self.fresh("index", span), self.fresh("element", span));
        let place = self.place_of(array);
        let place = made(quote_spanned!(span=> #place[#at]));
        let item = Meaning::Item(Item::Element { place, mutable: true });
        self.scopes.last_mut().expect("never empty").insert(element.to_string(), item);
        Some((
            syn::parse_quote_spanned!(span=> let #at: ::omp::__private::core::primitive::usize = #index;),
            made(quote_spanned!(span=> #at < #array.len())),
            syn::parse_quote_spanned!(name.span()=> let #name = #element;),
        ))
    }

    /// `if let Some(v) = x.get_mut(i) { … }`: a condition on `i`, so that the subscript is known as the one that the user wrote.
    pub(in crate::iterate) fn if_mutable(&mut self, i: &syn::ExprIf) -> Option<Expr> {
        let Expr::Let(l) = &*i.cond else { return None };
        let (number, is_there, element) = self.mutable_binding(&l.pat, &l.expr)?;
        let (stmts, span) = (&i.then_branch.stmts, l.expr.span());
        let els = i.else_branch.as_ref().map(|(_, e)| quote_spanned!(span=> else #e));
        Some(made(quote_spanned!(span=> { #number if #is_there { #element #(#stmts)* } #els })))
    }

    /// `let Some(v) = x.get_mut(i) else { … };`
    pub(in crate::iterate) fn let_mutable(&mut self, s: &syn::Stmt) -> Option<[syn::Stmt; 3]> {
        let syn::Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref()?;
        let (_, diverge) = init.diverge.as_ref()?;
        let (number, is_there, element) = self.mutable_binding(&l.pat, &init.expr)?;
        let unless = syn::parse_quote_spanned!(init.expr.span()=> if !(#is_there) #diverge);
        Some([number, unless, element])
    }
}
