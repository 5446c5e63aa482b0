//! Consts of device functions and bodies: before and after method calls, in blocks of loops, one in another, shadowed, in generic
//! functions, trait methods and two functions of one `impl`, with loops over their elements.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;

#[derive(omp::Device, Clone, Copy)]
struct P {
    a: f32,
}

#[omp::declare_target]
trait Weigh: Copy {
    fn twice(self) -> f32;
    fn weigh(self, k: usize) -> f32;
    fn both(self, k: usize) -> f32 {
        const D: [f32; 2] = [0.5, 0.25];
        let mut s = self.twice();
        for d in D.iter() {
            s += d;
        }
        s + self.weigh(k)
    }
}

#[omp::declare_target]
impl Weigh for P {
    fn twice(self) -> f32 {
        const TWO: f32 = 2.0;
        let t = self.a.max(0.0);
        const W: [f32; 2] = [1.0, TWO];
        let mut s = t;
        for (k, w) in W.iter().enumerate() {
            s += w * k as f32;
        }
        s * TWO
    }
    fn weigh(self, k: usize) -> f32 {
        let t = self.twice();
        const W: [f32; 3] = [1.0, 2.0, 3.0];
        let mut s = t;
        for w in W.iter() {
            s += w;
        }
        for k in 0..W.len() {
            const W: [f32; 2] = [10.0, 20.0];
            for w in W.iter().rev() {
                s += w;
            }
            s += W[k % 2] + W.len() as f32;
        }
        s + W[k % W.len()]
    }
}

#[omp::declare_target]
impl P {
    fn one(self) -> f32 {
        let t = self.twice();
        const A: [f32; 1] = [1.0];
        for a in A.iter() {
            if *a > t {
                return t;
            }
        }
        t
    }
    fn two(self) -> f32 {
        let t = self.one();
        const A: [f32; 1] = [2.0];
        let mut s = t;
        for a in A.iter() {
            s += a;
        }
        s
    }
}

#[omp::declare_target]
fn generic<T: omp::Device + Weigh, const N: usize>(t: T, x: [f32; N]) -> f32 {
    let a = t.twice();
    const N2: usize = 2;
    const W: [[f32; N2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
    let mut s = a;
    for r in W.iter() {
        for w in r.iter() {
            s += w;
        }
    }
    for v in x.iter() {
        s += v;
    }
    {
        const N2: f32 = 7.0;
        s += N2;
    }
    s + N2 as f32
        + match x.len() {
            N2 => 100.0,
            _ => 0.0,
        }
}

/// Consts are there before they stand; what macros, patterns and assignments take apart has names of its own.
#[omp::declare_target]
fn order(x: f32) -> f32 {
    let y = B[1].max(x);
    const A: f32 = B[0] + 1.0;
    const B: [f32; 2] = [3.0, 4.0];
    let m = x.min(A);
    assert!(y >= x, "{} {}", y, x);
    let (p, q) = match (y, m) {
        (a, b) if a > b => (a, b),
        (a, b) => (b, a),
    };
    let mut r = p;
    let mut t = q;
    (r, t) = (t, r);
    for b in B.iter() {
        r += b.sqrt();
    }
    // (Methods of arrays are `const` in a const.)
    const N: usize = B.len() + "ab".len() + B.is_empty() as usize;
    r + t + N as f32
}

fn value(p: P, i: usize) -> f32 {
    p.weigh(i) + p.both(i) + p.two() + generic(p, [1.0, 2.0]) + generic(p, [1.0; 3]) + order(i as f32)
}

#[omp::offload]
fn functions(d: usize, p: P, v: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..v.len() {
        v[i] = p.weigh(i)
            + p.both(i)
            + p.two()
            + generic(p, [1.0, 2.0])
            + generic(p, [1.0; 3])
            + order(i as f32);
    }
}

#[omp::offload]
fn bodies(d: usize, v: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..v.len() {
        let t = v[i].max(3.0);
        const W: [f32; 3] = [1.0, 2.0, 3.0];
        let mut s = t;
        for w in W.iter() {
            const HALF: [f32; 1] = [0.5];
            s += w.min(HALF[0]);
        }
        const N: usize = W.len() + W.is_empty() as usize;
        v[i] = s + N as f32;
    }
}

#[test]
fn consts_have_names_of_their_own() {
    on_every_device(|d| {
        for n in [0, 1, 37, 256] {
            let p = P { a: 1.5 };
            let mut v = vec![0.0f32; n];
            functions(d, p, &mut v);
            for i in 0..n {
                assert!((v[i] - value(p, i)).abs() < 1e-3, "{i}: {} {}", v[i], value(p, i));
            }
            let expected: Vec<f32> = v.iter().map(|x| x.max(3.0) + 4.5).collect();
            bodies(d, &mut v);
            assert_eq!(v, expected);
        }
    });
}
