//! Scans in one launch: many lengths, shapes of blocks, operators and interleavings. What the look-back relies on is explained in
//! `back/c/strategy/scan/look_back.rs` of omp-kernels.
use crate::{Sample, Way, bytes, compare, there, upto};
use kernel_samples::build::{Desc, F32, I64, Region, U8, U32, X, count, int};
use omp_ir::analysis::plan::DimValues;
use omp_ir::desc::{FieldDesc, Prim, StructDesc, TypeDesc};
use omp_ir::kernel::ConstValue;
use omp_ir::template::ReduceOp;
use omp_kernels::interp::Memory;
use omp_kernels::schedule::Strategy;

/// Numbers without a pattern.
fn noise(n: u64, seed: u64) -> Vec<u64> {
    let mix = |k: u64| {
        let mut z = (k + 1 + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
    };
    (0..n).map(mix).collect()
}

/// Sums from a scalar, exclusive, and running maxima of an array, in one loop, with an element expression.
fn sums_and_maxima(n: u64) -> Sample {
    let mut r = Region::new("sums");
    let (x, y, z) = (r.array("x", &I64), r.array("y", &I64), r.array("z", &I64));
    let start = r.scalar("start", &I64);
    let s = r.reduced("s", ReduceOp::Add, &I64);
    r.starting_at(&start);
    let m = r.reduced("m", ReduceOp::Max, &I64);
    let i = r.dim("i", count(1, x.len()));
    let v = |r: &mut Region| r.let_("v", x.at(&i) ^ int(5));
    r.scan(
        &[&s, &m],
        |r| {
            let v = v(r);
            r.set(&s, &s + &v);
            r.if_(v.gt(&m), |r| r.set(&m, &v));
        },
        |r| r.set(&m, z.at(&i - int(1))),
        |r| {
            let v = v(r);
            r.set(y.at(&i), &s);
            r.set(&s, &s + &v);
            r.if_(v.gt(&m), |r| r.set(&m, &v));
            r.set(z.at(&i), &m);
        },
    );
    r.template().trust_disjoint.push(omp_ir::ids::ArrayId(2));
    let wide = |seed| bytes(noise(n, seed).into_iter().map(|v| v as i64 - (1 << 46)), i64::to_le_bytes);
    let memory = Memory {
        arrays: vec![wide(1), wide(2), wide(3)],
        scalars: vec![77i64.to_le_bytes().to_vec()],
        dims: vec![Some(DimValues { first: 1, step: 1, count: n.saturating_sub(1) })],
    };
    Sample { name: "sums", region: r, memory, loose: vec![] }
}

/// `y[i] = y[i - 1] + x[i - back]`: where groups of one array begin, those of the other don't.
fn shifted(n: u64, back: u64) -> Sample {
    let mut r = Region::new("shifted");
    let (x, y) = (r.array("x", &U32), r.array("y", &U32));
    let s = r.reduced("s", ReduceOp::Add, &U32);
    let i = r.dim("i", count(int(back.into()).cast(Prim::Usize), y.len()));
    let e = || x.at(&i - int(back.into()));
    r.scan(
        &[&s],
        |r| r.set(&s, &s + e()),
        |r| r.set(&s, y.at(&i - int(1))),
        |r| {
            r.set(&s, &s + e());
            r.set(y.at(&i), &s);
        },
    );
    r.template().trust_disjoint.push(omp_ir::ids::ArrayId(1));
    let words = |seed| bytes(noise(n, seed).into_iter().map(|v| v as u32 >> 20), u32::to_le_bytes);
    let memory = Memory {
        arrays: vec![words(1), words(2)],
        scalars: vec![],
        dims: vec![Some(DimValues { first: back.into(), step: 1, count: n.saturating_sub(back) })],
    };
    Sample { name: "shifted", region: r, memory, loose: vec![] }
}

/// `y[i] = y[i - 1] + t[x[i - back] % 256]`, with the sum before at a place of its own, too: what is accessed in addition makes
/// rows short.
fn looked_up(n: u64, back: u64) -> Sample {
    let mut r = Region::new("looked_up");
    let (x, y) = (r.array("x", &U32), r.array("y", &U32));
    let (t, before) = (r.array("t", &U32), r.array("before", &U32));
    let s = r.reduced("s", ReduceOp::Add, &U32);
    let i = r.dim("i", count(int(back.into()).cast(Prim::Usize), y.len()));
    let e = || t.at((x.at(&i - int(back.into())) & int(255)).cast(Prim::Usize));
    r.scan(
        &[&s],
        |r| r.set(&s, &s + e()),
        |r| r.set(&s, y.at(&i - int(1))),
        |r| {
            r.if_((x.at(&i - int(back.into())) & int(1)).is(int(0)), |r| r.set(before.at(&i), &s));
            r.set(&s, &s + e());
            r.set(y.at(&i), &s);
        },
    );
    r.template().trust_disjoint.push(omp_ir::ids::ArrayId(1));
    let words =
        |seed, n| bytes(noise(n, seed).into_iter().map(|v| (v as u32 >> 20) + seed as u32), u32::to_le_bytes);
    let memory = Memory {
        arrays: vec![words(1, n), words(2, n), words(3, 256), words(4, n)],
        scalars: vec![],
        dims: vec![Some(DimValues { first: back.into(), step: 1, count: n.saturating_sub(back) })],
    };
    Sample { name: "looked_up", region: r, memory, loose: vec![] }
}

/// In place, elements of a byte: 16 of them are a group.
fn parities(n: u64) -> Sample {
    let mut r = Region::new("parities");
    let y = r.array("y", &U8);
    let s = r.reduced("s", ReduceOp::BitXor, &U8);
    let i = r.dim("i", count(1, y.len()));
    r.scan(
        &[&s],
        |r| r.set(&s, &s ^ y.at(&i)),
        |r| r.set(&s, y.at(&i - int(1))),
        |r| {
            r.set(&s, &s ^ y.at(&i));
            r.set(y.at(&i), &s);
        },
    );
    r.template().trust_disjoint.push(omp_ir::ids::ArrayId(0));
    let memory = Memory {
        arrays: vec![noise(n, 4).into_iter().map(|v| v as u8).collect()],
        scalars: vec![],
        dims: vec![Some(DimValues { first: 1, step: 1, count: n.saturating_sub(1) })],
    };
    Sample { name: "parities", region: r, memory, loose: vec![] }
}

/// Sums of floats, which depend on how they are grouped: the same in every run.
fn floats(n: u64) -> Sample {
    let mut r = Region::new("floats");
    let (x, y) = (r.array("x", &F32), r.array("y", &F32));
    let s = r.reduced("s", ReduceOp::Add, &F32);
    let zero = r.scalar("zero", &F32);
    r.starting_at(&zero);
    let i = r.dim("i", count(0, x.len()));
    r.scan(
        &[&s],
        |r| r.set(&s, &s + x.at(&i)),
        |_| {},
        |r| {
            r.set(&s, &s + x.at(&i));
            r.set(y.at(&i), &s);
        },
    );
    let x = noise(n, 5).into_iter().map(|v| (v as u32 as f32).ln() * if v % 3 == 0 { -1.0 } else { 1.0 });
    let memory = Memory {
        arrays: vec![bytes(x, f32::to_le_bytes), vec![0; 4 * n as usize]],
        scalars: vec![0f32.to_le_bytes().to_vec()],
        dims: vec![upto(n)],
    };
    Sample { name: "floats", region: r, memory, loose: vec![1] }
}

/// From the end, every third element, with a look-up that fails somewhere if `wrong` says so.
fn backwards(n: u64, wrong: bool) -> Sample {
    let mut r = Region::new("backwards");
    let (at, x, y) = (r.array("at", &U32), r.array("x", &U32), r.array("y", &U32));
    let s = r.reduced("s", ReduceOp::Min, &U32);
    let i = r.dim("i", count(0, y.len()).rev().step_by(3));
    let e = |r: &mut Region| r.let_("e", x.at(at.at(&i).cast(Prim::Usize)));
    let start = r.scalar("start", &U32);
    r.starting_at(&start);
    r.scan(
        &[&s],
        |r| {
            let e = e(r);
            r.if_(e.lt(&s), |r| r.set(&s, &e));
        },
        |_| {},
        |r| {
            let e = e(r);
            r.if_(e.lt(&s), |r| r.set(&s, &e));
            r.set(y.at(&i), &s);
        },
    );
    let mut at: Vec<u32> = noise(n, 6).into_iter().map(|v| (v % n.max(1)) as u32).collect();
    if wrong && n > 0 {
        at[n as usize / 2..][..3].fill(1 << 30);
    }
    let memory = Memory {
        arrays: vec![
            bytes(at, u32::to_le_bytes),
            bytes(noise(n, 7).into_iter().map(|v| v as u32), u32::to_le_bytes),
            vec![1; 4 * n as usize],
        ],
        scalars: vec![u32::MAX.to_le_bytes().to_vec()],
        dims: vec![Some(DimValues { first: i128::from(n) - 1, step: -3, count: n.div_ceil(3) })],
    };
    Sample { name: "backwards", region: r, memory, loose: vec![] }
}

/// A struct of `words` numbers: the even ones are those of the leftmost, the odd ones of the rightmost operand, and the
/// last counts. It does not commute, and a value that is made of two shows.
pub(crate) fn words(words: usize) -> Desc {
    let names: &'static [String] = Box::leak((0..=words).map(|k| format!("f{k}")).collect());
    let fields: Vec<FieldDesc> =
        names.iter().enumerate().map(|(k, name)| FieldDesc { name, offset: 8 * k, ty: &I64 }).collect();
    Box::leak(Box::new(TypeDesc::Struct(Box::leak(Box::new(StructDesc {
        name: "Words",
        derived: omp_ir::desc::Derived::Nothing,
        size: 8 * (words + 1),
        align: 8,
        fields: Box::leak(fields.into_boxed_slice()),
    })))))
}

pub(crate) fn joined(r: &mut Region, ty: Desc, n: usize, to: &X, a: &X, b: &X) {
    let TypeDesc::Struct(s) = ty else { panic!("a struct") };
    // Nothing is -1 in the first number.
    let none = |x: &X| x.field("f0").is(int(-1));
    r.if_else(
        none(a),
        |r| r.set(to, b),
        |r| {
            r.if_else(
                none(b),
                |r| r.set(to, a),
                |r| {
                    for (k, f) in s.fields.iter().enumerate() {
                        let value = match k {
                            k if k == n => a.field(f.name) + b.field(f.name),
                            k if k % 2 == 0 => a.field(f.name),
                            _ => b.field(f.name),
                        };
                        r.set(to.field(f.name), value);
                    }
                },
            );
        },
    );
}

/// Values by an operator of the user's.
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

    let mut r = Region::new("declared");
    let (x, y) = (r.array("x", ty), r.array("y", ty));
    let c = r.reduced("c", ReduceOp::Add, ty);
    r.by_function(f.function(&[&a, &b], ty), ConstValue { ty, bytes: identity });
    let i = r.dim("i", count(1, y.len()));
    let step = |r: &mut Region| {
        let before = r.let_("before", &c);
        let e = r.let_("e", x.at(&i));
        joined(r, ty, count_of, &c, &before, &e);
    };
    r.scan(
        &[&c],
        |r| step(r),
        |r| r.set(&c, y.at(&i - int(1))),
        |r| {
            step(r);
            r.set(y.at(&i), &c);
        },
    );
    r.template().trust_disjoint.push(omp_ir::ids::ArrayId(1));
    let each = |seed: u64| {
        let of =
            |i: u64| (0..=count_of).map(move |k| if k == count_of { 1 } else { i * 1000 + seed + k as u64 });
        bytes((0..n).flat_map(of), u64::to_le_bytes)
    };
    let memory = Memory {
        arrays: vec![each(1), each(500)],
        scalars: vec![],
        dims: vec![Some(DimValues { first: 1, step: 1, count: n.saturating_sub(1) })],
    };
    Sample { name: "declared", region: r, memory, loose: vec![] }
}

