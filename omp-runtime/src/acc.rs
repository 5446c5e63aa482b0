//! OpenACC's runtime routines, under their names without `acc_`. A device's number counts the devices of its type.
pub use crate::data::directive::target_is_present as is_present;
pub use crate::task::graph::queues::{
    ASYNC_NOVAL, ASYNC_SYNC, async_test, async_test_all, default_async as get_default_async,
    set_default_async, wait, wait_all, wait_all_async, wait_any, wait_async,
};

use crate::data::HostArray;
use crate::data::directive::work::{DataMap, Map};
use crate::data::directive::{DataSite, Directive};
use crate::device::api::get_default_device;
use crate::device::{DeviceInfo, api};
use crate::launch::ClauseInt;
use crate::typing::Device;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// A type of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DeviceType {
    /// The default: any device except the host.
    #[default]
    Default,
    /// The host's threads.
    Host,
    /// Any device except the host.
    NotHost,
    /// A GPU with CUDA.
    Nvidia,
    /// An OpenCL device.
    OpenCl,
}

/// A property of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Property {
    /// Bytes of memory.
    Memory,
    /// The name.
    Name,
    /// The backend.
    Vendor,
    /// Versions of driver and compiler.
    Driver,
    /// 1 if the device's memory is the host's.
    SharedMemorySupport,
}

impl DeviceType {
    fn has(self, device: &DeviceInfo) -> bool {
        match self {
            Self::Default | Self::NotHost => device.backend != "host",
            Self::Host => device.backend == "host",
            Self::Nvidia => device.backend == "cuda",
            Self::OpenCl => device.backend == "opencl",
        }
    }

    fn devices(self) -> Vec<DeviceInfo> {
        api::devices().into_iter().filter(|device| self.has(device)).collect()
    }

    fn named(word: &str) -> Self {
        match word {
            "host" => Self::Host,
            "not_host" => Self::NotHost,
            "nvidia" | "cuda" => Self::Nvidia,
            "opencl" => Self::OpenCl,
            _ => Self::Default,
        }
    }
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Host => "host",
            Self::NotHost => "not_host",
            Self::Nvidia => "nvidia",
            Self::OpenCl => "opencl",
        })
    }
}

/// The number of devices of a type. The host is one device.
///
/// # Panics
/// If an environment variable is malformed. This holds for all routines.
#[must_use]
#[track_caller]
pub fn get_num_devices(of: DeviceType) -> usize {
    of.devices().len()
}

/// The device with a number among those of its type.
#[track_caller]
fn device(of: DeviceType, number: usize) -> DeviceInfo {
    let mut devices = of.devices();
    let count = devices.len();
    assert!(number < count, "no device {number} of type `{of}`: there are {count}");
    devices.swap_remove(number)
}

/// The type of this thread's default device.
#[must_use]
#[track_caller]
pub fn get_device_type() -> DeviceType {
    match api::devices().get(get_default_device()).map(|device| device.backend) {
        Some("cuda") => DeviceType::Nvidia,
        Some("opencl") => DeviceType::OpenCl,
        Some("host") => DeviceType::Host,
        _ => DeviceType::NotHost,
    }
}

/// Makes the first device of a type the default device of this thread.
///
/// # Panics
/// If there is none.
#[track_caller]
pub fn set_device_type(of: DeviceType) {
    if of != DeviceType::Default {
        api::set_default_device(device(of, 0).number);
    }
}

/// The number of this thread's default device among the devices of a type; 0 if it is of another type.
#[must_use]
#[track_caller]
pub fn get_device_num(of: DeviceType) -> usize {
    let now = get_default_device();
    of.devices().iter().position(|device| device.number == now).unwrap_or(0)
}

/// Makes a device the default device of this thread, by its number among the devices of its type.
///
/// # Panics
/// If there is none.
#[track_caller]
pub fn set_device_num(number: impl ClauseInt, of: DeviceType) {
    let number = usize::try_from(number.wide()).unwrap_or(usize::MAX);
    api::set_default_device(device(of, number).number);
}

/// A numeric property of a device; 0 if the property is a text.
///
/// # Panics
/// If there is no such device.
#[must_use]
#[track_caller]
pub fn get_property(number: impl ClauseInt, of: DeviceType, property: Property) -> u64 {
    let device = device(of, usize::try_from(number.wide()).unwrap_or(usize::MAX));
    match property {
        Property::Memory => device.memory,
        Property::SharedMemorySupport => u64::from(device.backend == "host"),
        Property::Name | Property::Vendor | Property::Driver => 0,
    }
}

/// A textual property of a device; empty if the property is a number.
///
/// # Panics
/// If there is no such device.
#[must_use]
#[track_caller]
pub fn get_property_string(number: impl ClauseInt, of: DeviceType, property: Property) -> String {
    let device = device(of, usize::try_from(number.wide()).unwrap_or(usize::MAX));
    match property {
        Property::Memory | Property::SharedMemorySupport => String::new(),
        Property::Name => device.name,
        Property::Vendor => device.backend.to_owned(),
        Property::Driver => device.versions,
    }
}

