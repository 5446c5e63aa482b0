//! One launch on the mock: decodes the arguments and runs the interpreter.
use super::{MockBuffer, Program, range_of, refused};
use crate::backend::api::{ArgValue, DeviceError, PART_ALIGN};
use omp_ir::analysis::plan::DimValues;
use omp_kernels::back::{Arg, FailureKind, STATUS_BYTES};
use omp_kernels::interp::{self, Failure, Memory};

/// The bytes of a buffer, or of a part of it.
#[derive(Debug, Clone)]
struct Place<'a> {
    buffer: &'a MockBuffer,
    range: std::ops::Range<usize>,
}

impl Place<'_> {
    fn bytes(&self) -> Vec<u8> {
        self.buffer.lock()[self.range.clone()].to_vec()
    }

    fn change(&self, change: impl FnOnce(&mut [u8])) {
        change(&mut self.buffer.lock()[self.range.clone()]);
    }
}

/// One launch: the arguments in the form that the interpreter needs.
pub(super) struct Run<'a> {
    program: &'a Program,
    arrays: Vec<Option<Place<'a>>>,
    /// None of an array whose length the kernel doesn't need.
    lens: Vec<Option<u64>>,
    /// Which element stands at the start of the buffer.
    origins: Vec<i64>,
    scalars: Vec<Vec<u8>>,
    dims: Vec<Option<DimValues>>,
    /// Which loops' counts are arguments: a kernel that knows the others and the product needs no count of the outermost.
    counted: Vec<bool>,
    total: Option<u64>,
    status: Option<Place<'a>>,
    result: Option<Place<'a>>,
    /// The interpreter has done all there is to do in the first launch.
    later_phase: bool,
}

