//! A stable radix sort of keys with payload: for each digit, the least one first, a scan counts how many elements before
//! this one have which digit, which tells where it goes. How many there are of each in all is counted once, before.
use clap::{Parser, ValueEnum};
use example_support::{hash, offloaded, timed};
use std::ops::Add;

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    U32,
    U64,
    F32,
}

/// Sorts keys with a payload, stably, on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Elements
    #[arg(short, long, default_value_t = 1 << 22)]
    n: usize,
    /// Type of the keys
    #[arg(short, long, value_enum, default_value = "u32")]
    keys: Kind,
    /// Different keys, at most; 0 for any
    #[arg(short, long, default_value_t = 0)]
    different: usize,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

/// Of a digit: as many as there are counts that a thread has room for.
const BITS: u32 = 2;
const DIGITS: usize = 1 << BITS;

/// How many elements have which digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Counts {
    zeros: u32,
    ones: u32,
    twos: u32,
    threes: u32,
}

#[omp::declare_reduction(+: Counts, identity = Counts { zeros: 0, ones: 0, twos: 0, threes: 0 })]
impl Add for Counts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            zeros: self.zeros + other.zeros,
            ones: self.ones + other.ones,
            twos: self.twos + other.twos,
            threes: self.threes + other.threes,
        }
    }
}

/// One element.
#[omp::declare_target]
fn one(digit: usize) -> Counts {
    Counts {
        zeros: u32::from(digit == 0),
        ones: u32::from(digit == 1),
        twos: u32::from(digit == 2),
        threes: u32::from(digit == 3),
    }
}

/// What is counted for a digit.
#[omp::declare_target]
fn of(counts: Counts, digit: usize) -> u32 {
    match digit {
        0 => counts.zeros,
        1 => counts.ones,
        2 => counts.twos,
        _ => counts.threes,
    }
}

/// What can be sorted: keys whose order is that of `bits`, of which the lowest `WIDTH` bits matter.
#[omp::declare_target]
trait Key: omp::Device {
    const WIDTH: u32;
    fn bits(self) -> u64;
}

#[omp::declare_target]
impl Key for u32 {
    const WIDTH: u32 = 32;
    fn bits(self) -> u64 {
        u64::from(self)
    }
}

#[omp::declare_target]
impl Key for u64 {
    const WIDTH: u32 = 64;
    fn bits(self) -> u64 {
        self
    }
}

/// In the order of `f32::total_cmp`.
#[omp::declare_target]
impl Key for f32 {
    const WIDTH: u32 = 32;
    fn bits(self) -> u64 {
        let b = self.to_bits();
        u64::from(if b >> 31 == 1 { !b } else { b | 1 << 31 })
    }
}

#[omp::declare_target]
fn digit<K: Key>(key: K, shift: u32) -> usize {
    (key.bits() >> shift) as usize % DIGITS
}

/// Where elements with each digit begin, by how many have which byte.
fn begins(bytes: &[u32], shift: u32) -> Counts {
    let mut counts = [0; DIGITS];
    for (byte, n) in bytes[shift as usize / 8 * 256..][..256].iter().enumerate() {
        counts[(byte >> (shift % 8)) % DIGITS] += n;
    }
    let [zeros, ones, twos, _] = counts;
    Counts { zeros: 0, ones: zeros, twos: zeros + ones, threes: zeros + ones + twos }
}

/// How many keys have which byte, for each of a key's bytes.
#[omp::offload]
fn count<K: Key>(keys: &[K], bytes: &mut [u32]) {
    #[omp::target(reduction(+: bytes))]
    for i in 0..keys.len() {
        for k in 0..K::WIDTH / 8 {
            bytes[(k * 256) as usize + (keys[i].bits() >> (8 * k)) as usize % 256] += 1;
        }
    }
}

/// From one pair of arrays to the other, by the digit at `shift`.
#[omp::offload]
fn pass<K: Key, V: omp::Device>(
    (shift, begins): (u32, Counts),
    (keys, payload): (&[K], &[V]),
    (to_keys, to_payload): (&mut [K], &mut [V]),
) {
    let mut before = Counts::default();
    #[omp::target(scan(+: before), disjoint(to_keys, to_payload))]
    for i in 0..keys.len() {
        let d = digit(keys[i], shift);
        let place = (of(begins, d) + of(before, d)) as usize;
        to_keys[place] = keys[i];
        to_payload[place] = payload[i];
        before = before + one(d);
    }
}

/// Sorts `keys`, and `payload` with them. Keys and payload go to the device once, and come back once.
#[omp::offload]
fn sort<K: Key, V: omp::Device>(keys: &mut [K], payload: &mut [V]) {
    let (mut other_keys, mut other_payload) = (keys.to_vec(), payload.to_vec());
    let mut bytes = vec![0; K::WIDTH as usize * 32];
    #[omp::target_data(map(tofrom: keys, payload), map(alloc: other_keys, other_payload))]
    {
        count(keys, &mut bytes);
        for shift in (0..K::WIDTH).step_by(2 * BITS as usize) {
            let there = begins(&bytes, shift);
            pass((shift, there), (keys, payload), (&mut other_keys, &mut other_payload));
            let back = begins(&bytes, shift + BITS);
            pass((shift + BITS, back), (&other_keys, &other_payload), (keys, payload));
        }
    }
}

fn run<K: Key + PartialEq + std::fmt::Debug>(o: &Options, key: impl Fn(usize) -> K) {
    let choose = |i: usize| if o.different == 0 { i } else { hash(i) as usize % o.different };
    let start = || {
        let keys: Vec<K> = (0..o.n).map(|i| key(choose(i))).collect();
        (keys, (0..o.n as u32).collect::<Vec<u32>>())
    };
    let (want, serial) = timed("std's stable sort", o.repeat, start, |(keys, _)| {
        let mut pairs: Vec<(K, u32)> = keys.into_iter().zip(0..).collect();
        pairs.sort_by_key(|p| p.0.bits());
        pairs
    });
    let (keys, payload) = offloaded("offloaded", o.repeat, serial, start, |(mut keys, mut payload)| {
        sort(&mut keys, &mut payload);
        (keys, payload)
    });
    for (i, want) in want.iter().enumerate() {
        assert!(
            keys[i].bits() == want.0.bits() && payload[i] == want.1,
            "place {i}: {:?} of {}, not {want:?}",
            keys[i],
            payload[i]
        );
    }
    println!("checked: {} keys", o.n);
}

fn main() {
    let o = Options::parse();
    match o.keys {
        Kind::U32 => run(&o, hash),
        Kind::U64 => run(&o, |i| u64::from(hash(2 * i)) << 32 | u64::from(hash(2 * i + 1))),
        // Every bit pattern is a key: infinities, zeros of both signs, NaN.
        Kind::F32 => run(&o, |i| f32::from_bits(hash(i))),
    }
}
