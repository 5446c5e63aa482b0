//! Parts of mapped arrays that an iteration has for itself, by the subscripts that it reaches.
use super::numbers;
use super::sums::{Sum, product};
use crate::schedule::Request;
use crate::schedule::survey::Survey;
use crate::valid::may_overflow;
use omp_ir::analysis::plan::{Affine, DimValues, Nest};
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId};
use omp_ir::kernel::{BoundsVerdict, Kernel, Ty};
use omp_ir::template::{Base, BinOp, Block, Check, Expr, LocalKind, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// How often an iteration has to access an element of a part, on average, for copies to pay.
const REUSE: u64 = 4;

/// Iterations of an iteration's innermost loops below which parts would not pay.
const LEAST_TRIPS: u64 = 32;

/// The elements of a mapped array that iterations have for themselves: where the variable of the parallel loop is `v`, so many from
/// `first + v * step` on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part {
    /// The first element where the variable is 0.
    pub first: i64,
    /// Elements from one value of the variable to the next.
    pub step: i64,
    /// How many.
    pub len: u32,
    /// Their addresses are multiples of 16 bytes, and so is their size.
    pub wide: bool,
    /// After so many elements is a gap of one; 0: there is none.
    pub row: u32,
    /// By subscript: which of them it is.
    pub places: BTreeMap<AccessId, Offset>,
}

/// The number of an element: `base`, and for each sequential loop so many times its variable, or for one that begins where loops around it
/// say, times the number of its iteration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Offset {
    /// Where all of them are 0.
    pub base: i64,
    /// By variable: the factor, and the bound at which it begins.
    pub strides: Vec<(LocalId, i64, Option<ExprId>)>,
}

impl Part {
    /// Elements in shared memory.
    pub(crate) fn room(&self) -> u64 {
        let gaps = self.len.saturating_sub(1).checked_div(self.row).unwrap_or(0);
        u64::from(self.len) + u64::from(gaps)
    }
}

/// The sizes of an iteration that the text of a kernel names where it has parts of mapped arrays, whatever the parallel loop is. `None`
/// for iterations without.
#[must_use]
pub fn sizes_of_parts(nest: &Nest) -> Option<Nest> {
    let (first, inner) = nest.loops.split_first()?;
    if product(inner.iter().map(|l| l.count)) < LEAST_TRIPS {
        return None;
    }
    let mut sizes =
        Nest { loops: nest.loops.clone(), subscripts: nest.subscripts.clone(), ..Nest::default() };
    sizes.loops[0] = DimValues { first: 0, step: 1, count: 1 };
    for affine in sizes.subscripts.values_mut() {
        let by = affine.strides.first().map_or(0, |by| i128::from(*by));
        let base = i128::from(affine.base) - by / first.step.max(1) * first.first;
        affine.base = i64::try_from(base).unwrap_or(affine.base);
    }
    Some(sizes)
}

/// A sequential loop.
pub(super) struct Loop {
    pub var: LocalId,
    begins: Option<ExprId>,
    /// The number of the first loop after it that does not stand in it, in the order of the code.
    pub end: usize,
}

/// A subscript in the code.
pub(super) struct Touch {
    pub array: ArrayId,
    pub access: AccessId,
    /// It is a number, and not an element that has several.
    pub number: bool,
    pub writes: bool,
    /// The loops around it, by their numbers.
    pub around: Vec<usize>,
}

/// The subscripts that an iteration reaches.
pub(super) struct Reached<'a> {
    pub kernel: &'a Kernel,
    request: &'a Request<'a>,
    survey: &'a Survey,
    pub nest: &'a Nest,
    /// The sequential loops, in the order of the code.
    pub loops: Vec<Loop>,
    pub touched: Vec<Touch>,
    /// The loops around the statement at hand.
    around: Vec<usize>,
}

