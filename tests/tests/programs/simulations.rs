//! Loops as simulations and numerical programs have them: stencils, lattices, sparse matrices, particles, random
//! numbers, transforms, dynamic programming. Each program runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, compare, twice};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[omp::declare_target]
impl Vec3 {
    pub const ZERO: Vec3 = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    pub fn cross(self, o: Self) -> Self {
        Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    pub fn normalized(self) -> Option<Self> {
        let l = self.length();
        if l > 0.0 { Some(self / l) } else { None }
    }
}

#[omp::declare_target]
impl Add for Vec3 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
#[omp::declare_target]
impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
#[omp::declare_target]
impl Mul<f64> for Vec3 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }
}
#[omp::declare_target]
impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}
#[omp::declare_target]
impl Div<f64> for Vec3 {
    type Output = Self;
    fn div(self, k: f64) -> Self {
        self * (1.0 / k)
    }
}
#[omp::declare_target]
impl Neg for Vec3 {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}
#[omp::declare_target]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Body {
    pos: Vec3,
    vel: Vec3,
    mass: f64,
}

pub struct Csr {
    rows: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

#[derive(Clone, Copy, omp::Device)]
pub struct Rng {
    state: u64,
    inc: u64,
}

#[omp::declare_target]
impl Rng {
    pub fn seeded(seed: u64, stream: u64) -> Self {
        let mut rng = Rng { state: 0, inc: (stream << 1) | 1 };
        rng.next_u32();
        rng.state = rng.state.wrapping_add(seed);
        rng.next_u32();
        rng
    }
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(6364136223846793005).wrapping_add(self.inc);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        let rot = (old >> 59) as u32;
        xorshifted.rotate_right(rot)
    }
    pub fn next_f64(&mut self) -> f64 {
        f64::from(self.next_u32()) / 4294967296.0
    }
    pub fn below(&mut self, n: u32) -> u32 {
        loop {
            let m = u64::from(self.next_u32()) * u64::from(n);
            if m as u32 >= n || (m as u32) >= n.wrapping_neg() % n {
                return (m >> 32) as u32;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Complex {
    re: f64,
    im: f64,
}
#[omp::declare_target]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}
#[omp::declare_target]
impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex { re: self.re + o.re, im: self.im + o.im }
    }
}
#[omp::declare_target]
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        Complex { re: self.re - o.re, im: self.im - o.im }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Matrix<const R: usize, const C: usize> {
    m: [[i64; C]; R],
}

#[omp::declare_target]
impl<const R: usize, const C: usize> Matrix<R, C> {
    pub fn times<const K: usize>(&self, o: &Matrix<C, K>) -> Matrix<R, K> {
        let mut out = Matrix { m: [[0; K]; R] };
        for i in 0..R {
            for j in 0..K {
                for k in 0..C {
                    out.m[i][j] += self.m[i][k] * o.m[k][j];
                }
            }
        }
        out
    }
    pub fn transposed(self) -> Matrix<C, R> {
        let mut out = Matrix { m: [[0; R]; C] };
        for (i, row) in self.m.iter().enumerate() {
            for (j, &v) in row.iter().enumerate() {
                out.m[j][i] = v;
            }
        }
        out
    }
}

#[omp::declare_target]
pub trait Scalar:
    omp::Device + PartialOrd + Add<Output = Self> + Mul<Output = Self> + Sub<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    fn root(self) -> Self;
    fn larger(self, o: Self) -> Self {
        if self < o { o } else { self }
    }
}
#[omp::declare_target]
impl Scalar for f32 {
    const ZERO: Self = 0.0;
    const HALF: Self = 0.5;
    fn root(self) -> Self {
        self.sqrt()
    }
}
#[omp::declare_target]
impl Scalar for f64 {
    const ZERO: Self = 0.0;
    const HALF: Self = 0.5;
    fn root(self) -> Self {
        self.sqrt()
    }
}

#[derive(Clone, Copy, omp::Device)]
pub struct Sphere {
    centre: Vec3,
    radius: f64,
}
#[derive(Clone, Copy, omp::Device)]
pub struct Ray {
    origin: Vec3,
    dir: Vec3,
}

twice! {
    pub fn heat(d: usize, t: &mut Vec<f64>, nx: usize, ny: usize, steps: usize, k: f64) {
        let mut next = t.clone();
        for _ in 0..steps {
            #[omp::target(device(d), collapse(2), fp(strict))]
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    let c = j * nx + i;
                    let lap = t[c - 1] + t[c + 1] + t[c - nx] + t[c + nx] - 4.0 * t[c];
                    next[c] = t[c] + k * lap;
                }
            }
            std::mem::swap(t, &mut next);
        }
    }

    pub fn stencil7(d: usize, a: &[f32], b: &mut [f32], n: usize) -> f32 {
        let idx = n * n;
        let mut change = 0.0f32;
        #[omp::target(device(d), collapse(3), reduction(max: change), fp(strict))]
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for x in 1..n - 1 {
                    let i = z * idx + y * n + x;
                    let sum = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - idx] + a[i + idx];
                    let new = sum / 6.0;
                    change = change.max((new - a[i]).abs());
                    b[i] = new;
                }
            }
        }
        change
    }

    const W: [f64; 9] = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
    const CX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
    const CY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];

    pub fn lattice(d: usize, f: &[[f64; 9]], out: &mut [[f64; 9]], w: usize, h: usize, omega: f64) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let mut cell = [0.0; 9];
                for q in 0..9 {
                    let sx = (x as i32 - CX[q]).rem_euclid(w as i32) as usize;
                    let sy = (y as i32 - CY[q]).rem_euclid(h as i32) as usize;
                    cell[q] = f[sy * w + sx][q];
                }
                let mut rho = 0.0;
                let (mut ux, mut uy) = (0.0, 0.0);
                for (q, &v) in cell.iter().enumerate() {
                    rho += v;
                    ux += v * f64::from(CX[q]);
                    uy += v * f64::from(CY[q]);
                }
                ux /= rho;
                uy /= rho;
                let usq = ux * ux + uy * uy;
                for q in 0..9 {
                    let cu = 3.0 * (CX[q] as f64 * ux + CY[q] as f64 * uy);
                    let eq = W[q] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * usq);
                    out[y * w + x][q] = cell[q] + omega * (eq - cell[q]);
                }
            }
        }
    }

    pub fn spmv(d: usize, a: &Csr, x: &[f64], y: &mut [f64]) {
        #[omp::target(device(d), fp(strict))]
        for row in 0..a.rows {
            let mut sum = 0.0;
            for k in a.offsets[row]..a.offsets[row + 1] {
                sum += a.values[k] * x[a.columns[k] as usize];
            }
            y[row] = sum;
        }
    }

    pub fn nbody(d: usize, bodies: &mut [Body], dt: f64) {
        let old = bodies.to_vec();
        #[omp::target(device(d), fp(strict))]
        for (i, b) in bodies.iter_mut().enumerate() {
            let mut acc = Vec3::ZERO;
            for (j, other) in old.iter().enumerate() {
                if i == j {
                    continue;
                }
                let r = other.pos - b.pos;
                let d2 = r.dot(r) + 1e-9;
                acc += r * (other.mass / (d2 * d2.sqrt()));
            }
            b.vel += acc * dt;
            b.pos += b.vel * dt;
        }
    }

    pub fn monte_carlo(d: usize, samples: u64) -> u64 {
        let mut inside = 0u64;
        #[omp::target(device(d), reduction(+: inside))]
        for s in 0..samples {
            let mut rng = Rng::seeded(42, s);
            for _ in 0..4 {
                let (x, y) = (rng.next_f64(), rng.next_f64());
                if x * x + y * y <= 1.0 {
                    inside += 1;
                }
            }
        }
        inside
    }

    pub fn dice(d: usize, rolls: &mut [[u8; 3]], seed: u64) {
        #[omp::target(device(d))]
        for i in 0..rolls.len() {
            let mut rng = Rng::seeded(seed, i as u64);
            let mut r = [0u8; 3];
            for die in r.iter_mut() {
                *die = 1 + rng.below(6) as u8;
            }
            rolls[i] = r;
        }
    }

    pub fn assign_clusters<const K: usize>(d: usize, points: &[[f32; 2]], centres: &[[f32; 2]; K], label: &mut [u32]) -> ([[f64; 2]; K], [u32; K]) {
        let mut sums = [[0.0f64; 2]; K];
        let mut counts = [0u32; K];
        #[omp::target(device(d), reduction(+: counts), fp(strict))]
        for (p, l) in points.iter().zip(label.iter_mut()) {
            let mut best = f32::INFINITY;
            let mut which = 0;
            for (k, c) in centres.iter().enumerate() {
                let dx = p[0] - c[0];
                let dy = p[1] - c[1];
                let dist = dx * dx + dy * dy;
                if dist < best {
                    best = dist;
                    which = k;
                }
            }
            *l = which as u32;
            counts[which] += 1;
        }
        for (p, &l) in points.iter().zip(label.iter()) {
            sums[l as usize][0] += p[0] as f64;
            sums[l as usize][1] += p[1] as f64;
        }
        (sums, counts)
    }

    pub fn floyd_warshall(d: usize, dist: &mut [u32], n: usize) {
        for k in 0..n {
            let row: Vec<u32> = dist[k * n..(k + 1) * n].to_vec();
            #[omp::target(device(d))]
            for i in 0..n {
                let through = dist[i * n + k];
                if through == u32::MAX {
                    continue;
                }
                for j in 0..n {
                    let candidate = through.saturating_add(row[j]);
                    if candidate < dist[i * n + j] {
                        dist[i * n + j] = candidate;
                    }
                }
            }
        }
    }

    pub fn smith_waterman(d: usize, a: &[u8], b: &[u8], h: &mut [i32]) -> i32 {
        let (n, m) = (a.len(), b.len());
        let w = m + 1;
        let mut best = 0;
        for diag in 2..=n + m {
            let first = if diag > m { diag - m } else { 1 };
            let last = n.min(diag - 1);
            #[omp::target(device(d), reduction(max: best))]
            for i in first..=last {
                let j = diag - i;
                let score = if a[i - 1] == b[j - 1] { 3 } else { -2 };
                let v = (h[(i - 1) * w + j - 1] + score).max(h[(i - 1) * w + j] - 1).max(h[i * w + j - 1] - 1).max(0);
                h[i * w + j] = v;
                best = best.max(v);
            }
        }
        best
    }

    pub fn fft(d: usize, data: &mut [Complex], twiddle: &[Complex]) {
        let n = data.len();
        let bits = n.trailing_zeros();
        #[omp::target(device(d), disjoint(data))]
        for i in 0..n {
            let j = i.reverse_bits() >> (usize::BITS - bits);
            if i < j {
                data.swap(i, j);
            }
        }
        let mut len = 2;
        while len <= n {
            let half = len / 2;
            let step = n / len;
            #[omp::target(device(d), fp(strict))]
            for b in 0..n / 2 {
                let (group, k) = (b / half, b % half);
                let lo = group * len + k;
                let hi = lo + half;
                let t = twiddle[k * step] * data[hi];
                let u = data[lo];
                data[lo] = u + t;
                data[hi] = u - t;
            }
            len *= 2;
        }
    }

    #[omp::declare_target]
    fn intersect(ray: &Ray, s: &Sphere) -> Option<f64> {
        let oc = ray.origin - s.centre;
        let a = ray.dir.dot(ray.dir);
        let half_b = oc.dot(ray.dir);
        let c = oc.dot(oc) - s.radius * s.radius;
        let disc = half_b * half_b - a * c;
        if disc < 0.0 {
            return None;
        }
        let root = disc.sqrt();
        let near = (-half_b - root) / a;
        if near > 1e-6 {
            return Some(near);
        }
        let far = (-half_b + root) / a;
        if far > 1e-6 { Some(far) } else { None }
    }

    pub fn trace(d: usize, spheres: &[Sphere], w: usize, h: usize, depth: &mut [f64], which: &mut [i32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let dir = Vec3::new(x as f64 / w as f64 - 0.5, y as f64 / h as f64 - 0.5, -1.0);
                let Some(dir) = dir.normalized() else { continue };
                let ray = Ray { origin: Vec3::ZERO, dir };
                let mut hit: Option<(usize, f64)> = None;
                for (i, s) in spheres.iter().enumerate() {
                    if let Some(t) = intersect(&ray, s) {
                        hit = match hit {
                            Some((_, best)) if best <= t => hit,
                            _ => Some((i, t)),
                        };
                    }
                }
                if let Some((i, t)) = hit {
                    depth[y * w + x] = t;
                    which[y * w + x] = i as i32;
                } else {
                    which[y * w + x] = -1;
                }
            }
        }
    }

    pub fn products(d: usize, a: &[Matrix<2, 3>], out: &mut [Matrix<2, 2>]) {
        #[omp::target(device(d))]
        for (a, o) in a.iter().zip(out) {
            *o = a.times(&a.transposed());
        }
    }

    pub fn envelope<T: Scalar>(d: usize, x: &[T], y: &mut [T], reach: usize) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..x.len() {
            let lo = i.saturating_sub(reach);
            let hi = (i + reach + 1).min(x.len());
            let mut top = T::ZERO;
            for &v in &x[lo..hi] {
                top = top.larger((v * v).root() * T::HALF);
            }
            y[i] = top;
        }
    }

    pub fn dense(d: usize, weights: &[f32], bias: &[f32], input: &[f32], out: &mut [f32]) {
        let n = input.len();
        #[omp::target(device(d), fp(strict))]
        for o in 0..out.len() {
            let row = &weights[o * n..][..n];
            let mut acc = bias[o];
            for (w, x) in row.iter().zip(input) {
                acc += w * x;
            }
            out[o] = if acc > 0.0 { acc } else { 0.01 * acc };
        }
    }

    pub fn conjugate(d: usize, a: &[f64], b: &[f64], n: usize) -> Vec<i64> {
        let mut c = vec![0i64; n * n];
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            #[omp::parallel_for]
            for j in 0..n {
                let mut dot = 0.0;
                for k in 0..n {
                    dot += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = dot as i64;
            }
        }
        c
    }

    pub fn life(d: usize, cells: &[u8], next: &mut [u8], w: i32, h: i32) {
        #[omp::target(device(d), collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let mut alive = 0;
                for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                    let (nx, ny) = ((x + dx + w) % w, (y + dy + h) % h);
                    alive += cells[(ny * w + nx) as usize];
                }
                next[(y * w + x) as usize] = match (cells[(y * w + x) as usize], alive) {
                    (1, 2 | 3) => 1,
                    (0, 3) => 1,
                    _ => 0,
                };
            }
        }
    }
}

