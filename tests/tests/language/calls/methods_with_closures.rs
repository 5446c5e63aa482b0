//! Methods of device types that take closures; searches in sorted arrays; options of elements with another value; and methods of
//! the user's with the names of std's.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Rgb { r: f32, g: f32, b: f32 }

    #[omp::declare_target]
    impl Rgb {
        fn apply(self, f: impl Fn(f32) -> f32) -> Self { Rgb { r: f(self.r), g: f(self.g), b: f(self.b) } }
        fn update<F: Fn(f32) -> f32>(&mut self, f: F) {
            self.r = f(self.r);
            self.g = f(self.g);
        }
        fn folded<F>(&self, init: f32, f: F) -> f32
        where
            F: Fn(f32, f32) -> f32,
        {
            let mut acc = init;
            for c in [self.r, self.g, self.b] {
                if c > 1e6 { return acc; }
                acc = f(acc, c);
            }
            acc
        }
        fn total(&self) -> f32 { self.folded(0.0, |a, b| a + b) }
        fn root(self) -> Self { self.apply(|c| c.sqrt()) }
        // std's names.
        fn map(self, k: f32) -> Self { Rgb { r: self.r * k, ..self } }
        fn filter(&self, k: f32) -> bool { self.r > k }
        fn len(&self) -> f32 { self.r + self.g }
        fn get(&self, i: usize) -> f32 { match i { 0 => self.r, 1 => self.g, _ => self.b } }
        fn first(&self) -> f32 { self.r }
        fn and_then(self, k: f32) -> f32 { self.g + k }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Pair<T> { x: T, y: T }

    #[omp::declare_target]
    impl<T: omp::Device> Pair<T> {
        fn both(self, f: impl Fn(T) -> T) -> Pair<T> { Pair { x: f(self.x), y: f(self.y) } }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Own { x: i32 }

    #[omp::declare_target]
    impl Own {
        /// An option's method by its name.
        fn map_or(self, other: i32, f: impl Fn(i32) -> i32) -> i32 { if self.x < 0 { other } else { f(self.x) } }
    }

    pub fn handed(n: usize, f: f32) -> (Vec<Rgb>, Vec<f32>, Vec<Pair<i32>>) {
        let image: Vec<Rgb> = (0..n).map(|i| Rgb { r: i as f32, g: 1.0, b: 2.0 }).collect();
        let pairs: Vec<Pair<i32>> = (0..n as i32).map(|i| Pair { x: i, y: -i }).collect();
        let mut out = vec![Rgb::default(); n];
        let mut sums = vec![0f32; n];
        let mut more = vec![Pair::default(); n];
        // A parameter of the method has this name, too.
        #[omp::target(map(to: image, pairs), map(from: out, sums, more))]
        for i in 0..n {
            let src = &image[i];
            let mut other = *src;
            other.update(|c| c + f);
            let mut calls = 0;
            out[i] = src.apply(|c| c * f);
            out[i].update(|c| c - 0.5);
            for k in 0..2 {
                calls += i32::from(image[(i + k) % n].folded(0.0, |a, b| a.max(b)) > 2.0);
            }
            sums[i] = out[i].total() + other.total() + image[i].apply(|c| c + 1.0).root().folded(1.0, f32::max) + calls as f32;
            more[i] = pairs[i].both(|v| v + 1).both(i32::abs);
        }
        (out, sums, more)
    }

    pub fn own_names(n: usize) -> (Vec<f32>, Vec<i32>) {
        let image: Vec<Rgb> = (0..n).map(|i| Rgb { r: i as f32, g: 1.0, b: 2.0 }).collect();
        let own: Vec<Own> = (0..n as i32).map(|i| Own { x: i - 3 }).collect();
        let mut out = vec![0f32; n];
        let mut ints = vec![0i32; n];
        #[omp::target(map(to: image, own), map(from: out, ints))]
        for ((dst, src), (k, o)) in out.iter_mut().zip(image.iter()).zip(ints.iter_mut().zip(own.iter())) {
            let m = src.map(2.0);
            let pass = if src.filter(3.0) { 1.0 } else { 0.0 };
            *dst = m.len() + pass + src.get(1) + src.first() + m.and_then(1.0);
            *k = o.map_or(7, |x| x * x);
        }
        (out, ints)
    }

    #[derive(Clone, Copy, Default, omp::Device)]
    struct Entry { key: u32, value: f32 }

    #[omp::declare_target]
    fn lower(a: &[f64], x: f64) -> usize { a.partition_point(|&v| v < x) }

    pub fn searched(n: usize) -> (Vec<usize>, Vec<f32>, Vec<usize>) {
        let table: Vec<f64> = (0..50).map(|i| i as f64 * 0.5).collect();
        let empty: Vec<f64> = vec![];
        let entries: Vec<Entry> = (0..33).map(|i| Entry { key: i * 2, value: i as f32 }).collect();
        let keys: Vec<u32> = (0..100).map(|i| (i * 7) % 64).collect();
        let x: Vec<f64> = (0..n).map(|i| i as f64 * 0.17 - 2.0).collect();
        let (mut at, mut e, mut f) = (vec![0usize; n], vec![0f32; n], vec![0usize; n]);
        #[omp::target(map(to: table, empty, x, entries, keys), map(from: at, e, f))]
        for i in 0..n {
            at[i] = lower(&table, x[i]) + table[10..20].partition_point(|v| *v <= x[i]) + lower(&empty, x[i]);
            let k = entries.partition_point(|t| t.key < i as u32);
            let mut asked = 0;
            e[i] = entries.get(k).map_or(-1.0, |t| t.value)
                + entries.get(i).map_or({ asked += 1; asked as f32 }, |t| t.value * 2.0)
                + asked as f32;
            let few = [1u32, 5, 9, i as u32];
            f[i] = keys.iter().filter(|x| few.contains(x)).count();
            if keys.iter().any(|x| few.contains(x)) { f[i] += 1000; }
        }
        (at, e, f)
    }

    /// What a struct behind a reference is taken apart into is iterated by reference.
    pub struct Deck { values: Vec<f32>, weights: Vec<Entry>, pairs: [Vec<i32>; 2] }

    pub fn taken_apart(deck: &Deck, out: &mut [f32]) {
        let Deck { values, weights, pairs } = deck;
        let [a, b] = pairs;
        #[omp::target(map(to: values, weights, a, b))]
        for (i, o) in out.iter_mut().enumerate() {
            let mut sum = (a[i] - b[i]) as f32;
            for v in values {
                for w in weights {
                    sum += *v * w.value + w.key as f32;
                }
            }
            *o = sum;
        }
    }

    pub fn run() -> (
        (Vec<Rgb>, Vec<f32>, Vec<Pair<i32>>),
        (Vec<f32>, Vec<i32>),
        (Vec<usize>, Vec<f32>, Vec<usize>),
        Vec<f32>,
    ) {
        let deck = Deck {
            values: vec![1.0, 2.0],
            weights: vec![Entry { key: 1, value: 0.5 }, Entry { key: 2, value: 4.0 }],
            pairs: [vec![5, 6, 7], vec![1, 1, 1]],
        };
        let mut out = vec![0.0; 3];
        taken_apart(&deck, &mut out);
        (handed(9, 2.0), own_names(9), searched(200), out)
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        let (handed, own, searched, apart) = m::run();
        (format!("{handed:?}"), own, searched, apart)
    });
}
