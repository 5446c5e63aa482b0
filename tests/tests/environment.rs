//! Environment variables, seen from outside: this test runs itself with them. What a child does is one of `programs`.
#![allow(clippy::assign_op_pattern, reason = "every spelling that users may choose")]
use std::process::{Command, Output};

/// Names the program that a child runs.
const PROGRAM: &str = "OMP_TESTS_PROGRAM";

#[derive(Clone, Copy, omp::Device)]
struct Cell {
    at: (f32, u8),
    flags: [bool; 2],
}

#[omp::offload]
fn scale(x: &[f64], y: &mut [f64]) -> f64 {
    let mut sum = 1.0;
    #[omp::target(map(to: x), map(tofrom: y), reduction(+: sum))]
    for i in 0..y.len() {
        y[i] = x[i] * 2.0 + y[i];
        sum += y[i];
    }
    sum
}

/// Wrong on purpose from element 7 on: the device can tell where it is.
#[omp::offload]
fn tells_host_and_device_apart(cells: &mut [Cell]) {
    #[omp::target]
    for i in 0..cells.len() {
        let host = omp::is_initial_device();
        cells[i].at.0 = 1.5;
        cells[i].flags[1] = i < 7 || host;
    }
}

#[omp::offload]
fn counts_apart(n: usize) -> u64 {
    let mut hits = 100;
    #[omp::target(reduction(+: hits))]
    for _ in 0..n {
        hits += if omp::is_initial_device() { 1 } else { 2 };
    }
    hits
}

#[omp::offload]
fn in_a_data_region(y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target]
        for i in 0..y.len() {
            y[i] += 1;
        }
    }
}

#[omp::offload]
fn apart_in_a_data_region(cells: &mut [Cell]) {
    #[omp::target_data(map(tofrom: cells))]
    {
        tells_host_and_device_apart_here(cells);
    }
}

/// What the host's copy has does not matter.
#[omp::offload]
fn tells_host_and_device_apart_here(cells: &mut [Cell]) {
    let n = cells.len();
    cells.fill(Cell { at: (7.0, 7), flags: [false; 2] });
    #[omp::target]
    for i in 0..n {
        let host = omp::is_initial_device();
        cells[i].at.0 += 1.5;
        cells[i].flags[1] = i < 7 || host;
    }
}

#[omp::offload]
fn counts_in_a_block(n: usize, y: &mut [u64]) -> u64 {
    let mut hits = 0;
    #[omp::target(map(tofrom: y))]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += i as u64;
        }
        #[omp::parallel_for(reduction(+: hits))]
        for i in 0..n {
            hits += if omp::is_initial_device() { 1 } else { 2 } + 0 * y[i];
        }
    }
    hits
}

#[omp::offload]
fn block(x: &[f32], y: &mut [f32]) -> f32 {
    let (n, mut sum, mut most) = (x.len(), 0.5, f32::MIN);
    #[omp::target(map(to: x), map(tofrom: y))]
    {
        #[omp::parallel_for]
        for i in 0..n {
            y[i] = 2.0 * x[i];
        }
        y[0] = 1.0;
        #[omp::parallel_for(reduction(+: sum), reduction(max: most))]
        for i in 0..n {
            sum += y[i] * 0.001;
            most = most.max(y[i]);
        }
        #[omp::scan(+)]
        for i in 1..n {
            y[i] = y[i - 1] + x[i - 1];
        }
    }
    sum + most + y[n - 1]
}

#[omp::offload]
fn fails_in_a_data_region(y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target]
        for i in 0..y.len() {
            assert!(omp::is_initial_device(), "not here");
            y[i] = 1;
        }
    }
}

#[omp::offload]
fn fails_everywhere_in_a_data_region(x: &[u32], y: &mut [u32]) {
    #[omp::target_data(map(to: x), map(tofrom: y))]
    {
        fails_everywhere(x, y);
    }
}

#[omp::offload(try)]
fn fails_on_devices(y: &mut [u32]) -> Result<(), omp::Error> {
    #[omp::target]
    for i in 0..y.len() {
        assert!(omp::is_initial_device(), "not here");
        y[i] = 1;
    }
    Ok(())
}

#[omp::offload]
fn fails_everywhere(x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[x[i] as usize];
    }
}

