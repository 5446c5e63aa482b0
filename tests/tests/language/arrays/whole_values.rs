//! Fixed arrays from outside of the loop as values: copied, passed, compared; methods of elements that are arrays; comparisons with
//! references; parts of arrays under names; closures of whole arrays and parts; compaction.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod copies {
    use omp_tests::{compared, twice};

    twice! {
        #[omp::declare_target]
        fn norm(a: [f64; 2]) -> f64 { a[0] * a[0] + a[1] }
        #[omp::declare_target]
        fn first(a: &[f64]) -> f64 { a[0] }

        pub fn copied(y: &mut [f64]) {
            let x0 = [1.0f64, 2.0];
            #[omp::target]
            for i in 0..y.len() {
                let mut s = x0;
                for _ in 0..i % 5 { s[0] += s[1]; s[1] *= 0.5; }
                y[i] = s[0] + s[1] + x0[i % 2];
            }
        }
        pub fn named_by_a_clause(y: &mut [f64]) {
            let x0 = [1.0f64, 2.0];
            #[omp::target(firstprivate(x0))]
            for i in 0..y.len() {
                let s = x0;
                y[i] = s[i % 2] + x0[1];
            }
        }
        pub fn passed(y: &mut [f64]) {
            let x0 = [1.5f64, 2.0];
            #[omp::target]
            for i in 0..y.len() { y[i] += norm(x0) + first(&x0) + x0[i % 2]; }
        }
        pub fn iterated(y: &mut [f64]) {
            let x0 = [1.5f64, 2.5];
            #[omp::target]
            for o in y.iter_mut() {
                let s = x0;
                let mut t = 0.0;
                for v in x0 { t += v; }
                for v in s { t += v; }
                for v in x0.iter() { t += v; }
                if s == x0 { t += 10.0; }
                *o = t + s.len() as f64 + x0.len() as f64;
            }
        }
        pub fn assigned_before(y: &mut [f64]) {
            let mut x0 = [0.0; 3];
            for k in 0..3 { x0[k] = k as f64; }
            #[omp::target]
            for v in y.iter_mut() {
                let mut s = x0;
                s[1] += *v;
                *v = s.iter().sum::<f64>();
            }
            x0[1] = 50.0;
            #[omp::target(map(to: x0))]
            for i in 0..y.len() { y[i] += x0[i % 3]; }
        }
        pub fn under_data(y: &mut [f64]) {
            let x0 = [1.0f64, 2.0];
            #[omp::target_data(map(tofrom: y), map(to: x0))]
            {
                #[omp::target(map(to: x0))]
                for i in 0..y.len() { let s = x0; y[i] += s[i % 2]; }
                #[omp::target]
                {
                    #[omp::parallel_for]
                    for i in 0..y.len() { let mut s = x0; s[1] += 0.5; y[i] += s[i % 2]; }
                }
            }
        }
        pub fn chosen(y: &mut [f64]) {
            let x0 = [1.0f64, 2.0];
            let f = |a: [f64; 2]| a[0] - a[1];
            #[omp::target]
            for i in 0..y.len() {
                let s = if i % 2 == 0 { x0 } else { [y[i]; 2] };
                let pair = (x0, i);
                y[i] = s[0] + f(x0) + pair.0[1];
            }
        }
        pub fn reduced(y: &mut [f64]) {
            let start = [1.0f64, 2.0];
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for i in 0..y.len() { let mut s = start; s[i % 2] = 0.0; sum += s[0] + s[1]; }
            y[0] = sum;
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let mut y: Vec<f64> = (0..100).map(|i| (i % 7) as f64).collect();
        f(&mut y);
        y
    }; copied named_by_a_clause passed iterated assigned_before under_data chosen reduced }
}

mod comparisons {
    use omp_tests::{compared, twice};

