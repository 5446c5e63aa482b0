//! Results of a task: the copies to the host are queued with the task, and read when it has ended.
use super::{Environment, Event, EventKind, MappingError, Memory, Wanted};
use crate::backend::erased::{DynLanding, DynQueue};
use crate::data::section::Mapped;
use crate::observe::Moves;
use std::sync::Arc;

/// Elements of an array on their way back to the host.
#[derive(Debug)]
pub struct Arrival {
    array: usize,
    elements: (u64, u64),
    /// Where they begin in the landing.
    at: usize,
    landing: Arc<DynLanding>,
}

impl Arrival {
    /// How many bytes are kept for it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.landing.bytes()
    }
}

impl Environment {
    /// Queues the copies of what the region brings back.
    ///
    /// # Errors
    /// What failed first.
    pub fn send_back(&mut self, queue: &DynQueue, wanted: &Wanted<'_>) -> Result<Vec<Arrival>, MappingError> {
        let mut arrivals = Vec::new();
        let mut packed: Option<Arc<DynLanding>> = None;
        for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
            for &(lo, hi) in movement.download.iter().filter(|_| mapped.array.is_writable()) {
                let bytes = mapped.array.bytes_of(lo, hi);
                let fault = |error| MappingError { array, error };
                let offset = self.offset(array, mapped, lo);
                let (at, landing) = match (&self.memory[array], &self.pack) {
                    (Memory::Packed(..), Some(pack)) => {
                        let back = pack.back();
                        let landing = match packed.take() {
                            Some(landing) => landing,
                            None => {
                                Arc::new(queue.download(&pack.buffer, back.start, back.len()).map_err(fault)?)
                            }
                        };
                        packed = Some(Arc::clone(&landing));
                        (offset - back.start, landing)
                    }
                    _ => {
                        let landing = queue.download(self.buffer(array), offset, bytes).map_err(fault)?;
                        (0, Arc::new(landing))
                    }
                };
                arrivals.push(Arrival { array, elements: (lo, hi), at, landing });
            }
        }
        Ok(arrivals)
    }

    /// Takes what was queued to come back.
    ///
    /// # Errors
    /// What failed first; arrays before it have their new values.
    ///
    /// # Safety
    /// As for [`Self::bring_back`].
    pub unsafe fn land(
        &mut self,
        arrays: &[Mapped],
        arrivals: &[Arrival],
        moves: &mut Moves,
    ) -> Result<(), MappingError> {
        for Arrival { array, elements: (lo, hi), at, landing } in arrivals {
            // SAFETY: the caller holds the borrow alone, and the values are valid.
            let host = unsafe { arrays[*array].array.bytes_mut(*lo, *hi) };
            let bytes = host.len() as u64;
            landing.read(*at, host).map_err(|error| MappingError { array: *array, error })?;
            self.bytes_from_device += bytes;
            moves.record(&Event { array: *array, kind: EventKind::Download, elements: (*lo, *hi), bytes });
        }
        Ok(())
    }
}
