//! Small whole programs, for Miri: CONTRIBUTING.md tells how. Tasks are a test of their own, as rayon's threads run them.
#![allow(
    clippy::needless_range_loop,
    clippy::manual_range_contains,
    reason = "every spelling that users may choose"
)]

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct P {
    x: f32,
    k: [u32; 2],
    b: bool,
}
struct Own {
    k: usize,
    y: Vec<u32>,
    p: Vec<P>,
}
#[omp::offload]
impl Own {
    fn add(&mut self, n: usize) {
        #[omp::parallel_for]
        for i in 0..n {
            self.y[i + self.k] += 7;
        }
        #[omp::target]
        for i in 0..n {
            self.p[i].k[i % 2] = self.y[i];
            self.p[i].b = !self.p[i].b;
        }
        #[omp::target]
        for p in self.p.iter_mut() {
            p.x += 1.0;
        }
    }
}
#[omp::offload]
fn kinds(x: &[u32], to: &[usize], y: &mut [u32], h: &mut [u32; 4], rows: &mut [[u32; 3]]) -> (u32, u32) {
    let (mut s, mut c) = (0, 0);
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    #[omp::target(scan(+: c))]
    for i in 0..x.len() {
        c += x[i];
        y[i] = c;
    }
    #[omp::target(disjoint(y))]
    for i in 0..to.len() {
        y[to[i]] += 1;
    }
    #[omp::target(reduction(+: h))]
    for i in 0..to.len() {
        h[to[i] % 4] += 1;
    }
    #[omp::target]
    for i in 0..to.len() {
        #[omp::atomic]
        h[to[i] % 4] += 1;
    }
    #[omp::target(collapse(2))]
    for i in 0..rows.len() {
        for j in 0..3 {
            rows[i][j] += x[i % x.len()];
        }
    }
    #[omp::target]
    for i in 0..rows.len() {
        rows[i].swap(0, 2);
    }
    (s, c)
}
#[omp::offload]
fn tasks(n: usize) -> Vec<u32> {
    let mut a = vec![1u32; n];
    let mut b = vec![2u32; n];
    let mut s = 0;
    for r in 0..2u32 {
        #[omp::target(nowait)]
        for i in 0..n {
            b[i] += a[i] + r;
        }
        #[omp::target(nowait, reduction(+: s))]
        for i in 0..n {
            s += b[i];
        }
        omp::taskwait!();
        std::mem::swap(&mut a, &mut b);
    }
    a.push(s);
    a
}
#[omp::offload]
fn data(y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y[..]))]
    {
        #[omp::target]
        for i in 0..y.len() {
            y[i] += 1;
        }
        omp::target_update!(from(y[1..]));
    }
}
#[test]
fn tasks_on_threads() {
    assert_eq!(tasks(9)[9], 72);
}

#[test]
fn regions_and_data() {
    let mut o = Own { k: 2, y: vec![1; 20], p: vec![P { x: 1.0, k: [0; 2], b: true }; 12] };
    o.add(12);
    assert_eq!(o.y[3], 8);
    let (mut y, mut h, mut rows) = (vec![0; 12], [0; 4], vec![[1, 2, 3]; 5]);
    let x: Vec<u32> = (0..12).collect();
    assert_eq!(kinds(&x, &[3, 1, 0, 7], &mut y, &mut h, &mut rows), (66, 66));
    assert_eq!((y[3], h, rows[4]), (7, [2, 2, 0, 4], [7, 6, 5]));
    data(&mut y);
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| o.add(50)));
    assert!(failed.is_err());
}
