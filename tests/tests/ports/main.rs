//! Kernels of public suites, each written as its authors would write it in Rust for a CPU: with helpers, closures, iterators,
//! structs and enums. A directive stands over the loop, and nothing else is written for it. Each program runs with its directives on every
//! device, and without them.
#![allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    reason = "the programs are as their authors write them"
)]

/// Results of two ways to compute the same: equal but for the rounding of floats.
trait Near {
    fn near(&self, other: &Self) -> bool;
}

macro_rules! floats {
    ($($t:ident $tolerance:literal)*) => { $(impl Near for $t {
        fn near(&self, other: &Self) -> bool {
            self == other
                || self.is_nan() && other.is_nan()
                || (self - other).abs() <= $tolerance * self.abs().max(other.abs()).max(1.0)
        }
    })* };
}
floats!(f32 2e-4 f64 1e-9);

macro_rules! exact {
    ($($t:ty)*) => { $(impl Near for $t {
        fn near(&self, other: &Self) -> bool {
            self == other
        }
    })* };
}
exact!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool char);

impl<T: Near> Near for Vec<T> {
    fn near(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.near(b))
    }
}

impl<T: Near> Near for Option<T> {
    fn near(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.near(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Near, const N: usize> Near for [T; N] {
    fn near(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.near(b))
    }
}

impl<A: Near, B: Near> Near for (A, B) {
    fn near(&self, other: &Self) -> bool {
        self.0.near(&other.0) && self.1.near(&other.1)
    }
}

impl<A: Near, B: Near, C: Near> Near for (A, B, C) {
    fn near(&self, other: &Self) -> bool {
        self.0.near(&other.0) && self.1.near(&other.1) && self.2.near(&other.2)
    }
}

impl<A: Near, B: Near, C: Near, D: Near> Near for (A, B, C, D) {
    fn near(&self, other: &Self) -> bool {
        self.0.near(&other.0) && self.1.near(&other.1) && self.2.near(&other.2) && self.3.near(&other.3)
    }
}

/// A result of structs and enums, by its debug text: the words are equal, and the floats but for their rounding.
#[derive(Debug)]
struct Shown(String);

impl Shown {
    fn of(value: impl std::fmt::Debug) -> Self {
        Self(format!("{value:?}"))
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split(|c: char| "[](){}, :".contains(c)).filter(|word| !word.is_empty())
    }
}

impl Near for Shown {
    fn near(&self, other: &Self) -> bool {
        let float = |word: &str| word.parse::<f64>().ok().filter(|_| word.parse::<i128>().is_err());
        let same = |(a, b): (&str, &str)| match (float(a), float(b)) {
            _ if a == b => true,
            (Some(a), Some(b)) => (a as f32).near(&(b as f32)),
            _ => false,
        };
        self.words().count() == other.words().count() && self.words().zip(other.words()).all(same)
    }
}

/// What a program of `twice!` returns is the same on every device as without directives. `part of`: the host runs some of its regions.
macro_rules! port {
    ($name:ident: $run:expr) => {
        port!(@on_every_device $name: $run);
    };
    (part of $name:ident: $run:expr) => {
        port!(@on_every_device_in_part $name: $run);
    };
    (@$on:ident $name:ident: $run:expr) => {
        #[test]
        fn $name() {
            let plain = {
                use plain::*;
                $run
            };
            omp_tests::$on(|d| {
                omp::set_default_device(d);
                let got = {
                    use device::*;
                    $run
                };
                assert!($crate::Near::near(&got, &plain), "device {d}: {got:?} is not {plain:?}");
            });
        }
    };
}

// A plain `cargo test` runs these fields; the gate runs all, by the feature `all-ports`.
mod databases;
mod finance;
mod graphs;
mod loop_suites;
mod statistics;
mod text;

#[cfg(feature = "all-ports")]
mod bioinformatics;
#[cfg(feature = "all-ports")]
mod climate_and_earth;
#[cfg(feature = "all-ports")]
mod compression_and_codes;
#[cfg(feature = "all-ports")]
mod cryptography;
#[cfg(feature = "all-ports")]
mod finite_elements;
#[cfg(feature = "all-ports")]
mod fluids;
#[cfg(feature = "all-ports")]
mod games_and_automata;
#[cfg(feature = "all-ports")]
mod geometry;
#[cfg(feature = "all-ports")]
mod hashing;
#[cfg(feature = "all-ports")]
mod heat_and_stencils;
#[cfg(feature = "all-ports")]
mod images;
#[cfg(feature = "all-ports")]
mod learning;
#[cfg(feature = "all-ports")]
mod linear_algebra;
#[cfg(feature = "all-ports")]
mod molecular_dynamics;
#[cfg(feature = "all-ports")]
mod numbers;
#[cfg(feature = "all-ports")]
mod ode_and_chemistry;
#[cfg(feature = "all-ports")]
mod particles_and_bodies;
#[cfg(feature = "all-ports")]
mod quantum_and_lattice;
#[cfg(feature = "all-ports")]
mod rendering;
#[cfg(feature = "all-ports")]
mod searches_and_optimisation;
#[cfg(feature = "all-ports")]
mod signals;
#[cfg(feature = "all-ports")]
mod sparse;
#[cfg(feature = "all-ports")]
mod transport;
