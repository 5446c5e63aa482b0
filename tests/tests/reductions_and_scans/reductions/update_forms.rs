//! Forms of updates and of recurrences beyond the plain ones, against the loop one after the other.
#![allow(
    clippy::if_same_then_else,
    clippy::match_bool,
    clippy::needless_bool,
    clippy::nonminimal_bool,
    clippy::single_match,
    reason = "the form of the update is what is tested"
)]
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 7] = [0, 1, 2, 33, 1000, 4097, 20_001];

/// The map `v -> a v + b`; maps do not commute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Affine {
    a: u32,
    b: u32,
}

#[omp::declare_reduction(then: Affine, identity = Affine { a: 1, b: 0 })]
fn then(f: Affine, g: Affine) -> Affine {
    Affine { a: f.a.wrapping_mul(g.a), b: f.b.wrapping_mul(g.a).wrapping_add(g.b) }
}

#[omp::offload]
mod updates {
    use super::{Affine, then};

    /// Each under a condition of its own.
    pub fn conditional(d: usize, x: &[i32], f: &[Affine]) -> (i32, i32, i32, Affine) {
        let (mut sum, mut high, mut low, mut all) = (5, -7, 7, Affine { a: 3, b: 4 });
        #[omp::target(device(d), reduction(+: sum), reduction(max: high), reduction(min: low), reduction(then: all))]
        for i in 0..x.len() {
            sum = if x[i] > 10 {
                sum + x[i]
            } else if x[i] < -10 {
                x[i] + sum
            } else {
                sum
            };
            if i % 3 != 1 && x[i] > high {
                high = x[i];
            }
            let odd = if x[i] % 2 == 0 { None } else { Some(x[i]) };
            if let Some(v) = odd
                && v < low
                && i != 5
            {
                low = v;
            }
            all = if x[i] % 3 == 0 { then(all, f[i]) } else { all };
        }
        (sum, high, low, all)
    }

    /// A NaN is passed over, and stays where the loop starts with it.
    pub fn by_comparison(d: usize, x: &[f32], start: f32) -> [f32; 4] {
        let (mut a, mut b, mut c, mut e) = (start, start, start, start);
        #[omp::target(device(d), reduction(max: a, b), reduction(min: c, e))]
        for i in 0..x.len() {
            a = if x[i] > a { x[i] } else { a };
            b = if b < x[i] { x[i] } else { b };
            c = if x[i] < c { x[i] } else { c };
            if i % 2 == 0 && e > x[i] {
                e = x[i];
            }
        }
        [a, b, c, e]
    }

    /// Integers have an order in which either value may be kept, and a comparison can be denied.
    pub fn either(d: usize, x: &[i32], highs: &mut [i32; 3]) -> [i32; 5] {
        let (mut high, mut b, mut c, mut e, mut low) = (-7, -7, -7, -7, 7);
        #[omp::target(device(d), reduction(max: high, b, c, e, highs), reduction(min: low))]
        for i in 0..x.len() {
            high = if high > x[i] { high } else { x[i] };
            if !(x[i] <= b) {
                b = x[i];
            }
            if c >= x[i] {
            } else {
                c = x[i];
            }
            match e < x[i] {
                true => e = x[i],
                false => {}
            }
            low = match x[i] < low {
                false => low,
                _ => x[i],
            };
            if !(highs[i % 3] >= x[i]) {
                highs[i % 3] = x[i];
            }
        }
        [high, b, c, e, low]
    }
}

#[test]
fn updates_stand_under_conditions() {
    on_every_device(|d| {
        for n in LENGTHS {
            let mut r = Values(n as u64);
            let x: Vec<i32> = (0..n).map(|_| r.bits() as i32 % 1000).collect();
            let f: Vec<Affine> = (0..n).map(|_| Affine { a: r.bits() | 1, b: r.bits() }).collect();
            let sum = x.iter().filter(|v| v.abs() > 10).sum::<i32>() + 5;
            let high = (0..n).filter(|i| i % 3 != 1).map(|i| x[i]).fold(-7, i32::max);
            let low = (0..n).filter(|i| *i != 5 && x[*i] % 2 != 0).map(|i| x[i]).fold(7, i32::min);
            let all = (0..n).filter(|i| x[*i] % 3 == 0).fold(Affine { a: 3, b: 4 }, |all, i| then(all, f[i]));
            assert_eq!(updates::conditional(d, &x, &f), (sum, high, low, all), "{n} on {d}");
            let (high, low) = (x.iter().fold(-7, |a, b| a.max(*b)), x.iter().fold(7, |a, b| a.min(*b)));
            let highs = [0, 1, 2].map(|k| x.iter().skip(k).step_by(3).fold(-9, |a, b| a.max(*b)));
            let mut got = [-9; 3];
            assert_eq!(updates::either(d, &x, &mut got), [high, high, high, high, low], "{n} on {d}");
            assert_eq!(got, highs, "{n} on {d}");

            let x: Vec<f32> = x.iter().map(|v| if v % 4 == 0 { f32::NAN } else { *v as f32 }).collect();
            for start in [0.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut want = [start; 4];
                for (i, v) in x.iter().enumerate() {
                    let larger = [want[0] < *v, want[1] < *v, want[2] > *v, i % 2 == 0 && want[3] > *v];
                    for k in 0..4 {
                        want[k] = if larger[k] { *v } else { want[k] };
                    }
                }
                let got = updates::by_comparison(d, &x, start);
                assert!(
                    (0..4).all(|k| got[k] == want[k] || (got[k].is_nan() && want[k].is_nan())),
                    "{n} on {d}"
                );
            }
        }
    });
}

