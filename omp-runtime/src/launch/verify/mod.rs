//! `OMP_VERIFY`: a region runs on its device and on the host, and the results are compared.
//!
//! The device works on copies of the arrays that the region writes. Then the host runs the loop on the user's own arrays,
//! as it would without a device, and the program goes on with the host's results. So the comparison has no effect on a
//! correct program.
pub(super) mod reference;

use super::region::Region;
use crate::data::HostArray;
use crate::data::array::RawArray;
use crate::data::section::Mapped;
use crate::env::Tolerance;
use crate::error::{Difference, Error, Place};
use crate::typing::{TypeDesc, Value, konst_bytes};
use omp_ir::desc::Prim;
use std::mem::MaybeUninit;

/// What a device computed, until the host has done the same.
#[derive(Debug)]
pub(crate) struct Trial {
    /// The arrays as the device sees them: written ones are copies.
    arrays: Vec<Mapped>,
    /// The copies' memory, where `arrays` points to.
    _copies: Vec<Box<[MaybeUninit<u8>]>>,
    /// Reduction items by position: their bytes as the device's results make them.
    items: Vec<(usize, Vec<u8>)>,
    /// The device's label.
    device: String,
    /// What the device found wrong with the program, which the host has to find, too.
    failure: Option<Error>,
    /// The first thing that differs.
    found: Option<Box<Difference>>,
    /// The largest fraction by which floats differ.
    largest: f64,
    tolerance: Tolerance,
}

impl Trial {
    /// Copies the written arrays.
    ///
    /// # Safety
    /// The borrows behind `arrays` last until the call returns, and no other code writes the arrays meanwhile.
    pub unsafe fn new(
        arrays: &[Mapped],
        written: impl Fn(usize) -> bool,
        device: String,
        tolerance: Tolerance,
    ) -> Self {
        let mut copies = Vec::new();
        let mut copy = |(i, mapped): (usize, &Mapped)| {
            if !written(i) {
                return *mapped;
            }
            // SAFETY: the caller holds the borrows, and no code writes.
            let bytes = unsafe { mapped.array.bytes(0, mapped.array.len() as u64) };
            let mut copy: Box<[MaybeUninit<u8>]> = bytes.into();
            let array = RawArray::of_copy(&mut copy, *mapped.array.holds());
            copies.push(copy);
            Mapped { array, ..*mapped }
        };
        let arrays = arrays.iter().enumerate().map(&mut copy).collect();
        Self {
            arrays,
            _copies: copies,
            items: Vec::new(),
            device,
            failure: None,
            found: None,
            largest: 0.0,
            tolerance,
        }
    }

    /// What the device gets.
    pub fn arrays(&self) -> &[Mapped] {
        &self.arrays
    }

    /// Compares reduction item `k` with what the host made of it.
    fn compare_item(&mut self, k: usize, variable: &str, desc: &TypeDesc, host: &[u8]) {
        let Some((_, device)) = self.items.iter().find(|(item, _)| *item == k) else { return };
        let mut pair = Pair::new(self.tolerance);
        let equal = pair.bytes(desc, host, device, variable);
        self.largest = self.largest.max(pair.largest);
        if !equal && self.found.is_none() {
            self.found = pair.one();
        }
    }

    /// Compares array `i` with what the host made of it.
    ///
    /// # Safety
    /// The borrow behind `host` lasts until the call returns.
    unsafe fn compare_array(&mut self, i: usize, variable: &str, desc: &TypeDesc, host: RawArray) {
        let Some(own) = self.arrays.get(i) else { return };
        let (lo, hi) = own.section;
        if self.found.is_some() || host.len() != own.array.len() {
            return;
        }
        // SAFETY: the copy is ours; the caller holds the host's array.
        let (copied, hosts) = unsafe { (own.array.bytes(lo, hi), host.bytes(lo, hi)) };
        let size = own.array.elem().max(1);
        let (found, largest) = Pair::of_array(desc, (variable, lo, size), hosts, copied, self.tolerance);
        self.found = found;
        self.largest = self.largest.max(largest);
    }

    /// What was found.
    fn verdict(self, place: &'static Place, promised: Option<String>) -> Result<(), Error> {
        let device = self.device;
        let verdict = match (self.failure, self.found) {
            (Some(error), _) => Err(Error::OnlyOnDevice { place, device, error: Box::new(error) }),
            (None, Some(mut found)) => {
                found.promised = promised;
                Err(Error::Mismatch { place, device, found })
            }
            (None, None) => Ok(()),
        };
        crate::observe::verified(place, self.largest, verdict.as_ref().err());
        verdict
    }
}

