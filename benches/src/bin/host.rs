//! saxpy, sum and Mandelbrot on the host backend, compared with the same loops written with rayon, alternately; a sum and a scan
//! compared with one thread; `reproducible` compared with the plain form and one thread.
//! `host [streams|mandelbrot|serial|reproducible|elements [NAME] [THREADS=1,2,4]]`; run it with OMP_BACKEND=host; compile both
//! with `RUSTFLAGS="-C target-cpu=native"` to compare with `gcc -march=native`.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::loops::{mandelbrot, pixel, saxpy, sum_i32};
use omp_benches::{Line, floats, mix};
use rayon::prelude::*;
use std::time::Instant;

const REPS: usize = 41;
const BLOCK: usize = 1 << 16;

#[omp::offload]
fn sum_f32(x: &[f32]) -> f32 {
    let mut sum = 0.0f32;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn scan_f32(x: &[f32], y: &mut [f32]) {
    let mut sum = 0.0f32;
    #[omp::target(scan(+: sum))]
    for i in 0..x.len() {
        y[i] = sum;
        sum += x[i];
    }
}

#[omp::offload]
mod fixed {
    pub fn sum(x: &[f32]) -> f32 {
        let mut sum = 0.0f32;
        #[omp::target(reduction(reproducible, +: sum))]
        for i in 0..x.len() {
            sum += x[i];
        }
        sum
    }

    pub fn bins(k: &[u8], x: &[f32], bins: &mut [f32]) {
        #[omp::target(reduction(reproducible, +: bins))]
        for i in 0..x.len() {
            bins[k[i] as usize] += x[i];
        }
    }

    pub fn rows(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut sum = 0.0f32;
            #[omp::simd(reduction(reproducible, +: sum))]
            for j in 0..width {
                sum += x[i * width + j];
            }
            y[i] = sum;
        }
    }
}

#[omp::offload]
mod any_order {
    pub fn bins(k: &[u8], x: &[f32], bins: &mut [f32]) {
        #[omp::target(reduction(+: bins))]
        for i in 0..x.len() {
            bins[k[i] as usize] += x[i];
        }
    }

    pub fn rows(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut sum = 0.0f32;
            #[omp::simd(reduction(+: sum))]
            for j in 0..width {
                sum += x[i * width + j];
            }
            y[i] = sum;
        }
    }
}

/// `reproducible` compared with the plain form and one thread.
fn reproducible() {
    let n = 1 << 24;
    let x: Vec<f32> = (0..n).map(|i| (mix(i as u64) % 3) as f32 - 1.0).collect();
    let k: Vec<u8> = (0..n).map(|i| (mix(!i as u64) >> 7) as u8).collect();
    let (mut sums, mut serial) = ([0.0; 2], 0.0);
    let [of_plain, of_fixed] = &mut sums;
    compare(
        "sum_f32_2^24",
        4 * n,
        &mut [
            ("omp_plain", &mut || *of_plain = sum_f32(&x)),
            ("omp_reproducible", &mut || *of_fixed = fixed::sum(&x)),
            ("serial", &mut || serial = x.iter().sum::<f32>()),
        ],
    );
    assert!(sums == [serial; 2], "sums of whole numbers");
    let [mut plain, mut ordered, mut serial] = [const { [0.0f32; 256] }; 3];
    compare(
        "bins_f32_2^24_256",
        5 * n,
        &mut [
            ("omp_plain", &mut || any_order::bins(&k, &x, &mut plain)),
            ("omp_reproducible", &mut || fixed::bins(&k, &x, &mut ordered)),
            ("serial", &mut || k.iter().zip(&x).for_each(|(k, x)| serial[*k as usize] += x)),
        ],
    );
    assert!(plain == serial && ordered == serial, "bins of whole numbers");
    let width = 1 << 12;
    let [mut plain, mut ordered, mut serial] =
        [const { Vec::new() }; 3].map(|_: Vec<f32>| vec![0.0; n / width]);
    compare(
        "rows_f32_2^12_2^12",
        4 * n,
        &mut [
            ("omp_plain", &mut || any_order::rows(width, &x, &mut plain)),
            ("omp_reproducible", &mut || fixed::rows(width, &x, &mut ordered)),
            ("serial", &mut || {
                for (y, row) in serial.iter_mut().zip(x.chunks(width)) {
                    *y = row.iter().sum();
                }
            }),
        ],
    );
    assert!(plain == serial && ordered == serial, "rows of whole numbers");
}