/// The first loop on the host sees the host's copy, the second what the device has.
#[omp::offload]
fn looks_from_the_host(y: &mut [u32]) -> (u32, u32) {
    let (mut before, mut after) = (0, 0);
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::parallel_for(reduction(+: before))]
        for i in 0..y.len() {
            before += y[i];
        }
        #[omp::target]
        for i in 0..y.len() {
            y[i] += 1;
        }
        #[omp::target(if(false), reduction(+: before))]
        for i in 0..y.len() {
            before += y[i]; // on the host
        }
        omp::target_update!(from(y));
        for i in 0..y.len() {
            after += y[i];
        }
    }
    (before, after)
}

#[omp::offload]
fn updates_what_is_absent(x: &[u32]) {
    omp::target_update!(to(x));
}

#[omp::offload]
fn names_what_is_absent(x: &[u32]) -> usize {
    let mut n = 0;
    #[omp::target_data(use_device_ptr(x))]
    {
        n += x.len();
    }
    n
}

/// Each draws a number, which are others where they run in another order (here, certainly).
#[omp::offload]
fn draws_numbers(next: &mut [u32], mine: &mut [u32]) {
    #[omp::target(map(tofrom: next))]
    for i in 0..mine.len() {
        let drawn;
        #[omp::atomic(capture)]
        {
            drawn = next[0];
            next[0] += if omp::is_initial_device() { 1 } else { 2 };
        }
        mine[i] = drawn;
    }
}

/// As `tells_host_and_device_apart`, where host and device have a `NaN` each.
#[allow(clippy::eq_op, reason = "no numbers are wanted")]
#[omp::offload]
fn not_numbers(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let zero = y[i] - y[i];
        y[i] = if i == 3 { zero / zero } else { 1.0 / zero };
    }
}

#[omp::offload]
fn apart_in_a_task(cells: &mut [Cell]) {
    #[omp::target(nowait)]
    for i in 0..cells.len() {
        cells[i].flags[1] = i < 7 || omp::is_initial_device();
    }
    omp::taskwait!();
}

#[omp::offload]
fn apart_in_device_memory(y: &mut omp::DeviceSlice<u32>) {
    #[omp::target(nowait, is_device_ptr(y))]
    for i in 0..y.len() {
        y[i] = if omp::is_initial_device() { 1 } else { 2 };
    }
    omp::taskwait!();
}

/// All iterations write one element, and which of them is the last differs: what is promised does not hold.
#[omp::offload]
fn breaks_its_promise(y: &mut [u32]) {
    #[omp::target(unsafe(disjoint(y)))]
    for i in 0..y.len() {
        let host = omp::is_initial_device();
        y[if host { 0 } else { i % 3 }] = i as u32;
    }
}

/// More than what is copied at once.
#[omp::offload]
fn updates_both_ways(up: &mut [u32], down: &mut [u32]) {
    #[omp::target_data(map(to: up, down))]
    {
        up.fill(3);
        omp::target_update!(to(up), nowait);
        omp::target_update!(from(down), nowait);
        #[omp::target(nowait, name("own"))]
        for i in 0..1 {
            down[i] = up[i];
        }
        omp::taskwait!();
    }
}

/// Launches that wait: for a task that may stop half-way, and for tasks on the host.
#[omp::offload]
fn waits_at_launches(at: &[usize], x: &[u32], y: &mut [u32], z: &mut [u32]) -> u32 {
    let mut sum = 0;
    for _ in 0..3 {
        #[omp::target(nowait, name("gathers"))]
        for i in 0..y.len() {
            y[i] = x[at[i]];
        }
        #[omp::target(nowait, name("needs it"))]
        for i in 0..z.len() {
            z[i] = y[i] ^ 1;
        }
        #[omp::target(nowait, if(false), name("on the host"))]
        for i in 0..z.len() {
            z[i] += 1;
        }
        #[omp::target(nowait, reduction(+: sum), name("sums up"))]
        for i in 0..z.len() {
            sum += z[i];
        }
    }
    sum
}

/// What is sent after a task on the host, and nothing that waits for anything.
#[omp::offload]
fn sends_what_the_host_makes(y: &mut [u32], z: &mut [u32]) {
    #[omp::target_data(map(tofrom: y))]
    for _ in 0..2 {
        omp::target_update!(from(y), nowait);
        #[omp::target(nowait, if(false))]
        for i in 0..y.len() {
            y[i] += 1;
        }
        omp::target_update!(to(y), nowait);
        #[omp::target(nowait)]
        for i in 0..y.len() {
            y[i] += 1;
        }
        #[omp::target(nowait)]
        for i in 0..z.len() {
            z[i] = 1;
        }
        #[omp::target(nowait)]
        for i in 0..z.len() {
            z[i] ^= 1;
        }
    }
}

