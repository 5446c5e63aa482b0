//! The variables that patterns bind: declared before the tests if a guard or alternatives need them, and assigned where the pattern fits.
use super::{Alternative, Bound};
use crate::diag::Code as DiagCode;
use crate::lower::cx::Lower;
use crate::lower::stmt::whole;
use omp_ir::ids::{ExprId, LocalId, SrcId};
use omp_ir::template::{Base, BinOp, Expr, LocalKind, Place, Stmt};

impl Lower {
    /// Declares the variables of a pattern that fits.
    pub fn bind_all(&mut self, alternatives: Vec<Alternative>, sees: &mut Vec<syn::Stmt>) {
        let [Alternative { bound, .. }] = &alternatives[..] else {
            let locals = self.declare_bound(&alternatives, sees);
            return self.assign_first(alternatives, &locals);
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
            let kind = if self.is_slice(init) { LocalKind::Slice } else { LocalKind::User };
            // (A slice's slot catches the type of its elements: rustc may infer the variable as `&[T; N]`.)
            let slot = (kind == LocalKind::User).then_some(slot);
            let local = self.local(&b.ident.to_string(), kind, slot, b.mutable);
            self.copies.extend((kind == LocalKind::User && !b.mutable).then_some(local));
            self.push(Stmt::Let { local, init: Some(init) });
            self.bind(&b.ident.to_string(), local);
        }
    }

    /// The part of an array that `rest @ ..` names. Nothing assigns what a pattern is held against, so it need not be copied.
    fn rest(&mut self, base: Place, (before, behind): (usize, usize), src: SrcId) -> ExprId {
        let lo = self.number(before as u128, src);
        let (len, behind) = (self.len_of(&base, src), self.number(behind as u128, src));
        let hi = self.expr(Expr::Binary(BinOp::Sub, len, behind), src);
        let access = self.new_access(src);
        self.note_access(access, "pattern", crate::lower::expr::place::READ, self.spans[src.index()]);
        self.expr(Expr::Slice { base, lo: Some(lo), hi: Some(hi), access: Some(access), mutable: false }, src)
    }

    /// Declares the variables of a pattern without values.
    pub fn declare_bound(
        &mut self,
        alternatives: &[Alternative],
        sees: &mut Vec<syn::Stmt>,
    ) -> Vec<(String, LocalId)> {
        let bound = alternatives.first().map(|a| a.bound.clone()).unwrap_or_default();
        if let Some(b) = bound.iter().find(|b| b.rest.is_some()) {
            let help = "borrow the part in the body: `let rest = &x[1..];`";
            let message = "`rest @ ..` can't be used in a pattern with a guard or alternatives";
            self.error(DiagCode::UnsupportedPattern, b.ident.span(), message, help);
        }
        let slice = |place: &Place| {
            let Base::Local(l) = place.base else { return false };
            place.projections.is_empty() && self.code.locals[l.index()].kind == LocalKind::Slice
        };
        if let Some(b) = bound.iter().find(|b| b.rest.is_none() && slice(&b.place)) {
            let help = "give it the name before: `let part = &x[1..];`";
            let message = "a slice gets no name in a pattern that has a guard or alternatives";
            self.error(DiagCode::Reference, b.ident.span(), message, help);
        }
        let declare = bound.iter().map(|b| {
            let (slot, see) = self.query_local(&b.ident);
            sees.push(see);
            let name = b.ident.to_string();
            let local = self.local(&name, LocalKind::User, Some(slot), b.mutable);
            self.copies.extend((!b.mutable).then_some(local));
            self.push(Stmt::Let { local, init: None });
            self.bind(&name, local);
            (name, local)
        });
        declare.collect()
    }

    /// Gives the variables their values; the alternative is known to fit.
    pub fn assign_bound(&mut self, bound: &[Bound], locals: &[(String, LocalId)]) {
        for b in bound {
            let src = self.src(b.ident.span());
            let from = self.copy_place(&b.place);
            let value = self.expr(Expr::Load(from), src);
            let name = b.ident.to_string();
            let Some((_, local)) = locals.iter().find(|(n, _)| *n == name) else { continue };
            self.push(Stmt::Assign { place: whole(*local), value, src });
        }
    }

    /// As [`Lower::assign_bound`], for the first alternative that fits; one of them does.
    fn assign_first(&mut self, alternatives: Vec<Alternative>, locals: &[(String, LocalId)]) {
        let mut rest = alternatives.into_iter();
        let Some(Alternative { test, bound }) = rest.next() else { return };
        match test {
            Some(test) if rest.len() > 0 => {
                let cond = self.copy(test);
                let (then, ()) = self.nested(|this| this.assign_bound(&bound, locals));
                let (els, ()) = self.nested(|this| this.assign_first(rest.collect(), locals));
                self.push(Stmt::If { cond, then, els });
            }
            _ => self.assign_bound(&bound, locals),
        }
    }
}
