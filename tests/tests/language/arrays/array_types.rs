//! Arrays whose types have names or are those of a function's result, arrays of arrays in one loop, and prefixes of slices.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    use std::array;

    pub type Row = [f64; 3];
    pub type Table = [Row; 3];
    pub type Sized<const N: usize> = [f64; N];

    #[omp::declare_target]
    fn dot(a: &Row, b: &Row) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
    #[omp::declare_target]
    fn scale(a: Row, s: f64) -> Row { a.map(|c| c * s) }
    #[omp::declare_target]
    fn apply(m: &Table, v: &Row) -> Row { m.map(|row| dot(&row, v)) }
    #[omp::declare_target]
    fn longer(of: Sized<4>) -> Sized<4> { of.map(|c| c + 1.0) }

    pub fn products(d: usize, mix: &Sized<3>, m: &Table, x: &[Row], y: &mut [Row]) {
        #[omp::target(device(d))]
        for (o, v) in y.iter_mut().zip(x) {
            let w = apply(m, v);
            let mut t = 0.0;
            for c in v { t += c; }
            for c in mix { t += c; }
            for r in m { for c in r { t += c; } }
            *o = scale(w, t);
            let e = w.map(|c| c + t);
            let made: Row = array::from_fn(|k| e[k] * k as f64);
            let bytes = (t as u32).to_le_bytes().map(|b| f64::from(b) / 2.0);
            o[1] += e[1] + made[2] + bytes[0] + longer([t; 4])[3] + apply(m, &made).map(|c| c / 2.0)[0];
        }
    }

    pub fn nested(d: usize, w: &[f64], y: &mut [[[f64; 2]; 3]]) {
        #[omp::target(device(d))]
        for (k, cell) in y.iter_mut().enumerate() {
            let mut block = [[[k as f64; 2]; 3]; 4];
            for (v, w) in block.iter_mut().flatten().flatten().zip(w) { *v *= w; }
            for (row, s) in block.iter_mut().flatten().zip(w) { row[1] += s; }
            for (k, v) in cell.iter_mut().flatten().enumerate() {
                *v = block.iter().flatten().flatten().skip(k).step_by(6).sum::<f64>();
            }
        }
    }

    /// Arrays of options are flattened, too, and `get` is the slice's.
    #[derive(Clone, Copy, omp::Device)]
    pub struct Grid { cells: [f64; 4] }
    #[omp::declare_target]
    impl Grid {
        fn get(&self, i: usize) -> [f64; 2] { [self.cells[i % 4], 1.0] }
        fn prefix(&self) -> f64 { self.get(1)[0] }
    }
    pub fn options(d: usize, x: &[[Option<f32>; 4]], t: &[f64], y: &mut [f64]) {
        let g = Grid { cells: [1.0, 2.0, 3.0, 4.0] };
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let s = x[i].iter().flatten().sum::<f32>();
            y[i] = f64::from(s) + t.get(i).map(|v| v * 2.0).unwrap_or(0.5) + g.prefix() + g.get(i)[0];
        }
    }

    pub fn prefixes(d: usize, x: &[u8], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let part = &x[i..];
            let mut found = 0;
            if part.starts_with(b"ab") { found |= 1; }
            if part.ends_with(&[b'c', b'a']) { found |= 2; }
            if x[..i].ends_with(&part[..1]) { found |= 4; }
            if part.starts_with(&x[..4]) { found |= 8; }
            if part[..1].starts_with(&x[1..3]) || !part.starts_with(b"") { found |= 16; }
            y[i] = found;
        }
    }
}

#[test]
fn types_have_names() {
    compare!(m, d => {
        let x: Vec<m::Row> = (0..40).map(|i| [i as f64, 1.0, 2.0]).collect();
        let mut y = x.clone();
        m::products(d as _, &[1.0, 2.0, 3.0], &[[1.0, 2.0, 3.0]; 3], &x, &mut y);
        y
    });
}

#[test]
fn arrays_of_arrays_are_one() {
    compare!(m, d => {
        let w: Vec<f64> = (0..20).map(f64::from).collect();
        let mut y = vec![[[0.0; 2]; 3]; 7];
        m::nested(d as _, &w, &mut y);
        y
    });
}

#[test]
fn slices_start_and_end() {
    compare!(m, d => {
        let x: Vec<u8> = b"abcabcaabcabcabca".to_vec();
        let mut y = vec![0; x.len()];
        m::prefixes(d as _, &x, &mut y);
        y
    });
}

#[test]
fn options_in_arrays_are_items() {
    compare!(m, d => {
        let x: Vec<[Option<f32>; 4]> = (0..9).map(|i| [Some(i as f32), None, Some(0.5), None]).collect();
        let mut y = vec![0.0; 7];
        m::options(d as _, &x, &[1.0, 2.0, 3.0], &mut y);
        y
    });
}