    twice! {
        pub fn by_operators(x: &[[u32; 2]], y: &mut [i32], _k: &[u32; 2]) {
            let k = [3u32, 4];
            #[omp::target]
            for i in 0..y.len() {
                y[i] = (x[i] == k) as i32 + 2 * (x[i] < k) as i32 + 4 * (x[i] >= k) as i32 + 8 * (k != x[i]) as i32;
            }
        }
        pub fn by_cmp(x: &[[u32; 2]], y: &mut [i32], _k: &[u32; 2]) {
            let k = [3u32, 4];
            #[omp::target]
            for i in 0..y.len() { y[i] = x[i].cmp(&k) as i32; }
        }
        pub fn by_partial_cmp(x: &[[u32; 2]], y: &mut [i32], k: &[u32; 2]) {
            #[omp::target]
            for i in 0..y.len() { y[i] = match x[i].partial_cmp(k) { Some(o) => o as i32, None => 7 }; }
        }
        pub fn behind_a_reference(x: &[[u32; 2]], y: &mut [i32], k: &[u32; 2]) {
            #[omp::target]
            for i in 0..y.len() { y[i] = (x[i] < *k) as i32 + 2 * x[i].cmp(k).is_lt() as i32; }
        }
        pub fn of_items(x: &[[u32; 2]], y: &mut [i32], _k: &[u32; 2]) {
            let k = [3u32, 4];
            #[omp::target]
            for (v, o) in x.iter().zip(y.iter_mut()) { *o = (*v < k) as i32 + 2 * (v == &k) as i32 + 4 * v.cmp(&k) as i32; }
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let x: Vec<[u32; 2]> = (0..60).map(|i| [2 + i % 3, 3 + i % 4]).collect();
        let mut y = vec![0; 60];
        f(&x, &mut y, &[3, 4]);
        y
    }; by_operators by_cmp by_partial_cmp behind_a_reference of_items }
}

mod methods_of_elements {
    use omp_tests::{compared, twice};

    twice! {
        pub type Row = [u32; 8];
        // The names of others say nothing of theirs.
        #[allow(dead_code)]
        fn other(t: &[f32], x: u32, own: u32) -> f32 { t[x as usize + own as usize] }
        pub struct Table { pub own: Vec<[u32; 8]> }

        pub fn sorted(t: &mut [[u32; 8]]) {
            #[omp::target]
            for i in 0..t.len() { t[i].sort(); }
        }
        pub fn several(t: &mut [[u32; 8]]) {
            #[omp::target]
            for i in 0..t.len() {
                t[i].sort_unstable();
                t[i].reverse();
                t[i].rotate_left(i % 8);
                t[i].rotate_right(3);
                if i % 3 == 0 { t[i].fill(i as u32); }
            }
        }
        pub fn of_an_alias(t: &mut [Row]) {
            #[omp::target]
            for i in 0..t.len() { t[i].reverse(); t[i].sort(); t[i].rotate_left(2) }
        }
        pub fn of_branches(t: &mut [[u32; 8]]) {
            let k = 5;
            #[omp::target]
            for i in 0..t.len() { match i % 3 { 0 => t[i].rotate_left(k), 1 => t[i].reverse(), _ => t[i].fill(0) } }
        }
        pub fn of_any_length<const N: usize>(t: &mut [[u32; N]]) {
            #[omp::target]
            for i in 0..t.len() { t[i].reverse(); t[i].rotate_left(1); t[i].sort_by(|a, b| b.cmp(a)); }
        }
        pub fn of_a_field(t: &mut [[u32; 8]]) {
            let mut table = Table { own: t.to_vec() };
            let rows = table.own.len();
            let g = &mut table;
            #[omp::target]
            for i in 0..rows { g.own[i].reverse(); g.own[i].sort(); g.own[i].rotate_left(2); }
            t.copy_from_slice(&table.own);
        }
        pub fn of_unknown_types(t: &mut [[u32; 8]]) {
            let mut rows = Vec::from(&*t);
            #[omp::target]
            for i in 0..rows.len() { rows[i][..].reverse(); rows[i][..].sort(); rows[i][..].rotate_left(2); rows[i][1..4].fill(3); }
            t.copy_from_slice(&rows);
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let mut t: Vec<[u32; 8]> = (0..50).map(|i| std::array::from_fn(|k| (i * 7 + k as u32 * 5) % 11)).collect();
        f(&mut t);
        t
    }; sorted several of_an_alias of_branches of_any_length of_a_field of_unknown_types }
}

