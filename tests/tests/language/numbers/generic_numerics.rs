//! What libraries of numerics have: methods of generic types that take closures, operators of type parameters by name, branches that give
//! arrays, conversions that may fail, flattened arrays in `zip`, and structs that borrow as arguments of methods.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, on_every_device, twice};

/// A field of numbers modulo 97, whose items rules look for in the file.
mod field {
    use std::ops::{Add, Mul, Sub};

    #[omp::declare_target]
    pub trait Ring: Copy + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
        const ZERO: Self;
        const ONE: Self;
        fn of(v: u64) -> Self;
    }
    #[derive(Clone, Copy, Default, PartialEq, Debug, omp::Device)]
    pub struct Mod97(pub u64);
    #[omp::declare_target]
    impl Add for Mod97 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Mod97((self.0 + o.0) % 97)
        }
    }
    #[omp::declare_target]
    impl Sub for Mod97 {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Mod97((self.0 + 97 - o.0) % 97)
        }
    }
    #[omp::declare_target]
    impl Mul for Mod97 {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Mod97(self.0 * o.0 % 97)
        }
    }
    #[omp::declare_target]
    impl Ring for Mod97 {
        const ZERO: Self = Mod97(0);
        const ONE: Self = Mod97(1);
        fn of(v: u64) -> Self {
            Mod97(v % 97)
        }
    }
    #[omp::declare_target]
    impl Ring for u64 {
        const ZERO: Self = 0;
        const ONE: Self = 1;
        fn of(v: u64) -> Self {
            v % 3
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Mat<T, const N: usize>(pub [[T; N]; N]);
    #[derive(Clone, Copy, omp::Device)]
    pub struct Triangular<U, const M: usize> {
        pub rows: Mat<U, M>,
        pub odd: bool,
    }
    #[omp::declare_target]
    impl<T: Ring, const N: usize> Mat<T, N> {
        pub fn lower(self) -> Option<Triangular<T, N>> {
            if self.0[0][0] == T::ZERO {
                return None;
            }
            Some(Triangular { rows: self, odd: self.0[N - 1][0] == T::ONE })
        }
        pub fn solved(self) -> Option<Self> {
            let of = self.lower()?;
            let columns: [[T; N]; N] =
                std::array::from_fn(|c| of.solve(|r| if r == c { T::ONE } else { T::ZERO }));
            Some(Mat(std::array::from_fn(|r| columns.map(|column| column[r]))))
        }
    }
    #[omp::declare_target]
    impl<U: Ring, const M: usize> Triangular<U, M> {
        pub fn solve(&self, rhs: impl Fn(usize) -> U) -> [U; M] {
            let (a, mut x) = (&self.rows.0, [U::ZERO; M]);
            for i in 0..M {
                x[i] = (0..i).fold(rhs(i), |s, j| s + a[i][j] * x[j]);
            }
            x
        }
        pub fn diagonal(&self) -> U {
            (0..M).map(|i| self.rows.0[i][i]).fold(if self.odd { U::ZERO + U::ONE } else { U::ONE }, U::mul)
        }
    }
}

/// Dual numbers, also of dual numbers.
mod dual {
    use std::ops::{Add, Mul, Sub};
    #[omp::declare_target]
    pub trait Real:
        Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + omp::Device
    {
        fn constant(x: f64) -> Self;
    }
    #[omp::declare_target]
    impl Real for f64 {
        fn constant(x: f64) -> Self {
            x
        }
    }
    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct Dual<T> {
        pub re: T,
        pub eps: T,
    }
    #[omp::declare_target]
    impl<T: Real> Dual<T> {
        pub fn variable(re: T) -> Self {
            Dual { re, eps: T::constant(1.0) }
        }
    }
    #[omp::declare_target]
    impl<T: Real> Add for Dual<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Dual { re: self.re + o.re, eps: self.eps + o.eps }
        }
    }
    #[omp::declare_target]
    impl<T: Real> Sub for Dual<T> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Dual { re: self.re - o.re, eps: self.eps - o.eps }
        }
    }
    #[omp::declare_target]
    impl<T: Real> Mul for Dual<T> {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Dual { re: self.re * o.re, eps: self.re * o.eps + self.eps * o.re }
        }
    }
    #[omp::declare_target]
    impl<T: Real> Real for Dual<T> {
        fn constant(x: f64) -> Self {
            Dual { re: T::constant(x), eps: T::constant(0.0) }
        }
    }
    #[omp::declare_target]
    pub fn cubic<R: Real>(x: R) -> R {
        x * x * x - R::constant(3.0) * x + R::constant(1.0)
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Ball {
        pub centre: [u64; 3],
        pub radius: u64,
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Bounds {
        pub low: [u64; 3],
        pub high: [u64; 3],
    }
    #[omp::declare_target]
    impl From<Ball> for Bounds {
        fn from(Ball { centre, radius }: Ball) -> Self {
            Bounds { low: centre.map(|c| c - radius), high: centre.map(|c| c + radius) }
        }
    }
    pub fn weights() -> [u64; 3] {
        [3, 5, 7]
    }
}

twice! {
    use super::field::{Mat, Mod97, Ring, Triangular};
    use super::dual::{Ball, Bounds, Dual, cubic, weights};

    #[omp::offload]
    fn invert<T: Ring + omp::Device, const N: usize>(a: &[Mat<T, N>], inverse: &mut [Mat<T, N>], products: &mut [T]) -> u32 {
        let mut singular = 0;
        #[omp::target(reduction(+: singular))]
        for i in 0..a.len() {
            products[i] = a[i].lower().map_or(T::ZERO, |of| of.diagonal());
            match a[i].solved() { Some(of) => inverse[i] = of, None => singular += 1 }
        }
        singular
    }
    fn of<T: Ring + omp::Device, const N: usize>(x: &[u32], number: impl Fn(T) -> u64, out: &mut [u64]) {
        let a: Vec<Mat<T, N>> = x.iter().map(|v| Mat([[T::of(*v as u64), T::of(*v as u64 / 5)]; N].map(|pair| std::array::from_fn(|k| pair[k % 2])))).collect();
        let (mut inverse, mut products) = (a.clone(), vec![T::ZERO; a.len()]);
        out[0] += invert(&a, &mut inverse, &mut products) as u64;
        for (o, (p, m)) in out.iter_mut().zip(products.iter().zip(&inverse)) {
            *o = *o * 7 + number(*p) + m.0.iter().flatten().fold(0u64, |s, v| s.wrapping_mul(3) + number(*v));
        }
    }
    pub fn inverses(x: &[u32], out: &mut [u64]) {
        of::<Mod97, 3>(x, |v| v.0, out);
        of::<u64, 2>(x, |v| v % 1000, out);
    }

    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct Small(i16);
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub enum Failed { Wide, Odd }
    #[omp::declare_target]
    fn narrow(v: u32) -> Result<Small, Failed> { i16::try_from(v).map(Small).map_err(|_| Failed::Wide) }
    #[omp::declare_target]
    fn halved(v: u32) -> Result<i16, Failed> {
        let w: i16 = v.try_into().map_err(|_| Failed::Wide)?;
        if w % 2 == 0 { Ok(w / 2) } else { Err(Failed::Odd) }
    }
    #[omp::offload]
    pub fn narrowed(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for (o, &v) in out.iter_mut().zip(x) {
            let v = v >> 15;
            *o = match narrow(v) { Ok(small) => small.0 as u64, Err(e) => 1 << 20 | (e == Failed::Wide) as u64 };
            *o += i16::try_from(v).and_then(|a| i16::try_from(v / 3 + a as u32)).map_or(7, |a| a as u64) << 24;
            *o += halved(v).map_or(9, |a| a as u64) << 44;
        }
    }

    #[derive(Clone, Copy, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Material { Lamp(u64), Mirror(u64), Diffuse { albedo: [u64; 3] } }
    #[omp::declare_target]
    fn traced(mut at: u64, of: Material) -> [u64; 3] {
        let mut weight = [1; 3];
        for bounce in 0..4 {
            let (next, filter) = match of {
                Material::Lamp(power) => return [0, 1, 2].map(|k| weight[k] * power + at),
                Material::Mirror(tint) if bounce < 2 => (at + 1, [tint; 3]),
                Material::Mirror(tint) => (at + 2, [tint, 2, 3]),
                Material::Diffuse { albedo } => (at * 2, albedo),
            };
            at = next % 1000;
            weight.iter_mut().zip(filter).for_each(|(w, f)| *w = (*w * f + at) % 10007);
            let shift = if at % 2 == 0 { [1, 2, 3] } else { [at; 3] };
            for (w, s) in weight.iter_mut().zip(shift) { *w += s; }
        }
        weight
    }
    #[omp::offload]
    pub fn branches_give_arrays(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..x.len() {
            let v = x[i] as u64 % 50;
            let of = match i % 3 { 0 => Material::Lamp(v), 1 => Material::Mirror(v), _ => Material::Diffuse { albedo: [v, 2, v + 1] } };
            out[i] = traced(v, of).iter().fold(0, |s, w| s * 31 + w);
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Grid<const R: usize, const C: usize>([[u64; C]; R]);
    #[omp::declare_target]
    impl<const R: usize, const C: usize> Grid<R, C> {
        fn add(mut self, other: Self) -> Self {
            self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()).for_each(|(a, b)| *a = *a * 3 + *b);
            for (k, a) in self.0.as_flattened_mut().iter_mut().enumerate() { *a += k as u64; }
            self
        }
    }
    #[omp::offload]
    pub fn flattened(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..x.len() {
            let v = x[i] as u64 >> 8;
            let sum = Grid([[v, 2], [3, v], [i as u64, 1]]).add(Grid([[1, v], [v, 4], [5, 6]]));
            out[i] = sum.0.as_flattened().iter().fold(0u64, |s, w| s.wrapping_mul(31) + w);
        }
    }

    #[derive(Clone, Copy)]
    pub struct Bits<'a> { words: &'a [u64] }
    #[omp::declare_target]
    impl<'a> Bits<'a> {
        fn overlap(&self, other: &Bits) -> u32 { self.words.iter().zip(other.words).map(|(a, b)| (a & b).count_ones()).sum() }
    }
    #[derive(omp::Mapper)]
    pub struct Graph { vertices: usize, stride: usize, words: Vec<u64> }
    #[omp::offload]
    impl Graph {
        fn neighbours(&self, v: usize) -> Bits<'_> { Bits { words: &self.words[v * self.stride..(v + 1) * self.stride] } }
        fn overlaps(&self, out: &mut [u64]) {
            #[omp::target]
            for v in 0..self.vertices {
                let near = self.neighbours(v);
                let mut all = 0;
                for w in 0..self.vertices {
                    all = all * 3 % 65537 + near.overlap(&self.neighbours(w)) as u64;
                    all += self.neighbours(w).overlap(&near) as u64;
                }
                out[v] = all;
            }
        }
    }
    pub fn borrowed_arguments(x: &[u32], out: &mut [u64]) {
        let graph = Graph { vertices: x.len() / 3, stride: 3, words: x.iter().map(|v| *v as u64 * 77 ^ 5).collect() };
        graph.overlaps(out);
    }

    #[omp::offload]
    pub fn second_derivatives(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for (o, &v) in out.iter_mut().zip(x) {
            let x = (v % 16) as f64;
            let Dual { re: value, eps: slope } = cubic(Dual::variable(Dual::variable(x)));
            *o = (value.re + 7.0 * slope.re + 11.0 * slope.eps + 100.0) as u64 + cubic(x + 2.0) as u64;
        }
    }

    #[omp::offload]
    pub fn fields_in_patterns(x: &[u32], out: &mut [u64]) {
        let weights = weights();
        #[omp::target]
        for (x, out) in x.iter().zip(out) {
            let v = *x as u64 % 100 + 9;
            let Bounds { low, high } = Ball { centre: [v, v + 1, v * 2], radius: v % 7 }.into();
            let mut sums = low.map(|l| l * 3);
            sums.iter_mut().zip(weights).for_each(|(s, weights)| *s *= weights);
            *out = sums.iter().zip(high).fold(0, |s, (a, b)| s * 31 + a + b);
        }
    }

    #[omp::offload]
    pub fn names_bound_and_iterated(x: &[u32], out: &mut [u64]) {
        let y: Vec<u64> = x.iter().map(|v| *v as u64 % 977).collect();
        let rows: Vec<[u64; 4]> = y.iter().map(|v| [*v, 1, v / 2, 3]).collect();
        let (rows, sums) = (&rows[..], &mut out[..5]);
        #[omp::target]
        for (x, rows) in x.iter().zip(rows) {
            #[omp::atomic]
            sums[*x as usize % 5] += rows[2];
        }
        #[omp::target]
        for (out, rows) in out[5..].iter_mut().zip(rows) {
            let mut s = 0;
            #[omp::parallel_for(reduction(+: s))]
            for k in 0..4 { s += rows[k]; }
            *out = s;
        }
        #[omp::target_teams_distribute]
        for (out, rows) in out[5..].iter_mut().zip(rows) {
            let mut s = *out;
            #[omp::parallel_for(reduction(+: s))]
            for k in 0..4 { s += rows[k] * k as u64; }
            *out = s;
        }
    }

    #[omp::offload]
    pub fn flattened_twice(x: &[u32], out: &mut [u64]) {
        let cubes: Vec<[[[u64; 3]; 2]; 2]> = x.iter().map(|v| [[[*v as u64; 3], [1, 2, 3]], [[4, 5, *v as u64 % 9], [7; 3]]]).collect();
        #[omp::target]
        for (o, (a, b)) in out.iter_mut().zip(cubes.iter().zip(&cubes)) {
            let inner: u64 = a.iter().flatten().flatten().zip(b.iter().flatten().flatten()).map(|(x, y)| x ^ (y + 1)).sum();
            *o = inner;
            for (k, (x, y)) in a.iter().flatten().flatten().zip(b.iter().flatten().flatten()).enumerate() { *o += (x + y) * k as u64; }
        }
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let x: Vec<u32> = (0..129u32).map(|i| i.wrapping_mul(2654435761) >> (i % 9)).collect();
        let mut out = vec![0; x.len()];
        call(&x, &mut out);
        out
    };
    flattened_twice second_derivatives fields_in_patterns names_bound_and_iterated inverses narrowed branches_give_arrays flattened borrowed_arguments
}
