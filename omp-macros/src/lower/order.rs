//! Whether it matters which side of an update is evaluated first.
use super::cx::Lower;
use omp_kernels::ir::ids::{ExprId, LocalId};
use omp_kernels::ir::template::{Base, Expr, LocalKind, Place, Stmt};
use omp_kernels::ir::visit;

/// What a side reads and changes.
#[derive(Default)]
struct Touched {
    read: Vec<Home>,
    changed: Vec<Home>,
}

/// Where values are kept, as far as names tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Variable(LocalId),
    /// Arrays, and what references refer to.
    Memory,
}

impl Lower {
    /// Whether the right side of an update (the statements from `start` on, and `value`) and the place that it is stored to (the
    /// statements from `mark` on, and its subscripts) have something to do with each other.
    pub(super) fn is_order_told(&self, start: usize, value: ExprId, mark: usize, place: &Place) -> bool {
        let block = self.blocks.last().expect("a block is open");
        let (mut right, mut left) = (Touched::default(), Touched::default());
        block[start..mark].iter().for_each(|s| self.touched_by(s, &mut right));
        self.touched_in(value, &mut right);
        block[mark..].iter().for_each(|s| self.touched_by(s, &mut left));
        visit::of_place(place, &mut |index| self.touched_in(index, &mut left));
        let meet = |a: &[Home], b: &[Home]| a.iter().any(|home| b.contains(home));
        meet(&right.changed, &left.read)
            || meet(&left.changed, &right.read)
            || meet(&left.changed, &right.changed)
    }

    fn touched_by(&self, stmt: &Stmt, touched: &mut Touched) {
        visit::of_stmt(stmt, &mut |e| self.touched_in(e, touched));
        match stmt {
            Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => {
                touched.changed.extend(self.home(place));
            }
            Stmt::Inner(_) => touched.changed.push(Home::Memory),
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
                // A slice that is handed on whole may be written.
                let is_whole = place.projections.is_empty();
                if let (true, Base::Local(l)) = (is_whole, place.base) {
                    let local = &self.code.locals[l.index()];
                    if local.kind == LocalKind::Slice && local.mutable {
                        touched.changed.push(Home::Memory);
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
                LocalKind::Slice | LocalKind::Ref => Some(Home::Memory),
                _ => Some(Home::Variable(l)),
            },
            Base::Array(_) | Base::Scalar(_) => Some(Home::Memory),
            Base::Const(_) => None,
        }
    }
}
