//! The status record of a kernel with checks: which check failed, where, and Rust's message for it.
use super::args::value_of;
use crate::device::Dev;
use crate::error::{Error, PanicKind, Place};
use omp_ir::analysis::plan::numbering::{ClaimKind, Numbering, conflict, show as shown, takes_slices};
use omp_ir::desc::Prim;
use omp_ir::ids::{ArrayId, LocalId};
use omp_ir::kernel::Kernel;
use omp_ir::message;
use omp_ir::template::Src;
use omp_kernels::back::{FailureKind, STATUS_BYTES, Shown, Site, Source, WrongBound};

/// `u32 failed; u32 site; i64 a; i64 b; i64 vars[8]; i64 more[6]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Which of the source's lists of inner loops it has values of.
    pub inner: Option<u32>,
    /// Which of the source's sites.
    pub site: u32,
    /// First value.
    pub a: i64,
    /// Second value.
    pub b: i64,
    /// Values of the parallel loop variables, and of inner ones.
    pub vars: [i64; 8],
    /// Values after the second.
    pub more: [i64; 6],
}

impl Record {
    /// What the kernel wrote; `None` when nothing failed.
    #[must_use]
    pub fn read(bytes: &[u8; STATUS_BYTES]) -> Option<Self> {
        let half = |at: usize| u32::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let word = |at: usize| i64::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let failed = half(0);
        if failed == 0 {
            return None;
        }
        Some(Self {
            inner: failed.checked_sub(2),
            site: half(4),
            a: word(8),
            b: word(16),
            vars: std::array::from_fn(|i| word(24 + 8 * i)),
            more: std::array::from_fn(|i| word(88 + 8 * i)),
        })
    }
}

