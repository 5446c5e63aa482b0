//! The memory of a `DeviceSlice` without a device: host memory. Tasks on the host's threads keep it alive, and every other use
//! waits for them, on any thread.
use crate::data::array::HostArray;
use crate::error::Error;
use crate::launch::site::lock;
use crate::task::memory::{is_known, settle_all};
use crate::task::{HostTicket, Reach, Touch};
use crate::typing::Device;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Such memory, without the type of its elements.
#[derive(Debug)]
pub struct HostMemory {
    /// A task may be using it. It changes under the lock of `tasks`. If it is false, no further check is needed.
    used: AtomicBool,
    tasks: Mutex<Vec<HostTicket>>,
    /// The elements' memory. It does not move, and it is not accessed through this field.
    _kept: Box<dyn Any + Send + Sync>,
}

/// What keeps the memory of an array that is a `DeviceSlice`, or a view of one; `None` for views of the user's arrays.
pub(crate) type Owner = Option<Arc<HostMemory>>;

impl HostMemory {
    pub(in crate::data) fn new<T: Send + Sync + 'static>(values: Vec<T>) -> Self {
        Self { used: AtomicBool::new(false), tasks: Mutex::default(), _kept: Box::new(values) }
    }

    /// A task is to use it.
    pub(crate) fn used_by(&self, task: HostTicket) {
        let mut tasks = lock(&self.tasks);
        tasks.retain(|task| !task.has_ended());
        tasks.push(task);
        self.used.store(true, Ordering::Release);
    }

    /// Waits for the tasks on it that are meant.
    pub(crate) fn wait(&self, meant: impl Fn(&HostTicket) -> bool) {
        loop {
            let next = {
                let mut tasks = lock(&self.tasks);
                tasks.retain(|task| !task.has_ended());
                self.used.store(!tasks.is_empty(), Ordering::Release);
                tasks.iter().find(|task| meant(task)).cloned()
            };
            match next {
                Some(task) => task.wait(),
                None => return,
            }
        }
    }

    /// Waits for the tasks that use these addresses, before code that is no task uses them. `always`: failures are reported here, also if
    /// the functions of the tasks report them.
    pub(crate) fn settle(&self, (lo, hi): (u128, u128), writes: bool, always: bool) -> Result<(), Error> {
        if self.used.load(Ordering::Acquire) {
            self.wait(|_| true);
        } else if !is_known() {
            return Ok(());
        }
        settle_all(|| vec![Touch::new(Reach::Host, lo, hi, writes)], always)
    }
}

/// Elements that stand in the host's memory.
pub(super) struct OnHost<T> {
    pub first: *mut T,
    pub len: usize,
    pub memory: Arc<HostMemory>,
}

// SAFETY: it is the only access to a vector's elements, except by tasks, which are waited for before each use.
unsafe impl<T: Send> Send for OnHost<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for OnHost<T> {}

impl<T> OnHost<T> {
    pub fn settle(&self, writes: bool, always: bool) -> Result<(), Error> {
        settled(Some(&self.memory), self.first, self.len, writes, always)
    }

    pub fn array<'a>(&self, write: bool) -> HostArray<'a, T> {
        HostArray::of_slice(self.first, self.len, write, Some(Arc::clone(&self.memory)))
    }

    pub fn values(&self, always: bool) -> Result<&[T], Error> {
        self.settle(false, always)?;
        // SAFETY: the elements of a vector that `memory` keeps; no task that writes them is under way, and launching one takes `&mut`.
        Ok(unsafe { std::slice::from_raw_parts(self.first, self.len) })
    }

    pub fn values_mut(&mut self, always: bool) -> Result<&mut [T], Error> {
        self.settle(true, always)?;
        // SAFETY: as in `values`; no task is under way that uses them.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.first, self.len) })
    }
}

impl<T: Device> OnHost<T> {
    pub fn new(mut values: Vec<T>) -> Self {
        let (first, len) = (values.as_mut_ptr(), values.len());
        Self { first, len, memory: Arc::new(HostMemory::new(values)) }
    }
}

/// Before code that is no task uses host memory.
pub(super) fn settled<T>(
    memory: Option<&Arc<HostMemory>>,
    first: *const T,
    len: usize,
    writes: bool,
    always: bool,
) -> Result<(), Error> {
    let Some(memory) = memory else { return Ok(()) };
    let lo = first.addr() as u128;
    memory.settle((lo, lo + (len * size_of::<T>()) as u128), writes, always)
}
