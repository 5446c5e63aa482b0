//! `cmp`, `partial_cmp`, `max` and `min` of tuples, arrays, `Option`s, enums, `bool` and `char`, and `<` of tuples with enums:
//! all devices, against plain Rust.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
enum Level {
    Mid = 5,
    Low = -3,
    High = 10,
}

/// A smaller number beats a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
enum Rank {
    First = 1,
    Second,
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl Ord for Rank {
    fn cmp(&self, o: &Self) -> Ordering {
        (*o as i32).cmp(&(*self as i32))
    }
}

type Pair = (i32, u8);
type Tagged = (Level, u32);

const LEVELS: [Level; 3] = [Level::Mid, Level::Low, Level::High];

fn code(o: Ordering) -> u8 {
    o as i8 as u8
}

#[omp::offload]
fn tuples(d: usize, x: &[Pair], order: &mut [u8], most: &mut [Pair], least: &mut [Pair]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n * n {
        let (a, b) = (x[i / n], x[i % n]);
        order[i] = a.cmp(&x[i % n]) as i8 as u8;
        most[i] = a.max(b);
        least[i] = std::cmp::min(a, b);
    }
}

#[omp::offload]
fn tagged(d: usize, x: &[Tagged], order: &mut [u8], less: &mut [u8], most: &mut [Tagged]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n * n {
        let (a, b) = (x[i / n], x[i % n]);
        order[i] = a.cmp(&b) as i8 as u8;
        less[i] = (a < b) as u8 | ((a <= b) as u8) << 1 | ((a == b) as u8) << 2 | ((a != b) as u8) << 3;
        most[i] = a.max(b);
    }
}

#[omp::offload]
fn arrays(d: usize, x: &[[i16; 3]], order: &mut [u8], most: &mut [[i16; 3]]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n * n {
        order[i] = x[i / n].cmp(&x[i % n]) as i8 as u8;
        most[i] = x[i / n].max(x[i % n]);
    }
}

#[omp::offload]
fn floats(d: usize, x: &[(f32, u8)], order: &mut [u8]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n * n {
        order[i] = match x[i / n].partial_cmp(&x[i % n]) {
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 3,
            None => 4,
        };
    }
}

#[omp::offload]
fn words(d: usize, x: &[Level], c: &[char], order: &mut [u8], most: &mut [Level], first: &mut [char]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n * n {
        let (a, b) = (x[i / n], x[i % n]);
        let both = (i % 2 == 0).max(i % 3 == 0) && !(i % 2 == 0).min(i % 3 == 0);
        order[i] = a.cmp(&b) as i8 as u8 ^ (both as u8) << 6;
        most[i] = a.max(b);
        first[i] = c[i / n].min(c[i % n]);
    }
}

#[omp::offload]
fn largest(d: usize, x: &[Pair]) -> Vec<Pair> {
    let mut y = vec![(0, 0); 2];
    #[omp::target(device(d))]
    for k in 0..2 {
        let mut best: Option<Pair> = None;
        let mut at = x[0];
        for v in x.iter() {
            best = best.max(Some(*v));
            at = *v.max(&at);
        }
        y[k] = if k == 0 { best.unwrap() } else { at };
    }
    y
}

#[omp::offload]
fn by_rank(d: usize, x: &[(Rank, u8)], y: &mut [(Rank, u8)]) {
    #[omp::target(device(d))]
    for i in 1..x.len() {
        y[i] = x[i].max(x[i - 1]);
    }
}

#[omp::offload]
fn by_path(d: usize, x: &[Rank], y: &mut [Rank]) {
    #[omp::target(device(d))]
    for i in 1..x.len() {
        y[i] = std::cmp::max(x[i], x[i - 1]);
    }
}

#[omp::declare_target]
fn top<T: Ord + omp::Device>(a: T, b: T) -> T {
    std::cmp::max(a, b)
}

#[omp::offload]
fn paths(d: usize, x: &[Level], t: &[Tagged], out: &mut [(Level, Level, Tagged, bool, char)]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n * n {
        let (a, b) = (x[i / n], x[i % n]);
        out[i] = (
            std::cmp::max(a, Ord::min(b, Level::Mid)),
            Level::max(a, top(a, b)),
            std::cmp::min(t[i / n], t[i % n]),
            std::cmp::max(a == b, false) && *std::cmp::max(&a, &b) == Level::max(a, b),
            std::cmp::min('m', if Level::cmp(&a, &b) == Ordering::Less { 'a' } else { 'z' }),
        );
    }
}

/// At types that the function's parameter stands for.
#[omp::offload]
fn extremes_of<T: Ord + omp::Device>(d: usize, x: &[T], y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 1..x.len() {
        y[i] = std::cmp::min(top(x[i], x[i - 1]), x[0]);
    }
}

#[omp::declare_target]
fn held<T: Ord + omp::Device>(x: T, low: &T, high: T) -> (T, i32) {
    let sign = match x.cmp(low) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    };
    let (first, _) = (x.max(*low), sign).min((high, 7));
    (Some(first).max(None).unwrap_or(x), sign)
}

