//! Loops over what a variable names, where only its type or the scope tells what that is: what patterns bind, and structs behind `&mut`
//! taken apart.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    fn pick(a: &Vec<f32>) -> Option<&[f32]> { (a.len() > 2).then(|| &a[1..]) }

    pub fn bound(a: &Vec<f32>, weights: Option<&[f32]>) -> (f32, f32, f32) {
        let (mut total, mut dot, mut most) = (0.0f32, 0.0f32, f32::MIN);
        if let Some(part) = pick(a) {
            #[omp::target(reduction(+: total))]
            for v in part { total += v; }
        }
        match weights {
            Some(w) => {
                #[omp::target(reduction(+: total))]
                for (v, w) in a.iter().zip(w) { total += v * w; }
            }
            None => total += 100.0,
        }
        let (left, right) = a.split_at(a.len() / 2);
        #[omp::target(reduction(+: dot))]
        for (x, y) in left.iter().zip(right) { dot += x * y; }
        let Some(rest) = pick(a) else { return (total, dot, 0.0) };
        #[omp::target(reduction(max: most))]
        for v in rest { most = most.max(*v); }
        for part in [&a[..2], &a[2..]] {
            let mut s = 0.0f32;
            #[omp::target(reduction(+: s))]
            for v in part { s += v; }
            total += s;
        }
        (total, dot, most)
    }

    fn count(text: &str) -> usize {
        let (bytes, mut n) = (text.as_bytes(), 0);
        #[omp::target(reduction(+: n))]
        for &c in bytes { n += (c == b'a') as usize; }
        n
    }

    pub struct Table { cells: Vec<i32>, rows: usize }

    /// One name for several references, by scope.
    pub fn rebound(t: &mut Table) -> i32 {
        for r in 0..t.rows {
            let cells = &mut t.cells;
            #[omp::target]
            for i in 0..cells.len() { cells[i] += r as i32; }
        }
        let cells = &t.cells;
        let mut best = 0;
        #[omp::target(reduction(max: best))]
        for c in cells { best = best.max(*c); }
        {
            let cells = [7, 8];
            #[omp::target(reduction(max: best))]
            for c in cells { best = best.max(c); }
        }
        best
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Shape { rows: usize, cols: usize }

    #[omp::declare_target]
    impl Shape {
        fn at(&self, i: usize, j: usize) -> usize { i * self.cols + j }
    }

    pub struct Fields { shape: Shape, scale: f32, n: usize, a: Vec<f32>, b: Vec<f32>, c: [f32; 4] }

    pub fn apart(f: &mut Fields) -> f32 {
        let Fields { shape, scale, n, a, b, c } = f;
        #[omp::target]
        for i in 0..*n { a[i] += *scale * b[i] + c[i % 4]; }
        #[omp::target(collapse(2))]
        for i in 0..shape.rows {
            for j in 0..shape.cols { a[shape.at(i, j)] -= b[shape.at(i, shape.cols - 1 - j)]; }
        }
        #[omp::target]
        for (x, y) in a.iter_mut().zip(b) {
            *y += *x * *scale;
            *x = 0.5;
        }
        #[omp::target]
        for x in a { *x += 1.0; }
        *scale += 1.0;
        f.b[1] + f.scale
    }

    pub fn run() -> ((f32, f32, f32), (f32, f32, f32), i32, f32, Vec<f32>) {
        let a = vec![1.0f32, 2.0, 3.0, 4.0];
        let mut table = Table { cells: vec![1, 5, 2], rows: 3 };
        let shape = Shape { rows: 2, cols: 3 };
        let mut f = Fields { shape, scale: 2.0, n: 6, a: vec![1.0; 6], b: vec![3.0; 6], c: [0.5; 4] };
        let apart = apart(&mut f);
        assert_eq!(count("banana"), 3);
        (bound(&a, None), bound(&a[..2].to_vec(), Some(&[0.5, 0.25])), rebound(&mut table), apart, f.a)
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}
