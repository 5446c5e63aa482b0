//! Arrays that methods and tables give, iterated by their names alone, and elements of options before `?`.
use omp_tests::{Values, on_every_device, twice};

twice! {
    const START: [u32; 4] = [3, 1, 4, 1];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Cell { len: [u32; 3] }

    #[omp::declare_target]
    impl Cell {
        fn apart(&self, a: &[u32; 3], b: &[u32; 3]) -> [u32; 3] {
            let mut d = [0; 3];
            for k in 0..3 {
                d[k] = a[k].abs_diff(b[k]) % self.len[k];
            }
            d
        }
    }

    #[omp::declare_target]
    fn at(x: &[u32], i: usize, calls: &mut u32) -> Option<u32> {
        let first = *x.first()?;
        *calls += 1;
        let next = *x.get({ *calls += 10; i })?;
        *calls += 100;
        Some(first + next * *x.last()?)
    }

    pub fn run(x: &[u32]) -> Vec<u32> {
        let cell = Cell { len: [5, 7, 9] };
        let mut y = vec![0u32; x.len()];
        #[omp::target]
        for i in 0..x.len() {
            let a = [x[i], 20, 30];
            let d = cell.apart(&a, &[9, x[i], 11]);
            let mut f = [1u32; 3];
            f.iter_mut().zip(d).for_each(|(f, d)| *f += d);
            let mut h = START;
            h[1] += x[i] % 5;
            // A loop goes through a copy of what it changes.
            for v in h {
                h[0] += v;
            }
            for (f, v) in f.iter_mut().zip(h) {
                *f = *f * 3 + v;
            }
            let mut calls = 0;
            let found = at(&x[..i / 2], i / 3, &mut calls);
            y[i] = f[0] * 7 + f[1] * 5 + f[2] + h[0] + calls * 1000 + found.map_or(17, |v| v % 97);
        }
        y
    }
}

#[test]
fn given() {
    let mut v = Values(2);
    let x: Vec<u32> = (0..60).map(|_| v.bits() % 1000).collect();
    let want = plain::run(&x);
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(device::run(&x), want, "device {d}");
    });
}
