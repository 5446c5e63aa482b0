//! Programs whose loops call methods of structs that own arrays, as their authors write them: `m.at(i, j)`, `self.idx(i, j)`,
//! `m.row(i)`. Each runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

/// Subscripts by a method of the same `impl`.
mod matrix_idx {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, omp::Mapper)]
        pub struct Matrix {
            rows: usize,
            cols: usize,
            data: Vec<f64>,
        }
        impl Matrix {
            pub fn new(rows: usize, cols: usize) -> Self {
                Matrix { rows, cols, data: (0..rows * cols).map(|k| k as f64).collect() }
            }
            #[omp::declare_target]
            fn idx(&self, i: usize, j: usize) -> usize {
                i * self.cols + j
            }
            #[omp::declare_target]
            fn get(&self, i: usize, j: usize) -> f64 {
                self.data[self.idx(i, j)]
            }
            #[omp::declare_target]
            fn set(&mut self, i: usize, j: usize, v: f64) {
                let k = self.idx(i, j);
                self.data[k] = v;
            }
            pub fn smooth(&self, out: &mut Matrix) {
                #[omp::target(collapse(2))]
                for i in 1..self.rows - 1 {
                    for j in 1..self.cols - 1 {
                        let k = self.idx(i, j);
                        out.data[k] = 0.25
                            * (self.data[self.idx(i - 1, j)]
                                + self.data[self.idx(i + 1, j)]
                                + self.get(i, j - 1)
                                + self.get(i, j + 1));
                    }
                }
            }
            pub fn fill_diagonal(&mut self, v: f64) {
                #[omp::target]
                for i in 0..self.rows.min(self.cols) {
                    self.set(i, i, v);
                }
            }
            pub fn all(&self) -> &[f64] {
                &self.data
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut a = m::Matrix::new(7,6); let b = a.clone(); b.smooth(&mut a); a.fill_diagonal(-1.0); a.all().to_vec()
        });
    }
}

/// Lattice Boltzmann: one array of nine populations a cell.
mod lbm {
    use omp_tests::{compare, twice};

