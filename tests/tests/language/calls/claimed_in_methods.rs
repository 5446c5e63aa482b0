//! `disjoint` arrays that are passed to functions and methods: their bodies show which elements an iteration claims.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compared, on_every_device, panic_of, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Row { cols: [u32; 3], vals: [f64; 3], d: f64 }

    #[omp::declare_target]
    impl Row {
        fn dot(&self, x: &[f64]) -> f64 { self.cols.iter().zip(self.vals.iter()).map(|(&c, &v)| v * x[c as usize]).sum() }
        fn sum(&self, x: &[f64]) -> f64 { self.cols.iter().map(|c| x[*c as usize]).sum() }
        fn until(&self, x: &[f64], limit: f64) -> f64 {
            let mut s = 0.0;
            for k in 0..3 {
                if self.vals[k] > limit { return s; }
                s += self.vals[k] * x[self.cols[k] as usize];
            }
            s
        }
        fn add_to(&self, x: &mut [f64], by: f64) {
            for k in 0..3 { if self.vals[k] != 0.0 { x[self.cols[k] as usize] += by * self.vals[k]; } }
        }
        fn at(x: &[f64], i: usize) -> f64 { x[i] }
        fn nested(self, x: &[f64]) -> f64 { let d = self.d; d * self.dot(x) + Self::at(x, self.cols[0] as usize) }
        fn get(&self, x: &[f64], k: usize) -> Option<f64> {
            let c = self.cols.get(k)?;
            let v = x.get(*c as usize)?;
            Some(*v * self.d)
        }
        fn all(&self, x: &[f64]) -> f64 {
            let mut s = 0.0;
            for k in 0..5 {
                let Some(v) = self.get(x, k) else { return s };
                s += v;
            }
            s
        }
    }

    /// It has a method of the same name.
    #[derive(Clone, Copy, omp::Device)]
    pub struct Column { d: f64 }

    #[omp::declare_target]
    impl Column {
        fn dot(&self, x: &[f64]) -> f64 { -self.d * x[0] }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Several<const N: usize> { cols: [usize; N], d: f64 }

    #[omp::declare_target]
    impl<const N: usize> Several<N> {
        fn dot(&self, y: &[f64]) -> f64 { let mut s = 0.0; let r = 3.0; for k in 0..N { s += r * y[self.cols[k]]; } s }
        fn spread(&self, from: &[f64], to: &mut [f64]) { for &c in &self.cols { to[c] += from[c] * self.d; } }
    }

    #[omp::declare_target]
    fn norm(row: &Row, y: &[f64]) -> f64 { let x = 2.0; x * row.dot(y) }

    #[omp::declare_target]
    fn checked(x: &[f64], i: usize) -> Result<f64, u32> {
        let v = *x.get(i).ok_or(7u32)?;
        if v < 0.0 { return Err(8); }
        Ok(v.sqrt())
    }

    fn rows(n: u32) -> Vec<Row> {
        let row = |r: u32| Row {
            cols: [r.saturating_sub(1), r, if r + 1 < n { r + 1 } else { r }],
            vals: [0.25, 0.5 + 0.125 * (r % 3) as f64, if r % 4 == 0 { 1.0 } else { 0.125 }],
            d: [2.0, 4.0, 8.0][r as usize % 3],
        };
        (0..n).map(row).collect()
    }

    #[omp::offload]
    pub fn relaxed(members: &[u32], others: &[u32], x: &mut [f64]) {
        let (rows, b) = (rows(30), vec![0.5; 30]);
        for list in [members, others] {
            #[omp::target(disjoint(x), map(to: rows, list, b), map(tofrom: x))]
            for &r in list.iter() {
                let r = r as usize;
                let row = &rows[r];
                x[r] = (b[r] - row.dot(x) + row.d * x[r]) / row.d;
            }
        }
    }

    #[omp::offload]
    pub fn passed_in_every_way(members: &[u32], others: &[u32], x: &mut Vec<f64>) {
        let rows = rows(30);
        let columns = [Column { d: 3.0 }; 4];
        #[omp::target(disjoint(x))]
        for &r in members {
            let row = rows[r as usize];
            x[r as usize] = row.until(x, 0.7) + norm(&row, &*x) + row.nested(&x);
        }
        #[omp::target(disjoint(x))]
        for k in 0..1 { x[0] += columns[k].dot(x) + rows[k].dot(x) + rows[k].sum(x); }
        #[omp::target(disjoint(x))]
        for &r in others {
            // A variable of the caller's that is named as one of the method's.
            let (s, c, v) = (1.0, 2.0, 3.0);
            x[r as usize] += s * rows[r as usize].sum(x) + c + v;
        }
        let third: Vec<u32> = (1..10).map(|k| 3 * k).collect();
        #[omp::target(disjoint(x))]
        for &r in &third { rows[r as usize].add_to(x, 0.5); }
    }

    #[omp::offload]
    pub fn ways_out(members: &[u32], others: &[u32], x: &mut Vec<f64>) {
        let rows = rows(30);
        x[5] = -3.0;
        #[omp::target(disjoint(x))]
        for &r in members {
            let row = &rows[r as usize];
            let a = row.get(x, 1).unwrap_or(-1.0);
            x[r as usize] += row.all(x) + a;
        }
        x[10] = -2.0;
        #[omp::target(disjoint(x))]
        for &r in others {
            let n = r as usize;
            x[n] += match checked(x, 2 * n) { Ok(v) => v, Err(e) => e as f64 };
        }
    }

    pub struct System { x: Vec<f64>, rows: Vec<Row> }

    #[omp::offload]
    impl System {
        fn go(&mut self, members: &[u32]) {
            #[omp::target(disjoint(self.x))]
            for &r in members {
                let d = self.rows[r as usize].dot(&self.x);
                self.x[r as usize] += d * Row::at(&self.x, r as usize);
            }
        }
    }

    pub fn of_fields(members: &[u32], others: &[u32], x: &mut Vec<f64>) {
        let mut system = System { x: x.clone(), rows: rows(30) };
        system.go(members);
        system.go(others);
        *x = system.x;
    }

    #[omp::offload]
    pub fn of_const_parameters(members: &[u32], others: &[u32], x: &mut Vec<f64>) {
        let rows: Vec<Several<2>> = (0..30).map(|k| Several { cols: [k, (k + 1) % 30], d: k as f64 }).collect();
        let mut y = vec![0.5; 30];
        #[omp::target(disjoint(x, y))]
        for &r in members {
            let r = r as usize;
            let s = 1.0;
            x[r] += rows[r].dot(x) * s + rows[r].dot(&y);
            rows[r].spread(x, &mut y);
        }
        for (x, y) in x.iter_mut().zip(&y) { *x += y; }
    }

    #[omp::offload]
    pub fn all_rows(x: &mut [f64]) {
        let rows = rows(30);
        #[omp::target(disjoint(x))]
        for r in 0..30 { x[r] += rows[r].dot(x); }
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let mut x: Vec<f64> = (0..30).map(|k| 1.0 + k as f64 * 0.25).collect();
        let even: Vec<u32> = (0..30).filter(|r| r % 2 == 0).collect();
        let odd: Vec<u32> = (0..30).filter(|r| r % 2 == 1).collect();
        call(&even, &odd, &mut x);
        x
    };
    relaxed passed_in_every_way ways_out of_fields of_const_parameters
}

/// Iterations that touch one element conflict, also where the accesses stand in a method.
#[test]
fn conflicts_in_methods() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let message = panic_of(|| device::all_rows(&mut [1.0; 30])).expect("iterations conflict");
        assert!(message.contains("overlapping writes"), "{message}");
    });
}
