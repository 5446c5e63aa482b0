//! Enums with data whose layout is rustc's own: tags of each width, generic ones, and what holds them.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compared, twice};

twice! {
    // Tags of 1, 2, 4 and 8 bytes.
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Law { Zero, Linear(f64), Arrhenius { a: f64, b: f64, e: f64 }, Table([f32; 3], u8), Flag(u8) }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Half { A(u16), B([i16; 3]), C(u16, u32) }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Word { None, Float(f32), Pair { x: u32, y: [i32; 2] } }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Wide { A(u64), B(i64, f64) }

    // The fields of a variant in another order than that of the source, and fields without a size.
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Mixed { Unit((u8, i8)), Many { b: u8, l: u64, s: u16, c: i8, w: u32 }, Two(u32, u8), Empty([u64; 0]) }

    // A field without a size is aligned, and so is the tag before it.
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Zero { X([u16; 0]), Y(u32), Z }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Of<T, const N: usize> { Many([T; N]), One { value: T }, Nothing }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Holder { pub before: u8, pub word: Word, pub kept: Option<Half>, pub flag: bool }

    pub const LAWS: [Law; 5] = [
        Law::Zero,
        Law::Linear(2.0),
        Law::Arrhenius { a: 3.0, b: 0.5, e: 1.25 },
        Law::Table([1.0, 2.5, -4.0], 2),
        Law::Flag(9),
    ];

    #[omp::declare_target]
    impl Law {
        pub fn rate(&self, t: f64) -> f64 {
            match self {
                Law::Zero => 0.0,
                Law::Linear(k) => k * t,
                Law::Arrhenius { a, b, e } => a * t * b - e,
                Law::Table(of, k) => of[*k as usize] as f64 + t,
                Law::Flag(n) => *n as f64,
            }
        }

        pub fn next(self) -> Self {
            match self {
                Law::Zero => Law::Flag(1),
                Law::Flag(n) if n > 8 => Law::Table([n as f32, 0.5, 1.0], n % 3),
                Law::Flag(n) => Law::Flag(n + 4),
                Law::Table([a, b, c], k) => Law::Arrhenius { e: a as f64, a: b as f64, b: (c as f64) + k as f64 },
                Law::Arrhenius { a, .. } => Law::Linear(a),
                Law::Linear(_) => Law::Zero,
            }
        }
    }

    pub fn tag_of_a_byte(d: usize) -> (Vec<f64>, Vec<Law>, u32) {
        let mut laws: Vec<Law> = (0..37).map(|i| LAWS[i * 3 % 5]).collect();
        let mut y = vec![0.0; 37];
        let mut equal = 0;
        let chosen = LAWS[2];
        #[omp::target(device(d), reduction(+: equal))]
        for (i, (law, y)) in laws.iter_mut().zip(&mut y).enumerate() {
            *y = law.rate(i as f64) + chosen.rate(2.0) + LAWS[i % 5].rate(0.5);
            if law.rate(1.0) == chosen.rate(1.0) {
                equal += 1;
            }
            *law = law.next();
            if let Law::Flag(n) = law {
                *n += 1;
            }
        }
        (y, laws, equal)
    }

    pub fn wider_tags(d: usize) -> (Vec<Half>, Vec<Word>, Vec<Wide>, Vec<i64>) {
        let mut half = vec![Half::A(7), Half::B([1, -2, 3]), Half::C(9, 70_000), Half::A(65_535)];
        let mut word = vec![Word::None, Word::Float(1.5), Word::Pair { x: 5, y: [-1, 1 << 30] }, Word::Float(f32::INFINITY)];
        let mut wide = vec![Wide::A(1 << 40), Wide::B(-3, 0.5), Wide::A(0), Wide::B(i64::MIN, -0.25)];
        let mut y = vec![0; 4];
        #[omp::target(device(d))]
        for i in 0..4 {
            half[i] = match half[i] {
                Half::A(v) => { y[i] += v as i64; Half::C(v, v as u32 + 1) }
                Half::B([a, b, c]) => { y[i] -= (a * b * c) as i64; Half::A(c as u16) }
                Half::C(a, b) => Half::B([a as i16, b as i16, -1]),
            };
            word[i] = match word[i] {
                Word::None => Word::Pair { x: i as u32, y: [3, 4] },
                Word::Float(v) if v > 2.0 => Word::None,
                Word::Float(v) => Word::Float(-v),
                Word::Pair { x, y: [a, b] } => { y[i] += a as i64 * b as i64; Word::Float(x as f32) }
            };
            match &mut wide[i] {
                Wide::A(v) => { *v += 1; y[i] ^= *v as i64; }
                other => if let Wide::B(n, f) = *other { *other = Wide::A((n as f64 * f).abs() as u64 % 1000) },
            }
        }
        (half, word, wide, y)
    }

    pub fn without_a_size(d: usize) -> Vec<Zero> {
        let mut all = vec![Zero::X([]), Zero::Y(1 << 20), Zero::Z, Zero::Y(7)];
        #[omp::target(device(d))]
        for z in &mut all {
            *z = match *z {
                Zero::X(_) => Zero::Y(5),
                Zero::Y(v) if v > 9 => Zero::Z,
                Zero::Y(v) => Zero::Y(v * 3),
                Zero::Z => Zero::X([]),
            };
        }
        all
    }

    pub fn mixed(d: usize) -> (Vec<Mixed>, u64) {
        let mut all: Vec<Mixed> = (0..50u8)
            .map(|i| match i % 4 {
                0 => Mixed::Unit((i, -3)),
                1 => Mixed::Many { b: i, l: u64::MAX - i as u64, s: 300 + i as u16, c: -(i as i8), w: 1 << 31 },
                2 => Mixed::Two(i as u32 * 1_000_000, i),
                _ => Mixed::Empty([]),
            })
            .collect();
        let mut sum = 0u64;
        #[omp::target(device(d), reduction(^: sum))]
        for m in &mut all {
            sum ^= match *m {
                Mixed::Unit((v, w)) => (v as i64 * w as i64) as u64,
                Mixed::Many { b, l, s, c, w } => {
                    *m = Mixed::Many { w: w + 1, c: c + 1, s, l: l - 1, b: b ^ 0xff };
                    (l % 97) + s as u64 + b as u64
                }
                Mixed::Two(a, b) => { *m = Mixed::Unit((b, a as i8)); a as u64 }
                Mixed::Empty(_) => { *m = Mixed::Two(77, 3); 1 }
            };
        }
        (all, sum)
    }

    #[omp::declare_target]
    pub fn total<T: omp::Device + std::ops::Add<Output = T>, const N: usize>(of: Of<T, N>, zero: T) -> T {
        match of {
            Of::Many(all) => all.iter().fold(zero, |a, b| a + *b),
            Of::One { value } => value,
            Of::Nothing => zero,
        }
    }

    #[omp::offload]
    pub fn totals<T: omp::Device + std::ops::Add<Output = T>, const N: usize>(d: usize, of: &mut [Of<T, N>], y: &mut [T], zero: T) {
        #[omp::target(device(d))]
        for i in 0..of.len() {
            y[i] = total(of[i], zero);
            of[i] = if i % 2 == 0 { Of::One { value: y[i] } } else { Of::Nothing };
        }
    }

    pub fn generic(d: usize) -> (Vec<u8>, Vec<Of<u8, 5>>, Vec<f32>, Vec<Of<f32, 1>>, Vec<f64>, Vec<Of<f64, 2>>) {
        let mut bytes = vec![Of::Many([1u8, 2, 3, 4, 5]), Of::One { value: 6 }, Of::Nothing];
        let mut floats = vec![Of::Nothing, Of::Many([2.5f32]), Of::One { value: -1.0 }];
        let mut doubles = vec![Of::One { value: 0.5f64 }, Of::Nothing, Of::Many([3.0, 4.0])];
        let (mut a, mut b, mut c) = (vec![0; 3], vec![0.0; 3], vec![0.0; 3]);
        totals(d, &mut bytes, &mut a, 0);
        totals(d, &mut floats, &mut b, 0.0);
        totals(d, &mut doubles, &mut c, 0.0);
        (a, bytes, b, floats, c, doubles)
    }

    pub fn held(d: usize) -> (Vec<Holder>, Option<Word>, Vec<(u8, Half)>) {
        let mut all: Vec<Holder> = (0..20)
            .map(|i| Holder {
                before: i as u8,
                word: if i % 3 == 0 { Word::None } else { Word::Float(i as f32) },
                kept: (i % 4 != 1).then_some(Half::B([i, -i, 2])),
                flag: i % 5 == 0,
            })
            .collect();
        let mut last = None;
        let mut pairs = vec![(0u8, Half::A(0)); 20];
        #[omp::target(device(d), lastprivate(last))]
        for i in 0..20 {
            let h = &mut all[i];
            pairs[i] = (h.before + 1, h.kept.unwrap_or(Half::C(1, 2)));
            h.kept = match h.kept {
                Some(Half::B([a, ..])) if a > 9 => None,
                Some(other) => Some(other),
                None => Some(Half::A(i as u16)),
            };
            if h.flag {
                h.word = Word::Pair { x: 1, y: [i as i32; 2] };
            }
            last = if i % 2 == 1 { Some(h.word) } else { None };
        }
        (all, last, pairs)
    }
}

compared! {
    |d, call| format!("{:?}", call(d));
    tag_of_a_byte wider_tags without_a_size mixed generic held
}
