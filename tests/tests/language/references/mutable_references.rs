//! Values behind `&mut`: of `contains`, of the `map` of an array, of a `let` that takes several elements with `?`.
#![allow(clippy::needless_late_init, reason = "the first value gives the type")]
#![allow(clippy::needless_range_loop, reason = "these are the loops of the regions, without directives")]
use omp_tests::on_every_device;
const N: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct W {
    bias: f32,
    latent: [f32; N],
}
#[omp::declare_target]
fn reflect(x: &mut f64, v: &mut f64) -> bool {
    let hit = !(0.0..=1.0).contains(x);
    if hit {
        *x = x.clamp(0.0, 1.0);
        *v = -*v;
    }
    if (*v..).contains(x) {
        *v += 0.5;
    }
    let near = (0..3).contains(&(*v as i32));
    hit || near
}
#[omp::declare_target]
fn pair(x: &[f32], t: f32) -> Option<f32> {
    let i = t as usize;
    let (a, b) = (x.get(i)?, x.get(i + 1)?);
    Some(a + (t - i as f32) * (b - a))
}
#[omp::declare_target]
fn first_last(x: &[f32]) -> Option<f32> {
    let (a, b) = (x.first()?, x.last()?);
    let (c, d) = (*x.get(1)?, x.len() as f32);
    Some(a * b + c / d)
}
#[omp::declare_target]
fn step(head: &mut [f64; N], dt: f64) -> f64 {
    let old = head.map(|h| h * dt);
    let k = head.map(f64::floor);
    for i in 0..N {
        head[i] += old[i] - k[i];
    }
    old.iter().sum()
}
#[omp::declare_target]
fn score(ws: &[W], k: usize) -> f32 {
    let W { bias, latent } = ws[k];
    let mut sums = [0.0f32; N];
    for (s, v) in sums.iter_mut().zip(latent) {
        *s += v * bias;
    }
    for v in latent {
        sums[0] += v;
    }
    sums.iter().sum()
}
#[omp::declare_target]
fn halved(w: [f32; 4]) -> [f32; 4] {
    w.map(|v| v * 0.5)
}
#[omp::offload]
fn check() {
    let scale;
    scale = W { bias: 2.0, latent: [1.0, 2.0, 3.0, 4.0] };

    let n = 37;
    let mut xs: Vec<f64> = (0..n).map(|i| i as f64 * 0.1 - 1.0).collect();
    let mut vs: Vec<f64> = (0..n).map(|i| (i % 5) as f64 - 2.0).collect();
    let (mut x2, mut v2) = (xs.clone(), vs.clone());
    let mut hits = 0;
    #[omp::target(reduction(+: hits))]
    for (x, v) in xs.iter_mut().zip(vs.iter_mut()) {
        if reflect(x, v) {
            hits += 1;
        }
    }
    let mut h2 = 0;
    for (x, v) in x2.iter_mut().zip(v2.iter_mut()) {
        if reflect(x, v) {
            h2 += 1;
        }
    }
    assert_eq!((xs, vs, hits), (x2, v2, h2));
    let data: Vec<f32> = (0..n).map(|i| (i * i % 11) as f32).collect();
    let mut out = vec![0.0f32; 60];
    #[omp::target]
    for (i, o) in out.iter_mut().enumerate() {
        *o = pair(&data, i as f32 * 0.75).unwrap_or(-1.0) + first_last(&data[..i.min(n)]).unwrap_or(-3.0);
    }
    for (i, o) in out.iter().enumerate() {
        assert_eq!(
            *o,
            pair(&data, i as f32 * 0.75).unwrap_or(-1.0) + first_last(&data[..i.min(n)]).unwrap_or(-3.0)
        );
    }
    let mut heads: Vec<[f64; N]> = (0..n).map(|i| [i as f64 + 1.0, 2.0, 3.0, i as f64 * 0.5]).collect();
    let mut want = heads.clone();
    let mut s = vec![0.0; n];
    #[omp::target]
    for (h, s) in heads.iter_mut().zip(s.iter_mut()) {
        *s = step(h, 0.25);
        let d = h.map(|v| v + 1.0);
        *s += d[2];
    }
    for (h, s) in want.iter_mut().zip(&s) {
        let mut w = step(h, 0.25);
        let d = h.map(|v| v + 1.0);
        w += d[2];
        assert_eq!(*s, w);
    }
    assert_eq!(heads, want);
    let ws: Vec<W> = (0..n).map(|i| W { bias: i as f32, latent: [1.0, 2.0, i as f32, 4.0] }).collect();
    let mut t = vec![0.0f32; n];
    #[omp::target]
    for k in 0..n {
        t[k] = score(&ws, k);
        let W { latent, .. } = ws[n - 1 - k];
        for (j, v) in latent.into_iter().enumerate() {
            t[k] += v * j as f32;
        }
    }
    for k in 0..n {
        let mut w = score(&ws, k);
        let W { latent, .. } = ws[n - 1 - k];
        for (j, v) in latent.into_iter().enumerate() {
            w += v * j as f32;
        }
        assert_eq!(t[k], w);
    }
    let mut q = vec![[0.0f32; 4]; 5];
    #[omp::target]
    for (k, q) in q.iter_mut().enumerate() {
        let l = scale.latent.map(|v| v * scale.bias);
        let m = halved(l);
        *q = m.map(|v| v + k as f32);
    }
    for k in 0..5 {
        assert_eq!(q[k][2], 3.0 + k as f32);
    }
}

