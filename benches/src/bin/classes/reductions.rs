//! Reductions, histograms, and loops with much arithmetic.
use super::Body;

offloaded! {
    fn hist_1024(x: &[u32], h: &mut [u32]) {
        #[omp::target(map(to: x), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[(x[i] >> 22) as usize] += 1;
        }
    }
    fn hist_65536(x: &[u32], h: &mut [u32]) {
        #[omp::target(map(to: x), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[(x[i] >> 16) as usize] += 1;
        }
    }
    fn hist_u8_pixels(x: &[u8], h: &mut [u32]) {
        #[omp::target(map(to: x), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[x[i] as usize] += 1;
        }
    }
    fn weighted_bins(x: &[f32], w: &[f32], h: &mut [f32]) {
        #[omp::target(map(to: x, w), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[((x[i] * 64.0) as usize).min(63)] += w[i];
        }
    }
    fn atomic_bins(n: usize, image: &[f32], h: &mut [f32]) {
        #[omp::target(collapse(2), map(to: image), map(tofrom: h))]
        for y in 0..n {
            for x in 0..n {
                let v = image[y * n + x];
                let cell = y / 64 * (n / 64) + x / 64;
                #[omp::atomic]
                h[cell * 9 + ((v * 9.0) as usize).min(8)] += v;
            }
        }
    }
    fn nearest_points(q: &[Body], p: &[Body], at: &mut [u32], dist: &mut [f32]) {
        #[omp::target(map(to: q, p), map(from: at, dist))]
        for i in 0..q.len() {
            let (mut best, mut found) = (f32::MAX, 0);
            for j in 0..p.len() {
                let (dx, dy, dz) = (p[j].x - q[i].x, p[j].y - q[i].y, p[j].z - q[i].z);
                let d = dx * dx + dy * dy + dz * dz;
                if d < best {
                    best = d;
                    found = j;
                }
            }
            at[i] = found as u32;
            dist[i] = best.sqrt();
        }
    }
    fn close_points(q: &[Body], p: &[Body], r2: f32, count: &mut [u32]) {
        #[omp::target(map(to: q, p), map(from: count))]
        for i in 0..q.len() {
            let mut close = 0;
            for b in p {
                let (dx, dy, dz) = (b.x - q[i].x, b.y - q[i].y, b.z - q[i].z);
                if dx * dx + dy * dy + dz * dz < r2 {
                    close += 1;
                }
            }
            count[i] = close;
        }
    }
    fn matrices4(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a, x), map(from: y))]
        for i in 0..n {
            for r in 0..4 {
                let mut s = 0.0;
                for c in 0..4 {
                    s += a[16 * i + 4 * r + c] * x[4 * i + c];
                }
                y[4 * i + r] = s;
            }
        }
    }
    fn difference_norm(a: &[f32], b: &[f32], out: &mut [f32]) {
        let mut sum = 0.0f32;
        let mut most = 0.0f32;
        #[omp::target(map(to: a, b), reduction(+: sum), reduction(max: most))]
        for i in 0..a.len() {
            let d = a[i] - b[i];
            sum += d * d;
            most = most.max(d.abs());
        }
        out[0] = sum.sqrt();
        out[1] = most;
    }
    fn pairs_close(n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        let mut close = 0u64;
        #[omp::target(map(to: x, y), reduction(+: close))]
        for i in 0..n {
            for j in i + 1..n {
                let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
                if dx * dx + dy * dy < 0.01 {
                    close += 1;
                }
            }
        }
        out[0] = close as f32;
    }
    fn black_scholes(s: &[f32], k: &[f32], t: &[f32], call: &mut [f32], put: &mut [f32]) {
        #[omp::target(map(to: s, k, t), map(from: call, put))]
        for i in 0..s.len() {
            let cnd = |d: f32| {
                let k = 1.0 / (1.0 + 0.2316419 * d.abs());
                let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
                let c = 0.39894228 * (-0.5 * d * d).exp() * poly;
                if d > 0.0 { 1.0 - c } else { c }
            };
            let sq = t[i].sqrt();
            let d1 = ((s[i] / k[i]).ln() + (0.02 + 0.5 * 0.09) * t[i]) / (0.3 * sq);
            let d2 = d1 - 0.3 * sq;
            let e = (-0.02 * t[i]).exp();
            call[i] = s[i] * cnd(d1) - k[i] * e * cnd(d2);
            put[i] = k[i] * e * (1.0 - cnd(d2)) - s[i] * (1.0 - cnd(d1));
        }
    }
    fn monte_carlo(n: usize, per: usize, out: &mut [f32]) {
        let mut hits = 0u64;
        #[omp::target(reduction(+: hits))]
        for i in 0..n {
            let mut state = (i as u32).wrapping_mul(747796405).wrapping_add(2891336453) | 1;
            for _ in 0..per {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let x = state as f32 / 4294967296.0;
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let y = state as f32 / 4294967296.0;
                if x * x + y * y < 1.0 {
                    hits += 1;
                }
            }
        }
        out[0] = hits as f32;
    }
    fn page_rank(row: &[u32], src: &[u32], rank: &[f32], degree: &[u32], next: &mut [f32]) {
        #[omp::target(map(to: row, src, rank, degree), map(from: next))]
        for v in 0..next.len() {
            let mut s = 0.0f32;
            for e in row[v] as usize..row[v + 1] as usize {
                let u = src[e] as usize;
                s += rank[u] / degree[u] as f32;
            }
            next[v] = 0.15 + 0.85 * s;
        }
    }
    fn butterfly(n: usize, half: usize, re: &mut [f32], im: &mut [f32], wr: &[f32], wi: &[f32]) {
        #[omp::target(map(to: wr, wi), map(tofrom: re, im))]
        for t in 0..n / 2 {
            let k = t & (half - 1);
            let i = ((t - k) << 1) + k;
            let j = i + half;
            let w = k * (n / 2 / half);
            let (tr, ti) = (re[j] * wr[w] - im[j] * wi[w], re[j] * wi[w] + im[j] * wr[w]);
            re[j] = re[i] - tr;
            im[j] = im[i] - ti;
            re[i] += tr;
            im[i] += ti;
        }
    }
}
