//! A column store's scan: zone maps per block prune conjunctive predicates, the rest fills a selection bitmap.
use omp_tests::twice;

twice! {
    pub const ZONE: usize = 256;
    const WORDS_PER_ZONE: usize = ZONE / 64;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Zone {
        pub min: i32,
        pub max: i32,
        pub nulls: u16,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Predicate {
        Eq(i32),
        Between(i32, i32),
        In([i32; 4]),
        IsNull,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    enum Verdict {
        Nothing,
        Everything,
        Look,
    }

    pub const NULL: i32 = i32::MIN;

    #[omp::declare_target]
    impl Predicate {
        fn matches(&self, v: i32) -> bool {
            match *self {
                Predicate::IsNull => v == NULL,
                _ if v == NULL => false,
                Predicate::Eq(x) => v == x,
                Predicate::Between(lo, hi) => (lo..=hi).contains(&v),
                Predicate::In(set) => set.contains(&v),
            }
        }

        fn judge(&self, z: &Zone, rows: usize) -> Verdict {
            let all_null = z.nulls as usize == rows;
            match self {
                Predicate::IsNull if all_null => Verdict::Everything,
                Predicate::IsNull if z.nulls == 0 => Verdict::Nothing,
                Predicate::IsNull => Verdict::Look,
                _ if all_null => Verdict::Nothing,
                Predicate::Eq(x) if *x < z.min || *x > z.max => Verdict::Nothing,
                Predicate::Between(lo, hi) if *hi < z.min || *lo > z.max => Verdict::Nothing,
                Predicate::Between(lo, hi) if *lo <= z.min && z.max <= *hi && z.nulls == 0 => {
                    Verdict::Everything
                }
                Predicate::In(set) if set.iter().all(|x| *x < z.min || *x > z.max) => Verdict::Nothing,
                _ => Verdict::Look,
            }
        }
    }

    pub fn build_zones(column: &[i32], zones: &mut [Zone]) {
        #[omp::target(map(to: column), map(from: zones))]
        for (values, zone) in column.chunks(ZONE).zip(zones.iter_mut()) {
            let present = values.iter().copied().filter(|&v| v != NULL);
            let min = present.clone().min().unwrap_or(i32::MAX);
            let max = present.clone().max().unwrap_or(i32::MIN);
            *zone = Zone { min, max, nulls: (values.len() - present.count()) as u16 };
        }
    }

    /// ANDs `p(column)` into `selection`; returns how many zones were really read.
    pub fn filter(column: &[i32], zones: &[Zone], p: Predicate, selection: &mut [u64]) -> usize {
        let mut looked = 0;
        #[omp::target(map(to: column, zones), reduction(+: looked))]
        for (z, words) in selection.chunks_mut(WORDS_PER_ZONE).enumerate() {
            let lo = z * ZONE;
            let hi = (lo + ZONE).min(column.len());
            match p.judge(&zones[z], hi - lo) {
                Verdict::Everything => continue,
                Verdict::Nothing => words.fill(0),
                Verdict::Look => {
                    looked += 1usize;
                    for (word, values) in words.iter_mut().zip(column[lo..hi].chunks(64)) {
                        if *word == 0 {
                            continue;
                        }
                        let mut mask = 0u64;
                        for (bit, &v) in values.iter().enumerate() {
                            mask |= (p.matches(v) as u64) << bit;
                        }
                        *word &= mask;
                    }
                }
            }
        }
        looked
    }

    pub fn sum_selected(column: &[i32], selection: &[u64]) -> (i64, u64) {
        let (mut total, mut rows) = (0i64, 0u64);
        #[omp::target(reduction(+: total, rows))]
        for (w, &word) in selection.iter().enumerate() {
            rows += word.count_ones() as u64;
            let mut left = word;
            while left != 0 {
                let v = column[w * 64 + left.trailing_zeros() as usize];
                if v != NULL {
                    total += v as i64;
                }
                left &= left - 1;
            }
        }
        (total, rows)
    }
}
port!(zone_maps: crate::Shown::of({
    let n = 10_000usize;
    let day: Vec<i32> = (0..n as i32).map(|i| 18_000 + i / 37).collect();
    let price: Vec<i32> = (0..n as u32)
        .map(|i| match i.wrapping_mul(2_246_822_519) >> 20 {
            r if r % 29 == 0 => NULL,
            r => (r % 500) as i32 - 20,
        })
        .collect();
    let empty = Zone { min: 0, max: 0, nulls: 0 };
    let count = n.div_ceil(ZONE);
    let (mut zones_day, mut zones_price) = (vec![empty; count], vec![empty; count]);
    build_zones(&day, &mut zones_day);
    build_zones(&price, &mut zones_price);
    let query = |p_day: Predicate, p_price: Predicate| {
        let mut sel = vec![!0u64; n.div_ceil(64)];
        *sel.last_mut().unwrap() = (1 << (n % 64)) - 1;
        let a = filter(&day, &zones_day, p_day, &mut sel);
        let b = filter(&price, &zones_price, p_price, &mut sel);
        (a, b, sum_selected(&price, &sel), sel)
    };
    (
        query(Predicate::Between(18_050, 18_190), Predicate::Between(100, 300)),
        query(Predicate::In([18_001, 18_100, 18_101, 18_260]), Predicate::IsNull),
        query(Predicate::Eq(18_123), Predicate::Between(-100, 1000)),
        zones_price.iter().map(|z| (z.min, z.max, z.nulls)).collect::<Vec<_>>(),
    )
}));
