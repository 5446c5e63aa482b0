//! Calls whose callee and types rustc alone knows: results that the context chooses, numbers for parameters of every type, receivers
//! with computed indices, calls within arguments.
#![forbid(unsafe_code)]
#![allow(clippy::cast_lossless, reason = "casts as they are written")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct P {
    x: f32,
    n: u32,
}

#[omp::declare_target]
impl P {
    fn norm(&self) -> f32 {
        self.x * self.x
    }

    fn add(&mut self, v: f32) -> f32 {
        self.x += v;
        self.x
    }

    fn plus(self, other: P, k: u32) -> P {
        P { x: self.x + other.x, n: self.n + other.n * k }
    }

    fn get<T: From<f32> + omp::Device>(&self) -> T {
        T::from(self.x)
    }

    fn scale<T: Into<f64> + omp::Device>(&self, by: T) -> f64 {
        f64::from(self.x) * by.into()
    }
}

#[omp::declare_target]
trait Area {
    fn area(&self, k: f32) -> f32;

    fn grow(&mut self) {}

    fn two(&self) -> f32 {
        self.area(2.0)
    }
}

#[omp::declare_target]
impl Area for P {
    fn area(&self, k: f32) -> f32 {
        self.x * k
    }

    fn grow(&mut self) {
        self.x += 1.0;
    }
}

#[omp::declare_target]
impl Area for f32 {
    fn area(&self, k: f32) -> f32 {
        *self * k
    }
}

#[omp::declare_target]
fn twice<T: Copy + std::ops::Add<Output = T> + omp::Device>(x: T) -> T {
    x + x
}

#[omp::declare_target]
fn mixed(a: f32, b: i64, c: u8, d: f64, e: usize) -> f32 {
    a + b as f32 + c as f32 + d as f32 + e as f32
}

#[omp::declare_target]
#[allow(clippy::too_many_arguments)]
fn long(
    a: i32,
    b: i32,
    c: i32,
    d: i32,
    e: i32,
    f: i32,
    g: i32,
    h: i32,
    i: i32,
    j: i32,
    k: i32,
    l: i32,
    m: u8,
) -> i32 {
    a + b + c + d + e + f + g + h + i + j + k + l + i32::from(m)
}

#[omp::declare_target]
fn of_slice(x: &[f32], k: usize) -> f32 {
    x[k]
}

mod elsewhere {
    #[omp::declare_target]
    pub fn negated(x: f32, by: i32) -> f32 {
        -x * by as f32
    }
}

/// One text for the region and for plain Rust.
macro_rules! both {
    (|$x:ident, $q:ident, $i:ident| $body:block) => {
        fn plain($x: &[f32], $q: &[P], $i: usize) -> f64 {
            $body
        }

        #[omp::offload]
        fn region(d: usize, $x: &[f32], $q: &[P], y: &mut [f64]) {
            #[omp::target(device(d), fp(strict))]
            for $i in 0..y.len() {
                y[$i] = $body;
            }
        }
    };
}

both!(|x, q, i| {
    let mut p = q[i];
    let mut sum = p.add(2.0);
    p.add(x[i + 1].max(x[2 * i].min(3.0)));
    p.grow();
    sum += twice(1.5) + twice(x[i]) + twice(3) as f32;
    sum += mixed(1.0, -2, 3, 4.0, 5) + long(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13) as f32;
    sum += of_slice(&x[1..], 0) + of_slice(x, 1) + elsewhere::negated(2.0, 3);
    sum += x[i + 1].area(2.0) + q[i].two() + x[i].abs().max(x[i + 1].abs().max(1.0));
    let chosen: f64 = q[i + 1].get();
    chosen
        + q[i].scale(2.0f32)
        + q[i].scale(2.0)
        + f64::from(p.plus(q[i].plus(p, 3), 2).norm() + sum)
        + f64::from(7i32.pow(2) + p.n as i32)
});

#[omp::offload]
fn captured<A: Area + omp::Device>(d: usize, a: A, b: &A, y: &mut [f32]) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..y.len() {
        y[i] = a.area(i as f32) + b.two();
    }
}

#[test]
fn of_every_kind() {
    let x: Vec<f32> = (0..41).map(|i| i as f32 * 0.5).collect();
    let q: Vec<P> = (0..41).map(|i| P { x: i as f32 * 0.25, n: i }).collect();
    let want: Vec<f64> = (0..20).map(|i| plain(&x, &q, i)).collect();
    on_every_device(|d| {
        let mut got = vec![0.0; 20];
        region(d, &x, &q, &mut got);
        assert_eq!(got, want, "device {d}");
        let mut areas = vec![0.0; 20];
        captured(d, q[3], &q[4], &mut areas);
        for (i, area) in areas.iter().enumerate() {
            assert_eq!(*area, q[3].area(i as f32) + q[4].two(), "device {d}");
        }
    });
}
