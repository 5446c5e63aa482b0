//! Values of device types that are used as their authors write them: an `Index` of their own, methods that return parts of them and
//! `&mut Self`, defaults, imported variants.
#![allow(clippy::all, clippy::pedantic, dead_code, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    use std::ops::{Add, Index, IndexMut, Mul};

    /// Fields by number: a branch for each.
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3 { x: i64, y: i64, z: i64 }

    #[omp::declare_target]
    impl Index<usize> for V3 {
        type Output = i64;
        fn index(&self, i: usize) -> &i64 {
            match i { 0 => &self.x, 1 => &self.y, 2 => &self.z, _ => panic!("no such field") }
        }
    }
    #[omp::declare_target]
    impl IndexMut<usize> for V3 {
        fn index_mut(&mut self, i: usize) -> &mut i64 {
            if i == 0 { &mut self.x } else if i == 1 { &mut self.y } else { &mut self.z }
        }
    }
    #[omp::declare_target]
    impl Add for V3 { type Output = V3; fn add(self, o: V3) -> V3 { let mut s = self; for k in 0..3 { s[k] += o[k]; } s } }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mat<const R: usize, const C: usize> { a: [[i64; C]; R] }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> Mat<R, C> { const ZERO: Self = Mat { a: [[0; C]; R] }; }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> Index<(usize, usize)> for Mat<R, C> { type Output = i64; fn index(&self, (r, c): (usize, usize)) -> &i64 { &self.a[r][c] } }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Mat<R, C> { fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut i64 { &mut self.a[r][c] } }
    #[omp::declare_target]
    impl<const R: usize, const K: usize, const C: usize> Mul<Mat<K, C>> for Mat<R, K> {
        type Output = Mat<R, C>;
        fn mul(self, o: Mat<K, C>) -> Mat<R, C> {
            let mut out = Mat::ZERO;
            for r in 0..R { for c in 0..C { out[(r, c)] = (0..K).map(|k| self[(r, k)] * o[(k, c)]).sum(); } }
            out
        }
    }

    /// Flat, with an index that is computed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Board { cells: [i64; 12] }
    #[omp::declare_target]
    impl Board {
        const WIDTH: usize = 4;
        fn row(&self, r: usize) -> &[i64] { &self.cells[r * Board::WIDTH..(r + 1) * Board::WIDTH] }
        fn as_slice(&self) -> &[i64] { &self.cells }
        fn cell_mut(&mut self, k: usize) -> &mut i64 { &mut self.cells[k] }
        fn put(&mut self, k: usize, v: i64) -> &mut Self { self.cells[k] = v; self }
        fn clear_if(&mut self, c: bool) -> &mut Self {
            if !c { return self; }
            self.cells.fill(0);
            self.put(0, -1).put(1, -2)
        }
        fn total(&self) -> i64 { self.cells.iter().sum() }
    }
    #[omp::declare_target]
    impl Index<[usize; 2]> for Board {
        type Output = i64;
        fn index(&self, [r, c]: [usize; 2]) -> &i64 { let at = r * Board::WIDTH + c; &self.cells[at] }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Kind { None, Left, Right }

    #[omp::declare_target]
    impl Kind {
        fn turned(self) -> Kind {
            use Kind::*;
            match self { None => None, Left => Right, Right => Left }
        }
        fn sign(self) -> i64 {
            use Kind::{Left, None};
            match self { None => 0, Left => -1, Self::Right => 1 }
        }
    }

    const PRIMES: &[i64] = &[2, 3, 5, 7, 11];
    static STEPS: &[(i64, i64)] = &[(0, 1), (1, 0), (2, 2)];

    #[omp::declare_target]
    fn bump(v: &mut V3, by: i64) -> i64 { v[2] += by; v[2] }

    #[omp::declare_target]
    fn found(all: &[V3], at: i64) -> Option<V3> { all.iter().copied().find(|v| v[0] == at) }

    pub fn fields(points: &mut [V3], sums: &mut [i64]) {
        #[omp::target]
        for (i, (p, sum)) in points.iter_mut().zip(sums.iter_mut()).enumerate() {
            p[i % 3] = 10;
            p[2] *= 3;
            let q = *p + V3 { x: 1, ..V3::default() };
            *sum = (0..3).map(|k| q[k] * PRIMES[k]).sum::<i64>() + (q + q)[1] + bump(&mut V3 { x: 0, y: 0, z: i as i64 }, 5);
        }
    }

    /// The loop's variable has the name of the parameter of `index`.
    pub fn of_one_name(points: &mut [V3]) {
        #[omp::target]
        for i in 0..points.len() {
            points[i][1] += points[i][0] - 2;
            points[i][0] = points[i][2] + points[i][1] * points[i][i % 3];
        }
    }

    pub fn matrices(out: &mut [Mat<2, 2>], traces: &mut [i64]) {
        #[omp::target]
        for i in 0..out.len() {
            let n = i as i64;
            let a = Mat { a: [[n, 1, 2], [3, n, 4]] };
            let b = Mat { a: [[1, n], [0, 2], [n, 1]] };
            out[i] = a * b;
            out[i][(0, 1)] -= 7;
            traces[i] = out[i][(0, 0)] + (a * b)[(1, 1)] + b.a[2][0];
        }
    }

    pub fn boards(boards: &mut [Board], sums: &mut [i64]) {
        #[omp::target]
        for (i, (b, s)) in boards.iter_mut().zip(sums.iter_mut()).enumerate() {
            b.put(i % 12, 5).put((i + 1) % 12, 6).clear_if(i % 4 == 3).put(11, i as i64);
            let mut local = *b;
            *local.cell_mut(3) += 100;
            let best = local.row(i % 3).iter().copied().max().unwrap_or_default();
            *s = best + local[[2, 3]] + local.as_slice().len() as i64 + local.total();
            for (cell, prime) in b.cells.iter_mut().zip(PRIMES) { *cell += prime; }
            for &(dx, dy) in STEPS { *s += dx * 10 + dy; }
            for p in PRIMES.iter().rev().take(2) { *s += *p; }
            for (k, v) in local.cells.iter().zip(b.cells) { *s ^= k + v; }
        }
    }

    pub fn kinds(kinds: &mut [Kind], signs: &mut [i64], points: &[V3]) {
        #[omp::target]
        for i in 0..kinds.len() {
            kinds[i] = kinds[i].turned();
            signs[i] = kinds[i].sign() + found(points, i as i64).unwrap_or_default()[1];
        }
    }

    pub fn run() -> (Vec<[i64; 3]>, Vec<i64>, Vec<[[i64; 2]; 2]>, Vec<i64>, (Vec<[i64; 12]>, Vec<i64>, Vec<i64>)) {
        let n = 14;
        let mut points: Vec<V3> = (0..n).map(|i| V3 { x: i, y: 2 * i, z: i * i }).collect();
        let mut sums = vec![0; n as usize];
        let (mut m, mut traces) = (vec![Mat::ZERO; 14], vec![0; 14]);
        let (mut b, mut totals) = (vec![Board::default(); 14], vec![0; 14]);
        let mut all: Vec<Kind> = (0..14).map(|i| [Kind::None, Kind::Left, Kind::Right][i % 3]).collect();
        let mut signs = vec![0; 14];
        of_one_name(&mut points);
        fields(&mut points, &mut sums);
        matrices(&mut m, &mut traces);
        boards(&mut b, &mut totals);
        boards(&mut b, &mut totals);
        kinds(&mut all, &mut signs, &points);
        (points.iter().map(|p| [p.x, p.y, p.z]).collect(), sums, m.iter().map(|m| m.a).collect(), traces,
            (b.iter().map(|b| b.cells).collect(), totals, signs))
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}

/// Without a module around: what the source file tells.
mod alone {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Pair([u32; 2]);

    #[omp::declare_target]
    impl std::ops::Index<usize> for Pair {
        type Output = u32;
        fn index(&self, i: usize) -> &u32 {
            &self.0[i]
        }
    }

    #[omp::declare_target]
    impl Pair {
        fn add(&mut self, v: u32) -> &mut Self {
            self.0[0] += v;
            self
        }
        fn both(&self) -> &[u32] {
            &self.0
        }
    }

    #[omp::declare_target]
    fn sum(p: &Pair) -> u32 {
        p[0] + p[1] + p.both().len() as u32
    }

    #[omp::offload]
    pub fn sums(pairs: &mut [Pair], out: &mut [u32]) {
        #[omp::target]
        for (p, o) in pairs.iter_mut().zip(out.iter_mut()) {
            p.add(1).add(2);
            *o = sum(p) * 1000 + p[0] + p[1];
        }
    }

    pub fn run() -> Vec<u32> {
        let mut pairs: Vec<Pair> = (0..9).map(|i| Pair([i, 2 * i])).collect();
        let mut out = vec![0; 9];
        sums(&mut pairs, &mut out);
        out
    }
}

#[test]
fn without_a_module() {
    let want: Vec<u32> = (0..9).map(|i| (3 * i + 5) * 1000 + 3 * i + 3).collect();
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(alone::run(), want, "device {d}");
    });
}
