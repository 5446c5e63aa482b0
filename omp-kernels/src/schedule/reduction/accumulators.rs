//! Schedules of float sums into arrays that don't fit shared memory: integer accumulators in device memory, with atomic updates
//! in any order.
//!
//! An update costs an atomic addition (of an `f64` up to three). An element costs as many words as the format's range needs,
//! which are zeroed before and read after the loop. So this schedule is for arrays whose copies ([`copy_privatisation`](super::copy_privatisation)) would
//! allow a multiprocessor only few warps.
use super::atomic_privatisation::in_flight;
use crate::schedule::access_width::{MOST_IN_FLIGHT, wide_arrays};
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::{About, bytes as in_bytes};
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::updates;
use omp_ir::desc::Prim;
use omp_ir::kernel::{Kernel, Reducer};

/// The most additions to all elements: words of 64 bits hold so many parts of 32 bits, and carries.
const MOST_ADDITIONS: u64 = 1 << 30;
/// The most bytes of accumulators whose words are close, and of all.
const CLOSE_BYTES: u64 = 256 << 20;
const MOST_BYTES: u64 = 1 << 30;
/// An array should have so many accumulators, so that few threads update the same one; the bytes that further copies may take; and the
/// most copies.
const ENOUGH: u64 = 1 << 17;
const BYTES_OF_MORE: u64 = 80 << 20;
const MOST_COPIES: u64 = 32;
/// The most bytes for each update: a loop with few updates should neither need much memory nor write and read it.
const MOST_BYTES_EACH: u64 = 16 << 10;
/// Words before all accumulators, in which blocks record what they have found out about elements.
pub(crate) const FOUND: u64 = 256;
/// Words that a block keeps in shared memory, of 12 bytes each: those of few elements that most updates go to would queue in
/// the device's memory. 0: none, whatever the loop. And iterations that are worth it.
const HOT: u32 = 2048;
const MANY: u64 = 1 << 16;

/// The accumulators of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Accumulator {
    /// Bits from one word's place to the next: 8 or 32.
    pub spacing: u32,
    /// How many accumulators each element has; blocks are assigned to them round-robin. 0: the array's integers are updated in place.
    pub copies: u32,
}

impl Accumulator {
    /// The words of a number.
    pub(crate) fn digits(self, prim: Prim) -> u64 {
        // Places of a significand, and its bits.
        let (places, bits) = if prim.size() == 4 { (254, 24) } else { (2046, 53) };
        match self.spacing {
            8 => (places - 1) / 8 + 1,
            spacing => (places - 1 + bits - 1) / u64::from(spacing) + 1,
        }
    }

    /// The bytes of all accumulators of `len` elements: one word more than the number has, for infinities and NaN.
    pub(crate) fn bytes(self, prim: Prim, len: u64) -> u64 {
        len.saturating_mul((self.digits(prim) + 1) * 8).saturating_mul(u64::from(self.copies))
    }
}

