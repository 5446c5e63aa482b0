//! Attribute macros below `offload` come first, also inside of an offloaded `mod`; what suspends a function with tasks may forget it.
#[omp::offload]
mod m {
    #[core::prelude::v1::test]
    fn inside(y: &mut [u64]) {
        #[omp::target(nowait)]
        for i in 0..y.len() {
            y[i] += 1;
        }
    }
}

#[omp::offload]
fn suspended(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    std::future::ready(()).await;
    let _ = async { std::future::ready(()).await };
}

/// rustc's own may stand there, and any where there is no task.
#[omp::offload]
#[inline]
#[must_use]
#[allow(clippy::all)]
#[doc = "text"]
#[cfg(all())]
#[cfg_attr(all(), cold, track_caller)]
#[rustfmt::skip]
fn fine(y: &mut [u64]) -> u64 {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    #[rustfmt::skip]
    let first = y[0];
    first
}

#[omp::offload]
#[test]
fn no_task() {
    let mut y = [1; 4];
    #[omp::target]
    for i in 0..4 {
        y[i] += 1;
    }
}

#[derive(Clone, Copy, omp::Device)]
struct S {
    v: u32,
}

#[omp::declare_target]
impl S {
    #[test]
    fn changed(self) -> u32 {
        self.v
    }
    #[inline]
    #[rustfmt::skip]
    #[must_use]
    fn unchanged(self) -> u32 {
        self.v
    }
}

fn main() {
    fine(&mut [1, 2]);
}
