//! Structs that own arrays, in arrays and tuples: patterns, subscripts and parameters give them names, and their methods are inlined.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compared, twice};

twice! {
    struct Field { width: usize, data: Vec<f64> }

    #[omp::declare_target]
    impl Field {
        fn at(&self, i: usize, j: usize) -> f64 { self.data[j * self.width + i] }
        fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 { &mut self.data[j * self.width + i] }
    }

    /// It has a method of the same name, and fields of the same names.
    struct Other { width: usize, data: Vec<f64> }

    #[omp::declare_target]
    impl Other {
        fn at(&self, i: usize, j: usize) -> f64 { -self.data[j * self.width + i] }
    }

    struct Of<T> { width: usize, data: Vec<T> }

    #[omp::declare_target]
    impl<T: omp::Device + Copy> Of<T> {
        fn at(&self, i: usize, j: usize) -> T { let v: T = self.data[j * self.width + i]; v }
        fn at_mut(&mut self, i: usize, j: usize) -> &mut T { &mut self.data[j * self.width + i] }
    }

    #[derive(Clone, Copy)]
    struct Cell { dx: f64, dy: f64 }

    struct Grid {
        n: usize,
        cell: Cell,
        velocity: [Field; 3],
        pair: (Field, Field),
        a: Field,
        b: Field,
        others: [Other; 2],
        list: Vec<Field>,
        of: [Of<f64>; 2],
        mixed: (Of<f32>, Of<f64>),
    }

    fn values(n: usize, s: f64) -> Vec<f64> { (0..n * n).map(|k| s + k as f64 * 0.5).collect() }
    fn field(n: usize, s: f64) -> Field { Field { width: n, data: values(n, s) } }
    fn other(n: usize, s: f64) -> Other { Other { width: n, data: values(n, s) } }
    fn of(n: usize, s: f64) -> Of<f64> { Of { width: n, data: values(n, s) } }

    fn grid() -> Grid {
        let n = 7;
        Grid {
            n,
            cell: Cell { dx: 0.5, dy: 0.25 },
            velocity: [field(n, 1.0), field(n, 2.0), field(n, 3.0)],
            pair: (field(n, 4.0), field(n, 5.0)),
            a: field(n, 6.0),
            b: field(n, 7.0),
            others: [other(n, 1.0), other(n, 2.0)],
            list: vec![field(n, 1.5), field(n, 2.5)],
            of: [of(n, 8.0), of(n, 9.0)],
            mixed: (Of { width: n, data: vec![1.5; n * n] }, of(n, 10.0)),
        }
    }

    impl Grid {
        fn sums(&self) -> Vec<f64> {
            let fields = self.velocity.iter().chain([&self.pair.0, &self.pair.1, &self.a, &self.b]);
            let of = self.of.iter().chain([&self.mixed.1]).map(|f| f.data.iter().enumerate().map(|(k, v)| k as f64 * v).sum());
            let floats = self.mixed.0.data.iter().map(|v| *v as f64).sum();
            let all = fields.map(|f| f.data.iter().enumerate().map(|(k, v)| k as f64 * v).sum());
            all.chain(of).chain([floats]).collect()
        }
    }

    #[omp::offload]
    impl Grid {
        fn arrays(&mut self) {
            let n = self.n;
            let [u, v, w] = &mut self.velocity;
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *w.at_mut(i, j) = u.at(i, j) * 2.0 + v.at(j, i); *u.at_mut(i, j) += 1.0; } }
            let [first, .., last] = &mut self.velocity;
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *last.at_mut(i, j) += first.at(i, j); } }
            let [old, new] = [&mut self.a, &mut self.b];
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *new.at_mut(i, j) += old.at(j, i); } }
        }
        fn elements(&mut self) {
            let n = self.n;
            let first = &self.velocity[0];
            let second = &mut self.pair.1;
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *second.at_mut(i, j) += first.at(j, i); } }
            for (k, f) in self.velocity.iter_mut().enumerate() {
                #[omp::target(collapse(2))]
                for j in 0..n { for i in 0..n { *f.at_mut(i, j) += (i * j + k) as f64; } }
            }
        }
        fn tuples(&mut self) {
            let n = self.n;
            let (p, q) = &mut self.pair;
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *p.at_mut(i, j) = q.at(j, i) + p.at(i, j); } }
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *self.a.at_mut(i, j) += self.pair.0.at(i, j) * self.pair.1.at(j, i); } }
        }
        fn structs(&mut self) {
            let Grid { n, cell: Cell { dx, dy }, ref velocity, ref mut a, .. } = *self;
            let rho = &velocity[1];
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *a.at_mut(i, j) += rho.at(j, i) * dx + dy; } }
        }
        fn methods_of_one_name(&mut self) {
            let Self { n, others: [x, y], velocity: [.., z], list, b, .. } = self;
            let n = *n;
            let [l, ..] = &list[1..] else { return };
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *b.at_mut(i, j) += x.at(i, j) * y.at(j, i) + z.at(i, j) + l.at(i, j); } }
        }
        fn generic(&mut self) {
            let n = self.n;
            let [a, b] = &mut self.of;
            let (p, q) = &mut self.mixed;
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *a.at_mut(i, j) = b.at(j, i) + q.at(i, j); *p.at_mut(i, j) += b.at(i, j) as f32; } }
        }
        fn generic_structs(&mut self) {
            let Grid { n, ref mut of, mixed: (ref x, ref y), .. } = *self;
            let g = &mut of[1];
            #[omp::target(collapse(2))]
            for j in 0..n { for i in 0..n { *g.at_mut(i, j) += f64::from(x.at(i, j)) + y.at(j, i); } }
        }
    }

    #[omp::offload]
    fn given(n: usize, fields: &[Field; 3], [a, b]: &mut [Field; 2], (u, v): (&Field, &mut Field)) {
        let [x, rest @ ..] = fields;
        let [y, z] = rest;
        #[omp::target(collapse(2))]
        for j in 0..n { for i in 0..n {
            *a.at_mut(i, j) = x.at(i, j) + y.at(j, i) + u.at(i, j);
            *b.at_mut(i, j) = z.at(i, j) - u.at(i, j);
            *v.at_mut(i, j) = z.at(i, j) - u.at(j, i);
        } }
    }

    pub fn taken_apart() -> Vec<f64> {
        let mut grid = grid();
        grid.arrays();
        grid.elements();
        grid.tuples();
        grid.sums()
    }
    pub fn by_patterns_of_structs() -> Vec<f64> {
        let mut grid = grid();
        grid.structs();
        grid.methods_of_one_name();
        grid.sums()
    }
    pub fn of_any_type() -> Vec<f64> {
        let mut grid = grid();
        grid.generic();
        grid.generic_structs();
        grid.sums()
    }
    pub fn as_parameters() -> Vec<f64> {
        let grid = grid();
        let n = grid.n;
        let (mut both, mut v) = ([field(n, 0.0), field(n, 0.0)], field(n, 9.0));
        given(n, &grid.velocity, &mut both, (&grid.a, &mut v));
        both.iter().chain([&v]).flat_map(|f| f.data.iter().copied()).collect()
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        call()
    };
    taken_apart by_patterns_of_structs of_any_type as_parameters
}
