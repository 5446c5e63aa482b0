//! `map_or` of what another file declares: only the type shows whether it is an option or a result.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};
mod rows;
use rows::*;

twice! {
    pub fn run(x: &[Row], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = x[i].found.map_or(3, |v| v + 1) + x[i].seen.map_or(4, |v| v * 2) + x[i].both().map_or(5, |v| v * 3);
            y[i] += parse(i as u32).map_or(1, |v| v) + look(i as u32).map_or(1, |v| v);
            let r = &x[i];
            y[i] += r.found.map_or(y[i] % 3, |v| v + 1) + r.seen.map_or(4, |v| v * 2);
            let p = parse(3 + i as u32);
            let (q, s) = (r.found, r.seen);
            y[i] += p.map_or(7, |v| v / 2) + q.map_or(7, |v| v / 2) + s.map_or(7, |v| v / 2);
        }
        #[omp::target]
        for (r, y) in x.iter().zip(y.iter_mut()) {
            *y += r.found.map_or(3, |v| v + 1) + r.both().map_or(6, |v| v + 1);
        }
    }
    /// Elements that the file declares, under names too.
    pub fn elements(tried: &[Result<u32, u8>], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            let r = tried[i];
            y[i] = tried[i].map_or(1, |v| v + 2) + r.map_or(1, |v| v + 2) + tried[i].map(|v| v + 2).unwrap_or(4);
            for r in tried { y[i] += r.map_or(0, |v| v); }
        }
    }
}
#[test]
fn options_and_results() {
    for n in [0u32, 1, 9] {
        let found = |k: u32| if k % 3 == 0 { Err(k as u16) } else { Ok(k * 5) };
        let x: Vec<Row> =
            (0..n).map(|k| Row { number: k as u8, found: found(k), seen: found(k + 1).ok() }).collect();
        let results: Vec<Result<u32, u8>> = (0..n).map(|k| found(k).map_err(|e| e as u8)).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let (mut y, mut z) = (vec![0; n as usize], vec![0; n as usize]);
            m::run(&x, &mut y);
            m::elements(&results, &mut z);
            (y, z)
        });
    }
}