/// What generated code calls around the host's loop. Without a trial, nothing happens.
impl Region {
    /// Whether a device has run the region, too.
    #[must_use]
    #[inline]
    pub fn verifying(&self) -> bool {
        self.trial.is_some()
    }

    /// Reduction item `k` before the loop. `combine`: by its operator.
    pub fn expect_item<T: Value>(&mut self, k: usize, item: &T, combine: impl FnOnce(T, T) -> T) {
        let mut expected = *item;
        self.reduced(k, &mut expected, combine);
        if let Some(trial) = &mut self.trial {
            trial.items.push((k, konst_bytes(&expected)));
        }
    }

    /// Reduction item `k` after the loop.
    pub fn compare_item<T: Value>(&mut self, k: usize, variable: &str, item: &T) {
        if let Some(trial) = &mut self.trial {
            trial.compare_item(k, variable, T::DESC, &konst_bytes(item));
        }
    }

    /// Array `i` after the loop.
    pub fn compare_array<T>(&mut self, i: usize, array: &HostArray<'_, T>) {
        let name = self.site.names.get(i).map_or("?", String::as_str);
        if let (Some(trial), Some(Some(desc))) = (&mut self.trial, self.site.elems.get(i)) {
            // SAFETY: the borrow is `array`'s.
            unsafe { trial.compare_array(i, name, desc, array.raw()) };
        }
    }

    /// After the comparisons.
    ///
    /// # Errors
    /// [`Error::Mismatch`], [`Error::OnlyOnDevice`].
    pub fn try_verified(&mut self) -> Result<(), Error> {
        let site = self.site;
        self.trial.take().map_or(Ok(()), |trial| trial.verdict(&site.place, site.promises()))
    }

    /// After the comparisons.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_verified`] gives.
    #[track_caller]
    pub fn verified(&mut self) {
        if let Err(error) = self.try_verified() {
            panic!("{error}");
        }
    }

    /// The device found the program wrong: the host has to, too.
    pub(super) fn only_on_device(&mut self, error: Error) {
        if let Some(trial) = &mut self.trial {
            trial.failure = Some(error);
        }
    }
}

