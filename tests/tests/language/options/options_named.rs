//! Options of elements under names, functions that find elements, and `map` of options where a type of the program has a `map`, too: all
//! devices, against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Pair {
        a: f32,
        b: f32,
    }

    #[omp::declare_target]
    impl Pair {
        fn map(self, f: impl Fn(f32) -> f32) -> Self {
            Pair { a: f(self.a), b: f(self.b) }
        }
        fn half(self) -> Option<Self> {
            (self.a > 1.0).then(|| self.map(|v| v / 2.0))
        }
    }

    const PRIMES: [u32; 6] = [2, 3, 5, 7, 11, 13];

    pub fn neighbours(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let l = x.get(i.wrapping_sub(1));
            let r = x.get(i + 30);
            out[i] = l.copied().unwrap_or(3) as u64 + r.map_or(9, |v| *v as u64) * 100;
            if let Some(&v) = l {
                out[i] += v as u64 * 10_000;
            } else if l.is_none() {
                out[i] += 1;
            }
        }
    }

    pub fn ends(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + 4];
            let Some(last) = row.last() else { continue };
            let hit = row.get(x[i] as usize % 6);
            let v = *hit.unwrap_or(last);
            out[i] = v as u64 + u64::from(hit.is_some_and(|h| h > last));
            let first = x[i..i + i % 2].first();
            out[i] += u64::from(first == Some(&17)) * 100 + u64::from(first > Some(&20)) * 1000 + u64::from(None < first) * 10_000;
        }
    }

    pub fn found(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let p = PRIMES.get(i % 8);
            let q = p.and_then(|&p| x.get(p as usize * (i % 7)));
            out[i] = q.copied().unwrap_or(1) as u64 + p.filter(|p| **p > 5).map_or(0, |p| *p as u64 * 1000);
        }
    }

    pub fn kept(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut y = [x[i], 2, 3];
            let l = y.get(1);
            let a = l.copied().unwrap_or(0);
            y[1] = 9;
            out[i] = (a + y[1] * 10) as u64;
        }
    }

    pub fn mapped(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let pair = |k: usize| Pair { a: x[k] as f32, b: 2.0 };
            let least = (i..i + 5).map(pair).min_by(|p, q| p.a.total_cmp(&q.a));
            let large = (i..i + 5).map(pair).find(|p| p.a > 40.0);
            let all = [pair(i), Pair::default()];
            let most = all.iter().max_by(|p, q| p.a.total_cmp(&q.a));
            let first = Pair { a: x[i] as f32, b: 2.0 };
            let half = first.map(|v| v + 1.0).half();
            out[i] = least.map(|p| p.a as u64).unwrap_or(0)
                + large.map(|p| p.a as u64 * 100).unwrap_or(7)
                + most.map(|p| p.a as u64 * 10_000).unwrap_or(0)
                + half.map(|p| (p.a + p.b) as u64 * 1_000_000).unwrap_or(1);
        }
    }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..40u32).map(|k| k.wrapping_mul(2654435761) >> 26).collect();
        let mut out = [0; 20];
        call(d, &x, &mut out);
        out
    };
    neighbours ends found kept mapped
}
