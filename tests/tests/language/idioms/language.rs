//! The language of bodies: each body here stands once and runs as plain Rust, on the host and on every device.
#![forbid(unsafe_code)]
#![allow(
    unused_assignments,
    unused_qualifications,
    double_negations,
    reason = "bodies have all forms on purpose"
)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::on_every_device;

/// A body of `i` that leaves its result in `r`: as a plain function, and as a region.
macro_rules! body {
    ($name:ident, $i:ident, $r:ident, $t:ty, { $($body:tt)* }) => {
        mod $name {
            use super::*;

            fn plain($i: usize) -> $t {
                let mut $r: $t = 0;
                $($body)*
                $r
            }

            #[omp::offload]
            fn region(d: usize, results: &mut [$t]) {
                #[omp::target(device(d))]
                for $i in 0..results.len() {
                    let mut $r: $t = 0;
                    $($body)*
                    results[$i] = $r;
                }
            }

            #[test]
            fn as_plain_rust() {
                let want: Vec<$t> = (0..300).map(plain).collect();
                on_every_device(|d| {
                    let mut y = vec![77; want.len()];
                    region(d, &mut y);
                    for i in 0..want.len() {
                        assert_eq!(y[i], want[i], "iteration {i} on device {d}");
                    }
                });
            }
        }
    };
}

#[derive(Clone, Copy, omp::Device)]
struct Point {
    x: i32,
    y: i32,
    z: u8,
}

#[derive(Clone, Copy, omp::Device)]
struct Triple(i32, f64, u8);

const LIMIT: i32 = 50;
const LOW: i8 = -3;

#[omp::declare_target]
fn parts(
    (a, b): (i32, i32),
    Point { x, y: yy, .. }: Point,
    [c, d, ..]: [i32; 4],
    Triple(e, .., g): Triple,
    _: u8,
) -> i32 {
    a * 2 + b + x * 3 + yy + c - d + e + g as i32
}

#[derive(Clone, Copy, omp::Device)]
struct Record {
    a: i32,
    b: f32,
    c: [u8; 3],
}

impl Record {
    const ZERO: Record = Record { a: 0, b: 0.0, c: [1, 2, 3] };
    const K: usize = 3;
}

const TABLE: [[i32; 3]; 2] = [[1, 2, 3], [4, 5, 6]];

#[omp::declare_target]
fn line(i: i64) -> i64 {
    i * 3 + 1
}

#[omp::declare_target]
fn early(x: i64) -> i64 {
    if x > 50 {
        return x * 2;
    }
    let mut s = 0;
    for k in 0..x {
        if k == 7 {
            return s;
        }
        s += k;
    }
    s
}

