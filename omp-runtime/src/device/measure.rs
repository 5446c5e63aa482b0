//! Measured bandwidth and latencies of a device, for comparison with a program (`cargo omp info --measure`).
use super::Dev;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynArg, DynBuffer, DynKernel};
use crate::backend::size::Bytes;
use omp_kernels::back::Source;
use omp_kernels::schedule::{DeviceKind, Geometry};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// Bytes read and written each second by a kernel that copies.
    pub copy: f64,
    /// From the launch of an empty kernel until the host knows that it has ended.
    pub launch: Duration,
    /// Bytes each second from the host's memory to the device.
    pub to_device: f64,
    /// Bytes each second back.
    pub from_device: f64,
}

/// Bytes that are copied, at most; of devices with little memory a sixteenth of it.
const MOST: u64 = 256 << 20;
const REPEATS: u32 = 5;

/// Measures a device. Takes a second or less on a GPU.
///
/// # Errors
/// What the device says if it can't do it.
pub fn measure(device: &Dev) -> Result<Measured, DeviceError> {
    let handle = &*device.handle;
    let facts = handle.facts();
    // Larger than the caches of most devices, so that memory is measured.
    let words = (facts.memory / 16).min(facts.max_alloc).min(MOST) / 8;
    let words = words.max(1 << 10);
    let bytes = words as usize * 8;
    let room = || Bytes::of(words, 8).size(|| facts.memory).and_then(|size| handle.alloc(size.into()));
    let (from, to) = (room()?, room()?);
    let mut host = vec![MaybeUninit::new(1u8); bytes];

    let to_device = best(wait_for(device), || handle.upload(&from, 0, &host))?;
    handle.upload(&to, 0, &host)?;
    let from_device = best(wait_for(device), || handle.download(&mut host, &from, 0))?;

    let kernel = kernel(device)?;
    let run = |words: u64, blocks: u32| launch(device, &kernel, [&from, &to], words, blocks);
    let blocks = facts.class.units.saturating_mul(16).max(1);
    let copied = best(wait_for(device), || run(words, blocks))?;
    let launch = best(wait_for(device), || run(0, 1))?;
    let rate = |n: usize, time: Duration| n as f64 / time.as_secs_f64().max(1e-9);
    Ok(Measured {
        copy: rate(2 * bytes, copied),
        launch,
        to_device: rate(bytes, to_device),
        from_device: rate(bytes, from_device),
    })
}

fn wait_for(device: &Dev) -> impl Fn() -> Result<(), DeviceError> {
    || device.handle.wait()
}

/// The shortest time of several, after one that counts for nothing.
fn best(
    wait: impl Fn() -> Result<(), DeviceError>,
    mut deed: impl FnMut() -> Result<(), DeviceError>,
) -> Result<Duration, DeviceError> {
    let mut least = Duration::MAX;
    for repeat in 0..=REPEATS {
        let start = Instant::now();
        deed()?;
        wait()?;
        if repeat > 0 {
            least = least.min(start.elapsed());
        }
    }
    Ok(least)
}

const CUDA: &str = "extern \"C\" __global__ void omp_copy(const unsigned long long* from, unsigned long long* to, long long n) {
  long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) to[i] = from[i];
}
";
/// A work-item of a CPU has a part of the array in a row.
const OPENCL_CPU: &str = "__kernel void omp_copy(__global const ulong* from, __global ulong* to, long n) {
  long part = (n + get_global_size(0) - 1) / get_global_size(0), lo = get_global_id(0) * part, hi = min(lo + part, n);
  for (long i = lo; i < hi; i++) to[i] = from[i];
}
";
const OPENCL: &str = "__kernel void omp_copy(__global const ulong* from, __global ulong* to, long n) {
  for (long i = get_global_id(0); i < n; i += get_global_size(0)) to[i] = from[i];
}
";

fn kernel(device: &Dev) -> Result<DynKernel, DeviceError> {
    let text = match device.handle.facts().class.kind {
        DeviceKind::Cuda => CUDA,
        DeviceKind::OpenClGpu => OPENCL,
        DeviceKind::OpenClCpu => OPENCL_CPU,
    };
    let source = Source {
        text: text.to_owned(),
        entry: "omp_copy".to_owned(),
        args: Vec::new(),
        sites: Vec::new(),
        inner: Vec::new(),
        options: Vec::new(),
        phases: 1,
        constants: Vec::new(),
    };
    device.handle.load(&device.handle.compile(&source)?, &source)
}

fn launch(
    device: &Dev,
    kernel: &DynKernel,
    [from, to]: [&DynBuffer; 2],
    words: u64,
    blocks: u32,
) -> Result<(), DeviceError> {
    let class = &device.handle.facts().class;
    let threads = if class.kind == DeviceKind::OpenClCpu { 1 } else { class.max_block.min(256) };
    let geometry = Geometry { grid: [blocks, 1, 1], block: [threads, 1, 1], shared: 0 };
    let count = words.to_ne_bytes();
    let args = [DynArg::Buffer(from), DynArg::Buffer(to), DynArg::Bytes(&count)];
    device.handle.launch(kernel, &geometry, &args, false)
}
