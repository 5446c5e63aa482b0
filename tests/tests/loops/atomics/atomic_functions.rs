//! Atomic directives in device functions and methods, which stand at their calls: a region sees whose elements they access. On the host, calls
//! outside of regions run in order.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;

#[omp::declare_target]
fn add(h: &mut [u32], k: usize) {
    #[omp::atomic]
    h[k] += 1;
}
#[omp::declare_target]
fn add_both(h: &mut [u32], k: usize) {
    add(h, k);
    add(h, (k + 1) % h.len());
}
#[omp::declare_target]
fn slot(next: &mut [usize], k: usize) -> usize {
    let at;
    #[omp::atomic(capture)]
    {
        at = next[k];
        next[k] += 1;
    }
    at
}
#[omp::declare_target]
fn add_any<T: omp::Device + std::ops::AddAssign>(h: &mut [T], k: usize, v: T) {
    if k >= h.len() {
        return;
    }
    #[omp::atomic]
    h[k] += v;
}
#[derive(omp::Mapper)]
struct Grid {
    w: usize,
    data: Vec<f32>,
}
impl Grid {
    #[omp::declare_target]
    fn add(&mut self, x: usize, y: usize, v: f32) {
        #[omp::atomic]
        self.data[y * self.w + x] += v;
    }
}
#[omp::offload]
fn with_functions(
    d: usize,
    x: &[usize],
    h: &mut [u32],
    g: &mut [u32],
    next: &mut [usize],
    out: &mut [usize],
    f: &mut [f32],
    grid: &mut Grid,
) {
    let n = x.len();
    #[omp::target(device(d), disjoint(out))]
    for i in 0..n {
        add(h, x[i]);
        add_both(g, x[i]);
        let k = slot(next, x[i]);
        out[x[i] * 64 + k] = i;
        add_any(f, x[i] * 2, 0.5);
        grid.add(x[i] % 4, x[i] / 4, 0.25);
    }
}
#[omp::offload]
fn on_host(x: &[usize], h: &mut [u32]) {
    #[omp::parallel_for]
    for i in 0..x.len() {
        add(h, x[i]);
        add_both(h, x[i]);
    }
}
#[derive(Clone, Copy, omp::Device)]
struct P {
    at: f32,
    q: f32,
}
#[omp::declare_target]
impl P {
    fn cell(&self) -> usize {
        self.at as usize
    }
    fn deposit(&self, rho: &mut [f32]) {
        let k = self.cell();
        let f = self.at - k as f32;
        for (d, w) in [(0, 1.0 - f), (1, f)] {
            #[omp::atomic]
            rho[k + d] += w * self.q;
        }
    }
}
impl P {
    #[omp::declare_target]
    fn count(self, n: &mut [u32; 16]) -> u32 {
        let k = self.cell();
        let before;
        #[omp::atomic(capture)]
        {
            before = n[k];
            n[k] += 1;
        }
        before
    }
}
#[omp::offload]
fn with_methods(d: usize, p: &[P], rho: &mut [f32], n: &mut [u32; 16], seen: &mut [u32]) {
    #[omp::target(device(d))]
    for (p, s) in p.iter().zip(seen.iter_mut()) {
        p.deposit(rho);
        *s = p.count(n);
    }
}
#[omp::offload]
mod all {
    use super::P;
    #[omp::declare_target]
    fn bump(h: &mut [i64], k: usize, by: i64) {
        #[omp::atomic]
        h[k] += by;
    }
    #[omp::declare_target]
    fn twice(h: &mut [i64], k: usize) {
        bump(h, k, 1);
        bump(h, k, h.len() as i64);
    }
    pub fn run(d: usize, p: &[P], h: &mut [i64]) {
        #[omp::target(device(d))]
        for i in 0..p.len() {
            twice(h, p[i].at as usize);
        }
    }
    pub fn serial(h: &mut [i64]) {
        for k in 0..h.len() {
            twice(h, k);
        }
    }
}

#[test]
fn functions_update_atomically() {
    let x: Vec<usize> = (0..64).map(|k| k * 7 % 16).collect();
    on_every_device(|d| {
        let (mut h, mut g, mut next, mut out) = (vec![0; 16], vec![0; 16], vec![0; 16], vec![0; 1024]);
        let (mut f, mut grid) = (vec![0.0; 16], Grid { w: 4, data: vec![0.0; 16] });
        with_functions(d, &x, &mut h, &mut g, &mut next, &mut out, &mut f, &mut grid);
        assert_eq!((h, g, next), (vec![4; 16], vec![8; 16], vec![4; 16]));
        for k in 0..16 {
            assert!(out[k * 64..k * 64 + 4].iter().all(|i| x[*i] == k), "{k} on {d}");
            assert_eq!(f[k], if k % 2 == 0 { 2.0 } else { 0.0 }, "{k} on {d}");
        }
        assert_eq!(grid.data, [1.0; 16]);
    });
    let mut h = vec![0; 16];
    on_host(&x, &mut h);
    assert_eq!(h, [12; 16]);
    let mut h = vec![0; 4];
    add(&mut h, 1);
    add_both(&mut h, 1);
    assert_eq!(h, [0, 2, 1, 0]);
}