fn floats(n: usize, seed: u64) -> Vec<f64> {
    let mut v = Values(seed);
    (0..n).map(|_| f64::from(v.bits() >> 12) / 1e5 - 5.0).collect()
}

#[test]
fn stencils_and_lattices() {
    let t = floats(31 * 17, 1);
    compare!(m, d => { let mut t = t.clone(); m::heat(d, &mut t, 31, 17, 4, 0.2); t });
    let a: Vec<f32> = floats(12 * 12 * 12, 2).iter().map(|&v| v as f32).collect();
    compare!(m, d => { let mut b = vec![0.0; a.len()]; (m::stencil7(d, &a, &mut b, 12), b) });
    let f: Vec<[f64; 9]> =
        floats(9 * 20 * 11, 3).chunks(9).map(|c| std::array::from_fn(|q| 10.0 + c[q])).collect();
    compare!(m, d => { let mut out = f.clone(); m::lattice(d, &f, &mut out, 20, 11, 0.7); out });
    let cells: Vec<u8> = floats(24 * 18, 4).iter().map(|&v| (v > 1.0) as u8).collect();
    compare!(m, d => { let mut next = cells.clone(); m::life(d, &cells, &mut next, 24, 18); next });
}

#[test]
fn matrices() {
    let rows = 57;
    let mut offsets = vec![0];
    let (mut columns, mut values) = (vec![], vec![]);
    for r in 0..rows {
        for k in 0..r % 5 {
            columns.push(((r * 7 + k * 11) % rows) as u32);
            values.push((r + k) as f64 * 0.37);
        }
        offsets.push(columns.len());
    }
    let a = Csr { rows, offsets, columns, values };
    let x = floats(rows, 5);
    compare!(m, d => { let mut y = vec![0.0; rows]; m::spmv(d, &a, &x, &mut y); y });
    let a: Vec<Matrix<2, 3>> = (0..99).map(|i| Matrix { m: [[i, 2, -i], [3 - i, 7, i * i]] }).collect();
    compare!(m, d => { let mut out = vec![Matrix { m: [[0; 2]; 2] }; a.len()]; m::products(d, &a, &mut out); out });
    let (w, b): (Vec<f32>, Vec<f32>) =
        (floats(12 * 40, 6).iter().map(|&v| v as f32).collect(), vec![0.5; 12]);
    let input: Vec<f32> = floats(40, 7).iter().map(|&v| v as f32).collect();
    compare!(m, d => { let mut out = vec![0.0; 12]; m::dense(d, &w, &b, &input, &mut out); out });
    let (a, b) = (floats(400, 8), floats(400, 9));
    compare!(m, d => m::conjugate(d, &a, &b, 20));
}

