//! N-body: fourth-order Hermite predictor and corrector with generic floats and block time steps.
use omp_tests::twice;

twice! {
    use num_traits::Float;
    use std::ops::{Add, AddAssign, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V<T>([T; 3]);

    #[omp::declare_target]
    impl<T: Float + omp::Device> Add for V<T> { type Output = Self; fn add(self, o: Self) -> Self { V([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]]) } }
    #[omp::declare_target]
    impl<T: Float + omp::Device> Sub for V<T> { type Output = Self; fn sub(self, o: Self) -> Self { V([self.0[0] - o.0[0], self.0[1] - o.0[1], self.0[2] - o.0[2]]) } }
    #[omp::declare_target]
    impl<T: Float + omp::Device> AddAssign for V<T> { fn add_assign(&mut self, o: Self) { *self = *self + o; } }
    #[omp::declare_target]
    impl<T: Float + omp::Device> V<T> {
        fn times(self, k: T) -> Self { V([self.0[0] * k, self.0[1] * k, self.0[2] * k]) }
        fn dot(self, o: Self) -> T { self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2] }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Body<T> { mass: T, pos: V<T>, vel: V<T>, acc: V<T>, jerk: V<T>, time: T, dt: T }

    #[derive(Clone, Copy, omp::Device)]
    struct Predicted<T> { pos: V<T>, vel: V<T> }

    fn step<T>(bodies: &mut [Body<T>], now: T, eps2: T)
    where
        T: Float + omp::Device + std::fmt::Debug,
    {
        let two = T::one() + T::one();
        let six = two * (two + T::one());
        let mut predicted = vec![Predicted { pos: bodies[0].pos, vel: bodies[0].vel }; bodies.len()];
        #[omp::target]
        for (p, b) in predicted.iter_mut().zip(bodies.iter()) {
            let dt = now - b.time;
            p.pos = b.pos + b.vel.times(dt) + b.acc.times(dt * dt / two) + b.jerk.times(dt * dt * dt / six);
            p.vel = b.vel + b.acc.times(dt) + b.jerk.times(dt * dt / two);
        }
        let masses: Vec<T> = bodies.iter().map(|b| b.mass).collect();
        #[omp::target]
        for (i, b) in bodies.iter_mut().enumerate() {
            if b.time + b.dt > now {
                continue;
            }
            let me = predicted[i];
            let (mut acc, mut jerk) = (V([T::zero(); 3]), V([T::zero(); 3]));
            for (j, (q, &m)) in predicted.iter().zip(masses.iter()).enumerate() {
                if i == j { continue; }
                let (dr, dv) = (q.pos - me.pos, q.vel - me.vel);
                let r2 = dr.dot(dr) + eps2;
                let inv = r2.sqrt().recip();
                let k = m * inv * inv * inv;
                let alpha = six / two * dr.dot(dv) / r2;
                acc += dr.times(k);
                jerk += (dv - dr.times(alpha)).times(k);
            }
            let dt = b.dt;
            let vel = b.vel + (b.acc + acc).times(dt / two) + (b.jerk - jerk).times(dt * dt / (six * two));
            b.pos = b.pos + (b.vel + vel).times(dt / two) + (b.acc - acc).times(dt * dt / (six * two));
            b.vel = vel;
            (b.acc, b.jerk, b.time) = (acc, jerk, now);
        }
    }

    fn simulate<T: Float + omp::Device + std::fmt::Debug>(f: impl Fn(f64) -> T) -> Vec<T> {
        let n = 24;
        let mut bodies: Vec<Body<T>> = (0..n)
            .map(|i| {
                let t = i as f64 * 0.7;
                let zero = V([f(0.0); 3]);
                Body { mass: f(1.0 / n as f64), pos: V([f(t.cos()), f(t.sin()), f(0.1 * t)]), vel: V([f(-0.3 * t.sin()), f(0.3 * t.cos()), f(0.0)]), acc: zero, jerk: zero, time: f(0.0), dt: f(if i % 3 == 0 { 0.03125 } else { 0.0625 }) }
            })
            .collect();
        for s in 1..=6 {
            step(&mut bodies, f(s as f64 * 0.03125), f(0.01));
        }
        bodies.iter().flat_map(|b| b.pos.0).collect()
    }

    pub fn run() -> (Vec<f32>, Vec<f64>) { (simulate(|x| x as f32), simulate(|x| x)) }
}
port!(hermite: run());
