//! Sources of many recipes for a real compiler and a peer comparison.
use crate::case::{Case, device};
use kernel_samples::build::{Desc, F32, F64};
use kernel_samples::nests::{Nest, Style, convolution, filter, matrix_times_vector, product, transposition};
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{Pins, Request};

/// A work for [`sources`]: its name, the nest, the peers' number of its kind, sizes, and numbers to try.
type Work = (String, Nest, u32, [u64; 3], Vec<(String, Numbers)>);

fn products_to_try(ty: Desc) -> Vec<(String, Numbers)> {
    let words = if std::ptr::eq(ty, &F64) { 2 } else { 1 };
    let shapes = [
        [8, 16, 8, 16],
        [8, 16, 16, 8],
        [16, 8, 8, 16],
        [16, 16, 8, 8],
        [8, 16, 8, 8],
        [16, 8, 8, 8],
        [8, 8, 8, 8],
        [16, 16, 4, 8],
        [16, 16, 4, 4],
    ];
    let ways = [(8, Pipeline::Registers), (16, Pipeline::Registers), (16, Pipeline::Asynchronous(2))];
    let mut all = Vec::new();
    for [down, across, ry, rx] in shapes {
        for (depth, pipeline) in ways {
            let registers = ry * rx * words + 64;
            if registers > 192 {
                continue;
            }
            let (v, resident) = (4 / words, (65536 / (registers * down * across)).clamp(1, 8));
            let tiles = vec![[down, ry, v], [across, rx, v]];
            let label = format!("{}x{}x{depth} r{ry}x{rx} {pipeline:?} mb{resident}", down * ry, across * rx);
            let numbers = Numbers {
                tiles,
                lanes: 8,
                band: 8,
                depth: Some(depth),
                matrix: 0,
                pipeline,
                stage_all: false,
                direct: false,
                rows: 0,
                replicas: 1,
                resident,
            };
            all.push((label, numbers));
        }
    }
    for (depth, lanes, band, resident) in [
        (8, 4, 8, 2),
        (8, 16, 8, 2),
        (8, 8, 4, 2),
        (8, 8, 16, 2),
        (8, 8, 8, 1),
        (16, 4, 8, 2),
        (16, 8, 16, 2),
        (12, 8, 8, 2),
    ] {
        if words == 1 {
            let numbers = Numbers {
                tiles: vec![[8, 16, 4], [16, 8, 4]],
                lanes,
                band,
                depth: Some(depth),
                matrix: 0,
                pipeline: Pipeline::Registers,
                stage_all: false,
                direct: false,
                rows: 0,
                replicas: 1,
                resident,
            };
            all.push((format!("128x128x{depth} r16x8 lanes {lanes} band {band} mb{resident}"), numbers));
        }
    }
    if words == 2 {
        let shapes = [
            [16, 8, 4, 16],
            [16, 8, 8, 8],
            [16, 16, 4, 8],
            [16, 8, 4, 8],
            [8, 8, 4, 8],
            [8, 16, 8, 8],
            [8, 8, 8, 8],
            [8, 8, 8, 16],
        ];
        for [down, across, ry, rx] in shapes {
            for (depth, stages) in [(16, 2), (16, 3), (16, 4), (32, 2), (8, 3), (8, 4)] {
                let resident = (65536 / ((ry * rx * words + 100) * down * across)).clamp(1, 8);
                let label =
                    format!("{}x{}x{depth} r{ry}x{rx} matrix {stages} mb{resident}", down * ry, across * rx);
                let numbers = Numbers {
                    tiles: vec![[down, ry, 1], [across, rx, 2]],
                    lanes: 4,
                    band: 8,
                    depth: Some(depth),
                    matrix: 2,
                    pipeline: Pipeline::Asynchronous(stages),
                    stage_all: false,
                    direct: false,
                    rows: 0,
                    replicas: 1,
                    resident,
                };
                all.push((label, numbers));
            }
        }
    }
    all
}

fn sums_to_try() -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    for threads in [32, 64, 128] {
        for depth in [16, 32, 64] {
            for stages in [2, 3, 4, 6] {
                let pipeline = Pipeline::Asynchronous(stages);
                let tiles = vec![[threads, 1, 1]];
                let numbers = Numbers {
                    tiles,
                    lanes: 32,
                    band: 1,
                    depth: Some(depth),
                    matrix: 0,
                    pipeline,
                    stage_all: true,
                    direct: false,
                    rows: 0,
                    replicas: 1,
                    resident: 1,
                };
                all.push((format!("{threads}x{depth} {stages}"), numbers));
            }
        }
    }
    all
}

