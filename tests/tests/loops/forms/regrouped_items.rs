//! Loops whose head regroups its items by a `map`.
use omp_tests::{compare, twice};

twice! {
    #[omp::offload]
    pub fn sums(x: &[u32], y: &[u32], z: &[u32], pairs: &[(u32, u32)]) -> u32 {
        let (mut s, k) = (0u32, 3);
        #[omp::target(reduction(+: s))]
        for (a, (b, c)) in x.iter().zip(y).zip(z).map(|((a, b), c)| (a, (b, c))) { s += a * b + c; }
        #[omp::target(reduction(+: s))]
        for (v, i) in x.iter().enumerate().map(|(i, v)| (v, i)) { s += v ^ i as u32; }
        #[omp::target(reduction(+: s))]
        for (a, b) in x.iter().zip(y).map(|p| (p.0, p.1)) { s += a ^ 2 * b; }
        #[omp::target(reduction(+: s))]
        for (i, (b, a)) in x.iter().zip(y).map(|p| (p.1, p.0)).enumerate().skip(1) { s += a ^ 2 * b + i as u32; }
        #[omp::target(reduction(+: s))]
        for (a, b, c) in x.iter().zip(y).zip(z).map(|((&a, &b), &c)| (a, b, c)) { s += a ^ b + c; }
        #[omp::target(reduction(+: s))]
        for (b, a) in pairs.iter().map(|p| (p.1, p.0)) { s += 2 * a + b; }
        #[omp::target(reduction(+: s))]
        for (w, i) in x.windows(2).enumerate().map(|(k, w)| (w, k)) { s += (w[0] ^ w[1]) + k * i as u32; }
        #[omp::target(reduction(+: s))]
        for k in 0..2 { for (b, a) in x.iter().zip(y).map(|p| (p.1, p.0)) { s += a ^ 2 * b + k; } }
        s
    }
    #[omp::offload]
    pub fn changed(x: &mut [u32], y: &[u32]) -> Vec<u32> {
        let k = 5;
        #[omp::target]
        for (b, a) in x.iter_mut().zip(y).map(|(a, b)| (b, a)) { *a += *b; }
        #[omp::target]
        for (i, (a, b)) in x.iter_mut().zip(y).enumerate().map(|(i, (a, b))| (i as u32 + k, (a, *b))) { *a += b * i; }
        #[omp::target]
        for (i, (a, b)) in x.iter_mut().zip(y).enumerate().map(|p| (p.0, p.1)) { *a += b * i as u32; }
        #[omp::target]
        for (row, k) in x.chunks_mut(4).enumerate().map(|(k, row)| (row, k)) { for v in row.iter_mut() { *v += k as u32; } }
        let mut out = vec![0; x.len()];
        #[omp::target]
        for (o, (i, a, b)) in out.iter_mut().zip(x.iter().zip(y.iter()).enumerate().map(|(i, (a, b))| (i, a, b))) { *o = a * 3 + b + i as u32; }
        out
    }
}

#[test]
fn as_without_directives() {
    for n in [0u32, 1, 300] {
        let x: Vec<u32> = (0..n).map(|i| i * 37 % 256).collect();
        let y: Vec<u32> = (0..n + 3).map(|i| i * 11 % 64).collect();
        let pairs: Vec<(u32, u32)> = x.iter().map(|v| (*v, v * 3)).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let mut changed = x.clone();
            let out = m::changed(&mut changed, &y);
            (m::sums(&x, &y, &x, &pairs), changed, out)
        });
    }
}
