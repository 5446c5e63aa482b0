//! Hydraulic erosion of a height field with the virtual-pipe model (Mei, Decaudin, Hu).
use omp_tests::on_every_device;
use std::ops::{Index, IndexMut};

const DT: f32 = 0.02;
const GRAVITY: f32 = 9.81;
const CAPACITY: f32 = 0.8;
const DISSOLVE: f32 = 0.5;
const DEPOSIT: f32 = 0.9;
const EVAPORATION: f32 = 0.015;
const MIN_TILT: f32 = 0.02;

#[derive(Clone, Debug, omp::Mapper)]
struct Grid<T: omp::Device> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T: omp::Device> Grid<T> {
    fn filled(width: usize, height: usize, value: T) -> Self {
        Grid { width, height, cells: vec![value; width * height] }
    }
}

#[omp::declare_target]
impl<T: omp::Device> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    fn index(&self, (x, y): (usize, usize)) -> &T {
        &self.cells[y * self.width + x]
    }
}

#[omp::declare_target]
impl<T: omp::Device> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut T {
        &mut self.cells[y * self.width + x]
    }
}

#[omp::declare_target]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[omp::declare_target]
impl Grid<f32> {
    fn bilinear(&self, x: f32, y: f32) -> f32 {
        let x = x.clamp(0.0, (self.width - 1) as f32);
        let y = y.clamp(0.0, (self.height - 1) as f32);
        let (x0, y0) = (x.floor() as usize, y.floor() as usize);
        let (x1, y1) = ((x0 + 1).min(self.width - 1), (y0 + 1).min(self.height - 1));
        let (fx, fy) = (x.fract(), y.fract());
        lerp(lerp(self[(x0, y0)], self[(x1, y0)], fx), lerp(self[(x0, y1)], self[(x1, y1)], fx), fy)
    }

    /// Sine of the angle of the slope.
    fn tilt(&self, x: usize, y: usize) -> f32 {
        let (left, right) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
        let (up, down) = (y.saturating_sub(1), (y + 1).min(self.height - 1));
        let gx = (self[(right, y)] - self[(left, y)]) / (right - left) as f32;
        let gy = (self[(x, down)] - self[(x, up)]) / (down - up) as f32;
        let g2 = gx * gx + gy * gy;
        (g2 / (1.0 + g2)).sqrt()
    }
}

#[derive(Clone, Copy, Debug, Default, omp::Device)]
struct Flux {
    left: f32,
    right: f32,
    up: f32,
    down: f32,
}

#[omp::declare_target]
impl Flux {
    fn total(&self) -> f32 {
        self.left + self.right + self.up + self.down
    }

    fn scaled(self, k: f32) -> Flux {
        Flux { left: self.left * k, right: self.right * k, up: self.up * k, down: self.down * k }
    }
}

#[derive(Clone)]
struct Terrain {
    ground: Grid<f32>,
    water: Grid<f32>,
    sediment: Grid<f32>,
    carried: Grid<f32>,
    tilt: Grid<f32>,
    flux: Grid<Flux>,
    velocity: Grid<[f32; 2]>,
}

#[omp::offload]
mod device {
    use super::*;

    pub fn flow(ground: &Grid<f32>, water: &Grid<f32>, flux: &mut Grid<Flux>) {
        let (w, h) = (ground.width, ground.height);
        #[omp::target(collapse(2), map(to: ground, water), map(tofrom: flux))]
        for y in 0..h {
            for x in 0..w {
                let level = ground[(x, y)] + water[(x, y)];
                let pipe = |nx: usize, ny: usize, old: f32| {
                    let drop = level - ground[(nx, ny)] - water[(nx, ny)];
                    (old + DT * GRAVITY * drop).max(0.0)
                };
                let old = flux[(x, y)];
                let new = Flux {
                    left: if x > 0 { pipe(x - 1, y, old.left) } else { 0.0 },
                    right: if x + 1 < w { pipe(x + 1, y, old.right) } else { 0.0 },
                    up: if y > 0 { pipe(x, y - 1, old.up) } else { 0.0 },
                    down: if y + 1 < h { pipe(x, y + 1, old.down) } else { 0.0 },
                };
                let out = new.total() * DT;
                flux[(x, y)] = if out > water[(x, y)] { new.scaled(water[(x, y)] / out) } else { new };
            }
        }
    }

