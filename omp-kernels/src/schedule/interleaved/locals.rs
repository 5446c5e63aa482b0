//! The local arrays that are interleaved.
use super::numbers;
use omp_ir::flow::effects;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::kernel::{Callee, Kernel, Ty};
use omp_ir::template::{Base, BinOp, Block, Code, Expr, LocalKind, Place, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most numbers of a local array for which a thread may have registers.
const MOST_REGISTERS: u64 = 128;

/// How a value differs between the threads of a warp, as far as it is a subscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Threads that run together have the same one.
    Alike,
    /// It counts up or down, as far as the data say: neighbouring threads have neighbouring ones, and compilers know much of it.
    Walk,
    /// It comes from data, from the iteration's number, or by a choice.
    Data,
}

/// The local arrays that are interleaved: their elements are chosen by data, or there are more than a thread has registers.
pub(super) fn locals(kernel: &Kernel) -> BTreeSet<LocalId> {
    let code = &kernel.body;
    let count = |l: &LocalId| numbers(&kernel.types, code.local_ty[l.index()]).map_or(0, |(_, count)| count);
    let candidate = |l: &LocalId| {
        matches!(code.code.locals[l.index()].kind, LocalKind::User | LocalKind::Temp)
            && matches!(kernel.types.get(code.local_ty[l.index()]), Ty::Array(..))
            && (2..1 << 16).contains(&count(l))
    };
    let mut found: BTreeSet<LocalId> = (0..code.local_ty.len()).map(LocalId::new).filter(candidate).collect();
    if found.is_empty() {
        return found;
    }
    let ways = ways(kernel);
    let mut by: BTreeMap<LocalId, Way> = BTreeMap::new();
    let (mut declared, mut copied, mut refused) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut place = |place: &Place| {
        let Base::Local(local) = place.base else { return };
        let mut most = Way::Alike;
        visit::of_place(place, &mut |e| most = most.max(way_of(kernel, &ways, e)));
        let way = by.entry(local).or_insert(most);
        *way = most.max(*way);
    };
    visit::each_stmt(&code.code.block, &mut |stmt| match stmt {
        Stmt::Let { local, init } => {
            declared.insert(*local);
            copied.extend(*init);
        }
        Stmt::Assign { place: to, value, .. } => {
            place(to);
            copied.insert(*value);
        }
        Stmt::Atomic { place, .. } => refused.extend(place.base.local()),
        Stmt::Inner(inner) => refused.extend(effects::copies(inner)),
        _ => {}
    });
    visit::each_live_expr(&code.code, &mut |e| match &code.code.exprs[e.index()].expr {
        Expr::Load(from) => {
            place(from);
            // The whole array, or a row of it: where it is assigned to something.
            if matches!(kernel.types.get(code.expr_ty[e.index()]), Ty::Array(..)) && !copied.contains(&e) {
                refused.extend(from.base.local());
            }
        }
        Expr::Borrow(of) | Expr::Slice { base: of, .. } => refused.extend(of.base.local()),
        _ => {}
    });
    found.retain(|l| {
        let suits = match by.get(l) {
            Some(Way::Data) => true,
            Some(Way::Walk) | None => false,
            Some(Way::Alike) => count(l) > MOST_REGISTERS,
        };
        suits && declared.contains(l) && !refused.contains(l)
    });
    found
}

/// By variable: how its values differ.
fn ways(kernel: &Kernel) -> HashMap<LocalId, Way> {
    let mut ways: HashMap<LocalId, Way> =
        kernel.template.dims.iter().map(|dim| (dim.var, Way::Data)).collect();
    loop {
        let before = ways.clone();
        ways_in(kernel, &kernel.body.code.block, false, &mut ways);
        if ways == before {
            return ways;
        }
    }
}

fn ways_in(kernel: &Kernel, block: &Block, chosen: bool, ways: &mut HashMap<LocalId, Way>) {
    let code = &kernel.body.code;
    for stmt in &block.0 {
        let found = match stmt {
            Stmt::Let { local, init: Some(init) } => Some((*local, way_of(kernel, ways, *init))),
            Stmt::Assign { place: Place { base: Base::Local(local), projections }, value, .. }
                if projections.is_empty() =>
            {
                let way = if is_step(code, *local, *value) {
                    Way::Walk
                } else if chosen {
                    Way::Data
                } else {
                    Way::Walk.max(way_of(kernel, ways, *value))
                };
                Some((*local, way))
            }
            Stmt::For { var, range, .. } => {
                let mut most = Way::Alike;
                visit::of_range(range, &mut |e| most = most.max(way_of(kernel, ways, e)));
                Some((*var, most))
            }
            _ => None,
        };
        if let Some((local, way)) = found {
            let of = ways.entry(local).or_insert(way);
            *of = way.max(*of);
        }
        let chosen = chosen || matches!(stmt, Stmt::If { .. });
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            ways_in(kernel, inner, chosen, ways);
        }
    }
}

