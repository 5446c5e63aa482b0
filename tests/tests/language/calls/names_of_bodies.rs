//! Names that the bodies of inlined functions bind, and the caller's of the same name.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod of_tuples {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy)]
        pub struct Two<'a> { pub a: &'a [f64], pub b: &'a [f64], pub n: usize }
        #[omp::declare_target]
        impl<'a> Two<'a> {
            fn rows(&self, k: usize) -> &'a [f64] { let (w, n) = (self.b, k * 2); &w[n..n + 2] }
            fn elem(&self, k: usize) -> &'a f64 { let (w, n) = (self.b, k * 2); &w[n] }
            fn one(&self, k: usize) -> &'a [f64] { let z = self.b; let n = k + 1; &z[n..n + 2] }
            fn ite(&self, k: usize) -> impl Iterator<Item = f64> + '_ { let (w, n) = (self.b, k * 2); w[n..n + 2].iter().copied() }
        }
        pub fn a(u: Two<'_>, w: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { out[i] = u.rows(i % 3)[1] + w[0] * 1e6; }
        }
        pub fn b(u: Two<'_>, out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { let w = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]; let z = [0.5; 8]; let r = u.rows(i % 3); let q = u.one(i % 3); out[i] = r[0] + u.elem(i % 3) * 100.0 + q[0] * 1e4 + u.ite(i % 2).sum::<f64>() * 1e6 + w[1] * 0.1 + z[i % 2] * 0.01; }
        }
    }

    #[test]
    fn tuples() {
        compare!(m, d => {
        omp::set_default_device(d);
            let x: Vec<f64> = (1..13).map(|i| (i * i) as f64).collect(); let y: Vec<f64> = (0..14).map(|i| (i * 7 % 11) as f64).collect();
            let u = m::Two { a: &x, b: &y, n: 3 };
            let mut o = vec![vec![0.0; 6]; 2];
            m::a(u, &x, &mut o[0]); m::b(u, &mut o[1]);
            o
        });
    }
}

mod of_lets {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Debug, omp::Mapper)]
        pub struct G { pub val: Vec<f64>, pub n: usize }
        #[omp::declare_target]
        impl G {
            fn row(&self, i: usize) -> &[f64] { let data = &self.val; let k = i * self.n; &data[k..k + self.n] }
            fn elem(&self, i: usize) -> &f64 { let data = &self.val[..]; &data[i] }
            fn sub(&self, i: usize) -> &[f64] { let data = &self.val[1..]; &data[i..i + 2] }
            fn opt(&self, i: usize) -> Option<&f64> { let data = &self.val; if i > 1 { Some(&data[i]) } else { None } }
            fn get(&self, i: usize) -> Option<&f64> { let data = &self.val; data.get(i) }
            fn row_mut(&mut self, i: usize) -> &mut [f64] { let n = self.n; let data = &mut self.val; &mut data[i * n..(i + 1) * n] }
            fn iter(&self, i: usize) -> impl Iterator<Item = &f64> + '_ { let data = &self.val; data[i..i + 2].iter() }
        }
        #[omp::declare_target]
        fn part<'a>(x: &'a [f64], i: usize) -> &'a [f64] { let data = &x[1..]; &data[i..i + 2] }
        #[omp::declare_target]
        fn one(x: &[f64], i: usize) -> &f64 { let data = x; let k = i + 1; &data[k] }
        pub fn a(g: &G, data: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { out[i] = g.row(i)[0] + data[0] * 1e4; }
        }
        pub fn b(g: &G, data: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { out[i] = *g.elem(i) + data[0] * 1e4; }
        }
        pub fn c(g: &G, data: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { let r = g.sub(i); out[i] = r[1] + data[0] * 1e4; }
        }
        pub fn e(g: &G, data: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { out[i] = g.opt(i).copied().unwrap_or(-1.0) + g.get(i).map_or(0.5, |v| *v) + data[0] * 1e4; }
        }
        pub fn h(g: &G, data: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { let s: f64 = g.iter(i).sum(); let mut t = 0.0; for v in g.iter(i + 1) { t += v; } out[i] = s + t * 10.0 + data[0] * 1e4; }
        }
        pub fn k(x: &[f64], data: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { let r = part(x, i); out[i] = r[0] + *one(x, i) * 100.0 + data[0] * 1e4; }
        }
        pub fn l(x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() { let data = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]; let r = part(x, i); let q = { let data = &x[2..]; data[i] }; out[i] = r[0] + *one(x, i) * 100.0 + data[i] * 1e4 + q; }
        }
    }

    #[test]
    fn lets() {
        compare!(m, d => {
        omp::set_default_device(d);
            let g = m::G { val: (1..15).map(|i| (i * i) as f64).collect(), n: 2 }; let q: Vec<f64> = (0..20).map(|i| -(i as f64)).collect();
            let t = |f: &dyn Fn(&mut [f64])| { let mut o = vec![0.0; 4]; f(&mut o); o };
            vec![("a", t(&|o| m::a(&g, &q, o))), ("b", t(&|o| m::b(&g, &q, o))), ("c", t(&|o| m::c(&g, &q, o))), ("e", t(&|o| m::e(&g, &q, o))), ("h", t(&|o| m::h(&g, &q, o))), ("k", t(&|o| m::k(&g.val, &q, o))), ("l", t(&|o| m::l(&g.val, o)))]
        });
    }
}