/// What children run, by name.
fn program(name: &str) {
    match name {
        "scale" => {
            let (x, mut y) = (vec![0.25; 1000], vec![1.0; 1000]);
            assert_eq!(scale(&x, &mut y), 1501.0);
            assert!(y.iter().all(|v| *v == 1.5));
            println!("ran on {}", omp::last_region().backend);
        }
        "apart" => {
            tells_host_and_device_apart(&mut [Cell { at: (0.0, 1), flags: [false; 2] }; 20]);
        }
        "apart in a data region" => {
            apart_in_a_data_region(&mut [Cell { at: (0.0, 1), flags: [false; 2] }; 20]);
        }
        "broken promise" => breaks_its_promise(&mut [7; 20]),
        "apart in a block" => println!("{}", counts_in_a_block(10, &mut [1; 10])),
        "block" => {
            let x: Vec<f32> = (0..1000).map(|i| (i % 7) as f32).collect();
            println!("{}", block(&x, &mut [0.0; 1000]));
        }
        "fails in a data region" => fails_in_a_data_region(&mut [0; 5]),
        "both fail in a data region" => fails_everywhere_in_a_data_region(&[0, 1, 9], &mut [0; 3]),
        "both ways" => updates_both_ways(&mut vec![1; 3 << 20], &mut vec![2; 3 << 20]),
        "waits" => {
            let at: Vec<usize> = (0..100).rev().collect();
            let x: Vec<u32> = (0..100).collect();
            assert_eq!(waits_at_launches(&at, &x, &mut [0; 100], &mut [0; 100]), 3 * (4950 + 100));
            sends_what_the_host_makes(&mut x.clone(), &mut [0; 100]);
        }
        "draws" => {
            let mut mine = [9; 20];
            draws_numbers(&mut [0], &mut mine);
            mine.sort_unstable();
            assert!(mine.windows(2).all(|w| w[1] - w[0] == 2), "the device's: {mine:?}");
        }
        "not numbers" => {
            let mut y = [1.0; 20];
            not_numbers(&mut y);
            assert!(y[3].is_nan() && y[4] == f64::INFINITY);
        }
        "apart in a task" => apart_in_a_task(&mut [Cell { at: (0.0, 1), flags: [false; 2] }; 20]),
        "apart in device memory" => {
            apart_in_device_memory(&mut omp::DeviceSlice::from_host(&[5; 20]));
        }
        "counts" => println!("{}", counts_apart(10)),
        "device fails" => println!("{}", fails_on_devices(&mut [0; 5]).expect_err("it fails")),
        "both fail" => fails_everywhere(&[0, 1, 9], &mut [0; 3]),
        "data region" => {
            let mut y = [1; 9];
            in_a_data_region(&mut y);
            assert_eq!(y, [2; 9]);
        }
        "threads" => std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    for _ in 0..50 {
                        let (x, mut y) = (vec![0.25; 10], vec![1.0; 10]);
                        assert_eq!(scale(&x, &mut y), 16.0);
                    }
                });
            }
        }),
        "slice" => {
            let slice = omp::DeviceSlice::from_host(&[1u32; 7]);
            assert_eq!(slice.to_host(), [1; 7]);
        }
        "aborts" => {
            std::panic::catch_unwind(|| fails_everywhere(&[0, 1, 9], &mut [0; 3])).expect_err("it fails");
            std::process::abort();
        }
        "exits" => {
            in_a_data_region(&mut [1; 9]);
            std::process::exit(0);
        }
        "host looks" => println!("{:?}", looks_from_the_host(&mut [1; 9])),
        "absent update" => updates_what_is_absent(&[1; 9]),
        "absent name" => println!("{}", names_what_is_absent(&[1; 9])),
        "nothing" => println!("devices: {}", omp::get_num_devices()),
        _ => panic!("there is no program {name}"),
    }
}

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
    if !text(&run("nothing", &[("OMP_BACKEND", "opencl")]).stdout).contains("devices: 1") {
        omp_tests::skipped("opencl", "no OpenCL device");
        return None;
    }
    Some(run(name, &[&[("OMP_BACKEND", "opencl")], variables].concat()))
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
    let words = ["disagree on `cells[7].flags[1]`", "host: true", ": false", "13 of 20", "environment.rs:"];
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
    let place = ["disagree on `cells[7].flags[1]`", "host: true", ": false", "13 of 20", "environment.rs:"];
    badly(&output, &place);
    let Some(output) = on_opencl("counts", &[("OMP_VERIFY", "1")]) else { return };
    badly(&output, &["disagree on `hits`", "host: 110", ": 120", "region `counts_apart`"]);
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
    ] {
        for program in ["scale", "nothing"] {
            badly(&run(program, &[(variable, value)]), &[variable, value, allowed]);
        }
    }
}

