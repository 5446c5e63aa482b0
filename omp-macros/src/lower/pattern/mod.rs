//! Patterns: tests and bindings on places.
//!
//! The value to match is evaluated once ([`subject`]). A pattern becomes a list of [`Alternative`]s, tried in order: the test of each is
//! an expression without effects, and its bindings name places of the value ([`bindings`]). One alternative is enough, unless variables
//! are bound on both sides of a `|`: then the side that fits decides which place they name. `match` and its guards are lowered in
//! [`arms`]; [`consts`] decides which names are consts, and [`literals`] which types literals have.
pub(super) mod arms;
mod bindings;
mod consts;
pub(super) mod literals;
mod subject;

use super::cx::{Lower, Name};
use super::expr::place::is_capital;
use crate::diag::Code as DiagCode;
use crate::sema::syntax::forms::strip;
use crate::visits::{self, Node};
pub use consts::consts_in_patterns;
use consts::no_const;
pub(super) use consts::{are_consts, consts_of_arms};
use literals::{is_rest, take_slot};
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, SlotId, SrcId};
use omp_ir::template::{Base, BinOp, Expr, Place, Projection, TyRef, UnOp};
use proc_macro2::Ident;
pub(super) use subject::Subject;
use syn::spanned::Spanned;

/// A variable that a pattern binds.
#[derive(Clone)]
pub(super) struct Bound {
    pub ident: Ident,
    pub place: Place,
    pub mutable: bool,
    /// `rest @ ..`: how many elements of the place are before and after it.
    pub rest: Option<(usize, usize)>,
}

/// One of the ways in which a pattern fits: its test and its bindings.
pub(super) struct Alternative {
    /// `None`: always.
    pub test: Option<ExprId>,
    pub bound: Vec<Bound>,
}

impl Alternative {
    fn when(test: Option<ExprId>) -> Vec<Self> {
        vec![Self { test, bound: Vec::new() }]
    }
}

