//! HACCmk: the short-range force of cosmology by a polynomial.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Debug, Default, omp::Mapper)]
    pub struct Particles {
        xx: Vec<f32>, yy: Vec<f32>, zz: Vec<f32>, mass: Vec<f32>,
        vx: Vec<f32>, vy: Vec<f32>, vz: Vec<f32>,
    }

    #[derive(Clone, Copy)]
    pub struct Cutoffs { fsrrmax2: f32, mp_rsm2: f32, fcoeff: f32 }

    impl Particles {
        fn force_on(&self, x: f32, y: f32, z: f32, c: &Cutoffs) -> (f32, f32, f32) {
            const MA: [f32; 6] = [0.269327, -0.0750978, 0.0114808, -0.00109313, 0.0000605491, -0.00000147177];
            let (mut xi, mut yi, mut zi) = (0.0, 0.0, 0.0);
            for j in 0..self.xx.len() {
                let dxc = self.xx[j] - x;
                let dyc = self.yy[j] - y;
                let dzc = self.zz[j] - z;
                let r2 = dxc * dxc + dyc * dyc + dzc * dzc;
                let m = if r2 < c.fsrrmax2 && r2 > 0.0 { self.mass[j] } else { 0.0 };
                let mut f = r2 + c.mp_rsm2;
                f = 1.0 / (f * f.sqrt());
                let poly = MA.iter().rev().fold(0.0, |acc, &k| acc * r2 + k);
                f = m * (f - poly);
                xi += f * dxc;
                yi += f * dyc;
                zi += f * dzc;
            }
            (xi, yi, zi)
        }

        pub fn kick(&mut self, c: Cutoffs) {
            let n = self.xx.len();
            #[omp::target]
            for i in 0..n {
                let (fx, fy, fz) = self.force_on(self.xx[i], self.yy[i], self.zz[i], &c);
                self.vx[i] += fx * c.fcoeff;
                self.vy[i] += fy * c.fcoeff;
                self.vz[i] += fz * c.fcoeff;
            }
        }

        pub fn drift(&mut self, dt: f32) {
            let Self { xx, yy, zz, vx, vy, vz, .. } = self;
            #[omp::target]
            for i in 0..xx.len() {
                xx[i] += dt * vx[i];
                yy[i] += dt * vy[i];
                zz[i] += dt * vz[i];
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        let mut v = Values(31);
        let mut p = Particles::default();
        for _ in 0..97 {
            p.xx.push(v.bits() as f32 / 1e9);
            p.yy.push(v.bits() as f32 / 1e9);
            p.zz.push(v.bits() as f32 / 1e9);
            p.mass.push(0.5 + v.bits() as f32 / 8e9);
            p.vx.push(0.0);
            p.vy.push(0.0);
            p.vz.push(0.0);
        }
        let c = Cutoffs { fsrrmax2: 0.5, mp_rsm2: 0.03, fcoeff: 0.23 };
        for _ in 0..3 {
            p.kick(c);
            p.drift(0.01);
        }
        (p.xx, p.vy, p.vz)
    }
}
port!(haccmk: run());
