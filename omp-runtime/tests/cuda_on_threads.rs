//! CUDA sources without a GPU: kernels for teams run on the host's threads, a thread for each thread of a block, under
//! ThreadSanitizer, and are compared with the interpreter. A barrier that is missing is found, and one that not all
//! threads reach hangs. Needs `g++`.
use omp_kernels::analysis::plan::{DimValues, LaunchValues};
use omp_kernels::back::{self, Arg, Dialect, STATUS_BYTES, Source};
use omp_kernels::interp::{self, Memory};
use omp_kernels::ir::build::{F32, I64, Region, U32, USIZE, count, int};
use omp_kernels::ir::desc::Prim;
use omp_kernels::ir::template::{Level, ReduceOp};
use omp_kernels::schedule::{self, DeviceClass, DeviceKind, Geometry, Request, Strategy};
use omp_kernels::valid::finalise;
use std::path::Path;
use std::process::Command;

const SHIM: &str = include_str!("threads/shim.h");

/// A kernel and its data.
struct Sample {
    name: &'static str,
    region: Region,
    memory: Memory,
}

fn bytes<T: Copy, const N: usize>(values: impl IntoIterator<Item = T>, le: fn(T) -> [u8; N]) -> Vec<u8> {
    values.into_iter().flat_map(le).collect()
}

fn upto(n: u64) -> Option<DimValues> {
    Some(DimValues { first: 0, step: 1, count: n })
}

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
    Sample { name: "rows", region: r, memory }
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
    Sample { name: "triangle", region: r, memory }
}

/// What came of a run: the arrays, and the reduced values or that it failed.
type Outcome = (Vec<Vec<u8>>, Option<Vec<Vec<u8>>>);

fn device() -> DeviceClass {
    DeviceClass {
        kind: DeviceKind::Cuda,
        units: 2,
        max_block: 1024,
        warp: 32,
        shared_bytes: 48 << 10,
        arch: 90,
        f64: true,
        atomics64: true,
    }
}

/// Runs a sample both ways with blocks of at most so many threads.
fn compare(sample: Sample, limit: u64, dir: &Path) {
    let Sample { name, region, memory } = sample;
    let (template, types) = region.finish();
    let (kernel, info) = finalise(template, types, false).expect("it is well typed");
    let mut interpreted = memory.clone();
    let want = interp::run(&kernel, &info, &mut interpreted).ok();
    let sizes: Vec<u64> = kernel.array_ty.iter().map(|&ty| kernel.types.size(ty).unwrap_or(1)).collect();
    let lens: Vec<u64> = memory.arrays.iter().zip(&sizes).map(|(a, size)| a.len() as u64 / size).collect();
    let sections: Vec<(u64, u64)> = lens.iter().map(|&len| (0, len)).collect();
    let int = |b: &Vec<u8>| b[..].try_into().ok().map(|b| i128::from(u64::from_le_bytes(b)));
    let scalars: Vec<Option<i128>> = memory.scalars.iter().map(int).collect();
    let values = LaunchValues { dims: &memory.dims, scalars: &scalars, lens: &lens, sections: &sections };
    let facts = info.plan.decide(&values);
    assert_eq!(facts.race, None, "{name}");
    let alignment = vec![16; lens.len()];
    let request = Request {
        extents: &lens,
        facts: &facts,
        device: &device(),
        num_teams: Some(2),
        thread_limit: Some(limit),
        alignment: &alignment,
        pins: Default::default(),
    };
    let schedule = schedule::choose(&kernel, &info, &request);
    assert_eq!(schedule.strategy, Strategy::Teams, "{name}");
    let geometry = schedule::geometry(&schedule, &kernel, &request);
    let source = back::emit(&kernel, &info, &schedule, Dialect::Cuda).expect("CUDA can say it");
    let results: Vec<usize> = kernel
        .template
        .reductions
        .iter()
        .map(|r| {
            r.local().and_then(|l| kernel.types.size(kernel.body.local_ty[l.index()])).unwrap_or(0) as usize
        })
        .collect();
    let room = schedule::room(&kernel, &schedule, &geometry, &lens, facts.total.unwrap_or(0));
    let launch = Launch {
        geometry: &geometry,
        memory: &memory,
        lens: &lens,
        total: facts.total,
        results: &results,
        partials: room.partials.max(16) as usize,
    };
    let got = launch.run(&source, dir);
    match (&want, &got.1) {
        (Some(want), Some(reduced)) => {
            assert_eq!(want, reduced, "{name} in blocks of {limit}\n{}", source.text);
            assert_eq!(interpreted.arrays, got.0, "{name} in blocks of {limit}\n{}", source.text);
        }
        (None, None) => {} // what a failed region leaves behind is unspecified
        (want, got) => panic!("{name} in blocks of {limit}: wanted {want:?}, not {got:?}\n{}", source.text),
    }
}

