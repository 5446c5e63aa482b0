//! The item that compares least or greatest, of references, of tuples with references, and of `iter_mut`.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    /// Its methods are named as an iterator's.
    #[derive(Clone, Copy, omp::Device)]
    pub struct Ladder {
        ids: [u32; 4],
        len: usize,
    }
    #[omp::declare_target]
    impl Ladder {
        fn position(&self, id: u32) -> Option<usize> {
            self.ids[..self.len].iter().position(|o| *o == id)
        }
        fn find(&self, id: u32) -> bool {
            self.position(id).is_some()
        }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Book {
        bids: Ladder,
    }
    #[omp::declare_target]
    impl Book {
        fn at(&self, id: u32) -> u32 {
            match self.bids.position(id) {
                Some(at) if self.bids.find(id + 1) => at as u32,
                Some(_) => 8,
                None => 9,
            }
        }
    }
    pub fn ladders(o: &mut [u32]) {
        #[omp::target]
        for i in 0..o.len() {
            let book = Book { bids: Ladder { ids: [3, 1, 4, 2], len: 3 } };
            o[i] = book.at(i as u32);
        }
    }

    pub fn a(a: &[i32], o: &mut [f32]) {
        #[omp::target]
        for i in 0..o.len() {
            let f = [1.5f32, a[i] as f32, -0.5];
            o[i] = *f.iter().min_by(|x, y| x.partial_cmp(y).unwrap()).unwrap();
        }
    }
    pub fn b(a: &[f32], o: &mut [usize]) {
        #[omp::target]
        for i in 0..o.len() {
            o[i] = a[i..].iter().enumerate().max_by(|x, y| x.1.partial_cmp(y.1).unwrap()).map(|(k, _)| k).unwrap_or(0);
        }
    }
    pub fn c(a: &[f32], o: &mut [usize]) {
        #[omp::target]
        for i in 0..o.len() {
            o[i] = a[i..].iter().enumerate().min_by(|(_, x), (_, y)| x.total_cmp(y)).unwrap().0;
        }
    }
    #[omp::declare_target]
    fn least(f: &[f32; 3]) -> f32 {
        f.iter().copied().min_by(|x, y| x.partial_cmp(y).unwrap()).unwrap()
    }
    pub fn d(a: &[i32], o: &mut [f32]) {
        #[omp::target]
        for i in 0..o.len() {
            let f = [1.5f32, a[i] as f32, -0.5];
            o[i] = least(&f);
        }
    }
    pub fn hi(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut r = [4, i as i32, 2]; if let Some(m) = r.iter_mut().max() { *m = 0; } o[i] = r[0] + r[1] * 10 + r[2] * 100; } }
    pub fn lo(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut r = [4, i as i32, 2]; let m = r.iter_mut().min().unwrap(); *m += 7; o[i] = r[0] + r[1] * 10 + r[2] * 100; } }
    pub fn mapped(g: &mut [i32]) { #[omp::target] for c in g.chunks_mut(4) { if let Some(m) = c.iter_mut().max() { *m = 0; } } }
    #[omp::declare_target] fn top(t: &mut [i32]) { if let Some(m) = t.iter_mut().max() { *m = 0; } }
    pub fn function(g: &mut [[i32; 3]]) { #[omp::target] for i in 0..g.len() { top(&mut g[i]); } }
}

#[test]
fn mins() {
    compare!(m, d => {
        let a: Vec<i32> = (0..8).map(|k| 3 - k).collect();
        let f: Vec<f32> = (0..8).map(|k| (k * 5 % 7) as f32).collect();
        let mut o = vec![0f32; 8];
        m::a(&a, &mut o);
        let mut p = vec![0; 8];
        m::b(&f, &mut p);
        let mut q = vec![0; 8];
        m::c(&f, &mut q);
        let mut r = vec![0f32; 8];
        m::d(&a, &mut r);
        (o, p, q, r)
    });
}

#[test]
fn hi() {
    compare!(m, d => { let mut o = vec![0; 6]; m::hi(&mut o); o });
}
#[test]
fn lo() {
    compare!(m, d => { let mut o = vec![0; 6]; m::lo(&mut o); o });
}
#[test]
fn mapped() {
    compare!(m, d => { let mut o: Vec<i32> = vec![3, 1, 4, 1, 5, 9, 2, 6]; m::mapped(&mut o); o });
}
#[test]
fn function() {
    compare!(m, d => { let mut o = vec![[1, 7, 3]; 3]; m::function(&mut o); o });
}

#[test]
fn methods_named_as_an_iterators() {
    compare!(m, d => {
        let mut o = vec![0; 6];
        m::ladders(&mut o);
        o
    });
}
