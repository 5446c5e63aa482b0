//! Problems that look something up in sums: 5 (random draws), 11 (ranges around a number).
use crate::Table;
use example_support::hash;

/// The first place of which the running sum is above `at`.
#[omp::declare_target]
fn first_above(sums: &[u32], at: u32) -> u32 {
    let (mut low, mut high) = (0, sums.len() - 1);
    while low < high {
        let middle = (low + high) / 2;
        if sums[middle] > at {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low as u32
}

#[omp::offload]
fn draw(frequencies: &[u32], random: &[u32], drawn: &mut [u32]) {
    let n = frequencies.len();
    let mut sums = vec![0u32; n];
    let mut sum = 0;
    #[omp::target_data(map(to: frequencies, random), map(alloc: sums), map(from: drawn))]
    {
        #[omp::scan(+)]
        for i in 0..n {
            sum += frequencies[i];
            sums[i] = sum;
        }
        #[omp::target]
        for i in 0..random.len() {
            let at = (u64::from(random[i]) * u64::from(sum)) >> 32;
            drawn[i] = first_above(&sums, at as u32);
        }
    }
}

/// 5: n draws from n numbers with given frequencies.
pub fn draws(t: &Table) {
    let frequencies: Vec<u32> = (0..t.n).map(|i| hash(i) % 100).collect();
    let random: Vec<u32> = (0..t.n).map(|i| hash(i + t.n)).collect();
    t.exact(
        "5 random numbers with given frequencies",
        || {
            let mut sum = 0;
            let mut sums = frequencies.clone();
            for s in &mut sums {
                sum += *s;
                *s = sum;
            }
            let at = |r: &u32| ((u64::from(*r) * u64::from(sum)) >> 32) as u32;
            random.iter().map(|r| first_above(&sums, at(r))).collect::<Vec<u32>>()
        },
        || {
            let mut drawn = vec![0; t.n];
            draw(&frequencies, &random, &mut drawn);
            drawn
        },
    );
}

/// A number, and how many ranges there are around it.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Cover {
    ranges: i32,
    at: u32,
}

/// The smaller number where as many are around both.
#[omp::declare_reduction(more: Cover, identity = Cover { ranges: i32::MIN, at: u32::MAX })]
fn more(a: Cover, b: Cover) -> Cover {
    if b.ranges > a.ranges || b.ranges == a.ranges && b.at < a.at { b } else { a }
}

/// Where ranges begin and end, the number of them around a number changes: a scan over these changes.
#[omp::offload]
fn most(first: &[u32], last: &[u32], numbers: usize) -> Cover {
    let mut change = vec![0i32; numbers + 1];
    let mut best = Cover { ranges: i32::MIN, at: u32::MAX };
    #[omp::target_data(map(to: first, last, change))]
    {
        #[omp::target]
        for r in 0..first.len() {
            #[omp::atomic]
            change[first[r] as usize] += 1;
            #[omp::atomic]
            change[last[r] as usize + 1] -= 1;
        }
        #[omp::scan(+)]
        for i in 1..numbers {
            change[i] += change[i - 1];
        }
        #[omp::target(reduction(more: best))]
        for i in 0..numbers {
            best = more(best, Cover { ranges: change[i], at: i as u32 });
        }
    }
    best
}

/// 11: the number around which there are most of n ranges.
pub fn most_covered(t: &Table) {
    let end = |i: usize| hash(i) % t.n as u32;
    let (first, last): (Vec<u32>, Vec<u32>) =
        (0..t.n).map(|i| (end(i).min(end(i + t.n)), end(i).max(end(i + t.n)))).unzip();
    t.exact(
        "11 the number that lies in most of n ranges",
        || {
            let mut change = vec![0; t.n + 1];
            for (first, last) in first.iter().zip(&last) {
                change[*first as usize] += 1;
                change[*last as usize + 1] -= 1;
            }
            let (mut best, mut ranges) = (Cover { ranges: i32::MIN, at: u32::MAX }, 0);
            for (at, change) in (0..).zip(&change[..t.n]) {
                ranges += change;
                best = more(best, Cover { ranges, at });
            }
            best
        },
        || most(&first, &last, t.n),
    );
}
