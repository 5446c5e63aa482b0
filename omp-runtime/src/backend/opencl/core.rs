//! The state of a device in use: context, queue, memory pool, and the events of its last kernels.
use super::discover::Capabilities;
use super::handles::{Context, Event, Mem, Queue};
use super::program::{OpenClKernel, Recent};
use super::queue::{Lane, barrier, marker};
use super::status::Fault;
use crate::backend::api::{ArgValue, DeviceError, DeviceFacts};
use crate::backend::count::Count;
use crate::backend::pool::{Pool, capacity_for, least_for};
use omp_kernels::schedule::Geometry;
use opencl3::command_queue::{
    CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PROPERTIES, create_command_queue,
    create_command_queue_with_properties, enqueue_fill_buffer, enqueue_nd_range_kernel, enqueue_read_buffer,
    enqueue_write_buffer, finish,
};
use opencl3::context::context::create_context;
use opencl3::event::{
    CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_START,
    get_event_info, get_event_profiling_info,
};
use opencl3::kernel::set_kernel_arg;
use opencl3::memory::{
    CL_BUFFER_CREATE_TYPE_REGION, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE, cl_buffer_region, create_buffer,
    create_sub_buffer,
};
use opencl3::types::{CL_BLOCKING, cl_command_queue, cl_device_id, cl_mem};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// Share of the device's memory that the pool may keep.
const POOLED_SHARE: u64 = 8;

/// Threads whose last kernel is remembered.
const REMEMBERED: usize = 64;

/// A device in use. Fields are dropped in order: what belongs to the context before the context.
#[derive(Debug)]
pub(super) struct Core {
    pool: Mutex<Pool<Block>>,
    pub(super) lanes: Mutex<Vec<Arc<Lane>>>,
    /// The one that is lent next.
    pub(super) turn: AtomicUsize,
    last: Mutex<Vec<(ThreadId, Event)>>,
    pub(super) recent: Mutex<Option<Recent>>,
    queue: Queue,
    /// The default queue's work.
    pub(super) default: Count,
    pub(super) context: Context,
    pub(super) device: cl_device_id,
    memory: u64,
    max_alloc: u64,
    /// Bytes in buffers that are in use.
    in_use: AtomicU64,
}

// SAFETY: `device` is a handle that lives as long as its platform; the other fields are `Send` and `Sync`.
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

/// Free memory, and the work that has to end before it is used in a queue that is not ordered after that work.
#[derive(Debug)]
struct Block {
    mem: Mem,
    after: Vec<Arc<Event>>,
}

/// Device memory of an OpenCL device.
#[derive(Debug)]
pub struct OpenClBuffer {
    /// Always there until `drop`.
    mem: Option<Mem>,
    bytes: usize,
    capacity: usize,
    /// Which queues other than the default one have used it, by bits.
    pub(super) used: AtomicU64,
    core: Arc<Core>,
}

impl Drop for OpenClBuffer {
    fn drop(&mut self) {
        self.core.in_use.fetch_sub(self.capacity as u64, Ordering::Relaxed);
        // Memory without a marker is not reused: the OpenCL runtime keeps it until queued work has ended.
        if let (Some(mem), Ok(after)) = (self.mem.take(), self.users()) {
            let gone = lock(&self.core.pool).put(self.capacity, Block { mem, after });
            drop(gone);
        }
    }
}

impl OpenClBuffer {
    /// The places in other queues after which nothing uses it.
    fn users(&self) -> Result<Vec<Arc<Event>>, Fault> {
        let used = self.used.load(Ordering::Relaxed);
        if used == 0 {
            return Ok(Vec::new());
        }
        let lanes: Vec<_> = {
            let lanes = lock(&self.core.lanes);
            lanes
                .iter()
                .enumerate()
                .filter(|(slot, _)| used >> slot & 1 == 1)
                .map(|(_, l)| l.clone())
                .collect()
        };
        lanes.iter().map(|lane| lane.marker().map(Arc::new)).collect()
    }

    pub(super) fn raw(&self) -> cl_mem {
        self.mem.as_ref().map_or(ptr::null_mut(), |mem| mem.0)
    }

