//! Reductions at their edges: starting values that are no numbers or have the other zero's sign, loops of no iterations, clauses
//! beside (`lastprivate`, `if`, teams and threads that only the run tells), tables of a million elements and parts of them, tasks
//! that share items, OpenMP's own scan by a declared operator, fixed arrays as one value. Every device against plain Rust, to the bit.
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 4] = [1, 2, 100, 5000];

#[omp::offload]
fn folded(d: usize, teams: usize, x: &[f64], start: [f64; 7]) -> [f64; 7] {
    let [mut sum, mut rest, mut product, mut least, mut most, mut same_sum, mut same_product] = start;
    #[omp::target(device(d), num_teams(teams), reduction(+: sum), reduction(-: rest), reduction(*: product),
        reduction(min: least), reduction(max: most), reduction(reproducible, +: same_sum), reduction(reproducible, *: same_product))]
    for i in 0..x.len() {
        sum += x[i];
        rest -= x[i];
        product *= x[i];
        least = least.min(x[i]);
        if x[i] > most {
            most = x[i];
        }
        same_sum += x[i];
        same_product *= x[i];
    }
    [sum, rest, product, least, most, same_sum, same_product]
}

#[omp::offload]
fn tabled(d: usize, x: &[f32], sums: &mut [f32], least: &mut [f32]) {
    let n = sums.len();
    #[omp::target(device(d), reduction(+: sums[0..n]), reduction(min: least))]
    for i in 0..x.len() {
        sums[i % n] += x[i];
        least[i % n] = least[i % n].min(x[i]);
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn loops_of_no_iterations_leave_every_value_as_it_is() {
    let (nan, tiny) = (f64::NAN, f64::MIN_POSITIVE / 4.0);
    on_every_device(|d| {
        for start in [[nan; 7], [-0.0; 7], [tiny; 7], [f64::INFINITY; 7], [f64::NEG_INFINITY; 7]] {
            for teams in [1, 70] {
                let got = folded(d, teams, &[], start);
                assert!(got.iter().zip(start).all(|(a, b)| same(*a, b)), "on {d}: {start:?} became {got:?}");
            }
        }
        let (mut sums, mut least) = ([-0.0, f32::NAN, 1.0], [f32::NAN, -0.0, f32::INFINITY]);
        tabled(d, &[], &mut sums, &mut least);
        assert!(sums[0].to_bits() == 1 << 31 && sums[1].is_nan() && sums[2].to_bits() == 1.0f32.to_bits());
        assert!(least[0].is_nan() && least[1].to_bits() == 1 << 31 && least[2] == f32::INFINITY);
    });
}

#[test]
fn zeros_keep_their_signs() {
    on_every_device(|d| {
        for n in LENGTHS {
            for (teams, zero) in [(1, -0.0), (64, -0.0), (3, 0.0)] {
                let x = vec![zero; n];
                for start in [0.0, -0.0] {
                    let begin = [start, start, 1.0, f64::INFINITY, f64::NEG_INFINITY, start, 1.0];
                    let product: f64 = x.iter().product();
                    let (sum, rest) = (start + zero, start - zero);
                    let want = [sum, rest, product, zero, zero, sum, product];
                    let got = folded(d, teams, &x, begin);
                    assert!(
                        got.iter().zip(want).all(|(a, b)| same(*a, b)),
                        "on {d}: {n} of {zero:?} from {start:?}: {got:?} for {want:?}"
                    );
                }
            }
            let x = vec![-0.0f32; n];
            for bins in [1, 3, 5000] {
                let (mut sums, mut least) = (vec![-0.0f32; bins], vec![f32::INFINITY; bins]);
                tabled(d, &x, &mut sums, &mut least);
                assert!(sums.iter().all(|v| v.to_bits() == 1 << 31), "on {d}: {n} into {bins}");
                for (k, v) in least.iter().enumerate() {
                    let want = if k < n { -0.0f32 } else { f32::INFINITY };
                    assert_eq!(v.to_bits(), want.to_bits(), "on {d}: {n} into {bins}");
                }
            }
        }
    });
}

#[test]
fn values_that_are_no_numbers_go_the_way_of_the_operator() {
    on_every_device(|d| {
        for n in LENGTHS {
            let x = vec![f64::NAN; n];
            let got = folded(d, 7, &x, [1.0, 1.0, 1.0, 3.5, -4.0, 1.0, 1.0]);
            for k in [0, 1, 2, 5, 6] {
                assert!(got[k].is_nan(), "on {d}: {n}, {got:?}");
            }
            // `min` takes the number, a comparison with NaN is false.
            assert_eq!((got[3], got[4]), (3.5, -4.0), "on {d}: {n}");
            let mut x = vec![1.0; n];
            x[n / 2] = f64::INFINITY;
            let all = f64::INFINITY;
            let got = folded(d, 7, &x, [f64::NAN, 0.0, 1.0, f64::NAN, 0.0, 1.0, 2.0]);
            assert!(got[0].is_nan());
            assert_eq!(got[1..], [-all, all, if n == 1 { all } else { 1.0 }, all, all, all], "on {d}: {n}");
        }
    });
}

#[omp::offload]
fn beside(d: usize, x: &[i64], (teams, threads): (i64, u64), on: bool) -> (i64, i64, i64) {
    let (mut sum, mut last, mut low) = (10, -1, i64::MAX);
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), if(on), schedule(static, 4), lastprivate(last),
        reduction(+: sum), reduction(min: low))]
    for i in 0..x.len() {
        last = x[i] * 2;
        sum += last;
        low = low.min(x[i]);
    }
    (sum, last, low)
}