    twice! {
        pub const CX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
        pub const CY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
        pub const W: [f64; 9] =
            [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
        #[derive(omp::Mapper)]
        pub struct Lattice {
            nx: usize,
            ny: usize,
            tau: f64,
            f: Vec<f64>,
            f_new: Vec<f64>,
            solid: Vec<bool>,
        }
        impl Lattice {
            pub fn new(nx: usize, ny: usize) -> Self {
                Lattice {
                    nx,
                    ny,
                    tau: 0.6,
                    f: (0..nx * ny * 9).map(|k| W[k % 9] * (1.0 + 0.01 * (k / 9) as f64)).collect(),
                    f_new: vec![0.0; nx * ny * 9],
                    solid: (0..nx * ny).map(|k| k % 11 == 0).collect(),
                }
            }
            #[omp::declare_target]
            fn index(&self, x: usize, y: usize, q: usize) -> usize {
                (y * self.nx + x) * 9 + q
            }
            pub fn step(&mut self) {
                #[omp::target(fp(strict))]
                for y in 0..self.ny {
                    for x in 0..self.nx {
                        if self.solid[y * self.nx + x] {
                            for q in 0..9 {
                                let k = self.index(x, y, q);
                                self.f_new[k] = self.f[k];
                            }
                            continue;
                        }
                        let (mut rho, mut ux, mut uy) = (0.0, 0.0, 0.0);
                        for q in 0..9 {
                            let v = self.f[self.index(x, y, q)];
                            rho += v;
                            ux += v * CX[q] as f64;
                            uy += v * CY[q] as f64;
                        }
                        ux /= rho;
                        uy /= rho;
                        for q in 0..9 {
                            let cu = CX[q] as f64 * ux + CY[q] as f64 * uy;
                            let eq = W[q] * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                            let k = self.index(x, y, q);
                            self.f_new[k] = self.f[k] - (self.f[k] - eq) / self.tau;
                        }
                    }
                }
                std::mem::swap(&mut self.f, &mut self.f_new);
            }
            pub fn data(&self) -> Vec<f64> {
                self.f.clone()
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut l = m::Lattice::new(8, 6); l.step(); l.step(); l.data()
        });
    }
}

/// A destructured `self`, references to fields, and parameters in a struct.
mod cfd_grid {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, omp::Device)]
        pub struct Params {
            dt: f64,
            dx: f64,
            nu: f64,
        }
        #[derive(omp::Mapper)]
        pub struct Flow {
            nx: usize,
            ny: usize,
            u: Vec<f64>,
            v: Vec<f64>,
            p: Vec<f64>,
            params: Params,
        }
        impl Flow {
            pub fn new(nx: usize, ny: usize) -> Self {
                let f = |s: f64| (0..nx * ny).map(|k| s * (k % 7) as f64).collect::<Vec<_>>();
                Flow { nx, ny, u: f(1.0), v: f(0.5), p: f(0.1), params: Params { dt: 0.01, dx: 0.1, nu: 0.3 } }
            }
            pub fn pressure(&mut self, b: &[f64]) {
                let Flow { nx, ny, p, params, .. } = self;
                let old = p.clone();
                let dx = params.dx;
                #[omp::target(collapse(2), fp(strict))]
                for i in 1..*ny - 1 {
                    for j in 1..*nx - 1 {
                        p[i * *nx + j] = 0.25
                            * (old[(i - 1) * *nx + j]
                                + old[(i + 1) * *nx + j]
                                + old[i * *nx + j - 1]
                                + old[i * *nx + j + 1]
                                - dx * dx * b[i * *nx + j]);
                    }
                }
            }
            pub fn diffuse(&mut self) {
                let Params { dt, dx, nu } = self.params;
                let (nx, ny) = (self.nx, self.ny);
                let old = self.u.clone();
                let u = &mut self.u;
                #[omp::target(fp(strict))]
                for i in 1..ny - 1 {
                    for j in 1..nx - 1 {
                        let k = i * nx + j;
                        u[k] = old[k]
                            + nu * dt / (dx * dx)
                                * (old[k - 1] + old[k + 1] + old[k - nx] + old[k + nx] - 4.0 * old[k]);
                    }
                }
            }
            pub fn divergence(&self, out: &mut [f64]) {
                let &Flow { nx, ny, .. } = self;
                let (u, v) = (&self.u, &self.v);
                let h = &self.params.dx;
                #[omp::target(collapse(2), fp(strict))]
                for i in 1..ny - 1 {
                    for j in 1..nx - 1 {
                        out[i * nx + j] = (u[i * nx + j + 1] - u[i * nx + j - 1] + v[(i + 1) * nx + j]
                            - v[(i - 1) * nx + j])
                            / (2.0 * h);
                    }
                }
            }
            pub fn parts(self) -> (Vec<f64>, Vec<f64>) {
                (self.p, self.u)
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut f = m::Flow::new(9, 8); let b: Vec<f64> = (0..72).map(|k| k as f64).collect(); f.pressure(&b); f.diffuse(); let mut out = vec![0.0; 72]; f.divergence(&mut out); (f.parts(), out)
        });
    }
}

/// Rows of a matrix as slices.
mod rows {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Matrix {
            pub rows: usize,
            pub cols: usize,
            pub data: Vec<f64>,
        }
        #[omp::declare_target]
        impl Matrix {
            pub fn row(&self, i: usize) -> &[f64] {
                &self.data[i * self.cols..(i + 1) * self.cols]
            }
        }
        pub fn norms(m: &Matrix, out: &mut [f64]) {
            #[omp::target(fp(strict))]
            for i in 0..m.rows {
                out[i] = m.row(i).iter().map(|v| v * v).sum::<f64>().sqrt();
            }
        }
        pub fn gram(m: &Matrix, out: &mut [f64]) {
            #[omp::target(collapse(2), fp(strict))]
            for i in 0..m.rows {
                for j in 0..m.rows {
                    let (a, b) = (m.row(i), m.row(j));
                    let mut s = 0.0;
                    for k in 0..m.cols {
                        s += a[k] * b[k];
                    }
                    out[i * m.rows + j] = s + m.row(i)[0];
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let q = m::Matrix { rows: 4, cols: 5, data: (0..20).map(|k| k as f64).collect() }; let mut o = vec![0.0; 4]; m::norms(&q, &mut o); let mut g = vec![0.0; 16]; m::gram(&q, &mut g); (o, g)
        });
    }
}

