//! The properties of a body that schedules depend on.
use crate::valid::KernelInfo;
use crate::valid::typer::constant::Constants;
use omp_ir::flow::slices::measured;
use omp_ir::ids::{AccessId, ArrayId, ExprId};
use omp_ir::kernel::{Kernel, TypedCode};
use omp_ir::template::{Base, Block, Check, Expr, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::BTreeMap;

/// How a body looks.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// It has sequential loops, or calls something that has.
    pub loops: bool,
    /// It has loops itself.
    pub body_loops: bool,
    /// How often the innermost statements run if the numbers of iterations of all loops are known; 1 if there are no loops.
    pub unrolled: Option<u64>,
    /// It uses the number of its thread or team.
    pub queries: bool,
    /// By array: its subscripts in the body.
    pub accesses: Vec<Vec<AccessId>>,
    /// By array: it is sliced or passed as a whole.
    pub whole: Vec<bool>,
}

/// Looks at the body of a kernel (and for queries at its functions).
pub(super) fn survey(kernel: &Kernel, info: &KernelInfo) -> Survey {
    let arrays = kernel.template.arrays.len();
    let mut survey =
        Survey { accesses: vec![Vec::new(); arrays], whole: vec![false; arrays], ..Survey::default() };
    let code = &kernel.body;
    visit::each_stmt(&code.code.block, &mut |stmt| match stmt {
        Stmt::For { .. } | Stmt::Loop { .. } => survey.loops = true,
        Stmt::Assign { place, value: _, src: _ } => survey.place(place),
        Stmt::Check { check: Check::Bounds { base, .. } | Check::Slice { base, .. }, src: _ } => {
            if !base.projections.is_empty() {
                survey.place(base);
            }
        }
        // It is touched after its check, element by element.
        Stmt::Check { check: Check::Claim { array, .. }, src: _ } => survey.whole[array.index()] = true,
        // Elements that other threads change meanwhile are neither kept in registers nor loaded several at a time.
        Stmt::Atomic { place, .. } => {
            if let Base::Array(ArrayId(array)) = place.base {
                survey.whole[array as usize] = true;
            }
        }
        Stmt::Let { .. }
        | Stmt::Eval(_)
        | Stmt::If { .. }
        | Stmt::Labelled { .. }
        | Stmt::Inner(_)
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::Return(_)
        | Stmt::Check { .. } => {}
    });
    let (measured, mut roots) = (measured(&code.code), Vec::new());
    visit::each_stmt(&code.code.block, &mut |stmt| {
        // A slice that checks alone name touches no element.
        if !matches!(stmt, Stmt::Let { local, .. } if measured.contains(local)) {
            visit::of_stmt(stmt, &mut |e| roots.push(e));
        }
    });
    for root in roots {
        visit::each_expr(&code.code, root, &mut |e| match &code.code.exprs[e.index()].expr {
            Expr::Load(place) => survey.place(place),
            Expr::Borrow(place) | Expr::Slice { base: place, .. } => survey.passed_on(place),
            Expr::Len(place) if !place.projections.is_empty() => survey.place(place),
            _ => {}
        });
    }
    survey.body_loops = survey.loops;
    let mut others = info.recursive;
    for f in &kernel.fns {
        visit::each_stmt(&f.body.code.block, &mut |stmt| {
            others |= matches!(stmt, Stmt::For { .. } | Stmt::Loop { .. });
        });
    }
    survey.loops |= others;
    let constants = Constants::of(&kernel.types, code);
    survey.unrolled =
        if others { None } else { trips(kernel, &constants, &code.code.block).map(|n| n.max(1)) };
    survey.queries = queries(code) || kernel.fns.iter().any(|f| queries(&f.body));
    survey
}

impl Survey {
    /// Its address is taken.
    fn passed_on(&mut self, place: &Place) {
        self.place(place);
        if let Base::Array(ArrayId(array)) = place.base {
            self.whole[array as usize] = true;
        }
    }

    fn place(&mut self, place: &Place) {
        if let Base::Array(ArrayId(array)) = place.base {
            match place.projections.first() {
                Some(Projection::Index { access, .. }) => self.accesses[array as usize].push(*access),
                Some(Projection::Field(_) | Projection::Payload) | None => self.whole[array as usize] = true,
            }
        }
    }
}

/// How often the innermost loops of a block run, if that is known.
fn trips(kernel: &Kernel, constants: &Constants, block: &Block) -> Option<u64> {
    let known = |e: Option<ExprId>| constants.int(&kernel.types, &kernel.body, e?);
    let mut all = 0u64;
    for stmt in &block.0 {
        let mut inside = 0u64;
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            inside = inside.checked_add(trips(kernel, constants, inner)?)?;
        }
        all = all.checked_add(match stmt {
            Stmt::For { range, .. } => {
                let own = known(range.hi)?
                    .checked_sub(known(range.lo)?)?
                    .checked_add(i128::from(range.inclusive))?;
                u64::try_from(own.max(0)).ok()?.checked_mul(inside.max(1))?
            }
            Stmt::Loop { .. } | Stmt::Inner(_) => return None,
            _ => inside,
        })?;
    }
    Some(all)
}

/// The arrays of subscripts.
pub(super) fn arrays_of(kernel: &Kernel) -> BTreeMap<AccessId, ArrayId> {
    let (mut found, code) = (BTreeMap::new(), &kernel.body);
    let mut place = |place: &Place| {
        if let (Base::Array(array), Some(Projection::Index { access, .. })) =
            (place.base, place.projections.first())
        {
            found.insert(*access, array);
        }
    };
    visit::each_stmt(&code.code.block, &mut |stmt| {
        if let Stmt::Assign { place: to, .. } = stmt {
            place(to);
        }
    });
    visit::each_live_expr(&code.code, &mut |e| {
        if let Expr::Load(from) = &code.code.exprs[e.index()].expr {
            place(from);
        }
    });
    found
}

pub(super) fn queries(code: &TypedCode) -> bool {
    let mut found = false;
    visit::each_live_expr(&code.code, &mut |e| {
        found |= matches!(code.code.exprs[e.index()].expr, Expr::Thread(_));
    });
    found
}