#[omp::offload]
mod recurrences {
    use super::{Affine, then};

    pub fn by_u32(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::scan(^, device(d))]
        for i in 1u32..y.len() as u32 {
            y[i as usize] = y[i as usize - 1] ^ x[i as usize];
        }
    }

    pub fn by_i32(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::scan(^, device(d))]
        for i in 1i32..y.len() as i32 {
            y[i as usize] = y[(i - 1) as usize] ^ x[i as usize];
        }
    }

    pub fn backwards(d: usize, y: &mut [u32]) {
        #[omp::scan(^, device(d))]
        for i in (0i64..y.len() as i64 - 1).rev() {
            y[i as usize] ^= y[(i + 1) as usize];
        }
    }

    pub fn bytes(d: usize, y: &mut [u8; 256]) {
        #[omp::scan(+, device(d))]
        for i in 1u8..=255 {
            y[i as usize] = y[(i - 1) as usize].wrapping_add(y[i as usize]);
        }
    }

    pub fn named(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::scan(^, device(d))]
        for k in 0..x.len().saturating_sub(1) {
            let at = k + 1;
            let before = at - 1;
            y[at] = y[before] ^ x[at];
        }
    }

    pub fn rows(d: usize, a: &mut [u32], height: u32, width: u32) {
        #[omp::scan(^, device(d))]
        for r in 0..height {
            for c in 1..width {
                let at = (r * width + c) as usize;
                a[at] ^= a[(r * width + c - 1) as usize];
            }
        }
    }

    pub fn columns(d: usize, a: &mut [u32], height: usize, width: usize) {
        #[omp::scan(^, device(d))]
        for c in 0..width {
            for r in 1..height {
                let at = r * width + c;
                a[at] ^= a[at - width];
            }
        }
    }

    /// Each row carries a variable of its own.
    pub fn in_rows(d: usize, x: &[u32], y: &mut [u32], totals: &mut [u32], width: usize) {
        #[omp::target(device(d), scan(+: y))]
        for r in 0..totals.len() {
            let mut s = 0u32;
            for c in 0..width {
                y[r * width + c] = s;
                s = s.wrapping_add(x[r * width + c]);
            }
            totals[r] = s;
        }
    }

    pub fn in_columns(d: usize, x: &[u32], y: &mut [u32], height: usize, width: usize) {
        #[omp::scan(^, device(d))]
        for c in 0..width {
            let mut s = 9;
            for r in 0..height {
                s ^= x[r * width + c];
                y[r * width + c] = s;
            }
        }
    }

    pub fn in_layers(d: usize, f: &[Affine], y: &mut [Affine], size: (usize, usize, usize)) {
        let (depth, height, width) = size;
        #[omp::scan(then, Affine, device(d))]
        for k in 0..depth {
            for r in 0..height {
                let mut all = Affine { a: 1, b: 0 };
                for c in (0..width).rev() {
                    let at = (k * height + r) * width + c;
                    all = then(all, f[at]);
                    y[at] = all;
                }
            }
        }
    }
}

#[test]
fn recurrences_have_subscripts_of_any_form() {
    on_every_device(|d| {
        let mut bytes: [u8; 256] = std::array::from_fn(|i| (i * 3 + 1) as u8);
        let mut want = bytes;
        recurrences::bytes(d, &mut bytes);
        (1..256).for_each(|i| want[i] = want[i].wrapping_add(want[i - 1]));
        assert_eq!(bytes, want, "on {d}");
        for n in LENGTHS {
            let mut r = Values(n as u64);
            let x: Vec<u32> = (0..n).map(|_| r.bits()).collect();
            let (mut up, mut down) = (x.clone(), x.clone());
            (1..n).for_each(|i| up[i] ^= up[i - 1]);
            (1..n).rev().for_each(|i| down[i - 1] ^= down[i]);
            for f in [recurrences::by_u32, recurrences::by_i32, recurrences::named] {
                let mut y = x.clone();
                f(d, &x, &mut y);
                assert!(y == up, "{n} on {d}");
            }
            let mut y = x.clone();
            recurrences::backwards(d, &mut y);
            assert!(y == down, "{n} on {d}");
        }
    });
}