#[test]
fn particles_and_chance() {
    let p = floats(7 * 40, 10);
    let bodies: Vec<Body> = p
        .chunks(7)
        .map(|c| Body {
            pos: Vec3::new(c[0], c[1], c[2]),
            vel: Vec3::new(c[3], c[4], c[5]),
            mass: c[6] + 6.0,
        })
        .collect();
    compare!(m, d => { let mut b = bodies.clone(); m::nbody(d, &mut b, 0.01); b });
    compare!(m, d => m::monte_carlo(d, 3000));
    compare!(m, d => { let mut r = vec![[0; 3]; 500]; m::dice(d, &mut r, 99); r });
    let points: Vec<[f32; 2]> = floats(600, 11).chunks(2).map(|c| [c[0] as f32, c[1] as f32]).collect();
    let centres = [[0.0, 0.0], [3.0, 1.0], [-2.0, 4.0]];
    compare!(m, d => { let mut l = vec![0; points.len()]; (m::assign_clusters(d, &points, &centres, &mut l), l) });
    let spheres: Vec<Sphere> = floats(40, 12)
        .chunks(4)
        .map(|c| Sphere { centre: Vec3::new(c[0], c[1], c[2] - 9.0), radius: c[3].abs() })
        .collect();
    compare!(m, d => { let (mut t, mut w) = (vec![0.0; 300], vec![0; 300]); m::trace(d, &spheres, 20, 15, &mut t, &mut w); (t, w) });
}

