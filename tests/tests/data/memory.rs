//! Data regions in a loop leave memory use flat. A process of its own: nothing else runs beside it.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_tests::on_every_device;

#[omp::offload]
fn nested(d: usize, x: &mut [u32], y: &mut [u32], n: usize, round: usize) -> u32 {
    let (lo, hi) = (round % n, n);
    #[omp::target_data(device(d), map(tofrom: x[..n]), map(alloc: y[..n]))]
    {
        #[omp::target(device(d))]
        for i in 0..n {
            y[i] = x[i] + 1;
        }
        omp::target_update!(device(d), to(x[lo..hi]));
        #[omp::target_data(device(d), map(to: x[..n]), map(from: y[lo..hi]))]
        {
            #[omp::target(device(d), map(tofrom: x[..n]), map(to: y[..n]))]
            for i in 0..n {
                x[i] += y[i];
            }
            omp::target_update!(device(d), from(x[..1], x[n - 1..n]));
        }
    }
    x[0]
}

/// Bytes of memory that the process has for itself.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages = statm.split_whitespace().nth(1).and_then(|n| n.parse::<usize>().ok());
    pages.expect("the second number") * 4096
}

#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_data_regions_with_updates_leave_memory_flat() {
    on_every_device(|d| {
        let (mut x, mut y) = (vec![0u32; 4000], vec![0u32; 4000]);
        let mut run = |rounds: std::ops::Range<usize>| {
            for round in rounds {
                // Sections of several sizes; the interpreter takes its time.
                let n = 2 + round % 11;
                x.fill(1);
                let first = nested(d, &mut x, &mut y, n, round);
                assert_eq!(first, 3, "round {round} on device {d}");
            }
        };
        run(0..2000);
        // Other tests of this process use memory, too, but not forever.
        let mut grown = || {
            let before = resident();
            run(2000..12_000);
            resident().saturating_sub(before)
        };
        let mut tries = Vec::new();
        while tries.last().is_none_or(|grown| *grown >= 1 << 20) {
            assert!(tries.len() < 8, "bytes more after 10000 data regions each on device {d}: {tries:?}");
            tries.push(grown());
        }
    });
}
