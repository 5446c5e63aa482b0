//! Late stores: short loops of divisions, all of whose iterations compute before the first of them stores; and bodies without loops that store
//! several quotients, all of which come before the first store.
//!
//! A division of floats is a sequence of instructions with a branch to the special cases. Compilers move no store over that branch, so
//! the division of one iteration begins when the store of the one before has been issued. (An H200 takes 0.315 ms for 2²⁵ iterations of
//! `for c in 0..3 { out[3 * i + c] = x[3 * i + c] as f32 / 255.0 }`, and 0.149 ms if the stores come last.)
//!
//! # Why this is correct
//!
//! Every iteration of the loop runs: nothing in it fails, ends the loop or ends the iteration ([`Loop::look`]). A late store is outside of
//! conditions, and its subscript consists of numbers that the loop's variable and the code before the loop give. Nothing else of its array
//! is accessed in the loop but the same element, before it is stored, if each iteration has its own. So what an update (`x[i] /= d`) reads
//! may be loaded before the loop. After the loop, the stores come in the order of the iterations.
//!
//! Of a body, the stores come in their order after its last statement, if all stores to their array do, and if nothing reads the array after the
//! first of them.
use super::explain::reasons::{About, names};
use super::loads_ahead::Loop;
use super::survey::Survey;
use super::{DeviceKind, Request, Strategy};
use crate::valid::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId};
use omp_ir::kernel::Kernel;
use omp_ir::template::{Base, BinOp, Block, Expr, Place, Projection, Range, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Iterations of a short loop.
const MOST: i128 = 16;

/// Registers for what a loop stores late.
const WORDS: u64 = 32;

/// A short loop whose stores come late.
pub(crate) struct Found<'k> {
    /// The number of the first iteration, and how many there are.
    pub first: i128,
    pub trips: u64,
    /// The statements that give variables in subscripts their values.
    pub lets: Vec<&'k Stmt>,
    pub stores: Vec<Store<'k>>,
}

/// An element that each iteration stores.
pub(crate) struct Store<'k> {
    /// It is an update: the subscript is also that of a load.
    pub loaded: bool,
    pub array: ArrayId,
    pub access: AccessId,
    pub place: &'k Place,
}

/// The loops of a kernel whose stores come late, by their variables. That of the innermost parallel loop stands for the body.
pub(super) fn choose(
    kernel: &Kernel,
    request: &Request<'_>,
    survey: &Survey,
    strategy: &Strategy,
) -> BTreeSet<LocalId> {
    let mut loops = BTreeSet::new();
    let alone = matches!(strategy, Strategy::Linear | Strategy::Grid { jam: 1, wide: None, .. });
    if request.device.kind != DeviceKind::Cuda
        || !alone
        || survey.queries
        || request.pins.unroll.is_some()
        || !request.facts.claims.is_empty()
    {
        return loops;
    }
    let mut arrays = BTreeSet::new();
    if let Some((_, last)) = last_of_body(kernel, &request.facts.unproved)
        && let Some(dim) = kernel.template.dims.last()
    {
        loops.insert(dim.var);
        arrays.extend(last);
    }
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        let Stmt::For { var, range, body, .. } = stmt else { return };
        if let Some(found) = find(kernel, &request.facts.unproved, (*var, range, body)) {
            loops.insert(*var);
            arrays.extend(found.stores.iter().map(|store| store.array));
        }
    });
    request.why(About::Late, || {
        format!(
            "a division has branches, over which compilers move no store: later divisions would wait for the stores to {}",
            names(kernel, &arrays)
        )
    });
    loops
}

