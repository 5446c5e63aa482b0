//! Small whole programs, for Miri: CONTRIBUTING.md tells how. Tasks are a test of their own, as rayon's threads run them.
#![allow(
    clippy::needless_range_loop,
    clippy::manual_range_contains,
    clippy::needless_borrow,
    clippy::assign_op_pattern,
    clippy::cast_lossless,
    reason = "every spelling that users may choose"
)]
use omp::acc;

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
    // (A schedule, as short loops are not shared otherwise.)
    #[omp::target(schedule(static))]
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
/// Operators of the user's, and device functions that are handed places of elements.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V(i64, [i64; 2]);
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
enum Side {
    Left,
    Right,
}
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Cell {
    v: V,
    grid: [[V; 2]; 2],
    side: Side,
}
#[omp::declare_target]
impl std::ops::AddAssign<V> for V {
    fn add_assign(&mut self, by: V) {
        self.0 += by.0;
        self.1[0] += by.1[1];
    }
}
#[omp::declare_reduction(+: V, identity = V(0, [0; 2]))]
impl std::ops::Add for V {
    type Output = V;
    fn add(self, by: V) -> V {
        V(self.0 + by.0, [self.1[0] + by.1[0], self.1[1] + by.1[1]])
    }
}
#[omp::declare_target]
impl V {
    fn twice(self) -> V {
        V(2 * self.0, self.1)
    }
    fn grow(&mut self, by: i64) -> i64 {
        self.0 += by;
        self.0
    }
}
#[omp::declare_target]
fn turn(c: &mut Cell, x: &[i64]) -> i64 {
    let (a, b) = (c.grid[0][1], c.grid[1][0]);
    (c.grid[0][1], c.grid[1][0]) = (b, a);
    c.side = if matches!(c.side, Side::Left) { Side::Right } else { Side::Left };
    x[0] + x.len() as i64
}
#[omp::declare_target]
fn both(a: &mut i64, b: &mut [i64; 2]) {
    *a += b[0];
    b[1] = *a;
}
#[omp::offload]
fn places(v: &mut [V], c: &mut [Cell], x: &[i64]) {
    // What stands on the right reads what is updated.
    #[omp::target]
    for i in 0..v.len() {
        v[i] += v[i].twice();
        v[i].0 += v[i].1[0] + x[i];
        let by = (&mut v[i]).grow(3);
        v[i].1[(by % 2) as usize] -= by;
    }
    #[omp::target]
    for i in 0..c.len() {
        c[i].v += c[i].grid[0][1];
        c[i].grid[i % 2][1] += c[i].v.twice();
        let t = turn(&mut c[i], &x[i..]);
        c[i].grid[1][1].1[0] = t;
        (&mut c[i].v).grow(t);
    }
    #[omp::target]
    for i in 0..c.len() {
        both(&mut c[i].v.0, &mut c[i].v.1);
        c[i].grid.swap(0, 1);
        c[i].grid[0].swap(0, 1);
    }
}
#[omp::offload]
fn walks(a: &mut [u32], b: &mut [[u32; 2]], x: &[u32]) -> (u32, usize) {
    let (mut s, mut last) = (0, 0);
    #[omp::target]
    for (v, w) in a.iter_mut().zip(x) {
        *v += *w;
    }
    #[omp::target(reduction(+: s))]
    for (i, v) in b.iter_mut().enumerate() {
        v[i % 2] += 1;
        s += v[0] + v[1];
    }
    #[omp::target]
    for row in b.iter_mut() {
        for v in row.iter_mut() {
            *v += 1;
        }
    }
    #[omp::target(lastprivate(last))]
    for i in (0..a.len()).rev().step_by(2) {
        last = i;
        a[i] ^= x[i];
    }
    (s, last)
}
#[omp::offload]
fn atomics(at: &[usize], h: &mut [Hist], m: &mut f32) -> u32 {
    let mut seen = 0;
    #[omp::target(schedule(static))]
    for i in 0..at.len() {
        #[omp::atomic]
        h[at[i] % 2].bins[at[i] % 3] += 1;
        #[omp::atomic]
        h[at[i] % 2].top = h[at[i] % 2].top.max(at[i] as f32);
        let was;
        #[omp::atomic(capture)]
        {
            was = seen;
            seen += 1;
        }
        if was == 2 {
            #[omp::atomic(write)]
            *m = 2.0;
        }
    }
    seen
}
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Hist {
    bins: [u32; 3],
    top: f32,
}
#[omp::offload]
fn sums(x: &[f32], at: &[usize], h: &mut [f32], g: &mut [f64; 2], vs: &[V]) -> (f32, V, [f32; 2]) {
    let (mut s, mut v, mut p) = (0.0, V(1, [2, 3]), [0.0; 2]);
    #[omp::target(reduction(+: s, h[1..], v))]
    for i in 0..x.len() {
        s += x[i];
        if i % 3 == 0 {
            s += 1.0;
        }
        h[1 + at[i] % 2] += x[i];
        v = v + vs[i % vs.len()];
    }
    #[omp::target(reduction(reproducible, +: g))]
    for i in 0..x.len() {
        g[at[i] % 2] += x[i] as f64;
    }
    #[omp::target(reduction(reproducible, +: p))]
    for i in 0..x.len() {
        p[at[i] % 2] += x[i];
    }
    (s, v, p)
}
#[omp::offload]
fn scans(x: &[f32], y: &mut [f32], vs: &[V], w: &mut [V]) -> f32 {
    y[0] = 0.5;
    #[omp::target(scan(+: y))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
    let mut s = V(0, [0; 2]);
    #[omp::target(scan(+: s))]
    for i in 0..vs.len() {
        w[i] = s;
        s = s + vs[i];
    }
    let mut top = f32::MIN;
    #[omp::target(reduction(inscan, max: top))]
    for i in 0..x.len() {
        top = top.max(x[i]);
        omp::scan!(inclusive(top));
        y[i] += top;
    }
    top
}
#[omp::offload]
fn blocks(a: &mut [u32], b: &mut [u32], n: usize) -> u32 {
    let mut s = 0;
    #[omp::target]
    {
        for k in 0..2 {
            #[omp::parallel_for(reduction(+: s))]
            for i in 0..n {
                a[i] += k;
                s += a[i];
            }
            if s > 3 {
                b[0] = s;
            }
            #[omp::parallel_for]
            for i in 1..n {
                b[i] = b[0] + a[i];
            }
        }
    }
    #[omp::target]
    for i in 0..n / 2 {
        let mut t = 0;
        #[omp::parallel_for(reduction(+: t))]
        for j in 0..2 {
            a[2 * i + j] += 1;
            t += a[2 * i + j];
        }
        b[i] = t;
    }
    s
}
#[omp::offload]
fn owned(y: &mut omp::DeviceSlice<[u32; 2]>, x: &omp::DeviceSlice<u32>) {
    #[omp::target(is_device_ptr(x, y))]
    for i in 0..x.len() {
        y[i][1] += x[i];
        y[i].swap(0, 1);
    }
}

