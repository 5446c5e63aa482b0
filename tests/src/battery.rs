//! The battery: many small loops, each on several types, run by the serial loop, the host, the reference interpreter and every
//! device of the machine, all of which have to agree.
//!
//! A loop is one line of a group in `tests/interpreter/battery/`:
//!
//! ```text
//! scaled [] { for i in 0..n { y[i] = a[i].wrapping_mul(s); } }
//! ```
//!
//! its name, further clauses of its directive, and the loop itself. It may use the names in the head of its group: `n`,
//! the inputs `a` (any values), `b` (small and above zero) and `at` (indices below `n`), the scalar `s` (small), the
//! arrays `y` and `z`, the scalar `r` (reduced), all with `n` elements of type `T`. A line may end in `= { … }`: the
//! serial loop, where it differs.
use crate::Values;

/// A type that loops run on.
pub trait Item: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// Any value, special ones among them.
    fn any(random: &mut Values) -> Self;
    /// A value from 1 to 9.
    fn small(random: &mut Values) -> Self;
    /// How many units in the last place lie between two values; nothing between NaNs; 0 for equal ones.
    fn ulps(self, other: Self) -> u64;
}

macro_rules! ints {
    ($($t:ty)*) => { $(
        impl Item for $t {
            fn any(random: &mut Values) -> Self {
                match random.bits() % 16 {
                    0 => Self::MIN,
                    1 => Self::MAX,
                    2 => 0,
                    _ => random.wide() as Self,
                }
            }
            // One spelling for all types, of which some are wider.
            #[allow(clippy::cast_lossless)]
            fn small(random: &mut Values) -> Self {
                (random.bits() % 9 + 1) as Self
            }
            fn ulps(self, other: Self) -> u64 {
                if self == other { 0 } else { u64::MAX }
            }
        }
    )* };
}
ints!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($t:ty, $bits:ty, $signed:ty;)*) => { $(
        impl Item for $t {
            fn any(random: &mut Values) -> Self {
                let unit = f64::from(random.bits()) / 2_147_483_648.0 - 1.0;
                match random.bits() % 24 {
                    0 => 0.0,
                    1 => -0.0,
                    2 => Self::INFINITY,
                    3 => Self::NEG_INFINITY,
                    4 => Self::NAN,
                    5 => Self::MAX,
                    6 => Self::MIN_POSITIVE,
                    7 => 0.5,
                    8 => -1.0,
                    9 | 10 => (unit * 1e6) as Self,
                    11 => (unit * 1e-6) as Self,
                    _ => (unit * 8.0) as Self,
                }
            }
            fn small(random: &mut Values) -> Self {
                (f64::from(random.bits() % 9 + 1) * 0.75) as Self
            }
            fn ulps(self, other: Self) -> u64 {
                if self == other || self.is_nan() && other.is_nan() {
                    return 0;
                }
                if self.is_nan() || other.is_nan() || self.is_infinite() || other.is_infinite() {
                    return u64::MAX;
                }
                let ordered = |v: Self| {
                    let bits = v.to_bits() as $signed;
                    i128::from(if bits < 0 { <$signed>::MIN.wrapping_sub(bits) } else { bits })
                };
                u64::try_from((ordered(self) - ordered(other)).unsigned_abs()).unwrap_or(u64::MAX)
            }
        }
    )* };
}
floats! { f32, u32, i32; f64, u64, i64; }

/// The data of one run.
#[derive(Clone)]
pub struct Data<T> {
    /// Any values.
    pub a: Vec<T>,
    /// Small ones.
    pub b: Vec<T>,
    /// Indices.
    pub at: Vec<u32>,
    /// A small one.
    pub s: T,
    /// An output.
    pub y: Vec<T>,
    /// An output.
    pub z: Vec<T>,
}

impl<T: Item> Data<T> {
    fn new(n: usize, seed: u64) -> Self {
        let mut random = Values(seed);
        // The first numbers of this generator are alike for like seeds.
        for _ in 0..4 {
            let _ = random.bits();
        }
        Self {
            a: (0..n).map(|_| T::any(&mut random)).collect(),
            b: (0..n).map(|_| T::small(&mut random)).collect(),
            at: (0..n).map(|_| random.bits() % n.max(1) as u32).collect(),
            s: T::small(&mut random),
            y: (0..n).map(|_| T::any(&mut random)).collect(),
            z: (0..n).map(|_| T::small(&mut random)).collect(),
        }
    }
}

