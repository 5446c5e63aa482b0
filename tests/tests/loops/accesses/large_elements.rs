//! Arrays of large elements of which iterations store their own: on CUDA, the threads of a warp store them together. Each against the
//! same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, panic_text, twice};
use std::panic::{AssertUnwindSafe, catch_unwind};

twice! {
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct Mat3 {
        pub m: [[f32; 3]; 3],
    }
    #[omp::declare_target]
    impl Mat3 {
        fn transposed(self) -> Self {
            let m = self.m;
            Mat3 { m: [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]] }
        }
    }
    /// With padding.
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct Particle {
        pub a: f64,
        pub b: [u32; 7],
        pub c: u16,
        pub d: u8,
    }
    /// Not every pattern of bits is a value.
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct Flagged {
        pub v: [u32; 11],
        pub on: bool,
    }
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct Mat4(pub [[f64; 4]; 4]);

    #[omp::offload]
    pub fn transposes(x: &[Mat3], y: &mut [Mat3]) {
        #[omp::target]
        for (x, y) in x.iter().zip(y) {
            *y = x.transposed();
        }
    }
    /// Subscripts with a constant, ends in the middle, and a condition that ends some iterations after the store.
    #[omp::offload]
    pub fn shifted(lo: usize, hi: usize, x: &[Mat3], y: &mut [Mat3], large: &mut [u32]) {
        #[omp::target]
        for i in lo..hi {
            y[i + 1] = x[i].transposed();
            if x[i].m[0][0] < 5.0 {
                continue;
            }
            large[i] = 1;
        }
    }
    /// Two arrays, of which neighbouring iterations read other elements.
    #[omp::offload]
    pub fn gathered(at: &[usize], w: &[f32], y: &mut [[f32; 9]], z: &mut [Particle], f: &mut [Flagged]) {
        #[omp::target]
        for i in 0..y.len() {
            let v = w[at[i]];
            y[i] = [v; 9];
            z[i] = Particle { a: v as f64, b: [i as u32; 7], c: i as u16, d: 3 };
            f[i] = Flagged { v: [i as u32; 11], on: v > 3.0 };
        }
    }
    /// Stores that not all iterations run, or that are of parts, stay as they are.
    #[omp::offload]
    pub fn partly(x: &[Mat4], y: &mut [Mat4], z: &mut [Mat4]) {
        #[omp::target]
        for i in 0..x.len() {
            if x[i].0[0][0] > 2.0 {
                y[i] = x[i];
            }
            for k in 0..4 {
                z[i].0[k][3] = x[i].0[3][k] + z[i].0[k][0];
            }
        }
    }
    /// Elements of 128 bytes and the largest block: they don't fit shared memory, and each thread stores its own.
    #[omp::offload]
    pub fn large_blocks(x: &[Mat4], y: &mut [Mat4]) {
        #[omp::target(block(1024))]
        for i in 0..y.len() {
            y[i] = Mat4([x[i].0[3], x[i].0[2], x[i].0[1], x[i].0[0]]);
        }
    }
    /// Parts change: fields, elements by a constant or a short loop, in conditions too.
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct Body {
        pub at: [f32; 3],
        pub speed: [f32; 3],
        pub mass: f32,
        pub charge: f32,
        pub hits: u16,
        pub alive: bool,
    }
    #[omp::declare_target]
    impl Body {
        fn energy(&self) -> f32 {
            self.mass * (self.speed[0] * self.speed[0] + self.speed[1] * self.speed[1])
        }
    }
    #[omp::offload]
    pub fn moved(dt: f32, bodies: &mut [Body], energy: &mut [f32], kept: &mut [Body]) {
        #[omp::target]
        for (i, b) in bodies.iter_mut().enumerate() {
            for k in 0..3 {
                b.at[k] += b.speed[k] * dt;
            }
            if b.at[0] > 9.0 {
                b.speed[0] = -b.speed[0];
                b.hits += 1;
            }
            b.mass *= 0.5;
            energy[i] = b.energy();
            if b.hits > 1 {
                b.alive = false;
                continue;
            }
            kept[i] = *b;
        }
    }
    /// From another element of the array, and with a subscript that only data tells: not staged.
    #[omp::offload]
    pub fn not_its_own(n: usize, at: &[usize], pairs: &mut [Body], one: &mut [Body]) {
        #[omp::target]
        for i in 0..n {
            pairs[i].at = pairs[i + n].at;
            pairs[i].speed = [1.0; 3];
            let k = at[i];
            one[i].at[k] += 1.0;
            one[i].at[(k + 1) % 3] -= 1.0;
            one[i].speed[k] = one[i].at[0];
        }
    }
    /// Fails in the middle, between two changes.
    #[omp::offload]
    pub fn fails(w: &[f32], at: &[usize], bodies: &mut [Body]) {
        #[omp::target]
        for i in 0..bodies.len() {
            bodies[i].speed = [i as f32; 3];
            bodies[i].mass = w[at[i]];
            bodies[i].at[1] = 2.0;
        }
    }
    #[omp::offload]
    pub fn products(x: &[Mat4], y: &mut [Mat4]) {
        #[omp::target]
        for i in 0..y.len() {
            let (a, b) = (&x[i].0, &x[x.len() - 1 - i].0);
            let mut c = [[0.0; 4]; 4];
            for r in 0..4 {
                for s in 0..4 {
                    c[r][s] = (0..4).map(|k| a[r][k] * b[k][s]).sum();
                }
            }
            y[i] = Mat4(c);
        }
    }
}

