//! Rainflow counting: cycles of many stress histories, each with a stack of its own.
use omp_tests::twice;

twice! {
    const MAX_DEPTH: usize = 64;

    #[derive(Clone, Copy, Default, Debug, omp::Device)]
    pub struct Damage {
        full: u32,
        half: u32,
        sum: f64,
    }

    #[omp::declare_target]
    fn miner(range: f64, exponent: i32) -> f64 {
        (range / 100.0).powi(exponent)
    }

    #[omp::target]
    pub fn rainflow(history: &[f64], offsets: &[usize], results: &mut [Damage]) {
        for (k, result) in results.iter_mut().enumerate() {
            let series = &history[offsets[k]..offsets[k + 1]];
            let mut stack = [0.0; MAX_DEPTH];
            let mut top = 0;
            let mut damage = Damage::default();
            for &value in series {
                // keep turning points only
                if top >= 2 && (stack[top - 1] - stack[top - 2]) * (value - stack[top - 1]) >= 0.0 {
                    stack[top - 1] = value;
                } else {
                    stack[top] = value;
                    top += 1;
                }
                while top >= 4 {
                    let (x, y) = ((stack[top - 1] - stack[top - 2]).abs(), (stack[top - 2] - stack[top - 3]).abs());
                    if x < y {
                        break;
                    }
                    damage.full += 1;
                    damage.sum += miner(y, 3);
                    stack[top - 3] = stack[top - 1];
                    top -= 2;
                }
            }
            for pair in stack[..top].windows(2) {
                damage.half += 1;
                damage.sum += 0.5 * miner((pair[1] - pair[0]).abs(), 3);
            }
            *result = damage;
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let offsets: Vec<usize> = (0..=n).map(|i| i * 20 + i % 3).collect();
        let total = offsets.last().copied().unwrap();
        let history: Vec<f64> = (0..total).map(|i| ((i * 37) % 41) as f64 * if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let mut r = vec![Damage::default(); n];
        rainflow(&history, &offsets, &mut r);
        r.iter().flat_map(|d| [d.full as f64, d.half as f64, d.sum]).collect()
    }
}
port!(rainflow: (run(0), run(1), run(33)));
