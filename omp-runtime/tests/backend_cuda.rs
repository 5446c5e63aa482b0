//! The CUDA backend as far as the machine goes: NVRTC needs no GPU, discovery must not panic without a driver, and
//! a GPU runs the whole list.
mod conformance;

use omp_kernels::schedule::Geometry;
use omp_runtime::backend::api::{ArgValue, Device, DeviceError};
use omp_runtime::backend::cuda::{self, nvrtc};

/// Whether there is an NVRTC; says so if not.
fn nvrtc_is_there() -> bool {
    match nvrtc::version() {
        Ok((major, minor)) => {
            println!("NVRTC {major}.{minor} ({})", nvrtc::identity());
            true
        }
        Err(unavailable) => {
            assert!(unavailable.reason.contains("nvrtc"), "{unavailable}");
            // CI sets this where NVRTC is installed, so that the tests cannot pass by skipping.
            assert!(std::env::var_os("OMP_TEST_REQUIRE_NVRTC").is_none(), "{unavailable}");
            println!("skipped: no NVRTC ({unavailable})");
            false
        }
    }
}

const AXPY: &str =
    "extern \"C\" __global__ void axpy(float* y, const float* x, float a, unsigned long long n) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = helper(a, x[i], y[i]);
}";
/// Compiles only with `-default-device`: it has no `__device__`.
const HELPER: &str = "float helper(float a, float x, float y) { return a * x + y; }\n";

#[test]
fn cubins_for_several_architectures() {
    if !nvrtc_is_there() {
        return;
    }
    for arch in [80, 89, 90, 100] {
        let cubin = nvrtc::compile(&format!("{HELPER}{AXPY}"), arch, &["--fmad=false".into()]).unwrap();
        assert!(cubin.starts_with(b"\x7fELF"), "sm_{arch}");
        assert!(cubin.windows(5).any(|w| w == b"axpy\0"), "sm_{arch} keeps the kernel's name");
    }
}

#[test]
fn ptx_for_an_architecture_from_the_future() {
    if !nvrtc_is_there() {
        return;
    }
    let ptx = nvrtc::compile(&format!("{HELPER}{AXPY}"), 999, &[]).unwrap();
    let ptx = String::from_utf8(ptx).unwrap();
    assert!(ptx.contains(".entry axpy") && ptx.ends_with('\0'), "{ptx}");
}

#[test]
fn the_log_of_a_failure() {
    if !nvrtc_is_there() {
        return;
    }
    let log = |text: &str, options: &[String]| match nvrtc::compile(text, 90, options) {
        Err(DeviceError::Compile { log }) => log,
        other => panic!("{other:?}"),
    };
    let missing = log(AXPY, &[]);
    assert!(missing.contains("helper") && missing.contains("kernel.cu"), "{missing}");
    let option = log(HELPER, &["--no-such-option".into()]);
    assert!(option.contains("no-such-option"), "{option}");
    assert!(log("a\0b", &[]).contains("NUL"));
}

#[test]
fn several_threads_compile() {
    if !nvrtc_is_there() {
        return;
    }
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let text = format!("extern \"C\" __global__ void k{thread}(int* x) {{ *x = {thread}; }}");
                assert!(nvrtc::compile(&text, 90, &[]).is_ok());
            });
        }
    });
}

#[test]
fn every_device_conforms() {
    let devices = match cuda::devices() {
        Ok(devices) => devices,
        Err(unavailable) => {
            println!("skipped: no CUDA device ({unavailable})");
            return;
        }
    };
    let mut failed = Vec::new();
    for device in &devices {
        println!("{:?}", device.facts());
        for (name, checked) in conformance::all(device, 300 << 20) {
            if let Err(error) = checked {
                failed.push(format!("{}: {name}: {error}", device.facts().name));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Kernels for one block that a GPU may forgive, and what the emulated device says of each.
const BROKEN: [(&str, &str); 3] = [
    ("KERNEL bad(u32* x) { x[threadIdx.x + 65] = 1; }", "signal 11"),
    (
        "KERNEL bad(u32* x) {\nif (threadIdx.x == 0) {\n__syncthreads();\n} else {\n__syncthreads();\n} }",
        "different barriers",
    ),
    (
        "KERNEL bad(u32* x) { __shared__ u32 s; if (threadIdx.x < 2) s = __shfl_down_sync(3u, 1u, 1); \
         if (threadIdx.x == 0) __syncwarp(3u); __syncthreads(); x[0] = s; }",
        "not all threads",
    ),
];

/// Runs a broken kernel in a process of its own: the emulator ends it.
#[test]
fn the_emulated_device_notices_broken_kernels() {
    const CHILD: &str = "OMP_TEST_BROKEN_KERNEL";
    let devices = cuda::devices().unwrap_or_default();
    let Some(device) = devices.iter().find(|d| d.facts().name == "CUDA emulator") else {
        println!("skipped: no emulated CUDA device");
        return;
    };
    if let Ok(number) = std::env::var(CHILD) {
        let (text, _) = BROKEN[number.parse::<usize>().expect("a number")];
        let kernel = conformance::kernel(device, "bad", text).expect("it compiles");
        let buffer = device.alloc(128 * 4).expect("there is memory");
        let geometry = Geometry { grid: [1; 3], block: [64, 1, 1], shared: 0 };
        let launched = device.launch(&kernel, &geometry, &[ArgValue::Buffer(&buffer)]);
        println!("{:?}", launched.and_then(|()| device.wait()));
        return;
    }
    let this = std::env::current_exe().expect("the test's own path");
    for (number, (text, said)) in BROKEN.iter().enumerate() {
        let mut child = std::process::Command::new(&this);
        child.args(["--exact", "the_emulated_device_notices_broken_kernels", "--nocapture"]);
        let output = child.env(CHILD, number.to_string()).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(said), "{text}: {stderr}{}", String::from_utf8_lossy(&output.stdout));
    }
}