fn initialised(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: the same memory; initialised bytes are valid where none need be.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// # Safety
/// All bytes are initialised.
unsafe fn assumed(bytes: &[MaybeUninit<u8>]) -> &[u8] {
    // SAFETY: the same memory; the caller says that it is initialised.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// So many bytes are compared at once before values are.
const BLOCK: usize = 1 << 14;

/// The mean magnitude of the numbers of an array, found when it is needed.
enum OnceMean<'a> {
    None,
    Of { desc: &'a TypeDesc, bytes: &'a [MaybeUninit<u8>], elem: usize },
    Known(f64),
}

/// A comparison: the first difference, and how many there are.
pub(super) struct Pair<'a> {
    /// Floats are equal if their bits are, or if both are no numbers.
    pub(super) by_bits: bool,
    tolerance: Tolerance,
    mean: OnceMean<'a>,
    first: Option<Box<Difference>>,
    differing: u64,
    /// The largest fraction by which floats differ, of what the tolerance is of.
    pub(super) largest: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(tolerance: Tolerance) -> Self {
        Self { by_bits: false, tolerance, mean: OnceMean::None, first: None, differing: 0, largest: 0.0 }
    }

    /// Compares elements of an array, of which the first is element `lo`.
    fn of_array(
        desc: &'a TypeDesc,
        (variable, lo, size): (&str, u64, usize),
        host: &'a [MaybeUninit<u8>],
        device: &[MaybeUninit<u8>],
        tolerance: Tolerance,
    ) -> (Option<Box<Difference>>, f64) {
        let mut pair = Self::new(tolerance);
        pair.mean = OnceMean::Of { desc, bytes: host, elem: size };
        let mut compared = 0;
        for (device, host) in device.chunks_exact(size).zip(host.chunks_exact(size)) {
            if !pair.value(desc, host, device, "") {
                pair.element(variable, lo + compared);
            }
            compared += 1;
        }
        let largest = pair.largest;
        (pair.into_difference(compared), largest)
    }

    /// The same of bytes that are all initialised.
    pub(super) fn array(
        desc: &'a TypeDesc,
        named: (&str, u64, usize),
        host: &'a [u8],
        device: &[u8],
        tolerance: Tolerance,
    ) -> (Option<Box<Difference>>, f64) {
        Self::of_array(desc, named, initialised(host), initialised(device), tolerance)
    }

    /// Whether arrays that two kernels have written are equal, by bits or within the tolerance.
    pub(super) fn equal(
        mut self,
        desc: &'a TypeDesc,
        size: usize,
        one: &'a [MaybeUninit<u8>],
        other: &[MaybeUninit<u8>],
    ) -> bool {
        if one.len() != other.len() {
            return false;
        }
        self.mean = OnceMean::Of { desc, bytes: one, elem: size };
        let dense = desc.is_dense();
        let block = size * BLOCK.div_ceil(size);
        one.chunks(block).zip(other.chunks(block)).all(|(one, other)| {
            let mut values = one.chunks_exact(size).zip(other.chunks_exact(size));
            // SAFETY: values of dense types have no byte that is not initialised.
            (dense && unsafe { assumed(one) == assumed(other) })
                || values.all(|(one, other)| self.value(desc, one, other, ""))
        })
    }

    /// Compares two values of which all bytes are initialised.
    pub(super) fn bytes(&mut self, desc: &TypeDesc, host: &[u8], device: &[u8], path: &str) -> bool {
        self.value(desc, initialised(host), initialised(device), path)
    }

    /// The difference of two values.
    pub(super) fn one(mut self) -> Option<Box<Difference>> {
        self.differing = 1;
        self.into_difference(1)
    }

    fn into_difference(mut self, compared: u64) -> Option<Box<Difference>> {
        if let Some(first) = &mut self.first {
            (first.differing, first.compared) = (self.differing, compared);
        }
        self.first
    }

    /// Completes the name of what the last call of [`Self::value`] found first.
    fn element(&mut self, name: &str, index: u64) {
        self.differing += 1;
        if self.differing == 1
            && let Some(first) = &mut self.first
        {
            first.variable = format!("{name}[{index}]{}", first.variable);
        }
    }

    /// Compares two values; the first difference is kept.
    fn value(
        &mut self,
        desc: &TypeDesc,
        host: &[MaybeUninit<u8>],
        device: &[MaybeUninit<u8>],
        path: &str,
    ) -> bool {
        match desc {
            TypeDesc::Unit => true,
            TypeDesc::Option(o) => match o.layout {
                Some(layout) => {
                    let ((at, prim), value) = (layout.decider(), layout.value_at());
                    self.leaf(prim, &host[at..], &device[at..], path)
                        && (Leaf::of(prim, &host[at..]).bits == layout.none()
                            || self.value(o.of, &host[value..], &device[value..], path))
                }
                None => true,
            },
            TypeDesc::Prim(Prim::U128) => {
                self.leaf(Prim::U64, host, device, path)
                    && self.leaf(Prim::U64, &host[8..], &device[8..], path)
            }
            TypeDesc::Prim(prim) => self.leaf(*prim, host, device, path),
            TypeDesc::Enum(e) => {
                let prim = match e.size {
                    1 => Prim::U8,
                    2 => Prim::U16,
                    4 => Prim::U32,
                    _ => Prim::U64,
                };
                self.leaf(prim, host, device, path)
            }
            TypeDesc::Data(d) => {
                if !self.leaf(d.tag, host, device, path) {
                    return false;
                }
                let variant = d.variants.iter().find(|v| v.tag == Leaf::of(d.tag, host).bits);
                variant.is_none_or(|v| self.value(&TypeDesc::Struct(v.fields), host, device, path))
            }
            TypeDesc::Array { elem, len } => {
                let size = elem.size().unwrap_or(0);
                let part =
                    |bytes: &'_ [MaybeUninit<u8>], i: usize| i * size..((i + 1) * size).min(bytes.len());
                (0..*len).all(|i| {
                    let range = part(host, i);
                    self.value(elem, &host[range.clone()], &device[range], &format!("{path}[{i}]"))
                })
            }
            TypeDesc::Struct(s) => s.fields.iter().all(|f| {
                let range = f.offset..f.offset + f.ty.size().unwrap_or(0);
                let path = format!("{path}.{}", f.name);
                self.value(f.ty, &host[range.clone()], &device[range], &path)
            }),
        }
    }

    fn leaf(&mut self, prim: Prim, host: &[MaybeUninit<u8>], device: &[MaybeUninit<u8>], path: &str) -> bool {
        let (a, b) = (Leaf::of(prim, host), Leaf::of(prim, device));
        if a.bits != b.bits && prim.is_float() {
            let mean = self.mean.get();
            self.largest = self.largest.max(a.apart(b, mean));
        }
        let near = match self.by_bits {
            true => prim.is_float() && a.float().is_nan() && b.float().is_nan(),
            false => a.is_near(b, self.tolerance, || self.mean.get()),
        };
        if a.bits == b.bits || near {
            return true;
        }
        self.first.get_or_insert_with(|| {
            Box::new(Difference {
                variable: path.to_owned(),
                host: a.to_string(),
                device: b.to_string(),
                differing: 1,
                compared: 1,
                tolerance: if prim.is_float() { self.tolerance.of(prim) } else { 0.0 },
                promised: None,
            })
        });
        false
    }
}

