//! The variables that patterns bind: declared before the tests if a guard or alternatives need them, and assigned where the pattern fits.
use super::{Alternative, Bound};
use crate::diag::Code as DiagCode;
use crate::lower::cx::Lower;
use crate::lower::stmt::whole;
use omp_ir::ids::{ExprId, LocalId, SrcId};
use omp_ir::template::{Base, BinOp, Expr, LocalKind, Place, Stmt};

/// A variable of a pattern that is declared before the tests.
pub(super) enum Declared {
    Value(String, LocalId),
    /// A slice, by the variables of its ends.
    Part(Bound, [LocalId; 2]),
}

impl Declared {
    fn is(&self, ident: &proc_macro2::Ident) -> bool {
        match self {
            Self::Value(name, _) => ident == name,
            Self::Part(b, _) => *ident == b.ident,
        }
    }
}

impl Lower {
    /// Declares the variables of a pattern that fits.
    pub fn bind_all(&mut self, alternatives: Vec<Alternative>, sees: &mut Vec<syn::Stmt>) {
        let [Alternative { bound, .. }] = &alternatives[..] else {
            let declared = self.declare_bound(&alternatives, sees);
            self.assign_first(alternatives, &declared);
            return self.name_parts(&declared);
        };
        for b in bound {
            let src = self.src(b.ident.span());
            let (slot, see) = self.query_local(&b.ident);
            sees.push(see);
            let place = self.copy_place(&b.place);
            let init = match b.rest {
                Some(ends) => self.rest(place, ends, src),
                None => self.expr(Expr::Load(place), src),
            };
            // `mut rest @ ..` is a copy.
            let kind = if self.is_slice(init) && !b.mutable { LocalKind::Slice } else { LocalKind::User };
            // (A slice's slot catches the type of its elements: rustc may infer the variable as `&[T; N]`.)
            let slot = (kind == LocalKind::User).then_some(slot);
            let local = self.local(&b.ident.to_string(), kind, slot, b.mutable);
            self.copies.extend((kind == LocalKind::User && !b.mutable).then_some(local));
            self.rests.extend(b.rest.map(|_| local));
            self.push(Stmt::Let { local, init: Some(init) });
            self.bind(&b.ident.to_string(), local);
        }
    }

    /// The part of an array that `rest @ ..` names. Nothing assigns what a pattern is held against, so it need not be copied.
    fn rest(&mut self, base: Place, around: (usize, usize), src: SrcId) -> ExprId {
        let ends = self.ends(&base, around, src);
        self.slice_between(base, ends, src)
    }

    fn ends(&mut self, of: &Place, (before, behind): (usize, usize), src: SrcId) -> [ExprId; 2] {
        let lo = self.number(before as u128, src);
        let (len, behind) = (self.len_of(of, src), self.number(behind as u128, src));
        [lo, self.expr(Expr::Binary(BinOp::Sub, len, behind), src)]
    }

    fn slice_between(&mut self, base: Place, [lo, hi]: [ExprId; 2], src: SrcId) -> ExprId {
        let access = self.new_access(src);
        self.note_access(access, "pattern", crate::lower::expr::place::READ, self.spans[src.index()]);
        self.expr(Expr::Slice { base, lo: Some(lo), hi: Some(hi), access: Some(access), mutable: false }, src)
    }

    /// Declares the variables of a pattern without values.
    pub(super) fn declare_bound(
        &mut self,
        alternatives: &[Alternative],
        sees: &mut Vec<syn::Stmt>,
    ) -> Vec<Declared> {
        let bound = alternatives.first().map(|a| a.bound.clone()).unwrap_or_default();
        let declare = bound.iter().map(|b| {
            let (slot, see) = self.query_local(&b.ident);
            sees.push(see);
            if self.binds_slice(b) {
                return self.declare_part(b, alternatives);
            }
            let name = b.ident.to_string();
            let local = self.local(&name, LocalKind::User, Some(slot), b.mutable);
            self.copies.extend((!b.mutable).then_some(local));
            self.push(Stmt::Let { local, init: None });
            self.bind(&name, local);
            Declared::Value(name, local)
        });
        declare.collect()
    }

    /// Whether a variable is a slice: `rest @ ..`, or a name of what is a slice itself.
    fn binds_slice(&self, b: &Bound) -> bool {
        let Base::Local(l) = b.place.base else { return b.rest.is_some() };
        let whole = b.place.projections.is_empty();
        b.rest.is_some() || (whole && self.code.locals[l.index()].kind == LocalKind::Slice)
    }

    fn declare_part(&mut self, b: &Bound, alternatives: &[Alternative]) -> Declared {
        let same =
            |other: &Bound| other.ident == b.ident && self.binds_slice(other) && other.place == b.place;
        if b.mutable || !alternatives.iter().all(|a| a.bound.iter().any(same)) {
            let help = "give it the name before: `let part = &x[1..];`";
            let message =
                "a slice gets no name in a pattern that has alternatives of several slices or `mut`";
            self.error(DiagCode::Reference, b.ident.span(), message, help);
        }
        let src = self.src(b.ident.span());
        let ends = ["from", "to"].map(|name| {
            let (local, zero) = (self.local(name, LocalKind::Temp, None, true), self.number(0, src));
            self.push(Stmt::Let { local, init: Some(zero) });
            local
        });
        Declared::Part(b.clone(), ends)
    }

    /// Gives the variables their values, and slices their ends; the alternative is known to fit.
    pub(super) fn assign_bound(&mut self, bound: &[Bound], declared: &[Declared]) {
        for b in bound {
            let src = self.src(b.ident.span());
            let Some(declared) = declared.iter().find(|d| d.is(&b.ident)) else { continue };
            match declared {
                Declared::Value(_, local) => {
                    let from = self.copy_place(&b.place);
                    let value = self.expr(Expr::Load(from), src);
                    self.push(Stmt::Assign { place: whole(*local), value, src });
                }
                Declared::Part(_, locals) => {
                    let ends = self.ends(&b.place, b.rest.unwrap_or_default(), src);
                    for (local, value) in locals.iter().zip(ends) {
                        self.push(Stmt::Assign { place: whole(*local), value, src });
                    }
                }
            }
        }
    }

    /// Names slices whose ends are assigned. (The variable of a slice is never assigned.)
    pub(super) fn name_parts(&mut self, declared: &[Declared]) {
        for d in declared {
            let Declared::Part(b, ends) = d else { continue };
            let src = self.src(b.ident.span());
            let (base, ends) = (self.copy_place(&b.place), ends.map(|end| self.load(end, src)));
            let init = self.slice_between(base, ends, src);
            let name = b.ident.to_string();
            let local = self.local(&name, LocalKind::Slice, None, false);
            self.push(Stmt::Let { local, init: Some(init) });
            self.bind(&name, local);
        }
    }

    /// As [`Lower::assign_bound`], for the first alternative that fits; one of them does.
    fn assign_first(&mut self, alternatives: Vec<Alternative>, declared: &[Declared]) {
        let mut rest = alternatives.into_iter();
        let Some(Alternative { test, bound }) = rest.next() else { return };
        match test {
            Some(test) if rest.len() > 0 => {
                let cond = self.copy(test);
                let (then, ()) = self.nested(|this| this.assign_bound(&bound, declared));
                let (els, ()) = self.nested(|this| this.assign_first(rest.collect(), declared));
                self.push(Stmt::If { cond, then, els });
            }
            _ => self.assign_bound(&bound, declared),
        }
    }
}
