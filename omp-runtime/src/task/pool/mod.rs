//! Tasks and staging jobs on the host's thread pool.
pub(super) mod mixed;
#[cfg(test)]
pub(super) mod pool_models;
pub(super) mod pool_tasks;
pub(super) mod staging_job;
pub(super) mod sync;
#[cfg(test)]
pub(crate) mod sync_models;
