//! Patterns that bind parts of a `&mut` to be changed, and derived `==` of enums with data and of types with parameters.
#![allow(clippy::all, clippy::pedantic, dead_code, reason = "the code has every form on purpose")]
use omp_tests::twice;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Point<T> {
    x: T,
    y: [T; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(u16)]
pub enum Either<T> {
    Left(T),
    Right { of: u32 },
    Neither,
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(u8)]
pub enum Order {
    Limit { price: i64, left: u32 },
    Market(u32),
    Done,
}

// Outside of an `offload` module, what is left out is read from the file.
#[omp::declare_target]
impl Order {
    fn fill(&mut self, n: u32) -> bool {
        match self {
            Order::Limit { left, .. } if *left > n => *left -= n,
            Order::Market(left) if *left > n => *left -= n,
            _ => *self = Self::Done,
        }
        *self == Order::Done
    }
}

#[omp::offload]
fn match_orders(orders: &mut [Order], filled: &mut [u32]) {
    #[omp::target]
    for (i, order) in orders.iter_mut().enumerate() {
        if let Order::Limit { left, .. } = &mut *order {
            *left += 1;
        }
        for k in 0..4 {
            if order.fill(k + i as u32 % 3) {
                filled[i] += 1;
            }
        }
        filled[i] += 10 * (*order != Order::Market(2)) as u32;
    }
}

#[test]
fn of_a_type_outside_of_a_module() {
    let made = || -> Vec<Order> {
        let one = |i: u32| match i % 3 {
            0 => Order::Limit { price: 7, left: i },
            1 => Order::Market(i),
            _ => Order::Done,
        };
        (0..20).map(one).collect()
    };
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (mut orders, mut filled) = (made(), vec![0; 20]);
        match_orders(&mut orders, &mut filled);
        let serial = |i: usize| {
            let (mut order, mut filled) = (made()[i], 0);
            if let Order::Limit { left, .. } = &mut order {
                *left += 1;
            }
            (0..4).for_each(|k| filled += u32::from(order.fill(k + i as u32 % 3)));
            (order, filled + 10 * u32::from(order != Order::Market(2)))
        };
        let expected: Vec<_> = (0..20).map(serial).collect();
        assert_eq!(orders.into_iter().zip(filled).collect::<Vec<_>>(), expected, "device {d}");
    });
}

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum State { Idle, Busy { left: u32, cost: i64, tag: u8 }, Done(u32, i64), Pair((u32, u32)) }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Machine { state: State, steps: u32 }

    #[omp::declare_target]
    fn add(to: &mut i64, v: i64) { *to += v; }

    #[omp::declare_target]
    impl State {
        fn step(&mut self) -> u32 {
            match self {
                State::Busy { left, cost, .. } if *left > 0 => {
                    *left -= 1;
                    add(cost, 5);
                    if *left == 1 {
                        return 100;
                    }
                    *cost *= 2;
                    *left
                }
                Self::Busy { left, cost, tag } => {
                    let (l, c) = (*left, *cost);
                    *tag = 7;
                    *self = State::Done(l, c);
                    7
                }
                State::Done(n, _) => {
                    *n += 1;
                    *n
                }
                State::Pair((a, b)) => {
                    std::mem::swap(a, b);
                    *a
                }
                State::Idle => 0,
            }
        }

        fn left(&self) -> u32 {
            match self {
                State::Busy { left, .. } => *left,
                State::Done(n, c) => *n + *c as u32,
                _ => 3,
            }
        }
    }

    #[omp::declare_target]
    impl Machine {
        fn run(&mut self) {
            match &mut self.state {
                State::Idle => self.steps += 10,
                State::Busy { left, .. } => {
                    *left += 1;
                    self.steps += *left;
                }
                State::Done(n, c) => {
                    *n += 1;
                    if *c > 3 {
                        self.state = State::Idle;
                    }
                }
                State::Pair(..) => {}
            }
        }
    }

    pub fn run() -> (Vec<Machine>, Vec<[u32; 4]>) {
        let mut all: Vec<Machine> = (0..24).map(|i| Machine {
            steps: 0,
            state: match i % 5 {
                0 => State::Idle,
                1 | 2 => State::Busy { left: i % 7, cost: i as i64, tag: 1 },
                3 => State::Done(i, i as i64 % 6),
                _ => State::Pair((i, i + 1)),
            },
        }).collect();
        let points: Vec<Point<i32>> = (0..24).map(|i| Point { x: i % 2, y: [i % 3, 1] }).collect();
        let sides: Vec<Either<u64>> = (0..24).map(|i| match i % 4 { 0 | 1 => Either::Left(i % 8), 2 => Either::Right { of: i as u32 % 3 }, _ => Either::Neither }).collect();
        let mut out = vec![[0; 4]; 24];
        #[omp::target]
        for (i, (m, o)) in all.iter_mut().zip(out.iter_mut()).enumerate() {
            let before = m.state;
            for _ in 0..3 {
                let state = &mut m.state;
                let left = state.step();
                o[0] = o[0] * 3 + left;
                m.run();
            }
            if let State::Done(n, ..) = &mut m.state {
                *n *= 2;
            }
            let mut best: Option<u32> = None;
            for k in 0..4 {
                if let Some(b) = &mut best { *b += k; } else { best = Some(k + 1); }
                match best { Some(ref mut b) if *b > 2 => *b *= 2, _ => {} }
            }
            if let Some(b) = best.as_mut() { *b += 1; }
            o[1] = best.unwrap() + m.state.left();
            o[2] = matches!(before, State::Pair((4, 5))) as u32;
            o[3] = (points[i] == points[0]) as u32 + 2 * (sides[i] == sides[1]) as u32 + 4 * (sides[i] == Either::Right { of: 2 }) as u32;
        }
        (all, out)
    }
}

