//! `parallel_for` and `simd` outside of target regions: the host's threads, whatever the default device is.
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]

/// Squares, their sum and the largest, under one schedule.
macro_rules! scheduled {
    ($x:ident, $chunk:ident: $($name:ident [$($clause:tt)*];)*) => { $(
        #[omp::offload]
        fn $name($x: &[i64], y: &mut [i64], $chunk: u32) -> (i64, i64) {
            let (mut sum, mut top) = (1i64, i64::MIN);
            let mut t = 7i64;
            let _ = $chunk;
            #[omp::parallel_for(reduction(+: sum), reduction(max: top), private(t) $($clause)*)]
            for i in 0..$x.len() {
                t = $x[i] * $x[i];
                y[i] = t - 1;
                sum += t;
                top = top.max(t);
            }
            (sum, top)
        }
    )* };
}

scheduled! {
    x, chunk:
    plain [];
    auto [, schedule(auto)];
    in_turn [, schedule(static)];
    in_chunks [, schedule(static, chunk), num_threads(3)];
    who_comes [, schedule(dynamic), num_threads(5u8)];
    who_comes_chunks [, schedule(dynamic, chunk)];
    shrinking [, schedule(guided), num_threads(2)];
    shrinking_chunks [, schedule(guided, chunk), if(x.len() > 40)];
}

#[test]
fn schedules_give_what_the_loop_gives() {
    type Run = fn(&[i64], &mut [i64], u32) -> (i64, i64);
    let all: [Run; 8] =
        [plain, auto, in_turn, in_chunks, who_comes, who_comes_chunks, shrinking, shrinking_chunks];
    for n in [0usize, 1, 2, 33, 1000, 65_537] {
        let x: Vec<i64> = (0..n as i64).map(|i| (i * 7919) % 2003 - 1001).collect();
        let want: Vec<i64> = x.iter().map(|v| v * v - 1).collect();
        let sum = 1 + x.iter().map(|v| v * v).sum::<i64>();
        let top = x.iter().map(|v| v * v).max().unwrap_or(i64::MIN);
        for (k, run) in all.iter().enumerate() {
            for chunk in [1, 7, u32::MAX] {
                let mut y = vec![0; n];
                assert_eq!(run(&x, &mut y, chunk), (sum, top), "schedule {k}, chunks of {chunk}, {n}");
                assert_eq!(y, want, "schedule {k}, chunks of {chunk}, {n}");
                let report = omp::last_region();
                assert_eq!((report.backend.as_str(), report.fallback), ("host", None));
            }
        }
    }
}

#[omp::parallel_for(num_threads(threads), schedule(static, 3))]
fn who(threads: usize, who: &mut [(usize, usize)]) {
    for i in 0..who.len() {
        who[i].0 = omp::get_thread_num();
        who[i].1 = omp::get_num_threads();
    }
}

#[test]
fn threads_know_who_they_are() {
    for threads in [1usize, 2, 5] {
        for n in [1usize, 5, 1000] {
            let mut seen = vec![(99, 99); n];
            who(threads, &mut seen);
            let all = threads.min(n.div_ceil(3));
            for (i, w) in seen.iter().enumerate() {
                assert_eq!(*w, (i / 3 % all, all), "iteration {i} of {n} on {threads}");
            }
        }
    }
}

#[test]
fn clauses_that_make_no_sense_are_errors() {
    #[omp::offload(try)]
    fn run(threads: i32, chunk: i32, y: &mut [u8]) -> Result<(), omp::Error> {
        #[omp::parallel_for(num_threads(threads), schedule(dynamic, chunk))]
        for i in 0..y.len() {
            y[i] += 1;
        }
        Ok(())
    }
    let mut y = [0u8; 9];
    for (threads, chunk, what) in [(0, 1, "num_threads"), (-3, 1, "num_threads"), (1, 0, "schedule")] {
        let text = run(threads, chunk, &mut y).expect_err(what).to_string();
        assert!(text.contains(what) && text.contains("1 or more"), "{text}");
    }
    run(2, 2, &mut y).expect("good numbers");
    assert_eq!(y, [1; 9]);
}

#[omp::offload]
fn grid(m: usize, n: usize, y: &mut [u32]) -> bool {
    let mut fits = true;
    #[omp::parallel_for_simd(collapse(2), schedule(dynamic, 5), simdlen(8), reduction(&&: fits))]
    for i in 0..m {
        for j in 0..n {
            y[i * n + j] += (i * 1000 + j) as u32;
            fits = fits && omp::is_initial_device() && omp::get_team_num() < omp::get_num_teams();
        }
    }
    fits
}

#[test]
fn nests() {
    for (m, n) in [(0, 3), (3, 0), (1, 1), (7, 33), (64, 65)] {
        let mut y = vec![5; m * n];
        assert!(grid(m, n, &mut y));
        assert!(y.iter().enumerate().all(|(at, v)| *v as usize == 5 + at / n * 1000 + at % n));
    }
}

/// The index that fails is found as Rust finds it, and the program goes on.
#[test]
fn panics_are_rusts() {
    #[omp::offload]
    fn gather(table: &[u32], x: &[u8], y: &mut [u8]) {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] = x[table[i] as usize];
        }
    }
    let x = [1u8; 10];
    let mut table = vec![3; 500];
    table[77] = 12;
    let mut y = vec![0; 500];
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gather(&table, &x, &mut y)));
    let text = *payload.expect_err("out of bounds").downcast::<String>().expect("a text");
    assert!(text.contains("12") && text.contains("10"), "{text}");
    table[77] = 0;
    gather(&table, &x, &mut y);
    assert!(y.iter().all(|v| *v == 1));
}

#[omp::offload]
fn lanes(x: &[f32], y: &mut [f32], scale: f32) -> f32 {
    let mut sum = 0.0;
    let mut t = 3.0;
    #[omp::simd(simdlen(4), reduction(+: sum), private(t))]
    for i in (0..=x.len()).rev().step_by(2) {
        if i < x.len() {
            t = x[i] * scale;
            y[i] = t + 1.0;
            sum += t;
        }
    }
    sum
}

#[test]
fn simd_is_the_serial_loop() {
    for n in [0usize, 1, 2, 31] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y = vec![0.0; n];
        let sum = lanes(&x, &mut y, 2.0);
        let hit = |i: usize| (n - i).is_multiple_of(2);
        assert_eq!(sum, (0..n).filter(|i| hit(*i)).map(|i| 2.0 * i as f32).sum::<f32>());
        assert!((0..n).all(|i| y[i] == if hit(i) { 2.0 * i as f32 + 1.0 } else { 0.0 }), "{n}");
    }
}