#[test]
fn rows_and_columns_carry_variables() {
    on_every_device(|d| {
        for (height, width) in [(0, 3), (1, 1), (5, 2), (3, 33), (100, 7), (16, 300), (2, 5000)] {
            let n = height * width;
            let mut r = Values(n as u64 + 1);
            let x: Vec<u32> = (0..n).map(|_| r.bits()).collect();
            let f: Vec<Affine> = (0..n).map(|_| Affine { a: r.bits() | 1, b: r.bits() }).collect();
            let (mut rows, mut columns) = (x.clone(), x.clone());
            let (mut sums, mut totals, mut layers) = (vec![0; n], vec![0u32; height], f.clone());
            for i in 0..n {
                let (row, column) = (i / width, i % width);
                rows[i] ^= if column > 0 { rows[i - 1] } else { 0 };
                columns[i] ^= if row > 0 { columns[i - width] } else { 0 };
                sums[i] = totals[row];
                totals[row] = totals[row].wrapping_add(x[i]);
            }
            for i in (0..n).rev() {
                let from = if (i + 1) % width == 0 { Affine { a: 1, b: 0 } } else { layers[i + 1] };
                layers[i] = then(from, f[i]);
            }
            let mut y = x.clone();
            recurrences::rows(d, &mut y, height as u32, width as u32);
            assert!(y == rows, "{height} x {width} on {d}");
            let mut y = x.clone();
            recurrences::columns(d, &mut y, height, width);
            assert!(y == columns, "{height} x {width} on {d}");
            recurrences::in_columns(d, &x, &mut y, height, width);
            assert!((0..n).all(|i| y[i] == columns[i] ^ 9), "{height} x {width} on {d}");
            let mut t = vec![1; height];
            recurrences::in_rows(d, &x, &mut y, &mut t, width);
            assert!((y, t) == (sums, totals), "{height} x {width} on {d}");
            let mut y = f.clone();
            let depth = if height % 2 == 0 { 2 } else { 1 };
            recurrences::in_layers(d, &f, &mut y, (depth, height / depth, width));
            assert!(y == layers, "{height} x {width} on {d}");
        }
    });
}

const FAILS: u32 = line!() + 6;

#[omp::offload]
fn counted(d: usize, at: &[usize], bins: &mut [u32], (lo, hi): (usize, usize)) {
    #[omp::target(device(d), reduction(+: bins[lo..hi]))]
    for i in 0..at.len() {
        bins[at[i]] += 1;
    }
}

#[test]
fn elements_outside_of_sections_tell_place_and_iteration() {
    on_every_device(|d| {
        for (wrong, section, what) in
            [(10, (0, 10), "the len is 10 but the index is 10"), (6, (2, 5), "no element 6")]
        {
            let (mut at, mut bins) = (vec![3; 5000], [0; 10]);
            at[500] = wrong;
            let failed = std::panic::AssertUnwindSafe(|| counted(d, &at, &mut bins, section));
            let payload = std::panic::catch_unwind(failed).expect_err("the element is outside");
            let text = payload.downcast_ref::<String>().expect("a text");
            for part in [what, "i = 500", &format!("update_forms.rs:{FAILS}:")] {
                assert!(text.contains(part), "no {part:?} in {text} on {d}");
            }
            at[500] = 3;
            bins = [0; 10];
            counted(d, &at, &mut bins, section);
            assert_eq!(bins[3], 5000, "on {d}");
        }
    });
}

#[derive(Clone, Copy, omp::Device)]
struct Point {
    x: f32,
    y: f32,
}

#[omp::declare_target]
impl Point {
    fn norm(&self) -> f32 {
        self.x * self.x + self.y * self.y
    }
}

#[omp::offload]
fn farthest(d: usize, points: &[Point], tops: &mut [f32; 3]) {
    let [mut moved, mut fixed, mut side] = *tops;
    #[omp::target(device(d), reduction(max: moved, fixed, side))]
    for i in 0..points.len() {
        let mut p = points[i];
        p.y += 1.0;
        let norm = p.norm();
        if norm > moved {
            moved = norm;
        }
        let q = p;
        if q.norm() > fixed {
            fixed = q.norm();
        }
        if p.x.abs() > side {
            side = p.x.abs();
        }
    }
    *tops = [moved, fixed, side];
}

#[test]
fn comparisons_call_methods_that_change_nothing() {
    let points: Vec<Point> = (0..1000).map(|i| Point { x: -(i as f32), y: 2.0 }).collect();
    on_every_device(|d| {
        let mut tops = [0.0; 3];
        farthest(d, &points, &mut tops);
        assert_eq!(tops, [999.0 * 999.0 + 9.0, 999.0 * 999.0 + 9.0, 999.0], "on {d}");
    });
}

type Nested = ((Vec<i32>, (i32, f32)), u8);

#[omp::offload]
fn of_nested_tuples(d: usize, t: &mut Nested) {
    #[omp::target(device(d), map(tofrom: t.0.0[..3]), reduction(+: t.0.1.0, t.0.1.1))]
    for i in 0..3 {
        t.0.0[i] *= 2;
        t.0.1.0 += t.0.0[i];
        t.0.1.1 += 0.5;
    }
}

#[test]
fn fields_of_tuples_in_tuples_are_items_of_clauses() {
    on_every_device(|d| {
        let mut t = ((vec![1, 2, 3, 4], (5, 1.0)), 7);
        of_nested_tuples(d, &mut t);
        assert_eq!(t, ((vec![2, 4, 6, 4], (17, 2.5)), 7));
    });
}