/// The schedule, where it suits.
pub(in crate::schedule) fn accumulators(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> Option<(Strategy, [u32; 3])> {
    let items = kernel.array_items();
    let all = items.len() == kernel.template.reductions.len() && !items.is_empty();
    if request.device.kind != DeviceKind::Cuda || !all {
        return None;
    }
    let total = request.facts.total?;
    let sites = updates::sites(&kernel.body, &items.iter().map(|i| i.1).collect::<Vec<_>>())?;
    let additions = total.checked_mul(sites.len() as u64).filter(|n| *n <= MOST_ADDITIONS)?;
    let (mut of, mut bytes) = (Vec::new(), 0);
    for (k, array) in items {
        let Reducer::Builtin(_, prim) = kernel.reducers[k] else { return None };
        if kernel.types.prim(kernel.array_ty[array.index()]) != Some(prim) {
            return None;
        }
        let len = *request.extents.get(array.index())?;
        let one = match prim {
            _ if kernel.reducers[k].is_float_sum() => accumulator(prim, len, total),
            _ if prim.is_float() => return None,
            _ => Accumulator { spacing: 32, copies: 0 },
        };
        bytes = one.bytes(prim, len).saturating_add(bytes);
        of.push(one);
    }
    if !in_proportion(bytes, additions) {
        return None;
    }
    let (width, arrays) = wide_arrays(kernel, info, request, survey);
    let pinned = request.pins.unroll.filter(|n| *n > 0 && !survey.loops);
    let unroll = pinned.map_or(if survey.loops { 1 } else { 4 }, |n| n.min(MOST_IN_FLIGHT));
    let (width, arrays) = if survey.loops { (1, Vec::new()) } else { (width, arrays) };
    request.why(About::Strategy, || {
        format!(
            "sums of floats depend on their order, integers don't: each element has an exact accumulator, {} in all, for {additions} \
             additions; copies of the arrays would leave a multiprocessor few warps",
            in_bytes(bytes)
        )
    });
    request
        .because(About::Block, "512 threads share what a block keeps of the elements that it updates most");
    in_flight(request, unroll, pinned.is_some(), survey.loops);
    let hot = if total >= MANY && HOT * 12 <= request.device.shared_bytes { HOT } else { 0 };
    Some((Strategy::Accumulators { width, unroll, arrays, of, hot }, flat(request, 512)))
}

/// Whether so many bytes of accumulators are worth so many updates. Where not, few blocks would zero and read all of them, and
/// copies of the array, which are smaller, are made and combined in the time.
fn in_proportion(bytes: u64, additions: u64) -> bool {
    bytes <= MOST_BYTES.min(additions.saturating_mul(MOST_BYTES_EACH))
}

/// Those of an array of `len` elements, to which `total` iterations add.
fn accumulator(prim: Prim, len: u64, total: u64) -> Accumulator {
    let close = Accumulator { spacing: 8, copies: 1 };
    let far = Accumulator { spacing: 32, copies: 1 };
    let one = if prim.size() == 4 && close.bytes(prim, len) <= CLOSE_BYTES { close } else { far };
    // Zeroing and reading them has to cost little compared with the loop.
    let most = (total / len.max(1)).min(MOST_COPIES).min(BYTES_OF_MORE / one.bytes(prim, len).max(1));
    let wanted = ENOUGH.div_ceil(len.max(1)).next_power_of_two().min(most).max(1);
    Accumulator { copies: 1 << wanted.ilog2(), ..one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accumulators_hold_the_range_of_their_format() {
        let of = |spacing| Accumulator { spacing, copies: 1 };
        assert_eq!(
            (of(8).digits(Prim::F32), of(32).digits(Prim::F32), of(32).digits(Prim::F64)),
            (32, 9, 66)
        );
        // The last bit of the largest number lies in the last word, which has 31 bits for a value where words are close.
        assert_eq!((253 / 8, 253 % 8 + 24), (31, 29));
        assert_eq!(((253 + 23) / 32, (2045 + 52) / 32), (8, 65));
        // All additions of the largest part, and a carry.
        assert!(u128::from(MOST_ADDITIONS) * u128::from(u32::MAX) * 2 <= 1 << 63);
    }

    #[test]
    fn small_arrays_have_several_and_large_ones_fit_the_memory() {
        let of = |prim, len, total| accumulator(prim, len, total);
        assert_eq!(of(Prim::F32, 4096, 1 << 26), Accumulator { spacing: 8, copies: 32 });
        assert_eq!(of(Prim::F32, 1 << 16, 1 << 26), Accumulator { spacing: 8, copies: 2 });
        assert_eq!(of(Prim::F32, 1 << 16, 1 << 16), Accumulator { spacing: 8, copies: 1 });
        assert_eq!(of(Prim::F32, 1 << 20, 1 << 26), Accumulator { spacing: 32, copies: 1 });
        assert_eq!(of(Prim::F64, 3, 1 << 26), Accumulator { spacing: 32, copies: 32 });
        assert!(of(Prim::F32, 1 << 24, 1 << 26).bytes(Prim::F32, 1 << 24) > MOST_BYTES);
        assert_eq!(of(Prim::F32, u64::MAX, 1).bytes(Prim::F32, u64::MAX), u64::MAX);
        assert_eq!(of(Prim::F32, 0, 5).bytes(Prim::F32, 0), 0);
    }

    #[test]
    fn few_updates_have_no_large_accumulators() {
        let worth = |prim, len, total| in_proportion(accumulator(prim, len, total).bytes(prim, len), total);
        assert!(!worth(Prim::F64, 1_900_000, 300) && worth(Prim::F64, 1_900_000, 100_000));
        assert!(!worth(Prim::F32, 9000, 11) && worth(Prim::F32, 9000, 300));
        assert!(worth(Prim::F32, 1 << 20, 1 << 20) && worth(Prim::F32, 0, 0));
        assert!(!worth(Prim::F64, 1, 0) && !worth(Prim::F64, 1 << 24, MOST_ADDITIONS));
        assert!(in_proportion(MOST_BYTES, u64::MAX) && !in_proportion(MOST_BYTES + 1, u64::MAX));
        // Words have numbers of 32 bits, and slots of what a block keeps are counted by a power of two.
        const { assert!(MOST_BYTES / 8 + FOUND <= 1 << 32 && FOUND > 0) }
        const { assert!(HOT == 0 || HOT.is_power_of_two() && HOT <= 1 << 16) }
    }
}
