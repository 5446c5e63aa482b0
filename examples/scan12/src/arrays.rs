//! Problems whose scan tells places in arrays: 1 (compaction), 2 (spans of equal sums), 12 (sums of primes).
use crate::Table;
use example_support::hash;

/// Where the kept elements go is how many are kept before them.
#[omp::offload]
fn odd_numbers(x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = 0usize;
    #[omp::target(map(to: x), map(from: kept), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] & 1 == 1 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] & 1 == 1);
    }
    count
}

/// 1: the odd numbers, in order.
pub fn compaction(t: &Table) {
    let x: Vec<i32> = (0..t.n).map(|i| hash(i) as i32).collect();
    t.exact(
        "1 stream compaction",
        || x.iter().copied().filter(|v| v & 1 == 1).collect::<Vec<i32>>(),
        || {
            let mut kept = vec![0; x.len()];
            let count = odd_numbers(&x, &mut kept);
            kept.truncate(count);
            kept
        },
    );
}

/// Spans with equal sums lie between places where the sums of differences are equal. `first[s + n]` is the first place
/// behind which that sum is s.
#[omp::offload]
fn equal_spans(a: &[u8], b: &[u8]) -> i32 {
    let n = a.len() as i32;
    let mut sums = vec![0i32; a.len()];
    let mut first = vec![0i32; 2 * a.len() + 1];
    let mut longest = 0;
    #[omp::target_data(map(to: a, b), map(alloc: sums, first))]
    {
        #[omp::target]
        for s in 0..2 * a.len() + 1 {
            first[s] = if s == a.len() { -1 } else { n };
        }
        let mut sum = 0;
        #[omp::scan(+)]
        for i in 0..a.len() {
            sum += i32::from(a[i]) - i32::from(b[i]);
            sums[i] = sum;
        }
        #[omp::target]
        for i in 0..a.len() {
            let s = (sums[i] + n) as usize;
            #[omp::atomic]
            first[s] = first[s].min(i as i32);
        }
        #[omp::target(reduction(max: longest))]
        for i in 0..a.len() {
            longest = longest.max(i as i32 - first[(sums[i] + n) as usize]);
        }
    }
    longest
}

/// 2: the length of the longest span over which two binary arrays have the same sum.
pub fn longest_span(t: &Table) {
    let a: Vec<u8> = (0..t.n).map(|i| (hash(i) >> 7 & 1) as u8).collect();
    let b: Vec<u8> = (0..t.n).map(|i| (hash(i + t.n) >> 9 & 1) as u8).collect();
    t.exact(
        "2 longest span with the same sum in two binary arrays",
        || {
            let n = a.len() as i32;
            let mut first = vec![n; 2 * a.len() + 1];
            first[a.len()] = -1;
            let (mut sum, mut longest) = (0, 0);
            for i in 0..a.len() {
                sum += i32::from(a[i]) - i32::from(b[i]);
                let first = &mut first[(sum + n) as usize];
                *first = i32::min(*first, i as i32);
                longest = longest.max(i as i32 - *first);
            }
            longest
        },
        || equal_spans(&a, &b),
    );
}

/// The prime that is the sum of most consecutive primes, up to `limit`; `sums[k]` is the sum of the first k of `count` primes.
#[omp::declare_target]
fn most_consecutive(limit: i64, sums: &[i64], count: usize, is_prime: &[bool]) -> i64 {
    // The longest run whose smallest sum fits.
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if sums[middle] <= limit {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let mut length = low;
    while length > 0 {
        let mut start = 0;
        while start + length <= count && sums[start + length] - sums[start] <= limit {
            let sum = sums[start + length] - sums[start];
            if is_prime[sum as usize] {
                return sum;
            }
            start += 1;
        }
        length -= 1;
    }
    0
}

/// A scan of the sieve numbers the primes and adds them up.
#[omp::offload]
fn prime_sums_below(is_prime: &[bool], limits: &[i64], found: &mut [i64]) {
    let n = is_prime.len();
    let mut sums = vec![0i64; n + 1];
    let (mut count, mut sum) = (0, 0);
    #[omp::target_data(map(to: is_prime, limits), map(alloc: sums), map(from: found))]
    {
        #[omp::target(scan(+: count, sum), disjoint(sums))]
        for i in 0..n {
            if is_prime[i] {
                sums[count] = sum;
            }
            count += usize::from(is_prime[i]);
            sum += if is_prime[i] { i as i64 } else { 0 };
        }
        #[omp::target]
        for k in count..count + 1 {
            sums[k] = sum;
        }
        #[omp::target]
        for i in 0..limits.len() {
            found[i] = most_consecutive(limits[i], &sums, count, is_prime);
        }
    }
}

/// 12: for many limits, the prime that is the sum of most consecutive primes.
pub fn prime_sums(t: &Table) {
    let n = t.n;
    let mut is_prime = vec![true; n];
    is_prime[..2].fill(false);
    for p in (2..n).take_while(|p| p * p < n) {
        if is_prime[p] {
            is_prime.iter_mut().skip(p * p).step_by(p).for_each(|v| *v = false);
        }
    }
    let limits: Vec<i64> = (0..(n / 256).clamp(1, 4096)).map(|i| i64::from(hash(i)) % n as i64).collect();
    t.exact(
        "12 primes that are the sum of most consecutive primes",
        || {
            let mut sums = vec![0];
            for p in (0..n).filter(|p| is_prime[*p]) {
                sums.push(sums[sums.len() - 1] + p as i64);
            }
            limits
                .iter()
                .map(|l| most_consecutive(*l, &sums, sums.len() - 1, &is_prime))
                .collect::<Vec<i64>>()
        },
        || {
            let mut found = vec![-1; limits.len()];
            prime_sums_below(&is_prime, &limits, &mut found);
            found
        },
    );
}
