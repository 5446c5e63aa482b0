//! Kernel arguments, in the order of the source's parameters.
use crate::backend::erased::{DynArg, DynBuffer};
use crate::data::mapping::Environment;
use crate::data::section::Mapped;
use crate::launch::outcome::fault::Fault;
use crate::launch::site::Scratch;
use omp_ir::analysis::plan::{DimValues, LaunchFacts};
use omp_ir::desc::Prim;
use omp_ir::ids::ScalarId;
use omp_kernels::back::Arg;
use smallvec::SmallVec;

/// The bytes of captured scalars, one after the other. Those of most regions need no memory of their own: a launch that is
/// repeated costs little else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scalars {
    bytes: SmallVec<[u8; 64]>,
    ends: SmallVec<[usize; 8]>,
}

impl Scalars {
    /// Takes the next one.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of one.
    #[must_use]
    pub fn get(&self, id: ScalarId) -> &[u8] {
        let i = id.index();
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.bytes[start..self.ends[i]]
    }

    /// The bits of one of at most eight bytes, zero-extended.
    #[must_use]
    pub fn bits(&self, id: ScalarId) -> u64 {
        word_of(self.get(id))
    }
}

/// Up to eight bytes as a word, zero-extended.
#[must_use]
pub fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    let n = bytes.len().min(8);
    if cfg!(target_endian = "little") {
        word[..n].copy_from_slice(&bytes[..n]);
    } else {
        word[8 - n..].copy_from_slice(&bytes[..n]);
    }
    u64::from_ne_bytes(word)
}

/// The number that the low bytes of a word are as an integer (or `bool`) of this type.
#[must_use]
pub fn value_of(prim: Prim, bits: u64) -> i128 {
    // (Of a `u128` the low bits.)
    let unused = 64usize.saturating_sub(8 * prim.size());
    if prim.is_signed() {
        i128::from((bits << unused).cast_signed() >> unused)
    } else {
        i128::from(bits & u64::MAX >> unused)
    }
}

/// What arguments are taken from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub arrays: &'a [Mapped],
    pub environment: &'a Environment,
    pub scalars: &'a Scalars,
    pub dims: &'a [DimValues],
    /// What the launch relies on: all loops and subscripts in numbers.
    pub facts: &'a LaunchFacts,
    pub total: u64,
    pub scratch: &'a Scratch,
    pub phase: u32,
    /// By array: its table of claims.
    pub claims: &'a [Option<DynBuffer>],
    /// By array: the stand-in that a kernel gets for it, if there is one. The list may be shorter than that of arrays.
    pub instead: &'a [Option<DynBuffer>],
    /// Of iterations' numbers.
    pub digits: &'a [DimValues],
}

/// The words of the arguments that are numbers, in order; others are 0.
pub(crate) fn words(list: &[Arg], from: &Sources<'_>) -> Vec<[u8; 8]> {
    let dim = |i: u32| &from.dims[i as usize];
    let word = |arg: &Arg| -> u64 {
        match *arg {
            Arg::Len(a) => from.arrays[a.index()].array.len() as u64,
            Arg::Origin(a) => from.environment.origin(a.index()).cast_unsigned(),
            Arg::SectionLo(a) => from.arrays[a.index()].section.0,
            Arg::SectionHi(a) => from.arrays[a.index()].section.1,
            Arg::DimFirst(i) => modulo(dim(i).first),
            Arg::DimStep(i) => modulo(dim(i).step),
            Arg::DimCount(i) => dim(i).count,
            Arg::Term(of, term) => {
                from.facts.nest_of(of).and_then(|nest| term.value(nest)).unwrap_or(0).cast_unsigned()
            }
            Arg::InsideStart(d) => from.facts.interior.as_ref().map_or(0, |of| of.starts[d as usize]),
            Arg::Total => from.total,
            Arg::DigitFirst(i) => modulo(from.digits[i as usize].first),
            Arg::DigitStep(i) => modulo(from.digits[i as usize].step),
            Arg::DigitCount(i) => from.digits[i as usize].count.max(1),
            Arg::Claims(_) => 0,
            Arg::Phase => u64::from(from.phase),
            Arg::Array(_)
            | Arg::Scalar(_)
            | Arg::Status
            | Arg::Partials
            | Arg::Copies
            | Arg::Tiles
            | Arg::Ticket
            | Arg::Result => 0,
        }
    };
    list.iter().map(|arg| word(arg).to_ne_bytes()).collect()
}

