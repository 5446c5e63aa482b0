//! Spectral elements: gradients by tensor contraction, gather and scatter over shared nodes, a conjugate gradient step.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct Basis<const P: usize> { d: [[f64; P]; P], w: [f64; P] }

    #[derive(omp::Mapper)]
    pub struct Mesh { elements: usize, nodes: usize, ids: Vec<u32>, scale: Vec<f64>, mult: Vec<f64> }

    impl<const P: usize> Basis<P> {
        fn new() -> Self {
            let d = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 0.3 } else { 1.0 / (i as f64 - j as f64) }));
            Self { d, w: std::array::from_fn(|i| 1.0 + i as f64 * 0.25) }
        }
    }

    pub fn local_ax<const P: usize>(basis: &Basis<P>, mesh: &Mesh, u: &[f64], out: &mut [f64]) {
        let n2 = P * P;
        let Basis { d, w } = basis;
        #[omp::target]
        for (e, (ue, oe)) in u.chunks_exact(n2).zip(out.chunks_exact_mut(n2)).enumerate() {
            let mut ur = [[0.0; P]; P];
            let mut us = [[0.0; P]; P];
            for j in 0..P {
                for i in 0..P {
                    for k in 0..P {
                        ur[j][i] += d[i][k] * ue[j * P + k];
                        us[j][i] += d[j][k] * ue[k * P + i];
                    }
                    let g = mesh.scale[e] * w[i] * w[j];
                    ur[j][i] *= g;
                    us[j][i] *= g;
                }
            }
            for j in 0..P {
                for i in 0..P {
                    oe[j * P + i] = (0..P).map(|k| d[k][i] * ur[j][k] + d[k][j] * us[k][i]).sum();
                }
            }
        }
    }

    pub fn gather_scatter(mesh: &Mesh, v: &mut [f64]) {
        let mut global = vec![0.0; mesh.nodes];
        #[omp::target]
        for (&id, x) in mesh.ids.iter().zip(v.iter()) {
            #[omp::atomic]
            global[id as usize] += *x;
        }
        #[omp::target]
        for (x, &id) in v.iter_mut().zip(&mesh.ids) {
            *x = global[id as usize];
        }
    }

    fn glsc3(a: &[f64], b: &[f64], m: &[f64]) -> f64 {
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for ((a, b), m) in a.iter().zip(b).zip(m) {
            sum += a * b * m;
        }
        sum
    }

    fn add2s1(a: &mut [f64], b: &[f64], c: f64) {
        #[omp::target]
        for (a, b) in a.iter_mut().zip(b) {
            *a = c * *a + b;
        }
    }

    fn add2s2(a: &mut [f64], b: &[f64], c: f64) {
        #[omp::target]
        for i in 0..a.len().min(b.len()) {
            a[i] += c * b[i];
        }
    }

    pub fn cg<const P: usize>(basis: &Basis<P>, mesh: &Mesh, f: &[f64], iterations: usize) -> (Vec<f64>, f64) {
        let n = f.len();
        let (mut x, mut p, mut w) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut r = f.to_vec();
        let mut rtz1 = 1.0;
        for iter in 0..iterations {
            let rtz2 = rtz1;
            rtz1 = glsc3(&r, &r, &mesh.mult);
            let beta = if iter == 0 { 0.0 } else { rtz1 / rtz2 };
            add2s1(&mut p, &r, beta);
            local_ax(basis, mesh, &p, &mut w);
            gather_scatter(mesh, &mut w);
            let alpha = rtz1 / glsc3(&w, &p, &mesh.mult);
            add2s2(&mut x, &p, alpha);
            add2s2(&mut r, &w, -alpha);
        }
        (x, rtz1)
    }

    pub fn run() -> (Vec<f64>, f64) {
        const P: usize = 4;
        let elements = 6;
        let mut v = Values(9);
        let ids: Vec<u32> = (0..elements * P * P).map(|k| { let (e, j, i) = (k / (P * P), k / P % P, k % P); (j * (elements * (P - 1) + 1) + e * (P - 1) + i) as u32 }).collect();
        let nodes = P * (elements * (P - 1) + 1);
        let mut count = vec![0.0; nodes];
        ids.iter().for_each(|&i| count[i as usize] += 1.0);
        let mult = ids.iter().map(|&i| 1.0 / count[i as usize]).collect();
        let mesh = Mesh { elements, nodes, scale: (0..elements).map(|_| 1.0 + v.bits() as f64 / 8e9).collect(), mult, ids };
        let mut f: Vec<f64> = (0..elements * P * P).map(|_| v.bits() as f64 / 4e9).collect();
        gather_scatter(&mesh, &mut f);
        cg(&Basis::<P>::new(), &mesh, &f, 3)
    }
}
port!(spectral_element: run());
