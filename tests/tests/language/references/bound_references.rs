//! References in bodies: `&mut` of elements and parts under a name of their own, fixed arrays that are handed on whole,
//! and items of clauses that are references.
#![forbid(unsafe_code)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Part {
    x: [f32; 2],
    v: [f32; 2],
    hits: u32,
}

#[omp::declare_target]
impl Part {
    fn step(&mut self, dt: f32) {
        let Part { x, v, .. } = *self;
        self.x = [x[0] + v[0] * dt, x[1] + v[1] * dt];
        let h = &mut self.hits;
        *h += 1;
    }

    fn speed(&self) -> f32 {
        self.v[0] * self.v[0] + self.v[1] * self.v[1]
    }
}

#[omp::declare_target]
fn bump(v: &mut u32, by: u32) {
    *v += by;
}

#[omp::declare_target]
fn fill(v: &mut [f32], k: f32) {
    for x in v.iter_mut() {
        *x = k;
    }
    let first = &mut v[0];
    *first += 1.0;
}

#[omp::offload]
fn parts(d: usize, ps: &mut [Part], dt: f32) {
    #[omp::target(device(d))]
    for i in 0..ps.len() {
        let p = &mut ps[i];
        p.x[0] += p.v[0] * dt;
        let v = &mut p.v;
        v[1] -= 0.5 * dt;
        if p.x[0] > 1.0 {
            p.v[0] = -p.v[0];
            p.hits += 1;
        }
        bump(&mut p.hits, 2);
        p.step(dt);
        let e = p.speed();
        p.x[1] += e;
        let h: &mut u32 = &mut ps[i].hits;
        *h *= 2;
        bump(h, 1);
    }
}

fn parts_plain(ps: &mut [Part], dt: f32) {
    for i in 0..ps.len() {
        let p = &mut ps[i];
        p.x[0] += p.v[0] * dt;
        let v = &mut p.v;
        v[1] -= 0.5 * dt;
        if p.x[0] > 1.0 {
            p.v[0] = -p.v[0];
            p.hits += 1;
        }
        bump(&mut p.hits, 2);
        p.step(dt);
        let e = p.speed();
        p.x[1] += e;
        let h: &mut u32 = &mut ps[i].hits;
        *h *= 2;
        bump(h, 1);
    }
}

#[test]
fn elements_under_a_name() {
    on_every_device(|d| {
        let start = Part { x: [0.75, 0.5], v: [1.0, 0.25], hits: 0 };
        for n in [0, 1, 37] {
            let mut ps: Vec<Part> =
                (0..n).map(|i| Part { hits: i, v: [i as f32 * 0.125, 0.25], ..start }).collect();
            let mut plain = ps.clone();
            parts(d, &mut ps, 0.5);
            parts_plain(&mut plain, 0.5);
            assert_eq!(ps, plain);
        }
    });
}

#[omp::offload]
fn rows(d: usize, a: &mut [f32], w: usize) {
    let h = a.len() / w;
    #[omp::target(device(d))]
    for r in 0..h {
        let row = &mut a[r * w..(r + 1) * w];
        let mut best = f32::NEG_INFINITY;
        for v in row.iter() {
            best = best.max(*v);
        }
        for (i, v) in row.iter_mut().enumerate() {
            *v += i as f32 - best;
        }
        row.swap(0, w - 1);
        let first = &mut row[0];
        *first += 0.5;
        fill(&mut row[1..3], 7.0);
        let n = row.len();
        row[n - 1] += 1.0;
    }
}

#[test]
fn parts_of_arrays_under_a_name() {
    on_every_device(|d| {
        let mut a: Vec<f32> = (0..12).map(|i| (i * 7 % 11) as f32).collect();
        rows(d, &mut a, 4);
        assert_eq!(a, [3.5, 8.0, 7.0, -9.0, -0.5, 8.0, 7.0, -2.0, -4.5, 8.0, 7.0, -6.0]);
    });
}

