//! Folds that don't depend on the order of a loop's iterations, to the bit: sums of integers, `min` and `max`, bits, conditions, and
//! searches for the smallest or largest value (`if e < best { best = e; at = i; }`). The threads of a team fold parts of the loop and
//! combine the parts. Sums of floating-point numbers depend on their order.
use omp_ir::desc::Prim;
use omp_ir::flow::update_form::{Form, Kind, Operator, Question, uses};
use omp_ir::flow::{effects, value_numbering};
use omp_ir::ids::{AccessId, ExprId, LocalId, SrcId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel, Reducer, Ty, TypedCode};
use omp_ir::template::{
    Base, BinOp, Block, Check, Code, Combiner, Expr, Inner, InnerReduction, Place, Projection, ReduceOp,
    Search, Stmt, UnOp,
};
use omp_ir::visit;
use std::collections::{BTreeSet, HashSet};

/// The folds of a loop.
#[derive(Debug, Default)]
pub(super) struct Folds {
    reductions: Vec<(ReduceOp, LocalId)>,
    searches: Vec<Found>,
}

/// A search: the key, and the variables that are assigned with it.
#[derive(Debug)]
struct Found {
    way: Way,
    items: Vec<LocalId>,
    /// The conditions of the statements that assign them.
    conds: BTreeSet<ExprId>,
}

/// For which value, and which of equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    largest: bool,
    last: bool,
}

impl Folds {
    /// The folds of a loop's body that assigns these variables of the code around it; `None` if one of them is no fold, or one that
    /// depends on the order.
    pub(super) fn of(kernel: &Kernel, body: &Block, assigned: &BTreeSet<LocalId>) -> Option<Self> {
        let mut folds = Self::default();
        let mut rest = assigned.clone();
        while let Some(key) = rest.first().copied() {
            if let Some(found) = assigned
                .iter()
                .find_map(|local| search(kernel, body, *local, assigned).filter(|f| f.items.contains(&key)))
            {
                found.items.iter().for_each(|local| _ = rest.remove(local));
                folds.searches.push(found);
            } else {
                rest.remove(&key);
                folds.reductions.push((reduction(kernel, body, key)?, key));
            }
        }
        Some(folds)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reductions.is_empty() && self.searches.is_empty()
    }

    /// Gives the nest of a loop copies of the variables. (Its range is evaluated before, with the variables.)
    pub(super) fn copy(&self, kernel: &mut Kernel, inner: &mut Inner) {
        let [Stmt::For { var, body, .. }] = inner.body.0.as_mut_slice() else { return };
        let var = *var;
        let truth = kernel.types.intern(Ty::Prim(Prim::Bool));
        let mut copies: Vec<(LocalId, LocalId)> = Vec::new();
        let mut copy = |code: &mut TypedCode, target: LocalId| {
            let name = code.code.locals[target.index()].name.clone();
            let local = code.temp(name, code.local_ty[target.index()]);
            copies.push((target, local));
            local
        };
        for &(op, target) in &self.reductions {
            let prim =
                kernel.types.prim(kernel.body.local_ty[target.index()]).expect("a reduction is of numbers");
            let number = u32::try_from(kernel.inner_reducers.len()).expect("few reductions");
            kernel.inner_reducers.push(Reducer::Builtin(op, prim));
            let local = copy(&mut kernel.body, target);
            let op = Combiner::Builtin(op);
            inner.reductions.push(InnerReduction { op, number, turned: false, local, target });
        }
        for found in &self.searches {
            let items = found.items.iter().map(|target| (copy(&mut kernel.body, *target), *target)).collect();
            let at = kernel.body.temp("at".into(), kernel.body.local_ty[var.index()]);
            let was = kernel.body.temp("found".into(), truth);
            let Way { largest, last } = found.way;
            inner.searches.push(Search { largest, last, items, found: was, at });
            let mark = Mark { conds: &found.conds, found: was, at, var, truth, src: inner.src };
            mark.block(&mut kernel.body, body);
        }
        let copy = |place: &mut Place| {
            let of =
                |(target, local): &(LocalId, LocalId)| (place.base == Base::Local(*target)).then_some(*local);
            if let Some(local) = copies.iter().find_map(of) {
                place.base = Base::Local(local);
            }
        };
        rename(&mut kernel.body, body, &copy);
    }
}

