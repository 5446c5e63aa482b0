//! Combined and block compute constructs with their clauses.
use super::{SIZES, everywhere, ran};
use omp::acc;

#[acc::parallel_loop(copyin(x), copy(y))]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i] = a * x[i] + y[i];
    }
}

#[test]
fn a_short_form() {
    everywhere(|device| {
        for n in SIZES {
            let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let mut y = vec![1.0; n];
            saxpy(2.0, &x, &mut y);
            if n > 0 {
                ran(device);
            }
            assert!((0..n).all(|i| y[i] == 2.0 * i as f32 + 1.0), "{n}: {y:?}");
        }
    });
}

#[omp::offload]
fn sizes(x: &mut [u32], gangs: u8, workers: i64, lanes: usize) {
    let n = x.len();
    #[acc::parallel_loop(num_gangs(gangs), num_workers(workers), vector_length(lanes), copy(x))]
    for i in 0..n {
        x[i] += 1;
    }
    #[acc::parallel_loop(gang(num: 3), worker(2), vector(length: 16), copy(x))]
    for i in 0..n {
        x[i] *= 2;
    }
}

#[test]
fn gangs_workers_and_lanes_bound_the_launch() {
    everywhere(|device| {
        let mut x = vec![1; 5000];
        sizes(&mut x, 3, 4, 32);
        assert!(x.iter().all(|v| *v == 4));
        let report = omp::last_region();
        if device {
            assert!(report.grid[0] <= 3 && report.block.iter().product::<u32>() <= 32, "{report}");
        }
    });
}

#[test]
fn sizes_below_one_are_refused() {
    for (gangs, workers, lanes, word) in
        [(0, 1, 1, "num_gangs"), (1, -2, 1, "num_workers"), (1, 1, 0, "vector_length")]
    {
        let refused = std::panic::catch_unwind(|| sizes(&mut [1], gangs, workers, lanes));
        let text = *refused.expect_err("a size below one").downcast::<String>().expect("a text");
        assert!(text.contains(word), "{text}");
    }
}

#[omp::offload]
fn serial(f: &mut [u64]) -> u64 {
    let mut last = 7;
    #[acc::serial_loop(copy(f))]
    for i in 2..f.len() {
        f[i] = (f[i - 1] + f[i - 2]) % 1009;
        last = f[i];
    }
    #[acc::serial(copy(f))]
    {
        for i in 1..f.len() {
            f[i] += f[i - 1] % 2;
        }
        if f.len() > 3 {
            f[0] = f[3];
        }
    }
    last
}

#[test]
fn serial_constructs_keep_the_order() {
    everywhere(|_| {
        for n in SIZES {
            let mut f = vec![1; n];
            let last = serial(&mut f);
            let mut want = vec![1; n];
            let mut kept = 7;
            for i in 2..n {
                want[i] = (want[i - 1] + want[i - 2]) % 1009;
                kept = want[i];
            }
            for i in 1..n {
                want[i] += want[i - 1] % 2;
            }
            if n > 3 {
                want[0] = want[3];
            }
            assert_eq!((f, last), (want, kept), "{n}");
        }
    });
}

#[omp::offload]
fn block(x: &[i64], y: &mut [i64]) -> (i64, i64) {
    let (mut sum, mut most) = (100, i64::MIN);
    #[acc::parallel(copyin(x), copy(y), num_gangs(8), reduction(+: sum))]
    {
        #[acc::loop_(gang, vector)]
        for i in 0..x.len() {
            y[i] += x[i];
        }
        #[acc::loop_(independent)]
        for i in 0..x.len() {
            sum += y[i];
        }
        #[acc::loop_(reduction(max: most))]
        for i in 0..x.len() {
            most = most.max(y[i]);
        }
        #[acc::loop_(seq)]
        for i in 1..x.len() {
            y[i] += y[i - 1];
        }
    }
    (sum, most)
}

#[test]
fn loops_of_a_block_run_in_order() {
    everywhere(|_| {
        for n in SIZES {
            let x: Vec<i64> = (0..n as i64).collect();
            let mut y = vec![1; n];
            let (sum, most) = block(&x, &mut y);
            let m = n as i64;
            assert_eq!(sum, 100 + m * (m - 1) / 2 + m, "{n}");
            assert_eq!(most, if n == 0 { i64::MIN } else { m }, "{n}");
            assert!((0..m).all(|i| y[i as usize] == (i + 1) * (i + 2) / 2), "{n}: {y:?}");
        }
    });
}

#[omp::offload]
fn places(x: &mut [u32], if_: bool, self_: bool) -> u32 {
    let mut host = [0];
    #[acc::parallel_loop(if(if_), self(self_), copy(x, host))]
    for i in 0..x.len() {
        x[i] += 1;
        if i == 0 {
            host[0] = omp::is_initial_device() as u32;
        }
    }
    host[0]
}

#[test]
fn if_and_self_choose_the_host() {
    everywhere(|device| {
        for (if_, self_) in [(true, false), (false, false), (true, true), (false, true)] {
            let mut x = vec![0; 33];
            let host = places(&mut x, if_, self_);
            assert_eq!(host == 0, device && if_ && !self_, "if({if_}), self({self_})");
            assert!(x.iter().all(|v| *v == 1));
        }
    });
}

#[omp::offload]
fn copies(out: &mut [i32]) -> i32 {
    let (mut work, scale, other) = ([0; 3], [2, 3], 5);
    work[1] = 9;
    #[acc::parallel_loop(private(work), firstprivate(scale, other), copyout(out), default(none))]
    for i in 0..out.len() {
        work[0] = i as i32;
        work[2] = work[0] * scale[1] + other;
        out[i] = work[2] * scale[0];
    }
    other
}

#[test]
fn private_and_first_private_under_default_none() {
    everywhere(|_| {
        for n in SIZES {
            let mut out = vec![-1; n];
            assert_eq!(copies(&mut out), 5);
            assert!((0..n).all(|i| out[i] == 2 * (3 * i as i32 + 5)), "{n}: {out:?}");
        }
    });
}

/// Loops of a block that only read what another one of it has reduced.
#[omp::offload]
fn read_between(x: &mut [i64]) -> (i64, i64) {
    let (mut sum, mut most) = (1, 0);
    let n = x.len();
    #[acc::parallel(reduction(+: sum), reduction(max: most), copy(x))]
    {
        #[acc::loop_(gang)]
        for i in 0..n {
            sum += x[i];
        }
        #[acc::loop_(gang, vector)]
        for i in 0..n {
            x[i] += sum;
        }
        #[acc::loop_]
        for i in 0..n {
            most = most.max(x[i] - sum);
        }
        #[acc::loop_]
        for i in 0..n {
            sum += most;
            x[i] -= most;
        }
    }
    (sum, most)
}

#[test]
fn loops_read_what_others_have_reduced() {
    everywhere(|device| {
        for n in SIZES {
            let mut x: Vec<i64> = (0..n as i64).collect();
            let (sum, most) = read_between(&mut x);
            ran(device);
            let first = 1 + (0..n as i64).sum::<i64>();
            let want = (n as i64 - 1).max(0);
            assert_eq!((sum, most), (first + want * n as i64, want), "{n}");
            assert!((0..n as i64).all(|i| x[i as usize] == i + first - want), "{n}");
        }
    });
}
