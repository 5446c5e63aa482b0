//! Stream compaction as it is first written: crossings of a level (marching squares), every second element, two lists under nested conditions.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Segment { x0: f32, y0: f32, x1: f32, y1: f32 }

    #[omp::declare_target]
    fn crossing(a: f32, b: f32, level: f32) -> f32 {
        (level - a) / (b - a)
    }

    pub fn march(field: &[f32], w: usize, level: f32, out: &mut [Segment]) -> usize {
        let h = field.len() / w;
        let mut n = 0;
        #[omp::scan(+)]
        for cell in 0..(w - 1) * (h - 1) {
            let (x, y) = (cell % (w - 1), cell / (w - 1));
            let a = field[y * w + x];
            let b = field[y * w + x + 1];
            let c = field[(y + 1) * w + x];
            if (a > level) != (b > level) && (a > level) != (c > level) {
                out[n] = Segment { x0: x as f32 + crossing(a, b, level), y0: y as f32, x1: x as f32, y1: y as f32 + crossing(a, c, level) };
                n += 1;
            }
        }
        n
    }

    pub fn evens(x: &[u32], out: &mut [u32]) -> usize {
        let mut n = 0;
        #[omp::scan(+)]
        for i in (0..x.len()).step_by(2) {
            if x[i] % 3 != 0 {
                out[n] = x[i];
                n += 1;
            }
        }
        n
    }

    pub fn nested(x: &[i32], low: &mut [i32], high: &mut [i32]) -> (usize, usize) {
        let (mut lows, mut highs) = (0, 0);
        #[omp::scan(+)]
        for &v in x {
            if v % 2 == 0 {
                if v < 50 {
                    low[lows] = v;
                    lows += 1;
                } else {
                    high[highs] = v;
                    highs += 1;
                }
            }
        }
        (lows, highs)
    }

    pub fn run() -> (Vec<f32>, Vec<u32>, Vec<usize>) {
        let w = 20;
        let field: Vec<f32> = (0..w * 15).map(|k| ((k % w) as f32 * 0.5).sin() + ((k / w) as f32 * 0.4).cos()).collect();
        let mut out = vec![Segment::default(); field.len()];
        let n = march(&field, w, 0.2, &mut out);
        let x: Vec<u32> = (0..101).map(|i| i * 7 % 31).collect();
        let mut kept = vec![0; 60];
        let m = evens(&x, &mut kept);
        let v: Vec<i32> = (0..100).map(|i| i * 37 % 101).collect();
        let (mut low, mut high) = (vec![0; 100], vec![0; 100]);
        let (l, h) = nested(&v, &mut low, &mut high);
        kept.extend(low.iter().chain(&high).map(|v| *v as u32));
        (out.iter().flat_map(|s| [s.x0, s.y0, s.x1, s.y1]).collect(), kept, vec![n, m, l, h])
    }
}
port!(contours: run());
