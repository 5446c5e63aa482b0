//! Arrays in the items of a parameter, and ranges that calls give to `flat_map`. All devices, against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    type Point = [f32; 3];

    #[omp::declare_target]
    fn blend<const N: usize>(terms: [(f32, Point); N]) -> Point {
        let mut sum = [0.0; 3];
        for (w, p) in terms {
            for (s, x) in sum.iter_mut().zip(p) { *s += w * x; }
        }
        sum
    }

    #[omp::declare_target]
    fn most(terms: &[(f32, Point)]) -> f32 {
        let mut best = 0.0f32;
        for &(w, p) in terms {
            for x in p { best = best.max(w * x); }
        }
        for (i, (w, p)) in terms.iter().copied().enumerate() {
            best += p.iter().map(|v| v * w).sum::<f32>() * i as f32;
            for (a, b) in p.into_iter().zip(p) { best += a - b; }
        }
        best
    }

    pub fn blended(d: usize, x: &[Point], terms: &[(f32, Point)], y: &mut [Point]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = blend([(0.5, x[i]), (0.25, x[(i + 1) % x.len()])]);
            y[i][0] += most(terms);
        }
    }

    #[derive(omp::Mapper)]
    pub struct Cells {
        pub side: usize,
        pub start: Vec<u32>,
        pub weight: Vec<f32>,
    }
    #[omp::declare_target]
    impl Cells {
        fn range(&self, x: usize, y: usize) -> std::ops::Range<usize> {
            let c = y * self.side + x;
            self.start[c] as usize..self.start[c + 1] as usize
        }
        fn around(&self, y: usize, least: f32) -> impl Iterator<Item = usize> + '_ {
            (y.saturating_sub(1)..=(y + 1).min(self.side - 1))
                .flat_map(move |y| (0..self.side).flat_map(move |x| self.range(x, y)))
                .filter(move |&j| self.weight[j] >= least)
        }
    }

    pub fn counted(d: usize, cells: &Cells, out: &mut [(usize, usize)]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let near = cells.around(i % cells.side, 0.25).filter(|j| j % 2 == 0);
            out[i] = (cells.around(i % cells.side, 0.5).count(), near.fold(0, |s, j| 3 * s + j));
        }
    }

    pub fn of_closures(d: usize, start: &[u32], out: &mut [usize]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let range = |x: usize| start[x] as usize..start[x + 1] as usize;
            out[i] = (i..start.len() - 1).flat_map(|x| range(x)).sum();
        }
    }
}

#[test]
fn parts() {
    compare!(m, d => {
        let x: Vec<[f32; 3]> = (0..9).map(|i| [i as f32, 1.0, 2.0 * i as f32]).collect();
        let t = [(1.0, [1.0, 2.0, 3.0]), (2.0, [0.5, 0.25, 4.0])];
        let mut y = vec![[0.0; 3]; 9];
        m::blended(d, &x, &t, &mut y);
        let start = vec![0, 2, 3, 3, 6, 7, 7, 9, 9, 10];
        let mut sums = vec![0; 8];
        m::of_closures(d, &start, &mut sums);
        let cells = m::Cells { side: 3, start, weight: (0..10).map(|i| (i * 7 % 10) as f32 / 10.0).collect() };
        let mut counts = vec![(0, 0); 6];
        m::counted(d, &cells, &mut counts);
        (y, sums, counts)
    });
}
