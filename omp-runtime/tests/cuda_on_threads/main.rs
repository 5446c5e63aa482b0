//! CUDA sources without a GPU: kernels run on the host, a thread of the machine for each block that runs, under
//! ThreadSanitizer, and are compared with the interpreter (see `shim.h`). An access that nothing orders is found, in a block
//! or between blocks, and a barrier that not all threads reach. Needs `g++`.
use kernel_samples::build::Region;
use omp_ir::analysis::plan::{DimValues, LaunchValues};
use omp_ir::kernel::Kernel;
use omp_kernels::back::{self, Arg, Dialect, STATUS_BYTES, Source};
use omp_kernels::interp::{self, Memory};
use omp_kernels::schedule::{self, DeviceClass, DeviceKind, Geometry, Request, Room, Strategy};
use omp_kernels::valid::finalise;
use std::path::Path;
use std::process::Command;

mod folds;
mod scans;
mod teams;

const SHIM: &str = include_str!("shim.h");
const RUNNER: &str = include_str!("shim.cpp");

/// A kernel and its data.
struct Sample {
    name: &'static str,
    region: Region,
    memory: Memory,
    /// Arrays whose bytes may differ from the interpreter's: floats. They may not from run to run.
    loose: Vec<usize>,
}

/// How a kernel is launched.
#[derive(Debug, Clone)]
struct Way {
    teams: Option<u64>,
    limit: Option<u64>,
    /// Of each array's address.
    alignment: u32,
    /// Blocks that run at a time, and seeds of what is left to chance; each gets a run.
    at_once: u32,
    seeds: Vec<u32>,
    /// How often it is launched in a run, on what the launch before has left.
    launches: u32,
    /// What is in the memory between launches at first, as words.
    tiles: Vec<u64>,
}

impl Default for Way {
    fn default() -> Self {
        Self {
            teams: None,
            limit: None,
            alignment: 16,
            at_once: 1,
            seeds: vec![0],
            launches: 1,
            tiles: Vec::new(),
        }
    }
}

/// Whether there is a compiler.
fn there() -> bool {
    let there = Command::new("g++").arg("--version").output().is_ok_and(|o| o.status.success());
    if !there {
        println!("skipped: no g++");
    }
    there
}

fn bytes<T: Copy, const N: usize>(values: impl IntoIterator<Item = T>, le: fn(T) -> [u8; N]) -> Vec<u8> {
    values.into_iter().flat_map(le).collect()
}

fn upto(n: u64) -> Option<DimValues> {
    Some(DimValues { first: 0, step: 1, count: n })
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

/// Runs a sample both ways, and gives the strategy that was chosen.
fn compare(sample: &Sample, way: &Way, dir: &Path) -> Strategy {
    let Sample { name, region, memory, loose } = sample;
    let (template, types) = region.clone().finish();
    let (kernel, info) = finalise(template, types, false).expect("it is well typed");
    let mut interpreted = memory.clone();
    let mut want = None;
    for _ in 0..way.launches {
        want = interp::run(&kernel, &info, &mut interpreted).ok();
    }
    let sizes: Vec<u64> = kernel.array_ty.iter().map(|&ty| kernel.types.size(ty).unwrap_or(1)).collect();
    let lens: Vec<u64> = memory.arrays.iter().zip(&sizes).map(|(a, size)| a.len() as u64 / size).collect();
    let sections: Vec<(u64, u64)> = lens.iter().map(|&len| (0, len)).collect();
    let int = |b: &Vec<u8>| b[..].try_into().ok().map(|b| i128::from(u64::from_le_bytes(b)));
    let scalars: Vec<Option<i128>> = memory.scalars.iter().map(int).collect();
    let values = LaunchValues { dims: &memory.dims, scalars: &scalars, lens: &lens, sections: &sections };
    let facts = info.plan.decide(&values);
    assert_eq!(facts.race, None, "{name}");
    let alignment = vec![way.alignment; lens.len()];
    let request = Request {
        extents: &lens,
        facts: &facts,
        device: &device(),
        num_teams: way.teams,
        thread_limit: way.limit,
        alignment: &alignment,
        pins: Default::default(),
        specialised: false,
        parts: false,
        reasons: None,
    };
    let schedule = schedule::choose(&kernel, &info, &request);
    let geometry = schedule::geometry(&schedule, &kernel, &request);
    let source = back::emit(&kernel, &info, &schedule, Dialect::Cuda).expect("CUDA can say it");
    let room = schedule::room(&kernel, &schedule, &geometry, &lens, facts.total.unwrap_or(0));
    let launch =
        Launch { way, geometry: &geometry, memory, kernel: &kernel, lens: &lens, total: facts.total, room };
    let program = launch.build(&source, dir);
    let mut first: Option<Outcome> = None;
    for &seed in &way.seeds {
        let got = launch.run(&source, &program, seed, dir);
        let case = format!("{name}, {way:?}, seed {seed}, {geometry:?}");
        match (&want, &got.1) {
            (Some(want), Some(reduced)) => {
                assert!(
                    !loose.is_empty() || want == reduced,
                    "{case}: {want:?} {reduced:?}\n{}",
                    source.text
                );
                for (a, (want, got)) in interpreted.arrays.iter().zip(&got.0).enumerate() {
                    let differs = want.iter().zip(got).position(|(w, g)| w != g);
                    assert!(
                        loose.contains(&a) || differs.is_none(),
                        "{case}: array {a} from byte {differs:?}\n{}",
                        source.text
                    );
                }
                // Floats may differ from the loop's, but not from run to run.
                assert_eq!(*first.get_or_insert(got.clone()), got, "{case}\n{}", source.text);
            }
            (None, None) => {} // after a failure, the region's data is unspecified
            (want, got) => panic!("{case}: wanted {want:?}, not {got:?}\n{}", source.text),
        }
    }
    schedule.strategy
}

struct Launch<'a> {
    way: &'a Way,
    geometry: &'a Geometry,
    memory: &'a Memory,
    kernel: &'a Kernel,
    lens: &'a [u64],
    total: Option<u64>,
    room: Room,
}