/// Tasks on parts of one array beside each other, on sums, on memory of a slice's own, and a block.
#[omp::offload]
fn beside(a: &mut [u32], h: &mut [u32; 2], y: &mut omp::DeviceSlice<u32>, own: &mut Own) -> u32 {
    let (n, mut last) = (a.len() / 2, 0);
    let (mut low, mut high) = (y.slice_mut(..2), omp::DeviceSlice::from_host(&[7u32; 2]));
    #[omp::target(nowait)]
    for i in 0..n {
        a[i] += i as u32;
    }
    #[omp::target(nowait, lastprivate(last))]
    for i in n..2 * n {
        last = a[i];
        a[i] *= 3;
    }
    #[omp::target(nowait, reduction(+: h))]
    for i in 0..a.len() {
        h[i % 2] += a[i];
    }
    #[omp::target(nowait, is_device_ptr(low, high))]
    for i in 0..2 {
        low[i] += 1;
        high[i] += low[i];
    }
    #[omp::target(nowait)]
    {
        #[omp::parallel_for]
        for i in 0..n {
            own.y[i] += a[i];
        }
        #[omp::parallel_for]
        for i in 0..own.p.len() {
            own.p[i].k[1] = own.y[i];
        }
    }
    last + a[0] + high.to_host()[1]
}

