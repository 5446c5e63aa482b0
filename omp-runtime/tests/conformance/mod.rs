//! What every device must do, checked on a real one: the tests of the backends and the example `backend_selftest`
//! run the same list.
mod queues;

use omp_kernels::back::{Dialect, Source};
use omp_kernels::schedule::Geometry;
use omp_runtime::backend::api::{ArgValue, Device, DeviceError, PART_ALIGN};
use std::mem::MaybeUninit;

/// A check's outcome: what is wrong, in words.
pub type Checked = Result<(), String>;

/// All checks, by name. Round trips go up to `largest` bytes.
pub fn all<D: Device>(device: &D, largest: usize) -> Vec<(&'static str, Checked)> {
    let mut all = vec![
        ("facts", facts(device)),
        ("round trips of all sizes", round_trips(device, largest)),
        ("parts of a buffer", parts(device)),
        ("out-of-range copies are refused", ranges(device)),
        ("zero", zero(device)),
        ("memory is reused", reuse(device)),
        ("compile, load, launch", launch(device)),
        ("struct, small and large arguments", arguments(device)),
        ("parts of a buffer as arguments", part_arguments(device)),
        ("mailbox", mailbox(device)),
        ("geometry in three dimensions", geometry(device)),
        ("a compiled kernel outlives its program", reload(device)),
        ("a bad source gives the log", bad_source(device)),
        ("a bad binary is refused", bad_binary(device)),
        ("a bad launch is refused", bad_launch(device)),
        ("out of memory, then on", out_of_memory(device)),
        ("several threads", threads(device)),
        ("drops while work is queued", drops(device)),
        ("kernel time", kernel_time(device)),
    ];
    all.extend(queues::all(device, largest));
    all
}

const PRELUDE_CUDA: &str = "
#define KERNEL extern \"C\" __global__ void
#define GLOBAL
typedef unsigned int u32; typedef unsigned long long u64;
#define ID(a) ((u64)(blockIdx.a) * blockDim.a + threadIdx.a)
#define IDX ID(x)
#define IDY ID(y)
#define IDZ ID(z)
";
const PRELUDE_OPENCL: &str = "
#define KERNEL __kernel void
#define GLOBAL __global
typedef uint u32; typedef ulong u64;
#define IDX ((u64)get_global_id(0))
#define IDY ((u64)get_global_id(1))
#define IDZ ((u64)get_global_id(2))
";

/// A source in the device's language.
pub fn source<D: Device>(device: &D, entry: &str, text: &str) -> Source {
    let prelude = match device.facts().dialect {
        Dialect::Cuda => PRELUDE_CUDA,
        Dialect::OpenCl => PRELUDE_OPENCL,
    };
    Source {
        text: format!("{prelude}{text}"),
        entry: entry.into(),
        args: Vec::new(),
        sites: Vec::new(),
        inner: Vec::new(),
        options: Vec::new(),
        phases: 1,
        constants: Vec::new(),
    }
}

/// Compiles and loads.
pub fn kernel<D: Device>(device: &D, entry: &str, text: &str) -> Result<D::Kernel, String> {
    let source = source(device, entry, text);
    let binary = device.compile(&source).map_err(say)?;
    device.load(&binary, &source).map_err(say)
}

/// Bytes as a copy takes them.
pub fn uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: initialised bytes are valid as possibly uninitialised ones.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// A buffer with these bytes.
pub fn buffer<D: Device>(device: &D, bytes: &[u8]) -> Result<D::Buffer, String> {
    let buffer = device.alloc(bytes.len()).map_err(say)?;
    device.upload(&buffer, 0, uninit(bytes)).map_err(say)?;
    Ok(buffer)
}

/// The bytes of a buffer.
pub fn bytes<D: Device>(
    device: &D,
    from: &D::Buffer,
    offset: usize,
    count: usize,
) -> Result<Vec<u8>, String> {
    let mut to = vec![0xA5u8; count];
    let pointer = to.as_mut_ptr().cast::<MaybeUninit<u8>>();
    // SAFETY: the same memory; the download writes a byte or does not change it.
    let slots = unsafe { std::slice::from_raw_parts_mut(pointer, count) };
    device.download(slots, from, offset).map_err(say)?;
    Ok(to)
}

