//! Options of rows and of references in arguments, references to options in closures, cursors among the names of a tuple, iterators that
//! each branch uses.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    mod of_references_to_options {
        const NONE: u32 = 7;
        struct G { labels: Vec<u32> }
        #[omp::declare_target]
        fn around(i: usize) -> [Option<usize>; 3] { [i.checked_sub(1), Some(i), if i % 3 == 0 { None } else { Some(i / 2) }] }
        #[omp::offload]
        impl G {
            fn count(&self, out: &mut [usize]) -> usize {
                let mut edges = 0;
                #[omp::target(reduction(+: edges))]
                for (cell, o) in out.iter_mut().enumerate() {
                    let outside = |n: &Option<usize>| n.is_none_or(|n| self.labels[n] == NONE);
                    edges += around(cell).iter().filter(|n| outside(n)).count();
                    let big = |n: &Option<usize>| n.map_or(3, |n| self.labels[n] as usize);
                    *o = around(cell).iter().map(|n| big(n)).sum();
                    let some = |n: &Option<usize>| n.is_some_and(|n| n > 2);
                    *o += around(cell).iter().filter(|n| some(n)).count() * 100;
                    for n in &around(cell) {
                        *o += n.map_or(1, |n| self.labels[n] as usize * 2);
                        if let Some(k) = n.filter(|k| *k > 1) { *o += k; }
                    }
                }
                edges
            }
        }
        pub fn all() -> String {
            let mut shown = String::new();
            let g = G { labels: (0..50).map(|i| i * 7 % 11).collect() };
            let mut out = vec![0; 40];
            shown += &format!("{:?} ", g.count(&mut out));
            shown += &format!("{:?} ", out);
            shown
        }
    }
    pub fn references_to_options() -> String { of_references_to_options::all() }

    mod of_options_of_rows {
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        struct D { v: [u32; 4] }
        #[omp::declare_target]
        impl D { fn join(&self, o: &D) -> D { D { v: std::array::from_fn(|k| self.v[k].wrapping_mul(3) ^ o.v[k]) } } }
        type Cells = [[f64; 8]; 8];
        #[omp::offload]
        fn parents(level: &[D]) -> Vec<D> {
            let mut next = vec![D { v: [0; 4] }; level.len().div_ceil(2)];
            #[omp::target]
            for (i, parent) in next.iter_mut().enumerate() {
                let left = &level[2 * i];
                *parent = D::join(left, level.get(2 * i + 1).unwrap_or(left));
            }
            next
        }
        #[omp::offload]
        fn parents2(level: &[D]) -> Vec<D> {
            let mut next = vec![D { v: [0; 4] }; level.len().div_ceil(2)];
            #[omp::target]
            for (i, parent) in next.iter_mut().enumerate() {
                let left = &level[2 * i];
                let right = level.get(2 * i + 1).unwrap_or(left);
                *parent = left.join(right);
            }
            next
        }
        #[omp::offload]
        fn parents3(level: &[D]) -> Vec<D> {
            let mut next = vec![D { v: [0; 4] }; level.len().div_ceil(2)];
            #[omp::target]
            for (pair, parent) in level.chunks(2).zip(&mut next) {
                let left = &pair[0];
                *parent = left.join(pair.get(1).unwrap_or(left));
                let l = pair.first().unwrap();
                *parent = parent.join(pair.last().unwrap_or(l));
                *parent = parent.join(pair.get(1).unwrap_or(&pair[0]));
            }
            next
        }
        #[omp::offload]
        fn stencil(cells: &[Cells], next: &mut [Cells]) -> f64 {
            let mut change = 0.0_f64;
            #[omp::target(reduction(max: change))]
            for (b, next) in next.iter_mut().enumerate() {
                let own = &cells[b];
                for (j, line) in next.iter_mut().enumerate() {
                    for (i, value) in line.iter_mut().enumerate() {
                        let west = if i > 0 { own[j][i - 1] } else { 1.5 };
                        let east = own[j].get(i + 1).copied().unwrap_or_else(|| j as f64);
                        let south = own[j].get(i.wrapping_sub(1)).copied().unwrap_or(0.25);
                        let north = own.get(j + 1).map_or_else(|| i as f64 * 0.5, |line| line[i]);
                        let n2 = own.get(j + 2).map_or(0.0, |line| line[i]);
                        let n3 = own.get(j + 1).and_then(|r| r.get(i + 1)).copied().unwrap_or_default();
                        *value = 0.25 * (own[j][i] + west + east + south + north) + n2 + n3;
                        change = change.max((*value - own[j][i]).abs());
                    }
                }
            }
            change
        }
        pub fn all() -> String {
            let mut shown = String::new();
            let level: Vec<D> = (0..7).map(|i| D { v: [i, i * 7, i + 3, 1] }).collect();
            shown += &format!("{:?} ", parents(&level));
            shown += &format!("{:?} ", parents2(&level));
            shown += &format!("{:?} ", parents3(&level));
            let cells: Vec<Cells> = (0..3).map(|b| std::array::from_fn(|j| std::array::from_fn(|i| (b * 64 + j * 8 + i) as f64))).collect();
            let mut next = cells.clone();
            shown += &format!("{:?} ", stencil(&cells, &mut next));
            shown += &format!("{:?} ", next);
            shown
        }
    }
    pub fn options_of_rows() -> String { of_options_of_rows::all() }

    mod of_unwrapped_arguments {
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        struct D { v: [u32; 4] }
        #[omp::declare_target]
        impl D { fn join(&self, o: &D) -> D { D { v: std::array::from_fn(|k| self.v[k].wrapping_mul(3) ^ o.v[k]) } } }
        #[omp::declare_target]
        fn two(a: &u32, b: &D) -> u32 { a + b.v[1] }
        #[omp::offload]
        fn parents3(level: &[D], nums: &[u32]) -> Vec<D> {
            let mut next = vec![D { v: [0; 4] }; level.len().div_ceil(2)];
            #[omp::target]
            for (i, parent) in next.iter_mut().enumerate() {
                *parent = level[i].join(level.get(i + 1).unwrap());
                *parent = parent.join(level.last().unwrap());
                *parent = parent.join(level.first().expect("x"));
                parent.v[0] += two(nums.get(i).unwrap(), level.get(3).unwrap());
                parent.v[1] += two(nums.iter().max().unwrap(), level.iter().min_by_key(|d| d.v[0]).unwrap());
            }
            next
        }
        pub fn all() -> String {
            let mut shown = String::new();
            let level: Vec<D> = (0..7).map(|i| D { v: [i, i * 7, i + 3, 1] }).collect();
            shown += &format!("{:?} ", parents3(&level, &[1, 2, 5, 3]));
            shown
        }
    }
    pub fn unwrapped_arguments() -> String { of_unwrapped_arguments::all() }

    mod of_cursors_of_tuples {
        #[omp::declare_target]
        fn b(tail: &[u8]) -> u32 {
            let (words, mut rest) = tail.split_at(tail.len() / 8 * 8);
            let mut h = 7u32;
            for w in words.chunks(8) { h = h.wrapping_mul(3) + w[7] as u32; }
            if let [x, y, after @ ..] = rest {
                h += *x as u32 * 3 + *y as u32;
                rest = after;
            }
            for &b in rest { h = h.wrapping_mul(3) + b as u32; }
            h
        }
        #[omp::declare_target]
        fn c(tail: &[u8]) -> u32 {
            let (mut left, mut right) = (tail, &tail[1..]);
            let mut h = 0u32;
            while !left.is_empty() && !right.is_empty() {
                h = h.wrapping_mul(31) + left[0] as u32 * right[0] as u32;
                if h % 2 == 0 { left = &left[1..]; } else { right = &right[1..]; }
            }
            h
        }
        #[omp::offload]
        fn run(data: &[u8], out: &mut [u32]) {
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let part = &data[i..i * 3 + 1];
                *o = b(part) ^ c(part);
            }
        }
        pub fn all() -> String {
            let mut shown = String::new();
            let data: Vec<u8> = (0..100u32).map(|i| (i * 37 % 251) as u8).collect();
            let mut out = vec![0; 30];
            run(&data, &mut out);
            shown += &format!("{:?} ", out);
            shown
        }
    }
    pub fn cursors_of_tuples() -> String { of_cursors_of_tuples::all() }

    mod of_in_each_branch {
        #[derive(Clone, Copy, PartialEq, omp::Device)]
        enum M { A, B }
        #[omp::offload]
        fn one(px: &[u32], w: usize, out: &mut [u32], what: M) {
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let rows = px[i % 2 * w..(i % 3 + 2) * w].chunks_exact(w);
                let around = rows.flat_map(|row| &row[1..3]);
                *o = match what {
                    M::A => around.fold(7, |best, &p| best.max(p)),
                    M::B => around.fold(9, |best, &p| best ^ p),
                };
            }
        }
        #[omp::offload]
        fn two(px: &[u32], out: &mut [u32]) {
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let around = px[i..i + 3].iter();
                *o = if i % 2 == 0 { around.sum() } else { around.map(|v| v * 3).max().unwrap_or(0) };
            }
        }
        #[omp::offload]
        fn three(px: &[u32], w: usize, out: &mut [u32]) {
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                *o = px[i % 2 * w..(i % 3 + 2) * w].chunks_exact(w).flat_map(|row| &row[1..3]).fold(0, |a, &b| a * 3 + b);
            }
        }
        #[omp::offload]
        fn four(px: &[u32], w: usize, out: &mut [u32]) {
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let rows = px[i % 2 * w..(i % 3 + 2) * w].chunks_exact(w);
                let around = rows.flat_map(|row| row[1..3].iter());
                *o = around.fold(7, |best, &p| best.max(p));
            }
        }
        pub fn all() -> String {
            let mut shown = String::new();
            let px: Vec<u32> = (0..60).map(|i| i * 37 % 101).collect();
            let mut o = vec![0; 20];
            one(&px, 5, &mut o, M::A); shown += &format!("{o:?} ");
            one(&px, 5, &mut o, M::B); shown += &format!("{o:?} ");
            two(&px, &mut o); shown += &format!("{o:?} ");
            three(&px, 5, &mut o); shown += &format!("{o:?} ");
            four(&px, 5, &mut o); shown += &format!("{o:?} ");
            shown
        }
    }
    pub fn in_each_branch() -> String { of_in_each_branch::all() }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        call()
    };
    references_to_options options_of_rows unwrapped_arguments cursors_of_tuples in_each_branch
}
