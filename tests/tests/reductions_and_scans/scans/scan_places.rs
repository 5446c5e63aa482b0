//! Scans of fields, of parts of elements, from what an inner loop adds up, in blocks and tasks: every device against the loop
//! one after the other.
#![allow(clippy::needless_range_loop, clippy::assign_op_pattern, reason = "loops are as users write them")]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::on_every_device;

const LENGTHS: [usize; 6] = [0, 1, 2, 33, 1000, 20_001];

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Part {
    n: u32,
    v: f64,
}

struct Table {
    x: Vec<u32>,
    sums: Vec<u32>,
    total: u32,
}

#[omp::offload]
impl Table {
    fn fill(&mut self, d: usize) {
        #[omp::target(device(d), scan(+: self.sums))]
        for i in 1..self.x.len() {
            self.sums[i] = self.sums[i - 1] + self.x[i - 1];
        }
    }

    fn carry(&mut self, d: usize) {
        #[omp::target(device(d), scan(+: self.total))]
        for i in 0..self.x.len() {
            self.total += self.x[i];
            self.sums[i] = self.total;
        }
    }
}

#[omp::offload]
mod parts {
    use super::Part;

    pub fn of_tuples(d: usize, x: &[u32], y: &mut [(u32, u64)]) {
        #[omp::scan(+, device(d))]
        for i in 1..x.len() {
            y[i].0 = y[i - 1].0 + x[i];
        }
    }

    pub fn of_structs(d: usize, x: &[u32], y: &mut [Part]) {
        #[omp::scan(+, f64, device(d))]
        for i in 1..x.len() {
            y[i].v = y[i - 1].v + x[i] as f64;
        }
    }

    pub fn of_arrays(d: usize, x: &[u32], y: &mut [[u32; 3]]) {
        #[omp::scan(+, device(d))]
        for i in 1..x.len() {
            y[i][1] = y[i - 1][1] + x[i];
        }
    }

    pub fn field_carried(d: usize, x: &[u32], y: &mut [u32]) -> Part {
        let mut p = Part { n: 1, v: 0.5 };
        #[omp::target(device(d), scan(+: p.n))]
        for i in 0..x.len() {
            p.n += x[i];
            y[i] = p.n;
        }
        p
    }

    pub fn tuple_carried(d: usize, x: &[u32], y: &mut [u32]) -> (u32, u8) {
        let mut p = (1, 4);
        #[omp::target(device(d), scan(+: p.0))]
        for i in 0..x.len() {
            p.0 += x[i];
            y[i] = p.0;
        }
        p
    }

    pub fn of_a_box(d: usize, y: &mut Box<[u32]>) {
        #[omp::scan(+, device(d))]
        for i in 1..y.len() {
            y[i] += y[i - 1];
        }
    }

    pub fn by_iterators(d: usize, x: &[u32], y: &mut [u32]) -> u32 {
        let mut s = 0;
        #[omp::scan(+, device(d))]
        for (v, o) in x.iter().zip(y.iter_mut()) {
            s += *v;
            *o = s;
        }
        s
    }

    pub fn subtracted(d: usize, x: &[f64], y: &mut [f64], z: &mut [f64]) -> f64 {
        let mut s = 0.0;
        #[omp::target(device(d), scan(+: s, y), scan(max: z))]
        for i in 1..x.len() {
            s -= x[i];
            y[i] = y[i - 1] - x[i - 1];
            z[i] = x[i].max(z[i - 1]);
        }
        s
    }
}

