//! Staged stores: arrays of large elements, of which each iteration stores its own as a whole.
//!
//! A thread stores an element of 36 bytes by nine accesses, and at each of them the threads of a warp write 4 bytes of each of 32 places.
//! If they put their elements into shared memory first, they write what lies together in memory together. Loads need no staging: the first
//! access brings into the cache what the others read.
use super::access_width::{WIDEST, in_bounds, strides_of};
use super::choose::{aligned, alignment};
use super::explain::reasons::{About, names};
use super::survey::Survey;
use super::{DeviceKind, Request};
use crate::back::c::strategy::vector::is_any_bits;
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;
use omp_ir::template::{Projection, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Elements of at most so many bytes are staged: they stay in registers until then.
const MOST_BYTES: u64 = 128;
/// Of so many accesses or bytes, an element is stored more slowly than it would be together with others.
const ACCESSES: u64 = 4;
const BYTES: u64 = 48;

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
    let aligned = aligned(kernel, request, survey);
    let is_slow = |array: ArrayId| {
        let ty = kernel.array_ty[array.index()];
        let size = kernel.types.size(ty).unwrap_or(0);
        let known = aligned.contains(&array).then(|| alignment(kernel, ty)).flatten();
        let access = known.unwrap_or_else(|| kernel.types.align(ty) as u64).clamp(1, WIDEST);
        size.is_multiple_of(4)
            && u64::from(block[0]) * staged_words(size) * 4 <= u64::from(request.device.shared_bytes)
            && (WIDEST + 1..=MOST_BYTES).contains(&size)
            && (size / access >= ACCESSES || size >= BYTES)
            && is_any_bits(kernel, ty)
    };
    let all = (0..kernel.template.arrays.len()).map(ArrayId::new);
    let staged: BTreeSet<ArrayId> =
        all.filter(|a| is_slow(*a) && stores_its_own(kernel, info, request, survey, *a)).collect();
    request.why(About::Staged, || {
        format!(
            "each iteration stores its element of {} as a whole; alone, a thread would need several accesses, and each of them would \
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

/// Whether the only access to an array is the store of a whole element in every iteration, whose subscript is the iteration's number
/// and a constant.
fn stores_its_own(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    array: ArrayId,
) -> bool {
    let [access] = survey.accesses[array.index()][..] else { return false };
    let own = |s: &AccessStride| {
        s.access == access
            && s.unconditional
            && !s.in_loop
            && s.unit.is_some_and(|(dim, _)| dim == 0)
            && request.facts.in_step.contains(&access)
            && in_bounds(kernel, request, s)
    };
    let reduced = kernel.array_items().iter().any(|(_, item)| *item == array);
    let mut whole = false;
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        whole |= matches!(stmt, Stmt::Assign { place, .. }
            if matches!(place.projections.as_slice(), [Projection::Index { access: at, .. }] if *at == access));
    });
    let code = &kernel.body.code.accesses[access.index()];
    whole && !reduced && !code.read && !survey.whole[array.index()] && strides_of(info, array).any(own)
}
