//! Staged stores: arrays of large elements, of which each iteration stores its own, as a whole or in parts.
//!
//! A thread stores an element of 36 bytes by nine accesses, and at each of them the threads of a warp write 4 bytes of each of 32 places.
//! If they put their elements into shared memory first, they write what lies together in memory together. Loads need no staging: the first
//! access brings into the cache what the others read. An element of which an iteration changes parts is loaded as a whole, changed in
//! registers, and stored as a whole.
use super::access_width::{WIDEST, in_bounds, strides_of};
use super::choose::aligned;
use super::explain::reasons::{About, names};
use super::survey::Survey;
use super::{DeviceKind, Request};
use crate::back::c::strategy::vector::is_any_bits;
use crate::valid::KernelInfo;
use crate::valid::typer::constant::Constants;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode, Types};
use omp_ir::template::{Base, Expr, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// Elements of at most so many bytes are staged: they stay in registers until then.
const MOST_BYTES: u64 = 128;
/// Of so many accesses or bytes, an element is stored more slowly than it would be together with others.
const ACCESSES: u64 = 4;
const BYTES: u64 = 48;
/// Where parts of an element change, they have so many words at least, and one in so many of its bytes changes. (Accesses of 16 bytes store
/// parts as fast. Measured on an H200 for elements of 20 to 128 bytes.)
const WORDS: u64 = 3;
const SHARE: u64 = 4;
/// Loops of at most so many iterations are unrolled: what they subscript stays in registers.
const UNROLLED: i128 = 16;

/// The arrays of a loop in a row whose elements are stored so.
pub(super) fn arrays(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    (survey, block): (&Survey, [u32; 3]),
) -> BTreeSet<ArrayId> {
    let in_steps = matches!(request.facts.dims.as_slice(), [dim] if dim.step == 1);
    let whole_warps = block[0].is_multiple_of(request.device.warp.max(1));
    if request.device.kind != DeviceKind::Cuda || !in_steps || !whole_warps || survey.queries {
        return BTreeSet::new();
    }
    let aligned = aligned(kernel, info, request, survey);
    let constants = Constants::of(&kernel.types, &kernel.body);
    let is_slow = |array: ArrayId, stored: &Stored| {
        let ty = kernel.array_ty[array.index()];
        let size = kernel.types.size(ty).unwrap_or(0);
        let access =
            aligned.get(&array).copied().unwrap_or_else(|| kernel.types.align(ty) as u64).clamp(1, WIDEST);
        size.is_multiple_of(4)
            && u64::from(block[0]) * staged_words(size) * 4 <= u64::from(request.device.shared_bytes)
            && (WIDEST + 1..=MOST_BYTES).contains(&size)
            && match stored {
                // (What is not loaded has any bits, should the iteration fail.)
                Stored::Whole => (size / access >= ACCESSES || size >= BYTES) && is_any_bits(kernel, ty),
                Stored::Parts(bytes) => access < WIDEST && bytes / 4 >= WORDS && bytes * SHARE >= size,
            }
    };
    let all = (0..kernel.template.arrays.len()).map(ArrayId::new);
    let staged: BTreeSet<ArrayId> = all
        .filter(|a| {
            stored(kernel, info, request, (survey, &constants), *a).is_some_and(|stored| is_slow(*a, &stored))
        })
        .collect();
    request.why(About::Staged, || {
        format!(
            "each iteration stores its element of {}; alone, a thread would need several accesses, and each of them would \
             write apart from those of its neighbours",
            names(kernel, &staged.iter().copied().collect::<Vec<_>>())
        )
    });
    staged
}

/// Words from one element in shared memory to the next: an odd number, so that threads access different banks.
pub(crate) const fn staged_words(bytes: u64) -> u64 {
    (bytes / 4) | 1
}

/// How an iteration stores its element.
enum Stored {
    /// It only stores it, as a whole.
    Whole,
    /// It stores so many bytes in any case.
    Parts(u64),
}

/// How each iteration stores its own element of an array, if all that it accesses of the array is in that element: its subscript is the
/// iteration's number and a constant.
fn stored(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    (survey, constants): (&Survey, &Constants),
    array: ArrayId,
) -> Option<Stored> {
    let accesses = &survey.accesses[array.index()];
    let strides: Vec<&AccessStride> =
        strides_of(info, array).filter(|s| accesses.contains(&s.access)).collect();
    let own = |s: &&AccessStride| {
        !s.in_loop
            && s.unit().is_some_and(|(dim, _)| dim == 0)
            && s.unit() == strides[0].unit()
            && request.facts.in_step_inner.contains(&s.access)
            && in_bounds(kernel, request, s)
    };
    let reduced = kernel.array_items().iter().any(|(_, item)| *item == array);
    let all = accesses.iter().all(|access| strides.iter().any(|s| s.access == *access));
    if strides.is_empty() || !all || !strides.iter().all(own) || reduced || survey.whole[array.index()] {
        return None;
    }
    let short = short_loops(&kernel.body, &kernel.types, constants);
    let always = |access: AccessId| strides.iter().any(|s| s.access == access && s.reached);
    let ty = kernel.array_ty[array.index()];
    let (mut changed, mut held, mut whole) = (BTreeSet::new(), true, false);
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt
            && let Some((access, rest)) = part_of(place, array)
        {
            held &= stays_held(&kernel.body, rest, &short);
            if always(access) {
                whole |= rest.is_empty();
                changed.extend(bytes_of(&kernel.types, &kernel.body, ty, rest));
            }
        }
    });
    visit::each_live_expr(&kernel.body.code, &mut |e| {
        if let Expr::Load(place) | Expr::Len(place) = &kernel.body.code.exprs[e.index()].expr
            && let Some((_, rest)) = part_of(place, array)
        {
            held &= stays_held(&kernel.body, rest, &short);
        }
    });
    if !held || changed.is_empty() {
        return None;
    }
    let read = |access: &AccessId| kernel.body.code.accesses[access.index()].read;
    Some(match accesses[..] {
        [access] if whole && !read(&access) => Stored::Whole,
        _ => Stored::Parts(changed.len() as u64),
    })
}