    pub fn move_water(flux: &Grid<Flux>, water: &mut Grid<f32>, velocity: &mut Grid<[f32; 2]>) {
        let (w, h) = (flux.width, flux.height);
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let here = flux[(x, y)];
                let from_left = if x > 0 { flux[(x - 1, y)].right } else { 0.0 };
                let from_right = if x + 1 < w { flux[(x + 1, y)].left } else { 0.0 };
                let from_up = if y > 0 { flux[(x, y - 1)].down } else { 0.0 };
                let from_down = if y + 1 < h { flux[(x, y + 1)].up } else { 0.0 };
                let before = water[(x, y)];
                let after =
                    (before + DT * (from_left + from_right + from_up + from_down - here.total())).max(0.0);
                let mean = (0.5 * (before + after)).max(1e-2);
                water[(x, y)] = after;
                velocity[(x, y)] = [
                    0.5 * (from_left - here.left + here.right - from_right) / mean,
                    0.5 * (from_up - here.up + here.down - from_down) / mean,
                ];
            }
        }
    }

    pub fn erode(
        velocity: &Grid<[f32; 2]>,
        tilt: &mut Grid<f32>,
        ground: &mut Grid<f32>,
        sediment: &mut Grid<f32>,
    ) {
        #[omp::target(collapse(2))]
        for y in 0..ground.height {
            for x in 0..ground.width {
                tilt[(x, y)] = ground.tilt(x, y).max(MIN_TILT);
            }
        }
        #[omp::target(collapse(2))]
        for y in 0..ground.height {
            for x in 0..ground.width {
                let [vx, vy] = velocity[(x, y)];
                let excess = CAPACITY * tilt[(x, y)] * vx.hypot(vy) - sediment[(x, y)];
                let amount = DT * excess * if excess > 0.0 { DISSOLVE } else { DEPOSIT };
                ground[(x, y)] -= amount;
                sediment[(x, y)] += amount;
            }
        }
    }

    pub fn transport(velocity: &Grid<[f32; 2]>, sediment: &Grid<f32>, carried: &mut Grid<f32>) {
        #[omp::target(collapse(2), map(from: carried))]
        for y in 0..carried.height {
            for x in 0..carried.width {
                let [vx, vy] = velocity[(x, y)];
                carried[(x, y)] = sediment.bilinear(x as f32 - vx * DT, y as f32 - vy * DT);
            }
        }
    }

    pub fn rain_and_evaporate(water: &mut Grid<f32>, rain: &[f32]) -> f32 {
        let mut volume = 0.0f32;
        #[omp::target(reduction(+: volume))]
        for (w, &r) in water.cells.iter_mut().zip(rain.iter()) {
            *w = (*w + r * DT) * (1.0 - EVAPORATION * DT);
            volume += *w;
        }
        volume
    }
}

mod serial {
    use super::*;

    pub fn flow(ground: &Grid<f32>, water: &Grid<f32>, flux: &mut Grid<Flux>) {
        let (w, h) = (ground.width, ground.height);
        for y in 0..h {
            for x in 0..w {
                let level = ground[(x, y)] + water[(x, y)];
                let pipe = |nx: usize, ny: usize, old: f32| {
                    let drop = level - ground[(nx, ny)] - water[(nx, ny)];
                    (old + DT * GRAVITY * drop).max(0.0)
                };
                let old = flux[(x, y)];
                let new = Flux {
                    left: if x > 0 { pipe(x - 1, y, old.left) } else { 0.0 },
                    right: if x + 1 < w { pipe(x + 1, y, old.right) } else { 0.0 },
                    up: if y > 0 { pipe(x, y - 1, old.up) } else { 0.0 },
                    down: if y + 1 < h { pipe(x, y + 1, old.down) } else { 0.0 },
                };
                let out = new.total() * DT;
                flux[(x, y)] = if out > water[(x, y)] { new.scaled(water[(x, y)] / out) } else { new };
            }
        }
    }

    pub fn move_water(flux: &Grid<Flux>, water: &mut Grid<f32>, velocity: &mut Grid<[f32; 2]>) {
        let (w, h) = (flux.width, flux.height);
        for y in 0..h {
            for x in 0..w {
                let here = flux[(x, y)];
                let from_left = if x > 0 { flux[(x - 1, y)].right } else { 0.0 };
                let from_right = if x + 1 < w { flux[(x + 1, y)].left } else { 0.0 };
                let from_up = if y > 0 { flux[(x, y - 1)].down } else { 0.0 };
                let from_down = if y + 1 < h { flux[(x, y + 1)].up } else { 0.0 };
                let before = water[(x, y)];
                let after =
                    (before + DT * (from_left + from_right + from_up + from_down - here.total())).max(0.0);
                let mean = (0.5 * (before + after)).max(1e-2);
                water[(x, y)] = after;
                velocity[(x, y)] = [
                    0.5 * (from_left - here.left + here.right - from_right) / mean,
                    0.5 * (from_up - here.up + here.down - from_down) / mean,
                ];
            }
        }
    }

