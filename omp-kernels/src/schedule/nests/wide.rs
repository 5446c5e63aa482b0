//! Nests of two loops whose threads run neighbouring iterations of the inner loop, so that loads and stores of
//! contiguous elements become accesses of 16 bytes.
//!
//! The emitted code contains single accesses: compilers merge them if they know that addresses are aligned. The kernel
//! states that arrays are aligned, that the first value of the inner variable is, and that the lengths of rows are
//! multiples of a group. If a compiler does not merge the accesses, the kernel is correct and slower.
use super::unroll_and_jam::Jammed;
use crate::schedule::access_width::WIDEST;
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Wide};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::Lines;
use omp_ir::desc::Prim;
use omp_ir::kernel::Kernel;
use omp_ir::template::Dim;

/// The iterations that a thread has, if all subscripts of a body without loops follow the inner variable, and those that
/// are written begin with a group.
pub(in crate::schedule) fn wide(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> Option<Wide> {
    let (facts, lines) = (request.facts, &request.facts.lines);
    let checks = info.overflow_checks || info.residual_checks > 0 || !facts.unproved.is_empty();
    if request.device.kind != DeviceKind::Cuda
        || checks
        || survey.loops
        || !kernel.array_items().is_empty()
        || request.pins.width() < WIDEST
    {
        return None;
    }
    let [_, inner] = facts.dims.as_slice() else { return None };
    // Compilers see that values of 64 bits follow one another.
    let long = |dim: &Dim| {
        let prim = kernel.types.prim(kernel.body.local_ty[dim.var.index()]);
        dim.range.adaptors.is_empty() && prim.is_some_and(|p| p.size() == 8)
    };
    if !long(&kernel.template.dims[1]) || Jammed::new(kernel, 1).is_none() {
        return None;
    }
    // Alignment is stated for all arrays, also for those whose accesses are dead.
    let aligned = |a: usize| request.alignment.get(a).is_some_and(|n| u64::from(*n) >= WIDEST);
    if !kernel
        .template
        .arrays
        .iter()
        .enumerate()
        .all(|(a, array)| !(array.read || array.written) || aligned(a))
    {
        return None;
    }
    let mut places = Vec::new();
    let mut written = None;
    let mut size = None;
    for (a, accesses) in survey.accesses.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        let bytes = kernel.types.size(kernel.array_ty[a])?;
        if survey.whole[a] || !aligned(a) || *size.get_or_insert(bytes) != bytes {
            return None;
        }
        for access in accesses {
            let place = *lines.places.get(access)?;
            places.push(place);
            if kernel.body.code.accesses[access.index()].write && *written.get_or_insert(place) != place {
                return None;
            }
        }
    }
    if survey.whole.iter().zip(&survey.accesses).any(|(whole, list)| *whole && list.is_empty()) {
        return None;
    }
    let columns = match size? {
        4 => 4,
        8 => 2,
        _ => return None,
    };
    // Rows are as long as some integers tell: each has to. What an item starts from is none of them.
    let starts =
        |i: usize| kernel.template.reductions.iter().any(|r| r.start.is_some_and(|s| s.index() == i));
    let integers = kernel.scalar_ty.iter().enumerate().filter(|(i, ty)| {
        !starts(*i) && kernel.types.prim(**ty).is_some_and(|p| p.is_int() && p != Prim::Bool)
    });
    let multiples: Vec<_> = lines.multiples.iter().copied().collect();
    if integers.count() != multiples.len() {
        return None;
    }
    // The inner variable of the first iteration, where the most begin with a group.
    let most = |place: &u32| places.iter().filter(|p| (**p) % columns == *place).count();
    let begins = written.map_or_else(|| (0..columns).max_by_key(most).unwrap_or(0), |p| p % columns);
    let place = (columns - begins) % columns;
    debug_assert!(Lines::GROUP.is_multiple_of(columns));
    let before = (i128::from(place) - inner.first).rem_euclid(i128::from(columns)) as u32;
    Some(Wide { columns, before, place, multiples })
}
