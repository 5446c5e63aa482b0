//! Three kernels of which the third needs the other two: these may run at the same time, it waits for both.
use clap::Parser;
use example_support::{offloaded, timed};

/// c = a + b, where a and b are made by kernels that do not wait for each other.
#[derive(Parser)]
struct Options {
    /// Elements
    #[arg(short, long, default_value_t = 1 << 24)]
    n: usize,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

#[omp::offload]
fn sum(c: &mut [u64]) {
    let n = c.len();
    let (mut a, mut b) = (vec![0u64; n], vec![0u64; n]);
    #[omp::target_data(map(alloc: a, b), map(from: c))]
    {
        #[omp::target(nowait, depend(out: a), name("a"))]
        for i in 0..n {
            a[i] = 4 * i as u64;
        }
        #[omp::target(nowait, depend(out: b), name("b"))]
        for i in 0..n {
            b[i] = 2 * i as u64;
        }
        #[omp::target(nowait, depend(in: a, b), depend(out: c), name("a + b"))]
        for i in 0..n {
            c[i] = a[i] + b[i];
        }
        omp::taskwait!();
    }
}

fn main() {
    let o = Options::parse();
    let fresh = || vec![u64::MAX; o.n];
    let (want, serial) = timed("serial", o.repeat, fresh, |mut c| {
        let a: Vec<u64> = (0..o.n as u64).map(|i| 4 * i).collect();
        let b: Vec<u64> = (0..o.n as u64).map(|i| 2 * i).collect();
        c.iter_mut().zip(a.iter().zip(&b)).for_each(|(c, (a, b))| *c = a + b);
        c
    });
    let got = offloaded("tasks", o.repeat, serial, fresh, |mut c| {
        sum(&mut c);
        c
    });
    assert!(got == want, "the sums");
    println!("checked: {} elements", o.n);
}
