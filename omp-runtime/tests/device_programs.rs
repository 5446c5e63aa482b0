//! Device programs on every device of the machine: the bytes of the nest, whatever the numbers.
use kernel_samples::build::{Desc, F32, F64};
use kernel_samples::nests::{
    Nest, Part, Style, conditional, convolution, filter, integers, matrix_times_vector, normalised, product,
    row_loops, transposition, triangle, unit_rows,
};
use omp_ir::analysis::plan::Iterations;
use omp_ir::template::FpMode;
use omp_kernels::back::{self, Arg, STATUS_BYTES};
use omp_kernels::interp::{self, Memory};
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::{Numbers, with_numbers};
use omp_kernels::schedule::{self, DeviceClass, DeviceKind, Geometry, Pins, Request, Strategy};
use omp_kernels::valid::finalise;
use omp_runtime::backend::api::{ArgValue, Device, DeviceError};
use omp_runtime::backend::{Unavailable, cuda, opencl};
use std::mem::MaybeUninit;

enum Given<B> {
    Buffer(B),
    Bytes(Vec<u8>),
}

/// Where a status record has the iteration.
const VARS: usize = 24;

/// Runs a nest by the recipe of these numbers.
fn check<D: Device>(device: &D, nest: Nest, numbers: &Numbers) {
    run(device, nest, numbers, false);
}

/// The same, where integer arithmetic may be checked for overflow: the nest fails in some iteration if it fails at all.
fn run<D: Device>(device: &D, mut nest: Nest, numbers: &Numbers, overflow_checks: bool) {
    // Whether a sum of a product is rounded once, devices decide otherwise; the matrix instruction does so.
    nest.region.template().fp = if numbers.matrix > 0 { FpMode::default() } else { FpMode::Strict };
    let (template, types) = nest.region.clone().finish();
    let (kernel, info) = finalise(template, types, overflow_checks).expect("it is well typed");
    let facts = nest.facts(&info.plan);
    // Recipes for CPU cores have blocks of one thread. The others run on CPUs, too.
    let mut class: DeviceClass = device.facts().class.clone();
    if numbers.tiles.iter().any(|[threads, ..]| *threads > 1) && class.kind == DeviceKind::OpenClCpu {
        class.kind = DeviceKind::OpenClGpu;
    }
    let alignment = vec![16; nest.lens.len()];
    let request = |device| Request {
        pins: Pins::default(),
        extents: &nest.lens,
        facts: &facts,
        device,
        num_teams: None,
        thread_limit: None,
        alignment: &alignment,
        specialised: false,
        parts: false,
        reasons: None,
    };
    let orders = [Iterations::Interchanged, Iterations::Coalesced, Iterations::All];
    let made = orders.into_iter().find_map(|of| with_numbers(&kernel, &request(&class), of, numbers));
    let mut recipe = made.expect("it has a recipe");
    let numbered = facts.nest_of(recipe.iterations).expect("all loops have numbers");
    recipe.shared = recipe.build(&kernel).expect("it is legal").dynamic_bytes();
    let threads = recipe.tiles.threads();
    let request = request(&device.facts().class);
    let mut schedule = schedule::choose(&kernel, &info, &request);
    schedule.block = [threads, 1, 1];
    schedule.strategy = Strategy::Recipe(Box::new(recipe));
    let source = back::emit(&kernel, &info, &schedule, device.facts().dialect).expect("it can be said");
    let geometry = schedule::geometry(&schedule, &kernel, &request);
    let memory = match numbers.matrix > 0 {
        true => nest.memory_of_exact_products(&kernel),
        false => nest.memory(&kernel),
    };
    let mut want = memory.clone();
    let fails = interp::run(&kernel, &info, &mut want).is_err();
    let run = || -> Result<(Vec<Vec<u8>>, Vec<u8>), DeviceError> {
        let binary = device.compile(&source)?;
        let loaded = device.load(&binary, &source)?;
        let given = source
            .args
            .iter()
            .map(|arg| give(device, *arg, &memory, numbered))
            .collect::<Result<Vec<_>, _>>()?;
        launch(device, &loaded, &geometry, &given)?;
        let (mut arrays, mut status) = (memory.arrays.clone(), vec![0; STATUS_BYTES]);
        for (arg, given) in source.args.iter().zip(&given) {
            match (arg, given) {
                (Arg::Array(a), Given::Buffer(buffer)) => {
                    arrays[a.index()] = read(device, buffer, arrays[a.index()].len())?;
                }
                (Arg::Status, Given::Buffer(buffer)) => status = read(device, buffer, STATUS_BYTES)?,
                _ => {}
            }
        }
        Ok((arrays, status))
    };
    let (got, status) = run().unwrap_or_else(|error| panic!("{error}\n{}", source.text));
    assert_eq!(status[0] != 0, fails, "{}", source.text);
    if fails {
        for (d, count) in nest.dims.iter().enumerate() {
            let at = VARS + 8 * d;
            let value = u64::from_le_bytes(status[at..at + 8].try_into().expect("eight bytes"));
            assert!(value < *count, "iteration {value} of {count}");
        }
        return;
    }
    assert!(got == want.arrays, "{}: {numbers:?}: results differ\n{}", device.facts().name, source.text);
}

