//! Declared reductions, arrays as items, reproducible sums and scans, against the loop one after the other.
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 9] = [0, 1, 2, 31, 64, 65, 1000, 4097, 70_001];

/// The map `v -> a v + b`; maps do not commute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Affine {
    a: u64,
    b: u64,
}

#[omp::declare_reduction(then: Affine, identity = Affine { a: 1, b: 0 })]
fn then(f: Affine, g: Affine) -> Affine {
    Affine { a: f.a.wrapping_mul(g.a), b: f.b.wrapping_mul(g.a).wrapping_add(g.b) }
}

/// A large value with a hole: 200 bytes, and padding behind `at`.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Wide {
    at: u8,
    parts: [u64; 24],
}

#[omp::declare_reduction(widen: Wide, identity = Wide { at: 0, parts: SCALE })]
fn widen(a: Wide, b: Wide) -> Wide {
    let mut r = b;
    for k in 1..24 {
        r.parts[k] = a.parts[k].wrapping_mul(b.parts[0]).wrapping_add(b.parts[k]);
    }
    r.parts[0] = a.parts[0].wrapping_mul(b.parts[0]);
    r.at = a.at.wrapping_add(b.at);
    r
}

const SCALE: [u64; 24] = {
    let mut parts = [0; 24];
    parts[0] = 1;
    parts
};

#[omp::declare_reduction(second: i32, identity = i32::MIN)]
fn second(a: i32, b: i32) -> i32 {
    if b == i32::MIN { a } else { b }
}

#[omp::offload]
fn declared(d: usize, f: &[Affine], keep: &[bool], start: Affine) -> (Affine, i32, f32) {
    let (mut all, mut last, mut sum) = (start, -5, 0.5f32);
    #[omp::target(device(d), reduction(then: all), reduction(second: last), reduction(+: sum))]
    for i in 0..f.len() {
        if keep[i] {
            all = then(all, f[i]);
            last = second(last, i as i32);
        }
        sum += 0.25;
    }
    (all, last, sum)
}

#[omp::offload]
fn wide(d: usize, x: &[u8]) -> Wide {
    let mut all = Wide { at: 1, parts: [7; 24] };
    #[omp::target(device(d), reduction(widen: all))]
    for i in 0..x.len() {
        all = widen(all, Wide { at: x[i] % 3, parts: [i as u64; 24] });
    }
    all
}

#[test]
fn declared_operators_keep_the_order_of_operands() {
    on_every_device(|d| {
        for n in LENGTHS {
            let mut r = Values(n as u64);
            let f: Vec<Affine> = (0..n).map(|_| Affine { a: r.wide() | 1, b: r.wide() }).collect();
            let keep: Vec<bool> = (0..n).map(|_| !r.bits().is_multiple_of(3)).collect();
            let start = Affine { a: 3, b: 5 };
            let kept: Vec<usize> = (0..n).filter(|&i| keep[i]).collect();
            let want = kept.iter().fold(start, |all, &i| then(all, f[i]));
            let last = kept.last().map_or(-5, |&i| i as i32);
            assert_eq!(declared(d, &f, &keep, start), (want, last, 0.5 + n as f32 * 0.25), "{n} on {d}");
            let x: Vec<u8> = (0..n).map(|_| r.bits() as u8).collect();
            let first = Wide { at: 1, parts: [7; 24] };
            let want = x
                .iter()
                .enumerate()
                .fold(first, |all, (i, v)| widen(all, Wide { at: v % 3, parts: [i as u64; 24] }));
            assert_eq!(wide(d, &x), want, "{n} on {d}");
        }
    });
}

struct Tables {
    counts: Vec<u32>,
    least: [[f32; 2]; 3],
}

#[omp::offload]
impl Tables {
    fn fill(&mut self, d: usize, x: &[u8], lo: usize, hi: usize, tops: &mut [Affine]) {
        #[omp::target(device(d), reduction(+: self.counts[lo..hi]), reduction(min: self.least), reduction(then: tops))]
        for i in 0..x.len() {
            let v = x[i] as usize;
            self.counts[lo + v % (hi - lo)] += v as u32;
            if (v as f32) < self.least[v % 3][i % 2] {
                self.least[v % 3][i % 2] = v as f32;
            }
            tops[v % 4] = then(tops[v % 4], Affine { a: 3, b: i as u64 });
        }
    }
}

