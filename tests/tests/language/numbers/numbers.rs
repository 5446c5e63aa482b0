//! Numbers as bytes, orders of floats, and `Ord`'s functions by their paths.
#![forbid(unsafe_code)]
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::on_every_device;
use std::cmp::Ordering;

macro_rules! bytes {
    ($($name:ident $T:ident $N:literal;)*) => { $(
        #[test]
        fn $name() {
            type Row = ([u8; $N], [u8; $N], [u8; $N]);

            fn plain(x: $T) -> (Row, [$T; 3]) {
                let (le, be, ne) = (x.to_le_bytes(), x.to_be_bytes(), x.to_ne_bytes());
                ((le, be, ne), [$T::from_le_bytes(be), $T::from_be_bytes(le), $T::from_ne_bytes(ne)])
            }

            #[omp::offload]
            fn region(d: usize, x: &[$T], rows: &mut [Row], back: &mut [[$T; 3]]) {
                #[omp::target(device(d))]
                for i in 0..x.len() {
                    let (le, be, ne) = (x[i].to_le_bytes(), x[i].to_be_bytes(), x[i].to_ne_bytes());
                    back[i] = [$T::from_le_bytes(be), $T::from_be_bytes(le), $T::from_ne_bytes(ne)];
                    rows[i] = (le, be, ne);
                }
            }

            for n in [0, 1, 37] {
                let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
                let x: Vec<$T> = (0..n)
                    .map(|_| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        // Of a float all of which are numbers, whichever way they are read.
                        let mut b = seed.rotate_left(29).to_le_bytes();
                        b.iter_mut().for_each(|b| *b &= 0x3f);
                        let mut of = [0; $N];
                        of.copy_from_slice(&b[..$N]);
                        $T::from_le_bytes(of)
                    })
                    .collect();
                let want: Vec<_> = x.iter().map(|x| plain(*x)).collect();
                on_every_device(|d| {
                    let mut rows = vec![([0; $N], [0; $N], [0; $N]); n];
                    let mut back = vec![[<$T>::default(); 3]; n];
                    region(d, &x, &mut rows, &mut back);
                    for i in 0..n {
                        assert_eq!((rows[i], back[i]), want[i], "{:?} on device {d}", x[i]);
                    }
                });
            }
        }
    )* };
}
bytes! {
    bytes_of_u8 u8 1; bytes_of_i8 i8 1; bytes_of_u16 u16 2; bytes_of_i16 i16 2; bytes_of_u32 u32 4; bytes_of_i32 i32 4;
    bytes_of_u64 u64 8; bytes_of_i64 i64 8; bytes_of_usize usize 8; bytes_of_isize isize 8; bytes_of_f32 f32 4;
    bytes_of_f64 f64 8;
}

#[omp::offload]
fn packed(d: usize, bytes: &[u8], words: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..words.len() {
        let k = 4 * i;
        words[i] = u32::from_be_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]);
    }
}

#[omp::offload]
fn sums(d: usize, words: &[f32]) -> u32 {
    let mut s = 0_u32;
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..words.len() {
        let b = words[i].to_be_bytes();
        for k in 0..b.len() {
            s += b[k] as u32;
        }
    }
    s
}

#[test]
fn bytes_inside_of_expressions() {
    let bytes: Vec<u8> = (0..84_u8).map(|b| b.wrapping_mul(37)).collect();
    let want: Vec<u32> = bytes.chunks(4).map(|c| u32::from_be_bytes(c.try_into().unwrap())).collect();
    let floats = [1.5_f32, -0.0, 7.25e12, 3.0];
    let sum: u32 = floats.iter().flat_map(|x| x.to_be_bytes()).map(u32::from).sum();
    on_every_device(|d| {
        let mut words = vec![0; want.len()];
        packed(d, &bytes, &mut words);
        assert_eq!(words, want, "on device {d}");
        assert_eq!(sums(d, &floats), sum, "on device {d}");
    });
}