/// Elements by reference.
mod game_grid_at_mut {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Grid {
            pub w: usize,
            pub h: usize,
            pub a: Vec<f32>,
        }
        #[omp::declare_target]
        impl Grid {
            pub fn at(&self, x: usize, y: usize) -> &f32 {
                &self.a[y * self.w + x]
            }
            pub fn at_mut(&mut self, x: usize, y: usize) -> &mut f32 {
                &mut self.a[y * self.w + x]
            }
        }
        pub fn relax(src: &Grid, dst: &mut Grid) {
            #[omp::target(collapse(2), fp(strict))]
            for y in 1..src.h - 1 {
                for x in 1..src.w - 1 {
                    *dst.at_mut(x, y) = 0.5 * (*src.at(x - 1, y) + *src.at(x + 1, y));
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let a = m::Grid { w: 6, h: 5, a: (0..30).map(|k| (k * k % 9) as f32).collect() }; let mut b = m::Grid { w: 6, h: 5, a: vec![0.0; 30] }; m::relax(&a, &mut b); b.a
        });
    }
}

/// An `Index` that calls a method.
mod index_method {
    use omp_tests::{compare, twice};

    twice! {
        use std::ops::{Index, IndexMut};
        #[derive(omp::Mapper)]
        pub struct Grid {
            pub w: usize,
            pub h: usize,
            pub a: Vec<i32>,
        }
        #[omp::declare_target]
        impl Grid {
            fn index_of(&self, x: usize, y: usize) -> usize {
                y * self.w + x
            }
            pub fn width(&self) -> usize {
                self.w
            }
            pub fn height(&self) -> usize {
                self.h
            }
            pub fn is_border(&self, x: usize, y: usize) -> bool {
                x == 0 || y == 0 || x == self.w - 1 || y == self.h - 1
            }
        }
        #[omp::declare_target]
        impl Index<(usize, usize)> for Grid {
            type Output = i32;
            fn index(&self, (x, y): (usize, usize)) -> &i32 {
                &self.a[self.index_of(x, y)]
            }
        }
        #[omp::declare_target]
        impl IndexMut<(usize, usize)> for Grid {
            fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut i32 {
                let k = self.index_of(x, y);
                &mut self.a[k]
            }
        }
        pub fn border(g: &mut Grid, v: i32) {
            #[omp::target(collapse(2))]
            for y in 0..g.height() {
                for x in 0..g.width() {
                    if g.is_border(x, y) {
                        g[(x, y)] = v;
                    } else {
                        g[(x, y)] += 1;
                    }
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut g = m::Grid { w: 6, h: 5, a: (0..30).collect() }; m::border(&mut g, -1); g.a
        });
    }
}

/// A struct behind a lifetime.
mod view_index {
    use omp_tests::{compare, twice};

