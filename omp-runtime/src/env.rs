//! Control variables from the environment, read once. A malformed value is an error at the first region or call of
//! the runtime interface, which names the variable, the value and what is allowed.
use crate::error::Error;
use crate::host::loops::schedule::Schedule;
use omp_ir::desc::Prim;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;

/// `OMP_BACKEND`: which backends to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum BackendChoice {
    #[default]
    Auto,
    Cuda,
    OpenCl,
    Host,
}

/// `OMP_TARGET_OFFLOAD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OffloadPolicy {
    /// Devices where possible, else the host.
    #[default]
    Default,
    /// What can't run on a device is an error.
    Mandatory,
    /// Everything runs on the host.
    Disabled,
}

/// `OMP_INFO`: which events are printed on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Info {
    pub kernel: bool,
    pub data: bool,
    pub transfer: bool,
    pub launch: bool,
    pub wait: bool,
    pub tune: bool,
}

/// `OMP_TUNE`: where schedules come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tune {
    /// From defaults.
    Off,
    /// From what was found before, where there is something, else from defaults.
    #[default]
    Cached,
    /// The first candidates of the model are tried, one a launch; the best is kept.
    Auto,
    /// The first launch of a kind tries candidates until nothing gains or the time is up.
    Full,
}

/// `OMP_DISPLAY_ENV`: what is printed at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Display {
    /// The standard's variables.
    True,
    /// All of them.
    Verbose,
}

/// `OMP_VERIFY`: by how much results of host and device may differ where they are floats. (A fraction; its bits are kept, so that
/// environments can be compared.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerance {
    /// 1e-4 for `f32`, 1e-9 for `f64`.
    Usual,
    /// This fraction, for both.
    Relative(u64),
}

impl Tolerance {
    /// A fraction.
    #[must_use]
    pub const fn relative(of: f64) -> Self {
        Self::Relative(of.to_bits())
    }

    /// For a type.
    #[must_use]
    pub fn of(self, prim: Prim) -> f64 {
        match (self, prim) {
            (Self::Relative(bits), _) => f64::from_bits(bits),
            (Self::Usual, Prim::F64) => 1e-9,
            (Self::Usual, _) => 1e-4,
        }
    }
}

fn verify(value: &str) -> Result<Tolerance, Error> {
    const ALLOWED: &str =
        "1, or the fraction by which floats may differ: a number of at least 0 and below 1, such as 1e-6";
    match value.trim().parse::<f64>() {
        Ok(1.0) => Ok(Tolerance::Usual),
        Ok(of) if (0.0..1.0).contains(&of) => Ok(Tolerance::relative(of)),
        _ => malformed("OMP_VERIFY", value, ALLOWED),
    }
}

/// The parsed environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Env {
    /// `OMP_BACKEND`
    pub backend: BackendChoice,
    /// `OMP_TARGET_OFFLOAD`
    pub offload: OffloadPolicy,
    /// `OMP_DEFAULT_DEVICE`
    pub default_device: Option<usize>,
    /// `OMP_NUM_TEAMS`
    pub num_teams: Option<u64>,
    /// `OMP_TEAMS_THREAD_LIMIT`
    pub thread_limit: Option<u64>,
    /// `OMP_NUM_THREADS`
    pub num_threads: Option<usize>,
    /// `OMP_SCHEDULE`: of host loops without a `schedule` clause.
    pub schedule: Schedule,
    /// `OMP_INFO`
    pub info: Info,
    /// `OMP_VERIFY`
    pub verify: Option<Tolerance>,
    /// `OMP_DISPLAY_ENV`
    pub display: Option<Display>,
    /// `OMP_TIME`
    pub time: bool,
    /// `OMP_TRACE`
    pub trace: Option<PathBuf>,
    /// `OMP_REPORT`
    pub report: Option<PathBuf>,
    /// `OMP_TUNE`
    pub tune: Tune,
    /// `OMP_TUNE_FILE`: schedules that a search has found.
    pub tune_file: Option<PathBuf>,
    /// `OMP_DUMP`
    pub dump: Option<PathBuf>,
    /// `OMP_STACKSIZE`: bytes of a device thread's stack, for recursive device functions.
    pub stack_size: Option<usize>,
    /// `OMP_CACHE_DIR`, or the default; `None` if there is no place for it.
    pub cache_dir: Option<PathBuf>,
}

