//! Structs that own arrays under names whose types are written nowhere: chosen by an `if` or a `match`, parts of tuples, elements of
//! arrays of such structs that a loop of the host goes through.
#![forbid(unsafe_code)]
use omp_tests::{on_every_device, twice};

twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct Level {
        pub width: usize,
        pub data: Vec<f32>,
    }

    #[omp::declare_target]
    impl Level {
        fn at(&self, x: usize, y: usize) -> f32 {
            self.data[y * self.width + x]
        }
    }

    #[derive(omp::Mapper)]
    pub struct Fields {
        pub old: Level,
        pub new: Level,
        pub out: Vec<f32>,
    }

    impl Fields {
        pub fn chosen(&mut self, d: usize, forward: bool, turn: u8) {
            let (a, b) = if forward { (&self.old, &self.new) } else { (&self.new, &self.old) };
            let c = match turn {
                0 => &self.old,
                _ => {
                    let last = &self.new;
                    last
                }
            };
            #[omp::target(device(d))]
            for i in 0..self.out.len() {
                let (x, y) = (i % a.width, i / a.width);
                self.out[i] = a.at(x, y) - 2.0 * b.at(x, y) + 0.5 * c.at(x, y);
            }
        }

        pub fn in_region(&mut self, d: usize, forward: bool, turn: u8) {
            #[omp::target(device(d))]
            for i in 0..self.out.len() {
                let (a, k) = (&self.old, i % 2);
                let b = if forward { &self.new } else { &self.old };
                let c = match turn {
                    0 if i < 3 => &self.old,
                    _ => &self.new,
                };
                let (old, first) = (&self.new, a.at(k, 1));
                self.out[i] += first - 2.0 * b.at(i % b.width, k) + 0.5 * c.data[i] + old.data[1];
            }
        }
    }

    pub fn pyramids(d: usize, left: &[Level], right: &[Level], sums: &mut [f32]) {
        for (k, (a, b)) in left.iter().zip(right).enumerate() {
            #[omp::target(device(d))]
            for i in 0..sums.len() {
                sums[i] += a.at(i % a.width, 1) * b.at(i % b.width, 0) + k as f32;
            }
        }
        for level in left {
            #[omp::target(device(d))]
            for s in sums.iter_mut() {
                *s += level.at(level.width - 1, 0);
            }
        }
        for k in (0..right.len()).rev() {
            let (a, b): (&Level, &Level) = (&left[k], &right[k]);
            #[omp::target(device(d))]
            for (i, s) in sums.iter_mut().enumerate() {
                *s -= a.at(0, i % 2) / (1.0 + b.at(0, 1));
            }
        }
    }
}

/// Runs a program of one of the modules.
macro_rules! run {
    ($m:ident, $d:expr) => {{
        let level = |width: usize, from: f32| $m::Level {
            width,
            data: (0..2 * width).map(|i| from + (i * 7 % 13) as f32).collect(),
        };
        let mut all = Vec::new();
        for (forward, turn) in [(true, 0), (false, 1), (true, 2)] {
            let mut fields = $m::Fields { old: level(5, 1.0), new: level(5, 3.5), out: vec![0.0; 10] };
            fields.chosen($d, forward, turn);
            fields.in_region($d, forward, turn);
            all.extend(fields.out);
        }
        let (left, right) =
            ([level(4, 0.0), level(3, 2.0), level(2, 5.0)], [level(3, 1.0), level(6, 0.5), level(2, 4.0)]);
        let mut sums = vec![1.0; 9];
        $m::pyramids($d, &left, &right, &mut sums);
        all.extend(sums);
        all
    }};
}

#[test]
fn structs_under_names_without_types() {
    let want = run!(plain, 0);
    on_every_device(|d| assert_eq!(run!(device, d), want, "on device {d}"));
}