    twice! {
        use std::ops::Index;
        #[derive(omp::Mapper)]
        pub struct View<'a> {
            pub data: &'a [f32],
            pub w: usize,
            pub h: usize,
        }
        #[omp::declare_target]
        impl<'a> Index<(usize, usize)> for View<'a> {
            type Output = f32;
            fn index(&self, (y, x): (usize, usize)) -> &f32 {
                &self.data[y * self.w + x]
            }
        }
        pub fn blur(v: &View, out: &mut [f32]) {
            #[omp::target(collapse(2), fp(strict))]
            for y in 1..v.h - 1 {
                for x in 1..v.w - 1 {
                    out[y * v.w + x] = (v[(y, x - 1)] + v[(y, x)] + v[(y, x + 1)]) / 3.0;
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let v: Vec<f32> = (0..30).map(|k| k as f32).collect(); let mut o = vec![0.0; 30]; m::blur(&m::View { data: &v, w: 5, h: 6 }, &mut o); o
        });
    }
}

/// Const parameters, and sizes in a fixed array.
mod field_index {
    use omp_tests::{compare, twice};

    twice! {
        use std::ops::{Index, IndexMut};
        #[derive(omp::Mapper)]
        pub struct Field<T, const D: usize> {
            pub cells: Vec<T>,
            pub size: [usize; D],
        }
        #[omp::declare_target]
        impl<T: omp::Device> Index<(usize, usize)> for Field<T, 2> {
            type Output = T;
            fn index(&self, (i, j): (usize, usize)) -> &T {
                &self.cells[i * self.size[1] + j]
            }
        }
        #[omp::declare_target]
        impl<T: omp::Device> IndexMut<(usize, usize)> for Field<T, 2> {
            fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
                &mut self.cells[i * self.size[1] + j]
            }
        }
        pub fn spin(f: &mut Field<f32, 2>, by: f32) {
            #[omp::target(collapse(2))]
            for y in 0..f.size[0] {
                for x in 0..f.size[1] {
                    f[(y, x)] += by * (f.size[1] - x) as f32;
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut f = m::Field::<f32, 2> { cells: vec![1.0; 6], size: [2, 3] }; m::spin(&mut f, 0.5); f.cells
        });
    }
}

/// A struct in a struct.
mod sim_nested {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Matrix {
            pub rows: usize,
            pub cols: usize,
            pub data: Vec<f64>,
        }
        #[omp::declare_target]
        impl Matrix {
            pub fn at(&self, i: usize, j: usize) -> f64 {
                self.data[i * self.cols + j]
            }
        }
        #[derive(omp::Mapper)]
        pub struct Sim {
            pub grid: Matrix,
            pub next: Matrix,
            pub dt: f64,
        }
        impl Sim {
            pub fn step(&mut self) {
                #[omp::target(collapse(2), fp(strict))]
                for i in 1..self.grid.rows - 1 {
                    for j in 1..self.grid.cols - 1 {
                        let lap = self.grid.at(i - 1, j)
                            + self.grid.at(i + 1, j)
                            + self.grid.at(i, j - 1)
                            + self.grid.at(i, j + 1)
                            - 4.0 * self.grid.at(i, j);
                        self.next.data[i * self.next.cols + j] =
                            self.grid.data[i * self.grid.cols + j] + self.dt * lap;
                    }
                }
            }
        }
        pub fn total(sim: &Sim) -> f64 {
            let mut s = 0.0f64;
            #[omp::target(reduction(max: s))]
            for i in 0..sim.grid.data.len() {
                s = s.max(sim.grid.data[i]);
            }
            s
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mk = || m::Matrix { rows: 6, cols: 7, data: (0..42).map(|k| (k % 5) as f64).collect() }; let mut s = m::Sim { grid: mk(), next: mk(), dt: 0.1 }; s.step(); (m::total(&s), s.next.data)
        });
    }
}