#[test]
fn arrays_are_reduced_element_by_element() {
    on_every_device(|d| {
        for n in LENGTHS {
            let mut r = Values(n as u64 + 1);
            let x: Vec<u8> = (0..n).map(|_| r.bits() as u8).collect();
            let mut got = Tables {
                counts: (0..40).collect(),
                least: [[f32::NAN, 90.0], [80.0, 70.0], [60.0, f32::INFINITY]],
            };
            let mut tops = [Affine { a: 2, b: 1 }; 4];
            let (mut counts, mut least, mut maps) = (got.counts.clone(), got.least, tops);
            for (i, &v) in x.iter().enumerate() {
                let v = v as usize;
                counts[5 + v % 20] += v as u32;
                if (v as f32) < least[v % 3][i % 2] {
                    least[v % 3][i % 2] = v as f32;
                }
                maps[v % 4] = then(maps[v % 4], Affine { a: 3, b: i as u64 });
            }
            got.fill(d, &x, 5, 25, &mut tops);
            let bits = |l: [[f32; 2]; 3]| l.map(|p| p.map(|v| if v.is_nan() { 0 } else { v.to_bits() }));
            assert_eq!((got.counts, bits(got.least), tops), (counts, bits(least), maps), "{n} on {d}");
        }
    });
}

#[omp::offload]
fn reproducible(d: usize, x: &[f64], teams: usize, threads: usize) -> (f64, f64) {
    let (mut sum, mut product) = (1.0, 1.0);
    #[omp::target(device(d), num_teams(teams), thread_limit(threads),
        reduction(reproducible, +: sum), reduction(reproducible, *: product))]
    for i in 0..x.len() {
        sum += x[i] * x[i] + 0.1;
        product *= 1.0 + x[i] * 1e-9;
    }
    (sum, product)
}

#[test]
fn reproducible_sums_have_the_same_bits_everywhere() {
    for n in LENGTHS {
        let mut r = Values(n as u64 + 2);
        let x: Vec<f64> = (0..n).map(|_| f64::from(r.bits() as i32) / 1e6).collect();
        let mut first = None;
        on_every_device(|d| {
            for (teams, threads) in [(1, 1), (3, 32), (70, 256)] {
                let (sum, product) = reproducible(d, &x, teams, threads);
                let bits = (sum.to_bits(), product.to_bits());
                assert_eq!(*first.get_or_insert(bits), bits, "{n} on {d} with {teams} x {threads}");
            }
        });
    }
}

mod declared {
    #[omp::declare_target]
    pub(crate) fn thirds(v: f64) -> f64 {
        v / 7.0
    }
}
#[allow(unused_imports)]
use declared::*;

/// What rustc calls is not what was declared: no device runs it, and nothing is known of its subscripts.
fn thirds(v: f64) -> f64 {
    v / 3.0
}

#[omp::offload]
fn without_a_kernel(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[omp::target(reduction(reproducible, +: sum))]
    for i in 0..x.len() {
        sum += thirds(x[i]);
    }
    sum
}

#[omp::offload]
fn with_a_kernel(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[omp::target(reduction(reproducible, +: sum))]
    for i in 0..x.len() {
        sum += x[i] / 3.0;
    }
    sum
}

#[test]
fn reproducible_sums_without_a_proof_have_the_same_bits() {
    for n in LENGTHS {
        let mut r = Values(n as u64 + 5);
        let x: Vec<f64> = (0..n).map(|_| f64::from(r.bits() as i32) / 1e6).collect();
        assert_eq!(without_a_kernel(&x).to_bits(), with_a_kernel(&x).to_bits(), "{n}");
    }
}

#[omp::offload]
mod in_order {
    #[omp::declare_target]
    fn put(to: &mut [f64], v: f64) -> f64 {
        to[0] = v;
        v / 3.0
    }

    /// A section that no proof covers.
    pub fn gathered(d: usize, x: &[f64], at: &[usize], n: usize) -> f64 {
        let mut sum = 1.5;
        #[omp::target(device(d), map(to: x[..n]), reduction(reproducible, +: sum))]
        for i in 0..at.len() {
            sum += x[at[i]] / 3.0;
        }
        sum
    }

