//! Methods and functions that return iterators, and iterators that are asked by `next()`: each with its directives on every device, and
//! without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    #[derive(omp::Mapper)]
    pub struct Rows { starts: Vec<usize>, columns: Vec<u32>, values: Vec<i64>, cells: Vec<i64>, width: usize }

    impl Rows {
        pub fn new() -> Self {
            let columns = vec![0, 2, 1, 0, 1, 2, 3];
            let values = (1..8).map(|v| v * v).collect();
            Self { starts: vec![0, 2, 2, 3, 7], columns, values, cells: (0..20).collect(), width: 5 }
        }
        pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, i64)> + '_ {
            let range = self.starts[i]..self.starts[i + 1];
            self.columns[range.clone()].iter().zip(&self.values[range]).map(|(&c, &v)| (c as usize, v))
        }
        pub fn line(&self, y: usize) -> std::slice::Iter<'_, i64> {
            self.cells[y * self.width..(y + 1) * self.width].iter()
        }
        pub fn line_mut(&mut self, y: usize) -> std::slice::IterMut<'_, i64> {
            self.cells[y * self.width..(y + 1) * self.width].iter_mut()
        }
        fn count(&self, i: usize) -> usize { self.starts[i + 1] - self.starts[i] }

        /// Names of the caller's that the method binds too, in what goes on with the items.
        pub fn shadowed(&self, d: usize, out: &mut [i64]) {
            #[omp::target(device(d))]
            for k in 0..4 {
                let (range, c, v, i) = (7i64, 5i64, 3i64, 11i64);
                let mut sum: i64 = self.row(k).map(|(c, v)| v * range + c as i64 * i).sum();
                for (j, v) in self.row(k) {
                    sum += v * 1000 + range * j as i64;
                }
                out[k] = sum + c + v + i;
            }
        }

        /// The argument is computed once, before what the closures do.
        pub fn once(&self, d: usize, out: &mut [i64]) {
            #[omp::target(device(d))]
            for k in 0..3 {
                let mut n = k;
                let sum: i64 = self.row({ n += 1; n }).map(|(_, v)| v + n as i64).sum();
                let mut m = k;
                let both: i64 = self.line({ m += 1; m }).zip(self.line(k)).map(|(a, b)| a * b + m as i64).sum();
                out[k] = sum * 100 + both + (n * 10 + m) as i64;
            }
        }

        /// Every way out of a loop over such an iterator.
        pub fn ways_out(&self, d: usize, out: &mut [i64]) {
            #[omp::target(device(d))]
            for k in 0..4 {
                let mut sum = 0;
                'rows: for i in 0..4 {
                    for (j, v) in self.row(i) {
                        if j == k { continue 'rows; }
                        if v > 30 { break 'rows; }
                        if v == 9 { continue; }
                        sum += v;
                        'inner: for w in self.line(i) {
                            if *w % 7 == 3 { break 'inner; }
                            sum += w;
                        }
                    }
                    sum += 1000;
                }
                out[k] = sum;
            }
        }

        /// One in another's closure, in conditions, by a name, with an option as its end.
        pub fn nested(&self, d: usize, out: &mut [i64]) {
            #[omp::target(device(d))]
            for k in 0..4 {
                let squares: i64 = self.row(k).map(|(j, v)| v * self.row(j).map(|(_, w)| w).sum::<i64>()).sum();
                let found = self.row(k).find(|&(j, _)| j == 1).map(|(_, v)| v).unwrap_or(-1);
                let mut n = 0;
                while self.row(n).count() == self.count(n) && n < 3 { n += 1; }
                let line = self.line(k);
                let top = line.copied().max().unwrap_or(0);
                let any = if self.row(k).any(|(j, _)| j == k) { 1 } else { 0 };
                out[k] = squares + found * 3 + n as i64 * 5 + top * 7 + any;
            }
        }

        /// What it goes through is written.
        pub fn doubled(&mut self, d: usize) {
            #[omp::target(device(d))]
            for y in 0..4 {
                for (x, v) in self.line_mut(y).enumerate() {
                    *v = *v * 2 + x as i64;
                }
            }
        }
    }

    #[omp::declare_target]
    fn every<'a>(a: &'a [i64], from: usize, step: usize) -> impl Iterator<Item = &'a i64> + 'a {
        a[from..].iter().step_by(step)
    }

    pub fn by_function(d: usize, a: &[i64], out: &mut [i64]) {
        #[omp::target(device(d))]
        for k in 0..out.len() {
            let from = k + 1;
            out[k] = every(a, k, from).map(|v| v * from as i64).sum::<i64>();
            for v in every(a, 1, k + 1) { out[k] -= v; }
        }
    }

    /// `next()` of a named iterator: in loops, behind its end, by value and by reference.
    pub fn asked(d: usize, a: &[i64], out: &mut [i64]) {
        #[omp::target(device(d))]
        for k in 0..out.len() {
            let mut it = a.iter();
            let mut sum = 10 * it.next().unwrap() - *it.next().unwrap();
            for _ in 0..k {
                if let Some(v) = it.next() { sum += v; } else { sum += 1000; }
            }
            let mut rest = a.iter().skip(k).copied();
            while let Some(v) = rest.next() {
                sum = sum * 3 + v;
                if v > 4 { break; }
            }
            let mut last = a[a.len() - 1..].iter();
            sum += last.next().map_or(7, |v| v * 2);
            if last.next().is_none() { sum += 1; }
            sum += last.next().copied().unwrap_or(77);
            out[k] = sum;
        }
    }

    /// Another variable of the name is none.
    pub fn other(d: usize, a: &[i64], out: &mut [i64]) {
        #[omp::target(device(d))]
        for k in 0..out.len() {
            let mut it = a.iter();
            let first = it.next().copied().unwrap_or(0);
            let mut n = 0;
            let mut next = || { n += 1; n };
            let made = [(); 3].map(|_| next());
            out[k] = first + made[0] * 100 + made[1] * 10 + made[2] + n;
        }
    }
}