#[test]
fn a_default_device_that_is_not_there_tells_who_named_it() {
    let words = ["there is no device 9", "by OMP_DEFAULT_DEVICE", "region `scale` at"];
    for variable in ["OMP_DEFAULT_DEVICE", "ACC_DEVICE_NUM"] {
        badly(&run("scale", &[(variable, "9"), ("OMP_BACKEND", "host")]), &words);
    }
}

/// The line of this file that begins so.
fn place_of(needle: &str) -> String {
    let mut lines = include_str!("environment.rs").lines();
    let line = lines.position(|l| l.trim_start().starts_with(needle)).expect("it is in this file") + 1;
    format!("panicked at {}:{line}:", file!())
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
    assert!(row.contains("environment.rs:") && row.contains("host"), "{row}");
}

// ---- OMP_TRACE

/// What a program's trace says: each event as (process, kind, name, object).
struct Trace(Vec<serde_json::Value>);

impl Trace {
    /// The file has to be JSON, whatever became of the program.
    fn of(program: &str, variables: &[(&str, &str)]) -> (Self, Output) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("trace.json");
        let file = path.to_str().expect("a path in Unicode");
        let output = run(program, &[&[("OMP_TRACE", file)], variables].concat());
        let text = std::fs::read_to_string(&path).expect("the trace was written");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let events = json["traceEvents"].as_array().expect("a list of events").clone();
        (Self(events), output)
    }

    fn of_kind(&self, kind: &str) -> impl Iterator<Item = &serde_json::Value> {
        self.0.iter().filter(move |e| e["cat"] == kind)
    }

    fn one(&self, kind: &str, name: &str) -> &serde_json::Value {
        let mut found = self.of_kind(kind).filter(|e| e["name"] == name);
        let one = found.next().unwrap_or_else(|| panic!("no {kind} {name}: {:#?}", self.0));
        assert!(found.next().is_none(), "{kind} {name} twice");
        one
    }

    /// The names of tracks and processes.
    fn names(&self) -> Vec<&str> {
        let names = self.0.iter().filter(|e| e["ph"] == "M");
        names.filter_map(|e| e["args"]["name"].as_str()).collect()
    }
}

fn span(event: &serde_json::Value) -> (f64, f64) {
    let start = event["ts"].as_f64().expect("a time");
    (start, start + event["dur"].as_f64().expect("a length"))
}

/// Each track is one thing after another, as viewers want it.
fn in_turns(trace: &Trace) {
    let mut spans: Vec<_> = trace.of_kind("transfer").chain(trace.of_kind("kernel")).collect();
    spans.sort_by(|a, b| span(a).0.total_cmp(&span(b).0));
    for (i, a) in spans.iter().enumerate() {
        let same = |b: &&&serde_json::Value| b["pid"] == a["pid"] && b["tid"] == a["tid"];
        if let Some(b) = spans[i + 1..].iter().find(same) {
            // (The file has whole nanoseconds.)
            assert!(span(a).1 <= span(b).0 + 0.002, "{a} and {b}");
        }
    }
}

#[test]
fn traces_show_copies_in_their_queues() {
    let Some(_) = on_opencl("nothing", &[]) else { return };
    let (trace, output) = Trace::of("both ways", &[("OMP_BACKEND", "opencl")]);
    well(&output);
    // (A queue's first track and those beside it.)
    let queue = |e: &serde_json::Value| e["tid"].as_u64().expect("a number") / 8;
    let mut queues: Vec<_> = trace.of_kind("transfer").map(|e| (e["name"].as_str(), queue(e))).collect();
    assert_eq!(queues.len(), 4, "{queues:?}");
    let default = queues[0].1;
    queues.retain(|(_, queue)| *queue != default);
    assert!(queues.iter().any(|(name, _)| *name == Some("up to device")), "{queues:?}");
    assert!(queues.iter().any(|(name, _)| *name == Some("down from device")), "{queues:?}");
    in_turns(&trace);
}

