//! Discrete events: a network of queues with several servers, an event list as a heap, replications, confidence.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Event { Arrival, Departure { station: u8, job: u16 }, Breakdown(u8), Repair(u8) }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Timed { time: f64, event: Event }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Agenda<const N: usize> { heap: [Timed; N], len: usize }

    #[omp::declare_target]
    impl<const N: usize> Agenda<N> {
        fn new() -> Self { Self { heap: [Timed { time: f64::INFINITY, event: Event::Arrival }; N], len: 0 } }
        fn schedule(&mut self, time: f64, event: Event) {
            assert!(self.len < N, "the agenda is full: {}", self.len);
            let mut hole = self.len;
            self.len += 1;
            while hole > 0 {
                let up = (hole - 1) / 2;
                if self.heap[up].time <= time { break; }
                self.heap[hole] = self.heap[up];
                hole = up;
            }
            self.heap[hole] = Timed { time, event };
        }
        fn next(&mut self) -> Option<Timed> {
            let top = *self.heap[..self.len].first()?;
            self.len -= 1;
            let last = self.heap[self.len];
            let mut hole = 0;
            while let Some(child) = (2 * hole + 1..2 * hole + 3).filter(|&c| c < self.len).min_by(|&a, &b| self.heap[a].time.total_cmp(&self.heap[b].time)) {
                if last.time <= self.heap[child].time { break; }
                self.heap[hole] = self.heap[child];
                hole = child;
            }
            self.heap[hole] = last;
            Some(top)
        }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Station { servers: u8, busy: u8, down: u8, mean: f64, waiting: Fifo }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Fifo { jobs: [u16; 32], head: u8, len: u8 }

    #[omp::declare_target]
    impl Fifo {
        fn push_back(&mut self, job: u16) -> bool {
            if self.len as usize == self.jobs.len() { return false; }
            self.jobs[(self.head + self.len) as usize % self.jobs.len()] = job;
            self.len += 1;
            true
        }
        fn pop_front(&mut self) -> Option<u16> {
            self.len = self.len.checked_sub(1)?;
            let job = self.jobs[self.head as usize];
            self.head = (self.head + 1) % self.jobs.len() as u8;
            Some(job)
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Rng { s: [u32; 4] }
    #[omp::declare_target]
    impl Rng {
        fn seeded(seed: u32) -> Self { Rng { s: [seed ^ 0x9E37, seed.rotate_left(7), !seed, 12345] } }
        fn uniform(&mut self) -> f64 {
            let [a, b, c, d] = &mut self.s;
            let result = a.wrapping_add(*d).rotate_left(7).wrapping_add(*a);
            let t = *b << 9;
            *c ^= *a;
            *d ^= *b;
            *b ^= *c;
            *a ^= *d;
            *c ^= t;
            *d = d.rotate_left(11);
            (f64::from(result) + 0.5) / 4294967296.0
        }
        fn exponential(&mut self, mean: f64) -> f64 { -mean * self.uniform().ln() }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Stats { done: u32, lost: u32, total: f64, area: f64, breakdowns: u32 }

    #[omp::declare_target]
    fn simulate(seed: u32, horizon: f64) -> Stats {
        let mut rng = Rng::seeded(seed);
        let mut agenda = Agenda::<64>::new();
        let mut stations = [Station { servers: 2, mean: 1.1, ..Default::default() }, Station { servers: 1, mean: 0.4, ..Default::default() }];
        let mut births = [0.0f64; 256];
        let mut stats = Stats::default();
        let mut next_job = 0u16;
        let mut clock = 0.0;
        let mut inside = 0u32;
        agenda.schedule(rng.exponential(0.7), Event::Arrival);
        agenda.schedule(rng.exponential(9.0), Event::Breakdown(0));
        while let Some(Timed { time, event }) = agenda.next() {
            if time > horizon { break; }
            stats.area += f64::from(inside) * (time - clock);
            clock = time;
            // Which station may have a free server now, and who comes to one.
            let (touched, comes) = match event {
                Event::Arrival => {
                    agenda.schedule(clock + rng.exponential(0.7), Event::Arrival);
                    let job = next_job;
                    next_job = next_job.wrapping_add(1);
                    births[usize::from(job % 256)] = clock;
                    inside += 1;
                    (0, Some(job))
                }
                Event::Departure { station: 0, job } => {
                    stations[0].busy -= 1;
                    if stations[1].busy < stations[1].servers {
                        stations[1].busy += 1;
                        agenda.schedule(clock + rng.exponential(stations[1].mean), Event::Departure { station: 1, job });
                    } else if !stations[1].waiting.push_back(job) {
                        stats.lost += 1;
                        inside -= 1;
                    }
                    (0, None)
                }
                Event::Departure { station, job } => {
                    stations[station as usize].busy -= 1;
                    stats.done += 1;
                    stats.total += clock - births[job as usize % 256];
                    inside -= 1;
                    (station as usize, None)
                }
                Event::Breakdown(s) => {
                    stations[s as usize].down += 1;
                    stats.breakdowns += 1;
                    agenda.schedule(clock + rng.exponential(1.5), Event::Repair(s));
                    continue;
                }
                Event::Repair(s) => {
                    stations[s as usize].down -= 1;
                    agenda.schedule(clock + rng.exponential(9.0), Event::Breakdown(s));
                    (s as usize, None)
                }
            };
            let station = &mut stations[touched];
            if let Some(job) = comes && !station.waiting.push_back(job) {
                stats.lost += 1;
                inside -= 1;
            }
            while station.busy + station.down < station.servers {
                let Some(job) = station.waiting.pop_front() else { break };
                station.busy += 1;
                agenda.schedule(clock + rng.exponential(station.mean), Event::Departure { station: touched as u8, job });
            }
        }
        stats
    }

    pub fn run(replications: usize) -> (Vec<Stats>, f64, f64) {
        let mut all = vec![Stats::default(); replications];
        let (mut sum, mut squares) = (0.0, 0.0);
        #[omp::target(reduction(+: sum, squares))]
        for (seed, slot) in (1u32..).zip(all.iter_mut()) {
            let s = simulate(seed * 7919, 80.0);
            if s.done > 0 {
                let mean = s.total / f64::from(s.done);
                sum += mean;
                squares += mean * mean;
            }
            *slot = s;
        }
        (all, sum, squares)
    }
}
port!(event_queue: crate::Shown::of(run(40)));
