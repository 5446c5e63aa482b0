//! Device programs give the bytes of the nest, before and after each step.
use kernel_samples::build::{Desc, F32, F64, Region, USIZE, X, count, int};
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchValues};
use omp_ir::kernel::Kernel;
use omp_kernels::interp::{self, Memory};
use omp_kernels::program::recipe::Recipe;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::program::{lower, run};
use omp_kernels::schedule::recipes::{Numbers, with_numbers};
use omp_kernels::schedule::{DeviceClass, DeviceKind, Pins, Request};
use omp_kernels::valid::{KernelInfo, finalise};
use proptest::prelude::*;

/// A nest with the sizes of its loops.
struct Nest {
    kernel: Kernel,
    info: KernelInfo,
    /// Of parallel loops.
    dims: Vec<u64>,
    scalars: Vec<i128>,
    lens: Vec<u64>,
}

fn device() -> DeviceClass {
    DeviceClass {
        kind: DeviceKind::Cuda,
        units: 132,
        max_block: 1024,
        warp: 32,
        shared_bytes: 49152,
        arch: 90,
        f64: true,
        atomics64: true,
    }
}

impl Nest {
    fn new(region: Region, dims: &[u64], scalars: &[i128], lens: &[u64]) -> Self {
        let (template, types) = region.finish();
        let (kernel, info) = finalise(template, types, false).expect("it is well typed");
        Self { kernel, info, dims: dims.to_vec(), scalars: scalars.to_vec(), lens: lens.to_vec() }
    }

    fn facts(&self) -> LaunchFacts {
        let dim = |n: &u64| Some(DimValues { first: 0, step: 1, count: *n });
        let dims: Vec<_> = self.dims.iter().map(dim).collect();
        let scalars: Vec<_> = self.scalars.iter().map(|n| Some(*n)).collect();
        let sections: Vec<_> = self.lens.iter().map(|n| (0, *n)).collect();
        let values = LaunchValues { dims: &dims, scalars: &scalars, lens: &self.lens, sections: &sections };
        self.info.plan.decide(&values)
    }

    fn recipe(&self, facts: &LaunchFacts, numbers: &Numbers) -> Option<Recipe> {
        let request = Request {
            pins: Pins::default(),
            extents: &self.lens,
            facts,
            device: &device(),
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; self.lens.len()],
        };
        with_numbers(&self.kernel, &request, facts.nest.as_ref()?, numbers)
    }

    /// Data in which no sum rounds alike in two orders, with zeros of both signs among them.
    fn memory(&self) -> Memory {
        let number = |k: u64| match k % 7 {
            0 => -0.0,
            1 => 0.0,
            n => (n as f64 - 3.7) * 1.1f64.powi((k % 23) as i32),
        };
        let array = |(a, len): (usize, &u64)| -> Vec<u8> {
            let size = self.kernel.types.size(self.kernel.array_ty[a]).unwrap();
            let prim = self.kernel.types.prim(self.kernel.array_ty[a]).unwrap();
            (0..*len)
                .flat_map(|k| {
                    let v = number(k * 31 + a as u64 * 17);
                    match (size, prim.is_float()) {
                        (4, true) => (v as f32).to_le_bytes().to_vec(),
                        (8, true) => v.to_le_bytes().to_vec(),
                        _ => (k as i32).wrapping_mul(77_777_777).to_le_bytes().to_vec(),
                    }
                })
                .collect()
        };
        Memory {
            arrays: self.lens.iter().enumerate().map(array).collect(),
            scalars: self.scalars.iter().map(|n| (*n as u64).to_le_bytes().to_vec()).collect(),
            dims: self.dims.iter().map(|n| Some(DimValues { first: 0, step: 1, count: *n })).collect(),
        }
    }

    /// The naive program and that after each step give the bytes of the loop.
    fn check(&self, numbers: &Numbers) {
        let facts = self.facts();
        let Some(recipe) = self.recipe(&facts, numbers) else { panic!("no recipe: {:?}", facts.nest) };
        let mut want = self.memory();
        interp::run(&self.kernel, &self.info, &mut want).expect("nothing fails");
        let mut made =
            lower(&self.kernel, &recipe.accesses, &recipe.of, &recipe.trips).expect("it is a nest");
        let nest = facts.nest.as_ref().expect("it has a recipe");
        let terms = run::terms(&made, nest);
        for (n, step) in std::iter::once(None).chain(recipe.steps().iter().map(Some)).enumerate() {
            if let Some(step) = step {
                step(&mut made, &self.kernel).unwrap_or_else(|why| panic!("step {n}: {why}\n{made}"));
            }
            let mut got = self.memory();
            if let Err(why) = run::run(&made, &self.kernel, &terms, &mut got) {
                panic!("after step {n}: {why}\n{made}");
            }
            assert!(got.arrays == want.arrays, "after step {n} results differ\n{made}");
        }
    }
}