#[test]
fn regions_on_places() {
    let x: Vec<i64> = (0..6).collect();
    let vs: Vec<V> = x.iter().map(|k| V(*k, [k % 3, 1])).collect();
    let mut v = vs.clone();
    let cell = Cell { v: V(1, [2, 3]), grid: [[V(4, [5, 6]); 2], [V(7, [8, 9]); 2]], side: Side::Left };
    let mut c = vec![cell; 2];
    places(&mut v, &mut c, &x);
    assert_eq!(v[4], V(21, [2, -20]));
    let (a, b) = (V(4, [5, 6]), V(7, [8, 9]));
    assert_eq!(c[1], Cell { v: V(19, [8, 19]), grid: [[V(17, [6, 9]), a], [a, b]], side: Side::Right });
    let (mut a, mut b, w) = (vec![1u32; 6], vec![[1u32, 2]; 3], [1u32, 2, 3, 4, 5, 6]);
    assert_eq!(walks(&mut a, &mut b, &w), (12, 1));
    assert_eq!((a, b), (vec![2, 1, 4, 1, 6, 1], vec![[3, 3], [2, 4], [3, 3]]));
    let (mut h, mut m) = ([Hist { bins: [0; 3], top: 0.0 }; 2], 0.0);
    assert_eq!((atomics(&[1, 2, 5, 3], &mut h, &mut m), m), (4, 2.0));
    assert_eq!(h, [Hist { bins: [0, 0, 1], top: 2.0 }, Hist { bins: [1; 3], top: 5.0 }]);
    let (mut a, mut b) = (vec![1u32; 4], vec![0u32; 4]);
    assert_eq!((blocks(&mut a, &mut b, 4), a, b), (12, vec![3; 4], vec![6, 6, 14, 14]));
    let (mut y, z) = (omp::DeviceSlice::from_host(&[[1, 2]; 3]), omp::DeviceSlice::from_host(&[5, 6, 7]));
    owned(&mut y, &z);
    assert_eq!(y.to_host(), [[7, 1], [8, 1], [9, 1]]);
}

#[test]
fn regions_on_sums() {
    let x = [0.5f32, 1.5, 2.5, 3.5, 4.5];
    let at = [1, 0, 0, 1, 0];
    let vs = [V(1, [2, 3]), V(4, [5, 6]), V(7, [8, 9])];
    let (mut h, mut g) = ([1.0; 3], [1.0; 2]);
    assert_eq!(sums(&x, &at, &mut h, &mut g, &vs), (14.5, V(18, [24, 30]), [8.5, 4.0]));
    assert_eq!((h, g), ([1.0, 9.5, 5.0], [9.5, 5.0]));
    let (mut y, mut w) = ([0.0; 5], [V(0, [0; 2]); 3]);
    assert_eq!(scans(&x, &mut y, &vs, &mut w), 4.5);
    assert_eq!(y, [1.0, 3.5, 7.0, 11.5, 17.0]);
    assert_eq!(w, [V(0, [0; 2]), V(1, [2, 3]), V(5, [7, 9])]);
}

