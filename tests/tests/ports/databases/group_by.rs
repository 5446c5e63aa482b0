//! A query: filter by a small program of predicates, group by two keys, aggregates with nulls, having, top groups.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Predicate { Less(Column, f64), Equals(Column, f64), IsNull(Column), And, Or, Not }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Column { Price, Quantity, Discount }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Row { store: u16, product: u8, price: f64, quantity: u32, discount: Option<f64> }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Agg { count: u64, sum: f64, min: Option<f64>, max: Option<f64> }

    #[omp::declare_target]
    impl Agg {
        const EMPTY: Agg = Agg { count: 0, sum: 0.0, min: None, max: None };
        fn of(v: f64) -> Self { Agg { count: 1, sum: v, min: Some(v), max: Some(v) } }
        fn mean(&self) -> Option<f64> { if self.count > 0 { Some(self.sum / self.count as f64) } else { None } }
    }

    #[omp::declare_target]
    fn either(a: Option<f64>, b: Option<f64>, highest: bool) -> Option<f64> {
        match (a, b) {
            (Some(x), Some(y)) => Some(if highest { x.max(y) } else { x.min(y) }),
            (x, None) => x,
            (None, y) => y,
        }
    }

    #[omp::declare_reduction(merge: Agg, identity = Agg::EMPTY)]
    fn merge(a: Agg, b: Agg) -> Agg {
        Agg { count: a.count + b.count, sum: a.sum + b.sum, min: either(a.min, b.min, false), max: either(a.max, b.max, true) }
    }

    #[omp::declare_target]
    impl Row {
        fn get(&self, c: Column) -> Option<f64> {
            match c {
                Column::Price => Some(self.price),
                Column::Quantity => Some(self.quantity.into()),
                Column::Discount => self.discount,
            }
        }
        fn revenue(&self) -> f64 { self.price * f64::from(self.quantity) * (1.0 - self.discount.unwrap_or(0.0)) }
        fn matches(&self, program: &[Predicate]) -> bool {
            let mut stack = [false; 8];
            let mut n = 0;
            for p in program {
                match *p {
                    Predicate::Less(c, v) => { stack[n] = self.get(c).is_some_and(|x| x < v); n += 1; }
                    Predicate::Equals(c, v) => { stack[n] = self.get(c) == Some(v); n += 1; }
                    Predicate::IsNull(c) => { stack[n] = self.get(c).is_none(); n += 1; }
                    Predicate::Not => stack[n - 1] = !stack[n - 1],
                    Predicate::And | Predicate::Or => {
                        let [a, b] = [stack[n - 2], stack[n - 1]];
                        n -= 1;
                        stack[n - 1] = if let Predicate::And = p { a && b } else { a || b };
                    }
                }
            }
            n == 0 || stack[0]
        }
    }

    pub struct Query<'q> { filter: &'q [Predicate], stores: usize, products: usize }

    impl<'q> Query<'q> {
        fn selected(&self, rows: &[Row]) -> (Vec<u32>, usize) {
            let mut kept = vec![0; rows.len()];
            let mut n = 0usize;
            let filter = self.filter;
            #[omp::target(scan(+: n))]
            for (i, row) in rows.iter().enumerate() {
                if row.matches(filter) {
                    kept[n] = i as u32;
                    n += 1;
                }
            }
            kept.truncate(n);
            (kept, n)
        }

        fn groups(&self, rows: &[Row], kept: &[u32]) -> Vec<Agg> {
            let mut groups = vec![Agg::EMPTY; self.stores * self.products];
            let products = self.products;
            #[omp::target(reduction(merge: groups))]
            for &k in kept {
                let row = &rows[k as usize];
                let key = usize::from(row.store) * products + usize::from(row.product);
                groups[key] = merge(groups[key], Agg::of(row.revenue()));
            }
            groups
        }

        fn top(&self, groups: &[Agg], least: u64) -> Vec<Option<(u8, f64)>> {
            let mut best = vec![None; self.stores];
            #[omp::target]
            for (store, slot) in groups.chunks(self.products).zip(best.iter_mut()) {
                *slot = store
                    .iter()
                    .enumerate()
                    .filter(|(_, g)| g.count >= least)
                    .filter_map(|(p, g)| g.mean().map(|m| (p as u8, m)))
                    .max_by(|(_, a), (_, b)| a.total_cmp(b));
            }
            best
        }
    }

    pub fn run(n: usize) -> (usize, Vec<(u64, f64, Option<f64>, Option<f64>)>, Vec<Option<(u8, f64)>>) {
        let rows: Vec<Row> = (0..n).map(|i| Row { store: (i * 7 % 5) as u16, product: (i * i % 4) as u8, price: 1.0 + (i % 13) as f64, quantity: (i % 6) as u32, discount: (i % 3 == 0).then(|| 0.05 * (i % 4) as f64) }).collect();
        let filter = [Predicate::Less(Column::Price, 9.0), Predicate::IsNull(Column::Discount), Predicate::Equals(Column::Quantity, 3.0), Predicate::Not, Predicate::Or, Predicate::And];
        let q = Query { filter: &filter, stores: 5, products: 4 };
        let (kept, count) = q.selected(&rows);
        let groups = q.groups(&rows, &kept);
        let top = q.top(&groups, 2);
        (count, groups.iter().map(|g| (g.count, g.sum, g.min, g.max)).collect(), top)
    }
}
port!(group_by: crate::Shown::of([0, 1, 500].map(run)));
