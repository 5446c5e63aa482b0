//! NAS IS: the ranking of keys by counts and a prefix sum, and its verification.
use omp_tests::twice;

twice! {
    pub struct Sorter<const MAX_KEY: usize> { counts: Vec<u32>, starts: Vec<u32> }

    impl<const MAX_KEY: usize> Sorter<MAX_KEY> {
        pub fn new() -> Self { Self { counts: vec![0; MAX_KEY], starts: vec![0; MAX_KEY] } }

        pub fn rank(&mut self, keys: &[u16]) {
            let counts = &mut self.counts;
            counts.fill(0);
            #[omp::target]
            for &k in keys {
                #[omp::atomic]
                counts[k as usize] += 1;
            }
            let starts = &mut self.starts;
            starts[0] = 0;
            #[omp::scan(+)]
            for k in 1..MAX_KEY {
                starts[k] = starts[k - 1] + counts[k - 1];
            }
        }

        pub fn ranks_of(&self, keys: &[u16], probes: &[usize]) -> Vec<u32> {
            let mut out = vec![0; probes.len()];
            #[omp::target]
            for (o, &p) in out.iter_mut().zip(probes) {
                *o = self.starts[usize::from(keys[p])];
            }
            out
        }

        pub fn sorted(&self, keys: &[u16]) -> Vec<u16> {
            let mut out = vec![0u16; keys.len()];
            #[omp::target(disjoint(out))]
            for k in 0..MAX_KEY {
                let from = self.starts[k] as usize;
                let to = from + self.counts[k] as usize;
                out[from..to].fill(k as u16);
            }
            out
        }
    }

    pub fn unsorted_pairs(keys: &[u16]) -> usize {
        let mut errors = 0;
        #[omp::target(reduction(+: errors))]
        for pair in keys.windows(2) {
            if pair[0] > pair[1] {
                errors += 1;
            }
        }
        errors
    }

    pub fn run() -> (Vec<u32>, Vec<u16>, usize, usize) {
        let mut x = 12345u32;
        let keys: Vec<u16> = (0..500)
            .map(|_| {
                let s: u32 = (0..4).map(|_| { x = x.wrapping_mul(1_103_515_245).wrapping_add(12345); x >> 26 }).sum();
                s as u16
            })
            .collect();
        let mut s = Sorter::<256>::new();
        s.rank(&keys);
        let sorted = s.sorted(&keys);
        let errors = unsorted_pairs(&sorted);
        (s.ranks_of(&keys, &[0, 10, 99, 499]), sorted, errors, unsorted_pairs(&keys))
    }
}
port!(npb_is: run());
