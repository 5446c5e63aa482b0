//! Inner parallel loops over slices of the outer loop's: what they write is proved to be apart, at macro time or at the launch.
use omp_tests::{compare, on_every_device, panic_of, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct Pair {
        a: f32,
        b: [i32; 2],
    }
    pub fn rows(y: &mut [f32], w: usize) {
        let h = y.len() / w;
        #[omp::target]
        for (r, out) in y.chunks_exact_mut(w).enumerate() {
            #[omp::parallel_for]
            for (m, e) in out.iter_mut().enumerate() {
                *e = (r * 100 + m) as f32;
            }
        }
        #[omp::target]
        for r in 0..h {
            let row = &mut y[r * w..(r + 1) * w];
            #[omp::parallel_for]
            for k in 0..w {
                row[k] += 1.0;
            }
        }
        #[omp::target]
        for row in y.chunks_exact_mut(w) {
            let (a, b) = row.split_at_mut(w / 2);
            #[omp::parallel_for]
            for (p, q) in a.iter_mut().zip(b) {
                *p += *q;
            }
        }
    }
    pub fn parts(y: &mut [f32], w: usize) {
        #[omp::target]
        for row in y.chunks_exact_mut(w) {
            #[omp::parallel_for]
            for k in 0..w / 2 {
                let part = &mut row[k * 2..k * 2 + 2];
                part[0] += 1.0;
                part[1] -= 2.0;
            }
            #[omp::parallel_for]
            for part in row.chunks_exact_mut(2) {
                part[0] += 1.0;
                part[1] *= part[0];
            }
            let mut sum = 0.0;
            #[omp::parallel_for(reduction(+: sum))]
            for v in row.iter() {
                sum += *v;
            }
            row[0] = sum;
        }
    }
    pub fn steps(y: &mut [f32], w: usize, step: usize, count: usize) {
        #[omp::target]
        for row in y.chunks_exact_mut(w) {
            #[omp::parallel_for]
            for k in 0..count {
                row[k * step + 1] = (k + 1) as f32;
            }
        }
    }
    /// Arrays that the outer loop declares: each inner iteration has elements of its own, under any names of its variable, or a copy.
    pub fn local_arrays(y: &mut [f32]) {
        #[omp::target]
        for (i, row) in y.chunks_exact_mut(8).enumerate() {
            let mut t = [0.5f32; 8];
            let mut pairs = [Pair { a: 0.0, b: [1; 2] }; 8];
            #[omp::parallel_for]
            for k in 0..8usize {
                let j = k;
                t[k] += (i * 8 + k) as f32;
                t[j] *= t.len() as f32;
                pairs[k].a = t[j];
                pairs[j].b[1] = k as i32 * 3;
            }
            let mut last = [0.0f32; 2];
            #[omp::parallel_for(lastprivate(last))]
            for k in 0..7usize {
                last[0] = t[k];
                last[1] = pairs[k].a + pairs[k].b[1] as f32;
            }
            for k in 0..8 {
                row[k] = pairs[k].a + (pairs[k].b[0] + pairs[k].b[1]) as f32 + last[k % 2];
            }
        }
    }
    pub fn table(y: &mut [f32], w: usize, t: &[usize]) {
        #[omp::target(disjoint(y))]
        for row in y.chunks_exact_mut(w) {
            #[omp::parallel_for]
            for k in 0..t.len() {
                row[t[k]] = k as f32;
            }
        }
    }
}

#[test]
fn slices_of_the_outer_loop() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut all = Vec::new();
        for w in [1, 2, 5, 64, 301] {
            let mut y: Vec<f32> = (0..w * 7).map(|i| (i % 11) as f32).collect();
            m::rows(&mut y, w);
            all.push(y.clone());
            m::parts(&mut y, w);
            all.push(y);
        }
        let mut y = vec![0.0; 300];
        m::steps(&mut y, 100, 3, 33);
        m::steps(&mut y, 100, 0, 1);
        m::table(&mut y, 100, &[50, 49, 7]);
        m::local_arrays(&mut y);
        all.push(y);
        all
    });
}

#[test]
fn sizes_that_conflict_are_an_error() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let text =
            panic_of(|| device::steps(&mut [0.0; 300], 100, 0, 2)).expect("two iterations write one element");
        assert!(text.contains("race through `y`") && text.contains("k = 0 and k = 1, element 1"), "{text}");
    });
}