    /// What is written is handed on.
    pub fn handed_on(d: usize, x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 1.5;
        #[omp::target(device(d), reduction(reproducible, +: sum))]
        for i in 0..x.len() {
            sum += put(&mut y[i..=i], x[i]);
        }
        sum
    }

    /// The same, in nests.
    pub fn nest(d: usize, x: &[f64], at: &[usize], n: usize) -> (f64, f64) {
        let (mut two, mut three) = (0.0, 0.0);
        #[omp::target(device(d), collapse(2), map(to: x[..n]), reduction(reproducible, +: two))]
        for i in 0..at.len() {
            for j in 0..3 {
                two += x[at[i]] / (f64::from(j) + 3.0);
            }
        }
        #[omp::target(device(d), collapse(3), map(to: x[..n]), reduction(reproducible, +: three))]
        for i in 0..at.len() {
            for j in 0..3 {
                for k in 0..2 {
                    three += x[at[i]] / (f64::from(j) + f64::from(k) + 3.0);
                }
            }
        }
        (two, three)
    }

    pub fn proved(d: usize, x: &[f64]) -> (f64, f64, f64) {
        let (mut sum, mut two, mut three) = (1.5, 0.0, 0.0);
        #[omp::target(device(d), reduction(reproducible, +: sum))]
        for i in 0..x.len() {
            sum += x[i] / 3.0;
        }
        #[omp::target(device(d), collapse(2), reduction(reproducible, +: two))]
        for i in 0..x.len() {
            for j in 0..3 {
                two += x[i] / (f64::from(j) + 3.0);
            }
        }
        #[omp::target(device(d), collapse(3), reduction(reproducible, +: three))]
        for i in 0..x.len() {
            for j in 0..3 {
                for k in 0..2 {
                    three += x[i] / (f64::from(j) + f64::from(k) + 3.0);
                }
            }
        }
        (sum, two, three)
    }
}

#[test]
fn reproducible_sums_of_loops_as_they_stand_have_the_same_bits() {
    on_every_device(|d| {
        for n in LENGTHS {
            let mut r = Values(n as u64 + 7);
            let x: Vec<f64> = (0..n).map(|_| f64::from(r.bits() as i32) / 1e6).collect();
            let (at, mut y) = ((0..n).collect::<Vec<_>>(), vec![0.0; n]);
            let (sum, two, three) = in_order::proved(d, &x);
            let bits = |v: f64| v.to_bits();
            assert_eq!(bits(in_order::gathered(d, &x, &at, n)), bits(sum), "gathered, {n}");
            assert_eq!(bits(in_order::handed_on(d, &x, &mut y)), bits(sum), "handed on, {n}");
            let (nest2, nest3) = in_order::nest(d, &x, &at, n);
            assert_eq!((bits(nest2), bits(nest3)), (bits(two), bits(three)), "nests, {n}");
        }
    });
}

#[omp::offload]
mod scans {
    use super::{Affine, then};

    pub fn sums(d: usize, x: &[i64], y: &mut [i64], z: &mut [i64]) -> i64 {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s), scan(max: z))]
        for i in 1..x.len() {
            let v = x[i] ^ 1;
            y[i] = s;
            s += v;
            z[i] = z[i - 1].max(v);
        }
        s
    }

    pub fn maps(d: usize, f: &[Affine], y: &mut [Affine]) {
        let n = y.len();
        #[omp::scan(then, Affine, device(d))]
        for i in (0..n.saturating_sub(1)).rev() {
            y[i] = then(y[i + 1], f[i]);
        }
    }

    pub fn rows(d: usize, a: &mut [u32], width: usize) {
        let height = a.len() / width;
        #[omp::scan(+, device(d))]
        for r in 0..height {
            for c in 1..width {
                a[r * width + c] += a[r * width + c - 1];
            }
        }
    }

    /// An operator that can't overflow: the host's threads share this in debug builds, too.
    pub fn parities(d: usize, x: &[u32], start: u32, y: &mut [u32]) -> u32 {
        let mut s = start;
        #[omp::scan(^, device(d))]
        for i in 0..x.len() {
            s ^= x[i];
            y[i] = s;
        }
        s
    }

    pub fn gather(d: usize, x: &[u32], at: &[usize], y: &mut [u32]) {
        #[omp::scan(max, device(d))]
        for i in 1..y.len() {
            y[i] = y[i - 1].max(x[at[i]]);
        }
    }

    pub fn section(d: usize, a: &mut [u32], lo: usize, hi: usize) {
        #[omp::target(device(d), scan(^: a), map(tofrom: a[lo..hi]))]
        for i in lo + 1..hi {
            a[i] ^= a[i - 1];
        }
    }

    pub fn columns(d: usize, a: &mut [u32], width: usize) {
        let height = a.len() / width;
        #[omp::scan(+, device(d))]
        for r in 1..height {
            for c in 0..width {
                a[r * width + c] += a[(r - 1) * width + c];
            }
        }
    }
}