impl Launch<'_> {
    fn build(&self, source: &Source, dir: &Path) -> std::path::PathBuf {
        let (text, program, runner) = (dir.join("kernel.cpp"), dir.join("kernel"), dir.join("runner.o"));
        let main = format!("int main(int, char** a) {{ return on_threads({}, a[1]); }}\n", source.entry);
        std::fs::write(&text, format!("{SHIM}\n{}\n{main}", source.text)).expect("the folder is there");
        let build = |args: &[&str], files: &[&Path]| {
            let mut gcc = Command::new("g++");
            gcc.args(["-std=c++17", "-O1", "-w", "-fpermissive", "-pthread"]).args(args).args(files);
            let built = gcc.output().expect("g++ is there");
            assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), source.text);
        };
        if !runner.exists() {
            let file = dir.join("runner.cpp");
            std::fs::write(&file, RUNNER).expect("the folder is there");
            build(&["-c", "-o"], &[&runner, &file]);
        }
        build(&["-fsanitize=thread", "-o"], &[&program, &text, &runner]);
        program
    }

    fn give(&self, arg: &Arg, phase: u32) -> Vec<u8> {
        let Self { memory, lens, total, room, .. } = self;
        let dim = |d: &u32| memory.dims[*d as usize].expect("all dimensions are the host's");
        let int = |v: u64| v.to_le_bytes().to_vec();
        match arg {
            Arg::Array(a) => memory.arrays[a.index()].clone(),
            Arg::Len(a) | Arg::SectionHi(a) => int(lens[a.index()]),
            Arg::Scalar(s) => memory.scalars[s.index()].clone(),
            Arg::DimFirst(d) => int(dim(d).first as u64),
            Arg::DimStep(d) => int(dim(d).step as u64),
            Arg::DimCount(d) => int(dim(d).count),
            Arg::Phase => int(phase.into()),
            Arg::Term(..) | Arg::InsideStart(_) => {
                unreachable!("it is for scans and reductions")
            }
            Arg::Total => int(total.expect("it fits")),
            Arg::Status => vec![0; STATUS_BYTES],
            Arg::Partials => vec![0; room.partials.max(16) as usize],
            Arg::Copies => vec![0; room.copies.max(16) as usize],
            Arg::Tiles => {
                let mut all = bytes(self.way.tiles.iter().copied(), u64::to_le_bytes);
                all.resize(room.tiles.max(16) as usize, 0);
                all
            }
            Arg::Ticket => vec![0; 16],
            Arg::Result => vec![0; self.kernel.result_places().1.max(16)],
            other => panic!("{other:?} in this kernel"),
        }
    }

    fn run(&self, source: &Source, program: &Path, seed: u32, dir: &Path) -> Outcome {
        let Self { way, geometry, memory, kernel, .. } = *self;
        let data = dir.join("data");
        assert!(source.phases == 1 || way.launches == 1, "one after the other");
        let count = source.args.len() as u32;
        let mut given: Vec<Vec<u8>> = source.args.iter().map(|arg| self.give(arg, 0)).collect();
        for phase in 0..source.phases {
            let mut input = Vec::new();
            for number in [geometry.grid[0], geometry.block[0], way.at_once, seed, way.launches, count] {
                input.extend(number.to_le_bytes());
            }
            for (arg, bytes) in source.args.iter().zip(&mut given) {
                if *arg == Arg::Phase {
                    *bytes = self.give(arg, phase);
                }
                input.extend((bytes.len() as u64).to_le_bytes());
                input.extend(&*bytes);
            }
            std::fs::write(&data, input).expect("the folder is there");
            let ran = Command::new("timeout").arg("120").arg(program).arg(&data).output().expect("it starts");
            assert!(
                ran.status.success(),
                "{way:?} {seed}: {}\n{}\n{}",
                ran.status,
                String::from_utf8_lossy(&ran.stderr),
                source.text
            );
            let left = std::fs::read(&data).expect("it wrote");
            let mut left = &left[..];
            for bytes in &mut given {
                let (own, rest) = left.split_at(bytes.len());
                left = rest;
                *bytes = own.to_vec();
            }
        }
        let (mut arrays, mut failed) = (memory.arrays.clone(), false);
        // Reduced arrays have no other value.
        let mut reduced = vec![Vec::new(); kernel.template.reductions.len()];
        let (places, _) = kernel.result_places();
        for (arg, bytes) in source.args.iter().zip(&given) {
            match arg {
                Arg::Array(a) => arrays[a.index()] = bytes.to_vec(),
                Arg::Status => failed = bytes[..4] != [0; 4],
                Arg::Result => {
                    let locals = kernel.template.reductions.iter().map(omp_ir::template::Reduction::local);
                    let size = |l| kernel.types.size(kernel.body.local_ty[l]).unwrap_or(0) as usize;
                    let sizes = locals.map(|l| l.map_or(0, |l| size(l.index())));
                    reduced = places.iter().zip(sizes).map(|(&at, n)| bytes[at..at + n].to_vec()).collect();
                }
                _ => {}
            }
        }
        (arrays, (!failed).then_some(reduced))
    }
}
