//! Inspections: verdicts that formulas don't come to, and what they cost.
use kernel_samples::build::{BOOL, F32, I32, Region, U32, USIZE, X, array_of, count, int};
use omp_ir::analysis::inspect::{Alone, Element, Executor, Memory};
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchPlan, LaunchValues, Verdict};
use omp_ir::ids::ArrayId;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Three threads.
pub(super) struct Three;

impl Executor for Three {
    fn threads(&self) -> usize {
        3
    }

    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(k) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|k| *k < parts) {
                        part(k);
                    }
                });
            }
        });
    }
}

/// Inspects all pairs of accesses, whatever formulas say.
fn inspect(r: Region, dims: &[u64], scalars: &[i128], lens: &[u64]) -> (Verdict, LaunchFacts) {
    let (plan, _) = LaunchPlan::build(&r.kernel());
    let scalars: Vec<_> = scalars.iter().map(|s| Some(*s)).collect();
    let sections: Vec<_> = lens.iter().map(|n| (0, *n)).collect();
    let dims: Vec<_> = dims.iter().map(|n| Some(DimValues { first: 0, step: 1, count: *n })).collect();
    let values = LaunchValues { dims: &dims, scalars: &scalars, lens, sections: &sections };
    let run = |executor: &dyn Executor| {
        let mut facts = plan.decide(&values);
        facts.open = plan.every_pair();
        (plan.inspect(&values, &mut facts, 1 << 24, executor).0, facts)
    };
    let found = run(&Alone);
    assert_eq!(run(&Three), found);
    found
}

fn strided(n: u64, index: impl Fn(&X, &X, &X) -> X, s: i128) -> Verdict {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let (size, step) = (r.scalar("n", &USIZE), r.scalar("s", &USIZE));
    let i = r.dim("i", count(0, &size));
    r.set(y.at(index(&i, &size, &step)), 1.0);
    inspect(r, &[n], &[n.into(), s], &[n]).0
}

#[test]
fn numbers_at_the_ends_of_types() {
    let max = i128::from(u64::MAX);
    let scaled = |i: &X, n: &X, s: &X| i * s % n;
    assert_eq!(strided(1000, scaled, 7), Verdict::Apart);
    assert_eq!(strided(1000, scaled, 10), Verdict::Race);
    // Products that wrap, and numbers next to the largest.
    assert_eq!(strided(1 << 10, scaled, max - 4), Verdict::Apart);
    assert_eq!(strided(1 << 10, scaled, max - 3), Verdict::Race);
    assert_eq!(strided(1000, |i, _, s| s.clone() - i, 999), Verdict::Apart);
    // The same in all iterations, computed by a product of more than 128 bits.
    assert_eq!(strided(1000, |_, _, s| s * s, max), Verdict::Race);
    assert_eq!(strided(1000, |i, _, s| i + s, max - 9), Verdict::Apart);
    assert_eq!(strided(1000, |i, _, s| (i + s) / 2, max - 9), Verdict::Race);
    // A division by zero fails before anything is touched.
    assert_eq!(strided(1000, |i, _, s| i % s, 0), Verdict::Apart);
}

#[test]
fn parts_of_elements_are_places_of_their_own() {
    let nested = |to: fn(&X) -> X| {
        let mut r = Region::new("t");
        let y = r.array("y", array_of(&F32, 3));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        r.set(y.at(&i / 3).at(to(&i)), 1.0);
        inspect(r, &[300], &[300], &[100])
    };
    assert_eq!(nested(|i| i % 3).0, Verdict::Apart);
    let (verdict, facts) = nested(|i| i % 2);
    let (iterations, element) = facts.race.expect("a race").witness.expect("with a witness");
    assert_eq!((verdict, iterations, element), (Verdict::Race, vec![("i".into(), 0, 2)], 0));
    // Beyond the inner array: that is an error of its own.
    assert_eq!(nested(|i| i % 3 + 3).0, Verdict::Apart);
}

