//! Inspections: verdicts that formulas don't come to, and what they cost.
use kernel_samples::build::{F32, I32, Region, USIZE, X, array_of, count, int};
use omp_ir::analysis::inspect::{Alone, Crew};
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchPlan, LaunchValues, Verdict};
use omp_ir::ids::ArrayId;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Three threads.
pub(super) struct Three;

impl Crew for Three {
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
    let run = |crew: &dyn Crew| {
        let mut facts = plan.decide(&values);
        facts.open = plan.every_pair();
        (plan.inspect(&values, &mut facts, 1 << 24, crew).0, facts)
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
        for crew in [&Alone as &dyn Crew, &Three] {
            let mut best = std::time::Duration::MAX;
            for _ in 0..5 {
                let mut facts = plan.decide(&values);
                facts.open = plan.every_pair();
                let start = std::time::Instant::now();
                assert_eq!(plan.inspect(&values, &mut facts, u64::MAX, crew).0, Verdict::Apart);
                best = best.min(start.elapsed());
            }
            println!(
                "{n} touches on {}: {best:?}, {:.2} ns each",
                crew.threads(),
                best.as_secs_f64() * 1e9 / n as f64
            );
        }
    }
}
