//! `omp::last_region()`: what is true of each kind of region, on every device and on the host, and what leaves it as it was.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp::RegionReport;
use omp_tests::on_every_device;
use std::time::Duration;

const N: usize = 1000;

/// Bytes of an array here.
const BYTES: u64 = 4 * N as u64;

#[omp::offload]
fn plain(d: usize, x: &[u32], y: &mut [u32]) -> u32 {
    let line = line!() + 1;
    #[omp::target(map(to: x), map(from: y), device(d), name("changed"))]
    for i in 0..y.len() {
        y[i] = x[i] ^ 5;
    }
    line
}

#[omp::offload]
fn gathers(d: usize, x: &[u32], at: &[usize], y: &mut [u32]) {
    #[omp::target(map(to: x, at), map(from: y), device(d))]
    for i in 0..y.len() {
        y[i] = x[at[i]];
    }
}

#[omp::offload]
fn sums(d: usize, x: &[u32]) -> u32 {
    let mut s = 0;
    #[omp::target(map(to: x), reduction(+: s), device(d))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn scans(d: usize, x: &[u32], y: &mut [u32]) {
    y[0] = x[0];
    #[omp::target(scan(+: y), map(to: x), map(tofrom: y), device(d))]
    for i in 1..y.len() {
        y[i] = y[i - 1] + x[i];
    }
}

/// What the data directives leave of the report, and the loop's between them.
#[omp::offload]
fn on_present_data(d: usize, x: &[u32], y: &mut [u32]) -> [RegionReport; 2] {
    let inside;
    #[omp::target_data(map(to: x), map(tofrom: y), device(d))]
    {
        #[omp::target(device(d), name("inside"))]
        for i in 0..y.len() {
            y[i] += x[i];
        }
        inside = omp::last_region();
        omp::target_update!(from(y), device(d));
    }
    omp::target_enter_data!(map(to: x), device(d));
    omp::target_exit_data!(map(release: x), device(d));
    [inside, omp::last_region()]
}

#[omp::offload]
fn block(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(map(to: x), map(tofrom: y), device(d), name("block"))]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += x[i];
        }
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] *= 2;
        }
    }
}

#[omp::offload]
fn tasks(d: usize, x: &[u32], y: &mut [u32], z: &mut [u32]) {
    #[omp::target(nowait, map(to: x), map(from: y), device(d), name("first"))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target(nowait, map(to: x), map(from: z), device(d), name("second"))]
    for i in 0..z.len() {
        z[i] = x[i] + 1;
    }
    omp::taskwait!();
}

#[omp::offload]
fn not_there(d: usize, y: &mut [u32], wanted: bool) {
    #[omp::target(device(d), if(wanted), name("not there"))]
    for i in 0..y.len() {
        y[i] = 1;
    }
}

/// Whether host and device have a copy each.
fn apart(d: usize) -> bool {
    d < omp::get_num_devices()
}

/// What holds of all that ran on `d` and moved so many bytes.
#[track_caller]
fn holds(report: &RegionReport, d: usize, name: &str, (to, from): (u64, u64)) {
    assert_eq!(report.name, name, "{report:?}");
    assert!(report.place.contains("tests/data/reports.rs:"), "{report:?}");
    assert_eq!(report.fallback, None, "{report:?}");
    assert!(report.wall_time > Duration::ZERO, "{report:?}");
    let text = report.to_string();
    assert!(text.contains(name), "{text}");
    if !apart(d) {
        assert_eq!((report.device.as_str(), report.backend.as_str()), ("host", "host"), "{report:?}");
        assert_eq!((report.grid, report.block), ([0; 3], [0; 3]), "{report:?}");
        assert_eq!((report.bytes_to_device, report.bytes_from_device), (0, 0), "{report:?}");
        return;
    }
    assert_eq!(report.device, omp::devices()[d].name, "{report:?}");
    assert!(["cuda", "opencl"].contains(&report.backend.as_str()), "{report:?}");
    assert!(report.grid.iter().chain(&report.block).all(|n| *n > 0), "{report:?}");
    assert_eq!((report.bytes_to_device, report.bytes_from_device), (to, from), "{report:?}");
    assert!(report.kernel_time > Duration::ZERO, "{report:?}");
}