fn permutations_to_try() -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    for [ty, tx, ry, rx, lanes] in [
        [16, 16, 4, 4, 16],
        [8, 16, 4, 4, 16],
        [8, 8, 4, 4, 8],
        [16, 16, 4, 4, 8],
        [32, 8, 4, 4, 8],
        [8, 32, 4, 4, 32],
        [8, 32, 4, 1, 32],
    ] {
        for pipeline in [Pipeline::None, Pipeline::Asynchronous(2)] {
            let tiles = vec![[tx, rx, rx], [ty, ry, ry]];
            let numbers = Numbers {
                tiles,
                lanes,
                band: 1,
                depth: None,
                matrix: 0,
                pipeline,
                stage_all: false,
                direct: false,
                rows: 0,
                replicas: 1,
                resident: 1,
            };
            all.push((format!("{ty}x{tx} r{ry}x{rx} lanes {lanes} {pipeline:?}"), numbers));
        }
    }
    all
}

fn windows_to_try(two: bool) -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    let shapes: &[[u32; 4]] = if two {
        &[
            [4, 32, 4, 4],
            [2, 32, 4, 4],
            [8, 32, 4, 4],
            [8, 32, 2, 4],
            [8, 32, 2, 8],
            [4, 32, 4, 8],
            [8, 16, 4, 4],
            [8, 32, 1, 4],
            [4, 32, 2, 4],
            [16, 32, 4, 4],
            [8, 16, 2, 8],
            [4, 32, 3, 4],
            [8, 32, 5, 4],
        ]
    } else {
        &[
            [1, 128, 1, 8],
            [1, 256, 1, 8],
            [1, 128, 1, 16],
            [1, 64, 1, 8],
            [1, 64, 1, 16],
            [1, 128, 1, 12],
            [1, 128, 1, 4],
        ]
    };
    for [ty, tx, ry, rx] in shapes {
        for (pipeline, direct) in
            [(Pipeline::None, false), (Pipeline::Asynchronous(2), false), (Pipeline::None, true)]
        {
            let mut tiles = vec![[*ty, *ry, *ry], [*tx, *rx, *rx]];
            if !two {
                tiles.remove(0);
            }
            let numbers = Numbers {
                tiles,
                lanes: 32.min(*tx),
                band: 1,
                depth: None,
                matrix: 0,
                pipeline,
                stage_all: false,
                direct,
                rows: 0,
                replicas: 1,
                resident: 1,
            };
            all.push((format!("{ty}x{tx} r{ry}x{rx} {pipeline:?} direct {direct}"), numbers));
        }
    }
    all
}

