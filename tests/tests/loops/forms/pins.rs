//! Clauses that fix how iterations are laid over a device change no result; chunks go to threads as they say.
use omp_tests::{Values, on_every_device};

macro_rules! pinned {
    ($($name:ident [$($clause:tt)*];)*) => {
        $(mod $name {
            #[omp::offload]
            #[allow(clippy::too_many_arguments)]
            pub fn run(d: usize, m: usize, n: usize, x: &[f32], y: &mut [f32], z: &mut [u32], k: &[i64]) -> i64 {
                #[omp::target(device(d), map(to: x), map(tofrom: y), $($clause)*)]
                for i in 0..x.len() {
                    y[i] += 2.0 * x[i];
                }
                #[omp::target(device(d), collapse(2), $($clause)*)]
                for i in 0..m {
                    for j in 0..n {
                        let mut s = 0;
                        for e in 0..7 {
                            s += (i * 3 + j * e) as u32;
                        }
                        z[i * n + j] = s;
                    }
                }
                let mut sum = 0;
                #[omp::target(device(d), reduction(+: sum), $($clause)*)]
                for i in (0..k.len()).rev() {
                    sum += k[i];
                }
                sum
            }
        })*

        #[test]
        fn results_are_those_of_the_loops() {
            for (m, n) in [(0, 5), (1, 1), (3, 33), (40, 65), (130, 17)] {
                let mut r = Values(m as u64 * 7 + n as u64);
                let mut floats = || (0..m * n).map(|_| (r.bits() >> 12) as f32).collect::<Vec<f32>>();
                let (x, y) = (floats(), floats());
                let k: Vec<i64> = (0..m * n).map(|i| (i * i) as i64 - 100).collect();
                on_every_device(|d| {
                    $(
                        let (mut got, mut z) = (y.clone(), vec![u32::MAX; m * n]);
                        let sum = $name::run(d, m, n, &x, &mut got, &mut z, &k);
                        let at = format!("{}, {m} x {n}, device {d}", stringify!($name));
                        assert_eq!(sum, k.iter().sum::<i64>(), "{at}");
                        assert!((0..m * n).all(|i| got[i] == 2.0 * x[i] + y[i]), "{at}");
                        let want = |i: usize, j: usize| (0..7).map(|e| (i * 3 + j * e) as u32).sum::<u32>();
                        assert!((0..m * n).all(|i| z[i] == want(i / n, i % n)), "{at}");
                    )*
                });
            }
        }
    };
}

pinned! {
    block_one [block(96)];
    block_two [block(16u8, 4)];
    block_three [block(4i64, 2, 2usize)];
    block_huge [block(1 << 20, 1 << 20)];
    tile_one [tile(24)];
    tile_two [tile(4, 32)];
    unroll [unroll];
    unroll_three [unroll(3)];
    vector_none [vector(1)];
    vector_four [vector(4), unroll(2)];
    vector_two [vector(2)];
    chunks [schedule(static, 3)];
    chunks_of_all [schedule(static, u64::MAX)];
    teams_chunks [dist_schedule(static, 100)];
    both_chunks [dist_schedule(static, 50), schedule(static, 4), num_teams(3), thread_limit(8)];
    hints [schedule(dynamic, 2), dist_schedule(static)];
    more_hints [schedule(guided), num_threads(40), simdlen(4)];
}

#[omp::offload]
fn cached(d: usize, x: &[u32], w: &[u32; 5], y: &mut [u32]) {
    #[omp::target(device(d), cache(w), block(64))]
    for i in 0..y.len() {
        y[i] = 0;
        for k in 0..5 {
            y[i] += w[k] * x[i + k];
        }
    }
}

#[omp::offload]
fn who(d: usize, chunk: i16, y: &mut [[usize; 2]]) {
    #[omp::target(device(d), schedule(static, chunk), num_teams(4), thread_limit(5))]
    for i in 0..y.len() {
        y[i] = [omp::get_team_num(), omp::get_thread_num()];
    }
}

#[omp::offload]
fn teams(d: usize, chunk: u8, y: &mut [usize]) {
    #[omp::target(device(d), dist_schedule(static, chunk), num_teams(4))]
    for i in 0..y.len() {
        y[i] = omp::get_team_num();
    }
}

#[test]
fn chunks_stay_together() {
    on_every_device(|d| {
        let x: Vec<u32> = (0..300).collect();
        let (mut y, w) = (vec![1; 290], [1, 2, 3, 4, 5]);
        cached(d, &x, &w, &mut y);
        assert!((0..290).all(|i| y[i as usize] == 15 * i + 40), "device {d}");
        for (n, chunk) in [(1usize, 1usize), (7, 3), (100, 3), (1000, 64), (33, 1000)] {
            let mut y = vec![[usize::MAX; 2]; n];
            who(d, chunk as i16, &mut y);
            for i in 0..n {
                assert_eq!(y[i], y[i / chunk * chunk], "chunks of {chunk}, iteration {i} of {n}, device {d}");
            }
            if d < omp::get_num_devices() {
                let mut y = vec![usize::MAX; n];
                teams(d, chunk.min(200) as u8, &mut y);
                let first = |i: usize| i / chunk.min(200) * chunk.min(200);
                assert!(
                    (0..n).all(|i| y[i] == y[first(i)]),
                    "teams' chunks of {chunk}, {n}, device {d}: {y:?}"
                );
            }
        }
    });
}
