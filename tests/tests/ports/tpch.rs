//! TPC-H Q1, Q6 and Q12 on columns.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct Date(i32);

    #[omp::declare_target]
    impl Date {
        const fn new(y: i32, m: i32, d: i32) -> Self {
            let (y, m) = if m > 2 { (y, m - 3) } else { (y - 1, m + 9) };
            Date(365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + d - 1)
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    enum Flag {
        A,
        N,
        R,
    }

    #[derive(Clone, Copy, PartialEq, omp::Device)]
    enum Mode {
        Air,
        Mail,
        Ship,
        Truck,
    }

    struct LineItem {
        quantity: Vec<i64>,
        price: Vec<i64>,
        discount: Vec<i64>,
        tax: Vec<i64>,
        flag: Vec<Flag>,
        mode: Vec<Mode>,
        shipped: Vec<Date>,
        committed: Vec<Date>,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Group {
        quantity: i64,
        base: i64,
        discounted: i64,
        charge: i64,
        count: i64,
    }

    #[omp::declare_reduction(+: Group, identity = Group::default())]
    impl std::ops::Add for Group {
        type Output = Group;
        fn add(self, o: Group) -> Group {
            Group {
                quantity: self.quantity + o.quantity,
                base: self.base + o.base,
                discounted: self.discounted + o.discounted,
                charge: self.charge + o.charge,
                count: self.count + o.count,
            }
        }
    }

    #[omp::offload]
    fn q1(t: &LineItem, until: Date) -> [Group; 3] {
        let mut groups = [Group::default(); 3];
        #[omp::target(reduction(+: groups))]
        for i in 0..t.price.len() {
            if t.shipped[i] <= until {
                let discounted = t.price[i] * (100 - t.discount[i]);
                let key = t.flag[i] as usize;
                groups[key] = groups[key] + Group {
                    quantity: t.quantity[i],
                    base: t.price[i],
                    discounted,
                    charge: discounted * (100 + t.tax[i]),
                    count: 1,
                };
            }
        }
        groups
    }

    #[omp::offload]
    fn q6(t: &LineItem) -> i64 {
        const FROM: Date = Date::new(1994, 1, 1);
        const TO: Date = Date::new(1995, 1, 1);
        let mut revenue = 0;
        #[omp::target(reduction(+: revenue))]
        for (((&ship, &price), &discount), &quantity) in t.shipped.iter().zip(&t.price).zip(&t.discount).zip(&t.quantity) {
            if (FROM..TO).contains(&ship) && (5..=7).contains(&discount) && quantity < 24 {
                revenue += price * discount;
            }
        }
        revenue
    }

    #[omp::offload]
    fn q12(t: &LineItem, high: &[bool]) -> (u64, u64) {
        let (mut urgent, mut normal) = (0, 0);
        #[omp::target(reduction(+: urgent, normal))]
        for i in 0..t.mode.len() {
            let wanted = matches!(t.mode[i], Mode::Mail | Mode::Ship);
            if !wanted || t.committed[i] >= t.shipped[i] {
                continue;
            }
            match high[i] {
                true => urgent += 1,
                false => normal += 1,
            }
        }
        (urgent, normal)
    }

    pub fn run(n: usize) -> ([Group; 3], i64, (u64, u64)) {
        let rnd = |i: usize, k: usize| ((i as u64 * 2654435761 + k as u64 * 40503) >> 7) as i64 & 0xffff;
        let t = LineItem {
            quantity: (0..n).map(|i| rnd(i, 1) % 50 + 1).collect(),
            price: (0..n).map(|i| rnd(i, 2) + 900).collect(),
            discount: (0..n).map(|i| rnd(i, 3) % 11).collect(),
            tax: (0..n).map(|i| rnd(i, 4) % 9).collect(),
            flag: (0..n).map(|i| [Flag::A, Flag::N, Flag::R][rnd(i, 5) as usize % 3]).collect(),
            mode: (0..n).map(|i| [Mode::Air, Mode::Mail, Mode::Ship, Mode::Truck][rnd(i, 6) as usize % 4]).collect(),
            shipped: (0..n).map(|i| Date(Date::new(1992, 1, 1).0 + (rnd(i, 7) % 2500) as i32)).collect(),
            committed: (0..n).map(|i| Date(Date::new(1992, 1, 1).0 + (rnd(i, 8) % 2500) as i32)).collect(),
        };
        let high: Vec<bool> = (0..n).map(|i| rnd(i, 9) % 2 == 0).collect();
        (q1(&t, Date::new(1998, 9, 2)), q6(&t), q12(&t, &high))
    }
}
port!(tpch: [0, 1, 101, 3000].map(|n| crate::Shown::of(run(n))));