body!(patterns, i, r, i32, {
    let k = i as i32;
    let p = Point { x: k % 7, y: k - 50, z: (i % 3) as u8 };
    let t = Triple(k, k as f64 * 0.5, (k % 5) as u8);
    let arr = [k, k + 1, k * 2, 9];
    // struct patterns
    r += match p {
        Point { x: 0, y, .. } => y,
        Point { x: 1 | 2, z: 0, .. } => 1000,
        Point { x, y: -50..=-40, z: 1 } => x * 3,
        Point { x: xx @ 3..=4, .. } => xx * 100,
        Point { .. } => 5,
    };
    let Point { x, y: yy, z: _ } = p;
    r = r.wrapping_mul(3) + x + yy;
    let Triple(a, .., c) = t;
    r = r.wrapping_mul(3) + a + c as i32;
    let (u, .., v) = (1, 2, k, 4);
    let (.., w) = (1, 2, k);
    r = r.wrapping_mul(3) + u + v + w;
    let [f, s, ..] = arr;
    let [.., l2, l1] = arr;
    let [h, .., last] = arr;
    let mid = [arr[1], arr[2]];
    r = r.wrapping_mul(3) + f + s * 2 + l2 * 3 + l1 + h + mid[0] + mid[1] + last;
    r = r.wrapping_mul(3)
        + match arr {
            [0, ..] => 1,
            [1, 2, ..] => 2,
            [a, b, ..] if a + b == 7 => 3,
            [.., 9] => a,
            _ => 4,
        };
    r = r.wrapping_mul(3)
        + match (k % 4, k % 3 == 0) {
            (0, true) => 1,
            (1..=2, false) => 2,
            (n @ (1 | 3), _) => n * 10,
            (_, b) => b as i32,
        };
    let nested = ((k, 2), [(1, k), (3, 4)]);
    let ((n1, _), [(_, n2), (n3, n4)]) = nested;
    r = r.wrapping_mul(3) + n1 + n2 + n3 + n4;
    r = r.wrapping_mul(3)
        + match k {
            LIMIT => 1,
            i32::MIN..=-1 => 2,
            0..LIMIT => 3,
            51.. => 4,
        };
    r = r.wrapping_mul(3)
        + match (k % 100) as i8 - 50 {
            LOW => 1,
            -50..=-40 => 2,
            -1 => 3,
            ..-10 => 4,
            0 => 5,
            _ => 6,
        };
    r = r.wrapping_mul(3)
        + match k % 2 == 0 {
            true => 5,
            false => 6,
        };
    r = r.wrapping_mul(3)
        + match i as u8 {
            b'0'..=b'9' => 1,
            b'a' | b'b' => 2,
            0xf0.. => 3,
            _ => 4,
        };
    let ref rr = k;
    let &q = &k;
    r = r.wrapping_mul(3) + *rr + q;
    r = r.wrapping_mul(3)
        + match &p {
            Point { x, .. } if *x > 3 => *x,
            &Point { y, .. } => y,
        };
    r = r.wrapping_mul(3)
        + match t {
            Triple(0..=9, x, _) => x as i32,
            Triple(v, ..) if v % 2 == 0 => v,
            Triple(.., 3) => 33,
            Triple(_, y, z) => y as i32 + z as i32,
        };
    // or-patterns with bindings
    r = r.wrapping_mul(3)
        + match (k % 3, k % 5) {
            (0, v) | (v, 0) => v * 7,
            (1, v @ 1..=2) | (2, v @ 3) => v * 9,
            _ => 8,
        };
    r = r.wrapping_mul(3)
        + match p {
            Point { x: 3, y: v, .. } | Point { x: v, y: 3, .. } => v,
            _ => 1,
        };
    // destructuring assignment
    let (mut a1, mut b1) = (k, 2 * k + 1);
    (a1, b1) = (b1, a1);
    [a1, b1] = [b1 + 1, a1];
    (a1, _) = (a1 + 1, 5);
    (_, b1) = (5, b1 + a1);
    r += a1;
    (a1, ..) = (b1, 1, 2);
    (.., b1) = (1, 2, a1 * 2);
    _ = a1;
    let (mut px, mut pz) = (0, 0u8);
    Point { x: px, z: pz, .. } = p;
    let (mut t0, mut t2) = (0, 0);
    Triple(t0, _, t2) = t;
    r = r.wrapping_mul(3) + a1 + b1 * 2 + px + pz as i32 + t0 + t2 as i32;
    Triple(t0, ..) = Triple(7, 0.5, 1);
    let mut big = [1, 2, 3, 4];
    [big[0], .., big[1]] = [big[3], 5, 6, big[0]];
    ((a1, big[2]), [b1, _]) = ((big[0], k), [k, 7]);
    (big[3], big[0]) = (big[0], big[3]);
    r = r.wrapping_mul(3) + t0 + big[0] + 2 * big[1] + 3 * big[2] + 4 * big[3] + a1 + b1;
    let x;
    let (y1, y2);
    if k > 5 {
        x = 1;
        y1 = 2;
        y2 = 3
    } else {
        x = 4;
        (y1, y2) = (5, 6)
    }
    r = r.wrapping_mul(3) + x + y1 + y2;
    for (n, m) in [(1, 2), (3, k)] {
        r += n * m;
    }
    for [a, b] in [[1, 2], [k, 4]] {
        r += a * b;
    }
    for Point { x, y, .. } in [p, p] {
        r += x - y;
    }
    for v in [1, 2, k] {
        r ^= v;
    }
    for &v in &[1, k] {
        r ^= v;
    }
    let g = 'g: {
        let (1.., g) = (k, 4) else { break 'g 9 };
        g
    };
    r += g;
    if let (0..=20, [_, z, ..]) | (30..=40, [z, ..]) = (k, arr) {
        r += z;
    }
    if let Point { x: 2, y, .. } = p
        && let v @ (1 | 5 | 9) = y % 10
        && v != 5
    {
        r += v * 31
    } else {
        r += 1
    }
    let mut cnt = k;
    while let 1.. = cnt {
        cnt /= 2;
        r += 1;
    }
    r += parts((k, 2), p, arr, t, 7);
});

