//! Drops the checks that always hold, and records the place of each subscript.
use super::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, ExprId, TyId};
use omp_ir::kernel::{BoundsVerdict, Kernel, TypedCode, Types};
use omp_ir::template::{Base, Block, Check, Place, Stmt};
use omp_ir::visit;

/// What a subscript's check may rely on, in addition to the code.
struct Trust<'a> {
    arrays: &'a [ArrayId],
    all: bool,
    /// By array: only a section of it may be there.
    sections: Vec<bool>,
}

/// Sets the verdicts of the body (as the launch plan gave them) and of the functions, and drops checks.
pub(super) fn apply(kernel: &mut Kernel, verdicts: &[BoundsVerdict]) {
    let Kernel { template, types, array_ty, scalar_ty, body, fns, reducers: _, inner_reducers: _ } = kernel;
    let all = template.unchecked_all;
    for (mine, &plan) in body.bounds.iter_mut().zip(verdicts) {
        *mine = plan;
    }
    let sections = template.arrays.iter().map(|a| a.section).collect();
    let trust = Trust { arrays: &template.unchecked, all, sections };
    Pruner::new(types, array_ty, scalar_ty, body).run(&trust);
    for f in fns {
        Pruner::new(types, array_ty, scalar_ty, &mut f.body).run(&Trust {
            arrays: &[],
            all,
            sections: Vec::new(),
        });
    }
}

struct Pruner<'a> {
    types: &'a Types,
    arrays: &'a [TyId],
    scalars: &'a [TyId],
    code: &'a mut TypedCode,
    constants: Constants,
}

impl<'a> Pruner<'a> {
    fn new(types: &'a Types, arrays: &'a [TyId], scalars: &'a [TyId], code: &'a mut TypedCode) -> Self {
        let constants = Constants::new(&code.code);
        Self { types, arrays, scalars, code, constants }
    }

    fn run(mut self, trust: &Trust<'_>) {
        let mut block = std::mem::take(&mut self.code.code.block);
        self.block(&mut block, trust);
        self.code.code.block = block;
    }

    fn block(&mut self, block: &mut Block, trust: &Trust<'_>) {
        block.0.retain_mut(|stmt| {
            self.constants.pass(self.types, self.code, stmt);
            if let Stmt::Check { check, src: _ } = stmt {
                return !self.holds(check, trust);
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.block(inner, trust);
            }
            true
        });
    }

    /// Whether a check can go; sets the verdict of its subscript.
    fn holds(&mut self, check: &Check, trust: &Trust<'_>) -> bool {
        match check {
            Check::Bounds { access, base, index } => {
                let in_range = match (self.fixed_len(base), self.value(*index)) {
                    (Some(len), Some(index)) => (0..i128::from(len)).contains(&index),
                    _ => false,
                };
                self.settle(access.index(), in_range, base, trust)
            }
            Check::Slice { access, base, lo, hi, last } => {
                let lo = lo.map_or(Some(0), |e| self.value(e));
                let len = self.fixed_len(base).map(i128::from);
                let in_range = match (lo, hi) {
                    // All of an array of which a part is there is more than that part.
                    (Some(0), None) => {
                        !matches!(base.base, Base::Array(a) if base.projections.is_empty() && trust.sections[a.index()])
                    }
                    (Some(lo), None) => len.is_some_and(|len| lo <= len),
                    (Some(lo), Some(hi)) => {
                        self.value(*hi).is_some_and(|hi| lo <= hi && len.is_some_and(|len| hi <= len))
                    }
                    (None, _) => false,
                };
                // One more than the last may be beyond the largest number.
                let last_is = last
                    .map(|e| self.value(e))
                    .is_none_or(|last| last.zip(len).is_some_and(|(last, len)| last < len));
                let in_range = in_range && last_is;
                self.settle(access.index(), in_range, base, trust)
            }
            Check::Divide { access, rem: _, lhs, rhs } => self.divides(*lhs, *rhs) || self.is_proved(*access),
            Check::Panic { access, .. } => self.is_proved(*access),
            Check::Claim { .. } => false,
            Check::Step { access, step } => {
                self.value(*step).is_some_and(|step| step != 0) || self.is_proved(*access)
            }
        }
    }

    fn is_proved(&self, check: Option<AccessId>) -> bool {
        check.is_some_and(|a| self.code.bounds[a.index()] == BoundsVerdict::Proved)
    }

    fn settle(&mut self, access: usize, in_range: bool, base: &Place, trust: &Trust<'_>) -> bool {
        let trusted = trust.all || matches!(base.base, Base::Array(a) if trust.arrays.contains(&a));
        let verdict = &mut self.code.bounds[access];
        if in_range {
            *verdict = BoundsVerdict::Proved;
        } else if trusted && *verdict != BoundsVerdict::Proved {
            *verdict = BoundsVerdict::Trusted;
        }
        matches!(verdict, BoundsVerdict::Proved | BoundsVerdict::Trusted)
    }

    fn fixed_len(&self, place: &Place) -> Option<u64> {
        let steps = place.projections.len();
        let ty = super::place_type(self.types, self.arrays, self.scalars, self.code, place, steps);
        self.types.array_len(ty)
    }

    fn value(&self, e: ExprId) -> Option<i128> {
        self.constants.int(self.types, self.code, e)
    }

    fn divides(&mut self, lhs: ExprId, rhs: ExprId) -> bool {
        let Some(prim) = self.prim(lhs) else { return false };
        if !prim.is_int() {
            return true;
        }
        let min = prim.int_range().map_or(0, |r| r.0);
        match self.value(rhs) {
            None | Some(0) => false,
            Some(-1) => self.value(lhs).is_some_and(|lhs| lhs != min),
            Some(_) => true,
        }
    }

    fn prim(&self, e: ExprId) -> Option<Prim> {
        self.types.prim(self.code.expr_ty[e.index()])
    }
}