/// Setters, and a reduction.
mod accum_set {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Image {
            pub w: usize,
            pub h: usize,
            pub rgb: Vec<[u8; 3]>,
            pub gain: [f32; 3],
        }
        #[omp::declare_target]
        impl Image {
            fn offset(&self, x: usize, y: usize) -> usize {
                y * self.w + x
            }
            pub fn get(&self, x: usize, y: usize) -> [u8; 3] {
                self.rgb[self.offset(x, y)]
            }
            pub fn put(&mut self, x: usize, y: usize, c: [u8; 3]) {
                let k = self.offset(x, y);
                self.rgb[k] = c;
            }
            pub fn luma(&self, x: usize, y: usize) -> f32 {
                let [r, g, b] = self.get(x, y);
                self.gain[0] * r as f32 + self.gain[1] * g as f32 + self.gain[2] * b as f32
            }
        }
        pub fn grey(src: &Image, dst: &mut Image) -> f32 {
            let mut brightest = 0.0f32;
            #[omp::target(collapse(2), reduction(max: brightest), fp(strict))]
            for y in 0..src.h {
                for x in 0..src.w {
                    let l = src.luma(x, y);
                    brightest = brightest.max(l);
                    dst.put(x, y, [l as u8; 3]);
                }
            }
            brightest
        }
        pub fn flip(img: &mut Image) {
            let (w, h) = (img.w, img.h);
            #[omp::target]
            for y in 0..h {
                for x in 0..w / 2 {
                    let (a, b) = (img.get(x, y), img.get(w - 1 - x, y));
                    img.put(x, y, b);
                    img.put(w - 1 - x, y, a);
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mk = || m::Image { w: 7, h: 5, rgb: (0..35u8).map(|k| [k, k * 3, 255 - k]).collect(), gain: [0.3, 0.6, 0.1] }; let (a, mut b) = (mk(), mk()); let top = m::grey(&a, &mut b); let mut c = mk(); m::flip(&mut c); (top, b.rgb, c.rgb)
        });
    }
}

/// A method with `return` in its middle.
mod early_return {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, omp::Mapper)]
        pub struct Terrain {
            n: usize,
            height: Vec<f32>,
            water: Vec<f32>,
        }
        impl Terrain {
            pub fn new(n: usize) -> Self {
                Self { n, height: (0..n * n).map(|k| (k * 7 % 13) as f32).collect(), water: vec![1.0; n * n] }
            }
            fn at(&self, x: isize, y: isize) -> f32 {
                if x < 0 || y < 0 || x >= self.n as isize || y >= self.n as isize {
                    return 0.0;
                }
                self.height[y as usize * self.n + x as usize]
            }
            fn slope(&self, x: usize, y: usize) -> f32 {
                let (x, y) = (x as isize, y as isize);
                let mut steepest = 0.0f32;
                for (dx, dy) in [(1isize, 0isize), (-1, 0), (0, 1), (0, -1)] {
                    let d = self.at(x, y) - self.at(x + dx, y + dy);
                    if d > steepest {
                        steepest = d;
                    }
                }
                steepest
            }
            pub fn erode(&mut self, rate: f32) -> f32 {
                let mut moved = 0.0f32;
                let before = self.clone();
                #[omp::target(collapse(2), fp(strict), reduction(max: moved))]
                for y in 0..self.n {
                    for x in 0..self.n {
                        let s = before.slope(x, y);
                        self.height[y * self.n + x] -= rate * s;
                        self.water[y * self.n + x] += s;
                        moved = moved.max(s);
                    }
                }
                moved
            }
            pub fn out(self) -> (Vec<f32>, Vec<f32>) {
                (self.height, self.water)
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut t = m::Terrain::new(9); let s = t.erode(0.1); (s, t.out())
        });
    }
}

/// Three dimensions, sizes in a fixed array, buffers that are swapped.
mod stencil3 {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Grid3 {
            pub dims: [usize; 3],
            pub cur: Vec<f32>,
            pub nxt: Vec<f32>,
            pub coef: [f32; 2],
        }
        impl Grid3 {
            fn at(&self, i: usize, j: usize, k: usize) -> usize {
                (i * self.dims[1] + j) * self.dims[2] + k
            }
            pub fn step(&mut self) {
                #[omp::target(collapse(3), fp(strict))]
                for i in 1..self.dims[0] - 1 {
                    for j in 1..self.dims[1] - 1 {
                        for k in 1..self.dims[2] - 1 {
                            let c = self.at(i, j, k);
                            let s = self.cur[self.at(i - 1, j, k)]
                                + self.cur[self.at(i + 1, j, k)]
                                + self.cur[self.at(i, j - 1, k)]
                                + self.cur[self.at(i, j + 1, k)]
                                + self.cur[c - 1]
                                + self.cur[c + 1];
                            self.nxt[c] = self.coef[0] * self.cur[c] + self.coef[1] * s;
                        }
                    }
                }
                std::mem::swap(&mut self.cur, &mut self.nxt);
            }
            pub fn run(&mut self, steps: usize) {
                for _ in 0..steps {
                    self.step();
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut g = m::Grid3 { dims: [5, 6, 7], cur: (0..210).map(|k| (k % 11) as f32).collect(), nxt: vec![0.0; 210], coef: [0.4, 0.1] }; g.run(3); g.cur
        });
    }
}

