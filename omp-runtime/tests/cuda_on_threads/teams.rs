//! Kernels for teams.
use crate::{Sample, Way, bytes, compare, there, upto};
use kernel_samples::build::{F32, I64, Region, U32, USIZE, count, int};
use omp_ir::desc::Prim;
use omp_ir::template::{Level, ReduceOp};
use omp_kernels::interp::Memory;
use omp_kernels::schedule::Strategy;

/// The rows of a matrix: sums (of whole numbers, which are exact), the least element, a count; stores around the nests
/// that are loaded again; a nest in a loop and one under a condition.
fn rows(m: u64, n: u64) -> Sample {
    let mut r = Region::new("rows");
    let (a, y, out) = (r.array("a", &I64), r.array("y", &F32), r.array("out", &I64));
    let cols = r.scalar("cols", &USIZE);
    let all = r.reduced("all", ReduceOp::Add, &I64);
    let i = r.dim("i", count(0, out.len()));
    let sum = r.let_mut("sum", int(0).cast(Prim::F32));
    let least = r.let_mut("least", int(1000).cast(Prim::I64));
    let some = r.let_mut("some", int(0).cast(Prim::I64));
    r.inner(Level::Team, 1, &[(ReduceOp::Add, &sum), (ReduceOp::Min, &least)], |r, items| {
        r.for_("j", count(0, &cols), |r, j, _| {
            let v = r.let_("v", a.at(&i * &cols + &j));
            r.set(&items[0], &items[0] + v.cast(Prim::F32));
            r.if_(v.lt(&items[1]), |r| r.set(&items[1], &v));
        });
    });
    r.set(out.at(&i), &least);
    r.for_("round", count(0, 3), |r, round, _| {
        r.set(out.at(&i), out.at(&i) + round.cast(Prim::I64));
        r.inner(Level::Team, 1, &[(ReduceOp::Add, &some)], |r, items| {
            r.for_("j", count(0, &cols).rev().step_by(2), |r, j, label| {
                r.if_(a.at(&i * &cols + &j).lt(out.at(&i)), |r| r.continue_(label));
                r.set(&items[0], &items[0] + int(1).cast(Prim::I64));
                r.set(a.at(&i * &cols + &j), a.at(&i * &cols + &j) - round.cast(Prim::I64));
            });
        });
    });
    r.if_(some.lt(int(40).cast(Prim::I64)), |r| {
        r.inner(Level::Team, 2, &[], |r, _| {
            r.for_("p", count(0, &cols), |r, p, _| {
                r.for_("q", count(0, 2), |r, q, _| {
                    r.set(y.at((&i * &cols + &p) * 2 + &q), &sum + q.cast(Prim::F32));
                });
            });
        });
    });
    r.set(&all, &all + &some + out.at(&i));
    let (m, n) = (m as i64, n as i64);
    let memory = Memory {
        arrays: vec![
            bytes((0..m * n).map(|k| k * 37 % 101 - 50), i64::to_le_bytes),
            bytes((0..2 * m * n).map(|k| k as f32), f32::to_le_bytes),
            bytes(0..m, i64::to_le_bytes),
        ],
        scalars: vec![(n as u64).to_le_bytes().to_vec()],
        dims: vec![upto(m as u64)],
    };
    Sample { name: "rows", region: r, memory, loose: vec![] }
}

/// A nest whose bounds depend on each other, and a look-up that fails in some iteration if `wrong` says so.
fn triangle(m: u64, n: u64, wrong: bool) -> Sample {
    let mut r = Region::new("triangle");
    let (z, table) = (r.array("z", &U32), r.array("table", &U32));
    let n_ = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, int(m.into()).cast(Prim::Usize)));
    let found = r.let_mut("found", int(0).cast(Prim::U32));
    r.inner(Level::Team, 2, &[(ReduceOp::BitXor, &found)], |r, items| {
        r.for_("a", count(0, &n_), |r, a, _| {
            r.for_("b", count(&a, &n_), |r, b, _| {
                let at = r.let_("at", table.at((&a + &b + &i) % table.len()));
                let v = r.let_("v", table.at(at.cast(Prim::Usize)));
                r.set(z.at((&i * &n_ + &a) * &n_ + &b), &v);
                r.set(&items[0], &items[0] ^ (&v + b.cast(Prim::U32)));
            });
        });
    });
    r.set(z.at((&i * &n_) * &n_), &found);
    let len = 3 * n + 7;
    let mut table: Vec<u32> = (0..len).map(|k| (k * 5 % len) as u32).collect();
    if wrong {
        table[n as usize / 2] = 1 << 20;
    }
    let memory = Memory {
        arrays: vec![bytes(vec![9; (m * n * n) as usize], u32::to_le_bytes), bytes(table, u32::to_le_bytes)],
        scalars: vec![n.to_le_bytes().to_vec()],
        dims: vec![upto(m)],
    };
    Sample { name: "triangle", region: r, memory, loose: vec![] }
}

/// Compares in blocks of at most so many threads.
fn check(sample: &Sample, limit: u64, dir: &std::path::Path) {
    let way = Way { teams: Some(2), limit: Some(limit), ..Way::default() };
    let strategy = compare(sample, &way, dir);
    assert_eq!(strategy, Strategy::Teams, "{}", sample.name);
}

#[test]
fn kernels_for_teams_agree_with_the_interpreter() {
    if !there() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    for limit in [1, 5, 32, 96] {
        check(&rows(3, 45), limit, dir.path());
        check(&triangle(3, 11, false), limit, dir.path());
    }
    for (m, n) in [(1, 0), (1, 1), (4, 300)] {
        check(&rows(m, n), 64, dir.path());
    }
    check(&triangle(3, 11, true), 64, dir.path());
}
