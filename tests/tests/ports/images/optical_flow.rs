//! Lucas-Kanade optical flow over a pyramid, and FAST corners.
use omp_tests::twice;
twice! {
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Image { width: usize, height: usize, pixels: Vec<f32> }

    #[omp::declare_target]
    impl Image {
        #[inline]
        fn get(&self, x: i32, y: i32) -> f32 {
            let x = x.max(0).min(self.width as i32 - 1) as usize;
            let y = y.max(0).min(self.height as i32 - 1) as usize;
            self.pixels[x + y * self.width]
        }

        fn bilinear(&self, x: f32, y: f32) -> f32 {
            let (x0, y0) = (x.floor(), y.floor());
            let (fx, fy) = (x - x0, y - y0);
            let (x0, y0) = (x0 as i32, y0 as i32);
            let top = self.get(x0, y0) * (1.0 - fx) + self.get(x0 + 1, y0) * fx;
            let bottom = self.get(x0, y0 + 1) * (1.0 - fx) + self.get(x0 + 1, y0 + 1) * fx;
            top * (1.0 - fy) + bottom * fy
        }

        fn gradient(&self, x: i32, y: i32) -> (f32, f32) {
            (
                0.5 * (self.get(x + 1, y) - self.get(x - 1, y)),
                0.5 * (self.get(x, y + 1) - self.get(x, y - 1)),
            )
        }
    }

    impl Image {
        pub fn half(&self) -> Image {
            let (width, height) = (self.width / 2, self.height / 2);
            let mut pixels = vec![0.0; width * height];
            #[omp::target]
            for i in 0..width * height {
                let (x, y) = (2 * (i % width) as i32, 2 * (i / width) as i32);
                pixels[i] = (0..2).flat_map(|dy| (0..2).map(move |dx| (dx, dy))).map(|(dx, dy)| self.get(x + dx, y + dy)).sum::<f32>() / 4.0;
            }
            Image { width, height, pixels }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Flow { pub u: f32, pub v: f32 }

    #[derive(Clone, Copy)]
    pub struct Settings { pub radius: i32, pub iterations: usize, pub threshold: f32 }

    impl Default for Settings {
        fn default() -> Self { Settings { radius: 2, iterations: 3, threshold: 1e-3 } }
    }

    pub fn refine(a: &Image, b: &Image, flow: &mut [Flow], settings: &Settings) {
        let w = a.width as i32;
        #[omp::target]
        for (i, f) in flow.iter_mut().enumerate() {
            let (x, y) = (i as i32 % w, i as i32 / w);
            let Settings { radius, iterations, threshold } = *settings;
            for _ in 0..iterations {
                let (mut ixx, mut ixy, mut iyy, mut ixt, mut iyt) = (0.0, 0.0, 0.0, 0.0, 0.0);
                for dy in -radius..=radius {
                    for dx in -radius..=radius {
                        let (gx, gy) = a.gradient(x + dx, y + dy);
                        let dt = b.bilinear((x + dx) as f32 + f.u, (y + dy) as f32 + f.v) - a.get(x + dx, y + dy);
                        ixx += gx * gx;
                        ixy += gx * gy;
                        iyy += gy * gy;
                        ixt += gx * dt;
                        iyt += gy * dt;
                    }
                }
                let det = ixx * iyy - ixy * ixy;
                if det.abs() < threshold {
                    break;
                }
                let (du, dv) = ((ixy * iyt - iyy * ixt) / det, (ixy * ixt - ixx * iyt) / det);
                f.u += du;
                f.v += dv;
                if du.hypot(dv) < 0.01 {
                    break;
                }
            }
        }
    }

    pub fn pyramid(a: &Image, b: &Image, levels: usize) -> Vec<Flow> {
        let settings = Settings::default();
        if levels == 0 || a.width < 8 {
            let mut flow = vec![Flow::default(); a.width * a.height];
            refine(a, b, &mut flow, &settings);
            return flow;
        }
        let coarse = pyramid(&a.half(), &b.half(), levels - 1);
        let (w, cw) = (a.width, a.width / 2);
        let ch = coarse.len() / cw;
        let mut flow = vec![Flow::default(); a.width * a.height];
        #[omp::target]
        for (i, f) in flow.iter_mut().enumerate() {
            let c = &coarse[((i / w) / 2).min(ch - 1) * cw + ((i % w) / 2).min(cw - 1)];
            *f = Flow { u: c.u * 2.0, v: c.v * 2.0 };
        }
        refine(a, b, &mut flow, &settings);
        flow
    }

    const CIRCLE: [(i32, i32); 16] = [
        (0, -3), (1, -3), (2, -2), (3, -1), (3, 0), (3, 1), (2, 2), (1, 3), (0, 3), (-1, 3), (-2, 2), (-3, 1), (-3, 0), (-3, -1), (-2, -2), (-1, -3),
    ];

    pub fn fast_corners(img: &Image, t: f32, corners: &mut [(u16, u16)]) -> usize {
        let (w, h) = (img.width, img.height);
        let mut found = 0;
        #[omp::target]
        for p in 0..w * h {
            let (x, y) = ((p % w) as i32, (p / w) as i32);
            let centre = img.get(x, y);
            let (mut brighter, mut darker) = (0u32, 0u32);
            for (bit, &(dx, dy)) in CIRCLE.iter().enumerate() {
                let v = img.get(x + dx, y + dy);
                if v > centre + t {
                    brighter |= 1 << bit;
                } else if v < centre - t {
                    darker |= 1 << bit;
                }
            }
            let arc = |mask: u32| {
                let twice = mask | mask << 16;
                (0..16).any(|s| (twice >> s) & 0x1ff == 0x1ff)
            };
            if arc(brighter) || arc(darker) {
                corners[found] = (x as u16, y as u16);
                found += 1;
            }
        }
        found
    }

    pub fn run() -> (Vec<[f32; 2]>, Vec<(u16, u16)>) {
        let make = |shift: f32| {
            let (width, height) = (20, 16);
            let pixels = (0..width * height).map(|i| { let (x, y) = ((i % width) as f32 - shift, (i / width) as f32); (x * 0.4).sin() + (y * 0.3 + x * 0.1).cos() }).collect();
            Image { width, height, pixels }
        };
        let (a, b) = (make(0.0), make(0.6));
        let flow = pyramid(&a, &b, 1);
        let mut square = make(0.0);
        for (i, p) in square.pixels.iter_mut().enumerate() { *p = if (6..13).contains(&(i % 20)) && (5..11).contains(&(i / 20)) { 9.0 } else { 0.0 }; }
        let mut corners = vec![(0, 0); 320];
        let n = fast_corners(&square, 1.0, &mut corners);
        corners.truncate(n);
        (flow.iter().map(|f| [(f.u * 100.0).round(), (f.v * 100.0).round()]).collect(), corners)
    }
}
port!(optical_flow: run());
