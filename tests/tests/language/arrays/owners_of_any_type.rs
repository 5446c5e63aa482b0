//! Methods of structs that own arrays of any type and number of dimensions, and references to arrays that methods pass on.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, on_every_device, twice};

twice! {
    #[omp::declare_target] pub trait R1: Copy + Default + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> + PartialOrd + omp::Device { const ZERO: Self; const TWO: Self; fn to(self) -> u64; fn of(v: u32) -> Self; }
    #[omp::declare_target] impl R1 for f32 { const ZERO: Self = 0.0; const TWO: Self = 2.0; fn to(self) -> u64 { self as u64 } fn of(v: u32) -> Self { v as f32 } }
    #[omp::declare_target] impl R1 for u64 { const ZERO: Self = 0; const TWO: Self = 2; fn to(self) -> u64 { self } fn of(v: u32) -> Self { v as u64 } }
    #[derive(omp::Mapper)] struct M1<T: R1> { cols: usize, data: Vec<T> }
    #[omp::declare_target]
    impl<T: R1> M1<T> { fn get(&self, i: usize, j: usize) -> T { if j < self.cols { self.data[i * self.cols + j] } else { T::ZERO } } fn row(&self, i: usize) -> &[T] { &self.data[i * self.cols..(i + 1) * self.cols] } fn twice(&self, i: usize) -> T { let k: T = T::TWO; k * self.get(i, 1) } fn sum(&self, i: usize) -> T { self.row(i).iter().fold(T::ZERO, |a, b| a + *b) } }
    #[derive(omp::Mapper)] struct L1<T: R1> { inner: M1<T>, scale: u32 }
    #[omp::declare_target]
    fn far1<T: R1>(m: &M1<T>, i: usize) -> T { m.get(i, 0) * T::TWO + m.get(i, 99) }
    #[omp::declare_target]
    fn most1<U: R1>(m: &M1<U>, i: usize, b: U) -> U { let mut w = U::ZERO; for j in 0..m.cols { let v = m.get(i, j) * b; if v > w { w = v; } } w }
    #[omp::offload]
    impl<T: R1> L1<T> { fn go(&self, out: &mut [u64]) { let lu = &self.inner;
    #[omp::target]
    for i in 0..9 { out[i] = (lu.get(i, 1) + lu.get(i, 7) + lu.twice(i) + lu.sum(i)).to() + self.inner.get(i, 2).to() * 3 + self.scale as u64; } } }
    #[omp::offload]
    fn free1<T: R1>(m: &M1<T>, l: &L1<T>, out: &mut [u64]) {
    #[omp::target]
    for i in 0..9 { out[i] += (m.get(i, 0) + m.twice(i) + l.inner.twice(i) + far1(m, i) + most1(m, i, T::TWO) + most1(&l.inner, i, T::of(3))).to(); } }
    #[omp::offload]
    fn plain1(m: &M1<u64>, l: &L1<u64>, out: &mut [u64]) {
    #[omp::target]
    for i in 0..9 { out[i] += (m.get(i, 0) + m.twice(i) + l.inner.twice(i) + far1(m, i) + most1(m, i, 5)).to(); } }
    #[omp::offload]
    pub fn scalars_of_a_trait(x: &[u32], f: &[f32], out: &mut [u64]) {
    let m = M1 { cols: 5, data: (0..50).map(|k| u64::of(x[k] % 100)).collect() }; let l = L1 { inner: M1 { cols: 5, data: (0..50).map(|k| u64::of(x[k] % 90)).collect() }, scale: 4 }; l.go(out); free1(&m, &l, out); plain1(&m, &l, out);
    let mf = M1 { cols: 5, data: (0..50).map(|k| f32::of(x[k] % 100)).collect() }; let lf = L1 { inner: M1 { cols: 5, data: (0..50).map(|k| f32::of(x[k] % 90)).collect() }, scale: 4 }; lf.go(&mut out[20..]); free1(&mf, &lf, &mut out[20..]);
    }

    #[derive(Clone, omp::Mapper)] struct G2<T: omp::Device, const D: usize> { shape: [usize; D], strides: [usize; D], cells: Vec<T> }
    #[omp::declare_target]
    impl<T: Copy + omp::Device, const D: usize> G2<T, D> {
     fn coords(&self, mut k: usize) -> [usize; D] { let mut at = [0; D]; for d in 0..D { at[d] = k / self.strides[d]; k %= self.strides[d]; } at }
     fn step(&self, at: [usize; D], dir: usize) -> Option<usize> { let a = dir / 2; let here: usize = (0..D).map(|d| at[d] * self.strides[d]).sum(); if dir % 2 == 0 { (at[a] > 0).then(|| here - self.strides[a]) } else { (at[a] + 1 < self.shape[a]).then(|| here + self.strides[a]) } }
     fn near(&self, at: [usize; D]) -> impl Iterator<Item = T> + '_ { (0..2 * D).filter_map(move |d| self.step(at, d)).map(|k| self.cells[k]) }
     fn edge(&self, at: [usize; D]) -> bool { (0..D).any(|d| at[d] == 0 || at[d] + 1 == self.shape[d]) }
    }
    #[omp::offload]
    fn peaks<T: Copy + PartialOrd + omp::Device, const D: usize>(g: &G2<T, D>, out: &mut [u64]) {
    #[omp::target]
    for k in 0..g.cells.len() { let here = g.cells[k]; let at = g.coords(k); out[k] = g.near(at).filter(|v| *v < here).count() as u64 + 10 * g.edge(at) as u64 + 100 * D as u64; } }
    #[omp::offload]
    fn peaks2(g: &G2<u32, 2>, out: &mut [u64]) {
    #[omp::target]
    for k in 0..g.cells.len() { let here = g.cells[k]; let at = g.coords(k); out[k] += g.near(at).filter(|v| *v < here).count() as u64 + 10 * g.edge(at) as u64; } }
    #[omp::offload]
    pub fn dimensions(x: &[u32], f: &[f32], out: &mut [u64]) {
    let g = G2 { shape: [4, 5], strides: [5, 1], cells: (0..20).map(|k| x[k] % 100).collect() }; peaks(&g, out); peaks2(&g, out); let h = G2 { shape: [2, 3, 4], strides: [12, 4, 1], cells: (0..24).map(|k| x[k] as u64 % 100).collect() }; peaks(&h, &mut out[30..]);
    }

    #[omp::declare_target]
    fn doti3(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    struct Wi3 { a: Vec<f64> }
    #[omp::declare_target]
    impl Wi3 { fn step(&self, x: &[f64; 3]) -> f64 { doti3(&self.a[0..3], x) } }
    #[omp::offload]
    fn run3(w: &Wi3, out: &mut [u64]) {
    #[omp::target]
    for i in 0..9 { let h = [i as f64; 3]; out[i] = w.step(&h).to_bits(); } }
    #[omp::offload]
    pub fn arrays_of_the_caller(x: &[u32], f: &[f32], out: &mut [u64]) {
    run3(&Wi3 { a: vec![0.5; 9] }, out);
    }

    #[omp::declare_target]
    fn doti4(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    struct Wi4 { a: Vec<f64> }
    #[omp::declare_target]
    impl Wi4 { fn step(&self, x: &[f64; 3]) -> [f64; 3] { std::array::from_fn(|k| doti4(&self.a[k..k + 3], x)) } }
    #[omp::offload]
    fn run4(w: &Wi4, out: &mut [u64]) {
    #[omp::target]
    for i in 0..9 { let mut h = [i as f64; 3]; for _ in 0..2 { h = w.step(&h); } out[i] = h[1].to_bits(); } }
    #[omp::offload]
    pub fn arrays_in_closures(x: &[u32], f: &[f32], out: &mut [u64]) {
    run4(&Wi4 { a: vec![0.5; 9] }, out);
    }

    #[omp::declare_target]
    fn doti5(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    struct Wi5 { a: Vec<f64> }
    #[omp::declare_target]
    impl Wi5 { fn mv(&self, x: &[f64; 3]) -> [f64; 3] { std::array::from_fn(|k| doti5(&self.a[k..k + 3], x)) } fn step(&self, x: &[f64; 3]) -> [f64; 3] { let r = self.mv(x).map(|v| v * 0.5); std::array::from_fn(|k| r[k] + x[k]) } }
    #[omp::offload]
    fn run5(w: &Wi5, out: &mut [u64]) {
    #[omp::target]
    for i in 0..9 { let mut h = [i as f64; 3]; for _ in 0..2 { h = w.step(&h); } out[i] = h[1].to_bits(); } }
    #[omp::offload]
    pub fn arrays_through_two_methods(x: &[u32], f: &[f32], out: &mut [u64]) {
    run5(&Wi5 { a: vec![0.5; 9] }, out);
    }

    #[omp::declare_target]
    fn doti6(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    #[omp::declare_target]
    fn sumi6(a: &[f64; 3]) -> f64 { a.iter().sum::<f64>() + a.len() as f64 }
    struct Wi6 { a: Vec<f64>, b: Vec<f64> }
    #[omp::declare_target]
    impl Wi6 { fn st(&self, x: &[f64]) -> f64 { doti6(&self.a[0..3], x) + doti6(x, x) + x.iter().fold(0.0, |a, b| a + b) + x[1] + x.len() as f64 + self.two(x) + self.arr(&[1.0, x[0], 2.0]) } fn two(&self, y: &[f64]) -> f64 { doti6(y, &self.b) + y.first().copied().unwrap_or(1.0) } fn arr(&self, z: &[f64; 3]) -> f64 { let [p, q, r] = *z; sumi6(z) + p * q - r + self.two(z) } }
    #[omp::offload]
    fn run6(w: &Wi6, v: &[f64], out: &mut [u64]) {
    #[omp::target]
    for i in 0..9 { let h = [i as f64; 3]; out[i] = (w.st(&h) + w.st(&v[i..i + 3]) + w.st(v) + w.arr(&h) + w.two(&h[1..])).to_bits(); } }
    #[omp::offload]
    pub fn slices_passed_on(x: &[u32], f: &[f32], out: &mut [u64]) {
    let v: Vec<f64> = f[..20].iter().map(|v| *v as f64).collect(); run6(&Wi6 { a: vec![0.5; 9], b: vec![2.0; 4] }, &v, out);
    }

    #[derive(Clone, Copy, omp::Device)] struct Wi7 { a: [f64; 4] }
    #[omp::declare_target]
    fn doti7(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    #[omp::declare_target]
    impl Wi7 { fn st(&self, x: &[f64; 4]) -> f64 { doti7(&self.a, x) + doti7(x, x) + self.go(x) } fn go(&self, x: &[f64; 4]) -> f64 { doti7(&self.a[1..], x) } }
    #[omp::offload]
    pub fn arrays_of_device_types(x: &[u32], f: &[f32], out: &mut [u64]) {
    let w = Wi7 { a: [1.0, 2.0, 3.0, 0.5] };
    #[omp::target]
    for i in 0..9 { let h = [i as f64; 4]; out[i] = (w.st(&h) + w.go(&h)).to_bits(); }
    }

    type S1 = [f64; 4];
    #[derive(Clone, Copy)] struct Ga1 { w: [[f64; 3]; 4], u: [[f64; 4]; 4] }
    struct We1 { a: Ga1 }
    #[omp::declare_target]
    fn dot1(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    #[omp::declare_target]
    impl Ga1 { fn mv(&self, x: &[f64; 3], h: &S1) -> S1 { std::array::from_fn(|k| dot1(&self.w[k], x) + dot1(&self.u[k], h)) } }
    #[omp::declare_target]
    impl We1 { fn step(&self, x: &[f64; 3], h: &S1) -> S1 { let r = self.a.mv(x, h).map(|v| v * 0.5); std::array::from_fn(|k| r[k] + h[k]) } }
    struct Ba1 { steps: Vec<[f64; 3]>, starts: Vec<usize> }
    #[omp::declare_target]
    impl Ba1 { fn seq(&self, s: usize) -> &[[f64; 3]] { &self.steps[self.starts[s]..self.starts[s + 1]] } }
    #[omp::offload]
    fn run1(w: &We1, b: &Ba1, st: &mut [S1]) {
    #[omp::target]
    for s in 0..st.len() { let mut h = [0.0; 4]; for x in b.seq(s) { h = w.step(x, &h); } st[s] = h; } }
    #[omp::offload]
    pub fn recurrent_cells(x: &[u32], f: &[f32], out: &mut [u64]) {
    let mut st = vec![[0.0; 4]; 9]; run1(&We1 { a: Ga1 { w: [[0.25; 3]; 4], u: [[0.125; 4]; 4] } }, &Ba1 { steps: (0..20).map(|k| [f[k] as f64, 1.0, 2.0]).collect(), starts: (0..10).map(|k| k * 2).collect() }, &mut st); for k in 0..9 { out[k] = st[k][k % 4].to_bits(); }
    }

    struct Li2 { samples: Vec<f32>, starts: Vec<usize> }
    #[omp::declare_target]
    impl Li2 { fn series(&self, i: usize) -> &[f32] { &self.samples[self.starts[i]..self.starts[i + 1]] } fn n(&self) -> usize { self.starts.len() - 1 } }
    #[omp::declare_target]
    fn dt2(a: &[f32], b: &[f32]) -> f32 { a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max) }
    struct Di2 { d: Vec<f32> }
    impl Di2 {
    #[omp::offload]
    fn compute(l: &Li2) -> Self { let n = l.n(); let mut d = vec![0.0f32; n * n];
    #[omp::target(map(tofrom: d))]
    for i in 0..n { for j in i + 1..n { let v = dt2(l.series(i), l.series(j)); d[i * n + j] = v; } }
    Di2 { d } }
    }
    #[omp::offload]
    pub fn functions_without_self(x: &[u32], f: &[f32], out: &mut [u64]) {
    let l = Li2 { samples: f.to_vec(), starts: (0..10).map(|k| k * 5).collect() }; let d = Di2::compute(&l); for k in 0..81 { out[k] = d.d[k].to_bits() as u64; }
    }

    #[omp::declare_target]
    fn zip(a: [f64; 3], b: [f64; 3], g: impl Fn(f64, f64) -> f64) -> [f64; 3] { [g(a[0], b[0]), g(a[1], b[1]), g(a[2], b[2])] }
    #[omp::declare_target]
    fn en3(t0: [f64; 3], t1: [f64; 3]) -> f64 { zip(t0, t1, f64::min).into_iter().fold(0.0, f64::max) + zip(t0, t1, |a, b| a * b).iter().sum::<f64>() + zip(t0, t1, f64::max).map(|v| v * 2.0)[1] }
    #[omp::offload]
    pub fn own_zip(x: &[u32], f: &[f32], out: &mut [u64]) {
    #[omp::target]
    for i in 0..50 { let a = [f[i] as f64, f[i + 1] as f64, 2.0]; out[i] = en3(a, [1.0, f[i + 3] as f64, 0.5]).to_bits(); }
    }

    #[omp::declare_target]
    fn zapj3(a: [f64; 3]) -> [f64; 3] { [a[2], a[1], a[0]] }
    #[omp::offload]
    pub fn arrays_by_value(x: &[u32], f: &[f32], out: &mut [u64]) {
    #[omp::target]
    for i in 0..50 { let a = [f[i] as f64, f[i + 1] as f64, 2.0]; out[i] = zapj3(a).into_iter().fold(0.0, f64::max).to_bits() + ({ let b = a; b }).into_iter().map(|v| v as u64).sum::<u64>(); }
    }

    #[derive(omp::Mapper)]
    pub struct Fixed<const N: usize> { words: Vec<u32> }
    #[omp::declare_target]
    impl<const N: usize> Fixed<N> {
        fn high(&self, k: usize) -> u64 { ((!N) >> 20) as u64 + self.words[k] as u64 }
        fn doubled(&self, k: usize) -> u64 { let mut h = N; for j in 0..40 { h = h * 2; } h as u64 + self.words[k % N] as u64 }
        fn squares(&self) -> u64 { let mut s = 0; for j in 0..N { s += j * N; } s as u64 }
    }
    #[omp::offload]
    pub fn typed_lengths(x: &[u32], f: &[f32], out: &mut [u64]) {
        let fixed: Fixed<3> = Fixed { words: x.to_vec() };
        const N: usize = 7;
        #[omp::target]
        for i in 0..40 { out[i] = fixed.high(i) + fixed.doubled(i) + fixed.squares() * N as u64; }
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let x: Vec<u32> = (0..129u32).map(|i| i.wrapping_mul(2654435761) >> (i % 9)).collect();
        let f: Vec<f32> = (0..129).map(|i| ((i * 37 % 101) as f32 - 50.0) * 0.25).collect();
        let mut out = vec![0; x.len()];
        call(&x, &f, &mut out);
        out
    };
    scalars_of_a_trait dimensions arrays_of_the_caller arrays_in_closures arrays_through_two_methods slices_passed_on arrays_of_device_types recurrent_cells functions_without_self own_zip arrays_by_value typed_lengths
}
