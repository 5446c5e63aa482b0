//! Checks and measures the device backends of this machine.
//!
//! ```text
//! cargo run --release --example backend_selftest [-- [cuda|opencl] [--largest <MiB>] [--quick] [--lose]]
//! ```
//!
//! Runs the conformance list on every device, then prints tables: copies by size, copies by piece size and number of
//! threads (CUDA), and launch + wait of an empty kernel, compared with the plain driver's calls (CUDA). `--lose` makes, last
//! of all, a kernel write where it must not, and checks what is said then.
#[path = "../tests/conformance/mod.rs"]
mod conformance;

use conformance::{kernel, pattern, say, source, uninit};
use omp_kernels::schedule::Geometry;
use omp_runtime::backend::api::{ArgValue, Device, DeviceError};
use omp_runtime::backend::{cuda, opencl};
use std::mem::MaybeUninit;
use std::process::ExitCode;
use std::time::{Duration, Instant};

struct Options {
    only: Option<String>,
    largest: usize,
    quick: bool,
    lose: bool,
}

fn options() -> Options {
    let mut options = Options { only: None, largest: 1100 << 20, quick: false, lose: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--largest" => {
                let mib = words.next().and_then(|w| w.parse::<usize>().ok()).unwrap_or(64);
                options.largest = mib << 20;
            }
            "--quick" => options.quick = true,
            "--lose" => options.lose = true,
            backend => options.only = Some(backend.to_owned()),
        }
    }
    options
}

fn main() -> ExitCode {
    let options = options();
    let wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    let mut failures = 0;
    if wanted("cuda") {
        let started = Instant::now();
        match cuda::devices() {
            Ok(devices) => {
                println!("cuda: {} devices found in {:.1?}", devices.len(), started.elapsed());
                for device in &devices {
                    failures += examine(device, &options);
                    failures += staged(device, &options);
                    measure_cuda(device, &options);
                    if options.lose {
                        failures += lose(device);
                    }
                }
            }
            Err(unavailable) => println!("cuda: skipped: {unavailable}"),
        }
    }
    if wanted("opencl") {
        match opencl::devices() {
            Ok(devices) => devices.iter().for_each(|device| failures += examine(device, &options)),
            Err(unavailable) => println!("opencl: skipped: {unavailable}"),
        }
    }
    println!("{failures} checks failed");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn examine<D: Device>(device: &D, options: &Options) -> usize {
    println!("\n{:#?}", device.facts());
    let started = Instant::now();
    let first = device.alloc(1);
    println!("context and first allocation: {:.1?} ({})", started.elapsed(), ok(&first));
    drop(first);
    let mut failures = 0;
    for (name, checked) in conformance::all(device, options.largest) {
        match checked {
            Ok(()) => println!("  ok      {name}"),
            Err(error) => {
                failures += 1;
                println!("  FAILED  {name}: {error}");
            }
        }
    }
    start_times(device);
    copies(device, options);
    if let Err(error) = launches(device, true) {
        failures += 1;
        println!("launches: {error}");
    }
    failures
}

fn ok<T>(result: &Result<T, DeviceError>) -> String {
    result.as_ref().map_or_else(ToString::to_string, |_| "ok".into())
}

/// Compile, load from the cache's form, first launch.
fn start_times<D: Device>(device: &D) {
    let started = Instant::now();
    let empty = source(device, "empty", EMPTY);
    let Ok(binary) = device.compile(&empty) else { return };
    let compiled = started.elapsed();
    // Some backends remember what was compiled last; a cached kernel has no such luck.
    let _ = device.compile(&source(device, "other", "KERNEL other(GLOBAL u32* out) { out[0] = 1; }"));
    let started = Instant::now();
    let loaded = device.load(&binary, &empty);
    println!(
        "compile {compiled:.1?} ({} bytes), load {:.1?} ({})",
        binary.len(),
        started.elapsed(),
        ok(&loaded)
    );
}

const EMPTY: &str = "KERNEL empty(GLOBAL u32* out) { }";

/// Best and median of `runs` runs.
fn times(runs: usize, mut run: impl FnMut()) -> (Duration, Duration) {
    let mut all: Vec<_> = (0..runs)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed()
        })
        .collect();
    all.sort_unstable();
    (all[0], all[runs / 2])
}

fn gb_per_s(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e9
}

/// Upload (until the data is there) and download, median.
fn copy_times<D: Device>(device: &D, bytes: usize, runs: usize) -> Result<(Duration, Duration), DeviceError> {
    let there = device.alloc(bytes)?;
    let from = pattern(bytes, 3);
    let mut to: Vec<MaybeUninit<u8>> = vec![MaybeUninit::new(1); bytes];
    for _ in 0..2 {
        device.upload(&there, 0, uninit(&from))?;
        device.download(&mut to, &there, 0)?;
    }
    let (_, up) = times(runs, || {
        let _ = device.upload(&there, 0, uninit(&from)).and_then(|()| device.wait());
    });
    let (_, down) = times(runs, || {
        let _ = device.download(&mut to, &there, 0);
    });
    Ok((up, down))
}

