//! The twelve problems of `examples/scan12`, and programs around reductions and scans, compared with the CUDA peers:
//! `twelve [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory. A time is what all kernels of a
//! problem take in sum, each by its median with its data on the device. `--small` divides the sizes.
#![allow(clippy::cast_lossless, reason = "the loops as the examples have them")]
use omp_benches::{REPEATS, Works, floats, kernels, mix};
use rayon::prelude::*;

#[path = "../../../examples/scan12/src/arrays.rs"]
mod arrays;
#[path = "../../../examples/scan12/src/choice.rs"]
mod choice;
#[path = "../../../examples/scan12/src/numbers.rs"]
mod numbers;
#[path = "../../../examples/scan12/src/sums.rs"]
mod sums;

const PROBLEMS: [fn(&Table); 12] = [
    arrays::compaction,
    arrays::longest_span,
    numbers::polynomial,
    numbers::linear_recurrence,
    choice::draws,
    sums::tree,
    numbers::addition,
    sums::three_parts,
    sums::two_windows,
    sums::modular_sum,
    choice::most_covered,
    arrays::prime_sums,
];

/// What the problems' sources use: here it times the kernels.
struct Table {
    n: usize,
    work: String,
}

impl Table {
    fn line<T>(
        &self,
        _problem: &str,
        mut serial: impl FnMut() -> T,
        mut offloaded: impl FnMut() -> T,
        agree: impl Fn(&T, &T) -> bool,
    ) {
        let right = agree(&offloaded(), &serial());
        kernels(&self.work, REPEATS, || {
            offloaded();
        })
        .print(right);
    }

    fn exact<T: PartialEq>(&self, problem: &str, serial: impl FnMut() -> T, offloaded: impl FnMut() -> T) {
        self.line(problem, serial, offloaded, T::eq);
    }
}

/// Puts the odd numbers of `x` at the front of `kept`, in order.
#[omp::offload]
fn select(x: &[i32], kept: &mut [i32]) -> usize {
    let n = x.len();
    let mut count = 0usize;
    #[omp::target(map(to: x), map(from: kept), scan(+: count), disjoint(kept))]
    for i in 0..n {
        if x[i] & 1 == 1 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] & 1 == 1);
    }
    count
}

/// Bytes to a mean of 0 and a deviation of 1, as the peer has it.
#[omp::offload]
fn normalise(x: &[u8], out: &mut [u8]) -> (u32, f32) {
    let inverse = 1.0 / x.len() as f32;
    let (mut sum, mut squares) = (0u32, 0.0f32);
    #[omp::target_data(map(to: x), map(from: out))]
    {
        #[omp::target(reduction(+: sum))]
        for i in 0..x.len() {
            sum = sum.wrapping_add(u32::from(x[i]));
        }
        let mean = sum as f32 * inverse;
        #[omp::target(reduction(+: squares))]
        for i in 0..x.len() {
            let off = f32::from(x[i]) - mean;
            squares += off * off;
        }
        let scale = 1.0 / (squares * inverse).sqrt();
        #[omp::target]
        for i in 0..x.len() {
            out[i] = ((f32::from(x[i]) - mean) * scale) as u8;
        }
    }
    (sum, squares)
}

#[omp::offload]
fn sum2d(a: &[f32], rows: usize, columns: usize) -> f32 {
    let mut sum = 0.0;
    #[omp::target(collapse(2), reduction(+: sum))]
    for i in 0..rows {
        for j in 0..columns {
            sum += a[i * columns + j];
        }
    }
    sum
}

fn programs(works: &Works) {
    if works.wants("select_i32_2^26") {
        let n = works.len(1 << 26);
        let x: Vec<i32> = (0..n).into_par_iter().map(|i| mix(i as u64) as i32).collect();
        let mut kept = vec![-1; n];
        let mut count = 0;
        let line = kernels("select_i32_2^26", REPEATS, || count = select(&x, &mut kept));
        line.print(kept[..count] == x.par_iter().copied().filter(|v| v & 1 == 1).collect::<Vec<_>>());
    }
    if works.wants("normalize_u8_1920x1200x4") {
        let n = works.len(1920 * 1200 * 4);
        let x: Vec<u8> = (0..n)
            .map(|i| {
                let h = mix(i as u64);
                (((h & 255) * (h >> 8 & 255)) >> 8) as u8
            })
            .collect();
        let mut out = vec![0; n];
        let mut moments = (0, 0.0);
        let line = kernels("normalize_u8_1920x1200x4", REPEATS, || moments = normalise(&x, &mut out));
        let mean = x.iter().map(|v| f64::from(*v)).sum::<f64>() / n as f64;
        let var = x.iter().map(|v| (f64::from(*v) - mean).powi(2)).sum::<f64>() / n as f64;
        let near = |i: usize| {
            let z = (f64::from(x[i]) - mean) / var.sqrt();
            out[i] == (z - 1e-4) as u8 || out[i] == (z + 1e-4) as u8
        };
        line.print((f64::from(moments.1) / n as f64 / var - 1.0).abs() < 1e-4 && (0..n).all(near));
    }
    if works.wants("sum2d_f32_8192x8192") {
        let side = works.size(8192, 256);
        let a = floats(side * side, 0, 0.0);
        let mut sum = 0.0;
        let line = kernels("sum2d_f32_8192x8192", REPEATS, || sum = sum2d(&a, side, side));
        let want: f64 = a.par_iter().map(|v| f64::from(*v)).sum();
        line.print((f64::from(sum) / want - 1.0).abs() < 1e-5);
    }
}

fn main() {
    let works = Works::from_args();
    for (number, problem) in (1..).zip(PROBLEMS) {
        let work = format!("scan12_{number:02}");
        if works.wants(&work) {
            problem(&Table { n: works.size(1 << 20, 1 << 12), work });
        }
    }
    programs(&works);
}