macro_rules! orders {
    ($($name:ident $T:ident;)*) => { $(
        #[test]
        fn $name() {
            fn plain(a: $T, b: $T) -> [i32; 12] {
                let o = a.total_cmp(&b);
                let named = match o { Ordering::Less => 3, Ordering::Equal => 4, Ordering::Greater => 5 };
                let r = b.total_cmp(&a).reverse();
                [
                    named, o as i32, o.is_lt() as i32, o.is_le() as i32, o.is_gt() as i32, o.is_ge() as i32,
                    o.is_eq() as i32, o.is_ne() as i32, (o == r && o != Ordering::Less) as i32, o.then(Ordering::Greater) as i32,
                    o.then(a.to_bits().cmp(&7)) as i32, if a.total_cmp(&b).is_lt() { 1 } else { 2 },
                ]
            }

            #[omp::offload]
            fn region(d: usize, a: &[$T], b: &[$T], out: &mut [[i32; 12]]) {
                #[omp::target(device(d))]
                for i in 0..out.len() {
                    let (a, b) = (a[i], b[i]);
                    let o = a.total_cmp(&b);
                    let named = match o { Ordering::Less => 3, Ordering::Equal => 4, Ordering::Greater => 5 };
                    let r = b.total_cmp(&a).reverse();
                    out[i] = [
                        named, o as i32, o.is_lt() as i32, o.is_le() as i32, o.is_gt() as i32, o.is_ge() as i32,
                        o.is_eq() as i32, o.is_ne() as i32, (o == r && o != Ordering::Less) as i32, o.then(Ordering::Greater) as i32,
                        o.then(a.to_bits().cmp(&7)) as i32, if a.total_cmp(&b).is_lt() { 1 } else { 2 },
                    ];
                }
            }

            let some = [
                0.0, -0.0, 1.0, -1.0, $T::MIN_POSITIVE, -$T::MIN_POSITIVE, $T::from_bits(1), -$T::from_bits(3), $T::MAX,
                $T::MIN, $T::INFINITY, $T::NEG_INFINITY, $T::NAN, -$T::NAN,
            ];
            let (a, b): (Vec<_>, Vec<_>) = some.iter().flat_map(|a| some.iter().map(move |b| (*a, *b))).unzip();
            on_every_device(|d| {
                let mut out = vec![[0; 12]; a.len()];
                region(d, &a, &b, &mut out);
                for i in 0..a.len() {
                    assert_eq!(out[i], plain(a[i], b[i]), "{:?} and {:?} on device {d}", a[i], b[i]);
                }
            });
        }
    )* };
}
orders! { total_order_of_f32 f32; total_order_of_f64 f64; }

#[omp::offload]
fn by_path(d: usize, a: &[i64], b: &[i64], x: &[f32], y: &mut [[i64; 6]], z: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = [
            Ord::max(a[i], b[i]),
            Ord::min(a[i], b[i]),
            core::cmp::Ord::max(a[i], 3),
            i64::max(a[i], b[i]),
            Ord::clamp(a[i], -2, 2),
            i64::abs(a[i]),
        ];
        z[i] = f32::max(x[i], 0.5) + f32::sqrt(f32::abs(x[i]));
    }
}

#[test]
fn functions_by_their_paths() {
    let a: Vec<i64> = (0..19).map(|i| i * 7 % 11 - 5).collect();
    let b: Vec<i64> = (0..19).map(|i| i * 5 % 13 - 6).collect();
    let x: Vec<f32> = (0..19).map(|i| (i as f32 - 9.0) / 4.0).collect();
    on_every_device(|d| {
        let (mut y, mut z) = (vec![[0; 6]; 19], vec![0.0; 19]);
        by_path(d, &a, &b, &x, &mut y, &mut z);
        for i in 0..19 {
            let (a, b) = (a[i], b[i]);
            assert_eq!(y[i], [a.max(b), a.min(b), a.max(3), a.max(b), a.clamp(-2, 2), a.abs()], "device {d}");
            assert!((z[i] - (x[i].max(0.5) + x[i].abs().sqrt())).abs() < 1e-5, "device {d}");
        }
    });
}

const SEED: u32 = 0x1234_5678;

/// Integers have methods with the names of slices'.
#[omp::offload]
fn turned(d: usize, x: &[u32], by: u32, table: [u32; 4], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let n = i as u32 % 40;
        let (a, b) = (x[i].rotate_left(n), by.rotate_right(n));
        let c = table[i % 4];
        y[i] = SEED.rotate_left(n) ^ u32::MAX.rotate_right(3) ^ a.rotate_left(1) ^ b ^ c.rotate_right(5);
    }
}

#[test]
fn integers_are_rotated() {
    let x: Vec<u32> = (0..100u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let (by, table) = (77u32, [1u32, 20, 300, 4000]);
    let each = |i: usize| {
        let n = i as u32 % 40;
        let (a, b) = (x[i].rotate_left(n), by.rotate_right(n));
        SEED.rotate_left(n) ^ u32::MAX.rotate_right(3) ^ a.rotate_left(1) ^ b ^ table[i % 4].rotate_right(5)
    };
    let want: Vec<u32> = (0..x.len()).map(each).collect();
    omp_tests::on_every_device(|d| {
        let mut y = vec![0; x.len()];
        turned(d, &x, by, table, &mut y);
        assert_eq!(y, want, "device {d}");
    });
}
