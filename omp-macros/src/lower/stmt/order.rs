//! Whether the order of evaluation of the two sides of an update matters.
use crate::lower::cx::Lower;
use omp_ir::ids::{ArrayId, ExprId, LocalId, ScalarId};
use omp_ir::template::{Base, Block, Expr, LocalKind, Place, Stmt};
use omp_ir::visit;

/// The places that a side reads and changes.
#[derive(Default)]
struct Touched {
    read: Vec<Home>,
    changed: Vec<Home>,
}

/// Where values are kept, judged by names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// A variable, or what a parameter refers to: where one of two may be written, they are apart.
    Variable(LocalId),
    Array(ArrayId),
    Scalar(ScalarId),
    /// Any of them.
    Anywhere,
}

impl Home {
    fn overlaps(self, other: Self) -> bool {
        self == other || self == Self::Anywhere || other == Self::Anywhere
    }
}

impl Lower {
    /// Whether the right side of an update (the statements from `start` on, and `value`) and the place that it is stored to (the
    /// statements from `mark` on, and its subscripts) have something to do with each other.
    pub(super) fn is_order_observable(
        &self,
        start: usize,
        value: ExprId,
        mark: usize,
        place: &Place,
    ) -> bool {
        let block = self.blocks.last().expect("a block is open");
        let (mut right, mut left) = (Touched::default(), Touched::default());
        block[start..mark].iter().for_each(|s| self.touched_by(s, &mut right));
        self.touched_in(value, &mut right);
        block[mark..].iter().for_each(|s| self.touched_by(s, &mut left));
        visit::of_place(place, &mut |index| self.touched_in(index, &mut left));
        let overlap = |a: &[Home], b: &[Home]| a.iter().any(|x| b.iter().any(|y| x.overlaps(*y)));
        overlap(&right.changed, &left.read)
            || overlap(&left.changed, &right.read)
            || overlap(&left.changed, &right.changed)
    }

    fn touched_by(&self, stmt: &Stmt, touched: &mut Touched) {
        visit::of_stmt(stmt, &mut |e| self.touched_in(e, touched));
        match stmt {
            Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => {
                touched.changed.extend(self.home(place));
            }
            Stmt::Inner(_) => touched.changed.push(Home::Anywhere),
            Stmt::Let { .. }
            | Stmt::Eval(_)
            | Stmt::If { .. }
            | Stmt::For { .. }
            | Stmt::Loop { .. }
            | Stmt::Labelled { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Check { .. } => {}
        }
        for block in visit::blocks_of(stmt).into_iter().flatten() {
            block.0.iter().for_each(|s| self.touched_by(s, touched));
        }
    }

    fn touched_in(&self, e: ExprId, touched: &mut Touched) {
        visit::each_expr(&self.code, e, &mut |e| match &self.code.exprs[e.index()].expr {
            Expr::Load(place) => {
                touched.read.extend(self.home(place));
                // A slice that is passed whole may be written.
                let is_whole = place.projections.is_empty();
                if let (true, Base::Local(l)) = (is_whole, place.base) {
                    let local = &self.code.locals[l.index()];
                    if local.kind == LocalKind::Slice && local.mutable {
                        touched.changed.push(self.of_slice(l));
                    }
                }
            }
            Expr::Borrow(place) | Expr::Slice { base: place, mutable: true, .. } => {
                touched.read.extend(self.home(place));
                touched.changed.extend(self.home(place));
            }
            Expr::Slice { base: place, mutable: false, .. } => touched.read.extend(self.home(place)),
            _ => {}
        });
    }

    /// Temporaries are set once, where they are made.
    fn home(&self, place: &Place) -> Option<Home> {
        match place.base {
            Base::Local(l) => match self.code.locals[l.index()].kind {
                LocalKind::Temp => None,
                LocalKind::Slice => Some(self.of_slice(l)),
                _ => Some(Home::Variable(l)),
            },
            Base::Array(a) => Some(Home::Array(a)),
            Base::Scalar(s) => Some(Home::Scalar(s)),
            Base::Const(_) => None,
        }
    }

    /// The array that a slice is part of, by the slice's declaration.
    fn of_slice(&self, slice: LocalId) -> Home {
        // A parameter: those of a body have no slot.
        if self.code.locals[slice.index()].slot.is_some() {
            return Home::Variable(slice);
        }
        let init = self.blocks.iter().find_map(|block| declared(block, slice));
        match init.map(|init| &self.code.exprs[init.index()].expr) {
            Some(Expr::Slice { base: whole, .. } | Expr::Load(whole)) => match whole.base {
                Base::Local(l) if self.code.locals[l.index()].kind != LocalKind::Slice => Home::Variable(l),
                _ => self.home(whole).unwrap_or(Home::Anywhere),
            },
            _ => Home::Anywhere,
        }
    }
}

/// The initial value of a variable.
fn declared(block: &[Stmt], variable: LocalId) -> Option<ExprId> {
    let inside = |block: &Block| declared(&block.0, variable);
    block.iter().find_map(|stmt| match stmt {
        Stmt::Let { local, init, .. } if *local == variable => *init,
        _ => visit::blocks_of(stmt).into_iter().flatten().find_map(inside),
    })
}