/// Medians of alternate runs, so that a disturbance affects both.
fn compare(work: &str, bytes: usize, runs: &mut [(&str, &mut dyn FnMut())]) {
    let mut times = vec![Vec::new(); runs.len()];
    for rep in 0..REPS + 2 {
        for (k, (_, run)) in runs.iter_mut().enumerate() {
            let start = Instant::now();
            run();
            if rep > 1 {
                times[k].push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    for ((peer, _), mut t) in runs.iter().zip(times) {
        t.sort_by(f64::total_cmp);
        let ms = t[t.len() / 2];
        Line::new(peer, work, ms, ms).bytes(bytes).print(true);
    }
}

fn streams() {
    let n = 1 << 26;
    let a = 1e-3f32;
    let x = floats(n, 0, 0.0);
    let (mut y, mut z) = (vec![0.0f32; n], vec![0.0f32; n]);
    compare(
        "saxpy_f32_2^26",
        12 * n,
        &mut [
            ("omp_host", &mut || saxpy(a, &x, &mut y)),
            ("rayon", &mut || {
                z.par_chunks_mut(BLOCK).zip(x.par_chunks(BLOCK)).for_each(|(y, x)| {
                    for (y, &x) in y.iter_mut().zip(x) {
                        *y += a * x;
                    }
                });
            }),
        ],
    );
    assert!(y == z, "saxpy");
    drop((x, y, z));

    let n = 1 << 28;
    let x: Vec<i32> = (0..n).into_par_iter().map(|i| (mix(i as u64) % 7) as i32).collect();
    let (mut got, mut want) = (0, 0);
    compare(
        "sum_i32_2^28",
        4 * n,
        &mut [
            ("omp_host", &mut || got = sum_i32(&x)),
            ("rayon", &mut || want = x.par_chunks(BLOCK).map(|x| x.iter().sum::<i32>()).sum()),
        ],
    );
    assert_eq!(got, want, "sum");
}

fn mandelbrots() {
    // Hidden from the optimiser, for which neither loop should be a special case.
    let (n, most) = (1024, std::hint::black_box(1000));
    let (mut image, mut other) = (vec![0u8; n * n], vec![0u8; n * n]);
    compare(
        "mandelbrot_f64_1024_1000",
        n * n,
        &mut [
            ("omp_host", &mut || mandelbrot(n, most, &mut image)),
            ("rayon", &mut || {
                other.par_chunks_mut(n).enumerate().for_each(|(py, row)| {
                    for (px, v) in row.iter_mut().enumerate() {
                        *v = pixel(px, py, n, most);
                    }
                });
            }),
        ],
    );
    assert!(image == other, "mandelbrot");
}

/// Compared with one thread that does the same serially.
fn serial() {
    let n = 1 << 24;
    let x: Vec<f32> = (0..n).map(|i| (mix(i as u64) % 3) as f32 - 1.0).collect();
    let (mut got, mut want) = (0.0, 0.0);
    compare(
        "sum_f32_2^24",
        4 * n,
        &mut [("omp_host", &mut || got = sum_f32(&x)), ("serial", &mut || want = x.iter().sum::<f32>())],
    );
    assert!((got - want).abs() < 1e-3 * want.abs().max(1.0), "sum");
    let (mut y, mut z) = (vec![-1.0f32; n], vec![-1.0f32; n]);
    compare(
        "scan_f32_2^24",
        8 * n,
        &mut [
            ("omp_host", &mut || scan_f32(&x, &mut y)),
            ("serial", &mut || {
                let mut sum = 0.0;
                for (z, x) in z.iter_mut().zip(&x) {
                    *z = sum;
                    sum += x;
                }
            }),
        ],
    );
    assert!(y == z, "scan");
}

/// Loops that update elements, compared with the plain ones.
fn elements() {
    let args: Vec<String> = std::env::args().skip(2).collect();
    let threads = args.iter().find_map(|arg| arg.strip_prefix("THREADS="));
    let threads: Vec<usize> =
        threads.map(|list| list.split(',').filter_map(|n| n.parse().ok()).collect()).unwrap_or_default();
    let only = args.iter().find(|arg| !arg.starts_with("THREADS="));
    omp_benches::elements::run(only.map(String::as_str), &threads);
}

fn main() {
    let only = std::env::args().nth(1);
    let all = [
        ("streams", streams as fn()),
        ("mandelbrot", mandelbrots),
        ("serial", serial),
        ("reproducible", reproducible),
        ("elements", elements),
    ];
    for (name, run) in all {
        if only.as_ref().is_none_or(|only| only == name) {
            run();
        }
    }
}
