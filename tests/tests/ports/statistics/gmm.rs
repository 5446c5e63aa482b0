//! Expectation and maximisation of a mixture of Gaussians, generic over dimension.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Component<const D: usize> { pub weight: f64, pub mean: [f64; D], pub variance: [f64; D] }

    #[omp::declare_target]
    impl<const D: usize> Component<D> {
        fn log_density(&self, x: &[f64; D]) -> f64 {
            let mut sum = 0.0;
            for d in 0..D {
                let diff = x[d] - self.mean[d];
                sum += diff * diff / self.variance[d] + (std::f64::consts::TAU * self.variance[d]).ln();
            }
            self.weight.ln() - 0.5 * sum
        }
    }

    #[omp::declare_target]
    fn log_sum_exp(values: &[f64]) -> f64 {
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        max + values.iter().map(|v| (v - max).exp()).sum::<f64>().ln()
    }

    pub struct Mixture<const K: usize, const D: usize> { pub components: [Component<D>; K] }

    impl<const K: usize, const D: usize> Mixture<K, D> {
        pub fn expectation(&self, data: &[[f64; D]], resp: &mut [[f64; K]]) -> f64 {
            let components = self.components;
            let mut likelihood = 0.0;
            #[omp::target(reduction(+: likelihood))]
            for (x, r) in data.iter().zip(resp.iter_mut()) {
                let mut logs = [0.0; K];
                for (l, c) in logs.iter_mut().zip(&components) {
                    *l = c.log_density(x);
                }
                let total = log_sum_exp(&logs);
                for k in 0..K {
                    r[k] = (logs[k] - total).exp();
                }
                likelihood += total;
            }
            likelihood
        }

        pub fn maximisation(&mut self, data: &[[f64; D]], resp: &[[f64; K]]) {
            let n = data.len() as f64;
            for (k, c) in self.components.iter_mut().enumerate() {
                let mut mass = 0.0;
                let mut first = [0.0; D];
                let mut second = [0.0; D];
                #[omp::target(reduction(+: mass, first, second))]
                for i in 0..data.len() {
                    let r = resp[i][k];
                    mass += r;
                    for (d, &x) in data[i].iter().enumerate() {
                        first[d] += r * x;
                        second[d] += r * x * x;
                    }
                }
                c.weight = mass / n;
                for d in 0..D {
                    c.mean[d] = first[d] / mass;
                    c.variance[d] = (second[d] / mass - c.mean[d].powi(2)).max(1e-6);
                }
            }
        }

        pub fn classify(&self, data: &[[f64; D]]) -> Vec<usize> {
            let mut label = vec![0; data.len()];
            #[omp::target]
            for (l, x) in label.iter_mut().zip(data) {
                *l = (0..K)
                    .map(|k| self.components[k].log_density(x))
                    .enumerate()
                    .max_by(|a, b| a.1.partial_cmp(&b.1).unwrap())
                    .map(|(k, _)| k)
                    .unwrap();
            }
            label
        }
    }

    pub fn run() -> (Vec<f64>, Vec<usize>) {
        let mut v = Values(13);
        let data: Vec<[f64; 2]> = (0..150).map(|i| std::array::from_fn(|d| (i % 3) as f64 * 2.0 + d as f64 + (v.bits() % 1000) as f64 / 700.0)).collect();
        let mut m = Mixture::<3, 2> { components: std::array::from_fn(|k| Component { weight: 1.0 / 3.0, mean: [k as f64 * 1.5, 1.0 + k as f64], variance: [1.0; 2] }) };
        let mut resp = vec![[0.0; 3]; data.len()];
        let mut trace = vec![];
        for _ in 0..4 {
            trace.push(m.expectation(&data, &mut resp));
            m.maximisation(&data, &resp);
        }
        (trace, m.classify(&data))
    }
}
port!(gmm: run());
