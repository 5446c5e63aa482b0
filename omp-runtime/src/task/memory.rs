//! Memory without guards: `DeviceSlice`s, and views of present data.
//!
//! Tasks on it are ordered by events, whichever functions launch them. But only the scope of the launching function knows which
//! tasks failed. So this module finds the scopes of a thread that have tasks on such memory. A use of the memory by anything but
//! a task of the scope ends the scope's tasks on it, and gets their failures.
use super::scope::TaskScope;
use super::{Reach, Touch};
use crate::data::HostArray;
use crate::error::Error;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The memory without guards that the loops of a target block write, in case that they do not run.
#[derive(Debug, Default)]
pub struct LostMemory(pub(super) Vec<Touch>);

impl LostMemory {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An array of it.
    pub fn array<T>(&mut self, array: &HostArray<'_, T>) {
        if let Some((device, _)) = array.memory() {
            let raw = array.raw();
            let all = (raw.address(0), raw.address(raw.len() as u64));
            self.0.push(Touch::on_device(device.id, None, all, true));
        }
        if array.slice_owner().is_some() {
            let raw = array.raw();
            self.0.push(Touch::new(Reach::Host, raw.address(0), raw.address(raw.len() as u64), true));
        }
    }
}

thread_local! {
    /// The last one is the innermost.
    static SCOPES: RefCell<Vec<Rc<TaskScope>>> = const { RefCell::new(Vec::new()) };
    /// How many they are, for a quick check.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// A scope is about to have tasks on such memory.
pub(super) fn know(scope: &Rc<TaskScope>) {
    if !scope.known.replace(true) {
        SCOPES.with_borrow_mut(|scopes| scopes.push(Rc::clone(scope)));
        COUNT.set(COUNT.get() + 1);
    }
}

/// A scope ends.
pub(super) fn forget(scope: &Rc<TaskScope>) {
    if scope.known.replace(false) {
        COUNT.set(COUNT.get().saturating_sub(1));
        let _ = SCOPES.try_with(|scopes| scopes.borrow_mut().retain(|s| !Rc::ptr_eq(s, scope)));
    }
}

/// Whether a function of this thread has tasks on such memory, or had.
pub(crate) fn is_known() -> bool {
    COUNT.get() > 0
}

fn known() -> Vec<Rc<TaskScope>> {
    SCOPES.try_with(|scopes| scopes.borrow().clone()).unwrap_or_default()
}

/// Before a task of this scope uses such memory: ends the tasks of others on it.
///
/// # Errors
/// The errors of these tasks.
pub(super) fn settle(own: &TaskScope, memory: &[Touch]) -> Result<(), Error> {
    // Mostly there are none.
    if COUNT.get() == usize::from(own.known.get()) {
        return Ok(());
    }
    let others = known().into_iter().filter(|scope| !std::ptr::eq(&raw const **scope, own));
    others.rev().try_for_each(|scope| scope.settle_memory(memory, true))
}

/// Before code that is no task uses such memory: ends the tasks on it.
///
/// # Errors
/// The errors of these tasks. Without `always`, errors that a function returns as a `Result` are not reported here.
pub(crate) fn settle_all(memory: impl FnOnce() -> Vec<Touch>, always: bool) -> Result<(), Error> {
    if !is_known() {
        return Ok(());
    }
    let memory = memory();
    known().iter().rev().try_for_each(|scope| scope.settle_memory(&memory, always))
}

impl TaskScope {
    fn settle_memory(&self, memory: &[Touch], always: bool) -> Result<(), Error> {
        if !self.busy.get() {
            return Ok(());
        }
        let before = self.state.borrow().using_memory(memory);
        self.end(before);
        if self.try_ && !always {
            return Ok(());
        }
        let failure = self.state.borrow().failure_of(memory);
        failure.map_or(Ok(()), |number| self.take(|f| f.number == number))
    }
}