/// What a loop stores late; `None` if it is not short, has no division, or may end early.
pub(crate) fn find<'k>(
    kernel: &'k Kernel,
    unproved: &BTreeSet<AccessId>,
    (var, range, body): (LocalId, &Range, &'k Block),
) -> Option<Found<'k>> {
    let code = &kernel.body;
    let constants = Constants::of(&kernel.types, code);
    let known = |e: Option<ExprId>| constants.int(&kernel.types, code, e?);
    let first = known(range.lo)?;
    let trips = known(range.hi)? - first;
    let plain = range.adaptors.is_empty() && !range.inclusive && !code.code.locals[var.index()].mutable;
    if !plain || !(2..=MOST).contains(&trips) || code.overflow_checks || !divides(kernel, body) {
        return None;
    }
    let of = Loop::of(kernel, unproved, var, body)?;
    let reads: Vec<_> = body.0.iter().map(|stmt| reads(kernel, stmt)).collect();
    let mut stores = Vec::new();
    for (nth, stmt) in body.0.iter().enumerate() {
        let Stmt::Assign { place, .. } = stmt else { continue };
        let (Base::Array(array), [Projection::Index { index, access }]) =
            (place.base, &place.projections[..])
        else {
            continue;
        };
        // What the iteration reads of the array is the element that it stores afterwards, and no other iteration has that element.
        let own = |read: &Read| {
            read.element.is_some_and(|(read, _)| of.is_known(read) && of.same(read, *index))
                && of.step(*index).is_some_and(|step| step != 0)
        };
        let before = |(at, reads): (usize, &Vec<Read>)| {
            reads.iter().all(|read| read.array != array || (at <= nth && own(read)))
        };
        let once = of.stored.get(&array).is_some_and(|stores| stores.len() == 1);
        if once && of.is_known(*index) && reads.iter().enumerate().all(before) {
            let is_it = |read: &Read| read.element.is_some_and(|(_, other)| other == *access);
            let loaded = reads.iter().flatten().any(is_it);
            stores.push(Store { loaded, array, access: *access, place });
        }
    }
    let size = |store: &Store<'_>| {
        kernel.types.prim(kernel.array_ty[store.array.index()]).map(|prim| prim.size() as u64)
    };
    let words: u64 = stores.iter().map(|store| Some(size(store)?.div_ceil(4))).sum::<Option<u64>>()?;
    let fits = words > 0 && words * trips as u64 <= WORDS;
    fits.then(|| Found {
        first,
        trips: trips as u64,
        lets: of.lets.iter().map(|(_, stmt)| *stmt).collect(),
        stores,
    })
}

/// The statements of a body that store last, and the arrays; `None` if there are fewer than two, or no division.
fn last_of_body(kernel: &Kernel, unproved: &BTreeSet<AccessId>) -> Option<(Vec<usize>, BTreeSet<ArrayId>)> {
    let (code, block) = (&kernel.body, &kernel.body.code.block);
    let var = kernel.template.dims.last()?.var;
    if code.overflow_checks || !divides(kernel, block) {
        return None;
    }
    let of = Loop::of(kernel, unproved, var, block)?;
    let reads: Vec<_> = block.0.iter().map(|stmt| reads(kernel, stmt)).collect();
    let store = |(nth, stmt): (usize, &Stmt)| {
        let Stmt::Assign { place, .. } = stmt else { return None };
        let (Base::Array(array), [Projection::Index { index, .. }]) = (place.base, &place.projections[..])
        else {
            return None;
        };
        let size = kernel.types.prim(kernel.array_ty[array.index()])?.size();
        let later = reads[nth + 1..].iter().flatten().any(|read| read.array == array);
        (of.is_known(*index) && !later).then_some((nth, array, size.div_ceil(4) as u64))
    };
    let mut stores: Vec<_> = block.0.iter().enumerate().filter_map(store).collect();
    let all: Vec<ArrayId> = stores.iter().map(|(_, array, _)| *array).collect();
    let is_whole = |array: &ArrayId| {
        of.stored.get(array).is_some_and(|s| s.len() == all.iter().filter(|other| *other == array).count())
    };
    stores.retain(|(_, array, _)| is_whole(array));
    let words: u64 = stores.iter().map(|(_, _, words)| words).sum();
    let pays = stores.len() > 1 && words <= WORDS;
    pays.then(|| {
        (stores.iter().map(|(nth, ..)| *nth).collect(), stores.iter().map(|(_, array, _)| *array).collect())
    })
}

/// The kernel whose body stores last.
pub(crate) fn storing_last(kernel: &Kernel, unproved: &BTreeSet<AccessId>) -> Option<Kernel> {
    let (stores, _) = last_of_body(kernel, unproved)?;
    let mut made = kernel.clone();
    let mut block = std::mem::take(&mut made.body.code.block);
    let mut last = Vec::new();
    for nth in stores {
        let Stmt::Assign { place, value, src } = block.0[nth].clone() else { continue };
        let Base::Array(array) = place.base else { continue };
        let name = format!("{}_late", kernel.template.arrays[array.index()].name);
        let (ty, code) = (made.body.expr_ty[value.index()], &mut made.body);
        let local = code.temp(name, ty);
        block.0[nth] = Stmt::Let { local, init: Some(value) };
        let variable = Place { base: Base::Local(local), projections: Vec::new() };
        let value = code.push(Expr::Load(variable), ty, src);
        last.push(Stmt::Assign { place, value, src });
    }
    block.0.extend(last);
    made.body.code.block = block;
    Some(made)
}