#[test]
fn values_behind_references() {
    on_every_device(|d| {
        omp::set_default_device(d);
        check();
    });
}

const TABLE: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
#[derive(Clone, Copy, omp::Device)]
struct Held {
    v: [f32; 4],
}
#[omp::declare_target]
fn twice(h: &mut [f32; 4], r: &[f32; 4], w: [f32; 4]) -> f32 {
    let g = h.map(|v| v * 2.0);
    let s = r.map(|v| v + 1.0);
    let t = (*r).map(|v| v + 2.0);
    let u = w.map(|v| v - 1.0);
    let q = (*h).map(|v| v + 4.0);
    h[1] = g[0] + s[1] + t[2] + u[3] + q[0] + w[0];
    h.map(|v| v * 0.5)[1]
}
#[omp::offload]
fn map_all(hs: &mut [[f32; 4]], ws: &mut [[f32; 4]], ps: &[Held], o: &mut [f32]) {
    #[omp::target]
    for (((h, w), p), o) in hs.iter_mut().zip(ws.iter_mut()).zip(ps).zip(o.iter_mut()) {
        let g = h.map(|v| v + 1.0);
        h[1] = g[0];
        let k = TABLE.map(|v| v * 2.0);
        let f = p.v.map(|v| v + 8.0);
        let c = *w;
        let d = c.map(|v| v - 3.0);
        w[0] = g[1] + k[2] + f[3] + d[0] + c[1];
        *o = twice(h, &p.v, c) + h[1];
        let hh = h.map(|v| v + *o);
        w[3] = hh[2];
    }
}
fn map_all_serial(hs: &mut [[f32; 4]], ws: &mut [[f32; 4]], ps: &[Held], o: &mut [f32]) {
    for (((h, w), p), o) in hs.iter_mut().zip(ws.iter_mut()).zip(ps).zip(o.iter_mut()) {
        let g = h.map(|v| v + 1.0);
        h[1] = g[0];
        let k = TABLE.map(|v| v * 2.0);
        let f = p.v.map(|v| v + 8.0);
        let c = *w;
        let d = c.map(|v| v - 3.0);
        w[0] = g[1] + k[2] + f[3] + d[0] + c[1];
        *o = twice(h, &p.v, c) + h[1];
        let hh = h.map(|v| v + *o);
        w[3] = hh[2];
    }
}
#[test]
fn mapped_arrays_are_not_moved() {
    on_every_device(|d| {
        omp::set_default_device(d);

        let n = 9;
        let hs: Vec<[f32; 4]> = (0..n).map(|i| [i as f32, 1.0, 2.0, 3.0]).collect();
        let ps: Vec<Held> = (0..n).map(|i| Held { v: [0.5, i as f32, 2.5, 1.0] }).collect();
        let (mut a, mut b, mut c) = (hs.clone(), hs.clone(), vec![0.0; n]);
        let (mut a2, mut b2, mut c2) = (hs.clone(), hs.clone(), vec![0.0; n]);
        map_all(&mut a, &mut b, &ps, &mut c);
        map_all_serial(&mut a2, &mut b2, &ps, &mut c2);
        assert_eq!((a, b, c), (a2, b2, c2));
    });
}
