//! Random bodies on random data: each runs as the plain loop that rustc compiles, on the host backend and on every
//! device; integers and floats are compared exactly (a NaN is any NaN), for floats are strict and have `+ - * /` only.
use omp_tests::bodies;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// How many bodies are committed.
const BODIES: u64 = 40;
/// Data sets for each.
const CASES: u32 = 6;

#[rustfmt::skip]
#[allow(warnings, clippy::all, reason = "nobody wrote it")]
#[path = "random_bodies/generated.rs"]
mod generated;

/// What is compared.
trait Element: Copy + std::fmt::Debug {
    fn any() -> BoxedStrategy<Self>;
    fn same(self, other: Self) -> bool;
}

macro_rules! elements {
    ($($t:ident: $any:expr, $same:expr;)*) => { $(
        impl Element for $t {
            fn any() -> BoxedStrategy<Self> {
                $any.boxed()
            }
            fn same(self, other: Self) -> bool {
                $same(self, other)
            }
        }
    )* };
    ($($t:ident)*) => {
        elements! { $($t: prop_oneof![any::<$t>(), Just($t::MIN), Just($t::MAX), Just(0), Just(1)], |a, b| a == b;)* }
    };
}
elements! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
elements! {
    f32: prop_oneof![proptest::num::f32::ANY, -300.0f32..300.0], |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    f64: prop_oneof![proptest::num::f64::ANY, -300.0f64..300.0], |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
}

fn compare<T: Element>(what: &str, got: &[T], want: &[T]) {
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert!(got.same(*want), "{what}[{i}] is {got:?}, not {want:?}");
    }
}

/// `n` elements.
fn data<T: Element>(n: usize) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(T::any(), n)
}

/// The same data every time, and no files of failures.
fn runner() -> TestRunner {
    TestRunner::new(Config {
        cases: CASES,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 40,
        ..Config::default()
    })
}

macro_rules! case {
    ($name:ident: $a:ident $b:ident $c:ident $y:ident $z:ident) => {
        #[test]
        fn $name() {
            use super::{Element, data};
            use proptest::prelude::*;
            let sizes = prop_oneof![Just(1usize), Just(64), 0usize..200];
            let all = sizes.prop_flat_map(|n| {
                (data::<$a>(n), data::<$b>(n), data::<$c>(n), $b::any(), data::<$y>(n), data::<$z>(n))
            });
            let outcome = super::runner().run(&all, |(a, b, c, s, y, z)| {
                let (mut y0, mut z0) = (y.clone(), z.clone());
                $name::serial(&a, &b, &c, s, &mut y0, &mut z0);
                omp_tests::on_every_device(|d| {
                    let (mut y, mut z) = (y.clone(), z.clone());
                    $name::device(d, &a, &b, &c, s, &mut y, &mut z);
                    super::compare(&format!("device {d}: y"), &y, &y0);
                    super::compare(&format!("device {d}: z"), &z, &z0);
                });
                Ok(())
            });
            outcome.unwrap_or_else(|e| panic!("{e}"));
        }
    };
}
use case;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/random_bodies/generated.rs");

#[test]
fn the_bodies_are_the_generators() {
    let committed = std::fs::read_to_string(FILE).expect("the bodies");
    assert!(
        committed == bodies::file(BODIES),
        "run `cargo test -p omp-tests --test programs -- --ignored random_bodies`"
    );
}

#[test]
#[ignore = "writes a source file"]
fn make_the_bodies() {
    std::fs::write(FILE, bodies::file(BODIES)).expect("it can be written");
}