#[test]
fn traces_show_host_loops_and_fallbacks() {
    let (trace, output) = Trace::of("scale", &[("OMP_BACKEND", "host")]);
    well(&output);
    let (region, host) = (trace.one("region", "scale"), trace.one("host loop", "scale"));
    assert!(span(region).0 <= span(host).0 && span(host).1 <= span(region).1 + 1000.0, "{region} {host}");
    assert_eq!(region["args"]["device"], "host");
    let place = region["args"]["place"].as_str().expect("a place");
    assert!(place.contains("environment.rs:"), "{place}");
    assert!(trace.names().contains(&"host"));
}

#[test]
fn traces_show_kernels_and_transfers_with_bytes() {
    let Some(_) = on_opencl("nothing", &[]) else { return };
    let (trace, output) = Trace::of("scale", &[("OMP_BACKEND", "opencl")]);
    well(&output);
    let kernel = trace.one("kernel", "scale");
    let (up, down) = (trace.one("transfer", "x to device"), trace.one("transfer", "y from device"));
    assert!(span(up).1 <= span(kernel).1 && span(kernel).1 <= span(down).1, "{kernel}");
    assert_eq!((&up["args"]["bytes"], &down["args"]["bytes"]), (&8000.into(), &8000.into()));
    assert!(kernel["pid"] == up["pid"] && kernel["pid"] != trace.one("region", "scale")["pid"]);
    assert_eq!((trace.of_kind("compile").count(), trace.of_kind("wait").count()), (1, 1));
    assert!(trace.names().iter().any(|n| n.contains("(opencl)")) && trace.names().contains(&"queue 0"));

    let (trace, output) = Trace::of("exits", &[("OMP_BACKEND", "opencl")]);
    well(&output);
    assert_eq!(trace.one("directive", "data region")["args"]["bytes_to_device"], 36);
    assert_eq!(trace.one("directive", "end of the data region")["args"]["bytes_from_device"], 36);
    assert_eq!(trace.of_kind("transfer").count(), 2);
    for name in ["map y", "present y", "release y"] {
        trace.one("data", name);
    }
    let (trace, output) =
        Trace::of("slice", &[("OMP_BACKEND", "opencl"), ("OMP_TARGET_OFFLOAD", "mandatory")]);
    well(&output);
    assert_eq!(trace.one("transfer", "DeviceSlice from device")["args"]["bytes"], 28);
}

#[test]
fn traces_are_whole_after_panics_aborts_and_of_many_threads() {
    let (trace, output) = Trace::of("both fail", &[("OMP_BACKEND", "host")]);
    badly(&output, &["the len is 3"]);
    let what = trace.one("failure", "failure")["args"]["what"].as_str().expect("a text");
    assert!(what.contains("the len is 3 but the index is 9"), "{what}");
    let (trace, output) = Trace::of("aborts", &[("OMP_BACKEND", "host")]);
    badly(&output, &[]);
    trace.one("failure", "failure");
    let (trace, output) = Trace::of("threads", &[("OMP_BACKEND", "host")]);
    well(&output);
    assert_eq!(trace.of_kind("region").count(), 400);
    let tracks: std::collections::BTreeSet<u64> =
        trace.of_kind("region").filter_map(|e| e["tid"].as_u64()).collect();
    assert_eq!(tracks.len(), 8);
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error_at_the_start() {
    for program in ["scale", "nothing"] {
        let words = ["OMP_TRACE", "/nowhere/at/all.json", "a file that can be written"];
        badly(&run(program, &[("OMP_TRACE", "/nowhere/at/all.json")]), &words);
    }
    badly(&run("nothing", &[("OMP_TUNE", "full")]), &["OMP_TUNE", "full", "searches no schedules"]);
    for tune in ["off", "cached"] {
        well(&run("scale", &[("OMP_TUNE", tune), ("OMP_BACKEND", "host")]));
    }
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
fn every_kind_of_line_is_told() {
    let Some(output) = on_opencl("data region", &[("OMP_INFO", "all")]) else { return };
    let (_, err) = well(&output);
    for what in
        ["map", "to device", "compile", "launch", "wait", "kernel", "present", "from device", "release"]
    {
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
