//! Subscripts that no affine inequality tells apart, at more than 4096 iterations. Each kernel runs with numbers that are right and with
//! numbers of which two iterations meet. A trace of all accesses says which they are: what is right gives what the
//! serial loop gives, what is not fails, and what data decides does so on devices.
#![allow(
    clippy::needless_range_loop,
    clippy::precedence,
    clippy::manual_swap,
    reason = "indices are what is tested"
)]
use omp_tests::{on_every_device, panic_of};

/// Who accesses which element.
struct Trace {
    iteration: usize,
    writers: Vec<usize>,
    reads: Vec<(usize, usize)>,
    meet: bool,
}

impl Trace {
    fn write(&mut self, at: usize) {
        let writer = std::mem::replace(&mut self.writers[at], self.iteration);
        self.meet |= writer != 0 && writer != self.iteration;
    }

    fn read(&mut self, at: usize) {
        self.reads.push((at, self.iteration));
    }

    fn meets(&self) -> bool {
        let other = |(at, by): &(usize, usize)| ![0, *by].contains(&self.writers[*at]);
        self.meet || self.reads.iter().any(other)
    }
}

type Kernel = fn(usize, [usize; 4], &[f32], &mut [u64]);
type Traced = fn([usize; 4], &[f32], &mut Trace);

/// From one body: the loop with its directive, without, and with a trace in place of the array.
macro_rules! kernels {
    ($params:tt $($name:ident: $loops:tt { $($lets:tt)* } if $cond:tt => $writes:tt $reads:tt)*) => {
        $(mod $name {
            use super::Trace;
            kernels! { @region $params $loops { $($lets)* } $cond $writes $reads }
            kernels! { @serial $params $loops { $($lets)* } $cond $writes $reads }
            kernels! { @trace $params $loops { $($lets)* } $cond $writes $reads }
        })*
    };
    (@region ($n:ident, $a:ident, $b:ident, $m:ident, $x:ident) ($i:ident in $is:expr)
        { $($lets:tt)* } ($cond:expr) [$($w:expr),*] [$($r:expr),*]) => {
        #[omp::offload]
        pub fn region(d: usize, [$n, $a, $b, $m]: [usize; 4], $x: &[f32], y: &mut [u64]) {
            #[omp::target(device(d))]
            for $i in $is {
                $($lets)*
                if $cond {
                    let v = $(y[$r] +)* 1;
                    $(y[$w] = y[$w].wrapping_mul(3).wrapping_add(v);)*
                }
            }
            let _ = ($n, $a, $b, $m, $x);
        }
    };
    (@region ($n:ident, $a:ident, $b:ident, $m:ident, $x:ident) ($i:ident in $is:expr, $j:ident in $js:expr)
        { $($lets:tt)* } ($cond:expr) [$($w:expr),*] [$($r:expr),*]) => {
        #[omp::offload]
        pub fn region(d: usize, [$n, $a, $b, $m]: [usize; 4], $x: &[f32], y: &mut [u64]) {
            #[omp::target(device(d), collapse(2))]
            for $i in $is {
                for $j in $js {
                    $($lets)*
                    if $cond {
                        let v = $(y[$r] +)* 1;
                        $(y[$w] = y[$w].wrapping_mul(3).wrapping_add(v);)*
                    }
                }
            }
            let _ = ($n, $a, $b, $m, $x);
        }
    };
    (@region ($n:ident, $a:ident, $b:ident, $m:ident, $x:ident) ($i:ident in $is:expr; $j:ident in $js:expr)
        { $($lets:tt)* } ($cond:expr) [$($w:expr),*] [$($r:expr),*]) => {
        #[omp::offload]
        pub fn region(d: usize, [$n, $a, $b, $m]: [usize; 4], $x: &[f32], y: &mut [u64]) {
            #[omp::target(device(d))]
            for $i in $is {
                for $j in $js {
                    $($lets)*
                    if $cond {
                        let v = $(y[$r] +)* 1;
                        $(y[$w] = y[$w].wrapping_mul(3).wrapping_add(v);)*
                    }
                }
            }
            let _ = ($n, $a, $b, $m, $x);
        }
    };
    (@serial ($n:ident, $a:ident, $b:ident, $m:ident, $x:ident) ($i:ident in $is:expr $(, $j:ident in $js:expr)? $(; $k:ident in $ks:expr)?)
        { $($lets:tt)* } ($cond:expr) [$($w:expr),*] [$($r:expr),*]) => {
        pub fn serial(_: usize, [$n, $a, $b, $m]: [usize; 4], $x: &[f32], y: &mut [u64]) {
            kernels! { @each ($i in $is $(, $j in $js)? $(, $k in $ks)?) {
                $($lets)*
                if $cond {
                    let v = $(y[$r] +)* 1;
                    $(y[$w] = y[$w].wrapping_mul(3).wrapping_add(v);)*
                }
            } }
            let _ = ($n, $a, $b, $m, $x);
        }
    };
    (@trace ($n:ident, $a:ident, $b:ident, $m:ident, $x:ident) ($i:ident in $is:expr $(, $j:ident in $js:expr)? $(; $k:ident in $ks:expr)?)
        { $($lets:tt)* } ($cond:expr) [$($w:expr),*] [$($r:expr),*]) => {
        pub fn trace([$n, $a, $b, $m]: [usize; 4], $x: &[f32], trace: &mut Trace) {
            kernels! { @each ($i in $is $(, $j in $js)?) {
                trace.iteration += 1;
                kernels! { @each ($($k in $ks)?) {
                    $($lets)*
                    if $cond {
                        $(trace.read($r);)*
                        $(trace.write($w);)*
                    }
                } }
            } }
            let _ = ($n, $a, $b, $m, $x);
        }
    };
    (@each () $body:tt) => { $body };
    (@each ($i:ident in $is:expr $(, $j:ident in $js:expr)?) $body:tt) => {
        for $i in $is { kernels! { @each ($($j in $js)?) $body } }
    };
}