#[test]
fn tables_and_transforms() {
    let n = 25;
    let dist: Vec<u32> = floats(n * n, 13)
        .iter()
        .enumerate()
        .map(|(i, &v)| {
            if i / n == i % n {
                0
            } else if v > 2.0 {
                u32::MAX
            } else {
                (v + 6.0) as u32
            }
        })
        .collect();
    compare!(m, d => { let mut t = dist.clone(); m::floyd_warshall(d, &mut t, n); t });
    let (a, b) = (b"GGTTGACTAGGTCA", b"TGTTACGGACC");
    compare!(m, d => { let mut h = vec![0; 15 * 12]; (m::smith_waterman(d, a, b, &mut h), h) });
    let n = 64;
    let twiddle: Vec<Complex> = (0..n / 2)
        .map(|k| {
            let a = -2.0 * std::f64::consts::PI * k as f64 / n as f64;
            Complex { re: a.cos(), im: a.sin() }
        })
        .collect();
    let data: Vec<Complex> = floats(2 * n, 14).chunks(2).map(|c| Complex { re: c[0], im: c[1] }).collect();
    compare!(m, d => { let mut x = data.clone(); m::fft(d, &mut x, &twiddle); x });
    let x = floats(200, 15);
    compare!(m, d => { let mut y = vec![0.0; 200]; m::envelope(d, &x, &mut y, 3); y });
    let x: Vec<f32> = x.iter().map(|&v| v as f32).collect();
    compare!(m, d => { let mut y = vec![0.0; 200]; m::envelope(d, &x, &mut y, 3); y });
}