const LENGTHS: [usize; 10] = [0, 1, 31, 32, 33, 255, 256, 257, 1000, 4999];

#[test]
fn elements_are_stored_whole() {
    for n in LENGTHS {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<_> = (0..n)
                .map(|k| m::Mat3 { m: std::array::from_fn(|i| std::array::from_fn(|j| ((k * 9 + i * 3 + j) % 17) as f32)) })
                .collect();
            let mut y = vec![m::Mat3 { m: [[-1.0; 3]; 3] }; n];
            m::transposes(&x, &mut y);
            let mut z = vec![m::Mat3 { m: [[-1.0; 3]; 3] }; n + 1];
            let mut large = vec![0; n];
            m::shifted(n / 3, n - n / 5, &x, &mut z, &mut large);
            let of = |v: &[m::Mat3]| v.iter().map(|m| m.m).collect::<Vec<_>>();
            (of(&y), of(&z), large)
        });
    }
}

#[test]
fn several_arrays_and_padding() {
    for n in LENGTHS {
        compare!(m, d => {
            omp::set_default_device(d);
            let at: Vec<usize> = (0..n).map(|i| (i * 7) % n).collect();
            let w: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let (mut y, mut z) = (vec![[0.0; 9]; n], vec![m::Particle { a: 0.0, b: [0; 7], c: 0, d: 0 }; n]);
            let mut f = vec![m::Flagged { v: [0; 11], on: false }; n];
            m::gathered(&at, &w, &mut y, &mut z, &mut f);
            let z: Vec<_> = z.iter().map(|p| (p.a, p.b, p.c, p.d)).collect();
            (y, z, f.iter().map(|f| (f.v, f.on)).collect::<Vec<_>>())
        });
    }
}

#[test]
fn other_stores_stay() {
    for n in LENGTHS {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<_> = (0..n)
                .map(|k| m::Mat4(std::array::from_fn(|i| std::array::from_fn(|j| ((k + i * 3 + j) % 7) as f64))))
                .collect();
            let (mut y, mut z, mut p) = (x.clone(), x.clone(), x.clone());
            y.reverse();
            m::partly(&x, &mut y, &mut z);
            m::products(&x, &mut p);
            let mut q = x.clone();
            m::large_blocks(&x, &mut q);
            [y, z, p, q].map(|v| v.iter().map(|m| m.0).collect::<Vec<_>>())
        });
    }
}

