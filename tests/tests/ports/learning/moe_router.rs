//! Machine learning: routing of tokens to the top-k experts, counts, and dispatch offsets.
use omp_tests::twice;

twice! {
    const TOP_K: usize = 2;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Route { expert: [u16; TOP_K], weight: [f32; TOP_K] }

    impl Default for Route {
        fn default() -> Self { Self { expert: [0; TOP_K], weight: [0.0; TOP_K] } }
    }

    #[omp::declare_target]
    fn top_k<const K: usize>(logits: &[f32]) -> [(f32, usize); K] {
        let mut best = [(f32::NEG_INFINITY, usize::MAX); K];
        for (e, &v) in logits.iter().enumerate() {
            let Some(at) = best.iter().position(|&(b, _)| v > b) else { continue };
            for i in (at + 1..K).rev() {
                best[i] = best[i - 1];
            }
            best[at] = (v, e);
        }
        best
    }

    pub fn route(logits: &[f32], experts: usize) -> Vec<Route> {
        let mut routes = vec![Route::default(); logits.len() / experts];
        #[omp::target]
        for (route, row) in routes.iter_mut().zip(logits.chunks_exact(experts)) {
            let best = top_k::<TOP_K>(row);
            let max = best[0].0;
            let total: f32 = best.iter().map(|(v, _)| (v - max).exp()).sum();
            for (k, (v, e)) in best.into_iter().enumerate() {
                route.expert[k] = e as u16;
                route.weight[k] = (v - max).exp() / total;
            }
        }
        routes
    }

    pub fn load(routes: &[Route], experts: usize) -> (Vec<u32>, f32) {
        let mut counts = vec![0u32; experts];
        #[omp::target(reduction(+: counts))]
        for r in routes {
            for e in r.expert {
                counts[e as usize] += 1;
            }
        }
        let mean = routes.len() as f32 * TOP_K as f32 / experts as f32;
        let mut imbalance = 0.0f32;
        #[omp::target(reduction(max: imbalance))]
        for &c in &counts {
            imbalance = imbalance.max((c as f32 - mean).abs() / mean);
        }
        (counts, imbalance)
    }

    pub fn positions(routes: &[Route], expert: u16) -> Vec<u32> {
        let mut slots = vec![0u32; routes.len()];
        let mut n = 0;
        #[omp::target]
        for (t, r) in routes.iter().enumerate() {
            if r.expert.contains(&expert) {
                slots[n] = t as u32;
                n += 1;
            }
        }
        slots.truncate(n);
        slots
    }

    pub fn run() -> (crate::Shown, Vec<u32>, f32, Vec<u32>) {
        let logits: Vec<f32> = (0..40 * 8u32).map(|i| (i.wrapping_mul(2_246_822_519) >> 9) as f32 / 1e6).collect();
        let routes = route(&logits, 8);
        let (counts, imbalance) = load(&routes, 8);
        let p = positions(&routes, 3);
        (crate::Shown::of(routes), counts, imbalance, p)
    }
}
port!(moe_router: run());
