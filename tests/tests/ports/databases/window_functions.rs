//! Window functions of SQL over sorted partitions: row numbers, ranks, lag, running and sliding aggregates.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Out { number: u32, rank: u32, dense: u32, lag: Option<f32>, running: f32, sliding: Option<f32>, share: f32 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Frame { Rows { before: usize, after: usize }, UnboundedPreceding, Range(f32) }

    #[omp::declare_target]
    impl Frame {
        fn bounds(&self, keys: &[f32], i: usize) -> (usize, usize) {
            match *self {
                Frame::Rows { before, after } => (i.saturating_sub(before), (i + after + 1).min(keys.len())),
                Frame::UnboundedPreceding => (0, i + 1),
                Frame::Range(r) => {
                    let key = keys[i];
                    let from = keys.partition_point(|&k| k < key - r);
                    let to = from + keys[from..].iter().take_while(|k| **k <= key + r).count();
                    (from, to)
                }
            }
        }
    }

    pub struct Table { starts: Vec<usize>, keys: Vec<f32>, values: Vec<Option<f32>> }

    impl Table {
        fn evaluate(&self, frame: Frame, lag: usize) -> Vec<Out> {
            let mut out = vec![Out::default(); self.keys.len()];
            let bounds: Vec<(usize, usize)> = self.starts.windows(2).map(|w| (w[0], w[1])).collect();
            #[omp::target(disjoint(out))]
            for &(from, to) in &bounds {
                let keys = &self.keys[from..to];
                let values = &self.values[from..to];
                let rows = &mut out[from..to];
                let total: f32 = values.iter().flatten().sum();
                let (mut rank, mut dense) = (0, 0);
                let mut running = 0.0;
                for i in 0..rows.len() {
                    if i == 0 || keys[i] != keys[i - 1] {
                        rank = i as u32 + 1;
                        dense += 1;
                    }
                    running += values[i].unwrap_or(0.0);
                    let (a, b) = frame.bounds(keys, i);
                    let mut sum = 0.0;
                    let mut n = 0;
                    for v in values[a..b].iter().flatten() {
                        sum += v;
                        n += 1;
                    }
                    rows[i] = Out {
                        number: i as u32 + 1,
                        rank,
                        dense,
                        lag: i.checked_sub(lag).and_then(|j| values[j]),
                        running,
                        sliding: if n > 0 { Some(sum / n as f32) } else { None },
                        share: match values[i] { Some(v) if total != 0.0 => v / total, _ => 0.0 },
                    };
                }
            }
            out
        }

        fn percentiles(&self, q: f32) -> Vec<Option<f32>> {
            let n = self.starts.len() - 1;
            let mut out = vec![None; n];
            #[omp::target]
            for (w, o) in self.starts.windows(2).zip(out.iter_mut()) {
                let [from, to] = [w[0], w[1]];
                let keys = &self.keys[from..to];
                let Some(last) = keys.len().checked_sub(1) else { continue };
                let x = q * last as f32;
                let (i, f) = (x as usize, x.fract());
                let next = keys.get(i + 1).unwrap_or(&keys[i]);
                *o = Some(keys[i] + f * (next - keys[i]));
            }
            out
        }
    }

    pub fn run() -> (Vec<Vec<Out>>, Vec<Option<f32>>) {
        let starts = vec![0, 0, 7, 8, 30, 30];
        let mut keys: Vec<f32> = (0..30).map(|i| (i * 7 % 11) as f32).collect();
        for w in starts.windows(2) { keys[w[0]..w[1]].sort_by(|a, b| a.total_cmp(b)); }
        let values = (0..30).map(|i| (i % 4 != 1).then(|| i as f32 * 0.5 - 3.0)).collect();
        let t = Table { starts, keys, values };
        ([Frame::Rows { before: 1, after: 2 }, Frame::UnboundedPreceding, Frame::Range(2.0)].map(|f| t.evaluate(f, 2)).to_vec(), t.percentiles(0.7))
    }
}
port!(window_functions: crate::Shown::of(run()));