fn malformed<T>(variable: &'static str, value: &str, allowed: &'static str) -> Result<T, Error> {
    Err(Error::Environment { variable, value: value.to_owned(), allowed: Cow::Borrowed(allowed) })
}

fn number(variable: &'static str, value: &str, least: u64, allowed: &'static str) -> Result<u64, Error> {
    match value.trim().parse::<u64>() {
        Ok(n) if n >= least => Ok(n),
        _ => malformed(variable, value, allowed),
    }
}

/// `n[B|K|M|G]` in bytes; a number alone is of kilobytes, as OpenMP has it.
fn stack_size(value: &str) -> Result<usize, Error> {
    const ALLOWED: &str = "a number of kilobytes, 1 or more, or a number with its unit: B, K, M or G";
    let text = value.trim();
    let shift = match text.chars().next_back().map(|unit| unit.to_ascii_uppercase()) {
        Some('B') => Some(0),
        Some('K') => Some(10),
        Some('M') => Some(20),
        Some('G') => Some(30),
        _ => None,
    };
    let digits = if shift.is_some() { text[..text.len() - 1].trim_end() } else { text };
    let n = number("OMP_STACKSIZE", digits, 1, ALLOWED).ok().and_then(|n| usize::try_from(n).ok());
    match n.and_then(|n| n.checked_mul(1 << shift.unwrap_or(10))) {
        Some(bytes) => Ok(bytes),
        None => malformed("OMP_STACKSIZE", value, ALLOWED),
    }
}

fn info(value: &str) -> Result<Info, Error> {
    const ALLOWED: &str = "a list of kernel, data, transfer, launch, wait, tune, all, separated by commas";
    let mut info = Info::default();
    for part in value.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        match part.to_ascii_lowercase().as_str() {
            "kernel" => info.kernel = true,
            "data" => info.data = true,
            "transfer" => info.transfer = true,
            "launch" => info.launch = true,
            "wait" => info.wait = true,
            "tune" => info.tune = true,
            "all" => {
                info =
                    Info { kernel: true, data: true, transfer: true, launch: true, wait: true, tune: true };
            }
            _ => return malformed("OMP_INFO", value, ALLOWED),
        }
    }
    Ok(info)
}

/// `[monotonic:|nonmonotonic:]kind[,chunk]`.
fn schedule(value: &str) -> Result<Schedule, Error> {
    const ALLOWED: &str =
        "static, dynamic, guided or auto, then perhaps a comma and a chunk of 1 or more iterations";
    let text = value.to_ascii_lowercase();
    let kind = match text.split_once(':') {
        Some((modifier, kind)) if matches!(modifier.trim(), "monotonic" | "nonmonotonic") => kind,
        Some(_) => return malformed("OMP_SCHEDULE", value, ALLOWED),
        None => &text,
    };
    let (kind, chunk) = match kind.split_once(',') {
        Some((kind, chunk)) => (kind, Some(number("OMP_SCHEDULE", chunk, 1, ALLOWED))),
        None => (kind, None),
    };
    let Ok(chunk) = chunk.transpose() else { return malformed("OMP_SCHEDULE", value, ALLOWED) };
    Ok(match kind.trim() {
        "static" => Schedule::Static(chunk),
        "dynamic" => Schedule::Dynamic(chunk.unwrap_or(1)),
        "guided" => Schedule::Guided(chunk.unwrap_or(1)),
        "auto" => Schedule::Auto,
        _ => return malformed("OMP_SCHEDULE", value, ALLOWED),
    })
}

fn choice<T: Copy>(
    variable: &'static str,
    value: &str,
    choices: &[(&str, T)],
    allowed: &'static str,
) -> Result<T, Error> {
    let wanted = value.trim();
    match choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)) {
        Some((_, choice)) => Ok(*choice),
        None => malformed(variable, value, allowed),
    }
}

