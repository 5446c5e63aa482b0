//! Random kernels on every device of the machine against the reference interpreter: same bytes, same failures.
//!
//! Each kernel runs in a process of its own, because a driver's compiler may die of a signal and must not take the
//! other kernels with it. The process says how far it came ([`COMPILED`]), so that a death *of the compiler* is distinguished
//! from one of the running kernel: only the first is let pass, is printed and counted as skipped, and may not be
//! frequent. Drivers often compile at the first launch only, so the process launches twice: first with the arguments
//! but for no iterations, which compiles everything and runs nothing of the body, then in earnest.
//!
//! A wrong result is never let pass. Where the evidence says that a driver's compiler is at fault, the kernel stands
//! in [`MISCOMPILED`] with that evidence, is not run on that driver, and is counted.
//!
//! `OMP_TEST_SEEDS=from..to` chooses the kernels; the default is a short run. `OMP_TEST_SHOW=1` prints the sources.
use kernel_samples::random::{self, Options, RandomKernel};
use omp_ir::analysis::plan::LaunchValues;
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::kernel::Kernel;
use omp_kernels::back::{self, Arg, STATUS_BYTES, Source};
use omp_kernels::interp::{self, Memory};
use omp_kernels::schedule::{self, Cover, DeviceKind, Request, Schedule, Strategy};
use omp_kernels::valid::finalise;
use omp_runtime::backend::api::{ArgValue, Device};
use omp_runtime::backend::{cuda, opencl};
use std::mem::MaybeUninit;

/// What a run gives: the arrays, and the reduced values or that it failed.
type Outcome = (Vec<Vec<u8>>, Option<Vec<Vec<u8>>>);

const CHILD: &str = "OMP_TEST_RANDOM_CHILD";

/// What a child prints when it starts to compile, to run, and is through.
const COMPILING: &str = "random kernel: compiling";
const COMPILED: &str = "random kernel: compiled";
const FINISHED: &str = "random kernel: finished";

/// Kernels that a driver miscompiles: a part of its version, the seed, and how that is known.
const MISCOMPILED: &[(&str, u64, &str)] = &[
    (
        "PoCL 3.1",
        88,
        "reports that `v65 >= points_len` fails for the operands 8 and 10 that it records; right with \
         -cl-opt-disable; the same text as C is right with clang 15 and gcc 12, with their sanitizers too",
    ),
    (
        "PoCL 3.1",
        197,
        "`ceil(fmod(-INFINITY, x))` with the infinity constant gives what the memory held; seen in a kernel of that \
         line alone, in double precision, for `floor` and `trunc` too; right if the infinity comes from an array",
    ),
];

fn seeds() -> std::ops::Range<u64> {
    let number = |text: &str| text.parse::<u64>().expect("OMP_TEST_SEEDS is from..to");
    let given = std::env::var("OMP_TEST_SEEDS").ok();
    let parsed = given.as_deref().and_then(|text| text.split_once(".."));
    parsed.map_or(0..12, |(from, to)| number(from)..number(to))
}

