//! Several nests over one row, rows with loaded bounds, arrays of structs, and inner loops that are independent, compared with the
//! CUDA peers in `benches/peers`: `nests [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory.
//! `--small` divides the sizes.
use omp_benches::{Works, floats, host, mix, region, unit};
use rayon::prelude::*;
use std::time::Instant;

const REPS: usize = 11;

#[omp::offload]
fn softmax(rows: usize, width: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(from: y))]
    for i in 0..rows {
        let mut most = f32::NEG_INFINITY;
        #[omp::parallel_for(reduction(max: most))]
        for j in 0..width {
            most = most.max(x[i * width + j]);
        }
        let mut sum = 0.0f32;
        #[omp::parallel_for(reduction(+: sum))]
        for j in 0..width {
            sum += (x[i * width + j] - most).exp();
        }
        #[omp::parallel_for]
        for j in 0..width {
            y[i * width + j] = (x[i * width + j] - most).exp() / sum;
        }
    }
}

#[omp::offload]
fn softmax_slices(_rows: usize, width: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(from: y))]
    for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(width)) {
        let mut most = f32::NEG_INFINITY;
        #[omp::parallel_for(reduction(max: most))]
        for v in x {
            most = most.max(*v);
        }
        let mut sum = 0.0f32;
        #[omp::parallel_for(reduction(+: sum))]
        for v in x {
            sum += (v - most).exp();
        }
        #[omp::parallel_for]
        for (y, v) in y.iter_mut().zip(x) {
            *y = (v - most).exp() / sum;
        }
    }
}

type Softmax = fn(usize, usize, &[f32], &mut [f32]);

#[derive(Clone, Copy, PartialEq, omp::Device)]
struct Four {
    x: f32,
    y: f32,
    z: f32,
    w: f32,
}

#[derive(Clone, Copy, PartialEq, omp::Device)]
struct Eight {
    at: [f32; 3],
    mass: f32,
    speed: [f32; 3],
    charge: f32,
}

#[omp::offload]
fn turn(by: f32, a: &[Four], b: &mut [Four]) {
    #[omp::target(map(to: a), map(from: b))]
    for i in 0..a.len() {
        let p = a[i];
        b[i] = Four { x: p.x - by * p.y, y: p.y + by * p.x, z: p.z, w: p.w };
    }
}

#[omp::offload]
fn turn_fields(by: f32, a: &[Four], b: &mut [Four]) {
    #[omp::target(map(to: a), map(from: b))]
    for i in 0..a.len() {
        b[i].x = a[i].x - by * a[i].y;
        b[i].y = a[i].y + by * a[i].x;
        b[i].z = a[i].z;
        b[i].w = a[i].w;
    }
}

#[omp::offload]
fn drift(by: f32, p: &mut [Eight]) {
    #[omp::target]
    for i in 0..p.len() {
        for d in 0..3 {
            p[i].at[d] += by * p[i].speed[d];
        }
    }
}

#[omp::offload]
fn ragged(row: &[u32], v: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: row, v), map(from: y))]
    for i in 0..y.len() {
        let mut sum = 0.0;
        for k in row[i]..row[i + 1] {
            sum += v[k as usize];
        }
        y[i] = sum;
    }
}

#[omp::offload]
fn csr(row: &[u32], column: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: row, column, v, x), map(from: y))]
    for i in 0..y.len() {
        let mut sum = 0.0;
        for k in row[i]..row[i + 1] {
            sum += v[k as usize] * x[column[k as usize] as usize];
        }
        y[i] = sum;
    }
}

#[omp::offload]
fn triangle(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(map(to: a, b), map(tofrom: c))]
    for i in 0..n {
        for j in 0..i {
            c[i * n + j] = (a[i] - b[j]).abs().sqrt();
        }
    }
}

#[omp::offload]
fn square(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
    for i in 0..n {
        for j in 0..n / 2 {
            c[i * n + j] = (a[i] - b[j]).abs().sqrt();
        }
    }
}

#[omp::offload]
fn sort(a: &mut [i32]) {
    let n = a.len();
    #[omp::target_data(map(tofrom: a))]
    for phase in 0..n {
        #[omp::target]
        for i in (phase % 2 + 1..n).step_by(2) {
            if a[i - 1] > a[i] {
                a.swap(i - 1, i);
            }
        }
    }
}

fn rows_of_nests(works: &Works) {
    for (work, run, rows, width) in [
        ("softmax_f32_16384x4096", softmax as Softmax, 16384, 4096),
        ("softmax_f32_65536x1024", softmax, 65536, 1024),
        ("softmax_slices_f32_16384x4096", softmax_slices, 16384, 4096),
        ("softmax_slices_f32_65536x1024", softmax_slices, 65536, 1024),
    ] {
        if !works.wants(work) {
            continue;
        }
        let (rows, width) = (works.size(rows, 64), works.size(width, 300));
        let x = floats(rows * width, 0, 0.5);
        let mut y = vec![f32::NAN; rows * width];
        let line = region(work, REPS, || run(rows, width, &x, &mut y)).bytes(8 * rows * width);
        let right = (0..rows).step_by(rows / 8).all(|i| {
            let row = &x[i * width..][..width];
            let most = f64::from(row.iter().copied().fold(f32::MIN, f32::max));
            let sum: f64 = row.iter().map(|v| (f64::from(*v) - most).exp()).sum();
            (0..width).all(|j| {
                let want = (f64::from(row[j]) - most).exp() / sum;
                (f64::from(y[i * width + j]) - want).abs() < 1e-5 * want
            })
        });
        line.print(right);
    }
}

