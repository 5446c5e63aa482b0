//! Direct simulation Monte Carlo: collisions of particles sorted by cells.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, Sub, Range};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3([f64; 3]);
    macro_rules! elementwise {
        ($($tr:ident $f:ident $op:tt),*) => { $(
            #[omp::declare_target]
            impl $tr for V3 { type Output = V3; fn $f(self, o: V3) -> V3 { V3([self.0[0] $op o.0[0], self.0[1] $op o.0[1], self.0[2] $op o.0[2]]) } }
        )* };
    }
    elementwise!(Add add +, Sub sub -);
    #[omp::declare_target]
    impl Mul<V3> for f64 { type Output = V3; fn mul(self, V3(v): V3) -> V3 { V3(v.map(|c| self * c)) } }
    #[omp::declare_target]
    impl V3 { fn norm(self) -> f64 { self.0.iter().map(|c| c * c).sum::<f64>().sqrt() } }

    #[derive(Clone, Copy, omp::Device)]
    struct Rng(u64);
    #[omp::declare_target]
    impl Rng {
        fn next_u32(&mut self) -> u32 {
            let old = self.0;
            self.0 = old.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let xorshifted = ((old >> 18 ^ old) >> 27) as u32;
            xorshifted.rotate_right((old >> 59) as u32)
        }
        fn uniform(&mut self) -> f64 { self.next_u32() as f64 * (1.0 / 4294967296.0) }
        fn range(&mut self, r: Range<usize>) -> usize { r.start + (self.next_u32() as u64 * r.len() as u64 >> 32) as usize }
        fn direction(&mut self) -> V3 {
            let c = 2.0 * self.uniform() - 1.0;
            let s = (1.0 - c * c).sqrt();
            let (sp, cp) = (std::f64::consts::TAU * self.uniform()).sin_cos();
            V3([c, s * cp, s * sp])
        }
    }

    pub struct Gas { vel: Vec<V3>, cell_start: Vec<usize>, vr_max: Vec<f64>, carry: Vec<f64> }

    impl Gas {
        #[omp::offload]
        pub fn collide(&mut self, coeff: f64, seed: u64) -> u64 {
            let Gas { vel, cell_start, vr_max, carry } = self;
            let cells = vr_max.len();
            let mut collisions = 0u64;
            #[omp::target(disjoint(vel), reduction(+: collisions))]
            for cell in 0..cells {
                let members = cell_start[cell]..cell_start[cell + 1];
                if members.len() < 2 { continue; }
                let mut rng = Rng(seed ^ (cell as u64) << 32);
                let np = members.len() as f64;
                let select = coeff * np * (np - 1.0) * vr_max[cell] + carry[cell];
                let tries = select as usize;
                carry[cell] = select.fract();
                let mut peak = vr_max[cell];
                for _ in 0..tries {
                    let i = rng.range(members.clone());
                    let j = loop {
                        let j = rng.range(members.clone());
                        if j != i { break j; }
                    };
                    let rel = (vel[i] - vel[j]).norm();
                    peak = peak.max(rel);
                    if rel / vr_max[cell] <= rng.uniform() { continue; }
                    let centre = 0.5 * (vel[i] + vel[j]);
                    let half = (0.5 * rel) * rng.direction();
                    (vel[i], vel[j]) = (centre + half, centre - half);
                    collisions += 1;
                }
                vr_max[cell] = peak;
            }
            collisions
        }
    }

    pub fn run() -> (u64, Vec<f64>, Vec<f64>) {
        let mut v = Values(23);
        let cells = 20;
        let mut cell_start = vec![0];
        for c in 0..cells { cell_start.push(cell_start[c] + c * 5 % 13); }
        let n = cell_start[cells];
        let vel = (0..n).map(|_| V3([v.unit() - 0.5, v.unit() - 0.5, v.unit()])).collect();
        let mut gas = Gas { vel, cell_start, vr_max: vec![1.5; cells], carry: vec![0.25; cells] };
        let total = (0..3).map(|s| gas.collide(0.2, s)).sum();
        (total, gas.vel.iter().flat_map(|v| v.0).collect(), gas.carry)
    }
}
port!(dsmc: run());
