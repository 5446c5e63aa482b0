//! OpenCL objects that are released when dropped.
//!
//! `opencl3`'s own objects panic when a release fails and can't be distinguished from borrowed ones; these ignore the
//! failure of a release, because nothing can be done about it.
use opencl3::command_queue::release_command_queue;
use opencl3::context::context::release_context;
use opencl3::event::release_event;
use opencl3::kernel::release_kernel;
use opencl3::memory::release_mem_object;
use opencl3::program::release_program;
use opencl3::types::{cl_command_queue, cl_context, cl_event, cl_kernel, cl_mem, cl_program};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($raw:ty), $release:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(super) struct $name(pub(super) $raw);

        // SAFETY: the OpenCL API is thread-safe on all its objects, except `clSetKernelArg`, which callers lock.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle was made by the matching create or enqueue call, and is owned by `self`.
                let _ = unsafe { $release(self.0) };
            }
        }
    };
}

handle!(
    /// A context.
    Context(cl_context),
    release_context
);
handle!(
    /// An in-order queue with profiling.
    Queue(cl_command_queue),
    release_command_queue
);
handle!(
    /// Device memory; the runtime keeps it alive while queued work uses it.
    Mem(cl_mem),
    release_mem_object
);
handle!(
    /// The event of a queued command.
    Event(cl_event),
    release_event
);
handle!(
    /// A built program.
    Program(cl_program),
    release_program
);
handle!(
    /// A kernel object with its arguments: one user at a time.
    KernelObject(cl_kernel),
    release_kernel
);
