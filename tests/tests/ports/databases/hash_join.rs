//! A hash join: a table with linear probing, built by compare-and-swap, probed, and aggregated by group.
use omp_tests::{Values, twice};
twice! {
    const EMPTY: u32 = u32::MAX;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Order { pub customer: u32, pub amount: f64, pub day: i32 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Customer { pub key: u32, pub region: u8 }

    #[omp::declare_target]
    #[inline]
    fn slot_of(key: u32, capacity: usize) -> usize {
        (key.wrapping_mul(2_654_435_769) as usize) & (capacity - 1)
    }

    pub struct HashTable { keys: Vec<u32>, values: Vec<u32>, capacity: usize }

    impl HashTable {
        pub fn with_capacity(capacity: usize) -> HashTable {
            assert!(capacity.is_power_of_two());
            HashTable { keys: vec![EMPTY; capacity], values: vec![EMPTY; capacity], capacity }
        }

        pub fn build(&mut self, customers: &[Customer]) {
            let capacity = self.capacity;
            let keys = &mut self.keys;
            let values = &mut self.values;
            #[omp::target(disjoint(values))]
            for (row, c) in customers.iter().enumerate() {
                let mut slot = slot_of(c.key, capacity);
                loop {
                    let previous;
                    #[omp::atomic(compare, capture)]
                    {
                        previous = keys[slot];
                        if keys[slot] == EMPTY {
                            keys[slot] = c.key;
                        }
                    }
                    if previous == EMPTY {
                        values[slot] = row as u32;
                        break;
                    }
                    slot = (slot + 1) & (capacity - 1);
                }
            }
        }
    }

    #[omp::declare_target]
    fn lookup(keys: &[u32], values: &[u32], key: u32) -> Option<usize> {
        let capacity = keys.len();
        let start = slot_of(key, capacity);
        (0..capacity)
            .map(|i| (start + i) & (capacity - 1))
            .take_while(|&s| keys[s] != EMPTY)
            .find(|&s| keys[s] == key)
            .map(|s| values[s] as usize)
    }

    #[derive(Debug, Default, Clone)]
    pub struct Totals { pub by_region: Vec<f64>, pub counts: Vec<u32>, pub unmatched: usize }

    pub fn join(table: &HashTable, customers: &[Customer], orders: &[Order], days: std::ops::Range<i32>) -> Totals {
        let mut sums = [0.0f64; 5];
        let mut counts = [0u32; 5];
        let mut unmatched = 0;
        let HashTable { keys, values, .. } = table;
        let (first, last) = (days.start, days.end);
        #[omp::target(reduction(+: sums, counts, unmatched))]
        for order in orders.iter() {
            if order.day < first || order.day >= last {
                continue;
            }
            let Some(row) = lookup(keys, values, order.customer) else {
                unmatched += 1;
                continue;
            };
            let region = customers[row].region as usize;
            sums[region] += order.amount;
            counts[region] += 1;
        }
        Totals { by_region: sums.to_vec(), counts: counts.to_vec(), unmatched }
    }

    pub fn run() -> (Vec<f64>, Vec<u32>, usize) {
        let mut v = Values(6);
        let customers: Vec<Customer> = (0..90).map(|i| Customer { key: i * 37 % 1001, region: (v.bits() % 5) as u8 }).collect();
        let orders: Vec<Order> = (0..500)
            .map(|_| Order { customer: v.bits() % 100 * 37 % 1001, amount: (v.bits() % 1000) as f64 / 8.0, day: (v.bits() % 30) as i32 })
            .collect();
        let mut table = HashTable::with_capacity(256);
        table.build(&customers);
        let t = join(&table, &customers, &orders, 3..20);
        (t.by_region, t.counts, t.unmatched)
    }
}
port!(hash_join: run());