mod references {
    use omp_tests::{compared, twice};

    twice! {
        #[allow(dead_code)]
        pub struct Range { pub lo: u64 }
        #[allow(dead_code)]
        impl Range { pub fn contains(&self, v: u64) -> bool { v >= self.lo } }

        pub fn among_literals(x: &[u64], _s: &[u64], y: &mut [u32]) {
            #[omp::target]
            for (v, o) in x.iter().zip(y.iter_mut()) { *o = [1u64, 2].contains(v) as u32; }
        }
        pub fn by_name(x: &[u64], _s: &[u64], y: &mut [u32]) {
            #[omp::target]
            for i in 0..x.len() { let v = &x[i]; y[i] = [1u64, 2].contains(v) as u32; }
        }
        pub fn of_items(x: &[u64], s: &[u64], y: &mut [u32]) {
            #[omp::target]
            for (v, o) in x.iter().zip(y.iter_mut()) { *o = (s.get(2) == Some(v)) as u32 + 2 * s.contains(v) as u32; }
        }
        pub fn of_elements(x: &[u64], s: &[u64], y: &mut [u32]) {
            #[omp::target]
            for i in 0..x.len() {
                let v = &x[i];
                y[i] = (s.get(2) == Some(v)) as u32 + 2 * (Some(v) != s.first()) as u32;
            }
        }
        pub fn of_inner_items(x: &[u64], s: &[u64], y: &mut [u32]) {
            #[omp::target]
            for i in 0..x.len() {
                let v = &x[i];
                let mut n = 0;
                for w in s.iter() {
                    if s.get(1) == Some(w) { n += 1; }
                    if Some(v) == s.iter().max() { n += 10; }
                    if s.iter().find(|a| *a == w) == Some(w) { n += 100; }
                }
                y[i] = n + s.iter().filter(|w| s.last() == Some(w)).count() as u32 * 1000;
            }
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let x: Vec<u64> = (0..70).map(|i| i % 7).collect();
        let mut y = vec![0; 70];
        f(&x, &[1, 2, 3], &mut y);
        y
    }; among_literals by_name of_items of_elements of_inner_items }
}

mod parts_by_name {
    use omp_tests::{compared, twice};

    twice! {

        pub fn windows_before(x: &[f32], y: &mut [f32]) {
            let w = x.windows(3);
            #[omp::target]
            for i in 0..y.len() {
                let mut s = i as f32;
                for p in w.clone() { s += p[0] * p[2]; }
                y[i] = s;
            }
        }
        pub fn chunks_in_the_head(x: &[f32], y: &mut [f32]) {
            let c = x.chunks(4);
            #[omp::target]
            for (p, o) in c.zip(y.iter_mut()) { *o = p.iter().sum(); }
        }
        pub fn chunks_and_their_number(x: &[f32], y: &mut [f32]) {
            let c = x.chunks(4);
            let n = c.len();
            #[omp::target(default(none), map(to: x), map(y), firstprivate(n))]
            for i in 0..n { y[i] = c.clone().map(|p| p[0]).sum::<f32>() + c.len() as f32; }
        }
        pub fn with_a_number(x: &[f32], y: &mut [f32]) {
            let k = x.len() / 8;
            let w = x.windows(k);
            let n = w.len();
            #[omp::target(map(to: x))]
            for i in 0..n.min(y.len()) {
                let mut t = 0.0;
                for (j, p) in w.clone().enumerate() { if j % 7 == i % 7 { t += p[k - 1]; } }
                y[i] = t;
            }
        }
        pub fn in_the_body(x: &[f32], y: &mut [f32]) {
            #[omp::target]
            for i in 0..y.len() {
                let c = x.chunks(7);
                let n = c.len();
                let mut s = 0.0;
                for p in c { s += p[0] + n as f32; }
                let w = x[i..].windows(3);
                y[i] = s + x.windows(2).len() as f32 + x.chunks_exact(3).len() as f32 + w.len() as f32;
            }
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let x: Vec<f32> = (0..40).map(|i| i as f32).collect();
        let mut y = vec![0.0; 10];
        f(&x, &mut y);
        y
    }; windows_before chunks_in_the_head chunks_and_their_number with_a_number in_the_body }
}

