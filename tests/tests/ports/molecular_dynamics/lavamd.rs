//! Rodinia lavaMD: particles in boxes, each box with a list of neighbours.
use omp_tests::{Values, twice};

twice! {
    const NUMBER_PAR_PER_BOX: usize = 10;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct FourVector { v: f64, x: f64, y: f64, z: f64 }

    impl FourVector {
        #[omp::declare_target]
        fn dot(&self, other: &FourVector) -> f64 {
            self.x * other.x + self.y * other.y + self.z * other.z
        }
    }

    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct BoxNeighbors { offset: usize, nn: usize, nei: [u32; 26] }

    pub struct Par { alpha: f64 }

    pub fn kernel_cpu(par: &Par, boxes: &[BoxNeighbors], rv: &[FourVector], qv: &[f64], fv: &mut [FourVector]) {
        let a2 = 2.0 * par.alpha * par.alpha;
        #[omp::target(disjoint(fv))]
        for l in 0..boxes.len() {
            let first_i = boxes[l].offset;
            let ra = &rv[first_i..first_i + NUMBER_PAR_PER_BOX];
            for k in 0..=boxes[l].nn {
                let pointer = if k == 0 { l } else { boxes[l].nei[k - 1] as usize };
                let first_j = boxes[pointer].offset;
                let rb = &rv[first_j..];
                let qb = &qv[first_j..];
                for i in 0..NUMBER_PAR_PER_BOX {
                    for j in 0..NUMBER_PAR_PER_BOX {
                        let r2 = ra[i].v + rb[j].v - ra[i].dot(&rb[j]);
                        let u2 = a2 * r2;
                        let vij = (-u2).exp();
                        let fs = 2.0 * vij;
                        let d = FourVector { v: 0.0, x: ra[i].x - rb[j].x, y: ra[i].y - rb[j].y, z: ra[i].z - rb[j].z };
                        let fxij = fs * d.x;
                        let fyij = fs * d.y;
                        let fzij = fs * d.z;
                        let f = &mut fv[first_i + i];
                        f.v += qb[j] * vij;
                        f.x += qb[j] * fxij;
                        f.y += qb[j] * fyij;
                        f.z += qb[j] * fzij;
                    }
                }
            }
        }
    }

    fn neighbors(n: usize) -> Vec<BoxNeighbors> {
        let mut boxes = vec![];
        for l in 0..n * n * n {
            let (i, j, k) = ((l / n / n) as i32, (l / n % n) as i32, (l % n) as i32);
            let mut b = BoxNeighbors { offset: l * NUMBER_PAR_PER_BOX, ..Default::default() };
            for (di, dj, dk) in (0..27).map(|m| (m / 9 - 1, m / 3 % 3 - 1, m % 3 - 1)) {
                let inside = |x: i32| (0..n as i32).contains(&x);
                if (di, dj, dk) != (0, 0, 0) && inside(i + di) && inside(j + dj) && inside(k + dk) {
                    b.nei[b.nn] = (((i + di) * n as i32 + j + dj) * n as i32 + k + dk) as u32;
                    b.nn += 1;
                }
            }
            boxes.push(b);
        }
        boxes
    }

    pub fn run() -> Vec<[f64; 4]> {
        let boxes = neighbors(3);
        let mut v = Values(8);
        let mut next = || (v.bits() % 10 + 1) as f64 / 10.0;
        let rv: Vec<_> = (0..boxes.len() * NUMBER_PAR_PER_BOX)
            .map(|_| FourVector { v: next(), x: next(), y: next(), z: next() })
            .collect();
        let qv: Vec<f64> = rv.iter().map(|_| next()).collect();
        let mut fv = vec![FourVector::default(); rv.len()];
        kernel_cpu(&Par { alpha: 0.5 }, &boxes, &rv, &qv, &mut fv);
        fv.iter().map(|f| [f.v, f.x, f.y, f.z]).collect()
    }
}
port!(lavamd: run());
