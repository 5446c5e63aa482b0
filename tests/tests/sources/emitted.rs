//! Every source that the other tests of this crate make goes through real compilers: CUDA C++ through NVRTC, for which
//! no GPU is needed, and OpenCL C as a GPU would get it through the front end of the OpenCL driver. The hand-made kernels whose
//! sources are held still by snapshots go the same way.
//!
//! The other binaries run again as processes with `OMP_DUMP`, which writes each kernel in every dialect, unless `OMP_TEST_SOURCES` is a folder
//! where they have done so. There are thousands: with `OMP_TEST_ALL_SOURCES` all are compiled, without it one in [`SAMPLE`]. Compilers take
//! longer to start than to read a source, so [`TOGETHER`] of them are compiled as one.
use omp_kernels::back::Dialect;
use omp_runtime::backend::cuda::nvrtc;
use omp_tests::skipped;
use opencl3::{context::Context, device, program::Program};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::SystemTime;

/// The binaries that run programs or compilers in processes of their own.
const OTHERS: [&str; 3] = ["environment", "sources", "ui"];

/// The loops of the battery differ in little more than their types, and there are thousands.
const SKIPPED: &str = "battery::";

/// One in so many sources is compiled, if not all are; and one in so many CUDA sources is optimised, to machine code. The others become PTX
/// without the optimiser, which takes an eighth: their types, names, assembly operands and attributes are checked all the same.
const SAMPLE: usize = 8;

/// So many sources are one for a compiler.
const TOGETHER: usize = 8;

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
    each(sources(Dialect::Cuda), || {
        |k: usize, text: &str, options: &[String]| {
            let mut options = options.to_vec();
            if !k.is_multiple_of(SAMPLE) {
                options.extend(["--gpu-architecture=compute_90", "--device-debug"].map(str::to_owned));
            }
            nvrtc::compile(text, 90, &options).map(drop).map_err(|error| error.to_string())
        }
    });
}

/// Sources for CPUs have gone through all of the driver's compiler when the other tests ran them. Those for GPUs go through its front end:
/// its optimiser is a CPU's, and keeps some of them for minutes.
#[test]
fn every_opencl_source_compiles() {
    if !has_opencl() {
        return skipped("opencl", "no OpenCL device");
    }
    let mut sources = sources(Dialect::OpenCl);
    sources.retain(|source| !source.file.ends_with("cpu.cl"));
    each(sources, || {
        let devices = device::get_all_devices(device::CL_DEVICE_TYPE_ALL).expect("there is one");
        let device = device::Device::new(devices[0]);
        let version = device.opencl_c_version().expect("the device has a compiler");
        let standard = if version.starts_with("OpenCL C 3") { "CL3.0" } else { "CL1.2" };
        let context = Context::from_device(&device).expect("the device has a context");
        move |_: usize, text: &str, options: &[String]| {
            let options = format!("-w -cl-std={standard} {}", options.join(" "));
            let mut program = Program::create_from_source(&context, text).map_err(|e| e.to_string())?;
            program.compile(&[device.id()], &options, &[], &[]).map_err(|error| {
                let log = program.get_build_log(device.id()).unwrap_or_default();
                format!("{error}\n{log}")
            })
        }
    });
}

fn compiles_all() -> bool {
    std::env::var_os("OMP_TEST_ALL_SOURCES").is_some()
}

/// Has sources compiled by what `compiler` makes for a thread, which gets a number, the text and its options.
fn each<C: FnMut(usize, &str, &[String]) -> Result<(), String>>(
    mut sources: Vec<Dumped>,
    compiler: impl Fn() -> C + Sync,
) {
    let made = sources.len();
    sources = sources.into_iter().step_by(if compiles_all() { 1 } else { SAMPLE }).collect();
    sources.sort_by(|a, b| a.options.cmp(&b.options));
    let alike = sources.chunk_by(|a, b| a.options == b.options);
    let parts: Vec<&[Dumped]> = alike.flat_map(|alike| alike.chunks(TOGETHER)).collect();
    let (wrong, next, apart) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut compile = compiler();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(k) else { break };
            let (text, options) = (together(part), &part[0].options);
            if compile(k, &text, options).is_ok() {
                continue;
            }
            // Which of them it is. (None, if the names of one are taken for those of another.)
            apart.fetch_add(1, Ordering::Relaxed);
            let alone = part.iter().filter_map(|source| {
                let error = compile(k, &source.text, options).err()?;
                Some(format!("{}: {error}\n{}", source.file, source.text))
            });
            wrong.lock().expect("no thread panics").extend(alone);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            // Compilers walk nested expressions by recursion: more than a thread's usual stack.
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            thread.spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    println!(
        "{} of {made} sources were compiled, of {} parts {} one by one",
        sources.len(),
        parts.len(),
        apart.into_inner()
    );
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{} sources do not compile:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(!has_opencl() || made > 50, "the other tests made {made} only");
}

/// Sources as one: what each declares gets names of its own, and its macros end with it.
fn together(sources: &[Dumped]) -> String {
    let mut all = String::new();
    for (k, source) in sources.iter().enumerate() {
        let Declared { names, macros } = declared(&source.text);
        // (Functions that macros define have no names here.)
        let (open, close) = match source.dialect {
            Dialect::Cuda => (format!("namespace source_{k} {{"), "}"),
            Dialect::OpenCl => (String::new(), ""),
        };
        let text = with_suffix(&source.text, &names, &format!("_of_source_{k}"));
        writeln!(all, "{open}\n{text}\n{close}").expect("a string takes all");
        for name in &macros {
            writeln!(all, "#undef {name}").expect("a string takes all");
        }
    }
    all
}

