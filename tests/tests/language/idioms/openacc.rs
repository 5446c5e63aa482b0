//! OpenACC's spelling, a module for each kind of construct. Every test runs on the host and on every device, and says there where it
//! ran.
#![allow(
    clippy::assign_op_pattern,
    clippy::explicit_iter_loop,
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    reason = "every spelling that users may choose"
)]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
mod atomics;
mod compute;
mod data;
mod declared;
mod kernels;
mod levels;
mod queues;
mod routines;

/// Sizes around those of vectors and gangs.
pub const SIZES: [usize; 7] = [0, 1, 2, 31, 33, 257, 4097];

/// Runs `check` with each device as the one that directives without a device take, and on the host. Tells `check` whether it is a
/// device.
pub fn everywhere(mut check: impl FnMut(bool)) {
    let before = omp::get_default_device();
    omp_tests::on_every_device(|device| {
        omp::set_default_device(device);
        check(device < omp::get_num_devices());
    });
    omp::set_default_device(before);
}

/// The region before this ran where it was to run.
#[track_caller]
pub fn ran(on_device: bool) {
    let report = omp::last_region();
    assert_eq!(report.backend != "host", on_device, "{report}");
    assert_eq!(report.fallback, None);
}
