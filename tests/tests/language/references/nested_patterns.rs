//! Patterns of structs behind `&mut` that take arrays and tuples in them apart.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Filter { pub a: [f32; 2], pub b: [[i32; 2]; 2], pub t: (u8, [u16; 3]), pub n: u32 }
    #[omp::declare_target]
    impl Filter {
        fn step(&mut self, v: f32) -> f32 {
            let Self { a: [x, y], n, .. } = self;
            let out = *x + *y * v;
            *x = *y;
            *y = v;
            *n += 1;
            out
        }
        fn nested(&mut self) -> i32 {
            let Filter { b: [[p, _], [q, r]], t: (k, [first, .., last]), .. } = self;
            std::mem::swap(p, r);
            *q += *p;
            *k = k.wrapping_add(1);
            *first += *last;
            *q
        }
        fn read(&self) -> f32 {
            let Self { a: [x, y], t: (_, [_, z @ ..]), .. } = self;
            x + y + z[1] as f32
        }
        fn by_if(&mut self, n: u32) {
            if let Self { a: [x, _], n: 3, .. } = self { *x = n as f32; }
            match self {
                Self { a: [_, y], n: 4, .. } => *y += 1.0,
                Self { b: [[_, z], _], .. } => *z += 3,
            }
        }
    }
    #[omp::declare_target]
    fn free(f: &mut Filter) {
        let Filter { a: [x, y], .. } = f;
        core::mem::swap(x, y);
    }
    pub fn run(v: &mut [Filter], out: &mut [f32]) {
        #[omp::target]
        for i in 0..v.len() {
            out[i] = v[i].step(1.5);
            out[i] += v[i].nested() as f32;
            let mut f = v[i];
            out[i] += f.step(2.0);
            f.nested();
            f.by_if(3);
            free(&mut f);
            v[i] = f;
            v[i].by_if(2);
            out[i] += v[i].read();
        }
        #[omp::target]
        for f in v.iter_mut() {
            let Filter { a: [x, y], t: (_, [p, ..]), .. } = f;
            *x += *y;
            *p += 1;
        }
    }
    pub fn ends(x: &[[i32; 4]], rows: &mut [[i32; 3]]) {
        #[omp::target]
        for ([a, .., c], [first, .., last]) in x.iter().zip(rows.iter_mut()) {
            *first = a * c;
            *last += *c;
        }
    }
}
#[test]
fn patterns() {
    for n in [0usize, 1, 6] {
        compare!(m, d => { omp::set_default_device(d);
            let mut v: Vec<_> = (0..n as i32).map(|i| m::Filter { a: [i as f32, 2.0], b: [[i, 2], [3, i]], t: (i as u8, [1, 2, 3]), n: i as u32 }).collect();
            let mut out = vec![0.0; n];
            m::run(&mut v, &mut out);
            (format!("{v:?}"), out) });
        let x: Vec<[i32; 4]> = (0..n as i32).map(|i| [i, 2, 3, i + 4]).collect();
        compare!(m, d => { omp::set_default_device(d);
            let mut rows = vec![[1; 3]; n];
            m::ends(&x, &mut rows);
            rows });
    }
}
