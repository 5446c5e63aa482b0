//! Rodinia heartwall: normalised cross-correlation of templates around tracked points, and the best offset of each.
use omp_tests::twice;

twice! {
    pub const T: usize = 7;
    pub const SEARCH: isize = 3;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Tracked { row: i32, col: i32, score: f32 }

    pub struct Frame<'a> { rows: usize, cols: usize, pixels: &'a [f32] }

    impl<'a> Frame<'a> {
        fn pixel(&self, r: isize, c: isize) -> f32 {
            let r = r.clamp(0, self.rows as isize - 1) as usize;
            let c = c.clamp(0, self.cols as isize - 1) as usize;
            self.pixels[r * self.cols + c]
        }
    }

    #[omp::declare_target]
    fn mean_and_deviation(t: &[[f32; T]; T]) -> (f32, f32) {
        let n = (T * T) as f32;
        let mean = t.iter().map(|row| row.iter().sum::<f32>()).sum::<f32>() / n;
        let var = t.iter().flat_map(|row| row.iter()).map(|v| (v - mean).powi(2)).sum::<f32>();
        (mean, var.sqrt())
    }

    pub fn track(frame: &Frame, templates: &[[[f32; T]; T]], points: &mut [Tracked]) {
        #[omp::target]
        for (point, template) in points.iter_mut().zip(templates) {
            let (tm, td) = mean_and_deviation(template);
            let mut best = Tracked { score: f32::MIN, ..*point };
            for dr in -SEARCH..=SEARCH {
                for dc in -SEARCH..=SEARCH {
                    let (r0, c0) = (point.row as isize + dr, point.col as isize + dc);
                    let mut window = [[0.0f32; T]; T];
                    for (i, row) in window.iter_mut().enumerate() {
                        for (j, v) in row.iter_mut().enumerate() {
                            *v = frame.pixel(r0 + i as isize - T as isize / 2, c0 + j as isize - T as isize / 2);
                        }
                    }
                    let (wm, wd) = mean_and_deviation(&window);
                    if wd * td == 0.0 {
                        continue;
                    }
                    let mut cross = 0.0;
                    for (a, b) in window.iter().flatten().zip(template.iter().flatten()) {
                        cross += (a - wm) * (b - tm);
                    }
                    let score = cross / (wd * td);
                    if score > best.score {
                        best = Tracked { row: r0 as i32, col: c0 as i32, score };
                    }
                }
            }
            *point = best;
        }
    }

    pub fn run() -> (Vec<i32>, Vec<f32>) {
        let (rows, cols) = (30, 34);
        let pixels: Vec<f32> = (0..rows * cols).map(|i| { let (r, c) = (i / cols, i % cols); ((r * r * 3 + c * 7 + r * c) % 51) as f32 }).collect();
        let shifted: Vec<f32> = (0..rows * cols).map(|i| pixels[(i + cols + 2) % pixels.len()]).collect();
        let frame = Frame { rows, cols, pixels: &pixels };
        let mut points: Vec<Tracked> = (0..8).map(|k| Tracked { row: 8 + k * 2, col: 9 + k, score: 0.0 }).collect();
        let templates: Vec<[[f32; T]; T]> = points
            .iter()
            .map(|p| std::array::from_fn(|i| std::array::from_fn(|j| frame.pixel(p.row as isize + i as isize - 3, p.col as isize + j as isize - 3))))
            .collect();
        track(&Frame { rows, cols, pixels: &shifted }, &templates, &mut points);
        (points.iter().flat_map(|p| [p.row, p.col]).collect(), points.iter().map(|p| p.score).collect())
    }
}
port!(heartwall: run());
