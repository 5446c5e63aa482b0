//! A triangle rasteriser with matrices and vectors that are indexed.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Index, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec4([f32; 4]);
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mat4 { rows: [[f32; 4]; 4] }

    #[omp::declare_target]
    impl Index<usize> for Vec4 { type Output = f32; fn index(&self, i: usize) -> &f32 { &self.0[i] } }
    #[omp::declare_target]
    impl Mul<Vec4> for Mat4 {
        type Output = Vec4;
        fn mul(self, v: Vec4) -> Vec4 {
            let mut out = [0.0; 4];
            for (o, row) in out.iter_mut().zip(self.rows) {
                *o = row.iter().zip(v.0).map(|(a, b)| a * b).sum();
            }
            Vec4(out)
        }
    }
    #[omp::declare_target]
    impl Add for Vec4 { type Output = Vec4; fn add(self, o: Vec4) -> Vec4 { Vec4(std::array::from_fn(|i| self[i] + o[i])) } }
    #[omp::declare_target]
    impl Sub for Vec4 { type Output = Vec4; fn sub(self, o: Vec4) -> Vec4 { Vec4(std::array::from_fn(|i| self[i] - o[i])) } }

    #[omp::declare_target]
    impl Vec4 {
        fn x(&self) -> f32 { self.0[0] }
        fn y(&self) -> f32 { self.0[1] }
        fn z(&self) -> f32 { self.0[2] }
        fn perspective(self) -> Vec4 { let w = self[3]; Vec4(self.0.map(|c| c / w)) }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Triangle { corners: [Vec4; 3], colour: u32 }

    #[omp::declare_target]
    fn edge(a: &Vec4, b: &Vec4, x: f32, y: f32) -> f32 { (b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x()) }

    #[omp::declare_target]
    impl Triangle {
        fn transformed(&self, m: &Mat4) -> Triangle {
            Triangle { corners: self.corners.map(|c| (*m * c).perspective()), ..*self }
        }
        fn depth_at(&self, x: f32, y: f32) -> Option<f32> {
            let [a, b, c] = &self.corners;
            let area = edge(a, b, c.x(), c.y());
            if area == 0.0 {
                return None;
            }
            let w = [edge(b, c, x, y) / area, edge(c, a, x, y) / area, edge(a, b, x, y) / area];
            if w.iter().any(|&w| w < 0.0) {
                return None;
            }
            Some(w[0] * a.z() + w[1] * b.z() + w[2] * c.z())
        }
    }

    pub fn render(width: usize, height: usize, scene: &[Triangle], camera: &Mat4) -> Vec<u32> {
        let mut projected = scene.to_vec();
        #[omp::target]
        for t in projected.iter_mut() {
            *t = t.transformed(camera);
        }
        let mut image = vec![0xff00_0000u32; width * height];
        #[omp::target]
        for (i, pixel) in image.iter_mut().enumerate() {
            let x = (i % width) as f32 / width as f32 * 2.0 - 1.0;
            let y = 1.0 - (i / width) as f32 / height as f32 * 2.0;
            let mut nearest = f32::INFINITY;
            for t in &projected {
                if let Some(z) = t.depth_at(x, y) {
                    if z < nearest {
                        nearest = z;
                        *pixel = t.colour;
                    }
                }
            }
        }
        image
    }

    pub fn run() -> Vec<u32> {
        let camera = Mat4 { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 2.0]] };
        let scene: Vec<Triangle> = (0..5).map(|k| {
            let s = k as f32 * 0.27 - 0.61;
            Triangle { corners: [Vec4([s, -1.13, k as f32, 1.0]), Vec4([s + 1.31, 0.17, 1.0, 1.0]), Vec4([s - 0.33, 1.41, 2.0, 1.0])], colour: 0xff00_0000 | (k as u32 * 0x2020_40) }
        }).collect();
        render(23, 17, &scene, &camera)
    }
}
port!(raster: run());
