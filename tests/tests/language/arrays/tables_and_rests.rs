//! Tables behind references, rests of arrays behind references, lengths that only rustc knows, and `TryFrom`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, on_every_device, twice};

twice! {
    const PAIRS: &[(usize, usize)] = &[(0, 1), (2, 3), (1, 2)];
    const BEHIND: &[u32; 2] = &[3, 4];
    static PRIMES: &[u32] = &[2, 3, 5];
    const OWN: [u32; 3] = [7, 8, 9];

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Net([u32; 4]);
    #[omp::declare_target]
    impl Net {
        const STEPS: &'static [(usize, usize)] = &[(0, 3), (1, 2)];
        fn sorted(mut self) -> Self {
            for &(a, b) in Self::STEPS {
                if self.0[a] > self.0[b] { self.0.swap(a, b); }
            }
            for (k, &(a, b)) in Net::STEPS.iter().enumerate() { self.0[a] += k as u32 + b as u32; }
            self
        }
    }

    #[omp::declare_target]
    fn sorted<T: Ord + Copy + omp::Device>(v: &mut [T; 4]) {
        const NET: &[(usize, usize)] = &[(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)];
        for &(a, b) in NET {
            let (low, high) = (v[a].min(v[b]), v[a].max(v[b]));
            v[a] = low;
            v[b] = high;
        }
    }
    #[omp::declare_target]
    fn tables(x: u32) -> u32 {
        const LOCAL: &[u32] = &[1, 2];
        let mut s = x;
        for &a in LOCAL { s += a; }
        for (k, a) in LOCAL.iter().zip(BEHIND) { s = s * 3 + *a + k; }
        for p in PRIMES { s ^= p << 2; }
        for &p in BEHIND { s += p; }
        for a in OWN { s = s.wrapping_mul(a); }
        s
    }
    #[omp::declare_target]
    fn row(m: &[[u64; 4]; 2], i: usize) -> &[u64; 4] { &m[i % 2] }
    #[omp::declare_target]
    fn of_row(m: &[[u64; 4]; 2], i: usize) -> u64 {
        let [a, rest @ ..] = row(m, i);
        let mut acc = *a;
        for r in rest { acc = acc.wrapping_mul(3) + *r; }
        acc
    }
    #[omp::declare_target]
    fn compared(v: [u64; 4]) -> u32 {
        let [a, rest @ ..] = v;
        if rest == [a, a, a] { 1 } else if rest < [a; 3] { 2 } else { 3 }
    }
    #[omp::declare_target]
    fn first_of(v: &[u64; 4]) -> u64 {
        let [a, rest @ ..] = v;
        let mut acc = *a;
        for r in rest { acc += *r; }
        acc
    }
    #[omp::declare_target]
    fn step<const N: usize>(f: impl Fn(f64, [f64; N]) -> [f64; N], t: f64, y: [f64; N]) -> [f64; N] {
        let k = f(t, y);
        let mut next = y;
        for (y, k) in next.iter_mut().zip(k) { *y += 0.1 * k; }
        next
    }
    #[omp::declare_target]
    fn descent<const N: usize>(f: impl Fn(&[f64; N]) -> [f64; N], mut x: [f64; N]) -> [f64; N] {
        let d = f(&x);
        for k in 0..N { x[k] -= 0.1 * d[k]; }
        x
    }

    pub fn run(n: usize) -> (Vec<(u32, [u32; 4], [u32; 4])>, Vec<(u32, u64, u64)>, Vec<[f64; 4]>) {
        let mut v = Values(11);
        let words: Vec<[u32; 4]> = (0..n).map(|_| std::array::from_fn(|_| v.bits() as u32 % 100)).collect();
        let wide: Vec<[u64; 4]> = (0..n).map(|_| std::array::from_fn(|_| u64::from(v.bits()) << 7)).collect();
        let mut y = vec![(0, [0; 4], [0; 4]); n];
        #[omp::target]
        for (i, (y, w)) in y.iter_mut().zip(&words).enumerate() {
            let mut own = *w;
            sorted(&mut own);
            for &(a, b) in PAIRS { own[a] += own[b] % 3; }
            *y = (tables(i as u32), own, Net(*w).sorted().0);
        }
        let mut z = vec![(0, 0, 0); n];
        #[omp::target]
        for i in 0..n {
            let rows = [wide[i].map(|w| w >> 40), wide[0].map(|w| w >> 41)];
            z[i] = (compared(wide[i].map(|w| w & 128)), of_row(&rows, i), first_of(&wide[i].map(|w| w >> 8)));
        }
        let mut o = vec![[0.0; 4]; n];
        #[omp::target]
        for (i, o) in o.iter_mut().enumerate() {
            let y = (0..3).fold([0.5, i as f64], |y, k| step(|t, [q, p]| [p, t - q.sin()], k as f64, y));
            let mut w = [0.25, 0.0];
            for _ in 0..3 { w = step(|_, [q, p]| [p, -q], 0.0, w); }
            let x = descent(|x| [x[0] * 2.0, x[1].abs()], [1.0, i as f64]);
            *o = [y[0].floor() + y[1].signum(), w[0], x[0], x[1]];
        }
        (y, z, o)
    }
}

#[test]
fn tables_behind_references_and_rests_of_arrays() {
    for n in [0, 1, 7, 100] {
        compare!(m, d => { omp::set_default_device(d); m::run(n) });
    }
}

/// Without imports that could hide std's traits.
mod conversions {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct NotABase(pub u8);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Base {
        A,
        C,
    }

    #[omp::declare_target]
    impl TryFrom<u8> for Base {
        type Error = NotABase;
        fn try_from(b: u8) -> Result<Self, Self::Error> {
            Ok(match b.to_ascii_uppercase() {
                b'A' => Base::A,
                b'C' => Base::C,
                other => return Err(NotABase(other)),
            })
        }
    }

    #[omp::declare_target]
    fn code(b: u8) -> Result<u32, NotABase> {
        let base = Base::try_from(b)?;
        Ok(base as u32 + 10)
    }

    #[omp::offload]
    pub fn codes(text: &[u8], device: usize) -> Vec<u32> {
        let mut out = vec![0; text.len()];
        #[omp::target(device(device))]
        for i in 0..text.len() {
            out[i] = match code(text[i]) {
                Ok(code) => code,
                Err(NotABase(b)) => b as u32 + 1000,
            };
        }
        out
    }
}

#[test]
fn try_from_is_declared() {
    on_every_device(|device| {
        assert_eq!(conversions::codes(b"acCx", device), [10, 11, 11, 1000 + u32::from(b'X')])
    });
}
