//! The contract of queues: work that runs concurrently with the host and with other queues.
//!
//! A device has a default queue, through which all of [`Device`](super::api::Device)'s own methods go, and gives out
//! further ones ([`Device::queue`](super::api::Device::queue)), which return to a pool when they are dropped.
//!
//! * A queue does its work in order. Two queues are ordered only by [`Queue::follow`] and by this rule: work of a queue comes after
//!   everything that was in the *default* queue when it was queued. The default queue comes after a queue's work only if the host
//!   has waited for that work ([`Event::wait`]).
//! * Host memory is accessed during the calls only. [`Queue::upload`] has copied the bytes when it returns;
//!   [`Queue::download`] brings them into a [`Landing`], which the host reads.
//! * Buffers, kernels, events, landings and queues may be dropped at any time: what queued work needs is kept, and
//!   memory (also of mailboxes) is reused only after the work of all queues that were given it.
//! * A method that fails has queued nothing, or has returned [`DeviceError::Lost`]. A failure of queued work appears at the
//!   first event that is recorded after it in its queue. Work after such an event runs all the same, on whatever its buffers
//!   contain.
//!
//! Every method may be called from any thread. Calls on one queue by two threads at a time are in one of the possible orders.
use super::api::{ArgValue, DeviceError};
use omp_kernels::schedule::Geometry;
use std::mem::MaybeUninit;
use std::time::Duration;

/// Work in order.
pub trait Queue: Send + Sync + 'static {
    /// Device memory.
    type Buffer: Send + Sync + 'static;
    /// A loaded kernel.
    type Kernel: Send + Sync + 'static;
    /// A place in the queue.
    type Event: Event;
    /// Bytes that are on their way to the host.
    type Landing: Landing;

    /// Which of the device's queues it is; the default queue is 0.
    fn number(&self) -> u32;

    /// As [`Device::packs`](super::api::Device::packs).
    fn packs(&self) -> bool {
        true
    }

    /// As [`Device::alloc`](super::api::Device::alloc), for memory that is used in this queue first; other queues may
    /// use it if they follow.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] after cached memory was given back.
    fn alloc(&self, bytes: usize) -> Result<Self::Buffer, DeviceError>;

    /// Queues a copy from the host. When it returns, `from` may change.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn upload(&self, to: &Self::Buffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError>;

    /// Queues a copy to the host.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn download(
        &self,
        from: &Self::Buffer,
        offset: usize,
        bytes: usize,
    ) -> Result<Self::Landing, DeviceError>;

    /// Queues the setting of bytes to zero.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn zero(&self, to: &Self::Buffer, offset: usize, bytes: usize) -> Result<(), DeviceError>;

    /// Queues a copy within the device's memory, between different buffers.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn copy(
        &self,
        to: (&Self::Buffer, usize),
        from: (&Self::Buffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError>;

    /// Queues a kernel.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn launch(
        &self,
        kernel: &Self::Kernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, Self::Buffer>],
    ) -> Result<(), DeviceError>;

    /// An event that is reached when everything queued so far has ended. `timed` ones have a time ([`Event::since`]), if the
    /// device can, and may cost more.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn record(&self, timed: bool) -> Result<Self::Event, DeviceError>;

    /// Makes later work of the queue wait until the event is reached. The host does not wait.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn follow(&self, event: &Self::Event) -> Result<(), DeviceError>;
}

/// A place in a queue.
pub trait Event: Send + Sync + 'static {
    /// Waits until it is reached.
    ///
    /// # Errors
    /// [`DeviceError::Launch`], [`DeviceError::Transfer`] or [`DeviceError::Lost`] when work failed that was queued
    /// between the event before it in its queue and this one.
    fn wait(&self) -> Result<(), DeviceError>;

    /// Whether it is reached, without waiting. Polling makes progress: repeated calls return `true` at some time.
    ///
    /// # Errors
    /// As [`Self::wait`].
    fn is_reached(&self) -> Result<bool, DeviceError>;

    /// Device time between two timed events that were reached, if the device knows.
    fn since(&self, earlier: &Self) -> Option<Duration>;
}

/// Bytes that are on their way to the host, in memory of the device's.
pub trait Landing: Send + Sync + 'static {
    /// How many.
    fn bytes(&self) -> usize;

    /// Waits until they are there and copies those from `offset` on to the host's memory.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`] or [`DeviceError::Lost`]; `to` is then partly written. Also if there are not so many.
    fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError>;
}

/// Whether a landing of so many bytes has the requested ones.
pub(super) fn have_landed(bytes: usize, offset: usize, wanted: usize) -> Result<(), DeviceError> {
    if offset.checked_add(wanted).is_some_and(|end| end <= bytes) {
        return Ok(());
    }
    Err(DeviceError::Transfer { reason: format!("bytes {offset}..+{wanted} of a landing of {bytes}") })
}
