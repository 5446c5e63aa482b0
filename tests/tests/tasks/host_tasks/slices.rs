//! Tasks on `DeviceSlice`s in the host's memory: they run on the host's threads while the function goes on, and whatever uses
//! the memory afterwards waits.
use super::{host, in_pools};
use omp_tests::goes_on;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// Tasks on memory that is the host's, as there is no device for it, or none is wanted: of one function, and of one that it calls.
#[omp::offload]
fn on_slices(
    rounds: usize,
    a: &mut omp::DeviceSlice<u64>,
    b: &mut omp::DeviceSlice<u64>,
    y: &mut [u64],
    launched: &mut Duration,
) -> u64 {
    let start = Instant::now();
    let n = y.len();
    #[omp::target(nowait, is_device_ptr(a))]
    for i in 0..n {
        for k in 0..rounds {
            a[i] = a[i].wrapping_mul(6364136223846793005).wrapping_add(k as u64);
        }
    }
    {
        let (low, mut high) = (a.slice(..n / 2), b.slice_mut(n / 2..));
        #[omp::target(nowait, is_device_ptr(low, high))]
        for i in 0..n / 2 {
            high[i] += low[i];
        }
    }
    #[omp::target(nowait, is_device_ptr(b))]
    for i in 0..n {
        y[i] = b[i] + 1;
    }
    *launched = start.elapsed();
    more(a);
    let mut sum = 0u64;
    // No task.
    #[omp::target(is_device_ptr(a), reduction(+: sum))]
    for i in 0..n {
        sum = sum.wrapping_add(a[i]);
    }
    // The host may index it.
    sum ^ a[0] ^ b[n - 1] ^ y[n - 1]
}

#[omp::offload]
fn more(a: &mut omp::DeviceSlice<u64>) {
    #[omp::target(nowait, is_device_ptr(a))]
    for i in 0..a.len() {
        a[i] ^= 5;
    }
}

#[test]
fn device_slices_without_a_device() {
    omp::set_default_device(host());
    let n = 64;
    let check = |rounds: usize| {
        // Pools have threads of their own, with a default device each.
        omp::set_default_device(host());
        let start: Vec<u64> = (0..n as u64).collect();
        let (mut a, mut b) = (omp::DeviceSlice::from_host(&start), omp::DeviceSlice::alloc(n));
        let (mut y, mut launched) = (vec![0; n], Duration::ZERO);
        let got = on_slices(rounds, &mut a, &mut b, &mut y, &mut launched);
        let mut wa = start;
        for v in &mut wa {
            (0..rounds).for_each(|k| *v = v.wrapping_mul(6364136223846793005).wrapping_add(k as u64));
        }
        let wb: Vec<u64> = (0..n).map(|i| if i < n / 2 { 0 } else { wa[i - n / 2] }).collect();
        wa.iter_mut().for_each(|v| *v ^= 5);
        let wy: Vec<u64> = wb.iter().map(|v| v + 1).collect();
        let sum = wa.iter().fold(0u64, |s, v| s.wrapping_add(*v));
        assert_eq!(got, sum ^ wa[0] ^ wb[n - 1] ^ wy[n - 1]);
        assert_eq!((a.to_host(), b.to_host(), y), (wa, wb, wy));
        launched
    };
    in_pools(|| assert!(check(3) < Duration::from_secs(100)));
    check(1);
    goes_on(|| check(200_000));
}

/// Another thread looks at the memory, or has it go, while tasks are under way.
#[omp::offload]
fn from_other_threads(n: usize, rounds: usize) -> (Vec<u64>, u64) {
    let mut a = omp::DeviceSlice::<u64>::alloc(n);
    let mut gone = omp::DeviceSlice::<u64>::alloc(n);
    #[omp::target(nowait, is_device_ptr(a, gone))]
    for i in 0..n {
        for k in 0..rounds {
            a[i] += k as u64;
            gone[i] += a[i];
        }
    }
    let seen = std::thread::scope(|s| {
        let a = &a;
        let reader = s.spawn(move || (a.to_host(), a[n - 1]));
        s.spawn(move || drop(gone));
        reader.join().expect("it reads")
    });
    omp::taskwait!();
    seen
}

#[test]
fn device_slices_and_other_threads() {
    in_pools(|| {
        omp::set_default_device(host());
        for rounds in [1, 2000] {
            let want = (0..rounds as u64).sum::<u64>();
            assert_eq!(from_other_threads(40, rounds), (vec![want; 40], want));
        }
    });
}

/// Jobs in rayon's pool look at the memory: none of them is taken up by a thread that the task needs before it goes on.
#[omp::offload]
fn from_jobs(n: usize, rounds: usize) -> Vec<Vec<u64>> {
    let mut a = omp::DeviceSlice::<u64>::alloc(n);
    #[omp::target(nowait, is_device_ptr(a), schedule(static))]
    for i in 0..n {
        // Who has the first part waits for who has the last.
        for k in 0..rounds * i {
            a[i] += k as u64;
        }
    }
    let seen = {
        let a = &a;
        (0..16).into_par_iter().with_max_len(1).map(|_| a.to_host()).collect()
    };
    omp::taskwait!();
    seen
}

#[test]
fn device_slices_and_jobs() {
    in_pools(|| {
        omp::set_default_device(host());
        for rounds in [1, 500] {
            let want: Vec<u64> = (0..40).map(|i| (0..rounds * i).sum()).collect();
            assert_eq!(from_jobs(40, rounds as usize), vec![want; 16]);
        }
    });
}

struct Fields {
    a: omp::DeviceSlice<i32>,
    by: i32,
}

impl Fields {
    /// Fields; what can't be owned runs at its launch.
    #[omp::offload]
    fn step<T: omp::Device + Into<i32>>(&mut self, by: T) {
        let n = self.a.len();
        let by: i32 = by.into();
        let own = self.by;
        #[omp::target(nowait, is_device_ptr(self.a))]
        for i in 0..n {
            self.a[i] += by + own;
        }
        #[omp::target(nowait, is_device_ptr(self.a))]
        for i in 0..n {
            self.a[i] *= self.by;
        }
        #[omp::target(nowait, is_device_ptr(self.a))]
        {
            let first = if n > 0 { self.a[0] } else { 0 };
            #[omp::parallel_for]
            for i in 0..n {
                self.a[i] -= first;
            }
        }
    }
}

#[test]
fn device_slices_in_fields() {
    omp::set_default_device(host());
    for n in [0usize, 1, 70] {
        let start: Vec<i32> = (0..n as i32).collect();
        let mut fields = Fields { a: omp::DeviceSlice::from_host(&start), by: 3 };
        fields.step(4i16);
        let want: Vec<i32> = start.iter().map(|v| (v + 7) * 3 - 21).collect();
        assert_eq!(fields.a.to_host(), want);
    }
}