/// Runs the test `name` in a child process for each seed.
fn in_children(name: &str, versions: &[&str]) {
    let this = std::env::current_exe().expect("the test has a path");
    let (mut wrong, mut agreed, mut died) = (Vec::new(), 0, Vec::new());
    for seed in seeds() {
        if let Some(why) = miscompiled(versions, seed) {
            println!("skipped: seed {seed}: the compiler is at fault: {why}");
            continue;
        }
        let mut child = std::process::Command::new(&this);
        child.args(["--exact", name, "--nocapture"]).env(CHILD, "1");
        let output =
            child.env("OMP_TEST_SEEDS", format!("{seed}..{}", seed + 1)).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let steps = [COMPILING, COMPILED, FINISHED];
        let step = said.lines().rev().find_map(|line| steps.into_iter().find(|step| line.ends_with(step)));
        match (output.status.code(), step) {
            (Some(0), Some(FINISHED)) => agreed += 1,
            (None, Some(COMPILING)) => {
                println!("skipped: seed {seed}: the compiler died ({})", output.status);
                died.push(seed);
            }
            (None, step) => wrong.push(format!("seed {seed}: {}, after {step:?}", output.status)),
            (Some(_), _) => wrong.push(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
    assert!(wrong.is_empty(), "{} kernels differ:\n{}", wrong.len(), wrong.join("\n"));
    let count = seeds().count();
    println!("{name}: {agreed} of {count} kernels agree, for {} the compiler died", died.len());
    assert!(died.len() * 8 <= count, "the compiler died on {} of {count} kernels: {died:?}", died.len());
}

fn miscompiled(versions: &[&str], seed: u64) -> Option<&'static str> {
    let known =
        |(driver, s, _): &&(&str, u64, &str)| *s == seed && versions.iter().any(|v| v.contains(driver));
    MISCOMPILED.iter().find(known).map(|(_, _, why)| *why)
}

fn versions<D: Device>(devices: &[D]) -> Vec<&str> {
    devices.iter().map(|d| d.facts().versions.as_str()).collect()
}

#[test]
fn opencl_devices_agree_with_the_interpreter() {
    match opencl::devices() {
        Ok(devices) if std::env::var_os(CHILD).is_none() => {
            in_children("opencl_devices_agree_with_the_interpreter", &versions(&devices));
        }
        Ok(devices) => devices.iter().for_each(all),
        Err(unavailable) => {
            assert!(std::env::var_os("OMP_TEST_REQUIRE_OPENCL").is_none(), "{unavailable}");
            println!("skipped: no OpenCL device ({unavailable})");
        }
    }
}

#[test]
fn cuda_devices_agree_with_the_interpreter() {
    match cuda::devices() {
        Ok(devices) if std::env::var_os(CHILD).is_none() => {
            in_children("cuda_devices_agree_with_the_interpreter", &versions(&devices));
        }
        Ok(devices) => devices.iter().for_each(all),
        Err(unavailable) => {
            assert!(std::env::var_os("OMP_TEST_REQUIRE_CUDA").is_none(), "{unavailable}");
            println!("skipped: no CUDA device ({unavailable})");
        }
    }
}

fn all<D: Device>(device: &D) {
    let mut wrong = Vec::new();
    for seed in seeds() {
        let options = Options {
            failures: seed % 4 == 3,
            f64: device.facts().class.f64,
            statements: 4 + (seed % 9) as u32,
            iterations: [1, 37, 200, 1000][(seed / 4 % 4) as usize],
        };
        if let Err(difference) = one(device, seed, options) {
            wrong.push(format!("seed {seed}, {options:?}: {difference}"));
        }
    }
    let count = wrong.len();
    assert!(
        wrong.is_empty(),
        "{}: {count} of {:?} differ:\n{}",
        device.facts().name,
        seeds(),
        wrong.join("\n")
    );
}

fn one<D: Device>(device: &D, seed: u64, options: Options) -> Result<(), String> {
    let kernel = random::kernel(seed, options);
    let arrays = kernel.types.arrays.clone();
    let (want, got) = both(device, kernel, seed)?;
    if want.1.is_none() || got.1.is_none() {
        // After a failure, the region's data is unspecified.
        let failed = (want.1.is_none(), got.1.is_none());
        return if failed == (true, true) {
            Ok(())
        } else {
            Err(format!("(wanted, got) failed: {failed:?}"))
        };
    }
    for (i, ((w, g), ty)) in want.0.iter().zip(&got.0).zip(&arrays).enumerate() {
        let Some(TypeDesc::Prim(prim)) = ty else { continue };
        for (k, (w, g)) in w.chunks(prim.size()).zip(g.chunks(prim.size())).enumerate() {
            if w != g && !(is_nan(*prim, w) && is_nan(*prim, g)) {
                return Err(format!("array {i} ({}) at {k}: {g:x?}, not {w:x?}", prim.name()));
            }
        }
    }
    if want.1 == got.1 { Ok(()) } else { Err(format!("reduced {:x?}, not {:x?}", got.1, want.1)) }
}

fn is_nan(prim: Prim, bytes: &[u8]) -> bool {
    match prim {
        Prim::F32 => bytes.try_into().is_ok_and(|b| f32::from_le_bytes(b).is_nan()),
        Prim::F64 => bytes.try_into().is_ok_and(|b| f64::from_le_bytes(b).is_nan()),
        _ => false,
    }
}

/// The interpreter's outcome and the device's.
fn both<D: Device>(device: &D, random: RandomKernel, seed: u64) -> Result<(Outcome, Outcome), String> {
    let RandomKernel { template, types, memory } = random;
    let (kernel, info) = finalise(template, types, false).map_err(|e| e.to_string())?;
    let mut interpreted = memory.clone();
    let reduced = interp::run(&kernel, &info, &mut interpreted);
    let sizes: Vec<u64> = kernel.array_ty.iter().map(|&ty| kernel.types.size(ty).unwrap_or(1)).collect();
    let lens: Vec<u64> = memory.arrays.iter().zip(&sizes).map(|(a, size)| a.len() as u64 / size).collect();
    let sections: Vec<(u64, u64)> = lens.iter().map(|&len| (0, len)).collect();
    let scalars: Vec<Option<i128>> = kernel.scalar_ty.iter().map(|_| None).collect();
    let values = LaunchValues { dims: &memory.dims, scalars: &scalars, lens: &lens, sections: &sections };
    let facts = info.plan.decide(&values);
    if let Some(race) = &facts.race {
        return Err(format!("a race where there is none: {race:?}"));
    }
    let class = &device.facts().class;
    let alignment = vec![16; lens.len()];
    let request = Request {
        extents: &lens,
        facts: &facts,
        device: class,
        num_teams: None,
        thread_limit: None,
        alignment: &alignment,
        pins: Default::default(),
        specialised: false,
        parts: true,
        reasons: None,
    };
    let mut schedule = schedule::choose(&kernel, &info, &request);
    several(&kernel, &mut schedule, class.kind, seed);
    let geometry = schedule::geometry(&schedule, &kernel, &request);
    let source = back::emit(&kernel, &info, &schedule, device.facts().dialect).map_err(|e| e.message)?;
    let room = schedule::room(&kernel, &schedule, &geometry, &lens, facts.total.unwrap_or(0));
    let results: Vec<usize> = reduction_sizes(&kernel);
    let run = Launch { memory: &memory, lens: &lens, total: facts.total, geometry, room, results };
    if std::env::var_os("OMP_TEST_SHOW").is_some() {
        println!("{}", source.text);
    }
    let got = run.on(device, &source).map_err(|e| format!("{e}\n{}", source.text))?;
    Ok(((interpreted.arrays, reduced.ok()), got))
}

/// Neighbouring loops: threads that run several iterations in unroll and jam, as in large loops.
fn several(kernel: &Kernel, schedule: &mut Schedule, kind: DeviceKind, seed: u64) {
    let dims = kernel.template.dims.len() as u32;
    if matches!(schedule.strategy, Strategy::Reduce { .. })
        && dims == 2
        && kernel.template.dims.iter().all(|d| d.host)
        && !seed.is_multiple_of(4)
    {
        schedule.strategy = Strategy::Tiles { rows: (2 + seed % 3) as u32, wide: None };
        return;
    }
    let grid = matches!(schedule.strategy, Strategy::Linear | Strategy::Grid { .. });
    if grid
        && (2..=3).contains(&dims)
        && kernel.template.dims.iter().all(|d| d.host)
        && !seed.is_multiple_of(4)
    {
        let jam = (2 + seed % 3) as u32;
        schedule.strategy = Strategy::Grid {
            axes: (0..dims).rev().collect(),
            cover: Cover::Guarded,
            jam,
            wide: None,
            resident: 0,
        };
        // Compilers for CPUs run groups of one best.
        schedule.block = if kind == DeviceKind::OpenClCpu { [1, 1, 1] } else { [4, 2, 1] };
    }
}

fn reduction_sizes(kernel: &Kernel) -> Vec<usize> {
    let size = |r: &omp_ir::template::Reduction| {
        r.local().and_then(|l| kernel.types.size(kernel.body.local_ty[l.index()])).unwrap_or(0) as usize
    };
    kernel.template.reductions.iter().map(size).collect()
}

struct Launch<'a> {
    memory: &'a Memory,
    lens: &'a [u64],
    total: Option<u64>,
    geometry: schedule::Geometry,
    room: schedule::Room,
    results: Vec<usize>,
}

enum Given<B> {
    Buffer(B),
    Bytes(Vec<u8>),
}

impl Launch<'_> {
    fn on<D: Device>(&self, device: &D, source: &Source) -> Result<Outcome, String> {
        let say = |e: omp_runtime::backend::api::DeviceError| e.to_string();
        println!("{COMPILING}");
        let binary = device.compile(source).map_err(say)?;
        let kernel = device.load(&binary, source).map_err(say)?;
        // A driver may compile at the launch: one of no iterations.
        let mut dry = self.all(device, source)?;
        for (arg, given) in source.args.iter().zip(&mut dry) {
            if let (Arg::DimCount(_) | Arg::Total, Given::Bytes(count)) = (arg, given) {
                count.fill(0);
            }
        }
        device.launch(&kernel, &self.geometry, &values(&dry)).map_err(say)?;
        println!("{COMPILED}");
        device.wait().map_err(say)?;
        let given = self.all(device, source)?;
        device.launch(&kernel, &self.geometry, &values(&given)).map_err(say)?;
        device.wait().map_err(say)?;
        println!("{FINISHED}");
        let mut arrays = self.memory.arrays.clone();
        let (mut failed, mut reduced) = (false, Vec::new());
        for (arg, given) in source.args.iter().zip(&given) {
            let Given::Buffer(buffer) = given else { continue };
            match arg {
                Arg::Array(a) => arrays[a.index()] = read(device, buffer, arrays[a.index()].len())?,
                Arg::Status => {
                    let record = read(device, buffer, STATUS_BYTES)?;
                    failed = record[..4] != [0; 4];
                    if failed {
                        let site = u32::from_le_bytes([record[4], record[5], record[6], record[7]]);
                        println!("failed: {:?} with {:x?}", source.sites[site as usize], &record[8..32]);
                    }
                }
                Arg::Result => {
                    let all = read(device, buffer, 16 * self.results.len())?;
                    reduced = all.chunks(16).zip(&self.results).map(|(c, &n)| c[..n].to_vec()).collect();
                }
                _ => {}
            }
        }
        Ok((arrays, (!failed).then_some(reduced)))
    }

    fn all<D: Device>(&self, device: &D, source: &Source) -> Result<Vec<Given<D::Buffer>>, String> {
        source.args.iter().map(|arg| self.give(device, *arg)).collect()
    }

    fn give<D: Device>(&self, device: &D, arg: Arg) -> Result<Given<D::Buffer>, String> {
        let dim = |d: u32| self.memory.dims[d as usize].expect("all dimensions are the host's");
        let int = |v: u64| Ok(Given::Bytes(v.to_le_bytes().to_vec()));
        match arg {
            Arg::Array(a) => buffer(device, &self.memory.arrays[a.index()]),
            Arg::Len(a) | Arg::SectionHi(a) => int(self.lens[a.index()]),
            Arg::Origin(_) | Arg::SectionLo(_) => int(0),
            Arg::Scalar(s) => Ok(Given::Bytes(self.memory.scalars[s.index()].clone())),
            Arg::DimFirst(d) => int(dim(d).first as u64),
            Arg::DimStep(d) => int(dim(d).step as u64),
            Arg::DimCount(d) => int(dim(d).count),
            Arg::Term(..) | Arg::InsideStart(_) => {
                unreachable!("no nest is large enough for a program")
            }
            Arg::Total => int(self.total.expect("it fits")),
            Arg::Status => buffer(device, &[0; STATUS_BYTES]),
            Arg::Partials => buffer(device, &vec![0; self.room.partials.max(16) as usize]),
            Arg::Copies => buffer(device, &vec![0; self.room.copies.max(16) as usize]),
            Arg::Tiles => buffer(device, &vec![0; self.room.tiles.max(16) as usize]),
            Arg::Phase => int(0),
            Arg::Ticket => buffer(device, &[0; 16]),
            Arg::Claims(_) | Arg::DigitFirst(_) | Arg::DigitStep(_) | Arg::DigitCount(_) => {
                unreachable!("random kernels have no `disjoint`, nor nests with reductions")
            }
            Arg::Result => buffer(device, &vec![0; 16 * self.results.len().max(1)]),
        }
    }
}

fn values<B>(given: &[Given<B>]) -> Vec<ArgValue<'_, B>> {
    let mut values = Vec::new();
    for given in given {
        values.push(match given {
            Given::Buffer(buffer) => ArgValue::Buffer(buffer),
            Given::Bytes(bytes) => ArgValue::Bytes(bytes),
        });
    }
    values
}

fn buffer<D: Device>(device: &D, bytes: &[u8]) -> Result<Given<D::Buffer>, String> {
    let buffer = device.alloc(bytes.len().max(1)).map_err(|e| e.to_string())?;
    let bytes: Vec<MaybeUninit<u8>> = bytes.iter().map(|&b| MaybeUninit::new(b)).collect();
    device.upload(&buffer, 0, &bytes).map_err(|e| e.to_string())?;
    Ok(Given::Buffer(buffer))
}

fn read<D: Device>(device: &D, from: &D::Buffer, bytes: usize) -> Result<Vec<u8>, String> {
    let mut to = vec![MaybeUninit::new(0); bytes];
    device.download(&mut to, from, 0).map_err(|e| e.to_string())?;
    // SAFETY: every element was initialised above, whatever the download wrote.
    Ok(to.into_iter().map(|b| unsafe { b.assume_init() }).collect())
}