impl Lower {
    /// Lowers patterns where they need not fit: one of a path may be that of a variant.
    pub fn refutable<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.variants, true);
        let r = f(self);
        self.variants = before;
        r
    }

    /// The test of a pattern (`None`: always true) and the ways in which it fits. Rewrites the pattern for the copy.
    pub fn test_and_bind(
        &mut self,
        subject: &Subject,
        p: &mut syn::Pat,
    ) -> (Option<ExprId>, Vec<Alternative>) {
        let src = self.src(p.span());
        let alternatives = self.pattern(subject, p);
        let mut tests = Vec::new();
        for a in &alternatives {
            tests.push(a.test.map(|t| self.copy(t)));
        }
        (self.any(tests, src), alternatives)
    }

    /// Whether one of the tests holds.
    fn any(&mut self, tests: Vec<Option<ExprId>>, src: SrcId) -> Option<ExprId> {
        let tests: Option<Vec<ExprId>> = tests.into_iter().collect();
        tests?.into_iter().reduce(|a, b| self.expr(Expr::Binary(BinOp::Or, a, b), src))
    }

    fn pattern(&mut self, subject: &Subject, p: &mut syn::Pat) -> Vec<Alternative> {
        let (span, src) = (p.span(), self.src(p.span()));
        match p {
            syn::Pat::Wild(_) | syn::Pat::Rest(_) => Alternative::when(None),
            syn::Pat::Paren(p) => self.pattern(subject, &mut p.pat),
            syn::Pat::Reference(r) => self.pattern(subject, &mut r.pat),
            syn::Pat::Type(t) => self.pattern(subject, &mut t.pat),
            syn::Pat::Ident(_) => {
                let slot = take_slot(p);
                let syn::Pat::Ident(i) = p else { unreachable!("seen") };
                self.ident_pattern(subject, i, slot)
            }
            syn::Pat::Or(o) => self.or_pattern(subject, o),
            syn::Pat::TupleStruct(t) if super::expr::std_variant(&t.path, "Some") && t.elems.len() == 1 => {
                self.of_option(&t.path);
                let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
                let value = self.copy_place(place);
                let value = self.expr(Expr::Load(value), src);
                let some = self.expr(Expr::IsSome(value), src);
                let mut payload = place.clone();
                payload.projections.push(Projection::Payload);
                let inner = self.pattern(&Subject::Place(payload), &mut t.elems[0]);
                self.both(Alternative::when(Some(some)), inner, src)
            }
            syn::Pat::TupleStruct(t) if self.may_be_variant(&t.path) => {
                let (is, variant) = self.is_variant(subject, &t.path, src);
                let parts = self.parts(subject, &mut t.elems, &variant, src);
                self.both(is, parts, src)
            }
            syn::Pat::Struct(s) if self.may_be_variant(&s.path) => {
                let (is, variant) = self.is_variant(subject, &s.path, src);
                let parts = self.struct_pattern(subject, s, &variant);
                self.both(is, parts, src)
            }
            syn::Pat::Tuple(syn::PatTuple { elems, .. })
            | syn::Pat::TupleStruct(syn::PatTupleStruct { elems, .. }) => self.parts(subject, elems, "", src),
            syn::Pat::Slice(s) => self.array_pattern(subject, s),
            syn::Pat::Struct(s) => self.struct_pattern(subject, s, ""),
            syn::Pat::Path(p) if p.qself.is_none() && super::expr::std_variant(&p.path, "None") => {
                self.of_option(&p.path);
                self.none_pattern(subject, src)
            }
            syn::Pat::Path(_) => {
                let slot = take_slot(p);
                let syn::Pat::Path(p) = p else { unreachable!("seen") };
                let path = syn::Expr::Path(p.clone());
                Alternative::when(self.const_pattern(subject, path, slot))
            }
            syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Const(_) => {
                Alternative::when(self.literal_pattern(subject, p))
            }
            _ => {
                self.error(
                    DiagCode::UnsupportedPattern,
                    span,
                    "this pattern can't be used on a device",
                    "literals, ranges, tuples, arrays, structs, `Some`, `None`, names and `_` can",
                );
                Alternative::when(None)
            }
        }
    }

    /// `A | B`. Alternatives that bind nothing are one test.
    fn or_pattern(&mut self, subject: &Subject, o: &mut syn::PatOr) -> Vec<Alternative> {
        let src = self.src(o.span());
        let mut all = Vec::new();
        for case in &mut o.cases {
            // None of them takes all, even where all of them do: `Ok(v) | Err(v)`.
            all.extend(self.refutable(|this| this.pattern(subject, case)));
        }
        if all.iter().all(|a| a.bound.is_empty()) {
            let test = self.any(all.into_iter().map(|a| a.test).collect(), src);
            return Alternative::when(test);
        }
        // Alternatives after one that always fits remain: the guard may not hold for the first.
        all
    }

    /// Both patterns fit: each way of the one with each way of the other.
    fn both(&mut self, a: Vec<Alternative>, b: Vec<Alternative>, src: SrcId) -> Vec<Alternative> {
        let mut all = Vec::new();
        for x in &a {
            for y in &b {
                let (s, t) = (x.test.map(|t| self.copy(t)), y.test.map(|t| self.copy(t)));
                let test = match (s, t) {
                    (Some(s), Some(t)) => Some(self.expr(Expr::Binary(BinOp::And, s, t), src)),
                    (s, t) => s.or(t),
                };
                all.push(Alternative { test, bound: x.bound.iter().chain(&y.bound).cloned().collect() });
            }
        }
        all
    }

    /// Patterns on the fields `.0`, `.1`, … of a tuple; those after `..` are counted from the end.
    fn parts(
        &mut self,
        subject: &Subject,
        elems: &mut syn::punctuated::Punctuated<syn::Pat, syn::Token![,]>,
        variant: &str,
        src: SrcId,
    ) -> Vec<Alternative> {
        let count = elems.len();
        let rest = elems.iter().position(is_rest);
        let mut all = Alternative::when(None);
        for (i, p) in elems.iter_mut().enumerate() {
            if rest == Some(i) {
                continue;
            }
            let part = match subject {
                Subject::Elems(list) => self.pattern(&list[i], p),
                Subject::Place(place) => {
                    let name = match rest {
                        Some(rest) if i > rest => format!("{variant}-{}", count - i),
                        _ => format!("{variant}{i}"),
                    };
                    let mut field = place.clone();
                    field.projections.push(Projection::Field(name));
                    self.pattern(&Subject::Place(field), p)
                }
            };
            all = self.both(all, part, src);
        }
        all
    }

    /// `[a, b, .., z]`: the length is tested, so the subscripts need no checks. (For an array rustc has seen to it,
    /// and the test is of constants.)
    fn array_pattern(&mut self, subject: &Subject, s: &mut syn::PatSlice) -> Vec<Alternative> {
        let src = self.src(s.span());
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let rest = s.elems.iter().position(is_rest);
        let count = s.elems.len();
        let op = if rest.is_some() { BinOp::Ge } else { BinOp::Eq };
        let needed = (count - usize::from(rest.is_some())) as u128;
        let (len, needed) = (self.len_of(place, src), self.number(needed, src));
        let fits = self.expr(Expr::Binary(op, len, needed), src);
        let mut all = Alternative::when(Some(fits));
        for (i, p) in s.elems.iter_mut().enumerate() {
            if rest == Some(i) {
                if let syn::Pat::Ident(name) = p {
                    let rest = Some((i, count - i - 1));
                    let mutable = name.mutability.is_some();
                    let bound = Bound { ident: name.ident.clone(), place: place.clone(), mutable, rest };
                    let named = vec![Alternative { test: None, bound: vec![bound] }];
                    all = self.both(all, named, src);
                }
                continue;
            }
            let index = match rest {
                Some(rest) if i > rest => {
                    let (len, back) = (self.len_of(place, src), self.number((count - i) as u128, src));
                    self.expr(Expr::Binary(BinOp::Sub, len, back), src)
                }
                _ => self.number(i as u128, src),
            };
            let access = self.new_access(src);
            self.note_access(access, "pattern", super::expr::place::READ, p.span());
            let mut element = self.copy_place(place);
            element.projections.push(Projection::Index { index, access });
            let part = self.pattern(&Subject::Place(element), p);
            all = self.both(all, part, src);
        }
        all
    }

    fn len_of(&mut self, place: &Place, src: SrcId) -> ExprId {
        let place = self.copy_place(place);
        self.expr(Expr::Len(place), src)
    }

    fn number(&mut self, value: u128, src: SrcId) -> ExprId {
        self.expr(Expr::Int { value, negative: false, ty: TyRef::Prim(Prim::Usize) }, src)
    }

    fn struct_pattern(
        &mut self,
        subject: &Subject,
        s: &mut syn::PatStruct,
        variant: &str,
    ) -> Vec<Alternative> {
        let src = self.src(s.span());
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let mut all = Alternative::when(None);
        for f in &mut s.fields {
            f.colon_token.get_or_insert_with(Default::default);
            let mut field = place.clone();
            let name = format!("{variant}{}", super::expr::place::field_name(&f.member));
            field.projections.push(Projection::Field(name));
            let part = self.pattern(&Subject::Place(field), &mut f.pat);
            all = self.both(all, part, src);
        }
        all
    }

    /// `Shape::Circle`: whether the value is of this variant, and what its fields' names begin with. What the path names only
    /// rustc knows: of a struct, the test holds.
    fn is_variant(&mut self, subject: &Subject, path: &syn::Path, src: SrcId) -> (Vec<Alternative>, String) {
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let name = super::expr::last_name(path);
        let mut is = self.copy_place(place);
        is.projections.push(Projection::Field(format!("{name}?")));
        let is = self.expr(Expr::Load(is), src);
        (Alternative::when(Some(is)), format!("{name}!"))
    }

    /// Whether a path may be that of a variant: of a type it is one, and others may be imported. `Self` is a struct, and so is
    /// what always fits.
    fn may_be_variant(&self, path: &syn::Path) -> bool {
        let mut segments = path.segments.iter().rev();
        let last = segments.next().is_some_and(|s| s.ident != "Self");
        last && (self.variants || segments.next().is_some_and(|s| is_capital(&s.ident)))
    }

    /// A pattern that may be one of a variant with data.
    fn has_variant(&self, p: &syn::Pat) -> bool {
        let is_some = |path: &syn::Path| super::expr::std_variant(path, "Some");
        let mut found = false;
        visits::walk(p, |node| {
            let Node::Pat(p) = node else { return false };
            found |= match p {
                syn::Pat::Or(o) => o.cases.iter().any(|p| match p {
                    syn::Pat::TupleStruct(t) => !is_some(&t.path),
                    syn::Pat::Struct(_) => true,
                    _ => false,
                }),
                syn::Pat::TupleStruct(p) => self.may_be_variant(&p.path) && !is_some(&p.path),
                syn::Pat::Struct(p) => self.may_be_variant(&p.path),
                _ => false,
            };
            !found
        });
        found
    }

    /// `None`, `Option::None`
    fn none_pattern(&mut self, subject: &Subject, src: SrcId) -> Vec<Alternative> {
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let place = self.copy_place(place);
        let value = self.expr(Expr::Load(place), src);
        let some = self.expr(Expr::IsSome(value), src);
        Alternative::when(Some(self.expr(Expr::Unary(UnOp::Not, some), src)))
    }

    fn ident_pattern(
        &mut self,
        subject: &Subject,
        i: &mut syn::PatIdent,
        slot: Option<SlotId>,
    ) -> Vec<Alternative> {
        let src = self.src(i.ident.span());
        if i.ident == "None" && i.subpat.is_none() {
            self.of_option(&i.ident.clone().into());
            return self.none_pattern(subject, src);
        }
        if i.subpat.is_none() && is_capital(&i.ident) {
            let name = i.ident.to_string();
            let outside = self.captured.as_ref().is_some_and(|c| c.is_variable(&name));
            if matches!(self.lookup(&name), Some(Name::Local(_) | Name::Alias(_)))
                || (self.lookup(&name).is_none() && outside)
            {
                self.capital(&i.ident);
                return Alternative::when(None);
            }
            let ident = &i.ident;
            return Alternative::when(self.const_pattern(subject, syn::parse_quote!(#ident), slot));
        }
        if i.by_ref.is_some() && i.mutability.is_some() {
            let help = "assign to the variable itself";
            self.error(DiagCode::Reference, i.ident.span(), "`ref mut` has no meaning in a body", help);
        }
        let Subject::Place(place) = subject else { unreachable!("split only where nothing binds the whole") };
        let mutable = i.mutability.is_some();
        let bound = Bound { ident: i.ident.clone(), place: place.clone(), mutable, rest: None };
        let mine = vec![Alternative { test: None, bound: vec![bound] }];
        match &mut i.subpat {
            Some((_, p)) => {
                let inner = self.pattern(subject, p);
                self.both(mine, inner, src)
            }
            None => {
                no_const(i);
                mine
            }
        }
    }

    /// `subject == CONST`. The slot is that of what may be a variant.
    fn const_pattern(
        &mut self,
        subject: &Subject,
        mut path: syn::Expr,
        slot: Option<SlotId>,
    ) -> Option<ExprId> {
        let src = self.src(path.span());
        let Subject::Place(place) = subject else { unreachable!("only tuples are split") };
        let place = self.copy_place(place);
        let lhs = self.expr(Expr::Load(place), src);
        // (A literal in the same pattern has a slot, too; a const of the body has a name of its own.)
        let variant = match &path {
            syn::Expr::Path(p) => {
                let own = p.path.get_ident().is_some_and(|i| self.lookup(&i.to_string()).is_some());
                !own && literals::variant_path(&p.path)
            }
            _ => false,
        };
        let rhs = match slot.filter(|_| variant) {
            Some(slot) => {
                let id = self.made_of(&path, slot);
                self.expr(Expr::Load(Place::from(Base::Const(id))), src)
            }
            None => self.value(&mut path)?,
        };
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
                    return Some(if value { test } else { self.expr(Expr::Unary(UnOp::Not, test), src) });
                }
                Some(self.compare(place, BinOp::Eq, rhs))
            }
            syn::Pat::Range(r) => {
                let upper =
                    if matches!(r.limits, syn::RangeLimits::Closed(_)) { BinOp::Le } else { BinOp::Lt };
                let mut test = None;
                for (bound, op) in [(&r.start, BinOp::Ge), (&r.end, upper)] {
                    let Some(bound) = bound else { continue };
                    let rhs = match strip(bound) {
                        syn::Expr::Path(_) => self.value(&mut (**bound).clone())?,
                        literal => self.literal_of(literal, slot)?,
                    };
                    let t = self.compare(place, op, rhs);
                    test = Some(match test {
                        Some(a) => self.expr(Expr::Binary(BinOp::And, a, t), src),
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
                    "`const` blocks can't be in patterns",
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
}
