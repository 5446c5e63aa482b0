//! Patterns: tests and bindings on places. An identifier that starts with a capital is a const; any other is rewritten
//! to `n @ _` in the copy, which rustc refuses if a const has that name.
//!
//! Literals in patterns can't be wrapped in a question. Where they stand for the whole subject, the subject is asked;
//! deeper ones are asked through a pattern beside it that binds what stands in their place.
use super::cx::{Flow, Lower, Name};
use super::place::{is_capital, strip_parens, strip_parens_mut};
use crate::diag::Code as DiagCode;
use omp_kernels::ir::ids::{ExprId, SlotId};
use omp_kernels::ir::template::{Base, BinOp, Code, Expr, LocalKind, Place, Projection, Stmt, TyRef};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// What a pattern is held against.
pub(super) enum Subject {
    /// A value that has a name.
    Place(Place),
    /// The elements of a tuple that is never made.
    Elems(Vec<Subject>),
}

impl Subject {
    /// The subject of a value that is the load of a place.
    pub fn of(code: &Code, value: ExprId) -> Self {
        match &code.exprs[value.index()].expr {
            Expr::Load(p) => Self::Place(p.clone()),
            _ => unreachable!("subjects are loads"),
        }
    }
}

/// A variable that a pattern binds.
pub(super) struct Bound {
    pub ident: Ident,
    pub place: Place,
    pub mutable: bool,
}

impl Lower {
    /// Evaluates what patterns are held against, and asks for the types of their literals.
    pub fn subject_of(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) -> Option<Subject> {
        if let syn::Expr::Tuple(t) = strip_parens(e)
            && !t.elems.is_empty()
            && pats.iter().all(|p| splits(p, t.elems.len()))
        {
            let syn::Expr::Tuple(t) = strip_parens_mut(e) else { unreachable!("seen") };
            let mut elems = Vec::new();
            let mut values = Vec::new();
            for (i, elem) in t.elems.iter_mut().enumerate() {
                let mut parts: Vec<&mut syn::Pat> = Vec::new();
                for p in pats.iter_mut() {
                    part(p, i, &mut parts);
                }
                let mark = self.mark();
                let value = self.subject_value(elem, &mut parts)?;
                self.settle(&mut values, mark);
                values.push(value);
            }
            for value in values {
                elems.push(self.named(value));
            }
            return Some(Subject::Elems(elems));
        }
        let value = self.subject_value(e, pats)?;
        Some(self.named(value))
    }

    /// As [`Lower::subject_of`] for one pattern.
    pub fn subject(&mut self, e: &mut syn::Expr, pat: &mut syn::Pat) -> Option<Subject> {
        self.subject_of(e, &mut [pat])
    }

    fn subject_value(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) -> Option<ExprId> {
        let value = self.value(e)?;
        self.ask_literals(e, pats);
        Some(value)
    }

    /// A value that is evaluated once.
    pub fn named(&mut self, value: ExprId) -> Subject {
        let simple = matches!(&self.code.exprs[value.index()].expr, Expr::Load(p)
            if !matches!(p.base, Base::Array(_)) && !p.projections.iter().any(|p| matches!(p, Projection::Index { .. })));
        let value = if simple && self.is_stable(value) { value } else { self.temp("subject", value) };
        Subject::of(&self.code, value)
    }

    // ------------------------------------------------------------------------------------------ literals' types