/// Changes the places of a block.
fn rename(code: &mut TypedCode, block: &mut Block, change: &impl Fn(&mut Place)) {
    for stmt in &mut block.0 {
        if let Stmt::Assign { place, .. } = stmt {
            change(place);
        }
        let mut all = Vec::new();
        visit::of_stmt(stmt, &mut |root| visit::each_expr(&code.code, root, &mut |e| all.push(e)));
        for e in all {
            if let Expr::Load(place) = &mut code.code.exprs[e.index()].expr {
                change(place);
            }
        }
        for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
            rename(code, inner, change);
        }
    }
}

/// Adds to the statements under a search's conditions that it has found something, and where.
struct Mark<'f> {
    conds: &'f BTreeSet<ExprId>,
    found: LocalId,
    at: LocalId,
    var: LocalId,
    truth: omp_ir::ids::TyId,
    src: SrcId,
}

impl Mark<'_> {
    fn block(&self, code: &mut TypedCode, block: &mut Block) {
        for stmt in &mut block.0 {
            if let Stmt::If { cond, then, .. } = stmt
                && self.conds.contains(cond)
            {
                let local = |local| Place { base: Base::Local(local), projections: Vec::new() };
                let found = code.push(Expr::Bool(true), self.truth, self.src);
                let at = code.push(Expr::Load(local(self.var)), code.local_ty[self.var.index()], self.src);
                for (to, value) in [(self.found, found), (self.at, at)] {
                    then.0.push(Stmt::Assign { place: local(to), value, src: self.src });
                }
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.block(code, inner);
            }
        }
    }
}

/// The operator of a reduction that has the same result in every order.
fn reduction(kernel: &Kernel, body: &Block, local: LocalId) -> Option<ReduceOp> {
    let code = &kernel.body;
    let prim = kernel.types.prim(code.local_ty[local.index()])?;
    let question = Question {
        code: &code.code,
        block: body,
        item: Base::Local(local),
        fields: &[],
        library: &|call| code.calls[call.index()] == Callee::Builtin,
        same: &|a, b| code.same_function(a, b),
        ty: &|slot| code.first_of_type(slot),
    };
    let (mut op, mut constant) = (None, true);
    for found in uses(&question) {
        let Kind::Assigned(form) = found.kind else { return None };
        let this = match form {
            Form::Keep => continue,
            Form::Constant(true) => ReduceOp::Or,
            Form::Constant(false) => ReduceOp::And,
            Form::Update(update) if !update.unordered && !update.effects && !update.shortens => {
                constant = false;
                match update.by {
                    Operator::Builtin(op) => op,
                    Operator::Calls(_) | Operator::Declared(_) => return None,
                }
            }
            Form::Update(_) | Form::Repeated(_) | Form::Store | Form::Elsewhere | Form::Other => return None,
        };
        if op.is_some_and(|op| op != this) {
            return None;
        }
        op = Some(this);
    }
    let op = op?;
    let exact = match op {
        // Parts of a sum may overflow where the whole does not.
        ReduceOp::Add | ReduceOp::Mul => prim.is_int() && !code.overflow_checks,
        // A comparison keeps the first of zeros with different signs, and a NaN.
        ReduceOp::Min | ReduceOp::Max if prim.is_float() => is_argument(code, body, local),
        ReduceOp::Min | ReduceOp::Max => prim.is_int(),
        ReduceOp::BitAnd | ReduceOp::BitOr | ReduceOp::BitXor => true,
        // A thread evaluates operands that the loop leaves out.
        ReduceOp::And | ReduceOp::Or if !constant => {
            let mut fails = conditional(&code.code, body).into_iter().any(|e| may_fail(kernel, e));
            for inner in body.0.iter().flat_map(visit::blocks_of).flatten() {
                visit::each_stmt(inner, &mut |stmt| fails |= is_checked(kernel, stmt));
            }
            prim == Prim::Bool && !fails
        }
        ReduceOp::And | ReduceOp::Or => prim == Prim::Bool,
    };
    (exact && op.identity(prim).is_some()).then_some(op)
}

