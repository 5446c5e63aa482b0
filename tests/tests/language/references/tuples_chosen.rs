//! Tuples with references: those that branches choose, and items of zips with parts that change.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct L { pub e: [f64; 4], pub up: f64 }
    pub fn one(layers: &[L; 4], y: &[f64; 8], out: &mut [f64]) {
        #[omp::target]
        for k in 0..out.len() {
            let (l, a, b, top) = if k == 0 { (&layers[0], y[0], y[1], true) } else { (&layers[k - 1], y[2 * k - 2], y[2 * k - 1], false) };
            let up = if top { a * l.e[2] - b * l.e[3] + l.up } else { a * l.e[0] + b * l.e[1] };
            out[k] = up + l.up;
        }
    }
    #[omp::declare_target]
    fn net_of(layers: &[L; 4], y: &[f64; 8], n: usize) -> f64 {
        let net = |k: usize| {
            let (l, a, top) = match k { 0 => (&layers[0], y[0], true), _ => (&layers[k - 1], y[2 * k - 2], false) };
            if top { a * l.e[2] } else { a * l.e[0] }
        };
        net(0) + net(n)
    }
    pub fn two(layers: &[L; 4], y: &[f64; 8], out: &mut [f64]) {
        #[omp::target]
        for k in 0..out.len() { out[k] = net_of(layers, y, k); }
    }
    pub const B: usize = 3;
    pub type Hist = [f32; B];
    pub fn numbered(cells: &[Hist], out: &mut [[f32; 4 * B]], w: usize) {
        #[omp::target]
        for b in 0..out.len() {
            let mut d = [0f32; 4 * B];
            let corners = [0usize, 1, 2, 3];
            for (part, i) in d.chunks_exact_mut(B).zip(corners) {
                part.copy_from_slice(&cells[b * w + i]);
            }
            out[b] = d;
        }
    }
    pub fn paired(cells: &[Hist], out: &mut [[f32; 4 * B]], w: usize) {
        #[omp::target]
        for b in 0..out.len() {
            let mut d = [0f32; 4 * B];
            for (part, (i, j)) in d.chunks_exact_mut(B).zip([(0, 0), (1, 0), (0, 1), (1, 1)]) {
                part.copy_from_slice(&cells[(b + j) * w + i][..]);
            }
            out[b] = d;
        }
    }
    pub fn counted(cells: &[Hist], out: &mut [[f32; 4 * B]], w: usize) {
        #[omp::target]
        for b in 0..out.len() {
            let mut d = [0f32; 4 * B];
            for (i, part) in d.chunks_exact_mut(B).enumerate() {
                part.copy_from_slice(&cells[b * w + i]);
            }
            out[b] = d;
        }
    }
    pub fn elements(cells: &[Hist], out: &mut [[f32; 4 * B]], w: usize) {
        #[omp::target]
        for b in 0..out.len() {
            let mut d = [0f32; 4 * B];
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
            for (part, (i, j)) in d.chunks_exact_mut(B).zip(corners) {
                part[0] = cells[(b + j) * w + i][0];
            }
            out[b] = d;
        }
    }
}

#[test]
fn tuples() {
    compare!(m, d => {
        let layers = std::array::from_fn(|k| m::L { e: [k as f64, 1.0, 2.0, 3.0], up: 0.5 });
        let y = std::array::from_fn(|k| k as f64);
        let mut o = vec![0.0; 5];
        let mut p = vec![0.0; 5];
        m::one(&layers, &y, &mut o);
        m::two(&layers, &y, &mut p);
        (o, p)
    });
}

#[test]
fn parts() {
    compare!(m, d => {
        let c: Vec<m::Hist> = (0..60).map(|k| [k as f32, 2.0 * k as f32, 1.0]).collect();
        let [mut o, mut p, mut q, mut r] = [(); 4].map(|()| vec![[0f32; 12]; 5]);
        m::numbered(&c, &mut o, 4);
        m::paired(&c, &mut p, 4);
        m::counted(&c, &mut q, 4);
        m::elements(&c, &mut r, 4);
        (o, p, q, r)
    });
}
