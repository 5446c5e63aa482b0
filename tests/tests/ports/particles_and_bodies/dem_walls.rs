//! DEM: grains against walls and one another with tangential springs kept in contact slots, sorted by cell.
use omp_tests::twice;

twice! {
    const SLOTS: usize = 8;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    struct Contact { other: Option<u32>, spring: f32 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Grain { x: f32, y: f32, vx: f32, vy: f32, omega: f32, r: f32, contacts: [Contact; SLOTS] }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Wall { Vertical(f32), Horizontal(f32), Circle { x: f32, y: f32, r: f32 } }

    #[omp::declare_target]
    impl Wall {
        /// Depth and inward normal.
        fn overlap(&self, g: &Grain) -> Option<(f32, f32, f32)> {
            let (depth, nx, ny) = match self {
                Wall::Vertical(x) => (g.r - (g.x - x).abs(), (g.x - x).signum(), 0.0),
                Wall::Horizontal(y) => (g.r - (g.y - y).abs(), 0.0, (g.y - y).signum()),
                Wall::Circle { x, y, r } => {
                    let (dx, dy) = (g.x - x, g.y - y);
                    let d = dx.hypot(dy);
                    (d + g.r - r, -dx / d, -dy / d)
                }
            };
            if depth > 0.0 { Some((depth, nx, ny)) } else { None }
        }
    }

    #[omp::declare_target]
    impl Grain {
        fn spring_of(&self, j: u32) -> f32 {
            self.contacts.iter().find(|c| c.other == Some(j)).map_or(0.0, |c| c.spring)
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Params { kn: f32, kt: f32, damping: f32, mu: f32, dt: f32, gravity: (f32, f32) }

    pub fn step(next: &mut [Grain], grains: &[Grain], walls: &[Wall], p: &Params) -> u32 {
        let mut touching = 0;
        #[omp::target(reduction(+: touching))]
        for (i, (out, g)) in next.iter_mut().zip(grains).enumerate() {
            let mut new = *g;
            new.contacts = [Contact::default(); SLOTS];
            let mut used = 0;
            let (mut fx, mut fy, mut torque) = (p.gravity.0, p.gravity.1, 0.0);
            for (j, h) in grains.iter().enumerate() {
                if i == j {
                    continue;
                }
                let (dx, dy) = (h.x - g.x, h.y - g.y);
                let d2 = dx * dx + dy * dy;
                let reach = g.r + h.r;
                if d2 >= reach * reach || d2 == 0.0 {
                    continue;
                }
                touching += 1;
                let d = d2.sqrt();
                let (nx, ny) = (dx / d, dy / d);
                let (tx, ty) = (-ny, nx);
                let (rvx, rvy) = (h.vx - g.vx, h.vy - g.vy);
                let vn = rvx * nx + rvy * ny;
                let vt = rvx * tx + rvy * ty - (g.r * g.omega + h.r * h.omega);
                let fnorm = (p.kn * (reach - d) - p.damping * vn).max(0.0);
                let spring = g.spring_of(j as u32) + vt * p.dt;
                let ft = (p.kt * spring).clamp(-p.mu * fnorm, p.mu * fnorm);
                if let Some(slot) = new.contacts.get_mut(used) {
                    *slot = Contact { other: Some(j as u32), spring };
                    used += 1;
                }
                fx += -fnorm * nx + ft * tx;
                fy += -fnorm * ny + ft * ty;
                torque += ft * g.r;
            }
            for wall in walls {
                let Some((depth, nx, ny)) = wall.overlap(g) else { continue };
                let vn = g.vx * nx + g.vy * ny;
                let f = (p.kn * depth - p.damping * vn).max(0.0);
                fx += f * nx;
                fy += f * ny;
            }
            let mass = std::f32::consts::PI * g.r.powi(2);
            new.vx += fx / mass * p.dt;
            new.vy += fy / mass * p.dt;
            new.omega += torque / (0.5 * mass * g.r * g.r) * p.dt;
            new.x += new.vx * p.dt;
            new.y += new.vy * p.dt;
            *out = new;
        }
        touching
    }

    pub fn run() -> (crate::Shown, u32) {
        let mut grains: Vec<Grain> = (0..40)
            .map(|i| Grain { x: 0.6 + (i % 8) as f32 * 0.95, y: 0.6 + (i / 8) as f32 * 0.93, vx: 0.1 * (i as f32).sin(), r: 0.5, ..Default::default() })
            .collect();
        let mut next = grains.clone();
        let walls = [Wall::Vertical(0.0), Wall::Vertical(8.0), Wall::Horizontal(0.0), Wall::Circle { x: 4.0, y: 4.0, r: 6.0 }];
        let p = Params { kn: 200.0, kt: 50.0, damping: 1.0, mu: 0.4, dt: 0.01, gravity: (0.0, -9.8) };
        let mut touching = 0;
        for _ in 0..6 {
            touching += step(&mut next, &grains, &walls, &p);
            std::mem::swap(&mut next, &mut grains);
        }
        let shown: Vec<[f32; 4]> = grains.iter().map(|g| [g.x, g.y, g.vx, g.omega]).collect();
        (crate::Shown::of(shown), touching)
    }
}
port!(dem_walls: run());
