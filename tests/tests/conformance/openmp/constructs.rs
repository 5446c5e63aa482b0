//! The families of `target`, `teams`, `distribute`, `parallel for`, `loop` and `simd`, each with other work, and their clauses.
use crate::table::Checks;

/// Compilers for CPUs unroll shorter loops in sequence.
const N: usize = 240;

fn threads() -> (u32, u32) {
    let report = omp::last_region();
    (report.grid.iter().product(), report.block.iter().product())
}

#[omp::offload]
fn one_loop(t: &mut Checks) {
    let x: Vec<i64> = (0..N as i64).collect();
    let mut y = vec![0i64; N];
    #[omp::target]
    for i in 0..N {
        y[i] = x[i] + 1;
    }
    t.eq("target", y.clone(), (1..=N as i64).collect());
    #[omp::target_teams_distribute_parallel_for]
    for i in (0..N).rev() {
        y[i] = x[N - 1 - i];
    }
    t.eq("target teams distribute parallel for", y[0], N as i64 - 1);
    #[omp::target_teams_distribute_parallel_for_simd]
    for i in (0..N).step_by(3) {
        y[i] = -x[i];
    }
    t.eq("target teams distribute parallel for simd", (y[3], y[4]), (-3, N as i64 - 5));
    #[omp::target_teams_distribute]
    for i in 5..=10 {
        y[i] = 77;
    }
    t.eq("target teams distribute", (y[4], y[5], y[10], y[11]), (N as i64 - 5, 77, 77, N as i64 - 12));
    #[omp::target_teams_distribute_simd]
    for v in y.iter_mut() {
        *v *= 2;
    }
    t.eq("target teams distribute simd", y[5], 154);
    #[omp::target_parallel_for]
    for (v, p) in y.iter_mut().zip(x.iter()) {
        *v += *p;
    }
    t.eq("target parallel for", y[6], 160);
    #[omp::target_parallel_for_simd]
    for (i, v) in y.iter_mut().enumerate() {
        *v -= i as i64;
    }
    t.eq("target parallel for simd", y[7], 154);
    #[omp::target_teams_loop]
    for i in 0..N as u16 {
        y[i as usize] = (i / 2) as i64;
    }
    t.eq("target teams loop", y[9], 4);
    #[omp::target_loop]
    for i in 1..N {
        y[i] = x[i] % 10;
    }
    t.eq("target loop", y[25], 5);
    #[omp::target_parallel_loop]
    for i in 0..N / 2 {
        y[2 * i] = 8;
    }
    t.eq("target parallel loop", (y[4], y[5]), (8, 5));
    #[omp::target_simd]
    for i in 0..N {
        y[i] = x[i] * x[i];
    }
    t.eq("target simd", y, (0..N as i64).map(|v| v * v).collect());
}