impl OnceMean<'_> {
    fn get(&mut self) -> f64 {
        let mean = match self {
            Self::None => 0.0,
            Self::Known(mean) => *mean,
            Self::Of { desc, bytes, elem } => {
                let (mut sum, mut count) = (0.0, 0u64);
                for value in bytes.chunks_exact((*elem).max(1)) {
                    magnitudes(desc, value, &mut |m| {
                        sum += m;
                        count += 1;
                    });
                }
                sum / count.max(1) as f64
            }
        };
        *self = Self::Known(mean);
        mean
    }
}

/// Calls `each` with the magnitudes of the finite floats in a value.
fn magnitudes(desc: &TypeDesc, bytes: &[MaybeUninit<u8>], each: &mut impl FnMut(f64)) {
    match desc {
        TypeDesc::Prim(prim) if prim.is_float() => {
            let value = Leaf::of(*prim, bytes).float();
            if value.is_finite() {
                each(value.abs());
            }
        }
        TypeDesc::Unit | TypeDesc::Prim(_) | TypeDesc::Enum(_) => {}
        TypeDesc::Option(o) => {
            if let Some(layout) = o.layout
                && let (at, prim) = layout.decider()
                && Leaf::of(prim, &bytes[at..]).bits != layout.none()
            {
                magnitudes(o.of, &bytes[layout.value_at()..], each);
            }
        }
        TypeDesc::Data(d) => {
            let tag = Leaf::of(d.tag, bytes).bits;
            if let Some(v) = d.variants.iter().find(|v| v.tag == tag) {
                for f in v.fields.fields {
                    magnitudes(f.ty, &bytes[f.offset..f.offset + f.ty.size().unwrap_or(0)], each);
                }
            }
        }
        TypeDesc::Array { elem, len } => {
            let size = elem.size().unwrap_or(0);
            (0..*len).for_each(|i| magnitudes(elem, &bytes[i * size..(i + 1) * size], each));
        }
        TypeDesc::Struct(s) => {
            for f in s.fields {
                magnitudes(f.ty, &bytes[f.offset..f.offset + f.ty.size().unwrap_or(0)], each);
            }
        }
    }
}

/// A primitive value.
#[derive(Clone, Copy)]
struct Leaf {
    prim: Prim,
    bits: u64,
}

impl Leaf {
    /// The value at the start of `bytes`, which are those of a value of this type.
    fn of(prim: Prim, bytes: &[MaybeUninit<u8>]) -> Self {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(&bytes[..prim.size()]) {
            // SAFETY: callers follow the type's description, and the bytes of a primitive in it are initialised.
            *to = unsafe { from.assume_init() };
        }
        Self { prim, bits: u64::from_le_bytes(word) }
    }

    fn float(self) -> f64 {
        match self.prim {
            Prim::F32 => f64::from(f32::from_bits(self.bits as u32)),
            _ => f64::from_bits(self.bits),
        }
    }

    /// The difference of two floats as a fraction of the larger magnitude, or of the array's mean; 0 for two that are equal or no
    /// numbers, infinite where only one of them is finite.
    fn apart(self, other: Self, mean: f64) -> f64 {
        let (a, b) = (self.float(), other.float());
        if a == b || a.is_nan() && b.is_nan() {
            return 0.0;
        }
        if !(a.is_finite() && b.is_finite()) {
            return f64::INFINITY;
        }
        (a - b).abs() / a.abs().max(b.abs()).max(mean)
    }

