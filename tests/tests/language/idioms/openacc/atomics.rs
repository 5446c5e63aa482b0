//! `acc::atomic` in its four forms.
#![allow(clippy::needless_late_init, reason = "the statement under the directive assigns")]
use super::{SIZES, everywhere};
use omp::acc;

#[omp::offload]
fn forms(bins: &mut [u32], tickets: &mut [u32], seen: &mut [u32]) -> [u32; 2] {
    let (mut next, mut flag) = ([5], [0]);
    let n = tickets.len();
    #[acc::parallel_loop(copy(bins, next, flag), copyout(tickets, seen))]
    for i in 0..n {
        #[acc::atomic]
        bins[i % 3] += 1;
        #[acc::atomic(update)]
        bins[3] = bins[3].max(i as u32);
        let mine: u32;
        #[acc::atomic(capture)]
        {
            mine = next[0];
            next[0] += 2;
        }
        tickets[i] = mine;
        let now: u32;
        #[acc::atomic(read)]
        now = next[0];
        seen[i] = now;
        if i == n - 1 {
            #[acc::atomic(write)]
            flag[0] = 1;
        }
    }
    [next[0], flag[0]]
}

#[test]
fn update_capture_read_and_write() {
    everywhere(|_| {
        for n in SIZES {
            let (mut bins, mut tickets, mut seen) = (vec![0; 4], vec![0; n], vec![0; n]);
            let [next, flag] = forms(&mut bins, &mut tickets, &mut seen);
            let m = n as u32;
            assert_eq!((next, flag), (5 + 2 * m, u32::from(n > 0)));
            assert_eq!(bins, [m.div_ceil(3), (m + 1) / 3, m / 3, m.saturating_sub(1)]);
            assert!((0..n).all(|i| tickets[i] < seen[i] && seen[i] <= next), "{n}");
            tickets.sort_unstable();
            assert!((0..n).all(|i| tickets[i] == 5 + 2 * i as u32), "{n}: {tickets:?}");
        }
    });
}
