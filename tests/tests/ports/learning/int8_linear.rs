//! Int8 linear layers with per-channel scales, ReLU, a mixture of experts with top-2 gates, layer statistics.
use omp_tests::twice;
twice! {
    #[derive(Clone, Debug)]
    pub struct Linear { inputs: usize, outputs: usize, weight: Vec<i8>, scale: Vec<f32>, bias: Vec<f32> }

    impl Linear {
        fn row(&self, o: usize) -> &[i8] { &self.weight[o * self.inputs..(o + 1) * self.inputs] }

        #[omp::offload]
        fn forward(&self, x: &[i8], x_scale: f32, y: &mut [f32]) {
            #[omp::target]
            for (k, y) in y.iter_mut().enumerate() {
                let (b, o) = (k / self.outputs, k % self.outputs);
                let x = &x[b * self.inputs..][..self.inputs];
                let acc: i32 = self.row(o).iter().zip(x).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum();
                *y = (acc as f32 * self.scale[o] * x_scale + self.bias[o]).max(0.0);
            }
        }
    }

    #[omp::offload]
    fn quantise(x: &[f32]) -> (Vec<i8>, f32) {
        let mut peak = 0.0f32;
        #[omp::target(reduction(max: peak))]
        for v in x { peak = peak.max(v.abs()); }
        let scale = if peak > 0.0 { peak / 127.0 } else { 1.0 };
        let mut q = vec![0i8; x.len()];
        #[omp::target]
        for (q, &v) in q.iter_mut().zip(x) { *q = (v / scale).round().clamp(-127.0, 127.0) as i8; }
        (q, scale)
    }

    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Route { expert: [u8; 2], weight: [f32; 2] }

    #[omp::offload]
    fn gates<const E: usize>(logits: &[[f32; E]], routes: &mut [Route], load: &mut [u32; E]) {
        #[omp::target(reduction(+: load))]
        for (l, route) in logits.iter().zip(routes.iter_mut()) {
            let (first, second) = l.iter().enumerate().fold(((0, f32::MIN), (0, f32::MIN)), |(a, b), (i, &v)| {
                if v > a.1 { ((i, v), a) } else if v > b.1 { (a, (i, v)) } else { (a, b) }
            });
            let e = (second.1 - first.1).exp();
            *route = Route { expert: [first.0 as u8, second.0 as u8], weight: [1.0 / (1.0 + e), e / (1.0 + e)] };
            for &x in &route.expert { load[x as usize] += 1; }
        }
    }

    #[omp::offload]
    fn mix(routes: &[Route], experts: &[Vec<f32>; 3], dim: usize, out: &mut [f32]) {
        let [e0, e1, e2] = experts;
        #[omp::target]
        for (t, row) in out.chunks_mut(dim).enumerate() {
            for (d, o) in row.iter_mut().enumerate() {
                let at = t * dim + d;
                *o = routes[t].expert.iter().zip(routes[t].weight).map(|(&e, w)| w * match e { 0 => e0[at], 1 => e1[at], _ => e2[at] }).sum();
            }
        }
    }

    #[omp::offload]
    fn moments(x: &[f32], dim: usize) -> Vec<(f32, f32)> {
        let mut out = vec![(0.0, 0.0); x.len() / dim];
        #[omp::target]
        for (row, o) in x.chunks_exact(dim).zip(&mut out) {
            let (mut mean, mut m2) = (0.0, 0.0);
            for (n, &v) in (1..).zip(row) {
                let delta = v - mean;
                mean += delta / n as f32;
                m2 += delta * (v - mean);
            }
            *o = (mean, (m2 / row.len() as f32).sqrt());
        }
        out
    }

    pub fn run(n: usize) -> (Vec<f32>, Vec<Route>, [u32; 3], Vec<(f32, f32)>) {
        let (i, o) = (12, 8);
        let lin = |s: usize| Linear { inputs: i, outputs: o, weight: (0..i * o).map(|k| ((k * 37 + s * 11) % 255) as u8 as i8).collect(), scale: (0..o).map(|k| 0.01 + k as f32 * 0.001).collect(), bias: vec![0.1; o] };
        let x: Vec<f32> = (0..n * i).map(|k| ((k * 29) % 83) as f32 / 41.0 - 1.0).collect();
        let (q, s) = quantise(&x);
        let experts: [Vec<f32>; 3] = std::array::from_fn(|e| { let mut y = vec![0.0; n * o]; lin(e).forward(&q, s, &mut y); y });
        let logits: Vec<[f32; 3]> = (0..n).map(|t| std::array::from_fn(|e| ((t * 13 + e * 7) % 11) as f32 * 0.3)).collect();
        let mut routes = vec![Route::default(); n];
        let mut load = [0; 3];
        gates(&logits, &mut routes, &mut load);
        let mut out = vec![0.0; n * o];
        mix(&routes, &experts, o, &mut out);
        let m = moments(&out, o);
        (out, routes, load, m)
    }
}
port!(gru_i8: [0, 1, 15, 300].map(|n| crate::Shown::of(run(n))));