    fn ask_literals(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) {
        let span = e.span();
        if pats.iter().any(|p| has_literal(p, true)) {
            let slot = self.ask(e, "pass", span);
            pats.iter_mut().for_each(|p| mark_direct(p, slot));
        }
        let mut beside = TokenStream::new();
        let subject = self.fresh("m", span);
        for p in pats.iter_mut().filter(|p| has_literal(p, false)) {
            for case in cases(p) {
                let mut sees = TokenStream::new();
                let shape = self.shape(case, &mut sees);
                beside.extend(quote!(if let #shape = #subject { #sees }));
            }
        }
        if !beside.is_empty() {
            *e = super::expr::wrapped(quote!(let #subject = #e; #beside #subject), span);
        }
    }

    /// The pattern that binds what stands in the place of each literal, and asks for its type.
    fn shape(&mut self, p: &mut syn::Pat, sees: &mut TokenStream) -> TokenStream {
        let span = p.span();
        if is_literal(p) {
            let ident = self.fresh("p", span);
            let (slot, ask) = self.slot(span);
            mark_direct(p, slot);
            sees.extend(quote_spanned!(span=> #ask.see_any(&#ident);));
            return quote!(#ident);
        }
        match p {
            syn::Pat::Paren(p) => self.shape(&mut p.pat, sees),
            syn::Pat::Reference(r) => {
                let inner = self.shape(&mut r.pat, sees);
                quote!(&#inner)
            }
            syn::Pat::Ident(i) => match &mut i.subpat {
                Some((_, p)) => self.shape(p, sees),
                None if i.ident == "None" => quote!(None),
                None => quote!(_),
            },
            syn::Pat::Tuple(t) => {
                let elems: Vec<_> = t.elems.iter_mut().map(|p| self.shape(p, sees)).collect();
                quote!((#(#elems,)*))
            }
            syn::Pat::TupleStruct(t) => {
                let elems: Vec<_> = t.elems.iter_mut().map(|p| self.shape(p, sees)).collect();
                let path = &t.path;
                quote!(#path(#(#elems,)*))
            }
            syn::Pat::Struct(s) => {
                let fields: Vec<_> = s
                    .fields
                    .iter_mut()
                    .map(|f| {
                        let (member, pat) = (f.member.clone(), self.shape(&mut f.pat, sees));
                        quote!(#member: #pat)
                    })
                    .collect();
                let path = &s.path;
                quote!(#path { #(#fields,)* .. })
            }
            syn::Pat::Rest(_) => quote!(..),
            syn::Pat::Or(o) if o.cases.iter().any(|c| has_literal(c, true) || has_literal(c, false)) => {
                let first = o.cases.iter().position(|c| has_literal(c, true));
                match first {
                    // Alternatives of one place have one type.
                    Some(_) if !o.cases.iter().any(|c| has_literal(c, false)) => {
                        let ident = self.fresh("p", span);
                        let (slot, ask) = self.slot(span);
                        o.cases.iter_mut().for_each(|c| mark_direct(c, slot));
                        sees.extend(quote_spanned!(span=> #ask.see_any(&#ident);));
                        quote!(#ident)
                    }
                    _ => {
                        let help = "write the alternatives as arms of their own";
                        self.later(span, "alternatives of this shape inside a pattern", help);
                        quote!(_)
                    }
                }
            }
            _ => quote!(_),
        }
    }

    // ------------------------------------------------------------------------------------------ tests and bindings

    /// The test of a pattern (`None`: always true) and what it binds. Rewrites the pattern for the copy.
    pub fn test_and_bind(&mut self, subject: &Subject, p: &mut syn::Pat) -> (Option<ExprId>, Vec<Bound>) {
        let mut bound = Vec::new();
        let test = self.pattern(subject, p, &mut bound);
        (test, bound)
    }

    /// Declares the variables of a pattern.
    pub fn bind_all(&mut self, bound: Vec<Bound>, sees: &mut Vec<syn::Stmt>) {
        for b in bound {
            let src = self.src(b.ident.span());
            let (slot, see) = self.ask_local(&b.ident);
            sees.push(see);
            let place = self.copy_place(&b.place);
            let init = self.expr(Expr::Load(place), src);
            let kind = if self.is_slice(init) { LocalKind::Slice } else { LocalKind::User };
            let local = self.local(&b.ident.to_string(), kind, Some(slot), b.mutable);
            self.push(Stmt::Let { local, init: Some(init) });
            self.bind(&b.ident.to_string(), local);
        }
    }

    fn pattern(&mut self, subject: &Subject, p: &mut syn::Pat, bound: &mut Vec<Bound>) -> Option<ExprId> {
        let (span, src) = (p.span(), self.src(p.span()));
        match p {
            syn::Pat::Wild(_) | syn::Pat::Rest(_) => None,
            syn::Pat::Paren(p) => self.pattern(subject, &mut p.pat, bound),
            syn::Pat::Reference(r) => self.pattern(subject, &mut r.pat, bound),
            syn::Pat::Type(t) => self.pattern(subject, &mut t.pat, bound),
            syn::Pat::Ident(i) => self.ident_pattern(subject, i, bound),
            syn::Pat::Or(o) => {
                let mut test = None;
                let (mut always, before) = (false, bound.len());
                for case in &mut o.cases {
                    match (self.pattern(subject, case, bound), test) {
                        (None, _) => always = true,
                        (Some(t), None) => test = Some(t),
                        (Some(t), Some(s)) => test = Some(self.expr(Expr::Binary(BinOp::Or, s, t), src)),
                    }
                }
                if bound.len() > before {
                    let help = "write the alternatives as arms of their own";
                    self.later(span, "a variable in the alternatives of a pattern", help);
                }
                if always { None } else { test }
            }
            syn::Pat::Tuple(t) => {
                let elems = t.elems.iter_mut().enumerate();
                self.parts(subject, elems, span, bound)
            }
            syn::Pat::TupleStruct(t) if super::expr::std_variant(&t.path, "Some") && t.elems.len() == 1 => {
                let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
                let value = self.copy_place(place);
                let value = self.expr(Expr::Load(value), src);
                let some = self.expr(Expr::IsSome(value), src);
                let mut payload = place.clone();
                payload.projections.push(Projection::Payload);
                let inner = self.pattern(&Subject::Place(payload), &mut t.elems[0], bound);
                Some(self.both(some, inner, src))
            }
            syn::Pat::TupleStruct(t) => {
                let elems = t.elems.iter_mut().enumerate();
                self.parts(subject, elems, span, bound)
            }
            syn::Pat::Struct(s) => self.struct_pattern(subject, s, bound),
            syn::Pat::Path(p) => {
                let path = syn::Expr::Path(p.clone());
                self.const_pattern(subject, path)
            }
            syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Const(_) => self.literal_pattern(subject, p),
            _ => {
                self.error(
                    DiagCode::UnsupportedPattern,
                    span,
                    "this pattern can't be used on a device",
                    "literals, ranges, tuples, structs, `Some`, `None`, names and `_` can",
                );
                None
            }
        }
    }

    fn both(&mut self, a: ExprId, b: Option<ExprId>, src: omp_kernels::ir::ids::SrcId) -> ExprId {
        match b {
            Some(b) => self.expr(Expr::Binary(BinOp::And, a, b), src),
            None => a,
        }
    }

    /// Patterns on the fields `.0`, `.1`, … of a tuple.
    fn parts<'p>(
        &mut self,
        subject: &Subject,
        elems: impl ExactSizeIterator<Item = (usize, &'p mut syn::Pat)>,
        span: proc_macro2::Span,
        bound: &mut Vec<Bound>,
    ) -> Option<ExprId> {
        let src = self.src(span);
        let count = elems.len();
        let mut test: Option<ExprId> = None;
        for (i, p) in elems {
            if matches!(p, syn::Pat::Rest(_)) {
                if i + 1 != count {
                    let help = "name the elements with `_`";
                    self.later(p.span(), "`..` before the last place of a tuple pattern", help);
                }
                break;
            }
            let t = match subject {
                Subject::Elems(list) => self.pattern(&list[i], p, bound),
                Subject::Place(place) => {
                    let mut field = place.clone();
                    field.projections.push(Projection::Field(i.to_string()));
                    self.pattern(&Subject::Place(field), p, bound)
                }
            };
            test = match (test, t) {
                (Some(a), t) => Some(self.both(a, t, src)),
                (None, t) => t,
            };
        }
        test
    }

    fn struct_pattern(
        &mut self,
        subject: &Subject,
        s: &mut syn::PatStruct,
        bound: &mut Vec<Bound>,
    ) -> Option<ExprId> {
        let src = self.src(s.span());
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let mut test: Option<ExprId> = None;
        for f in &mut s.fields {
            f.colon_token.get_or_insert_with(Default::default);
            let mut field = place.clone();
            field.projections.push(Projection::Field(super::place::field_name(&f.member)));
            let t = self.pattern(&Subject::Place(field), &mut f.pat, bound);
            test = match (test, t) {
                (Some(a), t) => Some(self.both(a, t, src)),
                (None, t) => t,
            };
        }
        test
    }

    fn ident_pattern(
        &mut self,
        subject: &Subject,
        i: &mut syn::PatIdent,
        bound: &mut Vec<Bound>,
    ) -> Option<ExprId> {
        let src = self.src(i.ident.span());
        if i.ident == "None" && i.subpat.is_none() {
            let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
            let place = self.copy_place(place);
            let value = self.expr(Expr::Load(place), src);
            let some = self.expr(Expr::IsSome(value), src);
            return Some(self.expr(Expr::Unary(omp_kernels::ir::template::UnOp::Not, some), src));
        }
        if i.subpat.is_none() && is_capital(&i.ident) {
            let name = i.ident.to_string();
            let outside = self.captured.as_ref().is_some_and(|c| c.is_variable(&name));
            if matches!(self.lookup(&name), Some(Name::Local(_))) || (self.lookup(&name).is_none() && outside)
            {
                self.capital(&i.ident);
                return None;
            }
            let ident = &i.ident;
            return self.const_pattern(subject, syn::parse_quote!(#ident));
        }
        if i.by_ref.is_some() && i.mutability.is_some() {
            let help = "assign to the variable itself";
            self.error(DiagCode::Reference, i.ident.span(), "`ref mut` has no meaning in a body", help);
        }
        let Subject::Place(place) = subject else { unreachable!("split only where nothing binds the whole") };
        bound.push(Bound { ident: i.ident.clone(), place: place.clone(), mutable: i.mutability.is_some() });
        match &mut i.subpat {
            Some((_, p)) => self.pattern(subject, p, bound),
            None => {
                no_const(i);
                None
            }
        }
    }

    /// `subject == CONST`.
    fn const_pattern(&mut self, subject: &Subject, mut path: syn::Expr) -> Option<ExprId> {
        let src = self.src(path.span());
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let place = self.copy_place(place);
        let lhs = self.expr(Expr::Load(place), src);
        let rhs = self.value(&mut path)?;
        Some(self.expr(Expr::Binary(BinOp::Eq, lhs, rhs), src))
    }

    fn literal_pattern(&mut self, subject: &Subject, p: &mut syn::Pat) -> Option<ExprId> {
        let src = self.src(p.span());
        let slot = take_slot(p).map(TyRef::Slot);
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        match p {
            syn::Pat::Lit(l) => {
                let literal = syn::Expr::Lit(l.clone());
                let rhs = self.literal_of(&literal, slot)?;
                if let Expr::Bool(value) = self.code.exprs[rhs.index()].expr {
                    let place = self.copy_place(place);
                    let test = self.expr(Expr::Load(place), src);
                    let not = omp_kernels::ir::template::UnOp::Not;
                    return Some(if value { test } else { self.expr(Expr::Unary(not, test), src) });
                }
                Some(self.compare(place, BinOp::Eq, rhs))
            }
            syn::Pat::Range(r) => {
                let upper =
                    if matches!(r.limits, syn::RangeLimits::Closed(_)) { BinOp::Le } else { BinOp::Lt };
                let mut test = None;
                for (bound, op) in [(&r.start, BinOp::Ge), (&r.end, upper)] {
                    let Some(bound) = bound else { continue };
                    let rhs = match strip_parens(bound) {
                        syn::Expr::Path(_) => self.value(&mut (**bound).clone())?,
                        literal => self.literal_of(literal, slot)?,
                    };
                    let t = self.compare(place, op, rhs);
                    test = Some(match test {
                        Some(a) => self.both(a, Some(t), src),
                        None => t,
                    });
                }
                test
            }
            other => {
                let help = "name it: `const LIMIT: u32 = …;`";
                self.error(
                    DiagCode::UnsupportedPattern,
                    other.span(),
                    "`const` blocks can't stand in patterns",
                    help,
                );
                None
            }
        }
    }

    fn compare(&mut self, place: &Place, op: BinOp, rhs: ExprId) -> ExprId {
        let src = self.code.exprs[rhs.index()].src;
        let place = self.copy_place(place);
        let lhs = self.expr(Expr::Load(place), src);
        self.expr(Expr::Binary(op, lhs, rhs), src)
    }

    /// A variable's name in a device function: one with a capital could be a const.
    pub fn lower_case(&mut self, ident: &Ident) -> Flow {
        if self.captured.is_none() && is_capital(ident) {
            self.capital(ident);
            return None;
        }
        Some(())
    }

    fn capital(&mut self, ident: &Ident) {
        self.error(
            DiagCode::UnsupportedPattern,
            ident.span(),
            format!("`{ident}` is read as a const, as it starts with a capital"),
            "name variables in lower case",
        );
    }
}

/// `n` becomes `n @ _`, which can't be a const.
pub(super) fn no_const(i: &mut syn::PatIdent) {
    i.subpat = Some((
        Default::default(),
        Box::new(syn::Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Default::default() })),
    ));
}

/// Whether a pattern can be held against the elements of a tuple one by one.
fn splits(p: &syn::Pat, n: usize) -> bool {
    match p {
        syn::Pat::Wild(_) => true,
        syn::Pat::Paren(p) => splits(&p.pat, n),
        syn::Pat::Tuple(t) => t.elems.len() == n && !t.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))),
        syn::Pat::Or(o) => o.cases.iter().all(|c| splits(c, n)),
        _ => false,
    }
}

/// The parts of a pattern that are held against element `i`.
fn part<'p>(p: &'p mut syn::Pat, i: usize, parts: &mut Vec<&'p mut syn::Pat>) {
    match p {
        syn::Pat::Paren(p) => part(&mut p.pat, i, parts),
        syn::Pat::Tuple(t) => parts.extend(t.elems.iter_mut().nth(i)),
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(|c| part(c, i, parts)),
        _ => {}
    }
}

/// The alternatives of a pattern.
fn cases(p: &mut syn::Pat) -> Vec<&mut syn::Pat> {
    match p {
        syn::Pat::Paren(p) => cases(&mut p.pat),
        syn::Pat::Or(o) => o.cases.iter_mut().flat_map(cases).collect(),
        p => vec![p],
    }
}

/// A literal or range whose type the tokens don't show.
fn is_literal(p: &syn::Pat) -> bool {
    let open = |e: &syn::Expr| match strip_parens(e) {
        syn::Expr::Lit(l) => unsuffixed(&l.lit),
        syn::Expr::Unary(u) => matches!(&*u.expr, syn::Expr::Lit(l) if unsuffixed(&l.lit)),
        _ => false,
    };
    match p {
        syn::Pat::Lit(l) => unsuffixed(&l.lit),
        syn::Pat::Range(r) => [&r.start, &r.end].into_iter().flatten().any(|e| open(e)),
        _ => false,
    }
}

fn unsuffixed(lit: &syn::Lit) -> bool {
    match lit {
        syn::Lit::Int(i) => i.suffix().is_empty(),
        syn::Lit::Float(f) => f.suffix().is_empty(),
        _ => false,
    }
}

/// Whether such a literal stands for the whole subject (`direct`), or for a part of it.
fn has_literal(p: &syn::Pat, direct: bool) -> bool {
    let part = |p: &syn::Pat| has_literal(p, true) || has_literal(p, false);
    match p {
        syn::Pat::Lit(_) | syn::Pat::Range(_) => direct && is_literal(p),
        syn::Pat::Paren(p) => has_literal(&p.pat, direct),
        syn::Pat::Reference(p) => has_literal(&p.pat, direct),
        syn::Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| has_literal(p, direct)),
        syn::Pat::Or(o) => o.cases.iter().any(|c| has_literal(c, direct)),
        syn::Pat::Tuple(t) => !direct && t.elems.iter().any(part),
        syn::Pat::TupleStruct(t) => !direct && t.elems.iter().any(part),
        syn::Pat::Struct(s) => !direct && s.fields.iter().any(|f| part(&f.pat)),
        _ => false,
    }
}

/// Notes the slot of the literals that stand for the whole subject.
fn mark_direct(p: &mut syn::Pat, slot: SlotId) {
    let span = p.span();
    let mut n = proc_macro2::Literal::u32_unsuffixed(slot.0);
    n.set_span(span);
    match p {
        syn::Pat::Lit(l) => l.attrs.push(syn::parse_quote_spanned!(span=> #[__omp_slot(#n)])),
        syn::Pat::Range(r) => r.attrs.push(syn::parse_quote_spanned!(span=> #[__omp_slot(#n)])),
        syn::Pat::Paren(p) => mark_direct(&mut p.pat, slot),
        syn::Pat::Reference(p) => mark_direct(&mut p.pat, slot),
        syn::Pat::Ident(i) => {
            if let Some((_, p)) = &mut i.subpat {
                mark_direct(p, slot);
            }
        }
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(|c| mark_direct(c, slot)),
        _ => {}
    }
}

/// Takes the note off again: it is no attribute that rustc knows.
fn take_slot(p: &mut syn::Pat) -> Option<SlotId> {
    let attrs = match p {
        syn::Pat::Lit(l) => &mut l.attrs,
        syn::Pat::Range(r) => &mut r.attrs,
        _ => return None,
    };
    let i = attrs.iter().position(|a| a.path().is_ident("__omp_slot"))?;
    let n: syn::LitInt = attrs.remove(i).parse_args().ok()?;
    Some(SlotId(n.base10_parse().ok()?))
}