#[test]
fn tasks_on_threads() {
    assert_eq!(tasks(9)[9], 72);
    let (mut a, mut h) = (vec![1; 6], [0; 2]);
    let mut y = omp::DeviceSlice::from_host(&[1, 2, 3]);
    let mut own = Own { k: 0, y: vec![1; 4], p: vec![P { x: 0.0, k: [0; 2], b: true }; 3] };
    assert_eq!(beside(&mut a, &mut h, &mut y, &mut own), 12);
    assert_eq!((a, h, y.to_host()), (vec![1, 2, 3, 3, 3, 3], [7, 8], vec![2, 3, 3]));
    assert_eq!((own.y, own.p[2].k), (vec![2, 3, 4, 1], [0, 4]));
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

/// Heads that walk over parts of arrays, from behind and in steps.
#[omp::offload]
fn parts(x: &[u32], y: &mut [u32], rows: &mut [[u32; 2]]) -> u32 {
    let mut s = 0;
    #[omp::target]
    for (v, w) in y.iter_mut().zip(x).rev() {
        *v += *w;
    }
    #[omp::target]
    for (k, v) in y[1..].iter_mut().enumerate() {
        *v += k as u32;
    }
    #[omp::target(reduction(+: s))]
    for k in (1..=x.len() - 1).rev() {
        let w = &x[k - 1..];
        s += w[0] * w[1];
    }
    #[omp::target]
    for k in (0..y.len()).step_by(3) {
        let part = &mut y[k..k + 1];
        for v in part.iter_mut() {
            *v += 1;
        }
    }
    #[omp::target]
    for (i, row) in rows[1..].iter_mut().enumerate().rev() {
        row[i % 2] = 14;
        let r = &mut row[1..];
        r[0] += 1;
    }
    s
}
#[omp::offload]
fn private_copies(y: &mut [u32]) -> (u32, [u32; 2]) {
    let (mut last, mut kept, start) = (7, [0; 2], 5);
    let mut t = [0u32; 3];
    #[omp::target(private(t), lastprivate(last, kept), firstprivate(start))]
    for i in 0..y.len() {
        t[i % 3] = i as u32;
        last = start + t[i % 3];
        kept = [last, y[i]];
        y[i] += t[i % 3];
    }
    (last, kept)
}
/// What is kept of an array, in order, and elements that iterations claim.
#[omp::offload]
fn kept(x: &[u32], to: &[usize], y: &mut [u32], z: &mut [[u32; 2]]) -> usize {
    let mut n = 0;
    #[omp::target(scan(+: n), disjoint(y))]
    for i in 0..x.len() {
        if x[i] % 3 == 1 {
            y[n] = x[i];
        }
        n += usize::from(x[i] % 3 == 1);
    }
    #[omp::target(disjoint(z))]
    for i in 0..to.len() {
        z[to[i]][i % 2] += 1;
        z[to[i]].swap(0, 1);
    }
    n
}
/// Failures of all kinds, some of which stop other threads and tasks on their way.
#[omp::offload]
fn fails(how: usize, at: &[usize], y: &mut [u32], owned: &mut omp::DeviceSlice<u32>) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    if how == 0 {
        #[omp::target(nowait)]
        for i in 0..at.len() {
            assert!(at[i] < 2, "{} is no subscript", at[i]);
        }
    }
    if how == 1 {
        #[omp::target(disjoint(y))]
        for i in 0..at.len() {
            y[at[i]] += 1;
        }
    }
    if how == 2 {
        #[omp::target(nowait, is_device_ptr(owned))]
        for i in 0..at.len() {
            owned[i] = y[at[i]];
        }
        panic!("{}", y[0]);
    }
    if how == 3 {
        #[omp::target_data(map(tofrom: y))]
        {
            #[omp::target]
            for i in 0..y.len() {
                y[i] /= at[0] as u32;
            }
        }
    }
    if how == 4 {
        let mut sums = [0u32; 2];
        #[omp::target(reduction(+: sums))]
        for i in 0..at.len() {
            sums[at[i]] += 1;
        }
    }
}
#[omp::offload(try)]
fn tried(at: &[usize], y: &mut [u32]) -> Result<u32, omp::Error> {
    let mut s = 0;
    #[omp::target(nowait)]
    for i in 0..at.len() {
        y[i] = 7;
    }
    #[omp::target(nowait, reduction(+: s))]
    for i in 0..at.len() {
        s += y[at[i]];
    }
    Ok(s)
}
/// Methods of the user's own that take what they find: what stands for a task's data is a reference that keeps nothing alive.
mod greedy {
    use std::{fmt::Debug, mem::forget, ops::Deref};

    #[allow(dead_code, reason = "it is not found")]
    pub trait First: Sized {
        fn first(self) {
            forget(self);
        }
    }
    impl<T: Debug + Deref<Target = [Bare]>> First for T {}
    #[derive(Clone, Copy, omp::Device)]
    pub struct Bare {
        pub v: u32,
    }
    #[omp::offload]
    pub fn leak(n: usize) {
        let mut y = vec![Bare { v: 1 }; n];
        #[omp::target(nowait)]
        for i in 0..n {
            y[i].v += i as u32;
        }
        let _ = y.first();
    }
}
/// Threads that map parts of one array at once.
#[omp::offload]
fn part_of(x: &[u64], n: usize) -> u64 {
    let mut t = 0;
    #[omp::target_data(map(to: x))]
    for r in 0..n as u64 {
        let mut s = 0;
        #[omp::target(reduction(+: s))]
        for i in 0..x.len() {
            s += x[i] * (r + 1);
        }
        t += s;
    }
    t
}

/// Private elements that a run-time flag says to be assigned, and claims that an inspection of the index arrays replaces.
#[omp::offload]
fn checked(x: &[u32], to: &[usize], y: &mut [u32]) {
    let mut t = [0u32; 3];
    #[omp::target(private(t))]
    for i in 0..x.len() {
        let mut k = 0;
        while k < 3 {
            if x[i] != 7 {
                t[k] = x[i] + k as u32;
            }
            k += 1;
        }
        y[i] = t[x[i] as usize % 3];
    }
    #[omp::target(disjoint(y))]
    for i in 0..to.len() {
        y[to[i]] += x[i];
    }
}
/// Queues that routines wait for, also after their function has panicked.
#[omp::offload]
fn queued(x: &mut [u32], y: &mut [u32], fails: bool) -> u32 {
    #[acc::parallel_loop(async(1))]
    for i in 0..x.len() {
        x[i] += 1;
    }
    #[acc::parallel_loop(async(2), wait(1))]
    for i in 0..y.len() {
        y[i] += x[i];
    }
    acc::wait(1);
    let first = x[0];
    assert!(!fails, "stopped at {first}");
    acc::wait_all();
    first + y[0]
}