fn check(sample: &Sample, way: &Way, dir: &std::path::Path) -> (u32, u32, usize) {
    match compare(sample, way, dir) {
        Strategy::LookBack { run, chunks, arrays, compacted: _ } => (run, chunks, arrays.len()),
        other => panic!("{} is laid out as {other:?}", sample.name),
    }
}

/// Blocks of a warp: small tiles, of which there are many.
fn small() -> Way {
    Way { limit: Some(32), at_once: 5, seeds: vec![0, 1, 3], ..Way::default() }
}

#[test]
fn scans_agree_with_the_interpreter() {
    if !there() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    let dir = dir.path();
    let quick = Way { seeds: vec![2], at_once: 3, ..Way::default() };
    let quick = Way { limit: Some(64), ..quick };
    for n in [2, 1000] {
        assert_eq!(check(&sums_and_maxima(n), &quick, dir).2, 3);
        assert_eq!(check(&parities(5 * n), &quick, dir).2, 1);
    }
    for (n, back) in [(2, 1), (2100, 2), (2100, 3)] {
        assert_eq!(check(&shifted(n, back), &quick, dir).2, 2);
    }
    for (n, back, rows) in [(2, 1, 1), (7000, 3, 4), (14000, 1, 8)] {
        assert_eq!(check(&looked_up(n, back), &quick, dir), (4, rows, 2));
    }
    check(&floats(1), &quick, dir);
    check(&backwards(4000, false), &quick, dir);
    check(&declared(600, 3), &quick, dir);
    let unaligned = Way { alignment: 4, ..quick };
    assert_eq!(check(&shifted(3000, 1), &unaligned, dir).2, 2);
}

#[test]
fn tiles_find_each_other_however_they_are_scheduled() {
    if !there() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    let dir = dir.path();
    // Several groups of 32 tiles.
    check(&declared(13_000, 1), &Way { seeds: vec![3], ..small() }, dir);
    check(&floats(40_000), &small(), dir);
    check(&declared(4300, 31), &Way { seeds: vec![3], ..small() }, dir);
    // Few blocks that take all tiles; more blocks than tiles; consecutive launches, in which the launch numbers start again.
    for teams in [1, 3] {
        check(&shifted(9000, 1), &Way { teams: Some(teams), launches: 3, ..small() }, dir);
    }
    let near_the_end = vec![((1u64 << 30) - 3) << 34];
    check(&shifted(9000, 1), &Way { tiles: near_the_end, launches: 4, seeds: vec![1, 3], ..small() }, dir);
}

#[test]
fn failing_checks_keep_no_thread_waiting() {
    if !there() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    check(&backwards(3000, true), &small(), dir.path());
    check(&backwards(3000, true), &Way { teams: Some(3), ..small() }, dir.path());
}