/// Sources of many numbers in one file for a real compiler: `OMP_KERNELS_DUMP` is the folder.
#[test]
#[ignore = "writes sources for real compilers"]
fn sources() {
    use omp_kernels::back::{Arg, Dialect, emit};
    use omp_kernels::schedule::{Schedule, Strategy as Way, choose, geometry};
    use std::fmt::Write as _;
    let folder = std::env::var("OMP_KERNELS_DUMP").expect("a folder");
    let mut works: Vec<Work> = Vec::new();
    let mut add_product =
        |name: &str, ty: Desc, sizes: [u64; 3], t: [bool; 2], style: Style, distances: bool| {
            let kind = if distances { 3 } else { u32::from(t[0]) + 2 * u32::from(t[1]) };
            works.push((
                name.to_owned(),
                product(ty, sizes, t, style, distances),
                kind,
                sizes,
                products_to_try(ty),
            ));
        };
    for n in [1024, 2048, 3000, 4096, 8192] {
        add_product(&format!("nn_{n}"), &F32, [n; 3], [false; 2], Style::Local, false);
    }
    add_product("tn_4096", &F32, [4096; 3], [true, false], Style::Local, false);
    add_product("nt_4096", &F32, [4096; 3], [false, true], Style::Local, false);
    add_product("dist_8192", &F32, [8192, 8192, 64], [false, true], Style::Local, true);
    add_product("dnn_4096", &F64, [4096; 3], [false; 2], Style::Local, false);
    for (name, t, kind) in [("gemv", false, 4), ("gemvt", true, 5)] {
        let nest = matrix_times_vector(&F32, [16384; 2], t);
        works.push((name.to_owned(), nest, kind, [16384, 1, 16384], sums_to_try()));
    }
    works.push((
        "transpose".to_owned(),
        transposition(&F32, [8192; 2]),
        6,
        [8192, 8192, 1],
        permutations_to_try(),
    ));
    for taps in [5, 11] {
        let nest = convolution(&F32, [8192; 2], taps);
        works.push((format!("conv{taps}"), nest, 7, [8192, 8192, taps], windows_to_try(true)));
    }
    let mut fir = filter(&F32, 1 << 26, 63);
    fir.lens[1] += 1026;
    works.push(("fir".to_owned(), fir, 8, [1 << 26, 1, 63], windows_to_try(false)));
    for (name, nest, kind, sizes, numbers) in works {
        let case = Case::new(nest);
        let facts = case.facts();
        let lens = &case.nest.lens;
        let request = Request {
            pins: Pins::default(),
            extents: lens,
            facts: &facts,
            device: &device(),
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; lens.len()],
            specialised: false,
            parts: true,
            reasons: None,
        };
        let chosen = choose(&case.kernel, &case.info, &request);
        let mut schedules = vec![("chosen".to_owned(), chosen.clone())];
        if let Way::Recipe(recipe) = &chosen.strategy {
            println!("{name}: {:?} {:?} {:?}", recipe.tiles.tiles, recipe.chunks, recipe.pipeline);
        }
        for (label, numbers) in numbers {
            let Some(mut recipe) = case.recipe(&device(), &facts, &numbers) else { continue };
            match recipe.build(&case.kernel) {
                Ok(made) if made.shared_bytes() <= 227 << 10 => recipe.shared = made.dynamic_bytes(),
                Ok(_) => continue,
                Err(why) => {
                    println!("{name} {label}: {why}");
                    continue;
                }
            }
            let threads = numbers.tiles.iter().map(|t| t[0]).product();
            let strategy = Way::Recipe(Box::new(recipe));
            schedules.push((label, Schedule { strategy, block: [threads, 1, 1], ..chosen.clone() }));
        }
        let element = if name.starts_with("dnn") { "double" } else { "float" };
        for (part, schedules) in schedules.chunks(schedules.len().div_ceil(2)).enumerate() {
            let (mut text, mut table) = (String::new(), String::new());
            for (n, (label, schedule)) in schedules.iter().enumerate() {
                let source =
                    emit(&case.kernel, &case.info, schedule, Dialect::Cuda).expect("CUDA can say it");
                let made = geometry(schedule, &case.kernel, &request);
                let ([gx, gy, gz], shared) = (made.grid, made.shared);
                let [bx, by, bz] = schedule.block;
                let arg = |arg: &Arg| match arg {
                    Arg::Array(a) => ["a", "b", "c"][a.index()].to_owned(),
                    Arg::Term(_, t) => {
                        t.value(facts.nest.as_ref().expect("a nest")).expect("it is there").to_string()
                    }
                    Arg::Scalar(s) => case.nest.scalars[s.index()].to_string(),
                    Arg::DimCount(d) => case.nest.dims[*d as usize].to_string(),
                    Arg::Total => case.nest.dims.iter().product::<u64>().to_string(),
                    _ => "0".to_owned(),
                };
                let args: Vec<String> = source.args.iter().map(arg).collect();
                // One file a kernel for NVRTC, which compiles as the library does: the call before the text.
                let call = [
                    label.clone(),
                    format!("{} {gx} {bx} {shared}", source.entry),
                    args.join(" "),
                    format!("{element} {kind} {} {} {}", sizes[0], sizes[1], sizes[2]),
                ];
                let file = format!("{folder}/{name}-{part}-{n}.kernel");
                std::fs::write(file, format!("{}\n{}", call.join("\n"), source.text))
                    .expect("the folder is there");
                if label == "chosen" {
                    let call = format!("{} {gx} {bx} {shared} {}", source.entry, args.join(" "));
                    std::fs::write(format!("{folder}/{name}.args"), call).expect("the folder is there");
                    std::fs::write(format!("{folder}/{name}.text"), &source.text)
                        .expect("the folder is there");
                }
                let cuda = source.text.replace("extern \"C\" __global__", "__global__");
                let _ = writeln!(text, "namespace k{n} {{\n{cuda}\n}}");
                let entry = &source.entry;
                let _ = writeln!(
                    table,
                    "{{\"{label}\", (void*)k{n}::{entry}, {shared}, [](const T* a, T* b, T* c) {{ k{n}::{entry}<<<dim3({gx}, {gy}, {gz}), dim3({bx}, {by}, {bz}), {shared}>>>({}); }}}},",
                    args.join(", ")
                );
            }
            let [m, n, d] = sizes;
            let text = format!(
                "{text}\ntypedef {element} T;\n#define M {m}\n#define N {n}\n#define D {d}\n#define KIND {kind}\n#define WORK \"{name}\"\n#include \"main.cuh\"\nstatic K kernels[] = {{\n{table}}};\n#include \"run.cuh\"\n"
            );
            std::fs::write(format!("{folder}/{name}_{part}.cu"), text).expect("the folder is there");
        }
        println!("{name}: {}", schedules.len());
    }
}