/// A loop under its directive: device number, data; gives the reduced value.
pub type Annotated<T> = fn(usize, usize, &[T], &[T], &[u32], T, &mut [T], &mut [T]) -> T;
/// The same loop without.
pub type Plain<T> = fn(usize, &[T], &[T], &[u32], T, &mut [T], &mut [T]) -> T;

const LENGTHS: [usize; 5] = [0, 1, 7, 64, 300];

/// Compares the loops of a group on all devices; results may be `ulps` apart.
///
/// # Panics
/// When they differ, with the loop's name.
pub fn compare<T: Item>(ty: &str, ulps: u64, all: &[(&str, Annotated<T>, Plain<T>)]) {
    for (k, (name, annotated, plain)) in all.iter().enumerate() {
        for n in LENGTHS {
            let start = Data::<T>::new(n, (k * 1000 + n) as u64);
            let mut want = start.clone();
            let Data { a, b, at, s, y, z } = &mut want;
            let wanted = plain(n, a, b, at, *s, y, z);
            crate::on_every_device(|d| {
                let mut got = start.clone();
                let Data { a, b, at, s, y, z } = &mut got;
                let reduced = annotated(d, n, a, b, at, *s, y, z);
                let place = |what: &str| format!("`{name}` on {ty}, device {d}, n = {n}, {what}");
                near(reduced, wanted, ulps, &place("r"));
                for i in 0..n {
                    near(got.y[i], want.y[i], ulps, &place(&format!("y[{i}]")));
                    near(got.z[i], want.z[i], ulps, &place(&format!("z[{i}]")));
                }
            });
        }
    }
}

fn near<T: Item>(got: T, want: T, ulps: u64, place: &str) {
    let apart = got.ulps(want);
    assert!(apart <= ulps, "{place}: {got:?} where the serial loop has {want:?}, {apart} ulps apart");
}

/// A group of loops on some types: a test for each type. The head names what loops may use.
#[macro_export]
macro_rules! battery {
    (
        $group:ident($ulps:expr) on [$($t:ident)*] with $head:tt $all:tt
    ) => {
        mod $group {
            $(
                #[allow(unused, clippy::all, clippy::pedantic)]
                mod $t {
                    use super::super::*;
                    $crate::battery!(@type $t $head);
                    $crate::battery!(@loops $t $ulps, $head $all);
                }
            )*
        }
    };
    (@type $t:ident ($T:ident; $($rest:tt)*)) => { type $T = $t; };
    (@loops $t:ident $ulps:expr, $head:tt { $($name:ident [$($clause:tt)*] { $($loop:tt)* } $(= { $($serial:tt)* })?)* }) => {
        $( $crate::battery!(@one $head $name [$($clause)*] { $($loop)* } $({ $($serial)* })?); )*

        #[test]
        fn agree() {
            ::omp_runtime::device::registry::add_interpreter();
            $crate::battery::compare::<$t>(stringify!($t), $ulps, &[
                $((stringify!($name), $name::annotated, $name::plain)),*
            ]);
        }
    };
    (@one $head:tt $name:ident $clauses:tt $loop:tt) => {
        $crate::battery!(@one $head $name $clauses $loop $loop);
    };
    (
        @one ($T:ident; $n:ident, $a:ident, $b:ident, $at:ident, $s:ident, $y:ident, $z:ident, $r:ident)
        $name:ident [$($clause:tt)*] { $($loop:tt)* } { $($serial:tt)* }
    ) => {
        mod $name {
            use super::*;
            #[omp::offload]
            pub fn annotated(d: usize, $n: usize, $a: &[$T], $b: &[$T], $at: &[u32], $s: $T, $y: &mut [$T], $z: &mut [$T]) -> $T {
                let mut $r = $s;
                #[omp::target(device(d), fp(strict), $($clause)*)]
                $($loop)*
                $r
            }
            pub fn plain($n: usize, $a: &[$T], $b: &[$T], $at: &[u32], $s: $T, $y: &mut [$T], $z: &mut [$T]) -> $T {
                let mut $r = $s;
                $($serial)*
                $r
            }
        }
    };
}