    /// A part as a buffer of its own.
    fn part(&self, offset: usize, bytes: usize) -> Result<Mem, DeviceError> {
        self.check(offset, bytes)?;
        let region = cl_buffer_region { origin: offset, size: bytes };
        let region = (&raw const region).cast();
        // SAFETY: a live buffer, and a range inside it.
        let part =
            unsafe { create_sub_buffer(self.raw(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, region) };
        part.map(Mem).map_err(|s| Fault(s).launch("clCreateSubBuffer"))
    }

    pub(super) fn check(&self, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        if offset.checked_add(bytes).is_some_and(|end| end <= self.bytes) {
            return Ok(());
        }
        let reason = format!("bytes {offset}..+{bytes} of a buffer of {}", self.bytes);
        Err(DeviceError::Transfer { reason })
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Core {
    pub(super) fn new(
        device: cl_device_id,
        facts: &DeviceFacts,
        can: &Capabilities,
    ) -> Result<Self, DeviceError> {
        let lost = |what: &str, status| DeviceError::Lost { reason: format!("{what}: {}", Fault(status)) };
        let context = create_context(&[device], ptr::null(), None, ptr::null_mut())
            .map(Context)
            .map_err(|s| lost("clCreateContext", s))?;
        let queue = new_queue(&context, device, can).map_err(|f| lost("clCreateCommandQueue", f.0))?;
        let limit = usize::try_from(facts.memory / POOLED_SHARE).unwrap_or(usize::MAX);
        Ok(Self {
            pool: Mutex::new(Pool::new(limit)),
            lanes: Mutex::default(),
            turn: AtomicUsize::new(0),
            default: Count::default(),
            last: Mutex::new(Vec::new()),
            recent: Mutex::new(None),
            queue,
            context,
            device,
            memory: facts.memory,
            max_alloc: facts.max_alloc,
            in_use: AtomicU64::new(0),
        })
    }

    /// Free bytes by the backend's own use, and bytes in all.
    pub(super) fn memory(&self) -> (u64, u64) {
        (self.memory.saturating_sub(self.in_use.load(Ordering::Relaxed)), self.memory)
    }

    pub(super) fn new_queue(&self, can: &Capabilities) -> Result<Queue, Fault> {
        new_queue(&self.context, self.device, can)
    }

    /// A marker after all that was queued in the default queue.
    pub(super) fn default_marker(&self) -> Result<Event, Fault> {
        marker(self.queue.0)
    }

    /// Memory that is used in the default queue first.
    pub(super) fn alloc_default(
        self: &Arc<Self>,
        bytes: usize,
        host: bool,
    ) -> Result<OpenClBuffer, DeviceError> {
        self.alloc(bytes, host, self.queue.0, 0)
    }

    /// Memory that is used in `queue` first, whose bit `used` is. The queue comes after the memory's users of before, and
    /// others must not come before it: even if nothing is done with the buffer.
    pub(super) fn alloc(
        self: &Arc<Self>,
        bytes: usize,
        host: bool,
        queue: cl_command_queue,
        used: u64,
    ) -> Result<OpenClBuffer, DeviceError> {
        let wrap = |capacity: usize, mem: Mem| {
            self.in_use.fetch_add(capacity as u64, Ordering::Relaxed);
            let used = AtomicU64::new(used);
            OpenClBuffer { mem: Some(mem), bytes, capacity, used, core: self.clone() }
        };
        let exhausted = || DeviceError::OutOfMemory { requested: bytes as u64, free: self.memory().0 };
        if bytes as u64 > self.max_alloc {
            return Err(exhausted());
        }
        let pooled = lock(&self.pool).take_if(bytes, |_| true);
        if let Some((capacity, Block { mem, after })) = pooled {
            barrier(queue, &after).map_err(|fault| fault.transfer("clEnqueueBarrierWithWaitList"))?;
            if used == 0 && !after.is_empty() {
                // Other queues come after this barrier, even if the default queue does nothing with the buffer.
                self.default.add();
            }
            return Ok(wrap(capacity, mem));
        }
        let capacity =
            if capacity_for(bytes) as u64 > self.max_alloc { least_for(bytes) } else { capacity_for(bytes) };
        let flags = CL_MEM_READ_WRITE | if host { CL_MEM_ALLOC_HOST_PTR } else { 0 };
        // SAFETY: no host pointer is given.
        let create = |size| unsafe { create_buffer(self.context.0, flags, size, ptr::null_mut()) };
        match create(capacity) {
            Ok(mem) => Ok(wrap(capacity, Mem(mem))),
            Err(status) if Fault(status).no_memory() => {
                let cached = lock(&self.pool).drain();
                let _ = finish(self.queue.0);
                let lanes = lock(&self.lanes).clone();
                for lane in &lanes {
                    let _ = finish(lane.raw());
                }
                drop(cached);
                let least = least_for(bytes);
                create(least).map(|mem| wrap(least, Mem(mem))).map_err(|_| exhausted())
            }
            Err(status) => Err(Fault(status).transfer("clCreateBuffer")),
        }
    }

    pub(super) fn upload(
        &self,
        to: &OpenClBuffer,
        offset: usize,
        from: &[MaybeUninit<u8>],
    ) -> Result<(), DeviceError> {
        to.check(offset, from.len())?;
        if from.is_empty() {
            return Ok(());
        }
        let source = from.as_ptr().cast_mut().cast::<c_void>();
        let queued = self.default.queued();
        // SAFETY: the range lies in the buffer; the call blocks until the slice is read; padding is copied as bytes.
        let written = unsafe {
            let (queue, mem) = (self.queue.0, to.raw());
            enqueue_write_buffer(queue, mem, CL_BLOCKING, offset, from.len(), source, 0, ptr::null())
        };
        written.map(|event| drop(Event(event))).map_err(|s| Fault(s).transfer("clEnqueueWriteBuffer"))?;
        self.default.end(queued);
        Ok(())
    }

    pub(super) fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &OpenClBuffer,
        offset: usize,
    ) -> Result<(), DeviceError> {
        from.check(offset, to.len())?;
        if to.is_empty() {
            return Ok(());
        }
        let target = to.as_mut_ptr().cast::<c_void>();
        // SAFETY: the range lies in the buffer; the call blocks until the slice is filled.
        let read = unsafe {
            let (queue, mem) = (self.queue.0, from.raw());
            enqueue_read_buffer(queue, mem, CL_BLOCKING, offset, to.len(), target, 0, ptr::null())
        };
        read.map(|event| drop(Event(event))).map_err(|s| Fault(s).transfer("clEnqueueReadBuffer"))
    }

    pub(super) fn zero(&self, to: &OpenClBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        self.fill(self.queue.0, to, offset, bytes)?;
        self.default.add();
        Ok(())
    }

    /// Queues zeros; gives the commands' events.
    pub(super) fn fill(
        &self,
        queue: cl_command_queue,
        to: &OpenClBuffer,
        offset: usize,
        bytes: usize,
    ) -> Result<Vec<Event>, DeviceError> {
        const WIDE: usize = 16;
        to.check(offset, bytes)?;
        let end = offset + bytes;
        let wide_from = offset.next_multiple_of(WIDE).min(end);
        let wide_to = wide_from + (end - wide_from) / WIDE * WIDE;
        let parts = [(offset, wide_from, 1), (wide_from, wide_to, WIDE), (wide_to, end, 1)];
        let mut events = Vec::with_capacity(3);
        for (lo, hi, pattern) in parts {
            if lo == hi {
                continue;
            }
            let zeros = [0u8; WIDE];
            // SAFETY: the range lies in the buffer; the pattern is read during the call and divides the range.
            let filled = unsafe {
                enqueue_fill_buffer(
                    queue,
                    to.raw(),
                    zeros.as_ptr().cast(),
                    pattern,
                    lo,
                    hi - lo,
                    0,
                    ptr::null(),
                )
            };
            events.push(Event(filled.map_err(|s| Fault(s).transfer("clEnqueueFillBuffer"))?));
        }
        Ok(events)
    }

    pub(super) fn launch(
        &self,
        kernel: &OpenClKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, OpenClBuffer>],
        can: &Capabilities,
    ) -> Result<(), DeviceError> {
        let event = self.enqueue(self.queue.0, kernel, geometry, args, can)?;
        self.default.add();
        self.remember(event);
        Ok(())
    }

    /// Queues a kernel.
    pub(super) fn enqueue(
        &self,
        queue: cl_command_queue,
        kernel: &OpenClKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, OpenClBuffer>],
        can: &Capabilities,
    ) -> Result<Event, DeviceError> {
        let (global, local, dimensions) = sizes(geometry, kernel.max_group, can)?;
        // The runtime keeps them as long as the kernel needs them.
        let mut parts: Vec<Mem> = Vec::new();
        let object = lock(&kernel.object);
        for (index, arg) in (0u32..).zip(args) {
            let buffer;
            let (size, value) = match arg {
                ArgValue::Buffer(b) => {
                    buffer = b.raw();
                    (size_of::<cl_mem>(), (&raw const buffer).cast::<c_void>())
                }
                ArgValue::Part { buffer: whole, offset, bytes } => {
                    let part = whole.part(*offset, *bytes)?;
                    buffer = part.0;
                    parts.push(part);
                    (size_of::<cl_mem>(), (&raw const buffer).cast::<c_void>())
                }
                ArgValue::Bytes(bytes) => (bytes.len(), bytes.as_ptr().cast()),
            };
            // SAFETY: `value` points to `size` readable bytes, which the call copies; the kernel is locked.
            unsafe { set_kernel_arg(object.0, index, size, value) }
                .map_err(|s| Fault(s).launch(&format!("argument {index} of {size} bytes")))?;
        }
        // SAFETY: sizes have `dimensions` elements and were checked; all arguments are set.
        let queued = unsafe {
            let no_offset = ptr::null();
            let (global, local) = (global.as_ptr(), local.as_ptr());
            enqueue_nd_range_kernel(queue, object.0, dimensions, no_offset, global, local, 0, ptr::null())
        };
        queued
            .map(Event)
            .map_err(|s| Fault(s).launch(&format!("grid {:?} of blocks {:?}", geometry.grid, geometry.block)))
    }

