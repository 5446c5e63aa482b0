//! Types that rustc takes from one use of a closure, of a named iterator or of a function's parameter, and that hold for the others: all
//! devices, against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, on_every_device, panic_of, twice};

twice! {
    #[omp::declare_target]
    pub fn sq(items: impl Iterator<Item = u64>) -> f64 {
        let mut s = 0.0;
        for v in items { s += (v * v) as f64; } s
    }

    #[omp::declare_target]
    pub fn bits(items: impl Iterator<Item = f32>) -> u64 {
        items.map(|v| (v as f64 * 3.0).to_bits()).fold(0, |a, b| a ^ b)
    }

    #[omp::declare_target]
    pub fn pairs(items: impl Iterator<Item = (usize, u8)>) -> u64 {
        let mut s = 0;
        for (k, v) in items { s = s * 3 + k as u64 + (!v) as u64; } s
    }

    #[omp::declare_target]
    pub fn shifted<I: DoubleEndedIterator<Item = u64>>(items: I) -> u64 {
        items.rev().fold(1u64, |a, v| a ^ (v << 40))
    }

    #[omp::declare_target]
    pub fn ap(f: impl Fn(u8) -> u64) -> u64 {
        f(200) << 40
    }

    #[omp::declare_target]
    pub fn opt<F: Fn(u8) -> Option<f32>>(f: F) -> u64 {
        match f(3) { Some(v) => (v as f64).to_bits(), None => 4 }
    }

    #[omp::declare_target]
    pub fn row(x: &[u32], f: impl Fn(usize) -> f32) -> u64 {
        let mut s = 0;
        for k in 0..x.len() { s ^= (f(k) as f64).to_bits().wrapping_add(x[k] as u64); } s
    }

    pub fn items_of_ranges(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = sq(0..100_000).to_bits() + i as u64;
        }
    }

    pub fn items_that_closures_give(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = bits((0..3).map(|_| 0.1)) + i as u64;
        }
    }

    pub fn items_that_are_pairs(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = pairs((0..5).map(|k| (k, 200))) + pairs([(3, 201), (5, 7)].into_iter()) + pairs([3, 200].into_iter().enumerate());
        }
    }

    pub fn items_reversed(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = shifted(5..9) + shifted((2..7).map(|v| v + 1));
        }
    }

    pub fn items_by_name(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let it = (0..3).map(|_| 0.1);
            out[i] = bits(it);
        }
    }

    pub fn closures_by_name(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let h = |_| 0.1;
            out[i] = bits((0..3).map(h)) + bits(f[..3].iter().copied());
        }
    }

    pub fn items_of_generators(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = bits(std::iter::repeat_n(0.1, 3)) ^ bits(std::iter::once(0.7)) ^ bits((0..3).flat_map(|_| [0.3, 0.4]));
        }
    }

    pub fn items_filtered(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = bits((0..6).filter_map(|k| if k % 2 == 0 { Some(0.1) } else { None })) ^ bits((0..3).scan(0.1, |s, k| { *s += 0.1; Some(*s) }));
        }
    }

    pub fn items_chained(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = bits((0..3).map(|_| 0.1).chain([0.2, 0.3])) ^ bits((0..3).map(|k| k as f32 * 0.1).rev());
        }
    }

    pub fn closure_of_numbers(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |v: f32| 0.1;
            let w: f32 = g(1.0);
            out[i] = (g(2.0) as f64).to_bits() + w as u64;
        }
    }

    pub fn closure_with_returns(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| { if k > 100 { return 3; } let m = 1; m };
            let w: u64 = g(2);
            out[i] = (g(i) << 40) + w;
        }
    }

    pub fn arguments(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let h = |v| 5;
            out[i] = ap(h) + ap(|v| 7);
        }
    }

    pub fn arguments_of_options(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let h = |v| Some(0.1);
            out[i] = opt(h) + opt(|v| if i > 30 { None } else { Some(0.3) });
        }
    }

    pub fn closure_of_pairs(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| (k, 1);
            let (_, w): (usize, u64) = g(1);
            out[i] = (g(i).1 << 40) + w;
        }
    }

    pub fn closure_of_options(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| if k > 3 { None } else { Some(0.1) };
            let s: Option<f32> = g(2);
            if let Some(v) = g(i % 7) { out[i] = (v as f64).to_bits(); } else { out[i] = s.is_some() as u64; }
        }
    }

    pub fn closure_of_arms(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| match k % 3 { 0 => 1, 1 => 2, _ => 3 };
            let w: u64 = g(2);
            out[i] = g(i) << 40 | w;
        }
    }

    pub fn closure_of_items(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| x.iter().map(|_| 0.1).next().unwrap();
            let w: f32 = g(1);
            out[i] = (g(2) as f64).to_bits() + w as u64;
        }
    }

    pub fn closure_of_iterators(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r = |k: usize| (0..3).map(|_| 0.1);
            let w: Option<f32> = r(0).next();
            out[i] = r(2).map(|v| (v as f64).to_bits()).sum::<u64>() / 8 + w.is_some() as u64;
        }
    }

    pub fn closure_of_arrays(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| [0.1; 3];
            let w: [f32; 3] = g(1);
            out[i] = (g(2)[i % 3] as f64).to_bits() + w[0] as u64;
        }
    }

    pub fn objects(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mean = |h: &dyn Fn(u8) -> f32| h(200);
            out[i] = (mean(&|v| if v > i as u8 { 0.1 } else { 0.2 }) as f64).to_bits();
        }
    }

    pub fn least_numbers(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |c: bool| if c { -1 } else { -128 };
            let w: i8 = g(i > 3);
            out[i] = g(i % 2 == 0) as u64 ^ w as u8 as u64;
        }
    }

    pub fn closure_that_changes(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut n = 0u64;
            let mut g = |k| { n += k; 0.1 };
            let w: f32 = g(3);
            let v = g(2);
            out[i] = (v as f64).to_bits() + n + w as u64;
        }
    }

    pub fn closure_with_variables(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = |k: usize| { let mut s = 0; for j in 0..k % 5 { s += 1 << j; } s };
            let w: u64 = g(3);
            out[i] = (g(i) << 40) + w;
        }
    }

    pub fn arguments_of_arrays(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let h = |k| 0.1;
            out[i] = row(&x[i % 50..][..5], h) + row(&x[..3], |k| if k > 1 { 0.1 } else { 0.7 });
        }
    }

    pub fn moves_on(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = (0..3).map(|_| 0.1);
            let a: f32 = it.next().unwrap();
            for v in it { out[i] ^= (v as f64).to_bits() + a as u64; }
        }
    }

    pub fn cloned(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let it = x.iter().map(|_| 1);
            let s: u64 = it.clone().max().unwrap();
            out[i] = it.map(|v| v << 35).sum::<u64>() + s;
        }
    }

    pub fn cloned_array(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let it = [3, 1, 2].into_iter();
            let s: u64 = it.clone().max().unwrap();
            out[i] = it.map(|v| v << 40).sum::<u64>() + s;
        }
    }

    pub fn generator_moves_on(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = 0;
            let mut it = std::iter::from_fn(|| { a += 1; if a > 3 { None } else { Some(0.1) } });
            let b: f32 = it.next().unwrap();
            for v in it { out[i] += (v as f64).to_bits() / 4 + b as u64; }
        }
    }

    pub fn steps(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = (1..9).step_by(3);
            let s: Option<u64> = it.next();
            for v in it { out[i] += (v << 40) + s.unwrap(); }
        }
    }

    pub fn peeks(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = (1..9).map(|v| v + 1).peekable();
            let s: Option<u64> = it.next();
            while let Some(v) = it.next() { if it.peek().is_some() { out[i] += (v << 40) + s.unwrap(); } }
        }
    }

    pub fn pairs_move_on(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = f.iter().map(|v| (*v, 0.1));
            let (_, b): (f32, f32) = it.next().unwrap();
            for (a, b) in it.take(5) { out[i] ^= (b as f64).to_bits() + a as u64; }
        }
    }

    pub fn scan_moves_on(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x.iter().scan(0.1, |s, v| { *s += 0.1; Some(*s) });
            let a: f32 = it.next().unwrap();
            let b = it.next().unwrap();
            out[i] = (b as f64).to_bits() + a as u64;
        }
    }

    #[omp::declare_target]
    pub fn sum(items: impl Iterator<Item = u8>) -> u64 {
        let mut s = 0;
        for v in items { s += (v + 100) as u64; }
        s
    }

    pub fn taken(d: usize, out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = sum((0..3).map(|k| if k > i { 3 } else { 200 }));
        }
    }

    pub fn called(d: usize, out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let f = |k: usize| if k > 90 { 3 } else { 200 };
            let s: u8 = f(i);
            out[i] = (f(i + 1) + 100) as u64 + s as u64;
        }
    }

    pub fn moved(d: usize, out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = (0..3).map(|k| if k > i { 3 } else { 200 });
            let a: u8 = it.next().unwrap();
            for v in it { out[i] += (v + 100) as u64 + a as u64; }
        }
    }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..64u32).map(|k| k.wrapping_mul(2654435761) >> 7).collect();
        let f: Vec<f32> = (0..64).map(|k| ((k * 37 % 101) as f32 - 50.0) * 0.25).collect();
        let mut out = [0; 20];
        call(d, &x, &f, &mut out);
        out
    };
    items_of_ranges items_that_closures_give items_that_are_pairs items_reversed items_by_name
    closures_by_name items_of_generators items_filtered items_chained closure_of_numbers
    closure_with_returns arguments arguments_of_options closure_of_pairs closure_of_options closure_of_arms
    closure_of_items closure_of_iterators closure_of_arrays objects least_numbers closure_that_changes
    closure_with_variables arguments_of_arrays moves_on cloned cloned_array generator_moves_on steps peeks
    pairs_move_on scan_moves_on
}

/// What overflows a `u8` fails.
#[test]
fn overflows() {
    on_every_device(|d| {
        for run in [device::taken, device::called, device::moved] {
            let failed = panic_of(|| run(d, &mut [0; 4])).expect("it overflows");
            assert!(failed.contains("overflow"), "{failed}");
        }
    });
}