body!(blocks, i, r, i64, {
    let k = i as i64;
    let mut a = [0i64; 8];
    let mut j = 0usize;
    a[{
        j += 1;
        j
    }] = line(j as i64);
    a[j] += {
        j += 1;
        j as i64
    };
    r = r % 1_000_003 * 3 + a[1] + a[2] + j as i64;
    let t = {
        let x = k + 1;
        ({
            let x = x * 2;
            x + 1
        }) + x
    };
    r = r % 1_000_003 * 3 + t;
    let lab = 'a: {
        if k % 3 == 0 {
            break 'a 5;
        }
        let q = 'b: {
            if k % 5 == 0 {
                break 'b 1;
            }
            if k % 7 == 0 {
                break 'a 9;
            }
            2
        };
        q + 10
    };
    r = r % 1_000_003 * 3 + lab;
    let mut c = 0;
    let lp = loop {
        c += 1;
        if c > k % 10 {
            break c * 2;
        }
        if c == 5 {
            continue;
        }
    };
    r = r % 1_000_003 * 3 + lp;
    let lp2 = 'o: loop {
        let mut z = 0;
        loop {
            z += 1;
            if z == 4 {
                break 'o z + k;
            }
            if z > k {
                break;
            }
        }
        c += 1;
        if c > 30 {
            break c;
        }
    };
    r = r % 1_000_003 * 3 + lp2 + c;
    let u = if k % 2 == 0 {
        let w = k / 2;
        w
    } else if k > 100 {
        7
    } else {
        match k % 5 {
            1 => {
                let z = 3;
                z * z
            }
            3 => 11,
            _ => {
                if k > 50 {
                    1
                } else {
                    2
                }
            }
        }
    };
    r = r % 1_000_003 * 3 + u + early(k);
    let nest = ((k, (1u8, 2.5f32)), [(k, 1), (2, 3)], [[1, 2], [3, k]]);
    r = r % 1_000_003 * 3
        + nest.0.0
        + nest.0.1.0 as i64
        + (nest.0.1.1 * 2.0) as i64
        + nest.1[1].0
        + nest.1[0].0
        + nest.2[1][1]
        + nest.2[j % 2][0];
    let mut arr2 = [[k; 3]; 2];
    arr2[1][j % 3] = 5;
    arr2[0] = [9; 3];
    arr2[1][0] += arr2[0][1];
    r = r % 1_000_003 * 3 + arr2[0][0] + arr2[1][0] * 2 + arr2[1][1] * 3 + arr2[1][2];
    let mut at = [(1i32, 2u8); 4];
    at[j % 4].0 = k as i32;
    at[1].1 += 3;
    at.swap(0, 2);
    let (p0, p1) = at[j % 4];
    r = r % 1_000_003 * 3 + p0 as i64 + p1 as i64 + at[1].1 as i64;
    let mut v = Record { a: k as i32, ..Record::ZERO };
    v.c[j % 3] = 200;
    v.b += 1.5;
    let v2 = Record { c: [7; 3], ..v };
    let w = v2;
    let Record { a: va, .. } = w;
    r = r % 1_000_003 * 3
        + va as i64
        + v.b as i64
        + v.c[0] as i64
        + v2.c[2] as i64
        + Record::K as i64
        + TABLE[j % 2][j % 3] as i64
        + Record::ZERO.c[1] as i64;
    // literals
    r = r % 1_000_003 * 3
        + 1_000u64 as i64
        + 0b1011
        + 0o17
        + 0xff_i64
        + (1e-3f32 * 1e6) as i64
        + b'a' as i64
        + 'x' as u32 as i64
        + 2.5e2 as i64
        + -7i8 as i64
        + i64::MAX % 97
        + u8::MAX as i64
        + '\u{1F600}' as i64
        + b'\n' as i64
        + 1. as i64;
    // shadowing and unit
    let r2 = {
        let r = r + 1;
        let r = r * 2;
        r
    };
    let () = {
        r += r2 % 1000;
    };
    let _unit = if k > 3 {
        r += 1;
    } else {
        r += 2
    };
    // order of evaluation
    let mut s = 1;
    let e =
        s + {
            s *= 10;
            s
        } + s;
    let g = (
        s,
        {
            s += 1;
            s
        },
        s,
    )
        .1
        + [s, {
            s += 5;
            s
        }][0];
    r = r % 1_000_003 * 3 + e + g + s;
    let h = {
        s += 1;
        s
    } * {
        s += 2;
        s
    } - {
        s = 4;
        s
    };
    r = r % 1_000_003 * 3 + h;
    s += {
        s = 100;
        5
    };
    r = r % 1_000_003 * 3 + s;
    let mut idx = 0;
    let mut bb = [1i64, 2, 3, 4];
    bb[idx] = {
        idx = 2;
        bb[idx] * 10
    };
    bb[idx] -= {
        idx = 1;
        bb[idx]
    };
    (
        bb[{
            idx += 1;
            idx
        }],
        idx,
    ) = (bb[0] + 1, 3);
    r = r % 1_000_003 * 3 + bb[0] + bb[1] * 3 + bb[2] * 5 + bb[3] * 7 + idx as i64;
    // short circuit
    let mut cnt = 0i64;
    let sc = (k > 3 && {
        cnt += 1;
        k % 2 == 0
    }) || {
        cnt += 10;
        k % 5 == 0
    } && {
        cnt += 100;
        true
    };
    let sc2 = (k % 2 == 0) & {
        cnt += 1000;
        true
    } | false ^ sc;
    r = r % 1_000_003 * 3 + cnt + sc as i64 + sc2 as i64 * 2 + (!sc) as i64;
    if k > 0 && 100 / k > 3 {
        r += 1
    }
    if k == 0 || 100 % k == 0 {
        r += 5
    }
    let sh = (k as u32) << 3 >> 1 | 5 & 4 ^ 1;
    r = r % 1_000_003 * 3 + sh as i64;
    let mut m = 5i64;
    m <<= 2;
    m |= 3;
    m ^= k;
    m &= 0xff;
    m >>= 1;
    m %= 50;
    m /= 3;
    m *= 7;
    m -= 1;
    r = r % 1_000_003 * 3 + m;
    let neg = -(k - 5) * --3 + !k + !(k as u8) as i64;
    r = r % 1_000_003 * 3 + neg;
    let mut n = 0;
    while n < 10 {
        n += 1;
        if n == k {
            continue;
        }
        if n > 8 {
            break;
        }
        r += n;
    }
    'x: for p in 0..5 {
        for q in (0..=p).rev() {
            if q == 2 && k % 2 == 0 {
                continue 'x;
            }
            if p * q > 8 {
                break 'x;
            }
            r += p * q;
        }
    }
    for p in (0..20u8).step_by(7) {
        r += p as i64;
    }
    for p in (-3..3i16).rev().step_by(2) {
        r -= p as i64;
    }
    for _ in 0..k % 4 {
        r += 1;
    }
    let sz = std::mem::size_of::<(u8, f64)>() + core::mem::size_of::<Record>();
    r += sz as i64;
    let ch = r as u8 as i64
        + r as i8 as i64
        + (r as f32) as i64
        + (k as f64 / 3.0) as u8 as i64
        + (-1.5f64) as u32 as i64
        + f32::NAN as i32 as i64
        + 300.7f32 as u8 as i64
        + (k % 2 == 1) as u16 as i64
        + u64::MAX as f32 as u64 as i64 % 1000;
    r = r % 1_000_000_007 + ch;
});