#[test]
fn parts_of_elements() {
    for n in LENGTHS {
        compare!(m, d => {
            omp::set_default_device(d);
            let body = |i: usize| m::Body {
                at: [(i % 13) as f32, i as f32, 0.5],
                speed: [0.5, (i % 3) as f32, -1.0],
                mass: 1.0 + (i % 4) as f32,
                charge: i as f32,
                hits: (i % 3) as u16,
                alive: true,
            };
            let mut bodies: Vec<_> = (0..n).map(body).collect();
            let (mut energy, mut kept) = (vec![0.0; n], vec![body(0); n]);
            m::moved(0.5, &mut bodies, &mut energy, &mut kept);
            m::moved(0.25, &mut bodies, &mut energy, &mut kept);
            let at: Vec<usize> = (0..n).map(|i| i % 3).collect();
            let (mut pairs, mut one): (Vec<_>, Vec<_>) = ((0..2 * n).map(body).collect(), (0..n).map(body).collect());
            m::not_its_own(n, &at, &mut pairs, &mut one);
            let w = vec![3.0; 5];
            let at: Vec<usize> = (0..n).map(|i| i % 5).collect();
            let mut last = bodies.clone();
            m::fails(&w, &at, &mut last);
            let of = |v: &[m::Body]| v.iter().map(|b| (b.at, b.speed, b.mass, b.charge, b.hits, b.alive)).collect::<Vec<_>>();
            ([&bodies, &kept, &pairs, &one, &last].map(|v| of(v)), energy)
        });
    }
}

/// Iterations that fail keep what they did not reach, and don't touch the elements of others.
#[test]
fn parts_before_a_failure() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let n = 300;
        let body =
            device::Body { at: [0.0; 3], speed: [-1.0; 3], mass: -1.0, charge: 4.0, hits: 7, alive: true };
        let mut at: Vec<usize> = (0..n).map(|i| i % 4).collect();
        at[130] = 4444;
        let mut bodies = vec![body; n];
        let run = AssertUnwindSafe(|| device::fails(&[1.0; 4], &at, &mut bodies));
        let panic = catch_unwind(run).expect_err("an index is wrong");
        let text = panic_text(&*panic);
        assert!(text.contains("4444"), "{text}: on {d}");
        let old = |b: &device::Body| *b == body;
        let new = |i: usize, b: &device::Body| b.speed == [i as f32; 3] && (b.mass, b.at[1]) == (1.0, 2.0);
        let kept =
            |b: &device::Body| (b.at[0], b.at[2], b.charge, b.hits, b.alive) == (0.0, 0.0, 4.0, 7, true);
        let all = bodies.iter().enumerate().all(|(i, b)| kept(b) && (i == 130 || old(b) || new(i, b)));
        assert!(all && bodies[130].mass == -1.0, "on {d}: {:?}", &bodies[128..132]);
        at[130] = 0;
        device::fails(&[1.0; 4], &at, &mut bodies);
        assert!(bodies.iter().enumerate().all(|(i, b)| kept(b) && new(i, b)), "on {d}");
    });
}

/// A failure in the middle is that of the first iteration that fails, and the program goes on.
#[test]
fn failures_in_the_middle() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let n = 500;
        let mut at: Vec<usize> = (0..n).collect();
        at[300] = 7777;
        let w: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let (mut y, mut z) = (vec![[0.0; 9]; n], vec![device::Particle { a: 0.0, b: [0; 7], c: 0, d: 0 }; n]);
        let mut f = vec![device::Flagged { v: [0; 11], on: false }; n];
        let run = AssertUnwindSafe(|| device::gathered(&at, &w, &mut y, &mut z, &mut f));
        let panic = catch_unwind(run).expect_err("an index is wrong");
        let text = panic_text(&*panic);
        assert!(text.contains("7777"), "{text}: on {d}");
        at[300] = 300;
        device::gathered(&at, &w, &mut y, &mut z, &mut f);
        assert!(
            (0..n).all(|i| y[i] == [i as f32; 9] && z[i].b == [i as u32; 7] && f[i].on == (i > 3)),
            "on {d}"
        );
    });
}