/// Bytes that differ from place to place and from seed to seed.
pub fn pattern(count: usize, seed: u64) -> Vec<u8> {
    let word = |i: u64| (i + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).to_le_bytes();
    let mut all = Vec::with_capacity(count + 8);
    let mut i = 0;
    while all.len() < count {
        all.extend_from_slice(&word(i));
        i += 1;
    }
    all.truncate(count);
    all
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// An error in words.
pub fn say(error: DeviceError) -> String {
    error.to_string()
}

fn same(what: &str, got: &[u8], want: &[u8]) -> Checked {
    if got == want {
        return Ok(());
    }
    let at = got.iter().zip(want).position(|(g, w)| g != w);
    Err(format!("{what}: {} bytes of {}, first difference at {at:?}", got.len(), want.len()))
}

fn expect(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

const ONE: Geometry = Geometry { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };

fn facts<D: Device>(device: &D) -> Checked {
    let facts = device.facts();
    expect(!facts.name.is_empty() && !facts.versions.is_empty(), || format!("{facts:?}"))?;
    expect(facts.memory >= facts.max_alloc && facts.max_alloc > 0, || format!("{facts:?}"))?;
    expect(facts.class.max_block >= 1 && facts.class.units >= 1 && facts.class.warp >= 1, || {
        format!("{facts:?}")
    })?;
    let (free, total) = device.memory();
    expect(free <= total && total > 0, || format!("memory {free} of {total}"))
}

/// Uploads and downloads of sizes around every limit that a backend may have.
pub fn round_trips<D: Device>(device: &D, largest: usize) -> Checked {
    let sizes = [
        1,
        3,
        255,
        4097,
        (64 << 10) - 1,
        64 << 10,
        (64 << 10) + 1,
        (256 << 10) + 3,
        (1 << 20) + 1,
        (2 << 20) - 5,
        (2 << 20) + 4096,
        (9 << 20) + 7,
        (64 << 20) - 1,
        (300 << 20) + 13,
        (1 << 30) + 1,
    ];
    let most = largest.min(usize::try_from(device.facts().max_alloc).unwrap_or(usize::MAX));
    for size in sizes.into_iter().filter(|&s| s <= most) {
        let sent = pattern(size, size as u64);
        let there = buffer(device, &sent)?;
        same(&format!("{size} bytes"), &bytes(device, &there, 0, size)?, &sent)?;
    }
    Ok(())
}

fn parts<D: Device>(device: &D) -> Checked {
    let mut want = pattern(5 << 20, 1);
    let there = buffer(device, &want)?;
    for (offset, count) in [(1, 1), (7, 100), (4095, 70_001), ((1 << 20) + 3, (3 << 20) + 1), (5 << 20, 0)] {
        let part = pattern(count, offset as u64);
        want[offset..offset + count].copy_from_slice(&part);
        device.upload(&there, offset, uninit(&part)).map_err(say)?;
        same("the part", &bytes(device, &there, offset, count)?, &part)?;
    }
    same("the whole", &bytes(device, &there, 0, want.len())?, &want)
}

fn ranges<D: Device>(device: &D) -> Checked {
    let there = device.alloc(100).map_err(say)?;
    let refused = |result: Result<(), DeviceError>| {
        expect(matches!(result, Err(DeviceError::Transfer { .. })), || format!("{result:?}"))
    };
    refused(device.upload(&there, 90, uninit(&[0; 11])))?;
    refused(device.upload(&there, usize::MAX, uninit(&[0; 2])))?;
    refused(device.download(&mut [MaybeUninit::uninit(); 101], &there, 0))?;
    refused(device.zero(&there, 101, 0))
}

fn zero<D: Device>(device: &D) -> Checked {
    let mut want = pattern(100_003, 5);
    let there = buffer(device, &want)?;
    for (offset, count) in [(0, 0), (1, 2), (13, 40), (1000, 1), (1008, 32), (50_001, 50_002)] {
        want[offset..offset + count].fill(0);
        device.zero(&there, offset, count).map_err(say)?;
    }
    same("after zero", &bytes(device, &there, 0, want.len())?, &want)
}

fn reuse<D: Device>(device: &D) -> Checked {
    let (before, _) = device.memory();
    for round in 0..200 {
        let there = device.alloc((1 << 20) + round).map_err(say)?;
        device.zero(&there, 0, 16).map_err(say)?;
    }
    device.wait().map_err(say)?;
    let (after, _) = device.memory();
    expect(before.saturating_sub(after) < 64 << 20, || format!("{before} bytes free before, {after} after"))
}

const FILL: &str =
    "KERNEL fill(GLOBAL u32* out, u64 n, u32 seed) { u64 i = IDX; if (i < n) out[i] = (u32)i * 3u + seed; }";

fn launch<D: Device>(device: &D) -> Checked {
    let fill = kernel(device, "fill", FILL)?;
    let n = 1000u64;
    let out = buffer(device, &pattern(4 * 1001, 9))?;
    let geometry = Geometry { grid: [16, 1, 1], block: [64, 1, 1], shared: 0 };
    for seed in [0u32, 7] {
        let args =
            [ArgValue::Buffer(&out), ArgValue::Bytes(&n.to_ne_bytes()), ArgValue::Bytes(&seed.to_ne_bytes())];
        device.launch(&fill, &geometry, &args).map_err(say)?;
        let got = words(&bytes(device, &out, 0, 4 * 1001)?);
        let wrong = (0..1000).find(|&i| got[i as usize] != i * 3 + seed);
        expect(wrong.is_none(), || format!("element {wrong:?} is wrong"))?;
        expect(got[1000].to_le_bytes() == pattern(4 * 1001, 9)[4000..], || "written past the end".into())?;
    }
    device.wait().map_err(say)
}

fn arguments<D: Device>(device: &D) -> Checked {
    let text = "typedef struct { float a; u32 b[5]; double c; } P;
        KERNEL args(GLOBAL u32* out, unsigned char tiny, P p, short s, u64 big) {
            out[0] = tiny; out[1] = (u32)p.a; out[2] = p.b[4]; out[3] = (u32)p.c; out[4] = (u32)(s + 100); out[5] = (u32)(big >> 32); }";
    if !device.facts().class.f64 {
        return Ok(());
    }
    let args = kernel(device, "args", text)?;
    let out = buffer(device, &[0; 24])?;
    let mut p = [0u8; 32];
    p[0..4].copy_from_slice(&2.0f32.to_ne_bytes());
    p[20..24].copy_from_slice(&33u32.to_ne_bytes());
    p[24..32].copy_from_slice(&4.0f64.to_ne_bytes());
    let values = [
        ArgValue::Buffer(&out),
        ArgValue::Bytes(&[11]),
        ArgValue::Bytes(&p),
        ArgValue::Bytes(&(-95i16).to_ne_bytes()),
        ArgValue::Bytes(&(6u64 << 32).to_ne_bytes()),
    ];
    device.launch(&args, &ONE, &values).map_err(say)?;
    let got = words(&bytes(device, &out, 0, 24)?);
    expect(got == [11, 2, 33, 4, 5, 6], || format!("{got:?}"))
}

fn part_arguments<D: Device>(device: &D) -> Checked {
    let text = "KERNEL add(GLOBAL u32* a, GLOBAL u32* b, u32 by) { a[IDX] += b[IDX] + by; }";
    let add = kernel(device, "add", text)?;
    let mut want: Vec<u8> = (0..1024u32).flat_map(u32::to_le_bytes).collect();
    let both = buffer(device, &want)?;
    let part = |offset| ArgValue::Part { buffer: &both, offset, bytes: 256 };
    let by = 7u32.to_ne_bytes();
    let args = [part(PART_ALIGN), part(3 * PART_ALIGN), ArgValue::Bytes(&by)];
    device.launch(&add, &Geometry { grid: [1, 1, 1], block: [64, 1, 1], shared: 0 }, &args).map_err(say)?;
    for i in 256..256 + 64 {
        let sum = i as u32 + (i as u32 + 512) + 7;
        want[4 * i..4 * i + 4].copy_from_slice(&sum.to_le_bytes());
    }
    same("after the kernel", &bytes(device, &both, 0, want.len())?, &want)?;
    let beyond = ArgValue::Part { buffer: &both, offset: 3 * PART_ALIGN, bytes: 2048 };
    let args = [part(0), beyond, ArgValue::Bytes(&by)];
    let result = device.launch(&add, &ONE, &args);
    expect(result.is_err(), || "a part beyond its buffer".into())
}

fn mailbox<D: Device>(device: &D) -> Checked {
    let bump = kernel(device, "bump", "KERNEL bump(GLOBAL u32* m, u32 by) { m[IDX] += by; }")?;
    for round in 0..50u32 {
        let mail = device.mailbox(96).map_err(say)?;
        device.write_mailbox(&mail, &[0; 96]).map_err(say)?;
        let geometry = Geometry { grid: [24, 1, 1], block: [1, 1, 1], shared: 0 };
        let args = [ArgValue::Buffer(&mail), ArgValue::Bytes(&round.to_ne_bytes())];
        device.launch(&bump, &geometry, &args).map_err(say)?;
        device.launch(&bump, &geometry, &args).map_err(say)?;
        device.wait().map_err(say)?;
        let mut got = [0xFF; 96];
        device.read_mailbox(&mail, &mut got).map_err(say)?;
        expect(words(&got).iter().all(|&w| w == 2 * round), || format!("round {round}: {got:?}"))?;
        // Freed while a kernel still writes to it: the next one must not be the same memory.
        device.launch(&bump, &geometry, &args).map_err(say)?;
    }
    device.wait().map_err(say)
}

fn geometry<D: Device>(device: &D) -> Checked {
    let text = "KERNEL where(GLOBAL u32* out, u32 nx, u32 ny) { u64 i = (IDZ * ny + IDY) * nx + IDX; out[i] = (u32)(IDX + 100 * IDY + 10000 * IDZ); }";
    let place = kernel(device, "where", text)?;
    let out = buffer(device, &[0; 4 * 8 * 6 * 4])?;
    let geometry = Geometry { grid: [2, 3, 4], block: [4, 2, 1], shared: 0 };
    let args = [ArgValue::Buffer(&out), ArgValue::Bytes(&[8, 0, 0, 0]), ArgValue::Bytes(&[6, 0, 0, 0])];
    device.launch(&place, &geometry, &args).map_err(say)?;
    let got = words(&bytes(device, &out, 0, 4 * 8 * 6 * 4)?);
    for (i, &word) in (0u32..).zip(&got) {
        let want = i % 8 + 100 * (i / 8 % 6) + 10000 * (i / 48);
        expect(word == want, || format!("thread {i} says {word}, not {want}"))?;
    }
    Ok(())
}

fn reload<D: Device>(device: &D) -> Checked {
    let first = source(device, "fill", FILL);
    let second = source(device, "other", "KERNEL other(GLOBAL u32* m) { m[0] = 1; }");
    let binary = device.compile(&first).map_err(say)?;
    // Another compilation comes in between, so that the binary itself must be read.
    let other = device.compile(&second).map_err(say)?;
    let (fill, _other) =
        (device.load(&binary, &first).map_err(say)?, device.load(&other, &second).map_err(say)?);
    let out = buffer(device, &[0; 40])?;
    let args =
        [ArgValue::Buffer(&out), ArgValue::Bytes(&10u64.to_ne_bytes()), ArgValue::Bytes(&[1, 0, 0, 0])];
    device.launch(&fill, &Geometry { grid: [1, 1, 1], block: [16, 1, 1], shared: 0 }, &args).map_err(say)?;
    let got = words(&bytes(device, &out, 0, 40)?);
    expect(got[9] == 28, || format!("{got:?}"))?;
    let wrong_name = device.load(&binary, &source(device, "no_such_kernel", FILL)).err();
    expect(matches!(wrong_name, Some(DeviceError::BadBinary { .. })), || format!("{wrong_name:?}"))
}

fn bad_source<D: Device>(device: &D) -> Checked {
    let result =
        device.compile(&source(device, "bad", "KERNEL bad(GLOBAL u32* m) { m[0] = undeclared_thing; }"));
    match result {
        Err(DeviceError::Compile { log }) if log.contains("undeclared_thing") => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

fn bad_binary<D: Device>(device: &D) -> Checked {
    for binary in [&b""[..], b"no binary", &pattern(5000, 3)] {
        let result = device.load(binary, &source(device, "fill", FILL)).err();
        expect(matches!(result, Some(DeviceError::BadBinary { .. })), || format!("{result:?}"))?;
    }
    Ok(())
}

fn bad_launch<D: Device>(device: &D) -> Checked {
    let fill = kernel(device, "fill", FILL)?;
    let out = device.alloc(4).map_err(say)?;
    let (n, seed) = (1u64.to_ne_bytes(), [0; 4]);
    let try_with = |grid, block| {
        let args = [ArgValue::Buffer(&out), ArgValue::Bytes(&n), ArgValue::Bytes(&seed)];
        device.launch(&fill, &Geometry { grid, block, shared: 0 }, &args)
    };
    for (grid, block) in [([0, 1, 1], [32, 1, 1]), ([1, 1, 1], [0, 1, 1]), ([1, 1, 1], [1 << 20, 1, 1])] {
        let result = try_with(grid, block);
        expect(matches!(result, Err(DeviceError::Launch { .. })), || {
            format!("{grid:?} {block:?}: {result:?}")
        })?;
    }
    try_with([1, 1, 1], [1, 1, 1]).map_err(say)?;
    device.wait().map_err(say)
}

fn out_of_memory<D: Device>(device: &D) -> Checked {
    drop(device.alloc(32 << 20).map_err(say)?); // something to give back
    for requested in [usize::MAX / 2, usize::MAX, 1 << 50] {
        let result = device.alloc(requested).err();
        match result {
            Some(DeviceError::OutOfMemory { requested: said, .. }) if said == requested as u64 => {}
            other => return Err(format!("{requested} bytes: {other:?}")),
        }
    }
    launch(device)
}

/// Six threads use the device at a time.
pub fn threads<D: Device>(device: &D) -> Checked {
    let fill = kernel(device, "fill", FILL)?;
    let one = |thread: u32| -> Checked {
        for round in 0..20u32 {
            let n = 5000 + u64::from(thread) * 100_000;
            let seed = thread * 1000 + round;
            let out = device.alloc(4 * n as usize).map_err(say)?;
            let args = [
                ArgValue::Buffer(&out),
                ArgValue::Bytes(&n.to_ne_bytes()),
                ArgValue::Bytes(&seed.to_ne_bytes()),
            ];
            let geometry = Geometry { grid: [(n as u32).div_ceil(64), 1, 1], block: [64, 1, 1], shared: 0 };
            device.launch(&fill, &geometry, &args).map_err(say)?;
            let got = words(&bytes(device, &out, 0, 4 * n as usize)?);
            let wrong = (0..n as u32).find(|&i| got[i as usize] != i * 3 + seed);
            expect(wrong.is_none(), || format!("thread {thread}, round {round}: element {wrong:?}"))?;
            device.wait().map_err(say)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let one = &one;
        let all: Vec<_> = (0..6).map(|thread| scope.spawn(move || one(thread))).collect();
        all.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| Err("a thread panicked".into())))
    })
}

fn drops<D: Device>(device: &D) -> Checked {
    let keep = device.alloc(4 << 20).map_err(say)?;
    for seed in 0..30u32 {
        let fill = kernel_again(device, seed)?;
        let out = device.alloc(4 << 20).map_err(say)?;
        let n = 1u64 << 20;
        let args =
            [ArgValue::Buffer(&out), ArgValue::Bytes(&n.to_ne_bytes()), ArgValue::Bytes(&seed.to_ne_bytes())];
        let geometry = Geometry { grid: [(1 << 20) / 64, 1, 1], block: [64, 1, 1], shared: 0 };
        device.launch(&fill, &geometry, &args).map_err(say)?;
        let again = [
            ArgValue::Buffer(&keep),
            ArgValue::Bytes(&n.to_ne_bytes()),
            ArgValue::Bytes(&seed.to_ne_bytes()),
        ];
        device.launch(&fill, &geometry, &again).map_err(say)?;
    }
    device.wait().map_err(say)?;
    let got = words(&bytes(device, &keep, 0, 4 << 20)?);
    expect(got[77] == 77 * 3 + 29, || format!("{}", got[77]))
}

/// Compiled once, loaded as often as needed: the binary of [`FILL`].
fn kernel_again<D: Device>(device: &D, seed: u32) -> Result<D::Kernel, String> {
    thread_local!(static BINARY: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) });
    BINARY.with_borrow_mut(|binary| {
        if seed == 0 {
            *binary = device.compile(&source(device, "fill", FILL)).map_err(say)?;
        }
        device.load(binary, &source(device, "fill", FILL)).map_err(say)
    })
}