#[test]
fn parts_of_places_are_scanned() {
    on_every_device(|d| {
        for n in LENGTHS {
            let x: Vec<u32> = (0..n).map(|i| (i * 7919 % 101) as u32).collect();
            let sums: Vec<u32> = x
                .iter()
                .scan(0, |s, v| {
                    *s += v;
                    Some(*s)
                })
                .collect();
            let total = sums.last().copied().unwrap_or(0);
            let first = x.first().copied().unwrap_or(0);
            let mut t = Table { x: x.clone(), sums: vec![0; n], total: 3 };
            t.fill(d);
            assert!((0..n).all(|i| t.sums[i] == sums[i] - x[i]), "{n} on {d}");
            t.carry(d);
            assert!(t.total == 3 + total && (0..n).all(|i| t.sums[i] == 3 + sums[i]), "{n} on {d}");
            let mut y = vec![(first, 77u64); n];
            parts::of_tuples(d, &x, &mut y);
            assert!((0..n).all(|i| y[i] == (sums[i], 77)), "{n} on {d}");
            let mut y = vec![Part { n: 4, v: f64::from(first) }; n];
            parts::of_structs(d, &x, &mut y);
            assert!((0..n).all(|i| y[i] == Part { n: 4, v: f64::from(sums[i]) }), "{n} on {d}");
            let mut y = vec![[5, first, 6]; n];
            parts::of_arrays(d, &x, &mut y);
            assert!((0..n).all(|i| y[i] == [5, sums[i], 6]), "{n} on {d}");
            let mut y = vec![0; n];
            assert_eq!(parts::field_carried(d, &x, &mut y), Part { n: 1 + total, v: 0.5 }, "{n} on {d}");
            assert!((0..n).all(|i| y[i] == 1 + sums[i]), "{n} on {d}");
            assert_eq!(parts::tuple_carried(d, &x, &mut y), (1 + total, 4), "{n} on {d}");
            assert!((0..n).all(|i| y[i] == 1 + sums[i]), "{n} on {d}");
            let mut y: Box<[u32]> = x.clone().into();
            parts::of_a_box(d, &mut y);
            assert_eq!(&y[..], &sums[..], "{n} on {d}");
            let mut y = vec![0; n];
            assert_eq!((parts::by_iterators(d, &x, &mut y), &y), (total, &sums), "{n} on {d}");
            let f: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
            let (mut y, mut z) = (vec![0.0; n], vec![f64::NAN; n]);
            let s = parts::subtracted(d, &f, &mut y, &mut z);
            assert_eq!(s, f64::from(first) - f64::from(total), "{n} on {d}");
            let mut most = f64::NAN;
            for i in 1..n {
                most = most.max(f[i]);
                assert_eq!((y[i], z[i]), (-f64::from(sums[i - 1]), most), "{i} of {n} on {d}");
            }
        }
    });
}

#[omp::offload]
mod inner {
    /// What an inner loop adds up is the element's expression, no scan along that loop.
    pub fn sums_of_rows(d: usize, a: &[u32], w: usize, y: &mut [u32]) {
        #[omp::scan(+, device(d))]
        for r in 1..y.len() {
            let mut t = 0;
            for c in 0..w {
                t += a[r * w + c];
            }
            y[r] = y[r - 1] + t;
        }
    }

    pub fn carried(d: usize, a: &[u32], w: usize, y: &mut [u32]) -> u32 {
        let mut s = 3;
        #[omp::scan(max, device(d))]
        for r in 0..y.len() {
            let mut t = 0;
            for c in 0..w {
                t = t.max(a[r * w + c]);
            }
            s = s.max(t);
            y[r] = s;
        }
        s
    }

    pub fn named(d: usize, a: &[u32], w: usize, y: &mut [u32]) {
        #[omp::target(device(d), scan(+: y))]
        for r in 1..y.len() {
            let mut t = 0;
            for c in 0..w {
                t += a[r * w + c];
            }
            y[r] = y[r - 1] + t;
        }
    }
}

#[test]
fn inner_loops_make_element_expressions() {
    on_every_device(|d| {
        for (h, w) in [(0, 3), (1, 1), (5, 0), (33, 7), (700, 31)] {
            let a: Vec<u32> = (0..h * w).map(|i| (i * 7919 % 1013) as u32).collect();
            let row = |r: usize| &a[r * w..(r + 1) * w];
            let (mut y, mut z) = (vec![5; h], vec![5; h]);
            inner::sums_of_rows(d, &a, w, &mut y);
            inner::named(d, &a, w, &mut z);
            let mut s = 5;
            for r in 1..h {
                s += row(r).iter().sum::<u32>();
                assert_eq!((y[r], z[r]), (s, s), "{r} of {h} by {w} on {d}");
            }
            let most = inner::carried(d, &a, w, &mut y);
            let mut s = 3;
            for r in 0..h {
                s = row(r).iter().copied().fold(s, u32::max);
                assert_eq!(y[r], s, "{r} of {h} by {w} on {d}");
            }
            assert_eq!(most, s, "{h} by {w} on {d}");
        }
    });
}

#[omp::offload]
mod around {
    pub fn block(d: usize, x: &[u32], y: &mut [u32], z: &mut [u32]) -> (u32, u32) {
        let (mut top, mut s) = (0, 1);
        #[omp::target(device(d), map(to: x), map(tofrom: y, z, top, s))]
        {
            #[omp::parallel_for]
            for i in 0..x.len() {
                y[i] = x[i] * 2;
            }
            #[omp::scan(+)]
            for i in 1..x.len() {
                y[i] += y[i - 1];
            }
            #[omp::scan(max)]
            for i in 1..x.len() {
                z[i] = z[i - 1].max(y[i] % 1000);
            }
            #[omp::parallel_for(reduction(max: top))]
            for i in 0..x.len() {
                top = top.max(z[i]);
            }
            #[omp::scan(+)]
            for i in 0..x.len() {
                s += x[i];
                z[i] = s;
            }
            #[omp::parallel_for]
            for i in 0..x.len() {
                z[i] += s;
            }
        }
        (top, s)
    }

