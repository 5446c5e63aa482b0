//! Environment variables, seen from outside: this test runs itself with them. What a child does is one of `programs`.
mod programs;
mod traces;
mod tuning;

use programs::program;
use std::process::{Command, Output};

/// Names the program that a child runs.
const PROGRAM: &str = "OMP_TESTS_PROGRAM";

/// The child's side.
#[test]
fn child() {
    if let Ok(name) = std::env::var(PROGRAM) {
        program(&name);
    }
}

/// Runs a program with these variables and no others of ours.
fn run(name: &str, variables: &[(&str, &str)]) -> Output {
    let this = std::env::current_exe().expect("the test has a path");
    let mut child = Command::new(this);
    let ours = std::env::vars_os().map(|(name, _)| name);
    for name in ours.filter(|n| {
        let n = n.to_string_lossy();
        n.starts_with("OMP_") && n != "OMP_CACHE_DIR" || n.starts_with("ACC_") || n == "RUST_BACKTRACE"
    }) {
        child.env_remove(name);
    }
    child.args(["child", "--exact", "--nocapture", "--test-threads=1"]).env(PROGRAM, name);
    child.envs(variables.iter().copied()).output().expect("the child starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a program on OpenCL; `None` where there is no such device.
fn on_opencl(name: &str, variables: &[(&str, &str)]) -> Option<Output> {
    let found = on("opencl", name, variables);
    if found.is_none() {
        omp_tests::skipped("opencl", "no OpenCL device");
    }
    found
}

/// The same on another backend, if it is here.
fn on(backend: &str, name: &str, variables: &[(&str, &str)]) -> Option<Output> {
    let devices = text(&run("nothing", &[("OMP_BACKEND", backend)]).stdout);
    devices.contains("devices: 1").then(|| run(name, &[&[("OMP_BACKEND", backend)], variables].concat()))
}

/// A child that ends well.
fn well(output: &Output) -> (String, String) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    (out, err)
}

/// A child that fails, and all the words that it says of it.
fn badly(output: &Output, words: &[&str]) {
    let err = text(&output.stderr);
    assert!(!output.status.success(), "{}\n{err}", text(&output.stdout));
    for word in words {
        assert!(err.contains(word), "lacks `{word}`: {err}");
    }
}

#[test]
fn a_later_panic_hook_is_called_once() {
    let (out, _) = well(&run("a later hook", &[("OMP_BACKEND", "host")]));
    assert!(out.contains("hooks: 1, true"), "{out}");
}

#[test]
fn regions_run_in_a_panic_hook() {
    for backend in ["host", "opencl", "cuda"] {
        let Some(output) = (match backend {
            "host" => Some(run("regions in a hook", &[("OMP_BACKEND", "host")])),
            _ => on(backend, "regions in a hook", &[]),
        }) else {
            continue;
        };
        let (out, _) = well(&output);
        for line in ["in the hook: 1249975000", "failed: true"] {
            assert!(out.contains(line), "{backend}: {out}");
        }
    }
}

#[test]
fn verify_compares_and_lets_right_regions_be() {
    for tolerance in ["1", "0", "1e-12"] {
        let Some(output) = on_opencl("scale", &[("OMP_VERIFY", tolerance)]) else { return };
        let (out, _) = well(&output);
        assert!(out.contains("ran on opencl"), "{out}");
    }
    let (_, err) = well(&run("scale", &[("OMP_VERIFY", "1"), ("OMP_BACKEND", "host")]));
    assert!(err.contains("not verified `scale`"), "{err}");
}

#[test]
fn verify_compares_on_present_data() {
    for program in ["data region", "block"] {
        let Some(output) = on_opencl(program, &[("OMP_VERIFY", "1")]) else { return };
        let (_, err) = well(&output);
        assert!(!err.contains("not verified"), "{err}");
    }
    let Some(output) = on_opencl("apart in a data region", &[("OMP_VERIFY", "1")]) else { return };
    let words = ["disagree on `cells[7].flags[1]`", "host: true", ": false", "13 of 20", "programs.rs:"];
    badly(&output, &words);
    let Some(output) = on_opencl("apart in a block", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["disagree on `hits`", "host: 10", ": 20", "region `counts_in_a_block`"]);
    let Some(output) = on_opencl("fails in a data region", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["where the host does not", "not here"]);
    let Some(output) = on_opencl("both fail in a data region", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["the len is 3 but the index is 9"]);
}

#[test]
fn verify_says_what_it_does_not_compare() {
    for verify in ["1", "0"] {
        let Some(output) = on_opencl("draws", &[("OMP_VERIFY", verify)]) else { return };
        let (_, err) = well(&output);
        assert!(err.contains("not verified `draws_numbers`"), "{err}");
        assert!(err.contains("depends on their order"), "{err}");
    }
}

#[test]
fn verify_compares_tasks_device_memory_and_values_that_are_no_numbers() {
    let Some(output) = on_opencl("not numbers", &[("OMP_VERIFY", "0")]) else { return };
    well(&output);
    let Some(output) = on_opencl("apart in a task", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["disagree on `cells[7].flags[1]`", "13 of 20", "region `apart_in_a_task`"]);
    let Some(output) = on_opencl("apart in device memory", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["disagree on `y[0]`", ": 2", "20 of 20", "region `apart_in_device_memory`"]);
}

#[test]
fn verify_tells_the_first_difference() {
    let Some(output) = on_opencl("apart", &[("OMP_VERIFY", "1")]) else { return };
    let place = ["disagree on `cells[7].flags[1]`", "host: true", ": false", "13 of 20", "programs.rs:"];
    badly(&output, &place);
    let Some(output) = on_opencl("counts", &[("OMP_VERIFY", "1")]) else { return };
    let strict = "try: `fp(strict)` on the region";
    badly(
        &output,
        &["disagree on `hits`", "host: 110", ": 120", "region `counts_apart`", "at its edge", strict],
    );
    assert!(!text(&output.stderr).contains("please report"), "{}", text(&output.stderr));
    let (out, _) = well(&run("counts", &[("OMP_BACKEND", "opencl")]));
    assert!(out.contains("120"), "without OMP_VERIFY the device is believed: {out}");
}

#[test]
fn verify_names_the_promise_that_nothing_checks() {
    let Some(output) = on_opencl("broken promise", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["disagree on `y[", "promises `unsafe(disjoint(y))`", "try: `disjoint(y)` in its place"]);
    assert!(!text(&output.stderr).contains("please report"), "{}", text(&output.stderr));
}

#[test]
fn verify_tells_what_fails_on_the_device_only() {
    let Some(output) = on_opencl("device fails", &[("OMP_VERIFY", "1")]) else { return };
    let (out, _) = well(&output);
    assert!(out.contains("where the host does not") && out.contains("not here"), "{out}");
    let Some(output) = on_opencl("both fail", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["the len is 3 but the index is 9"]);
}

#[test]
fn malformed_values_are_errors_at_the_first_use() {
    for (variable, value, allowed) in [
        ("OMP_VERIFY", "on", "1, or the fraction"),
        ("OMP_BACKEND", "metal", "auto, cuda, opencl or host"),
        ("OMP_TARGET_OFFLOAD", "never", "default, mandatory or disabled"),
        ("OMP_NUM_TEAMS", "-1", "1 or more"),
        ("OMP_INFO", "kernel;data", "kernel, data, transfer"),
        ("OMP_STACKSIZE", "-3", "B, K, M or G"),
        ("OMP_STACKSIZE", "99999999999G", "B, K, M or G"),
        ("OMP_STACKSIZE", "0", "a number of kilobytes, 1 or more"),
        ("OMP_STACKSIZE", "64 KB", "B, K, M or G"),
        ("OMP_STACKSIZE", "M", "B, K, M or G"),
        ("OMP_STACKSIZE", "1.5M", "B, K, M or G"),
    ] {
        for program in ["scale", "nothing"] {
            badly(&run(program, &[(variable, value)]), &[variable, value, allowed]);
        }
    }
}

/// On a GPU, also that the compiler's frames are as small as the default takes them to be.
#[test]
fn stacks_suffice_for_recursions_60_deep_and_can_be_larger() {
    let cuda = |name: &str, size: &str| {
        let variables =
            [("OMP_STACKSIZE", size), ("OMP_TARGET_OFFLOAD", "mandatory"), ("OMP_INFO", "launch")];
        on("cuda", name, &variables)
    };
    if let Some(output) = cuda("walks 60", "") {
        let (out, err) = well(&output);
        assert!(out.contains("walked on cuda") && err.contains("bytes for each thread"), "{out}{err}");
        let (_, err) = well(&cuda("walks 300", "256K").expect("it is there"));
        assert!(err.contains("stack: 262144 bytes"), "{err}");
        // Too deep for what there is: an error of the region, and the context lives on.
        badly(&cuda("walks 300", "16K").expect("it is there"), &["`walks`", "stack"]);
    }
    // OpenCL has no recursion: the host runs the loop, and says so.
    let Some(output) = on_opencl("walks 60", &[]) else { return };
    let (out, err) = well(&output);
    assert!(out.contains("walked on host") && err.contains("`walk` call themselves"), "{out}{err}");
    let mandatory = [("OMP_TARGET_OFFLOAD", "mandatory")];
    badly(&on_opencl("walks 60", &mandatory).expect("it is there"), &["`walks`", "`walk` call themselves"]);
}

#[test]
fn a_default_device_that_is_not_there_tells_who_named_it() {
    let words = ["there is no device 9", "by OMP_DEFAULT_DEVICE", "region `scale` at"];
    for variable in ["OMP_DEFAULT_DEVICE", "ACC_DEVICE_NUM"] {
        badly(&run("scale", &[(variable, "9"), ("OMP_BACKEND", "host")]), &words);
    }
}

/// The line of the programs that begins so.
fn place_of(needle: &str) -> String {
    let mut lines = include_str!("programs.rs").lines();
    let line = lines.position(|l| l.trim_start().starts_with(needle)).expect("it is in this file") + 1;
    format!("panicked at {}:{line}:", file!().replace("main.rs", "programs.rs"))
}

#[test]
fn panics_are_told_at_the_users_own_line() {
    for program in ["scale", "nothing"] {
        let line =
            if program == "scale" { "#[omp::target(map(to: x)" } else { "\"nothing\" => println!(\"devices" };
        badly(&run(program, &[("OMP_BACKEND", "metal")]), &[&place_of(line), "OMP_BACKEND", "metal"]);
    }
    let Some(output) = on_opencl("absent update", &[]) else { return };
    let words = ["`x` is not present", "try: a data region around it, or `target_enter_data!` before it;"];
    badly(&output, &[&place_of("omp::target_update!(to(x));"), words[0], words[1]]);
    let Some(output) = on_opencl("absent name", &[]) else { return };
    badly(&output, &[&place_of("#[omp::target_data(use_device_ptr(x))]"), "`x` is not present"]);
}

#[test]
fn the_environment_is_displayed_and_the_times_are_told_at_the_end() {
    let (_, err) = well(&run("nothing", &[("OMP_DISPLAY_ENV", "true"), ("OMP_NUM_TEAMS", "9")]));
    assert!(err.contains("DISPLAY ENVIRONMENT BEGIN") && err.contains("OMP_NUM_TEAMS = '9'"), "{err}");
    assert!(!err.contains("OMP_BACKEND"), "{err}");
    let (_, err) = well(&run("nothing", &[("OMP_DISPLAY_ENV", "verbose")]));
    assert!(err.contains("OMP_BACKEND = 'AUTO'"), "{err}");
    let (_, err) = well(&run("scale", &[("OMP_TIME", "1"), ("OMP_BACKEND", "host")]));
    let row = err.lines().find(|l| l.contains("scale")).unwrap_or_else(|| panic!("no row: {err}"));
    assert!(row.contains("programs.rs:") && row.contains("host"), "{row}");
}

#[test]
fn launches_that_wait_say_why_once() {
    let Some(output) = on_opencl("waits", &[("OMP_INFO", "wait")]) else { return };
    let (_, err) = well(&output);
    let told: Vec<&str> = err.lines().filter(|l| l.starts_with("omp: launch waits")).collect();
    let waits = [
        (
            "`gathers`",
            "until `y` is copied to the device, though the loop writes all of it: it may stop half-way",
        ),
        ("`needs it`", "for `gathers` at"),
        ("`sums up`", "for tasks on the host that use its data: it reduces variables"),
        ("`sends_what_the_host_makes`", "it puts the host's values into data that stands on the device"),
    ];
    for (region, why) in waits {
        let lines: Vec<_> = told.iter().filter(|l| l.contains(&format!("waits {region}"))).collect();
        assert!(
            lines.len() == 1 && lines[0].contains(why) && lines[0].contains("; try: "),
            "{region}: {err}"
        );
    }
    assert_eq!(told.len(), waits.len(), "{err}");
    let (_, err) = well(&run("waits", &[("OMP_INFO", "wait"), ("OMP_BACKEND", "host")]));
    assert!(!err.contains("launch waits"), "{err}");
    let Some(output) = on_opencl("waits", &[("OMP_INFO", "kernel,data,transfer,launch")]) else { return };
    assert!(!well(&output).1.contains("launch waits"));
}

#[test]
fn long_inspections_are_made_once() {
    let outputs = [
        on_opencl("inspected", &[("OMP_INFO", "launch")]),
        Some(run("inspected", &[("OMP_INFO", "launch"), ("OMP_BACKEND", "host")])),
    ];
    for output in outputs.into_iter().flatten() {
        let (_, err) = well(&output);
        assert_eq!(err.lines().filter(|l| l.contains("inspection")).count(), 1, "{err}");
    }
}

#[test]
fn every_kind_of_line_is_told() {
    let Some(output) = on_opencl("data region", &[("OMP_INFO", "all")]) else { return };
    let (_, err) = well(&output);
    for what in [
        "map",
        "to device",
        "schedule",
        "compile",
        "launch",
        "wait",
        "kernel",
        "present",
        "from device",
        "release",
    ] {
        assert!(err.contains(&format!("omp: {what} `in_a_data_region`")), "{what}: {err}");
    }
    let Some(output) = on_opencl("host looks", &[("OMP_INFO", "data")]) else { return };
    let (out, err) = well(&output);
    assert!(out.contains("(18, 18)"), "{out}");
    let told: Vec<&str> = err.lines().filter(|l| l.starts_with("omp: host copy")).collect();
    assert!(
        told.len() == 1 && told[0].contains("`looks_from_the_host` at"),
        "once, of the loop that comes after: {err}"
    );
    assert!(
        told[0].contains("a kernel has written `y[0..9]`") && told[0].contains("target_update!(from(…))"),
        "{err}"
    );
    let (_, err) = well(&run("host looks", &[("OMP_INFO", "all"), ("OMP_BACKEND", "host")]));
    assert!(!err.contains("host copy"), "{err}");
    let Some(output) = on_opencl("data region", &[("OMP_INFO", "transfer")]) else { return };
    let (_, err) = well(&output);
    assert!(err.contains("omp: to device") && !err.contains("omp: map"), "{err}");
    let Some(output) = on_opencl("data region", &[("OMP_TIME", "1")]) else { return };
    let (_, err) = well(&output);
    for row in ["(data region)", "(end of the data region)"] {
        let row = err.lines().find(|l| l.contains(row)).unwrap_or_else(|| panic!("no {row}: {err}"));
        assert!(row.split_whitespace().any(|word| word == "36"), "{row}");
    }
}
