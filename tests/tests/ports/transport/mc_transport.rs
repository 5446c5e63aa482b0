//! Photons in layered tissue, with an own generator and a scattering law behind a trait.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Rng {
        fn next_u32(&mut self) -> u32;
        fn uniform(&mut self) -> f64;
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Pcg { state: u64, inc: u64 }

    #[omp::declare_target]
    impl Pcg {
        pub fn new(seed: u64, stream: u64) -> Self {
            let mut rng = Pcg { state: 0, inc: stream << 1 | 1 };
            rng.step();
            rng.state = rng.state.wrapping_add(seed);
            rng.step();
            rng
        }
        fn step(&mut self) { self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(self.inc); }
    }
    #[omp::declare_target]
    impl Rng for Pcg {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.step();
            let xored = (((old >> 18) ^ old) >> 27) as u32;
            xored.rotate_right((old >> 59) as u32)
        }
        fn uniform(&mut self) -> f64 { (self.next_u32() as f64 + 0.5) / 4294967296.0 }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Layer { top: f64, bottom: f64, absorb: f64, scatter: f64, g: f64 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Tally { reflected: f64, transmitted: f64, absorbed: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Fate { Alive, Reflected, Transmitted, Dead }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Photon { z: f64, uz: f64, weight: f64, fate: Fate }

    #[omp::declare_target]
    fn henyey_greenstein<R: Rng>(rng: &mut R, g: f64) -> f64 {
        if g.abs() < 1e-6 { return 2.0 * rng.uniform() - 1.0; }
        let s = (1.0 - g * g) / (1.0 - g + 2.0 * g * rng.uniform());
        (1.0 + g * g - s * s) / (2.0 * g)
    }

    #[omp::declare_target]
    fn layer_at(layers: &[Layer], z: f64) -> Option<&Layer> { layers.iter().find(|l| z >= l.top && z < l.bottom) }

    #[omp::declare_target]
    impl Photon {
        fn launch() -> Self { Photon { z: 0.0, uz: 1.0, weight: 1.0, fate: Fate::Alive } }
        fn advance<R: Rng>(&mut self, layers: &[Layer], rng: &mut R, tally: &mut Tally) {
            let Some(layer) = layer_at(layers, self.z) else {
                self.fate = if self.z < 0.0 { Fate::Reflected } else { Fate::Transmitted };
                return;
            };
            let total = layer.absorb + layer.scatter;
            self.z += self.uz * -rng.uniform().ln() / total;
            let lost = self.weight * layer.absorb / total;
            tally.absorbed += lost;
            self.weight -= lost;
            let cos = henyey_greenstein(rng, layer.g);
            let phi = 2.0 * std::f64::consts::PI * rng.uniform();
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            self.uz = (self.uz * cos + (1.0 - self.uz * self.uz).max(0.0).sqrt() * sin * phi.cos()).clamp(-1.0, 1.0);
            if self.weight < 1e-2 {
                if rng.uniform() < 0.1 { self.weight *= 10.0; } else { self.fate = Fate::Dead; }
            }
        }
    }

    pub fn simulate(layers: &[Layer], photons: usize) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); photons];
        #[omp::target]
        for (i, tally) in tallies.iter_mut().enumerate() {
            let mut rng = Pcg::new(42, i as u64);
            let mut photon = Photon::launch();
            let mut own = Tally::default();
            for _ in 0..200 {
                photon.advance(layers, &mut rng, &mut own);
                match photon.fate {
                    Fate::Alive => continue,
                    Fate::Reflected => own.reflected += photon.weight,
                    Fate::Transmitted => own.transmitted += photon.weight,
                    Fate::Dead => {}
                }
                break;
            }
            *tally = own;
        }
        tallies
    }
    pub fn run() -> Vec<f64> {
        let layers = [
            Layer { top: 0.0, bottom: 0.3, absorb: 0.4, scatter: 9.0, g: 0.8 },
            Layer { top: 0.3, bottom: 0.8, absorb: 1.5, scatter: 4.0, g: 0.0 },
            Layer { top: 0.8, bottom: 1.2, absorb: 0.2, scatter: 7.0, g: 0.9 },
        ];
        simulate(&layers, 60).iter().flat_map(|t| [t.reflected, t.transmitted, t.absorbed]).collect()
    }
}
port!(mc_transport: run());
