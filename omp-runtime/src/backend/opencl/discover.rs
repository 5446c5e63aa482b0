//! Discovery of OpenCL devices and their properties. Nothing here creates a context.
use super::OpenClDevice;
use crate::backend::Unavailable;
use crate::backend::api::{DeviceFacts, Limits};
use omp_kernels::back::Dialect;
use omp_kernels::schedule::{DeviceClass, DeviceKind};
use opencl3::device::{
    CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE, CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_ENDIAN_LITTLE,
    CL_DEVICE_EXTENSIONS, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, CL_DEVICE_GLOBAL_MEM_SIZE,
    CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_MAX_CLOCK_FREQUENCY, CL_DEVICE_MAX_COMPUTE_UNITS,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_MAX_WORK_ITEM_SIZES,
    CL_DEVICE_NAME, CL_DEVICE_OPENCL_C_ALL_VERSIONS, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_SINGLE_FP_CONFIG,
    CL_DEVICE_TYPE, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_VERSION, CL_DRIVER_VERSION,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, get_device_data, get_device_ids,
};
use opencl3::error_codes::{
    CL_PLATFORM_NOT_FOUND_KHR, DLOPEN_FUNCTION_NOT_AVAILABLE, DLOPEN_RUNTIME_LOAD_FAILED,
};
use opencl3::platform::platform::{
    CL_PLATFORM_NAME, CL_PLATFORM_VERSION, get_platform_data, get_platform_ids,
};
use opencl3::types::{cl_device_id, cl_platform_id};
use std::sync::{Mutex, PoisonError};

/// What the rest of the backend needs to know of a device, beyond its facts.
#[derive(Debug, Clone)]
pub(super) struct Capabilities {
    /// Largest `-cl-std` that its compiler takes: 12, 20, 30.
    pub(super) c_version: u32,
    /// OpenCL version of the device: 11, 12, 20, 21, 30.
    pub(super) version: u32,
    /// Takes `-cl-fp32-correctly-rounded-divide-sqrt`.
    pub(super) rounded_divide: bool,
    /// Largest work-group by axis.
    pub(super) work_items: [usize; 3],
    /// For people.
    pub(super) limits: Limits,
}

/// See [`super::devices`].
pub(super) fn devices() -> Result<Vec<OpenClDevice>, Unavailable> {
    // PoCL 3.1 crashes if a second thread makes a query while the first one still initialises it.
    static ASKING: Mutex<()> = Mutex::new(());
    let _asking = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
    let platforms = get_platform_ids().map_err(|status| Unavailable { reason: no_platform(status) })?;
    let mut found = Vec::new();
    let mut passed_over = Vec::new();
    for platform in platforms {
        // A platform without devices says so by an error; that is no reason to stop.
        for id in get_device_ids(platform, CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            match describe(platform, id) {
                Ok(device) => found.push(device),
                Err(reason) => passed_over.push(reason),
            }
        }
    }
    if found.is_empty() {
        let mut reason = "no OpenCL platform has a usable device (look with `clinfo`)".to_owned();
        if !passed_over.is_empty() {
            reason = format!("{reason}: {}", passed_over.join("; "));
        }
        return Err(Unavailable { reason });
    }
    found.sort_by_key(OpenClDevice::is_cpu);
    Ok(found)
}

fn no_platform(status: i32) -> String {
    match status {
        DLOPEN_RUNTIME_LOAD_FAILED => {
            let library = if cfg!(target_os = "windows") {
                "OpenCL.dll"
            } else if cfg!(target_os = "macos") {
                "the OpenCL framework"
            } else {
                "libOpenCL.so.1"
            };
            format!(
                "{library} (the OpenCL loader) was not found on the library path; install one (Debian: \
                 ocl-icd-libopencl1 and a driver such as pocl-opencl-icd) or name it in OPENCL_DYLIB_PATH"
            )
        }
        DLOPEN_FUNCTION_NOT_AVAILABLE => {
            "the OpenCL library that was found has no clGetPlatformIDs".to_owned()
        }
        CL_PLATFORM_NOT_FOUND_KHR => "the OpenCL loader is there, but no driver is installed (none in \
             /etc/OpenCL/vendors); Debian: pocl-opencl-icd runs OpenCL on the CPU"
            .to_owned(),
        other => format!("the OpenCL loader gives no platform: {}", super::status::Fault(other)),
    }
}