fn give<D: Device>(
    device: &D,
    arg: Arg,
    memory: &Memory,
    nest: &omp_ir::analysis::plan::Nest,
) -> Result<Given<D::Buffer>, DeviceError> {
    let int = |n: i64| Given::Bytes(n.to_le_bytes().to_vec());
    Ok(match arg {
        Arg::Array(a) => Given::Buffer(filled(device, &memory.arrays[a.index()])?),
        Arg::Status => Given::Buffer(filled(device, &[0; STATUS_BYTES])?),
        Arg::Term(_, term) => int(term.value(nest).expect("the nest has it")),
        Arg::DimFirst(_) => int(0),
        Arg::DimStep(_) => int(1),
        Arg::DimCount(d) => int(nest.loops[d as usize].count as i64),
        Arg::Scalar(s) => Given::Bytes(memory.scalars[s.index()].clone()),
        other => unreachable!("{other:?} is none of a program's"),
    })
}

/// A buffer with these bytes.
fn filled<D: Device>(device: &D, bytes: &[u8]) -> Result<D::Buffer, DeviceError> {
    let buffer = device.alloc(bytes.len())?;
    let bytes: Vec<MaybeUninit<u8>> = bytes.iter().map(|&b| MaybeUninit::new(b)).collect();
    device.upload(&buffer, 0, &bytes)?;
    Ok(buffer)
}

fn launch<D: Device>(
    device: &D,
    kernel: &D::Kernel,
    geometry: &Geometry,
    given: &[Given<D::Buffer>],
) -> Result<(), DeviceError> {
    let mut values = Vec::new();
    for given in given {
        values.push(match given {
            Given::Buffer(buffer) => ArgValue::Buffer(buffer),
            Given::Bytes(bytes) => ArgValue::Bytes(bytes),
        });
    }
    device.launch(kernel, geometry, &values)?;
    device.wait()
}

fn read<D: Device>(device: &D, buffer: &D::Buffer, len: usize) -> Result<Vec<u8>, DeviceError> {
    let mut to = vec![MaybeUninit::new(0); len];
    device.download(&mut to, buffer, 0)?;
    // SAFETY: every element was initialised above, whatever the download wrote.
    Ok(to.into_iter().map(|b| unsafe { b.assume_init() }).collect())
}