#[test]
fn beside_last_values_conditions_and_limits_of_the_run() {
    on_every_device(|d| {
        for (n, many) in [(0, 4096), (1, 4096), (5, 64), (1000, 64), (40_000, 64)] {
            let mut r = Values(n as u64);
            let x: Vec<i64> = (0..n).map(|_| i64::from(r.bits() % 2001) - 1000).collect();
            let low = x.iter().copied().min().unwrap_or(i64::MAX);
            let want = (10 + 2 * x.iter().sum::<i64>(), x.last().map_or(-1, |v| v * 2), low);
            for limits in [(1, 1), (3, u64::MAX), (many, 1024), (i64::MAX, 32)] {
                // Last on the device, which is asked about afterwards.
                for on in [false, true] {
                    assert_eq!(beside(d, &x, limits, on), want, "on {d}: {n}, {limits:?}, {on}");
                }
            }
        }
    });
}

#[test]
fn limits_below_one_are_refused_wherever_the_loop_would_run() {
    on_every_device(|d| {
        for (limits, word) in
            [((0, 1), "num_teams(0)"), ((-3, 1), "num_teams(-3)"), ((1, 0), "thread_limit(0)")]
        {
            for (on, n) in [(true, 3), (false, 3), (true, 0)] {
                let failed = std::panic::catch_unwind(|| beside(d, &[1, 2, 3][..n], limits, on)).unwrap_err();
                let said = failed.downcast_ref::<String>().expect("a message");
                assert!(said.contains(word) && said.contains("reduction_edges.rs"), "on {d}: {said}");
            }
        }
        assert_eq!(beside(d, &[4], (1, 1), true), (18, 8, 4));
    });
}

/// The first and the last iteration that came by: no operator that commutes.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Run {
    first: u32,
    last: u32,
}

const NONE: Run = Run { first: u32::MAX, last: u32::MAX };