/// The 64 bits of a loop value: every integer type's values fit, unsigned ones as their bits.
fn modulo(value: i128) -> u64 {
    value as u64
}

/// The arguments, in order.
pub(crate) fn values<'a>(
    list: &[Arg],
    words: &'a [[u8; 8]],
    from: &Sources<'a>,
) -> Result<Vec<DynArg<'a>>, Fault> {
    let missing = |what: &str| Fault::Unsupported(format!("internal error: the launch has no {what}"));
    let mut values = Vec::with_capacity(list.len());
    for (arg, word) in list.iter().zip(words) {
        values.push(match *arg {
            Arg::Array(a) => match from.instead.get(a.index()) {
                Some(Some(copy)) => DynArg::Buffer(copy),
                Some(None) | None => from.environment.arg(a.index()),
            },
            Arg::Scalar(s) => DynArg::Bytes(from.scalars.get(s)),
            Arg::Len(_)
            | Arg::Origin(_)
            | Arg::SectionLo(_)
            | Arg::SectionHi(_)
            | Arg::DimFirst(_)
            | Arg::DimStep(_)
            | Arg::DimCount(_)
            | Arg::DigitFirst(_)
            | Arg::DigitStep(_)
            | Arg::DigitCount(_)
            | Arg::Term(..)
            | Arg::InsideStart(_)
            | Arg::Total
            | Arg::Phase => DynArg::Bytes(word),
            Arg::Claims(a) => {
                DynArg::Buffer(from.claims[a.index()].as_ref().ok_or_else(|| missing("table of claims"))?)
            }
            Arg::Status => DynArg::Buffer(from.scratch.status.as_ref().ok_or_else(|| missing("status"))?),
            Arg::Ticket => DynArg::Buffer(from.scratch.ticket.as_ref().ok_or_else(|| missing("ticket"))?),
            Arg::Result => DynArg::Buffer(from.scratch.result.as_ref().ok_or_else(|| missing("result"))?),
            Arg::Partials => DynArg::Buffer(
                from.scratch.partials.as_ref().map(|p| &p.0).ok_or_else(|| missing("partials"))?,
            ),
            Arg::Tiles => {
                DynArg::Buffer(from.scratch.tiles.as_ref().map(|p| &p.0).ok_or_else(|| missing("tiles"))?)
            }
            Arg::Copies => {
                DynArg::Buffer(from.scratch.copies.as_ref().map(|p| &p.0).ok_or_else(|| missing("copies"))?)
            }
        });
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_keep_their_bytes_and_bits() {
        let mut s = Scalars::default();
        s.push(&7u16.to_ne_bytes());
        s.push(&[]);
        s.push(&(-2i64).to_ne_bytes());
        assert_eq!(s.len(), 3);
        assert_eq!(s.bits(ScalarId(0)), 7);
        assert!(s.get(ScalarId(1)).is_empty());
        assert_eq!(s.bits(ScalarId(2)), u64::MAX - 1);
    }

    #[test]
    fn words_are_numbers_of_their_types() {
        assert_eq!(value_of(Prim::I8, 0xff), -1);
        assert_eq!(value_of(Prim::U8, 0x1_02ff), 0xff);
        assert_eq!(value_of(Prim::I64, u64::MAX), -1);
        assert_eq!(value_of(Prim::Usize, u64::MAX), i128::from(u64::MAX));
        assert_eq!(value_of(Prim::Bool, 1), 1);
    }

    #[test]
    fn loop_values_go_modulo_two_to_the_64() {
        assert_eq!(modulo(-1), u64::MAX);
        assert_eq!(modulo(i128::from(u64::MAX)), u64::MAX);
    }
}
