//! Variants without data of generic enums, in patterns and as values: the subject, or where the value stands, tells the parameters.
#![allow(clippy::match_like_matches_macro, reason = "patterns in every place are what is tested")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, omp::Device)]
#[repr(u8)]
enum Slot<T> {
    Empty,
    Full(T),
    Both { a: T, b: u32 },
}

#[derive(Clone, Copy, PartialEq, omp::Device)]
enum Kind {
    Red,
    Blue,
    G,
}

#[allow(non_upper_case_globals, reason = "spelled as a variant")]
impl Kind {
    const Base: Self = Self::Blue;
    const TOP: Self = Self::G;
}

#[derive(Clone, Copy, omp::Device)]
struct Cell<T> {
    s: Slot<T>,
    k: Kind,
    t: (Slot<u8>, u32),
}

#[omp::declare_target]
impl<T: omp::Device> Slot<T> {
    fn is_empty(&self) -> bool {
        match self {
            Slot::Empty => true,
            _ => false,
        }
    }
    fn code(&self) -> u32 {
        match *self {
            Self::Empty => 0,
            Self::Full(_) => 1,
            Self::Both { b, .. } => b,
        }
    }
    fn reset(&mut self) {
        *self = Slot::Empty;
    }
    fn fresh() -> Self {
        Self::Empty
    }
    fn opt(&self) -> Option<Slot<u32>> {
        match self {
            Slot::Empty => None,
            Slot::Full(_) => Some(Slot::Empty),
            Slot::Both { b, .. } => Some(Slot::Full(*b)),
        }
    }
}

#[omp::declare_target]
fn number<T: omp::Device>(c: &Cell<T>, n: u32) -> u32 {
    let a = match c.s {
        Slot::Empty => 1,
        Slot::Full(_) => 2,
        Slot::Both { b, .. } => b,
    };
    let b = match &c.t {
        (Slot::Empty, 3) => 10,
        (Slot::Empty | Slot::Full(7), _) => 20,
        _ => 30,
    };
    let d = match (c.k, n) {
        (Kind::Red, _) => 100,
        (Kind::Base, 0) => 200,
        (Kind::TOP, x) => x,
        _ => 300,
    };
    let e = if let Cell { s: Slot::Empty, k: Kind::Red, .. } = c { 1000 } else { 0 };
    let g = match c.s.opt() {
        Some(Slot::Empty) => 10_000,
        Some(Slot::Full(x)) => x,
        None => 20_000,
        _ => 0,
    };
    let mut h = Slot::Full(n);
    if n == 1 {
        h = Slot::Empty;
    }
    let h = match h {
        Slot::Empty => 5,
        Slot::Full(v) if v > 2 => 6,
        Slot::Full(_) | Slot::Both { .. } => 7,
    };
    a + b + d + e + g + h + u32::from(c.s.is_empty()) + c.s.code()
}

fn step<T: omp::Device>(c: &mut Cell<T>, i: usize) -> u32 {
    let n = number(c, i as u32);
    match c.s {
        Slot::Empty => c.k = Kind::Base,
        Slot::Full(v) => c.s = Slot::Both { a: v, b: 9 },
        Slot::Both { .. } => c.s = Slot::fresh(),
    }
    if i == 2 {
        c.s.reset();
    }
    n
}

#[omp::offload]
fn run<T: omp::Device>(c: &mut [Cell<T>], y: &mut [u32], d: usize) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = number(&c[i], i as u32);
        match c[i].s {
            Slot::Empty => c[i].k = Kind::Base,
            Slot::Full(v) => c[i].s = Slot::Both { a: v, b: 9 },
            Slot::Both { .. } => c[i].s = Slot::fresh(),
        }
        let mut z = c[i].s;
        if i == 2 {
            z.reset();
            c[i].s = z;
        }
    }
}

#[test]
fn the_subject_tells_the_parameters() {
    on_every_device(|d| {
        let mut cells = vec![];
        for (j, s) in [Slot::Empty, Slot::Full(2.5f64), Slot::Both { a: 1.0, b: 77 }, Slot::Full(0.0)]
            .into_iter()
            .enumerate()
        {
            for (l, k) in [Kind::Red, Kind::Blue, Kind::G].into_iter().enumerate() {
                let t = (if l == 1 { Slot::Full(7) } else { Slot::Empty }, j as u32 + 2);
                cells.push(Cell { s, k, t });
            }
        }
        let mut plain = cells.clone();
        for _ in 0..3 {
            let want: Vec<u32> = plain.iter_mut().enumerate().map(|(i, c)| step(c, i)).collect();
            let mut y = vec![0; cells.len()];
            run(&mut cells, &mut y, d);
            assert_eq!(y, want);
            assert!(cells.iter().zip(&plain).all(|(a, b)| a.s.code() == b.s.code() && a.k == b.k));
        }
    });
}

#[omp::offload]
fn values(y: &mut [Slot<f32>], z: &[Slot<u8>], d: usize) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = if i % 2 == 0 { Slot::Full(i as f32) } else { Slot::Empty };
        if let Slot::Empty = z[i] {
            y[i] = Slot::Both { a: 0.5, b: 3 };
        } else if matches!(y[i], Slot::Empty) {
            let other = if i == 3 { Slot::<u16>::Empty } else { Slot::Full(4) };
            y[i] = match other {
                Slot::Empty => Slot::Empty,
                Slot::Full(v) => Slot::Full(f32::from(v)),
                Slot::Both { .. } => Slot::Empty,
            };
        }
    }
}

#[test]
fn two_instances_in_one_body() {
    on_every_device(|d| {
        let mut y = [Slot::Empty; 6];
        let z = [Slot::Empty, Slot::Full(1), Slot::Full(2), Slot::Full(3), Slot::Empty, Slot::Full(5)];
        values(&mut y, &z, d);
        let told = y.map(|s| match s {
            Slot::Empty => -1.0,
            Slot::Full(v) => v,
            Slot::Both { a, b } => a + b as f32,
        });
        assert_eq!(told, [3.5, 4.0, 2.0, -1.0, 3.5, 4.0]);
    });
}
