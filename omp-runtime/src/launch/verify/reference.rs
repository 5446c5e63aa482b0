//! `OMP_VERIFY` for data that is kept on the device: the host's copy differs from the data of the kernel, and the user's loop can
//! run on the host's copy only. So the region also runs in the reference interpreter, on a copy of the device's values, and the
//! results are compared. The program goes on with the device's results.
use super::Pair;
use crate::backend::api::DeviceError;
use crate::data::array::RawArray;
use crate::data::mapping::{Home, Wish};
use crate::data::present::Presence;
use crate::device::Dev;
use crate::env::Tolerance;
use crate::error::{Difference, Error, PanicKind};
use crate::launch::outcome::fault::Fault;
use crate::launch::region::Region;
use crate::launch::site::Ready;
use crate::typing::{TypeDesc, initialised_bytes};
use omp_ir::analysis::plan::LaunchFacts;
use omp_ir::ids::{ScalarId, TyId};
use omp_ir::kernel::{Ty, Types};
use omp_ir::template::MapType;
use omp_kernels::interp::{self, Failure, Memory};
use std::mem::MaybeUninit;

/// What the reference starts from, and where the device has it.
pub(in crate::launch) struct Reference<'a> {
    memory: Memory,
    device: &'static Dev,
    homes: &'a [Home],
    tolerance: Tolerance,
}

/// The bytes of an array as the device has them, or will: what has no value there is the host's.
///
/// # Safety
/// The borrow behind `array` lasts until the call returns, and no other code writes the elements meanwhile.
unsafe fn seen(device: &Dev, array: &RawArray, home: &Home) -> Result<Vec<MaybeUninit<u8>>, DeviceError> {
    let (first, end) = (array.address(0), array.address(array.len() as u64));
    let mut bytes = if array.on_host() {
        // SAFETY: by the caller.
        unsafe { array.bytes(0, array.len() as u64) }.to_vec()
    } else {
        vec![MaybeUninit::new(0); (end - first) as usize]
    };
    for entry in home.present().into_iter().flat_map(Presence::entries) {
        for (lo, hi) in entry.filled(first, end) {
            let part = &mut bytes[(lo - first) as usize..(hi - first) as usize];
            device.handle.download(part, &entry.block().buffer, entry.block().offset(lo))?;
        }
    }
    Ok(bytes)
}

