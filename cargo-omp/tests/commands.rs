//! The commands as users run them, on the example program of this crate: on the host, and on OpenCL where it is.
use std::path::PathBuf;
use std::process::{Command, Output};

/// `examples/jacobi.rs`, which cargo builds with the tests.
fn jacobi() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests are in target/PROFILE/deps");
    folder.join("examples").join(format!("jacobi{}", std::env::consts::EXE_SUFFIX))
}

fn omp(command: &str) -> Command {
    let mut omp = Command::new(env!("CARGO_BIN_EXE_cargo-omp"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("OMP_") && text != "OMP_CACHE_DIR"
            || text.starts_with("ACC_")
            || text == "COLUMNS"
        {
            omp.env_remove(name);
        }
    }
    omp.args(["omp", command]);
    omp
}

/// A command on the example; `None` where there is no such backend.
fn on(backend: &str, command: &str, options: &[&str]) -> Option<Output> {
    if backend == "opencl" && !devices(backend) {
        assert!(std::env::var_os("OMP_TEST_REQUIRE_OPENCL").is_none(), "no OpenCL device");
        println!("skipped: no OpenCL device");
        return None;
    }
    let mut omp = omp(command);
    omp.args(["--backend", backend]).args(options).arg("--bin-path").arg(jacobi());
    Some(omp.args(["--", "64"]).output().expect("it starts"))
}

fn devices(backend: &str) -> bool {
    let output = omp("info").arg("--json").env("OMP_BACKEND", backend).output().expect("it starts");
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    info["devices"].as_array().is_some_and(|list| list.len() > 1)
}

fn well(output: &Output) -> String {
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{out}\n{}", String::from_utf8_lossy(&output.stderr));
    out
}

fn badly(output: &Output, words: &str) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let all = [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat();
    assert!(all.contains(words), "lacks `{words}`: {all}");
    all
}

/// Whether all of this is there, wherever lines are wrapped.
fn has(text: &str, words: &[&str]) {
    let unwrapped = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = unwrapped(text);
    for word in words {
        assert!(all.contains(&unwrapped(word)), "lacks `{word}`:\n{text}");
    }
}

/// Lines that a terminal of 80 columns shows whole; source lines are as long as they are.
fn is_narrow(text: &str) {
    for line in text.lines().filter(|line| !line.contains(" | ")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn tune_keeps_what_it_finds() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("tuned.json");
    let file = path.to_str().expect("a path in Unicode");
    let Some(output) = on("opencl", "tune", &["--file", file]) else { return };
    let text = well(&output);
    has(&text, &["jacobi.rs:", "regions tuned:", "schedules tried", "kept in"]);
    is_narrow(&text.replace(file, "tuned.json"));
    let piped = [output.stdout, output.stderr].concat();
    assert!(!piped.contains(&0x1b), "no colours and no bars in a pipe");
    let stored = std::fs::read_to_string(&path).expect("it was written");
    let stored: serde_json::Value = serde_json::from_str(&stored).expect("it is JSON");
    let entries = stored["entries"].as_array().expect("a list");
    for entry in entries {
        assert!(entry["best_us"].as_f64() <= entry["default_us"].as_f64(), "{entry}");
        assert_eq!(entry["tried"][0]["schedule"], "default");
    }
    let output = on("opencl", "tune", &["--json", "--file", file]).expect("there was a device");
    let json: serde_json::Value = serde_json::from_str(&well(&output)).expect("it is JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(entries.len()), "each entry is another one now");
    let output = on("host", "tune", &["--file", file]).expect("the host is there");
    badly(&output, "no region was tuned");
}

#[test]
fn tune_tells_before_the_search_that_nothing_can_be_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let other = dir.path().join("other.json");
    for text in ["[1, 2]", "{ \"version\": 2, \"entries\": [] }", "not JSON", "{\"version\":1,\"entries\":"] {
        std::fs::write(&other, text).expect("it can be written");
        let file = other.to_str().expect("a path in Unicode");
        badly(&on("host", "tune", &["--file", file]).expect("the host is there"), "something else in it");
        assert_eq!(std::fs::read_to_string(&other).expect("it is there"), text);
    }
    let below = other.join("deep/tuned.json");
    for file in [&below, &dir.path().to_path_buf()] {
        let file = file.to_str().expect("a path in Unicode");
        badly(&on("host", "tune", &["--file", file]).expect("the host is there"), "can't be kept in");
    }
    let mut homeless = omp("tune");
    homeless.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("OMP_CACHE_DIR");
    homeless.arg("--bin-path").arg(jacobi());
    badly(&homeless.output().expect("it starts"), "set OMP_CACHE_DIR, or use --file");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_what_it_found() {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::process::CommandExt as _;
    if !devices("opencl") {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("tuned.json");
    let mut omp = omp("tune");
    omp.args(["--backend", "opencl", "--file"]).arg(&file).arg("--bin-path").arg(jacobi());
    // A group of its own, as a terminal gives: Ctrl-C goes to all of it.
    omp.args(["--", "64"]).process_group(0).env("OMP_CACHE_DIR", dir.path().join("cache"));
    omp.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = omp.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    assert!(lines.any(|line| line.is_ok_and(|line| line.starts_with("tuned "))), "no search has ended");
    let group = format!("-{}", child.id());
    let sent = Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    has(&text, &["jacobi.rs:", "regions tuned:", "kept in"]);
    let stored = std::fs::read_to_string(&file).expect("it was written");
    let stored: serde_json::Value = serde_json::from_str(&stored).expect("it is whole");
    assert!(stored["entries"].as_array().is_some_and(|entries| !entries.is_empty()));
    assert_eq!(output.status.code(), Some(1), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("what was found before is kept")), "{rest:?}");
}

#[test]
fn a_misspelt_region_has_a_suggestion() {
    for command in ["explain", "emit"] {
        let output = on("host", command, &["--region", "jacobbi"]).expect("the host is there");
        let all = badly(&output, "did you mean `jacobi`?");
        has(&all, &["(regions that did: change, jacobi, probe, total)"]);
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in ["info", "explain", "emit", "profile", "tune", "verify"] {
        let help = well(&omp(command).arg("--help").output().expect("it starts"));
        has(&help, &["Example:", &format!("cargo omp {command}")]);
    }
    let usage = omp("profile").arg("--no-such-option").output().expect("it starts");
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn info_lists_devices_and_reasons() {
    let host = omp("info").env("OMP_BACKEND", "host").output().expect("it starts");
    let text = well(&host);
    has(&text, &["host (host), the default", "OMP_BACKEND does not name it", "Kernel cache"]);
    is_narrow(&text);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tune.json"), r#"{"version":1,"entries":[{}]}"#).expect("it is ours");
    let mut stored = omp("info");
    stored.env("OMP_CACHE_DIR", folder.path()).env("OMP_BACKEND", "host");
    has(&well(&stored.output().expect("it starts")), &["Tuned schedules 1 entry"]);
    badly(
        &omp("info").env("OMP_BACKEND", "vulkan").output().expect("it starts"),
        "auto, cuda, opencl or host",
    );
    if devices("opencl") {
        let mut measured = omp("info");
        measured.args(["--measure", "--json"]).env("OMP_BACKEND", "opencl");
        let info: serde_json::Value =
            serde_json::from_str(&well(&measured.output().expect("it starts"))).expect("it is JSON");
        let device = &info["devices"][0];
        assert_eq!(device["backend"], "opencl");
        for rate in ["copy_bytes_per_s", "launch_ns", "to_device_bytes_per_s", "from_device_bytes_per_s"] {
            assert!(device["measured"][rate].as_f64().is_some_and(|of| of > 0.0), "{info}");
        }
    }
}

#[test]
fn verify_compares_and_finds_differences() {
    badly(&on("host", "verify", &[]).expect("the host is there"), "nothing ran on a device");
    let Some(same) = on("opencl", "verify", &[]) else { return };
    let text = well(&same);
    has(&text, &["jacobi jacobi.rs:", "regions compared: 4, in 10 runs; 0 differ"]);
    is_narrow(&text);
    // A sum of floats in another order differs in its last bits.
    let all = badly(&on("opencl", "verify", &["--tolerance", "0"]).expect("as above"), "DIFFERS");
    has(&all, &["disagree on `sum`", "1 differ"]);
}

#[test]
fn profile_shows_times_and_writes_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let (svg, trace) = (folder.path().join("t.svg"), folder.path().join("t.json"));
    let options = ["--svg", svg.to_str().expect("UTF-8"), "--trace", trace.to_str().expect("UTF-8")];
    let text = well(&on("host", "profile", &options).expect("the host is there"));
    has(&text, &["region (ms)", "jacobi jacobi.rs:", "longest: ", "copied: 0 B to devices"]);
    let picture = std::fs::read_to_string(&svg).expect("it is written");
    has(&picture, &["<svg xmlns", "host loop: ", "</svg>"]);
    let events = std::fs::read_to_string(&trace).expect("it is written");
    assert!(serde_json::from_str::<serde_json::Value>(&events).is_ok());
    let Some(opencl) = on("opencl", "profile", &[]) else { return };
    let text = well(&opencl);
    has(&text, &["roofline", "FLOP/s", "opencl"]);
    is_narrow(&text);
}

/// What `cargo omp` reads, from the program itself.
#[test]
fn the_report_counts_work_and_replaces_what_was_there() {
    if !devices("opencl") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("r.json");
    std::fs::write(&file, "x".repeat(1 << 20)).expect("it can be written");
    let mut program = Command::new(jacobi());
    let output = program.arg("64").env("OMP_BACKEND", "opencl").env("OMP_REPORT", &file).output();
    assert!(output.is_ok_and(|output| output.status.success()));
    let text = std::fs::read_to_string(&file).expect("it is written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let runs = report["runs"].as_array().expect("a list");
    let of = |name: &str| runs.iter().find(|run| run["region"] == name).expect("it ran");
    // Four launches of 62 x 62 iterations with three additions and a multiplication.
    assert_eq!(of("jacobi")["operations"], 4 * 62 * 62 * 4);
    // A launch of 64 x 64 iterations with an addition and a division, of an array that is read once.
    assert_eq!((&of("total")["operations"], &of("total")["bytes"]), (&(2 * 4096).into(), &(8 * 4096).into()));
    // Data decides what is read.
    assert!(of("probe")["bytes"].is_null(), "{text}");
}

#[test]
fn emit_prints_the_code_of_a_region() {
    let ir = well(&on("host", "emit", &["--ir", "--region", "jacobi"]).expect("the host is there"));
    has(&ir, &["region jacobi(n", "parallel"]);
    assert!(!ir.contains("region probe"), "{ir}");
    badly(&on("host", "emit", &[]).expect("the host is there"), "nothing ran on a device");
    badly(
        &on("host", "emit", &["--ir", "--region", "none"]).expect("the host is there"),
        "change, jacobi, probe",
    );
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("code");
    let kept = ["--ir", "--out", out.to_str().expect("UTF-8"), "--region", "jacobi"];
    well(&on("host", "emit", &kept).expect("the host is there"));
    let file = std::fs::read_to_string(out.join("jacobi-8.ir")).expect("it is written");
    has(&file, &["// region `jacobi` at ", "region jacobi(n"]);
    let Some(opencl) = on("opencl", "emit", &["--opencl", "--region", "probe"]) else { return };
    let text = well(&opencl);
    has(&text, &["__kernel", "// region `probe` at "]);
    assert!(!text.contains("__global__") && !text.contains("`jacobi`"), "{text}");
    has(&well(&on("opencl", "emit", &["--cuda"]).expect("as above")), &["__global__", "`jacobi`"]);
}

#[test]
fn explain_stands_beside_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("e.html");
    let text = well(&on("host", "explain", &[]).expect("the host is there"));
    has(
        &text,
        &[
            "for i in 1..n - 1 {",
            "`i`: loop 1 of 2",
            "contiguous along `j`",
            "checked in the kernel",
            "On host",
        ],
    );
    is_narrow(&text);
    let backend = if devices("opencl") { "opencl" } else { "host" };
    let json = well(&on(backend, "explain", &["--json", "--region", "probe"]).expect("it is there"));
    let regions: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!((regions[0]["region"].as_str(), regions[1].is_null()), (Some("probe"), true), "{json}");
    well(&on(backend, "explain", &["--html", page.to_str().expect("UTF-8")]).expect("it is there"));
    let page = std::fs::read_to_string(&page).expect("it is written");
    has(&page, &["<!doctype html>", "<h2>jacobi at ", "&amp;[f64]", "because: "]);
    assert_eq!(page.matches("<ul>").count(), page.matches("</ul>").count());
}

#[test]
fn a_program_that_fails_is_told() {
    let mut bad = omp("explain");
    bad.arg("--bin-path").arg(jacobi()).args(["--", "many"]);
    badly(&bad.output().expect("it starts"), "the program");
    let mut missing = omp("verify");
    missing.args(["--bin-path", "/no/such/program"]);
    badly(&missing.output().expect("it starts"), "can't be started");
}

/// The options that cargo gets: a script stands in its place.
#[cfg(unix)]
#[test]
fn options_are_passed_to_cargo_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("cargo");
    let text = format!("#!/bin/sh\necho \"args: $*\"\nexec '{}' 16\n", jacobi().display());
    std::fs::write(&script, text).expect("it can be written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut omp = omp("emit");
    omp.env("CARGO", &script).args([
        "--ir",
        "--backend",
        "host",
        "--release",
        "--example",
        "e",
        "-p",
        "p",
        "-F",
        "f",
    ]);
    let output = omp.args(["--", "16", "--x"]).output().expect("it starts");
    well(&output);
    let err = String::from_utf8_lossy(&output.stderr);
    has(&err, &["args: run --package p --example e --features f --release -- 16 --x\n"]);
}

/// A program that leaves a report of ours: what few machines show.
#[cfg(unix)]
fn reporting(folder: &std::path::Path, launches: &str, more: u64) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let report = format!(
        r#"{{"version":1,"runs":[],"compared":[],"regions":[{{"region":"r","file":"none.rs","line":3,"column":1,
        "loops":[{{"variable":"i","line":4}}],"arrays":[],"reductions":[],"scan":false,"subscripts":[],
        "not_on_devices":null,"ir":"","launches":[{launches}],"more":{more}}}]}}"#
    );
    let script = folder.join("program");
    std::fs::write(&script, format!("#!/bin/sh\ncat > \"$OMP_REPORT\" <<'END'\n{report}\nEND\n"))
        .expect("it can be written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    script
}

