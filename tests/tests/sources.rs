//! Every source that the other tests of this crate make goes through real compilers: CUDA C++ through NVRTC, for which
//! no GPU is needed, and OpenCL C through the OpenCL driver, also as a GPU would get it. The hand-made kernels whose
//! sources are held still by snapshots go the same way.
//!
//! The tests run again as processes with `OMP_DUMP`, which writes each kernel in every dialect.
use omp_kernels::back::{Dialect, Source};
use omp_runtime::backend::api::{Device, DeviceError};
use omp_runtime::backend::cuda::nvrtc;
use omp_runtime::backend::opencl::{self, OpenClDevice};
use omp_tests::skipped;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// Those without regions of their own.
const OTHERS: [&str; 2] = ["sources", "ui"];

/// A source as it was written.
struct Dumped {
    file: String,
    dialect: Dialect,
    options: Vec<String>,
    text: String,
}

#[test]
fn every_source_compiles() {
    let nvrtc = nvrtc::version();
    let devices = opencl::devices();
    if let Err(unavailable) = &nvrtc {
        skipped("nvrtc", &format!("CUDA sources are not compiled: {}", unavailable.reason));
    }
    let device = match &devices {
        Ok(devices) => devices.first(),
        Err(_) => None,
    };
    let mut all = snapshots();
    match device {
        Some(_) => all.extend(regions()),
        None => skipped("opencl", "no OpenCL device, so no test makes sources"),
    }
    let (distinct, wrong) = (distinct(all), std::sync::Mutex::new(Vec::new()));
    let (cuda, opencl, next) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(source) = distinct.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (compiled, count) = match source.dialect {
                Dialect::Cuda if nvrtc.is_err() => continue,
                Dialect::Cuda => (nvrtc::compile(&source.text, 90, &source.options).map(drop), &cuda),
                Dialect::OpenCl => match device {
                    None => continue,
                    Some(device) => (by_driver(device, source), &opencl),
                },
            };
            count.fetch_add(1, Ordering::Relaxed);
            if let Err(error) = compiled {
                let mut wrong = wrong.lock().expect("nobody panics");
                wrong.push(format!("{}: {error}\n{}", source.file, source.text));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (cuda, opencl) = (cuda.into_inner(), opencl.into_inner());
    println!("{cuda} CUDA sources through NVRTC, {opencl} OpenCL sources through the driver");
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{} sources do not compile:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(nvrtc.is_err() || device.is_none() || (cuda > 100 && opencl > 100), "too few sources were made");
}

fn by_driver(device: &OpenClDevice, source: &Dumped) -> Result<(), DeviceError> {
    let source = Source {
        text: source.text.clone(),
        entry: String::new(),
        args: Vec::new(),
        sites: Vec::new(),
        options: source.options.clone(),
        partial_bytes: 0,
    };
    device.compile(&source).map(drop)
}

/// One of each: many regions differ in their sizes only.
fn distinct(all: Vec<Dumped>) -> Vec<Dumped> {
    let mut seen = std::collections::HashSet::new();
    all.into_iter().filter(|d| seen.insert((d.dialect, d.options.clone(), d.text.clone()))).collect()
}

/// What the other tests' regions become.
fn regions() -> Vec<Dumped> {
    let mut all = Vec::new();
    for (name, binary) in binaries() {
        let dir = std::env::temp_dir().join(format!("omp-sources-{}-{name}", std::process::id()));
        let mut test = Command::new(binary);
        test.env("OMP_DUMP", &dir).env("OMP_BACKEND", "opencl").env("OMP_TARGET_OFFLOAD", "mandatory");
        let output = test.output().expect("the test starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name} with OMP_DUMP: {}\n{said}", output.status);
        for entry in std::fs::read_dir(&dir).into_iter().flatten() {
            let path = entry.expect("it was just written").path();
            all.extend(dumped(&path));
        }
        // Nothing is lost if it stays.
        let _ = std::fs::remove_dir_all(&dir);
    }
    all
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
        let Some(name) = file.strip_suffix(".rs").filter(|name| !OTHERS.contains(name)) else { continue };
        let changed = entry.metadata().and_then(|data| data.modified()).expect("the file's time");
        match newest.remove(name) {
            Some((built, path)) if built >= changed => binaries.push((name.to_owned(), path)),
            _ => skipped(
                "opencl",
                &format!("the test {name} is not built (`cargo test -p omp-tests` builds all)"),
            ),
        }
    }
    binaries
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