    pub fn erode(
        velocity: &Grid<[f32; 2]>,
        tilt: &mut Grid<f32>,
        ground: &mut Grid<f32>,
        sediment: &mut Grid<f32>,
    ) {
        for y in 0..ground.height {
            for x in 0..ground.width {
                tilt[(x, y)] = ground.tilt(x, y).max(MIN_TILT);
            }
        }
        for y in 0..ground.height {
            for x in 0..ground.width {
                let [vx, vy] = velocity[(x, y)];
                let excess = CAPACITY * tilt[(x, y)] * vx.hypot(vy) - sediment[(x, y)];
                let amount = DT * excess * if excess > 0.0 { DISSOLVE } else { DEPOSIT };
                ground[(x, y)] -= amount;
                sediment[(x, y)] += amount;
            }
        }
    }

    pub fn transport(velocity: &Grid<[f32; 2]>, sediment: &Grid<f32>, carried: &mut Grid<f32>) {
        for y in 0..carried.height {
            for x in 0..carried.width {
                let [vx, vy] = velocity[(x, y)];
                carried[(x, y)] = sediment.bilinear(x as f32 - vx * DT, y as f32 - vy * DT);
            }
        }
    }

    pub fn rain_and_evaporate(water: &mut Grid<f32>, rain: &[f32]) -> f32 {
        let mut volume = 0.0f32;
        for (w, &r) in water.cells.iter_mut().zip(rain.iter()) {
            *w = (*w + r * DT) * (1.0 - EVAPORATION * DT);
            volume += *w;
        }
        volume
    }
}

#[test]
fn erosion() {
    let (w, h) = (48, 40);
    let mut state = 17u32;
    let mut rng = || {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state >> 8) as f32 / 16_777_216.0
    };
    let mut ground = Grid::filled(w, h, 0.0f32);
    for y in 0..h {
        for x in 0..w {
            let hill = (-((x as f32 - 20.0).powi(2) + (y as f32 - 22.0).powi(2)) / 150.0).exp();
            ground[(x, y)] = 6.0 * hill + 0.3 * rng();
        }
    }
    let rain: Vec<f32> = (0..w * h).map(|_| if rng() < 0.3 { 2.0 * rng() } else { 0.0 }).collect();
    let dry = Grid::filled(w, h, 0.0f32);
    let start = Terrain {
        water: Grid::filled(w, h, 0.1),
        sediment: dry.clone(),
        carried: dry.clone(),
        tilt: dry,
        flux: Grid::filled(w, h, Flux::default()),
        velocity: Grid::filled(w, h, [0.0; 2]),
        ground,
    };

    on_every_device(|d| {
        omp::set_default_device(d);
        let (mut a, mut b) = (start.clone(), start.clone());
        for step in 0..12 {
            let va = device::rain_and_evaporate(&mut a.water, &rain);
            device::flow(&a.ground, &a.water, &mut a.flux);
            device::move_water(&a.flux, &mut a.water, &mut a.velocity);
            device::erode(&a.velocity, &mut a.tilt, &mut a.ground, &mut a.sediment);
            device::transport(&a.velocity, &a.sediment, &mut a.carried);
            std::mem::swap(&mut a.sediment, &mut a.carried);

            let vb = serial::rain_and_evaporate(&mut b.water, &rain);
            serial::flow(&b.ground, &b.water, &mut b.flux);
            serial::move_water(&b.flux, &mut b.water, &mut b.velocity);
            serial::erode(&b.velocity, &mut b.tilt, &mut b.ground, &mut b.sediment);
            serial::transport(&b.velocity, &b.sediment, &mut b.carried);
            std::mem::swap(&mut b.sediment, &mut b.carried);
            assert!((va - vb).abs() <= 1e-3 * vb, "device {d}, step {step}: {va} {vb}");
        }
        let same = |p: &Grid<f32>, q: &Grid<f32>| {
            p.cells.iter().zip(&q.cells).all(|(u, v)| (u - v).abs() <= 1e-3 * (1.0 + v.abs()))
        };
        assert!(same(&a.ground, &b.ground), "device {d}: ground");
        assert!(same(&a.water, &b.water), "device {d}: water");
        assert!(same(&a.sediment, &b.sediment), "device {d}: sediment");
    });
}
