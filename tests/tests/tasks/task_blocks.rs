//! Target blocks as tasks: their loops are queued, the function goes on, and everything has its serial meaning.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::{goes_on, on_every_device, panic_text};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const SIZES: [usize; 6] = [0, 1, 2, 33, 257, 1000];

#[omp::offload]
fn long(d: usize, rounds: usize, y: &mut [u64], z: &mut [u64], launched: &mut Duration) -> u64 {
    let start = Instant::now();
    #[omp::target(nowait, device(d))]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            for k in 0..rounds {
                y[i] = y[i].wrapping_mul(6364136223846793005).wrapping_add(k as u64);
            }
        }
        let by = rounds as u64;
        #[omp::parallel_for]
        for i in 0..z.len() {
            z[i] = y[i] ^ by;
        }
    }
    *launched = start.elapsed();
    z[0]
}

#[test]
fn the_function_goes_on() {
    on_every_device(|d| {
        let (mut y, mut z) = (vec![1; 64], vec![0; 64]);
        let mut launched = Duration::ZERO;
        long(d, 1, &mut y, &mut z, &mut launched);
        if omp::last_region().backend == "cuda" {
            // An emulated device may run what is queued at once.
            return;
        }
        goes_on(|| {
            assert_eq!(long(d, 400_000, &mut y, &mut z, &mut launched), y[0] ^ 400_000);
            launched
        });
    });
}

struct Fields {
    x: Vec<i64>,
    y: Vec<i64>,
    gain: i64,
    total: i64,
}

impl Fields {
    /// Fields, scalars of the host between, conditions and loops around loops, a reduced field.
    #[omp::offload]
    fn step(&mut self, d: usize, rounds: usize) -> i64 {
        let n = self.x.len();
        #[omp::target(nowait, device(d), depend(inout: self.x, self.y))]
        {
            let by = self.gain + 1;
            for k in 0..rounds {
                if k % 2 == 0 {
                    #[omp::parallel_for]
                    for i in 0..n {
                        self.x[i] += by * k as i64;
                    }
                } else {
                    #[omp::parallel_for]
                    for i in 0..n {
                        self.y[i] = self.y[i] + self.x[i];
                    }
                }
            }
            #[omp::parallel_for(reduction(+: self.total))]
            for i in 0..n {
                self.total += self.y[i];
            }
        }
        // A read waits.
        let seen = self.total + self.y.first().copied().unwrap_or(0);
        omp::taskwait!();
        seen
    }
}

#[test]
fn fields_and_what_stands_around_loops() {
    on_every_device(|d| {
        for n in SIZES {
            let new = || Fields { x: (0..n as i64).collect(), y: vec![1; n], gain: 4, total: 7 };
            let (mut got, mut want) = (new(), new());
            let by = want.gain + 1;
            for k in 0..5 {
                for i in 0..n {
                    if k % 2 == 0 {
                        want.x[i] += by * k;
                    } else {
                        want.y[i] += want.x[i];
                    }
                }
            }
            want.total += want.y.iter().sum::<i64>();
            assert_eq!(got.step(d, 5), want.total + want.y.first().copied().unwrap_or(0), "{n} on {d}");
            assert_eq!((got.x, got.y, got.total), (want.x, want.y, want.total), "{n} on {d}");
        }
    });
}

/// What the host needs of the device while the block stands.
#[omp::offload]
fn asks(d: usize, x: &mut [f64], limit: f64) -> (usize, f64) {
    let mut rounds = 0;
    let mut last = 0.0;
    #[omp::target(nowait, device(d))]
    {
        let mut err = f64::MAX;
        while err > limit && rounds < 50 {
            let mut sum = 0.0;
            #[omp::parallel_for(reduction(+: sum))]
            for i in 0..x.len() {
                sum += x[i].abs();
            }
            #[omp::parallel_for]
            for i in 0..x.len() {
                x[i] *= 0.5;
            }
            err = sum;
            rounds += 1;
        }
        if !x.is_empty() {
            last = x[0] + 1.0;
            x[0] = 3.0;
        }
    }
    omp::taskwait!();
    (rounds, last)
}

#[test]
fn values_that_the_host_needs() {
    on_every_device(|d| {
        for n in SIZES {
            let mut x: Vec<f64> = (0..n).map(|i| i as f64 + 1.0).collect();
            let mut want = x.clone();
            let (mut rounds, mut err, mut last) = (0, f64::MAX, 0.0);
            while err > 0.1 && rounds < 50 {
                err = want.iter().sum();
                want.iter_mut().for_each(|v| *v *= 0.5);
                rounds += 1;
            }
            if n > 0 {
                last = want[0] + 1.0;
                want[0] = 3.0;
            }
            assert_eq!(asks(d, &mut x, 0.1), (rounds, last), "{n} on {d}");
            assert_eq!(x, want, "{n} on {d}");
        }
    });
}

