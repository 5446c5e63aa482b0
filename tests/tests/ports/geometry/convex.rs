//! Collisions of convex polygons: support functions, GJK in the plane, separating axes as a cross-check.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{AddAssign, Mul, Neg, Sub};

    #[derive(Debug, Clone, Copy, Default, omp::Device)]
    pub struct V2(f64, f64);
    // (The derive's is not seen inside of a macro.)
    #[omp::declare_target]
    impl PartialEq for V2 { fn eq(&self, o: &V2) -> bool { self.0 == o.0 && self.1 == o.1 } }
    #[omp::declare_target]
    impl Sub for V2 { type Output = V2; fn sub(self, V2(x, y): V2) -> V2 { V2(self.0 - x, self.1 - y) } }
    #[omp::declare_target]
    impl Mul<f64> for V2 { type Output = V2; fn mul(self, k: f64) -> V2 { V2(self.0 * k, self.1 * k) } }
    #[omp::declare_target]
    impl Neg for V2 { type Output = V2; fn neg(self) -> V2 { V2(-self.0, -self.1) } }
    #[omp::declare_target]
    impl AddAssign for V2 { fn add_assign(&mut self, o: V2) { self.0 += o.0; self.1 += o.1; } }
    #[omp::declare_target]
    impl V2 {
        const ZERO: V2 = V2(0.0, 0.0);
        fn dot(self, o: V2) -> f64 { self.0 * o.0 + self.1 * o.1 }
        fn perp(self) -> V2 { V2(-self.1, self.0) }
        fn triple(a: V2, b: V2, c: V2) -> V2 { b * a.dot(c) - a * b.dot(c) }
    }

    const MAX: usize = 6;
    #[derive(Clone, Copy, omp::Device)]
    pub struct Polygon { points: [V2; MAX], n: usize }

    #[omp::declare_target]
    impl Polygon {
        fn vertices(&self) -> &[V2] { &self.points[..self.n] }
        fn support(&self, d: V2) -> V2 {
            *self.vertices().iter().max_by(|a, b| a.dot(d).partial_cmp(&b.dot(d)).unwrap()).unwrap()
        }
        fn center(&self) -> V2 {
            let mut c = V2::ZERO;
            for &p in self.vertices() {
                c += p;
            }
            c * (1.0 / self.n as f64)
        }
        fn project(&self, axis: V2) -> (f64, f64) {
            self.vertices().iter().map(|p| p.dot(axis)).fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), t| (lo.min(t), hi.max(t)))
        }
        fn separated_by_edge_of(&self, other: &Polygon) -> bool {
            let v = self.vertices();
            v.iter().zip(v.iter().cycle().skip(1)).any(|(&a, &b)| {
                let axis = (b - a).perp();
                let (lo1, hi1) = self.project(axis);
                let (lo2, hi2) = other.project(axis);
                hi1 < lo2 || hi2 < lo1
            })
        }
    }

    #[omp::declare_target]
    fn gjk(p: &Polygon, q: &Polygon) -> bool {
        let support = |d: V2| p.support(d) - q.support(-d);
        let mut d = p.center() - q.center();
        if d == V2::ZERO {
            d = V2(1.0, 0.0);
        }
        let mut simplex = [V2::ZERO; 3];
        simplex[0] = support(d);
        let mut len = 1;
        d = -simplex[0];
        for _ in 0..20 {
            let a = support(d);
            if a.dot(d) < 0.0 {
                return false;
            }
            simplex[len] = a;
            len += 1;
            let ao = -a;
            match simplex[..len] {
                [b, _] => {
                    let ab = b - a;
                    d = if ab.perp().dot(ao) > 0.0 { ab.perp() } else { -ab.perp() };
                }
                [c, b, _] => {
                    let (ab, ac) = (b - a, c - a);
                    let ab_perp = V2::triple(ac, ab, ab);
                    let ac_perp = V2::triple(ab, ac, ac);
                    if ab_perp.dot(ao) > 0.0 {
                        simplex = [b, a, V2::ZERO];
                        d = ab_perp;
                    } else if ac_perp.dot(ao) > 0.0 {
                        simplex[1] = a;
                        d = ac_perp;
                    } else {
                        return true;
                    }
                    len = 2;
                }
                _ => unreachable!(),
            }
        }
        true
    }

    pub fn collide(polys: &[Polygon], pairs: &[(usize, usize)]) -> (Vec<bool>, Vec<bool>) {
        let mut by_gjk = vec![false; pairs.len()];
        let mut by_sat = vec![false; pairs.len()];
        #[omp::target]
        for ((&(i, j), g), s) in pairs.iter().zip(by_gjk.iter_mut()).zip(by_sat.iter_mut()) {
            let (p, q) = (&polys[i], &polys[j]);
            *g = gjk(p, q);
            *s = !(p.separated_by_edge_of(q) || q.separated_by_edge_of(p));
        }
        (by_gjk, by_sat)
    }

    pub fn run() -> (Vec<bool>, Vec<bool>) {
        let mut v = Values(11);
        let polys: Vec<Polygon> = (0..14).map(|_| {
            let n = 3 + v.bits() as usize % 4;
            let (cx, cy, r, ph) = (v.unit() * 6.0, v.unit() * 6.0, 0.5 + v.unit(), v.unit());
            let mut points = [V2::default(); MAX];
            for (k, p) in points.iter_mut().take(n).enumerate() {
                let (s, c) = (ph + k as f64 * std::f64::consts::TAU / n as f64).sin_cos();
                *p = V2(cx + r * c, cy + r * s);
            }
            Polygon { points, n }
        }).collect();
        let pairs: Vec<_> = (0..14).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        let (a, b) = collide(&polys, &pairs);
        assert_eq!(a, b);
        (a, b)
    }
}
port!(convex: run());