#[test]
fn scans_are_their_loops() {
    on_every_device(|d| {
        for n in LENGTHS {
            let mut r = Values(n as u64 + 3);
            let x: Vec<i64> = (0..n).map(|_| i64::from(r.bits() as i32)).collect();
            let (mut y, mut z) = (vec![-1; n], x.clone());
            let (mut wanted, mut highest, mut s) = (y.clone(), x.clone(), 7);
            for i in 1..n {
                wanted[i] = s;
                s += x[i] ^ 1;
                highest[i] = highest[i - 1].max(x[i] ^ 1);
            }
            assert_eq!(scans::sums(d, &x, &mut y, &mut z), s, "{n} on {d}");
            assert_eq!((y, z), (wanted, highest), "{n} on {d}");

            let f: Vec<Affine> = (0..n).map(|_| Affine { a: r.wide(), b: r.wide() }).collect();
            let mut y = f.clone();
            let mut wanted = f.clone();
            for i in (0..n.saturating_sub(1)).rev() {
                wanted[i] = then(wanted[i + 1], f[i]);
            }
            scans::maps(d, &f, &mut y);
            assert_eq!(y, wanted, "{n} on {d}");

            let x: Vec<u32> = (0..n).map(|_| r.bits()).collect();
            let (mut y, mut s) = (vec![0; n], 12345);
            let wanted: Vec<u32> = x
                .iter()
                .map(|v| {
                    s ^= v;
                    s
                })
                .collect();
            assert_eq!(scans::parities(d, &x, 12345, &mut y), s, "{n} on {d}");
            assert_eq!(y, wanted, "{n} on {d}");

            let (lo, hi) = (n / 3, n - n / 4);
            let (mut y, mut wanted) = (x.clone(), x);
            for i in lo + 1..hi {
                wanted[i] ^= wanted[i - 1];
            }
            scans::section(d, &mut y, lo, hi);
            assert_eq!(y, wanted, "{lo}..{hi} of {n} on {d}");

            let a: Vec<u32> = (0..n / 7 * 7).map(|_| r.bits() >> 16).collect();
            let (mut by_rows, mut by_columns) = (a.clone(), a.clone());
            scans::rows(d, &mut by_rows, 7);
            scans::columns(d, &mut by_columns, 7);
            for i in 0..a.len() {
                let row: u32 = a[i / 7 * 7..=i].iter().sum();
                let column: u32 = (i % 7..=i).step_by(7).map(|k| a[k]).sum();
                assert_eq!((by_rows[i], by_columns[i]), (row, column), "{i} of {n} on {d}");
            }
        }
    });
}

#[test]
fn a_scan_that_fails_says_where() {
    on_every_device(|d| {
        let (x, mut at) = (vec![3; 10], vec![0; 20_000]);
        let mut y = vec![0; 20_000];
        scans::gather(d, &x, &at, &mut y);
        assert!(y[1..].iter().all(|v| *v == 3), "on {d}");
        at[15_000] = 10;
        let failed = std::panic::AssertUnwindSafe(|| scans::gather(d, &x, &at, &mut y));
        let payload = std::panic::catch_unwind(failed).expect_err("the index is past the end");
        let text = payload.downcast_ref::<String>().expect("a text");
        for part in
            ["the len is 10 but the index is 10", "subscript of `x`", "i = 15000", concat!(file!(), ":")]
        {
            assert!(text.contains(part), "no {part:?} in {text} on {d}");
        }
    });
}