#[test]
fn regions_that_check_and_inspect() {
    // As many as Miri inspects.
    let n = 70;
    let x: Vec<u32> = (0..n as u32).map(|i| i % 5).collect();
    let mut to: Vec<usize> = (0..n).rev().collect();
    let mut y = vec![0; n];
    for _ in 0..2 {
        checked(&x, &to, &mut y);
        assert!((0..n).all(|i| y[i] == x[i] + x[i] % 3 + x[n - 1 - i]), "{y:?}");
    }
    to[3] = 5;
    let met = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| checked(&x, &to, &mut y)));
    assert!(met.expect_err("two meet").downcast::<String>().expect("a text").contains("overlapping"));
    let mut seven = x.clone();
    seven[1] = 7;
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| checked(&seven, &[], &mut y)));
    assert!(read.expect_err("7 assigns nothing").downcast::<String>().expect("a text").contains("t[1]"));
}

#[test]
fn tasks_in_queues() {
    let (mut x, mut y) = (vec![1; 6], vec![2; 6]);
    assert_eq!(queued(&mut x, &mut y, false), 2 + 4);
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| queued(&mut x, &mut y, true)));
    assert!(failed.is_err());
    acc::wait_all();
    assert_eq!((x, y), (vec![3; 6], vec![7; 6]));
}

#[test]
fn regions_on_parts_and_copies() {
    let x = [1, 2, 3, 4];
    let (mut y, mut rows) = (vec![10; 7], vec![[0; 2]; 4]);
    assert_eq!(parts(&x, &mut y, &mut rows), 20);
    assert_eq!((&y, &rows), (&vec![12, 12, 14, 17, 13, 14, 16], &vec![[0, 0], [14, 1], [0, 15], [14, 1]]));
    assert_eq!(private_copies(&mut y), (11, [11, 16]));
    assert_eq!((y[6], y[1]), (22, 13));
    let (mut y, mut z) = ([0; 4], [[5, 6]; 3]);
    assert_eq!(kept(&[4, 5, 7, 1], &[2, 0], &mut y, &mut z), 3);
    assert_eq!((y, z), ([4, 7, 1, 0], [[7, 5], [5, 6], [6, 6]]));
    let x: Vec<u64> = (0..20).collect();
    std::thread::scope(|s| {
        for part in [&x[..], &x[..12], &x[8..]] {
            s.spawn(move || assert_eq!(part_of(part, 2), 3 * part.iter().sum::<u64>()));
        }
    });
}

#[test]
fn failing_tasks_and_regions() {
    for (how, says) in ["9 is no subscript", "overlapping", "2", "divi", "bounds"].iter().enumerate() {
        let at = if how == 1 {
            [1, 0, 1]
        } else if how == 3 {
            [0; 3]
        } else {
            [0, 1, 9]
        };
        let (mut y, mut owned) = (vec![1; 5], omp::DeviceSlice::alloc(3));
        let failed =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fails(how, &at, &mut y, &mut owned)));
        let told = failed.expect_err(says).downcast::<String>().expect("a text");
        assert!(told.contains(says), "{how}: {told}");
    }
    assert!(tried(&[0, 9], &mut [1, 2, 3]).is_err());
    assert_eq!(tried(&[1, 0], &mut [1, 2, 3]).ok(), Some(14));
    greedy::leak(5);
}

#[test]
fn regions_on_views_of_memory() {
    let mut all = omp::DeviceSlice::from_host(&[[1u32, 2]; 5]);
    let some = omp::DeviceSlice::from_host(&[3u32, 4, 5]);
    assert_eq!(all.slice(1..4).len(), 3);
    {
        let mut low = all.slice_mut(..3);
        views(&mut low, &some.slice(..));
        views(&mut low, &some.slice(..));
    }
    assert_eq!(all.to_host(), [[4, 5], [5, 6], [6, 7], [1, 2], [1, 2]]);
    all.copy_from(&[[0; 2]; 5]);
    drop(some);
    assert_eq!(all.to_host(), [[0; 2]; 5]);
}
#[omp::offload]
fn views(y: &mut omp::DeviceViewMut<'_, [u32; 2]>, x: &omp::DeviceView<'_, u32>) {
    #[omp::target(nowait, is_device_ptr(x, y))]
    for i in 0..x.len() {
        y[i][1] += x[i];
    }
    #[omp::target(nowait, is_device_ptr(y))]
    for i in 0..y.len() {
        y[i].swap(0, 1);
    }
}