#[omp::offload]
fn in_a_block(t: &mut Checks) {
    // Each loop writes a column of its own, of what the loop before it has written.
    let (mut a, mut s) = (vec![[0u32; 9]; N], 0u32);
    #[omp::target(map(tofrom: a))]
    {
        #[omp::parallel_for]
        for i in 0..N {
            a[i][0] = i as u32 + 1;
        }
        #[omp::parallel_for_simd]
        for i in 0..N {
            a[i][1] = a[i][0] * 2;
        }
        #[omp::distribute_parallel_for]
        for i in 0..N {
            a[i][2] = a[i][1] - 1;
        }
        #[omp::distribute_parallel_for_simd]
        for i in 0..N {
            a[i][3] = a[i][2] ^ 1;
        }
        #[omp::teams_distribute_parallel_for]
        for i in 0..N {
            a[i][4] = a[i][3] + 3;
        }
        #[omp::teams_distribute_parallel_for_simd]
        for i in 0..N {
            a[i][5] = a[i][4] * 5;
        }
        #[omp::teams_distribute]
        for i in 0..N {
            a[i][6] = a[i][5] + 7;
        }
        #[omp::teams_distribute_simd]
        for i in 0..N {
            a[i][7] = a[i][6] / 2;
        }
        #[omp::teams_loop]
        for i in 0..N {
            a[i][8] = a[i][7] + 10 * (a[i][7] % 2);
        }
        a[0][8] = 1;
        for i in 0..4 {
            s += a[i][8];
        }
    }
    let row = |i: u32| {
        let mut w = [0u32; 9];
        w[0] = i + 1;
        w[1] = w[0] * 2;
        w[2] = w[1] - 1;
        w[3] = w[2] ^ 1;
        w[4] = w[3] + 3;
        w[5] = w[4] * 5;
        w[6] = w[5] + 7;
        w[7] = w[6] / 2;
        w[8] = w[7] + 10 * (w[7] % 2);
        if i == 0 {
            w[8] = 1;
        }
        w
    };
    let want: Vec<[u32; 9]> = (0..N as u32).map(row).collect();
    let keys = [
        "parallel for",
        "parallel for simd",
        "distribute parallel for",
        "distribute parallel for simd",
        "teams distribute parallel for",
        "teams distribute parallel for simd",
        "teams distribute",
        "teams distribute simd",
        "teams loop",
    ];
    for (k, key) in keys.into_iter().enumerate() {
        let column = |of: &[[u32; 9]]| of.iter().map(|row| row[k]).collect::<Vec<_>>();
        t.eq(key, column(&a), column(&want));
    }
    t.eq("statements between loops", s, want[..4].iter().map(|row| row[8]).sum());
}

#[omp::offload]
fn sized(x: &mut [u32], teams: usize, limit: i32, threads: u8) {
    #[omp::target_teams_distribute_parallel_for(num_teams(teams), thread_limit(limit), num_threads(threads))]
    for i in 0..x.len() {
        x[i] += 1;
    }
}

fn sizes(t: &mut Checks) {
    let mut x = vec![0; 5000];
    sized(&mut x, 3, 64, 200);
    t.eq("num_teams", threads().0 <= 3, true);
    t.eq("thread_limit", threads().1 <= 64, true);
    sized(&mut x, 9, 128, 16);
    t.eq("num_threads", threads().1 <= 16, true);
    t.eq("num_teams", x, vec![2; 5000]);
}

#[omp::offload]
fn schedules(t: &mut Checks) {
    let mut x = vec![0usize; 300];
    #[omp::target(schedule(static, 4))]
    for i in 0..300 {
        x[i] += i;
    }
    t.eq("schedule(static, n)", x[299], 299);
    #[omp::target(schedule(dynamic, 8))]
    for i in 0..300 {
        x[i] += 1;
    }
    t.eq("schedule(dynamic, n)", x[299], 300);
    #[omp::target(schedule(guided))]
    for i in 0..300 {
        x[i] *= 2;
    }
    t.eq("schedule(guided)", x[299], 600);
    #[omp::target(schedule(auto))]
    for i in 0..300 {
        x[i] -= i;
    }
    t.eq("schedule(auto)", x[299], 301);
    #[omp::target_teams_distribute_parallel_for_simd(dist_schedule(static, 32), simdlen(4))]
    for i in 0..300 {
        x[i] = x[i] * 10 + i % 10;
    }
    t.eq("dist_schedule(static, n)", x[299], 3019);
    t.eq("simdlen", x, (0..300).map(|i| (2 * (i + 1) - i) * 10 + i % 10).collect());
}