fn describe(platform: cl_platform_id, id: cl_device_id) -> Result<OpenClDevice, String> {
    let device = Query(id);
    let name = device.text(CL_DEVICE_NAME);
    for (query, problem) in [
        (CL_DEVICE_AVAILABLE, "is not available"),
        (CL_DEVICE_COMPILER_AVAILABLE, "has no compiler"),
        (CL_DEVICE_ENDIAN_LITTLE, "is big-endian"),
    ] {
        if device.number(query) == 0 {
            return Err(format!("{name} {problem}"));
        }
    }
    let version = device.version(CL_DEVICE_VERSION);
    if version < 12 {
        return Err(format!("{name} has OpenCL {}, 1.2 is needed", device.text(CL_DEVICE_VERSION)));
    }
    let kind = if device.number(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU != 0 {
        DeviceKind::OpenClCpu
    } else {
        DeviceKind::OpenClGpu
    };
    let platform_text = |query| text(&get_platform_data(platform, query).unwrap_or_default());
    let sizes = device.words(CL_DEVICE_MAX_WORK_ITEM_SIZES);
    let capabilities = Capabilities {
        c_version: device.c_version(),
        version,
        rounded_divide: device.number(CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
        work_items: std::array::from_fn(|axis| sizes.get(axis).copied().unwrap_or(1)),
        // OpenCL has no query for the bandwidth of memory or for lanes of arithmetic.
        limits: Limits {
            clock: Some(device.number(CL_DEVICE_MAX_CLOCK_FREQUENCY))
                .filter(|megahertz| *megahertz > 0)
                .map(|megahertz| megahertz as f64 * 1e6),
            cache: Some(device.number(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)).filter(|bytes| *bytes > 0),
            ..Limits::default()
        },
    };
    let facts = DeviceFacts {
        backend: "opencl",
        versions: format!(
            "{} {}; driver {}; {}",
            platform_text(CL_PLATFORM_NAME),
            platform_text(CL_PLATFORM_VERSION),
            device.text(CL_DRIVER_VERSION),
            device.text(CL_DEVICE_VERSION),
        ),
        name,
        memory: device.number(CL_DEVICE_GLOBAL_MEM_SIZE),
        max_alloc: device.number(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        class: DeviceClass {
            kind,
            units: device.small(CL_DEVICE_MAX_COMPUTE_UNITS).max(1),
            max_block: device.small(CL_DEVICE_MAX_WORK_GROUP_SIZE).max(1),
            warp: if kind == DeviceKind::OpenClCpu { 1 } else { device.warp() },
            shared_bytes: device.small(CL_DEVICE_LOCAL_MEM_SIZE),
            arch: 0,
            f64: device.number(CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
            atomics64: device.text(CL_DEVICE_EXTENSIONS).split(' ').any(|e| e == "cl_khr_int64_base_atomics"),
        },
        dialect: Dialect::OpenCl,
    };
    Ok(OpenClDevice::new(id, facts, capabilities))
}

/// Queries of one device. A query that fails gives zero or nothing.
struct Query(cl_device_id);

impl Query {
    fn bytes(&self, query: u32) -> Vec<u8> {
        get_device_data(self.0, query).unwrap_or_default()
    }

    fn text(&self, query: u32) -> String {
        text(&self.bytes(query))
    }

    /// A little-endian number of up to eight bytes.
    fn number(&self, query: u32) -> u64 {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(self.bytes(query)) {
            *to = from;
        }
        u64::from_le_bytes(word)
    }

    fn small(&self, query: u32) -> u32 {
        u32::try_from(self.number(query)).unwrap_or(u32::MAX)
    }

    fn words(&self, query: u32) -> Vec<usize> {
        self.bytes(query)
            .chunks_exact(size_of::<usize>())
            .map(|c| usize::from_ne_bytes(c.try_into().expect("chunks_exact gives whole words")))
            .collect()
    }

    /// `OpenCL 3.0 …` or `OpenCL C 1.2 …` as 30 or 12.
    fn version(&self, query: u32) -> u32 {
        version_in(&self.text(query))
    }

    /// An OpenCL 3.0 device may say 1.2 in the old query and list the newer versions in another.
    fn c_version(&self) -> u32 {
        const NAME_VERSION: usize = 68; // u32 version (10 bits major, 10 bits minor, 12 patch), 64 bytes name
        let listed = self.bytes(CL_DEVICE_OPENCL_C_ALL_VERSIONS);
        let listed = listed.chunks_exact(NAME_VERSION).map(|entry| {
            let bits = u32::from_le_bytes(entry[..4].try_into().expect("four bytes of 68"));
            (bits >> 22) * 10 + (bits >> 12 & 0x3ff)
        });
        listed.chain([self.version(CL_DEVICE_OPENCL_C_VERSION)]).max().unwrap_or(12)
    }

    /// Lanes in lockstep, by the vendors' queries; 32 if there is none.
    fn warp(&self) -> u32 {
        const WARP_SIZE_NV: u32 = 0x4003;
        const WAVEFRONT_WIDTH_AMD: u32 = 0x4043;
        [WARP_SIZE_NV, WAVEFRONT_WIDTH_AMD]
            .into_iter()
            .map(|query| self.small(query))
            .find(|width| (1..=128).contains(width))
            .unwrap_or(32)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches('\0').trim().to_owned()
}

fn version_in(text: &str) -> u32 {
    text.split_whitespace()
        .find_map(|word| {
            let (major, minor) = word.split_once('.')?;
            let minor = minor.split(|c: char| !c.is_ascii_digit()).next()?;
            Some(major.parse::<u32>().ok()? * 10 + minor.parse::<u32>().ok()?)
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{no_platform, version_in};

    #[test]
    fn versions_are_read_as_drivers_write_them() {
        assert_eq!(version_in("OpenCL 3.0 PoCL HSTR: pthread-x86_64"), 30);
        assert_eq!(version_in("OpenCL C 1.2 PoCL"), 12);
        assert_eq!(version_in("OpenCL 1.1"), 11);
        assert_eq!(version_in("OpenCL 2.1+debian"), 21);
        assert_eq!(version_in(""), 0);
    }

    #[test]
    fn a_missing_loader_is_named() {
        assert!(no_platform(super::DLOPEN_RUNTIME_LOAD_FAILED).contains("OpenCL"));
        assert!(no_platform(super::CL_PLATFORM_NOT_FOUND_KHR).contains("no driver"));
        assert!(no_platform(-30).contains("-30"));
    }
}
