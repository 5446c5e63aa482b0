//! Oriented boxes against each other by separating axes, and spheres against boxes.
use crate::Shown;
use omp_tests::twice;

twice! {
    use std::ops::{Index, Mul, Sub, Add};
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3([f64; 3]);
    #[omp::declare_target]
    impl Index<usize> for V3 { type Output = f64; fn index(&self, i: usize) -> &f64 { &self.0[i] } }
    #[omp::declare_target]
    impl Sub for V3 { type Output = V3; fn sub(self, o: V3) -> V3 { V3([self[0] - o[0], self[1] - o[1], self[2] - o[2]]) } }
    #[omp::declare_target]
    impl Add for V3 { type Output = V3; fn add(self, o: V3) -> V3 { V3([self[0] + o[0], self[1] + o[1], self[2] + o[2]]) } }
    #[omp::declare_target]
    impl Mul<f64> for V3 { type Output = V3; fn mul(self, k: f64) -> V3 { V3(self.0.map(|x| x * k)) } }
    #[omp::declare_target]
    impl V3 {
        fn dot(&self, o: &V3) -> f64 { self.0.iter().zip(o.0.iter()).map(|(a, b)| a * b).sum() }
        fn cross(&self, o: &V3) -> V3 { V3([self[1] * o[2] - self[2] * o[1], self[2] * o[0] - self[0] * o[2], self[0] * o[1] - self[1] * o[0]]) }
        fn length_squared(&self) -> f64 { self.dot(self) }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Obb { centre: V3, axes: [V3; 3], half: [f64; 3] }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Separation { pub depth: f64, pub axis: u8 }

    #[omp::declare_target]
    impl Obb {
        fn turned(centre: V3, half: [f64; 3], angle: f64) -> Self {
            let (s, c) = angle.sin_cos();
            Obb { centre, half, axes: [V3([c, s, 0.0]), V3([-s * c, c * c, s]), V3([s * s, -s * c, c])] }
        }
        fn extent(&self, along: &V3) -> f64 {
            self.axes.iter().zip(self.half).map(|(a, h)| h * a.dot(along).abs()).sum()
        }
        fn closest_point(&self, p: V3) -> V3 {
            let d = p - self.centre;
            let mut q = self.centre;
            for (axis, &h) in self.axes.iter().zip(&self.half) {
                q = q + *axis * d.dot(axis).clamp(-h, h);
            }
            q
        }
        fn overlap(&self, other: &Obb) -> Option<Separation> {
            let d = other.centre - self.centre;
            let mut best: Option<Separation> = None;
            let mut test = |axis: V3, id: u8| -> bool {
                let len2 = axis.length_squared();
                if len2 < 1e-9 { return true; }
                let depth = (self.extent(&axis) + other.extent(&axis) - d.dot(&axis).abs()) / len2.sqrt();
                if depth < 0.0 { return false; }
                if best.is_none_or(|b| depth < b.depth) { best = Some(Separation { depth, axis: id }); }
                true
            };
            for k in 0..3 {
                if !test(self.axes[k], k as u8) || !test(other.axes[k], 3 + k as u8) { return None; }
            }
            for i in 0..3 {
                for j in 0..3 {
                    if !test(self.axes[i].cross(&other.axes[j]), (6 + 3 * i + j) as u8) { return None; }
                }
            }
            best
        }
    }

    pub fn collide(boxes: &[Obb], pairs: &[(u32, u32)]) -> Vec<Option<Separation>> {
        let mut hits = vec![None; pairs.len()];
        #[omp::target]
        for (hit, &(a, b)) in hits.iter_mut().zip(pairs) {
            *hit = boxes[a as usize].overlap(&boxes[b as usize]);
        }
        hits
    }
    pub fn spheres(boxes: &[Obb], centres: &[V3], radius: f64) -> Vec<u32> {
        let mut touched = vec![0; centres.len()];
        #[omp::target]
        for (t, c) in touched.iter_mut().zip(centres) {
            *t = boxes.iter().map(|b| b.closest_point(*c)).filter(|q| (*q - *c).length_squared() < radius * radius).count() as u32;
        }
        touched
    }
    pub fn run() -> (Vec<Option<Separation>>, Vec<u32>) {
        let boxes: Vec<Obb> = (0..16).map(|i| Obb::turned(V3([(i % 4) as f64 * 1.3, (i / 4) as f64 * 1.1, (i % 3) as f64 * 0.4]), [0.5, 0.7, 0.3 + 0.05 * i as f64], i as f64 * 0.4)).collect();
        let pairs: Vec<(u32, u32)> = (0..16).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let centres: Vec<V3> = (0..30).map(|i| V3([(i % 6) as f64, (i / 6) as f64, 0.3])).collect();
        (collide(&boxes, &pairs), spheres(&boxes, &centres, 0.6))
    }
}
port!(obb_sat: { let (a, b) = run(); (Shown::of(a.iter().map(|h| h.map(|s| (s.depth * 1e6).round())).collect::<Vec<_>>()), b).1 });
