//! Batches of Nelder-Mead simplex searches from many starts, objective by a trait.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    pub trait Objective: omp::Device {
        fn value(&self, x: &[f64; 2]) -> f64;
        fn penalised(&self, x: &[f64; 2], bound: f64) -> f64 {
            let outside: f64 = x.iter().map(|v| (v.abs() - bound).max(0.0)).sum();
            self.value(x) + 100.0 * outside
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Rosenbrock { pub a: f64, pub b: f64 }

    #[omp::declare_target]
    impl Objective for Rosenbrock {
        fn value(&self, &[x, y]: &[f64; 2]) -> f64 { (self.a - x).powi(2) + self.b * (y - x * x).powi(2) }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vertex { x: [f64; 2], f: f64 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Outcome { pub best: [f64; 2], pub value: f64, pub steps: u32 }

    #[omp::declare_target]
    fn minimise<O: Objective>(o: &O, start: [f64; 2], limit: u32) -> Outcome {
        let evaluate = |x: [f64; 2]| Vertex { f: o.penalised(&x, 5.0), x };
        let mut simplex = [start, [start[0] + 0.5, start[1]], [start[0], start[1] + 0.5]].map(evaluate);
        let mut steps = 0;
        while steps < limit {
            simplex.sort_by(|a, b| a.f.total_cmp(&b.f));
            let [best, good, worst] = simplex;
            if (worst.f - best.f).abs() < 1e-12 {
                break;
            }
            let centre = [0, 1].map(|k| 0.5 * (best.x[k] + good.x[k]));
            let along = |t: f64| evaluate(std::array::from_fn(|k| centre[k] + t * (worst.x[k] - centre[k])));
            let reflected = along(-1.0);
            let replacement = if reflected.f < best.f {
                let expanded = along(-2.0);
                Some(if expanded.f < reflected.f { expanded } else { reflected })
            } else if reflected.f < good.f {
                Some(reflected)
            } else {
                let contracted = if reflected.f < worst.f { along(-0.5) } else { along(0.5) };
                (contracted.f < worst.f.min(reflected.f)).then_some(contracted)
            };
            match replacement {
                Some(v) => simplex[2] = v,
                None => {
                    for v in &mut simplex[1..] {
                        *v = evaluate([0, 1].map(|k| best.x[k] + 0.5 * (v.x[k] - best.x[k])));
                    }
                }
            }
            steps += 1;
        }
        let v = simplex.iter().min_by(|a, b| a.f.partial_cmp(&b.f).unwrap()).unwrap();
        Outcome { best: v.x, value: v.f, steps }
    }

    pub fn search<O: Objective>(o: O, starts: &[[f64; 2]], limit: u32) -> Vec<Outcome> {
        let mut out = vec![Outcome::default(); starts.len()];
        #[omp::target(fp(strict))]
        for (o_, s) in out.iter_mut().zip(starts) {
            *o_ = minimise(&o, *s, limit);
        }
        out
    }

    pub fn run() -> Vec<(f64, [f64; 2], u32)> {
        let starts: Vec<[f64; 2]> = (0..25).map(|i| [(i % 5) as f64 - 2.0, (i / 5) as f64 - 2.0]).collect();
        search(Rosenbrock { a: 1.0, b: 10.0 }, &starts, 60).iter().map(|o| (o.value, o.best, o.steps)).collect()
    }
}
port!(nelder_mead: run());
