//! `cargo omp info`: the devices as programs find them.
use crate::Done;
use crate::show::{bytes, field, print, rate, time};
use crate::tune::entries;
use omp_runtime::backend::api::Limits;
use omp_runtime::cache::DiskCache;
use omp_runtime::device::measure::{Measured, measure};
use omp_runtime::device::{Dev, DeviceInfo, Registry};
use omp_runtime::env::try_env;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Measure copy speed, launch time and bus speed of each device
    #[arg(long)]
    measure: bool,
}

struct Shown<'a> {
    info: &'a DeviceInfo,
    /// None is the host.
    device: Option<&'static Dev>,
    limits: Limits,
    measured: Option<Result<Measured, String>>,
    default: bool,
}

pub fn run(options: &Options) -> Done {
    let env = try_env().map_err(ToString::to_string)?;
    let infos = omp_runtime::devices();
    let default = omp_runtime::get_default_device();
    let registry = Registry::global();
    let shown: Vec<Shown<'_>> = infos
        .iter()
        .map(|info| {
            let device = (info.backend != "host").then(|| registry.get(info.number)).flatten();
            Shown {
                info,
                device,
                limits: device.map(|device| device.handle.limits()).unwrap_or_default(),
                measured: device.filter(|_| options.measure).map(|d| measure(d).map_err(|e| e.to_string())),
                default: info.number == default,
            }
        })
        .collect();
    let missing = registry.reasons();
    let cache = env.cache_dir.as_ref().map(|dir| (dir, DiskCache::new(dir).usage()));
    let own = env.cache_dir.as_ref().map(|dir| dir.join("tune.json"));
    let stores: Vec<_> =
        env.tune_file.iter().chain(&own).map(|path| (path.clone(), entries(path).len())).collect();
    let failed = shown.iter().any(|s| matches!(s.measured, Some(Err(_))));
    if options.json {
        let missing: Vec<Value> =
            missing.iter().map(|(backend, reason)| json!({ "backend": backend, "reason": reason })).collect();
        let cache = cache.map(|(dir, usage)| match usage {
            Ok((files, bytes)) => json!({ "folder": dir, "files": files, "bytes": bytes }),
            Err(e) => json!({ "folder": dir, "error": e.to_string() }),
        });
        let all = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "devices": shown.iter().map(Shown::json).collect::<Vec<_>>(),
            "missing": missing,
            "cache": cache,
            "schedules": stores.iter().map(|(path, n)| json!({ "file": path, "entries": n })).collect::<Vec<_>>(),
        });
        print(&format!("{all:#}\n"));
    } else {
        let mut text = format!("omp-offload {}\n", env!("CARGO_PKG_VERSION"));
        shown.iter().for_each(|s| s.text(&mut text));
        if !missing.is_empty() {
            text.push_str("\nBackends without devices\n");
            missing.iter().for_each(|(backend, reason)| text.push_str(&field(backend, reason)));
        }
        text.push_str("\nKernel cache\n");
        match cache {
            None => text.push_str(&field("folder", "none: OMP_CACHE_DIR and HOME are not set")),
            Some((dir, usage)) => {
                text.push_str(&field("folder", &dir.display().to_string()));
                let size = match usage {
                    Ok((files, size)) => format!("{files} files, {}", bytes(size)),
                    Err(e) => format!("can't be read: {e}"),
                };
                text.push_str(&field("size", &size));
            }
        }
        if !stores.is_empty() {
            text.push_str("\nTuned schedules\n");
            let shown = |n: usize| if n == 1 { "1 entry".to_owned() } else { format!("{n} entries") };
            stores
                .iter()
                .for_each(|(path, n)| text.push_str(&field(&shown(*n), &path.display().to_string())));
        }
        print(&text);
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl Shown<'_> {
    fn text(&self, text: &mut String) {
        let DeviceInfo { number, backend, name, versions, units, f64, .. } = self.info;
        let default = if self.default { ", the default" } else { "" };
        let _ = writeln!(text, "\nDevice {number}: {name} ({backend}){default}");
        let mut line = |name: &str, value: String| text.push_str(&field(name, &value));
        let Some(device) = self.device else {
            line("threads", units.to_string());
            return;
        };
        let facts = device.handle.facts();
        line("versions", versions.clone());
        line("memory", format!("{}, largest allocation {}", bytes(facts.memory), bytes(facts.max_alloc)));
        let Limits { clock, threads_per_unit, cache, bandwidth, flops32, flops64 } = self.limits;
        if let Some(bandwidth) = bandwidth {
            line("memory bandwidth", format!("{} at most", rate(bandwidth, "B/s")));
        }
        let arithmetic: Vec<_> = [("f32", flops32), ("f64", flops64)]
            .iter()
            .filter_map(|(ty, flops)| Some(format!("{} {ty}", rate((*flops)?, "FLOP/s"))))
            .collect();
        if !arithmetic.is_empty() {
            line("arithmetic", format!("{} at most, without matrix instructions", arithmetic.join(", ")));
        }
        let clock = clock.map(|hertz| format!(" at {}", rate(hertz, "Hz"))).unwrap_or_default();
        let arch = match facts.class.arch {
            0 => String::new(),
            arch => format!(", compute capability {}.{}", arch / 10, arch % 10),
        };
        line(
            if facts.backend == "cuda" { "multiprocessors" } else { "compute units" },
            format!("{units}{clock}{arch}"),
        );
        let resident = threads_per_unit.map(|n| format!(", {n} on a multiprocessor")).unwrap_or_default();
        line(
            "threads",
            format!("{} in a block{resident}, {} in step", facts.class.max_block, facts.class.warp),
        );
        line("shared memory", format!("{} of a block", bytes(facts.class.shared_bytes.into())));
        if let Some(cache) = cache {
            line("cache", bytes(cache));
        }
        let yes = |on: bool| if on { "yes" } else { "no" };
        line("f64, 64-bit atomics", format!("{}, {}", yes(*f64), yes(facts.class.atomics64)));
        match &self.measured {
            None => {}
            Some(Err(e)) => line("measured", format!("failed: {e}")),
            Some(Ok(m)) => {
                line("measured copy", format!("{} read and written by a kernel", rate(m.copy, "B/s")));
                line(
                    "measured launch",
                    format!("{} until the host knows of its end", time(m.launch.as_nanos() as f64)),
                );
                line(
                    "measured transfers",
                    format!(
                        "{} to the device, {} back",
                        rate(m.to_device, "B/s"),
                        rate(m.from_device, "B/s")
                    ),
                );
            }
        }
    }

    fn json(&self) -> Value {
        let DeviceInfo { number, backend, name, versions, memory, units, f64, gpu, .. } = self.info;
        let facts = self.device.map(|device| device.handle.facts());
        let Limits { clock, threads_per_unit, cache, bandwidth, flops32, flops64 } = self.limits;
        let measured = self.measured.as_ref().map(|measured| match measured {
            Ok(m) => json!({
                "copy_bytes_per_s": m.copy,
                "launch_ns": m.launch.as_nanos() as u64,
                "to_device_bytes_per_s": m.to_device,
                "from_device_bytes_per_s": m.from_device,
            }),
            Err(e) => json!({ "error": e }),
        });
        json!({
            "number": number,
            "backend": backend,
            "name": name,
            "default": self.default,
            "versions": versions,
            "gpu": gpu,
            "units": units,
            "f64": f64,
            "memory": memory,
            "max_alloc": facts.map(|f| f.max_alloc),
            "max_block": facts.map(|f| f.class.max_block),
            "warp": facts.map(|f| f.class.warp),
            "shared_bytes": facts.map(|f| f.class.shared_bytes),
            "compute_capability": facts.map(|f| f.class.arch).filter(|arch| *arch > 0),
            "atomics64": facts.map(|f| f.class.atomics64),
            "clock_hz": clock,
            "threads_per_unit": threads_per_unit,
            "cache_bytes": cache,
            "bandwidth_bytes_per_s": bandwidth,
            "flops_f32": flops32,
            "flops_f64": flops64,
            "measured": measured,
        })
    }
}