impl Env {
    /// Reads the variables through `get`. An empty value counts as unset.
    ///
    /// # Errors
    /// [`Error::Environment`] for the first malformed one.
    pub fn parse(get: impl Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let get = |name: &str| get(name).filter(|v| !v.trim().is_empty());
        let mut env = Self::default();
        if let Some(v) = get("OMP_BACKEND") {
            use BackendChoice::{Auto, Cuda, Host, OpenCl};
            let choices = [("auto", Auto), ("cuda", Cuda), ("opencl", OpenCl), ("host", Host)];
            env.backend = choice("OMP_BACKEND", &v, &choices, "auto, cuda, opencl or host")?;
        }
        if let Some(v) = get("OMP_TARGET_OFFLOAD") {
            use OffloadPolicy::{Default, Disabled, Mandatory};
            let choices = [("default", Default), ("mandatory", Mandatory), ("disabled", Disabled)];
            env.offload = choice("OMP_TARGET_OFFLOAD", &v, &choices, "default, mandatory or disabled")?;
        }
        if let Some(v) = get("OMP_DEFAULT_DEVICE") {
            let n = number("OMP_DEFAULT_DEVICE", &v, 0, "a device number, 0 or more")?;
            env.default_device = Some(usize::try_from(n).unwrap_or(usize::MAX));
        }
        if let Some(v) = get("OMP_NUM_TEAMS") {
            env.num_teams = Some(number("OMP_NUM_TEAMS", &v, 1, "a number of teams, 1 or more")?);
        }
        if let Some(v) = get("OMP_TEAMS_THREAD_LIMIT") {
            env.thread_limit =
                Some(number("OMP_TEAMS_THREAD_LIMIT", &v, 1, "a number of threads, 1 or more")?);
        }
        if let Some(v) = get("OMP_NUM_THREADS") {
            const ALLOWED: &str = "a number of threads, 1 or more (or a list of such, one for each level)";
            let mut levels = Vec::new();
            for part in v.split(',') {
                match part.trim().parse::<usize>() {
                    Ok(n) if n > 0 => levels.push(n),
                    _ => return malformed("OMP_NUM_THREADS", &v, ALLOWED),
                }
            }
            env.num_threads = levels.first().copied();
        }
        if let Some(v) = get("OMP_SCHEDULE") {
            env.schedule = schedule(&v)?;
        }
        if let Some(v) = get("OMP_INFO") {
            env.info = info(&v)?;
        }
        if let Some(v) = get("OMP_DISPLAY_ENV") {
            let choices = [
                ("true", Some(Display::True)),
                ("1", Some(Display::True)),
                ("verbose", Some(Display::Verbose)),
                ("false", None),
                ("0", None),
            ];
            env.display = choice("OMP_DISPLAY_ENV", &v, &choices, "true, verbose or false")?;
        }
        if let Some(v) = get("OMP_TIME") {
            env.time = choice("OMP_TIME", &v, &[("1", true), ("0", false)], "1, or 0 for no table")?;
        }
        Self::openacc(&mut env, &get)?;
        if let Some(v) = get("OMP_TUNE") {
            use Tune::{Auto, Cached, Full, Off};
            let choices = [("off", Off), ("cached", Cached), ("auto", Auto), ("full", Full)];
            env.tune = choice("OMP_TUNE", &v, &choices, "off, cached, auto or full")?;
        }
        if let Some(v) = get("OMP_VERIFY") {
            env.verify = Some(verify(&v)?);
        }
        if let Some(v) = get("OMP_STACKSIZE") {
            env.stack_size = Some(stack_size(&v)?);
        }
        env.trace = get("OMP_TRACE").map(PathBuf::from);
        env.report = get("OMP_REPORT").map(PathBuf::from);
        env.tune_file = get("OMP_TUNE_FILE").map(PathBuf::from);
        env.dump = get("OMP_DUMP").map(PathBuf::from);
        env.cache_dir = get("OMP_CACHE_DIR").map(PathBuf::from).or_else(|| {
            let base = get("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
            base.or_else(|| get("HOME").map(|home| PathBuf::from(home).join(".cache")))
                .map(|base| base.join("omp-offload"))
        });
        Ok(env)
    }
}

impl Env {
    /// OpenACC's variables, where OpenMP's are not set.
    fn openacc(env: &mut Self, get: &impl Fn(&str) -> Option<String>) -> Result<(), Error> {
        if let Some(v) = get("ACC_DEVICE_TYPE") {
            use BackendChoice::{Auto, Cuda, Host, OpenCl};
            let choices =
                [("default", Auto), ("not_host", Auto), ("nvidia", Cuda), ("opencl", OpenCl), ("host", Host)];
            let chosen =
                choice("ACC_DEVICE_TYPE", &v, &choices, "default, not_host, nvidia, opencl or host")?;
            if get("OMP_BACKEND").is_none() {
                env.backend = chosen;
            }
        }
        if let Some(v) = get("ACC_DEVICE_NUM") {
            let n = number("ACC_DEVICE_NUM", &v, 0, "a device number, 0 or more")?;
            env.default_device = env.default_device.or(Some(usize::try_from(n).unwrap_or(usize::MAX)));
        }
        Ok(())
    }
}

/// The environment of this process, parsed at the first use. `OMP_DISPLAY_ENV` is printed then, and the files of `OMP_TRACE` and `OMP_REPORT` are made.
///
/// # Errors
/// [`Error::Environment`], the same at every call.
pub fn try_env() -> Result<&'static Env, &'static Error> {
    static ENV: OnceLock<Result<Env, Error>> = OnceLock::new();
    ENV.get_or_init(|| {
        let env = Env::parse(|name| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()))?;
        if let Some(path) = &env.trace {
            crate::observe::trace::open(path).map_err(|e| Error::Environment {
                variable: "OMP_TRACE",
                value: path.display().to_string(),
                allowed: format!("a file that can be written: {e}").into(),
            })?;
        }
        if let Some(path) = &env.report {
            crate::observe::report::open(path).map_err(|e| Error::Environment {
                variable: "OMP_REPORT",
                value: path.display().to_string(),
                allowed: format!("a file that can be written: {e}").into(),
            })?;
        }
        crate::observe::begin(&env);
        if let Some(display) = env.display {
            eprint!("{}", crate::observe::display::text(&env, display));
        }
        Ok(env)
    })
    .as_ref()
}

