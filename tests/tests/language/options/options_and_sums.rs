//! Fields that are `Option`s and are iterated, options in chains, sums by the type of the items, own subscripts in `matches!` and
//! `assert!`, `self` by value as a whole, and named iterators with parts, states and options.
#![allow(clippy::all, clippy::pedantic, missing_docs, for_loops_over_fallibles)]
use omp_tests::{compare, panic_of, twice};

twice! {
    use std::iter::Sum;
    use std::ops::{Add, Index, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Post {
        pub near: Option<u32>,
        pub far: Option<u32>,
        pub slots: [Option<u32>; 3],
    }
    #[omp::declare_target]
    fn held(p: &Post) -> u32 {
        let mut s = 0;
        for v in p.near {
            s += v;
        }
        for &v in p.far.iter() {
            if v > 5 {
                continue;
            }
            s += 10 * v;
        }
        for v in &p.near {
            s += 100 * v;
        }
        s + p.far.into_iter().map(|v| 1000 * v).sum::<u32>()
            + p.slots.iter().flatten().count() as u32
            + p.slots.iter().filter(|s| s.is_some()).count() as u32
    }
    #[omp::offload]
    pub fn posts(p: &mut [Post], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut q = p[i];
            let mut s = 0;
            // The option is taken before the first item.
            for v in [1u32, 2].into_iter().chain(q.near).chain(q.far.map(|v| v + 1)) {
                s = s * 3 + v;
                q.near = Some(50);
                q.far = None;
            }
            for v in (0..2).chain(Some(s % 7)) {
                s += v;
            }
            out[i] = s + held(&p[i]);
            p[i] = q;
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Rgb(pub [f32; 3]);
    #[omp::declare_target]
    impl Add for Rgb {
        type Output = Rgb;
        fn add(self, o: Rgb) -> Rgb {
            Rgb([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
        }
    }
    #[omp::declare_target]
    impl Mul<f32> for Rgb {
        type Output = Rgb;
        fn mul(self, k: f32) -> Rgb {
            Rgb(self.0.map(|v| v * k))
        }
    }
    impl Sum for Rgb {
        fn sum<I: Iterator<Item = Rgb>>(items: I) -> Rgb {
            items.fold(Rgb::default(), |a, b| a + b)
        }
    }
    const KERNEL: [f32; 3] = [0.25, 0.5, 0.25];
    #[omp::offload]
    pub fn blurred(x: &[Rgb], y: &mut [Rgb]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = KERNEL.iter().enumerate().map(|(k, &g)| x[(i + k) % x.len()] * g).sum();
        }
    }

    pub struct Grid<T> {
        pub w: usize,
        pub data: Vec<T>,
    }
    #[omp::declare_target]
    impl<T: omp::Device> Index<(usize, usize)> for Grid<T> {
        type Output = T;
        fn index(&self, (x, y): (usize, usize)) -> &T {
            &self.data[y * self.w + x]
        }
    }
    #[omp::offload]
    pub fn matched(g: &Grid<Option<f32>>, limit: f32, out: &mut [u8]) {
        #[omp::target]
        for i in 0..out.len() {
            assert!(g[(i, 0)] != Some(-1.0), "{}", i);
            out[i] = match g[(i, 0)] {
                Some(v) if matches!(g[(i, 1)], Some(w) if w > v && g[(i, 1)] != Some(limit)) => 2,
                _ if matches!(g[(i, 1)], None | Some(0.0)) => 1,
                _ => 0,
            };
        }
    }

    #[omp::offload]
    pub fn asserted(g: &Grid<f32>, out: &mut [f32]) {
        #[omp::target]
        for i in 0..out.len() {
            assert!(g[(i, 0)] > g[(i, 1)]);
            out[i] = g[(i, 0)];
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Rate {
        pub rate: f32,
        pub offset: f32,
    }
    #[omp::declare_target]
    fn blended(r: Rate, v: f32) -> f32 {
        v * r.offset
    }
    #[omp::declare_target]
    impl Rate {
        fn step(&self, v: f32) -> f32 {
            v - self.rate
        }
    }
    #[omp::offload]
    impl Rate {
        pub fn update(self, p: &mut [f32]) -> Self {
            #[omp::target]
            for v in p.iter_mut() {
                *v += self.step(*v) + blended(self, *v) + self.offset;
            }
            self
        }
        pub fn updated(mut self, p: &mut [f32]) {
            self.rate *= 2.0;
            #[omp::target]
            for v in p.iter_mut() {
                *v = self.step(*v);
            }
            self.offset = self.rate;
            #[omp::target]
            for v in p.iter_mut() {
                *v = blended(self, *v);
            }
        }
    }

    #[derive(Clone, Copy, PartialEq, omp::Device)]
    #[repr(u8)]
    enum Word {
        Gap,
        In(u32),
    }
    #[omp::declare_target]
    impl Word {
        fn feed(&mut self, byte: u8) -> Option<u32> {
            match (*self, byte) {
                (Word::Gap, b' ') => None,
                (Word::In(n), b' ') => {
                    *self = Word::Gap;
                    Some(n)
                }
                (Word::Gap, b) => {
                    *self = Word::In(b as u32);
                    None
                }
                (Word::In(n), b) => {
                    *self = Word::In(n * 31 + b as u32);
                    None
                }
            }
        }
    }
    const END: [u8; 1] = [b' '];
    #[omp::offload]
    pub fn words(text: &[u8], lines: &[(usize, usize)], sums: &mut [(u32, u32)]) {
        #[omp::target]
        for (s, &(from, to)) in sums.iter_mut().zip(lines) {
            let found = text[from..to].iter().chain(END.iter()).scan(Word::Gap, |w, &b| Some(w.feed(b))).flatten();
            let (mut all, mut n) = (0u32, 0);
            for word in found {
                all = all.wrapping_add(word);
                n += 1;
            }
            *s = (all, n);
        }
    }
    /// The range is checked where the name is bound, whether the iterator is used or not.
    #[omp::offload]
    pub fn large(x: &[f32], limit: f32, n: usize, out: &mut [f32]) {
        #[omp::target]
        for i in 0..out.len() {
            let part = x[i..i + n].iter();
            if x[i] > limit {
                out[i] = part.sum::<f32>();
            }
        }
    }
    #[omp::offload]
    pub fn kept(x: &[f32], keep: &[bool], out: &mut [(f32, u32)]) {
        #[omp::target]
        for i in 0..out.len() {
            let flags = &keep[i..i + 3];
            let left = x[i..i + 3].iter().zip(flags).filter(|&(_, &k)| k).map(|(v, _)| *v);
            let n = flags.iter().filter(|&&k| k).count();
            let sum = left.fold(0.0, |sum, v| sum + v);
            out[i] = (sum, n as u32);
        }
    }
}

#[test]
fn optional_fields_are_iterated() {
    let some = |v: u32, i: u32| (i % v != 0).then_some(i);
    let posts: Vec<_> =
        (0..40).map(|i| (some(3, i), some(4, i % 9), [some(2, i), None, some(5, i)])).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        let mut p: Vec<_> = posts.iter().map(|&(near, far, slots)| m::Post { near, far, slots }).collect();
        let mut out = vec![0; p.len()];
        m::posts(&mut p, &mut out);
        (out, p.iter().map(|p| (p.near, p.far, p.slots)).collect::<Vec<_>>())
    });
}

#[test]
fn sums_are_found_by_their_items() {
    for n in [1, 5, 64] {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<_> = (0..n).map(|i| m::Rgb([i as f32, 1.0, (i % 3) as f32])).collect();
            let mut y = vec![m::Rgb::default(); n];
            m::blurred(&x, &mut y);
            y.iter().map(|v| v.0).collect::<Vec<_>>()
        });
    }
}

#[test]
fn own_subscripts_stand_in_matches() {
    let data = vec![Some(1.0), None, Some(2.0), Some(3.0), Some(2.0), None, Some(9.0), Some(0.0)];
    compare!(m, d => {
        omp::set_default_device(d);
        let g = m::Grid { w: 4, data: data.clone() };
        let mut out = [7; 4];
        m::matched(&g, 9.0, &mut out);
        out
    });
}

#[test]
fn a_failed_assert_shows_its_condition_as_written() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut g = m::Grid { w: 3, data: vec![1.0, 2.0, 3.0, 0.5, 1.5, 2.5] };
        let mut out = [0.0; 3];
        m::asserted(&g, &mut out);
        assert_eq!(out, [1.0, 2.0, 3.0]);
        g.data[4] = 9.0;
        let text = panic_of(|| m::asserted(&g, &mut out)).unwrap_or_default();
        assert!(text.contains("assertion failed: g[(i, 0)] > g[(i, 1)]"), "{text}");
    });
}

