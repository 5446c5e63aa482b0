//! Stencils over the interior of grids, whose points are written out. `stencils [WORK-PREFIX] [--small]` with OMP_BACKEND=cuda prints
//! a line for each work: the device's time in milliseconds of the loop, and of the same loop under `vector(1)`, in which each thread
//! accesses single elements. The results of both are compared bit by bit, and with the host's.
use omp_benches::{Works, floats, mix, region};

const REPS: usize = 15;

/// Loops from `a` and `b` into `o`: as a region, as one with single elements, and on the host.
macro_rules! stencils {
    ($($name:ident <$In:ty, $Out:ty> $collapse:tt |$a:ident, $b:ident, $o:ident, $n:ident| { $($loops:tt)* })*) => { $(
        #[allow(unused_variables, reason = "some bodies need one array")]
        mod $name {
            #[omp::offload]
            pub fn groups($n: usize, $a: &[$In], $b: &[$In], $o: &mut [$Out]) {
                #[omp::target(collapse $collapse, fp(strict), map(to: $a, $b), map(tofrom: $o))]
                $($loops)*
            }

            #[omp::offload]
            pub fn single($n: usize, $a: &[$In], $b: &[$In], $o: &mut [$Out]) {
                #[omp::target(collapse $collapse, fp(strict), vector(1), map(to: $a, $b), map(tofrom: $o))]
                $($loops)*
            }

            pub fn host($n: usize, $a: &[$In], $b: &[$In], $o: &mut [$Out]) {
                $($loops)*
            }
        }
    )* };
}

stencils! {
    copy<f32, f32> (2) |a, b, o, n| {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                o[y * n + x] = a[y * n + x];
            }
        }
    }
    heat<f32, f32> (2) |a, b, o, n| {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let k = y * n + x;
                o[k] = a[k] + 0.1 * (a[k - 1] + a[k + 1] + a[k - n] + a[k + n] - 4.0 * a[k]);
            }
        }
    }
    heat_f64<f64, f64> (2) |a, b, o, n| {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let k = y * n + x;
                o[k] = a[k] + 0.1 * (a[k - 1] + a[k + 1] + a[k - n] + a[k + n] - 4.0 * a[k]);
            }
        }
    }
    wave<f32, f32> (2) |a, b, o, n| {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let k = y * n + x;
                let sum = a[k - 1] + a[k + 1] + a[k - n] + a[k + n];
                o[k] = 2.0 * a[k] - o[k] + b[k] * (sum - 4.0 * a[k]);
            }
        }
    }
    sobel<u8, u8> (2) |a, b, o, n| {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let p = |dy: usize, dx: usize| i32::from(a[(y + dy - 1) * n + x + dx - 1]);
                let gx = p(0, 2) + 2 * p(1, 2) + p(2, 2) - p(0, 0) - 2 * p(1, 0) - p(2, 0);
                let gy = p(2, 0) + 2 * p(2, 1) + p(2, 2) - p(0, 0) - 2 * p(0, 1) - p(0, 2);
                o[y * n + x] = (gx.abs() + gy.abs()).min(255) as u8;
            }
        }
    }
    brightness<u8, f32> (2) |a, b, o, n| {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                o[y * n + x] = f32::from(a[y * n + x]) / 255.0 + f32::from(b[y * n + x]);
            }
        }
    }
    seven_points<f32, f32> (3) |a, b, o, n| {
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for x in 1..n - 1 {
                    let k = (z * n + y) * n + x;
                    let sum = a[k - 1] + a[k + 1] + a[k - n] + a[k + n] + a[k - n * n] + a[k + n * n];
                    o[k] = 0.1 * sum + 0.4 * a[k];
                }
            }
        }
    }
    seven_points_f64<f64, f64> (3) |a, b, o, n| {
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for x in 1..n - 1 {
                    let k = (z * n + y) * n + x;
                    let sum = a[k - 1] + a[k + 1] + a[k - n] + a[k + n] + a[k - n * n] + a[k + n * n];
                    o[k] = 0.1 * sum + 0.4 * a[k];
                }
            }
        }
    }
}

/// A module of `stencils`, with so many elements along each side.
macro_rules! measure {
    ($works:ident, $name:ident, $n:expr, $len:expr, $a:expr, $b:expr, $start:expr) => {
        if $works.wants(stringify!($name)) {
            let (n, len, a, b) = ($n, $len, &$a, &$b);
            let [mut with, mut without, mut want] = [(); 3].map(|()| vec![$start; len]);
            // Each run goes on from the last one's result.
            $name::groups(n, a, b, &mut with);
            $name::single(n, a, b, &mut without);
            $name::host(n, a, b, &mut want);
            let right = with == without && with == want;
            let mut out = vec![$start; len];
            region(stringify!($name), REPS, || $name::groups(n, a, b, &mut out)).print(right);
            let report = omp::last_region();
            println!("# block {:?}, grid {:?}", report.block, report.grid);
            region(stringify!($name), REPS, || $name::single(n, a, b, &mut out)).by("before").print(right);
        }
    };
}

fn main() {
    let works = Works::from_args();
    let n = works.size(8192, 700);
    let (a, b) = (floats(n * n, 1, 0.5), floats(n * n, 2, 0.5));
    measure!(works, copy, n, n * n, a, b, 0.5f32);
    measure!(works, heat, n, n * n, a, b, 0.5f32);
    measure!(works, wave, n, n * n, a, b, 0.5f32);
    let (x, y): (Vec<f64>, Vec<f64>) = a.iter().zip(&b).map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip();
    measure!(works, heat_f64, n, n * n, x, y, 0.5f64);
    let picture: Vec<u8> = (0..n * n).map(|k| mix(k as u64) as u8).collect();
    measure!(works, sobel, n, n * n, picture, picture, 3u8);
    measure!(works, brightness, n, n * n, picture, picture, 0.5f32);
    let n = works.size(512, 96);
    let (a, b) = (floats(n * n * n, 3, 0.5), vec![0.0]);
    measure!(works, seven_points, n, n * n * n, a, b, 0.5f32);
    let x: Vec<f64> = a.iter().map(|x| f64::from(*x)).collect();
    measure!(works, seven_points_f64, n, n * n * n, x, [0.0], 0.5f64);
}