    fn remember(&self, event: Event) {
        let me = std::thread::current().id();
        let mut last = lock(&self.last);
        if let Some((_, slot)) = last.iter_mut().find(|(thread, _)| *thread == me) {
            *slot = event;
            return;
        }
        if last.len() >= REMEMBERED {
            last.remove(0);
        }
        last.push((me, event));
    }

    /// Queries this thread's last event.
    fn last_event<T>(&self, query: impl FnOnce(&Event) -> Option<T>) -> Option<T> {
        let me = std::thread::current().id();
        lock(&self.last).iter().find(|(thread, _)| *thread == me).and_then(|(_, event)| query(event))
    }

    pub(super) fn wait(&self) -> Result<(), DeviceError> {
        let queued = self.default.queued();
        finish(self.queue.0).map_err(|s| Fault(s).launch("clFinish"))?;
        self.default.end(queued);
        match self.last_event(status) {
            Some(failed) if failed < 0 => Err(Fault(failed).launch("the kernel ended with an error")),
            _ => Ok(()),
        }
    }

    pub(super) fn last_kernel_time(&self) -> Option<Duration> {
        let ns = |event: &Event, query| get_event_profiling_info(event.0, query).ok().map(u64::from);
        self.last_event(|event| {
            if status(event)? != CL_COMPLETE {
                return None;
            }
            let (start, end) = (ns(event, CL_PROFILING_COMMAND_START)?, ns(event, CL_PROFILING_COMMAND_END)?);
            Some(Duration::from_nanos(end.saturating_sub(start)))
        })
    }
}