#[omp::offload]
mod checked {
    pub fn carried(d: usize, start: i32, x: &[i32], y: &mut [i32]) -> i32 {
        let mut s = start;
        #[omp::scan(+, device(d))]
        for i in 0..x.len() {
            s += x[i];
            y[i] = s;
        }
        s
    }

    pub fn elements(d: usize, x: &[i8], y: &mut [i8]) {
        #[omp::scan(+, device(d))]
        for i in 1..x.len() {
            y[i] = y[i - 1] + x[i];
        }
    }

    pub fn product_beside(d: usize, x: &[i32], y: &mut [u16]) -> i32 {
        let mut sum = 0;
        #[omp::target(device(d), scan(*: y), reduction(+: sum))]
        for i in 1..x.len() {
            y[i] = y[i - 1] * (1 + u16::from(x[i] == 77));
            sum += x[i];
        }
        sum
    }

    pub fn down(d: usize, width: usize, x: &[i32], y: &mut [i32]) {
        #[omp::target(device(d), scan(+: y))]
        for r in 0..x.len() / width {
            for c in 1..width {
                y[r * width + c] = y[r * width + c - 1] + x[r * width + c];
            }
        }
    }

    pub fn wrapping(d: usize, x: &[i32], y: &mut [i32]) {
        #[omp::scan(+, device(d))]
        for i in 1..x.len() {
            y[i] = y[i - 1].wrapping_add(x[i]);
        }
    }
}

/// What parts of a scan come to says nothing; where an element overflows, the loop one after the other would.
#[test]
fn a_scan_overflows_where_its_loop_does() {
    let overflows = |what: &dyn Fn(), at: &str, of: &str| {
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(what));
        if !cfg!(debug_assertions) {
            assert!(failed.is_ok(), "{of}: a release build wraps");
            return;
        }
        let payload = failed.expect_err(of);
        let text = payload.downcast_ref::<String>().expect("a text");
        assert!(text.contains("with overflow") && text.contains(at), "{of}: {text}");
    };
    on_every_device(|d| {
        let n = 50_000;
        let unit = 1_000_000_000;
        // Up and down: elements are in range, sums of some parts of them are not.
        let mut x: Vec<i32> = (0..n).map(|i| if i % 4 < 2 { unit } else { -unit }).collect();
        let small: Vec<i8> = x.iter().map(|v| (v / 10_000_000) as i8).collect();
        let mut y = vec![0; n];
        assert_eq!(checked::carried(d, -unit, &x, &mut y), -unit, "on {d}");
        assert!((0..n).all(|i| y[i] == [0, unit, 0, -unit][i % 4]), "on {d}");
        let mut z = vec![0; n];
        checked::elements(d, &small, &mut z);
        assert!((0..n).all(|i| z[i] == [0, 100, 0, -100][i % 4]), "on {d}");

        // What was once too large is so again and again: any of these iterations is told.
        overflows(&|| _ = checked::carried(d, unit, &x, &mut vec![0; n]), "i = ", "carried");
        x[n - 3] = 77;
        overflows(&|| _ = checked::carried(d, i32::MAX, &x[n - 3..], &mut [0; 3]), "i = 0", "a short one");
        let mut late = vec![0i32; n];
        (late[3], late[45_001]) = (i32::MAX, 1);
        overflows(&|| _ = checked::carried(d, 0, &late, &mut vec![0; n]), "i = 45001", "late");
        late[3] = 0;
        overflows(&|| checked::down(d, 50, &late, &mut vec![i32::MAX; n]), "r = 900", "rows");
        for k in 0..16 {
            late[1000 * k] = 77;
        }
        overflows(&|| _ = checked::product_beside(d, &late, &mut vec![2; n]), "i = 15000", "a product");
        let mut w = vec![i32::MAX; n];
        checked::wrapping(d, &x, &mut w);
        assert!(w[1] == i32::MAX.wrapping_add(unit), "on {d}");
    });
}