/// Whether all loads of a variable are arguments of calls.
fn is_argument(code: &TypedCode, body: &Block, local: LocalId) -> bool {
    let (mut loads, mut arguments) = (BTreeSet::new(), BTreeSet::new());
    visit::each_stmt(body, &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&code.code, root, &mut |e| match &code.code.exprs[e.index()].expr {
                Expr::Load(place) if place.base == Base::Local(local) => drop(loads.insert(e)),
                Expr::Call { args, .. } => arguments.extend(args.iter().copied()),
                _ => {}
            });
        });
    });
    loads.is_subset(&arguments)
}

/// The search for a key: each statement that assigns it stands under a comparison with it, and so do the other variables, which
/// nothing in the loop reads.
fn search(kernel: &Kernel, body: &Block, key: LocalId, assigned: &BTreeSet<LocalId>) -> Option<Found> {
    let mut finder = Finder { kernel, key, assigned, found: None, loads: BTreeSet::new(), assignments: 0 };
    finder.block(body)?;
    let Finder { found, loads, assignments, .. } = finder;
    let found = found?;
    let code = &kernel.body;
    let (mut fine, mut all) = (true, 0);
    visit::each_stmt(body, &mut |stmt| {
        if let Stmt::Assign { place: Place { base: Base::Local(local), .. }, .. } = stmt {
            all += usize::from(found.items.contains(local));
        }
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&code.code, root, &mut |e| {
                if let Expr::Load(place) = &code.code.exprs[e.index()].expr
                    && let Base::Local(local) = place.base
                {
                    fine &= !found.items.contains(&local) || loads.contains(&e);
                }
            });
        });
    });
    let number =
        |local: &LocalId| kernel.types.prim(code.local_ty[local.index()]).is_some_and(|p| p != Prim::U128);
    (fine && all == assignments && found.items.iter().all(number)).then_some(found)
}

/// Whether a statement changes nothing but these variables, and goes on with the next one.
fn stays(stmt: &Stmt, own: &HashSet<LocalId>) -> bool {
    match stmt {
        Stmt::Let { .. } | Stmt::Check { .. } => true,
        Stmt::Assign { place, .. } => matches!(place.base, Base::Local(local) if own.contains(&local)),
        Stmt::If { then, els, .. } => then.0.iter().chain(&els.0).all(|stmt| stays(stmt, own)),
        _ => false,
    }
}

/// Whether a statement is a check that the kernel makes whatever the sizes are.
fn is_checked(kernel: &Kernel, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Check { check: Check::Bounds { access, .. }, .. } => {
            kernel.body.bounds[access.index()] == BoundsVerdict::Residual
        }
        Stmt::Check { .. } => true,
        _ => false,
    }
}

/// The subscripts in an expression.
fn accesses(code: &TypedCode, root: ExprId) -> BTreeSet<AccessId> {
    let mut found = BTreeSet::new();
    visit::each_expr(&code.code, root, &mut |e| {
        if let Expr::Load(place) = &code.code.exprs[e.index()].expr {
            found.extend(place.projections.iter().filter_map(|step| match step {
                Projection::Index { access, .. } => Some(*access),
                _ => None,
            }));
        }
    });
    found
}

/// The expressions of a loop's body that some iterations may not evaluate.
fn conditional(code: &Code, body: &Block) -> Vec<ExprId> {
    let mut found = Vec::new();
    for stmt in &body.0 {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(code, root, &mut |e| {
                if let Expr::Binary(BinOp::And | BinOp::Or, _, right) = code.exprs[e.index()].expr {
                    found.push(right);
                }
            });
        });
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            visit::each_stmt(inner, &mut |stmt| visit::of_stmt(stmt, &mut |e| found.push(e)));
        }
    }
    found
}

/// Whether an expression may fail by an overflow.
fn may_fail(kernel: &Kernel, root: ExprId) -> bool {
    let code = &kernel.body;
    let mut found = false;
    if code.overflow_checks {
        visit::each_expr(&code.code, root, &mut |e| {
            let counts = matches!(
                code.code.exprs[e.index()].expr,
                Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Shr, ..)
                    | Expr::Unary(UnOp::Neg, _)
            );
            found |= counts && kernel.types.prim(code.expr_ty[e.index()]).is_none_or(Prim::is_int);
        });
    }
    found
}

