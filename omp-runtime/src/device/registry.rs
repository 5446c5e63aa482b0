//! The devices of this process, found once.
//!
//! Discovery is lazy by backend: a program on the first CUDA GPU never pays for looking at OpenCL. Numbers are CUDA
//! GPUs, then OpenCL GPUs, then OpenCL CPU devices.
use super::unwaited::Unwaited;
use crate::backend::api::Device;
use crate::backend::erased::{DynDevice, erase};
use crate::backend::mock::Mock;
use crate::backend::{Unavailable, cuda, opencl};
use crate::data::present::Table;
use crate::env::{BackendChoice, Env, OffloadPolicy};
use crate::error::Place;
use omp_kernels::schedule::DeviceKind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A device and what the runtime keeps of it.
pub struct Dev {
    /// The device.
    pub handle: Box<dyn DynDevice>,
    /// Distinguishes devices within the process, whatever registry they are in: a key of compiled kernels.
    pub id: usize,
    /// What data directives have put into its memory.
    pub present: Table,
    lost: OnceLock<String>,
    unwaited: Unwaited,
}

impl std::fmt::Debug for Dev {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dev")
            .field("id", &self.id)
            .field("facts", self.handle.facts())
            .finish_non_exhaustive()
    }
}

impl Dev {
    /// Takes a device in.
    #[must_use]
    pub fn new(handle: Box<dyn DynDevice>) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self {
            handle,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            present: Table::default(),
            lost: OnceLock::new(),
            unwaited: Unwaited::default(),
        }
    }

    /// The name for messages: `NVIDIA H200 (cuda)`.
    #[must_use]
    pub fn label(&self) -> String {
        let facts = self.handle.facts();
        format!("{} ({})", facts.name, facts.backend)
    }

    /// The device has failed for good.
    pub fn lose(&self, reason: &str) {
        let _ = self.lost.set(reason.to_owned());
    }

    /// Why the device does not work any more.
    #[must_use]
    pub fn lost(&self) -> Option<&str> {
        self.lost.get().map(String::as_str)
    }

    /// A region was queued that is not waited for.
    pub(crate) fn runs_ahead(&self, place: &'static Place) {
        self.unwaited.add(place);
    }

    /// All that was queued has been waited for, and nothing has failed.
    pub(crate) fn caught_up(&self) {
        self.unwaited.clear();
    }

    /// What the device said, and the regions that have not been waited for: it may be their failure.
    pub(crate) fn said(&self, reason: String) -> String {
        self.unwaited.with(reason)
    }

    /// A GPU (or an accelerator), not a CPU under OpenCL.
    #[must_use]
    pub fn is_gpu(&self) -> bool {
        match self.handle.facts().class.kind {
            DeviceKind::Cuda | DeviceKind::OpenClGpu => true,
            DeviceKind::OpenClCpu => false,
        }
    }
}

type Found = Result<Vec<Dev>, Unavailable>;
type Finder = Box<dyn Fn() -> Result<Vec<Box<dyn DynDevice>>, Unavailable> + Send + Sync>;

/// Devices of the two backends.
pub struct Registry {
    sources: [(&'static str, Finder); 2],
    found: [OnceLock<Found>; 2],
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registry").field("found", &self.found).finish_non_exhaustive()
    }
}

fn erased<D: Device>(found: Result<Vec<D>, Unavailable>) -> Result<Vec<Box<dyn DynDevice>>, Unavailable> {
    Ok(found?.into_iter().map(erase).collect())
}

/// Whether [`add_interpreter`] was called.
static INTERPRETER: AtomicBool = AtomicBool::new(false);

/// For tests: from now on the process has one more device, the reference interpreter. To be called before anything requests
/// devices.
pub fn add_interpreter() {
    INTERPRETER.store(true, Ordering::Relaxed);
}

/// What OpenCL finds, and the interpreter if a test has requested it.
fn opencl_and_interpreter() -> Result<Vec<Box<dyn DynDevice>>, Unavailable> {
    let found = erased(opencl::devices());
    if !INTERPRETER.load(Ordering::Relaxed) {
        return found;
    }
    let mut devices = found.unwrap_or_default();
    devices.push(erase(Mock::of_kind(DeviceKind::Cuda)));
    Ok(devices)
}

const OFF: &str = "OMP_BACKEND does not name it";

impl Registry {
    /// The registry of this process.
    #[must_use]
    pub fn global() -> &'static Self {
        static GLOBAL: OnceLock<Registry> = OnceLock::new();
        GLOBAL.get_or_init(|| Self::of(crate::env::env()))
    }

    fn of(env: &Env) -> Self {
        let wanted = |backend| {
            env.offload != OffloadPolicy::Disabled
                && (env.backend == BackendChoice::Auto || env.backend == backend)
        };
        let off = || -> Finder { Box::new(|| Err(Unavailable { reason: OFF.to_owned() })) };
        let cuda: Finder =
            if wanted(BackendChoice::Cuda) { Box::new(|| erased(cuda::devices())) } else { off() };
        let opencl: Finder =
            if wanted(BackendChoice::OpenCl) { Box::new(opencl_and_interpreter) } else { off() };
        Self::new(cuda, opencl)
    }

    /// A registry of what two finders give: the first stands for CUDA, the second for OpenCL.
    #[must_use]
    pub fn new(cuda: Finder, opencl: Finder) -> Self {
        Self { sources: [("cuda", cuda), ("opencl", opencl)], found: [OnceLock::new(), OnceLock::new()] }
    }

    fn backend(&self, i: usize) -> &Found {
        self.found[i].get_or_init(|| {
            let mut devices: Vec<Dev> = (self.sources[i].1)()?.into_iter().map(Dev::new).collect();
            // Stable: the drivers' order among GPUs and among CPUs.
            devices.sort_by_key(|d| !d.is_gpu());
            Ok(devices)
        })
    }

    fn slice(&self, i: usize) -> &[Dev] {
        self.backend(i).as_deref().unwrap_or(&[])
    }

    /// How many devices there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.slice(0).len() + self.slice(1).len()
    }

    /// The device of a number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&Dev> {
        let cuda = self.slice(0);
        cuda.get(number).or_else(|| self.slice(1).get(number - cuda.len()))
    }

    /// The devices that have been looked up so far.
    pub(crate) fn known(&self) -> impl Iterator<Item = &Dev> {
        self.found.iter().filter_map(|found| found.get()?.as_deref().ok()).flatten()
    }

    /// All devices, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Dev> {
        self.slice(0).iter().chain(self.slice(1))
    }

    /// The first GPU and its number.
    #[must_use]
    pub fn first_gpu(&self) -> Option<usize> {
        if self.slice(0).first().is_some_and(Dev::is_gpu) {
            return Some(0);
        }
        self.iter().position(Dev::is_gpu)
    }

    /// Each backend without devices, and why.
    #[must_use]
    pub fn reasons(&self) -> Vec<(String, String)> {
        let mut reasons = Vec::new();
        for (i, (name, _)) in self.sources.iter().enumerate() {
            match self.backend(i) {
                Ok(devices) if devices.is_empty() => {
                    reasons.push(((*name).to_owned(), "it has no device".to_owned()));
                }
                Ok(_) => {}
                Err(unavailable) => reasons.push(((*name).to_owned(), unavailable.reason.clone())),
            }
        }
        reasons
    }
}