mod closures_of_parts {
    use omp_tests::{compared, twice};

    twice! {
        pub fn of_a_local(_x: &[f32], y: &mut [f32]) {
            let x = [1.5f32; 40];
            let f = |a: &[f32], k: usize| { let mut s = 0.0; for v in a { s += v; } s * k as f32 };
            #[omp::target]
            for i in 0..y.len() { y[i] = f(&x, 1) + f(&x[1..i + 2], i); }
        }
        pub fn of_a_slice(x: &[f32], y: &mut [f32]) {
            let f = |a: &[f32], k: usize, by: f32| a[k] * by + a.len() as f32;
            #[omp::target]
            for i in 0..y.len() { y[i] = f(x, i, 2.0) + f(&x[1..i + 4], 1, 0.5); }
        }
        pub fn of_arrays(x: &[f32], y: &mut [f32]) {
            #[omp::target]
            for i in 0..y.len() {
                let sum = |a: &[f32]| a.iter().sum::<f32>();
                let own = [1.0f32, 2.0, i as f32];
                y[i] = sum(&x) + sum(&x[..i + 1]) + sum(&own) + sum(&own[1..]);
            }
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let x: Vec<f32> = (0..40).map(|i| i as f32).collect();
        let mut y = vec![0.0; 10];
        f(&x, &mut y);
        y
    }; of_a_local of_a_slice of_arrays }
}

mod compaction {
    use omp_tests::{compared, twice};

    twice! {
        pub fn several_stores(x: &[f32], y: &mut [f32]) -> usize {
            let mut n = 0;
            #[omp::target]
            for i in 0..x.len() { if x[i] > 0.5 { y[n] = x[i]; y[n + 1] = 2.0 * x[i]; n += 2; } }
            n
        }
        pub fn bounded(x: &[f32], y: &mut [f32]) -> usize {
            let mut n = 0;
            #[omp::target]
            for i in 0..x.len() { if x[i] > 0.5 { if n < 7 { y[n] = x[i]; } n += 1; } }
            n.min(7)
        }
        pub fn filtered(x: &[f32], y: &mut [f32]) -> usize {
            let mut n = 0;
            #[omp::target]
            for v in x.iter().copied().filter(|v| *v > 0.5) { y[n] = v; n += 1; }
            n
        }
        pub fn filtered_by_number(x: &[f32], y: &mut [f32]) -> usize {
            let mut n = 0;
            #[omp::target]
            for (i, _) in x.iter().enumerate().filter(|(_, v)| **v > 0.5) { y[n] = i as f32; n += 1; }
            n
        }
        pub fn with_continue(x: &[f32], y: &mut [f32]) -> usize {
            let mut n = 0;
            #[omp::target]
            for v in x.iter() {
                if *v < 0.2 { continue; }
                if *v > 0.5 { y[n] = *v; n += 3; continue; }
                y[n] = -1.0;
                n += 1;
            }
            n
        }
        pub fn counted_in_both_branches(x: &[f32], y: &mut [f32]) -> usize {
            let mut n = 0;
            #[omp::target]
            for v in x { y[n] = *v; if *v > 0.5 { n += 1; } else { n += 2; } }
            n
        }
        pub fn both_sides(x: &[f32], y: &mut [f32]) -> usize {
            let mut z = vec![0.0; x.len()];
            let (mut n, mut m) = (0, 0);
            #[omp::target]
            for &v in x { if v > 0.5 { y[n] = v; n += 1; } else { z[m] = v; m += 1; } }
            y[n..n + m].copy_from_slice(&z[..m]);
            n * 1000 + m
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let x: Vec<f32> = (0..3000).map(|i| (i * 37 % 11) as f32 / 10.0).collect();
        let mut y = vec![0f32; 10000];
        let n = f(&x, &mut y);
        (n, y)
    }; several_stores bounded filtered filtered_by_number with_continue counted_in_both_branches both_sides }
}