/// Looks for devices of a type now instead of at the first region.
///
/// # Panics
/// If there is none.
#[track_caller]
pub fn init(of: DeviceType) {
    if of != DeviceType::Default {
        let _ = device(of, 0);
    }
}

/// Waits for all tasks in queues of this thread. The devices stay in use, because other threads may use them.
pub fn shutdown(_: DeviceType) {
    wait_all();
}

/// Whether this code runs on a device of a type. For the body of a region, use `omp::is_initial_device`.
#[must_use]
pub fn on_device(of: DeviceType) -> bool {
    of == DeviceType::Host
}

/// The site of a data routine: one for each call in the program.
#[track_caller]
fn site(routine: &'static str) -> &'static DataSite {
    static SITES: Mutex<BTreeMap<(&str, u32, u32), &DataSite>> = Mutex::new(BTreeMap::new());
    let at = Location::caller();
    let mut sites = SITES.lock().unwrap_or_else(PoisonError::into_inner);
    sites
        .entry((at.file(), at.line(), at.column()))
        .or_insert_with(|| Box::leak(Box::new(DataSite::new(routine, at.file(), at.line(), at.column()))))
}

#[track_caller]
fn directive<'a, T: Device>(routine: &'static str, ty: DataMap, array: HostArray<'a, T>) -> Directive<'a> {
    let mut directive = Directive::new(site(routine));
    directive.map("array", Map { ty, always: false, present: false }, array);
    directive
}

/// Copies an array to the device, or adds a reference if it is present: `acc::enter_data!(copyin(x))`.
///
/// # Panics
/// If the directive fails, with its error. This holds for all routines about data.
#[track_caller]
pub fn copyin<T: Device>(array: &[T]) {
    directive("acc::copyin", DataMap::To, HostArray::read(array)).enter();
}

/// Allocates device memory for an array, or adds a reference if it is present: `acc::enter_data!(create(x))`.
#[track_caller]
pub fn create<T: Device>(array: &[T]) {
    directive("acc::create", DataMap::Alloc, HostArray::read(array)).enter();
}

/// Drops a reference; the last one copies the array to the host: `acc::exit_data!(copyout(x))`.
#[track_caller]
pub fn copyout<T: Device>(array: &mut [T]) {
    directive("acc::copyout", DataMap::From, HostArray::write(array)).exit();
}

/// Drops all references and copies the array to the host: `acc::exit_data!(copyout(x), finalize)`.
#[track_caller]
pub fn copyout_finalize<T: Device>(array: &mut [T]) {
    let mut directive = directive("acc::copyout_finalize", DataMap::From, HostArray::write(array));
    directive.finalize();
    directive.exit();
}

/// Drops a reference: `acc::exit_data!(delete(x))`.
#[track_caller]
pub fn delete<T: Device>(array: &[T]) {
    directive("acc::delete", DataMap::Release, HostArray::read(array)).exit();
}

/// Drops all references: `acc::exit_data!(delete(x), finalize)`.
#[track_caller]
pub fn delete_finalize<T: Device>(array: &[T]) {
    directive("acc::delete_finalize", DataMap::Delete, HostArray::read(array)).exit();
}

/// Copies the host's values of a present array to the device: `acc::update!(device(x))`.
#[track_caller]
pub fn update_device<T: Device>(array: &[T]) {
    directive("acc::update_device", DataMap::To, HostArray::read(array)).update();
}

/// Copies the device's values of a present array to the host: `acc::update!(self(x))`.
#[track_caller]
pub fn update_self<T: Device>(array: &mut [T]) {
    directive("acc::update_self", DataMap::From, HostArray::write(array)).update();
}

/// `acc::init!`
#[track_caller]
pub fn init_from(of: Option<&str>, number: Option<i128>) {
    let of = of.map_or(DeviceType::Default, DeviceType::named);
    init(of);
    if let Some(number) = number {
        let _ = device(of, usize::try_from(number).unwrap_or(usize::MAX));
    }
}

/// `acc::shutdown!`
pub fn shutdown_from(of: Option<&str>, _: Option<i128>) {
    shutdown(of.map_or(DeviceType::Default, DeviceType::named));
}

/// `acc::set!`
#[track_caller]
pub fn set_from(of: Option<&str>, number: Option<i128>, queue: Option<i128>) {
    let kind = of.map_or(DeviceType::Default, DeviceType::named);
    match number {
        Some(number) => set_device_num(number, kind),
        None => set_device_type(kind),
    }
    if let Some(queue) = queue {
        set_default_async(queue);
    }
}

/// Whether this thread's default device is of one of these kinds (the clause `device_type`).
#[must_use]
pub fn is_of(kinds: &[&str]) -> bool {
    let now = get_default_device();
    let device = api::devices().into_iter().find(|device| device.number == now);
    device.is_some_and(|device| kinds.iter().any(|kind| DeviceType::named(kind).has(&device)))
}

/// Any integer that a clause takes.
pub fn wide(n: impl ClauseInt) -> i128 {
    n.wide()
}
