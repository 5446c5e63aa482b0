//! `target_update!` and the end of a target block as tasks: transfers are queued at once; data from the device is stored in host
//! memory at the wait.
use super::Directive;
use super::region::Scope;
use super::work::{Held, Item, Work};
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynEvent, DynLanding, DynQueue};
use crate::data::array::RawArray;
use crate::data::block::{Block, Ending, FailureSeen, Last, User};
use crate::data::present::{Presence, range};
use crate::device::Dev;
use crate::error::{Error, Mapping, Place, Wanted};
use crate::launch::outcome::fault::{Fault, mapping};
use crate::observe::{self, DataEvent, Moved};
use crate::task::{Reach, Touch, Used};
use std::sync::Arc;

/// More bytes than this do not come at once.
const MUCH: usize = 16 << 20;

/// So many bytes to a device the function's thread need not wait for: that takes longer than to wake another one. (In tests few
/// take that way.)
const LONG: u128 = if cfg!(test) { 20 } else { 8 << 20 };

/// An update whose data was found.
#[derive(Debug)]
pub(crate) struct Plan {
    place: &'static Place,
    device: &'static Dev,
    items: Vec<Item>,
    held: Vec<Held>,
    /// By item: the host addresses of what is to be copied.
    pieces: Vec<Vec<(u128, u128)>>,
    /// The target block that it ends.
    scope: Option<Arc<Scope>>,
}

/// An update under way.
#[derive(Debug)]
pub(crate) struct Update {
    place: &'static Place,
    device: &'static Dev,
    arrivals: Vec<Arrival>,
    pub last: DynEvent,
    /// Those of other functions' tasks that have to go well.
    needs: Vec<DynEvent>,
    scope: Option<Arc<Scope>>,
}

/// Bytes on their way to the host.
#[derive(Debug)]
struct Arrival {
    variable: &'static str,
    elements: (u64, u64),
    array: RawArray,
    at: (u128, u128),
    landing: DynLanding,
    /// The number of the queue.
    queue: u32,
}

impl Directive<'_> {
    /// Looks for the data of an update, which it then reaches through these guards. `None` on the host.
    pub(crate) fn plan_update(&self, used: &[Used]) -> Result<Option<Plan>, Error> {
        let mut items = self.checked()?;
        let Some(device) = self.select()? else { return Ok(None) };
        self.check_shared(device)?;
        let place = self.place();
        for item in &mut items {
            let reached = used.iter().any(|u| item.mapped.array.rooted(u.root, u.bytes));
            debug_assert!(reached || item.mapped.array.is_empty(), "an update's data has a guard");
        }
        let moved = Moved::default();
        let work = Work { place, device, items: &items, moved: &moved };
        let held = work.find_all(Wanted::Update)?;
        let pieces = items.iter().map(|item| work.pieces(item)).collect::<Result<_, _>>()?;
        Ok(Some(Plan { place, device, items, held, pieces, scope: None }))
    }
}

impl Plan {
    /// What a target block brings back.
    pub(in crate::data) fn back(
        place: &'static Place,
        device: &'static Dev,
        back: Vec<(Item, Presence)>,
        scope: &Arc<Scope>,
    ) -> Self {
        let pieces = back.iter().map(|(item, _)| vec![range(&item.mapped)]).collect();
        let (items, held) = back.into_iter().map(|(item, presence)| (item, Some(presence))).unzip();
        Self { place, device, items, held, pieces, scope: Some(Arc::clone(scope)) }
    }

