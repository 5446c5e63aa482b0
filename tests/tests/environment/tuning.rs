//! `OMP_TUNE`: searches change nothing that a program sees.
use super::{badly, on, on_opencl, run, well};

fn entries(path: &std::path::Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).expect("the store is there");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    json["entries"].as_array().expect("a list").clone()
}

#[test]
fn searches_leave_results_as_they_are_and_a_store() {
    for tune in ["off", "cached", "auto", "full"] {
        well(&run("scale", &[("OMP_TUNE", tune), ("OMP_BACKEND", "host")]));
    }
    badly(&run("nothing", &[("OMP_TUNE", "always")]), &["OMP_TUNE", "always", "auto or full"]);
    for program in ["searched", "scale", "waits"] {
        for tune in ["auto", "full"] {
            let dir = tempfile::tempdir().expect("a folder");
            let cache = dir.path().to_str().expect("a path in Unicode");
            let variables = [("OMP_TUNE", tune), ("OMP_CACHE_DIR", cache), ("OMP_INFO", "tune")];
            let Some(output) = on_opencl(program, &variables) else { return };
            let (_, err) = well(&output);
            match program {
                "searched" => {
                    for part in ["`gathers`", "not tried: its iterations claim what they touch"] {
                        assert!(err.contains(part) || tune == "auto", "lacks `{part}`: {err}");
                    }
                    let found = entries(&dir.path().join("tune.json"));
                    let of = |name: &str| found.iter().any(|entry| entry["region"] == name);
                    assert!(tune == "auto" || of("in place") && of("counts") && of("product"), "{found:?}");
                }
                "waits" => assert!(err.contains("tasks try nothing"), "{err}"),
                _ => {}
            }
        }
    }
}

#[test]
fn files_of_schedules_are_used_and_damaged_ones_ignored() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("shipped.json");
    let file = path.to_str().expect("a path in Unicode");
    let Some(output) = on_opencl("scale", &[("OMP_TUNE", "full"), ("OMP_TUNE_FILE", file)]) else { return };
    well(&output);
    let found = entries(&path);
    assert_eq!((found.len(), found[0]["region"].as_str()), (1, Some("scale")));
    assert!(found[0]["best_us"].as_f64() <= found[0]["default_us"].as_f64(), "{found:?}");
    let say = |what: &str| {
        let variables = [("OMP_TUNE_FILE", file), ("OMP_INFO", "tune,kernel")];
        let (_, err) = well(&on_opencl("scale", &variables).expect("there was a device"));
        assert!(err.contains(what), "lacks `{what}`: {err}");
    };
    // One that these numbers can't have, one that they can, and another driver's.
    let text = std::fs::read_to_string(&path).expect("it is there");
    let schedule = format!("\"schedule\": {},\n      \"default_us\"", found[0]["schedule"]);
    let with =
        |new: &str| text.replace(&schedule, &format!("\"schedule\": \"{new}\",\n      \"default_us\""));
    for (new, what) in [
        (
            "tiles 16x8x8 lanes 8 band 8 matrix 0 stage-all 0 resident 2",
            "is left out: these numbers can't have it",
        ),
        ("plain block 99999x1x1", "is left out"),
        ("plain unroll 3", "schedule `scale`"),
        ("nonsense", "is no schedule"),
    ] {
        assert_ne!(with(new), text);
        std::fs::write(&path, with(new)).expect("it can be written");
        say(what);
    }
    let driver = found[0]["key"]["driver"].to_string();
    std::fs::write(&path, text.replace(&driver, "\"another\"")).expect("it can be written");
    say("another");
    for bad in ["{ \"version\": 1, \"entries\": [", "fn main() {}", "{ \"version\": 7, \"entries\": [] }"] {
        std::fs::write(&path, bad).expect("it can be written");
        say("is ignored");
        // And somebody else's file is not written over.
        well(
            &on_opencl("scale", &[("OMP_TUNE", "full"), ("OMP_TUNE_FILE", file)])
                .expect("there was a device"),
        );
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), bad);
    }
}

/// What is searched by one thread is launched by another meanwhile.
#[test]
fn threads_search_and_launch_at_the_same_time() {
    for backend in ["opencl", "cuda"] {
        for (tune, verify) in [("auto", ""), ("full", "1")] {
            let dir = tempfile::tempdir().expect("a folder");
            let cache = dir.path().to_str().expect("a path in Unicode");
            let variables = [("OMP_TUNE", tune), ("OMP_CACHE_DIR", cache), ("OMP_VERIFY", verify)];
            let Some(output) = on(backend, "searched by threads", &variables) else { continue };
            well(&output);
            let found = entries(&dir.path().join("tune.json"));
            assert!(found.iter().any(|entry| entry["region"] == "sum" || entry["region"] == "in place"));
            let keys: std::collections::BTreeSet<_> =
                found.iter().map(|one| one["key"].to_string()).collect();
            assert_eq!(keys.len(), found.len(), "each kind of launch is searched once: {found:?}");
        }
    }
}

/// Whatever lies where the store should be, results are those of a run without one, and what a search can't keep is told.
#[test]
fn stores_that_cannot_be_written_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).to_str().expect("a path in Unicode").to_owned();
    std::fs::write(path("file"), "no folder").expect("it can be written");
    std::fs::create_dir_all(path("folder/tune.json")).expect("it can be made");
    std::fs::create_dir_all(path("locked/tune.lock")).expect("it can be made");
    for place in ["file", "folder", "locked"] {
        let variables = [("OMP_TUNE", "full"), ("OMP_CACHE_DIR", &*path(place))];
        let Some(output) = on_opencl("scale", &variables) else { return };
        let (_, err) = well(&output);
        assert!(err.contains("tune.json is not written"), "{place}: {err}");
    }
}