fn copies<D: Device>(device: &D, options: &Options) {
    println!("        bytes      upload             download");
    let sizes = [4, 4 << 10, 64 << 10, 128 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20, 1 << 30];
    let most = options.largest.min(usize::try_from(device.facts().max_alloc).unwrap_or(usize::MAX));
    for bytes in sizes.into_iter().filter(|&b| b <= most) {
        let runs = if options.quick || bytes > 100 << 20 { 5 } else { 21 };
        match copy_times(device, bytes, runs) {
            Ok((up, down)) => println!(
                "  {bytes:>11}  {:>9.1} us {:>6.2} GB/s  {:>9.1} us {:>6.2} GB/s",
                up.as_secs_f64() * 1e6,
                gb_per_s(bytes, up),
                down.as_secs_f64() * 1e6,
                gb_per_s(bytes, down)
            ),
            Err(error) => println!("  {bytes:>11}  {error}"),
        }
    }
}

const ROUNDS: usize = 2001;

/// Median of launch + wait of an empty kernel, with a mailbox to read and without.
fn launches<D: Device>(device: &D, timed: bool) -> Result<(), String> {
    let launch = |kernel, geometry, args: &[ArgValue<'_, D::Buffer>]| match timed {
        true => device.launch(kernel, geometry, args),
        false => device.launch_untimed(kernel, geometry, args),
    };
    let empty = kernel(device, "empty", EMPTY)?;
    let out = device.alloc(4).map_err(say)?;
    let mail = device.mailbox(96).map_err(say)?;
    let geometry = Geometry { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
    let plain = [ArgValue::Buffer(&out)];
    let with_mail = [ArgValue::Buffer(&mail)];
    let mut failed = Ok(());
    let mut once = |mailbox: bool| {
        let done = if mailbox {
            device
                .write_mailbox(&mail, &[0; 96])
                .and_then(|()| launch(&empty, &geometry, &with_mail))
                .and_then(|()| device.wait())
                .and_then(|()| device.read_mailbox(&mail, &mut [0; 96]))
        } else {
            launch(&empty, &geometry, &plain).and_then(|()| device.wait())
        };
        if let Err(error) = done {
            failed = Err(error.to_string());
        }
    };
    (0..200).for_each(|_| once(false));
    let (best, median) = times(ROUNDS, || once(false));
    println!("launch + wait: best {best:.2?}, median {median:.2?}");
    let (best, median) = times(ROUNDS, || once(true));
    println!("  with mailbox written and read: best {best:.2?}, median {median:.2?}");
    let (best, median) = times(ROUNDS, || drop(device.alloc(1 << 20)));
    println!("alloc + drop of pooled 1 MiB: best {best:.2?}, median {median:.2?}");
    failed
}

/// Round trips with pieces and threads other than this machine's defaults.
fn staged(device: &cuda::CudaDevice, options: &Options) -> usize {
    let mut failures = 0;
    for (piece, threads) in [(4096, 3), (256 << 10, 8), (1 << 20, 2), (4 << 20, 16), STAGING] {
        let checked = device
            .set_staging(piece, threads)
            .map_err(say)
            .and_then(|()| conformance::round_trips(device, options.largest.min(310 << 20)))
            .and_then(|()| conformance::threads(device));
        if let Err(error) = checked {
            failures += 1;
            println!("  FAILED  pieces of {piece} bytes, {threads} threads: {error}");
        }
    }
    println!("staging with other pieces and threads: {failures} failures");
    failures
}

/// Size of a piece and threads to measure with outside the table: the backend's own on a machine with 16 cores.
const STAGING: (usize, usize) = (2 << 20, 8);

fn measure_cuda(device: &cuda::CudaDevice, options: &Options) {
    for timed in [true, false, true, false] {
        print!("{}: ", if timed { "with events" } else { "without events" });
        if let Err(error) = launches(device, timed) {
            println!("{error}");
        }
    }
    match raw::launch_and_wait(device) {
        Ok((best, median)) => println!("plain driver: launch + wait: best {best:.2?}, median {median:.2?}"),
        Err(error) => println!("plain driver: {error}"),
    }
    match raw::pinned_bus(256 << 20) {
        Ok((up, down)) => println!("plain driver: pinned 256 MiB: up {up:.2} GB/s, down {down:.2} GB/s"),
        Err(error) => println!("plain driver: {error}"),
    }
    if options.quick {
        return;
    }
    println!("   piece KiB  threads   256 MiB up  down GB/s    16 MiB up  down GB/s");
    for piece in [512 << 10, 1 << 20, 2 << 20, 4 << 20] {
        for threads in [1, 2, 4, 6, 8, 12] {
            if device.set_staging(piece, threads).is_err() {
                return;
            }
            let (large, small) = (256 << 20, 16 << 20);
            let (Ok(a), Ok(b)) = (copy_times(device, large, 5), copy_times(device, small, 11)) else {
                return;
            };
            println!(
                "  {:>10}  {threads:>7}   {:>10.2}  {:>9.2}    {:>9.2}  {:>9.2}",
                piece >> 10,
                gb_per_s(large, a.0),
                gb_per_s(large, a.1),
                gb_per_s(small, b.0),
                gb_per_s(small, b.1)
            );
        }
    }
}

/// A kernel that writes to no memory of ours: launch or wait must say that the device is lost, and everything after.
fn lose(device: &cuda::CudaDevice) -> usize {
    let text = "KERNEL wild(GLOBAL u32* out, u64 at) { *(u32*)at = 1; }";
    let outcome = (|| {
        let wild = kernel(device, "wild", text)?;
        let out = device.alloc(4).map_err(say)?;
        let args = [ArgValue::Buffer(&out), ArgValue::Bytes(&[0x10, 0, 0, 0, 0, 0, 0, 0])];
        let geometry = Geometry { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
        let first = device.launch(&wild, &geometry, &args).and_then(|()| device.wait());
        let then = device.alloc(100 << 20).map(drop);
        println!("after an illegal access: {first:?}; then {then:?}");
        match (first, then) {
            (Err(DeviceError::Lost { .. }), Err(DeviceError::Lost { .. })) => Ok(()),
            _ => Err("both should be Lost".to_owned()),
        }
    })();
    outcome.map_or_else(
        |error| {
            println!("  FAILED  {error}");
            1
        },
        |()| 0,
    )
}

/// The same work through the plain driver, to compare with.
mod raw {
    use super::{Device, EMPTY, ROUNDS, cuda, source, times};
    use cudarc::driver::sys::{self, CUresult};
    use std::ffi::c_void;
    use std::ptr;
    use std::time::{Duration, Instant};

    fn check(what: &str, result: CUresult) -> Result<(), String> {
        if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(format!("{what}: {result:?}")) }
    }

    fn context() -> Result<sys::CUstream, String> {
        let (mut context, mut stream) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the driver is there (a device was found); handles are written.
        unsafe {
            check("retain", sys::cuDevicePrimaryCtxRetain(&mut context, 0))?;
            check("current", sys::cuCtxSetCurrent(context))?;
            check("stream", sys::cuStreamCreate(&mut stream, 1))?;
        }
        Ok(stream)
    }

    pub fn launch_and_wait(device: &cuda::CudaDevice) -> Result<(Duration, Duration), String> {
        let cubin = device.compile(&source(device, "empty", EMPTY)).map_err(|e| e.to_string())?;
        let stream = context()?;
        let (mut module, mut function, mut memory) = (ptr::null_mut(), ptr::null_mut(), 0u64);
        // SAFETY: a cubin just compiled; handles are written.
        unsafe {
            check("load", sys::cuModuleLoadData(&mut module, cubin.as_ptr().cast()))?;
            check("function", sys::cuModuleGetFunction(&mut function, module, c"empty".as_ptr()))?;
            check("alloc", sys::cuMemAlloc_v2(&mut memory, 4))?;
        }
        let mut params = [(&raw mut memory).cast::<c_void>()];
        let mut failed = Ok(());
        let mut once = || {
            // SAFETY: one argument, as the kernel has; its address outlives the call.
            let result = unsafe {
                let queued = sys::cuLaunchKernel(
                    function,
                    1,
                    1,
                    1,
                    1,
                    1,
                    1,
                    0,
                    stream,
                    params.as_mut_ptr(),
                    ptr::null_mut(),
                );
                check("launch", queued).and_then(|()| check("wait", sys::cuStreamSynchronize(stream)))
            };
            if result.is_err() {
                failed = result;
            }
        };
        (0..200).for_each(|_| once());
        let measured = times(ROUNDS, once);
        // SAFETY: both made above; nothing is queued.
        unsafe {
            let _ = sys::cuModuleUnload(module);
            let _ = sys::cuMemFree_v2(memory);
        }
        failed.map(|()| measured)
    }

    /// What the bus gives between pinned memory and the device, in GB/s.
    pub fn pinned_bus(bytes: usize) -> Result<(f64, f64), String> {
        let stream = context()?;
        let (mut host, mut there) = (ptr::null_mut(), 0);
        // SAFETY: addresses are written.
        unsafe {
            check("pinned", sys::cuMemHostAlloc(&mut host, bytes, 0))?;
            check("alloc", sys::cuMemAlloc_v2(&mut there, bytes))?;
        }
        let mut best = [f64::MIN; 2];
        for _ in 0..6 {
            for (direction, best) in best.iter_mut().enumerate() {
                let started = Instant::now();
                // SAFETY: both ranges have that many bytes and live until the synchronisation.
                unsafe {
                    if direction == 0 {
                        check("up", sys::cuMemcpyHtoDAsync_v2(there, host, bytes, stream))?;
                    } else {
                        check("down", sys::cuMemcpyDtoHAsync_v2(host, there, bytes, stream))?;
                    }
                    check("wait", sys::cuStreamSynchronize(stream))?;
                }
                *best = best.max(bytes as f64 / started.elapsed().as_secs_f64() / 1e9);
            }
        }
        // SAFETY: both allocated above.
        unsafe {
            let _ = sys::cuMemFreeHost(host);
            let _ = sys::cuMemFree_v2(there);
        }
        Ok((best[0], best[1]))
    }
}
