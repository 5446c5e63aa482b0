//! The OpenCL backend on every OpenCL device of the machine.
mod conformance;

use omp_runtime::backend::api::Device;
use omp_runtime::backend::opencl;

#[test]
fn every_device_conforms() {
    let devices = match opencl::devices() {
        Ok(devices) => devices,
        Err(unavailable) => {
            // CI sets this where a device is installed, so that the test cannot pass by skipping.
            assert!(std::env::var_os("OMP_TEST_REQUIRE_OPENCL").is_none(), "{unavailable}");
            println!("skipped: no OpenCL device ({unavailable})");
            return;
        }
    };
    let mut failed = Vec::new();
    for device in &devices {
        println!("{:?}", device.facts());
        for (name, checked) in conformance::all(device, 64 << 20) {
            if let Err(error) = checked {
                failed.push(format!("{}: {name}: {error}", device.facts().name));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    println!("{} OpenCL devices passed", devices.len());
}
