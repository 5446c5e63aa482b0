//! Transpositions, permutations, and arrays of structs.
use super::{Body, Particle};

offloaded! {
    fn transpose_f64(n: usize, a: &[f64], b: &mut [f64]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                b[j * n + i] = a[i * n + j];
            }
        }
    }
    fn transpose_u8(n: usize, a: &[u8], b: &mut [u8]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                b[j * n + i] = a[i * n + j];
            }
        }
    }
    fn permute(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(3), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    b[(k * n + j) * n + i] = a[(i * n + j) * n + k];
                }
            }
        }
    }
    fn permute_102(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(3), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    b[(j * n + i) * n + k] = a[(i * n + j) * n + k];
                }
            }
        }
    }
    fn to_fields(n: usize, a: &[[f32; 3]], x: &mut [f32], y: &mut [f32], z: &mut [f32]) {
        #[omp::target(map(to: a), map(from: x, y, z))]
        for i in 0..n {
            x[i] = a[i][0];
            y[i] = a[i][1];
            z[i] = a[i][2];
        }
    }
    fn rgb_to_grey(n: usize, rgb: &[u8], grey: &mut [u8]) {
        #[omp::target(map(to: rgb), map(from: grey))]
        for i in 0..n {
            let (r, g, b) = (rgb[3 * i] as f32, rgb[3 * i + 1] as f32, rgb[3 * i + 2] as f32);
            grey[i] = (0.299 * r + 0.587 * g + 0.114 * b) as u8;
        }
    }
    fn transposed_3x3(x: &[[[f32; 3]; 3]], y: &mut [[[f32; 3]; 3]]) {
        #[omp::target(map(to: x), map(from: y))]
        for (x, y) in x.iter().zip(y) {
            *y = std::array::from_fn(|i| std::array::from_fn(|j| x[j][i]));
        }
    }
    fn squared_4x4(x: &[[[f32; 4]; 4]], y: &mut [[[f32; 4]; 4]]) {
        #[omp::target(map(to: x), map(from: y))]
        for k in 0..y.len() {
            let m = x[k];
            let mut product = [[0.0; 4]; 4];
            for i in 0..4 {
                for j in 0..4 {
                    product[i][j] = (0..4).map(|l| m[i][l] * m[l][j]).sum();
                }
            }
            y[k] = product;
        }
    }
    fn move_particles(dt: f32, p: &mut [Particle]) {
        #[omp::target(map(tofrom: p))]
        for i in 0..p.len() {
            for d in 0..3 {
                p[i].pos[d] += dt * p[i].vel[d];
            }
        }
    }
    fn momentum(p: &[Particle], out: &mut [f32]) {
        let mut total = 0.0f32;
        #[omp::target(map(to: p), reduction(+: total))]
        for i in 0..p.len() {
            total += p[i].mass * p[i].vel[0];
        }
        out[0] = total;
    }
    fn nbody(n: usize, b: &[Body], f: &mut [[f32; 3]]) {
        #[omp::target(map(to: b), map(from: f))]
        for i in 0..n {
            let me = b[i];
            let (mut fx, mut fy, mut fz) = (0.0f32, 0.0f32, 0.0f32);
            for j in 0..n {
                let (dx, dy, dz) = (b[j].x - me.x, b[j].y - me.y, b[j].z - me.z);
                let r2 = dx * dx + dy * dy + dz * dz + 1e-4;
                let inv = 1.0 / r2.sqrt();
                let s = b[j].m * inv * inv * inv;
                fx += dx * s;
                fy += dy * s;
                fz += dz * s;
            }
            f[i] = [fx, fy, fz];
        }
    }
}