/// Neighbours of a node.
mod graph_bfs {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Graph {
            pub offsets: Vec<usize>,
            pub targets: Vec<u32>,
        }
        impl Graph {
            #[omp::declare_target]
            pub fn degree(&self, v: usize) -> usize {
                self.offsets[v + 1] - self.offsets[v]
            }
            #[omp::declare_target]
            pub fn neighbours(&self, v: usize) -> &[u32] {
                &self.targets[self.offsets[v]..self.offsets[v + 1]]
            }
            pub fn nodes(&self) -> usize {
                self.offsets.len() - 1
            }
        }
        pub fn pull(g: &Graph, rank: &[f64], next: &mut [f64]) {
            #[omp::target(fp(strict))]
            for v in 0..g.nodes() {
                let mut sum = 0.0;
                for &u in g.neighbours(v) {
                    sum += rank[u as usize] / g.degree(u as usize) as f64;
                }
                next[v] = 0.15 + 0.85 * sum;
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let g = m::Graph { offsets: vec![0, 2, 3, 5, 6], targets: vec![1, 2, 0, 0, 3, 2] }; let mut next = vec![0.0; 4]; m::pull(&g, &[1.0; 4], &mut next); next
        });
    }
}

/// A generic struct.
mod swap_rows {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(omp::Mapper)]
        pub struct Dense<T> {
            n: usize,
            a: Vec<T>,
        }
        impl<T: omp::Device + PartialOrd> Dense<T> {
            pub fn new(n: usize, a: Vec<T>) -> Self {
                Dense { n, a }
            }
            fn ix(&self, i: usize, j: usize) -> usize {
                i * self.n + j
            }
            fn get(&self, i: usize, j: usize) -> T {
                self.a[self.ix(i, j)]
            }
            pub fn flip(&mut self, p: usize, q: usize) {
                #[omp::target]
                for j in 0..self.n {
                    let (x, y) = (self.ix(p, j), self.ix(q, j));
                    let t = self.a[x];
                    self.a[x] = self.a[y];
                    self.a[y] = t;
                }
            }
            pub fn largest(&self, out: &mut [T]) {
                #[omp::target]
                for i in 0..self.n {
                    let mut best = self.get(i, 0);
                    for j in 1..self.n {
                        let v = self.get(i, j);
                        if v > best {
                            best = v;
                        }
                    }
                    out[i] = best;
                }
            }
            pub fn into_inner(self) -> Vec<T> {
                self.a
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut q = m::Dense::new(4, (0..16).map(|k| (k * 5 % 7) as f32).collect::<Vec<_>>()); q.flip(0, 2); let mut out = vec![0.0; 4]; q.largest(&mut out); (q.into_inner(), out)
        });
    }
}

/// An `Index` by a number.
mod vector_ops {
    use omp_tests::{compare, twice};