/// Whether statements divide floats.
fn divides(kernel: &Kernel, block: &Block) -> bool {
    let code = &kernel.body;
    let mut found = false;
    visit::each_stmt(block, &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&code.code, root, &mut |e| {
                if let Expr::Binary(BinOp::Div, ..) = &code.code.exprs[e.index()].expr {
                    found |= kernel.types.prim(code.expr_ty[e.index()]).is_some_and(Prim::is_float);
                }
            });
        });
    });
    found
}

/// What a statement reads of an array.
struct Read {
    array: ArrayId,
    /// Of an element, the subscript.
    element: Option<(ExprId, AccessId)>,
}

fn reads(kernel: &Kernel, stmt: &Stmt) -> Vec<Read> {
    let code = &kernel.body.code;
    let mut found = Vec::new();
    visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(code, root, &mut |e| {
                let Expr::Load(Place { base: Base::Array(array), projections }) = &code.exprs[e.index()].expr
                else {
                    return;
                };
                let element = match projections[..] {
                    [Projection::Index { index, access }] => Some((index, access)),
                    _ => None,
                };
                found.push(Read { array: *array, element });
            });
        });
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::interleaved::tests::scheduled;
    use kernel_samples::build::{Region, X, count};
    use omp_ir::desc::Prim;

    /// Whether the loop over `k` in `for i in 0..n { for k in 0..trips { … } }` stores late.
    fn late(trips: i32, each: impl FnOnce(&mut Region, [X; 4])) -> bool {
        let (_, schedule) = scheduled((100_000, 100), 1 << 24, false, |r, i, [a, c, _]| {
            let i = i.clone();
            r.for_("k", count(1, trips), |r, k, _| each(r, [a, c, i, k]));
        });
        !schedule.late.is_empty()
    }

    #[test]
    fn bodies_with_divisions_store_last() {
        let last = |each: &dyn Fn(&mut Region, [X; 3])| {
            let (_, schedule) =
                scheduled((100_000, 100), 1 << 24, false, |r, i, [a, c, _]| each(r, [a, c, i.clone()]));
            !schedule.late.is_empty()
        };
        let set =
            |r: &mut Region, [a, c, i]: &[X; 3], k: i32| r.set(c.at(i * 3 + k), a.at(i * 3 + k) / a.at(i));
        assert!(last(&|r, v| (0..3).for_each(|k| set(r, &v, k))));
        // One store; a read of the array afterwards; no division; a store under a condition.
        assert!(!last(&|r, v| set(r, &v, 0)));
        assert!(!last(&|r, v| {
            (0..3).for_each(|k| set(r, &v, k));
            let [a, c, i] = &v;
            r.set(a.at(i), c.at(i * 3));
        }));
        assert!(!last(&|r, [a, c, i]| (0..3).for_each(|k| r.set(c.at(&i * 3 + k), a.at(&i * 3 + k) * 2.0))));
        assert!(!last(&|r, v| {
            let [a, c, i] = &v;
            r.if_(a.at(i).lt(0.5), |r| r.set(c.at(i * 3), 1.0));
            (0..3).for_each(|k| set(r, &v, k));
        }));
    }

    #[test]
    fn short_loops_with_divisions_store_late() {
        let at = |i: &X, k: &X| i * 4 + k;
        assert!(late(4, |r, [a, c, i, k]| r.set(c.at(at(&i, &k)), a.at(at(&i, &k)) / 3.0)));
        assert!(late(4, |r, [_, c, i, k]| r.set(c.at(at(&i, &k)), c.at(at(&i, &k)) / 3.0)));
        // Long; without a division; where others store, or after the store, or under a condition.
        assert!(!late(40, |r, [a, c, i, k]| r.set(c.at(at(&i, &k)), a.at(at(&i, &k)) / 3.0)));
        assert!(!late(4, |r, [a, c, i, k]| r.set(c.at(at(&i, &k)), a.at(at(&i, &k)) * 3.0)));
        assert!(!late(4, |r, [_, c, i, k]| r.set(c.at(at(&i, &k)), c.at(at(&i, &(&k + 1))) / 3.0)));
        assert!(!late(4, |r, [_, c, i, k]| r.set(c.at(&i), c.at(&i) / (k + 2).cast(Prim::F32))));
        assert!(!late(4, |r, [a, c, i, k]| {
            r.if_(a.at(&i).lt(0.5), |r| r.set(c.at(at(&i, &k)), a.at(at(&i, &k)) / 3.0));
        }));
    }
}