#[test]
fn reports_are_true_of_every_kind_of_region() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let (x, at): (Vec<u32>, Vec<usize>) = ((1..=N as u32).collect(), (0..N).rev().collect());
        let (mut y, mut z) = (vec![0; N], vec![0; N]);

        let line = plain(d, &x, &mut y);
        let report = omp::last_region();
        holds(&report, d, "changed", (BYTES, BYTES));
        assert!(report.place.contains(&format!("reports.rs:{line}:")), "{report:?}");
        assert_eq!(report.residual_checks, 0, "{report:?}");

        gathers(d, &x, &at, &mut y);
        let report = omp::last_region();
        assert_eq!(report.name, "gathers");
        assert_eq!(report.residual_checks > 0, apart(d), "{report:?}");

        assert_eq!(sums(d, &x), (N * (N + 1) / 2) as u32);
        let report = omp::last_region();
        assert_eq!(report.name, "sums");
        assert!(!apart(d) || report.bytes_to_device >= BYTES && report.bytes_from_device < BYTES);

        scans(d, &x, &mut y);
        assert_eq!(y[N - 1], (N * (N + 1) / 2) as u32);
        let report = omp::last_region();
        assert_eq!((report.name.as_str(), report.fallback.as_ref()), ("scans", None), "{report:?}");
        assert!(!apart(d) || report.bytes_from_device >= BYTES - 4, "{report:?}");

        y.fill(1);
        let [inside, after] = on_present_data(d, &x, &mut y);
        holds(&inside, d, "inside", (0, 0));
        assert_eq!(after, inside, "directives are no regions");
        assert_eq!((y[0], y[N - 1]), (2, N as u32 + 1));

        block(d, &x, &mut y);
        holds(&omp::last_region(), d, "block", (2 * BYTES, BYTES));

        tasks(d, &x, &mut y, &mut z);
        holds(&omp::last_region(), d, "second", (BYTES, BYTES));

        not_there(d, &mut y, false);
        let report = omp::last_region();
        assert_eq!((report.device.as_str(), report.fallback), ("host", None), "it was to be there");
        assert_eq!((report.grid, report.bytes_from_device), ([0; 3], 0));

        // Nothing to run is a region that moved nothing.
        not_there(d, &mut [], true);
        let report = omp::last_region();
        assert_eq!(report.name, "not there");
        assert_eq!((report.bytes_to_device, report.bytes_from_device, report.grid), (0, 0, [0; 3]));
        assert_eq!((report.fallback, report.kernel_time), (None, Duration::ZERO));
    });
}

#[test]
fn each_thread_has_its_own_report() {
    let mut y = vec![0; N];
    plain(omp::get_num_devices(), &[1; N], &mut y);
    std::thread::spawn(|| {
        assert_eq!(omp::last_region(), RegionReport::default());
        assert_eq!(omp::last_region().to_string(), "no region has run on this thread");
    })
    .join()
    .expect("it is as it should be");
    assert_eq!(omp::last_region().name, "changed");
}

/// Loops that fail in the middle, at once, in a block, as tasks and in tasks' blocks.
#[omp::offload(try)]
fn fails(d: usize, how: usize, at: &[usize], x: &mut [u32], y: &mut [u32]) -> Result<(), omp::Error> {
    #[omp::target(device(d), name("before"))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    match how {
        0 =>
        {
            #[omp::target(device(d), name("fails"))]
            for i in 0..x.len() {
                x[i] = at[at[i]] as u32;
            }
        }
        1 => {
            #[omp::target(device(d), nowait, name("fails"))]
            for i in 0..x.len() {
                x[i] = at[at[i]] as u32;
            }
            #[omp::target(device(d), nowait, name("needs it"))]
            for i in 0..x.len() {
                y[i] = x[i];
            }
            omp::taskwait!();
        }
        2 => {
            #[omp::target(map(to: at), map(tofrom: x), device(d), name("block"))]
            {
                #[omp::parallel_for(name("fails"))]
                for i in 0..x.len() {
                    x[i] = at[at[i]] as u32;
                }
            }
        }
        3 => {
            #[omp::target_data(map(to: at), map(tofrom: x), device(d))]
            {
                #[omp::target(device(d), name("fails"))]
                for i in 0..x.len() {
                    x[i] = at[at[i]] as u32;
                }
            }
        }
        // Refused before it runs.
        4 => {
            let most = x.len() + 1;
            #[omp::target(device(d), map(tofrom: x[0..most]), name("refused"))]
            for i in 0..x.len() {
                x[i] += 1;
            }
        }
        _ =>
        {
            #[omp::target(device(d), nowait, map(tofrom: x[0..x.len() + 1]), name("refused"))]
            for i in 0..x.len() {
                x[i] += 1;
            }
        }
    }
    Ok(())
}

#[test]
fn a_region_that_fails_is_the_last_one() {
    let mut at: Vec<usize> = (0..N).collect();
    at[N / 2] = N;
    on_every_device(|d| {
        for how in 0..6 {
            let (mut x, mut y) = (vec![7; N], vec![8; N]);
            fails(d, how, &at, &mut x, &mut y).expect_err("a mistake of the program's");
            let report = omp::last_region();
            if how >= 4 {
                holds(&report, d, "before", (BYTES, BYTES));
                continue;
            }
            // (A target block is one region.)
            assert_eq!(report.name, if how == 2 { "block" } else { "fails" }, "{how} on {d}: {report:?}");
            assert_eq!((report.device == "host", &report.fallback), (!apart(d), &None), "{how}: {report:?}");
            assert_eq!(report.residual_checks > 0, apart(d), "{how}: {report:?}");
            assert_eq!(report.bytes_from_device, 0, "{how}: {report:?}");
            assert_eq!(report.bytes_to_device > 0, apart(d) && how < 3, "{how}: {report:?}");
            assert!(
                report.wall_time > Duration::ZERO && report.kernel_time > Duration::ZERO,
                "{how}: {report:?}"
            );
            assert_eq!(report.grid == [0; 3], !apart(d), "{how}: {report:?}");
        }
    });
}
