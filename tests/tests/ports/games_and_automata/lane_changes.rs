//! Nagel-Schreckenberg traffic on a ring road of three lanes with signals: lane changes with safety gaps, cars and
//! trucks, randomised braking, a flow detector and a histogram of speeds.
use omp_tests::on_every_device;

const LANES: usize = 3;
const LENGTH: usize = 900;
const DETECTOR: u32 = 450;
const SPEEDS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
enum Kind {
    Car,
    Truck,
}

#[omp::declare_target]
impl Kind {
    fn limit(self) -> u8 {
        match self {
            Kind::Car => 5,
            Kind::Truck => 3,
        }
    }

    /// The chance of braking for no reason, of 256.
    fn dawdling(self) -> u64 {
        match self {
            Kind::Car => 40,
            Kind::Truck => 70,
        }
    }
}

/// A position on the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
struct Cell(u32);

#[omp::declare_target]
impl Cell {
    fn ahead(self, d: u32) -> Cell {
        Cell((self.0 + d) % LENGTH as u32)
    }
    fn behind(self, d: u32) -> Cell {
        Cell((self.0 + LENGTH as u32 - d) % LENGTH as u32)
    }
    fn distance_to(self, o: Cell) -> u32 {
        (o.0 + LENGTH as u32 - self.0) % LENGTH as u32
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
struct Vehicle {
    lane: u8,
    speed: u8,
    kind: Kind,
    cell: Cell,
    laps: u32,
}

#[omp::declare_target]
impl Vehicle {
    fn slot(&self) -> usize {
        slot(self.lane as usize, self.cell)
    }
}

#[derive(Clone, Copy, Debug, omp::Device)]
struct Signal {
    stop: Cell,
    green: u32,
    red: u32,
    offset: u32,
}

#[omp::declare_target]
impl Signal {
    fn is_red(&self, time: u32) -> bool {
        (time + self.offset) % (self.green + self.red) >= self.green
    }
}

type Road = [Option<u16>]; // by lane and cell: the vehicle there

#[omp::declare_target]
fn slot(lane: usize, cell: Cell) -> usize {
    lane * LENGTH + cell.0 as usize
}

#[omp::declare_target]
fn dice(time: u32, id: usize, purpose: u64) -> u64 {
    let mut z = (time as u64) << 32 ^ (id as u64) << 8 ^ purpose;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z >> 40
}

/// Free cells ahead in a lane, up to a limit.
#[omp::declare_target]
fn gap_ahead(road: &Road, lane: usize, cell: Cell, limit: u32) -> u32 {
    (1..=limit).find(|&d| road[slot(lane, cell.ahead(d))].is_some()).map_or(limit, |d| d - 1)
}

/// The cells before the next red signal, up to a limit.
#[omp::declare_target]
fn gap_to_signal(signals: &[Signal], cell: Cell, time: u32, limit: u32) -> u32 {
    signals
        .iter()
        .filter(|s| s.is_red(time))
        .map(|s| cell.distance_to(s.stop))
        .filter(|&d| d > 0)
        .map(|d| d - 1)
        .min()
        .map_or(limit, |d| d.min(limit))
}

/// The lane that the vehicle wants, if it is the one on that side and the gaps allow it.
#[omp::declare_target]
fn wanted_lane(v: &Vehicle, id: usize, road: &Road, vehicles: &[Vehicle], time: u32) -> Option<usize> {
    let lane = v.lane as usize;
    let overtaking = time % 2 == 0;
    let target = if overtaking { (lane + 1 < LANES).then_some(lane + 1)? } else { lane.checked_sub(1)? };
    let wish = v.kind.limit().min(v.speed + 1) as u32;
    let here = gap_ahead(road, lane, v.cell, wish);
    if overtaking && here >= wish {
        return None;
    }
    let needed = if overtaking { here } else { wish };
    if road[slot(target, v.cell)].is_some() || gap_ahead(road, target, v.cell, wish + 1) <= needed {
        return None;
    }
    for d in 1..SPEEDS as u32 {
        if let Some(other) = road[slot(target, v.cell.behind(d))] {
            if vehicles[other as usize].speed as u32 >= d {
                return None;
            }
            break;
        }
    }
    (dice(time, id, 1) & 0xff < 200).then_some(target)
}

#[omp::declare_target]
fn drive(v: &mut Vehicle, id: usize, road: &Road, signals: &[Signal], time: u32) -> bool {
    let faster = (v.speed + 1).min(v.kind.limit()) as u32;
    let gap = gap_ahead(road, v.lane as usize, v.cell, faster);
    let mut speed = faster.min(gap).min(gap_to_signal(signals, v.cell, time, faster));
    if speed > 0 && dice(time, id, 2) & 0xff < v.kind.dawdling() {
        speed -= 1;
    }
    let before = v.cell;
    v.speed = speed as u8;
    v.cell = before.ahead(speed);
    if v.cell < before {
        v.laps += 1;
    }
    let to_detector = before.distance_to(Cell(DETECTOR));
    (1..=speed).contains(&to_detector)
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Report {
    flow: u32,
    stopped: u32,
    changes: u32,
    speeds: [u32; SPEEDS],
}

#[derive(Clone)]
struct Simulation {
    vehicles: Vec<Vehicle>,
    next: Vec<Vehicle>,
    road: Vec<Option<u16>>,
    signals: Vec<Signal>,
}

#[omp::offload]
impl Simulation {
    fn occupy(&mut self) {
        #[omp::target]
        for place in self.road.iter_mut() {
            *place = None;
        }
        #[omp::target(disjoint(self.road))]
        for (id, v) in self.vehicles.iter().enumerate() {
            self.road[v.slot()] = Some(id as u16);
        }
    }

    fn change_lanes(&mut self, time: u32) -> u32 {
        let mut changes = 0;
        #[omp::target(reduction(+: changes))]
        for id in 0..self.vehicles.len() {
            let mut v = self.vehicles[id];
            if let Some(lane) = wanted_lane(&v, id, &self.road, &self.vehicles, time) {
                v.lane = lane as u8;
                changes += 1;
            }
            self.next[id] = v;
        }
        std::mem::swap(&mut self.vehicles, &mut self.next);
        changes
    }

    fn advance(&mut self, time: u32) -> Report {
        self.occupy();
        let changes = self.change_lanes(time);
        self.occupy();
        let (mut flow, mut stopped) = (0, 0);
        let mut speeds = [0u32; SPEEDS];
        #[omp::target(reduction(+: flow, stopped, speeds))]
        for (id, v) in self.vehicles.iter_mut().enumerate() {
            if drive(v, id, &self.road, &self.signals, time) {
                flow += 1;
            }
            stopped += (v.speed == 0) as u32;
            speeds[v.speed as usize] += 1;
        }
        Report { flow, stopped, changes, speeds }
    }
}

mod serial {
    use super::*;

    fn occupy(s: &mut Simulation) {
        s.road.fill(None);
        for (id, v) in s.vehicles.iter().enumerate() {
            assert!(s.road[v.slot()].replace(id as u16).is_none(), "a crash");
        }
    }

    pub fn advance(s: &mut Simulation, time: u32) -> Report {
        let mut report = Report::default();
        occupy(s);
        for id in 0..s.vehicles.len() {
            s.next[id] = s.vehicles[id];
            if let Some(lane) = wanted_lane(&s.vehicles[id], id, &s.road, &s.vehicles, time) {
                s.next[id].lane = lane as u8;
                report.changes += 1;
            }
        }
        std::mem::swap(&mut s.vehicles, &mut s.next);
        occupy(s);
        for (id, v) in s.vehicles.iter_mut().enumerate() {
            report.flow += drive(v, id, &s.road, &s.signals, time) as u32;
            report.stopped += (v.speed == 0) as u32;
            report.speeds[v.speed as usize] += 1;
        }
        report
    }
}

#[test]
fn results_are_those_of_plain_rust() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut seed = 63u64;
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n as u64) as u32
        };
        let mut vehicles = Vec::new();
        for lane in 0..LANES as u8 {
            for cell in (0..LENGTH as u32).map(Cell) {
                if below(100) < 18 {
                    let kind = if below(5) == 0 { Kind::Truck } else { Kind::Car };
                    vehicles.push(Vehicle { lane, speed: below(3) as u8, kind, cell, laps: 0 });
                }
            }
        }
        let signals = [150, 420, 700]
            .into_iter()
            .map(|at| Signal { stop: Cell(at), green: 20 + below(15), red: 8 + below(8), offset: below(30) })
            .collect();
        let mut a =
            Simulation { next: vehicles.clone(), vehicles, road: vec![None; LANES * LENGTH], signals };
        let mut b = a.clone();

        let (mut flow, mut changes) = (0, 0);
        for time in 0..80 {
            let got = a.advance(time);
            let want = serial::advance(&mut b, time);
            assert_eq!(got, want, "time {time}");
            flow += got.flow;
            changes += got.changes;
        }
        assert_eq!(a.vehicles, b.vehicles);
        assert!(flow > 10 && changes > 10);
    });
}