/// What looks like one of these and is something else.
mod others {
    use omp_tests::{compared, on_every_device, twice};

    pub struct Grid {
        n: usize,
    }
    impl Grid {
        pub fn chunks(&self, k: usize) -> usize {
            self.n / k
        }
        pub fn windows(&self, k: usize) -> f64 {
            k as f64
        }
    }
    pub struct Wide {
        w: f64,
    }

    twice! {
        pub fn methods_of_types(y: &mut [f64]) {
            let grid = Grid { n: 40 };
            let c = grid.chunks(4);
            let h = grid.windows(3);
            #[omp::target]
            for i in 0..c { y[i] = c as f64 + h * 2.0; }
        }
        pub fn methods_of_the_name(y: &mut [f64]) {
            let x = [1.0f64, 2.0, 3.0, 4.0];
            let windows = x.windows(3);
            let n = windows.count();
            #[omp::target]
            for i in 0..y.len() {
                let mut t = n as f64;
                for p in x.windows(3) { t += p[1]; }
                y[i] = t;
            }
        }
        pub fn fields_of_the_name(y: &mut [f64]) {
            let (x2, p) = (vec![1.0f64; 20], Wide { w: 2.5 });
            { let w = x2.windows(3); assert!(w.len() == 18); }
            #[omp::target]
            for i in 0..y.len() { y[i] = p.w; }
        }
        pub fn arrays_of_iterations(y: &mut [f64]) {
            let x: Vec<f64> = (0..y.len()).map(|i| i as f64 / y.len() as f64).collect();
            let mut n = 0usize;
            #[omp::target(scan(+: n))]
            for i in 0..y.len() {
                let mut t = [0.0f64; 128];
                t[n] = 1.0;
                y[i] = t[3];
                if x[i] > 0.5 { n += 1; }
            }
            y[0] += n as f64;
        }
    }

    compared! { |d, f| {
        omp::set_default_device(d);
        let mut y = vec![1.0; 100];
        f(&mut y);
        y
    }; methods_of_types methods_of_the_name fields_of_the_name arrays_of_iterations }

    #[omp::declare_target]
    fn norm(a: [f64; 2]) -> f64 {
        a[0] * 3.0 + a[1]
    }
    #[omp::offload]
    fn enter(x: &mut [f64; 2]) {
        omp::target_enter_data!(map(to: x));
    }
    #[omp::offload]
    fn leave(x: &mut [f64; 2]) {
        omp::target_exit_data!(map(from: x));
    }
    #[omp::offload]
    fn entered_elsewhere(y: &mut [f64]) {
        let mut x0 = [1.0f64, 2.0];
        enter(&mut x0);
        #[omp::target]
        for i in 0..2 {
            x0[i] = 3.0 + i as f64;
        }
        #[omp::target]
        for i in 0..y.len() {
            y[i] = norm(x0);
        }
        leave(&mut x0);
    }

    #[test]
    fn arguments_by_value_are_those_of_the_device() {
        on_every_device(|d| {
            omp::set_default_device(d);
            let mut y = vec![0.0; 4];
            entered_elsewhere(&mut y);
            assert_eq!(y, [13.0; 4]);
        });
    }
}
