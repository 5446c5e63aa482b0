//! Panels of a quadrature: integrands as functions, and as closures in a table of rules.
use omp_tests::twice;

twice! {
    pub struct Rule { nodes: &'static [f64], weights: &'static [f64] }
    const GL2: Rule = Rule { nodes: &[-0.5773502691896257, 0.5773502691896257], weights: &[1.0, 1.0] };
    const GL3: Rule = Rule { nodes: &[-0.7745966692414834, 0.0, 0.7745966692414834], weights: &[0.5555555555555556, 0.8888888888888888, 0.5555555555555556] };

    #[omp::declare_target]
    fn runge(x: f64) -> f64 { 1.0 / (1.0 + 25.0 * x * x) }
    #[omp::declare_target]
    fn wave(x: f64) -> f64 { (10.0 * x).sin() + x }

    #[omp::declare_target]
    fn panel(f: fn(f64) -> f64, nodes: &[f64], weights: &[f64], a: f64, b: f64) -> f64 {
        let (mid, half) = (0.5 * (a + b), 0.5 * (b - a));
        half * nodes.iter().zip(weights).map(|(&x, &w)| w * f(mid + half * x)).sum::<f64>()
    }

    pub fn integrate(rule: &Rule, panels: usize, (a, b): (f64, f64)) -> (f64, f64) {
        let (nodes, weights) = (rule.nodes, rule.weights);
        let h = (b - a) / panels as f64;
        let (mut s, mut t) = (0.0, 0.0);
        #[omp::target(reduction(+: s, t))]
        for p in 0..panels {
            let (lo, hi) = (a + h * p as f64, a + h * (p + 1) as f64);
            s += panel(runge, nodes, weights, lo, hi);
            t += panel(wave, nodes, weights, lo, hi);
        }
        (s, t)
    }
    pub fn run() -> ((f64, f64), (f64, f64)) { (integrate(&GL2, 20, (-1.0, 1.0)), integrate(&GL3, 10, (-1.0, 2.0))) }
}
port!(quad_panels: run());