    twice! {
        use std::ops::{Index, IndexMut};
        #[derive(Clone, omp::Mapper)]
        pub struct Vector {
            pub v: Vec<f64>,
        }
        #[omp::declare_target]
        impl Index<usize> for Vector {
            type Output = f64;
            fn index(&self, i: usize) -> &f64 {
                &self.v[i]
            }
        }
        #[omp::declare_target]
        impl IndexMut<usize> for Vector {
            fn index_mut(&mut self, i: usize) -> &mut f64 {
                &mut self.v[i]
            }
        }
        impl Vector {
            pub fn len(&self) -> usize {
                self.v.len()
            }
            pub fn dot(&self, o: &Vector) -> f64 {
                let mut s = 0.0;
                #[omp::target(reduction(reproducible, +: s))]
                for i in 0..self.len() {
                    s += self[i] * o[i];
                }
                s
            }
            pub fn axpy(&mut self, a: f64, o: &Vector) {
                #[omp::target(fp(strict))]
                for i in 0..self.len() {
                    self[i] += a * o[i];
                }
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut a = m::Vector { v: (0..40).map(|k| k as f64).collect() }; let b = a.clone(); a.axpy(0.5, &b); (a.v.clone(), a.dot(&b) > 1.0)
        });
    }
}

/// Tuple structs, boxes, references to structs in structs.
mod tuple_box {
    use omp_tests::{compare, twice};

    twice! {
        pub struct Signal(pub Vec<f32>, pub f32);
        impl Signal {
            pub fn gain(&mut self) {
                #[omp::target]
                for i in 0..self.0.len() {
                    self.0[i] *= self.1;
                }
            }
        }
        #[derive(omp::Mapper)]
        pub struct Field {
            pub cells: Box<[f32]>,
            pub size: [usize; 2],
        }
        pub fn shift(f: &mut Box<Field>, by: f32) {
            #[omp::target(collapse(2))]
            for y in 0..f.size[0] {
                for x in 0..f.size[1] {
                    f.cells[y * f.size[1] + x] += by;
                }
            }
        }
        pub struct Holder<'a> {
            pub field: &'a Field,
            pub scale: f32,
        }
        pub fn read(h: &Holder, out: &mut [f32]) {
            #[omp::target]
            for i in 0..out.len() {
                out[i] = h.field.cells[i] * h.scale;
            }
        }
    }

    #[test]
    fn runs() {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut s = m::Signal(vec![1.0, 2.0, 3.0], 2.0); s.gain(); let mut f = Box::new(m::Field { cells: vec![1.0; 6].into(), size: [2, 3] }); m::shift(&mut f, 0.5); let mut o = vec![0.0; 6]; m::read(&m::Holder { field: &f, scale: 3.0 }, &mut o); (s.0, o)
        });
    }
}

/// What a method gives has the type that it is declared with, and its `return` is its own.
#[allow(
    dead_code,
    clippy::all,
    clippy::pedantic,
    reason = "as users write them; their bodies stand in the loop"
)]
mod values_of_methods {
    use omp_tests::on_every_device;

    #[derive(omp::Mapper)]
    struct Kept {
        data: Vec<f32>,
        bits: u32,
        early: bool,
    }

    #[omp::offload]
    impl Kept {
        fn size(&self) -> u64 {
            1 << self.bits
        }
        fn third(&self) -> f32 {
            1.0 / 3.0
        }
        fn seven(&self) -> u32 {
            match self.early {
                true => return 7,
                false => self.bits,
            }
        }
        fn eight(&self) -> u32 {
            let v = self.seven();
            v + 1
        }
        fn all(&self, d: usize, out: &mut [f64]) {
            #[omp::target(device(d))]
            for i in 0..out.len() {
                out[i] = self.size() as f64
                    + self.third() as f64
                    + f64::from(self.eight())
                    + f64::from(self.data[i]);
            }
        }
    }

    #[test]
    fn keep_their_types_and_returns() {
        let kept = Kept { data: vec![0.25; 5], bits: 40, early: true };
        let want = (1u64 << 40) as f64 + f64::from(1.0f32 / 3.0) + 8.0 + 0.25;
        on_every_device(|d| {
            let mut out = [0.0; 5];
            kept.all(d, &mut out);
            assert_eq!(out, [want; 5], "device {d}");
        });
    }
}
