//! Tables.
use std::sync::atomic::AtomicU32;
#[omp::declare_target]
static COUNT: AtomicU32 = AtomicU32::new(0);
#[omp::declare_target]
static mut T: [u32; 2] = [0, 1];
#[omp::declare_target]
const R: &[&str] = &["a"];
fn main() {}
