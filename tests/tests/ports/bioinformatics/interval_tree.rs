//! Overlaps of genomic intervals: an implicit augmented tree, queries with a stack, depths of coverage by events.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Interval { start: u32, end: u32, strand: Strand }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Strand { Forward, Reverse, Unknown }

    #[omp::declare_target]
    impl Interval {
        fn overlap(&self, other: &Interval) -> Option<u32> {
            let (start, end) = (self.start.max(other.start), self.end.min(other.end));
            end.checked_sub(start).filter(|&n| n > 0)
        }
        fn same_strand(&self, o: &Self) -> bool {
            match (self.strand, o.strand) {
                (Strand::Unknown, _) | (_, Strand::Unknown) => true,
                (a, b) => a == b,
            }
        }
    }

    /// Sorted by start; `highest` is the largest end in the implicit subtree of the middle of each range.
    pub struct Index { sorted: Vec<Interval>, highest: Vec<u32> }

    impl Index {
        fn new(mut sorted: Vec<Interval>) -> Self {
            sorted.sort_by_key(|i| (i.start, i.end));
            let mut highest = vec![0; sorted.len()];
            fn fill(s: &[Interval], h: &mut [u32]) -> u32 {
                if s.is_empty() { return 0; }
                let m = s.len() / 2;
                let (hl, hr) = h.split_at_mut(m);
                let top = s[m].end.max(fill(&s[..m], hl)).max(fill(&s[m + 1..], &mut hr[1..]));
                hr[0] = top;
                top
            }
            fill(&sorted, &mut highest);
            Self { sorted, highest }
        }

        pub fn query(&self, queries: &[Interval]) -> Vec<(u32, u64, Option<usize>)> {
            let Index { sorted, highest } = self;
            let mut out = vec![(0, 0, None); queries.len()];
            #[omp::target]
            for (query, (hits, bases, first)) in queries.iter().zip(out.iter_mut()) {
                let mut stack = [(0usize, 0usize); 40];
                let mut depth = 0;
                let mut range = 0..sorted.len();
                'search: loop {
                    while !range.is_empty() {
                        let middle = range.start + range.len() / 2;
                        if highest[middle] <= query.start { break; }
                        stack[depth] = (middle, range.end);
                        depth += 1;
                        range = range.start..middle;
                    }
                    loop {
                        if depth == 0 { break 'search; }
                        depth -= 1;
                        let (middle, end) = stack[depth];
                        let item = &sorted[middle];
                        if item.start >= query.end { continue; }
                        if let Some(n) = item.overlap(query) && item.same_strand(query) {
                            *hits += 1;
                            *bases += u64::from(n);
                            if first.is_none() { *first = Some(middle); }
                        }
                        range = middle + 1..end;
                        break;
                    }
                }
            }
            out
        }
    }

    pub fn coverage(intervals: &[Interval], length: usize) -> Vec<i32> {
        let mut delta = vec![0i32; length + 1];
        #[omp::target]
        for i in intervals {
            #[omp::atomic]
            delta[i.start as usize] += 1;
            #[omp::atomic]
            delta[i.end as usize] -= 1;
        }
        #[omp::scan(+)]
        for i in 1..delta.len() { delta[i] += delta[i - 1]; }
        delta
    }

    pub fn run(n: u32) -> (Vec<(u32, u64, Option<usize>)>, Vec<i32>) {
        let make = |i: u32| Interval { start: i * 37 % 200, end: i * 37 % 200 + 1 + i * i % 23, strand: match i % 3 { 0 => Strand::Forward, 1 => Strand::Reverse, _ => Strand::Unknown } };
        let all: Vec<_> = (0..n).map(make).collect();
        let cover = coverage(&all, 230);
        let queries: Vec<_> = (0..31).map(|i| make(i * 5 + 2)).collect();
        (Index::new(all).query(&queries), cover)
    }
}
port!(interval_tree: crate::Shown::of([0, 1, 120].map(run)));
