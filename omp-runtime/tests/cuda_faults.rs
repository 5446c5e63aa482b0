//! Every call of the CUDA driver may fail: what then leaks, or goes wrong later? On the emulated device.
#[allow(dead_code, reason = "only its tools are used")]
mod conformance;

use conformance::{bytes, pattern, say, source, uninit};
use omp_kernels::schedule::Geometry;
use omp_runtime::backend::api::{ArgValue, Device, DeviceError};
use omp_runtime::backend::cuda::{self, CudaDevice};
use omp_runtime::backend::queue::{Event, Landing, Queue};
use std::mem::MaybeUninit;

/// What the emulated driver offers in addition to the driver's functions.
struct Emulator {
    library: libloading::Library,
}

const UNKNOWN: i32 = 999;
const OUT_OF_MEMORY: i32 = 2;
const NOT_READY_FOR_THAT: i32 = 801;

impl Emulator {
    fn find() -> Option<Self> {
        let devices = cuda::devices().unwrap_or_default();
        if !devices.iter().any(|d| d.facts().name == "CUDA emulator") {
            println!("skipped: no emulated CUDA device");
            return None;
        }
        // SAFETY: the library is loaded already.
        let library = unsafe { libloading::Library::new("libcuda.so") };
        Some(Self { library: library.expect("the emulator's library") })
    }

    fn fail(&self, n: u64, error: i32) {
        type Fail = unsafe extern "C" fn(u64, i32);
        // SAFETY: the function's type; it takes any numbers.
        unsafe { self.library.get::<Fail>(b"emulator_fail\0").expect("the function")(n, error) };
    }

    fn calls(&self) -> u64 {
        type Calls = unsafe extern "C" fn() -> u64;
        // SAFETY: the function's type.
        unsafe { self.library.get::<Calls>(b"emulator_calls\0").expect("the function")() }
    }

    /// Memory that another library has pinned; the context is current on this thread.
    fn pinned(&self, bytes: usize) -> &'static mut [u8] {
        type Alloc = unsafe extern "C" fn(*mut *mut u8, usize, u32) -> i32;
        let mut at = std::ptr::null_mut();
        // SAFETY: the driver's function; writes one pointer.
        let result = unsafe {
            self.library.get::<Alloc>(b"cuMemHostAlloc\0").expect("the function")(&mut at, bytes, 0)
        };
        assert_eq!(result, 0);
        // SAFETY: as much was allocated, and filled.
        unsafe { std::slice::from_raw_parts_mut(at, bytes) }
    }

    /// Frees it.
    fn unpin(&self, memory: &'static mut [u8]) {
        type Free = unsafe extern "C" fn(*mut u8) -> i32;
        // SAFETY: made by `pinned`, and given back.
        let result = unsafe {
            self.library.get::<Free>(b"cuMemFreeHost\0").expect("the function")(memory.as_mut_ptr())
        };
        assert_eq!(result, 0);
    }

    /// Bytes of device memory, blocks of pinned memory, events and streams.
    fn live(&self) -> [u64; 4] {
        type Live = unsafe extern "C" fn(*mut [u64; 4]);
        let mut live = [0; 4];
        // SAFETY: the function's type; writes four words.
        unsafe { self.library.get::<Live>(b"emulator_live\0").expect("the function")(&mut live) };
        live
    }
}

const BUMP: &str = "KERNEL bump(GLOBAL u32* m, u32 by) { m[IDX] += by; }";
const WORDS: usize = 1024;

/// The lists of pinned memory, of free memory and of events at work, in both kinds of queues.
fn work(device: &CudaDevice, binary: &[u8], large: &[u8]) -> Result<(), String> {
    let bump = device.load(binary, &source(device, "bump", BUMP)).map_err(say)?;
    let geometry = Geometry { grid: [16, 1, 1], block: [64, 1, 1], shared: 0 };
    let by = 3u32.to_ne_bytes();
    let there = device.alloc(large.len()).map_err(say)?;
    device.upload(&there, 0, uninit(large)).map_err(say)?;
    let mail = device.mailbox(4 * WORDS).map_err(say)?;
    device.write_mailbox(&mail, &[0; 4 * WORDS]).map_err(say)?;
    let args = [ArgValue::Buffer(&mail), ArgValue::Bytes(&by)];
    device.launch(&bump, &geometry, &args).map_err(say)?;
    let (a, b) = (device.queue().map_err(say)?, device.queue().map_err(say)?);
    for round in 0..2u32 {
        let small = a.alloc(4 * WORDS).map_err(say)?;
        a.upload(&small, 0, uninit(&round.to_ne_bytes().repeat(WORDS))).map_err(say)?;
        let args = [ArgValue::Buffer(&small), ArgValue::Bytes(&by)];
        a.launch(&bump, &geometry, &args).map_err(say)?;
        b.follow(&a.record(false).map_err(say)?).map_err(say)?;
        b.launch(&bump, &geometry, &args).map_err(say)?;
        let landing = b.download(&small, 0, 4 * WORDS).map_err(say)?;
        drop(small);
        b.upload(&there, 100, uninit(&large[100..3 << 20])).map_err(say)?;
        let all = b.download(&there, 0, large.len()).map_err(say)?;
        b.launch(&bump, &geometry, &[ArgValue::Buffer(&mail), ArgValue::Bytes(&by)]).map_err(say)?;
        let mut got = vec![0; 4 * WORDS];
        landing.read(0, slots(&mut got)).map_err(say)?;
        assert!(got == (round + 6).to_ne_bytes().repeat(WORDS), "no error was reported: {:?}", &got[..8]);
        let mut got = vec![0; large.len()];
        all.read(0, slots(&mut got)).map_err(say)?;
        assert!(got == large, "no error was reported");
    }
    b.record(true).and_then(|event| event.wait()).map_err(say)?;
    let mut got = [0; 4];
    device.read_mailbox(&mail, &mut got).map_err(say)?;
    assert_eq!(got, 9u32.to_ne_bytes(), "no error was reported");
    drop(mail);
    assert!(bytes(device, &there, 0, large.len())? == large, "no error was reported");
    device.wait().map_err(say)
}