#[omp::offload]
fn of_locals(d: usize, out: &mut [[i32; 4]]) {
    #[omp::target(device(d))]
    for i in 0..out.len() {
        let mut t = [1, 2, 3, 4];
        {
            let half = &mut t[1..3];
            half[0] += i as i32;
            half[1] *= 2;
        }
        let mut k = i % 4;
        let e = &mut t[k];
        // The subscript was taken before.
        k += 1;
        *e = 100 + k as i32;
        let o = &mut out[i];
        for j in 0..4 {
            o[j] = t[j];
        }
    }
}

#[test]
fn places_of_variables_under_a_name() {
    on_every_device(|d| {
        let mut out = [[0; 4]; 5];
        of_locals(d, &mut out);
        assert_eq!(out, [[101, 2, 6, 4], [1, 102, 6, 4], [1, 4, 103, 4], [1, 5, 6, 104], [101, 6, 6, 4]]);
    });
}

#[omp::declare_target]
fn find<const N: usize>(hay: &[i32; N], needle: i32) -> Option<usize> {
    for i in 0..N {
        if hay[i] == needle {
            return Some(i);
        }
    }
    None
}

#[omp::declare_target]
fn sum_of(a: [f32; 4]) -> f32 {
    let mut s = 0.0;
    for v in a {
        s += v;
    }
    s
}

#[omp::declare_target]
fn trace(m: &[[f64; 3]; 3], b: [bool; 2], p: &[Part; 2]) -> f64 {
    if b[1] { m[0][0] + m[1][1] + m[2][2] } else { p[1].hits as f64 }
}

#[omp::offload]
fn whole(d: usize, x: &[i32], y: &mut [i32], m: [[f64; 3]; 3], ps: &[Part; 2]) -> f64 {
    let table = [3, 1, 4, 1, 5, 9, 2, 6];
    let w = [1.0f32, 2.0, 3.0, 4.0];
    let (yes, no) = ([false, true], [true, false]);
    let mut s = 0.0;
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..x.len() {
        y[i] = match find(&table, x[i]) {
            Some(k) => k as i32,
            None => -1,
        };
        s += sum_of(w) as f64 + trace(&m, yes, ps) + trace(&m, no, ps);
    }
    s
}

#[test]
fn fixed_arrays_are_handed_on_whole() {
    on_every_device(|d| {
        let mut y = [0; 4];
        let p = Part { x: [0.0; 2], v: [0.0; 2], hits: 0 };
        let m = [[1.0, 9.0, 9.0], [9.0, 2.0, 9.0], [9.0, 9.0, 4.0]];
        assert_eq!(whole(d, &[1, 4, 9, 7], &mut y, m, &[p, Part { hits: 5, ..p }]), 4.0 * 22.0);
        assert_eq!(y, [1, 2, 5, -1]);
    });
}

#[omp::offload]
fn widened(d: usize, n: u16) -> Vec<u32> {
    let mut a = vec![0; n as usize];
    #[omp::target(device(d))]
    for i in 0..n {
        a[usize::from(i)] = u32::from(i) + 1;
    }
    a
}

#[test]
fn converted_counters_are_subscripts() {
    on_every_device(|d| assert_eq!(widened(d, 5), [1, 2, 3, 4, 5]));
}

struct Tally {
    total: u32,
    v: Vec<u32>,
}

#[omp::offload]
impl Tally {
    fn add(&mut self, d: usize) {
        let t = &mut self.total;
        #[omp::target(device(d), reduction(+: t))]
        for i in 0..self.v.len() {
            *t += self.v[i];
        }
    }

    fn largest(&mut self) {
        let (v, t) = (&self.v, &mut self.total);
        #[omp::parallel_for(reduction(max: *t))]
        for x in v.iter() {
            *t = t.max(*x);
        }
    }
}

#[omp::offload]
fn items(d: usize, y: &[f32], total: &mut f32, n: &mut usize, last: &mut f32) {
    #[omp::target(device(d), reduction(+: *total, n), lastprivate(last))]
    for i in 0..y.len() {
        *total += y[i];
        if y[i] > 1.0 {
            *n += 1;
        }
        *last = y[i];
    }
    #[omp::target(device(d), map(to: y))]
    {
        #[omp::parallel_for(reduction(+: total))]
        for i in 0..y.len() {
            *total += y[i];
        }
    }
}