struct Finder<'k> {
    kernel: &'k Kernel,
    key: LocalId,
    assigned: &'k BTreeSet<LocalId>,
    found: Option<Found>,
    /// The loads of the key in the comparisons.
    loads: BTreeSet<ExprId>,
    /// How many statements under comparisons assign variables of the search.
    assignments: usize,
}

impl Finder<'_> {
    /// `None` if statements assign the key otherwise, or do something else under a comparison.
    fn block(&mut self, block: &Block) -> Option<()> {
        for stmt in &block.0 {
            match stmt {
                Stmt::If { cond, then, els } if self.assigns_key(then) => {
                    if !els.0.is_empty() {
                        return None;
                    }
                    self.compared(*cond, then)?;
                }
                _ => {
                    for inner in visit::blocks_of(stmt).into_iter().flatten() {
                        self.block(inner)?;
                    }
                }
            }
        }
        Some(())
    }

    fn assigns_key(&self, block: &Block) -> bool {
        let is_key =
            |stmt: &Stmt| matches!(stmt, Stmt::Assign { place, .. } if place.base == Base::Local(self.key));
        block.0.iter().any(is_key)
    }

    /// The statements under a comparison with the key.
    fn compared(&mut self, cond: ExprId, then: &Block) -> Option<()> {
        let code = &self.kernel.body;
        let (mut items, mut new) = (BTreeSet::new(), None);
        let own = effects::bound_in(then);
        for stmt in &then.0 {
            match stmt {
                Stmt::Assign { place: Place { base: Base::Local(local), projections }, value, src: _ }
                    if self.assigned.contains(local) =>
                {
                    if !projections.is_empty() || !items.insert(*local) {
                        return None;
                    }
                    if *local == self.key {
                        new = Some(*value);
                    }
                }
                // Each thread runs these statements for the improvements among its own iterations: nothing else may come of them.
                stmt if stays(stmt, &own) => {}
                _ => return None,
            }
        }
        // No thread may fail where the loop itself would not evaluate. (The new key has been compared.)
        let (mut all, mut fails) = (Vec::new(), false);
        let compared = new.map(|e| accesses(code, e)).unwrap_or_default();
        visit::each_stmt(then, &mut |stmt| match stmt {
            Stmt::Check { check: Check::Bounds { access, .. }, .. } if compared.contains(access) => {}
            _ => {
                fails |= is_checked(self.kernel, stmt);
                visit::of_stmt(stmt, &mut |e| all.push(e));
            }
        });
        if fails {
            return None;
        }
        all.retain(|e| Some(*e) != new);
        if matches!(code.code.exprs[cond.index()].expr, Expr::Binary(BinOp::And, ..)) {
            all.push(cond);
        }
        if all.into_iter().any(|e| may_fail(self.kernel, e)) {
            return None;
        }
        let changed = effects::changed(&code.code, then);
        let (way, load) = self.comparison(cond, new?, &changed)?;
        self.loads.insert(load);
        self.assignments += items.len();
        let mut all: Vec<_> = items.into_iter().filter(|local| *local != self.key).collect();
        all.insert(0, self.key);
        let found =
            self.found.get_or_insert_with(|| Found { way, items: all.clone(), conds: BTreeSet::new() });
        found.conds.insert(cond);
        (found.way == way && found.items == all).then_some(())
    }

    /// How a condition compares the key with the value that it gets, and where it loads the key.
    fn comparison(&self, cond: ExprId, new: ExprId, changed: &HashSet<Base>) -> Option<(Way, ExprId)> {
        let code = &self.kernel.body;
        let Expr::Binary(op, a, b) = code.code.exprs[cond.index()].expr else { return None };
        let (greater, last) = match op {
            BinOp::And => {
                return self.comparison(a, new, changed).or_else(|| self.comparison(b, new, changed));
            }
            BinOp::Lt => (false, false),
            BinOp::Le => (false, true),
            BinOp::Gt => (true, false),
            BinOp::Ge => (true, true),
            _ => return None,
        };
        let is_key = |e: ExprId| {
            let place = Place { base: Base::Local(self.key), projections: Vec::new() };
            code.code.exprs[e.index()].expr == Expr::Load(place)
        };
        let (key, with, largest) = if is_key(b) { (b, a, greater) } else { (a, b, !greater) };
        let same = is_key(key) && value_numbering::equal(code, &|base| changed.contains(&base), with, new);
        same.then_some((Way { largest, last }, key))
    }
}