struct Launch<'a> {
    geometry: &'a Geometry,
    memory: &'a Memory,
    lens: &'a [u64],
    total: Option<u64>,
    results: &'a [usize],
    partials: usize,
}

impl Launch<'_> {
    fn run(&self, source: &Source, dir: &Path) -> Outcome {
        let Self { geometry, memory, lens, total, results, partials } = *self;
        let (text, program, data) = (dir.join("kernel.cpp"), dir.join("kernel"), dir.join("data"));
        let main = format!("int main(int, char** a) {{ return on_threads({}, a[1]); }}\n", source.entry);
        std::fs::write(&text, format!("{SHIM}\n{}\n{main}", source.text)).expect("the folder is there");
        let built = Command::new("g++")
            .args(["-std=c++17", "-O1", "-g", "-w", "-fpermissive", "-fsanitize=thread", "-pthread", "-o"])
            .args([&program, &text])
            .output()
            .expect("g++ is there");
        assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), source.text);
        let give = |arg: &Arg| -> Vec<u8> {
            let dim = |d: &u32| memory.dims[*d as usize].expect("all dimensions are the host's");
            let int = |v: u64| v.to_le_bytes().to_vec();
            match arg {
                Arg::Array(a) => memory.arrays[a.index()].clone(),
                Arg::Len(a) | Arg::SectionHi(a) => int(lens[a.index()]),
                Arg::Scalar(s) => memory.scalars[s.index()].clone(),
                Arg::DimFirst(d) => int(dim(d).first as u64),
                Arg::DimStep(d) => int(dim(d).step as u64),
                Arg::DimCount(d) => int(dim(d).count),
                Arg::Total => int(total.expect("it fits")),
                Arg::Status => vec![0; STATUS_BYTES],
                Arg::Partials => vec![0; partials],
                Arg::Ticket => vec![0; 16],
                Arg::Result => vec![0; 16 * results.len().max(1)],
                other => panic!("{other:?} in a kernel for teams"),
            }
        };
        let mut input = Vec::new();
        for number in [geometry.grid[0], geometry.block[0], source.args.len() as u32] {
            input.extend(number.to_le_bytes());
        }
        let given: Vec<Vec<u8>> = source.args.iter().map(give).collect();
        for arg in &given {
            input.extend((arg.len() as u64).to_le_bytes());
            input.extend(arg);
        }
        std::fs::write(&data, input).expect("the folder is there");
        let ran = Command::new("timeout").arg("120").arg(&program).arg(&data).output().expect("it starts");
        assert!(ran.status.success(), "{}\n{}", String::from_utf8_lossy(&ran.stderr), source.text);
        let mut left = &std::fs::read(&data).expect("it wrote")[..];
        let (mut arrays, mut failed, mut reduced) = (memory.arrays.clone(), false, Vec::new());
        for (arg, given) in source.args.iter().zip(&given) {
            let (bytes, rest) = left.split_at(given.len());
            left = rest;
            match arg {
                Arg::Array(a) => arrays[a.index()] = bytes.to_vec(),
                Arg::Status => failed = bytes[..4] != [0; 4],
                Arg::Result => {
                    reduced = bytes.chunks(16).zip(results).map(|(c, &n)| c[..n].to_vec()).collect();
                }
                _ => {}
            }
        }
        (arrays, (!failed).then_some(reduced))
    }
}

#[test]
fn kernels_for_teams_agree_with_the_interpreter() {
    let there = Command::new("g++").arg("--version").output().is_ok_and(|o| o.status.success());
    if !there {
        println!("skipped: no g++");
        return;
    }
    let dir = tempfile::tempdir().expect("a folder for programs");
    for limit in [1, 5, 32, 96] {
        compare(rows(3, 45), limit, dir.path());
        compare(triangle(3, 11, false), limit, dir.path());
    }
    for (m, n) in [(1, 0), (1, 1), (4, 300)] {
        compare(rows(m, n), 64, dir.path());
    }
    compare(triangle(3, 11, true), 64, dir.path());
}