/// The user's error of a record.
#[must_use]
pub fn decode(
    record: &Record,
    source: &Source,
    kernel: &Kernel,
    numbering: &Numbering,
    (place, device): (&'static Place, &Dev),
) -> Error {
    let Some(site) = source.sites.get(record.site as usize) else {
        return Error::Launch {
            place,
            device: device.label(),
            reason: format!("it left an unknown status ({})", record.site),
        };
    };
    let (message, variable) = match site.failure {
        FailureKind::Conflict { array, writes } => overlapping(record, kernel, array, writes, numbering),
        _ => words(&site.failure, record),
    };
    Error::Panic {
        place,
        device: device.label().into(),
        kind: kind_of(&site.failure, &message),
        at: at(site, kernel).map(Into::into),
        message,
        variable: variable.map(Into::into),
        // A loop over `_` has no name for it.
        iteration: iteration(record, kernel)
            .into_iter()
            .chain(inner_iterations(record, source, kernel))
            .filter(|(name, _)| name != "_")
            .collect(),
    }
}

/// A conflict: `a` is the index, `b` the claim that was in the way.
fn overlapping(
    record: &Record,
    kernel: &Kernel,
    array: ArrayId,
    writes: bool,
    numbering: &Numbering,
) -> (String, Option<String>) {
    let name = kernel.template.arrays.get(array.index()).map_or("an array", |a| a.name.as_str());
    let mine = iteration(record, kernel);
    let claim = record.b.cast_unsigned();
    let other = numbering.values((claim >> 2).wrapping_sub(1));
    let other: Vec<_> = mine.iter().map(|(name, _)| name.clone()).zip(other).collect();
    let deed = |writes: bool| if writes { ClaimKind::Writes } else { ClaimKind::Reads };
    let other = (other != mine).then(|| shown(&other));
    let message = conflict(
        (name, takes_slices(&kernel.template, array)),
        record.a.cast_unsigned(),
        (&shown(&mine), deed(writes)),
        (other.as_deref(), deed(claim & 3 == 3)),
    );
    (message, Some(name.to_owned()))
}

fn kind_of(failure: &FailureKind, message: &str) -> PanicKind {
    match failure {
        FailureKind::Bounds { .. } | FailureKind::Section { .. } | FailureKind::Slice { .. } => {
            PanicKind::IndexOutOfBounds
        }
        FailureKind::DivideByZero { .. } => PanicKind::DivisionByZero,
        FailureKind::DivideOverflow { .. } | FailureKind::Overflow { .. } => PanicKind::Overflow,
        // Methods that panic (`rem_euclid(0)`) say so in Rust's words.
        FailureKind::Conflict { .. } => PanicKind::OverlappingWrites,
        FailureKind::Panic { .. } | FailureKind::ZeroStep | FailureKind::StackUsedUp { .. } => {
            PanicKind::of_message(message)
        }
    }
}

/// `file:line:column` of a site.
fn at(site: &Site, kernel: &Kernel) -> Option<String> {
    let body = match site.function {
        None => &kernel.body,
        Some(f) => &kernel.fns.get(f.index())?.body,
    };
    let Src { line, column } = body.code.srcs.get(site.src.index())?;
    Some(format!("{}:{line}:{column}", body.file))
}

fn iteration(record: &Record, kernel: &Kernel) -> Vec<(String, i128)> {
    let dims = kernel.template.dims.iter().zip(record.vars);
    dims.map(|(dim, value)| named(dim.var, value, kernel)).collect()
}

/// The variables of inner loops around the failure.
fn inner_iterations(record: &Record, source: &Source, kernel: &Kernel) -> Vec<(String, i128)> {
    let list = record.inner.and_then(|list| source.inner.get(list as usize));
    let values = record.vars.iter().skip(kernel.template.dims.len());
    list.into_iter().flatten().zip(values).map(|(var, value)| named(*var, *value, kernel)).collect()
}

fn named(var: LocalId, value: i64, kernel: &Kernel) -> (String, i128) {
    let local = var.index();
    let prim = kernel.body.local_ty.get(local).and_then(|t| kernel.types.prim(*t));
    let name = kernel.body.code.locals.get(local).map_or("_", |l| l.name.as_str());
    let value = value.cast_unsigned();
    (name.to_owned(), value_of(prim.filter(|p| p.is_int()).unwrap_or(Prim::I64), value))
}

fn words(failure: &FailureKind, record: &Record) -> (String, Option<String>) {
    let (a, b) = (record.a, record.b);
    let (a_size, b_size) = (a.cast_unsigned(), b.cast_unsigned());
    let operation = |rem: bool| if rem { "calculate the remainder" } else { "divide" };
    match failure {
        FailureKind::Bounds { name } => (
            format!("index out of bounds: the len is {b_size} but the index is {a_size}"),
            Some(name.clone()),
        ),
        FailureKind::Section { name } => (
            format!(
                "index out of bounds: the section of `{name}` in the clause has no element {a_size} (the len is {b_size})"
            ),
            Some(name.clone()),
        ),
        FailureKind::Slice { name, wrong } => {
            let text = match wrong {
                WrongBound::Start => {
                    format!("range start index {a_size} out of range for slice of length {b_size}")
                }
                WrongBound::End => {
                    format!("range end index {a_size} out of range for slice of length {b_size}")
                }
                WrongBound::Order => format!("slice index starts at {a_size} but ends at {b_size}"),
            };
            (text, Some(name.clone()))
        }
        FailureKind::DivideByZero { rem: true } => {
            ("attempt to calculate the remainder with a divisor of zero".to_owned(), None)
        }
        FailureKind::DivideByZero { rem: false } => ("attempt to divide by zero".to_owned(), None),
        FailureKind::DivideOverflow { rem } => {
            (format!("attempt to {} with overflow", operation(*rem)), None)
        }
        FailureKind::Overflow { what } => (format!("attempt to {what} with overflow"), None),
        FailureKind::Panic { message, args } => {
            let values: Vec<i64> = [a, b].into_iter().chain(record.more).collect();
            (fill(message, args, &values), None)
        }
        FailureKind::ZeroStep => ("assertion failed: step != 0".to_owned(), None),
        FailureKind::Conflict { .. } => ("overlapping writes".to_owned(), None),
        FailureKind::StackUsedUp { name } => (
            format!(
                "`{name}` calls itself too deep for the device's stack; set a larger one (`OMP_STACKSIZE=256K`), write a \
                 loop, or let the host run the region (`if(false)`)"
            ),
            None,
        ),
    }
}

/// Puts values into a message.
fn fill(message: &str, args: &[Shown], values: &[i64]) -> String {
    message::fill(message, |k, spec| {
        let bits = values.get(k)?.cast_unsigned();
        Some(match args.get(k)? {
            Shown::Prim(prim) => spec.show(*prim, bits),
            Shown::Enum(desc) => spec.word(desc.variant(bits)),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use omp_ir::desc::EnumDesc;

    #[test]
    fn records() {
        let mut bytes = [0; STATUS_BYTES];
        assert_eq!(Record::read(&bytes), None);
        bytes[0..4].copy_from_slice(&1u32.to_ne_bytes());
        bytes[4..8].copy_from_slice(&3u32.to_ne_bytes());
        bytes[8..16].copy_from_slice(&(-7i64).to_ne_bytes());
        bytes[16..24].copy_from_slice(&9i64.to_ne_bytes());
        bytes[24..32].copy_from_slice(&11i64.to_ne_bytes());
        bytes[80..88].copy_from_slice(&12i64.to_ne_bytes());
        bytes[128..136].copy_from_slice(&13i64.to_ne_bytes());
        let (vars, more) = ([11, 0, 0, 0, 0, 0, 0, 12], [0, 0, 0, 0, 0, 13]);
        let expected = Record { inner: None, site: 3, a: -7, b: 9, vars, more };
        assert_eq!(Record::read(&bytes), Some(expected));
        bytes[0..4].copy_from_slice(&3u32.to_ne_bytes());
        assert_eq!(Record::read(&bytes), Some(Record { inner: Some(1), ..expected }));
    }

    #[test]
    fn rusts_words() {
        let x = || "x".to_owned();
        for (failure, a, b, expected) in [
            (FailureKind::Bounds { name: x() }, 4, 3, "index out of bounds: the len is 3 but the index is 4"),
            (
                FailureKind::Bounds { name: x() },
                -1,
                3,
                "index out of bounds: the len is 3 but the index is 18446744073709551615",
            ),
            (
                FailureKind::Slice { name: x(), wrong: WrongBound::Start },
                4,
                3,
                "range start index 4 out of range for slice of length 3",
            ),
            (
                FailureKind::Slice { name: x(), wrong: WrongBound::End },
                5,
                3,
                "range end index 5 out of range for slice of length 3",
            ),
            (
                FailureKind::Slice { name: x(), wrong: WrongBound::Order },
                3,
                2,
                "slice index starts at 3 but ends at 2",
            ),
            (FailureKind::DivideByZero { rem: false }, 0, 0, "attempt to divide by zero"),
            (
                FailureKind::DivideByZero { rem: true },
                0,
                0,
                "attempt to calculate the remainder with a divisor of zero",
            ),
            (FailureKind::DivideOverflow { rem: false }, 0, 0, "attempt to divide with overflow"),
            (
                FailureKind::DivideOverflow { rem: true },
                0,
                0,
                "attempt to calculate the remainder with overflow",
            ),
            (FailureKind::Overflow { what: "shift left" }, 0, 0, "attempt to shift left with overflow"),
            (FailureKind::ZeroStep, 0, 0, "assertion failed: step != 0"),
        ] {
            let record = Record { inner: None, site: 0, a, b, vars: [0; 8], more: [0; 6] };
            assert_eq!(words(&failure, &record).0, expected);
        }
    }

    #[test]
    fn messages_show_values_by_their_type() {
        let f = i64::from(1.5f32.to_bits());
        let prims = |list: &[Prim]| -> Vec<Shown> { list.iter().map(|p| Shown::Prim(*p)).collect() };
        assert_eq!(fill("a {} b {:?}", &prims(&[Prim::F32, Prim::I8]), &[f, -3]), "a 1.5 b -3");
        assert_eq!(fill("{} {}!", &prims(&[Prim::Bool, Prim::U64]), &[1, -1]), "true 18446744073709551615!");
        assert_eq!(fill("{}, {}, {}", &prims(&[Prim::U8; 3]), &[1, 2, 3]), "1, 2, 3");
        assert_eq!(fill("plain {{}}", &[], &[0, 0]), "plain {}");
        let whole = 2.0f64.to_bits().cast_signed();
        assert_eq!(fill("{} {:?}", &prims(&[Prim::F64; 2]), &[whole, whole]), "2 2.0");
        static SIGN: EnumDesc =
            EnumDesc { name: "Sign", size: 1, variants: &[("Minus", -1, 0xff), ("Plus", 1, 1)] };
        assert_eq!(fill("{:?} {:?}", &[Shown::Enum(&SIGN); 2], &[-1, 1]), "Minus Plus");
    }
}