#[cfg(test)]
mod tests {
    use crate::schedule::SharedLoops;
    use crate::schedule::nests::independent::parallelised;
    use kernel_samples::build::{F32, Region, USIZE, X, count};
    use omp_ir::kernel::Kernel;
    use omp_ir::template::Stmt;
    use omp_ir::visit;
    use std::collections::BTreeSet;

    /// What the body of a loop assigns around it: `best` (a float), `at` (an integer), `seen` (a condition).
    struct Around {
        best: X,
        at: X,
        seen: X,
    }

    /// The kernel whose loop over `j` in `for i in 0..n { for j in 0..n { … } }` is shared, if its folds allow that.
    fn shared(body: impl FnOnce(&mut Region, &X, &X, Around)) -> Option<Kernel> {
        let mut r = Region::new("folds");
        let (a, c) = (r.array("a", &F32), r.array("c", &F32));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        let best = r.let_mut("best", a.at(&i));
        let at = r.let_mut("at", n.clone());
        let seen = r.let_mut("seen", a.at(&i).lt(0.0));
        let around = Around { best: best.clone(), at, seen };
        r.for_("j", count(0, &n), |r, j, _| body(r, &a, &j, around));
        r.set(c.at(&i), best);
        let (template, types) = r.finish();
        let (kernel, _) = crate::valid::finalise(template, types, false).expect("it is well typed");
        parallelised(&kernel, &BTreeSet::new(), SharedLoops::Folds, &BTreeSet::new())
    }

    /// Reductions and searches of the nest.
    fn counts(kernel: &Kernel) -> (usize, usize) {
        let mut found = (0, 0);
        visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
            if let Stmt::Inner(inner) = stmt {
                found = (inner.reductions.len(), inner.searches.len());
            }
        });
        found
    }

    #[test]
    fn what_does_not_depend_on_the_order_is_shared() {
        let made = shared(|r, a, j, Around { best, at, seen }| {
            let e = r.let_("e", a.at(j));
            r.if_(e.lt(&best), |r| {
                r.set(&best, e);
                r.set(&at, j);
            });
            r.set(&seen, X::Bool(true));
        });
        assert_eq!(made.map(|kernel| counts(&kernel)), Some((1, 1)));
        let made = shared(|r, _, j, Around { at, .. }| r.set(&at, &at + j));
        assert_eq!(made.map(|kernel| counts(&kernel)), Some((1, 0)));
    }

    #[test]
    fn what_depends_on_the_order_is_not() {
        // A sum of floating-point numbers; a key that is read; one that is assigned elsewhere, too; another value than the compared one.
        assert!(shared(|r, a, j, Around { best, .. }| r.set(&best, &best + a.at(j))).is_none());
        assert!(
            shared(|r, a, j, Around { best, at, .. }| {
                r.if_(a.at(j).lt(&best), |r| r.set(&best, a.at(j)));
                r.if_(best.gt(3.0), |r| r.set(&at, j));
            })
            .is_none()
        );
        assert!(
            shared(|r, a, j, Around { best, .. }| {
                r.if_(a.at(j).lt(&best), |r| r.set(&best, a.at(j)));
                r.set(&best, 1.0);
            })
            .is_none()
        );
        assert!(
            shared(|r, a, j, Around { best, .. }| {
                r.if_(a.at(j).lt(&best), |r| r.set(&best, a.at(j + 1)));
            })
            .is_none()
        );
        // What is found is assigned without a comparison, too.
        assert!(
            shared(|r, a, j, Around { best, at, .. }| {
                r.set(&at, 0);
                r.if_(a.at(j).lt(&best), |r| {
                    r.set(&best, a.at(j));
                    r.set(&at, j);
                });
            })
            .is_none()
        );
    }
}
