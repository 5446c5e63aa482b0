//! Nagel-Schreckenberg traffic: a two-lane ring road with lane changes, trucks and traffic lights.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Kind {
        Car { eager: bool },
        Truck { limit: u8 },
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Vehicle { pub kind: Kind, pub speed: u8, pub id: u16 }

    #[omp::declare_target]
    impl Vehicle {
        const CAR_LIMIT: u8 = 5;

        fn limit(&self) -> u8 {
            match self.kind {
                Kind::Car { eager: true } => Self::CAR_LIMIT + 1,
                Kind::Car { .. } => Self::CAR_LIMIT,
                Kind::Truck { limit } => limit,
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Cell {
        Empty,
        Occupied(Vehicle),
    }

    #[omp::declare_target]
    impl Cell {
        fn vehicle(self) -> Option<Vehicle> {
            match self {
                Cell::Occupied(v) => Some(v),
                Cell::Empty => None,
            }
        }
        fn is_empty(self) -> bool {
            matches!(self, Cell::Empty)
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Light { pub at: usize, pub green: u32, pub red: u32, pub phase: u32 }

    #[omp::declare_target]
    impl Light {
        fn is_red(&self, now: u32) -> bool {
            (now + self.phase) % (self.green + self.red) >= self.green
        }
    }

    #[omp::declare_target]
    fn dice(seed: u32, step: u32, id: u16, salt: u32) -> u32 {
        let mut h = seed ^ step.wrapping_mul(0x9e37_79b9) ^ (id as u32).wrapping_mul(0x85eb_ca6b) ^ salt << 28;
        h = (h ^ h >> 16).wrapping_mul(0x7feb_352d);
        h = (h ^ h >> 15).wrapping_mul(0x846c_a68b);
        (h ^ h >> 16) % 100
    }

    pub const LOOK: usize = 8;

    #[omp::declare_target]
    fn gap_ahead(lane: &[Cell], x: usize) -> u8 {
        let n = lane.len();
        (1..=LOOK).find(|k| !lane[(x + k) % n].is_empty()).map_or(LOOK as u8, |k| k as u8 - 1)
    }

    #[omp::declare_target]
    fn clear_behind(lane: &[Cell], x: usize) -> bool {
        let n = lane.len();
        (1..=LOOK).all(|k| match lane[(x + n - k) % n] {
            Cell::Empty => true,
            Cell::Occupied(v) => (v.speed as usize) < k,
        })
    }

    /// Does the vehicle at `x` of lane `from` move over?
    #[omp::declare_target]
    fn changes(road: &[Cell], n: usize, from: usize, x: usize, seed: u32, step: u32) -> Option<Vehicle> {
        let (own, other) = (&road[from * n..(from + 1) * n], &road[(1 - from) * n..(2 - from) * n]);
        let v = own[x].vehicle()?;
        if !other[x].is_empty() {
            return None;
        }
        let want = (v.speed + 1).min(v.limit());
        let (here, there) = (gap_ahead(own, x), gap_ahead(other, x));
        let keen = match v.kind {
            Kind::Car { eager: true } => 90,
            Kind::Car { eager: false } => 60,
            Kind::Truck { .. } if from == 1 => 50,
            Kind::Truck { .. } => 0,
        };
        (here < want && there > here && clear_behind(other, x) && dice(seed, step, v.id, 1) < keen).then_some(v)
    }

    pub fn change_lanes(road: &[Cell], next: &mut [Cell], n: usize, seed: u32, step: u32) -> u32 {
        let mut changed = 0;
        #[omp::target(map(to: road), map(from: next), reduction(+: changed))]
        for i in 0..2 * n {
            let (lane, x) = (i / n, i % n);
            next[i] = if let Some(v) = changes(road, n, 1 - lane, x, seed, step) {
                changed += 1;
                Cell::Occupied(v)
            } else if changes(road, n, lane, x, seed, step).is_some() {
                Cell::Empty
            } else {
                road[i]
            };
        }
        changed
    }

    #[omp::declare_target]
    fn new_speed(lane: &[Cell], lights: &[Light], x: usize, v: &Vehicle, seed: u32, step: u32) -> u8 {
        let n = lane.len();
        let mut gap = gap_ahead(lane, x);
        for light in lights.iter().filter(|l| l.is_red(step)) {
            let distance = (light.at + n - x) % n;
            if distance > 0 && distance <= gap as usize {
                gap = distance as u8 - 1;
            }
        }
        let speed = (v.speed + 1).min(v.limit()).min(gap);
        let brake = match v.kind {
            Kind::Truck { .. } => 15,
            _ if v.speed == 0 => 45,
            Kind::Car { eager } => if eager { 10 } else { 25 },
        };
        if dice(seed, step, v.id, 2) < brake { speed.saturating_sub(1) } else { speed }
    }

    /// Every cell looks back for the vehicle that drives into it.
    pub fn drive(road: &[Cell], lights: &[Light], next: &mut [Cell], n: usize, seed: u32, step: u32) -> (u32, u32, bool) {
        let mut moved = 0u32;
        let mut fastest = 0u32;
        let mut standing = false;
        #[omp::target(map(to: road, lights), map(from: next), reduction(+: moved), reduction(max: fastest), reduction(||: standing))]
        for (i, cell) in next.iter_mut().enumerate() {
            let (start, x) = (i / n * n, i % n);
            let lane = &road[start..start + n];
            let mut arrived = Cell::Empty;
            'look: for back in 0..LOOK {
                let from = (x + n - back) % n;
                let Some(v) = lane[from].vehicle() else { continue 'look };
                let speed = new_speed(lane, lights, from, &v, seed, step);
                if speed as usize == back {
                    arrived = Cell::Occupied(Vehicle { speed, ..v });
                    moved += speed as u32;
                    fastest = fastest.max(speed as u32);
                    if speed == 0 {
                        standing = true;
                    }
                }
                break 'look;
            }
            *cell = arrived;
        }
        (moved, fastest, standing)
    }

    pub fn profile(road: &[Cell], n: usize, block: usize, density: &mut [u32], speed: &mut [u32]) {
        #[omp::target(map(to: road), map(from: density, speed))]
        for b in 0..density.len() {
            let cells = |lane: usize| road[lane * n + b * block..lane * n + (b + 1) * block].iter();
            let (count, sum) = cells(0)
                .chain(cells(1))
                .fold((0, 0), |(c, s), cell| cell.vehicle().map_or((c, s), |v| (c + 1, s + v.speed as u32)));
            density[b] = count;
            speed[b] = if count > 0 { 100 * sum / count } else { 0 };
        }
    }

    pub fn road(n: usize) -> Vec<Cell> {
        (0..2 * n)
            .map(|i| match dice(5, 0, i as u16, 3) {
                0..=5 => Cell::Occupied(Vehicle { kind: Kind::Truck { limit: 3 }, speed: 0, id: i as u16 }),
                k @ 6..=25 => Cell::Occupied(Vehicle { kind: Kind::Car { eager: k % 3 == 0 }, speed: (k % 4) as u8, id: i as u16 }),
                _ => Cell::Empty,
            })
            .collect()
    }
}
port!(nasch_traffic: crate::Shown::of({
    let n = 600;
    let lights = [
        Light { at: 100, green: 20, red: 12, phase: 3 },
        Light { at: 420, green: 9, red: 14, phase: 0 },
    ];
    let mut road = road(n);
    let mut next = road.clone();
    let mut log = vec![];
    for step in 0..30 {
        let changed = change_lanes(&road, &mut next, n, 77, step);
        let totals = drive(&next, &lights, &mut road, n, 77, step);
        log.push((changed, totals));
    }
    let (mut density, mut speed) = (vec![0; 12], vec![0; 12]);
    profile(&road, n, 50, &mut density, &mut speed);
    let cells: Vec<_> = road
        .iter()
        .map(|c| match c {
            Cell::Occupied(v) => (v.id as i32, v.speed),
            Cell::Empty => (-1, 0),
        })
        .collect();
    (log, density, speed, cells)
}));
