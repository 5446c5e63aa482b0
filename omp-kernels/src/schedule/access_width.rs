//! Access widths: which arrays threads access in groups of elements, and how many groups are in flight.
use super::explain::reasons::{About, names};
use super::survey::Survey;
use super::{DeviceKind, Request};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::ids::{AccessId, ArrayId};
use omp_ir::kernel::{BoundsVerdict, Kernel};

/// Bytes of the widest access.
pub(super) const WIDEST: u64 = 16;

/// The most groups that a thread has in flight.
pub(super) const MOST_IN_FLIGHT: u32 = 16;

/// Registers of a multiprocessor, those of a thread that hold something else than what is in flight, and those of a group.
const REGISTERS: u32 = 65_536;
const OTHERS: u32 = 32;
pub(super) const GROUP: u32 = 4;

/// The registers of a thread for what it has in flight, if its block has a multiprocessor for itself.
pub(super) fn registers_for(threads: u32) -> u32 {
    (REGISTERS / threads.max(256)).saturating_sub(OTHERS)
}

/// The arrays that can be accessed in groups of the width that is also given.
pub(super) fn wide_arrays(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (u32, Vec<ArrayId>) {
    const NONE: (u32, Vec<ArrayId>) = (1, Vec::new());
    // Nests are looked at as one row of iterations: `in_row` says which accesses are contiguous along it.
    let in_steps = match request.facts.dims.as_slice() {
        [dim] => dim.step == 1 && dim.first >= 0,
        _ => !request.facts.in_row.is_empty(),
    };
    if request.device.kind == DeviceKind::OpenClCpu || !in_steps {
        let why = match request.device.kind {
            DeviceKind::OpenClCpu => "the compiler of a CPU makes vectors itself",
            _ if request.facts.dims.len() > 1 => {
                "no subscript moves by one element from each iteration of the nest to the next"
            }
            _ => "the loop goes down or by steps other than 1",
        };
        request.because(About::Without("wide accesses"), why);
        return NONE;
    }
    // Reduced arrays are updated in copies, not in the array that the subscripts name.
    let items = kernel.array_items();
    let mut arrays: Vec<ArrayId> = (0..kernel.template.arrays.len())
        .map(ArrayId::new)
        .filter(|a| items.iter().all(|(_, item)| item != a))
        .filter(|&a| in_step(kernel, info, request, survey, a))
        .collect();
    let size = |a: ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
    // The largest element gets the widest access. Arrays that can't have accesses of that many elements are accessed element by
    // element, and the choice is repeated for the others.
    loop {
        let Some(largest) = arrays.iter().map(|&a| size(a)).max() else {
            request.why(About::Without("wide accesses"), || narrow(kernel, info, request, survey, &[]));
            return NONE;
        };
        let width = (WIDEST / largest.max(1)).min(request.pins.width());
        if width < 2 {
            arrays.retain(|&a| size(a) < largest);
            continue;
        }
        let before = arrays.len();
        arrays.retain(|&a| {
            u64::from(request.alignment.get(a.index()).copied().unwrap_or(1)) >= width * size(a)
                && strides_of(info, a).all(|s| {
                    kernel.template.dims.len() > 1 || s.unit.is_some_and(|(_, c)| c % width as i64 == 0)
                })
        });
        if arrays.len() == before {
            request.why(About::Wide, || {
                format!(
                    "subscripts of {} are the iteration's number and a constant, in bounds, and their memory begins at a multiple of {} \
                     bytes: one instruction loads or stores {width}",
                    names(kernel, &arrays),
                    width * largest
                )
            });
            let other = |(a, of): (usize, &Vec<AccessId>)| {
                let a = ArrayId::new(a);
                !of.is_empty() && !arrays.contains(&a) && items.iter().all(|(_, item)| *item != a)
            };
            let others = survey.accesses.iter().enumerate().any(other);
            if others {
                request
                    .why(About::Without("wider accesses"), || narrow(kernel, info, request, survey, &arrays));
            }
            return (width as u32, arrays);
        }
    }
}

/// Why the other arrays are accessed element by element.
fn narrow(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    wide: &[ArrayId],
) -> String {
    let why = |a: ArrayId| {
        let size = kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
        if survey.whole[a.index()] {
            "is passed on as a whole, or updated atomically"
        } else if !size.is_power_of_two() || size > WIDEST / 2 {
            "has elements that don't fit an access of 16 bytes twice"
        } else if !in_step(kernel, info, request, survey, a) {
            "has a subscript that is not the iteration's number plus a constant, not proved, or not reached in every iteration"
        } else if request.pins.width() < 2 {
            "is under `vector(1)`"
        } else {
            "is aligned otherwise than wide accesses need"
        }
    };
    let touched =
        survey.accesses.iter().enumerate().filter(|(_, of)| !of.is_empty()).map(|(a, _)| ArrayId::new(a));
    let mut found: Vec<(&str, Vec<ArrayId>)> = Vec::new();
    // Reduced arrays are updated in copies.
    let reduced = kernel.array_items();
    let is_reduced = |a: &ArrayId| reduced.iter().any(|(_, item)| item == a);
    for array in touched.filter(|a| !wide.contains(a) && !is_reduced(a)) {
        let why = why(array);
        match found.iter_mut().find(|(other, _)| *other == why) {
            Some((_, arrays)) => arrays.push(array),
            None => found.push((why, vec![array])),
        }
    }
    if found.is_empty() {
        return "no array is read or written by a subscript".into();
    }
    let said: Vec<_> = found
        .iter()
        .map(|(why, arrays)| {
            let (each, of) = if arrays.len() > 1 {
                ("each of ", names(kernel, arrays))
            } else {
                ("", names(kernel, arrays))
            };
            format!("{each}{of} {why}")
        })
        .collect();
    said.join("; ")
}

pub(super) fn strides_of(info: &KernelInfo, array: ArrayId) -> impl Iterator<Item = &AccessStride> {
    info.plan.strides().iter().filter(move |s| s.array == array)
}

/// Every subscript of the array is the loop variable and a constant, proved, and each place is reached in every
/// iteration by one of them, so that a whole group may be loaded. What is written is written at one place only.
pub(super) fn in_step(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    array: ArrayId,
) -> bool {
    let accesses = &survey.accesses[array.index()];
    let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(0);
    if survey.whole[array.index()] || accesses.is_empty() || !size.is_power_of_two() || size > WIDEST / 2 {
        return false;
    }
    let strides: Vec<_> = strides_of(info, array).filter(|s| accesses.contains(&s.access)).collect();
    let proved = |s: &AccessStride| in_bounds(kernel, request, s);
    let reached = |s: &AccessStride| strides.iter().any(|other| other.unit == s.unit && other.unconditional);
    let all = accesses.iter().all(|a| strides.iter().any(|s| s.access == *a));
    let written = strides.iter().any(|s| kernel.body.code.accesses[s.access.index()].write);
    let one_place = strides.windows(2).all(|pair| pair[0].unit == pair[1].unit);
    let moves = |s: &AccessStride| {
        if kernel.template.dims.len() > 1 {
            return request.facts.in_row.contains(&s.access);
        }
        s.unit.is_some_and(|(d, _)| d == 0) && request.facts.in_step.contains(&s.access)
    };
    let reached = |s: &AccessStride| {
        // In nests all of them are in one place.
        reached(s) && (kernel.template.dims.len() == 1 || strides.iter().any(|other| other.unconditional))
    };
    all && strides.iter().all(|s| moves(s) && !s.in_loop && proved(s) && reached(s))
        && (one_place || !written)
}

/// Whether a subscript is in bounds in every iteration.
pub(super) fn in_bounds(kernel: &Kernel, request: &Request<'_>, s: &AccessStride) -> bool {
    match kernel.body.bounds[s.access.index()] {
        BoundsVerdict::Proved => true,
        BoundsVerdict::AtLaunch => !request.facts.unproved.contains(&s.access),
        BoundsVerdict::Trusted => s.unconditional,
        BoundsVerdict::Residual => false,
    }
}