    pub fn tasks(d: usize, x: &[u32], y: &mut [u32], z: &mut [u32]) -> u32 {
        let mut t = 0;
        #[omp::target(device(d), nowait, scan(+: y), depend(out: y))]
        for i in 1..x.len() {
            y[i] = y[i - 1] + x[i];
        }
        #[omp::target(device(d), nowait, scan(^: z), depend(in: y))]
        for i in 1..x.len() {
            z[i] = z[i - 1] ^ y[i];
        }
        #[omp::target(device(d), nowait, reduction(^: t))]
        for i in 0..x.len() {
            t ^= z[i];
        }
        omp::taskwait!();
        t
    }

    pub fn again(d: usize, y: &mut [u32], rounds: usize) {
        #[omp::target_data(device(d), map(tofrom: y))]
        {
            for _ in 0..rounds {
                #[omp::scan(+, u32, device(d))]
                for i in 1..y.len() {
                    y[i] = y[i].wrapping_add(y[i - 1]);
                }
            }
        }
    }

    pub fn limited(d: usize, x: &[u64], y: &mut [u64], (teams, threads, on): (usize, usize, bool)) {
        #[omp::scan(+, u64, device(d), num_teams(teams), thread_limit(threads), if(on), name("prefix"))]
        for i in 1..x.len() {
            y[i] = y[i - 1] + x[i];
        }
    }

    pub fn with_the_last(d: usize, x: &[i32], y: &mut [i32]) -> (i32, i32) {
        let (mut low, mut last) = (0, 0);
        #[omp::target(device(d), scan(+: y), reduction(min: low), lastprivate(last))]
        for i in 1..x.len() {
            last = x[i] + 1;
            y[i] = y[i - 1] + last;
            low = low.min(x[i]);
        }
        (low, last)
    }

    /// The scan goes along the outer loop, so the loops are interchanged.
    pub fn with_copies(d: usize, x: &[u32], y: &mut [u32], rows: usize, width: usize) {
        let (mut t, mut p) = (9, [9; 4]);
        #[omp::scan(+, device(d), private(t, p))]
        for i in 1..rows {
            for j in 0..width {
                if x[i * width + j].is_multiple_of(3) {
                    t = 1;
                } else {
                    t = x[i * width + j];
                }
                for q in 0..4 {
                    p[q] = t + q as u32;
                }
                y[i * width + j] = y[(i - 1) * width + j] + p[j % 4];
            }
        }
    }
}

#[test]
fn copies_that_each_iteration_assigns_are_of_any_order() {
    on_every_device(|d| {
        for (rows, width) in [(0, 0), (1, 5), (7, 1), (40, 33)] {
            let x: Vec<u32> = (0..rows * width).map(|i| (i * 7919 % 101) as u32).collect();
            let (mut y, mut want) = (x.clone(), x.clone());
            around::with_copies(d, &x, &mut y, rows, width);
            for i in width..rows * width {
                let t = if x[i].is_multiple_of(3) { 1 } else { x[i] };
                want[i] = want[i - width] + t + (i % width % 4) as u32;
            }
            assert_eq!(y, want, "{rows} by {width} on {d}");
        }
    });
}