#[omp::offload]
fn nests(t: &mut Checks) {
    let (mut a, mut b, mut c) = (vec![0u32; 30 * 20], vec![0u32; 12 * 12], vec![0u32; 4 * 5 * 6]);
    #[omp::target(collapse(2))]
    for i in 0..30 {
        for j in 0..20 {
            a[i * 20 + j] = (i * j) as u32;
        }
    }
    t.eq("collapse(2)", a.iter().sum::<u32>(), 435 * 190);
    #[omp::target(collapse(2))]
    for i in 0..12 {
        for j in i..12 {
            b[i * 12 + j] = 1 + (j - i) as u32;
        }
    }
    t.eq(
        "collapse(2), an inner bound of the outer variable",
        b.iter().sum::<u32>(),
        (1..=12).map(|k| k * (13 - k)).sum(),
    );
    #[omp::target(collapse(3))]
    for i in 0..4 {
        for j in 0..5 {
            for k in 0..6 {
                c[(i * 5 + j) * 6 + k] = (100 * i + 10 * j + k) as u32;
            }
        }
    }
    t.eq("collapse(3)", (c[0], c[119]), (0, 345));
    #[omp::target(tile(4, 8))]
    for i in 0..30 {
        #[omp::parallel_for]
        for j in 0..20 {
            a[i * 20 + j] += 1;
        }
    }
    t.eq("parallel for in target", a.iter().sum::<u32>(), 435 * 190 + 600);
}

#[omp::offload]
fn sharing(t: &mut Checks) {
    let (mut work, add, mut out) = (0i32, 3i32, vec![0i32; N]);
    let (mut last, mut pair, shared) = (-1i32, (0u8, 0u8), [4i32, 5]);
    #[omp::target(private(work), firstprivate(add), lastprivate(last, pair), shared(shared), map(from: out), map(to: shared), default(none))]
    for i in 0..N {
        work = i as i32 * 2;
        out[i] = work + add + shared[i % 2];
        last = work;
        pair = (i as u8, 1);
    }
    t.eq("private", out[2], 11);
    t.eq("firstprivate", (add, out[1]), (3, 10));
    t.eq("lastprivate", (last, pair), (2 * (N as i32 - 1), (N as u8 - 1, 1)));
    t.eq("shared", out, (0..N as i32).map(|i| 2 * i + 7 + i % 2).collect());
    t.eq("default(none)", shared, [4, 5]);
    let mut x = [0u32; 3];
    #[omp::target(default(shared), map(tofrom: x))]
    for i in 0..3 {
        x[i] = add as u32;
    }
    t.eq("default(shared)", x, [3; 3]);
}

#[omp::offload]
fn inner_sharing(t: &mut Checks) {
    let (mut out, mut ends) = (vec![0u32; 8 * 16], vec![0u32; 8]);
    #[omp::target_teams_distribute]
    for r in 0..8 {
        let base = r as u32 * 100;
        let (mut own, mut last) = (0u32, 0u32);
        #[omp::parallel_for(private(own), firstprivate(base), lastprivate(last))]
        for j in 0..16 {
            own = base + j as u32;
            out[r * 16 + j] = own;
            last = own;
        }
        ends[r] = last;
    }
    t.eq("private (inner)", out[17], 101);
    t.eq("firstprivate (inner)", out, (0..128).map(|q| q / 16 * 100 + q % 16).collect());
    t.eq("lastprivate (inner)", ends, (0..8).map(|r| r * 100 + 15).collect());
}

#[omp::offload]
fn placed(x: &mut [u32], condition: bool, device: usize) -> bool {
    let mut host = [false];
    #[omp::target(if(condition), device(device), map(tofrom: x, host))]
    for i in 0..x.len() {
        x[i] += 1;
        if i == 1 {
            host[0] = omp::is_initial_device();
        }
    }
    host[0]
}

fn places(t: &mut Checks) {
    let mut x = vec![0; N];
    let here = omp::get_default_device();
    t.eq("if", placed(&mut x, true, here), !t.on_device());
    t.eq_on_host("if", placed(&mut x, false, here), true);
    t.eq("device", placed(&mut x, true, here), !t.on_device());
    t.eq_on_host("device", placed(&mut x, true, omp::get_initial_device()), true);
    t.eq_on_host("device", x, vec![4; N]);
}