#[omp::declare_target]
fn behind<T: Ord + omp::Device>(a: &T, b: &T) -> bool {
    a.cmp(b) == Ordering::Less && a.partial_cmp(b).is_some()
}

#[omp::declare_target]
fn partly<T: PartialOrd + omp::Device>(x: T, low: T) -> i32 {
    match x.partial_cmp(&low) {
        Some(Ordering::Less) => -1,
        Some(_) => 1,
        None => 7,
    }
}

/// Methods of type parameters, which only their bounds name.
#[omp::offload]
fn methods_of<T: Ord + omp::Device>(d: usize, x: &[T], y: &mut [(T, i32, i32)]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let (value, sign) = held(x[i], &x[0], x[1].min(x[2]));
        y[i] = (value, sign, partly(x[i], x[0]) + i32::from(behind(&x[i], &x[1])) * 100);
    }
}

fn check_methods<T: Ord + omp::Device + std::fmt::Debug>(d: usize, x: &[T]) {
    let mut y = vec![(x[0], 0, 0); x.len()];
    methods_of(d, x, &mut y);
    for i in 0..x.len() {
        let (value, sign) = held(x[i], &x[0], x[1].min(x[2]));
        let third = partly(x[i], x[0]) + i32::from(behind(&x[i], &x[1])) * 100;
        assert_eq!(y[i], (value, sign, third), "{i} on {d}");
    }
}

#[omp::offload]
fn clamped<T: Ord + omp::Device>(d: usize, x: &[T], y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = x[i].clamp(x[0], x[1]);
    }
}

#[omp::offload]
fn of_floats(d: usize, x: &[f64; 3], y: &mut [i32; 9]) {
    #[omp::target(device(d))]
    for i in 0..9 {
        y[i] = partly(x[i / 3], x[i % 3]);
    }
}

#[test]
fn type_parameters_have_the_methods_of_their_bounds() {
    on_every_device(|d| {
        check_methods(d, &[3, 9, 7, -1, 3, 12]);
        check_methods(d, &[200u8, 9, 7, 100, 255]);
        check_methods(d, &[Level::Mid, Level::Low, Level::High, Level::Mid]);
        check_methods(d, &[(1i16, true), (3, false), (2, false), (1, false)]);
        check_methods(d, &[[1i8, 2], [0, 9], [1, 3], [1, 1]]);
        let mut y = [0; 9];
        of_floats(d, &[0.5, f64::NAN, -1.0], &mut y);
        assert_eq!(y, [1, 7, 1, 7, 7, 7, -1, 7, 1]);
        let mut y = [0; 4];
        clamped(d, &[-2, 5, 9, -7], &mut y);
        assert_eq!(y, [-2, 5, 5, -2]);
    });
}

#[test]
fn extremes_by_path_are_those_by_method() {
    let t: Vec<Tagged> = (0..3).map(|i| (LEVELS[(i + 1) % 3], i as u32)).collect();
    let of = |x: &[Level]| (1..x.len()).map(|i| x[i].max(x[i - 1]).min(x[0])).collect::<Vec<_>>();
    on_every_device(|d| {
        let mut out = vec![(Level::Low, Level::Low, t[0], false, 'x'); 9];
        paths(d, &LEVELS, &t, &mut out);
        for i in 0..9 {
            let (a, b) = (LEVELS[i / 3], LEVELS[i % 3]);
            let c = if a < b { 'a' } else { 'm' };
            let want = (a.max(b.min(Level::Mid)), a.max(b), t[i / 3].min(t[i % 3]), a == b, c);
            assert_eq!(out[i], want, "{i} on {d}");
        }
        let (mut y, mut z) = ([Level::Low; 3], [0u8; 3]);
        extremes_of(d, &LEVELS, &mut y);
        assert_eq!(y[1..], of(&LEVELS));
        extremes_of(d, &[3u8, 1, 9], &mut z);
        assert_eq!(z[1..], [3, 3]);
    });
}

#[omp::declare_target]
fn less<T: omp::Device + PartialOrd>(a: T, b: T) -> bool {
    a < b
}

#[omp::offload]
fn generic(d: usize, x: &[Tagged], ranks: &[(Rank, u8)], y: &mut [bool]) {
    #[omp::target(device(d))]
    for i in 1..x.len() {
        y[i] = less(x[i], x[i - 1]) ^ less(ranks[i], ranks[i - 1]);
    }
}

