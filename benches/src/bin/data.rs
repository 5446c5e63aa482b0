//! Transfers, tasks and data that is kept on a device, compared with the CUDA peers `runtime` and `stencil`: `data [WORK-PREFIX]`; run
//! it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory. `--small` divides the sizes.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::loops::{average, take_over};
use omp_benches::{Line, Works, host, mix, region, unit};
use std::time::Instant;

const REPS: usize = 11;

// ---- transfers of 1 GiB of pageable memory

#[omp::offload]
fn transfers(x: &mut [u32], reps: usize) -> [Vec<f64>; 2] {
    let mut times = [vec![], vec![]];
    #[omp::target_data(map(alloc: x))]
    for _ in 0..reps {
        let start = Instant::now();
        omp::target_update!(to(x));
        times[0].push(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        omp::target_update!(from(x));
        times[1].push(start.elapsed().as_secs_f64() * 1e3);
    }
    times
}

/// Each number becomes another one on the device, so that what comes back is known to have been there.
#[omp::offload]
fn there_and_back(x: &mut [u32]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i] = x[i] ^ 0x5555;
    }
}

fn transfer(works: &Works) {
    if !works.wants("h2d") && !works.wants("d2h") {
        return;
    }
    let words = works.size(1 << 28, 1 << 20);
    let mut x: Vec<u32> = (0..words).map(|i| mix(i as u64)).collect();
    let mut times = transfers(&mut x, REPS);
    there_and_back(&mut x);
    let right = x.iter().enumerate().step_by(1001).all(|(i, v)| *v == mix(i as u64) ^ 0x5555);
    for (work, times) in ["h2d_pageable_1GiB", "d2h_pageable_1GiB"].iter().zip(&mut times) {
        Line::of("omp", work, times).bytes(4 * words).print(right);
    }
}

// ---- small tasks

/// Tasks that follow one another.
#[omp::offload]
fn chain(x: &mut [i32], tasks: usize) {
    #[omp::target_data(map(tofrom: x))]
    {
        for _ in 0..tasks {
            #[omp::target(nowait, depend(inout: x))]
            for i in 0..1 {
                x[i] += 1;
            }
        }
        omp::taskwait!();
    }
}

/// Tasks that have nothing to do with each other, but for every sixteenth.
#[omp::offload]
fn side_by_side(x: &mut [i32], tasks: usize) {
    #[omp::target_data(map(tofrom: x))]
    {
        for t in 0..tasks {
            let at = t % 16 * 64;
            #[omp::target(nowait, depend(inout: x[at..at + 1]))]
            for i in at..at + 1 {
                x[i] += 1;
            }
        }
        omp::taskwait!();
    }
}

fn tasks(works: &Works) {
    let many = works.size(5000, 100);
    for (work, run) in
        [("launch_async_us", chain as fn(&mut [i32], usize)), ("launch_async_16_us", side_by_side)]
    {
        if works.wants(work) {
            let mut x = vec![0i32; 1024];
            let mut runs = 0;
            let line = host("omp", work, REPS, || {
                run(&mut x, many);
                runs += 1;
            });
            line.per(many).print(x.iter().sum::<i32>() as usize == runs * many);
        }
    }
}

// ---- Jacobi

