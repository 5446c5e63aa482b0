//! Weighted intervals, longest increasing subsequences, bin packing: many small instances at a time.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Job { start: u16, end: u16, profit: u32 }

    #[omp::declare_target]
    fn schedule(jobs: &[Job]) -> u32 {
        let mut best = [0u32; 17];
        for (i, job) in jobs.iter().enumerate() {
            let compatible = jobs[..i].partition_point(|j| j.end <= job.start);
            best[i + 1] = best[i].max(best[compatible] + job.profit);
        }
        best[jobs.len()]
    }

    #[omp::declare_target]
    fn increasing(xs: &[i32]) -> usize {
        let mut tails = [0i32; 16];
        let mut n = 0;
        for &x in xs {
            match tails[..n].binary_search(&x) {
                Ok(_) => {}
                Err(at) => {
                    tails[at] = x;
                    n = n.max(at + 1);
                }
            }
        }
        n
    }

    #[omp::declare_target]
    fn first_fit(sizes: &[u8], capacity: u8) -> Option<usize> {
        let mut free = [0u8; 16];
        let mut used = 0;
        for &s in sizes {
            if s > capacity { return None; }
            match free[..used].iter_mut().find(|f| **f >= s) {
                Some(f) => *f -= s,
                None => {
                    free[used] = capacity - s;
                    used += 1;
                }
            }
        }
        Some(used)
    }

    pub fn run(n: usize) -> Vec<(u32, usize, Option<usize>)> {
        let jobs: Vec<[Job; 16]> = (0..n).map(|k| {
            let mut j: [Job; 16] = std::array::from_fn(|i| { let start = ((i * 7 + k * 3) % 30) as u16; Job { start, end: start + 1 + (i % 5) as u16, profit: (i * 11 % 9 + 1) as u32 } });
            j.sort_by_key(|j| j.end);
            j
        }).collect();
        let mut out = vec![(0, 0, None); n];
        #[omp::target]
        for (jobs, (profit, run, bins)) in jobs.iter().zip(out.iter_mut()) {
            *profit = schedule(jobs);
            *run = increasing(&jobs.map(|j| j.profit as i32 * 3 - j.start as i32));
            *bins = first_fit(&jobs.map(|j| (j.profit + 1) as u8), if jobs[0].start > 20 { 5 } else { 12 });
        }
        out
    }
}
port!(interval_jobs: crate::Shown::of([0, 13].map(run)));