#[test]
fn methods_that_own_self_use_it_as_a_whole() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut p: Vec<f32> = (0..33).map(|i| i as f32).collect();
        let rate = m::Rate { rate: 0.5, offset: 2.0 }.update(&mut p);
        rate.updated(&mut p);
        (p, rate.rate)
    });
}

#[test]
fn named_iterators_have_parts_states_and_options() {
    let text = b"to be or not  to be that";
    let x: Vec<f32> = (0..20).map(|i| i as f32).collect();
    let keep: Vec<bool> = (0..20).map(|i| i % 3 != 1).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        let mut sums = [(0, 0); 4];
        m::words(text, &[(0, 5), (6, 6), (6, 24), (12, 14)], &mut sums);
        let mut out = [(0.0, 0); 18];
        m::kept(&x, &keep, &mut out);
        (sums, out)
    });
}

#[test]
fn named_parts_are_checked_where_they_are_bound() {
    let x: Vec<f32> = (0..20).map(|i| i as f32).collect();
    for (limit, n, fails) in [(9.0, 5, false), (9.0, 6, true), (99.0, 6, true)] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut out = [0.5; 16];
            let failed = panic_of(|| m::large(&x, limit, n, &mut out)).is_some();
            assert_eq!(failed, fails);
            if failed { None } else { Some(out) }
        });
    }
}
