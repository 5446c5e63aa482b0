//! Stream compaction: the elements above a threshold, in order, by a scan over who is kept and a scatter.
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
/// A scan gives every element the number of those kept before it, its place if it is kept. That these places differ is
/// nothing that an analysis of subscripts could see: `disjoint` has it checked while it runs.
#[omp::offload]
fn compact(x: &[f32], threshold: f32, kept: &mut [f32]) -> usize {
    let n = x.len();
    let mut place = vec![0u32; n];
    let mut count = 0;
    #[omp::target_data(map(to: x), map(alloc: place), map(from: kept))]
    {
        #[omp::scan(+)]
        for i in 0..n {
            place[i] = count;
            count += u32::from(x[i] > threshold);
        }
        #[omp::target(disjoint(kept))]
        for i in 0..n {
            if x[i] > threshold {
                kept[place[i] as usize] = x[i];
            }
        }
    }
    count as usize
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
