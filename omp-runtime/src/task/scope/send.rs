//! Updates as tasks, and the ends of target blocks: queued by the function's thread, or passed to another thread as a
//! staging job.
use super::state::{Body, Going};
use super::{Depends, TaskScope};
use crate::backend::erased::{DynEvent, DynQueue};
use crate::data::block::{Ending, FailureSeen, Last, User};
use crate::data::directive::Directive;
use crate::data::directive::region::Leaving;
use crate::data::directive::update::Plan;
use crate::error::Error;
use crate::observe::Why;
use crate::task::Touch;
use crate::task::guard::Used;
use crate::task::pool::mixed::Sent;
use std::sync::Arc;

impl TaskScope {
    /// Runs a `target_update!` as a task.
    pub fn update(&self, directive: &Directive<'_>, used: &[Used], depends: &Depends) {
        self.state.borrow_mut().started += 1;
        self.look();
        // Only what has values on the device comes from it.
        self.arrive(|state| state.going_on(used, true));
        if self.state.borrow_mut().refuses_whole(used, &[]) {
            return;
        }
        if let Err(error) = self.try_update(directive, used, depends) {
            self.failed(used, error);
        }
        self.goes_on(depends);
    }

    fn try_update(&self, directive: &Directive<'_>, used: &[Used], depends: &Depends) -> Result<(), Error> {
        depends.check(directive.place())?;
        let Some(plan) = directive.plan_update(used)? else { return Ok(()) };
        self.begin_update(plan, used, depends)
    }

    /// The end of a target block that is a task: its copies to the host are queued after its regions.
    pub fn close(&self, block: Leaving<'_>, used: &[Used], depends: &Depends) {
        let left = || match block.close()? {
            Some(plan) if !self.state.borrow_mut().refuses(used) => self.begin_update(plan, used, depends),
            _ => Ok(()),
        };
        if let Err(error) = left() {
            self.failed(used, error);
        }
        self.goes_on(depends);
    }

    fn begin_update(&self, mut plan: Plan, used: &[Used], depends: &Depends) -> Result<(), Error> {
        if plan.only_brings() && self.conflicts_with_host(used, depends) {
            self.update_after_host(plan, used, depends);
            return Ok(());
        }
        let touches: Vec<Touch> = plan.touches().into_iter().chain(depends.touches.iter().cloned()).collect();
        let why = || if plan.ends_block() { Why::Block } else { Why::Sends };
        if !self.leave_host(used, plan.place(), why) {
            return Ok(());
        }
        let waited = self.host_is_current(&touches);
        let (device, much) = (plan.device(), plan.sends_much());
        let (task, before) = self.order(&touches, much, std::iter::empty());
        if self.refuses(task, &waited, used, &[]) || self.refuses(task, &before, used, &[]) {
            return Ok(());
        }
        self.end_those(&before, true);
        let seen = FailureSeen::default();
        let queued = self.queue_for(device, &before, much).map_err(|error| plan.failed(error));
        let followed = queued.and_then(|(lane, queue)| Ok((plan.follow(&queue, self.id())?, lane, queue)));
        let begun = match followed {
            Ok((needs, lane, queue)) if much => {
                let going = self.lend(plan, queue, needs);
                let seen = Some(going.seen().clone());
                self.add(task, (Body::Going(going), 0, seen), (used, &[]), before, (device, lane));
                return Ok(());
            }
            // SAFETY: as in `begin`.
            Ok((needs, lane, queue)) => unsafe { plan.begin(&queue, needs, (self.id(), &seen)) }
                .map(|update| (Body::Update(Box::new(update)), lane)),
            Err(error) => Err(error),
        };
        match begun {
            Ok((body, lane)) => self.add(task, (body, 0, Some(seen)), (used, &[]), before, (device, lane)),
            Err(error) => {
                plan.missing(self.id(), &seen);
                self.forget(task, &before);
                self.failed_for(used, error, Some(seen));
            }
        }
        Ok(())
    }

    /// Has another thread queue an update that sends much. Those of a scope are queued one after the other.
    fn lend(&self, plan: Plan, queue: Arc<DynQueue>, needs: Vec<DynEvent>) -> Going {
        /// The thread that does the last one first does the earlier ones that were not begun.
        const MOST: usize = 16;
        self.arrive(|state| {
            let many = state.going.len().saturating_sub(MOST - 1);
            state.going[..many].to_vec()
        });
        let mut changed = Vec::new();
        plan.changed(|block, range| changed.push((Arc::clone(block), range)));
        let by = User { queue: queue.number(), scope: self.id(), guarded: true };
        let before = self.state.borrow_mut().lent.take();
        let (plan, needed) = (Sent(plan), needs.clone());
        let going = Going::new(move || {
            let mut plan = plan.take();
            if let Some(before) = before {
                before.finish();
            }
            // SAFETY: the guards hold the borrows until the task has ended, and no code writes what it sends: tasks that would
            // write it follow this one, and wait until it is queued; so does the host.
            let update = unsafe { plan.put(&queue, needed) };
            let last = update.as_ref().map(|update| update.last.clone()).map_err(Clone::clone);
            (Sent(update.map_err(|error| plan.failed(error))), last)
        });
        let ending =
            Ending { last: Last::Coming(Arc::new(going.clone())), needs, seen: going.seen().clone() };
        changed.iter().for_each(|(block, range)| block.used(*range, true, by, ending.clone()));
        self.state.borrow_mut().lent = Some(going.clone());
        going.send();
        going
    }
}