#[test]
fn as_without_directives() {
    let all = {
        let (all, out) = plain::run();
        (format!("{all:?}"), out)
    };
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (got, out) = device::run();
        assert_eq!((format!("{got:?}"), out), all, "device {d}");
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(u8)]
pub enum Job {
    Idle,
    Busy { left: u32, cost: u32 },
    Parts([u32; 4], u32),
    Done(u32),
}

// Every way out of an arm keeps what the arm has changed before.
#[omp::declare_target]
impl Job {
    fn by_labels(&mut self, m: u32) -> u32 {
        let mut r = 0;
        'outer: for k in 0..3 {
            match self {
                Job::Busy { left, cost } => {
                    'inner: for j in 0..4 {
                        *left += j + m;
                        if *left > 6 {
                            *cost += 1;
                            break 'outer;
                        }
                        if *left > 4 {
                            *cost += 10;
                            continue 'outer;
                        }
                        if j == 2 {
                            continue 'inner;
                        }
                        *cost += 3;
                    }
                    r += k;
                }
                Job::Done(n) => {
                    *n += 1;
                    if *n > 5 {
                        break;
                    }
                    r += *n;
                }
                _ => r += 100,
            }
        }
        r
    }

    fn with_values(&mut self, m: u32) -> u32 {
        let mut i = 0;
        loop {
            i += 1;
            match self {
                Job::Busy { left, .. } => {
                    *left += m;
                    if *left > 9 {
                        break *left + i;
                    }
                }
                Job::Done(n) => {
                    *n += 3;
                    break *n;
                }
                _ => break 7,
            }
        }
    }

    fn by_question_marks(&mut self, m: Option<u32>) -> Option<u32> {
        match self {
            Job::Busy { left, cost } => {
                *left += 5;
                let v = m?;
                *cost += v;
                Some(*left)
            }
            Job::Done(n) => {
                *n += 2;
                *n += m?;
                Some(*n)
            }
            _ => None,
        }
    }

    fn of_blocks(&mut self, m: u32) -> u32 {
        'block: {
            if let Job::Busy { left, .. } = self {
                *left += m;
                if *left % 2 == 0 {
                    break 'block 3;
                }
                *left += 100;
            }
            4
        }
    }

    fn by_tuples_and_loops(&mut self) {
        match self {
            Job::Busy { left, cost } => (*left, *cost) = (*cost + 1, *left + 2),
            Job::Parts(all, n) => {
                for x in all {
                    *x += *n;
                }
                *n += 1;
            }
            _ => {}
        }
    }

    fn all(&mut self, i: u32) -> [u32; 4] {
        let given = if i % 2 == 0 { Some(4) } else { None };
        self.by_tuples_and_loops();
        [
            self.by_labels(i % 3),
            self.with_values(i % 4 + 1),
            self.by_question_marks(given).unwrap_or(1000),
            self.of_blocks(i),
        ]
    }
}

#[omp::offload]
fn run_jobs(jobs: &mut [Job], out: &mut [[u32; 4]]) {
    #[omp::target]
    for i in 0..jobs.len() {
        let job = &mut jobs[i];
        out[i] = job.all(i as u32);
    }
}

#[test]
fn every_way_out_of_an_arm() {
    let made = |i: u32| match i % 4 {
        0 => Job::Idle,
        1 => Job::Busy { left: i / 6, cost: 1 },
        2 => Job::Parts([i, 1, 2, 3], i),
        _ => Job::Done(i / 3),
    };
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let mut jobs: Vec<Job> = (0..40).map(made).collect();
        let mut out = vec![[0; 4]; 40];
        run_jobs(&mut jobs, &mut out);
        for i in 0..40 {
            let mut job = made(i);
            let results = job.all(i);
            assert_eq!((jobs[i as usize], out[i as usize]), (job, results), "job {i} on device {d}");
        }
    });
}