#[test]
fn methods_update_atomically() {
    let p: Vec<P> = (0..150).map(|k| P { at: (k * 7 % 15) as f32 + 0.25, q: 2.0 }).collect();
    on_every_device(|d| {
        let (mut rho, mut n, mut seen, mut h) = (vec![0.0; 17], [0; 16], vec![0; 150], vec![0; 16]);
        with_methods(d, &p, &mut rho, &mut n, &mut seen);
        assert_eq!((rho[0], rho[3], rho[15]), (15.0, 20.0, 5.0), "on {d}");
        assert_eq!(n[..15], [10; 15]);
        assert_eq!(seen.iter().sum::<u32>(), 15 * 45);
        all::run(d, &p, &mut h);
        assert_eq!(h[..15], [170; 15]);
        all::serial(&mut h);
        assert_eq!(h[..15], [187; 15]);
    });
}

#[omp::declare_target]
fn claim(parent: &mut [i32], v: usize, u: i32) -> bool {
    let claimed;
    #[omp::atomic(compare, capture)]
    {
        claimed = parent[v] == -1;
        if claimed {
            parent[v] = u;
        }
    }
    claimed
}
#[omp::offload]
fn claimed(
    d: usize,
    x: &[usize],
    parent: &mut [i32],
    q: &mut [i32],
    big: &mut [u32],
    won: &mut [bool],
    seen: &mut [i32],
    first: &mut [u32],
) -> u32 {
    let mut n = 0;
    #[omp::target(device(d), reduction(+: n))]
    for i in 0..x.len() {
        won[i] = claim(parent, x[i], i as i32);
        if won[i] {
            n += 1;
        }
        let old;
        #[omp::atomic(compare, capture)]
        {
            old = q[x[i]];
            if old == -1 {
                q[x[i]] = i as i32;
            }
        }
        seen[i] = old;
        let grew;
        #[omp::atomic(capture, compare)]
        {
            grew = i as u32 > big[x[i]];
            if grew {
                big[x[i]] = i as u32;
            }
        }
        first[i] = grew as u32;
    }
    n
}

#[test]
fn comparisons_are_captured() {
    let x: Vec<usize> = (0..200).map(|k| k * 7 % 16).collect();
    on_every_device(|d| {
        let (mut p, mut q, mut b, mut w, mut s, mut f) =
            (vec![-1; 16], vec![-1; 16], vec![0; 16], vec![false; 200], vec![0; 200], vec![0; 200]);
        assert_eq!(claimed(d, &x, &mut p, &mut q, &mut b, &mut w, &mut s, &mut f), 16);
        for v in 0..16 {
            let i = p[v] as usize;
            assert!(w[i] && x[i] == v);
            assert_eq!(w.iter().enumerate().filter(|(i, w)| **w && x[*i] == v).count(), 1);
            let j = q[v] as usize;
            assert!(x[j] == v && s[j] == -1);
            assert!((0..200).filter(|k| x[*k] == v && *k != j).all(|k| s[k] == j as i32));
            assert_eq!(b[v] as usize, (0..200).filter(|k| x[*k] == v).max().unwrap());
            assert_eq!(f[b[v] as usize], (b[v] > 0) as u32);
        }
    });
}

#[omp::offload]
mod types {
    pub struct G {
        pub d: Vec<u32>,
    }
    impl G {
        #[omp::declare_target]
        fn hit(&mut self, k: usize) {
            #[omp::atomic]
            self.d[k] += 1;
        }
    }
    pub fn run(d: usize, g: &mut G, x: &[usize]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            g.hit(x[i]);
        }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct P {
        pub q: f32,
    }
    #[omp::declare_target]
    impl P {
        fn add(&self, h: &mut [f32], k: usize) {
            #[omp::atomic]
            h[k] += self.q;
        }
        fn twice(&self) -> f32 {
            self.q * 2.0
        }
    }
    pub fn of_p(d: usize, p: &[P], h: &mut [f32], x: &[usize]) -> f32 {
        let mut s = 0.0;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..x.len() {
            p[i].add(h, x[i]);
            s += p[i].twice();
        }
        s
    }
    pub fn host(p: P, g: &mut G, h: &mut [f32]) {
        p.add(h, 0);
        g.hit(0);
    }
}

#[test]
fn types_of_a_module_update_atomically() {
    let x: Vec<usize> = (0..64).map(|k| k % 8).collect();
    on_every_device(|d| {
        let mut g = types::G { d: vec![0; 8] };
        types::run(d, &mut g, &x);
        assert_eq!(g.d, [8; 8], "on {d}");
        let p: Vec<types::P> = (0..64).map(|_| types::P { q: 0.5 }).collect();
        let mut h = vec![0.0; 8];
        assert_eq!(types::of_p(d, &p, &mut h, &x), 64.0);
        assert_eq!(h, [4.0; 8], "on {d}");
        types::host(p[0], &mut g, &mut h);
        assert_eq!((g.d[0], h[0]), (9, 4.5));
    });
}