impl<'a> Reached<'a> {
    /// Those of a launch whose text may name the sizes of parts.
    pub fn by(kernel: &'a Kernel, request: &'a Request<'a>, survey: &'a Survey) -> Option<Self> {
        let (Some(nest), [_]) = (&request.facts.nest, request.facts.dims.as_slice()) else { return None };
        // Places in boxes count from the first value up.
        let up = nest.loops[1..].iter().all(|of| of.step == 1);
        let known = nest.decided.is_empty() && nest.coalesced.is_empty() && nest.gathers.is_empty() && up;
        if !request.parts || survey.queries || !known {
            return None;
        }
        let (loops, touched, around) = Default::default();
        let mut reached = Self { kernel, request, survey, nest, loops, touched, around };
        let fine = reached.block(&kernel.body.code.block);
        (fine && reached.loops.len() + 1 == nest.loops.len()).then_some(reached)
    }

    /// Looks at statements. `false` where other threads may have a part in the iteration, or where a subscript may fail by more than its
    /// bounds.
    fn block(&mut self, block: &Block) -> bool {
        let (code, mut fine) = (&self.kernel.body, true);
        for stmt in &block.0 {
            let mut place = |place: &Place, writes: bool| {
                if let (Base::Array(array), Some(Projection::Index { access, .. })) =
                    (place.base, place.projections.first())
                {
                    let around = self.around.clone();
                    let number = is_number(self.kernel, array, &place.projections);
                    self.touched.push(Touch { array, access: *access, number, writes, around });
                    visit::of_place(place, &mut |index| {
                        visit::each_expr(&code.code, index, &mut |e| {
                            let checked = code.overflow_checks && may_overflow(self.kernel, code, e);
                            fine &= !checked || self.nest.fits.contains(&e);
                        });
                    });
                }
            };
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(&code.code, root, &mut |e| {
                    if let Expr::Load(from) = &code.code.exprs[e.index()].expr {
                        place(from, false);
                    }
                });
            });
            match stmt {
                Stmt::Assign { place: to, .. } => place(to, true),
                Stmt::For { var, range, .. } => {
                    self.around.push(self.loops.len());
                    self.loops.push(Loop { var: *var, begins: range.lo, end: 0 });
                }
                Stmt::Inner(_) | Stmt::Atomic { .. } | Stmt::Check { check: Check::Claim { .. }, .. } => {
                    return false;
                }
                _ => {}
            }
            if !fine || !visit::blocks_of(stmt).into_iter().flatten().all(|inner| self.block(inner)) {
                return false;
            }
            if let Stmt::For { .. } = stmt
                && let Some(number) = self.around.pop()
            {
                self.loops[number].end = self.loops.len();
            }
        }
        true
    }

    /// Iterations of a loop.
    pub fn count(&self, number: usize) -> u64 {
        self.nest.loops[number + 1].count
    }

    /// How often an iteration reaches a subscript, conditions and limits aside.
    pub fn times(&self, touch: &Touch) -> u64 {
        product(touch.around.iter().map(|l| self.count(*l)))
    }

    /// The mapped arrays of which each iteration has a part for itself, and goes through it several times; with gaps between rows if that
    /// is wanted and possible.
    pub fn parts(&self, gaps: bool) -> BTreeMap<ArrayId, Part> {
        let all = (0..self.kernel.template.arrays.len()).map(ArrayId::new);
        all.filter_map(|array| Some((array, self.part(array, gaps)?))).collect()
    }

    fn part(&self, array: ArrayId, gaps: bool) -> Option<Part> {
        let Self { kernel, request, survey, nest, .. } = self;
        let of = &kernel.template.arrays[array.index()];
        // Subscripts count the numbers of elements that are fixed arrays.
        let (number, of_each) = numbers(&kernel.types, kernel.array_ty[array.index()])?;
        let size = kernel.types.size(number)?;
        let accesses: BTreeSet<AccessId> = survey.accesses[array.index()].iter().copied().collect();
        // (What is only read is in a cache.)
        if accesses.is_empty() || survey.whole[array.index()] || of.section || !of.written {
            return None;
        }
        let proved = |access: &AccessId| match kernel.body.bounds[access.index()] {
            BoundsVerdict::Proved => true,
            BoundsVerdict::AtLaunch => !request.facts.unproved.contains(access),
            BoundsVerdict::Trusted | BoundsVerdict::Residual => false,
        };
        let (mut lo, mut hi, mut step) = (i128::MAX, i128::MIN, None);
        for access in &accesses {
            let affine = nest.subscripts.get(access).filter(|_| proved(access))?;
            let by = *affine.strides.first()?;
            if *step.get_or_insert(by) != by {
                return None;
            }
            let (least, most) = Sum::of(nest, affine).range()?;
            (lo, hi) = (lo.min(least), hi.max(most + 1));
        }
        let touched = self.touched.iter().filter(|touch| touch.array == array);
        if !touched.clone().all(|touch| touch.number) {
            return None;
        }
        let all = touched.fold(0u64, |all, touch| all.saturating_add(self.times(touch)));
        // The boxes follow each other, and the device has all of their elements.
        let (step, len, dim) = (i128::from(step?), hi - lo, nest.loops.first()?);
        let end = hi + i128::from(dim.count.checked_sub(1)?) * step;
        let first = |element: u64| i128::from(element) * i128::from(of_each);
        let there = |(from, to): (u64, u64)| first(from) <= lo && end <= first(to);
        let exists = match request.facts.footprint.get(array.index())? {
            Some(touched) => touched.all.iter().any(|range| there(*range)),
            None => there((0, *request.extents.get(array.index())?)),
        };
        if step < 2 || len > step || !exists || i128::from(all) < len * i128::from(REUSE) {
            return None;
        }
        // (The text then is the same for all parallel loops over parts of this size.)
        let by_value = step / dim.step;
        if by_value * dim.step != step {
            return None;
        }
        let mut within = BTreeMap::new();
        for access in accesses {
            let mut affine = nest.subscripts.get(&access)?.clone();
            affine.base = i64::try_from(i128::from(affine.base) - lo).ok()?;
            within.insert(access, affine);
        }
        // Where rows have an even number of elements, threads that have neighbouring rows access different banks if there is a gap after
        // each of them.
        let row = self.row(array).filter(|row| {
            gaps && row % 2 == 0 && within.values().all(|affine| self.in_rows(affine, *row).is_some())
        });
        let place = |(access, affine): (AccessId, Affine)| {
            let gaps = |n: i64| row.map_or(0, |row| n.div_euclid(row));
            Some((access, self.offset(&affine.map(|n| n + gaps(n)))?))
        };
        let whole = |elements: i128| (elements * i128::from(size)) % 16 == 0;
        let begins = request.alignment.get(array.index()).copied().unwrap_or(1);
        Some(Part {
            first: i64::try_from(lo - by_value * dim.first).ok()?,
            step: i64::try_from(by_value).ok()?,
            len: u32::try_from(len).ok()?,
            wide: begins >= 16 && whole(lo) && whole(step) && whole(len),
            row: u32::try_from(row.unwrap_or(0)).ok()?,
            places: within.into_iter().map(place).collect::<Option<_>>()?,
        })
    }

    /// Elements of a row: the shortest distance of two elements of an array that are no neighbours, from one iteration of a loop to the
    /// next.
    pub fn row(&self, array: ArrayId) -> Option<i64> {
        let touched = self.touched.iter().filter(|touch| touch.array == array);
        let affine = touched.filter_map(|touch| self.nest.subscripts.get(&touch.access));
        affine.flat_map(|affine| affine.strides.iter().skip(1)).copied().filter(|by| *by > 1).min()
    }

    /// A subscript without the part of the parallel loop, which is the same for all of an iteration: whole rows, and less than a row.
    pub fn in_rows(&self, affine: &Affine, row: i64) -> Option<(Affine, Affine)> {
        let mut own = affine.clone();
        *own.strides.first_mut()? = 0;
        let (rows, rest) = (own.map(|n| n.div_euclid(row)), own.map(|n| n.rem_euclid(row)));
        let (least, most) = Sum::of(self.nest, &rest).range()?;
        (least >= 0 && most < i128::from(row)).then_some((rows, rest))
    }

    /// A place in a box as a function of variables.
    fn offset(&self, affine: &Affine) -> Option<Offset> {
        let (mut base, mut strides) = (i128::from(affine.base), Vec::new());
        for (l, by) in affine.strides.iter().enumerate().skip(1).filter(|(_, by)| **by != 0) {
            let Loop { var, begins, .. } = self.loops.get(l - 1)?;
            if self.nest.moving.contains(&u32::try_from(l).ok()?) {
                let begins = begins.filter(|e| is_simple(self.kernel, *e))?;
                strides.push((*var, *by, Some(begins)));
            } else {
                // (Its step is 1. The text multiplies in 32 bits.)
                let of = self.nest.loops.get(l)?;
                let most = of.first.abs() + i128::from(of.count);
                if most * i128::from(*by).abs() > i128::from(i32::MAX) {
                    return None;
                }
                base -= i128::from(*by) * of.first;
                strides.push((*var, *by, None));
            }
        }
        Some(Offset { base: i64::try_from(base).ok()?, strides })
    }
}