#[test]
fn scans_stand_in_blocks_tasks_and_under_clauses() {
    on_every_device(|d| {
        for n in LENGTHS {
            let x: Vec<u32> = (0..n).map(|i| (i * 7919 % 101) as u32).collect();
            let total: u32 = x.iter().sum();
            let (mut y, mut z) = (vec![0; n], vec![0; n]);
            let got = around::block(d, &x, &mut y, &mut z);
            let (mut s, mut top) = (0, 0);
            for i in 0..n {
                s += 2 * x[i];
                top = if i > 0 { top.max(s % 1000) } else { 0 };
                assert_eq!((y[i], z[i]), (s, 2 + total + s / 2), "{i} of {n} on {d}");
            }
            assert_eq!(got, (top, 1 + total), "{n} on {d}");

            let (mut y, mut z) = (vec![3; n], vec![1; n]);
            let got = around::tasks(d, &x, &mut y, &mut z);
            let (mut a, mut b, mut c) = (3, 1, u32::from(n > 0));
            for i in 1..n {
                a += x[i];
                b ^= a;
                c ^= b;
                assert_eq!((y[i], z[i]), (a, b), "{i} of {n} on {d}");
            }
            assert_eq!(got, c, "{n} on {d}");

            let (mut y, mut want) = (x.clone(), x.clone());
            around::again(d, &mut y, 3);
            for _ in 0..3 {
                (1..n).for_each(|i| want[i] = want[i].wrapping_add(want[i - 1]));
            }
            assert_eq!(y, want, "{n} on {d}");

            let k: Vec<i32> = x.iter().map(|v| *v as i32 - 50).collect();
            let mut y = vec![0; n];
            let got = around::with_the_last(d, &k, &mut y);
            let mut s = 0;
            for i in 1..n {
                s += k[i] + 1;
                assert_eq!(y[i], s, "{i} of {n} on {d}");
            }
            let last = if n > 1 { k[n - 1] + 1 } else { 0 };
            assert_eq!(got, (k.iter().skip(1).copied().fold(0, i32::min), last), "{n} on {d}");
        }
    });
}

#[test]
fn limits_and_conditions_of_scans() {
    for n in LENGTHS {
        let x: Vec<u64> = (0..n as u64).collect();
        for d in 0..=omp::get_num_devices() {
            for limits in [(1, 1, true), (3, 33, true), (4096, 1024, true), (7, 100, false)] {
                let mut y = vec![5; n];
                around::limited(d, &x, &mut y, limits);
                let mut s = 5;
                for i in 1..n {
                    s += x[i];
                    assert_eq!(y[i], s, "{i} of {n}, {limits:?} on {d}");
                }
            }
        }
    }
}

/// Names that read like two words and a blank less are other names.
#[omp::offload]
mod words {
    pub fn scanned(d: usize, y: &mut [u32], (kasusize, k): (usize, u32), n: usize) {
        #[omp::target(device(d), scan(+: y))]
        for i in 1..n {
            y[i + kasusize] = y[i - 1 + kasusize] + k;
        }
    }

    pub fn reduced(d: usize, h: &mut [u32], at: &[u8], atasusize: usize) {
        #[omp::target(device(d), reduction(+: h))]
        for i in 0..at.len() {
            let at = at[i];
            h[atasusize] = h[atasusize] + 1;
            h[at as usize] = h[at as usize] + 1;
        }
    }
}

#[test]
fn names_that_read_alike() {
    for d in 0..=omp::get_num_devices() {
        let (mut y, mut h) = (vec![1; 100], vec![0; 10]);
        words::scanned(d, &mut y, (2, 3), 90);
        words::reduced(d, &mut h, &[1, 2, 3, 1, 1], 9);
        assert_eq!((y[2], y[3], y[91], &h[..4], h[9]), (1, 4, 1 + 3 * 89, &[0, 3, 1, 1][..], 5));
    }
}

/// What iterations meet in is refused at launch, in the carried elements themselves and in other fields beside them.
#[omp::offload]
mod meeting {
    use super::Part;

    pub fn strides(d: usize, y: &mut [u32], n: usize, by: usize) {
        #[omp::target(device(d), scan(+: y))]
        for i in 1..n {
            y[i * by] = y[(i - 1) * by] + 1;
        }
    }

    pub fn one_field(d: usize, y: &mut [Part], n: usize) {
        #[omp::target(device(d), scan(+: y))]
        for i in 1..n {
            y[i].n = y[i - 1].n + 1;
            if i % 700 == 50 {
                y[7].v = i as f64;
            }
        }
    }
}

#[test]
fn iterations_that_meet() {
    let n = 3000;
    for d in 0..=omp::get_num_devices() {
        let mut y = vec![1; 3 * n];
        let parts = vec![Part { n: 1, v: 2.0 }; n + 1];
        meeting::strides(d, &mut y, n, 3);
        assert_eq!((y[3], y[3 * (n - 1)], y[1]), (2, n as u32, 1));
        let tries: [(&str, &mut dyn FnMut()); 2] = [
            ("one element", &mut || meeting::strides(d, &mut y.clone(), n, 0)),
            ("one field", &mut || meeting::one_field(d, &mut parts.clone(), n)),
        ];
        for (what, run) in tries {
            let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err(what);
            let message = failed.downcast_ref::<String>().map_or("", |m| m.as_str());
            assert!(message.contains("race through"), "{what} on {d}: {message}");
        }
    }
}
