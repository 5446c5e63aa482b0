//! Runs the program of an example as its user would, on the host and on OpenCL.
use crate::skipped;
use std::process::Command;

/// Runs `program` with `arguments` on the host, and on an OpenCL device where there is one. Its own check has to have
/// passed: the program exits with success and prints `checked`. Returns what it printed on the host.
///
/// # Panics
/// When it did not.
pub fn runs(program: &str, arguments: &[&str]) -> String {
    if has_opencl() {
        run(program, arguments, ("opencl", &[]));
    }
    run(program, arguments, ("host", &[]))
}

/// Runs it on an OpenCL device, if there is one, and returns the trace of `OMP_TRACE`, in JSON. It is written to `file`.
///
/// # Panics
/// As [`runs`], and when there is no trace.
pub fn traced(program: &str, arguments: &[&str], file: &str) -> Option<String> {
    has_opencl().then(|| {
        run(program, arguments, ("opencl", &[("OMP_TRACE", file)]));
        std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{program} wrote no trace: {e}"))
    })
}

fn has_opencl() -> bool {
    let there = omp::devices().iter().any(|d| d.backend == "opencl");
    if !there {
        skipped("opencl", "no OpenCL device");
    }
    there
}

/// One run; a region that can't run on the backend is an error.
fn run(program: &str, arguments: &[&str], (backend, more): (&str, &[(&str, &str)])) -> String {
    let offload = if backend == "host" { "disabled" } else { "mandatory" };
    let output = Command::new(program)
        .args(arguments)
        .envs([("OMP_BACKEND", backend), ("OMP_TARGET_OFFLOAD", offload)])
        .envs(more.iter().copied())
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success() && out.contains("checked"),
        "{program} {} on {backend}: {}\n{out}{err}",
        arguments.join(" "),
        output.status
    );
    out.into_owned()
}