/// A bound that a loop's body may evaluate again: a sum of variables that don't change, and numbers.
fn is_simple(kernel: &Kernel, e: ExprId) -> bool {
    let code = &kernel.body.code;
    match &code.exprs[e.index()].expr {
        Expr::Int { negative: false, .. } => true,
        Expr::Load(Place { base: Base::Local(local), projections }) => {
            projections.is_empty() && code.locals[local.index()].kind == LocalKind::Loop
        }
        Expr::Binary(BinOp::Add, a, b) => is_simple(kernel, *a) && is_simple(kernel, *b),
        _ => false,
    }
}

/// Whether subscripts lead to a number.
fn is_number(kernel: &Kernel, array: ArrayId, steps: &[Projection]) -> bool {
    let mut ty = kernel.array_ty[array.index()];
    steps.iter().skip(1).all(|step| match (step, kernel.types.get(ty)) {
        (Projection::Index { .. }, Ty::Array(elem, _)) => {
            ty = *elem;
            true
        }
        _ => false,
    }) && kernel.types.prim(ty).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::tests::scheduled;
    use kernel_samples::build::{X, count};

    /// The part of `c` in `for i { for j in 0..m { for k in lo..hi { c[at] = c[at of k = 0] + a[i] } } }` with `m = 8`.
    fn part_of(
        len: u64,
        checked: bool,
        bounds: fn(&X, &X) -> (X, X),
        at: fn([&X; 4]) -> X,
    ) -> Option<(i64, i64, u32, bool)> {
        let (_, schedule) = scheduled((100, 8), len, checked, |r, i, [a, c, m]| {
            r.for_("j", count(0, &m), |r, j, _| {
                let (lo, hi) = bounds(&j, &m);
                r.for_("k", count(lo, hi), |r, k, _| {
                    let (place, before) = (at([&i, &j, &k, &m]), at([&i, &j, &X::from(0), &m]));
                    r.set(c.at(place), c.at(before) + a.at(&i));
                });
            });
        });
        let part = schedule.interleaved.parts.into_values().next()?;
        Some((part.first, part.step, part.len, part.wide))
    }

    #[test]
    fn parts_are_boxes_that_follow_each_other() {
        let square = |_: &X, m: &X| (X::from(0), m.clone());
        assert_eq!(part_of(6400, false, square, |[i, j, k, _]| i * 64 + j * k), None);
        assert_eq!(part_of(6400, false, square, |[i, j, k, _]| i * 64 + (j + k)), Some((0, 64, 15, false)));
        assert_eq!(
            part_of(6500, false, square, |[i, j, k, _]| i * 64 + (j + k) + 5),
            Some((5, 64, 15, false))
        );
        // Not so far as the array goes, and into the part of the next iteration.
        assert_eq!(part_of(1600, false, square, |[i, j, k, _]| i * 14 + (j + k)), None);
        // With overflow checks, operators that may overflow have none.
        assert_eq!(
            part_of(6400, true, square, |[i, j, k, m]| i * (m * m) + (j + k)),
            Some((0, 64, 15, false))
        );
    }
}
