//! Mathematical morphology: erosion by a structuring element, exact distance transforms by parabolas, thinning.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Mask { pub w: usize, pub h: usize, pub bits: Vec<bool> }

    #[derive(Clone, Copy)]
    pub enum Shape { Cross, Square, Disk(i32) }

    impl Shape {
        pub fn offsets(&self) -> Vec<(i32, i32)> {
            let r = match self { Shape::Disk(r) => *r, _ => 1 };
            (-r..=r)
                .flat_map(|y| (-r..=r).map(move |x| (x, y)))
                .filter(|(x, y)| match self {
                    Shape::Cross => *x == 0 || *y == 0,
                    Shape::Square => true,
                    Shape::Disk(r) => x * x + y * y <= r * r,
                })
                .collect()
        }
    }

    impl Mask {
        fn morph(&self, shape: Shape, erode: bool) -> Mask {
            let offsets = shape.offsets();
            let (w, h) = (self.w as i32, self.h as i32);
            let mut bits = vec![false; self.bits.len()];
            let src = &self.bits;
            #[omp::target]
            for (i, out) in bits.iter_mut().enumerate() {
                let (x, y) = (i as i32 % w, i as i32 / w);
                let inside = |&(dx, dy): &(i32, i32)| {
                    let (nx, ny) = (x + dx, y + dy);
                    (0..w).contains(&nx) && (0..h).contains(&ny) && src[(ny * w + nx) as usize]
                };
                *out = if erode { offsets.iter().all(inside) } else { offsets.iter().any(inside) };
            }
            Mask { bits, ..*self }
        }
        pub fn eroded(&self, s: Shape) -> Mask { self.morph(s, true) }
        pub fn dilated(&self, s: Shape) -> Mask { self.morph(s, false) }

        pub fn distances(&self) -> Vec<f32> {
            const FAR: f32 = 1e20;
            let (w, h) = (self.w, self.h);
            let mut d: Vec<f32> = self.bits.iter().map(|&b| if b { FAR } else { 0.0 }).collect();
            let mut v = vec![0usize; w * h];
            let mut z = vec![0f32; (w + 1) * (h + 1)];
            let mut columns = vec![0f32; w * h];
            #[omp::target]
            for x in 0..w {
                let v = &mut v[x * h..(x + 1) * h];
                let z = &mut z[x * (h + 1)..(x + 1) * (h + 1)];
                envelope_1d(h, |y| d[y * w + x], v, z, &mut columns[x * h..(x + 1) * h]);
            }
            let mut z = vec![0f32; (w + 1) * h];
            #[omp::target]
            for (y, ((row, v), z)) in d.chunks_mut(w).zip(v.chunks_mut(w)).zip(z.chunks_mut(w + 1)).enumerate() {
                envelope_1d(w, |x| columns[x * h + y], v, z, row);
            }
            d
        }

        pub fn thin(&mut self) -> usize {
            let (w, h) = (self.w, self.h);
            let mut passes = 0;
            loop {
                let mut removed = 0;
                for phase in 0..2 {
                    let old = self.bits.clone();
                    let bits = &mut self.bits;
                    #[omp::target(collapse(2), reduction(+: removed))]
                    for y in 1..h - 1 {
                        for x in 1..w - 1 {
                            let i = y * w + x;
                            if !old[i] {
                                continue;
                            }
                            let p = [old[i - w], old[i - w + 1], old[i + 1], old[i + w + 1], old[i + w], old[i + w - 1], old[i - 1], old[i - w - 1]];
                            let b = p.iter().filter(|&&v| v).count();
                            let a = (0..8).filter(|&k| !p[k] && p[(k + 1) % 8]).count();
                            let [n, _, e, _, s, _, west, _] = p;
                            let open = if phase == 0 { !(n && e && s) && !(e && s && west) } else { !(n && e && west) && !(n && s && west) };
                            if (2..=6).contains(&b) && a == 1 && open {
                                bits[i] = false;
                                removed += 1;
                            }
                        }
                    }
                }
                passes += 1;
                if removed == 0 {
                    return passes;
                }
            }
        }
    }

    #[omp::declare_target]
    fn envelope_1d(n: usize, f: impl Fn(usize) -> f32, v: &mut [usize], z: &mut [f32], out: &mut [f32]) {
        let mut k = 0;
        v[0] = 0;
        z[0] = f32::NEG_INFINITY;
        z[1] = f32::INFINITY;
        for q in 1..n {
            let sq = |i: usize| (i * i) as f32;
            loop {
                let p = v[k];
                let s = ((f(q) + sq(q)) - (f(p) + sq(p))) / (2 * q - 2 * p) as f32;
                if s > z[k] {
                    k += 1;
                    v[k] = q;
                    z[k] = s;
                    z[k + 1] = f32::INFINITY;
                    break;
                }
                if k == 0 {
                    v[0] = q;
                    z[0] = f32::NEG_INFINITY;
                    z[1] = f32::INFINITY;
                    break;
                }
                k -= 1;
            }
        }
        k = 0;
        for (q, o) in out.iter_mut().enumerate() {
            while z[k + 1] < q as f32 {
                k += 1;
            }
            let d = q as f32 - v[k] as f32;
            *o = d * d + f(v[k]);
        }
    }

    pub fn run() -> (Vec<f32>, Vec<Vec<bool>>, usize) {
        let mut v = Values(35);
        let (w, h) = (18, 14);
        let bits = (0..w * h).map(|i| { let (x, y) = (i % w, i / w); x > 1 && x < 15 && y > 1 && y < 12 && v.bits() % 23 != 0 }).collect();
        let mut m = Mask { w, h, bits };
        let e = m.eroded(Shape::Cross);
        let d = m.dilated(Shape::Disk(2)).eroded(Shape::Square);
        let dist = m.distances();
        let passes = m.thin();
        (dist, vec![e.bits, d.bits, m.bits], passes)
    }
}
port!(distance_transform: run());
