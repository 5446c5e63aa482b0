//! Types of bodies: enums of all representations, generic and tuple structs, options.
#![forbid(unsafe_code)]
#![allow(
    unused_assignments,
    unused_variables,
    clippy::all,
    clippy::pedantic,
    reason = "bodies have all forms on purpose"
)]
use omp_tests::on_every_device;

#[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
#[repr(i16)]
enum Sign {
    Minus = -300,
    Zero = 0,
    Plus = 77,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
enum Plain {
    A,
    B = 7,
    C,
    D = -2,
}

impl Plain {
    const START: Plain = Plain::C;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
#[repr(isize)]
enum Wide {
    Low = isize::MIN,
    High = isize::MAX,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
#[repr(u64)]
enum Huge {
    One = 1,
    Most = u64::MAX,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
#[repr(C)]
enum Foreign {
    Five = 5,
    One = 1,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
#[repr(u8)]
enum Only {
    This = 200,
}

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Record {
    sign: Sign,
    plain: Plain,
    v: f32,
    pair: (Foreign, [Plain; 2]),
    only: Only,
}

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Generic<T, const N: usize>(T, [T; N]);

/// A body as a plain function and as a region.
macro_rules! both {
    ($plain:ident, $region:ident($d:ident $(, $arg:ident: $ty:ty)*) for $i:ident in $n:expr; { $($body:tt)* }) => {
        fn $plain($($arg: $ty),*) {
            for $i in $n {
                $($body)*
            }
        }

        #[omp::offload]
        fn $region($d: usize $(, $arg: $ty)*) {
            #[omp::target(device($d))]
            for $i in $n {
                $($body)*
            }
        }
    };
}

both! { enums, enums_on(d, a: &[Sign], p: &[Plain], scalar: Plain, y: &mut [i64], q: &mut [Plain]) for i in 0..y.len(); {
    let local = p[i];
    let t = match a[i] { Sign::Minus => 1i64, Sign::Zero => 2, Sign::Plus => 3 };
    let u = match (a[i], local) {
        (Sign::Minus, Plain::A | Plain::B) => 10,
        (_, Plain::C) => 20,
        (Sign::Plus, _) => 30,
        _ => 40,
    };
    let w = if matches!(local, Plain::A | Plain::D) { 100 } else { 0 };
    let e = (local == Plain::B) as i64 + (local != scalar) as i64 * 2;
    let s = a[i] as i64 + local as i64 + (a[i] as u8) as i64 + (Plain::D as u8) as i64 + (local as i8 as u32) as i64;
    y[i] = t * 1000000 + u * 1000 + w + e + s;
    q[i] = if i % 3 == 0 { Plain::START } else { match local { Plain::A => Plain::D, Plain::B => Plain::A, x => x } };
} }

both! { structs, structs_on(d, r: &[Record], y: &mut [Record], h: &mut [Huge], w: &mut [Wide], z: &mut [u64]) for i in 0..r.len(); {
    let Record { sign: k, plain: p, v, pair: (c, [a, b]), only } = r[i];
    let mut n = Record { v: v * 2.0, ..r[i] };
    if let Foreign::Five = c {
        n.pair.0 = Foreign::One;
        n.pair.1 = [b, a];
    }
    n.sign = match k { Sign::Minus => Sign::Plus, other => other };
    n.plain = if p == Plain::A { Plain::B } else { p };
    y[i] = n;
    h[i] = match h[i] { Huge::One => Huge::Most, Huge::Most => Huge::One };
    w[i] = match w[i] { Wide::Low => Wide::High, Wide::High => Wide::Low };
    z[i] = h[i] as u64 ^ w[i] as u64 ^ only as u64;
} }

#[omp::declare_target]
fn half(x: i32) -> Option<i32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[omp::declare_target]
fn pick(o: Option<u8>, d: u8) -> u8 {
    match o {
        Some(v) if v > 100 => v - 100,
        Some(v) => v,
        None => d,
    }
}

#[omp::declare_target]
fn quarter(x: i32) -> i32 {
    let Some(v) = half(x) else { return -1 };
    let Some(w) = half(v) else {
        return -2;
    };
    w
}

#[omp::declare_target]
fn record(i: i32) -> Option<(i32, Sign)> {
    if i > 3 { Some((i, if i % 2 == 0 { Sign::Plus } else { Sign::Minus })) } else { None }
}

both! { options, options_on(d, y: &mut [i32], z: &mut [u8]) for i in 0..y.len(); {
    let k = i as i32;
    let mut o: Option<i32> = None;
    if k % 5 == 0 {
        o = Some(k * 3);
    }
    let mut s = 0;
    let mut current = Some(k);
    while let Some(v) = current {
        s += 1;
        if v == 0 {
            break;
        }
        current = half(v);
    }
    let mut n = half(k).is_some() as i32 + 2 * half(k + 1).is_none() as i32 + o.unwrap_or(-7) + s * 100 + quarter(k) * 1000;
    if o.is_some() {
        n += o.unwrap();
    }
    if let Some(v @ 0..=9) = half(k) {
        n += v;
    } else if let Some(v) = o && v > 10 {
        n -= v;
    }
    let Some(m) = k.checked_add(1) else { continue };
    n += m;
    let found = record(k);
    if let Some((x, _)) = found {
        n += x;
    }
    n += matches!(found, Some((5, ..))) as i32 * 77 + matches!(found, Some((.., Sign::Plus))) as i32 * 13;
    n += match (half(k), o) {
        (Some(a), Some(b)) => a ^ b,
        (Some(a), None) => a,
        (None, Some(b)) => -b,
        (None, None) => 0,
    };
    let twice: Option<Option<i32>> = if k % 2 == 0 { Some(half(k / 2)) } else { None };
    n += match twice { None => 0, Some(None) => 1, Some(Some(0 | 3)) => 7, Some(Some(_)) => 2 };
    n += match half(k) { Some(v) | Some(v) if v > 50 => v, Some(1 | 2) => 4, _ => 3 };
    // The guard is asked again for the second alternative.
    n += match (k % 3, k % 4) { (v, _) | (_, v) if v == 2 => v * 100 + 1, (0, v) | (v, 0) if v > 0 && n % 2 == 0 => v, _ => 0 };
    n += o.or(half(k)).unwrap_or_default();
    y[i] = n + half(2 * k).expect("even");
    z[i] = pick((i as u8).checked_mul(3), 9);
} }

#[omp::offload]
fn generic_on<T: omp::Device + std::ops::Add<Output = T>>(d: usize, x: &[Generic<T, 3>], y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let Generic(a, b) = x[i];
        y[i] = x[i].0 + b[2] + a;
    }
}

const SIGNS: [Sign; 3] = [Sign::Minus, Sign::Zero, Sign::Plus];
const PLAINS: [Plain; 4] = [Plain::A, Plain::B, Plain::C, Plain::D];

#[test]
fn enums_of_all_representations() {
    for n in [0, 1, 97] {
        let a: Vec<_> = (0..n).map(|i| SIGNS[i % 3]).collect();
        let p: Vec<_> = (0..n).map(|i| PLAINS[i * 7 % 4]).collect();
        let (mut want, mut chosen) = (vec![0; n], vec![Plain::A; n]);
        enums(&a, &p, Plain::C, &mut want, &mut chosen);
        on_every_device(|d| {
            let (mut y, mut q) = (vec![9; n], vec![Plain::B; n]);
            enums_on(d, &a, &p, Plain::C, &mut y, &mut q);
            assert_eq!((&y, &q), (&want, &chosen), "device {d}");
        });
    }
}

#[test]
fn enums_in_structs_and_tuples() {
    let records: Vec<_> = (0..97)
        .map(|i| Record {
            sign: SIGNS[i % 3],
            plain: PLAINS[i % 4],
            v: i as f32,
            pair: (if i % 2 == 0 { Foreign::Five } else { Foreign::One }, [PLAINS[i % 4], PLAINS[i / 4 % 4]]),
            only: Only::This,
        })
        .collect();
    let huge: Vec<_> = (0..97).map(|i| if i % 2 == 0 { Huge::One } else { Huge::Most }).collect();
    let wide: Vec<_> = (0..97).map(|i| if i % 3 == 0 { Wide::Low } else { Wide::High }).collect();
    let fresh = || (records.clone(), huge.clone(), wide.clone(), vec![0; 97]);
    let mut want = fresh();
    structs(&records, &mut want.0, &mut want.1, &mut want.2, &mut want.3);
    on_every_device(|d| {
        let mut got = fresh();
        structs_on(d, &records, &mut got.0, &mut got.1, &mut got.2, &mut got.3);
        assert_eq!(got, want, "device {d}");
    });
}

#[test]
fn generic_tuple_structs() {
    let x: Vec<_> = (0..33).map(|i| Generic(i as f64, [1.0, 2.0, i as f64])).collect();
    let z: Vec<_> = (0..33).map(|i| Generic(i as i16, [1, 2, -i as i16])).collect();
    on_every_device(|d| {
        let (mut y, mut w) = (vec![0.0; 33], vec![0; 33]);
        generic_on(d, &x, &mut y);
        generic_on(d, &z, &mut w);
        assert!((0..33).all(|i| y[i] == 3.0 * i as f64 && w[i] == i as i16), "device {d}");
    });
}

#[test]
fn options_are_values() {
    let (mut want, mut picked) = (vec![0; 300], vec![0; 300]);
    options(&mut want, &mut picked);
    on_every_device(|d| {
        let (mut y, mut z) = (vec![0; 300], vec![0; 300]);
        options_on(d, &mut y, &mut z);
        assert_eq!((&y, &z), (&want, &picked), "device {d}");
    });
}

/// A const that is an `Option` has no bytes that a device could read: the host runs the loop.
#[omp::offload]
fn of_constant_options(d: usize) -> Vec<i32> {
    const LIMIT: Option<i32> = Some(3);
    const NOTHING: Option<u8> = None;
    let mut y = vec![0; 8];
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let own = if i > 3 { Some(i as i32) } else { Some(3) };
        if let Some(limit) = LIMIT {
            y[i] += limit;
        }
        y[i] +=
            LIMIT.unwrap_or(40) + if NOTHING.is_none() { 100 } else { 0 } + i32::from(own == LIMIT) * 1000;
    }
    y
}

#[test]
fn constant_options_are_not_taken_for_none() {
    for d in 0..=omp::get_num_devices() {
        assert_eq!(of_constant_options(d), [1106, 1106, 1106, 1106, 106, 106, 106, 106], "device {d}");
    }
}

/// What has no size is equal to another such.
#[omp::offload]
fn of_nothing(d: usize) -> Vec<u32> {
    let mut y = vec![0; 8];
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let mut a = 1;
        let u = { a += 1 };
        let (e, f) = ([0i32; 0], [1i32; 0]);
        let (g, h) = ((e, i as u8), (f, 3u8));
        let o = if i > 3 { Some(f) } else { None };
        let all =
            [u == (), u != (), e == f, e < f, g == h, g <= h, o == Some(e), o.is_some(), e.cmp(&f).is_eq()];
        for (k, holds) in all.iter().enumerate() {
            y[i] |= u32::from(*holds) << k;
        }
        assert_eq!(u, ());
    }
    y
}

#[test]
fn what_has_no_size_is_compared() {
    let own = |i: usize| {
        0b1_0000_0101 | u32::from(i == 3) << 4 | u32::from(i <= 3) << 5 | u32::from(i > 3) * 0b1100_0000
    };
    on_every_device(|d| assert_eq!(of_nothing(d), (0..8).map(own).collect::<Vec<_>>(), "device {d}"));
}

/// Structs that several accesses can move at once (16, 32 bytes), some of whose numbers are as wide as that allows (24).
#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Moving {
    at: [f32; 3],
    mass: f32,
    speed: [f32; 3],
    charge: f32,
}

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Corner {
    x: f32,
    y: f32,
    z: f32,
    w: i32,
}

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Three {
    x: f64,
    y: f64,
    n: i64,
}

#[omp::offload]
fn moved(p: &mut [Moving], corners: &[Corner], threes: &mut [Three], kept: &mut [Corner]) {
    #[omp::target]
    for i in 0..p.len() {
        for d in 0..3 {
            p[i].at[d] += 0.5 * p[i].speed[d];
        }
        let corner =
            if p[i].mass > 3.0 { corners[i] } else { Corner { x: 1.0, y: p[i].at[1], z: 0.0, w: 5 } };
        let other = p[i];
        p[i] = Moving { charge: corner.x + other.charge, ..other };
        threes[i].n += i64::from(corner.w);
        threes[i].y = threes[i].x + f64::from(corners[i].z);
        kept[i] = corner;
        kept[i].w = corners[corners.len() - 1 - i].w;
    }
}

/// Parts of arrays that are on the device begin anywhere in them.
#[omp::offload]
fn moved_in_part(p: &mut [Moving], corners: &[Corner], threes: &mut [Three], kept: &mut [Corner]) {
    #[omp::target_data(map(tofrom: p, threes, kept), map(to: corners))]
    {
        for first in [0, 1, 3] {
            let n = p.len();
            moved(&mut p[first..], &corners[first..], &mut threes[first..n], &mut kept[first..]);
        }
    }
}

#[test]
fn structs_of_several_fields_move_as_they_are() {
    on_every_device(|_| {
        for n in [0, 1, 33, 257] {
            let number = |k: usize| (k * 37 % 11) as f32 - 2.0;
            let corners: Vec<Corner> = (0..n)
                .map(|i| Corner { x: number(i), y: number(i + 1), z: number(i + 2), w: i as i32 })
                .collect();
            let p: Vec<Moving> = (0..n)
                .map(|i| Moving {
                    at: [number(i), number(i + 3), number(i + 5)],
                    mass: number(i + 7),
                    speed: [number(i + 2), number(i + 4), number(i + 6)],
                    charge: number(i + 9),
                })
                .collect();
            let threes: Vec<Three> =
                (0..n).map(|i| Three { x: f64::from(number(i)), y: 0.0, n: i as i64 }).collect();
            let once = |p: &mut [Moving], c: &[Corner], t: &mut [Three], k: &mut [Corner]| {
                for i in 0..p.len() {
                    for d in 0..3 {
                        p[i].at[d] += 0.5 * p[i].speed[d];
                    }
                    let made = Corner { x: 1.0, y: p[i].at[1], z: 0.0, w: 5 };
                    let corner = if p[i].mass > 3.0 { c[i] } else { made };
                    p[i].charge += corner.x;
                    t[i].n += i64::from(corner.w);
                    t[i].y = t[i].x + f64::from(c[i].z);
                    k[i] = Corner { w: c[c.len() - 1 - i].w, ..corner };
                }
            };
            let all = (p, threes, corners.clone());
            let (mut got, mut want) = (all.clone(), all);
            moved(&mut got.0, &corners, &mut got.1, &mut got.2);
            once(&mut want.0, &corners, &mut want.1, &mut want.2);
            assert_eq!(got, want);
            if n > 3 {
                moved_in_part(&mut got.0, &corners, &mut got.1, &mut got.2);
                for first in [0, 1, 3] {
                    let parts = (&mut want.0[first..], &mut want.1[first..], &mut want.2[first..]);
                    once(parts.0, &corners[first..], parts.1, parts.2);
                }
                assert_eq!(got, want);
            }
        }
    });
}
