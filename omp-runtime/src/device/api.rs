//! The public functions about devices and threads.
use super::registry::Registry;
use super::select::{Choice, DeviceClauses, select};
use super::{DeviceInfo, team};
use crate::env::{OffloadPolicy, env};
use crate::typing::{Call, Describe, DeviceFn, id_of};
use std::any::TypeId;
use std::sync::OnceLock;
use std::time::Instant;

/// The number of devices, without the host; 0 under `OMP_TARGET_OFFLOAD=disabled`.
///
/// # Panics
/// If an environment variable is malformed. This holds for all functions of this module.
#[must_use]
#[track_caller]
pub fn get_num_devices() -> usize {
    if env().offload == OffloadPolicy::Disabled { 0 } else { Registry::global().count() }
}

/// The number of the device that runs regions without a `device` clause; [`get_initial_device`] for the host.
#[must_use]
#[track_caller]
pub fn get_default_device() -> usize {
    let env = env();
    match select(Registry::global(), env, team::default_device(), DeviceClauses::default()) {
        Choice::Device(n) => n,
        Choice::Host | Choice::Missing(_) => get_initial_device(),
        Choice::NoSuch(n) => usize::try_from(n).unwrap_or(usize::MAX),
    }
}

/// Sets the default device of this thread. If there is no such device, the next region that uses it is an error.
pub fn set_default_device(number: usize) {
    team::set_default_device(number);
}

/// The number of the host: one past the last device.
#[must_use]
#[track_caller]
pub fn get_initial_device() -> usize {
    get_num_devices()
}

/// Whether this code runs on the host. In a region's body: whether the body runs on the host.
#[must_use]
pub fn is_initial_device() -> bool {
    true
}

/// Seconds since a fixed time in the past: the first call in the process.
#[must_use]
pub fn get_wtime() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// The maximal number of threads of a host loop: set by [`set_num_threads`] or `OMP_NUM_THREADS`, else the size of the pool.
#[must_use]
#[track_caller]
pub fn get_max_threads() -> usize {
    team::max_threads()
}

/// Sets the maximal number of threads of the host loops that this thread starts.
pub fn set_num_threads(threads: usize) {
    team::set_max_threads(threads);
}

/// In a region on a device: the number of this team, from 0 and less than [`get_num_teams`]. Elsewhere, and on the host, 0.
#[must_use]
pub fn get_team_num() -> usize {
    0
}

/// In a region on a device: the number of teams. Elsewhere, and on the host, 1.
#[must_use]
pub fn get_num_teams() -> usize {
    1
}

/// In a region: the number of this thread in its team, less than [`get_num_threads`]. Elsewhere 0.
#[must_use]
pub fn get_thread_num() -> usize {
    team::thread()
}

/// In a region: the number of threads of this team. Elsewhere 1.
#[must_use]
pub fn get_num_threads() -> usize {
    team::threads()
}

/// All devices in the order of their numbers; the host is the last.
#[must_use]
#[track_caller]
pub fn devices() -> Vec<DeviceInfo> {
    let mut list: Vec<DeviceInfo> = Vec::new();
    if env().offload != OffloadPolicy::Disabled {
        list.extend(Registry::global().iter().enumerate().map(|(number, device)| {
            let facts = device.handle.facts();
            DeviceInfo {
                number,
                backend: facts.backend,
                name: facts.name.clone(),
                versions: facts.versions.clone(),
                memory: facts.memory,
                units: facts.class.units,
                f64: facts.class.f64,
                gpu: device.is_gpu(),
            }
        }));
    }
    list.push(DeviceInfo {
        number: list.len(),
        backend: "host",
        name: "host".to_owned(),
        versions: String::new(),
        memory: 0,
        units: u32::try_from(team::max_threads()).unwrap_or(u32::MAX),
        f64: true,
        gpu: false,
    });
    list
}

/// Companions: bodies call these functions by any path, and generated code looks for a type of the function's name.
macro_rules! companions {
    ($($name:ident -> $t:ty;)*) => { $(
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations)]
        pub struct $name {}

        impl $name {
            #[doc(hidden)]
            pub fn bind<F: Fn() -> $t>(_: &Call<Self, F>, f: F) -> F {
                f
            }
        }

        // SAFETY: no template, or that of the function.
        unsafe impl DeviceFn for $name {
            const BUILTIN: bool = true;

            fn genuine() -> TypeId {
                id_of(&$name)
            }

            fn describe(_: &mut Describe) {}
        }
    )* };
}

companions! {
    is_initial_device -> bool;
    get_team_num -> usize;
    get_num_teams -> usize;
    get_thread_num -> usize;
    get_num_threads -> usize;
}