kernels! { (n, a, b, m, x)
    affine: (i in 0..n) {} if (true) => [(a * i + b) % m] [(a * i + b) % m + m]
    affine_where: (i in 0..n) {} if (x[i] > 0.5) => [(a * i + b) % m] []
    bitonic: (i in 0..n) { let l = i ^ b; let up = i & a == 0; }
        if (l > i && ((up && x[i] > x[l]) || (!up && x[i] < x[l]))) => [i, l] []
    butterfly: (i in 0..n) {} if (i & a == 0) => [i, i + a] [i + a]
    gate: (i in 0..n) { let low = i & ((1 << b) - 1); let j = ((i >> a) << (a + 1)) | low; } if (true) => [j, j | (1 << a)] []
    two_gates: (i in 0..n) {
        let (lo, hi) = if a < b { (a, b) } else { (b, a) };
        let t = ((i >> lo) << (lo + 1)) | (i & ((1 << lo) - 1));
        let j = ((t >> hi) << (hi + 1)) | (t & ((1 << hi) - 1));
    } if (true) => [j | (1 << a), j | (1 << b)] []
    triangle: (i in 0..n; j in 0..i + b) {} if (true) => [i * (i + 1) / 2 + j] []
    condensed: (i in 0..n; j in i + b..n) {} if (true) => [n * i - i * (i + 1) / 2 + j - i] []
    transposed: (i in 0..n, j in 0..n) {} if (j + a > i) => [i * n + j, j * n + i] [j * n + i]
    reversed: (i in 0..n) { let j = (i as u32).reverse_bits() as usize >> (32 - a); } if (j >= i) => [i, j] []
    digits: (i in 0..n) { let (mut t, mut r) = (i, 0); for _ in 0..a { r = r * 3 + t % 3; t /= 3; } } if (true) => [r] []
    hilbert: (i in 0..n) {
        let (mut t, mut p, mut q, mut s) = (i, 0, 0, 1);
        for _ in 0..a {
            let rx = 1 & (t / 2);
            let ry = 1 & (t ^ rx);
            if ry == 0 {
                if rx == 1 {
                    p = s - 1 - p;
                    q = s - 1 - q;
                }
                let u = p;
                p = q;
                q = u;
            }
            p += s * rx;
            q += s * ry;
            t /= 4;
            s *= 2;
        }
    } if (true) => [p * (1 << a) + q] []
    wavefront: (i in 1..n) { let j = b.saturating_sub(i); } if (j > 0 && j < n) => [i * n + j] [(i - 1) * n + j + a]
    red_black: (i in 1..n - 1, j in 1..n - 1) {}
        if ((i + j) % 2 == a && x[i * n + j] > 0.2) => [i * n + j] [i * n + j - 1, i * n + j + 1, (i - b) * n + j]
    tiles: (i in 0..a * a; p in 0..b * b) {} if (true) => [(i / a * b + p / b) * n + i % a * b + p % b] []
    squares: (i in 0..n) {} if (true) => [i * i % m] []
    shuffle: (i in 0..n) { let j = if i < n / 2 { 2 * i } else { 2 * (i - n / 2) + a }; } if (true) => [j] []
    hashed: (i in 0..n) {} if (true) => [i.wrapping_mul(a) & (m - 1)] []
    narrow: (i in 0..n) {} if (true) => [(i as u16).rotate_left(a as u32) as usize] []
    zigzag: (i in 0..n, j in 0..a) { let at = if i % 2 == 0 { (i, j) } else { (i, a - 1 - j) }; } if (true) => [at.0 * b + at.1] []
    lattice: (i in 0..n, j in 0..n) {} if (true) => [(2 * i + 3 * j) % n * n + (i + j * b) % n] []
    paired: (i in 0..n, j in 0..n) { let k = if i < j { j * j + i } else { i * i + j + a * i }; } if (true) => [k] []
    phases: (i in 0..n) { let j = match i % 4 { 0 => i, 1 => i + 1, 2 => i + a, _ => i - 2 }; } if (true) => [j] []
    chosen: (i in 0..n) { let j = if x[i] > 0.5 { 2 * i } else { 2 * i + a }; } if (true) => [j] []
    halves: (i in 0..n) {} if (x[i] < x[n - 1 - i] && i < n / 2 + a) => [i, n - 1 - i] []
    blocks: (i in (0..n).step_by(a); j in 0..b) {} if (true) => [i + j] []
    products: (i in 0..n) {} if (true) => [(a as u128 * i as u128 % m as u128) as usize] []
    pivot: (i in 0..n, j in 0..n) {} if (i != a && (j != b || m == 0)) => [i * n + j] [a * n + j, i * n + b]
}

