//! Named ranges: `let r = a..b;` in a body, or in the function around the region.
//!
//! A range is not a value on a device. In a body, its ends become variables, and each use of the name becomes the range
//! of these. A range from outside stays the user's: its ends are read at the uses, and rustc checks that it is a
//! `Range`.
use crate::diag::begin;
use crate::iterate::loops::chain::IteratedBy;
use crate::iterate::loops::items::statement;
use crate::iterate::loops::walk::{Meaning, Walk, known};
use crate::iterate::tokens::{made, parentheses};
use proc_macro2::Span;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Ident, Pat, RangeLimits, Stmt, Type};

/// The ends of a range.
struct Ends {
    lo: Expr,
    hi: Expr,
    inclusive: bool,
}

impl Ends {
    /// The range, written out.
    fn range(&self, span: Span) -> Expr {
        let Self { lo, hi, inclusive } = self;
        made(if *inclusive { quote_spanned!(span=> #lo..=#hi) } else { quote_spanned!(span=> #lo..#hi) })
    }
}

impl Walk<'_> {
    /// `let r = a..b;` as variables of the range's ends. Nothing can change them: `r` is not `mut`.
    pub(in crate::iterate) fn range_let(&mut self, s: &mut Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let (name, of) = match &l.pat {
            Pat::Type(t) => (&*t.pat, element_type(&t.ty)?),
            pat => (pat, quote!(_)),
        };
        let Pat::Ident(name) = name else { return None };
        if name.mutability.is_some() || name.by_ref.is_some() || name.subpat.is_some() {
            return None;
        }
        let init = l.init.as_mut().filter(|init| init.diverge.is_none())?;
        let range = written_out(&mut init.expr)?;
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let (Some(first), Some(end)) = (&mut range.start, &mut range.end) else { return None };
        self.visit_expr_mut(first);
        self.visit_expr_mut(end);
        let (lo, hi) = (self.fresh("first", first.span()), self.fresh("end", end.span()));
        let lets = [
            statement(quote_spanned!(first.span()=> let #lo: #of = #first;)),
            statement(quote_spanned!(end.span()=> let #hi: #of = #end;)),
            // Both ends are of one type.
            statement(quote_spanned!(name.span()=> let _ = [#lo, #hi];)),
        ];
        let scope = self.scopes.last_mut().expect("never empty");
        scope.insert(name.ident.to_string(), Meaning::Range { lo, hi, inclusive });
        Some(lets.into())
    }

    /// The ends of the range that an expression names.
    fn ends(&mut self, e: &Expr) -> Option<Ends> {
        match e {
            Expr::Paren(p) => self.ends(&p.expr),
            Expr::Group(g) => self.ends(&g.expr),
            Expr::Path(p) if p.qself.is_none() => {
                let name = p.path.get_ident()?;
                if let Some(Meaning::Range { lo, hi, inclusive }) = self.meaning(name) {
                    let end = |end: &Ident| {
                        made(
                            Ident::new(&end.to_string(), end.span().located_at(e.span())).into_token_stream(),
                        )
                    };
                    return Some(Ends { lo: end(lo), hi: end(hi), inclusive: *inclusive });
                }
                if known(&self.scopes, self.kinds, name) != Some(IteratedBy::Range) {
                    return None;
                }
                self.ranges.push(name.clone());
                let (lo, hi) =
                    (quote_spanned!(name.span()=> #name.start), quote_spanned!(name.span()=> #name.end));
                Some(Ends { lo: made(lo), hi: made(hi), inclusive: false })
            }
            _ => None,
        }
    }

    /// Whether a name is that of a range.
    pub(in crate::iterate) fn names_range(&self, name: &Ident) -> bool {
        matches!(self.meaning(name), Some(Meaning::Range { .. }))
            || known(&self.scopes, self.kinds, name) == Some(IteratedBy::Range)
    }

    /// Replaces a range's name by its ends, and its methods by their results.
    pub(in crate::iterate) fn named_range(&mut self, e: &mut Expr) -> bool {
        let span = begin(e);
        match e {
            Expr::Path(_) => match self.ends(e) {
                Some(ends) => *e = ends.range(span),
                None => return false,
            },
            Expr::Field(f) => match (&f.member, self.ends(&f.base)) {
                (syn::Member::Named(end), Some(Ends { lo, hi, inclusive: false }))
                    if end == "start" || end == "end" =>
                {
                    *e = if end == "start" { lo } else { hi };
                }
                _ => return false,
            },
            Expr::MethodCall(m) => {
                let Some(ends) = self.ends(&m.receiver) else { return false };
                let Ends { lo, hi, inclusive } = &ends;
                // A user's method by value comes before those that take `&self`; of two by value rustc tells.
                let by_reference = ["clone", "len", "is_empty", "start", "end"];
                if m.args.is_empty() && by_reference.iter().any(|name| m.method == name) {
                    let range = parentheses(ends.range(m.receiver.span()).into_token_stream());
                    let name = syn::LitStr::new(&m.method.to_string(), m.method.span());
                    self.asked.push(statement(quote_spanned!(m.method.span()=>
                        ::omp::__private::of_range(#range, #name);
                    )));
                }
                match (m.method.to_string().as_str(), m.args.len()) {
                    ("clone", 0) => *e = ends.range(span),
                    ("start", 0) if *inclusive => *e = made(parentheses(quote_spanned!(span=> &#lo))),
                    ("end", 0) if *inclusive => *e = made(parentheses(quote_spanned!(span=> &#hi))),
                    ("len", 0) => {
                        *e = made(quote_spanned!(span=> ::omp::__private::trips(#lo, #hi, #inclusive)));
                    }
                    ("is_empty", 0) => {
                        let some = if *inclusive { quote!(#lo <= #hi) } else { quote!(#lo < #hi) };
                        let some = parentheses(some);
                        *e = made(parentheses(quote_spanned!(span=> !#some)));
                    }
                    _ => {
                        *m.receiver = made(parentheses(ends.range(span).into_token_stream()));
                        m.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// What shows rustc that the ranges from outside are such.
    pub(in crate::iterate) fn judged_ranges(self) -> Vec<Stmt> {
        let one = |name: Ident| {
            statement(quote_spanned!(name.span()=> let ::omp::__private::core::ops::Range { .. } = #name;))
        };
        let mut seen = std::collections::HashSet::new();
        self.ranges.into_iter().filter(|name| seen.insert(name.to_string())).map(one).collect()
    }
}

/// A range as it stands in parentheses.
fn written_out(e: &mut Expr) -> Option<&mut syn::ExprRange> {
    match e {
        Expr::Paren(p) => written_out(&mut p.expr),
        Expr::Group(g) => written_out(&mut g.expr),
        Expr::Range(r) => Some(r),
        _ => None,
    }
}

/// `T` of `Range<T>`.
fn element_type(ty: &Type) -> Option<proc_macro2::TokenStream> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    if last.ident != "Range" && last.ident != "RangeInclusive" {
        return None;
    }
    match &last.arguments {
        syn::PathArguments::None => Some(quote!(_)),
        syn::PathArguments::AngleBracketed(a) => a.args.first().map(ToTokens::to_token_stream),
        syn::PathArguments::Parenthesized(_) => None,
    }
}