impl<'a> Run<'a> {
    pub(super) fn of(
        program: &'a Program,
        args: &'a [ArgValue<'a, MockBuffer>],
    ) -> Result<Self, DeviceError> {
        let template = &program.kernel.template;
        let arrays = template.arrays.len();
        let mut run = Self {
            program,
            arrays: vec![None; arrays],
            lens: vec![None; arrays],
            origins: vec![0; arrays],
            scalars: vec![Vec::new(); template.scalars.len()],
            dims: template
                .dims
                .iter()
                .map(|d| d.host.then_some(DimValues { first: 0, step: 1, count: 0 }))
                .collect(),
            counted: vec![false; template.dims.len()],
            total: None,
            status: None,
            result: None,
            later_phase: false,
        };
        if args.len() != program.source.args.len() {
            return Err(refused("the number of arguments differs from the source's"));
        }
        for (arg, value) in program.source.args.iter().zip(args) {
            run.take(*arg, value)?;
        }
        run.last_count();
        Ok(run)
    }

    /// The one count that is no argument.
    fn last_count(&mut self) {
        let counted = self.dims.iter().zip(&self.counted);
        let others: u64 =
            counted.filter(|(_, given)| **given).filter_map(|(d, _)| Some(d.as_ref()?.count)).product();
        let mut missing = self.dims.iter_mut().zip(&self.counted).filter(|(_, given)| !**given);
        if let (Some((Some(dim), _)), None, Some(total)) = (missing.next(), missing.next(), self.total) {
            dim.count = total.checked_div(others).unwrap_or(0);
        }
    }

    fn take(&mut self, arg: Arg, value: &'a ArgValue<'a, MockBuffer>) -> Result<(), DeviceError> {
        let (buffer, bytes) = match value {
            ArgValue::Buffer(b) => (Some(Place { buffer: b, range: 0..b.lock().len() }), None),
            ArgValue::Part { buffer, offset, bytes } => {
                if !offset.is_multiple_of(PART_ALIGN) {
                    return Err(refused("a part that is not aligned"));
                }
                (Some(Place { buffer, range: range_of(buffer.lock().len(), *offset, *bytes)? }), None)
            }
            ArgValue::Bytes(b) => (None, Some(*b)),
        };
        let word = || -> Result<u64, DeviceError> {
            let bytes = bytes.and_then(|b| <[u8; 8]>::try_from(b).ok());
            Ok(u64::from_ne_bytes(bytes.ok_or_else(|| refused("eight bytes are due"))?))
        };
        let buffer = || buffer.clone().ok_or_else(|| refused("a buffer is due"));
        let dims = &mut self.dims;
        let mut dim = |i: u32, set: &dyn Fn(&mut DimValues)| {
            if let Some(values) = &mut dims[i as usize] {
                set(values);
            }
        };
        match arg {
            Arg::Array(a) => self.arrays[a.index()] = Some(buffer()?),
            Arg::Len(a) => self.lens[a.index()] = Some(word()?),
            Arg::Origin(a) => self.origins[a.index()] = word()?.cast_signed(),
            Arg::SectionLo(_) | Arg::SectionHi(_) => drop(word()?),
            Arg::Total => self.total = Some(word()?),
            Arg::Scalar(s) => {
                self.scalars[s.index()] = bytes.ok_or_else(|| refused("bytes are due"))?.to_vec();
            }
            Arg::DimFirst(i) => {
                let first = i128::from(word()?.cast_signed());
                dim(i, &|d| d.first = first);
            }
            Arg::DimStep(i) => {
                let step = i128::from(word()?.cast_signed());
                dim(i, &|d| d.step = step);
            }
            Arg::DimCount(i) => {
                let count = word()?;
                dim(i, &|d| d.count = count);
                self.counted[i as usize] = true;
            }
            Arg::Status => self.status = Some(buffer()?),
            // The interpreter has its own.
            Arg::Claims(_) | Arg::Partials | Arg::Copies | Arg::Tiles | Arg::Ticket => {
                let _ = buffer()?;
            }
            Arg::Phase => self.later_phase = word()? > 0,
            Arg::Term(..)
            | Arg::InsideStart(_)
            | Arg::DigitFirst(_)
            | Arg::DigitStep(_)
            | Arg::DigitCount(_) => {
                let _ = word()?;
            }
            Arg::Result => self.result = Some(buffer()?),
        }
        Ok(())
    }

    fn elem(&self, i: usize) -> usize {
        let kernel = &self.program.kernel;
        kernel.types.size(kernel.array_ty[i]).and_then(|s| usize::try_from(s).ok()).unwrap_or(0)
    }

    /// Where in the array and where in the buffer the bytes begin that both have.
    fn starts(&self, i: usize) -> (usize, usize) {
        let bytes = |elements: i64| usize::try_from(elements).unwrap_or(0) * self.elem(i);
        (bytes(self.origins[i]), bytes(-self.origins[i]))
    }

    /// The whole arrays: the mapped elements at their place, zeros around them.
    fn memory(&self) -> Memory {
        let arrays = (0..self.arrays.len()).map(|i| {
            let mapped = self.arrays[i].as_ref().map(Place::bytes).unwrap_or_default();
            let elem = self.elem(i);
            let (lo, skipped) = self.starts(i);
            let mapped = &mapped[skipped.min(mapped.len())..];
            // A buffer may be larger than requested, so its size is no length.
            let len = match self.lens[i] {
                Some(len) => usize::try_from(len).unwrap_or(0) * elem,
                None => lo + mapped.len() / elem.max(1) * elem,
            };
            let mut whole = vec![0; len];
            let n = mapped.len().min(len.saturating_sub(lo));
            whole[lo.min(len)..][..n].copy_from_slice(&mapped[..n]);
            whole
        });
        Memory { arrays: arrays.collect(), scalars: self.scalars.clone(), dims: self.dims.clone() }
    }

    pub(super) fn execute(&self) -> Result<(), DeviceError> {
        if self.later_phase {
            return Ok(());
        }
        let mut memory = self.memory();
        let before = memory.arrays.clone();
        let outcome = interp::run(&self.program.kernel, &self.program.info, &mut memory);
        for (i, buffer) in self.arrays.iter().enumerate() {
            let Some(buffer) = buffer else { continue };
            let (lo, skipped) = self.starts(i);
            let old = before[i].get(lo..).unwrap_or_default();
            let new = memory.arrays[i].get(lo..).unwrap_or_default();
            // Writes only changed elements: several arrays may be parts of one buffer.
            buffer.change(|to| {
                for ((to, old), new) in to.iter_mut().skip(skipped).zip(old).zip(new) {
                    if old != new {
                        *to = *new;
                    }
                }
            });
        }
        match outcome {
            Ok(items) => {
                if let Some(result) = &self.result {
                    let (places, _) = self.program.kernel.result_places();
                    result.change(|to| {
                        for (at, item) in places.into_iter().zip(&items) {
                            to[at..at + item.len()].copy_from_slice(item);
                        }
                    });
                }
                Ok(())
            }
            Err(failure) => self.record(&failure),
        }
    }

    /// Writes the status record as a kernel would.
    fn record(&self, failure: &Failure) -> Result<(), DeviceError> {
        let status = self
            .status
            .as_ref()
            .ok_or_else(|| refused(&format!("without a status word: {}", failure.message)))?;
        let sites = &self.program.source.sites;
        let words = failure.message.split(|c: char| !(c.is_ascii_digit() || c == '-'));
        let numbers: Vec<i64> = words.filter_map(|w| w.parse().ok()).collect();
        let at = |s: &omp_kernels::back::Site| s.function == failure.function && s.src == failure.src;
        let bounds = failure.message.starts_with("index");
        let site = sites
            .iter()
            .position(|s| at(s) && bounds == matches!(s.failure, FailureKind::Bounds { .. }))
            .or_else(|| sites.iter().position(at))
            .ok_or_else(|| refused(&format!("no site for: {}", failure.message)))?;
        // Rust's words for a subscript: the length first, the index second.
        let (a, b) = match (bounds, numbers.as_slice()) {
            (true, [len, index, ..]) => (*index, *len),
            (_, [a, b, ..]) => (*a, *b),
            (_, [a]) => (*a, 0),
            (_, []) => (0, 0),
        };
        let mut record = [0; STATUS_BYTES];
        record[0..4].copy_from_slice(&1u32.to_ne_bytes());
        record[4..8].copy_from_slice(&u32::try_from(site).unwrap_or(u32::MAX).to_ne_bytes());
        record[8..16].copy_from_slice(&a.to_ne_bytes());
        record[16..24].copy_from_slice(&b.to_ne_bytes());
        for (k, value) in numbers.iter().skip(2).take(6).enumerate() {
            record[88 + 8 * k..96 + 8 * k].copy_from_slice(&value.to_ne_bytes());
        }
        status.change(|to| to[..STATUS_BYTES].copy_from_slice(&record));
        Ok(())
    }
}
