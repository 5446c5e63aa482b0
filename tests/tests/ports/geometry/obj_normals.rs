//! Face and vertex normals of an indexed mesh with atomics-free gathering.
use omp_tests::twice;
twice! {
    use std::ops::{Add, AddAssign, Index, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3(pub [f32; 3]);
    #[omp::declare_target]
    impl Index<usize> for V3 { type Output = f32; fn index(&self, i: usize) -> &f32 { &self.0[i] } }
    #[omp::declare_target]
    impl Add for V3 { type Output = V3; fn add(self, o: V3) -> V3 { V3(std::array::from_fn(|i| self[i] + o[i])) } }
    #[omp::declare_target]
    impl Sub for V3 { type Output = V3; fn sub(self, o: V3) -> V3 { V3([self[0] - o[0], self[1] - o[1], self[2] - o[2]]) } }
    #[omp::declare_target]
    impl Mul<f32> for V3 { type Output = V3; fn mul(self, k: f32) -> V3 { V3(self.0.map(|v| v * k)) } }
    #[omp::declare_target]
    impl AddAssign for V3 { fn add_assign(&mut self, o: V3) { for i in 0..3 { self.0[i] += o.0[i]; } } }

    #[omp::declare_target]
    impl V3 {
        fn cross(self, o: V3) -> V3 {
            V3([self[1] * o[2] - self[2] * o[1], self[2] * o[0] - self[0] * o[2], self[0] * o[1] - self[1] * o[0]])
        }
        fn norm(&self) -> f32 { self.0.iter().map(|v| v * v).sum::<f32>().sqrt() }
        fn unit(self) -> Option<V3> {
            let n = self.norm();
            if n > 1e-12 { Some(self * n.recip()) } else { None }
        }
    }

    pub struct Mesh { pub vertices: Vec<V3>, pub faces: Vec<[u32; 3]> }

    impl Mesh {
        pub fn face_normals(&self) -> (Vec<V3>, f32) {
            let mut normals = vec![V3::default(); self.faces.len()];
            let mut area = 0.0;
            #[omp::target(reduction(+: area))]
            for (n, &[a, b, c]) in normals.iter_mut().zip(&self.faces) {
                let [p, q, r] = [a, b, c].map(|i| self.vertices[i as usize]);
                let cross = (q - p).cross(r - p);
                area += cross.norm() / 2.0;
                *n = cross;
            }
            (normals, area)
        }

        pub fn vertex_normals(&self, normals: &[V3]) -> Vec<V3> {
            let mut out = vec![V3::default(); self.vertices.len()];
            #[omp::target]
            for (v, o) in out.iter_mut().enumerate() {
                let mut sum = V3::default();
                for (face, n) in self.faces.iter().zip(normals) {
                    if face.contains(&(v as u32)) { sum += *n; }
                }
                *o = sum.unit().unwrap_or(V3([0.0, 0.0, 1.0]));
            }
            out
        }
    }

    pub fn run() -> (Vec<[f32; 3]>, f32) {
        let vertices = (0..25).map(|i| V3([(i % 5) as f32, (i / 5) as f32, ((i * 7) % 4) as f32 * 0.3])).collect();
        let faces = (0..16u32).flat_map(|q| { let a = q / 4 * 5 + q % 4; [[a, a + 1, a + 5], [a + 1, a + 6, a + 5]] }).collect();
        let m = Mesh { vertices, faces };
        let (n, area) = m.face_normals();
        (m.vertex_normals(&n).iter().map(|v| v.0).collect(), area)
    }
}
port!(obj_normals: run());