/// `v + 1`, `v - 1`
fn is_step(code: &Code, local: LocalId, value: ExprId) -> bool {
    let Expr::Binary(BinOp::Add | BinOp::Sub, a, b) = &code.exprs[value.index()].expr else { return false };
    code.exprs[a.index()].expr == Expr::Load(Base::Local(local).into())
        && matches!(code.exprs[b.index()].expr, Expr::Int { .. })
}

fn way_of(kernel: &Kernel, ways: &HashMap<LocalId, Way>, root: ExprId) -> Way {
    let code = &kernel.body;
    let mut most = Way::Alike;
    visit::each_expr(&code.code, root, &mut |e| {
        let way = match &code.code.exprs[e.index()].expr {
            Expr::Load(Place { base, projections }) => match base {
                Base::Array(_) => Way::Data,
                Base::Local(local) if projections.is_empty() => {
                    ways.get(local).copied().unwrap_or(Way::Alike)
                }
                Base::Local(_) => Way::Data,
                Base::Scalar(_) | Base::Const(_) => Way::Alike,
            },
            Expr::Call { call, .. } if matches!(code.calls[call.index()], Callee::Fn(_)) => Way::Data,
            Expr::Borrow(_) | Expr::Slice { .. } | Expr::Thread(_) => Way::Data,
            _ => Way::Alike,
        };
        most = most.max(way);
    });
    most
}

#[cfg(test)]
mod tests {
    use super::super::tests::scheduled;
    use kernel_samples::build::{F32, Region, X, array_of, count};
    use omp_ir::desc::Prim;

    /// How many local arrays are interleaved of one of `len` numbers that a loop over 8 elements of `a` updates.
    fn locals_of(len: i32, each: impl FnOnce(&mut Region, &X, X, X)) -> usize {
        let made = scheduled((1000, 8), 8000, false, |r, i, [a, c, m]| {
            let own = r.uninit("own", array_of(&F32, len as usize));
            r.for_("z", count(0, len), |r, z, _| r.set(own.at(z), 0.0));
            r.for_("k", count(0, &m), |r, k, _| {
                let v = r.let_("v", a.at(&i * 8 + &k));
                each(r, &own, k, v);
            });
            r.set(c.at(i), own.at(1));
        });
        made.1.interleaved.locals.len()
    }

    #[test]
    fn local_arrays_are_interleaved_where_data_choose_elements_or_there_are_many() {
        assert_eq!(locals_of(9, |r, own, _, v| r.set(own.at(v.cast(Prim::Usize)), 1.0)), 1);
        let chosen = |r: &mut Region, own: &X, k: X, v: X| {
            let at = r.let_mut("at", 0);
            r.if_(v.lt(0.5), |r| r.set(&at, k));
            r.set(own.at(&at), v);
        };
        assert_eq!(locals_of(9, chosen), 1);
        // Alike in all threads: in registers, or at one place for a warp. There is a lot of room there.
        let alike = |r: &mut Region, own: &X, k: X, v: X| r.set(own.at(k), v);
        assert_eq!([9, 128, 129, 1000, 20_000].map(|len| locals_of(len, alike)), [0, 0, 1, 1, 0]);
        // Counted up.
        let counted = |r: &mut Region, own: &X, _: X, v: X| {
            let at = r.let_mut("at", 0);
            r.while_(own.at(&at).lt(&v), |r, _| r.set(&at, &at + 1));
            r.set(own.at(&at), v);
        };
        assert_eq!(locals_of(129, counted), 0);
    }

    #[test]
    fn arrays_that_are_passed_on_stay_where_they_are() {
        let row = array_of(&F32, 9);
        let each = |r: &mut Region, own: &X, _: X, v: X| {
            r.set(own.at(v.cast(Prim::Usize)), 1.0);
            let some = r.let_("some", own.slice(0, 5));
            r.set(own.at(0), some.at(3));
        };
        assert_eq!(locals_of(9, each), 0);
        // A copy is no use of another kind.
        let copy = |r: &mut Region, own: &X, _: X, v: X| {
            let other = r.uninit("other", row);
            r.set(&other, own);
            r.set(own.at(v.cast(Prim::Usize)), other.at(2));
        };
        assert_eq!(locals_of(9, copy), 1);
    }
}