fn all<D: Device>(device: &D) {
    let double = device.facts().class.f64;
    let cuda = device.facts().class.kind == DeviceKind::Cuda;
    let pipelines = [Pipeline::None, Pipeline::Registers, Pipeline::Asynchronous(3)];
    let styles = [Style::Local, Style::Inner, Style::Scaled];
    let plain = |pipeline: Pipeline| Numbers {
        tiles: vec![[4, 4, 4], [8, 4, 4]],
        lanes: 8,
        band: 2,
        depth: Some(4),
        matrix: 0,
        pipeline,
        stage_all: false,
        direct: false,
        rows: 0,
        replicas: 1,
        resident: 1,
    };
    let transposed = [[false, false], [true, false], [false, true]];
    for n in 0..3 {
        let ty: Desc = if double && n == 2 { &F64 } else { &F32 };
        let most = if double && n == 2 { 2 } else { 4 };
        let tiles = if n == 0 { vec![[4, 4, most], [8, 4, most]] } else { vec![[4, 2, 2], [16, most, most]] };
        let pipeline = pipelines[if cuda { n } else { n % 2 }];
        let numbers = Numbers { tiles, ..plain(pipeline) };
        let sizes = [[64, 64, 32], [37, 51, 23], [70, 66, 40]][n];
        check(device, product(ty, sizes, transposed[n], styles[n], n == 2), &numbers);
    }
    // Loops in another order, and tiles of the box around a triangle.
    let outward = Numbers { depth: Some(8), ..plain(Pipeline::Registers) };
    check(device, product(&F32, [37, 51, 23], [false, true], Style::Outward, false), &outward);
    for part in Part::ALL {
        check(device, triangle(&F32, [45, 23], part, Style::Scaled, false), &outward);
    }
    check(device, triangle(&F32, [33, 16], Part::StrictUpper, Style::Outward, false), &outward);
    let class = &device.facts().class;
    if cuda && class.arch >= 80 {
        let numbers = |tiles: [[u32; 3]; 2], depth: u32, pipeline: Pipeline| Numbers {
            tiles: tiles.to_vec(),
            lanes: 4,
            band: 2,
            depth: Some(depth),
            matrix: if class.arch >= 90 { tiles[0][1] / 2 } else { 1 },
            pipeline,
            stage_all: false,
            direct: false,
            rows: 0,
            replicas: 1,
            resident: 1,
        };
        let small = numbers([[8, 2, 1], [8, 4, 2]], 8, Pipeline::Registers);
        // More shared memory than a kernel may declare.
        let large = numbers([[8, 4, 1], [8, 8, 2]], 32, Pipeline::Asynchronous(3));
        check(device, product(&F64, [37, 51, 23], [false, true], Style::Inner, false), &small);
        check(device, product(&F64, [64, 64, 100], [false, false], Style::Local, false), &large);
        check(device, product(&F64, [40, 64, 64], [true, false], Style::Scaled, false), &large);
    }
    let one = |tiles: Vec<[u32; 3]>, lanes: u32, depth: Option<u32>, pipeline: Pipeline| Numbers {
        tiles,
        lanes,
        band: 1,
        depth,
        matrix: 0,
        pipeline,
        stage_all: true,
        direct: false,
        rows: 0,
        replicas: 1,
        resident: 1,
    };
    let pipeline = if cuda { Pipeline::Asynchronous(2) } else { Pipeline::Registers };
    for transposed in [false, true] {
        let nest = matrix_times_vector(&F32, [70, 52], transposed);
        check(device, nest, &one(vec![[32, 1, 1]], 32, Some(8), pipeline));
    }
    // Replicas, of rows whose sum takes quotients that all of them compute; and in place, of tiles that are cut off.
    let replicas = |n: u32| Numbers { replicas: n, ..one(vec![[32, 1, 1]], 32, Some(16), pipeline) };
    check(device, row_loops(&F32, [0, 64, 52, 52], &[1, 10, 4]), &replicas(4));
    check(device, unit_rows(&F32, [70, 37]), &replicas(2));
    check(device, normalised(&F32, [33, 64], false), &replicas(8));
    let tiles = vec![[4, 4, 4], [8, 4, 4]];
    check(device, transposition(&F32, [64, 36]), &one(vec![[8, 4, 4]; 2], 8, None, Pipeline::None));
    check(device, convolution(&F32, [40, 52], 3), &one(tiles, 8, None, pipeline));
    check(device, filter(&F32, 300, 9), &one(vec![[32, 4, 4]], 32, None, pipeline));
    if device.facts().class.kind == DeviceKind::OpenClCpu {
        let core = Numbers { band: 2, ..Numbers::of(vec![[1, 4, 1], [1, 8, 8]], 1) };
        for transposed in [[false; 2], [true, false], [false, true]] {
            check(device, product(&F32, [21, 34, 13], transposed, Style::Scaled, false), &core);
        }
        run(device, conditional(&F32, [21, 34, 13]), &core, true);
        run(device, integers([21, 34, 13], true), &core, true);
    }
    let numbers = one(vec![[4, 2, 2], [8, 2, 2]], 8, Some(2), pipeline);
    run(device, conditional(&F32, [21, 34, 13]), &numbers, true);
    for overflows in [false, true] {
        run(device, integers([21, 34, 13], overflows), &numbers, true);
    }
}

fn each<D: Device>(devices: Result<Vec<D>, Unavailable>, required: &str) {
    match devices {
        Ok(devices) => devices.iter().for_each(all),
        Err(unavailable) => {
            assert!(std::env::var_os(required).is_none(), "{unavailable}");
            println!("skipped: no device ({unavailable})");
        }
    }
}

#[test]
fn opencl_devices_run_programs() {
    each(opencl::devices(), "OMP_TEST_REQUIRE_OPENCL");
}

#[test]
fn cuda_devices_run_programs() {
    each(cuda::devices(), "OMP_TEST_REQUIRE_CUDA");
}