#[test]
fn conditions_on_data_are_taken_both_ways() {
    let when = |data: bool, s: i128| {
        let mut r = Region::new("t");
        let (y, x) = (r.array("y", &I32), r.array("x", &I32));
        let (n, step) = (r.scalar("n", &USIZE), r.scalar("s", &USIZE));
        let i = r.dim("i", count(0, &n));
        let c = if data { x.at(&i).gt(0) } else { i.lt(500) };
        r.if_(c, |r| r.set(y.at(&i * &step % &n), 1));
        inspect(r, &[1000], &[1000, s], &[1000, 1000])
    };
    assert_eq!(
        (when(true, 7).0, when(false, 2).0, when(false, 4).0),
        (Verdict::Apart, Verdict::Apart, Verdict::Race)
    );
    let (verdict, facts) = when(true, 2);
    assert_eq!((verdict, facts.race), (Verdict::Data, None));
    assert!(facts.claims.contains(&ArrayId::new(0)) && facts.numbering.count() == Some(1000));
}

/// The numbers of the arrays by their order.
#[derive(Debug)]
struct Held(Vec<Vec<u64>>);

impl Memory for Held {
    fn load(&self, from: Element, at: &[u64], (values, known): (&mut [u64], &mut [bool])) -> bool {
        let array = &self.0[from.array.index()];
        for ((at, value), known) in at.iter().zip(values).zip(&mut *known) {
            let found = array.get(*at as usize);
            (*value, *known) = (found.copied().unwrap_or(0), found.is_some());
        }
        known.iter().all(|known| *known)
    }
}

/// Inspects a loop over `0..n` with what its arrays hold, of which the first is under `disjoint`.
fn with_data(mut r: Region, n: u64, arrays: Vec<Vec<u64>>) -> Verdict {
    r.template().check_disjoint.push(ArrayId::new(0));
    let (plan, _) = LaunchPlan::build(&r.kernel());
    let dims = [Some(DimValues { first: 0, step: 1, count: n })];
    let lens: Vec<u64> = arrays.iter().map(|a| a.len() as u64).collect();
    let sections: Vec<_> = lens.iter().map(|n| (0, *n)).collect();
    let values = LaunchValues { dims: &dims, scalars: &[Some(n.into())], lens: &lens, sections: &sections };
    let facts = plan.decide(&values);
    assert_eq!((facts.claims.len(), facts.open.len()), (1, 0));
    let memory = Held(arrays);
    let run =
        |executor: &dyn Executor| plan.inspect_data(&values, &facts, &memory, u64::MAX, executor).verdict;
    let found = run(&Alone);
    assert_eq!(run(&Three), found);
    found
}

/// As random as need be.
fn scattered(seed: u64, n: usize) -> Vec<u64> {
    let mut k: Vec<u64> = (0..n as u64).collect();
    let mut state = seed;
    for i in (1..n).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        k.swap(i, (state >> 33) as usize % (i + 1));
    }
    k
}

#[test]
fn subscripts_that_are_read_are_inspected_with_what_they_read() {
    let n = 1000usize;
    let scatter = |k: Vec<u64>| {
        let mut r = Region::new("t");
        let (y, k_) = (r.array("y", &F32), r.array("k", &U32));
        let size = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &size));
        let to = r.let_("to", k_.at(&i).cast(omp_ir::desc::Prim::Usize));
        r.set(y.at(&to), y.at(&to) + 1.0);
        with_data(r, n as u64, vec![vec![0; n], k])
    };
    for seed in 0..20 {
        let k = scattered(seed, n);
        assert_eq!(scatter(k.clone()), Verdict::Apart);
        // Claims check two iterations that conflict, wherever they are. An access out of bounds conflicts with none.
        for (a, b) in [(0, 1), (0, n - 1), (n / 3 - 1, n / 3), (n / 3, 2 * n / 3)] {
            let mut met = k.clone();
            met[a] = met[b];
            assert_eq!(scatter(met.clone()), Verdict::Data);
            (met[a], met[b]) = (n as u64, n as u64);
            assert_eq!(scatter(met), Verdict::Apart);
        }
    }
    // An index array that is too short.
    assert_eq!(scatter((0..700).collect()), Verdict::Apart);
}