#[omp::offload]
fn jacobi(a: &mut [f32], new: &mut [f32], n: usize, steps: usize, took: &mut Vec<f64>) -> f32 {
    let mut change = 0.0;
    #[omp::target_data(map(tofrom: a), map(to: new))]
    for round in 0..REPS {
        let start = Instant::now();
        for _ in 0..steps {
            change = average(a, new, n);
            take_over(a, new, n);
        }
        if round > 1 {
            took.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    change
}

fn stencil(works: &Works) {
    let n = works.size(4096, 256);
    let steps = works.size(100, 3);
    let plate = || -> Vec<f32> { (0..n * n).map(|i| if i < n { 1.0 } else { unit(i) as f32 }).collect() };
    let (mut a, mut new, mut took) = (plate(), plate(), vec![]);
    if works.wants("jacobi_f32_4096") {
        let change = jacobi(&mut a, &mut new, n, steps, &mut took);
        // The change falls with the number of steps, and is never none here.
        let line = Line::of("omp", "jacobi_f32_4096", &mut took);
        line.print(change > 0.0 && change < 0.5 && a.iter().all(|v| (0.0..=1.0).contains(v)));
    }
    if works.wants("jacobi_loops") {
        let mut change = 0.0;
        region("jacobi_loops_average", REPS, || change = average(&a, &mut new, n)).print(change > 0.0);
        region("jacobi_loops_take_over", REPS, || take_over(&mut a, &new, n)).print(true);
    }
}

// ---- Mandelbrot in blocks of rows: copies overlap kernels

/// Tests every sixteen steps, as the peer does: a point that is outside never comes back.
#[omp::offload]
fn blocks(n: usize, most: i32, image: &mut [u8], parts: usize) {
    let (step, rows) = (3.0 / n as f64, n / parts);
    #[omp::target_data(map(alloc: image))]
    {
        for part in 0..parts {
            let (first, end) = (part * rows, (part + 1) * rows);
            #[omp::target(nowait, collapse(2), block(8, 32), depend(out: image[first * n..end * n]))]
            for py in first..end {
                for px in 0..n {
                    let (x0, y0) = (-2.0 + px as f64 * step, -1.5 + py as f64 * step);
                    let (mut x, mut y, mut i) = (0.0f64, 0.0f64, 0);
                    while i + 16 <= most {
                        let (sx, sy) = (x, y);
                        for _ in 0..16 {
                            let t = x.mul_add(x, (-y).mul_add(y, x0));
                            y = (x + x).mul_add(y, y0);
                            x = t;
                        }
                        if !(x * x + y * y < 4.0) {
                            (x, y) = (sx, sy);
                            break;
                        }
                        i += 16;
                    }
                    while x * x + y * y < 4.0 && i < most {
                        let t = x * x - y * y + x0;
                        y = 2.0 * x * y + y0;
                        x = t;
                        i += 1;
                    }
                    image[py * n + px] = (255.0 * i as f64 / most as f64) as u8;
                }
            }
            omp::target_update!(
                from(image[first * n..end * n]),
                nowait,
                depend(in: image[first * n..end * n])
            );
        }
        omp::taskwait!();
    }
}

fn mandelbrot(works: &Works) {
    let n = works.size(4096, 256);
    for parts in [1, 8] {
        let work = if parts == 8 { "mandelbrot_pipelined_4096" } else { "mandelbrot_at_once_4096" };
        if works.wants(work) {
            let mut image = vec![1u8; n * n];
            let line = host("omp", work, REPS, || blocks(n, 1000, &mut image, parts));
            line.print(image[n / 2 * n + n / 2] == 255 && image[0] == 0);
        }
    }
}

// ---- data that is there

#[omp::offload]
fn add_one(x: &mut [f32]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
}

#[omp::offload]
fn present(x: &mut [f32]) -> (u64, f64) {
    let (mut moved, mut took) = (0, vec![]);
    #[omp::target_data(map(tofrom: x))]
    for _ in 0..100 {
        let start = Instant::now();
        add_one(x);
        // The request for the report waits for the kernel.
        let report = omp::last_region();
        took.push(start.elapsed().as_secs_f64() * 1e3);
        moved += report.bytes_to_device + report.bytes_from_device;
    }
    took.sort_by(f64::total_cmp);
    (moved, took[took.len() / 2])
}

fn presence(works: &Works) {
    if works.wants("present") {
        let mut x = vec![0.0f32; works.size(1 << 24, 1 << 10)];
        let (moved, ms) = present(&mut x);
        Line::of("omp", "present_region_2^24", &mut [ms]).print(moved == 0 && x.iter().all(|v| *v == 100.0));
    }
}

// ---- what overlaps

#[omp::offload]
fn two_kernels(x: &mut [f32], y: &mut [f32], steps: usize, both: bool) {
    #[omp::target_data(map(alloc: x, y))]
    {
        #[omp::target(nowait)]
        for i in 0..x.len() {
            let mut v = i as f32;
            for _ in 0..steps {
                v = v * 0.999 + 0.25;
            }
            x[i] = v;
        }
        if both {
            #[omp::target(nowait)]
            for i in 0..y.len() {
                let mut v = i as f32;
                for _ in 0..steps {
                    v = v * 0.999 + 0.25;
                }
                y[i] = v;
            }
        }
        omp::taskwait!();
    }
}

#[omp::offload]
fn kernel_and_copies(x: &mut [f32], up: &[f32], down: &mut [f32], steps: usize, what: [bool; 3]) {
    #[omp::target_data(map(alloc: x, up), map(to: down))]
    {
        let start = Instant::now();
        if what[0] {
            #[omp::target(nowait)]
            for i in 0..x.len() {
                let mut v = i as f32;
                for _ in 0..steps {
                    v = v * 0.999 + 0.25;
                }
                x[i] = v;
            }
        }
        if what[1] {
            omp::target_update!(to(up), nowait);
        }
        if what[2] {
            omp::target_update!(from(down), nowait);
        }
        omp::taskwait!();
        TOOK.set(start.elapsed().as_secs_f64() * 1e3);
    }
}

/// Copies in both directions, block by block; those to the host first or last.
#[omp::offload]
fn blocks_both_ways(up: &[f32], down: &mut [f32], blocks: usize, down_first: bool) {
    let size = up.len() / blocks;
    #[omp::target_data(map(alloc: up), map(to: down))]
    {
        let start = Instant::now();
        for block in 0..blocks {
            let (lo, hi) = (block * size, (block + 1) * size);
            if down_first {
                omp::target_update!(from(down[lo..hi]), nowait);
            }
            omp::target_update!(to(up[lo..hi]), nowait);
            if !down_first {
                omp::target_update!(from(down[lo..hi]), nowait);
            }
        }
        omp::taskwait!();
        TOOK.set(start.elapsed().as_secs_f64() * 1e3);
    }
}

thread_local! {
    static TOOK: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

fn overlap(works: &Works) {
    if works.wants("overlap_kernels") {
        let (mut x, mut y) = (vec![1.0f32; 4096], vec![1.0f32; 4096]);
        let steps = works.size(200_000, 100);
        for (work, both) in [("overlap_kernels_one", false), ("overlap_kernels_two", true)] {
            host("omp", work, 5, || two_kernels(&mut x, &mut y, steps, both)).print(true);
        }
    }
    if works.wants("overlap_copies") {
        let n = works.size(64 << 20, 1 << 16);
        let (mut x, up, mut down) = (vec![1.0f32; 4096], vec![2.0f32; n], vec![3.0f32; n]);
        let steps = works.size(1_000_000, 100);
        let kinds = [
            ("kernel", [true, false, false]),
            ("up", [false, true, false]),
            ("down", [false, false, true]),
            ("kernel_up", [true, true, false]),
            ("up_down", [false, true, true]),
            ("all", [true, true, true]),
        ];
        for (name, what) in kinds {
            let mut times: Vec<f64> = (0..5)
                .map(|_| {
                    kernel_and_copies(&mut x, &up, &mut down, steps, what);
                    TOOK.get()
                })
                .collect();
            Line::of("omp", &format!("overlap_copies_{name}"), &mut times).print(true);
        }
        for (name, blocks, down_first) in
            [("1_down_first", 1, true), ("8", 8, false), ("8_down_first", 8, true)]
        {
            let mut times: Vec<f64> = (0..5)
                .map(|_| {
                    blocks_both_ways(&up, &mut down, blocks, down_first);
                    TOOK.get()
                })
                .collect();
            let line = Line::of("omp", &format!("overlap_copies_blocks_{name}"), &mut times);
            line.print(down.iter().all(|v| *v == 3.0));
        }
    }
}

// ---- the use of memory is constant, and recovers after an allocation that failed

/// Kilobytes of this process, and megabytes of the device in use (as `nvidia-smi` has them).
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmRSS")).unwrap_or_default();
    let number = |text: &str| text.split_whitespace().find_map(|w| w.parse().ok()).unwrap_or(0);
    let smi = std::process::Command::new("nvidia-smi")
        .args(["--query-gpu=memory.used", "--format=csv,noheader,nounits"])
        .output();
    (number(line), smi.map_or(0, |o| number(&String::from_utf8_lossy(&o.stdout))))
}

#[omp::offload]
fn nested(x: &mut [f32], y: &mut [f32], rounds: usize) {
    for _ in 0..rounds {
        #[omp::target_data(map(tofrom: x))]
        {
            x[0] += 1.0;
            omp::target_update!(to(x[0..1]));
            #[omp::target_data(map(alloc: y))]
            {
                #[omp::target(nowait)]
                for i in 0..x.len() {
                    y[i] = x[i] + 1.0;
                }
                omp::target_update!(from(y), nowait, depend(in: y));
                omp::taskwait!();
            }
            omp::target_update!(from(x));
        }
    }
}

fn flat(works: &Works) {
    if works.wants("flat") {
        let (mut x, mut y) = (vec![0.0f32; 5000], vec![0.0f32; 5000]);
        nested(&mut x, &mut y, 200);
        let before = memory();
        let rounds = works.size(10_000, 100);
        let start = Instant::now();
        nested(&mut x, &mut y, rounds);
        let us = start.elapsed().as_secs_f64() * 1e6 / rounds as f64;
        let after = memory();
        let right = x[0] == (200 + rounds) as f32 && y[0] == x[0] + 1.0 && y[1] == 1.0;
        println!(
            "{{\"peer\":\"omp\",\"work\":\"flat_memory\",\"us\":{us:.3},\"host_kb\":[{},{}],\"device_mb\":[{},{}],\"check\":\"{}\"}}",
            before.0,
            after.0,
            before.1,
            after.1,
            if right { "ok" } else { "bad" }
        );
    }
}

#[omp::offload(try)]
fn too_much(x: &mut [u8], y: &mut [f32]) -> Result<(), omp::Error> {
    #[omp::target(nowait, map(alloc: x))]
    for i in 0..y.len() {
        x[i] = 1;
        y[i] += 1.0;
    }
    omp::taskwait!();
    Ok(())
}

fn exhaustion(works: &Works) {
    if works.wants("out_of_memory") {
        let mut y = vec![1.0f32; 1000];
        add_one(&mut y);
        let before = memory();
        // It is not accessed, so the system provides no pages for it.
        let mut x = vec![0u8; works.size(400 << 30, 1 << 20)];
        let text = match too_much(&mut x, &mut y) {
            Ok(()) => "none".to_owned(),
            Err(error) => error.to_string(),
        };
        add_one(&mut y);
        let after = memory();
        println!(
            "{{\"peer\":\"omp\",\"work\":\"out_of_memory\",\"error\":{text:?},\"host_kb\":[{},{}],\"device_mb\":[{},{}],\"check\":\"{}\"}}",
            before.0,
            after.0,
            before.1,
            after.1,
            if y[0] >= 3.0 { "ok" } else { "bad" }
        );
    }
}

fn main() {
    let works = Works::from_args();
    for part in [transfer, tasks, stencil, mandelbrot, presence, overlap, flat, exhaustion] {
        part(&works);
    }
}
