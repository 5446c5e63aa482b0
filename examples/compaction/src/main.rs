//! Stream compaction: the elements above a threshold, in order, by a scan over who is kept.
use clap::Parser;
use example_support::{offloaded, timed, unit};

/// Keeps the elements above a threshold, in order, on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Elements
    #[arg(short, long, default_value_t = 1 << 24)]
    n: usize,
    /// What is above it is kept; elements are from -1 to 1
    #[arg(short, long, default_value_t = 0.25, allow_hyphen_values = true)]
    threshold: f32,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

/// Puts the elements of `x` above `threshold` at the front of `kept`, in order, and tells how many they are.
///
/// The scan gives every element the number of those kept before it, its place if it is kept. That these places differ,
/// `disjoint` promises to check; here it is seen: an element that is kept moves the number on.
#[omp::offload]
fn compact(x: &[f32], threshold: f32, kept: &mut [f32]) -> usize {
    let mut count = 0usize;
    #[omp::target(map(to: x), map(from: kept), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] > threshold {
            kept[count] = x[i];
        }
        count += usize::from(x[i] > threshold);
    }
    count
}

fn main() {
    let o = Options::parse();
    let x: Vec<f32> = (0..o.n).map(|i| 2.0 * unit(i) as f32 - 1.0).collect();

    let (want, serial) = timed(
        "serial",
        o.repeat,
        || (),
        |()| x.iter().copied().filter(|&v| v > o.threshold).collect::<Vec<f32>>(),
    );
    let (count, kept) = offloaded(
        "offloaded",
        o.repeat,
        serial,
        || vec![0.0; o.n],
        |mut kept| (compact(&x, o.threshold, &mut kept), kept),
    );
    assert_eq!(count, want.len(), "the number of elements kept");
    assert!(kept[..count] == want, "the elements kept");
    println!("checked: {count} of {} elements are above {}", o.n, o.threshold);
}