#[test]
fn elements_that_others_read_are_found() {
    let n = 600usize;
    let gather = |k: Vec<u64>, from: Vec<u64>| {
        let mut r = Region::new("t");
        let (y, k_, from_) = (r.array("y", &I32), r.array("k", &USIZE), r.array("from", &USIZE));
        let size = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &size));
        r.set(y.at(k_.at(&i)), y.at(from_.at(&i)));
        with_data(r, n as u64, vec![vec![0; 2 * n], k, from])
    };
    let (k, from) = (scattered(3, n), scattered(4, n));
    let beyond: Vec<u64> = from.iter().map(|at| at + n as u64).collect();
    assert_eq!(gather(k.clone(), beyond.clone()), Verdict::Apart);
    // Many iterations may read one element that none writes.
    assert_eq!(gather(k.clone(), vec![n as u64; n]), Verdict::Apart);
    for at in [0, n / 3, n - 1] {
        let mut met = beyond.clone();
        met[at] = k[n - 1 - at];
        assert_eq!(gather(k.clone(), met), Verdict::Data);
    }
}

#[test]
fn conditions_on_data_are_distinguished() {
    let n = 900usize;
    // Two stores to one place, under conditions of their own.
    let either = |k: Vec<u64>, first: Vec<u64>, second: Vec<u64>| {
        let mut r = Region::new("t");
        let (y, k_) = (r.array("y", &I32), r.array("k", &U32));
        let (first_, second_) = (r.array("first", &BOOL), r.array("second", &BOOL));
        let size = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &size));
        let to = r.let_("to", k_.at(&i).cast(omp_ir::desc::Prim::Usize));
        r.if_(first_.at(&i), |r| r.set(y.at(&to), 1));
        r.if_(second_.at(&i), |r| r.set(y.at(&to), 2));
        with_data(r, n as u64, vec![vec![0; n], k, first, second])
    };
    let (never, always) = (vec![0; n], vec![1; n]);
    let mut k = scattered(9, n);
    k[17] = k[700];
    assert_eq!(either(k.clone(), never.clone(), never.clone()), Verdict::Apart);
    assert_eq!(either(k.clone(), always.clone(), never.clone()), Verdict::Data);
    assert_eq!(either(k.clone(), never.clone(), always), Verdict::Data);
    let only = |at: usize| (0..n).map(|i| u64::from(i == at)).collect::<Vec<_>>();
    assert_eq!(either(k.clone(), only(17), never), Verdict::Apart);
    assert_eq!(either(k, only(17), only(700)), Verdict::Data);
}

/// `cargo test --release -p omp-kernels --lib what_an_inspection_costs -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn what_an_inspection_costs() {
    for n in [10_000u64, 1_000_000, 10_000_000] {
        let mut r = Region::new("t");
        let (y, x) = (r.array("y", &F32), r.array("x", &F32));
        let (size, step) = (r.scalar("n", &USIZE), r.scalar("s", &USIZE));
        let i = r.dim("i", count(0, &size));
        r.set(y.at(&i * &step % &size), x.at(&i) + int(1));
        let (plan, _) = LaunchPlan::build(&r.kernel());
        let dims = [Some(DimValues { first: 0, step: 1, count: n })];
        let (scalars, lens, sections) = ([Some(n.into()), Some(7)], [n; 2], [(0, n); 2]);
        let values = LaunchValues { dims: &dims, scalars: &scalars, lens: &lens, sections: &sections };
        for executor in [&Alone as &dyn Executor, &Three] {
            let mut best = std::time::Duration::MAX;
            for _ in 0..5 {
                let mut facts = plan.decide(&values);
                facts.open = plan.every_pair();
                let start = std::time::Instant::now();
                assert_eq!(plan.inspect(&values, &mut facts, u64::MAX, executor).0, Verdict::Apart);
                best = best.min(start.elapsed());
            }
            println!(
                "{n} touches on {}: {best:?}, {:.2} ns each",
                executor.threads(),
                best.as_secs_f64() * 1e9 / n as f64
            );
        }
    }
}
