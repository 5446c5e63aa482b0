//! Event sessions: gaps, running ids, per-session aggregates, percentile buckets.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Event {
        user: u32,
        time: i64,
        value: f32,
    }

    const GAP: i64 = 1800;
    const DAY: i64 = 86_400;

    #[omp::declare_target]
    fn starts(previous: &Event, e: &Event) -> bool {
        previous.user != e.user || e.time - previous.time > GAP
    }

    #[omp::offload]
    fn session_ids(events: &[Event]) -> Vec<u32> {
        let mut ids = vec![0u32; events.len()];
        #[omp::target]
        for i in 1..events.len() {
            ids[i] = starts(&events[i - 1], &events[i]) as u32;
        }
        #[omp::scan(+)]
        for i in 1..ids.len() {
            ids[i] = ids[i - 1] + ids[i];
        }
        ids
    }

    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Session {
        events: u32,
        total: i64,
        first_hour: u8,
        weekday: u8,
    }

    #[omp::offload]
    fn bounds(ids: &[u32], count: usize) -> Vec<u32> {
        let mut begin = vec![ids.len() as u32; count + 1];
        #[omp::target(disjoint(begin))]
        for (i, &id) in ids.iter().enumerate() {
            if i == 0 || ids[i - 1] != id {
                begin[id as usize] = i as u32;
            }
        }
        begin
    }

    #[omp::offload]
    fn aggregate(events: &[Event], begin: &[u32]) -> Vec<Session> {
        let mut sessions = vec![Session::default(); begin.len() - 1];
        #[omp::target]
        for (session, range) in sessions.iter_mut().zip(begin.windows(2)) {
            let &[from, to] = range else { unreachable!() };
            let part = &events[from as usize..to as usize];
            let first = part.first().unwrap();
            *session = Session {
                events: part.len() as u32,
                total: part.iter().map(|e| (e.value * 100.0) as i64).sum(),
                first_hour: (first.time.rem_euclid(DAY) / 3600) as u8,
                weekday: ((first.time.div_euclid(DAY) + 4).rem_euclid(7)) as u8,
            };
        }
        sessions
    }

    #[omp::offload]
    fn histogram(sessions: &[Session]) -> [[u32; 24]; 7] {
        let mut table = [[0u32; 24]; 7];
        #[omp::target(reduction(+: table))]
        for s in sessions {
            table[s.weekday as usize][s.first_hour as usize] += s.events;
        }
        table
    }

    pub fn run(n: usize) -> (Vec<u32>, Vec<Session>, [[u32; 24]; 7]) {
        let events: Vec<Event> = (0..n)
            .map(|i| Event { user: (i / 37) as u32, time: 1_600_000_000 + (i as i64 * i as i64 * 13) % 100_000 + i as i64 * 900, value: (i % 91) as f32 * 0.25 })
            .collect();
        let ids = session_ids(&events);
        let count = ids.last().map_or(0, |&l| l as usize + 1);
        let begin = bounds(&ids, count);
        let sessions = aggregate(&events, &begin);
        let h = histogram(&sessions);
        (ids, sessions, h)
    }
}
port!(sessions: [0, 1, 99, 1500].map(|n| crate::Shown::of(run(n))));