#[omp::offload]
fn running(d: usize, x: &[u32], y: &mut [u32], s: &mut u32) {
    #[omp::scan(+, u32, device(d))]
    for i in 0..x.len() {
        *s += x[i];
        y[i] = *s;
    }
}

#[test]
fn items_may_be_references() {
    on_every_device(|d| {
        let mut g = Tally { total: 5, v: vec![1, 2, 3, 90] };
        g.add(d);
        assert_eq!(g.total, 101);
        g.v.push(900);
        let (mut total, mut n, mut last) = (1.0, 10, 0.0);
        items(d, &[1.0, 2.0, 3.0], &mut total, &mut n, &mut last);
        assert_eq!((total, n, last), (13.0, 12, 3.0));
        let (mut y, mut s) = ([0; 3], 1);
        running(d, &[1, 2, 3], &mut y, &mut s);
        assert_eq!((y, s), ([2, 4, 7], 7));
    });
    let mut g = Tally { total: 5, v: vec![1, 900, 3] };
    g.total = 1000;
    g.largest();
    assert_eq!(g.total, 1000);
}

#[omp::offload]
fn swapped(d: usize, a: &mut [[i32; 2]], b: &mut [i32]) {
    #[omp::target(device(d))]
    for i in 0..a.len() {
        let (mut p, mut q) = (i as i32, 100);
        std::mem::swap(&mut p, &mut q);
        let mut k = 0;
        core::mem::swap(&mut a[i][k], &mut b[i]);
        k += 1;
        a[i][k] += p * 10 + q;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Account {
    held: i32,
    rate: f64,
}

#[omp::declare_target]
impl Default for Account {
    fn default() -> Self {
        Account { held: 7, rate: 0.5 }
    }
}

#[omp::declare_target]
fn rotated(a: &mut i32, b: &mut i32) -> i32 {
    let old = std::mem::replace(a, *b + 1);
    std::mem::swap(a, b);
    old + std::mem::take(b)
}

#[omp::offload]
fn replaced(d: usize, x: &mut [i32], y: &mut [i32], p: &mut [Account], t: &[[u64; 2]]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let (mut u, mut v) = (x[i], 9);
        y[i] = std::mem::take(&mut x[i]);
        y[i] += std::mem::replace(&mut x[i], i as i32);
        let mut s = [1, 2];
        let before = std::mem::replace(&mut s, t[i]);
        x[i] += (before[1] + s[0]) as i32;
        let was = std::mem::take(&mut p[i]);
        p[i].rate += was.rate;
        let other = &mut p[i];
        let here = std::mem::replace(other, Account { held: was.held, rate: 2.0 });
        other.held += here.held;
        other.rate += here.rate;
        y[i] += rotated(&mut u, &mut v) * 1000 + u * 10 + v;
    }
}

#[omp::offload]
fn shifted(d: usize, x: &mut [i32]) {
    #[omp::target(device(d))]
    for (i, v) in x.iter_mut().enumerate() {
        let old = core::mem::replace(v, i as i32);
        *v += old * 10;
    }
}

#[test]
fn places_get_other_values() {
    on_every_device(|d| {
        let (mut x, mut y) = ([1, 2, 3], [4, 5, 6]);
        let mut p = [Account { held: 3, rate: 4.0 }; 3];
        replaced(d, &mut x, &mut y, &mut p, &[[1, 2], [3, 4], [5, 6]]);
        shifted(d, &mut x);
        assert_eq!(x, [30, 61, 92], "{d}");
        assert_eq!(y, [11091, 12092, 13093], "{d}");
        assert_eq!(p, [Account { held: 10, rate: 6.5 }; 3], "{d}");
    });
}

#[test]
fn places_are_swapped() {
    on_every_device(|d| {
        let (mut a, mut b) = ([[1, 2], [3, 4]], [5, 6]);
        swapped(d, &mut a, &mut b);
        assert_eq!((a, b), ([[5, 1002], [6, 1005]], [1, 3]));
    });
}