/// Several blocks, beside each other and after each other; scratch memory that never comes back; present data.
#[omp::offload]
fn several(d: usize, a: &mut [u32], b: &mut [u32], tmp: &mut [u32], table: &[u32]) -> u32 {
    let n = a.len();
    omp::target_enter_data!(map(to: table), device(d));
    for k in 0..3 {
        #[omp::target(nowait, device(d), map(alloc: tmp), map(to: table))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                tmp[i] = a[i] + table[i] + k;
            }
            #[omp::parallel_for]
            for i in 0..n {
                a[i] = tmp[n - 1 - i] * 3;
            }
        }
        #[omp::target(nowait, device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                b[i] = b[i] ^ table[i];
            }
            b.swap(0, n - 1);
        }
    }
    let seen = b[0];
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        b[i] += a[i];
    }
    omp::taskwait!();
    omp::target_exit_data!(map(delete: table), device(d));
    seen
}

#[test]
fn blocks_beside_and_after_each_other() {
    on_every_device(|d| {
        for n in [1usize, 2, 33, 257, 1000] {
            let new = |s: u32| (0..n as u32).map(|i| i * s + s).collect::<Vec<_>>();
            let (mut a, mut b, mut tmp, table) = (new(1), new(2), vec![9; n], new(7));
            let (mut wa, mut wb) = (a.clone(), b.clone());
            for k in 0..3 {
                let t: Vec<u32> = (0..n).map(|i| wa[i] + table[i] + k).collect();
                (0..n).for_each(|i| wa[i] = t[n - 1 - i] * 3);
                (0..n).for_each(|i| wb[i] ^= table[i]);
                wb.swap(0, n - 1);
            }
            let seen = wb[0];
            (0..n).for_each(|i| wb[i] += wa[i]);
            assert_eq!(several(d, &mut a, &mut b, &mut tmp, &table), seen, "{n} on {d}");
            assert_eq!((a, b), (wa, wb), "{n} on {d}");
            if d < omp::get_num_devices() {
                assert_eq!(tmp, vec![9; n], "it is the device's alone");
            }
        }
    });
}

#[omp::offload]
fn fails(d: usize, x: &mut [i64], y: &mut [i64], z: &mut [i64], at: usize, asks: bool) {
    #[omp::target(nowait, device(d), name("the block"))]
    {
        #[omp::parallel_for]
        for i in 0..z.len() {
            z[i] = 5;
        }
        #[omp::parallel_for]
        for i in 0..x.len() {
            y[i] = x[i + at];
        }
        if asks {
            // It gets no value: the block is left.
            let v = y[0];
            assert!(v != i64::MIN);
        }
        #[omp::parallel_for]
        for i in 0..x.len() {
            x[i] = y[i] + 1;
        }
    }
    // Refused: it needs what has failed.
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] = 100;
    }
    omp::taskwait!();
}

#[test]
fn failures_are_told_at_the_wait() {
    on_every_device(|d| {
        for asks in [false, true] {
            let (mut x, mut y, mut z) = (vec![1; 40], vec![2; 40], vec![0; 40]);
            let run = || fails(d, &mut x, &mut y, &mut z, 1, asks);
            let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it is out of bounds");
            let text = panic_text(&*payload);
            assert!(text.contains("index is 40") && text.contains("the block"), "{text} on {d}");
            if d < omp::get_num_devices() {
                assert_eq!((x[3], y[3]), (1, 2), "nothing came back, on {d}");
            }
            assert!(y.iter().all(|v| [1, 2].contains(v)), "{y:?} on {d}");
            // The program can go on.
            fails(d, &mut x, &mut y, &mut z, 0, asks);
            assert!(z.iter().all(|v| *v == 5) && y.iter().all(|v| *v == 100), "on {d}");
        }
    });
}

#[omp::offload(try)]
fn tries(d: usize, x: &mut [i64], y: &mut [i64], at: usize) -> Result<i64, omp::Error> {
    #[omp::target(nowait, device(d))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            y[i] = x[i + at];
        }
        let first = y[0];
        #[omp::parallel_for]
        for i in 0..x.len() {
            x[i] = y[i] + first;
        }
    }
    omp::taskwait!();
    Ok(x[0])
}

#[test]
fn failures_are_errors_under_try() {
    on_every_device(|d| {
        let (mut x, mut y) = (vec![4; 10], vec![0; 10]);
        let error = tries(d, &mut x, &mut y, 1).expect_err("it is out of bounds");
        assert!(error.to_string().contains("index is 10"), "{error} on {d}");
        assert_eq!(tries(d, &mut x, &mut y, 0).ok(), Some(2 * x[0] - x[0]), "on {d}");
    });
}

#[test]
fn the_last_region_is_the_block() {
    on_every_device(|d| {
        let (mut x, mut y) = (vec![4i64; 100], vec![0; 100]);
        assert_eq!(sums(d, &mut x, &mut y), 400);
        let report = omp::last_region();
        assert_eq!(report.name, "both", "{report} on {d}");
        if d < omp::get_num_devices() {
            assert_eq!((report.bytes_to_device, report.bytes_from_device), (800, 800), "{report} on {d}");
        }
    });
}

#[omp::offload]
fn sums(d: usize, x: &mut [i64], y: &mut [i64]) -> i64 {
    let mut s = 0;
    #[omp::target(nowait, device(d), name("both"))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            y[i] = x[i];
        }
        #[omp::parallel_for(reduction(+: s))]
        for i in 0..y.len() {
            s += y[i];
        }
    }
    omp::taskwait!();
    s
}
