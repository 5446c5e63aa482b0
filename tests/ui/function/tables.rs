//! Tables.
use std::sync::atomic::AtomicU32;
#[omp::declare_target]
static COUNT: AtomicU32 = AtomicU32::new(0);
#[omp::declare_target]
static mut T: [u32; 2] = [0, 1];
#[omp::declare_target]
const R: &[u8; 4] = &[1, 2, 3, 4];
#[omp::declare_target]
static S: &[f32] = &[1.0, 2.0];
fn main() {}
