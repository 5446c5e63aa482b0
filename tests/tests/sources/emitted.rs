//! Every source that the other tests of this crate make goes through real compilers: CUDA C++ through NVRTC, for which
//! no GPU is needed, and OpenCL C through the OpenCL driver, also as a GPU would get it. The hand-made kernels whose
//! sources are held still by snapshots go the same way.
//!
//! The other binaries run again as processes with `OMP_DUMP`, which writes each kernel in every dialect.
use omp_kernels::back::{Dialect, Source};
use omp_runtime::backend::api::{Device, DeviceError};
use omp_runtime::backend::cuda::nvrtc;
use omp_runtime::backend::opencl::{self, OpenClDevice};
use omp_tests::skipped;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

/// Tells a child where the sources are.
const GIVEN: &str = "OMP_TEST_SOURCES";

/// The binaries that run programs or compilers in processes of their own.
const OTHERS: [&str; 3] = ["environment", "sources", "ui"];

/// The loops of the battery differ in little more than their types, and there are thousands.
const SKIPPED: &str = "battery::";

/// What a CPU's compiler may take for a source that is a GPU's: some of them keep it for minutes.
const LONGEST: Duration = Duration::from_secs(20);

/// A source as it was written.
struct Dumped {
    file: String,
    dialect: Dialect,
    options: Vec<String>,
    text: String,
}

#[test]
fn every_cuda_source_compiles() {
    if let Err(unavailable) = nvrtc::version() {
        return skipped("nvrtc", &format!("CUDA sources are not compiled: {}", unavailable.reason));
    }
    let sources = sources(Dialect::Cuda);
    let (wrong, next) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let work = || {
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = nvrtc::compile(&source.text, 90, &source.options) {
                wrong
                    .lock()
                    .expect("nobody panics")
                    .push(format!("{}: {error}\n{}", source.file, source.text));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    println!("{} CUDA sources went through NVRTC", sources.len());
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{} CUDA sources do not compile:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(opencl::devices().is_err() || sources.len() > 50, "the other tests made {} only", sources.len());
}

/// The driver's compiler may die of a signal, or take for ever, so it works in processes that go on behind the source they died of. Each has
/// every so many-th source. Those for CPUs have gone through it when the other tests ran them.
#[test]
fn every_opencl_source_compiles() {
    const FROM: &str = "OMP_TEST_SOURCES_FROM";
    const EVERY: &str = "OMP_TEST_SOURCES_EVERY";
    let Ok(devices) = opencl::devices() else { return skipped("opencl", "no OpenCL device") };
    let mut sources = sources(Dialect::OpenCl);
    sources.retain(|source| !source.file.ends_with("cpu.cl"));
    let number = |name| std::env::var(name).ok().map(|n| n.parse::<usize>().expect("a number"));
    if let (Some(from), Some(every)) = (number(FROM), number(EVERY)) {
        let begun = std::sync::Arc::new(Mutex::new(Instant::now()));
        let watched = std::sync::Arc::clone(&begun);
        std::thread::spawn(move || {
            while watched.lock().expect("nobody panics").elapsed() < LONGEST {
                std::thread::sleep(Duration::from_millis(200));
            }
            // To the one who waits it is as dead as one of a signal.
            std::process::abort();
        });
        for (k, source) in sources.iter().enumerate().skip(from).step_by(every) {
            println!("\nsource {k}");
            *begun.lock().expect("nobody panics") = Instant::now();
            by_driver(&devices[0], source)
                .unwrap_or_else(|e| panic!("{}: {e}\n{}", source.file, source.text));
        }
        return;
    }
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let sources = &sources;
    let died: usize = std::thread::scope(|scope| {
        let work = |first| move || compiled(sources, first, jobs, [FROM, EVERY]);
        let jobs: Vec<_> = (0..jobs).map(|first| scope.spawn(work(first))).collect();
        jobs.into_iter().map(|job| job.join().expect("its sources compile")).sum()
    });
    println!("{} OpenCL sources went through the driver, which died of {died}", sources.len());
    assert!(died * 8 <= sources.len(), "the driver died too often");
    assert!(sources.len() > 50, "the other tests made {} only", sources.len());
}

/// Has the sources from `first` in steps compiled by processes; how many they died of.
fn compiled(sources: &[Dumped], first: usize, step: usize, [from_is, every_is]: [&str; 2]) -> usize {
    let (mut from, mut died) = (first, 0);
    while from < sources.len() {
        let this = std::env::current_exe().expect("the test has a path");
        let mut child = Command::new(this);
        child.args(["--exact", "emitted::every_opencl_source_compiles", "--nocapture"]);
        child.env(from_is, from.to_string()).env(every_is, step.to_string()).env(GIVEN, made_in());
        let output = child.output().expect("it starts");
        let (said, complained) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let last = said.lines().rev().find_map(|line| line.strip_prefix("source ")?.parse::<usize>().ok());
        match (output.status.code(), last) {
            (Some(0), _) => break,
            (None, Some(last)) => {
                println!("skipped: the compiler died ({}) of {}", output.status, sources[last].file);
                died += 1;
                from = last + step;
            }
            _ => panic!("{}\n{said}{complained}", output.status),
        }
    }
    died
}

fn by_driver(device: &OpenClDevice, source: &Dumped) -> Result<(), DeviceError> {
    let source = Source {
        text: source.text.clone(),
        entry: String::new(),
        args: Vec::new(),
        sites: Vec::new(),
        inner: Vec::new(),
        options: source.options.clone(),
        phases: 1,
    };
    device.compile(&source).map(drop)
}

/// All sources in a language, one of each: many regions differ in their sizes only. In the same order every time.
fn sources(dialect: Dialect) -> Vec<Dumped> {
    let mut all = snapshots();
    if opencl::devices().is_ok() {
        all.extend(made().iter().filter_map(|path| dumped(path)));
    } else {
        skipped("opencl", "no OpenCL device, so no test makes sources");
    }
    let mut seen = HashSet::new();
    all.retain(|d| d.dialect == dialect && seen.insert((d.options.clone(), d.text.clone())));
    all
}

/// The files that the other tests wrote.
fn made() -> Vec<PathBuf> {
    let files = std::fs::read_dir(made_in()).into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Runs the other tests once; gives the folder that they wrote to.
fn made_in() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        if let Some(given) = std::env::var_os(GIVEN) {
            return given.into();
        }
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources");
        let _ = std::fs::remove_dir_all(&dir);
        for (name, binary) in binaries() {
            let mut test = Command::new(binary);
            test.args(["--skip", SKIPPED]);
            test.env("OMP_DUMP", &dir).env("OMP_BACKEND", "opencl").env_remove("OMP_TARGET_OFFLOAD");
            let output = test.output().expect("the test starts");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{name} with OMP_DUMP: {}\n{said}", output.status);
        }
        dir
    })
}