#[omp::declare_reduction(join: Run, identity = NONE)]
fn join(a: Run, b: Run) -> Run {
    if a.first == u32::MAX {
        b
    } else if b.first == u32::MAX {
        a
    } else {
        Run { first: a.first, last: b.last }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Histograms {
    counts: Vec<u32>,
    weights: Vec<f32>,
    tops: Vec<f32>,
    runs: Vec<Run>,
}

#[omp::offload]
impl Histograms {
    /// The bins of `a..b`.
    fn fill(&mut self, d: usize, (a, b): (usize, usize), x: &[u32], w: &[f32]) {
        #[omp::target(device(d), reduction(+: self.counts[a..b], self.weights[a..b]), reduction(max: self.tops[a..b]))]
        for i in 0..x.len() {
            let k = a + x[i] as usize % (b - a);
            self.counts[k] += 1;
            self.weights[k] += w[i];
            self.tops[k] = self.tops[k].max(w[i]);
        }
    }

    fn run(&mut self, d: usize, n: usize, x: &[u32]) {
        #[omp::target(device(d), reduction(join: self.runs[0..n]))]
        for i in 0..x.len() {
            let k = x[i] as usize % n;
            self.runs[k] = join(self.runs[k], Run { first: i as u32, last: i as u32 });
        }
    }

    fn filled(&mut self, (a, b): (usize, usize), x: &[u32], w: &[f32]) {
        for (v, w) in x.iter().zip(w) {
            let k = a + *v as usize % (b - a);
            self.counts[k] += 1;
            self.weights[k] += w;
            self.tops[k] = self.tops[k].max(*w);
        }
    }
}

#[test]
fn tables_of_a_million_bins_and_parts_of_them() {
    const BINS: usize = 1_000_000;
    let mut r = Values(11);
    let x: Vec<u32> = (0..40_000).map(|_| r.bits()).collect();
    // Small whole numbers: their sums are exact.
    let w: Vec<f32> = (0..x.len()).map(|i| (i % 16) as f32).collect();
    let none = Histograms {
        counts: vec![3; BINS + 2],
        weights: vec![0.5; BINS + 2],
        tops: vec![7.5; BINS + 2],
        runs: vec![NONE; BINS + 2],
    };
    on_every_device(|d| {
        for at in [(0, BINS), (BINS + 1, BINS + 2), (12_345, 12_445), (17, 70_001)] {
            let (mut got, mut want) = (none.clone(), none.clone());
            got.fill(d, at, &x, &w);
            want.filled(at, &x, &w);
            assert!(got == want, "on {d}: {at:?}");
        }
        for n in [1, 1000, 20_000] {
            let (mut got, mut want) = (none.clone(), none.runs.clone());
            got.run(d, n, &x);
            for (i, v) in x.iter().enumerate() {
                let k = *v as usize % n;
                want[k] = join(want[k], Run { first: i as u32, last: i as u32 });
            }
            assert!(got.runs == want, "on {d}: {n} runs");
        }
    });
}

#[omp::offload]
fn chained(d: usize, x: &mut [u64], bins: &mut [u32]) -> (u64, u64, u64, u32) {
    let (mut before, mut after, mut most) = (1, 0, 0);
    #[omp::target(device(d), nowait, depend(inout: x), reduction(+: before))]
    for i in 0..x.len() {
        before += x[i];
    }
    #[omp::target(device(d), nowait, depend(inout: x))]
    for i in 0..x.len() {
        x[i] += 1;
    }
    #[omp::target(device(d), nowait, depend(in: x), reduction(+: after), reduction(max: most))]
    for i in 0..x.len() {
        after += x[i];
        most = most.max(x[i]);
    }
    for k in 0..4 {
        // One item of several tasks, one after the other.
        #[omp::target(device(d), nowait, depend(in: x), depend(inout: bins), reduction(+: bins), reduction(+: after))]
        for i in 0..x.len() {
            bins[(x[i] % 7) as usize] += 1;
            after += k;
        }
    }
    // Waits for the tasks that write them.
    let twice = after * 2;
    let all: u32 = bins.iter().sum();
    omp::taskwait!();
    (before, twice, most, all)
}

#[test]
fn items_of_tasks_that_follow_each_other() {
    on_every_device(|d| {
        for n in [0u64, 1, 300, 20_000] {
            let (mut x, mut bins) = ((0..n).collect::<Vec<_>>(), vec![5; 7]);
            let sum: u64 = x.iter().sum();
            let got = chained(d, &mut x, &mut bins);
            assert_eq!(got, (1 + sum, 2 * (sum + n + 6 * n), n, 35 + 4 * n as u32), "on {d}: {n}");
            for (k, bin) in (0..).zip(&bins) {
                assert_eq!(*bin, 5 + 4 * (1..=n).filter(|v| v % 7 == k).count() as u32, "on {d}: {n}");
            }
        }
    });
}

/// A function `v -> v * by + plus`.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Affine {
    by: u64,
    plus: u64,
}

#[omp::declare_reduction(then: Affine, identity = Affine { by: 1, plus: 0 })]
fn then(f: Affine, g: Affine) -> Affine {
    Affine { by: f.by.wrapping_mul(g.by), plus: f.plus.wrapping_mul(g.by).wrapping_add(g.plus) }
}

#[omp::offload]
fn inclusive(d: usize, x: &[Affine], y: &mut [u64], start: Affine) -> (Affine, u64) {
    let (mut all, mut most) = (start, 0);
    #[omp::target(device(d), reduction(inscan, then: all), reduction(inscan, max: most))]
    for i in 0..x.len() {
        let of = x[i];
        all = then(all, of);
        most = most.max(of.plus);
        omp::scan!(inclusive(all, most));
        y[i] = all.plus ^ most;
    }
    (all, most)
}

#[omp::offload]
fn exclusive(d: usize, x: &[Affine], y: &mut [u64], start: Affine) -> Affine {
    let mut all = start;
    #[omp::target(device(d), reduction(inscan, then: all))]
    for i in 0..x.len() {
        y[i] = if all.by & 4 == 0 { all.by } else { all.plus };
        omp::scan!(exclusive(all));
        all = then(all, x[i]);
    }
    all
}

#[test]
fn own_scans_by_a_declared_operator() {
    on_every_device(|d| {
        for n in [0, 1, 33, 4097, 60_001] {
            let mut r = Values(n as u64);
            let x: Vec<_> = (0..n).map(|_| Affine { by: r.wide() | 1, plus: r.wide() }).collect();
            let start = Affine { by: 3, plus: 1 };
            let (mut all, mut most) = (start, 0);
            let (mut with, mut without) = (vec![0; n], vec![0; n]);
            for i in 0..n {
                without[i] = if all.by & 4 == 0 { all.by } else { all.plus };
                all = then(all, x[i]);
                most = most.max(x[i].plus);
                with[i] = all.plus ^ most;
            }
            let mut y = vec![0; n];
            assert_eq!(inclusive(d, &x, &mut y, start), (all, most), "on {d}: {n}");
            assert!(y == with, "on {d}: {n}");
            assert_eq!(exclusive(d, &x, &mut y, start), all, "on {d}: {n}");
            assert!(y == without, "on {d}: {n}");
        }
    });
}

/// A set of 128 bits, and how often something was put in.
type Set = [u64; 3];

#[omp::declare_reduction(union: [u64; 3], identity = [0; 3])]
fn union(a: Set, b: Set) -> Set {
    [a[0] | b[0], a[1] | b[1], a[2] + b[2]]
}

#[omp::declare_target]
fn one(bit: u32) -> Set {
    let mut set = [0; 3];
    set[(bit >> 6 & 1) as usize] = 1 << (bit & 63);
    set[2] = 1;
    set
}

#[omp::offload]
fn sets(d: usize, x: &[u32], y: &mut [u64], z: &mut [Set], rows: &mut [Set]) -> (Set, [Set; 3], Set) {
    let (mut all, mut carried) = ([1, 0, 0], one(7));
    let mut by_rest = [[0; 3]; 3];
    #[omp::target(device(d), reduction(union: all), reduction(union: by_rest))]
    for i in 0..x.len() {
        all = union(all, one(x[i]));
        by_rest[i % 3] = union(by_rest[i % 3], one(x[i]));
    }
    #[omp::scan(union, device(d))]
    for i in 0..x.len() {
        carried = union(carried, one(x[i]));
        y[i] = carried[0] ^ carried[2];
    }
    #[omp::scan(union, device(d))]
    for i in 1..x.len() {
        z[i] = union(z[i - 1], one(x[i]));
    }
    let m = x.len().checked_div(rows.len()).unwrap_or(0);
    #[omp::target(device(d))]
    for r in 0..rows.len() {
        let mut row = [0; 3];
        #[omp::parallel_for(reduction(union: row))]
        for c in 0..m {
            row = union(row, one(x[r * m + c]));
        }
        rows[r] = row;
    }
    (all, by_rest, carried)
}

#[test]
fn fixed_arrays_are_values_of_a_declared_operator() {
    on_every_device(|d| {
        for n in [0, 1, 33, 5000] {
            let mut r = Values(n as u64);
            let x: Vec<u32> = (0..n).map(|_| r.bits()).collect();
            let union_of = |of: &[u32], start: Set| of.iter().fold(start, |s, v| union(s, one(*v)));
            let (mut y, mut z, mut rows) = (vec![0; n], vec![one(9); n], vec![[5; 3]; 20]);
            let (all, by_rest, carried) = sets(d, &x, &mut y, &mut z, &mut rows);
            assert_eq!((all, carried), (union_of(&x, [1, 0, 0]), union_of(&x, one(7))), "on {d}: {n}");
            assert_eq!(by_rest.iter().fold([1, 0, 0], |s, v| union(s, *v)), all, "on {d}: {n}");
            for i in (0..n).step_by(57) {
                let to = union_of(&x[..=i], one(7));
                assert_eq!(y[i], to[0] ^ to[2], "on {d}: {i} of {n}");
                assert_eq!(z[i], union_of(&x[1.min(i + 1)..=i], one(9)), "on {d}: {i} of {n}");
            }
            for (k, row) in rows.iter().enumerate() {
                assert_eq!(*row, union_of(&x[k * (n / 20)..][..n / 20], [0; 3]), "on {d}: row {k} of {n}");
            }
        }
    });
}