    /// Equal as floats are: also two NaNs, or apart by no more than the tolerance of the larger magnitude, or of the
    /// array's mean.
    fn is_near(self, other: Self, tolerance: Tolerance, mean: impl FnOnce() -> f64) -> bool {
        if !self.prim.is_float() {
            return false;
        }
        let (a, b) = (self.float(), other.float());
        let of = tolerance.of(self.prim);
        a == b
            || a.is_nan() && b.is_nan()
            || (a - b).abs() <= of * a.abs().max(b.abs()) && a.is_finite() && b.is_finite()
            || (a - b).abs() <= of * mean()
    }
}

impl std::fmt::Display for Leaf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bits = self.bits;
        match self.prim {
            Prim::Bool => write!(f, "{}", bits != 0),
            Prim::Char => match char::from_u32(bits as u32) {
                Some(c) => write!(f, "{c:?}"),
                None => write!(f, "{bits:#x}"),
            },
            Prim::I8 => write!(f, "{}", bits as i8),
            Prim::I16 => write!(f, "{}", bits as i16),
            Prim::I32 => write!(f, "{}", bits as i32),
            Prim::I64 | Prim::Isize => write!(f, "{}", bits as i64),
            // (A `u128` is two of 64 bits.)
            Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 | Prim::Usize | Prim::U128 => write!(f, "{bits}"),
            Prim::F32 => write!(f, "{:?}", f32::from_bits(bits as u32)),
            Prim::F64 => write!(f, "{:?}", f64::from_bits(bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typing::Device;

    fn first<T: Device>(host: &[T], device: &[T], tolerance: Tolerance) -> Option<Difference> {
        let host = host.iter().map(konst_bytes).collect::<Vec<_>>().concat();
        let device = device.iter().map(konst_bytes).collect::<Vec<_>>().concat();
        let mut pair = Pair::new(tolerance);
        let elem = size_of::<T>();
        pair.mean = OnceMean::Of { desc: <T as Device>::DESC, bytes: initialised(&host), elem };
        for (k, (h, d)) in host.chunks_exact(elem).zip(device.chunks_exact(elem)).enumerate() {
            if !pair.value(<T as Device>::DESC, initialised(h), initialised(d), "") {
                pair.element("y", k as u64);
            }
        }
        pair.into_difference((host.len() / elem) as u64).map(|d| *d)
    }

    #[test]
    fn the_first_difference_is_reported_with_both_values() {
        let found = first(&[1i32, -2, 3, 4], &[1, -2, -3, 5], Tolerance::Usual).expect("two differ");
        assert_eq!(
            (found.variable.as_str(), found.host.as_str(), found.device.as_str()),
            ("y[2]", "3", "-3")
        );
        assert_eq!((found.differing, found.compared), (2, 4));
        let found =
            first(&[(1u8, [1.5f64, 2.5])], &[(1, [1.5, 2.0])], Tolerance::Usual).expect("one differs");
        assert_eq!((found.variable.as_str(), found.device.as_str()), ("y[0].1[1]", "2.0"));
        assert_eq!(first(&[true, false], &[true, false], Tolerance::Usual), None);
    }

    #[test]
    fn floats_may_differ_by_the_tolerance() {
        let near = |h: f32, d: f32, tolerance| first(&[h, 1000.0], &[d, 1000.0], tolerance).is_none();
        assert!(near(1.0, 1.000_001, Tolerance::Usual));
        assert!(!near(100.0, 101.0, Tolerance::Usual));
        assert!(near(100.0, 101.0, Tolerance::relative(0.02)));
        assert!(!near(1.0, 1.000_000_1, Tolerance::relative(0.0)));
        assert!(near(0.0, -0.0, Tolerance::relative(0.0)));
        assert!(near(f32::NAN, -f32::NAN, Tolerance::relative(0.0)));
        assert!(!near(f32::NAN, 1.0, Tolerance::Usual));
        assert!(!near(f32::INFINITY, f32::MAX, Tolerance::Usual));
        // Small compared with its neighbours: cancellation.
        assert!(near(1e-6, 3e-6, Tolerance::Usual));
        assert!(first(&[1e-6f32], &[3e-6], Tolerance::Usual).is_some());
    }
}
