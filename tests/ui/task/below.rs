//! Attribute macros below `offload` get what it makes of a function with tasks; what suspends it may forget it.
#[omp::offload]
#[test]
fn below(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
}

#[omp::offload]
#[cfg_attr(all(), inline, core::prelude::v1::test)]
fn under_a_condition(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
}

struct S;

#[omp::offload]
#[cfg_attr(all(), core::prelude::v1::test)]
impl S {
    fn around(y: &mut [u64]) {
        #[omp::target(nowait)]
        for i in 0..y.len() {
            y[i] += 1;
        }
    }
}

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

#[omp::target(nowait)]
#[test]
fn short(y: &mut [u64]) {
    for i in 0..y.len() {
        y[i] += 1;
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

fn main() {
    fine(&mut [1, 2]);
}