/// The same bytes, to be written.
fn slots(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory; a landing writes initialised bytes, or none.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// A device of its own.
fn device() -> CudaDevice {
    cuda::devices().expect("there is one").remove(0)
}

/// One at a time: the emulated driver is one for all.
#[test]
fn faults() {
    let Some(emulator) = Emulator::find() else { return };
    what_others_have_pinned_is_read_at_once(&emulator);
    every_call_may_fail(&emulator);
    memory_is_given_back_before_it_runs_out();
}

/// The driver reads pinned memory when the copy runs: it may have other values by then.
fn what_others_have_pinned_is_read_at_once(emulator: &Emulator) {
    let one = device();
    let buffer = one.alloc(3 << 20).expect("there is memory");
    let queue = one.queue().expect("a queue");
    let memory = emulator.pinned(3 << 20);
    for round in 0..60u64 {
        let bytes = [1, 64, 4096, 64 << 10, (64 << 10) + 1, 3 << 20][round as usize % 6];
        let values = pattern(bytes, round);
        memory[..bytes].copy_from_slice(&values);
        if round % 12 < 6 {
            one.upload(&buffer, 0, uninit(&memory[..bytes])).expect("it fits");
            memory.fill(0);
        } else {
            queue.upload(&buffer, 0, uninit(&memory[..bytes])).expect("it fits");
            memory.fill(0);
            queue.record(false).and_then(|event| event.wait()).expect("nothing fails");
        }
        assert!(bytes_of(&one, &buffer, bytes) == values, "round {round}: {bytes} bytes");
    }
    drop((buffer, queue, one));
    emulator.unpin(memory);
}

fn bytes_of(device: &CudaDevice, buffer: &<CudaDevice as Device>::Buffer, count: usize) -> Vec<u8> {
    bytes(device, buffer, 0, count).expect("it is there")
}

fn every_call_may_fail(emulator: &Emulator) {
    let mut wrong = Vec::new();
    let binary = device().compile(&source(&device(), "bump", BUMP)).expect("it compiles");
    let large = pattern(5 << 20, 1);
    let work = |device: &CudaDevice| work(device, &binary, &large);
    let one = device();
    work(&one).expect("nothing fails");
    drop(one);
    let mut left = emulator.live();
    assert_eq!(left, [0; 4], "without a fault");
    for error in [OUT_OF_MEMORY, NOT_READY_FOR_THAT, UNKNOWN] {
        // Threads and chance change the number of calls a little.
        let before = emulator.calls();
        let one = device();
        work(&one).expect("nothing fails");
        drop(one);
        let calls = emulator.calls() - before;
        for n in 1..calls {
            let one = device();
            emulator.fail(n, error);
            let result = work(&one);
            emulator.fail(0, 0);
            // Memory that ran out may have been found elsewhere.
            let lost =
                result.as_ref().is_err_and(|text| text.contains("lost") && !text.contains("no context"));
            if lost {
                // The device is not used any more, and its memory is leaked.
                assert!(matches!(one.alloc(1), Err(DeviceError::Lost { .. })), "{n}: {result:?}");
            } else if let Err(text) = work(&one) {
                wrong.push(format!("{n}, error {error}: after {result:?}: {text}"));
            }
            drop(one);
            let live = emulator.live();
            if !lost && live != left {
                wrong.push(format!("{n}, error {error}: {live:?} instead of {left:?} after {result:?}"));
            }
            left = live;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Memory for a part of what is requested: the pool frees what it keeps, and work goes on.
fn memory_is_given_back_before_it_runs_out() {
    let one = device();
    let (free, total) = one.memory();
    let queues: Vec<_> = (0..3).map(|_| one.queue().expect("a queue")).collect();
    // A fifth each, of sizes that fit no pooled one, freed while they are in use.
    for round in 0..40u64 {
        let bytes = usize::try_from(total / 5 - round * 7919 * 256).expect("a size");
        let queue = &queues[round as usize % 3];
        let buffer = queue.alloc(bytes).unwrap_or_else(|e| panic!("{round}: {e}"));
        queue.zero(&buffer, 0, 4096).expect("it fits");
        let other = one.alloc(4096 + bytes / 7).unwrap_or_else(|e| panic!("{round}: {e}"));
        one.zero(&other, 0, 4096).expect("it fits");
    }
    let held: Vec<_> = (0..3).map(|_| one.alloc((total / 5) as usize).expect("there is room")).collect();
    assert!(matches!(one.alloc((total / 2) as usize), Err(DeviceError::OutOfMemory { .. })));
    drop(held);
    assert!(free.saturating_sub(one.memory().0) < total / 10, "{:?}", one.memory());
}