fn structs(works: &Works) {
    let n = works.len(1 << 24);
    for (work, run) in
        [("aos16_2^24", turn as fn(f32, &[Four], &mut [Four])), ("aos16_fields_2^24", turn_fields)]
    {
        if works.wants(work) {
            let at = |i: usize| unit(i) as f32;
            let a: Vec<Four> = (0..n)
                .into_par_iter()
                .map(|i| Four { x: at(4 * i), y: at(4 * i + 1), z: at(4 * i + 2), w: at(4 * i + 3) })
                .collect();
            let mut b = vec![Four { x: 0.0, y: 0.0, z: 0.0, w: 0.0 }; n];
            let line = region(work, REPS, || run(0.5, &a, &mut b)).bytes(32 * n);
            let want = |p: &Four| [p.x - 0.5 * p.y, p.y + 0.5 * p.x, p.z, p.w];
            line.print(a.iter().zip(&b).step_by(101).all(|(a, b)| {
                [b.x, b.y, b.z, b.w].iter().zip(want(a)).all(|(got, want)| (got - want).abs() < 1e-6)
            }));
        }
    }
    if works.wants("aos32_2^24") {
        let at = |i: usize| unit(i) as f32;
        let mut p: Vec<Eight> = (0..n)
            .into_par_iter()
            .map(|i| Eight {
                at: [0.0; 3],
                mass: at(i),
                speed: [at(3 * i), at(3 * i + 1), at(3 * i + 2)],
                charge: 1.0,
            })
            .collect();
        let line = region("aos32_2^24", REPS, || drift(1.0 / 1024.0, &mut p)).bytes(64 * n);
        let steps = omp_benches::runs(REPS) as f32 / 1024.0;
        line.print(
            p.iter().step_by(101).all(|p| (0..3).all(|d| (p.at[d] - steps * p.speed[d]).abs() < 1e-3)),
        );
    }
}

fn loaded_bounds(works: &Works) {
    // Rows, the shortest, and by how much they differ.
    for (work, n, least, more) in [
        ("ragged_f32_2^22", 1 << 22, 8, 16),
        ("csr_f32_2^22", 1 << 22, 8, 16),
        ("csr_long_f32_2^17", 1 << 17, 256, 512),
    ] {
        if !works.wants(work) {
            continue;
        }
        let n = works.len(n);
        let mut row = vec![0u32; n + 1];
        for i in 0..n {
            row[i + 1] = row[i] + least + mix(i as u64) % more;
        }
        let all = row[n] as usize;
        let (v, x) = (floats(all, 0, 0.5), floats(n, 77, 0.5));
        let column: Vec<u32> = (0..all).into_par_iter().map(|k| mix(k as u64) % n as u32).collect();
        let mut y = vec![f32::NAN; n];
        let plain = work.starts_with("ragged");
        let line = region(work, REPS, || {
            if plain { ragged(&row, &v, &mut y) } else { csr(&row, &column, &v, &x, &mut y) }
        });
        let term = |k: usize| f64::from(v[k]) * if plain { 1.0 } else { f64::from(x[column[k] as usize]) };
        line.print((0..n).step_by(101).all(|i| {
            let want: f64 = (row[i] as usize..row[i + 1] as usize).map(term).sum();
            (f64::from(y[i]) - want).abs() < 1e-3
        }));
    }
}

fn pairs(works: &Works) {
    let n = works.size(8192, 256);
    let (a, b) = (floats(n, 0, 0.5), floats(n, 77, 0.5));
    for (work, run) in [
        ("pairs_triangle_8192", triangle as fn(usize, &[f32], &[f32], &mut [f32])),
        ("pairs_square_8192", square),
    ] {
        if works.wants(work) {
            let mut c = vec![0.0f32; n * n];
            let line = region(work, REPS, || run(n, &a, &b, &mut c));
            line.print((1..n / 2).all(|i| (c[i * n + i - 1] - (a[i] - b[i - 1]).abs().sqrt()).abs() < 1e-6));
        }
    }
}

fn phases(works: &Works) {
    if works.wants("oddeven_i32_100k") {
        let n = works.size(100_000, 1000);
        let start: Vec<i32> = (0..n).map(|i| mix(i as u64) as i32).collect();
        let mut a = start.clone();
        let line = host("omp", "oddeven_i32_100k", 3, || {
            a.copy_from_slice(&start);
            sort(&mut a);
        });
        line.print(a.is_sorted());
    }
}

/// Milliseconds until kernels that the process has not run before have run: of one statement, and of tiles. With an empty
/// OMP_CACHE_DIR they are compiled.
fn first(works: &Works) {
    if works.wants("first_launch") {
        let x = floats(1 << 20, 0, 0.5);
        let mut y = x.clone();
        saxpy_first(&x, &mut y);
        let of = |run: &mut dyn FnMut()| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        };
        let plain = of(&mut || omp_benches::loops::saxpy(2.0, &x, &mut y));
        let mut c = vec![0.0f32; 1 << 20];
        let tiles = of(&mut || omp_benches::loops::matmul(1024, &x, &x, &mut c));
        let window = of(&mut || omp_benches::loops::convolve::<5>(1020, &x[..25], &x, &mut c));
        for (work, ms) in
            [("first_launch_saxpy", plain), ("first_launch_matmul", tiles), ("first_launch_conv5", window)]
        {
            omp_benches::Line::new("omp", work, ms, ms).print(true);
        }
    }
}

#[omp::offload]
fn saxpy_first(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] -= x[i];
    }
}

fn main() {
    let works = &Works::from_args();
    first(works);
    rows_of_nests(works);
    structs(works);
    loaded_bounds(works);
    pairs(works);
    phases(works);
}
