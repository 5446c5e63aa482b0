//! Memory of a kernel other than its arrays: status, results, and memory by which blocks communicate. It is kept for
//! later launches.
use super::Launch;
use super::status;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynDevice};
use crate::backend::size::Bytes;
use crate::launch::outcome::fault::Fault;
use crate::launch::site::{Compiled, Scratch, lock};
use omp_kernels::back::{Arg, STATUS_BYTES, Source};
use omp_kernels::schedule::Room;

/// Scratch memory that is kept for a kernel: as much as its tasks use at a time.
const MOST_KEPT: usize = 64;
/// Bytes of copies of reduced arrays that are kept.
const LARGEST_KEPT: usize = 256 << 20;

impl Scratch {
    /// That of the launch before, or new one; big enough for this launch.
    pub(in crate::launch) fn ready(
        compiled: &Compiled,
        device: &dyn DynDevice,
        room: Room,
        result_bytes: usize,
    ) -> Result<Self, DeviceError> {
        let Source { args, .. } = &compiled.source;
        let has = |arg: Arg| args.contains(&arg);
        let kept = lock(&compiled.scratch).pop();
        let mut scratch = match kept {
            Some(scratch) => scratch,
            None => Self {
                status: has(Arg::Status).then(|| zeroed(device, STATUS_BYTES)).transpose()?,
                ticket: has(Arg::Ticket).then(|| ticket(device)).transpose()?,
                result: has(Arg::Result).then(|| device.mailbox(result_bytes.max(16).into())).transpose()?,
                partials: None,
                copies: None,
                tiles: None,
            },
        };
        let grow = |kept: &mut Option<(DynBuffer, usize)>, bytes: u64| {
            let bytes = Bytes::from(bytes).at_least(16).size(|| device.memory().0)?;
            if kept.as_ref().is_none_or(|(_, room)| *room < bytes) {
                *kept = None;
                *kept = Some((device.alloc(bytes.into())?, bytes));
                return Ok(true);
            }
            Ok::<_, DeviceError>(false)
        };
        if has(Arg::Partials) {
            grow(&mut scratch.partials, room.partials)?;
        }
        if has(Arg::Copies) {
            grow(&mut scratch.copies, room.copies)?;
        }
        if has(Arg::Tiles)
            && grow(&mut scratch.tiles, room.tiles)?
            && let Some((buffer, bytes)) = &scratch.tiles
        {
            device.zero(buffer, 0, *bytes)?;
        }
        Ok(scratch)
    }

    /// For launches to come.
    pub(in crate::launch) fn keep(mut self, compiled: &Compiled) {
        self.copies = self.copies.filter(|(_, bytes)| *bytes <= LARGEST_KEPT);
        let mut kept = lock(&compiled.scratch);
        if kept.len() < MOST_KEPT {
            kept.push(self);
        }
    }

    /// Reads the status record, if the kernel has one.
    pub(in crate::launch) fn check(&self, launch: &Launch<'_>, source: &Source) -> Result<(), Fault> {
        let Some(status) = &self.status else { return Ok(()) };
        let mut bytes = [0; STATUS_BYTES];
        launch.device.handle.read_mailbox(status, &mut bytes)?;
        match status::Record::read(&bytes) {
            None => Ok(()),
            Some(record) => {
                let kernel = &launch.ready.kernel;
                let numbering = &launch.decisions.facts.numbering;
                Err(Fault::Program(status::decode(
                    &record,
                    source,
                    kernel,
                    numbering,
                    (&launch.site.place, launch.device),
                )))
            }
        }
    }

    /// Reads the results of the reduction items.
    pub(in crate::launch) fn results(
        &self,
        device: &dyn DynDevice,
        bytes: usize,
        into: &mut Vec<u8>,
    ) -> Result<(), DeviceError> {
        into.clear();
        if let Some(result) = &self.result {
            into.resize(bytes.max(16), 0);
            device.read_mailbox(result, into)?;
        }
        Ok(())
    }
}

fn zeroed(device: &dyn DynDevice, bytes: usize) -> Result<DynBuffer, DeviceError> {
    let mailbox = device.mailbox(bytes.into())?;
    device.write_mailbox(&mailbox, &vec![0; bytes])?;
    Ok(mailbox)
}

fn ticket(device: &dyn DynDevice) -> Result<DynBuffer, DeviceError> {
    let buffer = device.alloc(16usize.into())?;
    device.zero(&buffer, 0, 16)?;
    Ok(buffer)
}