/// An in-order queue with profiling.
fn new_queue(context: &Context, device: cl_device_id, can: &Capabilities) -> Result<Queue, Fault> {
    let queue = if can.version >= 20 {
        let properties = [u64::from(CL_QUEUE_PROPERTIES), CL_QUEUE_PROFILING_ENABLE, 0];
        // SAFETY: the device is the context's; the list ends in zero.
        unsafe { create_command_queue_with_properties(context.0, device, properties.as_ptr()) }
    } else {
        // SAFETY: the device is the context's.
        unsafe { create_command_queue(context.0, device, CL_QUEUE_PROFILING_ENABLE) }
    };
    queue.map(Queue).map_err(Fault)
}

pub(super) fn status(event: &Event) -> Option<i32> {
    get_event_info(event.0, CL_EVENT_COMMAND_EXECUTION_STATUS).ok().map(i32::from)
}

/// Global and local sizes, and how many of their elements count.
fn sizes(
    geometry: &Geometry,
    max_group: usize,
    can: &Capabilities,
) -> Result<([usize; 3], [usize; 3], u32), DeviceError> {
    let Geometry { grid, block, shared: _ } = *geometry;
    let refuse = |why: String| {
        let reason = format!("grid {grid:?} of blocks {block:?}: {why}");
        Err(DeviceError::Launch { reason })
    };
    let local = block.map(|n| n as usize);
    let mut global = [0; 3];
    for axis in 0..3 {
        let Some(items) = local[axis].checked_mul(grid[axis] as usize).filter(|&items| items > 0) else {
            return refuse("a size is zero or too large".into());
        };
        if local[axis] > can.work_items[axis] {
            return refuse(format!("axis {axis} of a work-group takes at most {}", can.work_items[axis]));
        }
        global[axis] = items;
    }
    if local.iter().product::<usize>() > max_group {
        return refuse(format!("a work-group of this kernel takes at most {max_group} work-items"));
    }
    let dimensions = (1..=3).rev().find(|&d| d == 1 || global[d - 1] > 1).unwrap_or(1);
    Ok((global, local, dimensions as u32))
}

#[cfg(test)]
mod tests {
    use super::{Capabilities, Geometry, sizes};

    #[test]
    fn geometry_becomes_sizes() {
        let can = Capabilities {
            c_version: 12,
            version: 12,
            rounded_divide: true,
            work_items: [256, 256, 64],
            limits: crate::backend::api::Limits::default(),
        };
        let of = |grid, block| sizes(&Geometry { grid, block, shared: 0 }, 256, &can);
        assert_eq!(of([4, 1, 1], [64, 1, 1]), Ok(([256, 1, 1], [64, 1, 1], 1)));
        assert_eq!(of([4, 3, 1], [16, 16, 1]), Ok(([64, 48, 1], [16, 16, 1], 2)));
        assert_eq!(of([1, 1, 7], [1, 1, 1]), Ok(([1, 1, 7], [1, 1, 1], 3)));
        for (grid, block, word) in [
            ([0, 1, 1], [64, 1, 1], "zero"),
            ([1, 1, 1], [512, 1, 1], "axis 0"),
            ([1, 1, 1], [256, 2, 1], "at most 256 work-items"),
        ] {
            let error = of(grid, block).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