/// `c = a · b`, where `a` and `b` may stand transposed; `term` is what is added up.
fn product(
    ty: Desc,
    [rows, columns, depth]: [u64; 3],
    [ta, tb]: [bool; 2],
    (style, difference): (u32, bool),
) -> Nest {
    let mut r = Region::new("product");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [m, n, d] = ["m", "n", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    let body = |r: &mut Region, i: &X, j: &X| {
        let out = c.at(i * &n + j);
        let term = |k: &X| {
            let x = a.at(if ta { k * &m + i } else { i * &d + k });
            let y = b.at(if tb { j * &d + k } else { k * &n + j });
            if difference { (&x - &y) * (&x - &y) } else { x * y }
        };
        if style == 0 {
            let sum = r.uninit("sum", ty);
            r.set(&sum, X::Float(0.0));
            r.for_("k", count(0, d.clone()), |r, k, _| r.set(&sum, &sum + term(&k)));
            r.set(&out, &sum);
        } else {
            if style == 2 {
                r.set(&out, &out * X::Float(0.5));
            }
            r.for_("k", count(0, d.clone()), |r, k, _| r.set(&out, &out + term(&k)));
        }
    };
    let dims = if style == 1 {
        r.for_("j", count(0, n.clone()), |r, j, _| body(r, &i, &j));
        vec![rows]
    } else {
        let j = r.dim("j", int(0)..n.clone());
        body(&mut r, &i, &j);
        vec![rows, columns]
    };
    let sizes = [rows, columns, depth].map(i128::from);
    Nest::new(r, &dims, &sizes, &[rows * depth, depth * columns, rows * columns])
}

fn numbers(tiles: [[u32; 3]; 2], depth: u32, pipeline: Pipeline) -> Numbers {
    Numbers { tiles: tiles.to_vec(), lanes: 8, band: 2, depth: Some(depth), pipeline, resident: 1 }
}

#[test]
fn a_product_keeps_its_bytes() {
    let nest = product(&F32, [20, 36, 19], [false; 2], (0, false));
    nest.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Registers));
}

