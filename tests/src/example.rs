//! Runs the program of an example as its user would, on the host and on OpenCL.
use crate::skipped;
use std::process::Command;

/// Runs `program` with `arguments` on the host, and on an OpenCL device where there is one. Its own check has to have
/// passed: it leaves without an error and says `checked`. Gives back what it printed on the host.
///
/// # Panics
/// When it did not.
pub fn runs(program: &str, arguments: &[&str]) -> String {
    if omp::devices().iter().any(|d| d.backend == "opencl") {
        run(program, arguments, "opencl");
    } else {
        skipped("opencl", "no OpenCL device");
    }
    run(program, arguments, "host")
}

/// One run; a region that can't run on the backend is an error.
fn run(program: &str, arguments: &[&str], backend: &str) -> String {
    let offload = if backend == "host" { "disabled" } else { "mandatory" };
    let output = Command::new(program)
        .args(arguments)
        .envs([("OMP_BACKEND", backend), ("OMP_TARGET_OFFLOAD", offload)])
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
