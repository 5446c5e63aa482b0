//! Reductions whose warps read cooperatively, and those of arrays in copies of each thread.
use crate::scans::{joined, words};
use crate::{Sample, Way, bytes, compare, there, upto};
use kernel_samples::build::{F32, Region, U32, USIZE, count};
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::ArrayId;
use omp_ir::kernel::ConstValue;
use omp_ir::template::{Combiner, ReduceOp, Reduction, ReductionItem};
use omp_kernels::interp::Memory;
use omp_kernels::schedule::{Each, Strategy};

/// Values by an operator of the user's, whose operands keep their order.
fn declared(n: u64, count_of: usize) -> Sample {
    let ty = words(count_of);
    let TypeDesc::Struct(s) = ty else { panic!("a struct") };
    let mut f = Region::new("join");
    let (a, b) = (f.param("a", ty), f.param("b", ty));
    let to = f.let_mut("to", &a);
    joined(&mut f, ty, count_of, &to, &a, &b);
    f.give(&to, ty);
    let mut identity = vec![0; s.size];
    identity[..8].fill(0xff);

    let mut r = Region::new("folded");
    let x = r.array("x", ty);
    let c = r.reduced("c", ReduceOp::Add, ty);
    r.by_function(f.function(&[&a, &b], ty), ConstValue { ty, bytes: identity });
    let i = r.dim("i", count(0, x.len()));
    let before = r.let_("before", &c);
    let e = r.let_("e", x.at(&i));
    joined(&mut r, ty, count_of, &c, &before, &e);
    let of = |i: u64| (0..=count_of as u64).map(move |k| if k == count_of as u64 { 1 } else { i * 1000 + k });
    let memory = Memory {
        arrays: vec![bytes((0..n).flat_map(of), u64::to_le_bytes)],
        scalars: vec![],
        dims: vec![upto(n)],
    };
    Sample { name: "folded", region: r, memory, loose: vec![] }
}

/// Whole numbers into elements of an array of floats.
fn bins(n: u64, len: u64) -> Sample {
    let mut r = Region::new("bins");
    let (x, all) = (r.array("x", &U32), r.array("all", &F32));
    let len_ = r.scalar("len", &USIZE);
    let i = r.dim("i", count(0, x.len()));
    let k = r.let_("k", x.at(&i).cast(Prim::Usize) % &len_);
    r.set(all.at(&k), all.at(&k) + x.at(&i).cast(Prim::F32));
    r.template().reductions.push(Reduction {
        name: "all".into(),
        op: Combiner::Builtin(ReduceOp::Add),
        item: ReductionItem::Array(ArrayId(1)),
        start: None,
        turned: false,
        reproducible: false,
    });
    let memory = Memory {
        arrays: vec![
            bytes((0..n).map(|i| (i * 7 % 50) as u32), u32::to_le_bytes),
            bytes((0..len).map(|k| k as f32), f32::to_le_bytes),
        ],
        scalars: vec![len.to_le_bytes().to_vec()],
        dims: vec![upto(n)],
    };
    Sample { name: "bins", region: r, memory, loose: vec![] }
}

#[test]
fn reductions_with_cooperative_reads_agree_with_the_interpreter() {
    if !there() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    for (n, of, limit) in [(0, 1, 32), (1, 1, 32), (700, 1, 64), (5000, 1, 96), (900, 3, 64)] {
        let way = Way { teams: Some(3), limit: Some(limit), at_once: 3, seeds: vec![0, 2], ..Way::default() };
        match compare(&declared(n, of), &way, dir.path()) {
            // Of no elements there are no groups.
            Strategy::Ordered { arrays, .. } => assert_eq!(arrays.len(), usize::from(n > 0), "{n} {of}"),
            other => panic!("laid out as {other:?}"),
        }
    }
}

#[test]
fn arrays_in_copies_agree_with_the_interpreter() {
    if !there() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    for (n, len, limit) in [(0, 1, 32), (1, 1, 32), (3000, 5, 40), (4001, 60, 64)] {
        let way = Way { teams: Some(3), limit: Some(limit), at_once: 3, seeds: vec![0, 2], ..Way::default() };
        match compare(&bins(n, len), &way, dir.path()) {
            Strategy::CopyPrivatisation { each: Each::Thread { .. }, .. } => {}
            other => panic!("laid out as {other:?}"),
        }
    }
}
