//! Loops under a condition of the parallel loops alone: `if j <= i { for e in 0..d { … } }`. They have no effects, so they run before
//! the condition, for all iterations, and what they compute is used under it. A block in none of whose iterations the condition holds
//! leaves out all but the first of their chunks ([`super::steps::tile`]).
use omp_ir::analysis::plan::Nest;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::kernel::{Kernel, TypedCode};
use omp_ir::template::{Base, BinOp, Block, Expr, Place, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// A sum of multiples of loop variables, and a number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sum {
    /// By the number of the loop.
    pub of: BTreeMap<u32, i64>,
    /// The number.
    pub number: i64,
}

impl Sum {
    fn combined(mut self, other: &Self, times: i64) -> Option<Self> {
        for (l, by) in &other.of {
            let all = self.of.entry(*l).or_default();
            *all = all.checked_add(by.checked_mul(times)?)?;
        }
        self.number = self.number.checked_add(other.number.checked_mul(times)?)?;
        Some(self)
    }

    /// Of 64-bit integers, whose sums with small numbers don't wrap: iteration numbers have 32 bits.
    fn of(code: &TypedCode, e: ExprId, loops: &dyn Fn(LocalId) -> Option<u32>) -> Option<Self> {
        match &code.code.exprs[e.index()].expr {
            Expr::Int { value, negative, .. } => {
                let number = i64::from(u32::try_from(*value).ok()?);
                Some(Self { of: BTreeMap::new(), number: if *negative { -number } else { number } })
            }
            Expr::Load(Place { base: Base::Local(local), projections }) if projections.is_empty() => {
                Some(Self { of: BTreeMap::from([(loops(*local)?, 1)]), number: 0 })
            }
            Expr::Binary(BinOp::Add, a, b) => {
                Self::of(code, *a, loops)?.combined(&Self::of(code, *b, loops)?, 1)
            }
            _ => None,
        }
    }
}

impl Sum {
    /// Whether the sum, and what it is computed from, fits the program's numbers of 32 bits, also in iterations of tiles that lie outside
    /// of the loops.
    #[must_use]
    pub fn is_narrow(&self, nest: &Nest) -> bool {
        let mut most = self.of.iter().map(|(l, by)| {
            let of = nest.loops.get(*l as usize)?;
            let last = of.first.checked_add(of.step.checked_mul(of.count.into())?)?;
            let by = u128::from(by.unsigned_abs());
            of.first.unsigned_abs().max(last.unsigned_abs()).checked_mul(by)
        });
        let all = most.try_fold(u128::from(self.number.unsigned_abs()), |all, one| all.checked_add(one?));
        all.is_some_and(|all| all < 1 << 30)
    }
}

/// A type of 64 bits.
fn is_wide(kernel: &Kernel, code: &TypedCode, e: ExprId) -> bool {
    kernel.types.prim(code.expr_ty[e.index()]).is_some_and(|prim| prim.is_int() && prim.size() == 8)
}

/// The sums of which each is above zero where a condition holds: comparisons of loop variables, and several of them.
pub(super) fn above_zero(
    kernel: &Kernel,
    code: &TypedCode,
    cond: ExprId,
    loops: &dyn Fn(LocalId) -> Option<u32>,
) -> Option<Vec<Sum>> {
    let Expr::Binary(op, a, b) = &code.code.exprs[cond.index()].expr else { return None };
    if *op == BinOp::And {
        let mut all = above_zero(kernel, code, *a, loops)?;
        all.extend(above_zero(kernel, code, *b, loops)?);
        return Some(all);
    }
    let plain = |e: ExprId| matches!(code.code.exprs[e.index()].expr, Expr::Load(_) | Expr::Int { .. });
    if !(plain(*a) && plain(*b) || is_wide(kernel, code, *a)) {
        return None;
    }
    let (less, more, equal) = match op {
        BinOp::Lt => (a, b, 0),
        BinOp::Le => (a, b, 1),
        BinOp::Gt => (b, a, 0),
        BinOp::Ge => (b, a, 1),
        _ => return None,
    };
    let mut sum = Sum::of(code, *more, loops)?.combined(&Sum::of(code, *less, loops)?, -1)?;
    sum.number = sum.number.checked_add(equal)?;
    Some(vec![sum])
}

/// Whether a branch has a loop among its statements.
pub(super) fn has_loop(block: &Block) -> bool {
    block.0.iter().any(|stmt| matches!(stmt, Stmt::For { .. }))
}

/// The statements of a branch up to its last loop, and those after it. Variables from outside that the former assign have copies, which
/// the latter assign to them. Nothing, if the former do more than give values to variables.
pub(super) fn taken_apart(code: &mut TypedCode, branch: &Block) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
    let last = branch.0.iter().rposition(|stmt| matches!(stmt, Stmt::For { .. }))?;
    let (mut first, mut rest) = (branch.0[..=last].to_vec(), branch.0[last + 1..].to_vec());
    let (mut declared, mut assigned, mut plain) = (BTreeSet::new(), BTreeSet::new(), true);
    super::leaf::each(&first, &mut |stmt| match stmt {
        Stmt::Let { local, .. } => drop(declared.insert(*local)),
        Stmt::Assign { place, .. } => match place.base {
            Base::Local(local) if place.projections.is_empty() => drop(assigned.insert(local)),
            _ => plain = false,
        },
        Stmt::For { var, .. } => drop(declared.insert(*var)),
        Stmt::If { .. } | Stmt::Check { .. } => {}
        _ => plain = false,
    });
    if !plain {
        return None;
    }
    for outer in assigned.difference(&declared) {
        let (src, ty) = (branch_src(branch)?, code.local_ty[outer.index()]);
        let name = code.code.locals[outer.index()].name.clone();
        let copy = code.temp(name, ty);
        rename(code, &mut first, *outer, copy);
        let mut load = |local: LocalId| code.push(Expr::Load(Place::from(Base::Local(local))), ty, src);
        let (before, after) = (load(*outer), load(copy));
        first.insert(0, Stmt::Assign { place: Place::from(Base::Local(copy)), value: before, src });
        rest.insert(0, Stmt::Assign { place: Place::from(Base::Local(*outer)), value: after, src });
    }
    Some((first, rest))
}

fn branch_src(branch: &Block) -> Option<omp_ir::ids::SrcId> {
    branch.0.iter().find_map(|stmt| match stmt {
        Stmt::For { src, .. } => Some(*src),
        _ => None,
    })
}

/// Gives a variable another name in statements.
fn rename(code: &mut TypedCode, stmts: &mut [Stmt], from: LocalId, to: LocalId) {
    let mut named = Vec::new();
    super::leaf::each(stmts, &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&code.code, root, &mut |e| named.push(e));
        });
    });
    for e in named {
        if let Expr::Load(place) = &mut code.code.exprs[e.index()].expr
            && place.base == Base::Local(from)
        {
            place.base = Base::Local(to);
        }
    }
    fn assigned(stmts: &mut [Stmt], from: LocalId, to: LocalId) {
        for stmt in stmts {
            if let Stmt::Assign { place, .. } = stmt
                && place.base == Base::Local(from)
            {
                place.base = Base::Local(to);
            }
            visit::blocks_of_mut(stmt)
                .into_iter()
                .flatten()
                .for_each(|block| assigned(&mut block.0, from, to));
        }
    }
    assigned(stmts, from, to);
}