    /// Of the directive.
    pub fn place(&self) -> &'static Place {
        self.place
    }

    /// Whether it is the end of a target block.
    pub fn ends_block(&self) -> bool {
        self.scope.is_some()
    }

    /// The device that it goes to.
    pub fn device(&self) -> &'static Dev {
        self.device
    }

    /// Each piece with its item, where it is present, and whether it goes to the host. Only what has values there does.
    fn parts(&self) -> impl Iterator<Item = (&Item, &Presence, (u128, u128))> {
        let items = self.items.iter().zip(&self.held).zip(&self.pieces);
        items.filter_map(|((item, held), pieces)| Some((item, held.as_ref()?, pieces))).flat_map(
            |(item, presence, pieces)| {
                let back = item.map.ty.brings_back();
                let parts = pieces.iter().flat_map(move |(lo, hi)| {
                    presence.entries().flat_map(move |entry| {
                        if back { entry.filled(*lo, *hi) } else { vec![entry.clip(*lo, *hi)] }
                    })
                });
                parts.filter(|(lo, hi)| lo < hi).map(move |part| (item, presence, part))
            },
        )
    }

    fn touches_of<'a>(
        &'a self,
        parts: impl Iterator<Item = (&'a Item, &'a Presence, (u128, u128))>,
    ) -> Vec<Touch> {
        let both = |(item, presence, (lo, hi)): (&Item, &Presence, (u128, u128))| {
            let back = item.map.ty.brings_back();
            let own = self.scope.as_ref().and_then(|scope| scope.owns(presence));
            [Touch::on_device(self.device.id, own, (lo, hi), !back), Touch::new(Reach::Host, lo, hi, back)]
        };
        parts.flat_map(both).collect()
    }

    /// What it reads and writes.
    pub fn touches(&self) -> Vec<Touch> {
        self.touches_of(self.parts())
    }

    /// What it may read and write when all that it follows has ended: by then more may have values on the device.
    pub fn touches_later(&self) -> Vec<Touch> {
        let items = self.items.iter().zip(&self.held).zip(&self.pieces);
        let parts = items.filter_map(|((item, held), pieces)| Some((item, held.as_ref()?, pieces)));
        self.touches_of(parts.flat_map(|(item, held, pieces)| pieces.iter().map(move |at| (item, held, *at))))
    }

    /// Whether it only sends, and so much that another thread may have begun before that is over.
    pub fn sends_much(&self) -> bool {
        let mut sent = 0;
        for (item, _, (lo, hi)) in self.parts() {
            if item.map.ty.brings_back() {
                return false;
            }
            sent += hi - lo;
        }
        sent >= LONG
    }

    /// Has the queue follow tasks of others on its memory; gives the ends of those that have to go well.
    pub fn follow(&self, queue: &DynQueue, scope: usize) -> Result<Vec<DynEvent>, Error> {
        let by = User { queue: queue.number(), scope, guarded: true };
        let mut needs = Vec::new();
        for (item, presence, at) in self.parts() {
            let before = presence.block().before(at, !item.map.ty.brings_back(), by);
            let followed = before.and_then(|before| {
                needs.extend(before.needs);
                before.follows.iter().try_for_each(|last| queue.follow(last))
            });
            followed.map_err(|e| self.failed(e))?;
        }
        Ok(needs)
    }

    /// What it changes on the device.
    pub fn changed(&self, mut report: impl FnMut(&Arc<Block>, (u128, u128))) {
        let sent = self.parts().filter(|(item, ..)| !item.map.ty.brings_back());
        sent.for_each(|(_, presence, at)| report(presence.block(), at));
    }

    /// Whether it changes nothing on the device, and is not the end of a target block. What one sends has to be queued when others are
    /// given the array, which they may read on the device without a wait.
    pub fn only_brings(&self) -> bool {
        self.scope.is_none() && self.items.iter().all(|item| item.map.ty.brings_back())
    }

    /// It was not queued: what it would have changed on the device is not what others count on.
    pub fn missing(&self, scope: usize, seen: &FailureSeen) {
        let by = User { queue: 0, scope, guarded: true };
        let reason = format!("the update at {}:{} could not be queued", self.place.file, self.place.line);
        let last = Last::Failed(DeviceError::Transfer { reason });
        let ending = Ending { last, needs: Vec::new(), seen: seen.clone() };
        self.changed(|block, at| block.used(at, true, by, ending.clone()));
    }

    /// Queues it after what it follows and `needs` ([`Self::follow`]).
    ///
    /// # Safety
    /// The borrows of the arrays last until it has ended ([`Update::end`]), and no other code writes elements that it
    /// copies to the device until the call returns.
    pub unsafe fn begin(
        &mut self,
        queue: &DynQueue,
        needs: Vec<DynEvent>,
        (scope, seen): (usize, &FailureSeen),
    ) -> Result<Update, Error> {
        // SAFETY: by the caller.
        let update = unsafe { self.put(queue, needs) }.map_err(|e| self.failed(e))?;
        let by = User { queue: queue.number(), scope, guarded: true };
        let ending = Ending::queued(&update.last, &update.needs, seen);
        self.changed(|block, at| block.used(at, true, by, ending.clone()));
        Ok(update)
    }

    /// Queues it after what it follows and `needs`. After a failure nothing of it is under way.
    ///
    /// # Safety
    /// As for [`Self::begin`].
    pub unsafe fn put(&mut self, queue: &DynQueue, needs: Vec<DynEvent>) -> Result<Update, DeviceError> {
        // SAFETY: by the caller.
        unsafe { self.put_all(queue, needs) }.inspect_err(|_| {
            // The part of the update that was queued may still run.
            let _ = queue.record(false).and_then(|event| event.wait());
        })
    }

    /// # Safety
    /// As for [`Self::begin`].
    unsafe fn put_all(&mut self, queue: &DynQueue, needs: Vec<DynEvent>) -> Result<Update, DeviceError> {
        let mut arrivals = Vec::new();
        for (item, presence, at) in self.parts() {
            let (block, (lo, hi), queue_number) = (presence.block(), at, queue.number());
            let array = item.mapped.array;
            if item.map.ty.brings_back() {
                let bytes = (hi - lo) as usize;
                let landing = queue.download(&block.buffer, block.offset(lo), bytes)?;
                let (variable, elements) = (item.variable, item.mapped.section);
                arrivals.push(Arrival { variable, elements, array, at, landing, queue: queue_number });
            } else {
                let start = observe::clock();
                // SAFETY: by the caller.
                let host = unsafe { array.bytes_at(lo, hi) };
                queue.upload(&block.buffer, block.offset(lo), host)?;
                presence.entries().for_each(|entry| entry.fill(lo, hi));
                let bytes = host.len() as u64;
                let array = || Mapping { bytes, ..mapping(item.variable, &item.mapped) };
                observe::data_in(DataEvent::ToDevice, self.place, (self.device, queue_number), start, array);
            }
        }
        let last = queue.record(false)?;
        Ok(Update { place: self.place, device: self.device, arrivals, last, needs, scope: self.scope.take() })
    }

    /// An error of the device's.
    pub fn failed(&self, error: DeviceError) -> Error {
        error_of(self.place, self.device, error)
    }
}

