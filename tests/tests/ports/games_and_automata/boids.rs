//! Reynolds' flocking: separation, alignment and cohesion of what is seen.
use omp_tests::{Values, twice};

twice! {
    use std::ops::{Add, AddAssign, Div, Mul, Sub};
    use std::iter::Sum;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec2 { x: f32, y: f32 }

    #[omp::declare_target]
    impl Add for Vec2 {
        type Output = Self;
        fn add(self, o: Self) -> Self { Self { x: self.x + o.x, y: self.y + o.y } }
    }
    #[omp::declare_target]
    impl AddAssign for Vec2 {
        fn add_assign(&mut self, o: Self) { *self = *self + o }
    }
    #[omp::declare_target]
    impl Sub for Vec2 {
        type Output = Self;
        fn sub(self, o: Self) -> Self { Self { x: self.x - o.x, y: self.y - o.y } }
    }
    #[omp::declare_target]
    impl Mul<f32> for Vec2 {
        type Output = Self;
        fn mul(self, s: f32) -> Self { Self { x: self.x * s, y: self.y * s } }
    }
    #[omp::declare_target]
    impl Div<f32> for Vec2 {
        type Output = Self;
        fn div(self, s: f32) -> Self { self * (1.0 / s) }
    }
    #[omp::declare_target]
    impl Vec2 {
        pub const ZERO: Self = Self { x: 0.0, y: 0.0 };
        fn dot(self, o: Self) -> f32 { self.x * o.x + self.y * o.y }
        fn length(self) -> f32 { self.dot(self).sqrt() }
        fn clamp_length(self, max: f32) -> Self {
            let len = self.length();
            if len > max { self * (max / len) } else { self }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Boid { pos: Vec2, vel: Vec2 }

    #[derive(Clone, Copy)]
    pub struct Settings { radius: f32, separation: f32, alignment: f32, cohesion: f32, max_speed: f32, dt: f32 }

    pub fn step(boids: &[Boid], s: &Settings) -> Vec<Boid> {
        let mut next = boids.to_vec();
        #[omp::target]
        for (i, (me, out)) in boids.iter().zip(next.iter_mut()).enumerate() {
            let (mut apart, mut heading, mut centre) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO);
            let mut seen = 0;
            for (j, other) in boids.iter().enumerate() {
                let away = me.pos - other.pos;
                if i == j || away.dot(away) > s.radius * s.radius {
                    continue;
                }
                apart += away / away.dot(away).max(0.25);
                heading += other.vel;
                centre += other.pos;
                seen += 1;
            }
            let mut accel = apart * s.separation;
            if seen > 0 {
                let n = seen as f32;
                accel += (heading / n - me.vel) * s.alignment + (centre / n - me.pos) * s.cohesion;
            }
            let vel = (me.vel + accel * s.dt).clamp_length(s.max_speed);
            *out = Boid { pos: me.pos + vel * s.dt, vel };
        }
        next
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let mut v = Values(18);
        let boids: Vec<Boid> = (0..120)
            .map(|_| Boid {
                pos: Vec2 { x: (v.bits() % 64) as f32, y: (v.bits() % 64) as f32 },
                vel: Vec2 { x: (v.bits() % 8) as f32 - 3.5, y: (v.bits() % 8) as f32 - 3.5 },
            })
            .collect();
        let s = Settings { radius: 10.3, separation: 1.5, alignment: 0.5, cohesion: 0.25, max_speed: 6.0, dt: 0.1 };
        let next = step(&boids, &s);
        (next.iter().map(|b| b.pos.x).collect(), next.iter().map(|b| b.pos.y).collect())
    }
}
port!(boids: run());