#[test]
fn parts_are_ordered_as_by_std() {
    let x = [(1, 2), (1, 1), (-5, 9), (1, 2), (i32::MAX, 0)];
    let t: Vec<Tagged> = (0..6).map(|i| (LEVELS[i % 3], (i / 2) as u32)).collect();
    let a = [[1, 2, 3], [1, 2, -3], [0, 9, 9], [1, 2, 3]];
    let f = [(1.0, 2), (f32::NAN, 1), (1.0, 3), (-0.0, 1), (0.0, 1)];
    on_every_device(|d| {
        let n = x.len();
        let (mut order, mut most, mut least) = (vec![9; n * n], vec![(0, 0); n * n], vec![(0, 0); n * n]);
        tuples(d, &x, &mut order, &mut most, &mut least);
        for i in 0..n * n {
            let (a, b) = (x[i / n], x[i % n]);
            assert_eq!((order[i], most[i], least[i]), (code(a.cmp(&b)), a.max(b), a.min(b)), "{i} on {d}");
        }
        let n = t.len();
        let (mut order, mut less, mut most) = (vec![9; n * n], vec![0; n * n], vec![t[0]; n * n]);
        tagged(d, &t, &mut order, &mut less, &mut most);
        for i in 0..n * n {
            let (a, b) = (t[i / n], t[i % n]);
            let want = (a < b) as u8 | ((a <= b) as u8) << 1 | ((a == b) as u8) << 2 | ((a != b) as u8) << 3;
            assert_eq!((order[i], less[i], most[i]), (code(a.cmp(&b)), want, a.max(b)), "{i} on {d}");
        }
        let n = a.len();
        let (mut order, mut most) = (vec![9; n * n], vec![[0; 3]; n * n]);
        arrays(d, &a, &mut order, &mut most);
        for i in 0..n * n {
            let (a, b) = (a[i / n], a[i % n]);
            assert_eq!((order[i], most[i]), (code(a.cmp(&b)), a.max(b)), "{i} on {d}");
        }
        let n = f.len();
        let mut order = vec![9; n * n];
        floats(d, &f, &mut order);
        for i in 0..n * n {
            let want = f[i / n].partial_cmp(&f[i % n]).map_or(4, |o| o as i8 + 2);
            assert_eq!(order[i] as i8, want, "{i} on {d}");
        }
        assert_eq!(largest(d, &x), [(i32::MAX, 0); 2]);
    });
}

#[test]
fn words_are_ordered_as_by_std() {
    let c = ['b', 'ä', 'a'];
    on_every_device(|d| {
        let (mut order, mut most, mut first) = ([9; 9], [Level::Low; 9], ['x'; 9]);
        words(d, &LEVELS, &c, &mut order, &mut most, &mut first);
        for i in 0..9 {
            let (a, b) = (LEVELS[i / 3], LEVELS[i % 3]);
            let both = (i % 2 == 0) != (i % 3 == 0);
            assert_eq!(order[i], code(a.cmp(&b)) ^ (both as u8) << 6, "{i} on {d}");
            assert_eq!((most[i], first[i]), (a.max(b), c[i / 3].min(c[i % 3])), "{i} on {d}");
        }
    });
}

/// It derives `Ord`, and has a method of its own that comes before that of `Ord`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
struct Least(i32);

impl Least {
    fn max(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}

#[omp::offload]
fn own_max(d: usize, x: &[Least], y: &mut [Least]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = x[i].max(Least(3));
    }
}

#[test]
fn a_method_of_the_types_own_comes_before_that_of_ord() {
    let x: Vec<Least> = (0..7).map(Least).collect();
    for d in 0..=omp::get_num_devices() {
        let mut y = x.clone();
        own_max(d, &x, &mut y);
        assert_eq!(y, [0, 1, 2, 3, 3, 3, 3].map(Least), "on {d}");
        let reason = omp::last_region().fallback;
        assert_eq!(reason.is_some(), d < omp::get_num_devices());
        assert!(reason.is_none_or(|r| r.contains("method of its own")));
    }
}

#[test]
fn an_order_of_the_users_is_not_replaced() {
    let x = [(Rank::First, 1), (Rank::Second, 2), (Rank::First, 3), (Rank::First, 0)];
    let t = [(Level::Mid, 1), (Level::Low, 2), (Level::High, 3), (Level::High, 1)];
    for d in 0..=omp::get_num_devices() {
        let mut y = x;
        by_rank(d, &x, &mut y);
        assert_eq!(y[1..], [(Rank::First, 1), (Rank::First, 3), (Rank::First, 3)]);
        let reason = omp::last_region().fallback;
        assert_eq!(reason.is_some(), d < omp::get_num_devices());
        assert!(reason.is_none_or(|r| r.contains("`cmp` on") && r.contains("Rank")));
        let (x, mut y) = (x.map(|x| x.0), [Rank::Second; 4]);
        for generic in [false, true] {
            if generic {
                let mut z = [(Rank::Second, 0, 0); 4];
                methods_of(d, &x, &mut z);
                assert_eq!(z[3].0, held(x[3], &x[0], x[1].min(x[2])).0);
                assert_eq!(omp::last_region().fallback.is_some(), d < omp::get_num_devices());
                extremes_of(d, &x, &mut y)
            } else {
                by_path(d, &x, &mut y)
            }
            assert_eq!(y[1..], [Rank::First; 3].map(|r| if generic { r.min(x[0]) } else { r }));
            assert_eq!(omp::last_region().fallback.is_some(), d < omp::get_num_devices());
        }
        let x = x.map(|x| (x, x as u8));
        let mut y = [false; 4];
        generic(d, &t, &x, &mut y);
        for i in 1..4 {
            assert_eq!(y[i], (t[i] < t[i - 1]) ^ (x[i] < x[i - 1]), "{i} on {d}");
        }
        assert_eq!(omp::last_region().fallback.is_some(), d < omp::get_num_devices());
    }
}
