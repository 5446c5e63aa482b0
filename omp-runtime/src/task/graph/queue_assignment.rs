//! Queue assignment: the queue that a task goes to.
//!
//! A task goes to the queue of its predecessor if no other task follows that one there; that needs no event. Other tasks take an
//! idle queue, a new one, or the queues round-robin.
use super::TaskId;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynEvent, DynQueue};
use crate::device::Dev;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// Queues of one device: enough for copies in both directions concurrent with kernels.
const MOST: usize = 4;

/// An event that tasks of a queue share: it is recorded after all of them when it is first needed, for an event costs as
/// much as a tenth of a launch.
#[derive(Debug)]
pub(in crate::task) struct Mark {
    queue: Arc<DynQueue>,
    event: OnceCell<DynEvent>,
}

impl Mark {
    fn new(queue: Arc<DynQueue>) -> Rc<Self> {
        Rc::new(Self { queue, event: OnceCell::new() })
    }

    /// The event. No task joins from now on.
    pub fn event(&self) -> Result<&DynEvent, DeviceError> {
        if let Some(event) = self.event.get() {
            return Ok(event);
        }
        let event = self.queue.record(false)?;
        Ok(self.event.get_or_init(|| event))
    }
}

#[derive(Debug)]
struct Lane {
    queue: Arc<DynQueue>,
    /// Of those that were queued last.
    mark: Rc<Mark>,
    /// The task that was queued last.
    last: Option<TaskId>,
    /// Another thread queues it.
    lent: bool,
}

/// The queues that a scope uses.
#[derive(Debug, Default)]
pub(in crate::task) struct QueueAssignment {
    devices: Vec<(usize, Vec<Lane>)>,
    turn: usize,
}

impl QueueAssignment {
    /// A queue for a task that follows `before`, and its number among those of the device. `lent`: another thread will queue it;
    /// such keep to themselves where they can, as what is in their way they copy twice.
    pub fn choose(
        &mut self,
        device: &Dev,
        before: &[TaskId],
        is_under_way: impl Fn(TaskId) -> bool,
        lent: bool,
    ) -> Result<(usize, Arc<DynQueue>), DeviceError> {
        let at = match self.devices.iter().position(|(id, _)| *id == device.id) {
            Some(at) => at,
            None => {
                self.devices.push((device.id, Vec::new()));
                self.devices.len() - 1
            }
        };
        let lanes = &mut self.devices[at].1;
        let follows = before.iter().find_map(|b| lanes.iter().position(|lane| lane.last == Some(*b)));
        let idle = || lanes.iter().position(|lane| lane.last.is_none_or(|last| !is_under_way(last)));
        let lane = match follows.or_else(idle) {
            Some(lane) => lane,
            None if lanes.len() < MOST => {
                let queue = Arc::new(device.handle.queue()?);
                lanes.push(Lane { mark: Mark::new(Arc::clone(&queue)), queue, last: None, lent: false });
                lanes.len() - 1
            }
            None => {
                let mut turns = (1..=MOST).map(|step| (self.turn + step) % MOST);
                self.turn = turns.find(|lane| lanes[*lane].lent == lent).unwrap_or((self.turn + 1) % MOST);
                self.turn
            }
        };
        Ok((lane, Arc::clone(&lanes[lane].queue)))
    }

    /// Another thread queues a task there. Others may come between its parts; tasks that follow it wait until it is queued.
    pub fn lent(&mut self, device: &Dev, lane: usize, task: TaskId) {
        if let Some((_, lanes)) = self.devices.iter_mut().find(|(id, _)| *id == device.id) {
            (lanes[lane].last, lanes[lane].lent) = (Some(task), true);
        }
    }

    /// A task was queued there, with an event of its own after it or without. Gives the mark that it shares if without.
    pub fn queued(
        &mut self,
        device: &Dev,
        lane: usize,
        task: TaskId,
        own: Option<&DynEvent>,
    ) -> Option<Rc<Mark>> {
        let (_, lanes) = self.devices.iter_mut().find(|(id, _)| *id == device.id)?;
        let lane = &mut lanes[lane];
        (lane.last, lane.lent) = (Some(task), false);
        if let Some(event) = own {
            // The event follows the earlier tasks as well: they need not wait for later ones.
            let _ = lane.mark.event.set(event.clone());
            return None;
        }
        if lane.mark.event.get().is_some() {
            lane.mark = Mark::new(Arc::clone(&lane.queue));
        }
        Some(Rc::clone(&lane.mark))
    }
}
