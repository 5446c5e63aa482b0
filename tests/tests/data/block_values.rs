//! Values of target blocks that are more than a number: fixed arrays that are assigned as a whole, parts of tuples and structs,
//! `Option`s that branches give. And fixed arrays behind a `&` that loops take as a value.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, on_every_device, panic_of, twice};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Parts {
    pub total: i64,
    pub part: [i32; 4],
}

twice! {
    pub fn arrays(d: usize, y: &mut [i64], c: &mut [i64; 3]) -> Vec<i64> {
        let (n, e, mut g) = (y.len(), [7i64; 3], [[1i64; 2]; 2]);
        let rows = [[1i64, 2, 3], [4, 5, 6]];
        let mut a = Parts { total: 1, part: [1; 4] };
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += c[0] + e[1] + g[1][1] + a.part[i % 4] as i64;
            }
            if n > 1 {
                let t = c[1];
                *c = [t, c[0], y[0]];
            }
            g = [[3, y[1]], [c[0], 4]];
            g[0] = [1, g[0][1]];
            a.part = [4, 3, y[0] as i32, 1];
            a.total += y[1];
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += c[i % 3] + g[i % 2][i / 2 % 2] + a.part[i % 4] as i64;
            }
            for (k, row) in rows.iter().enumerate() {
                *c = *row;
                y[k] += c[2] * 5 + c[0];
            }
            if y[0] > 300 {
                *c = e;
            }
        }
        vec![a.total, a.part[2] as i64, g[0][1], g[1][0]]
    }

    pub fn parts(d: usize, y: &mut [i64], c: &mut [i64; 3]) -> Vec<i64> {
        let (n, mut t) = (y.len(), (1i64, 2));
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += t.0;
            }
            t.1 += y[0];
            y[1] += t.0;
            t.1 += y[1];
            t.0 = 5;
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += t.1;
            }
        }
        vec![t.0, t.1, c[0]]
    }

    /// What the host asks the device for may change the host's variables on the way.
    pub fn effects(d: usize, y: &mut [i64], c: &mut [i64; 3]) -> Vec<i64> {
        let (n, mut k) = (y.len(), 0i64);
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += i as i64;
            }
            let t = match y[1] {
                v if y[2] > v => {
                    k += v;
                    y[3]
                }
                v => v + 50,
            };
            let e = [y[0], { k += 1; k }, y[2]];
            let v = loop {
                k += 1;
                if k % 3 == 0 {
                    break y[1] + k;
                }
                y[2] += k;
            };
            if { k += 4; y[0] < k } && n > 2 {
                k += y[1];
            }
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += e[i % 3] + t + v;
            }
        }
        vec![k, c[0]]
    }

    pub fn options(d: usize, y: &mut [i64], c: &mut [i64; 3]) -> Vec<i64> {
        let n = y.len();
        let out;
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += 1;
            }
            let p = match y[0] {
                2 => {
                    let t = y[1];
                    Some(t + 1)
                }
                _ => None,
            };
            let q = if let Some(v) = p { if v > 2 { Some(v + y[0]) } else { None } } else { None };
            if let Some(v) = q {
                #[omp::parallel_for]
                for i in 0..n {
                    y[i] += v;
                }
            }
            out = (p.unwrap_or(3), q);
        }
        vec![out.0, out.1.unwrap_or(3)]
    }
}

#[test]
fn values_of_blocks_are_those_of_the_device() {
    for run in 0..4 {
        compare!(mode, d => {
            let (mut y, mut c) = (vec![1; 6], [1, 2, 3]);
            let out = [mode::arrays, mode::parts, mode::options, mode::effects][run](d, &mut y, &mut c);
            (y, c, out)
        });
    }
}

#[omp::offload]
fn whole(d: usize, c: &[i64; 2], y: &mut [i64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let mut s = *c;
        s[0] += i as i64;
        y[i] = s[0] * s[1];
    }
}

#[omp::offload]
fn elements(d: usize, c: &[i64; 2], y: &mut [i64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = (c[0] + i as i64) * c[1];
    }
}

/// A value is the host's; where kernels have written the device's, it is refused.
#[omp::offload]
fn kept(d: usize, c: &mut [i64; 2], y: &mut [i64]) -> (Option<String>, Vec<i64>) {
    let refused;
    #[omp::target_data(device(d), map(tofrom: c), map(tofrom: y))]
    {
        whole(d, c, y);
        whole(d, c, y);
        #[omp::target(device(d))]
        for k in 0..2 {
            c[k] += 10;
        }
        refused = panic_of(|| whole(d, c, y));
        elements(d, c, y);
    }
    (refused, y.to_vec())
}

#[test]
fn values_of_arrays_that_kernels_have_written_are_refused() {
    on_every_device(|d| {
        let (mut c, mut y) = ([1, 2], vec![0; 5]);
        let (refused, y) = kept(d, &mut c, &mut y);
        assert_eq!((c, y), ([11, 12], (0..5).map(|i| (11 + i) * 12).collect()));
        let on_host = d == omp::get_num_devices();
        assert_eq!(refused.is_none(), on_host, "{refused:?}");
        assert!(on_host || refused.is_some_and(|text| text.contains("takes `c` as a value")));
    });
}
