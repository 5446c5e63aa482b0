//! The context of a region: environment, devices, disk cache. There is one per process; tests make their own.
use crate::cache::DiskCache;
use crate::device::registry::Registry;
use crate::env::{Env, try_env};
use crate::error::Error;
use crate::tune::Tuner;
use std::sync::OnceLock;

/// The surroundings of a region.
#[derive(Debug)]
pub struct Context {
    /// Control variables.
    pub env: Env,
    /// Devices.
    pub registry: &'static Registry,
    /// Compiled kernels on disk, if there is a place for them.
    pub disk: Option<DiskCache>,
    /// What searches for schedules have found.
    pub tuner: Tuner,
}

impl Context {
    /// That of the process.
    ///
    /// # Errors
    /// [`Error::Environment`] when a variable is malformed.
    pub fn of_process() -> Result<&'static Self, Error> {
        static GLOBAL: OnceLock<Context> = OnceLock::new();
        let env = try_env().map_err(Clone::clone)?;
        Ok(GLOBAL.get_or_init(|| Self {
            env: env.clone(),
            tuner: Tuner::new(env),
            registry: Registry::global(),
            disk: env.cache_dir.as_ref().map(DiskCache::new),
        }))
    }
}
