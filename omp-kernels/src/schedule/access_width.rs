//! Access widths: which arrays threads access in groups of elements, and how many groups are in flight.
use super::explain::reasons::{About, names};
use super::survey::Survey;
use super::{DeviceKind, Request};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::{AccessStride, Record};
use omp_ir::ids::{AccessId, ArrayId};
use omp_ir::kernel::{BoundsVerdict, Kernel};
use std::collections::BTreeSet;

/// Bytes of the widest access.
pub(super) const WIDEST: u64 = 16;

/// The most groups that a thread has in flight.
pub(super) const MOST_IN_FLIGHT: u32 = 16;

/// Bytes of a word.
const WORD: u64 = 4;

/// Bytes that a thread accesses of the records of one array, at most.
const MOST_BYTES: u64 = 64;

/// Expressions of the bodies of a thread, at most, where they access records: each is written once for each iteration.
const MOST_EXPRESSIONS: u64 = 4096;

/// Iterations of the loops of a body that are unrolled so that records are in registers, at most.
const MOST_TRIPS: u64 = 16;

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
    let reduced = |a: &ArrayId| items.iter().any(|(_, item)| item == a);
    let accessed = (0..kernel.template.arrays.len()).map(ArrayId::new);
    let accessed: Vec<ArrayId> =
        accessed.filter(|a| !survey.accesses[a.index()].is_empty() && !reduced(a)).collect();
    let in_step = |a: &ArrayId| in_step(kernel, info, request, survey, *a);
    let records = Records { kernel, info };
    // What of whole words each iteration stores is written faster in the order of iterations, and of 16 bytes, an iteration has whole
    // accesses by itself.
    let is_kept = |a: &ArrayId| {
        let alone = if records.narrow(*a) { records.bytes(*a) >= WIDEST } else { records.stored(*a) };
        in_step(a) && !(records.are(*a) && alone)
    };
    let mut arrays: Vec<_> = accessed.iter().copied().filter(is_kept).collect();
    // Records of words follow others.
    let following: Vec<ArrayId> = arrays.extract_if(.., |a| records.are(*a) && !records.narrow(*a)).collect();
    let most = records.most(&arrays, bodies(kernel, survey));
    let fits = |a: ArrayId, width: u64| {
        let bytes = width * records.bytes(a);
        u64::from(request.alignment.get(a.index()).copied().unwrap_or(1)) >= aligned_to(bytes)
            && (bytes <= MOST_BYTES || !records.are(a))
            && strides_of(info, a).all(|s| {
                kernel.template.dims.len() > 1
                    || s.record.as_ref().is_some_and(|r| r.shift() % width as i64 == 0)
            })
    };
    // The largest of the accesses that one iteration allows gets the widest one. Arrays that can't have accesses of that many iterations
    // are accessed element by element, and the choice is repeated for the others.
    let access = |a: ArrayId| aligned_to(records.bytes(a));
    loop {
        let Some(largest) = arrays.iter().map(|&a| access(a)).max() else {
            request.why(About::Without("wide accesses"), || narrow(kernel, info, request, survey, &[]));
            return NONE;
        };
        let width = (WIDEST / largest).min(request.pins.width()).min(most);
        if width < 2 && most >= 2 {
            arrays.retain(|&a| access(a) < largest);
            continue;
        }
        let before = arrays.len();
        arrays.retain(|&a| fits(a, width));
        if arrays.len() == before {
            arrays.extend(following.iter().filter(|a| fits(**a, width)));
            arrays.sort_unstable();
            // Loops keep a thread busy with one iteration, unless they go through records.
            let through = arrays.iter().any(|a| records.are(*a));
            let busy = survey.loops && !through;
            let is_apart =
                |a: &&ArrayId| records.are_apart(**a) || through && records.are_stored_apart(**a, width);
            let apart = accessed.iter().filter(|a| !arrays.contains(a)).any(|a| is_apart(&a));
            if busy || most < 2 || apart {
                request.because(
                    About::Without("wide accesses"),
                    if busy {
                        "the body has a loop: a thread is busy with one iteration"
                    } else if apart {
                        "a thread with neighbouring iterations would access elements far from those of its neighbours"
                    } else {
                        "the body is long, and would be written once for each iteration of a thread"
                    },
                );
                return NONE;
            }
            request.why(About::Wide, || {
                format!(
                    "subscripts of {} are the iteration's number, or a constant multiple of it, and a constant, in bounds, and their memory \
                     begins at a multiple of {} bytes: an instruction loads or stores what several of {width} iterations access",
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
        } else if !(1..WIDEST).contains(&size) {
            "has elements that don't fit an access of 16 bytes twice"
        } else if !in_step(kernel, info, request, survey, a) {
            "has a subscript that is not the iteration's number, or a constant multiple of it, plus a constant, not proved, or not reached in \
             every iteration"
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

/// The elements that iterations have for themselves, next to each other.
pub(super) struct Records<'a> {
    pub kernel: &'a Kernel,
    pub info: &'a KernelInfo,
}

impl Records<'_> {
    /// Elements of an array that an iteration has.
    fn elements(&self, array: ArrayId) -> u64 {
        // In nests all of them are in one place.
        let records = strides_of(self.info, array).filter(|_| self.kernel.template.dims.len() == 1);
        records.filter_map(|s| s.record.as_ref()).map(|record| record.by.unsigned_abs()).max().unwrap_or(1)
    }

    /// Their bytes.
    pub(super) fn bytes(&self, array: ArrayId) -> u64 {
        let size = self.kernel.types.size(self.kernel.array_ty[array.index()]).unwrap_or(0);
        size.saturating_mul(self.elements(array))
    }

    /// Whether they are more than one, or one that is no access by itself.
    fn are(&self, array: ArrayId) -> bool {
        self.elements(array) > 1 || !self.bytes(array).is_power_of_two()
    }

    fn stored(&self, array: ArrayId) -> bool {
        self.kernel.template.arrays[array.index()].written
    }

    /// Whether they are made of less than whole words.
    fn narrow(&self, array: ArrayId) -> bool {
        self.kernel.types.align(self.kernel.array_ty[array.index()]) < WORD as usize
    }

    /// Whether iterations that are next to each other access elements that are not, which a thread with several iterations would access one
    /// by one: stored ones, and ones of less than a word.
    fn are_apart(&self, array: ArrayId) -> bool {
        let far =
            strides_of(self.info, array).any(|s| matches!(s.per_dim.last(), Some(Some(by)) if by.abs() > 1));
        (far || !self.bytes(array).is_power_of_two()) && (self.stored(array) || self.narrow(array))
    }

    /// Whether the elements that a thread with `width` iterations stores one by one would be further from its neighbours' than an access.
    fn are_stored_apart(&self, array: ArrayId, width: u64) -> bool {
        let moves =
            strides_of(self.info, array).any(|s| matches!(s.per_dim.last(), Some(Some(by)) if *by != 0));
        let size = self.kernel.types.size(self.kernel.array_ty[array.index()]).unwrap_or(0);
        self.stored(array) && moves && size * width > WIDEST
    }

    /// Iterations of a thread, at most, if its body is made of so many expressions. Stored records of which no number fits an access are
    /// written word by word.
    fn most(&self, arrays: &[ArrayId], expressions: u64) -> u64 {
        let of = |a: &ArrayId| {
            let bytes = self.bytes(*a).max(1);
            let words = self.stored(*a) && !bytes.is_power_of_two();
            let stored = if words { (WORD >> bytes.trailing_zeros()).max(1) } else { u64::MAX };
            stored.min(MOST_BYTES / bytes).min(MOST_EXPRESSIONS / expressions.max(1))
        };
        let most = arrays.iter().filter(|a| self.are(**a)).map(of).min();
        most.map_or(u64::MAX, |most| if most == 0 { 1 } else { 1 << most.ilog2() })
    }
}

/// The multiple at which accesses of so many bytes begin.
pub(crate) fn aligned_to(bytes: u64) -> u64 {
    1 << bytes.max(1).trailing_zeros().min(WIDEST.ilog2())
}

/// The expressions of a body whose loops are unrolled.
fn bodies(kernel: &Kernel, survey: &Survey) -> u64 {
    (kernel.body.code.exprs.len() as u64).saturating_mul(survey.unrolled.unwrap_or(1))
}

/// Whether the loops of a body go through records, and all that it accesses is accessed in groups.
pub(super) fn has_records(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> bool {
    let request = &Request { reasons: None, ..request.clone() };
    let accessed = || survey.accesses.iter().filter(|of| !of.is_empty()).count();
    survey.body_loops
        && kernel.template.dims.len() == 1
        && may_be_wide(info, request, survey)
        && wide_arrays(kernel, info, request, survey).1.len() == accessed()
}

/// Whether the loops of a body allow groups: there are none, or all of them are unrolled, go through records, and have nothing that fails.
/// (NVRTC 13.0 leaves some unrolled loops with several exits too early.)
pub(super) fn may_be_wide(info: &KernelInfo, request: &Request<'_>, survey: &Survey) -> bool {
    let along = || info.plan.strides().iter().any(|s| s.record.as_ref().is_some_and(|r| !r.along.is_empty()));
    let fails = info.overflow_checks || info.residual_checks > 0 || !request.facts.unproved.is_empty();
    let short = survey.unrolled.is_some_and(|trips| trips <= MOST_TRIPS);
    !survey.loops || request.pins.unroll.is_none() && short && !fails && along()
}

/// Every subscript of the array is the loop variable and a constant, or moves by records, proved, and each record is reached in every
/// iteration by one of them, so that a whole group may be loaded. What is written is written at one place only, as a whole.
pub(super) fn in_step(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    array: ArrayId,
) -> bool {
    let accesses = &survey.accesses[array.index()];
    let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(0);
    if survey.whole[array.index()] || accesses.is_empty() || !(1..WIDEST).contains(&size) {
        return false;
    }
    let strides: Vec<_> = strides_of(info, array).filter(|s| accesses.contains(&s.access)).collect();
    let proved = |s: &AccessStride| in_bounds(kernel, request, s);
    let nest = kernel.template.dims.len() > 1;
    // In nests all of them are in one place.
    let place = |s: &AccessStride| match &s.record {
        Some(record) if !nest => Some((record.by, record.shift())),
        _ => nest.then_some((1, 0)),
    };
    let reached =
        |s: &AccessStride| strides.iter().any(|other| place(other) == place(s) && other.unconditional);
    let all = accesses.iter().all(|a| strides.iter().any(|s| s.access == *a));
    let written = |s: &&&AccessStride| kernel.body.code.accesses[s.access.index()].write;
    let one_place = strides.windows(2).all(|pair| place(pair[0]) == place(pair[1]));
    // Of a record, no element is stored that the loop does not store.
    let stored: BTreeSet<i64> =
        strides.iter().filter(written).filter_map(|s| s.record.as_ref()).flat_map(Record::places).collect();
    let by = Records { kernel, info }.elements(array);
    let whole = nest || stored.is_empty() || stored.len() as u64 == by;
    let moves = |s: &AccessStride| match &s.record {
        Some(record) if !nest => {
            let own = record.by.unsigned_abs() == by && (!s.in_loop || !record.along.is_empty());
            record.dim == 0 && own && request.facts.in_step.contains(&s.access)
        }
        _ => nest && request.facts.in_row.contains(&s.access) && !s.in_loop,
    };
    all && strides.iter().all(|s| moves(s) && proved(s) && reached(s))
        && (one_place && whole || !strides.iter().any(|s| written(&s)))
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
