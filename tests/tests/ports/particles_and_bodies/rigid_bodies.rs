//! Rigid bodies in the plane: structs of structs, shapes as an enum, contacts as `Option`, impulses gathered by body.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

    #[derive(Debug, Clone, Copy, PartialEq, Default, omp::Device)]
    pub struct Vec2 { x: f32, y: f32 }

    macro_rules! binary {
        ($($op:ident $f:ident $t:tt),*) => { $(
            #[omp::declare_target]
            impl $op for Vec2 { type Output = Vec2; fn $f(self, o: Vec2) -> Vec2 { Vec2 { x: self.x $t o.x, y: self.y $t o.y } } }
        )* };
    }
    binary!(Add add +, Sub sub -);
    #[omp::declare_target]
    impl Mul<f32> for Vec2 { type Output = Vec2; fn mul(self, k: f32) -> Vec2 { Vec2 { x: self.x * k, y: self.y * k } } }
    #[omp::declare_target]
    impl Neg for Vec2 { type Output = Vec2; fn neg(self) -> Vec2 { self * -1.0 } }
    #[omp::declare_target]
    impl AddAssign for Vec2 { fn add_assign(&mut self, o: Vec2) { *self = *self + o } }
    #[omp::declare_target]
    impl SubAssign for Vec2 { fn sub_assign(&mut self, o: Vec2) { *self = *self - o } }
    #[omp::declare_target]
    impl Vec2 {
        const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };
        fn dot(self, o: Vec2) -> f32 { self.x * o.x + self.y * o.y }
        fn length(self) -> f32 { self.dot(self).sqrt() }
        fn clamp(self, half: Vec2) -> Vec2 { Vec2 { x: self.x.clamp(-half.x, half.x), y: self.y.clamp(-half.y, half.y) } }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Shape { Circle { radius: f32 }, Aabb { half: Vec2 } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Material { density: f32, restitution: f32 }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Body { position: Vec2, velocity: Vec2, shape: Shape, material: Material }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Contact { normal: Vec2, depth: f32 }

    #[omp::declare_target]
    impl Body {
        fn mass(&self) -> f32 {
            let area = match self.shape {
                Shape::Circle { radius: r } => std::f32::consts::PI * r * r,
                Shape::Aabb { half: Vec2 { x, y } } => 4.0 * x * y,
            };
            self.material.density * area
        }
        fn inv_mass(&self) -> f32 { if self.material.density == 0.0 { 0.0 } else { self.mass().recip() } }
    }

    #[omp::declare_target]
    fn circle_circle(d: Vec2, r: f32) -> Option<Contact> {
        let dist = d.length();
        if dist >= r {
            return None;
        }
        let normal = if dist > 0.0 { d * (1.0 / dist) } else { Vec2 { x: 1.0, y: 0.0 } };
        Some(Contact { normal, depth: r - dist })
    }

    /// The contact of `a` with `b`; its normal points from `a` to `b`.
    #[omp::declare_target]
    fn contact(a: &Body, b: &Body) -> Option<Contact> {
        let d = b.position - a.position;
        match (a.shape, b.shape) {
            (Shape::Circle { radius: ra }, Shape::Circle { radius: rb }) => circle_circle(d, ra + rb),
            (Shape::Aabb { half: ha }, Shape::Aabb { half: hb }) => {
                let overlap = ha + hb - Vec2 { x: d.x.abs(), y: d.y.abs() };
                if overlap.x <= 0.0 || overlap.y <= 0.0 {
                    None
                } else if overlap.x < overlap.y {
                    Some(Contact { normal: Vec2 { x: d.x.signum(), y: 0.0 }, depth: overlap.x })
                } else {
                    Some(Contact { normal: Vec2 { x: 0.0, y: d.y.signum() }, depth: overlap.y })
                }
            }
            (Shape::Aabb { half }, Shape::Circle { radius }) => circle_circle(d - d.clamp(half), radius),
            (Shape::Circle { .. }, Shape::Aabb { .. }) => contact_flipped(b, a),
        }
    }

    #[omp::declare_target]
    fn contact_flipped(a: &Body, b: &Body) -> Option<Contact> {
        let (Shape::Aabb { half }, Shape::Circle { radius }) = (a.shape, b.shape) else { return None };
        let d = b.position - a.position;
        circle_circle(d - d.clamp(half), radius).map(|c| Contact { normal: -c.normal, ..c })
    }

    pub fn step(bodies: &mut Vec<Body>, dt: f32, gravity: Vec2) -> (u32, f32) {
        let old = bodies.clone();
        let (mut touching, mut energy) = (0, 0.0);
        #[omp::target(reduction(+: touching, energy))]
        for (i, body) in bodies.iter_mut().enumerate() {
            let inv = body.inv_mass();
            if inv == 0.0 {
                continue;
            }
            body.velocity += gravity * dt;
            for other in old.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, b)| b) {
                let Some(Contact { normal, depth }) = contact(&old[i], other) else { continue };
                touching += 1;
                let approach = (other.velocity - old[i].velocity).dot(normal);
                let share = inv / (inv + other.inv_mass());
                if approach < 0.0 {
                    let e = body.material.restitution.min(other.material.restitution);
                    body.velocity += normal * ((1.0 + e) * approach * share);
                }
                body.position -= normal * (0.4 * depth * share);
            }
            body.position += body.velocity * dt;
            energy += 0.5 * body.mass() * body.velocity.dot(body.velocity);
        }
        (touching, energy)
    }

    pub fn run() -> (Vec<(u32, f32)>, Vec<[f32; 4]>) {
        let mut v = Values(28);
        let mut bodies: Vec<Body> = (0..20).map(|i| Body {
            position: Vec2 { x: v.unit() as f32 * 6.0, y: 1.0 + v.unit() as f32 * 5.0 },
            velocity: Vec2 { x: v.unit() as f32 - 0.5, y: 0.0 },
            shape: if i % 2 == 0 { Shape::Circle { radius: 0.4 } } else { Shape::Aabb { half: Vec2 { x: 0.4, y: 0.3 } } },
            material: Material { density: 1.0, restitution: 0.5 },
        }).collect();
        bodies.push(Body { position: Vec2 { x: 3.0, y: -1.0 }, velocity: Vec2::ZERO, shape: Shape::Aabb { half: Vec2 { x: 10.0, y: 1.0 } }, material: Material { density: 0.0, restitution: 0.2 } });
        let log = (0..5).map(|_| step(&mut bodies, 0.02, Vec2 { x: 0.0, y: -9.8 })).collect();
        (log, bodies.iter().map(|b| [b.position.x, b.position.y, b.velocity.x, b.velocity.y]).collect())
    }
}
port!(rigid: run());