/// The newest build of each test of this crate, beside this one. `cargo test -p omp-tests` builds all.
fn binaries() -> Vec<(String, PathBuf)> {
    let this = std::env::current_exe().expect("the test has a path");
    let mut newest: HashMap<String, (SystemTime, PathBuf)> = HashMap::new();
    for entry in
        std::fs::read_dir(this.parent().expect("it lies in a folder")).expect("it can be read").flatten()
    {
        let (path, file) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let stem = file.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(&file);
        let (Some((name, hash)), Ok(data)) = (stem.rsplit_once('-'), entry.metadata()) else { continue };
        if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) && data.is_file() {
            let built = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let known = newest.entry(name.to_owned()).or_insert((built, path.clone()));
            if built > known.0 {
                *known = (built, path);
            }
        }
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut binaries = Vec::new();
    for entry in std::fs::read_dir(tests).expect("the tests' sources").flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let name = file.strip_suffix(".rs").unwrap_or(&file).to_owned();
        if OTHERS.contains(&name.as_str()) {
            continue;
        }
        let changed = last_change(&entry.path());
        match newest.remove(&name) {
            Some((built, path)) if built >= changed => binaries.push((name, path)),
            _ => skipped(
                "opencl",
                &format!("the test {name} is not built (`cargo test -p omp-tests` builds all)"),
            ),
        }
    }
    binaries
}

/// When a file, or any file of a folder, was changed last.
fn last_change(path: &Path) -> SystemTime {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("the tests' sources").flatten();
        return entries.map(|entry| last_change(&entry.path())).max().expect("no folder is empty");
    }
    path.metadata().and_then(|data| data.modified()).expect("the file's time")
}

fn dumped(path: &Path) -> Option<Dumped> {
    let dialect = match path.extension()?.to_str()? {
        "cu" => Dialect::Cuda,
        "cl" => Dialect::OpenCl,
        _ => return None,
    };
    let text = std::fs::read_to_string(path).expect("what was dumped can be read");
    let options =
        text.lines().find_map(|line| line.strip_prefix("// options:")).expect("the head names them");
    let options = options.split_whitespace().map(str::to_owned).collect();
    Some(Dumped { file: path.display().to_string(), dialect, options, text })
}

/// The sources among the snapshots of `omp-kernels`.
fn snapshots() -> Vec<Dumped> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../omp-kernels/src/back/tests/snapshots");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).expect("the snapshots").flatten() {
        let path = entry.path();
        let dialect = match path.file_stem().and_then(|stem| stem.to_str()?.rsplit_once('_')) {
            Some((_, "cu")) => Dialect::Cuda,
            Some((_, "cl")) => Dialect::OpenCl,
            _ => continue,
        };
        let text = std::fs::read_to_string(&path).expect("a snapshot can be read");
        // Between two lines of dashes is the head.
        let text = text.splitn(3, "---\n").nth(2).expect("a snapshot has a head").to_owned();
        let options = text.rsplit_once("// options ").expect("the summary ends with them").1;
        let options = options.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        all.push(Dumped { file: path.display().to_string(), dialect, options, text });
    }
    assert!(all.len() >= 18, "the snapshots are found");
    all
}
