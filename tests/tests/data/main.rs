//! Data: maps, data regions, stand-alone directives, target blocks, memory of devices, reports of what was copied. Every device
//! against plain Rust.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::needless_range_loop,
    reason = "every spelling that users may choose"
)]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
mod block_values;
mod blocks;
mod device_memory;
mod device_memory_sizes;
mod directives;
mod failed_memory;
mod host_side;
mod many_bytes;
mod maps;
mod memory;
mod moved_inside;
mod reports;
mod shared_slices;

use omp_tests::{Values, on_every_device, panic_text};
use std::panic::{AssertUnwindSafe, catch_unwind};

const SIZES: [usize; 7] = [0, 1, 2, 33, 255, 1000, 4097];

fn numbers(n: usize, seed: u64) -> Vec<i64> {
    let mut v = Values(seed);
    (0..n).map(|_| i64::from(v.bits() % 2001) - 1000).collect()
}

/// Whether host and device have a copy each.
fn apart(d: usize) -> bool {
    d < omp::get_num_devices()
}