#[test]
fn iterators_that_methods_return() {
    compare!(m, d => { let mut out = vec![0; 4]; m::Rows::new().shadowed(d, &mut out); out });
    compare!(m, d => { let mut out = vec![0; 4]; m::Rows::new().once(d, &mut out); out });
    compare!(m, d => { let mut out = vec![0; 4]; m::Rows::new().ways_out(d, &mut out); out });
    compare!(m, d => { let mut out = vec![0; 4]; m::Rows::new().nested(d, &mut out); out });
    compare!(m, d => { let mut r = m::Rows::new(); r.doubled(d); r.line(0).chain(r.line(3)).copied().collect::<Vec<_>>() });
    let a: Vec<i64> = (0..9).map(|i| i * 5 % 7).collect();
    compare!(m, d => { let mut out = vec![0; 5]; m::by_function(d, &a, &mut out); out });
}

#[test]
fn iterators_asked_by_next() {
    let a: Vec<i64> = (0..9).map(|i| i * 5 % 7).collect();
    compare!(m, d => { let mut out = vec![0; 9]; m::asked(d, &a, &mut out); out });
    compare!(m, d => { let mut out = vec![0; 2]; m::other(d, &a, &mut out); out });
}

#[omp::offload]
mod raced {
    #[derive(omp::Mapper)]
    pub struct Cells(pub Vec<i64>);

    impl Cells {
        fn first_mut(&mut self, n: usize) -> std::slice::IterMut<'_, i64> {
            self.0[..n].iter_mut()
        }
        pub fn fill(&mut self, d: usize, y: &[i64], n: usize) {
            #[omp::target(device(d))]
            for i in 0..y.len() {
                for v in self.first_mut(n) {
                    *v = y[i];
                }
            }
        }
    }
}

/// A loop that writes what such an iterator goes through is judged like any other.
#[test]
fn races_through_returned_iterators() {
    omp_tests::on_every_device(|d| {
        let mut cells = raced::Cells(vec![0; 4]);
        cells.fill(d, &[7], 3);
        assert_eq!(cells.0, [7, 7, 7, 0]);
        let run = std::panic::AssertUnwindSafe(|| cells.fill(d, &[7, 8], 3));
        let failed = std::panic::catch_unwind(run).expect_err("it panics");
        let text = failed.downcast_ref::<String>().expect("a text");
        assert!(text.contains("race"), "{text}");
    });
}
