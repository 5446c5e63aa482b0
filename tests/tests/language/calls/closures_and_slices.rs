//! Closures as arguments of functions, slices that functions return, and what slices do as a whole.
#![allow(
    clippy::manual_find,
    clippy::map_clone,
    clippy::type_complexity,
    reason = "the code has every form on purpose"
)]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct Span { lo: i32, hi: i32 }
    #[omp::declare_target]
    impl Span {
        fn contains(&self, v: &i32) -> bool { self.lo <= *v && *v < self.hi }
        fn reverse(&self) -> i32 { self.hi - self.lo }
        fn fill(&self, by: i32) -> i32 { self.lo + by }
        fn split_at(&self, at: i32) -> (i32, i32) { (self.lo + at, self.hi - at) }
    }

    #[omp::declare_target]
    fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 { f(f(x)) }

    /// Its variables have the names that callers use.
    #[omp::declare_target]
    fn sums<F>(f: F, n: i32) -> i32
    where
        F: Fn(i32) -> i32,
    {
        let mut k = 0;
        for i in 0..n {
            let x = f(i);
            if x < 0 { return -1; }
            k += x;
        }
        k
    }

    #[omp::declare_target]
    fn first_of(f: &dyn Fn(i32) -> bool, n: i32) -> Option<i32> {
        for i in 0..n {
            if f(i) { return Some(i); }
        }
        None
    }

    #[omp::declare_target]
    fn root(f: impl Fn(i32) -> i32, n: i32) -> Option<i32> {
        let at = first_of(&|i| f(i) == 0, n)?;
        Some(at * 10)
    }

    #[omp::declare_target]
    fn each(n: i32, mut f: impl FnMut(i32)) { for i in 0..n { f(i); } }

    #[omp::declare_target]
    fn square(x: i32) -> i32 { x.wrapping_mul(x) }

    #[omp::declare_target]
    fn of_device_fn(a: i32, n: i32) -> i32 { sums(|i| i * a + n, 3) + twice(square, a) }

    fn handed(out: &mut [i32], a: &[i32]) {
        let (n, k, x) = (3, 5, 7);
        let outer = |v: i32| v + k;
        #[omp::target]
        for i in 0..out.len() {
            let f = 2;
            let inner = |v: i32| v * f - x;
            let mut count = 0;
            each(4, |v| count += v * a[i]);
            out[i] = twice(outer, a[i]) + twice(inner, i as i32) + sums(|i| i * k + n + x, n)
                + sums(|v| if v == 2 { -9 } else { v }, 5) + twice(|v| twice(|w| w + f, v) * k, a[i])
                + root(|v| v - f, 4).unwrap_or(100) + root(|v| v - 50, 4).map_or(1000, |v| v + 1)
                + of_device_fn(a[i], n) + count + twice(i32::wrapping_neg, k);
        }
    }

    #[omp::declare_target]
    fn part(a: &[i32], from: usize, n: usize) -> &[i32] { &a[from..][..n] }
    #[omp::declare_target]
    fn tail<'a>(starts: &[usize], a: &'a [i32], i: usize) -> &'a [i32] {
        let from = starts[i];
        &a[from..]
    }

    fn slices(out: &mut [i32], a: &[i32], starts: &[usize]) {
        #[omp::target]
        for i in 0..out.len() {
            let row = part(a, starts[i], 2);
            let rest = tail(starts, a, i);
            out[i] = row[0] * row[1] + rest.len() as i32 + tail(starts, a, i).iter().sum::<i32>();
            if part(a, i, 3) == &a[starts[i]..starts[i] + 3] { out[i] += 1000; }
            if row != rest { out[i] += 5000; }
            if a[i..i] == [0; 0] { out[i] += 10000; }
            let groups = rest.chunks_exact(2);
            out[i] += part(a, i, 3)[1];
            let left = groups.remainder();
            out[i] += groups.map(|g| g[0] - g[1]).sum::<i32>() + left.len() as i32 * 100;
            if let Some((head, others)) = rest.split_first() { out[i] += head * others.len() as i32; } else { out[i] -= 1; }
            let Some((last, others)) = rest.split_last() else { continue };
            out[i] += last * 3 + others.iter().rev().take(2).chain(row).sum::<i32>();
            let ends = others.iter().take(1).chain(row.iter().skip(1));
            out[i] += ends.copied().max().unwrap_or(0);
        }
    }

    fn chained(out: &mut [i32], a: &[i32], b: &[i32]) -> i32 {
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for (v, w) in a.iter().chain(b).zip(0..) { total += v * w; }
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let found = a.iter().map(|v| *v).filter(|v| *v > i as i32).chain(b.get(i).copied()).chain(Some(7)).map(|v| v * 2).find(|v| v % 3 == 0);
            *o = found.unwrap_or(-1);
            for v in (0..i as i32).filter(|v| v % 2 == 0).chain(a[i..].iter().map(|v| v + 1)) {
                if v == 4 { continue; }
                *o += v;
            }
            *o += a.iter().rposition(|v| *v < 5).map_or(-7, |p| p as i32);
        }
        total
    }

    fn nested(out: &mut [i32], rows: &[[i32; 3]]) {
        #[omp::target]
        for o in out.iter_mut() { *o = rows.iter().flatten().sum::<i32>() + rows.iter().flatten().count() as i32; }
    }

    fn flat(rows: &[[i32; 3]], by: i32) -> i32 {
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for (i, v) in rows.iter().flatten().enumerate() { total += v * by + i as i32; }
        total
    }

    fn spans(out: &mut [i32], all: &[Span]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            *o = 0;
            for s in all {
                if s.contains(&(i as i32)) { *o += s.reverse() + s.fill(3); }
                let (a, b) = s.split_at(1);
                *o += a * b;
            }
            let own = all[i % all.len()];
            let (a, b) = own.split_at(2);
            *o += a - b + i32::from(own.contains(&1));
        }
    }

    pub fn run() -> (Vec<i32>, Vec<i32>, i32, Vec<i32>, Vec<i32>, Vec<i32>) {
        let a: Vec<i32> = (0..12).map(|i| i * 7 % 10).collect();
        let (mut x, mut y, mut z, mut w, mut s) = (vec![0; 8], vec![0; 8], vec![0; 8], vec![0; 3], vec![0; 5]);
        handed(&mut x, &a[..8]);
        slices(&mut y, &a, &[0, 1, 3, 2, 9, 4, 5, 6]);
        let total = chained(&mut z, &a, &a[..5]) + chained(&mut z, &a, &[]);
        nested(&mut w, &[]);
        let mut v = vec![0; 3];
        nested(&mut v, &[[1, 2, 3], [4, 5, 6]]);
        w.extend(v);
        w.push(flat(&[], 2) + flat(&[[1, 2, 3], [4, 5, 6]], 3));
        spans(&mut s, &[Span { lo: 0, hi: 3 }, Span { lo: 2, hi: 9 }]);
        (x, y, total, z, w, s)
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}