/// Runs a kernel with some numbers, each `[n, a, b, m]`. `data`: data decides whether iterations meet.
fn check(name: &str, (region, serial, trace): (Kernel, Kernel, Traced), data: bool, all: &[[usize; 4]]) {
    const LEN: usize = 1 << 16;
    let x: Vec<f32> =
        (0..LEN as u32).map(|i| (i.wrapping_mul(0x9E37_79B9) >> 8) as f32 / (1 << 24) as f32).collect();
    for numbers in all {
        let mut traced = Trace { iteration: 0, writers: vec![0; LEN], reads: Vec::new(), meet: false };
        trace(*numbers, &x, &mut traced);
        let mut want: Vec<u64> = (0..LEN as u64).collect();
        serial(0, *numbers, &x, &mut want);
        on_every_device(|d| {
            let mut y: Vec<u64> = (0..LEN as u64).collect();
            let failed = panic_of(|| region(d, *numbers, &x, &mut y));
            // What data decides, the host runs in order.
            if traced.meets() && !(data && failed.is_none() && d == omp::get_initial_device()) {
                let text = failed.unwrap_or_else(|| panic!("{name} {numbers:?} on {d}: nothing was told"));
                assert!(
                    text.contains("race") || text.contains("overlapping"),
                    "{name} {numbers:?} on {d}: {text}"
                );
            } else {
                assert_eq!(failed, None, "{name} {numbers:?} on {d}");
                assert!(y == want, "{name} {numbers:?} on {d}");
            }
        });
    }
}

macro_rules! checks {
    ($($name:ident $data:literal $([$($number:expr),+])+;)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), (self::$name::region, self::$name::serial, self::$name::trace), $data, &[$([$($number),+]),+]);
        })*
    };
}

checks! {
    affine false [5000, 7, 3, 6000] [5000, 5, 1, 5003] [5000, 2, 3, 6000] [5004, 11, 2, 5003];
    affine_where true [5000, 7, 3, 6000] [5000, 2, 3, 6000];
    bitonic true [8192, 16, 8, 0] [8192, 8192, 4096, 0] [8192, 8, 5, 0] [8192, 8, 0, 0];
    butterfly false [8192, 4, 0, 0] [5000, 4096, 0, 0] [8192, 6, 0, 0];
    gate false [8192, 3, 3, 0] [8192, 12, 12, 0] [8192, 3, 2, 0];
    two_gates false [4096, 3, 5, 0] [4097, 5, 3, 0] [4096, 3, 3, 0];
    triangle false [100, 0, 1, 0] [300, 0, 0, 0] [120, 0, 2, 0];
    condensed false [300, 0, 1, 0] [300, 0, 0, 0];
    transposed false [100, 0, 0, 0] [80, 1, 0, 0] [80, 2, 0, 0];
    reversed false [8192, 13, 0, 0] [8192, 12, 0, 0];
    digits false [6561, 8, 0, 0] [6561, 7, 0, 0];
    hilbert false [16384, 7, 0, 0] [16384, 6, 0, 0];
    wavefront false [200, 0, 200, 0] [200, 1, 200, 0];
    red_black true [90, 0, 1, 0] [91, 1, 1, 0] [90, 0, 0, 0];
    tiles false [96, 12, 8, 0] [95, 12, 8, 0];
    squares false [2502, 0, 0, 5003] [2503, 0, 0, 5003];
    shuffle false [5000, 1, 0, 0] [5000, 2, 0, 0];
    hashed false [8192, 0x9E37_79B9_7F4A_7C15, 0, 8192] [8192, 6, 0, 8192];
    narrow false [65536, 3, 0, 0] [65537, 3, 0, 0];
    zigzag false [70, 90, 90, 0] [70, 90, 89, 0];
    lattice false [81, 0, 2, 0] [77, 0, 5, 0];
    paired false [80, 1, 0, 0] [80, 0, 0, 0];
    phases false [5000, 1, 0, 0] [5000, 0, 0, 0];
    chosen true [5000, 1, 0, 0] [5000, 3, 0, 0] [5000, 2, 0, 0];
    halves true [5000, 0, 0, 0] [5000, 1, 0, 0];
    blocks false [5000, 4, 4, 0] [5000, 1, 1, 0] [5000, 4, 5, 0];
    products true [5003, 7, 0, 5003] [5004, 7, 0, 5003];
    pivot false [80, 5, 5, 1] [80, 5, 5, 0];
}