/// The subscript of an array that a place begins with, and what follows.
fn part_of(place: &Place, array: ArrayId) -> Option<(AccessId, &[Projection])> {
    match (place.base, place.projections.as_slice()) {
        (Base::Array(of), [Projection::Index { access, .. }, rest @ ..]) if of == array => {
            Some((*access, rest))
        }
        _ => None,
    }
}

/// The bytes of an element that a place covers; of a subscript, those of all that it may mean.
fn bytes_of(types: &Types, code: &TypedCode, ty: TyId, projections: &[Projection]) -> Range<u64> {
    let size = types.size(ty).unwrap_or(0);
    match (projections, types.get(ty)) {
        ([Projection::Field(name), rest @ ..], Ty::Struct(s, fields)) => {
            let Some(n) = s.position(name) else { return 0..0 };
            let (start, of) = (s.fields[n].offset as u64, bytes_of(types, code, fields[n], rest));
            start + of.start..start + of.end
        }
        ([Projection::Index { index, .. }, rest @ ..], Ty::Array(elem, _)) => {
            let Expr::Int { value, .. } = code.code.exprs[index.index()].expr else { return 0..size };
            let start = u64::try_from(value).unwrap_or(0).saturating_mul(types.size(*elem).unwrap_or(0));
            let of = bytes_of(types, code, *elem, rest);
            start.saturating_add(of.start)..start.saturating_add(of.end)
        }
        ([], _) => 0..size,
        _ => 0..0,
    }
}

/// The variables of loops with few iterations, at least one, whose number is known.
fn short_loops(code: &TypedCode, types: &Types, constants: &Constants) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    visit::each_stmt(&code.code.block, &mut |stmt| {
        let Stmt::For { var, range, .. } = stmt else { return };
        let known = |e: Option<ExprId>| constants.int(types, code, e?);
        if let (Some(lo), Some(hi)) = (known(range.lo), known(range.hi))
            && (1..=UNROLLED).contains(&(hi - lo))
        {
            found.insert(*var);
        }
    });
    found
}

/// Whether a part of an element in registers has a place that is known when the kernel is compiled, its loops unrolled.
fn stays_held(code: &TypedCode, projections: &[Projection], short: &HashSet<LocalId>) -> bool {
    projections.iter().all(|projection| match projection {
        Projection::Index { index, .. } => {
            let mut known = true;
            visit::each_expr(&code.code, *index, &mut |e| {
                known &= match &code.code.exprs[e.index()].expr {
                    Expr::Load(Place { base: Base::Local(local), projections }) => {
                        projections.is_empty() && short.contains(local)
                    }
                    Expr::Load(Place { base, .. }) => matches!(base, Base::Const(_)),
                    Expr::Int { .. } | Expr::Binary { .. } | Expr::Cast { .. } => true,
                    _ => false,
                };
            });
            known
        }
        Projection::Field(_) => true,
        Projection::Payload => false,
    })
}