#[omp::offload]
fn hints(t: &mut Checks) {
    let (x, mut y) = ((0..N as u32).collect::<Vec<_>>(), vec![0u32; N - 4]);
    #[omp::target(unroll(4))]
    for i in 0..N - 4 {
        for k in 0..5 {
            y[i] += x[i + k];
        }
    }
    t.eq("unroll(n)", y[1], 15);
    t.eq("unroll(n)", y, (0..N as u32 - 4).map(|i| 5 * i + 10).collect());
    let mut z = vec![1u32; N];
    #[omp::target(tile(16, 4))]
    for i in 0..N / 4 {
        for j in 0..4 {
            z[i * 4 + j] += x[i * 4 + j];
        }
    }
    t.eq("tile(a, b)", z, (1..=N as u32).collect());
}

#[omp::offload]
fn empty(t: &mut Checks) {
    let (mut x, mut s, mut last) = (vec![1u32; 4], 5u32, 6u32);
    let n = x.len() - 4;
    #[omp::target(lastprivate(last), reduction(+: s))]
    for i in 0..n {
        x[i] = 0;
        s += 1;
        last = i as u32;
    }
    #[omp::target]
    for i in 0..4 {
        x[i] += 1;
    }
    t.eq("a loop of no iterations", (x, s, last), (vec![2; 4], 5, 6));
}

programs! {
    one_loop {
        OpenMp "13.8" "target": "target";
        OpenMp "17.3" "combined construct": "target teams distribute parallel for", "target teams distribute parallel for simd",
            "target teams distribute", "target teams distribute simd", "target parallel for", "target parallel for simd",
            "target teams loop", "target loop", "target parallel loop", "target simd";
    }
    in_a_block {
        OpenMp "11.5" "target, loop inside": "parallel for", "parallel for simd";
        OpenMp "11.6" "target, loop inside": "distribute parallel for", "distribute parallel for simd";
        OpenMp "10.2" "target, loop inside": "teams distribute parallel for", "teams distribute parallel for simd",
            "teams distribute", "teams distribute simd", "teams loop";
        OpenMp "13.8" "target": "statements between loops";
    }
    sizes {
        OpenMp "10.2.1" "target teams distribute parallel for": "num_teams";
        OpenMp "13.3" "target teams distribute parallel for": "thread_limit";
        OpenMp "10.1.2" "target teams distribute parallel for": "num_threads";
    }
    schedules {
        OpenMp "11.5.3" "target": "schedule(static, n)", "schedule(dynamic, n)", "schedule(guided)", "schedule(auto)";
        OpenMp "11.6.1" "target teams distribute parallel for simd": "dist_schedule(static, n)";
        OpenMp "10.4.3" "target teams distribute parallel for simd": "simdlen";
    }
    nests {
        OpenMp "4.4.3" "target": "collapse(2)", "collapse(2), an inner bound of the outer variable", "collapse(3)";
        OpenMp "11.5" "target, parallel for": "parallel for in target";
    }
    sharing {
        OpenMp "5.4.3" "target": "private";
        OpenMp "5.4.4" "target": "firstprivate";
        OpenMp "5.4.5" "target": "lastprivate";
        OpenMp "5.4.2" "target": "shared";
        OpenMp "5.4.1" "target": "default(none)", "default(shared)";
    }
    inner_sharing {
        OpenMp "5.4.3" "target, parallel for": "private (inner)";
        OpenMp "5.4.4" "target, parallel for": "firstprivate (inner)";
        OpenMp "5.4.5" "target, parallel for": "lastprivate (inner)";
    }
    places {
        OpenMp "3.4" "target": "if";
        OpenMp "13.2" "target": "device";
    }
    hints {
        OpenMp "9.2" "target": "unroll(n)";
        OpenMp "9.1" "target": "tile(a, b)";
    }
    empty {
        OpenMp "4.4" "target": "a loop of no iterations";
    }
}
