//! A stable radix sort of keys with payload: for each digit, the least one first, blocks count their digits, a scan of the
//! counts tells where the elements of each block and digit go, and blocks put them there.
use clap::{Parser, ValueEnum};
use example_support::{hash, offloaded, timed};

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

const BITS: u32 = 4;
const DIGITS: usize = 1 << BITS;

/// Elements that one iteration counts and scatters: few enough that a GPU's threads all have some, as many as pay for
/// counting them.
fn block_of(n: usize) -> usize {
    (n >> 18).clamp(32, 1024)
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

/// From one pair of arrays to the other, by the digit at `shift`.
#[omp::offload]
fn pass<K: Key, V: omp::Device>(
    (shift, block): (u32, usize),
    counts: &mut [u32],
    (keys, payload): (&[K], &[V]),
    (to_keys, to_payload): (&mut [K], &mut [V]),
) {
    let n = keys.len();
    let blocks = n.div_ceil(block);
    #[omp::target]
    for b in 0..blocks {
        let mut count = [0; DIGITS];
        for i in b * block..n.min((b + 1) * block) {
            count[digit(keys[i], shift)] += 1;
        }
        for d in 0..DIGITS {
            counts[d * blocks + b] = count[d];
        }
    }
    let mut before = 0;
    #[omp::scan(+)]
    for c in counts.iter_mut() {
        let own = *c;
        *c = before;
        before += own;
    }
    #[omp::target(disjoint(to_keys, to_payload))]
    for b in 0..blocks {
        let mut place = [0; DIGITS];
        for d in 0..DIGITS {
            place[d] = counts[d * blocks + b] as usize;
        }
        for i in b * block..n.min((b + 1) * block) {
            let d = digit(keys[i], shift);
            to_keys[place[d]] = keys[i];
            to_payload[place[d]] = payload[i];
            place[d] += 1;
        }
    }
}

/// Sorts `keys`, and `payload` with them. Keys and payload go to the device once, and come back once.
#[omp::offload]
fn sort<K: Key, V: omp::Device>(keys: &mut [K], payload: &mut [V]) {
    let (mut other_keys, mut other_payload) = (keys.to_vec(), payload.to_vec());
    let block = block_of(keys.len());
    let mut counts = vec![0u32; keys.len().div_ceil(block) * DIGITS];
    #[omp::target_data(map(tofrom: keys, payload), map(alloc: other_keys, other_payload, counts))]
    for shift in (0..K::WIDTH).step_by(2 * BITS as usize) {
        pass((shift, block), &mut counts, (keys, payload), (&mut other_keys, &mut other_payload));
        pass((shift + BITS, block), &mut counts, (&other_keys, &other_payload), (keys, payload));
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