/// A text in which these names have a suffix. (Macros would do that to `device` in the expansion of `__device__`, too.)
fn with_suffix(text: &str, names: &BTreeSet<String>, suffix: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|other| is_word(other) != is_word(c)).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        out.push_str(part);
        if is_word(c) && names.contains(part) {
            out.push_str(suffix);
        }
        rest = behind;
    }
    out
}

/// What a source declares outside of functions and structs.
struct Declared {
    names: BTreeSet<String>,
    macros: BTreeSet<String>,
}

fn declared(text: &str) -> Declared {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut names, mut macros, mut depth, mut continued) = (BTreeSet::new(), BTreeSet::new(), 0, false);
    for line in text.lines() {
        let directive = continued || line.starts_with('#');
        continued = directive && line.ends_with('\\');
        if let Some(rest) = line.strip_prefix("#define ") {
            macros.insert(rest.chars().take_while(|c| is_word(*c)).collect());
        }
        if directive {
            continue;
        }
        let code = line.split("//").next().unwrap_or_default();
        for (at, c) in code.char_indices() {
            let before = code[..at].trim_end();
            let name = &before[before.trim_end_matches(is_word).len()..];
            if depth == 0 && "({[;=,".contains(c) && name.starts_with(|c: char| c.is_alphabetic()) {
                names.insert(name.to_owned());
            }
            match c {
                '(' | '{' | '[' => depth += 1,
                ')' | '}' | ']' => depth -= 1,
                _ => {}
            }
        }
    }
    for keyword in ["struct", "union", "enum", "static_assert", "alignas"] {
        names.remove(keyword);
    }
    names.retain(|name| !macros.contains(name));
    Declared { names, macros }
}

#[test]
fn what_sources_declare_is_found() {
    let text = "typedef float f32;\n#define TWO(x) ((x) + 2)\ntypedef struct { u32 a; } pair; // no f();\n\
        __constant f32 table[2] = { 1, 2 };\n__constant pair none = { 0 };\nstatic f32 of(pair* p, f32 q) { f32 r = q; return r; }\n\
        __kernel __attribute__((reqd_work_group_size(1, 1, 1)))\nvoid run(f32 x) {\n    of(0, x);\n}\n";
    let Declared { names, macros } = declared(text);
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["f32", "none", "of", "pair", "run", "table"]);
    assert_eq!(macros.into_iter().collect::<Vec<_>>(), ["TWO"]);
    let device = BTreeSet::from(["device".to_owned(), "a".to_owned()]);
    let renamed = with_suffix("__device__ int device(int a) { return a2 + a.b; }", &device, "_1");
    assert_eq!(renamed, "__device__ int device_1(int a_1) { return a2 + a_1.b; }");
}

/// All sources in a language, one of each: many regions differ in their sizes, names and places only. In the same order every time.
fn sources(dialect: Dialect) -> Vec<Dumped> {
    let mut all = snapshots();
    if has_opencl() {
        all.extend(made().iter().filter_map(|path| dumped(path)));
    } else {
        skipped("opencl", "no OpenCL device, so no test makes sources");
    }
    let mut seen = HashSet::new();
    all.retain(|d| d.dialect == dialect && seen.insert((d.options.clone(), without_names(&d.text))));
    all
}

/// A source without the comment that names its region, and with one name for its kernels.
fn without_names(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let code = text.lines().filter(|line| !line.starts_with("// "));
    let code: String = code.flat_map(|line| [line, "\n"]).collect();
    let region = text.split_once("// region `").and_then(|(_, rest)| rest.split_once('`'));
    let Some((name, _)) = region.filter(|(name, _)| !name.is_empty() && name.chars().all(is_word)) else {
        return code;
    };
    let (mut out, mut done) = (String::with_capacity(code.len()), 0);
    for (at, _) in code.match_indices(name) {
        let end = at + name.len();
        if !code[..at].ends_with(is_word) && !code[end..].starts_with(is_word) {
            out.push_str(&code[done..at]);
            out.push_str("kernel_of_region");
            done = end;
        }
    }
    out.push_str(&code[done..]);
    out
}

#[test]
fn sources_that_differ_in_names_are_alike() {
    let text = |name: &str, place: &str, factor: u32| {
        format!("// region `{name}` at {place}\nvoid {name}(int a) {{ {name}_a({name}, {factor}); }}\n")
    };
    let [a, b, c] = [text("f", "x.rs:1:2", 2), text("g", "y.rs:3:4", 2), text("f", "x.rs:1:2", 3)];
    assert_eq!(without_names(&a).replace("f_a", "g_a"), without_names(&b));
    assert_ne!(without_names(&a), without_names(&c));
    assert_ne!(without_names(&a), without_names(&b), "`f_a` is another name than `f`");
}

/// Once: the driver's start is not for several threads at a time.
fn has_opencl() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| device::get_all_devices(device::CL_DEVICE_TYPE_ALL).is_ok_and(|all| !all.is_empty()))
}

/// The files that the other tests wrote.
fn made() -> Vec<PathBuf> {
    let files = std::fs::read_dir(made_in()).into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// The folder of the other tests' sources: they have run with `OMP_DUMP` if `OMP_TEST_SOURCES` names one, else they run here.
fn made_in() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        if let Some(given) = std::env::var_os("OMP_TEST_SOURCES") {
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