fn pipelines() -> impl Strategy<Value = Pipeline> {
    prop_oneof![
        Just(Pipeline::None),
        Just(Pipeline::Registers),
        Just(Pipeline::Asynchronous(2)),
        Just(Pipeline::Asynchronous(3)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn products_keep_their_bytes(
        rows in 1u64..20,
        columns in 1u64..30,
        depth in 4u64..14,
        (ta, tb, double) in (any::<bool>(), any::<bool>(), any::<bool>()),
        style in 0u32..3,
        difference in any::<bool>(),
        (slow, fast) in (0usize..3, 0usize..3),
        chunk in prop_oneof![Just(4u32), Just(3), Just(2)],
        pipeline in pipelines(),
    ) {
        let (round, whole) = (4 * (rows % 2) + 1, 4 * (columns % 3) + 1);
        let sizes = [rows.next_multiple_of(round), columns.next_multiple_of(whole), depth.next_multiple_of(round)];
        let ty: Desc = if double { &F64 } else { &F32 };
        let nest = product(ty, sizes, [ta, tb], (style, difference));
        let most = if double { 2 } else { 4 };
        let places = [[1, 1], [4, most], [2, 2]];
        let tile = |threads: u32, n: usize| [threads, places[n][0], places[n][1]];
        nest.check(&numbers([tile(4, slow), tile(8, fast)], chunk, pipeline));
    }
}

/// Sources of many numbers in one file for a real compiler, with the peers' works around them: `OMP_KERNELS_DUMP` is the folder.
#[test]
#[ignore = "writes sources for real compilers"]
fn sources() {
    use omp_kernels::back::{Arg, Dialect, emit};
    use omp_kernels::program::Term;
    use omp_kernels::schedule::{Schedule, Strategy as Way, choose, geometry};
    use std::fmt::Write as _;
    let folder = std::env::var("OMP_KERNELS_DUMP").expect("a folder");
    let shapes: [(u32, u32, u32, u32); 12] = [
        (16, 16, 8, 16),
        (16, 16, 16, 8),
        (16, 16, 8, 8),
        (16, 8, 8, 16),
        (8, 16, 8, 16),
        (8, 16, 16, 8),
        (16, 16, 8, 4),
        (16, 16, 4, 8),
        (8, 16, 8, 8),
        (16, 8, 8, 8),
        (8, 8, 8, 8),
        (16, 16, 4, 4),
    ];
    let ways = [
        (8, Pipeline::Registers),
        (16, Pipeline::Registers),
        (16, Pipeline::Asynchronous(2)),
        (16, Pipeline::Asynchronous(3)),
        (32, Pipeline::Asynchronous(2)),
        (8, Pipeline::Asynchronous(3)),
    ];
    let f32s: Desc = &F32;
    let works: [(&str, Desc, [u64; 3], [bool; 2], bool); 9] = [
        ("nn_1024", f32s, [1024; 3], [false; 2], false),
        ("nn_2048", f32s, [2048; 3], [false; 2], false),
        ("nn_3000", f32s, [3000; 3], [false; 2], false),
        ("nn_4096", f32s, [4096; 3], [false; 2], false),
        ("nn_8192", f32s, [8192; 3], [false; 2], false),
        ("tn_4096", f32s, [4096; 3], [true, false], false),
        ("nt_4096", f32s, [4096; 3], [false, true], false),
        ("dist_8192", f32s, [8192, 8192, 64], [false, true], true),
        ("dnn_4096", &F64, [4096; 3], [false; 2], false),
    ];
    for (name, ty, sizes, t, difference) in works {
        let nest = product(ty, sizes, t, (0, difference));
        let facts = nest.facts();
        let request = Request {
            pins: Pins::default(),
            extents: &nest.lens,
            facts: &facts,
            device: &device(),
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; nest.lens.len()],
        };
        let chosen = choose(&nest.kernel, &nest.info, &request);
        let mut schedules = vec![("chosen".to_owned(), chosen.clone())];
        for (ty_, tx, ry, rx) in shapes {
            for (depth, pipeline) in ways {
                let double = u32::from(sizes[0] == 4096 && name == "dnn_4096") + 1;
                if ry * rx * double > 128 {
                    continue;
                }
                for resident in [0, 1] {
                    let regs = ry * rx * double + 64;
                    let resident = if resident == 0 { 1 } else { (65536 / (regs * ty_ * tx)).clamp(1, 8) };
                    if resident == 1 && 65536 / (regs * ty_ * tx) > 1 {
                        continue;
                    }
                    let v = 4 / double;
                    let numbers = Numbers {
                        tiles: vec![[ty_, ry, v], [tx, rx, v]],
                        lanes: 8,
                        band: 8,
                        depth: Some(depth),
                        pipeline,
                        resident,
                    };
                    let Some(recipe) = nest.recipe(&facts, &numbers) else { continue };
                    let Ok(made) = recipe.build(&nest.kernel) else { continue };
                    if made.shared_bytes() > 49152 {
                        continue;
                    }
                    let label =
                        format!("{}x{}x{depth} r{ry}x{rx} {pipeline:?} mb{resident}", ty_ * ry, tx * rx);
                    if schedules.iter().any(|(l, _)| *l == label) {
                        continue;
                    }
                    let schedule = Schedule {
                        strategy: Way::Recipe(Box::new(recipe)),
                        block: [ty_ * tx, 1, 1],
                        ..chosen.clone()
                    };
                    schedules.push((label, schedule));
                }
            }
        }
        let c = if name.starts_with('d') && name.starts_with("dnn") { "double" } else { "float" };
        let half = schedules.len().div_ceil(2);
        for (part, schedules) in schedules.chunks(half).enumerate() {
            let (mut text, mut table) = (String::new(), String::new());
            for (n, (label, schedule)) in schedules.iter().enumerate() {
                let source = emit(&nest.kernel, &nest.info, schedule, Dialect::Cuda).unwrap();
                let grid = geometry(schedule, &nest.kernel, &request).grid;
                let args: Vec<String> = source
                    .args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Array(a) => ["a", "b", "c"][a.index()].to_owned(),
                        Arg::Term(term) => {
                            Term::value(*term, facts.nest.as_ref().unwrap()).unwrap().to_string()
                        }
                        other => match other {
                            Arg::Scalar(_) => sizes[0].to_string(),
                            Arg::DimCount(d) => sizes[*d as usize].to_string(),
                            _ => "0".to_owned(),
                        },
                    })
                    .collect();
                let source_text = source.text.replace("extern \"C\" __global__", "__global__");
                let _ = writeln!(text, "namespace k{n} {{\n{source_text}\n}}");
                let [gx, gy, gz] = grid;
                let [bx, by, bz] = schedule.block;
                let _ = writeln!(
                    table,
                    "{{\"{label}\", (void*)k{n}::product, [](const T* a, const T* b, T* c) {{ k{n}::product<<<dim3({gx}, {gy}, {gz}), dim3({bx}, {by}, {bz})>>>({}); }}}},",
                    args.join(", ")
                );
            }
            let [m, n, d] = sizes;
            let kind = if difference {
                3
            } else if t[0] {
                1
            } else if t[1] {
                2
            } else {
                0
            };
            let text = format!(
                "{text}\ntypedef {c} T;\n#define M {m}\n#define N {n}\n#define D {d}\n#define KIND {kind}\n#define WORK \"{name}\"\n#define PART {part}\n#include \"main.cuh\"\nstatic K kernels[] = {{\n{table}}};\n#include \"run.cuh\"\n"
            );
            std::fs::write(format!("{folder}/{name}_{part}.cu"), text).unwrap();
        }
        println!("{name}: {}", schedules.len());
    }
}