/// Multiplies `times` times in every thread.
pub const BUSY: &str = "KERNEL busy(GLOBAL u32* out, u32 times) { u32 a = (u32)IDX; for (u32 i = 0; i < times; ++i) a = a * 1664525u + 1013904223u; out[IDX] = a; }";

fn kernel_time<D: Device>(device: &D) -> Checked {
    let busy = kernel(device, "busy", BUSY)?;
    let out = device.alloc(4 * 64 * 64).map_err(say)?;
    let time = |times: u32| {
        let args = [ArgValue::Buffer(&out), ArgValue::Bytes(&times.to_ne_bytes())];
        device
            .launch(&busy, &Geometry { grid: [64, 1, 1], block: [64, 1, 1], shared: 0 }, &args)
            .map_err(say)?;
        device.wait().map_err(say)?;
        device.last_kernel_time().ok_or_else(|| "no time was taken".to_owned())
    };
    time(1000)?;
    let (short, long) = (time(1000)?, time(1_000_000)?);
    expect(long > short && long.as_secs() < 60, || format!("short {short:?}, long {long:?}"))?;
    let other = std::thread::scope(|scope| scope.spawn(|| device.last_kernel_time()).join());
    expect(matches!(other, Ok(None)), || "a thread that launched nothing has a time".into())
}