/// A program that is a shell script.
#[cfg(unix)]
fn script(folder: &std::path::Path, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join("script");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("it can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}

#[cfg(unix)]
#[test]
fn runs_without_a_report_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let searching = r#"echo '{"searching":{"region":"r","tried":1,"of":2}}' > "$OMP_REPORT"; exit 3"#;
    for (text, words) in [
        ("exit 0", "the program ran no region"),
        ("exit 3", "the program ended before it could write a report (exit status: 3)"),
        (searching, "the program ended before it could write a report (exit status: 3)"),
        (r#": > "$OMP_REPORT""#, "it was killed, or left without `exit`"),
        (r#"echo '{"version":1' > "$OMP_REPORT""#, "report"),
    ] {
        let path = script(folder.path(), text);
        for command in ["explain", "profile", "verify", "emit", "tune"] {
            let mut omp = omp(command);
            badly(&omp.arg("--bin-path").arg(&path).output().expect("it starts"), words);
        }
    }
    let failing = script(folder.path(), "echo 'error: could not compile' >&2; exit 101");
    let mut build = omp("explain");
    badly(
        &build.env("CARGO", failing).output().expect("it starts"),
        "the build failed, or the program ended",
    );
}

#[cfg(unix)]
#[test]
fn tune_tells_which_regions_it_left_and_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let untuned = r#"{"region":"r","file":"a.rs","line":3,"column":1,"why":"there is one schedule alone"}"#;
    let report = format!(r#"{{"version":1,"runs":[],"regions":[],"compared":[],"untuned":[{untuned}]}}"#);
    let program = script(folder.path(), &format!("cat > \"$OMP_REPORT\" <<'END'\n{report}\nEND"));
    let mut omp = omp("tune");
    omp.arg("--file").arg(folder.path().join("t.json")).arg("--bin-path").arg(program);
    let all = badly(&omp.output().expect("it starts"), "no region was tuned");
    has(&all, &["not tuned regions r a.rs:3 because there is one schedule alone"]);
}

#[cfg(unix)]
#[test]
fn explain_tells_what_the_run_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let explain = |launches: &str, more| {
        let program = reporting(folder.path(), launches, more);
        well(&omp("explain").arg("--bin-path").arg(program).output().expect("it starts"))
    };
    let host = |rest: &str| {
        format!(
            r#"{{"device":"host","backend":"host","gpu":false,"trips":[9],"iterations":9,"checked":[]{rest}}}"#
        )
    };
    let text = explain(&host(r#","fallback":"out of memory","serial":"sums""#), 0);
    has(&text, &["in place of a device: out of memory", "one thread runs the loop", "with overflow checks"]);
    assert!(!text.contains("cargo omp info"), "{text}");
    let text = explain(&host(r#","serial":"data""#), 5);
    has(
        &text,
        &["whether two iterations access the same element", "5 runs with other sizes", "cargo omp info"],
    );
    let text = explain(&host(""), 0);
    has(&text, &["the host's threads share the iterations"]);
    assert!(!text.contains("not shown"), "{text}");
    // Reasons and advice are those of the choice, and there are no others.
    let steps = r#"[{"step":"tiles of `8`","why":"`a` is read 8 times"},{"step":"a part","why":null}]"#;
    let device = format!(
        r#"{{"device":"D","backend":"opencl","grid":[1,1,1],"block":[64,1,1],"schedule":"linear","steps":{steps},
        "faster":["a larger grid"],"trips":[9],"iterations":9}}"#
    );
    let text = explain(&format!("{device},{device}"), 0);
    has(
        &text,
        &["On D (opencl), first launched with 9 iterations", "* schedule: linear; grid 1x1x1, block 64x1x1"],
    );
    has(
        &text,
        &[
            "* tiles of `8` because: `a` is read 8 times * a part",
            "What would make it faster - a larger grid",
        ],
    );
    assert_eq!(text.matches("a larger grid").count(), 1, "{text}");
    let page = folder.path().join("e.html");
    let program = reporting(folder.path(), &device, 0);
    let mut html = omp("explain");
    html.arg("--html").arg(&page).arg("--bin-path").arg(program);
    has(&well(&html.output().expect("it starts")), &["1 region in"]);
    let page = std::fs::read_to_string(&page).expect("it is written");
    has(&page, &["<li>tiles of <code>8</code><small>because: <code>a</code> is read 8 times</small></li>"]);
}

#[test]
fn the_program_has_both_names() {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-omp")).args(["explain", "--help"]).output();
    has(&well(&output.expect("it starts")), &["cargo omp explain"]);
}