fn error_of(place: &'static Place, device: &Dev, error: DeviceError) -> Error {
    if let DeviceError::Lost { reason } = &error {
        device.lose(reason);
    }
    let error = Fault::Device { error, array: None, source: None }.into_error(place, device, &[], &[]);
    observe::failed(place, || error.clone());
    error
}

impl Update {
    /// Of the directive.
    pub fn place(&self) -> &'static Place {
        self.place
    }

    /// Whether it copies arriving values to their place during the transfer, so that no caller has to wait for the end first.
    pub fn takes_long(&self) -> bool {
        self.arrivals.iter().any(|arrival| arrival.landing.bytes() > MUCH)
    }

    /// Waits for it and takes what it brings to the host, unless it is `void`.
    ///
    /// # Safety
    /// The borrows of the arrays last until the call returns, and no other code accesses elements that are brought back.
    pub unsafe fn end(self, void: bool) -> Result<(), Error> {
        // Much is copied on as it arrives.
        let much = !void && self.takes_long();
        let Self { place, device, arrivals, last, needs, scope } = self;
        if !much {
            last.wait().map_err(|e| error_of(place, device, e))?;
        }
        // They have ended where this one has, or before what it brings arrives.
        needs.iter().try_for_each(DynEvent::wait).map_err(|e| error_of(place, device, e))?;
        for Arrival { variable, elements, array, at: (lo, hi), landing, queue } in arrivals {
            if void {
                continue;
            }
            // Before the host could do other work: it was being copied before.
            let start = observe::clock();
            // SAFETY: by the caller; what is on the device is valid: the host's values, or what kernels wrote.
            let host = unsafe { array.bytes_at_mut(lo, hi) };
            let bytes = host.len() as u64;
            landing.read(0, host).map_err(|e| error_of(place, device, e))?;
            if let Some(scope) = &scope {
                scope.totals.brought_back(bytes);
            }
            let array = || Mapping { variable: variable.to_owned(), elements, bytes };
            observe::data_in(DataEvent::FromDevice, place, (device, queue), start, array);
        }
        if much { last.wait().map_err(|e| error_of(place, device, e)) } else { Ok(()) }
    }
}