impl Region {
    /// The values that the reference starts from, which have to be taken before the launch.
    pub(in crate::launch) fn reference<'a>(
        &self,
        device: &'static Dev,
        homes: &'a [Home],
        tolerance: Tolerance,
    ) -> Result<Reference<'a>, Fault> {
        let mut arrays = Vec::with_capacity(self.arrays.len());
        for (i, (mapped, home)) in self.arrays.iter().zip(homes).enumerate() {
            let desc = self.elem(i)?;
            let failed = |error| Fault::Device { error, array: Some(i), source: None };
            // SAFETY: the borrows behind `arrays` last until `run` returns (`Region::array`).
            let bytes = unsafe { seen(device, &mapped.array, home) }.map_err(failed)?;
            // SAFETY: the host's are values of the type; so is what stands on the device.
            arrays.push(unsafe { initialised_bytes(desc, &bytes) });
        }
        let scalars = (0..self.scalars.len()).map(|k| self.scalars.get(ScalarId::new(k)).to_vec()).collect();
        let memory = Memory { arrays, scalars, dims: self.dims.to_vec() };
        Ok(Reference { memory, device, homes, tolerance })
    }

    fn elem(&self, array: usize) -> Result<&'static TypeDesc, Fault> {
        let of = self.site.elems.get(array).copied().flatten();
        of.ok_or_else(|| Fault::Unsupported("an array's type is not known".into()))
    }

    /// Runs the reference, and compares. `device`: how the device's run went.
    pub(in crate::launch) fn judged(
        &self,
        reference: Reference<'_>,
        ready: &Ready,
        facts: &LaunchFacts,
        went: Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Reference { mut memory, device, homes, tolerance } = reference;
        if let Err(fault @ (Fault::Device { .. } | Fault::Unsupported(_) | Fault::BroughtBackInPart { .. })) =
            went
        {
            return Err(fault);
        }
        let (place, label) = (&self.site.place, device.label());
        let items = match (interp::run(&ready.kernel, &ready.info, &mut memory), went) {
            (Ok(items), Ok(())) => items,
            (Ok(_), Err(fault)) => {
                let error = fault.into_error(place, device, &self.site.names, &self.arrays);
                return Err(Fault::Program(Error::OnlyOnDevice {
                    place,
                    device: label,
                    error: Box::new(error),
                }));
            }
            (Err(_), Err(fault)) => return Err(fault),
            (Err(failure), Ok(())) => return Err(Fault::Program(self.only_in_reference(ready, failure))),
        };
        let mut largest = 0.0;
        let found = match self.compare_items(ready, &items, tolerance, &mut largest) {
            Some(found) => Some(found),
            None => self.compare_arrays(&memory, (device, homes), facts, tolerance, &mut largest)?,
        };
        let verdict = match found {
            Some(mut found) => {
                found.promised = self.site.promises();
                Err(Error::Mismatch { place, device: label, found })
            }
            None => Ok(()),
        };
        crate::observe::verified(place, largest, verdict.as_ref().err());
        verdict.map_err(Fault::Program)
    }

    fn only_in_reference(&self, ready: &Ready, failure: Failure) -> Error {
        let Failure { function, src, message } = failure;
        let body = function.map_or(&ready.kernel.body, |f| &ready.kernel.fns[f.index()].body);
        let at =
            body.code.srcs.get(src.index()).map(|s| format!("{}:{}:{}", body.file, s.line, s.column).into());
        Error::Panic {
            place: &self.site.place,
            device: "the reference interpreter".into(),
            kind: PanicKind::of_message(&message),
            at,
            message,
            variable: None,
            iteration: Vec::new(),
        }
    }

    fn compare_items(
        &self,
        ready: &Ready,
        items: &[Vec<u8>],
        tolerance: Tolerance,
        largest: &mut f64,
    ) -> Option<Box<Difference>> {
        let kernel = &ready.kernel;
        let (places, _) = kernel.result_places();
        let reductions = kernel.template.reductions.iter();
        for ((reduction, item), at) in reductions.zip(items).zip(places) {
            let Some(local) = reduction.local() else { continue };
            let Some(device) = self.results.get(at..at + item.len()) else { continue };
            let name = &kernel.template.code.locals[local.index()].name;
            let mut pair = Pair::new(tolerance);
            let ty = kernel.body.local_ty[local.index()];
            let equal = typed(&mut pair, &kernel.types, ty, item, device, name);
            *largest = largest.max(pair.largest);
            if !equal {
                return pair.one();
            }
        }
        None
    }

    fn compare_arrays(
        &self,
        memory: &Memory,
        (device, homes): (&Dev, &[Home]),
        facts: &LaunchFacts,
        tolerance: Tolerance,
        largest: &mut f64,
    ) -> Result<Option<Box<Difference>>, Fault> {
        for (i, (mapped, param)) in self.arrays.iter().zip(&self.site.template.arrays).enumerate() {
            let lost =
                homes[i].present().is_none() && matches!(param.map, Some(MapType::To | MapType::Alloc));
            if !param.written || lost {
                continue;
            }
            let desc = self.elem(i)?;
            let failed = |error| Fault::Device { error, array: Some(i), source: None };
            // SAFETY: as in `reference`.
            let bytes = unsafe { seen(device, &mapped.array, &homes[i]) }.map_err(failed)?;
            // SAFETY: as in `reference`.
            let bytes = unsafe { initialised_bytes(desc, &bytes) };
            let size = mapped.array.elem().max(1);
            for &(lo, hi) in Wish::of(param, mapped, self.sections_of(i), facts, i).touched() {
                let range = lo as usize * size..hi as usize * size;
                let (host, device) = (&memory.arrays[i][range.clone()], &bytes[range]);
                let name = self.site.names.get(i).map_or("?", String::as_str);
                let (found, apart) = Pair::array(desc, (name, lo, size), host, device, tolerance);
                *largest = largest.max(apart);
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }
}

/// Compares two values of a kernel's type.
pub(in crate::launch) fn typed(
    pair: &mut Pair<'_>,
    types: &Types,
    ty: TyId,
    host: &[u8],
    device: &[u8],
    path: &str,
) -> bool {
    let mut described = |desc: &TypeDesc| pair.bytes(desc, host, device, path);
    match types.get(ty) {
        Ty::Unit | Ty::Never | Ty::Slice(_) => true,
        Ty::Option(payload) => match types.option(*payload) {
            Some(layout) => {
                let ((at, prim), value) = (layout.decider(), layout.value_at());
                pair.bytes(&TypeDesc::Prim(prim), &host[at..], &device[at..], path)
                    && (!layout.is_some(host)
                        || typed(pair, types, *payload, &host[value..], &device[value..], path))
            }
            None => true,
        },
        Ty::Prim(prim) => described(&TypeDesc::Prim(*prim)),
        Ty::Struct(desc, _) => described(&TypeDesc::Struct(desc)),
        Ty::Enum(desc) => described(&TypeDesc::Enum(desc)),
        Ty::Data(desc, _) => described(&TypeDesc::Data(desc)),
        Ty::Array(elem, len) => {
            let size = types.size(*elem).unwrap_or(0) as usize;
            (0..*len as usize).all(|k| {
                let range = k * size..(k + 1) * size;
                let path = format!("{path}[{k}]");
                typed(pair, types, *elem, &host[range.clone()], &device[range], &path)
            })
        }
    }
}
