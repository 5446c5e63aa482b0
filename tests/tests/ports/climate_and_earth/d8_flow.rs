//! Terrain: D8 directions, accumulation by levels, slope and aspect, hillshade, viewshed along rays.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Dir { None, E, SE, S, SW, W, NW, N, NE }

    #[omp::declare_target]
    impl Dir {
        const ALL: [Dir; 8] = [Dir::E, Dir::SE, Dir::S, Dir::SW, Dir::W, Dir::NW, Dir::N, Dir::NE];
        fn delta(self) -> (i64, i64) {
            match self {
                Dir::None => (0, 0),
                Dir::E => (1, 0),
                Dir::SE => (1, 1),
                Dir::S => (0, 1),
                Dir::SW => (-1, 1),
                Dir::W => (-1, 0),
                Dir::NW => (-1, -1),
                Dir::N => (0, -1),
                Dir::NE => (1, -1),
            }
        }
        fn is_diagonal(self) -> bool { matches!(self, Dir::SE | Dir::SW | Dir::NW | Dir::NE) }
        fn opposite(self) -> Dir {
            use Dir::*;
            match self { None => None, E => W, SE => NW, S => N, SW => NE, W => E, NW => SE, N => S, NE => SW }
        }
    }

    #[derive(Clone, omp::Mapper)]
    pub struct Dem { cols: usize, rows: usize, cell: f64, z: Vec<f64> }

    #[omp::declare_target]
    impl Dem {
        fn neighbour(&self, i: usize, d: Dir) -> Option<usize> {
            let (dx, dy) = d.delta();
            let x = (i % self.cols) as i64 + dx;
            let y = (i / self.cols) as i64 + dy;
            if x >= 0 && y >= 0 && (x as usize) < self.cols && (y as usize) < self.rows {
                Some(y as usize * self.cols + x as usize)
            } else {
                None
            }
        }

        fn steepest(&self, i: usize) -> Dir {
            let mut best = (Dir::None, 0.0);
            for d in Dir::ALL {
                if let Some(j) = self.neighbour(i, d) {
                    let run = if d.is_diagonal() { self.cell * std::f64::consts::SQRT_2 } else { self.cell };
                    let slope = (self.z[i] - self.z[j]) / run;
                    if slope > best.1 {
                        best = (d, slope);
                    }
                }
            }
            best.0
        }

        fn horn(&self, i: usize) -> Option<(f64, f64)> {
            let at = |d: Dir| self.neighbour(i, d).map(|j| self.z[j]);
            let dzdx = (at(Dir::NE)? + 2.0 * at(Dir::E)? + at(Dir::SE)?) - (at(Dir::NW)? + 2.0 * at(Dir::W)? + at(Dir::SW)?);
            let dzdy = (at(Dir::SW)? + 2.0 * at(Dir::S)? + at(Dir::SE)?) - (at(Dir::NW)? + 2.0 * at(Dir::N)? + at(Dir::NE)?);
            Some((dzdx / (8.0 * self.cell), dzdy / (8.0 * self.cell)))
        }
    }

    impl Dem {
        pub fn directions(&self) -> Vec<Dir> {
            let mut dirs = vec![Dir::None; self.z.len()];
            #[omp::target]
            for (i, d) in dirs.iter_mut().enumerate() {
                *d = self.steepest(i);
            }
            dirs
        }

        pub fn accumulate(&self, dirs: &[Dir]) -> Vec<u32> {
            let n = self.z.len();
            let mut flow = vec![1u32; n];
            let mut next = vec![1u32; n];
            for _ in 0..self.cols + self.rows {
                #[omp::target]
                for i in 0..n {
                    let mut sum = 1;
                    for d in Dir::ALL.iter() {
                        let Some(j) = self.neighbour(i, *d) else { continue };
                        if dirs[j] == d.opposite() {
                            sum += flow[j];
                        }
                    }
                    next[i] = sum;
                }
                std::mem::swap(&mut flow, &mut next);
            }
            flow
        }

        pub fn hillshade(&self, azimuth: f64, altitude: f64) -> Vec<u8> {
            let (az, zenith) = (azimuth.to_radians(), (90.0 - altitude).to_radians());
            let mut shade = vec![0u8; self.z.len()];
            #[omp::target]
            for (i, s) in shade.iter_mut().enumerate() {
                *s = self.horn(i).map_or(0, |(dx, dy)| {
                    let slope = dx.hypot(dy).atan();
                    let aspect = dy.atan2(-dx);
                    let v = zenith.cos() * slope.cos() + zenith.sin() * slope.sin() * (az - aspect).cos();
                    (255.0 * v.max(0.0)).round() as u8
                });
            }
            shade
        }

        pub fn viewshed(&self, observer: usize, eye: f64) -> (Vec<bool>, usize) {
            let (ox, oy) = (observer % self.cols, observer / self.cols);
            let h0 = self.z[observer] + eye;
            let mut seen = vec![false; self.z.len()];
            let mut count = 0;
            #[omp::target(reduction(+: count))]
            for i in 0..self.z.len() {
                let (x, y) = (i % self.cols, i / self.cols);
                let (dx, dy) = (x as f64 - ox as f64, y as f64 - oy as f64);
                let steps = dx.abs().max(dy.abs()) as usize;
                let target = self.z[i] - h0;
                let dist = dx.hypot(dy);
                let visible = (1..steps).all(|s| {
                    let t = s as f64 / steps as f64;
                    let cx = (ox as f64 + t * dx).round() as usize;
                    let cy = (oy as f64 + t * dy).round() as usize;
                    let rise = self.z[cy * self.cols + cx] - h0;
                    rise / (t * dist) <= target / dist
                });
                if visible {
                    seen[i] = true;
                    count += 1;
                }
            }
            (seen, count)
        }
    }

    pub fn run() -> (Vec<u8>, Vec<u32>, Vec<bool>) {
        let mut v = Values(19);
        let dem = Dem { cols: 11, rows: 9, cell: 2.0, z: (0..99).map(|i| 0.3 * (i % 11) as f64 + (v.bits() % 64) as f64 / 16.0).collect() };
        let dirs = dem.directions();
        let mut shades = dem.hillshade(315.0, 45.0);
        shades.extend(dirs.iter().map(|d| *d as u8));
        let (seen, n) = dem.viewshed(48, 1.5);
        let mut acc = dem.accumulate(&dirs);
        acc.push(n as u32);
        (shades, acc, seen)
    }
}
port!(d8_flow: run());