/// The environment of this process.
///
/// # Panics
/// When a variable is malformed, with the text of [`Error::Environment`].
#[must_use]
#[track_caller]
pub fn env() -> &'static Env {
    match try_env() {
        Ok(env) => env,
        Err(error) => panic!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pairs: &[(&str, &str)]) -> Result<Env, Error> {
        Env::parse(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
    }

    #[test]
    fn nothing_set_is_the_default() {
        assert_eq!(parse(&[]), Ok(Env::default()));
        assert_eq!(parse(&[("OMP_BACKEND", ""), ("OMP_NUM_TEAMS", " ")]), Ok(Env::default()));
    }

    #[test]
    fn good_values() {
        let env = parse(&[
            ("OMP_BACKEND", "OpenCL"),
            ("OMP_TARGET_OFFLOAD", " MANDATORY "),
            ("OMP_DEFAULT_DEVICE", "3"),
            ("OMP_NUM_TEAMS", "7"),
            ("OMP_TEAMS_THREAD_LIMIT", "128"),
            ("OMP_NUM_THREADS", "4,2"),
            ("OMP_SCHEDULE", "nonmonotonic: Dynamic, 7"),
            ("OMP_INFO", "kernel, transfer"),
            ("OMP_VERIFY", "1e-3"),
            ("OMP_DUMP", "/tmp/d"),
            ("OMP_REPORT", "/tmp/r.json"),
            ("HOME", "/home/u"),
        ])
        .expect("all are well formed");
        assert_eq!(env.backend, BackendChoice::OpenCl);
        assert_eq!(env.offload, OffloadPolicy::Mandatory);
        assert_eq!((env.default_device, env.num_teams), (Some(3), Some(7)));
        assert_eq!((env.thread_limit, env.num_threads), (Some(128), Some(4)));
        assert_eq!(env.schedule, Schedule::Dynamic(7));
        assert_eq!(env.info, Info { kernel: true, transfer: true, ..Info::default() });
        assert_eq!(env.verify, Some(Tolerance::relative(1e-3)));
        assert_eq!(parse(&[("OMP_VERIFY", "1")]).expect("well formed").verify, Some(Tolerance::Usual));
        assert_eq!(env.dump, Some(PathBuf::from("/tmp/d")));
        assert_eq!(env.report, Some(PathBuf::from("/tmp/r.json")));
        assert_eq!(env.cache_dir, Some(PathBuf::from("/home/u/.cache/omp-offload")));
    }

    #[test]
    fn stack_sizes_have_units() {
        for (value, bytes) in
            [("8", 8 << 10), ("100b", 100), ("64 K", 64 << 10), (" 2m ", 2 << 20), ("1G", 1 << 30)]
        {
            assert_eq!(parse(&[("OMP_STACKSIZE", value)]).expect(value).stack_size, Some(bytes), "{value}");
        }
    }

    #[test]
    fn openacc_gives_way_to_openmp() {
        let env = parse(&[("ACC_DEVICE_TYPE", "NVIDIA"), ("ACC_DEVICE_NUM", "2")]).expect("well formed");
        assert_eq!((env.backend, env.default_device), (BackendChoice::Cuda, Some(2)));
        let both = [
            ("ACC_DEVICE_TYPE", "nvidia"),
            ("OMP_BACKEND", "host"),
            ("ACC_DEVICE_NUM", "2"),
            ("OMP_DEFAULT_DEVICE", "0"),
        ];
        let env = parse(&both).expect("well formed");
        assert_eq!((env.backend, env.default_device), (BackendChoice::Host, Some(0)));
        assert!(parse(&[("OMP_TUNE", "cached"), ("OMP_TIME", "1"), ("OMP_DISPLAY_ENV", "VERBOSE")]).is_ok());
    }

    #[test]
    fn cache_directory() {
        for (pairs, expected) in [
            (&[("OMP_CACHE_DIR", "c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")][..], Some("c")),
            (&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")], Some("/x/omp-offload")),
            (&[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")], Some("/h/.cache/omp-offload")),
            (&[], None),
        ] {
            assert_eq!(parse(pairs).expect("well formed").cache_dir, expected.map(PathBuf::from));
        }
    }

    #[test]
    fn malformed_values_name_variable_value_and_what_is_allowed() {
        for (variable, value, hint) in [
            ("OMP_BACKEND", "cuda,host", "auto, cuda"),
            ("OMP_BACKEND", "vulkan", "auto, cuda"),
            ("OMP_TARGET_OFFLOAD", "always", "default, mandatory"),
            ("OMP_DEFAULT_DEVICE", "-1", "0 or more"),
            ("OMP_DEFAULT_DEVICE", "gpu", "0 or more"),
            ("OMP_NUM_TEAMS", "0", "1 or more"),
            ("OMP_TEAMS_THREAD_LIMIT", "1e3", "1 or more"),
            ("OMP_NUM_THREADS", "4,,2", "1 or more"),
            ("OMP_NUM_THREADS", "0", "1 or more"),
            ("OMP_SCHEDULE", "random", "static, dynamic"),
            ("OMP_SCHEDULE", "static,0", "1 or more"),
            ("OMP_SCHEDULE", "my:static", "static, dynamic"),
            ("OMP_INFO", "kernels", "kernel, data"),
            ("OMP_VERIFY", "yes", "1, or the fraction"),
            ("OMP_DISPLAY_ENV", "yes", "true, verbose"),
            ("OMP_TIME", "2", "1, or 0"),
            ("OMP_TUNE", "always", "off, cached, auto or full"),
            ("ACC_DEVICE_TYPE", "radeon", "nvidia, opencl"),
            ("ACC_DEVICE_NUM", "first", "0 or more"),
            ("OMP_VERIFY", "2", "below 1"),
            ("OMP_VERIFY", "-1e-3", "below 1"),
            ("OMP_VERIFY", "NaN", "below 1"),
            ("OMP_STACKSIZE", "-3", "B, K, M or G"),
            ("OMP_STACKSIZE", "0", "1 or more"),
            ("OMP_STACKSIZE", "K", "B, K, M or G"),
            ("OMP_STACKSIZE", "8 T", "B, K, M or G"),
            ("OMP_STACKSIZE", "8KB", "B, K, M or G"),
            ("OMP_STACKSIZE", "8\u{212a}", "B, K, M or G"),
            ("OMP_STACKSIZE", "99999999999G", "B, K, M or G"),
        ] {
            let text = parse(&[(variable, value)]).expect_err(value).to_string();
            for part in [variable, value, hint] {
                assert!(text.contains(part), "{text} lacks {part}");
            }
        }
    }
}
