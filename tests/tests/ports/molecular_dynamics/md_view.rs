//! Molecular dynamics: forces over a neighbour list behind a borrowed view.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy)]
    pub struct NeighbourList<'a> { start: &'a [usize], index: &'a [u32] }

    impl<'a> NeighbourList<'a> {
        fn of(&self, i: usize) -> &'a [u32] { &self.index[self.start[i]..self.start[i + 1]] }
    }

    #[derive(Clone, Copy)]
    pub struct Positions<'a> { x: &'a [f64], y: &'a [f64], box_len: f64 }

    impl Positions<'_> {
        fn delta(&self, i: usize, j: usize) -> (f64, f64) {
            let wrap = |d: f64| d - self.box_len * (d / self.box_len).round();
            (wrap(self.x[i] - self.x[j]), wrap(self.y[i] - self.y[j]))
        }
    }

    pub fn forces(pos: Positions<'_>, list: NeighbourList<'_>, cutoff: f64) -> (Vec<(f64, f64)>, f64) {
        let n = pos.x.len();
        let mut f = vec![(0.0, 0.0); n];
        let mut energy = 0.0;
        #[omp::target(reduction(+: energy))]
        for i in 0..n {
            let (mut fx, mut fy) = (0.0, 0.0);
            for &j in list.of(i) {
                let (dx, dy) = pos.delta(i, j as usize);
                let r2 = dx * dx + dy * dy;
                if r2 > cutoff * cutoff { continue; }
                let ir2 = 1.0 / r2;
                let ir6 = ir2.powi(3);
                let fr = 24.0 * ir6 * (2.0 * ir6 - 1.0) * ir2;
                fx += fr * dx;
                fy += fr * dy;
                energy += 2.0 * ir6 * (ir6 - 1.0);
            }
            f[i] = (fx, fy);
        }
        (f, energy)
    }

    pub fn run() -> (Vec<(f64, f64)>, f64) {
        let n = 49;
        let x: Vec<f64> = (0..n).map(|i| (i % 7) as f64 * 1.1 + 0.05 * (i % 3) as f64).collect();
        let y: Vec<f64> = (0..n).map(|i| (i / 7) as f64 * 1.1).collect();
        let pos = Positions { x: &x, y: &y, box_len: 7.7 };
        let mut start = vec![0];
        let mut index = Vec::new();
        for i in 0..n {
            index.extend((0..n).filter(|&j| j != i && { let (a, b) = pos.delta(i, j); a * a + b * b < 6.0 }).map(|j| j as u32));
            start.push(index.len());
        }
        forces(pos, NeighbourList { start: &start, index: &index }, 2.2)
    }
}
port!(md_view: run());
