//! What the whole-program tests share: the list of devices to compare, and how a missing one is reported.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

pub mod battery;
pub mod bodies;
#[cfg(doctest)]
mod book;
pub mod example;
pub mod shapes;
mod twice;

pub use omp_tests_twice::twice;

/// Runs `check` once for the host and once for every device that this process can use, with the device number that
/// the `device` clause takes. Says what was skipped.
///
/// # Panics
/// When `check` does, or when `OMP_TEST_REQUIRE_OPENCL` is set and there is no device.
pub fn on_every_device(mut check: impl FnMut(usize)) {
    on_every_device_in_part(|device| {
        let before = omp::__private::fallbacks();
        check(device);
        let fallen_back = omp::__private::fallbacks() - before;
        if device < omp::get_num_devices() {
            let last = omp::last_region().fallback;
            assert_eq!(fallen_back, 0, "regions that did not run on device {device}; the last one: {last:?}");
        }
    });
}

/// The same for programs of which devices can't run some regions. The last one runs on every device.
///
/// # Panics
/// As [`on_every_device`] does.
pub fn on_every_device_in_part(mut check: impl FnMut(usize)) {
    let devices = omp::get_num_devices();
    if devices == 0 {
        skipped("opencl", "no OpenCL device");
    }
    for device in 0..=devices {
        check(device);
        if device < devices {
            let report = omp::last_region();
            assert_eq!(report.fallback, None, "the region did not run on device {device}");
        }
    }
}

/// Reports a test that can't run here; fails instead where `OMP_TEST_REQUIRE_<WHAT>` is set.
///
/// # Panics
/// When `what` is required.
pub fn skipped(what: &str, why: &str) {
    let required = std::env::var_os(format!("OMP_TEST_REQUIRE_{}", what.to_uppercase())).is_some();
    assert!(!required, "{why}, but it is required here");
    eprintln!("skipped: {why}");
}

/// The text of a panic.
#[must_use]
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(payload.downcast_ref().copied())
        .unwrap_or_default()
}

/// The text of the panic that `run` ends in; `None` if it ends in none.
pub fn panic_of(run: impl FnOnce()) -> Option<String> {
    catch_unwind(AssertUnwindSafe(run)).err().map(|payload| panic_text(&*payload).to_owned())
}

/// Checks that a function goes on while its tasks run: of the time that `run` takes, the launches that it measures take at most a
/// third. On a busy machine a launch may take long, but not each of eight.
///
/// # Panics
/// When it waits at its launches.
pub fn goes_on(mut run: impl FnMut() -> Duration) {
    let mut tried = Vec::new();
    let went_on = (0..8).any(|_| {
        let start = Instant::now();
        let launched = run();
        let all = start.elapsed();
        tried.push((launched, all));
        launched * 3 < all
    });
    assert!(went_on, "launches of all: {tried:?}");
}

/// A small generator of test values (linear congruential; the high bits are used).
pub struct Values(pub u64);

impl Values {
    /// The next 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// The next 64 random bits.
    pub fn wide(&mut self) -> u64 {
        u64::from(self.bits()) << 32 | u64::from(self.bits())
    }

    /// A number from 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.bits()) / 4_294_967_296.0
    }
}
